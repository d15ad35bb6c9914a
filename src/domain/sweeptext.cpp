// SPDX-License-Identifier: GPL-3.0-or-later
// Axes as text that people edit.
#include "domain/sweepdocument.h"

#include "units/format.h"
#include "units/words.h"

#include <cmath>

namespace fleetwright {

namespace {

std::string written(const SettingValue &value)
{
    if (const auto *number = std::get_if<double>(&value))
        return units::exact(*number);
    if (const auto *flag = std::get_if<bool>(&value))
        return *flag ? "yes" : "no";
    return std::get<std::string>(value);
}

Expected<SweepSetting> settingFrom(std::string_view text, std::span<const AssumptionDescriptor> assumptions,
    const Catalog &catalog, const std::string &field)
{
    const auto equals = text.find('=');
    if (equals == std::string_view::npos)
        return refuse(ErrorCode::ParseError, field,
            inQuotes(trimmed(text)) + " must be a key, = and a value, such as parallelism.tp = 8.");
    const std::string name(trimmed(text.substr(0, equals)));
    const auto *key = findSweepKey(name) ? findSweepKey(name) : findFormerSweepKey(name);
    SweepKey assumption;
    if (const auto *descriptor = !key && isAssumptionKey(name)
            ? findAssumption(assumptions, std::string_view(name).substr(name.find('.') + 1))
            : nullptr) {
        assumption = sweepKeyOf(*descriptor);
        key = &assumption;
    }
    if (!key) {
        if (isAssumptionKey(name))
            return refuse(
                ErrorCode::UnknownReference, field, "The cost model has no \u201c" + name.substr(0, 80) + "\u201d.");
        return std::unexpected(check(SweepSetting{name, 0.0}, field).error());
    }
    const auto values = parseValues(*key, text.substr(equals + 1), catalog, field);
    if (!values)
        return std::unexpected(values.error());
    if (values->size() != 1)
        return refuse(
            ErrorCode::UnsupportedValue, field, "\u201c" + name + "\u201d takes one value in a point, not a range.");
    return current({name, values->front()});
}

/// Five or more whole numbers that rise by one step or factor, as the range that reads back as the same values.
std::optional<std::string> rangeOf(const SweepAxis &axis)
{
    constexpr std::size_t fewest = 5;
    const auto numbers = numbersOf(axis);
    if (numbers.size() < fewest)
        return std::nullopt;
    const double step = numbers[1] - numbers[0], factor = numbers[1] / numbers[0];
    bool adds = step >= 1, multiplies = factor >= 2 && factor == std::trunc(factor);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] != std::trunc(numbers[i]) || std::abs(numbers[i]) > 1e12)
            return std::nullopt;
        adds = adds && (i == 0 || numbers[i] - numbers[i - 1] == step);
        multiplies = multiplies && (i == 0 || numbers[i] == numbers[i - 1] * factor);
    }
    if (!adds && !multiplies)
        return std::nullopt;
    return units::exact(numbers.front()) + ".." + units::exact(numbers.back())
        + (adds ? ":+" + units::exact(step) : ":x" + units::exact(factor));
}

} // namespace

std::string valuesToText(const SweepAxis &axis)
{
    if (const auto range = rangeOf(axis))
        return *range;
    std::string text;
    for (const auto &point : axis.points)
        for (const auto &setting : point.settings)
            text += (text.empty() ? "" : ", ") + written(setting.value);
    return text;
}

std::string pointsToText(const SweepAxis &axis)
{
    std::string text;
    for (const auto &point : axis.points) {
        std::string settings;
        for (const auto &setting : point.settings)
            settings += (settings.empty() ? "" : ", ") + setting.key + " = " + written(setting.value);
        text += (text.empty() ? "" : "\n") + point.label + ": " + settings;
    }
    return text;
}

Expected<std::vector<SweepPoint>> parsePoints(std::string_view text, std::span<const AssumptionDescriptor> assumptions,
    const Catalog &catalog, const std::string &field)
{
    std::vector<SweepPoint> points;
    std::size_t number = 0;
    for (bool more = true; more;) {
        const auto end = text.find('\n');
        more = end != std::string_view::npos;
        const auto line = trimmed(text.substr(0, end));
        text = more ? text.substr(end + 1) : std::string_view();
        ++number;
        if (line.empty())
            continue;
        const auto where = "Line " + std::to_string(number) + ": ";
        // Keys have no colon, so the last one before the first equals sign ends the label, which may hold some itself.
        const auto colon = line.rfind(':', line.find('='));
        if (colon == std::string::npos)
            return refuse(ErrorCode::ParseError, field,
                where
                    + "write a name, a colon and settings, such as \u201cTP 8: parallelism.tp = 8, parallelism.pp = "
                      "4\u201d.");
        SweepPoint point{std::string(trimmed(line.substr(0, colon))), {}};
        auto rest = std::string_view(line).substr(colon + 1);
        for (bool next = true; next;) {
            const auto comma = rest.find(',');
            next = comma != std::string_view::npos;
            auto setting = settingFrom(rest.substr(0, comma), assumptions, catalog, field);
            if (!setting)
                return refuse(setting.error().code, field, where + setting.error().message);
            point.settings.push_back(std::move(*setting));
            rest = next ? rest.substr(comma + 1) : std::string_view();
        }
        points.push_back(std::move(point));
    }
    if (points.empty())
        return refuse(ErrorCode::MissingField, field,
            "Write one point per line: a name, a colon and settings, such as \u201cTP 8: parallelism.tp = 8, "
            "parallelism.pp = 4\u201d.");
    return points;
}

} // namespace fleetwright
