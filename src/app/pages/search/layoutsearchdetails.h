// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/layoutsearchcolumns.h"
#include "jobs/layoutsearchdetailjob.h"

#include <QElapsedTimer>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace Ui {
class LayoutSearchDetails;
}
namespace fleetwright::itemmodels {
class LayoutSearchChangeModel;
class LayoutSearchTableModel;
} // namespace fleetwright::itemmodels

namespace fleetwright::app {

/// What lies behind the table of a search: the recommendation, the settings of the selected split, what changing one of
/// them does, why a layout is not the best, and the charts.
class LayoutSearchDetails : public QWidget {
    Q_OBJECT
public:
    explicit LayoutSearchDetails(QWidget *parent = nullptr);
    ~LayoutSearchDetails() override;

    /// While a search runs: the charts follow as fast as they can be drawn without holding the window.
    void showPartial(
        std::shared_ptr<const layoutsearch::Request> request, std::shared_ptr<const layoutsearch::Result> result);
    void showAnswer(std::shared_ptr<const layoutsearch::Request> request,
        std::shared_ptr<const layoutsearch::Result> result, const std::vector<std::string> &recommendation);
    void clear();
    /// The row of the table that is selected; nothing: none.
    void select(const std::optional<itemmodels::LayoutSearchItem> &item);

    /// The layout that the user looks at: that of the selected row, or of a row of its settings. Its case index is that
    /// of the search.
    [[nodiscard]] const std::optional<layoutsearch::Row> &chosen() const { return m_chosen; }
    [[nodiscard]] std::array<ParetoAxis, 2> paretoAxes() const;
    void setParetoAxes(const std::array<ParetoAxis, 2> &axes);

signals:
    void chosenChanged();
    void cellPicked(int tp, int pp);
    void rowPicked(const fleetwright::layoutsearch::Row &row);
    void paretoChanged();
    /// Another tab was opened, whose chart is whole where this is so high; 0: it has none.
    void heightWanted(int pixels);

protected:
    void changeEvent(QEvent *event) override;

private:
    void setUpTables();
    void setUpCharts();
    void ask(bool within);
    void showDetails(const jobs::LayoutSearchDetails &details);
    void withinSelected();
    void showChosen();
    void showWhy(const jobs::LayoutSearchDetails &details);
    void showReference();
    void drawChart();
    [[nodiscard]] const layoutsearch::Row *reference() const;

    std::unique_ptr<Ui::LayoutSearchDetails> m_ui;
    itemmodels::LayoutSearchTableModel *m_within;
    itemmodels::LayoutSearchChangeModel *m_changes;
    jobs::LayoutSearchDetailJob m_job;
    std::shared_ptr<const layoutsearch::Request> m_request;
    std::shared_ptr<const layoutsearch::Result> m_result;
    std::vector<std::string> m_recommendation;
    bool m_complete = false; ///< the result is the answer, not a snapshot
    std::optional<Split> m_split; ///< of the selected row
    int m_caseIndex = 0;
    std::optional<layoutsearch::Row> m_chosen; ///< nothing where the split has no feasible layout
    std::optional<layoutsearch::Row> m_reference; ///< nothing: the best
    std::array<ParetoAxis, 2> m_axes{}; ///< of the trade-off, always two different ones
    QElapsedTimer m_sinceChart;
    qint64 m_chartCost = 0; ///< milliseconds that the last one took
};

} // namespace fleetwright::app
