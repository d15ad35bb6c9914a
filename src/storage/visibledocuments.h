// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/project.h"

/// The border for what people type: characters that nobody sees are refused there as in the files that they bring
/// (exchange::checkVisibleTexts), by the path of the field. What stands in a project already is read and salvaged
/// as it is.
namespace fleetwright::storage {

[[nodiscard]] Expected<void> checkTyped(const PlanDocument &document);
[[nodiscard]] Expected<void> checkTyped(const FleetDocument &document);
[[nodiscard]] Expected<void> checkTyped(const SweepDocument &document);
[[nodiscard]] Expected<void> checkTyped(const StudyDocument &document);
[[nodiscard]] Expected<void> checkTyped(const StudyProgress &progress);
[[nodiscard]] Expected<void> checkTyped(const LedgerEntry &entry);
[[nodiscard]] Expected<void> checkTyped(const OfferDocument &document);
[[nodiscard]] Expected<void> checkTyped(const validation::MeasuredRun &run);
[[nodiscard]] Expected<void> checkTyped(const DecisionDocument &document);
[[nodiscard]] Expected<void> checkTyped(const ApprovedDecision &approved);
[[nodiscard]] Expected<void> checkTyped(const OutputSet &set);

} // namespace fleetwright::storage
