// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/costs/costvalidation.h"

/// Scores of published costs made by hand, for everything that shows them.
namespace fleetwright::samplescores {

inline costs::CostScore costScore(const char *id, costs::CostKind kind, double published, double computed, bool within)
{
    costs::CostScore score;
    score.row.id = id;
    score.row.name = std::string("Figure <") + id + ">";
    score.row.kind = kind;
    score.row.date = "2025-01-20";
    score.row.published = published;
    score.row.tolerance = {costs::CostTolerance::Rule::Share, 0.2};
    score.row.scope = "servers with network";
    score.row.source = {"Title of " + score.row.id, "https://example.org/" + score.row.id, "table 2", "2025-02"};
    score.computed = computed;
    score.within = within;
    score.lines = {{"Nodes", computed, dimensionOf(kind)}};
    return score;
}

/// Two powers and three purchases, of which the last two show each other's discount; the second purchase is within its
/// tolerance with it, the third without.
inline costs::CostValidation costValidation()
{
    using costs::CostKind;
    costs::CostValidation validation;
    validation.scores = {costScore("p1", CostKind::AllInPower, 1000, 1100, true),
        costScore("p2", CostKind::AllInPower, 2000, 1900, true), costScore("b1", CostKind::Purchase, 4e6, 1e7, false),
        costScore("b2", CostKind::Purchase, 1e8, 1.3e8, false), costScore("b3", CostKind::Purchase, 9e7, 1e8, true)};
    auto &scores = validation.scores;
    scores[3].discount = costs::BulkDiscount{{{"b3", "Figure <b3>", 0.9}}, 0.9};
    scores[4].discount = costs::BulkDiscount{{{"b2", "Figure <b2>", 1 / 1.3}}, 1 / 1.3};
    scores[2].quotes = {{"node_usd", "Price of a node", 164000, "USD/node", "A100 server, 2026", "2026", true,
        "Scaled from another server."}};
    validation.notScored = {{"x", "Nobody's machine", "Marked “no”: count not stated.", "no", {"Title of x"}}};
    validation.summaries = {{.kind = CostKind::AllInPower,
                                .count = 2,
                                .within = 2,
                                .withinDiscounted = 2,
                                .medianError = 0.075,
                                .meanError = 0.075,
                                .target = costs::CostTarget{"each within 15 %", true}},
        {.kind = CostKind::Purchase,
            .count = 3,
            .within = 1,
            .withinDiscounted = 2,
            .hasDiscount = true,
            .medianError = 0.3,
            .meanError = 0.637,
            .medianDiscounted = 0.17,
            .meanDiscounted = 0.6,
            .target = costs::CostTarget{"three of four", false}}};
    return validation;
}

} // namespace fleetwright::samplescores
