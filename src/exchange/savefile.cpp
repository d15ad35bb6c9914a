// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/savefile.h"

#include "domain/schemaversion.h"
#include "exchange/leftovers.h"
#include "exchange/systemreason.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QtEndian>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#ifdef Q_OS_UNIX
#include <fcntl.h>
#include <unistd.h>
#endif

using namespace Qt::StringLiterals;

namespace fleetwright::exchange {

namespace {

std::unexpected<Error> cannot(const QString &path, const QString &reason, const QString &advice)
{
    return refuse(ErrorCode::IoError, path.toStdString(),
        u"\u201c%1\u201d could not be written: %2. %3"_s.arg(path, reason, advice).toStdString());
}

QString folderOf(const QString &path) { return QFileInfo(path).absolutePath(); }

/// What the system says, and what to do about it. `folder`: where the file was to be.
std::unexpected<Error> failed(const QString &path, int reason, const QString &folder)
{
    const auto unchanged = u"; the old file, if there was one, is unchanged."_s;
    const auto space = u"Free some space on the disk or choose another one"_s + unchanged;
    const auto elsewhere = u"Choose another folder"_s + unchanged;
    switch (reason) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return cannot(path, systemReason(reason), space);
    case EACCES:
    case EPERM: return cannot(path, u"you may not write in the folder “%1”"_s.arg(folder), elsewhere);
    case ENOENT:
    case ENOTDIR:
        if (QFileInfo(folder).isDir()) // such as those that the system keeps for itself
            return cannot(path, u"the folder “%1” takes no new files"_s.arg(folder), elsewhere);
        return cannot(
            path, u"the folder “%1” does not exist"_s.arg(folder), u"Make the folder or choose another one."_s);
    case ENAMETOOLONG: return cannot(path, systemReason(reason), u"Choose a shorter name."_s);
    case EIO: return cannot(path, systemReason(reason), u"Check the disk or choose another one"_s + unchanged);
    default: return cannot(path, systemReason(reason), elsewhere);
    }
}

/// False when the operating system could not promise that the file or folder is on the disk; errno says why.
bool syncToDisk(const QString &path)
{
#ifdef Q_OS_UNIX
    const int descriptor = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    const bool synced = ::fsync(descriptor) == 0;
    const int reason = errno;
    ::close(descriptor);
    errno = reason;
    return synced;
#else
    return QFileInfo::exists(path); // renaming is all that other systems offer here
#endif
}

/// Where the bytes go: behind symbolic links, to a file that need not exist yet.
Expected<QString> behindLinks(const QString &path)
{
    constexpr int mostLinks = 40; // as many as Linux follows
    QFileInfo target(path);
    for (int links = 0; target.isSymLink(); ++links) {
        if (links == mostLinks)
            return cannot(path, u"it is a link that leads back to itself"_s, u"Give the name of a file."_s);
        target = QFileInfo(target.symLinkTarget());
    }
    return target.absoluteFilePath();
}

bool saysItIsProject(QFile &file)
{
    constexpr QByteArrayView sqlite("SQLite format 3\0", 16);
    constexpr qint64 idAt = 68;
    const auto head = file.read(idAt + 4);
    return head.size() == idAt + 4 && head.startsWith(sqlite)
        && qFromBigEndian<quint32>(head.constData() + idAt) == projectApplicationId;
}

/// What cannot be read may be one.
bool mayBeProject(const QString &path)
{
    QFile file(path);
    return !file.open(QIODevice::ReadOnly | QIODevice::Unbuffered) || saysItIsProject(file);
}

/// 0 where files can be made; else the reason as errno.
int whyNotWritable(const QString &folder)
{
#ifdef Q_OS_UNIX
    return ::access(QFile::encodeName(folder).constData(), W_OK | X_OK) == 0 ? 0 : errno;
#else
    return QFileInfo(folder).isWritable() ? 0 : EACCES;
#endif
}

Expected<void> checkFolder(const QString &path, const QString &target)
{
    if (!QFileInfo(folderOf(target)).isDir())
        return cannot(path, u"the folder “%1” does not exist"_s.arg(folderOf(target)),
            u"Make the folder or choose another one."_s);
    if (const int reason = whyNotWritable(folderOf(target)); reason != 0)
        return failed(path, reason, folderOf(target));
    return {};
}

/// The same refusals, and the name of the file that will be replaced or made.
Expected<QString> savableTarget(const QString &path)
{
    if (path.isEmpty())
        return refuse(ErrorCode::IoError, {}, "The file needs a name.");
    const auto target = behindLinks(path);
    if (!target)
        return target;
    if (auto folder = checkFolder(path, *target); !folder)
        return std::unexpected(std::move(folder.error()));
    const QFileInfo existing(*target);
    if (existing.exists() && !existing.isFile()) // renaming over a device would destroy it
        return cannot(path, existing.isDir() ? u"it is a folder"_s : u"it is not an ordinary file"_s,
            u"Give the name of a file."_s);
    if (isNamedLikeProject(path) || isNamedLikeProject(*target))
        return cannot(
            path, u"a name that ends in .fleetwright belongs to a project"_s, u"Choose a name with another ending."_s);
    if (auto free = checkNoProject(path); !free)
        return std::unexpected(std::move(free.error()));
    if (existing.exists() && !existing.isWritable())
        return cannot(path, u"the file is write-protected"_s, u"Choose another name or change its permissions."_s);
    return target;
}

/// A file of our own beside `target`, removed again unless it was put in its place.
class TemporaryFile {
public:
    explicit TemporaryFile(const QString &target) : m_folder(folderOf(target)) { }
    ~TemporaryFile()
    {
        if (m_made)
            m_file.remove();
    }
    TemporaryFile(const TemporaryFile &) = delete;
    TemporaryFile &operator=(const TemporaryFile &) = delete;

    /// False where the folder takes no new file.
    [[nodiscard]] bool make()
    {
        constexpr int attempts = 100;
        removeLeftovers(m_folder);
        for (int i = 0; i < attempts && !m_made; ++i) {
            m_file.setFileName(temporaryName(m_folder));
            errno = 0;
            if (!m_file.open(QIODevice::WriteOnly | QIODevice::NewOnly | QIODevice::Unbuffered)) {
                m_reason = errno;
                if (m_reason != EEXIST)
                    return false;
                continue;
            }
            m_made = holdTemporary(m_file.handle());
            if (!m_made) // whoever tidies up took it for a leftover
                m_file.close();
        }
        return m_made;
    }
    /// Unbuffered, so that no byte waits for a later step that nobody checks. The file stays open, for that shows
    /// others that somebody is at it.
    [[nodiscard]] bool write(const QByteArray &bytes)
    {
        qint64 done = 0;
        while (done < bytes.size()) {
            errno = 0;
            const auto written = m_file.write(bytes.constData() + done, bytes.size() - done);
            if (written <= 0) {
                m_reason = errno != 0 ? errno : EIO;
                return false;
            }
            done += written;
        }
#ifndef Q_OS_UNIX
        m_file.close(); // or it cannot be renamed
#endif
        return true;
    }
    [[nodiscard]] bool takePermissionsOf(const QFileInfo &existing)
    {
        errno = 0;
        const bool taken = !existing.exists() || m_file.setPermissions(existing.permissions());
        if (!taken)
            m_reason = errno != 0 ? errno : EPERM;
        return taken;
    }
    [[nodiscard]] QString name() const { return m_file.fileName(); }
    [[nodiscard]] int reason() const { return m_reason; } ///< of the last failure, as errno
    void keep() { m_made = false; }

private:
    QString m_folder;
    QFile m_file;
    bool m_made = false;
    int m_reason = EIO;
};

/// `path` is the name that people know, `target` the place that it stands for.
Expected<void> write(const QByteArray &bytes, const QString &path, const QString &target, bool isNew)
{
    TemporaryFile file(target);
    if (!file.make() || !file.takePermissionsOf(QFileInfo(target)) || !file.write(bytes))
        return failed(path, file.reason(), folderOf(target));
    if (auto done = isNew ? putNewInPlace(file.name(), target) : putInPlace(file.name(), target); !done)
        return refuse(ErrorCode::IoError, path.toStdString(), done.error().message);
    file.keep();
    return {};
}

/// Renames, but never over what has appeared there meanwhile. 0, or the reason as errno.
int renameToNew(const QString &from, const QString &to)
{
#ifdef Q_OS_UNIX
    const auto source = QFile::encodeName(from), target = QFile::encodeName(to);
#ifdef RENAME_NOREPLACE
    if (::renameat2(AT_FDCWD, source.constData(), AT_FDCWD, target.constData(), RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS) // which mean that the file system cannot
        return errno;
#endif
    if (::link(source.constData(), target.constData()) == 0)
        return ::unlink(source.constData()) == 0 ? 0 : errno;
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS)
        return errno;
#endif
    if (const QFileInfo there(to); there.exists() || there.isSymLink()) // no better way here
        return EEXIST;
    std::error_code error;
    std::filesystem::rename(from.toStdU16String(), to.toStdU16String(), error);
    return error.value();
}

} // namespace

bool isNamedLikeProject(const QString &path) { return path.endsWith(u".fleetwright"_s, Qt::CaseInsensitive); }

bool saysItIsProject(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly | QIODevice::Unbuffered) && saysItIsProject(file);
}

Expected<void> saveFile(const QByteArray &bytes, const QString &path)
{
    const auto target = savableTarget(path);
    return target ? write(bytes, path, *target, false) : std::unexpected(target.error());
}

Expected<void> checkSavable(const QString &path)
{
    const auto target = savableTarget(path);
    return target ? Expected<void>() : std::unexpected(target.error());
}

Expected<void> checkNoProject(const QString &path)
{
    const auto target = behindLinks(path);
    if (!target)
        return std::unexpected(target.error());
    if (const QFileInfo existing(*target); existing.isFile() && mayBeProject(*target))
        return cannot(path,
            existing.isReadable() ? u"it is a project, which no other file replaces"_s
                                  : u"it cannot be read, so it may be a project"_s,
            u"Choose another name."_s);
    return {};
}

Expected<void> saveNewFile(const QByteArray &bytes, const QString &path)
{
    if (path.isEmpty())
        return refuse(ErrorCode::IoError, {}, "The file needs a name.");
    if (const QFileInfo info(path); info.exists() || info.isSymLink())
        return cannot(path, u"it exists already"_s, u"Choose another name."_s);
    if (auto folder = checkFolder(path, path); !folder)
        return folder;
    return write(bytes, path, path, true);
}

Expected<void> putInPlace(const QString &from, const QString &to)
{
    if (!syncToDisk(from))
        return failed(to, errno, folderOf(to));
    std::error_code error;
    std::filesystem::rename(from.toStdU16String(), to.toStdU16String(), error);
    if (error)
        return failed(to, error.value(), folderOf(to));
    static_cast<void>(syncToDisk(folderOf(to))); // the file is there and whole; not every file system syncs a folder
    return {};
}

Expected<void> putNewInPlace(const QString &from, const QString &to)
{
    if (!syncToDisk(from))
        return failed(to, errno, folderOf(to));
    if (const int reason = renameToNew(from, to); reason == EEXIST)
        return cannot(to, u"it exists already"_s, u"Choose another name."_s);
    else if (reason != 0)
        return failed(to, reason, folderOf(to));
    static_cast<void>(syncToDisk(folderOf(to)));
    return {};
}

namespace {

constexpr auto listTitle = "file\r\n";

/// What the list of the folder says that saveFolder() wrote. A name with a path is none of ours.
QStringList listedIn(const QDir &folder)
{
    constexpr qint64 mostBytes = 1 << 20;
    QFile list(folder.filePath(folderList));
    if (!list.open(QIODevice::ReadOnly))
        return {};
    const auto text = list.read(mostBytes);
    if (!text.startsWith(listTitle))
        return {};
    auto names = QString::fromUtf8(text).split(u"\r\n"_s, Qt::SkipEmptyParts).mid(1);
    names.removeIf(
        [](const QString &name) { return name.contains(u'/') || name.contains(u'\\') || !name.endsWith(u".csv"_s); });
    return names;
}

/// A hidden folder in `place`, removed with what is in it.
class TemporaryFolder {
public:
    explicit TemporaryFolder(const QString &place)
    {
        constexpr int attempts = 100;
        removeLeftovers(place);
        for (int i = 0; i < attempts && !m_made; ++i) {
            m_folder.setPath(temporaryName(place));
            errno = 0;
            const bool isNew = QDir().mkdir(m_folder.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
            m_made = isNew && holdTemporaryFolder(m_folder.path(), m_held);
            m_reason = m_made ? 0 : errno;
            if (isNew && !m_made)
                QDir().rmdir(m_folder.path());
            if (!m_made && m_reason != EEXIST)
                return;
        }
    }
    ~TemporaryFolder()
    {
        if (m_made)
            removeTemporaryFolder(m_folder.path(), m_held);
    }
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;
    [[nodiscard]] bool isMade() const { return m_made; }
    [[nodiscard]] int reason() const { return m_reason; } ///< as errno
    [[nodiscard]] QString file(const QString &name) const { return m_folder.filePath(name); }

private:
    QDir m_folder;
    bool m_made = false;
    int m_reason = 0, m_held = -1;
};

/// The folder, or the nearest above it that is there.
QString presentFolder(const QString &path)
{
    QString present = QDir::cleanPath(QDir(path).absolutePath());
    while (!QFileInfo::exists(present) && present != QDir::rootPath() && !present.isEmpty())
        present = QFileInfo(present).absolutePath();
    return present;
}

} // namespace

Expected<void> saveMade(
    const QString &path, Placing placing, const std::function<Expected<void>(const QString &unfinished)> &make)
{
    const TemporaryFolder folder(folderOf(path));
    if (!folder.isMade())
        return failed(path, folder.reason(), folderOf(path));
    const auto unfinished = folder.file(QFileInfo(path).fileName());
    if (auto made = make(unfinished); !made)
        return made;
    return placing == Placing::New ? putNewInPlace(unfinished, path) : putInPlace(unfinished, path);
}

Expected<void> checkSavableFolder(const QString &path)
{
    const auto present = presentFolder(path);
    if (!QFileInfo(present).isDir())
        return cannot(path, u"“%1” is a file, not a folder"_s.arg(present), u"Give the name of a folder."_s);
    const TemporaryFolder tried(present);
    return tried.isMade() ? Expected<void>() : failed(path, tried.reason(), present);
}

Expected<void> saveFolder(const std::vector<FolderFile> &files, const QString &path, const std::stop_token &stop)
{
    if (auto savable = checkSavableFolder(path); !savable)
        return savable;
    const QDir folder(path);
    const bool isNew = !folder.exists();
    errno = 0;
    if (isNew && !QDir().mkpath(path))
        return failed(path, errno != 0 ? errno : EACCES, presentFolder(path));
    const auto save = [&]() -> Expected<void> {
        const TemporaryFolder unfinished(folder.absolutePath());
        if (!unfinished.isMade())
            return failed(path, unfinished.reason(), path);
        auto whole = files;
        QByteArray list = listTitle;
        for (const auto &file : files)
            list += file.name.toUtf8() + "\r\n";
        whole.push_back({folderList, list});
        for (const auto &file : whole) { // what cannot be replaced is told before anything is
            if (stop.stop_requested())
                return refuse(ErrorCode::Cancelled, {}, "Writing was cancelled.");
            if (auto free = checkSavable(folder.filePath(file.name)); !free)
                return free;
            if (auto saved = saveFile(file.bytes, unfinished.file(file.name)); !saved)
                return refuse(ErrorCode::IoError, path.toStdString(), saved.error().message);
        }
        const auto earlier = listedIn(folder);
        for (const auto &file : whole)
            if (auto placed = putInPlace(unfinished.file(file.name), folder.filePath(file.name)); !placed)
                return placed;
        for (const auto &name : earlier)
            if (std::ranges::find(whole, name, &FolderFile::name) == whole.end())
                QFile::remove(folder.filePath(name));
        return {};
    };
    auto saved = save();
    if (!saved && isNew)
        QDir().rmdir(path);
    return saved;
}

} // namespace fleetwright::exchange
