// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/search/layoutsearchplans.h"

#include "app/pages/plan/layoutname.h"
#include "app/wording.h"
#include "solver/models/costmodel.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "units/format.h"

#include <QCoreApplication>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

Expected<PlanDocument> planOf(
    const LayoutSearchDocument &searched, const layoutsearch::Row &row, const Catalog &catalog)
{
    auto document = searched.plan;
    if (!searched.costModelId.empty() && searched.costModelId != document.costModelId) {
        const auto model = findCostModel(searched.costModelId);
        if (!model)
            return std::unexpected(model.error());
        std::vector<std::string> ignored;
        document.assumptions = understoodBy(**model, document.assumptions, ignored);
        document.costModelId = searched.costModelId;
    }
    if (searched.cases) {
        auto applied = applySettings(
            searched.cases->points.at(std::size_t(row.caseIndex)).settings, std::move(document), catalog);
        if (!applied)
            return std::unexpected(applied.error());
        if (applied->accelerator)
            return refuse(ErrorCode::UnsupportedValue, "fleet.node.accelerator",
                tr("This case changes the accelerator itself, which a plan cannot hold. Duplicate “%1” in the "
                   "accelerators catalog, change it there, and use it in a node of your own.")
                    .arg(utf8(applied->accelerator->name))
                    .toStdString());
        document = std::move(applied->document);
    }
    fleetwright::adopt(row.layout, document);
    return document;
}

QString planName(const LayoutSearchDocument &searched, const layoutsearch::Row &row,
    const layoutsearch::CaseFacts &facts, const Catalog &catalog)
{
    const auto layout = localized(inWords(splitOf(row.layout)));
    if (facts.label.empty())
        return nameWithLayout(utf8(searched.plan.name), layout);
    // A case changes what the plan's name speaks of, too.
    return nameWithLayout(
        utf8(nameOf(searched.plan.workload, CatalogKind::Workload, catalog)) + u", "_s + localized(facts.label),
        layout);
}

QString progressText(const layoutsearch::Snapshot &snapshot, double seconds)
{
    const auto count = [](double number) { return localized(units::format(number, units::Dimension::Number)); };
    QStringList parts{tr("%1 layouts looked at").arg(count(double(snapshot.examined)))};
    if (seconds > 0)
        parts << tr("%1 per second").arg(count(double(snapshot.examined) / seconds));
    if (const auto *best = snapshot.partial->best()) {
        const double value = layoutsearch::valueOf(
            snapshot.partial->objective, *best, snapshot.partial->factsOf(*best));
        parts << tr("best so far %1: %2 %3")
                     .arg(localized(inWords(best->layout)),
                         withinSentence(localized(titleOf(snapshot.partial->objective))),
                         localized(units::format(value, dimensionOf(snapshot.partial->objective))));
    } else {
        parts << tr("nothing feasible so far");
    }
    return parts.join(u"; "_s);
}

} // namespace fleetwright::app
