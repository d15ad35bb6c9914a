// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/damagedproject.h"

#include "exchange/savefile.h"
#include "storage/files.h"
#include "storage/project.h"
#include "storage/projectlock.h"
#include "storage/versions.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>

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
    for (const auto &kept : versionsOf(path))
        if (kept.ofAnother && QFileInfo(kept.path) == QFileInfo(version))
            return notRestored(path, u"it is of another project of that name, which stood here before."_s);
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

    const auto kept = keptName(target);
    const auto prepare = [&](const QString &prepared) -> Expected<void> {
        const auto failed = [&](const QString &reason) {
            return refuse(ErrorCode::IoError, path.toStdString(), reason.toStdString());
        };
        if (auto copied = (*sound)->saveCopy(prepared); !copied)
            return copied;
        if (!QFile::setPermissions(prepared, target.permissions()))
            return failed(u"its permissions could not be kept."_s);
        if (!(*file)->isAt(target.filePath()))
            return failed(u"another program has replaced it."_s);
        std::error_code problem;
        std::filesystem::create_hard_link(
            target.filePath().toStdU16String(), std::filesystem::path(kept.toStdU16String()), problem);
        if (problem && !QFile::copy(target.filePath(), kept)) // a file system without links
            return failed(u"the damaged file could not be kept as \u201c%1\u201d."_s.arg(kept));
        // SQLite would play a journal of the damaged file back into the new one.
        if (QFileInfo::exists(journalOf(target.filePath()))
            && !QFile::rename(journalOf(target.filePath()), journalOf(kept))) {
            QFile::remove(kept);
            return failed(u"its journal could not be moved."_s);
        }
        return {};
    };
    if (const auto placed = exchange::saveMade(target.filePath(), exchange::Placing::Replacing, prepare); !placed)
        return notRestored(path, QString::fromStdString(placed.error().message));
    return kept;
}

} // namespace fleetwright::storage
