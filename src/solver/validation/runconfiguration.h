// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plan.h"
#include "solver/models/detailed/configuration.h"
#include "solver/validation/measuredrun.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// From a published run to something that a cost model can price (resources/handbook/models/detailed.md, section 16).
namespace fleetwright::validation {

/// Version of the rules by which a row is read, oldest first. Specification: section 16 of the document that version
/// 1.0 of the model was written from; Version2: those of model version 2.0; both are kept so that their error figures
/// stay reproducible. Current: with what was learnt since, as resources/handbook/validation.md lists it.
enum class Rules { Specification, Version2, Current };

/// Figures of the accelerators that runs name, as the constants of `detailed` presuppose them
/// (resources/handbook/models/detailed.md, section 15).
struct KnownMachine {
    std::string_view name;
    detailed::Machine machine;
    std::string_view catalogId; ///< of the accelerator in the shipped catalog; empty where there is none
    detailed::FamilyMatch families{}; ///< its own, or those nearest where no constant was estimated from runs on it
    Rules since = Rules::Specification; ///< the first version that knows it
    bool ownPorts = false; ///< reaches other nodes by ports of its own: cards that a source names are the host's
};
[[nodiscard]] std::span<const KnownMachine> knownMachines();
/// By name; case, blanks and dashes do not matter. nullptr for a name that nothing here has.
[[nodiscard]] const KnownMachine *findMachine(std::string_view name);
/// For those that take runs in: refuses the first that names an accelerator which findMachine() does not have, with the
/// nearest names (UnknownReference, field "accelerator").
[[nodiscard]] Expected<void> requireKnownMachines(std::span<const MeasuredRun> runs);

/// How peak memory was metered. Reserved: what PyTorch's caching allocator holds, which is compared with the device
/// total, since both hold the fragments.
enum class MemoryMeter { None, Device, Allocated, Reserved };

/// What a run does not say, or says in words of its software only, and how it is read.
struct Reading {
    std::string field; ///< of the row
    std::string text; ///< what it is taken as
    std::string source; ///< why
    bool operator==(const Reading &) const = default;
};

/// A run as `detailed` takes it.
struct RunConfiguration {
    detailed::Setting setting;
    detailed::Layout layout; ///< as stated; where something is open, the likely one nearest to their mean
    /// Where the source leaves something open: two or more layouts between which nothing decides (readOpenLayout()).
    std::vector<detailed::Layout> likely{};
    bool hostOffload = false; ///< part of the state or the activations is kept on the host, which has no term
    bool precisionSurmised = false;
    std::optional<Seconds> measuredStepTime; ///< absent for runs that score memory only
    std::optional<Bytes> measuredMemory;
    MemoryMeter meter = MemoryMeter::None;
    Bytes heldAtStart{}; ///< before the first step, where the meter counts that
    std::optional<bool> outOfMemory;
    bool singleNode = false;
    std::vector<Reading> readings; ///< assumptions that shape the prediction, in the order of the row
    std::string seenAs; ///< framework as the mapping read it, for people: "Megatron-Core, attention kernel 3"
    /// Whether constants are learnt from it: the source states what ran, on hardware with constants of its own.
    [[nodiscard]] bool teaches() const
    {
        return likely.empty() && !hostOffload && !precisionSurmised && !setting.families.isNearest();
    }
};
/// UnsupportedValue whose message is the reason why the run is not scored: one of a fixed, short list ("inconsistent",
/// "unknown accelerator", "no batch"...), for counting.
[[nodiscard]] Expected<RunConfiguration> configurationFrom(const MeasuredRun &run, Rules rules = Rules::Current);

/// The same run as a plan, for cost models that know nothing of `detailed`: precision, recompute and layout in the
/// domain's terms, the workload, accelerator, node and fabric as stated. Refusals as configurationFrom() and as of the
/// domain's checks.
[[nodiscard]] Expected<Plan> planFrom(
    const MeasuredRun &run, const RunConfiguration &configuration, std::string_view costModelId);

/// What makes the cost model `detailed` price such a plan as it prices the run: software, overlap, kernels, schedule.
/// For planFrom(), whose plan has every other model's defaults.
[[nodiscard]] Assumptions assumptionsFrom(const RunConfiguration &configuration);

} // namespace fleetwright::validation
