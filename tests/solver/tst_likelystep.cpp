// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/samples.h"
#include "solver/explain/planworking.h"
#include "solver/models/detailed/detailedmodel.h"
#include "solver/validation/ownsite.h"
#include "testing/registry.h"
#include "units/format.h"

#include "measuredrow.h"

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

    /// Runs are compared with the constants before the calibration to them, plans go by those after it.
    void calibratedProject()
    {
        auto run = completeRun();
        const auto row = configurationFrom(run);
        run.measured.stepTime = detailed::Pricer::make(row->setting)->price(row->layout).stepTime * 1.3;
        const auto site = OwnSite::from(std::span(&run, 1));
        QVERIFY(site);
        auto catalog = std::make_shared<Catalog>(samples::catalog());
        auto accelerator = samples::accelerator();
        accelerator.values["architecture"] = "Hopper";
        catalog->insert(std::move(accelerator));
        auto workload = samples::workload();
        workload.values["vocab_size"] = 32000.0;
        catalog->insert(std::move(workload));
        auto document = samples::plan();
        document.costModelId = detailed::costModel().id();
        const auto plan = resolve(document, *catalog);
        QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
        auto facts = **plan;
        const auto &descriptor = *detailed::findConstant("gemm_Hopper");
        facts.assumptions.calibrated[std::string(descriptor.key)] = 0.9 * descriptor.value;
        const auto calibrated = Plan::create(facts);
        QVERIFY2(calibrated, calibrated ? "" : calibrated.error().message.c_str());
        const auto solvedOf = [&](const Plan &of) {
            auto solution = solve(of).value();
            const auto configuration = detailed::configurationFrom(of).value();
            const auto step = *solution.estimate.stepTime;
            auto range = site->narrowed(
                {.low = 0.8 * step, .high = step / 0.8, .runs = 10, .comparable = "ten", .outside = {}},
                configuration.setting.setting, configuration.layout);
            return withStepRange(std::move(solution), of, std::move(range));
        };
        const auto before = solvedOf(*plan), after = solvedOf(*calibrated);
        const auto step = *before.estimate.stepTime;
        QVERIFY(*after.estimate.stepTime > 1.01 * step);
        QVERIFY(!before.range->isCalibrated() && after.range->isCalibrated());
        QVERIFY(std::abs(double(after.range->byFormula() / step) - 1) < 1e-9);

        const PlanWorking uncalibrated(*plan, document, before, catalog),
            working(*calibrated, document, after, catalog);
        const auto line = working.line("likely:");
        const auto &why = line.whyThere;
        QVERIFY2(why.contains("30\u00a0% more than the program\u2019s own constants say of it"), why.c_str());
        QVERIFY2(why.contains(" and the " + units::format(step) + " by the program\u2019s own constants"), why.c_str());
        QVERIFY2(!why.contains("formula"), why.c_str());
        // The part says what stands in the line; the plan's own step time is another.
        QCOMPARE(line.parts.front().symbol, std::string("t"));
        const auto part = working.line(line.parts.front().key);
        QCOMPARE(part.label, std::string("Step time by the program\u2019s own constants"));
        QCOMPARE(part.value, units::format(step));
        QVERIFY2(line.withValues.starts_with(part.value + " "), line.withValues.c_str());
        QVERIFY(!part.source.empty());
        QCOMPARE(uncalibrated.line("likely:").parts.front().key, std::string("figure:step_time_s"));
        QVERIFY(uncalibrated.line("likely:").whyThere.contains("formula"));
        QVERIFY(uncalibrated.line(part.key).label.empty());
    }
};

FLEETWRIGHT_TEST(TestLikelyStep)
#include "tst_likelystep.moc"
