// SPDX-License-Identifier: GPL-3.0-or-later
// Decisions in a project: the question, its last answer, and what was approved.
#include "exchange/decisiondocuments.h"
#include "exchange/sizeresults.h"
#include "solver/sizesample.h"
#include "storage/support.h"
#include "testing/registry.h"

#include <QtTest>

#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

class DecisionsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_files = 0;
    QString m_path;
    std::unique_ptr<Project> m_project;

    void reopen()
    {
        m_project.reset();
        m_project = must(Project::open(m_path));
    }
    static SavedDecisionResult answer(const size::Result &result = sizesample::feasible())
    {
        return {u"ab12"_s, u"2026-11-21T10:00:00Z"_s, QString::fromStdString(exchange::storedSizeResult(result))};
    }
    static ApprovedDecision approval()
    {
        return {.name = "70B in 30 days",
            .when = "2026-11-22T08:00:00Z",
            .decision = sizesample::question(),
            .answer = exchange::storedSizeResult(sizesample::feasible()),
            .inputHash = "ab12",
            .values = {{"DGX B200", "node_usd", 400e3, 350e3, 450e3, "Quote of 2026-09", "2026-09"},
                {.subject = "detailed", .key = "hbm", .value = 0.82}},
            .signature = {.by = "Ann Roe", .role = "CFO", .condition = "if the quote holds"},
            .note = "Agreed with finance."};
    }

private slots:
    void init()
    {
        m_path = m_folder.filePath(u"project %1.fleetwright"_s.arg(++m_files));
        m_project = must(Project::create(m_path));
    }

    void decisionsSurviveReopening()
    {
        const auto id = must(m_project->saveDecision({0, sizesample::question()}));
        reopen();
        auto decisions = must(m_project->decisions());
        QCOMPARE(decisions.size(), std::size_t(1));
        QVERIFY(decisions.front() == (SavedDecision{id, sizesample::question()}));
        decisions.front().document.limits.minGoodput = 0.9;
        QCOMPARE(must(m_project->saveDecision(decisions.front())), id);
        reopen();
        QVERIFY(must(m_project->decisions()).front().document.limits.minGoodput == 0.9);
        QVERIFY(must(m_project->check()).empty());
    }

    void whatCannotBeReadBackIsRefused()
    {
        auto document = sizesample::question();
        document.jobs.clear();
        QVERIFY(!m_project->saveDecision({0, document}));
        document = sizesample::question();
        document.jobs.front().training.recompute = Recompute::Full; // which decisions do not hold
        const auto refused = m_project->saveDecision({0, document});
        QVERIFY(!refused && refused.error().message.contains("keep unchanged"));
        QVERIFY(must(m_project->decisions()).empty());
    }

    void aDecisionOpensWithItsAnswer()
    {
        const auto id = must(m_project->saveDecision({0, sizesample::question()}));
        QVERIFY(!must(m_project->decisionResult(id)));
        must(m_project->saveDecisionResult(id, answer()));
        reopen();
        const auto kept = must(m_project->decisionResult(id));
        QVERIFY(kept == answer());
        QVERIFY(exchange::sizeResultFromStored(kept->resultJson.toStdString())->lots == sizesample::feasible().lots);
        must(m_project->saveDecisionResult(id, answer(sizesample::infeasible())));
        QVERIFY(must(m_project->decisionResult(id)) == answer(sizesample::infeasible()));
        QVERIFY(!m_project->saveDecisionResult(id, {u"cd"_s, u"now"_s, u"{broken"_s}));
        const auto orphan = m_project->saveDecisionResult(id + 1000, answer());
        QVERIFY(!orphan && orphan.error().message.contains("decision"));
        must(m_project->removeDecision(id));
        QVERIFY(!must(m_project->decisionResult(id)));
        QVERIFY(!m_project->removeDecision(id));
    }

    void aRemovedDecisionReturnsToItsPlace()
    {
        const auto first = must(m_project->saveDecision({0, sizesample::question()}));
        auto other = sizesample::question();
        other.name = "Another";
        must(m_project->saveDecision({0, other}));
        must(m_project->removeDecision(first));
        QCOMPARE(must(m_project->saveDecision({first, sizesample::question()})), first);
        QCOMPARE(must(m_project->decisions()).front().id, first);
    }

    void approvalsAreKeptWithWhatTheyRestedOn()
    {
        const auto decision = must(m_project->saveDecision({0, sizesample::question()}));
        const auto id = must(m_project->saveApproval({0, approval()}));
        must(m_project->removeDecision(decision)); // the frozen copy stays
        reopen();
        auto approvals = must(m_project->approvals());
        QCOMPARE(approvals.size(), std::size_t(1));
        QVERIFY(approvals.front() == (SavedApproval{id, approval()}));
        approvals.front().document.actuals = {.days = 27.4, .runCostUsd = 10.1e6, .facilityWatts = 9.6e6, .note = "ok"};
        QCOMPARE(must(m_project->saveApproval(approvals.front())), id);
        reopen();
        QVERIFY(must(m_project->approvals()).front() == approvals.front());
        QVERIFY(must(m_project->check()).empty());
        auto impossible = approvals.front();
        impossible.document.actuals.days = -1;
        const auto refused = m_project->saveApproval(impossible);
        QVERIFY(!refused);
        QCOMPARE(refused.error().field, std::string("actuals.days"));
        impossible = approvals.front();
        impossible.document.signature.by.clear();
        const auto nobody = m_project->saveApproval(impossible);
        QVERIFY(!nobody);
        QCOMPARE(nobody.error().field, std::string("signed.by"));
        must(m_project->removeApproval(id));
        QVERIFY(must(m_project->approvals()).empty());
    }

    void theCheckNamesWhatACatalogLacks()
    {
        auto document = sizesample::question();
        document.candidates.nodes = {"gone"};
        must(m_project->saveDecision({0, document}));
        const auto faults = must(m_project->check());
        QCOMPARE(faults.size(), std::size_t(1));
        QCOMPARE(faults.front().field, std::string("decisions/70B in 30 days.candidates.nodes[0]"));
    }

    void decisionsComeInAndGoOut()
    {
        must(m_project->addDocuments({exchange::Document(sizesample::question())}));
        const auto documents = must(m_project->documents());
        QCOMPARE(documents.size(), std::size_t(1));
        QVERIFY(std::get<DecisionDocument>(documents.front()) == sizesample::question());
    }
};

FLEETWRIGHT_TEST(DecisionsTest)
#include "tst_decisions.moc"
