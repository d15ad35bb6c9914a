// SPDX-License-Identifier: GPL-3.0-or-later
// Where no fleet keeps the limits: what comes closest, and which limit moved would let one in.
#include "solver/size/hardwaresizing.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::size {

namespace {

/// Whether an answer breaks this limit and no other; a later deadline raises the chance to meet it too, where one is
/// known.
bool breaksOnly(const Answer &answer, SizeLimit limit)
{
    return !answer.isFeasible() && std::ranges::all_of(answer.misses, [&](const Miss &miss) {
        return miss.limit == limit
            || (limit == SizeLimit::Deadline && miss.limit == SizeLimit::Chance && !std::isnan(miss.needed));
    });
}

} // namespace

void HardwareSizing::giveDrawnNeed(const FleetJudge &judge, const Answer &answer, Remedy &remedy) const
{
    const bool isOfTheRun = remedy.limit == SizeLimit::Chance || remedy.limit == SizeLimit::Deadline;
    const auto drawn = m_sizing.drawnDays && isOfTheRun ? m_sizing.drawnDays(answer) : std::nullopt;
    if (!drawn)
        return;
    remedy.figures.deadlineChance = drawn->chanceOf(*judge.deadlineDays());
    remedy.needed = remedy.limit == SizeLimit::Chance
        ? remedy.figures.deadlineChance
        : std::max(answer.figures.days, drawn->daysFor(*judge.allowed(SizeLimit::Chance)));
}

bool HardwareSizing::findNearest(Open &open)
{
    const auto &judge = m_sizing.judge;
    struct Look {
        std::size_t count = 0;
        std::vector<Miss> fixed; ///< whatever the layout
        double leastExcess = 1;
        std::optional<Answer> answer;
    };
    std::vector<Look> looks;
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
        Look look{.count = i, .answer = std::nullopt};
        const auto &prices = pricesOf(open, m_counts[i]);
        look.fixed = judge.misses(prices.at(0));
        look.leastExcess = FleetJudge::excess(judge.misses(prices.at(m_counts[i].leastSeconds)));
        looks.push_back(std::move(look));
    }
    /// As fast as it can; without jobs where no layout fits the memory.
    const auto answerAt = [&](Look &look) -> const Answer & {
        if (!look.answer) {
            const auto &count = m_counts[look.count];
            const auto &found = searchTo(look.count, never);
            look.answer = answerOf(judge, open, count, found, 0);
            if (look.answer->jobs.empty()) {
                const auto &limits = m_sizing.space.jobs[found.without].constraints;
                look.answer->figures = pricesOf(open, count).at(never);
                look.answer->misses = look.fixed;
                if (!std::isnan(found.mostMfu) && limits.minMfu && found.mostMfu < *limits.minMfu)
                    look.answer->misses.push_back(
                        {.limit = SizeLimit::Mfu, .needed = found.mostMfu, .allowed = *limits.minMfu});
                else
                    look.answer->misses.insert(look.answer->misses.begin(),
                        {.limit = SizeLimit::Layout,
                            .needed = found.leastMemoryBytes,
                            .allowed = *limits.maxMemoryShare
                                * (*open.fleet)->node->accelerator->memoryCapacity.value()});
            }
        }
        return *look.answer;
    };
    struct Near {
        double excess = never, objective = never;
        const Answer *answer = nullptr;
    };
    std::vector<Near> near;
    double leastExcess = never;
    std::ranges::stable_sort(looks, {}, &Look::leastExcess);
    for (auto &look : looks) {
        if (m_sizing.control.stop.stop_requested())
            return false;
        if (m_sizing.control.pruning && !near.empty() && look.leastExcess > leastExcess * (1 + alikeMissShare))
            break;
        const auto &answer = answerAt(look);
        if (answer.jobs.empty() && std::isinf(answer.misses.front().needed)) { // no layout is legal
            ++m_useless;
            continue;
        }
        // A fleet that runs the jobs says more than one that does not.
        const bool runs = !answer.jobs.empty();
        const double value = runs ? judge.objectiveOf(answer.figures) : never;
        near.push_back({.excess = runs ? FleetJudge::excess(answer.misses) : std::numeric_limits<double>::max(),
            .objective = std::isnan(value) ? never : value,
            .answer = &answer});
        leastExcess = std::min(leastExcess, near.back().excess);
    }
    if (near.empty()) {
        const auto &lot = m_sizing.space.lots[open.lot];
        m_refused.push_back({lot.label.empty() ? lot.node + ", " + lot.fabric : lot.label,
            Error{ErrorCode::InfeasibleParallelism, "candidates.counts",
                "No number of its nodes gives the jobs a layout; widen the numbers of nodes or the batches."}});
        return true;
    }
    std::erase_if(near, [&](const Near &one) { return one.excess > leastExcess * (1 + alikeMissShare); });
    LotAnswer nearest{.answer = *std::ranges::min_element(near, {},
                          [](const Near &one) {
                              return std::pair(one.objective, one.excess);
                          })->answer,
        .remedies = {}};
    for (std::size_t i = 0; i < sizeLimitCount; ++i) {
        const auto limit = static_cast<SizeLimit>(i);
        if (!judge.allowed(limit) || limit == SizeLimit::Mfu)
            continue;
        std::optional<Remedy> best;
        const Answer *ofBest = nullptr;
        const double sign = isLeast(limit) ? -1 : 1; // the least exceeding
        std::vector<std::pair<double, Look *>> order;
        for (auto &look : looks) {
            const bool onlyIt = std::ranges::all_of(
                look.fixed, [limit](const Miss &miss) { return miss.limit == limit; });
            const auto &prices = pricesOf(open, m_counts[look.count]);
            if (onlyIt && m_counts[look.count].leastSeconds <= judge.mostSeconds(prices, limit) * (1 + roundingShare))
                order.emplace_back(limit == SizeLimit::Chance
                        ? -1
                        : sign * FleetJudge::figureOf(limit, prices.at(m_counts[look.count].leastSeconds)),
                    &look);
        }
        std::ranges::stable_sort(order, {}, [](const auto &pair) { return pair.first; });
        for (const auto &[bound, look] : order) {
            if (m_sizing.control.stop.stop_requested())
                return false;
            if (m_sizing.control.pruning && best && bound >= sign * best->needed && limit != SizeLimit::Chance)
                break;
            const auto &answer = answerAt(*look);
            if (answer.jobs.empty() || !breaksOnly(answer, limit))
                continue;
            double needed = FleetJudge::figureOf(limit, answer.figures);
            if (limit == SizeLimit::Deadline && judge.asksForChance()) // late enough for the chance as well
                if (const auto spread = spreadOf(judge, open, answer, answer.figures.days))
                    needed = std::max(needed, spread->daysFor(*judge.allowed(SizeLimit::Chance)));
            if (!std::isfinite(needed))
                continue;
            if (best && sign * needed >= sign * best->needed)
                continue;
            ofBest = &answer;
            best = Remedy{.limit = limit,
                .needed = needed,
                .lot = open.lot,
                .nodes = answer.nodes,
                .objective = judge.objectiveOf(answer.figures),
                .figures = answer.figures};
        }
        if (best) {
            giveDrawnNeed(judge, *ofBest, *best);
            nearest.remedies.push_back(*best);
        }
    }
    m_answers.push_back({open.lot, std::move(nearest)});
    return true;
}

} // namespace fleetwright::size
