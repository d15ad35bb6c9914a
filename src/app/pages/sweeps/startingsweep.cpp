// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/sweeps/startingsweep.h"

#include "app/pages/plan/planrows.h"
#include "app/pages/sweeps/axistext.h"
#include "app/workspace/workspace.h"
#include "solver/answer/solve.h"

#include <QCoreApplication>

#include <limits>

namespace fleetwright::app {

namespace {

struct Start {
    PlanDocument plan;
    bool hasCost = false; ///< its answer knows what the run costs
};

Start startOf(const Workspace &workspace)
{
    const auto &plans = workspace.plans();
    if (plans.empty())
        return {.plan = startingPlan(*workspace.catalog())};
    Start best{.plan = plans.front().document};
    double least = std::numeric_limits<double>::infinity();
    for (const auto &plan : plans) {
        const auto kept = workspace.result(plan.id);
        if (!kept || planLine(plan, kept, *workspace.catalog()).stale)
            continue;
        const auto answer = kept->estimate();
        const auto cost = answer.figure("run_cost_usd");
        if (&plan == &plans.front())
            best.hasCost = cost.has_value();
        if (answer.feasible.value_or(false) && cost && *cost < least) {
            best = {.plan = plan.document, .hasCost = true};
            least = *cost;
        }
    }
    return best;
}

/// The plan's own and others of its family that can be bought, slowest first; one alone where there is no other.
std::vector<std::string> fabricsLikeThat(const PlanDocument &plan, const Catalog &catalog)
{
    const auto *id = std::get_if<std::string>(&plan.fleet.fabric);
    const auto *own = id ? catalog.find(CatalogKind::Fabric, *id) : nullptr;
    std::vector<std::string> fabrics;
    if (own)
        for (const auto *record : offeredItems(catalog, CatalogKind::Fabric))
            if (record == own
                || (record->text("family") == own->text("family") && record->text("status") == "shipping"))
                fabrics.push_back(record->id);
    return fabrics;
}

/// Whether the plan has an answer with the value; a search of its layout is left to the sweep. Limits refuse nothing,
/// and those on money draw: the window does not wait for that.
bool isAnswered(const SweepPoint &point, const PlanDocument &plan, const Catalog &catalog)
{
    const auto changed = apply(point.settings, plan, catalog);
    if (!changed || plan.bestLayout)
        return changed.has_value();
    auto facts = **changed;
    facts.constraints = {};
    const auto free = Plan::create(std::move(facts));
    return free && solve(*free);
}

/// Without the values that would be refused; all of them where less than two would be left.
SweepAxis answered(SweepAxis axis, const PlanDocument &plan, const Catalog &catalog)
{
    auto kept = axis;
    std::erase_if(kept.points, [&](const SweepPoint &point) { return !isAnswered(point, plan, catalog); });
    return kept.points.size() > 1 ? kept : axis;
}

SweepAxis wantedAxis(const PlanDocument &plan, const Catalog &catalog)
{
    if (!plan.bestLayout)
        return axisOf("training.microbatch_count", {1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0});
    const auto &limits = plan.constraints;
    const auto fabrics = fabricsLikeThat(plan, catalog);
    if ((limits.deadline || limits.facilityPower || limits.capital) && fabrics.size() > 1)
        return axisOf("fleet.fabric", {fabrics.begin(), fabrics.end()});
    const double nodes = plan.fleet.nodes;
    return axisOf("fleet.nodes", {nodes, 2 * nodes, 4 * nodes, 8 * nodes});
}

SweepAxis firstAxis(const PlanDocument &plan, const Catalog &catalog)
{
    constexpr std::size_t most = 6; // points
    auto axis = answered(wantedAxis(plan, catalog), plan, catalog);
    if (!numbersOf(axis).empty() && axis.points.size() > most)
        axis.points.resize(most);
    return axis;
}

} // namespace

SweepDocument startingSweep(const Workspace &workspace)
{
    const auto start = startOf(workspace);
    SweepDocument document;
    document.name = QCoreApplication::translate("SweepsPage", "New sweep").toStdString();
    document.plan = start.plan;
    document.axes = {firstAxis(start.plan, *workspace.catalog())};
    document.figure = start.hasCost ? "run_cost_usd" : "mfu";
    if (numbersOf(document.axes[0]).empty())
        document.view = SweepView::Bars;
    return document;
}

} // namespace fleetwright::app
