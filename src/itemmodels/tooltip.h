// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace fleetwright::itemmodels {

/// The lines of a tool tip as plain text, which is all that tool tips show; long lines go on below.
[[nodiscard]] QString toolTip(const QStringList &lines);

} // namespace fleetwright::itemmodels
