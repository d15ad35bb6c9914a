// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/plandocuments.h"
#include "jobs/solvejob.h"
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
            {"memory_capacity_bytes", 8e10}, {"memory_bandwidth_gb_per_s", 3000.0}}));
    catalog->insert(record(CatalogKind::Node, "node",
        {{"vendor", std::string("Example")}, {"kind", std::string("server")}, {"launch_year", 2022.0},
            {"status", std::string("shipping")}, {"accelerator_id", std::string("card")},
            {"accelerators_per_node", 8.0}, {"scale_up_domain_size", 8.0}}));
    catalog->insert(record(CatalogKind::Fabric, "fabric",
        {{"family", std::string("Ethernet")}, {"scope", std::string("scale_out")}, {"port_rate_gbit_per_s", 400.0},
            {"port_bandwidth_gb_per_s", 50.0}}));
    catalog->insert(record(CatalogKind::Workload, "model",
        {{"family", std::string("Example")}, {"kind", std::string("language")},
            {"architecture", std::string("decoder_only_transformer")}, {"release_year", 2024.0},
            {"params_total", 7e9}}));
    return catalog;
}

PlanDocument document(int nodes)
{
    PlanDocument made;
    made.name = "plan";
    made.workload = std::string("model");
    made.fleet.node = std::string("node");
    made.fleet.fabric = std::string("fabric");
    made.fleet.nodes = nodes;
    made.costModelId = "first-order";
    return made;
}

Solution solutionFor(const Plan &plan)
{
    Solution made;
    made.estimate.stepTime = double(plan->fleet->nodeCount) * second;
    return made;
}

/// Collects outcomes; the spy of a type without a comparison would need copies in QVariants.
struct Outcomes {
    explicit Outcomes(SolveJob &job)
    {
        QObject::connect(&job, &SolveJob::finished, &job, [this](const SolveOutcome &outcome) {
            deliveredOn = QThread::currentThread();
            list.push_back(outcome);
        });
    }
    std::vector<SolveOutcome> list;
    QThread *deliveredOn = nullptr;
};

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
    job.start(document(3), smallCatalog());
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
    QVERIFY(outcome.document == document(3));
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
    const auto catalog = smallCatalog();
    job.start(document(1), catalog);
    entered.acquire(); // the first run is inside the solver
    for (int nodes = 2; nodes <= 50; ++nodes)
        job.start(document(nodes), catalog);
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
    job.start(document(1), smallCatalog());
    entered.acquire();
    job.cancel();
    QVERIFY(!job.isRunning());
    go.release();
    // Runs queue on one thread: the answer of a later request proves that the cancelled one has ended.
    job.start(document(7), smallCatalog());
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
    job->start(document(1), smallCatalog());
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
    auto unknown = document(1);
    unknown.fleet.node = std::string("no_such_node");
    job.start(unknown, smallCatalog());
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
    job.start(document(1), smallCatalog());
    QTRY_COMPARE(outcomes.list.size(), 1U);
    QVERIFY(!outcomes.list.front().solution.has_value());
    QVERIFY(outcomes.list.front().solution.error() == refusal);
    QVERIFY(outcomes.list.front().plan.has_value());
}

void TestSolveJob::exceptionBecomesAnError()
{
    SolveJob job([](const Plan &) -> Expected<Solution> { throw std::runtime_error("out of luck"); });
    Outcomes outcomes(job);
    job.start(document(1), smallCatalog());
    QTRY_COMPARE(outcomes.list.size(), 1U);
    QVERIFY(!outcomes.list.front().solution.has_value());
    QVERIFY(outcomes.list.front().solution.error().message.find("out of luck") != std::string::npos);
}

FLEETWRIGHT_TEST(TestSolveJob)
#include "tst_solvejob.moc"
