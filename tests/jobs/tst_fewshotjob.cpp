// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/fewshotjob.h"
#include "solver/samplevalidation.h"
#include "testing/registry.h"

#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>

#include <stdexcept>

using namespace fleetwright;
using namespace fleetwright::jobs;
using namespace fleetwright::validation;

namespace {

std::shared_ptr<const ScoredFile> sampleFile()
{
    return std::make_shared<const ScoredFile>(fleetwright::samplescores::scoredFile());
}

} // namespace

class FewShotJobTest : public QObject {
    Q_OBJECT

private slots:
    void answersOnce()
    {
        FewShotJob job([](const Validation &of, auto runs, std::stop_token) -> Expected<FewShotAnswer> {
            return FewShotAnswer{{int(runs.size()), {.median = double(of.priced)}}};
        });
        std::vector<FewShotOutcome> outcomes;
        connect(&job, &FewShotJob::finished, this, [&](const FewShotOutcome &outcome) { outcomes.push_back(outcome); });
        job.start(sampleFile(), "detailed");
        QVERIFY(job.isRunning());
        QTRY_COMPARE(outcomes.size(), 1UZ);
        QVERIFY(!job.isRunning());
        QCOMPARE((*outcomes[0])->at(7).median, 6.0);
        job.start(sampleFile(), "nonsense"); // was refused, so there is nothing to learn from
        QTRY_COMPARE(outcomes.size(), 2UZ);
        QVERIFY(!outcomes[1] && outcomes[1].error().code == ErrorCode::UnknownReference);
        job.start(nullptr, "detailed");
        QTRY_COMPARE(outcomes.size(), 3UZ);
        QVERIFY(!outcomes[2]);
    }

    void cancelledSaysNothing()
    {
        QSemaphore begun, go;
        std::atomic<bool> stopped = false;
        FewShotJob job([&](const Validation &, auto, const std::stop_token &stop) -> Expected<FewShotAnswer> {
            begun.release();
            go.acquire();
            stopped = stop.stop_requested();
            return FewShotAnswer{};
        });
        QSignalSpy finished(&job, &FewShotJob::finished), cancelled(&job, &FewShotJob::cancelled);
        job.cancel(); // nothing is running
        QCOMPARE(cancelled.count(), 0);
        job.start(sampleFile(), "detailed");
        begun.acquire();
        job.cancel();
        QCOMPARE(cancelled.count(), 1);
        go.release();
        QTRY_VERIFY(stopped.load());
        QTest::qWait(10);
        QCOMPARE(finished.count(), 0);
    }

    void exceptionsAreOutcomes()
    {
        FewShotJob job([](const Validation &, auto, const std::stop_token &) -> Expected<FewShotAnswer> {
            throw std::runtime_error("a fault");
        });
        std::string message;
        connect(&job, &FewShotJob::finished, this,
            [&](const FewShotOutcome &outcome) { message = outcome ? "none" : outcome.error().message; });
        job.start(sampleFile(), "detailed");
        QTRY_VERIFY(message.find("an unknown fault") != std::string::npos);
    }

    void mayBeDestroyedWhileRunning()
    {
        QSemaphore go;
        auto job = std::make_unique<FewShotJob>(
            [&](const Validation &, auto, const std::stop_token &) -> Expected<FewShotAnswer> {
                go.acquire();
                return FewShotAnswer{};
            });
        job->start(sampleFile(), "detailed");
        go.release();
        job.reset();
    }
};

FLEETWRIGHT_TEST(FewShotJobTest)
#include "tst_fewshotjob.moc"
