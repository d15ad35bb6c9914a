// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/explainer.h"

namespace fleetwright::detailed {

using units::Dimension;

namespace {

/// What a weight product is called and its local shape as formulas.
struct ProductText {
    std::string key, label, k, n;
};

ProductText textOf(const ObservedProduct &product, bool latent)
{
    const auto index = static_cast<std::size_t>(product.index);
    if (product.routedExperts)
        return std::array<ProductText, 2>{{{"routed_up", "routed experts, into the activation", "h", "g * f_e / t_e"},
            {"routed_down", "routed experts, out of the activation", "f_e / t_e", "h"}}}[index];
    switch (product.part) {
    case Product::Part::Attention:
        if (latent)
            return std::array<ProductText, 5>{{{"query_down", "query compression", "h", "1536"},
                {"query_up", "query expansion", "1536", "a * 192 / t"},
                {"kv_down", "key and value compression", "h", "512 + 64"},
                {"kv_up", "key and value expansion", "512", "a * 256 / t"},
                {"attention_output", "attention output", "a * 128 / t", "h"}}}[index];
        return std::array<ProductText, 2>{{{"query_key_value", "query, key and value", "h", "(a + 2 * k) * d / t"},
            {"attention_output", "attention output", "a * d / t", "h"}}}[index];
    case Product::Part::FeedForward:
        return std::array<ProductText, 2>{{{"ffn_up", "feed-forward, into the activation", "h", "g * f / t"},
            {"ffn_down", "feed-forward, out of the activation", "f / t", "h"}}}[index];
    case Product::Part::SharedExperts: break;
    }
    return std::array<ProductText, 2>{{{"shared_up", "shared experts, into the activation", "h", "g * f_s / t"},
        {"shared_down", "shared experts, out of the activation", "f_s / t", "h"}}}[index];
}

constexpr auto productSource = "Roofline: Williams 2009; compute and operand traffic add";

} // namespace

void Explainer::layers()
{
    if (const auto &seen = m_seen.kinds[has(0) ? 0 : 1].tp[0]) {
        group("tp", "TP", seen->group, "t", "1");
        bytes("tp.bytes", "TP: activations of a microbatch", seen->bytes, "2 * T * h", {},
            "Shoeybi 2019: 16-bit activations");
        if (m_layout.sequenceParallel)
            gather("tp.one_s", "TP: one all-gather or reduce-scatter", seen->seconds, "tp", "tp.bytes");
        else
            reduce("tp.one_s", "TP: one all-reduce", seen->seconds, "tp", "tp.bytes");
    }
    if (hasExperts())
        routing();
    for (int kind = 0; kind < 2; ++kind) {
        if (!has(kind))
            continue;
        products(kind);
        elementwise(kind);
        attention(kind);
        passes(kind);
        tensorParallel(kind);
        contextParallel(kind);
        expertParallel(kind);
        layerTotals(kind);
    }
}

void Explainer::routing()
{
    const double t = double(m_layout.tp), te = double(m_layout.expertTp);
    const bool cut = te < t;
    number("expert.routed_tokens", labelOf(1, "tokens that reach the experts of a rank"),
        m_out.find("microbatch_tokens")->value * m_in.expertsPerToken * (cut ? te * (1 / t) : 1) * m_setting.imbalance,
        cut ? "T * q * t_e / t * x_b" : "T * q * x_b",
        {given("x_b", "load of the busiest expert over the mean", m_setting.imbalance,
            "assumptions.moe_imbalance_factor")},
        "Fedus 2022: Switch Transformers");
    share("rho", "expert.routed_tokens");
    number("expert.local_experts", labelOf(1, "routed experts of a rank"),
        std::max(1.0, m_in.experts / double(m_layout.ep)), "max(1, E / e)", {}, "Layout");
    share("E_l", "expert.local_experts");
    for (const auto &product : m_seen.kinds[1].products) {
        if (!product.routedExperts)
            continue;
        number("expert.tokens_per_expert", labelOf(1, "tokens of one expert"), product.m, "rho / E_l", {}, "Layout");
        return;
    }
}

void Explainer::productTimes(
    const std::string &key, const std::string &label, const ProductTime &time, const Inputs &own, ProductKind kind)
{
    const bool grouped = kind == ProductKind::Experts,
               scaled = kind != ProductKind::OutputLayer && m_in.scalingBytes > 0;
    const std::string visit = grouped ? " + nu" : "";
    const std::string visits = grouped && m_setting.lora ? " + 2 * nu" : visit;
    const std::string of = std::string(productSource)
        + (scaled ? "; activations are scaled to the precision of the product" : "")
        + (grouped ? "; a grouped product visits its experts one by one" : "");
    seconds(key + ".forward_s", label + ", forward", time.forwardSeconds,
        std::string("2 * M * K * N / R + (o * (M * K + K * N) + 2 * M * N") + (scaled ? " + x_q * M * K" : "")
            + ") / beta" + visit,
        own, of);
    seconds(key + ".input_s", label + ", gradient of its input", time.inputSeconds,
        std::string("2 * M * K * N / R + (o * (M * N + K * N) + 2 * M * K") + (scaled ? " + x_q * M * N" : "")
            + ") / beta" + visits,
        own, of);
    if (!m_setting.lora)
        seconds(key + ".weight_s", label + ", gradient of its weights", time.weightSeconds,
            "2 * M * K * N / R + (o * (M * K + M * N) + 2 * max(2, w_g) * K * N) / beta" + visit, own,
            of + "; the gradient is read and written back");
}

void Explainer::products(int kind)
{
    auto &keys = m_products[kind];
    double forward = 0, backward = 0;
    for (const auto &product : m_seen.kinds[static_cast<std::size_t>(kind)].products) {
        const auto text = textOf(product, latent());
        const auto key = keyOf(kind, text.key);
        const auto label = labelOf(kind, text.label);
        number(key + ".k", label + ", inner size K on one rank", product.k, text.k, {}, "Shape of the weights and TP");
        number(key + ".n", label + ", outer size N on one rank", product.n, text.n, {}, "Shape of the weights and TP");
        productTimes(key, label, product.time,
            {product.routedExperts ? from("M", "expert.tokens_per_expert")
                                   : given("M", "tokens of a microbatch on one rank", product.m, "microbatch_tokens"),
                from("K", key + ".k"), from("N", key + ".n"), constant("nu", Constant::ExpertVisit)},
            product.routedExperts ? ProductKind::Experts : ProductKind::Layer);
        keys.push_back(key);
        forward += product.times * product.time.forwardSeconds;
        backward += product.times * (product.time.inputSeconds + product.time.weightSeconds);
    }
    const auto forwardSum = productPass(kind, {".forward_s"});
    seconds(keyOf(kind, "products_forward_s"), labelOf(kind, "all weight products, forward"), forward, forwardSum.text,
        forwardSum.inputs, "Sum");
    const auto backwardSum = m_setting.lora ? productPass(kind, {".input_s"})
                                            : productPass(kind, {".input_s", ".weight_s"});
    seconds(keyOf(kind, "products_backward_s"), labelOf(kind, "all weight products, backward"), backward,
        backwardSum.text, backwardSum.inputs,
        m_setting.lora ? "Sum; base weights have no gradients under LoRA" : "Sum");
}

Explainer::Sum Explainer::productPass(int kind, std::initializer_list<std::string_view> passes) const
{
    Sum sum;
    for (std::size_t i = 0; i < m_products[kind].size(); ++i) {
        const bool routed = m_seen.kinds[static_cast<std::size_t>(kind)].products[i].routedExperts;
        for (const auto pass : passes) {
            const std::string symbol = "T_" + std::string(pass.substr(1, 1)) + std::to_string(i + 1);
            sum.text += (sum.text.empty() ? "" : " + ") + std::string(routed ? "E_l * " : "") + symbol;
            sum.inputs.push_back(from(symbol, m_products[kind][i] + std::string(pass)));
        }
    }
    return sum;
}

void Explainer::elementwise(int kind)
{
    const auto &seen = m_seen.kinds[static_cast<std::size_t>(kind)];
    std::string traffic("T"); // not "T" + ...: g++ 12 sees an overflow there that is none
    traffic += perSequenceShard() + " * h * " + (m_setting.stack.dropout ? "(20 + 10)" : "20")
        + " + T / t * (4 * (a + k) * d + 2 * (g + 1) * " + (kind == 0 ? "f" : "f_s") + ")";
    if (kind == 1)
        traffic += " + rho * (2 * (g + 1) * f_e / t_e + 12 * mu * h)";
    if (m_setting.lora)
        traffic += latent() ? " + lambda * T / t * (h + 1536 + 1536 + a * 192)"
                            : " + lambda * T / t * (h + (a + 2 * k) * d + a * d + h)";
    bytes(keyOf(kind, "elementwise_bytes"), labelOf(kind, "element-wise traffic, forward"), seen.elementwiseBytes,
        "epsilon * (" + traffic + ")",
        {constant("epsilon", elementwiseConstant(m_setting)), constant("mu", Constant::RoutingTraffic),
            constant("lambda", Constant::LoraTraffic)},
        std::string("Norms, residuals, biases") + (m_setting.stack.dropout ? ", dropout" : "")
            + ", rotary embedding, activation" + (kind == 1 ? ", permutation and routing" : "")
            + (m_setting.lora ? ", adapters" : ""));
    seconds(keyOf(kind, "elementwise_s"), labelOf(kind, "element-wise work, forward"), seen.elementwiseSeconds,
        "Y / beta", {from("Y", keyOf(kind, "elementwise_bytes"))}, source::roofline);
}

void Explainer::attention(int kind)
{
    const auto &seen = m_seen.kinds[static_cast<std::size_t>(kind)].attention;
    const bool halved = m_in.fusedAttention && m_setting.causal;
    add(keyOf(kind, "attention_flops"), labelOf(kind, "FLOP of attention, forward"), seen.flops, Dimension::Computation,
        std::string("2 * T * s * a / t * ") + (latent() ? "(192 + 128)" : "(d + d)") + (halved ? " * 0.5" : ""), {},
        halved ? "Dao 2023: a fused kernel skips the half that a causal mask hides"
               : "Scores and their product with the values");
    const auto flops = from("F", keyOf(kind, "attention_flops"));
    const std::string forward = keyOf(kind, "attention_forward_s"), backward = keyOf(kind, "attention_backward_s");
    const std::string forwardLabel = labelOf(kind, "attention, forward"),
                      backwardLabel = labelOf(kind, "attention, backward");
    if (m_in.fusedAttention) {
        seconds(forward, forwardLabel, seen.forwardSeconds, "F / A", {flops}, "Dao 2022, 2023");
        seconds(backward, backwardLabel, seen.backwardSeconds, "x_a * T_a",
            {constant("x_a", Constant::AttentionBackward), from("T_a", forward)}, "Dao 2022: five products for two");
        return;
    }
    bytes(keyOf(kind, "attention_bytes"), labelOf(kind, "traffic of attention scores, forward"), seen.bytes,
        "kappa * T * s * a / t", {constant("kappa", Constant::ScoreTraffic)},
        "Attention that is not fused writes its scores to memory");
    const bool unaligned = m_setting.architecture.headDim % 8 != 0;
    seconds(forward, forwardLabel, seen.forwardSeconds, unaligned ? "chi * F / R_16 + Y / beta" : "F / R_16 + Y / beta",
        {flops, from("Y", keyOf(kind, "attention_bytes")), constant("chi", Constant::UnalignedSlowdown)},
        unaligned ? "Not fused; the head dimension is no multiple of 8" : "Not fused");
    seconds(backward, backwardLabel, seen.backwardSeconds, "2 * T_a", {from("T_a", forward)},
        "Not fused: twice the products and scores");
}

void Explainer::passes(int kind)
{
    const auto &layer = price(kind);
    const bool slow = m_setting.stack.software == Software::MegatronDeepSpeed;
    const bool scaled = m_in.workScale != 1;
    const std::string factor = std::string(scaled ? "y_w * " : "") + (slow ? "eta * " : "");
    const auto slowed = [&factor](
                            const std::string &work) { return factor.empty() ? work : factor + "(" + work + ")"; };
    const auto &seen = m_seen.kinds[static_cast<std::size_t>(kind)];
    Inputs own{from("T_g", keyOf(kind, "products_forward_s")), from("T_b", keyOf(kind, "products_backward_s")),
        from("T_e", keyOf(kind, "elementwise_s")), from("T_a", keyOf(kind, "attention_forward_s")),
        from("T_c", keyOf(kind, "attention_backward_s")), constant("eta", Constant::DeepSpeedSlowdown),
        constant("y_h", Constant::HostMix), recomputeShare()};
    seconds(keyOf(kind, "forward_sum_s"), labelOf(kind, "forward work of the accelerator"), seen.work.forwardSeconds,
        slowed("T_g + T_e + T_a"), own, "Sum");
    seconds(keyOf(kind, "backward_sum_s"), labelOf(kind, "backward work of the accelerator"), seen.work.backwardSeconds,
        slowed("T_b + 2 * T_e + T_c"), own, "Sum");
    own.push_back(from("f_s", keyOf(kind, "forward_sum_s")));
    own.push_back(from("b_s", keyOf(kind, "backward_sum_s")));
    const bool pipelined = detailed::keyOf(m_in, m_layout).pipelinedHost;
    const auto host = hostConstant(m_setting, kind == 1, pipelined);
    if (host) {
        own.push_back(constant("tau", *host));
        const auto growth = tpHostConstant(m_setting, pipelined);
        const double perRank = growth ? m_setting.constants[*growth] : 0;
        const bool grows = perRank > 0;
        if (growth)
            own.push_back(constant("theta", *growth));
        seconds(keyOf(kind, "host_s"), labelOf(kind, "time in which the host launches the forward pass"),
            m_setting.constants[*host] * (1 + perRank * (double(m_layout.tp) - 1)),
            grows ? "tau * (1 + theta * (t - 1))" : "tau", own,
            grows ? "Every collective waits for the slowest of the hosts" : "Kernel launches");
        own.push_back(from("H", keyOf(kind, "host_s")));
    }
    const bool mix = m_in.hostMix > 0;
    const auto floored = [&](const std::string &work, const std::string &launches) {
        const std::string both = work + ", " + launches;
        return !host ? work
            : mix    ? "max(" + both + ") * (1 + y_h * (min(" + both + ") / max(" + both + ")) ^ 4)"
                     : "max(" + both + ")";
    };
    const std::string of = !host ? "The host is never waited for"
        : mix                    ? "The longer of accelerator and host, more where they are about equal"
                                 : "No less than what the host needs to launch it";
    const std::string forward = floored("f_s", "H");
    seconds(keyOf(kind, "forward_work_s"), labelOf(kind, "forward pass"), layer.forwardSeconds, forward, own, of);
    seconds(keyOf(kind, "backward_work_s"), labelOf(kind, "backward pass"), layer.backwardSeconds,
        floored("b_s", "1.5 * H"), own, of);
    const std::string scale = scaled ? "y_w * " : "";
    std::string again = "0", source = "Nothing is computed again";
    const bool part = m_layout.recomputeShare && m_layout.recompute != Recompute::None;
    if (m_layout.recompute == Recompute::Full) {
        again = part ? floored("y_r * f_s", "y_r * H") : forward;
        source = part ? "Recomputation repeats a share of the forward pass"
                      : "Korthikanti 2022: full recomputation repeats the forward pass";
    } else if (part) {
        again = "y_r * f_s";
        source = "Recomputation repeats a share of the forward pass";
    } else if (m_layout.recompute == Recompute::Selective && !m_in.fusedAttention) {
        again = scale + "T_a";
        source = "Korthikanti 2022: selective recomputation repeats attention";
    } else if (m_layout.recompute == Recompute::Selective && m_in.fsdpStack) {
        again = scale + "(0.5 * T_g + T_e)";
        source = "Selective recomputation of this stack repeats half of the products and the element-wise work";
    } else if (m_layout.recompute == Recompute::Selective) {
        source = "Fused attention recomputes inside its kernel, which the backward time holds";
    }
    seconds(keyOf(kind, "recompute_s"), labelOf(kind, "recomputation"), layer.recomputeSeconds, again, own, source);
    if (!m_setting.stack.tpOverlap && !m_setting.stack.epOverlap)
        return;
    const auto window = [&](const char *pass, const char *label, double work, double core, const std::string &figure,
                            const std::string &symbol) {
        seconds(keyOf(kind, std::string(pass) + "_window_s"),
            labelOf(kind, std::string("work that can hide TP and EP in the ") + label),
            m_in.ownWindows ? std::max(0.0, work - core * m_in.workScale) : work,
            m_in.ownWindows ? "max(0, W - " + scale + symbol + ")" : "W",
            {from("W", figure), from("T_a", keyOf(kind, "attention_forward_s")),
                from("T_c", keyOf(kind, "attention_backward_s")), recomputeShare()},
            m_in.ownWindows ? "Products and element-wise work; attention hides CP" : "All work of the pass");
    };
    window("forward", "forward pass", layer.forwardSeconds, seen.attention.forwardSeconds,
        keyOf(kind, "forward_work_s"), "T_a");
    window("backward", "backward pass", layer.backwardSeconds, seen.attention.backwardSeconds,
        keyOf(kind, "backward_work_s"), "T_c");
    if (m_layout.recompute == Recompute::Full)
        window("recompute", "recomputation", layer.recomputeSeconds,
            recomputeShare().value * seen.attention.forwardSeconds, keyOf(kind, "recompute_s"),
            part ? "y_r * T_a" : "T_a");
}

void Explainer::tensorParallel(int kind)
{
    const auto &seen = m_seen.kinds[static_cast<std::size_t>(kind)].tp;
    if (!seen[0])
        return;
    const std::string half = kind == 1 && m_layout.expertTp < m_layout.tp ? "0.5 * " : "";
    const bool overlap = m_setting.stack.tpOverlap;
    const bool again = m_layout.sequenceParallel && !overlap; // the backward pass gathers its inputs once more
    static constexpr std::array names{"forward", "backward", "recompute"};
    static constexpr std::array labels{"forward pass", "backward pass", "recomputation"};
    const std::array<std::string, 3> works{
        keyOf(kind, "forward_window_s"), keyOf(kind, "backward_window_s"), keyOf(kind, "recompute_window_s")};
    std::string total, exposed;
    Inputs totals, exposures;
    for (std::size_t pass = 0; pass < seen.size(); ++pass) {
        if (!seen[pass])
            continue;
        const std::string name = keyOf(kind, std::string("tp_") + names[pass]);
        const std::string label = labelOf(kind, std::string("TP in the ") + labels[pass]);
        const std::string count = std::string(pass == 2 && m_layout.recomputeShare ? "y_r * " : "")
            + (m_layout.sequenceParallel ? (pass == 1 && again ? "(4 + 2)" : "4") : "2");
        seconds(name + "_s", label, seen[pass]->times * seen[pass]->seconds, half + count + " * Y",
            {from("Y", "tp.one_s"), recomputeShare()},
            std::string(m_layout.sequenceParallel
                    ? "Korthikanti 2022: an all-gather and a reduce-scatter around attention and feed-forward"
                    : "Shoeybi 2019: an all-reduce after attention and feed-forward")
                + (half.empty() ? "" : "; experts exchange in their own way")
                + (pass == 1 && again ? "; inputs are gathered once more" : ""));
        seconds(name + "_exposed_s", label + ", exposed", seen[pass]->exposed,
            overlap ? "max(y * z, y - (1 - z) * w)" : "y",
            overlap ? Inputs{from("y", name + "_s"), from("w", works[pass]), constant("z", Constant::OverlapChunk)}
                    : Inputs{from("y", name + "_s")},
            overlap ? "In chunks under the work beside them" : "The stack does not overlap TP");
        const std::string index = std::to_string(pass + 1);
        total += (total.empty() ? "y_" : " + y_") + index;
        exposed += (exposed.empty() ? "x_" : " + x_") + index;
        totals.push_back(from("y_" + index, name + "_s"));
        exposures.push_back(from("x_" + index, name + "_exposed_s"));
    }
    seconds(keyOf(kind, "tp_s"), labelOf(kind, "TP"), price(kind).tpSeconds, total, totals, "All passes");
    seconds(keyOf(kind, "tp_exposed_s"), labelOf(kind, "TP, exposed"), price(kind).tpExposedSeconds, exposed, exposures,
        "All passes");
}

void Explainer::contextParallel(int kind)
{
    const auto &seen = m_seen.kinds[static_cast<std::size_t>(kind)];
    if (!seen.cp[0] || !seen.cp[1])
        return;
    const auto &ring = *seen.cp[0];
    if (!m_out.find("cp.ranks"))
        group("cp", "CP", ring.group, "c", "t");
    bytes(keyOf(kind, "cp_bytes"), labelOf(kind, "keys and values of a rank"), ring.bytes / double(m_layout.cp),
        latent() ? "2 * T * a / t * 320" : "4 * T * max(k / t, 1) * d", {}, "Liu 2023: ring attention");
    seconds(keyOf(kind, "cp_one_s"), labelOf(kind, "one trip around the CP ring"), ring.seconds,
        std::string("X * (c - 1) / B + (c - 1) * ") + (ring.group.domains <= 1 ? "alpha_1" : "alpha_2"),
        {from("X", keyOf(kind, "cp_bytes")), from("B", "cp.bus_bytes_per_s")}, "Liu 2023: ring attention");
    const std::string scale = m_in.workScale != 1 ? "y_w * " : "";
    const auto &work = price(kind);
    const double fusedAttention = seen.attention.flops / m_in.attentionRate;
    if (m_in.ownWindows) {
        const char *of = "Attention, and the wait for the host";
        seconds(keyOf(kind, "cp_window_s"), labelOf(kind, "what hides the ring forward"),
            seen.attention.forwardSeconds * m_in.workScale + work.forwardSeconds - seen.work.forwardSeconds,
            scale + "T_a + f_w - f_s",
            {from("T_a", keyOf(kind, "attention_forward_s")), from("f_w", keyOf(kind, "forward_work_s")),
                from("f_s", keyOf(kind, "forward_sum_s"))},
            of);
        seconds(keyOf(kind, "cp_backward_window_s"), labelOf(kind, "what hides the ring backward"),
            seen.attention.backwardSeconds * m_in.workScale + work.backwardSeconds - seen.work.backwardSeconds,
            scale + "T_c + b_w - b_s",
            {from("T_c", keyOf(kind, "attention_backward_s")), from("b_w", keyOf(kind, "backward_work_s")),
                from("b_s", keyOf(kind, "backward_sum_s"))},
            of);
    } else {
        seconds(keyOf(kind, "cp_window_s"), labelOf(kind, "attention that hides the ring forward"), fusedAttention,
            "F / A", {from("F", keyOf(kind, "attention_flops"))}, "Attention at the rate of a fused kernel");
        seconds(keyOf(kind, "cp_backward_window_s"), labelOf(kind, "attention that hides the ring backward"),
            2.5 * fusedAttention, "2.5 * F / A", {from("F", keyOf(kind, "attention_flops"))},
            "Attention at the rate of a fused kernel");
    }
    const Inputs own{from("y", keyOf(kind, "cp_one_s")), from("w", keyOf(kind, "cp_window_s"))};
    seconds(keyOf(kind, "cp_forward_exposed_s"), labelOf(kind, "CP in the forward pass, exposed"), ring.exposed,
        "max(y / c, y - w)", own, "The first piece is never hidden");
    seconds(keyOf(kind, "cp_backward_exposed_s"), labelOf(kind, "CP in the backward pass, exposed"),
        seen.cp[1]->exposed, "max(2 * y / c, 2 * y - w)", {own[0], from("w", keyOf(kind, "cp_backward_window_s"))},
        "Twice the traffic");
    seconds(
        keyOf(kind, "cp_s"), labelOf(kind, "CP"), price(kind).cpSeconds, "3 * y", own, "Once forward, twice backward");
    seconds(keyOf(kind, "cp_exposed_s"), labelOf(kind, "CP, exposed"), price(kind).cpExposedSeconds, "x_f + x_b",
        {from("x_f", keyOf(kind, "cp_forward_exposed_s")), from("x_b", keyOf(kind, "cp_backward_exposed_s"))},
        "Both passes");
}

void Explainer::expertParallel(int kind)
{
    const auto &seen = m_seen.kinds[static_cast<std::size_t>(kind)].ep[0];
    if (!seen)
        return;
    group("ep", "EP", seen->group, "e", "t_e");
    bytes("ep.bytes", "EP: activations that are dispatched", seen->bytes, "2 * rho * h", {},
        "Fedus 2022; 16-bit activations");
    const Inputs own{from("X", "ep.bytes"), from("n_o", "ep.domains")};
    const bool across = seen->group.domains > 1;
    seconds("ep.one_s", "EP: one all-to-all", seen->seconds,
        across ? "max(X / q * n_o * (1 - (1 - 1 / n_o) ^ q) * (n_o - 1) / n_o / B_o, X * (1 - 1 / e) / B_u) + alpha_2 "
                 "* n_o"
               : "X * (1 - 1 / e) / B_u + alpha_1 * (e - 1)",
        own,
        across ? "DeepSeek-AI 2024: a token travels to a domain once, whatever number of its experts is there"
               : "All-to-all inside the scale-up domain");
    seconds(keyOf(kind, "ep_s"), labelOf(kind, "EP"), price(kind).epSeconds, "4 * y", {from("y", "ep.one_s")},
        "Dispatch and combine, forward and backward");
    const auto &passes = m_seen.kinds[static_cast<std::size_t>(kind)].ep;
    const bool overlap = m_setting.stack.epOverlap, full = m_layout.recompute == Recompute::Full;
    const bool shared = overlap && m_setting.stack.tpOverlap && m_layout.tp > 1;
    const auto exposed = [&](const std::string &name, const char *label, Pass pass, const std::string &all) {
        const auto &one = passes[static_cast<std::size_t>(pass)];
        Inputs inputs{from("y", "ep.one_s"), recomputeShare()};
        std::string formula = all;
        if (overlap) {
            inputs.push_back(from("w", keyOf(kind, name + "_window_s")));
            inputs.push_back(constant("z", Constant::OverlapChunk));
            const std::string both = shared ? "(y_t + " + all + ")" : all;
            formula = "max(" + both + " * z, " + both + " - (1 - z) * w)" + (shared ? " - x_t" : "");
        }
        if (shared) {
            inputs.push_back(from("y_t", keyOf(kind, "tp_" + name + "_s")));
            inputs.push_back(from("x_t", keyOf(kind, "tp_" + name + "_exposed_s")));
        }
        seconds(keyOf(kind, "ep_" + name + "_exposed_s"), labelOf(kind, label), one ? one->exposed : 0, formula, inputs,
            shared        ? "In chunks under the work that TP leaves"
                : overlap ? "In chunks under the work beside them"
                          : "Nothing hides it");
    };
    exposed("forward", "EP in the forward pass, exposed", Pass::Forward, "2 * y");
    const bool part = m_layout.recomputeShare.has_value();
    exposed("backward", "EP in the backward pass, exposed", Pass::Backward,
        !full || !overlap ? "2 * y"
            : part        ? "(2 + 2 * y_r) * y"
                          : "4 * y");
    if (full && !overlap)
        exposed("recompute", "EP in the recomputation, exposed", Pass::Recompute, part ? "2 * y_r * y" : "2 * y");
    seconds(keyOf(kind, "ep_exposed_s"), labelOf(kind, "EP, exposed"), price(kind).epExposedSeconds, "x_f + x_b",
        {from("x_f", keyOf(kind, "ep_forward_exposed_s")), from("x_b", keyOf(kind, "ep_backward_exposed_s"))},
        full && !overlap ? "Both passes; what is exchanged again counts as recomputation" : "Both passes");
}

void Explainer::layerTotals(int kind)
{
    const auto &seen = m_seen.kinds[static_cast<std::size_t>(kind)];
    std::string forward = "f_w", backward = "b_w + x_r";
    Inputs own{from("f_w", keyOf(kind, "forward_work_s")), from("b_w", keyOf(kind, "backward_work_s")),
        from("x_r", keyOf(kind, "recompute_s"))};
    if (seen.tp[0]) {
        forward += " + x_t";
        backward += " + x_u";
        own.push_back(from("x_t", keyOf(kind, "tp_forward_exposed_s")));
        own.push_back(from("x_u", keyOf(kind, "tp_backward_exposed_s")));
        if (seen.tp[2]) {
            backward += " + x_v";
            own.push_back(from("x_v", keyOf(kind, "tp_recompute_exposed_s")));
        }
    }
    if (seen.cp[0]) {
        forward += " + x_c";
        backward += " + x_d";
        own.push_back(from("x_c", keyOf(kind, "cp_forward_exposed_s")));
        own.push_back(from("x_d", keyOf(kind, "cp_backward_exposed_s")));
    }
    if (seen.ep[0]) {
        const bool again = m_layout.recompute == Recompute::Full && !m_setting.stack.epOverlap;
        forward += " + x_e";
        backward += again ? " + x_g + x_h" : " + x_g";
        own.insert(own.end(),
            {from("x_e", keyOf(kind, "ep_forward_exposed_s")), from("x_g", keyOf(kind, "ep_backward_exposed_s")),
                from("x_h", keyOf(kind, "ep_recompute_exposed_s"))});
    }
    const std::string repeated = seen.ep[0] && m_layout.recompute == Recompute::Full
        ? "; full recomputation exchanges tokens again"
        : "";
    seconds(keyOf(kind, "forward_s"), labelOf(kind, "forward pass with exposed communication"),
        price(kind).forwardTotalSeconds, forward, own, "Work and what it waits for");
    seconds(keyOf(kind, "backward_s"), labelOf(kind, "backward pass with recomputation and exposed communication"),
        price(kind).backwardTotalSeconds, backward, own, "Work and what it waits for" + repeated);
}

} // namespace fleetwright::detailed
