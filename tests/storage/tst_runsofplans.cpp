// SPDX-License-Identifier: GPL-3.0-or-later
// A run that is made from a plan is predicted as the plan is, digit for digit.
#include "exchange/measuredrundocuments.h"
#include "exchange/storedruns.h"
#include "solver/answer/solve.h"
#include "solver/models/detailed/constantrecords.h"
#include "solver/models/detailed/detailedmodel.h"
#include "solver/models/detailed/pricer.h"
#include "solver/search/bestlayout.h"
#include "solver/validation/asplanned.h"
#include "solver/validation/calibrationruns.h"
#include "solver/validation/ownsite.h"
#include "solver/validation/runconfiguration.h"
#include "solver/validation/runprice.h"
#include "storage/shippedprojects.h"
#include "storage/support.h"
#include "testing/registry.h"

#include <nlohmann/json.hpp>

#include <QtTest>

#include <QTemporaryDir>

#include <set>

using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;
using namespace fleetwright::validation;

class RunsOfPlansTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::vector<std::pair<std::string, PlanDocument>> m_plans; ///< of all samples
    std::optional<Catalog> m_catalog;

    PlanDocument planNamed(const std::string &name) const
    {
        const auto found = std::ranges::find(m_plans, name, [](const auto &plan) { return plan.second.name; });
        return found == m_plans.end() ? PlanDocument() : found->second;
    }

    static MeasuredRun measured(MeasuredRun run, Seconds time)
    {
        run.id = "mine";
        run.measured.stepTime = time;
        return run;
    }

    Seconds predicted(const MeasuredRun &run) const
    {
        const auto configuration = configurationFrom(run);
        if (!configuration)
            qWarning("%s: %s", configuration.error().field.c_str(), configuration.error().message.c_str());
        return configuration ? must(likelyStep(*configuration, must(detailed::constantsOf(*m_catalog)))).mean
                             : Seconds();
    }

    /// As the plan's page has it; nothing where the cost model refuses the plan.
    static std::optional<Seconds> solved(const Plan &plan)
    {
        const auto solution = solve(plan);
        return solution ? solution->estimate.stepTime : std::nullopt;
    }
    /// The same without money, limits and ranges, which take longer.
    static std::optional<Seconds> priced(const Plan &plan)
    {
        const auto configuration = detailed::configurationFrom(plan);
        const auto pricer = configuration ? detailed::Pricer::make(configuration->setting.setting)
                                          : Expected<detailed::Pricer>(std::unexpected(configuration.error()));
        const bool isLegal = pricer && pricer->isLegal(configuration->layout);
        return isLegal ? std::optional(pricer->price(configuration->layout).stepTime) : std::nullopt;
    }

    /// Whether the cost model prices the plan at all.
    bool compare(
        const PlanDocument &document, const std::string &which, std::optional<Seconds> (*of)(const Plan &)) const
    {
        const auto decided = layoutsearch::resolveWithBestLayout(document, *m_catalog);
        const auto step = decided ? of(decided->plan) : std::nullopt;
        if (!step)
            return false;
        const auto made = runLike(document, *m_catalog);
        if (!made) {
            QTest::qFail((which + ": " + made.error().message).c_str(), __FILE__, __LINE__);
            return false;
        }
        const auto run = measured(*made, Seconds::from_value(1.0));
        const auto read = must(exchange::measuredRunFromJson(exchange::measuredRunToJson(run)));
        SharedTexts texts;
        const auto stored = exchange::runFromStoredText(exchange::storedRunText(run), texts);
        const double expected = step->value();
        for (const auto &[how, same] :
            {std::pair("made", run), std::pair("read", read), std::pair("stored", stored.value_or(MeasuredRun()))})
            if (const double got = predicted(same).value(); got != expected)
                QTest::qFail((which + ", " + how + ": " + std::to_string(got) + " s for " + std::to_string(expected)
                                 + " s; " + run.asPlanned)
                                 .c_str(),
                    __FILE__, __LINE__);
        return true;
    }

private slots:
    void initTestCase()
    {
        for (const auto &sample : samples()) {
            const auto path = m_folder.filePath(QString::fromUtf8(sample.name));
            const auto project = must(Project::createSample(path, sample.project));
            m_catalog = must(project->catalog());
            for (const auto &plan : must(project->plans()))
                m_plans.emplace_back(sample.name, plan.document);
        }
        QVERIFY(m_plans.size() > 20);
    }

    void plansOfTheSamples()
    {
        int compared = 0;
        for (auto &[sample, plan] : m_plans) {
            const auto name = sample + ", " + plan.name;
            QCOMPARE(notInRunLike(plan).empty(), plan.costModelId == "detailed");
            plan.costModelId = "detailed";
            compared += compare(plan, name, solved);
        }
        QVERIFY2(compared > 15, qPrintable(QString::number(compared))); // the others do not suit Detailed
    }

    /// Every node of the catalog, under different software, schedules and ways to recompute and to shard.
    void kindsOfHardwareAndSoftware()
    {
        auto plan = planNamed("512 DGX B200, owned");
        plan.bestLayout.reset();
        plan.parallelism = {.tp = 2, .pp = 4, .cp = 1, .ep = 1, .virtualStages = 1, .zeroStage = 1};
        plan.training.microbatchCount.reset();
        plan.training.microbatchSize = 1;
        plan.fleet.nodes = 32;
        using Edits = decltype(Assumptions::edited);
        const auto text = [](const char *value) { return AssumptionValue(std::string(value)); };
        const std::vector<Edits> edits{{}, {{"software_class", text("tuned")}}, {{"software_class", text("research")}},
            {{"software_stack", text("xla")}, {"pp_overlap", text("off")}, {"cuda_graphs", true}},
            {{"software_stack", text("megatron_v2")}, {"attention_kernel", text("none")}, {"dropout", text("off")}},
            {{"straggler_factor", 1.07}, {"pipeline_schedule", text("zero_bubble_1p")}, {"causal_attention", false}},
            {{"pipeline_schedule", text("zero_bubble_2p")}, {"gradient_precision", text("2 bytes")}},
            {{"recompute_share", 0.37}}, {{"shard_group", 8.0}}};
        std::set<std::string> families;
        int compared = 0;
        for (const auto &node : m_catalog->records(CatalogKind::Node))
            for (std::size_t i = 0; i < edits.size(); ++i) {
                plan.fleet.node = node.id;
                plan.assumptions.edited = edits[i];
                plan.training.recompute = edits[i].contains("recompute_share") ? Recompute::Full
                    : i % 2 == 0                                               ? Recompute::None
                                                                               : Recompute::Selective;
                plan.parallelism.zeroStage = edits[i].contains("shard_group") ? 3 : 1;
                plan.parallelism.sequenceParallel = i % 2 == 1;
                plan.parallelism.virtualStages = i % 3 == 1 ? 2 : 1;
                plan.training.precision = i % 4 == 3 ? Precision::Fp8 : i % 4 == 2 ? Precision::Int8 : Precision::Bf16;
                if (!compare(plan, node.id + ", " + std::to_string(i), priced))
                    continue;
                ++compared;
                const auto run = must(runLike(plan, *m_catalog));
                families.insert(run.asPlanned.string().substr(0, run.asPlanned.string().find(';')));
            }
        QVERIFY2(compared > 100, qPrintable(QString::number(compared)));
        QVERIFY2(families.size() > 6, qPrintable(QString::number(families.size())));
    }

    void kindsOfModels()
    {
        auto plan = planNamed("1024 DGX H100, owned");
        plan.bestLayout.reset();
        plan.parallelism = {.tp = 2, .pp = 1, .cp = 1, .ep = 1, .virtualStages = 1, .zeroStage = 1};
        plan.training.microbatchCount.reset();
        plan.training.microbatchSize = 1;
        plan.training.sequenceLength = 2048;
        plan.fleet.nodes = 16;
        int compared = 0, experts = 0, adapters = 0;
        for (const auto &workload : m_catalog->records(CatalogKind::Workload)) {
            plan.workload = workload.id;
            plan.parallelism.ep = workload.number("experts").value_or(0) >= 8 ? 8 : 1;
            plan.training.lora = compared % 3 == 2;
            plan.training.precision = compared % 5 == 4 ? Precision::Int4 : Precision::Bf16;
            plan.assumptions.edited.clear();
            if (plan.training.lora)
                plan.assumptions.edited["lora_base_4bit"] = true;
            if (plan.parallelism.ep > 1)
                plan.assumptions.edited = {{"moe_imbalance_factor", 1.2}, {"expert_tensor_parallel", 2.0}};
            if (!compare(plan, workload.id, priced))
                continue;
            ++compared;
            experts += plan.parallelism.ep > 1;
            adapters += plan.training.lora;
        }
        QVERIFY2(compared > 20 && experts > 3 && adapters > 3, qPrintable(QString::number(compared)));
    }

    /// What a measured run of just this plan says about the plan: nearly what was measured.
    void oneRunOfThePlan()
    {
        const auto plan = planNamed("64 GB200 NVL72, owned");
        const auto decided = must(layoutsearch::resolveWithBestLayout(plan, *m_catalog));
        const auto configuration = must(detailed::configurationFrom(decided.plan));
        const auto run = must(runLike(plan, *m_catalog));
        const auto step = predicted(measured(run, Seconds::from_value(1.0)));
        const auto took = 1.075 * step; // 2.60 s where 2.42 s were predicted
        const auto site = OwnSite::from(
            std::vector{measured(run, took)}, must(detailed::uncalibratedConstantsOf(*m_catalog)));
        QVERIFY(site);
        const auto likely = site->at(configuration.setting.setting, configuration.layout);
        QVERIFY(likely);
        const double off = likely->expected / took - 1;
        QVERIFY2(off < 0 && off > -0.025, qPrintable(QString::number(off)));
        // The dialog's words about it name it first, and once.
        const std::vector<PlanToNarrow> plans{{"Other", configuration.setting.setting, configuration.layout},
            {"Mine", configuration.setting.setting, configuration.layout}};
        auto other = plans;
        other.front().layout.microbatch *= 2;
        const detailed::FittedConstant fitted{.constant = detailed::Constant::Gemm16Blackwell,
            .before = configuration.setting.setting.constants[detailed::Constant::Gemm16Blackwell],
            .after = 0.9 * configuration.setting.setting.constants[detailed::Constant::Gemm16Blackwell]};
        const auto both = shiftsInWords(plans, std::vector{fitted}, site->runs());
        QCOMPARE(both.size(), 1UZ);
        QVERIFY2(both[0].starts_with("A step of \u201cOther\u201d and \u201cMine\u201d, which you measured, takes "),
            both[0].c_str());
        const auto apart = shiftsInWords(other, std::vector{fitted}, site->runs());
        QCOMPARE(apart.size(), 2UZ);
        QVERIFY2(apart[0].starts_with("A step of \u201cMine\u201d, which you measured, takes "), apart[0].c_str());
        QVERIFY2(apart[1].starts_with("A step of \u201cOther\u201d takes "), apart[1].c_str());
    }

    void whatIsTypedReplacesThePlan()
    {
        auto run = measured(must(runLike(planNamed("64 GB200 NVL72, owned"), *m_catalog)), Seconds::from_value(1.0));
        const auto planned = run.asPlanned.string();
        const auto before = must(configurationFrom(run)).setting;
        run.asPlanned = without(planned, PlannedPart::Software);
        run.framework = "Megatron-Core";
        const auto software = must(configurationFrom(run)).setting;
        QVERIFY(software.stack.software == detailed::Software::MegatronCore && software.attentionKernel == 3);
        QVERIFY(software.machine == before.machine);
        run.asPlanned = without(planned, PlannedPart::Hardware);
        const auto hardware = must(configurationFrom(run)).setting;
        QVERIFY(hardware.machine != before.machine && hardware.stack == before.stack);
        run.accelerator = "of my own";
        QVERIFY(!configurationFrom(run));
        run.asPlanned = planned; // which has all figures
        QVERIFY(must(configurationFrom(run)).setting.machine == before.machine);
        QVERIFY(requireKnownMachines(std::vector{run}));
        run.asPlanned = without(planned, PlannedPart::Domain);
        QVERIFY(!configurationFrom(run));
    }

    void textsThatAreNoPlan_data()
    {
        QTest::addColumn<QString>("text");
        for (const char *text : {"peak_16", "=3", "peak_16=fast", "peak_16=-1", "peak_16=0", "peak_16=1e400",
                 "scale_up_domain=2.5", "families=Zen", "families=near ", "families=Hopper, A100", "colour=blue",
                 "gemm_Hopper=0.5", "tp_overlap=perhaps", "straggler_factor=-2", "cuda_graphs=true"})
            QTest::newRow(text) << QString::fromUtf8(text);
    }
    void textsThatAreNoPlan()
    {
        QFETCH(QString, text);
        const auto read = AsPlanned::fromText(text.toStdString());
        QVERIFY(!read);
        QCOMPARE(read.error().field, std::string("as_planned"));
        auto run = measured(must(runLike(planNamed("64 GB200 NVL72, owned"), *m_catalog)), Seconds::from_value(1.0));
        run.asPlanned = text.toStdString();
        const auto skipped = calibrationRuns(std::vector{run}).skipped;
        QCOMPARE(skipped.size(), 1UZ);
        QVERIFY2(skipped.front().reason.find("not understood") != std::string::npos, skipped.front().reason.c_str());
    }
};

FLEETWRIGHT_TEST(RunsOfPlansTest)
#include "tst_runsofplans.moc"
