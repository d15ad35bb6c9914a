// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/workspace.h"

#include "app/workspace/editcommand.h"

#include <QFileInfo>

#include <algorithm>
#include <map>
#include <tuple>

namespace fleetwright::app {

using storage::RowId;
using storage::SavedFleet;
using storage::SavedPlan;
using storage::SavedResult;

namespace {

template <class Rows> auto position(Rows &rows, RowId id)
{
    return std::ranges::find(rows, id, &std::ranges::range_value_t<Rows>::id);
}

std::string listed(const QStringList &names)
{
    constexpr int shown = 5;
    QString text = names.mid(0, shown).join(QStringLiteral(", "));
    if (names.size() > shown)
        text += Workspace::tr(" and %1 more").arg(names.size() - shown);
    return text.toStdString();
}

bool refersTo(const ItemReference &reference, const std::string &id)
{
    const auto *name = std::get_if<std::string>(&reference);
    return name && *name == id;
}

bool uses(const FleetDocument &fleet, CatalogKind kind, const std::string &id)
{
    switch (kind) {
    case CatalogKind::Node: return refersTo(fleet.node, id);
    case CatalogKind::Fabric: return refersTo(fleet.fabric, id);
    case CatalogKind::Facility: return fleet.facility == id;
    case CatalogKind::Grid: return fleet.grid == id;
    default: return false;
    }
}

bool uses(const PlanDocument &plan, CatalogKind kind, const std::string &id)
{
    return kind == CatalogKind::Workload ? refersTo(plan.workload, id) : uses(plan.fleet, kind, id);
}

} // namespace

class Workspace::Private {
public:
    explicit Private(Workspace &owner) : q(owner) {}

    [[nodiscard]] Expected<void> adopt(Expected<std::unique_ptr<storage::Project>> opened);
    [[nodiscard]] Expected<void> writable() const;
    [[nodiscard]] Expected<void> execute(std::unique_ptr<EditCommand> command);
    void replay(EditCommand &command, bool forward);
    void repairIndex();

    template <class Row> std::unique_ptr<RowEdit<Row>> edit(std::optional<Row> before, std::optional<Row> after, const QString &mergeKey = {});

    [[nodiscard]] Expected<void> write(const std::optional<SavedPlan> &from, std::optional<SavedPlan> &to);
    [[nodiscard]] Expected<void> write(const std::optional<SavedFleet> &from, std::optional<SavedFleet> &to);
    [[nodiscard]] Expected<void> write(const std::optional<CatalogRecord> &from, std::optional<CatalogRecord> &to);

    Workspace &q;
    QUndoStack undoStack;
    std::unique_ptr<storage::Project> project;
    std::shared_ptr<const Catalog> catalog = std::make_shared<const Catalog>();
    std::vector<SavedPlan> plans;
    std::vector<SavedFleet> fleets;
    std::map<RowId, std::size_t> removedPlans, removedFleets; ///< where they stood, for undo
    std::map<RowId, SavedResult> removedResults;

private:
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
    auto newPlans = (*opened)->plans();
    if (!newPlans)
        return std::unexpected(std::move(newPlans.error()));
    auto newFleets = (*opened)->fleets();
    if (!newFleets)
        return std::unexpected(std::move(newFleets.error()));
    undoStack.clear();
    removedPlans.clear();
    removedFleets.clear();
    removedResults.clear();
    project = std::move(*opened);
    catalog = std::make_shared<const Catalog>(std::move(*newCatalog));
    plans = std::move(*newPlans);
    fleets = std::move(*newFleets);
    emit q.projectChanged();
    return {};
}

Expected<void> Workspace::Private::writable() const
{
    if (!project)
        return refuse(ErrorCode::IoError, {}, tr("No project is open; open or create one first.").toStdString());
    if (project->isReadOnly())
        return refuse(ErrorCode::ReadOnly, project->path().toStdString(),
            tr("This project is open for reading only: %1 Save a copy to edit it.").arg(project->readOnlyReason()).toStdString());
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
std::unique_ptr<RowEdit<Row>> Workspace::Private::edit(std::optional<Row> before, std::optional<Row> after, const QString &mergeKey)
{
    return std::make_unique<RowEdit<Row>>([this](EditCommand &command, bool forward) { replay(command, forward); },
        [this](const std::optional<Row> &from, std::optional<Row> &to) { return write(from, to); }, std::move(before), std::move(after),
        mergeKey.isEmpty() ? QString() : QStringLiteral("%1 %2").arg(m_session).arg(mergeKey));
}

Expected<void> Workspace::Private::write(const std::optional<SavedPlan> &from, std::optional<SavedPlan> &to)
{
    if (!to) {
        auto result = project->result(from->id);
        if (auto ok = project->removePlan(from->id); !ok)
            return ok;
        const auto row = position(plans, from->id);
        const auto index = std::size_t(row - plans.begin());
        removedPlans[from->id] = index;
        if (result && *result)
            removedResults[from->id] = std::move(**result);
        plans.erase(row);
        emit q.planRemoved(int(index));
        return {};
    }
    const auto id = project->savePlan(*to);
    if (!id)
        return std::unexpected(id.error());
    to->id = *id;
    if (const auto row = position(plans, *id); row != plans.end()) {
        *row = *to;
        emit q.planChanged(int(row - plans.begin()));
        return {};
    }
    const auto removed = removedPlans.find(*id);
    const auto index = removed == removedPlans.end() ? plans.size() : std::min(removed->second, plans.size());
    if (const auto result = removedResults.find(*id); result != removedResults.end())
        // The plan is back either way; a result that cannot be stored is computed again when the plan is shown.
        std::ignore = project->saveResult(*id, result->second);
    plans.insert(plans.begin() + std::ptrdiff_t(index), *to);
    emit q.planInserted(int(index));
    return {};
}

Expected<void> Workspace::Private::write(const std::optional<SavedFleet> &from, std::optional<SavedFleet> &to)
{
    if (!to) {
        if (auto ok = project->removeFleet(from->id); !ok)
            return ok;
        const auto row = position(fleets, from->id);
        const auto index = std::size_t(row - fleets.begin());
        removedFleets[from->id] = index;
        fleets.erase(row);
        emit q.fleetRemoved(int(index));
        return {};
    }
    const auto id = project->saveFleet(*to);
    if (!id)
        return std::unexpected(id.error());
    to->id = *id;
    if (const auto row = position(fleets, *id); row != fleets.end()) {
        *row = *to;
        emit q.fleetChanged(int(row - fleets.begin()));
        return {};
    }
    const auto removed = removedFleets.find(*id);
    const auto index = removed == removedFleets.end() ? fleets.size() : std::min(removed->second, fleets.size());
    fleets.insert(fleets.begin() + std::ptrdiff_t(index), *to);
    emit q.fleetInserted(int(index));
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
    d->plans.clear();
    d->fleets.clear();
    emit projectChanged();
}

bool Workspace::isOpen() const { return d->project != nullptr; }

bool Workspace::isReadOnly() const { return d->project && d->project->isReadOnly(); }

QString Workspace::readOnlyReason() const { return d->project ? d->project->readOnlyReason() : QString(); }

QString Workspace::path() const { return d->project ? d->project->path() : QString(); }

QString Workspace::projectName() const { return QFileInfo(path()).completeBaseName(); }

std::shared_ptr<const Catalog> Workspace::catalog() const { return d->catalog; }

const std::vector<SavedPlan> &Workspace::plans() const { return d->plans; }

const std::vector<SavedFleet> &Workspace::fleets() const { return d->fleets; }

const SavedPlan *Workspace::plan(RowId id) const
{
    const auto row = position(std::as_const(d->plans), id);
    return row == d->plans.end() ? nullptr : &*row;
}

const SavedFleet *Workspace::fleet(RowId id) const
{
    const auto row = position(std::as_const(d->fleets), id);
    return row == d->fleets.end() ? nullptr : &*row;
}

Expected<RowId> Workspace::addPlan(const PlanDocument &document)
{
    if (auto ok = d->execute(d->edit<SavedPlan>(std::nullopt, SavedPlan{0, document})); !ok)
        return std::unexpected(std::move(ok.error()));
    return d->plans.back().id;
}

Expected<void> Workspace::editPlan(RowId id, const PlanDocument &document, const QString &mergeKey)
{
    const auto *before = plan(id);
    if (!before)
        return refuse(ErrorCode::UnknownReference, "plan", tr("This plan is no longer in the project.").toStdString());
    if (before->document == document)
        return {};
    return d->execute(d->edit<SavedPlan>(*before, SavedPlan{id, document}, mergeKey));
}

Expected<void> Workspace::removePlan(RowId id)
{
    const auto *before = plan(id);
    if (!before)
        return {};
    return d->execute(d->edit<SavedPlan>(*before, std::nullopt));
}

Expected<RowId> Workspace::addFleet(const FleetDocument &document)
{
    if (auto ok = d->execute(d->edit<SavedFleet>(std::nullopt, SavedFleet{0, document})); !ok)
        return std::unexpected(std::move(ok.error()));
    return d->fleets.back().id;
}

Expected<void> Workspace::editFleet(RowId id, const FleetDocument &document, const QString &mergeKey)
{
    const auto *before = fleet(id);
    if (!before)
        return refuse(ErrorCode::UnknownReference, "fleet", tr("This fleet is no longer in the project.").toStdString());
    if (before->document == document)
        return {};
    return d->execute(d->edit<SavedFleet>(*before, SavedFleet{id, document}, mergeKey));
}

Expected<void> Workspace::removeFleet(RowId id)
{
    const auto *before = fleet(id);
    if (!before)
        return {};
    return d->execute(d->edit<SavedFleet>(*before, std::nullopt));
}

Expected<void> Workspace::saveRecord(const CatalogRecord &record)
{
    const auto *before = d->catalog->find(record.kind, record.id);
    if (record.shipped || (before && before->shipped))
        return refuse(ErrorCode::ReadOnly, "id",
            tr("\u201c%1\u201d came with the program and cannot be changed; duplicate it and change the copy.")
                .arg(QString::fromStdString(record.name)).toStdString());
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
        return refuse(ErrorCode::ReadOnly, "id", tr("\u201c%1\u201d came with the program and cannot be deleted.").arg(name).toStdString());
    QStringList users;
    for (const auto &saved : d->plans)
        if (uses(saved.document, kind, id))
            users << tr("plan \u201c%1\u201d").arg(QString::fromStdString(saved.document.name));
    for (const auto &saved : d->fleets)
        if (uses(saved.document, kind, id))
            users << tr("fleet \u201c%1\u201d").arg(QString::fromStdString(saved.document.name));
    for (const auto &user : d->catalog->usersOf(kind, id))
        users << tr("catalog item \u201c%1\u201d").arg(QString::fromStdString(user));
    if (!users.isEmpty())
        return refuse(ErrorCode::UnknownReference, "id",
            tr("\u201c%1\u201d is used by %2; change those first, then delete it.").arg(name, QString::fromStdString(listed(users))).toStdString());
    return d->execute(d->edit<CatalogRecord>(*before, std::nullopt));
}

Expected<void> Workspace::saveResult(RowId plan, const SavedResult &result)
{
    if (auto ok = d->writable(); !ok)
        return ok;
    if (const auto stored = this->result(plan); stored && stored->inputHash == result.inputHash && stored->estimateJson == result.estimateJson)
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

QUndoStack *Workspace::undoStack() { return &d->undoStack; }

} // namespace fleetwright::app
