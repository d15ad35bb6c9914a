// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/detailedpricing.h"

#include "solver/models/detailed/layerformulas.h"
#include "solver/models/detailed/step.h"

#include <algorithm>
#include <limits>

namespace fleetwright::detailed {

namespace {

/// What sums of the same parts in another order may differ by.
constexpr double rounding = 1e-12;

class DetailedPricing final : public LayoutPricing {
public:
    DetailedPricing(Pricer pricer, std::int64_t expertTp, std::int64_t shardGroup, std::optional<double> recomputeShare)
        : m_pricer(std::move(pricer)), m_expertTp(expertTp), m_shardGroup(shardGroup), m_recomputeShare(recomputeShare)
    {
    }

    [[nodiscard]] bool accepts(const fleetwright::Layout &layout) override
    {
        return m_pricer.isLegal(inEngineTerms(layout));
    }

    [[nodiscard]] LayoutMemory memory(const fleetwright::Layout &layout) override
    {
        const auto engine = inEngineTerms(layout);
        const auto &in = m_pricer.prepared();
        const auto fullest =
            fullestStage(in, m_pricer.setting(), engine, pricesOf(engine), stagesOf(in, engine)).memory;
        const double bytes = onDevice(fullest.allocated());
        return {.bytes = bytes, .fits = bytes <= m_pricer.setting().machine.capacity.value()};
    }

    /// The first stage alone: it holds as many sequences or more with a larger microbatch (microbatch x
    /// min(microbatches, a constant)), and its weights, gradients and optimizer do not depend on it.
    [[nodiscard]] bool outgrows(const fleetwright::Layout &layout, double limitBytes) override
    {
        const auto engine = inEngineTerms(layout);
        const auto &in = m_pricer.prepared();
        const auto stages = stagesOf(in, engine);
        const bool single = engine.pp == 1;
        const double layers = single ? in.layers : stages.first;
        const double dense = stages.denseAmong(0, layers);
        const double microbatches = std::max(1.0, in.globalBatch / (double(engine.dp) * double(engine.microbatch)));
        const auto first = stageMemory(in, m_pricer.setting(), engine, pricesOf(engine), dense, layers - dense,
            inFlightOf(m_pricer.setting(), engine, microbatches).first, true, single);
        return onDevice(first.allocated()) * (1 - rounding) > limitBytes;
    }

    /// The pipeline of stepOf() without what sharded parameters add to each layer: m S + share (A - S) / v grows with S
    /// and A, and both with every layer. Communication between stages and of data parallelism comes on top.
    [[nodiscard]] LayoutFigures bound(const fleetwright::Layout &layout) override
    {
        const auto engine = inEngineTerms(layout);
        const auto &in = m_pricer.prepared();
        const auto &setting = m_pricer.setting();
        const auto &prices = pricesOf(engine);
        const double dense = bothPasses(prices.kinds[0]), experts = bothPasses(prices.kinds[1]);
        const double all = in.kinds[0].layers * dense + in.kinds[1].layers * experts + prices.logitsSeconds
            + prices.embeddingSeconds;
        const double stage = slowestStage(in, stagesOf(in, engine), dense, experts, prices).seconds;
        const double microbatches = std::max(1.0, in.globalBatch / (double(engine.dp) * double(engine.microbatch)));
        const double pipeline = microbatches * stage
            + setting.bubbleShare * (all - stage) / double(engine.virtualStages);
        const double step = (setting.straggler * pipeline + setting.constants[Constant::StepOverhead]) * (1 - rounding);
        return {.stepSeconds = step, .mfu = in.modelFlops / (in.peakFlops * step)};
    }

    /// Microbatches times the mean stage, over all ranks: it does not depend on PP and DP. A pipeline may have a host
    /// floor of its own, so both are looked at. A smaller microbatch shares what every one takes, latencies, weights
    /// and the host's floor, among fewer sequences.
    [[nodiscard]] double leastWork(const fleetwright::Layout &layout) override
    {
        const auto &in = m_pricer.prepared();
        const auto &setting = m_pricer.setting();
        double least = std::numeric_limits<double>::infinity();
        auto key = keyOf(in, inEngineTerms(layout));
        for (const bool pipelined : {false, true}) {
            if (pipelined && (layout.tp == 1 || !hostOfPipelinesDiffers()))
                break;
            key.pipelinedHost = pipelined;
            const auto prices = layerPrices(in, setting, key);
            const double dense = leastOfLayer(prices.kinds[0], layout), experts = leastOfLayer(prices.kinds[1], layout);
            const double all = in.kinds[0].layers * dense + in.kinds[1].layers * experts + prices.logitsSeconds
                + prices.embeddingSeconds;
            least = std::min(least, slowestIsSeen() ? all : in.layers * std::min(dense, experts));
        }
        return setting.straggler * least * (in.globalBatch / double(layout.microbatchSize)) * double(layout.tp)
            * double(layout.cp) * (1 - rounding);
    }

    [[nodiscard]] LayoutFigures price(const fleetwright::Layout &layout) override
    {
        const auto engine = inEngineTerms(layout);
        const auto &in = m_pricer.prepared();
        const auto &setting = m_pricer.setting();
        const double step = setting.straggler * stepOf(in, setting, engine, pricesOf(engine)).step
            + setting.constants[Constant::StepOverhead];
        if (!std::isfinite(step))
            return {};
        return {.stepSeconds = step,
            .mfu = in.modelFlops / (in.peakFlops * step),
            .tokensPerSecond = in.globalBatch * in.tokensPerSequence / step};
    }

private:
    [[nodiscard]] Layout inEngineTerms(const fleetwright::Layout &layout) const
    {
        return {.tp = layout.tp,
            .pp = layout.pp,
            .virtualStages = layout.virtualStages,
            .cp = layout.cp,
            .dp = layout.dp,
            .ep = layout.ep,
            .expertTp = expertTpOf(m_expertTp, layout.tp, layout.ep),
            .microbatch = layout.microbatchSize,
            .zeroStage = layout.zeroStage,
            .shardGroup = m_shardGroup,
            .sequenceParallel = layout.sequenceParallel,
            .recompute = layout.recompute,
            .recomputeShare = m_recomputeShare};
    }

    [[nodiscard]] static double bothPasses(const LayerPrice &price)
    {
        return price.forwardTotalSeconds + price.backwardTotalSeconds;
    }

    /// Of a sequence it does not grow with the microbatch. The wait for the host, of which larger microbatches have
    /// less, covers exchanges of TP and of CP alike: where there are both, one round of the ring is all that is
    /// counted.
    [[nodiscard]] static double leastOfLayer(const LayerPrice &price, const fleetwright::Layout &layout)
    {
        return bothPasses(price)
            - (layout.tp > 1 && layout.cp > 1 ? price.cpExposedSeconds - price.cpSeconds / layout.cp : 0);
    }

    /// On some number of the accelerators: Prepared::pipelinedHost is about this one alone.
    [[nodiscard]] bool hostOfPipelinesDiffers() const
    {
        const auto &in = m_pricer.prepared();
        return in.pipelinedTpHostGrowth != in.tpHostGrowth || std::ranges::any_of(in.kinds, [](const LayerKind &kind) {
            return kind.pipelinedHostSeconds != kind.hostSeconds;
        });
    }

    /// Whether slowestStage() takes no less than the mean of all stages in any pipeline: it looks at some of them only,
    /// and a stage between the first and the last that has dense layers beside experts may be slower. Between them it
    /// looks at one of experts alone wherever they suffice (chunks make a stage of up to (2 L + 2) / 3 layers), and at
    /// the second one as it is where exchanges have windows of their own.
    [[nodiscard]] bool slowestIsSeen() const
    {
        const auto &in = m_pricer.prepared();
        const double denseLayers = in.kinds[0].layers, expertLayers = in.kinds[1].layers;
        if (denseLayers == 0 || expertLayers == 0)
            return true;
        return in.ownWindows && expertLayers >= (2 * in.layers + 2) / 3;
    }

    [[nodiscard]] static double onDevice(double allocated) { return deviceShare * allocated + deviceReserveBytes; }

    const LayerPrices &pricesOf(const Layout &layout)
    {
        const auto key = keyOf(m_pricer.prepared(), layout);
        if (!m_prices || m_key != key) {
            m_key = key;
            m_prices = layerPrices(m_pricer.prepared(), m_pricer.setting(), key);
        }
        return *m_prices;
    }

    Pricer m_pricer;
    std::int64_t m_expertTp, m_shardGroup;
    std::optional<double> m_recomputeShare;
    LayerKey m_key;
    std::optional<LayerPrices> m_prices; ///< of m_key: a search walks pipelines, virtual stages and ZeRO innermost
};

} // namespace

std::unique_ptr<LayoutPricing> layoutPricing(
    Pricer pricer, std::int64_t expertTp, std::int64_t shardGroup, std::optional<double> recomputeShare)
{
    return std::make_unique<DetailedPricing>(std::move(pricer), expertTp, shardGroup, recomputeShare);
}

} // namespace fleetwright::detailed
