// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/leftovers.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <random>

#ifdef Q_OS_UNIX
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

using namespace Qt::StringLiterals;

namespace fleetwright::exchange {

namespace {

const QString temporaryPrefix = u".fleetwright-"_s;
const QString temporarySuffix = u".tmp"_s;
constexpr int temporaryDigits = 32;
constexpr auto folderMarker = ".fleetwright-temporary-folder";

bool isTemporaryName(const QString &name)
{
    if (name.size() != temporaryPrefix.size() + temporaryDigits + temporarySuffix.size()
        || !name.startsWith(temporaryPrefix) || !name.endsWith(temporarySuffix))
        return false;
    const auto digits = QStringView(name).sliced(temporaryPrefix.size(), temporaryDigits);
    return std::ranges::all_of(digits, [](QChar c) { return (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f'); });
}

#ifdef Q_OS_UNIX

/// Removes the files and the folder, if it says that it is one of ours and holds nothing but files. Empty, it is one
/// whose process was killed before it put the marker there, or after it took the marker away.
void removeFlatFolder(const QString &path)
{
    removeLeftovers(path); // what the same process was writing into it
    QDir folder(path);
    const auto entries = folder.entryInfoList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    const bool ours = std::ranges::any_of(
        entries, [](const QFileInfo &entry) { return entry.fileName() == QLatin1String(folderMarker); });
    if ((!ours && !entries.empty())
        || !std::ranges::all_of(entries, [](const QFileInfo &entry) { return entry.isFile() && !entry.isSymLink(); }))
        return;
    for (const auto &entry : entries) // the marker last: a removal that is cut off is taken up again
        if (entry.fileName() != QLatin1String(folderMarker))
            QFile::remove(entry.filePath());
    QFile::remove(folder.filePath(QLatin1String(folderMarker)));
    QDir().rmdir(path);
}

/// Removes what is there unless somebody holds it. A lock on another file of the same name says nothing, so that the
/// name must still mean what was locked.
void removeUnlessHeld(const QString &path)
{
    const auto name = QFile::encodeName(path);
    struct stat named { };
    if (::lstat(name.constData(), &named) != 0 || named.st_uid != ::geteuid())
        return;
    const bool folder = S_ISDIR(named.st_mode);
    if (!folder && !S_ISREG(named.st_mode))
        return;
    // Network file systems lock only what is open for writing, which a folder cannot be: such a one stays.
    const int descriptor = ::open(
        name.constData(), (folder ? O_RDONLY | O_DIRECTORY : O_RDWR) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return;
    struct stat opened { };
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && ::fstat(descriptor, &opened) == 0
        && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino) {
        if (folder)
            removeFlatFolder(path);
        else
            ::unlink(name.constData());
    }
    ::close(descriptor);
}

#endif

} // namespace

QString temporaryName(const QString &folder)
{
    constexpr int hexadecimal = 16, digitsAtOnce = 8;
    std::random_device random;
    QString digits;
    while (digits.size() < temporaryDigits)
        digits += u"%1"_s.arg(random(), digitsAtOnce, hexadecimal, QChar(u'0'));
    return folder + u'/' + temporaryPrefix + digits + temporarySuffix;
}

#ifdef Q_OS_UNIX

bool holdTemporary(int descriptor)
{
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false; // it is being removed
    struct stat held { };
    return ::fstat(descriptor, &held) == 0 && held.st_nlink > 0;
}

bool holdTemporaryFolder(const QString &path, int &descriptor)
{
    descriptor = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) {
        if (errno == ENOENT)
            errno = EEXIST;
        return false;
    }
    const bool lost = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; // somebody tidies up
    constexpr int forMe = 0600;
    const int marker = lost ? -1 : ::openat(descriptor, folderMarker, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, forMe);
    if (marker >= 0) {
        ::close(marker);
        return true;
    }
    const int reason = lost || errno == ENOENT ? EEXIST : errno; // ENOENT: it was empty, and is removed
    ::close(descriptor);
    descriptor = -1;
    errno = reason;
    return false;
}

void removeTemporaryFolder(const QString &path, int descriptor)
{
    removeFlatFolder(path);
    if (QFileInfo::exists(path)) // somebody has put a folder there
        QDir(path).removeRecursively();
    if (descriptor >= 0)
        ::close(descriptor);
}

void removeLeftovers(const QString &folder)
{
    const auto names = QDir(folder).entryList(
        {temporaryPrefix + u'*'}, QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    for (const auto &name : names)
        if (isTemporaryName(name))
            removeUnlessHeld(folder + u'/' + name);
}

#else

bool holdTemporary(int) { return true; }
bool holdTemporaryFolder(const QString &, int &) { return true; }
void removeTemporaryFolder(const QString &path, int) { QDir(path).removeRecursively(); }
void removeLeftovers(const QString &) { }

#endif

} // namespace fleetwright::exchange
