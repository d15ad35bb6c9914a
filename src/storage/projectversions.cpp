// SPDX-License-Identifier: GPL-3.0-or-later
// Earlier states of a project: kept before changes of many items, and brought back.
#include "domain/schemaversion.h"
#include "storage/databasecopy.h"
#include "storage/digests.h"
#include "storage/documenttables.h"
#include "storage/projectcatalog.h"
#include "storage/projectprivate.h"
#include "storage/schema.h"
#include "storage/versions.h"

#include <QFileInfo>

#include <type_traits>

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

std::unexpected<Error> unusableVersion(const QString &path, const std::string &why)
{
    return refuse(ErrorCode::IoError, path.toStdString(),
        "The version \u201c" + path.toStdString() + "\u201d was not restored, and the project is as it was. " + why);
}

/// What of the content no window could load, or nothing.
Expected<void> checkReadable(const Database &database)
{
    std::vector<Error> faults;
    const auto catalog = currentCatalog(database, faults);
    Expected<void> done = catalog ? Expected<void>() : std::unexpected(catalog.error());
    const auto read = [&]<class Document>(std::type_identity<Document>) {
        if (done)
            if (const auto rows = readDocuments<Document>(database, faults); !rows)
                done = std::unexpected(rows.error());
    };
    read(std::type_identity<PlanDocument>());
    read(std::type_identity<FleetDocument>());
    read(std::type_identity<SweepDocument>());
    read(std::type_identity<StudyDocument>());
    read(std::type_identity<OfferDocument>());
    read(std::type_identity<DecisionDocument>());
    read(std::type_identity<ApprovedDecision>());
    read(std::type_identity<LedgerEntry>());
    read(std::type_identity<validation::MeasuredRun>());
    read(std::type_identity<OutputSet>());
    return done && !faults.empty() ? std::unexpected(faults.front()) : done;
}

/// The version in memory, in the format of this program, whole and readable. Items that something else changed do not
/// matter: they may be the reason why somebody wants it, and are told afterwards.
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
    const auto found = findDamage(**copy);
    if (!found)
        return unusableVersion(path, found.error().message);
    if (!found->empty())
        return unusableVersion(path, found->front().message);
    if (const auto readable = checkReadable(**copy); !readable)
        return unusableVersion(path, readable.error().message);
    return copy;
}

/// What another project becomes here is this one still, whose versions stay its own.
Expected<void> keepIdentity(const Database &project, Database &version)
{
    const auto mine = identityOf(project);
    if (!mine || mine == identityOf(version))
        return {};
    if (auto digests = keepDigests(version); !digests)
        return digests;
    return version.execute(u"UPDATE project SET created_at = ?"_s, {*mine});
}

} // namespace

Expected<void> Project::Private::keepBefore(const QString &what)
{
    if (!keepsVersions || !readOnlyReason.isEmpty()) // what is read-only will refuse the change itself
        return {};
    if (auto there = checkStillThere(); !there) // a copy beside a file that has gone would be somebody else's
        return there;
    const auto kept = keepVersion(*database, u"before "_s + what);
    return kept ? Expected<void>() : std::unexpected(kept.error());
}

void Project::setKeepsVersions(bool keeps) { d->keepsVersions = keeps; }

Expected<void> Project::restoreVersion(const QString &path)
{
    if (isReadOnly())
        return d->change([](Database &) { return Expected<void>(); });
    if (auto there = d->checkStillThere(); !there)
        return there;
    if (isOfAnother(*d->database, path))
        return unusableVersion(path,
            "It is of another project of that name, which stood here before; save it as a project of its own to look "
            "at it.");
    const auto version = soundCopy(path);
    if (!version)
        return std::unexpected(version.error());
    auto altered = findAltered(**version);
    if (!altered)
        return std::unexpected(std::move(altered.error()));
    if (auto stays = keepIdentity(*d->database, **version); !stays)
        return stays;
    if (auto kept = keepVersion(*d->database, u"before restore"_s); !kept)
        return std::unexpected(kept.error());
    if (auto done = copyPages(*d->database, **version, this->path()); !done)
        return done;
    d->altered = std::move(*altered);
    pruneVersions(*d->database);
    return {};
}

} // namespace fleetwright::storage
