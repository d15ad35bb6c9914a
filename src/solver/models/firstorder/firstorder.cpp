// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/firstorder/firstorder.h"

#include "domain/named.h"
#include "domain/rules.h"
#include "solver/blocks/pipelinebubble.h"
#include "solver/blocks/shapechecks.h"

#include <algorithm>

namespace fleetwright::firstorder {

Expected<Variant> parseVariant(std::string_view text, std::string_view field)
{
    return parseNamed(text, field, "variant",
        std::to_array<NamedValue<Variant>>({{"replica", Variant::Replica}, {"unsharded", Variant::Unsharded}}));
}

Expected<ReduceTopology> parseReduceTopology(std::string_view text, std::string_view field)
{
    return parseNamed(text, field, "topology",
        std::to_array<NamedValue<ReduceTopology>>(
            {{"auto", ReduceTopology::Auto}, {"ring", ReduceTopology::Ring}, {"tree", ReduceTopology::Tree}}));
}

namespace {

std::optional<Error> errorOf(const Expected<void> &result)
{
    return result ? std::nullopt : std::optional(result.error());
}

/// Published range checks first, in their order, then our own for values that the published model lets through.
std::optional<Error> settingsErrorOf(const Inputs &inputs)
{
    rules::Checker rule("");
    rule.atLeast("batch_size", "The global batch", double(inputs.globalBatch), 1);
    rule.atLeast(
        "gradient_accumulation_steps", "The number of accumulation steps", double(inputs.accumulationSteps), 1);
    rule.within("efficiency", "The efficiency", inputs.efficiency, 1e-9, 1);
    rule.within("overlap_efficiency", "The overlap efficiency", inputs.overlapEfficiency, 0, 1);
    rule.atLeast("moe_routing_imbalance_factor", "The routing imbalance", inputs.imbalance, 1);
    const auto positive = [&rule](std::string_view field, std::string_view label, double value) {
        if (!(std::isfinite(value) && value > 0))
            rule.fail(ErrorCode::OutOfRange, field, std::string(label) + " must be a finite number greater than zero.");
    };
    positive("congestion_factor", "The congestion factor", inputs.congestion);
    positive("straggler_factor", "The straggler factor", inputs.straggler);
    rule.atLeast("seq_len", "The sequence length", double(inputs.sequenceLength), 1);
    rule.atLeast("oversubscription", "The oversubscription", inputs.oversubscription, 1);
    rule.notNegative("scale_up_latency", "The scale-up latency", inputs.scaleUpLatency);
    rule.notNegative("latency", "The fabric latency", inputs.fabricLatency);
    // Zero is refused only where a split communicates over the link.
    rule.notNegative("bandwidth", "The fabric bandwidth", inputs.fabricBandwidth);
    rule.notNegative("intra_node_bw", "The scale-up bandwidth", inputs.scaleUpBandwidth);
    rule.positive("flash_bw", "The flash bandwidth", inputs.flashBandwidth);
    rule.atLeast("nodes", "The number of accelerators", double(inputs.accelerators), 1);
    rule.atLeast("accelerators_per_node", "The number of accelerators per node", double(inputs.domainSize), 1);
    if (!rule.result())
        return errorOf(rule.result());
    if (auto error = errorOf(checkShape(inputs.workload)))
        return error;
    return errorOf(checkShape(inputs.accelerator));
}

/// Does not inline its string building into the hot path.
[[gnu::noinline]] std::unexpected<Error> refuseCount(const char *field, const char *label)
{
    return refuse(ErrorCode::OutOfRange, field, std::string(label) + " must be at least 1.");
}

[[gnu::noinline]] std::unexpected<Error> refuseSplit(const Split &split, std::int64_t accelerators)
{
    const double product = double(split.tp) * double(split.pp) * double(split.ep);
    const std::string sum = "TP " + std::to_string(split.tp) + " \u00d7 PP " + std::to_string(split.pp) + " \u00d7 EP "
        + std::to_string(split.ep) + " = " + units::exact(product);
    const std::string have = std::to_string(accelerators) + " accelerators";
    return refuse(ErrorCode::InfeasibleParallelism, "parallelism",
        product > double(accelerators)
            ? sum + " needs more than the fleet's " + have + "; lower TP, PP or EP, or add nodes."
            : sum + " does not divide the fleet's " + have + "; choose TP, PP and EP whose product divides "
                + std::to_string(accelerators) + ", or change the number of nodes.");
}

[[gnu::noinline]] std::unexpected<Error> refuseZeroStage()
{
    return refuse(ErrorCode::OutOfRange, "zero_stage", "The ZeRO stage must be 0, 1, 2 or 3.");
}

[[gnu::noinline]] std::unexpected<Error> refuseOverflow()
{
    return refuse(ErrorCode::OutOfRange, "fleet",
        "The step time is too long to represent; use rates and counts of a realistic size.");
}

std::int64_t ceilDivide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

double layersOf(const Inputs &inputs)
{
    return inputs.workload.layers ? double(*inputs.workload.layers) : inputs.constants.defaultLayers;
}

} // namespace

Pricer::Pricer(const Inputs &inputs) : m_inputs(inputs), m_settingsError(settingsErrorOf(inputs))
{
    const auto &constants = m_inputs.constants;
    const auto &workload = m_inputs.workload;
    const bool unsharded = m_inputs.variant == Variant::Unsharded;
    m_transformer = workload.family != WorkloadFamily::Other;
    if (!m_inputs.precision)
        m_precisionError = m_inputs.precision.error();
    const auto precision = m_inputs.precision.value_or(Precision::Fp16);
    if (const auto peak = peakFor(m_inputs.accelerator, precision)) {
        m_peak = peak->rate;
        if (peak->fallback)
            m_notices.add(Notice::PrecisionFallback);
    } else if (!m_precisionError) {
        m_precisionError = Error{ErrorCode::UnsupportedValue, "precision",
            "The accelerator states no peak for " + std::string(toString(precision))
                + " and no 16-bit peak; choose another precision."};
    }
    if (unsharded && m_transformer && !m_inputs.recompute && !workload.attentionHeads)
        m_headsError = missingHeads();

    m_layers = layersOf(m_inputs);
    m_hidden = workload.hiddenSize ? double(*workload.hiddenSize) : constants.defaultHiddenSize;
    m_heads = double(workload.attentionHeads.value_or(0));
    m_hiddenOverlap = m_inputs.overlap ? m_inputs.overlapEfficiency : 0.0;
    m_straggler = std::max(1.0, m_inputs.straggler);
    m_loraShare = m_inputs.lora ? formulas::loraShare(workload.parameters, m_layers, m_hidden, constants) : 1.0;
    m_width = bytesPerElement(precision);
    m_weights = workload.parameters * m_width;
    const double passes = m_inputs.recompute ? 4.0 : 3.0;
    const double unitsPerSample = !unsharded && m_transformer ? double(m_inputs.sequenceLength) : 1.0;
    m_workPerSample = passes * unitsPerSample * forwardFlops(workload);
    m_sampleMessage = double(m_inputs.sequenceLength) * m_hidden * m_width;
    m_expertFactor = double(workload.expertsPerToken.value_or(1)) * m_inputs.imbalance;
    m_overhead = m_inputs.accelerator.dispatchTime.value_or(constants.dispatch)
        + m_layers * constants.trainingTaxFactor * constants.layerTax;
    m_rates = memoryRates(m_inputs.accelerator, m_inputs.flashBandwidth, constants);
    m_scaleUp = {m_inputs.scaleUpBandwidth, m_inputs.scaleUpLatency.value_or(constants.scaleUpLatency)};
    m_hierarchyInner = {m_inputs.scaleUpBandwidth, constants.scaleUpLatency};
    m_fabric = {
        m_inputs.fabricBandwidth / m_inputs.oversubscription, m_inputs.fabricLatency.value_or(constants.fabricLatency)};

    // A flat ring or tree over several domains moves at the pace of its slowest hop, which is nearly always the
    // fabric's.
    m_slowestHop = {std::min(m_fabric.bandwidth, m_scaleUp.bandwidth), std::max(m_fabric.latency, m_scaleUp.latency)};

    if (m_inputs.straggler < 1)
        m_notices.add(Notice::StragglerBelowOne);
    if (!m_inputs.fabricLatency)
        m_notices.add(Notice::FabricLatencyAssumed);
    if (!m_inputs.accelerator.hostLinkBandwidth)
        m_notices.add(Notice::HostLinkAssumed);
    if (!m_inputs.accelerator.dispatchTime)
        m_notices.add(Notice::DispatchAssumed);
    if (!workload.hiddenSize)
        m_notices.add(Notice::HiddenSizeAssumed);
    if (!workload.layers)
        m_notices.add(Notice::LayersAssumed);
}

Expected<void> Pricer::check() const
{
    for (const auto *error : {&m_settingsError, &m_precisionError, &m_headsError})
        if (*error)
            return std::unexpected(**error);
    return {};
}

TrainingMemory Pricer::unshardedMemory(double localBatch, int zeroStage, double replicas) const
{
    const auto &constants = m_inputs.constants;
    auto memory = formulas::modelState(
        m_inputs.workload.parameters, m_width, constants.adamState, m_loraShare, zeroStage, replicas);
    const auto strategy = m_inputs.recompute ? ActivationStrategy::Selective : ActivationStrategy::None;
    memory.activations = m_layers
        * formulas::layerActivations(strategy, localBatch, double(m_inputs.sequenceLength), m_hidden, m_heads, m_width);
    return memory;
}

TrainingMemory Pricer::replicaMemory(
    const Split &split, double shards, double stageLayers, const Figures &figures) const
{
    const auto &constants = m_inputs.constants;
    auto memory = formulas::modelState(m_inputs.workload.parameters / shards, m_width, constants.adamState, m_loraShare,
        int(split.zeroStage), double(figures.dp));
    const auto strategy = m_inputs.recompute ? ActivationStrategy::Full : ActivationStrategy::Selective;
    const double sequences = std::ceil(
        figures.localBatch / (figures.microbatches * double(m_inputs.accumulationSteps)));
    const double resident = std::min(double(split.pp), figures.microbatches);
    memory.activations = stageLayers * resident / double(split.tp)
        * formulas::layerActivations(strategy, sequences, double(m_inputs.sequenceLength), m_hidden, m_heads, m_width);
    memory.communicationBuffers = constants.communicationBuffer * memory.gradients;
    if (split.pp > 1)
        memory.communicationBuffers += 2.0 * sequences * resident * m_sampleMessage;
    return memory;
}

std::optional<Error> Pricer::brokenLink(const Split &split, double shards, std::int64_t replicas) const
{
    const auto domain = m_inputs.domainSize;
    const auto perDomain = std::max<std::int64_t>(1, domain / std::int64_t(shards));
    const bool unsharded = m_inputs.variant == Variant::Unsharded;
    bool scaleUp = false;
    bool fabric = false;
    if (replicas > 1) {
        const std::int64_t inside = unsharded ? domain : perDomain;
        const bool spans = replicas > inside;
        fabric = unsharded ? spans && (domain > 1 || m_inputs.topology != ReduceTopology::Auto) : inside == 1 || spans;
        scaleUp = unsharded ? true : inside > 1;
    }
    if (split.tp > 1)
        (split.tp <= domain ? scaleUp : fabric) = true;
    fabric = fabric || split.ep > 1;
    if (fabric && !(m_fabric.bandwidth.value() > 0))
        return Error{ErrorCode::OutOfRange, "bandwidth",
            "The fabric bandwidth must be greater than zero: this split communicates between nodes."};
    if (scaleUp && !(m_scaleUp.bandwidth.value() > 0))
        return Error{ErrorCode::OutOfRange, "intra_node_bw",
            "The scale-up bandwidth must be greater than zero: this split communicates inside nodes."};
    return std::nullopt;
}

void Pricer::priceDataParallel(double shards, Figures &figures) const
{
    const bool unsharded = m_inputs.variant == Variant::Unsharded;
    figures.dpMessage = m_weights / shards;
    if (m_inputs.lora)
        figures.dpMessage *= m_inputs.constants.loraGradientShare;
    if (figures.dp == 1)
        return;
    const auto domain = m_inputs.domainSize;
    // Replicas that share one scale-up domain. The unsharded variant ignores that TP fills the domain.
    const std::int64_t inside = unsharded ? domain : std::max<std::int64_t>(1, domain / std::int64_t(shards));
    const bool spans = figures.dp > inside;
    const Link slowest = !spans ? m_scaleUp : inside == 1 ? m_fabric : m_slowestHop;
    const double replicas = double(figures.dp);
    switch (m_inputs.topology) {
    case ReduceTopology::Ring:
        figures.dpLink = slowest;
        figures.dpTime = formulas::ringAllReduce(figures.dpMessage, replicas, slowest);
        break;
    case ReduceTopology::Tree:
        figures.dpLink = slowest;
        figures.dpTime = formulas::treeAllReduce(figures.dpMessage, figures.dp, slowest);
        break;
    case ReduceTopology::Auto:
        if (spans && inside > 1) {
            figures.dpLink = slowest;
            figures.dpTime = formulas::hierarchicalAllReduce(
                figures.dpMessage, double(ceilDivide(figures.dp, inside)), double(inside), m_hierarchyInner, m_fabric);
        } else {
            // The unsharded variant prices single-accelerator nodes on the scale-up link too, as published.
            figures.dpLink = spans && !unsharded ? m_fabric : m_scaleUp;
            figures.dpTime = formulas::ringAllReduce(figures.dpMessage, replicas, figures.dpLink);
        }
        break;
    }
}

void Pricer::priceMemory(const Split &split, double shards, double sharing, double stageLayers, Figures &figures) const
{
    const auto &constants = m_inputs.constants;
    if (!m_transformer) {
        const double held = m_inputs.workload.parameters / sharing;
        figures.memory.weights = held * m_width;
        if (m_inputs.lora)
            figures.memory.communicationBuffers = (constants.loraFootprint - 1.0) * figures.memory.weights;
        else
            figures.memory = formulas::modelState(held, m_width, constants.adamState, 1.0, 0, 1.0);
    } else if (m_inputs.variant == Variant::Unsharded) {
        figures.memory = unshardedMemory(figures.localBatch, int(split.zeroStage), double(figures.dp));
    } else {
        figures.memory = replicaMemory(split, shards, stageLayers, figures);
    }
    figures.footprint = figures.memory.total();
    figures.fits = figures.footprint <= m_rates.capacity;
    if (!figures.fits) {
        figures.spill = figures.footprint - m_rates.capacity;
        figures.notices.add(Notice::SpillsToHost);
    }
}

Expected<Figures> Pricer::price(const Split &split) const
{
    if (split.tp < 1)
        return refuseCount("tp_size", "Tensor parallelism (TP)");
    if (split.pp < 1)
        return refuseCount("pp_size", "Pipeline parallelism (PP)");
    if (split.ep < 1)
        return refuseCount("ep_size", "Expert parallelism (EP)");
    if (m_settingsError)
        return std::unexpected(*m_settingsError);
    const auto accelerators = m_inputs.accelerators;
    // As doubles first: the product of three large counts may not fit an integer.
    if (double(split.tp) * double(split.pp) * double(split.ep) > double(accelerators))
        return refuseSplit(split, accelerators);
    const std::int64_t shardCount = split.tp * split.pp * split.ep;
    if (accelerators % shardCount != 0)
        return refuseSplit(split, accelerators);
    if (m_precisionError)
        return std::unexpected(*m_precisionError);

    const bool unsharded = m_inputs.variant == Variant::Unsharded;
    const double shards = double(shardCount);
    const auto &constants = m_inputs.constants;
    Expected<Figures> answer;
    Figures &figures = *answer;
    figures.notices = m_notices;
    figures.dp = accelerators / shardCount;
    const std::int64_t localBatch = std::max<std::int64_t>(1, m_inputs.globalBatch / figures.dp);
    figures.localBatch = double(localBatch);
    const std::int64_t microbatches = split.microbatchSize > 0 ? ceilDivide(localBatch, split.microbatchSize)
                                                               : split.microbatches;
    figures.microbatches = double(microbatches);

    const auto badPipeline = [&] { return microbatches < 1 || split.virtualStages < 1; };
    const auto refusePipeline = [&] {
        return microbatches < 1 ? refuseCount("microbatch_count", "The number of microbatches")
                                : refuseCount("v_stages", "The number of virtual stages");
    };
    const bool badZero = split.zeroStage < 0 || split.zeroStage > 3;
    if (unsharded) {
        if (badZero)
            return refuseZeroStage();
        if (m_headsError)
            return std::unexpected(*m_headsError);
        if (auto broken = brokenLink(split, shards, figures.dp))
            return std::unexpected(std::move(*broken));
        if (badPipeline())
            return refusePipeline();
    } else {
        if (badPipeline())
            return refusePipeline();
        if (badZero)
            return refuseZeroStage();
        if (auto broken = brokenLink(split, shards, figures.dp))
            return std::unexpected(std::move(*broken));
    }

    const double sharing = unsharded ? 1.0 : shards; // accelerators over which a replica's work and memory are divided
    const double stageLayers = unsharded ? m_layers : std::ceil(m_layers / double(split.pp));
    priceMemory(split, shards, sharing, stageLayers, figures);

    const Bytes heldWeights = m_weights / sharing;
    figures.effectiveBandwidth = m_rates.effective(figures.footprint, heldWeights);
    figures.work = figures.localBatch * m_workPerSample;
    figures.traffic = formulas::memoryTraffic(heldWeights, figures.localBatch, constants);
    const FlopRate replicaPeak = sharing * m_peak;
    figures.computeTime = figures.work / (m_inputs.efficiency * replicaPeak);
    figures.memoryTime = figures.traffic / figures.effectiveBandwidth;
    figures.memoryBound = figures.memoryTime > figures.computeTime;
    const Seconds bound = figures.memoryBound ? figures.memoryTime : figures.computeTime;
    figures.overhead = m_overhead;
    figures.nodeLatency = bound + m_overhead;
    figures.replicaHfu = std::min(1.0, double(figures.work / (figures.nodeLatency * replicaPeak)));
    figures.replicaMfu = m_inputs.recompute ? 0.75 * figures.replicaHfu : figures.replicaHfu;

    priceDataParallel(unsharded ? double(split.tp) : shards, figures);
    figures.dpTime *= m_inputs.congestion / double(m_inputs.accumulationSteps);
    figures.tpMessage = figures.localBatch * m_sampleMessage;
    if (split.tp > 1) {
        figures.tpLink = split.tp <= m_inputs.domainSize ? m_scaleUp : m_fabric;
        figures.tpTime = m_inputs.congestion * constants.tpAllReducesPerLayer * stageLayers
            * formulas::ringAllReduce(figures.tpMessage, double(split.tp), figures.tpLink);
    }
    if (split.ep > 1)
        figures.epTime = m_inputs.congestion
            * formulas::allToAll(m_expertFactor * figures.tpMessage, double(split.ep), m_fabric);

    const double stages = double(split.pp);
    const double virtualStages = double(split.virtualStages);
    figures.bubbleFraction = formulas::bubbleFraction(stages, figures.microbatches, virtualStages);
    figures.bubbleTime = (unsharded ? figures.bubbleFraction
                                    : formulas::bubbleRatio(stages, figures.microbatches, virtualStages))
        * figures.nodeLatency;
    figures.exposedDpTime = (1.0 - m_hiddenOverlap) * figures.dpTime;
    figures.stepTime = m_straggler
        * (figures.nodeLatency + figures.exposedDpTime + figures.tpTime + figures.epTime + figures.bubbleTime);
    if (!std::isfinite(figures.stepTime.value()))
        return refuseOverflow();
    figures.scalingEfficiency = figures.nodeLatency / figures.stepTime;
    figures.samplesPerSecond = figures.localBatch * double(figures.dp) / figures.stepTime.value();
    figures.publishedThroughput = double(accelerators) * (figures.localBatch / figures.nodeLatency.value())
        * figures.scalingEfficiency;

    if (m_inputs.globalBatch < figures.dp)
        figures.notices.add(Notice::IdleRanks);
    else if (m_inputs.globalBatch != localBatch * figures.dp)
        figures.notices.add(Notice::BatchRemainderDropped);
    if (stages > m_layers)
        figures.notices.add(Notice::StagesExceedLayers);
    if (m_overhead > bound)
        figures.notices.add(Notice::OverheadDominated);
    return answer;
}

} // namespace fleetwright::firstorder
