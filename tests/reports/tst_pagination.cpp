// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/pagetext.h"
#include "reports/pagination.h"
#include "testing/registry.h"

#include <QFontMetricsF>
#include <QTest>

#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;
using namespace fleetwright::reports;

namespace {

Strip strip(double height, double space = 0, bool keep = false, bool startsPage = false, double header = 0)
{
    return {height, space, keep, startsPage, header};
}

/// "page:y" of each place, a star where the header is repeated.
QString written(const std::vector<Place> &places)
{
    QStringList parts;
    for (const auto &place : places)
        parts << QStringLiteral("%1:%2%3")
                     .arg(place.page)
                     .arg(place.y)
                     .arg(place.withHeader ? QStringLiteral("*") : QString());
    return parts.join(u' ');
}

} // namespace

class TestPagination : public QObject {
    Q_OBJECT

private slots:
    void places_data()
    {
        QTest::addColumn<std::vector<Strip>>("strips");
        QTest::addColumn<QString>("expected");
        const double header = 10;
        QTest::newRow("nothing") << std::vector<Strip>{} << QString();
        QTest::newRow("fits exactly") << std::vector{strip(60), strip(40)} << QStringLiteral("0:0 0:60");
        QTest::newRow("one dot too many") << std::vector{strip(60), strip(41)} << QStringLiteral("0:0 1:0");
        QTest::newRow("space counts") << std::vector{strip(60), strip(40, 1)} << QStringLiteral("0:0 1:0");
        QTest::newRow("space is dropped on top")
            << std::vector{strip(90), strip(20, 5), strip(20, 5)} << QStringLiteral("0:0 1:0 1:25");
        QTest::newRow("heading goes with its text")
            << std::vector{strip(70), strip(15, 0, true), strip(20)} << QStringLiteral("0:0 1:0 1:15");
        QTest::newRow("chain of three") << std::vector{strip(50), strip(15, 0, true), strip(15, 0, true), strip(30)}
                                        << QStringLiteral("0:0 1:0 1:15 1:30");
        QTest::newRow("chain fits") << std::vector{strip(40), strip(15, 0, true), strip(15, 0, true), strip(30)}
                                    << QStringLiteral("0:0 0:40 0:55 0:70");
        QTest::newRow("chain taller than a page") << std::vector{strip(50), strip(40, 0, true), strip(40, 0, true),
            strip(40, 0, true), strip(40)} << QStringLiteral("0:0 0:50 1:0 1:40 2:0");
        QTest::newRow("forced break") << std::vector{strip(10), strip(10, 0, false, true)} << QStringLiteral("0:0 1:0");
        QTest::newRow("forced break at the top is no empty page")
            << std::vector{strip(10, 0, false, true)} << QStringLiteral("0:0");
        QTest::newRow("two lines that ran over are no page")
            << std::vector{strip(90), strip(15), strip(10, 5, false, true), strip(80), strip(10, 5, false, true)}
            << QStringLiteral("0:0 1:0 1:20 2:0 3:0");
        QTest::newRow("what ran over far is one")
            << std::vector{strip(90), strip(30), strip(10, 5, false, true)} << QStringLiteral("0:0 1:0 2:0");
        QTest::newRow("table header is repeated") << std::vector{strip(header, 0, true),
            strip(50, 0, false, false, header), strip(30, 0, false, false, header), strip(30, 0, false, false, header)}
                                                  << QStringLiteral("0:0 0:10 0:60 1:10*");
        QTest::newRow("header never ends a page") << std::vector{strip(85), strip(header, 0, true),
            strip(20, 0, false, false, header)} << QStringLiteral("0:0 1:0 1:10");
        QTest::newRow("taller than a page")
            << std::vector{strip(10), strip(300), strip(10)} << QStringLiteral("0:0 1:0 2:0");
        QTest::newRow("last heading") << std::vector{strip(90), strip(20, 0, true)} << QStringLiteral("0:0 1:0");
    }
    void places()
    {
        QFETCH(std::vector<Strip>, strips);
        QFETCH(QString, expected);
        QCOMPARE(written(paginate(strips, 100)), expected);
    }

    /// In a narrow cell a price breaks before its unit, then in it, never in its number.
    void numbersStayWhole()
    {
        const QFontMetricsF metrics(fontOf(tableSize));
        const auto price = u"1,99\u00a0USD/\u2060(Beschleuniger\u00a0h)"_s;
        const double unit = metrics.horizontalAdvance(u"USD/\u2060(Beschleuniger\u00a0h)"_s);
        QCOMPARE(fitting(price, metrics, 2 * unit), price);
        QCOMPARE(fitting(price, metrics, 1.05 * unit), u"1,99 USD/\u2060(Beschleuniger\u00a0h)"_s);
        QCOMPARE(fitting(price, metrics, 0.5 * unit), u"1,99 USD/(Beschleuniger h)"_s);
        QCOMPARE(fitting(u"10\u00a0000\u00a0USD"_s, metrics, 1), u"10\u00a0000 USD"_s);
        QCOMPARE(held(u"10,3 MUSD (9,14 bis 11,6)"_s), u"10,3 MUSD (9,14\u00a0bis\u00a011,6)"_s);
    }

    void shortTablesStayWholeWhereThatIsFree()
    {
        auto rows = std::vector{strip(70), strip(20), strip(20), strip(20), strip(20)};
        rows[1].keepIfFree = rows[2].keepIfFree = true;
        QCOMPARE(written(paginate(rows, 100)), QStringLiteral("0:0 1:0 1:20 1:40 1:60"));
        rows.push_back(strip(30)); // would need a third page
        QCOMPARE(written(paginate(rows, 100)), QStringLiteral("0:0 0:70 1:0 1:20 1:40 1:60"));
    }

    void nothingRunsOffThePage()
    {
        std::vector<Strip> strips;
        for (int i = 0; i < 500; ++i)
            strips.push_back(strip(5 + (i * 7919) % 30, i % 3, i % 5 == 0, i % 97 == 96, i % 2 ? 8 : 0));
        const auto places = paginate(strips, 100);
        double lastBottom = 0;
        int page = 0;
        for (std::size_t i = 0; i < strips.size(); ++i) {
            QVERIFY(places[i].y + strips[i].height <= 100);
            QVERIFY(places[i].page == page || places[i].page == page + 1);
            if (places[i].page == page)
                QVERIFY(places[i].y >= lastBottom);
            page = places[i].page;
            lastBottom = places[i].y + strips[i].height;
        }
        QVERIFY(page > 50);
    }

    void widths_data()
    {
        QTest::addColumn<std::vector<ColumnNeeds>>("columns");
        QTest::addColumn<std::vector<double>>("expected");
        QTest::newRow("natural widths grow")
            << std::vector<ColumnNeeds>{{10, 5}, {40, 5}} << std::vector<double>{20, 80};
        QTest::newRow("the longest text gives way")
            << std::vector<ColumnNeeds>{{20, 20}, {180, 30}} << std::vector<double>{20, 80};
        QTest::newRow("long words share evenly")
            << std::vector<ColumnNeeds>{{300, 100}, {300, 300}} << std::vector<double>{50, 50};
        QTest::newRow("short words stay whole beside long ones")
            << std::vector<ColumnNeeds>{{300, 10}, {300, 300}, {300, 80}} << std::vector<double>{10, 45, 45};
        QTest::newRow("empty columns") << std::vector<ColumnNeeds>{{0, 0}, {0, 0}} << std::vector<double>{50, 50};
    }
    void widths()
    {
        QFETCH(std::vector<ColumnNeeds>, columns);
        QFETCH(std::vector<double>, expected);
        const auto widths = columnWidths(columns, 100);
        QCOMPARE(widths.size(), expected.size());
        for (std::size_t i = 0; i < widths.size(); ++i)
            QVERIFY2(std::abs(widths[i] - expected[i]) < 1e-9, qPrintable(QString::number(widths[i])));
        QVERIFY(std::abs(std::accumulate(widths.begin(), widths.end(), 0.0) - 100) < 1e-9);
    }
};

FLEETWRIGHT_TEST(TestPagination)
#include "tst_pagination.moc"
