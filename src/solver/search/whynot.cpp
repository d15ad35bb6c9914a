// SPDX-License-Identifier: GPL-3.0-or-later
// One layout against another, and one setting against its other values.
#include "solver/search/layoutsearchwords.h"

#include "solver/answer/layoutrules.h"
#include "solver/answer/limits.h"
#include "solver/search/recommendation.h"
#include "solver/search/verdict.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::layoutsearch {

namespace {

/// The rule with this case's numbers.
std::string ruleOf(Exclusion reason, const Layout &layout, const Plan &plan)
{
    auto facts = *plan;
    facts.training = trainingOf(layout, facts.training);
    const auto asked = Plan::create(std::move(facts));
    return asked ? describe(reason, layout, *asked).sentence : std::string(sentence(reason));
}

struct Priced {
    Estimate estimate;
    StepBreakdown breakdown;
};

Expected<Priced> priceOf(const CostModel &model, const Plan &plan, const Layout &layout)
{
    const auto evaluator = model.prepare(
        plan->workload, plan->fleet, trainingOf(layout, plan->training), plan->assumptions);
    if (!evaluator)
        return std::unexpected(evaluator.error());
    const auto estimate = (*evaluator)->evaluate(parallelismOf(layout));
    if (!estimate)
        return std::unexpected(estimate.error());
    Expected<Priced> priced;
    priced->estimate = *estimate;
    if (estimate->stepTime)
        priced->breakdown = (*evaluator)->breakdown(*estimate);
    return priced;
}

struct Part {
    std::string_view name;
    double difference; ///< chosen minus best
};

std::string listed(const std::vector<std::string> &items)
{
    std::string list;
    for (std::size_t i = 0; i < items.size(); ++i)
        list += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
    return list;
}

/// "It loses 1.2 s in the pipeline bubble and 0.3 s in TP communication, and gains 0.4 s in compute."
void addDifferences(std::vector<Part> parts, double least, std::vector<std::string> &lines, std::string (*unit)(double),
    const char *worse, const char *better)
{
    std::ranges::stable_sort(parts, std::greater(), [](const Part &part) { return std::abs(part.difference); });
    std::vector<std::string> losses, gains;
    for (const auto &part : parts)
        if (std::abs(part.difference) >= least)
            (part.difference > 0 ? losses : gains)
                .push_back(unit(std::abs(part.difference)) + " " + std::string(part.name));
    if (losses.empty() && gains.empty())
        return;
    lines.push_back("It " + (losses.empty() ? std::string() : worse + listed(losses))
        + (losses.empty() || gains.empty() ? "" : ", and ") + (gains.empty() ? std::string() : better + listed(gains))
        + ".");
}

std::string itself(Against against, const std::string &layout)
{
    switch (against) {
    case Against::Best: return "It is the best: " + layout + ".";
    case Against::Recommended: return "It is the recommended one: " + layout + ".";
    case Against::Another: return "It is the one above: " + layout + ".";
    }
    return {};
}

std::string nameOf(Against against)
{
    switch (against) {
    case Against::Best: return "the best";
    case Against::Recommended: return "the recommended one";
    case Against::Another: return "the one above";
    }
    return {};
}

void addTime(const Priced &chosen, const Priced &best, const std::string &name, std::vector<std::string> &lines)
{
    const double mine = chosen.estimate.stepTime->value(), its = best.estimate.stepTime->value();
    const double ratio = mine / its - 1;
    constexpr double same = 5e-4;
    lines.push_back("Its step takes " + units::format(Seconds::from_value(mine))
        + (std::abs(ratio) < same ? ", as long as " + name + " ("
                                  : ", " + units::formatPercent(std::abs(ratio))
                    + (ratio > 0 ? " longer than " : " less than ") + name + " (")
        + units::format(Seconds::from_value(its)) + ").");
    const auto &left = chosen.breakdown, &right = best.breakdown;
    const auto difference = [&](Seconds StepBreakdown::*part) { return (left.*part - right.*part).value(); };
    constexpr double shareWorthSaying = 1e-3;
    addDifferences(
        {{"in compute", difference(&StepBreakdown::compute)}, {"in TP communication", difference(&StepBreakdown::tp)},
            {"in PP communication", difference(&StepBreakdown::pp)},
            {"in CP communication", difference(&StepBreakdown::cp)},
            {"in expert exchange", difference(&StepBreakdown::ep)},
            {"in DP communication", difference(&StepBreakdown::dp)},
            {"in the pipeline bubble", difference(&StepBreakdown::bubble)},
            {"in the optimizer", difference(&StepBreakdown::optimizer)},
            {"in overheads", difference(&StepBreakdown::overhead)},
            {"waiting for stragglers", difference(&StepBreakdown::other)}},
        shareWorthSaying * its, lines, [](double value) { return units::format(Seconds::from_value(value)); }, "loses ",
        "gains ");
}

double part(const std::optional<Bytes> &amount) { return amount ? amount->value() : 0; }

std::string memoryParts(const MemoryEstimate &memory)
{
    std::vector<std::pair<double, std::string>> parts{{part(memory.weights), "weights"},
        {part(memory.gradients), "gradients"}, {part(memory.optimizer), "optimizer"},
        {part(memory.activations), "activations"}, {part(memory.other), "other"}};
    std::ranges::stable_sort(parts, std::greater(), &std::pair<double, std::string>::first);
    std::vector<std::string> items;
    for (const auto &[amount, name] : parts)
        if (amount > 0)
            items.push_back(name + " " + units::format(Bytes::from_value(amount)));
    return listed(items);
}

void addMemory(const Priced &chosen, const Priced &best, const std::string &name, std::vector<std::string> &lines)
{
    if (!chosen.estimate.memory || !best.estimate.memory)
        return;
    const auto &mine = *chosen.estimate.memory, &its = *best.estimate.memory;
    lines.push_back(
        "It needs " + units::format(mine.total) + " of memory, " + name + " " + units::format(its.total) + ".");
    addDifferences(
        {{"of weights", part(mine.weights) - part(its.weights)},
            {"of gradients", part(mine.gradients) - part(its.gradients)},
            {"of optimizer state", part(mine.optimizer) - part(its.optimizer)},
            {"of activations", part(mine.activations) - part(its.activations)},
            {"of everything else", part(mine.other) - part(its.other)}},
        0.005 * its.capacity.value(), lines, [](double value) { return units::format(Bytes::from_value(value)); },
        "holds more: ", "holds less: ");
}

/// Values that the request's own space leaves out.
std::string leftOut(const LayoutSearchSpace &space, const Layout &layout)
{
    const std::array<std::pair<LayoutSearchOption, int>, layoutSearchOptionCount> values{
        {{LayoutSearchOption::Tp, layout.tp}, {LayoutSearchOption::Cp, layout.cp}, {LayoutSearchOption::Pp, layout.pp},
            {LayoutSearchOption::Ep, layout.ep}, {LayoutSearchOption::Dp, layout.dp},
            {LayoutSearchOption::VirtualStages, layout.virtualStages},
            {LayoutSearchOption::MicrobatchSize, layout.microbatchSize},
            {LayoutSearchOption::ZeroStage, layout.zeroStage}, {LayoutSearchOption::Recompute, int(layout.recompute)},
            {LayoutSearchOption::SequenceParallel, layout.sequenceParallel ? 1 : 0}}};
    std::string list;
    for (const auto &[option, value] : values)
        if (const auto &named = space[option]; !named.empty() && std::ranges::find(named, value) == named.end())
            list += (list.empty() ? "" : ", ") + std::string(titleOf(option));
    return list;
}

/// The best layout of the split that leaves the memory which a recommendation leaves free; nothing: none does.
std::optional<Row> roomiestOf(
    const Request &request, const Result &result, const Group &group, const std::stop_token &stop)
{
    if (!(group.best->memoryBytes > result.factsOf(*group.best).roomyBytes))
        return group.best;
    auto one = within(request, group.split, group.caseIndex);
    auto facts = *one.cases.front().plan;
    facts.constraints.maxMemoryShare = memoryShareOf(facts.constraints);
    auto limited = Plan::create(std::move(facts));
    if (!limited)
        return std::nullopt;
    one.cases.front().plan = std::move(*limited);
    one.rows = 1;
    const auto found = run(one, {.stop = stop});
    if (!found || !found->best())
        return std::nullopt;
    auto row = *found->best();
    row.caseIndex = group.caseIndex;
    return row;
}

} // namespace

std::optional<Row> rivalOf(const Request &request, const Result &result, const Row &taken, const std::stop_token &stop)
{
    const bool isRoomy = result.recommended();
    std::optional<Row> rival;
    for (const auto &group : result.groups) {
        if (!group.best || (rival && lossOf(result, *group.best, *rival) >= 0))
            break; // of the others not even the best is better
        if (group.caseIndex != taken.caseIndex || group.split == splitOf(taken.layout))
            continue;
        const auto row = isRoomy ? roomiestOf(request, result, group, stop) : group.best;
        if (row && (!rival || lossOf(result, *row, *rival) < 0))
            rival = row;
    }
    return rival;
}

Expected<std::vector<std::string>> whyNot(
    const Request &request, const Layout &chosen, int caseIndex, const Row &other, Against against)
{
    const auto verdict = judge(request, chosen, caseIndex);
    if (!verdict)
        return std::unexpected(verdict.error());
    const auto &layout = verdict->layout;
    const auto &plan = request.cases[std::size_t(caseIndex)].plan;
    std::vector<std::string> lines;
    if (caseIndex == other.caseIndex && layout == other.layout)
        return std::vector<std::string>{itself(against, inWords(layout))};
    if (const auto options = leftOut(request.space, layout); !options.empty())
        lines.push_back("The search was limited to other values of " + options + ".");
    if (verdict->excluded && isIllegal(*verdict->excluded) && verdict->excluded != Exclusion::ModelRefuses) {
        lines.push_back("It cannot run. " + ruleOf(*verdict->excluded, layout, plan));
        return lines;
    }
    const auto model = findCostModel(request.costModelId);
    if (!model)
        return std::unexpected(model.error());
    const auto mine = priceOf(**model, plan, layout);
    if (!mine) {
        lines.push_back("The cost model refuses it. " + mine.error().message);
        return lines;
    }
    if (verdict->excluded == Exclusion::Memory && mine->estimate.memory) {
        const auto &memory = *mine->estimate.memory;
        const double limit = Limits(plan).mostMemoryBytes();
        lines.push_back("It does not fit: the fullest accelerator needs " + units::format(memory.total) + " where "
            + units::format(Bytes::from_value(limit)) + " may be used (" + memoryParts(memory) + ").");
    } else if (verdict->excluded) {
        const auto limit = limitOf(*verdict->excluded);
        lines.push_back("It breaks a limit of the plan. "
            + (limit ? Limits(plan).entryOf(*limit, verdict->figures).sentence
                     : std::string(sentence(*verdict->excluded))));
    }
    const auto its = priceOf(**model, request.cases[std::size_t(other.caseIndex)].plan, other.layout);
    if (!its)
        return std::unexpected(its.error());
    if (mine->estimate.stepTime && its->estimate.stepTime)
        addTime(*mine, *its, nameOf(against), lines);
    if (verdict->excluded != Exclusion::Memory)
        addMemory(*mine, *its, nameOf(against), lines);
    return lines;
}

Expected<std::vector<Change>> sensitivity(const Request &request, const Layout &layout, int caseIndex)
{
    const auto model = findCostModel(request.costModelId);
    if (!model)
        return std::unexpected(model.error());
    const auto traits = (*model)->layoutSearchTraits();
    const auto &options = traits.options;
    const auto &plan = request.cases[std::size_t(caseIndex)].plan;
    std::vector<Change> changes;
    std::optional<Error> refused;
    const auto consider = [&](LayoutSearchOption option, int value, int own, void (*set)(Layout &, int)) {
        const auto &named = request.space[option];
        if (refused || value == own || !options.has(option)
            || (!named.empty() && std::ranges::find(named, value) == named.end()))
            return;
        auto changed = layout;
        set(changed, value);
        const auto verdict = judge(request, changed, caseIndex);
        if (!verdict) {
            refused = verdict.error();
            return;
        }
        // What cannot be set at all (chunks of different length, a batch that does not divide) is no choice.
        if (verdict->excluded && isIllegal(*verdict->excluded))
            return;
        Change change{.option = option,
            .value = value,
            .layout = verdict->layout,
            .excluded = verdict->excluded,
            .memoryBytes = verdict->figures.memoryBytes,
            .stepSeconds = verdict->figures.stepSeconds};
        if (!verdict->excluded)
            change.row = Row{.layout = verdict->layout,
                .caseIndex = caseIndex,
                .stepSeconds = verdict->figures.stepSeconds,
                .memoryBytes = verdict->figures.memoryBytes,
                .mfu = verdict->figures.mfu};
        changes.push_back(std::move(change));
    };
    const auto mostChunks = LayoutRules(plan, traits).mostChunks();
    for (int stages = 1; layout.pp > 1 && stages * layout.pp <= mostChunks; ++stages)
        consider(LayoutSearchOption::VirtualStages, stages, layout.virtualStages,
            [](Layout &changed, int value) { changed.virtualStages = value; });
    for (int size = 1; size <= plan->training.globalBatch / layout.dp; ++size)
        if (plan->training.globalBatch % (std::int64_t(size) * layout.dp) == 0)
            consider(LayoutSearchOption::MicrobatchSize, size, layout.microbatchSize,
                [](Layout &changed, int value) { changed.microbatchSize = value; });
    for (int stage = 0; stage <= 3 && std::int64_t(layout.dp) * layout.cp > 1; ++stage)
        consider(LayoutSearchOption::ZeroStage, stage, layout.zeroStage,
            [](Layout &changed, int value) { changed.zeroStage = std::int8_t(value); });
    for (int recompute = 0; recompute <= 2; ++recompute)
        consider(LayoutSearchOption::Recompute, recompute, int(layout.recompute),
            [](Layout &changed, int value) { changed.recompute = static_cast<Recompute>(value); });
    for (int parallel = 0; parallel <= 1 && layout.tp > 1; ++parallel)
        consider(LayoutSearchOption::SequenceParallel, parallel, layout.sequenceParallel ? 1 : 0,
            [](Layout &changed, int value) { changed.sequenceParallel = value != 0; });
    if (refused)
        return std::unexpected(*refused);
    return changes;
}

} // namespace fleetwright::layoutsearch
