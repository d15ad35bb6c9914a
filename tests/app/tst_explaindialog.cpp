// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/explaindialog.h"
#include "itemmodels/tabletext.h"
#include "itemmodels/workingmodel.h"
#include "planpagetesting.h"
#include "testing/registry.h"
#include "text/figuretext.h"
#include "widgetchecks.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeView>
#include <QUndoStack>

#include <algorithm>
#include <set>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestExplainDialog : public QObject, private PlanPageFixture {
    Q_OBJECT
private slots:
    void init();
    void cleanup() { close(); }
    void beginsWithWhatPeopleAsk();
    void everyLineHasWordsAndASource_data();
    void everyLineHasWordsAndASource();
    void findsByWords();
    void findsFromTheStart();
    void sourcesLeadToTheCatalog();
    void whatAddsNothingIsFolded();
    void detailsOfThePlanLeadToTheirLine();
    void rowsAreMadeWhenOpened();
    void tablesAndScheduleOfThePlan();
    void followsThePlan();
    void costsRowByRow();
    void otherModelsOfferDetailed();
    void copiesAndSaves();
    void rangesOnThePage();
    void brokenExplainersAreSentences();

private:
    QDialog *opened();
    /// The rows below the parent that has `label`, in order; of the top without one.
    static QStringList labelsBelow(const QTreeView &tree, const QString &label = {});
    static QModelIndex rowOf(const QTreeView &tree, const QString &label);
};

void TestExplainDialog::init()
{
    makeSample();
    auto document = thePlan().document;
    document.costModelId = "detailed";
    document.assumptions = {};
    QVERIFY(m_workspace->editPlan(thePlan().id, document).has_value());
    showThePlan();
}

QDialog *TestExplainDialog::opened()
{
    auto *button = part<QToolButton>(*m_page, u"explainButton"_s);
    QTest::mouseClick(button, Qt::LeftButton);
    return part<QDialog>(*m_page, u"ExplainDialog"_s);
}

QModelIndex TestExplainDialog::rowOf(const QTreeView &tree, const QString &label)
{
    for (auto at = tree.model()->index(0, 0); at.isValid(); at = tree.indexBelow(at))
        if (at.data().toString().section(u"   "_s, -1) == label)
            return at;
    return {};
}

QStringList TestExplainDialog::labelsBelow(const QTreeView &tree, const QString &label)
{
    QStringList labels;
    const auto parent = label.isEmpty() ? QModelIndex() : rowOf(tree, label);
    for (int row = 0; row < tree.model()->rowCount(parent); ++row)
        labels << tree.model()->index(row, 0, parent).data().toString().section(u"   "_s, -1);
    return labels;
}

void TestExplainDialog::beginsWithWhatPeopleAsk()
{
    auto *dialog = opened();
    auto *tree = part<QTreeView>(*dialog, u"workingTree"_s);
    QVERIFY(tree->isVisible()); // the first tab
    const auto asked = labelsBelow(*tree);
    QCOMPARE(asked.mid(0, 2), QStringList({u"Step time"_s, labelOf(*findFigure("memory.total_bytes"))}));
    QCOMPARE(asked.value(2), labelOf(*findFigure("run_owned_usd")));
    for (const auto &label : asked)
        if (const auto row = rowOf(*tree, label); tree->model()->hasChildren(row))
            QVERIFY2(tree->isExpanded(row), qPrintable(label));
    // As the page says it, in the words of the page.
    const auto step = rowOf(*tree, u"Step time"_s);
    QCOMPARE(step.siblingAtColumn(itemmodels::WorkingModel::Value).data().toString(), figure("step_time_s"));
    auto *whole = part<QTextBrowser>(*dialog, u"workingText"_s);
    QVERIFY2(whole->toPlainText().startsWith(u"Step time = "_s), qPrintable(whole->toPlainText()));
    QVERIFY(whole->toPlainText().contains(u"Source: "_s));
    QTest::keyClick(tree, Qt::Key_Down); // the keyboard leads through the rows
    QVERIFY(!whole->toPlainText().startsWith(u"Step time = "_s));
    // What was open stays open, with new values.
    const auto below = labelsBelow(*tree, u"Step time"_s);
    const auto before = rowOf(*tree, u"Step time"_s).siblingAtColumn(1).data().toString();
    tree->expand(tree->model()->index(0, 0, rowOf(*tree, u"Step time"_s)));
    const auto current = tree->currentIndex().data().toString();
    type(*m_page, u"nodesEdit"_s, u"64"_s);
    QTRY_VERIFY(rowOf(*tree, u"Step time"_s).siblingAtColumn(1).data().toString() != before);
    QCOMPARE(labelsBelow(*tree, u"Step time"_s), below);
    QVERIFY(tree->isExpanded(tree->model()->index(0, 0, rowOf(*tree, u"Step time"_s))));
    QCOMPARE(tree->currentIndex().data().toString(), current);
}

void TestExplainDialog::everyLineHasWordsAndASource_data()
{
    QTest::addColumn<QString>("model");
    for (const auto *model : costModels())
        QTest::addRow("%s", std::string(model->id()).c_str()) << utf8(model->id());
}

void TestExplainDialog::everyLineHasWordsAndASource()
{
    QFETCH(QString, model);
    auto document = saved();
    document.costModelId = model.toStdString();
    document.training.tokenBudget = 1e12;
    const auto plan = resolve(document, *m_workspace->catalog());
    QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
    const auto solution = solve(*plan);
    if (!solution)
        QSKIP("The model does not price this plan.");
    const PlanWorking working(*plan, document, *solution, m_workspace->catalog());
    std::set<std::string> seen;
    auto open = working.questions();
    for (auto &key : working.matching(""))
        open.push_back(std::move(key));
    while (!open.empty()) {
        const auto key = std::move(open.back());
        open.pop_back();
        if (!seen.insert(key).second)
            continue;
        const auto line = working.line(key);
        QVERIFY2(!line.label.empty() && !line.value.empty() && !line.source.empty(), key.c_str());
        if (line.kind == CatalogKind::Price && key.starts_with("cell:")) { // it is found by what it is from
            const auto found = working.matching(line.source);
            QVERIFY2(std::ranges::any_of(
                         found, [&](const auto &other) { return working.line(other).source == line.source; }),
                line.source.c_str());
        }
        for (const auto &text : {line.label, line.value, line.formula, line.withValues, line.source})
            QVERIFY2(rawWordsIn(utf8(text)).isEmpty(), (key + ": " + text).c_str());
        // Words or symbols that the lines below explain, and the values of all of them.
        for (const auto &part : line.parts)
            QVERIFY2(line.formula.find(part.symbol) != std::string::npos, key.c_str());
        for (const auto &part : line.parts)
            open.push_back(part.key);
    }
    QVERIFY(seen.size() > 10);
}

void TestExplainDialog::findsByWords()
{
    auto *dialog = opened();
    auto *tree = part<QTreeView>(*dialog, u"workingTree"_s);
    auto *find = part<QLineEdit>(*dialog, u"workingFind"_s);
    QVERIFY(QTest::qWaitForWindowActive(dialog));
    tree->setFocus();
    QTRY_VERIFY(tree->hasFocus());
    QTest::keyClick(tree, Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(find->hasFocus());
    QTest::keyClicks(find, u"PUE"_s);
    QTRY_VERIFY(rowOf(*tree, u"PUE"_s).isValid());
    QVERIFY(!rowOf(*tree, u"Step time"_s).isValid());
    QTest::keyClick(find, Qt::Key_Return);
    QVERIFY(tree->hasFocus());
    find->setText(u"no such thing"_s);
    QCOMPARE(tree->model()->rowCount(), 0);
    QVERIFY(!part<QTextBrowser>(*dialog, u"workingText"_s)->toPlainText().isEmpty()); // says so
    // Esc clears first, then closes.
    find->setFocus();
    QTRY_VERIFY(find->hasFocus());
    QTest::keyClick(find, Qt::Key_Escape);
    QVERIFY(dialog->isVisible() && find->text().isEmpty());
    QTRY_VERIFY(tree->isExpanded(rowOf(*tree, u"Step time"_s)));
    QTest::keyClick(find, Qt::Key_Escape);
    QTRY_VERIFY(!dialog->isVisible());
}

/// In a window that was just opened, wherever its focus is.
void TestExplainDialog::findsFromTheStart()
{
    auto *dialog = opened();
    QVERIFY(QTest::qWaitForWindowActive(dialog));
    auto *find = part<QLineEdit>(*dialog, u"workingFind"_s);
    QTRY_VERIFY(QApplication::focusWidget() && dialog->isAncestorOf(QApplication::focusWidget()));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(find->hasFocus());
    part<QPushButton>(*dialog, u"closeButton"_s)->setFocus();
    QTest::keyClick(dialog->focusWidget(), Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(find->hasFocus());
}

/// A price says who published it, and a double click or the link shows it among the prices; so with planning defaults.
void TestExplainDialog::sourcesLeadToTheCatalog()
{
    QSignalSpy prices(m_page.get(), &PlanPage::pricesRequested), records(m_page.get(), &PlanPage::recordRequested);
    const auto choose = [&](const QString &label) {
        auto *dialog = opened();
        auto *find = part<QLineEdit>(*dialog, u"workingFind"_s);
        find->setText(label);
        auto *tree = part<QTreeView>(*dialog, u"workingTree"_s);
        const auto index = rowOf(*tree, label);
        if (index.isValid())
            tree->setCurrentIndex(index);
        return std::pair(tree, index);
    };
    {
        const auto [tree, index] = choose(u"Price of a node"_s);
        QVERIFY(index.isValid());
        auto *text = part<QTextBrowser>(*m_page, u"workingText"_s);
        const auto said = text->toPlainText();
        QVERIFY2(said.contains(u"confidence: "_s) && said.contains(u"Show the price"_s), qPrintable(said));
        QVERIFY2(!said.contains(u"2026, 2026"_s), qPrintable(said));
        emit text->anchorClicked(QUrl(u"source:"_s));
        QCOMPARE(prices.size(), 1);
        const auto ids = prices.front().front().toStringList();
        QCOMPARE(ids.size(), 1);
        QVERIFY(m_workspace->catalog()->find(CatalogKind::Price, ids.front().toStdString()));
    }
    QTRY_VERIFY(!m_page->findChild<QDialog *>(u"ExplainDialog"_s)); // it would hide the prices
    const auto [tree, index] = choose(u"Electricity tariff"_s);
    QVERIFY(index.isValid());
    tree->scrollTo(index);
    const auto said = part<QTextBrowser>(*m_page, u"workingText"_s)->toPlainText();
    QVERIFY2(said.contains(u"Show it in the catalog"_s), qPrintable(said));
    emit tree->doubleClicked(index);
    QCOMPARE(records.size(), 1);
    QCOMPARE(records.front().back().toString(), u"electricity_default"_s);
}

void TestExplainDialog::whatAddsNothingIsFolded()
{
    auto *dialog = opened();
    auto *tree = part<QTreeView>(*dialog, u"workingTree"_s);
    const auto *model = tree->model();
    const auto capital = labelOf(*findFigure("fleet_capital_usd"));
    const auto below = labelsBelow(*tree, capital);
    const auto folded = below.filter(u" inputs are 0 and add nothing"_s);
    QVERIFY2(folded.size() == 1 && folded.front() == below.back(), qPrintable(below.join(u", "_s)));
    const auto value = [](const QModelIndex &row) {
        return row.siblingAtColumn(itemmodels::WorkingModel::Value).data().toString();
    };
    const auto parent = rowOf(*tree, capital);
    for (int row = 0; row + 1 < model->rowCount(parent); ++row)
        QVERIFY(value(model->index(row, 0, parent)) != u"0\u00a0USD"_s);
    const auto line = model->index(model->rowCount(parent) - 1, 0, parent);
    tree->expand(line); // still reachable
    QCOMPARE(QString::number(model->rowCount(line)), folded.front().section(u' ', 0, 0));
    for (int row = 0; row < model->rowCount(line); ++row)
        QCOMPARE(value(model->index(row, 0, line)), u"0\u00a0USD"_s);
    // What its formula defines says so where it is asked for.
    const auto nodes = model->index(0, 0, parent).siblingAtColumn(itemmodels::WorkingModel::Source);
    QCOMPARE(nodes.data().toString(), QString());
    QCOMPARE(nodes.data(Qt::ToolTipRole).toString(), u"by definition"_s);
    QCOMPARE(nodes.data(itemmodels::fileRole).toString(), u"by definition"_s);
    tree->setCurrentIndex(parent);
    const auto whole = part<QTextBrowser>(*dialog, u"workingText"_s)->toPlainText();
    QVERIFY2(whole.contains(u" of these by definition"_s) && whole.count(u"by definition"_s) <= 2, qPrintable(whole));
}

void TestExplainDialog::detailsOfThePlanLeadToTheirLine()
{
    auto *details = part<QTableWidget>(*m_page, u"detailsTable"_s);
    QTRY_VERIFY(details->rowCount() > 0);
    const auto key = details->item(0, 0)->data(Qt::UserRole).toString();
    part<QTabWidget>(*m_page, u"tabs"_s)->setCurrentWidget(part<QWidget>(*m_page, u"detailsTab"_s));
    details->setCurrentCell(0, 0);
    details->setFocus();
    QTest::keyClick(details, Qt::Key_Return);
    auto *dialog = part<QDialog>(*m_page, u"ExplainDialog"_s);
    QVERIFY(dialog && dialog->isVisible());
    const auto *tree = part<QTreeView>(*dialog, u"workingTree"_s);
    const auto chosen = [&] { return tree->currentIndex().siblingAtColumn(0); };
    QTRY_VERIFY2(chosen().data(itemmodels::WorkingModel::keyRole).toString().endsWith(u':' + key),
        qPrintable(chosen().data(itemmodels::WorkingModel::keyRole).toString()));
    const auto whole = part<QTextBrowser>(*dialog, u"workingText"_s)->toPlainText();
    QVERIFY2(whole.startsWith(chosen().data().toString() + u" = "_s), qPrintable(whole));
}

void TestExplainDialog::rowsAreMadeWhenOpened()
{
    itemmodels::WorkingModel model;
    std::map<std::string, int> made;
    model.setLines(
        [&made](const std::string &key) {
            ++made[key];
            WorkingLine line{.key = key, .label = key, .value = "1", .source = "a test"};
            if (key == "top")
                line.parts = {{"a", "part"}, {"b", "leaf"}};
            if (key == "part")
                line.parts = {{"c", "leaf"}};
            return line;
        },
        {"top", "leaf"});
    QVERIFY(made == (std::map<std::string, int>{{"leaf", 1}, {"top", 1}}));
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto top = model.index(0, 0), part = model.index(0, 0, top);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.rowCount(top), 2); // the tester has opened it
    QCOMPARE(part.data().toString(), u"a   part"_s);
    QCOMPARE(model.rowCount(part), 1);
    QVERIFY(!model.hasChildren(model.index(0, 0, part)));
    QCOMPARE(model.index(0, 0, part).parent(), part);
    model.setLines({}, {});
    QCOMPARE(model.rowCount(), 0);
}

void TestExplainDialog::tablesAndScheduleOfThePlan()
{
    const int edits = m_workspace->undoStack()->count();
    auto *dialog = opened();
    QVERIFY(dialog && dialog->isVisible());
    auto *operators = part<QTableView>(*dialog, u"operatorsTable"_s);
    QTRY_VERIFY(operators->model()->rowCount() > 10);
    for (const auto *name : {"operatorsTable", "collectivesTable", "memoryTable"}) {
        auto *model = part<QTableView>(*dialog, QString::fromLatin1(name))->model();
        QVERIFY(model->rowCount() > 0);
        QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    }
    QCOMPARE(part<QTableView>(*dialog, u"memoryTable"_s)->model()->rowCount(), saved().parallelism.pp);
    // The largest first, and by number when a header is clicked.
    auto *model = operators->model();
    const int perStep = model->columnCount() - 1;
    for (int row = 1; row < model->rowCount(); ++row)
        QVERIFY(model->index(row, perStep).data(itemmodels::sortRole).toDouble()
            <= model->index(row - 1, perStep).data(itemmodels::sortRole).toDouble());
    operators->sortByColumn(5, Qt::AscendingOrder);
    for (int row = 1; row < model->rowCount(); ++row)
        QVERIFY(model->index(row, 5).data(itemmodels::sortRole).toDouble()
            >= model->index(row - 1, 5).data(itemmodels::sortRole).toDouble());
    QVERIFY(part<QLabel>(*dialog, u"operatorsNote"_s)->text().contains(u"= step"_s));
    QVERIFY(part<QLabel>(*dialog, u"scheduleNote"_s)->text().startsWith(u"4 stages"_s));
    auto *tabs = part<QTabWidget>(*dialog, u"tabs"_s);
    tabs->setCurrentIndex(tabs->count() - 1);
    auto *chart = part<QWidget>(*dialog, u"scheduleChart"_s);
    QTRY_VERIFY(chart->isVisible());
    const int before = chart->width();
    QTest::mouseClick(part<QToolButton>(*dialog, u"zoomInButton"_s), Qt::LeftButton);
    QTRY_VERIFY(chart->width() > before);
    QTest::mouseClick(part<QToolButton>(*dialog, u"zoomFitButton"_s), Qt::LeftButton);
    QTRY_COMPARE(chart->width(), before);
    QCOMPARE(m_workspace->undoStack()->count(), edits); // looking is no edit
}

void TestExplainDialog::followsThePlan()
{
    auto *dialog = opened();
    auto *stages = part<QTableView>(*dialog, u"memoryTable"_s);
    QTRY_COMPARE(stages->model()->rowCount(), 4);
    type(*m_page, u"ppEdit"_s, u"2"_s);
    QTRY_COMPARE(stages->model()->rowCount(), 2);
    type(*m_page, u"ppEdit"_s, u"3"_s); // does not divide the fleet
    QTRY_VERIFY(part<QLabel>(*dialog, u"sentence"_s)->text().contains(u"last valid"_s));
    QCOMPARE(stages->model()->rowCount(), 2);
    type(*m_page, u"ppEdit"_s, u"4"_s);
    QTRY_COMPARE(stages->model()->rowCount(), 4);
    QVERIFY(part<QLabel>(*dialog, u"sentence"_s)->text().isEmpty());
}

void TestExplainDialog::costsRowByRow()
{
    auto *capital = part<QLabel>(*m_page, u"fleet_capital_usd"_s);
    QTRY_VERIFY(capital->text().contains(u"USD"_s));
    QTest::mouseDClick(capital, Qt::LeftButton);
    auto *dialog = part<QDialog>(*m_page, u"CellExplanation"_s);
    QVERIFY(dialog && dialog->isVisible());
    QVERIFY(part<QLabel>(*dialog, u"valueLabel"_s)->text().startsWith(u"Capital"_s));
    QVERIFY(part<QLabel>(*dialog, u"formulaLabel"_s)->text().contains(u"Nodes + Network"_s));
    auto *inputs = part<QTableView>(*dialog, u"inputsTable"_s);
    emit inputs->activated(inputs->model()->index(0, 0)); // leads on to the nodes
    QVERIFY(!part<QLabel>(*dialog, u"valueLabel"_s)->text().startsWith(u"Capital"_s));
    const auto before = part<QLabel>(*dialog, u"valueLabel"_s)->text();
    type(*m_page, u"nodesEdit"_s, u"64"_s); // follows the plan
    QTRY_VERIFY(part<QLabel>(*dialog, u"valueLabel"_s)->text() != before);
    QVERIFY(part<QToolButton>(*m_page, u"explainButton"_s)->menu()->actions().size() == 2);
    part<QToolButton>(*m_page, u"explainButton"_s)->menu()->actions().constLast()->trigger();
    QTRY_VERIFY(part<QLabel>(*dialog, u"valueLabel"_s)->text().contains(u"run"_s));
    auto *warnings = part<QTextBrowser>(*m_page, u"warningsText"_s);
    QVERIFY(warnings->toPlainText().contains(u"spare ones suffice"_s)); // what the sheet assumes is said
}

void TestExplainDialog::otherModelsOfferDetailed()
{
    choose(part<QComboBox>(*m_page, u"costModelCombo"_s), u"first-order"_s);
    QTRY_COMPARE(saved().costModelId, std::string("first-order"));
    auto *dialog = opened();
    auto *offer = part<QPushButton>(*dialog, u"detailedButton"_s);
    QTRY_VERIFY(offer->isVisible());
    QVERIFY(part<QLabel>(*dialog, u"sentence"_s)->text().contains(u"first-order"_s));
    auto *tabs = part<QTabWidget>(*dialog, u"tabs"_s);
    auto *operators = part<QTableView>(*dialog, u"operatorsTable"_s);
    for (int i = 1; i < tabs->count(); ++i)
        QVERIFY(!tabs->isTabVisible(i));
    QVERIFY(!operators->isVisible());
    auto *tree = part<QTreeView>(*dialog, u"workingTree"_s); // what that model does explain
    QVERIFY(tree->isVisible() && tree->height() > dialog->height() / 3);
    QVERIFY(!labelsBelow(*tree, u"Step time"_s).isEmpty());
    part<QLineEdit>(*dialog, u"workingFind"_s)->setText(u"straggler factor"_s);
    QVERIFY(tree->model()->rowCount() > 0);
    QTest::mouseClick(offer, Qt::LeftButton);
    QTRY_COMPARE(saved().costModelId, std::string("detailed"));
    QTRY_VERIFY(tabs->isTabVisible(1));
    QVERIFY(!offer->isVisible());
}

void TestExplainDialog::copiesAndSaves()
{
    auto *dialog = opened();
    auto *tabs = part<QTabWidget>(*dialog, u"tabs"_s);
    QTRY_VERIFY(tabs->isTabVisible(1)); // the tables are there
    QVERIFY(part<QPushButton>(*dialog, u"csvButton"_s)->isVisible());
    const QStringList firstKeys{u"figure"_s, u"part"_s, u"group"_s, u"stage"_s, u"stage"_s};
    for (int i = 0; i < tabs->count(); ++i) {
        tabs->setCurrentIndex(i);
        QTest::mouseClick(part<QPushButton>(*dialog, u"copyButton"_s), Qt::LeftButton);
        QVERIFY(QGuiApplication::clipboard()->text().count(u'\n') > 1);
        m_prompts->fileName = m_folder->filePath(u"table%1.csv"_s.arg(i));
        QTest::mouseClick(part<QPushButton>(*dialog, u"csvButton"_s), Qt::LeftButton);
        QFile file(m_prompts->fileName);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(QString::fromUtf8(file.readLine()).startsWith(firstKeys[i] + u','));
    }
    for (const auto *suffix : {"svg", "png"}) {
        m_prompts->fileName = m_folder->filePath(u"schedule.%1"_s.arg(QLatin1StringView(suffix)));
        QTest::mouseClick(part<QPushButton>(*dialog, u"pictureButton"_s), Qt::LeftButton);
        QVERIFY(QFile(m_prompts->fileName).size() > 1000);
    }
    m_prompts->fileName = m_folder->filePath(u"no such folder/table.csv"_s);
    QTest::mouseClick(part<QPushButton>(*dialog, u"csvButton"_s), Qt::LeftButton);
    QCOMPARE(m_prompts->errors.size(), 1UZ);
}

void TestExplainDialog::rangesOnThePage()
{
    auto *badge = part<QToolButton>(*m_page, u"trustBadge"_s);
    QTRY_VERIFY(badge->isVisible());
    QVERIFY(part<QLabel>(*m_page, u"step_time_range"_s)->text().contains(u" to "_s));
    // For whom it holds, and how far up and down.
    QVERIFY2(
        badge->text().contains(u"new site \u2212"_s) && badge->text().contains(u" to +"_s), qPrintable(badge->text()));
    QVERIFY2(badge->toolTip().startsWith(u"A site we have not measured: \u2212"_s), qPrintable(badge->toolTip()));
    QVERIFY(badge->toolTip().contains(u"runs"_s));
    choose(part<QComboBox>(*m_page, u"costModelCombo"_s), u"first-order"_s);
    QTRY_VERIFY(!badge->isVisible());
    QTRY_VERIFY(part<QLabel>(*m_page, u"step_time_range"_s)->isHidden());
}

void TestExplainDialog::brokenExplainersAreSentences()
{
    const auto plan = resolve(saved(), *m_workspace->catalog());
    ExplainDialog dialog(
        *m_prompts, [](const Plan &) -> Expected<detailed::PlanExplanation> { throw std::runtime_error("a fault"); },
        nullptr);
    dialog.setPlan(*plan);
    QTRY_VERIFY(part<QLabel>(dialog, u"sentence"_s)->text().contains(u"an unknown fault"_s));
    QVERIFY(!part<QPushButton>(dialog, u"csvButton"_s)->isVisible());
}

FLEETWRIGHT_TEST(TestExplainDialog)
#include "tst_explaindialog.moc"
