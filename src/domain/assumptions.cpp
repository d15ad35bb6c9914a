// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/assumptions.h"

#include "domain/rules.h"
#include "units/format.h"
#include "units/parse.h"

#include <algorithm>
#include <cmath>

namespace fleetwright {

const AssumptionDescriptor *findAssumption(std::span<const AssumptionDescriptor> descriptors, std::string_view key)
{
    const auto found = std::ranges::find(descriptors, key, &AssumptionDescriptor::key);
    return found == descriptors.end() ? nullptr : &*found;
}

AssumptionValue valueOf(const Assumptions &assumptions, const AssumptionDescriptor &descriptor)
{
    const auto found = assumptions.edited.find(descriptor.key);
    return found == assumptions.edited.end() ? uneditedValueOf(assumptions, descriptor) : found->second;
}

AssumptionValue uneditedValueOf(const Assumptions &assumptions, const AssumptionDescriptor &descriptor)
{
    if (!std::holds_alternative<double>(descriptor.defaultValue))
        return descriptor.defaultValue;
    if (const auto found = assumptions.calibrated.find(descriptor.key); found != assumptions.calibrated.end())
        return found->second;
    const auto planned = assumptions.planning.find(descriptor.planningDefault);
    return planned == assumptions.planning.end() ? descriptor.defaultValue : planned->second;
}

bool isEdited(const Assumptions &assumptions, const AssumptionDescriptor &descriptor)
{
    return valueOf(assumptions, descriptor) != uneditedValueOf(assumptions, descriptor);
}

bool isCalibrated(const Assumptions &assumptions, const AssumptionDescriptor &descriptor)
{
    return !isEdited(assumptions, descriptor) && assumptions.calibrated.contains(descriptor.key)
        && std::holds_alternative<double>(descriptor.defaultValue);
}

bool isPlanned(const Assumptions &assumptions, const AssumptionDescriptor &descriptor)
{
    return !isEdited(assumptions, descriptor) && !isCalibrated(assumptions, descriptor)
        && uneditedValueOf(assumptions, descriptor) != descriptor.defaultValue;
}

namespace {

std::string bound(double value, const AssumptionDescriptor &descriptor)
{
    return units::asTyped(value, descriptor.unit);
}

Expected<void> checkValue(const AssumptionDescriptor &descriptor, const AssumptionValue &value)
{
    const std::string field = "assumptions." + descriptor.key;
    if (value.index() != descriptor.defaultValue.index()) {
        const char *expected = std::holds_alternative<bool>(descriptor.defaultValue) ? "true or false"
            : std::holds_alternative<double>(descriptor.defaultValue)                ? "a number"
                                                                                     : "a text";
        return refuse(ErrorCode::UnsupportedValue, field, descriptor.label + " must be " + expected + ".");
    }
    if (const auto *number = std::get_if<double>(&value)) {
        if (!std::isfinite(*number) || *number < descriptor.minimum || *number > descriptor.maximum)
            return refuse(ErrorCode::OutOfRange, field,
                descriptor.label + " must be between " + bound(descriptor.minimum, descriptor) + " and "
                    + bound(descriptor.maximum, descriptor) + ".");
        if (descriptor.integer && *number != std::round(*number))
            return refuse(ErrorCode::OutOfRange, field, descriptor.label + " must be a whole number.");
    }
    if (const auto *text = std::get_if<std::string>(&value);
        text && std::ranges::find(descriptor.choices, *text) == descriptor.choices.end()) {
        std::string list;
        for (const auto &choice : descriptor.choices)
            list += (list.empty() ? "" : ", ") + choice;
        return refuse(ErrorCode::UnsupportedValue, field, descriptor.label + " must be one of " + list + ".");
    }
    return {};
}

} // namespace

Expected<void> check(const Assumptions &assumptions, std::span<const AssumptionDescriptor> descriptors)
{
    const auto prefixOf = [](std::string_view key) {
        const auto dot = key.find('.');
        return dot == std::string_view::npos ? std::string_view() : key.substr(0, dot);
    };
    const auto own = descriptors.empty() ? std::string_view() : prefixOf(descriptors.front().key);
    for (const auto &[key, value] : assumptions.edited) {
        if (prefixOf(key) != own)
            continue;
        const auto *descriptor = findAssumption(descriptors, key);
        if (!descriptor)
            return refuse(ErrorCode::UnknownReference, "assumptions." + key,
                "This cost model has no assumption \u201c" + key.substr(0, 60)
                    + "\u201d; remove it or correct its name.");
        if (auto ok = checkValue(*descriptor, value); !ok)
            return ok;
    }
    return {};
}

std::string display(const AssumptionDescriptor &descriptor, const AssumptionValue &value)
{
    if (const auto *flag = std::get_if<bool>(&value))
        return *flag ? "yes" : "no";
    if (const auto *text = std::get_if<std::string>(&value))
        return *text;
    return bound(std::get<double>(value), descriptor);
}

Expected<AssumptionValue> parseAssumption(const AssumptionDescriptor &descriptor, std::string_view text)
{
    const std::string field = "assumptions." + descriptor.key;
    AssumptionValue value;
    if (std::holds_alternative<bool>(descriptor.defaultValue)) {
        if (text != "yes" && text != "true" && text != "no" && text != "false")
            return refuse(ErrorCode::ParseError, field, descriptor.label + " is yes or no.");
        value = text == "yes" || text == "true";
    } else if (std::holds_alternative<std::string>(descriptor.defaultValue)) {
        value = std::string(text.substr(0, 200));
    } else {
        const auto base = units::parseIn(text, descriptor.dimension, descriptor.unit, field);
        if (!base)
            return std::unexpected(base.error());
        const auto unit = units::findUnit(descriptor.unit, descriptor.dimension);
        value = unit ? rules::inUnit(*base, unit->factor) : *base;
    }
    if (auto ok = checkValue(descriptor, value); !ok)
        return std::unexpected(ok.error());
    return value;
}

} // namespace fleetwright
