// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/manyruns.h"
#include "exchange/measuredrundocuments.h"
#include "exchange/measuredruns.h"
#include "exchange/storedruns.h"
#include "exchange/textreader.h"
#include "testing/registry.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <QElapsedTimer>

using namespace fleetwright;
using namespace fleetwright::exchange;
using validation::RunFile;

namespace {

using TextOfRuns = std::string (*)(std::size_t count);

/// The fastest of three, since others use the machine, too.
qint64 nanosecondsToRead(const std::string &text, std::size_t runs)
{
    qint64 fastest = std::numeric_limits<qint64>::max();
    for (int i = 0; i < 3; ++i) {
        QElapsedTimer clock;
        clock.start();
        const auto file = measuredRunsFromText(text);
        fastest = std::min(fastest, clock.nsecsElapsed());
        if (!file || file->runs.size() != runs || !file->unread.empty())
            return -1;
    }
    return fastest;
}

} // namespace

/// Files of very many runs: time in proportion, little memory for each, and a reader that stops when asked.
class ManyRunsTest : public QObject {
    Q_OBJECT
private slots:
    void timeInProportion_data() { texts(); }
    void timeInProportion()
    {
        QFETCH(TextOfRuns, text);
        constexpr std::size_t few = 5'000, times = 10;
        const auto ofFew = nanosecondsToRead(text(few), few);
        const auto ofMany = nanosecondsToRead(text(few * times), few * times);
        QVERIFY(ofFew > 0 && ofMany > 0);
        const double ratio = double(ofMany) / double(ofFew);
        QVERIFY2(ratio < 3 * double(times), qPrintable(QString::number(ratio))); // work by each pair would be 100
    }

    void textsAreKeptOnce_data() { texts(); }
    void textsAreKeptOnce()
    {
        QFETCH(TextOfRuns, text);
        constexpr std::size_t count = 2'000;
        const auto file = measuredRunsFromText(text(count));
        QVERIFY(file && file->runs.size() == count);
        const auto &first = file->runs.front();
        for (const auto &run : file->runs) {
            QVERIFY(run.accelerator.isSameAs(first.accelerator));
            QVERIFY(run.framework.isSameAs(first.framework));
            QVERIFY(run.model.name.isSameAs(first.model.name));
        }
        QVERIFY(file->runs[37].source.key.isSameAs(first.source.key));
        QCOMPARE_LE(file->runs.capacity(), count * 3 / 2); // a guess from the first rows, not a doubling
    }

    void cancelledSoon_data() { texts(); }
    void cancelledSoon()
    {
        QFETCH(TextOfRuns, text);
        const auto runs = text(50'000);
        std::stop_source source;
        std::size_t reports = 0, furthest = 0;
        const auto file = measuredRunsFromText(
            runs, {.stop = source.get_token(), .progress = [&](std::size_t done, std::size_t total) {
                       QCOMPARE(total, runs.size());
                       QVERIFY(done >= furthest);
                       furthest = done;
                       if (++reports == 3)
                           source.request_stop();
                   }});
        QVERIFY(!file);
        QVERIFY(file.error().code == ErrorCode::Cancelled);
        QCOMPARE(reports, 3U); // stops at the next place where it looks
        QCOMPARE_LT(furthest, runs.size() / 10);
    }

    /// Of a million rows as a tree there would be gigabytes.
    void rowsAreHandedOver()
    {
        std::vector<nlohmann::ordered_json> rows;
        std::size_t last = 0;
        const RowTaking taking{.member = "runs", .take = [&](const nlohmann::ordered_json &row, std::size_t position) {
                                   QVERIFY(position > last);
                                   last = position;
                                   rows.push_back(row);
                               }};
        const auto tree = readJsonRows(
            R"({"a": [1, [2]], "runs": [{"x": [1, 2]}, 3, [4, {"runs": [5]}]], "b": {"runs": [6]}})", taking);
        QVERIFY(tree);
        QCOMPARE(rows,
            (std::vector<nlohmann::ordered_json>{
                {{"x", {1, 2}}}, 3, nlohmann::ordered_json::parse(R"([4, {"runs": [5]}])")}));
        QCOMPARE(tree->dump(), std::string(R"({"a":[1,[2]],"runs":[null,null,null],"b":{"runs":[6]}})"));
        rows.clear();
        last = 0;
        QCOMPARE(must(readJsonRows("[{\"id\": 1}, [], 2]", taking)).dump(), std::string("[null,null,null]"));
        QCOMPARE(rows.size(), 3U);
    }

    /// The list of sources may stand behind the runs that name them.
    void sourcesBehindTheRuns()
    {
        const auto file = measuredRunsFromText(manyruns::json(100));
        QVERIFY(file);
        QCOMPARE(file->version, std::string("1"));
        QCOMPARE(file->runs[3].source.title.string(), std::string("The third site"));
        QVERIFY(file->runs[40].source.title.isSameAs(file->runs[3].source.title));
        QVERIFY(file->runs[4].source.title.empty());
    }

    /// What a project keeps is written and read past the tree: the same texts and the same runs.
    void storedAsTheTreeWouldBe()
    {
        const auto &shipped = shippedMeasuredRuns();
        QVERIFY(shipped);
        auto runs = shipped->runs;
        runs.push_back(runs.front());
        runs.back().notes = "Tab\t, \"quoted\", back\\slash, \u201cnon-ASCII\u201d, \x1B and \x7F";
        runs.back().overlap = {{"a \"flag\" with dots.in it", true}, {"other", false}};
        runs.back().inferred = {"tp", "\u00e9"};
        runs.back().zeroGroup = -1;
        runs.back().measured.mfu = 1.0 / 3;
        runs.back().derivedStepTime = Seconds::from_value(1e-7);
        runs.back().derivedFormula = "a / b";
        for (const auto &run : runs) {
            const auto text = storedRunText(run);
            QCOMPARE(text, measuredRunToJson(run).dump());
            validation::SharedTexts texts;
            const auto back = runFromStoredText(text, texts);
            QVERIFY2(back, text.c_str());
            QCOMPARE(*back, run);
        }
        runs.front().notes = "\xFF";
        QVERIFY_THROWS_EXCEPTION(nlohmann::json::exception, (void)storedRunText(runs.front()));
    }

    void otherTextsAreLeftToTheTree_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char *text : {"", "{}", "[]", "3", "{\"id\":\"a\"", "{\"id\":\"a\"}x", "{\"id\":\"\"}", "{\"id\":3}",
                 "{\"id\":\"a\",\"id\":\"b\"}", "{\"id\":\"a\",\"other\":1}", "{\"id\":\"a\",\"tp\":null}",
                 "{\"id\":\"a\",\"tp\":\"8\"}", "{\"id\":\"a\",\"tp\":1.5}", "{\"id\":\"a\",\"tp\":-1}",
                 "{\"id\":\"a\",\"tp\":1e300}", "{\"id\":\"a\",\"tp\":true}", "{\"id\":\"a\",\"zero_stage\":1e12}",
                 "{\"id\":\"a\",\"measured\":{\"mfu\":-0.5}}", "{\"id\":\"a\",\"measured.mfu\":0.5}",
                 "{\"id\":\"a\",\"model\":{\"layers\":1},\"model\":{\"hidden\":1}}", "{\"id\":\"a\",\"model\":[1]}",
                 "{\"id\":\"a\",\"model\":3}", "{\"id\":\"a\",\"model\":{\"id\":\"b\"}}",
                 "{\"id\":\"a\",\"overlap\":{\"x\":1}}", "{\"id\":\"a\",\"overlap\":[\"x\"]}",
                 "{\"id\":\"a\",\"overlap\":{\"x\":true,\"x\":true}}", "{\"id\":\"a\",\"inferred_config\":[1]}",
                 "{\"id\":\"a\",\"inferred_config\":[[\"tp\"]]}", "{\"id\":\"a\",\"inferred_config\":[{\"a\":\"b\"}]}",
                 "{\"id\":\"a\",\"inferred_config\":[\"tp\"],\"inferred_config\":[\"pp\"]}", "{\"id\":\"a\xFF\"}",
                 "{\"id\":\"a\",\"tp\":NaN}", "{\"id\":\"a\",\"flash_attention\":1}"})
            QTest::newRow(text) << QByteArray(text);
    }
    void otherTextsAreLeftToTheTree()
    {
        QFETCH(QByteArray, text);
        validation::SharedTexts texts;
        QVERIFY(!runFromStoredText(std::string_view(text.constData(), std::size_t(text.size())), texts));
    }

private:
    static void texts()
    {
        QTest::addColumn<TextOfRuns>("text");
        QTest::newRow("CSV") << &manyruns::csv;
        QTest::newRow("JSON") << &manyruns::json;
    }
    template <class T> static T must(Expected<T> result)
    {
        return result ? std::move(*result) : throw std::runtime_error(result.error().message);
    }
};

FLEETWRIGHT_TEST(ManyRunsTest)
#include "tst_manyruns.moc"
