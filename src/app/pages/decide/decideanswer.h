// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/sizejob.h"

#include <QTabWidget>

#include <memory>
#include <optional>

class QAction;
class QSortFilterProxyModel;
class QLabel;
class QTableView;

namespace Ui {
class DecideAnswer;
}
namespace fleetwright::charts {
class ChartView;
}
namespace fleetwright::itemmodels {
class BindingModel;
class SheetTableModel;
class SizedModel;
} // namespace fleetwright::itemmodels

namespace fleetwright::app {

class DecideApprovals;
class Prompts;

/// The answer to a decision in detail: the fleets, the front, money over time, how sure, what binds, and what was
/// approved.
class DecideAnswer : public QTabWidget {
    Q_OBJECT
public:
    explicit DecideAnswer(QWidget *parent = nullptr);
    ~DecideAnswer() override;

    /// Where tables and pictures are saved.
    void setPrompts(Prompts &prompts);
    /// Shows an answer, or a part of it while it runs.
    void showAnswer(const jobs::SizeAnswer &answer, std::shared_ptr<const Catalog> catalog);
    void clear();
    void showBestOfNodes(); ///< and no longer every kind
    void setReadOnly(bool readOnly);
    /// There is no question and no answer, only what was approved; or there is again, and it begins with the fleets.
    void showApprovedAlone(bool alone);
    [[nodiscard]] bool showsApproved() const; ///< what was approved is in sight
    /// A mark on its tab, which says in its tool tip what no longer fits; empty: none.
    void markApproved(const QString &unfit);
    [[nodiscard]] DecideApprovals &approvals() const;
    /// Of the chosen row in size::Result::answers.
    [[nodiscard]] std::optional<std::size_t> chosen() const;

public slots:
    void copyShown(); ///< the table or the chart of the page in sight
    void saveCsv();

signals:
    void planRequested(std::size_t answer);
    void recordRequested(std::size_t answer);
    void baseRequested(std::size_t answer);
    void explanationRequested(std::size_t answer); ///< of a plan that is made of it
    void comparisonRequested(std::size_t answer); ///< likewise
    void batchesRequested(); ///< those that let a better fleet in
    void statusMessage(const QString &text);

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void fitColumns();
    void setUpTable(QTableView *view, QSortFilterProxyModel *proxy, const QString &name);
    void setUpCorner();
    void setUpBinding();
    void setUpActions();
    void askAboutPrice(); ///< of the chosen row
    void fillTables();
    void fillBinding(); ///< what would do better, and what binds each fleet
    void choose(std::size_t answer);
    void pick(std::size_t answer); ///< of a point of the front
    void updateButtons();
    void showCharts(); ///< of the current tab
    void showFront();
    void showMoney();
    void showSure();
    [[nodiscard]] QTableView *currentTable() const;
    [[nodiscard]] charts::ChartView *currentChart() const;

    std::unique_ptr<Ui::DecideAnswer> m_ui;
    Prompts *m_prompts = nullptr;
    itemmodels::SizedModel *m_fleets;
    itemmodels::BindingModel *m_binding;
    itemmodels::SheetTableModel *m_steps;
    QSortFilterProxyModel *m_fleetsProxy, *m_bindingProxy;
    jobs::SizeAnswer m_answer;
    std::shared_ptr<const Catalog> m_catalog;
    QList<QAction *> m_rowActions;
    QAction *m_whatIf = nullptr;
    bool m_readOnly = false;
};

[[nodiscard]] QStringList sentencesOf(const std::vector<std::string> &sentences);

} // namespace fleetwright::app
