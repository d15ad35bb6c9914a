// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/rowlists.h"
#include "solver/worksheet/sheetrows.h"

namespace fleetwright::rowlists {

namespace {

using namespace sheetrows;

constexpr Entry anyCount{.kind = Entry::Kind::Whole, .least = 1, .most = mostWhole};

// clang-format off
constexpr SheetRow runRows[] = {
    {.key = "tokens", .label = "Training tokens", .unit = "", .entry = required(positive())},
    {.key = "batch_sequences", .label = "Sequences of a step", .unit = "", .entry = required(anyCount)},
    {.key = "sequence_tokens", .label = "Tokens of a sequence", .unit = "", .entry = required(anyCount)},
    {.key = "step_time_s", .label = "Step time", .unit = "s", .entry = required(positive())},
    {.key = "productive_share", .label = "Productive share of the time (goodput)", .unit = "", .formula = "1",
        .entry = within(1e-6, 1), .source = "1: no failures"},
    {.key = "steps", .label = "Steps", .unit = "", .formula = "ceil(tokens / (batch_sequences * sequence_tokens))"},
    {.key = "run_days", .label = "Days of the run", .unit = "day",
        .formula = "steps * step_time_s / productive_share / 86400[s/day]"},
    {.key = "run_accelerator_hours", .label = "Accelerator-hours of the run", .unit = "accelerator h",
        .formula = "accelerators * run_days * 24[h/day]"},
    {.key = "run_owned_usd", .label = "Cost of the run, owned", .unit = "USD",
        .formula = "run_accelerator_hours * levelised_nominal_usd"},
    {.key = "run_owned_usd_per_million", .label = "Cost of a million tokens, owned", .unit = "USD",
        .formula = "run_owned_usd / tokens * 1000000"},
    {.key = "run_rent_extra_usd", .label = "Extras of the rented run", .unit = "USD", .formula = "0",
        .entry = notNegative()},
    {.key = "run_rented_usd", .label = "Cost of the run, rented", .unit = "USD",
        .formula = "run_accelerator_hours * rent_usd_per_hour + run_rent_extra_usd"},
    {.key = "run_rented_usd_per_million", .label = "Cost of a million tokens, rented", .unit = "USD",
        .formula = "run_rented_usd / tokens * 1000000"},
    {.key = "run_it_kwh", .label = "IT energy of the run", .unit = "kWh",
        .formula = "it_train_w * run_days * 24[h/day] / 1000[W/kW]"},
    {.key = "run_kwh", .label = "Energy of the run", .unit = "kWh", .formula = "run_it_kwh * pue"},
    {.key = "grid_kg_per_kwh", .label = "Carbon intensity of the grid", .unit = "kgCO2e/kWh", .entry = notNegative()},
    {.key = "run_grid_kg", .label = "Operational carbon of the run", .unit = "kgCO2e",
        .formula = "run_kwh * grid_kg_per_kwh"},
    {.key = "embodied_kg_per_accelerator", .label = "Embodied carbon per accelerator, with its node",
        .unit = "kgCO2e/accelerator", .entry = notNegative()},
    {.key = "run_embodied_kg", .label = "Embodied carbon of the run, by its share of the life's hours",
        .unit = "kgCO2e",
        .formula = "embodied_kg_per_accelerator * accelerators * run_accelerator_hours / sum(quantities)"},
    {.key = "litres_per_kwh", .label = "Water of a kWh of IT energy (WUE)", .unit = "L/kWh", .entry = notNegative()},
    {.key = "run_water_l", .label = "Water of the run", .unit = "L", .formula = "run_it_kwh * litres_per_kwh"},
    {.key = "trial_share", .label = "Failed and trial runs, share of the run", .unit = "", .formula = "0",
        .entry = notNegative()},
    {.key = "trials_owned_usd", .label = "Failed and trial runs, owned", .unit = "USD",
        .formula = "run_owned_usd * trial_share"},
    {.key = "trials_rented_usd", .label = "Failed and trial runs, rented", .unit = "USD",
        .formula = "run_rented_usd * trial_share"},
    {.key = "trials_kwh", .label = "Energy of failed and trial runs", .unit = "kWh",
        .formula = "run_kwh * trial_share"},
    {.key = "trials_grid_kg", .label = "Operational carbon of failed and trial runs", .unit = "kgCO2e",
        .formula = "run_grid_kg * trial_share"},
};
// clang-format on

} // namespace

std::span<const SheetRow> run() { return runRows; }

} // namespace fleetwright::rowlists
