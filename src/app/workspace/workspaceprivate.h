// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspace/documentkinds.h"
#include "app/workspace/edithistory.h"
#include "app/workspace/projectcontent.h"
#include "app/workspace/projectreading.h"
#include "app/workspace/projectthread.h"

#include <algorithm>
#include <functional>

namespace fleetwright::app {

/// The open project and its content in memory, and how an edit reaches both. For the sources of Workspace only.
class Workspace::Private {
public:
    explicit Private(Workspace &owner) : q(owner) { }

    /// The project takes the place of the one before, which is closed.
    void adopt(std::unique_ptr<ProjectThread> opened, ProjectContent content);
    /// Opens it while the window waits.
    [[nodiscard]] Expected<void> adopt(ProjectThread::Opener opener);
    /// What a project holds comes into memory; steps of what was there before cannot be taken back any more.
    void show(ProjectContent content);
    [[nodiscard]] Expected<void> writable() const;
    [[nodiscard]] Expected<void> execute(std::unique_ptr<EditCommand> command);

    template <class Row>
    [[nodiscard]] std::unique_ptr<EditCommand> edit(
        std::optional<Row> before, std::optional<Row> after, const QString &mergeKey = {});
    /// An edit of a plan whose answer is written with it, the first time.
    [[nodiscard]] std::unique_ptr<EditCommand> edit(storage::SavedPlan before, storage::SavedPlan after,
        const QString &mergeKey, std::optional<storage::SavedResult> result);

    template <class Document> [[nodiscard]] Rows<Document> &kept() { return std::get<Rows<Document>>(documents); }
    template <class Document> [[nodiscard]] const storage::SavedDocument<Document> *find(storage::RowId id);
    template <class Document> [[nodiscard]] Expected<storage::RowId> add(const Document &document);
    template <class Document>
    [[nodiscard]] Expected<void> change(
        storage::RowId id, const Document &document, const QString &mergeKey, const QString &gone);
    template <class Document> [[nodiscard]] Expected<void> remove(storage::RowId id);
    /// The edit of a plan or decision, and with it the output sets that name it: they take over its new name, and no
    /// longer name a plan that goes, unless it was the only one.
    template <class Document>
    [[nodiscard]] std::unique_ptr<EditCommand> withSets(
        std::unique_ptr<EditCommand> edit, const Document &before, const Document *after, const QString &mergeKey = {});
    /// Refuses a name that another output set than `id` has.
    [[nodiscard]] Expected<void> checkSetName(const std::string &name, storage::RowId id);

    /// The project's file, then memory, from one state to the other; new rows get their ids.
    template <class Document>
    [[nodiscard]] Expected<void> write(const std::optional<storage::SavedDocument<Document>> &from,
        std::optional<storage::SavedDocument<Document>> &to);
    [[nodiscard]] Expected<void> write(
        const std::optional<std::vector<storage::SavedPlan>> &from, std::optional<std::vector<storage::SavedPlan>> &to);
    [[nodiscard]] Expected<void> write(const std::optional<std::vector<storage::SavedMeasuredRun>> &from,
        std::optional<std::vector<storage::SavedMeasuredRun>> &to);
    [[nodiscard]] Expected<void> write(const std::optional<CatalogRecord> &from, std::optional<CatalogRecord> &to);
    [[nodiscard]] Expected<void> write(
        const std::optional<std::vector<CatalogRecord>> &from, std::optional<std::vector<CatalogRecord>> &to);
    [[nodiscard]] Expected<void> write(const std::optional<CatalogItems> &from, std::optional<CatalogItems> &to);

    Workspace &q;
    EditHistory history;
    std::unique_ptr<ProjectThread> project;
    std::shared_ptr<const Catalog> catalog = std::make_shared<const Catalog>();
    Documents documents;
    std::shared_ptr<const jobs::LearntSite> ownSite; ///< nullptr: of runs or a catalog that have changed since
    std::shared_ptr<const AnsweredDecision> answered; ///< by whatever catalog and runs
    std::map<storage::RowId, storage::SavedResult> removedResults; ///< of removed plans
    std::map<storage::RowId, storage::SavedSweepResult> removedSweepResults;
    std::map<storage::RowId, storage::SavedDecisionResult> removedDecisionResults;
    const storage::PreparedRuns *prepared = nullptr; ///< the runs that the edit under way adds
    std::unique_ptr<ProjectReading> reading; ///< while it is being read again
    bool isBehind = false; ///< something else changed the file since it was read
    /// Forms are not asked: they are handing in already, or the project is changing under them.
    bool settling = false;

private:
    /// Rules that are younger than an item do not keep an undo from bringing it back.
    [[nodiscard]] storage::RecordRules recordRules() const
    {
        return history.isReplaying() ? storage::RecordRules::AsItStood : storage::RecordRules::Checked;
    }
    template <class Document> void takeOut(storage::RowId id);
    template <class Document> void place(const storage::SavedDocument<Document> &row);
    void placeRuns(std::vector<storage::SavedMeasuredRun> runs);
    void takeOutRuns(const std::vector<storage::SavedMeasuredRun> &runs);
    template <class Document> void keepResult(storage::RowId id);
    template <class Document> void restoreResult(storage::RowId id);
};

template <class Row>
std::unique_ptr<EditCommand> Workspace::Private::edit(
    std::optional<Row> before, std::optional<Row> after, const QString &mergeKey)
{
    return std::make_unique<RowEdit<Row>>(
        history.replay(), [this](const std::optional<Row> &from, std::optional<Row> &to) { return write(from, to); },
        std::move(before), std::move(after), history.keyInSession(mergeKey));
}

template <class Document> const storage::SavedDocument<Document> *Workspace::Private::find(storage::RowId id)
{
    auto &rows = kept<Document>().rows;
    const auto row = std::ranges::find(rows, id, &storage::SavedDocument<Document>::id);
    return row == rows.end() ? nullptr : &*row;
}

template <class Document> Expected<storage::RowId> Workspace::Private::add(const Document &document)
{
    q.settle();
    using Row = storage::SavedDocument<Document>;
    if (auto ok = execute(edit<Row>(std::nullopt, Row{0, document})); !ok)
        return std::unexpected(std::move(ok.error()));
    return kept<Document>().rows.back().id;
}

template <class Document>
Expected<void> Workspace::Private::change(
    storage::RowId id, const Document &document, const QString &mergeKey, const QString &gone)
{
    q.settle();
    const auto *before = find<Document>(id);
    if (!before)
        return refuse(ErrorCode::UnknownReference, {}, gone.toStdString());
    if (before->document == document)
        return {};
    using Row = storage::SavedDocument<Document>;
    auto command = edit<Row>(*before, Row{id, document}, mergeKey);
    if constexpr (std::is_same_v<Document, DecisionDocument>)
        command = withSets(std::move(command), before->document, &document, mergeKey);
    return execute(std::move(command));
}

template <class Document> Expected<void> Workspace::Private::remove(storage::RowId id)
{
    q.settle();
    const auto *before = find<Document>(id);
    if (!before)
        return {};
    auto command = edit<storage::SavedDocument<Document>>(*before, std::nullopt);
    if constexpr (std::is_same_v<Document, DecisionDocument> || std::is_same_v<Document, PlanDocument>)
        command = withSets<Document>(std::move(command), before->document, nullptr);
    return execute(std::move(command));
}

/// The set after one of `namesakes` plans or decisions of that name was renamed or, with `after` null, removed: its
/// report is about the same ones as before.
[[nodiscard]] OutputSet followed(
    OutputSet set, const PlanDocument &before, const PlanDocument *after, std::ptrdiff_t namesakes);
[[nodiscard]] OutputSet followed(
    OutputSet set, const DecisionDocument &before, const DecisionDocument *after, std::ptrdiff_t namesakes);

template <class Document>
std::unique_ptr<EditCommand> Workspace::Private::withSets(
    std::unique_ptr<EditCommand> edited, const Document &before, const Document *after, const QString &mergeKey)
{
    if (after && after->name == before.name)
        return edited;
    const auto namesakes = std::ranges::count_if(
        kept<Document>().rows, [&](const auto &row) { return row.document.name == before.name; });
    GroupEdit::Steps steps;
    steps.push_back(std::move(edited));
    QStringList changed;
    for (const auto &saved : kept<OutputSet>().rows) {
        const storage::SavedOutputSet now{saved.id, followed(saved.document, before, after, namesakes)};
        if (now == saved)
            continue;
        changed << QStringLiteral("\u201c%1\u201d").arg(QString::fromStdString(saved.document.name));
        steps.push_back(this->edit<storage::SavedOutputSet>(
            saved, now, mergeKey.isEmpty() ? QString() : QStringLiteral("%1 set %2").arg(mergeKey).arg(saved.id)));
    }
    if (steps.size() == 1)
        return std::move(steps.front());
    if (!after) {
        const auto name = QString::fromStdString(before.name);
        emit q.outputSetsFollowed(Workspace::tr("Taken out of the output sets %1: \u201c%2\u201d. Undo brings it back.")
                                      .arg(changed.join(QStringLiteral(", ")), name));
    }
    return std::make_unique<GroupEdit>(history.replay(), std::move(steps));
}

/// Results go with their row; undoing the removal brings both back.
template <class Document> void Workspace::Private::keepResult(storage::RowId id)
{
    if constexpr (std::is_same_v<Document, PlanDocument>) {
        if (auto result = project->call(&storage::Project::result, id); result && *result)
            removedResults[id] = std::move(**result);
    } else if constexpr (std::is_same_v<Document, SweepDocument>) {
        if (auto result = project->call(&storage::Project::sweepResult, id); result && *result)
            removedSweepResults[id] = std::move(**result);
    } else if constexpr (std::is_same_v<Document, DecisionDocument>) {
        if (auto result = project->call(&storage::Project::decisionResult, id); result && *result)
            removedDecisionResults[id] = std::move(**result);
    }
}

/// The row is back either way; a result that cannot be stored is computed again when it is asked for.
template <class Document> void Workspace::Private::restoreResult(storage::RowId id)
{
    if constexpr (std::is_same_v<Document, PlanDocument>) {
        if (const auto result = removedResults.find(id); result != removedResults.end())
            std::ignore = project->call(&storage::Project::saveResult, id, result->second);
    } else if constexpr (std::is_same_v<Document, SweepDocument>) {
        if (const auto result = removedSweepResults.find(id); result != removedSweepResults.end())
            std::ignore = project->call(&storage::Project::saveSweepResult, id, result->second);
    } else if constexpr (std::is_same_v<Document, DecisionDocument>) {
        if (const auto result = removedDecisionResults.find(id); result != removedDecisionResults.end())
            std::ignore = project->call(&storage::Project::saveDecisionResult, id, result->second);
    }
}

/// The row leaves memory, after it has left the file.
template <class Document> void Workspace::Private::takeOut(storage::RowId id)
{
    auto &[rows, removed] = kept<Document>();
    const auto row = std::ranges::find(rows, id, &storage::SavedDocument<Document>::id);
    const auto index = std::size_t(row - rows.begin());
    removed[id] = index;
    rows.erase(row);
    std::invoke(Kind<Document>::removed, q, int(index));
}

/// The row as it is in the file takes its place in memory.
template <class Document> void Workspace::Private::place(const storage::SavedDocument<Document> &saved)
{
    auto &[rows, removed] = kept<Document>();
    if (const auto row = std::ranges::find(rows, saved.id, &storage::SavedDocument<Document>::id); row != rows.end()) {
        *row = saved;
        std::invoke(Kind<Document>::changed, q, int(row - rows.begin()));
        return;
    }
    const auto stood = removed.find(saved.id);
    const auto index = stood == removed.end() ? rows.size() : std::min(stood->second, rows.size());
    restoreResult<Document>(saved.id);
    rows.insert(rows.begin() + std::ptrdiff_t(index), saved);
    std::invoke(Kind<Document>::inserted, q, int(index));
}

template <class Document>
Expected<void> Workspace::Private::write(
    const std::optional<storage::SavedDocument<Document>> &from, std::optional<storage::SavedDocument<Document>> &to)
{
    if (!to) {
        keepResult<Document>(from->id);
        if (auto ok = project->call(Kind<Document>::remove, from->id); !ok)
            return ok;
        takeOut<Document>(from->id);
        return {};
    }
    const auto id = project->call(Kind<Document>::save, *to);
    if (!id)
        return std::unexpected(id.error());
    to->id = *id;
    place(*to);
    return {};
}

} // namespace fleetwright::app
