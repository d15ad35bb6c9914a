// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/tables.h"

#include "solver/models/detailed/step.h"
#include "solver/models/detailed/tableparts.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::detailed {

namespace {

constexpr int mostStages = 64;

struct Slot {
    int microbatch = 0, chunk = 0;
    bool backward = false;
};

/// What one stage does, in order: as many forward passes as its successors need to be busy, then one forward and one
/// backward in turn, then the backward passes that are left. Interleaved, microbatches advance in rounds of one for
/// each stage, chunk by chunk (Narayanan 2021, section 2.2 and figure 4).
std::vector<Slot> orderOf(int stage, int stages, int chunks, int microbatches)
{
    const int total = microbatches * chunks;
    const int warmUp = std::min(
        total, chunks == 1 ? stages - 1 - stage : 2 * (stages - 1 - stage) + (chunks - 1) * stages);
    const auto at = [&](int k, bool backward) {
        if (chunks == 1)
            return Slot{k, 0, backward};
        const int round = k / (stages * chunks), inRound = k % (stages * chunks);
        const int chunk = inRound / stages;
        return Slot{round * stages + inRound % stages, backward ? chunks - 1 - chunk : chunk, backward};
    };
    std::vector<Slot> order;
    order.reserve(static_cast<std::size_t>(2 * total));
    for (int k = 0; k < warmUp; ++k)
        order.push_back(at(k, false));
    for (int k = warmUp; k < total; ++k) {
        order.push_back(at(k, false));
        order.push_back(at(k - warmUp, true));
    }
    for (int k = total - warmUp; k < total; ++k)
        order.push_back(at(k, true));
    return order;
}

/// Runs every stage's order; a step starts when its stage is free and its input has arrived.
std::vector<ScheduleBox> run(int stages, int chunks, int microbatches, const ChunkTimes &times, double hop)
{
    std::vector<std::vector<Slot>> orders;
    for (int stage = 0; stage < stages; ++stage)
        orders.push_back(orderOf(stage, stages, chunks, microbatches));
    constexpr double notYet = -1;
    std::vector<double> ends(static_cast<std::size_t>(2 * stages * chunks * microbatches), notYet);
    const auto end = [&](int stage, int chunk, int microbatch, bool backward) -> double & {
        return ends[static_cast<std::size_t>(
            ((backward ? 1 : 0) * stages * chunks + chunk * stages + stage) * microbatches + microbatch)];
    };
    /// When the input of a step is there; notYet while what produces it has not run. The model is a chain of chunks x
    /// stages links.
    const auto arrival = [&](int stage, const Slot &step) {
        const int link = step.chunk * stages + stage, lastLink = stages * chunks - 1;
        const int before = step.backward ? link + 1 : link - 1;
        double ready = 0;
        if (before >= 0 && before <= lastLink) {
            const double produced = end(before % stages, before / stages, step.microbatch, step.backward);
            if (produced < 0)
                return notYet;
            ready = produced + (stages > 1 ? hop : 0);
        }
        if (step.backward) {
            const double kept = end(stage, step.chunk, step.microbatch, false);
            if (kept < 0)
                return notYet;
            ready = std::max(ready, kept);
        }
        return ready;
    };
    std::vector<std::size_t> next(static_cast<std::size_t>(stages), 0);
    std::vector<double> free(static_cast<std::size_t>(stages), 0);
    std::vector<ScheduleBox> boxes;
    for (bool moved = true; moved;) {
        moved = false;
        for (int stage = 0; stage < stages; ++stage) {
            const auto &order = orders[static_cast<std::size_t>(stage)];
            auto &position = next[static_cast<std::size_t>(stage)];
            for (; position < order.size(); ++position) {
                const auto &step = order[position];
                const double ready = arrival(stage, step);
                if (ready < 0)
                    break;
                const double start = std::max(ready, free[static_cast<std::size_t>(stage)]);
                const double stop = start
                    + (step.backward ? times.backward
                                     : times.forward)[static_cast<std::size_t>(stage * chunks + step.chunk)];
                end(stage, step.chunk, step.microbatch, step.backward) = stop;
                free[static_cast<std::size_t>(stage)] = stop;
                boxes.push_back({.stage = stage,
                    .microbatch = step.microbatch,
                    .chunk = step.chunk,
                    .backward = step.backward,
                    .start = Seconds::from_value(start),
                    .end = Seconds::from_value(stop)});
                moved = true;
            }
        }
    }
    return boxes;
}

ChunkTimes chunkTimes(const Pricer &pricer, const Layout &layout, const std::vector<StageTimeRow> &rows)
{
    const auto &in = pricer.prepared();
    LayerRecorder seen;
    const auto prices = layerPrices(in, pricer.setting(), keyOf(in, layout), seen);
    const auto ends = endTimes(in, prices, seen);
    ChunkTimes times;
    times.chunks = int(layout.virtualStages);
    for (const auto &row : rows) {
        const bool first = row.stage == 0, last = row.stage + 1 == int(rows.size());
        const double forward = row.forward.value() - (first ? ends.embeddingForward : 0)
            - (last ? ends.logitsForward : 0);
        const double backward = row.backward.value() - (first ? ends.embeddingBackward : 0)
            - (last ? ends.logitsBackward : 0);
        for (int chunk = 0; chunk < times.chunks; ++chunk) {
            const bool input = first && chunk == 0, output = last && chunk + 1 == times.chunks;
            times.forward.push_back(std::max(0.0, forward) / times.chunks + (input ? ends.embeddingForward : 0)
                + (output ? ends.logitsForward : 0));
            times.backward.push_back(std::max(0.0, backward) / times.chunks + (input ? ends.embeddingBackward : 0)
                + (output ? ends.logitsBackward : 0));
        }
    }
    return times;
}

} // namespace

Schedule runSchedule(const ChunkTimes &times, int stages, int microbatches, double hop)
{
    Schedule result{.stages = stages, .microbatches = microbatches, .shownMicrobatches = microbatches};
    result.boxes = run(stages, times.chunks, microbatches, times, hop);
    Seconds busy{};
    for (const auto &box : result.boxes) {
        result.length = std::max(result.length, box.end);
        busy += box.end - box.start;
    }
    if (result.length > Seconds{})
        result.bubbleFraction = 1 - busy.value() / (result.length.value() * stages);
    std::stable_sort(result.boxes.begin(), result.boxes.end(),
        [](const ScheduleBox &a, const ScheduleBox &b) { return a.start < b.start; });
    return result;
}

Expected<Schedule> schedule(const Pricer &pricer, const Layout &layout, int most)
{
    if (layout.pp > mostStages)
        return refuse(ErrorCode::OutOfRange, "parallelism.pp",
            "The schedule of more than " + std::to_string(mostStages)
                + " stages is not drawn; the tables hold every stage.");
    if (pricer.setting().bubbleShare != 1)
        return refuse(ErrorCode::UnsupportedValue, "bubble_share",
            "The schedule is drawn for 1F1B and interleaved 1F1B, not for the zero-bubble schedules.");
    const auto answer = tables(pricer, layout);
    const int stages = int(layout.pp), chunks = int(layout.virtualStages);
    const double microbatches = std::ceil(answer.figures.microbatches);
    int shown = int(std::min(microbatches, double(std::max(1, most))));
    if (chunks > 1)
        shown = std::max(stages, shown / stages * stages); // interleaving advances in full rounds
    const auto &in = pricer.prepared();
    const auto parts = stepOf(in, pricer.setting(), layout, layerPrices(in, pricer.setting(), keyOf(in, layout)));

    auto result = runSchedule(chunkTimes(pricer, layout, answer.stages), stages, shown, parts.hop);
    result.microbatches = int(std::min(microbatches, 1e9));
    return result;
}

} // namespace fleetwright::detailed
