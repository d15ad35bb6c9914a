// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/measuredruns.h"

#include "exchange/csvreader.h"
#include "exchange/runfields.h"
#include "exchange/textreader.h"
#include "text/formulaguard.h"
#include "units/editdistance.h"
#include "units/format.h"
#include "units/visibletext.h"
#include "units/words.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace fleetwright::exchange {

using validation::MeasuredRun;
using validation::RunFile;
using validation::SharedText;
using validation::SharedTexts;

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
    constexpr std::size_t longest = 100; // comparing costs the product of the lengths
    if (column.size() <= 3 || column.size() > longest)
        return {};
    for (const auto &name : known)
        if (editDistance(column, name) <= 2)
            return name;
    return {};
}

/// Which column holds which field.
struct Columns {
    std::map<std::string, std::size_t, std::less<>> byName;
    std::vector<std::optional<std::size_t>> ofFields; ///< in the order of visitRunFields()
    std::vector<std::pair<std::string, std::size_t>> flags; ///< "overlap.NAME", in the order of names
    std::size_t id = 0;
    std::optional<std::size_t> overlap, inferred;
};

/// Once for a file, so that no row looks a name up.
void placeFields(Columns &columns)
{
    const auto columnOf = [&columns](std::string_view name) {
        const auto found = columns.byName.find(name);
        return found == columns.byName.end() ? std::nullopt : std::optional(found->second);
    };
    const MeasuredRun none;
    visitRunFields(
        none, [&](std::string_view key, const auto &, double) { columns.ofFields.push_back(columnOf(key)); });
    constexpr std::string_view prefix = "overlap.";
    for (const auto &[name, index] : columns.byName)
        if (name.starts_with(prefix))
            columns.flags.emplace_back(name, index);
    columns.id = *columnOf("id");
    columns.overlap = columnOf("overlap");
    columns.inferred = columnOf("inferred_config");
}

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
        if (!columns.byName.emplace(name, i).second)
            return refuseLine(
                ErrorCode::UnsupportedValue, header.line, name, "the column \u201c" + name + "\u201d stands twice.");
    }
    if (!columns.byName.contains("id"))
        return refuseLine(ErrorCode::MissingField, header.line, "id",
            "the first line holds the names of the columns, and one of them must be \u201cid\u201d; the "
            "handbook lists the others (validation.md).");
    placeFields(columns);
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

/// Fills the fields of one run, in the order of visitRunFields(), from one row and keeps the first refusal.
class CsvFields {
public:
    CsvFields(const CsvRecord &record, const Columns &columns, SharedTexts &texts)
        : m_record(record), m_columns(columns), m_texts(texts)
    {
    }

    void operator()(std::string_view key, std::string &target, double)
    {
        if (const auto *cell = nextText(key))
            target = *cell;
    }
    void operator()(std::string_view key, SharedText &target, double)
    {
        if (const auto *cell = nextText(key))
            target = m_texts.shared(*cell);
    }
    void operator()(std::string_view key, std::optional<bool> &target, double) { flag(key, nextCell(), target); }
    template <class Field> void operator()(std::string_view key, Field &target, double scale)
    {
        using Number = typename Field::value_type;
        const auto *cell = nextCell();
        if (!cell)
            return;
        double number = 0;
        const auto [end, problem] = std::from_chars(cell->data(), cell->data() + cell->size(), number);
        if (problem != std::errc() || end != cell->data() + cell->size() || !std::isfinite(number))
            return wrong(
                ErrorCode::UnsupportedValue, key, "must be a number with a decimal point and without a unit", cell);
        if constexpr (std::is_integral_v<Number>) {
            const double least = key == "zero_group" ? -1 : 0;
            if (number != std::trunc(number) || number < least)
                return wrong(
                    ErrorCode::OutOfRange, key, "must be a whole number of at least " + units::exact(least), cell);
            if (number > std::min(largestCount, double(std::numeric_limits<Number>::max())))
                return wrong(ErrorCode::OutOfRange, key, "must be a reasonable number", cell);
            target = static_cast<Number>(number);
        } else {
            if (number < 0)
                return wrong(ErrorCode::OutOfRange, key, "must not be negative", cell);
            if constexpr (std::is_floating_point_v<Number>)
                target = number * scale;
            else
                target = Number::from_value(number * scale);
        }
    }
    void lists(MeasuredRun &run)
    {
        if (const auto *cell = at(m_columns.overlap))
            for (const auto &name : wordsOf(*cell)) {
                seen("overlap", name);
                run.overlap.insert_or_assign(name, true);
            }
        constexpr std::string_view prefix = "overlap.";
        for (const auto &[name, index] : m_columns.flags) {
            std::optional<bool> stated;
            seen("overlap", name);
            flag(name, at(index), stated);
            if (stated)
                run.overlap.insert_or_assign(name.substr(prefix.size()), *stated);
        }
        if (run.overlap.size() > TextLimits{}.keys)
            wrong(ErrorCode::OutOfRange, "overlap", "names more than a thousand of them; shorten it", nullptr);
        for (const auto &[name, stated] : run.overlap)
            if (name.size() > longestKey) // which could be written as JSON and not read again
                wrong(ErrorCode::OutOfRange, "overlap", tooLongForAKey(), nullptr);
        if (const auto *cell = at(m_columns.inferred))
            run.inferred = wordsOf(*cell);
        for (const auto &name : run.inferred)
            seen("inferred_config", name);
    }
    void wrong(ErrorCode code, std::string_view key, const std::string &what, const std::string *cell)
    {
        if (m_error)
            return;
        const auto *id = at(m_columns.id);
        m_error = Error{code, std::string(key),
            "\u201c" + std::string(key) + "\u201d " + what
                + (cell ? ", not " + inQuotes(visibleText(*cell, TextShape::OneLine), 40) : "")
                + (id && key != "id" ? " (run " + inQuotes(visibleText(*id, TextShape::OneLine)) + ")." : ".")};
    }
    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }

private:
    static std::string tooLongForAKey()
    {
        return "has a name of more than " + std::to_string(longestKey) + " characters; shorten it";
    }
    void seen(std::string_view key, std::string_view text)
    {
        if (const auto hidden = findHidden(text, TextShape::OneLine); hidden != std::string::npos)
            wrong(ErrorCode::UnsupportedValue, key, hiddenInWords(text, hidden) + "; remove it", nullptr);
    }
    void flag(std::string_view key, const std::string *cell, std::optional<bool> &target)
    {
        if (cell && !(target = flagOf(*cell)))
            wrong(ErrorCode::UnsupportedValue, key, "must be true or false", cell);
    }
    const std::string *nextText(std::string_view key)
    {
        const auto *cell = nextCell();
        if (cell && cell->front() == '\'') {
            m_unguarded = unguardedCell(*cell);
            cell = &m_unguarded;
        }
        if (cell && key != "notes")
            seen(key, *cell);
        return cell;
    }
    const std::string *nextCell() { return at(m_columns.ofFields[m_next++]); }
    /// The cell of the column; nothing where there is none or it is empty.
    const std::string *at(const std::optional<std::size_t> &column) const
    {
        return column && !m_record.cells[*column].empty() ? &m_record.cells[*column] : nullptr;
    }

    const CsvRecord &m_record;
    const Columns &m_columns;
    SharedTexts &m_texts;
    std::string m_unguarded;
    std::size_t m_next = 0;
    std::optional<Error> m_error;
};

std::string idOf(const CsvRecord &record, const Columns &columns)
{
    return columns.id < record.cells.size() ? record.cells[columns.id] : std::string();
}

Expected<MeasuredRun> runFrom(const CsvRecord &record, std::size_t width, const Columns &columns, SharedTexts &texts)
{
    if (record.fault)
        return std::unexpected(*record.fault);
    if (record.cells.size() != width)
        return refuse(ErrorCode::ParseError, {},
            "The row has " + std::to_string(record.cells.size()) + " cells and the first line names "
                + std::to_string(width) + " columns.");
    MeasuredRun run;
    CsvFields fields(record, columns, texts);
    visitRunFields(run, fields);
    fields.lists(run);
    if (run.id.empty())
        fields.wrong(ErrorCode::MissingField, "id", "is empty; every run needs a name of its own", nullptr);
    if (fields.error())
        return std::unexpected(*fields.error());
    return run;
}

} // namespace

Expected<RunFile> measuredRunsFromCsv(std::string_view text, const RunReading &reading)
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
    SharedTexts texts;
    CsvRecord record;
    for (std::size_t row = 0; reader.next(record); ++row) {
        constexpr std::size_t rowsBetween = 1024;
        if (row == mostRuns)
            return refuseLine(ErrorCode::OutOfRange, record.line, {},
                "the file holds more than " + std::to_string(mostRuns) + " rows; split it.");
        if (row % rowsBetween == 0) {
            if (reading.stop.stop_requested())
                return refuse(ErrorCode::Cancelled, {}, "Reading was cancelled.");
            if (reading.progress)
                reading.progress(reader.position(), body->size());
            if (row == rowsBetween)
                file.runs.reserve(expectedRuns(row, reader.position(), body->size()));
        }
        if (auto run = runFrom(record, header->cells.size(), *columns, texts))
            file.runs.push_back(std::move(*run));
        else
            file.unread.push_back({"line " + std::to_string(record.line), idOf(record, *columns), run.error()});
    }
    if (reading.progress)
        reading.progress(body->size(), body->size());
    return file;
}

std::string_view exampleRunTable()
{
    return "id,accelerator,n_gpus,gpus_per_node,framework,model.layers,model.hidden,model.heads,model.vocab,seq_len,"
           "global_batch,micro_batch,tp,pp,precision,measured.iteration_time_s\n"
           "first,A100-SXM-80GB,64,8,Megatron-Core,40,5120,40,51200,2048,512,1,8,1,bf16,12.1\n"
           "second,A100-SXM-80GB,64,8,Megatron-Core,40,5120,40,51200,2048,512,1,4,1,bf16,11.0\n";
}

bool looksLikeRunTable(std::string_view text)
{
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(byteOrderMark))
        text.remove_prefix(byteOrderMark.size());
    const auto line = text.substr(0, text.find_first_of("\r\n"));
    CsvReader reader(line, csvSeparator(line));
    const auto header = reader.next();
    return header && !header->fault && std::ranges::find(header->cells, "id") != header->cells.end();
}

} // namespace fleetwright::exchange
