// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/explain/explanation.h"
#include "solver/models/firstorder/firstorderexplain.h"

namespace fleetwright::firstorder {

inline constexpr auto published = "Published first-order model";
inline constexpr auto roofline = "Roofline: Williams 2009";
inline constexpr auto ownModel =
    "First-order model, replica variant: the work of a replica is divided over its accelerators";

/// Builds the explanation in the order of the computation. Formulas repeat firstorder.cpp in the branch that was taken;
/// the tests evaluate each of them and compare.
class Explainer {
public:
    explicit Explainer(const Priced &priced)
        : m_priced(priced), m_in(priced.pricer.inputs()), m_figures(priced.figures),
          m_unsharded(m_in.variant == Variant::Unsharded), m_transformer(m_in.workload.family != WorkloadFamily::Other)
    {
    }

    std::vector<ExplainedFigure> run()
    {
        shape();
        work();
        memory();
        node();
        links();
        dataParallel();
        tensorAndExpertParallel();
        step();
        rates();
        details();
        return m_out.take();
    }

private:
    using Inputs = std::vector<FormulaInput>;

    void add(Explanation::Name name, double value, units::Dimension dimension, std::string formula, Inputs inputs,
        std::string source)
    {
        m_out.add(std::move(name), value, dimension, std::move(formula), std::move(inputs), std::move(source));
    }
    template <class Unit>
    void add(Explanation::Name name, const boost::units::quantity<Unit, double> &value, std::string formula,
        Inputs inputs, std::string source)
    {
        m_out.add(std::move(name), value, std::move(formula), std::move(inputs), std::move(source));
    }
    [[nodiscard]] FormulaInput from(std::string symbol, std::string_view key) const
    {
        return m_out.from(std::move(symbol), key);
    }

    // Inputs that several formulas use.
    [[nodiscard]] FormulaInput tp() const
    {
        return given("t", "tensor parallelism (TP)", double(m_priced.split.tp), "parallelism.tp");
    }
    [[nodiscard]] FormulaInput pp() const
    {
        return given("p", "pipeline stages (PP)", double(m_priced.split.pp), "parallelism.pp");
    }
    [[nodiscard]] FormulaInput ep() const
    {
        return given("e", "expert parallelism (EP)", double(m_priced.split.ep), "parallelism.ep");
    }
    [[nodiscard]] FormulaInput dp() const { return from("d", "parallelism.dp"); }
    [[nodiscard]] FormulaInput localBatch() const { return from("b", "details.local_batch"); }
    [[nodiscard]] FormulaInput microbatches() const { return from("m", "details.microbatches"); }
    [[nodiscard]] FormulaInput sequence() const
    {
        return given("s", "sequence length, tokens", double(m_in.sequenceLength), "training.seq_len");
    }
    [[nodiscard]] FormulaInput accumulation() const
    {
        return given("a", "gradient accumulation steps", double(m_in.accumulationSteps), "training.accumulation_steps");
    }
    [[nodiscard]] FormulaInput parameters() const
    {
        return given("P", "parameters of the model", m_in.workload.parameters, "workload.params_total");
    }
    [[nodiscard]] FormulaInput width() const
    {
        const auto precision = m_priced.training.precision;
        return given("w", "bytes of one element in " + std::string(toString(precision)), bytesPerElement(precision),
            "training.precision");
    }
    [[nodiscard]] FormulaInput layers() const
    {
        return m_in.workload.layers ? given("L", "layers", double(*m_in.workload.layers), "workload.layers")
                                    : given("L", "layers, where the workload states none", m_in.constants.defaultLayers,
                                        "assumptions.default_layers");
    }
    [[nodiscard]] FormulaInput hidden() const
    {
        return m_in.workload.hiddenSize
            ? given("h", "hidden size", double(*m_in.workload.hiddenSize), "workload.hidden_size")
            : given("h", "hidden size, where the workload states none", m_in.constants.defaultHiddenSize,
                "assumptions.default_hidden_size");
    }
    [[nodiscard]] FormulaInput recompute(std::string symbol) const
    {
        return given(std::move(symbol),
            m_in.recompute ? "passes over the model: forward 1, backward 2, recomputation 1"
                           : "passes over the model: forward 1, backward 2",
            m_in.recompute ? 4.0 : 3.0, "training.recompute");
    }
    [[nodiscard]] FormulaInput congestion() const
    {
        return given("c", "congestion factor", m_in.congestion, "assumptions.congestion_factor");
    }

    /// Over how many accelerators the variant divides a replica: factors of a product, or nothing.
    [[nodiscard]] std::string sharing(std::string_view before) const
    {
        return m_unsharded ? std::string() : std::string(before) + "(t \u00b7 p \u00b7 e)";
    }
    [[nodiscard]] Inputs withShards(Inputs inputs) const
    {
        if (!m_unsharded)
            for (auto &&input : {tp(), pp(), ep()})
                inputs.push_back(input);
        return inputs;
    }

    void shape();
    void work();
    void memory();
    void transformerMemory();
    void activations();
    void buffers();
    void otherMemory();
    void node();
    void links();
    void dataParallel();
    void tensorAndExpertParallel();
    void step();
    void rates();
    void details();

    const Priced &m_priced;
    const firstorder::Inputs &m_in;
    const Figures &m_figures;
    bool m_unsharded;
    bool m_transformer;
    Explanation m_out;
};

} // namespace fleetwright::firstorder
