// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/approveddecision.h"
#include "domain/catalogedit.h"
#include "domain/ledgerentry.h"
#include "domain/offer.h"
#include "domain/outputset.h"
#include "domain/plandocument.h"
#include "domain/studydocument.h"
#include "domain/sweepdocument.h"
#include "exchange/documents.h"
#include "exchange/storedestimate.h"
#include "solver/validation/measuredrun.h"
#include "storage/shippedprojects.h"

#include <QString>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace fleetwright::storage {

using RowId = qint64;

/// A document of the user and the row it is kept in.
template <class Document> struct SavedDocument {
    RowId id = 0; ///< 0: not saved yet
    Document document;
    bool operator==(const SavedDocument &) const = default;
};
using SavedPlan = SavedDocument<PlanDocument>;
using SavedFleet = SavedDocument<FleetDocument>;
using SavedSweep = SavedDocument<SweepDocument>;
using SavedStudy = SavedDocument<StudyDocument>;
using SavedLedgerEntry = SavedDocument<LedgerEntry>;
using SavedOffer = SavedDocument<OfferDocument>;
using SavedMeasuredRun = SavedDocument<validation::MeasuredRun>;
using SavedDecision = SavedDocument<DecisionDocument>;
using SavedApproval = SavedDocument<ApprovedDecision>;
using SavedOutputSet = SavedDocument<OutputSet>;

/// The last answer for a plan, kept so that a reopened project can show it at once and say when it is stale.
struct SavedResult {
    QString costModelId;
    QString costModelVersion;
    QString inputHash;
    QString solvedAt; ///< ISO 8601, UTC
    QString estimateJson; ///< solutionToJson, compact; read it with estimate()
    /// Empty where the text cannot be read: the plan is then solved again.
    [[nodiscard]] exchange::StoredEstimate estimate() const;
    bool operator==(const SavedResult &) const = default;
};

/// The last complete run of a sweep or a decision.
struct SavedRun {
    QString inputHash;
    QString solvedAt; ///< ISO 8601, UTC
    QString resultJson; ///< compact
    bool operator==(const SavedRun &) const = default;
};
using SavedSweepResult = SavedRun;
using SavedDecisionResult = SavedRun; ///< exchange::storedSizeResult

/// TakeOver writes although a note on a network drive says that another computer does: see Project::mayBeTakenOver.
enum class OpenMode { ReadWrite, ReadOnly, TakeOver };

/// How long opening a project, and each call on an open one, may wait for other programs.
struct Waiting {
    std::chrono::milliseconds forLock{0}; ///< for the right to write, which another window or command holds
    std::function<void(const QString &holder)> begun = {}; ///< called once, when waiting for it begins
    /// For what others lock in the file while they read or write. Where nothing is said: 5 s for OpenMode::ReadOnly,
    /// which commands ask for, and otherwise 250 ms, since a window must not stand still.
    std::optional<std::chrono::milliseconds> forOthers = {};
};

/// What opening has changed in the file of an earlier version.
struct ProjectUpgrade {
    int from = 0, to = 0; ///< schema versions
    QString backup; ///< the file as it was
    bool operator==(const ProjectUpgrade &) const = default;
};

/// Whether the catalog's rules judge an item that is stored: as somebody edits it, or as it stood in this project
/// before (undo), whatever rules have come since.
enum class RecordRules { Checked, AsItStood };

/// How a change of many items is watched, on the thread that makes it.
struct Watching {
    std::stop_token stop = {}; ///< the change is then refused (Cancelled), and the project is as it was
    std::function<void(std::size_t done, std::size_t total)> progress = {}; ///< a thousand items or so apart
};

/// Measured runs as a project keeps them, one text each: to make them is the longer part of saving many.
struct PreparedRuns {
    std::vector<std::string> texts;
};
/// On any thread. Refuses a run that a project could not keep; Cancelled when stopped.
[[nodiscard]] Expected<PreparedRuns> prepareRuns(
    const std::vector<validation::MeasuredRun> &runs, const Watching &watching = {});

/// Measured runs of a project: more make it slow to open. Saving beyond is refused (OutOfRange "runs").
inline constexpr std::size_t mostProjectRuns = 200'000;

/// An open project file: one SQLite database with its catalogs, fleets, plans and results. Belongs to the thread that
/// opened it. Every changing call is one committed transaction (rollback journal, synchronous=EXTRA): when it returns
/// without an error the change survives a power cut, when it returns an error nothing has changed. Errors are IoError
/// (disk, permissions, damage), NewerFile, ReadOnly, or those of the domain's checks; Error::field is the file name or
/// the offending field.
class Project {
public:
    /// A new project at `path` with the shipped catalogs and no plans. Refuses to overwrite an existing file.
    [[nodiscard]] static Expected<std::unique_ptr<Project>> create(const QString &path);
    /// The shipped sample project copied to `path`, its names in the program's language. Refuses to overwrite.
    [[nodiscard]] static Expected<std::unique_ptr<Project>> createSample(const QString &path, ShippedProject sample);
    /// Checks application id, version, quick_check, foreign keys and the exact tables. Not a project, damaged, newer:
    /// refused, file untouched. An older one is brought to this version in memory first; only when the outcome is sound
    /// is the file changed, after a version was kept in "NAME.versions" beside it (storage/versions.h).
    ///
    /// A project that somebody else writes opens read-only, as does one that must not be written (see isReadOnly());
    /// an older one is then read from a copy in memory. An edit that was cut off is undone, in the file where that may
    /// be written, else in a copy in memory.
    [[nodiscard]] static Expected<std::unique_ptr<Project>> open(
        const QString &path, OpenMode mode = OpenMode::ReadWrite, const Waiting &waiting = {});
    ~Project();
    Project(const Project &) = delete;
    Project &operator=(const Project &) = delete;

    [[nodiscard]] QString path() const;
    [[nodiscard]] bool isReadOnly() const;
    /// Why it is read-only, for the status line; empty otherwise.
    [[nodiscard]] QString readOnlyReason() const;
    /// It is read-only because a note on a network drive says that another computer has it open. When people know that
    /// this is over, OpenMode::TakeOver opens it for writing.
    [[nodiscard]] bool mayBeTakenOver() const;
    /// What opening did to the file of an earlier version.
    [[nodiscard]] std::optional<ProjectUpgrade> upgraded() const;
    /// True once after another program (or window) has committed a change, or the file was moved, deleted or replaced,
    /// since the project was opened or this was last asked. Cheap enough for every second. After a change that went
    /// into the same file what is read is new, unless isCopy(); else open the project again. An error: it could not be
    /// told now, ask again.
    [[nodiscard]] Expected<bool> changedElsewhere();
    /// Read from a copy in memory, which does not follow the file: an older project, or one whose last edit was cut
    /// off, that must not be written here.
    [[nodiscard]] bool isCopy() const;

    /// Items that something else than Fleetwright changed, added or removed, or that damage changed without breaking
    /// the file: one sentence each, as found by their digests when the project was opened. The rest is as it was saved.
    /// Saving an item again makes it sound.
    [[nodiscard]] const std::vector<Error> &alteredItems() const;
    /// Takes every item as it stands now.
    [[nodiscard]] Expected<void> acceptAlteredItems();

    /// Loads every record and source.
    [[nodiscard]] Expected<Catalog> catalog() const;
    /// Inserts or replaces a user item. Shipped items are refused (ReadOnly).
    [[nodiscard]] Expected<void> saveRecord(const CatalogRecord &record, RecordRules rules = RecordRules::Checked);
    [[nodiscard]] Expected<void> removeRecord(CatalogKind kind, const std::string &id);
    /// Removes the first and saves the second in one transaction: all or nothing. Refusals as of the two calls above.
    [[nodiscard]] Expected<void> replaceRecords(const std::vector<CatalogRecord> &removed,
        const std::vector<CatalogRecord> &saved, RecordRules rules = RecordRules::Checked);

    /// An edit of many items and their sources in one transaction, as of storage::replaceItems: what
    /// compareWithShipped() or an import found, and back again.
    [[nodiscard]] Expected<void> replaceItems(
        const CatalogItems &from, const CatalogItems &to, RecordRules rules = RecordRules::Checked);

    [[nodiscard]] Expected<std::vector<SavedPlan>> plans() const; ///< in the order the user gave them
    /// Inserts when id is 0 (or restores the row with that id if it was removed, for undo); returns the row's id.
    /// With its answer, where it is given: both or neither.
    [[nodiscard]] Expected<RowId> savePlan(const SavedPlan &plan, const std::optional<SavedResult> &result = {});
    /// Plans that there are, in one transaction: all of them or none.
    [[nodiscard]] Expected<void> savePlans(const std::vector<SavedPlan> &plans);
    [[nodiscard]] Expected<void> removePlan(RowId id);

    [[nodiscard]] Expected<std::vector<SavedFleet>> fleets() const;
    [[nodiscard]] Expected<RowId> saveFleet(const SavedFleet &fleet);
    [[nodiscard]] Expected<void> removeFleet(RowId id);

    [[nodiscard]] Expected<std::vector<SavedOffer>> offers() const;
    [[nodiscard]] Expected<RowId> saveOffer(const SavedOffer &offer);
    [[nodiscard]] Expected<void> removeOffer(RowId id);

    [[nodiscard]] Expected<std::optional<SavedResult>> result(RowId plan) const;
    [[nodiscard]] Expected<void> saveResult(RowId plan, const SavedResult &result);

    [[nodiscard]] Expected<std::vector<SavedSweep>> sweeps() const;
    [[nodiscard]] Expected<RowId> saveSweep(const SavedSweep &sweep);
    [[nodiscard]] Expected<void> removeSweep(RowId id);
    [[nodiscard]] Expected<std::optional<SavedSweepResult>> sweepResult(RowId sweep) const;
    [[nodiscard]] Expected<void> saveSweepResult(RowId sweep, const SavedSweepResult &result);

    [[nodiscard]] Expected<std::vector<SavedDecision>> decisions() const;
    [[nodiscard]] Expected<RowId> saveDecision(const SavedDecision &decision);
    [[nodiscard]] Expected<void> removeDecision(RowId id);
    [[nodiscard]] Expected<std::optional<SavedDecisionResult>> decisionResult(RowId decision) const;
    [[nodiscard]] Expected<void> saveDecisionResult(RowId decision, const SavedDecisionResult &result);
    /// Decisions as they were approved, which outlive the decisions themselves.
    [[nodiscard]] Expected<std::vector<SavedApproval>> approvals() const;
    [[nodiscard]] Expected<RowId> saveApproval(const SavedApproval &approval);
    [[nodiscard]] Expected<void> removeApproval(RowId id);

    /// The files that the project hands over.
    [[nodiscard]] Expected<std::vector<SavedOutputSet>> outputSets() const;
    [[nodiscard]] Expected<RowId> saveOutputSet(const SavedOutputSet &set);
    [[nodiscard]] Expected<void> removeOutputSet(RowId id);

    /// The user's own studies; the shipped ones are not in the file.
    [[nodiscard]] Expected<std::vector<SavedStudy>> studies() const;
    [[nodiscard]] Expected<RowId> saveStudy(const SavedStudy &study);
    [[nodiscard]] Expected<void> removeStudy(RowId id);
    /// By StudyProgress::studyId, for shipped and own studies alike. Nothing when the study was never begun.
    [[nodiscard]] Expected<std::optional<StudyProgress>> studyProgress(const std::string &study) const;
    [[nodiscard]] Expected<void> saveStudyProgress(const StudyProgress &progress);
    [[nodiscard]] Expected<void> removeStudyProgress(const std::string &study);

    [[nodiscard]] Expected<std::vector<SavedLedgerEntry>> ledger() const;
    [[nodiscard]] Expected<RowId> saveLedgerEntry(const SavedLedgerEntry &entry);
    [[nodiscard]] Expected<void> removeLedgerEntry(RowId id);

    /// Runs that the user measured.
    [[nodiscard]] Expected<std::vector<SavedMeasuredRun>> measuredRuns() const;
    [[nodiscard]] Expected<RowId> saveMeasuredRun(const SavedMeasuredRun &run);
    [[nodiscard]] Expected<void> removeMeasuredRun(RowId id);
    /// Several in one transaction: all of them or none. Ids in the order of the runs. `prepared` are these runs, where
    /// they have been prepared.
    [[nodiscard]] Expected<std::vector<RowId>> saveMeasuredRuns(const std::vector<SavedMeasuredRun> &runs,
        const Watching &watching = {}, const PreparedRuns *prepared = nullptr);
    [[nodiscard]] Expected<std::size_t> measuredRunCount() const;
    [[nodiscard]] Expected<void> removeMeasuredRuns(const std::vector<RowId> &ids);

    /// Adds plans, sweeps, studies, offers, decisions, output sets and measured runs in one transaction: all of them or
    /// none.
    [[nodiscard]] Expected<void> addDocuments(
        const std::vector<exchange::Document> &documents, const Watching &watching = {});
    /// Every plan, sweep, own study, offer, decision and output set, and the measured runs as one file where there are
    /// any.
    [[nodiscard]] Expected<std::vector<exchange::Document>> documents() const;

    /// A complete copy by VACUUM INTO, also when the project's own file has gone. An existing file at `path` is
    /// replaced only after the copy is complete and on disk; a project never is.
    [[nodiscard]] Expected<void> saveCopy(const QString &path) const;
    /// Whether changes of many items at once (replaceItems, replaceRecords and addDocuments of more than one, more than
    /// 20 measured runs) first keep the project as it stands as a version (storage/versions.h) and are refused where
    /// they cannot: "before catalog change", "before calibration", "before import", "before measured runs". They do,
    /// but for a project that is being made.
    void setKeepsVersions(bool keeps);
    /// Puts a version, or any sound project, in place of this one's content, after keeping that as a version ("before
    /// restore"). An older format is brought to this one's first. All in one transaction; a damaged version, and one
    /// that another project of this name has left, is refused before anything.
    [[nodiscard]] Expected<void> restoreVersion(const QString &path);

    /// integrity_check, foreign keys, digests, and every stored value read back through the domain's rules; one Error
    /// per finding.
    [[nodiscard]] Expected<std::vector<Error>> check() const;

private:
    class Private;
    explicit Project(std::unique_ptr<Private> d);
    [[nodiscard]] static Expected<std::unique_ptr<Project>> openCreated(const QString &path);
    std::unique_ptr<Private> d;
};

/// The catalogs that this version of the program ships, read from the embedded template (no project needed).
[[nodiscard]] Expected<Catalog> shippedCatalog();

} // namespace fleetwright::storage
