// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/validation.h"

#include "solver/models/detailed/layerprice.h"
#include "solver/models/detailed/pricer.h"
#include "solver/models/detailed/step.h"
#include "solver/validation/breakdown.h"
#include "solver/validation/runprice.h"
#include "units/format.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <tuple>
#include <unordered_set>

namespace fleetwright::validation {

namespace {

constexpr std::string_view engineId = "detailed";
constexpr std::string_view outOfMemoryReason = "out of memory", noTimeReason = "no step time";

double median(std::vector<double> values)
{
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::ranges::nth_element(values, middle);
    if (values.size() % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// Linear between the two nearest ranks.
double percentile(std::vector<double> values, double share)
{
    std::ranges::sort(values);
    const double at = share * double(values.size() - 1);
    const auto below = std::size_t(at);
    const auto above = std::min(below + 1, values.size() - 1);
    return values[below] + (at - double(below)) * (values[above] - values[below]);
}

double mean(const std::vector<double> &values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

/// At least one error.
ErrorFigures figuresOf(const std::vector<double> &errors)
{
    std::vector<double> absolute(errors.size());
    std::ranges::transform(errors, absolute.begin(), [](double error) { return std::abs(error); });
    constexpr double nine = 0.9;
    return {.count = static_cast<int>(errors.size()),
        .medianError = median(absolute),
        .meanError = mean(absolute),
        .p90Error = percentile(absolute, nine),
        .bias = mean(errors)};
}

using ErrorsByName = std::map<std::string, std::vector<double>>;

std::map<std::string, ErrorFigures> figuresOf(const ErrorsByName &errors)
{
    std::map<std::string, ErrorFigures> figures;
    for (const auto &[name, values] : errors)
        figures.emplace(name, figuresOf(values));
    return figures;
}

double meanOf(const std::map<std::string, ErrorFigures> &figures, double ErrorFigures::*figure)
{
    double sum = 0;
    for (const auto &entry : figures)
        sum += entry.second.*figure;
    return figures.empty() ? 0 : sum / double(figures.size());
}

/// What any cost model says about a run.
struct Price {
    std::optional<Seconds> stepTime;
    double mfu = 0;
    std::optional<Bytes> allocated, device;
    std::optional<bool> fits;
    StepBreakdown breakdown;
    bool hostBound = false;
};

/// Whether the floor of section 6 decides the layers that fill the pipeline.
bool boundByHost(const detailed::Pricer &pricer, const detailed::Layout &layout, const detailed::Figures &figures)
{
    const auto &setting = pricer.setting();
    const bool pipelined = detailed::keyOf(pricer.prepared(), layout).pipelinedHost;
    const auto floor = detailed::hostConstant(setting, setting.architecture.expertLayers > 0, pipelined);
    if (!floor)
        return false;
    const auto perRank = detailed::tpHostConstant(setting, pipelined);
    const auto &constants = setting.constants;
    const double growth = 1 + (perRank ? constants[*perRank] * double(layout.tp - 1) : 0);
    constexpr double rounding = 1.000001;
    return figures.forwardLayer.value()
        <= constants[*floor] * growth * (1 + constants[detailed::Constant::HostMix]) * rounding;
}

Expected<Price> engineSays(RunConfiguration configuration, const detailed::Constants &constants)
{
    configuration.setting.constants = constants;
    const auto pricer = detailed::Pricer::make(configuration.setting);
    if (!pricer)
        return std::unexpected(pricer.error());
    const auto figures = pricer->price(configuration.layout);
    const auto step = likelyStep(*pricer, configuration);
    // Of several likely layouts the parts are those of one, in proportion to the step of all.
    const double share = step.mean / figures.stepTime;
    const StepBreakdown parts{.compute = figures.computeTime * share,
        .tp = figures.tp.exposed * share,
        .pp = figures.pp.exposed * share,
        .cp = figures.cp.exposed * share,
        .ep = figures.ep.exposed * share,
        .dp = figures.dp.exposed * share,
        .bubble = figures.bubbleTime * share,
        .optimizer = figures.optimizerTime * share,
        .overhead = figures.overheadTime * share};
    Price price{.mfu = figures.mfu / share,
        .allocated = figures.memory.allocated,
        .device = figures.memory.device,
        .fits = figures.fits,
        .breakdown = parts,
        .hostBound = boundByHost(*pricer, configuration.layout, figures)};
    price.stepTime = step.mean;
    return price;
}

Expected<Price> modelSays(const MeasuredRun &run, const RunConfiguration &configuration, const CostModel &model)
{
    const auto plan = planFrom(run, configuration, model.id());
    if (!plan)
        return std::unexpected(plan.error());
    const auto &facts = **plan;
    const auto evaluator = model.prepare(facts.workload, facts.fleet, facts.training, facts.assumptions);
    if (!evaluator)
        return std::unexpected(evaluator.error());
    const auto estimate = (*evaluator)->evaluate(facts.parallelism);
    if (!estimate)
        return std::unexpected(estimate.error());
    Price price{.stepTime = estimate->stepTime,
        .mfu = estimate->mfu.value_or(0),
        .allocated = {},
        .device = {},
        .fits = estimate->fits,
        .breakdown = {}};
    if (estimate->stepTime)
        price.breakdown = (*evaluator)->breakdown(*estimate);
    if (estimate->memory)
        price.allocated = price.device = estimate->memory->total;
    return price;
}

/// A few words that many runs share, not the whole sentence.
std::string refusalClass(const Error &error)
{
    std::string words(toString(error.code));
    std::ranges::replace(words, '_', ' ');
    return "refused: " + words + (error.field.empty() ? "" : ", " + error.field);
}

/// Of the configuration of a scored run only what its figures are grouped by.
struct Scored {
    ScoredRun run;
    RunWords words;
    std::int64_t accelerators = 0, layers = 0, hidden = 0, globalBatch = 0, sequenceLength = 0;
};

/// Small: a file has a million rows, of which most may not be scored.
struct Outcome {
    std::unique_ptr<Scored> scored; ///< or nothing
    std::string skipped; ///< why the step time was not scored
};

void scoreMemory(const RunConfiguration &configuration, const Price &price, ScoredRun &scored)
{
    const auto &predicted = configuration.meter == MemoryMeter::Allocated ? price.allocated : price.device;
    if (configuration.measuredMemory && predicted && std::isfinite(predicted->value())) {
        scored.measuredMemory = configuration.measuredMemory;
        scored.predictedMemory = std::max(*predicted, configuration.heldAtStart);
    }
    if (configuration.outOfMemory == true && price.fits) {
        scored.ranOutOfMemory = true;
        const auto &machine = configuration.setting.machine;
        scored.predictedFits = *price.fits
            && detailed::deviceShare * configuration.heldAtStart.value() + detailed::deviceReserveBytes
                <= machine.capacity.value();
    }
}

Outcome scoreRow(const MeasuredRun &run, std::size_t index, const CostModel *model,
    const detailed::Constants &constants, Rules rules)
{
    Outcome outcome;
    auto configuration = configurationFrom(run, rules);
    if (!configuration) {
        outcome.skipped = configuration.error().message;
        return outcome;
    }
    if (model)
        configuration->heldAtStart = {}; // a term of `detailed`
    const auto price = model ? modelSays(run, *configuration, *model) : engineSays(*configuration, constants);
    if (!price) {
        outcome.skipped = refusalClass(price.error());
        return outcome;
    }
    ScoredRun scored{.run = index, .id = run.id, .singleNode = configuration->singleNode};
    scored.mfu = price->mfu;
    scored.breakdown = price->breakdown;
    scored.hostBound = price->hostBound;
    scoreMemory(*configuration, *price, scored);
    if (price->stepTime)
        scored.predicted = *price->stepTime;
    if (configuration->outOfMemory == true) {
        outcome.skipped = outOfMemoryReason;
    } else if (!configuration->measuredStepTime) {
        outcome.skipped = noTimeReason;
    } else if (!price->stepTime || !std::isfinite(price->stepTime->value()) || price->stepTime->value() <= 0) {
        outcome.skipped = "the model gives no step time";
    } else {
        scored.timed = true;
        scored.measured = *configuration->measuredStepTime;
        scored.error = scored.predicted / scored.measured - 1.0;
    }
    if (!scored.timed && !scored.predictedMemory && !scored.predictedFits)
        return outcome;
    const auto &setting = configuration->setting;
    outcome.scored = std::make_unique<Scored>(Scored{.run = std::move(scored),
        .words = wordsOf(run, *configuration),
        .accelerators = setting.accelerators,
        .layers = setting.architecture.layers,
        .hidden = setting.architecture.hidden,
        .globalBatch = setting.globalBatch,
        .sequenceLength = setting.sequenceLength});
    return outcome;
}

void scoreErrors(const std::vector<Outcome> &outcomes, Validation &validation)
{
    std::array<ErrorsByName, allGroupings.size()> errors;
    ErrorsByName memory;
    std::vector<double> all;
    for (const auto &scored : validation.runs) {
        const auto &words = outcomes[scored.run].scored->words;
        if (scored.predictedMemory)
            memory[words[static_cast<std::size_t>(Grouping::Source)]].push_back(
                *scored.predictedMemory / *scored.measuredMemory - 1.0);
        if (scored.predictedFits) {
            ++validation.memory.verdicts;
            validation.memory.verdictsRight += *scored.predictedFits != *scored.ranOutOfMemory;
        }
        if (!scored.timed)
            continue;
        all.push_back(scored.error);
        for (std::size_t i = 0; i < words.size(); ++i)
            errors[i][words[i]].push_back(scored.error);
    }
    const auto figures = [&errors](Grouping grouping) { return figuresOf(errors[static_cast<std::size_t>(grouping)]); };
    validation.sources = figures(Grouping::Source);
    validation.accelerators = figures(Grouping::Accelerator);
    validation.families = figures(Grouping::Family);
    validation.kinds = figures(Grouping::Kind);
    validation.sizes = figures(Grouping::Size);
    validation.parallelisms = figures(Grouping::Parallelism);
    validation.precisions = figures(Grouping::Precision);
    validation.memory.sources = figuresOf(memory);
    validation.memory.macroMedianError = meanOf(validation.memory.sources, &ErrorFigures::medianError);
    if (!all.empty())
        validation.overall = figuresOf(all);
    validation.macroMedianError = meanOf(validation.sources, &ErrorFigures::medianError);
    validation.macroMeanError = meanOf(validation.sources, &ErrorFigures::meanError);
}

void scoreRanks(std::span<const MeasuredRun> runs, const std::vector<Outcome> &outcomes, Validation &validation)
{
    using Key = std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
    std::map<Key, std::vector<std::size_t>> rowsByKey;
    for (std::size_t i = 0; i < validation.runs.size(); ++i) {
        const auto &scored = validation.runs[i];
        const auto &of = *outcomes[scored.run].scored;
        if (scored.timed)
            rowsByKey[{runs[scored.run].accelerator, of.accelerators, of.layers, of.hidden, of.globalBatch,
                          of.sequenceLength}]
                .push_back(i);
    }
    constexpr std::size_t fewest = 5;
    for (const auto &[key, rows] : rowsByKey) {
        if (rows.size() < fewest)
            continue;
        std::vector<double> predicted, measured;
        for (const auto row : rows) {
            predicted.push_back(validation.runs[row].predicted.value());
            measured.push_back(validation.runs[row].measured.value());
        }
        const auto &[accelerator, count, layers, hidden, batch, sequence] = key;
        const auto favourite = std::size_t(std::ranges::min_element(predicted) - predicted.begin());
        validation.groups.push_back({.name = std::to_string(count) + " x " + accelerator + ", " + std::to_string(layers)
                + " layers of " + std::to_string(hidden) + ", batch " + std::to_string(batch) + ", sequence "
                + std::to_string(sequence),
            .rows = rows,
            .kendallTau = kendallTau(predicted, measured),
            .regret = measured[favourite] / *std::ranges::min_element(measured) - 1.0,
            .singleNode = validation.runs[rows.front()].singleNode});
    }
}

/// Which rows have the id of an earlier one.
std::vector<bool> repeatedIds(std::span<const MeasuredRun> runs)
{
    std::unordered_set<std::string_view> ids(runs.size());
    std::vector<bool> repeated(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i)
        repeated[i] = !ids.insert(runs[i].id).second;
    return repeated;
}

std::optional<double> meanOver(
    const std::vector<RankGroup> &groups, double RankGroup::*figure, std::optional<bool> singleNode)
{
    std::vector<double> values;
    for (const auto &group : groups)
        if (!singleNode || group.singleNode == *singleNode)
            values.push_back(group.*figure);
    return values.empty() ? std::nullopt : std::optional(mean(values));
}

} // namespace

ErrorFigures errorFigures(const std::vector<double> &errors)
{
    return errors.empty() ? ErrorFigures() : figuresOf(errors);
}

std::optional<double> Validation::kendallTauOf(bool singleNode) const
{
    return meanOver(groups, &RankGroup::kendallTau, singleNode);
}
std::optional<double> Validation::regretOf(bool singleNode) const
{
    return meanOver(groups, &RankGroup::regret, singleNode);
}

Expected<Validation> validate(std::span<const MeasuredRun> runs, std::string_view costModelId,
    const detailed::Constants &constants, std::stop_token stop, std::atomic<std::size_t> *progress, Rules rules)
{
    const auto model = findCostModel(costModelId);
    if (!model)
        return std::unexpected(model.error());
    const auto *other = costModelId == engineId ? nullptr
                                                : *model; // runs state more than a plan can; the engine takes all of it
    std::vector<Outcome> outcomes(runs.size());
    const auto repeated = repeatedIds(runs);
    tbb::parallel_for(std::size_t(0), runs.size(), [&](std::size_t i) {
        if (stop.stop_requested())
            return;
        if (repeated[i])
            outcomes[i].skipped = "id stands twice";
        else
            outcomes[i] = scoreRow(runs[i], i, other, constants, rules);
        if (progress)
            ++*progress;
    });
    if (stop.stop_requested())
        return refuse(ErrorCode::Cancelled, {}, "The validation was cancelled.");

    Validation validation{.costModelId = std::string(costModelId),
        .costModelVersion = std::string((*model)->version()),
        .rows = static_cast<int>(runs.size())};
    validation.runs.reserve(std::size_t(std::ranges::count_if(outcomes, [](const auto &one) { return !!one.scored; })));
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        auto &outcome = outcomes[i];
        if (!outcome.skipped.empty()) {
            ++validation.skipped[outcome.skipped];
            validation.notScored.push_back({i, std::move(outcome.skipped)});
        }
        if (!outcome.scored)
            continue;
        validation.priced += outcome.scored->run.timed;
        validation.runs.push_back(std::move(outcome.scored->run));
    }
    scoreErrors(outcomes, validation);
    scoreRanks(runs, outcomes, validation);
    validation.kendallTau = meanOver(validation.groups, &RankGroup::kendallTau, std::nullopt);
    validation.regret = meanOver(validation.groups, &RankGroup::regret, std::nullopt);
    return validation;
}

void countUnread(const RunFile &file, Validation &validation)
{
    if (file.unread.empty())
        return;
    const auto count = static_cast<int>(file.unread.size());
    validation.rows += count;
    validation.skipped[std::string(unreadReason)] += count;
}

std::string sizeClass(double parameters)
{
    constexpr double billion = 1e9;
    static constexpr std::array<std::pair<double, std::string_view>, 5> classes{
        {{3, "under 3 B"}, {10, "3-10 B"}, {30, "10-30 B"}, {100, "30-100 B"}, {300, "100-300 B"}}};
    for (const auto &[limit, name] : classes)
        if (parameters < limit * billion)
            return std::string(name);
    return "over 300 B";
}

std::string parallelismKind(const detailed::Layout &layout)
{
    std::string kind;
    const auto add = [&kind](bool applies, std::string_view name) {
        if (applies)
            kind += (kind.empty() ? "" : " + ") + std::string(name);
    };
    constexpr int shardedParameters = 3;
    const bool sharded = layout.zeroStage == shardedParameters && layout.dp * layout.cp > 1;
    add(layout.tp > 1, "TP");
    add(layout.pp > 1, "PP");
    add(layout.cp > 1, "CP");
    add(layout.ep > 1, "EP");
    add(sharded, "FSDP");
    add(layout.dp > 1 && !sharded, "DP");
    return kind.empty() ? "one accelerator" : kind;
}

namespace {

/// Pairs of neighbours in the sorted order that are equal in what `equal` compares: n (n - 1) / 2 of each n.
template <class Equal> double tiedPairs(const std::vector<std::pair<double, double>> &sorted, const Equal &equal)
{
    double pairs = 0;
    for (std::size_t from = 0, to = 0; from < sorted.size(); from = to) {
        while (to < sorted.size() && equal(sorted[from], sorted[to]))
            ++to;
        pairs += double(to - from) * double(to - from - 1) / 2;
    }
    return pairs;
}

/// Sorts by the second and counts the pairs that stood in the other order.
double countedInversions(std::vector<std::pair<double, double>> &pairs)
{
    double inversions = 0;
    std::vector<std::pair<double, double>> merged(pairs.size());
    for (std::size_t width = 1; width < pairs.size(); width *= 2) {
        for (std::size_t low = 0; low < pairs.size(); low += 2 * width) {
            const auto middle = std::min(low + width, pairs.size()), high = std::min(low + 2 * width, pairs.size());
            for (std::size_t left = low, right = middle, at = low; at < high; ++at)
                if (right == high || (left < middle && !(pairs[right].second < pairs[left].second))) {
                    merged[at] = pairs[left++];
                } else {
                    merged[at] = pairs[right++];
                    inversions += double(middle - left);
                }
        }
        pairs.swap(merged);
    }
    return inversions;
}

} // namespace

/// W. R. Knight, "A computer method for calculating Kendall's tau with ungrouped data", 1966: sorts instead of
/// comparing each with each, which a file of a hundred thousand runs of one configuration would make felt.
double kendallTau(std::span<const double> a, std::span<const double> b)
{
    std::vector<std::pair<double, double>> pairs;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        pairs.emplace_back(a[i], b[i]);
    std::ranges::sort(pairs);
    const double all = double(pairs.size()) * (double(pairs.size()) - 1) / 2;
    const double inA = tiedPairs(pairs, [](const auto &x, const auto &y) { return x.first == y.first; });
    const double inBoth = tiedPairs(pairs, [](const auto &x, const auto &y) { return x == y; });
    const double discordant = countedInversions(pairs);
    const double inB = tiedPairs(pairs, [](const auto &x, const auto &y) { return x.second == y.second; });
    const double scale = std::sqrt((all - inA) * (all - inB));
    return scale > 0 ? (all - inA - inB + inBoth - 2 * discordant) / scale : 0;
}

} // namespace fleetwright::validation
