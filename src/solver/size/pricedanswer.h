// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/fleetjudge.h"
#include "solver/worksheet/evaluatedsheet.h"

namespace fleetwright::size {

/// The figures of one answer as functions of an entry of its worksheets; fleet and layouts stay as they are.
class PricedAnswer {
public:
    /// Refused as runsOf() and evaluateSheet(). The answer must outlive it.
    [[nodiscard]] static Expected<PricedAnswer> of(
        const DecisionDocument &document, const Catalog &catalog, const Result &result, const Answer &answer);

    [[nodiscard]] const Answer &answer() const { return *m_answer; }
    /// The answer's figures as its worksheets have them; power, goodput and what is of the order are not among them.
    [[nodiscard]] const FleetFigures &bySheets() const { return m_now; }
    /// What the entry is now; nothing where it is not entered. Of "node_usd" the sum of its parts, where these are.
    [[nodiscard]] std::optional<double> now(std::string_view entry) const;
    /// The answer's figures with the entry multiplied by a factor, in all jobs. The chance of the deadline stays.
    [[nodiscard]] FleetFigures with(std::string_view entry, double factor) const;
    /// The answer's figures where its worksheets have these instead of bySheets().
    [[nodiscard]] FleetFigures scaledTo(const FleetFigures &sheets) const;

private:
    [[nodiscard]] FleetFigures sheetsWith(std::string_view entry, double factor) const;

    const Answer *m_answer = nullptr;
    struct FleetSheets {
        Paying paying = Paying::Own;
        std::vector<EvaluatedSheet> jobs;
    };
    std::vector<FleetSheets> m_fleets; ///< the second one last
    FleetFigures m_now; ///< by the sheets
};

/// The fleets that an answer keeps and whose money is known, each once: the best of each lot and the front, those that
/// `competes` asks for, the least of the objective first, of equal ones the winner.
[[nodiscard]] std::vector<const Answer *> byObjective(
    const Result &result, const FleetJudge &judge, bool (*competes)(const Answer &));
/// What a fleet is bought or rented by: "node_usd", "rent_usd_per_hour".
[[nodiscard]] std::string_view priceEntryOf(const Lot &lot);
/// Whose price it is: "DGX B200, owned", or the offer's or owned fleet's own label.
[[nodiscard]] std::string pricedInWords(const Result &result, const Answer &answer);
/// "307 000 USD/node": of an entry of the worksheet, in its unit.
[[nodiscard]] std::string priceInWords(std::string_view entry, double value);
/// Whether what a fleet breaks, if anything, are limits of money alone: what it costs can let it in.
[[nodiscard]] bool breaksMoneyAlone(const Answer &answer);

} // namespace fleetwright::size
