// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts of plans where measured runs of the site say how long steps take: what is taken, offered and missed.
#include "domain/samples.h"
#include "solver/answer/comparison.h"
#include "solver/answer/figures.h"
#include "solver/search/bestlayout.h"
#include "solver/search/cellsearch.h"
#include "solver/search/layoutsearchwords.h"
#include "solver/search/nearlayouts.h"
#include "solver/searchsample.h"
#include "solver/sweep/goalseek.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace fleetwright;
using layoutsearch::NearLayout;

namespace {

Plan planFrom(PlanFacts facts) { return Plan::create(std::move(facts)).value(); }

/// Ranges whose middle is the computed step times a factor; of a site with so many runs.
template <class Factor> validation::RangeOf movedBy(const Factor &factor, int ownRuns = 1)
{
    return [factor, ownRuns](const Plan &plan, Seconds step) {
        constexpr double width = 1.1;
        const auto middle = step * factor(plan);
        return validation::PredictionRange{.low = middle / width,
            .high = middle * width,
            .runs = 3,
            .sources = 1,
            .comparable = {},
            .outside = {},
            .ownRuns = ownRuns,
            .ownRunsAlike = ownRuns};
    };
}

bool has(const Plan &plan, const Layout &layout)
{
    return plan->parallelism == parallelismOf(layout) && plan->training == trainingOf(layout, plan->training);
}

/// What is simpler takes longer.
double againstSimple(const Plan &plan)
{
    return 1.3 - 0.05 * (plan->parallelism.virtualStages > 1) - 0.04 * (plan->parallelism.zeroStage == 3)
        - 0.02 * (plan->parallelism.cp > 1);
}

/// The rows from which a recommendation chooses.
std::vector<layoutsearch::Row> rowsNear(const PlanFacts &plan)
{
    auto limited = plan;
    limited.constraints.maxMemoryShare = layoutsearch::memoryShareOf(plan.constraints);
    return layoutsearch::run(searchsample::requestOf(limited)).value().simplest;
}

/// With the range that these runs give it, as its page shows it.
Solution solvedBy(const Plan &plan, const validation::RangeOf &rangeOf)
{
    auto solution = solve(plan).value();
    auto range = rangeOf(plan, *solution.estimate.stepTime);
    return withStepRange(std::move(solution), plan, std::move(range));
}

PlanFacts within(PlanFacts plan, double days)
{
    plan.constraints.deadline = days * day;
    return plan;
}

} // namespace

class LayoutsByRunsTest : public QObject {
    Q_OBJECT

private slots:
    /// What is near by the model and far by the runs is not near.
    void farByTheRunsIsNotNear()
    {
        const auto plan = planFrom(searchsample::gpt13());
        const auto row = [](int zeroStage, double seconds) {
            return layoutsearch::Ranked{seconds,
                {.layout = {.tp = 8, .dp = 8, .microbatchSize = 1, .zeroStage = std::int8_t(zeroStage)},
                    .stepSeconds = seconds}};
        };
        const std::array rows{row(0, 1.015), row(1, 1.0), row(3, 1.01)};
        const std::vector<const layoutsearch::Ranked *> best{&rows[0], &rows[1], &rows[2]};
        const auto rangeOf = movedBy([](const Plan &of) { return of->parallelism.zeroStage == 0 ? 1.05 : 1.005; });
        const auto byRuns = layoutsearch::nearLayouts(plan, best, rangeOf);
        QCOMPARE(byRuns.size(), std::size_t(2));
        QCOMPARE(int(byRuns.front().ranked.row.layout.zeroStage), 1); // the simplest of those that are left
        QVERIFY(std::abs(byRuns.front().seconds - 1.005) < 1e-12 && byRuns.front().isMoved());
        QCOMPARE(int(fastestOf(byRuns).ranked.row.layout.zeroStage), 1);
        const auto byFormula = layoutsearch::nearLayouts(plan, best, rangeOf, layoutsearch::JudgedBy::Formula);
        QCOMPARE(byFormula.size(), std::size_t(3));
        QCOMPARE(byFormula.front().seconds, 1.015);
        QVERIFY(std::abs(byFormula.front().likely - 1.015 * 1.05) < 1e-12);
        for (const auto &without : {validation::RangeOf(), movedBy([](const Plan &) { return 2.0; }, 0)}) {
            const auto same = layoutsearch::nearLayouts(plan, best, without);
            QCOMPARE(same.size(), std::size_t(3));
            QVERIFY(std::ranges::none_of(same, &NearLayout::isMoved));
            QCOMPARE(same.front().likely, 1.015);
        }
    }

    /// What was timed stays, unless all that another may take is less.
    void whatWasTimedIsKept()
    {
        const auto plan = planFrom(searchsample::gpt13());
        const auto row = [](int zeroStage, double seconds) {
            return layoutsearch::Ranked{seconds,
                {.layout = {.tp = 8, .dp = 8, .microbatchSize = 1, .zeroStage = std::int8_t(zeroStage)},
                    .stepSeconds = seconds}};
        };
        const std::array rows{row(1, 1.0), row(3, 1.001)};
        const std::vector<const layoutsearch::Ranked *> best{&rows[0], &rows[1]};
        const auto timedFirst = [](double slower) { // a run of ZeRO 1; ranges reach a tenth up
            return validation::RangeOf([slower, moved = movedBy([slower](const Plan &of) {
                return of->parallelism.zeroStage == 1 ? slower : 1.0;
            })](const Plan &of, Seconds step) {
                auto range = moved(of, step);
                if (range && of->parallelism.zeroStage == 1)
                    range->ownRunsSame = 1;
                return range;
            });
        };
        const auto kept = layoutsearch::nearLayouts(plan, best, timedFirst(1.05));
        QCOMPARE(kept.size(), std::size_t(1));
        QCOMPARE(int(kept.front().ranked.row.layout.zeroStage), 1);
        const auto left = layoutsearch::nearLayouts(plan, best, timedFirst(1.2));
        QCOMPARE(left.size(), std::size_t(1));
        QCOMPARE(int(left.front().ranked.row.layout.zeroStage), 3);
        const auto byFormula = layoutsearch::nearLayouts(plan, best, timedFirst(1.05), layoutsearch::JudgedBy::Formula);
        QCOMPARE(byFormula.size(), std::size_t(2));
    }

    /// The simplest of those that the runs cannot tell from the fastest, of those that the model cannot.
    void isAPlainChoice()
    {
        int other = 0;
        for (const auto &facts : {searchsample::gpt13(), searchsample::gpt175(16), searchsample::gpt175(32),
                 searchsample::experts(), searchsample::llama70()}) {
            const auto plan = planFrom(facts);
            const auto rows = rowsNear(facts);
            std::vector<double> seconds;
            for (const auto &row : rows)
                seconds.push_back(row.stepSeconds * againstSimple(layoutsearch::withLayout(plan, row.layout).value()));
            const double least = std::ranges::min(seconds);
            const auto expected = std::size_t(std::ranges::find_if(seconds, [&](double value) {
                return value <= least * (1 + layoutsearch::indistinguishable);
            }) - seconds.begin());
            const auto found = layoutsearch::recommend(plan, {}, movedBy(againstSimple)).value();
            QVERIFY(found.isFeasible() && found.byRuns);
            QVERIFY(found.row.layout == rows[expected].layout);
            QVERIFY(std::abs(found.byRuns->seconds / seconds[expected] - 1) < 1e-12);
            QVERIFY(std::abs(found.gain - (1 - least / seconds[expected])) < 1e-12);
            const auto decided = layoutsearch::decided(plan, {}, movedBy(againstSimple)).value();
            QVERIFY(has(decided.plan, rows[expected].layout));
            const auto formula = layoutsearch::recommend(plan, {}).value();
            QVERIFY(!formula.byRuns);
            if (formula.row.layout == found.row.layout) {
                QVERIFY(!found.byRuns->byFormula);
                continue;
            }
            ++other;
            QVERIFY(found.byRuns->byFormula && found.byRuns->byFormula->layout == formula.row.layout);
            const auto lines = inWords(found);
            const auto said = "The formula alone would take " + inWords(formula.row.layout) + ": ";
            QVERIFY2(lines[1].starts_with(said) && lines[1].ends_with(" slower by your run."), lines[1].c_str());
            // A plan that stays with it is told so, and by how much.
            const auto simple = layoutsearch::withLayout(plan, formula.row.layout).value();
            const auto offer = offerOver(solvedBy(simple, movedBy(againstSimple)), found);
            QVERIFY(offer.layout && *offer.layout == found.row.layout);
            QVERIFY2(offer.sentence.starts_with("Best layout: " + inWords(found.row.layout) + ": ")
                    && offer.sentence.ends_with(" less time than this one by your run."),
                offer.sentence.c_str());
            // One that takes it is offered nothing, whatever the formula says.
            const auto taken = layoutsearch::withLayout(plan, found.row.layout).value();
            const auto none = offerOver(solvedBy(taken, movedBy(againstSimple)), found);
            QVERIFY2(!none.layout && none.sentence.starts_with("None of the formula\u2019s best layouts that leave ")
                    && none.sentence.ends_with(" is faster by your run."),
                none.sentence.c_str());
        }
        QVERIFY2(other > 0, "the runs choose no other layout in any sample");
    }

    /// That none is faster is not said beside one that is.
    void aFasterSplitIsSaidAlone()
    {
        const auto plan = planFrom(searchsample::llama70());
        auto found = layoutsearch::recommend(plan, {}, movedBy(againstSimple)).value();
        QVERIFY(found.isFeasible() && found.byRuns && found.rival);
        found.best = found.row;
        found.rivalLoss = 0.03;
        QVERIFY2(gistOf(found).starts_with("None of the formula\u2019s best layouts is faster by your run;"),
            gistOf(found).c_str());
        found.byRuns->runs = 2;
        QVERIFY2(gistOf(found).contains(" is faster by your runs;"), gistOf(found).c_str());
        found.rivalLoss = -0.0144;
        const auto gist = gistOf(found);
        QVERIFY2(gist.starts_with("The next split, ")
                && gist.ends_with(" is 1.44\u00a0% faster by your runs, too little to tell."),
            gist.c_str());
        QVERIFY2(!inWords(found).front().contains("none"), inWords(found).front().c_str());
    }

    /// A deadline is judged by the runs: missed where the formula keeps it, kept where it does not.
    void theDeadlineIsTheRuns()
    {
        const auto slow = movedBy([](const Plan &) { return 1.3; }), fast = movedBy([](const Plan &) { return 0.7; });
        const auto facts = searchsample::gpt175(32);
        const auto formula = layoutsearch::decided(planFrom(facts), {}).value();
        const double days = *figureOf(solve(formula.plan).value(), "run_time_s") / 86400;

        const auto tight = planFrom(within(facts, 1.1 * days));
        QVERIFY(layoutsearch::recommend(tight, {}).value().isFeasible());
        const auto missed = layoutsearch::recommend(tight, {}, slow).value();
        QCOMPARE(missed.missed.size(), std::size_t(1));
        const auto &entry = missed.missed.front();
        QCOMPARE(entry.constraint, std::string(keyOf(Limit::DeadlineDays)));
        QVERIFY(entry.byFormula && *entry.byFormula < entry.allowed && entry.needed > entry.allowed);
        const auto lines = inWords(missed);
        QCOMPARE(lines.front().substr(0, 31), std::string("No layout keeps every limit. Th"));
        QCOMPARE(lines.back(), std::string("These are counted by the formula alone."));
        const auto remedies = layoutsearch::remediesOf(tight, {}, missed, slow).value();
        QVERIFY(remedies.deadline && remedies.deadline->value() == entry.needed);
        QVERIFY(remedies.nodes);
        for (const int nodes : {*remedies.nodes - 1, *remedies.nodes}) {
            auto larger = within(searchsample::gpt175(nodes), 1.1 * days);
            QCOMPARE(
                layoutsearch::recommend(planFrom(larger), {}, slow).value().isFeasible(), nodes == *remedies.nodes);
        }

        // Where nothing fits the memory, more nodes have to keep the deadline by the runs, too.
        const auto small = planFrom(within(searchsample::gpt175(2), 1.1 * days));
        const auto nothing = layoutsearch::recommend(small, {}, slow).value();
        QVERIFY(!nothing.isFeasible() && !nothing.byRuns);
        QCOMPARE(layoutsearch::remediesOf(small, {}, nothing, slow).value().nodes, remedies.nodes);

        const auto tighter = planFrom(within(facts, 0.8 * days));
        QVERIFY(!layoutsearch::recommend(tighter, {}).value().isFeasible());
        const auto kept = layoutsearch::recommend(tighter, {}, fast).value();
        QVERIFY(kept.isFeasible() && kept.byRuns && kept.byRuns->countsDiffer);
        QVERIFY(solvedBy(layoutsearch::withLayout(tighter, kept.row.layout).value(), fast).feasible);
        QCOMPARE(inWords(kept).back(), std::string("These are counted by the formula alone."));
    }

    /// An open layout that is compared or looked for with another value is chosen and judged by the runs, too.
    void otherQuestionsFollow()
    {
        const auto catalog = samples::catalog();
        auto document = samples::plan();
        document.training.tokenBudget = 1e11;
        document = withBestLayout(document);
        document.training.globalBatch = 256; // whose best layout has others near it
        const auto chosen = layoutsearch::resolveWithBestLayout(document, catalog).value().layout->row.layout;
        const auto rangeOf = movedBy([&](const Plan &plan) { return has(plan, chosen) ? 1.3 : 1.1; });
        const auto decided = layoutsearch::resolveWithBestLayout(document, catalog, rangeOf).value();
        QVERIFY(decided.layout->row.layout != chosen);
        const auto seconds = *figureOf(solvedBy(decided.plan, rangeOf), "run_time_s");

        const auto comparison =
            compare({.plans = {document}, .modelIds = {document.costModelId}, .rangeOf = rangeOf}, catalog).value();
        QVERIFY(has(*comparison.columns.front().resolved, decided.layout->row.layout));
        QCOMPARE(*comparison.row("run_time_s")->cells.front().value, seconds);

        SeekQuestion asked;
        asked.plan = document;
        asked.key = "fleet.nodes";
        asked.figure = "run_time_s";
        asked.target = seconds;
        asked.to = 64;
        const auto answer = seek(asked, catalog, {.rangeOf = rangeOf}).value();
        QVERIFY(answer.now && *answer.now->figure == seconds && answer.now->layout == decided.layout->row.layout);
        QVERIFY(reachesTarget(answer, *answer.now));
        const auto formula = seek(asked, catalog).value();
        QVERIFY(*formula.now->figure < seconds && formula.now->layout == chosen);
    }

    /// Ranges that no run of the site moved change nothing.
    void withoutRunsNothingChanges()
    {
        const auto published = movedBy([](const Plan &) { return 1.4; }, 0);
        for (const auto &facts :
            {searchsample::gpt13(), searchsample::llama70(), within(searchsample::gpt175(16), 1)}) {
            const auto plan = planFrom(facts);
            const auto found = layoutsearch::recommend(plan, {}, published).value(),
                       alone = layoutsearch::recommend(plan, {}).value();
            QVERIFY(!found.byRuns && found.row.layout == alone.row.layout && found.best.layout == alone.best.layout);
            QCOMPARE(found.gain, alone.gain);
            QCOMPARE(found.missed, alone.missed);
            QCOMPARE(inWords(found), inWords(alone));
            QCOMPARE(gistOf(found), gistOf(alone));
        }
    }

    /// Searches go by the formula, and say so where it matters.
    void searchesSayThatTheyDoNotFollow()
    {
        const auto request = searchsample::requestOf(searchsample::gpt13());
        const auto result = layoutsearch::run(request).value();
        const auto before = layoutsearch::recommendation(request, result);
        auto lines = before;
        sayFormulaAlone(request, result, {}, lines);
        sayFormulaAlone(request, result, movedBy([](const Plan &) { return 1.4; }, 0), lines);
        QCOMPARE(lines, before);
        QVERIFY(!sayFormulaAlone(request, result, movedBy([](const Plan &) { return 1.4; }), lines)); // the same one
        QCOMPARE(lines[1], before[1] + " " + std::string(validation::formulaAlone));
        lines[1] = before[1];
        QCOMPARE(lines, before);

        // What plans take by the runs is told where it is another layout.
        const auto plan = planFrom(searchsample::gpt13());
        const auto taken = layoutsearch::recommend(plan, {}, movedBy(againstSimple)).value().row.layout;
        const auto told = sayFormulaAlone(request, result, movedBy(againstSimple), lines);
        QCOMPARE(told.has_value(), taken != result.recommended()->layout);
        QVERIFY(told && *told == taken);
        QVERIFY2(lines[1].ends_with(" By them they take " + inWords(taken) + "."), lines[1].c_str());

        const auto small = searchsample::requestOf(searchsample::gpt175(2)); // nothing fits
        const auto none = layoutsearch::run(small).value();
        const auto without = layoutsearch::recommendation(small, none);
        auto with = without;
        sayFormulaAlone(small, none, movedBy([](const Plan &) { return 1.4; }, 0), with);
        QCOMPARE(with, without);
        sayFormulaAlone(small, none, movedBy([](const Plan &) { return 1.4; }), with);
        QCOMPARE(with.front(), without.front() + " " + std::string(validation::formulaAlone));
    }
};

FLEETWRIGHT_TEST(LayoutsByRunsTest)
#include "tst_layoutsbyruns.moc"
