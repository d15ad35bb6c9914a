// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/versions.h"

#include "exchange/savefile.h"
#include "storage/files.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QUuid>

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

constexpr auto timeFormat = "yyyy-MM-dd'T'HH-mm-ss'Z'";
constexpr int mostNumber = 999999;

/// Groups: time, number, reason.
const QRegularExpression &namePattern()
{
    static const QRegularExpression pattern(
        u"\\A(\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\dZ)(?:\\.(\\d{3,6}))? ([a-z0-9-]+)\\.fleetwright\\z"_s);
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
    const auto age = [](const QString &name) {
        const auto parts = namePattern().match(name);
        return std::tuple(parts.captured(1), parts.captured(2).toInt(), parts.captured(3));
    };
    std::ranges::sort(names, {}, age);
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
    if (number > mostNumber) // never in practice: a second that a million versions fell into
        return notKept(folder,
            "The clock of this computer stands far before the newest version there; set it, or move the folder away.");
    const auto counted = number == 0 ? QString() : u".%1"_s.arg(number, 3, 10, QLatin1Char('0'));
    return u"%1%2 %3.fleetwright"_s.arg(time, counted, slug);
}

/// A copy of the same content is the same, byte for byte, so undoing a change and doing it again would fill the folder
/// with two states. Those that were kept before an earlier change make room for `newest`; what people asked for stays.
void dropEarlierTwins(const QDir &folder, const QString &newest)
{
    const auto contentOf = [](const QString &path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const auto size = QFileInfo(folder.filePath(newest)).size();
    QByteArray content;
    for (const auto &name : namesIn(folder.path())) {
        const auto path = folder.filePath(name);
        if (name == newest || QFileInfo(path).size() != size
            || !namePattern().match(name).captured(3).startsWith("before-"_L1))
            continue;
        if (content.isEmpty())
            content = contentOf(folder.filePath(newest));
        if (!content.isEmpty() && contentOf(path) == content)
            QFile::remove(path);
    }
}

/// Copies are for those who may read the project, and nobody else.
bool takePermissions(const QString &copy, const QString &project)
{
    const QFileInfo of(project);
    return !of.exists() || QFile::setPermissions(copy, of.permissions());
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
    const auto real = info.exists() ? info.canonicalFilePath() : info.absoluteFilePath();
    if (real.endsWith(".fleetwright"_L1))
        return real.chopped(QLatin1String(".fleetwright").size()) + u".versions"_s;
    return real + u".kept-versions"_s; // "fleet" and "fleet.fleetwright" may stand side by side
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
    const QFileInfo source(project.path());
    constexpr auto others = QFile::ReadGroup | QFile::ReadOther;
    if (source.exists() && !(source.permissions() & others) // nor may others see when what was kept, and why
        && !QFile::setPermissions(folder.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner))
        return notKept(folder.path(), "The permissions of the folder could not be set; check whom it belongs to.");
    removeUnfinished(folder);
    const auto name = freeName(folder.path(), reason, now);
    if (!name)
        return std::unexpected(name.error());
    const auto unfinished = folder.filePath(
        QLatin1String(unfinishedPattern).chopped(1) + QUuid::createUuid().toString(QUuid::Id128).left(8));
    auto done = project.execute(u"VACUUM INTO ?"_s, {unfinished});
    if (done && !takePermissions(unfinished, project.path()))
        return QFile::remove(unfinished),
               notKept(folder.path(), "The copy could not be given the permissions of the project.");
    if (done)
        done = exchange::putNewInPlace(unfinished, folder.filePath(*name));
    if (!done) {
        QFile::remove(unfinished);
        QFile::remove(journalOf(unfinished));
        return notKept(folder.path(), done.error().message);
    }
    if (name->contains(" before-"_L1))
        dropEarlierTwins(folder, *name);
    auto names = namesIn(folder.path());
    while (names.size() > mostVersions)
        QFile::remove(folder.filePath(names.takeFirst()));
    return folder.filePath(*name);
}

} // namespace fleetwright::storage
