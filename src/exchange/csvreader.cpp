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
    while (m_at < m_text.size()) {
        const auto start = m_at;
        CsvRecord record{{}, m_line, std::nullopt};
        if (auto ok = read(record); !ok) {
            record.fault = std::move(ok.error());
            m_at = std::min(m_text.find_first_of("\r\n", start), m_text.size() - 1);
            m_at += m_text.substr(m_at).starts_with("\r\n") ? 2 : 1;
            m_line = record.line + 1;
            return record;
        }
        if (record.cells.size() > 1 || !record.cells.front().empty())
            return record;
    }
    return std::nullopt;
}

Expected<void> CsvReader::read(CsvRecord &record)
{
    while (true) {
        auto cell = readCell();
        if (!cell)
            return std::unexpected(cell.error());
        record.cells.push_back(std::move(*cell));
        if (m_at >= m_text.size())
            return {};
        if (m_text[m_at] == m_separator) {
            ++m_at;
            continue;
        }
        m_at += m_text.substr(m_at).starts_with("\r\n") ? 2 : 1;
        ++m_line;
        return {};
    }
}

Expected<std::string> CsvReader::readCell()
{
    std::string cell;
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
        return cell;
    }
    const auto end = std::min(m_text.find_first_of(std::string{m_separator, '\r', '\n'}, m_at), m_text.size());
    cell = m_text.substr(m_at, end - m_at);
    m_at = end;
    const auto from = cell.find_first_not_of(" \t");
    const auto to = cell.find_last_not_of(" \t");
    return from == std::string::npos ? std::string() : cell.substr(from, to - from + 1);
}

} // namespace fleetwright::exchange
