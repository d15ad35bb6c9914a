// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/pricedanswer.h"

#include <optional>
#include <string>
#include <vector>

/// "What if its price were 20 % lower?": the answer with one price multiplied, nothing being saved. Fleets and layouts
/// stay as they are; limits of money are judged again.
namespace fleetwright::size {

/// A price that can be asked about.
struct AskedPrice {
    std::string entry; ///< of the worksheet: what a node costs, the rent, the tariff
    /// pricedInWords() of whose price alone it is; nothing: everybody's.
    std::optional<std::string> of;
    std::string title; ///< "Price of DGX B200, owned", "Price of every node that is bought"
    bool operator==(const AskedPrice &) const = default;
};

/// What a price is multiplied by that changes by so many percent: 0.8 for -20.
[[nodiscard]] constexpr double factorOf(int percent) { return 1 + percent / 100.0; }

/// The answer where a price is another.
struct PriceWhatIf {
    double factor = 1;
    const Answer *now = nullptr, *then = nullptr; ///< what wins; of the result; nullptr: nothing keeps the limits
    FleetFigures figuresNow, figuresThen; ///< of these; where nothing wins then, of `now` at the other price
    [[nodiscard]] bool changes() const { return now != then; }
    /// "With the price of DGX B200, owned 20 % lower (246 000 USD/node instead of 307 000): … stays the best."
    std::string sentence;
};

/// All fleets that an answer keeps, cheapest first by what decides: the best of each node, fabric, site and way of
/// paying, what comes closest where money alone stands in the way, and the front.
class PriceRivals {
public:
    /// Prices each of them. Refused as PricedAnswer::of(). The result must outlive it.
    [[nodiscard]] static Expected<PriceRivals> of(
        const DecisionDocument &document, const Catalog &catalog, const Result &result);

    /// Whether any price moves objective or limits.
    [[nodiscard]] bool anyMatters() const;
    /// The winner's own first (without a winner: of what comes closest), those of everybody, then the others', in the
    /// order of the answers.
    [[nodiscard]] const std::vector<AskedPrice> &prices() const { return m_prices; }
    /// Of the price of this answer's fleet among them.
    [[nodiscard]] std::optional<std::size_t> priceOf(const Answer &answer) const;

    /// The fleet that keeps all limits at the least with the price multiplied; nullptr: none does.
    [[nodiscard]] const Answer *winnerWith(std::string_view entry, double factor, const std::string *of) const;
    [[nodiscard]] PriceWhatIf whatIf(const AskedPrice &price, double factor) const;
    /// The factors nearest to 1, below and above, from which on another fleet wins than now (or none, or one where none
    /// does); nothing: not between a fifth of the price and five times it.
    struct Turns {
        std::optional<double> below, above;
    };
    [[nodiscard]] Turns turnsOf(const AskedPrice &price) const;
    /// "Another fleet is the best from 28 % higher on (393 kUSD/node instead of 307): … ; no lower price changes it."
    [[nodiscard]] std::string turnsInWords(const AskedPrice &price) const;

private:
    struct Rival {
        const Answer *answer = nullptr;
        std::string price;
        PricedAnswer priced;
    };
    PriceRivals(const DecisionDocument &document, const Result &result) : m_judge(document), m_result(&result) { }
    [[nodiscard]] const Rival *rivalOf(const Answer *answer) const;
    [[nodiscard]] FleetFigures figuresOf(const Answer *answer, const AskedPrice &price, double factor) const;
    /// "393 kUSD/node instead of 307": of the fleet whose price it is; empty where it is everybody's.
    [[nodiscard]] std::string valueInWords(const AskedPrice &price, double factor) const;
    void listPrices();

    FleetJudge m_judge;
    const Result *m_result;
    std::vector<Rival> m_rivals;
    std::vector<AskedPrice> m_prices;
};

} // namespace fleetwright::size
