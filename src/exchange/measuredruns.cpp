// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/measuredruns.h"

#include "exchange/measuredrundocuments.h"
#include "exchange/objectreader.h"
#include "exchange/runfields.h"
#include "exchange/textreader.h"
#include "units/format.h"
#include "units/visibletext.h"
#include "units/words.h"

#include <QFile>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;

// Outside any namespace, as the macro requires: resources of a static library are linked only when they are asked for.
static void initialiseResources() { Q_INIT_RESOURCE(validation); }

namespace fleetwright::exchange {

using Json = nlohmann::ordered_json;
using validation::MeasuredRun;
using validation::RunFile;
using validation::RunSource;
using validation::SharedText;
using validation::SharedTexts;

namespace {

constexpr TextLimits runLimits{
    .bytes = longestRunFile, .depth = 64, .keys = 100'000, .values = 50'000'000, .nonFinite = true};

std::string placeOf(std::size_t index) { return "runs[" + std::to_string(index) + "]"; }

std::string idOf(const Json &row)
{
    const auto id = row.is_object() ? row.find("id") : row.end();
    return row.is_object() && id != row.end() && id->is_string() ? id->get<std::string>() : std::string();
}

/// Fills the fields of one run from one JSON object and keeps the first refusal.
class JsonFields {
public:
    JsonFields(const Json &row, std::size_t index, SharedTexts &texts, bool stored)
        : m_row(row), m_index(index), m_texts(texts), m_stored(stored)
    {
    }

    void operator()(std::string_view key, std::string &target, double)
    {
        if (const auto *value = textAt(key))
            target = *value;
    }
    void operator()(std::string_view key, SharedText &target, double)
    {
        if (const auto *value = textAt(key))
            target = m_texts.shared(*value);
    }
    void operator()(std::string_view key, std::optional<bool> &target, double)
    {
        if (const auto *value = find(key)) {
            if (value->is_boolean())
                target = value->get<bool>();
            else
                wrongType(key, "true or false");
        }
    }
    template <class Field> void operator()(std::string_view key, Field &target, double scale)
    {
        using Number = typename Field::value_type;
        const auto *value = find(key);
        if (!value)
            return;
        if (!value->is_number())
            return wrongType(key, "a number");
        const auto number = value->get<double>();
        if (!std::isfinite(number))
            return refuse(ErrorCode::OutOfRange, key, "must be a finite number");
        if constexpr (std::is_integral_v<Number>) {
            const double least = key == "zero_group" ? -1 : 0;
            if (number != std::trunc(number) || number < least)
                return refuse(ErrorCode::OutOfRange, key,
                    "must be a whole number of at least " + units::exact(least) + ", not " + units::exact(number));
            if (number > std::min(largestCount, double(std::numeric_limits<Number>::max())))
                return refuse(ErrorCode::OutOfRange, key, "is too large: " + units::exact(number));
            target = static_cast<Number>(number);
        } else {
            if (number < 0)
                return refuse(ErrorCode::OutOfRange, key, "must not be negative, as " + units::exact(number) + " is");
            if constexpr (std::is_floating_point_v<Number>)
                target = number * scale;
            else
                target = Number::from_value(number * scale);
        }
    }
    /// {"name": true} or ["name"]; members that are no flags say nothing that a model could use.
    void flags(std::string_view key, std::map<std::string, bool> &target)
    {
        const auto *value = find(key);
        if (!value)
            return;
        if (value->is_object()) {
            for (const auto &[name, flag] : value->items())
                if (flag.is_boolean()) {
                    requireVisible(key, name);
                    target.insert_or_assign(name, flag.get<bool>());
                }
        } else if (value->is_array()) {
            for (const auto &name : *value)
                if (name.is_string()) {
                    requireVisible(key, name.get_ref<const std::string &>());
                    target.insert_or_assign(name.get<std::string>(), true);
                }
            // Each is written as a key, which is read again up to these limits.
            if (target.size() > TextLimits{}.keys)
                refuse(ErrorCode::OutOfRange, key, "names more than a thousand of them; shorten it");
            for (const auto &[name, stated] : target)
                if (name.size() > longestKey)
                    refuse(ErrorCode::OutOfRange, key,
                        "has a name of more than " + std::to_string(longestKey) + " characters; shorten it");
        } else {
            wrongType(key, "an object of true and false, or a list of names");
        }
    }
    void names(std::string_view key, std::vector<std::string> &target)
    {
        const auto *value = find(key);
        if (!value)
            return;
        if (!value->is_array() || !std::ranges::all_of(*value, [](const Json &name) { return name.is_string(); }))
            return wrongType(key, "a list of texts");
        target = value->get<std::vector<std::string>>();
        for (const auto &name : target)
            requireVisible(key, name);
    }
    void requireVisible(std::string_view key, const std::string &text)
    {
        if (const auto hidden = m_stored ? std::string::npos : findHidden(text, TextShape::OneLine);
            hidden != std::string::npos)
            refuse(ErrorCode::UnsupportedValue, key, hiddenInWords(text, hidden) + "; remove it");
    }
    void refuse(ErrorCode code, std::string_view key, const std::string &what)
    {
        if (!m_error)
            m_error = Error{code, joined(placeOf(m_index), key),
                "Run " + idText() + ": \u201c" + std::string(key) + "\u201d " + what + "."};
    }
    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }

private:
    const std::string *textAt(std::string_view key)
    {
        const auto *value = find(key);
        if (value && !value->is_string()) {
            wrongType(key, "a text");
            return nullptr;
        }
        const auto *text = value ? &value->get_ref<const std::string &>() : nullptr;
        if (text && key != "notes")
            requireVisible(key, *text);
        return text;
    }
    /// The member at the dotted key; nothing where it is absent or null. A part that is no object on the way is a wrong
    /// type.
    const Json *find(std::string_view key)
    {
        const auto *at = &m_row;
        std::size_t from = 0;
        while (true) {
            const auto dot = key.find('.', from);
            const auto member = at->find(key.substr(from, dot - from));
            if (member == at->end() || member->is_null())
                return nullptr;
            at = &*member;
            if (dot == std::string_view::npos)
                return at;
            if (!at->is_object()) {
                refuse(
                    ErrorCode::UnsupportedValue, key.substr(0, dot), "must be an object, or null when it is unknown");
                return nullptr;
            }
            from = dot + 1;
        }
    }
    void wrongType(std::string_view key, std::string_view expected)
    {
        refuse(ErrorCode::UnsupportedValue, key, "must be " + std::string(expected) + ", or null when it is unknown");
    }
    [[nodiscard]] std::string idText() const
    {
        const auto id = idOf(m_row);
        return id.empty() ? placeOf(m_index) : visibleText(inQuotes(id), TextShape::OneLine);
    }

    const Json &m_row;
    std::size_t m_index;
    SharedTexts &m_texts;
    bool m_stored;
    std::optional<Error> m_error;
};

/// Title, link and date of the sources that rows name by key.
using Sources = std::map<std::string, RunSource, std::less<>>;

Sources sourcesOf(const Json &schema)
{
    Sources sources;
    const auto list = schema.find("sources");
    if (list == schema.end() || !list->is_object())
        return sources;
    for (const auto &[key, entry] : list->items()) {
        const auto text = [&entry](const char *name) {
            const auto member = entry.is_object() ? entry.find(name) : entry.end();
            return entry.is_object() && member != entry.end() && member->is_string()
                ? member->template get<std::string>()
                : std::string();
        };
        sources.emplace(
            key, RunSource{.key = key, .title = text("title"), .where = {}, .url = text("url"), .date = text("date")});
    }
    return sources;
}

void complete(RunSource &source, const Sources &known)
{
    const auto found = known.find(source.key);
    if (found == known.end())
        return;
    const auto fill = [](SharedText &target, const SharedText &from) {
        if (target.empty())
            target = from;
    };
    fill(source.title, found->second.title);
    fill(source.url, found->second.url);
    fill(source.date, found->second.date);
}

Expected<MeasuredRun> runFromJson(const Json &row, std::size_t index, SharedTexts &texts, bool stored)
{
    if (!row.is_object())
        return refuse(ErrorCode::UnsupportedValue, placeOf(index),
            "Row " + std::to_string(index + 1) + " of the runs must be an object with the fields of a run.");
    MeasuredRun run;
    JsonFields fields(row, index, texts, stored);
    visitRunFields(run, fields);
    fields.flags("overlap", run.overlap);
    fields.names("inferred_config", run.inferred);
    if (run.id.empty())
        fields.refuse(ErrorCode::MissingField, "id", "is missing; every run needs a name of its own");
    if (fields.error())
        return std::unexpected(*fields.error());
    return run;
}

/// Writes what a run states under nested keys; what is absent is left out.
class JsonWriter {
public:
    void operator()(std::string_view key, const std::string &value, double)
    {
        if (!value.empty())
            at(key) = value;
    }
    void operator()(std::string_view key, const SharedText &value, double scale)
    {
        (*this)(key, value.string(), scale);
    }
    template <class Field> void operator()(std::string_view key, const Field &value, double scale)
    {
        using T = typename Field::value_type;
        if (!value)
            return;
        if constexpr (std::is_same_v<T, bool>)
            at(key) = *value;
        else if constexpr (std::is_arithmetic_v<T>)
            at(key) = plainNumber(double(*value) / scale);
        else
            at(key) = plainNumber(value->value() / scale);
    }
    [[nodiscard]] Json &at(std::string_view key)
    {
        auto *json = &m_json;
        std::size_t from = 0;
        for (auto dot = key.find('.'); dot != std::string_view::npos; dot = key.find('.', from)) {
            json = &(*json)[std::string(key.substr(from, dot - from))];
            from = dot + 1;
        }
        return (*json)[std::string(key.substr(from))];
    }
    [[nodiscard]] Json take() { return std::move(m_json); }

private:
    Json m_json = Json::object();
};

Json runToJson(const MeasuredRun &run)
{
    JsonWriter writer;
    visitRunFields(run, writer);
    if (!run.overlap.empty())
        for (const auto &[name, flag] : run.overlap)
            writer.at("overlap")[name] = flag;
    if (!run.inferred.empty())
        writer.at("inferred_config") = run.inferred;
    return writer.take();
}

} // namespace

Expected<RunFile> measuredRunsFromJson(std::string_view text, const RunReading &reading)
{
    RunFile file;
    SharedTexts texts;
    std::size_t rows = 0;
    const auto take = [&](const Json &row, std::size_t position) {
        constexpr std::size_t rowsBetween = 1024;
        if (rows % rowsBetween == 0) {
            if (reading.progress)
                reading.progress(position, text.size());
            if (rows == rowsBetween)
                file.runs.reserve(expectedRuns(rows, position, text.size()));
        }
        const auto index = rows++;
        if (index >= mostRuns)
            return;
        if (auto run = runFromJson(row, index, texts, reading.stored))
            file.runs.push_back(std::move(*run));
        else
            file.unread.push_back({placeOf(index), idOf(row), std::move(run.error())});
    };
    const auto json = readJsonRows(text, {.member = "runs", .take = take}, runLimits, reading.stop);
    if (!json)
        return std::unexpected(json.error());
    const auto *list = &*json;
    if (json->is_object()) {
        if (const auto schema = json->find("schema"); schema != json->end() && schema->is_object()) {
            if (const auto version = schema->find("version"); version != schema->end() && version->is_string())
                file.version = version->get<std::string>();
            for (const auto sources = sourcesOf(*schema); auto &run : file.runs)
                complete(run.source, sources);
        }
        const auto runs = json->find("runs");
        if (runs == json->end())
            return refuse(ErrorCode::MissingField, "runs",
                "The file has no \u201cruns\u201d; it holds the list of measured runs.");
        list = &*runs;
    }
    if (!list->is_array())
        return refuse(ErrorCode::UnsupportedValue, "runs", "\u201cruns\u201d must be a list of measured runs.");
    if (rows > mostRuns)
        return refuse(
            ErrorCode::OutOfRange, "runs", "The file holds more than " + std::to_string(mostRuns) + " runs; split it.");
    if (reading.progress)
        reading.progress(text.size(), text.size());
    return file;
}

Expected<MeasuredRun> measuredRunFromJson(const Json &json)
{
    SharedTexts texts;
    auto run = runFromJson(json, 0, texts, true);
    if (run)
        return run;
    constexpr std::string_view place = "runs[0].";
    auto error = std::move(run.error());
    if (error.field.starts_with(place))
        error.field.erase(0, place.size());
    return std::unexpected(std::move(error));
}

Json measuredRunToJson(const MeasuredRun &run) { return runToJson(run); }

Expected<RunFile> measuredRunsFromText(std::string_view text, const RunReading &reading)
{
    const auto first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    const bool json = first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
    return json ? measuredRunsFromJson(text.substr(first), reading) : measuredRunsFromCsv(text, reading);
}

Json measuredRunsToJson(const RunFile &file)
{
    Json json{{"schema", {{"version", file.version.empty() ? "1" : file.version}}}, {"runs", Json::array()}};
    for (const auto &run : file.runs)
        json["runs"].push_back(runToJson(run));
    return json;
}

const Expected<RunFile> &shippedMeasuredRuns()
{
    static const Expected<RunFile> runs = []() -> Expected<RunFile> {
        initialiseResources();
        QFile file(u":/fleetwright/validation/measured_runs.json"_s);
        if (!file.open(QIODevice::ReadOnly))
            return refuse(ErrorCode::IoError, "measured_runs.json",
                "The measured runs are missing from the program; install Fleetwright again.");
        const auto text = file.readAll();
        return measuredRunsFromJson(std::string_view(text.constData(), std::size_t(text.size())));
    }();
    return runs;
}

} // namespace fleetwright::exchange
