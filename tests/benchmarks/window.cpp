// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/mainwindow.h"
#include "app/projectfiles.h"
#include "app/scriptedprompts.h"
#include "app/theme.h"
#include "jobs/solvejob.h"

#include <QApplication>
#include <QLabel>
#include <QTemporaryDir>

#include <benchmark/benchmark.h>

using namespace fleetwright;
using namespace Qt::StringLiterals;

namespace {

/// From nothing to the sample project with its first plan solved on the page; the process itself and its libraries are
/// already there.
void startUp(benchmark::State &state)
{
    QTemporaryDir folder;
    ScriptedPrompts prompts;
    const QString project = folder.filePath(u"sample.fleetwright"_s);
    {
        app::Workspace made;
        if (!made.createSample(project, storage::ShippedProject::Tutorial)) {
            state.SkipWithError("The sample could not be created.");
            return;
        }
    }
    for (auto _ : state) {
        app::Settings settings(folder.filePath(u"settings.ini"_s));
        app::applyTheme(app::ThemeChoice::Light);
        app::MainWindow window(settings, prompts);
        window.show();
        window.files().openPath(project);
        window.showPlan(window.workspace().plans().front().id);
        const auto *stepTime = window.findChild<QLabel *>(u"step_time_s"_s);
        while (stepTime && !stepTime->text().endsWith(u's'))
            QApplication::processEvents(QEventLoop::WaitForMoreEvents, 10);
    }
}

/// One edit: resolve, hash and solve on the worker, and the answer back on this thread.
void edit(benchmark::State &state)
{
    QTemporaryDir folder;
    app::Workspace workspace;
    if (!workspace.createSample(folder.filePath(u"sample.fleetwright"_s), storage::ShippedProject::Tutorial)) {
        state.SkipWithError("The sample could not be created.");
        return;
    }
    const auto document = workspace.plans().front().document;
    jobs::SolveJob job;
    bool done = false;
    QObject::connect(&job, &jobs::SolveJob::finished, &job, [&] { done = true; });
    for (auto _ : state) {
        done = false;
        job.start(document, workspace.catalog());
        while (!done)
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
}

BENCHMARK(startUp)->Name("StartUp/sample")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(edit)->Name("Edit/first-order")->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace
