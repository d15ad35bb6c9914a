// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/firstorder/firstordermodel.h"

#include "solver/models/firstorder/firstorderexplain.h"
#include "solver/models/firstorder/firstordertext.h"
#include "solver/models/modelcard.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace fleetwright::firstorder {

namespace {

std::string planField(std::string_view native)
{
    static constexpr auto names = std::to_array<std::pair<std::string_view, std::string_view>>({
        {"tp_size", "parallelism.tp"},
        {"pp_size", "parallelism.pp"},
        {"ep_size", "parallelism.ep"},
        {"v_stages", "parallelism.virtual_stages"},
        {"zero_stage", "parallelism.zero_stage"},
        {"parallelism", "parallelism"},
        {"batch_size", "training.global_batch"},
        {"gradient_accumulation_steps", "training.accumulation_steps"},
        {"microbatch_count", "training.microbatch_count"},
        {"seq_len", "training.seq_len"},
        {"precision", "training.precision"},
        {"efficiency", "assumptions.efficiency"},
        {"overlap_efficiency", "assumptions.overlap_efficiency"},
        {"congestion_factor", "assumptions.congestion_factor"},
        {"straggler_factor", "assumptions.straggler_factor"},
        {"moe_routing_imbalance_factor", "assumptions.moe_imbalance_factor"},
        {"bandwidth", "fleet.fabric"},
        {"latency", "fleet.fabric"},
        {"oversubscription", "fleet.fabric"},
        {"nodes", "fleet.nodes"},
        {"fleet", "fleet"},
        {"parameters", "workload"},
        {"active_parameters", "workload"},
        {"inference_flops", "workload"},
        {"layers", "workload"},
        {"hidden_dim", "workload"},
        {"heads", "workload"},
        {"experts", "workload"},
        {"active_experts_per_token", "workload"},
    });
    const auto found = std::ranges::find(names, native, &std::pair<std::string_view, std::string_view>::first);
    return std::string(
        found == names.end() ? "fleet.node" : found->second); // the rest are facts of the accelerator or its node
}

/// n of "flop_per_sequence_of_<n>_tokens".
std::optional<double> tokensPerUnit(std::string_view unit)
{
    constexpr std::string_view prefix = "flop_per_sequence_of_";
    if (!unit.starts_with(prefix))
        return std::nullopt;
    unit.remove_prefix(prefix.size());
    double tokens = 0;
    const auto [end, status] = std::from_chars(unit.data(), unit.data() + unit.size(), tokens);
    return status == std::errc() && tokens >= 1 && std::string_view(end) == "_tokens" ? std::optional(tokens)
                                                                                      : std::nullopt;
}

void adaptForwardFlops(WorkloadFacts &workload, const Training &training)
{
    if (workload.family == WorkloadFamily::Other) {
        // The model prices such a sample as one unit of work, whatever its length.
        if (!countsTokens(workload))
            return;
        const auto &unit = workload.forwardFlopsUnit;
        const auto tokens = !workload.forwardFlops || unit == "flop_per_token" ? 1.0 : tokensPerUnit(unit).value_or(0);
        if (tokens > 0)
            workload.forwardFlops = fleetwright::forwardFlops(workload) / tokens * double(training.sequenceLength);
        return;
    }
    if (!workload.forwardFlops)
        return;
    if (const auto tokens = tokensPerUnit(workload.forwardFlopsUnit)) {
        *workload.forwardFlops /= *tokens;
    }
}

class FirstOrderEvaluator final : public Evaluator {
public:
    FirstOrderEvaluator(
        const Inputs &inputs, const Workload &workload, const Fleet &fleet, const Training &training, Notices notices)
        : m_pricer(inputs), m_workload(workload), m_fleet(fleet), m_training(training), m_notices(notices)
    {
    }

    [[nodiscard]] const Pricer &pricer() const { return m_pricer; }

    [[nodiscard]] Expected<Estimate> evaluate(const Parallelism &parallelism) const override
    {
        if (parallelism.cp != 1)
            return refuseContextParallelism(parallelism.cp);
        const auto priced = m_pricer.price(splitOf(parallelism));
        if (!priced)
            return std::unexpected(inPlanTerms(priced.error()));
        Expected<Estimate> answer;
        fill(*answer, *priced);
        return answer;
    }

    [[nodiscard]] StepBreakdown breakdown(const Estimate &estimate) const override
    {
        StepBreakdown parts{.compute = estimate.computeTime.value_or(Seconds{}),
            .tp = estimate.tpCommTime.value_or(Seconds{}),
            .ep = estimate.epCommTime.value_or(Seconds{}),
            .dp = (1.0 - m_pricer.hiddenOverlap()) * estimate.dpCommTime.value_or(Seconds{}),
            .bubble = estimate.bubbleTime.value_or(Seconds{}),
            .overhead = estimate.overheadTime.value_or(Seconds{})};
        if (m_pricer.straggler() > 1.0)
            parts.other = std::max(Seconds{},
                *estimate.stepTime - (parts.compute + parts.tp + parts.ep + parts.dp + parts.bubble + parts.overhead));
        return parts;
    }

    [[nodiscard]] Expected<std::vector<ExplainedFigure>> explain(const Parallelism &parallelism) const override
    {
        const auto estimate = evaluate(parallelism);
        if (!estimate)
            return std::unexpected(estimate.error());
        const auto split = splitOf(parallelism);
        const auto figures = m_pricer.price(split);
        if (!figures)
            return std::unexpected(inPlanTerms(figures.error()));
        return firstorder::explain({.pricer = m_pricer,
            .workload = m_workload,
            .fleet = m_fleet,
            .training = m_training,
            .split = split,
            .figures = *figures,
            .estimate = *estimate,
            .breakdown = breakdown(*estimate)});
    }

private:
    [[nodiscard]] Split splitOf(const Parallelism &parallelism) const
    {
        return {.tp = parallelism.tp,
            .pp = parallelism.pp,
            .ep = parallelism.ep,
            .virtualStages = parallelism.virtualStages,
            .zeroStage = parallelism.zeroStage,
            .microbatches = m_training.microbatchCount.value_or(1),
            .microbatchSize = m_training.microbatchSize.value_or(0)};
    }

    [[gnu::noinline]] static std::unexpected<Error> refuseContextParallelism(int cp)
    {
        if (cp < 1)
            return refuse(ErrorCode::OutOfRange, "parallelism.cp", "Context parallelism (CP) must be at least 1.");
        return refuse(ErrorCode::UnsupportedValue, "parallelism.cp",
            "The first-order model does not know context parallelism; set CP to 1 or choose another cost model.");
    }

    void fill(Estimate &estimate, const Figures &figures) const
    {
        const auto &inputs = m_pricer.inputs();
        const bool replica = inputs.variant == Variant::Replica;
        estimate.dp = int(figures.dp);
        estimate.stepTime = figures.stepTime;
        estimate.computeTime = figures.memoryBound ? figures.memoryTime : figures.computeTime;
        estimate.dpCommTime = figures.dpTime;
        estimate.tpCommTime = figures.tpTime;
        estimate.epCommTime = figures.epTime;
        estimate.exposedCommTime = figures.exposedDpTime + figures.tpTime + figures.epTime;
        estimate.bubbleTime = figures.bubbleTime;
        estimate.overheadTime = figures.overhead;
        estimate.bubbleFraction = figures.bubbleFraction;
        estimate.scalingEfficiency = figures.scalingEfficiency;
        estimate.samplesPerSecond = figures.samplesPerSecond;
        if (countsTokens(*m_workload))
            estimate.tokensPerSecond = figures.samplesPerSecond * double(inputs.sequenceLength);
        if (replica) {
            estimate.mfu = figures.scalingEfficiency * figures.replicaMfu;
            estimate.hfu = figures.scalingEfficiency * figures.replicaHfu;
            const double usefulShare = inputs.recompute ? 0.75 : 1.0;
            estimate.flopsPerAccelerator = usefulShare * double(figures.dp) / double(inputs.accelerators)
                * (figures.work / figures.stepTime);
        }
        auto &memory = estimate.memory.emplace();
        memory.total = figures.footprint;
        memory.capacity = inputs.accelerator.memoryCapacity;
        memory.weights = figures.memory.weights;
        memory.gradients = figures.memory.gradients;
        memory.optimizer = figures.memory.optimizerState;
        memory.activations = figures.memory.activations;
        memory.other = figures.memory.communicationBuffers;
        estimate.fits = figures.fits;
        estimate.notices = figures.notices | m_notices;

        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        const auto set = [&estimate](Detail detail, double value) {
            estimate.details[static_cast<std::size_t>(detail)] = value;
        };
        set(Detail::ReplicaMfu, figures.replicaMfu);
        set(Detail::NodeLatency, figures.nodeLatency.value());
        set(Detail::RooflineCompute, figures.computeTime.value());
        set(Detail::MemoryTime, figures.memoryTime.value());
        set(Detail::Intensity,
            (figures.work / figures.traffic).value()
                * (replica ? double(figures.dp) / double(inputs.accelerators) : 1.0));
        set(Detail::EffectiveMemoryBandwidth, figures.effectiveBandwidth.value());
        set(Detail::Spill, figures.spill.value());
        set(Detail::NodeEnergy,
            inputs.accelerator.tdp
                ? formulas::energy(*inputs.accelerator.tdp, figures.replicaHfu, figures.nodeLatency, inputs.constants)
                      .value()
                : none);
        set(Detail::LocalBatch, figures.localBatch);
        set(Detail::Microbatches, figures.microbatches);
        set(Detail::DpMessage, figures.dpMessage.value());
        set(Detail::DpLink, figures.dp > 1 ? figures.dpLink.bandwidth.value() : none);
        set(Detail::TpMessage, figures.tpMessage.value());
        set(Detail::TpLink, figures.tpLink.bandwidth.value() > 0 ? figures.tpLink.bandwidth.value() : none);
        set(Detail::HiddenComm, (figures.dpTime - figures.exposedDpTime).value());
        set(Detail::PublishedThroughput, replica ? none : figures.publishedThroughput);
    }

    Pricer m_pricer;
    Workload m_workload;
    Fleet m_fleet;
    Training m_training;
    Notices m_notices;
};

class FirstOrderModel final : public DescribedModel {
public:
    FirstOrderModel()
        : DescribedModel({.id = "first-order",
            .title = "First-order",
            .version = "1.0",
            .literature =
                "Roofline: Williams 2009. Collectives: Thakur 2005; Patarasuk, Yuan 2009. Tensor parallelism: Shoeybi "
                "2019. Pipeline: Huang "
                "2019; Narayanan 2019, 2021. Experts: Fedus 2022. Memory: Rajbhandari 2020; Korthikanti 2022. "
                "Stragglers: Dean, Barroso 2013.",
            .limitations = limitationTexts(),
            .assumptions = assumptionDescriptors(),
            .details = detailDescriptors(),
            .layoutSearchTraits = {
                .options = {LayoutSearchOption::Tp, LayoutSearchOption::Pp, LayoutSearchOption::Ep,
                    LayoutSearchOption::Dp, LayoutSearchOption::VirtualStages, LayoutSearchOption::MicrobatchSize,
                    LayoutSearchOption::ZeroStage, LayoutSearchOption::Recompute},
                .expertsInsideData = false}})
    {
    }
    /// The unsharded variant has no MFU of the fleet.
    [[nodiscard]] LayoutSearchTraits layoutSearchTraitsFor(
        const WorkloadFacts &workload, const Assumptions &assumptions) const override
    {
        auto traits = CostModel::layoutSearchTraitsFor(workload, assumptions);
        const auto inputs = inputsOf(assumptions);
        traits.mfu = !inputs || inputs->variant == Variant::Replica;
        return traits;
    }
    [[nodiscard]] Expected<std::unique_ptr<Evaluator>> prepare(const Workload &workload, const Fleet &fleet,
        const Training &training, const Assumptions &assumptions) const override
    {
        if (auto ok = fleetwright::check(training); !ok)
            return std::unexpected(ok.error());
        const auto inputs = inputsFrom(workload, fleet, training, assumptions);
        if (!inputs)
            return std::unexpected(inputs.error());

        Notices notices;
        if (!fleet->node->scaleUpBandwidth)
            notices.add(Notice::ScaleUpAssumed);
        if (!fleet->node->nicCount)
            notices.add(Notice::NicCountAssumed);
        const bool transformer = workload->family != WorkloadFamily::Other;
        const auto counted = inputs->variant == Variant::Replica
            ? (inputs->recompute ? Recompute::Full : Recompute::Selective)
            : (inputs->recompute ? Recompute::Selective : Recompute::None);
        if (transformer && training.recompute != counted)
            notices.add(Notice::RecomputeApproximated);
        auto evaluator = std::make_unique<FirstOrderEvaluator>(*inputs, workload, fleet, training, notices);
        if (auto ok = evaluator->pricer().check(); !ok)
            return std::unexpected(inPlanTerms(ok.error()));
        return evaluator;
    }
};

} // namespace

Error inPlanTerms(Error error)
{
    if (error.code != ErrorCode::Cancelled)
        error.field = planField(error.field);
    return error;
}

Expected<Inputs> inputsFrom(
    const Workload &workload, const Fleet &fleet, const Training &training, const Assumptions &assumptions)
{
    const auto &node = fleet->node;
    auto read = inputsOf(assumptions);
    if (!read)
        return std::unexpected(read.error());
    Inputs &inputs = *read;
    inputs.workload = *workload;
    if (inputs.variant == Variant::Replica)
        adaptForwardFlops(inputs.workload, training);
    inputs.accelerator = *node->accelerator;
    inputs.accelerators = fleet->accelerators();
    inputs.domainSize = std::min<std::int64_t>(node->scaleUpDomainSize, inputs.accelerators);
    inputs.scaleUpBandwidth = node->scaleUpBandwidth.value_or(
        inputs.accelerator.hostLinkBandwidth.value_or(inputs.constants.hostLink));
    inputs.scaleUpLatency = node->scaleUpLatency;
    inputs.fabricBandwidth = fleet->scaleOutBandwidth();
    inputs.fabricLatency = fleet->fabric->latency;
    inputs.oversubscription = fleet->fabric->oversubscription;
    inputs.globalBatch = training.globalBatch;
    inputs.accumulationSteps = training.accumulationSteps;
    inputs.sequenceLength = training.sequenceLength;
    inputs.precision = training.precision;
    inputs.lora = training.lora;
    inputs.recompute = training.recompute == Recompute::Full;
    return read;
}

const CostModel &costModel()
{
    static const FirstOrderModel model;
    return model;
}

} // namespace fleetwright::firstorder
