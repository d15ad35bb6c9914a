// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/solve.h"
#include "text/figuretext.h"
#include "units/format.h"

#include <QCoreApplication>
#include <QString>

#include <optional>
#include <string_view>

/// How reports turn values into words; shared by the files that build the document.
namespace fleetwright::reports {

[[nodiscard]] inline QString tr(const char *text) { return QCoreApplication::translate("reports", text); }

/// A figure that a model does not produce.
[[nodiscard]] inline QString absent() { return QStringLiteral("–"); }

template <class Q> [[nodiscard]] QString amount(const Q &quantity) { return utf8(units::format(quantity)); }
template <class Q> [[nodiscard]] QString amount(const std::optional<Q> &quantity)
{
    return quantity ? amount(*quantity) : absent();
}
[[nodiscard]] inline QString amount(double value, units::Dimension dimension)
{
    return utf8(units::format(value, dimension));
}
[[nodiscard]] inline QString amount(const std::optional<double> &value, units::Dimension dimension)
{
    return value ? amount(*value, dimension) : absent();
}

[[nodiscard]] inline QString feasibilityText(const Solution &solution)
{
    const auto known = feasibility(solution);
    return !known ? tr("not known") : *known ? tr("yes") : tr("no");
}
[[nodiscard]] inline QString yesNo(bool yes) { return yes ? tr("yes") : tr("no"); }

} // namespace fleetwright::reports
