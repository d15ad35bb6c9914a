// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/layoutsearchtexts.h"

#include "charts/wording.h"
#include "text/localized.h"
#include "units/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

QString searchValueText(LayoutSearchObjective objective, double value)
{
    const auto text = localized(units::format(value, dimensionOf(objective)));
    return objective == LayoutSearchObjective::TokensPerSecond ? tr("%1 per s").arg(text) : text;
}

QString searchValueText(ParetoAxis axis, double value)
{
    if (axis == ParetoAxis::Accelerators || axis == ParetoAxis::GlobalBatch)
        return wholeNumber(std::uint64_t(value));
    return localized(units::format(value, dimensionOf(axis)));
}

QString wholeNumber(std::uint64_t count)
{
    auto digits = QString::number(count);
    for (auto place = digits.size() - 3; place > 0; place -= 3)
        digits.insert(place, QChar(u'\u202f')); // narrow no-break space, as units::format
    return digits;
}

QString searchRowText(const layoutsearch::Row &row, const layoutsearch::Result &result)
{
    const auto &facts = result.factsOf(row);
    QStringList lines;
    if (result.cases.size() > 1)
        lines << localized(facts.label);
    lines << localized(inWords(splitOf(row.layout))) << localized(settingsInWords(row.layout));
    if (std::isfinite(row.stepSeconds))
        lines << tr("step time %1").arg(searchValueText(LayoutSearchObjective::StepTime, row.stepSeconds));
    if (const double rate = layoutsearch::valueOf(LayoutSearchObjective::TokensPerSecond, row, facts);
        std::isfinite(rate))
        lines << tr("tokens %1").arg(searchValueText(LayoutSearchObjective::TokensPerSecond, rate));
    if (std::isfinite(row.mfu))
        lines << tr("MFU %1").arg(searchValueText(LayoutSearchObjective::Mfu, row.mfu));
    if (std::isfinite(row.memoryBytes))
        lines << tr("memory %1 of %2")
                     .arg(searchValueText(ParetoAxis::Memory, row.memoryBytes),
                         searchValueText(ParetoAxis::Memory, facts.capacityBytes));
    if (const double cost = layoutsearch::valueOf(ParetoAxis::CostPerToken, row, facts); std::isfinite(cost))
        lines << tr("%1 per million tokens").arg(searchValueText(ParetoAxis::CostPerToken, cost));
    return lines.join(u'\n');
}

} // namespace fleetwright::charts
