// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/utf8.h"
#include "units/format.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

namespace fleetwright::app {

/// Texts outside the classes of the window, translated.
[[nodiscard]] inline QString tr(const char *text) { return QCoreApplication::translate("app", text); }

template <class Q> [[nodiscard]] QString shown(const Q &quantity) { return utf8(units::format(quantity)); }
[[nodiscard]] inline QString percent(double share) { return utf8(units::formatPercent(share)); }
[[nodiscard]] inline QString count(double value) { return utf8(units::format(value, units::Dimension::Number)); }

/// A recorded time ("2025-03-01T09:30:00Z") as people here write it, in their own zone.
[[nodiscard]] inline QString dayAndTime(const QString &recorded)
{
    return QLocale().toString(QDateTime::fromString(recorded, Qt::ISODate).toLocalTime(), QLocale::ShortFormat);
}

} // namespace fleetwright::app
