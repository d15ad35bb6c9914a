// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/decide/decideapprovals.h"
#include "itemmodels/sheettablemodel.h"

/// What was approved beside what is so today, as tables and in a sentence each.
namespace fleetwright::app {

/// The best fleet, its figures and what differs in the question: what, as approved, today. What differs is bold.
[[nodiscard]] itemmodels::SheetTable answersTable(
    const ApprovedDecision &approved, const ApprovalNow &now, const Workspace &workspace);
/// Prices, constants and measured runs behind it that changed: of what, value, then, now, source.
[[nodiscard]] itemmodels::SheetTable changesTable(const std::vector<size::ValueChange> &changes);
/// Whether it still fits, and what moved it: the question, measured runs, prices and constants.
[[nodiscard]] QString verdictInWords(const ApprovedDecision &approved, const ApprovalNow &now);
/// What whoever reads that may do.
[[nodiscard]] QString nextInWords(const ApprovedDecision &approved, const ApprovalNow &now);

} // namespace fleetwright::app
