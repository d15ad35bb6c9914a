// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalogupdate.h"
#include "storage/project.h"

#include <QByteArray>

/// A whole project as one text: what a report carries so that the project can be made again from it.
namespace fleetwright::storage {

inline constexpr int projectTextVersion = 1;

/// What the text is made from, read from a project, so that another thread can make it.
struct ProjectCopy {
    std::shared_ptr<const Catalog> catalog;
    std::vector<exchange::Document> documents;
    std::vector<FleetDocument> fleets;
    std::vector<LedgerEntry> ledger;
    std::vector<ApprovedDecision> approvals;
    std::vector<StudyProgress> progress;
};
/// On the project's thread. `catalog`: the project's, where it is at hand.
[[nodiscard]] Expected<ProjectCopy> copyOf(const Project &project, std::shared_ptr<const Catalog> catalog = {});

/// JSON without white space: {"fleetwright_project": 1, "documents" (plans, sweeps, studies,
/// offers, decisions, output sets, measured runs, each as exchange::toText() writes it), "fleets" (each with its
/// "name"), "ledger", "approvals", "study_progress", "catalogs" (every item and its sources, as catalog files),
/// "own_items" (ids by catalog: which of them are the user's)}. Answers are not in it: they are solved again. The
/// calibration constants of the program are not in it either, as each version has its own. The same project gives the
/// same bytes.
[[nodiscard]] QByteArray projectText(const ProjectCopy &project);
[[nodiscard]] Expected<QByteArray> projectText(const Project &project);

struct RestoredProject {
    /// Of the items that the text calls shipped, those that this version ships otherwise or not at all: `before` is the
    /// text's value. Whoever made the text says what was shipped, so that this has to be told.
    std::vector<ItemUpdate> notAsShipped;
    /// Files of output sets that would have been written outside the project's folder, as the text names them; only the
    /// last parts of their names are kept.
    std::vector<std::string> movedFiles;
};

/// Makes the project at `path`, where nothing may stand yet, with the catalog values of the text in place of the
/// shipped ones. All or nothing: the file appears when it is complete. Refused as the readers of its parts refuse
/// (ParseError, UnsupportedValue...; Error::field is the place in the text), NewerFile for a version that is not known,
/// IoError as Project::create().
[[nodiscard]] Expected<RestoredProject> restoreProject(const QByteArray &text, const QString &path);

} // namespace fleetwright::storage
