// SPDX-License-Identifier: GPL-3.0-or-later
#include "samplecosts.h"
#include "testing/registry.h"

#include <QTest>

#include <cmath>

using namespace fleetwright;
using namespace fleetwright::costs;

class PublishedCostTest : public QObject {
    Q_OBJECT
private slots:
    void kindsHaveWords()
    {
        for (const auto kind : allCostKinds) {
            QVERIFY(costKindOf(toString(kind)) == kind);
            QVERIFY(!title(kind).empty());
        }
        QVERIFY(!costKindOf("rumour"));
    }

    void tolerancesAreThoseOfTheFile_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<CostKind>("kind");
        QTest::addColumn<QString>("tolerance");
        const auto row = [](const char *words, CostKind kind, const char *tolerance) {
            QTest::newRow(words) << QString::fromUtf8(words) << kind << QString::fromUtf8(tolerance);
        };
        row("yes-25%", CostKind::Purchase, "25.0 %");
        row("factor-1.5", CostKind::Purchase, "factor 1.5");
        row("tco-factor-1.5", CostKind::Programme, "factor 1.5");
        row("yes-15%", CostKind::Rental, "15.0 %");
        row("yes 8 %", CostKind::MeteredNode, "8.00 %");
        row("energy 15 %: 0.279 kWh per V100-hour", CostKind::MeteredEnergy, "15.0 %");
        row("failures: restarts factor 1.5; goodput 0.55 to 0.62", CostKind::Interruptions, "factor 1.5");
        row("no", CostKind::Purchase, "");
        row("no until the count is confirmed (then 35%)", CostKind::Purchase, "");
        row("share only", CostKind::Purchase, "");
        row("tco-factor-2", CostKind::Purchase, ""); // its boundary is another one
        row("hours 3 %; energy arithmetic", CostKind::MeteredEnergy, "");
        row("trend only", CostKind::MeteredNode, "");
        row("factor-0.5", CostKind::Purchase, "");
    }
    void tolerancesAreThoseOfTheFile()
    {
        QFETCH(const QString, words);
        QFETCH(const CostKind, kind);
        QFETCH(const QString, tolerance);
        const auto stated = toleranceOf(words.toStdString(), kind);
        QCOMPARE(
            QString::fromStdString(stated ? inWords(*stated) : std::string()).replace(QChar::Nbsp, u' '), tolerance);
    }

    void tolerancesHoldToTheirEnds()
    {
        const CostTolerance share{CostTolerance::Rule::Share, 0.25}, factor{CostTolerance::Rule::Factor, 2};
        for (const double ratio : {0.75, 1.0, 1.25})
            QVERIFY(share.holds(ratio));
        QVERIFY(!share.holds(0.7499) && !share.holds(1.2501) && !share.holds(std::nan("")));
        for (const double ratio : {0.5, 1.0, 2.0})
            QVERIFY(factor.holds(ratio));
        QVERIFY(!factor.holds(0.499) && !factor.holds(2.001) && !factor.holds(std::nan("")));
        QVERIFY(!(CostTolerance{CostTolerance::Rule::Bracket, 0}).holds(1));
    }

    void theDiscountIsShownBesideThePriceNotInIt()
    {
        const auto validation = samplescores::costValidation();
        const auto &score = validation.scores[3];
        QCOMPARE(score.error(), 0.3 + 0 * score.discounted()); // at catalog prices
        QVERIFY(!score.within && score.withinDiscounted());
        QVERIFY(std::abs(score.discountedError() - 0.17) < 1e-12);
        const auto sentences = explainCost(score);
        QVERIFY(std::ranges::any_of(sentences, [](const std::string &sentence) {
            return sentence.find("Figure <b3> 0.900") != std::string::npos
                && sentence.find("117\u00a0MUSD") != std::string::npos;
        }));
        QCOMPARE(linesOf(validation.summaries[1]).size(), 2UZ);
        QVERIFY(!linesOf(validation.summaries[1])[0].target);
        QCOMPARE(linesOf(validation.summaries[0]).size(), 1UZ);
    }

    void missesAreExplainedByTheirFacts()
    {
        const auto sentences = explainCost(samplescores::costValidation().scores[2]);
        const auto says = [&](const char *words) {
            return std::ranges::any_of(
                sentences, [&](const auto &sentence) { return sentence.find(words) != std::string::npos; });
        };
        QVERIFY(says("beyond 20.0\u00a0%") && says("0.400 of what the worksheet says"));
        QVERIFY(says("1.94 years older") && says("an estimate and no order: Scaled from another server."));
    }

    void withoutACatalogNothingIsScored()
    {
        PublishedCosts published;
        published.figures.push_back(samplescores::costValidation().scores[0].row);
        published.figures[0].parts = {{"nvidia_x", "nobody", 8}};
        const auto validation = validateCosts(published, Catalog());
        QVERIFY(validation.scores.empty() && validation.summaries.empty());
        QCOMPARE(validation.notScored.size(), 1UZ);
        QVERIFY(validation.notScored[0].reason.find("nobody") != std::string::npos);
    }
};

FLEETWRIGHT_TEST(PublishedCostTest)
#include "tst_publishedcost.moc"
