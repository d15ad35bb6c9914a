// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/pricedanswer.h"
#include "solver/size/sizewords.h"
#include "solver/size/turningpoints.h"
#include "solver/worksheet/sheets.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::size {

namespace {

/// Fleets whose costs differ by less are taken as equal: the present winner stays.
constexpr double equalShare = 1e-9;

/// All fleets that an answer keeps, cheapest first by what decides; each is priced when it is first asked about.
class Rivals {
public:
    Rivals(const DecisionDocument &document, const Catalog &catalog, const Result &result)
        : m_document(document), m_catalog(catalog), m_result(result), m_judge(document)
    {
        for (const auto &lot : result.answers)
            add(lot.answer);
        for (const auto &answer : result.front)
            add(answer);
        const auto *winner = result.best();
        std::ranges::stable_sort(m_rivals, {}, [&](const Rival &rival) {
            return std::pair(m_judge.objectiveOf(rival.answer->figures), rival.answer != winner);
        });
    }

    [[nodiscard]] const FleetJudge &judge() const { return m_judge; }

    /// The fleet that keeps all limits at the least with an entry multiplied by a factor, for all fleets or those of
    /// one price; nullptr: none does. A price moves no figure by more than its own share, so that those are looked at
    /// that are within reach.
    Expected<const Answer *> winnerWith(std::string_view entry, double factor, const std::string *of)
    {
        const Answer *winner = nullptr;
        double least = 0;
        const auto *today = m_result.best();
        for (auto &rival : m_rivals) {
            const double now = m_judge.objectiveOf(rival.answer->figures);
            if (winner && now * std::min(1.0, factor) > least * (1 + equalShare))
                break;
            const bool moves = !of || *of == rival.price;
            if (!rival.answer->isFeasible() && !(moves && factor < 1))
                continue;
            auto figures = rival.answer->figures;
            if (moves) {
                if (auto ok = price(rival); !ok)
                    return std::unexpected(ok.error());
                figures = rival.priced->with(entry, factor);
            }
            const double value = m_judge.objectiveOf(figures);
            if (std::isnan(value) || !m_judge.misses(figures).empty())
                continue;
            const bool isEqual = winner && std::abs(value - least) <= equalShare * std::abs(least);
            if (!winner || (isEqual ? rival.answer == today : value < least)) {
                winner = rival.answer;
                least = value;
            }
        }
        return winner;
    }

private:
    struct Rival {
        const Answer *answer = nullptr;
        std::string price;
        std::optional<PricedAnswer> priced{};
    };

    void add(const Answer &answer)
    {
        const double value = m_judge.objectiveOf(answer.figures);
        const bool isKnown = std::ranges::any_of(m_rivals, [&](const Rival &rival) {
            return rival.answer->lot == answer.lot && rival.answer->nodes == answer.nodes
                && rival.answer->second == answer.second;
        });
        if (!isKnown && !answer.jobs.empty() && std::isfinite(value) && breaksMoneyAlone(answer))
            m_rivals.push_back({.answer = &answer, .price = pricedInWords(m_result, answer)});
    }

    Expected<void> price(Rival &rival)
    {
        if (rival.priced)
            return {};
        auto priced = PricedAnswer::of(m_document, m_catalog, m_result, *rival.answer);
        if (!priced)
            return std::unexpected(priced.error());
        rival.priced = std::move(*priced);
        return {};
    }

    const DecisionDocument &m_document;
    const Catalog &m_catalog;
    const Result &m_result;
    FleetJudge m_judge;
    std::vector<Rival> m_rivals;
};

bool depends(const DecisionDocument &document, const FleetJudge &judge)
{
    constexpr std::array limits{SizeLimit::RunCost, SizeLimit::Capital, SizeLimit::YearlyCost};
    return document.objective == DecisionObjective::RunCost || document.objective == DecisionObjective::Capital
        || document.objective == DecisionObjective::OwnershipCost
        || std::ranges::any_of(limits, [&](SizeLimit limit) { return judge.allowed(limit).has_value(); });
}

} // namespace

Expected<std::vector<PriceChange>> priceChanges(
    const DecisionDocument &document, const Catalog &catalog, const Result &result, double share, std::size_t most)
{
    std::vector<PriceChange> changes;
    Rivals rivals(document, catalog, result);
    if (!depends(document, rivals.judge()))
        return changes;
    const auto *today = result.best();
    Expected<void> ok;
    const auto look = [&](std::string_view entry, double factor, const std::string *of) {
        if (!ok)
            return;
        const auto winner = rivals.winnerWith(entry, factor, of);
        if (!winner) {
            ok = std::unexpected(winner.error());
            return;
        }
        PriceChange change{.entry = std::string(entry),
            .label = sheets::run().row(*sheets::run().find(entry)).label,
            .factor = factor,
            .of = of ? std::optional(*of) : std::nullopt,
            .winner = *winner ? std::optional(FleetOfAnswer{(*winner)->lot, (*winner)->nodes}) : std::nullopt,
            .winnerInWords = *winner ? shortFleetInWords(result, **winner) : std::string(),
            .changes = *winner != today,
            .sentence = {}};
        if (change.changes)
            change.sentence = "With \u201c" + change.label + "\u201d " + units::formatPercent(std::abs(factor - 1))
                + (factor > 1 ? " higher" : " lower") + (of ? " for " + *of + " alone" : std::string(" for all")) + ", "
                + (!change.winner ? std::string("no fleet keeps all limits")
                                  : change.winnerInWords + (today ? " wins" : " keeps all limits"))
                + ".";
        changes.push_back(std::move(change));
    };
    for (const std::string_view entry : {"node_usd", "rent_usd_per_hour", "usd_per_kwh"})
        for (const double factor : {1 - share, 1 + share})
            look(entry, factor, nullptr);
    // Each price alone: the winner's up, the others' down.
    std::vector<std::string> prices;
    for (const auto &lot : result.answers) {
        const auto &of = result.lots[lot.answer.lot];
        if (prices.size() == most || lot.answer.jobs.empty() || !breaksMoneyAlone(lot.answer))
            continue;
        auto price = pricedInWords(result, lot.answer);
        if (std::ranges::find(prices, price) != prices.end())
            continue;
        look(priceEntryOf(of), today && prices.empty() ? 1 + share : 1 - share, &price);
        prices.push_back(std::move(price));
    }
    if (!ok)
        return std::unexpected(ok.error());
    return changes;
}

} // namespace fleetwright::size
