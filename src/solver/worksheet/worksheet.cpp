// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/worksheet.h"

#include "solver/worksheet/sheetchecker.h"

#include <algorithm>

namespace fleetwright {

std::vector<std::size_t> rowsOf(const SheetFormula &formula)
{
    std::vector<std::size_t> rows;
    visitFormula(formula, [&](const SheetFormula &part) {
        if ((part.operation == SheetOperation::Row || part.operation == SheetOperation::Previous)
            && std::ranges::find(rows, part.row) == rows.end())
            rows.push_back(part.row);
    });
    return rows;
}

std::optional<std::size_t> wordOf(const SheetEntry &entry, std::string_view word)
{
    const auto found = std::ranges::find(entry.words, word);
    return found == entry.words.end() ? std::nullopt : std::optional(std::size_t(found - entry.words.begin()));
}

std::optional<std::size_t> Worksheet::find(std::string_view key) const
{
    const auto found = m_index.find(key);
    return found == m_index.end() ? std::nullopt : std::optional(found->second);
}

Expected<Worksheet> Worksheet::define(std::span<const SheetRow> rows, std::span<const SheetRule> rules)
{
    return define({rows}, rules);
}

Expected<Worksheet> Worksheet::define(
    std::initializer_list<std::span<const SheetRow>> rows, std::span<const SheetRule> rules)
{
    SheetChecker checker;
    for (const auto &list : rows)
        for (const auto &row : list)
            checker.add(row);
    return checker.check(rules);
}

} // namespace fleetwright
