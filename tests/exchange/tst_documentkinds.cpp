// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/documents.h"
#include "exchange/measuredruns.h"
#include "exchangetesting.h"
#include "testing/processortime.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>
#include <sstream>

using namespace Qt::StringLiterals;
using namespace fleetwright;

namespace {

std::string tableOfRuns(int rows)
{
    std::ostringstream text;
    text << "id,accelerator,n_gpus,tp,measured.iteration_time_s\r\n";
    for (int i = 0; i < rows; ++i)
        text << "run " << i << ",H100-SXM-80GB,64,8," << 1 + i % 100 << ".5\r\n";
    return std::move(text).str();
}

std::string objectOf(int keys)
{
    std::string text = "{\"runs\": [{\"id\": \"a\", \"extra\": {";
    for (int i = 0; i < keys; ++i)
        text += (i == 0 ? "\"" : ", \"") + std::to_string(i) + "\": 1";
    return text + "}}]}";
}

// A text of 16 times the length takes 16 times as long, up to twice that where it no longer fits the caches, and 256
// times where the work is quadratic.
constexpr double linearTo16Times = 64;

/// The least of three, as others use the machine, too; -1 where the text is not read.
double secondsToRead(const std::string &text, std::size_t runs)
{
    double least = 1e9;
    for (int i = 0; i < 3; ++i) {
        const double before = testing::processorSeconds();
        const auto file = exchange::measuredRunsFromText(text);
        const double used = testing::processorSeconds() - before;
        if (!file || file->runs.size() != runs)
            return -1;
        least = std::min(least, used);
    }
    return least;
}

} // namespace

/// Which kind a document is, also where it is broken; long files take time in proportion to their length.
class TestDocumentKinds : public QObject {
    Q_OBJECT

private slots:
    void brokenOnesAreToldByKind_data();
    void brokenOnesAreToldByKind();
    void tables_data();
    void tables();
    void longTables();
    void manyKeys();
    void cancelled();
};

void TestDocumentKinds::brokenOnesAreToldByKind_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *title, const char *text, const char *field, const char *says) {
        QTest::newRow(title) << QString::fromUtf8(text) << QString::fromUtf8(field) << QString::fromUtf8(says);
    };
    row("sweep without its name", "fleetwright: 1\nplan: {}\naxes: []", "sweep", "missing");
    row("sweep with a key of its plan", "fleetwright: 1\nsweep: a\nplan: {}\naxes: []\nworkload: b", "workload",
        "The sweep has no key");
    row("decision without its name", "fleetwright: 1\njobs: []", "decision", "missing");
    row("offer without its name", "fleetwright: 1\nlines: []", "offer", "missing");
    row("output set without its name", "fleetwright: 1\nfiles: [a.pdf]", "outputs", "missing");
    row("study", "fleetwright: 1\nsteps: []\nname: a", "name", "The study has no key");
    row("plan", "fleetwright: 1\nname: a\nworkloads: b", "workloads", "The plan has no key");
}

void TestDocumentKinds::brokenOnesAreToldByKind()
{
    QFETCH(QString, text);
    QFETCH(QString, field);
    QFETCH(QString, says);
    const auto refused = exchange::documentFromText(text.toStdString());
    QVERIFY(!refused);
    QCOMPARE(utf8(refused.error().field), field);
    QVERIFY2(utf8(refused.error().message).contains(says), refused.error().message.c_str());
}

void TestDocumentKinds::tables_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("table");
    QTest::newRow("comma") << u"kind,id\na,b"_s << true;
    QTest::newRow("one column") << u"id\na"_s << true;
    QTest::newRow("order mark, semicolon, quotes") << u"\uFEFF\"id\";tp\r\na;1"_s << true;
    QTest::newRow("YAML") << u"fleetwright: 1\nid: a"_s << false;
    QTest::newRow("key in YAML") << u"id: a, b"_s << false;
    QTest::newRow("JSON") << u"{\"id\": 1}"_s << false;
    QTest::newRow("nothing") << QString() << false;
}

void TestDocumentKinds::tables()
{
    QFETCH(QString, text);
    QFETCH(bool, table);
    QCOMPARE(exchange::looksLikeRunTable(text.toStdString()), table);
}

void TestDocumentKinds::longTables()
{
    const auto few = secondsToRead(tableOfRuns(12'500), 12'500), many = secondsToRead(tableOfRuns(200'000), 200'000);
    QVERIFY(few > 0 && many > 0);
    QVERIFY2(many / few < linearTo16Times, qPrintable(u"%1 s for 12,500 rows, %2 s for 200,000"_s.arg(few).arg(many)));
}

void TestDocumentKinds::manyKeys()
{
    const auto few = secondsToRead(objectOf(5'000), 1), many = secondsToRead(objectOf(80'000), 1);
    QVERIFY(few > 0 && many > 0);
    QVERIFY2(many / few < linearTo16Times, qPrintable(u"%1 s for 5,000 keys, %2 s for 80,000"_s.arg(few).arg(many)));

    const auto twice = exchange::measuredRunsFromText("{\"runs\": [], " + objectOf(100).substr(1));
    QVERIFY(!twice && twice.error().message.find("stands twice") != std::string::npos);
    const auto inner = exchange::measuredRunsFromText(
        "{\"a\": {\"70\": 1, " + objectOf(100).substr(objectOf(100).find("\"0\"")));
    QVERIFY(!inner && inner.error().message.find("\u201c70\u201d stands twice") != std::string::npos);
}

void TestDocumentKinds::cancelled()
{
    std::size_t last = 0, total = 0;
    std::stop_source stop;
    const auto watch = [&](std::size_t done, std::size_t of) {
        QVERIFY(done >= last && done <= of);
        last = done;
        total = of;
    };
    const auto text = tableOfRuns(5000);
    QVERIFY(exchange::measuredRunsFromText(text, {.stop = stop.get_token(), .progress = watch}).has_value());
    QCOMPARE(last, text.size());
    QCOMPARE(total, text.size());
    const auto stopLater = [&](std::size_t done, std::size_t) {
        if (done > text.size() / 2)
            stop.request_stop();
    };
    for (const auto &input : {text, objectOf(20'000)}) {
        const auto ended = exchange::measuredRunsFromText(input, {.stop = stop.get_token(), .progress = stopLater});
        QVERIFY(!ended && ended.error().code == ErrorCode::Cancelled);
    }
}

FLEETWRIGHT_TEST(TestDocumentKinds)
#include "tst_documentkinds.moc"
