// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/unitsymbol.h"

#include <string>
#include <vector>

namespace fleetwright {

/// One symbol of a formula with the value that entered it.
struct FormulaInput {
    std::string symbol; ///< as the formula writes it: "B", "eta", "T_dp"
    std::string meaning; ///< "global batch, sequences"
    double value = 0; ///< base units of `dimension`
    units::Dimension dimension = units::Dimension::Number;
    /// Where the value is from: a path of the plan ("training.global_batch", "parallelism.tp",
    /// "assumptions.efficiency", "fleet.nodes", "fleet.oversubscription"); a catalog item and its field, by the field's
    /// key in that catalog ("workload.layers", "fleet.node.accelerators_per_node",
    /// "fleet.node.accelerator.peak_dense_tflops.fp16", "fleet.fabric.port_bandwidth_gb_per_s"); "published constant";
    /// or the key of another explained figure ("compute_time_s").
    std::string origin;
    bool operator==(const FormulaInput &) const = default;
};

/// How one figure of an estimate came about, so that a reader can compute it again by hand from what stands here.
struct ExplainedFigure {
    std::string key; ///< as in solutionToJson: "step_time_s", "memory.weights_bytes", "details.tp_message_bytes";
                     ///< intermediate values have keys of their own
    std::string label;
    double value = 0; ///< base units of `dimension`; equals the estimate's figure exactly
    units::Dimension dimension = units::Dimension::Number;
    std::string formula; ///< in the inputs' symbols
    std::vector<FormulaInput> inputs;
    std::string source; ///< paper, section or equation
    bool operator==(const ExplainedFigure &) const = default;
};

} // namespace fleetwright
