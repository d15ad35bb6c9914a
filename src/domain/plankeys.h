// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sweepdocument.h"

/// The keys of sweepKeys() that a plan document states itself ("fleet.nodes", "training.precision", "constraints.
/// deadline_days"), not those of its catalog items: each is read, set and cleared here. Where the layout is open, the
/// keys of layoutSearchOptionOf() are degrees that may be fixed.
namespace fleetwright {

[[nodiscard]] bool isPlanKey(std::string_view key);

/// What the document states, in the key's unit; of an item that stands inline its id. Nothing where it states nothing:
/// an optional value that is absent, the other way of stating microbatches, a degree that an open layout leaves open or
/// limits to several values.
[[nodiscard]] std::optional<SettingValue> statedValue(const PlanDocument &document, std::string_view key);

/// Sets it; false when the key is none of a plan document (see isPlanKey()), or of its assumptions. The value has the
/// key's type. Errors name the key.
[[nodiscard]] Expected<bool> stateValue(PlanDocument &document, const SweepSetting &setting);

/// Leaves it out again. UnsupportedValue with the key where a document always states it.
[[nodiscard]] Expected<void> clearValue(PlanDocument &document, std::string_view key);

} // namespace fleetwright
