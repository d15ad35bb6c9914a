// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/measuredruns.h"

#include "exchange/runfields.h"
#include "exchange/textreader.h"
#include "units/editdistance.h"
#include "units/format.h"

#include <QUtf8StringView>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace fleetwright::exchange {

using validation::MeasuredRun;
using validation::RunFile;

namespace {

struct Record {
    std::vector<std::string> cells;
    std::size_t line = 1; ///< on which it starts
    std::optional<Error> fault; ///< of its quotes; the cells before it are there
};

std::unexpected<Error> refuseLine(ErrorCode code, std::size_t line, std::string field, const std::string &sentence)
{
    return refuse(code, std::move(field), "Line " + std::to_string(line) + ": " + sentence);
}

/// Cells of the next record; quotes may hold separators, line ends and doubled quotes.
class RecordReader {
public:
    RecordReader(std::string_view text, char separator) : m_text(text), m_separator(separator) { }

    /// Nothing at the end. Blank lines are passed over. After a fault the next record starts on the next line, so that
    /// an open quote does not swallow the rest of the file.
    std::optional<Record> next()
    {
        while (m_at < m_text.size()) {
            const auto start = m_at;
            Record record{{}, m_line, std::nullopt};
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

private:
    Expected<void> read(Record &record)
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
    Expected<std::string> readCell()
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

    std::string_view m_text;
    char m_separator;
    std::size_t m_at = 0;
    std::size_t m_line = 1;
};

std::vector<std::string> knownNames()
{
    std::vector<std::string> names{"overlap", "inferred_config"};
    const MeasuredRun none;
    visitRunFields(none, [&names](std::string_view key, const auto &, double) { names.emplace_back(key); });
    return names;
}

/// The field that a misspelt or shortened column name meant: "layers" is "model.layers".
std::string_view meantBy(std::string_view column, const std::vector<std::string> &known)
{
    for (const auto &name : known)
        if (name.ends_with(column) && name.size() > column.size() && name[name.size() - column.size() - 1] == '.')
            return name;
    for (const auto &name : known)
        if (column.size() > 3 && editDistance(column, name) <= 2)
            return name;
    return {};
}

/// Columns by field name; the number of the column.
using Columns = std::map<std::string, std::size_t, std::less<>>;

Expected<Columns> columnsOf(const Record &header)
{
    const auto known = knownNames();
    Columns columns;
    for (std::size_t i = 0; i < header.cells.size(); ++i) {
        const auto &name = header.cells[i];
        if (std::ranges::find(known, name) == known.end() && !name.starts_with("overlap.")) {
            if (const auto meant = meantBy(name, known); !meant.empty())
                return refuseLine(ErrorCode::UnsupportedValue, header.line, name,
                    "there is no field \u201c" + name.substr(0, 60) + "\u201d; write \u201c" + std::string(meant)
                        + "\u201d.");
            continue;
        }
        if (!columns.emplace(name, i).second)
            return refuseLine(
                ErrorCode::UnsupportedValue, header.line, name, "the column \u201c" + name + "\u201d stands twice.");
    }
    if (!columns.contains("id"))
        return refuseLine(ErrorCode::MissingField, header.line, "id",
            "the first line holds the names of the columns, and one of them must be \u201cid\u201d; the "
            "handbook lists the others (validation.md).");
    return columns;
}

std::optional<bool> flagOf(std::string text)
{
    std::ranges::transform(text, text.begin(),
        [](unsigned char letter) { return static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter + 32 : letter); });
    if (text == "true" || text == "yes" || text == "1")
        return true;
    if (text == "false" || text == "no" || text == "0")
        return false;
    return std::nullopt;
}

std::vector<std::string> wordsOf(std::string_view text)
{
    std::vector<std::string> words;
    for (std::size_t at = text.find_first_not_of(' '); at != std::string_view::npos;) {
        const auto end = std::min(text.find(' ', at), text.size());
        words.emplace_back(text.substr(at, end - at));
        at = text.find_first_not_of(' ', end);
    }
    return words;
}

class CsvFields {
public:
    CsvFields(const Record &record, const Columns &columns) : m_record(record), m_columns(columns) { }

    void operator()(std::string_view key, std::string &target, double)
    {
        if (const auto *cell = find(key))
            target = *cell;
    }
    void operator()(std::string_view key, std::optional<bool> &target, double)
    {
        if (const auto *cell = find(key); cell && !(target = flagOf(*cell)))
            wrong(ErrorCode::UnsupportedValue, key, "must be true or false");
    }
    template <class Number> void operator()(std::string_view key, std::optional<Number> &target, double scale)
    {
        const auto *cell = find(key);
        if (!cell)
            return;
        double number = 0;
        const auto [end, problem] = std::from_chars(cell->data(), cell->data() + cell->size(), number);
        if (problem != std::errc() || end != cell->data() + cell->size() || !std::isfinite(number))
            return wrong(ErrorCode::UnsupportedValue, key, "must be a number with a decimal point and without a unit");
        if constexpr (std::is_integral_v<Number>) {
            const double least = key == "zero_group" ? -1 : 0;
            if (number != std::trunc(number) || number < least)
                return wrong(ErrorCode::OutOfRange, key, "must be a whole number of at least " + units::exact(least));
            if (number > std::min(largestCount, double(std::numeric_limits<Number>::max())))
                return wrong(ErrorCode::OutOfRange, key, "must be a reasonable number");
            target = static_cast<Number>(number);
        } else {
            if (number < 0)
                return wrong(ErrorCode::OutOfRange, key, "must not be negative");
            if constexpr (std::is_floating_point_v<Number>)
                target = number * scale;
            else
                target = Number::from_value(number * scale);
        }
    }
    void lists(MeasuredRun &run)
    {
        if (const auto *cell = find("overlap"))
            for (const auto &name : wordsOf(*cell))
                run.overlap.insert_or_assign(name, true);
        constexpr std::string_view prefix = "overlap.";
        for (const auto &[name, index] : m_columns)
            if (name.starts_with(prefix))
                if (std::optional<bool> flag; (*this)(name, flag, 1.0), flag)
                    run.overlap.insert_or_assign(name.substr(prefix.size()), *flag);
        if (const auto *cell = find("inferred_config"))
            run.inferred = wordsOf(*cell);
    }
    void wrong(ErrorCode code, std::string_view key, const std::string &what)
    {
        if (m_error)
            return;
        const auto *cell = find(key);
        const auto *id = find("id");
        m_error = Error{code, std::string(key),
            "\u201c" + std::string(key) + "\u201d " + what
                + (cell ? ", not \u201c" + cell->substr(0, 40) + "\u201d" : "")
                + (id && key != "id" ? " (run \u201c" + id->substr(0, 60) + "\u201d)." : ".")};
    }
    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }

private:
    const std::string *find(std::string_view key) const
    {
        const auto column = m_columns.find(key);
        if (column == m_columns.end() || m_record.cells[column->second].empty())
            return nullptr;
        return &m_record.cells[column->second];
    }

    const Record &m_record;
    const Columns &m_columns;
    std::optional<Error> m_error;
};

std::string idOf(const Record &record, const Columns &columns)
{
    const auto column = columns.at("id");
    return column < record.cells.size() ? record.cells[column] : std::string();
}

Expected<MeasuredRun> runFrom(const Record &record, std::size_t width, const Columns &columns)
{
    if (record.fault)
        return std::unexpected(*record.fault);
    if (record.cells.size() != width)
        return refuse(ErrorCode::ParseError, {},
            "The row has " + std::to_string(record.cells.size()) + " cells and the first line names "
                + std::to_string(width) + " columns.");
    MeasuredRun run;
    CsvFields fields(record, columns);
    visitRunFields(run, fields);
    fields.lists(run);
    if (run.id.empty())
        fields.wrong(ErrorCode::MissingField, "id", "is empty; every run needs a name of its own");
    if (fields.error())
        return std::unexpected(*fields.error());
    return run;
}

char separatorOf(std::string_view text)
{
    const auto line = text.substr(0, text.find_first_of("\r\n"));
    const auto at = line.find_first_of(",;\t");
    return at == std::string_view::npos ? ',' : line[at];
}

} // namespace

Expected<RunFile> measuredRunsFromCsv(std::string_view text)
{
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(byteOrderMark))
        text.remove_prefix(byteOrderMark.size());
    if (text.size() > longestRunFile)
        return refuseTooLong(longestRunFile);
    if (!QUtf8StringView(text.data(), qsizetype(text.size())).isValidUtf8() || text.contains('\0'))
        return refuse(ErrorCode::ParseError, {}, "The file is not text in UTF-8; save it as CSV in UTF-8.");
    RecordReader reader(text, separatorOf(text));
    const auto header = reader.next();
    if (!header)
        return refuse(
            ErrorCode::MissingField, "id", "The file is empty; its first line holds the names of the columns.");
    if (header->fault)
        return refuseLine(header->fault->code, header->line, {}, header->fault->message);
    const auto columns = columnsOf(*header);
    if (!columns)
        return std::unexpected(columns.error());
    RunFile file;
    while (const auto record = reader.next()) {
        if (auto run = runFrom(*record, header->cells.size(), *columns))
            file.runs.push_back(std::move(*run));
        else
            file.unread.push_back({"line " + std::to_string(record->line), idOf(*record, *columns), run.error()});
    }
    return file;
}

} // namespace fleetwright::exchange
