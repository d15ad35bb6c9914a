// SPDX-License-Identifier: GPL-3.0-or-later
// Which plan a comparison calls the best, and when it may not.
#include "domain/samples.h"
#include "solver/answer/comparisontext.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>

using namespace fleetwright;

namespace {

/// Plans that differ in nothing but their names: A, B, C...
std::vector<PlanDocument> alike(std::size_t count)
{
    std::vector<PlanDocument> plans(count, samples::plan());
    for (std::size_t i = 0; i < count; ++i) {
        plans[i].name = std::string(1, char('A' + i));
        plans[i].parallelism.tp = 8;
    }
    return plans;
}

using Values = std::vector<std::optional<double>>;

ComparisonRow figure(std::string key, units::Dimension dimension, const Values &values)
{
    ComparisonRow row{.key = std::move(key), .dimension = dimension};
    for (const auto &value : values) {
        ComparisonCell cell;
        cell.value = value;
        row.cells.push_back(cell);
    }
    return row;
}

/// Their limits are what the plans say, their figures what is given: the costs of the run, its days, the step.
Comparison compared(
    const std::vector<PlanDocument> &plans, const Values &costs, const Values &days = {}, const Values &steps = {})
{
    auto comparison = compare({.plans = plans, .modelIds = {"first-order"}}, samples::catalog());
    if (!comparison)
        qFatal("%s", comparison.error().message.c_str());
    comparison->rows.clear();
    if (!costs.empty())
        comparison->rows.push_back(figure("run_cost_usd", units::Dimension::Money, costs));
    if (!days.empty()) {
        auto seconds = days;
        for (auto &value : seconds)
            if (value)
                *value *= 86400;
        comparison->rows.push_back(figure("run_time_s", units::Dimension::Time, seconds));
    }
    if (!steps.empty())
        comparison->rows.push_back(figure("step_time_s", units::Dimension::Time, steps));
    return std::move(*comparison);
}

void breakLimit(PlanDocument &plan) { plan.constraints.maxStepTime = 1e-6 * second; }
/// The catalog has no prices.
void leaveUndecided(PlanDocument &plan) { plan.constraints.capital = Dollars::from_value(1e6); }
void refuse(PlanDocument &plan) { plan.workload = std::string("nothing_like_it"); }
/// As a cost model does that knows no memory.
void forgetMemory(ComparisonColumn &column)
{
    auto &solution = *column.solution;
    solution.estimate.memory.reset();
    solution.estimate.fits.reset();
    for (auto &entry : solution.trace)
        if (entry.constraint == keyOf(Limit::MemoryCapacity))
            entry.decided = false;
}

#define COMPARE_SENTENCES(verdict, ...)                                                                                \
    do {                                                                                                               \
        const std::vector<std::string> expected{__VA_ARGS__};                                                          \
        std::string said, wanted;                                                                                      \
        for (const auto &sentence : (verdict).sentences)                                                               \
            said += sentence + '\n';                                                                                   \
        for (const auto &sentence : expected)                                                                          \
            wanted += sentence + '\n';                                                                                 \
        std::ranges::replace(said, '\xA0', ' ');                                                                       \
        std::erase(said, '\xC2'); /* spaces that do not break */                                                       \
        QCOMPARE(QString::fromStdString(said), QString::fromStdString(wanted));                                        \
    } while (false)

} // namespace

class TestComparisonVerdict : public QObject {
    Q_OBJECT
private slots:
    void theCheapestIsTheBest()
    {
        const auto verdict = verdictOf(compared(alike(3), {3e6, 2e6, 4e6}, {30, 40, 20}));
        QCOMPARE(verdict.best, std::optional(1UZ));
        COMPARE_SENTENCES(verdict, "The cheapest run of the 3 plans that keep their limits: B, 2.00 MUSD in 40.0 days.",
            "Done first: C, 4.00 MUSD in 20.0 days.");
    }

    void withoutCostsTheShortest()
    {
        // One of them has no cost: costs do not rank.
        const auto run = verdictOf(compared(alike(2), {std::nullopt, 2e6}, {30, 40}));
        QCOMPARE(run.best, std::optional(0UZ));
        QVERIFY(run.sentences.front().starts_with("The shortest run of the 2 plans that keep their limits: A, "));
        const auto step = verdictOf(compared(alike(2), {}, {}, {2, 1}));
        QCOMPARE(step.best, std::optional(1UZ));
        QVERIFY(step.sentences.front().starts_with("The shortest step of the 2 plans that keep their limits: B, "));
        auto other = alike(2);
        other[1].training.globalBatch *= 2; // a step of it does more
        const auto none = verdictOf(compared(other, {}, {}, {2, 1}));
        QVERIFY(!none.best && none.sentences.empty());
    }

    /// What reads as equal is a tie, whatever the order of the columns; the least one decides what that is.
    void tiesAreOfTheLeast()
    {
        std::vector<double> costs{100e6, 100.004e6, 100.008e6};
        do {
            const auto verdict = verdictOf(compared(alike(3), {costs[0], costs[1], costs[2]}, {30, 20, 10}));
            QVERIFY(!verdict.best);
            std::string tied;
            for (std::size_t i = 0; i < costs.size(); ++i)
                if (costs[i] < 100.006e6)
                    tied += (tied.empty() ? "" : " and ") + std::string(1, char('A' + i));
            COMPARE_SENTENCES(verdict,
                "The cheapest run of the 3 plans that keep their limits: " + tied + ", 100 MUSD in "
                    + std::string(tied[0] == 'A' ? "30.0" : "20.0") + " days.");
        } while (std::ranges::next_permutation(costs).found);
    }

    void whatBreaksALimitIsOut()
    {
        auto plans = alike(3);
        breakLimit(plans[0]);
        const auto two = verdictOf(compared(plans, {1e6, 2e6, 3e6}));
        QCOMPARE(two.best, std::optional(1UZ));
        QVERIFY(two.sentences.front().starts_with("The cheapest run of the 2 plans that keep their limits: B, "));
        QVERIFY(two.sentences.back().starts_with("Out: A (Longest step: "));
        breakLimit(plans[1]);
        const auto only = verdictOf(compared(plans, {1e6, 2e6, 3e6}));
        QCOMPARE(only.best, std::optional(2UZ));
        QVERIFY(only.sentences.front().starts_with("The cheapest run (the only plan that keeps its limits): C, "));
        breakLimit(plans[2]);
        const auto none = verdictOf(compared(plans, {1e6, 2e6, 3e6}));
        QVERIFY(!none.best);
        QCOMPARE(none.sentences.front(), std::string("None of these plans keeps its limits."));
        QVERIFY(none.sentences.back().ends_with(" and 1 more."));
    }

    void whatIsRefusedMayBeBetter()
    {
        auto plans = alike(3);
        refuse(plans[0]);
        const auto two = verdictOf(compared(plans, {std::nullopt, 2e6, 3e6}));
        QVERIFY(!two.best);
        COMPARE_SENTENCES(
            two, "The cheapest run of the 2 plans known to keep their limits: B, 2.00 MUSD.", "Refused: A.");
        refuse(plans[1]);
        const auto only = verdictOf(compared(plans, {std::nullopt, std::nullopt, 3e6}));
        QVERIFY(!only.best);
        COMPARE_SENTENCES(
            only, "The cheapest run (the only plan known to keep its limits): C, 3.00 MUSD.", "Refused: A and B.");
        refuse(plans[2]);
        const auto none = verdictOf(compared(plans, {std::nullopt, std::nullopt, std::nullopt}));
        QVERIFY(!none.best);
        COMPARE_SENTENCES(none, "None of these plans is known to keep its limits.", "Refused: A, B and C.");
    }

    void limitsThatAreNotDecidedAreNotKept()
    {
        auto plans = alike(3);
        leaveUndecided(plans[2]);
        const auto comparison = compared(plans, {3e6, 2e6, 1e6});
        QVERIFY(comparison.columns[2].solution->feasible); // as far as that says
        const auto two = verdictOf(comparison);
        QVERIFY(!two.best);
        COMPARE_SENTENCES(two, "The cheapest run of the 2 plans known to keep their limits: B, 2.00 MUSD.",
            "Limits not decided: C (Capital).");
        breakLimit(plans[0]);
        leaveUndecided(plans[0]); // broken all the same
        leaveUndecided(plans[1]);
        const auto none = verdictOf(compared(plans, {3e6, 2e6, 1e6}));
        QVERIFY(!none.best);
        QCOMPARE(none.sentences.front(), std::string("None of these plans is known to keep its limits."));
        QVERIFY(none.sentences.at(1).starts_with("Out: A (Longest step: "));
        QCOMPARE(none.sentences.at(2), std::string("Limits not decided: B (Capital), C (Capital)."));
    }

    /// The marks of rows ask what the verdict asks.
    void whatIsNotDecidedHasNoStar()
    {
        auto plans = alike(3);
        plans[0].parallelism.tp = 4;
        plans[1].parallelism.tp = 2;
        const auto starsOf = [&] {
            std::string stars;
            const auto comparison = compare({.plans = plans, .modelIds = {"first-order"}}, samples::catalog()).value();
            for (const auto &cell : comparison.row("step_time_s")->cells)
                stars += cell.best ? '*' : '-';
            return stars;
        };
        const auto judged = starsOf();
        const auto place = judged.find('*');
        QVERIFY2(place != std::string::npos, judged.c_str());
        leaveUndecided(plans[place]); // it may be out
        QCOMPARE(starsOf(), std::string("---"));
        plans[place].constraints.capital.reset();
        leaveUndecided(plans[place == 2 ? 1 : 2]); // which is no better
        QCOMPARE(starsOf(), judged);
    }

    void aModelWithoutMemoryDecidesNothing()
    {
        auto comparison = compared(alike(3), {3e6, 2e6, 1e6});
        for (auto &column : comparison.columns)
            forgetMemory(column);
        const auto verdict = verdictOf(comparison);
        QVERIFY(!verdict.best);
        COMPARE_SENTENCES(verdict, "None of these plans is known to keep its limits.",
            "Limits not decided: A (Memory capacity), B (Memory capacity) and 1 more.");
    }

    void otherWorkIsNoRival()
    {
        auto plans = alike(2);
        plans[1].training.tokenBudget = 5e11;
        const auto tokens = verdictOf(compared(plans, {3e6, 1e6}));
        QVERIFY(!tokens.best);
        QVERIFY(tokens.sentences.front().starts_with("These plans do not all train the same"));
        breakLimit(plans[1]); // the only one that keeps its limits has no rival
        QCOMPARE(verdictOf(compared(plans, {3e6, 1e6})).best, std::optional(0UZ));
        plans = alike(2);
        auto catalog = samples::catalog();
        auto larger = samples::workload();
        larger.id = larger.name = "larger_model";
        larger.values["layers"] = 64.0;
        catalog.insert(larger);
        plans[1].workload = std::string("larger_model");
        auto comparison = compare({.plans = plans, .modelIds = {"first-order"}}, catalog);
        QVERIFY(comparison && comparison->columns[1].solution);
        comparison->rows = {figure("run_cost_usd", units::Dimension::Money, {3e6, 1e6})};
        const auto workloads = verdictOf(*comparison);
        QVERIFY(!workloads.best);
        QVERIFY(workloads.sentences.front().starts_with("These plans do not all train the same"));
    }

    /// Of six models on a plan of thousands of accelerators, those that were not made for it stay out of everything.
    void modelsThatWereNotMadeForItStandAside()
    {
        auto plan = samples::plan();
        plan.name = "large";
        plan.fleet.nodes = 512;
        plan.parallelism.tp = 8;
        plan.training.globalBatch = 4096;
        const auto comparison = compare(
            {.plans = {plan}, .modelIds = {"searcher", "first-order", "dp-wall", "cube"}, .asideLast = true},
            samples::catalog());
        QVERIFY(comparison);
        std::string order;
        for (std::size_t i = 0; i < comparison->columns.size(); ++i)
            order += comparison->columns[i].modelId + (comparison->isAside(i) ? " aside, " : ", ");
        QCOMPARE(order, std::string("first-order, cube, searcher aside, dp-wall aside, "));
        QVERIFY(comparison->columns[2].outOfScope.contains("its penalties leave"));
        QCOMPARE(comparison->spread("step_time_s").front().values.size(), 2UZ);
        const auto verdict = verdictOf(*comparison);
        QVERIFY(!verdict.sentences.front().contains("Searcher"));
        QCOMPARE(
            verdict.sentences.back(), std::string("Searcher and Data-parallel wall were not made for such a plan."));
        // Units suit the reference column, whatever the others say.
        const auto &step = *comparison->row("step_time_s");
        QCOMPARE(QString::fromStdString(rowTitle(*comparison, step)), QStringLiteral("Step time [ms]"));
        // One alone is shown as it is.
        const auto alone = compare({.plans = {plan}, .modelIds = {"searcher"}}, samples::catalog());
        QVERIFY(alone && !alone->isAside(0) && alone->spread("step_time_s").size() == 1);
    }

    void headsDropWhatNamesShare()
    {
        auto plans = alike(2);
        plans[0].name = "Llama on 24 GB200, owned";
        plans[1].name = "Llama on 64 MI300X, rented";
        const auto headsOf = [&] {
            const auto comparison = compared(plans, {3e6, 1e6});
            return columnHead(comparison, 0) + " | " + columnHead(comparison, 1);
        };
        QCOMPARE(headsOf(), std::string("24 GB200, owned | 64 MI300X, rented"));
        plans[1].fleet.costs.paying = Paying::Rent;
        plans[1].name = "Llama on 64 MI300X";
        QCOMPARE(headsOf(), std::string("24 GB200, owned | 64 MI300X\nrented"));
        plans[0].name = "Llama on";
        QCOMPARE(headsOf(), std::string("Llama on\nowned | Llama on 64 MI300X\nrented"));
    }

    void onePlanHasNoVerdict()
    {
        const auto verdict = verdictOf(compared(alike(1), {1e6}));
        QVERIFY(verdict.sentences.empty() && !verdict.best);
    }
};

FLEETWRIGHT_TEST(TestComparisonVerdict)
#include "tst_comparisonverdict.moc"
