// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/compare/comparepage.h"

#include "app/pages/compare/comparisoncharts.h"
#include "app/pages/compare/comparisondelegate.h"
#include "app/pages/compare/explanationtext.h"
#include "app/theme.h"
#include "app/widgets/copying.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/tablecolumns.h"
#include "app/widgets/tableroom.h"
#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"
#include "itemmodels/comparisonmodel.h"
#include "itemmodels/tabletext.h"
#include "solver/answer/comparisontext.h"
#include "solver/worksheet/formulawords.h"
#include "text/figuretext.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_comparepage.h"

#include <QScrollBar>
#include <QShortcut>
#include <QSignalBlocker>
#include <QTabBar>
#include <QUrl>

#include <numeric>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using itemmodels::ComparisonModel;

namespace {

constexpr int shortestRowTitle = 30, longestRowTitle = 56; // characters, where columns leave the room

constexpr int tableHeight = 400;
constexpr int lowerHeight = 240;
constexpr auto firstSpread = "step_time_s";

} // namespace

ComparePage::ComparePage(Workspace &workspace, Prompts &prompts, std::function<qint64()> currentPlan, QWidget *parent)
    : Page(parent), m_workspace(workspace), m_prompts(prompts), m_currentPlan(std::move(currentPlan)),
      m_ui(std::make_unique<Ui::ComparePage>()), m_model(new ComparisonModel(this)),
      m_delegate(new ComparisonDelegate(this)), m_view(new QTabBar(this))
{
    m_ui->setupUi(this);
    makeTitle(m_ui->pageTitle);
    makeTitle(m_ui->emptyTitle);
    for (auto *heading :
        {m_ui->plansTitle, m_ui->onePlanTitle, m_ui->oneModelTitle, m_ui->modelsTitle, m_ui->referenceTitle})
        makeHeading(heading);
    setUpChoice();
    setUpView();
    setUpTable();
    setUpCharts();
    setUpTexts();
    connectWorkspace();
    m_ui->splitter->setStretchFactor(0, 0);
    m_ui->splitter->setStretchFactor(1, 1);
    const int choiceWidth = m_ui->choiceSide->minimumWidth();
    m_ui->splitter->setSizes({choiceWidth, 4 * choiceWidth});
    m_ui->resultSplitter->setSizes({tableHeight, lowerHeight});
    m_ui->lowerSplitter->setSizes({1000, 1000});
    connect(&m_job, &jobs::CompareJob::finished, this, &ComparePage::compared);
    connect(m_ui->openButton, &QPushButton::clicked, this, [this] { emit planRequested(m_best); });
    connect(m_ui->copyButton, &QPushButton::clicked, this, &ComparePage::copyTable);
    connect(m_ui->csvButton, &QPushButton::clicked, this, &ComparePage::saveCsv);
    connect(m_ui->emptyPlansButton, &QPushButton::clicked, this, [this] { emit planRequested(0); });
    reset();
}

ComparePage::~ComparePage() = default;

void ComparePage::setUpTable()
{
    auto *table = m_ui->table;
    auto *header = new LinesHeader(Qt::Horizontal, table);
    header->setObjectName(u"columns"_s);
    table->setHorizontalHeader(header);
    auto *titles = new LinesHeader(Qt::Vertical, table);
    titles->setObjectName(u"rows"_s);
    titles->setSectionsClickable(true);
    table->setVerticalHeader(titles);
    table->setModel(m_model);
    TableColumns::of(*table).setOfProject();
    table->setItemDelegate(m_delegate);
    table->setAccessibleName(tr("Comparison"));
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false);
    table->setShowGrid(false);
    table->setCornerButtonEnabled(false);
    table->setAlternatingRowColors(true);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    header->setHighlightSections(false);
    header->setDefaultAlignment(Qt::Alignment(header->defaultAlignment() | int(Qt::TextWordWrap)));
    header->setSectionsClickable(false);
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
    table->verticalHeader()->setHighlightSections(false);
    useTabularFigures(table);
    connect(table->selectionModel(), &QItemSelectionModel::currentChanged, this, &ComparePage::explainCurrent);
    setUpFolding();
    connect(table, &QTableView::activated, this, [this](const QModelIndex &index) {
        if (m_model->isHeading(index.row()))
            return;
        explainCurrent();
        m_ui->textTabs->setCurrentWidget(m_ui->explanationTab);
        m_ui->explanation->setFocus();
    });
    m_ui->messageLabel->setTextInteractionFlags(Qt::TextSelectableByMouse);
}

void ComparePage::setUpCharts()
{
    m_ui->spreadFigure->setAccessibleName(tr("Figure whose spread is shown"));
    m_ui->spreadFigure->setSizeAdjustPolicy(QComboBox::AdjustToContents); // its figures come later
    connect(m_ui->spreadFigure, &QComboBox::currentIndexChanged, this, &ComparePage::showSpread);
}

void ComparePage::setUpTexts()
{
    m_ui->explanation->setAccessibleName(tr("How the selected figure came about"));
    m_ui->limitations->setAccessibleName(tr("What the models leave out"));
    for (auto *browser : {m_ui->explanation, m_ui->limitations}) {
        browser->setFrameShape(QFrame::NoFrame);
        useTabularFigures(browser);
    }
    connect(m_ui->explanation, &QTextBrowser::anchorClicked, this, &ComparePage::followLink);
    const auto key = [this](const QKeySequence &keys, auto act) {
        connect(new QShortcut(keys, m_ui->explanation, nullptr, nullptr, Qt::WidgetShortcut), &QShortcut::activated,
            this, act);
    };
    key(Qt::Key_Escape, [this] { m_ui->table->setFocus(); });
    key(QKeySequence(Qt::ALT | Qt::Key_Left), [this] { followLink(QUrl(u"back:"_s)); });
    key(Qt::Key_Backspace, [this] { followLink(QUrl(u"back:"_s)); });
}

void ComparePage::connectWorkspace()
{
    connect(&m_workspace, &Workspace::projectChanged, this, &ComparePage::reset);
    connect(&m_workspace, &Workspace::planInserted, this, &ComparePage::addNewest);
    for (const auto signal : {&Workspace::planInserted, &Workspace::planChanged, &Workspace::planRemoved})
        connect(&m_workspace, signal, this, [this] {
            fillPlans();
            markStale();
        });
    connect(&m_workspace, &Workspace::catalogChanged, this, &ComparePage::markStale);
    // The project's own runs move the ranges.
    connect(&m_workspace, &Workspace::measuredRunChanged, this, &ComparePage::markStale);
    connect(&m_workspace, &Workspace::measuredRunsReplaced, this, &ComparePage::markStale);
}

void ComparePage::reset()
{
    m_job.cancel();
    m_plans.clear();
    m_userChose = false;
    m_lookedAt = m_newest = 0; // plans of two projects may have one id
    m_ui->oneModel->setCurrentIndex(0);
    m_row.clear();
    m_key.clear();
    m_trail.clear();
    m_comparison.reset();
    m_model->setComparison({});
    fillPlans();
    markStale();
}

void ComparePage::markStale()
{
    m_stale = true;
    if (isVisible())
        restart();
}

void ComparePage::showEvent(QShowEvent *event)
{
    Page::showEvent(event);
    m_ui->onePlan->takeShown();
    if (const auto looked = m_currentPlan ? m_currentPlan() : 0; looked != 0 && looked != m_lookedAt) {
        m_lookedAt = looked;
        m_stale = m_stale || !m_userChose;
    }
    if (m_stale)
        restart();
    fitColumns();
}

void ComparePage::restart()
{
    m_stale = false;
    if (m_workspace.plans().empty())
        return;
    takeUsualChoice();
    fillPlans();
    auto asked = request();
    m_ui->limitations->setHtml(limitationsHtml(asked.modelIds));
    if (asked.plans.empty() || asked.modelIds.empty()) {
        m_job.cancel();
        showMessage(asked.plans.empty() ? tr("Tick at least one plan at the left.")
                                        : tr("Tick at least one cost model at the left."));
        return;
    }
    m_catalog = m_workspace.catalog();
    m_job.start(std::move(asked), m_catalog, m_workspace.ownSite());
}

void ComparePage::showMessage(const QString &message)
{
    m_comparison.reset();
    m_model->setComparison({});
    m_ui->messageLabel->setText(message);
    m_ui->tableStack->setCurrentWidget(m_ui->messagePage);
    m_ui->lowerSplitter->hide();
    m_ui->summaryLabel->clear();
    m_ui->openButton->hide();
    m_ui->copyButton->setEnabled(false);
    m_ui->csvButton->setEnabled(false);
    const QSignalBlocker quiet(m_ui->reference);
    m_ui->reference->clear();
}

void ComparePage::compared(const jobs::ComparisonOutcome &outcome)
{
    if (!outcome) {
        showMessage(localized(outcome.error().message));
        return;
    }
    if ((*outcome)->rows.empty()) { // every column refused: there is no cell to say why
        QStringList refused;
        for (std::size_t i = 0; i < (*outcome)->columns.size(); ++i)
            refused << tr("%1 refused: %2")
                           .arg(titleOfColumn(**outcome, i),
                               localized(withLabels((*outcome)->columns[i].solution.error().message)));
        showMessage(refused.join(u'\n'));
        return;
    }
    const QString row = m_row, key = m_key;
    const auto column = itemmodels::columnOfKey(**outcome, m_columnKey);
    const auto trail = m_trail;
    m_comparison = *outcome;
    m_model->setComparison(m_comparison, m_catalog);
    m_delegate->setDifferencesShown(m_comparison->columns.size() > 1);
    m_ui->table->setColumnHidden(0, true); // the vertical header says the same and stays in view
    m_ui->tableStack->setCurrentWidget(m_ui->tablePage);
    m_ui->lowerSplitter->show();
    m_ui->copyButton->setEnabled(true);
    m_ui->csvButton->setEnabled(true);
    showSummary();
    showVerdict();
    offerAside();
    fillReference();
    fillSpreadFigures();
    fitColumns();
    showCharts();
    auto wanted = m_model->indexOf(row.isEmpty() ? QString::fromLatin1(firstSpread) : row, column);
    const bool kept = wanted.isValid() && !row.isEmpty();
    if (!wanted.isValid() && m_model->rowCount() > 1)
        wanted = m_model->index(1, 1);
    if (m_ui->table->currentIndex() != wanted)
        m_ui->table->setCurrentIndex(wanted);
    if (row.isEmpty())
        m_ui->table->scrollToTop(); // what decides comes first
    explainCurrent();
    if (kept && !trail.isEmpty()) { // stay with the figure to which links led
        m_trail = trail;
        explain(key, trail.last());
    }
}

void ComparePage::showSummary()
{
    QStringList told;
    if (!modelsShown())
        told << (m_comparison->plans.size() > 1 ? tr("\u2605 the best of its row, where one feasible plan alone is")
                                                : tr("One plan; tick more to see which is best"));
    if (const auto refused = std::ranges::count_if(
            m_comparison->columns, [](const ComparisonColumn &column) { return !column.solution; }))
        told << tr("Refused columns: %1; point at one to see why").arg(refused);
    m_ui->summaryLabel->setText(told.join(u"  \u00b7  "_s));
}

void ComparePage::showVerdict()
{
    const auto verdict = verdictOf(*m_comparison);
    QStringList said;
    for (const auto &sentence : verdict.sentences)
        said << localized(sentence);
    m_ui->verdictLabel->setText(said.join(u' '));
    m_ui->verdictLabel->setVisible(!said.isEmpty());
    const auto *best = verdict.best ? &m_comparison->columns[*verdict.best] : nullptr;
    m_best = best && best->plan < m_asked.size() ? m_asked[best->plan] : 0;
    m_ui->openButton->setVisible(m_best != 0);
    m_ui->openButton->setToolTip(best ? tr("Goes to \u201c%1\u201d").arg(utf8(best->planName)) : QString());
}

void ComparePage::showDifferencesOnly(bool only)
{
    const QString row = m_row;
    m_model->setDifferencesOnly(only);
    restoreRow(row);
}

void ComparePage::restoreRow(const QString &row)
{
    m_ui->table->setColumnHidden(0, true);
    showAside();
    fitColumns();
    if (const auto kept = m_model->indexOf(row, m_column); kept.isValid())
        m_ui->table->setCurrentIndex(kept);
}

void ComparePage::fillReference()
{
    const QSignalBlocker quiet(m_ui->reference);
    m_ui->reference->clear();
    for (std::size_t i = 0; i < m_comparison->columns.size(); ++i)
        m_ui->reference->addItem(titleOfColumn(*m_comparison, i));
    m_ui->reference->setCurrentIndex(int(m_model->reference()));
    m_ui->reference->setEnabled(m_comparison->columns.size() > 1);
}

void ComparePage::fillSpreadFigures()
{
    const QSignalBlocker quiet(m_ui->spreadFigure);
    const auto chosen = m_ui->spreadFigure->currentData();
    m_ui->spreadFigure->clear();
    const auto offer = [this](const ComparisonRow &row) {
        m_ui->spreadFigure->addItem(localized(rowTitle(*m_comparison, row)), utf8(row.key));
    };
    for (const auto key : comparedRanges()) // what plans are told apart by
        if (const auto *row = m_comparison->row(key))
            offer(*row);
    for (const auto &row : m_comparison->rows)
        if (!row.verdict && row.group != howSureGroup
            && std::ranges::find(comparedRanges(), row.key) == comparedRanges().end())
            offer(row);
    const int at = m_ui->spreadFigure->findData(chosen.isValid() ? chosen : QVariant(QString::fromLatin1(firstSpread)));
    m_ui->spreadFigure->setCurrentIndex(std::max(0, at));
}

void ComparePage::fitColumns()
{
    if (!m_comparison)
        return;
    const int needed = m_delegate->columnWidth(m_ui->table->fontMetrics());
    int count = 0; // in sight
    for (int i = 1; i < m_model->columnCount(); ++i)
        count += !m_ui->table->isColumnHidden(i);
    if (count == 0)
        return;
    auto *titles = m_ui->table->verticalHeader();
    const int letter = m_ui->table->fontMetrics().averageCharWidth();
    const int inside = m_ui->table->contentsRect().width() - m_ui->table->verticalScrollBar()->sizeHint().width();
    const int most = std::clamp(inside - count * needed, shortestRowTitle * letter, longestRowTitle * letter);
    if (titles->maximumWidth() != most) {
        titles->setMaximumWidth(most);
        emit titles->geometriesChanged(); // the table gives it that
    }
    const int width = std::clamp(roomForColumns(*m_ui->table) / count, needed, 2 * needed);
    std::vector<int> widths;
    for (int i = 1; i < m_model->columnCount(); ++i) // inputs are words, which may be longer than any figure
        widths.push_back(m_ui->table->isColumnHidden(i)
                ? 0
                : std::max(width, ComparisonDelegate::inputWidth(*m_model, i, m_ui->table->fontMetrics())));
    // Plans in sight go before whole words of their inputs, which stay distinct and whole in their tool tips.
    const bool isRoomy = std::reduce(widths.begin(), widths.end()) <= roomForColumns(*m_ui->table);
    for (int i = 1; i < m_model->columnCount(); ++i)
        if (!m_ui->table->isColumnHidden(i))
            m_ui->table->setColumnWidth(i, isRoomy ? widths[std::size_t(i - 1)] : width);
}

void ComparePage::resizeEvent(QResizeEvent *event)
{
    Page::resizeEvent(event);
    fitColumns();
}

void ComparePage::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange && m_comparison)
        showCharts(); // light and dark charts differ
    Page::changeEvent(event);
}

void ComparePage::showCharts()
{
    auto theme = isDark(palette()) ? charts::Theme::dark() : charts::Theme::light();
    theme.background = palette().color(QPalette::Window);
    const auto fill = [&theme](charts::ChartView *view, QWidget *scroll, QLabel *nothing,
                          std::optional<charts::ChartContent> content, const QString &why) {
        scroll->setVisible(content.has_value());
        nothing->setVisible(!content);
        nothing->setText(why);
        if (content)
            view->show(std::move(*content), theme);
    };
    fill(m_ui->stepChart, m_ui->stepScroll, m_ui->stepNothing, stepChart(*m_comparison),
        tr("None of the columns has a step time."));
    fill(m_ui->memoryChart, m_ui->memoryScroll, m_ui->memoryNothing, memoryChart(*m_comparison),
        tr("None of the columns has memory."));
    fill(m_ui->spreadChart, m_ui->spreadScroll, m_ui->spreadNothing,
        spreadChart(*m_comparison, m_ui->spreadFigure->currentData().toString()),
        tr("None of the columns has this figure."));
}

void ComparePage::showSpread()
{
    if (m_comparison)
        showCharts();
}

void ComparePage::explainCurrent()
{
    const auto index = m_ui->table->currentIndex();
    const auto cell = m_model->cell(index);
    if (!cell && index.data(ComparisonModel::InputRole).toBool()) {
        m_trail.clear();
        m_key.clear();
        chooseColumn(std::size_t(index.column() - 1));
        m_row = index.data(ComparisonModel::KeyRole).toString();
        m_ui->explanation->setPlainText(index.data(Qt::ToolTipRole).toString());
        return;
    }
    if (!cell)
        return;
    m_trail.clear();
    chooseColumn(cell->column);
    m_row = QString::fromStdString(cell->row->key);
    explain(QString::fromStdString(cell->row->figure), {});
}

void ComparePage::explain(const QString &key, const QString &back)
{
    m_key = key;
    m_ui->explanation->setHtml(m_comparison && m_column < m_comparison->columns.size()
            ? explanationHtml(*m_comparison, m_column, key, back, *m_catalog)
            : QString());
}

void ComparePage::followLink(const QUrl &link)
{
    if (link.scheme() == QLatin1StringView(figureLink)) {
        m_trail << m_key;
        explain(link.path(), m_trail.last());
    } else if (link.scheme() == QLatin1StringView(backLink)) {
        if (m_trail.isEmpty())
            return;
        const QString to = m_trail.takeLast();
        explain(to, m_trail.isEmpty() ? QString() : m_trail.last());
    } else if (link.scheme() == QLatin1StringView(explainLink)) {
        if (const auto plan = m_comparison->columns[m_column].plan; plan < m_asked.size())
            emit explanationRequested(m_asked[plan], link.path());
    } else if (link.scheme() == QLatin1StringView(limitsLink)) {
        m_ui->textTabs->setCurrentWidget(m_ui->limitationsTab);
    } else if (link.scheme() == QLatin1StringView(recordLink)) {
        const auto parts = link.path().split(u'/');
        if (const auto kind = parseCatalogKind(parts.front().toStdString()); kind && parts.size() == 2)
            emit recordRequested(*kind, parts.last());
    }
}

void ComparePage::copyTable()
{
    if (m_comparison)
        emit statusMessage(app::copyTable(*m_ui->table, CopyAs::TabSeparated, CopyWhat::Table));
}

void ComparePage::copy()
{
    if (m_comparison)
        emit statusMessage(app::copyTable(
            *m_ui->table, CopyAs::TabSeparated, m_ui->table->hasFocus() ? CopyWhat::Selection : CopyWhat::Table));
}

void ComparePage::saveCsv()
{
    if (!m_comparison)
        return;
    const auto told = m_prompts.saveFile(this,
        {.title = tr("Save comparison"),
            .name = tr("comparison.csv"),
            .filter = tr("Comma-separated values (*.csv)"),
            .failure = tr("The comparison was not saved")},
        [this](const QString &) { return itemmodels::toCsv(*m_model).toUtf8(); });
    if (!told.isEmpty())
        emit statusMessage(told);
}

} // namespace fleetwright::app
