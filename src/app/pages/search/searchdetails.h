// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/searchcolumns.h"
#include "jobs/searchdetailjob.h"

#include <QElapsedTimer>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace Ui {
class SearchDetails;
}
namespace fleetwright::itemmodels {
class SearchChangeModel;
class SearchTableModel;
} // namespace fleetwright::itemmodels

namespace fleetwright::app {

class Prompts;

/// What lies behind the table of a search: the recommendation, the settings of the selected split, what changing one of
/// them does, why a layout is not the best, and the charts.
class SearchDetails : public QWidget {
    Q_OBJECT
public:
    explicit SearchDetails(Prompts &prompts, QWidget *parent = nullptr);
    ~SearchDetails() override;

    /// While a search runs: the charts follow as fast as they can be drawn without holding the window.
    void showPartial(std::shared_ptr<const search::Request> request, std::shared_ptr<const search::Result> result);
    void showAnswer(std::shared_ptr<const search::Request> request, std::shared_ptr<const search::Result> result,
        const std::vector<std::string> &recommendation);
    void clear();
    /// The row of the table that is selected; nothing: none.
    void select(const std::optional<itemmodels::SearchItem> &item);

    /// The layout that the user looks at: that of the selected row, or of a row of its settings. Its case index is that
    /// of the search.
    [[nodiscard]] const std::optional<search::Row> &chosen() const { return m_chosen; }
    [[nodiscard]] std::array<ParetoAxis, 2> paretoAxes() const;
    void setParetoAxes(const std::array<ParetoAxis, 2> &axes);

signals:
    void chosenChanged();
    void cellPicked(int tp, int pp);
    void rowPicked(const fleetwright::search::Row &row);
    void paretoChanged();

protected:
    void changeEvent(QEvent *event) override;

private:
    void setUpTables();
    void setUpCharts();
    void ask(bool within);
    void showDetails(const jobs::SearchDetails &details);
    void withinSelected();
    void showChosen();
    void showWhy(const jobs::SearchDetails &details);
    void showReference();
    void drawChart();
    [[nodiscard]] const search::Row *reference() const;

    Prompts &m_prompts;
    std::unique_ptr<Ui::SearchDetails> m_ui;
    itemmodels::SearchTableModel *m_within;
    itemmodels::SearchChangeModel *m_changes;
    jobs::SearchDetailJob m_job;
    std::shared_ptr<const search::Request> m_request;
    std::shared_ptr<const search::Result> m_result;
    std::vector<std::string> m_recommendation;
    bool m_complete = false; ///< the result is the answer, not a snapshot
    std::optional<Split> m_split; ///< of the selected row
    int m_caseIndex = 0;
    std::optional<search::Row> m_chosen; ///< nothing where the split has no feasible layout
    std::optional<search::Row> m_reference; ///< nothing: the best
    std::array<ParetoAxis, 2> m_axes{}; ///< of the trade-off, always two different ones
    QElapsedTimer m_sinceChart;
    qint64 m_chartCost = 0; ///< milliseconds that the last one took
};

} // namespace fleetwright::app
