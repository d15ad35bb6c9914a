// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/fleetsheettables.h"
#include "solver/sampleplan.h"
#include "testing/registry.h"

#include <QAbstractItemModelTester>
#include <QFont>
#include <QSignalSpy>
#include <QTest>

using namespace fleetwright;
using namespace fleetwright::itemmodels;
using namespace Qt::StringLiterals;

namespace {

FleetEntryLine line(const char *key, EntryOrigin origin, std::optional<double> value)
{
    return {.key = key,
        .label = std::string("Label of ") + key,
        .unit = "USD",
        .group = "Capital",
        .origin = origin,
        .value = value,
        .low = value,
        .high = value};
}

SheetTable sample(double value = 1234567.5)
{
    auto word = line("cooling", EntryOrigin::Assumed, 1);
    word.kind = SheetEntry::Kind::Word;
    word.words = {"air", "liquid"};
    return entriesTable({line("node_usd", EntryOrigin::OfFleet, value), word,
        line("rent_usd_per_hour", EntryOrigin::Missing, std::nullopt)});
}

} // namespace

class TestSheetTableModel : public QObject {
    Q_OBJECT
private slots:
    void sameShapeChangesCells();
    void looksSayWhoStatedIt();
    void typingIsAnnounced();
    void filesHoldNumbers();
    void notesAndSourcesAreJoined();
};

void TestSheetTableModel::sameShapeChangesCells()
{
    SheetTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset), changed(&model, &QAbstractItemModel::dataChanged);
    model.setTable(sample());
    QCOMPARE(reset.size(), 1);
    QCOMPARE(model.rowCount(), 3);
    model.setTable(sample());
    QCOMPARE(reset.size() + changed.size(), 1);
    model.setTable(sample(2));
    QCOMPARE(reset.size(), 1);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed.first().first().toModelIndex().row(), 0);
    model.setTable({});
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.columnCount(), 0);
}

void TestSheetTableModel::looksSayWhoStatedIt()
{
    SheetTableModel model;
    model.setTable(sample());
    const auto font = [&](int row) { return model.index(row, EntryValue).data(Qt::FontRole).value<QFont>(); };
    QVERIFY(font(0).bold() && !font(0).italic());
    QVERIFY(!font(1).bold() && font(1).italic());
    QVERIFY(!model.index(2, EntryValue).data(Qt::FontRole).isValid());
    QCOMPARE(model.index(1, EntryValue).data().toString(), u"liquid"_s);
    QCOMPARE(model.index(2, EntryValue).data().toString(), u"\u2013"_s);
    QCOMPARE(model.index(0, EntryValue).data(sheetKeyRole).toString(), u"node_usd"_s);
}

void TestSheetTableModel::typingIsAnnounced()
{
    SheetTableModel model;
    model.setTable(sample());
    QSignalSpy typed(&model, &SheetTableModel::typed);
    const auto value = model.index(0, EntryValue);
    QVERIFY(value.flags() & Qt::ItemIsEditable);
    QVERIFY(!(model.index(0, EntrySource).flags() & Qt::ItemIsEditable));
    QVERIFY(!model.setData(value, value.data(Qt::EditRole))); // nothing changed
    QVERIFY(model.setData(value, u" 5 "_s));
    QCOMPARE(typed.size(), 1);
    QCOMPARE(typed.first(), (QVariantList{u"node_usd"_s, int(EntryValue), u"5"_s}));
    QCOMPARE(value.data(Qt::EditRole).toString(), u"1234567.5"_s); // until somebody accepts it
    model.setEditable(false);
    QVERIFY(!(value.flags() & Qt::ItemIsEditable) && !model.setData(value, u"6"_s));
}

void TestSheetTableModel::filesHoldNumbers()
{
    SheetTableModel model;
    model.setTable(sample());
    const auto csv = toCsv(model);
    QVERIFY2(csv.startsWith(u"entry,value,low,high,unit,source,date,key\r\n"_s), qPrintable(csv));
    QVERIFY2(csv.contains(u"Label of node_usd,1234567.5,1234567.5,1234567.5,USD"_s), qPrintable(csv));
    QVERIFY2(csv.contains(u",liquid,"_s), qPrintable(csv));
}

/// What is missing is a sentence; the source follows as another one.
void TestSheetTableModel::notesAndSourcesAreJoined()
{
    const auto fleet = Fleet::create(sampleplan::fleet());
    QVERIFY(fleet.has_value());
    const auto sheet = fleetCost(*fleet);
    QVERIFY2(sheet, sheet ? "" : sheet.error().message.c_str());
    const auto table = figuresTable({FleetSection::Goodput}, *sheet);
    bool isFound = false;
    for (const auto &row : table.rows) {
        const auto &source = row.cells.back().text;
        QVERIFY2(!source.contains(u".;"_s), qPrintable(source));
        isFound = isFound || source.endsWith(u"costs. Source: Young 1974"_s);
    }
    QVERIFY(isFound);
}

FLEETWRIGHT_TEST(TestSheetTableModel)
#include "tst_sheettablemodel.moc"
