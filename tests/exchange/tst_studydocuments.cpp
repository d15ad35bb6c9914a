// SPDX-License-Identifier: GPL-3.0-or-later
// Studies as files: what is read is what was written, and every fault is answered with its code, its place and a
// sentence.
#include "exchange/exchangetesting.h"
#include "exchange/samplestudy.h"
#include "testing/registry.h"

#include "exchange/ledgerdocuments.h"
#include "exchange/objectreader.h"
#include "exchange/textreader.h"

#include <QTest>

using namespace fleetwright;
using namespace exchangetesting;
using namespace Qt::StringLiterals;

class TestStudyDocuments : public QObject {
    Q_OBJECT

private slots:
    void readsEveryKindOfStep();
    void roundTrips();
    void writesReadableYaml();
    void invalid_data();
    void invalid();
    void progressRoundTrips();
    void invalidProgress_data();
    void invalidProgress();
    void ledgerRoundTrips();
    void invalidLedger_data();
    void invalidLedger();
};

void TestStudyDocuments::readsEveryKindOfStep()
{
    const auto study = samplestudy::document();
    QCOMPARE(study.id, std::string("short-study"));
    QCOMPARE(int(study.context), int(StudyContext::ThreeDimensional));
    QCOMPARE(study.steps.size(), 6UZ);
    const std::vector<std::string> kinds{"brief", "predict", "instrument", "reveal", "reflect", "takeaways"};
    for (std::size_t i = 0; i < kinds.size(); ++i)
        QCOMPARE(std::string(kindOf(study.steps[i])), kinds[i]);
    QCOMPARE(study.steps[0].text, std::string("First paragraph: with a colon.\n\nSecond paragraph.\n"));
    const auto &choices = std::get<PredictStep>(study.steps[1].content).choices;
    QCOMPARE(choices.size(), 2UZ);
    QVERIFY(!choices[0].right && choices[1].right);
    const auto &instrument = std::get<InstrumentStep>(study.steps[2].content);
    const auto &cube = std::get<CubeSettings>(instrument.start);
    QCOMPARE(cube.tp, 1);
    QCOMPARE(cube.microbatches, 16);
    QCOMPARE(instrument.movable.size(), 2UZ);
    QCOMPARE(int(instrument.movable[1]), int(InstrumentControl::PipelineParallel));
    QCOMPARE(instrument.unlockedBy, std::string("guess"));
}

void TestStudyDocuments::roundTrips()
{
    auto study = samplestudy::document();
    auto &wall = std::get<InstrumentStep>(study.steps[2].content);
    for (const auto &start : {InstrumentSettings(CubeSettings{8, 4, 64, InstrumentVariant::Corrected}),
             InstrumentSettings(DpWallSettings{0.1, 1024, 128, WallFabric::ScaleUp, InstrumentVariant::Corrected}),
             InstrumentSettings(DpWallSettings{405.6, 3, 1, WallFabric::ScaleOut, InstrumentVariant::Published})}) {
        wall.start = start;
        const auto controls = controlsOf(start);
        wall.movable.assign(controls.begin(), controls.end());
        const auto again = exchange::studyFromJson(exchange::studyToJson(study));
        QVERIFY2(again, again ? "" : described(again.error()).constData());
        QVERIFY(*again == study);
        const auto yaml = exchange::studyToYaml(study);
        const auto read = exchange::studyFromText(yaml);
        QVERIFY2(read, read ? "" : (described(read.error()) + "\n" + yaml.c_str()).constData());
        QVERIFY2(*read == study, yaml.c_str());
    }
    // Text that a block would change, and text that YAML might misread.
    for (const auto *text : {"- dash", "# hash\nsecond", "a\n  b", " leading\nline", "trailing \nline", "end\n",
             "tab\there\nx", "\"quoted\": yes\n\nno", "%x\n---\n...", "\u2028 \u00e9\n\u00e9"}) {
        study.steps[0].text = text;
        const auto yaml = exchange::studyToYaml(study);
        const auto read = exchange::studyFromText(yaml);
        QVERIFY2(read, read ? "" : (described(read.error()) + "\n" + yaml.c_str()).constData());
        QCOMPARE(read->steps[0].text, std::string(text));
    }
}

void TestStudyDocuments::writesReadableYaml()
{
    const auto yaml = exchange::studyToYaml(samplestudy::document());
    QVERIFY2(yaml.contains("\nsteps:\n  - id: start\n    kind: brief\n    title: What this is about\n    text: |\n     "
                           " First paragraph: with a colon.\n\n      Second paragraph.\n"),
        yaml.c_str());
    QVERIFY2(yaml.contains("  - {id: answer, kind: reveal, title: Answer, of: guess}\n"), yaml.c_str());
    auto study = samplestudy::document();
    std::get<PredictStep>(study.steps[1].content).choices[0].reply = std::string(200, 'x');
    const auto longer = exchange::studyToYaml(study);
    QVERIFY2(longer.contains("    choices:\n      - id: few\n        text: TP 1\n        reply: xxx"), longer.c_str());
    QVERIFY(exchange::studyFromText(longer).value() == study);
}

void TestStudyDocuments::invalid_data()
{
    exchangetesting::addRefusalColumns();
    const auto row = exchangetesting::toldRefusalRow;
    row("no version", "fleetwright: 1\n", "", "missing_field", "fleetwright",
        "“fleetwright” is missing; add “fleetwright: 1” as the first line.");
    row("later version", "fleetwright: 1", "fleetwright: 3", "unsupported_value", "fleetwright",
        "“fleetwright” must be 1, the version of the document format that this program reads. (line 1, column 1)");
    row("unknown key", "summary:", "sumary:", "unsupported_value", "sumary",
        "The study has no key “sumary”; did you mean “summary”? (line 4, column 1)");
    row("no id", "id: short-study\n", "", "missing_field", "id", "“id” is missing; add it as a text.");
    row("id with capitals", "id: short-study", "id: Short study", "out_of_range", "id",
        "The id “Short study” may hold only lower-case letters, digits and hyphens, at most 100 of them. (line 2, "
        "column 1)");
    row("context unknown", "context: 3d", "context: 4d", "unsupported_value", "context",
        "“context” must be data-parallel or 3d, not “4d”. (line 5, column 1)");
    row("blank summary", "One question, one instrument.", "\"  \"", "missing_field", "summary",
        "The summary is empty; write it. (line 4, column 1)");
    row("unknown kind", "kind: brief", "kind: story", "unsupported_value", "steps[0].kind",
        "“steps[0].kind” must be brief, predict, instrument, reveal, reflect or takeaways, not “story”. (line 8, "
        "column 5)");
    row("no kind", "    kind: brief\n", "", "missing_field", "steps[0].kind",
        "“steps[0].kind” is missing; add it as a text. (line 7, column 5)");
    row("key of another kind", "    of: guess\n", "    of: guess\n    points: [x]\n", "unsupported_value",
        "steps[3].points",
        "The reveal step has no key “points”; its keys are id, kind, title, text, of. (line 33, column 5)");
    row("step id twice", "id: answer", "id: guess", "unsupported_value", "steps[3].id",
        "Two steps have the id “guess”; rename one of them. (line 29, column 5)");
    row("no text in a brief", "    text: |\n      First paragraph: with a colon.\n\n      Second paragraph.\n", "",
        "missing_field", "steps[0].text", "The text of the step is empty; write it. (line 7, column 5)");
    row("choices a text",
        "    choices:\n      - {id: few, text: TP 1, reply: \"No, too few.\", right: false}\n      - {id: many, text: "
        "\"TP 1, PP 32\", reply: \"Yes.\", right: true}\n",
        "    choices: both\n", "unsupported_value", "steps[1].choices",
        "“steps[1].choices” must be a list: the choices, each an object with id, text and reply. (line 18, column 5)");
    row("one choice", "      - {id: few, text: TP 1, reply: \"No, too few.\", right: false}\n", "", "out_of_range",
        "steps[1].choices", "A question needs between 2 and 20 choices. (line 18, column 5)");
    row("no right choice", "right: true", "right: false", "unsupported_value", "steps[1].choices",
        "Exactly one choice must be right; mark it with “right: true”. (line 18, column 5)");
    row("two right choices", "right: false", "right: true", "unsupported_value", "steps[1].choices",
        "Exactly one choice must be right; mark it with “right: true”. (line 18, column 5)");
    row("choice without reply", "reply: \"Yes.\", ", "", "missing_field", "steps[1].choices[1].reply",
        "“steps[1].choices[1].reply” is missing; add it as a text. (line 20, column 9)");
    row("choice id twice", "id: many", "id: few", "unsupported_value", "steps[1].choices[1].id",
        "Two choices have the id “few”; rename one of them. (line 20, column 10)");
    row("right a text", "right: true", "right: \"yes\"", "unsupported_value", "steps[1].choices[1].right",
        "“steps[1].choices[1].right” must be true or false, not the text “yes”. (line 20, column 56)");
    row("instrument unknown", "instrument: cube", "instrument: sphere", "unsupported_value", "steps[2].instrument",
        "“steps[2].instrument” must be dp-wall or cube, not “sphere”. (line 25, column 5)");
    row("unlocked by nothing", "    unlocked_by: guess\n", "", "missing_field", "steps[2].unlocked_by",
        "“steps[2].unlocked_by” is missing; add it as a text. (line 21, column 5)");
    row("unlocked by a later step", "unlocked_by: guess", "unlocked_by: answer", "unknown_reference",
        "steps[2].unlocked_by",
        "No predict step before this one has the id “answer”; name one that comes earlier. (line 26, column 5)");
    row("start out of range", "pp: 1,", "pp: 65,", "out_of_range", "steps[2].start.pp",
        "“steps[2].start.pp” must be between 1 and 64, not 65. (line 27, column 20)");
    row("start of the other instrument", "{tp: 1, pp: 1, microbatches: 16, variant: published}", "{accelerators: 8}",
        "unsupported_value", "steps[2].start.accelerators",
        "The settings has no key “accelerators”; its keys are tp, pp, microbatches, variant. (line 27, column 13)");
    row("variant unknown", "variant: published", "variant: improved", "unsupported_value", "steps[2].start.variant",
        "“steps[2].start.variant” must be published or corrected, not “improved”. (line 27, column 45)");
    row("movable unknown", "movable: [tp, pp]", "movable: [tp, fabric]", "unsupported_value", "steps[2].movable[1]",
        "The instrument “cube” has no control “fabric”; its controls are tp, pp, microbatches, variant. (line 28, "
        "column 19)");
    row("movable twice", "movable: [tp, pp]", "movable: [tp, tp]", "unsupported_value", "steps[2].movable[1]",
        "The control “tp” stands twice; keep it once. (line 28, column 19)");
    row("nothing movable", "movable: [tp, pp]", "movable: []", "missing_field", "steps[2].movable",
        "Nothing of this instrument may be moved; name at least one control. (line 28, column 5)");
    row("reveal of nothing", "of: guess", "of: hunch", "unknown_reference", "steps[3].of",
        "No predict step before this one has the id “hunch”; name one that comes earlier. (line 32, column 5)");
    row("no points", "points: [Memory divides., Bubbles grow.]", "points: []", "out_of_range", "steps[5].points",
        "The takeaways need between 1 and 20 points. (line 40, column 5)");
    row("point a number", "[Memory divides., Bubbles grow.]", "[Memory divides., 2]", "unsupported_value",
        "steps[5].points[1]", "“steps[5].points[1]” must be a text; put it in quotes. (line 40, column 31)");
    row("ends without takeaways",
        "  - id: end\n    kind: takeaways\n    title: Remember\n    points: [Memory divides., Bubbles grow.]\n", "",
        "missing_field", "steps", "The last step must be of kind takeaways. (line 6, column 1)");
    row("duplicate key", "title: A short study", "title: A short study\ntitle: Again", "parse_error", "title",
        "The key “title” stands twice; keep one of them. (line 4, column 1)");
}

void TestStudyDocuments::invalid()
{
    QFETCH(QString, sentence);
    Error error;
    exchangetesting::checkRefusal(samplestudy::text, exchange::studyFromText, error);
    QCOMPARE(QString::fromStdString(error.message), sentence);
}

void TestStudyDocuments::progressRoundTrips()
{
    StudyProgress progress{"short-study", "cube", {{"guess", "many"}}, {{"think", "that it\nfits"}},
        {{"cube", CubeSettings{2, 16, 16, InstrumentVariant::Published}},
            {"wall", DpWallSettings{13.5, 64, 8, WallFabric::ScaleUp, InstrumentVariant::Corrected}}},
        true, true};
    const auto again = exchange::progressFromJson(exchange::progressToJson(progress));
    QVERIFY2(again, again ? "" : described(again.error()).constData());
    QVERIFY(*again == progress);
    const auto empty = exchange::progressFromJson(exchange::progressToJson(StudyProgress{"x"}));
    QVERIFY(empty && *empty == StudyProgress{"x"});
}

void TestStudyDocuments::invalidProgress_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("error");
    const auto row = [](const char *title, const char *json, const char *error) {
        QTest::newRow(title) << QByteArray(json) << QByteArray(error);
    };
    row("no study", R"({})", "missing_field [study] “study” is missing; add it as a text.");
    row("answers a list", R"({"study":"a","answers":[]})",
        "unsupported_value [answers] “answers” must be an object from steps to texts.");
    row("answer a number", R"({"study":"a","answers":{"q":1}})",
        "unsupported_value [answers.q] “answers.q” must be a text.");
    row("settings without instrument", R"({"study":"a","settings":{"w":{"tp":1}}})",
        "missing_field [settings.w.instrument] “settings.w.instrument” is missing; add it as a text.");
    row("settings out of range", R"({"study":"a","settings":{"w":{"instrument":"dp-wall","parameters_b":0}}})",
        "out_of_range [settings.w.parameters_b] The parameters, in billions, must be between 0.1 and 1000, not 0.");
    row("finished a number", R"({"study":"a","finished":1})",
        "unsupported_value [finished] “finished” must be true or false, not the number 1.");
}

void TestStudyDocuments::invalidProgress()
{
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, error);
    const auto read = exchange::progressFromJson(exchange::Json::parse(json.toStdString()));
    QVERIFY(!read);
    QCOMPARE(described(read.error()), error);
}

void TestStudyDocuments::ledgerRoundTrips()
{
    LedgerEntry full{"2025-03-01T09:30:00Z", LedgerContext::ThreeDimensional, "A cube of 1024", 1, 32, 32, 1024, 0.4397,
        true, "bubble", "TP 1, PP 32", false, "Why:\nbecause"};
    LedgerEntry bare;
    bare.when = "2024-02-29T00:00:00Z";
    bare.title = "By hand";
    for (const auto context : allLedgerContexts) {
        full.context = bare.context = context;
        for (const auto &entry : {full, bare}) {
            const auto json = exchange::ledgerEntryFromJson(exchange::ledgerEntryToJson(entry));
            QVERIFY2(json, json ? "" : described(json.error()).constData());
            QVERIFY(*json == entry);
        }
    }
    QVERIFY(!exchange::ledgerEntryToJson(bare).contains("mfu"));
}

void TestStudyDocuments::invalidLedger_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("error");
    const auto row = [](const char *title, const QByteArray &text, const char *error) {
        QTest::newRow(title) << text << QByteArray(error);
    };
    const QByteArray head = "when: 2025-03-01T09:30:00Z\ncontext: plan\ntitle: T\n";
    row("no time", "context: plan\ntitle: T\n", "missing_field [when] “when” is missing; add it as a text.");
    row("no such day", "when: 2025-02-29T09:30:00Z\ncontext: plan\ntitle: T\n",
        "unsupported_value [when] The time must be written in UTC like 2025-03-01T09:30:00Z.");
    row("local time", "when: 2025-02-28T09:30:00\ncontext: plan\ntitle: T\n",
        "unsupported_value [when] The time must be written in UTC like 2025-03-01T09:30:00Z.");
    row("context", "when: 2025-03-01T09:30:00Z\ncontext: dream\ntitle: T\n",
        "unsupported_value [context] “context” must be data-parallel, 3d, plan or search, not “dream”.");
    row("blank title", "when: 2025-03-01T09:30:00Z\ncontext: plan\ntitle: ' '\n",
        "missing_field [title] The title is empty; say what was decided about.");
    row("MFU in percent", head + "mfu: 43\n", "out_of_range [mfu] The MFU must be between 0 and 1.");
    row("TP zero", head + "tp: 0\n", "out_of_range [tp] “tp” must be between 1 and 1000000, not 0.");
    row("product", head + "tp: 8\npp: 4\ndp: 32\naccelerators: 512\n",
        "unsupported_value [accelerators] TP x PP x DP is more than the number of accelerators; correct one of them.");
    row("held without prediction", head + "prediction_held: true\n",
        "missing_field [prediction] Whether the prediction held is stated, but not the prediction; write it or leave "
        "both out.");
    row("unknown key", head + "mfus: 1\n",
        "unsupported_value [mfus] The ledger entry has no key “mfus”; did you mean “mfu”?");
}

void TestStudyDocuments::invalidLedger()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, error);
    const auto read = exchange::ledgerEntryFromJson(exchange::readText(text.toStdString()).value());
    QVERIFY(!read);
    QCOMPARE(described(read.error()), error);
}

FLEETWRIGHT_TEST(TestStudyDocuments)
#include "tst_studydocuments.moc"
