// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/search/layoutsearchdetails.h"

#include "app/pages/search/layoutsearchtables.h"
#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/htmllabel.h"
#include "charts/layoutsearchcharts.h"
#include "itemmodels/layoutsearchchangemodel.h"
#include "itemmodels/layoutsearchtablemodel.h"
#include "solver/search/layoutsearchwords.h"
#include "text/localized.h"
#include "ui_layoutsearchdetails.h"

#include <QEvent>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QTimer>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 leastMillisecondsBetweenCharts = 300;
constexpr std::size_t pointsWhileSearching = 150; ///< a full scatter takes too long to draw beside the search
constexpr qint64 shareOfCharts = 10; ///< a chart may take one part in so many of the window's time

QString paragraphs(const std::vector<std::string> &sentences, bool firstBold)
{
    QString html;
    for (const auto &sentence : sentences) {
        const QString words = localizedHtmlEscaped(sentence);
        html += html.isEmpty() && firstBold ? u"<p><b>%1</b></p>"_s.arg(words) : u"<p>%1</p>"_s.arg(words);
    }
    return html;
}

} // namespace

LayoutSearchDetails::LayoutSearchDetails(QWidget *parent)
    : QWidget(parent), m_ui(std::make_unique<Ui::LayoutSearchDetails>()),
      m_within(new itemmodels::LayoutSearchTableModel(itemmodels::LayoutSearchTableModel::Content::Layouts, this)),
      m_changes(new itemmodels::LayoutSearchChangeModel(this))
{
    m_ui->setupUi(this);
    setUpTables();
    setUpCharts();
    for (auto *text : {m_ui->answerText, m_ui->whyText})
        text->viewport()->setAutoFillBackground(false);
    connect(&m_job, &jobs::LayoutSearchDetailJob::finished, this,
        [this](const std::shared_ptr<const jobs::LayoutSearchDetails> &details) { showDetails(*details); });
    connect(m_ui->referenceButton, &QPushButton::clicked, this, [this] {
        m_reference = m_chosen;
        ask(false);
    });
    connect(m_ui->bestButton, &QPushButton::clicked, this, [this] {
        m_reference.reset();
        ask(false);
    });
    clear();
}

LayoutSearchDetails::~LayoutSearchDetails() = default;

void LayoutSearchDetails::setUpTables()
{
    m_ui->withinTable->setModel(m_within);
    setUpLayoutSearchTable(m_ui->withinTable);
    m_ui->changesTable->setModel(m_changes);
    setUpTable(m_ui->changesTable, itemmodels::LayoutSearchChangeModel::Verdict);
    connect(m_ui->withinTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        &LayoutSearchDetails::withinSelected);
}

void LayoutSearchDetails::setUpCharts()
{
    for (const auto axis : allParetoAxes) {
        m_ui->acrossCombo->addItem(localized(titleOf(axis)), int(axis));
        m_ui->upCombo->addItem(localized(titleOf(axis)), int(axis));
    }
    setParetoAxes({ParetoAxis::StepTime, ParetoAxis::Memory});
    for (auto *combo : {m_ui->acrossCombo, m_ui->upCombo})
        connect(combo, &QComboBox::activated, this, [this] {
            if (m_ui->acrossCombo->currentData()
                == m_ui->upCombo->currentData()) // a figure against itself: they change places
                setParetoAxes({m_axes[1], m_axes[0]});
            m_axes = paretoAxes();
            drawChart();
            emit paretoChanged();
        });
    for (auto *chart : {m_ui->mapChart, m_ui->tradeChart, m_ui->reasonsChart})
        chart->setMinimumSize(240, 160);
    connect(m_ui->detailTabs, &QTabWidget::currentChanged, this, [this] {
        drawChart();
        QTimer::singleShot(0, this, [this] { // then it is laid out
            const auto *area = m_ui->detailTabs->currentWidget()->findChild<QScrollArea *>();
            emit heightWanted(area ? height() - area->viewport()->height() + area->widget()->minimumHeight() : 0);
        });
    });
}

void LayoutSearchDetails::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        drawChart();
}

std::array<ParetoAxis, 2> LayoutSearchDetails::paretoAxes() const
{
    return {ParetoAxis(m_ui->acrossCombo->currentData().toInt()), ParetoAxis(m_ui->upCombo->currentData().toInt())};
}

void LayoutSearchDetails::setParetoAxes(const std::array<ParetoAxis, 2> &axes)
{
    selectData(m_ui->acrossCombo, int(axes[0]));
    selectData(m_ui->upCombo, int(axes[1]));
    m_axes = axes;
}

void LayoutSearchDetails::clear()
{
    m_job.cancel();
    m_request.reset();
    m_result.reset();
    m_recommendation.clear();
    m_complete = false;
    m_reference.reset();
    m_split.reset();
    m_chosen.reset();
    m_sinceChart.invalidate();
    m_within->setResult({});
    m_changes->setChanges({}, {}, {});
    m_ui->answerText->clear();
    m_ui->whyText->clear();
    showChosen();
    emit chosenChanged();
}

void LayoutSearchDetails::showPartial(
    std::shared_ptr<const layoutsearch::Request> request, std::shared_ptr<const layoutsearch::Result> result)
{
    m_request = std::move(request);
    m_result = std::move(result);
    if (m_ui->answerText->document()->isEmpty())
        m_ui->answerText->setPlainText(tr("The reasons follow when every layout has been looked at."));
    if (!m_sinceChart.isValid()
        || m_sinceChart.elapsed() > std::max(leastMillisecondsBetweenCharts, shareOfCharts * m_chartCost))
        drawChart();
}

void LayoutSearchDetails::showAnswer(std::shared_ptr<const layoutsearch::Request> request,
    std::shared_ptr<const layoutsearch::Result> result, const std::vector<std::string> &recommendation)
{
    m_request = std::move(request);
    m_result = std::move(result);
    m_recommendation = recommendation;
    m_complete = true;
    // The first two sentences and the counts stand above the table.
    std::vector<std::string> sentences(
        recommendation.begin() + std::ptrdiff_t(std::min<std::size_t>(2, recommendation.size())), recommendation.end());
    std::erase(sentences, layoutsearch::inWords(m_result->total()));
    for (const auto &facts : m_result->cases)
        if (facts.refused)
            sentences.push_back((facts.label.empty() ? std::string() : facts.label + ": ") + facts.refused->message);
    m_ui->answerText->setHtml(paragraphs(sentences, false));
    ask(true);
    drawChart();
}

void LayoutSearchDetails::select(const std::optional<itemmodels::LayoutSearchItem> &item)
{
    const bool sameSplit = item && m_split == item->split && m_caseIndex == item->caseIndex;
    m_split = item ? std::optional(item->split) : std::nullopt;
    m_caseIndex = item ? item->caseIndex : 0;
    m_chosen = item && item->row ? std::optional(*item->row) : std::nullopt;
    if (!sameSplit)
        m_within->setResult({});
    showChosen();
    ask(!sameSplit || !m_within->result());
    if (m_ui->detailTabs->currentWidget() == m_ui->tradeTab)
        drawChart(); // the ring moves
    emit chosenChanged();
}

const layoutsearch::Row *LayoutSearchDetails::reference() const
{
    return m_reference ? &*m_reference : m_result ? m_result->taken() : nullptr;
}

void LayoutSearchDetails::ask(bool within)
{
    showReference();
    if (!m_complete || !m_split) {
        m_job.cancel();
        return;
    }
    const auto *against = reference();
    const bool itself = against && m_chosen && against->layout == m_chosen->layout
        && against->caseIndex == m_chosen->caseIndex;
    m_job.start({.request = m_request,
        .split = *m_split,
        .caseIndex = m_caseIndex,
        .layout = m_chosen ? std::optional(m_chosen->layout) : std::nullopt,
        .reference = against && !itself ? std::optional(*against) : std::nullopt,
        .against = m_reference ? layoutsearch::Against::Another : layoutsearch::Against::Recommended,
        .within = within});
}

void LayoutSearchDetails::showDetails(const jobs::LayoutSearchDetails &details)
{
    if (details.within) {
        m_within->setWithin(details.within, m_result, m_caseIndex);
        fitLayoutSearchTable(m_ui->withinTable);
        const auto total = details.within->total();
        m_ui->withinLabel->setText(localized(layoutsearch::inWords(total)));
        m_ui->withinTable->setVisible(details.within->best());
    }
    const QString base = localized(inWords(details.layout));
    m_ui->changesLabel->setText(m_chosen
            ? tr("Each line changes one setting of %1 and keeps the others.").arg(base)
            : tr("No layout of this split is feasible. Each line changes one of its thriftiest settings: %1.")
                  .arg(base));
    m_changes->setChanges(
        details.changes, details.layout, m_chosen ? std::optional(m_chosen->stepSeconds) : std::nullopt);
    showWhy(details);
}

void LayoutSearchDetails::showWhy(const jobs::LayoutSearchDetails &details)
{
    if (details.refused)
        m_ui->whyText->setPlainText(localized(details.refused->message));
    else if (details.question.reference)
        m_ui->whyText->setHtml(paragraphs(details.whyNot, true));
    else if (!reference())
        m_ui->whyText->setPlainText(
            tr("No layout is feasible, so there is none to hold this one against. “Excluded” says which rules they "
               "break; “Changing one setting” says how far this split is from keeping to them."));
    else
        m_ui->whyText->setPlainText(m_reference
                ? tr("This is the layout that others are compared with; select another one.")
                : tr("This is the recommended layout; select another one to see what it loses and gains."));
}

void LayoutSearchDetails::withinSelected()
{
    const auto rows = m_ui->withinTable->selectionModel()->selectedRows();
    const int row = m_ui->withinTable->currentIndex().row();
    if (row < 0 || row >= m_within->rowCount())
        return;
    auto chosen = *m_within->item(row).row;
    chosen.caseIndex = m_caseIndex; // a search within a split knows its own case only
    m_chosen = chosen;
    showChosen();
    ask(false);
    emit chosenChanged();
}

void LayoutSearchDetails::showChosen()
{
    if (!m_split) {
        showPlain(m_ui->chosenLabel, tr("Select a row to look into its split."));
        for (auto *label : {m_ui->withinLabel, m_ui->changesLabel})
            label->setText(tr("Select a row of the table above first."));
        m_ui->whyText->setPlainText(tr("Select a row of the table above first."));
        m_changes->setChanges({}, {}, {});
    } else {
        const QString name = m_request && !m_request->cases[std::size_t(m_caseIndex)].label.empty()
            ? localized(m_request->cases[std::size_t(m_caseIndex)].label) + u": "_s
            : QString();
        showHtml(m_ui->chosenLabel,
            m_chosen ? tr("Selected: <b>%1</b>").arg((name + localized(inWords(m_chosen->layout))).toHtmlEscaped())
                     : tr("Selected: <b>%1</b>, of which no layout is feasible")
                           .arg((name + localized(inWords(*m_split))).toHtmlEscaped()));
    }
    showReference();
}

void LayoutSearchDetails::showReference()
{
    const auto *against = reference();
    m_ui->referenceLabel->setText(!against
            ? QString()
            : (m_reference ? tr("Compared with %1.") : tr("Compared with the recommended one: %1."))
                  .arg(localized(inWords(against->layout))));
    m_ui->referenceButton->setEnabled(m_complete && m_chosen
        && !(against && against->layout == m_chosen->layout && against->caseIndex == m_chosen->caseIndex));
    m_ui->bestButton->setEnabled(m_reference.has_value());
}

void LayoutSearchDetails::drawChart()
{
    if (!m_result)
        return;
    QElapsedTimer clock;
    clock.start();
    const auto theme = isDark(palette()) ? charts::Theme::dark() : charts::Theme::light();
    auto *tab = m_ui->detailTabs->currentWidget();
    // A picked cell or point changes the table and with it the charts, so that waits until the chart has handled its
    // click.
    if (tab == m_ui->mapTab)
        m_ui->mapChart->show(charts::layoutSearchHeatMap(*m_result, m_split ? m_caseIndex : 0, m_result->objective,
                                 [this](const charts::LayoutSearchCell &cell) {
                                     QTimer::singleShot(0, this, [this, cell] { emit cellPicked(cell.tp, cell.pp); });
                                 }),
            theme);
    else if (tab == m_ui->tradeTab) {
        charts::LayoutSearchParetoOptions options{.selected = m_chosen, .picked = [this](const layoutsearch::Row &row) {
                                                      QTimer::singleShot(0, this, [this, row] { emit rowPicked(row); });
                                                  }};
        if (!m_complete)
            options.mostPoints = pointsWhileSearching;
        m_ui->tradeChart->show(charts::layoutSearchPareto(*m_result, paretoAxes(), std::move(options)), theme);
    } else if (tab == m_ui->reasonsTab)
        m_ui->reasonsChart->show(charts::layoutSearchExclusions(m_result->total()), theme);
    m_chartCost = clock.elapsed();
    m_sinceChart.start();
}

} // namespace fleetwright::app
