// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/layoutsearchdetailjob.h"
#include "searchfixture.h"
#include "testing/registry.h"

#include <QTest>
#include <QThread>

using namespace fleetwright;
using namespace fleetwright::jobs;

namespace {

struct Answers {
    explicit Answers(LayoutSearchDetailJob &job)
    {
        QObject::connect(&job, &LayoutSearchDetailJob::finished, &job,
            [this](const std::shared_ptr<const LayoutSearchDetails> &details) {
                deliveredOn = QThread::currentThread();
                list.push_back(details);
            });
    }
    std::vector<std::shared_ptr<const LayoutSearchDetails>> list;
    QThread *deliveredOn = nullptr;
};

struct Searched {
    std::shared_ptr<const layoutsearch::Request> request = std::make_shared<const layoutsearch::Request>(
        layoutsearch::requestFrom(searchOf(4), *searchCatalog()).value());
    layoutsearch::Result result = layoutsearch::run(*request).value();
};

} // namespace

class TestSearchDetailJob : public QObject {
    Q_OBJECT
private slots:
    void answersEveryQuestion();
    void answersOnlyWhatIsAsked();
    void newestQuestionWins();
    void cancelledQuestionsStaySilent();
    void thriftiestSettingsKeepToTheSpace();
};

void TestSearchDetailJob::answersEveryQuestion()
{
    const Searched searched;
    QVERIFY(searched.result.groups.size() > 1 && searched.result.groups[1].best);
    const auto &second = *searched.result.groups[1].best;
    LayoutSearchDetailJob job;
    Answers answers(job);
    job.start({.request = searched.request,
        .split = splitOf(second.layout),
        .caseIndex = 0,
        .layout = second.layout,
        .reference = *searched.result.best()});
    QVERIFY(job.isRunning());
    QTRY_COMPARE(answers.list.size(), std::size_t(1));
    QVERIFY(!job.isRunning());
    QCOMPARE(answers.deliveredOn, QThread::currentThread());
    const auto &details = *answers.list.front();
    QVERIFY(!details.refused);
    QVERIFY(details.within);
    QCOMPARE(details.within->rows.size(), std::size_t(searched.result.groups[1].feasible));
    QVERIFY(details.within->best()->layout == second.layout);
    for (const auto &row : details.within->rows)
        QVERIFY(splitOf(row.layout) == splitOf(second.layout));
    QVERIFY(!details.changes.empty());
    QVERIFY(!details.whyNot.empty());
    QCoreApplication::processEvents();
    QCOMPARE(answers.list.size(), std::size_t(1));
}

void TestSearchDetailJob::answersOnlyWhatIsAsked()
{
    const Searched searched;
    LayoutSearchDetailJob job;
    Answers answers(job);
    job.start({.request = searched.request,
        .split = splitOf(searched.result.best()->layout),
        .layout = searched.result.best()->layout,
        .reference = std::nullopt,
        .within = false});
    QTRY_COMPARE(answers.list.size(), std::size_t(1));
    QVERIFY(!answers.list.front()->within);
    QVERIFY(answers.list.front()->whyNot.empty());
    QVERIFY(!answers.list.front()->changes.empty());
}

void TestSearchDetailJob::newestQuestionWins()
{
    const Searched searched;
    LayoutSearchDetailJob job;
    Answers answers(job);
    for (const auto &group : searched.result.groups)
        job.start(
            {.request = searched.request, .split = group.split, .layout = std::nullopt, .reference = std::nullopt});
    QTRY_COMPARE(answers.list.size(), std::size_t(1));
    QVERIFY(answers.list.front()->question.split == searched.result.groups.back().split);
}

void TestSearchDetailJob::cancelledQuestionsStaySilent()
{
    const Searched searched;
    LayoutSearchDetailJob job;
    Answers answers(job);
    job.start({.request = searched.request,
        .split = searched.result.groups.front().split,
        .layout = std::nullopt,
        .reference = std::nullopt});
    job.cancel();
    QVERIFY(!job.isRunning());
    job.start({.request = searched.request,
        .split = searched.result.groups.back().split,
        .layout = std::nullopt,
        .reference = std::nullopt});
    QTRY_COMPARE(answers.list.size(), std::size_t(1)); // runs queue, so the cancelled one has ended by now
    QVERIFY(answers.list.front()->question.split == searched.result.groups.back().split);
}

void TestSearchDetailJob::thriftiestSettingsKeepToTheSpace()
{
    auto document = searchOf(4);
    document.costModelId = "detailed";
    auto request = layoutsearch::requestFrom(document, *searchCatalog()).value();
    const Split split{.tp = 4, .cp = 1, .pp = 2, .ep = 1, .dp = 4};
    const auto free = frugalLayout(request, split, 0);
    QVERIFY(splitOf(free) == split);
    QCOMPARE(free.microbatchSize, 1);
    QVERIFY(free.recompute == Recompute::Full);
    QCOMPARE(int(free.zeroStage), 3);
    QVERIFY(free.sequenceParallel);
    request.space[LayoutSearchOption::MicrobatchSize] = {2, 4};
    request.space[LayoutSearchOption::Recompute] = {0, 1};
    request.space[LayoutSearchOption::ZeroStage] = {0, 1};
    request.space[LayoutSearchOption::SequenceParallel] = {0};
    const auto limited = frugalLayout(request, split, 0);
    QCOMPARE(limited.microbatchSize, 2);
    QVERIFY(limited.recompute == Recompute::Selective);
    QCOMPARE(int(limited.zeroStage), 1);
    QVERIFY(!limited.sequenceParallel);
    QVERIFY(
        !frugalLayout(request, {.tp = 1, .cp = 1, .pp = 32, .ep = 1, .dp = 1}, 0).zeroStage); // nothing to shard over
}

FLEETWRIGHT_TEST(TestSearchDetailJob)
#include "tst_layoutsearchdetailjob.moc"
