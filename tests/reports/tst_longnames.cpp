// SPDX-License-Identifier: GPL-3.0-or-later
// Reports of eight plans whose names fill a line, in several scripts, and what stands once for all of them.
#include "reports/pagedreport.h"
#include "reports/pageletters.h"
#include "samplereport.h"
#include "testing/registry.h"
#include "text/utf8.h"

#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::reports;
using fleetwright::test::catalog;
using fleetwright::test::samplePlan;

namespace {

const QStringList longNames{u"<script>alert(1)</script> Llama 70B on 256 H100, InfiniBand N"_s,
    u"=HYPERLINK(\"http://x\",\"y\") Llama 70B on 256 H100, TP 8, PP 4"_s,
    u"四百億參數模型於二百五十六枚加速器之訓練計畫，張量並行八路，流水線並行四段，微批次十六，採用無損網路，預算與期限皆已核定"_s,
    u"大規模言語モデルの学習計画：テンソル並列八、パイプライン並列四、マイクロバッチ十六、インフィニバンド接続、期限三十日、予"_s,
    u"대규모 언어 모델 학습 계획: 텐서 병렬 여덟, 파이프라인 병렬 넷, 마이크로배치 열여섯, 인피니밴드 연결,"_s,
    u"Pure data parallelism with everything replicated on 100 GbE s"_s,
    u"Interleaved schedule with sequence parallelism, detailed mode"_s,
    u"TensorParallelTwoPipelineFourMicrobatchesSixteenOnInfiniBandX"_s};

std::vector<PlanDocument> eightPlans()
{
    std::vector<PlanDocument> plans;
    for (int i = 0; i < 8; ++i) {
        plans.push_back(samplePlan(longNames[i].toStdString()));
        plans.back().training.globalBatch = 256 * (1 + i / 4);
        plans.back().fleet.nodes = i % 3 ? 32 : 64;
        plans.back().training.microbatchCount = {};
        plans.back().training.microbatchSize = 1;
        plans.back().costModelId = i % 2 ? "detailed" : "first-order";
    }
    return plans;
}

QString textOf(const QString &pdf)
{
    QProcess process;
    process.start(u"pdftotext"_s, {u"-enc"_s, u"UTF-8"_s, pdf, u"-"_s});
    return process.waitForFinished(60000) ? QString::fromUtf8(process.readAllStandardOutput()) : QString();
}

SweepDocument nodesSweep()
{
    SweepDocument sweep;
    sweep.name = "Nodes by batch";
    sweep.plan = samplePlan("Base");
    sweep.plan.training.microbatchCount = {};
    sweep.plan.training.microbatchSize = 1;
    sweep.axes = {axisOf("fleet.nodes", {32.0, 64.0}), axisOf("training.global_batch", {256.0, 512.0, 1024.0})};
    return sweep;
}

ReportDocument withSweeps(std::vector<ReportSweep> sweeps, bool goesByRuns = false)
{
    return describe({.projectName = u"Sweeps"_s,
                        .set = {.audience = Audience::Technical, .sections = {ReportSection::Sweeps}},
                        .decision = {},
                        .plans = solveAll({samplePlan()}, catalog()),
                        .sweeps = std::move(sweeps),
                        .goesByRuns = goesByRuns,
                        .created = test::someDate()},
        catalog());
}

} // namespace

class TestLongNames : public QObject {
    Q_OBJECT

private slots:
    void pages_data()
    {
        QTest::addColumn<int>("paper");
        QTest::newRow("A4") << int(Paper::A4);
        QTest::newRow("Letter") << int(Paper::Letter);
    }
    void pages()
    {
        QFETCH(int, paper);
        const auto document = test::report(eightPlans());
        const PagedReport pages(document, Paper(paper));
        QVERIFY2(pages.pageCount() <= 3 * 8 + 12, qPrintable(QString::number(pages.pageCount())));
    }

    void namesCanBeRead()
    {
        const QTemporaryDir folder;
        const auto file = folder.filePath(u"names.pdf"_s);
        QVERIFY(writePdf(test::report(eightPlans()), file, Paper::A4));
        const auto text = textOf(file).remove(QRegularExpression(u"\\s"_s));
        for (auto name : longNames) {
            name.remove(QRegularExpression(u"\\s"_s));
            // In the contents, the headings and both charts; 60 letters of full width are wider than a chart.
            const int least = name.front().script() == QChar::Script_Latin || name.front() == u'='
                    || name.front() == u'<'
                ? 4
                : 2;
            QVERIFY2(text.count(name) >= least, qPrintable(name + u' ' + QString::number(text.count(name))));
        }
        QVERIFY(!text.contains(QChar(QChar::ReplacementCharacter)));
    }

    void columnsOfPlansAreNearlyEven()
    {
        const auto document = test::report(eightPlans());
        int tables = 0;
        for (const auto &element : document.elements)
            if (const auto *table = std::get_if<Table>(&element);
                table && table->header.size() == 9 && table->header[8] == u"8  "_s + longNames[7])
                ++tables;
        QCOMPARE(tables, 2); // the comparison and the memory, not one for each plan
    }

    void whatHoldsForSeveralPlansIsSaidOnce()
    {
        const auto document = test::report(eightPlans());
        QStringList notes;
        for (const auto &element : document.elements)
            if (const auto *note = std::get_if<Note>(&element))
                notes << note->text;
        const auto all = notes.size();
        QVERIFY(all > 0);
        QCOMPARE(notes.removeDuplicates(), 0);
        QVERIFY2(!notes.filter(QRegularExpression(u"^Plans 1, .*: "_s)).isEmpty(), qPrintable(notes.join(u'\n')));
    }

    void lettersWithoutAFontAreNamed()
    {
        ReportDocument document;
        document.title = u"한국어 計画 план"_s;
        document.elements = {Paragraph{u"Wedges: \U00012000\U00012001"_s}};
        const auto drawn = drawableDocument(document);
        QCOMPARE(drawn.document.title, document.title);
        if (drawn.missing.isEmpty())
            QSKIP("A font of this machine has cuneiform.");
        QCOMPARE(drawn.missing, QStringList({u"U+12000"_s, u"U+12001"_s}));
        QCOMPARE(std::get<Paragraph>(drawn.document.elements[0]).text, u"Wedges: \ufffd\ufffd"_s);
        const QTemporaryDir folder;
        QVERIFY(writePdf(document, folder.filePath(u"w.pdf"_s), Paper::A4));
        QVERIFY(textOf(folder.filePath(u"w.pdf"_s)).contains(u"no font at hand has: U+12000, U+12001."_s));
    }

    void sweepsHaveATableAndAChart()
    {
        const auto answered = answerSweep({nodesSweep(), {}}, catalog());
        QVERIFY(answered.result.has_value());
        const auto document = withSweeps({answered});
        const auto &elements = document.elements;
        QVERIFY(std::ranges::any_of(elements, [](const Element &element) {
            const auto *heading = std::get_if<Heading>(&element);
            return heading && heading->level == 2 && heading->text == u"Nodes by batch"_s;
        }));
        const auto table = std::ranges::find_if(elements, [](const Element &element) {
            const auto *found = std::get_if<Table>(&element);
            return found && found->caption.startsWith(u"Step time"_s);
        });
        QVERIFY(table != elements.end());
        const auto &cells = std::get<Table>(*table);
        QCOMPARE(cells.header.mid(1), QStringList({u"256"_s, u"512"_s, u"1024"_s}));
        QCOMPARE(cells.rows.size(), 2UZ);
        for (std::size_t row = 0; row < 2; ++row)
            QCOMPARE(cells.rows[row].size(), qsizetype(4));
        QVERIFY(std::ranges::any_of(elements, [](const Element &element) {
            const auto *picture = std::get_if<ChartPicture>(&element);
            return picture && picture->caption == u"Nodes by batch"_s;
        }));
        QCOMPARE(withSweeps({}).elements.size() + 5, elements.size()); // neither heading nor contents without sweeps
    }

    /// In the words of plans, with what the sign says.
    void sweepsSayWhatIsOnlyLikely()
    {
        auto answered = answerSweep({nodesSweep(), {}}, catalog());
        auto &cell = answered.result->cells.front();
        cell.feasible = cell.decided = true;
        const auto tableOf = [&] {
            for (const auto &element : withSweeps({answered}).elements)
                if (const auto *table = std::get_if<Table>(&element);
                    table && table->caption.startsWith(u"Step time"_s))
                    return *table;
            return Table();
        };
        const auto sign = u" \u2248"_s, said = u"\u2248 marks what is only likely: "_s;
        QVERIFY(!tableOf().rows.at(0).at(1).contains(sign) && !tableOf().caption.contains(said));
        cell.onlyLikely = true;
        QVERIFY(tableOf().rows.at(0).at(1).contains(sign) && tableOf().caption.contains(said));
        QVERIFY(!tableOf().rows.at(1).at(1).contains(sign));
    }

    /// Though no other section tells of the runs; what they do not move is not told.
    void sweepsSayThatTheyGoByTheFormula()
    {
        auto sweep = nodesSweep();
        const auto isSaid = [&](bool goesByRuns) {
            const auto document = withSweeps({answerSweep({sweep, {}}, catalog())}, goesByRuns);
            return std::ranges::any_of(document.elements, [](const Element &element) {
                const auto *paragraph = std::get_if<Paragraph>(&element);
                return paragraph && paragraph->text.contains(utf8(validation::formulaAlone));
            });
        };
        QVERIFY(!isSaid(true)); // first-order
        sweep.plan.costModelId = "detailed";
        QVERIFY(isSaid(true));
        QVERIFY(!isSaid(false));
    }

    void sweepsThatTakeLongAreNotRun()
    {
        auto large = nodesSweep();
        std::vector<SettingValue> many;
        for (int i = 1; i <= 1000; ++i)
            many.emplace_back(double(i));
        large.axes[0] = axisOf("fleet.nodes", many);
        const auto refused = answerSweep({large, {}}, catalog());
        QVERIFY(!refused.result);
        const auto document = withSweeps({refused});
        QVERIFY(std::ranges::any_of(document.elements, [](const Element &element) {
            const auto *note = std::get_if<Note>(&element);
            return note && note->text.contains(u"run it on the Sweeps page"_s);
        }));
        std::stop_source stop;
        stop.request_stop();
        const auto cancelled = answerSweep({nodesSweep(), {}}, catalog(), stop.get_token());
        QVERIFY(!cancelled.result && cancelled.result.error().code == ErrorCode::Cancelled);
    }

    void webPagesAreNumberedAndLinked()
    {
        auto document = test::report(eightPlans());
        document.language = u"en"_s;
        const auto text = toHtml(document);
        QRegularExpression link(u"href=\"#(section-\\d+)\""_s);
        int links = 0;
        for (auto found = link.globalMatch(text); found.hasNext(); ++links)
            QVERIFY(text.contains(u"id=\"%1\""_s.arg(found.next().captured(1))));
        QVERIFY(links > 15);
        int tables = 0, figures = 0;
        for (const auto &element : document.elements) {
            if (const auto *table = std::get_if<Table>(&element); table && !table->caption.isEmpty())
                ++tables;
            if (std::holds_alternative<ChartPicture>(element) || std::holds_alternative<StepChart>(element)
                || std::holds_alternative<MemoryChart>(element))
                ++figures;
        }
        QCOMPARE(text.count(QRegularExpression(u"<caption>Table \\d+: "_s)), tables);
        QVERIFY(text.contains(u"<caption>Table %1: "_s.arg(tables)));
        QCOMPARE(text.count(QRegularExpression(u"<figcaption>Figure \\d+"_s)), figures);
        QVERIFY(!text.contains(u"<script"_s) && !text.contains(u"src=\"http"_s));
    }
};

FLEETWRIGHT_TEST(TestLongNames)
#include "tst_longnames.moc"
