// SPDX-License-Identifier: GPL-3.0-or-later
// What people with money read of a decision: one likely value, what is rented, what is owned, and doing nothing.
#include "solver/size/bettersteps.h"
#include "solver/size/decisionpaper.h"
#include "solver/size/sizewords.h"
#include "storage/sizingtesting.h"
#include "testing/registry.h"

#include <QTest>

using namespace fleetwright;
using namespace sizingtesting;
using size::PaperOption;

class DecisionPaperTest : public QObject {
    Q_OBJECT

private slots:
    void theOtherWayOfPayingIsDrawn()
    {
        const auto [document, result, sure] = answered(smallDecision());
        const auto paper = size::paperOf(document, shipped(), result, &sure);
        const auto *other = result.paidOtherwise();
        QVERIFY(other);
        const auto option = std::ranges::find(paper.options, &other->answer, &PaperOption::answer);
        QVERIFY(option != paper.options.end() && option->risk);
        QVERIFY(option->risk->spread(uncertainty::RiskFigure::RunCost)->quantiles.p90 > option->figures.runCostUsd);
        // It is drawn beside the others, and is the best in none of their draws.
        QCOMPARE(option->risk->best.share, 0.0);
        double all = sure.risk.none ? sure.risk.none->share : 0;
        for (const auto &fleet : sure.risk.fleets)
            all += fleet.best.share;
        QVERIFY(std::abs(all - 1) < 1e-9);
        QVERIFY(paper.options.back().role == PaperOption::Role::DoNothing);
        QVERIFY(std::isinf(paper.options.back().figures.days));
        QCOMPARE(paper.options.back().figures.runCostUsd, 0.0);
    }

    /// Shares of draws in which nothing keeps the limits are no other fleet's.
    void sharesOfRisksAddUp()
    {
        auto document = smallDecision();
        document.limits.plan.deadline = sized(document).best()->figures.days * day;
        const auto [asked, result, sure] = answered(document);
        QVERIFY(result.best() && sure.risk.none && sure.risk.none->share > 0);
        const auto paper = size::paperOf(asked, shipped(), result, &sure);
        const auto *winner = paper.options.front().risk;
        QVERIFY(winner);
        const double others = 1 - winner->best.share - sure.risk.none->share;
        const auto said = "better choice in " + units::formatPercent(others);
        const auto none = "; in " + units::formatPercent(sure.risk.none->share) + " none keeps the limits.";
        QVERIFY2(others < 1e-9
                || std::ranges::any_of(paper.risks, [&](const std::string &risk) { return risk.ends_with(none); }),
            none.c_str());
        QVERIFY2(others < 1e-9
                || std::ranges::any_of(paper.risks, [&](const std::string &risk) { return risk.contains(said); }),
            said.c_str());
    }

    void whatIsOwnedIsKeptForNothing()
    {
        auto document = owned(8);
        document.candidates.leastNodes = document.candidates.mostNodes = 8;
        document.candidates.nodes = {"nvidia_dgx_h100"};
        document.order = std::chrono::sys_days(std::chrono::year(2026) / 12 / 1);
        const auto [asked, result, sure] = answered(document);
        const auto *best = result.best();
        QVERIFY(best && result.lots[best->lot].ownedNodes == best->nodes);
        const auto paper = size::paperOf(asked, shipped(), result, &sure);
        QVERIFY2(paper.recommendation.starts_with("Keep "), paper.recommendation.c_str());
        QVERIFY(!paper.recommendation.contains("0 USD"));
        QCOMPARE(paper.asked.size(), std::size_t(1));
        QVERIFY2(paper.asked.front().starts_with("No capital"), paper.asked.front().c_str());
        for (const auto &option : paper.options) // is what doing nothing is
            QVERIFY(option.role != PaperOption::Role::DoNothing);
    }

    /// Doing nothing is the owned fleet on the jobs, where that was sized.
    void doingNothingIsWhatIsOwned()
    {
        auto document = owned(8);
        document.objective = DecisionObjective::Days;
        document.candidates.leastNodes = document.candidates.mostNodes = 8;
        const auto [asked, result, sure] = answered(document);
        QVERIFY(result.best() && result.lots[result.best()->lot].ownedNodes == 0);
        const auto paper = size::paperOf(asked, shipped(), result, &sure);
        const auto &last = paper.options.back();
        QVERIFY(last.role == PaperOption::Role::DoNothing && last.answer);
        QVERIFY2(last.name.starts_with("Do nothing: keep 8 "), last.name.c_str());
        QCOMPARE(last.figures.capitalUsd, 0.0);
        QVERIFY(last.figures.runCostUsd > 0 && std::isfinite(last.figures.days));
        QCOMPARE(std::ranges::count(paper.options, last.answer, &PaperOption::answer), 1);
    }

    /// Measured runs of the own site say what is likely: one value for the answer, the first sentence, the options and
    /// the draws, within its range; what the formula says of it stands beside.
    void measuredRunsMoveWhatIsLikely()
    {
        auto document = smallDecision();
        document.draws = 1000;
        const size::RangeOf range = [](const Plan &, Seconds step) {
            return std::optional(
                validation::PredictionRange{.low = step * 1.1, .high = step * 1.4, .runs = 6, .ownRuns = 6});
        };
        const auto result = size::run(document, shipped(), range, {}).value();
        const auto sure = size::howSure(document, shipped(), result, range).value();
        const auto paper = size::paperOf(document, shipped(), result, &sure);
        const double factor = std::sqrt(1.1 * 1.4); // the middle on the logarithmic scale
        const auto &best = *result.best();
        QVERIFY(std::abs(paper.options.front().figures.days / best.figures.days - 1) < 1e-9);
        const auto &drawn = *sure.of(0)->spread(uncertainty::RiskFigure::Days);
        QVERIFY(std::abs(drawn.likely / best.figures.days - 1) < 1e-9);
        QVERIFY(std::abs(drawn.byFormula * factor / best.figures.days - 1) < 0.01);
        QVERIFY(std::abs(drawn.quantiles.p50 / drawn.likely - 1) < 0.02);
        QVERIFY(drawn.range().p10 > best.byFormula->days * 1.05); // where the runs put it, not cut at the prediction
        QVERIFY(drawn.range().p10 < drawn.likely && drawn.likely < drawn.range().p90);
        const auto days = size::valueInWords(size::SizeLimit::Deadline, paper.options.front().figures.days);
        const auto number = days.substr(0, days.find(' '));
        QVERIFY2(paper.recommendation.contains("in " + number), paper.recommendation.c_str());
        // In a line of its own, not among what may go wrong.
        const auto byFormula = size::valueInWords(size::SizeLimit::Deadline, best.byFormula->days);
        QVERIFY2(paper.decides.contains(": without them this fleet would take " + byFormula), paper.decides.c_str());
        QVERIFY(std::ranges::none_of(
            paper.risks, [](const std::string &risk) { return risk.contains("own measured runs. They make "); }));
    }

    /// What another fleet is more often than the one that is chosen comes before everything that may go wrong.
    void anotherThatIsTheBestMoreOftenComesFirst()
    {
        const auto [document, result, sure] = answered(smallDecision());
        QVERIFY(result.best() && sure.risk.rank);
        auto other = sure;
        auto *chosen = const_cast<uncertainty::FleetRisk *>(other.of(0));
        auto &rank = *other.risk.rank;
        QVERIFY(&other.risk.fleets[rank.winner] == chosen);
        std::swap(rank.winner, rank.runnerUp);
        std::swap(other.risk.fleets[rank.winner].best.share, chosen->best.share);
        const auto paper = size::paperOf(document, shipped(), result, &other);
        const auto &name = other.risk.fleets[rank.winner].label;
        QVERIFY2(paper.risks.front().starts_with("Another fleet is the better choice in ")
                && paper.risks.front().contains(name),
            paper.risks.front().c_str());
        QVERIFY(!size::paperOf(document, shipped(), result, &sure).risks.front().starts_with("Another fleet"));
        const auto weighed = size::inOrderOfWeight(document, result, &other);
        QVERIFY2(weighed[1].starts_with("That is by likely values; "), weighed[1].c_str());
    }

    /// Where all limits are kept with another batch alone, the box says so.
    void theBatchIsInTheBoxWhereNothingElseKeepsTheLimits()
    {
        auto document = smallDecision();
        auto result = sized(document);
        document.limits.plan.deadline = result.best()->figures.days / 1e3 * day;
        result = sized(document);
        QVERIFY(!result.best());
        auto with = result;
        with.otherBatch = size::OtherBatch{};
        with.otherBatch->best = result.answers.front().answer;
        with.otherBatch->best->jobs.front().globalBatch += 1;
        with.otherBatch->best->misses.clear();
        const auto batch = size::otherBatchInWords(document, with);
        QVERIFY(!batch.empty());
        const auto paper = size::paperOf(document, shipped(), with, nullptr);
        QVERIFY2(paper.recommendation.starts_with("Nothing meets ") && paper.recommendation.ends_with(batch),
            paper.recommendation.c_str());
        QVERIFY(std::ranges::find(paper.reasons, batch) == paper.reasons.end());
        // It is the first of the options, and somebody is asked for it.
        const auto &option = paper.options.front();
        QVERIFY(option.answer == &*with.otherBatch->best && paper.options.size() > 2);
        QVERIFY2(option.note.starts_with("keeps all limits, with a batch of "), option.note.c_str());
        QCOMPARE(paper.asked, size::movesInWords(document, with));
        QVERIFY2(paper.asked.back().contains("the team that trains"), paper.asked.back().c_str());
        QVERIFY(std::ranges::none_of(std::span(paper.options).subspan(1),
            [&](const size::PaperOption &other) { return other.note.contains("keeps all limits"); }));
        QVERIFY(!size::paperOf(document, shipped(), result, nullptr).recommendation.contains("batch"));
    }

    /// Where a chance is demanded, the box and what may go wrong say which.
    void theDemandedChanceIsNamed()
    {
        auto document = smallDecision();
        document.limits.plan.deadline = 1.3 * sized(document).best()->figures.days * day;
        document.limits.deadlineChance = 0.6;
        const auto [asked, result, sure] = answered(document);
        QVERIFY(result.best());
        const auto paper = size::paperOf(asked, shipped(), result, &sure);
        QVERIFY2(paper.recommendation.contains("(demanded: 60.0\u00a0%)"), paper.recommendation.c_str());
        QVERIFY(std::ranges::any_of(paper.risks, [](const std::string &risk) {
            return risk.contains("of the draws, where the demanded chance allows 40.0\u00a0%: one run in ten");
        }));
        document.limits.deadlineChance.reset();
        const auto without = answered(document);
        QVERIFY(!size::paperOf(without.document, shipped(), without.result, &without.sure)
                     .recommendation.contains("demanded"));
    }

    void whatBreaksALimitIsNoAlternative()
    {
        auto document = smallDecision();
        document.candidates.paying.clear();
        document.candidates.leastNodes = document.candidates.mostNodes;
        document.limits = {};
        double least = std::numeric_limits<double>::infinity();
        for (const auto &lot : sized(document).answers)
            least = std::min(least, lot.answer.figures.capitalUsd);
        document.limits.plan.capital = Dollars::from_value(1.001 * least);
        const auto [asked, result, sure] = answered(document);
        QVERIFY(result.best());
        bool any = false;
        for (const auto *row : result.byNode())
            any = any || !row->answer.isFeasible();
        const auto paper = size::paperOf(asked, shipped(), result, &sure);
        QVERIFY(any);
        for (const auto &option : paper.options)
            QVERIFY(!option.answer || option.answer->isFeasible() || option.role == PaperOption::Role::BaseCase);
    }

private:
    struct Answered {
        DecisionDocument document;
        size::Result result;
        size::HowSure sure;
    };
    static Answered answered(DecisionDocument document)
    {
        document.draws = 1000;
        const size::RangeOf range = [](const Plan &, Seconds step) {
            return std::optional(validation::PredictionRange{.low = step / 1.2, .high = step * 1.2, .runs = 9});
        };
        auto result = size::run(document, shipped(), range, {}).value();
        auto sure = size::howSure(document, shipped(), result, range).value();
        return {std::move(document), std::move(result), std::move(sure)};
    }
    static DecisionDocument owned(int nodes)
    {
        auto document = smallDecision();
        document.limits = {};
        document.candidates.nodes = {"nvidia_dgx_b200"};
        document.candidates.paying.clear();
        document.candidates.owned = {
            {"the fleet of 2024", FleetDocument{.node = "nvidia_dgx_h100", .nodes = nodes, .fabric = "ib_ndr"}}};
        return document;
    }
};

FLEETWRIGHT_TEST(DecisionPaperTest)
#include "tst_decisionpaper.moc"
