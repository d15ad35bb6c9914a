// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/leftovers.h"

#include <QDir>
#include <QFile>

#include <algorithm>
#include <random>

#ifdef Q_OS_UNIX
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

using namespace Qt::StringLiterals;

namespace fleetwright::exchange {

namespace {

const QString temporaryPrefix = u".fleetwright-"_s;
constexpr int temporaryDigits = 8;

bool isTemporaryName(const QString &name)
{
    const auto digits = QStringView(name).sliced(std::min(temporaryPrefix.size(), name.size()));
    return name.startsWith(temporaryPrefix) && digits.size() == temporaryDigits
        && std::ranges::all_of(digits, [](QChar c) { return (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f'); });
}

#ifdef Q_OS_UNIX

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
            QDir(path).removeRecursively();
        else
            ::unlink(name.constData());
    }
    ::close(descriptor);
}

#endif

} // namespace

QString temporaryName(const QString &folder)
{
    constexpr int hexadecimal = 16;
    std::random_device random;
    return u"%1/%2%3"_s.arg(folder, temporaryPrefix).arg(random(), temporaryDigits, hexadecimal, QChar(u'0'));
}

#ifdef Q_OS_UNIX

bool holdTemporary(int descriptor)
{
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false; // it is being removed
    struct stat held { };
    return ::fstat(descriptor, &held) == 0 && held.st_nlink > 0;
}

int holdTemporaryFolder(const QString &path)
{
    const int descriptor = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor >= 0)
        static_cast<void>(::flock(descriptor, LOCK_EX | LOCK_NB));
    return descriptor;
}

void releaseTemporaryFolder(int descriptor)
{
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
int holdTemporaryFolder(const QString &) { return -1; }
void releaseTemporaryFolder(int) { }
void removeLeftovers(const QString &) { }

#endif

} // namespace fleetwright::exchange
