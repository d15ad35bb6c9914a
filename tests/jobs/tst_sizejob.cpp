// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/decisiondocuments.h"
#include "jobs/sizejob.h"
#include "solver/sizesample.h"
#include "testing/registry.h"

#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>

#include <stdexcept>

using namespace fleetwright;
using namespace fleetwright::jobs;

namespace {

Expected<size::Result> readyAnswer(
    const DecisionDocument &, const Catalog &, const size::RangeOf &, const size::Control &)
{
    return sizesample::feasible();
}

std::shared_ptr<const Catalog> emptyCatalog() { return std::make_shared<const Catalog>(); }

/// What a job delivers.
struct SizeOutcomes {
    explicit SizeOutcomes(SizeJob &job)
    {
        QObject::connect(&job, &SizeJob::finished, [this](const SizeOutcome &outcome) { list.push_back(outcome); });
    }
    std::vector<SizeOutcome> list;
};

} // namespace

class TestSizeJob : public QObject {
    Q_OBJECT
private slots:
    void finishesOnceWithTheHash();
    void riskThatCannotBeDrawnIsSaid();
    void newestWins();
    void cancelledDeliversNothing();
    void exceptionsAreErrors();
    void destroyedWhileRunning();
};

void TestSizeJob::finishesOnceWithTheHash()
{
    SizeJob job(readyAnswer);
    SizeOutcomes outcomes(job);
    QSignalSpy progressed(&job, &SizeJob::progressed);
    const auto catalog = emptyCatalog();
    job.start(sizesample::question(), catalog);
    QVERIFY(job.isRunning() && outcomes.list.empty());
    QTRY_COMPARE(outcomes.list.size(), 1U);
    QVERIFY(!job.isRunning());
    const auto &outcome = outcomes.list.front();
    QVERIFY(outcome.has_value());
    QCOMPARE(outcome->inputHash, exchange::decisionInputHash(sizesample::question(), *catalog));
    QVERIFY(outcome->result->lots == sizesample::feasible().lots);
    QVERIFY(!progressed.isEmpty()); // the last one leaves the draws something of the bar
    QVERIFY(progressed.last().front().value<SizeProgress>().snapshot.share < 1);
    QCoreApplication::processEvents();
    QCOMPARE(outcomes.list.size(), 1U);
}

void TestSizeJob::riskThatCannotBeDrawnIsSaid()
{
    SizeJob job(readyAnswer);
    SizeOutcomes outcomes(job);
    job.start(sizesample::question(), emptyCatalog()); // which knows none of the nodes
    QTRY_COMPARE(outcomes.list.size(), 1U);
    QVERIFY(!outcomes.list.front()->sure);
    QVERIFY(!outcomes.list.front()->sureRefused.empty());
}

void TestSizeJob::newestWins()
{
    QSemaphore let;
    SizeJob job([&](const DecisionDocument &document, const Catalog &, const size::RangeOf &,
                    const size::Control &control) -> Expected<size::Result> {
        while (document.name != "second" && !control.stop.stop_requested())
            std::ignore = let.tryAcquire(1, 5);
        auto result = sizesample::feasible();
        result.costModelVersion = document.name;
        return result;
    });
    SizeOutcomes outcomes(job);
    job.start(sizesample::question(), emptyCatalog());
    auto second = sizesample::question();
    second.name = "second";
    job.start(second, emptyCatalog());
    QTRY_COMPARE(outcomes.list.size(), 1U);
    QCOMPARE(outcomes.list.front()->result->costModelVersion, std::string("second"));
}

void TestSizeJob::cancelledDeliversNothing()
{
    SizeJob job([](const DecisionDocument &, const Catalog &, const size::RangeOf &,
                    const size::Control &control) -> Expected<size::Result> {
        while (!control.stop.stop_requested())
            QTest::qSleep(1);
        return refuse(ErrorCode::Cancelled, {}, "The answer was cancelled.");
    });
    SizeOutcomes outcomes(job);
    job.start(sizesample::question(), emptyCatalog());
    job.cancel();
    QVERIFY(!job.isRunning());
    QTest::qWait(50);
    QVERIFY(outcomes.list.empty());
}

void TestSizeJob::exceptionsAreErrors()
{
    SizeJob job([](const DecisionDocument &, const Catalog &, const size::RangeOf &,
                    const size::Control &) -> Expected<size::Result> { throw std::runtime_error("broken"); });
    SizeOutcomes outcomes(job);
    job.start(sizesample::question(), emptyCatalog());
    QTRY_COMPARE(outcomes.list.size(), 1U);
    QVERIFY(!outcomes.list.front() && outcomes.list.front().error().message.contains("an unknown fault"));
}

void TestSizeJob::destroyedWhileRunning()
{
    auto job = std::make_unique<SizeJob>(readyAnswer);
    job->start(sizesample::question(), emptyCatalog());
    job.reset();
}

FLEETWRIGHT_TEST(TestSizeJob)
#include "tst_sizejob.moc"
