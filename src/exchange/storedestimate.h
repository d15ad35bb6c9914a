// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/solve.h"

#include <map>
#include <string>

namespace fleetwright::exchange {

/// What is kept of an answer, by the keys of solver/answer/figures.h, "details.<key>" and "parallelism.<degree>" too.
struct StoredEstimate {
    std::map<std::string, double, std::less<>> figures; ///< base units
    std::optional<bool> feasible; ///< nothing: not known
    bool onlyLikely = false; ///< feasible at the likely values, not at the high end of a range
    std::optional<validation::PredictionRange> range; ///< of the step time

    [[nodiscard]] std::optional<double> figure(std::string_view key) const;
    bool operator==(const StoredEstimate &) const = default;
};

[[nodiscard]] StoredEstimate storedEstimate(const Solution &solution);
/// What a project keeps of an answer: solutionToJson, compact.
[[nodiscard]] std::string storedText(const Solution &solution, const Plan &plan);
/// Reads what solutionToJson wrote, of this or an earlier version of the program: older keys become today's, and the
/// share of the step that `detailed` once called a fraction of the pipelined interval gets its own. ParseError when the
/// text is no such object.
[[nodiscard]] Expected<StoredEstimate> storedEstimateFromText(std::string_view text, std::string_view costModelId);

} // namespace fleetwright::exchange
