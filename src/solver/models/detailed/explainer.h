// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/explain/explanation.h"
#include "solver/models/detailed/detailedexplain.h"
#include "solver/models/detailed/detailedtext.h"
#include "solver/models/detailed/familymean.h"
#include "solver/models/detailed/layerformulas.h"
#include "solver/models/detailed/step.h"
#include "solver/models/plannerfacts.h"

#include <map>

/// Builds the explanation of one layout in the order of the computation. Formulas repeat the engine's in the branch
/// that was taken; values are the engine's own wherever it hands them out, and the tests evaluate every formula again.
namespace fleetwright::detailed {

/// What the engine showed while it priced one kind of layer.
struct SeenLayer {
    std::vector<ObservedProduct> products;
    double elementwiseBytes = 0, elementwiseSeconds = 0; ///< forward
    ObservedAttention attention;
    std::array<std::optional<ObservedCollective>, 3> tp, ep; ///< by Pass
    std::array<std::optional<ObservedCollective>, 2> cp; ///< forward, backward
    ObservedLayer work;
};

struct SeenLayers : Unobserved {
    std::array<SeenLayer, 2> kinds; ///< dense, expert
    void product(int kind, const ObservedProduct &seen) { of(kind).products.push_back(seen); }
    void elementwise(int kind, double bytes, double forward, double)
    {
        of(kind).elementwiseBytes = bytes;
        of(kind).elementwiseSeconds = forward;
    }
    void attention(int kind, const ObservedAttention &seen) { of(kind).attention = seen; }
    void layer(int kind, const LayerPrice &, const ObservedLayer &seen) { of(kind).work = seen; }
    void tp(int kind, Pass pass, const ObservedCollective &seen) { of(kind).tp[static_cast<std::size_t>(pass)] = seen; }
    void cp(int kind, bool backward, const ObservedCollective &seen) { of(kind).cp[backward ? 1 : 0] = seen; }
    void ep(int kind, Pass pass, const ObservedCollective &seen) { of(kind).ep[static_cast<std::size_t>(pass)] = seen; }

private:
    SeenLayer &of(int kind) { return kinds[static_cast<std::size_t>(kind)]; }
};

class Explainer {
public:
    /// `facts` of the same plan.
    Explainer(const ExplainedPlan &plan, planners::Facts facts);
    [[nodiscard]] std::vector<ExplainedFigure> run();

private:
    using Inputs = std::vector<FormulaInput>;

    // Writing. In formulas * stands for the multiplication sign; symbols that are not among `own` are the shared ones,
    // see share().
    void add(std::string key, std::string label, double value, units::Dimension dimension, std::string formula,
        Inputs own, std::string source);
    void number(std::string key, std::string label, double value, std::string formula, Inputs own, std::string source)
    {
        add(std::move(key), std::move(label), value, units::Dimension::Number, std::move(formula), std::move(own),
            std::move(source));
    }
    void seconds(std::string key, std::string label, double value, std::string formula, Inputs own, std::string source)
    {
        add(std::move(key), std::move(label), value, units::Dimension::Time, std::move(formula), std::move(own),
            std::move(source));
    }
    void bytes(std::string key, std::string label, double value, std::string formula, Inputs own, std::string source)
    {
        add(std::move(key), std::move(label), value, units::Dimension::Information, std::move(formula), std::move(own),
            std::move(source));
    }
    void detail(Detail which, std::string formula, Inputs own, std::string source);
    /// An input that formulas may use from here on by its symbol.
    void share(FormulaInput input) { m_shared.insert_or_assign(input.symbol, std::move(input)); }
    void share(std::string symbol, std::string_view key) { share(from(std::move(symbol), key)); }
    [[nodiscard]] FormulaInput from(std::string symbol, std::string_view key) const
    {
        return m_out.from(std::move(symbol), key);
    }
    [[nodiscard]] FormulaInput constant(std::string symbol, Constant which) const;
    /// A constant of the accelerator's family; where several stand in for it, their mean, which is explained first
    /// under `key`.
    [[nodiscard]] FormulaInput familyConstant(std::string symbol, const std::string &key, const std::string &label,
        std::optional<Constant> own, const std::vector<MeanPart> &mean);

    // The kinds of layer that the model has.
    [[nodiscard]] bool has(int kind) const { return m_in.kinds[static_cast<std::size_t>(kind)].layers > 0; }
    [[nodiscard]] bool hasExperts() const { return has(1); }
    [[nodiscard]] const LayerPrice &price(int kind) const { return m_prices.kinds[static_cast<std::size_t>(kind)]; }
    /// "dense.forward_s".
    [[nodiscard]] static std::string keyOf(int kind, std::string_view figure)
    {
        return std::string(kind == 0 ? "dense." : "expert.") + std::string(figure);
    }
    [[nodiscard]] static std::string labelOf(int kind, std::string_view text)
    {
        return std::string(kind == 0 ? "Dense layer: " : "Expert layer: ") + std::string(text);
    }
    /// A sum over the kinds of layer, `counted` as "n_d * x_d + n_e * x_e" with x the figure of each kind.
    struct Sum {
        std::string text;
        Inputs inputs;
    };
    [[nodiscard]] Sum overKinds(std::string_view symbol, std::string_view figure, std::string_view count = "L") const;
    [[nodiscard]] double overAllLayers(double LayerPrice::*part) const
    {
        return m_in.kinds[0].layers * price(0).*part + m_in.kinds[1].layers * price(1).*part;
    }
    /// " / t" with sequence parallelism.
    [[nodiscard]] std::string perSequenceShard() const { return m_layout.sequenceParallel ? " / t" : ""; }
    /// Share of the forward pass that is computed again where recomputation is full.
    [[nodiscard]] FormulaInput recomputeShare() const
    {
        return given("y_r", "share of the forward work that is computed again", m_layout.recomputeShare.value_or(1),
            "assumptions.recompute_share", units::Dimension::Fraction);
    }
    /// Symbols of the wait of a layer and microbatch for its sharded parameters; empty where nothing is sharded.
    [[nodiscard]] std::string shardWait(const std::string &symbol) const
    {
        return m_layout.zeroStage != 3 ? "" : " + " + symbol + (gathersOnce(m_in, m_layout) ? " / m" : "");
    }
    [[nodiscard]] bool latent() const { return m_setting.architecture.latentAttention; }

    // Collectives.
    /// Their last summand where the host launches them.
    [[nodiscard]] std::string launch() const { return m_in.collectiveLaunch > 0 ? " + alpha_l" : ""; }
    /// Size, place and bus bandwidth of a group under "<key>.ranks", ".ranks_per_domain", ".domains" and
    /// ".bus_bytes_per_s".
    void group(const std::string &key, const std::string &label, const Group &group, const std::string &size,
        const std::string &distance, const std::string &bus = {});
    [[nodiscard]] Inputs groupInputs(const std::string &group) const;
    void collective(const std::string &key, const std::string &label, double value, const std::string &group,
        const std::string &bytesKey, const std::string &formula, const std::string &name);
    void gather(const std::string &key, const std::string &label, double value, const std::string &group,
        const std::string &bytesKey);
    void reduce(const std::string &key, const std::string &label, double value, const std::string &group,
        const std::string &bytesKey);

    // detailedexplain.cpp: what does not depend on the layers' prices.
    void fleet();
    void rates();
    void architecture();
    void experts();
    void parameters();
    void work();
    void microbatches();
    // detailedexplainlayer.cpp
    void layers();
    void products(int kind);
    [[nodiscard]] Sum productPass(int kind, std::initializer_list<std::string_view> passes) const;
    enum class ProductKind : std::uint8_t { Layer, Experts, OutputLayer };
    void productTimes(
        const std::string &key, const std::string &label, const ProductTime &time, const Inputs &own, ProductKind kind);
    void routing();
    void elementwise(int kind);
    void attention(int kind);
    void passes(int kind);
    void tensorParallel(int kind);
    void contextParallel(int kind);
    void expertParallel(int kind);
    void layerTotals(int kind);
    // detailedexplainstep.cpp
    void ends();
    void rankParameters();
    void sharded();
    void stages();
    void pipeline();
    void layerCommunication();
    void hops();
    [[nodiscard]] std::string regatherKey();
    void exchange();
    void replicas();
    void dataParallelTotals();
    void optimizer();
    void step();
    void results();
    // detailedexplainmemory.cpp
    void memory();
    void keptBytes(int kind);
    [[nodiscard]] std::string keptByOperators(int kind) const;
    void stageMemoryOf(const std::string &key, const std::string &label, const StageMemory &stage,
        const std::string &layersKey, double denseLayers, const std::string &denseFormula,
        const std::string &inFlightKey, bool inputEmbedding, bool outputLayer);
    /// Symbols of the parameters that a stage holds: all, a rank's share of them, those that it updates.
    struct HeldParameters {
        std::string all, shared, updated;
    };
    void shardedStateOf(const std::string &key, const std::string &name, const StageMemory &stage,
        const std::string &parameters, Inputs &own); ///< weights, gradients and optimizer state, ZeRO 3
    void replicatedStateOf(const std::string &key, const std::string &name, const StageMemory &stage,
        const HeldParameters &held, int embeddings, Inputs &own); ///< likewise, ZeRO 0 to 2
    void fullest(const std::vector<StageMemory> &stages);

    ExplainedPlan m_plan;
    planners::Facts m_facts;
    const Setting &m_setting;
    const Prepared &m_in;
    const Layout &m_layout;
    SeenLayers m_seen;
    LayerPrices m_prices;
    StepParts m_parts;
    Explanation m_out;
    std::map<std::string, FormulaInput, std::less<>> m_shared;
    std::vector<std::string> m_products[2]; ///< keys of the products of each kind in the engine's order
    std::vector<std::string> m_dpTotals, m_dpExposed; ///< keys of the parts of the DP communication
};

namespace source {
inline constexpr auto engine = "This model";
inline constexpr auto roofline = "Roofline: Williams 2009";
inline constexpr auto collectives = "Thakur 2005; bus bandwidth as collective libraries report it";
inline constexpr auto pipeline = "Narayanan 2021, section 2.2";
inline constexpr auto zero = "Rajbhandari 2020: ZeRO";
inline constexpr auto activations = "Korthikanti 2022, equations 1 to 4, generalised";
} // namespace source

} // namespace fleetwright::detailed
