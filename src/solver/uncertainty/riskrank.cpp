// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/uncertainty/riskrank.h"

#include "units/format.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace fleetwright::uncertainty {

namespace {

constexpr std::size_t slices = 20; ///< of an input's range, each with as many draws
constexpr double weak = 0.1; ///< rank correlations below it are not worth a word
constexpr double leastGain = 0.01; ///< of draws: what would gain less settles nothing that anybody asks
constexpr double standardErrors = 2; ///< by so many a gain must exceed what chance makes of it

std::size_t cubeOf(std::size_t draw, std::size_t draws) { return draw * hypercubes / draws; }

/// Two that never end are alike.
double lead(double runnerUp, double winner) { return runnerUp == winner ? 0 : runnerUp - winner; }

std::string quoted(std::string_view text)
{
    std::string words = "\u201c";
    words.append(text).append("\u201d");
    return words;
}

std::string inMoneyOrDays(double value, RiskFigure figure)
{
    return figure == RiskFigure::Days ? units::threeDigits(value) + " days"
                                      : units::format(value, units::Dimension::Money);
}

/// "83 %": whole percent, since draws know no more; "0.4 %" of what is less than one.
std::string percent(double share)
{
    constexpr double hundred = 100;
    const auto tenths = std::lround(10 * hundred * share);
    return (tenths > 0 && tenths < 10 ? "0." + std::to_string(tenths) : std::to_string(std::lround(hundred * share)))
        + "\u00a0%";
}

/// The fleet of those that an input concerns which measured runs say least of.
const RiskFleet &leastMeasured(const RiskInput &input, const RankSources &from)
{
    const auto least = std::ranges::min_element(
        input.fleets, {}, [&](std::size_t fleet) { return from.question.fleets[fleet].stepRuns.same; });
    return from.question.fleets[*least];
}

bool isMeasured(const RiskInput &input, const RankSources &from)
{
    return input.kind == RiskInput::Kind::FleetStepTime && leastMeasured(input, from).stepRuns.same > 0;
}

/// What tells an input exactly.
std::string tellingOf(const RiskInput &input, const RankSources &from)
{
    switch (input.kind) {
    case RiskInput::Kind::Price: return "A binding quote (" + input.label + ")";
    case RiskInput::Kind::FleetStepTime: {
        const auto &fleet = leastMeasured(input, from);
        const bool isShared = input.fleets.size() > 1 && !fleet.hardwareLabel.empty();
        const auto name = quoted(isShared ? fleet.hardwareLabel : fleet.label);
        if (fleet.stepRuns.same > 0)
            return "More measured runs of the step on " + name;
        return "A measured step on " + name;
    }
    case RiskInput::Kind::FamilyStepTime: // nobody measures it alone
    case RiskInput::Kind::Assumption: break;
    }
    return "A firm figure (" + input.label + ")";
}

/// Why a step that runs of the site move is worth measuring still; empty without such runs.
std::string reasonToMeasure(const RiskInput &input, const RankSources &from)
{
    if (input.kind != RiskInput::Kind::FleetStepTime)
        return {};
    const auto &fleet = leastMeasured(input, from);
    const auto &runs = fleet.stepRuns;
    const auto narrower = percent(1 - runs.further);
    if (runs.same == 1)
        return "One run of it is known already, and single runs scatter: one more makes its range " + narrower
            + " narrower.";
    if (runs.same > 1)
        return std::to_string(runs.same)
            + " runs of it are known already, and single runs scatter: one more makes its range " + narrower
            + " narrower.";
    if (!fleet.runOtherwise.empty())
        return fleet.runOtherwise;
    return runs.all == 0 ? "" : "No measured run of this project is of its nodes, layout and batch.";
}

/// The fleet that is best in each slice of an input, chosen on the hypercubes of one half.
class Settling {
public:
    /// `ranks`: of what becomes known, a rank a draw.
    Settling(const RankSources &from, std::span<const double> ranks, std::size_t winner)
        : m_from(from), m_ranks(ranks), m_winner(winner), m_draws(from.best.draws())
    {
    }

    RiskSettling settle(std::size_t input)
    {
        const auto fleets = m_from.objectives.size();
        m_scores.assign(2 * slices * fleets, 0.0);
        for (std::size_t draw = 0; draw < m_draws; ++draw) {
            const auto best = m_from.best.of(draw);
            for (const auto fleet : best)
                m_scores[cell(draw, half(draw)) * fleets + fleet] += 1.0 / double(best.size());
        }
        std::array<double, hypercubes> right{}, gain = m_from.best.sharesOf(m_winner);
        for (std::size_t draw = 0; draw < m_draws; ++draw) {
            const auto best = m_from.best.of(draw);
            if (std::ranges::find(best, chosen(draw, std::ranges::greater())) != best.end())
                right[cubeOf(draw, m_draws)] += 1.0 / double(best.size());
        }
        for (std::size_t i = 0; i < hypercubes; ++i) {
            right[i] /= double(m_draws) / double(hypercubes);
            gain[i] = right[i] - gain[i];
        }
        m_gain = chanceOfShares(gain);
        RiskSettling answer{.input = input, .right = chanceOfShares(right), .worth = {}, .sentence = {}};
        if (!m_from.question.hasLimits())
            answer.worth = worth();
        return answer;
    }
    [[nodiscard]] const Chance &gain() const { return m_gain; }

private:
    [[nodiscard]] std::size_t half(std::size_t draw) const { return cubeOf(draw, m_draws) % 2; }
    [[nodiscard]] std::size_t cell(std::size_t draw, std::size_t half) const
    {
        return 2 * std::size_t(m_ranks[draw] * double(slices) / double(m_draws)) + half;
    }
    /// By the scores of the other half; without any there, the winner.
    template <class Better> [[nodiscard]] std::uint16_t chosen(std::size_t draw, Better better) const
    {
        const auto fleets = m_from.objectives.size();
        const auto *scores = m_scores.data() + cell(draw, 1 - half(draw)) * fleets;
        auto best = m_winner;
        for (std::size_t fleet = 0; fleet < fleets; ++fleet)
            if (better(scores[fleet], scores[best]))
                best = fleet;
        return std::uint16_t(best);
    }
    /// How much less the objective is on average where the fleet is chosen with the input known.
    std::optional<double> worth()
    {
        const auto fleets = m_from.objectives.size();
        m_scores.assign(2 * slices * fleets, 0.0);
        for (std::size_t fleet = 0; fleet < fleets; ++fleet)
            for (std::size_t draw = 0; draw < m_draws; ++draw)
                m_scores[cell(draw, half(draw)) * fleets + fleet] += m_from.objectives[fleet].empty()
                    ? std::numeric_limits<double>::infinity()
                    : m_from.objectives[fleet][draw];
        double saved = 0;
        for (std::size_t draw = 0; draw < m_draws; ++draw)
            saved += lead(
                m_from.objectives[m_winner][draw], m_from.objectives[chosen(draw, std::ranges::less())][draw]);
        saved /= double(m_draws);
        return std::isfinite(saved) ? std::optional(saved) : std::nullopt;
    }

    const RankSources &m_from;
    std::span<const double> m_ranks;
    std::size_t m_winner, m_draws;
    std::vector<double> m_scores;
    Chance m_gain;
};

std::vector<RiskRank::Driver> driversOf(const RankSources &from, const RiskRank &rank)
{
    const auto objective = from.question.objective;
    const auto index = static_cast<std::size_t>(objective);
    const auto ends = [&](std::size_t fleet) {
        const auto likely = from.model.likely(fleet)[index];
        std::vector<std::pair<double, double>> of(from.model.inputs().size(), {likely, likely});
        const auto swings = from.model.swings(fleet, objective);
        const auto inputs = from.model.inputsOf(fleet);
        for (std::size_t i = 0; i < inputs.size(); ++i)
            of[inputs[i]] = {swings[2 * i], swings[2 * i + 1]};
        return of;
    };
    const auto winner = ends(rank.winner), runnerUp = ends(rank.runnerUp);
    std::vector<double> leads(from.best.draws());
    for (std::size_t draw = 0; draw < leads.size(); ++draw)
        leads[draw] = lead(from.objectives[rank.runnerUp][draw], from.objectives[rank.winner][draw]);
    const auto ranks = ranksOf(leads);
    std::vector<RiskRank::Driver> drivers;
    for (std::size_t input = 0; input < winner.size(); ++input) {
        RiskRank::Driver driver{.input = input,
            .atLow = lead(runnerUp[input].first, winner[input].first),
            .atHigh = lead(runnerUp[input].second, winner[input].second),
            .rankCorrelation = correlationOfRanks(from.inputRanks[input], ranks)};
        if (driver.atLow != rank.expectedLead || driver.atHigh != rank.expectedLead)
            drivers.push_back(driver);
    }
    std::ranges::stable_sort(drivers, std::ranges::greater{},
        [](const RiskRank::Driver &driver) { return std::abs(driver.rankCorrelation); });
    return drivers;
}

std::vector<RiskSettling> settlingOf(const RankSources &from, const RiskRank &rank, const std::stop_token &stop)
{
    const auto inputs = from.model.inputs().size();
    struct Ranked {
        double gain = -1; ///< below 0: does not settle anything
        RiskSettling settling;
    };
    std::vector<Ranked> all(inputs);
    const double now = from.answer.fleets.front().best.share; // of what is chosen without it
    tbb::parallel_for(std::size_t(0), inputs, [&](std::size_t input) {
        if (stop.stop_requested() || from.model.inputs()[input].kind == RiskInput::Kind::FamilyStepTime)
            return;
        // A measured step shows both halves of its error.
        std::vector<double> together;
        if (const auto family = from.model.familyHalfOf(input)) {
            const auto own = from.sample.of(input), shared = from.sample.of(*family);
            std::vector<double> errors(own.begin(), own.end());
            for (std::size_t draw = 0; draw < errors.size(); ++draw)
                errors[draw] += shared[draw];
            together = ranksOf(errors);
        }
        Settling settling(from, together.empty() ? from.inputRanks[input] : together, rank.winner);
        auto found = settling.settle(input);
        if (settling.gain().share <= std::max(standardErrors * settling.gain().error, leastGain))
            return;
        const auto &of = from.model.inputs()[input];
        found.isMeasured = isMeasured(of, from);
        found.isStepTime = of.kind == RiskInput::Kind::FleetStepTime;
        if (found.isMeasured) // which no number of runs tells exactly
            found.sentence = tellingOf(of, from) + " would make the choice right in at most "
                + percent(found.right.share) + " of draws instead of " + percent(now);
        else
            found.sentence = tellingOf(of, from) + " would make the choice right in " + percent(found.right.share)
                + " of draws instead of " + percent(now);
        if (found.worth && *found.worth > 0) {
            const auto worth = inMoneyOrDays(*found.worth, from.question.objective);
            found.sentence += found.isMeasured ? ", worth at most " + worth + " on average"
                                               : ", worth " + worth + " on average";
        }
        found.sentence += ".";
        if (const auto reason = reasonToMeasure(of, from); !reason.empty())
            found.sentence += " " + reason;
        all[input].gain = settling.gain().share;
        all[input].settling = std::move(found);
    });
    std::erase_if(all, [](const Ranked &one) { return one.gain < 0; });
    std::ranges::stable_sort(all, std::ranges::greater{}, &Ranked::gain);
    std::vector<RiskSettling> found;
    for (auto &one : all)
        found.push_back(std::move(one.settling));
    return found;
}

/// Of the two alone the objective decides; which is the best, the limits and other fleets do as well.
std::string firstTwoInWords(const RankSources &from, const RiskRank &rank)
{
    const auto &winner = from.answer.fleets[rank.winner], &runnerUp = from.answer.fleets[rank.runnerUp];
    const auto shares = quoted(winner.label) + " is the best in " + percent(winner.best.share) + " of draws, "
        + quoted(runnerUp.label) + " in " + percent(runnerUp.best.share);
    constexpr double half = 0.5;
    if (rank.ahead.share >= half)
        return shares + "; alone against it " + quoted(winner.label) + " is ahead in " + percent(rank.ahead.share)
            + ".";
    const auto objective = [&](std::size_t fleet, std::size_t draw) { return from.objectives[fleet][draw]; };
    double inVain = 0;
    for (std::size_t draw = 0; draw < from.best.draws(); ++draw) {
        const auto best = from.best.of(draw);
        inVain += objective(rank.runnerUp, draw) < objective(rank.winner, draw)
            && std::ranges::find(best, rank.runnerUp) == best.end();
    }
    const auto vain = percent(inVain / double(from.best.draws())), ahead = percent(1 - rank.ahead.share);
    if (from.question.hasLimits())
        return shares + "; alone against it " + quoted(runnerUp.label) + " is ahead in " + ahead + ", but in " + vain
            + " of draws it misses a limit then, or a third fleet is better.";
    return shares + "; alone against it " + quoted(runnerUp.label) + " is ahead in " + ahead + ", but in " + vain
        + " of draws a third fleet is better then.";
}

std::vector<std::string> sentencesOf(const RankSources &from, const RiskRank &rank)
{
    std::vector<std::string> sentences;
    sentences.push_back(firstTwoInWords(from, rank));
    if (from.answer.none && from.answer.none->share > 0)
        sentences.push_back("In " + percent(from.answer.none->share) + " of draws no fleet meets the limits.");
    std::string deciding, turning;
    constexpr std::size_t few = 3;
    for (std::size_t i = 0; i < rank.drivers.size(); ++i) {
        const auto &driver = rank.drivers[i];
        const auto &label = from.model.inputs()[driver.input].label;
        if (i < few && std::abs(driver.rankCorrelation) >= weak)
            deciding += (deciding.empty() ? "" : "; ") + label;
        if (driver.turns())
            turning += (turning.empty() ? "" : "; ") + label;
    }
    if (!deciding.empty())
        sentences.push_back("What decides between the two, the strongest first: " + deciding + ".");
    sentences.push_back(turning.empty()
            ? "No input alone changes the order of the two within its range."
            : "Each of these alone, at one end of its range, changes the order of the two: " + turning + ".");
    sentences.push_back(rank.firstToLearn());
    return sentences;
}

} // namespace

std::string RiskRank::firstToLearn() const
{
    if (settling.empty())
        return "No single quote or measurement would make the choice safer by more than chance explains.";
    auto text = settling.front().sentence;
    if (!settling.front().isMeasured)
        return text;
    const auto next = std::ranges::find(settling, false, &RiskSettling::isMeasured);
    std::string rest = "Nothing else would make it safer by more than chance explains.";
    if (next != settling.end())
        rest = next->isStepTime ? "Not measured yet: " + next->sentence : "Next: " + next->sentence;
    return text + " " + rest;
}

BestFleets::BestFleets(std::span<const std::vector<double>> objectives, std::span<const std::vector<char>> counts)
{
    std::size_t draws = 0;
    for (const auto &of : objectives)
        draws = std::max(draws, of.size());
    m_starts.reserve(draws + 1);
    m_starts.push_back(0);
    for (std::size_t draw = 0; draw < draws; ++draw) {
        const auto first = m_best.size();
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t fleet = 0; fleet < objectives.size(); ++fleet) {
            if (objectives[fleet].empty() || (!counts[fleet].empty() && counts[fleet][draw] == 0))
                continue;
            const double value = objectives[fleet][draw];
            if (value < least) {
                least = value;
                m_best.resize(first);
            }
            if (value == least && std::isfinite(value))
                m_best.push_back(std::uint16_t(fleet));
        }
        m_starts.push_back(std::uint32_t(m_best.size()));
    }
}

std::array<double, hypercubes> BestFleets::sharesOf(std::size_t fleet) const
{
    std::array<double, hypercubes> shares{};
    for (std::size_t draw = 0; draw < draws(); ++draw)
        if (const auto best = of(draw); std::ranges::find(best, fleet) != best.end())
            shares[cubeOf(draw, draws())] += 1.0 / double(best.size());
    for (auto &share : shares)
        share /= double(draws()) / double(hypercubes);
    return shares;
}

Chance BestFleets::share(std::size_t fleet) const { return chanceOfShares(sharesOf(fleet)); }

Chance BestFleets::none() const
{
    std::vector<char> holds(draws());
    for (std::size_t draw = 0; draw < draws(); ++draw)
        holds[draw] = of(draw).empty();
    return chanceOf(holds);
}

std::optional<RiskRank> rankOf(const RankSources &from, const std::stop_token &stop)
{
    const auto objective = static_cast<std::size_t>(from.question.objective);
    std::vector<std::size_t> order;
    for (std::size_t fleet = 0; fleet < from.objectives.size(); ++fleet)
        if (!from.objectives[fleet].empty())
            order.push_back(fleet);
    if (order.size() < 2)
        return std::nullopt;
    std::vector<double> likely(from.objectives.size());
    for (const auto fleet : order)
        likely[fleet] = from.answer.fleets[fleet].spreads[objective]->likely;
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        const double ofA = from.answer.fleets[a].best.share, ofB = from.answer.fleets[b].best.share;
        return ofA != ofB ? ofA > ofB : likely[a] < likely[b];
    });
    RiskRank rank{.winner = order[0], .runnerUp = order[1]};
    const auto likelyOf = [&](std::size_t fleet) { return from.answer.fleets[fleet].spreads[objective]->likely; };
    rank.expectedLead = lead(likelyOf(rank.runnerUp), likelyOf(rank.winner));
    std::array<double, hypercubes> ahead{};
    const auto draws = from.best.draws();
    for (std::size_t draw = 0; draw < draws; ++draw) {
        const double by = lead(from.objectives[rank.runnerUp][draw], from.objectives[rank.winner][draw]);
        ahead[cubeOf(draw, draws)] += (by > 0 ? 1 : by == 0 ? 0.5 : 0) / (double(draws) / double(hypercubes));
    }
    rank.ahead = chanceOfShares(ahead);
    rank.drivers = driversOf(from, rank);
    rank.settling = settlingOf(from, rank, stop);
    if (stop.stop_requested())
        return std::nullopt;
    rank.sentences = sentencesOf(from, rank);
    return rank;
}

} // namespace fleetwright::uncertainty
