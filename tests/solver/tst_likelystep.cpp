// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/samples.h"
#include "solver/explain/planworking.h"
#include "testing/registry.h"
#include "units/format.h"

#include <QTest>

#include <cmath>
#include <set>

using namespace fleetwright;

class TestLikelyStep : public QObject {
    Q_OBJECT
private slots:
    /// Why a step that was measured is not exactly what the run took, and that days follow from it.
    void measuredRunsAreExplained()
    {
        const auto catalog = std::make_shared<const Catalog>(samples::catalog());
        auto document = samples::plan();
        document.training.tokenBudget = 1e12;
        const auto plan = resolve(document, *catalog);
        auto solution = solve(*plan);
        QVERIFY(solution.has_value());
        const auto step = *solution->estimate.stepTime;
        *solution = withStepRange(std::move(*solution), *plan,
            validation::PredictionRange{.low = 1.1 * step,
                .high = 1.21 / 1.1 * 1.21 * step,
                .typicalError = 0.1,
                .runs = 10,
                .sources = 3,
                .comparable = "10 runs, of 3 sources",
                .ownRuns = 1,
                .ownRunsAlike = 1,
                .ownRunsSame = 1,
                .ownWeight = 0.8,
                .ownEffect = std::log(1.21)});
        const PlanWorking working(*plan, document, *solution, catalog);
        const auto key = working.questions().at(1);
        const auto line = working.line(key);
        QCOMPARE(line.label, std::string("Step time that your measured runs make likely"));
        QVERIFY2(line.value.starts_with(units::format(1.21 * step)), line.value.c_str());
        QVERIFY2(line.whyThere.contains("counts for 80\u00a0%"), line.whyThere.c_str());
        QVERIFY2(line.source.contains("Rasmussen and Williams 2006"), line.source.c_str());
        QCOMPARE(line.parts.size(), 3UZ);
        for (const auto &part : line.parts) {
            const auto of = working.line(part.key);
            QVERIFY2(!of.label.empty() && !of.value.empty() && !of.source.empty(), part.key.c_str());
            QVERIFY(line.formula.find(part.symbol) != std::string::npos);
        }
        std::set<std::string> seen;
        std::vector<std::string> open{"figure:run_time_s"};
        while (!open.empty()) {
            const auto next = std::move(open.back());
            open.pop_back();
            if (seen.insert(next).second)
                for (const auto &part : working.line(next).parts)
                    open.push_back(part.key);
        }
        QVERIFY(seen.contains(key));
    }
};

FLEETWRIGHT_TEST(TestLikelyStep)
#include "tst_likelystep.moc"
