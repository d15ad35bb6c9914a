// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/workspace.h"

#include "app/workspace/projectopening.h"
#include "app/workspace/workspaceprivate.h"
#include "storage/shippedstudies.h"

#include "storage/projecttext.h"
#include <QAction>

#include <QFileInfo>
#include <QScopedValueRollback>

#include <algorithm>
#include <utility>

namespace fleetwright::app {

using storage::Project;
using storage::RowId;
using storage::SavedFleet;
using storage::SavedLedgerEntry;
using storage::SavedOffer;
using storage::SavedPlan;
using storage::SavedResult;
using storage::SavedStudy;
using storage::SavedSweep;
using storage::SavedSweepResult;

void Workspace::Private::show(ProjectContent content)
{
    reading.reset(); // of what is shown no longer
    isBehind = false;
    history.clear();
    removedResults.clear();
    removedSweepResults.clear();
    removedDecisionResults.clear();
    catalog = std::move(content.catalog);
    ownSite = std::move(content.site);
    documents = std::move(content.documents);
    const QScopedValueRollback quiet(settling, true); // what a form still holds belongs to what was there before
    emit q.projectChanged();
}

void Workspace::Private::adopt(std::unique_ptr<ProjectThread> opened, ProjectContent content)
{
    reading.reset();
    project = std::move(opened);
    show(std::move(content));
}

Expected<void> Workspace::Private::adopt(ProjectThread::Opener opener)
{
    ProjectOpening opening(std::move(opener));
    opening.wait();
    return q.adopt(opening);
}

Expected<void> Workspace::Private::writable() const
{
    if (!project)
        return refuse(ErrorCode::IoError, {}, tr("No project is open; open or create one first.").toStdString());
    if (const auto &facts = project->facts(); facts.isReadOnly)
        return refuse(ErrorCode::ReadOnly, facts.path.toStdString(),
            tr("This project is open for reading only: %1 Save a copy to edit it.")
                .arg(facts.readOnlyReason)
                .toStdString());
    return {};
}

Expected<void> Workspace::Private::execute(std::unique_ptr<EditCommand> command)
{
    if (auto ok = writable(); !ok)
        return ok;
    const QScopedValueRollback quiet(settling, true); // pages follow the edit while it is under way
    return history.execute(std::move(command));
}

std::unique_ptr<EditCommand> Workspace::Private::edit(
    SavedPlan before, SavedPlan after, const QString &mergeKey, std::optional<SavedResult> result)
{
    const auto first = [this, result = std::move(result)](
                           const std::optional<SavedPlan> &from, std::optional<SavedPlan> &to) mutable {
        const auto answer = std::exchange(result, std::nullopt);
        if (!answer)
            return write(from, to);
        const auto id = project->call(&Project::savePlan, *to, answer);
        if (!id)
            return Expected<void>(std::unexpected(id.error()));
        place(*to);
        return Expected<void>();
    };
    return std::make_unique<RowEdit<SavedPlan>>(
        history.replay(), first, std::move(before), std::move(after), history.keyInSession(mergeKey));
}

Workspace::Workspace(QObject *parent) : QObject(parent), d(std::make_unique<Private>(*this))
{
    connect(&d->history, &EditHistory::saved, this, &Workspace::saved);
    connect(&d->history, &EditHistory::failed, this, &Workspace::failed);
    const auto forgetSite = [this] { d->ownSite.reset(); };
    connect(this, &Workspace::measuredRunsReplaced, this, forgetSite);
    connect(this, &Workspace::measuredRunChanged, this, forgetSite);
    connect(this, &Workspace::catalogChanged, this, forgetSite);
}

Workspace::~Workspace() = default;

void Workspace::settle()
{
    if (d->settling)
        return;
    const QScopedValueRollback handingIn(d->settling, true);
    emit settleRequested();
}

Expected<void> Workspace::open(const QString &path)
{
    // Nothing to do where it is open for writing; a read-only one may be open to writing by now.
    if (isOpenForWriting(path))
        return {};
    settle();
    return d->adopt([path] { return Project::open(path); });
}

bool Workspace::isOpenForWriting(const QString &path) { return writes(path) && !changedElsewhere(); }

bool Workspace::writes(const QString &path) const
{
    return isOpen() && !isReadOnly() && QFileInfo(path) == QFileInfo(this->path());
}

Expected<void> Workspace::adopt(ProjectOpening &opening)
{
    if (!opening.outcome())
        return opening.outcome();
    auto [thread, content] = opening.take();
    const bool wasWritten = writes(thread->facts().path);
    d->adopt(std::move(thread), std::move(content));
    // Until now the right to write was with the one before, and so were the last edits.
    return wasWritten && (isReadOnly() || changedElsewhere())
        ? d->adopt([path = path()] { return Project::open(path); })
        : Expected<void>();
}

bool Workspace::canBeTakenOver() const { return d->project && d->project->facts().mayBeTakenOver; }

Expected<void> Workspace::takeOver()
{
    return d->project ? d->adopt([path = path()] { return Project::open(path, storage::OpenMode::TakeOver); })
                      : Expected<void>();
}

std::optional<storage::ProjectUpgrade> Workspace::upgraded() const
{
    return d->project ? d->project->facts().upgraded : std::nullopt;
}

std::vector<Error> Workspace::alteredItems() const
{
    return d->project ? d->project->facts().alteredItems : std::vector<Error>();
}

bool Workspace::changedElsewhere()
{
    if (d->project && d->project->call(&Project::changedElsewhere).value_or(false)) // which says it once
        d->isBehind = true;
    return d->isBehind;
}

std::vector<storage::Version> Workspace::versions() const
{
    return d->project ? storage::versionsOf(path()) : std::vector<storage::Version>();
}

Expected<void> Workspace::restoreVersion(const QString &version)
{
    settle();
    if (auto ok = d->writable(); !ok)
        return ok;
    if (auto restored = d->project->call(&Project::restoreVersion, version); !restored)
        return restored;
    emit saved();
    auto shown = reload();
    if (!shown)
        close(); // what is shown is no longer what the file holds
    return shown;
}

Expected<void> Workspace::saveVersion(const QString &version, const QString &path) const
{
    const auto kept = storage::Project::open(version, storage::OpenMode::ReadOnly);
    return kept ? (*kept)->saveCopy(path) : std::unexpected(kept.error());
}

Expected<void> Workspace::createProject(const QString &path)
{
    settle();
    return d->adopt([path] { return Project::create(path); });
}

Expected<void> Workspace::createSample(const QString &path, storage::ShippedProject sample)
{
    settle();
    return d->adopt([path, sample] { return Project::createSample(path, sample); });
}

Expected<void> Workspace::saveCopy(const QString &path)
{
    if (!d->project)
        return refuse(ErrorCode::IoError, {}, tr("No project is open, so there is nothing to copy.").toStdString());
    if (QFileInfo(path) == QFileInfo(this->path()))
        return refuse(ErrorCode::IoError, path.toStdString(),
            tr("The copy needs another name than the open project; every "
               "edit is already saved there.")
                .toStdString());
    settle();
    return d->project->call(&Project::saveCopy, path);
}

void Workspace::close()
{
    if (!d->project)
        return;
    settle();
    d->history.clear();
    d->reading.reset();
    d->project.reset();
    d->isBehind = false;
    d->ownSite.reset();
    d->catalog = std::make_shared<const Catalog>();
    d->documents = {};
    const QScopedValueRollback quiet(d->settling, true);
    emit projectChanged();
}

bool Workspace::isOpen() const { return d->project != nullptr; }

bool Workspace::isReadOnly() const { return d->project && d->project->facts().isReadOnly; }

QString Workspace::readOnlyReason() const { return d->project ? d->project->facts().readOnlyReason : QString(); }

QString Workspace::path() const { return d->project ? d->project->facts().path : QString(); }

QString Workspace::projectName() const { return QFileInfo(path()).completeBaseName(); }

Expected<storage::ProjectCopy> Workspace::projectCopy() const
{
    if (!d->project)
        return refuse(ErrorCode::MissingField, {}, "Open or create a project first.");
    return d->project->call([this](const Project &project) { return storage::copyOf(project, d->catalog); });
}

std::shared_ptr<const Catalog> Workspace::catalog() const { return d->catalog; }

const std::vector<SavedPlan> &Workspace::plans() const { return d->kept<PlanDocument>().rows; }

const std::vector<SavedFleet> &Workspace::fleets() const { return d->kept<FleetDocument>().rows; }

const std::vector<SavedSweep> &Workspace::sweeps() const { return d->kept<SweepDocument>().rows; }

const std::vector<SavedStudy> &Workspace::studies() const { return d->kept<StudyDocument>().rows; }

const std::vector<SavedLedgerEntry> &Workspace::ledger() const { return d->kept<LedgerEntry>().rows; }
const std::vector<SavedOffer> &Workspace::offers() const { return d->kept<OfferDocument>().rows; }

std::shared_ptr<const jobs::LearntSite> Workspace::ownSite() const
{
    if (!d->ownSite)
        d->ownSite = siteOf(d->kept<validation::MeasuredRun>(), d->catalog);
    return d->ownSite;
}

const SavedPlan *Workspace::plan(RowId id) const { return d->find<PlanDocument>(id); }

const SavedFleet *Workspace::fleet(RowId id) const { return d->find<FleetDocument>(id); }

const SavedSweep *Workspace::sweep(RowId id) const { return d->find<SweepDocument>(id); }

const SavedStudy *Workspace::study(RowId id) const { return d->find<StudyDocument>(id); }

const SavedLedgerEntry *Workspace::ledgerEntry(RowId id) const { return d->find<LedgerEntry>(id); }
const SavedOffer *Workspace::offer(RowId id) const { return d->find<OfferDocument>(id); }

Expected<RowId> Workspace::addPlan(const PlanDocument &document) { return d->add(document); }

Expected<void> Workspace::editPlan(
    RowId id, const PlanDocument &document, const QString &mergeKey, std::optional<SavedResult> result)
{
    settle();
    const auto *before = plan(id);
    if (!before)
        return refuse(ErrorCode::UnknownReference, {}, tr("This plan is no longer in the project.").toStdString());
    if (before->document == document)
        return result ? saveResult(id, *result) : Expected<void>();
    return d->execute(d->withSets(
        d->edit(*before, SavedPlan{id, document}, mergeKey, std::move(result)), before->document, &document, mergeKey));
}

Expected<void> Workspace::editPlans(const std::vector<SavedPlan> &plans)
{
    settle();
    std::vector<SavedPlan> before, after;
    for (const auto &edited : plans) {
        const auto *kept = plan(edited.id);
        if (!kept)
            return refuse(ErrorCode::UnknownReference, {}, tr("A plan is no longer in the project.").toStdString());
        if (kept->document == edited.document)
            continue;
        before.push_back(*kept);
        after.push_back(edited);
        after.back().document.name = kept->document.name;
    }
    if (after.size() == 1)
        return editPlan(after.front().id, after.front().document);
    return after.empty() ? Expected<void>()
                         : d->execute(d->edit<std::vector<SavedPlan>>(std::move(before), std::move(after)));
}

/// All of them stay in the project.
Expected<void> Workspace::Private::write(
    const std::optional<std::vector<SavedPlan>> &, std::optional<std::vector<SavedPlan>> &to)
{
    if (auto ok = project->call(&Project::savePlans, *to); !ok)
        return ok;
    for (const auto &saved : *to)
        place(saved);
    return {};
}

Expected<void> Workspace::removePlan(RowId id) { return d->remove<PlanDocument>(id); }

Expected<RowId> Workspace::addFleet(const FleetDocument &document) { return d->add(document); }

Expected<void> Workspace::editFleet(RowId id, const FleetDocument &document, const QString &mergeKey)
{
    return d->change(id, document, mergeKey, tr("This fleet is no longer in the project."));
}

Expected<void> Workspace::removeFleet(RowId id) { return d->remove<FleetDocument>(id); }

Expected<RowId> Workspace::addSweep(const SweepDocument &document) { return d->add(document); }

Expected<void> Workspace::editSweep(RowId id, const SweepDocument &document, const QString &mergeKey)
{
    return d->change(id, document, mergeKey, tr("This sweep is no longer in the project."));
}

Expected<void> Workspace::removeSweep(RowId id) { return d->remove<SweepDocument>(id); }

Expected<RowId> Workspace::addStudy(const StudyDocument &document)
{
    const auto shipped = storage::shippedStudies();
    if (!shipped)
        return std::unexpected(shipped.error());
    const bool taken = std::ranges::find(*shipped, document.id, &StudyDocument::id) != shipped->end()
        || std::ranges::any_of(
            studies(), [&](const storage::SavedStudy &saved) { return saved.document.id == document.id; });
    if (taken)
        return refuse(ErrorCode::UnsupportedValue, "id",
            "There is a study with the id \u201c" + document.id + "\u201d already; give the new one another id.");
    return d->add(document);
}

Expected<void> Workspace::removeStudy(RowId id) { return d->remove<StudyDocument>(id); }

Expected<RowId> Workspace::addLedgerEntry(const LedgerEntry &document) { return d->add(document); }

Expected<void> Workspace::editLedgerEntry(RowId id, const LedgerEntry &document, const QString &mergeKey)
{
    return d->change(id, document, mergeKey, tr("This ledger entry is no longer in the project."));
}

Expected<void> Workspace::removeLedgerEntry(RowId id) { return d->remove<LedgerEntry>(id); }

Expected<RowId> Workspace::addOffer(const OfferDocument &document) { return d->add(document); }

Expected<void> Workspace::editOffer(RowId id, const OfferDocument &document, const QString &mergeKey)
{
    return d->change(id, document, mergeKey, tr("This offer is no longer in the project."));
}

Expected<void> Workspace::removeOffer(RowId id) { return d->remove<OfferDocument>(id); }

Expected<void> Workspace::saveResult(RowId plan, const SavedResult &result)
{
    if (auto ok = d->writable(); !ok)
        return ok;
    if (const auto stored = this->result(plan);
        stored && stored->inputHash == result.inputHash && stored->estimateJson == result.estimateJson)
        return {};
    if (auto ok = d->project->call(&Project::saveResult, plan, result); !ok)
        return ok;
    emit resultSaved(plan);
    emit saved();
    return {};
}

std::optional<SavedResult> Workspace::result(RowId plan) const
{
    if (!d->project)
        return std::nullopt;
    auto stored = d->project->call(&Project::result, plan);
    return stored ? std::move(*stored) : std::nullopt;
}

Expected<void> Workspace::saveSweepResult(RowId sweep, const SavedSweepResult &result)
{
    if (auto ok = d->writable(); !ok)
        return ok;
    if (auto ok = d->project->call(&Project::saveSweepResult, sweep, result); !ok)
        return ok;
    emit sweepResultSaved(sweep);
    emit saved();
    return {};
}

std::optional<SavedSweepResult> Workspace::sweepResult(RowId sweep) const
{
    if (!d->project)
        return std::nullopt;
    auto stored = d->project->call(&Project::sweepResult, sweep);
    return stored ? std::move(*stored) : std::nullopt;
}

Expected<std::optional<StudyProgress>> Workspace::studyProgress(const std::string &study) const
{
    if (!d->project)
        return std::nullopt;
    return d->project->call(&Project::studyProgress, study);
}

Expected<void> Workspace::saveStudyProgress(const StudyProgress &progress)
{
    if (auto ok = d->writable(); !ok)
        return ok;
    if (auto ok = d->project->call(&Project::saveStudyProgress, progress); !ok)
        return ok;
    emit studyProgressChanged(QString::fromStdString(progress.studyId));
    emit saved();
    return {};
}

Expected<void> Workspace::removeStudyProgress(const std::string &study)
{
    if (auto ok = d->writable(); !ok)
        return ok;
    if (auto ok = d->project->call(&Project::removeStudyProgress, study); !ok)
        return ok;
    emit studyProgressChanged(QString::fromStdString(study));
    emit saved();
    return {};
}

void Workspace::undo()
{
    settle();
    const QScopedValueRollback quiet(d->settling, true);
    d->history.undo();
}

void Workspace::redo()
{
    settle();
    const QScopedValueRollback quiet(d->settling, true);
    d->history.redo();
}

QString Workspace::approvalUndoneBy(int steps) const
{
    const auto *stack = undoStack();
    for (int step = stack->index(); step > std::max(steps, 0); --step)
        if (const auto *edit = dynamic_cast<const EditCommand *>(stack->command(step - 1)); edit && edit->isApproval())
            return stack->text(step - 1);
    return {};
}

const QUndoStack *Workspace::undoStack() const { return &d->history.stack(); }

QAction *Workspace::createUndoAction(QObject *parent, const QString &prefix)
{
    auto *action = undoStack()->createUndoAction(parent, prefix);
    action->disconnect(undoStack()); // which would not ask the forms first
    connect(action, &QAction::triggered, this, &Workspace::undo);
    return action;
}

QAction *Workspace::createRedoAction(QObject *parent, const QString &prefix)
{
    auto *action = undoStack()->createRedoAction(parent, prefix);
    action->disconnect(undoStack());
    connect(action, &QAction::triggered, this, &Workspace::redo);
    return action;
}

} // namespace fleetwright::app
