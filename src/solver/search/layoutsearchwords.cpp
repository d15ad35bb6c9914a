// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/search/layoutsearchwords.h"

#include "solver/answer/limits.h"
#include "solver/search/recommendation.h"
#include "solver/validation/steprange.h"
#include "units/format.h"
#include "units/grouping.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::layoutsearch {

namespace {

using units::format;
constexpr double nothing = 5e-4; ///< as a share: what rounds to no difference

std::string grouped(std::uint64_t number) { return units::grouped(std::to_string(number)); }

std::string bytes(double value) { return format(Bytes::from_value(value)); }
std::string seconds(double value) { return format(Seconds::from_value(value)); }
std::string share(double value) { return units::formatPercent(value); }

/// "The plan", or the case by its label.
std::string withLabel(const std::string &words, const CaseFacts &facts)
{
    return facts.label.empty() ? words : words + " (" + facts.label + ")";
}

std::string valueText(LayoutSearchObjective objective, double value)
{
    switch (objective) {
    case LayoutSearchObjective::StepTime: return seconds(value) + " per step";
    case LayoutSearchObjective::TokensPerSecond: return format(value, units::Dimension::Number) + " tokens per second";
    case LayoutSearchObjective::Mfu: return "an MFU of " + share(value);
    case LayoutSearchObjective::MemoryHeadroom: return bytes(value) + " of memory left";
    case LayoutSearchObjective::CostPerToken:
        return format(value, units::Dimension::Money) + " per million tokens without failures";
    }
    return {};
}

/// The row's figures after the one that is asked for.
std::string figuresText(const Result &result, const Row &row)
{
    const auto &facts = result.factsOf(row);
    std::string text = valueText(result.objective, valueOf(result.objective, row, facts));
    const auto also = [&](LayoutSearchObjective objective) {
        if (objective == result.objective)
            return;
        if (const double value = valueOf(objective, row, facts); !std::isnan(value))
            text += ", " + valueText(objective, value);
    };
    for (const auto objective : {LayoutSearchObjective::StepTime, LayoutSearchObjective::Mfu,
             LayoutSearchObjective::TokensPerSecond, LayoutSearchObjective::CostPerToken})
        also(objective);
    return text;
}

std::string superlative(LayoutSearchObjective objective)
{
    switch (objective) {
    case LayoutSearchObjective::StepTime: return "the shortest step";
    case LayoutSearchObjective::TokensPerSecond: return "the most tokens per second";
    case LayoutSearchObjective::Mfu: return "the highest MFU";
    case LayoutSearchObjective::MemoryHeadroom: return "the most memory left";
    case LayoutSearchObjective::CostPerToken: return "the lowest cost per token";
    }
    return {};
}

std::vector<std::string> nothingFeasible(const Request &request, const Result &result, const std::stop_token &stop)
{
    const auto counts = result.total();
    if (counts.candidates() == 0)
        return {"There is nothing to search: no TP \u00d7 CP \u00d7 PP of the values asked for divides the "
                "accelerators. Widen the space or change the number of nodes."};
    if (counts[Exclusion::Unranked] > 0)
        return {"No layout can be ranked: the cost model " + result.costModelId + " gives no "
                + std::string(titleOf(result.objective)) + " for any that it prices. Choose another objective.",
            inWords(counts)};
    if (counts.legal() == 0)
        return {"No layout can run: each of the " + grouped(counts.candidates())
                + " layouts breaks a rule. Widen the space.",
            inWords(counts)};
    std::vector<std::string> lines{"No layout is feasible: of " + grouped(counts.candidates()) + " layouts "
        + grouped(counts.legal()) + " could run, and each of them breaks a limit."};
    for (const auto &searched : request.cases) {
        const auto nearest = recommend(searched.plan, request.space, {}, stop);
        if (!nearest)
            continue;
        const auto label = searched.label.empty() ? "" : searched.label + ": ";
        lines.push_back(label + "Closest is " + inWords(nearest->row.layout) + ".");
        for (const auto &entry : nearest->missed)
            lines.push_back(label + entry.sentence);
        const auto remedies = remediesOf(searched.plan, request.space, *nearest, {}, stop);
        if (remedies && !nearest->isFeasible())
            lines.push_back(label + inWords(*remedies));
    }
    lines.push_back(inWords(counts));
    return lines;
}

void addRivals(const Request &request, const Result &result, const Row &best, std::vector<std::string> &lines,
    const std::stop_token &stop)
{
    std::size_t near = 0, feasible = 0;
    for (const auto &group : result.groups) {
        if (!group.best)
            break;
        if (group.caseIndex != best.caseIndex)
            continue;
        ++feasible;
        if (group.split == splitOf(best.layout))
            continue;
        if (std::abs(lossOf(result, *group.best, best)) <= indistinguishable)
            ++near;
    }
    const auto &facts = result.factsOf(best);
    const bool isRoomy = result.recommended() && result.traits.memory && facts.roomyBytes < facts.limitBytes;
    const auto free = share(1 - facts.roomyBytes / facts.capacityBytes);
    const auto next = rivalOf(request, result, best, stop);
    if (!next) {
        lines.push_back(isRoomy && feasible > 1 ? "No other split leaves " + free + " of the memory free."
                                                : "No other split is feasible.");
        return;
    }
    const double loss = lossOf(result, *next, best);
    const auto name = inWords(next->layout), said = figuresText(result, *next),
               difference = std::abs(loss) < nothing ? std::string("as good")
                                                     : share(std::abs(loss)) + (loss > 0 ? " worse" : " better");
    auto line = isRoomy ? "The best with another split that leaves " + free + " of the memory free is " + name + ": "
            + difference + " (" + said + ")"
                        : "The best with another split is " + name + ": " + difference + " (" + said + ")";
    if (!std::isnan(next->memoryBytes)) {
        const auto theirs = bytes(next->memoryBytes), own = bytes(best.memoryBytes);
        line += ", and it uses " + (theirs == own ? "as much memory" : theirs + " of memory instead of " + own);
    }
    lines.push_back(line + ".");
    if (near > 1)
        lines.push_back(grouped(near) + " of the " + grouped(feasible - 1)
            + " other splits with a feasible layout lie within " + share(indistinguishable)
            + " of the recommended one: closer than a prediction can tell apart, so choose among them by memory and by "
              "what the "
              "cluster makes easy.");
}

void addMemory(const Result &result, const Row &best, std::vector<std::string> &lines)
{
    if (std::isnan(best.memoryBytes))
        return;
    const auto &facts = result.factsOf(best);
    const double used = best.memoryBytes / facts.limitBytes;
    constexpr double tight = 0.9, roomier = 0.85;
    const auto own = bytes(best.memoryBytes), all = bytes(facts.limitBytes);
    const auto rest = used > tight ? std::string(": tight, so measure it before you rely on it.") : std::string(".");
    lines.push_back(facts.limitBytes < facts.capacityBytes
            ? "It uses " + own + " of the " + all + " that the plan allows on the fullest accelerator (" + share(used)
                + ")" + rest
            : "It uses " + own + " of the " + all + " of the fullest accelerator (" + share(used) + ")" + rest);
    if (used <= tight || result.objective == LayoutSearchObjective::MemoryHeadroom)
        return;
    const Row *alternative = nullptr;
    for (const auto &row : result.front)
        if (row.caseIndex == best.caseIndex && row.memoryBytes <= roomier * best.memoryBytes
            && (!alternative || lossOf(result, row, best) < lossOf(result, *alternative, best)))
            alternative = &row;
    if (alternative)
        lines.push_back("With more room: " + inWords(alternative->layout) + " uses " + bytes(alternative->memoryBytes)
            + " and is " + share(lossOf(result, *alternative, best)) + " worse.");
}

std::string changeInWords(const Change &change)
{
    switch (change.option) {
    case LayoutSearchOption::VirtualStages:
        return std::to_string(change.value) + (change.value == 1 ? " virtual stage" : " virtual stages");
    case LayoutSearchOption::MicrobatchSize: return "microbatch " + std::to_string(change.value);
    case LayoutSearchOption::ZeroStage: return change.value == 0 ? "no ZeRO" : "ZeRO " + std::to_string(change.value);
    case LayoutSearchOption::Recompute:
        return change.value == 0 ? "no recomputation"
                                 : std::string(toString(static_cast<Recompute>(change.value))) + " recomputation";
    case LayoutSearchOption::SequenceParallel:
        return change.value == 0 ? "no sequence parallelism" : "sequence parallelism";
    default: return std::string(titleOf(change.option)) + " " + std::to_string(change.value);
    }
}

/// What the nearest other value of each setting would cost, the largest effect first.
void addSettings(const Request &request, const Result &result, const Row &best, std::vector<std::string> &lines)
{
    const auto changes = sensitivity(request, best.layout, best.caseIndex);
    if (!changes)
        return;
    std::vector<std::pair<double, std::string>> effects;
    std::string tooLarge;
    for (const auto option : allLayoutSearchOptions) {
        std::optional<std::pair<double, std::string>> least;
        for (const auto &change : *changes) {
            if (change.option != option)
                continue;
            if (change.row) {
                const double loss = lossOf(result, *change.row, best);
                if (!least || loss < least->first)
                    least = {loss,
                        changeInWords(change) + " (" + (loss < nothing ? "no difference" : share(loss) + " worse")
                            + ")"};
            } else if (change.excluded == Exclusion::Memory && option == LayoutSearchOption::Recompute
                && change.stepSeconds < best.stepSeconds) {
                tooLarge = " With " + changeInWords(change) + " it would be faster, but needs "
                    + bytes(change.memoryBytes) + ".";
            }
        }
        if (least)
            effects.push_back(*least);
    }
    std::ranges::sort(effects, std::greater(), &std::pair<double, std::string>::first);
    std::string list;
    for (const auto &[loss, words] : effects)
        list += (list.empty() ? "" : ", ") + words;
    if (!list.empty())
        lines.push_back("Changing one setting, at its best other value: " + list + "." + tooLarge);
    else if (!tooLarge.empty())
        lines.push_back(tooLarge.substr(1));
}

void addCases(const Result &result, const Row &best, std::vector<std::string> &lines)
{
    if (result.cases.size() < 2)
        return;
    std::string list;
    for (std::size_t i = 0; i < result.cases.size(); ++i) {
        list += (list.empty() ? "" : "; ") + result.cases[i].label + ": ";
        const auto group = std::ranges::find(result.groups, int(i), &Group::caseIndex);
        if (result.cases[i].refused)
            list += "refused";
        else if (group == result.groups.end() || !group->best)
            list += "nothing feasible";
        else
            list += valueText(result.objective, valueOf(result.objective, *group->best, result.cases[i])) + " with "
                + inWords(splitOf(group->best->layout))
                + (int(i) == best.caseIndex ? "" : " (" + share(lossOf(result, *group->best, best)) + " worse)");
    }
    lines.push_back("Best of each case: " + list + ".");
}

} // namespace

std::string inWords(const Counts &counts)
{
    const auto list = [&counts](bool (*belongs)(Exclusion)) {
        std::vector<std::pair<std::uint64_t, std::string>> reasons;
        for (std::size_t i = 0; i < exclusionCount; ++i)
            if (const auto reason = static_cast<Exclusion>(i); belongs(reason) && counts[reason] > 0)
                reasons.emplace_back(counts[reason], titleOf(reason));
        std::ranges::stable_sort(reasons, std::greater(), &std::pair<std::uint64_t, std::string>::first);
        std::string text;
        for (const auto &[count, title] : reasons)
            text += (text.empty() ? "" : "; ") + title + ": " + grouped(count);
        return text;
    };
    std::string text = grouped(counts.candidates()) + " layouts, " + grouped(counts.feasible) + " of them feasible.";
    if (counts.infeasible() > 0)
        text += " " + grouped(counts.infeasible()) + " infeasible (" + list(isInfeasible) + ").";
    if (counts.illegal() > 0)
        text += " " + grouped(counts.illegal()) + " illegal (" + list(isIllegal) + ").";
    if (counts[Exclusion::NoEffect] > 0)
        text += " " + grouped(counts[Exclusion::NoEffect]) + " repeat another.";
    if (counts[Exclusion::Unranked] > 0)
        text += " " + grouped(counts[Exclusion::Unranked]) + " have no value of the objective and are not ranked.";
    return text;
}

std::string gistOf(const Counts &counts)
{
    std::string text = grouped(counts.candidates()) + " layouts looked at: " + grouped(counts.feasible) + " feasible";
    if (counts.infeasible() > 0)
        text += ", " + grouped(counts.infeasible()) + " break a limit";
    if (counts.illegal() > 0)
        text += ", " + grouped(counts.illegal()) + " cannot run";
    if (counts[Exclusion::NoEffect] > 0)
        text += ", " + grouped(counts[Exclusion::NoEffect]) + " repeat another";
    if (counts[Exclusion::Unranked] > 0)
        text += ", " + grouped(counts[Exclusion::Unranked]) + " are not ranked";
    return text + ".";
}

std::string whyNoneIsFeasible(const Result &result, const Group &group)
{
    if (group.best)
        return {};
    const double over = group.leastMemoryBytes - result.cases[std::size_t(group.caseIndex)].limitBytes;
    if (over > 0) // not where it is unknown
        return "Memory: " + bytes(over) + " over";
    std::string text;
    const auto &counts = result.counts[std::size_t(group.caseIndex)];
    for (std::size_t i = 0; i < exclusionCount; ++i)
        if (const auto reason = static_cast<Exclusion>(i);
            isInfeasible(reason) && reason != Exclusion::Memory && counts[reason] > 0)
            text += (text.empty() ? "" : " or ") + std::string(titleOf(reason));
    return text.empty() ? std::string(titleOf(Exclusion::Memory)) : text;
}

std::string whyNotTaken(const Result &result, const Group &group)
{
    const auto *taken = result.taken();
    if (!group.best || !taken || !(lossOf(result, *group.best, *taken) < -nothing))
        return {};
    const auto &facts = result.factsOf(*group.best);
    return group.best->memoryBytes > facts.roomyBytes
        ? "Memory: only " + share(1 - group.best->memoryBytes / facts.capacityBytes) + " free"
        : std::string("too little better to tell");
}

namespace {

/// How much longer a step is by the runs: "3.1 % slower by your runs". `isTimed`: than that of the layout that they
/// timed.
std::string slowerByRuns(double loss, int runs, bool isTimed = false)
{
    const auto by = validation::byYourRuns(runs);
    if (std::abs(loss) < nothing)
        return "as fast" + by;
    if (loss > 0)
        return share(loss) + " slower" + by;
    return -loss <= indistinguishable ? share(-loss) + " faster" + by + ", too little to tell"
        : isTimed                     ? share(-loss) + " faster" + by + ", but nobody timed it"
                                      : share(-loss) + " faster" + by + ", and not among the formula\u2019s best";
}

void addByRuns(const Recommendation &recommended, std::vector<std::string> &lines)
{
    const auto &byRuns = *recommended.byRuns;
    const auto by = validation::byYourRuns(byRuns.runs);
    lines.push_back(inWords(recommended.row.layout)
        + (byRuns.isTimed ? std::string(": timed, and no other of the formula\u2019s best is surely faster.")
                : recommended.best.layout == recommended.row.layout
                ? ": the fastest" + by + " of those nearest to the formula\u2019s best."
                : ": the simplest that cannot be told from the fastest" + by + ", which is "
                    + inWords(recommended.best.layout) + " and would add " + share(recommended.gain) + "."));
    if (byRuns.byFormula)
        lines.push_back("The formula alone would take " + inWords(byRuns.byFormula->layout) + ": "
            + slowerByRuns(byRuns.formulaLoss, byRuns.runs, byRuns.isTimed) + ".");
    lines.push_back(!recommended.rival ? "No other split is feasible."
                                       : "The best with another split by the formula is "
                + inWords(recommended.rival->layout) + ": " + slowerByRuns(recommended.rivalLoss, byRuns.runs) + ".");
}

} // namespace

std::vector<std::string> inWords(const Recommendation &recommended, const Remedies *remedies)
{
    std::vector<std::string> lines;
    if (recommended.isFeasible() && recommended.byRuns) {
        addByRuns(recommended, lines);
    } else if (recommended.isFeasible()) {
        const bool same = recommended.best.layout == recommended.row.layout;
        lines.push_back(inWords(recommended.row.layout)
            + (same ? ": no layout that the limits allow is better."
                    : ": the simplest that a prediction cannot tell from the best, which is "
                        + inWords(recommended.best.layout) + " and would add " + share(recommended.gain) + "."));
        if (!recommended.rival)
            lines.push_back("No other split is feasible.");
        else
            lines.push_back("The best with another split is " + inWords(recommended.rival->layout) + ": "
                + (std::abs(recommended.rivalLoss) < nothing ? "as good."
                                                             : share(std::abs(recommended.rivalLoss))
                            + (recommended.rivalLoss > 0 ? " worse." : " better, too little to tell.")));
    } else {
        lines.push_back(
            "No layout keeps every limit. The one that comes closest is " + inWords(recommended.row.layout) + ".");
        for (const auto &entry : recommended.missed)
            lines.push_back(entry.sentence);
        if (remedies)
            lines.push_back(inWords(*remedies));
    }
    lines.push_back(inWords(recommended.counts));
    if (recommended.byRuns && recommended.byRuns->countsDiffer)
        lines.push_back("These are counted by the formula alone.");
    return lines;
}

std::string gistOf(const Recommendation &recommended)
{
    if (!recommended.isFeasible())
        return "No layout keeps every limit; this one comes closest.";
    if (recommended.byRuns && recommended.rival && recommended.rivalLoss <= -nothing)
        return "The next split, " + inWords(splitOf(recommended.rival->layout)) + ", is "
            + slowerByRuns(recommended.rivalLoss, recommended.byRuns->runs) + ".";
    const bool isBest = recommended.best.layout == recommended.row.layout;
    const auto noneBetter = std::isnan(recommended.row.memoryBytes)
        ? std::string("No feasible layout is better")
        : "No layout that leaves " + share(1 - recommended.memoryShare) + " of the memory free is better";
    const auto by = validation::byYourRuns(recommended.byRuns ? recommended.byRuns->runs : 0);
    std::string gist = recommended.byRuns && recommended.byRuns->isTimed
        ? std::string("It was timed, and none of the formula\u2019s best layouts is surely faster")
        : recommended.byRuns
        ? (isBest ? "None of the formula\u2019s best layouts is faster" + by
                  : "The fastest" + by + ", " + inWords(recommended.best.layout) + ", would add "
                    + share(recommended.gain))
        : (isBest ? noneBetter
                  : "The best, " + inWords(recommended.best.layout) + ", would add " + share(recommended.gain));
    if (!recommended.rival)
        return gist + "; no other split is feasible.";
    const double loss = recommended.rivalLoss;
    return gist + "; the next split, " + inWords(splitOf(recommended.rival->layout)) + ", is "
        + (std::abs(loss) < nothing ? "as good." : share(std::abs(loss)) + (loss > 0 ? " worse." : " better."));
}

namespace {

/// Why the recommended layout and not the best.
std::string choiceInWords(const Result &result, const Row &taken, const Row &best)
{
    const auto counts = result.total();
    const auto model = result.costModelId + " " + result.costModelVersion;
    if (taken.layout == best.layout && taken.caseIndex == best.caseIndex)
        return "It has " + superlative(result.objective) + " of the " + grouped(counts.feasible)
            + " feasible layouts, by the cost model " + model + ".";
    const auto whole = inWords(best.layout) + " has " + superlative(result.objective) + " of the "
        + grouped(counts.feasible) + " feasible layouts, by the cost model " + model + ".";
    const auto &facts = result.factsOf(best);
    const bool full = best.memoryBytes > facts.roomyBytes;
    return (full ? "It leaves " + share(1 - facts.roomyBytes / facts.capacityBytes)
                       + " of the memory free, as much as predictions of memory are typically off by. "
                 : std::string("It is the simplest that a prediction cannot tell from the best. "))
        + whole + " It would add " + share(-lossOf(result, best, taken))
        + (full ? ", with " + share(best.memoryBytes / facts.capacityBytes) + " of the memory full." : ".");
}

} // namespace

std::vector<std::string> recommendation(const Request &request, const Result &result, const std::stop_token &stop)
{
    const auto *best = result.best();
    if (!best)
        return nothingFeasible(request, result, stop);
    const auto &taken = *result.taken();
    std::vector<std::string> lines{
        "Take " + withLabel(inWords(taken.layout), result.factsOf(taken)) + ": " + figuresText(result, taken) + "."};
    lines.push_back(choiceInWords(result, taken, *best));
    addRivals(request, result, taken, lines, stop);
    addMemory(result, taken, lines);
    if (result.traits.time)
        addSettings(request, result, taken, lines);
    addCases(result, *best, lines);
    if (const Limits limits(request.cases[std::size_t(taken.caseIndex)].plan); limits.assumesPue())
        lines.push_back(limits.entryOf(Limit::MaxFacilityMw, {}).sentence);
    if (!result.traits.memory)
        lines.push_back("The cost model knows no memory, so whether these layouts fit is not known.");
    lines.push_back(inWords(result.total()));
    return lines;
}

} // namespace fleetwright::layoutsearch
