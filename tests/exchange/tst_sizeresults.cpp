// SPDX-License-Identifier: GPL-3.0-or-later
// Answers to decisions as JSON and CSV, and as projects keep them.
#include "exchange/exchangetesting.h"
#include "solver/sizesample.h"
#include "testing/registry.h"

#include "exchange/decisiondocuments.h"
#include "exchange/sizeresults.h"

#include <QTest>

using namespace fleetwright;
using namespace exchangetesting;
using namespace Qt::StringLiterals;
using exchange::Json;

namespace {

/// What happens never, and what is not known.
size::Result withGaps()
{
    auto result = sizesample::feasible();
    auto &last = result.answers.back().answer;
    last.figures.days = std::numeric_limits<double>::infinity();
    last.figures.carbonKg = size::unknownFigure;
    last.misses.front().needed = last.figures.days;
    last.jobs.front().layout.recompute = Recompute::Full;
    last.jobs.front().layout.sequenceParallel = true;
    result.refused.push_back({"DGX X", {ErrorCode::UnsupportedValue, "candidates.nodes", "It is not sold."}});
    result.remedies = {{size::SizeLimit::Carbon, 2e6, 1, 7, 5.0, {.days = 12, .capitalUsd = 3e6}}};
    result.keptOut = {{.limit = size::SizeLimit::Deadline, .allowed = 30},
        {.limit = size::SizeLimit::Power,
            .allowed = 10e6,
            .nearest = size::LetIn{11.3e6, sizesample::answer(2, 704, 24.0, 7.9e6, 11.3e6)},
            .best = size::LetIn{14e6, sizesample::answer(1, 832, 20.0, 6e6, 14e6)}}};
    result.otherBatch = size::OtherBatch{sizesample::answer(1, 320, 26.0, 5.7e6, 8e6)};
    result.lots[1].paying = {Paying::Rent, RentTerm::Spot};
    result.lots[1].ownedNodes = 3;
    return result;
}

} // namespace

class TestSizeResults : public QObject {
    Q_OBJECT

private slots:
    void holdsTheKeysOfTheDesign();
    void excludedSayWhatBindsAndWhatWouldDo();
    void unknownIsAbsentAndNeverIsNull();
    void nothingFeasibleHasNoBest();
    void csvHasARowForEachFleet();
    void keptAnswersComeBack();
    void damagedAnswersAreRefused();
};

void TestSizeResults::holdsTheKeysOfTheDesign()
{
    const auto document = sizesample::question();
    const auto json = exchange::sizeResultToJson(document, sizesample::feasible(), shipped());
    for (const char *key : {"best", "base_case", "by_node", "front", "excluded", "counts"})
        QVERIFY2(json.contains(key), key);
    QVERIFY(!json.contains("all"));
    QCOMPARE(json["input_hash"].get<std::string>(), exchange::decisionInputHash(document, shipped()));
    const auto &best = json["best"];
    QCOMPARE(best["nodes"].get<int>(), 512);
    QCOMPARE(best["days"]["likely"].get<double>(), 26.1);
    QCOMPARE(best["run_cost_usd"]["likely"].get<double>(), 9.9e6);
    QCOMPARE(best["capital_usd"]["likely"].get<double>(), 262e6);
    QCOMPARE(best["ownership_usd_per_year"]["likely"].get<double>(), 70e6);
    QCOMPARE(best["facility_mw"].get<double>(), 9.4);
    QCOMPARE(best["carbon_t"].get<double>(), 2100.0);
    QCOMPARE(best["layout"]["tp"].get<int>(), 4);
    QCOMPARE(best["jobs"][0]["name"].get<std::string>(), std::string("llama3_1_70b"));
    QCOMPARE(best["document"]["nodes"].get<int>(), 512);
    QCOMPARE(json["by_node"].size(), std::size_t(3));
    QCOMPARE(json["counts"]["fleets"].get<int>(), 1204);
    const auto kept = exchange::sizeResultToJson(document, withGaps(), shipped())["kept_out"];
    QCOMPARE(kept.size(), std::size_t(2));
    QVERIFY(kept[0]["nearest"].is_null() && kept[0]["best"].is_null());
    QCOMPARE(kept[1]["limit"].get<std::string>(), std::string("max_facility_mw"));
    QCOMPARE(kept[1]["nearest"]["needed"].get<double>(), 11.3);
    QCOMPARE(kept[1]["nearest"]["fleet"]["nodes"].get<int>(), 704);
    QCOMPARE(kept[1]["best"]["needed"].get<double>(), 14.0);
    QCOMPARE(exchange::sizeResultToJson(document, withGaps(), shipped())["other_batch"]["nodes"].get<int>(), 320);
    QVERIFY(!json.contains("other_batch")); // not known
    const auto all = exchange::sizeResultToJson(document, sizesample::feasible(), shipped(), true);
    QCOMPARE(all["all"].size(), std::size_t(3));
}

void TestSizeResults::excludedSayWhatBindsAndWhatWouldDo()
{
    const auto json = exchange::sizeResultToJson(sizesample::question(), sizesample::feasible(), shipped());
    const auto &excluded = json["excluded"];
    QCOMPARE(excluded.size(), std::size_t(2));
    QCOMPARE(excluded[0]["limit"].get<std::string>(), std::string("deadline_days"));
    QCOMPARE(excluded[0]["needed"].get<double>(), 38.9);
    QCOMPARE(excluded[0]["allowed"].get<double>(), 30.0);
    QCOMPARE(excluded[0]["remedy"]["nodes"].get<int>(), 570);
    QCOMPARE(excluded[1]["limit"].get<std::string>(), std::string("max_facility_mw"));
    QCOMPARE(excluded[1]["needed"].get<double>(), 11.2);
    QCOMPARE(excluded[1]["remedy"]["needed"].get<double>(), 14.6);
}

void TestSizeResults::unknownIsAbsentAndNeverIsNull()
{
    const auto json = exchange::sizeResultToJson(sizesample::question(), withGaps(), shipped());
    const auto &last = json["by_node"].back();
    QVERIFY(!last.contains("carbon_t") && !last.contains("ready_days"));
    QVERIFY(last["days"]["likely"].is_null());
    QVERIFY(json["excluded"][0]["needed"].is_null());
    QCOMPARE(json["refused"][0]["error"]["message"].get<std::string>(), std::string("It is not sold."));
}

void TestSizeResults::nothingFeasibleHasNoBest()
{
    const auto json = exchange::sizeResultToJson(sizesample::question(), sizesample::infeasible(), shipped());
    QVERIFY(json["best"].is_null());
    QVERIFY(json["recommendation"][0].get<std::string>().starts_with("Nothing meets"));
}

void TestSizeResults::csvHasARowForEachFleet()
{
    const auto csv = exchange::sizeResultToCsv(sizesample::question(), withGaps(), false);
    const auto lines = QString::fromStdString(csv).split(u"\r\n"_s, Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 4);
    QVERIFY(lines.front().startsWith(u"rank,fleet,label,node,nodes"_s));
    QVERIFY(lines[1].startsWith(u"1,\"512 × DGX B200, owned, InfiniBand XDR\",,nvidia_dgx_b200,512,4096"_s));
    QVERIFY(lines.back().contains(u",never,"_s));
}

void TestSizeResults::keptAnswersComeBack()
{
    for (const auto &result : {sizesample::feasible(), sizesample::infeasible(), withGaps(), size::Result{}}) {
        const auto kept = exchange::storedSizeResult(result);
        const auto again = exchange::sizeResultFromStored(kept);
        QVERIFY2(again.has_value(), again ? "" : described(again.error()).constData());
        QCOMPARE(exchange::storedSizeResult(*again), kept);
        auto earlier = Json::parse(kept); // without figures of what would let a fleet in
        for (auto &remedy : earlier["remedies"])
            remedy.erase(remedy.size() - 1);
        const auto old = exchange::sizeResultFromStored(earlier.dump());
        QVERIFY(old && old->remedies.size() == again->remedies.size());
        for (const auto &remedy : old->remedies)
            QVERIFY(std::isnan(remedy.figures.days));
        QVERIFY(again->lots == result.lots);
        QVERIFY(exchange::sizeResultToJson(sizesample::question(), *again, shipped(), true)
            == exchange::sizeResultToJson(sizesample::question(), result, shipped(), true));
    }
}

void TestSizeResults::damagedAnswersAreRefused()
{
    checkDamaged(exchange::storedSizeResult(withGaps()), exchange::sizeResultFromStored, 3);
    QVERIFY(!exchange::sizeResultFromStored("{}"));
    auto json = Json::parse(exchange::storedSizeResult(sizesample::feasible()));
    json["answers"][0]["answer"]["lot"] = 99; // which nothing may look up
    QVERIFY(!exchange::sizeResultFromStored(json.dump()));
}

FLEETWRIGHT_TEST(TestSizeResults)
#include "tst_sizeresults.moc"
