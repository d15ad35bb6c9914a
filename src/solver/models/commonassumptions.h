// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/assumptions.h"

/// Assumptions that several cost models make alike; each model has its own default.
namespace fleetwright::planners {

[[nodiscard]] inline AssumptionDescriptor stragglerFactor(double published, std::string group)
{
    return {.key = "straggler_factor",
        .label = "Straggler factor",
        .description = "How much longer the whole step takes because of its slowest participant.",
        .defaultValue = published,
        .minimum = 1,
        .maximum = 100,
        .source = "Dean, Barroso 2013: The Tail at Scale; 1 is no stragglers",
        .group = std::move(group)};
}

[[nodiscard]] inline AssumptionDescriptor routingImbalance(double published, std::string group)
{
    return {.key = "moe_imbalance_factor",
        .label = "Expert routing imbalance",
        .description = "Load of the busiest expert over the mean.",
        .defaultValue = published,
        .minimum = 1,
        .maximum = 1000,
        .source = "Fedus 2022: Switch Transformers; 1 is balanced",
        .group = std::move(group)};
}

[[nodiscard]] inline AssumptionDescriptor adamMoments(double publishedBytes, std::string source, std::string group)
{
    return {.key = "optimizer_bytes",
        .label = "Optimizer state per parameter",
        .description = "Two 32-bit moments of Adam.",
        .defaultValue = publishedBytes,
        .dimension = units::Dimension::Information,
        .unit = "B",
        .minimum = 0.001,
        .maximum = 1000,
        .source = std::move(source),
        .group = std::move(group)};
}

} // namespace fleetwright::planners
