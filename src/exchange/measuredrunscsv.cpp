// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/measuredruns.h"

#include "exchange/csvreader.h"
#include "exchange/runfields.h"
#include "exchange/textreader.h"
#include "units/editdistance.h"
#include "units/format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace fleetwright::exchange {

using validation::MeasuredRun;
using validation::RunFile;

namespace {

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

Expected<Columns> columnsOf(const CsvRecord &header)
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
    CsvFields(const CsvRecord &record, const Columns &columns) : m_record(record), m_columns(columns) { }

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

    const CsvRecord &m_record;
    const Columns &m_columns;
    std::optional<Error> m_error;
};

std::string idOf(const CsvRecord &record, const Columns &columns)
{
    const auto column = columns.at("id");
    return column < record.cells.size() ? record.cells[column] : std::string();
}

Expected<MeasuredRun> runFrom(const CsvRecord &record, std::size_t width, const Columns &columns)
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

} // namespace

Expected<RunFile> measuredRunsFromCsv(std::string_view text)
{
    const auto body = csvText(text, longestRunFile);
    if (!body)
        return std::unexpected(body.error());
    CsvReader reader(*body, csvSeparator(*body));
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
