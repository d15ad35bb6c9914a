// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/ledgermodel.h"
#include "itemmodels/tabletext.h"
#include "testing/registry.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace fleetwright;
using namespace fleetwright::itemmodels;
using namespace Qt::StringLiterals;

namespace {

LedgerRow row(qint64 id, const char *title, LedgerContext context, std::optional<int> accelerators)
{
    LedgerEntry entry;
    entry.when = "2025-03-01T09:30:00Z";
    entry.title = title;
    entry.context = context;
    entry.accelerators = accelerators;
    return ledgerRow(id, entry);
}

} // namespace

class TestLedgerModel : public QObject {
    Q_OBJECT
private slots:
    void rowsAnnounceExactly();
    void unknownIsEmpty();
    void sortsByNumbersAndFilters();
    void fileHoldsPlainValues();
    void toolTipIsPlainText();
    void approvalsSortAndSay();
};

void TestLedgerModel::rowsAnnounceExactly()
{
    LedgerModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    LedgerFilterProxy proxy;
    QAbstractItemModelTester proxyTester(&proxy, QAbstractItemModelTester::FailureReportingMode::QtTest);
    proxy.setSourceModel(&model);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted), changed(&model, &QAbstractItemModel::dataChanged),
        removed(&model, &QAbstractItemModel::rowsRemoved);
    model.setRows({row(1, "A", LedgerContext::FromPlan, 8)});
    model.insert(1, row(2, "B", LedgerContext::FromSearch, 16));
    QCOMPARE(inserted.size(), 1);
    model.change(0, row(1, "A", LedgerContext::FromPlan, 8));
    QCOMPARE(changed.size(), 0);
    model.change(0, row(1, "A2", LedgerContext::FromPlan, 8));
    QCOMPARE(changed.size(), 1);
    proxy.setText(u"B"_s);
    model.remove(1);
    QCOMPARE(removed.size(), 1);
    QCOMPARE(proxy.rowCount(), 0);
}

void TestLedgerModel::unknownIsEmpty()
{
    LedgerModel model;
    model.setRows({row(1, "A", LedgerContext::DataParallel, std::nullopt)});
    for (const int column :
        {LedgerModel::Tp, LedgerModel::Accelerators, LedgerModel::Mfu, LedgerModel::Memory, LedgerModel::Held}) {
        QCOMPARE(model.index(0, column).data().toString(), QString());
        QVERIFY(!model.index(0, column).data(sortRole).isValid());
    }
    QCOMPARE(model.index(0, LedgerModel::When).data().toString(), u"2025-03-01 09:30"_s);
    QCOMPARE(model.index(0, LedgerModel::Context).data().toString(), u"Data parallel"_s);
}

void TestLedgerModel::sortsByNumbersAndFilters()
{
    LedgerModel model;
    model.setRows({row(1, "A", LedgerContext::FromPlan, 1024), row(2, "B", LedgerContext::ThreeDimensional, 64),
        row(3, "C", LedgerContext::FromPlan, 512)});
    LedgerFilterProxy proxy;
    proxy.setSourceModel(&model);
    proxy.sort(LedgerModel::Accelerators);
    QCOMPARE(proxy.index(0, 0).data(idRole).toInt(), 2);
    QCOMPARE(proxy.index(2, 0).data(idRole).toInt(), 1);
    proxy.setContext(LedgerContext::FromPlan);
    QCOMPARE(proxy.rowCount(), 2);
    proxy.setText(u"512"_s);
    QCOMPARE(proxy.rowCount(), 1);
    proxy.setContext({});
    proxy.setText({});
    QCOMPARE(proxy.rowCount(), 3);
}

void TestLedgerModel::fileHoldsPlainValues()
{
    LedgerEntry entry{"2025-03-01T09:30:00Z", LedgerContext::ThreeDimensional, "Cube", 2, 16, 32, 1024, 0.41875, true,
        "", "TP 2", false, "one\ntwo"};
    LedgerModel model;
    model.setRows({ledgerRow(1, entry)});
    QCOMPARE(toCsv(model),
        u"when,context,title,tp,pp,dp,accelerators,mfu,memory_feasible,constraint_hit,prediction,prediction_held,"
        u"note\r\n"
        "2025-03-01T09:30:00Z,3d,Cube,2,16,32,1024,0.41875,true,,TP 2,false,\"one\ntwo\"\r\n"_s);
}

void TestLedgerModel::toolTipIsPlainText()
{
    LedgerEntry entry;
    entry.title = "<b>bold</b>";
    QVERIFY(ledgerRow(1, entry).toolTip.contains(u"<b>bold</b>"_s)); // tool tips show what was typed
}

void TestLedgerModel::approvalsSortAndSay()
{
    ApprovalModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRows({{.id = 1, .when = u"2026-03-01T09:30:00Z"_s, .decision = u"B"_s, .signedBy = u"Ann,\nif cheap"_s},
        {.id = 2, .when = u"2026-01-01T09:30:00Z"_s, .decision = u"a"_s, .since = u"unchanged"_s}});
    QCOMPARE(model.index(0, ApprovalModel::When).data().toString(), u"2026-03-01 09:30"_s);
    QCOMPARE(model.index(0, ApprovalModel::SignedBy).data().toString(), u"Ann, if cheap"_s); // one line
    QCOMPARE(model.index(1, ApprovalModel::Since).data().toString(), u"unchanged"_s);
    QCOMPARE(model.index(1, 0).data(idRole).toInt(), 2);
    QSortFilterProxyModel proxy;
    proxy.setSourceModel(&model);
    proxy.setSortRole(sortRole);
    proxy.sort(ApprovalModel::Decision);
    QCOMPARE(proxy.index(0, 0).data(idRole).toInt(), 2); // letters, whatever their case
}

FLEETWRIGHT_TEST(TestLedgerModel)
#include "tst_ledgermodel.moc"
