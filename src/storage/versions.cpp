// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/versions.h"

#include "exchange/savefile.h"
#include "storage/projectfile.h"
#include "storage/projectlock.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

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

/// Of what may be no project, or a hostile one: nothing but a stored row is read.
std::optional<QString> identityIn(const QString &path)
{
    constexpr auto patience = std::chrono::milliseconds(250);
    if (!QFileInfo(path).isFile())
        return std::nullopt;
    const auto file = Database::open(path, Database::Access::ReadOnly, patience);
    return file ? identityOf(**file) : std::nullopt;
}

/// Whether it was removed; what somebody has open stays.
bool removeVersion(const QString &path)
{
    {
        const auto file = ProjectFile::open(path, ProjectFile::Access::Read);
        if (!file || isInUse(**file))
            return false;
    }
#ifndef Q_OS_UNIX
    QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner); // or it cannot be removed there
#endif
    return QFile::remove(path);
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
            removeVersion(path);
    }
}

/// Copies are for those who may read the project, and nobody else; nobody edits what is removed one day.
bool takePermissions(const QString &copy, const QString &project)
{
    constexpr auto reading = QFile::ReadOwner | QFile::ReadUser | QFile::ReadGroup | QFile::ReadOther;
    const QFileInfo of(project);
    return QFile::setPermissions(copy, (of.exists() ? of : QFileInfo(copy)).permissions() & reading);
}

} // namespace

std::optional<QString> identityOf(const Database &project)
{
    // A view or a virtual table, which would compute, has no page of its own.
    const auto stored = project.integer(
        u"SELECT count(*) FROM sqlite_schema WHERE name = 'project' AND type = 'table' AND rootpage > 0"_s);
    if (!stored || *stored != 1)
        return std::nullopt;
    const auto made = project.texts(u"SELECT coalesce(created_at, '') FROM project WHERE id = 1"_s);
    return made && made->size() == 1 ? std::optional(made->front()) : std::nullopt;
}

bool isVersion(const QString &path)
{
    const QFileInfo file(QFileInfo(path).canonicalFilePath());
    const auto folder = file.dir().dirName();
    return (folder.endsWith(".versions"_L1) || folder.endsWith(".kept-versions"_L1))
        && namePattern().match(file.fileName()).hasMatch();
}

bool isOfAnother(const Database &project, const QString &path)
{
    const QDir folder(versionsFolder(project.path()));
    if (!isVersion(path) || QFileInfo(path).canonicalPath() != folder.canonicalPath())
        return false;
    const auto mine = identityOf(project), its = identityIn(path);
    return mine && its && *mine != *its;
}

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
    const auto mine = names.isEmpty() ? std::nullopt : identityIn(projectPath);
    std::vector<Version> versions;
    for (auto name = names.crbegin(); name != names.crend(); ++name) {
        const auto parts = namePattern().match(*name);
        auto savedAt = QDateTime::fromString(parts.captured(1), QLatin1String(timeFormat));
        savedAt.setTimeSpec(Qt::UTC);
        const auto path = folder.filePath(*name);
        const auto its = mine ? identityIn(path) : std::nullopt;
        versions.push_back({path, savedAt, parts.captured(3).replace(u'-', u' '), QFileInfo(path).size(),
            mine && its && *mine != *its});
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
    const auto name = freeName(folder.path(), reason, now);
    if (!name)
        return std::unexpected(name.error());
    const auto kept = exchange::saveMade(
        folder.filePath(*name), exchange::Placing::New, [&](const QString &unfinished) -> Expected<void> {
            if (auto copied = project.execute(u"VACUUM INTO ?"_s, {unfinished}); !copied)
                return copied;
            if (!takePermissions(unfinished, project.path()))
                return refuse(ErrorCode::IoError, {}, "The copy could not be given the permissions of the project.");
            return {};
        });
    if (!kept)
        return notKept(folder.path(), kept.error().message);
    if (name->contains(" before-"_L1))
        dropEarlierTwins(folder, *name);
    return folder.filePath(*name);
}

void pruneVersions(const Database &project)
{
    const QDir folder(versionsFolder(project.path()));
    const auto mine = identityOf(project);
    auto names = namesIn(folder.path());
    if (!mine || names.size() <= mostVersions)
        return;
    names.removeIf([&](const QString &name) { return identityIn(folder.filePath(name)) != mine; });
    while (names.size() > mostVersions)
        removeVersion(folder.filePath(names.takeFirst()));
}

} // namespace fleetwright::storage
