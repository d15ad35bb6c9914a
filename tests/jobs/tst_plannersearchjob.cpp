// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/plannersearchjob.h"
#include "testing/registry.h"

#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <stdexcept>

using namespace fleetwright;
using namespace fleetwright::jobs;

namespace {

CatalogRecord record(CatalogKind kind, std::string id, std::map<std::string, FieldValue, std::less<>> values)
{
    CatalogRecord made;
    made.kind = kind;
    made.name = id;
    made.id = std::move(id);
    made.values = std::move(values);
    return made;
}

std::shared_ptr<const Catalog> smallCatalog()
{
    auto catalog = std::make_shared<Catalog>();
    catalog->insert(record(CatalogKind::Accelerator, "card",
        {{"vendor", std::string("Example")}, {"tier", std::string("cloud")}, {"kind", std::string("gpu")},
            {"launch_year", 2022.0}, {"status", std::string("shipping")}, {"peak_dense_tflops.bf16", 1000.0},
            {"memory_capacity_bytes", 8e10}, {"memory_bandwidth_gb_per_s", 3000.0},
            {"host_link_unidirectional_gb_per_s", 64.0}}));
    catalog->insert(record(CatalogKind::Node, "node",
        {{"vendor", std::string("Example")}, {"kind", std::string("server")}, {"launch_year", 2022.0},
            {"status", std::string("shipping")}, {"accelerator_id", std::string("card")},
            {"accelerators_per_node", 8.0}, {"scale_up_domain_size", 8.0}}));
    catalog->insert(record(CatalogKind::Fabric, "fabric",
        {{"family", std::string("Ethernet")}, {"scope", std::string("scale_out")}, {"port_rate_gbit_per_s", 400.0},
            {"port_bandwidth_gb_per_s", 50.0}}));
    catalog->insert(record(CatalogKind::Workload, "model",
        {{"family", std::string("Example")}, {"kind", std::string("language")},
            {"architecture", std::string("decoder_only_transformer")}, {"release_year", 2024.0}, {"params_total", 7e9},
            {"layers", 32.0}, {"hidden_size", 4096.0}, {"vocab_size", 32000.0}}));
    return catalog;
}

PlannerSearchRequest request(int nodes, std::string planner = "searcher")
{
    PlannerSearchRequest made;
    made.document.name = "plan";
    made.document.workload = std::string("model");
    made.document.fleet.node = std::string("node");
    made.document.fleet.fabric = std::string("fabric");
    made.document.fleet.nodes = nodes;
    made.document.training.globalBatch = 64;
    made.document.costModelId = "first-order";
    made.planner = std::move(planner);
    return made;
}

struct Outcomes {
    explicit Outcomes(PlannerSearchJob &job)
    {
        QObject::connect(&job, &PlannerSearchJob::finished, &job, [this](const PlannerSearchOutcome &outcome) {
            deliveredOn = QThread::currentThread();
            list.push_back(outcome);
        });
    }
    std::vector<PlannerSearchOutcome> list;
    QThread *deliveredOn = nullptr;
};

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
    job.start(request(4, planner.toStdString()), smallCatalog());
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
    job.start(request(1), smallCatalog());
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
    job.start(request(1), smallCatalog());
    entered.acquire();
    job.start(request(2), smallCatalog()); // waits behind the first and is superseded
    job.start(request(3), smallCatalog());
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
    job.start(request(1), smallCatalog());
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
    job.start(request(1), smallCatalog());
    QTRY_COMPARE(outcomes.list.size(), std::size_t(1));
    QVERIFY(outcomes.list.front().error().message.find("out of ideas") != std::string::npos);
}

void TestSearchJob::refusalIsDelivered()
{
    PlannerSearchJob job;
    Outcomes outcomes(job);
    auto unknown = request(1);
    unknown.document.workload = std::string("nothing");
    job.start(unknown, smallCatalog());
    QTRY_COMPARE(outcomes.list.size(), std::size_t(1));
    QVERIFY(outcomes.list.front().error().code == ErrorCode::UnknownReference);
    job.start(request(1, "cube"), smallCatalog());
    QTRY_COMPARE(outcomes.list.size(), std::size_t(2));
    QCOMPARE(outcomes.list.back().error().field, std::string("cost_model"));
    auto small = request(16, "strategy-calculator");
    small.document.training.globalBatch = 2;
    job.start(small, smallCatalog());
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
        job.start(request(1), smallCatalog());
        entered.acquire();
    }
    QVERIFY(stopped);
}

FLEETWRIGHT_TEST(TestSearchJob)
#include "tst_plannersearchjob.moc"
