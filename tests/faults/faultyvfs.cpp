// SPDX-License-Identifier: GPL-3.0-or-later
#include "faultyvfs.h"

#include "volatiledisk.h"

#include <sqlite3.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace fleetwright::faults {

namespace {

struct FaultyFile {
    sqlite3_file base;
    const char *name; ///< SQLite keeps it as long as the file is open; null: a file without a name
    [[nodiscard]] sqlite3_file *real() { return reinterpret_cast<sqlite3_file *>(this + 1); }
};

FaultyFile &faulty(sqlite3_file *file) { return *reinterpret_cast<FaultyFile *>(file); }
sqlite3_file *realFile(sqlite3_file *file) { return faulty(file).real(); }

enum class Kind { Reading, Changing, Writing };

struct State {
    Injection injection;
    Operations counted;
    bool struck = false;
} state;

sqlite3_vfs faultyVfs;
sqlite3_vfs *realVfs = nullptr;

[[noreturn]] void die()
{
    for (;;)
        kill(getpid(), SIGKILL);
}

bool forgets() { return state.injection.fault == Fault::PowerCut; }

/// SQLITE_OK: go on. `half` does a part of the operation before a kill.
template <class Half> int step(Kind kind, int failure, Half half)
{
    auto &counted = state.counted;
    ++counted.all;
    counted.changing += kind != Kind::Reading;
    counted.writes += kind == Kind::Writing;
    const auto at = state.injection.at;
    switch (state.injection.fault) {
    case Fault::None: return SQLITE_OK;
    case Fault::Fail:
        if (counted.all != at)
            return SQLITE_OK;
        break;
    case Fault::FailOnwards:
        if (counted.all < at)
            return SQLITE_OK;
        break;
    case Fault::DiskFull:
        if (kind != Kind::Writing || counted.writes < at)
            return SQLITE_OK;
        failure = SQLITE_FULL;
        break;
    case Fault::Kill:
        if (kind == Kind::Reading || counted.changing != at)
            return SQLITE_OK;
        half();
        die();
    case Fault::PowerCut:
        if (kind == Kind::Reading || counted.changing != at)
            return SQLITE_OK;
        volatiledisk::cutPower(state.injection.seed);
        die();
    }
    state.struck = true;
    return failure;
}
int step(Kind kind, int failure)
{
    return step(kind, failure, [] {});
}

int closeFile(sqlite3_file *file)
{
    auto *real = realFile(file);
    return real->pMethods ? real->pMethods->xClose(real) : SQLITE_OK;
}

int readFile(sqlite3_file *file, void *into, int size, sqlite3_int64 from)
{
    if (const int failed = step(Kind::Reading, SQLITE_IOERR_READ); failed)
        return failed;
    return realFile(file)->pMethods->xRead(realFile(file), into, size, from);
}

int writeFile(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 to)
{
    auto *real = realFile(file);
    const auto half = [&] {
        if (state.injection.seed % 2 == 1)
            real->pMethods->xWrite(real, bytes, size / 2, to);
    };
    if (const int failed = step(Kind::Writing, SQLITE_IOERR_WRITE, half); failed)
        return failed;
    if (forgets() && faulty(file).name)
        volatiledisk::written(
            faulty(file).name, {static_cast<const char *>(bytes), static_cast<std::size_t>(size)}, to);
    return real->pMethods->xWrite(real, bytes, size, to);
}

int truncateFile(sqlite3_file *file, sqlite3_int64 size)
{
    if (const int failed = step(Kind::Changing, SQLITE_IOERR_TRUNCATE); failed)
        return failed;
    if (forgets() && faulty(file).name)
        volatiledisk::truncated(faulty(file).name, size);
    return realFile(file)->pMethods->xTruncate(realFile(file), size);
}

int syncFile(sqlite3_file *file, int flags)
{
    if (const int failed = step(Kind::Changing, SQLITE_IOERR_FSYNC); failed)
        return failed;
    const int done = realFile(file)->pMethods->xSync(realFile(file), flags);
    if (done == SQLITE_OK && forgets() && faulty(file).name)
        volatiledisk::synced(faulty(file).name, volatiledisk::Name::Too); // SQLite syncs the folder of a new journal
    return done;
}

int fileSize(sqlite3_file *file, sqlite3_int64 *size)
{
    if (const int failed = step(Kind::Reading, SQLITE_IOERR_FSTAT); failed)
        return failed;
    return realFile(file)->pMethods->xFileSize(realFile(file), size);
}

int lockFile(sqlite3_file *file, int level)
{
    if (const int failed = step(Kind::Reading, SQLITE_IOERR_LOCK); failed)
        return failed;
    return realFile(file)->pMethods->xLock(realFile(file), level);
}

int unlockFile(sqlite3_file *file, int level) { return realFile(file)->pMethods->xUnlock(realFile(file), level); }

int reservedLock(sqlite3_file *file, int *held)
{
    return realFile(file)->pMethods->xCheckReservedLock(realFile(file), held);
}

int fileControl(sqlite3_file *file, int what, void *argument)
{
    return realFile(file)->pMethods->xFileControl(realFile(file), what, argument);
}

int sectorSize(sqlite3_file *file) { return realFile(file)->pMethods->xSectorSize(realFile(file)); }

int characteristics(sqlite3_file *file) { return realFile(file)->pMethods->xDeviceCharacteristics(realFile(file)); }

const sqlite3_io_methods methods{.iVersion = 1,
    .xClose = closeFile,
    .xRead = readFile,
    .xWrite = writeFile,
    .xTruncate = truncateFile,
    .xSync = syncFile,
    .xFileSize = fileSize,
    .xLock = lockFile,
    .xUnlock = unlockFile,
    .xCheckReservedLock = reservedLock,
    .xFileControl = fileControl,
    .xSectorSize = sectorSize,
    .xDeviceCharacteristics = characteristics};

int openFile(sqlite3_vfs *, const char *name, sqlite3_file *file, int flags, int *given)
{
    auto &opened = faulty(file);
    opened.base.pMethods = nullptr;
    opened.name = nullptr;
    std::memset(opened.real(), 0, static_cast<std::size_t>(realVfs->szOsFile));
    const bool isNew = (flags & SQLITE_OPEN_CREATE) && name && access(name, F_OK) != 0;
    if (const int failed = step(isNew ? Kind::Changing : Kind::Reading, SQLITE_CANTOPEN); failed)
        return failed;
    if (forgets() && name)
        volatiledisk::opened(name, isNew);
    const int done = realVfs->xOpen(realVfs, name, opened.real(), flags, given);
    if (opened.real()->pMethods) {
        opened.base.pMethods = &methods;
        opened.name = name;
    }
    return done;
}

int deleteFile(sqlite3_vfs *, const char *name, int syncFolder)
{
    if (access(name, F_OK) == 0)
        if (const int failed = step(Kind::Changing, SQLITE_IOERR_DELETE); failed)
            return failed;
    if (forgets())
        volatiledisk::removed(name, syncFolder ? volatiledisk::Name::Too : volatiledisk::Name::Later);
    return realVfs->xDelete(realVfs, name, syncFolder);
}

std::string pathOf(int descriptor)
{
    std::array<char, 4096> name{};
    const auto link = "/proc/self/fd/" + std::to_string(descriptor);
    const auto size = readlink(link.c_str(), name.data(), name.size());
    return size > 0 ? std::string(name.data(), std::size_t(size)) : std::string();
}

bool fails(int failure)
{
    if (step(Kind::Changing, failure) == SQLITE_OK)
        return false;
    errno = EIO;
    return true;
}

/// fsync() and rename() of this program, which puts copies and backups in their place past SQLite.
int ownSync(int descriptor)
{
    struct stat status { };
    if (!realVfs || fstat(descriptor, &status) != 0)
        return int(syscall(SYS_fsync, descriptor));
    if (fails(EIO))
        return -1;
    const auto done = int(syscall(SYS_fsync, descriptor));
    if (done == 0 && forgets()) {
        if (S_ISDIR(status.st_mode))
            volatiledisk::syncedFolder(pathOf(descriptor));
        else
            volatiledisk::synced(pathOf(descriptor), volatiledisk::Name::Later);
    }
    return done;
}

int ownRename(const char *from, const char *to, unsigned flags)
{
    if (realVfs && fails(EIO))
        return -1;
    if (forgets())
        volatiledisk::renamed(from, to);
    return int(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags));
}

} // namespace

void installFaultyVfs()
{
    if (realVfs)
        return;
    realVfs = sqlite3_vfs_find(nullptr);
    faultyVfs = *realVfs;
    faultyVfs.zName = "faulty";
    faultyVfs.szOsFile = realVfs->szOsFile + int(sizeof(FaultyFile));
    faultyVfs.xOpen = openFile;
    faultyVfs.xDelete = deleteFile;
    sqlite3_vfs_register(&faultyVfs, 1);
}

void inject(const Injection &injection)
{
    state = {};
    state.injection = injection;
    volatiledisk::begin();
}

bool hasStruck() { return state.struck; }

Operations operations() { return state.counted; }

} // namespace fleetwright::faults

extern "C" int fsync(int descriptor) { return fleetwright::faults::ownSync(descriptor); }

extern "C" int rename(const char *from, const char *to) noexcept { return fleetwright::faults::ownRename(from, to, 0); }

extern "C" int renameat2(int, const char *from, int, const char *to, unsigned flags) noexcept
{
    return fleetwright::faults::ownRename(from, to, flags); // with whole paths
}
