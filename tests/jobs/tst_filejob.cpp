// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/filejob.h"
#include "testing/registry.h"

#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <stdexcept>

using namespace fleetwright;
using jobs::FileJob;

class FileJobTest : public QObject {
    Q_OBJECT

    /// Waits until it is asked to stop.
    static Expected<void> stopped(const std::stop_token &stop)
    {
        QSemaphore asked;
        const std::stop_callback tell(stop, [&asked] { asked.release(); });
        asked.acquire();
        return refuse(ErrorCode::Cancelled, {}, "It was cancelled.");
    }

private slots:
    void answersOnTheOwnersThread()
    {
        FileJob job;
        QThread *worker = nullptr, *owner = nullptr;
        std::vector<int> told;
        connect(&job, &FileJob::progressed, &job, [&](int percent) { told.push_back(percent); });
        connect(&job, &FileJob::finished, &job, [&](const Expected<void> &outcome) {
            owner = outcome && !job.isRunning() ? QThread::currentThread() : nullptr;
        });
        QVERIFY(job.start([&worker](const std::stop_token &, const auto &progress) -> Expected<void> {
            worker = QThread::currentThread();
            progress(40);
            return {};
        }));
        QTRY_COMPARE(owner, QThread::currentThread());
        QVERIFY(worker && worker != owner);
        QCOMPARE(told, std::vector<int>{40});
    }

    void cancelledAndToldSo()
    {
        FileJob job;
        int finished = 0;
        ErrorCode code{};
        connect(&job, &FileJob::finished, &job, [&](const Expected<void> &outcome) {
            ++finished;
            code = outcome ? ErrorCode{} : outcome.error().code;
        });
        const auto wait = [](const std::stop_token &stop, const auto &) { return stopped(stop); };
        QVERIFY(job.start(wait));
        QVERIFY(!job.start(wait)); // one at a time
        job.cancel();
        QTRY_COMPARE(finished, 1);
        QCOMPARE(int(code), int(ErrorCode::Cancelled));
        QVERIFY(job.start([](const std::stop_token &stop, const auto &) -> Expected<void> {
            if (stop.stop_requested()) // the cancelling was for the other one
                return refuse(ErrorCode::Cancelled, {}, "It was cancelled.");
            throw std::runtime_error("no memory");
        }));
        QTRY_COMPARE(finished, 2);
        QCOMPARE(int(code), int(ErrorCode::IoError));
    }

    void stopsWhenDestroyed()
    {
        bool ended = false;
        QSemaphore begun;
        {
            FileJob job;
            QVERIFY(job.start([&](const std::stop_token &stop, const auto &) {
                begun.release();
                auto outcome = stopped(stop);
                ended = true;
                return outcome;
            }));
            begun.acquire();
        }
        QVERIFY(ended);
    }
};

FLEETWRIGHT_TEST(FileJobTest)
#include "tst_filejob.moc"
