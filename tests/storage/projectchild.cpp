// SPDX-License-Identifier: GPL-3.0-or-later
// A second program that works on a project, to be killed, starved of disk space or deprived of permissions by the
// tests.
#include "storage/project.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <csignal>
#include <cstdio>
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

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const auto arguments = QCoreApplication::arguments();
    if (arguments.size() != 3)
        return 2;
    if (arguments[1] == QLatin1String("nobody") && geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
        return 4;
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
    std::printf("read-only: %s\n", (*project)->readOnlyReason().toUtf8().constData());
    const auto saved = (*project)->savePlan(plans->front());
    std::printf("%s: %s\n", saved ? "saved" : "refused", saved ? "" : saved.error().message.c_str());
    return 0;
}
