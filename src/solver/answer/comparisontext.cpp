// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/comparisontext.h"

#include "solver/answer/constrainttitle.h"
#include "solver/answer/scorecard.h"
#include "units/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>

namespace fleetwright {

namespace {

using units::Dimension;

/// Parts stand in the unit of their sum; figures that are not parts of one another do not share a unit.
std::optional<FigureGroup> sharedUnit(const ComparisonRow &row)
{
    for (const auto group : {FigureGroup::Step, FigureGroup::Memory, FigureGroup::Feasibility})
        if (row.group == toString(group))
            return group;
    return std::nullopt;
}

/// The largest value of the row and of those that share its unit, of the columns that `isAsked`.
double largest(const Comparison &comparison, const ComparisonRow &row, const std::function<bool(std::size_t)> &isAsked)
{
    double most = 0;
    for (const auto &other : comparison.rows)
        if (&other == &row || (sharedUnit(row) && other.group == row.group && other.dimension == row.dimension))
            for (std::size_t i = 0; i < other.cells.size(); ++i)
                if (other.cells[i].value && isAsked(i))
                    most = std::max(most, std::abs(*other.cells[i].value));
    return most;
}

} // namespace

units::UnitSymbol displayUnit(const Comparison &comparison, const ComparisonRow &row, std::size_t reference)
{
    if (row.verdict || row.dimension == Dimension::Number)
        return {{}, row.dimension, 1.0};
    double most = largest(comparison, row, [&](std::size_t column) { return column == reference; });
    if (most == 0)
        most = largest(comparison, row, [&](std::size_t column) { return !comparison.isAside(column); });
    if (most == 0)
        most = largest(comparison, row, [](std::size_t) { return true; });
    const auto group = sharedUnit(row);
    return group ? unitFor(*group, row.dimension, most) : units::unitFor(most, row.dimension);
}

double inDisplayUnit(const Comparison &comparison, const ComparisonRow &row, double value)
{
    return value / displayUnit(comparison, row).factor;
}

std::string rowTitle(const Comparison &comparison, const ComparisonRow &row, std::size_t reference)
{
    return titleWithUnit(row.label, displayUnit(comparison, row, reference).symbol);
}

std::string fileTitle(const ComparisonRow &row)
{
    const auto unit = units::baseSymbol(row.dimension);
    const bool named = row.key.ends_with("_s") || row.key.ends_with("_bytes") || row.key.ends_with("_w")
        || row.key.ends_with("_usd");
    return unit.empty() || named || row.verdict ? row.key : row.key + " [" + std::string(unit) + "]";
}

std::string cellText(const Comparison &comparison, const ComparisonRow &row, std::size_t column, std::size_t reference)
{
    const auto &cell = row.cells.at(column);
    if (cell.refused)
        return "refused";
    if (!cell.value)
        return cell.instead.empty() ? "\u2013" : cell.instead;
    if (row.verdict)
        return std::string(inWords(*cell.value != 0, cell.onlyLikely));
    return (cell.isAtLeast ? "\u2265 " : "")
        + units::formatInColumn(*cell.value, displayUnit(comparison, row, reference));
}

std::string differenceText(double difference)
{
    if (std::abs(difference) < tieOfValues)
        return "\u00b10\u00a0%";
    if (difference >= 9)
        return "\u00d7\u00a0" + units::threeDigits(difference + 1);
    return (difference > 0 ? "+" : "\u2212") + units::formatPercent(std::abs(difference));
}

std::string columnTitle(const Comparison &comparison, std::size_t column)
{
    const auto &of = comparison.columns.at(column);
    const bool onePlan = comparison.plans.size() == 1;
    const bool oneModel = comparison.columns.size() == comparison.plans.size();
    return onePlan ? of.modelTitle : oneModel ? of.planName : of.planName + ", " + of.modelTitle;
}

namespace {

/// A figure by which plans are ranked, and how its winner is introduced.
struct RankedBy {
    std::string_view key;
    std::string_view best, also;
};
constexpr std::array rankings{RankedBy{"run_cost_usd", "The cheapest run", "Cheapest"},
    RankedBy{"run_time_s", "The shortest run", "Done first"},
    RankedBy{"step_time_s", "The shortest step", "Shortest step"}};

std::optional<double> figureIn(const Comparison &comparison, std::string_view key, std::size_t column)
{
    const auto *row = comparison.row(key);
    return row ? row->cells[column].value : std::nullopt;
}

std::string figureTextIn(const Comparison &comparison, std::string_view key, std::size_t column)
{
    return units::format(*figureIn(comparison, key, column), comparison.row(key)->dimension);
}

std::string namesOfColumns(const Comparison &comparison, const std::vector<std::size_t> &columns)
{
    constexpr std::size_t most = 3;
    std::string list;
    for (std::size_t i = 0; i < std::min(most, columns.size()); ++i)
        list += (i == 0 ? "" : i + 1 == columns.size() ? " and " : ", ") + columnTitle(comparison, columns[i]);
    if (columns.size() == most + 1)
        return list + " and one more";
    return columns.size() > most ? list + " and " + std::to_string(columns.size() - most) + " more" : list;
}

/// Those of `among` that have the least of the figure, as it reads; none where one of them lacks it.
std::vector<std::size_t> columnsWithLeast(
    const Comparison &comparison, std::string_view key, const std::vector<std::size_t> &among)
{
    std::vector<double> values;
    for (const auto column : among) {
        const auto value = figureIn(comparison, key, column);
        if (!value)
            return {};
        values.push_back(*value);
    }
    const double lowest = std::ranges::min(values);
    std::vector<std::size_t> least;
    for (std::size_t i = 0; i < among.size(); ++i)
        if (std::abs(values[i] - lowest) <= tieOfValues * std::abs(lowest))
            least.push_back(among[i]);
    return least;
}

/// Whether the runs answer one question: the same workload on the same tokens.
bool trainTheSame(const Comparison &comparison, const std::vector<std::size_t> &among)
{
    return std::ranges::all_of(among, [&](std::size_t column) {
        const auto &plan = comparison.columns[column].resolved, &first = comparison.columns[among.front()].resolved;
        return plan && first && (*plan)->workload == (*first)->workload
            && (*plan)->training.tokenBudget == (*first)->training.tokenBudget;
    });
}

/// Whether a step of each takes the same tokens.
bool stepTheSame(const Comparison &comparison, const std::vector<std::size_t> &among)
{
    return std::ranges::all_of(among, [&](std::size_t column) {
        const auto &training = (*comparison.columns[column].resolved)->training,
                   &first = (*comparison.columns[among.front()].resolved)->training;
        return training.globalBatch == first.globalBatch && training.sequenceLength == first.sequenceLength;
    });
}

/// "8.37 MUSD in 25.9 days": by what plans are told apart, where known.
std::string columnInShort(const Comparison &comparison, std::size_t column)
{
    std::string text;
    for (const auto *key : {"run_cost_usd", "run_time_s", "step_time_s"})
        if (figureIn(comparison, key, column) && (text.empty() || key != std::string_view("step_time_s")))
            text += (text.empty() ? "" : " in ") + figureTextIn(comparison, key, column);
    return text;
}

/// Columns by what is known of their limits.
struct ColumnsByLimits {
    std::vector<std::size_t> keep, broken;
    std::vector<std::size_t> unknown; ///< none is broken, but one of them is not decided
    std::vector<std::size_t> refused;
    [[nodiscard]] bool allAreJudged() const { return unknown.empty() && refused.empty(); }
};

ColumnsByLimits columnsByLimits(const Comparison &comparison)
{
    ColumnsByLimits by;
    for (std::size_t i = 0; i < comparison.columns.size(); ++i)
        switch (standingOf(comparison.columns[i].solution)) {
        case Standing::Keeps: by.keep.push_back(i); break;
        case Standing::Breaks: by.broken.push_back(i); break;
        case Standing::Undecided: by.unknown.push_back(i); break;
        case Standing::Refused: by.refused.push_back(i); break;
        }
    return by;
}

/// The first line of the trace that is not decided, or else that is broken, in short.
std::string reasonOf(const Solution &solution, bool decided)
{
    for (const auto &entry : solution.trace)
        if (entry.decided == decided && !(decided && entry.holds))
            return decided ? missInWords(entry) : std::string(constraintTitle(entry.constraint));
    return {};
}

/// "Out: A (Memory capacity: 95.0 GB, 15.0 GB over), B (Deadline: 32.0 days, 2.00 days over) and 3 more."
std::string withReasons(
    const Comparison &comparison, const std::string &lead, const std::vector<std::size_t> &columns, bool decided)
{
    constexpr std::size_t most = 2;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, columns.size()); ++i) {
        const auto reason = reasonOf(*comparison.columns[columns[i]].solution, decided);
        text += (i == 0 ? lead + ": " : ", ") + columnTitle(comparison, columns[i])
            + (reason.empty() ? "" : " (" + reason + ")");
    }
    return text + (columns.size() > most ? " and " + std::to_string(columns.size() - most) + " more." : ".");
}

/// Which of those that keep their limits is best by what, and what else stands out. One of the others may be better
/// where not all are judged: then none is the best.
ComparisonVerdict rankedVerdict(const Comparison &comparison, const std::vector<std::size_t> &keep, bool allAreJudged)
{
    ComparisonVerdict verdict;
    const std::string keeps = allAreJudged ? "that keep" : "known to keep";
    const auto among = keep.size() == 1
        ? " (the only plan " + keeps + (allAreJudged ? "s" : "") + " its limits)"
        : " of the " + std::to_string(keep.size()) + " plans " + keeps + " their limits";
    std::optional<std::size_t> leader;
    for (const auto &rank : rankings) {
        const auto least = columnsWithLeast(comparison, rank.key, keep);
        if (least.empty() || (rank.key == "step_time_s" && !stepTheSame(comparison, keep)))
            continue;
        const auto named = ": " + namesOfColumns(comparison, least) + ", " + columnInShort(comparison, least.front())
            + ".";
        if (!leader) {
            verdict.sentences.push_back(std::string(rank.best) + among + named);
            if (least.size() > 1)
                break;
            leader = least.front();
        } else if (least.size() == 1 && least.front() != *leader && rank.key != "step_time_s") {
            verdict.sentences.push_back(std::string(rank.also) + named);
        }
    }
    if (allAreJudged)
        verdict.best = leader;
    return verdict;
}

/// Plans whose figures differ from those on their own pages.
std::vector<std::size_t> notByTheirOwn(const Comparison &comparison)
{
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < comparison.columns.size(); ++i)
        if (const auto &column = comparison.columns[i]; column.modelId != comparison.plans[column.plan].costModelId)
            found.push_back(i);
    return found;
}

ComparisonVerdict verdictOfPlansCompared(const Comparison &comparison)
{
    const auto by = columnsByLimits(comparison);
    ComparisonVerdict verdict;
    if (by.keep.empty())
        verdict.sentences.emplace_back(by.allAreJudged() ? "None of these plans keeps its limits."
                                                         : "None of these plans is known to keep its limits.");
    else if (!trainTheSame(comparison, by.keep))
        verdict.sentences.emplace_back("These plans do not all train the same, so none is the best of them; inputs "
                                       "that differ stand first.");
    else if (comparison.modelIds().size() > 1)
        verdict.sentences.emplace_back(
            "These plans are priced by different cost models, which are no rivals, so none is "
            "the best of them; choose one cost model to see which it is.");
    else
        verdict = rankedVerdict(comparison, by.keep, by.allAreJudged());
    if (const auto foreign = notByTheirOwn(comparison); !foreign.empty())
        verdict.sentences.push_back("All are priced by " + comparison.columns.front().modelTitle
            + ", which is not the own cost model of " + namesOfColumns(comparison, foreign) + ".");
    if (!by.broken.empty())
        verdict.sentences.push_back(withReasons(comparison, "Out", by.broken, true));
    if (!by.unknown.empty())
        verdict.sentences.push_back(withReasons(comparison, "Limits not decided", by.unknown, false));
    if (!by.refused.empty())
        verdict.sentences.push_back("Refused: " + namesOfColumns(comparison, by.refused) + ".");
    return verdict;
}

/// "3D cube and Searcher were not made for such a plan." and the like; empty: all were.
std::string notMadeForIt(const Comparison &comparison)
{
    std::vector<std::size_t> outside, refused;
    for (std::size_t i = 0; i < comparison.columns.size(); ++i)
        if (const auto &column = comparison.columns[i]; !column.solution)
            refused.push_back(i);
        else if (!column.outOfScope.empty())
            outside.push_back(i);
    std::string text;
    if (!outside.empty())
        text = namesOfColumns(comparison, outside) + (outside.size() > 1 ? " were" : " was")
            + " not made for such a plan";
    if (!refused.empty())
        text += (text.empty() ? "" : "; ") + namesOfColumns(comparison, refused)
            + (refused.size() > 1 ? " refuse it" : " refuses it");
    return text.empty() ? text : text + ".";
}

ComparisonVerdict verdictOfModelsCompared(const Comparison &comparison)
{
    const auto spreads = comparison.spread("step_time_s");
    const auto others = notMadeForIt(comparison);
    if (spreads.empty() || spreads.front().values.size() < 2)
        return others.empty() ? ComparisonVerdict{} : ComparisonVerdict{{others}, std::nullopt};
    const auto &low = spreads.front().values.front(), &high = spreads.front().values.back();
    const auto ratio = spreads.front().ratio();
    auto text = "The models say from " + figureTextIn(comparison, "step_time_s", low.column) + " ("
        + comparison.columns[low.column].modelTitle + ") to " + figureTextIn(comparison, "step_time_s", high.column)
        + " (" + comparison.columns[high.column].modelTitle + ") for a step";
    if (ratio)
        text += ", \u00d7 " + units::threeDigits(*ratio) + " apart";
    ComparisonVerdict verdict{
        {text + ".", "They price different things and are no rivals: none is the best."}, std::nullopt};
    if (!others.empty())
        verdict.sentences.push_back(others);
    return verdict;
}

/// How many letters of the names are words with which all begin, two at least ("TP 8" stays what it is); none of one
/// name, or where one is no more than these.
std::size_t sharedBeginning(const std::vector<PlanDocument> &plans)
{
    if (plans.size() < 2)
        return 0;
    const std::string &first = plans.front().name;
    std::size_t shared = first.size();
    for (const auto &plan : plans)
        shared = std::min(shared, std::size_t(std::ranges::mismatch(first, plan.name).in1 - first.begin()));
    const auto blank = shared > 0 ? first.rfind(' ', shared - 1) : std::string::npos;
    const auto from = blank == std::string::npos ? 0 : blank + 1;
    if (first.find(' ') + 1 >= from)
        return 0;
    return std::ranges::all_of(plans, [shared](const PlanDocument &plan) { return plan.name.size() > shared; }) ? from
                                                                                                                : 0;
}

/// "rented, on demand", "owned": of what differs between the plans and the name does not say.
std::string payingOf(const std::vector<PlanDocument> &plans, std::size_t plan)
{
    const auto differ = [&](const auto &of) {
        return std::ranges::any_of(
            plans, [&](const PlanDocument &other) { return of(other.fleet.costs) != of(plans.front().fleet.costs); });
    };
    const auto &costs = plans[plan].fleet.costs;
    std::string text;
    const auto add = [&](const std::string &words) {
        if (!plans[plan].name.contains(" " + words))
            text += (text.empty() ? "" : ", ") + words;
    };
    if (differ([](const CostDocument &of) { return of.paying; }))
        add(costs.paying == Paying::Own ? "owned" : "rented");
    if (costs.paying == Paying::Own)
        return text;
    if (differ([](const CostDocument &of) { return of.rentTerm; }))
        add(std::string(words(costs.rentTerm)));
    if (differ([](const CostDocument &of) { return of.rentVendor; }) && !costs.rentVendor.empty())
        add("from " + costs.rentVendor);
    return text;
}

} // namespace

std::string columnHead(const Comparison &comparison, std::size_t column)
{
    const auto &of = comparison.columns.at(column);
    const auto paying = payingOf(comparison.plans, of.plan);
    std::string text = comparison.plans.size() == 1 ? of.modelTitle
                                                    : of.planName.substr(sharedBeginning(comparison.plans));
    if (comparison.plans.size() > 1 && comparison.modelIds().size() > 1)
        text += "\n" + of.modelTitle;
    return paying.empty() ? text : text + "\n" + paying;
}

ComparisonVerdict verdictOf(const Comparison &comparison)
{
    if (comparison.columns.size() < 2)
        return {};
    if (comparison.plans.size() == 1)
        return verdictOfModelsCompared(comparison);
    return comparison.columns.size() == comparison.plans.size() ? verdictOfPlansCompared(comparison)
                                                                : ComparisonVerdict();
}

std::vector<const ExplainedFigure *> chainOf(const std::vector<ExplainedFigure> &figures, std::string_view key)
{
    std::set<std::string, std::less<>> wanted{std::string(key)};
    std::vector<const ExplainedFigure *> chain;
    for (auto figure = figures.rbegin(); figure != figures.rend(); ++figure) {
        if (!wanted.contains(figure->key))
            continue;
        chain.push_back(&*figure);
        for (const auto &input : figure->inputs)
            wanted.insert(input.origin);
    }
    std::ranges::reverse(chain);
    return chain;
}

bool isOfWorksheet(const ExplainedFigure &figure)
{
    return std::ranges::any_of(
        figure.inputs, [](const FormulaInput &input) { return input.origin.starts_with("worksheet."); });
}

std::string exactText(double value, Dimension dimension)
{
    const std::string rounded = units::format(value, dimension);
    const auto symbol = units::baseSymbol(dimension);
    std::string full = units::exact(value);
    if (dimension == Dimension::Fraction
        || (dimension == Dimension::Number && std::abs(value) < 1e6 && value == std::round(value)))
        return dimension == Dimension::Fraction && value != 0 && value != 1 ? rounded + " (" + full + ")" : rounded;
    if (!symbol.empty())
        full += "\u00a0" + std::string(symbol);
    return rounded == full ? rounded : rounded + " (" + full + ")";
}

std::vector<std::string> payingDifferences(const std::vector<PlanDocument> &plans)
{
    std::vector<std::string> sentences;
    const auto compare = [&](const std::string &what, const std::function<std::string(const CostDocument &)> &of) {
        std::set<std::string> kinds;
        std::string list;
        const bool hasCommas = std::ranges::any_of(
            plans, [](const PlanDocument &plan) { return plan.name.contains(','); });
        for (std::size_t i = 0; i < plans.size(); ++i) {
            const auto kind = of(plans[i].fleet.costs);
            kinds.insert(kind);
            const auto name = plans[i].name.empty() ? "plan " + std::to_string(i + 1) : plans[i].name;
            list += (list.empty()       ? ""
                            : hasCommas ? "; "
                                        : ", ")
                + name + (name.ends_with(" " + kind) ? "" : " " + kind); // "64 GB200, owned" says it
        }
        if (kinds.size() > 1)
            sentences.push_back(what + " differ: " + list + ".");
    };
    compare(
        "Ways of paying", [](const CostDocument &costs) { return costs.paying == Paying::Own ? "owned" : "rented"; });
    compare("Rent terms", [](const CostDocument &costs) { return std::string(words(costs.rentTerm)); });
    compare("Vendors of the rent",
        [](const CostDocument &costs) { return costs.rentVendor.empty() ? "any vendor" : "from " + costs.rentVendor; });
    return sentences;
}

} // namespace fleetwright
