// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/restoredamaged.h"

#include "exchange/savefile.h"
#include "storage/files.h"
#include "storage/project.h"
#include "storage/projectfile.h"
#include "storage/projectlock.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QUuid>

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

std::unexpected<Error> notRestored(const QString &path, const std::string &why)
{
    return refuse(ErrorCode::IoError, path.toStdString(),
        "\u201c" + path.toStdString() + "\u201d was not restored and is as it was. " + why);
}

/// A complete copy at `copy` of a project of which everything can be read.
Expected<void> copySound(const QString &version, const QString &copy)
{
    const auto project = Project::open(version, OpenMode::ReadOnly);
    if (!project)
        return std::unexpected(project.error());
    if (const auto read = (*project)->catalog(); !read)
        return std::unexpected(read.error());
    if (const auto read = (*project)->documents(); !read)
        return std::unexpected(read.error());
    if (const auto read = (*project)->fleets(); !read)
        return std::unexpected(read.error());
    if (const auto read = (*project)->ledger(); !read)
        return std::unexpected(read.error());
    if (const auto read = (*project)->approvals(); !read)
        return std::unexpected(read.error());
    return (*project)->saveCopy(copy);
}

QString asideName(const QFileInfo &file)
{
    auto base = file.absolutePath() + u'/' + file.fileName();
    if (base.endsWith(".fleetwright"_L1))
        base.chop(QLatin1String(".fleetwright").size());
    base += u" damaged "_s + QDateTime::currentDateTimeUtc().toString(u"yyyy-MM-dd'T'HH-mm-ss'Z'"_s);
    auto name = base + u".fleetwright"_s;
    for (int number = 2; QFileInfo::exists(name) || QFileInfo::exists(journalOf(name)); ++number)
        name = u"%1 %2.fleetwright"_s.arg(base).arg(number);
    return name;
}

/// All of it or nothing, as far as the disk lets it.
Expected<void> exchangeFiles(const QString &damaged, const QString &aside, const QString &sound)
{
    const bool hasJournal = QFileInfo::exists(journalOf(damaged));
    if (hasJournal)
        if (auto moved = exchange::putNewInPlace(journalOf(damaged), journalOf(aside)); !moved)
            return moved;
    auto done = exchange::putNewInPlace(damaged, aside);
    if (done) {
        done = exchange::putNewInPlace(sound, damaged);
        if (!done)
            if (auto back = exchange::putNewInPlace(aside, damaged); !back)
                return refuse(ErrorCode::IoError, damaged.toStdString(),
                    done.error().message + " The damaged file is now \u201c" + aside.toStdString() + "\u201d.");
    }
    if (!done && hasJournal)
        static_cast<void>(exchange::putNewInPlace(journalOf(aside), journalOf(damaged)));
    return done;
}

} // namespace

Expected<QString> restoreDamaged(const QString &path, const QString &version)
{
    const auto state = Project::open(path, OpenMode::ReadOnly);
    if (state)
        return notRestored(path, "It is not damaged; open it to restore a version.");
    if (state.error().code != ErrorCode::Damaged)
        return std::unexpected(state.error());
    const QString real = QFileInfo(path).canonicalFilePath();
    const auto file = ProjectFile::open(real, ProjectFile::Access::Write);
    if (!file)
        return std::unexpected(file.error());
    ProjectLock lock(real, **file, LockSurroundings::ofThisComputer());
    if (!(*file)->isWritable() || lock.take() != ProjectLock::State::Taken)
        return notRestored(path, "It is write-protected or open for writing elsewhere; close it there and try again.");
    const QFileInfo info(real);
    const QString unfinished = u"%1/.%2.%3"_s.arg(
        info.absolutePath(), info.fileName(), QUuid::createUuid().toString(QUuid::Id128).left(8));
    const auto aside = asideName(info);
    auto done = copySound(version, unfinished);
    if (done && !QFile::setPermissions(unfinished, info.permissions()))
        done = refuse(ErrorCode::IoError, path.toStdString(), "The permissions of the project could not be kept.");
    if (done && !(*file)->isAt(real))
        done = refuse(ErrorCode::IoError, path.toStdString(), "Another program has replaced it; try again.");
    if (done)
        done = exchangeFiles(real, aside, unfinished);
    if (!done) {
        QFile::remove(unfinished);
        return notRestored(path, done.error().message);
    }
    return aside;
}

} // namespace fleetwright::storage
