// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/yamlwriter.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <ranges>

namespace fleetwright::exchange {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t longestLine = 200;

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Only text that no version of YAML reads as anything but itself goes without quotes.
bool isPlain(const std::string &text)
{
    constexpr std::array reserved{"null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf"};
    std::string lower = text;
    std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return !text.empty() && (isLetter(text.front()) || text.front() == '_') && text.back() != ' '
        && std::ranges::find(reserved, lower) == reserved.end() && std::ranges::all_of(text, [](char c) {
               return isLetter(c) || (c >= '0' && c <= '9') || c == ' ' || c == '_' || c == '-' || c == '.';
           });
}

std::string quoted(const std::string &text) { return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string textOf(const std::string &text) { return isPlain(text) ? text : quoted(text); }

std::string flow(const Json &value)
{
    if (value.is_string())
        return textOf(value.get_ref<const std::string &>());
    if (!value.is_structured())
        return value.dump();
    std::string inner;
    for (const auto &[key, member] : value.items())
        inner += (inner.empty() ? "" : ", ") + (value.is_object() ? textOf(key) + ": " : std::string()) + flow(member);
    return value.is_object() ? "{" + inner + "}" : "[" + inner + "]";
}

/// Text of several lines that a literal block holds unchanged.
bool isProse(const Json &value)
{
    if (!value.is_string())
        return false;
    const auto &text = value.get_ref<const std::string &>();
    return text.contains('\n') && !text.contains(" \n") && !text.ends_with("\n\n") && text.find_first_of(" \n") != 0
        && text.back() != ' '
        && std::ranges::all_of(text, [](char c) { return c == '\n' || static_cast<unsigned char>(c) >= ' '; });
}

/// What does not read well on one line.
bool isLong(const Json &value)
{
    const bool objects = value.is_array()
        && std::ranges::all_of(value, [](const Json &element) { return element.is_object() && !element.empty(); });
    return value.is_structured() && !value.empty()
        && (objects || flow(value).size() > longestLine || std::ranges::any_of(value, isProse));
}

void writeBlock(const Json &object, std::size_t indent, std::string &out);

/// What stands behind a key or a dash; ends its line.
void writeValue(const Json &value, std::size_t indent, std::string &out)
{
    if (isProse(value)) {
        const std::string_view text = value.get_ref<const std::string &>();
        const bool ended = text.ends_with('\n');
        out += ended ? " |\n" : " |-\n";
        for (const auto line : std::views::split(text.substr(0, text.size() - (ended ? 1 : 0)), '\n'))
            out += (line.empty() ? std::string() : std::string(indent, ' ') + std::string(line.begin(), line.end()))
                + "\n";
    } else if (isLong(value)) {
        out += "\n";
        writeBlock(value, indent, out);
    } else {
        out += " " + flow(value) + "\n";
    }
}

void writeBlock(const Json &value, std::size_t indent, std::string &out)
{
    for (const auto &[key, member] : value.items()) {
        if (value.is_object()) {
            out += std::string(indent, ' ') + textOf(key) + ":";
            writeValue(member, indent + 2, out);
        } else if (member.is_object() && isLong(member)) {
            std::string inner;
            writeBlock(member, indent + 2, inner);
            out += inner.replace(indent, 1, "-"); // the first key stands behind the dash
        } else {
            out += std::string(indent, ' ') + "-";
            writeValue(member, indent + 2, out);
        }
    }
}

} // namespace

std::string toYaml(const Json &object)
{
    std::string out;
    writeBlock(object, 0, out);
    return out;
}

std::string rowsToYaml(const std::vector<std::vector<std::pair<std::string, std::string>>> &rows)
{
    Json list = Json::array();
    for (const auto &row : rows) {
        auto &object = list.emplace_back(Json::object());
        for (const auto &[title, text] : row)
            object[title] = text;
    }
    return toYaml(Json{{"rows", std::move(list)}});
}

} // namespace fleetwright::exchange
