// SPDX-License-Identifier: GPL-3.0-or-later
// Project files: made, checked, filled, emptied, and reported on.
#include "cli/clitesting.h"
#include "storage/project.h"
#include "testing/registry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace clitesting;
using clirunner::parsed;
using clirunner::run;

class TestCliProject : public QObject, private CliFixture {
    Q_OBJECT

private slots:
    void init() { makeFolder(); }
    void createsAndChecksProjects();
    void documentsComeInAndGoOut_data();
    void documentsComeInAndGoOut();
    void oneBadDocumentKeepsAllOut();
    void badRowsOfMeasuredRunsAreNamed();
    void unknownAcceleratorsAreRefused();
    void planningDefaultsOfAProjectMoveTheFigures();
    void itemsAreAddedToCatalogs();
    void refusesWhatIsNoProject_data();
    void refusesWhatIsNoProject();
    void writesReports();
    void restoresFromReports();
    void writesOutputSets();
    void refusesOutputSets_data();
    void refusesOutputSets();
};

void TestCliProject::createsAndChecksProjects()
{
    const auto path = m_folder->filePath(u"mine.fleetwright"_s);
    const auto created = run({u"project"_s, u"new"_s, path, u"--sample"_s, u"tutorial"_s});
    QVERIFY2(created.status == 0, created.err.constData());
    const auto checked = run({u"project"_s, u"check"_s, path, u"--format"_s, u"json"_s});
    QCOMPARE(checked.status, 0);
    QVERIFY(parsed(checked.out)["ok"].get<bool>());
    const auto again = run({u"project"_s, u"new"_s, path});
    QCOMPARE(again.status, 5);
    QVERIFY(again.err.contains("mine.fleetwright"));
    QCOMPARE(run({u"project"_s, u"check"_s, path}).status, 0);
    QCOMPARE(run({u"project"_s, u"new"_s, m_folder->filePath(u"no/such/folder/a.fleetwright"_s)}).status, 5);
}

void TestCliProject::documentsComeInAndGoOut_data()
{
    QTest::addColumn<QString>("format");
    QTest::newRow("YAML") << u"yaml"_s;
    QTest::newRow("JSON") << u"json"_s;
}

void TestCliProject::documentsComeInAndGoOut()
{
    QFETCH(QString, format);
    QTemporaryDir folder;
    const auto sample = folder.filePath(u"sample.fleetwright"_s), empty = folder.filePath(u"empty.fleetwright"_s);
    const auto first = folder.filePath(u"first"_s), second = folder.filePath(u"second"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, sample, u"--sample"_s, u"tutorial"_s}).status, 0);
    QCOMPARE(run({u"project"_s, u"new"_s, empty}).status, 0);
    QCOMPARE(run({u"project"_s, u"export"_s, sample, u"-o"_s, first, u"--format"_s, format}).status, 0);
    const auto names = QDir(first).entryList(QDir::Files);
    QVERIFY(names.size() > 5);
    QStringList files;
    for (const auto &name : names)
        files << QDir(first).filePath(name);
    const auto imported = run(QStringList{u"project"_s, u"import"_s, empty} + files);
    QVERIFY2(imported.status == 0, imported.err.constData());
    QCOMPARE(imported.out.count("Added "), files.size());
    QCOMPARE(run({u"project"_s, u"export"_s, empty, u"-o"_s, second, u"--format"_s, format}).status, 0);
    QCOMPARE(QDir(second).entryList(QDir::Files), names);
    for (const auto &name : names) {
        QFile a(QDir(first).filePath(name)), b(QDir(second).filePath(name));
        QVERIFY(a.open(QIODevice::ReadOnly) && b.open(QIODevice::ReadOnly));
        QCOMPARE(a.readAll(), b.readAll());
    }
    const auto again = run({u"project"_s, u"export"_s, sample, u"-o"_s, first, u"--format"_s, format});
    QCOMPARE(again.status, 5);
    QVERIFY(again.err.contains("already exists"));
}

void TestCliProject::oneBadDocumentKeepsAllOut()
{
    QTemporaryDir folder;
    const auto project = folder.filePath(u"project.fleetwright"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, project}).status, 0);
    QFile good(folder.filePath(u"good.yaml"_s)), bad(folder.filePath(u"bad.yaml"_s));
    QVERIFY(good.open(QIODevice::WriteOnly) && bad.open(QIODevice::WriteOnly));
    good.write(samplePlan);
    bad.write(QByteArray(samplePlan).replace("node: nvidia_dgx_h100", "node: nvidia_dgx_h1000"));
    good.close();
    bad.close();
    const auto refused = run({u"project"_s, u"import"_s, project, good.fileName(), bad.fileName()});
    QCOMPARE(refused.status, 3);
    QVERIFY2(refused.err.contains("bad.yaml") && refused.err.contains("nvidia_dgx_h100"), refused.err.constData());
    QCOMPARE(run({u"project"_s, u"export"_s, project, u"-o"_s, folder.filePath(u"out"_s)}).status, 0);
    QVERIFY(QDir(folder.filePath(u"out"_s)).entryList(QDir::Files).isEmpty());
    QCOMPARE(run({u"project"_s, u"import"_s, project, u"-"_s}, samplePlan).status, 0);
}

/// Of measured runs, the rows that are runs come in and the others are named.
void TestCliProject::badRowsOfMeasuredRunsAreNamed()
{
    QTemporaryDir folder;
    const auto project = folder.filePath(u"project.fleetwright"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, project}).status, 0);
    QFile runs(folder.filePath(u"runs.csv"_s)), none(folder.filePath(u"none.csv"_s));
    QVERIFY(runs.open(QIODevice::WriteOnly) && none.open(QIODevice::WriteOnly));
    runs.write("id,tp,per_device_batch\na,2,0.5\nb,two,1\n");
    none.write("id,tp\nb,two\n");
    runs.close();
    none.close();
    const auto added = run({u"project"_s, u"import"_s, project, runs.fileName()});
    QCOMPARE(added.status, 0);
    QVERIFY2(added.out.contains("1 run\u201d"), added.out.constData());
    QVERIFY2(added.err.contains("Not added: line 3: \u201ctp\u201d must be a number"), added.err.constData());
    const auto refused = run({u"project"_s, u"import"_s, project, none.fileName()});
    QCOMPARE(refused.status, 3);
    QVERIFY2(refused.err.contains("The only row cannot be read. line 2: "), refused.err.constData());
}

/// A run on an accelerator that no model knows would never be scored: it is refused with the names that are near.
void TestCliProject::unknownAcceleratorsAreRefused()
{
    QTemporaryDir folder;
    const auto project = folder.filePath(u"project.fleetwright"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, project}).status, 0);
    const auto refused = run({u"project"_s, u"import"_s, project, u"-"_s},
        "runs:\n  - {id: a, accelerator: h100 sxm 80gb}\n  - {id: b, accelerator: H100-SMX-80GB}\n");
    QCOMPARE(refused.status, 3);
    QVERIFY2(refused.err.contains("Run \u201cb\u201d: there is no accelerator")
            && refused.err.contains("\u201cH100-SXM-80GB\u201d"),
        refused.err.constData());
    const auto begun = run({u"project"_s, u"import"_s, project, u"-"_s}, "runs:\n  - {id: a, accelerator: MI300}\n");
    QVERIFY2(begun.err.contains("the nearest are \u201cMI300X\u201d"), begun.err.constData());
    QVERIFY(run({u"project"_s, u"export"_s, project, u"-o"_s, folder.filePath(u"out"_s)}).status == 0);
    QVERIFY(QDir(folder.filePath(u"out"_s)).entryList(QDir::Files).isEmpty()); // nothing came in
}

/// A planning default of the project moves the figures of every plan that sets none of its own.
void TestCliProject::planningDefaultsOfAProjectMoveTheFigures()
{
    QTemporaryDir folder;
    const auto path = folder.filePath(u"project.fleetwright"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, path}).status, 0);
    const auto solved = [&](const QByteArray &plan) {
        const auto answer = run({u"solve"_s, u"-"_s, u"--project"_s, path, u"--format"_s, u"json"_s}, plan);
        return answer.status == 0 ? Json::parse(answer.out.toStdString())["estimate"] : Json();
    };
    const auto figure = [](const Json &estimate, const char *key) {
        const auto flat = estimate.flatten();
        for (const auto &[name, value] : flat.items())
            if (name.ends_with("/" + std::string(key)))
                return value.get<double>();
        return -1.0;
    };
    const QByteArray own =
        QByteArray(samplePlan).replace("{efficiency: 0.5}", "{efficiency: 0.5, operations.accelerator_mttf: 50000}");
    const auto before = solved(samplePlan);
    QVERIFY(figure(before, "node_mtbf_s") > 0);
    {
        auto project = storage::Project::open(path);
        QVERIFY(project);
        auto record = *(*project)->catalog()->find(CatalogKind::PlanningDefault, "mttf_gpu");
        record.shipped = false;
        record.id = "my_mttf";
        record.name = "Our own failures";
        record.values["value"] = 20000.0;
        record.values["replaces"] = std::string("mttf_gpu");
        QVERIFY((*project)->saveRecord(record));
    }
    const auto after = solved(samplePlan);
    // Eight accelerators are 1.6e-4 of the node's 2.74e-4 failures an hour; 4e-4 of 5.14e-4 after the edit.
    QVERIFY(figure(after, "node_mtbf_s") < 0.55 * figure(before, "node_mtbf_s"));
    QVERIFY(figure(after, "goodput") < figure(before, "goodput"));
    QCOMPARE(figure(after, "step_time_s"), figure(before, "step_time_s"));
    QCOMPARE(figure(solved(own), "node_mtbf_s"), figure(before, "node_mtbf_s")); // the plan's own comes first
    const auto shown = run({u"catalog"_s, u"show"_s, u"mttf_gpu"_s, u"--project"_s, path});
    QVERIFY2(shown.out.contains("Our own failures\u201d takes its place"), shown.out.constData());
    const auto reference = run({u"catalog"_s, u"show"_s, u"spare_nodes"_s});
    QVERIFY2(
        reference.out.contains("Kept for reference; no figure of this version uses it."), reference.out.constData());
}

void TestCliProject::itemsAreAddedToCatalogs()
{
    const auto path = m_folder->filePath(u"mine.fleetwright"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, path}).status, 0);
    const auto add = [&](const QStringList &more) {
        return run(QStringList{u"catalog"_s, u"add"_s, u"prices/offer"_s, u"--project"_s, path} + more);
    };
    const QStringList like{u"--like"_s, u"price_dgx_h100_2026"_s, u"--name"_s, u"Offer 7"_s, u"--set"_s,
        u"valid_until=2026-01-31"_s, u"--set"_s, u"low="_s, u"--set"_s, u"high="_s, u"--set"_s};
    const auto refused = [&](const QStringList &more, int status, const char *word) {
        const auto done = add(more);
        return done.status == status && done.out.isEmpty() && done.err.contains(word);
    };
    QVERIFY(refused(like + QStringList{u"typical=0"_s}, 3, "more than zero"));
    QVERIFY(refused(like + QStringList{u"typcal=1"_s}, 3, "typical"));
    QVERIFY(refused(like + QStringList{u"typical"_s}, 3, "KEY=VALUE"));
    QVERIFY(refused(like + QStringList{u"currency=SEK"_s, u"--set"_s, u"unit=usd_per_node"_s}, 3, "unit"));
    QVERIFY(refused(like + QStringList{u"currency=PLN"_s}, 3, "exchange rate"));
    QVERIFY(refused({u"--like"_s, u"price_dgx_h1_2026"_s}, 3, "price_dgx_h"));
    QVERIFY(refused({u"--set"_s, u"typical=3"_s}, 3, "name"));
    const auto inEuros = run(
        {u"catalog"_s, u"add"_s, u"prices/euros"_s, u"--project"_s, path, u"--like"_s, u"price_dgx_h100_2026"_s,
            u"--name"_s, u"Euros"_s, u"--set"_s, u"currency=EUR"_s, u"--set"_s, u"unit=EUR per node"_s});
    QVERIFY2(inEuros.status == 0, inEuros.err.constData());
    const auto priced = run({u"fleet"_s, u"--project"_s, path, u"--node"_s, u"nvidia_dgx_h100"_s, u"--nodes"_s, u"8"_s,
        u"--fabric"_s, u"ib_ndr"_s, u"--set"_s, u"node_usd=euros"_s});
    QVERIFY2(priced.status == 0 && priced.out.contains("Euros"), priced.err.constData());
    const auto added = add(like + QStringList{u"typical=301000"_s});
    QVERIFY2(added.status == 0 && added.out.contains("Added prices/offer"), added.err.constData());
    QVERIFY(refused(like + QStringList{u"typical=301000"_s}, 3, "already"));
    const auto shown = parsed(
        run({u"catalog"_s, u"show"_s, u"offer"_s, u"--project"_s, path, u"--format"_s, u"json"_s}).out);
    QCOMPARE(shown["typical"].get<double>(), 301000.0);
    QVERIFY(shown["low"].is_null());
    QCOMPARE(shown["item_ref"].get<std::string>(), std::string("nvidia_dgx_h100"));
    for (const auto &source : shown["sources"]) // what was typed has no source
        for (const auto &field : source["fields"])
            QVERIFY(field != "typical" && field != "*");
    const auto told = run({u"catalog"_s, u"show"_s, u"offer"_s, u"--project"_s, path}).out;
    QVERIFY2(told.contains("USD per node") && told.contains("was valid until 2026-01-31"), told.constData());
    QCOMPARE(run({u"project"_s, u"check"_s, path}).status, 0);
    const auto checked = run({u"catalog"_s, u"check"_s, u"--project"_s, path});
    QVERIFY2(checked.status == 0 && checked.out.contains("Notice: The price “Offer 7”"), checked.out.constData());
    const auto listed = run({u"catalog"_s, u"list"_s, u"prices"_s, u"--project"_s, path}).out;
    QVERIFY(listed.contains("textbook value") && listed.contains("expired"));
}

void TestCliProject::refusesWhatIsNoProject_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("text") << QByteArray(samplePlan);
    QTest::newRow("picture") << QByteArray::fromHex("ffd8ffe000104a46494600010101") + QByteArray(2000, 'x');
}

void TestCliProject::refusesWhatIsNoProject()
{
    QFETCH(QByteArray, content);
    const auto path = file(u"fake.fleetwright"_s, content);
    const QList<QStringList> commands{{u"project"_s, u"check"_s, path}, {u"solve"_s, u"-"_s, u"--project"_s, path},
        {u"report"_s, path, u"-o"_s, m_folder->filePath(u"out.pdf"_s)}};
    for (const auto &arguments : commands) {
        const auto ran = run(arguments, samplePlan);
        QCOMPARE(ran.status, 5);
        QCOMPARE(ran.out, QByteArray());
        QVERIFY2(ran.err.contains("fake.fleetwright"), ran.err.constData());
    }
    QFile untouched(path);
    QVERIFY(untouched.open(QIODevice::ReadOnly));
    QCOMPARE(untouched.readAll(), content);
    QVERIFY(!QFile::exists(m_folder->filePath(u"out.pdf"_s)));
}

void TestCliProject::writesReports()
{
    const auto path = m_folder->filePath(u"mine.fleetwright"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, path, u"--sample"_s, u"tutorial"_s}).status, 0);
    const auto pdf = m_folder->filePath(u"report.pdf"_s);
    for (const auto &paper : {u"a4"_s, u"Letter"_s}) {
        const auto ran = run({u"report"_s, path, u"-o"_s, pdf, u"--paper"_s, paper});
        QVERIFY2(ran.status == 0, ran.err.constData());
        QFile written(pdf);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QVERIFY(written.readAll().startsWith("%PDF-"));
    }
    QCOMPARE(run({u"report"_s, path, u"-o"_s, m_folder->filePath(u"no/such/folder/r.pdf"_s)}).status, 5);
    QCOMPARE(run({u"report"_s, path, u"-o"_s, pdf, u"--date"_s, u"tomorrow"_s}).status, 2);
    const auto empty = m_folder->filePath(u"empty.fleetwright"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, empty}).status, 0);
    QCOMPARE(run({u"report"_s, empty, u"-o"_s, pdf}).status, 3);
}

void TestCliProject::restoresFromReports()
{
    const auto path = m_folder->filePath(u"mine.fleetwright"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, path, u"--sample"_s, u"tutorial"_s}).status, 0);
    const auto pdf = m_folder->filePath(u"report.pdf"_s);
    const auto report = QStringList{u"report"_s, path, u"--no-validation"_s, u"--date"_s, u"2026-11-21"_s, u"-o"_s};
    QCOMPARE(run(report + QStringList{pdf}).status, 0);
    const auto again = m_folder->filePath(u"again.fleetwright"_s);
    const auto restored = run({u"project"_s, u"restore"_s, pdf, u"-o"_s, again});
    QVERIFY2(restored.status == 0, restored.err.constData());
    QCOMPARE(run({u"project"_s, u"check"_s, again}).status, 0);

    // The restored project has the same report, but for its name.
    QDir(m_folder->path()).mkdir(u"other"_s);
    QVERIFY(QFile::rename(again, m_folder->filePath(u"other/mine.fleetwright"_s)));
    const auto second = m_folder->filePath(u"other/report.pdf"_s);
    auto repeated = report;
    repeated[1] = m_folder->filePath(u"other/mine.fleetwright"_s);
    QCOMPARE(run(repeated + QStringList{second}).status, 0);
    QFile one(pdf), two(second);
    QVERIFY(one.open(QIODevice::ReadOnly) && two.open(QIODevice::ReadOnly));
    QCOMPARE(two.readAll(), one.readAll());

    // Refused: what is there already, a report without a project, what is no report. Nothing is left of it.
    QCOMPARE(run({u"project"_s, u"restore"_s, pdf, u"-o"_s, path}).status, 5);
    QCOMPARE(run(report + QStringList{pdf, u"--profile"_s, u"pdf/a-1b"_s}).status, 0);
    for (const auto &refused : {pdf, path, file(u"fake.pdf"_s, "%PDF-1.7\n")}) {
        const auto ran = run({u"project"_s, u"restore"_s, refused, u"-o"_s, again});
        QCOMPARE(ran.status, 3);
        QVERIFY2(ran.err.contains(QFileInfo(refused).fileName().toUtf8()), ran.err.constData());
        QVERIFY(!QFile::exists(again));
    }
}

void TestCliProject::writesOutputSets()
{
    const auto path = m_folder->filePath(u"sets.fleetwright"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, path, u"--sample"_s, u"tutorial"_s}).status, 0);
    QVERIFY(run({u"report"_s, path, u"--list-sets"_s}).out.contains("no output set"));
    const auto set = file(u"set.yaml"_s,
        "fleetwright: 1\noutputs: For us\nfiles: [ours.pdf, ours.html]\naudience: technical\n"
        "sections: [comparison, ledger]\ntitle: On our plans\ndate: 2026-11-30\n");
    const auto imported = run({u"project"_s, u"import"_s, path, set});
    QVERIFY2(imported.status == 0 && imported.out.contains("Added output set"), imported.err.constData());
    const auto listed = run({u"report"_s, path, u"--list-sets"_s}).out;
    QVERIFY2(listed.contains("For us") && listed.contains("technical") && listed.contains("ours.pdf, ours.html"),
        listed.constData());
    const auto written = run({u"report"_s, path, u"--set"_s, u"For us"_s});
    QVERIFY2(written.status == 0, written.err.constData());
    const auto bytes = [](const QString &name) {
        QFile saved(name);
        return saved.open(QIODevice::ReadOnly) ? saved.readAll() : QByteArray();
    };
    QVERIFY(bytes(m_folder->filePath(u"ours.pdf"_s)).startsWith("%PDF-")); // beside the project
    const auto page = bytes(m_folder->filePath(u"ours.html"_s));
    QVERIFY(page.contains("On our plans") && page.contains("30 November 2026") && !page.contains("Provenance"));
    QVERIFY(QDir(m_folder->path()).mkdir(u"there"_s));
    QCOMPARE(run({u"report"_s, path, u"--set"_s, u"For us"_s, u"-o"_s, m_folder->filePath(u"there/"_s)}).status, 0);
    QCOMPARE(bytes(m_folder->filePath(u"there/ours.html"_s)), page); // the day is stated, so the bytes are the same
    const auto alone = m_folder->filePath(u"alone.html"_s);
    QCOMPARE(
        run({u"report"_s, path, u"-o"_s, alone, u"--sections"_s, u"ledger"_s, u"--date"_s, u"2026-11-29"_s}).status, 0);
    QVERIFY(bytes(alone).contains("29 November 2026") && bytes(alone).size() < page.size());
}

void TestCliProject::refusesOutputSets_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("unknown") << u"--set Nobody"_s << 2 << QByteArray("it has \u201cFor us\u201d");
    QTest::newRow("plan that is gone") << u"--set Old"_s << 3 << QByteArray("no plan \u201cGone\u201d");
    QTest::newRow("into a file") << u"--set Ours -o x.pdf"_s << 2 << QByteArray("go into a folder");
    QTest::newRow("and audience") << u"--set Ours --audience board"_s << 2 << QByteArray("do not go together");
    QTest::newRow("unknown section") << u"-o x.pdf --sections answer,answers"_s << 2 << QByteArray("answers");
    QTest::newRow("no day") << u"-o x.pdf --date 2026-02-30"_s << 2 << QByteArray("is no day");
    QTest::newRow("nothing left") << u"-o x.pdf --sections validation --no-validation"_s << 2
                                  << QByteArray("nothing is left");
    QTest::newRow("out of the folder") << u"--set Elsewhere -o ./"_s << 3 << QByteArray("leads out of the folder");
    QTest::newRow("twice") << u"-o x.pdf --sections cost,cost"_s << 3 << QByteArray("stands once");
}

void TestCliProject::refusesOutputSets()
{
    QFETCH(QString, arguments);
    QFETCH(int, status);
    QFETCH(QByteArray, says);
    const auto path = m_folder->filePath(u"refusing.fleetwright"_s);
    if (!QFile::exists(path)) {
        QCOMPARE(run({u"project"_s, u"new"_s, path, u"--sample"_s, u"tutorial"_s}).status, 0);
        const auto set = file(u"set.yaml"_s, "fleetwright: 1\noutputs: For us\nfiles: [ours.pdf]\n");
        QCOMPARE(run({u"project"_s, u"import"_s, path, set}).status, 0);
        const auto old = file(u"old.yaml"_s, "fleetwright: 1\noutputs: Old\nfiles: [old.pdf]\nplans: [Gone]\n");
        QCOMPARE(run({u"project"_s, u"import"_s, path, old}).status, 0);
        const auto other = file(u"other.yaml"_s, "fleetwright: 1\noutputs: Elsewhere\nfiles: [../victim.json]\n");
        const auto imported = run({u"project"_s, u"import"_s, path, other});
        QVERIFY(imported.status == 0 && imported.out.contains("outside the project's folder: ../victim.json"));
    }
    const auto refused = run(QStringList{u"report"_s, path} + arguments.split(u' '));
    QVERIFY2(refused.err.contains(says), refused.err.constData());
    QCOMPARE(refused.status, status);
    QVERIFY(!QFile::exists(u"x.pdf"_s));
}

FLEETWRIGHT_TEST(TestCliProject)
#include "tst_cliproject.moc"
