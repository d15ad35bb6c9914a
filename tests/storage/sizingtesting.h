// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/size.h"
#include "storage/project.h"

#include <cmath>

/// Decisions over the shipped catalog.
namespace sizingtesting {

using namespace fleetwright;

inline const Catalog &shipped()
{
    static const auto catalog = storage::shippedCatalog().value();
    return catalog;
}

/// An 8B model on up to 24 nodes of three kinds.
inline DecisionDocument smallDecision()
{
    DecisionDocument document{.name = "8B", .costModelId = "detailed"};
    DecisionJob job;
    job.workload = "llama3_1_8b";
    job.tokens = 1e12;
    job.training = {.globalBatch = 256,
        .microbatchCount = std::nullopt,
        .microbatchSize = 1,
        .sequenceLength = 8192,
        .precision = Precision::Bf16};
    document.jobs = {job};
    document.candidates.nodes = {"nvidia_dgx_h100", "nvidia_dgx_b200", "amd_mi300x_8gpu"};
    document.candidates.mostNodes = 24;
    document.candidates.paying = {{Paying::Own, RentTerm::OnDemand}, {Paying::Rent, RentTerm::OnDemand}};
    document.limits.plan.deadline = 60.0 * day;
    return document;
}

inline bool isNear(double left, double right) { return std::abs(left - right) <= 1e-9 * std::abs(right); }

inline size::Result sized(const DecisionDocument &document, const size::Control &control = {})
{
    auto result = size::run(document, shipped(), {}, control);
    if (!result)
        qFatal("%s: %s", result.error().field.c_str(), result.error().message.c_str());
    return std::move(*result);
}

} // namespace sizingtesting
