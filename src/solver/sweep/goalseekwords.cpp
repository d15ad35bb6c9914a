// SPDX-License-Identifier: GPL-3.0-or-later
// What can be changed to reach a target, and the answer in words.
#include "domain/plankeys.h"
#include "solver/operations/operations.h"
#include "solver/sweep/goalseek.h"
#include "units/format.h"

#include <cmath>

namespace fleetwright {

std::string_view toString(SeekOutcome outcome)
{
    switch (outcome) {
    case SeekOutcome::Reached: return "reached";
    case SeekOutcome::ReachedAlways: return "reached_always";
    case SeekOutcome::NotReached: return "not_reached";
    case SeekOutcome::NoEffect: return "no_effect";
    }
    return "not_reached";
}

Expected<SweepKey> seekableKey(const PlanDocument &plan, std::string_view key)
{
    const auto *known = findSweepKey(key);
    std::optional<SweepKey> found = known ? std::optional(*known) : std::nullopt;
    if (!found && isAssumptionKey(key)) {
        const auto model = findCostModel(plan.costModelId);
        if (!model)
            return std::unexpected(model.error());
        const auto name = key.substr(key.find('.') + 1);
        for (const auto descriptors : {(*model)->assumptions(), operationsAssumptions()})
            if (const auto *descriptor = findAssumption(descriptors, name))
                found = sweepKeyOf(*descriptor);
        if (!found)
            return refuse(ErrorCode::UnknownReference, "key",
                "The cost model " + plan.costModelId + " has no assumption \u201c" + std::string(name.substr(0, 60))
                    + "\u201d.");
    }
    if (!found)
        return std::unexpected(check(SweepSetting{std::string(key), 0.0}, "key").error());
    if (!isNumber(*found))
        return refuse(ErrorCode::UnsupportedValue, "key",
            found->label + " is no number, so that no value of it can be looked for; vary it in a sweep.");
    return *found;
}

std::optional<double> ownValue(const PlanDocument &plan, const SweepKey &key, const Catalog &catalog)
{
    const auto number = [](const std::optional<SettingValue> &value) {
        const auto *own = value ? std::get_if<double>(&*value) : nullptr;
        return own ? std::optional(*own) : std::nullopt;
    };
    if (isPlanKey(key.key)) {
        if (const auto stated = number(statedValue(plan, key.key)))
            return stated;
        if (key.key != "training.token_budget")
            return std::nullopt;
        const auto resolved = resolve(plan, catalog);
        return resolved ? (*resolved)->tokenBudget() : std::nullopt;
    }
    if (isAssumptionKey(key.key)) {
        const auto model = findCostModel(plan.costModelId);
        const auto used = withProjectValues({.edited = plan.assumptions.edited}, catalog);
        const auto name = std::string_view(key.key).substr(key.key.find('.') + 1);
        if (model && used)
            for (const auto descriptors : {(*model)->assumptions(), operationsAssumptions()})
                if (const auto *descriptor = findAssumption(descriptors, name))
                    return number(valueOf(*used, *descriptor));
        return std::nullopt;
    }
    const auto path = std::string_view(key.key).substr(0, key.key.rfind('.'));
    const auto field = std::string_view(key.key).substr(key.key.rfind('.') + 1);
    const auto recordOf = [&](const ItemReference &item, CatalogKind kind) {
        const auto *inlined = std::get_if<CatalogRecord>(&item);
        return inlined ? inlined : catalog.find(kind, std::get<std::string>(item));
    };
    const CatalogRecord *record = path == "workload" ? recordOf(plan.workload, CatalogKind::Workload)
        : path == "fleet.fabric"                     ? recordOf(plan.fleet.fabric, CatalogKind::Fabric)
                                                     : recordOf(plan.fleet.node, CatalogKind::Node);
    constexpr std::string_view acceleratorPath = "fleet.node.accelerator.";
    if (record && key.key.starts_with(acceleratorPath)) {
        record = catalog.find(CatalogKind::Accelerator, record->text("accelerator_id").value_or(""));
        return record ? record->number(key.key.substr(acceleratorPath.size())) : std::nullopt;
    }
    return record ? record->number(field) : std::nullopt;
}

std::string_view figureLimitedBy(Limit limit)
{
    switch (limit) {
    case Limit::DeadlineDays: return "run_time_s";
    case Limit::RunCostUsd: return "run_cost_usd";
    case Limit::CapitalUsd: return "fleet_capital_usd";
    case Limit::YearlyCostUsd: return "fleet_yearly_usd";
    case Limit::MaxFacilityMw: return "facility_power_w";
    case Limit::MinMfu: return "mfu";
    case Limit::MaxStepTimeS: return "step_time_s";
    default: return {};
    }
}

std::optional<SeekGoal> goalOf(const PlanDocument &plan, std::string_view key)
{
    auto asked = Limit::DeadlineDays;
    for (std::size_t i = 0; i < limitCount; ++i)
        if (const auto limit = static_cast<Limit>(i); key == fieldOf(limit))
            asked = limit;
    const auto figure = figureLimitedBy(asked);
    const auto *known = findSweepKey(fieldOf(asked));
    const auto stated = known ? statedValue(plan, known->key) : std::nullopt;
    if (figure.empty() || !stated)
        return std::nullopt;
    const auto unit = units::findUnit(known->unit, known->dimension);
    return SeekGoal{figure, std::get<double>(*stated) * (unit ? unit->factor : 1)};
}

std::string targetText(const SeekGoal &goal)
{
    const auto *figure = findFigure(goal.figure);
    const auto unit = units::unitFor(goal.target, figure ? figure->dimension : units::Dimension::Number);
    return units::asTyped(goal.target / unit.factor, unit.symbol);
}

bool reachesTarget(const SeekAnswer &answer, const SeekPoint &point)
{
    return point.figure
        && (answer.figure.better == Better::Higher ? *point.figure >= answer.target : *point.figure <= answer.target);
}

std::string valueInWords(const SeekAnswer &answer, double value)
{
    const auto &key = answer.key;
    if (key.unit.empty() && key.dimension == units::Dimension::Fraction)
        return units::formatPercent(value);
    constexpr double billion = 1e9, trillion = 1e12; // nobody counts more digits
    if (!key.unit.empty() || std::abs(value) < billion)
        return units::asTyped(value, key.unit);
    const bool isMore = std::abs(value) >= trillion;
    return units::asTyped(value / (isMore ? trillion : billion), isMore ? "T" : "B");
}

namespace {

/// The nearest value beyond the closest one, on a side on which all are refused.
const SeekPoint *refusedBeyond(const SeekAnswer &answer)
{
    const SeekPoint *above = nullptr, *below = nullptr;
    bool isPricedAbove = false, isPricedBelow = false;
    for (const auto &point : answer.tried) { // in order
        if (point.value < answer.found.value) {
            isPricedBelow = isPricedBelow || !point.refused;
            below = point.refused ? &point : below;
        } else if (point.value > answer.found.value) {
            isPricedAbove = isPricedAbove || !point.refused;
            above = point.refused && !above ? &point : above;
        }
    }
    return above && !isPricedAbove ? above : below && !isPricedBelow ? below : nullptr;
}

} // namespace

std::vector<std::string> inWords(const SeekAnswer &answer)
{
    const auto figureAt = [&](const SeekPoint &point) { return figureText(point.figure, answer.figure.dimension); };
    const auto at = [&](const SeekPoint &point) { return valueInWords(answer, point.value); };
    const auto target = figureText(answer.target, answer.figure.dimension);
    const auto range = valueInWords(answer, answer.from) + " to " + valueInWords(answer, answer.to);
    const auto &[key, figure] = std::pair(answer.key.label, answer.figure.label);
    std::vector<std::string> sentences;
    switch (answer.outcome) {
    case SeekOutcome::Reached:
        sentences.push_back(key + " " + at(answer.found) + ": " + figure + " " + figureAt(answer.found) + ".");
        // Between numbers of any size only a jump is worth telling.
        if (figureAt(*answer.neighbour) != figureAt(answer.found))
            sentences.back() += " At " + at(*answer.neighbour) + " it is " + figureAt(*answer.neighbour)
                + ", beyond the target of " + target + ".";
        break;
    case SeekOutcome::ReachedAlways:
        sentences.push_back(figure + " reaches " + target + " at every value that was tried from " + range
            + "; it comes closest at " + key + " " + at(answer.found) + ": " + figureAt(answer.found) + ".");
        break;
    case SeekOutcome::NotReached: {
        const bool isTooMuch = answer.figure.better != Better::Higher;
        sentences.push_back(figure + " does not reach " + target + " from " + range + ": it is "
            + (isTooMuch ? "at least " : "at most ") + figureAt(answer.found) + ", at " + key + " " + at(answer.found)
            + ".");
        if (const auto *refused = refusedBeyond(answer))
            sentences.push_back("At " + at(*refused) + " the plan is refused: " + refused->refused->message);
        break;
    }
    case SeekOutcome::NoEffect:
        sentences.push_back(key + " does not change " + figure + ": it stays " + figureAt(answer.found) + " from "
            + range + (reachesTarget(answer, answer.found) ? ", which reaches " : ", which does not reach ") + target
            + ".");
        if (!reachesTarget(answer, answer.found))
            return sentences;
        break;
    }
    if (answer.found.feasible == false) {
        std::string why;
        for (const auto &missed : answer.found.missed)
            why += (why.empty() ? "" : "; ") + missed;
        sentences.push_back("Not feasible at " + at(answer.found) + ": " + why + ".");
        if (answer.feasible)
            sentences.push_back("The nearest that is feasible and reaches it: " + at(*answer.feasible) + " ("
                + figureAt(*answer.feasible) + ").");
    } else if (answer.found.feasible && answer.outcome == SeekOutcome::NoEffect) {
        sentences.push_back(answer.found.onlyLikely
                ? "Every limit is kept at " + at(answer.found) + ", at the likely values only."
                : "Every limit is kept at " + at(answer.found) + ".");
    }
    const auto &proposed = answer.feasible ? *answer.feasible : answer.found;
    if (const auto &warned = proposed.warning.empty() ? answer.found : proposed; !warned.warning.empty()) {
        sentences.push_back("No framework runs the plan at " + at(warned) + ".");
        sentences.push_back(warned.warning);
    }
    if (answer.feasible && proposed.warning.empty() && answer.found.feasible != false)
        sentences.push_back("The nearest without this warning that is feasible and reaches it: " + at(*answer.feasible)
            + " (" + figureAt(*answer.feasible) + ").");
    if (answer.unwarned)
        sentences.push_back("The nearest that was tried without this warning: " + at(*answer.unwarned) + " ("
            + figureAt(*answer.unwarned) + ").");
    if (answer.hasGap)
        sentences.push_back("Not every value between " + at(*answer.neighbour) + " and " + at(answer.found)
            + " was tried: the search ends after so many, and one of them may reach it. Look in a smaller range.");
    if (answer.found.layout)
        sentences.push_back("Layout: " + inWords(*answer.found.layout) + ".");
    if (!answer.isMonotone)
        sentences.push_back(figure
            + (answer.outcome == SeekOutcome::Reached
                    ? " does not only rise or fall: this is the nearest value that was found, and there may be others."
                    : " does not only rise or fall: values that were not tried may come closer."));
    return sentences;
}

} // namespace fleetwright
