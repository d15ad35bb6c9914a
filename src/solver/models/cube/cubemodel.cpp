// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/cube/cubemodel.h"

#include "solver/models/commonassumptions.h"
#include "solver/models/plannermodel.h"
#include "solver/models/tunable.h"

#include <cmath>

namespace fleetwright::cube {

namespace {

using planners::number;
using planners::ppInput;
using planners::tpInput;
using units::Dimension;

constexpr std::string_view modelTitle = "3D cube";
constexpr auto lab = "The Parallelism Paradox, 3D configurator";
constexpr auto order = "The step time split in the order of the formula's factors";

enum class Detail : std::size_t { Bubble, TpPenalty, TpFactor, BubbleFactor, DpFactor };

constexpr auto detailTable = std::to_array<DetailDescriptor>({
    {"bubble_pp_m", "Bubble, the instrument's (pp-1)/(pp m)", Dimension::Fraction,
        "(pp-1)/(pp m): not the share of the pipelined interval, (pp-1)/(m+pp-1)"},
    {"tp_penalty", "Penalty of TP across nodes", Dimension::Number,
        "1 inside a node, scale-up over scale-out bandwidth when TP crosses it"},
    {"tp_factor", "TP factor", Dimension::Fraction, "1 - 0.05 log2(tp) penalty"},
    {"bubble_factor", "Bubble factor", Dimension::Fraction, "1 - bubble"},
    {"dp_factor", "DP factor", Dimension::Fraction, "1 - 0.02 log2(dp)"},
});
static_assert(static_cast<std::size_t>(Detail::DpFactor) + 1 == detailTable.size());

constexpr auto limitationTable = std::to_array<Limitation>({
    {"Published: activations grow with TP, so the lab's own preferred answer (TP 8, PP 4, DP 32 for 175 B "
     "parameters) is out of memory by its own formula: 118.7 of 80 GB."},
    {"Corrected divides activations by TP, as sequence parallelism does. The MFU keeps the published formula in "
     "both variants."},
    {"Activations do not depend on the batch, the sequence length, the model or the recomputation."},
    {"Gradients are not counted in memory, and the optimizer state is not sharded over DP."},
    {"The bubble is (pp-1)/(pp m), the lab's own convention; others count (pp-1)/(m+pp-1) of the whole interval or "
     "(pp-1)/(v m) of the ideal time."},
    {"The MFU falls by fixed shares per doubling of TP and DP, whatever model, batch and network."},
    {"Only whether TP crosses the node matters of the network, by a factor of the lab's two bandwidths."},
    {"Step time is derived from the MFU; its parts are what each factor of the formula costs, not the time of a "
     "collective."},
    {"Expert parallelism is ignored; context parallelism is refused. ZeRO, virtual stages, recomputation, LoRA and "
     "accumulation are ignored."},
});

const planners::Tunables<Setting> &tunables()
{
    static const Setting defaults;
    static const planners::Tunables<Setting> list{
        {{.key = "variant",
             .label = "Variant",
             .description = "Published multiplies activations by TP, as the lab does. Corrected divides them by TP "
                            "(sequence parallelism). The MFU is the published one in both.",
             .defaultValue = std::string("published"),
             .choices = {"published", "corrected"},
             .source = lab,
             .group = "Run"},
            [](Setting &to, const AssumptionValue &v, double) {
                to.variant = parseVariant(planners::text(v)).value_or(Variant::Published);
            }},
        {{.key = "reference_mfu",
             .label = "MFU of one accelerator",
             .description = "What remains when nothing is split; also the upper limit.",
             .defaultValue = defaults.referenceMfu,
             .dimension = Dimension::Fraction,
             .minimum = 1e-9,
             .maximum = 1,
             .source = lab,
             .group = "Utilisation"},
            [](Setting &to, const AssumptionValue &v, double) { to.referenceMfu = number(v); }},
        {{.key = "tp_loss",
             .label = "Loss per doubling of TP",
             .description = "Share of the MFU, times the penalty where TP crosses a node.",
             .defaultValue = defaults.tpLoss,
             .dimension = Dimension::Fraction,
             .minimum = 0,
             .maximum = 1,
             .source = lab,
             .group = "Utilisation"},
            [](Setting &to, const AssumptionValue &v, double) { to.tpLoss = number(v); }},
        {{.key = "dp_loss",
             .label = "Loss per doubling of DP",
             .description = "Share of the MFU.",
             .defaultValue = defaults.dpLoss,
             .dimension = Dimension::Fraction,
             .minimum = 0,
             .maximum = 1,
             .source = lab,
             .group = "Utilisation"},
            [](Setting &to, const AssumptionValue &v, double) { to.dpLoss = number(v); }},
        {{.key = "cube_scale_up",
             .label = "Scale-up bandwidth",
             .description = "Serves only for the penalty of TP across nodes.",
             .defaultValue = planners::inUnit(defaults.scaleUp, "GB/s"),
             .dimension = Dimension::Bandwidth,
             .unit = "GB/s",
             .minimum = 0.001,
             .maximum = 1e6,
             .source = lab,
             .group = "Network"},
            [](Setting &to, const AssumptionValue &v, double f) { to.scaleUp = number(v) * f * bytePerSecond; }},
        {{.key = "cube_scale_out",
             .label = "Scale-out bandwidth",
             .description = "Serves only for the penalty of TP across nodes.",
             .defaultValue = planners::inUnit(defaults.scaleOut, "GB/s"),
             .dimension = Dimension::Bandwidth,
             .unit = "GB/s",
             .minimum = 0.001,
             .maximum = 1e6,
             .source = lab,
             .group = "Network"},
            [](Setting &to, const AssumptionValue &v, double f) { to.scaleOut = number(v) * f * bytePerSecond; }},
        {{.key = "weight_bytes",
             .label = "Weights per parameter",
             .description = "16-bit weights.",
             .defaultValue = planners::inUnit(defaults.weightElement, "B"),
             .dimension = Dimension::Information,
             .unit = "B",
             .minimum = 0.001,
             .maximum = 1000,
             .source = lab,
             .group = "Memory"},
            [](Setting &to, const AssumptionValue &v, double f) { to.weightElement = number(v) * f * byte; }},
        {planners::adamMoments(planners::inUnit(defaults.optimizerElement, "B"), lab, "Memory"),
            [](Setting &to, const AssumptionValue &v, double f) { to.optimizerElement = number(v) * f * byte; }},
        {{.key = "activation_base",
             .label = "Activations at TP 1",
             .description = "Whatever the batch, sequence length and model.",
             .defaultValue = planners::inUnit(defaults.activationBase, "GB"),
             .dimension = Dimension::Information,
             .unit = "GB",
             .minimum = 0,
             .maximum = 1e6,
             .source = lab,
             .group = "Memory"},
            [](Setting &to, const AssumptionValue &v, double f) { to.activationBase = number(v) * f * byte; }},
    };
    return list;
}

class CubeEvaluator final : public planners::PlannerEvaluator {
public:
    CubeEvaluator(planners::Facts facts, const Setting &setting)
        : PlannerEvaluator(std::move(facts), detailTable, lab), m_setting(setting)
    {
    }

    [[nodiscard]] Expected<Estimate> evaluate(const Parallelism &split) const override
    {
        const auto dp = planners::dataParallel(split, m_facts.accelerators(), modelTitle);
        if (!dp)
            return std::unexpected(dp.error());
        const auto figures = price(
            {.tp = split.tp, .pp = split.pp, .microbatches = m_facts.microbatches(*dp), .setting = m_setting});
        if (!figures)
            return refuse(figures.error().code, figures.error().field == "m" ? "training.microbatch_count" : "fleet",
                figures.error().message);
        Expected<Estimate> answer;
        auto &estimate = *answer;
        estimate.dp = *dp;
        const Seconds ideal = m_facts.work()
            / (double(m_facts.accelerators()) * m_facts.peak.rate * m_setting.referenceMfu);
        const Seconds afterTp = ideal / figures->tpFactor;
        const Seconds afterBubble = afterTp / figures->bubbleFactor;
        const Seconds step = afterBubble / figures->dpFactor;
        if (!(figures->mfu > 0) || !std::isfinite(step.value()))
            return refuse(ErrorCode::OutOfRange, "parallelism",
                "The instrument's losses eat up the whole MFU at this split, so it has no step time; lower TP, PP or "
                "DP, or raise the microbatches.");
        estimate.computeTime = ideal;
        estimate.tpCommTime = afterTp - ideal;
        estimate.bubbleTime = afterBubble - afterTp;
        estimate.dpCommTime = step - afterBubble;
        estimate.exposedCommTime = *estimate.tpCommTime + *estimate.dpCommTime;
        estimate.stepTime = step;
        estimate.mfu = figures->mfu;
        estimate.scalingEfficiency = figures->mfu / m_setting.referenceMfu;
        m_facts.fillRates(estimate);
        auto &memory = estimate.memory.emplace();
        memory.total = figures->total;
        memory.capacity = m_setting.capacity;
        memory.weights = figures->weights;
        memory.optimizer = figures->optimizer;
        memory.activations = figures->activations;
        estimate.fits = !figures->outOfMemory;
        estimate.notices = m_facts.notices | planners::ignoredSettings(split, m_facts.training);
        if (m_facts.training.globalBatch < *dp)
            estimate.notices.add(Notice::IdleRanks);
        if (m_facts.workload->layers && split.pp > *m_facts.workload->layers)
            estimate.notices.add(Notice::StagesExceedLayers);
        const auto set = planners::detailsOf<Detail>(estimate);
        set(Detail::Bubble, figures->bubble);
        set(Detail::TpPenalty, figures->tpPenalty);
        set(Detail::TpFactor, figures->tpFactor);
        set(Detail::BubbleFactor, figures->bubbleFactor);
        set(Detail::DpFactor, figures->dpFactor);
        return answer;
    }

    [[nodiscard]] StepBreakdown breakdown(const Estimate &estimate) const override
    {
        return {.compute = estimate.computeTime.value_or(Seconds{}),
            .tp = estimate.tpCommTime.value_or(Seconds{}),
            .dp = estimate.dpCommTime.value_or(Seconds{}),
            .bubble = estimate.bubbleTime.value_or(Seconds{})};
    }

private:
    void explainFigures(Explanation &out, const Parallelism &split, const Estimate &estimate) const override
    {
        m_facts.explainAccelerators(out);
        m_facts.explainDomain(out);
        m_facts.explainPeak(out);
        m_facts.explainWork(out);
        m_facts.explainDp(out, split, estimate.dp);
        m_facts.explainMicrobatches(out, estimate.dp);
        explainMemory(out, split, estimate);
        explainFactors(out, split, estimate);
        explainTimes(out, estimate);
        m_facts.explainRates(out, estimate);
    }

    void explainMemory(Explanation &out, const Parallelism &split, const Estimate &estimate) const
    {
        const auto &memory = *estimate.memory;
        m_facts.explainCapacity(out);
        out.add({"memory.weights_bytes"}, *memory.weights, "P / (t \u00b7 p) \u00b7 w",
            {m_facts.parameters(), tpInput(split), ppInput(split),
                given("w", "weight bytes per parameter", m_setting.weightElement, "assumptions.weight_bytes")},
            lab);
        out.add({"memory.optimizer_bytes"}, *memory.optimizer, "P / (t \u00b7 p) \u00b7 o",
            {m_facts.parameters(), tpInput(split), ppInput(split),
                given("o", "optimizer bytes per parameter", m_setting.optimizerElement, "assumptions.optimizer_bytes")},
            lab);
        const bool published = m_setting.variant == Variant::Published;
        out.add({"memory.activations_bytes"}, *memory.activations, published ? "A \u00b7 t" : "A / t",
            {given("A", "activations at TP 1", m_setting.activationBase, "assumptions.activation_base"),
                tpInput(split)},
            published ? lab : "Corrected: sequence parallelism (Korthikanti 2022)");
        out.add({"memory.total_bytes"}, memory.total, "m_w + m_o + m_a",
            {out.from("m_w", "memory.weights_bytes"), out.from("m_o", "memory.optimizer_bytes"),
                out.from("m_a", "memory.activations_bytes")},
            lab);
        out.add({"fits", "Fits the memory"}, double(*estimate.fits), Dimension::Number, "m <= M",
            {out.from("m", "memory.total_bytes"), out.from("M", "memory.capacity_bytes")}, lab);
    }

    void explainFactors(Explanation &out, const Parallelism &split, const Estimate &estimate) const
    {
        if (split.tp > m_setting.nodeSize)
            detail(out, estimate, Detail::TpPenalty, "beta_u / beta_o",
                {given("beta_u", "scale-up bandwidth of the lab", m_setting.scaleUp, "assumptions.cube_scale_up"),
                    given(
                        "beta_o", "scale-out bandwidth of the lab", m_setting.scaleOut, "assumptions.cube_scale_out")},
                std::string(lab) + ": TP crosses the scale-up domain");
        else
            detail(
                out, estimate, Detail::TpPenalty, "1", {}, std::string(lab) + ": TP stays inside the scale-up domain");
        detail(out, estimate, Detail::TpFactor, "1 - l \u00b7 log2(t) \u00b7 x",
            {given("l", "loss per doubling of TP", m_setting.tpLoss, "assumptions.tp_loss"), tpInput(split),
                out.from("x", "details.tp_penalty")});
        detail(
            out, estimate, Detail::Bubble, "(p - 1) / (p \u00b7 m)", {ppInput(split), out.from("m", "microbatches")});
        detail(out, estimate, Detail::BubbleFactor, "1 - q", {out.from("q", "details.bubble_pp_m")});
        detail(out, estimate, Detail::DpFactor, "1 - l \u00b7 log2(d)",
            {given("l", "loss per doubling of DP", m_setting.dpLoss, "assumptions.dp_loss"),
                out.from("d", "parallelism.dp")});
        const auto reference = given(
            "u", "MFU of one accelerator", m_setting.referenceMfu, "assumptions.reference_mfu");
        out.add({"mfu"}, *estimate.mfu, Dimension::Fraction, "min(u, u \u00b7 f_t \u00b7 f_q \u00b7 f_d)",
            {reference, out.from("f_t", "details.tp_factor"), out.from("f_q", "details.bubble_factor"),
                out.from("f_d", "details.dp_factor")},
            lab);
        out.add({"scaling_efficiency"}, *estimate.scalingEfficiency, Dimension::Fraction, "U / u",
            {out.from("U", "mfu"), reference}, "MFU over that of one accelerator");
    }

    void explainTimes(Explanation &out, const Estimate &estimate) const
    {
        const auto reference = given(
            "u", "MFU of one accelerator", m_setting.referenceMfu, "assumptions.reference_mfu");
        out.add({"compute_time_s"}, *estimate.computeTime, "f / (N \u00b7 R \u00b7 u)",
            {out.from("f", "model_flops"), out.from("N", "accelerators"), out.from("R", "peak_flops_per_s"), reference},
            order);
        const auto compute = out.from("T_c", "compute_time_s");
        const auto tp = out.from("f_t", "details.tp_factor");
        const auto bubble = out.from("f_q", "details.bubble_factor");
        out.add({"tp_comm_time_s"}, *estimate.tpCommTime, "T_c / f_t - T_c", {compute, tp}, order);
        out.add({"bubble_time_s"}, *estimate.bubbleTime, "T_c / f_t / f_q - T_c / f_t", {compute, tp, bubble}, order);
        out.add({"dp_comm_time_s"}, *estimate.dpCommTime, "T_c / f_t / f_q / f_d - T_c / f_t / f_q",
            {compute, tp, bubble, out.from("f_d", "details.dp_factor")}, order);
        out.add({"exposed_comm_time_s"}, *estimate.exposedCommTime, "T_t + T_d",
            {out.from("T_t", "tp_comm_time_s"), out.from("T_d", "dp_comm_time_s")}, order);
        out.add({"step_time_s"}, *estimate.stepTime, "f / (N \u00b7 R \u00b7 U)",
            {out.from("f", "model_flops"), out.from("N", "accelerators"), out.from("R", "peak_flops_per_s"),
                out.from("U", "mfu")},
            "Derived from the instrument's MFU");
        parts(out, {{"exposed_tp_comm_time_s", "tp_comm_time_s"}, {"exposed_dp_comm_time_s", "dp_comm_time_s"}});
    }

    Setting m_setting;
};

class CubeModel final : public planners::PlannerModel {
public:
    CubeModel()
        : PlannerModel({.id = "cube",
            .title = modelTitle,
            .version = "1.0",
            .literature =
                "Interactive lab \u201cThe Parallelism Paradox\u201d, second instrument. Sequence parallelism: "
                "Korthikanti 2022. Forward and backward work: Kaplan 2020.",
            .limitations = limitationTable,
            .assumptions = tunables().descriptors(),
            .details = detailTable,
            .layoutSearchTraits = {.options = {LayoutSearchOption::Tp, LayoutSearchOption::Pp, LayoutSearchOption::Dp,
                                       LayoutSearchOption::MicrobatchSize}}})
    {
    }

private:
    [[nodiscard]] Expected<std::unique_ptr<Evaluator>> evaluator(
        planners::Facts facts, const Assumptions &assumptions) const override
    {
        auto setting = tunables().read(assumptions);
        if (!setting)
            return std::unexpected(setting.error());
        setting->parameters = facts.workload->parameters;
        setting->accelerators = facts.accelerators();
        setting->capacity = facts.fleet->node->accelerator->memoryCapacity;
        setting->nodeSize = facts.domainSize();
        return std::make_unique<CubeEvaluator>(std::move(facts), *setting);
    }
};

} // namespace

const CostModel &costModel()
{
    static const CubeModel model;
    return model;
}

} // namespace fleetwright::cube
