// SPDX-License-Identifier: GPL-3.0-or-later
// A second program that works on a project, to be killed, starved of disk space or deprived of permissions by the
// tests.
#include "storage/project.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace fleetwright;
using namespace fleetwright::storage;

namespace {

int fail(const Error &error)
{
    std::printf("error: %s\n", error.message.c_str());
    return 1;
}

SavedPlan numbered(const SavedPlan &pattern, int number)
{
    SavedPlan plan = pattern;
    plan.id = 0;
    plan.document.name = std::to_string(number);
    return plan;
}

/// Adds plans for ever; says the number of each after it was committed.
int edit(Project &project, const SavedPlan &pattern)
{
    for (int number = 1;; ++number) {
        if (const auto saved = project.savePlan(numbered(pattern, number)); !saved)
            return fail(saved.error());
        std::printf("%d\n", number);
        std::fflush(stdout);
    }
}

/// Adds plans until the file may not grow any more, then goes on with more room.
int starve(Project &project, const SavedPlan &pattern)
{
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    const auto free = limit.rlim_cur;
    limit.rlim_cur = rlim_t(QFileInfo(project.path()).size()) + 20000;
    setrlimit(RLIMIT_FSIZE, &limit);
    int number = 1;
    auto saved = project.savePlan(numbered(pattern, number));
    while (saved && number < 10000)
        saved = project.savePlan(numbered(pattern, ++number));
    if (saved)
        return 3;
    const auto plans = project.plans(); // still usable
    if (!plans)
        return fail(plans.error());
    std::printf("%d\n%zu\n%s\n", number - 1, plans->size(), saved.error().message.c_str());
    limit.rlim_cur = free;
    setrlimit(RLIMIT_FSIZE, &limit);
    if (saved = project.savePlan(numbered(pattern, number)); !saved)
        return fail(saved.error());
    return 0;
}

/// Says whether another process holds SQLite's RESERVED lock: somebody is in a writing transaction.
int reserved(const QString &path)
{
    const int descriptor = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC);
    struct flock lock { };
    lock.l_type = F_RDLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = 0x40000001;
    lock.l_len = 1;
    if (descriptor < 0 || fcntl(descriptor, F_GETLK, &lock) != 0)
        return 5;
    std::printf("%s\n", lock.l_type == F_UNLCK ? "free" : "reserved");
    return 0;
}

/// Until somebody writes a line.
void waitForWord()
{
    std::fflush(stdout);
    while (std::getchar() != '\n' && std::feof(stdin) == 0) { }
}

/// Adds plans to a project on a small disk until that is full, then tries once more with room again.
int fillDisk(const QString &folder)
{
    constexpr int cannotMount = 77;
    if (unshare(geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER) != 0
        || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0
        || mount("tmpfs", QFile::encodeName(folder).constData(), "tmpfs", 0, "size=3m") != 0)
        return cannotMount;
    auto project = Project::createSample(folder + QStringLiteral("/full.fleetwright"), ShippedProject::Tutorial);
    if (!project)
        return fail(project.error());
    const auto pattern = (*project)->plans()->front();
    QFile filler(folder + QStringLiteral("/filler"));
    if (!filler.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
        return 6;
    while (filler.write(QByteArray(4096, 'x')) == 4096) { }
    const auto before = (*project)->plans()->size();
    auto saved = (*project)->savePlan(numbered(pattern, 1));
    if (saved)
        return 3;
    std::printf("%s\n", saved.error().message.c_str());
    project->reset();
    project = Project::open(folder + QStringLiteral("/full.fleetwright")); // there is no room for a note either
    if (!project)
        return fail(project.error());
    std::printf("%s\n", (*project)->isReadOnly() ? (*project)->readOnlyReason().toUtf8().constData() : "writable");
    if (!filler.resize(0))
        return 7;
    saved = (*project)->savePlan(numbered(pattern, 2));
    if (!saved)
        return fail(saved.error());
    std::printf("%d\n", int((*project)->plans()->size() - before));
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const auto arguments = QCoreApplication::arguments();
    if (arguments.size() != 3)
        return 2;
    if (arguments[1].startsWith(QLatin1String("nobody")) && geteuid() == 0
        && (setgid(65534) != 0 || setuid(65534) != 0))
        return 4;
    if (arguments[1] == QLatin1String("reserved"))
        return reserved(arguments[2]);
    if (arguments[1] == QLatin1String("fill"))
        return fillDisk(arguments[2]);
    auto project = Project::open(arguments[2]);
    if (!project)
        return fail(project.error());
    const auto plans = (*project)->plans();
    if (!plans)
        return fail(plans.error());
    if (arguments[1] == QLatin1String("edit"))
        return edit(**project, plans->front());
    if (arguments[1] == QLatin1String("starve"))
        return starve(**project, plans->front());
    if (arguments[1] == QLatin1String("hold") || arguments[1] == QLatin1String("nobody-later")) {
        std::printf("open\n");
        waitForWord();
    }
    std::printf("read-only: %s\n", (*project)->readOnlyReason().toUtf8().constData());
    const auto saved = (*project)->savePlan(numbered(plans->front(), 1));
    std::printf("%s: %s\n", saved ? "saved" : "refused", saved ? "" : saved.error().message.c_str());
    return 0;
}
