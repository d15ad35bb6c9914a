// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/explainer.h"

namespace fleetwright::detailed {

using units::Dimension;

void Explainer::ends()
{
    const double tokens = m_out.find("microbatch_tokens")->value;
    const auto time = productTime(
        m_in, tokens, m_in.hidden, m_in.vocabulary / double(m_layout.tp), m_in.productRate16, {}, !m_setting.lora);
    number("logits.n", "Output layer: vocabulary on one rank", m_in.vocabulary / double(m_layout.tp), "V / t", {},
        "Shape of the weights and TP");
    // In 16 bits whatever the precision of the layers.
    productTimes("logits", "Output layer", time,
        {given("M", "tokens of a microbatch on one rank", tokens, "microbatch_tokens"),
            given("K", "hidden size", m_in.hidden, "workload.hidden_size"), from("N", "logits.n"),
            from("R", "product_rate16_flops_per_s"),
            given("o", "bytes of an operand: the output layer runs in 16 bits", 2.0, "published constant")},
        ProductKind::OutputLayer);
    detail(Detail::Logits,
        std::string(m_setting.lora ? "T_f + T_i + " : "T_f + T_i + T_w + ") + (m_in.oldMegatron ? "xi" : "16")
            + " * T * V / t / beta",
        {from("T_f", "logits.forward_s"), from("T_i", "logits.input_s"), from("T_w", "logits.weight_s"),
            constant("xi", Constant::LossTraffic)},
        "The product and the traffic of softmax and loss");
    detail(Detail::Embedding, "12 * T" + perSequenceShard() + " * h / beta", {}, source::roofline);
}

void Explainer::rankParameters()
{
    const bool both = !m_setting.architecture.tiedEmbeddings && m_layout.pp == 1;
    number("rank.dense_parameters", "Parameters of a rank without routed experts", m_parts.denseParameters,
        std::string("P_l / (t * p) + ") + (both ? "2 * " : "") + "P_v / t", {},
        both ? "One stage holds both embeddings" : "A stage holds one embedding at most");
    share("x_d", "rank.dense_parameters");
    number("rank.expert_parameters", "Parameters of a rank in routed experts", m_parts.expertParameters,
        "P_x / (e * t_e * p)", {}, "Layout");
    share("x_e", "rank.expert_parameters");
    group("dp", "DP", m_parts.dataGroup, "r * c", "t");
    const bool stated = m_layout.zeroStage == 1 && m_layout.shardGroup > 0;
    number("optimizer_shards", "Ranks that share the optimizer state", optimizerShards(m_layout),
        stated ? "S" : "r * c",
        {given("S", "ranks over which state is sharded", double(m_layout.shardGroup), "assumptions.shard_group")},
        source::zero);
    share("n_z", "optimizer_shards");
    group("expert_dp", "DP of the experts", m_parts.expertGroup, "max(1, r * c * t / (e * t_e))", "e * t_e");
    const auto forward = overKinds("T", "forward_s"), backward = overKinds("T", "backward_s");
    seconds("mean_forward_s", "Forward pass of a layer, mean over the layers",
        overAllLayers(&LayerPrice::forwardTotalSeconds) / m_in.layers, forward.text + " / L", forward.inputs,
        "One microbatch, with exposed communication");
    seconds("mean_backward_s", "Backward pass of a layer, mean over the layers",
        overAllLayers(&LayerPrice::backwardTotalSeconds) / m_in.layers, backward.text + " / L", backward.inputs,
        "One microbatch, with recomputation and exposed communication");
}

void Explainer::sharded()
{
    if (m_layout.zeroStage == 3) {
        const bool stated = m_layout.shardGroup > 0;
        const auto &shard = m_parts.shardGroup;
        if (stated)
            share(given("S", "ranks over which parameters are sharded", double(m_layout.shardGroup),
                "assumptions.shard_group"));
        const bool slow = m_setting.stack.software == Software::MegatronDeepSpeed && shard.domains > 1;
        group("shard", "ZeRO-3", shard, stated ? "S" : "r * c", "t", slow ? "B_o" : "");
        const bool lora = m_setting.lora, whole = gathersOnce(m_in, m_layout);
        const std::string rounds = whole ? "" : " * m";
        const char *often = whole ? "Layers of a stage, once in a step: FSDP keeps them whole between microbatches"
                                  : "Layers of a stage, every microbatch";
        const double perLayer = m_parts.shardedForward.bytes / 2;
        number("shard.layer_parameters", "ZeRO-3: parameters of a layer on a rank, gathered", perLayer,
            "(P_l / t + P_x / (e * t_e)) / L", {}, "Mean over the layers");
        const Inputs own{from("x", "shard.layer_parameters")};
        bytes("shard.parameter_bytes", "ZeRO-3: 16-bit parameters of a layer", m_parts.shardedForward.bytes, "2 * x",
            own, source::zero);
        gather("shard.gather_s", "ZeRO-3: parameters of a layer are gathered", m_parts.shardedForward.seconds, "shard",
            "shard.parameter_bytes");
        Inputs times{from("F", "mean_forward_s"), from("B_b", "mean_backward_s"), from("y", "shard.gather_s")};
        if (!lora) {
            const double gradients = m_in.gradientBytes * perLayer;
            bytes("shard.gradient_bytes", "ZeRO-3: gradients of a layer", gradients, "w_g * x", own, source::zero);
            gather("shard.scatter_s", "ZeRO-3: gradients of a layer are scattered", allGather(m_in, shard, gradients),
                "shard", "shard.gradient_bytes");
            times.push_back(from("z", "shard.scatter_s"));
        }
        const std::string backward = lora ? "y" : "y + z";
        const auto of = "The longer of the two sets the pace; interference slows the work meanwhile";
        seconds("shard.forward_extra_s", "ZeRO-3: wait in the forward pass of a layer", m_parts.shardedForward.exposed,
            "max(F + iota * min(y, F), y) - F", times, of);
        seconds("shard.backward_extra_s", "ZeRO-3: wait in the backward pass of a layer",
            m_parts.shardedBackward.exposed, "max(B_b + iota * min(" + backward + ", B_b), " + backward + ") - B_b",
            times, of);
        const bool both = !m_setting.architecture.tiedEmbeddings && m_layout.pp == 1;
        bytes("shard.embedding_bytes", "ZeRO-3: 16-bit embeddings of a rank", m_parts.shardedOnce.bytes,
            both ? "2 * P_v / t * 2" : "2 * P_v / t", {}, source::zero);
        gather("shard.embedding_s", "ZeRO-3: embeddings are gathered",
            allGather(m_in, shard, m_parts.shardedOnce.bytes), "shard", "shard.embedding_bytes");
        times.push_back(from("x_v", "shard.embedding_s"));
        seconds("shard.once_s", "ZeRO-3: what nothing hides, once in a step", m_parts.shardedOnce.seconds,
            backward + " + 2 * x_v", times, "First and last layer and the embeddings");
        times.push_back(from("x_f", "shard.forward_extra_s"));
        times.push_back(from("x_b", "shard.backward_extra_s"));
        seconds("shard.total_s", "ZeRO-3: communication beside the layers",
            (2 * m_parts.shardedForward.seconds + (lora ? 0 : m_out.find("shard.scatter_s")->value))
                * (m_in.layers / double(m_layout.pp) * m_parts.shardedRounds),
            (lora ? "2 * y * L / p" : "(2 * y + z) * L / p") + rounds, times, often);
        seconds("shard.exposed_s", "ZeRO-3: exposed beside the layers", m_parts.shardedLayerExposed,
            "(x_f + x_b) * L / p" + rounds, times, often);
        m_dpTotals.emplace_back("shard.total_s");
        m_dpExposed.insert(m_dpExposed.end(), {"shard.exposed_s", "shard.once_s"});
    }
    const bool extra = m_layout.zeroStage == 3;
    const Inputs own{from("T_f", "mean_forward_s"), from("T_b", "mean_backward_s"),
        extra ? from("x_f", "shard.forward_extra_s") : FormulaInput{},
        extra ? from("x_b", "shard.backward_extra_s") : FormulaInput{}};
    detail(Detail::ForwardLayer, "T_f" + shardWait("x_f"), own, "Mean over the layers, one microbatch");
    detail(Detail::BackwardLayer, "T_b" + shardWait("x_b"), own, "Mean over the layers, one microbatch");
    for (int kind = 0; kind < 2; ++kind) {
        if (!has(kind))
            continue;
        Inputs both{from("T_f", keyOf(kind, "forward_s")), from("T_b", keyOf(kind, "backward_s"))};
        both.insert(both.end(), own.begin() + 2, own.end());
        seconds(keyOf(kind, "both_s"), labelOf(kind, "both passes"),
            price(kind).forwardTotalSeconds + price(kind).backwardTotalSeconds + m_parts.shardedForwardWait
                + m_parts.shardedBackwardWait,
            "T_f + T_b" + shardWait("x_f") + shardWait("x_b"), both, "One microbatch");
        share(kind == 0 ? "T_d" : "T_e", keyOf(kind, "both_s"));
    }
    share("T_m", "details.embedding_s");
    share("T_o", "details.logits_s");
}

void Explainer::stages()
{
    const auto &stages = m_parts.stages;
    const std::string all = has(0) && hasExperts() ? "L_d * T_d + L_e * T_e" : has(0) ? "L * T_d" : "L * T_e";
    seconds("all_layers_s", "All layers, embedding and output layer, one microbatch", m_parts.allSeconds,
        all + " + T_m + T_o", {}, "Sum over the stages");
    const auto slowest = [this](const std::string &formula, const Inputs &own, const char *of) {
        seconds(
            "slowest_stage_s", "Slowest stage, one microbatch, both passes", m_parts.stageSeconds, formula, own, of);
    };
    if (m_layout.pp == 1) {
        number("stage_layers", "Layers of the stage", m_in.layers, "L", {}, "One stage");
        slowest("T_i", {from("T_i", "all_layers_s")}, "One stage holds all");
        return;
    }
    number("stage_layers", "Layers of a full stage", stages.full, "ceil(L / (p * v)) * v", {}, source::pipeline);
    share("n_s", "stage_layers");
    const double shortfall = stages.full * stages.count - m_in.layers;
    number("stage_shortfall", "Layers that the stages would hold too many", shortfall, "n_s * p - L", {},
        "Layers that do not divide");
    const Inputs own{from("z", "stage_shortfall")};
    number("first_stage.layers", "First stage: layers", stages.first, "max(0, n_s - (z - ceil(z / 2)))", own,
        "The smaller half of the shortfall");
    number("last_stage.layers", "Last stage: layers", stages.last, "max(0, n_s - ceil(z / 2))", own,
        "The larger half of the shortfall");
    const bool mixed = has(0) && hasExperts();
    const std::string only = has(0) ? "T_d" : "T_e";
    const auto end = [&](const std::string &key, const std::string &label, double layers, double before,
                         const std::string &dense, const std::string &extraSymbol, double extra) {
        const double inDense = stages.denseAmong(before, layers);
        number(key + ".dense_layers", label + ": dense layers", inDense, dense, {from("n", key + ".layers")},
            "Dense layers come first");
        const auto both = [this](int kind) { return has(kind) ? m_out.find(keyOf(kind, "both_s"))->value : 0; };
        seconds(key + ".one_s", label + ": one microbatch, both passes",
            inDense * both(0) + (layers - inDense) * both(1) + extra,
            (mixed ? "n_d * T_d + (n - n_d) * T_e" : "n * " + only) + " + " + extraSymbol,
            {from("n", key + ".layers"), from("n_d", key + ".dense_layers")}, "Its layers and its end of the model");
    };
    end("first_stage", "First stage", stages.first, 0, has(0) ? "max(0, min(L_d, n))" : "0", "T_m",
        m_prices.embeddingSeconds);
    end("last_stage", "Last stage", stages.last, m_in.layers - stages.last,
        has(0) ? "max(0, min(L_d - (L - n), n))" : "0", "T_o", m_prices.logitsSeconds);
    const Inputs ends{from("T_1", "first_stage.one_s"), from("T_n", "last_stage.one_s")};
    if (m_layout.pp == 2) {
        slowest("max(T_1, T_n)", ends, source::pipeline);
        return;
    }
    const bool expertStage = hasExperts() && stages.expertLayers >= stages.full;
    if (m_in.ownWindows && expertStage && has(0)) {
        number("second_stage.dense_layers", "Second stage: dense layers", stages.denseAmong(stages.first, stages.full),
            "max(0, min(L_d - n, n_s))", {from("n", "first_stage.layers")}, "Dense layers come first");
        slowest("max(T_1, T_n, n_s * T_e, n_d * T_d + (n_s - n_d) * T_e)",
            {ends[0], ends[1], from("n_d", "second_stage.dense_layers")},
            "Narayanan 2021; stages in between hold expert layers, the second one what dense layers are left");
        return;
    }
    slowest(expertStage ? "max(T_1, T_n, n_s * T_e)" : "max(T_1, T_n, n_s * T_d)", ends,
        expertStage && has(0) ? "Narayanan 2021; expert layers fill a stage in between" : source::pipeline);
}

void Explainer::pipeline()
{
    const Inputs own{from("T_x", "slowest_stage_s"), from("T_l", "all_layers_s"),
        given("y_s", "share of the 1F1B bubble that the schedule leaves", m_setting.bubbleShare,
            "assumptions.pipeline_schedule")};
    seconds("bubble_time_s", {}, m_parts.bubble,
        m_setting.bubbleShare == 1 ? "(T_l - T_x) / v" : "y_s * (T_l - T_x) / v", own,
        m_setting.bubbleShare == 1 ? source::pipeline : "Qi 2024: zero-bubble schedules");
    seconds("pipeline_s", "Pipeline", m_parts.pipeline, "m * T_x + T_q",
        {from("T_x", "slowest_stage_s"), from("T_q", "bubble_time_s")}, source::pipeline);
}

void Explainer::layerCommunication()
{
    const auto &estimate = m_plan.estimate;
    const auto kind = [this](const std::string &key, double value, const char *figure, bool exists) {
        const auto sum = exists ? overKinds("T", figure) : Sum{"0", {}};
        seconds(key, {}, value, exists ? sum.text + " * m / p" : "0", sum.inputs,
            exists ? "All layers, averaged over the stages, every microbatch" : "One rank: nothing travels");
    };
    const auto exposed = [this](Detail which, const char *figure, bool exists) {
        const auto sum = exists ? overKinds("T", figure) : Sum{"0", {}};
        detail(which, exists ? sum.text + " * m / p" : "0", sum.inputs,
            exists ? "All layers, averaged over the stages, every microbatch" : "One rank: nothing travels");
    };
    kind("tp_comm_time_s", estimate.tpCommTime->value(), "tp_s", m_layout.tp > 1);
    exposed(Detail::ExposedTp, "tp_exposed_s", m_layout.tp > 1);
    kind("cp_comm_time_s", estimate.cpCommTime->value(), "cp_s", m_layout.cp > 1);
    exposed(Detail::ExposedCp, "cp_exposed_s", m_layout.cp > 1);
    const bool experts = hasExperts() && m_layout.ep > 1;
    const auto of = experts ? "All expert layers, averaged over the stages, every microbatch"
                            : "One rank: nothing travels";
    seconds("ep_comm_time_s", {}, estimate.epCommTime->value(), experts ? "L_e * y * m / p" : "0",
        {from("y", "expert.ep_s")}, of);
    detail(Detail::ExposedEp, experts ? "L_e * x * m / p" : "0", {from("x", "expert.ep_exposed_s")}, of);
}

void Explainer::hops()
{
    const auto total = m_plan.estimate.ppCommTime->value();
    if (m_layout.pp == 1) {
        seconds("pp_comm_time_s", {}, total, "0", {}, "One stage");
        detail(Detail::ExposedPp, "0", {}, "One stage");
        return;
    }
    const bool old = m_in.oldMegatron;
    const bool scattered = m_layout.sequenceParallel || old;
    bytes("pp.bytes", "PP: activations between two stages", m_parts.hopBytes, scattered ? "2 * T * h / t" : "2 * T * h",
        {}, scattered ? "Each TP rank sends its share" : "Every TP rank sends all");
    const bool regathered = old && m_layout.tp > 1;
    const std::string hop = m_parts.hopInside ? "X / B_u + alpha_1" : "X / B_o + alpha_2";
    const bool hidden = m_layout.virtualStages > 1 && m_setting.stack.ppOverlap;
    const bool waits = !hidden && m_in.transferHost > 0;
    seconds("pp.hop_s", "PP: one hop", m_parts.hop, hop + (regathered ? " + y" : "") + (waits ? " + alpha_p" : ""),
        {from("X", "pp.bytes"), regathered ? from("y", regatherKey()) : FormulaInput{},
            waits ? constant("alpha_p", *transferHostConstant(m_setting)) : FormulaInput{}},
        std::string(m_parts.hopInside ? "Two neighbouring stages fit a scale-up domain"
                                      : "Stages are neighbours across domains")
            + (regathered ? "; then TP gathers it (Narayanan 2021, section 4.1)" : "")
            + (waits ? "; the host takes part in every transfer" : ""));
    const Inputs own{from("y", "pp.hop_s")};
    seconds("pp_comm_time_s", {}, total, "2 * y * v * m + 2 * y * (p - 1)", own,
        "Narayanan 2021: every chunk and microbatch, both ways, and the way through the pipeline");
    detail(Detail::ExposedPp, hidden ? "2 * y * (p - 1)" : "2 * y * v * m + 2 * y * (p - 1)", own,
        hidden ? "Interleaving hides all but the way through the pipeline" : "Nothing hides it");
}

std::string Explainer::regatherKey()
{
    if (m_layout.sequenceParallel)
        return "tp.one_s";
    if (!m_out.find("pp.gather_s"))
        gather("pp.gather_s", "PP: TP gathers what a hop scattered",
            allGather(m_in, groupOf(m_in, double(m_layout.tp), 1), m_out.find("tp.bytes")->value), "tp", "tp.bytes");
    return "pp.gather_s";
}

void Explainer::exchange()
{
    if (m_layout.zeroStage == 3 || m_setting.lora)
        return;
    const auto &parts = m_parts;
    const double p = double(m_layout.pp), v = double(m_layout.virtualStages);
    number("dp.rounds", "Microbatches under which DP can hide", 1 + (v - 1) / v * (std::min(p, parts.microbatches) - 1),
        "1 + (v - 1) / v * (min(p, m) - 1)", {}, "Interleaved chunks finish early");
    // Dense and expert parameters travel one after the other under the same window.
    const auto pair = [&](const std::string &name, const std::string &label, const Collective &dense,
                          const Collective &expert, const std::string &width, bool reduced, bool forward) {
        const std::string key = "dp." + name, expertKey = "expert_dp." + name;
        bytes(key + "_bytes", "DP: " + label, dense.bytes, width + " * x_d", {}, source::zero);
        bytes(expertKey + "_bytes", "DP of the experts: " + label, expert.bytes, width + " * x_e", {}, source::zero);
        const double broadcasts = forward && m_layout.zeroStage == 1 ? m_in.broadcast * (optimizerShards(m_layout) - 1)
                                                                     : 0;
        const double denseSeconds = broadcasts > 0 ? allGather(m_in, m_parts.dataGroup, dense.bytes) : dense.seconds;
        const auto one = [&](const std::string &of, const std::string &whose, double value, const std::string &in) {
            if (reduced)
                reduce(of + "_s", whose + label + ", all-reduce", value, in, of + "_bytes");
            else
                gather(of + "_s", whose + label + ", one pass around", value, in, of + "_bytes");
        };
        one(key, "DP: ", denseSeconds, "dp");
        one(expertKey, "DP of the experts: ", expert.seconds, "expert_dp");
        const double both = denseSeconds + expert.seconds;
        seconds(key + "_total_s", "DP and DP of the experts: " + label, both, "y_d + y_e",
            {from("y_d", key + "_s"), from("y_e", expertKey + "_s")}, "One after the other");
        const Inputs own{from("y", key + "_total_s")};
        m_dpTotals.push_back(key + "_total_s");
        m_dpExposed.push_back(key + "_exposed_s");
        if (broadcasts > 0) {
            seconds("dp.broadcasts_s", "DP: parameters are broadcast rank by rank", broadcasts, "alpha_b * (n_z - 1)",
                {constant("alpha_b", Constant::Broadcast), from("n_z", "optimizer_shards")},
                "The optimizers of these frameworks; nothing hides it");
            m_dpTotals.emplace_back("dp.broadcasts_s");
            m_dpExposed.emplace_back("dp.broadcasts_s");
        }
        const std::string exposedLabel = "DP: " + label + ", exposed";
        if (!m_setting.stack.dpOverlap || both <= 0) {
            seconds(key + "_exposed_s", exposedLabel, both, "y", own,
                "The stack does not overlap DP, or there is nothing to hide");
            return;
        }
        const auto sum = overKinds("T", forward ? "forward_s" : "backward_s");
        const auto passOf = forward ? &LayerPrice::forwardTotalSeconds : &LayerPrice::backwardTotalSeconds;
        const char *figure = forward ? "forward_s" : "backward_s";
        const bool shortest = m_in.ownWindows && m_layout.pp > 1;
        double stage = overAllLayers(passOf) / p;
        auto inWindow = sum.inputs;
        std::string layers = sum.text + " / p";
        if (shortest) {
            layers = "min(" + layers;
            for (const auto &[end, index] : {std::pair<std::string, std::string>("first_stage", "1"),
                     std::pair<std::string, std::string>("last_stage", "2")}) {
                const double count = m_out.find(end + ".layers")->value,
                             inDense = m_out.find(end + ".dense_layers")->value;
                stage = std::min(stage,
                    (has(0) ? inDense * price(0).*passOf : 0) + (has(1) ? (count - inDense) * price(1).*passOf : 0));
                const std::string n = "n_" + index, d = "d_" + index;
                layers += has(0) && hasExperts() ? ", " + d + " * F_d + (" + n + " - " + d + ") * F_e"
                                                 : ", " + n + (has(0) ? " * F_d" : " * F_e");
                inWindow.push_back(from(n, end + ".layers"));
                inWindow.push_back(from(d, end + ".dense_layers"));
            }
            layers += ")";
            for (int kind = 0; kind < 2; ++kind)
                if (has(kind))
                    inWindow.push_back(from(kind == 0 ? "F_d" : "F_e", keyOf(kind, figure)));
        }
        const double window = m_out.find("dp.rounds")->value * stage;
        inWindow.push_back(from("n_w", "dp.rounds"));
        seconds(key + "_window_s", "DP: work that can hide " + label, window, "n_w * " + layers, inWindow,
            shortest
                ? "The layers of the mean stage, but no longer than the first and the last, one microbatch at a time"
                : "The layers of a stage, one microbatch at a time");
        const double waits = std::max(both * p / m_in.layers, both - window);
        seconds(key + "_wait_s", "DP: " + label + " that work does not hide", waits, "max(y * p / L, y - w)",
            {own[0], from("w", key + "_window_s")}, "At least the share of one layer");
        seconds(key + "_exposed_s", exposedLabel,
            broadcasts > 0 ? waits + m_in.interference * (both - waits) : dense.exposed + expert.exposed,
            "x_w + iota * (y - x_w)", {own[0], from("x_w", key + "_wait_s")},
            "Interference slows the work that hides the rest");
    };
    if (m_layout.zeroStage >= 1)
        pair("parameters", "parameters", parts.parameters, parts.expertParametersGather, "2", false, true);
    pair("gradients", "gradients", parts.gradients, parts.expertGradients, "w_g", m_layout.zeroStage == 0, false);
}

void Explainer::replicas()
{
    const double p = double(m_layout.pp);
    if (m_layout.zeroStage == 3 && m_layout.shardGroup > 0
        && double(m_layout.shardGroup) < double(m_layout.dp) * double(m_layout.cp) && !m_setting.lora) {
        const auto &collective = m_parts.replicas;
        group("replicas", "Replicas of a shard group", m_parts.replicaGroup, "r * c / S", "t * S");
        bytes("replicas.bytes", "Replicas: gradients of a shard", collective.bytes, "w_g * x_d / S", {},
            "Zhao 2023: hybrid sharding");
        reduce("replicas.one_s", "Replicas: gradients are reduced", collective.seconds, "replicas", "replicas.bytes");
        const double window = m_parts.meanBackward * m_in.layers / p;
        seconds("replicas.window_s", "Replicas: work that can hide it", window, "T_b * L / p",
            {from("T_b", "details.backward_layer_s")}, "The backward pass of a stage, one microbatch");
        const bool overlap = m_setting.stack.dpOverlap;
        seconds("replicas.exposed_s", "Replicas: exposed", collective.exposed, overlap ? "max(y * p / L, y - w)" : "y",
            {from("y", "replicas.one_s"), from("w", "replicas.window_s")},
            overlap ? "At least the share of one layer" : "The stack does not overlap DP");
        m_dpTotals.emplace_back("replicas.one_s");
        m_dpExposed.emplace_back("replicas.exposed_s");
    }
    if (m_layout.pp > 1 && m_setting.architecture.tiedEmbeddings && !m_setting.lora) {
        const auto &tied = m_parts.tiedEmbedding;
        bytes("tied_embedding.bytes", "Tied embedding: gradient on a rank", tied.bytes, "w_g * P_v / t", {},
            "Shoeybi 2019");
        const bool inside = m_parts.embeddingGroup.domains <= 1;
        seconds("tied_embedding.one_s", "Tied embedding: first and last stage reduce its gradient", tied.seconds,
            (inside ? "X / B_u + 2 * alpha_1" : "X / min(B_u, B_o) + 2 * alpha_2") + launch(),
            {from("X", "tied_embedding.bytes")},
            inside ? "All-reduce of two ranks inside a scale-up domain"
                   : "All-reduce of two ranks in two scale-up domains");
        m_dpTotals.emplace_back("tied_embedding.one_s");
        m_dpExposed.emplace_back("tied_embedding.one_s");
    }
}

void Explainer::dataParallelTotals()
{
    const auto sum = [this](const std::vector<std::string> &keys) {
        Sum added;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const std::string symbol = "y_" + std::to_string(i + 1);
            added.text += (i == 0 ? "" : " + ") + symbol;
            added.inputs.push_back(from(symbol, keys[i]));
        }
        if (keys.empty())
            added.text = "0";
        return added;
    };
    const std::string none = "No parameters are exchanged";
    const auto total = sum(m_dpTotals), exposed = sum(m_dpExposed);
    seconds("dp_comm_time_s", {}, m_parts.dpTotal, total.text, total.inputs, m_dpTotals.empty() ? none : "Sum");
    detail(Detail::ExposedDp, exposed.text, exposed.inputs, m_dpExposed.empty() ? none : "Sum");
}

void Explainer::optimizer()
{
    if (m_setting.lora) {
        seconds("optimizer_time_s", {}, m_parts.optimizer, "0", {}, "LoRA: adapters are below one percent");
        return;
    }
    const bool sharded = m_layout.zeroStage >= 1;
    const double shards = optimizerShards(m_layout);
    const double held = sharded
        ? m_parts.denseParameters / shards + m_parts.expertParameters / std::min(shards, m_parts.expertGroup.size)
        : m_parts.denseParameters + m_parts.expertParameters;
    number("optimizer_parameters", "Parameters that a rank updates", held,
        sharded ? "x_d / n_z + x_e / min(n_z, n_e)" : "x_d + x_e", {from("n_e", "expert_dp.ranks")}, source::zero);
    seconds("optimizer_time_s", {}, m_parts.optimizer,
        m_layout.zeroStage < 3 ? "(x_o * y + x_n * (x_d + x_e)) / beta" : "x_o * y / beta",
        {constant("x_o", Constant::OptimizerTraffic), constant("x_n", Constant::GradientNormTraffic),
            from("y", "optimizer_parameters")},
        "Mixed-precision Adam is bound by memory traffic");
}

void Explainer::step()
{
    const auto &estimate = m_plan.estimate;
    const bool extra = m_layout.zeroStage == 3;
    seconds("overhead_time_s", {}, estimate.overheadTime->value(), "tau", {constant("tau", Constant::StepOverhead)},
        "Host work and synchronisation");
    const Inputs own{from("T_x", "slowest_stage_s"), from("x_t", "exposed_tp_comm_time_s"),
        from("x_c", "exposed_cp_comm_time_s"), from("x_p", "exposed_ep_comm_time_s"), from("x_z", "shard.exposed_s")};
    seconds("compute_time_s", {}, estimate.computeTime->value(),
        extra ? "m * T_x - x_t - x_c - x_p - x_z" : "m * T_x - x_t - x_c - x_p", own,
        "The slowest stage without the communication that it waits for");
    seconds("exposed_comm_time_s", {}, estimate.exposedCommTime->value(), "x_t + x_c + x_p + x_h + x_r",
        {own[1], own[2], own[3], from("x_h", "exposed_pp_comm_time_s"), from("x_r", "exposed_dp_comm_time_s")},
        "All that the step waits for");
    seconds("busy_step_s", "Step before stragglers and fixed time", m_parts.step,
        extra ? "T_l + x_h + (x_r - x_z) + T_o" : "T_l + x_h + x_r + T_o",
        {from("T_l", "pipeline_s"), from("x_h", "exposed_pp_comm_time_s"), from("x_r", "exposed_dp_comm_time_s"),
            from("x_z", "shard.exposed_s"), from("T_o", "optimizer_time_s")},
        extra ? "The pipeline holds what ZeRO-3 exposes beside the layers" : "Sum");
    const auto straggler = given("g_s", "straggler factor", m_setting.straggler, "assumptions.straggler_factor");
    seconds("step_time_s", {}, estimate.stepTime->value(), "g_s * T_b + T_o",
        {straggler, from("T_b", "busy_step_s"), from("T_o", "overhead_time_s")}, "Stragglers: Dean, Barroso 2013");
    const auto &parts = m_plan.breakdown;
    if (m_setting.straggler == 1)
        seconds(
            "other_time_s", {}, parts.other.value(), "0", {}, "No stragglers: the other parts add up to the step time");
    else
        seconds("other_time_s", {}, parts.other.value(), "(g_s - 1) * T_b", {straggler, from("T_b", "busy_step_s")},
            "Everything but the fixed time takes longer: Dean, Barroso 2013");
}

void Explainer::results()
{
    const auto &estimate = m_plan.estimate;
    const auto time = from("T_s", "step_time_s");
    number("tokens_per_s", {}, *estimate.tokensPerSecond, "G * s / T_s", {time},
        "Tokens of the global batch over the step time");
    number("samples_per_s", {}, *estimate.samplesPerSecond, "n_t / s", {from("n_t", "tokens_per_s")},
        "Tokens over the sequence length");
    add("flops_per_accelerator_per_s", {}, estimate.flopsPerAccelerator->value(), Dimension::ComputeRate,
        "F_m / (N * T_s)", {time}, "Model FLOP over step time and accelerators");
    const auto palm = "Chowdhery 2022 (PaLM)";
    add("mfu", {}, *estimate.mfu, Dimension::Fraction, "F_m / (N * P * T_s)", {time}, palm);
    detail(Detail::Mfu16, "F_m / (N * P_16 * T_s)", {time}, palm);
    const bool full = m_layout.recompute == Recompute::Full;
    const bool part = full && m_layout.recomputeShare;
    add("hfu", {}, *estimate.hfu, Dimension::Fraction,
        part       ? "U * (1 + y_r * F_l / F_m / 3)"
            : full ? "U * (1 + F_l / F_m / 3)"
                   : "U",
        {from("U", "mfu"), from("F_l", "layer_flops"), recomputeShare()},
        part       ? "A share of the layers' forward pass runs twice"
            : full ? "The layers' forward pass runs twice"
                   : "Nothing is recomputed, or too little to count");
}

} // namespace fleetwright::detailed
