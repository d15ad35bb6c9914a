// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/offermodel.h"
#include "itemmodels/offertables.h"
#include "testing/registry.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace fleetwright;
using namespace fleetwright::itemmodels;
using namespace Qt::StringLiterals;

namespace {

OfferDocument sampleOffer()
{
    OfferDocument offer;
    offer.name = "Sample";
    offer.currency = "EUR";
    offer.fleet.node = "a_node";
    offer.lines = {{.item = "a_node", .part = {}, .quantity = 4, .unitPrice = 1000, .discount = 0.25},
        {.item = "storage", .part = {}, .quantity = 800, .unitPrice = 12, .discount = 0},
        {.item = "Pipes", .part = {}, .quantity = 1, .unitPrice = 5, .discount = 0}};
    return offer;
}

OfferRow rowFor(const char *key, OfferSection section, std::optional<double> value, OfferCell::From from)
{
    OfferRow row;
    row.section = section;
    row.key = key;
    row.label = key;
    row.unit = "USD";
    row.cells = {{.value = value, .text = {}, .from = OfferCell::From::Offered, .note = {}},
        {.value = value, .text = {}, .from = from, .note = "why"}};
    return row;
}

} // namespace

class TestOfferModels : public QObject {
    Q_OBJECT
private slots:
    void listFollowsRows()
    {
        OfferModel model;
        const QAbstractItemModelTester tester(&model);
        model.insert(
            0, {.id = 3, .name = u"B"_s, .vendor = u"V"_s, .fleet = {}, .validUntil = {}, .state = u"stands"_s});
        model.insert(
            0, {.id = 4, .name = u"A"_s, .vendor = u"W"_s, .fleet = {}, .validUntil = {}, .state = u"expired"_s});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(0, OfferModel::State).data().toString(), u"expired"_s);
        QCOMPARE(model.index(1, OfferModel::Name).data(idRole).toLongLong(), 3);
        const QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        auto same = model.row(0);
        model.change(0, same);
        QCOMPARE(changed.size(), 0);
        same.state = u"stands"_s;
        model.change(0, same);
        QCOMPARE(changed.size(), 1);
        model.remove(0);
        QCOMPARE(model.rowCount(), 1);
    }

    void linesInTheirCurrency()
    {
        SheetTableModel model;
        const QAbstractItemModelTester tester(&model);
        model.setTable(offerLinesTable(sampleOffer(), Catalog()));
        QCOMPARE(model.rowCount(), 3);
        QVERIFY(model.headerData(OfferLineUnitPrice, Qt::Horizontal).toString().contains(u"EUR"_s));
        QCOMPARE(model.index(0, OfferLineAmount).data(sortRole).toDouble(), 3000.0);
        QCOMPARE(model.index(0, OfferLinePart).data().toString(), u"nodes"_s);
        QCOMPARE(model.index(1, OfferLineQuantity).data().toString(), u"800 TB"_s);
        QVERIFY(model.index(2, OfferLineItem).data(Qt::ToolTipRole).toString().contains(u"neither in the catalog"_s));
        QVERIFY(model.flags(model.index(0, OfferLineItem)) & Qt::ItemIsEditable);
        QVERIFY(!(model.flags(model.index(0, OfferLineAmount)) & Qt::ItemIsEditable));
    }

    void totalsInBothCurrencies()
    {
        auto offer = sampleOffer();
        const auto text = [](const SheetTable &table, const QString &key) {
            for (const auto &row : table.rows)
                if (row.key == key)
                    return row.cells[1].text;
            return QString();
        };
        // Without rate or catalog only what is written adds up.
        const auto alone = offerTotalsTable(offer, std::nullopt);
        QCOMPARE(alone.rows.size(), std::size_t(1));
        QCOMPARE(text(alone, u"lines"_s), u"12\u202f605 EUR"_s);
        const OfferTotals totals{
            .lines_usd = 14e3, .added_usd = 2e6, .capital_usd = 2.014e6, .presentCost_usd = 3e6, .years = 5};
        const auto priced = offerTotalsTable(offer, totals);
        QVERIFY(!text(priced, u"lines_usd"_s).isEmpty());
        // What nobody pays is left out; what somebody does has its name.
        for (const auto &key :
            {u"buyers_usd"_s, u"contingency_usd"_s, u"facility_usd"_s, u"owned_usd"_s, u"added_year_usd"_s})
            QVERIFY2(text(priced, key).isEmpty(), qPrintable(key));
        QCOMPARE(priced.rows.back().cells[0].text, u"Present cost over 5 years"_s);
        auto whole = totals;
        whole.buyers_usd = 3e5;
        whole.contingency_usd = 2e5;
        whole.facility_usd = 1e6;
        whole.owned_usd = -4e5;
        whole.addedYear_usd = 7e4;
        whole.years = 1;
        const auto named = offerTotalsTable(offer, whole);
        QCOMPARE(
            text(named, u"buyers_usd"_s), text(offerTotalsTable(offer, OfferTotals{.added_usd = 3e5}), u"added_usd"_s));
        for (const auto &key : {u"contingency_usd"_s, u"facility_usd"_s, u"owned_usd"_s, u"added_year_usd"_s})
            QVERIFY2(!text(named, key).isEmpty(), qPrintable(key));
        QCOMPARE(named.rows.back().cells[0].text, u"Present cost over 1 year"_s);
        offer.currency = "USD";
        QVERIFY(text(offerTotalsTable(offer, totals), u"lines_usd"_s).isEmpty());
        offer.lines.clear();
        offer.rent.emplace();
        const auto rented = offerTotalsTable(offer, totals);
        QCOMPARE(rented.rows.front().key, u"rent_year_usd"_s);
        QVERIFY(text(rented, u"lines"_s).isEmpty() && text(rented, u"capital_usd"_s).isEmpty());
    }

    void whatIsTyped()
    {
        const Catalog catalog;
        const auto line = sampleOffer().lines[0];
        QCOMPARE(typedOfferLine(line, OfferLineQuantity, u"12"_s, catalog)->quantity, 12.0);
        QCOMPARE(typedOfferLine(line, OfferLineUnitPrice, u"390 k"_s, catalog)->unitPrice, 390e3);
        QCOMPARE(typedOfferLine(line, OfferLineDiscount, u"8 %"_s, catalog)->discount, 0.08);
        QCOMPARE(typedOfferLine(line, OfferLineDiscount, QString(), catalog)->discount, 0.0);
        QVERIFY(typedOfferLine(line, OfferLinePart, u"racks"_s, catalog)->part == OfferPart::Racks);
        QVERIFY(!typedOfferLine(line, OfferLinePart, QString(), catalog)->part);
        QVERIFY(!typedOfferLine(line, OfferLinePart, u"noodles"_s, catalog));
        QVERIFY(!typedOfferLine(line, OfferLineQuantity, u"many"_s, catalog));
    }

    void comparisonHasSectionsAndMarks()
    {
        OfferComparison comparison;
        comparison.offers.resize(2);
        comparison.rows = {rowFor("network_usd", OfferSection::Capital, 2e6, OfferCell::From::Added),
            rowFor("racks_power_usd", OfferSection::Capital, 0, OfferCell::From::Included),
            rowFor("present_cost_usd", OfferSection::Life, 9e6, OfferCell::From::Common)};
        comparison.rows[2].isTotal = true;
        SheetTableModel model;
        const QAbstractItemModelTester tester(&model);
        model.setTable(offerComparisonTable(comparison));
        QCOMPARE(model.rowCount(), 5); // with two headings
        QCOMPARE(model.columnCount(), 4); // with the difference
        QVERIFY(model.index(1, 2).data().toString().endsWith(u" *"_s));
        QVERIFY(!model.index(1, 1).data().toString().endsWith(u'*'));
        QCOMPARE(model.index(1, 2).data(Qt::ToolTipRole).toString(), u"why"_s);
        QCOMPARE(model.index(2, 2).data().toString(), u"included"_s);
        QCOMPARE(model.index(4, 1).data(sortRole).toDouble(), 9e6);
        QCOMPARE(model.index(4, 3).data().toString(), u"same"_s);
    }

    /// All amounts of money stand in one unit, with one minus sign; what is counted is a whole number.
    void differencesInOneUnit()
    {
        OfferComparison comparison;
        comparison.offers.resize(2);
        auto small = rowFor("freight_usd", OfferSection::Capital, 4e5, OfferCell::From::Common);
        small.cells[1].value = 1e5;
        auto large = rowFor("nodes_usd", OfferSection::Capital, 24e6, OfferCell::From::Common);
        large.cells[1].value = 26e6;
        auto nodes = rowFor("nodes", OfferSection::Figures, 32, OfferCell::From::Common);
        nodes.unit = "nodes";
        auto term = rowFor("vendor", OfferSection::Terms, {}, OfferCell::From::Common);
        comparison.rows = {small, large, nodes, term};
        const auto table = offerComparisonTable(comparison);
        const auto text = [&](std::size_t row, std::size_t column) { return table.rows[row].cells[column].text; };
        for (std::size_t row : {1UZ, 2UZ})
            for (std::size_t column : {1UZ, 2UZ, 3UZ})
                QVERIFY2(text(row, column).endsWith(u" MUSD"_s), qPrintable(text(row, column)));
        QCOMPARE(text(1, 3), u"\u22120.300 MUSD"_s);
        QCOMPARE(text(2, 3), u"+2.00 MUSD"_s);
        QCOMPARE(text(4, 1), u"32 nodes"_s);
        QCOMPARE(text(4, 3), u"same"_s);
        QVERIFY(text(6, 3).isEmpty());
        QCOMPARE(table.rows[1].cells[3].value.toDouble(), -3e5);
    }

    /// Less is better in money, weeks and days; not where part of it is in other prices, nor in what is only counted.
    void theBestHasAStar()
    {
        const auto best = [](const char *unit, double first, double second, OfferCell::From from) {
            auto row = rowFor("row", OfferSection::Figures, first, OfferCell::From::Offered);
            row.unit = unit;
            row.cells[1].value = second;
            row.cells[1].from = from;
            OfferComparison comparison;
            comparison.offers.resize(2);
            comparison.rows = {row};
            const auto table = offerComparisonTable(comparison);
            QString stars;
            for (std::size_t column : {1UZ, 2UZ, 3UZ}) {
                const auto &cell = table.rows[1].cells[column];
                const bool isBest = cell.text.startsWith(u"\u2605 "_s);
                if (isBest != cell.isBold)
                    return u"a star without bold"_s;
                stars += isBest ? u"*"_s : u"-"_s;
            }
            return stars;
        };
        using enum OfferCell::From;
        QCOMPARE(best("USD", 4e5, 1e5, Offered), u"-*-"_s);
        QCOMPARE(best("USD", 1e5, 4e5, Added), u"*--"_s);
        QCOMPARE(best("USD", 4e5, 4e5, Offered), u"---"_s);
        QCOMPARE(best("USD", 4e5, 0, Included), u"---"_s);
        QCOMPARE(best("weeks", 12, 20, Offered), u"*--"_s);
        QCOMPARE(best("nodes", 12, 20, Offered), u"---"_s);
        QCOMPARE(best("W", 12, 20, Offered), u"---"_s);
    }

    void lineWithoutPrice()
    {
        auto offer = sampleOffer();
        offer.lines[1].unitPrice = 0;
        const auto table = offerLinesTable(offer, Catalog());
        QCOMPARE(table.rows[1].cells[OfferLineUnitPrice].text, u"not priced"_s);
        QCOMPARE(table.rows[1].cells[OfferLineAmount].text, u"\u2013"_s);
        offer.lines[1].discount = 1; // free
        QCOMPARE(offerLinesTable(offer, Catalog()).rows[1].cells[OfferLineAmount].text, u"0"_s);
    }
};

FLEETWRIGHT_TEST(TestOfferModels)
#include "tst_offermodels.moc"
