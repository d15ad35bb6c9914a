// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/detailed/pricer.h"

#include <string>
#include <vector>

/// Where the time and the memory of one layout go, line by line. For people: allocates, computes with the very functions of the engine.
namespace fleetwright::detailed {

/// One weight product, attention core or element-wise pass.
struct OperatorRow {
    std::string part; ///< "attention", "feed-forward", "shared experts", "experts", "element-wise", "logits", "embedding", "optimizer"
    std::string name; ///< "query, key, value", "output projection"...
    std::string pass; ///< "forward", "input gradient", "weight gradient", "backward", "recomputation", "update"
    std::string shape; ///< "8192 x 12288 x 4608"; empty where there is none
    double perStep = 0; ///< how often the busiest stage runs it in a step
    Flops work{}; ///< of one run on one accelerator
    Bytes traffic{};
    Seconds computeTime{}, memoryTime{}; ///< of one run; they add up to `time` where the engine adds them
    Seconds time{}; ///< of one run
    Bound bound = Bound::Compute;
};

/// One kind of collective.
struct CollectiveRow {
    std::string group; ///< "TP", "CP", "EP", "DP", "expert DP", "PP", "embedding"
    std::string where; ///< "layer forward", "layer backward", "gradients", "parameters", "between stages"...
    std::string algorithm; ///< "all-gather and reduce-scatter", "ring all-reduce", "all-to-all", "point to point"...
    Bytes size{}; ///< the whole vector of one run
    std::int64_t ranks = 1, domains = 1; ///< members, and scale-up domains they span
    Bandwidth busBandwidth{}; ///< achieved, per rank
    double perStep = 0;
    Seconds time{}; ///< of one run
    Seconds total{}, exposed{}; ///< of a step
    Bound bound = Bound::ScaleUp;
};

/// Memory of one pipeline stage's accelerators by part.
struct StageMemoryRow {
    int stage = 0; ///< from 0
    double layers = 0;
    double microbatchesInFlight = 0;
    MemoryFigures memory;
};

/// Time of one pipeline stage, one microbatch.
struct StageTimeRow {
    int stage = 0;
    double layers = 0;
    Seconds forward{}, backward{};
};

struct Tables {
    std::vector<OperatorRow> operators;
    std::vector<CollectiveRow> collectives;
    std::vector<StageMemoryRow> stageMemory; ///< one row per pipeline stage
    std::vector<StageTimeRow> stages;
    Figures figures;
};

[[nodiscard]] Tables tables(const Pricer &pricer, const Layout &layout);

/// One box of the pipeline schedule picture.
struct ScheduleBox {
    int stage = 0; ///< row
    int microbatch = 0; ///< from 0
    int chunk = 0; ///< virtual stage, from 0
    bool backward = false;
    Seconds start{}, end{};
};
struct Schedule {
    int stages = 1;
    int microbatches = 1;
    int shownMicrobatches = 1; ///< fewer than microbatches where all of them could not be drawn
    Seconds length{};
    double bubbleFraction = 0; ///< idle share of all rows in `length`
    std::vector<ScheduleBox> boxes; ///< by start
};
/// The 1F1B schedule, interleaved with more than one virtual stage (Narayanan 2021, section 2.2), run to its end with the stage times of the
/// tables. At most `most` microbatches; stages beyond 64 are not drawn: OutOfRange "parallelism.pp".
[[nodiscard]] Expected<Schedule> schedule(const Pricer &pricer, const Layout &layout, int most = 64);

} // namespace fleetwright::detailed
