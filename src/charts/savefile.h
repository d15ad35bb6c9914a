// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <QByteArray>
#include <QString>

namespace fleetwright::charts {

/// Writes a temporary file beside `path` and renames it, so a failure leaves neither a partial file nor a changed old
/// one. IoError with the file's name and a sentence: no name, missing folder, not writable, not an ordinary file, full
/// disk.
[[nodiscard]] Expected<void> saveFile(const QByteArray &bytes, const QString &path);

} // namespace fleetwright::charts
