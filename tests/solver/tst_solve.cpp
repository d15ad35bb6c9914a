// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/binding.h"
#include "solver/answer/figures.h"
#include "solver/blocks/collectives.h"
#include "solver/blocks/topology.h"
#include "solver/nearly.h"
#include "solver/sampleplan.h"
#include "testing/registry.h"
#include "units/format.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace fleetwright;

namespace {

Solution solved(const PlanFacts &facts)
{
    const auto solution = solve(Plan::create(facts).value());
    if (!solution)
        qFatal("%s", solution.error().message.c_str());
    return *solution;
}

const TraceEntry *line(const Solution &solution, std::string_view constraint)
{
    const auto found = std::ranges::find(solution.trace, constraint, &TraceEntry::constraint);
    return found == solution.trace.end() ? nullptr : &*found;
}

} // namespace

class SolveTest : public QObject {
    Q_OBJECT
private slots:
    void runFigures();
    void memoryCapacityIsAlwaysChecked();
    void aModelWithoutMemoryCannotSayThatAPlanFits();
    void constraintsHoldOrFail_data();
    void constraintsHoldOrFail();
    void unknownFiguresAreUndecided();
    void anAssumedPueIsNamed();
    void aSplitSequenceIsNamed();
    void extrasOfARentedRunDoNotGrowWithTheStep();
    void aRunThatNeverEndsFailsItsDeadline();
    void theHighEndOfARangeIsSaid();
    void measuredRunsDecideAboutLimitsOfTime();
    void rangesHoldTheirLikelyValue();
    void costPerTokenNeedsNoTokenBudget();
    void refusalsPassThrough();
    void crossovers();
    void topologyStaysWithinFullBisection();
};

void SolveTest::runFigures()
{
    auto facts = sampleplan::plan();
    const auto solution = solved(facts);
    QCOMPARE(solution.costModelId, std::string("first-order"));
    QVERIFY(!solution.costModelVersion.empty());
    QVERIFY(solution.feasible);
    QCOMPARE(*solution.run.tokens, 15e12);
    const double seconds = 15e12 / *solution.estimate.tokensPerSecond;
    QCOMPARE(solution.run.duration->value(), seconds);
    QCOMPARE(*solution.run.acceleratorHours, 256 * seconds / 3600);
    const double tokensOfStep = double(facts.training.globalBatch) * facts.training.sequenceLength;
    const double run = std::ceil(15e12 / tokensOfStep) * tokensOfStep / *solution.estimate.tokensPerSecond;
    COMPARE_NEAR(*figureOf(solution, "run_time_s"), run); // nothing fails
    COMPARE_NEAR(*figureOf(solution, "run_rented_usd"), 256 * run / 3600 * 2);
    COMPARE_NEAR(*figureOf(solution, "run_cost_usd"), *figureOf(solution, "run_owned_usd"));
    COMPARE_NEAR(*figureOf(solution, "it_power_w"), 1.05 * 32 * 10200.0); // storage and management are a twentieth
    COMPARE_NEAR(*figureOf(solution, "facility_power_w"), 1.25 * 1.05 * 32 * 10200.0);
    COMPARE_NEAR(solution.operations.facilityEnergy->value(), 1.25 * solution.operations.itEnergy->value());

    auto node = sampleplan::node();
    node.maxPower = std::nullopt;
    auto fleet = sampleplan::fleet(node);
    fleet.site.pue = 1.3;
    facts = sampleplan::plan(fleet);
    facts.training.tokenBudget = 1e12;
    const auto other = solved(facts);
    COMPARE_NEAR(*figureOf(other, "it_power_w"), 1.05 * 256 * 700.0 * 1.75); // the server around accelerators
    COMPARE_NEAR(*figureOf(other, "facility_power_w"), 1.05 * 256 * 700.0 * 1.75 * 1.3);
    QCOMPARE(*other.run.tokens, 1e12);
}

void SolveTest::memoryCapacityIsAlwaysChecked()
{
    auto facts = sampleplan::plan();
    auto solution = solved(facts);
    QCOMPARE(solution.trace.size(), std::size_t{1});
    QVERIFY(line(solution, "memory_capacity")->holds);
    QVERIFY(line(solution, "memory_capacity")->sentence.find(units::format(solution.estimate.memory->total))
        != std::string::npos);

    facts.parallelism = {.tp = 1};
    solution = solved(facts);
    QVERIFY(!solution.feasible);
    QVERIFY(!line(solution, "memory_capacity")->holds);
    QVERIFY(line(solution, "memory_capacity")->code == ErrorCode::OutOfMemory);
}

void SolveTest::aModelWithoutMemoryCannotSayThatAPlanFits()
{
    auto facts = sampleplan::plan();
    QCOMPARE(feasibility(solved(facts)), std::optional(true));
    facts.costModelId = "searcher";
    QCOMPARE(feasibility(solved(facts)), std::optional<bool>());
    QVERIFY(!line(solved(facts), "memory_capacity")->decided);
    facts.constraints.minMfu = 0.99;
    QCOMPARE(feasibility(solved(facts)), std::optional(false));
    facts.costModelId = "cube"; // holds 64 GB of activations at TP 8 and says so
    facts.constraints.minMfu.reset();
    QVERIFY(feasibility(solved(facts)).has_value());
}

void SolveTest::constraintsHoldOrFail_data()
{
    QTest::addColumn<QString>("constraint");
    const auto row = [](const char *name) { QTest::newRow(name) << QString::fromUtf8(name); };
    for (const auto *name : {"max_memory_fraction", "deadline_days", "run_cost_usd", "capital_usd", "yearly_cost_usd",
             "max_facility_mw", "min_mfu", "max_step_time_s"})
        row(name);
}

/// A limit at the plan's own figure holds; one slightly tighter does not.
void SolveTest::constraintsHoldOrFail()
{
    QFETCH(const QString, constraint);
    const auto name = constraint.toStdString();
    const auto base = solved(sampleplan::plan());
    const auto limited = [&](double slack) {
        auto facts = sampleplan::plan();
        auto &limits = facts.constraints;
        if (name == "max_memory_fraction")
            limits.maxMemoryShare = slack * double(base.estimate.memory->total / base.estimate.memory->capacity);
        if (name == "deadline_days")
            limits.deadline = slack * *figureOf(base, "run_time_s") * second;
        if (name == "run_cost_usd")
            limits.runCost = slack * *figureOf(base, "run_cost_usd") * dollar;
        if (name == "capital_usd")
            limits.capital = slack * *figureOf(base, "fleet_capital_usd") * dollar;
        if (name == "yearly_cost_usd")
            limits.yearlyCost = slack * *figureOf(base, "fleet_yearly_usd") * dollar;
        if (name == "max_facility_mw")
            limits.facilityPower = slack * *figureOf(base, "facility_power_w") * watt;
        if (name == "min_mfu")
            limits.minMfu = *base.estimate.mfu / slack;
        if (name == "max_step_time_s")
            limits.maxStepTime = slack * *base.estimate.stepTime;
        return solved(facts);
    };
    const auto loose = limited(1.001);
    QVERIFY(loose.feasible);
    QVERIFY(line(loose, name) && line(loose, name)->holds && line(loose, name)->decided);
    const auto tight = limited(0.999);
    QVERIFY(!tight.feasible);
    QVERIFY(line(tight, name) && !line(tight, name)->holds && line(tight, name)->decided);
    QVERIFY(line(tight, name)->code == ErrorCode::ConstraintViolated);
    QVERIFY(line(tight, name)->sentence.ends_with('.'));
    QCOMPARE(tight.estimate.stepTime->value(), base.estimate.stepTime->value());
}

void SolveTest::unknownFiguresAreUndecided()
{
    auto accelerator = sampleplan::accelerator();
    accelerator.cloudPriceLow = std::nullopt;
    accelerator.tdp = std::nullopt;
    auto node = sampleplan::node(accelerator);
    node.maxPower = std::nullopt;
    auto workload = sampleplan::workload();
    workload.trainingTokens = std::nullopt;
    auto fleet = sampleplan::fleet(node);
    fleet.costs.figures.clear();
    auto facts = sampleplan::plan(fleet, workload);
    facts.constraints = {
        .deadline = 1.0 * second, .runCost = 1.0 * dollar, .facilityPower = 1.0 * watt, .minMfu = 0.99};
    facts.assumptions.edited["variant"] = std::string("unsharded"); // gives no MFU
    auto solution = solved(facts);
    for (const auto *name : {"deadline_days", "run_cost_usd", "max_facility_mw", "min_mfu"}) {
        QVERIFY2(line(solution, name) && !line(solution, name)->decided && line(solution, name)->holds, name);
        QVERIFY(line(solution, name)->sentence.find("cannot be checked") != std::string::npos);
    }
    facts.assumptions.edited.clear();
    facts.constraints.minMfu = std::nullopt;
    QVERIFY(solved(facts).feasible); // undecided lines do not make a plan infeasible

    facts.training.tokenBudget = 1e12;
    solution = solved(facts);
    QVERIFY(line(solution, "deadline_days")->decided && !line(solution, "deadline_days")->holds);
    QVERIFY(!line(solution, "run_cost_usd")->decided);
}

void SolveTest::extrasOfARentedRunDoNotGrowWithTheStep()
{
    auto fleet = sampleplan::fleet();
    fleet.costs.paying = Paying::Rent;
    fleet.costs.figures.push_back({.entry = "run_rent_extra_usd", .likely = 1e7, .source = "entered"});
    auto facts = sampleplan::plan(fleet);
    facts.constraints.runCost = 1e12 * dollar;
    const auto solution = solved(facts);
    COMPARE_NEAR(line(solution, "run_cost_usd")->needed, *figureOf(solution, "run_cost_usd"));
    QVERIFY(*figureOf(solution, "run_cost_usd") > 1e7);
}

void SolveTest::aRunThatNeverEndsFailsItsDeadline()
{
    auto fleet = sampleplan::fleet();
    std::erase_if(fleet.costs.figures, [](const CostFigure &figure) { return figure.entry == "rate_per_node_day"; });
    fleet.costs.figures.push_back({.entry = "rate_per_node_day", .likely = 1000, .source = "entered"});
    auto facts = sampleplan::plan(fleet);
    facts.constraints.deadline = 1e9 * second;
    facts.constraints.runCost = 1e12 * dollar;
    const auto solution = solved(facts);
    QVERIFY(!solution.feasible && !figureOf(solution, "run_time_s"));
    for (const auto *name : {"deadline_days", "run_cost_usd"}) {
        QVERIFY2(line(solution, name)->decided && !line(solution, name)->holds, name);
        QVERIFY2(line(solution, name)->sentence.contains("never ends"), line(solution, name)->sentence.c_str());
    }
}

void SolveTest::theHighEndOfARangeIsSaid()
{
    auto fleet = sampleplan::fleet();
    std::erase_if(fleet.costs.figures, [](const CostFigure &figure) { return figure.entry == "rate_per_node_day"; });
    fleet.costs.figures.push_back(
        {.entry = "rate_per_node_day", .likely = 0.004, .low = 0.002, .high = 0.1, .source = "entered"});
    auto facts = sampleplan::plan(fleet);
    const double likely = *figureOf(solved(facts), "run_time_s");
    facts.constraints.deadline = 1.001 * likely * second;
    const auto solution = solved(facts);
    QVERIFY(solution.feasible && line(solution, "deadline_days")->onlyLikely);
    QVERIFY(line(solution, "deadline_days")->sentence.ends_with("it holds at the likely value only."));
    QCOMPARE(verdictInWords(solution), std::string_view("likely"));
    // What binds is what may be missed, though more is used of another limit.
    const std::vector<TraceEntry> trace{{.constraint = "max_memory_fraction", .needed = 0.95, .allowed = 1},
        {.constraint = "deadline_days", .onlyLikely = true, .needed = 0.9, .allowed = 1}};
    QCOMPARE(bindingOf(trace)->words, "Deadline, " + units::formatPercent(0.9) + " used");
    facts.constraints.deadline = 2 * likely * second;
    QVERIFY(!line(solved(facts), "deadline_days")->onlyLikely);
    QCOMPARE(verdictInWords(solved(facts)), std::string_view("yes"));
}

void SolveTest::measuredRunsDecideAboutLimitsOfTime()
{
    auto facts = sampleplan::plan(sampleplan::fleet());
    const double likely = *figureOf(solved(facts), "run_time_s");
    facts.constraints.deadline = 1.2 * likely * second;
    const auto plan = Plan::create(facts);
    const auto solution = solved(facts);
    const auto entry = [&](double low, double high, std::optional<double> byRuns = std::nullopt) {
        return Limits(*plan).entryOf(Limit::DeadlineDays, figuresOf(solution.estimate),
            SheetRange{.low = low * likely, .likely = likely, .high = high * likely}, byRuns);
    };
    QVERIFY(entry(0.9, 1.5).onlyLikely && !entry(0.9, 1.5).byFormula);
    QVERIFY(!entry(0.9, 1.1).onlyLikely);
    const auto beyond = entry(1.1, 1.5, 1.3);
    QVERIFY(!beyond.holds && !beyond.onlyLikely);
    QVERIFY(std::abs(beyond.needed / (1.3 * likely) - 1) < 1e-9);
    QVERIFY(std::abs(*beyond.byFormula / likely - 1) < 1e-9);
    QVERIFY2(beyond.sentence.contains(" by the project\u2019s own measured runs; the formula alone says "),
        beyond.sentence.c_str());
    const auto within = entry(0.9, 1.15, 1.1);
    QVERIFY(within.holds && !within.onlyLikely && within.byFormula);
    // The whole answer follows, and back.
    validation::PredictionRange range{.low = 1.2 * *solution.estimate.stepTime,
        .high = 1.4 * *solution.estimate.stepTime,
        .runs = 3,
        .sources = 1,
        .comparable = {},
        .outside = {},
        .ownRuns = 1};
    QVERIFY(solution.feasible);
    const auto late = withStepRange(solution, *plan, range);
    QVERIFY(!late.feasible && !line(late, "deadline_days")->holds);
    range.low = 0.9 * *solution.estimate.stepTime;
    range.high = 1.1 * *solution.estimate.stepTime;
    QVERIFY(withStepRange(late, *plan, range).feasible);
}

void SolveTest::rangesHoldTheirLikelyValue()
{
    auto fleet = sampleplan::fleet();
    std::erase_if(fleet.costs.figures, [](const CostFigure &figure) { return figure.entry == "node_usd"; });
    fleet.costs.figures.push_back(
        {.entry = "node_usd", .likely = 300e3, .low = 200e3, .high = 300e3, .source = "entered"});
    const auto solution = solved(sampleplan::plan(fleet));
    const auto range = solution.costs->range("nodes_usd");
    QVERIFY(range && range->low < range->likely);
    QCOMPARE(range->high, range->likely); // which a tenth of the draws does not reach
}

void SolveTest::anAssumedPueIsNamed()
{
    auto facts = sampleplan::plan();
    facts.constraints.facilityPower = 440.0 * kilowatt;
    auto solution = solved(facts);
    QVERIFY(solution.feasible);
    QVERIFY(solution.estimate.notices.has(Notice::PueAssumed));
    COMPARE_NEAR(line(solution, "max_facility_mw")->needed, 1.25 * 1.05 * 32 * 10200.0);
    QCOMPARE(line(solution, "max_facility_mw")->sentence,
        std::string("The peak power of the facility is 428\u00a0kW, within the 440\u00a0kW allowed. A PUE of 1.25 is "
                    "assumed: choose a facility or a grid that states one, or edit the PUE among the plan\u2019s "
                    "assumptions."));

    facts.assumptions.edited["operations.pue"] = 1.3;
    solution = solved(facts);
    QVERIFY(!solution.feasible && !line(solution, "max_facility_mw")->sentence.contains("assumed")); // the plan says it

    auto fleet = sampleplan::fleet();
    fleet.site.pue = 1.05;
    facts.fleet = Fleet::create(fleet).value();
    solution = solved(facts);
    QVERIFY(solution.feasible && !solution.estimate.notices.has(Notice::PueAssumed));
    QVERIFY(!line(solution, "max_facility_mw")->sentence.contains("assumed"));
    QVERIFY(!solved(sampleplan::plan()).estimate.notices.has(Notice::PueAssumed)); // nothing rests on it
}

void SolveTest::aSplitSequenceIsNamed()
{
    auto facts = sampleplan::plan();
    const int dp = solved(facts).estimate.dp;
    facts.training.globalBatch = 8 * dp;
    const auto isNamed = [&](std::optional<int> microbatches, int accumulated = 1) {
        facts.training.microbatchCount = microbatches;
        facts.training.microbatchSize = microbatches ? std::nullopt : std::optional(1);
        facts.training.accumulationSteps = accumulated;
        const auto solution = solved(facts);
        return solution.estimate.dp == dp && solution.estimate.notices.has(Notice::SequenceSplit);
    };
    QVERIFY(!isNamed(8) && !isNamed(4, 2) && !isNamed(1) && !isNamed(std::nullopt));
    QVERIFY(isNamed(16) && isNamed(3) && isNamed(8, 2));
}

void SolveTest::costPerTokenNeedsNoTokenBudget()
{
    auto workload = sampleplan::workload();
    workload.trainingTokens = std::nullopt;
    const auto solution = solved(sampleplan::plan(sampleplan::fleet(), workload));
    QVERIFY(!solution.run.duration && !figureOf(solution, "run_cost_usd"));
    const double expected = 256 * *solution.costs->value("levelised_nominal_usd") / 3600 * 1e6
        / *solution.estimate.tokensPerSecond;
    COMPARE_NEAR(solution.operations.perMillionTokens->value(), expected);
    const auto budgeted = solved(sampleplan::plan());
    COMPARE_NEAR(budgeted.operations.perMillionTokens->value(),
        *figureOf(budgeted, "run_owned_usd") / 15e6
            * (budgeted.run.duration->value() / *figureOf(budgeted, "run_time_s")));

    workload.vocabSize = 128256;
    auto facts = sampleplan::plan(sampleplan::fleet(), workload);
    facts.costModelId = "strategy-calculator"; // prices no step
    QCOMPARE(reasonForAbsence(solved(facts), "cost_usd_per_million_tokens"),
        std::string_view("The cost model gives no tokens per second for this plan: choose one that does."));
}

void SolveTest::refusalsPassThrough()
{
    auto facts = sampleplan::plan();
    facts.parallelism.tp = 3;
    const auto refused = solve(Plan::create(facts).value());
    QVERIFY(!refused && refused.error().code == ErrorCode::InfeasibleParallelism);
    facts = sampleplan::plan();
    facts.costModelId = "unknown";
    QVERIFY(solve(Plan::create(facts).value()).error().code == ErrorCode::UnknownReference);
}

void SolveTest::crossovers()
{
    // Where the two all-reduces cost the same without the ceiling: n a b / log2 n (exact for powers of two when the
    // ring's factor is 2).
    const Link link{50.0 * gigabytePerSecond, 5.0 * microsecond};
    QCOMPARE(alphaBetaCrossover(link)->value(), 50e9 * 5e-6);
    QCOMPARE(ringTreeCrossover(8, link)->value(), 8 * 50e9 * 5e-6 / 3);
    QVERIFY(ringTreeCrossover(1, link).error().field == "n_ranks");
    QCOMPARE(pointToPoint(50.0 * gigabyte, link)->value(), 1.000005);
    QCOMPARE(*oversubscriptionSpeed(1.0, 4.0), 0.25);
    QCOMPARE(*oversubscriptionSpeed(0.0, 4.0), 1.0);
    QVERIFY(oversubscriptionSpeed(1.5, 4.0).error().field == "crossing_share");
    QCOMPARE(bisectionBandwidth(16, 50.0 * gigabytePerSecond, 2.0)->value(), 400e9);
    QCOMPARE(hierarchicalAllReduce(gigabyte, 1, 1, link, link)->value(), 0.0);
    QVERIFY(hierarchicalAllReduce(gigabyte, 0, 8, link, link).error().field == "nodes");
    QVERIFY(hierarchicalAllReduce(gigabyte, 2, 8, {}, link).error().field == "intra_bandwidth");
}

void SolveTest::topologyStaysWithinFullBisection()
{
    for (const auto *kind : {"fat_tree", "dragonfly", "torus_3d", "ring"})
        for (std::int64_t nodes = 1; nodes < 5000; nodes += 7) {
            const auto figures = topologyFigures(kind, nodes, 50.0 * gigabytePerSecond, 1.0);
            QVERIFY(figures);
            QVERIFY(figures->bisectionShare > 0 && figures->bisectionShare <= 1);
        }
    QVERIFY(topologyFigures("ring", 0, 50.0 * gigabytePerSecond, 1.0).error().field == "nodes");
}

FLEETWRIGHT_TEST(SolveTest)
#include "tst_solve.moc"
