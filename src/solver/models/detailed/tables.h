// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/pricer.h"

#include <string>
#include <vector>

/// Where the time and the memory of one layout go, line by line. For people: allocates, computes with the very
/// functions of the engine.
namespace fleetwright::detailed {

/// One weight product, attention core or element-wise pass.
struct OperatorRow {
    std::string part; ///< "attention", "feed-forward", "shared experts", "experts", "element-wise", "host", "logits",
                      ///< "embedding", "optimizer"
    std::string name; ///< "query, key, value", "output projection"...
    std::string pass; ///< "forward", "input gradient", "weight gradient", "backward", "recomputation", "both", "update"
    std::string shape; ///< "8192 x 12288 x 4608"; empty where there is none
    double perStep = 0; ///< how often the slowest stage runs it in a step; 0 where it runs on another stage
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
    Seconds total{}, exposed{}; ///< of a step, mean over the stages
    /// What full recomputation sends again through the experts; the figures count it as computing.
    bool countsAsComputing = false;
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

/// The parts of a step, exactly: step = straggler (sum of operators (time x perStep) + sum of collectives (exposed) +
/// beyondMean + bubble) + overhead, with bubble and overhead of the figures. The figures average communication inside
/// layers over the stages, and so do the collectives here; operators are those of the slowest stage, and beyondMean is
/// what that stage's layers communicate beyond the mean.
struct Tables {
    std::vector<OperatorRow> operators;
    std::vector<CollectiveRow> collectives;
    std::vector<StageMemoryRow> stageMemory; ///< one row per pipeline stage
    std::vector<StageTimeRow> stages; ///< one row per pipeline stage
    Seconds operatorTime{}; ///< of all operators, one step
    Seconds beyondMean{};
    Figures figures;
};

/// The layout is one that the pricer's check() accepts. The figures' memory is the most of the first, second and last
/// stage, as in the specification; where dense layers reach into the second stage, a later one with more experts can
/// hold more, and its row says so.
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
/// The 1F1B schedule, interleaved with more than one virtual stage (Narayanan 2021, section 2.2), run to its end with
/// the stage times of the tables; a result reaches the next stage one hop after it is ready. At most `most`
/// microbatches, more only where interleaving needs a full round of one for each stage. Stages beyond 64 are not drawn:
/// OutOfRange "parallelism.pp". Nor are the zero-bubble schedules: UnsupportedValue "bubble_share".
[[nodiscard]] Expected<Schedule> schedule(const Pricer &pricer, const Layout &layout, int most = 64);

} // namespace fleetwright::detailed
