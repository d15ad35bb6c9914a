// SPDX-License-Identifier: GPL-3.0-or-later
// What jobs answer where a measured run of the project's site says that steps take longer than the cost model computes.
#include "exchange/rangedsolution.h"
#include "exchange/validationdata.h"
#include "jobs/layoutadvicejob.h"
#include "jobs/layoutsearchjob.h"
#include "jobs/planinputsjob.h"
#include "jobs/seekjob.h"
#include "jobs/solvejob.h"
#include "outcomes.h"
#include "searchfixture.h"
#include "solver/answer/figures.h"
#include "solver/validation/calibrationruns.h"
#include "testing/registry.h"

#include <QTest>

using namespace fleetwright;
using namespace fleetwright::jobs;

class TestJobsOfASite : public QObject {
    Q_OBJECT

    static constexpr double slower = 1.15, aDay = 86400;

    /// As searchCatalog(), whose model `detailed` prices.
    static std::shared_ptr<const Catalog> siteCatalog()
    {
        static const auto catalog = [] {
            auto made = std::make_shared<Catalog>(*searchCatalog());
            auto model = *made->find(CatalogKind::Workload, "model");
            model.values["attention_heads"] = 32.0;
            model.values["kv_heads"] = 8.0;
            made->insert(std::move(model));
            return std::shared_ptr<const Catalog>(std::move(made));
        }();
        return catalog;
    }
    /// Its layout is open.
    static PlanDocument planOn(int nodes)
    {
        auto plan = planOf(nodes);
        plan.costModelId = "detailed";
        plan.training.tokenBudget = 1e11;
        return withBestLayout(plan);
    }
    static PlanDocument within(PlanDocument plan, double days)
    {
        plan.constraints.deadline = days * day;
        return plan;
    }
    static layoutsearch::DecidedPlan decidedOf(const PlanDocument &document, const validation::RangeOf &rangeOf = {})
    {
        return layoutsearch::resolveWithBestLayout(document, *siteCatalog(), rangeOf).value();
    }
    static double daysByFormula(const PlanDocument &document)
    {
        return *figureOf(solve(decidedOf(document).plan).value(), "run_time_s") / aDay;
    }

    /// Of one run, which took 15 % more than the cost model says.
    std::shared_ptr<const LearntSite> m_site;

    /// What the job says of the question, without the site and with it.
    template <class Job, class... Question> auto answers(const Question &...question)
    {
        Job job;
        Outcomes outcomes(job);
        job.start(question..., nullptr);
        [&] { QTRY_COMPARE_WITH_TIMEOUT(outcomes.list.size(), 1UZ, 120'000); }();
        job.start(question..., m_site);
        [&] { QTRY_COMPARE_WITH_TIMEOUT(outcomes.list.size(), 2UZ, 120'000); }();
        return std::pair(outcomes.list.at(0), outcomes.list.at(1));
    }

private slots:
    void initTestCase()
    {
        auto run = validation::runLike(planOn(4), *siteCatalog());
        QVERIFY2(run, run ? "" : run.error().message.c_str());
        run->id = "slower";
        run->measured.stepTime = *solve(decidedOf(planOn(4)).plan)->estimate.stepTime * slower;
        m_site = std::make_shared<const LearntSite>(std::vector{*run}, siteCatalog());
        QVERIFY(m_site->get());
    }

    void plansAreSolved()
    {
        for (auto document : {planOn(4), planOn(8)}) {
            for (const bool isFixed : {false, true}) {
                if (isFixed) {
                    const auto layout = decidedOf(document).layout->row.layout;
                    adopt(layout, document);
                }
                const auto [without, with] = answers<SolveJob>(document, siteCatalog());
                QVERIFY(without.solution && with.solution);
                QCOMPARE(without.solution->range->ownRuns, 0);
                QCOMPARE(with.solution->range->ownRuns, 1);
                QVERIFY(*figureOf(*with.solution, "run_time_s") > 1.05 * *figureOf(*without.solution, "run_time_s"));
                if (!isFixed)
                    QVERIFY(!without.layout->byRuns && with.layout->byRuns);
            }
        }
    }

    void layoutsAreAdvised()
    {
        const auto ask = [this](const LayoutQuestion &question) {
            LayoutAdviceJob job;
            Outcomes outcomes(job);
            job.start(question);
            [&] { QTRY_COMPARE_WITH_TIMEOUT(outcomes.list.size(), 1UZ, 120'000); }();
            return *outcomes.list.front().value();
        };
        const auto fixed = decidedOf(planOn(4)).plan;
        QVERIFY(!ask({.plan = fixed, .found = {}}).best->byRuns);
        const auto best = ask({.plan = fixed, .found = {}, .site = m_site}).best;
        QVERIFY(best->byRuns && best->byRuns->seconds > 1.05 * solve(fixed)->estimate.stepTime->value());

        // An open layout that keeps its deadline by the formula: what would do by the runs.
        const auto site = m_site->get();
        const auto rangeOf = exchange::rangesOfSite(site.get());
        const auto missing = within(planOn(4), 1.02 * daysByFormula(planOn(4)));
        const auto found = decidedOf(missing, rangeOf);
        QVERIFY(!found.layout->isFeasible() && decidedOf(missing).layout->isFeasible());
        const LayoutQuestion open{.plan = found.plan, .found = found.layout, .space = *missing.bestLayout};
        auto withSite = open;
        withSite.site = m_site;
        const auto byFormula = ask(open).remedies, byRuns = ask(withSite).remedies;
        QVERIFY(byRuns.deadline && byRuns.nodes);
        QVERIFY(byFormula.nodes != byRuns.nodes);
    }

    void valuesAreSought()
    {
        SeekQuestion question;
        question.plan = planOn(4);
        question.key = "fleet.nodes";
        question.figure = "run_time_s";
        question.target = 1.02 * aDay * daysByFormula(planOn(4));
        question.to = 64;
        const auto [without, with] = answers<SeekJob>(question, siteCatalog());
        QVERIFY(without && with);
        QVERIFY(*(*with)->now->figure > 1.05 * *(*without)->now->figure);
        QVERIFY2((*with)->found.value > (*without)->found.value,
            qPrintable(QString::number((*with)->found.value) + u' ' + QString::number((*without)->found.value)));
    }

    /// A layout that is fixed is the one that the runs choose.
    void layoutsAreFixed()
    {
        const auto site = m_site->get();
        const auto rangeOf = exchange::rangesOfSite(site.get());
        int other = 0;
        for (const int nodes : {2, 3, 4, 6, 8, 12, 16, 24, 32}) {
            // One that the formula keeps and the runs miss: they take the fastest, where the formula takes the simplest
            // of those that it cannot tell from it.
            const auto document = within(planOn(nodes), 1.05 * daysByFormula(planOn(nodes)));
            const auto formula = decidedOf(document).layout->row.layout;
            const auto byRuns = decidedOf(document, rangeOf).layout->row.layout;
            if (formula == byRuns)
                continue;
            ++other;
            const std::vector plans{PlanInputs(document, siteCatalog())};
            const auto [without, with] = answers<PlanInputsJob>(plans, std::string("layout"), std::string("fixed"));
            QVERIFY(without.front() && with.front());
            QVERIFY(without.front()->parallelism == parallelismOf(formula));
            QCOMPARE(without.front()->training.microbatchSize, std::optional(formula.microbatchSize));
            QVERIFY(with.front()->parallelism == parallelismOf(byRuns));
            QCOMPARE(with.front()->training.microbatchSize, std::optional(byRuns.microbatchSize));
        }
        QVERIFY2(other > 0, "the runs choose no other layout");
    }

    /// Searches go by the formula, and say so, and what plans take by the runs where that is another layout.
    void layoutsAreSearched()
    {
        auto document = searchOf(4);
        document.plan = planOn(4);
        document.plan.bestLayout.reset();
        const auto [without, with] = answers<LayoutSearchJob>(document, siteCatalog());
        QVERIFY(without && with);
        auto expected = without->recommendation;
        QVERIFY(expected.size() > 1);
        expected[1] += " " + std::string(validation::formulaAlone);
        const auto site = m_site->get();
        const auto byRuns = decidedOf(planOn(4), exchange::rangesOfSite(site.get())).layout->row.layout;
        if (byRuns != decidedOf(planOn(4)).layout->row.layout)
            expected[1] += " By them they take " + inWords(byRuns) + ".";
        QCOMPARE(with->recommendation, expected);
    }
};

FLEETWRIGHT_TEST(TestJobsOfASite)
#include "tst_jobsofasite.moc"
