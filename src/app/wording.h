// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/localizedparts.h"
#include "text/utf8.h"
#include "units/format.h"

#include <QCoreApplication>
#include <QDateTime>

namespace fleetwright::app {

/// Texts outside the classes of the window, translated.
[[nodiscard]] inline QString tr(const char *text) { return QCoreApplication::translate("app", text); }

template <class Q> [[nodiscard]] QString shown(const Q &quantity) { return localized(units::format(quantity)); }
[[nodiscard]] inline QString percent(double share) { return localized(units::formatPercent(share)); }
[[nodiscard]] inline QString count(double value)
{
    return localizedCount(units::format(value, units::Dimension::Number));
}

/// In the zone of who reads it, as days are written everywhere: "2025-03-01 10:30", in German "01.03.2025 10:30".
[[nodiscard]] inline QString dayAndTime(const QDateTime &moment)
{
    return localized(moment.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm")));
}
/// A recorded time, "2025-03-01T09:30:00Z".
[[nodiscard]] inline QString dayAndTime(const QString &recorded)
{
    return dayAndTime(QDateTime::fromString(recorded, Qt::ISODate));
}

} // namespace fleetwright::app
