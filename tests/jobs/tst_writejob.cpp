// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/writejob.h"
#include "testing/registry.h"

#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <stdexcept>

using namespace fleetwright;
using jobs::WriteJob;

class WriteJobTest : public QObject {
    Q_OBJECT
private slots:
    void answersOnTheOwnersThread();
    void oneAtATime();
    void refusalsAndThrows();
    void waitsWhenDestroyed();
};

void WriteJobTest::answersOnTheOwnersThread()
{
    WriteJob job;
    QThread *worker = nullptr;
    QThread *owner = nullptr;
    bool done = false;
    connect(&job, &WriteJob::finished, &job, [&](const Expected<void> &outcome) {
        owner = QThread::currentThread();
        done = outcome.has_value() && !job.isRunning();
    });
    QVERIFY(job.start([&worker]() -> Expected<void> {
        worker = QThread::currentThread();
        return {};
    }));
    QTRY_VERIFY(done);
    QCOMPARE(owner, QThread::currentThread());
    QVERIFY(worker && worker != owner);
}

void WriteJobTest::oneAtATime()
{
    WriteJob job;
    int finished = 0;
    connect(&job, &WriteJob::finished, &job, [&finished] { ++finished; });
    QSemaphore gate;
    QVERIFY(job.start([&gate]() -> Expected<void> {
        gate.acquire();
        return {};
    }));
    QVERIFY(job.isRunning());
    QVERIFY(!job.start([]() -> Expected<void> { return refuse(ErrorCode::IoError, {}, "never"); }));
    gate.release();
    QTRY_COMPARE(finished, 1);
    QVERIFY(job.start([]() -> Expected<void> { return {}; }));
    QTRY_COMPARE(finished, 2);
}

void WriteJobTest::refusalsAndThrows()
{
    WriteJob job;
    std::vector<Error> errors;
    connect(&job, &WriteJob::finished, &job,
        [&errors](const Expected<void> &outcome) { errors.push_back(outcome.error()); });
    job.start([]() -> Expected<void> { return refuse(ErrorCode::IoError, "file", "The disk is full."); });
    QTRY_COMPARE(errors.size(), 1U);
    QCOMPARE(errors[0].message, std::string("The disk is full."));
    job.start([]() -> Expected<void> { throw std::bad_alloc(); });
    QTRY_COMPARE(errors.size(), 2U);
    QCOMPARE(int(errors[1].code), int(ErrorCode::IoError));
    job.start([]() -> Expected<void> { throw 42; }); // not even an exception
    QTRY_COMPARE(errors.size(), 3U);
    QCOMPARE(int(errors[2].code), int(ErrorCode::IoError));
}

void WriteJobTest::waitsWhenDestroyed()
{
    bool written = false;
    {
        WriteJob job;
        job.start([&written]() -> Expected<void> {
            written = true;
            return {};
        });
    }
    QVERIFY(written);
}

FLEETWRIGHT_TEST(WriteJobTest)
#include "tst_writejob.moc"
