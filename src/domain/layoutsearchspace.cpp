// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/layoutsearchdocument.h"

#include "domain/parallelism.h"
#include "units/editdistance.h"

#include <algorithm>

namespace fleetwright {

namespace {

constexpr std::string_view everyValue = "any";

struct OptionText {
    LayoutSearchOption option;
    std::string_view key;
    std::string_view title;
    std::string_view sweepKey;
    int least, most;
};
constexpr std::array<OptionText, layoutSearchOptionCount> optionTexts{{
    {LayoutSearchOption::Tp, "tp", "TP", "parallelism.tp", 1, mostRanks},
    {LayoutSearchOption::Cp, "cp", "CP", "parallelism.cp", 1, mostRanks},
    {LayoutSearchOption::Pp, "pp", "PP", "parallelism.pp", 1, mostRanks},
    {LayoutSearchOption::Ep, "ep", "EP", "parallelism.ep", 1, mostRanks},
    {LayoutSearchOption::Dp, "dp", "DP", "parallelism.tp", 1, mostRanks},
    {LayoutSearchOption::VirtualStages, "virtual_stages", "Virtual stages", "parallelism.virtual_stages", 1, mostRanks},
    {LayoutSearchOption::MicrobatchSize, "microbatch_size", "Microbatch size", "training.microbatch_size", 1,
        mostRanks},
    {LayoutSearchOption::ZeroStage, "zero_stage", "ZeRO stage", "parallelism.zero_stage", 0, 3},
    {LayoutSearchOption::Recompute, "recompute", "Recompute", "training.recompute", 0, 2},
    {LayoutSearchOption::SequenceParallel, "sequence_parallel", "Sequence parallel", "parallelism.sequence_parallel", 0,
        1},
}};
const OptionText &textOf(LayoutSearchOption option) { return optionTexts[static_cast<std::size_t>(option)]; }

std::string fieldOf(LayoutSearchOption option) { return "space." + std::string(toString(option)); }

constexpr std::array<Recompute, 3> recomputes{Recompute::None, Recompute::Selective, Recompute::Full};

/// A value as sweeps hold it.
SettingValue settingOf(LayoutSearchOption option, int value)
{
    if (option == LayoutSearchOption::Recompute)
        return std::string(toString(recomputes[std::size_t(value)]));
    if (option == LayoutSearchOption::SequenceParallel)
        return value != 0;
    return double(value);
}

template <class Enum> struct Named {
    Enum value;
    std::string_view key;
};

constexpr std::array<Named<LayoutSearchObjective>, 5> objectives{
    {{LayoutSearchObjective::StepTime, "step_time"}, {LayoutSearchObjective::TokensPerSecond, "tokens_per_second"},
        {LayoutSearchObjective::Mfu, "mfu"}, {LayoutSearchObjective::MemoryHeadroom, "memory_headroom"},
        {LayoutSearchObjective::CostPerToken, "cost_per_token"}}};

constexpr std::array<Named<ParetoAxis>, 5> axes{
    {{ParetoAxis::StepTime, "step_time"}, {ParetoAxis::Memory, "memory"}, {ParetoAxis::CostPerToken, "cost_per_token"},
        {ParetoAxis::Accelerators, "accelerators"}, {ParetoAxis::GlobalBatch, "global_batch"}}};

template <class Entry, std::size_t Count>
auto parseNamed(const std::array<Entry, Count> &entries, std::string_view text, std::string_view field,
    std::string_view what) -> Expected<decltype(entries[0].value)>
{
    std::string known;
    std::vector<std::string_view> keys;
    for (const auto &entry : entries) {
        if (entry.key == text)
            return entry.value;
        keys.push_back(entry.key);
        known += (known.empty() ? "" : ", ") + std::string(entry.key);
    }
    return refuse(ErrorCode::UnsupportedValue, std::string(field),
        "\u201c" + std::string(text.substr(0, 60)) + "\u201d is no " + std::string(what)
            + didYouMean(text, keys, "; use one of " + known + "."));
}

} // namespace

int layoutSearchValueOf(const SettingValue &value)
{
    if (const auto *flag = std::get_if<bool>(&value))
        return *flag ? 1 : 0;
    if (const auto *word = std::get_if<std::string>(&value))
        return int(std::ranges::find(recomputes, *word, [](Recompute recompute) {
            return std::string(toString(recompute));
        }) - recomputes.begin());
    return int(std::get<double>(value));
}

std::string_view toString(LayoutSearchOption option) { return textOf(option).key; }
std::string_view titleOf(LayoutSearchOption option) { return textOf(option).title; }

std::optional<LayoutSearchOption> layoutSearchOptionOf(std::string_view sweepKey)
{
    for (const auto option : allLayoutSearchOptions)
        if (option != LayoutSearchOption::Dp && textOf(option).sweepKey == sweepKey)
            return option;
    return std::nullopt;
}

LayoutSearchSpace within(LayoutSearchSpace space, const LayoutSearchSpace &fixed)
{
    for (const auto option : allLayoutSearchOptions)
        if (space[option].empty())
            space[option] = fixed[option];
    space.tpAcrossDomains = space.tpAcrossDomains || fixed.tpAcrossDomains;
    space.unevenChunks = space.unevenChunks || fixed.unevenChunks;
    return space;
}

Expected<LayoutSearchOption> parseLayoutSearchOption(std::string_view text, std::string_view field)
{
    for (const auto option : allLayoutSearchOptions)
        if (toString(option) == text)
            return option;
    std::string known;
    for (const auto option : allLayoutSearchOptions)
        known += (known.empty() ? "" : ", ") + std::string(toString(option));
    return refuse(ErrorCode::UnsupportedValue, std::string(field),
        "\u201c" + std::string(text.substr(0, 60)) + "\u201d cannot be searched; use " + known + ".");
}

Expected<void> check(const LayoutSearchSpace &space)
{
    for (const auto option : allLayoutSearchOptions) {
        const auto &values = space[option];
        const auto &limits = textOf(option);
        if (values.size() > mostLayoutSearchValues)
            return refuse(ErrorCode::OutOfRange, fieldOf(option),
                std::string(limits.title) + " has " + std::to_string(values.size()) + " values; at most "
                    + std::to_string(mostLayoutSearchValues) + " are possible.");
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (values[i] < limits.least || values[i] > limits.most)
                return refuse(ErrorCode::OutOfRange, fieldOf(option),
                    std::string(limits.title) + " must be " + std::to_string(limits.least) + " to "
                        + std::to_string(limits.most) + ", not " + std::to_string(values[i]) + ".");
            if (i > 0 && values[i] <= values[i - 1])
                return refuse(ErrorCode::OutOfRange, fieldOf(option),
                    "The values of " + std::string(limits.title) + " must rise; " + std::to_string(values[i])
                        + " comes after " + std::to_string(values[i - 1]) + ".");
        }
    }
    return {};
}

Expected<std::vector<int>> parseLayoutSearchValues(LayoutSearchOption option, std::string_view text)
{
    constexpr std::string_view blanks = " \t\u00a0";
    const auto first = text.find_first_not_of(blanks);
    text = first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(blanks) - first + 1);
    if (text.empty() || text == everyValue)
        return std::vector<int>();
    auto key = *findSweepKey(textOf(option).sweepKey);
    key.label = titleOf(option);
    const auto parsed = parseValues(key, text, Catalog{}, fieldOf(option));
    if (!parsed)
        return std::unexpected(parsed.error());
    std::vector<int> values;
    for (const auto &value : *parsed)
        values.push_back(layoutSearchValueOf(value));
    std::ranges::sort(values);
    return values;
}

std::string searchValuesToText(LayoutSearchOption option, std::span<const int> values)
{
    if (values.empty())
        return std::string(everyValue);
    std::vector<SettingValue> settings;
    for (const int value : values)
        settings.push_back(settingOf(option, value));
    return valuesToText(axisOf(textOf(option).sweepKey, settings));
}

std::string_view toString(LayoutSearchObjective objective)
{
    return objectives[static_cast<std::size_t>(objective)].key;
}
Expected<LayoutSearchObjective> parseLayoutSearchObjective(std::string_view text, std::string_view field)
{
    return parseNamed(objectives, text, field, "objective");
}

std::string_view toString(ParetoAxis axis) { return axes[static_cast<std::size_t>(axis)].key; }
Expected<ParetoAxis> parseParetoAxis(std::string_view text, std::string_view field)
{
    return parseNamed(axes, text, field, "axis of a Pareto front");
}

Expected<void> check(const LayoutSearchDocument &document)
{
    if (auto ok = check(document.space); !ok)
        return ok;
    if (document.rows < 1 || document.rows > mostLayoutSearchRows)
        return refuse(ErrorCode::OutOfRange, "rows",
            "The number of layouts to keep must be 1 to " + std::to_string(mostLayoutSearchRows) + ".");
    if (document.pareto[0] == document.pareto[1])
        return refuse(ErrorCode::UnsupportedValue, "pareto",
            "A Pareto front trades two different figures; choose another one beside "
                + std::string(toString(document.pareto[0])) + ".");
    if (!document.cases)
        return {};
    const auto &points = document.cases->points;
    if (points.empty() || points.size() > mostLayoutSearchCases)
        return refuse(ErrorCode::OutOfRange, "cases",
            "A search runs over 1 to " + std::to_string(mostLayoutSearchCases) + " cases, not "
                + std::to_string(points.size()) + ".");
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (points[i].settings.empty())
            return refuse(ErrorCode::MissingField, "cases.points[" + std::to_string(i) + "]",
                "A case must set something; name a key and its value.");
        for (const auto &setting : points[i].settings)
            if (auto ok = check(setting, "cases.points[" + std::to_string(i) + "]." + setting.key); !ok)
                return ok;
    }
    return {};
}

} // namespace fleetwright
