// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/search/recommendation.h"

#include <limits>

/// What a search keeps while it runs, in bounded memory. Merging two collectors gives what one would have collected, in
/// any order.
namespace fleetwright::layoutsearch {

/// Lower is better.
[[nodiscard]] inline double scoreOf(LayoutSearchObjective objective, const Row &row, const CaseFacts &facts)
{
    const double value = valueOf(objective, row, facts);
    return lessIsBetter(objective) ? value : -value;
}

/// The best `most` of any number of rows.
class BestRows {
public:
    explicit BestRows(std::size_t most) : m_most(most) { }
    void add(const Ranked &row)
    {
        if (!(row.score <= m_worst)) // a score that is not a number is not among the best
            return;
        m_rows.push_back(row);
        if (m_rows.size() >= 2 * m_most + slack)
            shrink();
    }
    /// A row with a higher score is certainly not among the best.
    [[nodiscard]] double worst() const { return m_worst; }
    void add(const BestRows &others);
    [[nodiscard]] std::vector<Ranked> sorted() &&;

private:
    static constexpr std::size_t slack = 64;
    void shrink();
    std::size_t m_most;
    double m_worst = std::numeric_limits<double>::infinity();
    std::vector<Ranked> m_rows;
};

/// The rows that no other row beats in both axes; of equal ones the first in the rows' own order.
class Front {
public:
    struct Point {
        double x = 0, y = 0;
        Row row;
    };
    /// Rows with an unknown figure are left out.
    void add(const Point &point);
    /// Whether some point is no worse in both and better in one.
    [[nodiscard]] bool beats(double x, double y) const;
    [[nodiscard]] const std::vector<Point> &points() const { return m_points; }

private:
    std::vector<Point> m_points; ///< x ascending, y descending
};

struct Gathered {
    bool found = false;
    Ranked best{.score = std::numeric_limits<double>::infinity()};
    std::uint64_t feasible = 0, infeasible = 0;
    double leastMemoryBytes = std::numeric_limits<double>::infinity();
    Gathered &operator+=(const Gathered &other);
};

struct Collector {
    Collector(std::size_t rows, std::size_t groupCount, std::size_t cases)
        : best(rows), groups(groupCount), simplest(cases), counts(cases)
    {
    }
    void add(const Collector &other);
    BestRows best;
    Front front;
    std::vector<Gathered> groups;
    std::vector<BestByComplexity> simplest; ///< of each case
    std::vector<Counts> counts;
};

struct GroupKey {
    int caseIndex = 0;
    Split split;
    auto operator<=>(const GroupKey &) const = default;
};
/// Puts rows, groups (those of `keys`, in the collector's order), front and counts into the result; its facts are there
/// already. With `groupsAsRows` the best of each group stand for the rows.
void assemble(Collector collector, const std::vector<GroupKey> &keys, bool groupsAsRows, Result &result);

} // namespace fleetwright::layoutsearch
