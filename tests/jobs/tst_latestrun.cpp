// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/latestrun.h"
#include "testing/registry.h"

#include <QSemaphore>
#include <QTest>
#include <QThread>

#include <stdexcept>

using namespace fleetwright;
using jobs::LatestRun;

namespace {

QString told(const std::string &what) { return QStringLiteral("broken: ") + QString::fromStdString(what); }

} // namespace

class LatestRunTest : public QObject {
    Q_OBJECT

    QStringList m_outcomes;
    QThread *m_heardOn = nullptr;

    auto finish()
    {
        return [this](const QString &outcome) {
            m_heardOn = QThread::currentThread();
            m_outcomes << outcome;
        };
    }
    /// Work that says so when it has begun and ends when it is let go.
    static auto held(QSemaphore &begun, QSemaphore &go, const QString &outcome)
    {
        return [&begun, &go, outcome](const LatestRun::Run &) {
            begun.release();
            go.acquire();
            return outcome;
        };
    }

private slots:
    void init()
    {
        m_outcomes.clear();
        m_heardOn = nullptr;
    }

    void finishesOnceOnTheOwnersThread()
    {
        LatestRun latest;
        QThread *worker = nullptr;
        QVERIFY(!latest.isRunning());
        latest.start(
            [&worker](const LatestRun::Run &run) {
                worker = QThread::currentThread();
                return run.elapsed() >= 0.0 * second && !run.stop().stop_requested() ? QStringLiteral("done")
                                                                                     : QString();
            },
            told, finish());
        QVERIFY(latest.isRunning());
        latest.wait();
        QVERIFY(m_outcomes.isEmpty()); // the work is done, but the owner has not come to hear of it
        QTRY_COMPARE(m_outcomes, QStringList{QStringLiteral("done")});
        QVERIFY(!latest.isRunning());
        QCOMPARE(m_heardOn, QThread::currentThread());
        QVERIFY(worker && worker != m_heardOn);
        QCoreApplication::processEvents();
        QCOMPARE(m_outcomes.size(), 1);
    }

    void isFreeWhenItFinishes()
    {
        LatestRun latest;
        bool again = false;
        const auto work = [](const LatestRun::Run &) { return QStringLiteral("done"); };
        latest.start(work, told, [&](const QString &) {
            again = !latest.isRunning();
            latest.start(work, told, finish()); // the next is started from the answer of the last
        });
        QTRY_COMPARE(m_outcomes.size(), 1);
        QVERIFY(again);
    }

    void newestWins()
    {
        QSemaphore begun, go;
        LatestRun latest;
        latest.start(held(begun, go, QStringLiteral("1")), told, finish());
        begun.acquire();
        for (int i = 2; i <= 50; ++i)
            latest.start(held(begun, go, QString::number(i)), told, finish());
        go.release(100);
        QTRY_COMPARE(m_outcomes, QStringList{QStringLiteral("50")});
        QCOMPARE(begun.available(), 1); // those between were dropped before they began
    }

    void supersededAfterItsAnswerWasPosted()
    {
        LatestRun latest;
        latest.start([](const LatestRun::Run &) { return QStringLiteral("old"); }, told, finish());
        latest.wait(); // "old" is in the queue of this thread
        latest.start([](const LatestRun::Run &) { return QStringLiteral("new"); }, told, finish());
        QTRY_COMPARE(m_outcomes.size(), 1);
        QCOMPARE(m_outcomes.front(), QStringLiteral("new"));
        QVERIFY(!latest.isRunning());
    }

    void cancelled()
    {
        QSemaphore begun, go;
        std::atomic<bool> asked = false;
        LatestRun latest;
        QVERIFY(!latest.cancel()); // there was nothing to cancel
        latest.start(
            [&](const LatestRun::Run &run) {
                begun.release();
                go.acquire();
                asked = run.stop().stop_requested();
                return QStringLiteral("cancelled");
            },
            told, finish());
        begun.acquire();
        QVERIFY(latest.cancel());
        QVERIFY(!latest.isRunning());
        QVERIFY(!latest.cancel());
        go.release();
        latest.wait();
        QVERIFY(asked);
        QCoreApplication::processEvents();
        QVERIFY(m_outcomes.isEmpty());
    }

    void exceptionsBecomeTheBrokenOutcome()
    {
        LatestRun latest;
        latest.start(
            [](const LatestRun::Run &) -> QString { throw std::runtime_error("out of luck"); }, told, finish());
        QTRY_COMPARE(m_outcomes, QStringList{QStringLiteral("broken: an unknown fault")});
        latest.start([](const LatestRun::Run &) -> QString { throw 42; }, told, finish());
        QTRY_COMPARE(m_outcomes.size(), 2);
        QCOMPARE(m_outcomes.back(), QStringLiteral("broken: an unknown fault"));
    }

    void destroyedWhileRunning()
    {
        QSemaphore begun;
        std::atomic<bool> ended = false;
        {
            LatestRun latest;
            latest.start(
                [&](const LatestRun::Run &run) {
                    begun.release();
                    while (!run.stop().stop_requested())
                        QThread::yieldCurrentThread();
                    run.report([this] { m_outcomes << QStringLiteral("report"); });
                    ended = true;
                    return QStringLiteral("late");
                },
                told, finish());
            begun.acquire();
        }
        QVERIFY(ended); // asked to stop and waited for, so nothing that the work uses is gone
        QCoreApplication::processEvents();
        QVERIFY(m_outcomes.isEmpty());
    }

    void destroyedWithAnAnswerInTheQueue()
    {
        {
            LatestRun latest;
            latest.start([](const LatestRun::Run &) { return QStringLiteral("late"); }, told, finish());
            latest.wait();
        }
        QCoreApplication::processEvents();
        QVERIFY(m_outcomes.isEmpty());
    }

    void reportsDoNotFlood()
    {
        LatestRun latest;
        int heard = 0, newest = 0;
        latest.start(
            [&](const LatestRun::Run &run) {
                for (int i = 1; i <= 1000; ++i)
                    run.report([&, i] {
                        ++heard;
                        newest = i;
                    });
                return QStringLiteral("done");
            },
            told, finish());
        latest.wait(); // the owner was busy all the time
        QTRY_COMPARE(m_outcomes.size(), 1);
        QCOMPARE(heard, 1);
        QCOMPARE(newest, 1000);
    }

    void everyPostArrives()
    {
        LatestRun latest;
        QList<int> heard;
        latest.start(
            [&](const LatestRun::Run &run) {
                for (int i = 1; i <= 3; ++i)
                    run.post([&heard, i] { heard << i; });
                return QStringLiteral("done");
            },
            told, finish());
        latest.wait();
        QTRY_COMPARE(m_outcomes.size(), 1);
        QCOMPARE(heard, (QList<int>{1, 2, 3}));
    }

    void reportsOfACancelledRunAreSilent()
    {
        LatestRun latest;
        int heard = 0;
        latest.start(
            [&heard](const LatestRun::Run &run) {
                run.report([&heard] { ++heard; });
                return QString();
            },
            told, finish());
        latest.wait();
        latest.cancel();
        QCoreApplication::processEvents();
        QCOMPARE(heard, 0);
    }
};

FLEETWRIGHT_TEST(LatestRunTest)
#include "tst_latestrun.moc"
