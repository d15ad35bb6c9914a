// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/plannersearchjob.h"
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

PlannerSearchRequest request(int nodes, std::string planner = "searcher")
{
    PlannerSearchRequest made;
    made.document = planOf(nodes);
    made.planner = std::move(planner);
    return made;
}

} // namespace

class TestSearchJob : public QObject {
    Q_OBJECT
private slots:
    void searchesAndFinishesOnce_data();
    void searchesAndFinishesOnce();
    void reportsProgressBeforeTheEnd();
    void newestRequestWins();
    void cancelledRunsStaySilent();
    void exceptionBecomesAnError();
    void refusalIsDelivered();
    void destroyedWhileRunning();
};

void TestSearchJob::searchesAndFinishesOnce_data()
{
    QTest::addColumn<QString>("planner");
    for (const auto *planner : {"searcher", "strategy-calculator", "first-order"})
        QTest::newRow(planner) << QString::fromLatin1(planner);
}

void TestSearchJob::searchesAndFinishesOnce()
{
    QFETCH(const QString, planner);
    PlannerSearchJob job;
    Outcomes outcomes(job);
    QSignalSpy started(&job, &PlannerSearchJob::started);
    job.start(request(4, planner.toStdString()), searchCatalog());
    QVERIFY(job.isRunning());
    QTRY_COMPARE(outcomes.list.size(), std::size_t(1));
    QVERIFY(!job.isRunning());
    QCOMPARE(started.size(), 1);
    QCOMPARE(outcomes.deliveredOn, QThread::currentThread());
    QVERIFY2(
        outcomes.list.front().has_value(), outcomes.list.front() ? "" : outcomes.list.front().error().message.c_str());
    const auto &search = **outcomes.list.front();
    QCOMPARE(QString::fromStdString(search.planner), planner);
    QVERIFY(search.best() && !search.recommendation.empty() && !search.inputs.empty());
    QCOMPARE(search.searcherRows.empty(), planner != QStringLiteral("searcher"));
    QVERIFY(search.defaultAssumptions != (planner == QStringLiteral("first-order")));
    for (const auto &row : search.rows)
        QVERIFY(row.tp * row.pp * row.dp <= 32);
    QCoreApplication::processEvents();
    QCOMPARE(outcomes.list.size(), std::size_t(1));
}

void TestSearchJob::reportsProgressBeforeTheEnd()
{
    PlannerSearchJob job(
        [](const Plan &, const PlannerSearchRequest &, const searcher::Progress &progress, const std::stop_token &) {
            progress(0.5);
            return Expected<PlannerSearch>(PlannerSearch{});
        });
    std::vector<QString> order;
    connect(&job, &PlannerSearchJob::progressed, &job, [&](double share) { order.push_back(QString::number(share)); });
    connect(&job, &PlannerSearchJob::finished, &job, [&] { order.push_back(QStringLiteral("end")); });
    job.start(request(1), searchCatalog());
    QTRY_COMPARE(order.size(), std::size_t(2));
    QCOMPARE(order.front(), QStringLiteral("0.5"));
    QCOMPARE(order.back(), QStringLiteral("end"));
}

void TestSearchJob::newestRequestWins()
{
    QSemaphore hold;
    QSemaphore entered;
    PlannerSearchJob job(
        [&](const Plan &plan, const PlannerSearchRequest &, const searcher::Progress &, const std::stop_token &) {
            entered.release();
            if (plan->fleet->nodeCount == 1)
                hold.acquire();
            PlannerSearch made;
            made.title = std::to_string(plan->fleet->nodeCount);
            return Expected<PlannerSearch>(std::move(made));
        });
    Outcomes outcomes(job);
    job.start(request(1), searchCatalog());
    entered.acquire();
    job.start(request(2), searchCatalog()); // waits behind the first and is superseded
    job.start(request(3), searchCatalog());
    hold.release();
    QTRY_COMPARE(outcomes.list.size(), std::size_t(1));
    QCOMPARE((*outcomes.list.front())->title, std::string("3"));
    QVERIFY(!job.isRunning());
}

void TestSearchJob::cancelledRunsStaySilent()
{
    QSemaphore entered;
    QSemaphore left;
    PlannerSearchJob job([&](const Plan &, const PlannerSearchRequest &, const searcher::Progress &progress,
                             const std::stop_token &stop) -> Expected<PlannerSearch> {
        entered.release();
        while (!stop.stop_requested())
            progress(0.1);
        left.release();
        return refuse(ErrorCode::Cancelled, {}, "The search was cancelled.");
    });
    Outcomes outcomes(job);
    job.start(request(1), searchCatalog());
    entered.acquire();
    job.cancel();
    QVERIFY(!job.isRunning());
    QVERIFY(left.tryAcquire(1, 30000)); // the stop reached the search
    QCoreApplication::processEvents();
    QVERIFY(outcomes.list.empty());
}

void TestSearchJob::exceptionBecomesAnError()
{
    PlannerSearchJob job(
        [](const Plan &, const PlannerSearchRequest &, const searcher::Progress &,
            const std::stop_token &) -> Expected<PlannerSearch> { throw std::runtime_error("out of ideas"); });
    Outcomes outcomes(job);
    job.start(request(1), searchCatalog());
    QTRY_COMPARE(outcomes.list.size(), std::size_t(1));
    QVERIFY(outcomes.list.front().error().message.find("an unknown fault") != std::string::npos);
}

void TestSearchJob::refusalIsDelivered()
{
    PlannerSearchJob job;
    Outcomes outcomes(job);
    auto unknown = request(1);
    unknown.document.workload = std::string("nothing");
    job.start(unknown, searchCatalog());
    QTRY_COMPARE(outcomes.list.size(), std::size_t(1));
    QVERIFY(outcomes.list.front().error().code == ErrorCode::UnknownReference);
    job.start(request(1, "cube"), searchCatalog());
    QTRY_COMPARE(outcomes.list.size(), std::size_t(2));
    QCOMPARE(outcomes.list.back().error().field, std::string("cost_model"));
    auto small = request(16, "strategy-calculator");
    small.document.training.globalBatch = 2;
    job.start(small, searchCatalog());
    QTRY_COMPARE(outcomes.list.size(), std::size_t(3));
    QCOMPARE(outcomes.list.back().error().field, std::string("training.global_batch"));
}

void TestSearchJob::destroyedWhileRunning()
{
    QSemaphore entered;
    bool stopped = false;
    {
        PlannerSearchJob job([&](const Plan &, const PlannerSearchRequest &, const searcher::Progress &,
                                 const std::stop_token &stop) -> Expected<PlannerSearch> {
            entered.release();
            while (!stop.stop_requested())
                QThread::yieldCurrentThread();
            stopped = true;
            return PlannerSearch{};
        });
        job.start(request(1), searchCatalog());
        entered.acquire();
    }
    QVERIFY(stopped);
}

FLEETWRIGHT_TEST(TestSearchJob)
#include "tst_plannersearchjob.moc"
