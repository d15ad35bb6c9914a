// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ledgerentry.h"

#include <nlohmann/json_fwd.hpp>

namespace fleetwright::exchange {

using Json = nlohmann::ordered_json;

/// Reads one ledger entry strictly, with path and sentence of the first fault. What it reads has passed check().
/// Required: when, context, title. Absent keys are what was not known.
[[nodiscard]] Expected<LedgerEntry> ledgerEntryFromJson(const Json &json);
/// Writes the keys that have a value; ledgerEntryFromJson reads it back as an equal entry.
[[nodiscard]] Json ledgerEntryToJson(const LedgerEntry &entry);

} // namespace fleetwright::exchange
