// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/workspaceprivate.h"
#include "domain/catalogusage.h"
#include "solver/models/detailed/constantrecords.h"
#include "text/catalogtexts.h"
#include "text/localized.h"

#include <set>

/// Edits of the catalogs of the project: the user's items and the constants of a calibration.
namespace fleetwright::app {

namespace {

std::string listed(const QStringList &names)
{
    constexpr int shown = 5;
    QString text = names.mid(0, shown).join(QStringLiteral(", "));
    if (names.size() > shown)
        text += Workspace::tr(" and %1 more").arg(names.size() - shown);
    return text.toStdString();
}

} // namespace

Expected<void> Workspace::Private::write(const std::optional<CatalogRecord> &from, std::optional<CatalogRecord> &to)
{
    if (auto ok = to ? project->call(&storage::Project::saveRecord, *to, recordRules())
                     : project->call(&storage::Project::removeRecord, from->kind, from->id);
        !ok)
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
    if (auto ok = project->call(&storage::Project::replaceRecords, *from, *to, recordRules()); !ok)
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

Expected<void> Workspace::Private::write(const std::optional<CatalogItems> &from, std::optional<CatalogItems> &to)
{
    if (auto ok = project->call(&storage::Project::replaceItems, *from, *to, recordRules()); !ok)
        return ok;
    auto next = std::make_shared<Catalog>(*catalog);
    apply(*next, *from, *to);
    catalog = std::move(next);
    std::set<CatalogKind> touched;
    for (const auto &record : from->records)
        touched.insert(record.kind);
    for (const auto &record : to->records)
        touched.insert(record.kind);
    for (const auto kind : touched)
        emit q.catalogChanged(kind);
    return {};
}

Expected<void> Workspace::applyCatalogEdit(const CatalogEdit &edit)
{
    settle();
    return edit.before == edit.after ? Expected<void>() : d->execute(d->edit<CatalogItems>(edit.before, edit.after));
}

Expected<void> Workspace::applyCalibration(const std::vector<CatalogRecord> &constants)
{
    settle();
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

Expected<void> Workspace::removeCalibration()
{
    settle();
    auto before = detailed::calibratedRecordsOf(*d->catalog);
    return before.empty()
        ? Expected<void>()
        : d->execute(d->edit<std::vector<CatalogRecord>>(std::move(before), std::vector<CatalogRecord>()));
}

Expected<void> Workspace::saveRecord(const CatalogRecord &record)
{
    settle();
    const auto *before = d->catalog->find(record.kind, record.id);
    if (record.shipped || (before && before->shipped))
        return refuse(ErrorCode::ReadOnly, "id",
            tr("\u201c%1\u201d came with the program and cannot be "
               "changed; duplicate it and change the copy.")
                .arg(nameInWords(record))
                .toStdString());
    if (auto ok = d->catalog->check(record); !ok)
        return ok;
    if (before && *before == record)
        return {};
    return d->execute(d->edit<CatalogRecord>(before ? std::optional(*before) : std::nullopt, record));
}

Expected<void> Workspace::removeRecord(CatalogKind kind, const std::string &id)
{
    settle();
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
                .arg(name, localized(listed(users)))
                .toStdString());
    return d->execute(d->edit<CatalogRecord>(*before, std::nullopt));
}

} // namespace fleetwright::app
