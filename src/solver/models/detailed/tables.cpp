// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/tables.h"

#include "solver/models/detailed/layerformulas.h"
#include "solver/models/detailed/step.h"
#include "solver/models/detailed/tableparts.h"
#include "units/format.h"

namespace fleetwright::detailed {

namespace {

std::string number(double value)
{
    // Shapes are whole where the layout divides them; what does not divide is shown as such.
    return std::floor(value) == value && value < 1e15 ? std::to_string(static_cast<std::int64_t>(value))
                                                      : units::threeDigits(value);
}

std::string shape(double m, double k, double n) { return number(m) + " \u00d7 " + number(k) + " \u00d7 " + number(n); }

std::string partOf(const ObservedProduct &product)
{
    if (product.routedExperts)
        return "experts";
    switch (product.part) {
    case Product::Part::Attention: return "attention";
    case Product::Part::FeedForward: return "feed-forward";
    case Product::Part::SharedExperts: return "shared experts";
    }
    return {};
}

std::string nameOf(const ObservedProduct &product, const Architecture &model)
{
    static constexpr std::array latent{
        "query, down", "query, up", "key and value, down", "key and value, up", "output projection"};
    const auto index = static_cast<std::size_t>(product.index);
    if (!product.routedExperts && product.part == Product::Part::Attention) {
        if (model.latentAttention)
            return latent.at(index);
        return index == 0 ? "query, key, value" : "output projection";
    }
    if (index == 0)
        return model.gated ? "gate and up" : "up";
    return "down";
}

/// Rows that say the same of dense and of expert layers become one.
void add(std::vector<OperatorRow> &rows, OperatorRow row)
{
    if (row.time <= Seconds{})
        return;
    if (row.part != "host" || row.bound != Bound::Host)
        row.bound = row.bound == Bound::Host || row.computeTime >= row.memoryTime ? row.bound : Bound::MemoryBandwidth;
    for (auto &known : rows) {
        if (known.part == row.part && known.name == row.name && known.pass == row.pass && known.shape == row.shape
            && known.time == row.time) {
            known.perStep += row.perStep;
            return;
        }
    }
    rows.push_back(std::move(row));
}

/// What bounds a collective: latency where bytes take less than half of its time, else its narrowest link.
Bound boundOf(const Prepared &in, const Group &group, double size, double time, double latency)
{
    if (size <= 0 || latency > time / 2)
        return Bound::Latency;
    return group.domains > 1 && in.scaleOutRate * group.local < in.scaleUpRate ? Bound::ScaleOut : Bound::ScaleUp;
}

class Assembly {
public:
    Assembly(const Prepared &in, const Setting &setting, const Layout &layout, const LayerPrices &prices,
        const LayerRecorder &seen, const StepParts &parts, Tables &result)
        : m_in(in), m_setting(setting), m_layout(layout), m_prices(prices), m_seen(seen), m_parts(parts),
          m_result(result)
    {
    }

    void operators()
    {
        for (std::size_t kind = 0; kind < 2; ++kind)
            if (m_in.kinds[kind].layers > 0)
                layerOperators(m_seen.kinds[kind], m_prices.kinds[kind],
                    (kind == 0 ? m_parts.slowestDense : m_parts.slowestExperts) * m_parts.microbatches);
        ends();
        for (const auto &row : m_result.operators)
            m_result.operatorTime += row.time * row.perStep;
    }

    void collectives()
    {
        for (std::size_t kind = 0; kind < 2; ++kind)
            if (m_in.kinds[kind].layers > 0)
                layerCollectives(kind);
        const double perStage = m_in.layers / double(m_layout.pp) * m_parts.shardedRounds;
        const std::string gather = "all-gather", both = "all-gather and reduce-scatter";
        once("DP", "layers, forward", gather, m_parts.shardedForward, m_parts.shardGroup, perStage);
        once("DP", "layers, backward", m_setting.lora ? gather : both, m_parts.shardedBackward, m_parts.shardGroup,
            perStage);
        once("DP", "first layer and embeddings", both, m_parts.shardedOnce, m_parts.shardGroup);
        const std::string exchange = m_layout.zeroStage == 0 ? "all-reduce" : "reduce-scatter";
        once("DP", "gradients", exchange, m_parts.gradients, m_parts.dataGroup);
        once("expert DP", "gradients", exchange, m_parts.expertGradients, m_parts.expertGroup);
        once("DP", "parameters", gather, m_parts.parameters, m_parts.dataGroup);
        once("expert DP", "parameters", gather, m_parts.expertParametersGather, m_parts.expertGroup);
        once("DP", "gradients between replicas", "all-reduce", m_parts.replicas, m_parts.replicaGroup);
        once("embedding", "gradients of the tied embedding", "all-reduce", m_parts.tiedEmbedding,
            m_parts.embeddingGroup);
        if (m_layout.pp > 1)
            hops();
        for (std::size_t kind = 0; kind < 2; ++kind) {
            const auto &price = m_prices.kinds[kind];
            const double layer = price.forwardTotalSeconds - price.forwardSeconds + price.backwardTotalSeconds
                - price.backwardSeconds - price.recomputeSeconds + m_parts.shardedForwardWait
                + m_parts.shardedBackwardWait;
            const double slowest = kind == 0 ? m_parts.slowestDense : m_parts.slowestExperts;
            if (m_in.kinds[kind].layers > 0)
                m_result.beyondMean += seconds(
                    m_parts.microbatches * (slowest - m_in.kinds[kind].layers / double(m_layout.pp)) * layer);
        }
    }

    void stages()
    {
        const auto flight = inFlightOf(m_setting, m_layout, m_parts.microbatches);
        const auto ends = endTimes(m_in, m_prices, m_seen);
        double before = 0;
        for (int stage = 0; stage < m_layout.pp; ++stage) {
            const bool first = stage == 0, last = stage == m_layout.pp - 1;
            const auto &stages = m_parts.stages;
            const double layers = m_layout.pp == 1 ? m_in.layers
                : first                            ? stages.first
                : last                             ? stages.last
                                                   : stages.full;
            const double dense = stages.denseAmong(last && !first ? m_in.layers - stages.last : before, layers);
            before += layers;
            const double held = first ? flight.first : last ? flight.last : std::max(1.0, flight.first - stage);
            const auto memory = stageMemory(
                m_in, m_setting, m_layout, m_prices, dense, layers - dense, held, first, last);
            m_result.stageMemory.push_back({.stage = stage,
                .layers = layers,
                .microbatchesInFlight = held,
                .memory = {.weights = bytes(memory.weights),
                    .gradients = bytes(memory.gradients),
                    .optimizer = bytes(memory.optimizer),
                    .activations = bytes(memory.activations),
                    .other = bytes(memory.other),
                    .allocated = bytes(memory.allocated()),
                    .device = bytes(deviceShare * memory.allocated() + deviceReserveBytes),
                    .fullestStage = stage}});
            const auto &[plain, expert] = m_prices.kinds;
            const double forward = dense * plain.forwardTotalSeconds + (layers - dense) * expert.forwardTotalSeconds
                + layers * m_parts.shardedForwardWait;
            const double backward = dense * plain.backwardTotalSeconds + (layers - dense) * expert.backwardTotalSeconds
                + layers * m_parts.shardedBackwardWait;
            m_result.stages.push_back({.stage = stage,
                .layers = layers,
                .forward = seconds(forward + (first ? ends.embeddingForward : 0) + (last ? ends.logitsForward : 0)),
                .backward = seconds(
                    backward + (first ? ends.embeddingBackward : 0) + (last ? ends.logitsBackward : 0))});
        }
    }

private:
    void productRows(const std::string &part, const std::string &name, double m, double k, double n,
        const ProductTime &time, double factor, double perStep)
    {
        const auto row = [&](const char *pass, std::string text, double traffic, double duration) {
            if (duration > 0)
                add(m_result.operators,
                    {.part = part,
                        .name = name,
                        .pass = pass,
                        .shape = std::move(text),
                        .perStep = perStep,
                        .work = Flops::from_value(time.flops),
                        .traffic = bytes(traffic),
                        .computeTime = seconds(factor * time.computeSeconds),
                        .memoryTime = seconds(factor * (duration - time.computeSeconds)),
                        .time = seconds(factor * duration)});
        };
        row("forward", shape(m, k, n), time.forwardBytes, time.forwardSeconds);
        row("input gradient", shape(m, n, k), time.inputBytes, time.inputSeconds);
        row("weight gradient", shape(k, m, n), time.weightBytes, time.weightSeconds);
    }

    void layerOperators(const LayerRecorder::Kind &seen, const LayerPrice &price, double perStep)
    {
        const double factor = m_in.slowdown;
        auto &rows = m_result.operators;
        double flops = 0, traffic = 0, compute = 0, memory = 0; // of the forward products
        for (const auto &product : seen.products) {
            productRows(partOf(product), nameOf(product, m_setting.architecture), product.m, product.k, product.n,
                product.time, factor, perStep * product.times);
            flops += product.times * product.time.flops;
            traffic += product.times * product.time.forwardBytes;
            compute += product.times * product.time.computeSeconds;
            memory += product.times * (product.time.forwardSeconds - product.time.computeSeconds);
        }
        const auto &core = seen.attention;
        const double coreMemory = core.forwardSeconds - core.computeSeconds;
        const double tokens = double(m_layout.microbatch) * m_in.tokensPerSequence / double(m_layout.cp);
        const auto attention = [&](const char *pass, double times) {
            add(rows,
                {.part = "attention",
                    .name = m_in.fusedAttention ? "attention core, fused" : "attention core",
                    .pass = pass,
                    .shape = number(tokens) + " \u00d7 " + number(m_in.tokensPerSequence) + ", "
                        + number(m_in.heads / double(m_layout.tp)) + " heads",
                    .perStep = perStep,
                    .work = Flops::from_value(times * core.flops),
                    .traffic = bytes(times * core.bytes),
                    .computeTime = seconds(factor * times * core.computeSeconds),
                    .memoryTime = seconds(factor * times * coreMemory),
                    .time = seconds(factor * times * core.forwardSeconds)});
        };
        attention("forward", 1);
        attention("backward", core.backwardSeconds / core.forwardSeconds);
        const auto elementwise = [&](const char *pass, double duration) {
            add(rows,
                {.part = "element-wise",
                    .name = "norms, residuals, activation",
                    .pass = pass,
                    .perStep = perStep,
                    .traffic = bytes(seen.elementwiseBytes * duration / seen.elementwiseForward),
                    .memoryTime = seconds(factor * duration),
                    .time = seconds(factor * duration),
                    .bound = Bound::MemoryBandwidth});
        };
        elementwise("forward", seen.elementwiseForward);
        elementwise("backward", seen.elementwiseBackward);
        recomputation(seen, price, perStep, flops, traffic, compute, memory);
        host("forward", price.forwardSeconds - seen.work.forwardSeconds, perStep);
        host("backward", price.backwardSeconds - seen.work.backwardSeconds, perStep);
        host("recomputation", price.recomputeSeconds - seen.work.recomputeSeconds, perStep);
    }

    void recomputation(const LayerRecorder::Kind &seen, const LayerPrice &price, double perStep, double flops,
        double traffic, double compute, double memory)
    {
        if (price.recomputeSeconds <= 0)
            return;
        std::string name = "attention core";
        const auto &core = seen.attention;
        double work = core.flops, moved = core.bytes, computing = core.computeSeconds,
               moving = core.forwardSeconds - core.computeSeconds;
        if (m_layout.recompute == Recompute::Full || m_layout.recomputeShare) {
            const double share = m_layout.recomputeShare.value_or(1);
            name = share < 1 ? "part of the layer" : "whole layer";
            work = share * (work + flops);
            moved = share * (moved + traffic + seen.elementwiseBytes);
            computing = share * (computing + compute);
            moving = share * (moving + memory + seen.elementwiseForward);
        } else if (m_in.fusedAttention) {
            name = "half of the products, element-wise";
            work = flops / 2;
            moved = traffic / 2 + seen.elementwiseBytes;
            computing = compute / 2;
            moving = memory / 2 + seen.elementwiseForward;
        }
        const double factor = seen.work.recomputeSeconds / (computing + moving);
        add(m_result.operators,
            {.part = "recomputation",
                .name = name,
                .pass = "recomputation",
                .perStep = perStep,
                .work = Flops::from_value(work),
                .traffic = bytes(moved),
                .computeTime = seconds(factor * computing),
                .memoryTime = seconds(factor * moving),
                .time = seconds(seen.work.recomputeSeconds)});
    }

    /// What the launches of the kernels add where a layer is smaller than the host can feed.
    void host(const char *pass, double duration, double perStep)
    {
        add(m_result.operators,
            {.part = "host",
                .name = "waiting for kernel launches",
                .pass = pass,
                .perStep = perStep,
                .time = seconds(duration),
                .bound = Bound::Host});
    }

    void ends()
    {
        const double logits = m_parts.slowestLogits ? m_parts.microbatches : 0;
        productRows("logits", "output layer", m_seen.logitsM, m_in.hidden, m_seen.logitsN, m_seen.logits, 1, logits);
        const auto traffic = [&](const char *part, const char *name, const char *pass, double amount, double perStep) {
            const auto time = seconds(amount / m_in.memoryRate);
            add(m_result.operators,
                {.part = part,
                    .name = name,
                    .pass = pass,
                    .perStep = perStep,
                    .traffic = bytes(amount),
                    .memoryTime = time,
                    .time = time,
                    .bound = Bound::MemoryBandwidth});
        };
        traffic("logits", "loss", "both", m_seen.lossBytes, logits);
        traffic("embedding", "look-up and its gradient", "both", m_seen.embeddingBytes,
            m_parts.slowestEmbedding ? m_parts.microbatches : 0);
        traffic("optimizer", "Adam and gradient norm", "update", m_parts.optimizer * m_in.memoryRate, 1);
    }

    CollectiveRow &collective(std::string group, std::string where, std::string algorithm, const Group &members,
        double size, double time, double perStep, double exposed, double latency)
    {
        m_result.collectives.push_back({.group = std::move(group),
            .where = std::move(where),
            .algorithm = std::move(algorithm),
            .size = bytes(size),
            .ranks = static_cast<std::int64_t>(members.size),
            .domains = static_cast<std::int64_t>(members.domains),
            .busBandwidth = Bandwidth::from_value(members.busRate),
            .perStep = perStep,
            .time = seconds(time),
            .total = seconds(perStep * time),
            .exposed = seconds(exposed),
            .bound = boundOf(m_in, members, size, time, latency)});
        return m_result.collectives.back();
    }

    void layerCollectives(std::size_t kind)
    {
        const double perStage = m_in.kinds[kind].layers / double(m_layout.pp) * m_parts.microbatches;
        const std::string layers = m_in.kinds[1 - kind].layers <= 0 ? "layers"
            : kind == 0                                             ? "dense layers"
                                                                    : "expert layers";
        for (const auto &[group, pass, seen] : m_seen.kinds[kind].collectives) {
            const std::string where = layers
                + (pass == Pass::Forward         ? ", forward"
                        : pass == Pass::Backward ? ", backward"
                                                 : ", recomputation");
            std::string algorithm = m_layout.sequenceParallel ? "all-gather, reduce-scatter" : "all-reduce";
            double latency = m_layout.sequenceParallel ? allGather(m_in, seen.group, 0)
                                                       : allReduce(m_in, seen.group, 0);
            if (group == LayerRecorder::Kind::Cp) {
                algorithm = "ring of keys and values";
                latency = allGather(m_in, seen.group, 0);
            } else if (group == LayerRecorder::Kind::Ep) {
                algorithm = "all-to-all";
                latency = m_in.scaleUpLatency * (seen.group.size - 1);
            }
            static constexpr std::array names{"TP", "CP", "EP"};
            auto &row = collective(names.at(group), where, algorithm, seen.group, seen.bytes, seen.seconds,
                perStage * seen.times, perStage * seen.exposed, latency);
            row.countsAsComputing = group == LayerRecorder::Kind::Ep && pass == Pass::Recompute;
        }
    }

    /// Once per step, or `times` with the exposed time of one.
    void once(const char *group, const char *where, const std::string &algorithm, const Collective &seen,
        const Group &members, double times = 1)
    {
        if (seen.seconds > 0)
            collective(group, where, algorithm, members, seen.bytes, seen.seconds, times, seen.exposed * times,
                algorithm == "all-reduce" ? allReduce(m_in, members, 0) : allGather(m_in, members, 0));
    }

    void hops()
    {
        const Group pair{.size = 2,
            .local = m_parts.hopInside ? 2.0 : 1.0,
            .domains = m_parts.hopInside ? 1.0 : 2.0,
            .busRate = m_parts.hopInside ? m_in.scaleUpRate : m_in.scaleOutRate};
        collective("PP", "between stages",
            m_in.oldMegatron && m_layout.tp > 1 ? "point to point, then all-gather" : "point to point", pair,
            m_parts.hopBytes, m_parts.hop, m_parts.ppTotal / m_parts.hop, m_parts.ppExposed,
            m_parts.hopInside ? m_in.scaleUpLatency : m_in.scaleOutLatency);
    }

    const Prepared &m_in;
    const Setting &m_setting;
    const Layout &m_layout;
    const LayerPrices &m_prices;
    const LayerRecorder &m_seen;
    const StepParts &m_parts;
    Tables &m_result;
};

} // namespace

std::string_view toString(Bound bound)
{
    switch (bound) {
    case Bound::Compute: return "compute";
    case Bound::MemoryBandwidth: return "memory bandwidth";
    case Bound::ScaleUp: return "scale-up";
    case Bound::ScaleOut: return "scale-out";
    case Bound::Latency: return "latency";
    case Bound::Host: return "host";
    case Bound::Dependency: return "dependency";
    }
    return {};
}

EndTimes endTimes(const Prepared &in, const LayerPrices &prices, const LayerRecorder &seen)
{
    // The traffic of embedding and loss is one number for both passes; as with the products, a third of it goes
    // forward.
    EndTimes ends;
    ends.embeddingForward = prices.embeddingSeconds / 3;
    ends.embeddingBackward = prices.embeddingSeconds - ends.embeddingForward;
    ends.logitsForward = seen.logits.forwardSeconds + seen.lossBytes / in.memoryRate / 3;
    ends.logitsBackward = prices.logitsSeconds - ends.logitsForward;
    return ends;
}

Tables tables(const Pricer &pricer, const Layout &layout)
{
    const auto &in = pricer.prepared();
    const auto &setting = pricer.setting();
    LayerRecorder seen;
    const auto prices = layerPrices(in, setting, keyOf(in, layout), seen);
    const auto parts = stepOf(in, setting, layout, prices);
    Tables result;
    result.figures = pricer.price(layout);
    Assembly assembly(in, setting, layout, prices, seen, parts, result);
    assembly.operators();
    assembly.collectives();
    assembly.stages();
    return result;
}

} // namespace fleetwright::detailed
