// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/planners/plannersearch.h"

#include "solver/blocks/splitsearch.h"
#include "solver/models/costmodel.h"
#include "solver/models/searcher/searchermodel.h"
#include "solver/models/strategycalculator/strategycalculatormodel.h"
#include "units/format.h"

#include <algorithm>
#include <array>

namespace fleetwright {

namespace {

constexpr std::string_view searcherId = "searcher";
constexpr std::string_view strategyId = "strategy-calculator";
constexpr std::string_view splitId = "first-order";

std::string splitText(const auto &row)
{
    return "DP " + std::to_string(row.dp) + ", TP " + std::to_string(row.tp) + ", PP " + std::to_string(row.pp);
}

/// The plan's assumptions, or the planner's defaults in the project where the edits belong to another model.
Assumptions assumptionsFor(const Plan &plan, std::string_view planner)
{
    auto assumptions = plan->assumptions;
    if (plan->costModelId != planner)
        assumptions.edited.clear();
    return assumptions;
}

Expected<searcher::Inputs> searcherInputs(const Plan &plan, const planners::Facts &facts)
{
    return searcher::inputsFrom(facts, assumptionsFor(plan, searcherId));
}

Expected<PlannerSearch> runSearcher(
    const Plan &plan, int threads, const searcher::Progress &progress, const std::stop_token &stop)
{
    const auto facts = planners::Facts::create(plan->workload, plan->fleet, plan->training);
    if (!facts)
        return std::unexpected(facts.error());
    const auto inputs = searcherInputs(plan, *facts);
    if (!inputs)
        return std::unexpected(inputs.error());
    auto found = searcher::search(*inputs, threads, progress, stop);
    if (!found)
        return refuse(found.error().code, "fleet", std::move(found.error().message));
    PlannerSearch answer;
    answer.inputs = searcher::nativeInputs(*facts, *inputs);
    answer.rows.reserve(found->rows.size());
    const Flops work = facts->work();
    const double count = facts->accelerators();
    for (const auto &row : found->rows)
        answer.rows.push_back({.tp = int(row.tp),
            .pp = int(row.pp),
            .dp = int(row.dp),
            .best = &row == &found->rows[found->best],
            .why = &row == &found->rows[found->best] ? "The fastest; whether it fits is not known." : "",
            .stepTime = row.total,
            .computeTime = row.compute,
            .dpTime = row.dpTime,
            .tpTime = row.tpTime,
            .ppTime = row.ppTime,
            .mfu = work / (row.total * count * facts->peak.rate)});
    const auto &best = found->rows[found->best];
    answer.recommendation = {"Fastest of " + std::to_string(found->rows.size()) + " splits: " + splitText(best)
            + " with " + units::format(best.total) + " per iteration.",
        "The searcher knows no memory, so this split may not fit; adopt it and price it with a model that does."};
    answer.searcherRows = std::move(found->rows);
    return answer;
}

PlannerSearchRow layoutRow(const strategycalculator::Row &row, const strategycalculator::Inputs &inputs)
{
    PlannerSearchRow layout{.tp = int(row.tp),
        .pp = int(row.pp),
        .dp = int(row.dp),
        .fits = row.fits,
        .memory = row.memory,
        .volume = row.volume,
        .tpVolume = row.tpVolume,
        .ppVolume = row.ppVolume,
        .dpVolume = row.dpVolume,
        .bubble = row.bubble};
    if (!row.fits)
        layout.why = "Needs " + units::format(row.memory) + " where "
            + units::format(inputs.constants.memoryShare * inputs.capacity) + " may be used.";
    if (row.idleAccelerators > 0)
        layout.why += (layout.why.empty() ? "" : " ") + std::to_string(row.idleAccelerators) + " of "
            + std::to_string(inputs.accelerators) + " accelerators stay idle.";
    return layout;
}

/// What the planners that know time would choose, for comparison; empty where they refuse the plan.
std::vector<std::string> timeBasedAnswers(
    const Plan &plan, const planners::Facts &facts, int threads, const std::stop_token &stop)
{
    std::vector<std::string> answers;
    if (const auto inputs = searcherInputs(plan, facts))
        if (const auto found = searcher::search(*inputs, threads, {}, stop))
            answers.push_back("For comparison, by time: the searcher would choose "
                + splitText(found->rows[found->best]) + " (" + units::format(found->rows[found->best].total)
                + ", memory unknown).");
    if (const auto ranking = splitSearch(
            plan->workload, plan->fleet, plan->training, assumptionsFor(plan, splitId), stop);
        ranking && ranking->best())
        answers.push_back("For comparison, by time: the split search of first-order would choose "
            + splitText(*ranking->best()) + " (" + units::format(ranking->best()->stepTime) + ").");
    return answers;
}

Expected<PlannerSearch> runStrategyCalculator(const Plan &plan, int threads, const std::stop_token &stop)
{
    const auto facts = planners::Facts::create(plan->workload, plan->fleet, plan->training);
    if (!facts)
        return std::unexpected(facts.error());
    const auto inputs = strategycalculator::inputsFrom(*facts, assumptionsFor(plan, strategyId));
    if (!inputs)
        return std::unexpected(inputs.error());
    const auto table = strategycalculator::calculate(*inputs);
    if (!table)
        return refuse(table.error().code, table.error().field == "batch" ? "training.global_batch" : "workload",
            table.error().message);
    PlannerSearch answer;
    answer.inputs = strategycalculator::nativeInputs(*facts, *inputs);
    for (const auto &row : table->rows)
        answer.rows.push_back(layoutRow(row, *inputs));
    if (table->recommended) {
        auto &best = answer.rows[*table->recommended];
        best.best = true;
        const auto fitting = std::ranges::count(table->rows, true, &strategycalculator::Row::fits);
        answer.recommendation.push_back("Recommended of the " + std::to_string(fitting) + " splits that fit, of "
            + std::to_string(table->rows.size()) + ": " + splitText(best) + ".");
    }
    answer.recommendation.insert(answer.recommendation.end(), table->reasons.begin(), table->reasons.end());
    for (auto &line : timeBasedAnswers(plan, *facts, threads, stop))
        answer.recommendation.push_back(std::move(line));
    answer.advice = table->expertAdvice;
    if (table->countWarning)
        answer.warnings.push_back(*table->countWarning);
    return answer;
}

std::vector<planners::NativeInput> splitSearchInputs(const Plan &plan)
{
    const auto facts = planners::Facts::create(plan->workload, plan->fleet, plan->training);
    if (!facts)
        return {}; // first-order has a default where the planners have none
    Explanation out;
    facts->explainAccelerators(out);
    facts->explainDomain(out);
    facts->explainPeak(out);
    facts->explainScaleUp(out);
    facts->explainScaleOut(out);
    std::vector<planners::NativeInput> list;
    const auto add = [&](const char *name, const char *key, double factor, const char *unit) {
        list.push_back({name, out.find(key)->value / factor, unit, *out.find(key)});
    };
    add("accelerators", "accelerators", 1, "");
    add("scale-up domain", "domain_size", 1, "");
    add("dense peak", "peak_flops_per_s", 1e12, "TFLOP/s");
    add("scale-up bandwidth", "scale_up_bytes_per_s", 1e9, "GB/s");
    add("fabric bandwidth", "scale_out_bytes_per_s", 1e9, "GB/s");
    return list;
}

Expected<PlannerSearch> runSplitSearch(const Plan &plan, const std::stop_token &stop)
{
    const auto ranking = splitSearch(plan->workload, plan->fleet, plan->training, assumptionsFor(plan, splitId), stop);
    if (!ranking)
        return std::unexpected(ranking.error());
    PlannerSearch answer;
    answer.inputs = splitSearchInputs(plan);
    for (const auto &split : ranking->top)
        answer.rows.push_back({.tp = int(split.tp),
            .pp = int(split.pp),
            .dp = int(split.dp),
            .best = &split == ranking->best(),
            .stepTime = split.stepTime,
            .mfu = split.mfu,
            .microbatches = int(split.microbatches)});
    const std::string counts = std::to_string(ranking->kept) + " of " + std::to_string(ranking->candidates) + " splits";
    if (const auto *best = ranking->best())
        answer.recommendation = {"Best of the " + counts + " that fit: " + splitText(*best) + " with an MFU of "
                + units::formatPercent(best->mfu) + " and " + units::format(best->stepTime) + " per step.",
            "The table holds the best " + std::to_string(ranking->top.size())
                + "; the search overlaps communication, chooses the microbatches itself and ranks by scaling "
                  "efficiency times efficiency. A plan adopted from it has both settings."};
    else
        answer.recommendation = {"No split fits: " + counts + " stay within the memory of an accelerator.",
            "Try more accelerators, accelerators with more memory, a smaller batch or shorter sequences."};
    return answer;
}

} // namespace

const PlannerSearchRow *PlannerSearch::best() const
{
    const auto found = std::ranges::find(rows, true, &PlannerSearchRow::best);
    return found == rows.end() ? nullptr : &*found;
}

std::span<const std::string_view> searchPlanners()
{
    static constexpr std::array planners{splitId, strategyId, searcherId};
    return planners;
}

std::string_view searchPlannerTitle(std::string_view planner)
{
    if (planner == splitId)
        return "Split search (first-order)";
    const auto model = findCostModel(planner);
    return model ? (*model)->title() : planner;
}

std::string_view searchPlannerGap(std::string_view planner)
{
    return planner == searcherId ? "knows no memory" : planner == strategyId ? "knows no time" : "";
}

Expected<PlannerSearch> runPlannerSearch(const Plan &plan, std::string_view planner, int threads,
    const searcher::Progress &progress, const std::stop_token &stop)
{
    if (std::ranges::find(searchPlanners(), planner) == searchPlanners().end())
        return refuse(ErrorCode::UnsupportedValue, "cost_model",
            "The cost model \u201c" + std::string(planner.substr(0, 60))
                + "\u201d has no search; use searcher, strategy-calculator or first-order.");
    auto answer = planner == searcherId ? runSearcher(plan, threads, progress, stop)
        : planner == strategyId         ? runStrategyCalculator(plan, threads, stop)
                                        : runSplitSearch(plan, stop);
    if (stop.stop_requested())
        return refuse(ErrorCode::Cancelled, {}, "The search was cancelled.");
    if (!answer)
        return answer;
    answer->planner = planner;
    answer->title = searchPlannerTitle(planner);
    answer->defaultAssumptions = plan->costModelId != planner;
    return answer;
}

void adopt(const PlannerSearchRow &row, const PlannerSearch &search, PlanDocument &document)
{
    auto &parallelism = document.parallelism;
    parallelism.tp = row.tp;
    parallelism.pp = row.pp;
    parallelism.cp = parallelism.ep = parallelism.virtualStages = 1;
    if (row.microbatches) {
        document.training.microbatchCount = *row.microbatches;
        document.training.microbatchSize = std::nullopt;
    }
    if (search.planner == splitId && document.costModelId == splitId)
        document.assumptions.edited["overlap_comm"] = true;
}

} // namespace fleetwright
