/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loaded before a program's libraries (LD_PRELOAD): its n-th call that changes a file fails or ends it, and its clock
 * goes wrong. What the environment asks:
 *   FAULT_UNDER=PATH   only calls on files whose path contains this
 *   FAULT_AT=N         the call that is struck, from 1; 0 or absent: none
 *   FAULT_KIND=EIO     it fails once; ENOSPC: it and every later call that needs room; KILL: SIGKILL before it; INT:
 *                      Ctrl+C before it, and it works
 *   FAULT_REPORT=FILE  gets "CALL PATH" when a call is struck, and "count N" at the end
 *   FAULT_CLOCK=back   every look at the calendar is a minute earlier than the one before */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum kind { NONE, ONCE, FULL, KILLED, INTERRUPTED };

static int strike_at = 0;
static enum kind kind = NONE;
static int number = EIO;
static const char *under = "";
static const char *report = NULL;
static int clock_back = 0;
static atomic_int calls = 0;
static atomic_int struck = 0;
static atomic_long looks = 0;

static void note(const char *text)
{
    if (!report)
        return;
    const int file = (int)syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file >= 0) {
        (void)!syscall(SYS_write, file, text, strlen(text));
        syscall(SYS_close, file);
    }
}

__attribute__((constructor)) static void begin(void)
{
    const char *value = getenv("FAULT_AT");
    strike_at = value ? atoi(value) : 0;
    value = getenv("FAULT_KIND");
    if (value) {
        kind = !strcmp(value, "KILL") ? KILLED
            : !strcmp(value, "ENOSPC") ? FULL
            : !strcmp(value, "INT")    ? INTERRUPTED
                                       : ONCE;
        number = kind == FULL ? ENOSPC : EIO;
    }
    value = getenv("FAULT_UNDER");
    under = value ? value : "";
    report = getenv("FAULT_REPORT");
    value = getenv("FAULT_CLOCK");
    clock_back = value && !strcmp(value, "back");
}

__attribute__((destructor)) static void end(void)
{
    char text[64];
    snprintf(text, sizeof text, "count %d\n", atomic_load(&calls));
    note(text);
}

/* Whether this call fails; a call that needs no room is spared by a full disk. */
static int strikes(const char *call, const char *path, int needs_room)
{
    char whole[PATH_MAX];
    if (!path)
        return 0;
    if (path[0] != '/' && getcwd(whole, sizeof whole) && strlen(whole) + strlen(path) + 2 < sizeof whole) {
        strcat(whole, "/");
        strcat(whole, path);
        path = whole;
    }
    if (!strstr(path, under))
        return 0;
    if (kind == FULL && !needs_room)
        return 0;
    const int at = atomic_fetch_add(&calls, 1) + 1;
    if (strike_at < 1 || kind == NONE || (kind == FULL ? at < strike_at : at != strike_at))
        return 0;
    if (!atomic_exchange(&struck, 1)) {
        char text[PATH_MAX + 64];
        snprintf(text, sizeof text, "%s %s\n", call, path);
        note(text);
    }
    if (kind == KILLED)
        for (;;)
            kill(getpid(), SIGKILL);
    if (kind == INTERRUPTED) {
        kill(getpid(), SIGINT);
        return 0;
    }
    errno = number;
    return 1;
}

static int strikes_file(const char *call, int file, int needs_room)
{
    char link[64];
    char path[PATH_MAX];
    struct stat status;
    const int before = errno;
    if (file < 0 || fstat(file, &status) != 0 || !(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) {
        errno = before;
        return 0;
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t size = readlink(link, path, sizeof path - 1);
    errno = before;
    if (size <= 0)
        return 0;
    path[size] = 0;
    return strikes(call, path, needs_room);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void *bytes, size_t size)
{
    return strikes_file("write", file, 1) ? -1 : syscall(SYS_write, file, bytes, size);
}
ssize_t writev(int file, const struct iovec *parts, int count)
{
    return strikes_file("writev", file, 1) ? -1 : syscall(SYS_writev, file, parts, count);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at)
{
    return strikes_file("pwrite", file, 1) ? -1 : syscall(SYS_pwrite64, file, bytes, size, at);
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) { return pwrite64(file, bytes, size, at); }
int ftruncate64(int file, off64_t size)
{
    return strikes_file("ftruncate", file, 0) ? -1 : (int)syscall(SYS_ftruncate, file, size);
}
int ftruncate(int file, off_t size) { return ftruncate64(file, size); }
int fsync(int file) { return strikes_file("fsync", file, 0) ? -1 : (int)syscall(SYS_fsync, file); }
int fdatasync(int file) { return strikes_file("fdatasync", file, 0) ? -1 : (int)syscall(SYS_fdatasync, file); }
int rename(const char *from, const char *to)
{
    return strikes("rename", to, 0) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    return strikes("renameat2", to, 0) ? -1 : (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}
int link(const char *from, const char *to)
{
    return strikes("link", to, 1) ? -1 : (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int unlink(const char *path) { return strikes("unlink", path, 0) ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0); }
int unlinkat(int folder, const char *path, int flags)
{
    return strikes("unlinkat", path, 0) ? -1 : (int)syscall(SYS_unlinkat, folder, path, flags);
}
int rmdir(const char *path)
{
    return strikes("rmdir", path, 0) ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}
int mkdir(const char *path, mode_t mode)
{
    return strikes("mkdir", path, 1) ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

static int open_file(int folder, const char *path, int flags, mode_t mode)
{
    const int makes = (flags & O_CREAT) != 0;
    if (makes && strikes("open", path, 1))
        return -1;
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}
static mode_t mode_of(int flags, va_list arguments)
{
    return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? (mode_t)va_arg(arguments, unsigned) : 0;
}
#define OPENS(name)                                                                                                    \
    int name(const char *path, int flags, ...)                                                                         \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        const mode_t mode = mode_of(flags, arguments);                                                                 \
        va_end(arguments);                                                                                             \
        return open_file(AT_FDCWD, path, flags, mode);                                                                 \
    }
OPENS(open)
OPENS(open64)
#define OPENS_AT(name)                                                                                                 \
    int name(int folder, const char *path, int flags, ...)                                                             \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        const mode_t mode = mode_of(flags, arguments);                                                                 \
        va_end(arguments);                                                                                             \
        return open_file(folder, path, flags, mode);                                                                   \
    }
OPENS_AT(openat)
OPENS_AT(openat64)

/* Streams of the C library reach the disk past the calls above. */
FILE *fopen64(const char *path, const char *mode)
{
    if (strpbrk(mode, "wa+") && strikes("fopen", path, 1))
        return NULL;
    return REAL(fopen64)(path, mode);
}
FILE *fopen(const char *path, const char *mode)
{
    if (strpbrk(mode, "wa+") && strikes("fopen", path, 1))
        return NULL;
    return REAL(fopen)(path, mode);
}
size_t fwrite(const void *bytes, size_t size, size_t count, FILE *stream)
{
    if (strikes_file("fwrite", fileno(stream), 1))
        return 0;
    return REAL(fwrite)(bytes, size, count, stream);
}
int fflush(FILE *stream)
{
    if (stream && strikes_file("fflush", fileno(stream), 1))
        return EOF;
    return REAL(fflush)(stream);
}
int fclose(FILE *stream)
{
    const int fails = strikes_file("fclose", fileno(stream), 1);
    const int error = errno;
    const int done = REAL(fclose)(stream);
    if (!fails)
        return done;
    errno = error;
    return EOF;
}

static time_t minutes_back(void) { return (time_t)(60 * atomic_fetch_add(&looks, 1)); }
int clock_gettime(clockid_t clock, struct timespec *now)
{
    const int done = (int)syscall(SYS_clock_gettime, clock, now);
    if (done == 0 && clock_back && clock == CLOCK_REALTIME)
        now->tv_sec -= minutes_back();
    return done;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    const int done = (int)syscall(SYS_gettimeofday, now, zone);
    if (done == 0 && clock_back)
        now->tv_sec -= minutes_back();
    return done;
}
time_t time(time_t *into)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (into)
        *into = now.tv_sec;
    return now.tv_sec;
}
