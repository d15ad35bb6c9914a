// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/nativemodels.h"

#include "exchange/nativedetailed.h"
#include "exchange/nativefacts.h"
#include "exchange/nativeoperations.h"
#include "exchange/nativeplanners.h"
#include "exchange/nativeworksheets.h"
#include "solver/blocks/collectives.h"
#include "solver/blocks/moerouting.h"
#include "solver/blocks/pipelinebubble.h"
#include "solver/blocks/singleaccelerator.h"
#include "solver/blocks/topology.h"
#include "solver/blocks/trainingmemory.h"
#include "solver/models/firstorder/firstorder.h"
#include "units/editdistance.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fleetwright::exchange {

namespace {

Expected<Json> value(const Expected<double> &result)
{
    if (!result)
        return std::unexpected(result.error());
    return Json{{"value", *result}};
}

template <class Q> Expected<Json> value(const Expected<Q> &result)
{
    return value(result ? Expected<double>(result->value()) : std::unexpected(result.error()));
}

Expected<Json> evaluateCollective(NativeReader &in)
{
    const auto op = in.text("op");
    const auto refused = [&in]() { return std::unexpected(*in.error()); };
    const auto onLink = [&](auto formula) -> Expected<Json> {
        const auto message = in.quantity<Bytes>("message");
        const auto ranks = in.count("ranks");
        const Link link{in.quantity<Bandwidth>("bandwidth"), in.quantity<Seconds>("latency")};
        return in.error() ? Expected<Json>(refused()) : value(formula(message, ranks, link));
    };
    if (op == "ring_allreduce")
        return onLink(ringAllReduce);
    if (op == "tree_allreduce")
        return onLink(treeAllReduce);
    if (op == "double_binary_tree_allreduce")
        return onLink(doubleBinaryTreeAllReduce);
    if (op == "all_to_all")
        return onLink(allToAll);
    if (op == "hierarchical_allreduce") {
        const auto message = in.quantity<Bytes>("message");
        const auto nodes = in.count("nodes");
        const auto ranksPerNode = in.count("ranks_per_node");
        const Link inner{in.quantity<Bandwidth>("intra_bandwidth"),
            in.optionalQuantity<Seconds>("intra_latency").value_or(FirstOrderConstants{}.scaleUpLatency)};
        const Link outer{in.quantity<Bandwidth>("inter_bandwidth"), in.quantity<Seconds>("inter_latency")};
        return in.error() ? Expected<Json>(refused())
                          : value(hierarchicalAllReduce(message, nodes, ranksPerNode, inner, outer));
    }
    if (op == "point_to_point") {
        const auto message = in.quantity<Bytes>("message");
        const Link link{in.quantity<Bandwidth>("bandwidth"), in.quantity<Seconds>("latency")};
        return in.error() ? Expected<Json>(refused()) : value(pointToPoint(message, link));
    }
    if (op == "ring_tree_crossover") {
        const auto ranks = in.count("ranks");
        const Link link{in.quantity<Bandwidth>("bandwidth"), in.quantity<Seconds>("latency")};
        return in.error() ? Expected<Json>(refused()) : value(ringTreeCrossover(ranks, link));
    }
    if (op == "alpha_beta_crossover") {
        const Link link{in.quantity<Bandwidth>("bandwidth"), in.quantity<Seconds>("latency")};
        return in.error() ? Expected<Json>(refused()) : value(alphaBetaCrossover(link));
    }
    if (op == "oversubscription_speed") {
        const auto share = in.number("crossing_share");
        const auto oversubscription = in.number("oversubscription");
        return in.error() ? Expected<Json>(refused()) : value(oversubscriptionSpeed(share, oversubscription));
    }
    if (op == "bisection_bandwidth") {
        const auto links = in.number("links");
        const auto bandwidth = in.quantity<Bandwidth>("bandwidth");
        const auto oversubscription = in.number("oversubscription");
        return in.error() ? Expected<Json>(refused()) : value(bisectionBandwidth(links, bandwidth, oversubscription));
    }
    in.fail(ErrorCode::UnsupportedValue, "op",
        "This collective is not known; use ring_allreduce, tree_allreduce, double_binary_tree_allreduce, all_to_all, "
        "hierarchical_allreduce, "
        "point_to_point, ring_tree_crossover, alpha_beta_crossover, oversubscription_speed or bisection_bandwidth.");
    return refused();
}

Expected<Json> evaluateBubble(NativeReader &in)
{
    const auto stages = in.count("stages");
    const auto microbatches = in.count("microbatches");
    const auto virtualStages = in.count("virtual_stages");
    if (in.error())
        return std::unexpected(*in.error());
    return value(bubbleFraction(stages, microbatches, virtualStages));
}

Expected<Json> evaluateTopology(NativeReader &in)
{
    const auto kind = in.text("kind");
    const auto nodes = in.count("nodes");
    const auto bandwidth = in.quantity<Bandwidth>("bandwidth");
    const auto oversubscription = in.number("oversubscription");
    if (in.error())
        return std::unexpected(*in.error());
    const auto figures = topologyFigures(kind, nodes, bandwidth, oversubscription);
    if (!figures)
        return std::unexpected(figures.error());
    return Json{{"beta", figures->bisectionShare}, {"effective_bw", figures->effectiveBandwidth.value()},
        {"bisection_bw", figures->bisectionBandwidth.value()}, {"hops", figures->averageHops}};
}

Expected<Json> evaluateRouting(NativeReader &in)
{
    const auto workload = readWorkload(in.object("model"));
    const auto fabric = readFabric(in.object("fleet").object("fabric"));
    const auto batch = in.count("batch");
    const auto sequenceLength = in.count("seq_len");
    const auto precision = take(in, parsePrecision(in.text("precision")));
    const auto ranks = in.count("ep_size");
    const auto imbalance = in.number("imbalance");
    if (!in.error() && !(fabric.oversubscription >= 1))
        in.fail(ErrorCode::OutOfRange, "oversubscription", "The oversubscription must be at least 1.");
    if (in.error())
        return std::unexpected(*in.error());
    const Link link{
        fabric.bandwidth / fabric.oversubscription, fabric.latency.value_or(FirstOrderConstants{}.fabricLatency)};
    const auto routing = moeRouting(workload, batch, sequenceLength, precision, ranks, imbalance, link);
    if (!routing)
        return std::unexpected(routing.error());
    return Json{{"active_experts", routing->activeExperts}, {"active_parameters", routing->activeParameters},
        {"multiplier", routing->multiplier}, {"payload_bytes", routing->payload.value()},
        {"dispatch_bytes", routing->remote.value()},
        {"all_to_all_latency", routing->allToAllTime ? Json(routing->allToAllTime->value()) : Json()}};
}

Json memoryToJson(const TrainingMemory &memory)
{
    return {{"weights", memory.weights.value()}, {"gradients", memory.gradients.value()},
        {"optimizer_state", memory.optimizerState.value()}, {"activations", memory.activations.value()}};
}

Expected<Json> evaluateMemory(NativeReader &in)
{
    const auto workload = readWorkload(in.object("model"));
    TrainingMemoryInputs inputs;
    inputs.batch = in.count("batch");
    inputs.sequenceLength = in.count("seq_len");
    inputs.precision = take(in, parsePrecision(in.text("precision")));
    inputs.strategy = take(in, parseActivationStrategy(in.text("strategy")));
    inputs.zeroStage = in.count("zero_stage");
    inputs.replicas = in.count("dp_size");
    inputs.lora = in.flag("is_lora");
    if (in.error())
        return std::unexpected(*in.error());
    const auto memory = trainingMemory(workload, inputs);
    if (!memory)
        return std::unexpected(memory.error());
    auto out = memoryToJson(*memory);
    out["total"] = memory->total().value();
    return out;
}

Expected<Json> evaluateShardedMemory(NativeReader &in)
{
    const auto workload = readWorkload(in.object("model"));
    const auto capacity = in.quantity<Bytes>("capacity");
    ShardedMemoryInputs inputs;
    inputs.batch = in.count("batch");
    inputs.sequenceLength = in.count("seq_len");
    inputs.precision = take(in, parsePrecision(in.text("precision")));
    inputs.optimizer = take(in, parseOptimizer(in.text("optimizer")));
    inputs.strategy = take(in, parseActivationStrategy(in.optionalText("strategy").value_or("selective")));
    inputs.tp = in.count("tp_size");
    inputs.pp = in.count("pp_size");
    inputs.dp = in.count("dp_size");
    inputs.ep = in.count("ep_size");
    inputs.zeroStage = in.count("zero_stage");
    inputs.accumulationSteps = in.count("gradient_accumulation_steps");
    inputs.trainableShare = in.number("trainable_share");
    if (!in.error() && !(capacity.value() > 0))
        in.fail(ErrorCode::OutOfRange, "capacity", "The memory capacity must be greater than zero.");
    if (in.error())
        return std::unexpected(*in.error());
    const auto memory = shardedTrainingMemory(workload, inputs);
    if (!memory)
        return std::unexpected(memory.error());
    auto out = memoryToJson(*memory);
    out["communication_buffers"] = memory->communicationBuffers.value();
    out["total"] = memory->total().value();
    out["utilization"] = double(memory->total() / capacity);
    out["feasible"] = memory->total() <= capacity;
    return out;
}

constexpr std::string_view bottleneck(bool memoryBound) { return memoryBound ? "Memory" : "Compute"; }

/// The published models count an accelerator without a TDP as drawing nothing.
double energyOf(const std::optional<Joules> &energy) { return energy ? energy->value() : 0.0; }

Expected<Json> evaluateAccelerator(NativeReader &in)
{
    const auto workload = readWorkload(in.object("model"));
    const auto accelerator = readAccelerator(in.object("accelerator"));
    SingleAcceleratorInputs inputs;
    inputs.efficiency = in.number("efficiency");
    inputs.batch = in.count("batch_size");
    inputs.sequenceLength = in.count("seq_len");
    inputs.precision = take(in, parsePrecision(in.text("precision")));
    inputs.training = in.flag("is_training");
    inputs.recompute = in.flag("activation_recomputation");
    inputs.lora = in.optionalFlag("is_lora").value_or(false);
    inputs.flashBandwidth = accelerator.flashBandwidth;
    if (in.error())
        return std::unexpected(*in.error());
    const auto figures = singleAccelerator(workload, accelerator.facts, inputs);
    if (!figures)
        return std::unexpected(figures.error());
    return Json{{"latency", figures->latency.value()}, {"latency_compute", figures->computeTime.value()},
        {"latency_memory", figures->memoryTime.value()}, {"latency_overhead", figures->overhead.value()},
        {"throughput", figures->samplesPerSecond}, {"bottleneck", bottleneck(figures->memoryBound)},
        {"arithmetic_intensity", figures->intensity.value()}, {"energy", energyOf(figures->energy)},
        {"memory_footprint", figures->footprint.value()}, {"effective_flops", figures->sustainedRate.value()},
        {"effective_bw", figures->effectiveBandwidth.value()}, {"mfu", figures->mfu}, {"hfu", figures->hfu},
        {"legacy_mfu", figures->legacyMfu}, {"legacy_hfu", figures->legacyHfu}, {"feasible", figures->fits},
        {"spill_bytes", figures->spill.value()}, {"overhead_dominated", figures->overheadDominated}};
}

firstorder::Inputs readFirstOrderInputs(NativeReader &in)
{
    firstorder::Inputs inputs;
    inputs.variant = take(in, firstorder::parseVariant(in.optionalText("variant").value_or("replica")));
    inputs.workload = readWorkload(in.object("model"));

    applyFleet(readFleet(in.object("fleet")), inputs);

    auto params = in.object("params");
    inputs.globalBatch = params.count("batch_size");
    inputs.accumulationSteps = params.count("gradient_accumulation_steps");
    inputs.sequenceLength = params.count("seq_len");
    inputs.precision = parsePrecision(params.text("precision"));
    inputs.lora = params.flag("is_lora");
    inputs.recompute = params.flag("activation_recomputation");
    inputs.efficiency = params.number("efficiency");
    inputs.overlap = params.flag("overlap_comm");
    inputs.overlapEfficiency = params.optionalNumber("overlap_efficiency").value_or(inputs.overlapEfficiency);
    inputs.congestion = params.number("congestion_factor");
    inputs.straggler = params.number("straggler_factor");
    inputs.imbalance = params.number("moe_routing_imbalance_factor");
    inputs.topology = take(in, firstorder::parseReduceTopology(params.optionalText("topology").value_or("auto")));
    static_cast<void>(params.optionalText("topology_override")); // the published model accepts any text and ignores it
    return inputs;
}

firstorder::Split readSplit(NativeReader params)
{
    return {.tp = params.count("tp_size"),
        .pp = params.count("pp_size"),
        .ep = params.count("ep_size"),
        .virtualStages = params.count("v_stages"),
        .zeroStage = params.count("zero_stage"),
        .microbatches = params.count("microbatch_count")};
}

Json noticesToJson(Notices notices, bool warnings)
{
    auto list = Json::array();
    for (std::size_t i = 0; i < noticeCount; ++i) {
        const auto notice = static_cast<Notice>(i);
        if (notices.has(notice) && (notice == Notice::IdleRanks) == warnings)
            list.push_back(toString(notice));
    }
    return list;
}

Expected<Json> evaluateFirstOrder(NativeReader &in)
{
    const auto inputs = readFirstOrderInputs(in);
    const auto split = readSplit(in.object("params"));
    if (in.error())
        return std::unexpected(*in.error());
    const auto figures = firstorder::Pricer(inputs).price(split);
    if (!figures)
        return std::unexpected(figures.error());

    Json node{{"latency", figures->nodeLatency.value()}, {"latency_compute", figures->computeTime.value()},
        {"latency_memory", figures->memoryTime.value()}, {"latency_overhead", figures->overhead.value()},
        {"throughput", figures->localBatch / figures->nodeLatency.value()},
        {"bottleneck", bottleneck(figures->memoryBound)}, {"memory_footprint", figures->footprint.value()},
        {"spill_bytes", figures->spill.value()}, {"effective_bw", figures->effectiveBandwidth.value()},
        {"mfu", figures->replicaMfu}, {"hfu", figures->replicaHfu}, {"feasible", figures->fits}};
    Json out{{"dp_size", figures->dp}, {"local_batch", figures->localBatch},
        {"warnings", noticesToJson(figures->notices, true)}, {"notices", noticesToJson(figures->notices, false)},
        {"dp_communication_latency", figures->dpTime.value()}, {"tp_communication_latency", figures->tpTime.value()},
        {"ep_communication_latency", figures->epTime.value()},
        {"communication_latency", (figures->dpTime + figures->tpTime + figures->epTime).value()},
        {"exposed_dp_latency", figures->exposedDpTime.value()},
        {"pipeline_bubble_latency", figures->bubbleTime.value()}, {"bubble_fraction", figures->bubbleFraction},
        {"step_latency_total", figures->stepTime.value()}, {"scaling_efficiency", figures->scalingEfficiency},
        {"samples_per_second", figures->samplesPerSecond}};
    if (inputs.variant == firstorder::Variant::Unsharded) {
        out["effective_throughput"] = figures->publishedThroughput;
        node["arithmetic_intensity"] = (figures->work / figures->traffic).value();
        const auto &tdp = inputs.accelerator.tdp;
        node["energy"] = energyOf(tdp
                ? std::optional(formulas::energy(*tdp, figures->replicaHfu, figures->nodeLatency, inputs.constants))
                : std::nullopt);
    } else {
        out["fleet_mfu"] = figures->scalingEfficiency * figures->replicaMfu;
        node["memory"] = memoryToJson(figures->memory);
        node["memory"]["communication_buffers"] = figures->memory.communicationBuffers.value();
    }
    out["node"] = std::move(node);
    return out;
}

bool isFinite(const Json &json)
{
    if (json.is_structured())
        return std::ranges::all_of(json, isFinite);
    return !json.is_number_float() || std::isfinite(json.get<double>());
}

struct NativeModel {
    std::string_view name;
    Expected<Json> (*evaluate)(NativeReader &in);
};

constexpr std::array models{NativeModel{"first-order", evaluateFirstOrder},
    NativeModel{"collectives", evaluateCollective}, NativeModel{"pipeline-bubble", evaluateBubble},
    NativeModel{"training-memory", evaluateMemory}, NativeModel{"training-memory-sharded", evaluateShardedMemory},
    NativeModel{"single-accelerator", evaluateAccelerator}, NativeModel{"moe-routing", evaluateRouting},
    NativeModel{"topology", evaluateTopology}, NativeModel{"dp-wall", evaluateDpWall},
    NativeModel{"cube", evaluateCube}, NativeModel{"searcher", evaluateSearcher},
    NativeModel{"strategy-calculator", evaluateStrategyCalculator}, NativeModel{"split-search", evaluateSplitSearch},
    NativeModel{"economics", evaluateEconomics}, NativeModel{"sustainability", evaluateSustainability},
    NativeModel{"reliability", evaluateReliability}, NativeModel{"serving", evaluateServing},
    NativeModel{"goodput", evaluateGoodput}, NativeModel{"spares", evaluateSpares},
    NativeModel{"network-bom", evaluateNetworkBill}, NativeModel{"detailed", evaluateDetailed},
    NativeModel{"cash-flow", evaluateCashFlow}, NativeModel{"levelised-cost", evaluateLevelisedCost},
    NativeModel{"training-cost", evaluateTrainingCost}, NativeModel{"fleet-power", evaluateFleetPower},
    NativeModel{"ownership", evaluateOwnership}};

} // namespace

std::span<const std::string_view> nativeModels()
{
    static constexpr auto names = [] {
        std::array<std::string_view, models.size()> list;
        for (std::size_t i = 0; i < models.size(); ++i)
            list[i] = models[i].name;
        return list;
    }();
    return names;
}

Expected<nlohmann::ordered_json> evaluateNative(std::string_view model, const nlohmann::ordered_json &inputs)
{
    if (!inputs.is_object())
        return refuse(ErrorCode::UnsupportedValue, "inputs", "The inputs must be an object of fields.");
    std::string known;
    for (const auto &candidate : models) {
        if (candidate.name == model) {
            std::optional<Error> error;
            NativeReader reader(inputs, error);
            auto outputs = candidate.evaluate(reader);
            if (outputs && !isFinite(*outputs))
                return refuse(ErrorCode::OutOfRange, "inputs",
                    "The result is too large to represent; use quantities of a realistic size.");
            return outputs;
        }
        known += (known.empty() ? "" : ", ") + std::string(candidate.name);
    }
    return refuse(ErrorCode::UnknownReference, "model",
        "There is no model \u201c" + std::string(model.substr(0, 60)) + "\u201d"
            + didYouMean(model, nativeModels(), "; use one of " + known + "."));
}

} // namespace fleetwright::exchange
