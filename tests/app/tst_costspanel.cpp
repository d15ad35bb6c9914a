// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/validation/costspanel.h"
#include "app/pages/validation/validationpage.h"
#include "charts/chartview.h"
#include "itemmodels/costmodels.h"
#include "pagetesting.h"
#include "solver/samplecosts.h"
#include "solver/samplevalidation.h"
#include "testing/registry.h"

#include <QAction>
#include <QChart>
#include <QFile>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>
#include <QUrl>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace fleetwright::itemmodels;
using namespace Qt::StringLiterals;

class CostsPanelTest : public QObject {
    Q_OBJECT
private slots:
    void init();
    void computesWhenShownAndWhenTheCatalogChanges();
    void aKindIsLookedAtAndLeftAgain();
    void theSelectedFigureIsExplained();
    void clickingAPointSelectsTheFigure();
    void aFaultIsSaid();
    void thePageHasTheTab();
    void tablesAreCopiedAndSaved();

private:
    void show()
    {
        m_panel->resize(1096, 700);
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
    }
    [[nodiscard]] QTableView *table(const QString &name) { return part<QTableView>(*m_panel, name); }
    [[nodiscard]] QString text() { return part<QTextBrowser>(*m_panel, u"costText"_s)->toPlainText(); }

    ScriptedPrompts m_prompts;
    int m_calls = 0;
    std::unique_ptr<CostsPanel> m_panel;
};

void CostsPanelTest::init()
{
    m_prompts = {};
    m_calls = 0;
    m_panel = std::make_unique<CostsPanel>([this] {
        ++m_calls;
        return Expected<costs::CostValidation>(samplescores::costValidation());
    });
}

void CostsPanelTest::computesWhenShownAndWhenTheCatalogChanges()
{
    QCOMPARE(m_calls, 0);
    show();
    QCOMPARE(m_calls, 1);
    QCOMPARE(table(u"costSummaryTable"_s)->model()->rowCount(), 3);
    QCOMPARE(table(u"costTable"_s)->model()->rowCount(), 5);
    QCOMPARE(table(u"costUnscoredTable"_s)->model()->rowCount(), 1);
    QVERIFY(part<QLabel>(*m_panel, u"costsLabel"_s)->text().contains(u"5 published figures"_s));
    QVERIFY2(
        part<QLabel>(*m_panel, u"costsLabel"_s)
            ->text()
            .contains(u"Purchases are typically 30.0\u00a0% off (17.0\u00a0% with the discount of large buyers), 3 of "
                      "3 computed too high."_s),
        qPrintable(part<QLabel>(*m_panel, u"costsLabel"_s)->text()));
    QCOMPARE(table(u"costTable"_s)->model()->index(0, 0).data().toString(), u"Figure <b1>"_s); // the worst first
    m_panel->refresh();
    QCOMPARE(m_calls, 2);
    m_panel->hide();
    m_panel->refresh();
    QCOMPARE(m_calls, 2);
    m_panel->show();
    QCOMPARE(m_calls, 3);
}

void CostsPanelTest::aKindIsLookedAtAndLeftAgain()
{
    show();
    auto *summary = table(u"costSummaryTable"_s);
    auto *all = part<QPushButton>(*m_panel, u"allKindsButton"_s);
    QVERIFY(!all->isEnabled());
    summary->selectRow(0);
    QCOMPARE(table(u"costTable"_s)->model()->rowCount(), 2);
    QVERIFY(text().contains(u"Figure <p1>"_s));
    QTest::mouseClick(all, Qt::LeftButton);
    QCOMPARE(table(u"costTable"_s)->model()->rowCount(), 5);
    summary->selectRow(2); // with the discount
    QCOMPARE(table(u"costTable"_s)->model()->rowCount(), 3);
    summary->setFocus();
    QTest::keyClick(summary, Qt::Key_Escape);
    QCOMPARE(table(u"costTable"_s)->model()->rowCount(), 5);
}

void CostsPanelTest::theSelectedFigureIsExplained()
{
    show();
    QVERIFY2(text().contains(u"beyond 20.0 %"_s), qPrintable(text()));
    QVERIFY(text().contains(u"Scaled from another server."_s));
    auto *figures = table(u"costTable"_s);
    figures->setFocus();
    QTest::keyClick(figures, Qt::Key_Down);
    QVERIFY2(text().contains(u"Figure <b2>"_s) && text().contains(u"With this discount"_s), qPrintable(text()));
    QSignalSpy links(m_panel.get(), &CostsPanel::linkActivated);
    emit part<QTextBrowser>(*m_panel, u"costText"_s)->anchorClicked(QUrl(u"https://example.org/b2"_s));
    QCOMPARE(links.count(), 1);
}

void CostsPanelTest::clickingAPointSelectsTheFigure()
{
    show();
    auto *scatter = part<charts::ChartView>(*m_panel, u"costScatter"_s);
    const auto place = scatter->mapFromScene(scatter->chart()->mapToScene(
        scatter->chart()->mapToPosition({90, 100}, scatter->chart()->series().constFirst())));
    QTest::mouseClick(scatter->viewport(), Qt::LeftButton, {}, place);
    QTRY_VERIFY2(text().contains(u"Figure <b3>"_s), qPrintable(text()));
}

void CostsPanelTest::aFaultIsSaid()
{
    CostsPanel panel([]() -> Expected<costs::CostValidation> {
        return refuse(ErrorCode::IoError, "published_costs.json", "The published costs are missing.");
    });
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    QCOMPARE(part<QLabel>(panel, u"costsLabel"_s)->text(), u"The published costs are missing."_s);
    QCOMPARE(part<QTableView>(panel, u"costTable"_s)->model()->rowCount(), 0);
    panel.showAllKinds();
}

void CostsPanelTest::thePageHasTheTab()
{
    Workspace workspace;
    ValidationSources sources;
    sources.published = [] { return Expected<validation::RunFile>(samplescores::measuredRuns()); };
    sources.validator = [](auto, std::string_view model, const auto &, std::stop_token, auto *) {
        return Expected<validation::Validation>(samplescores::scoredBy(model));
    };
    sources.costs = [](const Catalog &) { return Expected<costs::CostValidation>(samplescores::costValidation()); };
    ValidationPage page(workspace, m_prompts, std::move(sources), nullptr);
    page.resize(1096, 740);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    auto *tabs = part<QTabBar>(page, u"areaTabs"_s);
    QCOMPARE(tabs->count(), 2);
    QVERIFY(part<QComboBox>(page, u"dataCombo"_s)->isVisible());
    tabs->setCurrentIndex(1);
    QVERIFY(part<CostsPanel>(page, QString())->isVisible());
    QVERIFY(!part<QComboBox>(page, u"dataCombo"_s)->isVisible());
    QVERIFY(part<QToolButton>(page, u"exportButton"_s)->isEnabled());
    for (const auto *name : {"costSummaryTable", "costTable"}) {
        const auto *of = part<QTableView>(page, QString::fromLatin1(name));
        QVERIFY2(of->isVisible(), name);
        QCoreApplication::processEvents(); // columns follow new rows a turn later
        QCOMPARE(of->horizontalScrollBar()->maximum(), 0);
        const QAbstractItemView *view = of;
        for (int column = 0; column < of->model()->columnCount(); ++column)
            if (of->model()->index(0, column).data(Qt::TextAlignmentRole).value<Qt::Alignment>() & Qt::AlignRight)
                QVERIFY2(of->isColumnHidden(column) || of->columnWidth(column) >= view->sizeHintForColumn(column),
                    qPrintable(of->model()->headerData(column, Qt::Horizontal).toString())); // a number
    }
    const auto *figures = part<QTableView>(page, u"costTable"_s);
    QVERIFY(figures->columnWidth(CostScoreModel::Figure) > 120); // the names are not what pays for it
    QVERIFY(page.minimumSizeHint().width() <= 1096);
    QVERIFY2(page.minimumSizeHint().height() <= 740, qPrintable(QString::number(page.minimumSizeHint().height())));
    tabs->setCurrentIndex(0);
    QVERIFY(part<QComboBox>(page, u"dataCombo"_s)->isVisible());
}

void CostsPanelTest::tablesAreCopiedAndSaved()
{
    Workspace workspace;
    QTemporaryDir folder;
    ValidationSources sources;
    sources.published = [] { return Expected<validation::RunFile>(samplescores::measuredRuns()); };
    sources.validator = [](auto, std::string_view model, const auto &, std::stop_token, auto *) {
        return Expected<validation::Validation>(samplescores::scoredBy(model));
    };
    sources.costs = [](const Catalog &) { return Expected<costs::CostValidation>(samplescores::costValidation()); };
    ValidationPage page(workspace, m_prompts, std::move(sources), nullptr);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    part<QTabBar>(page, u"areaTabs"_s)->setCurrentIndex(1);
    m_prompts.fileName = folder.filePath(u"table.csv"_s);
    for (const auto &[action, begin] : {std::pair(u"saveCostsAction"_s, u"name,date,published,"_s),
             std::pair(u"saveCostSummaryAction"_s, u"kind,n,median_ape,"_s),
             std::pair(u"saveUnscoredCostsAction"_s, u"Figure,Why not,"_s)}) {
        part<QAction>(page, action)->trigger();
        QVERIFY(m_prompts.errors.empty());
        QFile file(m_prompts.fileName);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto content = QString::fromUtf8(file.readAll());
        QVERIFY2(content.startsWith(begin), qPrintable(content));
    }
    auto *figures = part<QTableView>(page, u"costTable"_s);
    figures->setFocus();
    figures->selectRow(0);
    page.copy();
    QCOMPARE(QGuiApplication::clipboard()->text().count(u'\n'), 2); // headers and one figure
}

FLEETWRIGHT_TEST(CostsPanelTest)
#include "tst_costspanel.moc"
