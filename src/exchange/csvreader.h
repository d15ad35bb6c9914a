// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <optional>
#include <string_view>
#include <vector>

namespace fleetwright::exchange {

/// More columns than any table has; what lies behind them would cost memory many times the size of the file.
constexpr std::size_t mostCsvCells = 2000;

/// One record of a CSV file.
struct CsvRecord {
    std::vector<std::string> cells;
    std::size_t line = 1; ///< on which it starts
    std::optional<Error> fault; ///< of its quotes; the cells before it are there
};

/// The text without a byte order mark; ParseError where it is longer than `longest` or not UTF-8.
[[nodiscard]] Expected<std::string_view> csvText(std::string_view bytes, std::size_t longest);

/// Comma, semicolon or tab, whichever comes first in the first line.
[[nodiscard]] char csvSeparator(std::string_view text);

/// The same error with "Line 3: " before its sentence.
[[nodiscard]] std::unexpected<Error> refuseLine(
    ErrorCode code, std::size_t line, std::string field, const std::string &sentence);

/// The records one after the other; quotes may hold separators, line ends and doubled quotes. Cells without quotes come
/// without the blanks around them.
class CsvReader {
public:
    CsvReader(std::string_view text, char separator) : m_text(text), m_separator(separator) { }

    /// Nothing at the end. Blank lines are passed over. More than mostCsvCells are a fault. After one the next record
    /// starts on the next line, so that an open quote does not swallow the rest of the file.
    [[nodiscard]] std::optional<CsvRecord> next();
    /// The same into a record that is used again, so that long files need no memory for each row; false at the end.
    [[nodiscard]] bool next(CsvRecord &record);
    /// Bytes read so far.
    [[nodiscard]] std::size_t position() const { return m_at; }

private:
    [[nodiscard]] Expected<void> read(CsvRecord &record);
    [[nodiscard]] Expected<void> readCell(std::string &cell);

    std::string_view m_text;
    char m_separator;
    std::size_t m_at = 0;
    std::size_t m_line = 1;
};

} // namespace fleetwright::exchange
