// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/explaindialog.h"
#include "planpagetesting.h"
#include "testing/registry.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>
#include <QUndoStack>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestExplainDialog : public QObject, private PlanPageFixture {
    Q_OBJECT
private slots:
    void init();
    void cleanup() { close(); }
    void tablesAndScheduleOfThePlan();
    void followsThePlan();
    void costsRowByRow();
    void otherModelsOfferDetailed();
    void copiesAndSaves();
    void rangesOnThePage();
    void brokenExplainersAreSentences();

private:
    QDialog *opened();
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
    part<QTabWidget>(*dialog, u"tabs"_s)->setCurrentIndex(3);
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
    QVERIFY(part<QLabel>(*dialog, u"formulaLabel"_s)->text().contains(u"nodes_usd + network_usd"_s));
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
    QVERIFY(warnings->toPlainText().contains(u"spare_nodes"_s)); // what the sheet assumes is said
}

void TestExplainDialog::otherModelsOfferDetailed()
{
    choose(part<QComboBox>(*m_page, u"costModelCombo"_s), u"first-order"_s);
    QTRY_COMPARE(saved().costModelId, std::string("first-order"));
    auto *dialog = opened();
    auto *offer = part<QPushButton>(*dialog, u"detailedButton"_s);
    QTRY_VERIFY(offer->isVisible());
    QVERIFY(part<QLabel>(*dialog, u"sentence"_s)->text().contains(u"first-order"_s));
    QVERIFY(!part<QTabWidget>(*dialog, u"tabs"_s)->isVisible());
    auto *figures = part<QTextBrowser>(*dialog, u"figures"_s); // what that model does explain
    QVERIFY(figures->isVisible() && figures->height() > dialog->height() / 2);
    QVERIFY2(figures->toPlainText().contains(u"Step time = "_s), qPrintable(figures->toPlainText().left(400)));
    QVERIFY(figures->toPlainText().contains(u"straggler factor"_s));
    QTest::mouseClick(offer, Qt::LeftButton);
    QTRY_COMPARE(saved().costModelId, std::string("detailed"));
    QTRY_VERIFY(part<QTabWidget>(*dialog, u"tabs"_s)->isVisible());
    QVERIFY(!offer->isVisible());
    QVERIFY(!figures->isVisible());
}

void TestExplainDialog::copiesAndSaves()
{
    auto *dialog = opened();
    auto *tabs = part<QTabWidget>(*dialog, u"tabs"_s);
    QTRY_VERIFY(part<QPushButton>(*dialog, u"csvButton"_s)->isVisible());
    const QStringList firstKeys{u"part"_s, u"group"_s, u"stage"_s, u"stage"_s};
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
    QTRY_VERIFY(part<QLabel>(dialog, u"sentence"_s)->text().contains(u"a fault"_s));
    QVERIFY(!part<QPushButton>(dialog, u"csvButton"_s)->isVisible());
}

FLEETWRIGHT_TEST(TestExplainDialog)
#include "tst_explaindialog.moc"
