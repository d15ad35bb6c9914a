// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/sweepfigures.h"

#include "units/editdistance.h"

#include <algorithm>
#include <cmath>

namespace fleetwright {

namespace {

using units::Dimension;
using Reading = std::optional<double> (*)(const Solution &);

struct Entry {
    SweepFigure figure;
    Reading read;
};

template <class Q> std::optional<double> raw(const std::optional<Q> &quantity) { return quantity ? std::optional(quantity->value()) : std::nullopt; }
std::optional<double> raw(const std::optional<double> &value) { return value; }

std::optional<double> memory(const Solution &solution, std::optional<Bytes> (*part)(const MemoryEstimate &))
{
    return solution.estimate.memory ? raw(part(*solution.estimate.memory)) : std::nullopt;
}

#define ESTIMATE(member) [](const Solution &s) { return raw(s.estimate.member); }
#define RUN(member) [](const Solution &s) { return raw(s.run.member); }
#define MEMORY(member) [](const Solution &s) { return memory(s, [](const MemoryEstimate &m) { return std::optional<Bytes>(m.member); }); }

const std::vector<Entry> &entries()
{
    static const std::vector<Entry> all{
        {{"step_time_s", "Step time", Dimension::Time, Better::Lower}, ESTIMATE(stepTime)},
        {{"tokens_per_s", "Tokens per second", Dimension::Number, Better::Higher}, ESTIMATE(tokensPerSecond)},
        {{"samples_per_s", "Sequences per second", Dimension::Number, Better::Higher}, ESTIMATE(samplesPerSecond)},
        {{"mfu", "MFU", Dimension::Fraction, Better::Higher}, ESTIMATE(mfu)},
        {{"hfu", "HFU", Dimension::Fraction, Better::Higher}, ESTIMATE(hfu)},
        {{"scaling_efficiency", "Scaling efficiency", Dimension::Fraction, Better::Higher}, ESTIMATE(scalingEfficiency)},
        {{"bubble_fraction", "Bubble", Dimension::Fraction, Better::Lower}, ESTIMATE(bubbleFraction)},
        {{"flops_per_accelerator_per_s", "Model FLOP/s per accelerator", Dimension::ComputeRate, Better::Higher}, ESTIMATE(flopsPerAccelerator)},
        {{"compute_time_s", "Computation", Dimension::Time, Better::Lower}, ESTIMATE(computeTime)},
        {{"exposed_comm_time_s", "Exposed communication", Dimension::Time, Better::Lower}, ESTIMATE(exposedCommTime)},
        {{"dp_comm_time_s", "DP communication", Dimension::Time, Better::Lower}, ESTIMATE(dpCommTime)},
        {{"tp_comm_time_s", "TP communication", Dimension::Time, Better::Lower}, ESTIMATE(tpCommTime)},
        {{"pp_comm_time_s", "PP communication", Dimension::Time, Better::Lower}, ESTIMATE(ppCommTime)},
        {{"cp_comm_time_s", "CP communication", Dimension::Time, Better::Lower}, ESTIMATE(cpCommTime)},
        {{"ep_comm_time_s", "EP communication", Dimension::Time, Better::Lower}, ESTIMATE(epCommTime)},
        {{"bubble_time_s", "Bubble time", Dimension::Time, Better::Lower}, ESTIMATE(bubbleTime)},
        {{"optimizer_time_s", "Optimizer", Dimension::Time, Better::Lower}, ESTIMATE(optimizerTime)},
        {{"overhead_time_s", "Overheads", Dimension::Time, Better::Lower}, ESTIMATE(overheadTime)},
        {{"memory.total_bytes", "Memory per accelerator", Dimension::Information, Better::Lower}, MEMORY(total)},
        {{"memory.weights_bytes", "Weights", Dimension::Information, Better::Lower}, MEMORY(weights)},
        {{"memory.gradients_bytes", "Gradients", Dimension::Information, Better::Lower}, MEMORY(gradients)},
        {{"memory.optimizer_bytes", "Optimizer states", Dimension::Information, Better::Lower}, MEMORY(optimizer)},
        {{"memory.activations_bytes", "Activations", Dimension::Information, Better::Lower}, MEMORY(activations)},
        {{"duration_s", "Training time", Dimension::Time, Better::Lower}, RUN(duration)},
        {{"accelerator_hours", "Accelerator-hours", Dimension::Number, Better::Lower}, RUN(acceleratorHours)},
        {{"it_power_w", "IT power", Dimension::Power, Better::Lower}, RUN(itPower)},
        {{"facility_power_w", "Facility power", Dimension::Power, Better::Lower}, RUN(facilityPower)},
        {{"cost_usd", "Cost at the lowest cloud price", Dimension::Money, Better::Lower}, RUN(cost)},
        {{"parallelism.dp", "DP replicas", Dimension::Number, Better::Neither}, [](const Solution &s) { return std::optional(double(s.estimate.dp)); }},
    };
    return all;
}

#undef ESTIMATE
#undef RUN
#undef MEMORY

constexpr std::string_view detailPrefix = "details.";

const DetailDescriptor *findDetail(std::string_view key)
{
    for (const auto *model : costModels())
        for (const auto &detail : model->details())
            if (detail.key == key)
                return &detail;
    return nullptr;
}

} // namespace

std::span<const SweepFigure> sweepFigures()
{
    static const std::vector<SweepFigure> figures = [] {
        std::vector<SweepFigure> list;
        for (const auto &entry : entries())
            list.push_back(entry.figure);
        return list;
    }();
    return figures;
}

Expected<SweepFigure> findSweepFigure(std::string_view key, std::string_view field)
{
    if (const auto found = std::ranges::find(sweepFigures(), key, &SweepFigure::key); found != sweepFigures().end())
        return *found;
    if (key.starts_with(detailPrefix))
        if (const auto *detail = findDetail(key.substr(detailPrefix.size())))
            return SweepFigure{std::string(key), std::string(detail->label), detail->dimension, Better::Neither};
    const std::string shown(key.substr(0, 80));
    std::string sentence = "There is no figure \u201c" + shown + "\u201d";
    const auto nearest = std::ranges::min_element(sweepFigures(), {}, [&](const SweepFigure &figure) { return editDistance(figure.key, shown); });
    if (editDistance(nearest->key, shown) <= std::max<std::size_t>(3, shown.size() / 4))
        sentence += "; did you mean \u201c" + nearest->key + "\u201d?";
    else
        sentence += "; name one of an estimate, such as step_time_s, mfu, scaling_efficiency, bubble_fraction or memory.total_bytes.";
    return refuse(ErrorCode::UnsupportedValue, std::string(field), std::move(sentence));
}

std::optional<double> figureOf(const Solution &solution, std::string_view key)
{
    std::optional<double> value;
    if (key.starts_with(detailPrefix)) {
        const auto model = findCostModel(solution.costModelId);
        if (!model)
            return std::nullopt;
        const auto details = (*model)->details();
        for (std::size_t i = 0; i < std::min(details.size(), solution.estimate.details.size()); ++i)
            if (details[i].key == key.substr(detailPrefix.size()))
                value = solution.estimate.details[i];
    } else if (const auto entry = std::ranges::find(entries(), key, [](const Entry &e) { return std::string_view(e.figure.key); }); entry != entries().end()) {
        value = entry->read(solution);
    }
    return value && std::isfinite(*value) ? value : std::nullopt;
}

} // namespace fleetwright
