// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/page.h"
#include "jobs/comparejob.h"

#include <QSet>

#include <functional>
#include <memory>

class QTabBar;

namespace Ui {
class ComparePage;
}
namespace fleetwright::charts {
class ChartView;
}
namespace fleetwright::itemmodels {
class ComparisonModel;
}

namespace fleetwright::app {

class ComparisonDelegate;
class Prompts;
class Workspace;

/// Two views: the project's plans by one cost model, and one plan by every cost model. Each has one table, charts, the
/// spread between models, and how every number came about. Follows the project: every edit of a chosen plan or of the
/// catalog is compared anew in the background while the page is shown.
class ComparePage : public Page {
    Q_OBJECT
public:
    /// `currentPlan`: the plan that the window shows elsewhere, 0 for none; the one of the second view while the user
    /// has chosen nothing here.
    ComparePage(Workspace &workspace, Prompts &prompts, std::function<qint64()> currentPlan, QWidget *parent = nullptr);
    ~ComparePage() override;

public slots:
    /// Shows the plan beside the others that are chosen.
    void comparePlan(qint64 id);
    void copy(); ///< the selected cells with their titles, or the whole table
    void copyTable();
    void saveCsv();

    /// Groups of figures that are folded to their heading, as somebody left them.
    void setFoldedGroups(const QStringList &headings);

signals:
    void foldedGroupsChanged(const QStringList &headings);
    void recordRequested(fleetwright::CatalogKind kind, const QString &id);

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void setUpChoice();
    void setUpView();
    void setUpTable();
    void setUpFolding();
    void turnFold(int heading);
    void applyFolds();
    void offerAside();
    void showAside();
    void setUpCharts();
    void setUpTexts();
    void connectWorkspace();
    void reset();
    void fillPlans();
    void filterPlans(const QString &text);
    void tickAll(bool on);
    void addNewest(int index);
    void showDifferencesOnly(bool only);
    void readChoice();
    void takeUsualChoice();
    [[nodiscard]] bool modelsShown() const;
    [[nodiscard]] ComparisonRequest request();
    void markStale();
    void restart();
    void compared(const jobs::ComparisonOutcome &outcome);
    void showMessage(const QString &text);
    void showSummary();
    void showVerdict();
    void fillReference();
    void fillSpreadFigures();
    void fitColumns();
    void showCharts();
    void showSpread();
    void restoreRow(const QString &row); ///< in rows that the model has made anew
    void chooseColumn(std::size_t column);
    void explainCurrent();
    void explain(const QString &key, const QString &back);
    void followLink(const QUrl &link);

    Workspace &m_workspace;
    Prompts &m_prompts;
    std::function<qint64()> m_currentPlan;
    std::unique_ptr<Ui::ComparePage> m_ui;
    itemmodels::ComparisonModel *m_model;
    ComparisonDelegate *m_delegate;
    QTabBar *m_view;
    jobs::CompareJob m_job;
    std::shared_ptr<const Comparison> m_comparison;
    std::shared_ptr<const Catalog> m_catalog; ///< of the comparison
    QSet<qint64> m_plans;
    std::vector<qint64> m_asked; ///< plans of the comparison, or of the one that is made
    qint64 m_best = 0; ///< plan; 0: none
    bool m_userChose = false; ///< plans
    qint64 m_lookedAt = 0, m_newest = 0; ///< plans that are ticked unasked before others
    bool m_stale = true; ///< what is shown is not what is chosen
    QString m_row; ///< key of the selected row
    QString m_key; ///< of the explained figure
    std::size_t m_column = 0; ///< of the selected cell
    std::string m_columnKey; ///< by which the next comparison has it
    QStringList m_trail; ///< figures from which links were followed
};

} // namespace fleetwright::app
