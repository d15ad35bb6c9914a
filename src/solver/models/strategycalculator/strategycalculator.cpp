// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/strategycalculator/strategycalculator.h"

#include "domain/rules.h"
#include "solver/blocks/pipelinebubble.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fleetwright::strategycalculator {

namespace {

constexpr std::array<std::int64_t, 4> tpChoices{1, 2, 4, 8};
constexpr std::array<std::int64_t, 5> ppChoices{1, 2, 4, 8, 16};

std::string count(double value) { return units::format(value, units::Dimension::Number); }

std::string plural(std::int64_t number, const std::string &one, const std::string &many)
{
    return std::to_string(number) + " " + (number == 1 ? one : many);
}

std::unexpected<Error> refuseBatch(std::int64_t batch, std::int64_t pp)
{
    return refuse(ErrorCode::OutOfRange, "batch",
        "The global batch of " + std::to_string(batch) + " is smaller than the " + std::to_string(pp)
            + " pipeline stages; use a batch of at least " + std::to_string(pp) + ".");
}

std::vector<std::string> reasonsFor(const Row &row, const Inputs &inputs)
{
    std::vector<std::string> reasons;
    const auto node = std::to_string(inputs.acceleratorsPerNode);
    if (row.tp == 1)
        reasons.push_back("TP 1: no layer is cut, so there are no tensor-parallel messages.");
    else if (row.tpInsideNode)
        reasons.push_back("TP " + std::to_string(row.tp) + " stays inside a node of " + node
            + ", so its messages use the fast links.");
    else
        reasons.push_back("TP " + std::to_string(row.tp) + " spans nodes of " + node
            + ", so its messages cross the fabric; a smaller TP would be better.");
    const auto layersPerStage = inputs.layers / row.pp;
    if (row.pp == 1)
        reasons.push_back("PP 1: every accelerator holds all " + plural(inputs.layers, "layer", "layers")
            + " and there is no bubble.");
    else
        reasons.push_back("PP " + std::to_string(row.pp) + " gives each stage "
            + plural(layersPerStage, "layer", "layers") + "; with "
            + plural(row.microbatches, "microbatch", "microbatches") + " " + units::formatPercent(*row.bubble)
            + " of the pipelined interval is bubble.");
    if (row.dp == 1)
        reasons.push_back("DP 1: all accelerators hold one copy of the model, so no gradients are exchanged, and the "
                          "optimizer states are not sharded.");
    else
        reasons.push_back("DP " + std::to_string(row.dp) + " trains " + std::to_string(row.dp)
            + " copies side by side and divides the optimizer states by " + std::to_string(row.dp) + ".");
    reasons.push_back("Of the rows that fit it moves the fewest bytes: " + units::format(row.volume)
        + " per step, with " + units::format(row.memory) + " of " + units::format(inputs.capacity)
        + " per accelerator.");
    if (row.idleAccelerators > 0)
        reasons.push_back(plural(row.idleAccelerators, "accelerator", "accelerators") + " of "
            + std::to_string(inputs.accelerators) + " would stay idle: TP \u00d7 PP does not divide them.");
    return reasons;
}

std::vector<std::string> whatToTry(const Table &table, const Inputs &inputs)
{
    const auto least = std::ranges::min_element(table.rows, {}, [](const Row &row) { return row.memory.value(); });
    return {"No row fits: the smallest, TP " + std::to_string(least->tp) + ", PP " + std::to_string(least->pp) + ", DP "
            + std::to_string(least->dp) + ", needs " + units::format(least->memory) + " where "
            + units::format(inputs.constants.memoryShare * inputs.capacity) + " ("
            + units::formatPercent(inputs.constants.memoryShare) + " of " + units::format(inputs.capacity)
            + ") may be used.",
        "Try more accelerators (a larger TP \u00d7 PP divides the model further), accelerators with more memory, a "
        "smaller batch or shorter sequences, or other model dimensions."};
}

std::vector<std::string> adviceFor(const Table &table, const Inputs &inputs)
{
    const auto &constants = inputs.constants;
    const double perRank = double(inputs.experts) / double(constants.expertRanks);
    std::vector<std::string> advice{
        "With EP " + std::to_string(constants.expertRanks) + " an accelerator holds " + count(perRank) + " of the "
            + std::to_string(inputs.experts) + " experts of each layer.",
        "Every mixture-of-experts layer then needs two all-to-alls: one sends the tokens to their experts, one brings "
        "the results back.",
        "EP keeps the matrices of an expert whole, so its matrix products stay large; TP slices them.",
    };
    const auto tp = table.recommended ? table.rows[*table.recommended].tp : 1;
    if (double(inputs.experts) >= constants.expertsPreferred * double(tp))
        advice.push_back("Prefer EP here: the " + std::to_string(inputs.experts) + " experts far outnumber TP "
            + std::to_string(tp) + ".");
    else
        advice.push_back("EP gains little here: the " + std::to_string(inputs.experts)
            + " experts do not far outnumber TP " + std::to_string(tp) + ".");
    return advice;
}

} // namespace

Expected<void> check(const Inputs &inputs)
{
    const auto &constants = inputs.constants;
    constexpr double mostCount = 1e9;
    rules::Checker rule("");
    const auto positive = [&rule](std::string_view field, std::string_view label, double value) {
        if (!(std::isfinite(value) && value > 0))
            rule.fail(ErrorCode::OutOfRange, field, std::string(label) + " must be a finite number greater than zero.");
    };
    positive("params_billions", "The number of parameters", inputs.parameters);
    rule.within("hidden", "The hidden size", double(inputs.hidden), 1, mostCount);
    rule.within("layers", "The number of layers", double(inputs.layers), 1, mostCount);
    rule.within("vocab", "The size of the vocabulary", double(inputs.vocabulary), 1, mostCount);
    positive("ffn_ratio", "The ratio of the FFN size to the hidden size", inputs.ffnRatio);
    if (inputs.mixtureOfExperts)
        rule.within("experts", "The number of experts", double(inputs.experts), 1, mostCount);
    rule.within("gpus", "The number of accelerators", double(inputs.accelerators), 1, mostCount);
    positive("gpu_memory_gb", "The memory of an accelerator", inputs.capacity.value());
    rule.within(
        "gpus_per_node", "The number of accelerators per node", double(inputs.acceleratorsPerNode), 1, mostCount);
    rule.within("batch", "The global batch", double(inputs.batch), 1, mostCount);
    rule.within("seq", "The sequence length", double(inputs.sequenceLength), 1, mostCount);
    rule.within("microbatches", "The number of microbatches", double(inputs.microbatches), 1, mostCount);
    positive("bytes_per_element", "The bytes per element", constants.element.value());
    positive("optimizer_bytes", "The optimizer bytes per parameter", constants.optimizerElement.value());
    rule.notNegative("activation_factor", "The activation factor", constants.activationFactor * byte);
    rule.within("memory_share", "The usable share of the memory", constants.memoryShare, 0.001, 1);
    rule.within(
        "count_tolerance", "The tolerated difference of the parameter counts", constants.countTolerance, 0, 100);
    return rule.result();
}

ModelSize modelSize(const Inputs &inputs)
{
    const double hidden = double(inputs.hidden);
    const double experts = inputs.mixtureOfExperts ? double(inputs.experts) : 1.0;
    ModelSize size;
    size.count = double(inputs.vocabulary) * hidden
        + double(inputs.layers)
            * (4.0 * hidden * hidden + 2.0 * hidden * std::floor(inputs.ffnRatio * hidden) * experts);
    size.weights = size.count * inputs.constants.element;
    size.gradients = size.weights;
    size.optimizer = size.count * inputs.constants.optimizerElement;
    size.total = size.weights + size.gradients + size.optimizer;
    return size;
}

double countDifference(const Inputs &inputs)
{
    return std::abs(inputs.parameters - modelSize(inputs).count) / inputs.parameters;
}

Expected<Row> price(const Inputs &inputs, std::int64_t tp, std::int64_t pp)
{
    if (tp < 1)
        return refuse(ErrorCode::OutOfRange, "tp", "Tensor parallelism (TP) must be at least 1.");
    if (pp < 1)
        return refuse(ErrorCode::OutOfRange, "pp", "Pipeline parallelism (PP) must be at least 1.");
    const double shards = double(tp) * double(pp); // as doubles: the product may not fit an integer
    if (shards > double(inputs.accelerators))
        return refuse(ErrorCode::InfeasibleParallelism, "tp",
            "TP " + std::to_string(tp) + " \u00d7 PP " + std::to_string(pp) + " needs more than the "
                + std::to_string(inputs.accelerators) + " accelerators; lower TP or PP.");
    if (inputs.batch < pp)
        return refuseBatch(inputs.batch, pp);

    const auto &constants = inputs.constants;
    const auto size = modelSize(inputs);
    const double hidden = double(inputs.hidden);
    const double sequenceLength = double(inputs.sequenceLength);
    Row row{.tp = tp, .pp = pp, .dp = inputs.accelerators / (tp * pp)};
    row.idleAccelerators = inputs.accelerators - row.dp * tp * pp;
    row.sequencesHeld = double(inputs.batch / (inputs.batch / pp));
    row.weights = size.weights / shards;
    row.gradients = size.gradients / shards;
    row.optimizer = size.optimizer / (shards * double(row.dp));
    row.activations = std::floor(constants.activationFactor * row.sequencesHeld * sequenceLength * hidden / double(tp))
        * double(inputs.layers / pp) * constants.element;
    row.memory = row.weights + row.gradients + row.optimizer + row.activations;
    row.fits = row.memory < constants.memoryShare * inputs.capacity;

    const Bytes boundary = double(inputs.batch) * sequenceLength * hidden
        * constants.element; // activations between two layers
    row.tpVolume = 4.0 * boundary * (double(tp - 1) / double(tp)) * double(inputs.layers) / double(pp);
    row.ppVolume = 2.0 * boundary;
    row.dpVolume = 2.0 * (inputs.parameters / double(pp)) * constants.element * (double(row.dp - 1) / double(row.dp));
    row.volume = row.tpVolume + row.ppVolume + row.dpVolume;
    row.tpInsideNode = tp <= inputs.acceleratorsPerNode;
    row.microbatches = inputs.microbatches;
    if (inputs.microbatchSize > 0)
        row.microbatches = (std::max<std::int64_t>(1, inputs.batch / row.dp) + inputs.microbatchSize - 1)
            / inputs.microbatchSize;
    if (pp > 1)
        row.bubble = formulas::bubbleFraction(double(pp), double(row.microbatches), 1);
    if (!std::isfinite(row.memory.value()) || !std::isfinite(row.volume.value()))
        return refuse(ErrorCode::OutOfRange, "hidden",
            "A memory or volume is too large to represent; use dimensions of a realistic size.");
    return row;
}

Expected<Table> calculate(const Inputs &inputs)
{
    if (auto ok = check(inputs); !ok)
        return std::unexpected(ok.error());
    Table table{.model = modelSize(inputs)};
    for (const auto tp : tpChoices) {
        if (tp > inputs.acceleratorsPerNode)
            break;
        for (const auto pp : ppChoices) {
            if (tp * pp > inputs.accelerators)
                break;
            const auto row = price(inputs, tp, pp);
            if (!row)
                return std::unexpected(row.error());
            const auto rank = [](const Row &one) { return std::pair(!one.tpInsideNode, one.volume.value()); };
            if (row->fits && (!table.recommended || rank(*row) < rank(table.rows[*table.recommended])))
                table.recommended = table.rows.size();
            table.rows.push_back(*row);
        }
    }
    table.reasons = table.recommended ? reasonsFor(table.rows[*table.recommended], inputs) : whatToTry(table, inputs);
    if (inputs.mixtureOfExperts)
        table.expertAdvice = adviceFor(table, inputs);
    if (countDifference(inputs) > inputs.constants.countTolerance)
        table.countWarning = "The model is stated to have " + count(inputs.parameters)
            + " parameters, but its architecture has " + count(table.model.count) + " ("
            + units::formatPercent(countDifference(inputs))
            + " apart). Memory follows the architecture and DP volume the stated number; make the two agree.";
    return table;
}

} // namespace fleetwright::strategycalculator
