// SPDX-License-Identifier: GPL-3.0-or-later
// The ledger in the report: what the document says, and that it reaches paper and HTML.
#include "samplereport.h"
#include "testing/registry.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::reports;

namespace {

std::vector<LedgerEntry> ledger()
{
    LedgerEntry bare;
    bare.when = "2025-03-02T10:00:00Z";
    bare.title = "Rent instead of buying";
    return {{"2025-03-01T09:30:00Z", LedgerContext::ThreeDimensional, "Cube <1024>", 2, 16, 32, 1024, 0.419, true, "",
                "TP 2, PP 16 fits", true, "Agreed with procurement"},
        bare};
}

ReportDocument reportWith(
    const std::vector<LedgerEntry> &entries, const std::vector<PlanDocument> &plans = {test::samplePlan()})
{
    return describe({.projectName = u"Ledger"_s,
                        .set = {.audience = Audience::Technical},
                        .decision = {},
                        .plans = solveAll(plans, test::catalog()),
                        .ledger = entries,
                        .created = test::someDate()},
        test::catalog());
}

const Table *ledgerTable(const ReportDocument &document)
{
    for (const auto &element : document.elements)
        if (const auto *table = std::get_if<Table>(&element); table && table->caption == u"Recorded decisions")
            return table;
    return nullptr;
}

} // namespace

class TestLedgerReport : public QObject {
    Q_OBJECT

private slots:
    void absentWithoutEntries()
    {
        QVERIFY(!ledgerTable(reportWith({})));
        QVERIFY(!toHtml(reportWith({})).contains(u"Recorded decisions"_s));
    }

    void rowsAndWords()
    {
        const auto document = reportWith(ledger());
        const auto *table = ledgerTable(document);
        QVERIFY(table);
        QCOMPARE(table->rows.size(), 2UZ);
        QCOMPARE(table->header.size(), qsizetype(table->rightAligned.size()));
        QCOMPARE(table->rows[0],
            QStringList({u"1"_s, u"2025-03-01 09:30"_s, u"3D"_s, u"Cube <1024>"_s, u"TP 2, PP 16, DP 32"_s, u"1024"_s,
                u"41.9\u00a0%"_s, u"yes"_s}));
        QCOMPARE(table->rows[1],
            QStringList({u"2"_s, u"2025-03-02 10:00"_s, u"Plan"_s, u"Rent instead of buying"_s, u"–"_s, u"–"_s, u"–"_s,
                u"–"_s}));
        const auto html = toHtml(document);
        QVERIFY(html.contains(u"Cube &lt;1024&gt;"_s));
        QVERIFY(
            html.contains(u"No. 1: Prediction: TP 2, PP 16 fits The prediction held. Note: Agreed with procurement"_s));
        QVERIFY(!html.contains(u"No. 2:"_s));
    }

    void standsWithoutPlans() { QVERIFY(ledgerTable(reportWith(ledger(), {}))); }

    void reachesPaper()
    {
        QTemporaryDir folder;
        const auto path = folder.filePath(u"ledger.pdf"_s);
        const auto written = writePdf(reportWith(ledger()), path, Paper::A4);
        QVERIFY2(written, written ? "" : written.error().message.c_str());
        QProcess reader;
        reader.start(u"pdftotext"_s, {u"-enc"_s, u"UTF-8"_s, path, u"-"_s});
        if (!reader.waitForStarted())
            QSKIP("pdftotext is not installed");
        QVERIFY(reader.waitForFinished());
        const auto text = QString::fromUtf8(reader.readAllStandardOutput()).simplified();
        for (const auto &expected :
            {u"Recorded decisions"_s, u"Rent instead of buying"_s, u"Agreed with procurement"_s, u"2025-03-01"_s})
            QVERIFY2(text.contains(expected), qPrintable(expected));
    }
};

FLEETWRIGHT_TEST(TestLedgerReport)
#include "tst_ledgerreport.moc"
