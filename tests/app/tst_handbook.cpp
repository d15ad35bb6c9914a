// SPDX-License-Identifier: GPL-3.0-or-later
// The text of the handbook: pages, links, search, and that what it shows as a document is one.
#include "app/handbook/handbook.h"
#include "app/handbook/handbooksearch.h"
#include "exchange/documents.h"
#include "exchange/layoutsearchdocuments.h"
#include "exchange/measuredruns.h"
#include "storage/project.h"
#include "testing/registry.h"

#include <QDirIterator>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestHandbook : public QObject {
    Q_OBJECT

    static QDir repository() { return QDir(QStringLiteral(FLEETWRIGHT_TEST_DATA "/../..")); }

    static QStringList found(const QString &query, qsizetype most)
    {
        static const HandbookSearch search(Handbook::shipped());
        QStringList pages;
        for (const auto &hit : search.find(query))
            pages << hit.place.page;
        return pages.first(std::min(most, pages.size()));
    }

    /// The blocks of code in a language below the headings of a page: heading and text.
    static std::vector<std::pair<QString, QByteArray>> examples(const QString &page, const QString &language)
    {
        std::vector<std::pair<QString, QByteArray>> all;
        QString heading;
        bool inCode = false;
        QString word, text;
        for (const auto &line : Handbook::shipped().page(page)->markdown.split(u'\n'))
            if (line.startsWith(u"```"_s)) {
                if (inCode && word == language)
                    all.emplace_back(heading, text.toUtf8());
                inCode = !inCode;
                word = line.mid(3);
                text.clear();
            } else if (inCode) {
                text += line + u'\n';
            } else if (line.startsWith(u"## "_s)) {
                heading = line.mid(3);
            }
        return all;
    }

private slots:
    void everyFileIsAPageOfOneGroup()
    {
        QStringList files, listed;
        const auto folder = repository().filePath(u"resources/handbook"_s);
        for (QDirIterator at(folder, {u"*.md"_s}, QDir::Files, QDirIterator::Subdirectories); at.hasNext();)
            files << QDir(folder).relativeFilePath(at.next()).chopped(3);
        for (const auto &group : Handbook::groups())
            listed += group.pages;
        files.sort();
        auto sorted = listed;
        sorted.sort();
        QCOMPARE(sorted, files);
        QCOMPARE(Handbook::shipped().pages().size(), std::size_t(listed.size())); // each is in the program
        for (const auto &page : Handbook::shipped().pages())
            QVERIFY2(!page.title.isEmpty() && page.sections.size() > 0, qPrintable(page.id));
    }

    void readsPagesOfMarkdown()
    {
        const auto page = readHandbookPage(u"a/b"_s,
            u"# The `first` heading, v. 3.0\n\nOne *line*\nand **another** [link](c.md#d).\n\n- a point\n- b\n\n"
            "## Twice\n\n| k | v |\n|---|---|\n| `x` | [y](#twice-1) |\n\n"
            "```yaml\n# no heading\nkey: 1\n```\n\n## Twice\n"_s);
        QCOMPARE(page.title, u"The first heading, v. 3.0"_s);
        QCOMPARE(page.sections.size(), 3u);
        QCOMPARE(page.sections[0].anchor, u"the-first-heading-v-30"_s);
        QCOMPARE(page.sections[0].paragraphs, QStringList({u"One line and another link."_s, u"a point"_s, u"b"_s}));
        QCOMPARE(page.sections[1].paragraphs,
            QStringList({u"k \u00b7 v"_s, u"x \u00b7 y"_s, u"# no heading"_s, u"key: 1"_s}));
        QCOMPARE(page.sections[2].anchor, u"twice-1"_s);
        QCOMPARE(page.links, QStringList({u"c.md#d"_s, u"#twice-1"_s}));
        const Handbook handbook({page, readHandbookPage(u"a/c"_s, u"# C\n\n## D\n"_s)});
        QCOMPARE(handbook.follow(u"a/b"_s, u"c.md#d"_s), std::optional(HandbookPlace{u"a/c"_s, u"d"_s}));
        QCOMPARE(handbook.follow(u"a/b"_s, u"#twice-1"_s), std::optional(HandbookPlace{u"a/b"_s, u"twice-1"_s}));
        QVERIFY(!handbook.follow(u"a/b"_s, u"c.md#e"_s) && !handbook.follow(u"a/b"_s, u"d.md"_s));
        QVERIFY(!handbook.follow(u"a/b"_s, u"https://example.org/c.md"_s));
    }

    /// To pages, to headings, out of it only to the web; and files that are named are there.
    void noLinkIsDead()
    {
        const auto &handbook = Handbook::shipped();
        static const QRegularExpression file(
            u"(?:^|[ `(|])((?:src|tests|resources|packaging|database|ui)/[A-Za-z0-9_./-]*[A-Za-z0-9_])"_s,
            QRegularExpression::MultilineOption);
        int links = 0, files = 0;
        QStringList faults;
        for (const auto &page : handbook.pages()) {
            for (const auto &link : page.links) {
                ++links;
                if (!isExternalLink(link) && !handbook.follow(page.id, link))
                    faults << page.id + u": the link to "_s + link;
            }
            for (auto names = file.globalMatch(page.markdown); names.hasNext();) {
                const auto name = names.next().captured(1);
                ++files;
                if (!name.contains(u"NNNN"_s) && !repository().exists(name))
                    faults << page.id + u": the file "_s + name;
            }
        }
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
        QVERIFY(links > 80 && files > 10); // they were read
    }

    void findsWordsInAnyOrderAndForm()
    {
        const Handbook handbook(
            {readHandbookPage(u"a"_s, u"# Layouts\n\nNothing.\n\n## Splits of a fleet\n\nWhat stages do to GPUs.\n"_s),
                readHandbookPage(u"b"_s, u"# Prices\n\nLayouts have none, and neither do splits.\n"_s)});
        const HandbookSearch search(handbook);
        const auto pages = [&](const QString &query) {
            QString all;
            for (const auto &hit : search.find(query))
                all += hit.place.page;
            return all;
        };
        QCOMPARE(pages(u"layout"_s), u"ab"_s); // a title counts for more
        QCOMPARE(pages(u"stage splits"_s), u"a"_s);
        QCOMPARE(pages(u"splits stage"_s), u"a"_s);
        QCOMPARE(pages(u"pric"_s), u"b"_s); // still being typed
        QCOMPARE(pages(u"pric "_s), QString());
        QCOMPARE(pages(u"accelerators"_s), u"a"_s); // GPUs are
        QCOMPARE(pages(u"xyzzy"_s), QString());
        QCOMPARE(pages(QString()), QString());
        QCOMPARE(pages(u"what is the price?"_s), u"b"_s);
        const auto hit = search.find(u"gpu"_s).front();
        QCOMPARE(hit.place, (HandbookPlace{u"a"_s, u"splits-of-a-fleet"_s}));
        QCOMPARE(hit.title, u"Layouts"_s);
        QCOMPARE(hit.heading, u"Splits of a fleet"_s);
        QCOMPARE(hit.context, u"What stages do to GPUs."_s);
    }

    void contextIsALineAroundTheWord()
    {
        const auto text = u"word "_s.repeated(100) + u"needle "_s + u"word "_s.repeated(100);
        const Handbook handbook({readHandbookPage(u"a"_s, u"# A\n\n"_s + text)});
        const auto context = HandbookSearch(handbook).find(u"needle"_s).front().context;
        QVERIFY(context.contains(u"needle"_s) && context.size() < 160);
        QVERIFY(context.startsWith(u'\u2026') && context.endsWith(u'\u2026'));
    }

    /// As people ask them; one of the pages that answer is among the first three.
    void answersQuestions_data()
    {
        QTest::addColumn<QStringList>("answers");
        const auto row = [](const char *question, const QStringList &answers) { QTest::newRow(question) << answers; };
        row("Will it fit in memory?", {u"plan"_s, u"explain"_s});
        row("What is the smallest number of GPUs that trains it in 30 days?", {u"plan-inputs"_s});
        row("How do I find TP, PP, CP, EP and microbatch for a new model?", {u"search"_s});
        row("Should I use tensor parallelism or pipeline parallelism inside a node?",
            {u"tutorial-layouts"_s, u"glossary"_s});
        row("Why is this layout better, why not this one?", {u"search"_s});
        row("The estimate disagrees with the measured peak memory", {u"explain"_s});
        row("Are activations included in the memory, also for MoE?", {u"models/detailed"_s, u"explain"_s});
        row("uneven pipeline, where do embedding and loss go", {u"explain"_s});
        row("Why is my MFU low?", {u"explain"_s});
        row("What MFU should I expect?", {u"validation"_s, u"validation-page"_s, u"glossary"_s, u"models/detailed"_s});
        row("How do I describe my own cluster?", {u"plan"_s, u"catalogs"_s});
        row("Does it work without GPUs?", {u"introduction"_s});
        row("How accurate are the predictions on a site nobody has measured?", {u"validation"_s, u"validation-page"_s});
        row("long context and recompute", {u"glossary"_s, u"explain"_s, u"models/detailed"_s});
        row("rack with an NVLink domain of 72", {u"plan"_s, u"catalogs"_s, u"glossary"_s, u"search"_s});
        row("Which constraint failed?", {u"plan"_s, u"decisions"_s, u"ledger"_s});
        row("several candidates instead of one champion", {u"decisions"_s});
        row("export to a spreadsheet", {u"workbook"_s, u"output-sets"_s});
        row("import a config.json from Hugging Face", {u"import-models"_s});
        row("launch flags for Megatron-LM", {u"launch"_s});
        row("Should we buy or rent?", {u"decisions"_s, u"tutorial-decision"_s});
        row("compare two vendor quotes", {u"offers"_s});
        row("what does goodput mean", {u"glossary"_s, u"failures-and-network"_s});
        row("how can I calibrate to my own measured runs", {u"calibration"_s});
        row("my project file is damaged", {u"projects"_s});
        row("what can it not do", {u"limits"_s, u"decisions"_s, u"introduction"_s});
    }
    void answersQuestions()
    {
        QFETCH(QStringList, answers);
        const auto first = found(QString::fromUtf8(QTest::currentDataTag()), 3);
        QVERIFY2(std::ranges::any_of(answers, [&](const auto &page) { return first.contains(page); }),
            qPrintable(first.join(u", "_s)));
    }

    void glossaryHasWhatEverybodySays()
    {
        const auto &glossary = Handbook::shipped().page(u"glossary"_s)->markdown;
        for (const auto *word : {"TP", "PP", "CP", "EP", "DP", "ZeRO", "MFU", "Goodput", "Bubble", "Recompute", "PUE",
                 "GB and GiB", "Global batch", "Microbatch", "Scale-up domain", "TCO", "MTBF"})
            QVERIFY2(glossary.contains(u"| **"_s + QString::fromLatin1(word)), word);
    }

    /// What stands there as a document is read, and names what the shipped catalogs have.
    void examplesAreDocuments()
    {
        const auto catalog = storage::shippedCatalog();
        QVERIFY(catalog);
        QStringList kinds;
        for (const auto &[heading, text] : examples(u"file-formats"_s, u"yaml"_s)) {
            if (heading == u"Searches"_s) {
                const auto search = exchange::layoutSearchFromText(text.toStdString());
                QVERIFY2(search, search ? "" : search.error().message.c_str());
                kinds << u"search"_s;
                continue;
            }
            const auto document = exchange::documentFromText(text.toStdString());
            QVERIFY2(document, document ? "" : qPrintable(heading + QString::fromStdString(document.error().message)));
            const auto names = exchange::checkReferences(*document, *catalog);
            QVERIFY2(names, names ? "" : qPrintable(heading + QString::fromStdString(names.error().message)));
            kinds << QString::fromUtf8(exchange::kindOf(*document).data());
        }
        QCOMPARE(kinds,
            QStringList({u"plan"_s, u"sweep"_s, u"search"_s, u"decision"_s, u"offer"_s, u"output set"_s, u"study"_s}));
        const auto runs = examples(u"file-formats"_s, u"csv"_s);
        QCOMPARE(runs.size(), 1u);
        const auto read = exchange::measuredRunsFromText(runs.front().second.toStdString());
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(read->runs.size(), 1u);
    }
};

FLEETWRIGHT_TEST(TestHandbook)
#include "tst_handbook.moc"
