// SPDX-License-Identifier: GPL-3.0-or-later
// Earlier states of a project: kept before changes of many items, and brought back.
#include "domain/schemaversion.h"
#include "storage/databasecopy.h"
#include "storage/digests.h"
#include "storage/projectprivate.h"
#include "storage/schema.h"
#include "storage/versions.h"

#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

std::unexpected<Error> unusableVersion(const QString &path, const std::string &why)
{
    return refuse(ErrorCode::IoError, path.toStdString(),
        "The version \u201c" + path.toStdString() + "\u201d was not restored, and the project is as it was. " + why);
}

/// The version in memory, in the format of this program, and sound in every row.
Expected<std::unique_ptr<Database>> soundCopy(const QString &path)
{
    if (!QFileInfo(path).isFile())
        return unusableVersion(path, "There is no such file.");
    const auto file = Database::open(path, Database::Access::ReadOnly);
    if (!file)
        return unusableVersion(path, file.error().message);
    const auto application = (*file)->integer(u"PRAGMA application_id"_s);
    if (!application || *application != qint64(projectApplicationId))
        return unusableVersion(path, application ? "It is not a project of Fleetwright." : application.error().message);
    auto copy = (*file)->inMemoryCopy(path);
    if (!copy)
        return unusableVersion(path, copy.error().message);
    if (auto migrated = migrate(**copy, shippedMigrations()); !migrated)
        return unusableVersion(path, migrated.error().message);
    auto found = findDamage(**copy);
    if (found && found->empty())
        found = findAltered(**copy);
    if (!found)
        return unusableVersion(path, found.error().message);
    if (!found->empty())
        return unusableVersion(path, found->front().message);
    return copy;
}

} // namespace

Expected<void> Project::Private::keepBefore(const QString &what)
{
    if (!keepsVersions || !readOnlyReason.isEmpty()) // what is read-only will refuse the change itself
        return {};
    const auto kept = storage::keepVersion(*database, u"before "_s + what);
    return kept ? Expected<void>() : std::unexpected(kept.error());
}

void Project::setKeepsVersions(bool keeps) { d->keepsVersions = keeps; }

Expected<QString> Project::keepVersion(const QString &reason)
{
    if (isReadOnly())
        return d->change([](Database &) { return Expected<QString>(QString()); }); // refuses with its reason
    return storage::keepVersion(*d->database, reason);
}

Expected<void> Project::restoreVersion(const QString &path)
{
    if (isReadOnly())
        return d->change([](Database &) { return Expected<void>(); });
    const auto version = soundCopy(path);
    if (!version)
        return std::unexpected(version.error());
    if (auto kept = storage::keepVersion(*d->database, u"before restore"_s); !kept)
        return std::unexpected(kept.error());
    auto done = overwrite(*d->database, **version);
    if (done)
        d->altered.clear();
    return done;
}

} // namespace fleetwright::storage
