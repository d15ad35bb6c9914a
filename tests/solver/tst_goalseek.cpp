// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/samples.h"
#include "solver/search/bestlayout.h"
#include "solver/sweep/goalseek.h"
#include "testing/registry.h"
#include "units/parse.h"

#include <QTest>

#include <cmath>

using namespace fleetwright;

namespace {

/// A plan with a token budget, so that it has days.
PlanDocument longRun()
{
    auto plan = samples::plan();
    plan.training.tokenBudget = 1e11;
    plan.training.microbatchCount.reset();
    plan.training.microbatchSize = 1;
    plan.parallelism.tp = 8;
    return plan;
}

SeekQuestion question(std::string key, std::string figure, double target)
{
    SeekQuestion asked;
    asked.plan = longRun();
    asked.key = std::move(key);
    asked.figure = std::move(figure);
    asked.target = target;
    return asked;
}

SeekAnswer found(const SeekQuestion &asked, const SeekOptions &options = {})
{
    auto answer = seek(asked, samples::catalog(), options);
    if (!answer)
        qFatal("%s: %s", answer.error().field.c_str(), answer.error().message.c_str());
    return *answer;
}

/// The figure at one value, by solving the plan alone.
std::optional<double> plainly(const SeekQuestion &asked, double value)
{
    const auto catalog = samples::catalog();
    const SweepSetting setting{asked.key, value};
    const auto applied = applySettings({&setting, 1}, asked.plan, catalog);
    if (!applied || applied->accelerator)
        return std::nullopt;
    const auto decided = layoutsearch::resolveWithBestLayout(applied->document, catalog);
    if (!decided)
        return std::nullopt;
    const auto solution = solve(decided->plan);
    return solution ? figureOf(*solution, asked.figure) : std::nullopt;
}

constexpr double secondsOfDay = 86400;

} // namespace

class TestGoalSeek : public QObject {
    Q_OBJECT
private slots:
    void wholeNumbersAsAPlainScan_data();
    void wholeNumbersAsAPlainScan();
    void otherNumbersComeCloseOnTheRightSide_data();
    void otherNumbersComeCloseOnTheRightSide();
    void stepsOverWhatIsRefused();
    void openLayoutsHaveTheirBest();
    void saysWhatIsNotReached();
    void saysWhatHasNoEffect();
    void saysWhetherItIsReachedWithoutEffect();
    void staysWithinTheRange();
    void saysWhatWasNotTried();
    void targetsAreTyped();
    void saysWhatIsInfeasible();
    void saysWhatNoFrameworkRuns();
    void saysWhereThereMayBeOthers();
    void sameOnAnyNumberOfThreads();
    void cancels();
    void refuses_data();
    void refuses();
    void ownValues();
};

void TestGoalSeek::wholeNumbersAsAPlainScan_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("figure");
    QTest::addColumn<double>("share"); // of the plan's own figure that is the target
    QTest::addColumn<double>("most");
    for (const double share : {0.05, 0.3, 0.9, 1.0, 1.1, 1.7})
        QTest::addRow("days by nodes, %g", share) << "fleet.nodes"
                                                  << "run_time_s" << share << 96.0;
    for (const double share : {0.4, 1.5, 3.0})
        QTest::addRow("step time by batch, %g", share) << "training.global_batch"
                                                       << "step_time_s" << share << 512.0;
    for (const double share : {0.7, 1.0, 1.3})
        QTest::addRow("memory by layers, %g", share) << "workload.layers"
                                                     << "memory.total_bytes" << share << 128.0;
    for (const double share : {0.5, 2.0})
        QTest::addRow("throughput by nodes, %g", share) << "fleet.nodes"
                                                        << "tokens_per_s" << share << 96.0;
}
/// The nearest place where the figure passes the target, whatever stands between.
void TestGoalSeek::wholeNumbersAsAPlainScan()
{
    QFETCH(QString, key);
    QFETCH(QString, figure);
    QFETCH(double, share);
    QFETCH(double, most);
    auto asked = question(key.toStdString(), figure.toStdString(), 0);
    const auto own = ownValue(asked.plan, *findSweepKey(asked.key), samples::catalog());
    QVERIFY(own.has_value());
    asked.target = share * plainly(asked, *own).value();
    asked.from = 1;
    asked.to = most;
    const auto answer = found(asked);
    const bool higher = answer.figure.better == Better::Higher;
    const auto reaches = [&](double value) { return higher ? value >= asked.target : value <= asked.target; };
    std::vector<std::pair<double, double>> priced;
    for (double value = 1; value <= most; ++value)
        if (const auto there = plainly(asked, value))
            priced.emplace_back(value, *there);
    std::vector<std::pair<double, double>> crossings; // reaching, failing
    for (std::size_t i = 1; i < priced.size(); ++i)
        if (reaches(priced[i].second) != reaches(priced[i - 1].second))
            crossings.emplace_back(reaches(priced[i].second) ? priced[i].first : priced[i - 1].first,
                reaches(priced[i].second) ? priced[i - 1].first : priced[i].first);
    if (crossings.empty()) {
        QVERIFY(answer.outcome == SeekOutcome::NotReached || answer.outcome == SeekOutcome::ReachedAlways);
        QCOMPARE(answer.outcome == SeekOutcome::ReachedAlways, reaches(priced.front().second));
        return;
    }
    QVERIFY(answer.outcome == SeekOutcome::Reached);
    const auto crossing = std::pair(answer.found.value, answer.neighbour->value);
    QVERIFY2(std::ranges::find(crossings, crossing) != crossings.end(),
        qPrintable(QStringLiteral("%1 and %2").arg(crossing.first).arg(crossing.second)));
    QCOMPARE(*answer.found.figure, *plainly(asked, crossing.first));
    QCOMPARE(*answer.neighbour->figure, *plainly(asked, crossing.second));
    QVERIFY(answer.now && answer.now->value == *own);
}

void TestGoalSeek::otherNumbersComeCloseOnTheRightSide_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("figure");
    QTest::addColumn<double>("share");
    for (const double share : {0.01, 0.5, 1.0, 40.0})
        QTest::addRow("days by tokens, %g", share) << "training.token_budget"
                                                   << "run_time_s" << share;
    for (const double share : {0.9, 1.5})
        QTest::addRow("step time by efficiency, %g", share) << "assumptions.efficiency"
                                                            << "step_time_s" << share;
    QTest::addRow("throughput by efficiency") << "assumptions.efficiency"
                                              << "tokens_per_s" << 1.3;
    QTest::addRow("memory by hidden size") << "workload.hidden_size"
                                           << "memory.total_bytes" << 1.0;
}
void TestGoalSeek::otherNumbersComeCloseOnTheRightSide()
{
    QFETCH(QString, key);
    QFETCH(QString, figure);
    QFETCH(double, share);
    auto asked = question(key.toStdString(), figure.toStdString(), 0);
    const auto seekable = seekableKey(asked.plan, asked.key);
    QVERIFY(seekable.has_value());
    asked.target = share * plainly(asked, *ownValue(asked.plan, *seekable, samples::catalog())).value();
    const auto answer = found(asked);
    QVERIFY(answer.outcome == SeekOutcome::Reached);
    QCOMPARE(*answer.found.figure, *plainly(asked, answer.found.value));
    const double off = *answer.found.figure / asked.target - 1;
    QVERIFY2(answer.figure.better == Better::Higher ? off >= 0 : off <= 0, qPrintable(QString::number(off)));
    if (answer.key.type == SweepValueType::Integer)
        return;
    // Six digits of the value; a run has whole steps, so that its days jump a little.
    QVERIFY(std::abs(answer.found.value / answer.neighbour->value - 1) < 1.01e-5);
    QVERIFY(answer.figure.better == Better::Higher ? *answer.neighbour->figure < asked.target
                                                   : *answer.neighbour->figure > asked.target);
    QVERIFY2(std::abs(off) < 2e-4, qPrintable(QString::number(off)));
}

/// With TP 8 and PP 4 only every fourth number of nodes can be priced; the neighbours are those.
void TestGoalSeek::stepsOverWhatIsRefused()
{
    auto asked = question("fleet.nodes", "run_time_s", 0);
    asked.plan.parallelism.pp = 4;
    asked.target = 0.4 * plainly(asked, 4).value();
    const auto answer = found(asked);
    QVERIFY(answer.outcome == SeekOutcome::Reached);
    QCOMPARE(int(answer.found.value) % 4, 0);
    QCOMPARE(answer.found.value, answer.neighbour->value + 4);
    QVERIFY(*answer.found.figure <= asked.target && *answer.neighbour->figure > asked.target);
    QVERIFY(std::ranges::any_of(answer.tried, [](const SeekPoint &point) { return point.refused.has_value(); }));
}

void TestGoalSeek::openLayoutsHaveTheirBest()
{
    auto asked = question("fleet.nodes", "run_time_s", 0);
    asked.plan = withBestLayout(asked.plan);
    asked.target = 0.3 * plainly(asked, 4).value();
    asked.to = 64;
    const auto answer = found(asked);
    QVERIFY(answer.outcome == SeekOutcome::Reached);
    QVERIFY(answer.found.layout.has_value());
    QCOMPARE(*answer.found.figure, *plainly(asked, answer.found.value));
    QCOMPARE(*answer.neighbour->figure, *plainly(asked, answer.neighbour->value));
    QCOMPARE(answer.found.value, answer.neighbour->value + 1);
    // Best layouts of badly divisible numbers jump, and still none before it in the last step reaches the target.
    double before = 4;
    while (before * 2 < answer.found.value)
        before *= 2;
    for (double nodes = before; nodes < answer.found.value; ++nodes)
        QVERIFY2(plainly(asked, nodes).value_or(INFINITY) > asked.target, qPrintable(QString::number(nodes)));
}

void TestGoalSeek::saysWhatIsNotReached()
{
    auto asked = question("fleet.nodes", "run_time_s", 60);
    asked.to = 32;
    const auto answer = found(asked);
    QVERIFY(answer.outcome == SeekOutcome::NotReached);
    double least = INFINITY;
    for (double nodes = 1; nodes <= 32; ++nodes)
        least = std::min(least, plainly(asked, nodes).value_or(INFINITY));
    QCOMPARE(*answer.found.figure, least);
    QVERIFY2(inWords(answer).front().contains(" from 1 to 32: it is at least "), inWords(answer).front().c_str());

    // What ends it is said: not every number of nodes divides the batch.
    auto further = answer;
    std::erase_if(further.tried, [&](const SeekPoint &point) { return point.value > answer.found.value; });
    const auto without = inWords(further).size();
    further.tried.push_back({.value = answer.found.value + 3,
        .refused = Error{ErrorCode::InfeasibleParallelism, "training", "The batch has no more microbatches."}});
    QCOMPARE(inWords(further).size(), without + 1);
    QCOMPARE(inWords(further)[1],
        "At " + valueInWords(further, answer.found.value + 3)
            + " the plan is refused: The batch has no more microbatches.");
    further.tried.push_back({.value = answer.found.value + 4, .figure = *answer.found.figure * 2});
    QCOMPARE(inWords(further).size(), without); // beyond it goes on

    asked.target = 1e6 * secondsOfDay;
    const auto always = found(asked);
    QVERIFY(always.outcome == SeekOutcome::ReachedAlways);
    QCOMPARE(always.found.value, 1.0);
}

void TestGoalSeek::saysWhatHasNoEffect()
{
    const auto answer = found(question("constraints.deadline_days", "run_time_s", secondsOfDay));
    QVERIFY(answer.outcome == SeekOutcome::NoEffect);
    QVERIFY(inWords(answer).front().starts_with("Deadline does not change "));
    QCOMPARE(inWords(answer).size(), std::size_t(1));
}

/// The run is fast enough already, whatever the deadline: then what counts is whether the plan keeps it.
void TestGoalSeek::saysWhetherItIsReachedWithoutEffect()
{
    auto asked = question("constraints.deadline_days", "run_time_s", 0);
    const double days = plainly(asked, 1000).value() / secondsOfDay;
    asked.target = (days + 1) * secondsOfDay;
    asked.plan.constraints.deadline = days / 2 * day;
    auto answer = found(asked);
    QVERIFY(answer.outcome == SeekOutcome::NoEffect);
    QVERIFY(reachesTarget(answer, answer.found));
    QVERIFY(answer.now && answer.found == *answer.now);
    QVERIFY2(inWords(answer).front().contains(", which reaches "), inWords(answer).front().c_str());
    QVERIFY2(inWords(answer).at(1).starts_with("Not feasible at "), inWords(answer).at(1).c_str());

    asked.plan.constraints.deadline = days * 2 * day;
    answer = found(asked);
    QVERIFY(answer.outcome == SeekOutcome::NoEffect && answer.found.feasible == true);
    QVERIFY2(inWords(answer).at(1).starts_with("Every limit is kept at "), inWords(answer).at(1).c_str());

    asked.target = days / 2 * secondsOfDay;
    answer = found(asked);
    QVERIFY(answer.outcome == SeekOutcome::NoEffect && !reachesTarget(answer, answer.found));
    QVERIFY2(inWords(answer).front().contains(", which does not reach "), inWords(answer).front().c_str());
}

/// Six digits of the last value before an end of the range may lie beyond it.
void TestGoalSeek::staysWithinTheRange()
{
    auto asked = question("assumptions.efficiency", "tokens_per_s", 0);
    asked.from = 0.1;
    asked.to = 1.0 / 3;
    asked.target = plainly(asked, *asked.to).value() * (1 - 1e-12);
    const auto answer = found(asked);
    QVERIFY(answer.outcome == SeekOutcome::Reached);
    QVERIFY2(answer.found.value <= *asked.to, qPrintable(QString::number(answer.found.value, 'g', 17)));
    for (const auto &point : answer.tried)
        QVERIFY(point.value >= *asked.from && point.value <= *asked.to);
}

/// A gap that is wider than the search goes.
void TestGoalSeek::saysWhatWasNotTried()
{
    auto asked = question("fleet.nodes", "step_time_s", 1.0);
    asked.plan.parallelism = {};
    asked.plan.fleet.nodes = 4;
    asked.from = 1;
    asked.to = 16384;
    SeekOptions options;
    int last = 16000;
    options.solver = [&](const Plan &plan) -> Expected<Solution> {
        const double nodes = (*plan).fleet->nodeCount;
        if (nodes > 4 && nodes < last)
            return refuse(ErrorCode::UnsupportedValue, "fleet.nodes", "Not here.");
        auto solution = solve(plan);
        if (solution)
            solution->estimate.stepTime = (nodes > 4 ? 0.5 : 2.0) * second;
        return solution;
    };
    auto answer = found(asked, options);
    QVERIFY(answer.outcome == SeekOutcome::Reached);
    QVERIFY(answer.hasGap);
    const auto sentences = inWords(answer);
    QVERIFY(
        std::ranges::any_of(sentences, [](const auto &s) { return s.starts_with("Not every value between 4 and "); }));
    last = 200;
    answer = found(asked, options);
    QVERIFY(answer.outcome == SeekOutcome::Reached);
    QCOMPARE(answer.found.value, 200.0);
    QVERIFY(!answer.hasGap);
}

void TestGoalSeek::targetsAreTyped()
{
    for (const auto &[figure, dimension, target] : {std::tuple("run_time_s", units::Dimension::Time, 30 * secondsOfDay),
             std::tuple("mfu", units::Dimension::Fraction, 0.4),
             std::tuple("run_cost_usd", units::Dimension::Money, 5e6)}) {
        const auto typed = targetText({figure, target});
        QVERIFY2(typed.size() < 10, typed.c_str());
        QCOMPARE(units::parseIn(typed, dimension, {}, "target").value(), target);
    }
}

void TestGoalSeek::saysWhatIsInfeasible()
{
    auto asked = question("fleet.nodes", "run_time_s", 0);
    asked.plan.training.globalBatch = 96; // 5 replicas do not divide it, 6 do
    asked.target = plainly(asked, 5).value();
    const auto answer = found(asked);
    QVERIFY(answer.outcome == SeekOutcome::Reached);
    QCOMPARE(answer.found.value, 5.0);
    QVERIFY(answer.found.feasible == false);
    QVERIFY(!answer.found.missed.empty());
    QVERIFY(answer.feasible.has_value());
    QCOMPARE(answer.feasible->value, 6.0);
    const auto sentences = inWords(answer);
    QVERIFY(std::ranges::any_of(sentences, [](const auto &s) { return s.starts_with("Not feasible at 5: "); }));
    QVERIFY(std::ranges::any_of(sentences, [](const auto &s) { return s.contains("reaches it: 6 ("); }));
}

/// A number of nodes that splits a sequence is not proposed where another has no warning, and else it is said.
void TestGoalSeek::saysWhatNoFrameworkRuns()
{
    auto asked = question("fleet.nodes", "run_time_s", 0);
    asked.plan.costModelId = "first-order";
    asked.plan.training.microbatchSize.reset();
    asked.plan.training.microbatchCount = 16;
    asked.plan.training.globalBatch = 16 * 12; // of 12 replicas, and of no 8
    asked.target = plainly(asked, 8).value();
    auto answer = found(asked);
    QVERIFY(answer.found.value == 8 && !answer.found.warning.empty() && answer.feasible && !answer.unwarned);
    QCOMPARE(answer.feasible->value, 12.0);
    const auto says = [&](std::string_view words) {
        return std::ranges::any_of(inWords(answer), [&](const auto &s) { return s.contains(words); });
    };
    QVERIFY(says("No framework runs the plan at 8."));
    QVERIFY(says("without this warning that is feasible and reaches it: 12 ("));
    asked.target = plainly(asked, 24).value(); // more than the batch has sequences for
    answer = found(asked);
    QVERIFY(answer.found.value == 24 && !answer.feasible && answer.unwarned);
    QCOMPARE(answer.unwarned->value, 12.0);
    QVERIFY(says("The nearest that was tried without this warning: 12 ("));
}

/// Cost falls and rises again: the answer is one of the places, and says so.
void TestGoalSeek::saysWhereThereMayBeOthers()
{
    auto asked = question("fleet.nodes", "step_time_s", 1.0);
    asked.plan.parallelism = {};
    asked.plan.fleet.nodes = 8;
    SeekOptions options;
    options.solver = [](const Plan &plan) {
        auto solution = solve(plan);
        if (solution) { // 1 s at 3 and 13 nodes
            const double away = (*plan).fleet->nodeCount - 8;
            solution->estimate.stepTime = (0.5 + away * away / 50) * second;
        }
        return solution;
    };
    const auto answer = found(asked, options);
    QVERIFY(answer.outcome == SeekOutcome::Reached);
    QVERIFY(answer.found.value == 3.0 || answer.found.value == 13.0);
    QVERIFY(!answer.isMonotone);
    QVERIFY(inWords(answer).back().contains("there may be others"));
}

void TestGoalSeek::sameOnAnyNumberOfThreads()
{
    auto asked = question("fleet.nodes", "run_time_s", 3 * secondsOfDay);
    const auto one = found(asked, {.threads = 1}), four = found(asked, {.threads = 4});
    QVERIFY(one.tried == four.tried);
    QVERIFY(one.found == four.found);
}

void TestGoalSeek::cancels()
{
    std::stop_source source;
    SeekOptions options;
    options.stop = source.get_token();
    options.progress = [&](std::size_t tried) {
        if (tried > 2)
            source.request_stop();
    };
    const auto answer = seek(question("fleet.nodes", "run_time_s", secondsOfDay), samples::catalog(), options);
    QVERIFY(!answer);
    QVERIFY(answer.error().code == ErrorCode::Cancelled);
}

void TestGoalSeek::refuses_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("figure");
    QTest::addColumn<double>("target");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("code");
    QTest::addRow("unknown key") << "fleet.node_count"
                                 << "mfu" << 0.4 << "key"
                                 << "unknown_reference";
    QTest::addRow("unknown assumption") << "assumptions.luck"
                                        << "mfu" << 0.4 << "key"
                                        << "unknown_reference";
    QTest::addRow("item") << "fleet.node"
                          << "mfu" << 0.4 << "key"
                          << "unsupported_value";
    QTest::addRow("flag") << "training.lora"
                          << "mfu" << 0.4 << "key"
                          << "unsupported_value";
    QTest::addRow("word") << "training.precision"
                          << "mfu" << 0.4 << "key"
                          << "unsupported_value";
    QTest::addRow("unknown figure") << "fleet.nodes"
                                    << "luck" << 0.4 << "figure"
                                    << "unsupported_value";
    QTest::addRow("figure of another model") << "fleet.nodes"
                                             << "details.tp_penalty" << 0.4 << "figure"
                                             << "unsupported_value";
    QTest::addRow("target") << "fleet.nodes"
                            << "mfu" << qQNaN() << "target"
                            << "out_of_range";
}
void TestGoalSeek::refuses()
{
    QFETCH(QString, key);
    QFETCH(QString, figure);
    QFETCH(double, target);
    QFETCH(QString, field);
    QFETCH(QString, code);
    const auto answer = seek(question(key.toStdString(), figure.toStdString(), target), samples::catalog());
    QVERIFY(!answer);
    QCOMPARE(QString::fromStdString(answer.error().field), field);
    QCOMPARE(QString::fromStdString(std::string(toString(answer.error().code))), code);

    auto bounds = question("fleet.nodes", "run_time_s", secondsOfDay);
    bounds.from = 0;
    QVERIFY(seek(bounds, samples::catalog()).error().field == "from");
    bounds.from = 8;
    bounds.to = 4;
    QVERIFY(seek(bounds, samples::catalog()).error().field == "from");
    bounds.to = 4.5;
    QVERIFY(seek(bounds, samples::catalog()).error().field == "to");
}

void TestGoalSeek::ownValues()
{
    const auto catalog = samples::catalog();
    const auto plan = longRun();
    const auto own = [&](const char *key) { return ownValue(plan, *seekableKey(plan, key), catalog); };
    QVERIFY(own("fleet.nodes") == 4.0);
    QVERIFY(own("training.token_budget") == 1e11);
    QVERIFY(own("workload.layers") == 32.0);
    QVERIFY(own("fleet.node.nic_rate_gbit_per_s") == 400.0);
    QVERIFY(own("fleet.node.accelerator.tdp_w") == 700.0);
    QVERIFY(own("fleet.fabric.latency_us") == 5.0);
    QVERIFY(own("constraints.deadline_days") == std::nullopt);
    QVERIFY(own("assumptions.efficiency").has_value());
    auto published = plan;
    published.training.tokenBudget.reset();
    QVERIFY(ownValue(published, *findSweepKey("training.token_budget"), catalog) == 1e12);
}

FLEETWRIGHT_TEST(TestGoalSeek)
#include "tst_goalseek.moc"
