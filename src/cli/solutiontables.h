// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/output.h"
#include "solver/answer/solve.h"
#include "solver/validation/predictionrange.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace fleetwright::cli {

/// What became of one plan document.
struct Answer {
    std::string file;
    std::string name; ///< empty when the document could not be read
    std::optional<Error> refused;
    std::string inputHash;
    nlohmann::ordered_json estimate{}; ///< as exchange::solutionToJson
    nlohmann::ordered_json layout{}; ///< as exchange::recommendationToJson; null where the document fixes it
    std::vector<std::string> layoutInWords{};
    std::optional<Solution> solution{}; ///< absent when refused
    std::optional<validation::PredictionRange>
        range{}; ///< of the step time; absent unless the cost model was validated
    std::vector<std::string> ignoredAssumptions{}; ///< of the plan, which the cost model asked for does not know
};

/// A line per plan for people, then each plan's constraints and warnings. Refused plans are left out.
void writeTable(std::ostream &out, const std::vector<Answer> &answers);

/// A line per plan with every figure at full precision; refused plans have their error instead.
[[nodiscard]] Table csvOf(const std::vector<Answer> &answers);

} // namespace fleetwright::cli
