// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plan.h"
#include "solver/blocks/economics.h"
#include "solver/blocks/reliability.h"
#include "solver/explain/explain.h"
#include "solver/models/estimate.h"

#include <span>
#include <string>
#include <vector>

/// What running a plan means beyond its step time: money, energy, carbon, water, failures. Built on economics.h,
/// sustainability.h and reliability.h.
namespace fleetwright {

struct RunFigures;

/// Planning values that no catalog item of a plan states. Their keys begin with "operations."; plans edit them like a
/// cost model's assumptions. Defaults are the published ones, which native `evaluate` uses; those that the planning
/// defaults catalog holds too are equal to it as shipped (a test compares them), and a project's catalog decides.
[[nodiscard]] std::span<const AssumptionDescriptor> operationsAssumptions();

struct OperationsSettings {
    EconomicsConstants economics;
    ReliabilityConstants reliability;
    CheckpointConstants checkpoint;
    double idlePower = 0.3, dynamicPower = 0.7; ///< shares of TDP
    double pue = 1.12; ///< where neither facility nor grid states one
    WaterIntensity wue{}; ///< likewise
    double tokensPerParameter = 20; ///< of compute-optimal training (Hoffmann 2022)
};
/// The defaults with what a project's catalog plans and the edits of a plan. UnknownReference for a key with another
/// prefix than "operations."; else those of check().
[[nodiscard]] Expected<OperationsSettings> operationsSettings(const Assumptions &assumptions);

/// Facility power over IT power: what the facility or the grid states, else the plan's assumption.
[[nodiscard]] inline double pueOf(const SiteFacts &site, const OperationsSettings &settings)
{
    return site.pue.value_or(settings.pue);
}
/// The same for explanations.
[[nodiscard]] FormulaInput pueInput(const SiteFacts &site, const OperationsSettings &settings);

/// A figure that is absent, and what to enter to get it.
struct MissingFigure {
    std::string_view key;
    std::string sentence;
    bool operator==(const MissingFigure &) const = default;
};

/// Every figure is absent where one of its inputs is unknown; `missing` says why. Energy, carbon, water and money are
/// those of the duration without failures; the cost per million tokens needs none; it is
/// that of `fleetRate`.
struct OperatingFigures {
    std::optional<Joules> itEnergy; ///< accelerators only: N TDP (0.3 + 0.7 u) T with u the HFU, else the MFU
    std::optional<Joules> facilityEnergy; ///< times PUE
    std::optional<KilogramsCo2e> operationalCarbon; ///< times the grid's intensity
    std::optional<KilogramsCo2e> embodiedCarbon; ///< of all accelerators, whole
    std::optional<Litres> water; ///< WUE times IT energy, as the catalog defines WUE
    std::optional<Dollars> ownedCost; ///< capital + upkeep + energy
    std::optional<Dollars> capital, upkeep, energyCost;
    std::optional<Dollars> perMillionTokens, ownedPerMillionTokens;
    std::optional<Seconds> nodeMtbf, fleetMtbf, checkpointInterval;
    std::optional<Seconds> checkpointTime; ///< 14 P bytes, one writer per node
    bool checkpointSlow = false; ///< longer than CheckpointConstants::slow
    std::optional<double> goodput; ///< share of the time that advances training
    std::optional<double> expectedFailures; ///< over the duration
    std::optional<Seconds> durationWithFailures; ///< duration / goodput
    std::optional<double>
        computeOptimalTokens; ///< tokens per parameter times P, dense transformers only (Hoffmann 2022)
    std::vector<MissingFigure> missing;
    bool operator==(const OperatingFigures &) const = default;
};

[[nodiscard]] OperatingFigures operatingFigures(const Plan &plan, const Estimate &estimate, const RunFigures &run,
    std::optional<DollarRate> fleetRate, const OperationsSettings &settings);

struct Solution;
/// Why the figure of this key is absent; empty when it is there or not one of these.
[[nodiscard]] std::string_view reasonForAbsence(const Solution &solution, std::string_view key);

/// How the present figures came about, inputs before what uses them; those of the run (explainRun) and of the cost
/// model come before them. `solution` is the plan's. Refuses as operationsSettings().
[[nodiscard]] Expected<std::vector<ExplainedFigure>> explainOperations(const Plan &plan, const Solution &solution);

} // namespace fleetwright
