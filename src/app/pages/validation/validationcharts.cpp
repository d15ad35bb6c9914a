// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/validation/validationcharts.h"

#include "app/theme.h"
#include "charts/chartview.h"
#include "charts/validationcharts.h"
#include "solver/models/costmodel.h"
#include "text/localized.h"

#include <QPalette>
#include <QWidget>

namespace fleetwright::app {

charts::Theme validationTheme(const QWidget &page)
{
    auto theme = isDark(page.palette()) ? charts::Theme::dark() : charts::Theme::light();
    theme.background = page.palette().color(QPalette::Window);
    return theme;
}

ValidationCharts::ValidationCharts(charts::ChartView *scatter, charts::ChartView *spread, QWidget *page)
    : QObject(page), m_scatter(scatter), m_spread(spread), m_page(page)
{
}

void ValidationCharts::showScatter(const std::shared_ptr<const validation::ScoredFile> &file,
    const validation::Validation *shown, validation::Grouping grouping, const std::string &focus,
    std::optional<std::size_t> run)
{
    const auto theme = validationTheme(*m_page);
    if (!shown) {
        m_points.clear();
        m_scatter->show(charts::scatterChart(
                            {.name = tr("Predicted against measured"), .emptyText = tr("There is no answer to show.")}),
            theme);
        return;
    }
    auto scatter = charts::validationScatter(file, *shown, grouping, focus, run);
    m_points = std::move(scatter.rows);
    // Later: the chart that was clicked is replaced.
    scatter.data.picked = [this](charts::ScatterIndex index) {
        QMetaObject::invokeMethod(
            this, [this, index] { pick(index); }, Qt::QueuedConnection);
    };
    m_scatter->show(charts::scatterChart(std::move(scatter.data)), theme);
}

void ValidationCharts::showSpread(const std::vector<validation::GroupErrors> &groups, validation::Grouping grouping,
    std::span<const validation::MeasuredRun> runs, const QString &modelId, const std::string &focus)
{
    const auto theme = validationTheme(*m_page);
    const auto model = findCostModel(modelId.toStdString());
    m_spread->show(
        charts::validationSpread(groups, grouping, runs, model ? localized((*model)->title()) : modelId, focus), theme);
}

void ValidationCharts::pick(const charts::ScatterIndex &index)
{
    if (index.series < m_points.size() && index.point < m_points[index.series].size())
        emit picked(int(m_points[index.series][index.point]));
}

} // namespace fleetwright::app
