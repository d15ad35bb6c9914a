// SPDX-License-Identifier: GPL-3.0-or-later
// Sizing with the shipped catalog, against loops that know no bounds.
#include "solver/answer/plancost.h"
#include "solver/answer/solve.h"
#include "solver/models/costmodel.h"
#include "solver/search/recommendation.h"
#include "solver/size/fleetspace.h"
#include "storage/sizingtesting.h"
#include "testing/registry.h"

#include <QTest>

#include <set>

using namespace fleetwright;
using namespace sizingtesting;

namespace plainloop {

/// One fleet of the plain loop.
struct Plain {
    std::size_t lot = 0;
    int nodes = 0;
    Layout layout;
    double value = 0, days = 0, runCost = 0;
    bool feasible = false;
};

} // namespace plainloop

using plainloop::Plain;

namespace {

PlanDocument planFor(const DecisionDocument &document, const FleetDocument &fleet)
{
    const auto &job = document.jobs.front();
    PlanDocument plan{.name = "plain",
        .workload = job.workload,
        .fleet = fleet,
        .training = job.training,
        .assumptions = job.assumptions,
        .constraints = document.limits.plan,
        .costModelId = document.costModelId};
    plan.training.tokenBudget = job.tokens;
    return plan;
}

std::optional<Plain> plainFleet(const DecisionDocument &document, std::size_t lot, FleetDocument fleet, int nodes)
{
    fleet.nodes = nodes;
    auto asked = planFor(document, fleet);
    const auto plan = resolve(asked, shipped());
    if (!plan)
        return std::nullopt;
    const auto recommended = layoutsearch::recommend(*plan, {}, {}, {}, 1);
    if (!recommended)
        return std::nullopt;
    adopt(recommended->row.layout, asked);
    const auto solution = solve(resolve(asked, shipped()).value());
    if (!solution || !solution->estimate.stepTime)
        return std::nullopt;
    const auto &sheet = *solution->costs;
    const auto cost = sheet.value(runCostKey(sheet.paying()));
    if (!cost || !sheet.value("run_days"))
        return std::nullopt;
    return Plain{.lot = lot,
        .nodes = nodes,
        .layout = recommended->row.layout,
        .value = *cost,
        .days = *sheet.value("run_days"),
        .runCost = *cost,
        .feasible = recommended->isFeasible()};
}

/// What an answer says, without what may differ in the last digit.
std::string described(const size::Result &result)
{
    std::string text;
    const auto line = [&](const size::Answer &answer) {
        text += std::to_string(answer.lot) + " " + std::to_string(answer.nodes) + " "
            + std::to_string(answer.figures.days) + " " + std::to_string(answer.figures.runCostUsd);
        for (const auto &job : answer.jobs)
            text += " " + inWords(job.layout) + " " + std::to_string(job.globalBatch);
        for (const auto &miss : answer.misses)
            text += " " + std::string(keyOf(miss.limit)) + " " + std::to_string(miss.needed);
        text += "\n";
    };
    for (const auto &lot : result.answers) {
        line(lot.answer);
        for (const auto &remedy : lot.remedies)
            text += "  " + std::string(keyOf(remedy.limit)) + " " + std::to_string(remedy.needed) + " "
                + std::to_string(remedy.nodes) + "\n";
    }
    text += "front\n";
    for (const auto &answer : result.front)
        line(answer);
    for (const auto &refused : result.refused)
        text += refused.candidate + ": " + refused.error.message + "\n";
    return text;
}

} // namespace

class SizingTest : public QObject {
    Q_OBJECT

private slots:
    void equalsAPlainLoop_data()
    {
        QTest::addColumn<double>("deadline");
        QTest::addColumn<double>("capital");
        QTest::newRow("days alone") << 60.0 << 0.0;
        QTest::newRow("days and capital") << 90.0 << 5e6;
        QTest::newRow("nothing holds") << 2.0 << 0.0;
    }
    void equalsAPlainLoop()
    {
        QFETCH(double, deadline);
        QFETCH(double, capital);
        auto document = smallDecision();
        document.limits.plan.deadline = deadline * day;
        if (capital > 0)
            document.limits.plan.capital = Dollars::from_value(capital);
        const auto result = sized(document);
        QCOMPARE(result.lots.size(), std::size_t(12)); // three nodes, two fabrics, two ways of paying
        std::vector<Plain> all;
        for (std::size_t lot = 0; lot < result.lots.size(); ++lot) {
            std::optional<Plain> best;
            std::optional<double> leastDays;
            for (int nodes = 1; nodes <= document.candidates.mostNodes; ++nodes) {
                const auto plain = plainFleet(document, lot, result.lots[lot].fleet, nodes);
                if (!plain)
                    continue;
                leastDays = std::min(leastDays.value_or(plain->days), plain->days);
                if (!plain->feasible)
                    continue;
                all.push_back(*plain);
                if (!best || plain->value < best->value)
                    best = plain;
            }
            const auto found = std::ranges::find_if(
                result.answers, [lot](const size::LotAnswer &answer) { return answer.answer.lot == lot; });
            QVERIFY(found != result.answers.end());
            QCOMPARE(found->answer.isFeasible(), best.has_value());
            if (!best) {
                if (capital == 0) { // the deadline alone: what takes the fewest days comes closest
                    QVERIFY2(isNear(found->answer.figures.days, *leastDays)
                            || found->answer.figures.days < *leastDays, // the fastest, not the simplest layout
                        qPrintable(QString::number(found->answer.figures.days) + QLatin1String(" ")
                            + QString::number(*leastDays)));
                    QVERIFY(found->answer.figures.days > *leastDays * 0.97);
                }
                continue;
            }
            QCOMPARE(found->answer.nodes, best->nodes);
            QVERIFY2(found->answer.jobs.front().layout == best->layout,
                (inWords(found->answer.jobs.front().layout) + " / " + inWords(best->layout)).c_str());
            QVERIFY2(isNear(found->answer.figures.days, best->days),
                qPrintable(QString::number(best->days, 'g', 17) + QLatin1String(" / ")
                    + QString::number(found->answer.figures.days, 'g', 17)));
            QVERIFY(isNear(found->answer.figures.runCostUsd, best->runCost));
        }
        // The front: what no other fleet beats in both.
        std::size_t onFront = 0;
        for (const auto &one : all) {
            const bool beaten = std::ranges::any_of(all, [&](const Plain &other) {
                return other.days <= one.days * (1 + 1e-12) && other.runCost <= one.runCost * (1 + 1e-12)
                    && (other.days < one.days * (1 - 1e-9) || other.runCost < one.runCost * (1 - 1e-9));
            });
            const bool there = std::ranges::any_of(result.front, [&](const size::Answer &answer) {
                return isNear(answer.figures.days, one.days) && isNear(answer.figures.runCostUsd, one.runCost);
            });
            QCOMPARE(there, !beaten);
            onFront += there ? 1 : 0;
        }
        QVERIFY(onFront >= result.front.size());
    }

    void isTheSameOnAnyThreadsPartsAndWithoutBounds()
    {
        auto document = smallDecision();
        document.candidates.mostNodes = 12;
        document.limits.plan.facilityPower = Watts::from_value(60e3);
        const auto one = described(sized(document, {.threads = 1}));
        QCOMPARE(described(sized(document, {.threads = 4})), one);
        QCOMPARE(described(sized(document, {.pruning = false})), one);
        auto parts = sized(document, {.part = 0, .parts = 3});
        for (int part = 1; part < 3; ++part)
            parts = size::merge(std::move(parts), sized(document, {.part = part, .parts = 3}));
        QCOMPARE(described(parts), one);
    }

    void looserLimitsAndMoreCandidatesNeverWorsen()
    {
        auto document = smallDecision();
        double before = std::numeric_limits<double>::infinity();
        for (const double days : {20.0, 40.0, 60.0, 90.0}) {
            document.limits.plan.deadline = days * day;
            const auto result = sized(document);
            const double value = result.best() ? result.best()->figures.runCostUsd : before;
            QVERIFY(value <= before);
            before = value;
        }
        document.candidates.nodes.push_back("nvidia_dgx_h200");
        QVERIFY(sized(document).best()->figures.runCostUsd <= before);
    }

    void theBestIsOnItsFront()
    {
        const auto result = sized(smallDecision());
        QVERIFY(result.best());
        double least = std::numeric_limits<double>::infinity();
        for (const auto &answer : result.front)
            least = std::min(least, answer.figures.runCostUsd);
        QCOMPARE(least, result.best()->figures.runCostUsd);
        QVERIFY(
            std::ranges::is_sorted(result.front, {}, [](const size::Answer &answer) { return answer.figures.days; }));
    }

    void everyObjectiveIsAtItsLeast()
    {
        auto document = smallDecision();
        document.candidates.sites = {{{}, "country_se"}};
        document.candidates.mostNodes = 8;
        for (const auto objective : allDecisionObjectives) {
            document.objective = objective;
            document.front = {
                objective, objective == DecisionObjective::Days ? DecisionObjective::RunCost : DecisionObjective::Days};
            const auto result = sized(document);
            QVERIFY2(result.best(), std::string(toString(objective)).c_str());
            for (const auto &answer : result.front)
                QVERIFY(size::valueOf(objective, answer.figures)
                    >= size::valueOf(objective, result.best()->figures) * (1 - 1e-12));
        }
    }

    void aRemedyLetsTheLotIn()
    {
        auto document = smallDecision();
        document.candidates.mostNodes = 8;
        document.limits.plan.deadline = 10.0 * day;
        document.limits.plan.facilityPower = Watts::from_value(40e3);
        const auto result = sized(document);
        QVERIFY(!result.best());
        QVERIFY(!result.remedies.empty());
        for (const auto &remedy : result.remedies) {
            auto looser = document;
            constexpr double alittle = 1 + 1e-9;
            if (remedy.limit == size::SizeLimit::Deadline)
                looser.limits.plan.deadline = remedy.needed * alittle * day;
            else if (remedy.limit == size::SizeLimit::Power)
                looser.limits.plan.facilityPower = Watts::from_value(remedy.needed * alittle);
            else
                QFAIL("an unexpected remedy");
            const auto let = sized(looser);
            QVERIFY(let.best());
            QCOMPARE(let.best()->nodes, remedy.nodes);
            if (remedy.limit == size::SizeLimit::Deadline) // a little less does not do
                looser.limits.plan.deadline = remedy.needed * (1 - 1e-6) * day;
            else
                looser.limits.plan.facilityPower = Watts::from_value(remedy.needed * (1 - 1e-6));
            QVERIFY(!sized(looser).best());
        }
    }

    void rangesOfBatchesLetRacksIn()
    {
        auto document = smallDecision();
        document.candidates.nodes = {"nvidia_gb200_nvl72"};
        document.candidates.paying.clear();
        document.candidates.leastNodes = document.candidates.mostNodes = 7; // 504 accelerators
        document.jobs.front().training.globalBatch = 256;
        document.jobs.front().leastBatch = 200;
        document.jobs.front().mostBatch = 300;
        const auto result = sized(document);
        QVERIFY(!result.answers.empty());
        const auto &answer = result.answers.front().answer;
        QCOMPARE(answer.accelerators, 504);
        QVERIFY(answer.jobs.front().globalBatch == 252 || answer.jobs.front().globalBatch == 256);
        QCOMPARE(std::int64_t(answer.jobs.front().globalBatch)
                % (std::int64_t(answer.jobs.front().layout.dp) * answer.jobs.front().layout.microbatchSize),
            std::int64_t(0));
    }

    void sharesAreOfAYearOfTheBaseCase()
    {
        auto document = smallDecision();
        document.limits = {};
        document.candidates.mostNodes = 8;
        document.baseCase = FleetDocument{.node = "nvidia_dgx_h100", .nodes = 4, .fabric = "ib_ndr"};
        auto other = document.jobs.front();
        document.jobs.front().tokens.reset();
        document.jobs.front().share = 0.75;
        other.tokens.reset();
        other.share = 0.25;
        other.workload = "llama3_1_70b"; // whose checkpoints take longer
        other.training.globalBatch = 128;
        document.jobs.push_back(other);
        const auto result = sized(document);
        QVERIFY(result.baseCase.has_value());
        constexpr double aStep = 60.0 / 86400; // steps are whole ones
        QVERIFY(std::abs(result.baseCase->figures.days - 365) < 2 * aStep);
        QVERIFY(std::abs(result.baseCase->jobs.front().days - 0.75 * 365) < aStep);
        for (const auto &lot : result.answers) { // each job as its own plan takes it
            double days = 0, cost = 0;
            for (std::size_t job = 0; job < 2; ++job) {
                const auto plan = resolve(size::planOf(document, result, lot.answer, job), shipped());
                QVERIFY2(plan.has_value(), plan ? "" : plan.error().message.c_str());
                const auto solution = solve(*plan);
                QVERIFY(solution.has_value());
                days += solution->costs->value("run_days").value();
                cost += solution->costs->value(runCostKey(solution->costs->paying())).value();
                QVERIFY(isNear(lot.answer.jobs[job].days, solution->costs->value("run_days").value()));
                QVERIFY(isNear(lot.answer.figures.usdPerAcceleratorHour * lot.answer.accelerators,
                    solution->costs->value(hourlyCostKey(solution->costs->paying())).value()));
            }
            QVERIFY(isNear(lot.answer.figures.days, days));
            QVERIFY(isNear(lot.answer.figures.runCostUsd, cost));
        }
        document.jobs.back().share = 0.5;
        const auto refused = size::run(document, shipped());
        QVERIFY(!refused);
        QCOMPARE(refused.error().field, std::string("jobs"));
        QVERIFY(refused.error().message.contains("125 %"));
    }

    void ownedNodesCostNothingToBuy()
    {
        auto document = smallDecision();
        document.limits = {};
        document.objective = DecisionObjective::Capital;
        document.candidates.nodes = {"nvidia_dgx_h100"};
        document.candidates.paying.clear();
        document.candidates.leastNodes = document.candidates.mostNodes = 8;
        document.candidates.fabrics = {"ib_ndr"};
        document.candidates.owned = {
            {"the fleet of 2024", FleetDocument{.node = "nvidia_dgx_h100", .nodes = 8, .fabric = "ib_ndr"}}};
        const auto result = sized(document);
        QCOMPARE(result.answers.size(), std::size_t(2));
        QCOMPARE(result.lots[result.best()->lot].label, std::string("the fleet of 2024"));
        QCOMPARE(result.best()->figures.capitalUsd, 0.0); // nodes, network and storage are there
    }

    /// Experts' ranks that multiply those of a replica: every number of nodes is looked at.
    void expertsOutsideDataParallelism()
    {
        auto document = smallDecision();
        document.limits = {};
        std::string found;
        for (const auto *model : costModels()) {
            const auto workload = workloadFrom(*shipped().find(CatalogKind::Workload, "mixtral_8x7b"));
            const auto traits = model->layoutSearchTraitsFor(**workload, {});
            if (traits.splits && traits.time && traits.tokens && !traits.expertsInsideData)
                found = model->id();
        }
        if (found.empty())
            QSKIP("no model counts experts' ranks apart");
        document.costModelId = found;
        document.jobs.front().workload = "mixtral_8x7b";
        document.candidates.mostNodes = 6;
        document.candidates.nodes = {"nvidia_dgx_h100"};
        document.candidates.fabrics = {"ib_ndr"};
        document.candidates.paying.clear();
        const auto result = sized(document);
        QVERIFY(result.best());
        QCOMPARE(described(sized(document, {.pruning = false})), described(result));
        for (int nodes = 1; nodes <= 6; ++nodes) {
            auto fleet = result.lots.front().fleet;
            const auto plain = plainFleet(document, 0, fleet, nodes);
            if (plain && plain->feasible)
                QVERIFY(result.best()->figures.runCostUsd <= plain->runCost * (1 + 1e-9));
        }
    }

    void fleetsArePutTogetherAsResolved()
    {
        auto document = smallDecision();
        document.candidates.oversubscriptions = {1, 2};
        document.candidates.sites = {{}, {{}, "country_se"}};
        document.candidates.nodes.clear(); // all
        const auto space = size::spaceOf(document, shipped());
        QVERIFY(space.has_value());
        std::size_t racks = 0;
        for (const auto &hardware : space->hardware)
            for (const auto &site : hardware.sites)
                for (std::size_t i = 0; i < site.lots.size(); ++i) {
                    const auto fleet = resolve(space->lots[site.lots[i]].fleet, shipped());
                    QVERIFY(fleet.has_value());
                    QVERIFY2(site.fleets[i] == *fleet, space->lots[site.lots[i]].node.c_str());
                    racks += (*fleet)->costs.network.trays > 1 ? 1 : 0;
                }
        QVERIFY(racks > 0);
        QVERIFY(space->lots.size() > 200);
    }

    void badQuestionsAreSentences_data()
    {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("field");
        QTest::newRow("no jobs") << 0 << "jobs";
        QTest::newRow("unknown workload") << 1 << "jobs[0].workload";
        QTest::newRow("unknown node") << 2 << "candidates.nodes[0]";
        QTest::newRow("unknown fabric") << 3 << "candidates.fabrics[0]";
        QTest::newRow("counts") << 4 << "candidates.counts";
        QTest::newRow("chance without a deadline") << 5 << "limits.deadline_days";
        QTest::newRow("base case that is none") << 6 << "base_case.node";
        QTest::newRow("delivery without an order") << 7 << "order";
        QTest::newRow("batches") << 8 << "jobs[0].batches";
        QTest::newRow("workload without tokens") << 9 << "jobs[0].workload";
        QTest::newRow("cost model") << 10 << "cost_model";
    }
    void badQuestionsAreSentences()
    {
        QFETCH(int, which);
        QFETCH(QString, field);
        auto document = smallDecision();
        switch (which) {
        case 0: document.jobs.clear(); break;
        case 1: document.jobs.front().workload = "llama9"; break;
        case 2: document.candidates.nodes.front() = "dgx"; break;
        case 3: document.candidates.fabrics = {"wet string"}; break;
        case 4: document.candidates.leastNodes = 100; break;
        case 5:
            document.limits.plan.deadline.reset();
            document.limits.deadlineChance = 0.9;
            break;
        case 6: document.baseCase = FleetDocument{.node = "dgx", .nodes = 4, .fabric = "ib_ndr"}; break;
        case 7: document.limits.deliveryBy = std::chrono::sys_days(std::chrono::year(2027) / 3 / 1); break;
        case 8:
            document.jobs.front().leastBatch = 300;
            document.jobs.front().mostBatch = 400;
            break;
        case 9: document.jobs.front().workload = "resnet_50"; break;
        default: document.costModelId = "oracle";
        }
        const auto result = size::run(document, shipped());
        QVERIFY(!result);
        QCOMPARE(QString::fromStdString(result.error().field), field);
        QVERIFY(result.error().message.ends_with('.'));
    }

    void aStopIsHeard()
    {
        auto document = smallDecision();
        document.candidates.nodes.clear();
        document.candidates.mostNodes = 4096;
        std::stop_source stop;
        stop.request_stop();
        const auto result = size::run(document, shipped(), {}, {.stop = stop.get_token()});
        QVERIFY(!result);
        QCOMPARE(int(result.error().code), int(ErrorCode::Cancelled));
    }
};

FLEETWRIGHT_TEST(SizingTest)
#include "tst_sizing.moc"
