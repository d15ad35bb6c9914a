// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/plannerfacts.h"

#include <algorithm>

namespace fleetwright::planners {

namespace {

using units::Dimension;

/// Field of the peak in the accelerators catalog.
std::string peakOrigin(const AcceleratorFacts &accelerator, Precision precision)
{
    auto used = precision;
    if (!accelerator.peak(used))
        used = accelerator.peak(Precision::Fp16) ? Precision::Fp16 : Precision::Bf16;
    return "fleet.node.accelerator.peak_dense_tflops."
        + (used == Precision::Fp32 ? std::string("fp32_matrix") : std::string(toString(used)));
}

[[gnu::noinline]] std::unexpected<Error> refuseRank(const char *field, const char *label)
{
    return refuse(ErrorCode::OutOfRange, field, std::string(label) + " must be at least 1.");
}

[[gnu::noinline]] std::unexpected<Error> refuseProduct(const Parallelism &split, int accelerators)
{
    const auto product = std::int64_t(split.tp) * split.pp;
    const std::string sum = "TP " + std::to_string(split.tp) + " \u00d7 PP " + std::to_string(split.pp) + " = "
        + std::to_string(product);
    const std::string have = std::to_string(accelerators) + " accelerators";
    return refuse(ErrorCode::InfeasibleParallelism, "parallelism",
        product > accelerators
            ? sum + " needs more than the fleet's " + have + "; lower TP or PP, or add nodes."
            : sum + " does not divide the fleet's " + have + "; choose TP and PP whose product divides "
                + std::to_string(accelerators) + ", or change the number of nodes.");
}

} // namespace

Expected<Facts> Facts::create(const Workload &workload, const Fleet &fleet, const Training &training)
{
    if (auto ok = check(training); !ok)
        return std::unexpected(ok.error());
    Facts facts(workload, fleet, training);
    const auto &node = fleet->node;
    const auto peak = peakFor(*node->accelerator, training.precision);
    if (!peak)
        return refuse(ErrorCode::UnsupportedValue, "training.precision",
            "The accelerator states no peak for " + std::string(toString(training.precision))
                + " and no 16-bit peak; choose another precision.");
    facts.peak = *peak;
    if (peak->fallback)
        facts.notices.add(Notice::PrecisionFallback);
    if (node->scaleUpBandwidth) {
        facts.m_scaleUp = *node->scaleUpBandwidth;
    } else if (node->accelerator->hostLinkBandwidth) {
        facts.m_scaleUp = *node->accelerator->hostLinkBandwidth;
        facts.notices.add(Notice::ScaleUpAssumed);
    } else {
        return refuse(ErrorCode::MissingField, "fleet.node",
            "Neither the node nor its accelerator states a link between accelerators; duplicate the node in the "
            "catalog and fill in its scale-up bandwidth.");
    }
    if (!node->nicCount)
        facts.notices.add(Notice::NicCountAssumed);
    return facts;
}

int Facts::domainSize() const { return std::min(fleet->node->scaleUpDomainSize, accelerators()); }

std::int64_t Facts::microbatches(std::int64_t dp) const
{
    if (training.microbatchCount)
        return *training.microbatchCount;
    const std::int64_t size = training.microbatchSize.value_or(1);
    return (std::max<std::int64_t>(1, training.globalBatch / dp) + size - 1) / size;
}

void Facts::fillRates(Estimate &estimate) const
{
    const Seconds step = *estimate.stepTime;
    estimate.samplesPerSecond = double(training.globalBatch) / step.value();
    if (countsTokens())
        estimate.tokensPerSecond = *estimate.samplesPerSecond * double(training.sequenceLength);
    estimate.flopsPerAccelerator = work() / (step * double(accelerators()));
    if (!estimate.mfu)
        estimate.mfu = *estimate.flopsPerAccelerator / peak.rate;
}

FormulaInput Facts::batch() const
{
    return given("B", "global batch, sequences", double(training.globalBatch), "training.global_batch");
}
FormulaInput Facts::sequence() const
{
    return countsTokens() ? given("s", "sequence length, tokens", double(training.sequenceLength), "training.seq_len")
                          : given("s", "units of work per sample: the workload is not counted in tokens", 1.0,
                              "workload.inference_flops_unit");
}
FormulaInput Facts::width() const
{
    return given(
        "w", "bytes of one element in " + std::string(toString(training.precision)), element(), "training.precision");
}
FormulaInput Facts::parameters() const
{
    return given("P", "parameters of the model", workload->parameters, "workload.params_total");
}
FormulaInput Facts::layers() const
{
    return given("L", "layers", double(workload->layers.value_or(0)), "workload.layers");
}
FormulaInput Facts::hidden() const
{
    return given("h", "hidden size", double(workload->hiddenSize.value_or(0)), "workload.hidden_size");
}

void Facts::explainAccelerators(Explanation &out) const
{
    out.add({"accelerators", "Accelerators of the fleet"}, accelerators(), Dimension::Number, "n \u00b7 a",
        {given("n", "nodes", double(fleet->nodeCount), "fleet.nodes"),
            given("a", "accelerators per node", double(fleet->node->acceleratorsPerNode),
                "fleet.node.accelerators_per_node")},
        "The plan's fleet");
}

void Facts::explainDomain(Explanation &out) const
{
    out.add({"domain_size", "Accelerators of a scale-up domain"}, domainSize(), Dimension::Number, "min(g, N)",
        {given("g", "accelerators that reach each other over the scale-up fabric",
             double(fleet->node->scaleUpDomainSize), "fleet.node.scale_up_domain_size"),
            out.from("N", "accelerators")},
        "The planner's node is the node's scale-up domain, no more than the fleet");
}

void Facts::explainPeak(Explanation &out) const
{
    out.add({"peak_flops_per_s", "Dense peak of one accelerator"}, peak.rate, "R",
        {given("R",
            peak.fallback
                ? "dense 16-bit peak: the accelerator states none for " + std::string(toString(training.precision))
                : "dense peak in " + std::string(toString(training.precision)),
            peak.rate, peakOrigin(*fleet->node->accelerator, training.precision))},
        "Accelerators catalog");
}

void Facts::explainScaleUp(Explanation &out) const
{
    const bool stated = fleet->node->scaleUpBandwidth.has_value();
    out.add({"scale_up_bytes_per_s", "Scale-up bandwidth of one accelerator"}, scaleUp(), "beta_u",
        {given("beta_u",
            stated ? "scale-up bandwidth per accelerator, one direction"
                   : "host link, one direction: the node states no scale-up link",
            scaleUp(),
            stated ? "fleet.node.scale_up_unidirectional_gb_per_s_per_accelerator"
                   : "fleet.node.accelerator.host_link_unidirectional_gb_per_s")},
        "Nodes catalog");
}

void Facts::explainScaleOut(Explanation &out) const
{
    const auto &node = fleet->node;
    const auto port = given("beta_p", "bandwidth of one port, one direction", fleet->fabric->portBandwidth,
        "fleet.fabric.port_bandwidth_gb_per_s");
    const auto oversubscription = given(
        "o", "oversubscription of the fabric", fleet->fabric->oversubscription, "fleet.oversubscription");
    if (node->nicCount)
        out.add({"scale_out_bytes_per_s", "Scale-out bandwidth of one accelerator"}, scaleOut(),
            "beta_p \u00b7 k / a / o",
            {port,
                given("k", "ports of a node on the fabric", double(*node->nicCount), "fleet.node.nics_scale_out_count"),
                given("a", "accelerators per node", double(node->acceleratorsPerNode),
                    "fleet.node.accelerators_per_node"),
                oversubscription},
            "The fabric's port rate times the node's ports per accelerator");
    else
        out.add({"scale_out_bytes_per_s", "Scale-out bandwidth of one accelerator"}, scaleOut(), "beta_p / o",
            {port, oversubscription}, "One port per accelerator: the node states no NIC count");
}

void Facts::explainCapacity(Explanation &out) const
{
    const auto capacity = fleet->node->accelerator->memoryCapacity;
    out.add({"memory.capacity_bytes"}, capacity, "M",
        {given("M", "memory of one accelerator", capacity, "fleet.node.accelerator.memory_capacity_bytes")},
        "Accelerators catalog");
}

void Facts::explainWork(Explanation &out) const
{
    out.add({"model_flops", "Model FLOP of one step"}, work(), "6 \u00b7 P_a \u00b7 B \u00b7 s",
        {given("P_a", "parameters used per token", workload->activeParameters, "workload.params_active"), batch(),
            sequence()},
        "Two FLOP per parameter and token forward, four backward (Kaplan 2020)");
}

void Facts::explainMicrobatches(Explanation &out, std::int64_t dp) const
{
    if (training.microbatchCount)
        out.add({"microbatches", "Microbatches of a replica"}, double(microbatches(dp)), Dimension::Number, "m",
            {given("m", "microbatches per replica and step", double(*training.microbatchCount),
                "training.microbatch_count")},
            "The plan");
    else
        out.add({"microbatches", "Microbatches of a replica"}, double(microbatches(dp)), Dimension::Number,
            "ceil(max(1, floor(B / d)) / z)",
            {batch(), out.from("d", "parallelism.dp"),
                given("z", "sequences per microbatch", double(training.microbatchSize.value_or(1)),
                    "training.microbatch_size")},
            "The plan");
}

void Facts::explainDp(Explanation &out, const Parallelism &split, int dp) const
{
    out.add({"parallelism.dp"}, dp, Dimension::Number, "floor(N / (t \u00b7 p))",
        {out.from("N", "accelerators"), tpInput(split), ppInput(split)}, "What TP and PP leave");
}

void Facts::explainRates(Explanation &out, const Estimate &estimate) const
{
    out.add({"samples_per_s"}, *estimate.samplesPerSecond, Dimension::Number, "B / T",
        {batch(), out.from("T", "step_time_s")}, "Global batch over step time");
    if (estimate.tokensPerSecond)
        out.add({"tokens_per_s"}, *estimate.tokensPerSecond, Dimension::Number, "n_s \u00b7 s",
            {out.from("n_s", "samples_per_s"), sequence()}, "Samples times tokens per sample");
    out.add({"flops_per_accelerator_per_s"}, *estimate.flopsPerAccelerator, "f / (T \u00b7 N)",
        {out.from("f", "model_flops"), out.from("T", "step_time_s"), out.from("N", "accelerators")},
        "Model FLOP over step time and accelerators");
    if (!out.find("mfu"))
        out.add({"mfu"}, *estimate.mfu, Dimension::Fraction, "F / R",
            {out.from("F", "flops_per_accelerator_per_s"), out.from("R", "peak_flops_per_s")},
            "Chowdhery 2022 (PaLM): model FLOP per second over the dense peak");
}

Expected<int> required(const std::optional<int> &count, std::string_view what, const Workload &workload)
{
    if (count)
        return *count;
    return refuse(ErrorCode::MissingField, "workload",
        "The " + std::string(what) + " of \u201c" + workload->name
            + "\u201d is unknown, and this cost model needs it; duplicate the workload in the catalog and fill it in, "
              "or choose another cost model.");
}

Expected<void> checkRanks(const Parallelism &split, std::string_view modelTitle)
{
    if (split.tp < 1)
        return refuseRank("parallelism.tp", "Tensor parallelism (TP)");
    if (split.pp < 1)
        return refuseRank("parallelism.pp", "Pipeline parallelism (PP)");
    if (split.ep < 1)
        return refuseRank("parallelism.ep", "Expert parallelism (EP)");
    if (split.cp < 1)
        return refuseRank("parallelism.cp", "Context parallelism (CP)");
    if (split.cp > 1)
        return refuse(ErrorCode::UnsupportedValue, "parallelism.cp",
            "The cost model \u201c" + std::string(modelTitle)
                + "\u201d does not know context parallelism; set CP to 1 or choose another cost model.");
    return {};
}

Expected<int> dataParallel(const Parallelism &split, int accelerators, std::string_view modelTitle)
{
    if (auto ok = checkRanks(split, modelTitle); !ok)
        return std::unexpected(ok.error());
    // As wider integers: the product of two counts may not fit an int.
    const auto shards = std::int64_t(split.tp) * split.pp;
    if (shards > accelerators || accelerators % shards != 0)
        return refuseProduct(split, accelerators);
    return int(accelerators / shards);
}

Notices ignoredSettings(const Parallelism &split, const Training &training)
{
    Notices notices;
    if (split.ep > 1)
        notices.add(Notice::ExpertParallelismIgnored);
    if (split.virtualStages > 1 || split.zeroStage > 0 || training.recompute != Recompute::None || training.lora
        || training.accumulationSteps > 1)
        notices.add(Notice::SettingsIgnored);
    return notices;
}

FormulaInput tpInput(const Parallelism &split)
{
    return given("t", "tensor parallelism (TP)", double(split.tp), "parallelism.tp");
}
FormulaInput ppInput(const Parallelism &split)
{
    return given("p", "pipeline stages (PP)", double(split.pp), "parallelism.pp");
}

} // namespace fleetwright::planners
