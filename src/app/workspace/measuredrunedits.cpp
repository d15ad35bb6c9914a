// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/workspaceprivate.h"

#include <iterator>
#include <unordered_set>

/// Edits of the measured runs, which come and go by the thousand: each is one pass over them.
namespace fleetwright::app {

using storage::RowId;
using storage::SavedMeasuredRun;

const std::vector<SavedMeasuredRun> &Workspace::measuredRuns() const { return d->kept<validation::MeasuredRun>().rows; }

Expected<void> Workspace::addMeasuredRuns(
    const std::vector<validation::MeasuredRun> &runs, const storage::PreparedRuns *prepared)
{
    settle();
    std::vector<SavedMeasuredRun> rows;
    rows.reserve(runs.size());
    for (const auto &run : runs)
        rows.push_back({0, run});
    if (rows.empty())
        return {};
    d->prepared = prepared;
    auto added = d->execute(d->edit<std::vector<SavedMeasuredRun>>(std::nullopt, std::move(rows)));
    d->prepared = nullptr;
    return added;
}

Expected<void> Workspace::editMeasuredRun(RowId id, const validation::MeasuredRun &run, const QString &mergeKey)
{
    return d->change(id, run, mergeKey, tr("This measured run is no longer in the project."));
}

Expected<void> Workspace::removeMeasuredRuns(const std::vector<RowId> &ids)
{
    settle();
    const std::unordered_set<RowId> gone(ids.begin(), ids.end());
    std::vector<SavedMeasuredRun> rows;
    std::ranges::copy_if(measuredRuns(),
        std::back_inserter(rows), // in their order, so that each can return to its place
        [&](const SavedMeasuredRun &run) { return gone.contains(run.id); });
    return rows.empty() ? Expected<void>()
                        : d->execute(d->edit<std::vector<SavedMeasuredRun>>(std::move(rows), std::nullopt));
}

/// All of them are added or all of them removed.
Expected<void> Workspace::Private::write(
    const std::optional<std::vector<SavedMeasuredRun>> &from, std::optional<std::vector<SavedMeasuredRun>> &to)
{
    if (to) {
        const auto ids = project->call(&storage::Project::saveMeasuredRuns, *to, storage::Watching(), prepared);
        if (!ids)
            return std::unexpected(ids.error());
        for (std::size_t i = 0; i < ids->size(); ++i)
            (*to)[i].id = (*ids)[i];
        placeRuns(*to);
        return {};
    }
    std::vector<RowId> ids;
    for (const auto &run : *from)
        ids.push_back(run.id);
    if (auto ok = project->call(&storage::Project::removeMeasuredRuns, ids); !ok)
        return ok;
    takeOutRuns(*from);
    return {};
}

/// Those that were there before return to where they stood, the others come last.
void Workspace::Private::placeRuns(std::vector<SavedMeasuredRun> runs)
{
    auto &[rows, removed] = kept<validation::MeasuredRun>();
    const auto stood = [&](const SavedMeasuredRun &run) {
        const auto place = removed.find(run.id);
        return place == removed.end() ? std::size_t(-1) : place->second;
    };
    std::ranges::stable_sort(runs, {}, stood);
    std::vector<SavedMeasuredRun> merged;
    merged.reserve(rows.size() + runs.size());
    auto old = rows.begin();
    for (auto &run : runs) {
        for (; old != rows.end() && merged.size() < stood(run); ++old)
            merged.push_back(std::move(*old));
        merged.push_back(std::move(run));
    }
    std::ranges::move(old, rows.end(), std::back_inserter(merged));
    rows = std::move(merged);
    emit q.measuredRunsReplaced();
}

void Workspace::Private::takeOutRuns(const std::vector<SavedMeasuredRun> &runs)
{
    auto &[rows, removed] = kept<validation::MeasuredRun>();
    std::unordered_set<RowId> gone;
    for (const auto &run : runs)
        gone.insert(run.id);
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (gone.contains(rows[i].id))
            removed[rows[i].id] = i;
    std::erase_if(rows, [&](const SavedMeasuredRun &run) { return gone.contains(run.id); });
    emit q.measuredRunsReplaced();
}

} // namespace fleetwright::app
