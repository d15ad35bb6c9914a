// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/catalogrecord.h"

#include "domain/rules.h"
#include "units/editdistance.h"
#include "units/format.h"
#include "units/parse.h"
#include "units/visibletext.h"

#include <algorithm>
#include <cmath>

namespace fleetwright {

std::string_view toString(CatalogKind kind)
{
    switch (kind) {
    case CatalogKind::Accelerator: return "accelerators";
    case CatalogKind::Node: return "nodes";
    case CatalogKind::Fabric: return "fabrics";
    case CatalogKind::Cluster: return "clusters";
    case CatalogKind::Workload: return "workloads";
    case CatalogKind::Grid: return "grids";
    case CatalogKind::Facility: return "facilities";
    case CatalogKind::Price: return "prices";
    case CatalogKind::NetworkGear: return "network_gear";
    case CatalogKind::Currency: return "currencies";
    case CatalogKind::PlanningDefault: return "economics_reliability_defaults";
    case CatalogKind::CalibrationConstant: return "calibration_constants";
    }
    return {};
}

std::string_view itemName(CatalogKind kind)
{
    switch (kind) {
    case CatalogKind::Accelerator: return "accelerator";
    case CatalogKind::Node: return "node";
    case CatalogKind::Fabric: return "fabric";
    case CatalogKind::Cluster: return "cluster";
    case CatalogKind::Workload: return "workload";
    case CatalogKind::Grid: return "grid";
    case CatalogKind::Facility: return "facility";
    case CatalogKind::Price: return "price";
    case CatalogKind::NetworkGear: return "network gear";
    case CatalogKind::Currency: return "currency";
    case CatalogKind::PlanningDefault: return "planning default";
    case CatalogKind::CalibrationConstant: return "calibration constant";
    }
    return {};
}

std::string toString(const ItemId &item) { return std::string(toString(item.kind)) + "/" + item.id; }

Expected<CatalogKind> parseCatalogKind(std::string_view text, std::string_view field)
{
    std::string known;
    std::vector<std::string_view> kinds;
    for (const auto kind : allCatalogKinds) {
        if (toString(kind) == text || itemName(kind) == text)
            return kind;
        kinds.push_back(toString(kind));
        known += (known.empty() ? "" : ", ") + std::string(toString(kind));
    }
    return refuse(ErrorCode::UnknownReference, std::string(field),
        "There is no catalog named \u201c" + std::string(text.substr(0, 60)) + "\u201d"
            + didYouMean(text, kinds, "; the catalogs are " + known + "."));
}

const FieldDescriptor *findField(CatalogKind kind, std::string_view key)
{
    const auto all = fields(kind);
    const auto found = std::ranges::find(all, key, &FieldDescriptor::key);
    return found == all.end() ? nullptr : &*found;
}

const FieldValue *CatalogRecord::find(std::string_view key) const
{
    const auto found = values.find(key);
    return found == values.end() || std::holds_alternative<std::monostate>(found->second) ? nullptr : &found->second;
}

std::optional<double> CatalogRecord::number(std::string_view key) const
{
    const auto *value = find(key);
    const auto *number = value ? std::get_if<double>(value) : nullptr;
    return number ? std::optional(*number) : std::nullopt;
}

std::optional<std::string> CatalogRecord::text(std::string_view key) const
{
    const auto *value = find(key);
    const auto *text = value ? std::get_if<std::string>(value) : nullptr;
    return text ? std::optional(*text) : std::nullopt;
}

std::optional<bool> CatalogRecord::boolean(std::string_view key) const
{
    const auto *value = find(key);
    const auto *flag = value ? std::get_if<bool>(value) : nullptr;
    return flag ? std::optional(*flag) : std::nullopt;
}

const Attribution *CatalogRecord::attribution(std::string_view key) const
{
    const std::string_view parent = key.substr(0, key.find('.'));
    const std::string_view leaf = key.contains('.') ? key.substr(key.find('.') + 1) : key;
    for (const auto wanted : {leaf, key, parent, std::string_view("*")}) {
        const auto found = std::ranges::find_if(
            attributions, [&](const Attribution &a) { return std::ranges::find(a.fields, wanted) != a.fields.end(); });
        if (found != attributions.end())
            return &*found;
    }
    return nullptr;
}

std::optional<CatalogKind> referenceOf(const FieldDescriptor &field, const CatalogRecord &record)
{
    if (field.reference || field.referenceKindField.empty())
        return field.reference;
    const auto name = record.text(field.referenceKindField);
    const auto kind = name ? parseCatalogKind(*name) : Expected<CatalogKind>(std::unexpected(Error()));
    return kind ? std::optional(*kind) : std::nullopt;
}

namespace {

bool isId(std::string_view id)
{
    return !id.empty() && id.size() <= 100 && id.front() >= 'a' && id.front() <= 'z'
        && std::ranges::all_of(id, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

std::string withUnit(double value, std::string_view unit) { return units::asTyped(value, unit); }

Expected<void> checkNumber(const FieldDescriptor &field, double value)
{
    const std::string key(field.key);
    const std::string label(field.label);
    if (!std::isfinite(value))
        return refuse(ErrorCode::OutOfRange, key, label + " must be a finite number.");
    if (field.type == FieldType::Integer && value != std::round(value))
        return refuse(ErrorCode::OutOfRange, key, label + " must be a whole number.");
    if (field.minimum && value < *field.minimum)
        return refuse(
            ErrorCode::OutOfRange, key, label + " must be at least " + withUnit(*field.minimum, field.unit) + ".");
    if (field.maximum && value > *field.maximum)
        return refuse(
            ErrorCode::OutOfRange, key, label + " must be at most " + withUnit(*field.maximum, field.unit) + ".");
    return {};
}

bool hasType(const FieldValue &value, FieldType type)
{
    switch (type) {
    case FieldType::Boolean: return std::holds_alternative<bool>(value);
    case FieldType::Integer:
    case FieldType::Real: return std::holds_alternative<double>(value);
    case FieldType::Text:
    case FieldType::Json: return std::holds_alternative<std::string>(value);
    case FieldType::TextList: return std::holds_alternative<std::vector<std::string>>(value);
    }
    return false;
}

} // namespace

Expected<void> check(const CatalogRecord &record)
{
    const std::string what(itemName(record.kind));
    if (!isId(record.id))
        return refuse(ErrorCode::OutOfRange, "id",
            "The id of this " + what
                + " must start with a letter and hold only lower-case letters, digits and underscores (at most 100).");
    if (record.name.empty() || record.name.size() > 300)
        return refuse(ErrorCode::MissingField, "name", "Give this " + what + " a name of at most 300 characters.");
    for (const auto &[key, value] : record.values) {
        const auto *field = findField(record.kind, key);
        if (!field)
            return refuse(ErrorCode::UnsupportedValue, key,
                "The field \u201c" + key + "\u201d does not belong to " + what + " items; remove it.");
        if (std::holds_alternative<std::monostate>(value))
            continue;
        if (!hasType(value, field->type))
            return refuse(
                ErrorCode::UnsupportedValue, key, std::string(field->label) + " has a value of the wrong type.");
        if (const auto *number = std::get_if<double>(&value))
            if (auto ok = checkNumber(*field, *number); !ok)
                return ok;
    }
    for (const auto &field : fields(record.kind))
        if (field.required && !record.find(field.key))
            return refuse(ErrorCode::MissingField, std::string(field.key),
                std::string(field.label) + " is needed for this " + what + ".");
    return {};
}

std::vector<Attribution> remainingAttributions(const CatalogRecord &original, const CatalogRecord &edited)
{
    if (edited.values == original.values)
        return original.attributions;
    // Each source is spelled out for the fields that it still vouches for, because "*" would cover what the user typed.
    std::vector<Attribution> remaining;
    for (const auto &field : fields(edited.kind)) {
        const auto *before = original.find(field.key);
        const auto *after = edited.find(field.key);
        const auto *attribution = original.attribution(field.key);
        if (!before || !after || *before != *after || !attribution)
            continue;
        const auto same = std::ranges::find_if(remaining, [&](const Attribution &a) {
            return a.sourceId == attribution->sourceId && a.confidence == attribution->confidence
                && a.verification == attribution->verification;
        });
        auto &target = same == remaining.end() ? remaining.emplace_back(attribution->sourceId,
                           std::vector<std::string>(), attribution->confidence, attribution->verification)
                                               : *same;
        target.fields.emplace_back(field.key);
    }
    return remaining;
}

bool showsPrefix(const FieldDescriptor &field)
{
    return (field.dimension == units::Dimension::Information || field.dimension == units::Dimension::Computation)
        && field.unit == units::baseSymbol(field.dimension);
}

std::string display(const FieldDescriptor &field, const FieldValue &value, bool withUnitSymbol)
{
    if (const auto *flag = std::get_if<bool>(&value))
        return *flag ? "yes" : "no";
    if (const auto *text = std::get_if<std::string>(&value))
        return *text;
    if (const auto *list = std::get_if<std::vector<std::string>>(&value)) {
        std::string joined;
        for (const auto &entry : *list)
            joined += (joined.empty() ? "" : ", ") + entry;
        return joined;
    }
    const auto *number = std::get_if<double>(&value);
    if (!number)
        return {};
    if (field.key.ends_with("year"))
        return units::exact(*number);
    if (field.dimension == units::Dimension::Number && field.unit.empty())
        return units::format(*number, units::Dimension::Number);
    if (showsPrefix(field))
        return units::format(*number, field.dimension);
    return units::threeDigits(*number)
        + (withUnitSymbol && !field.unit.empty() ? "\u00a0" + std::string(units::shownSymbol(field.unit)) : "");
}

std::string exactDisplay(const FieldDescriptor &field, const FieldValue &value)
{
    const auto *number = std::get_if<double>(&value);
    if (!number)
        return display(field, value);
    // Large counts without an exponent: 50000000, not 5e+07.
    constexpr double largestWhole = 1e15;
    const bool whole = *number == std::round(*number) && std::abs(*number) < largestWhole;
    auto text = whole ? std::to_string(static_cast<long long>(*number)) : units::exact(*number);
    return field.unit.empty() ? text : text + "\u00a0" + std::string(field.unit);
}

Expected<FieldValue> parseField(const FieldDescriptor &field, std::string_view text)
{
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return FieldValue{};
    text = text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
    const std::string key(field.key);
    if (auto visible = checkVisible(text, key, TextShape::Lines); !visible)
        return std::unexpected(std::move(visible.error()));
    switch (field.type) {
    case FieldType::Boolean:
        if (text == "yes" || text == "true")
            return FieldValue{true};
        if (text == "no" || text == "false")
            return FieldValue{false};
        return refuse(ErrorCode::ParseError, key, std::string(field.label) + " is yes or no.");
    case FieldType::Text:
    case FieldType::Json:
        if (text.size() > 10000)
            return refuse(ErrorCode::OutOfRange, key,
                std::string(field.label) + " is longer than 10 000 characters; shorten it.");
        return FieldValue{std::string(text)};
    case FieldType::TextList: {
        if (text.size() > 10000)
            return refuse(ErrorCode::OutOfRange, key,
                std::string(field.label) + " is longer than 10 000 characters; shorten it.");
        std::vector<std::string> list;
        while (!text.empty()) {
            const auto comma = text.find(',');
            auto entry = text.substr(0, comma);
            while (entry.starts_with(' '))
                entry.remove_prefix(1);
            while (entry.ends_with(' '))
                entry.remove_suffix(1);
            if (!entry.empty())
                list.emplace_back(entry);
            text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
        }
        return FieldValue{std::move(list)};
    }
    case FieldType::Integer:
    case FieldType::Real: break;
    }
    auto base = units::parseIn(text, field.dimension, field.unit, field.key);
    if (!base)
        return std::unexpected(base.error());
    const auto unit = units::findUnit(field.unit, field.dimension);
    const double stored = unit ? rules::inUnit(*base, unit->factor) : *base;
    if (auto ok = checkNumber(field, stored); !ok)
        return std::unexpected(ok.error());
    return FieldValue{stored};
}

} // namespace fleetwright
