// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/sheetentries.h"

#include "domain/rules.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>

namespace fleetwright {

namespace {

/// "must be between 0 and 1", "must be greater than 0", "must be a whole number of 1 or more".
std::string rangeInWords(const SheetEntry &entry)
{
    const std::string least = units::exact(entry.least),
                      kind = entry.kind == SheetEntry::Kind::Whole ? "a whole number " : "";
    if (entry.above)
        return "must be greater than " + least
            + (std::isfinite(entry.most) ? ", at most " + units::exact(entry.most) : "");
    if (std::isfinite(entry.most))
        return "must be " + kind + "between " + least + " and " + units::exact(entry.most);
    return "must be " + kind + (kind.empty() ? "" : "of ") + least + " or more";
}

bool isAllowed(const SheetEntry &entry, double value)
{
    return std::isfinite(value) && value <= entry.most && (entry.above ? value > entry.least : value >= entry.least)
        && (entry.kind == SheetEntry::Kind::Value || value == std::round(value));
}

} // namespace

SheetFigure withAssumedRange(SheetFigure figure, bool olderThanAYear)
{
    constexpr double fresh = 0.1, old = 0.2;
    if (figure.low || figure.high || figure.likely.size() != 1)
        return figure;
    const double share = olderThanAYear ? old : fresh;
    figure.low = figure.likely[0] * (1 - share);
    figure.high = figure.likely[0] * (1 + share);
    figure.rangeIsAssumed = true;
    return figure;
}

Expected<void> SheetEntries::enter(std::string_view key, SheetFigure figure)
{
    const auto index = m_sheet->find(key);
    const std::string field(key);
    if (!index)
        return refuse(ErrorCode::UnknownReference, field, "The worksheet has no row “" + field + "”.");
    const auto &row = m_sheet->row(*index);
    if (!row.isEntry())
        return refuse(ErrorCode::UnsupportedValue, field, row.label + " is computed and takes no entry.");
    if (figure.likely.empty() || (row.shape == SheetShape::Single && figure.likely.size() != 1))
        return refuse(ErrorCode::UnsupportedValue, field, row.label + " takes one number.");
    auto values = figure.likely;
    for (const auto &end : {figure.low, figure.high})
        if (end)
            values.push_back(*end);
    if (!std::ranges::all_of(values, [&](double value) { return isAllowed(row.entry, value); }))
        return refuse(ErrorCode::OutOfRange, field,
            row.label + " " + rangeInWords(row.entry)
                + (row.unit.empty() || row.unit == "1" ? "" : " (" + row.unit + ")") + ".");
    if (figure.low.has_value() != figure.high.has_value()
        || (figure.low && !(*figure.low <= figure.likely[0] && figure.likely[0] <= *figure.high)))
        return refuse(ErrorCode::OutOfRange, field, row.label + " must have a range that holds its likely value.");
    m_figures[*index] = std::move(figure);
    return {};
}

Expected<void> SheetEntries::enterBase(
    std::string_view key, double value, units::Dimension dimension, std::string source)
{
    const auto index = m_sheet->find(key);
    if (index && !m_sheet->row(*index).dimension.measures(dimension))
        return refuse(ErrorCode::UnsupportedValue, std::string(key),
            m_sheet->row(*index).label + " is in " + m_sheet->row(*index).unit + ".");
    SheetFigure figure(index ? rules::inUnit(value, m_sheet->row(*index).dimension.scale()) : value);
    figure.source = std::move(source);
    return enter(key, std::move(figure));
}

Expected<void> SheetEntries::enterWord(std::string_view key, std::string_view word, std::string source)
{
    const auto index = m_sheet->find(key);
    const auto number = index ? wordOf(m_sheet->row(*index).entry, word) : std::nullopt;
    if (!number) {
        std::string known;
        if (index)
            for (const auto one : m_sheet->row(*index).entry.words)
                known += (known.empty() ? "“" : ", “") + std::string(one) + "”";
        return refuse(ErrorCode::UnsupportedValue, std::string(key),
            "“" + std::string(word.substr(0, 60)) + "” is not known here; use one of " + known + ".");
    }
    SheetFigure figure{double(*number)};
    figure.source = std::move(source);
    return enter(key, std::move(figure));
}

bool SheetEntries::has(std::string_view key) const
{
    const auto index = m_sheet->find(key);
    return index && m_figures[*index];
}

double SheetEntries::single(std::string_view key) const
{
    const auto index = m_sheet->find(key);
    if (!index)
        return 0;
    if (m_figures[*index])
        return m_figures[*index]->likely[0];
    const auto &formula = m_sheet->row(*index).formula;
    return formula && formula->operation == SheetOperation::Number ? formula->number : 0;
}

std::vector<bool> SheetEntries::entered() const
{
    std::vector<bool> entered;
    for (const auto &figure : m_figures)
        entered.push_back(figure.has_value());
    return entered;
}

} // namespace fleetwright
