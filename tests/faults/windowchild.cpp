// SPDX-License-Identifier: GPL-3.0-or-later
// The real window, typed into until it is killed. After each edit that was saved it prints the number of nodes.
#include "app/mainwindow.h"
#include "app/pagetesting.h"
#include "app/projectfiles.h"

#include <QApplication>
#include <QStandardPaths>

#include <cstdio>

using namespace fleetwright;
using namespace fleetwright::app;

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    const auto arguments = QApplication::arguments();
    if (arguments.size() != 3) // project, settings
        return 2;
    QStandardPaths::setTestModeEnabled(true);
    Settings settings(arguments[2]);
    ScriptedPrompts prompts;
    MainWindow window(settings, prompts);
    window.show();
    window.files().openPath(arguments[1]);
    auto &workspace = window.workspace();
    if (!workspace.isOpen() || workspace.plans().empty())
        return 3;
    const auto plan = workspace.plans().front().id;
    int saved = 0;
    QObject::connect(&workspace, &Workspace::saved, &window, [&] {
        const auto nodes = int(workspace.plan(plan)->document.fleet.nodes);
        if (std::exchange(saved, nodes) == nodes)
            return; // an answer was kept with the plan
        std::printf("%d\n", nodes);
        std::fflush(stdout);
    });
    window.showPlan(plan);
    for (int nodes = 8; nodes < 100'000; nodes += 8) {
        enter(window, QStringLiteral("nodesEdit"), QString::number(nodes));
        for (int i = 0; i < 200 && workspace.plan(plan)->document.fleet.nodes != nodes; ++i)
            QTest::qWait(1);
        if (!prompts.errors.empty())
            return 4;
    }
    return 0;
}
