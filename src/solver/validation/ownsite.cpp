// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/ownsite.h"

#include "domain/layout.h"
#include "solver/models/detailed/detailedmodel.h"
#include "solver/validation/calibrationruns.h"
#include "solver/validation/predictionrange.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <string_view>
#include <utility>

namespace fleetwright::validation {

namespace {

std::optional<double> logPredicted(const detailed::Setting &setting, const detailed::Layout &layout)
{
    const auto pricer = detailed::Pricer::make(setting);
    if (!pricer)
        return std::nullopt;
    const double seconds = pricer->price(layout).stepTime.value();
    return seconds > 0 && std::isfinite(seconds) ? std::optional(std::log(seconds)) : std::nullopt;
}

} // namespace

namespace {

/// Those runs of the source that can be used; the last ones where there are more than can be learnt from at once.
std::vector<detailed::CalibrationRun> usableOf(
    std::span<const MeasuredRun> runs, const std::vector<std::size_t> &members)
{
    std::vector<MeasuredRun> newest;
    for (const auto index : std::span(members).last(std::min(members.size(), mostRunsOfASource)))
        newest.push_back(runs[index]);
    return calibrationRuns(newest).runs;
}

/// Of the source that has the most; sources that have fewer in all are not looked at.
std::vector<detailed::CalibrationRun> usableOfLargest(std::span<const MeasuredRun> runs, const std::stop_token &stop)
{
    std::map<std::string_view, std::vector<std::size_t>> members;
    for (std::size_t i = 0; i < runs.size(); ++i)
        members[runs[i].source.key].push_back(i);
    std::vector<const std::pair<const std::string_view, std::vector<std::size_t>> *> sources;
    for (const auto &source : members)
        sources.push_back(&source);
    std::ranges::stable_sort(sources, std::ranges::greater(), [](const auto *source) { return source->second.size(); });
    std::vector<detailed::CalibrationRun> largest;
    for (const auto *source : sources) {
        if (largest.size() == mostRunsOfASource || source->second.size() < largest.size() || stop.stop_requested())
            break;
        auto usable = usableOf(runs, source->second);
        if (usable.size() > largest.size()
            || (!usable.empty() && usable.size() == largest.size() && source->first < largest.front().source))
            largest = std::move(usable);
    }
    return largest;
}

/// What is learnt from the run, beside the constants of its setting; nothing where it cannot be priced.
std::optional<EffectRun> effectOf(const detailed::CalibrationRun &run)
{
    auto place = effectPlace(run.setting, run.layout);
    const auto predicted = logPredicted(run.setting, run.layout);
    if (!place || !predicted || !(run.measured.value() > 0) || !std::isfinite(run.measured.value()))
        return std::nullopt;
    return EffectRun{std::move(*place), std::log(run.measured.value()) - *predicted};
}

std::vector<std::string> partsOf(const detailed::Layout &of)
{
    const fleetwright::Layout layout{.tp = int(of.tp),
        .cp = int(of.cp),
        .pp = int(of.pp),
        .ep = int(of.ep),
        .dp = int(of.dp),
        .virtualStages = int(of.virtualStages),
        .microbatchSize = int(of.microbatch),
        .recompute = of.recompute,
        .zeroStage = std::int8_t(of.zeroStage),
        .sequenceParallel = of.sequenceParallel};
    std::vector<std::string> parts;
    for (const auto &words : {inWords(splitOf(layout)), settingsInWords(layout)})
        for (const auto part : std::views::split(words, std::string_view(", ")))
            parts.emplace_back(part.begin(), part.end());
    return parts;
}

/// Nothing where no words tell them apart.
std::optional<PredictionRange::OtherLayout> whatDiffers(const detailed::Layout &timed, const detailed::Layout &asked)
{
    const auto timedParts = partsOf(timed), askedParts = partsOf(asked);
    const auto only = [](const std::vector<std::string> &in, const std::vector<std::string> &without) {
        std::string text;
        for (const auto &part : in)
            if (std::ranges::find(without, part) == without.end())
                text += (text.empty() ? "" : ", ") + part;
        return text;
    };
    PredictionRange::OtherLayout other{only(timedParts, askedParts), only(askedParts, timedParts)};
    if (other.timed.empty() && other.asked.empty())
        return std::nullopt;
    // One has a setting more: what it is beside is the ranks.
    for (const auto &[words, layout] : {std::pair(&other.timed, &timedParts), std::pair(&other.asked, &askedParts)})
        if (words->empty())
            *words = only(*layout, {});
    return other;
}

} // namespace

bool isMovedByRuns(std::string_view costModelId) { return costModelId == detailed::costModel().id(); }

bool isUsable(const MeasuredRun &run)
{
    const auto usable = calibrationRuns(std::span(&run, 1)).runs;
    return !usable.empty() && effectOf(usable.front());
}

std::optional<OwnSite> OwnSite::from(
    std::span<const MeasuredRun> runs, const detailed::Constants &centre, const std::stop_token &stop)
{
    auto usable = usableOfLargest(runs, stop);
    std::vector<detailed::CalibrationRun> own;
    std::vector<EffectRun> learnt;
    for (auto &run : usable) {
        if (stop.stop_requested())
            return std::nullopt;
        run.setting.constants = centre;
        if (auto effect = effectOf(run)) {
            learnt.push_back(std::move(*effect));
            own.push_back(std::move(run));
        }
    }
    if (own.empty())
        return std::nullopt;
    SourceEffect effect(std::move(learnt), {}, true, stop);
    if (stop.stop_requested())
        return std::nullopt;
    return OwnSite(std::move(own), std::move(effect), centre);
}

std::optional<OwnSite::Prediction> OwnSite::from(
    const detailed::Setting &setting, const detailed::Layout &layout, std::optional<std::size_t> without) const
{
    const auto predicted = logPredicted(setting, layout);
    const auto place = predicted ? effectPlace(setting, layout) : std::nullopt;
    if (!place)
        return std::nullopt;
    const auto posterior = without ? m_effect.leaveOneOut(*without) : m_effect.at(*place);
    const double before = SourceEffect({}, m_effect.scales()).at(*place).deviation;
    const double scatter = m_effect.scales().run * m_effect.scales().run;
    const double known = std::max(0.0, posterior.deviation * posterior.deviation - scatter);
    return Prediction{.expected = std::exp(*predicted + posterior.mean) * second,
        .remaining = posterior.deviation / before,
        .weight = m_effect.weight(*place),
        .effect = posterior.mean,
        .further = std::sqrt(known * scatter / (known + scatter) + scatter) / posterior.deviation};
}

std::optional<OwnSite::Prediction> OwnSite::at(detailed::Setting setting, const detailed::Layout &layout) const
{
    setting.constants = m_centre;
    return from(setting, layout, std::nullopt);
}

std::optional<OwnSite::Prediction> OwnSite::without(
    detailed::Setting setting, const detailed::Layout &layout, Seconds measured) const
{
    setting.constants = m_centre;
    const auto same = std::ranges::find_if(m_runs, [&](const detailed::CalibrationRun &run) {
        return run.measured == measured && run.layout == layout && run.setting == setting;
    });
    return from(
        setting, layout, same == m_runs.end() ? std::nullopt : std::optional(std::size_t(same - m_runs.begin())));
}

PredictionRange OwnSite::narrowed(
    PredictionRange range, const detailed::Setting &setting, const detailed::Layout &layout) const
{
    const auto prediction = at(setting, layout);
    if (!prediction || range.runs == 0)
        return range;
    const double width = std::log(range.high / range.low) / 2 * prediction->remaining;
    range.predicted = range.middle();
    range.low = prediction->expected * std::exp(-width);
    range.high = prediction->expected * std::exp(width);
    range.ownRuns = static_cast<int>(m_runs.size());
    range.ownRunsAlike = static_cast<int>(std::ranges::count_if(
        m_runs, [&](const detailed::CalibrationRun &run) { return run.setting.families == setting.families; }));
    auto centred = setting;
    centred.constants = m_centre;
    range.ownRunsSame = static_cast<int>(std::ranges::count_if(
        m_runs, [&](const detailed::CalibrationRun &run) { return run.layout == layout && run.setting == centred; }));
    if (range.ownRunsSame == 0)
        if (const auto other = std::ranges::find(m_runs, centred, &detailed::CalibrationRun::setting);
            other != m_runs.end())
            range.timedOtherwise = whatDiffers(other->layout, layout);
    range.ownWeight = prediction->weight;
    range.ownEffect = prediction->effect;
    range.furtherRun = prediction->further;
    // What the site does is counted from the centre, whatever the plan's constants are.
    std::erase(range.outside, editedConstantsSentence);
    return range;
}

std::optional<NextRun> OwnSite::nextRun(const detailed::Setting &setting, const detailed::Layout &layout,
    std::span<const detailed::CalibrationRun> candidates) const
{
    auto centred = setting;
    centred.constants = m_centre;
    const auto place = effectPlace(centred, layout);
    if (!place)
        return std::nullopt;
    constexpr double worthwhile = 0.99;
    NextRun best{.candidate = candidates.size(), .before = m_effect.at(*place).deviation, .after = 0};
    best.after = best.before * worthwhile;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        auto candidate = candidates[i].setting;
        candidate.constants = m_centre;
        const auto there = effectPlace(candidate, candidates[i].layout);
        if (!there)
            continue;
        if (const double after = m_effect.deviationWith(*place, *there); after < best.after) {
            best.candidate = i;
            best.after = after;
        }
    }
    return best.candidate < candidates.size() ? std::optional(best) : std::nullopt;
}

std::vector<detailed::CalibrationRun> smallerRuns(
    const detailed::Setting &setting, const detailed::Layout &layout, std::int64_t mostAccelerators)
{
    std::vector<detailed::CalibrationRun> runs;
    const auto offer = [&](std::int64_t dp, std::int64_t microbatch) {
        detailed::CalibrationRun run{.id = {}, .source = {}, .setting = setting, .layout = layout, .measured = {}};
        run.layout.dp = dp;
        run.layout.microbatch = microbatch;
        run.setting.accelerators = setting.accelerators / layout.dp * dp;
        run.setting.globalBatch = setting.globalBatch / layout.dp * dp;
        if (run.setting.accelerators > mostAccelerators || run.setting.globalBatch < 1)
            return;
        const auto pricer = detailed::Pricer::make(run.setting);
        if (!pricer || !pricer->isLegal(run.layout))
            return;
        run.id = std::to_string(run.setting.accelerators) + " accelerators, microbatch " + std::to_string(microbatch);
        runs.push_back(std::move(run));
    };
    for (std::int64_t dp = layout.dp; dp >= 1; dp /= 2)
        for (const auto microbatch : {layout.microbatch, layout.microbatch / 2, layout.microbatch * 2})
            if (microbatch >= 1)
                offer(dp, microbatch);
    return runs;
}

std::optional<Suggestion> suggestRun(
    const OwnSite &site, std::span<const PlanToNarrow> plans, std::int64_t mostAccelerators)
{
    std::optional<Suggestion> best;
    for (const auto &plan : plans) {
        auto candidates = smallerRuns(plan.setting, plan.layout, mostAccelerators);
        const auto next = site.nextRun(plan.setting, plan.layout, candidates);
        if (!next)
            continue;
        const double narrower = 1 - next->after / next->before;
        if (!best || narrower > best->narrower)
            best = Suggestion{plan.name, std::move(candidates[next->candidate]), narrower};
    }
    return best;
}

namespace {

/// What a fit does to the step of plans that are priced alike.
struct Shift {
    detailed::Setting setting;
    detailed::Layout layout;
    double before = 0, after = 0; ///< ln(seconds)
    bool isMeasured = false;
    std::vector<std::string> plans;
    [[nodiscard]] double change() const { return std::exp(after - before) - 1; }
};

bool isRunOf(const detailed::CalibrationRun &run, const PlanToNarrow &plan)
{
    auto setting = run.setting;
    setting.constants = plan.setting.constants;
    return run.layout == plan.layout && setting == plan.setting;
}

/// "“A”", "“A” and “B”", "“A”, “B” and “C”".
std::string plansInWords(const std::vector<std::string> &plans)
{
    std::string text;
    for (std::size_t i = 0; i < plans.size(); ++i)
        text += (i == 0 ? "" : i + 1 < plans.size() ? ", " : " and ") + ("\u201c" + plans[i] + "\u201d");
    return text;
}

constexpr double unmovedStep = 5e-5;

std::string inWords(const Shift &shift)
{
    const double change = shift.change();
    const auto plans = plansInWords(shift.plans);
    if (std::abs(change) < unmovedStep)
        return shift.isMeasured ? "A step of " + plans + ", which you measured, takes as long as before."
                                : "A step of " + plans + " takes as long as before.";
    const auto after = units::format(Seconds::from_value(std::exp(shift.after)));
    const auto before = units::format(Seconds::from_value(std::exp(shift.before)));
    const auto by = (change > 0 ? "+" : "\u2212") + units::formatPercent(std::abs(change));
    return shift.isMeasured ? "A step of " + plans + ", which you measured, takes " + after
            + " by the fitted constants, " + before + " by those before the fit (" + by + ")."
                            : "A step of " + plans + " takes " + after + " by the fitted constants, " + before
            + " by those before the fit (" + by + ").";
}

} // namespace

std::vector<std::string> shiftsInWords(std::span<const PlanToNarrow> plans,
    std::span<const detailed::FittedConstant> fitted, std::span<const detailed::CalibrationRun> measured)
{
    constexpr double same = 1e-9;
    std::vector<Shift> shifts;
    for (const auto &plan : plans) {
        const auto alike = std::ranges::find_if(
            shifts, [&](const Shift &shift) { return shift.setting == plan.setting && shift.layout == plan.layout; });
        if (alike != shifts.end()) {
            alike->plans.push_back(plan.name);
            continue;
        }
        auto setting = plan.setting;
        for (const auto &of : fitted)
            if (auto &constant = setting.constants[of.constant]; std::abs(constant - of.before) <= same * of.before)
                constant = of.after;
        const auto before = logPredicted(plan.setting, plan.layout), after = logPredicted(setting, plan.layout);
        if (!before || !after)
            continue;
        const bool isMeasured = std::ranges::any_of(
            measured, [&](const detailed::CalibrationRun &run) { return isRunOf(run, plan); });
        shifts.push_back({plan.setting, plan.layout, *before, *after, isMeasured, {plan.name}});
    }
    const auto isUnmoved = [](const Shift &shift) { return std::abs(shift.change()) < unmovedStep; };
    if (!shifts.empty() && std::ranges::all_of(shifts, isUnmoved))
        return {"No plan of this project runs on what was fitted: their steps stay as they are."};
    std::ranges::stable_sort(shifts, std::ranges::greater(),
        [](const Shift &shift) { return std::pair(shift.isMeasured, std::abs(shift.change())); });
    std::vector<std::string> sentences;
    for (const auto &shift : shifts)
        sentences.push_back(inWords(shift));
    return sentences;
}

std::string inWords(const Suggestion &suggestion)
{
    const auto &layout = suggestion.run.layout;
    return "Measure next: " + suggestion.run.id + ", split as \u201c" + suggestion.plan + "\u201d (TP "
        + std::to_string(layout.tp) + ", PP " + std::to_string(layout.pp) + "). Its range is then "
        + units::formatPercent(suggestion.narrower) + " narrower.";
}

} // namespace fleetwright::validation
