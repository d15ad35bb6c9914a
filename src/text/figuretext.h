// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/comparison.h"
#include "solver/answer/comparisontext.h"
#include "solver/answer/figures.h"
#include "text/localized.h"
#include "text/utf8.h"

/// The texts of the table of figures as windows, charts and reports show them.
namespace fleetwright {

[[nodiscard]] inline QString labelOf(const Figure &figure) { return localized(figure.label); }
/// For columns, legends and narrow places.
[[nodiscard]] inline QString shortLabelOf(const Figure &figure) { return localized(narrowLabel(figure)); }
[[nodiscard]] inline QString helpOf(const Figure &figure) { return localized(figure.help); }

/// "Step time [s]"
[[nodiscard]] inline QString titleWithUnit(const QString &label, const units::UnitSymbol &unit)
{
    return localized(titleWithUnit(label.toStdString(), unit.symbol));
}

/// The figure that a page names; feasibleFigure() too. There must be one.
[[nodiscard]] inline const Figure &figureNamed(std::string_view key)
{
    const auto *figure = key == feasibleFigure().key ? &feasibleFigure() : findFigure(key);
    Q_ASSERT_X(figure, "figureNamed", "no such figure");
    return *figure;
}

/// columnTitle() and columnHead(), in which names of plans stay.
[[nodiscard]] inline QString titleOfColumn(const Comparison &comparison, std::size_t column)
{
    const auto &of = comparison.columns.at(column);
    if (comparison.plans.size() == 1)
        return localized(of.modelTitle);
    const bool oneModel = comparison.columns.size() == comparison.plans.size();
    return oneModel ? utf8(of.planName) : utf8(of.planName) + QStringLiteral(", ") + localized(of.modelTitle);
}
[[nodiscard]] inline QString headOfColumn(const Comparison &comparison, std::size_t column)
{
    auto lines = utf8(columnHead(comparison, column)).split(u'\n');
    for (qsizetype i = comparison.plans.size() > 1 ? 1 : 0; i < lines.size(); ++i)
        lines[i] = localized(lines[i]);
    return lines.join(u'\n');
}

} // namespace fleetwright
