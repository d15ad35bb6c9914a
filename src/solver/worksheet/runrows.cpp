// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/rowlists.h"
#include "solver/worksheet/sheetrows.h"

namespace fleetwright::rowlists {

namespace {

using namespace sheetrows;

constexpr Entry anyCount{.kind = Entry::Kind::Whole, .least = 1, .most = mostWhole};

// clang-format off
constexpr SheetRow goodputRows[] = {
    {.key = "checkpoint_s", .label = "Time that a checkpoint blocks training", .unit = "s", .entry = notNegative()},
    {.key = "restart_s", .label = "From a failure until training goes on", .unit = "s", .formula = "0",
        .entry = notNegative()},
    {.key = "failures_per_day", .label = "Failures of the fleet in a day", .unit = "1/day",
        .formula = "nodes * rate_per_node_day"},
    {.key = "mtbf_s", .label = "Mean time between failures of the fleet", .unit = "s",
        .formula = "if(failures_per_day > 0, 86400[s/day] / failures_per_day, none)", .mayBeNone = true},
    {.key = "checkpoint_interval_s", .label = "Interval between checkpoints", .unit = "s",
        .formula = "if(failures_per_day > 0 and checkpoint_s > 0, mtbf_s * (2 * checkpoint_s / mtbf_s) ^ 0.5, none)",
        .entry = positive(), .source = "Young 1974", .mayBeNone = true},
    {.key = "checkpoint_overhead", .label = "Time of checkpoints over that of training", .unit = "",
        .formula = "if(checkpoint_interval_s > 0, checkpoint_s / checkpoint_interval_s, 0)"},
    {.key = "productive_share", .label = "Productive share of the time (goodput)", .unit = "",
        .formula = "if(failures_per_day > 0, if(checkpoint_interval_s > 0,"
                   " max(0, 1 - (restart_s + checkpoint_interval_s / 2) / mtbf_s), none), 1)"
                   " / (1 + checkpoint_overhead)",
        .entry = within(0, 1), .source = "Kokolis et al. 2025, arXiv 2410.21680", .mayBeNone = true,
        .none = "Checkpoints that block nothing have no best interval: enter checkpoint_interval_s, or how long they "
                "block training (checkpoint_s), under the fleet\u2019s costs."},
    {.key = "lost_accelerators", .label = "Accelerators' worth of lost time", .unit = "accelerator",
        .formula = "accelerators * (1 - productive_share)"},
    {.key = "hardware_share", .label = "Failures that take a node out for repair, share of all", .unit = "",
        .formula = "0.78", .entry = share(), .source = "Llama 3, arXiv 2407.21783: confirmed or suspected hardware"},
    {.key = "repairs_per_node_day", .label = "Repairs per node and day", .unit = "1/(node day)",
        .formula = "rate_per_node_day * hardware_share"},
    {.key = "repair_days", .label = "Days until a failed node is back", .unit = "day", .formula = "3[day]",
        .entry = within(0, 3650), .source = "assumption"},
    {.key = "nodes_in_repair", .label = "Nodes in repair, on average", .unit = "",
        .formula = "nodes * repairs_per_node_day * repair_days"},
};

constexpr SheetRow calendarRows[] = {
    {.key = "node_delivery_weeks", .label = nodeDeliveryLabel, .unit = "week", .entry = notNegative()},
    {.key = "network_delivery_weeks", .label = "From order to delivery: switches", .unit = "week", .formula = "0",
        .entry = notNegative(), .source = "assumption: no later than the nodes"},
    {.key = "site_ready_weeks", .label = "From order until the site has power and cooling", .unit = "week",
        .formula = "0", .entry = notNegative(), .source = "assumption: no later than the nodes"},
    {.key = "delivery_weeks", .label = "From order to delivery", .unit = "week",
        .formula = "max(node_delivery_weeks, max(network_delivery_weeks, site_ready_weeks))",
        .entry = notNegative()},
    {.key = "burn_in_weeks", .label = "From delivery to the first run", .unit = "week", .formula = "3[week]",
        .entry = notNegative(), .source = "assumption: installation and burn-in"},
    {.key = "ready_weeks", .label = "From order to the first run", .unit = "week",
        .formula = "delivery_weeks + burn_in_weeks"},
};

constexpr SheetRow runRows[] = {
    {.key = "tokens", .label = "Training tokens", .unit = "", .entry = required(positive())},
    {.key = "batch_sequences", .label = "Sequences of a step", .unit = "", .entry = required(anyCount)},
    {.key = "sequence_tokens", .label = "Tokens of a sequence", .unit = "", .entry = required(anyCount)},
    {.key = "step_time_s", .label = "Step time", .unit = "s", .entry = required(positive())},
    {.key = "steps", .label = "Steps", .unit = "", .formula = "ceil(tokens / (batch_sequences * sequence_tokens))"},
    {.key = "run_days", .label = "Days of the run", .unit = "day",
        .formula = "if(productive_share > 0, steps * step_time_s / productive_share / 86400[s/day], none)",
        .mayBeNone = true, .none = "The fleet fails more often than it recovers, and the run never ends: use faster "
                                   "checkpoints and restarts, fewer nodes or a lower failure rate."},
    {.key = "run_failures", .label = "Failures during the run", .unit = "", .formula = "failures_per_day * run_days"},
    {.key = "calendar_days", .label = "Days from the order to the end of the run", .unit = "day",
        .formula = "ready_weeks * 7[day/week] + run_days"},
    {.key = "run_accelerator_hours", .label = "Accelerator-hours of the run", .unit = "accelerator h",
        .formula = "accelerators * run_days * 24[h/day]"},
    {.key = "run_owned_usd", .label = "Cost of the run, owned", .unit = "USD",
        .formula = "run_accelerator_hours * levelised_nominal_usd"},
    {.key = "run_owned_usd_per_million", .label = "Cost of a million tokens, owned", .unit = "USD",
        .formula = "run_owned_usd / tokens * 1000000"},
    {.key = "run_capital_usd", .label = "Capital of the run, less what is left at the end, owned", .unit = "USD",
        .formula = "run_accelerator_hours * (capital_usd - residual_usd * last(discount))"
                   " / sum(quantities * discount)"},
    {.key = "run_electricity_usd", .label = "Electricity of the run, owned", .unit = "USD",
        .formula = "run_accelerator_hours * sum(energy_by_year_usd * discount) / sum(quantities * discount)"},
    {.key = "run_upkeep_usd", .label = "Space, support, staff and the rest of the run, owned", .unit = "USD",
        .formula = "run_accelerator_hours * sum((expenses_usd - energy_by_year_usd) * discount)"
                   " / sum(quantities * discount)"},
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

std::span<const SheetRow> goodput() { return goodputRows; }
std::span<const SheetRow> calendar() { return calendarRows; }
std::span<const SheetRow> run() { return runRows; }

} // namespace fleetwright::rowlists
