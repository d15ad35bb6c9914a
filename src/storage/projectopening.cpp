// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/projectopening.h"

#include "storage/databaseerror.h"
#include "storage/files.h"
#include "storage/recoveredcopy.h"
#include "storage/schema.h"
#include "storage/versions.h"

#include <QFile>
#include <QFileInfo>
#include <QtEndian>

#include <algorithm>
#include <thread>

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

constexpr qint64 headerSize = 100, changeCounterAt = 24, versionAt = 60, applicationIdAt = 68;

std::unexpected<Error> refused(ErrorCode code, const QString &path, const QString &sentence)
{
    return refuse(code, path.toStdString(), sentence.toStdString());
}

/// Where SQLite puts the journal: beside the file itself, not beside a link to it.
QString journalBehindLinks(const QString &path) { return journalOf(QFileInfo(path).canonicalFilePath()); }

Expected<void> checkVersion(qint64 version, const QString &path, int newest)
{
    if (version > newest)
        return refused(ErrorCode::NewerFile, path,
            u"\u201c%1\u201d was saved by a newer version of Fleetwright (file format %2, this version reads up "
            u"to %3). Update Fleetwright to open it; the file was not changed."_s.arg(path)
                .arg(version)
                .arg(newest));
    if (version < 1)
        return std::unexpected(damaged(path, u"it states no file format"_s));
    return {};
}

/// Refuses what is not a project before SQLite sees it, so that a file of another program stays untouched.
Expected<void> checkHeader(const ProjectFile &file, const QString &path, int newest)
{
    const QByteArray header = file.read(0, headerSize);
    if (header.isEmpty())
        return refused(ErrorCode::IoError, path,
            u"\u201c%1\u201d is empty, so it is not a Fleetwright project. Choose another file, or delete it and "
            u"create a new project."_s.arg(path));
    if (!header.startsWith(QByteArrayView("SQLite format 3\0", 16)))
        return refused(ErrorCode::IoError, path,
            u"\u201c%1\u201d is not a Fleetwright project. Choose a file that Fleetwright saved (*.fleetwright)."_s.arg(
                path));
    if (header.size() < headerSize)
        return refused(ErrorCode::IoError, path,
            u"\u201c%1\u201d is cut short: not even the beginning of a project is left of it. Choose a version or a "
            u"backup of it."_s.arg(path));
    if (qFromBigEndian<quint32>(header.constData() + applicationIdAt) != projectApplicationId)
        return refused(ErrorCode::IoError, path,
            u"\u201c%1\u201d is a database of another program, not a Fleetwright project. Choose a file that "
            u"Fleetwright saved (*.fleetwright)."_s.arg(path));
    return checkVersion(qFromBigEndian<qint32>(header.constData() + versionAt), path, newest);
}

Expected<void> checkJournal(const QString &path)
{
    constexpr qint64 longestEnd = 16;
    QFile journal(journalBehindLinks(path));
    if (!QFileInfo(journal).isFile() || !journal.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return {};
    if (journal.seek(std::max(qint64(0), journal.size() - longestEnd)) && namesFurtherFile(journal.readAll()))
        return refused(ErrorCode::IoError, path,
            u"\u201c%1\u201d, which stands beside the project, names further files and so was not made by Fleetwright. "
            u"Move it away, or open a copy or a backup of the project."_s.arg(journal.fileName()));
    return {};
}

/// Why a project must not be worked with, or nothing.
Expected<void> checkSound(const Database &database, std::span<const QStringList> steps)
{
    const auto damage = findDamage(database, steps);
    if (!damage)
        return std::unexpected(damage.error());
    if (!damage->empty())
        return std::unexpected(damage->front());
    return {};
}

ProjectLock::State takeInTurn(ProjectLock &lock, const Opening &opening)
{
    constexpr auto pause = std::chrono::milliseconds(20);
    const auto end = std::chrono::steady_clock::now() + opening.waiting.forLock;
    for (bool told = false;; told = true) {
        const auto state = lock.take(opening.mode == OpenMode::TakeOver);
        if (state != ProjectLock::State::HeldElsewhere || std::chrono::steady_clock::now() >= end)
            return state;
        if (!told && opening.waiting.begun)
            opening.waiting.begun(lock.holder());
        std::this_thread::sleep_for(pause);
    }
}

/// The right to write, or the reason why there is none.
void takeRight(OpenedProject &project, const QString &path, const Opening &opening)
{
    if (isVersion(path)) {
        markInUse(*project.file);
        project.readOnlyReason = u"It is a kept version of a project; save a copy to make changes."_s;
        return;
    }
    if (opening.mode == OpenMode::ReadOnly) {
        project.readOnlyReason = u"It was opened for reading only; open it again to make changes."_s;
        return;
    }
    if (!project.file->isWritable()) {
        project.readOnlyReason = u"The file is write-protected; save a copy to make changes."_s;
        return;
    }
    if (!QFileInfo(QFileInfo(path).canonicalPath()).isWritable()) {
        project.readOnlyReason = u"Its folder is write-protected; save a copy to make changes."_s;
        return;
    }
    auto lock = std::make_unique<ProjectLock>(path, *project.file, opening.surroundings);
    switch (takeInTurn(*lock, opening)) {
    case ProjectLock::State::Taken: project.lock = std::move(lock); break;
    case ProjectLock::State::HeldElsewhere:
        project.readOnlyReason =
            u"It is open for writing in another window or program (%1); close it there and open it again here, or "
            u"save a copy to make changes."_s.arg(lock->holder());
        break;
    case ProjectLock::State::PerhapsHeld:
        project.readOnlyReason =
            u"It is on a network drive and open for writing on another computer, or was not closed there (%1); close "
            u"it there, take it over if it is no longer open, or save a copy to make changes."_s.arg(lock->holder());
        project.mayBeTakenOver = true;
        break;
    case ProjectLock::State::Impossible:
        project.readOnlyReason =
            u"Its file system knows no locks, so that two programs could write at once; save a copy on a disk of this "
            u"computer to make changes."_s;
        break;
    }
}

/// A connection that has answered once.
Expected<std::unique_ptr<Database>> readable(
    const QString &path, Database::Access access, std::chrono::milliseconds patience)
{
    auto database = Database::open(path, access, patience);
    if (database)
        if (const auto version = (*database)->integer(u"PRAGMA user_version"_s); !version)
            return std::unexpected(version.error());
    return database;
}

/// Undoes the edit that a killed writer left half done, for a reader, who holds the right to write just as long.
bool undoneOnDisk(const QString &path, const Opening &opening)
{
    const auto file = ProjectFile::open(path, ProjectFile::Access::Write);
    if (!file || !(*file)->isWritable() || !QFileInfo(QFileInfo(path).canonicalPath()).isWritable())
        return false;
    ProjectLock lock(path, **file, opening.surroundings);
    return lock.take() == ProjectLock::State::Taken
        && readable(path, Database::Access::ReadWrite, opening.patience()).has_value();
}

Expected<void> connect(OpenedProject &project, const QString &path, const Opening &opening)
{
    const bool writes = project.readOnlyReason.isEmpty();
    const auto access = writes ? Database::Access::ReadWrite : Database::Access::ReadOnly;
    auto database = readable(path, access, opening.patience());
    if (!database && !writes) { // SQLite cannot undo an edit that was cut off, or cannot lock
        if (QFileInfo::exists(journalBehindLinks(path)) && undoneOnDisk(path, opening))
            database = readable(path, access, opening.patience());
        if (!database)
            if (auto copy = recoveredCopy(*project.file, path)) {
                database = std::move(copy);
                project.isCopy = true;
            }
    }
    if (!database)
        return std::unexpected(std::move(database.error()));
    if (!project.file->isAt(path))
        return refused(ErrorCode::IoError, path,
            u"\u201c%1\u201d was replaced by another program while it was being opened; open it again."_s.arg(path));
    project.database = std::move(*database);
    return {};
}

/// The project in the newest format, in memory, and sound; whatever is wrong with it, the file is as it was.
Expected<std::unique_ptr<Database>> upgradedCopy(const Database &database, std::span<const QStringList> steps)
{
    auto copy = database.inMemoryCopy(database.path());
    if (!copy)
        return copy;
    const auto damage = (*copy)->texts(u"PRAGMA quick_check"_s); // a step might heal what a reader should know of
    if (!damage)
        return std::unexpected(damage.error());
    if (*damage != QStringList{u"ok"_s})
        return std::unexpected(damaged(database.path(), damage->first().simplified()));
    if (auto migrated = migrate(**copy, steps); !migrated)
        return std::unexpected(std::move(migrated.error()));
    if (auto sound = checkSound(**copy, steps); !sound)
        return std::unexpected(std::move(sound.error()));
    return copy;
}

/// Another program may have left the file with another journal, which would be beside it while it is open. Changes the
/// file, so only when it is known to be sound.
Expected<void> useRollbackJournal(const Database &database)
{
    const auto mode = database.texts(u"PRAGMA journal_mode = DELETE"_s);
    return mode ? Expected<void>() : std::unexpected(mode.error());
}

Expected<void> upgrade(OpenedProject &project, int version, std::span<const QStringList> steps)
{
    auto copy = upgradedCopy(*project.database, steps);
    if (!copy)
        return std::unexpected(std::move(copy.error()));
    if (!project.readOnlyReason.isEmpty()) {
        project.database = std::move(*copy);
        project.isCopy = true;
        if (isVersion(project.database->path())) // which stays what it was
            return {};
        project.readOnlyReason +=
            u" It was saved by an older version of Fleetwright (file format %1) and is shown from a copy in the format "
            u"of this one; opening it for writing, or \u201cproject upgrade\u201d, brings the file up to date."_s.arg(
                version);
        return {};
    }
    if (auto journal = useRollbackJournal(*project.database); !journal)
        return journal;
    auto kept = keepVersion(*project.database, u"before format %1"_s.arg(steps.size() + 1));
    if (!kept)
        return std::unexpected(std::move(kept.error()));
    if (auto migrated = migrate(*project.database, steps); !migrated)
        return migrated;
    pruneVersions(*project.database);
    project.upgrade = {version, int(steps.size()) + 1, std::move(*kept)};
    return {};
}

QByteArray changeCounterOf(const ProjectFile &file)
{
    constexpr qint64 counterSize = 4;
    return file.read(changeCounterAt, counterSize);
}

/// What a connection to the file, or to a copy of it, would have to notice.
Expected<SeenState> stateOf(const OpenedProject &project)
{
    SeenState now;
    now.file = FileState::at(project.database->path());
    if (project.isCopy) {
        now.changeCounter = changeCounterOf(*project.file);
        return now;
    }
    if (now.file) // the connection tells what was written
        now.file->size = now.file->changedAt = 0;
    const auto version = project.database->integer(u"PRAGMA data_version"_s);
    if (!version)
        return std::unexpected(version.error());
    now.dataVersion = *version;
    return now;
}

} // namespace

std::chrono::milliseconds Opening::patience() const
{
    constexpr auto ofWindow = std::chrono::milliseconds(250);
    constexpr auto ofReader = std::chrono::seconds(5);
    return waiting.forOthers.value_or(mode == OpenMode::ReadOnly ? ofReader : ofWindow);
}

Expected<void> OpenedProject::checkStillThere() const
{
    if (!isCopy && !file->isAt(database->path()))
        return std::unexpected(fileHasGone(database->path()));
    return {};
}

Expected<bool> OpenedProject::changedElsewhere()
{
    auto now = stateOf(*this);
    if (!now) { // what cannot be read because an edit was cut off must be opened again
        if (now.error().code == ErrorCode::ReadOnly && QFileInfo::exists(journalBehindLinks(database->path())))
            return true;
        return std::unexpected(std::move(now.error()));
    }
    const bool changed = *now != seen;
    seen = std::move(*now);
    return changed;
}

void takeBack(const QString &path, const std::optional<FileState> &made)
{
    const auto file = ProjectFile::open(path, ProjectFile::Access::Write);
    const auto there = file ? (*file)->state() : std::nullopt;
    if (!made || !there || !there->isSameFile(*made))
        return;
    ProjectLock lock(path, **file, LockSurroundings::ofThisComputer());
    const auto state = lock.take();
    if (state == ProjectLock::State::HeldElsewhere || state == ProjectLock::State::PerhapsHeld || !(*file)->isAt(path))
        return;
    QFile::remove(path);
    QFile::remove(journalOf(path));
}

Expected<OpenedProject> openProject(const QString &path, const Opening &opening, std::span<const QStringList> steps)
{
    const int newest = int(steps.size()) + 1;
    auto file = ProjectFile::open(
        path, opening.mode == OpenMode::ReadOnly ? ProjectFile::Access::Read : ProjectFile::Access::Write);
    if (!file)
        return std::unexpected(std::move(file.error()));
    for (const auto &checked : {checkHeader(**file, path, newest), checkJournal(path)})
        if (!checked)
            return std::unexpected(checked.error());
    OpenedProject project;
    project.file = std::move(*file);
    SeenState asFound{FileState::at(path), changeCounterOf(*project.file)}; // before anything is copied
    takeRight(project, path, opening);
    if (auto connected = connect(project, path, opening); !connected)
        return std::unexpected(std::move(connected.error()));
    const auto version = project.database->integer(
        u"PRAGMA user_version"_s); // again: a killed writer's journal may have been rolled back
    if (!version)
        return std::unexpected(version.error());
    if (auto known = checkVersion(*version, path, newest); !known)
        return std::unexpected(std::move(known.error()));
    if (*version < newest)
        if (auto upgraded = upgrade(project, int(*version), steps); !upgraded)
            return std::unexpected(std::move(upgraded.error()));
    if (auto sound = checkSound(*project.database, steps); !sound)
        return std::unexpected(std::move(sound.error()));
    if (project.readOnlyReason.isEmpty())
        if (auto journal = useRollbackJournal(*project.database); !journal)
            return std::unexpected(std::move(journal.error()));
    if (project.isCopy) {
        project.seen = std::move(asFound);
    } else if (auto seen = stateOf(project)) {
        project.seen = std::move(*seen);
    } else {
        return std::unexpected(std::move(seen.error()));
    }
    return project;
}

Expected<std::vector<Error>> findDamage(
    const Database &database, std::span<const QStringList> steps, PageCheck thoroughly)
{
    const QString path = database.path();
    std::vector<Error> found;
    const auto add = [&](const QString &what) { found.push_back(damaged(path, what)); };
    const auto pages = database.texts(
        thoroughly == PageCheck::Quick ? u"PRAGMA quick_check"_s : u"PRAGMA integrity_check"_s);
    if (!pages)
        return std::unexpected(pages.error());
    for (const auto &row : *pages)
        if (row != "ok"_L1)
            add(row.simplified());
    const auto orphans = database.texts(u"SELECT DISTINCT \"table\" FROM pragma_foreign_key_check"_s);
    if (!orphans)
        return std::unexpected(orphans.error());
    for (const auto &table : *orphans)
        add(u"the table \u201c%1\u201d refers to rows that do not exist"_s.arg(table));
    const auto differences = schemaDifferences(database, steps);
    if (!differences)
        return std::unexpected(differences.error());
    for (const auto &difference : *differences)
        add(difference);
    if (!differences->isEmpty())
        return found;
    const auto projects = database.integer(u"SELECT count(*) FROM project"_s);
    if (!projects)
        return std::unexpected(projects.error());
    if (*projects != 1)
        add(u"it describes %1 projects instead of one"_s.arg(*projects));
    return found;
}

} // namespace fleetwright::storage
