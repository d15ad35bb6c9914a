// SPDX-License-Identifier: GPL-3.0-or-later
// How the window behaves while more than ten million layouts are searched: the times between two turns of its event
// loop, each of which could have drawn a frame.
#include "app/pages/search/layoutsearchview.h"
#include "app/scriptedprompts.h"
#include "app/workspace/workspace.h"

#include <QApplication>
#include <QCheckBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

using namespace fleetwright;
using namespace Qt::StringLiterals;

namespace {

constexpr double frameMilliseconds = 1000.0 / 60;

PlanDocument largePlan()
{
    PlanDocument plan;
    plan.name = "GPT-3 175B on 5,040";
    plan.workload = std::string("gpt3_175b");
    plan.fleet = {.node = std::string("nvidia_dgx_a100_80gb"), .nodes = 630, .fabric = std::string("ib_hdr")};
    plan.training = {.globalBatch = 55440,
        .microbatchCount = std::nullopt,
        .microbatchSize = 1,
        .sequenceLength = 10080,
        .precision = Precision::Bf16};
    plan.costModelId = "detailed";
    return plan;
}

void searchInWindow(benchmark::State &state)
{
    QTemporaryDir folder;
    ScriptedPrompts prompts;
    app::Workspace workspace;
    std::vector<double> turns;
    double first = 0;
    int rows = 0;
    if (!workspace.createSample(folder.filePath(u"sample.fleetwright"_s), storage::ShippedProject::Tutorial)) {
        state.SkipWithError("The sample could not be created.");
        return;
    }
    const auto plan = workspace.addPlan(largePlan());
    app::LayoutSearchView view(workspace, prompts, {});
    view.resize(1080, 720);
    view.show();
    view.choosePlan(plan.value_or(0));
    view.findChild<QCheckBox *>(u"acrossCheck"_s)->click();
    view.findChild<QCheckBox *>(u"unevenCheck"_s)->click();
    view.findChild<QSpinBox *>(u"rowsSpin"_s)->setValue(200'000);
    const auto *table = view.findChild<QTableView *>(u"splitTable"_s);
    for (auto _ : state) {
        QElapsedTimer running, turn;
        bool done = false;
        first = 0;
        QObject guard;
        QObject::connect(&view, &app::LayoutSearchView::statusMessage, &guard, [&] { done = true; });
        running.start();
        view.start();
        turn.start();
        while (!done) {
            QApplication::processEvents(QEventLoop::AllEvents);
            view.repaint();
            turns.push_back(double(turn.nsecsElapsed()) / 1e6);
            turn.start();
            if (first == 0 && table->model()->rowCount() > 0)
                first = double(running.nsecsElapsed()) / 1e6;
        }
        QApplication::processEvents();
        rows = table->model()->rowCount();
    }
    std::ranges::sort(turns);
    const auto late = std::ranges::count_if(
        turns, [](double milliseconds) { return milliseconds > frameMilliseconds; });
    state.counters["turns"] = double(turns.size());
    state.counters["late_turns"] = double(late);
    state.counters["99%_turn_ms"] = turns[turns.size() * 99 / 100];
    state.counters["longest_turn_ms"] = turns.back();
    state.counters["first_rows_ms"] = first;
    state.counters["splits"] = rows;
}

BENCHMARK(searchInWindow)->Name("Window/search-ten-million")->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace
