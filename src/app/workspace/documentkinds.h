// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspace/workspace.h"

#include <map>
#include <tuple>
#include <vector>

/// What the workspace knows about each kind of document. For the sources of Workspace only.
namespace fleetwright::app {

/// The user's documents of one kind as they are in memory.
template <class Document> struct Rows {
    std::vector<storage::SavedDocument<Document>> rows;
    std::map<storage::RowId, std::size_t> removed; ///< where they stood, for undo
};

/// How a kind of document is read, written and announced.
template <class Document> struct Kind;
template <> struct Kind<PlanDocument> {
    static constexpr auto read = &storage::Project::plans;
    static constexpr auto save = [](storage::Project &project, const storage::SavedPlan &plan) {
        return project.savePlan(plan);
    };
    static constexpr auto remove = &storage::Project::removePlan;
    static constexpr auto inserted = &Workspace::planInserted;
    static constexpr auto changed = &Workspace::planChanged;
    static constexpr auto removed = &Workspace::planRemoved;
};
template <> struct Kind<FleetDocument> {
    static constexpr auto read = &storage::Project::fleets;
    static constexpr auto save = &storage::Project::saveFleet;
    static constexpr auto remove = &storage::Project::removeFleet;
    static constexpr auto inserted = &Workspace::fleetInserted;
    static constexpr auto changed = &Workspace::fleetChanged;
    static constexpr auto removed = &Workspace::fleetRemoved;
};
template <> struct Kind<SweepDocument> {
    static constexpr auto read = &storage::Project::sweeps;
    static constexpr auto save = &storage::Project::saveSweep;
    static constexpr auto remove = &storage::Project::removeSweep;
    static constexpr auto inserted = &Workspace::sweepInserted;
    static constexpr auto changed = &Workspace::sweepChanged;
    static constexpr auto removed = &Workspace::sweepRemoved;
};
template <> struct Kind<StudyDocument> {
    static constexpr auto read = &storage::Project::studies;
    static constexpr auto save = &storage::Project::saveStudy;
    static constexpr auto remove = &storage::Project::removeStudy;
    static constexpr auto inserted = &Workspace::studyInserted;
    static constexpr auto changed = &Workspace::studyChanged;
    static constexpr auto removed = &Workspace::studyRemoved;
};
template <> struct Kind<LedgerEntry> {
    static constexpr auto read = &storage::Project::ledger;
    static constexpr auto save = &storage::Project::saveLedgerEntry;
    static constexpr auto remove = &storage::Project::removeLedgerEntry;
    static constexpr auto inserted = &Workspace::ledgerEntryInserted;
    static constexpr auto changed = &Workspace::ledgerEntryChanged;
    static constexpr auto removed = &Workspace::ledgerEntryRemoved;
};
template <> struct Kind<OfferDocument> {
    static constexpr auto read = &storage::Project::offers;
    static constexpr auto save = &storage::Project::saveOffer;
    static constexpr auto remove = &storage::Project::removeOffer;
    static constexpr auto inserted = &Workspace::offerInserted;
    static constexpr auto changed = &Workspace::offerChanged;
    static constexpr auto removed = &Workspace::offerRemoved;
};
template <> struct Kind<validation::MeasuredRun> {
    static constexpr auto read = &storage::Project::measuredRuns;
    static constexpr auto save = &storage::Project::saveMeasuredRun;
    static constexpr auto remove = &storage::Project::removeMeasuredRun;
    static constexpr auto inserted = [](Workspace &workspace, int) { emit workspace.measuredRunsReplaced(); };
    static constexpr auto changed = &Workspace::measuredRunChanged;
    static constexpr auto removed = inserted;
};

template <> struct Kind<DecisionDocument> {
    static constexpr auto read = &storage::Project::decisions;
    static constexpr auto save = &storage::Project::saveDecision;
    static constexpr auto remove = &storage::Project::removeDecision;
    static constexpr auto inserted = &Workspace::decisionInserted;
    static constexpr auto changed = &Workspace::decisionChanged;
    static constexpr auto removed = &Workspace::decisionRemoved;
};
template <> struct Kind<ApprovedDecision> {
    static constexpr auto read = &storage::Project::approvals;
    static constexpr auto save = &storage::Project::saveApproval;
    static constexpr auto remove = &storage::Project::removeApproval;
    static constexpr auto inserted = &Workspace::approvalInserted;
    static constexpr auto changed = &Workspace::approvalChanged;
    static constexpr auto removed = &Workspace::approvalRemoved;
};
template <> struct Kind<OutputSet> {
    static constexpr auto read = &storage::Project::outputSets;
    static constexpr auto save = &storage::Project::saveOutputSet;
    static constexpr auto remove = &storage::Project::removeOutputSet;
    static constexpr auto inserted = &Workspace::outputSetInserted;
    static constexpr auto changed = &Workspace::outputSetChanged;
    static constexpr auto removed = &Workspace::outputSetRemoved;
};

/// All that a user keeps in a project, by kind.
using Documents = std::tuple<Rows<PlanDocument>, Rows<FleetDocument>, Rows<SweepDocument>, Rows<StudyDocument>,
    Rows<LedgerEntry>, Rows<validation::MeasuredRun>, Rows<OfferDocument>, Rows<DecisionDocument>,
    Rows<ApprovedDecision>, Rows<OutputSet>>;

} // namespace fleetwright::app
