// SPDX-License-Identifier: GPL-3.0-or-later
// The validation in the report: what is said about models, sources and the plans' accelerators, and how much room it
// takes.
#include "reports/pagedreport.h"
#include "samplereport.h"
#include "solver/samplevalidation.h"
#include "testing/registry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::reports;

namespace {

validation::ScoredFile scored()
{
    auto file = samplescores::scoredFile();
    file.scores.push_back({"first-order", samplescores::scoredBy("first-order")});
    return file;
}

ReportDocument report(
    const validation::ScoredFile *scores, const std::vector<PlanDocument> &plans = {test::samplePlan()})
{
    return describe({.projectName = u"Validated"_s,
                        .set = {.audience = Audience::Technical},
                        .decision = {},
                        .plans = solveAll(plans, test::catalog()),
                        .scored = scores,
                        .created = test::someDate()},
        test::catalog());
}

std::vector<const Table *> validationTables(const ReportDocument &document)
{
    std::vector<const Table *> tables;
    for (const auto &element : document.elements)
        if (const auto *table = std::get_if<Table>(&element); table && table->caption.startsWith(u"Errors of "))
            tables.push_back(table);
    return tables;
}

QString sentenceAbout(const ReportDocument &document)
{
    bool within = false;
    QStringList sentences;
    for (const auto &element : document.elements) {
        if (const auto *heading = std::get_if<Heading>(&element))
            within = heading->text == u"Validation";
        if (const auto *list = std::get_if<BulletList>(&element); list && within)
            sentences << list->items;
    }
    return sentences.join(u'\n');
}

} // namespace

class TestValidationReport : public QObject {
    Q_OBJECT

private slots:
    void absentWithoutScores()
    {
        QVERIFY(validationTables(report(nullptr)).empty());
        const validation::ScoredFile nothing;
        QVERIFY(validationTables(report(&nothing)).empty());
    }

    void modelsAndSourcesAreListed()
    {
        const auto scores = scored();
        const auto document = report(&scores);
        const auto tables = validationTables(document);
        QCOMPARE(tables.size(), 2UZ);
        for (const auto *table : tables) {
            QCOMPARE(table->header.size(), qsizetype(table->rightAligned.size()));
            for (const auto &row : table->rows)
                QCOMPARE(row.size(), table->header.size());
        }
        QCOMPARE(tables[0]->rows.size(), 4UZ);
        QCOMPARE(tables[0]->rows[0].mid(1),
            (QStringList{
                u"6"_s, u"55.0"_s, u"53.8"_s, u"10.0"_s, u"100"_s, u"+19.2"_s, u"0.80"_s, u"12.5"_s, u"20.0"_s}));
        QCOMPARE(tables[0]->rows[1][2], u"\u2013"_s);
        QCOMPARE(tables[1]->rows.size(), 2UZ);
        QCOMPARE(tables[1]->rows[0],
            (QStringList{u"Title of beta-2024"_s, u"2025-05-15"_s, u"1"_s, u"100"_s, u"100"_s, u"100"_s, u"+100"_s}));
    }

    void thePlansAcceleratorIsJudged()
    {
        const auto scores = scored();
        const auto hopper = sentenceAbout(report(&scores));
        QVERIFY2(hopper.contains(u"5 published runs"_s) && hopper.contains(u"Hopper"_s), qPrintable(hopper));
        auto searched = test::samplePlan();
        searched.costModelId = "searcher";
        QVERIFY(sentenceAbout(report(&scores, {searched})).contains(u"nothing was validated"_s));
        auto without = scored();
        without.scores.back().validation->families.erase("Hopper");
        QVERIFY2(sentenceAbout(report(&without)).contains(u"could be scored"_s),
            qPrintable(sentenceAbout(report(&without))));
    }

    void theErrorOnSourcesLeftOutComesFirst()
    {
        const auto scores = scored();
        auto detailed = test::samplePlan();
        detailed.costModelId = "detailed";
        const auto sentences = sentenceAbout(report(&scores, {detailed}));
        QVERIFY2(sentences.startsWith(u"A site that nobody has measured: typically 67.8"_s), qPrintable(sentences));
        QVERIFY(sentences.indexOf(u"55.0"_s) > 0 && sentences.contains(u"worst quarter"_s));
        QVERIFY(sentences.contains(u"None of these runs is on 8,000"_s) && !sentences.contains(u"Charon"_s));
        // first-order has none, and that is said.
        bool said = false;
        for (const auto &element : report(&scores).elements)
            if (const auto *paragraph = std::get_if<Paragraph>(&element))
                said = said || paragraph->text.contains(u"No error on sources left out is known of First-order"_s);
        QVERIFY(said);
    }

    void thePublishedRunsTakeTwoPagesAtMost()
    {
        const auto scores = publishedScores();
        QVERIFY2(scores.has_value(), scores ? "" : scores.error().message.c_str());
        for (const auto paper : {Paper::A4, Paper::Letter}) {
            const PagedReport with(report(&*scores), paper), without(report(nullptr), paper);
            QVERIFY2(with.pageCount() <= without.pageCount() + 2,
                qPrintable(u"%1 %2"_s.arg(with.pageCount()).arg(without.pageCount())));
        }
    }
};

FLEETWRIGHT_TEST(TestValidationReport)
#include "tst_validationreport.moc"
