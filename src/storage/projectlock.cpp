// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/projectlock.h"

#include "exchange/savefile.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QSysInfo>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#ifdef Q_OS_UNIX
#include <csignal>
#include <fcntl.h>
#endif
#ifdef Q_OS_LINUX
#include <sys/vfs.h>
#endif

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

/// Who holds a project, as its note says.
struct Holder {
    qint64 process = 0;
    QString host;
    QString program;
    QDateTime since;
};

/// Nothing where the note is missing or not one of ours.
std::optional<Holder> holderIn(const QString &notePath)
{
    constexpr qint64 longestNote = 4096;
    constexpr int longestName = 80;
    if (!QFileInfo(notePath).isFile()) // a pipe would keep its reader waiting
        return std::nullopt;
    QFile note(notePath);
    if (!note.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return std::nullopt;
    Holder holder;
    const auto lines = QString::fromUtf8(note.read(longestNote)).split(u'\n');
    for (const auto &line : lines) {
        const auto value = line.section(u": "_s, 1).left(longestName);
        if (!std::ranges::all_of(value, [](QChar character) { return character.isPrint(); }))
            return std::nullopt;
        if (line.startsWith("process: "_L1))
            holder.process = value.toLongLong();
        else if (line.startsWith("host: "_L1))
            holder.host = value;
        else if (line.startsWith("program: "_L1))
            holder.program = value;
        else if (line.startsWith("since: "_L1))
            holder.since = QDateTime::fromString(value, Qt::ISODate);
    }
    if (holder.process <= 0 || holder.host.isEmpty() || holder.program.isEmpty() || !holder.since.isValid())
        return std::nullopt;
    return holder;
}

/// Whether a process of this computer is there; one that belongs to somebody else is.
bool isRunning(qint64 process)
{
#ifdef Q_OS_UNIX
    return ::kill(pid_t(process), 0) == 0 || errno != ESRCH;
#else
    return process > 0;
#endif
}

bool isOnNetworkDrive([[maybe_unused]] const ProjectFile &file)
{
#ifdef Q_OS_LINUX
    // statfs(2): NFS, SMB, CIFS, SMB2, FUSE, 9P, AFS, Ceph, Coda, OCFS2, GFS2, Lustre, GPFS, VirtualBox folders
    constexpr std::array<quint32, 14> networks{0x6969, 0x517B, 0xFF534D42, 0xFE534D42, 0x65735546, 0x01021997,
        0x5346414F, 0x00C36400, 0x73757245, 0x7461636F, 0x01161970, 0x0BD00BD0, 0x47504653, 0x786F4256};
    struct statfs system { };
    return ::fstatfs(file.descriptor(), &system) == 0
        && std::ranges::find(networks, quint32(system.f_type)) != networks.end();
#else
    return false;
#endif
}

#ifdef F_OFD_SETLK
/// Beyond any project and SQLite's own lock bytes (0x40000000 to 0x400001ff), within what old file servers can count.
constexpr off_t lockedByte = 0x60000000;

struct flock lockOf(short type)
{
    struct flock lock { };
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = lockedByte;
    lock.l_len = 1;
    return lock;
}

int setLock(int descriptor, short type)
{
    auto lock = lockOf(type);
    int done = 0;
    do
        done = ::fcntl(descriptor, F_OFD_SETLK, &lock);
    while (done != 0 && errno == EINTR);
    return done == 0 ? 0 : errno;
}
#endif

} // namespace

LockSurroundings LockSurroundings::ofThisComputer() { return {QSysInfo::machineHostName(), isOnNetworkDrive}; }

QString ProjectLock::noteOf(const QString &path)
{
    const QFileInfo info(path);
    const QFileInfo real(info.exists() ? info.canonicalFilePath() : info.absoluteFilePath());
    return u"%1/.%2.lock"_s.arg(real.absolutePath(), real.fileName());
}

ProjectLock::ProjectLock(const QString &path, const ProjectFile &file, LockSurroundings surroundings)
    : m_file(file), m_surroundings(std::move(surroundings)), m_notePath(noteOf(path))
{
}

ProjectLock::~ProjectLock()
{
    if (!m_taken)
        return;
    if (!m_note.isEmpty() && QFileInfo(m_notePath).isFile()) { // somebody may have taken over meanwhile
        QFile note(m_notePath);
        const bool mine = note.open(QIODevice::ReadOnly | QIODevice::Unbuffered)
            && note.read(m_note.size() + 1) == m_note;
        note.close();
        if (mine)
            note.remove();
    }
    unlockFile();
}

#ifdef F_OFD_SETLK

void markInUse(const ProjectFile &file) { setLock(file.descriptor(), F_RDLCK); }

bool isInUse(const ProjectFile &file)
{
    auto lock = lockOf(F_WRLCK); // asked for only, which a file that is open for reading allows
    return ::fcntl(file.descriptor(), F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

ProjectLock::State ProjectLock::lockFile()
{
    const int failure = setLock(m_file.descriptor(), F_WRLCK);
    if (failure == 0)
        return State::Taken;
    return failure == EAGAIN || failure == EACCES ? State::HeldElsewhere : State::Impossible;
}

void ProjectLock::unlockFile() { setLock(m_file.descriptor(), F_UNLCK); }

#else

void markInUse(const ProjectFile &) { }
bool isInUse(const ProjectFile &) { return false; }

ProjectLock::State ProjectLock::lockFile()
{
    m_lockFile = std::make_unique<QLockFile>(m_notePath + u".file"_s);
    m_lockFile->setStaleLockTime(std::chrono::milliseconds(0)); // a project may stay open for days
    if (m_lockFile->tryLock(std::chrono::milliseconds(0)))
        return State::Taken;
    return m_lockFile->error() == QLockFile::LockFailedError ? State::HeldElsewhere : State::Impossible;
}

void ProjectLock::unlockFile() { m_lockFile.reset(); }

#endif

ProjectLock::State ProjectLock::take(bool takeOver)
{
    const auto state = lockFile();
    if (state != State::Taken)
        return state;
    if (!takeOver && m_surroundings.isOnNetwork(m_file)) {
        if (const auto other = holderIn(m_notePath); other && other->host != m_surroundings.host) {
            unlockFile();
            return State::PerhapsHeld;
        }
    }
    m_taken = true;
    writeNote();
    return state;
}

void ProjectLock::writeNote()
{
    const auto program = QCoreApplication::instance() ? QCoreApplication::applicationName() : QString();
    m_note = u"This project is open for writing. Fleetwright removes this file when it is closed.\n"
             u"process: %1\nhost: %2\nprogram: %3\nsince: %4\n"_s.arg(QCoreApplication::applicationPid())
                 .arg(m_surroundings.host, program.isEmpty() ? u"fleetwright"_s : program,
                     QDateTime::currentDateTimeUtc().toString(Qt::ISODate))
                 .toUtf8();
    // What stands there belongs to nobody any more; were it a link, writing would follow it. On a full disk nothing is
    // written, and the others then read of "another program".
    QFile::remove(m_notePath);
    if (!exchange::saveNewFile(m_note, m_notePath))
        m_note.clear();
}

QString ProjectLock::holder() const
{
    const auto holder = holderIn(m_notePath);
    if (!holder || (holder->host == m_surroundings.host && !isRunning(holder->process)))
        return u"another program"_s;
    const auto since = holder->since.toLocalTime();
    return u"%1, process %2 on %3, since %4"_s.arg(holder->program)
        .arg(holder->process)
        .arg(holder->host, since.toString(since.date() == QDate::currentDate() ? u"HH:mm"_s : u"yyyy-MM-dd HH:mm"_s));
}

} // namespace fleetwright::storage
