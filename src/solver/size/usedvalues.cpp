// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/usedvalues.h"

#include "solver/models/costmodel.h"
#include "solver/operations/operations.h"
#include "solver/size/decisionrisk.h"
#include "solver/worksheet/usedprices.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::size {

namespace {

constexpr std::string_view thisProject = "this project", runsKey = "Measured runs"; ///< whose runs move ranges

bool isOf(const UsedValue &a, const UsedValue &b) { return a.subject == b.subject && a.key == b.key; }

bool has(const std::vector<UsedValue> &values, const UsedValue &value)
{
    return std::ranges::any_of(values, [&](const UsedValue &other) { return isOf(other, value); });
}

const AssumptionDescriptor *descriptorOf(std::string_view subject, std::string_view key)
{
    if (const auto model = findCostModel(subject))
        for (const auto descriptors : {(*model)->assumptions(), operationsAssumptions()})
            for (const auto &descriptor : descriptors)
                if (key == descriptor.key || key == descriptor.planningDefault)
                    return &descriptor;
    return nullptr;
}

/// What counts where the project says nothing: the constants of a cost model have a value without any entry.
std::optional<double> withoutEntry(const UsedValue &value)
{
    const auto *descriptor = descriptorOf(value.subject, value.key);
    const auto *number = descriptor ? std::get_if<double>(&descriptor->defaultValue) : nullptr;
    return number ? std::optional(*number) : std::nullopt;
}

void addFleetOf(std::vector<UsedValue> &values, const Lot &lot, const FleetDocument &document, const Catalog &catalog,
    const std::string &role)
{
    const auto fleet = resolve(document, catalog);
    if (!fleet)
        return;
    const auto subject = role + (lot.label.empty() ? lot.node : lot.label)
        + (lot.site.empty() ? std::string() : ", " + lot.site);
    const auto add = [&](std::string_view entry, const CostFigure &figure) {
        const UsedValue used{
            subject, std::string(entry), figure.likely, figure.low, figure.high, figure.source, figure.date};
        if (figure.word.empty() && !has(values, used)) // what the fleet states comes first
            values.push_back(used);
    };
    for (const auto &figure : (*fleet)->costs.figures)
        add(figure.entry, figure);
    const auto &parts = (*fleet)->costs.network;
    for (const auto &[entry, part] :
        {std::pair("switch_usd", &parts.switchPart), {"out_of_band_switch_usd", &parts.managementSwitch},
            {"transceiver_usd", &parts.switchTransceiver}, {"node_transceiver_usd", &parts.nodeTransceiver}})
        if (*part && (*part)->price)
            add(entry, *(*part)->price);
}

void addFleets(std::vector<UsedValue> &values, const Result &result, const Answer &answer, const Catalog &catalog,
    const std::string &role = {})
{
    addFleetOf(values, result.lots[answer.lot], fleetOf(result, answer), catalog, role);
    if (const auto second = secondFleetOf(result, answer))
        addFleetOf(values, result.lots[answer.second->lot], *second, catalog, role);
}

} // namespace

PredictedRanges predictedRanges(const HowSure &sure)
{
    PredictedRanges ranges;
    const auto *winner = sure.of(0);
    if (!winner)
        return ranges;
    const auto range = [&](uncertainty::RiskFigure figure) -> std::optional<PredictedRange> {
        const auto &spread = winner->spread(figure);
        if (!spread || !std::isfinite(spread->quantiles.p90))
            return std::nullopt;
        const auto shown = spread->range();
        return PredictedRange{shown.p10, shown.p90};
    };
    ranges.days = range(uncertainty::RiskFigure::Days);
    ranges.runCostUsd = range(uncertainty::RiskFigure::RunCost);
    ranges.capitalUsd = range(uncertainty::RiskFigure::Capital);
    if (winner->deadline)
        ranges.deadlineChance = winner->deadline->share;
    ranges.bestShare = winner->best.share;
    return ranges;
}

std::vector<UsedValue> usedValues(const DecisionDocument &document, const Result &result, const Catalog &catalog)
{
    std::vector<UsedValue> values;
    int added = 0;
    constexpr int winnerAndRunnerUp = 2;
    for (const auto *row : result.byNode())
        if (row->answer.isFeasible() && added < winnerAndRunnerUp) {
            addFleets(values, result, row->answer, catalog);
            ++added;
        }
    if (result.baseCase)
        addFleets(values, result, *result.baseCase, catalog, "base case: "); // which may have prices of its own
    if (const auto project = withProjectValues({}, catalog)) {
        const auto add = [&](const std::string &key, double value) {
            values.push_back({.subject = document.costModelId, .key = key, .value = value});
        };
        for (const auto &[key, value] : project->planning)
            add(key, value);
        for (const auto &[key, value] : project->calibrated)
            add(key, value);
    }
    return values;
}

std::vector<UsedValue> usedRuns(const std::vector<std::optional<Seconds>> &stepTimes)
{
    const std::string subject(thisProject);
    std::vector<UsedValue> values{{.subject = subject, .key = std::string(runsKey), .value = double(stepTimes.size())}};
    double sum = 0;
    int stated = 0;
    for (const auto &time : stepTimes)
        if (time) {
            sum += time->value();
            ++stated;
        }
    if (stated > 0)
        values.push_back({.subject = subject, .key = "Mean measured step time [s]", .value = sum / stated});
    return values;
}

std::vector<ValueChange> changesBetween(const std::vector<UsedValue> &then, const std::vector<UsedValue> &now)
{
    std::vector<ValueChange> changes;
    for (const auto &old : then) {
        const auto found = std::ranges::find_if(now, [&](const UsedValue &value) { return isOf(value, old); });
        if (found == now.end())
            changes.push_back({old.subject, old.key, old.value, withoutEntry(old), old.source});
        else if (found->value != old.value)
            changes.push_back({old.subject, old.key, old.value, found->value, found->source});
    }
    // Approvals that froze nothing of the runs say nothing about them.
    const bool knowsRuns = std::ranges::any_of(
        then, [](const UsedValue &value) { return value.subject == thisProject; });
    for (const auto &value : now)
        if (!has(then, value) && (knowsRuns || value.subject != thisProject))
            changes.push_back({value.subject, value.key, withoutEntry(value), value.value, value.source});
    // Other runs have another mean: where there are more or fewer that is one input that changed, not two.
    const auto isOfRuns = [](const ValueChange &change) { return change.subject == thisProject; };
    if (std::ranges::any_of(
            changes, [&](const ValueChange &change) { return isOfRuns(change) && change.key == runsKey; }))
        std::erase_if(changes, [&](const ValueChange &change) { return isOfRuns(change) && change.key != runsKey; });
    return changes;
}

bool isOfRuns(const ValueChange &change) { return change.subject == thisProject; }

std::string valueInWords(const ValueChange &change)
{
    const auto *descriptor = descriptorOf(change.subject, change.key);
    return descriptor ? descriptor->label : std::string(entryInWords(change.key));
}

std::string subjectInWords(const ValueChange &change)
{
    const auto model = findCostModel(change.subject);
    return model ? std::string((*model)->title()) : change.subject;
}

} // namespace fleetwright::size
