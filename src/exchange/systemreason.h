// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace fleetwright::exchange {

/// Why the operating system refused to write, by its number (errno), in our words: part of a sentence, for localized().
[[nodiscard]] QString systemReason(int reason);

/// Why a file could not be opened for reading, as far as it can be seen afterwards: part of a sentence.
[[nodiscard]] QString whyNotReadable(const QString &path);

} // namespace fleetwright::exchange
