// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/calibrationjob.h"
#include "outcomes.h"
#include "testing/registry.h"

#include "solver/samplerun.h"

#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <stdexcept>

using namespace fleetwright;
using namespace fleetwright::jobs;

namespace {

CalibrationRequest request(double seconds)
{
    return {.runs = {samplerun::run("a", seconds, 8), samplerun::run("b", seconds, 4)}, .start = {}, .constants = {}};
}

validation::RunCalibration answerWith(int iterations)
{
    validation::RunCalibration answer;
    answer.calibration.iterations = iterations;
    return answer;
}

} // namespace

class CalibrationJobTest : public QObject {
    Q_OBJECT
private slots:
    void answersOnTheOwnersThread()
    {
        CalibrationJob job;
        Outcomes outcomes(job);
        job.start(request(12));
        QVERIFY(job.isRunning());
        QTRY_COMPARE(outcomes.list.size(), 1UZ);
        QVERIFY(!job.isRunning());
        QCOMPARE(outcomes.deliveredOn, QThread::currentThread());
        QVERIFY(outcomes.list[0] && !(*outcomes.list[0])->calibration.fitted.empty());
    }

    void newestWins()
    {
        QSemaphore go;
        CalibrationJob job([&go](const CalibrationRequest &asked, std::stop_token,
                               std::atomic<int> *) -> Expected<validation::RunCalibration> {
            go.acquire();
            return answerWith(int(asked.runs.size())); // answers although it was superseded
        });
        Outcomes outcomes(job);
        job.start(request(1));
        auto second = request(1);
        second.runs.resize(1);
        job.start(second);
        go.release(2);
        QTRY_COMPARE(outcomes.list.size(), 1UZ);
        QCOMPARE((*outcomes.list[0])->calibration.iterations, 1);
    }

    void cancelledSaysNothing()
    {
        QSemaphore begun;
        CalibrationJob job([&begun](const CalibrationRequest &, std::stop_token stop,
                               std::atomic<int> *) -> Expected<validation::RunCalibration> {
            begun.release();
            while (!stop.stop_requested())
                QThread::yieldCurrentThread();
            return answerWith(0);
        });
        Outcomes outcomes(job);
        job.start(request(1));
        begun.acquire();
        job.cancel();
        QVERIFY(!job.isRunning());
        job.start(request(2)); // queued behind the cancelled one, so that one is over when this begins
        begun.acquire();
        QVERIFY(outcomes.list.empty());
    } // destroyed while running

    void progressIsReported()
    {
        QSemaphore go;
        CalibrationJob job([&go](const CalibrationRequest &, std::stop_token,
                               std::atomic<int> *iterations) -> Expected<validation::RunCalibration> {
            *iterations = 7;
            go.acquire();
            return answerWith(7);
        });
        QSignalSpy progress(&job, &CalibrationJob::progressed);
        job.start(request(1));
        QTRY_VERIFY(!progress.isEmpty() && progress.last().first().toInt() == 7);
        go.release();
        QTRY_VERIFY(!job.isRunning());
    }

    void refusalsAndExceptionsAreOutcomes()
    {
        CalibrationJob refused;
        Outcomes none(refused);
        refused.start({});
        QTRY_COMPARE(none.list.size(), 1UZ);
        QVERIFY(!none.list[0] && none.list[0].error().code == ErrorCode::MissingField);
        CalibrationJob broken(
            [](const CalibrationRequest &, std::stop_token,
                std::atomic<int> *) -> Expected<validation::RunCalibration> { throw std::runtime_error("boom"); });
        Outcomes outcomes(broken);
        broken.start(request(1));
        QTRY_COMPARE(outcomes.list.size(), 1UZ);
        QVERIFY(!outcomes.list[0] && outcomes.list[0].error().message.contains("an unknown fault"));
    }
};

FLEETWRIGHT_TEST(CalibrationJobTest)
#include "tst_calibrationjob.moc"
