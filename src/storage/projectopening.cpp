// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/projectopening.h"

#include "storage/files.h"
#include "storage/schema.h"
#include "storage/versions.h"

#include <QFile>
#include <QFileInfo>
#include <QtEndian>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

std::unexpected<Error> refused(ErrorCode code, const QString &path, const QString &sentence)
{
    return refuse(code, path.toStdString(), sentence.toStdString());
}

/// Refuses what is not a project before SQLite sees it, so that a file of another program stays untouched. Returns the
/// schema version.
Expected<int> versionInHeader(const QString &path, int newest)
{
    const QFileInfo info(path);
    if (path.isEmpty())
        return refused(ErrorCode::IoError, path, u"No file was named; choose a project to open."_s);
    if (!info.exists())
        return refused(ErrorCode::IoError, path,
            u"There is no file \u201c%1\u201d. It may have been moved or deleted; choose another project or "
            u"create a new one."_s.arg(path));
    if (info.isDir())
        return refused(ErrorCode::IoError, path,
            u"\u201c%1\u201d is a folder. Choose a project file (*.fleetwright) in it."_s.arg(path));
    if (!info.isFile())
        return refused(ErrorCode::IoError, path,
            u"\u201c%1\u201d is not a regular file. Choose a project file (*.fleetwright)."_s.arg(path));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return refused(ErrorCode::IoError, path,
            u"\u201c%1\u201d could not be read (%2). Ask its owner for permission or copy it to a folder of yours."_s
                .arg(path, file.errorString()));
    const QByteArray header = file.read(100);
    if (header.isEmpty())
        return refused(ErrorCode::IoError, path,
            u"\u201c%1\u201d is empty, so it is not a Fleetwright project. Choose another file, or delete it and "
            u"create a new project."_s.arg(path));
    if (!header.startsWith(QByteArrayView("SQLite format 3\0", 16)))
        return refused(ErrorCode::IoError, path,
            u"\u201c%1\u201d is not a Fleetwright project. Choose a file that Fleetwright saved (*.fleetwright)."_s.arg(
                path));
    if (header.size() < 100)
        return refused(
            ErrorCode::IoError, path, u"\u201c%1\u201d is cut short. Open a copy or a backup of it."_s.arg(path));
    if (qFromBigEndian<quint32>(header.constData() + 68) != projectApplicationId)
        return refused(ErrorCode::IoError, path,
            u"\u201c%1\u201d is a database of another program, not a Fleetwright project. Choose a file that "
            u"Fleetwright saved (*.fleetwright)."_s.arg(path));
    const int version = int(qFromBigEndian<qint32>(header.constData() + 60));
    if (version > newest)
        return refused(ErrorCode::NewerFile, path,
            u"\u201c%1\u201d was saved by a newer version of Fleetwright (file format %2, this version reads up "
            u"to %3). Update Fleetwright to open it; the file was not changed."_s.arg(path)
                .arg(version)
                .arg(newest));
    if (version < 1)
        return refused(ErrorCode::IoError, path,
            u"\u201c%1\u201d states no file format; it is damaged. Open a copy or a backup of it."_s.arg(path));
    return version;
}

/// Why a project must not be worked with, or nothing.
Expected<void> checkSound(const Database &database)
{
    const auto damage = findDamage(database);
    if (!damage)
        return std::unexpected(damage.error());
    if (!damage->empty())
        return std::unexpected(damage->front());
    return {};
}

Expected<void> upgrade(OpenedProject &project, const QString &path, std::span<const QStringList> steps)
{
    if (!project.readOnlyReason.isEmpty())
        return refused(ErrorCode::ReadOnly, path,
            u"\u201c%1\u201d was saved by an older version and must be brought to the format of this one, which "
            u"needs writing. %2"_s.arg(path, project.readOnlyReason));
    if (auto kept = keepVersion(*project.database, u"before format %1"_s.arg(steps.size() + 1)); !kept)
        return std::unexpected(std::move(kept.error()));
    return migrate(*project.database, steps);
}

} // namespace

ProjectLock::ProjectLock(const QString &projectPath)
{
    const QFileInfo info(projectPath);
    const QFileInfo real(
        info.exists() ? info.canonicalFilePath() : info.absoluteFilePath()); // links to one project share its lock
    m_file = std::make_unique<QLockFile>(u"%1/.%2.lock"_s.arg(real.absolutePath(), real.fileName()));
    m_file->setStaleLockTime(
        std::chrono::milliseconds(0)); // a project may stay open for days; a vanished process still counts as gone
}

ProjectLock::State ProjectLock::take()
{
    if (m_file->tryLock(std::chrono::milliseconds(0)))
        return State::Taken;
    return m_file->error() == QLockFile::LockFailedError ? State::HeldElsewhere : State::FolderNotWritable;
}

QString ProjectLock::holder() const
{
    qint64 process = 0;
    QString host;
    QString program;
    if (!m_file->getLockInfo(&process, &host, &program))
        return u"another program"_s;
    return u"process %1 on %2"_s.arg(process).arg(host);
}

Expected<OpenedProject> openProject(const QString &path, OpenMode mode, std::span<const QStringList> steps)
{
    const int newest = int(steps.size()) + 1;
    if (const auto version = versionInHeader(path, newest); !version)
        return std::unexpected(version.error());
    OpenedProject project;
    if (mode == OpenMode::ReadOnly) {
        project.readOnlyReason = u"It was opened for reading only; open it again to make changes."_s;
    } else if (!QFileInfo(path).isWritable()) {
        project.readOnlyReason = u"The file is write-protected; save a copy to make changes."_s;
    } else {
        project.lock = std::make_unique<ProjectLock>(path);
        switch (project.lock->take()) {
        case ProjectLock::State::Taken: break;
        case ProjectLock::State::HeldElsewhere:
            project.readOnlyReason =
                u"It is open in another window (%1); close it there and open it again here, or save a copy to "
                u"make changes."_s.arg(project.lock->holder());
            break;
        case ProjectLock::State::FolderNotWritable:
            project.readOnlyReason = u"Its folder is write-protected; save a copy to make changes."_s;
            break;
        }
    }
    const auto explained = [&](const Error &error) {
        if (error.code != ErrorCode::ReadOnly || !QFileInfo::exists(journalOf(path)))
            return error;
        return Error{ErrorCode::ReadOnly, path.toStdString(),
            u"The last edit of \u201c%1\u201d was cut off and must be undone first, which needs writing. %2"_s
                .arg(path, project.readOnlyReason)
                .toStdString()};
    };
    auto database = Database::open(
        path, project.readOnlyReason.isEmpty() ? Database::Access::ReadWrite : Database::Access::ReadOnly);
    if (!database)
        return std::unexpected(explained(database.error()));
    project.database = std::move(*database);
    const auto version = project.database->integer(
        u"PRAGMA user_version"_s); // again: a killed writer's journal may have been rolled back
    if (!version)
        return std::unexpected(explained(version.error()));
    if (*version < newest) {
        if (const auto damage = project.database->texts(u"PRAGMA quick_check"_s);
            damage && *damage != QStringList{u"ok"_s})
            return refused(ErrorCode::IoError, path,
                u"\u201c%1\u201d is damaged. Open a copy or a backup of it; the damaged file was left as it is."_s.arg(
                    path));
        if (auto upgraded = upgrade(project, path, steps); !upgraded)
            return std::unexpected(std::move(upgraded.error()));
    }
    if (auto sound = checkSound(*project.database); !sound)
        return std::unexpected(std::move(sound.error()));
    return project;
}

Expected<std::vector<Error>> findDamage(const Database &database)
{
    const QString path = database.path();
    std::vector<Error> found;
    const auto add = [&](const QString &what) {
        found.push_back({ErrorCode::IoError, path.toStdString(),
            u"\u201c%1\u201d is damaged: %2. Open a copy or a backup of it; this file was left as it is."_s
                .arg(path, what)
                .toStdString()});
    };
    const auto pages = database.texts(u"PRAGMA quick_check"_s);
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
    const auto programs = database.texts(
        u"SELECT name FROM sqlite_schema WHERE type IN ('trigger', 'view') ORDER BY name"_s);
    if (!programs)
        return std::unexpected(programs.error());
    for (const auto &name : *programs)
        add(u"it holds the trigger or view \u201c%1\u201d, which no project has"_s.arg(name));
    const auto shape = shapeOf(database);
    const auto fresh = freshShape();
    if (!shape || !fresh)
        return std::unexpected(shape ? fresh.error() : shape.error());
    QStringList missing;
    std::ranges::set_difference(*fresh, *shape, std::back_inserter(missing));
    if (!missing.isEmpty())
        add(u"the column \u201c%1\u201d is missing"_s.arg(missing.first().section(u' ', 0, 0)));
    return found;
}

} // namespace fleetwright::storage
