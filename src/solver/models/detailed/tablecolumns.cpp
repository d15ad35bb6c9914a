// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/tablecolumns.h"

#include "units/format.h"

#include <array>
#include <cmath>

namespace fleetwright::detailed {

namespace {

constexpr double micro = 1e-6, milli = 1e-3, mega = 1e6, giga = 1e9;

using O = OperatorRow;
constexpr std::array operators{
    TableColumn<O>{.title = "Part",
        .key = "part",
        .help = "The part of the model that the operator belongs to.",
        .words = [](const O &row) { return row.part; }},
    TableColumn<O>{.title = "Operator",
        .key = "name",
        .help = "What is computed.",
        .words = [](const O &row) { return row.name; }},
    TableColumn<O>{.title = "Pass",
        .key = "pass",
        .help = "Forward, one of the two products of the backward pass, or what is computed again.",
        .words = [](const O &row) { return row.pass; }},
    TableColumn<O>{.title = "Shape",
        .key = "shape",
        .help = "M \u00d7 K \u00d7 N of the product on one accelerator; tokens \u00d7 sequence and heads of attention.",
        .words = [](const O &row) { return row.shape; }},
    TableColumn<O>{.title = "Runs",
        .key = "runs_per_step",
        .help = "How often the slowest pipeline stage runs it in a step; 0: it runs on another stage.",
        .value = [](const O &row) { return row.perStep; }},
    TableColumn<O>{.title = "Work (GFLOP)",
        .key = "work_flop",
        .help = "Floating-point operations of one run on one accelerator.",
        .value = [](const O &row) { return row.work.value(); },
        .factor = giga},
    TableColumn<O>{.title = "Traffic (MB)",
        .key = "traffic_bytes",
        .help = "Bytes that one run reads from memory and writes to it.",
        .value = [](const O &row) { return row.traffic.value(); },
        .factor = mega},
    TableColumn<O>{.title = "Time (\u00b5s)",
        .key = "time_s",
        .help = "Of one run: computing and moving operands add, they overlap little.",
        .value = [](const O &row) { return row.time.value(); },
        .factor = micro},
    TableColumn<O>{.title = "Computing (\u00b5s)",
        .key = "compute_time_s",
        .help = "Part of the time that the work takes at the achieved rate.",
        .value = [](const O &row) { return row.computeTime.value(); },
        .factor = micro},
    TableColumn<O>{.title = "Bound by",
        .key = "bound_by",
        .help = "What takes the larger part of the time.",
        .words = [](const O &row) { return std::string(toString(row.bound)); }},
    TableColumn<O>{.title = "Per step (ms)",
        .key = "per_step_s",
        .help = "Time of one run times the runs of a step.",
        .value = [](const O &row) { return row.time.value() * row.perStep; },
        .factor = milli},
};

using C = CollectiveRow;
constexpr std::array collectives{
    TableColumn<C>{.title = "Group",
        .key = "group",
        .help = "Which ranks take part.",
        .words = [](const C &row) { return row.group; }},
    TableColumn<C>{.title = "Where",
        .key = "where",
        .help = "What is exchanged, and when.",
        .words = [](const C &row) { return row.where; }},
    TableColumn<C>{.title = "Algorithm",
        .key = "algorithm",
        .help = "How it is exchanged; rings within and across scale-up domains.",
        .words = [](const C &row) { return row.algorithm; }},
    TableColumn<C>{.title = "Size (MB)",
        .key = "size_bytes",
        .help = "The whole vector of one run.",
        .value = [](const C &row) { return row.size.value(); },
        .factor = mega},
    TableColumn<C>{.title = "Ranks",
        .key = "ranks",
        .help = "Members of the group.",
        .value = [](const C &row) { return double(row.ranks); }},
    TableColumn<C>{.title = "Domains",
        .key = "domains",
        .help = "Scale-up domains that the group spans.",
        .value = [](const C &row) { return double(row.domains); }},
    TableColumn<C>{.title = "Link",
        .key = "link",
        .help = "The network that the group crosses.",
        .words = [](const C &row) { return std::string(row.domains > 1 ? "scale-out" : "scale-up"); }},
    TableColumn<C>{.title = "Bus (GB/s)",
        .key = "bus_bandwidth_bytes_per_s",
        .help = "Achieved bandwidth of each rank.",
        .value = [](const C &row) { return row.busBandwidth.value(); },
        .factor = giga},
    TableColumn<C>{.title = "Runs",
        .key = "runs_per_step",
        .help = "In a step, mean over the pipeline stages.",
        .value = [](const C &row) { return row.perStep; }},
    TableColumn<C>{.title = "Time (\u00b5s)",
        .key = "time_s",
        .help = "Of one run.",
        .value = [](const C &row) { return row.time.value(); },
        .factor = micro},
    TableColumn<C>{.title = "Per step (ms)",
        .key = "total_s",
        .help = "Of all runs of a step, mean over the pipeline stages.",
        .value = [](const C &row) { return row.total.value(); },
        .factor = milli},
    TableColumn<C>{.title = "Hidden (ms)",
        .key = "hidden_s",
        .help = "Runs beside computing; less than nothing where the interference with computing costs more than the "
                "exchange.",
        .value = [](const C &row) { return (row.total - row.exposed).value(); },
        .factor = milli},
    TableColumn<C>{.title = "Exposed (ms)",
        .key = "exposed_s",
        .help = "What the step waits for.",
        .value = [](const C &row) { return row.exposed.value(); },
        .factor = milli},
    TableColumn<C>{.title = "Bound by",
        .key = "bound_by",
        .help = "The narrowest link, or latency where it takes more than half of the time.",
        .words = [](const C &row) { return std::string(toString(row.bound)); }},
};

using S = StageRow;
constexpr std::array stages{
    TableColumn<S>{.title = "Stage",
        .key = "stage",
        .help = "Pipeline stage, the first is 0.",
        .value = [](const S &row) { return double(row.memory.stage); }},
    TableColumn<S>{.title = "Layers",
        .key = "layers",
        .help = "Layers of the stage, all its virtual stages together.",
        .value = [](const S &row) { return row.memory.layers; }},
    TableColumn<S>{.title = "In flight",
        .key = "microbatches_in_flight",
        .help = "Microbatches whose activations the stage keeps at most.",
        .value = [](const S &row) { return row.memory.microbatchesInFlight; }},
    TableColumn<S>{.title = "Weights (GB)",
        .key = "weights_bytes",
        .help = "Weights of one accelerator of the stage.",
        .value = [](const S &row) { return row.memory.memory.weights.value(); },
        .factor = giga},
    TableColumn<S>{.title = "Gradients (GB)",
        .key = "gradients_bytes",
        .help = "Gradients of one accelerator.",
        .value = [](const S &row) { return row.memory.memory.gradients.value(); },
        .factor = giga},
    TableColumn<S>{.title = "Optimizer (GB)",
        .key = "optimizer_bytes",
        .help = "Optimizer states and master weights of one accelerator.",
        .value = [](const S &row) { return row.memory.memory.optimizer.value(); },
        .factor = giga},
    TableColumn<S>{.title = "Activations (GB)",
        .key = "activations_bytes",
        .help = "Kept for the backward pass, all microbatches in flight.",
        .value = [](const S &row) { return row.memory.memory.activations.value(); },
        .factor = giga},
    TableColumn<S>{.title = "Other (GB)",
        .key = "other_bytes",
        .help = "Logits of the last stage.",
        .value = [](const S &row) { return row.memory.memory.other.value(); },
        .factor = giga},
    TableColumn<S>{.title = "Allocated (GB)",
        .key = "allocated_bytes",
        .help = "The sum of the parts.",
        .value = [](const S &row) { return row.memory.memory.allocated.value(); },
        .factor = giga},
    TableColumn<S>{.title = "Device (GB)",
        .key = "device_bytes",
        .help = "What the device reports: allocated, fragmentation and context.",
        .value = [](const S &row) { return row.memory.memory.device.value(); },
        .factor = giga},
    TableColumn<S>{.title = "Forward (ms)",
        .key = "forward_s",
        .help = "Time of one microbatch, exposed communication included.",
        .value = [](const S &row) { return row.time.forward.value(); },
        .factor = milli},
    TableColumn<S>{.title = "Backward (ms)",
        .key = "backward_s",
        .help = "Time of one microbatch, recomputation and exposed communication included.",
        .value = [](const S &row) { return row.time.backward.value(); },
        .factor = milli},
};

using B = ScheduleBox;
constexpr std::array boxes{
    TableColumn<B>{.title = "Stage",
        .key = "stage",
        .help = "Pipeline stage, the first is 0.",
        .value = [](const B &box) { return double(box.stage); }},
    TableColumn<B>{.title = "Microbatch",
        .key = "microbatch",
        .help = "The first is 0.",
        .value = [](const B &box) { return double(box.microbatch); }},
    TableColumn<B>{.title = "Virtual stage",
        .key = "virtual_stage",
        .help = "Of the stage, the first is 0.",
        .value = [](const B &box) { return double(box.chunk); }},
    TableColumn<B>{.title = "Pass",
        .key = "pass",
        .help = "Forward or backward.",
        .words = [](const B &box) { return std::string(box.backward ? "backward" : "forward"); }},
    TableColumn<B>{.title = "Start (ms)",
        .key = "start_s",
        .help = "Since the step began.",
        .value = [](const B &box) { return box.start.value(); },
        .factor = milli},
    TableColumn<B>{.title = "End (ms)",
        .key = "end_s",
        .help = "Since the step began.",
        .value = [](const B &box) { return box.end.value(); },
        .factor = milli},
};

} // namespace

template <class Row> std::string TableColumn<Row>::text(const Row &row) const
{
    if (words)
        return words(row);
    const double number = value(row) / factor;
    const bool count = factor == 1 && number == std::floor(number);
    return count ? units::exact(number) : units::threeDigits(number);
}
template struct TableColumn<OperatorRow>;
template struct TableColumn<CollectiveRow>;
template struct TableColumn<StageRow>;
template struct TableColumn<ScheduleBox>;

std::vector<StageRow> stageRows(const Tables &tables)
{
    std::vector<StageRow> rows;
    for (std::size_t i = 0; i < tables.stages.size(); ++i)
        rows.push_back({tables.stageMemory[i], tables.stages[i]});
    return rows;
}

std::span<const TableColumn<OperatorRow>> operatorColumns() { return operators; }
std::span<const TableColumn<CollectiveRow>> collectiveColumns() { return collectives; }
std::span<const TableColumn<StageRow>> stageColumns() { return stages; }
std::span<const TableColumn<ScheduleBox>> scheduleColumns() { return boxes; }

std::string sumInWords(const Tables &tables, double straggler)
{
    const auto &figures = tables.figures;
    Seconds exposed{};
    for (const auto &row : tables.collectives)
        exposed += row.exposed;
    std::string text = "Operators of the slowest stage " + units::format(tables.operatorTime);
    const auto add = [&text](const char *what, Seconds time) {
        if (std::abs(time.value()) > 1e-9)
            text += std::string(time < Seconds{} ? " \u2212 " : " + ") + what + ' '
                + units::format(std::abs(time.value()), units::Dimension::Time);
    };
    add("exposed communication", exposed);
    add("what the slowest stage communicates beyond the mean", tables.beyondMean);
    add("pipeline bubble", figures.bubbleTime);
    if (straggler != 1)
        text = "(" + text + ") \u00d7 straggler factor " + units::threeDigits(straggler);
    add("fixed time per step", figures.overheadTime);
    return text + " = step " + units::format(figures.stepTime) + ".";
}

std::string inWords(const Schedule &schedule, std::int64_t virtualStages)
{
    std::string text = std::to_string(schedule.stages) + (schedule.stages == 1 ? " stage, " : " stages, ");
    if (virtualStages > 1)
        text += std::to_string(virtualStages) + " virtual stages each, ";
    text += schedule.shownMicrobatches < schedule.microbatches
        ? "the first " + std::to_string(schedule.shownMicrobatches) + " of " + std::to_string(schedule.microbatches)
            + " microbatches, "
        : std::to_string(schedule.microbatches) + (schedule.microbatches == 1 ? " microbatch, " : " microbatches, ");
    return text + (virtualStages > 1 ? "interleaved 1F1B" : "1F1B") + ": " + units::format(schedule.length) + ", "
        + units::formatPercent(schedule.bubbleFraction) + " of it idle.";
}

} // namespace fleetwright::detailed
