// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/strategycalculator/strategycalculatormodel.h"

#include "solver/models/commonassumptions.h"
#include "solver/models/plannermodel.h"
#include "solver/models/tunable.h"

#include <algorithm>

namespace fleetwright::strategycalculator {

namespace {

using planners::number;
using planners::ppInput;
using planners::tpInput;
using units::Dimension;

constexpr std::string_view modelTitle = "Strategy calculator";
constexpr auto published = "Published strategy calculator";
constexpr auto derived = "Derived from the plan for the published strategy calculator";

enum class Detail : std::size_t {
    Count,
    CountDifference,
    UsableMemory,
    SequencesHeld,
    LayersPerStage,
    TpVolume,
    PpVolume,
    DpVolume,
    Volume,
    Idle
};

constexpr auto detailTable = std::to_array<DetailDescriptor>({
    {"parameter_count", "Parameters of the architecture", Dimension::Number, "V h + L (4 h^2 + 2 h floor(r h) E)"},
    {"parameter_difference", "Stated against counted parameters", Dimension::Fraction, "|P - count| / P"},
    {"usable_memory_bytes", "Usable memory", Dimension::Information, "memory share x capacity; a plan fits below it"},
    {"sequences_held", "Sequences held", Dimension::Number,
        "k = floor(B / floor(B / pp)): the published stand-in for resident microbatches"},
    {"layers_per_stage", "Layers per stage", Dimension::Number, "floor(L / pp)"},
    {"tp_volume_bytes", "TP volume", Dimension::Information, "4 B s h d (tp-1)/tp L/pp, per step"},
    {"pp_volume_bytes", "PP volume", Dimension::Information, "2 B s h d, per step"},
    {"dp_volume_bytes", "DP volume", Dimension::Information, "2 (P/pp) d (dp-1)/dp, per step"},
    {"volume_bytes", "Total volume", Dimension::Information, "the sum of the three: what the recommendation compares"},
    {"idle_accelerators", "Idle accelerators", Dimension::Number,
        "accelerators - tp pp dp: the published floor leaves them out"},
});
static_assert(static_cast<std::size_t>(Detail::Idle) + 1 == detailTable.size());

constexpr auto limitationTable = std::to_array<Limitation>({
    {"The stated parameter count and the architecture's are independent inputs: memory follows the architecture, "
     "DP volume the stated count; a warning says when they differ by more than 3 %."},
    {"Optimizer states are always sharded over DP, whatever the plan's ZeRO stage."},
    {"Activations ignore recomputation and the microbatch size."},
    {"The TP volume is not divided by DP."},
    {"The PP volume does not depend on PP, and is counted for a single stage too."},
    {"A volume is not a time: links, latency and overlap do not enter, so a small volume on a slow link counts as "
     "good."},
    {"The architecture's count takes two FFN matrices, as many key and value heads as heads, experts in every "
     "layer and one embedding matrix; models with gated FFN or grouped heads differ."},
    {"Accelerators that TP x PP x DP leaves over stay idle."},
    {"Step time and MFU are unknown."},
    {"Expert parallelism is ignored by the table and appears in the advice only; context parallelism is refused."},
    {"Virtual stages and LoRA are ignored."},
});

/// Where the assumptions go: the ratio serves only where the workload states no FFN size.
struct Settings {
    Constants constants;
    double ffnRatio = 4;
};

const planners::Tunables<Settings> &tunables()
{
    static const Settings defaults;
    static const planners::Tunables<Settings> list{
        {{.key = "memory_share",
             .label = "Usable memory",
             .description = "Share of an accelerator's memory that a plan may use.",
             .defaultValue = defaults.constants.memoryShare,
             .dimension = Dimension::Fraction,
             .minimum = 0.001,
             .maximum = 1,
             .source = published,
             .group = "Memory"},
            [](Settings &to, const AssumptionValue &v, double) { to.constants.memoryShare = number(v); }},
        {planners::adamMoments(planners::inUnit(defaults.constants.optimizerElement, "B"), published, "Memory"),
            [](Settings &to, const AssumptionValue &v, double f) {
                to.constants.optimizerElement = number(v) * f * byte;
            }},
        {{.key = "activation_factor",
             .label = "Activations of a layer",
             .description = "In elements per sequence, token and hidden unit.",
             .defaultValue = defaults.constants.activationFactor,
             .minimum = 0,
             .maximum = 1000,
             .source = published,
             .group = "Memory"},
            [](Settings &to, const AssumptionValue &v, double) { to.constants.activationFactor = number(v); }},
        {{.key = "ffn_ratio",
             .label = "FFN size where unknown",
             .description = "FFN size over hidden size, for workloads that state none.",
             .defaultValue = defaults.ffnRatio,
             .minimum = 0.001,
             .maximum = 1000,
             .source = published,
             .group = "Architecture"},
            [](Settings &to, const AssumptionValue &v, double) { to.ffnRatio = number(v); }},
        {{.key = "count_tolerance",
             .label = "Tolerated difference of counts",
             .description = "How far the stated and the counted parameters may be apart before a warning.",
             .defaultValue = defaults.constants.countTolerance,
             .dimension = Dimension::Fraction,
             .minimum = 0,
             .maximum = 100,
             .source = "Fleetwright: 3 %, as for the catalog's own cross-check",
             .group = "Architecture"},
            [](Settings &to, const AssumptionValue &v, double) { to.constants.countTolerance = number(v); }},
    };
    return list;
}

std::unexpected<Error> inPlanTerms(Error error)
{
    static constexpr auto names = std::to_array<std::pair<std::string_view, std::string_view>>({
        {"tp", "parallelism"},
        {"pp", "parallelism"},
        {"batch", "training.global_batch"},
        {"seq", "training.seq_len"},
        {"microbatches", "training.microbatch_count"},
        {"gpus", "fleet.nodes"},
        {"gpus_per_node", "fleet.node"},
        {"gpu_memory_gb", "fleet.node"},
    });
    const auto found = std::ranges::find(names, error.field, &std::pair<std::string_view, std::string_view>::first);
    error.field = found == names.end() ? "workload" : found->second; // the rest are facts of the architecture
    return std::unexpected(std::move(error));
}

class StrategyEvaluator final : public planners::PlannerEvaluator {
public:
    StrategyEvaluator(planners::Facts facts, const Inputs &inputs)
        : PlannerEvaluator(std::move(facts), detailTable, published), m_inputs(inputs), m_size(modelSize(inputs)),
          m_difference(countDifference(inputs))
    {
        if (m_difference > inputs.constants.countTolerance)
            m_facts.notices.add(Notice::ParameterCountsDiffer);
        if (!m_facts.workload->ffnHiddenSize)
            m_facts.notices.add(Notice::FfnRatioAssumed);
    }

    [[nodiscard]] Expected<Estimate> evaluate(const Parallelism &split) const override
    {
        if (auto ok = planners::checkRanks(split, modelTitle); !ok)
            return std::unexpected(ok.error());
        const auto row = price(m_inputs, split.tp, split.pp);
        if (!row)
            return inPlanTerms(row.error());
        Expected<Estimate> answer;
        auto &estimate = *answer;
        estimate.dp = int(row->dp);
        auto &memory = estimate.memory.emplace();
        memory.total = row->memory;
        memory.capacity = m_inputs.capacity;
        memory.weights = row->weights;
        memory.gradients = row->gradients;
        memory.optimizer = row->optimizer;
        memory.activations = row->activations;
        estimate.fits = row->fits;
        estimate.bubbleFraction = row->bubble;
        estimate.notices = m_facts.notices | planners::ignoredSettings(split, m_facts.training);
        if (row->idleAccelerators > 0)
            estimate.notices.add(Notice::AcceleratorsIdle);
        if (split.pp > m_inputs.layers)
            estimate.notices.add(Notice::StagesExceedLayers);
        if (m_inputs.batch < row->dp)
            estimate.notices.add(Notice::IdleRanks);
        const auto set = planners::detailsOf<Detail>(estimate);
        set(Detail::Count, m_size.count);
        set(Detail::CountDifference, m_difference);
        set(Detail::UsableMemory, (m_inputs.constants.memoryShare * m_inputs.capacity).value());
        set(Detail::SequencesHeld, row->sequencesHeld);
        set(Detail::LayersPerStage, double(m_inputs.layers / split.pp));
        set(Detail::TpVolume, row->tpVolume.value());
        set(Detail::PpVolume, row->ppVolume.value());
        set(Detail::DpVolume, row->dpVolume.value());
        set(Detail::Volume, row->volume.value());
        set(Detail::Idle, double(row->idleAccelerators));
        return answer;
    }

    [[nodiscard]] StepBreakdown breakdown(const Estimate &) const override { return {}; }

private:
    void explainFigures(Explanation &out, const Parallelism &split, const Estimate &estimate) const override
    {
        m_facts.explainAccelerators(out);
        m_facts.explainDp(out, split, estimate.dp);
        explainCount(out, estimate);
        explainMemory(out, split, estimate);
        explainVolumes(out, split, estimate);
        if (estimate.bubbleFraction) {
            m_facts.explainMicrobatches(out, estimate.dp);
            out.add({"bubble_fraction"}, *estimate.bubbleFraction, Dimension::Fraction, "(p - 1) / (p - 1 + m)",
                {ppInput(split), out.from("m", "microbatches")}, "Narayanan 2021");
        }
    }

    [[nodiscard]] FormulaInput vocabulary() const
    {
        return given("V", "vocabulary", double(m_inputs.vocabulary), "workload.vocab_size");
    }

    void explainCount(Explanation &out, const Estimate &estimate) const
    {
        const auto &workload = m_facts.workload;
        if (workload->ffnHiddenSize)
            out.add({"ffn_ratio", "FFN size over hidden size"}, m_inputs.ffnRatio, Dimension::Number, "f / h",
                {given("f", "FFN hidden size", double(*workload->ffnHiddenSize), "workload.ffn_hidden_size"),
                    m_facts.hidden()},
                derived);
        else
            out.add({"ffn_ratio", "FFN size over hidden size"}, m_inputs.ffnRatio, Dimension::Number, "r",
                {given("r", "FFN size over hidden size, where the workload states none", m_inputs.ffnRatio,
                    "assumptions.ffn_ratio")},
                derived);
        const auto ratio = out.from("r", "ffn_ratio");
        if (m_inputs.mixtureOfExperts)
            detail(out, estimate, Detail::Count,
                "V \u00b7 h + L \u00b7 (4 \u00b7 h ^ 2 + 2 \u00b7 h \u00b7 floor(r \u00b7 h) \u00b7 E)",
                {vocabulary(), m_facts.hidden(), m_facts.layers(), ratio,
                    given("E", "experts", double(m_inputs.experts), "workload.experts")});
        else
            detail(out, estimate, Detail::Count,
                "V \u00b7 h + L \u00b7 (4 \u00b7 h ^ 2 + 2 \u00b7 h \u00b7 floor(r \u00b7 h))",
                {vocabulary(), m_facts.hidden(), m_facts.layers(), ratio});
        detail(out, estimate, Detail::CountDifference, "max(P - c, c - P) / P",
            {m_facts.parameters(), out.from("c", "details.parameter_count")},
            "Fleetwright: cross-check of the two counts");
    }

    void explainMemory(Explanation &out, const Parallelism &split, const Estimate &estimate) const
    {
        const auto count = out.from("c", "details.parameter_count");
        const auto &memory = *estimate.memory;
        m_facts.explainCapacity(out);
        out.add({"memory.weights_bytes"}, *memory.weights, "c \u00b7 w / (t \u00b7 p)",
            {count, m_facts.width(), tpInput(split), ppInput(split)}, published);
        out.add({"memory.gradients_bytes"}, *memory.gradients, "c \u00b7 w / (t \u00b7 p)",
            {count, m_facts.width(), tpInput(split), ppInput(split)}, published);
        out.add({"memory.optimizer_bytes"}, *memory.optimizer, "c \u00b7 o / (t \u00b7 p \u00b7 d)",
            {count,
                given("o", "optimizer bytes per parameter", m_inputs.constants.optimizerElement,
                    "assumptions.optimizer_bytes"),
                tpInput(split), ppInput(split), out.from("d", "parallelism.dp")},
            published);
        detail(out, estimate, Detail::SequencesHeld, "floor(B / floor(B / p))", {m_facts.batch(), ppInput(split)});
        detail(out, estimate, Detail::LayersPerStage, "floor(L / p)", {m_facts.layers(), ppInput(split)});
        out.add({"memory.activations_bytes"}, *memory.activations,
            "floor(q \u00b7 k \u00b7 s \u00b7 h / t) \u00b7 l \u00b7 w",
            {given("q", "activation elements per sequence, token and hidden unit", m_inputs.constants.activationFactor,
                 "assumptions.activation_factor"),
                out.from("k", "details.sequences_held"), sequence(), m_facts.hidden(), tpInput(split),
                out.from("l", "details.layers_per_stage"), m_facts.width()},
            published);
        out.add({"memory.total_bytes"}, memory.total, "m_w + m_g + m_o + m_a",
            {out.from("m_w", "memory.weights_bytes"), out.from("m_g", "memory.gradients_bytes"),
                out.from("m_o", "memory.optimizer_bytes"), out.from("m_a", "memory.activations_bytes")},
            published);
        detail(out, estimate, Detail::UsableMemory, "a \u00b7 M",
            {given("a", "usable share of the memory", m_inputs.constants.memoryShare, "assumptions.memory_share"),
                out.from("M", "memory.capacity_bytes")});
        out.add({"fits", "Fits the memory"}, double(*estimate.fits), Dimension::Number, "m <= u",
            {out.from("m", "memory.total_bytes"), out.from("u", "details.usable_memory_bytes")},
            std::string(published) + "; a plan that needs exactly the usable memory does not fit");
    }

    void explainVolumes(Explanation &out, const Parallelism &split, const Estimate &estimate) const
    {
        detail(out, estimate, Detail::TpVolume, "4 \u00b7 B \u00b7 s \u00b7 h \u00b7 w \u00b7 (t - 1) / t \u00b7 L / p",
            {m_facts.batch(), sequence(), m_facts.hidden(), m_facts.width(), tpInput(split), m_facts.layers(),
                ppInput(split)});
        detail(out, estimate, Detail::PpVolume, "2 \u00b7 B \u00b7 s \u00b7 h \u00b7 w",
            {m_facts.batch(), sequence(), m_facts.hidden(), m_facts.width()});
        detail(out, estimate, Detail::DpVolume, "2 \u00b7 P / p \u00b7 w \u00b7 (d - 1) / d",
            {m_facts.parameters(), ppInput(split), m_facts.width(), out.from("d", "parallelism.dp")});
        detail(out, estimate, Detail::Volume, "v_t + v_p + v_d",
            {out.from("v_t", "details.tp_volume_bytes"), out.from("v_p", "details.pp_volume_bytes"),
                out.from("v_d", "details.dp_volume_bytes")});
        detail(out, estimate, Detail::Idle, "N - t \u00b7 p \u00b7 d",
            {out.from("N", "accelerators"), tpInput(split), ppInput(split), out.from("d", "parallelism.dp")});
    }

    [[nodiscard]] FormulaInput sequence() const
    {
        return given("s", "sequence length, tokens", double(m_inputs.sequenceLength), "training.seq_len");
    }

    Inputs m_inputs;
    ModelSize m_size;
    double m_difference;
};

class StrategyModel final : public planners::PlannerModel {
public:
    StrategyModel()
        : PlannerModel({.id = "strategy-calculator",
            .title = modelTitle,
            .version = "1.0",
            .literature =
                "Tutorial script parallel_strategy_calculator.py: memory, communication volume and feasibility per TP "
                "and PP. Tensor parallelism: Shoeybi 2019. "
                "Sharded optimizer: Rajbhandari 2020. Bubble: Narayanan 2021.",
            .limitations = limitationTable,
            .assumptions = tunables().descriptors(),
            .details = detailTable,
            .layoutSearchTraits = {.options = {LayoutSearchOption::Tp, LayoutSearchOption::Pp, LayoutSearchOption::Dp},
                .time = false,
                .mfu = false,
                .tokens = false}})
    {
    }

private:
    [[nodiscard]] Expected<std::unique_ptr<Evaluator>> evaluator(
        planners::Facts facts, const Assumptions &assumptions) const override
    {
        const auto inputs = inputsFrom(facts, assumptions);
        return planners::evaluatorOf<StrategyEvaluator>(std::move(facts), inputs);
    }
};

} // namespace

Expected<Inputs> inputsFrom(const planners::Facts &facts, const Assumptions &assumptions)
{
    const auto settings = tunables().read(assumptions);
    if (!settings)
        return std::unexpected(settings.error());
    const auto &workload = facts.workload;
    Inputs inputs;
    for (const auto &[count, what, to] : {std::tuple(&workload->layers, "number of layers", &inputs.layers),
             std::tuple(&workload->hiddenSize, "hidden size", &inputs.hidden),
             std::tuple(&workload->vocabSize, "size of the vocabulary", &inputs.vocabulary)}) {
        const auto value = planners::required(*count, what, workload);
        if (!value)
            return std::unexpected(value.error());
        *to = *value;
    }
    inputs.constants = settings->constants;
    inputs.constants.element = facts.element();
    inputs.parameters = workload->parameters;
    inputs.ffnRatio = workload->ffnHiddenSize ? double(*workload->ffnHiddenSize) / double(inputs.hidden)
                                              : settings->ffnRatio;
    inputs.mixtureOfExperts = workload->family == WorkloadFamily::MixtureOfExperts && workload->experts;
    inputs.experts = workload->experts.value_or(1);
    inputs.accelerators = facts.accelerators();
    inputs.capacity = facts.fleet->node->accelerator->memoryCapacity;
    inputs.acceleratorsPerNode = facts.domainSize();
    inputs.batch = facts.training.globalBatch;
    inputs.sequenceLength = facts.training.sequenceLength;
    inputs.microbatches = facts.training.microbatchCount.value_or(1);
    inputs.microbatchSize = facts.training.microbatchSize.value_or(0);
    if (auto ok = check(inputs); !ok)
        return inPlanTerms(ok.error());
    return inputs;
}

std::vector<planners::NativeInput> nativeInputs(const planners::Facts &facts, const Inputs &inputs)
{
    Explanation out;
    facts.explainAccelerators(out);
    facts.explainDomain(out);
    std::vector<planners::NativeInput> list;
    const auto add = [&](const char *name, const char *label, double value, double factor, const char *unit,
                         Dimension dimension, std::string formula, std::vector<FormulaInput> from) {
        out.add({name, label}, value, dimension, std::move(formula), std::move(from), derived);
        list.push_back({name, value / factor, unit, *out.find(name)});
    };
    const auto &workload = facts.workload;
    const auto count = Dimension::Number;
    add("params_billions", "Parameters as stated", inputs.parameters, 1e9, "billions", count, "P",
        {facts.parameters()});
    add("hidden", "Hidden size", double(inputs.hidden), 1, "", count, "h", {facts.hidden()});
    add("layers", "Layers", double(inputs.layers), 1, "", count, "L", {facts.layers()});
    add("vocab", "Vocabulary", double(inputs.vocabulary), 1, "", count, "V",
        {given("V", "vocabulary", double(inputs.vocabulary), "workload.vocab_size")});
    if (workload->ffnHiddenSize)
        add("ffn_ratio", "FFN size over hidden size", inputs.ffnRatio, 1, "", count, "f / h",
            {given("f", "FFN hidden size", double(*workload->ffnHiddenSize), "workload.ffn_hidden_size"),
                facts.hidden()});
    else
        add("ffn_ratio", "FFN size over hidden size", inputs.ffnRatio, 1, "", count, "r",
            {given("r", "FFN size over hidden size, where the workload states none", inputs.ffnRatio,
                "assumptions.ffn_ratio")});
    if (inputs.mixtureOfExperts)
        add("experts", "Experts", double(inputs.experts), 1, "", count, "E",
            {given("E", "experts per layer", double(inputs.experts), "workload.experts")});
    add("gpus", "Accelerators", double(inputs.accelerators), 1, "", count, "N", {out.from("N", "accelerators")});
    add("gpu_memory_gb", "Memory of an accelerator", inputs.capacity.value(), 1e9, "GB", Dimension::Information, "M",
        {given("M", "memory of one accelerator", inputs.capacity, "fleet.node.accelerator.memory_capacity_bytes")});
    add("gpus_per_node", "Accelerators of a node", double(inputs.acceleratorsPerNode), 1, "", count, "g",
        {out.from("g", "domain_size")});
    add("batch", "Global batch", double(inputs.batch), 1, "", count, "B", {facts.batch()});
    add("seq", "Sequence length", double(inputs.sequenceLength), 1, "", count, "s",
        {given("s", "sequence length, tokens", double(inputs.sequenceLength), "training.seq_len")});
    add("bytes_per_element", "Bytes per element", inputs.constants.element.value(), 1, "B", Dimension::Information, "w",
        {facts.width()});
    return list;
}

const CostModel &costModel()
{
    static const StrategyModel model;
    return model;
}

} // namespace fleetwright::strategycalculator
