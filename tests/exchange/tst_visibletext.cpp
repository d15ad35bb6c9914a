// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/csvtext.h"
#include "exchange/documents.h"
#include "exchange/jsonwords.h"
#include "exchange/measuredrundocuments.h"
#include "exchange/measuredruns.h"
#include "exchangetesting.h"
#include "testing/registry.h"
#include "units/visibletext.h"

#include <QElapsedTimer>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace fleetwright;

/// Characters that nobody sees: found, shown, refused where people write names, kept where the project has them.
class TestVisibleText : public QObject {
    Q_OBJECT

private slots:
    void hidden_data();
    void hidden();
    void longRunsOfJoiners();
    void shownAsText();
    void jsonIsPutIntoWords();
    void refusedInDocuments_data();
    void refusedInDocuments();
    void rowsOfRuns();
    void cellsComeBack_data();
    void cellsComeBack();
};

void TestVisibleText::jsonIsPutIntoWords()
{
    QCOMPARE(exchange::jsonInWords(R"({"hidden_dim": 512, "layers": [8, 9.5], "name": "x_y", "of": {"a": null}})"),
        std::string("hidden dim: 512, layers: 8, 9.5, name: x_y, of: a: null"));
    QCOMPARE(exchange::jsonInWords("{broken"), std::string("{broken"));
    const auto deep = std::string(100000, '[') + std::string(100000, ']');
    QCOMPARE(exchange::jsonInWords(deep), deep);
}

void TestVisibleText::hidden_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown"); ///< the same: nothing is hidden
    const auto row = [](const char *title, const QByteArray &text, const QByteArray &shown) {
        QTest::newRow(title) << text << shown;
    };
    row("plain", "Llama 70B", "Llama 70B");
    row("other scripts", "Größe 名前 שם", "Größe 名前 שם");
    row("lines", "a\tb\nc\r\nd", "a\tb\nc\r\nd");
    row("escape", "\x1b[31m", "\\u001B[31m");
    row("nothing", QByteArray("a\0b", 3), "a\\u0000b");
    row("carriage return alone", "good\rbad", "good\\u000Dbad");
    row("delete", "a\x7f", "a\\u007F");
    row("control of eight bits", "\u009b31m", "\\u009B31m");
    row("override", "a\u202Eb", "a\\u202Eb");
    row("isolate", "a\u2066b\u2069", "a\\u2066b\\u2069");
    row("marks", "\u200Ea\u200F\u061C", "\\u200Ea\\u200F\\u061C");
    row("no width", "a\u200Bb\u2060", "a\\u200Bb\\u2060");
    row("order mark inside", "a\uFEFFb", "a\\uFEFFb");
    row("tag", "a\U000E0041", "a\\uDB40\\uDC41");
    row("soft hyphen", "a\u00ADb", "a\\u00ADb");
    row("joiner in Persian", "می\u200Cخواهم", "می\u200Cخواهم");
    row("joiner in a sign", "👩\u200D💻", "👩\u200D💻");
    row("joiner in ASCII", "a\u200Db", "a\\u200Db");
    row("joiner before what is hidden", "é\u200D\u0085", "é\\u200D\\u0085");
    row("joiner before no UTF-8", "é\u200D\xFF", "é\\u200D\uFFFD");
    row("joiners before ASCII", "é\u200D\u200Da", "é\\u200D\\u200Da");
    row("two joiners between letters", "م\u200D\u200Cه", "م\u200D\u200Cه");
    row("joiner at the end", "é\u200D", "é\\u200D");
    row("not UTF-8", "a\xFF\xC3", "a\uFFFD\uFFFD");
    row("overlong", "\xC0\xAF", "\uFFFD\uFFFD");
    row("surrogate", "\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD");
}

void TestVisibleText::hidden()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, shown);
    const std::string_view input(text.constData(), std::size_t(text.size()));
    const auto visible = visibleText(input);
    QCOMPARE(QByteArray::fromStdString(visible), shown);
    QCOMPARE(findHidden(input) == std::string_view::npos, text == shown);
    QVERIFY(findHidden(visible) == std::string_view::npos);
}

/// The look for the end of a run must not begin again at each of its joiners.
void TestVisibleText::longRunsOfJoiners()
{
    constexpr qsizetype joiners = 1'000'000;
    const auto run = QByteArray("\u200D").repeated(joiners);
    for (const auto &text : {"a" + run + "b", "é" + run + "b", run, "é" + run + "é"}) {
        QElapsedTimer timer;
        timer.start();
        const auto shown = visibleText(std::string_view(text.constData(), std::size_t(text.size())));
        QVERIFY2(timer.elapsed() < 5000, "a run of joiners takes quadratic time");
        QCOMPARE(qsizetype(shown.size()), text.endsWith("é") ? text.size() : text.size() + joiners * 3);
    }
}

void TestVisibleText::shownAsText()
{
    QCOMPARE(visibleText("a\tb\n", TextShape::OneLine), std::string("a\\u0009b\\u000A"));
    const auto refused = checkVisible("a\nb", "name");
    QVERIFY(!refused);
    QVERIFY(refused.error().code == ErrorCode::UnsupportedValue);
    QCOMPARE(refused.error().message,
        std::string("\u201cname\u201d holds a character that nobody sees (U+000A); remove it."));
    QVERIFY(checkVisible("a\nb", "notes", TextShape::Lines).has_value());
}

void TestVisibleText::refusedInDocuments_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("field");
    QTest::newRow("name") << u"name: \"\\e[31mred\""_s << u"name"_s;
    QTest::newRow("end of a line alone") << u"name: \"a\\rb\""_s << u"name"_s;
    QTest::newRow("override") << u"name: a\u202Eb"_s << u"name"_s;
    QTest::newRow("reference") << u"name: a\nworkload: \"b\\x9b\""_s << u"workload"_s;
    QTest::newRow("nested") << u"name: a\nfleet: {node: {name: \"c\\u200b\"}}"_s << u"fleet.node.name"_s;
    QTest::newRow("list") << u"outputs: [a, \"b\\x7f\"]"_s << u"outputs[1]"_s;
    QTest::newRow("key") << u"\"a\\e\": 1"_s << QString();
    QTest::newRow("JSON") << u"{\"name\": \"a\\u001b\"}"_s << u"name"_s;
}

void TestVisibleText::refusedInDocuments()
{
    QFETCH(QString, text);
    QFETCH(QString, field);
    const auto refused = exchange::documentFromText(text.toStdString());
    QVERIFY(!refused);
    QVERIFY2(
        refused.error().message.find("that nobody sees (U+") != std::string::npos, refused.error().message.c_str());
    QCOMPARE(utf8(refused.error().field), field);
    QVERIFY(findHidden(refused.error().message) == std::string_view::npos);
}

void TestVisibleText::rowsOfRuns()
{
    const auto table = exchange::measuredRunsFromCsv("id,framework,notes\na,x\x1b[1m,y\nb,x,\"y\x1b[1m\"\n");
    QVERIFY(table.has_value());
    QCOMPARE(table->runs.size(), 1U);
    QCOMPARE(table->runs.front().notes, std::string("y\x1b[1m"));
    QCOMPARE(table->unread.size(), 1U);
    QCOMPARE(table->unread.front().error.field, std::string("framework"));
    const auto names = exchange::measuredRunsFromCsv(
        "id,overlap,inferred_config\na,p2p \u202Ex,\nb,,dp t\u200Bp\nc,x,y\n");
    QVERIFY(names.has_value());
    QCOMPARE(names->runs.size(), 1U);
    QCOMPARE(names->unread.size(), 2U);
    QCOMPARE(names->unread[0].error.field, std::string("overlap"));
    QCOMPARE(names->unread[1].error.field, std::string("inferred_config"));
    const auto columns = exchange::measuredRunsFromCsv("id,overlap.\u202Ex\na,true\n");
    QVERIFY(columns && columns->runs.empty());
    QCOMPARE(columns->unread.front().error.field, std::string("overlap"));
    QVERIFY(findHidden(columns->unread.front().error.message) == std::string_view::npos);
    const auto list = exchange::measuredRunsFromJson(R"([{"id": "a\u202e"}, {"id": "b"}])");
    QVERIFY(list.has_value());
    QCOMPARE(list->runs.size(), 1U);
    QCOMPARE(list->unread.size(), 1U);
    QVERIFY(findHidden(list->unread.front().error.message) == std::string_view::npos);

    auto stored = table->runs.front(); // as an older version took it
    stored.id = "b\u202E";
    const auto read = exchange::measuredRunFromJson(exchange::measuredRunToJson(stored));
    QVERIFY(read && *read == stored);
}

void TestVisibleText::cellsComeBack_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("cell");
    for (const char *same : {"", "plain", "-5", "+1.2e3", "-5 %", "'quoted'", "a=b", "-"})
        QTest::newRow(same) << QByteArray(same) << QByteArray(same);
    for (const char *text : {"=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3", "\t=1", "\r", "\n=1", "'=1+1", "''@x",
             "\uFF1D1+1", "\uFF20x", "\uFF0B1", "\uFF0D1"})
        QTest::newRow(text) << QByteArray(text) << "'" + QByteArray(text);
}

void TestVisibleText::cellsComeBack()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, cell);
    QCOMPARE(QByteArray::fromStdString(guardedCell(text.toStdString())), cell);
    QCOMPARE(QByteArray::fromStdString(unguardedCell(cell.toStdString())), text);
    QVERIFY(!exchange::csvTextCell(text.toStdString()).starts_with('='));
}

FLEETWRIGHT_TEST(TestVisibleText)
#include "tst_visibletext.moc"
