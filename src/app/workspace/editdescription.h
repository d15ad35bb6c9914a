// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/project.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace fleetwright::app {

/// What an edit did, for the Undo and Redo entries: "Change number of nodes of ‘70B on 256 H100’". An absent `before`
/// is an addition, an absent `after` a removal.
[[nodiscard]] QString describeEdit(
    const std::optional<storage::SavedPlan> &before, const std::optional<storage::SavedPlan> &after);
[[nodiscard]] QString describeEdit(
    const std::optional<storage::SavedFleet> &before, const std::optional<storage::SavedFleet> &after);
[[nodiscard]] QString describeEdit(
    const std::optional<storage::SavedSweep> &before, const std::optional<storage::SavedSweep> &after);
[[nodiscard]] QString describeEdit(
    const std::optional<storage::SavedStudy> &before, const std::optional<storage::SavedStudy> &after);
[[nodiscard]] QString describeEdit(
    const std::optional<storage::SavedLedgerEntry> &before, const std::optional<storage::SavedLedgerEntry> &after);
[[nodiscard]] QString describeEdit(
    const std::optional<storage::SavedOffer> &before, const std::optional<storage::SavedOffer> &after);
[[nodiscard]] QString describeEdit(
    const std::optional<storage::SavedMeasuredRun> &before, const std::optional<storage::SavedMeasuredRun> &after);
[[nodiscard]] QString describeEdit(
    const std::optional<storage::SavedDecision> &before, const std::optional<storage::SavedDecision> &after);
[[nodiscard]] QString describeEdit(
    const std::optional<storage::SavedApproval> &before, const std::optional<storage::SavedApproval> &after);
[[nodiscard]] QString describeEdit(
    const std::optional<storage::SavedOutputSet> &before, const std::optional<storage::SavedOutputSet> &after);
[[nodiscard]] QString describeEdit(const std::optional<std::vector<storage::SavedMeasuredRun>> &before,
    const std::optional<std::vector<storage::SavedMeasuredRun>> &after);
/// Several plans at once, each changed in the same way.
[[nodiscard]] QString describeEdit(const std::optional<std::vector<storage::SavedPlan>> &before,
    const std::optional<std::vector<storage::SavedPlan>> &after);
/// Calibration constants, before and after a calibration.
[[nodiscard]] QString describeEdit(
    const std::optional<std::vector<CatalogRecord>> &before, const std::optional<std::vector<CatalogRecord>> &after);
/// An update from the shipped catalogs, or an import of own items.
[[nodiscard]] QString describeEdit(const std::optional<CatalogItems> &before, const std::optional<CatalogItems> &after);
[[nodiscard]] QString describeEdit(
    const std::optional<CatalogRecord> &before, const std::optional<CatalogRecord> &after);

/// What differs between two questions, a part each, with both values where they are short: "Deadline: 30 days then, 28
/// days now", "Candidates: changed".
[[nodiscard]] QStringList questionChanges(const DecisionDocument &then, const DecisionDocument &now);
/// The same in parts; without values where they are not short.
struct ThenAndNow {
    QString what, then, now;
};
[[nodiscard]] std::vector<ThenAndNow> changesOfQuestion(const DecisionDocument &then, const DecisionDocument &now);

} // namespace fleetwright::app
