// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plan.h"
#include "solver/models/costmodel.h"
#include "solver/models/detailed/pricer.h"
#include "solver/models/detailed/softwarechoice.h"

namespace fleetwright::detailed {

/// The cost model `detailed` over plans. What a plan says and the engine's own inputs differ in a few places, read as
/// follows:
/// - DP is accelerators / (TP PP CP); EP lives inside TP CP DP;
/// - a microbatch count m (times accumulation steps) gives the microbatch size global batch / (DP m), which must be
/// whole;
/// - the scale-up domain is the node's, no more than the fleet; its link is the host link where the node states none
/// (with a notice);
/// - scale-out bandwidth per accelerator is the port rate times NICs per accelerator over the fabric's
/// oversubscription;
/// - the family of constants follows the accelerator's architecture; where no runs were measured on it, the geometric
/// mean over the nearest families (with a notice);
/// - the software class chooses the software stack unless the plan does;
/// - software class and stack, attention kernel, overlaps, expert TP, shard group and pipeline schedule are assumptions
/// of this model.
[[nodiscard]] const CostModel &costModel();

/// A setting as the engine takes it and what was noticed on the way.
struct PlanSetting {
    Setting setting;
    Notices notices;
    std::int64_t expertTp = 0, shardGroup = 0; ///< 0: the default
    std::optional<double> recomputeShare{}; ///< as Layout::recomputeShare
    SoftwareClass softwareClass = defaultSoftwareClass;
};
/// UnsupportedValue "workload" for workloads that are no transformers, MissingField "workload" where a size is unknown,
/// UnsupportedValue "training.precision" and "fleet.node", OutOfRange "assumptions....".
[[nodiscard]] Expected<PlanSetting> settingFrom(
    const Workload &workload, const Fleet &fleet, const Training &training, const Assumptions &assumptions);

/// InfeasibleParallelism with the plan's field.
[[nodiscard]] Expected<Layout> layoutFrom(
    const PlanSetting &setting, const Parallelism &parallelism, const Training &training);

/// Both for a whole plan.
struct PlanConfiguration {
    PlanSetting setting;
    Layout layout;
};
[[nodiscard]] Expected<PlanConfiguration> configurationFrom(const Plan &plan);

/// How `setting` read the plan, and the step that other readings give: each software class's own stack, each nearest
/// family alone. A reading that the engine refuses is left out.
[[nodiscard]] PlanReading readingOf(const PlanSetting &setting, const Layout &layout, const Workload &workload,
    const Fleet &fleet, const Training &training, const Assumptions &assumptions);

/// The same refusal with the plan's field instead of the engine's native one.
[[nodiscard]] Error inPlanTerms(Error error);

/// What section 13 of the model's documentation warns of.
[[nodiscard]] Notices noticesOf(const Setting &setting, const Layout &layout, const Figures &figures);

} // namespace fleetwright::detailed
