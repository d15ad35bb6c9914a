// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/sizemodel.h"
#include "solver/sizesample.h"
#include "testing/registry.h"

#include <QAbstractItemModelTester>
#include <QSortFilterProxyModel>
#include <QTest>

using namespace fleetwright;
using namespace fleetwright::itemmodels;
using namespace Qt::StringLiterals;

class TestSizeModel : public QObject {
    Q_OBJECT
private slots:
    void fleetsWithTheirFigures();
    void theBaseCaseHasItsRow();
    void oneRunInTenTakesLonger();
    void aDemandedChanceIsThatOfEachFleet();
    void chancesThatWereNotDrawnAreMarked();
    void unknownSortsLast();
    void whatBinds();
    void fabricsAreNamedShort();
};

/// In every row, without what is in brackets, unless two could not be told apart then; files have the whole name.
void TestSizeModel::fabricsAreNamedShort()
{
    auto result = sizesample::feasible();
    result.lots[0].fabric = "400 GbE (RoCE v2)";
    SizedModel model;
    const auto fabric = [&](int row, int role = Qt::DisplayRole) {
        return model.index(row, SizedModel::Fabric).data(role).toString();
    };
    model.setResult(sizesample::question(), result, SizedRows::EveryKind);
    QCOMPARE(fabric(0), u"400 GbE"_s);
    QCOMPARE(fabric(0, fileRole), u"400 GbE (RoCE v2)"_s);
    result.lots[1].fabric = "400 GbE (TCP)";
    model.setResult(sizesample::question(), result, SizedRows::EveryKind);
    QCOMPARE(fabric(0), u"400 GbE (RoCE v2)"_s);
}

void TestSizeModel::fleetsWithTheirFigures()
{
    SizedModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setResult(sizesample::question(), sizesample::feasible(), SizedRows::EveryKind);
    QCOMPARE(model.rowCount(), 4); // the last is the base case
    const auto cell = [&](int row, int column, int role = Qt::DisplayRole) {
        return model.index(row, column).data(role);
    };
    QCOMPARE(cell(0, SizedModel::Fleet).toString(), u"512 × DGX B200"_s);
    QCOMPARE(cell(0, SizedModel::Paying).toString(), u"owned"_s);
    QCOMPARE(cell(0, SizedModel::Fabric).toString(), u"InfiniBand XDR"_s);
    QVERIFY(cell(0, SizedModel::Fleet, Qt::ToolTipRole).toString().contains(u"owned, InfiniBand XDR"_s));
    QVERIFY(model.differIn(SizedModel::Fabric) && !model.differIn(SizedModel::Site));
    QCOMPARE(cell(0, SizedModel::Days).toString(), u"26.1"_s);
    QCOMPARE(cell(0, SizedModel::RunCost).toString(), u"9.90"_s);
    QCOMPARE(cell(0, SizedModel::Capital).toString(), u"262"_s);
    QCOMPARE(cell(0, SizedModel::Power).toString(), u"9.40"_s);
    QCOMPARE(cell(0, SizedModel::Chance).toString(), u"\u2013"_s);
    QCOMPARE(cell(0, SizedModel::Binds).toString(), u"0.60 MW left: facility power"_s);
    QVERIFY(cell(0, SizedModel::Binds, keepsRole).toBool() && !cell(2, SizedModel::Binds, keepsRole).toBool());
    QCOMPARE(cell(2, SizedModel::Binds).toString(), u"Deadline, Facility power"_s);
    QVERIFY(cell(2, SizedModel::Binds, Qt::ToolTipRole).toString().contains(u"8.9 over"_s));
    QVERIFY(cell(2, SizedModel::Frees).toString().contains(u"570 nodes"_s));
    QCOMPARE(cell(0, SizedModel::RunCost, fileRole).toDouble(), 9.9e6);
    QCOMPARE(cell(0, SizedModel::Power, fileRole).toDouble(), 9.4);
    QCOMPARE(cell(0, SizedModel::Days, Qt::TextAlignmentRole).toInt(), int(Qt::AlignRight | Qt::AlignVCenter));
    QCOMPARE(cell(2, SizedModel::Fleet, idRole).toInt(), 2);
    QVERIFY(cell(0, SizedModel::Fleet, Qt::ToolTipRole).toString().contains(u"4096 accelerators"_s));
    QVERIFY(model.headerData(SizedModel::Power, Qt::Horizontal, Qt::DisplayRole).toString().contains(u"[MW]"_s));
    auto measured = sizesample::feasible(); // the days beside it are by the runs, too
    auto &job = measured.answers.front().answer.jobs.front();
    job.stepSeconds = 2.0;
    job.mfu = 0.3;
    job.stepSecondsByRuns = 2.5;
    model.setResult(sizesample::question(), measured, SizedRows::EveryKind);
    const auto tip = cell(0, SizedModel::Fleet, Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(u"step 2.50\u00a0s, MFU 24.0\u00a0%"_s), qPrintable(tip));
    auto electric = sizesample::feasible();
    QCOMPARE(cell(0, SizedModel::Electricity).toString(), u"\u2013"_s);
    electric.answers[0].answer.figures.electricityUsd = 471e3;
    electric.lots[electric.answers[1].answer.lot].paying = {Paying::Rent, RentTerm::OnDemand};
    model.setResult(sizesample::question(), electric, SizedRows::EveryKind);
    QCOMPARE(cell(0, SizedModel::Electricity).toString(), u"0.471"_s);
    QCOMPARE(cell(0, SizedModel::Electricity, fileRole).toDouble(), 471e3);
    QCOMPARE(cell(1, SizedModel::Electricity).toString(), u"in the rent"_s);
    model.setResult(sizesample::question(), sizesample::infeasible(), SizedRows::BestOfNodes);
    QCOMPARE(model.rowCount(), 2);
}

void TestSizeModel::theBaseCaseHasItsRow()
{
    SizedModel model;
    auto result = sizesample::feasible();
    const auto fleet = [&](int row) { return model.index(row, SizedModel::Fleet).data().toString(); };
    model.setResult(sizesample::question(), result, SizedRows::BestOfNodes);
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(fleet(3), u"128 × DGX H100 (base case)"_s);
    QCOMPARE(model.index(3, SizedModel::Fleet).data(idRole).toLongLong(), baseCaseId);
    QCOMPARE(model.index(3, SizedModel::Days).data().toString(), u"191"_s);
    QCOMPARE(model.index(3, SizedModel::Binds).data().toString(), u"Deadline"_s);
    QVERIFY(model.index(3, SizedModel::Frees).data().toString().isEmpty());
    // One of the candidates is marked instead.
    result.baseCase = result.answers[1].answer;
    result.baseLot = result.baseCase->lot;
    model.setResult(sizesample::question(), result, SizedRows::BestOfNodes);
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(fleet(1), u"768 × DGX H200 (base case)"_s);
    result.baseCase.reset();
    model.setResult(sizesample::question(), result, SizedRows::BestOfNodes);
    QCOMPARE(fleet(1), u"768 × DGX H200"_s);
}

void TestSizeModel::oneRunInTenTakesLonger()
{
    size::HowSure sure{.fleets = {0}, .risk = {}, .priceChanges = {}, .turningPoints = {}, .buyOrRent = {}};
    sure.risk.fleets.emplace_back().spreads[std::size_t(uncertainty::RiskFigure::Days)] = uncertainty::RiskSpread{
        .likely = 26.1, .quantiles = {.p10 = 22, .p50 = 26, .p90 = 31.4}, .histogram = {}};
    SizedModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto result = sizesample::feasible();
    model.setResult(sizesample::question(), result, SizedRows::EveryKind, &sure);
    QCOMPARE(model.headerData(SizedModel::LateDays, Qt::Horizontal, Qt::DisplayRole).toString(), u"P90 days"_s);
    QCOMPARE(model.index(0, SizedModel::LateDays).data().toString(), u"31.4"_s);
    QCOMPARE(model.index(1, SizedModel::LateDays).data().toString(), u"\u2013"_s); // not drawn
}

/// Of the same nodes, laid out alike, the draws of one say how long the other takes, too, however it is paid for.
void TestSizeModel::chancesThatWereNotDrawnAreMarked()
{
    auto result = sizesample::feasible();
    auto rented = result.lots.front();
    rented.paying = {Paying::Rent, RentTerm::Reserved3y};
    result.lots.push_back(rented);
    auto same = result.answers.front();
    same.answer.lot = result.lots.size() - 1;
    result.answers.push_back(same);
    for (auto &lot : result.answers)
        lot.answer.figures.deadlineChance = 0.837; // by the range of the step time
    size::HowSure sure{.fleets = {0},
        .risk = {},
        .alike = {result.answers.size() - 1},
        .priceChanges = {},
        .turningPoints = {},
        .buyOrRent = {}};
    sure.risk.fleets.emplace_back().deadline.emplace().share = 0.834;
    sure.risk.alike.emplace_back().deadline.emplace().share = 0.834;
    SizedModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto chance = [&](int row) { return model.index(row, SizedModel::Chance).data().toString(); };
    model.setResult(sizesample::question(), result, SizedRows::EveryKind);
    QCOMPARE(chance(0), u"\u2248 83.7"_s); // nothing is drawn yet, so it will be another
    model.setResult(sizesample::question(), result, SizedRows::EveryKind, &sure);
    QCOMPARE(chance(0), u"83.4"_s);
    QCOMPARE(chance(1), u"\u2248 83.7"_s);
    const auto tip = [&](int row) { return model.index(row, SizedModel::Chance).data(Qt::ToolTipRole).toString(); };
    QVERIFY2(tip(1).contains(u"by the range of the step time alone"_s), qPrintable(tip(1)));
    QVERIFY2(!tip(0).contains(u'\u2248') && !tip(3).contains(u'\u2248'), qPrintable(tip(0) + tip(3)));
    QCOMPARE(chance(3), u"83.4"_s); // reserved
    QCOMPARE(model.index(1, SizedModel::Chance).data(fileRole).toDouble(), 0.837);
    sure.risk.fleets.front().deadline->share = 0.0008; // one draw of some thousands is no digit
    model.setResult(sizesample::question(), result, SizedRows::EveryKind, &sure);
    QCOMPARE(chance(0), u"< 1"_s);
    sure.risk.fleets.front().deadline->share = 0.834;
    sure.risk.alike.front().daysScaledBy = 1.02; // on another fabric
    sure.risk.alike.front().spreads.front().emplace().quantiles.p90 = 31.4;
    model.setResult(sizesample::question(), result, SizedRows::EveryKind, &sure);
    QCOMPARE(chance(0), u"83.4"_s);
    QCOMPARE(chance(3), u"\u2248 83.4"_s);
    QCOMPARE(model.index(3, SizedModel::LateDays).data().toString(), u"\u2248 31.4"_s);
    QVERIFY(model.headerData(SizedModel::Chance, Qt::Horizontal, Qt::ToolTipRole).toString().contains(u"\u2248"_s));
}

/// Where a chance is demanded every fleet has that of its draws, and keeps it or not by that: none is marked.
void TestSizeModel::aDemandedChanceIsThatOfEachFleet()
{
    auto document = sizesample::question();
    document.limits.deadlineChance = 0.9;
    auto result = sizesample::feasible();
    result.answers.front().answer.figures.deadlineChance = 0.901;
    size::HowSure sure{.fleets = {0}, .risk = {}, .priceChanges = {}, .turningPoints = {}, .buyOrRent = {}};
    sure.risk.fleets.emplace_back().deadline.emplace().share = 0.898; // of an answer of before
    SizedModel model;
    BindingModel binding;
    for (const size::HowSure *drawn : std::initializer_list<const size::HowSure *>{nullptr, &sure}) {
        model.setResult(document, result, SizedRows::EveryKind, drawn);
        binding.setResult(document, result, SizedRows::EveryKind);
        QVERIFY(model.index(0, 0).data(keepsRole).toBool() && binding.index(0, 0).data(keepsRole).toBool());
        QCOMPARE(model.index(0, SizedModel::Chance).data().toString(), u"90.1"_s);
        QVERIFY(!model.index(0, SizedModel::Chance).data(Qt::ToolTipRole).toString().contains(u'\u2248'));
    }
}

void TestSizeModel::unknownSortsLast()
{
    auto result = sizesample::feasible();
    result.answers[0].answer.figures.carbonKg = size::unknownFigure;
    SizedModel model;
    model.setResult(sizesample::question(), result, SizedRows::EveryKind);
    QSortFilterProxyModel proxy;
    proxy.setSourceModel(&model);
    proxy.setSortRole(sortRole);
    proxy.sort(SizedModel::Carbon, Qt::AscendingOrder);
    QCOMPARE(proxy.index(proxy.rowCount() - 1, SizedModel::Carbon).data().toString(), u"\u2013"_s);
}

void TestSizeModel::whatBinds()
{
    BindingModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setResult(sizesample::question(), sizesample::feasible(), SizedRows::EveryKind);
    QCOMPARE(model.rowCount(), 4); // two that keep their limits with the tightest one, and what the third breaks
    QCOMPARE(model.index(0, BindingModel::Limit).data().toString(), u"Facility power"_s);
    QCOMPARE(model.index(0, BindingModel::Needed).data().toString(), u"0.60 MW left"_s);
    QCOMPARE(model.index(0, BindingModel::By).data().toString(), u"\u2013"_s);
    QVERIFY(model.index(0, BindingModel::By).data(sortRole).toDouble() < 0);
    QVERIFY(model.index(0, BindingModel::Needed).data(keepsRole).toBool());
    QCOMPARE(model.index(2, BindingModel::Limit).data().toString(), u"Deadline"_s);
    QCOMPARE(model.index(3, BindingModel::Limit).data().toString(), u"Facility power"_s);
    QVERIFY(model.index(3, BindingModel::Remedy).data().toString().contains(u"832 nodes"_s));
    QCOMPARE(model.index(3, BindingModel::By).data().toString(), u"12.0"_s);
    QVERIFY(!model.index(3, BindingModel::Needed).data(keepsRole).toBool());
}

FLEETWRIGHT_TEST(TestSizeModel)
#include "tst_sizemodel.moc"
