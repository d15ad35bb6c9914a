// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/samples.h"
#include "solver/search/bestlayout.h"
#include "solver/search/layoutsearch.h"
#include "solver/sweep/sweep.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>

using namespace fleetwright;

namespace {

SweepDocument twoAxes()
{
    SweepDocument document;
    document.name = "PP and microbatches";
    document.plan = samples::plan();
    document.axes = {
        axisOf("parallelism.pp", {1.0, 2.0, 4.0, 3.0, 1024.0}), axisOf("training.microbatch_count", {1.0, 4.0, 16.0})};
    document.figure = "bubble_fraction";
    return document;
}

SweepDocument oneAxis(std::string_view key, const std::vector<SettingValue> &values)
{
    auto document = twoAxes();
    document.axes = {axisOf(key, values)};
    return document;
}

SweepResult run(const SweepDocument &document, const SweepOptions &options = {})
{
    auto result = runSweep(document, samples::catalog(), options);
    if (!result)
        qFatal("%s", result.error().message.c_str());
    return *result;
}

ChosenFigure figure(std::string_view key) { return *chooseFigure(key); }

} // namespace

class TestSweep : public QObject {
    Q_OBJECT
private slots:
    void searchesEachCell();
    void searchKeepsWhatTheAxesSet();
    void openLayoutsAreDecidedInEachCell();
    void cellsSayWhatTheyMiss();
    void cellsSayWhatIsOnlyLikely();
    void equalsSolvingEachCellByHand();
    void sameOnAnyNumberOfThreads();
    void partsTogetherAreTheWhole();
    void refusedCellsStay();
    void aThrowingSolverRefusesItsCell();
    void reportsProgress();
    void cancels();
    void refusesWhatItCannotRun();
    void marksTheBest();
    void saysWhyFabricsAreAlike();
    void findsTheCrossing_data();
    void findsTheCrossing();
    void crossingInWords();
    void tenThousandCells();
    void otherModelsLeaveOutWhatTheyDoNotKnow();
};

/// Where every digit is the same, and what is known says why.
void TestSweep::saysWhyFabricsAreAlike()
{
    auto catalog = samples::catalog();
    for (const auto &[name, rate, latency] :
        {std::tuple("slow answers", 400.0, 50.0), std::tuple("fast", 800.0, 5.0)}) {
        auto record = samples::fabric();
        record.id = record.name = name;
        record.values["port_rate_gbit_per_s"] = rate;
        record.values["port_bandwidth_gb_per_s"] = rate / 8;
        record.values["latency_us"] = latency;
        catalog.insert(std::move(record));
    }
    auto document = oneAxis("fleet.nodes", {4.0, 8.0});
    document.axes.push_back(
        axisOf("fleet.fabric", {std::string("test_fabric"), std::string("slow answers"), std::string("fast")}));
    document.figure = "step_time_s";
    const auto said = [&](const SweepResult &result) {
        return describeAlikeFabrics(document, result, figure(document.figure), 0, catalog);
    };
    const auto counting = runSweep(document, catalog).value(); // by a cost model that counts latencies
    QVERIFY(counting.figure(counting.cell(0, 0, 0), "step_time_s"));
    QCOMPARE(said(counting), std::string());
    auto result = counting;
    const auto at = [&](const char *key) {
        return std::size_t(std::ranges::find(result.figures, key) - result.figures.begin());
    };
    result.models[0].id = "detailed"; // which counts rates alone
    for (auto &cell : result.cells) {
        cell.figures[at("step_time_s")] = cell.column == 2 ? 1.0 : 2.0;
        cell.figures[at("exposed_comm_time_s")] = 0.5;
    }
    QCOMPARE(said(result),
        std::string("slow answers gives exactly the Step time of test_fabric: both have the same port rate, and "
                    "detailed counts neither the protocol nor the latency of a fabric (50.0\u00a0\u00b5s against "
                    "5.00\u00a0\u00b5s)."));
    auto other = result; // one digit in one cell makes them different
    *other.cells[1].figures[at("step_time_s")] *= 1.0000001;
    QCOMPARE(said(other), std::string());
    for (auto &cell : other.cells) {
        cell.figures[at("exposed_comm_time_s")] = 0.0;
        cell.figures[at("step_time_s")] = 1.0;
    }
    QCOMPARE(said(other),
        std::string("slow answers gives exactly the Step time of test_fabric: no step waits for communication. fast "
                    "gives exactly the Step time of test_fabric: no step waits for communication."));
}

/// As the page of its plan does, which knows the range of the step time.
void TestSweep::cellsSayWhatIsOnlyLikely()
{
    const auto ranged = [](const Plan &plan) -> Expected<Solution> {
        auto solution = solve(plan).value();
        const auto step = *solution.estimate.stepTime;
        constexpr double width = 1.5;
        return withStepRange(std::move(solution), plan,
            validation::PredictionRange{
                .low = step / width, .high = step * width, .runs = 10, .sources = 3, .comparable = {}, .outside = {}});
    };
    auto document = oneAxis("fleet.nodes", {2.0, 4.0, 8.0, 16.0, 3.0});
    document.plan.training.tokenBudget = 1e11;
    document.plan.training.microbatchCount.reset();
    document.plan.training.microbatchSize = 1;
    document.plan.parallelism.tp = 8; // which fits the memory
    const auto all = run(document, {.solver = ranged});
    QVERIFY(std::ranges::none_of(all.cells, &SweepCell::onlyLikely)); // without a limit
    document.plan.constraints.deadline = 1.2 * second * *all.figure(all.cells[1], "run_time_s");
    const auto result = run(document, {.solver = ranged});
    const auto &missed = result.cells[0], &likely = result.cells[1], &kept = result.cells[3];
    QVERIFY(!missed.refused && !missed.feasible && !missed.onlyLikely);
    QVERIFY(likely.feasible && likely.onlyLikely && likely.problems.empty());
    QCOMPARE(inWords(likely.feasibility(), likely.onlyLikely), std::string_view("likely"));
    const auto saysWhy = [](const SweepCell &cell) {
        return std::ranges::any_of(cell.notices,
            [](const std::string &notice) { return notice.ends_with("it holds at the likely value only."); });
    };
    QVERIFY(saysWhy(likely) && !saysWhy(missed) && !saysWhy(kept));
    QVERIFY(kept.feasible && !kept.onlyLikely);
    const auto count = std::ranges::count_if(result.cells, &SweepCell::onlyLikely);
    QVERIFY2(describeFeasibility(result).find(
                 " cells are feasible, " + std::to_string(count) + " of them at the likely values only")
            != std::string::npos,
        describeFeasibility(result).c_str());
}

/// Each cell is what searching its plan alone gives.
void TestSweep::searchesEachCell()
{
    auto document = oneAxis("fleet.nodes", {4.0, 8.0, 16.0, 3.0});
    document.search.emplace();
    document.figure = "step_time_s";
    const auto catalog = samples::catalog();
    const auto result = run(document);
    for (const auto &cell : result.cells) {
        const int nodes = std::vector{4, 8, 16, 3}[cell.row];
        LayoutSearchDocument alone{.plan = document.plan};
        alone.plan.fleet.nodes = nodes;
        const auto expected = layoutsearch::run(alone, catalog);
        QVERIFY(expected.has_value());
        if (!expected->best()) {
            // The layout that comes closest, with its figures.
            QVERIFY(!cell.refused && !cell.feasible && cell.layout);
            QVERIFY(result.figure(cell, "memory.total_bytes").value_or(0) > expected->cases.front().limitBytes);
            QVERIFY(!cell.problems.empty() && cell.missed.front().starts_with("Memory capacity: "));
            continue;
        }
        QVERIFY(cell.layout == expected->best()->layout);
        QCOMPARE(*result.figure(cell, "step_time_s"), expected->best()->stepSeconds);
        QVERIFY(cell.feasible);
        QCOMPARE(cell.notices.front(), "Best layout: " + inWords(*cell.layout) + ".");
    }
    QVERIFY(std::ranges::count_if(result.cells, [](const SweepCell &cell) { return cell.feasible; }) >= 2);
    QVERIFY(result == run(document, {.threads = 1}));
}

void TestSweep::searchKeepsWhatTheAxesSet()
{
    auto document = oneAxis("parallelism.tp", {1.0, 2.0, 4.0, 8.0});
    document.search.emplace();
    const auto result = run(document);
    std::size_t found = 0;
    for (const auto &cell : result.cells)
        if (cell.layout) {
            ++found;
            QCOMPARE(cell.layout->tp, 1 << cell.row);
        }
    QVERIFY(found > 0);

    document = oneAxis("training.microbatch_count", {1.0, 2.0});
    document.search.emplace();
    const auto refused = runSweep(document, samples::catalog(), {});
    QVERIFY(!refused);
    QCOMPARE(refused.error().field, std::string("search"));
}

/// As solving the cell's plan does.
void TestSweep::openLayoutsAreDecidedInEachCell()
{
    auto document = oneAxis("parallelism.tp", {2.0, 4.0, 8.0});
    LayoutSearchSpace space;
    space[LayoutSearchOption::Recompute] = {0};
    document.plan = withBestLayout(document.plan, space);
    const auto catalog = samples::catalog();
    const auto result = run(document);
    for (const auto &cell : result.cells) {
        auto alone = document.plan;
        (*alone.bestLayout)[LayoutSearchOption::Tp] = {2 << cell.row};
        const auto decided = layoutsearch::resolveWithBestLayout(alone, catalog);
        QVERIFY(decided);
        QVERIFY(cell.layout == decided->layout->row.layout);
        QCOMPARE(cell.layout->tp, 2 << cell.row);
        QVERIFY(cell.layout->recompute == Recompute::None);
        const auto solution = solve(decided->plan).value();
        QCOMPARE(cell.feasible, solution.feasible);
        QCOMPARE(*result.figure(cell, "step_time_s"), solution.estimate.stepTime->value());
    }
    QVERIFY(result == run(document, {.threads = 1}));
    document.axes = {axisOf("training.microbatch_count", {1.0, 2.0})};
    const auto refused = runSweep(document, catalog, {});
    QVERIFY(!refused && refused.error().field == "search");
}

/// A cell that misses the deadline keeps its figures, searched or not.
void TestSweep::cellsSayWhatTheyMiss()
{
    for (const bool searches : {false, true}) {
        auto document = oneAxis("constraints.deadline_days", {1.0, 1e6});
        document.plan.training.tokenBudget = 1e13;
        if (searches)
            document.search.emplace();
        else
            adopt(layoutsearch::run({.plan = document.plan}, samples::catalog()).value().best()->layout, document.plan);
        const auto result = run(document);
        const auto &late = result.cells.front(), &early = result.cells.back();
        QVERIFY(!late.refused && !late.feasible && early.feasible && early.missed.empty());
        QCOMPARE(late.layout.has_value(), searches);
        for (const auto *key : {"step_time_s", "memory.total_bytes", "run_time_s"})
            QVERIFY2(result.figure(late, key) && *result.figure(late, key) == *result.figure(early, key), key);
        const double days = *result.figure(late, "run_time_s") / 86400;
        QCOMPARE(late.missed,
            std::vector{"Deadline: " + units::format(days * day) + ", " + units::format((days - 1) * day) + " over"});
        QCOMPARE(late.problems.size(), late.missed.size());
    }
}

void TestSweep::equalsSolvingEachCellByHand()
{
    const auto document = twoAxes();
    const auto catalog = samples::catalog();
    const auto result = run(document);
    QCOMPARE(result.rows, 5UZ);
    QCOMPARE(result.columns, 3UZ);
    QCOMPARE(result.models.size(), 1UZ);
    QCOMPARE(result.models[0].id, std::string("first-order"));
    QCOMPARE(result.cells.size(), 15UZ);
    std::size_t answered = 0;
    for (const auto &cell : result.cells) {
        auto plan = samples::plan();
        plan.parallelism.pp = std::vector{1, 2, 4, 3, 1024}[cell.row];
        plan.training.microbatchCount = std::vector{1, 4, 16}[cell.column];
        const auto resolved = resolve(plan, catalog);
        const auto solution = resolved ? solve(*resolved) : Expected<Solution>(std::unexpected(resolved.error()));
        QCOMPARE(cell.refused.has_value(), !solution.has_value());
        if (!solution) {
            QVERIFY(*cell.refused == solution.error());
            continue;
        }
        ++answered;
        QCOMPARE(cell.feasible, solution->feasible);
        QCOMPARE(cell.problems.empty(), solution->feasible);
        for (const auto &known : allFigures())
            QVERIFY2(result.figure(cell, known.key) == figureOf(*solution, known.key), known.key.data());
        QVERIFY(&result.cell(cell.row, cell.column, cell.model) == &cell);
    }
    QVERIFY(answered >= 6);
}

void TestSweep::sameOnAnyNumberOfThreads()
{
    const auto document = twoAxes();
    const auto one = run(document, {.threads = 1});
    for (const int threads : {2, 3, 8})
        QVERIFY(run(document, {.threads = threads}) == one);
}

void TestSweep::partsTogetherAreTheWhole()
{
    const auto whole = run(twoAxes());
    for (const int parts : {1, 2, 7, 40}) {
        std::vector<bool> filled(whole.cells.size());
        for (int part = 0; part < parts; ++part) {
            std::atomic<std::size_t> last = 0;
            const auto some = run(twoAxes(),
                {.progress = [&](std::size_t, std::size_t total) { last = total; }, .part = part, .parts = parts});
            std::size_t mine = 0;
            for (std::size_t i = 0; i < whole.cells.size(); ++i) {
                const auto &cell = some.cells[i];
                if (int(i % std::size_t(parts)) != part) {
                    QVERIFY(!cell.refused && cell.figures.empty());
                    continue;
                }
                ++mine;
                filled[i] = true;
                QVERIFY(cell == whole.cells[i]);
            }
            QCOMPARE(last.load(), mine);
        }
        QVERIFY(std::ranges::all_of(filled, std::identity()));
    }
}

void TestSweep::refusedCellsStay()
{
    const auto result = run(twoAxes());
    for (std::size_t column = 0; column < 3; ++column) {
        const auto &cell = result.cell(4, column, 0); // 1024 stages on 32 accelerators
        QVERIFY(cell.refused.has_value());
        QVERIFY(!cell.refused->message.empty());
        QVERIFY(cell.figures.empty() && !cell.feasible);
        QVERIFY(!result.figure(cell, "step_time_s"));
    }
    auto document = oneAxis("fleet.fabric", {std::string("test_fabric"), std::string("no_such_fabric")});
    const auto unknown = run(document);
    QVERIFY(!unknown.cell(0, 0, 0).refused);
    QCOMPARE(unknown.cell(1, 0, 0).refused->field, std::string("fleet.fabric"));
}

void TestSweep::aThrowingSolverRefusesItsCell()
{
    const auto result = run(
        oneAxis("fleet.nodes", {1.0, 2.0, 4.0}), {.solver = [](const Plan &plan) -> Expected<Solution> {
            if (plan->fleet->nodeCount == 2)
                throw std::runtime_error("a fault of the library");
            return solve(plan);
        }});
    QVERIFY(!result.cells[0].refused);
    QVERIFY(result.cells[1].refused->message.contains("an unknown fault"));
    QVERIFY(!result.cells[2].refused);
}

void TestSweep::reportsProgress()
{
    std::atomic<std::size_t> calls = 0, last = 0;
    (void)run(twoAxes(), {.progress = [&](std::size_t done, std::size_t total) {
        ++calls;
        if (total == 15 && done == 15)
            last = done;
    }});
    QCOMPARE(calls.load(), 15UZ);
    QCOMPARE(last.load(), 15UZ);
}

void TestSweep::cancels()
{
    std::stop_source stop;
    std::atomic<int> priced = 0;
    const auto result = runSweep(
        oneAxis("training.global_batch", *parseValues(*findSweepKey("training.global_batch"), "1..5000", {}, "")),
        samples::catalog(), {.stop = stop.get_token(), .solver = [&](const Plan &plan) {
                                 if (++priced == 10)
                                     stop.request_stop();
                                 return solve(plan);
                             }});
    QVERIFY(!result);
    QVERIFY(result.error().code == ErrorCode::Cancelled);
    QVERIFY2(priced < 5000, "cells went on being priced after the request");
}

void TestSweep::refusesWhatItCannotRun()
{
    auto document = twoAxes();
    document.axes.clear();
    QCOMPARE(runSweep(document, samples::catalog()).error().field, std::string("axes"));
    document = twoAxes();
    document.figure = "luck";
    QCOMPARE(runSweep(document, samples::catalog()).error().field, std::string("figure"));
    document = twoAxes();
    document.costModels = {"oracle"};
    QVERIFY(runSweep(document, samples::catalog()).error().code == ErrorCode::UnknownReference);
    document = twoAxes();
    document.axes[0].points[0].settings[0].value = std::string("many");
    QCOMPARE(runSweep(document, samples::catalog()).error().field, std::string("axes[0].points[0].set.parallelism.pp"));
}

void TestSweep::marksTheBest()
{
    const auto result = run(oneAxis("fleet.nodes", {1.0, 2.0, 4.0, 8.0}));
    const auto *fastest = bestCell(result, figure("step_time_s"), 0);
    const auto *most = bestCell(result, figure("tokens_per_s"), 0);
    for (const auto &cell : result.cells) {
        if (!cell.feasible)
            continue;
        QVERIFY(fastest && most);
        QVERIFY(*result.figure(*fastest, "step_time_s") <= *result.figure(cell, "step_time_s"));
        QVERIFY(*result.figure(*most, "tokens_per_s") >= *result.figure(cell, "tokens_per_s"));
    }
    QVERIFY(!bestCell(result, figure("memory.capacity_bytes"), 0)); // neither more nor less is better
    auto impossible = oneAxis("fleet.nodes", {1.0, 2.0});
    impossible.plan.constraints.maxStepTime = 1e-9 * second;
    const auto none = run(impossible);
    QVERIFY(!bestCell(none, figure("step_time_s"), 0));
    QVERIFY(!none.cells[0].problems.empty());
}

void TestSweep::findsTheCrossing_data()
{
    QTest::addColumn<QList<double>>("microbatches");
    QTest::addColumn<double>("mark");
    QTest::addColumn<int>("to"); // -1: none
    QTest::addColumn<double>("position");
    // (p-1)/(m+p-1) at p = 8: 7/8 at 1, 0.1 exactly at 63
    QTest::newRow("strictly below") << QList<double>{1, 62, 63, 64} << 0.1 << 3 << 63.0;
    QTest::newRow("between two points") << QList<double>{1, 21, 49} << 0.2 << 2
                                        << 21 + 28 * (0.25 - 0.2) / (0.25 - 0.125);
    QTest::newRow("never") << QList<double>{1, 2, 4} << 0.1 << -1 << 0.0;
    QTest::newRow("always below") << QList<double>{63, 64} << 0.2 << -1 << 0.0;
    QTest::newRow("rises") << QList<double>{49, 21, 1} << 0.2 << 1 << 49 - 28 * (0.2 - 0.125) / (0.25 - 0.125);
}

void TestSweep::findsTheCrossing()
{
    QFETCH(QList<double>, microbatches);
    QFETCH(double, mark);
    QFETCH(int, to);
    QFETCH(double, position);
    auto document = oneAxis(
        "training.microbatch_count", std::vector<SettingValue>(microbatches.begin(), microbatches.end()));
    document.plan.parallelism.pp = 8;
    const auto crossing = findCrossing(document, run(document), "bubble_fraction", mark, 0, 0);
    QCOMPARE(crossing.has_value(), to >= 0);
    if (!crossing)
        return;
    QCOMPARE(int(crossing->to), to);
    QVERIFY2(crossing->position && std::abs(*crossing->position - position) < 1e-9,
        qPrintable(QString::number(crossing->position.value_or(-1))));
    QCOMPARE(crossing->falls, microbatches.first() < microbatches.last());
}

void TestSweep::crossingInWords()
{
    auto document = oneAxis("training.microbatch_count", {1.0, 21.0, 49.0});
    document.plan.parallelism.pp = 8;
    const auto result = run(document);
    const auto words = describeCrossing(document, result, figure("bubble_fraction"), 0.2, 0, 0, samples::catalog());
    QVERIFY2(
        words.contains("falls below") && words.contains("Microbatches 49") && words.contains("linear interpolation"),
        words.c_str());
    const auto never = describeCrossing(document, result, figure("bubble_fraction"), 0.05, 0, 0, samples::catalog());
    QVERIFY2(never.contains("stays above"), never.c_str());
}

void TestSweep::tenThousandCells()
{
    const auto nodes = parseValues(*findSweepKey("fleet.nodes"), "1..100", {}, "");
    const auto batches = parseValues(*findSweepKey("training.global_batch"), "64..6400:+64", {}, "");
    auto document = oneAxis("fleet.nodes", *nodes);
    document.axes.push_back(axisOf("training.global_batch", *batches));
    QCOMPARE(run(document).cells.size(), maximumSweepCells);
    document.axes[0].points.push_back({{}, {{"fleet.nodes", 101.0}}});
    QCOMPARE(runSweep(document, samples::catalog()).error().field, std::string("axes"));
}

void TestSweep::otherModelsLeaveOutWhatTheyDoNotKnow()
{
    auto document = oneAxis("fleet.nodes", {1.0, 2.0});
    document.plan.assumptions.edited["congestion_factor"] = 1.5;
    for (const auto *model : costModels())
        document.costModels.emplace_back(model->id());
    const auto result = run(document);
    for (const auto &cell : result.cells) {
        const bool own = result.models[cell.model].id == document.plan.costModelId;
        const auto found = findCostModel(result.models[cell.model].id);
        const bool known = findAssumption((*found)->assumptions(), "congestion_factor");
        QVERIFY(!cell.refused || cell.refused->field != "assumptions.congestion_factor");
        const bool said = std::ranges::any_of(
            cell.notices, [](const std::string &notice) { return notice.contains("congestion_factor"); });
        QCOMPARE(said, !own && !known && !cell.refused);
    }
}

FLEETWRIGHT_TEST(TestSweep)
#include "tst_sweep.moc"
