// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/figuretable.h"

#include "solver/answer/plancost.h"
#include "solver/worksheet/rowlists.h"

#include <algorithm>
#include <array>

namespace fleetwright {

namespace {

using units::Dimension;

template <class Q> std::optional<double> raw(const std::optional<Q> &quantity)
{
    return quantity ? std::optional(quantity->value()) : std::nullopt;
}

template <auto Member> std::optional<double> timeOf(const Solution &solution) { return raw(solution.estimate.*Member); }
template <auto Member> std::optional<double> numberOf(const Solution &solution) { return solution.estimate.*Member; }
template <auto Member> std::optional<double> runOf(const Solution &solution) { return raw(solution.run.*Member); }
template <auto Member> std::optional<double> runNumberOf(const Solution &solution) { return solution.run.*Member; }
template <auto Member> std::optional<double> operationOf(const Solution &solution)
{
    return raw(solution.operations.*Member);
}
template <auto Member> std::optional<double> operationNumberOf(const Solution &solution)
{
    return solution.operations.*Member;
}
/// Parts exist where the model prices a step. A part that the model does not know is zero in the breakdown and absent
/// here.
template <auto Part> std::optional<double> partOf(const Solution &solution)
{
    return solution.estimate.stepTime ? std::optional((solution.breakdown.*Part).value()) : std::nullopt;
}
template <auto Part, auto Known> std::optional<double> partOf(const Solution &solution)
{
    return solution.estimate.*Known ? partOf<Part>(solution) : std::nullopt;
}
std::optional<double> ofMemory(const Solution &solution, double (*value)(const MemoryEstimate &, double limit))
{
    return solution.estimate.memory ? std::optional(value(*solution.estimate.memory, memoryLimit(solution)->value()))
                                    : std::nullopt;
}
template <auto Member> std::optional<double> memoryOf(const Solution &solution)
{
    return solution.estimate.memory ? raw((*solution.estimate.memory).*Member) : std::nullopt;
}
std::optional<double> bubbleShare(const Solution &solution)
{
    const auto &estimate = solution.estimate;
    return estimate.bubbleTime && estimate.stepTime ? std::optional<double>(*estimate.bubbleTime / *estimate.stepTime)
                                                    : std::nullopt;
}

bool isRented(const Solution &solution) { return solution.costs && solution.costs->paying() == Paying::Rent; }

/// The key of a row as an argument of a template.
struct RowKey {
    char text[48]{};
    template <std::size_t N> constexpr RowKey(const char (&key)[N]) { std::copy_n(key, N, text); } // NOLINT
    [[nodiscard]] constexpr std::string_view view() const { return text; }
};

std::optional<double> rowIn(const Solution &solution, std::string_view key)
{
    const auto value = solution.costs ? solution.costs->value(key) : std::nullopt;
    return value ? std::optional(*value * baseOf(*solution.costs, key)) : std::nullopt;
}
template <RowKey Key> std::optional<double> rowOf(const Solution &solution) { return rowIn(solution, Key.view()); }
template <RowKey Owned, RowKey Rented> std::optional<double> paidOf(const Solution &solution)
{
    return rowIn(solution, isRented(solution) ? Rented.view() : Owned.view());
}

std::optional<double> ownedCalendar(const Solution &solution)
{
    return isRented(solution) ? std::nullopt : rowIn(solution, "calendar_days");
}
/// Of what a fleet costs that is bought: nothing where it is rented.
template <RowKey Key> std::optional<double> ownedOf(const Solution &solution)
{
    return isRented(solution) ? std::nullopt : rowIn(solution, Key.view());
}
/// What the buyer lays out.
std::optional<double> capitalOf(const Solution &solution)
{
    return isRented(solution) ? std::optional(0.0) : rowIn(solution, "capital_usd");
}
std::optional<double> priceOf(const Solution &solution)
{
    return isRented(solution) ? rowIn(solution, "capital_usd") : std::nullopt;
}

/// Texts one after another, for the life of the program.
template <const std::string_view &...Parts>
constexpr auto joined = [] {
    std::array<char, (Parts.size() + ...)> text{};
    auto end = text.begin();
    ((end = std::ranges::copy(Parts, end).out), ...);
    return text;
}();

constexpr std::string_view beforeDelivery = "Known for a bought fleet whose nodes have a lead time: enter \u201c",
                           afterDelivery = "\u201d under the fleet's costs.";
constexpr auto &noDeliveryText = joined<beforeDelivery, rowlists::nodeDeliveryLabel, afterDelivery>;
constexpr std::string_view noDelivery(noDeliveryText.data(), noDeliveryText.size());
constexpr std::string_view noMemory = "The cost model knows no memory.";
constexpr std::string_view noPart = "The cost model does not split memory into these parts.";
constexpr std::string_view noStep = "The cost model prices no step time.";
constexpr std::string_view notPriced = "The cost model does not price this part.";
constexpr std::string_view noFigure = "The cost model does not produce this figure.";
constexpr std::string_view noTokens = "The cost model gives no tokens per second, or neither the plan nor the workload "
                                      "states how many tokens to train on.";
constexpr std::string_view noPurchase =
    "There is no duration, or the accelerator has no purchase price in the catalog.";
constexpr std::string_view noSheet = "An entry of the worksheet is missing.";
constexpr std::string_view inTheRent = "The fleet is rented: its electricity is in the price of the rent.";
constexpr std::string_view nothingBought = "The fleet is rented: no part of the rent is told apart.";
constexpr std::string_view isBought = "The fleet is bought: its price is the capital.";
constexpr std::string_view noFleetRate =
    "The cost model gives no tokens per second, or the fleet has no price as it is paid for.";
constexpr std::string_view noEnergy =
    "There is no duration, no utilisation from the cost model, or the accelerator's TDP is unknown.";

using enum FigureGroup;
using enum Better;
using enum Prominence;

// key, label, short label, group, dimension, better, prominence, help, why it may be absent, getter
constexpr auto figures = std::to_array<Figure>({
    {"memory.total_bytes", "Memory", "", Feasibility, Dimension::Information, Lower, Listed,
        "Memory of the fullest accelerator.", noMemory,
        [](const Solution &s) { return ofMemory(s, [](const auto &memory, double) { return memory.total.value(); }); }},
    {"memory.capacity_bytes", "Memory capacity", "Capacity", Feasibility, Dimension::Information, None, Listed,
        "Memory capacity of one accelerator.", noMemory,
        [](const Solution &s) {
            return ofMemory(s, [](const auto &memory, double) { return memory.capacity.value(); });
        }},
    {"memory.share", "Share of the memory", "Of capacity", Feasibility, Dimension::Fraction, Lower, Listed,
        "Memory of the fullest accelerator over its capacity.", noMemory,
        [](const Solution &s) {
            return ofMemory(s, [](const auto &memory, double) { return double(memory.total / memory.capacity); });
        }},
    {"memory.share_of_limit", "Share of the memory limit", "Of limit", Feasibility, Dimension::Fraction, Lower, Listed,
        "Memory of the fullest accelerator over what the accelerator has or the plan allows, whichever is less.",
        noMemory,
        [](const Solution &s) {
            return ofMemory(s, [](const auto &memory, double limit) { return memory.total.value() / limit; });
        }},
    {"memory.headroom_bytes", "Memory left", "", Feasibility, Dimension::Information, Higher, Listed,
        "What the accelerator has or the plan allows, whichever is less, without what the fullest accelerator holds.",
        noMemory,
        [](const Solution &s) {
            return ofMemory(s, [](const auto &memory, double limit) { return limit - memory.total.value(); });
        }},

    {"step_time_s", "Step time", "", Step, Dimension::Time, Lower, Headline,
        "Time of one optimizer step: computation, exposed communication, pipeline bubble and overheads.", noStep,
        timeOf<&Estimate::stepTime>},
    {"compute_time_s", "Computation", "", Step, Dimension::Time, Lower, Part,
        "What one accelerator computes in a step, or its memory traffic where that takes longer; no overheads.",
        notPriced, timeOf<&Estimate::computeTime>},
    {"exposed_tp_comm_time_s", "TP communication, exposed", "TP exposed", Step, Dimension::Time, Lower, Part,
        "What the step waits for tensor parallelism.", notPriced, partOf<&StepBreakdown::tp, &Estimate::tpCommTime>},
    {"exposed_pp_comm_time_s", "PP communication, exposed", "PP exposed", Step, Dimension::Time, Lower, Part,
        "What the step waits for transfers between stages.", notPriced,
        partOf<&StepBreakdown::pp, &Estimate::ppCommTime>},
    {"exposed_cp_comm_time_s", "CP communication, exposed", "CP exposed", Step, Dimension::Time, Lower, Part,
        "What the step waits for context parallelism.", notPriced, partOf<&StepBreakdown::cp, &Estimate::cpCommTime>},
    {"exposed_ep_comm_time_s", "EP communication, exposed", "EP exposed", Step, Dimension::Time, Lower, Part,
        "What the step waits for expert parallelism.", notPriced, partOf<&StepBreakdown::ep, &Estimate::epCommTime>},
    {"exposed_dp_comm_time_s", "DP communication, exposed", "DP exposed", Step, Dimension::Time, Lower, Part,
        "What the step waits for gradients.", notPriced, partOf<&StepBreakdown::dp, &Estimate::dpCommTime>},
    {"bubble_time_s", "Pipeline bubble", "Bubble", Step, Dimension::Time, Lower, Part,
        "Time in which stages wait for others, by the model's own formula: the explanation says which.", notPriced,
        timeOf<&Estimate::bubbleTime>},
    {"optimizer_time_s", "Optimizer step", "Optimizer", Step, Dimension::Time, Lower, Part, "Update of the parameters.",
        notPriced, timeOf<&Estimate::optimizerTime>},
    {"overhead_time_s", "Overhead", "", Step, Dimension::Time, Lower, Part, "Fixed costs of launching work.", notPriced,
        timeOf<&Estimate::overheadTime>},
    {"other_time_s", "Stragglers and the rest", "The rest", Step, Dimension::Time, Lower, Part,
        "What the other parts of the step do not explain.", noStep, partOf<&StepBreakdown::other>},
    {"exposed_comm_time_s", "Communication, exposed", "Exposed comm.", Step, Dimension::Time, Lower, Headline,
        "All communication that the step waits for.", notPriced, timeOf<&Estimate::exposedCommTime>},
    {"tp_comm_time_s", "TP communication before overlap", "TP comm.", Step, Dimension::Time, Lower, Listed,
        "Communication of tensor parallelism, hidden or not.", notPriced, timeOf<&Estimate::tpCommTime>},
    {"pp_comm_time_s", "PP communication before overlap", "PP comm.", Step, Dimension::Time, Lower, Listed,
        "Transfers between stages, hidden or not.", notPriced, timeOf<&Estimate::ppCommTime>},
    {"cp_comm_time_s", "CP communication before overlap", "CP comm.", Step, Dimension::Time, Lower, Listed,
        "Communication of context parallelism, hidden or not.", notPriced, timeOf<&Estimate::cpCommTime>},
    {"ep_comm_time_s", "EP communication before overlap", "EP comm.", Step, Dimension::Time, Lower, Listed,
        "Communication of expert parallelism, hidden or not.", notPriced, timeOf<&Estimate::epCommTime>},
    {"dp_comm_time_s", "DP communication before overlap", "DP comm.", Step, Dimension::Time, Lower, Listed,
        "Gradient communication, hidden or not.", notPriced, timeOf<&Estimate::dpCommTime>},

    {"tokens_per_s", "Tokens per second", "Tokens/s", Rates, Dimension::Number, Higher, Headline,
        "Tokens of the global batch over the step time, for the whole fleet.", noFigure,
        numberOf<&Estimate::tokensPerSecond>},
    {"mfu", "MFU", "", Rates, Dimension::Fraction, Higher, Headline,
        "Model FLOP utilisation: FLOP that the model needs per second, as the cost model counts them, over the dense "
        "peak of the whole fleet; recomputation does not count.",
        noFigure, numberOf<&Estimate::mfu>},
    {"hfu", "HFU", "", Rates, Dimension::Fraction, Higher, Headline,
        "Hardware FLOP utilisation: as MFU, with recomputation counted.", noFigure, numberOf<&Estimate::hfu>},
    {"scaling_efficiency", "Scaling efficiency", "", Rates, Dimension::Fraction, Higher, Headline,
        "Share of the step in which accelerators compute: computation and overheads over the step time.", noFigure,
        numberOf<&Estimate::scalingEfficiency>},
    {"samples_per_s", "Samples per second", "Samples/s", Rates, Dimension::Number, Higher, Headline,
        "Samples (sequences) of the global batch over the step time, for the whole fleet.", noFigure,
        numberOf<&Estimate::samplesPerSecond>},
    {"flops_per_accelerator_per_s", "Model FLOP per accelerator", "Per accelerator", Rates, Dimension::ComputeRate,
        Higher, Headline, "Model FLOP per accelerator and second.", noFigure, timeOf<&Estimate::flopsPerAccelerator>},
    {"tuning_worth", "Worth of software tuning", "Software tuning", Rates, Dimension::Fraction, None, Headline,
        "How much longer this plan's step takes with a general framework than with the vendor's tuned software.",
        "Only the cost model detailed knows software classes; on TPUs all of them run XLA.",
        [](const Solution &s) { return s.reading.tuningWorth(); }},
    {"family_spread", "Spread of the nearest families", "Family spread", Rates, Dimension::Fraction, None, Listed,
        "Slowest over fastest step time by each family that stands in for an accelerator without measured runs, less "
        "one.",
        "The accelerator has measured runs or a single nearest family, or the cost model knows no families.",
        [](const Solution &s) { return s.reading.familySpread(); }},

    {"parallelism.dp", "Data-parallel replicas", "DP", Pipeline, Dimension::Number, None, Listed,
        "DP as the cost model derives it; models differ in what EP does to it.", noFigure,
        [](const Solution &s) { return std::optional(double(s.estimate.dp)); }},
    {"bubble_share_of_step", "Bubble, share of the step", "Bubble of step", Pipeline, Dimension::Fraction, Lower,
        Headline, "Pipeline bubble over the step time.", "The cost model prices no bubble or no step.", bubbleShare},
    {"bubble_fraction", "Bubble, (p-1)/(vm+p-1)", "Bubble of interval", Pipeline, Dimension::Fraction, Lower, Headline,
        "Published fraction of the pipelined interval in which a stage idles, with p stages of v chunks and m "
        "microbatches: (p-1)/(vm+p-1).",
        "The cost model gives no bubble in this convention: see \u201cBubble, share of the step\u201d (in documents: "
        "bubble_share_of_step).",
        numberOf<&Estimate::bubbleFraction>},

    {"memory.weights_bytes", "Weights", "", Memory, Dimension::Information, Lower, Listed,
        "Parameters held by the fullest accelerator.", noPart, memoryOf<&MemoryEstimate::weights>},
    {"memory.gradients_bytes", "Gradients", "", Memory, Dimension::Information, Lower, Listed,
        "Gradients held by the fullest accelerator.", noPart, memoryOf<&MemoryEstimate::gradients>},
    {"memory.optimizer_bytes", "Optimizer state", "Optimizer", Memory, Dimension::Information, Lower, Listed,
        "Optimizer state held by the fullest accelerator.", noPart, memoryOf<&MemoryEstimate::optimizer>},
    {"memory.activations_bytes", "Activations", "", Memory, Dimension::Information, Lower, Listed,
        "Activations held by the fullest accelerator.", noPart, memoryOf<&MemoryEstimate::activations>},
    {"memory.other_bytes", "Buffers and the rest", "Buffers", Memory, Dimension::Information, Lower, Listed,
        "Everything else on the fullest accelerator.", noPart, memoryOf<&MemoryEstimate::other>},

    {"duration_s", "Duration without failures", "No failures", Run, Dimension::Time, Lower, Listed,
        "Token budget over tokens per second, without failures and restarts.", noTokens, runOf<&RunFigures::duration>},
    {"run_time_s", "Duration", "", Run, Dimension::Time, Lower, Headline,
        "Time of the whole run with failures: steps times the step time over the productive share.", noTokens,
        rowOf<"run_days">, "run_days", "training time, days of training"},
    {"token_budget", "Token budget", "", Run, Dimension::Number, None, Headline,
        "Tokens to train on: the plan's own number, else the one published for the model.", noTokens,
        runNumberOf<&RunFigures::tokens>},
    {"compute_optimal_tokens", "Compute-optimal tokens", "Optimal tokens", Run, Dimension::Number, None, Headline,
        "Tokens on which a dense transformer of this size is trained best for its compute: 20 per parameter.",
        "Known for dense transformers only.", operationNumberOf<&OperatingFigures::computeOptimalTokens>},
    {"order_to_end_s", "From order to the end of the run", "Order to end", Run, Dimension::Time, Lower, Listed,
        "Delivery of nodes, network and site, burn-in, and the run with failures.", noDelivery, ownedCalendar,
        "calendar_days"},
    {"accelerator_hours", "Accelerator-hours without failures", "Acc.-hours", Run, Dimension::Number, Lower, Listed,
        "Accelerators times the duration without failures, in hours.", noTokens,
        runNumberOf<&RunFigures::acceleratorHours>},
    {"run_cost_usd", "Cost of the run", "Run cost", Run, Dimension::Money, Lower, Headline,
        "All in, as the fleet is paid for: owned at its levelised cost, or rented at the price of its rent term.",
        noSheet, paidOf<"run_owned_usd", "run_rented_usd">, {}, "price of the run, cost of training"},
    {"trials_cost_usd", "Failed and trial runs", "Trials", Run, Dimension::Money, Lower, Listed,
        "The share of the run's cost that \u201cFailed and trial runs, share of the run\u201d under the fleet's costs "
        "adds; the days are of the run alone.",
        noSheet, paidOf<"trials_owned_usd", "trials_rented_usd">},
    {"it_power_w", "IT peak power", "IT peak", Run, Dimension::Power, Lower, Listed,
        "Nodes with powered spares and network at their maximum, with a share for storage and management.", noSheet,
        rowOf<"it_peak_w">, "it_peak_w"},
    {"facility_power_w", "Facility peak power", "Facility peak", Run, Dimension::Power, Lower, Headline,
        "IT peak power times the PUE: what a power contract must cover.", noSheet, rowOf<"facility_peak_w">,
        "facility_peak_w"},

    {"run_owned_usd", "Cost of the run, owned", "Run, owned", Cost, Dimension::Money, Lower, Headline,
        "Accelerator-hours of the run at the levelised cost: capital, energy, space, support and staff.", noSheet,
        rowOf<"run_owned_usd">, "run_owned_usd"},
    {"run_rented_usd", "Cost of the run, rented", "Run, rented", Cost, Dimension::Money, Lower, Headline,
        "Accelerator-hours of the run at the price of the fleet's rent term and vendor, with extras.", noSheet,
        rowOf<"run_rented_usd">, "run_rented_usd"},
    {"cost_usd_per_million_tokens", "Cost of a million tokens without failures", "1M tokens, no failures", Cost,
        Dimension::Money, Lower, Headline,
        "What the fleet costs, as it is paid for, while it trains on a million tokens: tokens per second alone. "
        "Failures and checkpoints come on top: see the cost of a million tokens, owned and rented.",
        noFleetRate, operationOf<&OperatingFigures::perMillionTokens>},
    {"run_owned_usd_per_million_tokens", "Cost of a million tokens, owned", "1M tokens, owned", Cost, Dimension::Money,
        Lower, Headline, "Cost of the run, owned, over its tokens: with failures and checkpoints.", noSheet,
        rowOf<"run_owned_usd_per_million">, "run_owned_usd_per_million"},
    {"run_rented_usd_per_million_tokens", "Cost of a million tokens, rented", "1M tokens, rented", Cost,
        Dimension::Money, Lower, Headline, "Cost of the run, rented, over its tokens: with failures and checkpoints.",
        noSheet, rowOf<"run_rented_usd_per_million">, "run_rented_usd_per_million"},
    {"levelised_usd_per_accelerator_hour", "Accelerator-hour, owned", "Hour, owned", Cost, Dimension::MoneyRate, Lower,
        Headline, "Levelised cost of an accelerator-hour over the life of the fleet, all in, nominal.", noSheet,
        rowOf<"levelised_nominal_usd">, "levelised_nominal_usd"},
    {"rent_usd_per_accelerator_hour", "Accelerator-hour, rented", "Hour, rented", Cost, Dimension::MoneyRate, Lower,
        Headline, "Rent of an accelerator-hour under the fleet's rent term.", noSheet, rowOf<"rent_usd_per_hour">,
        "rent_usd_per_hour"},
    {"run_electricity_usd", "Electricity of the run", "Electricity", Cost, Dimension::Money, None, Headline,
        "Of the cost of the run, owned: the energy of the facility at the tariff, with cooling (PUE), demand charges "
        "and "
        "the idle hours between runs, over the life of the fleet, by the accelerator-hours of the run; 0 where the "
        "colocation price includes it. Of a rented fleet it is in the price of the rent.",
        inTheRent, ownedOf<"run_electricity_usd">, "run_electricity_usd", "energy cost, power cost, electricity bill"},
    {"run_capital_usd", "Purchase of the run", "Purchase", Cost, Dimension::Money, None, Listed,
        "Of the cost of the run, owned: the capital less what is left at the end, by the accelerator-hours of the run.",
        nothingBought, ownedOf<"run_capital_usd">, "run_capital_usd"},
    {"run_upkeep_usd", "Space, support, staff and the rest of the run", "Support, staff...", Cost, Dimension::Money,
        None, Listed,
        "Of the cost of the run, owned: what is neither purchase nor electricity, by the accelerator-hours of the run.",
        nothingBought, ownedOf<"run_upkeep_usd">, "run_upkeep_usd"},
    {"fleet_capital_usd", "Capital of the fleet", "Capital", Cost, Dimension::Money, Lower, Headline,
        "What the buyer lays out: nodes, network, storage, management, racks, installation and a building of its own; "
        "0 where the fleet is rented.",
        noSheet, capitalOf, "capital_usd"},
    {"fleet_price_usd", "Price of the rented fleet, were it bought", "Price, if bought", Cost, Dimension::Money, None,
        Listed,
        "What the same fleet would take to buy: nodes, network, storage, management, racks, installation and a "
        "building "
        "of its own.",
        isBought, priceOf, "capital_usd"},
    {"fleet_yearly_usd", "Cost of the fleet in a year", "Fleet, a year", Cost, Dimension::Money, Lower, Headline,
        "As the fleet is paid for: its present cost as a yearly payment, or a year's rent.", noSheet,
        paidOf<"annual_usd", "rent_usd_per_year">},

    {"run_energy_j", "Energy of the run", "Energy", Environment, Dimension::Energy, Lower, Headline,
        "Of the whole facility: nodes, network, storage and cooling, over the duration with failures.", noSheet,
        rowOf<"run_kwh">, "run_kwh"},
    {"run_carbon_kg", "Operational carbon of the run", "Carbon, running", Environment, Dimension::Carbon, Lower,
        Headline, "Energy of the run times the carbon intensity of the grid.", noSheet, rowOf<"run_grid_kg">,
        "run_grid_kg"},
    {"run_embodied_kg", "Embodied carbon of the run", "Carbon, embodied", Environment, Dimension::Carbon, Lower,
        Headline, "Carbon of making the nodes, by the run's share of the hours of their life.", noSheet,
        rowOf<"run_embodied_kg">, "run_embodied_kg"},
    {"run_water_l", "Water of the run", "Water", Environment, Dimension::Water, Lower, Headline,
        "IT energy of the run times the water usage effectiveness.", noSheet, rowOf<"run_water_l">, "run_water_l"},

    {"productive_share", "Goodput", "", Failures, Dimension::Fraction, Higher, Headline,
        "Share of the time that advances training: checkpoints, lost work and restarts taken off.", noSheet,
        rowOf<"productive_share">, "productive_share"},
    {"run_failures", "Failures during the run", "Failures", Failures, Dimension::Number, Lower, Headline,
        "Failures of the fleet to expect until the run ends.", noSheet, rowOf<"run_failures">, "run_failures"},
    {"interval_s", "Checkpoint every", "", Failures, Dimension::Time, None, Headline,
        "Interval between checkpoints that loses the least time (Young 1974).", noSheet, rowOf<"checkpoint_interval_s">,
        "checkpoint_interval_s"},
    {"lost_accelerators", "Accelerators' worth of lost time", "Lost acc.", Failures, Dimension::Number, Lower, Listed,
        "Accelerators whose work failures, checkpoints and restarts undo.", noSheet, rowOf<"lost_accelerators">,
        "lost_accelerators"},

    {"tco_usd", "Accelerators when owned (published)", "Owned, published", Published, Dimension::Money, Lower, Listed,
        "Total cost of ownership for the duration: the share of the purchase, upkeep and energy.", noPurchase,
        operationOf<&OperatingFigures::ownedCost>},
    {"capital_usd", "Capital share (published)", "Capital, published", Published, Dimension::Money, Lower, Listed,
        "Share of the purchase that falls on the duration.", noPurchase, operationOf<&OperatingFigures::capital>},
    {"upkeep_usd", "Upkeep (published)", "", Published, Dimension::Money, Lower, Listed,
        "Upkeep of the purchase for the duration.", noPurchase, operationOf<&OperatingFigures::upkeep>},
    {"energy_cost_usd", "Energy cost of accelerators", "Energy cost, acc.", Published, Dimension::Money, Lower, Listed,
        "Facility energy at the tariff of the grid.", noEnergy, operationOf<&OperatingFigures::energyCost>},
    {"tco_usd_per_million_tokens", "Accelerators when owned, 1M tokens (published)", "Owned, 1M, published", Published,
        Dimension::Money, Lower, Listed, "Cost when owned over the token budget.", noPurchase,
        operationOf<&OperatingFigures::ownedPerMillionTokens>},

    {"it_energy_j", "Energy of accelerators", "", Published, Dimension::Energy, Lower, Listed,
        "Energy of the accelerators for the duration, from TDP and utilisation.", noEnergy,
        operationOf<&OperatingFigures::itEnergy>},
    {"energy_j", "Energy of accelerators with PUE", "Energy, acc., PUE", Published, Dimension::Energy, Lower, Listed,
        "IT energy times the PUE.", noEnergy, operationOf<&OperatingFigures::facilityEnergy>},
    {"operational_carbon_kg", "Operational carbon of accelerators", "Carbon running, acc.", Published,
        Dimension::Carbon, Lower, Listed, "Facility energy times the carbon intensity of the grid.",
        "The energy is unknown, or the fleet names no grid with a carbon intensity.",
        operationOf<&OperatingFigures::operationalCarbon>},
    {"embodied_carbon_kg", "Embodied carbon of accelerators, whole", "Carbon embodied, acc.", Published,
        Dimension::Carbon, Lower, Listed, "Carbon of making all accelerators, not prorated over their life.",
        "The catalog states no embodied carbon for the accelerator.", operationOf<&OperatingFigures::embodiedCarbon>},
    {"water_l", "Water of accelerators", "", Published, Dimension::Water, Lower, Listed,
        "IT energy times the water usage effectiveness.", noEnergy, operationOf<&OperatingFigures::water>},

    {"node_mtbf_s", "Node MTBF", "", Published, Dimension::Time, Higher, Listed,
        "Mean time between failures of one node, from its accelerators, NICs and power supplies.", noFigure,
        operationOf<&OperatingFigures::nodeMtbf>},
    {"fleet_mtbf_s", "Fleet MTBF", "", Published, Dimension::Time, Higher, Listed,
        "Mean time between failures of the whole fleet; any of them stops the job.", noFigure,
        operationOf<&OperatingFigures::fleetMtbf>},
    {"expected_failures", "Failures (published)", "", Published, Dimension::Number, Lower, Listed,
        "Failures to expect over the duration.", noTokens, operationNumberOf<&OperatingFigures::expectedFailures>},
    {"checkpoint_time_s", "Checkpoint takes", "", Published, Dimension::Time, Lower, Listed,
        "Time to write one checkpoint, every node to its share of the storage.", noFigure,
        operationOf<&OperatingFigures::checkpointTime>},
    {"checkpoint_interval_s", "Checkpoint every (published)", "Checkpoint, published", Published, Dimension::Time, None,
        Listed, "Interval between checkpoints that loses the least time.", noFigure,
        operationOf<&OperatingFigures::checkpointInterval>},
    {"goodput", "Goodput (published)", "", Published, Dimension::Fraction, Higher, Listed,
        "Share of the time that advances training: checkpoints and recovery taken off.", noFigure,
        operationNumberOf<&OperatingFigures::goodput>},
    {"duration_with_failures_s", "Duration with failures (published)", "Duration, published", Published,
        Dimension::Time, Lower, Listed, "Duration over goodput.", noTokens,
        operationOf<&OperatingFigures::durationWithFailures>},
});

constexpr Figure feasible{"feasible", "Feasible", "", Feasibility, Dimension::Number, Higher, Listed,
    "Whether the plan fits memory and keeps its constraints, as far as the model can tell.",
    "The model knows no memory, so it cannot say whether the plan fits.", [](const Solution &solution) {
        const auto known = feasibility(solution);
        return known ? std::optional(*known ? 1.0 : 0.0) : std::nullopt;
    }};

} // namespace

std::span<const Figure> allFigures() { return figures; }
const Figure &feasibleFigure() { return feasible; }

const std::vector<ComparedGroup> &comparedGroups()
{
    struct First {
        std::string_view title;
        std::vector<std::string_view> keys;
    };
    static const std::vector<ComparedGroup> groups = [] {
        const std::vector<First> decisive{
            {"What decides",
                {"feasible", "run_time_s", "run_cost_usd", "cost_usd_per_million_tokens", "fleet_capital_usd",
                    "fleet_yearly_usd"}},
            {beforeHowSure, {"facility_power_w", "run_energy_j", "run_electricity_usd", "run_carbon_kg"}},
        };
        std::vector<ComparedGroup> made;
        std::vector<const Figure *> taken;
        for (const auto &[title, keys] : decisive) {
            made.push_back({title, {}, true});
            for (const auto key : keys)
                if (const auto *figure = key == feasible.key ? &feasible : findFigure(key))
                    made.back().figures.push_back(figure);
            taken.insert(taken.end(), made.back().figures.begin(), made.back().figures.end());
        }
        for (const auto group :
            {Run, Cost, Step, Rates, Feasibility, Memory, Pipeline, Environment, Failures, Published}) {
            made.push_back({toString(group), {}, false});
            for (const auto &figure : figures)
                if (figure.group == group && std::ranges::find(taken, &figure) == taken.end())
                    made.back().figures.push_back(&figure);
        }
        return made;
    }();
    return groups;
}

bool isComparedFirst(std::string_view heading)
{
    return heading == howSureGroup || std::ranges::any_of(comparedGroups(), [heading](const ComparedGroup &group) {
        return group.isDecisive && group.title == heading;
    });
}

std::span<const std::string_view> comparedRanges()
{
    static constexpr auto keys = std::to_array<std::string_view>({"run_time_s", "run_cost_usd"});
    return keys;
}

std::string_view insteadOf(const Figure &figure, const Solution &solution)
{
    return figure.key == "run_electricity_usd" && isRented(solution) ? "in the rent" : std::string_view();
}

bool isAsked(const Figure &figure, const Solution &solution)
{
    if (!isRented(solution))
        return figure.key != "fleet_price_usd";
    return figure.key != "run_electricity_usd" && figure.key != "run_capital_usd" && figure.key != "run_upkeep_usd";
}

std::string_view rowKeyOf(const Figure &figure, const Solution &solution)
{
    if (!solution.costs)
        return figure.row;
    if (figure.key == "run_cost_usd")
        return runCostKey(solution.costs->paying());
    if (figure.key == "fleet_yearly_usd")
        return yearlyCostKey(solution.costs->paying());
    // One row is two figures, and of what is bought a rented fleet has nothing.
    if (!isAsked(figure, solution) || (figure.key == "fleet_capital_usd" && isRented(solution)))
        return {};
    return figure.row;
}

double baseOf(const CostSheet &costs, std::string_view key)
{
    const auto &sheet = costs.sheet().sheet();
    const auto row = sheet.find(key);
    return row ? sheet.row(*row).dimension.scale() : 0;
}

} // namespace fleetwright
