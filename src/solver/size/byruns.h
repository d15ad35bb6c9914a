// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/hardwaresizing.h"

/// What measured runs of the own site make of the fleets of a sizing.
namespace fleetwright::size {

/// The range of a job's step time with a layout; nothing where it is not known.
[[nodiscard]] std::optional<validation::PredictionRange> rangeOfJob(const RangeOf &rangeOf, const Job &job,
    const Fleet &fleet, int globalBatch, const Layout &layout, double stepSeconds);

/// The layouts of a job on a fleet that are near the best of those that were found.
[[nodiscard]] std::vector<layoutsearch::NearLayout> nearLayouts(
    const Sizing &sizing, const Plan &plan, const layoutsearch::BestByComplexity &best);

/// How many runs of the site stand behind the ranges of the jobs, asked of the first layouts that are found; 0: none
/// moves a step time.
[[nodiscard]] int runsOfTheSite(const Sizing &sizing);

/// The best of all fleets by the cost model alone, with what the runs make of it; nothing where none keeps the limits
/// or it was stopped. The sizing's runs move step times; second fleets are not looked at.
[[nodiscard]] std::optional<Answer> bestByFormula(const Sizing &sizing);

} // namespace fleetwright::size
