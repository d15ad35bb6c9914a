// SPDX-License-Identifier: GPL-3.0-or-later
// The spreadsheet of a search, read back from its zip file.
#include "spreadsheettesting.h"
#include "storage/project.h"
#include "testing/registry.h"

#include "exchange/layoutsearchdocuments.h"
#include "reports/layoutsearchspreadsheet.h"
#include "reports/spreadsheetwriter.h"
#include "text/utf8.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::reports;
using fleetwright::test::unzipped;

namespace {

constexpr const char *sampleSearch = R"(fleetwright: 1
plan:
  name: "Base <&>"
  workload: llama3_8b
  fleet: {node: nvidia_dgx_h100, nodes: 4, fabric: ib_ndr}
  training: {global_batch: 64, seq_len: 4096, precision: bf16}
space: {tp: [1, 2, 4, 8], pp: [1, 2, 4], cp: 1, microbatch_size: [1, 2], zero_stage: [0, 1], sequence_parallel: true}
rows: 40
)";

struct Sheet {
    QMap<QString, QString> texts; ///< by cell ("B2")
    QMap<QString, double> numbers;
    QByteArray xml;
};

Sheet sheetFrom(const QByteArray &xml)
{
    Sheet sheet{{}, {}, xml};
    QXmlStreamReader reader(xml);
    QString cell, type;
    while (!reader.atEnd()) {
        reader.readNext();
        if (!reader.isStartElement())
            continue;
        if (reader.name() == u"c"_s) {
            cell = reader.attributes().value(u"r"_s).toString();
            type = reader.attributes().value(u"t"_s).toString();
        } else if (reader.name() == u"t"_s) {
            sheet.texts[cell] = reader.readElementText();
        } else if (reader.name() == u"v"_s && type.isEmpty()) {
            sheet.numbers[cell] = reader.readElementText().toDouble();
        }
    }
    if (reader.hasError())
        qFatal("not XML: %s", qPrintable(reader.errorString()));
    return sheet;
}

/// The column ("C") whose header is `title`.
QString columnOf(const Sheet &sheet, const QString &title)
{
    for (auto cell = sheet.texts.cbegin(); cell != sheet.texts.cend(); ++cell)
        if (cell.value() == title && cell.key().endsWith(u'1') && cell.key().size() <= 3
            && !cell.key().at(cell.key().size() - 2).isDigit())
            return cell.key().chopped(1);
    qFatal("there is no column %s", qPrintable(title));
}

double cellOf(const Sheet &sheet, const QString &title, std::size_t row)
{
    return sheet.numbers.value(columnOf(sheet, title) + QString::number(row + 2), std::nan(""));
}

} // namespace

class TestSearchSpreadsheet : public QObject {
    Q_OBJECT

    Catalog m_catalog;
    LayoutSearchDocument m_document;
    layoutsearch::Result m_result;

    QMap<QString, QByteArray> filesOf(const layoutsearch::Result &result)
    {
        const std::vector<std::string> words{"Take TP 2 & go.", "It is <fast>."};
        const auto bytes = layoutSearchSpreadsheet(m_document, result, m_catalog, words);
        return bytes ? unzipped(*bytes) : QMap<QString, QByteArray>();
    }

private slots:
    void initTestCase()
    {
        m_catalog = *storage::shippedCatalog();
        m_document = *exchange::layoutSearchFromText(sampleSearch);
        m_result = *layoutsearch::run(m_document, m_catalog);
        QVERIFY(m_result.rows.size() > 10 && m_result.groups.size() > 3);
    }
    void everyFigureIsANumber();
    void answerSaysWhereItComesFrom();
    void tablesHaveFrozenFilteredHeaders();
    void unknownFiguresAreEmpty();
    void casesHaveAColumn();
    void refusesMoreRowsThanASheetHolds();
    void writesWholeOrNotAtAll();
    void unusableTemporaryFolderIsRefused();
};

void TestSearchSpreadsheet::everyFigureIsANumber()
{
    const auto files = filesOf(m_result);
    QVERIFY(files.contains(u"[Content_Types].xml"_s));
    QVERIFY2(files[u"docProps/core.xml"_s].contains("1980-01-01"),
        files[u"docProps/core.xml"_s].constData()); // the same answer, the same bytes
    const auto book = QString::fromUtf8(files[u"xl/workbook.xml"_s]);
    qsizetype place = 0;
    for (const auto &name : {u"Answer"_s, u"Best of each split"_s, u"Layouts"_s, u"Pareto front"_s}) {
        const auto found = book.indexOf(u"name=\"%1\""_s.arg(name));
        QVERIFY2(found > place, qPrintable(book));
        place = found;
    }
    const auto layouts = sheetFrom(files[u"xl/worksheets/sheet3.xml"_s]);
    for (std::size_t i = 0; i < m_result.rows.size(); ++i) {
        const auto &row = m_result.rows[i];
        QCOMPARE(cellOf(layouts, u"TP"_s, i), double(row.layout.tp));
        QCOMPARE(cellOf(layouts, u"DP"_s, i), double(row.layout.dp));
        QCOMPARE(cellOf(layouts, u"Step time [s]"_s, i), row.stepSeconds);
        QCOMPARE(cellOf(layouts, u"Memory [GB]"_s, i), row.memoryBytes / 1e9);
        QCOMPARE(cellOf(layouts, u"MFU [%]"_s, i), row.mfu);
        QCOMPARE(cellOf(layouts, u"Tokens per second"_s, i), 64.0 * 4096 / row.stepSeconds);
        QCOMPARE(layouts.texts[columnOf(layouts, u"Recompute"_s) + QString::number(i + 2)],
            QString::fromUtf8(toString(row.layout.recompute).data()));
    }
    QVERIFY(!layouts.numbers.contains(u"A%1"_s.arg(m_result.rows.size() + 2)));
    const auto groups = sheetFrom(files[u"xl/worksheets/sheet2.xml"_s]);
    for (std::size_t i = 0; i < m_result.groups.size(); ++i) {
        QCOMPARE(cellOf(groups, u"Feasible layouts"_s, i), double(m_result.groups[i].feasible));
        QCOMPARE(std::isnan(cellOf(groups, u"Step time [s]"_s, i)), !m_result.groups[i].best.has_value());
    }
    const auto front = sheetFrom(files[u"xl/worksheets/sheet4.xml"_s]);
    QCOMPARE(cellOf(front, u"Step time [s]"_s, 0), m_result.front[0].stepSeconds);
    QVERIFY(front.numbers.contains(u"A%1"_s.arg(m_result.front.size() + 1))
        && !front.numbers.contains(u"A%1"_s.arg(m_result.front.size() + 2)));
}

void TestSearchSpreadsheet::answerSaysWhereItComesFrom()
{
    const auto answer = sheetFrom(filesOf(m_result)[u"xl/worksheets/sheet1.xml"_s]);
    const auto texts = answer.texts.values();
    const auto hash = QString::fromStdString(exchange::layoutSearchInputHash(m_document, m_catalog));
    const auto model = *findCostModel(m_result.costModelId);
    for (const auto &expected : {u"Base <&>"_s, u"Take TP 2 & go."_s, u"It is <fast>."_s, hash, u"Step time"_s,
             u"every legal value"_s, u"1, 2, 4, 8"_s,
             u"%1, version %2"_s.arg(utf8(model->title()), QString::fromStdString(m_result.costModelVersion))})
        QVERIFY2(texts.contains(expected), qPrintable(expected + u" is not in "_s + texts.join(u" | "_s)));
    const auto total = m_result.total();
    const auto numbers = answer.numbers.values();
    QVERIFY(numbers.contains(double(total.candidates())) && numbers.contains(double(total.feasible)));
    for (std::size_t i = 0; i < layoutsearch::exclusionCount; ++i) {
        const auto reason = static_cast<layoutsearch::Exclusion>(i);
        const auto title = utf8(titleOf(reason));
        QCOMPARE(texts.contains(title), total[reason] > 0);
        if (total[reason] > 0)
            QCOMPARE(answer.numbers.value(u"C"_s + answer.texts.key(title).mid(1)), double(total[reason]));
    }
}

void TestSearchSpreadsheet::tablesHaveFrozenFilteredHeaders()
{
    const auto files = filesOf(m_result);
    for (const auto &[name, rows] : {std::pair{u"xl/worksheets/sheet2.xml"_s, m_result.groups.size()},
             {u"xl/worksheets/sheet3.xml"_s, m_result.rows.size()},
             {u"xl/worksheets/sheet4.xml"_s, m_result.front.size()}}) {
        const auto &xml = files[name];
        QVERIFY2(xml.contains("<pane ySplit=\"1\"") && xml.contains("state=\"frozen\""), xml.left(600).constData());
        QVERIFY(xml.contains("<cols>"));
        const auto filter = xml.mid(xml.indexOf("<autoFilter"), 60);
        QVERIFY2(filter.contains("ref=\"A1:") && filter.contains(QByteArray::number(qulonglong(rows + 1)) + "\""),
            filter.constData());
    }
}

void TestSearchSpreadsheet::unknownFiguresAreEmpty()
{
    auto result = m_result;
    for (auto &row : result.rows)
        row.mfu = std::numeric_limits<double>::quiet_NaN();
    for (auto &facts : result.cases) {
        facts.dollarsPerSecond = std::nullopt;
        facts.tokensPerStep = 0;
    }
    const auto files = filesOf(result);
    const auto layouts = sheetFrom(files[u"xl/worksheets/sheet3.xml"_s]);
    QVERIFY(std::isnan(cellOf(layouts, u"MFU [%]"_s, 0)) && std::isnan(cellOf(layouts, u"Tokens per second"_s, 0)));
    QVERIFY(!layouts.texts.values().contains(u"Cloud cost per million tokens [USD]"_s));
    for (const auto &content : files)
        QVERIFY(!content.contains(">nan<") && !content.contains(">inf<"));
}

void TestSearchSpreadsheet::casesHaveAColumn()
{
    auto document = m_document;
    document.cases = axisOf("fleet.nodes", {SettingValue(4.0), SettingValue(8.0)});
    const auto result = *layoutsearch::run(document, m_catalog);
    const auto bytes = layoutSearchSpreadsheet(document, result, m_catalog, {});
    QVERIFY(bytes.has_value());
    const auto layouts = sheetFrom(unzipped(*bytes)[u"xl/worksheets/sheet3.xml"_s]);
    const auto column = columnOf(layouts, u"Case"_s);
    for (std::size_t i = 0; i < result.rows.size(); ++i)
        QCOMPARE(layouts.texts[column + QString::number(i + 2)],
            QString::fromStdString(result.factsOf(result.rows[i]).label));
}

void TestSearchSpreadsheet::refusesMoreRowsThanASheetHolds()
{
    auto result = m_result;
    result.rows.resize(SpreadsheetWriter::mostRows + 1, result.rows.front());
    const auto bytes = layoutSearchSpreadsheet(m_document, result, m_catalog, {});
    QVERIFY(!bytes && bytes.error().code == ErrorCode::OutOfRange);
    QVERIFY(bytes.error().message.contains("CSV"));
}

void TestSearchSpreadsheet::writesWholeOrNotAtAll()
{
    QTemporaryDir folder;
    const auto path = folder.filePath(u"answer.xlsx"_s);
    QVERIFY(writeLayoutSearchSpreadsheet(m_document, m_result, m_catalog, {}, path).has_value());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(unzipped(file.readAll()).count(u"xl/workbook.xml"_s), 1);
    file.close();
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
    const auto refused = writeLayoutSearchSpreadsheet(
        m_document, m_result, m_catalog, {}, folder.filePath(u"no/answer.xlsx"_s));
    QVERIFY(!refused && refused.error().code == ErrorCode::IoError);
    QVERIFY2(refused.error().message.contains("does not exist"), refused.error().message.c_str());
    if (QFile::exists(u"/dev/full"_s)) { // a device is no file to replace
        const auto full = writeLayoutSearchSpreadsheet(m_document, m_result, m_catalog, {}, u"/dev/full"_s);
        QVERIFY(!full && full.error().code == ErrorCode::IoError && QFile::exists(u"/dev/full"_s));
    }
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden).size(), 1);
}

void TestSearchSpreadsheet::unusableTemporaryFolderIsRefused()
{
    QTemporaryDir folder;
    const auto path = folder.filePath(u"answer.xlsx"_s);
    QFile file(folder.filePath(u"file"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const auto before = qgetenv("TMPDIR");
    qputenv("TMPDIR", QFile::encodeName(file.fileName())); // a file is no folder
    const auto refused = writeLayoutSearchSpreadsheet(m_document, m_result, m_catalog, {}, path);
    before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before);
    QVERIFY(!refused && refused.error().code == ErrorCode::IoError);
    QVERIFY2(refused.error().message.contains("temporary"), refused.error().message.c_str());
    QVERIFY(!QFile::exists(path));
}

FLEETWRIGHT_TEST(TestSearchSpreadsheet)
#include "tst_layoutsearchspreadsheet.moc"
