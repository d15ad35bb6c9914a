// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/workspace.h"

#include "app/workspace/documentkinds.h"
#include "app/workspace/editcommand.h"
#include "domain/catalogusage.h"
#include "storage/shippedstudies.h"

#include <QFileInfo>

#include <algorithm>
#include <map>
#include <tuple>

namespace fleetwright::app {

using storage::Project;
using storage::RowId;
using storage::SavedDocument;
using storage::SavedFleet;
using storage::SavedLedgerEntry;
using storage::SavedMeasuredRun;
using storage::SavedPlan;
using storage::SavedResult;
using storage::SavedStudy;
using storage::SavedSweep;
using storage::SavedSweepResult;

namespace {

template <class Range> auto position(Range &rows, RowId id)
{
    return std::ranges::find(rows, id, &std::ranges::range_value_t<Range>::id);
}

std::string listed(const QStringList &names)
{
    constexpr int shown = 5;
    QString text = names.mid(0, shown).join(QStringLiteral(", "));
    if (names.size() > shown)
        text += Workspace::tr(" and %1 more").arg(names.size() - shown);
    return text.toStdString();
}

} // namespace

class Workspace::Private {
public:
    explicit Private(Workspace &owner) : q(owner) { }

    [[nodiscard]] Expected<void> adopt(Expected<std::unique_ptr<storage::Project>> opened);
    [[nodiscard]] Expected<void> writable() const;
    [[nodiscard]] Expected<void> execute(std::unique_ptr<EditCommand> command);
    void replay(EditCommand &command, bool forward);
    void repairIndex();

    template <class Row>
    std::unique_ptr<RowEdit<Row>> edit(
        std::optional<Row> before, std::optional<Row> after, const QString &mergeKey = {});

    template <class Document> [[nodiscard]] Rows<Document> &kept() { return std::get<Rows<Document>>(documents); }
    template <class Document> [[nodiscard]] const SavedDocument<Document> *find(RowId id);
    template <class Document> [[nodiscard]] Expected<RowId> add(const Document &document);
    template <class Document>
    [[nodiscard]] Expected<void> change(
        RowId id, const Document &document, const QString &mergeKey, const QString &gone);
    template <class Document> [[nodiscard]] Expected<void> remove(RowId id);

    template <class Document>
    [[nodiscard]] Expected<void> write(
        const std::optional<SavedDocument<Document>> &from, std::optional<SavedDocument<Document>> &to);
    [[nodiscard]] Expected<void> write(
        const std::optional<std::vector<SavedMeasuredRun>> &from, std::optional<std::vector<SavedMeasuredRun>> &to);
    [[nodiscard]] Expected<void> write(const std::optional<CatalogRecord> &from, std::optional<CatalogRecord> &to);
    [[nodiscard]] Expected<void> write(
        const std::optional<std::vector<CatalogRecord>> &from, std::optional<std::vector<CatalogRecord>> &to);

    Workspace &q;
    QUndoStack undoStack;
    std::unique_ptr<storage::Project> project;
    std::shared_ptr<const Catalog> catalog = std::make_shared<const Catalog>();
    using Documents = std::tuple<Rows<PlanDocument>, Rows<FleetDocument>, Rows<SweepDocument>, Rows<StudyDocument>,
        Rows<LedgerEntry>, Rows<validation::MeasuredRun>>;
    Documents documents;
    std::map<RowId, SavedResult> removedResults; ///< of removed plans
    std::map<RowId, SavedSweepResult> removedSweepResults;

private:
    template <class Document> void takeOut(RowId id);
    template <class Document> void place(const SavedDocument<Document> &row);
    template <class Document> void keepResult(RowId id);
    template <class Document> void restoreResult(RowId id);

    enum class Mode { Write, AlreadyWritten };
    enum class Repair { None, Redo, Undo };
    Mode m_mode = Mode::Write;
    int m_session = 0; ///< what was typed before an undo and what is typed after it are two steps
    Repair m_repair = Repair::None;
    std::optional<Error> m_failure;
};

Expected<void> Workspace::Private::adopt(Expected<std::unique_ptr<storage::Project>> opened)
{
    if (!opened)
        return std::unexpected(std::move(opened.error()));
    auto newCatalog = (*opened)->catalog();
    if (!newCatalog)
        return std::unexpected(std::move(newCatalog.error()));
    Documents newDocuments;
    std::optional<Error> unreadable;
    const auto read = [&]<class Document>(Rows<Document> &into) {
        auto rows = ((**opened).*Kind<Document>::read)();
        if (rows)
            into.rows = std::move(*rows);
        else if (!unreadable)
            unreadable = std::move(rows.error());
    };
    std::apply([&](auto &...kinds) { (read(kinds), ...); }, newDocuments);
    if (unreadable)
        return std::unexpected(std::move(*unreadable));
    undoStack.clear();
    removedResults.clear();
    removedSweepResults.clear();
    project = std::move(*opened);
    catalog = std::make_shared<const Catalog>(std::move(*newCatalog));
    documents = std::move(newDocuments);
    emit q.projectChanged();
    return {};
}

Expected<void> Workspace::Private::writable() const
{
    if (!project)
        return refuse(ErrorCode::IoError, {}, tr("No project is open; open or create one first.").toStdString());
    if (project->isReadOnly())
        return refuse(ErrorCode::ReadOnly, project->path().toStdString(),
            tr("This project is open for reading only: %1 Save a copy to edit it.")
                .arg(project->readOnlyReason())
                .toStdString());
    return {};
}

Expected<void> Workspace::Private::execute(std::unique_ptr<EditCommand> command)
{
    if (auto ok = writable(); !ok)
        return ok;
    if (auto ok = command->write(true); !ok)
        return ok;
    m_mode = Mode::AlreadyWritten;
    undoStack.push(command.release());
    m_mode = Mode::Write;
    emit q.saved();
    return {};
}

void Workspace::Private::replay(EditCommand &command, bool forward)
{
    if (m_mode == Mode::AlreadyWritten)
        return;
    if (auto ok = command.write(forward); !ok) {
        // The stack moves on regardless; repairIndex() takes it back to where memory and file are.
        m_failure = std::move(ok.error());
        m_repair = forward ? Repair::Undo : Repair::Redo;
        return;
    }
    ++m_session;
    emit q.saved();
}

void Workspace::Private::repairIndex()
{
    const auto repair = std::exchange(m_repair, Repair::None);
    if (repair == Repair::None)
        return;
    m_mode = Mode::AlreadyWritten;
    if (repair == Repair::Redo)
        undoStack.redo();
    else
        undoStack.undo();
    m_mode = Mode::Write;
    if (const auto failure = std::exchange(m_failure, std::nullopt))
        emit q.failed(*failure);
}

template <class Row>
std::unique_ptr<RowEdit<Row>> Workspace::Private::edit(
    std::optional<Row> before, std::optional<Row> after, const QString &mergeKey)
{
    return std::make_unique<RowEdit<Row>>([this](EditCommand &command, bool forward) { replay(command, forward); },
        [this](const std::optional<Row> &from, std::optional<Row> &to) { return write(from, to); }, std::move(before),
        std::move(after), mergeKey.isEmpty() ? QString() : QStringLiteral("%1 %2").arg(m_session).arg(mergeKey));
}

template <class Document> const SavedDocument<Document> *Workspace::Private::find(RowId id)
{
    auto &rows = kept<Document>().rows;
    const auto row = position(rows, id);
    return row == rows.end() ? nullptr : &*row;
}

template <class Document> Expected<RowId> Workspace::Private::add(const Document &document)
{
    if (auto ok = execute(edit<SavedDocument<Document>>(std::nullopt, SavedDocument<Document>{0, document})); !ok)
        return std::unexpected(std::move(ok.error()));
    return kept<Document>().rows.back().id;
}

template <class Document>
Expected<void> Workspace::Private::change(
    RowId id, const Document &document, const QString &mergeKey, const QString &gone)
{
    const auto *before = find<Document>(id);
    if (!before)
        return refuse(ErrorCode::UnknownReference, {}, gone.toStdString());
    if (before->document == document)
        return {};
    return execute(edit<SavedDocument<Document>>(*before, SavedDocument<Document>{id, document}, mergeKey));
}

template <class Document> Expected<void> Workspace::Private::remove(RowId id)
{
    const auto *before = find<Document>(id);
    if (!before)
        return {};
    return execute(edit<SavedDocument<Document>>(*before, std::nullopt));
}

/// Results go with their row; undoing the removal brings both back.
template <class Document> void Workspace::Private::keepResult(RowId id)
{
    if constexpr (std::is_same_v<Document, PlanDocument>) {
        if (auto result = project->result(id); result && *result)
            removedResults[id] = std::move(**result);
    } else if constexpr (std::is_same_v<Document, SweepDocument>) {
        if (auto result = project->sweepResult(id); result && *result)
            removedSweepResults[id] = std::move(**result);
    }
}

/// The row is back either way; a result that cannot be stored is computed again when it is asked for.
template <class Document> void Workspace::Private::restoreResult(RowId id)
{
    if constexpr (std::is_same_v<Document, PlanDocument>) {
        if (const auto result = removedResults.find(id); result != removedResults.end())
            std::ignore = project->saveResult(id, result->second);
    } else if constexpr (std::is_same_v<Document, SweepDocument>) {
        if (const auto result = removedSweepResults.find(id); result != removedSweepResults.end())
            std::ignore = project->saveSweepResult(id, result->second);
    }
}

/// The row leaves memory, after it has left the file.
template <class Document> void Workspace::Private::takeOut(RowId id)
{
    auto &[rows, removed] = kept<Document>();
    const auto row = position(rows, id);
    const auto index = std::size_t(row - rows.begin());
    removed[id] = index;
    rows.erase(row);
    emit(q.*Kind<Document>::removed)(int(index));
}

/// The row as it is in the file takes its place in memory.
template <class Document> void Workspace::Private::place(const SavedDocument<Document> &saved)
{
    auto &[rows, removed] = kept<Document>();
    if (const auto row = position(rows, saved.id); row != rows.end()) {
        *row = saved;
        emit(q.*Kind<Document>::changed)(int(row - rows.begin()));
        return;
    }
    const auto stood = removed.find(saved.id);
    const auto index = stood == removed.end() ? rows.size() : std::min(stood->second, rows.size());
    restoreResult<Document>(saved.id);
    rows.insert(rows.begin() + std::ptrdiff_t(index), saved);
    emit(q.*Kind<Document>::inserted)(int(index));
}

template <class Document>
Expected<void> Workspace::Private::write(
    const std::optional<SavedDocument<Document>> &from, std::optional<SavedDocument<Document>> &to)
{
    if (!to) {
        keepResult<Document>(from->id);
        if (auto ok = ((*project).*Kind<Document>::remove)(from->id); !ok)
            return ok;
        takeOut<Document>(from->id);
        return {};
    }
    const auto id = ((*project).*Kind<Document>::save)(*to);
    if (!id)
        return std::unexpected(id.error());
    to->id = *id;
    place(*to);
    return {};
}

/// All of them are added or all of them removed.
Expected<void> Workspace::Private::write(
    const std::optional<std::vector<SavedMeasuredRun>> &from, std::optional<std::vector<SavedMeasuredRun>> &to)
{
    if (to) {
        const auto ids = project->saveMeasuredRuns(*to);
        if (!ids)
            return std::unexpected(ids.error());
        for (std::size_t i = 0; i < ids->size(); ++i) {
            (*to)[i].id = (*ids)[i];
            place((*to)[i]);
        }
        return {};
    }
    std::vector<RowId> ids;
    for (const auto &run : *from)
        ids.push_back(run.id);
    if (auto ok = project->removeMeasuredRuns(ids); !ok)
        return ok;
    for (auto id = ids.rbegin(); id != ids.rend(); ++id) // so that each returns to its own place, first to last
        takeOut<validation::MeasuredRun>(*id);
    return {};
}

Expected<void> Workspace::Private::write(const std::optional<CatalogRecord> &from, std::optional<CatalogRecord> &to)
{
    if (auto ok = to ? project->saveRecord(*to) : project->removeRecord(from->kind, from->id); !ok)
        return ok;
    // Whoever holds the old snapshot (a running job) keeps it unchanged.
    auto next = std::make_shared<Catalog>(*catalog);
    if (to)
        next->insert(*to);
    else
        next->remove(from->kind, from->id);
    catalog = std::move(next);
    emit q.catalogChanged(to ? to->kind : from->kind);
    return {};
}

Expected<void> Workspace::Private::write(
    const std::optional<std::vector<CatalogRecord>> &from, std::optional<std::vector<CatalogRecord>> &to)
{
    if (auto ok = project->replaceRecords(*from, *to); !ok)
        return ok;
    auto next = std::make_shared<Catalog>(*catalog);
    for (const auto &record : *from)
        next->remove(record.kind, record.id);
    for (const auto &record : *to)
        next->insert(record);
    catalog = std::move(next);
    emit q.catalogChanged(CatalogKind::CalibrationConstant);
    return {};
}

Workspace::Workspace(QObject *parent) : QObject(parent), d(std::make_unique<Private>(*this))
{
    connect(&d->undoStack, &QUndoStack::indexChanged, this, [this] { d->repairIndex(); });
}

Workspace::~Workspace()
{
    d->undoStack.disconnect(this); // the stack announces its own end
}

Expected<void> Workspace::open(const QString &path)
{
    // A second connection of our own would find the project in use and open it read-only.
    if (d->project && QFileInfo(path) == QFileInfo(d->project->path()))
        return {};
    return d->adopt(storage::Project::open(path));
}

Expected<void> Workspace::createProject(const QString &path) { return d->adopt(storage::Project::create(path)); }

Expected<void> Workspace::createSample(const QString &path) { return d->adopt(storage::Project::createSample(path)); }

Expected<void> Workspace::saveCopy(const QString &path)
{
    if (!d->project)
        return refuse(ErrorCode::IoError, {}, tr("No project is open, so there is nothing to copy.").toStdString());
    if (QFileInfo(path) == QFileInfo(d->project->path()))
        return refuse(ErrorCode::IoError, path.toStdString(),
            tr("The copy needs another name than the open project; every edit is already saved there.").toStdString());
    return d->project->saveCopy(path);
}

void Workspace::close()
{
    if (!d->project)
        return;
    d->undoStack.clear();
    d->project.reset();
    d->catalog = std::make_shared<const Catalog>();
    d->documents = {};
    emit projectChanged();
}

bool Workspace::isOpen() const { return d->project != nullptr; }

bool Workspace::isReadOnly() const { return d->project && d->project->isReadOnly(); }

QString Workspace::readOnlyReason() const { return d->project ? d->project->readOnlyReason() : QString(); }

QString Workspace::path() const { return d->project ? d->project->path() : QString(); }

QString Workspace::projectName() const { return QFileInfo(path()).completeBaseName(); }

std::shared_ptr<const Catalog> Workspace::catalog() const { return d->catalog; }

const std::vector<SavedPlan> &Workspace::plans() const { return d->kept<PlanDocument>().rows; }

const std::vector<SavedFleet> &Workspace::fleets() const { return d->kept<FleetDocument>().rows; }

const std::vector<SavedSweep> &Workspace::sweeps() const { return d->kept<SweepDocument>().rows; }

const std::vector<SavedStudy> &Workspace::studies() const { return d->kept<StudyDocument>().rows; }

const std::vector<SavedLedgerEntry> &Workspace::ledger() const { return d->kept<LedgerEntry>().rows; }

const std::vector<SavedMeasuredRun> &Workspace::measuredRuns() const { return d->kept<validation::MeasuredRun>().rows; }

const SavedPlan *Workspace::plan(RowId id) const { return d->find<PlanDocument>(id); }

const SavedFleet *Workspace::fleet(RowId id) const { return d->find<FleetDocument>(id); }

const SavedSweep *Workspace::sweep(RowId id) const { return d->find<SweepDocument>(id); }

const SavedStudy *Workspace::study(RowId id) const { return d->find<StudyDocument>(id); }

const SavedLedgerEntry *Workspace::ledgerEntry(RowId id) const { return d->find<LedgerEntry>(id); }

Expected<RowId> Workspace::addPlan(const PlanDocument &document) { return d->add(document); }

Expected<void> Workspace::editPlan(RowId id, const PlanDocument &document, const QString &mergeKey)
{
    return d->change(id, document, mergeKey, tr("This plan is no longer in the project."));
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

Expected<void> Workspace::addMeasuredRuns(const std::vector<validation::MeasuredRun> &runs)
{
    std::vector<SavedMeasuredRun> rows;
    for (const auto &run : runs)
        rows.push_back({0, run});
    return rows.empty() ? Expected<void>()
                        : d->execute(d->edit<std::vector<SavedMeasuredRun>>(std::nullopt, std::move(rows)));
}

Expected<void> Workspace::editMeasuredRun(RowId id, const validation::MeasuredRun &run, const QString &mergeKey)
{
    return d->change(id, run, mergeKey, tr("This measured run is no longer in the project."));
}

Expected<void> Workspace::removeMeasuredRuns(const std::vector<RowId> &ids)
{
    std::vector<SavedMeasuredRun> rows;
    for (const auto &run : measuredRuns()) // in their order, so that undo gives each its place back
        if (std::ranges::find(ids, run.id) != ids.end())
            rows.push_back(run);
    return rows.empty() ? Expected<void>()
                        : d->execute(d->edit<std::vector<SavedMeasuredRun>>(std::move(rows), std::nullopt));
}

Expected<void> Workspace::applyCalibration(const std::vector<CatalogRecord> &constants)
{
    std::vector<CatalogRecord> before;
    for (const auto &record : d->catalog->records(CatalogKind::CalibrationConstant))
        if (!record.shipped && std::ranges::any_of(constants, [&](const CatalogRecord &constant) {
                return constant.text("constant") == record.text("constant") || constant.id == record.id;
            }))
            before.push_back(record);
    return constants.empty() || before == constants
        ? Expected<void>()
        : d->execute(d->edit<std::vector<CatalogRecord>>(std::move(before), constants));
}

Expected<void> Workspace::saveRecord(const CatalogRecord &record)
{
    const auto *before = d->catalog->find(record.kind, record.id);
    if (record.shipped || (before && before->shipped))
        return refuse(ErrorCode::ReadOnly, "id",
            tr("\u201c%1\u201d came with the program and cannot be changed; duplicate it and change the copy.")
                .arg(QString::fromStdString(record.name))
                .toStdString());
    if (auto ok = d->catalog->check(record); !ok)
        return ok;
    if (before && *before == record)
        return {};
    return d->execute(d->edit<CatalogRecord>(before ? std::optional(*before) : std::nullopt, record));
}

Expected<void> Workspace::removeRecord(CatalogKind kind, const std::string &id)
{
    const auto *before = d->catalog->find(kind, id);
    if (!before)
        return {};
    const auto name = QString::fromStdString(before->name);
    if (before->shipped)
        return refuse(ErrorCode::ReadOnly, "id",
            tr("\u201c%1\u201d came with the program and cannot be deleted.").arg(name).toStdString());
    QStringList users;
    for (const auto &saved : plans())
        if (uses(saved.document, kind, id))
            users << tr("plan \u201c%1\u201d").arg(QString::fromStdString(saved.document.name));
    for (const auto &saved : fleets())
        if (uses(saved.document, kind, id))
            users << tr("fleet \u201c%1\u201d").arg(QString::fromStdString(saved.document.name));
    for (const auto &saved : sweeps())
        if (uses(saved.document, kind, id))
            users << tr("sweep \u201c%1\u201d").arg(QString::fromStdString(saved.document.name));
    for (const auto &user : d->catalog->usersOf(kind, id))
        users << tr("catalog item \u201c%1\u201d").arg(QString::fromStdString(user));
    if (!users.isEmpty())
        return refuse(ErrorCode::UnknownReference, "id",
            tr("\u201c%1\u201d is used by %2; change those first, then delete it.")
                .arg(name, QString::fromStdString(listed(users)))
                .toStdString());
    return d->execute(d->edit<CatalogRecord>(*before, std::nullopt));
}

Expected<void> Workspace::saveResult(RowId plan, const SavedResult &result)
{
    if (auto ok = d->writable(); !ok)
        return ok;
    if (const auto stored = this->result(plan);
        stored && stored->inputHash == result.inputHash && stored->estimateJson == result.estimateJson)
        return {};
    if (auto ok = d->project->saveResult(plan, result); !ok)
        return ok;
    emit resultSaved(plan);
    emit saved();
    return {};
}

std::optional<SavedResult> Workspace::result(RowId plan) const
{
    if (!d->project)
        return std::nullopt;
    auto stored = d->project->result(plan);
    return stored ? std::move(*stored) : std::nullopt;
}

Expected<void> Workspace::saveSweepResult(RowId sweep, const SavedSweepResult &result)
{
    if (auto ok = d->writable(); !ok)
        return ok;
    if (auto ok = d->project->saveSweepResult(sweep, result); !ok)
        return ok;
    emit sweepResultSaved(sweep);
    emit saved();
    return {};
}

std::optional<SavedSweepResult> Workspace::sweepResult(RowId sweep) const
{
    if (!d->project)
        return std::nullopt;
    auto stored = d->project->sweepResult(sweep);
    return stored ? std::move(*stored) : std::nullopt;
}

Expected<std::optional<StudyProgress>> Workspace::studyProgress(const std::string &study) const
{
    if (!d->project)
        return std::nullopt;
    return d->project->studyProgress(study);
}

Expected<void> Workspace::saveStudyProgress(const StudyProgress &progress)
{
    if (auto ok = d->writable(); !ok)
        return ok;
    if (auto ok = d->project->saveStudyProgress(progress); !ok)
        return ok;
    emit studyProgressChanged(QString::fromStdString(progress.studyId));
    emit saved();
    return {};
}

Expected<void> Workspace::removeStudyProgress(const std::string &study)
{
    if (auto ok = d->writable(); !ok)
        return ok;
    if (auto ok = d->project->removeStudyProgress(study); !ok)
        return ok;
    emit studyProgressChanged(QString::fromStdString(study));
    emit saved();
    return {};
}

QUndoStack *Workspace::undoStack() { return &d->undoStack; }

} // namespace fleetwright::app
