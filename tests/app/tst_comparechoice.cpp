// SPDX-License-Identifier: GPL-3.0-or-later
// What is chosen on the Compare page, and what its table starts with.
#include "app/mainwindow.h"
#include "app/pages/compare/comparepage.h"
#include "app/pages/compare/comparisoncharts.h"
#include "charts/chartdecoration.h"
#include "charts/chartview.h"
#include "itemmodels/comparisonmodel.h"
#include "pagetesting.h"
#include "testing/registry.h"

#include <QChart>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTextBrowser>
#include <QTreeView>

using namespace fleetwright;
using namespace fleetwright::app;
using itemmodels::ComparisonModel;
using namespace Qt::StringLiterals;

namespace {

constexpr int tickedUnasked = 4;
constexpr int leastRowTitle = 30; // characters

} // namespace

class CompareChoiceTest : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void inputsThatDifferFollowWhatDecides();
    void groupsFold();
    void figuresRunFromLeftToRight();
    void allAndNoneAndDifferencesOnly();
    void theLastPlansAreTicked();
    void rowNamesAndLegendAreInSight();
    void verdictNamesTheBestAndLeadsToIt();
    void modelsThatSayNothingOfThePlanAreFolded();
    void moneyLeadsToExplain();

private:
    void waitForColumns(int count) { QTRY_COMPARE(m_model->columnCount(), count + 1); }
    void tick(int row)
    {
        m_plans->setFocus();
        m_plans->setCurrentRow(row);
        QTest::keyClick(m_plans, Qt::Key_Space);
    }
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
    int m_modelCount = 0;
};

void CompareChoiceTest::init()
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
    m_modelCount = int(costModels().size());
}

void CompareChoiceTest::cleanup()
{
    m_page.reset();
    m_workspace.reset();
}

void CompareChoiceTest::select(const QString &key, int column)
{
    const auto index = m_model->indexOf(key, std::size_t(column));
    QVERIFY(index.isValid());
    m_table->scrollTo(index);
    QTest::mouseClick(m_table->viewport(), Qt::LeftButton, {}, m_table->visualRect(index).center());
    QCOMPARE(m_table->currentIndex(), index);
}

void CompareChoiceTest::showModels()
{
    m_page->show();
    part<QTabBar>(*m_page, u"viewTabs"_s)->setCurrentIndex(1);
    waitForColumns(m_modelCount);
}

void CompareChoiceTest::inputsThatDifferFollowWhatDecides()
{
    m_page->show();
    waitForColumns(tickedUnasked);
    QCOMPARE(m_model->headerData(0, Qt::Vertical).toString(), u"What decides"_s);
    QTRY_COMPARE(m_table->rowAt(0), 0); // in sight
    QVERIFY(m_model->indexOf(u"input/fleet.fabric"_s, 0).row() < m_model->indexOf(u"step_time_s"_s, 0).row());
    QVERIFY(m_model->indexOf(u"run_time_high_s"_s, 0).isValid()); // how sure it is
    select(u"input/fleet.fabric"_s, 1);
    QVERIFY2(explanation().contains(u"InfiniBand HDR"_s), qPrintable(explanation()));
    QCOMPARE(m_model->indexOf(u"input/fleet.fabric"_s, 0).data().toString(), u"InfiniBand NDR"_s);
    QVERIFY(!m_model->indexOf(u"input/fleet.nodes"_s, 0).isValid()); // the same in all
    // What the plans have is what their page has: an edit moves it.
    auto edited = m_workspace->plans()[0].document;
    edited.fleet.nodes *= 2;
    QVERIFY(m_workspace->editPlan(m_workspace->plans()[0].id, edited));
    QTRY_VERIFY(m_model->indexOf(u"input/fleet.nodes"_s, 0).isValid());
    showModels();
    QVERIFY(!m_model->indexOf(u"input/fleet.nodes"_s, 0).isValid()); // it is one plan
}

/// By a click on the heading or its row, and by a key; what is folded is still copied.
void CompareChoiceTest::groupsFold()
{
    m_page->resize(1060, 700);
    m_page->show();
    waitForColumns(tickedUnasked);
    QSignalSpy told(m_page.get(), &ComparePage::foldedGroupsChanged);
    const int feasible = m_model->indexOf(u"feasible"_s, 0).row();
    const auto inHeader = [&](int row) {
        const auto *header = m_table->verticalHeader();
        return QPoint(20, header->sectionViewportPosition(row) + header->sectionSize(row) / 2);
    };
    m_table->setCurrentIndex(m_model->index(feasible, 2));
    QTest::mouseClick(m_table->verticalHeader()->viewport(), Qt::LeftButton, {}, inHeader(0));
    QVERIFY(m_table->isRowHidden(feasible) && !m_table->isRowHidden(0));
    QCOMPARE(m_table->currentIndex().row(), 0); // what keys act on is seen
    QCOMPARE(told.back().front().toStringList(), QStringList{u"What decides"_s});
    QTest::mouseClick(part<QPushButton>(*m_page, u"copyButton"_s), Qt::LeftButton);
    QVERIFY(QGuiApplication::clipboard()->text().contains(u"\nFeasible\t"_s));
    m_table->setFocus();
    QTest::keyClick(m_table, Qt::Key_Space);
    QVERIFY(!m_table->isRowHidden(feasible));
    QTest::mouseClick(m_table->viewport(), Qt::LeftButton, {}, m_table->visualRect(m_model->index(0, 1)).center());
    QVERIFY(m_table->isRowHidden(feasible));
    // It stays so for another choice of plans, and for the next page.
    tick(0);
    waitForColumns(tickedUnasked - 1);
    QVERIFY(m_table->isRowHidden(m_model->indexOf(u"feasible"_s, 0).row()));
    m_page->setFoldedGroups({});
    QVERIFY(!m_table->isRowHidden(m_model->indexOf(u"feasible"_s, 0).row()));
}

/// A cell reads the same in a window that runs from right to left: the difference beside the value, not over it.
void CompareChoiceTest::figuresRunFromLeftToRight()
{
    m_page->show();
    waitForColumns(tickedUnasked);
    const auto painted = [&](Qt::LayoutDirection direction) {
        QImage image(160, 22, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.setLayoutDirection(direction);
        QStyleOptionViewItem option;
        option.initFrom(m_table);
        option.direction = Qt::LeftToRight;
        option.state = QStyle::State_Enabled;
        option.rect = image.rect();
        m_table->itemDelegate()->paint(&painter, option, m_model->indexOf(u"run_time_s"_s, 1));
        return image;
    };
    QCOMPARE(painted(Qt::RightToLeft), painted(Qt::LeftToRight));
}

void CompareChoiceTest::allAndNoneAndDifferencesOnly()
{
    m_page->show();
    waitForColumns(tickedUnasked);
    QTest::mouseClick(part<QPushButton>(*m_page, u"noneButton"_s), Qt::LeftButton);
    QTRY_VERIFY(part<QLabel>(*m_page, u"messageLabel"_s)->text().contains(u"Tick at least one plan"_s));
    QTest::keyClicks(part<QLineEdit>(*m_page, u"planSearch"_s), u"ethernet"_s);
    QTest::mouseClick(part<QPushButton>(*m_page, u"allButton"_s), Qt::LeftButton);
    waitForColumns(2); // those that the search leaves
    part<QLineEdit>(*m_page, u"planSearch"_s)->clear();
    QTest::mouseClick(part<QPushButton>(*m_page, u"allButton"_s), Qt::LeftButton);
    waitForColumns(m_plans->count());
    const int all = m_model->rowCount();
    auto *only = part<QCheckBox>(*m_page, u"differencesOnly"_s);
    select(u"step_time_s"_s, 1);
    only->setFocus();
    QTest::keyClick(only, Qt::Key_Space);
    QVERIFY(m_model->rowCount() < all);
    QCOMPARE(m_table->currentIndex(), m_model->indexOf(u"step_time_s"_s, 1)); // stays chosen
    QTest::keyClick(only, Qt::Key_Space);
    QCOMPARE(m_model->rowCount(), all);
}

void CompareChoiceTest::theLastPlansAreTicked()
{
    m_current = m_workspace->plans()[7].id;
    m_page->show();
    waitForColumns(tickedUnasked);
    QCOMPARE(m_plans->item(7)->checkState(), Qt::Checked);
    tick(0); // a choice of somebody's own
    waitForColumns(tickedUnasked - 1);
    auto made = m_workspace->plans()[0].document;
    made.name = "Just made";
    QVERIFY(m_workspace->addPlan(made));
    waitForColumns(tickedUnasked);
    QCOMPARE(m_plans->item(m_plans->count() - 1)->checkState(), Qt::Checked);
    QCOMPARE(m_plans->item(0)->checkState(), Qt::Unchecked);
}

void CompareChoiceTest::rowNamesAndLegendAreInSight()
{
    m_page->show();
    waitForColumns(tickedUnasked);
    const auto *titles = m_table->verticalHeader();
    const auto metrics = titles->fontMetrics();
    int longest = 0;
    QStringList seen;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const auto title = m_model->headerData(row, Qt::Vertical).toString();
        QVERIFY2(m_model->headerData(row, Qt::Vertical, Qt::ToolTipRole).toString().contains(title),
            qPrintable(title)); // whole, where it is cut
        longest = std::max(longest, metrics.horizontalAdvance(title));
        seen << metrics.elidedText(title, Qt::ElideRight, titles->width());
    }
    // Figures have the room first, but what is left of a name tells it from the others.
    QVERIFY2(titles->width() >= std::min(longest, leastRowTitle * m_table->fontMetrics().averageCharWidth()),
        qPrintable(QString::number(titles->width())));
    QVERIFY2(seen.removeDuplicates() == 0, qPrintable(seen.join(u'\n')));
    const auto chart = stepChart(*m_model->comparison())->draw(charts::Theme::light());
    chart->resize(400, 900); // higher than what is seen of it
    QVERIFY(chart->margins().top() > chart->margins().bottom()); // the legend's room
    QVERIFY(part<QLabel>(*m_page, u"summaryLabel"_s)->text().contains(u"\u2605 the best of its row"_s));
}

void CompareChoiceTest::verdictNamesTheBestAndLeadsToIt()
{
    m_page->show();
    waitForColumns(tickedUnasked);
    const auto *verdict = part<QLabel>(*m_page, u"verdictLabel"_s);
    QVERIFY2(verdict->isVisible()
            && verdict->text().startsWith(u"The cheapest run of the 3 plans that keep their limits: TP 8, PP 4, M 16 "
                                          "on InfiniBand NDR, "_s)
            && verdict->text().contains(u" Out: TP 2, PP 4, M 16 on InfiniBand NDR (Memory capacity: "_s),
        qPrintable(verdict->text()));
    auto *open = part<QPushButton>(*m_page, u"openButton"_s);
    QVERIFY(open->isVisible());
    // The same work on twice the nodes costs more, as they do not scale for nothing, and is done first.
    auto cheap = m_workspace->plans()[0].document;
    cheap.name = "Few nodes";
    cheap.training.tokenBudget = 1e12;
    const auto id = m_workspace->addPlan(cheap);
    QVERIFY(id);
    auto dear = cheap;
    dear.name = "Twice the nodes";
    dear.fleet.nodes *= 2;
    QVERIFY(m_workspace->addPlan(dear));
    part<QPushButton>(*m_page, u"noneButton"_s)->click();
    tick(m_plans->count() - 2);
    tick(m_plans->count() - 1);
    waitForColumns(2);
    QTRY_VERIFY2(verdict->text().startsWith(u"The cheapest run of the 2 plans that keep their limits: Few nodes, "_s),
        qPrintable(verdict->text()));
    QVERIFY2(verdict->text().contains(u" Done first: Twice the nodes, "_s), qPrintable(verdict->text()));
    QVERIFY(open->isVisible());
    QSignalSpy asked(m_page.get(), &Page::planRequested);
    QTest::mouseClick(open, Qt::LeftButton);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.front().front().toLongLong(), *id);
    // Models are no rivals.
    part<QTabBar>(*m_page, u"viewTabs"_s)->setCurrentIndex(1);
    waitForColumns(m_modelCount);
    QVERIFY2(verdict->text().contains(u"no rivals"_s), qPrintable(verdict->text()));
    QVERIFY(!open->isVisible());
}

void CompareChoiceTest::modelsThatSayNothingOfThePlanAreFolded()
{
    auto large = m_workspace->plans()[0].document;
    large.name = "Large";
    large.fleet.nodes = 512;
    large.training.globalBatch = 4096;
    const auto id = m_workspace->addPlan(large);
    QVERIFY(id);
    m_current = *id;
    showModels();
    const auto &comparison = *m_model->comparison();
    QCOMPARE(QString::fromStdString(comparison.plans.front().name), u"Large"_s);
    int aside = 0;
    for (std::size_t i = 0; i < comparison.columns.size(); ++i) {
        QCOMPARE(m_table->isColumnHidden(int(i) + 1), comparison.isAside(i));
        aside += comparison.isAside(i);
    }
    QVERIFY(aside >= 2); // Searcher and Data-parallel wall
    // The legend has those alone of which something is drawn.
    const auto spread = spreadChart(comparison, u"step_time_s"_s);
    QVERIFY(spread.has_value());
    QStringList named;
    const auto drawn = spread->draw(charts::Theme::light());
    for (auto *part : drawn->childItems())
        if (const auto *legend = dynamic_cast<charts::ChartLegend *>(part))
            named << legend->entries();
    QVERIFY2(named.contains(u"First-order"_s) && !named.contains(u"Searcher"_s), qPrintable(named.join(u", "_s)));
    auto *box = part<QCheckBox>(*m_page, u"asideBox"_s);
    QVERIFY2(box->isVisible() && box->text().contains(QString::number(aside)), qPrintable(box->text()));
    QVERIFY(part<QLabel>(*m_page, u"verdictLabel"_s)->text().contains(u"not made for such a plan"_s));
    QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(10, box->height() / 2));
    for (int column = 1; column < m_model->columnCount(); ++column)
        QVERIFY(!m_table->isColumnHidden(column));
    m_table->setCurrentIndex(m_model->indexOf(u"step_time_s"_s, comparison.columns.size() - 1));
    QVERIFY2(explanation().contains(u"not made for such a plan"_s), qPrintable(explanation()));
}

/// The cost of a run is a row of the worksheet: from there on Explain says what it adds up.
void CompareChoiceTest::moneyLeadsToExplain()
{
    m_page.reset();
    Settings settings(m_folder->filePath(u"settings.ini"_s));
    MainWindow window(settings, m_prompts);
    QVERIFY(
        window.workspace().createSample(m_folder->filePath(u"other.fleetwright"_s), storage::ShippedProject::Decision));
    window.resize(1280, 800);
    window.show();
    window.showPage(u"compare"_s);
    auto *table = part<QTableView>(*part<QWidget>(window, u"ComparePage"_s), u"table"_s);
    const auto *model = qobject_cast<const ComparisonModel *>(table->model());
    QTRY_VERIFY(model->columnCount() > 1);
    table->setCurrentIndex(model->indexOf(u"run_cost_usd"_s, 0));
    auto *browser = part<QTextBrowser>(window, u"explanation"_s);
    QVERIFY2(!browser->toPlainText().contains(u"= w"_s), qPrintable(browser->toPlainText()));
    QVERIFY2(browser->toHtml().contains(u"explain:run_cost_usd"_s), qPrintable(browser->toPlainText()));
    emit browser->anchorClicked(QUrl(u"explain:run_cost_usd"_s));
    QCOMPARE(window.currentPage(), u"plans"_s);
    QTRY_VERIFY(window.findChild<QTreeView *>(u"workingTree"_s));
    const auto *tree = window.findChild<QTreeView *>(u"workingTree"_s);
    QTRY_VERIFY(tree->currentIndex().isValid() && tree->isExpanded(tree->currentIndex().siblingAtColumn(0)));
    const auto chosen = [tree] { return tree->currentIndex().siblingAtColumn(0).data().toString(); };
    QVERIFY2(chosen().startsWith(u"Cost of the run"_s), qPrintable(chosen()));
    // One that is no question is found by its name.
    window.showPage(u"compare"_s);
    emit browser->anchorClicked(QUrl(u"explain:it_power_w"_s));
    QTRY_VERIFY2(chosen().startsWith(u"IT peak power"_s), qPrintable(chosen()));
}

FLEETWRIGHT_TEST(CompareChoiceTest)
#include "tst_comparechoice.moc"
