// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/sweeps/sweepanswer.h"

#include "app/pages/sweeps/sweepcells.h"
#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/tablecolumns.h"
#include "app/wording.h"
#include "app/workspace/workspace.h"
#include "charts/sweepchart.h"
#include "exchange/sweepdocuments.h"
#include "exchange/sweepresults.h"
#include "itemmodels/sweepmodel.h"
#include "itemmodels/tabletext.h"
#include "solver/sweep/leftoutfabrics.h"
#include "solver/validation/ownsite.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_sweepspage.h"

#include <QAction>
#include <QDateTime>
#include <QHeaderView>
#include <QLocale>
#include <QMenu>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTimer>

namespace fleetwright::app {

namespace {

constexpr int tableWidth = 484; // two axes, a figure and the verdict
constexpr int narrowestColumn = 9; // letters

/// Cuts a text at its end, where the table cuts names in their middle.
class EndElided : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideRight;
    }
};

} // namespace

SweepAnswer::SweepAnswer(Ui::SweepsPage &ui, QWidget *page)
    : QObject(page), m_ui(ui), m_page(page), m_cells(new itemmodels::SweepCellModel(this)),
      m_proxy(new QSortFilterProxyModel(this)), m_columns(new QMenu(page)), m_verdicts(new EndElided(this))
{
    m_ui.columnsButton->setMenu(m_columns);
    TableColumns::of(*m_ui.cellTable).chosenBy(m_columns);
    connect(m_columns, &QMenu::aboutToShow, this, &SweepAnswer::fillColumnMenu);
    setUpTable();
    m_ui.resultSplitter->setSizes({350, 480});
    auto policy = m_ui.resultSplitter->sizePolicy();
    policy.setRetainSizeWhenHidden(true); // what stands above and below keeps its place
    m_ui.resultSplitter->setSizePolicy(policy);
    m_ui.chart->setMinimumSize(240, 200);
    m_ui.resultSplitter->setStretchFactor(0, 1);
    m_ui.resultSplitter->setStretchFactor(1, 1);
}

void SweepAnswer::setUpTable()
{
    auto *table = m_ui.cellTable;
    m_proxy->setSourceModel(m_cells);
    m_proxy->setSortRole(itemmodels::sortRole);
    table->setModel(m_proxy);
    app::setUpTable(table, -1);
    table->setMinimumWidth(tableWidth);
    table->setTextElideMode(Qt::ElideMiddle);
    TableColumns::of(*table).wrapTexts(); // why a cell is not feasible is read whole, where there are not too many
    table->setSortingEnabled(true);
    connect(table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        showCell();
        if (m_cells->rowCount() > 0 && m_cells->document().view == SweepView::HeatMap)
            drawChart(); // which marks the cell
    });
    const auto open = [this] { m_ui.tabs->setCurrentWidget(m_ui.cellTab); };
    connect(table, &QTableView::clicked, this, open);
    connect(table, &QTableView::activated, this, open);
}

void SweepAnswer::clear(const QString &note)
{
    m_cells->clear();
    m_ui.resultSplitter->hide();
    m_ui.staleLabel->hide();
    m_ui.cellText->clear();
    m_ui.verdictLabel->setText(note);
}

void SweepAnswer::show(
    const SweepDocument &entries, const storage::SavedSweepResult &saved, const Workspace &workspace, bool another)
{
    auto run = exchange::runFromText(saved.resultJson.toStdString());
    if (!run) {
        clear(localized(run.error().message));
        return;
    }
    run->document.name = entries.name;
    run->document.figure = entries.figure;
    run->document.view = entries.view;
    run->document.mark = entries.mark;
    m_catalog = workspace.catalog();
    const bool stale = saved.inputHash != utf8(exchange::sweepInputHash(entries, *m_catalog));
    const int before = selected();
    m_cells->setResult(run->document, run->result, m_catalog);
    m_ui.resultSplitter->show();
    fitColumns();
    TableColumns::of(*m_ui.cellTable).sortAtFirst(-1, Qt::AscendingOrder);
    if (before >= 0 && before < m_cells->rowCount())
        chooseRow(*m_ui.cellTable, m_proxy->mapFromSource(m_cells->index(before, 0)).row());
    showVerdict(stale && !another, saved.solvedAt,
        validation::anyUsable(workspace.measuredRuns(), &storage::SavedMeasuredRun::document));
    drawChart();
    showCell();
}

QString SweepAnswer::columnKey(int column) const
{
    const auto figure = m_cells->headerData(column, Qt::Horizontal, itemmodels::fileRole).toString();
    return figure.isEmpty() ? m_cells->headerData(column, Qt::Horizontal).toString() : figure;
}

bool SweepAnswer::isShown(int column) const
{
    const auto chosen = m_chosen.find(columnKey(column));
    return chosen != m_chosen.end() ? chosen->second : column <= m_cells->verdictColumn();
}

void SweepAnswer::fillColumnMenu()
{
    m_columns->clear();
    for (int column = 0; column < m_cells->columnCount(); ++column) {
        auto *action = m_columns->addAction(m_cells->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(isShown(column));
        connect(action, &QAction::toggled, this, [this, key = columnKey(column)](bool on) {
            m_chosen[key] = on;
            fitColumns();
        });
    }
}

void SweepAnswer::fitColumns()
{
    auto *header = m_ui.cellTable->horizontalHeader();
    for (int column = 0; column < m_cells->columnCount(); ++column)
        m_ui.cellTable->setColumnHidden(column, !isShown(column));
    const int verdict = m_cells->verdictColumn();
    for (int column = 0; column < m_cells->columnCount(); ++column)
        m_ui.cellTable->setItemDelegateForColumn(column, column == verdict ? m_verdicts : nullptr);
    std::vector<int> texts{verdict, 0};
    if (m_cells->document().axes.size() > 1)
        texts.push_back(1);
    TableColumns::of(*m_ui.cellTable).shareAmong(std::move(texts));
    header->setMinimumSectionSize(m_ui.cellTable->fontMetrics().averageCharWidth() * narrowestColumn);
}

void SweepAnswer::showVerdict(bool stale, const QString &solvedAt, bool measured)
{
    QStringList sentences{verdictText(m_cells->document(), m_cells->result(), *m_catalog)};
    if (const auto formula = describeFormulaAlone(m_cells->result()); measured && !formula.empty())
        sentences << localized(formula);
    m_ui.verdictLabel->setText(sentences.join(u' '));
    m_ui.staleLabel->setText(tr("Stale: what varies, the base plan, a catalog item or a cost model has changed since "
                                "%1. Shown is the answer of then. What takes longer than a second waits for Run.")
                                 .arg(dayAndTime(solvedAt)));
    m_ui.staleLabel->setVisible(stale);
    auto colours = m_ui.staleLabel->palette();
    colours.setColor(QPalette::WindowText, warningColour(m_page->palette()));
    m_ui.staleLabel->setPalette(colours);
}

void SweepAnswer::drawChart()
{
    if (isEmpty())
        return;
    auto theme = isDark(m_page->palette()) ? charts::Theme::dark() : charts::Theme::light();
    theme.background = m_page->palette().color(QPalette::Window);
    charts::SweepChartMarks marks;
    if (const int cell = selected(); cell >= 0)
        marks.selected = std::size_t(cell);
    // The chart that is clicked is drawn anew with the cell marked, so that waits until it has handled its click.
    marks.picked = [this](std::size_t cell) { QTimer::singleShot(0, this, [this, cell] { choose(int(cell)); }); };
    m_ui.chart->show(charts::sweepChart(m_cells->document(), m_cells->result(), *m_catalog, std::move(marks)), theme);
}

/// A cell that was clicked in the chart.
void SweepAnswer::choose(int cell)
{
    if (cell >= m_cells->rowCount())
        return;
    chooseRow(*m_ui.cellTable, m_proxy->mapFromSource(m_cells->index(cell, 0)).row());
    m_ui.tabs->setCurrentWidget(m_ui.cellTab);
}

bool SweepAnswer::isEmpty() const { return m_cells->rowCount() == 0; }

const QAbstractItemModel &SweepAnswer::table() const { return *m_proxy; }

int SweepAnswer::selected() const
{
    const auto rows = m_ui.cellTable->selectionModel()->selectedRows();
    return rows.isEmpty() ? -1 : m_proxy->mapToSource(rows.constFirst()).row();
}

Expected<PlanDocument> SweepAnswer::selectedPlan() const
{
    const auto &result = m_cells->result();
    return planOfCell(m_cells->document(), result, result.cells.at(std::size_t(selected())), *m_catalog);
}

void SweepAnswer::showCell()
{
    if (const int index = selected(); index < 0) {
        QStringList said{m_cells->document().view == SweepView::HeatMap
                ? tr("Select a cell in the table or in the chart to see its full answer.")
                : tr("Select a cell in the table to see its full answer.")};
        if (const auto leftOut = isEmpty() ? std::string() : describeLeftOutFabrics(m_cells->document(), *m_catalog);
            !leftOut.empty())
            said << localized(leftOut); // of orders, which are not what a sweep asks about
        m_ui.cellText->setPlainText(said.join(u"\n\n"_s));
    } else
        m_ui.cellText->setHtml(
            cellHtml(m_cells->document(), m_cells->result(), m_cells->result().cells[std::size_t(index)], *m_catalog));
    emit selectionChanged();
}

} // namespace fleetwright::app
