// SPDX-License-Identifier: GPL-3.0-or-later
// What a question leaves out that is near it: other batches, other fabrics.
#include "domain/fabricchoice.h"
#include "solver/size/leftoutwords.h"
#include "solver/size/sizewords.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fleetwright::size {

std::optional<DecisionDocument> withBatchesNear(DecisionDocument document)
{
    bool any = false;
    for (auto &job : document.jobs)
        if (!job.leastBatch) {
            const double own = job.training.globalBatch;
            job.leastBatch = int(std::ceil(own * (1 - nearBatchShare)));
            job.mostBatch = int(
                std::min<double>(std::floor(own * (1 + nearBatchShare)), std::numeric_limits<int>::max()));
            any = any || job.leastBatch != job.mostBatch;
        }
    return any ? std::optional(std::move(document)) : std::nullopt;
}

namespace {

/// False where the ranges are that already.
bool narrow(DecisionDocument &asked, const DecisionDocument &document, const Answer &found)
{
    bool isNarrower = false;
    for (std::size_t i = 0; i < std::min(asked.jobs.size(), found.jobs.size()); ++i) {
        auto &job = asked.jobs[i];
        if (document.jobs[i].leastBatch)
            continue;
        const auto [least, most] = std::minmax(document.jobs[i].training.globalBatch, found.jobs[i].globalBatch);
        isNarrower = isNarrower || job.leastBatch != least || job.mostBatch != most;
        job.leastBatch = least;
        job.mostBatch = most;
    }
    return isNarrower;
}

} // namespace

Expected<std::optional<OtherBatch>> otherBatchWithin(DecisionDocument near, const DecisionDocument &document,
    const std::function<Expected<std::optional<Answer>>(const DecisionDocument &)> &best)
{
    OtherBatch other;
    do { // ends: each range is within the one before
        auto found = best(near);
        if (!found)
            return std::unexpected(found.error());
        if (!*found)
            break;
        other.best = std::move(*found);
    } while (narrow(near, document, *other.best));
    return std::optional(std::move(other));
}

std::vector<BatchRange> otherBatches(const DecisionDocument &document, const Result &result)
{
    std::vector<BatchRange> ranges;
    if (!result.otherBatch || !result.otherBatch->best || !isWorthTelling(document, result, *result.otherBatch->best))
        return ranges;
    const auto &jobs = result.otherBatch->best->jobs;
    for (std::size_t i = 0; i < std::min(jobs.size(), document.jobs.size()); ++i) {
        const auto &job = document.jobs[i];
        const int own = job.training.globalBatch, other = jobs[i].globalBatch;
        if (!job.leastBatch && own != other)
            ranges.push_back({.job = i, .least = std::min(own, other), .most = std::max(own, other)});
    }
    return ranges;
}

bool isBatchWorthALine(const DecisionDocument &document, const Result &result)
{
    constexpr double least = 0.05;
    if (otherBatches(document, result).empty())
        return false;
    const auto *best = result.best();
    return !best
        || valueOf(document.objective, result.otherBatch->best->figures)
        <= (1 - least) * valueOf(document.objective, best->figures);
}

std::string leftOutInWords(const DecisionDocument &document, const Result &result)
{
    if (result.counts.useless == 0)
        return {};
    std::vector<std::string> batches;
    for (const auto &job : document.jobs) {
        auto batch = job.leastBatch && job.mostBatch && *job.leastBatch < *job.mostBatch
            ? std::to_string(*job.leastBatch) + " to " + std::to_string(*job.mostBatch)
            : std::to_string(job.training.globalBatch);
        if (std::ranges::find(batches, batch) == batches.end())
            batches.push_back(std::move(batch));
    }
    const bool one = result.counts.useless == 1;
    auto text = units::counted(double(result.counts.useless), "number of nodes is", "numbers of nodes are")
        + " left out: no layout shares a batch of " + listed(batches) + " evenly among "
        + (one ? "it, or no network reaches it." : "them, or no network reaches them.");
    if (result.otherBatch && !result.otherBatch->best)
        text += " No batch within " + units::formatPercent(nearBatchShare) + " of it would let in a better fleet.";
    return text;
}

std::string fabricsInWords(const DecisionDocument &document, const Catalog &catalog, const Result &result)
{
    const auto *first = result.answers.empty() ? nullptr : &result.answers.front().answer;
    const auto *lot = first ? &result.lots[first->lot] : nullptr;
    const auto *node = lot ? catalog.find(CatalogKind::Node, lot->nodeId) : nullptr;
    if (!node || !document.candidates.fabrics.empty() || !lot->label.empty() || lot->ownedNodes > 0)
        return {};
    std::vector<std::string> looked, slower;
    std::size_t others = 0;
    for (const auto &id : fabricsOf(*node, catalog))
        if (const auto *fabric = catalog.find(CatalogKind::Fabric, id))
            looked.push_back(fabric->name);
    for (const auto &fabric : catalog.records(CatalogKind::Fabric)) {
        if (fabric.text("scope") != "scale_out")
            continue;
        const auto misfit = fabricMisfit(*node, fabric, catalog);
        if (misfit == FabricMisfit::Ports)
            slower.push_back(fabric.name + ": " + whyNotLookedAt(*node, fabric, catalog));
        else if (misfit != FabricMisfit::None)
            ++others;
    }
    if (looked.empty() || (slower.empty() && others == 0))
        return {};
    auto text = node->name + " was looked at on " + listed(looked) + ".";
    text += " Other fabrics are left out unless they are ticked under Change, Fabrics.";
    if (slower.empty()) {
        for (const auto &fabric : catalog.records(CatalogKind::Fabric))
            if (const auto misfit = fabricMisfit(*node, fabric, catalog); misfit == FabricMisfit::OfProvider
                || misfit == FabricMisfit::OwnNetwork || misfit == FabricMisfit::Unstated)
                return text + " Why: " + whyNotLookedAt(*node, fabric, catalog) + ".";
    }
    for (const auto &why : slower)
        text += " " + why + ".";
    if (others > 0)
        text += " " + units::counted(double(others), "other is", "others are")
            + " of another kind, not sold, or without a switch in the catalog.";
    return text;
}

} // namespace fleetwright::size
