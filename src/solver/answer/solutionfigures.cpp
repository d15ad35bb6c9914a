// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/solutionfigures.h"

#include <algorithm>

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
template <auto Member> std::optional<double> operationOf(const Solution &solution)
{
    return raw(solution.operations.*Member);
}
template <auto Member> std::optional<double> operationNumberOf(const Solution &solution)
{
    return solution.operations.*Member;
}
template <auto Member> std::optional<double> runNumberOf(const Solution &solution) { return solution.run.*Member; }
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
template <auto Member> std::optional<double> memoryOf(const Solution &solution)
{
    return solution.estimate.memory ? raw((*solution.estimate.memory).*Member) : std::nullopt;
}

constexpr std::string_view noMemory = "The cost model knows no memory.";
constexpr std::string_view noPart = "The cost model does not split memory into these parts.";
constexpr std::string_view noStep = "The cost model prices no step time.";
constexpr std::string_view notPriced = "The cost model does not price this part.";
constexpr std::string_view noFigure = "The cost model does not produce this figure.";
constexpr std::string_view noTokens = "The cost model gives no tokens per second, or neither the plan nor the workload "
                                      "states how many tokens to train on.";

constexpr std::string_view noPurchase =
    "There is no duration, or the accelerator has no purchase price in the catalog.";
constexpr std::string_view noEnergy =
    "There is no duration, no utilisation from the cost model, or the accelerator's TDP is unknown.";

constexpr auto figures = std::to_array<SolutionFigure>({
    {"memory.total_bytes", "Memory", FigureGroup::Feasibility, Dimension::Information, Better::Lower,
        "Memory of the fullest accelerator.", noMemory,
        [](const Solution &s) {
            return s.estimate.memory ? std::optional(s.estimate.memory->total.value()) : std::nullopt;
        }},
    {"memory.capacity_bytes", "Memory capacity", FigureGroup::Feasibility, Dimension::Information, Better::None,
        "Memory capacity of one accelerator.", noMemory,
        [](const Solution &s) {
            return s.estimate.memory ? std::optional(s.estimate.memory->capacity.value()) : std::nullopt;
        }},
    {"memory.share", "Share of the memory", FigureGroup::Feasibility, Dimension::Fraction, Better::Lower,
        "Memory of the fullest accelerator over its capacity.", noMemory,
        [](const Solution &s) {
            return s.estimate.memory ? std::optional<double>(s.estimate.memory->total / s.estimate.memory->capacity)
                                     : std::nullopt;
        }},
    {"step_time_s", "Step time", FigureGroup::Step, Dimension::Time, Better::Lower, "Time of one optimizer step.",
        noStep, timeOf<&Estimate::stepTime>},
    {"breakdown.compute_s", "Computation", FigureGroup::Step, Dimension::Time, Better::Lower,
        "The step's share of computation, or of memory traffic where that takes longer.", noStep,
        partOf<&StepBreakdown::compute>},
    {"breakdown.tp_s", "TP communication, exposed", FigureGroup::Step, Dimension::Time, Better::Lower,
        "What the step waits for tensor parallelism.", notPriced, partOf<&StepBreakdown::tp, &Estimate::tpCommTime>},
    {"breakdown.pp_s", "PP communication, exposed", FigureGroup::Step, Dimension::Time, Better::Lower,
        "What the step waits for transfers between stages.", notPriced,
        partOf<&StepBreakdown::pp, &Estimate::ppCommTime>},
    {"breakdown.cp_s", "CP communication, exposed", FigureGroup::Step, Dimension::Time, Better::Lower,
        "What the step waits for context parallelism.", notPriced, partOf<&StepBreakdown::cp, &Estimate::cpCommTime>},
    {"breakdown.ep_s", "EP communication, exposed", FigureGroup::Step, Dimension::Time, Better::Lower,
        "What the step waits for expert parallelism.", notPriced, partOf<&StepBreakdown::ep, &Estimate::epCommTime>},
    {"breakdown.dp_s", "DP communication, exposed", FigureGroup::Step, Dimension::Time, Better::Lower,
        "What the step waits for gradients.", notPriced, partOf<&StepBreakdown::dp, &Estimate::dpCommTime>},
    {"breakdown.bubble_s", "Pipeline bubble", FigureGroup::Step, Dimension::Time, Better::Lower,
        "Time in which stages wait for others, by the model's own convention: the explanation says which.", notPriced,
        partOf<&StepBreakdown::bubble, &Estimate::bubbleTime>},
    {"breakdown.optimizer_s", "Optimizer step", FigureGroup::Step, Dimension::Time, Better::Lower,
        "Update of the parameters.", notPriced, partOf<&StepBreakdown::optimizer, &Estimate::optimizerTime>},
    {"breakdown.overhead_s", "Overhead", FigureGroup::Step, Dimension::Time, Better::Lower,
        "Fixed costs of launching work.", notPriced, partOf<&StepBreakdown::overhead, &Estimate::overheadTime>},
    {"breakdown.other_s", "Stragglers and the rest", FigureGroup::Step, Dimension::Time, Better::Lower,
        "What the other parts of the step do not explain.", noStep, partOf<&StepBreakdown::other>},
    {"dp_comm_time_s", "DP communication before overlap", FigureGroup::Step, Dimension::Time, Better::Lower,
        "Gradient communication, hidden or not.", notPriced, timeOf<&Estimate::dpCommTime>},
    {"exposed_comm_time_s", "Communication, exposed", FigureGroup::Step, Dimension::Time, Better::Lower,
        "All communication that the step waits for.", notPriced, timeOf<&Estimate::exposedCommTime>},
    {"mfu", "MFU", FigureGroup::Rates, Dimension::Fraction, Better::Higher,
        "Model FLOP utilisation of the whole fleet, over the dense peak; recomputation does not count.", noFigure,
        numberOf<&Estimate::mfu>},
    {"hfu", "HFU", FigureGroup::Rates, Dimension::Fraction, Better::Higher,
        "Hardware FLOP utilisation: as MFU, with recomputation.", noFigure, numberOf<&Estimate::hfu>},
    {"scaling_efficiency", "Scaling efficiency", FigureGroup::Rates, Dimension::Fraction, Better::Higher,
        "Time without communication and bubble over the step time.", noFigure, numberOf<&Estimate::scalingEfficiency>},
    {"tokens_per_s", "Tokens per second", FigureGroup::Rates, Dimension::Number, Better::Higher,
        "Tokens of the whole fleet per second.", noFigure, numberOf<&Estimate::tokensPerSecond>},
    {"samples_per_s", "Samples per second", FigureGroup::Rates, Dimension::Number, Better::Higher,
        "Samples of the whole fleet per second.", noFigure, numberOf<&Estimate::samplesPerSecond>},
    {"flops_per_accelerator_per_s", "Model FLOP per accelerator", FigureGroup::Rates, Dimension::ComputeRate,
        Better::Higher, "Model FLOP per accelerator and second.", noFigure, timeOf<&Estimate::flopsPerAccelerator>},
    {"parallelism.dp", "Data-parallel replicas", FigureGroup::Pipeline, Dimension::Number, Better::None,
        "DP as the cost model derives it; models differ in what EP does to it.", noFigure,
        [](const Solution &s) { return std::optional(double(s.estimate.dp)); }},
    {"bubble_fraction", "Bubble, (p-1)/(vm+p-1)", FigureGroup::Pipeline, Dimension::Fraction, Better::Lower,
        "Idle share of the whole pipelined interval, not of the busy time.",
        "The cost model gives no bubble in this convention.", numberOf<&Estimate::bubbleFraction>},
    {"memory.weights_bytes", "Weights", FigureGroup::Memory, Dimension::Information, Better::Lower,
        "Parameters held by the fullest accelerator.", noPart, memoryOf<&MemoryEstimate::weights>},
    {"memory.gradients_bytes", "Gradients", FigureGroup::Memory, Dimension::Information, Better::Lower,
        "Gradients held by the fullest accelerator.", noPart, memoryOf<&MemoryEstimate::gradients>},
    {"memory.optimizer_bytes", "Optimizer state", FigureGroup::Memory, Dimension::Information, Better::Lower,
        "Optimizer state held by the fullest accelerator.", noPart, memoryOf<&MemoryEstimate::optimizer>},
    {"memory.activations_bytes", "Activations", FigureGroup::Memory, Dimension::Information, Better::Lower,
        "Activations held by the fullest accelerator.", noPart, memoryOf<&MemoryEstimate::activations>},
    {"memory.other_bytes", "Buffers and the rest", FigureGroup::Memory, Dimension::Information, Better::Lower,
        "Everything else on the fullest accelerator.", noPart, memoryOf<&MemoryEstimate::other>},
    {"token_budget", "Token budget", FigureGroup::Run, Dimension::Number, Better::None,
        "Tokens to train on: the plan's own number, else the one published for the model.", noTokens,
        runNumberOf<&RunFigures::tokens>},
    {"duration_s", "Duration", FigureGroup::Run, Dimension::Time, Better::Lower,
        "Token budget over tokens per second, without failures and restarts.", noTokens, runOf<&RunFigures::duration>},
    {"accelerator_hours", "Accelerator-hours", FigureGroup::Run, Dimension::Number, Better::Lower,
        "Accelerators times the duration in hours.", noTokens, runNumberOf<&RunFigures::acceleratorHours>},
    {"cost_usd", "Cloud cost", FigureGroup::Run, Dimension::Money, Better::Lower,
        "Accelerator-hours at the lowest cloud price in the catalog.",
        "There is no duration to pay for, or the accelerator has no cloud price in the catalog.",
        runOf<&RunFigures::cost>},
    {"it_power_w", "IT power", FigureGroup::Run, Dimension::Power, Better::Lower,
        "Nodes at their maximum power; accelerators at TDP where the node's power is unknown.",
        "Neither the node's power nor the accelerator's TDP is known.", runOf<&RunFigures::itPower>},
    {"facility_power_w", "Facility power", FigureGroup::Run, Dimension::Power, Better::Lower,
        "IT power times the PUE of the facility.",
        "The fleet names no facility or grid with a PUE, or its power is unknown.", runOf<&RunFigures::facilityPower>},
    {"usd_per_million_tokens", "Cloud, per million tokens", FigureGroup::Cost, Dimension::Money, Better::Lower,
        "Cloud cost over the token budget.",
        "There is no duration to pay for, or the accelerator has no cloud price in the catalog.",
        operationOf<&OperatingFigures::cloudPerMillionTokens>},
    {"tco_usd", "Cost when owned", FigureGroup::Cost, Dimension::Money, Better::Lower,
        "Total cost of ownership for the duration: the share of the purchase, upkeep and energy.", noPurchase,
        operationOf<&OperatingFigures::ownedCost>},
    {"capital_usd", "Capital share", FigureGroup::Cost, Dimension::Money, Better::Lower,
        "Share of the purchase that falls on the duration.", noPurchase, operationOf<&OperatingFigures::capital>},
    {"upkeep_usd", "Upkeep", FigureGroup::Cost, Dimension::Money, Better::Lower,
        "Upkeep of the purchase for the duration.", noPurchase, operationOf<&OperatingFigures::upkeep>},
    {"energy_cost_usd", "Energy cost", FigureGroup::Cost, Dimension::Money, Better::Lower,
        "Facility energy at the tariff of the grid.", noEnergy, operationOf<&OperatingFigures::energyCost>},
    {"tco_usd_per_million_tokens", "Owned, per million tokens", FigureGroup::Cost, Dimension::Money, Better::Lower,
        "Cost when owned over the token budget.", noPurchase, operationOf<&OperatingFigures::ownedPerMillionTokens>},
    {"it_energy_j", "IT energy", FigureGroup::Environment, Dimension::Energy, Better::Lower,
        "Energy of the accelerators for the duration, from TDP and utilisation.", noEnergy,
        operationOf<&OperatingFigures::itEnergy>},
    {"energy_j", "Facility energy", FigureGroup::Environment, Dimension::Energy, Better::Lower,
        "IT energy times the PUE.", noEnergy, operationOf<&OperatingFigures::facilityEnergy>},
    {"operational_carbon_kg", "Operational carbon", FigureGroup::Environment, Dimension::Carbon, Better::Lower,
        "Facility energy times the carbon intensity of the grid.",
        "The energy is unknown, or the fleet names no grid with a carbon intensity.",
        operationOf<&OperatingFigures::operationalCarbon>},
    {"embodied_carbon_kg", "Embodied carbon", FigureGroup::Environment, Dimension::Carbon, Better::Lower,
        "Carbon of making all accelerators, not prorated over their life.",
        "The catalog states no embodied carbon for the accelerator.", operationOf<&OperatingFigures::embodiedCarbon>},
    {"water_l", "Water", FigureGroup::Environment, Dimension::Water, Better::Lower,
        "IT energy times the water usage effectiveness.", noEnergy, operationOf<&OperatingFigures::water>},
    {"node_mtbf_s", "Node MTBF", FigureGroup::Failures, Dimension::Time, Better::Higher,
        "Mean time between failures of one node, from its accelerators, NICs and power supplies.", noFigure,
        operationOf<&OperatingFigures::nodeMtbf>},
    {"fleet_mtbf_s", "Fleet MTBF", FigureGroup::Failures, Dimension::Time, Better::Higher,
        "Mean time between failures of the whole fleet; any of them stops the job.", noFigure,
        operationOf<&OperatingFigures::fleetMtbf>},
    {"expected_failures", "Failures", FigureGroup::Failures, Dimension::Number, Better::Lower,
        "Failures to expect over the duration.", noTokens, operationNumberOf<&OperatingFigures::expectedFailures>},
    {"checkpoint_time_s", "Checkpoint takes", FigureGroup::Failures, Dimension::Time, Better::Lower,
        "Time to write one checkpoint, every node to its share of the storage.", noFigure,
        operationOf<&OperatingFigures::checkpointTime>},
    {"checkpoint_interval_s", "Checkpoint every", FigureGroup::Failures, Dimension::Time, Better::None,
        "Interval between checkpoints that loses the least time.", noFigure,
        operationOf<&OperatingFigures::checkpointInterval>},
    {"goodput", "Goodput", FigureGroup::Failures, Dimension::Fraction, Better::Higher,
        "Share of the time that advances training: checkpoints and recovery taken off.", noFigure,
        operationNumberOf<&OperatingFigures::goodput>},
    {"duration_with_failures_s", "Duration with failures", FigureGroup::Failures, Dimension::Time, Better::Lower,
        "Duration over goodput.", noTokens, operationOf<&OperatingFigures::durationWithFailures>},
    {"compute_optimal_tokens", "Compute-optimal tokens", FigureGroup::Run, Dimension::Number, Better::None,
        "Tokens on which a dense transformer of this size is trained best for its compute: 20 per parameter.",
        "Known for dense transformers only.", operationNumberOf<&OperatingFigures::computeOptimalTokens>},
});

} // namespace

std::string_view toString(FigureGroup group)
{
    switch (group) {
    case FigureGroup::Feasibility: return "Feasibility";
    case FigureGroup::Step: return "Step time and its parts";
    case FigureGroup::Rates: return "Utilisation and rates";
    case FigureGroup::Memory: return "Memory by part";
    case FigureGroup::Run: return "The whole run";
    case FigureGroup::Pipeline: return "Layout and pipeline";
    case FigureGroup::Cost: return "Cost";
    case FigureGroup::Environment: return "Energy, carbon and water";
    case FigureGroup::Failures: return "Failures and checkpoints";
    }
    return {};
}

std::span<const SolutionFigure> solutionFigures() { return figures; }

const SolutionFigure *findSolutionFigure(std::string_view key)
{
    const auto found = std::ranges::find(figures, key, &SolutionFigure::key);
    return found == figures.end() ? nullptr : &*found;
}

} // namespace fleetwright
