// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

namespace fleetwright::charts {

/// The texts of charts, translated.
[[nodiscard]] inline QString tr(const char *text) { return QCoreApplication::translate("charts", text); }

} // namespace fleetwright::charts
