// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/samples.h"
#include "jobs/comparejob.h"
#include "outcomes.h"
#include "testing/registry.h"

#include <QSemaphore>
#include <QTest>
#include <QThread>

#include <stdexcept>

using namespace fleetwright;
using namespace fleetwright::jobs;

namespace {

ComparisonRequest request(const std::string &name)
{
    auto plan = samples::plan();
    plan.name = name;
    return {.plans = {plan}, .modelIds = {"first-order"}};
}

std::shared_ptr<const Catalog> catalog() { return std::make_shared<const Catalog>(samples::catalog()); }

} // namespace

class CompareJobTest : public QObject {
    Q_OBJECT
private slots:
    void answersOnTheOwnersThread();
    void newestWins();
    void cancelledSaysNothing();
    void refusalsAndExceptionsAreOutcomes();
    void mayBeDestroyedWhileRunning();
};

void CompareJobTest::answersOnTheOwnersThread()
{
    CompareJob job;
    Outcomes outcomes(job);
    job.start(request("a"), catalog());
    QVERIFY(job.isRunning());
    QTRY_COMPARE(outcomes.list.size(), 1UZ);
    QVERIFY(!job.isRunning());
    QCOMPARE(outcomes.deliveredOn, QThread::currentThread());
    QVERIFY(outcomes.list[0]);
    QCOMPARE(QString::fromStdString((*outcomes.list[0])->columns[0].planName), QStringLiteral("a"));
}

void CompareJobTest::newestWins()
{
    QSemaphore go;
    CompareJob job([&go](const ComparisonRequest &asked, const Catalog &from, std::stop_token) {
        go.acquire();
        return compare(asked, from); // answers although it was superseded
    });
    Outcomes outcomes(job);
    for (const auto *name : {"first", "second", "third"})
        job.start(request(name), catalog());
    go.release(3);
    QTRY_COMPARE(outcomes.list.size(), 1UZ);
    QCoreApplication::processEvents();
    QCOMPARE(outcomes.list.size(), 1UZ);
    QCOMPARE(QString::fromStdString((*outcomes.list[0])->columns[0].planName), QStringLiteral("third"));
}

void CompareJobTest::cancelledSaysNothing()
{
    QSemaphore go, done;
    {
        CompareJob job([&](const ComparisonRequest &asked, const Catalog &from, std::stop_token) {
            go.acquire();
            auto answer = compare(asked, from);
            done.release();
            return answer;
        });
        Outcomes outcomes(job);
        job.start(request("a"), catalog());
        job.cancel();
        QVERIFY(!job.isRunning());
        go.release();
        QCoreApplication::processEvents();
        QVERIFY(outcomes.list.empty());
    }
}

void CompareJobTest::refusalsAndExceptionsAreOutcomes()
{
    CompareJob job([](const ComparisonRequest &asked, const Catalog &, std::stop_token) -> Expected<Comparison> {
        if (asked.plans[0].name == "throw")
            throw std::runtime_error("a fault");
        return refuse(ErrorCode::OutOfRange, "plans", "No.");
    });
    Outcomes outcomes(job);
    job.start(request("throw"), catalog());
    QTRY_COMPARE(outcomes.list.size(), 1UZ);
    QVERIFY(!outcomes.list[0]);
    QVERIFY(outcomes.list[0].error().message.contains("an unknown fault"));
    job.start(request("refuse"), catalog());
    QTRY_COMPARE(outcomes.list.size(), 2UZ);
    QCOMPARE(QString::fromStdString(outcomes.list[1].error().message), QStringLiteral("No."));
}

void CompareJobTest::mayBeDestroyedWhileRunning()
{
    QSemaphore started;
    {
        CompareJob job([&](const ComparisonRequest &, const Catalog &, std::stop_token stop) -> Expected<Comparison> {
            started.release();
            while (!stop.stop_requested())
                QThread::yieldCurrentThread();
            return refuse(ErrorCode::Cancelled, {}, "cancelled");
        });
        job.start(request("a"), catalog());
        started.acquire();
    }
    QVERIFY(true);
}

FLEETWRIGHT_TEST(CompareJobTest)
#include "tst_comparejob.moc"
