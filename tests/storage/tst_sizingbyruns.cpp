// SPDX-License-Identifier: GPL-3.0-or-later
// Sizing where measured runs of the site say how long steps take: limits of time are judged by them.
#include "exchange/sizeresults.h"
#include "exchange/validationdata.h"
#include "solver/answer/figures.h"
#include "solver/models/detailed/constantrecords.h"
#include "solver/search/recommendation.h"
#include "solver/size/decisionpaper.h"
#include "solver/size/decisionrisk.h"
#include "solver/size/questionname.h"
#include "solver/size/sizewords.h"
#include "solver/validation/calibrationruns.h"
#include "solver/validation/ownsite.h"
#include "storage/sizingtesting.h"
#include "testing/registry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace fleetwright;
using namespace sizingtesting;

namespace {

/// Ranges of a site with one run, whose middle is the computed step times a factor.
template <class Factor> size::RangeOf movedBy(const Factor &factor)
{
    return [factor](const Plan &plan, Seconds step) {
        constexpr double width = 1.1;
        const auto middle = step * factor(plan);
        return validation::PredictionRange{.low = middle / width,
            .high = middle * width,
            .runs = 3,
            .sources = 1,
            .comparable = {},
            .outside = {},
            .ownRuns = 1,
            .ownRunsAlike = 1};
    };
}

/// Others on every size and layout.
double uneven(const Plan &plan)
{
    return 1.2 + 0.03 * std::log2(plan->fleet->accelerators()) - 0.05 * std::log2(plan->parallelism.tp);
}

size::Result sizedBy(const DecisionDocument &document, const size::RangeOf &rangeOf, const size::Control &control = {})
{
    auto result = size::run(document, shipped(), rangeOf, control);
    if (!result)
        qFatal("%s: %s", result.error().field.c_str(), result.error().message.c_str());
    return std::move(*result);
}

/// Everything that an answer says, parts of processes aside.
std::string stored(size::Result result)
{
    result.keptOut.clear();
    result.otherBatch.reset();
    return exchange::storedSizeResult(result);
}

} // namespace

class SizingByRunsTest : public QObject {
    Q_OBJECT

private slots:
    /// The deadline is kept by the runs: more nodes than the formula alone takes, which is said.
    void theDeadlineIsKeptByTheRuns()
    {
        auto document = smallDecision();
        const auto loose = sized(document);
        document.limits.plan.deadline = 1.05 * loose.best()->figures.days * day; // the formula's best keeps it barely
        const auto byFormula = sized(document);
        constexpr double slower = 1.3;
        const auto result = sizedBy(document, movedBy([](const Plan &) { return slower; }));
        QVERIFY(result.best());
        const double deadline = document.limits.plan.deadline->value() / 86400;
        for (const auto &lot : result.answers) {
            const auto &answer = lot.answer;
            QVERIFY(answer.byFormula && isNear(answer.figures.days, slower * answer.byFormula->days));
            QVERIFY(isNear(answer.jobs.front().likelyStepSeconds(), slower * answer.jobs.front().stepSeconds));
            QVERIFY(answer.figures.runCostUsd > answer.byFormula->runCostUsd);
            QCOMPARE(answer.isFeasible(), answer.figures.days <= deadline);
        }
        QVERIFY(result.byFormula && result.byFormula->runs == 1 && result.byFormula->best);
        const auto &other = *result.byFormula->best;
        QCOMPARE(other.lot, byFormula.best()->lot);
        QCOMPARE(other.nodes, byFormula.best()->nodes);
        QVERIFY(isNear(other.byFormula->days, byFormula.best()->figures.days));
        QVERIFY(isNear(other.figures.days, slower * byFormula.best()->figures.days));
        QVERIFY(isNear(other.jobs.front().days, other.figures.days));
        QCOMPARE(other.misses.size(), std::size_t(1));
        QVERIFY(other.misses.front().limit == size::SizeLimit::Deadline);
        QVERIFY(std::tuple(result.best()->lot, result.best()->nodes) != std::tuple(other.lot, other.nodes));
        // Steps that take so much longer are as so many more tokens.
        auto longer = document;
        longer.jobs.front().tokens = *longer.jobs.front().tokens * slower;
        const auto same = sized(longer);
        QCOMPARE(result.best()->lot, same.best()->lot);
        QCOMPARE(result.best()->nodes, same.best()->nodes);
        QVERIFY(std::abs(result.best()->figures.days / same.best()->figures.days - 1) < 1e-4);

        const auto said = size::measuredInWords(result);
        QVERIFY2(said.contains("By the formula alone " + size::shortFleetInWords(result, other) + " would do ("),
            said.c_str());
        QVERIFY2(said.contains(" By the run") && said.ends_with(". It misses: Deadline."), said.c_str());
        QVERIFY(size::missesInWords(other).ends_with(" by your run"));
        const auto advice = size::recommendation(document, result);
        QVERIFY(std::ranges::find(advice, said) != advice.end());
        const auto tightest = size::tightestLimit(document, *result.best());
        QVERIFY(tightest && tightest->ownRuns == 1);
        QVERIFY2(size::tightestInWords(*tightest).starts_with("Deadline by your run: "),
            size::tightestInWords(*tightest).c_str());
    }

    void isTheSameWithoutBoundsInPartsAndKept()
    {
        auto document = smallDecision();
        document.candidates.mostNodes = 12;
        document.limits.plan.facilityPower = Watts::from_value(60e3);
        const auto rangeOf = movedBy(uneven);
        for (const double days : {60.0, 100.0, 20.0}) {
            document.limits.plan.deadline = days * day;
            const auto one = sizedBy(document, rangeOf, {.threads = 1});
            QCOMPARE(stored(sizedBy(document, rangeOf, {.threads = 4})), stored(one));
            const auto all = sizedBy(document, rangeOf, {.pruning = false});
            QCOMPARE(all.answers.size(), one.answers.size());
            for (std::size_t i = 0; i < all.answers.size(); ++i) {
                QCOMPARE(all.answers[i].answer.lot, one.answers[i].answer.lot);
                QCOMPARE(all.answers[i].answer.nodes, one.answers[i].answer.nodes);
                QCOMPARE(all.answers[i].answer.jobs, one.answers[i].answer.jobs);
                QVERIFY(isNear(all.answers[i].answer.figures.days, one.answers[i].answer.figures.days));
            }
            QCOMPARE(all.front.size(), one.front.size());
            auto parts = sizedBy(document, rangeOf, {.part = 0, .parts = 3});
            for (int part = 1; part < 3; ++part)
                parts = size::merge(std::move(parts), sizedBy(document, rangeOf, {.part = part, .parts = 3}));
            QCOMPARE(stored(parts), stored(one));
            const auto kept = exchange::sizeResultFromStored(exchange::storedSizeResult(one));
            QVERIFY(kept);
            QCOMPARE(exchange::storedSizeResult(*kept), exchange::storedSizeResult(one));
        }
    }

    /// The likely value lies within its own range, is the same as in the draws, and heads the paper.
    void theLikelyValueIsInItsRange()
    {
        auto document = smallDecision();
        document.candidates.mostNodes = 12;
        document.limits.plan.deadline = 120.0 * day;
        const auto rangeOf = movedBy(uneven);
        const auto result = sizedBy(document, rangeOf);
        QVERIFY(result.best());
        const auto sure = size::howSure(document, shipped(), result, rangeOf);
        QVERIFY(sure);
        for (const auto *row : result.compared())
            if (const auto *risk = sure->of(result, row->answer))
                for (const auto &[figure, value] : {std::pair{uncertainty::RiskFigure::Days, row->answer.figures.days},
                         {uncertainty::RiskFigure::RunCost, row->answer.figures.runCostUsd}}) {
                    const auto &spread = *risk->spread(figure);
                    QVERIFY2(std::abs(spread.likely / value - 1) < 1e-6,
                        (std::to_string(spread.likely) + " " + std::to_string(value)).c_str());
                    QVERIFY(spread.byFormula < spread.likely);
                    QVERIFY(spread.range().p10 <= spread.likely && spread.likely <= spread.range().p90);
                }
        const auto paper = size::paperOf(document, shipped(), result, &*sure);
        const auto &days = *sure->of(0)->spread(uncertainty::RiskFigure::Days);
        const auto said = size::rangeInWords(
            size::SizeLimit::Deadline, result.best()->figures.days, days.range().p10, days.range().p90);
        QVERIFY2(paper.recommendation.contains(said), paper.recommendation.c_str());
        QCOMPARE(paper.decides, size::measuredInShort(result));
        QVERIFY(!paper.decides.empty() && paper.risks.size() <= size::mostPaperRisks);
        QCOMPARE(std::ranges::count(paper.risks, size::measuredInWords(result)), 0);
        QCOMPARE(std::ranges::count(paper.reasons, size::measuredInWords(result)), 0);
    }

    void nothingKeepsItByTheRuns()
    {
        auto document = smallDecision();
        document.limits.plan.deadline = 1.02 * sizedFastest(document) * day;
        QVERIFY(sized(document).best());
        const auto result = sizedBy(document, movedBy([](const Plan &) { return 1.5; }));
        QVERIFY(!result.best() && !result.answers.empty());
        QVERIFY(result.byFormula && result.byFormula->best);
        const auto advice = size::recommendation(document, result);
        QVERIFY2(advice.front().starts_with("Nothing meets "), advice.front().c_str());
        QVERIFY2(advice[1].contains("By the formula alone "), advice[1].c_str());
    }

    /// What is near by the model and far by the runs is not taken for being simple: a tighter deadline finds nothing
    /// cheaper.
    void aTighterDeadlineIsNotCheaper()
    {
        auto document = smallDecision();
        const auto plain = sized(document);
        const auto simplest = size::planOf(document, plain, *plain.best(), 0);
        const auto rangeOf = movedBy([&](const Plan &plan) {
            return plan->parallelism == simplest.parallelism
                    && plan->training.microbatchSize == simplest.training.microbatchSize
                ? 1.3
                : 1.0;
        });
        const auto loose = sizedBy(document, rangeOf);
        constexpr double alike = 1.02;
        for (const double share : {0.99, 0.97, 0.95, 0.9, 0.8}) {
            document.limits.plan.deadline = share * loose.best()->figures.days * day;
            const auto tight = sizedBy(document, rangeOf);
            if (const auto *best = tight.best())
                QVERIFY2(best->figures.runCostUsd * alike > loose.best()->figures.runCostUsd,
                    std::to_string(best->figures.runCostUsd / loose.best()->figures.runCostUsd).c_str());
        }
    }

    /// A plan of an answer has its days and cost, and its page offers no other layout: it is chosen by the same rule.
    void plansOfAnAnswerAgreeWithIt()
    {
        auto document = smallDecision();
        document.candidates.mostNodes = 12;
        const auto againstSimple = [](const Plan &plan) {
            return 1.3 - 0.05 * (plan->parallelism.virtualStages > 1) - 0.04 * (plan->parallelism.zeroStage == 3);
        };
        const auto plain = sized(document);
        const auto measured = size::planOf(document, plain, *plain.best(), 0);
        auto run = validation::runLike(measured, shipped());
        QVERIFY(run);
        run->id = "mine";
        run->measured.stepTime = 1.2 * plain.best()->jobs.front().stepSeconds * second;
        const auto site = validation::OwnSite::from(std::vector{*run}, *detailed::uncalibratedConstantsOf(shipped()));
        QVERIFY(site);
        for (const auto &rangeOf : {movedBy(uneven), movedBy(againstSimple), exchange::rangesOfSite(&*site)})
            for (const double days : {60.0, 100.0, 20.0}) {
                document.limits.plan.deadline = days * day;
                const auto result = sizedBy(document, rangeOf);
                for (const auto *row : result.byNodeAndPaying()) {
                    const auto &answer = row->answer;
                    const auto plan = resolve(size::planToKeep(document, result, answer, 0), shipped());
                    QVERIFY(plan);
                    auto solution = solve(*plan);
                    QVERIFY(solution);
                    auto range = rangeOf(*plan, *solution->estimate.stepTime);
                    const auto solved = withStepRange(std::move(*solution), *plan, std::move(range));
                    QVERIFY(isNear(*figureOf(solved, "run_time_s") / 86400, answer.figures.days));
                    QCOMPARE(size::valueInWords(size::SizeLimit::Deadline, *figureOf(solved, "run_time_s") / 86400),
                        size::valueInWords(size::SizeLimit::Deadline, answer.figures.days));
                    const auto found = layoutsearch::recommend(*plan, {}, rangeOf);
                    QVERIFY(found);
                    QCOMPARE(found->isFeasible(), answer.isFeasible());
                    const auto offer = layoutsearch::offerOver(solved, *found);
                    QVERIFY2(!offer.layout, offer.sentence.c_str());
                }
            }
    }

    /// What the formula alone chooses and only the chance that is asked for keeps out says so.
    void theChanceIsAReason()
    {
        auto document = smallDecision();
        document.candidates.nodes = {"nvidia_dgx_h100"};
        document.limits.plan.deadline = 1.12 * sized(document).best()->figures.days * day;
        document.limits.deadlineChance = 0.9;
        const auto result = sizedBy(document, movedBy([](const Plan &) { return 1.05; }));
        QVERIFY(result.best() && result.byFormula && result.byFormula->best);
        const auto &formula = *result.byFormula->best;
        QCOMPARE(formula.misses.size(), std::size_t(1));
        QVERIFY(formula.misses.front().limit == size::SizeLimit::Chance);
        QVERIFY(formula.misses.front().needed > 0.5 && formula.misses.front().needed < 0.9);
        const auto said = size::measuredInWords(result);
        QVERIFY2(said.ends_with(". It misses: Chance of the deadline."), said.c_str());
    }

    /// Kinds that could not be looked at stand in an order of their own, however many threads come upon them.
    void whatIsRefusedHasAnOrder()
    {
        auto document = smallDecision();
        document.candidates.nodes = {"nvidia_dgx_h100", "nvidia_dgx_b200"};
        document.candidates.leastNodes = document.candidates.mostNodes = 32768; // more than a fabric connects
        document.candidates.oversubscriptions = {1, 2, 3}; // each connects others
        document.jobs.front().training.globalBatch = 1 << 20;
        const auto rangeOf = movedBy(uneven);
        const auto one = sizedBy(document, rangeOf, {.threads = 1});
        QVERIFY(one.refused.size() > 3 && one.refused[0].candidate == one.refused[1].candidate);
        QVERIFY(std::ranges::adjacent_find(one.refused, [](const size::Refused &left, const size::Refused &right) {
            return left.candidate == right.candidate && left.error != right.error;
        }) != one.refused.end());
        for (const int threads : {2, 4, 8})
            QCOMPARE(stored(sizedBy(document, rangeOf, {.threads = threads})), stored(one));
        for (const bool forwards : {true, false}) {
            std::optional<size::Result> all;
            for (int i = 0; i < 5; ++i) {
                auto part = sizedBy(document, rangeOf, {.part = forwards ? i : 4 - i, .parts = 5});
                all = all ? size::merge(std::move(*all), part) : std::move(part);
            }
            QCOMPARE(stored(*all), stored(one));
        }
    }

    /// An approval no longer fits where runs move the days or the cost of what was approved.
    void whatWasApprovedMoves()
    {
        auto document = smallDecision();
        document.limits.plan.deadline = 3 * sized(document).best()->figures.days * day;
        const auto approved = sized(document);
        constexpr double slower = 1.1;
        const auto now = sizedBy(document, movedBy([](const Plan &) { return slower; }));
        QVERIFY(size::movedInWords(approved, approved).empty());
        QCOMPARE(now.best()->nodes, approved.best()->nodes);
        const auto in = [](const size::Result &result) {
            return size::valueInWords(size::SizeLimit::Deadline, result.best()->figures.days);
        };
        const auto said = size::movedInWords(approved, now);
        QVERIFY2(said.starts_with("The same fleet now takes " + in(now)), said.c_str());
        QVERIFY2(said.contains("approved were " + in(approved)), said.c_str());
        const auto hardly = sizedBy(document, movedBy([](const Plan &) { return 1.001; }));
        QVERIFY(size::movedInWords(approved, hardly).empty());
        auto other = now;
        ++other.answers.front().answer.nodes;
        QCOMPARE(size::movedInWords(approved, other),
            "The best fleet is another one now: " + size::fleetInWords(approved, *approved.best()) + " then, "
                + size::fleetInWords(other, *other.best()) + " now.");
    }

    /// Runs that move no step are none by which a limit is judged.
    void runsThatMoveNothingDecideNothing()
    {
        auto document = smallDecision();
        document.limits.plan.deadline = 0.5 * sizedFastest(document) * day;
        const auto result = sizedBy(document, movedBy([](const Plan &) { return 1.0; }));
        QVERIFY(!result.answers.empty() && result.answers.front().answer.byFormula);
        for (const auto &lot : result.answers)
            QVERIFY(!size::missesInWords(lot.answer).contains("by your run"));
    }

    /// Ranges that no run of the site moved change nothing.
    void withoutRunsNothingChanges()
    {
        const auto document = smallDecision();
        const auto published = [](const Plan &, Seconds step) {
            return std::optional(validation::PredictionRange{
                .low = step / 1.2, .high = step * 1.2, .runs = 3, .sources = 1, .comparable = {}, .outside = {}});
        };
        struct Known {
            const char *fleet;
            double stepSeconds, days, runCostUsd;
        };
        // What the program answered before runs could move anything; prices and hardware are those of the catalog.
        const std::array expected{Known{"16 \u00d7 8x AMD Instinct MI300X platform, owned, InfiniBand NDR",
                                      1.328473817117769, 7.356404754347402, 45432.604475444095},
            Known{"8 \u00d7 NVIDIA DGX B200, owned, InfiniBand NDR", 1.9296853551309348, 10.684478199081802,
                63087.187181793284},
            Known{"16 \u00d7 NVIDIA DGX H100, owned, InfiniBand NDR", 1.9297877920672961, 10.686172286967196,
                95043.36845885427}};
        for (const auto &rangeOf : {size::RangeOf(), size::RangeOf(published)}) {
            const auto result = sizedBy(document, rangeOf);
            QVERIFY(!result.byFormula && size::measuredInWords(result).empty());
            QCOMPARE(result.front.size(), std::size_t(4));
            const auto rows = result.byNode();
            QCOMPARE(rows.size(), expected.size());
            for (std::size_t i = 0; i < rows.size(); ++i) {
                const auto &answer = rows[i]->answer;
                QCOMPARE(size::fleetInWords(result, answer), std::string(expected[i].fleet));
                QVERIFY(!answer.byFormula && !answer.jobs.front().stepSecondsByRuns);
                QVERIFY(isNear(answer.jobs.front().stepSeconds, expected[i].stepSeconds));
                QVERIFY(isNear(answer.jobs.front().likelyStepSeconds(), expected[i].stepSeconds));
                QVERIFY(isNear(answer.figures.days, expected[i].days));
                QVERIFY(isNear(answer.figures.runCostUsd, expected[i].runCostUsd));
            }
        }
    }

    /// One fleet, bought or rented, takes as long in every draw.
    void howItIsPaidForMakesNoDifferenceToDays()
    {
        auto document = smallDecision();
        document.candidates.nodes = {"nvidia_dgx_h100"};
        document.candidates.leastNodes = document.candidates.mostNodes = 16;
        document.limits.plan.deadline = 1.02 * sizedFastest(document) * day;
        const auto rangeOf = [](const Plan &, Seconds step) {
            return std::optional(validation::PredictionRange{
                .low = step / 1.3, .high = step * 1.3, .runs = 3, .sources = 1, .comparable = {}, .outside = {}});
        };
        const auto result = sizedBy(document, rangeOf);
        const auto *other = result.paidOtherwise();
        QVERIFY(result.best() && other && other->answer.jobs == result.best()->jobs);
        const auto sure = size::howSure(document, shipped(), result, rangeOf);
        QVERIFY(sure);
        const auto *first = sure->of(0), *second = sure->of(result, other->answer);
        QVERIFY(first && second && first != second && first->deadline->share > 0 && first->deadline->share < 1);
        QCOMPARE(second->deadline->share, first->deadline->share);
    }

    void madeNamesFollowTheDeadline()
    {
        auto before = smallDecision();
        before.limits.plan.deadline = 30.0 * day;
        const auto model = nameOf(before.jobs.front().workload, CatalogKind::Workload, shipped());
        auto after = before;
        after.limits.plan.deadline = 28.5 * day;
        const auto followed = [&](const std::string &name) {
            before.name = name;
            return size::followedName(before, after, shipped());
        };
        QCOMPARE(followed(model + " in 30 days"), model + " in 28.5 days");
        QCOMPARE(followed("70B on 15 T tokens in 30 days: buy or rent?"),
            std::string("70B on 15 T tokens in 28.5 days: buy or rent?"));
        QCOMPARE(followed("Ours in 30 days"), std::string("Ours in 30 days")); // typed
        QCOMPARE(followed(model + " in 31 days"), model + " in 31 days"); // says something else
        QCOMPARE(followed(model), model);
        before.name = model + " in 30 days";
        after.name = model + " in 28.5 days";
        const std::vector<const DecisionDocument *> renamed{&after};
        QVERIFY(size::decisionToday(before, renamed, shipped()) == &after);
        // Where the one that was approved is still there, another of like name is not it.
        auto unchanged = before;
        const std::vector<const DecisionDocument *> both{&after, &unchanged}, others{&unchanged, &after};
        QVERIFY(size::decisionToday(before, both, shipped()) == &unchanged);
        QVERIFY(size::decisionToday(before, others, shipped()) == &unchanged);
        before.name = "Ours in 30 days"; // the only one that asks the same was given another name
        QVERIFY(size::decisionToday(before, both, shipped()) == &unchanged);
        auto copy = unchanged;
        copy.name += " (copy)";
        const std::vector<const DecisionDocument *> alike{&unchanged, &copy};
        QVERIFY(!size::decisionToday(before, alike, shipped()));
        QVERIFY(!size::decisionToday(before, renamed, shipped()));
        QCOMPARE(size::deadlineBesideName(after), std::string());
        after.name = "Ours in 30 days";
        QCOMPARE(size::deadlineBesideName(after), std::string("the deadline is 28.5 days"));
        after.limits.plan.deadline.reset();
        QCOMPARE(size::deadlineBesideName(after), std::string("no deadline is stated"));
        after.limits.plan.deadline = 1.0 * day;
        after.name = "Ours in 1 day";
        QCOMPARE(size::deadlineBesideName(after), std::string());
        after.name = model;
        QCOMPARE(size::deadlineBesideName(after), std::string());
    }

    /// A sample's name follows, too.
    void theSampleHasAMadeName()
    {
        QTemporaryDir folder;
        const auto project = storage::Project::createSample(
            folder.filePath(QStringLiteral("sample.fleetwright")), storage::ShippedProject::Decision);
        QVERIFY(project);
        const auto decisions = (*project)->decisions();
        QVERIFY(decisions && !decisions->empty());
        const auto &before = decisions->front().document;
        auto after = before;
        after.limits.plan.deadline = 28.0 * day;
        const auto followed = size::followedName(before, after, shipped());
        QVERIFY2(followed != before.name && followed.contains("in 28 days"), followed.c_str());
    }

private:
    static double sizedFastest(DecisionDocument document)
    {
        document.objective = DecisionObjective::Days;
        document.limits.plan.deadline = 1e4 * day;
        return sized(document).best()->figures.days;
    }
};

FLEETWRIGHT_TEST(SizingByRunsTest)
#include "tst_sizingbyruns.moc"
