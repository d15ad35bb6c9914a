// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/storedestimate.h"

#include "exchange/plandocuments.h"
#include "exchange/textreader.h"
#include "exchange/validationdata.h"
#include "solver/answer/figures.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace fleetwright::exchange {

namespace {

/// Numbers at any depth, under the path that leads to them.
void addNumbers(const Json &json, const std::string &prefix, std::map<std::string, double, std::less<>> &figures)
{
    for (const auto &[name, value] : json.items()) {
        const auto path = prefix + name;
        if (value.is_number())
            figures.emplace(currentKey(path), value.get<double>());
        else if (value.is_object() && path != "step_time_range")
            addNumbers(value, path + '.', figures);
    }
}

/// Earlier versions wrote no share of the step, and as the published fraction what `detailed` gave as one.
void separateBubbles(StoredEstimate &estimate, std::string_view costModelId)
{
    if (estimate.figure("bubble_share_of_step"))
        return;
    if (costModelId == "detailed")
        estimate.figures.erase("bubble_fraction");
    const auto bubble = estimate.figure("bubble_time_s"), step = estimate.figure("step_time_s");
    if (bubble && step && *step > 0)
        estimate.figures["bubble_share_of_step"] = *bubble / *step;
}

} // namespace

std::optional<double> StoredEstimate::figure(std::string_view key) const
{
    const auto found = figures.find(key);
    return found == figures.end() ? std::nullopt : std::optional(found->second);
}

StoredEstimate storedEstimate(const Solution &solution)
{
    StoredEstimate estimate{.figures = {},
        .feasible = feasibility(solution),
        .onlyLikely = isOnlyLikely(solution),
        .range = solution.range};
    const auto add = [&](std::string_view key, std::optional<double> value) {
        if (value && std::isfinite(*value))
            estimate.figures.emplace(key, *value);
    };
    for (const auto &figure : allFigures())
        add(figure.key, figure.value(solution));
    if (const auto model = findCostModel(solution.costModelId))
        for (const auto &own : ownFigures(**model))
            add(own.key, solution.estimate.details[own.index]);
    return estimate;
}

std::string storedText(const Solution &solution, const Plan &plan) { return solutionToJson(solution, plan).dump(); }

Expected<StoredEstimate> storedEstimateFromText(std::string_view text, std::string_view costModelId)
{
    constexpr TextLimits limits{.bytes = 4UZ * 1024 * 1024};
    const auto json = readJson(text, limits);
    if (!json)
        return std::unexpected(json.error());
    if (!json->is_object())
        return refuse(ErrorCode::ParseError, "estimate", "The saved answer is no object; solve the plan again.");
    StoredEstimate estimate;
    addNumbers(*json, {}, estimate.figures);
    separateBubbles(estimate, costModelId);
    if (const auto feasible = json->find("feasible"); feasible != json->end() && feasible->is_boolean())
        estimate.feasible = feasible->get<bool>();
    if (const auto trace = json->find("trace"); trace != json->end() && trace->is_array())
        estimate.onlyLikely = estimate.feasible == true && std::ranges::any_of(*trace, [](const Json &line) {
            return line.is_object() && line.contains("only_likely") && line["only_likely"] == true;
        });
    if (const auto range = json->find("step_time_range"); range != json->end())
        estimate.range = rangeFromJson(*range);
    return estimate;
}

} // namespace fleetwright::exchange
