// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/decisionshares.h"
#include "testing/registry.h"

#include <QTest>

using namespace fleetwright;

class TestDecisionShares : public QObject {
    Q_OBJECT
private slots:
    void othersTakeWhatIsLeft()
    {
        DecisionDocument document;
        document.jobs = {{.tokens = 1e12}, {.tokens = 2e12}, {}};
        setShare(document, 1, 0.5);
        QCOMPARE(*document.jobs[0].share, 0.25);
        QCOMPARE(*document.jobs[2].share, 0.25);
        QVERIFY(!document.jobs[0].tokens && !document.jobs[1].tokens);
        setShare(document, 1, 0.3); // those that are stated stay
        QCOMPARE(*document.jobs[0].share, 0.25);
        QCOMPARE(*document.jobs[1].share, 0.3);
    }
    void allOrNone()
    {
        DecisionDocument document;
        document.jobs = {{.share = 0.4}, {.share = 0.6}};
        setShare(document, 0, std::nullopt);
        QVERIFY(!document.jobs[0].share && !document.jobs[1].share);
    }
};

FLEETWRIGHT_TEST(TestDecisionShares)
#include "tst_decisionshares.moc"
