// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/samples.h"
#include "exchange/sweepdocuments.h"
#include "jobs/sweepjob.h"
#include "outcomes.h"
#include "testing/registry.h"

#include <QElapsedTimer>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

using namespace fleetwright;
using namespace fleetwright::jobs;

namespace {

std::shared_ptr<const Catalog> catalog() { return std::make_shared<const Catalog>(samples::catalog()); }

SweepDocument document(int cells)
{
    SweepDocument made;
    made.name = "Batches";
    made.plan = samples::plan();
    made.axes = {SweepAxis()};
    for (int i = 1; i <= cells; ++i)
        made.axes[0].points.push_back({{}, {{"training.global_batch", double(i)}}});
    return made;
}

} // namespace

class TestSweepJob : public QObject {
    Q_OBJECT
private slots:
    void finishesOnce();
    void reportsProgress();
    void cancelledDeliversNothing();
    void newestWins();
    void destroyedWhileRunning();
    void refusalPassesThrough();
};

void TestSweepJob::finishesOnce()
{
    SweepJob job;
    Outcomes outcomes(job);
    QSignalSpy started(&job, &SweepJob::started);
    job.start(document(20), catalog());
    QVERIFY(job.isRunning());
    QCOMPARE(started.count(), 1);
    QVERIFY(outcomes.list.empty()); // never from inside start()
    QTRY_COMPARE(outcomes.list.size(), 1U);
    QVERIFY(!job.isRunning());
    const auto &outcome = outcomes.list.front();
    QVERIFY(outcome.result.has_value());
    QVERIFY(*outcome.result == *runSweep(document(20), samples::catalog()));
    QCOMPARE(outcome.inputHash, exchange::sweepInputHash(document(20), samples::catalog()));
    QCoreApplication::processEvents();
    QCOMPARE(outcomes.list.size(), 1U);
}

void TestSweepJob::reportsProgress()
{
    QSemaphore go;
    SweepJob job([&](const Plan &plan) {
        if (plan->training.globalBatch == 40)
            go.acquire();
        else
            QThread::msleep(3);
        return solve(plan);
    });
    Outcomes outcomes(job);
    QSignalSpy progressed(&job, &SweepJob::progressed);
    job.start(document(80), catalog());
    QTRY_VERIFY(!progressed.isEmpty());
    QCOMPARE(progressed.first().at(1).toInt(), 80);
    QVERIFY(outcomes.list.empty());
    go.release();
    QTRY_COMPARE(outcomes.list.size(), 1U);
}

void TestSweepJob::cancelledDeliversNothing()
{
    QSemaphore entered, go;
    std::atomic<int> priced = 0;
    SweepJob job([&](const Plan &plan) {
        ++priced;
        entered.release();
        go.acquire();
        return solve(plan);
    });
    Outcomes outcomes(job);
    QSignalSpy cancelled(&job, &SweepJob::cancelled);
    job.start(document(1000), catalog());
    entered.acquire();
    job.cancel();
    QVERIFY(!job.isRunning());
    QCOMPARE(cancelled.count(), 1);
    go.release(1000);
    job.start(document(3), catalog()); // queued behind the cancelled run, so that run has ended when this one answers
    QTRY_COMPARE(outcomes.list.size(), 1U);
    QCOMPARE(outcomes.list.front().document.axes[0].points.size(), 3U);
    QVERIFY2(priced < 500, "the cancelled run went on");
    job.cancel(); // nothing runs
    QCOMPARE(cancelled.count(), 1);
}

void TestSweepJob::newestWins()
{
    SweepJob job;
    Outcomes outcomes(job);
    job.start(document(500), catalog());
    job.start(document(5), catalog());
    QTRY_COMPARE(outcomes.list.size(), 1U);
    QCOMPARE(outcomes.list.front().document.axes[0].points.size(), 5U);
    QCoreApplication::processEvents();
    QCOMPARE(outcomes.list.size(), 1U);
}

void TestSweepJob::destroyedWhileRunning()
{
    QSemaphore entered, go;
    int delivered = 0;
    {
        SweepJob job([&](const Plan &plan) {
            entered.release();
            go.acquire();
            return solve(plan);
        });
        connect(&job, &SweepJob::finished, this, [&] { ++delivered; });
        job.start(document(100), catalog());
        entered.acquire();
        go.release(100);
    }
    QCoreApplication::processEvents();
    QCOMPARE(delivered, 0);
}

void TestSweepJob::refusalPassesThrough()
{
    SweepJob job;
    Outcomes outcomes(job);
    auto wrong = document(2);
    wrong.figure = "luck";
    job.start(wrong, catalog());
    QTRY_COMPARE(outcomes.list.size(), 1U);
    QVERIFY(!outcomes.list.front().result);
    QCOMPARE(outcomes.list.front().result.error().field, std::string("figure"));
}

FLEETWRIGHT_TEST(TestSweepJob)
#include "tst_sweepjob.moc"
