// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/plandocuments.h"
#include "jobs/solvejob.h"
#include "outcomes.h"
#include "searchfixture.h"
#include "testing/registry.h"

#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <stdexcept>

using namespace fleetwright;
using namespace fleetwright::jobs;

namespace {

Solution solutionFor(const Plan &plan)
{
    Solution made;
    made.estimate.stepTime = double(plan->fleet->nodeCount) * second;
    return made;
}

} // namespace

class TestSolveJob : public QObject {
    Q_OBJECT
private slots:
    void finishesOnce();
    void newestWins();
    void cancelledSaysNothing();
    void destroyedWhileRunning();
    void refusalOfTheDocumentPassesThrough();
    void refusalOfTheModelPassesThrough();
    void exceptionBecomesAnError();
};

void TestSolveJob::finishesOnce()
{
    SolveJob job(solutionFor);
    Outcomes outcomes(job);
    QSignalSpy started(&job, &SolveJob::started);
    QVERIFY(!job.isRunning());
    job.start(planOf(3), searchCatalog());
    QVERIFY(job.isRunning());
    QCOMPARE(started.count(), 1);
    QVERIFY(outcomes.list.empty()); // never from inside start()
    QTRY_COMPARE(outcomes.list.size(), 1U);
    QVERIFY(!job.isRunning());
    const auto &outcome = outcomes.list.front();
    QVERIFY2(outcome.solution.has_value(), outcome.solution ? "" : outcome.solution.error().message.c_str());
    QCOMPARE(outcome.solution->estimate.stepTime->value(), 3.0);
    QVERIFY(outcome.plan.has_value());
    QCOMPARE(outcome.inputHash, exchange::inputHash(*outcome.plan));
    QCOMPARE(outcomes.deliveredOn, QThread::currentThread());
    QVERIFY(outcome.document == planOf(3));
    QCoreApplication::processEvents();
    QCOMPARE(outcomes.list.size(), 1U);
}

void TestSolveJob::newestWins()
{
    QSemaphore entered;
    QSemaphore go;
    SolveJob job([&](const Plan &plan) -> Expected<Solution> {
        entered.release();
        go.acquire();
        return solutionFor(plan);
    });
    Outcomes outcomes(job);
    const auto catalog = searchCatalog();
    job.start(planOf(1), catalog);
    entered.acquire(); // the first run is inside the solver
    for (int nodes = 2; nodes <= 50; ++nodes)
        job.start(planOf(nodes), catalog);
    go.release(100);
    QTRY_COMPARE(outcomes.list.size(), 1U);
    QCOMPARE(outcomes.list.front().solution->estimate.stepTime->value(), 50.0);
    QCOMPARE(entered.available(), 1); // runs that had not begun were dropped, not solved
}

void TestSolveJob::cancelledSaysNothing()
{
    QSemaphore entered;
    QSemaphore go;
    SolveJob job([&](const Plan &plan) -> Expected<Solution> {
        entered.release();
        go.acquire();
        return solutionFor(plan);
    });
    Outcomes outcomes(job);
    job.start(planOf(1), searchCatalog());
    entered.acquire();
    job.cancel();
    QVERIFY(!job.isRunning());
    go.release();
    // Runs queue on one thread: the answer of a later request proves that the cancelled one has ended.
    job.start(planOf(7), searchCatalog());
    go.release();
    QTRY_COMPARE(outcomes.list.size(), 1U);
    QCOMPARE(outcomes.list.front().solution->estimate.stepTime->value(), 7.0);
}

void TestSolveJob::destroyedWhileRunning()
{
    QSemaphore entered;
    QSemaphore go;
    bool ended = false;
    auto job = std::make_unique<SolveJob>([&](const Plan &plan) -> Expected<Solution> {
        entered.release();
        go.acquire();
        ended = true;
        return solutionFor(plan);
    });
    Outcomes outcomes(*job);
    job->start(planOf(1), searchCatalog());
    entered.acquire();
    go.release();
    job.reset();
    QVERIFY(ended); // the destructor waited, so nothing that the run uses is gone
    QCoreApplication::processEvents();
    QVERIFY(outcomes.list.empty());
}

void TestSolveJob::refusalOfTheDocumentPassesThrough()
{
    SolveJob job(solutionFor);
    Outcomes outcomes(job);
    auto unknown = planOf(1);
    unknown.fleet.node = std::string("no_such_node");
    job.start(unknown, searchCatalog());
    QTRY_COMPARE(outcomes.list.size(), 1U);
    const auto &outcome = outcomes.list.front();
    QVERIFY(!outcome.solution.has_value());
    QVERIFY(outcome.solution.error().code == ErrorCode::UnknownReference);
    QCOMPARE(outcome.solution.error().field, std::string("fleet.node"));
    QVERIFY(!outcome.plan.has_value());
    QVERIFY(outcome.inputHash.empty());
}

void TestSolveJob::refusalOfTheModelPassesThrough()
{
    const Error refusal{ErrorCode::InfeasibleParallelism, "parallelism.tp", "TP must divide."};
    SolveJob job([&](const Plan &) -> Expected<Solution> { return std::unexpected(refusal); });
    Outcomes outcomes(job);
    job.start(planOf(1), searchCatalog());
    QTRY_COMPARE(outcomes.list.size(), 1U);
    QVERIFY(!outcomes.list.front().solution.has_value());
    QVERIFY(outcomes.list.front().solution.error() == refusal);
    QVERIFY(outcomes.list.front().plan.has_value());
}

void TestSolveJob::exceptionBecomesAnError()
{
    SolveJob job([](const Plan &) -> Expected<Solution> { throw std::runtime_error("out of luck"); });
    Outcomes outcomes(job);
    job.start(planOf(1), searchCatalog());
    QTRY_COMPARE(outcomes.list.size(), 1U);
    QVERIFY(!outcomes.list.front().solution.has_value());
    QVERIFY(outcomes.list.front().solution.error().message.find("an unknown fault") != std::string::npos);
}

FLEETWRIGHT_TEST(TestSolveJob)
#include "tst_solvejob.moc"
