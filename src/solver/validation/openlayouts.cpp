// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/openlayouts.h"

#include "solver/models/detailed/pricer.h"
#include "solver/validation/runprice.h"
#include "solver/validation/runsoftware.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace fleetwright::validation {

namespace {

using PricedLayout = detailed::Layout;

/// Layouts with each value of a field in place of the stated one.
template <typename Values>
std::vector<PricedLayout> with(
    const std::vector<PricedLayout> &layouts, std::int64_t PricedLayout::*field, const Values &values)
{
    std::vector<PricedLayout> made;
    for (const auto &layout : layouts)
        for (const auto value : values) {
            made.push_back(layout);
            made.back().*field = value;
        }
    return made;
}

std::vector<std::int64_t> microbatchSizes(std::int64_t rankBatch)
{
    std::vector<std::int64_t> sizes;
    for (std::int64_t size = 1; size <= rankBatch && rankBatch % size == 0; size *= 2)
        sizes.push_back(size);
    return sizes;
}

std::vector<std::int64_t> virtualStages(std::int64_t layers, std::int64_t stages)
{
    const auto perStage = (layers + stages - 1) / stages;
    constexpr std::int64_t mostLayers = 4096; // of a stage; a model of more is none
    std::vector<std::int64_t> numbers;
    if (perStage > mostLayers)
        return numbers;
    for (std::int64_t v = 2; v <= perStage; ++v)
        if (perStage % v == 0)
            numbers.push_back(v);
    return numbers;
}

/// Those that are legal and fit; where none fits, of the legal ones that with least memory.
std::vector<PricedLayout> possible(const detailed::Pricer &pricer, std::vector<PricedLayout> layouts)
{
    std::erase_if(layouts, [&pricer](const PricedLayout &layout) { return !pricer.isLegal(layout); });
    std::vector<PricedLayout> fitting;
    std::ranges::copy_if(layouts, std::back_inserter(fitting),
        [&pricer](const PricedLayout &layout) { return pricer.price(layout).fits; });
    if (!fitting.empty() || layouts.empty())
        return fitting;
    return {*std::ranges::min_element(
        layouts, {}, [&pricer](const PricedLayout &layout) { return pricer.price(layout).memory.device.value(); })};
}

std::string listed(const std::vector<PricedLayout> &layouts, std::int64_t PricedLayout::*field)
{
    std::set<std::int64_t> values;
    for (const auto &layout : layouts)
        values.insert(layout.*field);
    std::string text;
    for (const auto value : values)
        text += (text.empty() ? "" : ", ") + std::to_string(value);
    return text;
}

} // namespace

void readOpenLayout(const MeasuredRun &run, RunConfiguration &configuration)
{
    const auto &setting = configuration.setting;
    auto &layout = configuration.layout;
    const bool openStages = layout.pp > 1 && stated(run.virtualStages) == 0
        && setting.stack.software == detailed::Software::MegatronCore;
    const bool openSize = stated(run.microbatch) == 0;
    if (!openStages && !openSize)
        return;
    const auto pricer = detailed::Pricer::make(setting);
    if (!pricer)
        return;
    std::vector<PricedLayout> likely{layout};
    if (openSize)
        likely = with(likely, &PricedLayout::microbatch, microbatchSizes(setting.globalBatch / layout.dp));
    if (openStages) {
        auto interleaved = possible(
            *pricer, with(likely, &PricedLayout::virtualStages, virtualStages(setting.architecture.layers, layout.pp)));
        const bool fits = !interleaved.empty() && pricer->price(interleaved.front()).fits;
        if (fits)
            likely = std::move(interleaved);
    }
    likely = possible(*pricer, std::move(likely));
    if (likely.empty())
        return;
    constexpr auto within = "what the software would do within its memory";
    if (openStages)
        configuration.readings.push_back({"virtual_stages", listed(likely, &PricedLayout::virtualStages), within});
    if (openSize)
        configuration.readings.push_back({"micro_batch", listed(likely, &PricedLayout::microbatch), within});
    configuration.likely = std::move(likely);
    const auto step = likelyStep(*pricer, configuration);
    layout = *std::ranges::min_element(configuration.likely, {}, [&](const PricedLayout &candidate) {
        return std::abs(std::log(pricer->price(candidate).stepTime / step.mean));
    });
    if (configuration.likely.size() == 1)
        configuration.likely.clear();
}

} // namespace fleetwright::validation
