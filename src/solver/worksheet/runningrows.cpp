// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/rowlists.h"
#include "solver/worksheet/sheetrows.h"

namespace fleetwright::rowlists {

namespace {

using namespace sheetrows;

constexpr auto years = SheetShape::Years, months = SheetShape::Months;

// clang-format off
constexpr SheetRow runningRows[] = {
    {.key = "life_years", .label = "Life", .unit = "year", .formula = "5[year]", .entry = counted(1, mostLife),
        .source = "assumption; published lives are 3 to 6 years"},
    utilisation,
    availability,
    {.key = "energy_kwh", .label = "Energy of a year", .unit = "kWh",
        .formula = "(utilisation * it_train_w + (1 - utilisation) * it_idle_w) * pue * 8760[h] / 1000[W/kW]"},
    {.key = "colocation_includes_energy", .label = "The colocation price includes energy", .unit = "",
        .formula = "0", .entry = flag()},
    {.key = "usd_per_kwh", .label = "Electricity tariff", .unit = "USD/kWh",
        .formula = "if(colocation_includes_energy, 0, none)", .entry = required(notNegative())},
    {.key = "contracted_w", .label = "Contracted power", .unit = "W", .formula = "facility_peak_w",
        .entry = notNegative()},
    {.key = "take_or_pay_share", .label = "Take or pay: least energy of a year, share of the contracted power",
        .unit = "", .formula = "0", .entry = share()},
    {.key = "paid_kwh", .label = "Energy paid for in a year", .unit = "kWh",
        .formula = "max(energy_kwh, take_or_pay_share * contracted_w * 8760[h] / 1000[W/kW])"},
    {.key = "demand_usd_per_kw_month", .label = "Demand charge on the facility's peak", .unit = "USD/(kW month)",
        .formula = "0", .entry = notNegative()},
    {.key = "demand_usd", .label = "Demand charges, year 1", .unit = "USD",
        .formula = "facility_peak_w / 1000[W/kW] * demand_usd_per_kw_month * 12[month]"},
    {.key = "energy_usd", .label = "Energy with demand charges, year 1", .unit = "USD",
        .formula = "if(colocation_includes_energy, 0, paid_kwh * usd_per_kwh + demand_usd)"},
    {.key = "colocation_usd_per_kw_month", .label = "Colocation price", .unit = "USD/(kW month)", .formula = "0",
        .entry = notNegative()},
    {.key = "colocation_usd", .label = "Colocation, year 1", .unit = "USD",
        .formula = "contracted_w / 1000[W/kW] * colocation_usd_per_kw_month * 12[month]"},
    {.key = "support_share", .label = "Support, share of nodes, network and storage", .unit = "", .formula = "0.05",
        .entry = share(), .source = "assumption"},
    {.key = "warranty_years", .label = "Warranty", .unit = "year", .formula = "0", .entry = counted(0, mostLife)},
    {.key = "support_usd", .label = "Support, price of year 1", .unit = "USD",
        .formula = "support_share * (nodes_usd + network_usd + storage_usd)"},
    {.key = "licence_usd_per_accelerator", .label = "Licences per accelerator", .unit = "USD/accelerator",
        .formula = "0", .entry = notNegative()},
    {.key = "licences_usd", .label = "Licences, year 1", .unit = "USD",
        .formula = "accelerators * licence_usd_per_accelerator"},
    {.key = "staff_fte", .label = "Staff", .unit = "FTE",
        .formula = "max(2[FTE], accelerators / 1024[accelerator/FTE])", .entry = notNegative(), .source = "assumption"},
    {.key = "staff_usd", .label = "Cost of one of the staff", .unit = "USD/FTE", .formula = "0",
        .entry = notNegative()},
    {.key = "staff_line_usd", .label = "Staff, year 1", .unit = "USD", .formula = "staff_fte * staff_usd"},
    {.key = "insurance_usd", .label = "Insurance", .unit = "USD", .formula = "0", .entry = notNegative()},
    {.key = "transit_usd", .label = "Network transit", .unit = "USD", .formula = "0", .entry = notNegative()},
    {.key = "lease_usd", .label = "Leases of buildings and equipment, year 1", .unit = "USD", .formula = "0",
        .entry = notNegative(), .source = "operating leases; one that finances a purchase is debt (debt_fraction)"},
    {.key = "rate_per_node_day", .label = "Failures per node and day", .unit = "1/(node day)", .formula = "0",
        .entry = within(0, 1000)},
    {.key = "part_usd", .label = "Price of a spare part", .unit = "USD", .formula = "0", .entry = notNegative()},
    {.key = "out_of_warranty_share", .label = "Spare parts that no warranty pays", .unit = "", .formula = "1",
        .entry = share()},
    {.key = "parts_usd", .label = "Spare parts, year 1", .unit = "USD",
        .formula = "nodes * rate_per_node_day * 365[day] * part_usd * out_of_warranty_share"},
    {.key = "other_usd", .label = "Insurance, transit and spare parts, year 1", .unit = "USD",
        .formula = "insurance_usd + transit_usd + parts_usd"},
    {.key = "escalation", .label = "Escalation", .unit = "", .formula = "0", .entry = rate()},
    {.key = "energy_escalation", .label = "Escalation: energy", .unit = "", .formula = "escalation",
        .entry = rate()},
    {.key = "energy_by_year_usd", .label = "Energy by year", .unit = "USD", .shape = years,
        .formula = "if(year = 1[year], energy_usd, previous(energy_by_year_usd) * (1 + energy_escalation))"},
    {.key = "colocation_escalation", .label = "Escalation: colocation", .unit = "", .formula = "escalation",
        .entry = rate()},
    {.key = "colocation_by_year_usd", .label = "Colocation by year", .unit = "USD", .shape = years,
        .formula = "if(year = 1[year], colocation_usd,"
                   " previous(colocation_by_year_usd) * (1 + colocation_escalation))"},
    {.key = "support_escalation", .label = "Escalation: support", .unit = "", .formula = "escalation",
        .entry = rate()},
    {.key = "support_price_usd", .label = "Support, price by year", .unit = "USD", .shape = years,
        .formula = "if(year = 1[year], support_usd, previous(support_price_usd) * (1 + support_escalation))"},
    {.key = "support_by_year_usd", .label = "Support by year", .unit = "USD", .shape = years,
        .formula = "if(year > warranty_years, support_price_usd, 0)"},
    {.key = "licence_escalation", .label = "Escalation: licences", .unit = "", .formula = "escalation",
        .entry = rate()},
    {.key = "licence_by_year_usd", .label = "Licences by year", .unit = "USD", .shape = years,
        .formula = "if(year = 1[year], licences_usd, previous(licence_by_year_usd) * (1 + licence_escalation))"},
    {.key = "staff_escalation", .label = "Escalation: staff", .unit = "", .formula = "escalation",
        .entry = rate()},
    {.key = "staff_by_year_usd", .label = "Staff by year", .unit = "USD", .shape = years,
        .formula = "if(year = 1[year], staff_line_usd, previous(staff_by_year_usd) * (1 + staff_escalation))"},
    {.key = "other_escalation", .label = "Escalation: insurance, transit and spare parts", .unit = "",
        .formula = "escalation", .entry = rate()},
    {.key = "other_by_year_usd", .label = "Insurance, transit and spare parts by year", .unit = "USD", .shape = years,
        .formula = "if(year = 1[year], other_usd, previous(other_by_year_usd) * (1 + other_escalation))"},
    {.key = "lease_escalation", .label = "Escalation: leases", .unit = "", .formula = "escalation",
        .entry = rate()},
    {.key = "lease_by_year_usd", .label = "Leases by year", .unit = "USD", .shape = years,
        .formula = "if(year = 1[year], lease_usd, previous(lease_by_year_usd) * (1 + lease_escalation))"},
    {.key = "expenses_usd", .label = "Running cost by year", .unit = "USD", .shape = years,
        .formula = "energy_by_year_usd + colocation_by_year_usd + support_by_year_usd + licence_by_year_usd"
                   " + staff_by_year_usd + lease_by_year_usd + other_by_year_usd"},
    {.key = "accelerator_hours", .label = "Accelerator-hours of a year", .unit = "accelerator h",
        .formula = hoursOfAYear},
    {.key = "quantities", .label = "Accelerator-hours by year", .unit = "accelerator h", .shape = years,
        .formula = "accelerator_hours"},
    {.key = "value_usd_per_hour", .label = "Value of an accelerator-hour", .unit = "USD/(accelerator h)",
        .formula = "0", .entry = notNegative()},
    {.key = "values_usd", .label = "Value by year", .unit = "USD", .shape = years,
        .formula = "value_usd_per_hour * quantities"},
};

constexpr SheetRow rentRows[] = {
    {.key = "rent_usd_per_hour", .label = "Rent of an accelerator-hour", .unit = "USD/(accelerator h)",
        .entry = notNegative()},
    {.key = "rented_usd_per_hour", .label = "Rent of the fleet in an hour", .unit = "USD/h",
        .formula = "accelerators * rent_usd_per_hour"},
    {.key = "owned_usd_per_hour", .label = "Levelised cost of the fleet in an hour", .unit = "USD/h",
        .formula = "accelerators * levelised_nominal_usd"},
    {.key = "reserved_share", .label = "Reserved share of the year", .unit = "", .formula = "1",
        .entry = within(1e-6, 1)},
    {.key = "rent_extra_usd", .label = "Extras of a rented year", .unit = "USD", .formula = "0",
        .entry = notNegative(), .source = "storage, network, control plane, support, set-up, debugging"},
    {.key = "rent_escalation", .label = "Escalation: hourly rent", .unit = "", .formula = "0", .entry = rate()},
    {.key = "rented_hours", .label = "Rented accelerator-hours of a year", .unit = "accelerator h",
        .formula = "accelerators * 8760[h] * reserved_share"},
    {.key = "rent_usd_per_year", .label = "Rent, year 1", .unit = "USD",
        .formula = "rented_hours * rent_usd_per_hour + rent_extra_usd"},
    {.key = "rent_growth", .label = "Hourly rent over that of year 1", .unit = "", .shape = years,
        .formula = "if(year = 1[year], 1, previous(rent_growth) * (1 + rent_escalation))"},
    {.key = "rent_by_year_usd", .label = "Rent by year", .unit = "USD", .shape = years,
        .formula = "rented_hours * rent_usd_per_hour * rent_growth + rent_extra_usd"},
    {.key = "rent_present_usd", .label = "Present cost of renting", .unit = "USD",
        .formula = "sum(rent_by_year_usd * discount)"},
    {.key = "breakeven_utilisation", .label = "Utilisation from which owning costs less", .unit = "",
        .formula = "if(rent_usd_per_hour > 0, annual_usd / (accelerators * 8760[h] * availability * rent_usd_per_hour),"
                   " none)", .mayBeNone = true},
    {.key = "breakeven_rent_usd", .label = "Hourly rent from which owning costs less", .unit = "USD/(accelerator h)",
        .formula = "(present_cost_usd - sum(rent_extra_usd * life_discount))"
                   " / sum(rented_hours * rent_growth * discount)"},
    {.key = "month_discount", .label = "Present value of a dollar, by month", .unit = "", .shape = months,
        .formula = "previous(month_discount) * (1 + discount_rate) ^ (-1 / 12)", .atStart = "1"},
    {.key = "own_month_usd", .label = "Running cost by month", .unit = "USD", .shape = months,
        .formula = "bymonth(expenses_usd) / 12"},
    {.key = "own_by_month_usd", .label = "Present cost of owning until the month", .unit = "USD", .shape = months,
        .formula = "previous(own_by_month_usd) + (own_month_usd"
                   " - if(month = life_years * 12[month/year], residual_usd, 0)) * month_discount",
        .atStart = "capital_usd"},
    {.key = "rent_month_usd", .label = "Rent by month", .unit = "USD", .shape = months,
        .formula = "bymonth(rent_by_year_usd) / 12"},
    {.key = "rent_by_month_usd", .label = "Present cost of renting until the month", .unit = "USD", .shape = months,
        .formula = "previous(rent_by_month_usd) + rent_month_usd * month_discount"},
    {.key = "crossing_month", .label = "First month in which owning is not dearer", .unit = "month",
        .formula = "first(month >= 1[month] and own_by_month_usd <= rent_by_month_usd, month)", .mayBeNone = true},
};
// clang-format on

constexpr SheetRule ownRules[] = {
    {"powered_spares <= spare_nodes", "powered_spares", "More spare nodes have power than there are spare nodes."},
    {"spine_switches + core_switches <= switches or network_is_reachable = 0", "switches",
        "There are fewer switches than spine and core switches together."},
};

} // namespace

std::span<const SheetRow> running() { return runningRows; }
std::span<const SheetRow> rent() { return rentRows; }
std::span<const SheetRule> fleetRules()
{
    static const auto rules = [] {
        std::vector<SheetRule> all(financeRules().begin(), financeRules().end());
        all.insert(all.end(), std::begin(ownRules), std::end(ownRules));
        return all;
    }();
    return rules;
}

} // namespace fleetwright::rowlists
