// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/predictionrange.h"

#include "solver/validation/parametercounts.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace fleetwright::validation {

namespace {

using detailed::Family;
using detailed::Setting;

/// What makes a run comparable with a plan, strictest first.
enum class Likeness { FamilyParallelismSize, FamilyParallelism, Family, Any };

struct Asked {
    Family family;
    std::string parallelism, size;
};

bool isLike(const ReferenceRun &run, const Asked &asked, Likeness likeness)
{
    switch (likeness) {
    case Likeness::FamilyParallelismSize:
        return run.family == asked.family && run.parallelism == asked.parallelism && run.size == asked.size;
    case Likeness::FamilyParallelism: return run.family == asked.family && run.parallelism == asked.parallelism;
    case Likeness::Family: return run.family == asked.family;
    case Likeness::Any: return true;
    }
    return true;
}

std::string plain(double count) { return units::format(count, units::Dimension::Number); }
std::string counted(double count, std::string_view one, std::string_view many)
{
    return plain(count) + " " + std::string(count == 1 ? one : many);
}

struct Weighted {
    double value = 0, weight = 0;
};

/// The value below which the share of the weight lies, linear between the middles of the weights.
double quantile(std::vector<Weighted> values, double share)
{
    std::ranges::sort(values, {}, &Weighted::value);
    double total = 0;
    for (const auto &entry : values)
        total += entry.weight;
    double before = 0, lastMiddle = 0, lastValue = values.front().value;
    for (const auto &entry : values) {
        const double middle = (before + entry.weight / 2) / total;
        if (middle >= share)
            return middle > lastMiddle && lastMiddle > 0
                ? lastValue + (entry.value - lastValue) * (share - lastMiddle) / (middle - lastMiddle)
                : entry.value;
        before += entry.weight;
        lastMiddle = middle;
        lastValue = entry.value;
    }
    return values.back().value;
}

/// Every source counts alike, however many runs it published.
std::vector<Weighted> weighted(const std::vector<const ReferenceRun *> &runs, auto figure)
{
    std::map<std::string_view, int> counts;
    for (const auto *run : runs)
        ++counts[run->source];
    std::vector<Weighted> values;
    for (const auto *run : runs)
        values.push_back({figure(*run), 1.0 / counts[run->source]});
    return values;
}

int sourcesOf(const std::vector<const ReferenceRun *> &runs)
{
    std::set<std::string_view> sources;
    for (const auto *run : runs)
        sources.insert(run->source);
    return static_cast<int>(sources.size());
}

std::string describe(const std::vector<const ReferenceRun *> &runs, const Asked &asked, Likeness likeness)
{
    std::string text = counted(double(runs.size()), "run", "runs");
    if (likeness != Likeness::Any)
        text += " on " + std::string(detailed::toString(asked.family));
    if (likeness == Likeness::FamilyParallelism || likeness == Likeness::FamilyParallelismSize)
        text += " with " + asked.parallelism;
    if (likeness == Likeness::FamilyParallelismSize)
        text += ", " + asked.size;
    if (likeness == Likeness::Any)
        text += " on any accelerator";
    return text + ", of " + counted(sourcesOf(runs), "source", "sources");
}

/// Sentences on what of the plan no run had.
class Outside {
public:
    Outside(std::span<const ReferenceRun> runs, const Setting &setting, const detailed::Layout &layout)
        : m_setting(setting), m_layout(layout), m_family(detailed::toString(setting.machine.family))
    {
        for (const auto &run : runs) {
            m_all.push_back(&run);
            if (run.family == setting.machine.family)
                m_same.push_back(&run);
        }
    }

    std::vector<std::string> sentences()
    {
        if (m_same.empty()) {
            add("No run on " + m_family + " was validated; the constants of the family are used untested.");
            return std::move(m_sentences);
        }
        accelerator();
        features();
        scale();
        return std::move(m_sentences);
    }

private:
    void add(std::string sentence) { m_sentences.push_back(std::move(sentence)); }
    bool seen(auto property) const { return std::ranges::any_of(m_same, property); }

    void unseen(bool planHasIt, const std::string &feature, auto property)
    {
        if (planHasIt && !seen(property))
            add("No validated run on " + m_family + " has " + feature + "; the plan has.");
    }

    /// The setting knows figures, not names: an accelerator is one that ran where its figures are those of one that
    /// did.
    void accelerator()
    {
        constexpr double same = 0.1;
        const auto near = [](auto a, auto b) { return std::abs(a / b - 1.0) <= same; };
        std::set<std::string> names;
        for (const auto *run : m_same) {
            const auto known = std::ranges::find(
                knownMachines(), std::string_view(run->accelerator), &KnownMachine::name);
            if (known == knownMachines().end())
                continue;
            const auto &machine = known->machine;
            if (near(machine.peak16, m_setting.machine.peak16)
                && near(machine.memoryBandwidth, m_setting.machine.memoryBandwidth)
                && near(machine.scaleUp, m_setting.machine.scaleUp))
                return;
            names.insert(run->accelerator);
        }
        std::string list;
        for (const auto &name : names)
            list += (list.empty() ? "" : ", ") + name;
        add("No validated run is on an accelerator with these peaks, memory and scale-up links ("
            + units::format(m_setting.machine.peak16) + ", " + units::format(m_setting.machine.memoryBandwidth) + ", "
            + units::format(m_setting.machine.scaleUp) + "); the runs of its family " + m_family + " are on " + list
            + ".");
    }

    void features()
    {
        const int bits = m_setting.precisionBits;
        unseen(m_layout.cp > 1, "context parallelism", [](const auto *run) { return run->contextParallel; });
        unseen(m_setting.architecture.experts > 0, "experts", [](const auto *run) { return run->experts; });
        unseen(m_setting.lora, "LoRA", [](const auto *run) { return run->lora; });
        unseen(m_layout.pp > 1, "pipeline parallelism", [](const auto *run) { return run->pipelineParallel; });
        unseen(m_layout.tp > 1, "tensor parallelism", [](const auto *run) { return run->tensorParallel; });
        unseen(m_layout.zeroStage == 3, "sharded parameters (ZeRO-3, FSDP)",
            [](const auto *run) { return run->shardedParameters; });
        unseen(bits != 16 || !seen([](const auto *run) { return run->precisionBits == 16; }),
            std::to_string(bits) + "-bit products", [bits](const auto *run) { return run->precisionBits == bits; });
        if (m_setting.constants != detailed::Constants())
            add("The runs were validated with the published constants; the plan has edited ones.");
        if (!m_setting.causal)
            add("Every validated run has causal attention; the plan has not.");
    }

    void scale()
    {
        const auto most = [this](auto figure) {
            return figure(**std::ranges::max_element(m_same, {}, [&](const auto *run) { return figure(*run); }));
        };
        const auto least = [this](auto figure) {
            return figure(**std::ranges::min_element(m_same, {}, [&](const auto *run) { return figure(*run); }));
        };
        constexpr double far = 10, twice = 2;
        const auto size = [&](const std::string &what, auto figure, const char *one, const char *many,
                              const std::string &own, double value, double above, const char *times) {
            if (value > above * most(figure))
                add("The largest " + what + m_family + " has " + counted(most(figure), one, many) + "; " + own + " has "
                    + plain(value) + ", more than " + times + " as many.");
            if (value * far < least(figure))
                add("The smallest " + what + m_family + " has " + counted(least(figure), one, many) + "; " + own
                    + " has " + plain(value) + ", less than a tenth.");
        };
        size(
            "validated run on ", [](const ReferenceRun &run) { return double(run.accelerators); }, "accelerator",
            "accelerators", "the plan", double(m_setting.accelerators), far, "ten times");
        const auto sequence = [](const ReferenceRun &run) { return double(run.sequenceLength); };
        if (const auto s = double(m_setting.sequenceLength); s > most(sequence))
            add("The longest sequence validated on " + m_family + " has " + counted(most(sequence), "token", "tokens")
                + "; the plan's has " + plain(s) + ".");
        size(
            "model validated on ", [](const ReferenceRun &run) { return run.parameters; }, "parameter", "parameters",
            "the plan's", ParameterCounts::total(m_setting.architecture), twice, "twice");
        const auto stages = [](const ReferenceRun &run) { return double(run.stages); };
        if (const auto stagesAsked = double(m_layout.pp); m_layout.pp > 1
            && seen([](const auto *run) { return run->pipelineParallel; }) && stagesAsked > twice * most(stages))
            add("The longest pipeline validated on " + m_family + " has " + counted(most(stages), "stage", "stages")
                + "; the plan's has " + plain(stagesAsked) + ".");
    }

    const Setting &m_setting;
    const detailed::Layout &m_layout;
    std::string m_family;
    std::vector<const ReferenceRun *> m_all, m_same;
    std::vector<std::string> m_sentences;
};

} // namespace

RangeTable::RangeTable(std::vector<ReferenceRun> runs) : m_runs(std::move(runs)) { }

PredictionRange RangeTable::rangeOf(const Setting &setting, const detailed::Layout &layout, Seconds stepTime) const
{
    PredictionRange range{.low = stepTime, .high = stepTime};
    if (m_runs.empty()) {
        range.comparable = "no run to compare with";
        range.outside.emplace_back("No measured run was scored, so nothing is validated.");
        return range;
    }
    const Asked asked{
        setting.machine.family, parallelismKind(layout), sizeClass(ParameterCounts::total(setting.architecture))};
    constexpr std::size_t fewestRuns = 12;
    constexpr int fewestSources = 2;
    std::vector<const ReferenceRun *> like;
    for (const auto likeness :
        {Likeness::FamilyParallelismSize, Likeness::FamilyParallelism, Likeness::Family, Likeness::Any}) {
        like.clear();
        for (const auto &run : m_runs)
            if (isLike(run, asked, likeness))
                like.push_back(&run);
        range.comparable = describe(like, asked, likeness);
        if (like.size() >= fewestRuns && sourcesOf(like) >= fewestSources)
            break;
    }
    range.runs = static_cast<int>(like.size());
    range.sources = sourcesOf(like);
    constexpr double tenth = 0.1, half = 0.5;
    const double tail = tenth * range.sources / (range.sources + 2.0);
    const auto ratios = weighted(
        like, [](const ReferenceRun &run) { return 1 / (1 + run.error); }); // measured over predicted
    // A prediction must lie in its own range, even where all comparable runs err on one side.
    range.low = stepTime * std::min(1.0, quantile(ratios, tail));
    range.high = stepTime * std::max(1.0, quantile(ratios, 1 - tail));
    range.typicalError = quantile(weighted(like, [](const ReferenceRun &run) { return std::abs(run.error); }), half);
    range.outside = Outside(m_runs, setting, layout).sentences();
    return range;
}

std::vector<ReferenceRun> referenceRuns(std::span<const MeasuredRun> runs, const detailed::Constants &constants)
{
    std::vector<ReferenceRun> reference;
    const auto validation = validate(runs, "detailed", constants);
    if (!validation)
        return reference;
    for (const auto &scored : validation->runs) {
        if (!scored.timed)
            continue;
        const auto &run = runs[scored.run];
        const auto configuration = configurationFrom(run);
        if (!configuration)
            continue;
        const auto &setting = configuration->setting;
        const auto &layout = configuration->layout;
        constexpr int shardedParameters = 3;
        reference.push_back({.source = run.source.key,
            .family = setting.machine.family,
            .accelerator = run.accelerator,
            .parallelism = parallelismKind(layout),
            .size = sizeClass(ParameterCounts::total(setting.architecture)),
            .precisionBits = setting.precisionBits,
            .experts = setting.architecture.experts > 0,
            .lora = setting.lora,
            .contextParallel = layout.cp > 1,
            .tensorParallel = layout.tp > 1,
            .pipelineParallel = layout.pp > 1,
            .shardedParameters = layout.zeroStage == shardedParameters,
            .accelerators = setting.accelerators,
            .sequenceLength = setting.sequenceLength,
            .stages = layout.pp,
            .parameters = ParameterCounts::total(setting.architecture),
            .error = scored.error});
    }
    return reference;
}

} // namespace fleetwright::validation
