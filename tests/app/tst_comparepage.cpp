// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/mainwindow.h"
#include "app/pages/compare/comparepage.h"
#include "app/pages/compare/comparisoncharts.h"
#include "charts/chartview.h"
#include "itemmodels/comparisonmodel.h"
#include "pagetesting.h"
#include "solver/answer/comparisontext.h"
#include "testing/registry.h"

#include <QChart>
#include <QCheckBox>
#include <QHeaderView>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>

using namespace fleetwright;
using namespace fleetwright::app;
using itemmodels::ComparisonModel;
using namespace Qt::StringLiterals;

namespace {

constexpr int usualPlans = 4; // ticked unasked, of the sample's nineteen

/// Ticks or unticks an entry by keys, as a user without a mouse does.
void tick(QListWidget *list, int row)
{
    list->setFocus();
    list->setCurrentRow(row);
    QTest::keyClick(list, Qt::Key_Space);
}

} // namespace

class ComparePageTest : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void opensWithThePlansByTheProjectsModel();
    void modelsPriceTheCurrentPlan();
    void everyPublishedModelAnswersOnTheSample();
    void plansAndModelsAreChosenByKeys();
    void searchHidesOtherPlans();
    void emptyChoiceSaysWhatToDo();
    void emptyProjectSaysWhatToDo();
    void rowNamesLeaveRoomForFigures();
    void referenceChangesDifferences();
    void selectedCellExplainsItself();
    void linksLeadToInputsAndBack();
    void catalogLinksAskForTheItem();
    void limitationsAreShown();
    void chartsFollowTheChoice();
    void tableAndSelectionAreCopied();
    void csvIsSaved();
    void editsAreComparedAnew();
    void refusalsStandInTheirColumn();
    void whatEveryModelRefusesIsSaid();
    void nothingIsWiderThanTheWindow();
    void planPageAndMenuOpenIt();

private:
    void waitForColumns(int count) { QTRY_COMPARE(m_model->columnCount(), count + 1); }
    void showModels();
    void select(const QString &key, int column);
    [[nodiscard]] QString explanation() { return part<QTextBrowser>(*m_page, u"explanation"_s)->toPlainText(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Workspace> m_workspace;
    ScriptedPrompts m_prompts;
    std::unique_ptr<ComparePage> m_page;
    qint64 m_current = 0;
    QTableView *m_table = nullptr;
    const ComparisonModel *m_model = nullptr;
    QListWidget *m_plans = nullptr;
    QListWidget *m_models = nullptr;
    int m_modelCount = 0;
};

void ComparePageTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_workspace = std::make_unique<Workspace>();
    QVERIFY(m_workspace->createSample(m_folder->filePath(u"sample.fleetwright"_s), storage::ShippedProject::Tutorial));
    m_current = 0;
    m_page = std::make_unique<ComparePage>(*m_workspace, m_prompts, [this] { return m_current; });
    m_page->resize(1096, 740); // what a window of 1280 x 800 leaves beside the navigation
    m_table = part<QTableView>(*m_page, u"table"_s);
    m_model = qobject_cast<const ComparisonModel *>(m_table->model());
    m_plans = part<QListWidget>(*m_page, u"planList"_s);
    m_models = part<QListWidget>(*m_page, u"modelList"_s);
    m_modelCount = int(costModels().size());
}

void ComparePageTest::cleanup()
{
    m_page.reset();
    m_workspace.reset();
}

void ComparePageTest::select(const QString &key, int column)
{
    const auto index = m_model->indexOf(key, std::size_t(column));
    QVERIFY(index.isValid());
    m_table->scrollTo(index);
    QTest::mouseClick(m_table->viewport(), Qt::LeftButton, {}, m_table->visualRect(index).center());
    QCOMPARE(m_table->currentIndex(), index);
}

void ComparePageTest::showModels()
{
    m_page->show();
    part<QTabBar>(*m_page, u"viewTabs"_s)->setCurrentIndex(1);
    waitForColumns(m_modelCount);
}

void ComparePageTest::opensWithThePlansByTheProjectsModel()
{
    m_page->show();
    waitForColumns(usualPlans);
    for (const auto &column : m_model->comparison()->columns)
        QCOMPARE(QString::fromStdString(column.modelId),
            QString::fromStdString(m_workspace->plans().front().document.costModelId));
    QVERIFY(m_plans->isVisible());
    QVERIFY(!m_models->isVisible());
    auto *model = part<QComboBox>(*m_page, u"oneModel"_s);
    QCOMPARE(model->currentIndex(), 0); // each plan's own
    model->setFocus();
    QTest::keyClick(model, Qt::Key_End);
    const auto chosen = model->currentData().toString();
    QTRY_COMPARE(QString::fromStdString(m_model->comparison()->columns.front().modelId), chosen);
    // Other figures than on the plans' own pages: that is said.
    const auto verdict = part<QLabel>(*m_page, u"verdictLabel"_s)->text();
    QVERIFY2(verdict.contains(u"not the own cost model of"_s), qPrintable(verdict));
}

void ComparePageTest::modelsPriceTheCurrentPlan()
{
    m_current = m_workspace->plans()[2].id;
    showModels();
    QVERIFY(!m_plans->isVisible());
    QVERIFY(m_models->isVisible());
    QCOMPARE(m_model->comparison()->plans.size(), 1UZ);
    QCOMPARE(QString::fromStdString(m_model->comparison()->plans[0].name),
        QString::fromStdString(m_workspace->plans()[2].document.name));
}

void ComparePageTest::everyPublishedModelAnswersOnTheSample()
{
    showModels();
    for (const auto &column : m_model->comparison()->columns)
        QVERIFY2(
            column.solution, column.solution ? "" : (column.modelId + ": " + column.solution.error().message).c_str());
    QVERIFY(!part<QLabel>(*m_page, u"summaryLabel"_s)->text().contains(u"Refused"_s));
}

void ComparePageTest::plansAndModelsAreChosenByKeys()
{
    m_page->show();
    const int all = usualPlans;
    waitForColumns(all);
    tick(m_plans, 1);
    waitForColumns(all - 1);
    showModels();
    tick(m_models, 0);
    waitForColumns(m_modelCount - 1);
    tick(m_models, 0);
    waitForColumns(m_modelCount);
    // The choice stays in the other view and while the page is hidden, whatever plan is current elsewhere.
    part<QTabBar>(*m_page, u"viewTabs"_s)->setCurrentIndex(0);
    m_page->hide();
    m_current = m_workspace->plans()[3].id;
    m_page->show();
    waitForColumns(all - 1);
    QCOMPARE(m_plans->item(1)->checkState(), Qt::Unchecked);
    QCOMPARE(m_plans->item(3)->checkState(), Qt::Checked);
}

void ComparePageTest::searchHidesOtherPlans()
{
    m_page->show();
    auto *search = part<QLineEdit>(*m_page, u"planSearch"_s);
    QTest::keyClicks(search, u"ethernet"_s);
    int shown = 0;
    for (int i = 0; i < m_plans->count(); ++i) {
        QCOMPARE(!m_plans->item(i)->isHidden(), m_plans->item(i)->text().contains(u"Ethernet"_s));
        shown += !m_plans->item(i)->isHidden();
    }
    QVERIFY(shown > 0 && shown < m_plans->count());
}

void ComparePageTest::emptyChoiceSaysWhatToDo()
{
    m_page->show();
    waitForColumns(usualPlans);
    for (int i = 0; i < usualPlans; ++i)
        tick(m_plans, i);
    QTRY_VERIFY(part<QLabel>(*m_page, u"messageLabel"_s)->text().contains(u"Tick at least one plan"_s));
    QVERIFY(!part<QPushButton>(*m_page, u"copyButton"_s)->isEnabled());
    tick(m_plans, 0);
    waitForColumns(1);
    QVERIFY(part<QPushButton>(*m_page, u"copyButton"_s)->isEnabled());
    QVERIFY(part<QLabel>(*m_page, u"summaryLabel"_s)->text().startsWith(u"One plan"_s));
}

void ComparePageTest::emptyProjectSaysWhatToDo()
{
    QVERIFY(m_workspace->createProject(m_folder->filePath(u"empty.fleetwright"_s)));
    m_page->show();
    QCOMPARE(part<QStackedWidget>(*m_page, u"stack"_s)->currentWidget(), part<QWidget>(*m_page, u"emptyPage"_s));
    QSignalSpy asked(m_page.get(), &Page::planRequested);
    QTest::mouseClick(part<QPushButton>(*m_page, u"emptyPlansButton"_s), Qt::LeftButton);
    QCOMPARE(asked.size(), 1);
}

/// Which plan is best, by what, and the way to it.
/// Figures come first: the names of rows take what they leave.
void ComparePageTest::rowNamesLeaveRoomForFigures()
{
    m_page->show();
    waitForColumns(usualPlans);
    const auto *names = m_table->verticalHeader();
    QVERIFY2(names->width() < m_table->width() / 3, qPrintable(QString::number(names->width())));
    for (int column = 1; column <= 3; ++column)
        QVERIFY(m_table->viewport()->width() >= m_table->columnViewportPosition(column) + m_table->columnWidth(column));
    const int before = names->width();
    m_page->resize(1736, 1020); // of a window of 1920 by 1080
    QCoreApplication::processEvents();
    QVERIFY2(names->width() > before + 80, qPrintable(u"%1 after %2"_s.arg(names->width()).arg(before)));
}

void ComparePageTest::referenceChangesDifferences()
{
    m_page->show();
    waitForColumns(usualPlans);
    const auto second = m_model->indexOf(u"step_time_s"_s, 1);
    const QString before = second.data(ComparisonModel::DifferenceRole).toString();
    QVERIFY(before.contains(u'%') || before.contains(u'\u00d7'));
    auto *reference = part<QComboBox>(*m_page, u"reference"_s);
    reference->setFocus();
    QTest::keyClick(reference, Qt::Key_Down);
    QCOMPARE(reference->currentIndex(), 1);
    QVERIFY(second.data(ComparisonModel::DifferenceRole).toString().isEmpty());
    QVERIFY(!second.siblingAtColumn(1).data(ComparisonModel::DifferenceRole).toString().isEmpty());
}

void ComparePageTest::selectedCellExplainsItself()
{
    showModels();
    select(u"mfu"_s, 1); // of the second model, first-order
    const QString shown = explanation();
    static const QRegularExpression digits(u"[0-9.]{12}"_s);
    QVERIFY2(!shown.contains(digits), qPrintable(shown));
    QVERIFY2(shown.contains(u"MFU = "_s), qPrintable(shown));
    QVERIFY(shown.contains(u"E \u00b7 U_m"_s));
    QVERIFY(shown.contains(u"First-order version"_s));
    select(u"it_power_w"_s, 0);
    QVERIFY(explanation().contains(u"IT peak power of the worksheet"_s));
    QVERIFY(explanation().contains(
        u"IT peak power = Peak power of the nodes + Network power + \u201cStorage and management power\u201d"_s)); // its
                                                                                                                   // formula
    select(u"node_mtbf_s"_s, 0);
    QVERIFY(explanation().contains(u"confidence: "_s)); // where the catalog has it from
    QTest::keyClick(m_table, Qt::Key_Return);
    QVERIFY(part<QTextBrowser>(*m_page, u"explanation"_s)->hasFocus() || !m_page->isActiveWindow());
    for (int row = 0; row < m_model->rowCount(); ++row)
        for (int column = 1; column < m_model->columnCount(); ++column) {
            if (m_model->isHeading(row))
                continue;
            m_table->setCurrentIndex(m_model->index(row, column));
            QVERIFY(explanation().size() > 20);
        }
}

void ComparePageTest::linksLeadToInputsAndBack()
{
    showModels();
    select(u"step_time_s"_s, 1); // of the second model, first-order
    auto *browser = part<QTextBrowser>(*m_page, u"explanation"_s);
    QVERIFY(browser->toHtml().contains(u"figure:details.node_latency_s"_s));
    emit browser->anchorClicked(QUrl(u"figure:details.node_latency_s"_s));
    QVERIFY(explanation().contains(u"Node latency"_s));
    QVERIFY(explanation().contains(u"Back to Step time"_s));
    emit browser->anchorClicked(QUrl(u"figure:overhead_time_s"_s));
    QVERIFY(explanation().contains(u"dispatch overhead"_s));
    browser->setFocus();
    QTest::keyClick(browser, Qt::Key_Backspace);
    QTRY_VERIFY(explanation().contains(u"Node latency"_s));
    emit browser->anchorClicked(QUrl(u"back:"_s));
    QVERIFY(explanation().startsWith(u"Step time"_s));
    QVERIFY(!explanation().contains(u"Back to"_s));
}

void ComparePageTest::catalogLinksAskForTheItem()
{
    showModels();
    select(u"node_mtbf_s"_s, 0);
    auto *browser = part<QTextBrowser>(*m_page, u"explanation"_s);
    QVERIFY(browser->toHtml().contains(u"record:nodes/nvidia_dgx_h100"_s));
    QString asked;
    connect(m_page.get(), &ComparePage::recordRequested, this, [&asked](CatalogKind kind, const QString &id) {
        asked = QString::fromStdString(std::string(toString(kind))) + u'/' + id;
    });
    emit browser->anchorClicked(QUrl(u"record:nodes/nvidia_dgx_h100"_s));
    QCOMPARE(asked, u"nodes/nvidia_dgx_h100"_s);
}

void ComparePageTest::limitationsAreShown()
{
    showModels();
    const QString shown = part<QTextBrowser>(*m_page, u"limitations"_s)->toPlainText();
    auto *browser = part<QTextBrowser>(*m_page, u"explanation"_s);
    QVERIFY(browser->toHtml().contains(u"limits:"_s));
    emit browser->anchorClicked(QUrl(u"limits:"_s));
    QCOMPARE(part<QTabWidget>(*m_page, u"textTabs"_s)->currentIndex(), 1);
    for (const auto *model : costModels()) {
        QVERIFY(shown.contains(QString::fromStdString(std::string(model->title()))));
        if (!model->limitations().empty())
            QVERIFY(shown.contains(QString::fromStdString(std::string(model->limitations().front().text))));
    }
}

void ComparePageTest::chartsFollowTheChoice()
{
    m_page->show();
    waitForColumns(usualPlans);
    auto *steps = part<charts::ChartView>(*m_page, u"stepChart"_s);
    auto *spread = part<charts::ChartView>(*m_page, u"spreadChart"_s);
    QTRY_VERIFY(!steps->accessibleDescription().isEmpty());
    const QString before = steps->accessibleDescription();
    // Plans that are near each other are stacks that are seen at once; those decades apart are bars on a logarithm.
    const auto kindOf = [](const Comparison &comparison) {
        const auto chart = stepChart(comparison)->draw(charts::Theme::light());
        return chart->series().first()->type();
    };
    auto comparison = *m_model->comparison();
    std::erase_if(comparison.columns, [](const ComparisonColumn &column) { return !column.solution; });
    QVERIFY(comparison.columns.size() > 1);
    for (auto &column : comparison.columns)
        column.solution = comparison.columns.front().solution;
    QCOMPARE(kindOf(comparison), QAbstractSeries::SeriesTypeHorizontalStackedBar);
    comparison.columns.back().solution->breakdown.compute *= 1000;
    QVERIFY(kindOf(comparison) != QAbstractSeries::SeriesTypeHorizontalStackedBar);
    tick(m_plans, 1);
    waitForColumns(usualPlans - 1);
    QVERIFY(steps->accessibleDescription() != before);
    QVERIFY(part<charts::ChartView>(*m_page, u"memoryChart"_s)->accessibleDescription().contains(u"capacity"_s));
    auto *tabs = part<QTabWidget>(*m_page, u"chartTabs"_s);
    tabs->setCurrentIndex(2);
    QVERIFY(spread->accessibleDescription().startsWith(u"Step time"_s));
    auto *figure = part<QComboBox>(*m_page, u"spreadFigure"_s);
    choose(figure, u"mfu"_s);
    QVERIFY(spread->accessibleDescription().startsWith(u"MFU"_s));
}

void ComparePageTest::tableAndSelectionAreCopied()
{
    showModels();
    QTest::mouseClick(part<QPushButton>(*m_page, u"copyButton"_s), Qt::LeftButton);
    const QString all = QGuiApplication::clipboard()->text();
    QVERIFY(all.startsWith(u"Figure\t"_s));
    QCOMPARE(all.count(u'\n'), m_model->rowCount() + 1);
    m_page->activateWindow();
    select(u"mfu"_s, 0);
    m_table->setFocus();
    if (m_table->hasFocus()) {
        m_page->copy();
        const auto lines = QGuiApplication::clipboard()->text().trimmed().split(u'\n');
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[1].startsWith(u"MFU [%]\t"_s));
    }
}

void ComparePageTest::csvIsSaved()
{
    showModels();
    const QString path = m_folder->filePath(u"comparison.csv"_s);
    m_prompts.fileName = path;
    QTest::mouseClick(part<QPushButton>(*m_page, u"csvButton"_s), Qt::LeftButton);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("\r\nstep_time_s,"));
    m_prompts.fileName = m_folder->filePath(u"no/such/folder/comparison.csv"_s);
    QTest::mouseClick(part<QPushButton>(*m_page, u"csvButton"_s), Qt::LeftButton);
    QCOMPARE(m_prompts.errors.size(), 1UZ);
    m_prompts.errors.clear();
}

void ComparePageTest::editsAreComparedAnew()
{
    m_page->show();
    waitForColumns(usualPlans);
    select(u"tokens_per_s"_s, 0);
    const auto before = *m_model->comparison()->row("tokens_per_s")->cells[0].value;
    auto edited = m_workspace->plans()[0].document;
    edited.training.globalBatch *= 2;
    QVERIFY(m_workspace->editPlan(m_workspace->plans()[0].id, edited));
    QTRY_VERIFY(*m_model->comparison()->row("tokens_per_s")->cells[0].value > before);
    QCOMPARE(m_table->currentIndex(), m_model->indexOf(u"tokens_per_s"_s, 0)); // the selection stays
    QVERIFY(explanation().contains(u"Tokens per second"_s));
    QVERIFY(m_workspace->removePlan(m_workspace->plans()[0].id));
    QTRY_VERIFY(part<QLabel>(*m_page, u"messageLabel"_s)->isVisible() || m_model->columnCount() > 0);
}

void ComparePageTest::refusalsStandInTheirColumn()
{
    auto broken = m_workspace->plans()[0].document;
    broken.name = "Does not divide";
    broken.parallelism.tp = 3;
    QVERIFY(m_workspace->addPlan(broken));
    m_page->show();
    waitForColumns(usualPlans); // the plan just made among them
    QCOMPARE(m_plans->item(m_plans->count() - 1)->checkState(), Qt::Checked);
    const auto cell = m_model->indexOf(u"step_time_s"_s, m_model->comparison()->columns.size() - 1);
    QCOMPARE(cell.data().toString(), u"refused"_s);
    QVERIFY(!cell.data(Qt::ToolTipRole).toString().isEmpty());
    QVERIFY(part<QLabel>(*m_page, u"summaryLabel"_s)->text().contains(u"Refused columns: 1"_s));
}

void ComparePageTest::whatEveryModelRefusesIsSaid()
{
    auto broken = m_workspace->plans()[0].document;
    broken.parallelism.tp = 3;
    QVERIFY(m_workspace->addPlan(broken));
    m_page->show();
    for (int i = 0; i < usualPlans - 1; ++i) // the plan just made is ticked, too
        tick(m_plans, i);
    QTRY_VERIFY(part<QLabel>(*m_page, u"messageLabel"_s)->text().contains(u" refused: "_s));
}

void ComparePageTest::nothingIsWiderThanTheWindow()
{
    m_page->show();
    waitForColumns(usualPlans);
    auto longer = m_workspace->plans()[0].document;
    longer.name = std::string(200, 'x');
    QVERIFY(m_workspace->editPlan(m_workspace->plans()[0].id, longer));
    QTRY_COMPARE(QString::fromStdString(m_model->comparison()->plans[0].name).size(), 200);
    QVERIFY2(m_page->minimumSizeHint().width() <= 1096, qPrintable(QString::number(m_page->minimumSizeHint().width())));
    QVERIFY2(
        m_page->minimumSizeHint().height() <= 740, qPrintable(QString::number(m_page->minimumSizeHint().height())));
    QCOMPARE(m_page->width(), 1096);
}

void ComparePageTest::planPageAndMenuOpenIt()
{
    m_page.reset();
    Settings settings(m_folder->filePath(u"settings.ini"_s));
    MainWindow window(settings, m_prompts);
    QVERIFY(
        window.workspace().createSample(m_folder->filePath(u"other.fleetwright"_s), storage::ShippedProject::Tutorial));
    window.resize(1280, 800);
    window.show();
    window.showPlan(window.workspace().plans()[3].id);
    QTest::mouseClick(part<QPushButton>(window, u"compareButton"_s), Qt::LeftButton);
    QCOMPARE(window.currentPage(), u"compare"_s);
    auto *plans = part<QListWidget>(window, u"planList"_s);
    QTRY_COMPARE(plans->item(3)->checkState(), Qt::Checked);
    QCOMPARE(plans->item(5)->checkState(), Qt::Unchecked);
    tick(plans, 1);
    QCOMPARE(plans->item(1)->checkState(), Qt::Unchecked);
    // Another plan is added to the chosen ones.
    window.showPlan(window.workspace().plans()[5].id);
    part<QAction>(window, u"actionComparePlan"_s)->trigger();
    QCOMPARE(window.currentPage(), u"compare"_s);
    QCOMPARE(plans->item(3)->checkState(), Qt::Checked);
    QCOMPARE(plans->item(5)->checkState(), Qt::Checked);
}

FLEETWRIGHT_TEST(ComparePageTest)
#include "tst_comparepage.moc"
