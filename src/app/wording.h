// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/utf8.h"
#include "units/format.h"

#include <QCoreApplication>

namespace fleetwright::app {

/// Texts outside the classes of the window, translated.
[[nodiscard]] inline QString tr(const char *text) { return QCoreApplication::translate("app", text); }

template <class Q> [[nodiscard]] QString shown(const Q &quantity) { return utf8(units::format(quantity)); }
[[nodiscard]] inline QString percent(double share) { return utf8(units::formatPercent(share)); }
[[nodiscard]] inline QString count(double value) { return utf8(units::format(value, units::Dimension::Number)); }

} // namespace fleetwright::app
