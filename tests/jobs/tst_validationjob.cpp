// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/validationjob.h"
#include "outcomes.h"
#include "testing/registry.h"

#include <QDeadlineTimer>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <stdexcept>

using namespace fleetwright;
using namespace fleetwright::jobs;
using namespace fleetwright::validation;

namespace {

ValidationRequest request(const std::string &runId, std::vector<std::string> models = {"detailed"})
{
    return {.read = [runId]() -> Expected<RunFile> {
                return RunFile{"1", {MeasuredRun{.id = runId}}};
            },
        .modelIds = std::move(models)};
}

Validation scored(std::string_view model) { return {.costModelId = std::string(model), .rows = 1}; }

} // namespace

class ValidationJobTest : public QObject {
    Q_OBJECT
private slots:
    void everyModelIsScoredInOrder();
    void newestWins();
    void cancelledSaysNothing();
    void learningIsStopped();
    void whatCannotBeReadIsTheOutcome();
    void exceptionsAreOutcomes();
    void progressIsTold();
    void mayBeDestroyedWhileRunning();
};

void ValidationJobTest::everyModelIsScoredInOrder()
{
    ValidationJob job([](auto runs, std::string_view model, const auto &, std::stop_token,
                          std::atomic<std::size_t> *done) -> Expected<Validation> {
        *done += runs.size();
        if (model == "unknown")
            return refuse(ErrorCode::UnknownReference, "cost_model", "There is no such model.");
        return scored(model);
    });
    Outcomes outcomes(job);
    job.start(request("a", {"searcher", "unknown", "detailed"}));
    QVERIFY(job.isRunning());
    QTRY_COMPARE(outcomes.list.size(), 1UZ);
    QVERIFY(!job.isRunning());
    QCOMPARE(outcomes.deliveredOn, QThread::currentThread());
    const auto &answer = **outcomes.list[0];
    QCOMPARE(answer.places.size(), 1UZ);
    QVERIFY(!answer.places[0].skipped.empty()); // a run without any field
    QCOMPARE(answer.scores.size(), 3UZ);
    QVERIFY(answer.scoreOf("detailed") && answer.scoreOf("searcher"));
    QVERIFY(!answer.scoreOf("unknown"));
    QVERIFY(!answer.scoreOf("never asked"));
    QCOMPARE(
        QString::fromStdString(answer.scores[1].validation.error().message), QStringLiteral("There is no such model."));
}

void ValidationJobTest::newestWins()
{
    QSemaphore go;
    ValidationJob job(
        [&go](auto, std::string_view model, const auto &, std::stop_token, auto *) -> Expected<Validation> {
            go.acquire();
            return scored(model); // answers although it was superseded
        });
    Outcomes outcomes(job);
    for (const auto *id : {"first", "second", "third"})
        job.start(request(id));
    go.release(3);
    QTRY_COMPARE(outcomes.list.size(), 1UZ);
    QCoreApplication::processEvents();
    QCOMPARE(outcomes.list.size(), 1UZ);
    QCOMPARE(QString::fromStdString((*outcomes.list[0])->file.runs[0].id), QStringLiteral("third"));
}

void ValidationJobTest::cancelledSaysNothing()
{
    QSemaphore go;
    ValidationJob job([&](auto, std::string_view model, const auto &, std::stop_token, auto *) -> Expected<Validation> {
        go.acquire();
        return scored(model);
    });
    Outcomes outcomes(job);
    QSignalSpy cancelled(&job, &ValidationJob::cancelled);
    job.start(request("a"));
    job.cancel();
    QVERIFY(!job.isRunning());
    QCOMPARE(cancelled.count(), 1);
    job.cancel();
    QCOMPARE(cancelled.count(), 1);
    go.release();
    QCoreApplication::processEvents();
    QVERIFY(outcomes.list.empty());
}

/// What is known of new sites may be learnt from many runs first.
void ValidationJobTest::learningIsStopped()
{
    QSemaphore learning, stopped;
    ValidationJob job([](auto, std::string_view model, const auto &, std::stop_token, auto *) -> Expected<Validation> {
        return scored(model);
    });
    Outcomes outcomes(job);
    auto asked = request("a");
    asked.newSite = [&](const Validation &, auto, const std::stop_token &stop) {
        learning.release();
        const QDeadlineTimer deadline(6000);
        while (!stop.stop_requested() && !deadline.hasExpired())
            QThread::msleep(1);
        stopped.release(stop.stop_requested() ? 1 : 0);
        return std::shared_ptr<const NewSite>();
    };
    job.start(std::move(asked));
    QVERIFY(learning.tryAcquire(1, 5000));
    job.cancel();
    QVERIFY(stopped.tryAcquire(1, 5000));
    QCoreApplication::processEvents();
    QVERIFY(outcomes.list.empty());
}

void ValidationJobTest::whatCannotBeReadIsTheOutcome()
{
    ValidationJob job([](auto, std::string_view model, const auto &, std::stop_token, auto *) -> Expected<Validation> {
        return scored(model);
    });
    Outcomes outcomes(job);
    job.start({.read = []() -> Expected<RunFile> { return refuse(ErrorCode::ParseError, "runs[3]", "Broken."); },
        .modelIds = {"detailed"}});
    QTRY_COMPARE(outcomes.list.size(), 1UZ);
    QVERIFY(!outcomes.list[0]);
    QCOMPARE(QString::fromStdString(outcomes.list[0].error().field), QStringLiteral("runs[3]"));
}

void ValidationJobTest::exceptionsAreOutcomes()
{
    ValidationJob job([](auto, std::string_view, const auto &, std::stop_token, auto *) -> Expected<Validation> {
        throw std::runtime_error("a fault");
    });
    Outcomes outcomes(job);
    job.start(request("a"));
    QTRY_COMPARE(outcomes.list.size(), 1UZ);
    QVERIFY(outcomes.list[0].error().message.contains("an unknown fault"));
}

void ValidationJobTest::progressIsTold()
{
    QSemaphore go;
    ValidationJob job([&go](auto, std::string_view model, const auto &, std::stop_token,
                          std::atomic<std::size_t> *done) -> Expected<Validation> {
        ++*done;
        go.acquire();
        return scored(model);
    });
    Outcomes outcomes(job);
    QSignalSpy progressed(&job, &ValidationJob::progressed);
    job.start(request("a", {"one", "two"}));
    QTRY_VERIFY(!progressed.isEmpty());
    QCOMPARE(progressed.constFirst().at(1).toInt(), 2);
    go.release(2);
    QTRY_COMPARE(outcomes.list.size(), 1UZ);
}

void ValidationJobTest::mayBeDestroyedWhileRunning()
{
    QSemaphore started;
    {
        ValidationJob job(
            [&](auto, std::string_view, const auto &, std::stop_token stop, auto *) -> Expected<Validation> {
                started.release();
                while (!stop.stop_requested())
                    QThread::yieldCurrentThread();
                return refuse(ErrorCode::Cancelled, {}, "cancelled");
            });
        job.start(request("a"));
        started.acquire();
    }
    QVERIFY(true);
}

FLEETWRIGHT_TEST(ValidationJobTest)
#include "tst_validationjob.moc"
