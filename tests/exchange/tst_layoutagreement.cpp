// SPDX-License-Identifier: GPL-3.0-or-later
// What a search calls feasible is what solve() calls feasible: all kinds of workloads of the shipped catalog, all cost
// models, all rules of layouts, all limits.
#include "domain/layout.h"
#include "exchange/exchangetesting.h"
#include "solver/answer/figures.h"
#include "solver/answer/solve.h"
#include "solver/search/verdict.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace fleetwright;
using layoutsearch::Exclusion;

namespace {

const Catalog &catalog()
{
    static const Catalog files = exchangetesting::shippedFiles();
    return files;
}

layoutsearch::Request requestOf(const Plan &plan)
{
    layoutsearch::Request request{
        .cases = {{.label = {}, .plan = plan}}, .space = {}, .costModelId = plan->costModelId};
    request.space.tpAcrossDomains = request.space.unevenChunks = true; // what is left out is a choice, not a rule
    return request;
}

Plan with(const Plan &plan, const Layout &layout)
{
    auto facts = *plan;
    facts.parallelism = parallelismOf(layout);
    facts.training = trainingOf(layout, facts.training);
    return Plan::create(std::move(facts)).value();
}

Plan with(const Plan &plan, const Constraints &constraints)
{
    auto facts = *plan;
    facts.constraints = constraints;
    return Plan::create(std::move(facts)).value();
}

/// A layout as the search and as solve() judge it.
struct Judged {
    layoutsearch::Verdict verdict;
    Expected<Solution> solution;
};

bool broken(const Solution &solution, std::string_view key)
{
    return std::ranges::any_of(solution.trace,
        [key](const TraceEntry &entry) { return entry.constraint == key && entry.decided && !entry.holds; });
}

/// What is wrong with a judgement; empty when both agree, also on the reason.
std::string disagreement(const Judged &judged)
{
    const auto &excluded = judged.verdict.excluded;
    const auto words = inWords(judged.verdict.layout) + ": the search says "
        + (excluded ? std::string(toString(*excluded)) : std::string("feasible")) + ", solve() says ";
    if (!judged.solution)
        return excluded && isIllegal(*excluded) ? std::string() : words + judged.solution.error().message;
    const auto &solution = *judged.solution;
    if (solution.feasible != !excluded) {
        std::string reasons;
        for (const auto &entry : solution.trace)
            if (entry.decided && !entry.holds)
                reasons += " " + entry.sentence;
        return words + (solution.feasible ? "feasible" : "infeasible:" + reasons);
    }
    if (!excluded || *excluded == Exclusion::ModelRefuses)
        return {};
    const bool named = *excluded == Exclusion::Memory
        ? broken(solution, keyOf(Limit::MemoryCapacity)) || broken(solution, keyOf(Limit::MaxMemoryFraction))
        : broken(solution, toString(*excluded));
    return named ? std::string() : words + "another reason";
}

Judged judge(const Plan &plan, const Layout &layout)
{
    return {layoutsearch::judge(requestOf(plan), layout, 0).value(), solve(with(plan, layout))};
}

std::vector<Layout> layoutsOf(const LayoutSearchOptions &priced)
{
    std::vector<Layout> layouts;
    for (const int tp : {1, 2, 3, 8, 16, 24})
        for (const int cp : priced.has(LayoutSearchOption::Cp) ? std::vector{1, 2} : std::vector{1})
            for (const int pp : {1, 2, 3})
                for (const int ep : {1, 2, 3})
                    for (const int microbatch : {1, 5})
                        for (const int stages : {1, 2, 20})
                            layouts.push_back({.tp = tp,
                                .cp = cp,
                                .pp = pp,
                                .ep = ep,
                                .virtualStages = stages,
                                .microbatchSize = microbatch});
    if (priced.has(LayoutSearchOption::ZeroStage))
        for (const int tp : {1, 8})
            layouts.push_back({.tp = tp, .recompute = Recompute::Full, .zeroStage = 3});
    return layouts;
}

} // namespace

class LayoutAgreementTest : public QObject {
    Q_OBJECT
private slots:
    void onRules_data() { rows(); }
    void onRules();
    void onLimits_data() { rows(); }
    void onLimits();
    void onRanksThatAreIgnored_data() { rows(); }
    void onRanksThatAreIgnored();
    void onCostWithoutATokenBudget_data() { rows(); }
    void onCostWithoutATokenBudget();
    void onSettingsOfOperations();

private:
    void rows();
    [[nodiscard]] Plan plan(int batch) const;
};

void LayoutAgreementTest::rows()
{
    QTest::addColumn<QString>("workload");
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("variant");
    for (const auto *workload :
        {"llama3_1_8b", "mixtral_8x7b", "nemotron_h_56b", "mamba_2_8b", "resnet_50", "dlrm_100gb"})
        for (const auto *model : costModels()) {
            const auto id = utf8(model->id());
            QTest::addRow("%s, %s", workload, qPrintable(id)) << QString::fromUtf8(workload) << id << QString();
            if (id == QLatin1String("first-order"))
                QTest::addRow("%s, unsharded", workload)
                    << QString::fromUtf8(workload) << id << QStringLiteral("unsharded");
            if (id == QLatin1String("dp-wall"))
                QTest::addRow("%s, corrected", workload)
                    << QString::fromUtf8(workload) << id << QStringLiteral("corrected");
        }
}

/// 48 accelerators: TP 3 and DP 3 are possible, and straddle domains or do not divide the batch.
Plan LayoutAgreementTest::plan(int batch) const
{
    QFETCH(const QString, workload);
    QFETCH(const QString, model);
    QFETCH(const QString, variant);
    PlanDocument document{.name = "agreement",
        .workload = workload.toStdString(),
        .fleet = {.name = {}, .node = std::string("nvidia_dgx_h100"), .nodes = 6, .fabric = std::string("ib_ndr")},
        .costModelId = model.toStdString()};
    document.training = {.globalBatch = batch,
        .microbatchCount = std::nullopt,
        .microbatchSize = 1,
        .sequenceLength = 1024,
        .tokenBudget = 1e12};
    if (!variant.isEmpty())
        document.assumptions.edited["variant"] = variant.toStdString();
    auto resolved = resolve(document, catalog());
    if (!resolved)
        qFatal("%s", resolved.error().message.c_str());
    return std::move(*resolved);
}

void LayoutAgreementTest::onRules()
{
    const auto base = plan(240);
    const auto &model = *findCostModel(base->costModelId).value();
    if (const auto refused = layoutsearch::judge(requestOf(base), {}, 0); !refused) {
        QVERIFY(!solve(base)); // neither prices the workload at all
        return;
    }
    int feasible = 0;
    for (const auto &layout : layoutsOf(model.layoutSearchTraits().options)) {
        const auto judged = judge(base, layout);
        QCOMPARE(disagreement(judged), std::string());
        feasible += judged.verdict.excluded ? 0 : 1;
        if (!judged.verdict.excluded || isInfeasible(*judged.verdict.excluded))
            QCOMPARE(judged.verdict.layout.dp, judged.solution->estimate.dp);
    }
    if (model.layoutSearchTraits().memory && model.layoutSearchTraits().splits)
        QVERIFY(feasible < int(layoutsOf(model.layoutSearchTraits().options).size()));
}

void LayoutAgreementTest::onLimits()
{
    const auto base = plan(240);
    const auto &model = *findCostModel(base->costModelId).value();
    if (!layoutsearch::judge(requestOf(base), {}, 0))
        return;
    int tried = 0;
    for (const auto &layout : layoutsOf(model.layoutSearchTraits().options)) {
        const auto free = solve(with(base, layout));
        if (!free || !free->feasible || ++tried > 2)
            continue;
        const auto &estimate = free->estimate;
        // What the limit is held against, to the last bit: a limit that nothing breaks says it.
        const auto needed = [&](Limit limit, void (*set)(Constraints &, double)) -> std::optional<double> {
            constexpr double unlimited = 1e300;
            Constraints constraints;
            set(constraints, unlimited);
            const auto solution = solve(with(with(base, constraints), layout));
            const auto entry = std::ranges::find(solution->trace, keyOf(limit), &TraceEntry::constraint);
            return entry->decided ? std::optional(entry->needed) : std::nullopt;
        };
        constexpr auto setDeadline = [](Constraints &limits, double v) { limits.deadline = v * second; };
        constexpr auto setRunCost = [](Constraints &limits, double v) { limits.runCost = v * dollar; };
        constexpr auto setCapital = [](Constraints &limits, double v) { limits.capital = v * dollar; };
        constexpr auto setYearly = [](Constraints &limits, double v) { limits.yearlyCost = v * dollar; };
        constexpr auto setPower = [](Constraints &limits, double v) { limits.facilityPower = v * watt; };
        struct Case {
            Limit limit;
            std::optional<double> figure;
            void (*set)(Constraints &, double);
        };
        const Case cases[]{
            {Limit::MaxMemoryFraction,
                estimate.memory ? std::optional<double>(estimate.memory->total / estimate.memory->capacity)
                                : std::nullopt,
                [](Constraints &limits, double v) { limits.maxMemoryShare = v; }},
            {Limit::DeadlineDays, needed(Limit::DeadlineDays, setDeadline), setDeadline},
            {Limit::RunCostUsd, needed(Limit::RunCostUsd, setRunCost), setRunCost},
            {Limit::CapitalUsd, needed(Limit::CapitalUsd, setCapital), setCapital},
            {Limit::YearlyCostUsd, needed(Limit::YearlyCostUsd, setYearly), setYearly},
            {Limit::MaxFacilityMw, needed(Limit::MaxFacilityMw, setPower), setPower},
            {Limit::MinMfu, estimate.mfu, [](Constraints &limits, double v) { limits.minMfu = v; }},
            {Limit::MaxStepTimeS, estimate.stepTime ? std::optional(estimate.stepTime->value()) : std::nullopt,
                [](Constraints &limits, double v) { limits.maxStepTime = v * second; }}};
        for (const auto &[limit, figure, set] : cases)
            for (const double direction : {-1.0, 0.0, 1.0}) {
                const double allowed = !figure ? 0.5
                    : direction == 0           ? *figure
                                               : std::nextafter(*figure, direction < 0 ? 0.0 : 1e300);
                if ((limit == Limit::MinMfu || limit == Limit::MaxMemoryFraction) && (allowed > 1 || allowed < 0.001))
                    continue;
                Constraints constraints;
                set(constraints, allowed);
                const auto judged = judge(with(base, constraints), layout);
                QCOMPARE(disagreement(judged), std::string());
                const bool tight = figure && (limit == Limit::MinMfu ? allowed > *figure : allowed < *figure);
                QVERIFY2(judged.verdict.excluded.has_value() == tight, keyOf(limit).data());
                QVERIFY2(broken(*judged.solution, keyOf(limit)) == tight, keyOf(limit).data());
            }
    }
    if (base->workload->id == "llama3_1_8b")
        QVERIFY(tried > 0); // some layouts fit with every model
}

/// What a model that does not split ignores makes no plan infeasible, and a search of it finds what solve() prices.
void LayoutAgreementTest::onRanksThatAreIgnored()
{
    const auto base = plan(240);
    const auto &model = *findCostModel(base->costModelId).value();
    if (model.layoutSearchTraits().splits || !solve(base))
        return;
    for (const auto &layout : {Layout{.tp = 3}, Layout{.tp = 24, .pp = 3}, Layout{.cp = 5}, Layout{.ep = 7},
             Layout{.pp = 2, .virtualStages = 20}, Layout{.virtualStages = 2}}) {
        const auto asked = with(base, layout);
        const auto solution = solve(asked);
        QVERIFY(solution && solution->feasible);
        QVERIFY(solution->estimate.notices.has(Notice::SplitIgnored)
            || solution->estimate.notices.has(Notice::SettingsIgnored));
        auto request = requestOf(asked);
        request.space = {}; // as somebody searches who asks for nothing
        const auto found = layoutsearch::run(request);
        QVERIFY(found && found->best());
        QCOMPARE(found->best()->stepSeconds, solution->estimate.stepTime->value());
        QCOMPARE(found->best()->layout.dp, solution->estimate.dp);
        const auto judged = judge(base, layout);
        QCOMPARE(disagreement(judged), std::string());
        QVERIFY(!judged.verdict.excluded);
    }
}

void LayoutAgreementTest::onCostWithoutATokenBudget()
{
    auto facts = *plan(240);
    facts.training.tokenBudget = std::nullopt;
    auto workload = *facts.workload;
    workload.trainingTokens = std::nullopt;
    facts.workload = Workload::create(workload).value();
    const auto base = Plan::create(facts).value();
    auto request = requestOf(base);
    const auto &model = *findCostModel(base->costModelId).value();
    request.objective = model.layoutSearchTraits().time ? LayoutSearchObjective::StepTime
                                                        : LayoutSearchObjective::MemoryHeadroom;
    const auto found = layoutsearch::run(request);
    if (!found || !found->best())
        return;
    const auto &row = *found->best();
    const auto solution = solve(with(base, row.layout));
    QVERIFY(solution);
    const double searched = valueOf(LayoutSearchObjective::CostPerToken, row, found->factsOf(row));
    const auto solved = figureOf(*solution, "cost_usd_per_million_tokens");
    QCOMPARE(std::isfinite(searched), solved.has_value());
    if (solved)
        QVERIFY2(std::abs(searched / *solved - 1) < 1e-12, qPrintable(QString::number(searched / *solved)));
}

void LayoutAgreementTest::onSettingsOfOperations()
{
    PlanDocument document{.name = "agreement",
        .workload = std::string("llama3_1_8b"),
        .fleet = {.name = {}, .node = std::string("nvidia_dgx_h100"), .nodes = 6, .fabric = std::string("ib_ndr")},
        .costModelId = "detailed"};
    document.training.globalBatch = 240;
    document.assumptions.edited["operations.pue"] = 0.5;
    const auto base = resolve(document, catalog()).value();
    const auto searched = layoutsearch::run(requestOf(base));
    const auto solution = solve(base);
    QVERIFY(!searched && !solution);
    QCOMPARE(searched.error().message, solution.error().message);
}

FLEETWRIGHT_TEST(LayoutAgreementTest)
#include "tst_layoutagreement.moc"
