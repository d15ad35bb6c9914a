// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/layerprice.h"
#include "solver/models/detailed/prepared.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

/// Sections 3 to 7 and the activations of section 9: one layer of each kind, one microbatch. Written once, for prices
/// and for tables: an observer sees every operator and collective as it is priced, and the one that does nothing costs
/// nothing.
namespace fleetwright::detailed {

enum class Pass : std::uint8_t { Forward, Backward, Recompute };

/// A weight product of a layer as an observer sees it: local shape, how many equal ones.
struct ObservedProduct {
    Product::Part part = Product::Part::Attention;
    bool routedExperts = false;
    int index = 0; ///< among the products of its part
    double m = 0, k = 0, n = 0, times = 1;
    ProductTime time;
};

/// The attention core of a layer: work that is executed, not the full square where half of it is skipped.
struct ObservedAttention {
    double flops = 0, bytes = 0; ///< forward; fused kernels keep their scores on the chip: no bytes
    double computeSeconds = 0, forwardSeconds = 0, backwardSeconds = 0; ///< computeSeconds: part of forwardSeconds
};

/// A layer once all its operators have been seen: what they take together, before the host's floor.
struct ObservedLayer {
    double forwardSeconds = 0, backwardSeconds = 0, recomputeSeconds = 0;
};

/// Collectives of one layer, one microbatch and one pass: `times` of `seconds` each.
struct ObservedCollective {
    Group group;
    double bytes = 0; ///< of the whole vector of one
    double times = 1, seconds = 0;
    double exposed = 0; ///< of all of them
};

/// Seconds are without Prepared::slowdown, except those of ObservedLayer.
struct Unobserved {
    void product(int, const ObservedProduct &) { }
    void elementwise(int, double, double, double) { } ///< bytes forward, seconds forward, backward
    void attention(int, const ObservedAttention &) { }
    void layer(int, const LayerPrice &, const ObservedLayer &) { }
    void tp(int, Pass, const ObservedCollective &) { }
    void cp(int, bool, const ObservedCollective &) { } ///< backward
    void ep(int, Pass, const ObservedCollective &) { }
    void logitsAndLoss(const ProductTime &, double, double, double) { } ///< M and N of the product, bytes of the loss
    void embedding(double) { } ///< bytes
};

/// What one layer costs, section by section; each step reads what the ones before it found. Forced inline, since this
/// is the search's hot loop and the steps share a dozen values that stay in registers.
template <class Observer> class LayerPricer {
public:
    [[gnu::always_inline]] LayerPricer(const Prepared &prepared, const Setting &planSetting, const LayerKey &layerKey,
        int index, Observer &watching, LayerPrice &result)
        : in(prepared), setting(planSetting), key(layerKey), kind(prepared.kinds[static_cast<std::size_t>(index)]),
          kindIndex(index), observer(watching), price(result), constants(planSetting.constants)
    {
    }

    [[gnu::always_inline]] void run()
    {
        products();
        expertProducts();
        elementwiseWork();
        attentionCore();
        passes();
        exchangeContext();
        exchangeTensors();
        exchangeExperts();
        price.forwardTotalSeconds = forwardTotal;
        price.backwardTotalSeconds = backwardTotal;
        keptBytes();
    }

private:
    /// Section 3.
    [[gnu::always_inline]] void products()
    {
        const auto &[whole, columns, rows] = kind.sums;
        const auto all = productTime(in, tokens,
            {.k = whole.k + columns.k + rows.k * inverseT,
                .n = whole.n + columns.n * inverseT + rows.n,
                .kn = whole.kn + (columns.kn + rows.kn) * inverseT},
            in.productRate, operand, !lora);
        forward = all.forwardSeconds;
        backward = all.inputSeconds + all.weightSeconds;
        if constexpr (observed)
            observeProducts();
    }

    [[gnu::always_inline]] void observeProducts()
    {
        int indexInPart = 0;
        auto lastPart = Product::Part::Attention;
        for (int i = 0; i < kind.productCount; ++i) {
            const Product &product = kind.products[static_cast<std::size_t>(i)];
            const double k = product.split == Product::Split::Row ? product.k * inverseT : product.k;
            const double n = product.split == Product::Split::Column ? product.n * inverseT : product.n;
            const auto time = productTime(in, tokens, k, n, in.productRate, operand, !lora);
            indexInPart = product.part == lastPart ? indexInPart : 0;
            lastPart = product.part;
            observer.product(
                kindIndex, {.part = product.part, .index = indexInPart++, .m = tokens, .k = k, .n = n, .time = time});
        }
    }

    [[gnu::always_inline]] void expertProducts()
    {
        if (!kind.experts)
            return;
        routed = tokens * in.expertsPerToken * (te < t ? te * inverseT : 1) * setting.imbalance;
        const double local = std::max(1.0, in.experts / e);
        const double m = routed / local;
        // A grouped product visits its experts one by one.
        const auto visited = [&](const ProductSums &sums, double products) {
            auto time = productTime(in, m, sums, in.productRate, operand, !lora);
            const double visits = products * in.expertVisit;
            time.forwardSeconds += visits;
            time.inputSeconds += lora ? 2 * visits : visits;
            time.weightSeconds += lora ? 0 : visits;
            return time;
        };
        const double h = in.hidden, width = in.expertFfn / te;
        const ProductSums entering{h, in.gates * width, h * in.gates * width}, leaving{width, h, width * h};
        const auto both = visited({entering.k + leaving.k, entering.n + leaving.n, entering.kn + leaving.kn}, 2);
        forward += local * both.forwardSeconds;
        backward += local * (both.inputSeconds + both.weightSeconds);
        if constexpr (observed)
            for (int i = 0; i < 2; ++i) {
                const auto &sums = i == 0 ? entering : leaving;
                observer.product(kindIndex,
                    {.routedExperts = true,
                        .index = i,
                        .m = m,
                        .k = sums.k,
                        .n = sums.n,
                        .times = local,
                        .time = visited(sums, 1)});
            }
    }

    /// Section 4.
    [[gnu::always_inline]] void elementwiseWork()
    {
        double traffic = tokens * kind.traffic.of(inverseSigma, inverseT);
        if (kind.experts)
            traffic += routed
                * (2 * (in.gates + 1) * in.expertFfn / te + 12 * constants[Constant::RoutingTraffic] * in.hidden);
        if (lora)
            traffic += constants[Constant::LoraTraffic] * tokens * inverseT
                * (kind.products[0].k + kind.products[0].n + kind.products[1].k + kind.products[1].n);
        elementwise = in.elementwise * traffic * in.secondsPerByte;
        observer.elementwise(kindIndex, in.elementwise * traffic, elementwise, 2 * elementwise);
    }

    /// Section 5.
    [[gnu::always_inline]] void attentionCore()
    {
        square = 2 * tokens * in.tokensPerSequence * in.heads * inverseT * (in.qkDim + in.valueDim);
        double attentionBytes = 0, attentionFlops = square;
        if (in.fusedAttention) {
            attentionFlops *= setting.causal ? 0.5 : 1;
            attention = attentionFlops / in.attentionRate;
            attentionBackward = constants[Constant::AttentionBackward] * attention;
        } else {
            const bool unaligned = setting.architecture.headDim % 8 != 0;
            attentionBytes = constants[Constant::ScoreTraffic] * tokens * in.tokensPerSequence * in.heads * inverseT;
            attention = (unaligned ? constants[Constant::UnalignedSlowdown] : 1) * square / in.productRate16
                + attentionBytes / in.memoryRate;
            attentionBackward = 2 * attention;
        }
        observer.attention(kindIndex,
            {.flops = attentionFlops,
                .bytes = attentionBytes,
                .computeSeconds = attention - attentionBytes / in.memoryRate,
                .forwardSeconds = attention,
                .backwardSeconds = attentionBackward});
    }

    /// Section 6, and the windows of section 7: compute that hides one exchange cannot hide another. Products and
    /// element-wise work cover TP, then EP; the attention core and the wait for the host cover the ring exchange of CP.
    [[gnu::always_inline]] void passes()
    {
        f = (forward + elementwise + attention) * in.slowdown;
        b = (backward + 2 * elementwise + attentionBackward) * in.slowdown;
        const bool full = key.recompute == Recompute::Full;
        if (full || hasShare)
            again = repeated * f;
        else if (key.recompute == Recompute::Selective && !in.fusedAttention)
            again = attention * in.workScale;
        else if (key.recompute == Recompute::Selective && in.fsdpStack)
            again = (0.5 * forward + elementwise) * in.workScale;
        work = {.forwardSeconds = f, .backwardSeconds = b, .recomputeSeconds = again};
        // Every collective of the older and of research stacks waits for the slowest of t hosts.
        const double host = key.pipelinedHost ? kind.pipelinedHostSeconds * (1 + in.pipelinedTpHostGrowth * (t - 1))
                                              : kind.hostSeconds * (1 + in.tpHostGrowth * (t - 1));
        f = flooredByHost(in, f, host);
        b = flooredByHost(in, b, 1.5 * host);
        if (full)
            again = flooredByHost(in, again, repeated * host);
        price.forwardSeconds = f;
        price.backwardSeconds = b;
        price.recomputeSeconds = again;
        observer.layer(kindIndex, price, work);

        forwardTotal = f;
        backwardTotal = b + again;
        core = in.ownWindows ? attention * in.workScale : 0;
        coreBackward = in.ownWindows ? attentionBackward * in.workScale : 0;
        forwardWindow = std::max(0.0, f - core);
        backwardWindow = std::max(0.0, b - coreBackward);
        againWindow = std::max(0.0, again - repeated * core);
    }

    /// Section 7, as the next two.
    [[gnu::always_inline]] void exchangeContext()
    {
        if (key.cp <= 1)
            return;
        const Group group = groupOf(in, c, t);
        const double bytes = setting.architecture.latentAttention
            ? 2 * tokens * in.heads * inverseT * 320
            : 4 * tokens * std::max(in.kvHeads * inverseT, 1.0) * in.headDim;
        const double latency = group.domains <= 1 ? in.scaleUpLatency : in.scaleOutLatency;
        const double y = bytes * (c - 1) / group.busRate + (c - 1) * latency;
        const double w = square * (in.fusedAttention ? (setting.causal ? 0.5 : 1) : 1) / in.attentionRate;
        const double cover = in.ownWindows ? core + f - work.forwardSeconds : w;
        const double coverBackward = in.ownWindows ? coreBackward + b - work.backwardSeconds : 2.5 * w;
        const double forwardExposed = std::max(y / c, y - cover);
        const double backwardExposed = std::max(2 * y / c, 2 * y - coverBackward);
        price.cpSeconds = 3 * y;
        price.cpExposedSeconds = forwardExposed + backwardExposed;
        forwardTotal += forwardExposed;
        backwardTotal += backwardExposed;
        observer.cp(kindIndex, false,
            {.group = group, .bytes = bytes * c, .times = 1, .seconds = y, .exposed = forwardExposed});
        observer.cp(kindIndex, true,
            {.group = group, .bytes = bytes * c, .times = 2, .seconds = y, .exposed = backwardExposed});
    }

    [[gnu::always_inline]] void exchangeTensors()
    {
        if (key.tp <= 1)
            return;
        const Group group = groupOf(in, t, 1);
        const double bytes = 2 * tokens * in.hidden;
        const double gather = allGather(in, group, bytes);
        const double pair = key.sequenceParallel ? 2 * gather : allReduce(in, group, bytes);
        const double share = kind.experts && key.expertTp < key.tp ? 0.5 : 1;
        const bool overlap = setting.stack.tpOverlap;
        const double singles = key.sequenceParallel ? 2 : 1; // collectives of a pair
        const auto part = [&](Pass pass, double pairs, double gathers, double under) {
            const double seconds = share * (pairs * pair + gathers * gather);
            const double exposed = overlap ? exposedUnder(in, seconds, under) : seconds;
            price.tpSeconds += seconds;
            price.tpExposedSeconds += exposed;
            observer.tp(kindIndex, pass,
                {.group = group,
                    .bytes = bytes,
                    .times = share * (pairs * singles + gathers),
                    .seconds = pair / singles,
                    .exposed = exposed});
            return exposed;
        };
        const double forwardExposed = part(Pass::Forward, 2, 0, forwardWindow);
        const double backwardGathers = key.sequenceParallel && !overlap ? 2 : 0;
        const double backwardExposed = part(Pass::Backward, 2, backwardGathers, backwardWindow);
        forwardTotal += forwardExposed;
        backwardTotal += backwardExposed;
        tpForward = {share * 2 * pair, forwardExposed};
        tpBackward = {share * (2 * pair + backwardGathers * gather), backwardExposed};
        if (key.recompute == Recompute::Full)
            backwardTotal += part(Pass::Recompute, 2 * repeated, 0, againWindow);
    }

    [[gnu::always_inline]] void exchangeExperts()
    {
        if (!kind.experts || key.ep <= 1)
            return;
        const Group group = groupOf(in, e, te);
        const double bytes = 2 * routed * in.hidden;
        const double inside = bytes * (1 - 1 / e) / in.scaleUpRate;
        double one = inside + in.scaleUpLatency * (e - 1);
        if (group.domains > 1) {
            const double nodes = group.domains;
            double missed = 1; // (1 - 1/ν)^q, the chance that no expert of a token is in a given domain
            for (std::int64_t i = 0; i < setting.architecture.expertsPerToken; ++i)
                missed *= 1 - 1 / nodes;
            const double reach = nodes * (1 - missed) * (nodes - 1) / nodes;
            one = std::max(bytes / in.expertsPerToken * reach / in.scaleOutRate, inside) + in.scaleOutLatency * nodes;
        }
        const double passes = key.recompute == Recompute::Full ? 4 + 2 * repeated : 4;
        price.epSeconds = 4 * one;
        const auto seen = [&](Pass pass, double times, double exposed) {
            if (times > 0)
                observer.ep(kindIndex, pass,
                    {.group = group, .bytes = bytes, .times = times, .seconds = one, .exposed = exposed});
        };
        if (setting.stack.epOverlap) {
            // One window for both kinds, of which EP has what TP leaves.
            const auto beside = [&](double seconds, const Exchange &tp, double window) {
                return setting.stack.tpOverlap ? exposedUnder(in, tp.seconds + seconds, window) - tp.exposed
                                               : exposedUnder(in, seconds, window);
            };
            const double forwardExposed = beside(2 * one, tpForward, forwardWindow),
                         backwardExposed = beside((passes - 2) * one, tpBackward, backwardWindow);
            forwardTotal += forwardExposed;
            backwardTotal += backwardExposed;
            price.epExposedSeconds = forwardExposed + backwardExposed;
            seen(Pass::Forward, 2, forwardExposed);
            seen(Pass::Backward, passes - 2, backwardExposed);
        } else {
            forwardTotal += 2 * one;
            backwardTotal += (passes - 2) * one;
            price.epExposedSeconds = 4
                * one; // what full recomputation repeats counts as recomputation, that is compute
            seen(Pass::Forward, 2, 2 * one);
            seen(Pass::Backward, 2, 2 * one);
            seen(Pass::Recompute, passes - 4, (passes - 4) * one);
        }
    }

    /// Section 9: bytes kept for the backward pass, per token.
    [[gnu::always_inline]] void keptBytes()
    {
        const double h = in.hidden;
        double kept = kind.kept.of(inverseSigma, inverseT);
        if (!in.fusedAttention && key.recompute != Recompute::Selective)
            kept += 5 * in.heads * in.tokensPerSequence * inverseT;
        if (kind.experts) {
            const double perToken = in.expertsPerToken * (te < t ? te * inverseT : 1);
            kept += perToken * (4 * h + in.keptPerWidth * in.expertFfn / te);
        }
        if (in.frameworkMemory && key.sequenceParallel)
            kept += 4 * h * (1 - inverseT);
        if (in.frameworkMemory && key.recompute == Recompute::Selective) {
            const double whole = kept;
            kept = std::min(whole, keptByOperators());
            price.workingBytesPerToken = whole - kept;
        } else if (key.recompute == Recompute::Full) {
            price.workingBytesPerToken = kept;
            kept = repeated * 2 * h * inverseSigma + (1 - repeated) * kept;
        }
        price.keptBytesPerToken = kept;
    }

    /// Of torchtitan's op-level policy: the layer's input, attention, every second product from the first on in the
    /// order q, k, v, o, gate, up, down (MLA: q down, q up, kv down, kv up, o ...), and what TP scatters after o and
    /// down. Routed experts are no such products.
    [[gnu::always_inline]] double keptByOperators() const
    {
        const double h = in.hidden, width = kind.actFfn * inverseT;
        const bool latent = setting.architecture.latentAttention, gated = in.gates > 1;
        double kept = 2 * h * inverseSigma + 2 * in.heads * in.valueDim * inverseT;
        kept += latent ? 2 * (1536 + 576) + 2 * h : 2 * (in.heads + in.kvHeads) * in.headDim * inverseT;
        if (kind.actFfn > 0)
            kept += (latent && !gated ? 0 : 2 * width) + (latent == gated ? 0 : 2 * h);
        if (key.sequenceParallel && t > 1)
            kept += 4 * h * inverseSigma;
        return kept;
    }

    struct Exchange {
        double seconds = 0, exposed = 0;
    };
    static constexpr bool observed = !std::is_same_v<Observer, Unobserved>;

    const Prepared &in;
    const Setting &setting;
    const LayerKey &key;
    const LayerKind &kind;
    const int kindIndex;
    Observer &observer;
    LayerPrice &price;
    const Constants &constants;
    const double t = double(key.tp), c = double(key.cp), e = double(key.ep), te = double(key.expertTp);
    const double tokens = double(key.microbatch) * in.tokensPerSequence / c;
    const double inverseT = 1 / t, inverseSigma = key.sequenceParallel ? inverseT : 1; ///< [1/t, 1/σ]
    const bool lora = setting.lora;
    const Operand operand{in.operandBytes, in.scalingBytes};
    const bool hasShare = key.recomputeShare >= 0;
    const double repeated = hasShare ? key.recomputeShare : 1; ///< of the forward work that Full computes again

    double forward = 0, backward = 0; ///< weight products
    double routed = 0; ///< tokens that reach the experts of this rank [ρ]
    double elementwise = 0;
    double square = 0, attention = 0, attentionBackward = 0;
    double f = 0, b = 0, again = 0; ///< passes, no shorter than the host takes to launch them
    ObservedLayer work;
    double core = 0, coreBackward = 0, forwardWindow = 0, backwardWindow = 0, againWindow = 0;
    double forwardTotal = 0, backwardTotal = 0;
    Exchange tpForward, tpBackward;
};

template <class Observer>
LayerPrices layerPrices(const Prepared &in, const Setting &setting, const LayerKey &key, Observer &observer)
{
    LayerPrices prices;
    for (int kind = 0; kind < 2; ++kind)
        if (in.kinds[static_cast<std::size_t>(kind)].layers > 0)
            LayerPricer(in, setting, key, kind, observer, prices.kinds[static_cast<std::size_t>(kind)]).run();
    const double inverseT = 1 / double(key.tp), vocabulary = in.vocabulary * inverseT;
    const double tokens = double(key.microbatch) * in.tokensPerSequence / double(key.cp);
    // Section 8: the output layer and the loss in 16 bits, whatever the precision of the layers.
    const auto product = productTime(in, tokens, in.hidden, vocabulary, in.productRate16, {}, !setting.lora);
    const double lossBytes = in.lossBytes * tokens * vocabulary;
    observer.logitsAndLoss(product, tokens, vocabulary, lossBytes);
    prices.logitsSeconds = product.forwardSeconds + product.inputSeconds + product.weightSeconds
        + lossBytes * in.secondsPerByte;
    const double embeddingBytes = 12 * tokens * (key.sequenceParallel ? inverseT : 1) * in.hidden;
    observer.embedding(embeddingBytes);
    prices.embeddingSeconds = embeddingBytes * in.secondsPerByte;
    return prices;
}

[[nodiscard]] LayerPrices layerPrices(const Prepared &in, const Setting &setting, const LayerKey &key);

} // namespace fleetwright::detailed
