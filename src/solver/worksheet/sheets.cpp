// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/sheets.h"

#include "solver/worksheet/rowlists.h"
#include "solver/worksheet/sheetrows.h"

#include <cstdio>
#include <cstdlib>

namespace fleetwright::sheets {

namespace {

using namespace sheetrows;

constexpr std::string_view cottier = "Cottier et al. 2024, arXiv 2405.21015";
constexpr auto everyYear = SheetShape::Years;

// clang-format off
constexpr SheetRow enteredCapital{.key = "capital_usd", .label = "Capital", .unit = "USD",
    .entry = required(notNegative())};
constexpr SheetRow enteredLife{.key = "life_years", .label = "Life", .unit = "year",
    .entry = required(counted(1, mostLife))};
constexpr SheetRow enteredResidual{.key = "residual_usd", .label = "Residual value", .unit = "USD", .formula = "0",
    .entry = notNegative()};
constexpr SheetRow enteredAccelerators{.key = "accelerators", .label = "Accelerators", .unit = "accelerator",
    .entry = counted(1, 1e9)};

constexpr SheetRow cashFlowEntries[] = {
    enteredCapital,
    enteredLife,
    {.key = "expenses_usd", .label = "Expenses by year", .unit = "USD", .shape = everyYear,
        .entry = required(notNegative())},
    {.key = "values_usd", .label = "Value by year", .unit = "USD", .shape = everyYear, .formula = "0",
        .entry = notNegative()},
    {.key = "quantities", .label = "Quantity by year", .unit = "quantity", .shape = everyYear, .entry = notNegative()},
    enteredResidual,
};

constexpr SheetRow levelisedEntries[] = {
    enteredCapital,
    enteredLife,
    enteredAccelerators,
    availability,
    utilisation,
    {.key = "quantities", .label = "Quantity by year", .unit = "accelerator h", .shape = everyYear,
        .formula = hoursOfAYear, .entry = required(notNegative())},
    {.key = "fixed_usd", .label = "Fixed expenses by year, at prices of year 1", .unit = "USD", .shape = everyYear,
        .formula = "0", .entry = notNegative()},
    {.key = "variable_usd", .label = "Expense of a unit, at prices of year 1", .unit = "USD/{quantities}",
        .formula = "0", .entry = notNegative()},
    {.key = "escalation", .label = "Escalation", .unit = "", .formula = "0", .entry = rate()},
    {.key = "growth", .label = "Prices over those of year 1", .unit = "", .shape = everyYear,
        .formula = "if(year = 1[year], 1, previous(growth) * (1 + escalation))"},
    {.key = "expenses_usd", .label = "Expenses by year", .unit = "USD", .shape = everyYear,
        .formula = "(fixed_usd + variable_usd * quantities) * growth"},
    enteredResidual,
};
constexpr SheetRule levelisedRules[] = {
    {"sum(quantities) > 0", "quantities", "A levelised cost needs a quantity in at least one year."},
};

constexpr SheetRow fixedChargeRows[] = {
    enteredCapital,
    {.key = "fixed_charge_rate", .label = "Fixed charge rate", .unit = "", .entry = required(within(0, 10))},
    enteredAccelerators,
    availability,
    utilisation,
    {.key = "quantities", .label = "Quantity of a year", .unit = "accelerator h", .shape = everyYear,
        .formula = hoursOfAYear, .entry = required(notNegative())},
    {.key = "fixed_usd", .label = "Fixed expenses of a year", .unit = "USD", .shape = everyYear, .formula = "0",
        .entry = notNegative()},
    {.key = "variable_usd", .label = "Expense of a unit", .unit = "USD/{quantities}", .formula = "0",
        .entry = notNegative()},
    {.key = "annuity_usd", .label = "Capital as a yearly payment", .unit = "USD",
        .formula = "fixed_charge_rate * capital_usd", .source = "NREL SSC, fixed charge rate"},
    {.key = "annual_usd", .label = "Cost of a year", .unit = "USD",
        .formula = "annuity_usd + sum(fixed_usd + variable_usd * quantities)"},
    {.key = "levelised_nominal_usd", .label = "Levelised cost", .unit = "USD/{quantities}",
        .formula = "(annuity_usd + sum(fixed_usd)) / sum(quantities) + variable_usd",
        .source = "NREL SSC, fixed charge rate"},
};
constexpr SheetRule fixedChargeRules[] = {
    {"sum(quantities) > 0", "quantities", "A levelised cost needs a quantity."},
};

constexpr SheetRow trainingRows[] = {
    {.key = "price_usd", .label = "Price of a chip with its server", .unit = "USD/chip",
        .entry = required(notNegative())},
    {.key = "chip_hours", .label = "Chip-hours", .unit = "chip h", .entry = required(positive())},
    {.key = "tdp_w", .label = "TDP of a chip", .unit = "W/chip", .entry = required(notNegative())},
    {.key = "usd_per_kwh", .label = "Electricity tariff", .unit = "USD/kWh", .entry = required(notNegative())},
    {.key = "age_years", .label = "Age at the start of the run", .unit = "year", .formula = "0",
        .entry = within(0, 50)},
    {.key = "ooms_per_year", .label = "Loss of value, orders of magnitude a year", .unit = "1/year",
        .formula = "0.14[1/year]", .entry = within(0, 10), .source = cottier},
    {.key = "interconnect_share", .label = "Network, share of the cluster's cost", .unit = "", .formula = "0.19",
        .entry = within(0, 0.99), .source = cottier},
    serverRatio,
    {.key = "power_share", .label = "Average draw, share of the peak", .unit = "", .formula = "0.75",
        .entry = share(), .source = cottier},
    {.key = "pue", .label = "PUE", .unit = "", .formula = "1.25", .entry = within(1, 10), .source = "assumption"},
    {.key = "price_index_from", .label = "Price index when the chips were bought", .unit = "", .formula = "1",
        .entry = positive()},
    {.key = "price_index_to", .label = "Price index of the base date", .unit = "", .formula = "1",
        .entry = positive()},
    {.key = "value_usd", .label = "Value of a chip at the start", .unit = "USD/chip",
        .formula = "price_usd * 10 ^ (-ooms_per_year * age_years)", .source = cottier},
    {.key = "hardware_usd", .label = "Value that the chips lose in the run", .unit = "USD",
        .formula = "chip_hours * value_usd * ooms_per_year * ln(10) / 8766[h/year]", .source = cottier},
    {.key = "interconnect_usd", .label = "Network", .unit = "USD",
        .formula = "hardware_usd * interconnect_share / (1 - interconnect_share)", .source = cottier},
    {.key = "energy_kwh", .label = "Energy", .unit = "kWh",
        .formula = "chip_hours * tdp_w * server_ratio * power_share * pue / 1000[W/kW]", .source = cottier},
    {.key = "energy_usd", .label = "Energy, before the index", .unit = "USD", .formula = "energy_kwh * usd_per_kwh"},
    {.key = "price_index_ratio", .label = "Prices now over those then", .unit = "",
        .formula = "price_index_to / price_index_from"},
    {.key = "total_usd", .label = "Cost of the run", .unit = "USD",
        .formula = "(hardware_usd + interconnect_usd + energy_usd) * price_index_ratio", .source = cottier},
    {.key = "usd_per_chip_hour", .label = "Cost of a chip-hour", .unit = "USD/(chip h)",
        .formula = "total_usd / chip_hours"},
};
// clang-format on

/// The lists are constants, and a test defines every sheet: a fault in one is a fault of the program.
Worksheet must(Expected<Worksheet> sheet)
{
    if (sheet)
        return std::move(*sheet);
    std::fprintf(stderr, "worksheet, row %s: %s\n", sheet.error().field.c_str(), sheet.error().message.c_str());
    std::abort();
}

} // namespace

const Worksheet &power()
{
    static const Worksheet sheet = must(Worksheet::define({rowlists::power(), rowlists::powerContract()}));
    return sheet;
}

const Worksheet &fleet()
{
    using namespace rowlists;
    static const Worksheet sheet = must(Worksheet::define(
        {rowlists::power(), capital(), running(), discounting(), levelised(), finance(), rent(), goodput(), calendar()},
        fleetRules()));
    return sheet;
}

const Worksheet &run()
{
    using namespace rowlists;
    static const Worksheet sheet = must(
        Worksheet::define({rowlists::power(), capital(), running(), discounting(), levelised(), finance(), rent(),
                              goodput(), calendar(), rowlists::run()},
            fleetRules()));
    return sheet;
}

const Worksheet &cashFlow()
{
    using namespace rowlists;
    static const Worksheet sheet = must(Worksheet::define({cashFlowEntries, discounting(), finance()}, financeRules()));
    return sheet;
}

const Worksheet &levelisedCost()
{
    using namespace rowlists;
    static const Worksheet sheet = must(
        Worksheet::define({levelisedEntries, discounting(), levelised()}, levelisedRules));
    return sheet;
}

const Worksheet &fixedCharge()
{
    static const Worksheet sheet = must(Worksheet::define(fixedChargeRows, fixedChargeRules));
    return sheet;
}

const Worksheet &trainingCost()
{
    static const Worksheet sheet = must(Worksheet::define(trainingRows));
    return sheet;
}

} // namespace fleetwright::sheets
