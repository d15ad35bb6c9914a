// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/planrows.h"

#include "app/wording.h"
#include "exchange/plandocuments.h"
#include "solver/models/costmodel.h"
#include "text/catalogtexts.h"
#include "units/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace fleetwright::app {

namespace {

/// The id if the catalog has it, else the first record of the kind that `usable` accepts.
template <class Usable>
std::string idOrFirst(const Catalog &catalog, CatalogKind kind, const std::string &id, Usable usable)
{
    if (const auto *wanted = catalog.find(kind, id); wanted && usable(*wanted))
        return id;
    const auto records = catalog.records(kind);
    const auto first = std::ranges::find_if(records, usable);
    return first == records.end() ? std::string() : first->id;
}

} // namespace

QString fleetText(const FleetDocument &fleet, const Catalog &catalog)
{
    return QObject::tr("%1 \u00d7 %2, %3")
        .arg(fleet.nodes)
        .arg(QString::fromStdString(nameOf(fleet.node, CatalogKind::Node, catalog)),
            nameInWords(fleet.fabric, CatalogKind::Fabric, catalog));
}

QString layoutText(const PlanDocument &document, const std::optional<storage::SavedResult> &result)
{
    if (!document.bestLayout)
        return layoutText(document.parallelism);
    if (!result)
        return tr("best");
    const auto estimate = result->estimate();
    const auto degree = [&](std::string_view key) {
        return int(estimate.figure("parallelism." + std::string(key)).value_or(1));
    };
    return layoutText({.tp = degree("tp"),
        .pp = degree("pp"),
        .cp = degree("cp"),
        .ep = degree("ep"),
        .virtualStages = degree("virtual_stages"),
        .zeroStage = int(estimate.figure("parallelism.zero_stage").value_or(0))});
}

QString layoutText(const Parallelism &parallelism)
{
    QStringList parts;
    const auto add = [&](const char *name, int ranks) {
        if (ranks > 1)
            parts << QString::fromLatin1(name) + u' ' + QString::number(ranks);
    };
    add("TP", parallelism.tp);
    add("PP", parallelism.pp);
    add("CP", parallelism.cp);
    add("EP", parallelism.ep);
    add("VP", parallelism.virtualStages);
    if (parallelism.zeroStage > 0)
        parts << QStringLiteral("ZeRO ") + QString::number(parallelism.zeroStage);
    return parts.isEmpty() ? tr("DP only") : parts.join(QStringLiteral(", "));
}

PlanLine planLine(
    const storage::SavedPlan &plan, const std::optional<storage::SavedResult> &result, const Catalog &catalog)
{
    const auto &document = plan.document;
    PlanLine line;
    line.toolTip = QString::fromStdString(document.name) + u'\n'
        + tr("%1 on %2 \u00d7 %3")
              .arg(QString::fromStdString(nameOf(document.workload, CatalogKind::Workload, catalog)),
                  localized(units::format(document.fleet.nodes, units::Dimension::Number)),
                  QString::fromStdString(nameOf(document.fleet.node, CatalogKind::Node, catalog)))
        + u'\n' + layoutText(document, result);
    const auto resolved = resolve(document, catalog);
    if (!resolved)
        line.toolTip += u'\n' + localized(resolved.error().message);
    if (result) {
        line.stale = !resolved || result->inputHash.toStdString() != exchange::inputHash(document, *resolved);
        line.toolTip += u'\n'
            + (line.stale ? tr("The answer of %1 belongs to other inputs; open the plan to solve it again.")
                          : tr("Answer of %1."))
                  .arg(result->solvedAt);
    }
    return line;
}

FleetDocument startingFleet(const Catalog &catalog)
{
    FleetDocument fleet;
    fleet.name = tr("New fleet").toStdString();
    fleet.nodes = 32;
    fleet.fabric = idOrFirst(
        catalog, CatalogKind::Fabric, "ib_ndr", [](const CatalogRecord &r) { return fabricFrom(r).has_value(); });
    fleet.node = idOrFirst(catalog, CatalogKind::Node, "nvidia_dgx_h100", [&](const CatalogRecord &r) {
        FleetDocument candidate = fleet;
        candidate.node = r.id;
        return resolve(candidate, catalog).has_value();
    });
    return fleet;
}

PlanDocument startingPlan(const Catalog &catalog)
{
    PlanDocument plan;
    plan.name = tr("New plan").toStdString();
    plan.fleet = startingFleet(catalog);
    plan.fleet.name.clear();
    plan.workload = idOrFirst(catalog, CatalogKind::Workload, "llama3_1_70b",
        [](const CatalogRecord &r) { return workloadFrom(r).has_value(); });
    plan.training.globalBatch = 256;
    if (!costModels().empty())
        plan.costModelId = std::string(costModels().front()->id());
    return withBestLayout(std::move(plan));
}

} // namespace fleetwright::app
