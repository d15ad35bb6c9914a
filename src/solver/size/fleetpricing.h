// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plan.h"
#include "solver/operations/operations.h"
#include "solver/size/size.h"
#include "solver/worksheet/sheetentries.h"
#include "solver/worksheet/sheetprogram.h"

#include <map>

namespace fleetwright::size {

/// A figure of the run: so much, and so much more with each second that the jobs train (without failures).
struct PerSecond {
    double fixed = unknownFigure, perSecond = unknownFigure;
    [[nodiscard]] double at(double seconds) const { return perSecond == 0 ? fixed : fixed + perSecond * seconds; }
    /// The seconds at which it reaches the value; infinity where it never exceeds it.
    [[nodiscard]] double secondsAt(double value) const;
};

/// What a fleet costs, by the worksheet, for jobs of any length.
struct FleetPrices {
    PerSecond days, runCostUsd, electricityUsd, carbonKg, energyKwh;
    double capitalUsd = unknownFigure, yearlyUsd = unknownFigure, facilityWatts = unknownFigure,
           goodput = unknownFigure, readyDays = unknownFigure, usdPerAcceleratorHour = unknownFigure;
    [[nodiscard]] FleetFigures at(double seconds) const;
    /// It fails more often than it recovers: no job ever ends, whatever the layout.
    [[nodiscard]] bool neverEnds() const { return goodput == 0; }
};

/// The worksheet of fleets that stand on one site, differ in the number of nodes and may be paid for in several ways:
/// compiled once, run for all ways at once. For one thread.
class FleetPricing {
public:
    /// `fleets`: of one node, fabric and site, resolved, one for each way of paying. `plan`: the job that decides about
    /// checkpoints; its fleet is not looked at.
    FleetPricing(const Plan &plan, std::vector<Fleet> fleets, const OperationsSettings &settings);

    /// For each way of paying. OutOfRange "nodes" where the fabric does not connect so many; as enterRun().
    [[nodiscard]] Expected<std::vector<FleetPrices>> of(int nodes);

private:
    /// Ways of paying that differ in the price of the rent alone: lanes of one run.
    struct Group {
        std::size_t base = 0; ///< of m_fleets
        std::vector<std::size_t> members;
    };
    struct Program {
        std::vector<bool> entered;
        int years = 0;
        std::shared_ptr<const SheetProgram> program;
    };
    [[nodiscard]] Expected<void> price(const Group &group, int nodes, std::vector<FleetPrices> &prices);
    [[nodiscard]] const std::shared_ptr<const SheetProgram> &programFor(const SheetEntries &entries);

    PlanFacts m_plan;
    std::vector<Fleet> m_fleets;
    OperationsSettings m_settings;
    std::vector<Group> m_groups;
    std::vector<Program> m_programs;
};

} // namespace fleetwright::size
