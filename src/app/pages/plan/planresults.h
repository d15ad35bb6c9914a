// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/plan/planfigures.h"
#include "domain/plan.h"
#include "storage/project.h"

#include <QPointer>
#include <QWidget>

#include <map>
#include <memory>
#include <vector>

class QGridLayout;
class QLabel;

namespace Ui {
class PlanResults;
}
namespace fleetwright::itemmodels {
class TraceModel;
}

namespace fleetwright::app {

class CellExplanation;
class Veil;

/// The answers to a plan: feasible, how fast, worth it; and behind tabs the trace, the warnings, the model's own
/// figures and its limits.
class PlanResults : public QWidget {
    Q_OBJECT
public:
    explicit PlanResults(QWidget *parent = nullptr);
    ~PlanResults() override;

    void showNothing();
    /// `fleet`: the plan's, as it stands with the prices of this catalog.
    void showSolution(const Plan &plan, const Solution &solution, const QString &inputHash, const FleetDocument &fleet,
        std::shared_ptr<const Catalog> catalog);
    /// The key figures of an answer that was kept with the project, until (or unless) a new one arrives.
    void showStored(const storage::SavedResult &result, bool stale);
    /// The entries cannot be priced; what is shown stays and is marked as the last valid result.
    void showRefusal(const QString &sentence);
    /// What is refused at fields of the form: it stands beneath the answers, in room of its own.
    void showRefusedFields(const QStringList &sentences);
    /// A new answer is on its way: what is shown belongs to other entries and is dimmed.
    void showPending();
    /// Of the answer that is shown; nullptr: none was computed.
    [[nodiscard]] const Solution *solution() const { return m_answer ? &m_answer->solution : nullptr; }

public slots:
    void copyAsText();
    void copyAsTable();
    /// How a figure of the worksheet came about, row by row.
    void explainCosts(const Figure &figure);

signals:
    void servingRequested(); ///< what the model costs to serve
    void figureRequested(const QString &key); ///< how this figure of the cost model came about
    void pricesRequested(const QStringList &ids); ///< of the catalog
    void recordRequested(fleetwright::CatalogKind kind, const QString &id); ///< another item of it
    void explainRequested(); ///< how the answers came about, and where time and memory go

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void explainVerdict(ScoreLevel level);
    struct Answer {
        QString planName;
        Plan plan;
        Solution solution;
        FleetDocument fleet;
        std::shared_ptr<const Catalog> catalog;
    };
    /// A figure in a grid that has as many columns as its width allows.
    struct FigureCell {
        QLabel *name, *value;
        int columns = 1; ///< that it takes; 0: the rest of its line, at most two
    };
    struct FigureGrid {
        QGridLayout *layout = nullptr;
        int letters = 0; ///< that a column needs
        std::vector<FigureCell> cells{};
        int columns = 0; ///< as it is laid out now

        void layOut(int newColumns);
    };
    void buildFigures(ScoreLevel level);
    void showFigures(const exchange::StoredEstimate &estimate);
    void showReasons(const Plan &plan, const Solution &solution);
    void showScorecard(const Solution &solution);
    void buildRange();
    void showRange(const exchange::StoredEstimate &estimate);
    void showWhyLikely(const exchange::StoredEstimate &estimate);
    void showMemory();
    void showChart();
    void showDetails();
    void copy(bool tabs);
    void showMenu(const Figure &figure, const QLabel &value, const QPoint &place); ///< of a figure
    void showState(const QString &sentence, bool dimmed);
    void showNotes(); ///< one of what is refused, what is shown, and where it is from

    std::unique_ptr<Ui::PlanResults> m_ui;
    itemmodels::TraceModel *m_trace;
    Veil *m_veil = nullptr; ///< over the answers while they are not those of the entries
    FigureGrid m_fast, m_worth, m_running;
    std::map<const Figure *, std::pair<QLabel *, QLabel *>> m_figures;
    QLabel *m_rangeName = nullptr;
    QLabel *m_rangeValue = nullptr;
    std::optional<Answer> m_answer;
    QPointer<CellExplanation> m_costs; ///< follows the plan while it is open
    bool m_hasFigures = false;
    bool m_isOfOthers = false; ///< what is shown is not the answer to the plan's entries
};

} // namespace fleetwright::app
