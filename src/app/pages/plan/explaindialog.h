// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/explainmodels.h"
#include "jobs/explainjob.h"
#include "solver/explain/planworking.h"

#include <QDialog>

#include <atomic>
#include <memory>

class QSortFilterProxyModel;
class QTableView;

namespace Ui {
class ExplainDialog;
}

namespace fleetwright::app {

class Prompts;

/// How the answers of one plan came about, and where its time and memory go: operators, collectives, memory by stage
/// and the pipeline schedule. Follows the plan; the tables are made off the window's thread. Plans of other cost models
/// have the answers alone; it says so and offers to price them with `detailed`.
class ExplainDialog : public QDialog {
    Q_OBJECT
public:
    ExplainDialog(Prompts &prompts, QWidget *parent);
    /// For tests: `explainer` makes the tables.
    ExplainDialog(Prompts &prompts, jobs::ExplainJob::Explainer explainer, QWidget *parent);
    ~ExplainDialog() override;

    void setPlan(const Plan &plan);
    void setWorking(std::shared_ptr<const PlanWorking> working);
    /// The entries cannot be priced; what is shown stays and is marked as the last valid one.
    void showRefusal(const QString &sentence);
    void showFigure(const QString &key); ///< among the answers
    void setReadOnly(bool readOnly); ///< no change of the cost model is offered

public slots:
    void copyTable();
    void saveCsv();
    void savePicture();

signals:
    void detailedRequested(); ///< price the plan with `detailed`
    void statusMessage(const QString &text);
    void recordRequested(fleetwright::CatalogKind kind, const QString &id); ///< the catalog item behind a value
    void pricesRequested(const QStringList &ids); ///< the prices behind it

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void setUp();
    QSortFilterProxyModel *setUpTable(
        QTableView *view, QAbstractItemModel *model, const QString &name, int sortColumn, Qt::SortOrder order);
    void start();
    void showTables(bool shown);
    void showOutcome(const jobs::ExplainOutcome &outcome);
    void clear();
    void showSchedule();
    void zoom(double factor);
    void applyZoom();
    void updateButtons();
    [[nodiscard]] QAbstractItemModel *currentTable() const;
    [[nodiscard]] QString currentName() const;

    Prompts &m_prompts;
    std::unique_ptr<Ui::ExplainDialog> m_ui;
    itemmodels::OperatorModel *m_operators;
    itemmodels::CollectiveModel *m_collectives;
    itemmodels::StageModel *m_stages;
    itemmodels::ScheduleModel *m_schedule;
    QSortFilterProxyModel *m_operatorProxy = nullptr, *m_collectiveProxy = nullptr, *m_stageProxy = nullptr;
    std::atomic<int> m_mostMicrobatches = 32; ///< read by the worker
    jobs::ExplainJob m_job; ///< last of what the worker needs: destroyed first
    std::optional<Plan> m_plan;
    std::shared_ptr<const detailed::PlanExplanation> m_explanation;
    double m_zoom = 1;
    bool m_readOnly = false;
};

} // namespace fleetwright::app
