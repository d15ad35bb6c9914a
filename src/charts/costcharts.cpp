// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/costcharts.h"

#include "charts/wording.h"
#include "text/localizedparts.h"
#include "text/utf8.h"
#include "units/format.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

bool isComparable(const costs::CostScore &score, costs::CostKind kind)
{
    return dimensionOf(score.row.kind) == dimensionOf(kind);
}

/// Of axes that hold every such figure.
units::UnitSymbol axisUnit(const costs::CostValidation &validation, costs::CostKind kind)
{
    double largest = 0;
    for (const auto &score : validation.scores)
        if (isComparable(score, kind))
            largest = std::max({largest, score.row.published, score.computed});
    return units::unitFor(largest, dimensionOf(kind));
}

QString costToolTip(const costs::CostScore &score)
{
    const auto &row = score.row;
    return tr("%1\nworksheet %2, published %3\nerror %4")
        .arg(utf8(row.name), localized(costs::costInWords(score.computed, row.kind)),
            localized(costs::costInWords(row.published, row.kind)), localized(costs::errorInWords(score.error())));
}

} // namespace

CostScatter costScatter(const costs::CostValidation &validation, costs::CostKind kind,
    std::optional<costs::CostKind> focus, std::optional<std::size_t> selected)
{
    CostScatter made;
    const auto unit = axisUnit(validation, kind);
    for (const auto of : costs::allCostKinds) {
        ScatterSeries series{.name = localized(title(of)), .points = {}, .faint = focus && *focus != of};
        std::vector<std::size_t> rows;
        for (std::size_t i = 0; i < validation.scores.size(); ++i) {
            const auto &score = validation.scores[i];
            if (score.row.kind != of || !isComparable(score, kind))
                continue;
            if (selected == i)
                made.data.selected = ScatterIndex{made.data.series.size(), series.points.size()};
            series.points.push_back(
                {score.row.published / unit.factor, score.computed / unit.factor, costToolTip(score)});
            rows.push_back(i);
        }
        if (!series.points.empty()) {
            made.data.series.push_back(std::move(series));
            made.rows.push_back(std::move(rows));
        }
    }
    const auto titled = [&](const QString &text) {
        return unit.symbol.empty() ? text : u"%1 [%2]"_s.arg(text, localizedUnit(unit.symbol));
    };
    made.data.name = tr("Worksheet against published");
    made.data.description = tr("What the worksheet says for published figures, against what was published, %1 figures.")
                                .arg(std::ranges::count_if(
                                    validation.scores, [&](const auto &score) { return isComparable(score, kind); }));
    made.data.measuredTitle = titled(tr("Published"));
    made.data.predictedTitle = titled(tr("Worksheet"));
    made.data.equalTitle = tr("as published");
    made.data.emptyText = tr("No figure is scored.");
    return made;
}

} // namespace fleetwright::charts
