// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/ledgermodel.h"
#include "storage/project.h"

namespace fleetwright::app {

class Workspace;

/// What the ledger says of an approval, and of what has become of its inputs.
[[nodiscard]] itemmodels::ApprovalRow approvalRow(const storage::SavedApproval &saved, const Workspace &workspace);

} // namespace fleetwright::app
