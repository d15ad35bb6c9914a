// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/exchange/yamlwriter.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

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
    return !text.empty() && (isLetter(text.front()) || text.front() == '_') && text.back() != ' ' && std::ranges::find(reserved, lower) == reserved.end()
        && std::ranges::all_of(text, [](char c) { return isLetter(c) || (c >= '0' && c <= '9') || c == ' ' || c == '_' || c == '-' || c == '.'; });
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

void writeBlock(const Json &object, std::size_t indent, std::string &out);

/// Each object of the list after a dash: in braces where that fits, else key by key.
void writeList(const Json &list, std::size_t indent, std::string &out)
{
    for (const auto &element : list) {
        const auto line = flow(element);
        if (line.size() <= longestLine) {
            out += std::string(indent, ' ') + "- " + line + "\n";
            continue;
        }
        std::string block;
        writeBlock(element, indent + 2, block);
        block[indent] = '-';
        out += block;
    }
}

void writeBlock(const Json &object, std::size_t indent, std::string &out)
{
    for (const auto &[key, value] : object.items()) {
        out += std::string(indent, ' ') + textOf(key) + ":";
        auto line = flow(value);
        if (value.is_object() && line.size() > longestLine) {
            out += "\n";
            writeBlock(value, indent + 2, out);
        } else if (value.is_array() && !value.empty() && std::ranges::all_of(value, [](const Json &element) { return element.is_object() && !element.empty(); })) {
            out += "\n";
            writeList(value, indent + 2, out);
        } else {
            out += " " + line + "\n";
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

} // namespace fleetwright::exchange
