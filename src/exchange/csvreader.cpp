// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/csvreader.h"

#include "exchange/textreader.h"

#include <QUtf8StringView>

#include <algorithm>

namespace fleetwright::exchange {

Expected<std::string_view> csvText(std::string_view bytes, std::size_t longest)
{
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    if (bytes.starts_with(byteOrderMark))
        bytes.remove_prefix(byteOrderMark.size());
    if (bytes.size() > longest)
        return refuseTooLong(longest);
    if (!QUtf8StringView(bytes.data(), qsizetype(bytes.size())).isValidUtf8() || bytes.contains('\0'))
        return refuse(ErrorCode::ParseError, {}, "The file is not text in UTF-8; save it as CSV in UTF-8.");
    return bytes;
}

char csvSeparator(std::string_view text)
{
    const auto line = text.substr(0, text.find_first_of("\r\n"));
    const auto at = line.find_first_of(",;\t");
    return at == std::string_view::npos ? ',' : line[at];
}

std::unexpected<Error> refuseLine(ErrorCode code, std::size_t line, std::string field, const std::string &sentence)
{
    return refuse(code, std::move(field), "Line " + std::to_string(line) + ": " + sentence);
}

std::optional<CsvRecord> CsvReader::next()
{
    CsvRecord record;
    return next(record) ? std::optional(std::move(record)) : std::nullopt;
}

bool CsvReader::next(CsvRecord &record)
{
    while (m_at < m_text.size()) {
        const auto start = m_at;
        record.line = m_line;
        record.fault.reset();
        if (auto ok = read(record); !ok) {
            record.fault = std::move(ok.error());
            m_at = std::min(m_text.find_first_of("\r\n", start), m_text.size() - 1);
            m_at += m_text.substr(m_at).starts_with("\r\n") ? 2 : 1;
            m_line = record.line + 1;
            return true;
        }
        if (record.cells.size() > 1 || !record.cells.front().empty())
            return true;
    }
    return false;
}

/// Leaves the cells before a fault in the record.
Expected<void> CsvReader::read(CsvRecord &record)
{
    std::size_t count = 0;
    while (true) {
        if (count == mostCsvCells) {
            record.cells.resize(count);
            return refuse(ErrorCode::ParseError, {},
                "The row has more than " + std::to_string(mostCsvCells)
                    + " cells; check that the file is a table and that the first line has its separator.");
        }
        if (record.cells.size() == count)
            record.cells.emplace_back();
        if (auto ok = readCell(record.cells[count]); !ok) {
            record.cells.resize(count);
            return ok;
        }
        ++count;
        if (m_at < m_text.size() && m_text[m_at] == m_separator) {
            ++m_at;
            continue;
        }
        record.cells.resize(count);
        if (m_at >= m_text.size())
            return {};
        m_at += m_text.substr(m_at).starts_with("\r\n") ? 2 : 1;
        ++m_line;
        return {};
    }
}

Expected<void> CsvReader::readCell(std::string &cell)
{
    cell.clear();
    if (m_at < m_text.size() && m_text[m_at] == '"') {
        for (++m_at;; ++m_at) {
            if (m_at >= m_text.size())
                return refuse(ErrorCode::ParseError, {}, "A quote is opened and never closed.");
            if (m_text[m_at] == '"') {
                if (m_at + 1 >= m_text.size() || m_text[m_at + 1] != '"')
                    break;
                ++m_at;
            }
            m_line += m_text[m_at] == '\n';
            cell += m_text[m_at];
        }
        ++m_at;
        if (m_at < m_text.size() && m_text[m_at] != m_separator && m_text[m_at] != '\n' && m_text[m_at] != '\r')
            return refuse(
                ErrorCode::ParseError, {}, "Text stands behind a closing quote; put the whole cell in quotes.");
        return {};
    }
    const auto isBlank = [](char c) { return c == ' ' || c == '\t'; };
    auto from = m_at;
    while (m_at < m_text.size() && m_text[m_at] != m_separator && m_text[m_at] != '\r' && m_text[m_at] != '\n')
        ++m_at;
    auto to = m_at;
    while (from < to && isBlank(m_text[from]))
        ++from;
    while (to > from && isBlank(m_text[to - 1]))
        --to;
    cell.assign(m_text.substr(from, to - from));
    return {};
}

} // namespace fleetwright::exchange
