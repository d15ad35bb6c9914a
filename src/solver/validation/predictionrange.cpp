// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/predictionrange.h"

#include "solver/validation/parametercounts.h"
#include "solver/validation/runprice.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace fleetwright::validation {

namespace {

using detailed::Setting;

std::string plain(double count) { return units::format(count, units::Dimension::Number); }
using units::counted;

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
    const ReferenceRun *last = nullptr;
    for (const auto *run : runs) // those of a source stand together
        if (!last || run->source != last->source) {
            sources.insert(run->source);
            last = run;
        }
    return static_cast<int>(sources.size());
}

std::string describe(RangeGroup group, int runs, int sources)
{
    return counted(runs, "run", "runs") + " with " + std::string(inWords(group)) + ", of "
        + counted(sources, "source", "sources");
}

/// Sentences on what of the plan no run had.
class Outside {
public:
    Outside(std::span<const ReferenceRun> runs, const Setting &setting, const detailed::Layout &layout)
        : m_setting(setting), m_layout(layout), m_family(detailed::toString(setting.machine.family))
    {
        for (const auto &run : runs) {
            m_all.push_back(&run);
            if (run.family == setting.machine.family && run.nearestFamilies == setting.families.isNearest())
                m_same.push_back(&run);
        }
    }

    std::vector<std::string> sentences()
    {
        if (m_same.empty()) {
            add("No run on " + m_family + " was validated; the constants of the family are used untested.");
            return std::move(m_sentences);
        }
        accelerator(); // what weighs most comes first
        scale();
        features();
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
            add(std::string(editedConstantsSentence));
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

/// Of a range, as a logarithm: what is left open and hardware without runs come in quadrature.
double widthOf(double group, double openDeviation, bool withoutRuns)
{
    return std::hypot(group, normalQuantile * openDeviation, withoutRuns ? detailed::nearestFamilyHalfWidth : 0.0);
}

} // namespace

std::string_view inWords(RangeGroup group)
{
    switch (group) {
    case RangeGroup::Tuned: return "tuned software and dense models";
    case RangeGroup::TunedBlackwell: return "tuned software and dense models on Blackwell";
    case RangeGroup::Framework: return "framework software and dense models";
    case RangeGroup::FrameworkEightBit: return "framework software and dense models in 8 or 4 bits";
    case RangeGroup::Adapters: return "adapters (LoRA)";
    case RangeGroup::Experts: return "experts (MoE)";
    case RangeGroup::Research: return "research software";
    }
    return "any software";
}

RangeGroup rangeGroupOf(const Setting &setting)
{
    using detailed::Family;
    using detailed::Software;
    const auto software = setting.stack.software;
    if (software == Software::Research)
        return RangeGroup::Research;
    if (setting.architecture.experts > 0)
        return RangeGroup::Experts;
    if (setting.lora)
        return RangeGroup::Adapters;
    if (software != Software::MegatronCore && software != Software::MegatronV2)
        return setting.precisionBits < 16 ? RangeGroup::FrameworkEightBit : RangeGroup::Framework;
    const auto family = setting.machine.family;
    return family == Family::Blackwell || family == Family::BlackwellUltra ? RangeGroup::TunedBlackwell
                                                                           : RangeGroup::Tuned;
}

Coverage coverageOf(std::span<const CoveredRun> runs)
{
    std::map<std::string_view, std::vector<const CoveredRun *>> bySource;
    for (const auto &run : runs)
        bySource[run.source].push_back(&run);
    Coverage coverage;
    std::vector<double> shares;
    for (const auto &[source, members] : bySource) {
        std::vector<Weighted> widths;
        double inside = 0;
        for (const auto *run : members) {
            inside += run->inside;
            widths.push_back({run->halfWidth, 1});
        }
        constexpr double half = 0.5;
        shares.push_back(inside / double(members.size()));
        coverage.sources.push_back({.source = std::string(source),
            .runs = static_cast<int>(members.size()),
            .covered = shares.back(),
            .halfWidth = quantile(std::move(widths), half)});
    }
    if (shares.empty())
        return coverage;
    std::ranges::sort(shares);
    const auto meanOfFirst = [&](std::size_t count) {
        return std::accumulate(shares.begin(), shares.begin() + std::ptrdiff_t(count), 0.0) / double(count);
    };
    const auto quarter = shares.size() / 4;
    coverage.mean = meanOfFirst(shares.size());
    coverage.worstQuarter = meanOfFirst(coverage.worstSources());
    coverage.quartile = shares[quarter];
    return coverage;
}

RangeTable::RangeTable(std::vector<ReferenceRun> runs) : m_runs(std::move(runs))
{
    std::set<std::string_view> sources{{}};
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        sources.insert(m_runs[i].source);
        m_places.emplace(std::pair(std::string_view(m_runs[i].source), std::string_view(m_runs[i].id)), i);
        if (m_runs[i].nearestFamilies)
            continue;
        if (auto &of = m_products[{m_runs[i].family, m_runs[i].precisionBits}];
            std::ranges::find(of, m_runs[i].source) == of.end())
            of.emplace_back(m_runs[i].source);
    }
    for (const auto source : sources)
        for (const auto group : allRangeGroups)
            m_quantiles.emplace(std::pair(std::string(source), group), quantileOf(group, source));
    fitScale();
}

namespace {

double sizeOf(const ReferenceRun &run) { return std::abs(run.logError); }

/// The quantile of the kind of software and model that is off most: what to expect of a kind that nobody measured.
double widest(const std::vector<const ReferenceRun *> &runs, double least)
{
    constexpr int fewestSources = 3;
    for (const auto group : allRangeGroups) {
        std::vector<const ReferenceRun *> members;
        std::ranges::copy_if(
            runs, std::back_inserter(members), [group](const ReferenceRun *run) { return run->group == group; });
        if (sourcesOf(members) >= fewestSources)
            least = std::max(least, quantile(weighted(members, sizeOf), rangeCoverage));
    }
    return least;
}

} // namespace

/// Of the sizes of the logarithmic errors, without the source.
double RangeTable::quantileOf(RangeGroup group, std::string_view withoutSource) const
{
    std::vector<const ReferenceRun *> all, members;
    for (const auto &run : m_runs) {
        if (!run.teaches || (!withoutSource.empty() && run.source == withoutSource))
            continue;
        all.push_back(&run);
        if (run.group == group)
            members.push_back(&run);
    }
    if (all.empty())
        return 0;
    const double ofAll = quantile(weighted(all, sizeOf), rangeCoverage);
    if (members.empty())
        return widest(all, ofAll);
    constexpr double pseudoSources = 2; // what a group of few sources borrows from all
    const double sources = sourcesOf(members);
    const double borrowed = sources > 1 ? ofAll : widest(all, ofAll); // one source is no sample
    return (sources * quantile(weighted(members, sizeOf), rangeCoverage) + pseudoSources * borrowed)
        / (sources + pseudoSources);
}

/// A source differs from those that the quantiles were taken from by more than they differ from each other, so what
/// the quantiles lack is measured: each source is predicted from the others and all widths grow, or shrink, alike until
/// the mean over sources is covered.
void RangeTable::fitScale()
{
    std::map<std::string_view, std::vector<double>> needed; // the scale that each run needs, by source
    std::vector<double> candidates;
    for (const auto &run : m_runs) {
        if (!run.teaches)
            continue;
        const double width = m_quantiles.at({run.source, run.group});
        if (!(width > 0))
            return; // nothing but this source, or no error at all
        candidates.push_back(std::abs(run.logError) / width);
        needed[run.source].push_back(candidates.back());
    }
    constexpr std::size_t fewestSources = 5;
    if (needed.size() < fewestSources)
        return;
    const auto covers = [&](double scale) {
        double sum = 0;
        for (const auto &[source, scales] : needed)
            sum += double(std::ranges::count_if(scales, [scale](double own) { return own <= scale; }))
                / double(scales.size());
        return sum / double(needed.size());
    };
    std::ranges::sort(candidates);
    constexpr double wanted = 0.84; // sites to come differ more than those that published
    const auto enough = std::ranges::partition_point(candidates, [&](double scale) { return covers(scale) < wanted; });
    m_scale = enough == candidates.end() ? candidates.back() : *enough;
}

double RangeTable::halfWidth(RangeGroup group, std::string_view withoutSource) const
{
    auto found = m_quantiles.find({std::string(withoutSource), group});
    if (found == m_quantiles.end())
        found = m_quantiles.find({std::string(), group}); // a source that has no runs here
    return found == m_quantiles.end() ? 0 : m_scale * found->second;
}

Coverage RangeTable::coverage() const
{
    std::vector<CoveredRun> covered;
    for (const auto &run : m_runs) {
        const double width = widthOf(halfWidth(run.group, run.source), run.openDeviation, run.nearestFamilies);
        covered.push_back({run.source, std::abs(run.logError) <= width, width});
    }
    return coverageOf(covered);
}

const ReferenceRun *RangeTable::find(std::string_view source, std::string_view id) const
{
    const auto found = m_places.find({source, id});
    return found == m_places.end() ? nullptr : &m_runs[found->second];
}

double RangeTable::halfWidthOf(const Setting &setting, const RangeQuestion &question) const
{
    const auto products = m_products.find({setting.machine.family, setting.precisionBits});
    const bool known = products != m_products.end()
        && (question.withoutSource.empty() || std::ranges::any_of(products->second, [&](std::string_view source) {
               return source != question.withoutSource;
           }));
    return widthOf(halfWidth(rangeGroupOf(setting), question.withoutSource), question.openDeviation,
        !known || setting.families.isNearest());
}

PredictionRange RangeTable::rangeOf(
    const Setting &setting, const detailed::Layout &layout, Seconds stepTime, const RangeQuestion &question) const
{
    PredictionRange range{.low = stepTime, .high = stepTime, .comparable = {}, .outside = {}};
    if (m_runs.empty()) {
        range.comparable = "no run to compare with";
        range.outside.emplace_back("No measured run was scored, so nothing is validated.");
        return range;
    }
    const auto group = rangeGroupOf(setting);
    std::vector<const ReferenceRun *> like, rest;
    for (const auto &run : m_runs)
        if (question.withoutSource.empty() || run.source != question.withoutSource)
            (run.group == group ? like : rest).push_back(&run);
    if (like.empty()) {
        like = std::move(rest);
        range.comparable = counted(double(like.size()), "run", "runs") + " of any kind, of "
            + counted(sourcesOf(like), "source", "sources");
    } else {
        range.comparable = describe(group, int(like.size()), sourcesOf(like));
    }
    range.runs = static_cast<int>(like.size());
    range.sources = sourcesOf(like);
    const double width = halfWidthOf(setting, question);
    range.low = stepTime * std::exp(-width);
    range.high = stepTime * std::exp(width);
    constexpr double half = 0.5;
    if (!like.empty())
        range.typicalError = quantile(
            weighted(like, [](const ReferenceRun &run) { return std::abs(std::exp(-run.logError) - 1); }), half);
    range.outside = Outside(m_runs, setting, layout).sentences();
    return range;
}

std::vector<ReferenceRun> referenceRuns(std::span<const MeasuredRun> runs, const LeftOut &leftOut)
{
    std::map<std::pair<std::string_view, std::string_view>, double> errors;
    for (const auto &run : leftOut.runs)
        errors.emplace(std::pair(std::string_view(run.source), std::string_view(run.id)), run.logError);
    std::vector<ReferenceRun> reference;
    for (const auto &run : runs) {
        const auto error = errors.find({run.source.key, run.id});
        if (error == errors.end())
            continue;
        const auto configuration = configurationFrom(run);
        if (!configuration || !configuration->measuredStepTime)
            continue;
        const auto &setting = configuration->setting;
        const auto &layout = configuration->layout;
        constexpr int shardedParameters = 3;
        const auto step = likelyStep(*configuration, setting.constants);
        reference.push_back({.id = run.id,
            .source = run.source.key,
            .group = rangeGroupOf(setting),
            .family = setting.machine.family,
            .accelerator = run.accelerator,
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
            .measured = *configuration->measuredStepTime,
            .logError = error->second,
            .openDeviation = step ? openDeviation(*configuration, *step) : 0,
            .nearestFamilies = setting.families.isNearest(),
            .teaches = configuration->teaches()});
    }
    return reference;
}

} // namespace fleetwright::validation
