// SPDX-License-Identifier: GPL-3.0-or-later
// The handbook without its window: every page is in the contents, no link leads nowhere, the examples are read by the
// program's own readers, F1 has a page for everything on the screen, and a search answers what people ask.
#include "app/handbook/handbookindex.h"
#include "app/handbook/handbooktopics.h"
#include "app/pagetabs.h"
#include "domain/catalogrecord.h"
#include "exchange/catalogfiles.h"
#include "exchange/decisiondocuments.h"
#include "exchange/documents.h"
#include "exchange/fleetdocuments.h"
#include "exchange/layoutsearchdocuments.h"
#include "exchange/measuredruns.h"
#include "solver/models/costmodel.h"
#include "solver/worksheet/formulawords.h"
#include "solver/worksheet/sheets.h"
#include "storage/project.h"
#include "testing/registry.h"
#include "text/utf8.h"

#include <QDirIterator>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTest>

#include <algorithm>
#include <set>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestHandbook : public QObject {
    Q_OBJECT

    static QString sourceFolder() { return QStringLiteral(FLEETWRIGHT_SOURCES); }
    static QString readText(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }

private slots:
    void everyFileIsAPage()
    {
        const QDir folder(sourceFolder() + u"/resources/handbook"_s);
        QStringList files, pages;
        for (QDirIterator at(folder.path(), {u"*.md"_s}, QDir::Files, QDirIterator::Subdirectories); at.hasNext();)
            files << folder.relativeFilePath(at.next()).chopped(3);
        for (const auto &page : handbookPages())
            pages << page.id;
        files.removeIf([](const QString &file) { return file.startsWith("de/"_L1); });
        files.sort();
        pages.sort();
        QCOMPARE(pages, files);
    }

    void groupsFollowEachOther()
    {
        const auto &pages = handbookPages();
        QVERIFY(std::ranges::is_sorted(pages, {}, &HandbookPage::group));
        std::set<HandbookGroup> groups;
        for (const auto &page : pages) {
            groups.insert(page.group);
            QVERIFY2(page.sections.front().level == 1, qPrintable(page.id));
            QVERIFY2(!page.sections.front().lines.isEmpty() || page.sections.size() > 1, qPrintable(page.id));
        }
        QCOMPARE(groups.size(), std::size_t(9));
        for (const auto group : groups)
            QVERIFY(!titleOf(group).isEmpty());
    }

    void noLinkLeadsNowhere()
    {
        QStringList faults;
        int links = 0;
        for (const auto &page : handbookPages())
            for (const auto &link : linksOf(page.markdown)) {
                ++links;
                if (link.startsWith("https://"_L1) || link.startsWith("http://"_L1))
                    continue;
                if (link.endsWith(".svg"_L1)) {
                    if (!QFile::exists(u":/handbook/"_s + link))
                        faults << page.id + u": no picture "_s + link;
                } else if (const auto to = followLink(page.id, link); !to || !exists(*to)) {
                    faults << page.id + u": "_s + link;
                }
            }
        QVERIFY(links > 60);
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
    }

    void germanPagesAreTheEnglishOnes()
    {
        const auto &english = handbookPages();
        useLanguage(Language::German);
        const auto &german = handbookPages();
        useLanguage(Language::English);
        QCOMPARE(german.size(), english.size());
        const auto targets = [](const HandbookPage &page) {
            auto links = linksOf(page.markdown);
            links.removeDuplicates();
            links.sort();
            return links;
        };
        for (std::size_t i = 0; i < english.size(); ++i) {
            const auto &of = english[i], &to = german[i];
            QVERIFY2(!to.isInEnglishOnly, qPrintable(u"resources/handbook/de/%1.md: other headings"_s.arg(of.id)));
            QVERIFY2(to.markdown != of.markdown, qPrintable(of.id));
            for (std::size_t at = 0; at < of.sections.size(); ++at) {
                const auto &section = of.sections[at], &there = to.sections[at];
                const bool isGenerated = of.id == u"models/cost-models"_s; // in the language in force
                QVERIFY2(section.level == there.level && (isGenerated || section.anchor == there.anchor),
                    qPrintable(of.id + u": "_s + there.heading));
                QVERIFY2(section.lines.isEmpty() == there.lines.isEmpty(), qPrintable(of.id + u": "_s + there.heading));
            }
            QVERIFY2(targets(of) == targets(to),
                qPrintable(of.id + u": "_s + targets(of).join(u' ') + u"\n"_s + targets(to).join(u' ')));
            const auto code = codeOf(of.markdown), codeThere = codeOf(to.markdown);
            QCOMPARE(codeThere.size(), code.size());
            for (std::size_t at = 0; at < code.size(); ++at)
                QCOMPARE(codeThere[at].kind, code[at].kind);
        }
    }

    void codeIsReadAsItStands()
    {
        const auto sections = sectionsOf(u"# A `*` b\n\n**Cost** = `2[TB] * a / (b)[c] * d`, *not* \\*e\\*.\n"_s);
        QCOMPARE(sections[0].heading, u"A * b"_s);
        QCOMPARE(sections[0].lines, QStringList{u"Cost = 2[TB] * a / (b)[c] * d, not *e*."_s});
    }

    void linksAreFollowedFromWhereTheyStand()
    {
        QCOMPARE(followLink(u"models/detailed"_s, u"../validation.md#scores"_s),
            std::optional(HandbookPlace{u"validation"_s, u"scores"_s}));
        QCOMPARE(
            followLink(u"costs"_s, u"models/worksheet.md"_s), std::optional(HandbookPlace{u"models/worksheet"_s, {}}));
        QCOMPARE(followLink(u"costs"_s, u"#limits"_s), std::optional(HandbookPlace{u"costs"_s, u"limits"_s}));
        for (const auto &outside : {u"https://example.org/a.md"_s, u"mailto:a@example.org"_s, u"../README.md"_s,
                 u"file:///etc/passwd"_s, u"picture.svg"_s})
            QVERIFY2(!followLink(u"costs"_s, outside), qPrintable(outside));
    }

    void headingsGetAnchors()
    {
        const auto sections = sectionsOf(u"# A page: `code`, and more\ntext of\ntwo lines\n\n- an *item*\n- [a "
                                         u"link](x.md)\n## Same\n| a | `b` |\n|---|---|\n| **1** | 2 |\n## "
                                         u"Same\n```yaml\n# no heading\nkey: 1\n```\n"_s);
        QCOMPARE(sections.size(), std::size_t(3));
        QCOMPARE(sections[0].heading, u"A page: code, and more"_s);
        QCOMPARE(sections[0].anchor, u"a-page-code-and-more"_s);
        QCOMPARE(sections[0].lines, (QStringList{u"text of two lines"_s, u"an item"_s, u"a link"_s}));
        QCOMPARE(sections[1].anchor, u"same"_s);
        QCOMPARE(sections[1].lines, (QStringList{u"a \u00b7 b"_s, u"1 \u00b7 2"_s}));
        QCOMPARE(sections[2].anchor, u"same-1"_s);
        QCOMPARE(sections[2].lines, (QStringList{u"# no heading"_s, u"key: 1"_s}));
    }

    void costModelsAreThoseOfTheProgram()
    {
        const auto *page = findHandbookPage(u"models/cost-models"_s);
        QVERIFY(page);
        for (const auto *model : costModels()) {
            const auto found = std::ranges::find(page->sections, utf8(model->title()), &HandbookSection::heading);
            QVERIFY2(found != page->sections.end(), model->id().data());
            const auto text = found->lines.join(u'\n');
            for (const auto &limitation : model->limitations())
                QVERIFY2(text.contains(utf8(limitation.text).remove(u'`').simplified()), limitation.text.data());
            for (const auto &item : model->assumptions())
                QVERIFY2(text.contains(utf8(item.label).simplified()), item.label.c_str());
            for (const auto &detail : model->details())
                QVERIFY2(text.contains(utf8(detail.formula).remove(u'`').simplified()), detail.key.data());
            // How its figures come about, with the values of a plan, as Explain has them.
            const auto working = u"How %1 comes to its figures"_s.arg(utf8(model->title()));
            const auto formulas = std::ranges::find(page->sections, working, &HandbookSection::heading);
            QVERIFY2(formulas != page->sections.end(), model->id().data());
            QVERIFY2(formulas->lines.size() > 5, model->id().data());
            for (const auto &line : formulas->lines.sliced(1))
                QVERIFY2(line.contains(u" = "_s), qPrintable(line));
        }
    }

    /// Every row with its words as Explain has them, its symbols, its source, and what is computed with the example's
    /// values; the rows stand nowhere else.
    void rowsOfTheWorksheetAreThoseOfTheProgram()
    {
        const auto *page = findHandbookPage(u"models/worksheet"_s);
        QVERIFY(page);
        QVERIFY2(!page->markdown.contains(u"<!--"_s), "a part that is not known");
        QStringList lines, faults;
        for (const auto &section : page->sections)
            lines += section.lines;
        const auto text = lines.join(u'\n');
        QFile file(sourceFolder() + u"/resources/handbook/models/worksheet.md"_s);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto kept = QString::fromUtf8(file.readAll());
        for (const auto *sheet : {&sheets::run(), &sheets::power(), &sheets::trainingCost()})
            for (const auto &row : sheet->rows()) {
                const auto symbols = utf8(row.formula ? row.key + " = " + row.formulaText : row.key);
                const auto words = row.formula ? utf8(formulaInWords(*sheet, *row.formula)).simplified() : QString();
                const auto found = std::ranges::find_if(lines, [&](const QString &line) {
                    return line.startsWith(utf8(row.label)) && line.contains(u' ' + symbols) && line.contains(words)
                        && line.contains(utf8(withLabels(row.source)));
                });
                if (found == lines.end())
                    faults << symbols;
                if (row.formula && row.formulaText.size() > 12 && kept.contains(utf8(row.formulaText)))
                    faults << u"kept: "_s + symbols;
            }
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
        const auto peak = std::ranges::find_if(
            lines, [](const QString &line) { return line.startsWith(u"Facility peak power = "_s); });
        QVERIFY(peak != lines.end());
        static const QRegularExpression example(u"^Facility peak power = IT peak power \u00d7 PUE\\. "
                                                "facility_peak_w = it_peak_w \\* pue, in W\\. "
                                                "Example: [0-9.]+ MW \u00d7 [0-9.]+ = [0-9.]+ MW\\."_s);
        QVERIFY2(example.match(*peak).hasMatch(), qPrintable(*peak));
        QVERIFY(text.contains(u"The examples are of 128 nodes"_s));
    }

    /// What a page says of files of the repository.
    void filesThatAreNamedExist()
    {
        static const QRegularExpression name(
            u"(?:^|[ `(|])((?:src|tests|resources|packaging|database|ui)/[A-Za-z0-9_./-]*[A-Za-z0-9_])"_s,
            QRegularExpression::MultilineOption);
        QStringList faults;
        int files = 0;
        for (const auto &page : handbookPages())
            for (auto found = name.globalMatch(page.markdown); found.hasNext();) {
                const auto path = found.next().captured(1);
                ++files;
                if (!path.contains(u"NNNN"_s) && !QFile::exists(sourceFolder() + u'/' + path))
                    faults << page.id + u": "_s + path;
            }
        QVERIFY(files > 10);
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
    }

    void examplesAreRead()
    {
        const auto *page = findHandbookPage(u"file-formats"_s);
        QVERIFY(page);
        const auto catalog = storage::shippedCatalog();
        QVERIFY(catalog.has_value());
        QStringList kinds;
        for (const auto &block : codeOf(page->markdown)) {
            kinds << block.kind;
            const auto text = block.text.toStdString();
            const auto told = [&](const auto &read) {
                return read ? std::string() : block.kind.toStdString() + ": " + read.error().message;
            };
            if (block.kind == u"fleet") {
                const auto fleet = exchange::fleetFromText(text);
                QVERIFY2(fleet, told(fleet).c_str());
            } else if (block.kind == u"search") {
                const auto search = exchange::layoutSearchFromText(text);
                QVERIFY2(search, told(search).c_str());
            } else if (block.kind == u"catalog") {
                const auto items = exchange::catalogFileFromJson(text, std::nullopt);
                QVERIFY2(items, told(items).c_str());
            } else if (block.kind == u"runs") {
                const auto runs = exchange::measuredRunsFromText(text);
                QVERIFY2(runs, told(runs).c_str());
                QCOMPARE(runs->runs.size(), std::size_t(2));
            } else {
                const auto document = exchange::documentFromText(text);
                QVERIFY2(document, told(document).c_str());
                QCOMPARE(utf8(exchange::kindOf(*document)).replace(u' ', u'-'), block.kind);
                const auto checked = exchange::checkReferences(*document, *catalog);
                QVERIFY2(checked, told(checked).c_str());
            }
        }
        QCOMPARE(kinds,
            (QStringList{u"plan"_s, u"fleet"_s, u"sweep"_s, u"search"_s, u"decision"_s, u"offer"_s, u"output-set"_s,
                u"study"_s, u"catalog"_s, u"runs"_s}));
    }

    void everyTabHasItsTarget()
    {
        for (const auto &tabs : pageTabs()) {
            const auto found = std::ranges::find_if(tabTopics(),
                [&](const TabTopics &topics) { return topics.page == tabs.page && topics.bar == tabs.bar; });
            QVERIFY2(found != tabTopics().end(), qPrintable(tabs.page + u'/' + tabs.bar));
            QCOMPARE(found->targets.size(), tabs.titles.size());
        }
        QCOMPARE(tabTopics().size(), pageTabs().size());
    }

    void everyTargetExists()
    {
        QStringList faults;
        const auto check = [&](const QString &of, const QString &target) {
            if (!exists(placeOf(target)))
                faults << of + u": "_s + target;
        };
        for (const auto &topic : pageTopics())
            check(topic.page, topic.target);
        for (const auto &topics : tabTopics())
            for (const auto &target : topics.targets)
                check(topics.page + u'/' + topics.bar, target);
        for (const auto &topics : dialogTabTopics())
            for (const auto &target : topics.targets)
                check(topics.page + u'/' + topics.bar, target);
        for (const auto *topics : {&dialogTopics(), &partTopics()})
            for (const auto &topic : *topics)
                check(topic.name, topic.target);
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
    }

    /// Those that the sources have, by the names of their classes; plain ones by the names of their objects.
    void everyDialogHasItsTarget()
    {
        static const QRegularExpression derived(u"class (\\w+) : public QDialog\\b"_s),
            named(u"dialog->setObjectName\\(u\"(\\w+)\""_s);
        std::set<QString> dialogs, known;
        for (QDirIterator at(
                 sourceFolder() + u"/src/app"_s, {u"*.h"_s, u"*.cpp"_s}, QDir::Files, QDirIterator::Subdirectories);
             at.hasNext();) {
            const auto text = readText(at.next());
            for (const auto *pattern : {&derived, &named})
                for (auto found = pattern->globalMatch(text); found.hasNext();)
                    dialogs.insert(found.next().captured(1));
        }
        for (const auto &topic : dialogTopics())
            known.insert(topic.name);
        QVERIFY(dialogs.size() > 15);
        QCOMPARE(QStringList(known.begin(), known.end()), QStringList(dialogs.begin(), dialogs.end()));
        for (const auto kind : allCatalogKinds)
            QVERIFY2(std::ranges::find(pageTopics(), u"catalog/"_s + utf8(toString(kind)), &PageTopic::page)
                    != pageTopics().end(),
                toString(kind).data());
    }

    void questionsFindTheirPage_data()
    {
        QTest::addColumn<QString>("question");
        QTest::addColumn<QStringList>("pages");
        const auto ask = [](const char *question, const QStringList &pages) {
            QTest::newRow(question) << QString::fromUtf8(question) << pages;
        };
        ask("Will it fit, and what is the smallest number of GPUs?", {u"plan-inputs"_s, u"layouts"_s, u"plans"_s});
        ask("how do I choose TP, PP, CP, EP and microbatch for a new model", {u"search"_s, u"layouts"_s});
        ask("tensor parallel or pipeline parallel inside a node?", {u"layouts"_s});
        ask("estimated memory is lower than nvidia-smi shows", {u"models/detailed"_s, u"glossary"_s});
        ask("does the memory estimate include activations", {u"layouts"_s, u"models/detailed"_s});
        ask("MoE memory experts", {u"models/detailed"_s, u"layouts"_s, u"glossary"_s});
        ask("uneven pipeline embedding and loss placement", {u"search"_s, u"models/detailed"_s});
        ask("why is my MFU low", {u"layouts"_s});
        ask("what MFU should I expect", {u"layouts"_s, u"glossary"_s, u"validation"_s});
        ask("how do I describe my own cluster", {u"catalogs"_s});
        ask("can I use it without GPUs or traces", {u"introduction"_s, u"limits"_s});
        ask("how accurate are the predicted step times", {u"validation"_s, u"validation-page"_s, u"introduction"_s});
        ask("long context: recompute or context parallelism?", {u"layouts"_s, u"glossary"_s});
        ask("NVLink domain of 72 in a rack", {u"layouts"_s, u"glossary"_s});
        ask("total time and cost of training", {u"costs"_s, u"introduction"_s, u"models/worksheet"_s});
        ask("which constraint failed", {u"plans"_s, u"decisions"_s, u"search"_s});
        ask("import a config.json", {u"import-models"_s});
        ask("export to Excel", {u"workbook"_s, u"output-sets"_s});
        ask("launch flags for Megatron", {u"launch"_s});
        ask("calibrate with my measured runs", {u"calibration"_s});
        ask("buy or rent GPUs", {u"decisions"_s, u"fleet-costs"_s, u"models/worksheet"_s});
        ask("how much electricity does the cluster draw", {u"models/worksheet"_s, u"fleet-costs"_s, u"costs"_s});
        ask("withdraw approval", {u"ledger"_s});
        ask("what does MFU mean", {u"glossary"_s});
        ask("what is goodput", {u"glossary"_s, u"failures-and-network"_s});
        ask("project file is damaged", {u"projects"_s});
        ask("keyboard shortcuts", {u"window"_s});
        ask("What is the smallest number of GPUs that trains it in 30 days?", {u"plan-inputs"_s, u"introduction"_s});
        ask("Why is this layout better, why not this one?", {u"search"_s});
        ask("The estimate disagrees with the measured peak memory", {u"explain"_s});
        ask("uneven pipeline, where do embedding and loss go", {u"explain"_s, u"models/detailed"_s});
        ask("Does it work without GPUs, traces or profiles?", {u"introduction"_s, u"limits"_s});
        ask("How accurate are the predictions on a site nobody has measured?", {u"validation"_s, u"validation-page"_s});
        ask("several candidates instead of one champion", {u"decisions"_s, u"search"_s});
        ask("compare two vendor quotes", {u"offers"_s});
        ask("export to a spreadsheet", {u"workbook"_s, u"output-sets"_s});
        ask("what can it not do", {u"limits"_s, u"decisions"_s});
        ask("where does this number come from", {u"explain"_s, u"introduction"_s});
        ask("which plan is best and what decides", {u"compare"_s, u"decisions"_s});
        ask("formula of the levelised cost", {u"models/worksheet"_s});
        ask("options of fleetwright-cli solve", {u"commands"_s, u"command-line"_s});
        ask("tab completion in bash", {u"commands"_s, u"command-line"_s});
    }
    void questionsFindTheirPage()
    {
        QFETCH(QString, question);
        QFETCH(QStringList, pages);
        const auto hits = handbookIndex().find(question);
        QStringList first;
        for (std::size_t i = 0; i < std::min<std::size_t>(3, hits.size()); ++i)
            first << hits[i].place().page + u'#' + hits[i].place().anchor;
        QVERIFY2(std::ranges::any_of(first, [&](const auto &target) { return pages.contains(placeOf(target).page); }),
            qPrintable(first.join(u", "_s)));
        for (const auto &hit : hits)
            QVERIFY(exists(hit.place()));
    }

    void germanQuestionsFindTheirPage_data()
    {
        QTest::addColumn<QString>("question");
        QTest::addColumn<QStringList>("pages");
        const auto ask = [](const char *question, const QStringList &pages) {
            QTest::newRow(question) << QString::fromUtf8(question) << pages;
        };
        ask("Warum ist meine MFU niedrig?", {u"layouts"_s});
        ask("Wie genau sind die Vorhersagen?", {u"validation"_s, u"validation-page"_s, u"introduction"_s});
        ask("kaufen oder mieten", {u"decisions"_s, u"fleet-costs"_s, u"models/worksheet"_s});
        ask("zwei Angebote vergleichen", {u"offers"_s});
        ask("Freigabe zurückziehen", {u"ledger"_s});
        ask("config.json importieren", {u"import-models"_s});
        ask("mit eigenen Läufen kalibrieren", {u"calibration"_s});
        ask("Excel", {u"workbook"_s, u"output-sets"_s});
        ask("Was ist Goodput?", {u"glossary"_s, u"failures-and-network"_s});
        ask("Tastenkürzel", {u"window"_s});
    }
    void germanQuestionsFindTheirPage()
    {
        QFETCH(QString, question);
        QFETCH(QStringList, pages);
        useLanguage(Language::German);
        const auto back = qScopeGuard([] { useLanguage(Language::English); });
        const HandbookIndex index(handbookPagesIn(Language::German));
        const auto hits = index.find(question);
        QStringList first;
        for (std::size_t i = 0; i < std::min<std::size_t>(3, hits.size()); ++i)
            first << hits[i].place().page;
        QVERIFY2(std::ranges::any_of(first, [&](const auto &page) { return pages.contains(page); }),
            qPrintable(first.join(u", "_s)));
    }

    void wordsComeInAnyOrderAndNumber()
    {
        const auto first = [](const QString &query) {
            const auto hits = handbookIndex().find(query);
            return hits.empty() ? QString() : hits.front().title();
        };
        QCOMPARE(first(u"MFU"_s), u"Glossary \u203a MFU"_s);
        QCOMPARE(first(u"mfu"_s), first(u"MFU"_s));
        QCOMPARE(first(u"what does MFU mean"_s), first(u"MFU"_s));
        QCOMPARE(first(u"withdraw approval"_s), u"Ledger \u203a Withdraw an approval"_s);
        QCOMPARE(first(u"offers"_s), first(u"offer"_s));
        QCOMPARE(first(u"seek value"_s), first(u"value seek"_s));
        QVERIFY(first(u"seek a value"_s).endsWith(u"Seek a value"_s));
        QVERIFY(first(u"calibrat"_s).startsWith(u"Calibration"_s)); // while it is typed
        QVERIFY(handbookIndex().find(u"xyzzy plugh"_s).empty());
        QVERIFY(handbookIndex().find(u"  ?! "_s).empty());
        QVERIFY(!handbookIndex().find(u"what is it"_s).empty()); // nothing but empty words: those then
    }

    void titlesComeBeforeHeadingsBeforeText()
    {
        std::vector<HandbookPage> pages;
        const auto add = [&](const QString &id, const QString &markdown) {
            pages.push_back({id, HandbookGroup::Start, markdown, sectionsOf(markdown)});
        };
        add(u"text"_s, u"# One\n\nabout a gadget here\n"_s);
        add(u"heading"_s, u"# Two\n\nwords\n\n## The gadgets\n\nwords\n"_s);
        add(u"title"_s, u"# Gadgets\n\nwords\n"_s);
        const auto hits = HandbookIndex(pages).find(u"gadget"_s);
        QCOMPARE(hits.size(), std::size_t(3));
        QCOMPARE(hits[0].page->id, u"title"_s);
        QCOMPARE(hits[1].page->id, u"heading"_s);
        QCOMPARE(hits[1].title(), u"Two \u203a The gadgets"_s);
        QCOMPARE(hits[2].page->id, u"text"_s);
        QCOMPARE(hits[2].context, u"about a gadget here"_s);
    }

    void contextsAreShortAndShowTheWord()
    {
        const auto hits = handbookIndex().find(u"Kendall"_s);
        QVERIFY(!hits.empty());
        for (const auto &hit : hits) {
            QVERIFY2(hit.context.size() <= 150, qPrintable(hit.context));
            QVERIFY2((hit.title() + hit.context).contains(u"Kendall"_s, Qt::CaseInsensitive), qPrintable(hit.context));
        }
    }
};

FLEETWRIGHT_TEST(TestHandbook)
#include "tst_handbook.moc"
