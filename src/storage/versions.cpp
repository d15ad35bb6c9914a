// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/versions.h"

#include "exchange/savefile.h"
#include "storage/files.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QUuid>

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

constexpr auto timeFormat = "yyyy-MM-dd'T'HH-mm-ss'Z'";
constexpr int mostNumber = 999;

/// Groups: time, number, reason. Sorted by name such files are sorted by age: a space comes before a full stop.
const QRegularExpression &namePattern()
{
    static const QRegularExpression pattern(
        u"\\A(\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\dZ)(?:\\.(\\d{3}))? ([a-z0-9-]+)\\.fleetwright\\z"_s);
    return pattern;
}

constexpr auto unfinishedPattern = ".unfinished-*";

std::unexpected<Error> notKept(const QString &folder, const std::string &cause)
{
    return refuse(ErrorCode::IoError, folder.toStdString(),
        "A copy of the project as it is could not be kept first, in \u201c" + folder.toStdString()
            + "\u201d, so nothing was changed. " + cause);
}

/// The names that were given, oldest first.
QStringList namesIn(const QString &folder)
{
    auto names = QDir(folder).entryList({u"*.fleetwright"_s}, QDir::Files | QDir::NoSymLinks);
    names.removeIf([](const QString &name) { return !namePattern().match(name).hasMatch(); });
    names.sort(); // by code unit, whatever the locale
    return names;
}

Expected<QString> freeName(const QString &folder, const QString &reason, const QDateTime &now)
{
    QString slug = reason.simplified().toLower().replace(u' ', u'-');
    slug.remove(QRegularExpression(u"[^a-z0-9-]"_s));
    if (slug.isEmpty())
        slug = u"kept"_s;
    auto time = now.toUTC().toString(QLatin1String(timeFormat));
    int number = 0;
    if (const auto names = namesIn(folder); !names.isEmpty()) {
        const auto newest = namePattern().match(names.back());
        if (newest.captured(1) >= time) {
            time = newest.captured(1);
            number = newest.captured(2).toInt() + 1;
        }
    }
    if (number > mostNumber) // never in practice: a second that a thousand versions fell into
        return notKept(folder,
            "The clock of this computer stands far before the newest version there; set it, or move the folder away.");
    const auto counted = number == 0 ? QString() : u".%1"_s.arg(number, 3, 10, QLatin1Char('0'));
    return u"%1%2 %3.fleetwright"_s.arg(time, counted, slug);
}

/// What a writer left that was killed; whoever keeps a version holds the project alone.
void removeUnfinished(const QDir &folder)
{
    const auto names = folder.entryList({QLatin1String(unfinishedPattern)}, QDir::Files | QDir::Hidden);
    for (const auto &name : names)
        QFile::remove(folder.filePath(name));
}

} // namespace

QString versionsFolder(const QString &projectPath)
{
    const QFileInfo info(projectPath);
    auto real = info.exists() ? info.canonicalFilePath() : info.absoluteFilePath();
    if (real.endsWith(".fleetwright"_L1))
        real.chop(int(QLatin1String(".fleetwright").size()));
    return real + u".versions"_s;
}

std::vector<Version> versionsOf(const QString &projectPath)
{
    const QDir folder(versionsFolder(projectPath));
    const auto names = namesIn(folder.path());
    std::vector<Version> versions;
    for (auto name = names.crbegin(); name != names.crend(); ++name) {
        const auto parts = namePattern().match(*name);
        auto savedAt = QDateTime::fromString(parts.captured(1), QLatin1String(timeFormat));
        savedAt.setTimeSpec(Qt::UTC);
        const auto path = folder.filePath(*name);
        versions.push_back({path, savedAt, parts.captured(3).replace(u'-', u' '), QFileInfo(path).size()});
    }
    return versions;
}

Expected<QString> keepVersion(Database &project, const QString &reason)
{
    return keepVersion(project, reason, QDateTime::currentDateTimeUtc());
}

Expected<QString> keepVersion(Database &project, const QString &reason, const QDateTime &now)
{
    const QDir folder(versionsFolder(project.path()));
    if (!folder.mkpath(u"."_s))
        return notKept(folder.path(), "The folder could not be made; check the permissions of the one around it.");
    removeUnfinished(folder);
    const auto name = freeName(folder.path(), reason, now);
    if (!name)
        return std::unexpected(name.error());
    const auto unfinished = folder.filePath(
        QLatin1String(unfinishedPattern).chopped(1) + QUuid::createUuid().toString(QUuid::Id128).left(8));
    auto done = project.execute(u"VACUUM INTO ?"_s, {unfinished});
    if (done)
        done = exchange::putInPlace(unfinished, folder.filePath(*name));
    if (!done) {
        QFile::remove(unfinished);
        QFile::remove(journalOf(unfinished));
        return notKept(folder.path(), done.error().message);
    }
    auto names = namesIn(folder.path());
    while (names.size() > mostVersions)
        QFile::remove(folder.filePath(names.takeFirst()));
    return folder.filePath(*name);
}

} // namespace fleetwright::storage
