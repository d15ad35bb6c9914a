// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/files.h"

#include "exchange/savefile.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

std::unexpected<Error> refused(const QString &path, const QString &sentence)
{
    return refuse(ErrorCode::IoError, path.toStdString(), sentence.toStdString());
}

QString folderOf(const QString &path) { return QFileInfo(path).absolutePath(); }

} // namespace

QString journalOf(const QString &path) { return path + u"-journal"_s; }

bool namesFurtherFile(QByteArrayView journal)
{
    return journal.endsWith(QByteArrayView("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8)); // of several databases
}

Expected<void> checkVacant(const QString &path)
{
    if (path.isEmpty())
        return refused(path, u"No file name was given; choose where to save the project."_s);
    const QFileInfo info(path);
    if (info.isDir())
        return refused(path, u"\u201c%1\u201d is a folder; choose a file name in it."_s.arg(path));
    if (info.exists() || info.isSymLink())
        return refused(path, u"\u201c%1\u201d already exists; open it or choose another name."_s.arg(path));
    if (!QFileInfo(folderOf(path)).isDir())
        return refused(
            path, u"The folder \u201c%1\u201d does not exist; create it or choose another one."_s.arg(folderOf(path)));
    return checkNoJournal(path);
}

Expected<void> checkNoJournal(const QString &path)
{
    if (QFileInfo::exists(journalOf(path)))
        return refused(path,
            u"\u201c%1\u201d is left from a project of this name that was not closed; move it away or choose "
            u"another name."_s.arg(journalOf(path)));
    return {};
}

Expected<void> writeNewFile(const QString &path, const QByteArray &content)
{
    if (auto vacant = checkVacant(path); !vacant)
        return vacant;
    return exchange::saveNewFile(content, path);
}

} // namespace fleetwright::storage
