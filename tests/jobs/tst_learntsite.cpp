// SPDX-License-Identifier: GPL-3.0-or-later
// Learning takes seconds, and whoever asks may go before it is done.
#include "jobs/learntsite.h"
#include "searchfixture.h"
#include "solver/samplerun.h"
#include "testing/registry.h"

#include <QTest>

#include <atomic>
#include <thread>

using namespace fleetwright;
using namespace fleetwright::jobs;

class TestLearntSite : public QObject {
    Q_OBJECT

    static LearntSite siteOf(int count)
    {
        std::vector<validation::MeasuredRun> runs;
        for (int i = 0; i < count; ++i)
            runs.push_back(samplerun::run(std::to_string(i), 10 + i % 7 * 0.25, 8, 1 << i % 4));
        return {std::move(runs), searchCatalog()};
    }
    static std::stop_token stopped()
    {
        std::stop_source source;
        source.request_stop();
        return source.get_token();
    }

private slots:
    void whoIsStoppedLeavesItToTheNext()
    {
        const auto site = siteOf(2);
        QVERIFY(!site.get(stopped()));
        const auto learnt = site.get();
        QVERIFY(learnt);
        QCOMPARE(learnt->runs().size(), std::size_t(2));
        QCOMPARE(site.get(), learnt);
    }

    void learningEndsWhenItIsStopped()
    {
        QVERIFY(!validation::OwnSite::from(std::vector{samplerun::run("a", 12)}, {}, stopped()));
        QVERIFY(validation::OwnSite::from(std::vector{samplerun::run("a", 12)}));
    }

    /// Of two who ask at once the one who is stopped does not wait for the other, and the other is told all.
    void whoWaitsCanBeStopped()
    {
        constexpr int many = 2000; // as many as are looked at: they take longer than the others sleep
        const auto site = siteOf(many);
        std::atomic<bool> isDone = false;
        std::size_t learnt = 0;
        std::jthread other([&] {
            if (const auto own = site.get())
                learnt = own->runs().size();
            isDone = true;
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        QVERIFY(!site.get(stopped()) && !isDone);
        std::stop_source leaving;
        bool hasLeft = false;
        std::jthread waiting([&] { hasLeft = !site.get(leaving.get_token()) && !isDone; });
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        leaving.request_stop();
        waiting.join();
        other.join();
        QVERIFY(hasLeft);
        QCOMPARE(learnt, std::size_t(many));
    }
};

FLEETWRIGHT_TEST(TestLearntSite)
#include "tst_learntsite.moc"
