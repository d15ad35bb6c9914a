// SPDX-License-Identifier: GPL-3.0-or-later
// Broken files of every kind: what is printed about them are sentences of ours, and no library adds any of its own.
#include "cli/clitesting.h"
#include "testing/registry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using clirunner::run;

class TestCliBroken : public QObject, clitesting::CliFixture {
    Q_OBJECT

    QString m_project;
    QByteArray m_report;

private slots:
    void initTestCase()
    {
        makeFolder();
        m_project = m_folder->filePath(u"my.fleetwright"_s);
        QCOMPARE(run({u"project"_s, u"new"_s, m_project, u"--sample"_s}).status, 0);
        const auto report = m_folder->filePath(u"report.pdf"_s);
        const auto written = run({u"report"_s, m_project, u"-o"_s, report});
        QVERIFY2(written.status == 0, written.err);
        m_report = clirunner::fileContent(report);
        QVERIFY(m_report.size() > 10'000);
    }

    void ownWordsAlone_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("content");
        const QList<std::pair<const char *, QByteArray>> contents{
            {"nothing", QByteArray()},
            {"zeros", QByteArray(4096, '\0')},
            {"no text", QByteArray::fromHex("fffe00d8c328a0a1ff80")},
            {"half JSON", R"({"fleetwright": 1, "name": "x", "items": [{"id": )"},
            {"JSON number", R"({"fleetwright": 1e999999, "name": 01})"},
            {"JSON escape", R"({"name": "\ud800\x"})"},
            {"YAML anchors", "a: &a [*a, *b]\n? [\n- : :\n"},
            {"YAML tabs", "fleetwright: 1\n\tname: x\n  workload: {a: [}\n"},
            {"CSV", "name,\"step_time_s\n1,2,3\"\"\n\"\n"},
            {"PDF",
                "%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\nxref\n0 99999999\ntrailer << /Root 7 0 R >>\n"
                "startxref\n5\n%%EOF\n"},
            {"half a report", m_report.first(m_report.size() * 2 / 3)},
            {"report without its index", QByteArray(m_report).replace("startxref", "startxxxx")},
            {"database", QByteArray("SQLite format 3\0", 16) + QByteArray(2000, '\x7f')},
            {"arguments", "--tensor-model-parallel-size 8 --num-layers 'unclosed $((("},
        };
        const QList<std::pair<const char *, QStringList>> readers{
            {"solve", {u"solve"_s, u"FILE"_s}},
            {"batch", {u"solve"_s, u"FILE"_s, u"--batch"_s}},
            {"compare", {u"compare"_s, u"FILE"_s}},
            {"search", {u"search"_s, u"FILE"_s}},
            {"sweep", {u"sweep"_s, u"FILE"_s, u"--vary"_s, u"fleet.nodes=1,2"_s}},
            {"size", {u"size"_s, u"FILE"_s}},
            {"fleet", {u"fleet"_s, u"FILE"_s}},
            {"offers", {u"offers"_s, u"compare"_s, u"FILE"_s}},
            {"explain", {u"explain"_s, u"FILE"_s}},
            {"evaluate", {u"evaluate"_s, u"first-order"_s, u"FILE"_s}},
            {"launch", {u"launch"_s, u"FILE"_s}},
            {"plan-from", {u"plan-from"_s, u"FILE"_s, u"--node"_s, u"nvidia_dgx_h100"_s, u"--fabric"_s, u"ib_ndr"_s}},
            {"validate", {u"validate"_s, u"FILE"_s}},
            {"calibrate", {u"calibrate"_s, u"FILE"_s}},
            {"catalog check", {u"catalog"_s, u"check"_s, u"FILE"_s, u"--kind"_s, u"nodes"_s}},
            {"catalog import",
                {u"catalog"_s, u"import"_s, u"FILE"_s, u"--kind"_s, u"nodes"_s, u"--project"_s, u"PROJECT"_s}},
            {"catalog import-hf", {u"catalog"_s, u"import-hf"_s, u"FILE"_s}},
            {"project import", {u"project"_s, u"import"_s, u"PROJECT"_s, u"FILE"_s}},
            {"project check", {u"project"_s, u"check"_s, u"FILE"_s}},
            {"project restore", {u"project"_s, u"restore"_s, u"FILE"_s, u"-o"_s, u"TARGET"_s}},
            {"project salvage", {u"project"_s, u"salvage"_s, u"FILE"_s, u"-o"_s, u"TARGET"_s}},
            {"report", {u"report"_s, u"FILE"_s, u"-o"_s, u"TARGET.pdf"_s}},
        };
        for (const auto &[reader, arguments] : readers)
            for (const auto &[kind, content] : contents)
                QTest::addRow("%s: %s", reader, kind) << arguments << content;
    }
    void ownWordsAlone()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, content);
        const auto target = m_folder->filePath(u"target"_s);
        const auto broken = file(u"broken"_s, content);
        for (auto &argument : arguments)
            argument.replace(u"FILE"_s, broken).replace(u"PROJECT"_s, m_project).replace(u"TARGET"_s, target);
        const auto said = run(arguments);
        QFile::remove(target);
        QVERIFY2(said.status == 0 || said.status == 3 || said.status == 5, said.out + said.err);
        for (const auto &line : said.err.split('\n'))
            QVERIFY2(line.isEmpty() || line.startsWith("fleetwright-cli: "), said.err);
        static const QRegularExpression libraries(
            u"json\\.exception|yaml-cpp|YAML::|QSql|QFile|QPdf|qpdf|libpng|terminate|what\\(\\)|std::|SQLITE_|"
            "Segmentation|ceres|\\bE[0-9]{4} "_s);
        QVERIFY2(!libraries.match(QString::fromUtf8(said.err + said.out)).hasMatch(), said.out + said.err);
    }
};

FLEETWRIGHT_TEST(TestCliBroken)
#include "tst_clibroken.moc"
