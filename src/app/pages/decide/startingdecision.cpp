// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/decide/startingdecision.h"

#include "app/pages/plan/planrows.h"
#include "app/wording.h"
#include "solver/models/costmodel.h"
#include "solver/size/sizewords.h"
#include "text/catalogtexts.h"
#include "text/localized.h"

#include <cmath>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

DecisionDocument startingDecision(const Catalog &catalog)
{
    constexpr double tokens = 15e12, days = 30;
    constexpr int batch = 2048, sequence = 8192;
    DecisionDocument document;
    document.name = tr("New decision").toStdString();
    const auto plan = startingPlan(catalog);
    DecisionJob job{.workload = plan.workload, .tokens = tokens};
    job.training.globalBatch = batch;
    job.training.sequenceLength = sequence;
    document.jobs.push_back(std::move(job));
    for (const char *node :
        {"nvidia_dgx_h100", "nvidia_dgx_h200", "nvidia_dgx_b200", "nvidia_gb200_nvl72", "amd_mi300x_8gpu"})
        if (catalog.find(CatalogKind::Node, node))
            document.candidates.nodes.emplace_back(node);
    document.candidates.paying = {DecisionPaying{}, DecisionPaying{Paying::Rent, RentTerm::OnDemand}};
    document.limits.plan.deadline = Seconds::from_value(days * 86400);
    document.costModelId = plan.costModelId;
    return document;
}

QString questionInWords(const DecisionDocument &document, const Catalog &catalog)
{
    QStringList jobs, limits, paying, terms;
    for (const auto &job : document.jobs) {
        auto text = job.name.empty() ? utf8(nameOf(job.workload, CatalogKind::Workload, catalog)) : utf8(job.name);
        if (job.tokens)
            text += tr(", %1 tokens").arg(count(*job.tokens));
        if (job.share && document.baseCase)
            text += tr(", %1 of what %2 \u00d7 %3 train in a year")
                        .arg(percent(*job.share), count(document.baseCase->nodes),
                            nameInWords(document.baseCase->node, CatalogKind::Node, catalog));
        if (job.leastBatch && job.mostBatch)
            text += tr(", batch %1 to %2").arg(count(*job.leastBatch), count(*job.mostBatch));
        jobs << text;
    }
    for (const auto &stated : size::statedLimits(document))
        limits << localized(size::statedInWords(stated));
    for (const auto &way : document.candidates.paying)
        if (way.paying == Paying::Rent)
            terms << localized(words(way.rentTerm));
        else
            paying << localized(words(way));
    if (terms.size() == 1)
        paying << tr("rented, %1").arg(terms.front());
    else if (terms.size() > 1)
        paying << tr("rented (%1)").arg(terms.join(tr(" or ")));
    const auto &candidates = document.candidates;
    QStringList parts{jobs.join(u" + "_s), limits.isEmpty() ? tr("no limits") : limits.join(u", "_s)};
    parts << (candidates.nodes.empty()
                     ? tr("every node")
                     : (candidates.nodes.size() == 1 ? nameInWords(candidates.nodes.front(), CatalogKind::Node, catalog)
                                                     : tr("%1 kinds of nodes").arg(candidates.nodes.size())))
            + tr(", %1 to %2 of each").arg(count(candidates.leastNodes), count(candidates.mostNodes));
    parts << (paying.isEmpty() ? localized(words(DecisionPaying{})) : paying.join(tr(" or ")));
    parts << tr("least %1").arg(localized(words(document.objective)));
    return parts.join(u"  \u00b7  "_s);
}

LedgerEntry ledgerEntryOn(
    const DecisionDocument &document, const size::Result &result, const size::LotAnswer &fleet, std::string when)
{
    const auto &answer = fleet.answer;
    LedgerEntry entry{.when = std::move(when)};
    entry.context = LedgerContext::FromDecision;
    entry.title = document.name + ": " + size::fleetInWords(result, answer);
    entry.accelerators = answer.accelerators;
    entry.memoryFeasible = !answer.jobs.empty();
    if (!answer.jobs.empty()) {
        const auto &job = answer.jobs.front();
        entry.tp = job.layout.tp;
        entry.pp = job.layout.pp;
        entry.dp = job.layout.dp;
        if (const double mfu = job.likelyMfu(); std::isfinite(mfu) && mfu >= 0 && mfu <= 1)
            entry.mfu = mfu;
    }
    if (!answer.isFeasible())
        entry.constraintHit = size::missInWords(answer.misses.front());
    entry.prediction = size::valueInWords(size::SizeLimit::Deadline, answer.figures.days) + ", "
        + size::valueInWords(size::SizeLimit::RunCost, answer.figures.runCostUsd) + " for the run";
    return entry;
}

} // namespace fleetwright::app
