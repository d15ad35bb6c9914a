// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/size.h"

/// An answer made by hand, for what words, writes and shows answers.
namespace sizesample {

using namespace fleetwright;

inline DecisionDocument question()
{
    DecisionDocument document{.name = "70B in 30 days", .costModelId = "detailed"};
    document.jobs.push_back({.workload = std::string("llama3_1_70b"), .tokens = 15e12});
    document.jobs.front().training.globalBatch = 2048;
    document.limits.plan.deadline = Seconds::from_value(30 * 86400.0);
    document.limits.plan.facilityPower = Watts::from_value(10e6);
    document.baseCase = FleetDocument{
        .node = std::string("nvidia_dgx_h100"), .nodes = 128, .fabric = std::string("ib_ndr")};
    return document;
}

inline size::Lot lot(const char *nodeId, const char *node, const char *fabric)
{
    return {.fleet = {.node = std::string(nodeId), .nodes = 1, .fabric = std::string("ib_xdr")},
        .node = node,
        .nodeId = nodeId,
        .accelerator = "B200",
        .fabric = fabric,
        .acceleratorsPerNode = 8};
}

inline size::Answer answer(std::size_t lot, int nodes, double days, double runCost, double watts)
{
    size::Answer answer{.lot = lot, .nodes = nodes, .accelerators = nodes * 8};
    answer.jobs.push_back({.layout = {.tp = 4, .pp = 2, .dp = nodes, .microbatchSize = 1},
        .globalBatch = 2048,
        .stepSeconds = 2.5,
        .mfu = 0.41,
        .memoryBytes = 150e9,
        .memoryShare = 0.79,
        .tokens = 15e12,
        .days = days,
        .bestStepSeconds = 2.48});
    answer.figures.days = days;
    answer.figures.runCostUsd = runCost;
    answer.figures.capitalUsd = 262e6;
    answer.figures.yearlyUsd = 70e6;
    answer.figures.facilityWatts = watts;
    answer.figures.carbonKg = 2.1e6;
    answer.figures.energyKwh = 6e6;
    answer.figures.goodput = 0.9;
    return answer;
}

/// B200 wins, H200 keeps the limits too, H100 misses both; the base case is of the same lot.
inline size::Result feasible()
{
    size::Result result{.costModelId = "detailed",
        .costModelVersion = "3.0",
        .objective = DecisionObjective::RunCost,
        .frontAxes = {DecisionObjective::Days, DecisionObjective::RunCost}};
    result.lots = {lot("nvidia_dgx_b200", "DGX B200", "InfiniBand XDR"),
        lot("nvidia_dgx_h200", "DGX H200", "InfiniBand NDR"), lot("nvidia_dgx_h100", "DGX H100", "InfiniBand NDR")};
    result.answers.push_back({answer(0, 512, 26.1, 9.9e6, 9.4e6), {}});
    result.answers.push_back({answer(1, 768, 29.0, 10.6e6, 9.9e6), {}});
    auto h100 = answer(2, 640, 38.9, 11.8e6, 11.2e6);
    h100.misses = {{size::SizeLimit::Deadline, 38.9, 30}, {size::SizeLimit::Power, 11.2e6, 10e6}};
    result.answers.push_back(
        {h100, {{size::SizeLimit::Deadline, 44.6, 2, 570}, {size::SizeLimit::Power, 14.6e6, 2, 832}}});
    result.front = {result.answers[0].answer};
    result.baseCase = answer(2, 128, 191.0, 12.5e6, 2.2e6);
    result.baseCase->misses = {{size::SizeLimit::Deadline, 191.0, 30}};
    result.baseLot = 2;
    result.counts = {.fleets = 1204, .useless = 312, .lots = 3};
    return result;
}

/// Nothing meets 10 MW and 30 days.
inline size::Result infeasible()
{
    auto result = feasible();
    result.answers.erase(result.answers.begin(), result.answers.begin() + 2);
    result.front.clear();
    result.remedies = {{size::SizeLimit::Deadline, 33.6, 0, 96}, {size::SizeLimit::Power, 11.2e6, 0, 112}};
    return result;
}

} // namespace sizesample
