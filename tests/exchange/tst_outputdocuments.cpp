// SPDX-License-Identifier: GPL-3.0-or-later
// Output sets as YAML and JSON.
#include "exchange/documents.h"
#include "exchange/exchangetesting.h"
#include "exchange/outputdocuments.h"
#include "testing/registry.h"

using namespace Qt::StringLiterals;
using namespace fleetwright;

class TestOutputDocuments : public QObject {
    Q_OBJECT

    static constexpr const char *sample = R"(fleetwright: 1
outputs: For the board
files: [board.pdf, workbook.xlsx, tables/]
audience: finance
sections: [answer, cash_flow, offers]
decision: 70B in 30 days
plans: [70B on B200, "Plan: 2"]
title: Buying a fleet
author: A. Planner
organisation: Example AB
logo: iVBORw0KGgoAAAANSUhEUg==
paper: letter
profile: pdf/a-1b
language: en
date: 2026-12-01
)";
    static OutputSet sampleSet()
    {
        return {.name = "For the board",
            .files = {"board.pdf", "workbook.xlsx", "tables/"},
            .audience = Audience::Finance,
            .sections = {ReportSection::Answer, ReportSection::CashFlow, ReportSection::Offers},
            .decision = "70B in 30 days",
            .plans = {"70B on B200", "Plan: 2"},
            .title = "Buying a fleet",
            .author = "A. Planner",
            .organisation = "Example AB",
            .logo = "iVBORw0KGgoAAAANSUhEUg==",
            .paper = Paper::Letter,
            .profile = PdfProfile::PdfA1b,
            .language = "en",
            .date = std::chrono::sys_days(std::chrono::year(2026) / 12 / 1)};
    }

private slots:
    void readsEveryKey()
    {
        const auto set = exchange::outputSetFromText(sample);
        QVERIFY2(set, set ? "" : set.error().message.c_str());
        QVERIFY(*set == sampleSet());
    }

    void whatIsLeftOutIsUsual()
    {
        const auto set = exchange::outputSetFromText("fleetwright: 1\noutputs: A\nfiles: [a.pdf]\n");
        QVERIFY2(set, set ? "" : set.error().message.c_str());
        QVERIFY(*set == (OutputSet{.name = "A", .files = {"a.pdf"}}));
        QVERIFY(set->sectionsOrUsual() == sectionsFor(Audience::Board));
    }

    void roundTrips()
    {
        auto longest = sampleSet();
        longest.logo += std::string(longestLogo - longest.logo.size(), 'A');
        for (const auto &set : {sampleSet(), OutputSet{.name = "A: #1", .files = {"a b.html"}}, longest,
                 OutputSet{.name = "B", .files = {"b.pdf"}, .decision = "D", .withoutPlans = true},
                 OutputSet{.name = "C", .files = {"c.pdf"}, .plans = {"P"}, .withoutDecision = true}}) {
            const auto yaml = exchange::outputSetFromText(exchange::outputSetToYaml(set));
            QVERIFY2(yaml, yaml ? "" : yaml.error().message.c_str());
            QVERIFY(*yaml == set);
            const auto json = exchange::outputSetFromJson(exchange::outputSetToJson(set));
            QVERIFY(json && *json == set);
        }
    }

    void documentsKnowOutputSets()
    {
        const auto document = exchange::documentFromText(sample);
        QVERIFY2(document, document ? "" : document.error().message.c_str());
        QVERIFY(std::get<OutputSet>(*document) == sampleSet());
        QCOMPARE(exchange::kindOf(*document), std::string_view("output set"));
        QCOMPARE(exchange::nameOf(*document), std::string("For the board"));
        QCOMPARE(exchange::fileNameOf(*document, exchange::TextFormat::YamlText),
            std::string("output-set-For-the-board.yaml"));
        for (const auto format : {exchange::TextFormat::YamlText, exchange::TextFormat::JsonText})
            QVERIFY(*exchange::documentFromText(exchange::toText(*document, format)) == *document);
        QVERIFY(exchange::checkReferences(*document, Catalog()));
    }

    void refusals_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("field");
        const auto row = [](const char *name, const char *from, const char *to, const char *field) {
            QTest::newRow(name) << QString::fromUtf8(from) << QString::fromUtf8(to) << QString::fromUtf8(field);
        };
        row("no version", "fleetwright: 1\n", "", "fleetwright");
        row("unknown key", "author:", "autor:", "autor");
        row("no name", "outputs: For the board", "outputs: \"\"", "outputs");
        row("no files", "files: [board.pdf, workbook.xlsx, tables/]\n", "", "files");
        row("empty files", "[board.pdf, workbook.xlsx, tables/]", "[]", "files");
        row("files as text", "[board.pdf, workbook.xlsx, tables/]", "board.pdf", "files");
        row("a number as file", "workbook.xlsx", "17", "files[1]");
        row("unknown ending", "workbook.xlsx", "workbook.doc", "files[1]");
        row("twice", "workbook.xlsx", "board.pdf", "files[0]");
        row("audience", "finance", "everyone", "audience");
        row("section", "cash_flow", "cashflow", "sections[1]");
        row("section twice", "cash_flow", "answer", "sections[0]");
        row("no sections", "[answer, cash_flow, offers]", "[]", "sections");
        row("plans", "[70B on B200, \"Plan: 2\"]", "[]", "plans");
        row("without what it names", "title:", "without: [plans]\ntitle:", "without");
        row("without anything", "decision: 70B in 30 days\nplans: [70B on B200, \"Plan: 2\"]\n",
            "without: [decision, plans]\n", "without");
        row("without what", "title:", "without: [fleets]\ntitle:", "without");
        row("logo", "iVBORw0KGgoAAAANSUhEUg==", "R0lGODlh", "logo");
        row("logo of numbers", "iVBORw0KGgoAAAANSUhEUg==", "12", "logo");
        row("paper", "letter", "a5", "paper");
        row("profile", "pdf/a-1b", "pdf/x", "profile");
        row("language", "language: en", "language: xx", "language");
        row("day", "2026-12-01", "2026-13-01", "date");
    }
    void refusals()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, field);
        const auto text = exchangetesting::edited(sample, from, to);
        const auto set = exchange::outputSetFromText(text);
        QVERIFY(!set);
        QCOMPARE(QString::fromStdString(set.error().field), field);
        QVERIFY(!set.error().message.empty());
    }

    void longTextsAreRefused()
    {
        auto set = sampleSet();
        set.title = std::string(301, 'x');
        QCOMPARE(exchange::outputSetFromJson(exchange::outputSetToJson(set)).error().field, std::string("title"));
        set = sampleSet();
        set.logo += std::string(longestLogo, 'A');
        QCOMPARE(exchange::outputSetFromJson(exchange::outputSetToJson(set)).error().field, std::string("logo"));
    }
};

FLEETWRIGHT_TEST(TestOutputDocuments)
#include "tst_outputdocuments.moc"
