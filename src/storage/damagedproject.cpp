// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/damagedproject.h"

#include "exchange/savefile.h"
#include "storage/files.h"
#include "storage/project.h"
#include "storage/projectlock.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QUuid>

#include <filesystem>

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

std::unexpected<Error> notRestored(const QString &path, const QString &reason)
{
    return refuse(ErrorCode::IoError, path.toStdString(),
        u"The version could not take the place of \u201c%1\u201d: %2 Nothing was changed."_s.arg(path, reason)
            .toStdString());
}

/// "NAME damaged TIME.fleetwright", or with a number where that is taken.
QString keptName(const QFileInfo &project)
{
    const auto base = u"%1/%2 damaged %3"_s.arg(project.absolutePath(), project.completeBaseName(),
        QDateTime::currentDateTimeUtc().toString(u"yyyy-MM-dd'T'HH-mm-ss'Z'"_s));
    auto name = base + u".fleetwright"_s;
    for (int i = 2; QFileInfo::exists(name); ++i)
        name = u"%1 %2.fleetwright"_s.arg(base).arg(i);
    return name;
}

/// Whether all that the window reads can be read.
Expected<void> checkEverythingReads(const Project &project)
{
    std::optional<Error> fault;
    const auto look = [&](const auto &read) {
        if (!read && !fault)
            fault = read.error();
    };
    look(project.catalog());
    look(project.documents());
    look(project.fleets());
    look(project.ledger());
    look(project.approvals());
    return fault ? Expected<void>(std::unexpected(std::move(*fault))) : Expected<void>();
}

} // namespace

Expected<QString> restoreDamaged(const QString &path, const QString &version)
{
    const auto sound = Project::open(version, OpenMode::ReadOnly);
    if (!sound)
        return notRestored(path, QString::fromStdString(sound.error().message));
    if (const auto readable = checkEverythingReads(**sound); !readable)
        return notRestored(path, QString::fromStdString(readable.error().message));

    const QFileInfo target(QFileInfo(path).canonicalFilePath());
    const auto file = ProjectFile::open(target.filePath(), ProjectFile::Access::Write);
    if (!file)
        return std::unexpected(file.error());
    ProjectLock lock(target.filePath(), **file, LockSurroundings::ofThisComputer());
    if (!(*file)->isWritable() || lock.take() != ProjectLock::State::Taken)
        return notRestored(path, u"it is write-protected, or open in %1."_s.arg(lock.holder()));

    const auto prepared = u"%1/.%2.%3"_s.arg(
        target.absolutePath(), target.fileName(), QUuid::createUuid().toString(QUuid::Id128));
    if (auto copied = (*sound)->saveCopy(prepared); !copied)
        return notRestored(path, QString::fromStdString(copied.error().message));
    const auto drop = [&](const QString &reason) {
        QFile::remove(prepared);
        return notRestored(path, reason);
    };
    if (!QFile::setPermissions(prepared, target.permissions()))
        return drop(u"its permissions could not be kept."_s);
    if (!(*file)->isAt(target.filePath()))
        return drop(u"another program has replaced it."_s);
    const auto kept = keptName(target);
    std::error_code problem;
    std::filesystem::create_hard_link(
        target.filePath().toStdU16String(), std::filesystem::path(kept.toStdU16String()), problem);
    if (problem && !QFile::copy(target.filePath(), kept)) // a file system without links
        return drop(u"the damaged file could not be kept as \u201c%1\u201d."_s.arg(kept));
    // SQLite would play a journal of the damaged file back into the new one.
    if (QFileInfo::exists(journalOf(target.filePath()))
        && !QFile::rename(journalOf(target.filePath()), journalOf(kept))) {
        QFile::remove(kept);
        return drop(u"its journal could not be moved."_s);
    }
    if (auto placed = exchange::putInPlace(prepared, target.filePath()); !placed)
        return drop(QString::fromStdString(placed.error().message));
    return kept;
}

} // namespace fleetwright::storage
