// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/explainer.h"

namespace fleetwright::detailed {

using units::Dimension;

namespace {

constexpr std::array functions{"max", "min", "ceil", "floor", "log2"};

bool startsName(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool continuesName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Symbols of a formula in the order in which they appear, each once.
std::vector<std::string> symbolsOf(std::string_view formula)
{
    std::vector<std::string> symbols;
    for (std::size_t i = 0; i < formula.size();) {
        if (!startsName(formula[i])) {
            ++i;
            continue;
        }
        const auto start = i;
        while (i < formula.size() && continuesName(formula[i]))
            ++i;
        std::string name(formula.substr(start, i - start));
        if (std::ranges::find(functions, name) == functions.end() && std::ranges::find(symbols, name) == symbols.end())
            symbols.push_back(std::move(name));
    }
    return symbols;
}

std::string withMultiplicationSigns(std::string_view formula)
{
    std::string text;
    for (const char c : formula)
        text += c == '*' ? std::string("\u00b7") : std::string(1, c);
    return text;
}

} // namespace

Explainer::Explainer(const ExplainedPlan &plan, planners::Facts facts)
    : m_plan(plan), m_facts(std::move(facts)), m_setting(plan.pricer.setting()), m_in(plan.pricer.prepared()),
      m_layout(plan.layout), m_prices(layerPrices(m_in, m_setting, detailed::keyOf(m_in, m_layout), m_seen)),
      m_parts(stepOf(m_in, m_setting, m_layout, m_prices))
{
}

void Explainer::add(std::string key, std::string label, double value, Dimension dimension, std::string formula,
    Inputs own, std::string source)
{
    Inputs inputs;
    for (const auto &symbol : symbolsOf(formula)) {
        const auto found = std::ranges::find(own, symbol, &FormulaInput::symbol);
        if (found != own.end())
            inputs.push_back(*found);
        else if (const auto shared = m_shared.find(symbol); shared != m_shared.end())
            inputs.push_back(shared->second);
    }
    m_out.add({std::move(key), std::move(label)}, value, dimension, withMultiplicationSigns(formula), std::move(inputs),
        std::move(source));
}

void Explainer::detail(Detail which, std::string formula, Inputs own, std::string source)
{
    const auto &descriptor = detailDescriptors()[static_cast<std::size_t>(which)];
    add(descriptor.path(), std::string(descriptor.label), m_plan.estimate.details[static_cast<std::size_t>(which)],
        descriptor.dimension, std::move(formula), std::move(own), std::move(source));
}

FormulaInput Explainer::constant(std::string symbol, Constant which) const
{
    const auto &descriptor = constantTable()[static_cast<std::size_t>(which)];
    // As part of a sentence, like the meanings of all other inputs.
    std::string meaning(descriptor.meaning.substr(0, descriptor.meaning.find_last_not_of('.') + 1));
    meaning.front() = char(std::tolower(static_cast<unsigned char>(meaning.front())));
    return given(std::move(symbol), std::move(meaning), m_setting.constants[which],
        "assumptions." + std::string(descriptor.key), descriptor.dimension);
}

Explainer::Sum Explainer::overKinds(std::string_view symbol, std::string_view figure, std::string_view count) const
{
    Sum sum;
    for (int kind = 0; kind < 2; ++kind) {
        if (!has(kind))
            continue;
        const std::string suffix = kind == 0 ? "_d" : "_e";
        const std::string name = std::string(symbol) + suffix;
        sum.text += (sum.text.empty() ? "" : " + ") + std::string(count) + suffix + " * " + name;
        sum.inputs.push_back(from(name, keyOf(kind, figure)));
    }
    if (sum.inputs.size() > 1)
        sum.text = "(" + sum.text + ")";
    return sum;
}

void Explainer::group(const std::string &key, const std::string &label, const Group &group, const std::string &size,
    const std::string &distance, const std::string &bus)
{
    number(key + ".ranks", label + ": ranks", group.size, size, {}, "Layout");
    number(key + ".ranks_per_domain", label + ": ranks in one scale-up domain", group.local,
        "min(n, max(1, floor(D / " + (distance.find(' ') == std::string::npos ? distance : "(" + distance + ")")
            + ")))",
        {from("n", key + ".ranks")},
        "Ranks are numbered TP first, then CP, then DP, PP last; members are "
            + (distance == "1" ? "neighbours" : withMultiplicationSigns(distance) + " ranks apart"));
    number(key + ".domains", label + ": scale-up domains", group.domains, "ceil(n / n_l)",
        {from("n", key + ".ranks"), from("n_l", key + ".ranks_per_domain")}, "Placement");
    const bool inside = group.domains <= 1;
    const std::string formula = !bus.empty() ? bus : inside ? "B_u" : "min(B_u, B_o * n_l)";
    add(key + ".bus_bytes_per_s", label + ": bus bandwidth", group.busRate, Dimension::Bandwidth, formula,
        {from("n_l", key + ".ranks_per_domain")},
        inside ? "One scale-up domain"
               : "Several scale-up domains: every rank of a domain carries its share between domains");
}

Explainer::Inputs Explainer::groupInputs(const std::string &group) const
{
    return {from("n", group + ".ranks"), from("n_l", group + ".ranks_per_domain"), from("n_o", group + ".domains"),
        from("B", group + ".bus_bytes_per_s")};
}

void Explainer::collective(const std::string &key, const std::string &label, double value, const std::string &group,
    const std::string &bytesKey, const std::string &formula, const std::string &name)
{
    const auto *ranks = m_out.find(group + ".ranks");
    if (!ranks || ranks->value <= 1) {
        seconds(key, label, value, "0", {}, "One rank: nothing travels");
        return;
    }
    auto own = groupInputs(group);
    own.push_back(from("X", bytesKey));
    seconds(key, label, value, formula, own, name + ": " + source::collectives);
}

void Explainer::gather(const std::string &key, const std::string &label, double value, const std::string &group,
    const std::string &bytesKey)
{
    collective(key, label, value, group, bytesKey,
        std::string("X * (n - 1) / n / B + ") + (m_in.tpu ? "alpha_1 * log2(n_l)" : "alpha_1 * (n_l - 1)")
            + " + alpha_2 * (n_o - 1)" + launch(),
        "All-gather or reduce-scatter");
}

void Explainer::reduce(const std::string &key, const std::string &label, double value, const std::string &group,
    const std::string &bytesKey)
{
    collective(key, label, value, group, bytesKey,
        "2 * X * (n - 1) / n / B + 2 * alpha_1 * (n_l - 1) + 2 * alpha_2 * log2(n_o)" + launch(), "All-reduce");
}

void Explainer::fleet()
{
    m_facts.explainAccelerators(m_out);
    share("N", "accelerators");
    m_facts.explainDomain(m_out);
    share("D", "domain_size");
    const auto &split = m_plan.parallelism;
    share(planners::tpInput(split));
    share(planners::ppInput(split));
    share(given("c", "context parallelism (CP)", double(split.cp), "parallelism.cp"));
    share(given("e", "expert parallelism (EP)", double(split.ep), "parallelism.ep"));
    share(given("v", "virtual stages per pipeline stage", double(split.virtualStages), "parallelism.virtual_stages"));
    share(given("G", "global batch, sequences", double(m_setting.globalBatch), "training.global_batch"));
    share(given("s", "sequence length, tokens", double(m_setting.sequenceLength), "training.seq_len"));
    number(
        "parallelism.dp", {}, m_plan.estimate.dp, "N / (t * p * c)", {}, "What TP, PP and CP leave; EP lives inside");
    share("r", "parallelism.dp");
    const auto expertTp = double(m_layout.expertTp);
    if (m_layout.expertTp == (m_layout.ep > 1 ? 1 : m_layout.tp))
        number("expert_tp", "TP ranks that share an expert", expertTp, m_layout.ep > 1 ? "1" : "t", {},
            m_layout.ep > 1 ? "EP is above 1: experts are not split"
                            : "EP is 1: experts are split as the rest of the layer");
    else
        number("expert_tp", "TP ranks that share an expert", expertTp, "x",
            {given("x", "TP ranks that share an expert", expertTp, "assumptions.expert_tensor_parallel")},
            "Assumption");
    share("t_e", "expert_tp");
}

void Explainer::rates()
{
    const auto &accelerator = *m_plan.fleet->node->accelerator;
    const auto &machine = m_setting.machine;
    const auto peak = [&](const std::string &key, const std::string &label, FlopRate rate,
                          std::initializer_list<Precision> order, const std::string &fallback) {
        for (const auto precision : order) {
            if (!accelerator.peak(precision))
                continue;
            const std::string name(toString(precision));
            add(key, label, rate.value(), Dimension::ComputeRate, "P_c",
                {given("P_c", "dense peak in " + name, rate, "fleet.node.accelerator.peak_dense_tflops." + name)},
                "Accelerators catalog");
            return;
        }
        add(key, label, rate.value(), Dimension::ComputeRate, "P_c", {from("P_c", fallback)},
            "The accelerator states none: the peak at more bits");
    };
    const auto asked = m_plan.training.precision;
    peak("peak16_flops_per_s", "Dense 16-bit peak of one accelerator", machine.peak16,
        {asked == Precision::Fp16 ? Precision::Fp16 : Precision::Bf16, Precision::Bf16, Precision::Fp16}, {});
    share("P_16", "peak16_flops_per_s");
    if (m_setting.precisionBits < 16)
        peak("peak8_flops_per_s", "Dense 8-bit peak of one accelerator", machine.peak8,
            {asked == Precision::Int8 ? Precision::Int8 : Precision::Fp8, Precision::Fp8}, "peak16_flops_per_s");
    if (m_setting.precisionBits == 4)
        peak("peak4_flops_per_s", "Dense 4-bit peak of one accelerator", machine.peak4,
            {asked == Precision::Int4 ? Precision::Int4 : Precision::Fp4, Precision::Fp4}, "peak8_flops_per_s");
    share("P",
        m_setting.precisionBits == 16      ? "peak16_flops_per_s"
            : m_setting.precisionBits == 8 ? "peak8_flops_per_s"
                                           : "peak4_flops_per_s");

    const auto rate = [&](const std::string &symbol, const std::string &key, const std::string &label,
                          Dimension dimension, double value, const std::string &formula, const Inputs &own,
                          const std::string &of) {
        add(key, label, value, dimension, formula, own, of);
        share(symbol, key);
    };
    const std::string gamma = machine.family == Family::TpuV6e ? "gamma * gamma_6 * " : "gamma * ";
    const auto generation = constant("gamma_6", Constant::TpuV6eShare);
    const auto mean = [this](int bits) { return productMean(m_setting, bits); };
    rate("R", "product_rate_flops_per_s", "Rate of weight products", Dimension::ComputeRate, m_in.productRate,
        gamma + "P",
        {familyConstant("gamma", "product_share", "Share of the peak that weight products reach",
             productConstant(m_setting, m_setting.precisionBits), mean(m_setting.precisionBits)),
            generation},
        source::roofline);
    rate("R_16", "product_rate16_flops_per_s", "Rate of 16-bit products", Dimension::ComputeRate, m_in.productRate16,
        gamma + "P_16",
        {familyConstant("gamma", "product_share16", "Share of the 16-bit peak that products reach",
             productConstant(m_setting, 16), mean(16)),
            generation},
        source::roofline);
    const auto attention = attentionConstant(m_setting);
    rate("A", "attention_rate_flops_per_s", "Rate of a fused attention kernel", Dimension::ComputeRate,
        m_in.attentionRate, "alpha * P_16",
        {familyConstant("alpha", "attention_share", "Share of the 16-bit peak that fused attention reaches", attention,
            attentionMean(m_setting))},
        attention ? "Dao 2022, 2023; Shah 2024; the generation asked for, else the nearest that the family has"
                  : "No measured kernel");
    rate("beta", "memory_rate_bytes_per_s", "Achievable memory bandwidth", Dimension::Bandwidth, m_in.memoryRate,
        "x_m * B_m",
        {constant("x_m", Constant::MemoryShare),
            given("B_m", "memory bandwidth", machine.memoryBandwidth,
                "fleet.node.accelerator.memory_bandwidth_gb_per_s")},
        source::roofline);
    m_facts.explainScaleUp(m_out);
    m_facts.explainScaleOut(m_out);
    rate("B_u", "scale_up_rate_bytes_per_s", "Scale-up bandwidth that collectives achieve", Dimension::Bandwidth,
        m_in.scaleUpRate, "u * U",
        {constant("u", m_in.tpu ? Constant::TpuLinkShare : Constant::ScaleUpShare), from("U", "scale_up_bytes_per_s")},
        source::collectives);
    rate("B_o", "scale_out_rate_bytes_per_s", "Scale-out bandwidth that collectives achieve", Dimension::Bandwidth,
        m_in.scaleOutRate, "omega * W",
        {constant("omega", Constant::ScaleOutShare), from("W", "scale_out_bytes_per_s")}, source::collectives);
    share(constant("alpha_1", Constant::ScaleUpLatency));
    share(constant("alpha_2", Constant::ScaleOutLatency));
    share(constant("alpha_l", Constant::CollectiveLaunch));
    share(constant("iota", Constant::Interference));
    if (const auto scaling = scalingConstant(m_setting))
        share(constant("x_q", *scaling));
    share(given("o", "bytes of an operand of a weight product", m_in.operandBytes, "training.precision"));
    share(given("w_g", "bytes of a gradient element, as stated or as the software stack has it", m_in.gradientBytes,
        "assumptions.gradient_precision"));
}

void Explainer::architecture()
{
    const auto &facts = *m_plan.workload;
    const auto &model = m_setting.architecture;
    share(given("L", "layers", m_in.layers, "workload.layers"));
    share(given("h", "hidden size", m_in.hidden, "workload.hidden_size"));
    share(given("a", "attention heads", m_in.heads, "workload.attention_heads"));
    share(given("V", "vocabulary", m_in.vocabulary, "workload.vocab_size"));
    share(facts.kvHeads ? given("k", "KV heads", m_in.kvHeads, "workload.kv_heads")
                        : given("k", "KV heads: the workload states none, so as many as attention heads", m_in.kvHeads,
                            "workload.attention_heads"));
    if (facts.headDim) {
        share(given("d", "head dimension", m_in.headDim, "workload.head_dim"));
    } else {
        number(
            "head_dimension", "Head dimension", m_in.headDim, "max(1, floor(h / a))", {}, "The workload states none");
        share("d", "head_dimension");
    }
    share(facts.gatedFfn
            ? given("g", "matrices that enter the activation: 2 if gated, else 1", m_in.gates, "workload.gated_ffn")
            : given("g", "matrices that enter the activation: the workload does not say, so one", m_in.gates,
                "published constant"));
    if (facts.ffnHiddenSize) {
        share(given("f", "FFN size", double(model.ffn), "workload.ffn_hidden_size"));
    } else {
        number("ffn_size", "FFN size", double(model.ffn),
            model.gated ? "floor((floor(8 * h / 3) + 255) / 256) * 256" : "4 * h", {}, "The workload states none");
        share("f", "ffn_size");
    }
    experts();
}

void Explainer::experts()
{
    const auto &facts = *m_plan.workload;
    const auto &model = m_setting.architecture;
    if (model.experts > 0) {
        share(given("E", "experts of a layer", m_in.experts, "workload.experts"));
        share(given("q", "experts per token", m_in.expertsPerToken, "workload.experts_per_token"));
        share(given("f_e", "FFN size of an expert", m_in.expertFfn,
            facts.expertFfnHiddenSize ? "workload.moe_ffn_hidden_size" : "workload.ffn_hidden_size"));
        share(facts.sharedExperts
                ? given("s_e", "shared experts", double(model.sharedExperts), "workload.shared_experts")
                : given("s_e", "shared experts: the workload states none", 0.0, "published constant"));
        number("expert_layers", "Layers with experts", m_in.kinds[1].layers, "floor((L - min(x_d, L)) / x_i)",
            {facts.firstDenseLayers
                    ? given("x_d", "dense layers before the first with experts", double(*facts.firstDenseLayers),
                        "workload.first_dense_layers")
                    : given("x_d", "dense layers before the first with experts: the workload states none", 0.0,
                        "published constant"),
                facts.expertLayerInterval
                    ? given("x_i", "every how many layers one has experts", double(*facts.expertLayerInterval),
                        "workload.moe_layer_interval")
                    : given("x_i", "every how many layers one has experts: the workload does not say, so every one",
                        1.0, "published constant")},
            "Workload; dense layers come first");
        share("L_e", "expert_layers");
    }
    if (has(0)) {
        number(
            "dense_layers", "Dense layers", m_in.kinds[0].layers, model.experts > 0 ? "L - L_e" : "L", {}, "Workload");
        share("L_d", "dense_layers");
    }
    if (hasExperts()) {
        number("expert.shared_ffn", "Shared experts: FFN size together", m_in.kinds[1].actFfn, "s_e * f_e", {},
            "Workload");
        share("f_s", "expert.shared_ffn");
    }
}

void Explainer::parameters()
{
    const std::string attention = latent() ? "h * 1536 + 1536 * a * 192 + h * 576 + 512 * a * 256 + a * 128 * h"
                                           : "h * (a + 2 * k) * d + a * d * h";
    const std::string of = latent()
        ? "Latent attention of DeepSeek-V3 (DeepSeek-AI 2024), feed-forward matrices, two norms"
        : "Attention and feed-forward matrices, two norms";
    for (int kind = 0; kind < 2; ++kind) {
        if (!has(kind))
            continue;
        const auto &layer = m_in.kinds[static_cast<std::size_t>(kind)];
        number(keyOf(kind, "parameters"), labelOf(kind, kind == 0 ? "parameters" : "parameters without routed experts"),
            layer.parameters,
            attention + (kind == 0 ? " + h * g * f + f * h + 2 * h" : " + h * g * f_s + f_s * h + 2 * h + h * E"), {},
            kind == 0 ? of : of + ", router");
        share(kind == 0 ? "P_d" : "P_e", keyOf(kind, "parameters"));
    }
    if (hasExperts()) {
        number("expert.routed_parameters", labelOf(1, "parameters of all routed experts"),
            m_in.kinds[1].expertParameters, "E * (g + 1) * h * f_e", {}, "Workload");
        share("X_e", "expert.routed_parameters");
    }
    number("embedding_parameters", "Parameters of one embedding", m_in.embedding, "V * h", {}, "Workload");
    share("P_v", "embedding_parameters");
    number("layer_parameters", "Parameters of all layers without routed experts", m_in.layerParameters,
        overKinds("P", "parameters").text, {}, "Sum over the layers");
    share("P_l", "layer_parameters");
    number("routed_parameters", "Parameters of all routed experts", m_in.expertParameters,
        hasExperts() ? "L_e * X_e" : "0", {}, hasExperts() ? "Sum over the layers" : "The model has no experts");
    share("P_x", "routed_parameters");
    const bool tied = m_setting.architecture.tiedEmbeddings;
    detail(Detail::Parameters, tied ? "P_v + P_l + P_x" : "2 * P_v + P_l + P_x", {},
        tied ? "One embedding serves both ends"
            : m_plan.workload->tiedEmbeddings
            ? "Embeddings of both ends"
            : "Embeddings of both ends; the workload does not say whether they are tied");
    if (m_in.workScale != 1) {
        number("work_scale", "Scaling of all layer work", m_in.workScale, "P_w / P_a",
            {given("P_w", "parameters of the model", m_plan.workload->parameters, "workload.params_total"),
                from("P_a", "details.parameters")},
            "Hybrid model: layers without attention are priced by their share of the parameters");
        share("y_w", "work_scale");
    }
}

void Explainer::work()
{
    const std::string scores = std::string("s * a * ") + (latent() ? "(192 + 128)" : "2 * d")
        + (m_setting.causal ? " * 0.5" : "");
    for (int kind = 0; kind < 2; ++kind) {
        if (!has(kind))
            continue;
        const auto &layer = m_in.kinds[static_cast<std::size_t>(kind)];
        double products = kind == 1 ? m_in.expertsPerToken * (m_in.gates + 1) * m_in.hidden * m_in.expertFfn : 0;
        for (int i = 0; i < layer.productCount; ++i)
            products += layer.products[static_cast<std::size_t>(i)].k * layer.products[static_cast<std::size_t>(i)].n;
        const double square = m_in.tokensPerSequence * m_in.heads * (m_in.qkDim + m_in.valueDim)
            * (m_setting.causal ? 0.5 : 1);
        const std::string weights = kind == 0 ? "P_d - 2 * h" : "P_e - 2 * h - h * E + q * (g + 1) * h * f_e";
        add(keyOf(kind, "forward_flops_per_token"), labelOf(kind, "forward FLOP per token"),
            m_in.workScale * 2 * (products + square), Dimension::Computation,
            (m_in.workScale != 1 ? "y_w * 2 * (" : "2 * (") + weights + " + " + scores + ")", {},
            std::string("Two FLOP per weight and per attention score")
                + (m_setting.causal ? ", half of the scores" : ""));
    }
    const auto perToken = overKinds("F", "forward_flops_per_token");
    add("layer_flops", "FLOP of all layers in a step", m_in.layerFlops, Dimension::Computation,
        "3 * " + perToken.text + " * G * s", perToken.inputs, "Backward twice the forward pass, no recomputation");
    detail(Detail::ModelFlops, "F_l + 6 * P_v * G * s", {from("F_l", "layer_flops")}, "The output layer added");
    share("F_m", "details.model_flops");
}

void Explainer::microbatches()
{
    const auto &training = m_plan.training;
    if (training.microbatchSize)
        detail(Detail::Microbatch, "b",
            {given("b", "sequences per microbatch", double(*training.microbatchSize), "training.microbatch_size")},
            "Plan");
    else
        detail(Detail::Microbatch, "G / (r * m_c * x_a)",
            {given("m_c", "microbatches per replica and accumulation step",
                 double(training.microbatchCount.value_or(1)), "training.microbatch_count"),
                given("x_a", "gradient accumulation steps", double(training.accumulationSteps),
                    "training.accumulation_steps")},
            "Plan");
    share("b", "details.microbatch_size");
    detail(Detail::Microbatches, "max(1, G / (r * b))", {}, "Plan");
    share("m", "details.microbatches");
    number("microbatch_tokens", "Tokens of a microbatch on one rank",
        double(m_layout.microbatch) * m_in.tokensPerSequence / double(m_layout.cp), "b * s / c", {}, "Plan");
    share("T", "microbatch_tokens");
}

std::vector<ExplainedFigure> Explainer::run()
{
    fleet();
    rates();
    architecture();
    parameters();
    work();
    microbatches();
    layers();
    ends();
    rankParameters();
    sharded();
    stages();
    pipeline();
    layerCommunication();
    hops();
    exchange();
    replicas();
    dataParallelTotals();
    optimizer();
    step();
    results();
    memory();
    return m_out.take();
}

std::vector<ExplainedFigure> explain(const ExplainedPlan &plan)
{
    auto facts = planners::Facts::create(plan.workload, plan.fleet, plan.training);
    if (!facts) // prepare() has refused such plans
        return {};
    return Explainer(plan, std::move(*facts)).run();
}

} // namespace fleetwright::detailed
