// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/firstorder/firstorderexplain.h"

#include "solver/models/firstorder/explainer.h"
#include "solver/models/firstorder/firstordertext.h"

#include <algorithm>

namespace fleetwright::firstorder {

using units::Dimension;

namespace {
/// "flop per token"
std::string forwardUnitInWords(std::string unit)
{
    std::ranges::replace(unit, '_', ' ');
    return unit;
}
} // namespace

void Explainer::shape()
{
    const auto &fleet = *m_priced.fleet;
    add({"accelerators", "Accelerators"}, double(m_in.accelerators), Dimension::Number, "n_f \u00b7 n_a",
        {given("n_f", "nodes", double(fleet.nodeCount), "fleet.nodes"),
            given("n_a", "accelerators per node", double(fleet.node->acceleratorsPerNode),
                "fleet.node.accelerators_per_node")},
        "Fleet");
    add({"parallelism.dp"}, double(m_figures.dp), Dimension::Number, "N / (t \u00b7 p \u00b7 e)",
        {from("N", "accelerators"), tp(), pp(), ep()}, "First-order model: EP multiplies the model-parallel size");
    add({"details.local_batch", "Sequences per replica"}, m_figures.localBatch, Dimension::Number,
        "max(1, floor(B / d))",
        {given("B", "global batch, sequences", double(m_in.globalBatch), "training.global_batch"), dp()}, published);
    if (m_priced.split.microbatchSize > 0)
        add({"details.microbatches", "Microbatches per replica"}, m_figures.microbatches, Dimension::Number,
            "ceil(b / b_m)",
            {localBatch(),
                given("b_m", "sequences per microbatch", double(m_priced.split.microbatchSize),
                    "training.microbatch_size")},
            published);
    else
        add({"details.microbatches", "Microbatches per replica"}, m_figures.microbatches, Dimension::Number, "m_p",
            {given("m_p", "microbatches per replica and step", double(m_priced.split.microbatches),
                "training.microbatch_count")},
            "Plan");
}

void Explainer::work()
{
    const auto &stated = m_priced.workload->forwardFlops;
    const auto &read = m_in.workload.forwardFlops;
    const auto forward = [&](std::string formula, Inputs inputs, std::string source) {
        add({"forward_flops", m_transformer && !m_unsharded ? "Forward FLOP per token" : "Forward FLOP per sample"},
            fleetwright::forwardFlops(m_in.workload), std::move(formula), std::move(inputs), std::move(source));
    };
    if (!read) {
        forward("2 \u00b7 P_a",
            {given("P_a", "parameters used per token", m_in.workload.activeParameters, "workload.params_active")},
            "Two FLOP per active parameter: Kaplan 2020");
    } else if (!stated) {
        forward("2 \u00b7 P_a \u00b7 s",
            {given("P_a", "parameters used per token", m_in.workload.activeParameters, "workload.params_active"),
                sequence()},
            "Two FLOP per active parameter and token: Kaplan 2020");
    } else {
        Inputs inputs{given("F_w",
            "forward FLOP as the workload states it (" + forwardUnitInWords(m_priced.workload->forwardFlopsUnit) + ")",
            *stated, "workload.inference_flops")};
        if (*read == *stated) {
            forward("F_w", inputs, "Workload");
        } else if (m_transformer) {
            inputs.push_back(given("n", "tokens of the sequence that the figure is for", double(*stated / *read),
                "workload.inference_flops_unit"));
            forward("F_w / n", inputs, "Workload, read per token");
        } else if (m_priced.workload->forwardFlopsUnit == "flop_per_token") {
            inputs.push_back(sequence());
            forward("F_w \u00b7 s", inputs, "Workload, read per sample");
        } else {
            inputs.push_back(sequence());
            inputs.push_back(given("n", "tokens of the sequence that the figure is for",
                double(*stated / *read) * double(m_in.sequenceLength), "workload.inference_flops_unit"));
            forward("F_w / n \u00b7 s", inputs, "Workload, read per sample");
        }
    }
    Inputs inputs{recompute("k"), from("F", "forward_flops"), localBatch()};
    const bool perToken = m_transformer && !m_unsharded;
    if (perToken)
        inputs.push_back(sequence());
    add({"replica_work_flops", "FLOP of one replica per step"}, m_figures.work,
        perToken ? "k \u00b7 F \u00b7 s \u00b7 b" : "k \u00b7 F \u00b7 b", inputs,
        perToken ? ownModel : "Published first-order model: the sequence length does not enter");
    const auto precision = m_priced.training.precision;
    const auto peak = *peakFor(m_in.accelerator, precision); // price() has refused accelerators without one
    std::string key = peak.fallback ? (m_in.accelerator.peak(Precision::Fp16) ? "fp16" : "bf16")
                                    : std::string(toString(precision));
    if (key == "fp32")
        key = "fp32_matrix";
    add({"peak_flops_per_s", "Dense peak of one accelerator"}, peak.rate, "R_a",
        {given("R_a", "dense peak, " + key, peak.rate, "fleet.node.accelerator.peak_dense_tflops." + key)},
        peak.fallback ? "Catalog; the accelerator states no peak for " + std::string(toString(precision))
                + ", so the 16-bit peak is used"
                      : std::string("Catalog"));
    add({"details.roofline_compute_s", "Compute time"}, m_figures.computeTime,
        "f / (R \u00b7 eta" + sharing(" \u00b7 ") + ")",
        withShards({from("f", "replica_work_flops"), from("R", "peak_flops_per_s"),
            given("eta", "compute efficiency", m_in.efficiency, "assumptions.efficiency", Dimension::Fraction)}),
        m_unsharded ? std::string(roofline) + "; one accelerator computes the whole replica, as published"
                    : std::string(roofline) + "; divided over the accelerators of the replica");
}

void Explainer::node()
{
    const auto &accelerator = m_in.accelerator;
    const auto &constants = m_in.constants;
    const double shards = m_unsharded ? 1.0 : double(m_priced.split.tp * m_priced.split.pp * m_priced.split.ep);
    const Bytes weights = m_in.workload.parameters * bytesPerElement(m_priced.training.precision) / shards;
    add({"held_weights_bytes", "Weights that one accelerator reads"}, weights, "P \u00b7 w" + sharing(" / "),
        withShards({parameters(), width()}), roofline);

    const auto rates = memoryRates(accelerator, m_in.flashBandwidth, constants);
    const auto memoryBandwidth = given(
        "W", "memory bandwidth", accelerator.memoryBandwidth, "fleet.node.accelerator.memory_bandwidth_gb_per_s");
    const Explanation::Name name{"details.effective_memory_bandwidth_bytes_per_s", "Memory bandwidth used"};
    if (rates.sram && weights <= *rates.sram)
        add(name, m_figures.effectiveBandwidth, "W_s",
            {given("W_s", "SRAM bandwidth", rates.sramRate, "fleet.node.accelerator.sram_bandwidth_gb_per_s")},
            "First-order model: the weights fit the SRAM");
    else if (m_figures.fits)
        add(name, m_figures.effectiveBandwidth, "W", {memoryBandwidth}, "First-order model: the run fits the memory");
    else
        add(name, m_figures.effectiveBandwidth, "min(W, H)",
            {memoryBandwidth,
                accelerator.hostLinkBandwidth ? given("H", "host link", *accelerator.hostLinkBandwidth,
                    "fleet.node.accelerator.host_link_unidirectional_gb_per_s")
                                              : given("H", "host link, where the accelerator states none",
                                                  constants.hostLink, "assumptions.host_link")},
            "First-order model: the run does not fit, so its traffic is priced at the host link");
    add({"memory_traffic_bytes", "Memory traffic of one accelerator"}, m_figures.traffic,
        "D_w \u00b7 (1 + f_a \u00b7 b)",
        {from("D_w", "held_weights_bytes"),
            given("f_a", "activation traffic of one sample as a share of the weights", constants.activationTraffic,
                "assumptions.activation_traffic", Dimension::Fraction),
            localBatch()},
        published);
    add({"details.roofline_memory_s", "Memory time"}, m_figures.memoryTime, "D / W_e",
        {from("D", "memory_traffic_bytes"), from("W_e", "details.effective_memory_bandwidth_bytes_per_s")}, roofline);
    add({"compute_time_s"}, *m_priced.estimate.computeTime, "max(T_c, T_m)",
        {from("T_c", "details.roofline_compute_s"), from("T_m", "details.roofline_memory_s")}, roofline);
    add({"overhead_time_s"}, m_figures.overhead, "x_d + L \u00b7 x_n \u00b7 x_l",
        {accelerator.dispatchTime ? given(
             "x_d", "dispatch overhead", *accelerator.dispatchTime, "fleet.node.accelerator.dispatch_overhead_ms")
                                  : given("x_d", "dispatch overhead, where the accelerator states none",
                                      constants.dispatch, "assumptions.dispatch_overhead"),
            layers(),
            given("x_n", "layer costs per training step", constants.trainingTaxFactor,
                "assumptions.layer_tax_training_factor"),
            given("x_l", "fixed cost per layer", constants.layerTax, "assumptions.layer_tax")},
        published);
    add({"details.node_latency_s", "Node latency: one replica without communication"}, m_figures.nodeLatency,
        "T_b + T_o", {from("T_b", "compute_time_s"), from("T_o", "overhead_time_s")}, published);
}

void Explainer::links()
{
    const auto &fleet = *m_priced.fleet;
    const auto &constants = m_in.constants;
    add({"scale_up_domain", "Accelerators that share the scale-up link"}, double(m_in.domainSize), Dimension::Number,
        "min(n_u, N)",
        {given("n_u", "scale-up domain of the node", double(fleet.node->scaleUpDomainSize),
             "fleet.node.scale_up_domain_size"),
            from("N", "accelerators")},
        "Fleet");
    FormulaInput scaleUp = given("B_u", "scale-up bandwidth per accelerator, one direction", m_in.scaleUpBandwidth,
        "fleet.node.scale_up_unidirectional_gb_per_s_per_accelerator");
    if (!fleet.node->scaleUpBandwidth)
        scaleUp = m_in.accelerator.hostLinkBandwidth
            ? given("B_u", "host link, because the node states no scale-up bandwidth", m_in.scaleUpBandwidth,
                "fleet.node.accelerator.host_link_unidirectional_gb_per_s")
            : given("B_u", "host link, because neither a scale-up bandwidth nor a host link is stated",
                m_in.scaleUpBandwidth, "assumptions.host_link");
    add({"scale_up_bandwidth_bytes_per_s", "Scale-up link"}, m_in.scaleUpBandwidth, "B_u", {scaleUp}, "Catalog");
    add({"scale_up_latency_s", "Scale-up latency"}, m_in.scaleUpLatency.value_or(constants.scaleUpLatency), "x_u",
        {m_in.scaleUpLatency
                ? given("x_u", "scale-up latency of the node", *m_in.scaleUpLatency, "fleet.node.scale_up_latency_us")
                : given("x_u", "scale-up latency, where the node states none", constants.scaleUpLatency,
                    "assumptions.scale_up_latency")},
        published);
    Inputs inputs{
        given("B_p", "fabric port, one direction", fleet.fabric->portBandwidth, "fleet.fabric.port_bandwidth_gb_per_s"),
        given("o", "oversubscription", m_in.oversubscription, "fleet.oversubscription")};
    if (fleet.node->nicCount) {
        inputs.push_back(
            given("n_n", "NICs of the node", double(*fleet.node->nicCount), "fleet.node.nics_scale_out_count"));
        inputs.push_back(given("n_a", "accelerators per node", double(fleet.node->acceleratorsPerNode),
            "fleet.node.accelerators_per_node"));
    }
    add({"fabric_bandwidth_bytes_per_s", "Fabric bandwidth of one accelerator"},
        m_in.fabricBandwidth / m_in.oversubscription, fleet.node->nicCount ? "B_p \u00b7 n_n / n_a / o" : "B_p / o",
        inputs,
        fleet.node->nicCount ? "Fleet" : "Fleet; the node states no NIC count, so one port per accelerator is assumed");
    add({"fabric_latency_s", "Fabric latency"}, m_in.fabricLatency.value_or(constants.fabricLatency), "x_f",
        {m_in.fabricLatency ? given("x_f", "fabric latency, one way", *m_in.fabricLatency, "fleet.fabric.latency_us")
                            : given("x_f", "fabric latency, where the fabric states none", constants.fabricLatency,
                                "assumptions.fabric_latency")},
        published);
}

void Explainer::dataParallel()
{
    const auto &split = m_priced.split;
    std::string formula = "P \u00b7 w / " + std::string(m_unsharded ? "t" : "(t \u00b7 p \u00b7 e)");
    Inputs inputs{parameters(), width(), tp()};
    if (!m_unsharded) {
        inputs.push_back(pp());
        inputs.push_back(ep());
    }
    if (m_in.lora) {
        formula += " \u00b7 f_g";
        inputs.push_back(given("f_g", "share of the gradients exchanged with LoRA", m_in.constants.loraGradientShare,
            "assumptions.lora_gradient_share", Dimension::Fraction));
    }
    add({"details.dp_message_bytes", "Gradient bytes per all-reduce"}, m_figures.dpMessage, formula, inputs,
        "Gradients in the precision of the run");

    if (m_figures.dp == 1) {
        add({"dp_all_reduce_s", "One gradient all-reduce"}, Seconds{}, "0", {},
            "One replica: there is nothing to reduce");
    } else {
        const std::int64_t shards = split.tp * split.pp * split.ep;
        const std::int64_t inside = m_unsharded ? m_in.domainSize : std::max<std::int64_t>(1, m_in.domainSize / shards);
        add({"replicas_per_domain", "Replicas inside one scale-up domain"}, double(inside), Dimension::Number,
            m_unsharded ? "g" : "max(1, floor(g / (t \u00b7 p \u00b7 e)))", withShards({from("g", "scale_up_domain")}),
            m_unsharded ? "Published first-order model: that TP fills the domain is ignored" : ownModel);
        const bool spans = m_figures.dp > inside;
        const bool flat = m_in.topology != ReduceTopology::Auto;
        const bool onFabric = spans && (inside == 1 ? flat || !m_unsharded : false);
        const bool slowestHop = spans && inside > 1;
        const auto link = [&](std::string key, std::string label, std::string_view fabricKey,
                              std::string_view scaleUpKey, auto value, const char *mixed) {
            Inputs of;
            if (onFabric || slowestHop)
                of.push_back(from("y_f", fabricKey));
            if (!onFabric || slowestHop)
                of.push_back(from("y_u", scaleUpKey));
            add({std::move(key), std::move(label)}, value,
                slowestHop     ? mixed
                    : onFabric ? "y_f"
                               : "y_u",
                of,
                slowestHop     ? "The replicas span domains: the slowest hop"
                    : onFabric ? "The replicas span domains: the fabric"
                               : "The replicas communicate over the scale-up link");
        };
        link("details.dp_link_bytes_per_s", "DP link", "fabric_bandwidth_bytes_per_s", "scale_up_bandwidth_bytes_per_s",
            m_figures.dpLink.bandwidth, "min(y_f, y_u)");
        link("dp_link_latency_s", "Latency of the DP link", "fabric_latency_s", "scale_up_latency_s",
            m_figures.dpLink.latency, "max(y_f, y_u)");
        const auto message = from("G", "details.dp_message_bytes");
        const Seconds reduced = m_figures.dpTime * double(m_in.accumulationSteps) / m_in.congestion;
        const Explanation::Name name{"dp_all_reduce_s", "One gradient all-reduce"};
        if (!flat && slowestHop) {
            add({"dp_domains", "Scale-up domains that the replicas span"},
                std::ceil(double(m_figures.dp) / double(inside)), Dimension::Number, "ceil(d / r)",
                {dp(), from("r", "replicas_per_domain")}, published);
            add(name, reduced,
                "2 \u00b7 ((r - 1) / r \u00b7 G / B_u + (r - 1) \u00b7 x_i) + 2 \u00b7 (n - 1) / n \u00b7 (G / r) / "
                "B_f + 2 \u00b7 (n - 1) \u00b7 x_f",
                {message, from("r", "replicas_per_domain"), from("n", "dp_domains"),
                    from("B_u", "scale_up_bandwidth_bytes_per_s"),
                    given("x_i", "latency inside hierarchical all-reduces", m_in.constants.scaleUpLatency,
                        "assumptions.scale_up_latency"),
                    from("B_f", "fabric_bandwidth_bytes_per_s"), from("x_f", "fabric_latency_s")},
                "Hierarchical all-reduce: reduce-scatter and all-gather inside each domain, ring between domains "
                "(Thakur 2005; Patarasuk, Yuan 2009)");
        } else {
            const Inputs flatInputs{
                message, dp(), from("B_l", "details.dp_link_bytes_per_s"), from("x_l", "dp_link_latency_s")};
            if (m_in.topology == ReduceTopology::Tree)
                add(name, reduced, "2 \u00b7 ceil(log2(d)) \u00b7 (G / B_l + x_l)", flatInputs,
                    "Tree all-reduce (Thakur 2005)");
            else
                add(name, reduced, "2 \u00b7 (d - 1) / d \u00b7 G / B_l + 2 \u00b7 (d - 1) \u00b7 x_l", flatInputs,
                    "Ring all-reduce (Patarasuk, Yuan 2009)");
        }
    }
    add({"dp_comm_time_s"}, m_figures.dpTime, "T_r \u00b7 c / a",
        {from("T_r", "dp_all_reduce_s"), congestion(), accumulation()}, published);
    add({"exposed_dp_comm_time_s"}, m_figures.exposedDpTime, "(1 - y) \u00b7 T_dp",
        {m_in.overlap ? given("y", "share of the all-reduce that overlap hides", m_in.overlapEfficiency,
             "assumptions.overlap_efficiency", Dimension::Fraction)
                      : given("y", "overlap is off, so nothing is hidden", 0.0, "assumptions.overlap_comm",
                          Dimension::Fraction),
            from("T_dp", "dp_comm_time_s")},
        published);
    add({"details.hidden_comm_time_s", "Communication hidden by overlap"}, m_figures.dpTime - m_figures.exposedDpTime,
        "T_dp - T_x", {from("T_dp", "dp_comm_time_s"), from("T_x", "exposed_dp_comm_time_s")}, published);
}

void Explainer::tensorAndExpertParallel()
{
    const auto &split = m_priced.split;
    add({"details.tp_message_bytes", "Activation bytes per all-reduce"}, m_figures.tpMessage,
        "b \u00b7 s \u00b7 h \u00b7 w", {localBatch(), sequence(), hidden(), width()}, "Shoeybi 2019: Megatron-LM");
    const Explanation::Name tpName{"tp_comm_time_s"};
    if (split.tp == 1) {
        add(tpName, m_figures.tpTime, "0", {}, "TP is 1: no layer is split");
    } else {
        const bool inside = split.tp <= m_in.domainSize;
        add({"details.tp_link_bytes_per_s", "TP link"}, m_figures.tpLink.bandwidth, "B_l",
            {from("B_l", inside ? "scale_up_bandwidth_bytes_per_s" : "fabric_bandwidth_bytes_per_s")},
            inside ? "TP fits the scale-up domain: the scale-up link" : "TP exceeds the scale-up domain: the fabric");
        const Seconds one = formulas::ringAllReduce(m_figures.tpMessage, double(split.tp), m_figures.tpLink);
        add({"tp_all_reduce_s", "One TP all-reduce"}, one,
            "2 \u00b7 (t - 1) / t \u00b7 M / B_l + 2 \u00b7 (t - 1) \u00b7 x_l",
            {tp(), from("M", "details.tp_message_bytes"), from("B_l", "details.tp_link_bytes_per_s"),
                from("x_l", inside ? "scale_up_latency_s" : "fabric_latency_s")},
            "Ring all-reduce (Patarasuk, Yuan 2009)");
        add(tpName, m_figures.tpTime, "c \u00b7 n_r \u00b7 L_s \u00b7 T_r",
            {congestion(),
                given("n_r", "all-reduces per layer and step", m_in.constants.tpAllReducesPerLayer,
                    "assumptions.tp_all_reduces_per_layer"),
                from("L_s", "stage_layers"), from("T_r", "tp_all_reduce_s")},
            "Shoeybi 2019: two forward, two backward");
    }
    const Explanation::Name epName{"ep_comm_time_s"};
    if (split.ep == 1) {
        add(epName, m_figures.epTime, "0", {}, "EP is 1: no expert lives elsewhere");
        return;
    }
    const double chosen = double(m_in.workload.expertsPerToken.value_or(1));
    add({"ep_message_bytes", "Bytes of one expert exchange"}, chosen * m_in.imbalance * m_figures.tpMessage,
        "n_k \u00b7 i \u00b7 M",
        {m_in.workload.expertsPerToken
                ? given("n_k", "experts per token", chosen, "workload.experts_per_token")
                : given("n_k", "experts per token, where the workload states none", chosen, "published constant"),
            given("i", "routing imbalance", m_in.imbalance, "assumptions.moe_imbalance_factor"),
            from("M", "details.tp_message_bytes")},
        "Fedus 2022: Switch Transformers");
    add(epName, m_figures.epTime, "c \u00b7 ((e - 1) / e \u00b7 M_e / B_f + (e - 1) \u00b7 x_f)",
        {congestion(), ep(), from("M_e", "ep_message_bytes"), from("B_f", "fabric_bandwidth_bytes_per_s"),
            from("x_f", "fabric_latency_s")},
        "All-to-all on the fabric, once per step (Thakur 2005; Fedus 2022)");
}

void Explainer::step()
{
    const auto stages = given(
        "v", "virtual stages", double(m_priced.split.virtualStages), "parallelism.virtual_stages");
    const auto node = from("T_n", "details.node_latency_s");
    add({"bubble_fraction"}, m_figures.bubbleFraction, Dimension::Fraction, "(p - 1) / (v \u00b7 m + p - 1)",
        {pp(), stages, microbatches()}, "Huang 2019: GPipe; Narayanan 2021");
    if (m_unsharded)
        add({"bubble_time_s"}, m_figures.bubbleTime, "q \u00b7 T_n", {from("q", "bubble_fraction"), node},
            "Published first-order model: the share of the interval is applied to the busy time");
    else
        add({"bubble_time_s"}, m_figures.bubbleTime, "(p - 1) / (v \u00b7 m) \u00b7 T_n",
            {pp(), stages, microbatches(), node}, "Narayanan 2021: idle over busy time");
    add({"exposed_comm_time_s"}, *m_priced.estimate.exposedCommTime, "T_x + T_tp + T_ep",
        {from("T_x", "exposed_dp_comm_time_s"), from("T_tp", "tp_comm_time_s"), from("T_ep", "ep_comm_time_s")},
        published);
    add({"step_time_s"}, m_figures.stepTime, "g_s \u00b7 (T_n + T_x + T_tp + T_ep + T_q)",
        {given("g_s", "straggler factor", m_priced.pricer.straggler(), "assumptions.straggler_factor"), node,
            from("T_x", "exposed_dp_comm_time_s"), from("T_tp", "tp_comm_time_s"), from("T_ep", "ep_comm_time_s"),
            from("T_q", "bubble_time_s")},
        "Published first-order model; stragglers: Dean, Barroso 2013");
    const auto &parts = m_priced.breakdown;
    const auto same = [&](std::string_view key, Seconds value, std::string_view of) {
        add({std::string(key)}, value, "T", {from("T", of)}, "Part of the step");
    };
    same("exposed_tp_comm_time_s", parts.tp, "tp_comm_time_s");
    same("exposed_ep_comm_time_s", parts.ep, "ep_comm_time_s");
    add({"other_time_s"}, parts.other, "max(0, T - (T_b + T_o + T_x + T_tp + T_ep + T_q))",
        {from("T", "step_time_s"), from("T_b", "compute_time_s"), from("T_o", "overhead_time_s"),
            from("T_x", "exposed_dp_comm_time_s"), from("T_tp", "tp_comm_time_s"), from("T_ep", "ep_comm_time_s"),
            from("T_q", "bubble_time_s")},
        "What the other parts do not explain");
}

void Explainer::rates()
{
    const auto &estimate = m_priced.estimate;
    const auto step = from("T", "step_time_s");
    const auto work = from("f", "replica_work_flops");
    add({"scaling_efficiency"}, m_figures.scalingEfficiency, Dimension::Fraction, "T_n / T",
        {from("T_n", "details.node_latency_s"), step}, published);
    add({"samples_per_s"}, m_figures.samplesPerSecond, Dimension::Number, "b \u00b7 d / T", {localBatch(), dp(), step},
        "Sequences of all replicas over the step time");
    if (estimate.tokensPerSecond)
        add({"tokens_per_s"}, *estimate.tokensPerSecond, Dimension::Number, "n_s \u00b7 s",
            {from("n_s", "samples_per_s"), sequence()}, "Tokens of those sequences");
    add({"replica_hfu", "Replica HFU"}, m_figures.replicaHfu, Dimension::Fraction,
        "min(1, f / (T_n \u00b7 R" + sharing(" \u00b7 ") + "))",
        withShards({work, from("T_n", "details.node_latency_s"), from("R", "peak_flops_per_s")}),
        "FLOP executed over the dense peak, before communication and bubble");
    add({"details.replica_mfu", "Replica MFU"}, m_figures.replicaMfu, Dimension::Fraction, "U \u00b7 3 / k",
        {from("U", "replica_hfu"), recompute("k")}, "Recomputed FLOP do not count");
    if (estimate.mfu)
        add({"mfu"}, *estimate.mfu, Dimension::Fraction, "E \u00b7 U_m",
            {from("E", "scaling_efficiency"), from("U_m", "details.replica_mfu")}, ownModel);
    if (estimate.hfu)
        add({"hfu"}, *estimate.hfu, Dimension::Fraction, "E \u00b7 U",
            {from("E", "scaling_efficiency"), from("U", "replica_hfu")}, ownModel);
    if (estimate.flopsPerAccelerator)
        add({"flops_per_accelerator_per_s"}, *estimate.flopsPerAccelerator, "3 / k \u00b7 d / N \u00b7 f / T",
            {recompute("k"), dp(), from("N", "accelerators"), work, step}, ownModel);
}

void Explainer::details()
{
    const auto &estimate = m_priced.estimate;
    const auto detail = [&estimate](Detail which) { return estimate.details[static_cast<std::size_t>(which)]; };
    Inputs intensity{from("f", "replica_work_flops"), from("D", "memory_traffic_bytes")};
    if (!m_unsharded) {
        intensity.push_back(dp());
        intensity.push_back(from("N", "accelerators"));
    }
    add({"details.arithmetic_intensity_flop_per_byte", "Arithmetic intensity"}, detail(Detail::Intensity),
        Dimension::Intensity, m_unsharded ? "f / D" : "f / D \u00b7 d / N", intensity, roofline);
    if (m_in.accelerator.tdp)
        add({"details.node_energy_j", "Energy per accelerator and step"}, detail(Detail::NodeEnergy), Dimension::Energy,
            "P_t \u00b7 (f_i + f_d \u00b7 U) \u00b7 T_n",
            {given("P_t", "TDP", *m_in.accelerator.tdp, "fleet.node.accelerator.tdp_w"),
                given("f_i", "idle power, share of TDP", m_in.constants.idlePower, "assumptions.idle_power",
                    Dimension::Fraction),
                given("f_d", "dynamic power, share of TDP", m_in.constants.dynamicPower, "assumptions.dynamic_power",
                    Dimension::Fraction),
                from("U", "replica_hfu"), from("T_n", "details.node_latency_s")},
            "Published first-order model; communication and bubble excluded");
    if (m_unsharded)
        add({"details.published_throughput_per_s", "Throughput as first published"}, m_figures.publishedThroughput,
            Dimension::Number, "N \u00b7 b / T_n \u00b7 E",
            {from("N", "accelerators"), localBatch(), from("T_n", "details.node_latency_s"),
                from("E", "scaling_efficiency")},
            "Published first-order model: counts every accelerator as a replica");
}

std::vector<ExplainedFigure> explain(const Priced &priced) { return Explainer(priced).run(); }

} // namespace fleetwright::firstorder
