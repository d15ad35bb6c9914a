// SPDX-License-Identifier: GPL-3.0-or-later
// The recommended layout against a plain choice over every row of a search, and what is said where nothing is feasible.
#include "solver/answer/figures.h"
#include "solver/search/bestlayout.h"
#include "solver/search/cellsearch.h"
#include "solver/search/layoutsearchwords.h"
#include "solver/searchsample.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <thread>

using namespace fleetwright;
using layoutsearch::Recommendation;

namespace {

Plan planFrom(PlanFacts facts) { return Plan::create(std::move(facts)).value(); }

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

PlanFacts onNodes(PlanFacts plan, int nodes)
{
    auto fleet = *plan.fleet;
    fleet.nodeCount = nodes;
    plan.fleet = Fleet::create(fleet).value();
    return plan;
}

/// Every feasible row within the default headroom.
layoutsearch::Result everyRow(const PlanFacts &plan, const LayoutSearchSpace &space)
{
    auto limited = plan;
    limited.constraints.maxMemoryShare = layoutsearch::memoryShareOf(plan.constraints);
    auto request = searchsample::requestOf(limited);
    request.space = space;
    request.rows = std::size_t(mostLayoutSearchRows);
    request.pruning = false;
    return layoutsearch::run(request).value();
}

bool isFeasibleWithin(const PlanFacts &plan, const Constraints &constraints)
{
    return layoutsearch::run(searchsample::requestOf(with(plan, constraints))).value().best() != nullptr;
}

bool mentions(const std::vector<std::string> &lines, std::string_view words)
{
    return std::ranges::any_of(lines, [words](const std::string &line) { return line.contains(words); });
}

} // namespace

class RecommendationTest : public QObject {
    Q_OBJECT
private slots:
    void pointsOfComplexity();
    void streamsLikeAList();
    void equalsPlainChoice_data();
    void equalsPlainChoice();
    void searchesNameTheSame();
    void onlyTheDeadline();
    void onlyTheHeadroom();
    void nothingFits();
    void limitsThatNodesCannotMend();
    void nothingRuns();
    void cancelled();
    void offersWhatIsFaster();
    void decidedPlans();
};

void RecommendationTest::pointsOfComplexity()
{
    const auto points = [](const Layout &layout) { return layoutsearch::complexityOf(layout, 8); };
    QCOMPARE(points({.tp = 8, .pp = 16, .microbatchSize = 4, .recompute = Recompute::Full, .zeroStage = 2}), 0UZ);
    QCOMPARE(points({.pp = 4, .virtualStages = 2}), 1UZ);
    QCOMPARE(points({.pp = 4, .virtualStages = 4}), 1UZ);
    QCOMPARE(points({.pp = 4, .virtualStages = 5}), 2UZ);
    QCOMPARE(points({.cp = 2}), 1UZ);
    QCOMPARE(points({.zeroStage = 3}), 1UZ);
    QCOMPARE(points({.tp = 16}), 2UZ);
    QCOMPARE(
        points({.tp = 16, .cp = 2, .pp = 2, .virtualStages = 9, .zeroStage = 3}), layoutsearch::complexityClasses - 1);
}

/// In any order, and in two halves.
void RecommendationTest::streamsLikeAList()
{
    const std::array scores{1.03, 1.0, 1.019, 1.021, 1.018, std::nan(""), 1.0};
    const std::array<std::size_t, 7> classes{0, 3, 1, 0, 1, 0, 5};
    for (const std::size_t from : {0UZ, 3UZ, 6UZ}) {
        layoutsearch::BestByComplexity first, second;
        QVERIFY(!first.best() && !first.recommended() && first.nearBest().empty());
        for (std::size_t i = 0; i < scores.size(); ++i) {
            const auto at = (i + from) % scores.size();
            layoutsearch::Row row{.layout = {.tp = int(at) + 1}, .stepSeconds = scores[at]};
            (i % 2 == 0 ? first : second).add({scores[at], row}, classes[at]);
        }
        first += second;
        QCOMPARE(first.best()->row.layout.tp, 2); // of the two at 1.0 the smaller groups
        QCOMPARE(first.recommended()->row.layout.tp, 5); // class 0 is 3 % off
        QCOMPARE(first.nearBest().size(), 3UZ);
        QVERIFY(!first.needs(1.0185, 1) && first.needs(1.0175, 1) && first.needs(1.0199, 0) && !first.needs(1.0201, 2));
    }
    layoutsearch::BestByComplexity more; // of what is better the more there is, scores are negative
    more.add({-100, {.layout = {.tp = 1}}}, 4);
    more.add({-98.1, {.layout = {.tp = 2}}}, 1);
    more.add({-97.9, {.layout = {.tp = 3}}}, 0);
    QCOMPARE(more.recommended()->row.layout.tp, 2);
}

void RecommendationTest::equalsPlainChoice_data()
{
    QTest::addColumn<PlanFacts>("plan");
    QTest::addColumn<LayoutSearchSpace>("space");
    LayoutSearchSpace any, part, across;
    part[LayoutSearchOption::Tp] = {4, 8};
    part[LayoutSearchOption::Recompute] = {0};
    across.tpAcrossDomains = across.unevenChunks = true;
    QTest::newRow("13B on 64") << searchsample::gpt13() << any;
    QTest::newRow("13B on 64, part fixed") << searchsample::gpt13() << part;
    QTest::newRow("13B on 64, across domains") << searchsample::gpt13() << across;
    QTest::newRow("175B on 128") << searchsample::gpt175(16) << any;
    QTest::newRow("experts") << searchsample::experts() << any;
    QTest::newRow("experts, half the memory") << with(searchsample::experts(), {.maxMemoryShare = 0.5}) << any;
    QTest::newRow("long sequences") << searchsample::llama70() << any;
    QTest::newRow("long sequences, an MFU") << with(searchsample::llama70(), {.minMfu = 0.35}) << any;
    QTest::newRow("first-order") << withModel(searchsample::gpt13(), "first-order") << any;
    QTest::newRow("searcher") << withModel(searchsample::gpt13(), "searcher") << any;
    QTest::newRow("cube") << withModel(searchsample::gpt13(), "cube") << any;
    QTest::newRow("dp-wall") << withModel(searchsample::gpt13(), "dp-wall") << any;
}

void RecommendationTest::equalsPlainChoice()
{
    QFETCH(const PlanFacts, plan);
    QFETCH(const LayoutSearchSpace, space);
    const auto all = everyRow(plan, space);
    QVERIFY(!all.rows.empty());
    const int domain = std::min(plan.fleet->node->scaleUpDomainSize, plan.fleet->accelerators());
    const auto &best = all.rows.front();
    const layoutsearch::Row *expected = nullptr;
    for (std::size_t points = 0; !expected; ++points)
        for (const auto &row : all.rows) // best first
            if (layoutsearch::complexityOf(row.layout, domain) == points) {
                if (row.stepSeconds <= best.stepSeconds * (1 + layoutsearch::indistinguishable))
                    expected = &row;
                break;
            }
    const auto rival = std::ranges::find_if(
        all.rows, [&](const layoutsearch::Row &row) { return splitOf(row.layout) != splitOf(expected->layout); });
    for (const int threads : {1, 2, 4}) {
        const auto found = layoutsearch::recommend(planFrom(plan), space, {}, {}, threads);
        QVERIFY2(found, found ? "" : found.error().message.c_str());
        QVERIFY2(found->row.layout == expected->layout,
            (inWords(found->row.layout) + " instead of " + inWords(expected->layout)).c_str());
        QVERIFY(found->isFeasible());
        QCOMPARE(found->row.stepSeconds, expected->stepSeconds);
        QVERIFY(found->best.layout == best.layout);
        QCOMPARE(found->gain, 1 - best.stepSeconds / expected->stepSeconds);
        QVERIFY(found->gain >= 0 && found->gain <= layoutsearch::indistinguishable);
        QCOMPARE(found->rival.has_value(), rival != all.rows.end());
        if (found->rival) {
            QVERIFY(found->rival->layout == rival->layout);
            QCOMPARE(found->rivalLoss, rival->stepSeconds / expected->stepSeconds - 1);
        }
        QVERIFY(found->counts == all.total());
        for (const auto &line : inWords(*found))
            QVERIFY2(line.ends_with('.') && !line.contains("nan"), line.c_str());
    }
}

/// A search without limits recommends what leaves the headroom, and says what the best would add.
void RecommendationTest::searchesNameTheSame()
{
    for (const auto &plan : {searchsample::gpt13(), searchsample::gpt175(16), searchsample::llama70()}) {
        const auto request = searchsample::requestOf(plan);
        const auto result = layoutsearch::run(request).value();
        const auto found = layoutsearch::recommend(planFrom(plan), {}).value();
        QVERIFY(result.recommended() && result.recommended()->layout == found.row.layout);
        const auto lines = layoutsearch::recommendation(request, result);
        QVERIFY2(lines[0].starts_with("Take " + inWords(found.row.layout)), lines[0].c_str());
        if (result.best()->layout != found.row.layout)
            QVERIFY2(
                lines[1].contains(inWords(result.best()->layout)) && lines[1].contains("would add"), lines[1].c_str());
        // Of the other splits, too, what leaves the headroom, and by how much: as the plan's page has it.
        const bool isRival = std::ranges::any_of(lines, [&](const std::string &line) {
            return line.starts_with("The best with another split that leaves 8.00\u00a0% of the memory free is "
                + inWords(found.rival->layout) + ": ");
        });
        QVERIFY2(isRival, (lines[2] + "\n" + inWords(found.rival->layout)).c_str());
        QVERIFY(found.row.memoryBytes
            <= layoutsearch::defaultMemoryShare * plan.fleet->node->accelerator->memoryCapacity.value());
    }
}

void RecommendationTest::onlyTheDeadline()
{
    const auto free = layoutsearch::recommend(planFrom(searchsample::gpt13()), {}).value();
    const auto days = [&](double share) {
        const auto plan = layoutsearch::withLayout(planFrom(searchsample::gpt13()), free.best.layout).value();
        return *figureOf(solve(plan).value(), "run_time_s") * share * second;
    };
    const auto plan = with(searchsample::gpt13(), {.deadline = days(0.8)});
    const auto found = layoutsearch::recommend(planFrom(plan), {}).value();
    QVERIFY(!found.isFeasible());
    QCOMPARE(found.missed.size(), 1UZ);
    QCOMPARE(found.missed.front().constraint, std::string("deadline_days"));
    QVERIFY(found.row.layout == free.row.layout); // what the plan would have without the deadline
    const auto remedies = layoutsearch::remediesOf(planFrom(plan), {}, found).value();
    QVERIFY(!remedies.memoryShare);
    QCOMPARE(remedies.deadline->value(), found.missed.front().needed);
    QVERIFY(
        isFeasibleWithin(plan, {.maxMemoryShare = layoutsearch::defaultMemoryShare, .deadline = *remedies.deadline}));
    QVERIFY(remedies.nodes && *remedies.nodes > 8);
    const Constraints limits{.maxMemoryShare = layoutsearch::defaultMemoryShare, .deadline = plan.constraints.deadline};
    for (int nodes = 9; nodes <= *remedies.nodes; ++nodes)
        QCOMPARE(isFeasibleWithin(onNodes(plan, nodes), limits), nodes == *remedies.nodes);

    const auto request = searchsample::requestOf(plan);
    const auto lines = layoutsearch::recommendation(request, layoutsearch::run(request).value());
    QVERIFY(mentions(lines, found.missed.front().sentence));
    QVERIFY(mentions(lines, std::to_string(*remedies.nodes) + " nodes"));
    QVERIFY(!mentions(lines, "more memory, or") && !mentions(lines, "a memory limit"));
}

void RecommendationTest::onlyTheHeadroom()
{
    const auto plan = searchsample::gpt13();
    const double capacity = plan.fleet->node->accelerator->memoryCapacity.value();
    const auto roomiest =
        layoutsearch::run(searchsample::requestOf(plan, LayoutSearchObjective::MemoryHeadroom)).value();
    const double least = roomiest.best()->memoryBytes / capacity;
    const auto tight = with(plan, {.maxMemoryShare = least * 0.97});
    const auto found = layoutsearch::recommend(planFrom(tight), {}).value();
    QCOMPARE(found.missed.size(), 1UZ);
    QCOMPARE(found.missed.front().constraint, std::string("max_memory_fraction"));
    const auto remedies = layoutsearch::remediesOf(planFrom(tight), {}, found).value();
    QVERIFY(remedies.memoryShare && *remedies.memoryShare >= least && *remedies.memoryShare < least + 0.01);
    QVERIFY(isFeasibleWithin(plan, {.maxMemoryShare = *remedies.memoryShare}));
    QVERIFY(!remedies.deadline);
    QVERIFY2(inWords(remedies).contains("memory limit of"), inWords(remedies).c_str());
}

void RecommendationTest::nothingFits()
{
    const auto plan = searchsample::gpt175(1);
    const auto found = layoutsearch::recommend(planFrom(plan), {}).value();
    QCOMPARE(found.missed.front().constraint, std::string("memory_capacity"));
    QCOMPARE(found.missed.front().needed, found.row.memoryBytes);
    const auto result = layoutsearch::run(searchsample::requestOf(plan)).value();
    double least = std::numeric_limits<double>::infinity();
    for (const auto &group : result.groups)
        least = std::fmin(least, group.leastMemoryBytes);
    QCOMPARE(found.row.memoryBytes, least);
    const auto remedies = layoutsearch::remediesOf(planFrom(plan), {}, found).value();
    QVERIFY(remedies.nodes && !remedies.deadline && !remedies.memoryShare);
    const Constraints headroom{.maxMemoryShare = layoutsearch::defaultMemoryShare};
    QVERIFY(isFeasibleWithin(onNodes(plan, *remedies.nodes), headroom));
    QVERIFY(!isFeasibleWithin(onNodes(plan, *remedies.nodes - 1), headroom));
}

/// More nodes draw more power.
void RecommendationTest::limitsThatNodesCannotMend()
{
    const auto plan = planFrom(with(searchsample::gpt13(), {.facilityPower = 50.0 * kilowatt}));
    const auto found = layoutsearch::recommend(plan, {}).value();
    QCOMPARE(found.missed.size(), 1UZ);
    QCOMPARE(found.missed.front().constraint, std::string("max_facility_mw"));
    const auto remedies = layoutsearch::remediesOf(plan, {}, found).value();
    QVERIFY(!remedies.nodes && !remedies.deadline && remedies.power);
    QCOMPARE(remedies.power->value(), found.missed.front().needed);
    const auto words = inWords(remedies); // rounded up, so that it does
    QVERIFY2(words.starts_with("The nearest that would do: a power limit of "), words.c_str());
    QVERIFY(isFeasibleWithin(searchsample::gpt13(), {.facilityPower = *remedies.power}));
    QVERIFY(!isFeasibleWithin(searchsample::gpt13(), {.facilityPower = *remedies.power * 0.99}));
    QVERIFY(inWords(layoutsearch::Remedies()).starts_with("Neither"));
}

void RecommendationTest::nothingRuns()
{
    LayoutSearchSpace space;
    space[LayoutSearchOption::Tp] = {3};
    const auto plan = planFrom(searchsample::gpt13());
    const auto divided = layoutsearch::recommend(plan, space);
    QVERIFY(!divided && divided.error().code == ErrorCode::InfeasibleParallelism && divided.error().field == "layout");
    QVERIFY2(divided.error().message.contains("64 accelerators"), divided.error().message.c_str());
    space[LayoutSearchOption::Tp] = {16};
    const auto across = layoutsearch::recommend(plan, space);
    QVERIFY(!across && across.error().code == ErrorCode::InfeasibleParallelism);
}

void RecommendationTest::cancelled()
{
    std::stop_source stop;
    stop.request_stop();
    const auto plan = planFrom(searchsample::gpt175(16));
    const auto found = layoutsearch::recommend(plan, {}, {}, stop.get_token());
    QVERIFY(!found && found.error().code == ErrorCode::Cancelled);
    const auto small = planFrom(searchsample::gpt175(1));
    const auto infeasible = layoutsearch::recommend(small, {}).value();
    const auto remedies = layoutsearch::remediesOf(small, {}, infeasible, {}, stop.get_token());
    QVERIFY(!remedies && remedies.error().code == ErrorCode::Cancelled);
}

void RecommendationTest::offersWhatIsFaster()
{
    const auto plan = planFrom(searchsample::gpt13()); // DP alone
    const auto found = layoutsearch::recommend(plan, {}).value();
    const auto slow = layoutsearch::offerOver(solve(plan).value(), found);
    QVERIFY(slow.layout && *slow.layout == found.row.layout);
    QVERIFY2(slow.sentence.starts_with("Best layout: " + inWords(found.row.layout)), slow.sentence.c_str());
    const auto taken = layoutsearch::withLayout(plan, found.row.layout).value();
    const auto same = layoutsearch::offerOver(solve(taken).value(), found);
    QVERIFY2(!same.layout && same.sentence.starts_with("No layout is faster"), same.sentence.c_str());
}

void RecommendationTest::decidedPlans()
{
    LayoutSearchSpace space;
    space[LayoutSearchOption::Tp] = {2};
    const auto open = planFrom(searchsample::gpt13());
    const auto decided = layoutsearch::decided(open, space).value();
    QCOMPARE(decided.plan->parallelism.tp, 2);
    QVERIFY(decided.layout && decided.layout->row.layout.tp == 2);
    QCOMPARE(*decided.plan->constraints.maxMemoryShare, layoutsearch::defaultMemoryShare);
    const auto solution = solve(decided.plan).value();
    QVERIFY(solution.feasible);
    QCOMPARE(solution.estimate.stepTime->value(), decided.layout->row.stepSeconds);
    QCOMPARE(solution.estimate.memory->total.value(), decided.layout->row.memoryBytes);
    space[LayoutSearchOption::ZeroStage] = {1, 2};
    const auto refused = layoutsearch::decided(planFrom(withModel(searchsample::gpt13(), "searcher")), space);
    QVERIFY(!refused && refused.error().field == "layout.best.zero_stage");
}

FLEETWRIGHT_TEST(RecommendationTest)
#include "tst_recommendation.moc"
