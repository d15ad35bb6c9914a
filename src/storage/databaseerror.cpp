// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/databaseerror.h"

#include <QFileInfo>
#include <QSqlError>
#include <QStorageInfo>

#include <sqlite3.h>

#include <cerrno>

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

constexpr int noReason = 0;

/// The system's reason, as far as SQLite kept it: of the last call on the project's file, or of opening another one.
int systemReason(sqlite3 *handle, int code)
{
    if (!handle)
        return noReason;
    if (sqlite3_extended_errcode(handle) == code)
        if (const int reason = sqlite3_system_errno(handle); reason != noReason)
            return reason;
    int reason = noReason;
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_LAST_ERRNO, &reason);
    return reason;
}

bool isFull(int reason)
{
#ifdef EDQUOT
    if (reason == EDQUOT)
        return true;
#endif
    return reason == ENOSPC;
}

QString whatToDo(const QString &damage)
{
    return damage
        + u". Restore a version or a backup of it, or save what can be read of it (\u201cproject salvage\u201d); this "
          u"file was left as it is."_s;
}

struct Saying {
    QString sentence;
    ErrorCode code = ErrorCode::IoError;
};

const QString diskFull = u"%1 could not be written because the disk is full or your share of it is used up. Nothing "
                         u"was changed; free some space and try again."_s;
const QString tooLong = u"%1 could not be written because files may not grow any further here (a size limit was "
                        u"reached). Nothing was changed; raise the limit or save a copy elsewhere."_s;
const QString folderProtected = u"%1 could not be written because its folder is write-protected. Nothing was changed; "
                                u"save a copy elsewhere."_s;

Saying inputOutput(int code, int reason)
{
    if (isFull(reason) && code != SQLITE_IOERR_READ)
        return {diskFull};
    if (reason == EFBIG)
        return {tooLong};
    switch (code) {
    case SQLITE_IOERR_LOCK:
    case SQLITE_IOERR_RDLOCK:
    case SQLITE_IOERR_UNLOCK:
    case SQLITE_IOERR_CHECKRESERVEDLOCK:
        return {u"%1 stands on a file system that did not lock it, so that two programs could write at once. Copy it "
                u"to a disk of this computer."_s};
    case SQLITE_IOERR_READ:
    case SQLITE_IOERR_SHORT_READ:
        return {u"%1 could not be read: the disk reported an error. Nothing was changed; check the disk, and open a "
                u"copy or a backup."_s};
    default:
        return {u"%1 could not be written or read: the disk reported an error. Nothing was changed; check the disk "
                u"and try again."_s};
    }
}

/// An open project that cannot open another file: it is the journal that cannot be made.
Saying noJournal(const QString &path, int reason)
{
    const QFileInfo folder(QFileInfo(path).absolutePath());
    if (!folder.isDir())
        return {u"%1 could not be written because its folder is no longer there. Nothing was changed; save a copy "
                u"elsewhere."_s};
    if (isFull(reason) || QStorageInfo(folder.absoluteFilePath()).bytesAvailable() == 0)
        return {diskFull};
    if (!folder.isWritable())
        return {folderProtected, ErrorCode::ReadOnly};
    if (reason == EMFILE || reason == ENFILE)
        return {u"%1 could not be written because too many files are open. Nothing was changed; close some programs "
                u"and try again."_s};
    return {u"%1 could not be written because its journal could not be made in its folder. Nothing was changed; check "
            u"the folder, or save a copy elsewhere."_s};
}

Saying sayingOf(int code, const QString &path, sqlite3 *handle)
{
    constexpr int primary = 0xff; // the rest says more
    const int reason = systemReason(handle, code);
    switch (code & primary) {
    case SQLITE_FULL: return {diskFull};
    case SQLITE_IOERR: return inputOutput(code, reason);
    case SQLITE_READONLY:
        if (code == SQLITE_READONLY_DIRECTORY)
            return {folderProtected, ErrorCode::ReadOnly};
        return {u"%1 cannot be changed here. Check the permissions of the file and its folder, or save a copy "
                u"elsewhere."_s,
            ErrorCode::ReadOnly};
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return {u"%1 is in use by another program. Nothing was changed; try again in a moment."_s};
    case SQLITE_CANTOPEN:
        if (handle)
            return noJournal(path, reason);
        return {u"%1 could not be opened. Check that the file and its folder exist and that you may read them."_s};
    case SQLITE_CORRUPT: return {whatToDo(u"%1 is damaged"_s), ErrorCode::Damaged};
    case SQLITE_NOTADB:
        return {u"%1 is not a Fleetwright project. Choose a file that Fleetwright saved (*.fleetwright)."_s};
    case SQLITE_TOOBIG: return {u"%1 holds a value of more than 64 MiB, which no project needs. Shorten the value."_s};
    case SQLITE_NOMEM: return {u"There is not enough memory to use %1. Close some programs and try again."_s};
    default: return {};
    }
}

} // namespace

Error errorFrom(const QSqlError &error, const QString &path, const QString &statement, sqlite3 *handle)
{
    const int code = error.nativeErrorCode().toInt();
    const bool gone = !path.isEmpty() && handle
        && (code == SQLITE_READONLY_DBMOVED || (code != SQLITE_OK && !QFileInfo::exists(path)));
    if (gone)
        return fileHasGone(path);
    const QString file = path.isEmpty() ? u"The database in memory"_s : u"\u201c%1\u201d"_s.arg(path);
    const auto saying = sayingOf(code, path, handle);
    if (!saying.sentence.isEmpty())
        return {saying.code, path.toStdString(), saying.sentence.arg(file).toStdString()};
    return {ErrorCode::IoError, path.toStdString(),
        u"%1 could not be used: SQLite refused \u201c%2\u201d (its number for that: %3)."_s
            .arg(file, statement.simplified().left(120), QString::number(code))
            .toStdString()};
}

Error damaged(const QString &path, const QString &what)
{
    return {ErrorCode::Damaged, path.toStdString(),
        whatToDo(u"\u201c%1\u201d is damaged: %2"_s.arg(path, what)).toStdString()};
}

Error fileHasGone(const QString &path)
{
    return {ErrorCode::IoError, path.toStdString(),
        u"\u201c%1\u201d was moved, deleted or replaced by another program since it was opened. Nothing was written; "
        u"\u201cSave a copy\u201d keeps what is shown here in another file."_s.arg(path)
            .toStdString()};
}

} // namespace fleetwright::storage
