// SPDX-License-Identifier: GPL-3.0-or-later
// The files of an output set: where they may go, what is told before the work, what a folder of tables holds.
#include "domain/outputpaths.h"
#include "outputs/outputfiles.h"
#include "reports/pdfreading.h"
#include "reports/sections.h"
#include "samplereport.h"
#include "testing/registry.h"
#include "text/utf8.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::outputs;

namespace {

OutputSet setOf(std::vector<std::string> files)
{
    OutputSet set;
    set.name = "Ours";
    set.files = std::move(files);
    set.audience = Audience::Technical;
    set.sections = {ReportSection::Performance};
    return set;
}

Material material()
{
    Material made;
    made.projectName = u"Sample"_s;
    made.catalog = std::make_shared<const Catalog>(test::catalog());
    made.plans = {test::samplePlan()};
    return made;
}

QStringList filesIn(const QString &folder)
{
    return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
}

void put(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

/// A report of chosen sections.
reports::ReportDocument reportOf(std::vector<ReportSection> sections)
{
    reports::ReportSubject subject{.projectName = u"Sample"_s,
        .set = {.audience = Audience::Technical, .sections = std::move(sections)},
        .decision = {},
        .plans = reports::solveAll({test::samplePlan()}, test::catalog()),
        .created = test::someDate()};
    return reports::describe(subject, test::catalog());
}

qsizetype placeOfContents(const reports::ReportDocument &report)
{
    for (std::size_t i = 0; i < report.elements.size(); ++i)
        if (std::holds_alternative<reports::Contents>(report.elements[i]))
            return qsizetype(i);
    return -1;
}

} // namespace

class TestOutputFiles : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    [[nodiscard]] QString path(const QString &name) const { return m_folder->filePath(name); }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void namesThatLeaveTheFolder_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("leaves");
        QTest::addColumn<QString>("kept");
        const auto row = [](const char *name, bool leaves, const char *kept) {
            QTest::newRow(name) << QString::fromLatin1(name) << leaves << QString::fromLatin1(kept);
        };
        row("board.pdf", false, "board.pdf");
        row("a/board.pdf", false, "board.pdf");
        row("..board.pdf", false, "..board.pdf");
        row("tables/", false, "tables/");
        row("../victim.json", true, "victim.json");
        row("a/../../x.pdf", true, "x.pdf");
        row("a\\..\\x.pdf", true, "x.pdf");
        row("/tmp/x.html", true, "x.html");
        row("\\\\host\\x.html", true, "x.html");
        row("C:\\x.html", true, "x.html");
        row("C:x.html", true, "x.html");
        row("../tables/", true, "tables/");
        row("../", true, "");
    }
    void namesThatLeaveTheFolder()
    {
        QFETCH(QString, name);
        QFETCH(bool, leaves);
        QFETCH(QString, kept);
        QCOMPARE(leavesFolder(name.toStdString()), leaves);
        QCOMPARE(utf8(nameInFolder(name.toStdString())), kept);
        const auto refused = targetsOf(setOf({"report.pdf", name.toStdString()}), m_folder->path(), Outside::Refused);
        const bool isFile = outputFormatOf(name.toStdString()).has_value();
        if (leaves && isFile)
            QVERIFY(!refused && refused.error().field == "files[1]"
                && refused.error().message.find("leads out of the folder") != std::string::npos);
    }

    void foldersAreCheckedBeforeTheWork()
    {
        QVERIFY(targetsOf(setOf({"new/tables/"}), m_folder->path()));
        QVERIFY(filesIn(m_folder->path()).isEmpty()); // looked at, not made
        put(path(u"file"_s), "x");
        for (const auto *place : {"/proc/tab/", "file/tab/", "file/"}) {
            const auto refused = targetsOf(setOf({"report.pdf", place}), m_folder->path());
            QVERIFY2(!refused, place);
            QVERIFY2(refused.error().code == ErrorCode::IoError && refused.error().field == "files[1]", place);
        }
        QCOMPARE(filesIn(m_folder->path()), QStringList{u"file"_s});
    }

    /// Of the tables of an earlier report nothing is left among those of the next; what is not ours stays.
    void tablesOfOneReportOnly()
    {
        const auto folder = path(u"tab"_s);
        const auto write = [&](ReportSection section) {
            auto set = setOf({"tab/"});
            set.sections = {section};
            const auto made = makeReport(material(), set);
            QVERIFY2(made, made ? "" : made.error().message.c_str());
            const auto written = writeOutput(OutputFormat::Csv, *made, folder);
            QVERIFY2(written, written ? "" : written.error().message.c_str());
        };
        write(ReportSection::BillOfMaterials);
        const auto before = filesIn(folder);
        QVERIFY(!before.filter(u"report-01-"_s).isEmpty());
        put(folder + u"/mine.csv"_s, "mine");
        put(folder + u"/report-99-mine.csv"_s, "mine");
        write(ReportSection::Performance);
        const auto after = filesIn(folder);
        QCOMPARE(after.filter(u"report-01-"_s).size(), 1);
        QVERIFY(after.filter(u"report-01-"_s) != before.filter(u"report-01-"_s));
        QVERIFY(after.contains(u"mine.csv"_s) && after.contains(u"report-99-mine.csv"_s));
        QVERIFY(after.contains(u"contents.csv"_s) && after.filter(u".fleetwright"_s).isEmpty());
        // A list that names files elsewhere removes none.
        put(path(u"victim.csv"_s), "x");
        put(folder + u"/contents.csv"_s, "file\r\n../victim.csv\r\n");
        write(ReportSection::BillOfMaterials);
        QVERIFY(QFile::exists(path(u"victim.csv"_s)));
    }

    void aTableThatCannotBeReplacedKeepsAll()
    {
        const auto folder = path(u"tab"_s);
        QVERIFY(QDir().mkpath(folder + u"/inputs.csv"_s)); // a folder of this name
        put(folder + u"/capital.csv"_s, "old");
        const auto made = makeReport(material(), setOf({"tab/"}));
        QVERIFY(made);
        const auto written = writeOutput(OutputFormat::Csv, *made, folder);
        QVERIFY(!written && written.error().code == ErrorCode::IoError);
        QCOMPARE(filesIn(folder), (QStringList{u"capital.csv"_s, u"inputs.csv"_s}));
        QFile old(folder + u"/capital.csv"_s);
        QVERIFY(old.open(QIODevice::ReadOnly));
        QCOMPARE(old.readAll(), QByteArray("old"));
    }

    /// Sizing takes most of the time of a report; the page that asked has the answer.
    void whatIsAnsweredIsNotAnsweredAgain()
    {
        auto asked = material();
        DecisionDocument question;
        question.name = "8B in 60 days";
        question.jobs = {{.workload = "llama3_1_8b", .tokens = 1e12}};
        question.jobs.front().training.globalBatch = 256;
        question.jobs.front().training.sequenceLength = 8192;
        question.candidates.nodes = {"nvidia_dgx_h100"};
        question.candidates.fabrics = {"ib_ndr"};
        question.candidates.mostNodes = 32;
        question.limits.plan.deadline = Seconds::from_value(60 * 86400.0);
        question.costModelId = "detailed";
        question.draws = 1000;
        asked.decisions = {question};
        const auto set = setOf({"report.json"});
        const auto first = makeReport(asked, set);
        QVERIFY(first && (*first)->subject.decision);
        const auto &decision = *(*first)->subject.decision;
        const auto known = std::make_shared<const reports::ReportDecision>(
            reports::ReportDecision{.document = decision.document,
                .result = std::make_shared<const size::Result>(*decision.result),
                .sure = decision.sure,
                .inputHash = decision.inputHash});
        int told = 0;
        const Making making{.progress = [&](int, int) { ++told; }, .answered = known};
        const auto second = makeReport(asked, set, making);
        QVERIFY(second);
        QCOMPARE((*second)->subject.decision->result, known->result);
        QVERIFY((*second)->subject.decision->evidence == decision.evidence);
        QCOMPARE(told, 2 + int(asked.plans.size())); // nothing was sized
        asked.decisions.front().limits.plan.deadline = Seconds::from_value(50 * 86400.0);
        const auto third = makeReport(asked, set, making);
        QVERIFY(third && (*third)->subject.decision->result != known->result); // another question
    }

    void timesThatAreNoneAreRefused()
    {
        for (const char *wrong : {"nonsense", "-5", "999999999999999"}) {
            qputenv("SOURCE_DATE_EPOCH", wrong);
            const auto made = makeReport(material(), setOf({"report.json"}));
            qunsetenv("SOURCE_DATE_EPOCH");
            QVERIFY2(!made && made.error().field == "SOURCE_DATE_EPOCH", wrong);
        }
    }

    void whatCannotBeRestoredIsNotAttached()
    {
        auto report = test::report({test::samplePlan()});
        report.attachments.push_back(
            reports::projectAttachment(QByteArray(qsizetype(reports::longestAttachment) + 1, ' ')));
        const auto pdf = [&](PdfProfile profile) {
            const auto rendering = reports::renderPdf(report, Paper::A4, profile);
            for (int step = 0; step < rendering->steps(); ++step)
                rendering->step();
            return rendering->bytes();
        };
        const auto refused = pdf(PdfProfile::PdfA3b);
        QVERIFY(!refused && refused.error().code == ErrorCode::OutOfRange);
        QVERIFY(refused.error().message.find("65 MiB") != std::string::npos);
        QVERIFY(pdf(PdfProfile::PdfA1b));
        report.attachments.back().bytes.chop(1);
        const auto written = pdf(PdfProfile::PdfA3b);
        QVERIFY(written && reports::projectIn(*written));
    }

    void contentsStandWithoutTheAnswerToo()
    {
        using enum ReportSection;
        QCOMPARE(placeOfContents(reportOf({Comparison, Cost})), 0);
        QCOMPARE(placeOfContents(reportOf({Cost, Answer})), 0);
        QVERIFY(placeOfContents(reportOf({Answer, Cost})) > 0);
    }

    void textsAreCountedInCharacters()
    {
        auto set = setOf({"report.pdf"});
        for (int i = 0; i < 300; ++i)
            set.title += "\u673a";
        QVERIFY(check(set));
        set.title += "\u673a";
        QVERIFY(!check(set) && check(set).error().field == "title");
    }
};

FLEETWRIGHT_TEST(TestOutputFiles)
#include "tst_outputfiles.moc"
