// SPDX-License-Identifier: GPL-3.0-or-later
// What a workbook holds as CSV tables and JSON.
#include "testing/registry.h"
#include "workbooksample.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QTest>

#include <set>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::reports;
using namespace fleetwright::test;

class TestWorkbookFiles : public QObject {
    Q_OBJECT
private slots:
    void csvTables();
    void wholeResultAsJson();
};

void TestWorkbookFiles::csvTables()
{
    ReportDocument report;
    report.elements = {Table{.caption = u"Capital, by line"_s,
        .header = {u"Line"_s, u"USD"_s},
        .rows = {{u"=1+1"_s, u"-5"_s}, {u"a, \"b\""_s, u"7"_s}, {u"@sum"_s, u"192\u202f000\u202f000.00 \u00b9"_s},
            {u"Floor of 12 m\u00b2"_s, u"\u22121.5 \u00b2"_s}, {u"007"_s, u"83.1 %"_s}, {u"-cmd"_s, u"1 2"_s}},
        .rightAligned = {false, true},
        .notes = {u"=A price"_s, u"Another, with a comma"_s}}};
    const auto files = csvTablesOf(sampleSubject(), &report).value();
    std::set<QString> names;
    QMap<QString, QByteArray> byName;
    for (const auto &file : files) {
        QVERIFY2(names.insert(file.name).second, qPrintable(file.name));
        byName[file.name] = file.bytes;
        for (const auto &line : file.bytes.split('\n'))
            for (const auto &cell : line.split(','))
                QVERIFY2(!cell.startsWith('=') && !cell.startsWith('@') && !cell.startsWith("\"="), cell.constData());
    }
    QCOMPARE(byName[u"report-01-capital-by-line.csv"_s],
        QByteArray("Line,USD,Notes\r\n'=1+1,-5,\r\n\"a, \"\"b\"\"\",7,\r\n'@sum,192000000,'=A price\r\n"
                   "Floor of 12 m\u00b2,-1.5,\"Another, with a comma\"\r\n007,83.1 %,\r\n'-cmd,1 2,\r\n"));
    for (const auto &name :
        {u"inputs.csv"_s, u"network.csv"_s, u"runcost.csv"_s, u"cashflow-a.csv"_s, u"buyorrent-b.csv"_s})
        QVERIFY2(names.contains(name), qPrintable(name));
    QVERIFY(byName[u"capital.csv"_s].contains("'=HYPERLINK("));
    QVERIFY(byName[u"capital.csv"_s].contains("capital_usd,Capital,USD,"));
}

void TestWorkbookFiles::wholeResultAsJson()
{
    auto subject = sampleSubject();
    subject.decision = R"({"recommendation": ["Buy."]})";
    ReportDocument report;
    report.elements = {Heading{2, u"Cost"_s}, Paragraph{u"What it costs."_s}, Note{u"Mind <this>."_s},
        BulletList{{u"One"_s, u"Two"_s}},
        Table{u"By line"_s, {u"Line"_s, u"USD"_s}, {{u"Nodes"_s, u"7 \u00b9"_s}}, {false, true}, {u"A price"_s}},
        ChartPicture{u"Left"_s, {{}, u"It rises."_s, {}, {}}}, ChartPicture{u"Right"_s, {{}, u"It falls."_s, {}, {}}},
        PageBreak{}};
    const auto json = QJsonDocument::fromJson(resultJsonOf(subject, &report)).object();
    const auto parts = json[u"report"_s].toArray();
    QCOMPARE(parts.size(), 7);
    QCOMPARE(parts[0].toObject(), (QJsonObject{{u"kind"_s, u"heading"_s}, {u"text"_s, u"Cost"_s}, {u"level"_s, 2}}));
    QCOMPARE(parts[2][u"text"_s].toString(), u"Mind <this>."_s);
    QCOMPARE(parts[3][u"items"_s].toArray(), (QJsonArray{u"One"_s, u"Two"_s}));
    QCOMPARE(parts[4][u"rows"_s].toArray(), (QJsonArray{QJsonArray{u"Nodes"_s, u"7 \u00b9"_s}}));
    QCOMPARE(parts[4][u"items"_s].toArray(), (QJsonArray{u"A price"_s}));
    QCOMPARE(parts[6][u"items"_s].toArray(), (QJsonArray{u"It falls."_s}));
    QVERIFY(QJsonDocument::fromJson(resultJsonOf(subject)).object()[u"report"_s].toArray().isEmpty());
    const auto sheets = json[u"sheets"_s].toArray();
    QCOMPARE(sheets.size(), 2);
    QCOMPARE(json[u"date"_s].toString(), u"2026-11-21"_s);
    QCOMPARE(json[u"decision"_s][u"recommendation"_s].toArray().size(), 1);
    QVERIFY(sheets[0][u"costs"_s].toObject().contains(u"bill_of_materials"_s));
    double capital = 0;
    for (const auto &row : sheets[1][u"rows"_s].toArray())
        if (row[u"key"_s] == u"capital_usd"_s)
            capital = row[u"value"_s].toDouble();
    QCOMPARE(capital, subject.sheets[1].sheet.value("capital_usd").value());
}

FLEETWRIGHT_TEST(TestWorkbookFiles)
#include "tst_workbookfiles.moc"
