// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/searcher/searchermodel.h"

#include "solver/models/plannermodel.h"
#include "solver/models/tunable.h"
#include "units/format.h"

#include <cmath>

namespace fleetwright::searcher {

namespace {

using planners::number;
using planners::ppInput;
using planners::tpInput;
using units::Dimension;

constexpr std::string_view modelTitle = "Searcher";
constexpr auto published = "Published searcher model";
constexpr auto derived = "Derived from the plan for the published searcher model";

/// No training run that was published is as far below the peak: beyond it the penalties say nothing of a fleet.
constexpr double leastEfficiency = 0.01;

enum class Detail : std::size_t { Efficiency, LayerWork, LayerActivation, TpMessages, Gradients, DpLink };

constexpr auto detailTable = std::to_array<DetailDescriptor>({
    {"efficiency", "Efficiency", Dimension::Fraction,
        "eff = e0 / (1 + a (dp-1)) / (1 + c (tp-1)) / (1 + i |dp - tp|): share of the peak that the model expects "
        "of dp x tp accelerators"},
    {"layer_work_flop", "Forward work of one layer", Dimension::Computation, "2 P_a / L x B s: whole global batch"},
    {"layer_activation_bytes", "Activations of one layer", Dimension::Information, "B s h w: whole global batch"},
    {"tp_messages_bytes", "Sum of the TP messages", Dimension::Information,
        "4 B s h w L: four all-reduces per layer, whole global batch"},
    {"gradient_bytes", "Sum of the gradients", Dimension::Information, "P w"},
    {"dp_link_bytes_per_s", "DP link", Dimension::Bandwidth,
        "scale-up while the replicas are no more than a node has accelerators, else scale-out"},
});
static_assert(static_cast<std::size_t>(Detail::DpLink) + 1 == detailTable.size());

constexpr auto limitationTable = std::to_array<Limitation>({
    {"Compute does not fall with PP: stages share no work in this model, so the best split nearly always has PP "
     "1."},
    {"Efficiency falls without bound in DP and TP, whatever the network."},
    {"TP and PP always use the scale-up link, also across nodes."},
    {"Memory is unknown: a split may be the fastest and not fit."},
    {"Latency is unknown: every message runs at full bandwidth."},
    {"The penalties are not fitted to measurements."},
    {"Messages are those of the whole global batch and are not divided by DP, nor by the number of stages."},
    {"Microbatches and the pipeline bubble do not enter; one factor stands for the whole pipeline."},
    {"All layers are taken as alike, with two FLOP per active parameter and token; FLOP of attention scores and of "
     "the embedding's lookup are not told apart."},
    {"Expert parallelism is taken as a part of DP and costs nothing; context parallelism is refused."},
    {"Virtual stages, ZeRO, recomputation, LoRA and gradient accumulation are ignored."},
});

const planners::Tunables<Constants> &tunables()
{
    static const Constants defaults;
    static const planners::Tunables<Constants> list{
        {{.key = "base_efficiency",
             .label = "Base efficiency",
             .description = "Share of the peak that one accelerator on its own sustains.",
             .defaultValue = defaults.efficiency,
             .dimension = Dimension::Fraction,
             .minimum = 1e-9,
             .maximum = 1,
             .source = published,
             .group = "Compute"},
            [](Constants &to, const AssumptionValue &v, double) { to.efficiency = number(v); }},
        {{.key = "dp_penalty",
             .label = "DP penalty",
             .description = "How much the efficiency's divisor grows with each replica after the first.",
             .defaultValue = defaults.dpPenalty,
             .minimum = 0,
             .maximum = 1000,
             .source = published,
             .group = "Compute"},
            [](Constants &to, const AssumptionValue &v, double) { to.dpPenalty = number(v); }},
        {{.key = "tp_penalty",
             .label = "TP penalty",
             .description = "How much the efficiency's divisor grows with each tensor-parallel rank after the first.",
             .defaultValue = defaults.tpPenalty,
             .minimum = 0,
             .maximum = 1000,
             .source = published,
             .group = "Compute"},
            [](Constants &to, const AssumptionValue &v, double) { to.tpPenalty = number(v); }},
        {{.key = "imbalance_penalty",
             .label = "Imbalance penalty",
             .description = "How much the efficiency's divisor grows with each unit of |DP - TP|.",
             .defaultValue = defaults.imbalancePenalty,
             .minimum = 0,
             .maximum = 1000,
             .source = published,
             .group = "Compute"},
            [](Constants &to, const AssumptionValue &v, double) { to.imbalancePenalty = number(v); }},
        {{.key = "pipeline_overlap",
             .label = "Pipeline overlap",
             .description = "Share of the time in which pipelined stages work at once; divides the compute time when "
                            "PP is above 1.",
             .defaultValue = defaults.pipelineOverlap,
             .dimension = Dimension::Fraction,
             .minimum = 1e-9,
             .maximum = 1,
             .source = published,
             .group = "Compute"},
            [](Constants &to, const AssumptionValue &v, double) { to.pipelineOverlap = number(v); }},
        {{.key = "forward_backward_factor",
             .label = "Forward and backward work",
             .description = "Work of a whole step over the forward work.",
             .defaultValue = defaults.passes,
             .minimum = 1,
             .maximum = 1000,
             .source = published,
             .group = "Compute"},
            [](Constants &to, const AssumptionValue &v, double) { to.passes = number(v); }},
    };
    return list;
}

class SearcherEvaluator final : public planners::PlannerEvaluator {
public:
    SearcherEvaluator(planners::Facts facts, const Inputs &inputs)
        : PlannerEvaluator(std::move(facts), detailTable, published), m_inputs(inputs)
    {
    }

    [[nodiscard]] Expected<Estimate> evaluate(const Parallelism &split) const override
    {
        const auto row = priced(split);
        if (!row)
            return std::unexpected(row.error());
        Expected<Estimate> answer;
        auto &estimate = *answer;
        estimate.dp = int(row->dp);
        estimate.stepTime = row->total;
        estimate.computeTime = row->compute;
        estimate.dpCommTime = row->dpTime;
        estimate.tpCommTime = row->tpTime;
        estimate.ppCommTime = row->ppTime;
        estimate.exposedCommTime = row->dpTime + row->tpTime + row->ppTime;
        m_facts.fillRates(estimate);
        estimate.notices = m_facts.notices | planners::ignoredSettings(split, m_facts.training);
        const auto set = planners::detailsOf<Detail>(estimate);
        const double layers = double(m_inputs.layers);
        set(Detail::Efficiency, row->efficiency);
        set(Detail::LayerWork, m_inputs.work.value() / layers);
        set(Detail::LayerActivation, m_inputs.largestActivation.value());
        set(Detail::TpMessages, m_inputs.tpMessages.value());
        set(Detail::Gradients, m_inputs.gradients.value());
        if (row->dp > 1)
            set(Detail::DpLink, dpLink(*row).value());
        return answer;
    }

    [[nodiscard]] StepBreakdown breakdown(const Estimate &estimate) const override
    {
        return {.compute = estimate.computeTime.value_or(Seconds{}),
            .tp = estimate.tpCommTime.value_or(Seconds{}),
            .pp = estimate.ppCommTime.value_or(Seconds{}),
            .dp = estimate.dpCommTime.value_or(Seconds{})};
    }

    [[nodiscard]] std::string outOfScope(const Parallelism &split, const Estimate &estimate) const override
    {
        const double share = estimate.details[static_cast<std::size_t>(Detail::Efficiency)];
        if (!(share < leastEfficiency))
            return {};
        return "At DP " + std::to_string(estimate.dp) + " and TP " + std::to_string(split.tp) + " its penalties leave "
            + units::formatPercent(share)
            + " of the peak: they grow without bound and were not fitted to fleets of "
              "this size.";
    }

private:
    void explainFigures(Explanation &out, const Parallelism &split, const Estimate &estimate) const override
    {
        m_facts.explainAccelerators(out);
        m_facts.explainDomain(out);
        m_facts.explainPeak(out);
        m_facts.explainScaleUp(out);
        m_facts.explainScaleOut(out);
        m_facts.explainWork(out);
        m_facts.explainDp(out, split, estimate.dp);
        explainInputs(out, estimate);
        explainTimes(out, split, estimate);
        m_facts.explainRates(out, estimate);
    }

    [[nodiscard]] Bandwidth dpLink(const Row &row) const
    {
        return row.dp <= m_inputs.domainSize ? m_inputs.scaleUp : m_inputs.scaleOut;
    }

    [[nodiscard]] Expected<Row> priced(const Parallelism &split) const
    {
        const auto dp = planners::dataParallel(split, m_facts.accelerators(), modelTitle);
        if (!dp)
            return std::unexpected(dp.error());
        if (split.pp > m_inputs.layers)
            return refuse(ErrorCode::InfeasibleParallelism, "parallelism.pp",
                "PP " + std::to_string(split.pp) + " is more than the " + std::to_string(m_inputs.layers)
                    + " layers; the searcher gives every stage a layer. Lower PP.");
        const auto row = price(m_inputs, *dp, split.tp, split.pp);
        if (!std::isfinite(row.total.value()))
            return planners::refuseStepTime();
        return row;
    }

    void explainInputs(Explanation &out, const Estimate &estimate) const
    {
        const auto add = [&](Detail which, std::string formula, std::vector<FormulaInput> inputs) {
            detail(out, estimate, which, std::move(formula), std::move(inputs), derived);
        };
        add(Detail::LayerWork, "2 \u00b7 P_a / L \u00b7 B \u00b7 s",
            {given("P_a", "parameters used per token", m_facts.workload->activeParameters, "workload.params_active"),
                m_facts.layers(), m_facts.batch(), m_facts.sequence()});
        add(Detail::LayerActivation, "B \u00b7 s \u00b7 h \u00b7 w",
            {m_facts.batch(), m_facts.sequence(), m_facts.hidden(), m_facts.width()});
        add(Detail::TpMessages, "4 \u00b7 B \u00b7 s \u00b7 h \u00b7 w \u00b7 L",
            {m_facts.batch(), m_facts.sequence(), m_facts.hidden(), m_facts.width(), m_facts.layers()});
        add(Detail::Gradients, "P \u00b7 w", {m_facts.parameters(), m_facts.width()});
    }

    void explainTimes(Explanation &out, const Parallelism &split, const Estimate &estimate) const
    {
        const auto &constants = m_inputs.constants;
        const auto assumption = [](std::string symbol, std::string meaning, double value, const char *key) {
            return given(std::move(symbol), std::move(meaning), value, std::string("assumptions.") + key);
        };
        const auto dp = out.from("d", "parallelism.dp");
        detail(out, estimate, Detail::Efficiency,
            "e0 / (1 + a \u00b7 (d - 1)) / (1 + c \u00b7 (t - 1)) / (1 + i \u00b7 max(d - t, t - d))",
            {assumption("e0", "base efficiency", constants.efficiency, "base_efficiency"),
                assumption("a", "DP penalty", constants.dpPenalty, "dp_penalty"),
                assumption("c", "TP penalty", constants.tpPenalty, "tp_penalty"),
                assumption("i", "imbalance penalty", constants.imbalancePenalty, "imbalance_penalty"), dp,
                tpInput(split)});
        std::vector<FormulaInput> compute{
            assumption("k", "forward and backward work over forward work", constants.passes, "forward_backward_factor"),
            out.from("f_l", "details.layer_work_flop"), m_facts.layers(), out.from("R", "peak_flops_per_s"), dp,
            tpInput(split), out.from("eff", "details.efficiency")};
        if (split.pp > 1)
            compute.push_back(assumption("v", "pipeline overlap", constants.pipelineOverlap, "pipeline_overlap"));
        out.add({"compute_time_s"}, *estimate.computeTime,
            split.pp > 1 ? "k \u00b7 f_l \u00b7 L / (R \u00b7 d \u00b7 t) / eff / v"
                         : "k \u00b7 f_l \u00b7 L / (R \u00b7 d \u00b7 t) / eff",
            std::move(compute), published);
        if (estimate.dp > 1) {
            const bool inside = estimate.dp <= m_inputs.domainSize;
            detail(out, estimate, Detail::DpLink, "beta",
                {out.from("beta", inside ? "scale_up_bytes_per_s" : "scale_out_bytes_per_s")},
                inside ? "The replicas are no more than a node has accelerators: scale-up"
                       : "The replicas are more than a node has accelerators: scale-out");
            out.add({"dp_comm_time_s"}, *estimate.dpCommTime, "G \u00b7 2 \u00b7 (d - 1) / d / beta",
                {out.from("G", "details.gradient_bytes"), dp, out.from("beta", "details.dp_link_bytes_per_s")},
                published);
        } else {
            out.add({"dp_comm_time_s"}, *estimate.dpCommTime, "0", {}, "One replica exchanges no gradients");
        }
        if (split.tp > 1)
            out.add({"tp_comm_time_s"}, *estimate.tpCommTime, "A / t \u00b7 2 \u00b7 (t - 1) / t / beta_u",
                {out.from("A", "details.tp_messages_bytes"), tpInput(split),
                    out.from("beta_u", "scale_up_bytes_per_s")},
                published);
        else
            out.add({"tp_comm_time_s"}, *estimate.tpCommTime, "0", {}, "TP 1 cuts no layer");
        if (split.pp > 1)
            out.add({"pp_comm_time_s"}, *estimate.ppCommTime, "(p - 1) \u00b7 2 \u00b7 a_l / beta_u",
                {ppInput(split), out.from("a_l", "details.layer_activation_bytes"),
                    out.from("beta_u", "scale_up_bytes_per_s")},
                published);
        else
            out.add({"pp_comm_time_s"}, *estimate.ppCommTime, "0", {}, "One stage sends nothing on");
        out.add({"exposed_comm_time_s"}, *estimate.exposedCommTime, "T_dp + T_tp + T_pp",
            {out.from("T_dp", "dp_comm_time_s"), out.from("T_tp", "tp_comm_time_s"),
                out.from("T_pp", "pp_comm_time_s")},
            "Nothing overlaps in this model");
        out.add({"step_time_s"}, *estimate.stepTime, "T_comp + T_dp + T_tp + T_pp",
            {out.from("T_comp", "compute_time_s"), out.from("T_dp", "dp_comm_time_s"),
                out.from("T_tp", "tp_comm_time_s"), out.from("T_pp", "pp_comm_time_s")},
            published);
        parts(out,
            {{"exposed_tp_comm_time_s", "tp_comm_time_s"}, {"exposed_pp_comm_time_s", "pp_comm_time_s"},
                {"exposed_dp_comm_time_s", "dp_comm_time_s"}});
    }

    Inputs m_inputs;
};

class SearcherModel final : public planners::PlannerModel {
public:
    SearcherModel()
        : PlannerModel({.id = "searcher",
            .title = modelTitle,
            .version = "1.0",
            .literature =
                "Student project report on the automatic search of 3D parallelism: an empirical iteration time with an "
                "exhaustive search over DP, TP and PP. "
                "Messages derived from a plan: Shoeybi 2019; forward and backward work: Kaplan 2020.",
            .limitations = limitationTable,
            .assumptions = tunables().descriptors(),
            .details = detailTable,
            .layoutSearchTraits = {
                .options = {LayoutSearchOption::Tp, LayoutSearchOption::Pp, LayoutSearchOption::Dp}, .memory = false}})
    {
    }

private:
    [[nodiscard]] Expected<std::unique_ptr<Evaluator>> evaluator(
        planners::Facts facts, const Assumptions &assumptions) const override
    {
        const auto inputs = inputsFrom(facts, assumptions);
        return planners::evaluatorOf<SearcherEvaluator>(std::move(facts), inputs);
    }
};

} // namespace

Expected<Inputs> inputsFrom(const planners::Facts &facts, const Assumptions &assumptions)
{
    const auto constants = tunables().read(assumptions);
    if (!constants)
        return std::unexpected(constants.error());
    const auto layers = planners::required(facts.workload->layers, "number of layers", facts.workload);
    if (!layers)
        return std::unexpected(layers.error());
    const auto hidden = planners::required(facts.workload->hiddenSize, "hidden size", facts.workload);
    if (!hidden)
        return std::unexpected(hidden.error());
    Inputs inputs;
    inputs.constants = *constants;
    const double samples = double(facts.training.globalBatch) * facts.tokensPerSample();
    inputs.accelerators = facts.accelerators();
    inputs.domainSize = facts.domainSize();
    inputs.peak = facts.peak.rate;
    inputs.scaleUp = facts.scaleUp();
    inputs.scaleOut = facts.scaleOut();
    inputs.layers = *layers;
    inputs.work = 2.0 * facts.workload->activeParameters * samples * flop;
    inputs.largestActivation = samples * double(*hidden) * facts.element();
    inputs.tpMessages = 4.0 * double(*layers) * inputs.largestActivation;
    inputs.gradients = facts.workload->parameters * facts.element();
    if (auto ok = check(inputs); !ok)
        return refuse(ok.error().code, "fleet", std::move(ok.error().message));
    return inputs;
}

std::vector<planners::NativeInput> nativeInputs(const planners::Facts &facts, const Inputs &inputs)
{
    Explanation out;
    facts.explainAccelerators(out);
    facts.explainDomain(out);
    facts.explainPeak(out);
    facts.explainScaleUp(out);
    facts.explainScaleOut(out);
    const auto active = given(
        "P_a", "parameters used per token", facts.workload->activeParameters, "workload.params_active");
    const auto layers = double(inputs.layers);
    out.add({"n_node", "Nodes"}, double(inputs.accelerators) / double(inputs.domainSize), Dimension::Number, "N / g",
        {out.from("N", "accelerators"), out.from("g", "domain_size")}, derived);
    out.add({"num_layers", "Layers"}, layers, Dimension::Number, "L", {facts.layers()}, derived);
    out.add({"layer_tflops", "Forward work of each layer"}, inputs.work / layers, "2 \u00b7 P_a / L \u00b7 B \u00b7 s",
        {active, facts.layers(), facts.batch(), facts.sequence()}, derived);
    out.add({"layer_activation_MB", "Activations of each layer"}, inputs.largestActivation,
        "B \u00b7 s \u00b7 h \u00b7 w", {facts.batch(), facts.sequence(), facts.hidden(), facts.width()}, derived);
    out.add({"tp_comm_sum_MB", "Sum of the TP messages"}, inputs.tpMessages,
        "4 \u00b7 B \u00b7 s \u00b7 h \u00b7 w \u00b7 L",
        {facts.batch(), facts.sequence(), facts.hidden(), facts.width(), facts.layers()}, derived);
    out.add({"dp_sum_gradient_MB", "Sum of the gradients"}, inputs.gradients, "P \u00b7 w",
        {facts.parameters(), facts.width()}, derived);
    std::vector<planners::NativeInput> list;
    const auto add = [&](const char *name, const char *key, double factor, const char *unit) {
        const auto &figure = *out.find(key);
        list.push_back({name, figure.value / factor, unit, figure});
    };
    add("n_node", "n_node", 1, "");
    add("n_gpu_per_node", "domain_size", 1, "");
    add("gpu_gflops", "peak_flops_per_s", 1e9, "GFLOP/s");
    add("bw_gpu_to_gpu", "scale_up_bytes_per_s", modelGigabytePerSecond.value(), "GB/s of 1024 MB");
    add("bw_inter_node", "scale_out_bytes_per_s", modelGigabytePerSecond.value(), "GB/s of 1024 MB");
    add("num_layers", "num_layers", 1, "");
    add("layer_tflops", "layer_tflops", teraflop.value(), "TFLOP");
    add("layer_activation_MB", "layer_activation_MB", modelMegabyte.value(), "MB");
    add("tp_comm_sum_MB", "tp_comm_sum_MB", modelMegabyte.value(), "MB");
    add("dp_sum_gradient_MB", "dp_sum_gradient_MB", modelMegabyte.value(), "MB");
    return list;
}

const CostModel &costModel()
{
    static const SearcherModel model;
    return model;
}

} // namespace fleetwright::searcher
