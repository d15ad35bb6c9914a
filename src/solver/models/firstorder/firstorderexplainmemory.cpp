// SPDX-License-Identifier: GPL-3.0-or-later
// Memory and its traffic.
#include "solver/models/firstorder/explainer.h"

namespace fleetwright::firstorder {

namespace {

using units::Dimension;

constexpr auto zero = "Rajbhandari 2020: ZeRO";
constexpr auto korthikanti = "Korthikanti 2022, activations of a transformer layer";

} // namespace

void Explainer::memory()
{
    add({"stage_layers", "Layers of one stage"},
        m_unsharded ? layers().value : std::ceil(layers().value / double(m_priced.split.pp)), Dimension::Number,
        m_unsharded ? "L" : "ceil(L / p)", m_unsharded ? Inputs{layers()} : Inputs{layers(), pp()},
        m_unsharded ? "Published first-order model: every stage counts all layers" : "Narayanan 2021");
    if (m_transformer)
        transformerMemory();
    else
        otherMemory();
    add({"memory.total_bytes"}, m_figures.footprint, "M_w + M_g + M_o + M_a + M_b",
        {from("M_w", "memory.weights_bytes"), from("M_g", "memory.gradients_bytes"),
            from("M_o", "memory.optimizer_bytes"), from("M_a", "memory.activations_bytes"),
            from("M_b", "memory.other_bytes")},
        "Sum of its parts");
    add({"memory.capacity_bytes"}, m_in.accelerator.memoryCapacity, "C",
        {given("C", "memory capacity of the accelerator", m_in.accelerator.memoryCapacity,
            "fleet.node.accelerator.memory_capacity_bytes")},
        "Catalog");
    add({"fits", "Fits (1 yes, 0 no)"}, m_figures.fits ? 1.0 : 0.0, Dimension::Number, "M <= C",
        {from("M", "memory.total_bytes"), from("C", "memory.capacity_bytes")}, published);
    add({"details.spill_bytes", "Memory beyond capacity"}, m_figures.spill, "max(0, M - C)",
        {from("M", "memory.total_bytes"), from("C", "memory.capacity_bytes")}, published);
}

void Explainer::transformerMemory()
{
    const auto &constants = m_in.constants;
    if (m_in.lora)
        add({"trainable_share", "Share of the parameters that is trained"},
            formulas::loraShare(m_in.workload.parameters, layers().value, hidden().value, constants),
            Dimension::Fraction, "min(1, 2 \u00b7 r \u00b7 h \u00b7 n_l \u00b7 L / P)",
            {given("r", "LoRA rank", constants.loraRank, "assumptions.lora_rank"), hidden(),
                given("n_l", "LoRA matrices per layer", constants.loraMatricesPerLayer,
                    "assumptions.lora_matrices_per_layer"),
                layers(), parameters()},
            "Hu 2021: LoRA");
    const auto state = [&](std::string_view key, std::string label, Bytes value, FormulaInput perParameter,
                           int shardedFrom, bool trainable) {
        std::string formula = std::string("P").append(sharing(" / ")) + " \u00b7 " + perParameter.symbol;
        Inputs inputs = withShards({parameters(), perParameter});
        if (trainable && m_in.lora) {
            formula += " \u00b7 y";
            inputs.push_back(from("y", "trainable_share"));
        }
        std::string source = zero;
        if (m_priced.split.zeroStage >= shardedFrom) {
            formula += " / d";
            inputs.push_back(dp());
            source += "; stage " + std::to_string(m_priced.split.zeroStage) + " divides it over DP";
        }
        add({std::string(key), std::move(label)}, value, formula, inputs, source);
    };
    state("memory.weights_bytes", "Weights", m_figures.memory.weights, width(), 3, false);
    state("memory.gradients_bytes", "Gradients", m_figures.memory.gradients, width(), 2, true);
    state("memory.optimizer_bytes", "Optimizer state", m_figures.memory.optimizerState,
        given("o", "optimizer state per parameter", constants.adamState, "assumptions.optimizer_state"), 1, true);
    activations();
    buffers();
}

void Explainer::activations()
{
    if (m_unsharded) {
        Inputs inputs{layers(), localBatch(), sequence(), hidden(), width()};
        if (!m_in.recompute)
            inputs.push_back(given("n_h", "attention heads", double(m_in.workload.attentionHeads.value_or(0)),
                "workload.attention_heads"));
        add({"memory.activations_bytes"}, m_figures.memory.activations,
            m_in.recompute ? "L \u00b7 34 \u00b7 s \u00b7 b \u00b7 h \u00b7 w / 2"
                           : "L \u00b7 (34 \u00b7 h + 5 \u00b7 n_h \u00b7 s) \u00b7 s \u00b7 b \u00b7 w / 2",
            inputs,
            std::string(korthikanti) + (m_in.recompute ? ", selective" : ", nothing recomputed")
                + "; all layers and the whole local batch on one accelerator, as published");
        return;
    }
    const double sequences = std::ceil(
        m_figures.localBatch / (m_figures.microbatches * double(m_in.accumulationSteps)));
    add({"microbatch_sequences", "Sequences of one microbatch"}, sequences, Dimension::Number, "ceil(b / (m \u00b7 a))",
        {localBatch(), microbatches(), accumulation()}, ownModel);
    add({"resident_microbatches", "Microbatches in flight on the first stage"},
        std::min(double(m_priced.split.pp), m_figures.microbatches), Dimension::Number, "min(p, m)",
        {pp(), microbatches()}, "1F1B schedule: Narayanan 2019");
    add({"memory.activations_bytes"}, m_figures.memory.activations,
        (m_in.recompute ? "L_s \u00b7 q / t \u00b7 2" : "L_s \u00b7 q / t \u00b7 34")
            + std::string(" \u00b7 n_s \u00b7 s \u00b7 h \u00b7 w / 2"),
        {from("L_s", "stage_layers"), from("q", "resident_microbatches"), tp(), from("n_s", "microbatch_sequences"),
            sequence(), hidden(), width()},
        std::string(korthikanti) + (m_in.recompute ? ", full recomputation" : ", selective recomputation")
            + "; sequence parallelism assumed");
}

void Explainer::buffers()
{
    if (m_unsharded) {
        add({"memory.other_bytes"}, m_figures.memory.communicationBuffers, "0", {},
            "The unsharded variant counts none, as published");
        return;
    }
    std::string formula = "f_b \u00b7 M_g";
    Inputs inputs{given("f_b", "communication buffer as a share of the gradients", m_in.constants.communicationBuffer,
                      "assumptions.communication_buffer", Dimension::Fraction),
        from("M_g", "memory.gradients_bytes")};
    if (m_priced.split.pp > 1) {
        formula += " + 2 \u00b7 n_s \u00b7 q \u00b7 s \u00b7 h \u00b7 w";
        for (auto &&input :
            {from("n_s", "microbatch_sequences"), from("q", "resident_microbatches"), sequence(), hidden(), width()})
            inputs.push_back(input);
    }
    add({"memory.other_bytes"}, m_figures.memory.communicationBuffers, formula, inputs,
        m_priced.split.pp > 1 ? "First-order model: collectives, and what a stage sends and receives"
                              : "First-order model: collectives");
}

void Explainer::otherMemory()
{
    const auto &memory = m_figures.memory;
    const auto &constants = m_in.constants;
    constexpr auto source = "Published first-order model, workloads that are not transformers";
    const auto none = [&](std::string_view key, std::string label, Bytes value) {
        add({std::string(key), std::move(label)}, value, "0", {}, source);
    };
    add({"memory.weights_bytes"}, memory.weights, std::string("P").append(sharing(" / ")) + " \u00b7 w",
        withShards({parameters(), width()}), source);
    if (m_in.lora) {
        none("memory.gradients_bytes", "Gradients", memory.gradients);
        none("memory.optimizer_bytes", "Optimizer state", memory.optimizerState);
        none("memory.activations_bytes", "Activations", memory.activations);
        add({"memory.other_bytes"}, memory.communicationBuffers, "(f_l - 1) \u00b7 M_w",
            {given(
                 "f_l", "footprint over weight bytes with LoRA", constants.loraFootprint, "assumptions.lora_footprint"),
                from("M_w", "memory.weights_bytes")},
            source);
        return;
    }
    add({"memory.gradients_bytes"}, memory.gradients, std::string("P").append(sharing(" / ")) + " \u00b7 w",
        withShards({parameters(), width()}), source);
    add({"memory.optimizer_bytes"}, memory.optimizerState, std::string("P").append(sharing(" / ")) + " \u00b7 o",
        withShards({parameters(),
            given("o", "optimizer state per parameter", constants.adamState, "assumptions.optimizer_state")}),
        source);
    none("memory.activations_bytes", "Activations", memory.activations);
    none("memory.other_bytes", "Communication buffers", memory.communicationBuffers);
}

} // namespace fleetwright::firstorder
