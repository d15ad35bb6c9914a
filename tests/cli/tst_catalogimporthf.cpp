// SPDX-License-Identifier: GPL-3.0-or-later
#include "../exchange/huggingfacesamples.h"
#include "cli/clitesting.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace clitesting;
using clirunner::parsed;
using clirunner::run;

class TestCatalogImportHf : public QObject, private CliFixture {
    Q_OBJECT

    static clirunner::Run import(const QStringList &more, const QByteArray &input = {})
    {
        return run(QStringList{u"catalog"_s, u"import-hf"_s} + more, input);
    }
    QString newProject()
    {
        const auto path = m_folder->filePath(u"mine.fleetwright"_s);
        return run({u"project"_s, u"new"_s, path}).status == 0 ? path : QString();
    }

private slots:
    void init() { makeFolder(); }

    void whatWasUnderstoodIsPrinted()
    {
        const auto shown = import({file(u"config.json"_s, huggingfacesamples::deepseek)});
        QVERIFY2(shown.status == 0, shown.err.constData());
        for (const auto *words : {"DeepSeek-V3 671B-A37.6B", "671026419200", "37552297472", "256 experts",
                 "Not mapped:", "num_nextn_predict_layers", "fp8", "Nothing was changed"})
            QVERIFY2(shown.out.contains(words), shown.out.constData());
        const auto json = parsed(import({u"-"_s, u"--format"_s, u"json"_s}, huggingfacesamples::llama).out);
        QCOMPARE(json["parameters"].get<std::int64_t>(), 70'553'706'496);
        QCOMPARE(json["active_parameters"].get<std::int64_t>(), 70'553'706'496);
        QCOMPARE(json["item"].get<std::string>(), std::string("workloads/llama_3_1_70b_hf"));
        QCOMPARE(json["outcome"].get<std::string>(), std::string("shown"));
        QVERIFY(!json["not_mapped"].empty() && json["assumed"].empty());
        QCOMPARE(json["record"]["layers"].get<int>(), 80);
        const auto rows = csvRows(import({u"-"_s, u"--format"_s, u"csv"_s}, huggingfacesamples::gemma3).out);
        QVERIFY(std::ranges::find(rows, std::vector<std::string>{"parameters", "27009346304"}) != rows.end());
    }

    /// Other commands that are given one say which takes it.
    void othersPointHere_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::newRow("catalog import") << QStringList{
            u"catalog"_s, u"import"_s, u"FILE"_s, u"--project"_s, u"PROJECT"_s};
        QTest::newRow("project import") << QStringList{u"project"_s, u"import"_s, u"PROJECT"_s, u"FILE"_s};
        QTest::newRow("solve") << QStringList{u"solve"_s, u"FILE"_s};
    }
    void othersPointHere()
    {
        QFETCH(QStringList, command);
        const auto project = newProject();
        const auto with = [&](const QByteArray &content) {
            auto arguments = command;
            const auto path = file(u"config.json"_s, content);
            for (auto &argument : arguments)
                argument.replace(u"FILE"_s, path).replace(u"PROJECT"_s, project);
            return run(arguments);
        };
        const auto refused = with(huggingfacesamples::llama);
        QVERIFY2(refused.status == 3 && refused.err.contains("config.json of a Hugging Face model")
                && refused.err.contains("catalog import-hf FILE --project PROJECT"),
            refused.err.constData());
        const auto unknown = with(R"({"model_type": "papyrus", "hidden_size": 8})");
        QVERIFY2(unknown.status == 3 && unknown.err.contains("papyrus") && unknown.err.contains("catalog import-hf"),
            unknown.err.constData());
        const auto document = with(R"({"fleetwright": 1, "name": "x", "model_type": "llama"})"); // ours, misspelt
        QVERIFY2(document.status == 3 && !document.err.contains("import-hf"), document.err.constData());
    }

    void aPlanOfTheProjectTakesIt()
    {
        const auto project = newProject();
        const QStringList into{u"-"_s, u"--name"_s, u"Our 70B"_s, u"--id"_s, u"our_70b"_s, u"--project"_s, project};
        const auto added = import(into, huggingfacesamples::llama);
        QVERIFY2(
            added.status == 0 && added.out.contains("Added workloads/our_70b"), (added.out + added.err).constData());
        QVERIFY(import(into, huggingfacesamples::llama).out.contains("just so"));
        const auto other =
            QByteArray(huggingfacesamples::llama).replace("\"num_hidden_layers\": 80", "\"num_hidden_layers\": 40");
        const auto refused = import(into, other);
        QVERIFY2(
            refused.status == 3 && refused.err.contains("our_70b") && refused.out.isEmpty(), refused.err.constData());
        QVERIFY(import(into + QStringList{u"--replace"_s}, other).out.contains("Replaced workloads/our_70b"));
        QVERIFY(import(into + QStringList{u"--replace"_s}, huggingfacesamples::llama).status == 0);
        const auto shown = parsed(
            run({u"catalog"_s, u"show"_s, u"our_70b"_s, u"--project"_s, project, u"--format"_s, u"json"_s}).out);
        QVERIFY(!shown.is_discarded());
        QCOMPARE(run({u"project"_s, u"check"_s, project}).status, 0);
    }

    void aCatalogFileIsWritten()
    {
        const auto item = m_folder->filePath(u"model.json"_s);
        const auto written = import({u"-"_s, u"--catalog-file"_s, item}, huggingfacesamples::gemma3);
        QVERIFY2(written.status == 0 && written.out.contains("Wrote "), written.err.constData());
        const auto project = newProject();
        const auto imported = run({u"catalog"_s, u"import"_s, item, u"--project"_s, project});
        QVERIFY2(imported.status == 0 && imported.out.contains("1 added"), (imported.out + imported.err).constData());
        const auto both = import(
            {u"-"_s, u"--catalog-file"_s, item, u"--project"_s, project}, huggingfacesamples::gemma3);
        QCOMPARE(both.status, 2);
    }

    void refusedFilesChangeNothing_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("unknown") << QByteArray(R"({"model_type": "bert"})")
                                 << QByteArray("\u201cbert\u201d is not understood");
        QTest::newRow("tokenizer") << QByteArray(R"({"added_tokens": [], "model": {}})")
                                   << QByteArray("tokenizer.json");
        QTest::newRow("contradiction")
            << QByteArray(huggingfacesamples::llama).replace("\"num_key_value_heads\": 8", "\"num_key_value_heads\": 9")
            << QByteArray("num_key_value_heads");
        QTest::newRow("YAML") << QByteArray("model_type: llama\n") << QByteArray("JSON");
        QTest::newRow("nothing") << QByteArray() << QByteArray("empty");
    }
    void refusedFilesChangeNothing()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        const auto project = newProject();
        const auto before = clirunner::fileContent(project);
        const auto refused = import({u"-"_s, u"--project"_s, project}, text);
        QCOMPARE(refused.status, 3);
        QVERIFY(refused.out.isEmpty());
        QVERIFY2(refused.err.contains(says), refused.err.constData());
        QCOMPARE(clirunner::fileContent(project), before);
        QCOMPARE(import({m_folder->filePath(u"none.json"_s)}).status, 5);
        QCOMPARE(
            import({u"-"_s, u"--id"_s, u"llama3_1_70b"_s, u"--project"_s, project}, huggingfacesamples::llama).status,
            3);
    }
};

FLEETWRIGHT_TEST(TestCatalogImportHf)
#include "tst_catalogimporthf.moc"
