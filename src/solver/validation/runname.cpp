// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/runname.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <ranges>
#include <utility>

namespace fleetwright::validation {

namespace {

constexpr std::string_view ownRuns = "own runs"; ///< as wordsOf() calls runs without a source

bool startsWith(std::string_view text, std::string_view start)
{
    return text.size() >= start.size()
        && std::ranges::equal(text.substr(0, start.size()), start,
            [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

/// "SXM", "SXM2", "80GB", "HBM2e", "NVL72": which variant of the accelerator it is.
bool isVariant(std::string_view part)
{
    const bool memory = !part.empty() && std::isdigit(static_cast<unsigned char>(part.front())) != 0
        && startsWith(part.substr(std::min(part.size(), part.find_first_not_of("0123456789"))), "GB");
    const bool domain = startsWith(part, "NVL") && part.size() > std::string_view("NVL").size();
    return memory || domain || startsWith(part, "SXM") || startsWith(part, "HBM");
}

std::string modelOf(const MeasuredRun &run)
{
    if (!run.model.name.empty())
        return run.model.name;
    if (run.model.layers && run.model.hidden)
        return std::to_string(*run.model.layers) + " layers of " + std::to_string(*run.model.hidden);
    return {};
}

} // namespace

std::string acceleratorName(std::string_view accelerator)
{
    std::string name;
    for (const auto each : std::views::split(accelerator, '-')) {
        const std::string_view part(each.begin(), each.end());
        if (name.empty())
            name = part;
        else if (!isVariant(part))
            name += " " + std::string(part);
    }
    return name;
}

std::string runName(const MeasuredRun &run)
{
    std::string name = modelOf(run);
    if (name.empty())
        return run.id;
    if (run.accelerators || !run.accelerator.empty())
        name += " on";
    if (run.accelerators)
        name += " " + std::to_string(*run.accelerators);
    if (!run.accelerator.empty())
        name += " " + acceleratorName(run.accelerator);
    else if (run.accelerators)
        name += *run.accelerators == 1 ? " accelerator" : " accelerators";
    const auto add = [&name](std::string_view what, const auto &degree, std::int64_t least = 2) {
        if (degree && *degree >= least)
            name += ", " + std::string(what) + " " + std::to_string(*degree);
    };
    add("TP", run.tp);
    add("PP", run.pp);
    add("VP", run.virtualStages);
    add("CP", run.cp);
    add("EP", run.ep);
    add("mb", run.microbatch, 1);
    return name;
}

namespace {

template <class Number> std::string statedAs(std::string_view what, const Number &number)
{
    return number ? std::string(what) + " " + std::to_string(*number) : std::string();
}
std::string statedAs(std::string_view what, const std::optional<bool> &flag)
{
    return flag ? (*flag ? "" : "no ") + std::string(what) : std::string();
}

/// What a run states beside its name, that which says most first; empty: nothing.
using ToldApartBy = std::string (*)(const MeasuredRun &);
constexpr std::array toldApartBy{
    ToldApartBy([](const MeasuredRun &run) { return statedAs("ZeRO stage", run.zeroStage); }),
    ToldApartBy([](const MeasuredRun &run) {
        return run.fsdp.empty() || run.fsdp.string().starts_with("FSDP") ? run.fsdp.string()
                                                                         : "FSDP " + run.fsdp.string();
    }),
    ToldApartBy([](const MeasuredRun &run) { return run.precision.string(); }),
    ToldApartBy([](const MeasuredRun &run) { return statedAs("batch", run.globalBatch); }),
    ToldApartBy([](const MeasuredRun &run) { return statedAs("sequence", run.sequenceLength); }),
    ToldApartBy(
        [](const MeasuredRun &run) { return run.recompute.empty() ? "" : "recompute " + run.recompute.string(); }),
    ToldApartBy([](const MeasuredRun &run) { return statedAs("sequence parallel", run.sequenceParallel); }),
    ToldApartBy([](const MeasuredRun &run) { return statedAs("distributed optimizer", run.distributedOptimizer); }),
    ToldApartBy([](const MeasuredRun &run) { return statedAs("ZeRO group", run.zeroGroup); }),
    ToldApartBy([](const MeasuredRun &run) { return statedAs("TP of experts", run.expertTp); }),
    ToldApartBy([](const MeasuredRun &run) { return statedAs("LoRA rank", run.loraRank); }),
    ToldApartBy([](const MeasuredRun &run) { return run.pipelineSchedule.string(); }),
    ToldApartBy([](const MeasuredRun &run) { return statedAs("fused attention", run.flashAttention); }),
    ToldApartBy([](const MeasuredRun &run) { return statedAs("heads", run.model.heads); }),
    ToldApartBy([](const MeasuredRun &run) { return run.accelerator.string(); }),
    ToldApartBy([](const MeasuredRun &run) { return run.framework.string(); }),
    ToldApartBy([](const MeasuredRun &run) { return run.submitter.string(); }),
    ToldApartBy([](const MeasuredRun &run) { return run.source.key.empty() ? "" : shortSourceName(run.source); }),
    ToldApartBy([](const MeasuredRun &run) { return run.source.date.string(); }),
    ToldApartBy([](const MeasuredRun &run) { return run.id; }),
};

/// Adds to the runs of one name so far what tells them apart, from the detail `next` on.
void tellApart(std::span<const MeasuredRun> runs, const std::vector<std::size_t> &alike, std::size_t next,
    std::unordered_map<std::size_t, std::string> &said)
{
    for (; alike.size() > 1 && next < toldApartBy.size(); ++next) {
        std::map<std::string, std::vector<std::size_t>> by;
        for (const auto run : alike)
            by[toldApartBy[next](runs[run])].push_back(run);
        if (by.size() < 2)
            continue;
        for (const auto &[detail, those] : by) {
            if (!detail.empty())
                for (const auto run : those)
                    said[run] += ", " + detail;
            tellApart(runs, those, next + 1, said);
        }
        return;
    }
}

} // namespace

std::unordered_map<std::size_t, std::string> nameDetails(std::span<const MeasuredRun> runs)
{
    std::unordered_map<std::string, std::vector<std::size_t>> named;
    for (std::size_t i = 0; i < runs.size(); ++i)
        named[runName(runs[i])].push_back(i);
    std::unordered_map<std::size_t, std::string> said;
    for (const auto &[name, those] : named)
        tellApart(runs, those, 0, said);
    return said;
}

std::string fieldInWords(std::string_view key)
{
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 16> names{
        {{"tp", "TP"}, {"pp", "PP"}, {"cp", "CP"}, {"dp", "DP"}, {"ep", "EP"}, {"etp", "TP of experts"},
            {"fsdp", "FSDP"}, {"zero_stage", "ZeRO stage"}, {"n_gpus", "number of accelerators"},
            {"gpus_per_node", "accelerators of a node"}, {"seq_len", "sequence length"}, {"micro_batch", "microbatch"},
            {"kv_heads", "key and value heads"}, {"ffn_hidden", "width of the feed-forward layers"},
            {"peak_memory", "peak memory"}, {"recompute", "recomputation"}}};
    if (const auto found = std::ranges::find(names, key, &std::pair<std::string_view, std::string_view>::first);
        found != names.end())
        return std::string(found->second);
    std::string name(key);
    std::ranges::replace(name, '_', ' ');
    return name;
}

std::string sourceName(const RunSource &source)
{
    std::string name = source.title.empty() ? std::string(source.key) : std::string(source.title);
    if (name.empty())
        name = ownRuns;
    return source.date.empty() ? name : name + ", " + std::string(source.date);
}

std::string shortSourceName(const RunSource &source)
{
    constexpr std::size_t longest = 30;
    if (source.title.empty())
        return source.key.empty() ? std::string(ownRuns) : std::string(source.key);
    std::string name = source.title;
    name.resize(std::min({name.size(), name.find(": "), name.find(" (")}));
    if (name.size() <= longest)
        return name;
    const auto end = name.rfind(' ', longest);
    if (end == std::string::npos) // one word, which may be of any letters
        return source.key.empty() ? name : std::string(source.key);
    name.resize(end);
    while (!name.empty() && (name.back() == ',' || name.back() == ' '))
        name.pop_back();
    return name + "\u2026";
}

NamedSources::NamedSources(std::span<const MeasuredRun> runs)
{
    for (const auto &run : runs)
        m_sources.try_emplace(run.source.key.empty() ? ownRuns : std::string_view(run.source.key), &run.source);
}

const RunSource *NamedSources::find(std::string_view key) const
{
    const auto found = m_sources.find(key.empty() ? ownRuns : key);
    return found != m_sources.end() ? found->second : nullptr;
}

std::string NamedSources::name(std::string_view key) const
{
    const auto *source = find(key);
    return source ? sourceName(*source) : std::string(key.empty() ? ownRuns : key);
}

std::string NamedSources::shortName(std::string_view key) const
{
    const auto *source = find(key);
    return source ? shortSourceName(*source) : std::string(key.empty() ? ownRuns : key);
}

} // namespace fleetwright::validation
