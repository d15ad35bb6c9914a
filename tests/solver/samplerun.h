// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/measuredrun.h"

/// A measured run in which every value is valid; tests change one thing at a time.
namespace samplerun {

inline fleetwright::validation::MeasuredRun run(
    const std::string &id, double seconds, std::int64_t tp = 8, std::int64_t microbatch = 1)
{
    fleetwright::validation::MeasuredRun made;
    made.id = id;
    made.accelerator = "A100-SXM-80GB";
    made.accelerators = 64;
    made.acceleratorsPerNode = 8;
    made.framework = "Megatron-Core";
    made.model.name = "13B";
    made.model.layers = 40;
    made.model.hidden = 5120;
    made.model.heads = 40;
    made.model.vocabulary = 51200;
    made.sequenceLength = 2048;
    made.globalBatch = 512;
    made.microbatch = microbatch;
    made.tp = tp;
    made.pp = 1;
    made.precision = "bf16";
    made.recompute = "none";
    made.measured.stepTime = fleetwright::Seconds::from_value(seconds);
    return made;
}

} // namespace samplerun
