// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/storedruns.h"

#include "exchange/objectreader.h"
#include "exchange/runfields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace fleetwright::exchange {

using Json = nlohmann::ordered_json;
using validation::MeasuredRun;
using validation::SharedText;
using validation::SharedTexts;

namespace {

/// Members of one object stand together in visitRunFields(), so that an object is closed once and for all.
class RunText {
public:
    void operator()(std::string_view key, const SharedText &value, double scale)
    {
        (*this)(key, value.string(), scale);
    }
    void operator()(std::string_view key, const std::string &value, double)
    {
        if (value.empty())
            return;
        member(key);
        string(value);
    }
    template <class Field> void operator()(std::string_view key, const Field &value, double scale)
    {
        using T = typename Field::value_type;
        if (!value)
            return;
        member(key);
        if constexpr (std::is_same_v<T, bool>)
            m_text += *value ? "true" : "false";
        else if constexpr (std::is_arithmetic_v<T>)
            m_text += plainNumber(double(*value) / scale).dump();
        else
            m_text += plainNumber(value->value() / scale).dump();
    }
    void lists(const MeasuredRun &run)
    {
        if (!run.overlap.empty()) {
            member("overlap");
            m_text += '{';
            for (bool first = true; const auto &[name, flag] : run.overlap) {
                m_text += std::exchange(first, false) ? "" : ",";
                string(name);
                m_text += flag ? ":true" : ":false";
            }
            m_text += '}';
        }
        if (!run.inferred.empty()) {
            member("inferred_config");
            m_text += '[';
            for (bool first = true; const auto &name : run.inferred) {
                m_text += std::exchange(first, false) ? "" : ",";
                string(name);
            }
            m_text += ']';
        }
    }
    [[nodiscard]] std::string take()
    {
        closeTo(0);
        m_text += '}';
        return std::move(m_text);
    }

private:
    /// Closes and opens objects until the one of the key is open, and writes the key's last part.
    void member(std::string_view key)
    {
        const auto lastDot = key.rfind('.');
        const auto parents = lastDot == std::string_view::npos ? std::string_view() : key.substr(0, lastDot + 1);
        std::size_t common = m_open.size();
        while (!parents.starts_with(std::string_view(m_path).substr(0, common == 0 ? 0 : m_open[common - 1])))
            --common;
        closeTo(common);
        while (m_path.size() < parents.size()) {
            const auto end = parents.find('.', m_path.size());
            name(parents.substr(m_path.size(), end - m_path.size()));
            m_text += '{';
            m_path = parents.substr(0, end + 1);
            m_open.push_back(m_path.size());
        }
        name(key.substr(parents.size()));
    }
    void closeTo(std::size_t depth)
    {
        for (; m_open.size() > depth; m_open.pop_back())
            m_text += '}';
        m_path.resize(depth == 0 ? 0 : m_open.back());
    }
    void name(std::string_view part)
    {
        if (m_text.back() != '{')
            m_text += ',';
        m_text.append("\"").append(part).append("\":");
    }
    void string(const std::string &value)
    {
        const bool plain = std::ranges::all_of(
            value, [](char c) { return c >= ' ' && c < '\x7F' && c != '"' && c != '\\'; });
        if (plain)
            m_text.append("\"").append(value).append("\"");
        else
            m_text += Json(value).dump();
    }

    std::string m_text = "{";
    std::string m_path; ///< of the innermost open object, with a dot behind each part
    std::vector<std::size_t> m_open; ///< lengths of the paths of the open objects
};

/// A value of the text, for the field of the same place in visitRunFields().
struct Stored {
    enum class Kind : std::uint8_t { Nothing, Flag, Number, Text } kind = Kind::Nothing;
    bool flag = false;
    double number = 0;
    std::string text;
};

using Places = std::unordered_map<std::string, std::size_t>;

const Places &placesOfFields()
{
    static const Places places = [] {
        Places made;
        const MeasuredRun none;
        visitRunFields(none, [&made](std::string_view key, const auto &, double) { made.emplace(key, made.size()); });
        return made;
    }();
    return places;
}

/// Puts what stands in the text where it belongs; gives up where it meets anything that is not written so.
class StoredEvents : public nlohmann::json_sax<Json> {
public:
    explicit StoredEvents(MeasuredRun &run) : m_run(run), m_values(placesOfFields().size()) { }
    [[nodiscard]] const std::vector<Stored> &values() const { return m_values; }

    bool null() override { return false; }
    bool boolean(bool value) override
    {
        if (m_path == "overlap.")
            return m_run.overlap.emplace(std::move(m_key), value).second;
        auto *to = place(Stored::Kind::Flag);
        if (to)
            to->flag = value;
        return to;
    }
    bool number_integer(number_integer_t value) override { return number(double(value)); }
    bool number_unsigned(number_unsigned_t value) override { return number(double(value)); }
    bool number_float(number_float_t value, const string_t &) override { return number(value); }
    bool string(string_t &value) override
    {
        if (m_inList) {
            m_run.inferred.push_back(std::move(value));
            return true;
        }
        auto *to = place(Stored::Kind::Text);
        if (to)
            to->text = std::move(value);
        return to;
    }
    bool binary(binary_t &) override { return false; }
    bool start_object(std::size_t) override
    {
        if (!m_begun)
            return m_begun = true;
        if (m_inList)
            return false;
        m_path.append(m_key).append(".");
        m_depths.push_back(m_key.size() + 1);
        if (std::ranges::find(m_met, m_path) != m_met.end())
            return false;
        m_met.push_back(m_path);
        return true;
    }
    bool key(string_t &name) override
    {
        m_key = std::move(name);
        return !m_key.contains('.') || m_path == "overlap.";
    }
    bool end_object() override
    {
        if (!m_depths.empty()) {
            m_path.resize(m_path.size() - m_depths.back());
            m_depths.pop_back();
        }
        return true;
    }
    bool start_array(std::size_t) override
    {
        m_inList = m_begun && !m_inList && m_path.empty() && m_key == "inferred_config" && m_run.inferred.empty();
        return m_inList;
    }
    bool end_array() override
    {
        m_inList = false;
        return true;
    }
    bool parse_error(std::size_t, const std::string &, const nlohmann::detail::exception &) override { return false; }

private:
    bool number(double value)
    {
        auto *to = place(Stored::Kind::Number);
        if (to)
            to->number = value;
        return to;
    }
    /// nullptr where no field has the name, or it stands twice.
    Stored *place(Stored::Kind kind)
    {
        if (!m_begun || m_inList)
            return nullptr;
        const auto known = placesOfFields().find(m_path.empty() ? m_key : m_path + m_key);
        if (known == placesOfFields().end() || m_values[known->second].kind != Stored::Kind::Nothing)
            return nullptr;
        m_values[known->second].kind = kind;
        return &m_values[known->second];
    }

    MeasuredRun &m_run;
    std::vector<Stored> m_values;
    std::string m_key, m_path; ///< as of RunText
    std::vector<std::size_t> m_depths; ///< lengths of the parts of the path
    std::vector<std::string> m_met; ///< objects, none of which stands twice
    bool m_begun = false, m_inList = false;
};

/// Takes the values in the order of visitRunFields(), by the rules of measuredRunsFromJson().
class StoredFields {
public:
    StoredFields(const std::vector<Stored> &values, SharedTexts &texts) : m_next(values.begin()), m_texts(texts) { }

    void operator()(std::string_view, std::string &target, double)
    {
        if (const auto *value = next(Stored::Kind::Text))
            target = value->text;
    }
    void operator()(std::string_view, SharedText &target, double)
    {
        if (const auto *value = next(Stored::Kind::Text))
            target = m_texts.shared(value->text);
    }
    void operator()(std::string_view, std::optional<bool> &target, double)
    {
        if (const auto *value = next(Stored::Kind::Flag))
            target = value->flag;
    }
    template <class Field> void operator()(std::string_view key, Field &target, double scale)
    {
        using Number = typename Field::value_type;
        const auto *value = next(Stored::Kind::Number);
        if (!value)
            return;
        const double number = value->number;
        const double least = std::is_integral_v<Number> && key == "zero_group" ? -1 : 0;
        m_right = m_right && std::isfinite(number) && number >= least;
        if constexpr (std::is_integral_v<Number>) {
            m_right = m_right && number == std::trunc(number)
                && number <= std::min(largestCount, double(std::numeric_limits<Number>::max()));
            if (m_right)
                target = static_cast<Number>(number);
        } else if constexpr (std::is_floating_point_v<Number>) {
            target = number * scale;
        } else {
            target = Number::from_value(number * scale);
        }
    }
    [[nodiscard]] bool right() const { return m_right; }

private:
    const Stored *next(Stored::Kind kind)
    {
        const auto &value = *m_next++;
        m_right = m_right && (value.kind == kind || value.kind == Stored::Kind::Nothing);
        return value.kind == kind ? &value : nullptr;
    }

    std::vector<Stored>::const_iterator m_next;
    SharedTexts &m_texts;
    bool m_right = true;
};

} // namespace

std::string storedRunText(const MeasuredRun &run)
{
    RunText text;
    visitRunFields(run, text);
    text.lists(run);
    return text.take();
}

std::optional<MeasuredRun> runFromStoredText(std::string_view text, SharedTexts &texts)
{
    MeasuredRun run;
    StoredEvents events(run);
    if (!Json::sax_parse(text.begin(), text.end(), &events))
        return std::nullopt;
    StoredFields fields(events.values(), texts);
    visitRunFields(run, fields);
    return fields.right() && !run.id.empty() ? std::optional(std::move(run)) : std::nullopt;
}

} // namespace fleetwright::exchange
