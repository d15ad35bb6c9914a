// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/validation/costspanel.h"

#include "app/pages/validation/validationcharts.h"
#include "app/pages/validation/validationtables.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/htmllabel.h"
#include "app/widgets/tablecolumns.h"
#include "app/widgets/tableroom.h"
#include "charts/chartview.h"
#include "charts/costcharts.h"
#include "itemmodels/costmodels.h"
#include "text/localized.h"
#include "ui_costspanel.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QSortFilterProxyModel>
#include <QUrl>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using namespace itemmodels;

namespace {

QString costHtml(const costs::CostScore &score)
{
    const auto &source = score.row.source;
    QString html = u"<p><b>%1</b> · %2</p>"_s.arg(
        htmlEscaped(score.row.name), localizedHtmlEscaped(title(score.row.kind)));
    for (const auto &sentence : explainCost(score))
        html += u"<p style=\"margin-top:0; margin-bottom:4px\">%1</p>"_s.arg(localizedHtmlEscaped(sentence));
    QString from = htmlEscaped(source.title);
    if (source.url.starts_with("http") && source.url.find(' ') == std::string::npos)
        from = u"<a href=\"%1\">%2</a>"_s.arg(htmlEscaped(source.url), from);
    html += u"<p>"_s + CostsPanel::tr("Source: %1").arg(from);
    for (const auto &more : {source.locator, source.date})
        if (!more.empty())
            html += u"; "_s + localizedHtmlEscaped(more);
    return html + u"</p>"_s;
}

QString headlineHtml(const costs::CostValidation &validation, int figures)
{
    QString html;
    if (const auto typical = costs::typicalErrorsInWords(validation); !typical.empty())
        html = u"<p style=\"margin:0 0 2px 0; font-size:large\">%1</p>"_s.arg(localizedHtmlEscaped(typical));
    return html
        + u"<p style=\"margin:0\">%1</p>"_s.arg(CostsPanel::tr(
            "What the worksheet says for %1 published figures, at the prices of this catalog. Errors are "
            "relative to the published figure. Ranges beside money on other pages are those of the prices "
            "that went in; they do not contain these errors.")
                                                    .arg(figures)
                                                    .toHtmlEscaped());
}

} // namespace

CostsPanel::CostsPanel(Scorer scorer, QWidget *parent)
    : QWidget(parent), m_ui(std::make_unique<Ui::CostsPanel>()), m_scorer(std::move(scorer)),
      m_summaries(new CostSummaryModel(this)), m_figures(new CostScoreModel(this)),
      m_unscored(new UnscoredCostModel(this)), m_filter(new QSortFilterProxyModel(this))
{
    m_ui->setupUi(this);
    setUpTables();
    useTabularFigures(m_ui->costText);
    m_ui->costScatter->setMinimumSize(320, 200);
    m_ui->costsSplitter->setStretchFactor(0, 3);
    m_ui->costsSplitter->setStretchFactor(1, 2);
    m_ui->costsSplitter->setSizes({735, 325});
    m_ui->costsRight->setSizes({300, 260});
    m_ui->allKindsButton->setEnabled(false);
    connect(m_ui->allKindsButton, &QPushButton::clicked, this, &CostsPanel::showAllKinds);
    connect(m_ui->costText, &QTextBrowser::anchorClicked, this, &CostsPanel::linkActivated);
}

CostsPanel::~CostsPanel() = default;

const QTableView *CostsPanel::summaryTable() const { return m_ui->costSummaryTable; }
const QTableView *CostsPanel::figuresTable() const { return m_ui->costTable; }
const QTableView *CostsPanel::unscoredTable() const { return m_ui->costUnscoredTable; }

void CostsPanel::setUpTables()
{
    auto &ui = *m_ui;
    setUpCostSummaryTable(ui.costSummaryTable, m_summaries);
    ui.costSummaryTable->installEventFilter(this);
    connect(
        ui.costSummaryTable->selectionModel(), &QItemSelectionModel::selectionChanged, this, &CostsPanel::chooseKind);
    m_filter->setSourceModel(m_figures);
    m_filter->setSortRole(itemmodels::sortRole);
    m_filter->setFilterRole(costKindRole);
    setUpCostTable(ui.costTable, m_filter);
    connect(ui.costTable->selectionModel(), &QItemSelectionModel::selectionChanged, this, &CostsPanel::chooseFigure);
    setUpUnscoredCostTable(ui.costUnscoredTable, m_unscored);
}

void CostsPanel::refresh()
{
    m_stale = true;
    if (isVisible())
        compute();
}

void CostsPanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_stale)
        compute();
}

void CostsPanel::compute()
{
    m_stale = false;
    auto validation = m_scorer();
    m_validation = validation ? std::move(*validation) : costs::CostValidation{};
    m_summaries->setRows(costSummaryRows(m_validation));
    m_figures->setRows(costScoreRows(m_validation));
    m_unscored->setRows(unscoredCostRows(m_validation));
    m_ui->costTabs->setTabText(
        m_ui->costTabs->indexOf(m_ui->costUnscoredTab), tr("Not scored (%1)").arg(m_unscored->rowCount()));
    fitHeight(m_ui->costSummaryTable);
    if (validation)
        showHtml(m_ui->costsLabel, headlineHtml(m_validation, m_figures->rowCount()));
    else
        showPlain(m_ui->costsLabel, localized(validation.error().message));
    showAllKinds();
    if (m_filter->rowCount() > 0)
        chooseRow(*m_ui->costTable, 0);
}

std::optional<costs::CostKind> CostsPanel::chosenKind() const
{
    const auto rows = m_ui->costSummaryTable->selectionModel()->selectedRows();
    return rows.isEmpty() ? std::nullopt
                          : costs::costKindOf(rows.constFirst().data(costKindRole).toString().toStdString());
}

std::optional<std::size_t> CostsPanel::chosenFigure() const
{
    const auto rows = m_ui->costTable->selectionModel()->selectedRows();
    return rows.isEmpty() ? std::nullopt : std::optional(rows.constFirst().data(itemmodels::idRole).toULongLong());
}

void CostsPanel::showAllKinds() { m_ui->costSummaryTable->clearSelection(); }

void CostsPanel::chooseKind()
{
    const auto kind = chosenKind();
    m_ui->allKindsButton->setEnabled(kind.has_value());
    m_filter->setFilterRegularExpression(
        kind ? u"^%1$"_s.arg(QRegularExpression::escape(localized(toString(*kind)))) : QString());
    if (kind)
        m_ui->costTabs->setCurrentWidget(m_ui->costFiguresTab);
    if (!chosenFigure() && m_filter->rowCount() > 0)
        chooseRow(*m_ui->costTable, 0);
    showScatter();
}

void CostsPanel::chooseFigure()
{
    const auto figure = chosenFigure();
    m_ui->costText->setHtml(figure ? costHtml(m_validation.scores.at(*figure))
                                   : u"<p>%1</p>"_s.arg(tr("Select a figure to see what it rests on.")));
    showScatter();
}

void CostsPanel::showScatter()
{
    const auto figure = chosenFigure();
    const auto focus = chosenKind();
    const auto kind = focus ? *focus : figure ? m_validation.scores.at(*figure).row.kind : costs::CostKind::Purchase;
    auto scatter = charts::costScatter(m_validation, kind, focus, figure);
    m_points = std::move(scatter.rows);
    // Later: the chart that was clicked is replaced.
    scatter.data.picked = [this](charts::ScatterIndex index) {
        QMetaObject::invokeMethod(
            this, [this, index] { pick(index); }, Qt::QueuedConnection);
    };
    m_ui->costScatter->show(charts::scatterChart(std::move(scatter.data)), validationTheme(*this));
}

void CostsPanel::pick(const charts::ScatterIndex &index)
{
    if (index.series < m_points.size() && index.point < m_points[index.series].size())
        selectFigure(m_points[index.series][index.point]);
}

void CostsPanel::selectFigure(std::size_t score)
{
    const auto inModel = m_figures->index(m_figures->indexOf(qint64(score)), 0);
    if (!m_filter->mapFromSource(inModel).isValid())
        showAllKinds(); // the filter hides it
    const auto index = m_filter->mapFromSource(inModel);
    m_ui->costTabs->setCurrentWidget(m_ui->costFiguresTab);
    m_ui->costTable->setCurrentIndex(index);
    m_ui->costTable->scrollTo(index);
}

void CostsPanel::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange && !m_stale)
        showScatter(); // light and dark charts differ
    QWidget::changeEvent(event);
}

bool CostsPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_ui->costSummaryTable && event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        showAllKinds();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace fleetwright::app
