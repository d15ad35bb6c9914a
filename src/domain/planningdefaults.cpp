// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/planningdefaults.h"

#include "units/format.h"
#include "units/words.h"

#include <algorithm>

namespace fleetwright {

using units::Dimension;

namespace {

constexpr auto readDefaults = std::to_array<PlanningDefault>({
    {"mttf_gpu", "hours", Dimension::Time, "h", 1, 1e9},
    {"mttf_nic", "hours", Dimension::Time, "h", 1, 1e9},
    {"mttf_psu", "hours", Dimension::Time, "h", 1, 1e9},
    {"electricity_default", "USD per kWh", Dimension::EnergyPrice, "USD/kWh", 0, 10},
    {"maintenance_ratio", "fraction of capital cost per year", Dimension::Fraction, "", 0, 1},
    {"compute_efficiency_default", "fraction", Dimension::Fraction, "", 1e-9, 1},
    {"overlap_efficiency", "fraction", Dimension::Fraction, "", 0, 1},
    {"framework_layer_tax", "milliseconds", Dimension::Time, "ms", 0, 1000},
    {"tech_nvlink_latency", "ns", Dimension::Time, "ns", 0, 1e9},
    {"chinchilla_tokens_per_param", "tokens per parameter", Dimension::Number, "", 0.001, 1e6},
});

/// Unit and value of an item that states a default, shipped or not.
Expected<void> checkValue(const CatalogRecord &record, const PlanningDefault &planning)
{
    if (record.text("unit") != planning.stated)
        return refuse(ErrorCode::UnsupportedValue, "unit",
            "The unit of " + inQuotes(planning.id) + " is " + inQuotes(planning.stated) + "; state the value in it.");
    const auto value = record.number("value");
    if (value && !(*value >= planning.minimum && *value <= planning.maximum))
        return refuse(ErrorCode::OutOfRange, "value",
            inQuotes(record.name) + " must be between " + units::exact(planning.minimum) + " and "
                + units::exact(planning.maximum) + ", in " + std::string(planning.stated) + ".");
    return {};
}

std::string_view replacedBy(const CatalogRecord &record)
{
    const auto *value = record.find("replaces");
    const auto *id = value ? std::get_if<std::string>(value) : nullptr;
    return id ? std::string_view(*id) : std::string_view();
}

} // namespace

std::span<const PlanningDefault> planningDefaults() { return readDefaults; }

const PlanningDefault *findPlanningDefault(std::string_view id)
{
    const auto found = std::ranges::find(readDefaults, id, &PlanningDefault::id);
    return found == readDefaults.end() ? nullptr : &*found;
}

const PlanningDefault *planningDefaultOf(const CatalogRecord &record)
{
    if (record.kind != CatalogKind::PlanningDefault)
        return nullptr;
    return findPlanningDefault(record.shipped ? std::string_view(record.id) : replacedBy(record));
}

const CatalogRecord *standInFor(const Catalog &catalog, std::string_view id)
{
    const auto records = catalog.records(CatalogKind::PlanningDefault);
    const auto found = std::ranges::find_if(records,
        [&](const CatalogRecord &record) { return !record.shipped && !id.empty() && replacedBy(record) == id; });
    return found == records.end() ? nullptr : &*found;
}

Expected<void> checkPlanningDefault(const CatalogRecord &record, const Catalog &catalog)
{
    const auto id = replacedBy(record);
    if (id.empty())
        return refuse(ErrorCode::MissingField, "replaces",
            inQuotes(record.name)
                + " takes the place of no shipped planning default, so no figure uses it; name one, or delete the "
                  "item.");
    const auto *planning = findPlanningDefault(id);
    if (!planning)
        return refuse(ErrorCode::UnsupportedValue, "replaces",
            inQuotes(id) + " is kept for reference; no figure of this version uses it, so nothing takes its place.");
    const auto *other = standInFor(catalog, id);
    if (other && other->id != record.id)
        return refuse(ErrorCode::ConstraintViolated, "replaces",
            inQuotes(other->name) + " takes the place of " + inQuotes(id) + " already; change or delete it.");
    return checkValue(record, *planning);
}

Expected<PlanningValues> planningValues(const Catalog &catalog)
{
    const auto inCatalog = [](const CatalogRecord &record, Error error) {
        return Error{error.code,
            std::string(toString(CatalogKind::PlanningDefault)) + "/" + record.id + "." + error.field,
            "The planning default " + inQuotes(record.name) + ": " + error.message};
    };
    PlanningValues values;
    for (const auto &record : catalog.records(CatalogKind::PlanningDefault)) {
        const auto *planning = planningDefaultOf(record);
        if (!planning)
            continue;
        if (auto ok = record.shipped ? checkValue(record, *planning) : checkPlanningDefault(record, catalog); !ok)
            return std::unexpected(inCatalog(record, std::move(ok.error())));
        const auto value = record.number("value");
        if (value && (!record.shipped || !standInFor(catalog, planning->id)))
            values.insert_or_assign(std::string(planning->id), *value);
    }
    return values;
}

} // namespace fleetwright
