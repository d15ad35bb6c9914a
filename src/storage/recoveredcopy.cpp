// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/recoveredcopy.h"

#include "exchange/savefile.h"
#include "exchange/systemreason.h"
#include "storage/files.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

struct FileAndJournal {
    QByteArray content;
    QByteArray journal; ///< empty: there was none
};

Expected<QByteArray> journalContent(const QString &path)
{
    QFile journal(journalOf(QFileInfo(path).canonicalFilePath())); // SQLite follows links before it names the journal
    if (!QFileInfo(journal).isFile())
        return QByteArray();
    if (!journal.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return refuse(ErrorCode::IoError, path.toStdString(),
            u"The last edit of \u201c%1\u201d was cut off, and what undoes it, \u201c%2\u201d, could not be read (%3). "
            u"Ask its owner for permission."_s
                .arg(path, journal.fileName(), exchange::whyNotReadable(journal.fileName()))
                .toStdString());
    return journal.read(mostCopied);
}

/// Both of one moment: as long as the journal stays the same, it undoes whatever has reached the file.
Expected<FileAndJournal> readBoth(const ProjectFile &file, const QString &path)
{
    constexpr int attempts = 5;
    for (int i = 0; i < attempts; ++i) {
        auto journal = journalContent(path);
        const auto before = file.state();
        if (!journal)
            return std::unexpected(std::move(journal.error()));
        if (!before || before->size + journal->size() > mostCopied)
            break;
        FileAndJournal both{file.read(0, before->size), std::move(*journal)};
        const auto again = journalContent(path);
        if (both.content.size() == before->size && again && *again == both.journal
            && (!both.journal.isEmpty() || file.state() == before))
            return both;
    }
    return refuse(ErrorCode::IoError, path.toStdString(),
        u"\u201c%1\u201d is being written by another program. Try again in a moment."_s.arg(path).toStdString());
}

} // namespace

Expected<std::unique_ptr<Database>> recoveredCopy(const ProjectFile &file, const QString &path)
{
    const auto both = readBoth(file, path);
    if (!both)
        return std::unexpected(both.error());
    const auto unwritable = [&](const QString &reason) {
        return refuse(ErrorCode::IoError, path.toStdString(),
            u"The last edit of \u201c%1\u201d was cut off, and it could not be copied to undo that: %2"_s
                .arg(path, reason)
                .toStdString());
    };
    if (namesFurtherFile(both->journal)) // put there since it was checked
        return unwritable(
            u"What undoes it was not made by Fleetwright; move \u201c%1\u201d away."_s.arg(journalOf(path)));
    const QTemporaryDir folder;
    if (!folder.isValid())
        return unwritable(u"No temporary folder could be made."_s);
    const QString copy = folder.filePath(u"project.fleetwright"_s);
    if (auto written = exchange::saveNewFile(both->content, copy); !written)
        return unwritable(QString::fromStdString(written.error().message));
    if (!both->journal.isEmpty())
        if (auto written = exchange::saveNewFile(both->journal, journalOf(copy)); !written)
            return unwritable(QString::fromStdString(written.error().message));
    auto database = Database::open(copy, Database::Access::ReadWrite);
    auto recovered = database ? (*database)->inMemoryCopy(path) : std::unexpected(std::move(database.error()));
    if (!recovered) { // the copy's name would mean nothing to anybody
        const auto message = QString::fromStdString(recovered.error().message).replace(copy, path);
        return refuse(recovered.error().code, path.toStdString(), message.toStdString());
    }
    return recovered;
}

} // namespace fleetwright::storage
