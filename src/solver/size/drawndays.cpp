// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/drawndays.h"

#include "solver/size/sizewords.h"
#include "units/format.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

namespace fleetwright::size {

namespace {

/// The same for what takes the same days in every draw, whoever pays for it.
std::string likenessOf(const DecisionDocument &document, const Result &result, const Answer &answer)
{
    std::string key = units::exact(answer.figures.days) + layoutsInWords(document, answer);
    const auto add = [&](std::size_t index, int nodes) {
        const auto &lot = result.lots[index];
        for (const auto &part : {lot.nodeId, lot.label, lot.fabric, lot.site, std::to_string(nodes)})
            key += "\n" + part;
    };
    add(answer.lot, answer.nodes);
    if (answer.second) {
        add(answer.second->lot, answer.second->nodes);
        for (const auto job : answer.second->jobs)
            key += " " + std::to_string(job);
    }
    for (const auto &job : answer.jobs)
        key += "\n" + std::to_string(job.globalBatch) + " " + units::exact(job.stepSeconds) + " "
            + units::exact(job.likelyStepSeconds()) + " " + units::exact(job.tokens);
    return key;
}

/// What was drawn already. Any thread may ask.
class KnownDraws {
public:
    std::optional<DrawnDays> of(const std::string &key) const
    {
        const std::scoped_lock lock(m_mutex);
        const auto found = m_known.find(key);
        return found == m_known.end() ? std::nullopt : std::optional(found->second);
    }
    /// Kept as far as draws may take room.
    DrawnDays add(const std::string &key, DrawnDays days, std::size_t draws)
    {
        const std::scoped_lock lock(m_mutex);
        if ((m_known.size() + 1) * draws * sizeof(double) > uncertainty::mostRiskBytes)
            return days;
        return m_known.try_emplace(key, std::move(days)).first->second;
    }

private:
    mutable std::mutex m_mutex;
    std::map<std::string, DrawnDays> m_known;
};

} // namespace

DrawnDays::DrawnDays(std::vector<double> days)
{
    std::ranges::sort(days);
    m_days = std::make_shared<const std::vector<double>>(std::move(days));
}

double DrawnDays::chanceOf(double days) const
{
    return double(std::ranges::upper_bound(*m_days, days) - m_days->begin()) / double(m_days->size());
}

double DrawnDays::daysFor(double chance) const
{
    const auto place = std::size_t(std::ceil(chance * double(m_days->size()) * (1 - roundingShare)));
    return (*m_days)[std::clamp<std::size_t>(place, 1, m_days->size()) - 1];
}

Expected<uncertainty::RiskFleet> drawnFleet(std::string label, const AnswerRuns &runs)
{
    auto fleet = uncertainty::riskFleet(std::move(label), runs.front().fleet, runs.front().runs);
    if (!fleet)
        return fleet;
    if (const auto &measured = runs.front().measured; measured && runs.size() == 1) {
        fleet->stepRuns = {measured->ownRuns, measured->ownRunsSame, measured->furtherRun};
        fleet->runOtherwise = validation::timedOtherwiseInWords(*measured);
    }
    if (runs.size() == 1)
        return fleet;
    auto second = uncertainty::riskFleet({}, runs.back().fleet, runs.back().runs);
    if (!second)
        return second;
    return sideBySide(std::move(*fleet), std::move(*second));
}

DrawnDaysOf drawnDaysOf(const DecisionDocument &document, const Catalog &catalog, const Result &lots,
    const RangeOf &rangeOf, std::stop_token stop)
{
    if (!document.limits.deadlineChance || !document.limits.plan.deadline || !rangeOf)
        return {};
    const auto known = std::make_shared<KnownDraws>();
    return [&document, &catalog, &lots, &rangeOf, stop, known](const Answer &answer) -> std::optional<DrawnDays> {
        if (answer.jobs.empty())
            return std::nullopt;
        const auto key = likenessOf(document, lots, answer);
        if (auto days = known->of(key))
            return days;
        const auto runs = runsOf(document, catalog, lots, answer, rangeOf);
        if (!runs)
            return std::nullopt;
        const auto fleet = drawnFleet({}, *runs);
        if (!fleet)
            return std::nullopt;
        auto days = uncertainty::drawDays(*fleet, {.draws = document.draws, .seed = document.seed}, stop);
        return days ? std::optional(known->add(key, DrawnDays(std::move(*days)), document.draws)) : std::nullopt;
    };
}

bool isInDoubt(const FleetJudge &judge, double chance)
{
    constexpr double near = 0.1; // half a point was seen; of two fleets the closed form takes each for itself
    const auto demanded = judge.allowed(SizeLimit::Chance);
    return demanded && *demanded > 0 && std::abs(chance - *demanded) < near;
}

void giveDrawnChance(const DecisionDocument &document, const DrawnDaysOf &drawn, Answer &answer)
{
    if (!drawn || std::isnan(answer.figures.deadlineChance))
        return;
    const auto days = drawn(answer);
    if (!days)
        return;
    const FleetJudge judge(document);
    const double chance = days->chanceOf(*judge.deadlineDays()), demanded = *judge.allowed(SizeLimit::Chance);
    answer.figures.deadlineChance = chance;
    std::erase_if(answer.misses, [](const Miss &miss) { return miss.limit == SizeLimit::Chance; });
    if (chance < demanded) // the last of the limits
        answer.misses.push_back({.limit = SizeLimit::Chance, .needed = chance, .allowed = demanded});
}

void giveDrawnChances(const DecisionDocument &document, const DrawnDaysOf &drawn, Result &result)
{
    if (!drawn)
        return;
    std::vector<Answer *> answers;
    for (auto &lot : result.answers)
        answers.push_back(&lot.answer);
    for (auto &answer : result.front)
        answers.push_back(&answer);
    if (result.baseCase)
        answers.push_back(&*result.baseCase);
    if (result.byFormula && result.byFormula->best)
        answers.push_back(&*result.byFormula->best);
    tbb::parallel_for(
        std::size_t(0), answers.size(), [&](std::size_t i) { giveDrawnChance(document, drawn, *answers[i]); });
}

void giveDrawnChances(const DecisionDocument &document, const DrawnDaysOf &drawn, std::vector<KeptOut> &keptOut)
{
    if (!drawn)
        return;
    const double deadline = *FleetJudge(document).deadlineDays();
    for (auto &kept : keptOut)
        for (auto *fleet : {&kept.nearest, &kept.best})
            if (const auto days = *fleet ? drawn((*fleet)->answer) : std::nullopt) {
                auto &answer = (*fleet)->answer;
                answer.figures.deadlineChance = days->chanceOf(deadline);
                if (kept.limit == SizeLimit::Chance && answer.second) // of which the closed form was asked
                    (*fleet)->needed = answer.figures.deadlineChance;
            }
}

} // namespace fleetwright::size
