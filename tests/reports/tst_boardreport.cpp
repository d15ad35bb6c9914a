// SPDX-License-Identifier: GPL-3.0-or-later
// The report of a decision: its first page says what to do, for how much, by when, how sure, and against what.
#include "charts/chartdecoration.h"
#include "exchange/sizeresults.h"
#include "reports/pagedreport.h"
#include "reports/sections.h"
#include "samplereport.h"
#include "solver/size/decisionpaper.h"
#include "solver/size/sizewords.h"
#include "testing/registry.h"
#include "text/localized.h"
#include "text/utf8.h"

#include <QAbstractAxis>
#include <QChart>
#include <QGraphicsLayout>
#include <QRegularExpression>
#include <QTest>
#include <QTextDocumentFragment>

using namespace fleetwright;
using namespace fleetwright::reports;
using namespace Qt::StringLiterals;

namespace {

/// A job that few fleets of two nodes can do in time.
DecisionDocument question()
{
    DecisionDocument document;
    document.name = "8B in 60 days";
    DecisionJob job;
    job.workload = "llama3_1_8b";
    job.tokens = 1e12;
    job.training.globalBatch = 256;
    job.training.sequenceLength = 8192;
    document.jobs = {job};
    document.candidates.nodes = {"nvidia_dgx_h100", "nvidia_dgx_b200"};
    document.candidates.fabrics = {"ib_ndr"};
    document.candidates.mostNodes = 32;
    document.candidates.paying = {{Paying::Own, {}}, {Paying::Rent, RentTerm::OnDemand}};
    document.limits.plan.deadline = Seconds::from_value(60 * 86400.0);
    document.baseCase = FleetDocument{.node = "nvidia_dgx_h100", .nodes = 4, .fabric = "ib_ndr"};
    document.costModelId = "detailed";
    document.draws = 1000;
    return document;
}

ReportDocument reportFor(Audience audience, const DecisionDocument &document = question())
{
    auto decision = answerDecision(document, test::catalog());
    if (!decision)
        qFatal("%s: %s", decision.error().field.c_str(), decision.error().message.c_str());
    return describe({.projectName = u"Sample"_s,
                        .set = {.audience = audience},
                        .decision = std::move(*decision),
                        .plans = {},
                        .created = test::someDate()},
        test::catalog());
}

template <class T> std::vector<T> elementsOf(const ReportDocument &document)
{
    std::vector<T> found;
    for (const auto &element : document.elements)
        if (const auto *one = std::get_if<T>(&element))
            found.push_back(*one);
    return found;
}

} // namespace

class TestBoardReport : public QObject {
    Q_OBJECT

private slots:
    void theFirstPageIsTheAnswer()
    {
        const auto report = reportFor(Audience::Board);
        QCOMPARE(report.title, u"8B in 60 days"_s);
        const auto notes = elementsOf<Note>(report);
        QVERIFY(!notes.empty());
        const auto said = QString(notes.front().text).replace(u'\u00a0', u' ');
        for (const auto &part :
            {u"Buy "_s, u" MUSD"_s, u" days"_s, u" in time (60 days) with a chance of "_s, u"kW"_s, u" to "_s})
            QVERIFY2(said.contains(part), qPrintable(part + u" in "_s + said));
        const auto options = elementsOf<Table>(report).front();
        QVERIFY(options.rows.size() >= 3 && options.rows.size() <= size::mostPaperOptions);
        QCOMPARE(options.rows.back().front(), u"Do nothing"_s);
        QCOMPARE(options.strongRows, std::vector<std::size_t>{0});
        QVERIFY(options.rows.front().back().contains(u"recommended"_s));
        QVERIFY(std::ranges::any_of(
            options.rows, [](const QStringList &row) { return row.front().startsWith(u"Rent "_s); }));
        QVERIFY(std::ranges::any_of(
            options.rows, [](const QStringList &row) { return row.back().startsWith(u"base case"_s); }));
        for (const auto &row : options.rows)
            QCOMPARE(row.size(), options.header.size());
        const auto lists = elementsOf<BulletList>(report);
        QVERIFY(lists.size() >= 3);
        QVERIFY(!lists[0].items.isEmpty() && lists[0].items.size() <= int(size::mostPaperRisks));
        for (const auto &risk : lists[0].items)
            QVERIFY2(risk.contains(QRegularExpression(u"[0-9]"_s)), qPrintable(risk)); // each with a number
        QVERIFY(lists[1].items.front().startsWith(u"Approval of "_s));
    }

    void aBoardReadsFourPagesAtMost()
    {
        const auto report = reportFor(Audience::Board);
        const auto rendering = renderPdf(report, Paper::A4);
        QVERIFY2(rendering->steps() <= 4, qPrintable(QString::number(rendering->steps())));
    }

    void aBoardReadsFourPagesOfAnyPaper()
    {
        for (const auto paper : {Paper::A4, Paper::Letter})
            QCOMPARE(renderPdf(reportFor(Audience::Board), paper)->steps(), 4);
    }

    /// As wide as the text, high enough, with a sentence that says what is to be seen, axes with units, and letters no
    /// smaller than those of the tables.
    void chartsCanBeReadWhenPrinted()
    {
        const auto report = reportFor(Audience::Board);
        const auto pictures = elementsOf<ChartPicture>(report);
        QCOMPARE(pictures.size(), 4UZ);
        QVERIFY(!pictures[1].isSpare && pictures[2].isSpare && pictures[3].isSpare);
        QCOMPARE(report.mostPages, mostBoardPages);
        const auto theme = charts::Theme::paper();
        QVERIFY(theme.fontPixels >= 8); // points, on paper
        int limits = 0;
        for (const auto &picture : pictures) {
            QVERIFY2(picture.caption.size() > 40 && picture.caption.endsWith(u'.'), qPrintable(picture.caption));
            const auto chart = picture.content.draw(theme);
            chart->resize(505, 185);
            chart->layout()->activate();
            for (auto *axis : chart->axes()) {
                if (!axis->isVisible())
                    continue;
                QVERIFY(axis->labelsFont().pixelSize() >= 8 && axis->titleFont().pixelSize() >= 8);
                const auto title = QTextDocumentFragment::fromHtml(axis->titleText()).toPlainText();
                QVERIFY2(
                    title.contains(u'[') || title.contains(u"Days"_s) || title == u"Month"_s || title == u"Draws"_s,
                    qPrintable(title));
            }
            auto said = picture.caption.contains(u"limit: 60 days"_s); // in words where it is beyond all draws
            for (auto *item : chart->childItems())
                if (const auto *legend = dynamic_cast<charts::ChartLegend *>(item))
                    said = said || !legend->entries().filter(u"limit: 60 days"_s).isEmpty();
            limits += said ? 1 : 0;
        }
        QCOMPARE(limits, 2); // of the fleets and of the draws: the date is what a board asks about
    }

    /// Nothing of the technical words that a board would have to ask about.
    void aBoardComparesWhatItDecides()
    {
        const auto rowsOf = [](const ReportDocument &report) {
            QStringList labels;
            for (const auto &table : elementsOf<Table>(report))
                for (const auto &row : table.rows)
                    labels << row.front();
            return labels;
        };
        const auto board = rowsOf(reportFor(Audience::Board)), finance = rowsOf(reportFor(Audience::Finance));
        for (const auto &technical : {u"Layout"_s, u"MFU"_s}) {
            QVERIFY2(!board.contains(technical), qPrintable(technical));
            QVERIFY2(finance.contains(technical), qPrintable(technical));
        }
        QVERIFY(board.contains(u"Price of a node"_s));
        for (const auto &label : board)
            QVERIFY2(!label.contains(u"transceiver"_s), qPrintable(label));
    }

    /// Names are written into the last table by hand.
    void whoeverSignsHasRoom()
    {
        const auto tables = elementsOf<Table>(reportFor(Audience::Board));
        QCOMPARE(tables.back().header.back(), u"Signature"_s);
        QVERIFY(tables.back().isToFillIn);
        auto pagesOf = [signatures = tables.back()](bool byHand) mutable {
            signatures.isToFillIn = byHand;
            signatures.rows.resize(40, signatures.rows.front());
            ReportDocument document;
            document.elements = {signatures};
            return PagedReport(document, Paper::A4).pageCount();
        };
        QCOMPARE(pagesOf(false), 1);
        QCOMPARE(pagesOf(true), 2);
    }

    /// What no measured run is like is the first risk, on the page that is read by those who sign.
    void whatWasNeverMeasuredIsTheFirstRisk()
    {
        auto document = question();
        document.candidates.nodes = {"amd_mi300x_8gpu"};
        document.baseCase.reset();
        const auto decision = answerDecision(document, test::catalog());
        QVERIFY(decision && decision->sure && decision->sure->measured);
        const auto warning = utf8(validation::warningInWords(*decision->sure->measured));
        QVERIFY(!warning.isEmpty());
        const auto report = reportFor(Audience::Board, document);
        QCOMPARE(elementsOf<BulletList>(report).front().items.front(), warning);
        // With runs like it there is nothing to warn of.
        validation::PredictionRange measured{.low = 1.0 * second,
            .high = 2.0 * second,
            .typicalError = 0.1,
            .runs = 12,
            .sources = 3,
            .comparable = "12 runs",
            .outside = {}};
        QCOMPARE(validation::warningInWords(measured), std::string());
        measured.outside = {"A is larger.", "B is longer.", "C is new."};
        QCOMPARE(validation::warningInWords(measured),
            std::string("No measured run is like it: A is larger. B is longer. C is new."));
        measured.outside.emplace_back("D is old.");
        QCOMPARE(validation::warningInWords(measured),
            std::string("No measured run is like it: A is larger. B is longer. There are 2 more differences."));
        measured.outside = {"A is larger."};
        measured.ownRuns = 1; // of something else
        QCOMPARE(validation::warningInWords(measured), std::string("No published run is like it: A is larger."));
        measured.ownRunsSame = 1;
        QCOMPARE(validation::warningInWords(measured),
            std::string("Runs of your own are like it, no published one: A is larger."));
    }

    /// A fleet that is owned is not rented by its own name; who reads the first page knows the whole commitment.
    void moneyIsSaidOnce()
    {
        const auto report = reportFor(Audience::Board);
        for (const auto &picture : elementsOf<ChartPicture>(report))
            QVERIFY2(!picture.caption.contains(u"renting, "_s) || !picture.caption.contains(u", owned"_s),
                qPrintable(picture.caption));
        QStringList said;
        for (const auto &list : elementsOf<BulletList>(report))
            said << list.items;
        const auto all = said.join(u'\n');
        QVERIFY2(all.contains(u"over a life of "_s) && all.contains(u"in present value"_s), qPrintable(all));
        QVERIFY2(all.contains(u"nobody has made one."_s), qPrintable(all));
    }

    /// People read the beginning of a hash; the file says the whole one of itself.
    void hashesAreShortOnPaper()
    {
        const auto report = reportFor(Audience::Board);
        static const QRegularExpression whole(u"[0-9a-f]{64}"_s), brief(u"decision [0-9a-f]{12}\u2026"_s);
        const auto last = elementsOf<Paragraph>(report).back().text;
        QVERIFY2(!last.contains(whole) && last.contains(brief), qPrintable(last));
        QVERIFY2(report.subject.contains(whole), qPrintable(report.subject));
    }

    /// The last page says who has approved it, and whether that still holds.
    void anApprovalStandsInIt()
    {
        auto decision = answerDecision(question(), test::catalog());
        QVERIFY(decision);
        ApprovedDecision approved;
        approved.name = decision->document.name;
        approved.when = "2026-11-25T16:56:00Z";
        approved.note = "Board of November";
        approved.inputHash = decision->inputHash;
        const auto said = [&] {
            decision->approved = approved;
            const auto report = describe({.projectName = u"Sample"_s,
                                             .set = {.audience = Audience::Board},
                                             .decision = *decision,
                                             .plans = {},
                                             .created = test::someDate()},
                test::catalog());
            for (const auto &paragraph : elementsOf<Paragraph>(report))
                if (paragraph.text.startsWith(u"Approved in the project"_s))
                    return paragraph.text;
            return QString();
        };
        QCOMPARE(said(), u"Approved in the project on 25 November 2026, 16:56 UTC: Board of November"_s);
        approved.signature = {.by = "Ann Roe", .role = "CFO", .condition = "if the quote holds"};
        QCOMPARE(said(),
            u"Approved in the project on 25 November 2026, 16:56 UTC by Ann Roe, CFO: if the quote holds. Noted since: "
            u"Board of November"_s);
        approved.note.clear();
        QCOMPARE(
            said(), u"Approved in the project on 25 November 2026, 16:56 UTC by Ann Roe, CFO: if the quote holds."_s);
        approved.answer = exchange::storedSizeResult(*decision->result);
        approved.actuals.days = 58;
        approved.actuals.runCostUsd = 6.2e6;
        const auto &figures = decision->result->best()->figures;
        const auto words = [](auto limit, double value) { return localized(size::valueInWords(limit, value)); };
        const auto days = size::SizeLimit::Deadline, cost = size::SizeLimit::RunCost;
        QCOMPARE(said().section(u". "_s, -1),
            u"What became of it: %1, approved were %2; %3 for the run, approved were %4."_s.arg(
                words(days, 58), words(days, figures.days), words(cost, 6.2e6), words(cost, figures.runCostUsd)));
        approved.actuals = {};
        approved.inputHash = "other";
        QVERIFY(said().endsWith(u"what is above is not what was approved."_s));
        // Runs are no input: who approved another fleet has not approved this one, and is asked again.
        approved.inputHash = decision->inputHash;
        auto before = *decision->result;
        ++before.answers.front().answer.nodes;
        approved.answer = exchange::storedSizeResult(before);
        const auto moved = localized(size::movedInWords(before, *decision->result));
        QVERIFY2(moved.startsWith(u"The best fleet is another one now: "_s), qPrintable(moved));
        QVERIFY2(said().endsWith(moved), qPrintable(said()));
        const auto report = describe({.projectName = u"Sample"_s,
                                         .set = {.audience = Audience::Board},
                                         .decision = *decision,
                                         .plans = {},
                                         .created = test::someDate()},
            test::catalog());
        QVERIFY(std::ranges::any_of(elementsOf<BulletList>(report), [&](const BulletList &list) {
            return list.items.contains(u"A new approval: one was given on 25 November 2026. "_s + moved);
        }));
    }

    void whatNothingMeets()
    {
        auto document = question();
        document.limits.plan.deadline = Seconds::from_value(86400.0);
        const auto report = reportFor(Audience::Board, document);
        QVERIFY(elementsOf<Note>(report).front().text.startsWith(u"Nothing meets 1 day"_s));
        for (const auto &table : elementsOf<Table>(report))
            QVERIFY(!table.caption.startsWith(u"Where the capital goes: "_s) || !table.rows.empty());
        QVERIFY(!elementsOf<ChartPicture>(report).empty());
        for (const auto &picture : elementsOf<ChartPicture>(report))
            QVERIFY2(!picture.caption.contains(u"recommended"_s), qPrintable(picture.caption));
        for (const auto &heading : elementsOf<Heading>(report)) // there is nothing to be signed
            QVERIFY(heading.text != u"Approval"_s);
    }

    /// The capital of page 2 is that of page 1, and its prices have their sources.
    void oneCapitalOnAllPages()
    {
        const auto tables = elementsOf<Table>(reportFor(Audience::Board));
        const auto &options = tables.front();
        const auto capital = std::ranges::find_if(
            tables, [](const Table &table) { return table.caption.startsWith(u"Where the capital goes: "_s); });
        QVERIFY(capital != tables.end() && !capital->strongRows.empty());
        const auto total = capital->rows[capital->strongRows.front()][1];
        const QRegularExpression numbers(u"([0-9.]+)[^0-9]*\\(([0-9.]+) to ([0-9.]+)\\)"_s);
        const auto first = numbers.match(options.rows.front()[1]), second = numbers.match(total);
        QVERIFY2(first.hasMatch() && second.hasMatch(), qPrintable(total));
        for (int group = 1; group <= 3; ++group)
            QCOMPARE(second.captured(group), first.captured(group));
        QVERIFY(capital->rows.front()[0] == u"Nodes"_s && capital->rows.front()[1].endsWith(noteMark(0)));
        QVERIFY(capital->notes.size() >= 3);
    }

    void whatIsRentedHasNoCapital()
    {
        auto document = question();
        document.candidates.paying = {{Paying::Rent, RentTerm::OnDemand}};
        document.baseCase.reset();
        for (const auto audience : {Audience::Board, Audience::Finance}) {
            const auto report = reportFor(audience, document);
            bool isRent = false;
            for (const auto &table : elementsOf<Table>(report)) {
                QVERIFY(!table.caption.startsWith(u"Where the capital"_s) && !table.caption.startsWith(u"To order"_s)
                    && !table.caption.startsWith(u"Cash flow"_s));
                isRent = isRent || table.caption.startsWith(u"What the rent costs"_s);
                for (const auto &row : table.rows)
                    QVERIFY(row.front() != u"Capital"_s);
            }
            QVERIFY(isRent);
        }
    }

    /// The power of a rented fleet is its provider's, what buying would rest on is no term of it, and what all have
    /// alike is marked in none. No words that a board would have to ask about.
    void whatIsRentedIsReadAsRented()
    {
        auto document = question();
        document.name = "Llama 3.1 8B";
        document.candidates.paying = {{Paying::Rent, RentTerm::OnDemand}};
        document.limits.plan.facilityPower = 12e6 * watt;
        const auto report = reportFor(Audience::Board, document);
        QCOMPARE(report.title, u"Llama 3.1 8B: what to rent?"_s);
        QStringList said;
        for (const auto &list : elementsOf<BulletList>(report))
            said << list.items;
        const auto asked = std::ranges::find_if(
            said, [](const QString &item) { return item.startsWith(u"Approval of "_s); });
        QVERIFY(asked != said.end());
        QVERIFY2(!asked->contains(u"facility power"_s) && asked->contains(u"no power of the own site"_s)
                && asked->contains(u"12.0"_s) && asked->contains(u"bought or rented"_s),
            qPrintable(*asked));
        const auto all = said.join(u'\n');
        for (const auto &word : {u"rank correlation"_s, u"standard error"_s, u"A fleet counts in a draw"_s})
            QVERIFY2(!all.contains(word), qPrintable(all));
        bool isTerm = false, isAlike = false;
        for (const auto &table : elementsOf<Table>(report))
            for (const auto &row : table.rows) {
                QVERIFY(row.front() != u"Price of a node"_s && row.front() != u"Staff"_s);
                isTerm = isTerm || row.front() == u"Rent of an accelerator-hour"_s;
                // Both rented ones need no capital, the base case does.
                if (row.front() == u"Capital"_s && table.caption.startsWith(u"The best fleet of each node"_s)) {
                    isAlike = row.size() > 3 && row[1] == row[2] && row[1].startsWith(u"0"_s);
                    QVERIFY2(!row.join(u' ').contains(u'\u2713'), qPrintable(row.join(u", "_s)));
                }
            }
        QVERIFY(isTerm && isAlike);
    }

    /// Of two fleets both are paid for, and both work.
    void twoFleetsAreBothShown()
    {
        auto document = question();
        document.limits = {};
        document.baseCase.reset();
        document.objective = DecisionObjective::Days;
        document.front = {DecisionObjective::Days, DecisionObjective::RunCost};
        document.candidates.nodes = {"nvidia_dgx_b200"};
        document.candidates.paying.clear();
        document.candidates.mostNodes = 4;
        document.candidates.owned = {
            {"the fleet of 2024", FleetDocument{.node = "nvidia_dgx_h100", .nodes = 4, .fabric = "ib_ndr"}}};
        auto other = document.jobs.front();
        other.workload = "llama3_1_70b";
        other.tokens = 1e11;
        document.jobs.push_back(other);
        auto decision = answerDecision(document, test::catalog());
        QVERIFY(decision.has_value());
        auto result = *decision->result; // as if the pair were the best of all
        const auto pair = std::ranges::find_if(
            result.answers, [](const size::LotAnswer &lot) { return lot.answer.second.has_value(); });
        QVERIFY(pair != result.answers.end());
        result.answers = {*pair, result.answers.front()};
        const auto &both = result.answers.front().answer;
        const auto all = QString::number(both.accelerators + both.second->accelerators);
        decision->result = std::make_shared<const size::Result>(std::move(result));
        decision->sure.reset();
        const auto report = describe({.projectName = u"Sample"_s,
                                         .set = {.audience = Audience::Board},
                                         .decision = *decision,
                                         .plans = {},
                                         .created = test::someDate()},
            test::catalog());
        int capitals = 0;
        bool isCounted = false;
        for (const auto &table : elementsOf<Table>(report)) {
            const bool isCapital = table.caption.startsWith(u"Where the capital goes"_s);
            capitals += isCapital ? 1 : 0;
            double shares = 0; // of the lines, of what is owned already below 0
            for (const auto &row : table.rows) {
                isCounted = isCounted || (row.front() == u"Accelerators"_s && row.contains(all));
                if (isCapital && row[2].endsWith(u" %"_s))
                    shares += QStringView(row[2]).chopped(2).toDouble();
            }
            QVERIFY2(shares == 0 || std::abs(shares - 100) < 0.5, qPrintable(table.caption));
        }
        QCOMPARE(capitals, 2);
        QVERIFY(isCounted);
    }

    void everyAudienceHasItsSections()
    {
        const auto titles = [](const ReportDocument &report) {
            QStringList texts;
            for (const auto &heading : elementsOf<Heading>(report))
                if (heading.level == 1)
                    texts << heading.text;
            return texts;
        };
        const auto board = titles(reportFor(Audience::Board)), finance = titles(reportFor(Audience::Finance));
        QVERIFY(!board.contains(u"Cash flow"_s) && finance.contains(u"Cash flow"_s)
            && finance.contains(u"Bill of materials"_s));
        auto chosen = ReportSubject{.projectName = u"Sample"_s,
            .set = {.sections = {ReportSection::Sensitivity, ReportSection::Answer}},
            .decision = *answerDecision(question(), test::catalog()),
            .plans = {},
            .created = test::someDate()};
        QCOMPARE(titles(describe(chosen, test::catalog())), QStringList({u"How sure"_s, u"Recommendation"_s}));
    }
    void moneyOverTimeIsOfTheSameFleets()
    {
        const auto drawn = [](Audience of) {
            const auto all = elementsOf<ChartPicture>(reportFor(of));
            const auto name = [](const ChartPicture &one) { return one.content.name; };
            return std::ranges::find(all, u"Money over time"_s, name)->content.table().titles;
        };
        QCOMPARE(drawn(Audience::Board), drawn(Audience::Finance));
    }
};

FLEETWRIGHT_TEST(TestBoardReport)
#include "tst_boardreport.moc"
