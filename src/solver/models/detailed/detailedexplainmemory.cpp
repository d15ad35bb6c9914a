// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/explainer.h"

namespace fleetwright::detailed {

using units::Dimension;

void Explainer::memory()
{
    share(given(
        "i", "bytes of a saved input of a product", m_setting.precisionBits == 16 ? 2.0 : 1.0, "training.precision"));
    for (int kind = 0; kind < 2; ++kind)
        if (has(kind))
            keptBytes(kind);
    const double m = m_parts.microbatches;
    const auto flight = inFlightOf(m_setting, m_layout, m);
    const bool interleaved = m_layout.virtualStages > 1, single = m_layout.pp == 1;
    const bool noBubble = m_setting.bubbleShare == 0;
    number("in_flight.first", "Microbatches in flight, first stage", flight.first,
        single            ? "1"
            : noBubble    ? "min(m, 2 * p)"
            : interleaved ? "min(m, p * (1 + (p - 1) / (p * v)))"
                          : "min(m, p)",
        {},
        single         ? "One stage: each microbatch is finished before the next"
            : noBubble ? "Qi 2024: the schedule without bubble"
                       : "Korthikanti 2022, section 4.2.3");
    const auto &stages = m_parts.stages;
    const double firstLayers = single ? m_in.layers : stages.first;
    const double denseFirst = stages.denseAmong(0, firstLayers);
    const auto stage = [&](double dense, double layers, double inFlight, bool input, bool output) {
        return stageMemory(m_in, m_setting, m_layout, m_prices, dense, layers - dense, inFlight, input, output);
    };
    std::vector<StageMemory> held{stage(denseFirst, firstLayers, flight.first, true, single)};
    stageMemoryOf("first_stage", "First stage", held[0], single ? "stage_layers" : "first_stage.layers", denseFirst,
        has(0) ? "max(0, min(L_d, n))" : "0", "in_flight.first", true, single);
    if (m_layout.pp > 2) {
        number("in_flight.second", "Microbatches in flight, second stage", std::max(1.0, flight.first - 1),
            "max(1, I_1 - 1)", {from("I_1", "in_flight.first")}, "Korthikanti 2022, section 4.2.3");
        const bool expertsOnly = stages.expertLayers >= stages.full * (stages.count - 1);
        const double dense = expertsOnly ? 0 : stages.denseAmong(stages.first, stages.full);
        held.push_back(stage(dense, stages.full, std::max(1.0, flight.first - 1), false, false));
        stageMemoryOf("second_stage", "Second stage", held.back(), "stage_layers", dense,
            expertsOnly || !has(0) ? "0" : "max(0, min(L_d - n_1, n))", "in_flight.second", false, false);
    }
    if (!single) {
        number("in_flight.last", "Microbatches in flight, last stage", flight.last,
            interleaved ? "min(m, max(1, I_1 - p + 1))" : "1", {from("I_1", "in_flight.first")},
            "Korthikanti 2022, section 4.2.3");
        const double dense = stages.denseAmong(m_in.layers - stages.last, stages.last);
        held.push_back(stage(dense, stages.last, flight.last, false, true));
        stageMemoryOf("last_stage", "Last stage", held.back(), "last_stage.layers", dense,
            has(0) ? "max(0, min(L_d - (L - n), n))" : "0", "in_flight.last", false, true);
    }
    fullest(held);
}

void Explainer::keptBytes(int kind)
{
    const bool lora = m_setting.lora;
    const std::string shard = perSequenceShard();
    std::string kept = std::string("(4 * h + ") + (lora ? "i * h" : "2 * i * h")
        + (m_setting.stack.dropout ? " + 2 * h)" : ")") + shard;
    kept += latent() ? " + 2 * (1536 + 2 * 576) + 2 * a * 640 / t" : " + (2 * (a + 2 * k) * d + 2 * a * d) / t";
    if (!m_in.fusedAttention && m_layout.recompute != Recompute::Selective)
        kept += " + 5 * a * s / t";
    const std::string ffn = !lora ? "(2 * g + i)" : m_setting.precisionBits < 16 ? "x_l * g" : "2 * g";
    if (kind == 1)
        kept += std::string(" + q") + (m_layout.expertTp < m_layout.tp ? " * t_e / t" : "") + " * (4 * h + " + ffn
            + " * f_e / t_e)";
    kept += " + " + ffn + (kind == 1 ? " * f_s / t" : " * f / t");
    if (m_in.eager) {
        kept += " + 4 * h" + shard + " + 2 * (a + k) * d / t";
        if (m_in.gates > 1)
            kept += kind == 1 ? " + 2 * f_s / t" : " + 2 * f / t";
    }
    if (m_in.frameworkMemory && m_layout.sequenceParallel)
        kept += " + 4 * h * (1 - 1 / t)";
    const auto &layer = price(kind);
    const std::string keptKey = keyOf(kind, "kept_bytes_per_token"),
                      workingKey = keyOf(kind, "working_bytes_per_token"),
                      keptLabel = labelOf(kind, "activations kept, per token"),
                      workingLabel = labelOf(kind, "activations while it is recomputed, per token");
    const auto eightBit = constant("x_l", Constant::LoraEightBitActivations);
    if (m_in.frameworkMemory && m_layout.recompute == Recompute::Selective) {
        bytes(keptKey, keptLabel, layer.keptBytesPerToken, "min(" + kept + ", " + keptByOperators(kind) + ")",
            {eightBit}, "torchtitan's op-level policy: the input, attention and every second product");
        bytes(workingKey, workingLabel, layer.workingBytesPerToken, kept + " - k_o", {from("k_o", keptKey), eightBit},
            "What the policy does not keep, of one layer");
        return;
    }
    const bool full = m_layout.recompute == Recompute::Full;
    bytes(full ? workingKey : keptKey, full ? workingLabel : keptLabel,
        full ? layer.workingBytesPerToken : layer.keptBytesPerToken, kept, {eightBit}, source::activations);
    if (full)
        bytes(keptKey, keptLabel, layer.keptBytesPerToken,
            m_layout.recomputeShare ? "y_r * 2 * h" + shard + " + (1 - y_r) * k_a" : "2 * h" + shard,
            {recomputeShare(), from("k_a", workingKey)},
            m_layout.recomputeShare ? "The input of what is computed again, the activations of the rest"
                                    : "Korthikanti 2022: full recomputation keeps the input of a layer");
}

std::string Explainer::keptByOperators(int kind) const
{
    const bool mla = latent(), gated = m_in.gates > 1;
    const std::string shard = perSequenceShard(), width = kind == 1 ? "f_s" : "f";
    std::string kept = "2 * h" + shard + (mla ? " + 2 * a * 128 / t" : " + 2 * a * d / t");
    kept += mla ? " + 2 * (1536 + 576) + 2 * h" : " + 2 * (a + k) * d / t";
    if (m_in.kinds[static_cast<std::size_t>(kind)].actFfn > 0)
        kept += (mla && !gated ? std::string() : " + 2 * " + width + " / t") + (mla == gated ? "" : " + 2 * h");
    if (m_layout.sequenceParallel && m_layout.tp > 1)
        kept += " + 4 * h" + shard;
    return kept;
}

void Explainer::shardedStateOf(
    const std::string &key, const std::string &name, const StageMemory &stage, const std::string &both, Inputs &own)
{
    const double t = double(m_layout.tp);
    const auto &kinds = m_in.kinds;
    const bool lora = m_setting.lora;
    if (!m_out.find("largest_layer_parameters")) {
        double largest = m_in.embedding / t;
        std::string formula = "max(P_v / t";
        if (has(0)) {
            largest = std::max(largest, kinds[0].parameters / t);
            formula += ", P_d / t";
        }
        if (hasExperts()) {
            largest = std::max(largest,
                kinds[1].parameters / t
                    + kinds[1].expertParameters / (double(m_layout.ep) * double(m_layout.expertTp)));
            formula += ", P_e / t + X_e / (e * t_e)";
        }
        number("largest_layer_parameters", "Parameters of the largest layer on a rank", largest, formula + ")", {},
            source::zero);
        share("Y_l", "largest_layer_parameters");
    }
    own.push_back(from("S", "shard.ranks"));
    const bool whole = gathersOnce(m_in, m_layout);
    bytes(key + ".weights_bytes", name + "weights", stage.weights,
        "4 * " + both + " / S + " + (whole ? "2 * " + both : "4 * Y_l"), own,
        whole ? "32-bit shards; the stage stays gathered between microbatches"
              : "32-bit shards and one gathered layer");
    bytes(key + ".gradients_bytes", name + "gradients", stage.gradients,
        lora        ? "0"
            : whole ? "4 * " + both + " / S + w_g * " + both
                    : "4 * " + both + " / S + 2 * Y_l",
        own,
        lora        ? "LoRA: base weights have no gradients"
            : whole ? "Whole until the last microbatch has added its own, beside the 32-bit shards"
                    : "32-bit shards and those of one layer");
    bytes(key + ".optimizer_bytes", name + "optimizer state", stage.optimizer, lora ? "0" : "8 * " + both + " / S", own,
        lora ? "LoRA: adapters are below one percent" : "Two 32-bit moments of Adam");
}

void Explainer::replicatedStateOf(const std::string &key, const std::string &name, const StageMemory &stage,
    const HeldParameters &held, int embeddingsHere, Inputs &own)
{
    const auto &[both, shared, updated] = held;
    const bool lora = m_setting.lora, twice = embeddingsHere == 2, end = embeddingsHere > 0;
    std::string weights = "2 * " + both, of = "16-bit weights";
    const bool deepSpeed = m_setting.stack.software == Software::MegatronDeepSpeed;
    own.insert(own.end(),
        {constant("x_8", Constant::LoraEightBitWeights), constant("x_w", Constant::EightBitWeights),
            constant("x_g", Constant::GradientCopy)});
    if (lora && m_setting.loraBaseBytes > 0) {
        const std::string embeddings = twice ? "2 * P_v / t" : "P_v / t";
        own.push_back(given("x_4", "bytes of a frozen 4-bit weight and its scales", m_setting.loraBaseBytes,
            "assumptions.lora_base_4bit"));
        weights = end ? "x_4 * (" + both + " - " + embeddings + ") + 2 * " + embeddings : "x_4 * " + both;
        of = "Dettmers 2023: frozen weights in 4 bits, embeddings in 16";
    } else if (deepSpeed) {
        weights = "4 * " + both;
        of = "16-bit weights and a flat copy";
    } else if (lora && m_setting.precisionBits < 16) {
        weights = (m_setting.precisionBits == 8 ? "x_8 * " : "0.6 * ") + both;
        of = m_setting.precisionBits == 8 ? "LoRA on 8-bit weights" : "LoRA on 4-bit weights and their scales";
    } else if (m_setting.precisionBits == 8 && eightBitPrimaryWeights(m_setting)) {
        weights = "x_w * " + both;
        of = "8-bit primary weights";
    }
    const bool copied = deepSpeed && m_in.gradientBytes == 4;
    bytes(key + ".weights_bytes", name + "weights", stage.weights, weights, own, of);
    bytes(key + ".gradients_bytes", name + "gradients", stage.gradients,
        lora ? "0" : (copied ? "(w_g + x_g) * " : "w_g * ") + (m_layout.zeroStage == 2 ? shared : both), own,
        lora         ? "LoRA: base weights have no gradients"
            : copied ? "A 32-bit buffer beside the 16-bit gradient"
                     : source::zero);
    bytes(key + ".optimizer_bytes", name + "optimizer state", stage.optimizer,
        lora ? "0" : "12 * " + (m_layout.zeroStage >= 1 ? updated : both), own,
        lora ? "LoRA: adapters are below one percent" : "Rajbhandari 2020: 32-bit weights and two moments");
}

void Explainer::stageMemoryOf(const std::string &key, const std::string &label, const StageMemory &stage,
    const std::string &layersKey, double denseLayers, const std::string &denseFormula, const std::string &inFlightKey,
    bool inputEmbedding, bool outputLayer)
{
    const double t = double(m_layout.tp);
    const std::string name = label + ": ";
    Inputs own{from("n", layersKey), from("I", inFlightKey)};
    const bool mixed = has(0) && hasExperts();
    // Stages with prices have counted their dense layers.
    if (mixed) {
        if (!m_out.find(key + ".dense_layers")) {
            Inputs counts{from("n", layersKey), from("n_1", "first_stage.layers")};
            number(key + ".dense_layers", name + "dense layers", denseLayers, denseFormula, counts,
                denseFormula == "0" ? "Layers with experts fill all stages but the first" : "Dense layers come first");
        }
        number(key + ".expert_layers", name + "layers with experts", stage.layers - denseLayers, "n - n_d",
            {own[0], from("n_d", key + ".dense_layers")}, "The rest");
        own.push_back(from("n_d", key + ".dense_layers"));
        own.push_back(from("n_e", key + ".expert_layers"));
    }
    const double expertLayers = stage.layers - denseLayers;
    const auto &kinds = m_in.kinds;
    const bool twice = inputEmbedding && outputLayer && !m_setting.architecture.tiedEmbeddings;
    const bool end = inputEmbedding || outputLayer;
    const double dense = (denseLayers * kinds[0].parameters + expertLayers * kinds[1].parameters) / t
        + (end ? (twice ? 2.0 : 1.0) : 0.0) * m_in.embedding / t;
    number(key + ".dense_parameters", name + "parameters of a rank without routed experts", dense,
        std::string(mixed ? "(n_d * P_d + n_e * P_e) / t"
                : has(0)  ? "n * P_d / t"
                          : "n * P_e / t")
            + (twice      ? " + 2 * P_v / t"
                    : end ? " + P_v / t"
                          : ""),
        own, end ? "Layers of the stage and its embedding" : "Layers of the stage");
    own.push_back(from("y_d", key + ".dense_parameters"));
    std::string both = "y_d", shared = "y_d / (r * c)", updated = "y_d / n_z";
    if (hasExperts()) {
        number(key + ".routed_parameters", name + "parameters of a rank in routed experts",
            expertLayers * kinds[1].expertParameters / (double(m_layout.ep) * double(m_layout.expertTp)),
            (mixed ? "n_e" : "n") + std::string(" * X_e / (e * t_e)"), own, "Layers of the stage");
        own.push_back(from("y_e", key + ".routed_parameters"));
        both = "(y_d + y_e)";
        shared = "(y_d / (r * c) + y_e / (r * c * t / (e * t_e)))";
        updated = "(y_d / n_z + y_e / min(n_z, r * c * t / (e * t_e)))";
    }
    if (m_layout.zeroStage == 3)
        shardedStateOf(key, name, stage, both, own);
    else
        replicatedStateOf(key, name, stage, {both, shared, updated}, end ? (twice ? 2 : 1) : 0, own);
    const double tokens = m_out.find("microbatch_tokens")->value;
    const auto kept = [this](const char *symbol, int kind, const char *figure) {
        return from(symbol, keyOf(kind, figure));
    };
    Inputs activations = own;
    activations.insert(activations.end(),
        {kept("k_d", 0, "kept_bytes_per_token"), kept("k_e", 1, "kept_bytes_per_token"),
            kept("w_d", 0, "working_bytes_per_token"), kept("w_e", 1, "working_bytes_per_token")});
    std::string formula = mixed ? "T * (n_d * k_d + n_e * k_e) * I" : has(0) ? "T * n * k_d * I" : "T * n * k_e * I";
    const bool again = m_layout.recompute == Recompute::Full
        || (m_in.frameworkMemory && m_layout.recompute == Recompute::Selective);
    if (again && stage.layers > 0)
        formula += denseLayers > 0 && expertLayers > 0 ? " + T * max(w_d, w_e)"
            : denseLayers > 0                          ? " + T * w_d"
                                                       : " + T * w_e";
    bytes(key + ".activations_bytes", name + "activations", stage.activations, formula, activations,
        again ? "Korthikanti 2022; one layer is recomputed at a time" : source::activations);
    own.insert(own.end(),
        {from("M_w", key + ".weights_bytes"), from("M_g", key + ".gradients_bytes"),
            from("M_o", key + ".optimizer_bytes"), from("M_a", key + ".activations_bytes")});
    std::string sum = "M_w + M_g + M_o + M_a";
    if (outputLayer) {
        const double each = logitBytes(m_in, m_setting);
        bytes(key + ".logits_bytes", name + "logits", each * tokens * m_in.vocabulary / t,
            std::to_string(static_cast<int>(each)) + " * T * V / t", {},
            each == 8        ? "Logits and their gradient, in 32 bits"
                : each == 12 ? "PyTorch's loss: logarithmic softmax and two gradients, in 32 bits"
                             : "Compiled loss: logits and their gradient, in 16 bits");
        own.push_back(from("M_l", key + ".logits_bytes"));
        sum += " + M_l";
    }
    bytes(key + ".allocated_bytes", name + "allocated memory", stage.allocated(), sum, own, "Sum");
}

void Explainer::fullest(const std::vector<StageMemory> &stages)
{
    const auto &estimate = m_plan.estimate;
    const auto &memory = *estimate.memory;
    const auto index = static_cast<int>(estimate.details[static_cast<std::size_t>(Detail::FullestStage)]);
    const std::string key = index == 0 ? "first_stage" : index == 1 ? "second_stage" : "last_stage";
    const Inputs all{from("A_1", "first_stage.allocated_bytes"), from("A_2", "second_stage.allocated_bytes"),
        from("A_3", "last_stage.allocated_bytes")};
    if (stages.size() == 1)
        detail(Detail::FullestStage, "0", {}, "One stage");
    else if (stages.size() == 2)
        detail(Detail::FullestStage, "2 * ceil(max(0, A_3 - A_1) / A_3)", all,
            "2 where the last stage holds more than the first; 0 is the first");
    else
        detail(Detail::FullestStage, "max(ceil(max(0, A_2 - A_1) / A_2), 2 * ceil(max(0, A_3 - max(A_1, A_2)) / A_3))",
            all,
            "2 where the last stage holds more than both others, else 1 where the second holds more than the first, "
            "else 0");
    detail(Detail::Allocated, "A_x", {from("A_x", key + ".allocated_bytes")}, "The fullest stage");
    const auto part = [&](const char *name, Bytes value) {
        bytes(std::string("memory.") + name, {}, value.value(), "M_i", {from("M_i", key + "." + name)},
            "The fullest stage");
    };
    part("weights_bytes", *memory.weights);
    part("gradients_bytes", *memory.gradients);
    part("optimizer_bytes", *memory.optimizer);
    part("activations_bytes", *memory.activations);
    const auto allocated = from("A_x", "details.allocated_bytes");
    bytes("memory.total_bytes", {}, memory.total.value(), "y_f * A_x + y_c",
        {given("y_f", "fragmentation: device total over allocated memory", deviceShare, "published constant"),
            allocated,
            given(
                "y_c", "context and communicators", deviceReserveBytes, "published constant", Dimension::Information)},
        "Allocated memory, fragmentation, context and communicators");
    const bool logits = index == 2 || stages.size() == 1;
    bytes("memory.other_bytes", {}, memory.other->value(), logits ? "M - A_x + M_l" : "M - A_x",
        {from("M", "memory.total_bytes"), allocated, from("M_l", key + ".logits_bytes")},
        logits ? "Fragmentation, context, communicators and logits" : "Fragmentation, context and communicators");
    bytes("memory.capacity_bytes", {}, memory.capacity.value(), "M_c",
        {given("M_c", "memory of one accelerator", memory.capacity, "fleet.node.accelerator.memory_capacity_bytes")},
        "Accelerators catalog");
    number("fits", "Fits (1 yes, 0 no)", double(*estimate.fits), "M <= M_c",
        {from("M", "memory.total_bytes"), from("M_c", "memory.capacity_bytes")}, "Device total within capacity");
}

} // namespace fleetwright::detailed
