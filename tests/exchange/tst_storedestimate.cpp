// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/storedestimate.h"

#include "exchange/plandocuments.h"
#include "exchange/storedtrace.h"
#include "solver/sampleplan.h"
#include "testing/registry.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace fleetwright;
using exchange::storedEstimateFromText;

class TestStoredEstimate : public QObject {
    Q_OBJECT
private slots:
    /// What was written is read back as if it had never been text.
    void readsWhatIsWritten()
    {
        const auto plan = Plan::create(sampleplan::plan());
        QVERIFY(plan);
        auto solution = solve(*plan);
        QVERIFY(solution);
        solution->range = validation::PredictionRange{.low = 1.0 * second,
            .high = 2.0 * second,
            .typicalError = 0.1,
            .runs = 3,
            .sources = 2,
            .comparable = "3 runs",
            .outside = {"Too large."},
            .ownRuns = 2,
            .ownRunsAlike = 2,
            .ownRunsSame = 1,
            .ownWeight = 0.8,
            .ownEffect = 0.1,
            .furtherRun = 0.9};
        const auto read = storedEstimateFromText(exchange::solutionToJson(*solution, *plan).dump(), "first-order");
        QVERIFY(read);
        const auto direct = exchange::storedEstimate(*solution);
        for (const auto &[key, value] : direct.figures)
            QVERIFY2(read->figure(key) == value, key.c_str());
        QCOMPARE(read->feasible, direct.feasible);
        QVERIFY(read->range == direct.range);
        QVERIFY(direct.figure("memory.total_bytes") && direct.figure("details.replica_mfu"));
    }

    /// "likely" stays so when the answer is read again.
    void likelyIsKept()
    {
        const auto plan = Plan::create(sampleplan::plan());
        auto solution = solve(*plan);
        QVERIFY(solution && feasibility(*solution) == true);
        const auto kept = [&] {
            const auto read = storedEstimateFromText(exchange::storedText(*solution, *plan), "first-order");
            const auto direct = exchange::storedEstimate(*solution);
            if (!read || read->onlyLikely != direct.onlyLikely)
                qFatal("what is read is another verdict");
            return inWords(read->feasible, read->onlyLikely);
        };
        QCOMPARE(kept(), std::string_view("yes"));
        solution->trace.push_back({.constraint = "deadline_days", .onlyLikely = true});
        QCOMPARE(kept(), std::string_view("likely"));
        QVERIFY(exchange::storedTraceFromText(exchange::storedText(*solution, *plan)).back().onlyLikely);
        solution->feasible = false; // another limit is broken
        QCOMPARE(kept(), std::string_view("no"));
    }

    /// A result of version 0.1: old keys, and the share of the step under the name of the published fraction.
    void readsOlderResults()
    {
        const auto text = R"({"step_time_s":4.0,"bubble_time_s":1.0,"bubble_fraction":0.25,
            "usd_per_million_tokens":0.5,"memory":{"total_bytes":6e10,"capacity_bytes":8e10},"feasible":true,
            "parallelism":{"dp":8,"tp":8,"sequence_parallel":false},"details":{"tp_exposed_s":0.5,"mfu16":0.4}})";
        const auto detailed = storedEstimateFromText(text, "detailed");
        QVERIFY(detailed);
        QVERIFY(!detailed->figure("bubble_fraction"));
        QCOMPARE(detailed->figure("bubble_share_of_step"), std::optional(0.25));
        QCOMPARE(detailed->figure("exposed_tp_comm_time_s"), std::optional(0.5));
        QCOMPARE(detailed->figure("cost_usd_per_million_tokens"), std::optional(0.5));
        QCOMPARE(detailed->figure("details.mfu16"), std::optional(0.4));
        QCOMPARE(detailed->figure("memory.total_bytes"), std::optional(6e10));
        QCOMPARE(detailed->figure("parallelism.dp"), std::optional(8.0));
        QCOMPARE(detailed->feasible, std::optional(true));
        QCOMPARE(storedEstimateFromText(text, "first-order")->figure("bubble_fraction"), std::optional(0.25));
    }

    void refusesOtherTexts()
    {
        QVERIFY(!storedEstimateFromText("{", "detailed"));
        QVERIFY(!storedEstimateFromText("[1]", "detailed"));
        const auto odd = storedEstimateFromText(R"({"feasible":"yes","step_time_range":{"low_s":1,"high_s":"x"}})", "");
        QVERIFY(odd && !odd->feasible && !odd->range);
        QVERIFY(!storedEstimateFromText(R"({"step_time_range":{"low_s":1,"high_s":2,"runs":"x"}})", "")->range);
    }
};

FLEETWRIGHT_TEST(TestStoredEstimate)
#include "tst_storedestimate.moc"
