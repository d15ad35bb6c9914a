// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/layoutsearchjob.h"
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

using Found = Expected<LayoutSearchJob::Found>;

struct SearchOutcomes : Outcomes<LayoutSearchJob> {
    explicit SearchOutcomes(LayoutSearchJob &job) : Outcomes(job)
    {
        QObject::connect(&job, &LayoutSearchJob::progressed, &job,
            [this](const LayoutSearchProgress &progress) { snapshots.push_back(progress); });
    }
    std::vector<LayoutSearchProgress> snapshots;
};

layoutsearch::Snapshot at(std::uint64_t examined)
{
    return {.share = 0.5, .examined = examined, .partial = std::make_shared<const layoutsearch::Result>()};
}

} // namespace

class TestLayoutSearchJob : public QObject {
    Q_OBJECT
private slots:
    void searchesAndFinishesOnce();
    void undeliveredSnapshotsGiveWay();
    void newestRequestWins();
    void snapshotsOfASupersededRunStayBehind();
    void cancelledRunsStaySilent();
    void exceptionBecomesAnError();
    void refusalIsDelivered();
    void destroyedWhileRunning();
};

void TestLayoutSearchJob::searchesAndFinishesOnce()
{
    LayoutSearchJob job;
    SearchOutcomes outcomes(job);
    QSignalSpy started(&job, &LayoutSearchJob::started);
    job.start(searchOf(4), searchCatalog());
    QVERIFY(job.isRunning());
    QTRY_COMPARE(outcomes.list.size(), std::size_t(1));
    QVERIFY(!job.isRunning());
    QCOMPARE(started.size(), 1);
    QCOMPARE(outcomes.deliveredOn, QThread::currentThread());
    QVERIFY2(
        outcomes.list.front().has_value(), outcomes.list.front() ? "" : outcomes.list.front().error().message.c_str());
    const auto &answer = *outcomes.list.front();
    const auto alone = layoutsearch::run(searchOf(4), *searchCatalog());
    QVERIFY(alone && layoutsearch::sameAnswer(*answer.result, *alone)); // the job adds nothing and loses nothing
    QVERIFY(answer.result->best());
    QVERIFY(!answer.recommendation.empty());
    QCOMPARE(answer.request->cases.size(), std::size_t(1));
    for (const auto &progress : outcomes.snapshots)
        QVERIFY(progress.snapshot.partial && progress.request == answer.request);
    QCoreApplication::processEvents();
    QCOMPARE(outcomes.list.size(), std::size_t(1));
}

void TestLayoutSearchJob::undeliveredSnapshotsGiveWay()
{
    QSemaphore posted, go;
    LayoutSearchJob job([&](const layoutsearch::Request &, const layoutsearch::Control &control) -> Found {
        for (std::uint64_t i = 1; i <= 1000; ++i)
            control.progress(at(i));
        posted.release();
        go.acquire();
        control.progress(at(2000));
        return LayoutSearchJob::Found{};
    });
    SearchOutcomes outcomes(job);
    job.start(searchOf(1), searchCatalog());
    posted.acquire(); // all were posted while this thread read none
    QCoreApplication::processEvents();
    QCOMPARE(outcomes.snapshots.size(), std::size_t(1));
    QCOMPARE(outcomes.snapshots.front().snapshot.examined, std::uint64_t(1000));
    go.release();
    QTRY_COMPARE(outcomes.list.size(), std::size_t(1));
    QCOMPARE(outcomes.snapshots.size(), std::size_t(2)); // before the end
    QCOMPARE(outcomes.snapshots.back().snapshot.examined, std::uint64_t(2000));
}

void TestLayoutSearchJob::newestRequestWins()
{
    QSemaphore hold, entered;
    LayoutSearchJob job([&](const layoutsearch::Request &request, const layoutsearch::Control &) -> Found {
        entered.release();
        const int nodes = request.cases.front().plan->fleet->nodeCount;
        if (nodes == 1)
            hold.acquire();
        return LayoutSearchJob::Found{.result = {}, .recommendation = {std::to_string(nodes)}};
    });
    SearchOutcomes outcomes(job);
    job.start(searchOf(1), searchCatalog());
    entered.acquire();
    job.start(searchOf(2), searchCatalog()); // waits behind the first and is superseded
    job.start(searchOf(3), searchCatalog());
    hold.release();
    QTRY_COMPARE(outcomes.list.size(), std::size_t(1));
    QCOMPARE(outcomes.list.front()->recommendation.front(), std::string("3"));
    QVERIFY(!job.isRunning());
}

void TestLayoutSearchJob::snapshotsOfASupersededRunStayBehind()
{
    QSemaphore posted;
    LayoutSearchJob job([&](const layoutsearch::Request &request, const layoutsearch::Control &control) -> Found {
        control.progress(at(std::uint64_t(request.cases.front().plan->fleet->nodeCount)));
        posted.release();
        return LayoutSearchJob::Found{};
    });
    SearchOutcomes outcomes(job);
    job.start(searchOf(1), searchCatalog());
    posted.acquire();
    job.start(searchOf(2), searchCatalog());
    posted.acquire(); // the second run's took the place of the first's, which was still under way
    QTRY_COMPARE(outcomes.list.size(), std::size_t(1));
    QCOMPARE(outcomes.snapshots.size(), std::size_t(1));
    QCOMPARE(outcomes.snapshots.front().snapshot.examined, std::uint64_t(2));
}

void TestLayoutSearchJob::cancelledRunsStaySilent()
{
    QSemaphore entered, left;
    LayoutSearchJob job([&](const layoutsearch::Request &, const layoutsearch::Control &control) -> Found {
        entered.release();
        while (!control.stop.stop_requested())
            control.progress(at(1));
        left.release();
        return refuse(ErrorCode::Cancelled, {}, "The search was cancelled.");
    });
    SearchOutcomes outcomes(job);
    job.start(searchOf(1), searchCatalog());
    entered.acquire();
    job.cancel();
    QVERIFY(!job.isRunning());
    QVERIFY(left.tryAcquire(1, 30000)); // the stop reached the search
    QCoreApplication::processEvents();
    QVERIFY(outcomes.list.empty());
    QVERIFY(outcomes.snapshots.empty());
}

void TestLayoutSearchJob::exceptionBecomesAnError()
{
    LayoutSearchJob job([](const layoutsearch::Request &, const layoutsearch::Control &) -> Found {
        throw std::runtime_error("out of ideas");
    });
    SearchOutcomes outcomes(job);
    job.start(searchOf(1), searchCatalog());
    QTRY_COMPARE(outcomes.list.size(), std::size_t(1));
    QVERIFY(outcomes.list.front().error().message.find("an unknown fault") != std::string::npos);
}

void TestLayoutSearchJob::refusalIsDelivered()
{
    LayoutSearchJob job;
    SearchOutcomes outcomes(job);
    auto unknown = searchOf(1);
    unknown.plan.workload = std::string("nothing");
    job.start(unknown, searchCatalog());
    QTRY_COMPARE(outcomes.list.size(), std::size_t(1));
    QVERIFY(outcomes.list.back().error().code == ErrorCode::UnknownReference);
    auto wrong = searchOf(1);
    wrong.space[LayoutSearchOption::Tp] = {0};
    job.start(wrong, searchCatalog());
    QTRY_COMPARE(outcomes.list.size(), std::size_t(2));
    QCOMPARE(outcomes.list.back().error().field, std::string("space.tp"));
}

void TestLayoutSearchJob::destroyedWhileRunning()
{
    QSemaphore entered;
    bool stopped = false;
    {
        LayoutSearchJob job([&](const layoutsearch::Request &, const layoutsearch::Control &control) -> Found {
            entered.release();
            while (!control.stop.stop_requested())
                QThread::yieldCurrentThread();
            stopped = true;
            return LayoutSearchJob::Found{};
        });
        job.start(searchOf(1), searchCatalog());
        entered.acquire();
    }
    QVERIFY(stopped);
}

FLEETWRIGHT_TEST(TestLayoutSearchJob)
#include "tst_layoutsearchjob.moc"
