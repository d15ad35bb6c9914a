// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/worksheet/evaluatedsheet.h"
#include "solver/worksheet/sheets.h"

#include <stdexcept>
#include <utility>

namespace fleetwright::testing {

using EntryValues = std::initializer_list<std::pair<const char *, double>>;

/// Entries of a sheet; a refusal ends the test.
inline SheetEntries entriesOf(const Worksheet &sheet, EntryValues values)
{
    SheetEntries entries(sheet);
    for (const auto &[key, value] : values)
        if (const auto entered = entries.enter(key, value); !entered)
            throw std::runtime_error(entered.error().message);
    return entries;
}

/// 128 nodes of 8 accelerators with a price for every line, half of them borrowed, beside a rent.
inline SheetEntries fleetEntries(EntryValues changes = {})
{
    auto entries = entriesOf(sheets::fleet(),
        {{"nodes", 128}, {"accelerators_per_node", 8}, {"node_peak_w", 10200}, {"powered_spares", 2},
            {"spare_nodes", 3}, {"switches", 48}, {"switch_w", 1720}, {"transceivers", 508}, {"transceiver_w", 16},
            {"accelerator_usd", 25000}, {"chassis_usd", 80000}, {"storage_usd_per_tb", 300},
            {"management_node_usd", 20000}, {"racks_power_usd", 900000}, {"licences_once_usd", 50000},
            {"freight_usd", 120000}, {"contingency_share", 0.05}, {"facility_usd_per_w", 11}, {"utilisation", 0.8},
            {"availability", 0.97}, {"usd_per_kwh", 0.08}, {"colocation_usd_per_kw_month", 130},
            {"support_share", 0.08}, {"warranty_years", 1}, {"licence_usd_per_accelerator", 900}, {"staff_usd", 180000},
            {"insurance_usd", 90000}, {"transit_usd", 30000}, {"rate_per_node_day", 0.004}, {"part_usd", 4000},
            {"escalation", 0.02}, {"energy_escalation", 0.04}, {"value_usd_per_hour", 3}, {"debt_fraction", 0.5},
            {"debt_rate", 0.07}, {"debt_years", 4}, {"federal_tax", 0.21}, {"state_tax", 0.07}, {"depreciation", 1},
            {"rent_usd_per_hour", 3.4}, {"rent_extra_usd", 500000}, {"rent_escalation", -0.03}});
    for (const auto &[key, value] : changes)
        if (const auto entered = entries.enter(key, value); !entered)
            throw std::runtime_error(entered.error().message);
    return entries;
}

inline EvaluatedSheet evaluated(SheetEntries entries)
{
    auto sheet = evaluateSheet(std::move(entries));
    if (!sheet)
        throw std::runtime_error(sheet.error().field + ": " + sheet.error().message);
    return std::move(*sheet);
}

} // namespace fleetwright::testing
