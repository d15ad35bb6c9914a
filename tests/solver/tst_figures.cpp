// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/figures.h"
#include "solver/blocks/pipelinebubble.h"
#include "solver/sampleplan.h"
#include "solver/worksheet/sheets.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace fleetwright;

namespace {

#define COMPARE_NEAR(a, b)                                                                                             \
    do {                                                                                                               \
        const double left = (a), right = (b);                                                                          \
        QVERIFY2(std::abs(left - right) <= 1e-9 * std::max(std::abs(left), std::abs(right)),                           \
            qPrintable(QStringLiteral("%1 against %2").arg(left, 0, 'g', 15).arg(right, 0, 'g', 15)));                 \
    } while (false)

WorkloadFacts wholeWorkload()
{
    auto workload = sampleplan::workload();
    workload.vocabSize = 128256;
    workload.ffnHiddenSize = 28672;
    workload.gatedFfn = true;
    workload.tiedEmbeddings = false;
    return workload;
}

FleetFacts wholeFleet()
{
    auto accelerator = sampleplan::accelerator();
    accelerator.vendor = "NVIDIA";
    accelerator.architecture = "Hopper";
    accelerator.purchasePrice = 30000.0 * dollar;
    accelerator.embodiedCarbon = KilogramsCo2e::from_value(150);
    return sampleplan::fleet(sampleplan::node(accelerator));
}

/// Every batch is a multiple of DP, so that no model drops or idles anything.
std::vector<std::pair<const char *, PlanFacts>> samplePlans()
{
    const auto with = [](const Parallelism &split, auto change) {
        auto plan = sampleplan::plan(wholeFleet(), wholeWorkload());
        plan.parallelism = split;
        change(plan);
        return plan;
    };
    const auto nothing = [](PlanFacts &) {};
    return {{"TP 8 PP 4", with({.tp = 8, .pp = 4}, nothing)}, {"TP 8", with({.tp = 8}, nothing)},
        {"one microbatch", with({.tp = 8, .pp = 4}, [](PlanFacts &plan) { plan.training.microbatchCount = 1; })},
        {"deep", with({.tp = 4, .pp = 16}, [](PlanFacts &plan) { plan.training.microbatchCount = 4; })},
        {"virtual stages", with({.tp = 8, .pp = 4, .virtualStages = 2}, nothing)},
        {"recomputed", with({.tp = 8, .pp = 4}, [](PlanFacts &plan) { plan.training.recompute = Recompute::Full; })},
        {"stragglers",
            with({.tp = 8, .pp = 4}, [](PlanFacts &plan) { plan.assumptions.edited["straggler_factor"] = 1.25; })},
        {"corrected",
            with({.tp = 8, .pp = 4},
                [](PlanFacts &plan) { plan.assumptions.edited["variant"] = std::string("corrected"); })},
        {"data parallel", with({}, [](PlanFacts &plan) { plan.training.microbatchCount = 1; })}};
}

struct Priced {
    PlanFacts facts;
    Solution solution;
    std::optional<double> at(std::string_view key) const { return findFigure(key)->value(solution); }
};

/// Nothing where the model refuses the plan. Assumptions of other models are left out.
std::optional<Priced> priced(PlanFacts facts, const CostModel &model)
{
    facts.costModelId = std::string(model.id());
    std::vector<std::string> ignored;
    facts.assumptions = understoodBy(model, facts.assumptions, ignored);
    const auto plan = Plan::create(facts);
    if (!plan)
        return std::nullopt;
    auto solution = solve(*plan);
    return solution ? std::optional(Priced{facts, std::move(*solution)}) : std::nullopt;
}

double peakOf(const PlanFacts &facts)
{
    const auto &accelerator = *facts.fleet->node->accelerator;
    return accelerator.peak(facts.training.precision)->value();
}

} // namespace

/// A key means one thing, whichever model fills it.
class TestFigures : public QObject {
    Q_OBJECT
private slots:
    /// What is to be entered is called as where it is entered.
    void whatToEnterIsNamedAsInTheSheet()
    {
        const auto rows = sheets::run().rows();
        const auto row = std::ranges::find(rows, "node_delivery_weeks", &Worksheet::Row::key);
        QVERIFY(row != rows.end() && !row->label.empty());
        const std::string absence(findFigure("order_to_end_s")->absence);
        QCOMPARE(absence,
            "Known for a bought fleet whose nodes have a lead time: enter \u201c" + row->label
                + "\u201d under the fleet's costs.");
    }
    void definitions_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("plan");
        const auto plans = samplePlans();
        for (const auto *model : costModels())
            for (std::size_t i = 0; i < plans.size(); ++i) {
                const std::string id(model->id());
                QTest::addRow("%s, %s", id.c_str(), plans[i].first) << QString::fromStdString(id) << int(i);
            }
    }
    void definitions()
    {
        QFETCH(QString, model);
        QFETCH(int, plan);
        const auto answer = priced(samplePlans()[std::size_t(plan)].second, **findCostModel(model.toStdString()));
        if (!answer)
            QSKIP("The model refuses this plan.");
        const auto at = [&](std::string_view key) { return answer->at(key); };
        const auto both = [&](auto... keys) { return (at(keys).has_value() && ...); };
        const auto &facts = answer->facts;

        if (both("bubble_fraction"))
            COMPARE_NEAR(*at("bubble_fraction"),
                formulas::bubbleFraction(double(facts.parallelism.pp), double(*facts.training.microbatchCount),
                    double(model == QStringLiteral("strategy-calculator") ? 1 : facts.parallelism.virtualStages)));
        QCOMPARE(both("bubble_share_of_step"), both("bubble_time_s", "step_time_s"));
        if (both("bubble_share_of_step"))
            COMPARE_NEAR(*at("bubble_share_of_step"), *at("bubble_time_s") / *at("step_time_s"));

        if (both("mfu", "flops_per_accelerator_per_s"))
            COMPARE_NEAR(*at("mfu"), *at("flops_per_accelerator_per_s") / peakOf(facts));
        else if (both("mfu")) { // 6 FLOP per parameter and token
            QVERIFY(both("tokens_per_s"));
            COMPARE_NEAR(*at("mfu"),
                6 * facts.workload->activeParameters * *at("tokens_per_s")
                    / (double(facts.fleet->accelerators()) * peakOf(facts)));
        }
        if (both("mfu", "hfu"))
            QVERIFY(*at("hfu") >= *at("mfu"));
        if (both("step_time_s", "samples_per_s"))
            COMPARE_NEAR(*at("samples_per_s"), double(facts.training.globalBatch) / *at("step_time_s"));
        if (both("tokens_per_s"))
            COMPARE_NEAR(*at("tokens_per_s"), *at("samples_per_s") * double(facts.training.sequenceLength));
        if (both("scaling_efficiency"))
            COMPARE_NEAR(*at("scaling_efficiency"),
                (*at("compute_time_s") + at("overhead_time_s").value_or(0)) / *at("step_time_s"));

        double exposed = 0, whole = 0;
        for (const auto &figure : allFigures()) {
            if (figure.prominence != Prominence::Part)
                continue;
            const double part = figure.value(answer->solution).value_or(0);
            QVERIFY2(part >= 0, figure.key.data());
            whole += part;
            const std::string total(figure.key);
            if (total.starts_with("exposed_")) {
                exposed += part;
                QVERIFY2(part <= at(total.substr(8)).value_or(0) * (1 + 1e-9), figure.key.data());
            }
        }
        if (both("step_time_s"))
            COMPARE_NEAR(whole, *at("step_time_s"));
        if (both("exposed_comm_time_s"))
            QVERIFY2(std::abs(*at("exposed_comm_time_s") - exposed) <= 1e-9 * *at("step_time_s"),
                qPrintable(QStringLiteral("%1 against %2").arg(*at("exposed_comm_time_s")).arg(exposed)));

        if (both("memory.total_bytes")) {
            double parts = 0;
            for (const auto &figure : allFigures())
                if (figure.group == FigureGroup::Memory)
                    parts += figure.value(answer->solution).value_or(0);
            COMPARE_NEAR(parts, *at("memory.total_bytes"));
            COMPARE_NEAR(*at("memory.share"), *at("memory.total_bytes") / *at("memory.capacity_bytes"));
        }
    }

    void whoFillsThePublishedFraction()
    {
        const auto plan = samplePlans().front().second;
        std::set<std::string> filled;
        for (const auto *model : costModels())
            if (const auto answer = priced(plan, *model); answer && answer->at("bubble_fraction"))
                filled.emplace(model->id());
        QCOMPARE(filled, (std::set<std::string>{"first-order", "strategy-calculator"}));
    }

    void everyModelPricesASample()
    {
        const auto plan = samplePlans().front().second;
        for (const auto *model : costModels())
            QVERIFY2(priced(plan, *model), model->id().data());
    }

    void theLimitOfMemory()
    {
        auto facts = samplePlans().front().second;
        facts.constraints.maxMemoryShare = 0.5;
        const auto answer = priced(facts, **findCostModel("first-order"));
        QVERIFY(answer);
        const double total = *answer->at("memory.total_bytes"), capacity = *answer->at("memory.capacity_bytes");
        COMPARE_NEAR(*answer->at("memory.headroom_bytes"), 0.5 * capacity - total);
        COMPARE_NEAR(*answer->at("memory.share_of_limit"), total / (0.5 * capacity));
    }

    void theTableIsWhole()
    {
        std::set<std::string_view> keys;
        for (const auto &figure : allFigures()) {
            QVERIFY2(keys.insert(figure.key).second, figure.key.data());
            QVERIFY2(!figure.label.empty() && figure.help.ends_with('.') && !figure.absence.empty(), figure.key.data());
            QVERIFY2(narrowLabel(figure).size() <= 22, figure.key.data());
            QVERIFY2(currentKey(figure.key) == figure.key, figure.key.data());
        }
        QVERIFY(!keys.contains("feasible"));
    }

    void olderKeysAreRead()
    {
        QCOMPARE(currentKey("breakdown.tp_s"), std::string_view("exposed_tp_comm_time_s"));
        QCOMPARE(chooseFigure("usd_per_million_tokens")->key, std::string("cost_usd_per_million_tokens"));
        QCOMPARE(chooseFigure("details.dp_exposed_s")->key, std::string("exposed_dp_comm_time_s"));
        QCOMPARE(chooseFigure("memory_bytes")->key, std::string("memory.total_bytes"));
        QVERIFY(chooseFigure("breakdown.sideways_s").error().code == ErrorCode::UnsupportedValue);
    }

    /// The parts of the step that `detailed` reports as details are the figures of every model.
    void ownFiguresRepeatNothing()
    {
        for (const auto *model : costModels())
            for (const auto &own : ownFigures(*model))
                QVERIFY2(own.key.starts_with("details.") && !own.key.ends_with("_exposed_s"), own.key.c_str());
    }

    void columnsTakeOneUnit()
    {
        const std::vector<std::optional<double>> values{16.0, 0.5, std::nullopt, 2e-6};
        const auto column = figureColumn("Step time", units::Dimension::Time, values);
        QCOMPARE(column.title, std::string("Step time [s]"));
        QCOMPARE(column.cells, (std::vector<std::string>{"16.0", "0.500", "-", "2.00\u00a0\u00b5s"}));
    }
};

FLEETWRIGHT_TEST(TestFigures)
#include "tst_figures.moc"
