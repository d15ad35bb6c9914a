// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/sheetchecker.h"

#include <algorithm>
#include <functional>

namespace fleetwright {

namespace {

/// Rows that a formula needs in the same column; those of `inReductions` in all columns.
struct SheetNeeds {
    std::vector<std::size_t> sameColumn, allColumns;
};

void collectNeeds(const SheetFormula &formula, bool reducing, SheetNeeds &needs)
{
    using enum SheetOperation;
    if (formula.operation == Row)
        (reducing ? needs.allColumns : needs.sameColumn).push_back(formula.row);
    const bool inner = reducing || formula.operation == ByMonth
        || (formula.operation >= Sum && formula.operation <= First) || formula.operation == Irr
        || formula.operation == IrrStatus;
    for (const auto &argument : formula.arguments)
        collectNeeds(argument, inner, needs);
}

SheetNeeds needsOf(const Worksheet::Row &row)
{
    SheetNeeds needs;
    for (const auto *formula : {&row.formula, &row.atStart})
        if (*formula)
            collectNeeds(**formula, false, needs);
    return needs;
}

/// Tarjan's strongly connected components; those that others need come first.
class SheetComponents {
public:
    explicit SheetComponents(const std::vector<std::vector<std::size_t>> &needs)
        : m_needs(needs), m_number(needs.size()), m_lowest(needs.size()), m_onStack(needs.size())
    {
        for (std::size_t row = 0; row < needs.size(); ++row)
            if (m_number[row] == 0)
                visit(row);
    }
    [[nodiscard]] std::vector<std::vector<std::size_t>> take() { return std::move(m_components); }

private:
    void visit(std::size_t row)
    {
        m_number[row] = m_lowest[row] = ++m_count;
        m_stack.push_back(row);
        m_onStack[row] = true;
        for (const auto need : m_needs[row]) {
            if (m_number[need] == 0) {
                visit(need);
                m_lowest[row] = std::min(m_lowest[row], m_lowest[need]);
            } else if (m_onStack[need]) {
                m_lowest[row] = std::min(m_lowest[row], m_number[need]);
            }
        }
        if (m_lowest[row] != m_number[row])
            return;
        auto &component = m_components.emplace_back();
        std::size_t member = 0;
        do {
            member = m_stack.back();
            m_stack.pop_back();
            m_onStack[member] = false;
            component.push_back(member);
        } while (member != row);
        std::ranges::sort(component);
    }

    const std::vector<std::vector<std::size_t>> &m_needs;
    std::vector<std::size_t> m_number, m_lowest, m_stack;
    std::vector<bool> m_onStack;
    std::vector<std::vector<std::size_t>> m_components;
    std::size_t m_count = 0;
};

} // namespace

void SheetChecker::putInOrder()
{
    const auto &rows = m_sheet.m_rows;
    std::vector<std::vector<std::size_t>> needs(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const auto *formula : {&rows[i].formula, &rows[i].atStart})
            if (*formula)
                std::ranges::copy(rowsOf(**formula), std::back_inserter(needs[i]));
    for (auto &component : SheetComponents(needs).take()) {
        const auto first = component.front();
        const bool followsItself = std::ranges::find(needs[first], first) != needs[first].end();
        Worksheet::Group group{std::move(component), false};
        group.columnByColumn = group.rows.size() > 1 || followsItself;
        if (group.columnByColumn)
            orderGroup(group);
        m_sheet.m_order.push_back(std::move(group));
    }
}

/// Rows that follow from each other: only through the column before, and in an order that holds within a column.
void SheetChecker::orderGroup(Worksheet::Group &group)
{
    const auto inside = [&](std::size_t row) { return std::ranges::find(group.rows, row) != group.rows.end(); };
    const auto circle = [&] {
        std::string names;
        for (const auto row : group.rows)
            names += (names.empty() ? "" : ", ") + m_sheet.m_rows[row].key;
        m_subject = m_sheet.m_rows[group.rows.front()].key;
        fail(ErrorCode::UnsupportedValue, "These rows follow from each other in a circle: " + names + ".");
    };
    std::vector<std::size_t> ordered;
    enum class Mark { Open, Entered, Done };
    std::vector<Mark> marks(m_sheet.m_rows.size(), Mark::Open);
    std::function<void(std::size_t)> enter = [&](std::size_t row) {
        if (!m_result || marks[row] == Mark::Done)
            return;
        const auto needs = needsOf(m_sheet.m_rows[row]);
        if (marks[row] == Mark::Entered || m_sheet.m_rows[row].shape == SheetShape::Single
            || m_sheet.m_rows[row].shape != m_sheet.m_rows[group.rows.front()].shape
            || std::ranges::any_of(needs.allColumns, inside))
            return circle();
        marks[row] = Mark::Entered;
        for (const auto need : needs.sameColumn)
            if (inside(need))
                enter(need);
        marks[row] = Mark::Done;
        ordered.push_back(row);
    };
    for (const auto row : group.rows)
        enter(row);
    if (m_result)
        group.rows = std::move(ordered);
}

} // namespace fleetwright
