// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/costs/costvalidation.h"
#include "units/error.h"

#include <QWidget>

#include <functional>
#include <memory>

class QSortFilterProxyModel;
class QTableView;
class QUrl;

namespace Ui {
class CostsPanel;
}
namespace fleetwright::charts {
struct ScatterIndex;
}
namespace fleetwright::itemmodels {
class CostScoreModel;
class CostSummaryModel;
class UnscoredCostModel;
} // namespace fleetwright::itemmodels

namespace fleetwright::app {

/// What the worksheet says for published powers, energies, purchases and interruptions, beside what was published: by
/// kind, figure by figure with what is known about a miss, as a chart, and what is not scored. Computed when it is
/// shown; that takes milliseconds.
class CostsPanel : public QWidget {
    Q_OBJECT
public:
    using Scorer = std::function<Expected<costs::CostValidation>()>;

    explicit CostsPanel(Scorer scorer, QWidget *parent = nullptr);
    ~CostsPanel() override;

    [[nodiscard]] const QTableView *summaryTable() const;
    [[nodiscard]] const QTableView *figuresTable() const;
    [[nodiscard]] const QTableView *unscoredTable() const;

public slots:
    void refresh(); ///< the catalog changed; computed again when it is next seen
    void showAllKinds();

signals:
    void linkActivated(const QUrl &link); ///< an address of the web

protected:
    void showEvent(QShowEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void setUpTables();
    void compute();
    void chooseKind();
    void chooseFigure();
    void showScatter();
    void pick(const charts::ScatterIndex &index);
    void selectFigure(std::size_t score);
    [[nodiscard]] std::optional<costs::CostKind> chosenKind() const;
    [[nodiscard]] std::optional<std::size_t> chosenFigure() const; ///< index into CostValidation::scores

    std::unique_ptr<Ui::CostsPanel> m_ui;
    Scorer m_scorer;
    itemmodels::CostSummaryModel *m_summaries;
    itemmodels::CostScoreModel *m_figures;
    itemmodels::UnscoredCostModel *m_unscored;
    QSortFilterProxyModel *m_filter;
    costs::CostValidation m_validation;
    std::vector<std::vector<std::size_t>> m_points; ///< the figures behind the points of the chart
    bool m_stale = true;
};

} // namespace fleetwright::app
