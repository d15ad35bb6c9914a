// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/samples.h"
#include "solver/answer/comparisontext.h"
#include "solver/explain/figureorigin.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace fleetwright;

namespace {

PlanDocument named(std::string name, int tp)
{
    auto plan = samples::plan();
    plan.name = std::move(name);
    plan.parallelism.tp = tp;
    return plan;
}

Comparison compared(
    std::vector<PlanDocument> plans, std::vector<std::string> models = {"first-order"}, bool ownFigures = false)
{
    auto comparison = compare(
        {.plans = std::move(plans), .modelIds = std::move(models), .ownFigures = ownFigures}, samples::catalog());
    if (!comparison)
        qFatal("%s", comparison.error().message.c_str());
    return std::move(*comparison);
}

std::vector<std::string> allModels()
{
    std::vector<std::string> ids;
    for (const auto *model : costModels())
        ids.emplace_back(model->id());
    return ids;
}

} // namespace

class ComparisonTest : public QObject {
    Q_OBJECT
private slots:
    void valuesAreThoseOfSolve();
    void likelyIsNoYes();
    void bestAndTies();
    void infeasiblePlansAreNotBest();
    void differences();
    void refusedColumnsSayWhy();
    void missingFiguresSayWhy();
    void everyModelHasAColumnPerPlan();
    void everyValueIsExplained();
    void spreadIsSortedAndPerPlan();
    void foreignAssumptionsAreLeftOut();
    void ownFiguresOnRequest();
    void plansByTheirOwnModels();
    void refusesEmptyAndHuge();
    void cancels();
    void payingDifferencesAreSaid();
    void whatDecidesComesFirst();
    void rangesSayHowSure();
    void texts();
    void origins_data();
    void origins();
    void chainEndsAtTheFigure();
};

void ComparisonTest::valuesAreThoseOfSolve()
{
    const auto comparison = compared({named("a", 1), named("b", 8)});
    QCOMPARE(comparison.columns.size(), 2UZ);
    auto document = named("b", 8);
    const auto solution = solve(resolve(document, samples::catalog()).value());
    QVERIFY2(solution, solution ? "" : (solution.error().field + solution.error().message).c_str());
    QCOMPARE(*comparison.row("step_time_s")->cells[1].value, solution->estimate.stepTime->value());
    QCOMPARE(*comparison.row("exposed_dp_comm_time_s")->cells[1].value, solution->breakdown.dp.value());
    QCOMPARE(*comparison.row("duration_s")->cells[1].value, solution->run.duration->value());
    QCOMPARE(*comparison.row("memory.share")->cells[1].value,
        double(solution->estimate.memory->total / solution->estimate.memory->capacity));
    QCOMPARE(*comparison.row("feasible")->cells[1].value, solution->feasible ? 1.0 : 0.0);
    QVERIFY(!comparison.row("other_time_s")); // no stragglers anywhere
}

/// The verdict of a plan is that of its page.
void ComparisonTest::likelyIsNoYes()
{
    auto plan = named("a", 8);
    plan.training.tokenBudget = 1e12;
    plan.fleet.costs.entries["rate_per_node_day"] = {.value = 0.004, .low = 0.002, .high = 0.1};
    const auto usual = compared({plan});
    const auto *days = usual.row("run_time_s");
    QVERIFY(days && days->cells[0].value);
    plan.constraints.deadline = 1.001 * *days->cells[0].value * second;
    const auto comparison = compared({plan, named("b", 8)});
    const auto &feasible = *comparison.row("feasible");
    QCOMPARE(verdictInWords(*comparison.columns[0].solution), std::string_view("likely"));
    QCOMPARE(cellText(comparison, feasible, 0, 0), std::string("likely"));
    QCOMPARE(cellText(comparison, feasible, 1, 0), std::string("yes"));
}

void ComparisonTest::bestAndTies()
{
    const auto comparison = compared({named("a", 8), named("b", 4), named("c", 8)});
    const auto &step = *comparison.row("step_time_s");
    const bool eightIsFaster = *step.cells[0].value < *step.cells[1].value;
    QVERIFY(!step.cells[0].best && !step.cells[2].best); // a mark on two tells them not apart
    QCOMPARE(step.cells[1].best, !eightIsFaster);
    const auto two = compared({named("a", 8), named("b", 4)});
    QCOMPARE(two.row("step_time_s")->cells[0].best, eightIsFaster);
    QCOMPARE(two.row("step_time_s")->cells[1].best, !eightIsFaster);
    const auto &mfu = *two.row("mfu");
    QCOMPARE(mfu.cells[0].best, *mfu.cells[0].value > *mfu.cells[1].value);
    for (const auto &cell : comparison.row("it_power_w")->cells)
        QVERIFY(!cell.best); // the same everywhere
    for (const auto &cell : comparison.row("memory.capacity_bytes")->cells)
        QVERIFY(!cell.best); // neither direction is better
    for (const auto &row : compared({named("alone", 8)}, allModels()).rows)
        for (const auto &cell : row.cells)
            QVERIFY(!cell.best); // models are not rivals
}

void ComparisonTest::infeasiblePlansAreNotBest()
{
    auto fits = named("fits", 8);
    auto late = fits;
    fits.training.globalBatch = 32;
    late.constraints.maxStepTime = 1e-6 * second;
    const auto comparison = compared({fits, late});
    QVERIFY(comparison.columns[0].solution->feasible);
    QVERIFY(!comparison.columns[1].solution->feasible);
    const auto &tokens = *comparison.row("tokens_per_s");
    QVERIFY(*tokens.cells[1].value > *tokens.cells[0].value);
    QVERIFY(tokens.cells[0].best);
    QVERIFY(!tokens.cells[1].best);
    auto later = late;
    later.training.globalBatch = 32;
    const auto hopeless = compared({late, later});
    for (const auto &cell : hopeless.row("tokens_per_s")->cells)
        QVERIFY(!cell.best); // nothing to choose among plans that are all infeasible
}

void ComparisonTest::differences()
{
    const auto comparison = compared({named("a", 8), named("b", 4)});
    const auto &step = *comparison.row("step_time_s");
    QCOMPARE(*comparison.difference(step, 1, 0), *step.cells[1].value / *step.cells[0].value - 1.0);
    QCOMPARE(*comparison.difference(step, 0, 0), 0.0);
    QVERIFY(!comparison.difference(*comparison.row("feasible"), 1, 0));
    const auto &bubble = *comparison.row("bubble_fraction"); // zero without stages
    QVERIFY(!comparison.difference(bubble, 1, 0));
    QVERIFY(!comparison.difference(step, 7, 0));
}

void ComparisonTest::refusedColumnsSayWhy()
{
    auto broken = named("broken", 3);
    auto lost = named("lost", 1);
    lost.workload = std::string("nothing_like_it");
    const auto comparison = compared({named("a", 1), broken, lost});
    const auto &step = *comparison.row("step_time_s");
    QVERIFY(step.cells[0].value);
    for (const std::size_t i : {1UZ, 2UZ}) {
        QVERIFY(!comparison.columns[i].solution);
        QVERIFY(step.cells[i].refused);
        QVERIFY(!step.cells[i].reason.empty());
        QCOMPARE(QString::fromStdString(cellText(comparison, step, i)), QStringLiteral("refused"));
    }
    QVERIFY(step.cells[1].reason.contains("does not divide"));
}

void ComparisonTest::missingFiguresSayWhy()
{
    const auto comparison = compared({named("a", 1)}, allModels());
    for (const auto &row : comparison.rows)
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            const auto &cell = row.cells[i];
            QVERIFY2(cell.value || !cell.reason.empty(), row.key.c_str());
            QCOMPARE(cell.refused, !comparison.columns[i].solution.has_value());
        }
}

void ComparisonTest::everyModelHasAColumnPerPlan()
{
    const auto models = allModels();
    const auto comparison = compared({named("a", 1), named("b", 8)}, models);
    QCOMPARE(comparison.columns.size(), 2 * models.size());
    for (std::size_t i = 0; i < comparison.columns.size(); ++i) {
        QCOMPARE(comparison.columns[i].plan, i / models.size());
        QCOMPARE(comparison.columns[i].modelId, models[i % models.size()]);
    }
}

/// What a cell shows can be traced: the explanation's value is the cell's.
void ComparisonTest::everyValueIsExplained()
{
    const auto comparison = compared({named("a", 8), named("b", 1)}, allModels(), true);
    for (const auto &row : comparison.rows)
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            if (!row.cells[i].value)
                continue;
            const auto *figure = comparison.columns[i].explained(row.figure);
            QVERIFY2(figure, (comparison.columns[i].modelId + ": " + row.key).c_str());
            QVERIFY2(figure->value == *row.cells[i].value, (comparison.columns[i].modelId + ": " + row.key).c_str());
        }
}

void ComparisonTest::spreadIsSortedAndPerPlan()
{
    Comparison comparison;
    comparison.plans = {named("a", 1), named("b", 1)};
    for (const auto plan : {0UZ, 0UZ, 0UZ, 1UZ}) {
        comparison.columns.push_back({.plan = plan, .solution = refuse(ErrorCode::OutOfRange, {}, {})});
    }
    ComparisonRow row{.key = "x"};
    for (const double value : {3.0, 1.5, -1.0, 7.0}) {
        ComparisonCell cell;
        if (value > 0)
            cell.value = value;
        row.cells.push_back(cell);
    }
    comparison.rows.push_back(row);
    const auto spreads = comparison.spread("x");
    QCOMPARE(spreads.size(), 2UZ);
    QCOMPARE(spreads[0].low(), 1.5);
    QCOMPARE(spreads[0].values.front().column, 1UZ);
    QCOMPARE(spreads[0].high(), 3.0);
    QCOMPARE(*spreads[0].ratio(), 2.0);
    QCOMPARE(spreads[1].values.size(), 1UZ);
    QVERIFY(comparison.spread("y").empty());
}

void ComparisonTest::foreignAssumptionsAreLeftOut()
{
    auto plan = named("a", 1);
    plan.assumptions.edited["of_another_model"] = 2.0;
    plan.assumptions.edited["efficiency"] = 0.4;
    const auto comparison = compared({plan});
    QVERIFY(comparison.columns[0].solution);
    QCOMPARE(comparison.columns[0].ignoredAssumptions.size(), 1UZ);
    QVERIFY(comparison.columns[0].resolved.value()->assumptions.edited.contains("efficiency"));
}

void ComparisonTest::ownFiguresOnRequest()
{
    QVERIFY(!compared({named("a", 1)}).row("details.first-order.local_batch"));
    const auto comparison = compared({named("a", 1)}, {"first-order"}, true);
    const auto *row = comparison.row("details.first-order.local_batch");
    QVERIFY(row);
    QCOMPARE(*row->cells[0].value, 2.0);
}

void ComparisonTest::plansByTheirOwnModels()
{
    auto other = named("b", 2);
    other.costModelId = "searcher";
    const auto comparison = compare(
        {.plans = {named("a", 1), other, named("c", 4)}, .byOwnModels = true}, samples::catalog());
    QVERIFY(comparison);
    QCOMPARE(comparison->columns.size(), 3UZ);
    for (std::size_t i = 0; i < 3; ++i) {
        const auto &column = comparison->columns[i];
        QCOMPARE(column.plan, i);
        QCOMPARE(column.modelId, comparison->plans[i].costModelId);
        const auto alone = compared({comparison->plans[i]}, {column.modelId});
        QCOMPARE(comparison->row("step_time_s")->cells[i].value, alone.row("step_time_s")->cells[0].value);
    }
    // Another cost model makes no plan better: no star among two of them, and no best.
    QVERIFY(!comparison->row("step_time_s")->cells[1].best);
    const auto verdict = verdictOf(*comparison);
    QVERIFY(!verdict.best);
    QVERIFY2(verdict.sentences.front().contains("different cost models"), verdict.sentences.front().c_str());
    // By one of them: whose own it is not.
    const auto byOne = verdictOf(compared(comparison->plans, {"first-order"}));
    QCOMPARE(std::ranges::count(byOne.sentences,
                 "All are priced by " + comparison->columns[0].modelTitle + ", which is not the own cost model of b."),
        1);
}

void ComparisonTest::refusesEmptyAndHuge()
{
    QVERIFY(!compare({.plans = {}, .modelIds = {"first-order"}}, samples::catalog()));
    QVERIFY(!compare({.plans = {named("a", 1)}, .modelIds = {}}, samples::catalog()));
    const auto huge = compare(
        {.plans = std::vector<PlanDocument>(61, named("a", 1)), .modelIds = {"first-order"}}, samples::catalog());
    QVERIFY(!huge);
    QVERIFY(huge.error().message.contains("choose fewer"));
    const auto unknown = compare({.plans = {named("a", 1)}, .modelIds = {"no-such-model"}}, samples::catalog());
    QVERIFY(!unknown);
    QVERIFY(unknown.error().code == ErrorCode::UnknownReference);
}

void ComparisonTest::cancels()
{
    std::stop_source stop;
    stop.request_stop();
    const auto cancelled = compare(
        {.plans = {named("a", 1)}, .modelIds = {"first-order"}}, samples::catalog(), stop.get_token());
    QVERIFY(!cancelled);
    QVERIFY(cancelled.error().code == ErrorCode::Cancelled);
}

void ComparisonTest::payingDifferencesAreSaid()
{
    PlanDocument a, b;
    a.name = "A";
    b.name = "B";
    QVERIFY(payingDifferences({a, b}).empty() && payingDifferences({}).empty());
    b.fleet.costs.rentTerm = RentTerm::Reserved3y;
    QCOMPARE(
        payingDifferences({a, b}), std::vector<std::string>{"Rent terms differ: A on demand, B reserved for 3 years."});
    b.name.clear();
    b.fleet.costs.paying = Paying::Rent;
    b.fleet.costs.rentVendor = "Lambda";
    const auto all = payingDifferences({a, b});
    QCOMPARE(all.size(), std::size_t(3));
    QCOMPARE(all[0], std::string("Ways of paying differ: A owned, plan 2 rented."));
    QCOMPARE(all[2], std::string("Vendors of the rent differ: A any vendor, plan 2 from Lambda."));
    // What a name says already is not said twice, and names with commas stay apart.
    a.name = "64 GB200, owned";
    QCOMPARE(payingDifferences({a, b})[0], std::string("Ways of paying differ: 64 GB200, owned; plan 2 rented."));
}

/// Every figure stands once, in the order of comparedGroups().
void ComparisonTest::whatDecidesComesFirst()
{
    std::size_t listed = 0;
    std::set<std::string_view> keys;
    for (const auto &group : comparedGroups())
        for (const auto *figure : group.figures) {
            keys.insert(figure->key);
            ++listed;
        }
    QCOMPARE(keys.size(), listed);
    QCOMPARE(listed, allFigures().size() + 1); // and whether it is feasible
    const auto comparison = compared({named("a", 8), named("b", 4)});
    std::vector<std::string_view> decisive;
    for (const auto &group : comparedGroups())
        for (const auto *figure : group.figures)
            if (group.isDecisive)
                decisive.push_back(figure->key);
    QCOMPARE(decisive,
        (std::vector<std::string_view>{"feasible", "run_time_s", "run_cost_usd", "cost_usd_per_million_tokens",
            "fleet_capital_usd", "fleet_yearly_usd", "facility_power_w", "run_energy_j", "run_electricity_usd",
            "run_carbon_kg"}));
    std::size_t row = 0;
    for (const auto key : decisive) // those that the plans have stand on top
        if (comparison.row(key))
            QCOMPARE(comparison.rows[row++].key, std::string(key));
    QVERIFY(row > 2 && !isComparedFirst(comparison.rows[row].group));
    QVERIFY(!comparison.row(measuredRow)); // nobody asked
}

void ComparisonTest::rangesSayHowSure()
{
    ComparisonRequest request{.plans = {named("a", 8), named("b", 4)}, .modelIds = {"first-order"}};
    request.rangeOf = [](const Plan &, Seconds step) {
        return std::optional(validation::PredictionRange{.low = 0.8 * step,
            .high = 1.5 * step,
            .typicalError = 0.1,
            .runs = 3,
            .sources = 1,
            .comparable = "3 runs",
            .outside = {"It is larger."}});
    };
    const auto comparison = compare(request, samples::catalog()).value();
    for (std::size_t i = 0; i < 2; ++i) {
        const double days = *comparison.row("run_time_s")->cells[i].value;
        QVERIFY(*comparison.row("run_time_low_s")->cells[i].value < days);
        QVERIFY(*comparison.row("run_time_high_s")->cells[i].value > 1.4 * days);
        QCOMPARE(*comparison.row(measuredRow)->cells[i].value, 0.0);
    }
    QCOMPARE(comparison.row("run_time_high_s")->group, std::string(howSureGroup));
    // Before everything that does not decide.
    const auto isFirst = [](const ComparisonRow &row) { return isComparedFirst(row.group); };
    QVERIFY(std::ranges::is_partitioned(comparison.rows, isFirst));
}

void ComparisonTest::texts()
{
    const auto comparison = compared({named("a", 8), named("b", 4)});
    const auto &mfu = *comparison.row("mfu");
    QCOMPARE(QString::fromStdString(rowTitle(comparison, mfu)), QStringLiteral("MFU [%]"));
    QCOMPARE(QString::fromStdString(rowTitle(comparison, *comparison.row("memory.total_bytes"))),
        QStringLiteral("Memory [GB]"));
    QCOMPARE(QString::fromStdString(rowTitle(comparison, *comparison.row("feasible"))), QStringLiteral("Feasible"));
    // Parts stand in the unit of the whole.
    QVERIFY(displayUnit(comparison, *comparison.row("step_time_s")).symbol
        == displayUnit(comparison, *comparison.row("overhead_time_s")).symbol);
    auto slow = named("slow", 8);
    slow.training.globalBatch = 10000000;
    const auto minutes = compared({slow});
    QVERIFY(*minutes.row("step_time_s")->cells[0].value > 1000);
    QCOMPARE(QString::fromStdString(rowTitle(minutes, *minutes.row("step_time_s"))), QStringLiteral("Step time [s]"));
    QCOMPARE(QString::fromStdString(columnTitle(comparison, 1)), QStringLiteral("b"));
    QCOMPARE(QString::fromStdString(fileTitle(mfu)), QStringLiteral("mfu"));
    QCOMPARE(QString::fromStdString(differenceText(0.123)), QStringLiteral("+12.3\u00a0%"));
    QCOMPARE(QString::fromStdString(differenceText(-0.5)), QStringLiteral("\u221250.0\u00a0%"));
    QCOMPARE(QString::fromStdString(differenceText(0)), QStringLiteral("\u00b10\u00a0%"));
    QCOMPARE(QString::fromStdString(differenceText(19)), QStringLiteral("\u00d7\u00a020.0"));
}

void ComparisonTest::origins_data()
{
    QTest::addColumn<QString>("origin");
    QTest::addColumn<QString>("place");
    QTest::newRow("plan") << "training.global_batch"
                          << "Plan: Global batch";
    QTest::newRow("nodes") << "fleet.nodes"
                           << "Plan: Nodes";
    QTest::newRow("accelerator") << "fleet.node.accelerator.memory_bandwidth_gb_per_s"
                                 << "Accelerator: test_gpu, Memory bandwidth";
    QTest::newRow("node") << "fleet.node.accelerators_per_node"
                          << "Node: test_node, Accelerators per node";
    QTest::newRow("what stands in") << "fleet.node.scale_up_unidirectional_gb_per_s_per_accelerator"
                                    << "Accelerator: test_gpu, Scale-up bandwidth, one direction";
    QTest::newRow("fabric") << "fleet.fabric.latency_us"
                            << "Fabric: test_fabric, Latency";
    QTest::newRow("workload") << "workload.layers"
                              << "Workload: test_model, Layers";
    QTest::newRow("assumption") << "assumptions.efficiency"
                                << "Assumption: Compute efficiency";
    QTest::newRow("constant") << "published constant"
                              << "Published constant";
}

void ComparisonTest::origins()
{
    QFETCH(const QString, origin);
    QFETCH(const QString, place);
    const auto catalog = samples::catalog();
    const auto described = describeOrigin(
        origin.toStdString(), samples::plan(), catalog, **findCostModel("first-order"));
    QCOMPARE(QString::fromStdString(described.place), place);
    QVERIFY(!described.source.empty());
    if (place.startsWith(QLatin1String("Plan")))
        QCOMPARE(QString::fromStdString(described.source), QStringLiteral("your input"));
}

void ComparisonTest::chainEndsAtTheFigure()
{
    const auto comparison = compared({named("a", 8)});
    const auto chain = chainOf(comparison.columns[0].explanation, "duration_s");
    QVERIFY(chain.size() > 20);
    QCOMPARE(QString::fromStdString(chain.back()->key), QStringLiteral("duration_s"));
    QVERIFY(std::ranges::none_of(chain, [](const auto *figure) { return figure->key == "memory.share"; }));
    QVERIFY(chainOf(comparison.columns[0].explanation, "nothing").empty());
}

FLEETWRIGHT_TEST(ComparisonTest)
#include "tst_comparison.moc"
