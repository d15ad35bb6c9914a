// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/dpwall/dpwallmodel.h"

#include "solver/models/plannermodel.h"
#include "solver/models/tunable.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::dpwall {

namespace {

using planners::number;
using units::Dimension;

constexpr std::string_view modelTitle = "Data-parallel wall";
constexpr auto lab = "The Parallelism Paradox, data-parallel wall";
constexpr auto labGroup = "Published constants";

enum class Detail : std::size_t { Gradient, Bandwidth, Ratio, ExposedRatio, Hidden, Samples, PublishedMfu };

constexpr auto detailTable = std::to_array<DetailDescriptor>({
    {"gradient_bytes", "Gradients", Dimension::Information, "2 P; corrected: P w"},
    {"all_reduce_bytes_per_s", "Bandwidth of the all-reduce", Dimension::Bandwidth,
        "scale-up where its domain holds the whole fleet, else scale-out"},
    {"comm_compute_ratio", "All-reduce over compute", Dimension::Number, "T_allreduce / T_compute, before overlap"},
    {"exposed_ratio", "Exposed all-reduce over compute", Dimension::Number, "(T_allreduce - hidden) / T_compute"},
    {"hidden_comm_time_s", "All-reduce hidden by overlap", Dimension::Time,
        "min(overlap T_allreduce, 2/3 T_compute): gradients hide behind the backward pass"},
    {"samples_per_accelerator", "Samples per accelerator", Dimension::Number, "b = max(1, floor(B / N))"},
    {"published_mfu", "MFU as the lab counts it", Dimension::Fraction,
        "u T_compute / (T_compute + exposed), over the lab's peak with sparsity and one token a sample"},
});
static_assert(static_cast<std::size_t>(Detail::PublishedMfu) + 1 == detailTable.size());

constexpr auto limitationTable = std::to_array<Limitation>({
    {"Every accelerator is a replica: TP, PP, EP and CP of the plan are ignored."},
    {"Memory is unknown: most large models do not fit one accelerator, whatever the times say."},
    {"Published: the peak of 1979 TFLOP/s is the vendor's figure with sparsity, so the lab's MFU is a detail of its "
     "own "
     "and no MFU."},
    {"Published: b counts samples and no sequence length enters, so compute is too short by the number of tokens "
     "in a sample and the wall comes far too early."},
    {"Published: the scale-out bandwidth of 400 GB/s is a unit slip; the product sold as \u201c200 Gb/s\u201d "
     "moves 25 GB/s per port."},
    {"Published: the constants of the lab are used whatever the fleet's hardware."},
    {"One reference MFU stands for everything but the all-reduce, whatever the model and batch."},
    {"The all-reduce is one flat ring without latency; the fabric's topology does not enter."},
    {"Corrected: a fixed share of the all-reduce hides behind the backward pass; buckets and their order are not "
     "simulated."},
    {"ZeRO, recomputation, LoRA, accumulation and virtual stages are ignored."},
});

struct Settings {
    Variant variant = Variant::Published;
    Setting setting;
    double overlap = corrected().overlap;
};

const planners::Tunables<Settings> &tunables()
{
    static const Settings defaults;
    static const planners::Tunables<Settings> list{
        {{.key = "variant",
             .label = "Variant",
             .description = "Published reproduces the lab with its own constants. Corrected takes dense peak, "
                            "bandwidths and tokens from the plan and lets the all-reduce overlap.",
             .defaultValue = std::string("published"),
             .choices = {"published", "corrected"},
             .source = lab,
             .group = "Run"},
            [](Settings &to, const AssumptionValue &v, double) {
                to.variant = parseVariant(planners::text(v)).value_or(Variant::Published);
            }},
        {{.key = "reference_mfu",
             .label = "MFU without communication",
             .description = "What one accelerator reaches when it waits for nobody.",
             .defaultValue = defaults.setting.referenceMfu,
             .dimension = Dimension::Fraction,
             .minimum = 1e-9,
             .maximum = 1,
             .source = lab,
             .group = "Run"},
            [](Settings &to, const AssumptionValue &v, double) { to.setting.referenceMfu = number(v); }},
        {{.key = "overlap",
             .label = "Overlap",
             .description = "Share of the all-reduce that buckets send early enough to hide behind the backward pass; "
                            "corrected only.",
             .defaultValue = defaults.overlap,
             .dimension = Dimension::Fraction,
             .minimum = 0,
             .maximum = 1,
             .source = "The Parallelism Paradox: 60 to 80 % is typical",
             .group = "Run"},
            [](Settings &to, const AssumptionValue &v, double) { to.overlap = number(v); }},
        {{.key = "published_peak",
             .label = "Peak",
             .description = "With sparsity, as the lab has it; published only.",
             .defaultValue = planners::inUnit(defaults.setting.peak, "TFLOP/s"),
             .dimension = Dimension::ComputeRate,
             .unit = "TFLOP/s",
             .minimum = 0.001,
             .maximum = 1e9,
             .source = lab,
             .group = labGroup},
            [](Settings &to, const AssumptionValue &v, double f) { to.setting.peak = number(v) * f * flopPerSecond; }},
        {{.key = "published_scale_up",
             .label = "Scale-up bandwidth",
             .description = "Both directions together, as the lab has it; published only.",
             .defaultValue = planners::inUnit(defaults.setting.scaleUp, "GB/s"),
             .dimension = Dimension::Bandwidth,
             .unit = "GB/s",
             .minimum = 0.001,
             .maximum = 1e6,
             .source = lab,
             .group = labGroup},
            [](Settings &to, const AssumptionValue &v, double f) {
                to.setting.scaleUp = number(v) * f * bytePerSecond;
            }},
        {{.key = "published_scale_out",
             .label = "Scale-out bandwidth",
             .description = "Eight ports sold as 400 Gb/s, read as GB/s by the lab; published only.",
             .defaultValue = planners::inUnit(defaults.setting.scaleOut, "GB/s"),
             .dimension = Dimension::Bandwidth,
             .unit = "GB/s",
             .minimum = 0.001,
             .maximum = 1e6,
             .source = lab,
             .group = labGroup},
            [](Settings &to, const AssumptionValue &v, double f) {
                to.setting.scaleOut = number(v) * f * bytePerSecond;
            }},
        {{.key = "published_node_size",
             .label = "Accelerators per node",
             .description = "Up to so many accelerators the all-reduce uses the scale-up fabric; published only.",
             .defaultValue = double(defaults.setting.domainSize),
             .minimum = 1,
             .maximum = 1e6,
             .integer = true,
             .source = lab,
             .group = labGroup},
            [](Settings &to, const AssumptionValue &v, double) { to.setting.domainSize = std::int64_t(number(v)); }},
        {{.key = "published_gradient_bytes",
             .label = "Bytes per gradient",
             .description = "Published only; corrected takes the plan's precision.",
             .defaultValue = planners::inUnit(defaults.setting.gradientElement, "B"),
             .dimension = Dimension::Information,
             .unit = "B",
             .minimum = 0.001,
             .maximum = 1000,
             .source = lab,
             .group = labGroup},
            [](Settings &to, const AssumptionValue &v, double f) {
                to.setting.gradientElement = number(v) * f * byte;
            }},
    };
    return list;
}

Inputs inputsFrom(const planners::Facts &facts, const Settings &settings)
{
    Inputs inputs{.parameters = facts.workload->parameters, .accelerators = facts.accelerators()};
    inputs.batchPerAccelerator = double(std::max(1, facts.training.globalBatch / facts.accelerators()));
    inputs.setting = settings.setting;
    if (settings.variant == Variant::Corrected) {
        inputs.activeParameters = facts.workload->activeParameters;
        inputs.setting.peak = facts.peak.rate;
        inputs.setting.scaleUp = facts.scaleUp();
        inputs.setting.scaleOut = facts.scaleOut();
        inputs.setting.domainSize = facts.domainSize();
        inputs.setting.gradientElement = facts.element();
        inputs.setting.tokensPerSample = facts.tokensPerSample();
        inputs.setting.overlap = settings.overlap;
    }
    inputs.fabric = inputs.accelerators <= inputs.setting.domainSize ? Fabric::ScaleUp : Fabric::ScaleOut;
    return inputs;
}

class DpWallEvaluator final : public planners::PlannerEvaluator {
public:
    DpWallEvaluator(planners::Facts facts, Variant variant, const Inputs &inputs, const Figures &figures)
        : PlannerEvaluator(std::move(facts), detailTable, lab), m_corrected(variant == Variant::Corrected),
          m_inputs(inputs), m_figures(figures)
    {
    }

    [[nodiscard]] Expected<Estimate> evaluate(const Parallelism &split) const override
    {
        for (const auto &[ranks, field] : {std::pair(split.tp, "parallelism.tp"), std::pair(split.pp, "parallelism.pp"),
                 std::pair(split.ep, "parallelism.ep"), std::pair(split.cp, "parallelism.cp")})
            if (ranks < 1)
                return refuse(ErrorCode::OutOfRange, field, "Every rank count of the plan must be at least 1.");
        Expected<Estimate> answer;
        auto &estimate = *answer;
        const auto batch = m_facts.training.globalBatch;
        const auto accelerators = m_facts.accelerators();
        estimate.dp = accelerators;
        estimate.computeTime = m_figures.computeTime;
        estimate.dpCommTime = m_figures.allReduceTime;
        estimate.exposedCommTime = m_figures.exposedTime;
        estimate.stepTime = m_figures.computeTime + m_figures.exposedTime;
        estimate.scalingEfficiency = m_figures.computeTime / *estimate.stepTime;
        if (m_corrected) // the lab's own is over a peak with sparsity: no MFU to compare with others
            estimate.mfu = busyShare() * m_figures.mfu;
        estimate.samplesPerSecond = samples() / estimate.stepTime->value();
        if (m_corrected && m_facts.countsTokens())
            estimate.tokensPerSecond = *estimate.samplesPerSecond * m_inputs.setting.tokensPerSample;
        estimate.notices = m_facts.notices
            | planners::ignoredSettings(
                {.virtualStages = split.virtualStages, .zeroStage = split.zeroStage}, m_facts.training);
        if (split.tp > 1 || split.pp > 1 || split.ep > 1 || split.cp > 1)
            estimate.notices.add(Notice::SplitIgnored);
        if (batch < accelerators)
            estimate.notices.add(Notice::IdleRanks);
        else if (batch % accelerators != 0)
            estimate.notices.add(Notice::BatchRemainderDropped);
        const auto set = planners::detailsOf<Detail>(estimate);
        set(Detail::Gradient, m_figures.gradient.value());
        set(Detail::Bandwidth, m_figures.bandwidth.value());
        set(Detail::Ratio, m_figures.ratio);
        set(Detail::ExposedRatio, m_figures.exposedRatio);
        set(Detail::Hidden, m_figures.hiddenTime.value());
        set(Detail::Samples, m_inputs.batchPerAccelerator);
        if (!m_corrected)
            set(Detail::PublishedMfu, m_figures.mfu);
        return answer;
    }

    [[nodiscard]] std::string outOfScope(const Parallelism &split, const Estimate &) const override
    {
        if (split.tp > 1 || split.pp > 1 || split.ep > 1 || split.cp > 1)
            return "It knows data parallelism alone: every accelerator a replica, whatever the plan's layout.";
        if (!m_corrected && m_facts.countsTokens() && m_facts.tokensPerSample() > 1)
            return "As published it counts samples and no sequence length, so a sequence costs it one token.";
        return {};
    }

    [[nodiscard]] StepBreakdown breakdown(const Estimate &estimate) const override
    {
        return {
            .compute = estimate.computeTime.value_or(Seconds{}), .dp = estimate.exposedCommTime.value_or(Seconds{})};
    }

private:
    void explainFigures(Explanation &out, const Parallelism &, const Estimate &estimate) const override
    {
        m_facts.explainAccelerators(out);
        if (m_corrected) {
            m_facts.explainDomain(out);
            m_facts.explainPeak(out);
            m_facts.explainScaleUp(out);
            m_facts.explainScaleOut(out);
        }
        out.add({"parallelism.dp"}, estimate.dp, Dimension::Number, "N", {out.from("N", "accelerators")},
            "Every accelerator is a replica");
        explainTimes(out, estimate);
    }

    /// Of one step: with fewer samples than accelerators some accelerators idle.
    [[nodiscard]] double samples() const
    {
        return std::min(
            double(m_facts.training.globalBatch), m_inputs.batchPerAccelerator * double(m_inputs.accelerators));
    }

    /// Accelerators without a sample compute nothing.
    [[nodiscard]] double busyShare() const
    {
        return samples() / (m_inputs.batchPerAccelerator * double(m_inputs.accelerators));
    }

    void explainTimes(Explanation &out, const Estimate &estimate) const
    {
        const auto &setting = m_inputs.setting;
        const auto count = out.from("N", "accelerators");
        const bool scaleUp = m_inputs.fabric == Fabric::ScaleUp;
        if (m_corrected) {
            detail(out, estimate, Detail::Gradient, "P \u00b7 w", {m_facts.parameters(), m_facts.width()});
            detail(out, estimate, Detail::Bandwidth, "beta",
                {out.from("beta", scaleUp ? "scale_up_bytes_per_s" : "scale_out_bytes_per_s")},
                scaleUp ? "The scale-up domain holds the whole fleet" : "The fleet is larger than a scale-up domain");
        } else {
            detail(out, estimate, Detail::Gradient, "P \u00b7 w",
                {m_facts.parameters(),
                    given("w", "bytes per gradient", setting.gradientElement, "assumptions.published_gradient_bytes")});
            detail(out, estimate, Detail::Bandwidth, "beta",
                {given("beta", scaleUp ? "scale-up bandwidth of the lab" : "scale-out bandwidth of the lab",
                    m_figures.bandwidth,
                    scaleUp ? "assumptions.published_scale_up" : "assumptions.published_scale_out")});
        }
        detail(out, estimate, Detail::Samples, "max(1, floor(B / N))", {m_facts.batch(), count});
        out.add({"dp_comm_time_s"}, *estimate.dpCommTime, "G \u00b7 2 \u00b7 (N - 1) / N / beta",
            {out.from("G", "details.gradient_bytes"), count, out.from("beta", "details.all_reduce_bytes_per_s")},
            "Ring all-reduce without latency (Patarasuk, Yuan 2009)");
        const auto reference = given(
            "u", "MFU without communication", setting.referenceMfu, "assumptions.reference_mfu");
        const auto samplesEach = out.from("b", "details.samples_per_accelerator");
        if (m_corrected)
            out.add({"compute_time_s"}, *estimate.computeTime, "6 \u00b7 P_a \u00b7 b \u00b7 s / (R \u00b7 u)",
                {given(
                     "P_a", "parameters used per token", m_facts.workload->activeParameters, "workload.params_active"),
                    samplesEach, m_facts.sequence(), out.from("R", "peak_flops_per_s"), reference},
                lab);
        else
            out.add({"compute_time_s"}, *estimate.computeTime, "6 \u00b7 P \u00b7 b / (R \u00b7 u)",
                {m_facts.parameters(), samplesEach,
                    given("R", "peak of the lab, with sparsity", setting.peak, "assumptions.published_peak"),
                    reference},
                lab);
        const auto allReduce = out.from("T_a", "dp_comm_time_s");
        const auto compute = out.from("T_c", "compute_time_s");
        if (m_corrected)
            detail(out, estimate, Detail::Hidden, "min(y \u00b7 T_a, 2 / 3 \u00b7 T_c)",
                {given("y", "overlap", setting.overlap, "assumptions.overlap"), allReduce, compute});
        else
            detail(out, estimate, Detail::Hidden, "0", {}, "The published instrument hides nothing");
        out.add({"exposed_comm_time_s"}, *estimate.exposedCommTime, "T_a - T_h",
            {allReduce, out.from("T_h", "details.hidden_comm_time_s")}, lab);
        const auto exposed = out.from("T_x", "exposed_comm_time_s");
        detail(out, estimate, Detail::Ratio, "T_a / T_c", {allReduce, compute});
        detail(out, estimate, Detail::ExposedRatio, "T_x / T_c", {exposed, compute});
        out.add({"step_time_s"}, *estimate.stepTime, "T_c + T_x", {compute, exposed}, lab);
        const auto step = out.from("T", "step_time_s");
        out.add(
            {"scaling_efficiency"}, *estimate.scalingEfficiency, Dimension::Fraction, "T_c / T", {compute, step}, lab);
        if (m_corrected)
            out.add({"mfu"}, *estimate.mfu, Dimension::Fraction,
                "min(B, b \u00b7 N) / (b \u00b7 N) \u00b7 u \u00b7 T_c / (T_c + T_x)",
                {m_facts.batch(), samplesEach, count, reference, compute, exposed}, lab);
        else
            detail(out, estimate, Detail::PublishedMfu, "u \u00b7 T_c / (T_c + T_x)", {reference, compute, exposed});
        out.add({"samples_per_s"}, *estimate.samplesPerSecond, Dimension::Number, "min(B, b \u00b7 N) / T",
            {m_facts.batch(), samplesEach, count, step}, "Samples of the step over step time");
        if (estimate.tokensPerSecond)
            out.add({"tokens_per_s"}, *estimate.tokensPerSecond, Dimension::Number, "n_s \u00b7 s",
                {out.from("n_s", "samples_per_s"), m_facts.sequence()}, "Samples times tokens per sample");
        parts(out, {{"exposed_dp_comm_time_s", "exposed_comm_time_s", "T_x"}});
    }

    bool m_corrected;
    Inputs m_inputs;
    Figures m_figures;
};

class DpWallModel final : public planners::PlannerModel {
public:
    DpWallModel()
        : PlannerModel({.id = "dp-wall",
            .title = modelTitle,
            .version = "1.0",
            .literature =
                "Interactive lab \u201cThe Parallelism Paradox\u201d, first instrument. Ring all-reduce: Patarasuk, "
                "Yuan 2009. Forward and backward work: Kaplan 2020.",
            .limitations = limitationTable,
            .assumptions = tunables().descriptors(),
            .details = detailTable,
            .layoutSearchTraits = {.options = {LayoutSearchOption::Dp}, .splits = false, .memory = false}})
    {
    }
    /// The published sample has no length.
    [[nodiscard]] LayoutSearchTraits layoutSearchTraitsFor(
        const WorkloadFacts &workload, const Assumptions &assumptions) const override
    {
        auto traits = CostModel::layoutSearchTraitsFor(workload, assumptions);
        const auto settings = tunables().read(assumptions);
        traits.tokens = traits.tokens && settings && settings->variant == Variant::Corrected;
        return traits;
    }

private:
    [[nodiscard]] Expected<std::unique_ptr<Evaluator>> evaluator(
        planners::Facts facts, const Assumptions &assumptions) const override
    {
        const auto settings = tunables().read(assumptions);
        if (!settings)
            return std::unexpected(settings.error());
        const auto inputs = inputsFrom(facts, *settings);
        const auto figures = price(inputs);
        if (!figures)
            return refuse(figures.error().code, "fleet", figures.error().message);
        if (!std::isfinite((figures->computeTime + figures->exposedTime).value()))
            return planners::refuseStepTime();
        return std::make_unique<DpWallEvaluator>(std::move(facts), settings->variant, inputs, *figures);
    }
};

} // namespace

const CostModel &costModel()
{
    static const DpWallModel model;
    return model;
}

} // namespace fleetwright::dpwall
