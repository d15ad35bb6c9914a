// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/layoutsearchchangemodel.h"
#include "itemmodels/layoutsearchtablemodel.h"
#include "itemmodels/rowtable.h"
#include "itemmodels/tabletext.h"
#include "testing/registry.h"

#include <QAbstractItemModelTester>
#include <QFont>
#include <QItemSelectionModel>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace fleetwright;
using namespace fleetwright::itemmodels;
using namespace Qt::StringLiterals;

namespace {

const double unknown = std::numeric_limits<double>::quiet_NaN();

layoutsearch::Row row(int tp, int pp, double seconds, double bytes = 4e10, int caseIndex = 0)
{
    return {.layout = {.tp = tp, .pp = pp, .dp = 64 / (tp * pp), .microbatchSize = 2, .zeroStage = 1},
        .caseIndex = caseIndex,
        .stepSeconds = seconds,
        .memoryBytes = bytes,
        .mfu = 0.4 / seconds};
}

layoutsearch::Group group(const layoutsearch::Row &best)
{
    return {.split = splitOf(best.layout),
        .caseIndex = best.caseIndex,
        .best = best,
        .feasible = 3,
        .infeasible = 2,
        .leastMemoryBytes = best.memoryBytes};
}

std::shared_ptr<layoutsearch::Result> resultOf(std::vector<layoutsearch::Row> rows)
{
    auto made = std::make_shared<layoutsearch::Result>();
    made->traits.options = LayoutSearchOptions::all();
    made->cases = {{.label = {},
        .accelerators = 64,
        .globalBatch = 64,
        .tokensPerStep = 131072,
        .capacityBytes = 8e10,
        .limitBytes = 8e10,
        .dollarsPerSecond = 0.05,
        .refused = {}}};
    for (const auto &each : rows)
        made->groups.push_back(group(each));
    made->rows = std::move(rows);
    made->counts.resize(1);
    return made;
}

int at(LayoutSearchColumn column) { return static_cast<int>(column); }

std::vector<int> tps(const LayoutSearchTableModel &model)
{
    std::vector<int> list;
    for (int i = 0; i < model.rowCount(); ++i)
        list.push_back(model.item(i).split.tp);
    return list;
}

} // namespace

class TestSearchModels : public QObject {
    Q_OBJECT
private slots:
    void showsNumbersWithUnits();
    void splitsWithoutAFeasibleLayout();
    void columnsThatTellNothingAreNotUsed();
    void sortsByNumbers_data();
    void sortsByNumbers();
    void unknownComesLastInBothDirections();
    void sortsManyRowsLikeTheStandardLibrary();
    void newerAnswersKeepTheSelection_data();
    void newerAnswersKeepTheSelection();
    void newerAnswersResetNothing();
    void filters_data();
    void filters();
    void unreadableFilters_data();
    void unreadableFilters();
    void changesOfOneSetting();
};

void TestSearchModels::showsNumbersWithUnits()
{
    LayoutSearchTableModel model(LayoutSearchTableModel::Content::Splits);
    const QAbstractItemModelTester tester(&model);
    model.setResult(resultOf({row(8, 2, 2), row(4, 4, 2.5)}));
    const auto cell = [&](int line, LayoutSearchColumn column, int role = Qt::DisplayRole) {
        return model.index(line, at(column)).data(role);
    };
    QCOMPARE(cell(0, LayoutSearchColumn::Rank).toString(), u"\u2605 1"_s); // nothing simpler is recommended
    QCOMPARE(cell(0, LayoutSearchColumn::Tp).toString(), u"8"_s);
    QCOMPARE(cell(0, LayoutSearchColumn::StepTime).toString(), u"2.00"_s);
    QCOMPARE(cell(1, LayoutSearchColumn::Difference).toString(), u"25.0"_s);
    QCOMPARE(cell(0, LayoutSearchColumn::Mfu).toString(), u"20.0"_s);
    QCOMPARE(cell(0, LayoutSearchColumn::TokenRate).toString(), u"65\u202f536"_s); // 131072 / 2
    QCOMPARE(cell(0, LayoutSearchColumn::Memory).toString(), u"40.0"_s);
    QCOMPARE(cell(0, LayoutSearchColumn::MemoryShare).toString(), u"50.0"_s);
    QCOMPARE(cell(0, LayoutSearchColumn::Cost).toString(), u"0.763"_s); // 0.05 * 2 / 131072 * 1e6
    QCOMPARE(cell(0, LayoutSearchColumn::Recompute).toString(), u"none"_s);
    QCOMPARE(cell(0, LayoutSearchColumn::Feasible).toString(), u"3"_s);
    QCOMPARE(cell(0, LayoutSearchColumn::StepTime, sortRole).toDouble(), 2.0);
    QCOMPARE(cell(0, LayoutSearchColumn::Memory, fileRole).toDouble(), 4e10);
    QVERIFY(cell(0, LayoutSearchColumn::Memory, Qt::ToolTipRole).toString().contains(u"40000000000 B"_s)
        || cell(0, LayoutSearchColumn::Memory, Qt::ToolTipRole).toString().contains(u"4e+10 B"_s));
    QVERIFY(cell(0, LayoutSearchColumn::Tp, Qt::ToolTipRole).toString().contains(u"TP 8, PP 2, DP 4; microbatch 2"_s));
    QVERIFY(cell(0, LayoutSearchColumn::StepTime, Qt::FontRole).value<QFont>().bold());
    QVERIFY(!cell(1, LayoutSearchColumn::StepTime, Qt::FontRole).isValid());
    QVERIFY(cell(0, LayoutSearchColumn::StepTime, Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
    for (int column = 0; column < model.columnCount(); ++column)
        for (const int role : {int(Qt::DisplayRole), int(Qt::ToolTipRole), fileRole})
            QVERIFY(!model.headerData(column, Qt::Horizontal, role).toString().isEmpty());
}

void TestSearchModels::splitsWithoutAFeasibleLayout()
{
    LayoutSearchTableModel model(LayoutSearchTableModel::Content::Splits);
    auto result = resultOf({row(8, 2, 2)});
    result->groups.push_back({.split = {.tp = 1, .pp = 1, .dp = 64},
        .caseIndex = 0,
        .best = std::nullopt,
        .feasible = 0,
        .infeasible = 7,
        .leastMemoryBytes = 1.6e11});
    model.setResult(result);
    QCOMPARE(model.index(1, at(LayoutSearchColumn::StepTime)).data().toString(), u"\u2013"_s);
    QVERIFY(std::isnan(model.index(1, at(LayoutSearchColumn::StepTime)).data(sortRole).toDouble()));
    QCOMPARE(model.index(1, at(LayoutSearchColumn::StepTime)).data(fileRole).toString(), QString());
    QCOMPARE(model.index(1, at(LayoutSearchColumn::Memory)).data().toString(), u"160"_s);
    QCOMPARE(model.index(1, at(LayoutSearchColumn::MemoryShare)).data().toString(), u"200"_s);
    QVERIFY(model.index(1, 0).data(Qt::ToolTipRole).toString().contains(u"No layout"_s));
}

void TestSearchModels::columnsThatTellNothingAreNotUsed()
{
    LayoutSearchTableModel splits(LayoutSearchTableModel::Content::Splits),
        layouts(LayoutSearchTableModel::Content::Layouts);
    auto result = resultOf({row(8, 2, 2)});
    result->traits.options = {LayoutSearchOption::Tp, LayoutSearchOption::Pp, LayoutSearchOption::VirtualStages};
    splits.setResult(result);
    layouts.setResult(result);
    for (const auto column : {LayoutSearchColumn::Case, LayoutSearchColumn::Cp, LayoutSearchColumn::Ep,
             LayoutSearchColumn::Recompute, LayoutSearchColumn::Zero, LayoutSearchColumn::SequenceParallel})
        QVERIFY(!splits.isUsed(column));
    for (const auto column : {LayoutSearchColumn::Tp, LayoutSearchColumn::Dp, LayoutSearchColumn::VirtualStages,
             LayoutSearchColumn::Cost, LayoutSearchColumn::Feasible})
        QVERIFY(splits.isUsed(column));
    QVERIFY(!layouts.isUsed(LayoutSearchColumn::Feasible));
    auto several = std::make_shared<layoutsearch::Result>(*result);
    several->cases.push_back(several->cases.front());
    several->cases.front().dollarsPerSecond = several->cases.back().dollarsPerSecond = std::nullopt;
    several->groups.front().split.ep = 2;
    splits.setResult(several);
    QVERIFY(splits.isUsed(LayoutSearchColumn::Case) && splits.isUsed(LayoutSearchColumn::Ep)
        && !splits.isUsed(LayoutSearchColumn::Cost));
}

void TestSearchModels::sortsByNumbers_data()
{
    QTest::addColumn<int>("column");
    QTest::addColumn<bool>("descending");
    QTest::addColumn<std::vector<int>>("expected");
    QTest::newRow("rank") << at(LayoutSearchColumn::Rank) << false << std::vector{16, 8, 2};
    QTest::newRow("rank downwards") << at(LayoutSearchColumn::Rank) << true << std::vector{2, 8, 16};
    QTest::newRow("TP: 2 before 16") << at(LayoutSearchColumn::Tp) << false << std::vector{2, 8, 16};
    QTest::newRow("memory") << at(LayoutSearchColumn::Memory) << false << std::vector{8, 2, 16};
    QTest::newRow("memory downwards") << at(LayoutSearchColumn::Memory) << true << std::vector{16, 2, 8};
    QTest::newRow("equal keys keep the ranking") << at(LayoutSearchColumn::Recompute) << false << std::vector{16, 8, 2};
    QTest::newRow("equal keys keep the ranking downwards")
        << at(LayoutSearchColumn::Recompute) << true << std::vector{16, 8, 2};
}

void TestSearchModels::sortsByNumbers()
{
    QFETCH(const int, column);
    QFETCH(const bool, descending);
    QFETCH(const std::vector<int>, expected);
    LayoutSearchTableModel model(LayoutSearchTableModel::Content::Layouts);
    const QAbstractItemModelTester tester(&model);
    model.setResult(resultOf({row(16, 1, 1, 7e10), row(8, 1, 2, 1e10), row(2, 1, 3, 5e10)}));
    model.sort(column, descending ? Qt::DescendingOrder : Qt::AscendingOrder);
    QCOMPARE(tps(model), expected);
    QCOMPARE(model.total(), 3);
}

void TestSearchModels::unknownComesLastInBothDirections()
{
    LayoutSearchTableModel model(LayoutSearchTableModel::Content::Layouts);
    auto rows = std::vector{row(1, 1, 1, unknown), row(2, 1, 2, 1e10), row(4, 1, 3, 2e10)};
    model.setResult(resultOf(rows));
    model.sort(at(LayoutSearchColumn::Memory), Qt::AscendingOrder);
    QCOMPARE(tps(model), (std::vector{2, 4, 1}));
    model.sort(at(LayoutSearchColumn::Memory), Qt::DescendingOrder);
    QCOMPARE(tps(model), (std::vector{4, 2, 1}));
}

void TestSearchModels::sortsManyRowsLikeTheStandardLibrary()
{
    std::vector<layoutsearch::Row> rows;
    std::uint32_t state = 1;
    for (int i = 0; i < 200'000; ++i) {
        state = state * 1664525U + 1013904223U;
        rows.push_back(row(1, 1, 1 + i * 1e-6, double(state % 1000) * 1e8 - 2e10));
        rows.back().layout.microbatchSize = i + 1;
    }
    LayoutSearchTableModel model(LayoutSearchTableModel::Content::Layouts);
    model.setResult(resultOf(rows));
    for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        model.sort(at(LayoutSearchColumn::Memory), order);
        auto expected = rows;
        if (order == Qt::AscendingOrder)
            std::ranges::stable_sort(expected, {}, &layoutsearch::Row::memoryBytes);
        else
            std::ranges::stable_sort(expected, std::ranges::greater(), &layoutsearch::Row::memoryBytes);
        bool same = true;
        for (int i = 0; i < model.rowCount(); ++i)
            same = same && model.item(i).row->layout == expected[std::size_t(i)].layout;
        QVERIFY(same);
    }
}

void TestSearchModels::newerAnswersKeepTheSelection_data()
{
    QTest::addColumn<std::vector<int>>("later"); // TP of each split, best first
    QTest::addColumn<int>("expected"); // row of the split with TP 4; -1: gone
    QTest::newRow("same rows, other order") << std::vector{8, 1, 4, 2} << 2;
    QTest::newRow("more rows") << std::vector{16, 8, 4, 2, 1, 32} << 2;
    QTest::newRow("more rows, last one") << std::vector{16, 32, 8, 2, 1, 4} << 5;
    QTest::newRow("fewer rows") << std::vector{8, 4} << 1;
    QTest::newRow("gone") << std::vector{8, 2} << -1;
    QTest::newRow("gone, more rows") << std::vector{16, 8, 32, 2, 1, 64} << -1;
}

void TestSearchModels::newerAnswersKeepTheSelection()
{
    QFETCH(const std::vector<int>, later);
    QFETCH(const int, expected);
    for (const auto content : {LayoutSearchTableModel::Content::Splits, LayoutSearchTableModel::Content::Layouts}) {
        LayoutSearchTableModel model(content);
        const QAbstractItemModelTester tester(&model);
        QItemSelectionModel selection(&model);
        model.setResult(resultOf({row(1, 1, 1), row(2, 1, 2), row(4, 1, 3), row(8, 1, 4)}));
        selection.setCurrentIndex(model.index(2, 0), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        std::vector<layoutsearch::Row> rows;
        for (const int tp : later)
            rows.push_back(row(tp, 1, 1 + double(rows.size())));
        model.setResult(resultOf(rows));
        QCOMPARE(tps(model), later);
        const auto selected = selection.selectedRows();
        QCOMPARE(selected.size(), expected < 0 ? 0 : 1);
        if (expected >= 0) {
            QCOMPARE(selected.front().row(), expected);
            QCOMPARE(model.item(expected).split.tp, 4);
            QCOMPARE(model.rowOf(Split{.tp = 4, .cp = 1, .pp = 1, .ep = 1, .dp = 16}, 0), expected);
            QCOMPARE(model.rowOf(model.item(expected).row->layout, 0), expected);
        }
        QCOMPARE(model.rowOf(Split{.tp = 5}, 0), -1);
    }
}

void TestSearchModels::newerAnswersResetNothing()
{
    LayoutSearchTableModel model(LayoutSearchTableModel::Content::Splits);
    model.setResult(resultOf({row(1, 1, 1), row(2, 1, 2)}));
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset), inserted(&model, &QAbstractItemModel::rowsInserted),
        removed(&model, &QAbstractItemModel::rowsRemoved), moved(&model, &QAbstractItemModel::layoutChanged);
    model.setResult(resultOf({row(1, 1, 1), row(2, 1, 2), row(4, 1, 3)}));
    QCOMPARE(inserted.size(), 1);
    QCOMPARE(moved.size(), 1);
    model.setResult(resultOf({row(4, 1, 1)}));
    QCOMPARE(removed.size(), 1);
    QCOMPARE(reset.size(), 0); // a reset would take the view back to the top
    model.setResult({});
    QCOMPARE(reset.size(), 1);
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.total(), 0);
}

void TestSearchModels::filters_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<std::vector<int>>("expected");
    QTest::newRow("nothing") << QString() << std::vector{1, 2, 4, 8};
    QTest::newRow("one value") << u"tp=4"_s << std::vector{4};
    QTest::newRow("blanks and capitals") << u"  TP >= 2   tp<8 "_s << std::vector{2, 4};
    QTest::newRow("commas") << u"tp>1, tp!=4"_s << std::vector{2, 8};
    QTest::newRow("seconds") << u"step<2.5"_s << std::vector{1, 2};
    QTest::newRow("gigabytes") << u"memory<=40 recompute=none"_s << std::vector{1, 2, 4, 8};
    QTest::newRow("percent") << u"worse<101"_s << std::vector{1, 2};
    QTest::newRow("settings") << u"zero=1 sp=no mb=2"_s << std::vector{1, 2, 4, 8};
    QTest::newRow("cases count from one") << u"case=1"_s << std::vector{1, 2, 4, 8};
    QTest::newRow("none left") << u"sp=yes"_s << std::vector<int>{};
}

void TestSearchModels::filters()
{
    QFETCH(const QString, text);
    QFETCH(const std::vector<int>, expected);
    const auto filter = LayoutSearchFilter::parse(text);
    QVERIFY2(filter.has_value(), filter ? "" : filter.error().message.c_str());
    LayoutSearchTableModel model(LayoutSearchTableModel::Content::Splits);
    const QAbstractItemModelTester tester(&model);
    model.setResult(resultOf({row(1, 1, 1), row(2, 1, 2), row(4, 1, 3), row(8, 1, 4)}));
    model.setFilter(*filter);
    QCOMPARE(tps(model), expected);
    QCOMPARE(model.total(), 4);
    model.setFilter({});
    QCOMPARE(model.rowCount(), 4);
}

void TestSearchModels::unreadableFilters_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("word");
    QTest::newRow("no relation") << u"tp=8 eight"_s << u"eight"_s;
    QTest::newRow("no name") << u"=8"_s << u"=8"_s;
    QTest::newRow("unknown name") << u"tq=8"_s << u"tq=8"_s;
    QTest::newRow("no number") << u"pp<many"_s << u"pp<many"_s;
    QTest::newRow("not finite") << u"pp<nan"_s << u"pp<nan"_s;
    QTest::newRow("recompute") << u"recompute=some"_s << u"recompute=some"_s;
    QTest::newRow("sequence parallel") << u"sp=1"_s << u"sp=1"_s;
}

void TestSearchModels::unreadableFilters()
{
    QFETCH(const QString, text);
    QFETCH(const QString, word);
    const auto filter = LayoutSearchFilter::parse(text);
    QVERIFY(!filter);
    QVERIFY(filter.error().code == ErrorCode::ParseError);
    QVERIFY2(filter.error().message.find(word.toStdString()) != std::string::npos, filter.error().message.c_str());
}

void TestSearchModels::changesOfOneSetting()
{
    LayoutSearchChangeModel model;
    const QAbstractItemModelTester tester(&model);
    const auto from = row(8, 2, 2).layout;
    auto slower = from;
    slower.recompute = Recompute::Full;
    auto larger = from;
    larger.microbatchSize = 4;
    model.setChanges({{.option = LayoutSearchOption::Recompute,
                          .value = 2,
                          .layout = slower,
                          .row = layoutsearch::Row{.layout = slower, .stepSeconds = 2.5},
                          .excluded = std::nullopt,
                          .memoryBytes = 2e10,
                          .stepSeconds = 2.5},
                         {.option = LayoutSearchOption::MicrobatchSize,
                             .value = 4,
                             .layout = larger,
                             .row = std::nullopt,
                             .excluded = layoutsearch::Exclusion::Memory,
                             .memoryBytes = 9e10,
                             .stepSeconds = unknown}},
        from, 2.0);
    const auto cell = [&](int line, int column) { return model.index(line, column).data().toString(); };
    QCOMPARE(cell(0, LayoutSearchChangeModel::From), u"none"_s);
    QCOMPARE(cell(0, LayoutSearchChangeModel::To), u"full"_s);
    QCOMPARE(cell(0, LayoutSearchChangeModel::Difference), u"+25.0"_s);
    QCOMPARE(cell(0, LayoutSearchChangeModel::Verdict), u"feasible"_s);
    QCOMPARE(cell(1, LayoutSearchChangeModel::From), u"2"_s);
    QCOMPARE(cell(1, LayoutSearchChangeModel::To), u"4"_s);
    QCOMPARE(cell(1, LayoutSearchChangeModel::StepTime), u"\u2013"_s);
    QCOMPARE(cell(1, LayoutSearchChangeModel::Memory), u"90.0"_s);
    QCOMPARE(cell(1, LayoutSearchChangeModel::Verdict), u"Needs more memory"_s);
    QCOMPARE(model.index(0, LayoutSearchChangeModel::Difference).data(sortRole).toDouble(), 0.25);
    QVERIFY(!model.index(1, LayoutSearchChangeModel::Verdict).data(Qt::ToolTipRole).toString().isEmpty());
}

FLEETWRIGHT_TEST(TestSearchModels)
#include "tst_layoutsearchmodels.moc"
