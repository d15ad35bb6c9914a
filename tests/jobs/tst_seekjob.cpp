// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/samples.h"
#include "jobs/seekjob.h"
#include "outcomes.h"
#include "testing/registry.h"

#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <stdexcept>

using namespace fleetwright;
using namespace fleetwright::jobs;

namespace {

std::shared_ptr<const Catalog> catalog() { return std::make_shared<const Catalog>(samples::catalog()); }

SeekQuestion question(double days = 3)
{
    SeekQuestion asked;
    asked.plan = samples::plan();
    asked.plan.training.tokenBudget = 1e11;
    asked.plan.training.microbatchCount.reset();
    asked.plan.training.microbatchSize = 1;
    asked.key = "fleet.nodes";
    asked.target = days * 86400;
    return asked;
}

} // namespace

class TestSeekJob : public QObject {
    Q_OBJECT
private slots:
    void finishesOnceOnTheOwnersThread();
    void refusalPassesThrough();
    void whatTheSolverThrowsIsARefusalOfItsValues();
    void cancelledDeliversNothing();
    void newestWins();
    void destroyedWhileRunning();
};

void TestSeekJob::finishesOnceOnTheOwnersThread()
{
    SeekJob job;
    Outcomes outcomes(job);
    QSignalSpy progressed(&job, &SeekJob::progressed);
    job.start(question(), catalog());
    QTRY_COMPARE(outcomes.list.size(), 1UZ);
    QVERIFY(outcomes.deliveredOn == thread());
    QVERIFY(outcomes.list.front().has_value());
    QVERIFY((*outcomes.list.front())->outcome == SeekOutcome::Reached);
    QVERIFY(!job.isRunning());
    QTest::qWait(20);
    QCOMPARE(outcomes.list.size(), 1UZ);
}

void TestSeekJob::refusalPassesThrough()
{
    SeekJob job;
    Outcomes outcomes(job);
    auto asked = question();
    asked.key = "fleet.node";
    job.start(asked, catalog());
    QTRY_COMPARE(outcomes.list.size(), 1UZ);
    QVERIFY(!outcomes.list.front());
    QVERIFY(outcomes.list.front().error().field == "key");
}

void TestSeekJob::whatTheSolverThrowsIsARefusalOfItsValues()
{
    SeekJob job([](const Plan &) -> Expected<Solution> { throw std::runtime_error("broken"); });
    Outcomes outcomes(job);
    job.start(question(), catalog());
    QTRY_COMPARE(outcomes.list.size(), 1UZ);
    QVERIFY(!outcomes.list.front());
    QVERIFY(outcomes.list.front().error().message.contains("an unknown fault"));
}

void TestSeekJob::cancelledDeliversNothing()
{
    QSemaphore started, goOn;
    SeekJob job([&](const Plan &plan) {
        started.release();
        goOn.acquire();
        return solve(plan);
    });
    Outcomes outcomes(job);
    job.start(question(), catalog());
    started.acquire();
    job.cancel();
    goOn.release(10'000);
    QTest::qWait(50);
    QVERIFY(outcomes.list.empty());
    QVERIFY(!job.isRunning());
}

void TestSeekJob::newestWins()
{
    SeekJob job;
    Outcomes outcomes(job);
    for (const double days : {1.0, 2.0, 3.0, 4.0})
        job.start(question(days), catalog());
    QTRY_COMPARE(outcomes.list.size(), 1UZ);
    QCOMPARE((*outcomes.list.front())->target, 4.0 * 86400);
}

void TestSeekJob::destroyedWhileRunning()
{
    for (int i = 0; i < 10; ++i) {
        SeekJob job;
        job.start(question(), catalog());
    }
}

FLEETWRIGHT_TEST(TestSeekJob)
#include "tst_seekjob.moc"
