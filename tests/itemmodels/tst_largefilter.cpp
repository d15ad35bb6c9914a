// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/largefilter.h"

#include "itemmodels/validationmodel.h"
#include "testing/registry.h"

#include <QAbstractItemModelTester>
#include <QItemSelectionModel>
#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <limits>

using namespace fleetwright;
using namespace fleetwright::itemmodels;
using namespace Qt::StringLiterals;

namespace {

constexpr int many = LargeFilter::rowsOfATurn + 1; // one more than are looked at at once

std::vector<ScoredRunRow> runs(int count)
{
    std::vector<ScoredRunRow> rows;
    for (int i = 0; i < count; ++i) {
        ScoredRunRow row;
        row.id = i;
        row.run = u"run %1"_s.arg(i);
        row.name = row.run;
        row.source = row.sourceName = i % 3 == 0 ? u"ours"_s : u"theirs"_s;
        row.accelerators = (i * 7919) % 1000;
        if (i % 5 != 0)
            row.error = double((i * 104'729) % 997) / 1000 - 0.5;
        rows.push_back(std::move(row));
    }
    return rows;
}

class TestLargeFilter : public QObject {
    Q_OBJECT

    ScoredRunModel m_model;
    ScoredRunFilter m_filter;
    QAbstractItemModelTester m_tester{&m_filter, QAbstractItemModelTester::FailureReportingMode::QtTest};

    QString run(int row) const { return m_filter.index(row, ScoredRunModel::Run).data().toString(); }
    QString source(int row) const { return m_filter.index(row, ScoredRunModel::Source).data().toString(); }

private slots:
    void initTestCase() { m_filter.setSourceModel(&m_model); }
    void init()
    {
        m_filter.setText({});
        m_filter.sort(-1);
        m_model.setRows(runs(many));
    }

    void fewRowsAreFilteredAtOnce()
    {
        m_model.setRows(runs(LargeFilter::rowsOfATurn));
        QSignalSpy filtered(&m_filter, &LargeFilter::filtered);
        m_filter.setText(u"ours"_s);
        QCOMPARE(filtered.size(), 1);
        QVERIFY(!m_filter.isFiltering());
        QCOMPARE(m_filter.rowCount(), (LargeFilter::rowsOfATurn + 2) / 3);
    }

    /// A key looks at some of the rows; the others come when the window has nothing else to do.
    void manyRowsAreFilteredALittleAtATime()
    {
        QSignalSpy filtered(&m_filter, &LargeFilter::filtered), gone(&m_filter, &QAbstractItemModel::rowsRemoved);
        m_filter.setText(u"ours"_s);
        QVERIFY(m_filter.isFiltering());
        QCOMPARE(m_filter.rowCount(), many);
        m_filter.setText(u"ours run"_s); // the next key
        QVERIFY(filtered.isEmpty());
        QTRY_COMPARE(filtered.size(), 1);
        QCOMPARE(m_filter.rowCount(), (many + 2) / 3);
        QCOMPARE(gone.size(), 1); // together
        for (int row = 0; row < m_filter.rowCount(); ++row)
            QCOMPARE(source(row), u"ours"_s);
        m_filter.setText({});
        QCOMPARE(m_filter.rowCount(), many); // nothing has to be looked at
        m_filter.setText(u"nobody\u2019s"_s);
        QTRY_COMPARE(m_filter.rowCount(), 0);
        QCOMPARE(m_filter.headerData(ScoredRunModel::Source, Qt::Horizontal, Qt::DisplayRole),
            m_model.headerData(ScoredRunModel::Source, Qt::Horizontal, Qt::DisplayRole));
    }

    void whatIsSelectedStays()
    {
        QItemSelectionModel selection(&m_filter);
        selection.select(m_filter.index(300, 0), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        m_filter.setText(u"ours"_s);
        QTRY_VERIFY(!m_filter.isFiltering());
        QCOMPARE(selection.selectedRows().size(), 1);
        QCOMPARE(selection.selectedRows().constFirst().data().toString(), u"run 300"_s);
        m_filter.sort(ScoredRunModel::Accelerators, Qt::DescendingOrder);
        QCOMPARE(selection.selectedRows().constFirst().data().toString(), u"run 300"_s);
        m_filter.setText({});
        QCOMPARE(selection.selectedRows().constFirst().data().toString(), u"run 300"_s);
        m_filter.setText(u"theirs"_s);
        QTRY_VERIFY(!m_filter.isFiltering());
        QVERIFY(selection.selectedRows().isEmpty());
    }

    void rowsAreSortedByNumbersAndTexts()
    {
        const auto key = [this](int row, int column) { return m_filter.index(row, column).data(sortRole); };
        for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            m_filter.sort(ScoredRunModel::Error, order);
            for (int row = 1; row < many; ++row) {
                const auto before = key(row - 1, ScoredRunModel::Error), after = key(row, ScoredRunModel::Error);
                QVERIFY(before.isValid() || !after.isValid()); // those without one are last
                if (after.isValid())
                    QVERIFY(order == Qt::AscendingOrder ? before.toDouble() <= after.toDouble()
                                                        : before.toDouble() >= after.toDouble());
            }
        }
        m_filter.sort(ScoredRunModel::Run);
        for (int row = 1; row < many; ++row)
            QVERIFY(run(row - 1) < run(row));
        m_filter.sort(-1);
        QCOMPARE(run(2), u"run 2"_s);
    }

    /// Those without a number are last, rising and falling, in the order of the source.
    void rowsWithoutANumberAreLast()
    {
        auto rows = runs(8);
        for (auto &row : rows)
            row.error = 0.1 * double(row.id);
        rows[0].error.reset();
        rows[2].error = std::numeric_limits<double>::quiet_NaN();
        rows[5].error.reset();
        rows[6].error = std::numeric_limits<double>::quiet_NaN();
        m_model.setRows(rows);
        QStringList rising, falling;
        m_filter.sort(ScoredRunModel::Error);
        for (int row = 0; row < m_filter.rowCount(); ++row)
            rising << run(row).mid(4);
        m_filter.sort(ScoredRunModel::Error, Qt::DescendingOrder);
        for (int row = 0; row < m_filter.rowCount(); ++row)
            falling << run(row).mid(4);
        QCOMPARE(rising.join(u' '), u"1 3 4 7 0 2 5 6"_s);
        QCOMPARE(falling.join(u' '), u"7 4 3 1 0 2 5 6"_s);
        // Many of them: an order that is none would put some among the numbers.
        rows = runs(many);
        for (auto &row : rows)
            row.error = row.id % 3 == 0 ? std::numeric_limits<double>::quiet_NaN() : double((row.id * 7919) % 1000);
        m_model.setRows(rows);
        for (int row = 1; row < many; ++row) {
            const auto before = m_filter.index(row - 1, ScoredRunModel::Error).data(sortRole).toDouble(),
                       after = m_filter.index(row, ScoredRunModel::Error).data(sortRole).toDouble();
            QVERIFY(std::isnan(after) || before >= after);
        }
    }

    /// None is seen that the filter hides, not for a moment.
    void newRowsComeFiltered()
    {
        m_filter.setText(u"ours"_s);
        QTRY_VERIFY(!m_filter.isFiltering());
        int most = 0;
        const auto look = connect(
            &m_filter, &QAbstractItemModel::modelReset, this, [&] { most = std::max(most, m_filter.rowCount()); });
        QSignalSpy gone(&m_filter, &QAbstractItemModel::rowsRemoved), filtered(&m_filter, &LargeFilter::filtered);
        m_model.setRows(runs(many));
        QCOMPARE(most, (many + 2) / 3);
        QCOMPARE(m_filter.rowCount(), (many + 2) / 3);
        QVERIFY(!m_filter.isFiltering() && gone.isEmpty());
        QCOMPARE(filtered.size(), 1);
        disconnect(look);
    }

    /// A row takes its place by its new values, as in QSortFilterProxyModel.
    void changedRowsFindTheirPlace()
    {
        m_model.setRows(runs(6));
        m_filter.sort(ScoredRunModel::Run);
        auto changed = m_model.row(1);
        changed.run = changed.name = u"run 9"_s;
        QItemSelectionModel selection(&m_filter);
        selection.select(m_filter.index(1, 0), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        m_model.change(1, changed);
        QCOMPARE(run(5), u"run 9"_s);
        QCOMPARE(selection.selectedRows().size(), 1);
        QCOMPARE(selection.selectedRows().constFirst().row(), 5);
        m_filter.setText(u"hers"_s);
        QCOMPARE(m_filter.rowCount(), 0);
        changed.source = changed.sourceName = u"hers"_s;
        m_model.change(1, changed);
        QCOMPARE(m_filter.rowCount(), 1);
        QCOMPARE(run(0), u"run 9"_s);
        changed.source = changed.sourceName = u"his"_s;
        m_model.change(1, changed);
        QCOMPARE(m_filter.rowCount(), 0);
        // While rows are looked at, those that were seen are looked at again.
        m_filter.setText({});
        m_model.setRows(runs(many));
        m_filter.setText(u"his"_s);
        QVERIFY(m_filter.isFiltering());
        changed = m_model.row(2);
        changed.source = changed.sourceName = u"his"_s;
        m_model.change(2, changed);
        QTRY_VERIFY(!m_filter.isFiltering());
        QCOMPARE(m_filter.rowCount(), 1);
        QCOMPARE(source(0), u"his"_s);
    }

    void otherRowsAreFilteredToo()
    {
        m_filter.setText(u"ours"_s);
        m_model.setRows(runs(5)); // while the others were looked at
        QVERIFY(!m_filter.isFiltering());
        QCOMPARE(m_filter.rowCount(), 2);
        auto changed = m_model.row(3);
        changed.run = changed.name = u"another"_s;
        QSignalSpy told(&m_filter, &QAbstractItemModel::dataChanged);
        m_model.change(3, changed);
        QCOMPARE(told.size(), 1);
        QCOMPARE(run(1), u"another"_s);
        m_model.setRows({});
        QCOMPARE(m_filter.rowCount(), 0);
        m_model.setRows(runs(many));
        QTRY_COMPARE(m_filter.rowCount(), (many + 2) / 3);
    }
};

} // namespace

FLEETWRIGHT_TEST(TestLargeFilter)
#include "tst_largefilter.moc"
