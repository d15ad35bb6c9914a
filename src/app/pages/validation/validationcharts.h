// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/charts.h"
#include "solver/validation/breakdown.h"

#include <QObject>

#include <memory>
#include <optional>
#include <string>
#include <vector>

class QWidget;

namespace fleetwright::charts {
class ChartView;
struct ScatterIndex;
} // namespace fleetwright::charts

namespace fleetwright::app {

/// Of charts on the page: its palette, on its ground.
[[nodiscard]] charts::Theme validationTheme(const QWidget &page);

/// The charts of the Validation page: predicted against measured, and the errors of each group; in the colours of the
/// page.
class ValidationCharts : public QObject {
    Q_OBJECT
public:
    /// Questions are asked over `page`.
    ValidationCharts(charts::ChartView *scatter, charts::ChartView *spread, QWidget *page);

    /// Nothing to show without `shown`, which is one of `file`; every other group than the `focus` is faint; `run` is
    /// selected.
    void showScatter(const std::shared_ptr<const validation::ScoredFile> &file, const validation::Validation *shown,
        validation::Grouping grouping, const std::string &focus, std::optional<std::size_t> run);
    void showSpread(const std::vector<validation::GroupErrors> &groups, validation::Grouping grouping,
        std::span<const validation::MeasuredRun> runs, const QString &modelId, const std::string &focus);

signals:
    void picked(int run); ///< an index into Validation::runs: its point was clicked

private:
    void pick(const charts::ScatterIndex &index);

    charts::ChartView *m_scatter;
    charts::ChartView *m_spread;
    QWidget *m_page;
    std::vector<std::vector<std::size_t>> m_points; ///< the runs behind the points of the scatter
};

} // namespace fleetwright::app
