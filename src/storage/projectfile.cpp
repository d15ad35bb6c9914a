// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/projectfile.h"

#include "exchange/systemreason.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#ifdef Q_OS_UNIX
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

std::unexpected<Error> unusable(const QString &path, const QString &sentence)
{
    return refuse(ErrorCode::IoError, path.toStdString(), sentence.arg(path).toStdString());
}

Expected<void> checkOrdinary(const QString &path)
{
    const QFileInfo info(path);
    if (path.isEmpty())
        return refuse(ErrorCode::IoError, {}, "No file was named; choose a project to open.");
    if (!info.exists())
        return unusable(path,
            u"There is no file \u201c%1\u201d. It may have been moved or deleted; choose another project or create a "
            u"new one."_s);
    if (info.isDir())
        return unusable(path, u"\u201c%1\u201d is a folder. Choose a project file (*.fleetwright) in it."_s);
    if (!info.isFile())
        return unusable(path, u"\u201c%1\u201d is not a regular file. Choose a project file (*.fleetwright)."_s);
    return {};
}

std::unexpected<Error> unreadable(const QString &path)
{
    return refuse(ErrorCode::IoError, path.toStdString(),
        u"\u201c%1\u201d could not be read (%2). Ask its owner for permission or copy it to a folder of yours."_s
            .arg(path, exchange::whyNotReadable(path))
            .toStdString());
}

#ifdef Q_OS_UNIX

constexpr qint64 nanosecondsPerSecond = 1'000'000'000;

FileState stateOf(const struct stat &status)
{
#ifdef Q_OS_DARWIN
    const auto &changed = status.st_mtimespec;
#else
    const auto &changed = status.st_mtim;
#endif
    return {quint64(status.st_dev), quint64(status.st_ino), qint64(status.st_size),
        qint64(changed.tv_sec) * nanosecondsPerSecond + changed.tv_nsec};
}

using FileKey = std::pair<quint64, quint64>;

/// All descriptors of one file in this process.
struct Descriptors {
    std::vector<int> open;
    int users = 0;
};

std::mutex descriptorsGuard;

std::map<FileKey, Descriptors> &descriptorsByFile()
{
    static std::map<FileKey, Descriptors> all;
    return all;
}

#endif

} // namespace

#ifdef Q_OS_UNIX

class ProjectFile::Private {
public:
    int descriptor = -1;
    bool isWritable = false;
    FileKey key;
};

Expected<std::unique_ptr<ProjectFile>> ProjectFile::open(const QString &path, Access access)
{
    if (auto ordinary = checkOrdinary(path); !ordinary)
        return std::unexpected(std::move(ordinary.error()));
    const QByteArray name = QFile::encodeName(path);
    constexpr int always = O_CLOEXEC | O_NOCTTY | O_NONBLOCK; // should a pipe take the file's place just now
    const std::scoped_lock guard(descriptorsGuard);
    auto priv = std::make_unique<Private>();
    if (access == Access::Write)
        priv->descriptor = ::open(name.constData(), O_RDWR | always);
    priv->isWritable = priv->descriptor >= 0;
    if (!priv->isWritable)
        priv->descriptor = ::open(name.constData(), O_RDONLY | always);
    struct stat status { };
    if (priv->descriptor < 0 || ::fstat(priv->descriptor, &status) != 0) {
        if (priv->descriptor >= 0)
            ::close(priv->descriptor);
        return unreadable(path);
    }
    priv->key = {quint64(status.st_dev), quint64(status.st_ino)};
    auto &all = descriptorsByFile()[priv->key];
    all.open.push_back(priv->descriptor);
    ++all.users;
    return std::unique_ptr<ProjectFile>(new ProjectFile(std::move(priv)));
}

ProjectFile::~ProjectFile()
{
    const std::scoped_lock guard(descriptorsGuard);
    const auto mine = descriptorsByFile().find(d->key);
    if (--mine->second.users > 0)
        return;
    for (const int descriptor : mine->second.open)
        ::close(descriptor);
    descriptorsByFile().erase(mine);
}

int ProjectFile::descriptor() const { return d->descriptor; }

QByteArray ProjectFile::read(qint64 offset, qint64 size) const
{
    QByteArray content(size, Qt::Uninitialized);
    qint64 done = 0;
    while (done < size) {
        const auto part = ::pread(d->descriptor, content.data() + done, std::size_t(size - done), off_t(offset + done));
        if (part < 0 && errno == EINTR)
            continue;
        if (part <= 0)
            break;
        done += part;
    }
    content.truncate(done);
    return content;
}

std::optional<FileState> ProjectFile::state() const
{
    struct stat status { };
    return ::fstat(d->descriptor, &status) == 0 ? std::optional(stateOf(status)) : std::nullopt;
}

std::optional<FileState> FileState::at(const QString &path)
{
    struct stat status { };
    return ::stat(QFile::encodeName(path).constData(), &status) == 0 ? std::optional(stateOf(status)) : std::nullopt;
}

#else

class ProjectFile::Private {
public:
    mutable QFile file;
    QString path;
    bool isWritable = false;
};

Expected<std::unique_ptr<ProjectFile>> ProjectFile::open(const QString &path, Access access)
{
    if (auto ordinary = checkOrdinary(path); !ordinary)
        return std::unexpected(std::move(ordinary.error()));
    auto priv = std::make_unique<Private>();
    priv->path = path;
    priv->isWritable = access == Access::Write && QFileInfo(path).isWritable();
    priv->file.setFileName(path);
    if (!priv->file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return unreadable(path);
    return std::unique_ptr<ProjectFile>(new ProjectFile(std::move(priv)));
}

ProjectFile::~ProjectFile() = default;

int ProjectFile::descriptor() const { return -1; }

QByteArray ProjectFile::read(qint64 offset, qint64 size) const
{
    return d->file.seek(offset) ? d->file.read(size) : QByteArray();
}

std::optional<FileState> ProjectFile::state() const { return FileState::at(d->path); }

std::optional<FileState> FileState::at(const QString &path)
{
    const QFileInfo info(path);
    if (!info.exists())
        return std::nullopt;
    return FileState{0, 0, info.size(), info.lastModified().toMSecsSinceEpoch()};
}

#endif

ProjectFile::ProjectFile(std::unique_ptr<Private> priv) : d(std::move(priv)) { }

bool ProjectFile::isWritable() const { return d->isWritable; }

bool ProjectFile::isAt(const QString &path) const
{
    const auto mine = state(), there = FileState::at(path);
    return mine && there && mine->isSameFile(*there);
}

} // namespace fleetwright::storage
