// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/turningpoints.h"

#include "solver/size/pricedanswer.h"
#include "solver/size/sizewords.h"
#include "solver/worksheet/fleettables.h"
#include "solver/worksheet/sheets.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::size {

namespace {

constexpr std::string_view stepTimeEntry = "step_time_s";

/// The factor at which the difference is 0, between nothing and a hundred times; nothing where it is none.
template <class Difference> std::optional<double> rootOf(Difference difference)
{
    constexpr double most = 100;
    constexpr int halvings = 80;
    double low = 1e-9, high = most;
    double atLow = difference(low);
    const double atHigh = difference(high);
    if (std::isnan(atLow) || std::isnan(atHigh) || (atLow < 0) == (atHigh < 0))
        return std::nullopt;
    for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2, value = difference(middle);
        if ((value < 0) == (atLow < 0)) {
            low = middle;
            atLow = value;
        } else {
            high = middle;
        }
    }
    return (low + high) / 2;
}

/// How a loser fares where an entry is multiplied by a factor.
class Lever {
public:
    Lever(const FleetJudge &judge, const PricedAnswer &loser, const PricedAnswer &winner, std::string_view entry,
        bool movesBoth)
        : m_judge(judge), m_loser(loser), m_winner(winner), m_entry(entry), m_movesBoth(movesBoth)
    {
    }

    /// Whether it moves what the loser is behind in.
    [[nodiscard]] bool isOne() const
    {
        constexpr double some = 2;
        const auto now = m_loser.with(m_entry, 1), then = m_loser.with(m_entry, some);
        return m_judge.objectiveOf(now) != m_judge.objectiveOf(then)
            || FleetJudge::excess(m_judge.misses(now)) != FleetJudge::excess(m_judge.misses(then));
    }
    /// The factor nearest to 1 at which the loser is as good as the winner and keeps the limits.
    [[nodiscard]] std::optional<double> turn() const
    {
        std::optional<double> nearest;
        for (const auto &factor : {rootOf([this](double times) { return behind(times); }),
                 rootOf([this](double times) { return keepsLimits(times) ? -1.0 : 1.0; })}) {
            constexpr double aside = 1e-6;
            if (factor && (wins(*factor * (1 - aside)) || wins(*factor * (1 + aside)))
                && (!nearest || std::abs(std::log(*factor)) < std::abs(std::log(*nearest))))
                nearest = factor;
        }
        return nearest;
    }

private:
    [[nodiscard]] double behind(double times) const
    {
        return m_judge.objectiveOf(m_loser.with(m_entry, times))
            - m_judge.objectiveOf(m_winner.with(m_entry, m_movesBoth ? times : 1));
    }
    [[nodiscard]] bool keepsLimits(double times) const { return m_judge.misses(m_loser.with(m_entry, times)).empty(); }
    [[nodiscard]] bool wins(double times) const { return keepsLimits(times) && behind(times) <= 0; }

    const FleetJudge &m_judge;
    const PricedAnswer &m_loser, &m_winner;
    std::string_view m_entry;
    bool m_movesBoth;
};

/// The same nodes, had in the other way: what they cost and which limits they break. Empty where they are not offered
/// so.
std::string twinInWords(
    const DecisionDocument &document, const Catalog &catalog, const Result &result, const Answer &best)
{
    const auto &own = result.lots[best.lot];
    if (best.second || !own.label.empty())
        return {};
    const auto isOther = [&](const Lot &lot) {
        return lot.label.empty() && lot.ownedNodes == 0 && lot.nodeId == own.nodeId && lot.fabric == own.fabric
            && lot.site == own.site && lot.fleet.oversubscription == own.fleet.oversubscription
            && lot.paying.paying != own.paying.paying;
    };
    const auto found = std::ranges::find_if(result.lots, isOther);
    if (found == result.lots.end())
        return {};
    auto twin = best;
    twin.lot = std::size_t(found - result.lots.begin());
    const auto priced = PricedAnswer::of(document, catalog, result, twin);
    if (!priced || !std::isfinite(priced->bySheets().runCostUsd))
        return {};
    const auto &sheets = priced->bySheets();
    twin.figures.runCostUsd = sheets.runCostUsd;
    twin.figures.capitalUsd = sheets.capitalUsd;
    twin.figures.yearlyUsd = sheets.yearlyUsd;
    twin.misses = FleetJudge(document).misses(twin.figures);
    auto text = "The same " + units::format(double(twin.nodes), units::Dimension::Number) + " nodes "
        + words(found->paying) + " cost " + limitInWords(SizeLimit::RunCost, twin.figures.runCostUsd);
    if (twin.figures.capitalUsd > 0)
        text += ", with " + limitInWords(SizeLimit::Capital, twin.figures.capitalUsd);
    return text + (twin.misses.empty() ? "." : "; beyond the limits: " + missesInWords(twin) + ".");
}

/// From which month owning the winner has cost no more than the cheapest rent that keeps the limits.
struct CheapestRent {
    std::size_t answer = 0;
    std::string sentence;
};

/// Of the winner whose sheet it is, against the fleet that is rented for the least a year of those that keep the
/// limits, be it fewer of the winner's own nodes. Nothing where none is rented for less than all of those.
std::optional<CheapestRent> cheapestRent(const Catalog &catalog, const Result &result, const CostSheet &sheet)
{
    const auto &best = *result.best();
    std::optional<std::size_t> cheapest;
    for (std::size_t i = 0; i < result.answers.size(); ++i) {
        const auto &one = result.answers[i].answer;
        const auto &lot = result.lots[one.lot];
        if (one.isFeasible() && !one.second && lot.paying.paying == Paying::Rent && std::isfinite(one.figures.yearlyUsd)
            && (!cheapest || one.figures.yearlyUsd < result.answers[*cheapest].answer.figures.yearlyUsd))
            cheapest = i;
    }
    if (result.lots[best.lot].paying.paying != Paying::Own || best.second || !cheapest)
        return std::nullopt;
    const auto &rent = result.answers[*cheapest].answer;
    const auto fleet = resolve(fleetOf(result, rent), catalog);
    const auto rented = fleet ? fleetCost(*fleet) : std::unexpected(fleet.error());
    if (!rented)
        return std::nullopt;
    const auto owned = sheet.sheet().columns("own_by_month_usd"), same = sheet.sheet().columns("rent_by_month_usd"),
               other = rented->sheet().columns("rent_by_month_usd");
    const auto months = std::min(owned.size(), other.size());
    if (months < 2 || (same.size() >= months && same[months - 1] <= other[months - 1]))
        return std::nullopt;
    std::size_t from = months;
    while (from > 1 && owned[from - 1] <= other[from - 1])
        --from;
    const auto name = shortFleetInWords(result, rent);
    return CheapestRent{*cheapest,
        from == months ? "Owning stays dearer than renting " + name
                + " all year, the cheapest rent that keeps the limits, in present value of what is paid by the month."
                       : "From month " + std::to_string(from) + " on, owning has cost less than renting " + name
                + " all year, the cheapest rent that keeps the limits, in present value of what is paid by the month."};
}

} // namespace

Expected<std::optional<BuyOrRent>> buyOrRent(
    const DecisionDocument &document, const Catalog &catalog, const Result &result)
{
    const auto *best = result.best();
    if (!best)
        return std::nullopt;
    BuyOrRent answer;
    const auto &winner = result.lots[best->lot];
    for (std::size_t i = 0; i < result.answers.size(); ++i) {
        const auto &one = result.answers[i].answer;
        const auto &lot = result.lots[one.lot];
        if (!one.isFeasible() || lot.nodeId != winner.nodeId)
            continue;
        auto &place = lot.paying.paying == Paying::Own ? answer.owned : answer.rented;
        if (!place) // the best come first
            place = i;
    }
    if (answer.owned && answer.rented) {
        const auto &owned = result.answers[*answer.owned].answer, &rented = result.answers[*answer.rented].answer;
        const auto cost = [](const Answer &of) { return units::format(Dollars::from_value(of.figures.runCostUsd)); };
        // What is bought is paid for in the rest of the year, too: its run is a share.
        answer.sentences.push_back("For these jobs " + shortFleetInWords(result, owned) + " costs " + cost(owned)
            + ", their share of " + units::format(Dollars::from_value(owned.figures.yearlyUsd)) + " a year; "
            + shortFleetInWords(result, rented) + " costs " + cost(rented) + ".");
        answer.first = answer.sentences;
    }
    if (const auto twin = twinInWords(document, catalog, result, *best);
        !(answer.owned && answer.rented) && !twin.empty()) {
        answer.sentences.push_back(twin);
        answer.first = answer.sentences;
    }
    auto asked = fleetOf(result, *best);
    asked.costs.paying = Paying::Own;
    if (winner.paying.paying == Paying::Own && answer.rented)
        asked.costs.rentTerm = result.lots[result.answers[*answer.rented].answer.lot].paying.rentTerm;
    const auto fleet = resolve(asked, catalog);
    if (!fleet)
        return std::unexpected(fleet.error());
    const auto sheet = fleetCost(*fleet);
    if (!sheet)
        return std::unexpected(sheet.error());
    if (!sheet->value("capital_usd")) // nobody sells it
        return answer.sentences.empty() ? std::nullopt : std::optional(std::move(answer));
    answer.fleet = asked;
    const auto words = buyOrRentInWords(*fleet, *sheet);
    answer.sentences.insert(answer.sentences.end(), words.begin(), words.end());
    if (const auto cheapest = cheapestRent(
            catalog, result, *sheet)) { // the same nodes cost more: nobody would rent them
        answer.sentences.push_back(cheapest->sentence);
        answer.first.push_back(cheapest->sentence);
        answer.cheapestRent = cheapest->answer;
    } else if (words.size() > 1) // else it is the reason why there is no more to say
        answer.first.push_back(words.back());
    if (yearsOf(asked.costs.rentTerm) == 0)
        return answer;
    // Who rents only the hours in use pays the price on demand.
    asked.costs.rentTerm = RentTerm::OnDemand;
    const auto byTheHour = resolve(asked, catalog);
    const auto hours = byTheHour ? fleetCost(*byTheHour) : std::unexpected(byTheHour.error());
    if (!hours)
        return std::unexpected(hours.error());
    constexpr std::size_t priceAndUtilisation = 2;
    const auto said = hours->value("breakeven_utilisation") ? buyOrRentInWords(*byTheHour, *hours)
                                                            : std::vector<std::string>();
    answer.sentences.insert(answer.sentences.end(), said.begin(),
        said.begin() + std::ptrdiff_t(std::min(said.size(), priceAndUtilisation)));
    return answer;
}

Expected<std::vector<TurningPoint>> turningPoints(const DecisionDocument &document, const Catalog &catalog,
    const Result &result, const Answer &loser, const Answer &winner)
{
    const auto losing = PricedAnswer::of(document, catalog, result, loser);
    if (!losing)
        return std::unexpected(losing.error());
    const auto winning = PricedAnswer::of(document, catalog, result, winner);
    if (!winning)
        return std::unexpected(winning.error());
    const FleetJudge judge(document);
    const auto price = priceEntryOf(result.lots[loser.lot]);
    struct Subject {
        std::string_view entry, words;
        bool movesBoth;
    };
    const std::array<Subject, 3> subjects{{{price, price == "node_usd" ? "a node" : "the rent", false},
        {"usd_per_kwh", "the tariff", true}, {stepTimeEntry, "a step", false}}};
    std::vector<TurningPoint> points;
    for (const auto &subject : subjects) {
        const auto now = losing->now(subject.entry);
        const Lever lever(judge, *losing, *winning, subject.entry, subject.movesBoth);
        if (!now || *now == 0 || !lever.isOne())
            continue;
        if (subject.entry == stepTimeEntry && result.lots[loser.lot].nodeId == result.lots[winner.lot].nodeId)
            continue; // the same hardware is not faster for being paid for otherwise
        const auto factor = lever.turn();
        const auto &row = sheets::run().row(*sheets::run().find(subject.entry));
        TurningPoint point{.entry = std::string(subject.entry),
            .label = row.label,
            .unit = row.unit,
            .now = *now,
            .needed = factor ? std::optional(*factor * *now) : std::nullopt,
            .sentence = {}};
        const auto fleet = shortFleetInWords(result, loser), other = shortFleetInWords(result, winner);
        if (subject.entry == stepTimeEntry && factor && loser.jobs.front().likelyMfu() / *factor > 1)
            point.needed = std::nullopt; // faster than the peak
        const std::string equals = loser.isFeasible() ? " equals " : " keeps the limits and is as good as ";
        if (!point.needed)
            point.sentence = "No value of \u201c" + row.label + "\u201d alone makes " + fleet + " as good as " + other
                + (judge.limitsAnything() ? " within the limits." : ".");
        else if (subject.entry == stepTimeEntry)
            point.sentence = fleet + equals + other + " if its steps take "
                + units::formatPercent(std::abs(1 - *factor))
                + (*factor < 1 ? " less time than predicted (an MFU of " : " more time than predicted (an MFU of ")
                + units::formatPercent(loser.jobs.front().likelyMfu() / *factor) + " instead of "
                + units::formatPercent(loser.jobs.front().likelyMfu()) + ").";
        else
            point.sentence = fleet + equals + other + " where " + std::string(subject.words) + " costs "
                + priceInWords(subject.entry, *point.needed) + " (now " + priceInWords(subject.entry, *now) + ").";
        points.push_back(std::move(point));
    }
    return points;
}

} // namespace fleetwright::size
