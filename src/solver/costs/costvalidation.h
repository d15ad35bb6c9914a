// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"
#include "solver/costs/publishedcosts.h"

/// What the worksheet says for published purchases, powers, energies and interruptions, beside what was published.
namespace fleetwright::costs {

/// A part of a computed figure, or what it was computed from.
struct CostLine {
    std::string label;
    double value = 0; ///< base units
    units::Dimension dimension = units::Dimension::Money;
    std::string source{};
    bool operator==(const CostLine &) const = default;
};

/// A price of the catalog that a figure rests on, as the program chose it for the fleet.
struct CostQuote {
    std::string entry, label; ///< of the worksheet
    double value = 0; ///< in `unit`
    std::string unit, source, date;
    bool isEstimate = false;
    std::string remark{}; ///< what the catalog says about it
    bool operator==(const CostQuote &) const = default;
};

/// The discount that large buyers got, by other orders than the one that it is shown for.
struct BulkDiscount {
    struct Order {
        std::string id, name;
        double ratio = 0; ///< paid over the worksheet at catalog prices
        bool operator==(const Order &) const = default;
    };
    std::vector<Order> evidence;
    double ratio = 1; ///< median of the evidence
    bool operator==(const BulkDiscount &) const = default;
};

/// A published figure and what the worksheet says for it.
struct CostScore {
    PublishedCost row;
    double computed = 0; ///< base units
    std::optional<double> low, high; ///< of a computed range
    bool within = false; ///< its tolerance, at catalog prices
    std::vector<CostLine> lines; ///< their sum is `computed` where they are money
    std::vector<CostQuote> quotes;
    std::optional<BulkDiscount> discount; ///< of purchases of accelerators that came with the H200 or later
    [[nodiscard]] double ratio() const { return computed / row.published; }
    [[nodiscard]] double error() const; ///< positive: computed above published
    /// With the discount; the same as without where there is none.
    [[nodiscard]] double discounted() const { return computed * (discount ? discount->ratio : 1); }
    [[nodiscard]] double discountedError() const;
    [[nodiscard]] bool withinDiscounted() const;
};

/// What is asked of the scores of a kind, and whether they do it.
struct CostTarget {
    std::string sentence;
    bool met = false;
    bool operator==(const CostTarget &) const = default;
};

struct CostSummary {
    CostKind kind = CostKind::Purchase;
    std::size_t count = 0, within = 0, withinDiscounted = 0;
    bool hasDiscount = false;
    double medianError = 0, meanError = 0; ///< absolute, at catalog prices
    double medianDiscounted = 0, meanDiscounted = 0; ///< absolute, with the discount
    std::optional<CostTarget> target{};
};

/// A line of a table of summaries.
struct CostSummaryLine {
    std::string title;
    std::size_t count = 0, within = 0;
    double medianError = 0, meanError = 0; ///< absolute
    std::optional<CostTarget> target{};
};
/// One line, or two where the discount of large buyers makes a difference: at catalog prices and with it.
[[nodiscard]] std::vector<CostSummaryLine> linesOf(const CostSummary &summary);

struct CostValidation {
    std::vector<CostScore> scores; ///< by kind, then in the order of the files
    std::vector<UnscoredCost> notScored;
    std::vector<CostSummary> summaries; ///< of the kinds that have scores
};

/// Every figure that the catalog can price; those for which it lacks an item or a price are among the not scored, with
/// the reason. Milliseconds.
[[nodiscard]] CostValidation validateCosts(const PublishedCosts &published, const Catalog &catalog);

/// What the figures are, what they rest on and, for a miss, why it misses: one sentence each.
[[nodiscard]] std::vector<std::string> explainCost(const CostScore &score);

/// How far off purchases typically are, and which way most of them; then rentals. "" without a purchase or rental.
[[nodiscard]] std::string typicalErrorsInWords(const CostValidation &validation);

/// A value of the kind for people: "1.73 kW", "233 MUSD", "419".
[[nodiscard]] std::string costInWords(double value, CostKind kind);
/// "+3.5 %", "-12 %".
[[nodiscard]] std::string errorInWords(double error);

} // namespace fleetwright::costs
