// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

namespace fleetwright::itemmodels {

/// The texts of tables, translated.
[[nodiscard]] inline QString tr(const char *text) { return QCoreApplication::translate("Table", text); }
inline const QString none = QStringLiteral("\u2013"); ///< where there is nothing to show

} // namespace fleetwright::itemmodels
