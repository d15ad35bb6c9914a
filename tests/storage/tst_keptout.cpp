// SPDX-License-Identifier: GPL-3.0-or-later
// What each limit of a decision keeps out, against a loop that moves the limit and asks again.
#include "solver/size/fleetjudge.h"
#include "solver/size/sizewords.h"
#include "solver/validation/predictionrange.h"
#include "storage/sizingtesting.h"
#include "testing/registry.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <tuple>

using namespace fleetwright;
using namespace sizingtesting;
using size::SizeLimit;
using namespace Qt::StringLiterals;

namespace {

constexpr double slightly = 1e-9, clearly = 1e-6;

/// The step time within a fifth, four times in five.
const size::RangeOf withinAFifth = [](const Plan &, Seconds step) {
    return std::optional(validation::PredictionRange{.low = step / 1.2, .high = step * 1.2, .runs = 1});
};

size::Result answered(const DecisionDocument &document, const size::Control &control = {})
{
    auto result = size::run(document, shipped(), withinAFifth, control);
    if (!result)
        qFatal("%s: %s", result.error().field.c_str(), result.error().message.c_str());
    return std::move(*result);
}

DecisionDocument with(DecisionDocument document, SizeLimit limit, double value)
{
    auto &limits = document.limits;
    switch (limit) {
    case SizeLimit::Deadline: limits.plan.deadline = value * day; break;
    case SizeLimit::RunCost: limits.plan.runCost = Dollars::from_value(value); break;
    case SizeLimit::Capital: limits.plan.capital = Dollars::from_value(value); break;
    case SizeLimit::Power: limits.plan.facilityPower = Watts::from_value(value); break;
    case SizeLimit::Carbon: limits.carbon = KilogramsCo2e::from_value(value); break;
    case SizeLimit::Goodput: limits.minGoodput = std::min(value, 1.0); break;
    case SizeLimit::Mfu: limits.plan.minMfu = value; break;
    case SizeLimit::Chance: limits.deadlineChance = value; break;
    case SizeLimit::YearlyCost:
    case SizeLimit::Layout:
    case SizeLimit::Delivery: qFatal("not moved here");
    }
    return document;
}

/// Moved so far that nothing breaks it.
DecisionDocument without(const DecisionDocument &document, SizeLimit limit)
{
    return with(document, limit, isLeast(limit) ? 1e-9 : 1e30);
}

DecisionDocument beyond(const DecisionDocument &document, SizeLimit limit, double needed, double share)
{
    return with(document, limit, needed * (1 + (isLeast(limit) ? -share : share)));
}

/// Empty where the loop says the same.
QString difference(const DecisionDocument &document, const size::Result &result)
{
    const double value = valueOf(document.objective, result.best()->figures);
    const auto isLess = [&](const size::Answer &answer) {
        return valueOf(document.objective, answer.figures) < value * (1 - slightly);
    };
    const auto isSame = [](const size::Answer &left, const size::Answer &right) {
        return left.lot == right.lot && left.nodes == right.nodes && left.second == right.second
            && isNear(left.figures.days, right.figures.days)
            && isNear(left.figures.runCostUsd, right.figures.runCostUsd);
    };
    const auto stated = size::statedLimits(document);
    if (stated.size() != result.keptOut.size())
        return QStringLiteral("not of each limit");
    for (std::size_t i = 0; i < stated.size(); ++i) {
        const auto &kept = result.keptOut[i];
        const auto title = QString::fromUtf8(size::titleOf(kept.limit).data()) + QStringLiteral(": ");
        if (kept.limit != stated[i].limit || kept.allowed != stated[i].value)
            return title + QStringLiteral("another limit");
        const auto free = answered(without(document, kept.limit));
        if (isLess(*free.best()) != kept.best.has_value())
            return title + QStringLiteral("whether any is better");
        if (kept.best && !isSame(kept.best->answer, *free.best()))
            return title + QStringLiteral("the best without it");
        if (kept.best && !kept.nearest)
            return title + QStringLiteral("no nearest");
        if (!kept.nearest)
            continue;
        if (isLeast(kept.limit) ? kept.nearest->needed >= kept.allowed : kept.nearest->needed <= kept.allowed)
            return title + QStringLiteral("the nearest is no step beyond it");
        const auto at = answered(beyond(document, kept.limit, kept.nearest->needed, slightly));
        if (!isLess(*at.best()) || !isSame(kept.nearest->answer, *at.best()))
            return title + QStringLiteral("the nearest");
        const auto before = answered(beyond(document, kept.limit, kept.nearest->needed, -clearly));
        if (before.best() && isLess(*before.best()))
            return title + QStringLiteral("one is nearer");
    }
    return {};
}

/// What limits keep out, without what may differ in the last digit.
std::string described(const size::Result &result)
{
    std::string text;
    for (const auto &kept : result.keptOut) {
        text += std::string(keyOf(kept.limit)) + ":";
        for (const auto *fleet : {&kept.nearest, &kept.best})
            text += *fleet ? " " + std::to_string((*fleet)->needed) + " " + std::to_string((*fleet)->answer.lot) + " "
                    + std::to_string((*fleet)->answer.nodes)
                           : " nothing";
        text += "\n";
    }
    return text;
}

DecisionDocument randomDecision(QRandomGenerator &random)
{
    auto document = smallDecision();
    document.draws = 1000; // where a chance is demanded they judge
    document.limits = {};
    document.candidates.mostNodes = 20;
    document.candidates.sites = {{{}, "country_se"}};
    document.objective = allDecisionObjectives.at(std::size_t(random.bounded(int(allDecisionObjectives.size()))));
    const auto sometimes = [&](SizeLimit limit, double least, double most) {
        if (random.bounded(2) == 0)
            document = with(std::move(document), limit, least * std::pow(most / least, random.generateDouble()));
    };
    sometimes(SizeLimit::Deadline, 12, 90);
    sometimes(SizeLimit::RunCost, 3e5, 2e6);
    sometimes(SizeLimit::Capital, 2e6, 1e7);
    sometimes(SizeLimit::Power, 60e3, 300e3);
    sometimes(SizeLimit::Carbon, 3e3, 3e4);
    sometimes(SizeLimit::Goodput, 0.9, 0.995);
    sometimes(SizeLimit::Mfu, 0.3, 0.5);
    if (document.limits.plan.deadline)
        sometimes(SizeLimit::Chance, 0.5, 0.95);
    return document;
}

} // namespace

class KeptOutTest : public QObject {
    Q_OBJECT

private slots:
    void equalsMovingTheLimit()
    {
        QRandomGenerator random(20'261'125);
        int answers = 0, keeping = 0;
        for (int i = 0; i < 60; ++i) {
            const auto document = randomDecision(random);
            const auto result = answered(document);
            if (!result.best()) {
                QVERIFY(result.keptOut.empty());
                continue;
            }
            ++answers;
            keeping += int(std::ranges::count_if(result.keptOut, &size::KeptOut::any));
            QString text;
            for (const auto &stated : size::statedLimits(document))
                text += QString::fromStdString(size::statedInWords(stated)) + QStringLiteral(", ");
            const auto different = difference(document, result);
            QVERIFY2(different.isEmpty(),
                qPrintable(QStringLiteral("%1 of %2, %3: %4")
                               .arg(i)
                               .arg(text, QString::fromUtf8(words(document.objective).data()), different)));
        }
        QVERIFY2(answers >= 15 && keeping >= 15, qPrintable(QStringLiteral("%1 %2").arg(answers).arg(keeping)));
    }

    void aPairOfFleetsIsKeptOut()
    {
        auto document = smallDecision();
        document.jobs.push_back(document.jobs.front());
        document.jobs.back().tokens = 3e11;
        document.candidates.paying.clear();
        document.candidates.nodes = {"nvidia_dgx_h100", "nvidia_dgx_b200"};
        document.candidates.mostNodes = 8;
        document.candidates.owned = {
            {"the fleet of 2024", FleetDocument{.node = "nvidia_dgx_h100", .nodes = 4, .fabric = "ib_ndr"}}};
        bool paired = false;
        for (const auto objective : {DecisionObjective::Days, DecisionObjective::Capital})
            for (const double capital : {1e6, 2.5e6}) {
                document.objective = objective;
                document.limits.plan.deadline = 45.0 * day;
                document.limits.plan.capital = Dollars::from_value(capital);
                const auto result = answered(document);
                if (!result.best())
                    continue;
                const auto different = difference(document, result);
                QVERIFY2(different.isEmpty(), qPrintable(different));
                for (const auto &kept : result.keptOut)
                    paired = paired || (kept.best && kept.best->answer.second);
            }
        QVERIFY(paired);
    }

    void isTheSameOnAnyThreadsPartsAndWithoutBounds()
    {
        auto document = smallDecision();
        document.candidates.mostNodes = 12;
        document.limits.plan.facilityPower = Watts::from_value(120e3);
        document.limits.plan.minMfu = 0.3;
        const auto whole = answered(document, {.threads = 1});
        QVERIFY(whole.best());
        const auto one = described(whole);
        QCOMPARE(described(answered(document, {.threads = 4})), one);
        QCOMPARE(described(answered(document, {.pruning = false})), one);
        auto parts = answered(document, {.part = 0, .parts = 3});
        QVERIFY(parts.keptOut.empty()); // a part does not know the best
        for (int part = 1; part < 3; ++part)
            parts = size::merge(std::move(parts), answered(document, {.part = part, .parts = 3}));
        QVERIFY(!parts.otherBatch);
        const auto other = size::otherBatch(document, shipped(), withinAFifth, {}, parts).value();
        QVERIFY(other && whole.otherBatch && other->best.has_value() == whole.otherBatch->best.has_value());
        QVERIFY(!other->best || other->best->nodes == whole.otherBatch->best->nodes);
        parts.keptOut = size::keptOut(document, shipped(), withinAFifth, {}, parts).value();
        QCOMPARE(described(parts), one);
    }

    /// Whoever asks with the batches that are said to do better gets what is said of them.
    void askingWithTheBatchesAnswersIt()
    {
        DecisionDocument document{.name = "70B", .costModelId = "detailed"};
        DecisionJob job;
        job.workload = "llama3_1_70b";
        job.tokens = 15e12;
        job.training = {.globalBatch = 2048,
            .microbatchCount = std::nullopt,
            .microbatchSize = 1,
            .sequenceLength = 8192,
            .precision = Precision::Bf16};
        document.jobs = {job};
        document.candidates.nodes = {"nvidia_gb200_nvl72"};
        document.limits.plan.deadline = 30.0 * day;
        const auto result = size::run(document, shipped()).value();
        const auto ranges = size::otherBatches(document, result);
        QCOMPARE(ranges.size(), 1UZ);
        const auto &said = *result.otherBatch->best;
        document.jobs.front().leastBatch = ranges.front().least;
        document.jobs.front().mostBatch = ranges.front().most;
        const auto asked = size::run(document, shipped()).value();
        QVERIFY(asked.best());
        QCOMPARE(size::fleetInWords(asked, *asked.best()), size::fleetInWords(result, said));
        QCOMPARE(asked.best()->jobs.front().globalBatch, said.jobs.front().globalBatch);
        QCOMPARE(asked.best()->figures.runCostUsd, said.figures.runCostUsd);
        QVERIFY(said.figures.runCostUsd < result.best()->figures.runCostUsd);
    }

    /// 70B on 15 T tokens: within 12 MW nothing is as cheap as what 13.6 MW let in.
    void thirteenMegawattsLetInACheaperFleet()
    {
        DecisionDocument document{.name = "70B", .costModelId = "detailed"};
        DecisionJob job;
        job.workload = "llama3_1_70b";
        job.tokens = 15e12;
        job.training = {.globalBatch = 2048,
            .microbatchCount = std::nullopt,
            .microbatchSize = 1,
            .sequenceLength = 8192,
            .precision = Precision::Bf16};
        document.jobs = {job};
        document.candidates.nodes = {
            "nvidia_dgx_h100", "nvidia_dgx_h200", "nvidia_dgx_b200", "nvidia_gb200_nvl72", "amd_mi300x_8gpu"};
        document.limits.plan.deadline = 30.0 * day;
        const auto within = [&](double megawatts) {
            document.limits.plan.facilityPower = Watts::from_value(megawatts * 1e6);
            return size::run(document, shipped()).value();
        };
        const auto result = within(12);
        QVERIFY(result.best());
        const double cost = result.best()->figures.runCostUsd;
        const auto power = std::ranges::find(result.keptOut, SizeLimit::Power, &size::KeptOut::limit);
        QVERIFY(power != result.keptOut.end() && power->nearest);
        QVERIFY2(power->nearest->needed > 13.5e6 && power->nearest->needed < 13.6e6,
            qPrintable(QString::number(power->nearest->needed)));
        const auto said = size::keptOutInWords(document, result);
        const auto sentence = std::ranges::find_if(
            said, [](const std::string &one) { return one.find("instead of 12") != std::string::npos; });
        QVERIFY(sentence != said.end());
        // What is read can be typed: it is rounded up.
        QVERIFY2(QString::fromStdString(*sentence)
                     .replace(QChar(0xa0), QChar(u' '))
                     .contains(u"With 13.6 MW instead of 12 MW it would be 1024"_s),
            sentence->c_str());
        QVERIFY(within(13.5).best()->figures.runCostUsd >= cost);
        QVERIFY(within(13.6).best()->figures.runCostUsd < cost);
    }

    /// Another batch near the stated one: no worse than asking again with all batches near, and the same as asking with
    /// those up to the one that is said.
    void otherBatchesEqualAskingAgain()
    {
        QRandomGenerator random(20'261'126);
        int better = 0, none = 0;
        for (int i = 0; i < 40; ++i) {
            auto document = randomDecision(random);
            document.jobs.front().training.globalBatch = i % 2 == 0 ? 256 : 128;
            document.candidates.leastNodes = 1 + i % 7;
            const auto result = answered(document);
            QVERIFY(result.otherBatch);
            const auto asked = size::withBatchesNear(document);
            QVERIFY(asked && *asked->jobs.front().leastBatch == document.jobs.front().training.globalBatch * 3 / 4);
            const auto again = answered(*asked);
            const auto *best = result.best(), *other = again.best();
            const auto &found = result.otherBatch->best;
            if (!other
                || (best
                    && valueOf(document.objective, other->figures)
                        >= valueOf(document.objective, best->figures) * (1 - slightly))) {
                QVERIFY2(!found, qPrintable(QString::number(i)));
                ++none;
                continue;
            }
            ++better;
            QVERIFY2(found
                    && valueOf(document.objective, found->figures)
                        <= valueOf(document.objective, other->figures) * (1 + slightly),
                qPrintable(QString::number(i)));
            QVERIFY(!again.otherBatch); // the range is respected
            // What is said of it is asked: from the job's own batch to that one.
            auto &job = document.jobs.front();
            std::tie(job.leastBatch, job.mostBatch) = std::minmax(
                job.training.globalBatch, found->jobs.front().globalBatch);
            const auto exact = answered(document);
            QVERIFY2(exact.best() && found->lot == exact.best()->lot && found->nodes == exact.best()->nodes
                    && found->jobs.front().globalBatch == exact.best()->jobs.front().globalBatch
                    && isNear(found->figures.days, exact.best()->figures.days)
                    && isNear(found->figures.runCostUsd, exact.best()->figures.runCostUsd),
                qPrintable(QString::number(i)));
        }
        QVERIFY2(better >= 5 && none >= 5, qPrintable(QStringLiteral("%1 %2").arg(better).arg(none)));
    }

    /// On 37 nodes nothing shares a batch of 256: the answer is another batch.
    void anotherBatchAlone()
    {
        auto document = smallDecision();
        document.candidates.leastNodes = document.candidates.mostNodes = 37;
        const auto result = answered(document);
        QVERIFY(!result.best() && result.otherBatch && result.otherBatch->best);
        QCOMPARE(result.otherBatch->best->nodes, 37);
        QCOMPARE(result.otherBatch->best->jobs.front().globalBatch, 296);
        const auto said = size::recommendation(document, result);
        QVERIFY(said.size() >= 2);
        QVERIFY2(said[1].starts_with("With a batch of 296 instead of 256 all limits are kept by 37"), said[1].c_str());
    }

    /// The deadline is moved, but what is said is how likely the stated one is kept.
    void chanceIsThatOfTheStatedDeadline()
    {
        auto document = smallDecision();
        document.limits = {};
        document.limits.plan.deadline = 0.8 * answered(document).best()->figures.days * day;
        const auto result = answered(document);
        QVERIFY(result.best());
        const auto &kept = result.keptOut.front();
        QVERIFY(kept.limit == SizeLimit::Deadline && kept.nearest && kept.best);
        for (const auto &fleet : {*kept.nearest, *kept.best}) {
            const auto &figures = fleet.answer.figures;
            const size::DaysSpread spread{
                .likely = figures.days, .deviation = std::log(1.44) / (2 * validation::normalQuantile)};
            QVERIFY(figures.days > kept.allowed);
            QVERIFY(std::abs(figures.deadlineChance - spread.chanceOf(kept.allowed)) < 1e-6);
        }
    }

    void progressMovesWhileLimitsAreLifted()
    {
        auto document = smallDecision();
        document.limits.plan.facilityPower = Watts::from_value(120e3);
        document.limits.plan.minMfu = 0.3;
        std::vector<size::Snapshot> told;
        const auto result = answered(document,
            {.progress = [&](const size::Snapshot &snapshot) { told.push_back(snapshot); }, .millisecondsBetween = 0});
        QVERIFY(result.best());
        QVERIFY(std::ranges::is_sorted(told, {}, &size::Snapshot::share));
        QVERIFY(!told.empty() && told.back().share == 1);
        constexpr double sizing = 0.75;
        const auto lifting = std::ranges::count_if(told, [](const auto &one) { return one.share > sizing; });
        QVERIFY2(lifting >= 3 * 2, qPrintable(QString::number(lifting))); // limits and kinds of nodes
        const auto searching = std::ranges::count_if(
            told, [](const auto &one) { return one.share > 0.85 && one.share < 1; });
        QVERIFY2(searching >= 3, qPrintable(QString::number(searching))); // other batches, on each kind of node
        QVERIFY(told.back().partial && told.back().partial->best());
        QCOMPARE(told.back().partial->best()->nodes, result.best()->nodes);
    }

    void aStopIsHeardInTheMiddleOfLifting()
    {
        auto document = smallDecision();
        document.limits.plan.facilityPower = Watts::from_value(120e3);
        std::stop_source stop;
        int after = 0;
        const auto result = size::run(document, shipped(), withinAFifth,
            {.progress =
                    [&](const size::Snapshot &snapshot) {
                        after += stop.stop_requested() ? 1 : 0;
                        if (snapshot.share > 0.75)
                            stop.request_stop();
                    },
                .millisecondsBetween = 0,
                .stop = stop.get_token(),
                .threads = 1});
        QVERIFY(stop.stop_requested());
        QVERIFY(!result);
        QCOMPARE(int(result.error().code), int(ErrorCode::Cancelled));
        QCOMPARE(after, 0);
    }

    void aStopIsHeardWhileLimitsAreLifted()
    {
        const auto document = smallDecision();
        const auto result = answered(document);
        std::stop_source stop;
        stop.request_stop();
        const auto kept = size::keptOut(document, shipped(), withinAFifth, {.stop = stop.get_token()}, result);
        QVERIFY(!kept);
        QCOMPARE(int(kept.error().code), int(ErrorCode::Cancelled));
    }
};

FLEETWRIGHT_TEST(KeptOutTest)
#include "tst_keptout.moc"
