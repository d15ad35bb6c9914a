// SPDX-License-Identifier: GPL-3.0-or-later
// Every table and chart of the window can be copied.
#include "app/mainwindow.h"
#include "app/navigation.h"
#include "app/pages/decide/decidecard.h"
#include "app/pages/page.h"
#include "app/theme.h"
#include "app/widgets/copying.h"
#include "app/widgets/stackedbar.h"
#include "charts/chartview.h"
#include "exchange/catalogfiles.h"
#include "exchange/plandocuments.h"
#include "exchange/textreader.h"
#include "itemmodels/tablepicture.h"
#include "pagetesting.h"
#include "testing/registry.h"
#include "text/utf8.h"

#include <QAction>
#include <QCalendarWidget>
#include <QHeaderView>
#include <QMimeData>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QStatusBar>
#include <QTableView>
#include <QTableWidget>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>
#include <QWindow>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestCopying : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<Settings> m_settings;
    ScriptedPrompts m_prompts;
    std::unique_ptr<MainWindow> m_window;
    int m_files = 0;
    std::set<QString> m_tables, m_charts; ///< that there are

    template <class T> T *child(const QString &name) const { return part<T>(*m_window, name); }
    static QAction *named(const QWidget &widget, const QString &name)
    {
        for (auto *action : widget.actions())
            if (action->objectName() == name)
                return action;
        return nullptr;
    }
    static QString pasted() { return QGuiApplication::clipboard()->text(); }
    static QStringList pastedLines() { return pasted().split(u'\n', Qt::SkipEmptyParts); }
    static QString place(const QWidget &widget)
    {
        QString path = widget.objectName();
        for (const auto *above = widget.parentWidget(); above; above = above->parentWidget())
            if (!above->objectName().isEmpty() && !above->objectName().startsWith(u"qt_"))
                path.prepend(above->objectName() + u'/');
        return path;
    }

    /// Every view that there is, in sight or on a tab that is not: as if it were shown now.
    void checkAll()
    {
        for (auto *top : QApplication::topLevelWidgets()) {
            for (const auto *view : top->findChildren<QAbstractItemView *>()) {
                const auto *tree = qobject_cast<const QTreeView *>(view);
                if (!(qobject_cast<const QTableView *>(view) || (tree && !tree->isHeaderHidden()))
                    || qobject_cast<const QCalendarWidget *>(view->parentWidget()))
                    continue;
                view->ensurePolished();
                for (const auto *action : {"copyTableAction", "copyMarkdownAction", "copyYamlAction",
                         "copyPictureAction", "copyWholeTableAction"})
                    QVERIFY2(named(*view, QString::fromLatin1(action)), qPrintable(place(*view)));
                QCOMPARE(view->contextMenuPolicy(), Qt::ActionsContextMenu);
                for (const auto *action : view->actions())
                    QVERIFY2(action->isSeparator() || !action->text().isEmpty(), qPrintable(place(*view)));
                m_tables.insert(place(*view));
            }
            for (const auto *card : top->findChildren<DecideCard *>())
                QVERIFY(named(*card, u"copyCardAction"_s) && named(*card, u"copyCardMarkdownAction"_s));
            for (const auto *bar : top->findChildren<StackedBar *>())
                QVERIFY(named(*bar, u"copyChartAction"_s) && named(*bar, u"copyChartSvgAction"_s));
            for (const auto *chart : top->findChildren<charts::ChartView *>()) {
                chart->ensurePolished();
                for (const auto *action :
                    {"copyChartAction", "copyChartSvgAction", "saveChartSvgAction", "saveChartPngAction"}) {
                    const auto *found = named(*chart, QString::fromLatin1(action));
                    QVERIFY2(found && found->isVisible(), qPrintable(place(*chart)));
                }
                QVERIFY2(named(*chart, u"copyChartDataAction"_s), qPrintable(place(*chart)));
                m_charts.insert(place(*chart));
            }
        }
    }

    void open(const QString &sample)
    {
        m_prompts = {};
        m_settings = std::make_unique<Settings>(m_folder.filePath(u"settings %1.ini"_s.arg(++m_files)));
        m_window = std::make_unique<MainWindow>(*m_settings, m_prompts);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        child<QAction>(u"sample "_s + sample)->trigger();
        QVERIFY(m_window->workspace().isOpen());
    }
    void renameFirstPlan(const std::string &name)
    {
        auto &workspace = m_window->workspace();
        auto plan = workspace.plans().front();
        plan.document.name = name;
        QVERIFY(workspace.editPlan(plan.id, plan.document));
    }

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void cleanup() { m_window.reset(); }

    void everyTableAndChartOfTheWindow_data()
    {
        QTest::addColumn<QString>("sample");
        QTest::newRow("decision") << u"decision"_s;
        QTest::newRow("tutorial") << u"tutorial"_s;
    }
    void everyTableAndChartOfTheWindow()
    {
        QFETCH(QString, sample);
        open(sample);
        m_tables.clear();
        m_charts.clear();
        const auto *pages = m_window->findChild<Navigation *>();
        QVERIFY(pages);
        for (const auto &entry : pages->entries()) {
            m_window->showPage(entry.id);
            QCOMPARE(m_window->currentPage(), entry.id);
            QCoreApplication::processEvents();
            checkAll();
            if (QTest::currentTestFailed())
                return;
        }
        child<QAction>(u"actionCalibrate"_s)->trigger();
        if (sample == u"tutorial") {
            m_window->showPlan(m_window->workspace().plans().front().id);
            auto *results = child<QWidget>(u"results"_s);
            QTRY_VERIFY(part<QToolButton>(*results, u"copyButton"_s)->isEnabled());
            QVERIFY(QMetaObject::invokeMethod(results, "explainRequested"));
        }
        checkAll();
        const auto seen = [](const std::set<QString> &places, const char *name) {
            return std::ranges::any_of(
                places, [name](const QString &place) { return place.endsWith(QString::fromLatin1(name)); });
        };
        for (const auto *table : {"answer/candidatesTab/fleetsTable", "bindingTable", "stepsTable", "changesTable",
                 "offerTable", "comparisonTable", "billTable", "traceTable", "layoutTable", "sweepTable", "cellTable",
                 "runTable", "productionTable", "LedgerPage/stack/tablePage/entriesPart/table",
                 "CatalogPage/splitter/tableStack/table", "constantsTable"})
            QVERIFY2(seen(m_tables, table), table);
        if (sample == u"tutorial")
            QVERIFY(seen(m_tables, "collectivesTable") && seen(m_charts, "scheduleChart"));
        for (const auto *chart : {"frontChart", "moneyChart", "histogramChart", "tornadoChart", "yearsChart",
                 "stepChart", "mapChart", "scatter", "coverageChart", "costScatter"})
            QVERIFY2(seen(m_charts, chart), chart);
        QVERIFY(m_prompts.errors.empty());
    }

    void keysCopyTheSelectionOrTheTable()
    {
        open(u"tutorial"_s);
        m_window->showPage(u"catalog/nodes"_s);
        auto *page = m_window->findChild<Navigation *>()->page(u"catalog/nodes"_s);
        auto *table = part<QTableView>(*page, u"table"_s);
        table->setFocus();
        table->clearSelection();
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(pastedLines().size(), table->model()->rowCount() + 1);
        QVERIFY(m_window->statusBar()->currentMessage().contains(QString::number(table->model()->rowCount())));
        // Columns that are not in sight stay out of it, because the user takes them away; rows are in the shown order.
        int shown = 0;
        for (int column = 0; column < table->model()->columnCount(); ++column)
            shown += table->isColumnHidden(column) ? 0 : 1;
        QCOMPARE(pastedLines().front().count(u'\t') + 1, shown);
        table->selectRow(2);
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(pastedLines().size(), 2);
        QVERIFY(pastedLines()[1].startsWith(table->model()->index(2, 0).data().toString()));
        // The menu of the window does the same, and the whole table can be had while a row is chosen.
        QGuiApplication::clipboard()->clear();
        child<QAction>(u"actionCopy"_s)->trigger();
        QCOMPARE(pastedLines().size(), 2);
        named(*table, u"copyWholeTableAction"_s)->trigger();
        QCOMPARE(pastedLines().size(), table->model()->rowCount() + 1);
        named(*table, u"copyMarkdownAction"_s)->trigger();
        QCOMPARE(pastedLines().size(), 3);
        QVERIFY(pastedLines()[1].startsWith(u"| ---"_s));
        QVERIFY(QGuiApplication::clipboard()->mimeData()->hasFormat(u"text/markdown"_s));
        named(*table, u"copyWholeMarkdownAction"_s)->trigger();
        QCOMPARE(pastedLines().size(), table->model()->rowCount() + 2);
    }

    void whatReadsAsAFormulaIsText()
    {
        open(u"tutorial"_s);
        renameFirstPlan("=HYPERLINK(\"x\")");
        m_window->showPage(u"overview"_s);
        auto *table = child<QTableView>(u"plansTable"_s);
        table->setFocus();
        named(*table, u"copyWholeTableAction"_s)->trigger();
        QVERIFY(pasted().contains(u"\n'=HYPERLINK(\"x\")\t"_s) || pasted().contains(u"\t'=HYPERLINK(\"x\")"_s));
        named(*table, u"copyWholeMarkdownAction"_s)->trigger();
        QVERIFY(pasted().contains(u"=HYPERLINK"_s) && !pasted().contains(u"'="_s));
    }

    void chartsAreCopiedAndSaved()
    {
        open(u"tutorial"_s);
        m_window->showPage(u"compare"_s);
        auto *chart = child<charts::ChartView>(u"stepChart"_s);
        QTRY_VERIFY(chart->isVisible() && !chart->accessibleName().isEmpty());
        chart->setFocus();
        QTest::keyClick(chart, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->image().size(), chart->size() * 2);
        QVERIFY(m_window->statusBar()->currentMessage().contains(u"picture"_s));
        named(*chart, u"copyChartSvgAction"_s)->trigger();
        const auto *content = QGuiApplication::clipboard()->mimeData();
        QVERIFY(content->hasFormat(u"image/svg+xml"_s));
        QVERIFY(content->data(u"image/svg+xml"_s).contains("<svg "));
        QVERIFY(content->text().contains(chart->accessibleName()));
        m_prompts.fileName = m_folder.filePath(u"chart.svg"_s);
        named(*chart, u"saveChartSvgAction"_s)->trigger();
        QVERIFY(QFile::exists(m_prompts.fileName));
        m_prompts.fileName = u"/no/such/folder/chart.png"_s;
        named(*chart, u"saveChartPngAction"_s)->trigger();
        QCOMPARE(m_prompts.errors.size(), 1U);
    }

    /// What spreadsheets draw again: the numbers of the bars in the unit of the axis.
    void chartsAreCopiedAsData()
    {
        open(u"tutorial"_s);
        m_window->showPage(u"compare"_s);
        auto *chart = child<charts::ChartView>(u"stepChart"_s);
        QTRY_VERIFY(chart->isVisible() && !chart->accessibleName().isEmpty());
        named(*chart, u"copyChartDataAction"_s)->trigger();
        const auto lines = QGuiApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts);
        QVERIFY2(lines.size() >= 2, qPrintable(lines.join(u'|')));
        const auto titles = lines[0].split(u'\t');
        QVERIFY2(titles.size() >= 3 && titles[1].contains(u"s"_s), qPrintable(lines[0]));
        for (const auto &line : lines.sliced(1)) {
            const auto cells = line.split(u'\t');
            QCOMPARE(cells.size(), titles.size());
            bool isNumber = false;
            cells.last().toDouble(&isNumber);
            QVERIFY2(isNumber, qPrintable(line));
        }
        QVERIFY(m_window->statusBar()->currentMessage().contains(QString::number(lines.size() - 1)));
    }

    /// A row that stands for a document is copied as one, and pasted into the project it is there once more.
    void rowsAreCopiedAsDocuments()
    {
        open(u"tutorial"_s);
        auto &workspace = m_window->workspace();
        m_window->showPage(u"overview"_s);
        auto *plans = child<QTableView>(u"plansTable"_s);
        plans->selectRow(1);
        const auto chosen = plans->model()->index(1, 0).data().toString();
        named(*plans, u"copyYamlAction"_s)->trigger();
        const auto read = exchange::planFromText(pasted().toStdString());
        QVERIFY2(read, qPrintable(pasted()));
        QCOMPARE(utf8(read->name), chosen);
        const auto before = workspace.plans().size();
        plans->setFocus();
        child<QAction>(u"actionPaste"_s)->trigger();
        QCOMPARE(workspace.plans().size(), before + 1);

        m_window->showPage(u"catalog/nodes"_s);
        auto *nodes = part<QTableView>(*m_window->findChild<Navigation *>()->page(u"catalog/nodes"_s), u"table"_s);
        nodes->setFocus();
        nodes->clearSelection();
        nodes->selectRow(2);
        QVERIFY(nodes->selectionModel()->isRowSelected(2));
        named(*nodes, u"copyYamlAction"_s)->trigger();
        const auto file = exchange::catalogFileIfOne(pasted().toStdString(), std::nullopt);
        QVERIFY2(file && *file && (*file)->refused.empty(), qPrintable(pasted()));
        QCOMPARE((*file)->items.records.size(), 1U);
        const auto &node = (*file)->items.records.front();
        auto shipped = *workspace.catalog()->find(CatalogKind::Node, node.id);
        shipped.shipped = node.shipped;
        QVERIFY(shipped == node);
    }

    /// What is here already is said in words that fit, and stays chosen, though Ctrl is held.
    void pastingWhatIsHereChoosesIt()
    {
        open(u"tutorial"_s);
        m_window->showPage(u"catalog/nodes"_s);
        auto *nodes = part<QTableView>(*m_window->findChild<Navigation *>()->page(u"catalog/nodes"_s), u"table"_s);
        nodes->setFocus();
        QTRY_VERIFY(nodes->hasFocus());
        const auto chosen = [&] {
            QStringList names;
            for (const auto &row : nodes->selectionModel()->selectedRows())
                names << row.data().toString();
            return names;
        };
        QString told;
        connect(m_window->statusBar(), &QStatusBar::messageChanged, nodes, [&](const QString &text) { told = text; });
        // Not by selectRow(), which adds to the selection where an earlier test left Ctrl held.
        nodes->selectionModel()->setCurrentIndex(
            nodes->model()->index(2, 0), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        const auto name = nodes->model()->index(2, 0).data().toString();
        named(*nodes, u"copyYamlAction"_s)->trigger();
        auto *keys = m_window->windowHandle(); // as the window system sends them: what is held is known everywhere
        QTest::keyPress(keys, Qt::Key_Control, Qt::ControlModifier);
        QTest::keyClick(keys, Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(chosen(), QStringList{name});
        QVERIFY2(told.contains(u"\u201c%1\u201d is already here"_s.arg(name)), qPrintable(told));
        QTest::keyRelease(keys, Qt::Key_Control);
        nodes->selectionModel()->select(
            nodes->model()->index(4, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
        const auto two = chosen();
        QCOMPARE(two.size(), 2);
        named(*nodes, u"copyYamlAction"_s)->trigger();
        QTest::keyClick(keys, Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(chosen(), two);
        QVERIFY2(told.contains(u"all 2 items are already here"_s), qPrintable(told));
    }

    /// Other tables are lists of what their columns show.
    void tablesAreCopiedAsYaml()
    {
        QTableView table;
        QStandardItemModel model(2, 3);
        model.setHorizontalHeaderLabels({u"Figure"_s, u"Value"_s, u"Value"_s});
        model.setItem(0, 0, new QStandardItem(u"yes"_s));
        model.setItem(0, 1, new QStandardItem(u"2.42 s"_s));
        model.setItem(1, 2, new QStandardItem(u"a: b"_s));
        table.setModel(&model);
        QCOMPARE(copyTable(table, CopyAs::Yaml, CopyWhat::Table), u"2 rows copied"_s);
        const auto yaml = exchange::readText(pasted().toStdString());
        QVERIFY2(yaml, qPrintable(pasted()));
        QCOMPARE((*yaml)["rows"].size(), 2U);
        QCOMPARE((*yaml)["rows"][0]["Figure"].get<std::string>(), std::string("yes"));
        QCOMPARE((*yaml)["rows"][0]["Value"].get<std::string>(), std::string("2.42 s"));
        QCOMPARE((*yaml)["rows"][1]["Value 3"].get<std::string>(), std::string("a: b"));
    }

    void tablesAreCopiedAsPictures()
    {
        QTableView table;
        QStandardItemModel model(3, 2);
        model.setHorizontalHeaderLabels({u"Figure"_s, u"Value"_s});
        model.setItem(0, 0, new QStandardItem(u"Step time"_s));
        auto *red = new QStandardItem(u"2.42 s"_s);
        red->setBackground(QColor(200, 0, 0));
        model.setItem(1, 1, red);
        table.setModel(&model);
        QCOMPARE(copyTable(table, CopyAs::Picture, CopyWhat::Table), u"3 rows copied"_s);
        const auto picture = QGuiApplication::clipboard()->image();
        const auto parts = 4; // three rows below the titles
        QVERIFY(picture.width() > 100 && picture.height() > parts * 2 * table.fontMetrics().height());
        const auto middle = [&](int row) { return picture.height() * (2 * row + 1) / (2 * parts); };
        const auto has = [&](int row, const QColor &colour) {
            for (int x = 0; x < picture.width(); ++x)
                if (picture.pixelColor(x, middle(row)) == colour)
                    return true;
            return false;
        };
        QVERIFY(has(2, QColor(200, 0, 0)));
        QVERIFY(!has(1, QColor(200, 0, 0)));
        // Text of a long cell wraps instead of making the picture endless.
        model.item(0, 0)->setText(u"words and more "_s.repeated(60));
        (void)copyTable(table, CopyAs::Picture, CopyWhat::Table);
        QVERIFY(QGuiApplication::clipboard()->image().width() < 1000);
        QVERIFY(QGuiApplication::clipboard()->image().height() > picture.height());
        // What is more than a picture has room for is refused, and what was copied before stays.
        model.setRowCount(itemmodels::mostPictureRows + 1);
        QVERIFY(copyTable(table, CopyAs::Picture, CopyWhat::Table).contains(u"Not copied"_s));
        QVERIFY(!QGuiApplication::clipboard()->image().isNull());
    }

    /// Ctrl+C on a plan of the navigation, Ctrl+V: the plan once more.
    void plansAreCopiedAsDocuments()
    {
        open(u"tutorial"_s);
        auto *tree = m_window->findChild<QTreeWidget *>(u"navigation"_s);
        QVERIFY(tree);
        const auto plan = m_window->workspace().plans().front().document;
        const auto items = tree->findItems(utf8(plan.name), Qt::MatchExactly | Qt::MatchRecursive);
        QCOMPARE(items.size(), 1);
        tree->setCurrentItem(items.front());
        tree->setFocus();
        QTest::keyClick(tree, Qt::Key_C, Qt::ControlModifier);
        const auto text = QGuiApplication::clipboard()->text();
        const auto read = exchange::planFromText(text.toStdString());
        QVERIFY2(read && *read == plan, qPrintable(text));
        QVERIFY(m_window->statusBar()->currentMessage().contains(u"YAML"_s));
        QGuiApplication::clipboard()->clear();
        child<QAction>(u"actionCopy"_s)->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), text);
        // An entry that is no document is not copied as one.
        tree->setCurrentItem(tree->topLevelItem(0));
        QVERIFY(!Copying::actionOf(*tree));
    }

    void cardsAndBarsAreCopied()
    {
        StackedBar bar;
        bar.resize(200, 24);
        bar.setParts({{u"weights"_s, 0.6, Qt::blue}}, 0, u"Weights fill 60 %"_s);
        named(bar, u"copyChartAction"_s)->trigger();
        const auto image = QGuiApplication::clipboard()->image();
        QCOMPARE(image.size(), QSize(400, 48));
        QCOMPARE(image.pixelColor(200, 10), QColor(Qt::blue));
        named(bar, u"copyChartSvgAction"_s)->trigger();
        QVERIFY(pasted().contains(u"Weights fill 60 %"_s));
        DecideCard card;
        card.setTitle(u"Best"_s);
        card.showNone(u"No fleet keeps the limit <1_000 USD>."_s);
        named(card, u"copyCardAction"_s)->trigger();
        QCOMPARE(pasted(), u"Best\nNo fleet keeps the limit <1_000 USD>."_s);
        named(card, u"copyCardMarkdownAction"_s)->trigger();
        QCOMPARE(pasted(), u"**Best**\n\n- No fleet keeps the limit &lt;1\\_000 USD>.\n"_s);
    }

    /// Cells take the titles of their rows along where row headers stand for them; trees name what is above a row.
    void cellsAndTrees()
    {
        QTableView table;
        QStandardItemModel model(2, 3);
        model.setHorizontalHeaderLabels({u"Figure"_s, u"A"_s, u"B [s]"_s});
        for (int row = 0; row < 2; ++row)
            for (int column = 0; column < 3; ++column)
                model.setItem(row, column, new QStandardItem(u"%1%2"_s.arg(row).arg(column)));
        model.item(0, 2)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        table.setModel(&model);
        table.setColumnHidden(0, true);
        table.selectionModel()->select(model.index(1, 2), QItemSelectionModel::Select);
        QCOMPARE(copyTable(table, CopyAs::TabSeparated, CopyWhat::Selection), u"1 row copied"_s);
        QCOMPARE(pasted(), u"Figure\tB [s]\n10\t12\n"_s);
        QCOMPARE(copyTable(table, CopyAs::Markdown, CopyWhat::Table), u"2 rows copied"_s);
        QCOMPARE(pastedLines()[1], u"| --- | --- | ---: |"_s);

        QTreeWidget tree;
        tree.setHeaderLabels({u"Item"_s, u"Value"_s});
        auto *top = new QTreeWidgetItem(&tree, {u"Nodes"_s, QString()});
        new QTreeWidgetItem(top, {u"H100"_s, u"8"_s});
        (void)copyTable(tree, CopyAs::TabSeparated, CopyWhat::Table);
        QCOMPARE(pasted(), u"Item\tValue\nNodes\t\nNodes / H100\t8\n"_s);
    }
};

FLEETWRIGHT_TEST(TestCopying)
#include "tst_copying.moc"
