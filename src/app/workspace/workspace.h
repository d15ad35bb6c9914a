// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/project.h"
#include "storage/projecttext.h"
#include "storage/versions.h"

#include <QObject>

#include <memory>

class QAction;
class QUndoStack;

namespace fleetwright::jobs {
class LearntSite;
}

namespace fleetwright::app {

class ProjectOpening;
struct AnsweredDecision;

/// The open project as the window works with it: its content in memory, every edit an undoable command that is a
/// committed transaction before the call returns. Lives on the GUI thread. Pages read from here and connect to its
/// signals; they never see the database.
class Workspace : public QObject {
    Q_OBJECT
public:
    explicit Workspace(QObject *parent = nullptr);
    ~Workspace() override;

    /// Asks the forms for what they have accepted and not handed in yet (settleRequested). Every edit, undo, redo, copy
    /// and change of the project begins with it, and so does whoever reads a document that a form may be editing.
    void settle();

    /// Opening replaces the current project only when it succeeds.
    [[nodiscard]] Expected<void> open(const QString &path);
    /// As open(), of what was opened and read while the window went on; settle() comes before that. Of the file that is
    /// open for writing it is read once more where that has gone on meanwhile.
    [[nodiscard]] Expected<void> adopt(ProjectOpening &opening);
    /// Opening it would change nothing: it is open for writing and nothing else has changed it.
    [[nodiscard]] bool isOpenForWriting(const QString &path);
    [[nodiscard]] Expected<void> createProject(const QString &path);
    [[nodiscard]] Expected<void> createSample(const QString &path, storage::ShippedProject sample);
    [[nodiscard]] Expected<void> saveCopy(const QString &path);
    void close();

    /// It is read-only because a program on another computer may have it open, which cannot be asked.
    [[nodiscard]] bool canBeTakenOver() const;
    /// Opens it for writing all the same.
    [[nodiscard]] Expected<void> takeOver();

    /// What is shown was read from a copy, as the file cannot be read where it is.
    [[nodiscard]] bool isCopy() const;
    /// What opening has changed in a file of an earlier version.
    [[nodiscard]] std::optional<storage::ProjectUpgrade> upgraded() const;
    /// Items that something else than Fleetwright changed, one sentence each; found when the project was opened.
    [[nodiscard]] std::vector<Error> alteredItems() const;

    /// Whether another program changed the project's file since it was read into memory. Cheap enough to be asked every
    /// second.
    [[nodiscard]] bool changedElsewhere();
    /// Reads the file again; nothing before it can be undone any more.
    [[nodiscard]] Expected<void> reload();
    /// The same in two steps, the long one on the project's thread while the window goes on: readAgainEnded() says when
    /// showReadAgain() can be called, once. Nothing happens where it is being read already, none is open, or it is open
    /// for writing; what is read of a project that is no longer open is dropped.
    void readAgain();
    [[nodiscard]] bool isReadingAgain() const;
    [[nodiscard]] Expected<void> showReadAgain();

    /// Dated copies that were kept before great changes, the newest first.
    [[nodiscard]] std::vector<storage::Version> versions() const;
    /// The project becomes what it was then; what it is now is kept as a version, too.
    [[nodiscard]] Expected<void> restoreVersion(const QString &version);
    /// Writes a version to a project of its own.
    [[nodiscard]] Expected<void> saveVersion(const QString &version, const QString &path) const;

    [[nodiscard]] bool isOpen() const;
    [[nodiscard]] bool isReadOnly() const;
    [[nodiscard]] QString readOnlyReason() const;
    [[nodiscard]] QString path() const;
    [[nodiscard]] QString projectName() const; ///< file name without its extension
    /// The whole project as a report carries it; MissingField where none is open.
    [[nodiscard]] Expected<storage::ProjectCopy> projectCopy() const;

    /// A snapshot that stays valid and unchanged for whoever holds it.
    [[nodiscard]] std::shared_ptr<const Catalog> catalog() const;
    [[nodiscard]] const std::vector<storage::SavedPlan> &plans() const;
    [[nodiscard]] const std::vector<storage::SavedFleet> &fleets() const;
    [[nodiscard]] const std::vector<storage::SavedSweep> &sweeps() const;
    [[nodiscard]] const std::vector<storage::SavedStudy> &studies()
        const; ///< the user's own; shipped ones are not part of a project
    [[nodiscard]] const std::vector<storage::SavedLedgerEntry> &ledger() const;
    [[nodiscard]] const std::vector<storage::SavedOffer> &offers() const;
    [[nodiscard]] const std::vector<storage::SavedMeasuredRun> &measuredRuns() const;
    /// What the measured runs say about plans for their site, for workers: many runs take seconds to learn from.
    [[nodiscard]] std::shared_ptr<const jobs::LearntSite> ownSite() const;
    /// The last decision that was answered, as long as catalog and runs are those that it was answered by, else null:
    /// reports need not answer it again.
    [[nodiscard]] std::shared_ptr<const AnsweredDecision> answered() const;
    void noteAnswered(std::shared_ptr<const AnsweredDecision> answered);
    [[nodiscard]] const std::vector<storage::SavedDecision> &decisions() const;
    [[nodiscard]] const std::vector<storage::SavedApproval> &approvals() const;
    [[nodiscard]] const storage::SavedDecision *decision(storage::RowId id) const;
    [[nodiscard]] const storage::SavedApproval *approval(storage::RowId id) const;
    [[nodiscard]] const std::vector<storage::SavedOutputSet> &outputSets() const;
    [[nodiscard]] const storage::SavedOutputSet *outputSet(storage::RowId id) const;
    [[nodiscard]] const storage::SavedPlan *plan(storage::RowId id) const;
    [[nodiscard]] const storage::SavedFleet *fleet(storage::RowId id) const;
    [[nodiscard]] const storage::SavedSweep *sweep(storage::RowId id) const;
    [[nodiscard]] const storage::SavedStudy *study(storage::RowId id) const;
    [[nodiscard]] const storage::SavedLedgerEntry *ledgerEntry(storage::RowId id) const;
    [[nodiscard]] const storage::SavedOffer *offer(storage::RowId id) const;

    /// Edits. Each pushes one undo command, or none when nothing changes. `mergeKey` joins consecutive edits of one
    /// field into one undo step (typing, spinning); empty: never merged. On an error nothing changed, neither in memory
    /// nor on disk.
    [[nodiscard]] Expected<storage::RowId> addPlan(const PlanDocument &document);
    /// With the answer of the edited plan, where it is known: plan and answer are one transaction and one
    /// planChanged().
    [[nodiscard]] Expected<void> editPlan(storage::RowId id, const PlanDocument &document, const QString &mergeKey = {},
        std::optional<storage::SavedResult> result = {});
    /// Several at once: one transaction and one undo step, and a planChanged() for each that changes. Their names stay
    /// as they are.
    [[nodiscard]] Expected<void> editPlans(const std::vector<storage::SavedPlan> &plans);
    [[nodiscard]] Expected<void> removePlan(storage::RowId id);
    [[nodiscard]] Expected<storage::RowId> addFleet(const FleetDocument &document);
    [[nodiscard]] Expected<void> editFleet(
        storage::RowId id, const FleetDocument &document, const QString &mergeKey = {});
    [[nodiscard]] Expected<void> removeFleet(storage::RowId id);
    [[nodiscard]] Expected<storage::RowId> addSweep(const SweepDocument &document);
    [[nodiscard]] Expected<void> editSweep(
        storage::RowId id, const SweepDocument &document, const QString &mergeKey = {});
    [[nodiscard]] Expected<void> removeSweep(storage::RowId id);
    [[nodiscard]] Expected<storage::RowId> addDecision(const DecisionDocument &document);
    [[nodiscard]] Expected<void> editDecision(
        storage::RowId id, const DecisionDocument &document, const QString &mergeKey = {});
    [[nodiscard]] Expected<void> removeDecision(storage::RowId id);
    [[nodiscard]] Expected<storage::RowId> addApproval(const ApprovedDecision &approval);
    [[nodiscard]] Expected<void> editApproval(
        storage::RowId id, const ApprovedDecision &approval, const QString &mergeKey = {});
    [[nodiscard]] Expected<void> removeApproval(storage::RowId id);
    /// Two sets of a project never have one name, by which the command line calls them (UnsupportedValue, "name").
    [[nodiscard]] Expected<storage::RowId> addOutputSet(const OutputSet &set);
    [[nodiscard]] Expected<void> editOutputSet(storage::RowId id, const OutputSet &set, const QString &mergeKey = {});
    [[nodiscard]] Expected<void> removeOutputSet(storage::RowId id);
    /// Progress is kept under a study's id, so an id that a shipped study or another of the project has is refused
    /// (UnsupportedValue).
    [[nodiscard]] Expected<storage::RowId> addStudy(const StudyDocument &document);
    [[nodiscard]] Expected<void> removeStudy(storage::RowId id);
    [[nodiscard]] Expected<storage::RowId> addLedgerEntry(const LedgerEntry &entry);
    [[nodiscard]] Expected<void> editLedgerEntry(
        storage::RowId id, const LedgerEntry &entry, const QString &mergeKey = {});
    [[nodiscard]] Expected<void> removeLedgerEntry(storage::RowId id);
    [[nodiscard]] Expected<storage::RowId> addOffer(const OfferDocument &document);
    [[nodiscard]] Expected<void> editOffer(
        storage::RowId id, const OfferDocument &document, const QString &mergeKey = {});
    [[nodiscard]] Expected<void> removeOffer(storage::RowId id);
    /// One undo step and one measuredRunsReplaced(), however many.
    /// `prepared`: the same runs, where a worker has prepared them, so that this does not take long.
    [[nodiscard]] Expected<void> addMeasuredRuns(
        const std::vector<validation::MeasuredRun> &runs, const storage::PreparedRuns *prepared = nullptr);
    [[nodiscard]] Expected<void> editMeasuredRun(
        storage::RowId id, const validation::MeasuredRun &run, const QString &mergeKey = {});
    [[nodiscard]] Expected<void> removeMeasuredRuns(const std::vector<storage::RowId> &ids);
    /// Adds or replaces a user item. References are checked against the catalog first.
    [[nodiscard]] Expected<void> saveRecord(const CatalogRecord &record);
    [[nodiscard]] Expected<void> removeRecord(CatalogKind kind, const std::string &id);
    /// The user's values of these constants become the given ones, in one undo step; records that set one of them go.
    /// The rest stay.
    [[nodiscard]] Expected<void> applyCalibration(const std::vector<CatalogRecord> &constants);
    /// Back to the program's constants: removes what calibrations wrote, as one step.
    [[nodiscard]] Expected<void> removeCalibration();

    /// Many items and their sources at once, in one undo step: an update from the shipped catalogs or an import, as
    /// updateTo() and the like made it for this catalog.
    [[nodiscard]] Expected<void> applyCatalogEdit(const CatalogEdit &edit);

    /// Results are derived, so storing one is not an undo step. Undoing the removal of a plan brings its result back.
    [[nodiscard]] Expected<void> saveResult(storage::RowId plan, const storage::SavedResult &result);
    [[nodiscard]] std::optional<storage::SavedResult> result(storage::RowId plan) const;

    /// The last complete run of a sweep, kept like a plan's result.
    [[nodiscard]] Expected<void> saveSweepResult(storage::RowId sweep, const storage::SavedSweepResult &result);
    [[nodiscard]] std::optional<storage::SavedSweepResult> sweepResult(storage::RowId sweep) const;

    /// The last complete answer to a decision, likewise.
    [[nodiscard]] Expected<void> saveDecisionResult(
        storage::RowId decision, const storage::SavedDecisionResult &result);
    [[nodiscard]] std::optional<storage::SavedDecisionResult> decisionResult(storage::RowId decision) const;

    /// Progress in a study is a record of what the reader did, so it is not an undo step: a prediction, once made,
    /// stays made.
    [[nodiscard]] Expected<std::optional<StudyProgress>> studyProgress(const std::string &study) const;
    [[nodiscard]] Expected<void> saveStudyProgress(const StudyProgress &progress);
    /// Starts the study again.
    [[nodiscard]] Expected<void> removeStudyProgress(const std::string &study);

    void undo();
    void redo();
    /// Actions that follow what can be undone; the texts of steps come after `prefix`.
    [[nodiscard]] QAction *createUndoAction(QObject *parent, const QString &prefix);
    [[nodiscard]] QAction *createRedoAction(QObject *parent, const QString &prefix);
    [[nodiscard]] const QUndoStack *undoStack() const;
    /// What the newest approval is called among the steps that are undone down to so many; empty: there is none.
    [[nodiscard]] QString approvalUndoneBy(int steps) const;

signals:
    /// Something is about to happen that entries must precede: hand in at once what was accepted, without waiting for
    /// its answer.
    void settleRequested();
    void projectChanged(); ///< another project is open, or none: reload everything
    void readAgainEnded();
    void planInserted(int index);
    void planChanged(int index);
    void planRemoved(int index);
    void fleetInserted(int index);
    void fleetChanged(int index);
    void fleetRemoved(int index);
    void sweepInserted(int index);
    void sweepChanged(int index);
    void sweepRemoved(int index);
    void decisionInserted(int index);
    void decisionChanged(int index);
    void decisionRemoved(int index);
    void approvalInserted(int index);
    void approvalChanged(int index);
    void approvalRemoved(int index);
    void outputSetInserted(int index);
    void outputSetChanged(int index);
    void outputSetRemoved(int index);
    /// A plan that goes was taken out of output sets; in words.
    void outputSetsFollowed(const QString &told);
    void studyInserted(int index);
    void studyChanged(int index);
    void studyRemoved(int index);
    void ledgerEntryInserted(int index);
    void ledgerEntryChanged(int index);
    void ledgerEntryRemoved(int index);
    void offerInserted(int index);
    void offerChanged(int index);
    void offerRemoved(int index);
    void measuredRunChanged(int index);
    void measuredRunsReplaced(); ///< any number came or went in one step
    void catalogChanged(fleetwright::CatalogKind kind);
    void resultSaved(qint64 plan); ///< alone; an answer that comes with an edit is announced by planChanged()
    void sweepResultSaved(qint64 sweep);
    void decisionResultSaved(qint64 decision);
    void studyProgressChanged(const QString &study);
    void saved(); ///< a transaction was committed just now
    void failed(const fleetwright::Error &error); ///< an undo or redo could not be written; memory and file still agree

private:
    [[nodiscard]] bool writes(const QString &path) const; ///< this file
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace fleetwright::app
