// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs stand in the workbook, the tables and the JSON of a report, and with what figures.
#include "exchange/validationdata.h"
#include "reports/workbook.h"
#include "samplereport.h"
#include "solver/validation/breakdown.h"
#include "solver/validation/ownsite.h"
#include "testing/registry.h"
#include "text/utf8.h"
#include "workbookreader.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::reports;
using namespace fleetwright::test;

namespace {

DecisionJob jobOf(int batch)
{
    DecisionJob job;
    job.workload = "llama3_1_8b";
    job.tokens = 1e12;
    job.training.globalBatch = batch;
    job.training.sequenceLength = 8192;
    return job;
}

DecisionDocument questionOf(std::vector<DecisionJob> jobs)
{
    DecisionDocument document;
    document.name = "8B";
    document.jobs = std::move(jobs);
    document.candidates.nodes = {"nvidia_dgx_h100"};
    document.candidates.fabrics = {"ib_ndr"};
    document.candidates.mostNodes = 16;
    document.candidates.paying = {{Paying::Own, {}}};
    document.baseCase = FleetDocument{.node = "nvidia_dgx_h100", .nodes = 4, .fabric = "ib_ndr"};
    document.costModelId = "detailed";
    document.draws = 1000;
    return document;
}

/// Runs that took a third longer than the cost model says.
validation::OwnSite slowSite()
{
    static const auto scores = publishedScores().value();
    auto runs = scores.file.runs;
    for (auto &run : runs) {
        run.source.key = "mine";
        constexpr double slower = 1.3;
        if (run.measured.stepTime)
            run.measured.stepTime = *run.measured.stepTime * slower;
    }
    return validation::OwnSite::from(runs).value();
}

ReportSubject subjectOf(ReportDecision decision, std::vector<ReportPlan> plans = {})
{
    return {.projectName = u"Sample"_s,
        .set = {},
        .decision = std::move(decision),
        .plans = std::move(plans),
        .created = someDate()};
}

WorkbookSubject workbookOfPlans(std::size_t count, std::vector<PlanDocument> more = {})
{
    std::vector<PlanDocument> plans;
    for (std::size_t i = 0; i < count; ++i)
        plans.push_back(samplePlan("P" + std::to_string(i + 1)));
    plans.insert(plans.end(), more.begin(), more.end());
    ReportSubject subject{.projectName = u"Sample"_s,
        .set = {},
        .decision = {},
        .plans = solveAll(plans, catalog()),
        .created = someDate()};
    return workbookSubjectOf(subject, {}, catalog());
}

QJsonObject jsonOf(const WorkbookSubject &subject) { return QJsonDocument::fromJson(resultJsonOf(subject)).object(); }

QByteArray fileNamed(const std::vector<NamedFile> &files, const QString &name)
{
    const auto found = std::ranges::find(files, name, &NamedFile::name);
    return found == files.end() ? QByteArray() : found->bytes;
}

} // namespace

class TestWorkbookSubject : public QObject {
    Q_OBJECT

private slots:
    /// Figures and ranges of a fleet's step are those of the same fleet as a plan: own runs move both.
    void ownRunsMoveFleets()
    {
        const auto site = slowSite();
        const auto decision = answerDecision(questionOf({jobOf(256)}), catalog(), &site).value();
        const auto &result = *decision.result;
        const auto plan = solveOne(
            size::planOf(decision.document, result, result.byNode().front()->answer, 0), catalog(), &site);
        QVERIFY(plan.solution && plan.solution->range->ownRuns > 0);
        const auto workbook = workbookSubjectOf(subjectOf(decision, {plan}), {}, catalog(), &site);
        QCOMPARE(workbook.sheets.front().role, u"Recommended"_s);
        const auto &fleets = workbook.sheets.front().sheet;
        const auto &range = *plan.solution->range;
        const auto likely = plan.solution->costs->value("step_time_s").value();
        QVERIFY(range.middle().value() > 1.01 * plan.solution->estimate.stepTime->value()); // it is a slow site
        QCOMPARE(likely, range.middle().value());
        const auto &solution = *plan.solution;
        const double alone = *solution.run.tokens / *solution.estimate.tokensPerSecond;
        QCOMPARE(solution.run.duration->value() / alone, likely / solution.estimate.stepTime->value());
        QCOMPARE(fleets.value("step_time_s").value(), likely);
        QCOMPARE(fleets.range("step_time_s").value().low, range.low.value()); // beyond what is computed
        QCOMPARE(fleets.range("step_time_s").value().high, range.high.value());
    }

    void jobsKeepTheirNumbersOnTwoFleets()
    {
        const auto decision = answerDecision(questionOf({jobOf(256), jobOf(512)}), catalog()).value();
        auto result = *decision.result;
        auto answer = *result.best();
        answer.second = size::SecondFleet{answer.lot, answer.nodes, answer.accelerators, {0}};
        result.baseCase = answer;
        auto changed = decision;
        changed.result = std::make_shared<const size::Result>(std::move(result));
        changed.sure = nullptr;
        const auto workbook = workbookSubjectOf(subjectOf(changed), {}, catalog());
        int compared = 0;
        for (const auto &sheet : workbook.sheets) {
            if (sheet.role != u"Base case"_s)
                continue;
            const bool isFirst = sheet.name.endsWith(u", job 1"_s);
            QVERIFY(isFirst || sheet.name.endsWith(u", job 2"_s));
            QCOMPARE(sheet.sheet.value("batch_sequences").value(), isFirst ? 256.0 : 512.0);
            ++compared;
        }
        QCOMPARE(compared, 2);
    }

    void everyPlanIsThere()
    {
        const auto subject = workbookOfPlans(30, {refusedPlan()});
        QCOMPARE(subject.sheets.size(), std::size_t(30));
        QCOMPARE(subject.leftOut.size(), std::size_t(1));
        QVERIFY(!subject.leftOut.front().reason.isEmpty());
        const auto json = jsonOf(subject);
        QCOMPARE(json[u"sheets"_s].toArray().size(), 30);
        QCOMPARE(json[u"left_out"_s][0][u"name"_s].toString(), u"Seven-way tensor parallel"_s);
        const auto files = csvTablesOf(subject).value();
        QVERIFY(fileNamed(files, u"capital.csv"_s).contains(",P30,"));
        QVERIFY(fileNamed(files, u"left-out.csv"_s).contains("Seven-way tensor parallel,,"));
        QVERIFY(!fileNamed(files, u"cashflow-ad.csv"_s).isEmpty());

        const auto bytes = workbookOf(subject);
        QVERIFY2(bytes, bytes ? "" : bytes.error().message.c_str());
        WorkbookReader book(*bytes);
        QStringList told;
        for (const auto &[place, cell] : book.cells())
            if (place.sheet == u"Cover"_s && place.column == 2)
                if (const auto *text = std::get_if<QString>(&cell.value))
                    told << *text;
        for (const auto &name : {u"Seven-way tensor parallel: "_s, u"P27: "_s, u"P30: "_s})
            QVERIFY2(!told.filter(name).isEmpty(), qPrintable(name));
        QVERIFY(told.contains(u"P26"_s) && told.filter(u"P26: "_s).isEmpty());
    }

    void whatHasNoSheetSaysWhy()
    {
        auto decision = answerDecision(questionOf({jobOf(256)}), catalog()).value();
        auto changed = *decision.result;
        changed.baseCase->jobs.clear(); // as of a fleet without a layout
        decision.result = std::make_shared<const size::Result>(std::move(changed));
        const auto subject = workbookSubjectOf(subjectOf(decision), {}, catalog());
        QCOMPARE(subject.leftOut.size(), std::size_t(1));
        QCOMPARE(subject.leftOut.front().role, u"Base case"_s);
        QVERIFY(subject.leftOut.front().reason.contains(u"layout"_s));
        const auto refused = workbookOf(workbookOfPlans(0, {refusedPlan()}));
        QVERIFY(!refused && refused.error().code == ErrorCode::OutOfRange
            && refused.error().message.contains("Seven-way tensor parallel: "));
    }
};

FLEETWRIGHT_TEST(TestWorkbookSubject)
#include "tst_workbooksubject.moc"
