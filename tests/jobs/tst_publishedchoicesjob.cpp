// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/publishedchoicesjob.h"
#include "outcomes.h"
#include "testing/registry.h"

#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <stdexcept>

using namespace fleetwright;
using namespace fleetwright::jobs;
using namespace fleetwright::validation;

namespace {

PublishedChoicesJob::Reader runs(const std::string &id = "a")
{
    return [id]() -> Expected<RunFile> { return RunFile{"1", {MeasuredRun{.id = id}}}; };
}

Expected<std::vector<PublishedScore>> nothing(std::span<const MeasuredRun>, const PublishedControl &)
{
    return std::vector<PublishedScore>();
}

} // namespace

class PublishedChoicesJobTest : public QObject {
    Q_OBJECT
private slots:
    void answersOnceOnTheOwnersThread();
    void newestWins();
    void cancelledSaysNothing();
    void faultsAreOutcomes();
    void mayBeDestroyedWhileRunning();
    void ranksTheRealChoices();
};

void PublishedChoicesJobTest::answersOnceOnTheOwnersThread()
{
    PublishedChoicesJob job([](std::span<const MeasuredRun> shipped,
                                const PublishedControl &control) -> Expected<std::vector<PublishedScore>> {
        control.progress(0.25);
        if (shipped.size() != 1 || shipped[0].id != "a")
            return refuse(ErrorCode::MissingField, "runs", "Other runs.");
        control.progress(1);
        return std::vector<PublishedScore>();
    });
    Outcomes outcomes(job);
    QSignalSpy started(&job, &PublishedChoicesJob::started), progressed(&job, &PublishedChoicesJob::progressed);
    job.start(runs());
    QCOMPARE(started.count(), 1);
    QVERIFY(job.isRunning());
    QTRY_COMPARE(outcomes.list.size(), 1UZ);
    QVERIFY(!job.isRunning());
    QVERIFY(outcomes.list[0].has_value());
    QCOMPARE(outcomes.deliveredOn, QThread::currentThread());
    QCOMPARE(progressed.count(), 2);
    QCOMPARE(progressed[0][0].toDouble(), 0.25);
}

void PublishedChoicesJobTest::newestWins()
{
    QSemaphore go;
    std::vector<std::string> seen;
    PublishedChoicesJob job([&](std::span<const MeasuredRun> shipped,
                                const PublishedControl &control) -> Expected<std::vector<PublishedScore>> {
        go.acquire();
        seen.push_back(shipped[0].id);
        control.progress(0.5);
        return std::vector<PublishedScore>();
    });
    Outcomes outcomes(job);
    for (const auto *id : {"first", "second", "third"})
        job.start(runs(id));
    go.release(3);
    QTRY_COMPARE(outcomes.list.size(), 1UZ);
    QCoreApplication::processEvents();
    QCOMPARE(outcomes.list.size(), 1UZ);
    QCOMPARE(QString::fromStdString(seen.back()), QStringLiteral("third"));
}

void PublishedChoicesJobTest::cancelledSaysNothing()
{
    QSemaphore go, running;
    bool stopped = false;
    PublishedChoicesJob job([&](auto, const PublishedControl &control) -> Expected<std::vector<PublishedScore>> {
        running.release();
        go.acquire();
        stopped = control.stop.stop_requested();
        control.progress(1);
        return std::vector<PublishedScore>();
    });
    Outcomes outcomes(job);
    QSignalSpy cancelled(&job, &PublishedChoicesJob::cancelled), progressed(&job, &PublishedChoicesJob::progressed);
    job.cancel();
    QCOMPARE(cancelled.count(), 0); // nothing runs
    job.start(runs());
    running.acquire();
    job.cancel();
    QVERIFY(!job.isRunning());
    QCOMPARE(cancelled.count(), 1);
    go.release();
    job.start([]() -> Expected<RunFile> { return refuse(ErrorCode::IoError, "runs", "Gone."); });
    QTRY_COMPARE(outcomes.list.size(), 1UZ); // of the second start only
    QVERIFY(!outcomes.list[0]);
    QVERIFY(stopped);
    QCOMPARE(progressed.count(), 0);
}

void PublishedChoicesJobTest::faultsAreOutcomes()
{
    PublishedChoicesJob unreadable(nothing);
    Outcomes first(unreadable);
    unreadable.start([]() -> Expected<RunFile> { return refuse(ErrorCode::ParseError, "runs[3]", "Broken."); });
    QTRY_COMPARE(first.list.size(), 1UZ);
    QCOMPARE(QString::fromStdString(first.list[0].error().field), QStringLiteral("runs[3]"));

    PublishedChoicesJob throwing(
        [](auto, const auto &) -> Expected<std::vector<PublishedScore>> { throw std::runtime_error("out of luck"); });
    Outcomes second(throwing);
    throwing.start(runs());
    QTRY_COMPARE(second.list.size(), 1UZ);
    QVERIFY(QString::fromStdString(second.list[0].error().message).contains(QStringLiteral("an unknown fault")));

    PublishedChoicesJob strange([](auto, const auto &) -> Expected<std::vector<PublishedScore>> { throw 7; });
    Outcomes third(strange);
    strange.start(runs());
    QTRY_COMPARE(third.list.size(), 1UZ);
    QVERIFY(QString::fromStdString(third.list[0].error().message).contains(QStringLiteral("unknown fault")));
}

void PublishedChoicesJobTest::mayBeDestroyedWhileRunning()
{
    QSemaphore running;
    {
        PublishedChoicesJob job(
            [&running](auto, const PublishedControl &control) -> Expected<std::vector<PublishedScore>> {
                running.release();
                while (!control.stop.stop_requested())
                    QThread::yieldCurrentThread();
                return refuse(ErrorCode::Cancelled, {}, "Stopped.");
            });
        job.start(runs());
        running.acquire();
    }
}

void PublishedChoicesJobTest::ranksTheRealChoices()
{
    PublishedChoicesJob job;
    Outcomes outcomes(job);
    job.start([]() -> Expected<RunFile> { return RunFile(); });
    QTRY_COMPARE(outcomes.list.size(), 1UZ);
    QVERIFY(outcomes.list[0].has_value());
    QCOMPARE((*outcomes.list[0])->size(), 10UZ);
}

FLEETWRIGHT_TEST(PublishedChoicesJobTest)
#include "tst_publishedchoicesjob.moc"
