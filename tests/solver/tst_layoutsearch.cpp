// SPDX-License-Identifier: GPL-3.0-or-later
// The search against a plain nested loop over the whole space, which prices every layout by itself as a plan.
#include "solver/plainsearch.h"
#include "solver/search/resultbytes.h"
#include "solver/searchsample.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <set>
#include <thread>

using namespace fleetwright;
using layoutsearch::Exclusion;
using plainsearch::PlainSearch;

namespace {

/// Better, then faster, then earlier in the order of layouts.
auto rankOf(const layoutsearch::Row &row, const layoutsearch::Result &result)
{
    const double value = layoutsearch::valueOf(result.objective, row, result.cases.front());
    return std::tuple(layoutsearch::lessIsBetter(result.objective) ? value : -value,
        std::isnan(row.stepSeconds) ? 0 : row.stepSeconds, row.layout);
}

void sameRow(const layoutsearch::Row &row, const layoutsearch::Row &expected)
{
    QVERIFY2(row.layout == expected.layout, (inWords(row.layout) + " instead of " + inWords(expected.layout)).c_str());
    QVERIFY(
        row.stepSeconds == expected.stepSeconds || (std::isnan(row.stepSeconds) && std::isnan(expected.stepSeconds)));
    QVERIFY(
        row.memoryBytes == expected.memoryBytes || (std::isnan(row.memoryBytes) && std::isnan(expected.memoryBytes)));
}

PlanFacts withModel(PlanFacts plan, const char *model)
{
    plan.costModelId = model;
    return plan;
}

PlanFacts with(PlanFacts plan, const Constraints &constraints)
{
    plan.constraints = constraints;
    return plan;
}

} // namespace

class SearchTest : public QObject {
    Q_OBJECT
private slots:
    void equalsPlainLoop_data();
    void equalsPlainLoop();
    void independentOfThreadsPruningAndParts_data();
    void independentOfThreadsPruningAndParts();
    void bytesRoundTrip();
    void severalCases();
    void limitsOfThePlan();
    void referenceIsCounted();
    void withinOneSplit();
    void snapshotsGrowIntoTheAnswer();
    void cancelled();
    void refusals_data();
    void refusals();
};

void SearchTest::equalsPlainLoop_data()
{
    QTest::addColumn<PlanFacts>("plan");
    QTest::addColumn<LayoutSearchSpace>("space");
    QTest::addColumn<LayoutSearchObjective>("objective");
    LayoutSearchSpace any, loose, narrow;
    loose.tpAcrossDomains = loose.unevenChunks = true;
    narrow[LayoutSearchOption::Tp] = {2, 4, 8};
    narrow[LayoutSearchOption::MicrobatchSize] = {1, 2, 3, 5};
    narrow[LayoutSearchOption::ZeroStage] = {1};
    narrow[LayoutSearchOption::Recompute] = {0, 2};
    narrow[LayoutSearchOption::VirtualStages] = {1, 2, 4};
    narrow[LayoutSearchOption::Dp] = {1, 2, 4, 8};
    QTest::newRow("13B on 64, step time") << searchsample::gpt13() << any << LayoutSearchObjective::StepTime;
    QTest::newRow("13B on 64, headroom") << searchsample::gpt13() << any << LayoutSearchObjective::MemoryHeadroom;
    QTest::newRow("13B on 64, everything allowed") << searchsample::gpt13() << loose << LayoutSearchObjective::Mfu;
    QTest::newRow("13B on 64, narrow") << searchsample::gpt13() << narrow << LayoutSearchObjective::CostPerToken;
    QTest::newRow("experts, step time") << searchsample::experts() << any << LayoutSearchObjective::StepTime;
    QTest::newRow("experts, tokens per second, half the memory")
        << with(searchsample::experts(), {.maxMemoryShare = 0.5}) << any << LayoutSearchObjective::TokensPerSecond;
    QTest::newRow("experts, headroom") << searchsample::experts() << loose << LayoutSearchObjective::MemoryHeadroom;
    QTest::newRow("long sequences, tokens per second")
        << searchsample::llama70() << any << LayoutSearchObjective::TokensPerSecond;
    QTest::newRow("long sequences, MFU limit")
        << with(searchsample::llama70(), {.minMfu = 0.35}) << any << LayoutSearchObjective::CostPerToken;
    QTest::newRow("first-order") << withModel(searchsample::gpt13(), "first-order") << any
                                 << LayoutSearchObjective::StepTime;
    QTest::newRow("first-order, experts")
        << withModel(searchsample::experts(), "first-order") << any << LayoutSearchObjective::Mfu;
    QTest::newRow("searcher") << withModel(searchsample::gpt13(), "searcher") << any << LayoutSearchObjective::StepTime;
    QTest::newRow("strategy-calculator") << withModel(searchsample::gpt13(), "strategy-calculator") << any
                                         << LayoutSearchObjective::MemoryHeadroom;
    QTest::newRow("cube") << withModel(searchsample::gpt13(), "cube") << any << LayoutSearchObjective::Mfu;
    QTest::newRow("dp-wall") << withModel(searchsample::gpt13(), "dp-wall") << any << LayoutSearchObjective::StepTime;
}

void SearchTest::equalsPlainLoop()
{
    QFETCH(const PlanFacts, plan);
    QFETCH(const LayoutSearchSpace, space);
    QFETCH(const LayoutSearchObjective, objective);
    auto request = searchsample::requestOf(plan, objective);
    request.space = space;
    request.rows = 100;
    const auto result = layoutsearch::run(request);
    QVERIFY2(result.has_value(), result ? "" : result.error().message.c_str());

    auto plain = PlainSearch(request).run();
    std::ranges::sort(plain.feasible, {}, [&](const layoutsearch::Row &row) { return rankOf(row, *result); });
    const auto counts = result->total();
    QCOMPARE(counts.feasible, plain.feasible.size());
    if (!plan.constraints.minMfu)
        QCOMPARE(counts.infeasible(), plain.tooLarge);
    QCOMPARE(counts[Exclusion::Memory], plain.tooLarge);
    QCOMPARE(result->rows.size(), std::min<std::size_t>(request.rows, plain.feasible.size()));
    for (std::size_t i = 0; i < result->rows.size(); ++i)
        sameRow(result->rows[i], plain.feasible[i]);

    std::map<Split, layoutsearch::Row> best;
    std::map<Split, std::uint64_t> feasible;
    for (const auto &row : plain.feasible) {
        best.try_emplace(splitOf(row.layout), row); // the first is the best
        ++feasible[splitOf(row.layout)];
    }
    std::size_t found = 0;
    for (const auto &group : result->groups) {
        QCOMPARE(group.best.has_value(), best.contains(group.split));
        if (!group.best)
            continue;
        ++found;
        sameRow(*group.best, best.at(group.split));
        QCOMPARE(group.feasible, feasible.at(group.split));
    }
    QCOMPARE(found, best.size());

    // Step time and memory: a row is on the front unless another is no worse in both and better in one, or equal and
    // earlier.
    std::vector<layoutsearch::Row> front;
    for (const auto &row : plain.feasible) {
        const bool beaten = std::isnan(row.stepSeconds) || std::isnan(row.memoryBytes)
            || std::ranges::any_of(plain.feasible, [&row](const layoutsearch::Row &other) {
                   const bool noWorse = other.stepSeconds <= row.stepSeconds && other.memoryBytes <= row.memoryBytes;
                   const bool equal = other.stepSeconds == row.stepSeconds && other.memoryBytes == row.memoryBytes;
                   return noWorse && (!equal || other.layout < row.layout);
               });
        if (!beaten)
            front.push_back(row);
    }
    std::ranges::sort(front, {}, &layoutsearch::Row::stepSeconds);
    QCOMPARE(result->front.size(), front.size());
    for (std::size_t i = 0; i < front.size(); ++i)
        sameRow(result->front[i], front[i]);
}

void SearchTest::independentOfThreadsPruningAndParts_data()
{
    QTest::addColumn<PlanFacts>("plan");
    QTest::addColumn<LayoutSearchObjective>("objective");
    QTest::newRow("175B on 512, step time") << searchsample::gpt175(64) << LayoutSearchObjective::StepTime;
    QTest::newRow("175B on 512, headroom") << searchsample::gpt175(64) << LayoutSearchObjective::MemoryHeadroom;
    QTest::newRow("long sequences") << searchsample::llama70() << LayoutSearchObjective::Mfu;
    QTest::newRow("experts") << searchsample::experts() << LayoutSearchObjective::TokensPerSecond;
    QTest::newRow("first-order") << withModel(searchsample::gpt13(), "first-order") << LayoutSearchObjective::StepTime;
    QTest::newRow("strategy-calculator") << withModel(searchsample::gpt13(), "strategy-calculator")
                                         << LayoutSearchObjective::MemoryHeadroom;
}

void SearchTest::independentOfThreadsPruningAndParts()
{
    QFETCH(const PlanFacts, plan);
    QFETCH(const LayoutSearchObjective, objective);
    auto request = searchsample::requestOf(plan, objective);
    request.rows = 50;
    layoutsearch::Effort pruned, whole;
    const auto expected = layoutsearch::run(request, {.threads = 1}, &pruned).value();
    QVERIFY(!expected.rows.empty());
    for (const int threads : {2, 3, 8})
        QVERIFY(sameAnswer(layoutsearch::run(request, {.threads = threads}).value(), expected));
    request.pruning = false;
    QVERIFY(sameAnswer(layoutsearch::run(request, {}, &whole).value(), expected));
    QCOMPARE(whole.pruned, 0U);
    QCOMPARE(whole.priced, expected.total().feasible);
    QVERIFY(pruned.priced <= whole.priced);
    request.pruning = true;
    for (const int parts : {2, 4, 7}) {
        auto merged = layoutsearch::run(request, {.threads = 1, .part = 0, .parts = parts}).value();
        for (int part = 1; part < parts; ++part)
            merged = layoutsearch::merge(
                layoutsearch::run(request, {.threads = 1, .part = part, .parts = parts}).value(), std::move(merged),
                request.rows);
        QVERIFY(sameAnswer(merged, expected));
    }
}

void SearchTest::bytesRoundTrip()
{
    auto request = searchsample::requestOf(searchsample::gpt13());
    auto refusing = searchsample::gpt13();
    refusing.training.precision = Precision::Fp32;
    request.cases.front().label = "one";
    request.cases.push_back({.label = "refused", .plan = Plan::create(refusing).value()});
    const auto result = layoutsearch::run(request).value();
    QVERIFY(result.cases[1].refused);
    const auto bytes = layoutsearch::toBytes(result);
    QVERIFY(sameAnswer(layoutsearch::fromBytes(bytes).value(), result));
    for (const std::size_t length :
        {std::size_t(0), std::size_t(10), std::size_t(60), bytes.size() / 2, bytes.size() - 1})
        QCOMPARE(int(layoutsearch::fromBytes(std::string_view(bytes).substr(0, length)).error().code),
            int(ErrorCode::ParseError));
    QVERIFY(!layoutsearch::fromBytes(bytes + "x"));
}

/// Over several fleets: what each answers alone, and together the best of all.
void SearchTest::severalCases()
{
    auto both = searchsample::requestOf(searchsample::gpt13(), LayoutSearchObjective::CostPerToken);
    auto slow = searchsample::gpt13();
    auto fabric = sampleplan::fabric();
    fabric.portBandwidth = 1.0 * gigabytePerSecond;
    slow.fleet = Fleet::create(sampleplan::fleet(searchsample::a100Node(), fabric, 16)).value();
    both.cases.push_back({.label = "slow", .plan = Plan::create(slow).value()});
    both.pareto = {ParetoAxis::StepTime, ParetoAxis::Accelerators};
    const auto together = layoutsearch::run(both).value();
    QCOMPARE(together.cases.size(), 2U);
    QCOMPARE(together.cases[1].accelerators, 128);
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < 2; ++i) {
        auto one = both;
        one.cases = {both.cases[i]};
        const auto alone = layoutsearch::run(one).value();
        QVERIFY(alone.counts.front() == together.counts[i]);
        const auto group = std::ranges::find(together.groups, int(i), &layoutsearch::Group::caseIndex);
        QVERIFY(group->best->layout == alone.best()->layout);
        best = std::min(
            best, layoutsearch::valueOf(LayoutSearchObjective::CostPerToken, *alone.best(), alone.cases.front()));
    }
    QCOMPARE(layoutsearch::valueOf(
                 LayoutSearchObjective::CostPerToken, *together.best(), together.factsOf(*together.best())),
        best);
    // More accelerators are only worth showing when they are faster.
    for (std::size_t i = 1; i < together.front.size(); ++i) {
        QVERIFY(together.front[i].stepSeconds > together.front[i - 1].stepSeconds);
        QVERIFY(
            together.factsOf(together.front[i]).accelerators < together.factsOf(together.front[i - 1]).accelerators);
    }
}

void SearchTest::limitsOfThePlan()
{
    auto plan = searchsample::gpt13();
    auto rented = *plan.fleet;
    rented.costs.paying = Paying::Rent;
    plan.fleet = Fleet::create(std::move(rented)).value();
    const auto free = layoutsearch::run(searchsample::requestOf(plan)).value();
    const double middle = free.rows[free.rows.size() / 2].stepSeconds;
    const auto faster = [&free](double limit) {
        return std::uint64_t(std::ranges::count_if(
            free.rows, [limit](const layoutsearch::Row &row) { return row.stepSeconds <= limit; }));
    };

    plan.constraints.maxStepTime = middle * second;
    auto limited = layoutsearch::run(searchsample::requestOf(plan)).value();
    QCOMPARE(limited.total().feasible, faster(middle));
    QCOMPARE(limited.total()[Exclusion::StepTime] + limited.total().feasible, free.total().feasible);
    QVERIFY(limited.best()->layout == free.best()->layout);

    // Tokens / (batch x sequence) steps of this length, the last one whole; nothing fails.
    plan.constraints = {};
    plan.training.tokenBudget = 1e9;
    const double steps = std::ceil(1e9 / (128.0 * 2048.0));
    plan.constraints.deadline = steps * middle * (1 + 1e-9) * second;
    limited = layoutsearch::run(searchsample::requestOf(plan)).value();
    QCOMPARE(limited.total().feasible, faster(middle));
    QVERIFY(limited.total()[Exclusion::Deadline] > 0);

    plan.constraints = {.runCost = steps * middle * (1 + 1e-9) * 64.0 * 2.0 / 3600.0 * dollar};
    limited = layoutsearch::run(searchsample::requestOf(plan)).value();
    QCOMPARE(limited.total().feasible, faster(middle));
    QVERIFY(limited.total()[Exclusion::Budget] > 0);

    // What a search calls feasible is what solve() calls feasible, limit by limit.
    const std::vector<Constraints> limits{Constraints{.deadline = steps * middle * (1 + 1e-9) * second},
        Constraints{.runCost = steps * middle * (1 + 1e-9) * 64.0 * 2.0 / 3600.0 * dollar},
        Constraints{.maxStepTime = middle * second}, Constraints{.minMfu = free.rows[free.rows.size() / 2].mfu},
        Constraints{.maxMemoryShare = 0.5}, Constraints{.facilityPower = 1.0 * kilowatt}};
    for (const auto &constraints : limits) {
        plan.constraints = constraints;
        auto request = searchsample::requestOf(plan);
        request.rows = std::size_t(mostLayoutSearchRows);
        std::set<Layout> feasible;
        const auto answer = layoutsearch::run(request).value();
        for (const auto &row : answer.rows)
            feasible.insert(row.layout);
        for (std::size_t i = 0; i < free.rows.size(); i += 7) {
            auto facts = plan;
            facts.parallelism = parallelismOf(free.rows[i].layout);
            facts.training = trainingOf(free.rows[i].layout, plan.training);
            const auto solution = solve(Plan::create(facts).value());
            QCOMPARE(solution->feasible, feasible.contains(free.rows[i].layout));
        }
    }

    plan.constraints = {.facilityPower = 1.0 * kilowatt};
    limited = layoutsearch::run(searchsample::requestOf(plan)).value();
    QCOMPARE(limited.total().feasible, 0U);
    QCOMPARE(limited.total()[Exclusion::Power], free.total().feasible);
    QVERIFY(!limited.best());
}

void SearchTest::referenceIsCounted()
{
    auto request = searchsample::requestOf(searchsample::gpt13());
    request.rows = std::size_t(mostLayoutSearchRows);
    const auto all = layoutsearch::run(request).value();
    for (const std::size_t place : {std::size_t(0), std::size_t(10), all.rows.size() / 2, all.rows.size() - 1}) {
        request.rows = 5;
        request.referenceSeconds = all.rows[place].stepSeconds;
        const auto expected = std::uint64_t(std::ranges::count_if(
            all.rows, [&](const layoutsearch::Row &row) { return row.stepSeconds < all.rows[place].stepSeconds; }));
        QCOMPARE(layoutsearch::run(request).value().total().faster, expected);
    }
}

void SearchTest::withinOneSplit()
{
    const auto request = searchsample::requestOf(searchsample::gpt13());
    const auto all = layoutsearch::run(request).value();
    for (const std::size_t place : {std::size_t(0), all.groups.size() / 2}) {
        const auto &group = all.groups[place];
        const auto inside = layoutsearch::run(layoutsearch::within(request, group.split, 0)).value();
        QCOMPARE(inside.rows.size(), group.feasible);
        QCOMPARE(inside.total().feasible, group.feasible);
        QCOMPARE(inside.total().infeasible(), group.infeasible);
        QCOMPARE(inside.groups.size(), 1U);
        if (group.best)
            sameRow(inside.rows.front(), *group.best);
    }
}

void SearchTest::snapshotsGrowIntoTheAnswer()
{
    const auto request = searchsample::requestOf(searchsample::gpt175(64));
    double share = 0;
    std::vector<layoutsearch::Snapshot> snapshots;
    const auto result = layoutsearch::run(request,
        {.progress =
                [&](const layoutsearch::Snapshot &snapshot) {
                    snapshots.push_back(snapshot);
                    QVERIFY(snapshot.share >= share && snapshot.share <= 1);
                    share = snapshot.share;
                },
            .millisecondsBetween = 0})
                            .value();
    QVERIFY(snapshots.size() > 2);
    for (const auto &snapshot : snapshots) {
        const auto &partial = *snapshot.partial;
        QCOMPARE(partial.groups.size(), result.groups.size());
        QVERIFY(partial.total().feasible <= result.total().feasible);
        if (partial.best())
            QVERIFY(partial.best()->stepSeconds >= result.best()->stepSeconds);
        QVERIFY(std::ranges::is_sorted(partial.rows, {}, &layoutsearch::Row::stepSeconds));
    }
    QCOMPARE(share, 1.0);
    QVERIFY(snapshots.back().partial->total() == result.total());
}

void SearchTest::cancelled()
{
    const auto request = searchsample::requestOf(searchsample::gpt175(64));
    std::stop_source stop;
    int calls = 0;
    const auto result = layoutsearch::run(request,
        {.progress =
                [&](const layoutsearch::Snapshot &) {
                    ++calls;
                    stop.request_stop();
                },
            .millisecondsBetween = 0,
            .stop = stop.get_token()});
    QCOMPARE(int(result.error().code), int(ErrorCode::Cancelled));
    QVERIFY(calls >= 1);
}

void SearchTest::refusals_data()
{
    QTest::addColumn<PlanFacts>("plan");
    QTest::addColumn<LayoutSearchSpace>("space");
    QTest::addColumn<LayoutSearchObjective>("objective");
    QTest::addColumn<QString>("field");
    LayoutSearchSpace any, falling, several;
    falling[LayoutSearchOption::Tp] = {4, 2};
    several[LayoutSearchOption::ZeroStage] = {0, 1};
    auto fp32 = searchsample::gpt13();
    fp32.training.precision = Precision::Fp32;
    auto noPrice = searchsample::gpt13();
    auto facts = *(*noPrice.fleet).node;
    auto accelerator = *facts.accelerator;
    accelerator.cloudPriceLow = std::nullopt;
    facts.accelerator = Accelerator::create(accelerator).value();
    auto fleetWithout = sampleplan::fleet(facts, sampleplan::fabric(), 8);
    fleetWithout.costs.figures.clear();
    noPrice.fleet = Fleet::create(std::move(fleetWithout)).value();
    QTest::newRow("values that fall") << searchsample::gpt13() << falling << LayoutSearchObjective::StepTime
                                      << "space.tp";
    QTest::newRow("an option the model does not price") << withModel(searchsample::gpt13(), "searcher") << several
                                                        << LayoutSearchObjective::StepTime << "space.zero_stage";
    QTest::newRow("memory unknown") << withModel(searchsample::gpt13(), "searcher") << any
                                    << LayoutSearchObjective::MemoryHeadroom << "objective";
    QTest::newRow("time unknown") << withModel(searchsample::gpt13(), "strategy-calculator") << any
                                  << LayoutSearchObjective::StepTime << "objective";
    QTest::newRow("no price") << noPrice << any << LayoutSearchObjective::CostPerToken << "objective";
    QTest::newRow("the model refuses") << fp32 << any << LayoutSearchObjective::StepTime << "training.precision";
    QTest::newRow("no such model") << withModel(searchsample::gpt13(), "oracle") << any
                                   << LayoutSearchObjective::StepTime << "cost_model";
}

void SearchTest::refusals()
{
    QFETCH(const PlanFacts, plan);
    QFETCH(const LayoutSearchSpace, space);
    QFETCH(const LayoutSearchObjective, objective);
    QFETCH(const QString, field);
    auto request = searchsample::requestOf(plan, objective);
    request.space = space;
    const auto result = layoutsearch::run(request);
    QVERIFY(!result);
    QCOMPARE(QString::fromStdString(result.error().field), field);
    QVERIFY(!result.error().message.empty());
}

FLEETWRIGHT_TEST(SearchTest)
#include "tst_layoutsearch.moc"
