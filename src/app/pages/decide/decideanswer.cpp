// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/decide/decideanswer.h"

#include "app/pages/decide/decideapprovals.h"
#include "app/theme.h"
#include "app/widgets/copying.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/foldheader.h"
#include "app/widgets/tablecolumns.h"
#include "app/wording.h"
#include "app/workspace/prompts.h"
#include "itemmodels/sheettablemodel.h"
#include "itemmodels/sizemodel.h"
#include "solver/size/sizewords.h"
#include "text/localized.h"
#include "ui_decideanswer.h"

#include <QAction>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QResizeEvent>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QStyle>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using itemmodels::BindingModel;
using itemmodels::SizedModel;
using itemmodels::SizedRows;

namespace {

constexpr int leastChartHeight = 20 * gridUnit;

/// Says of fleets that keep all limits what is next to them, in a colour that may be overlooked beside those that break
/// one.
class QuietWhereKept : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.data(itemmodels::keepsRole).toBool() && anyBreaks(*index.model()))
            option->palette.setColor(QPalette::Text, quietColour(option->palette));
    }

private:
    static bool anyBreaks(const QAbstractItemModel &model)
    {
        for (int row = 0; row < model.rowCount(); ++row)
            if (!model.index(row, 0).data(itemmodels::keepsRole).toBool())
                return true;
        return false;
    }
};

itemmodels::SheetTable sheetOf(const charts::ChartTable &drawn)
{
    itemmodels::SheetTable table;
    for (const auto &title : drawn.titles)
        table.columns.push_back({title, title});
    for (const auto &cells : drawn.rows) {
        auto &row = table.rows.emplace_back();
        for (const auto &cell : cells)
            row.cells.push_back({cell});
    }
    return table;
}

} // namespace

QStringList sentencesOf(const std::vector<std::string> &sentences)
{
    QStringList lines;
    for (const auto &sentence : sentences)
        lines << localized(sentence);
    return lines;
}

DecideAnswer::DecideAnswer(QWidget *parent)
    : QTabWidget(parent), m_ui(std::make_unique<Ui::DecideAnswer>()), m_fleets(new SizedModel(this)),
      m_binding(new BindingModel(this)), m_steps(new itemmodels::SheetTableModel(this)),
      m_fleetsProxy(new QSortFilterProxyModel(this)), m_bindingProxy(new QSortFilterProxyModel(this)),
      m_catalog(std::make_shared<const Catalog>())
{
    m_ui->setupUi(this);
    setCurrentIndex(0);
    auto &ui = *m_ui;
    m_fleetsProxy->setSourceModel(m_fleets);
    m_bindingProxy->setSourceModel(m_binding);
    setUpTable(ui.fleetsTable, m_fleetsProxy, tr("Candidates"));
    auto &columns = TableColumns::of(*ui.fleetsTable);
    columns.shareAmong({SizedModel::Binds, SizedModel::Fleet, SizedModel::Fabric, SizedModel::Site});
    columns.wrapTexts(); // of every kind more is said than a narrow window has room for in a line
    ui.fleetsTable->setItemDelegateForColumn(SizedModel::Binds, new QuietWhereKept(this));
    fitColumns();
    setUpTable(ui.bindingTable, m_bindingProxy, tr("What binds"));
    ui.bindingTable->setItemDelegate(new QuietWhereKept(this));
    setUpBinding();
    setUpCorner();
    const auto request = [this](void (DecideAnswer::*signal)(std::size_t)) {
        if (const auto answer = chosen())
            emit(this->*signal)(*answer);
    };
    connect(ui.planButton, &QPushButton::clicked, this, [request] { request(&DecideAnswer::planRequested); });
    connect(ui.recordButton, &QPushButton::clicked, this, [request] { request(&DecideAnswer::recordRequested); });
    connect(ui.baseButton, &QPushButton::clicked, this, [request] { request(&DecideAnswer::baseRequested); });
    connect(ui.fleetsTable, &QTableView::doubleClicked, this, [request] { request(&DecideAnswer::planRequested); });
    setUpActions();
    connect(ui.allBox, &QCheckBox::toggled, this, &DecideAnswer::fillTables);
    connect(ui.fleetsTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        updateButtons();
        showCharts();
    });
    for (auto *combo : {ui.xCombo, ui.yCombo}) {
        for (const auto objective : allDecisionObjectives)
            combo->addItem(localized(words(objective)), int(objective));
        combo->setAccessibleName(tr("Figure of the front"));
        connect(combo, &QComboBox::activated, this, &DecideAnswer::showFront);
    }
    for (const auto figure : uncertainty::allRiskFigures)
        ui.sureFigureCombo->addItem(localized(uncertainty::titleOf(figure)), int(figure));
    ui.sureFleetCombo->setAccessibleName(tr("Fleet that was drawn"));
    ui.sureFigureCombo->setAccessibleName(tr("Figure that was drawn"));
    for (auto *combo : {ui.sureFleetCombo, ui.sureFigureCombo})
        connect(combo, &QComboBox::activated, this, &DecideAnswer::showSure);
    for (const auto &[fold, details] : {std::pair(ui.moneyHeader, ui.moneyDetails),
             std::pair(ui.sureHeader, ui.sureDetails), std::pair(ui.bindingHeader, ui.bindingDetails)}) {
        fold->setContent(details, tr("Details"));
        fold->setChecked(false);
    }
    connect(ui.sureHeader, &FoldHeader::toggled, this, [this](bool open) {
        if (open) // once they have their place
            QTimer::singleShot(0, this, [this] {
                const auto top = m_ui->sureHeader->y();
                m_ui->sureArea->ensureVisible(0, top + m_ui->sureArea->viewport()->height(), 0, 0);
            });
    });
    ui.sureHeadline->setTextInteractionFlags(Qt::TextSelectableByMouse);
    for (auto *label :
        {ui.moneyWords, ui.moneyDetails, ui.sureWords, ui.sureDetails, ui.bindingWords, ui.bindingDetails}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    for (auto *chart : {ui.frontChart, ui.moneyChart, ui.histogramChart, ui.tornadoChart}) {
        chart->setMinimumHeight(leastChartHeight);
        // It takes what the words below it leave, so that in a small window they are seen, too.
        QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Ignored);
        policy.setHeightForWidth(true); // else wrapped words beside it take the room that its legend needs
        chart->setSizePolicy(policy);
    }
    connect(this, &QTabWidget::currentChanged, this, &DecideAnswer::showCharts);
    updateButtons();
    fillBinding();
}

DecideAnswer::~DecideAnswer() = default;

void DecideAnswer::setPrompts(Prompts &prompts)
{
    m_prompts = &prompts;
    m_ui->approvals->setPrompts(prompts);
}

void DecideAnswer::setUpTable(QTableView *view, QSortFilterProxyModel *proxy, const QString &name)
{
    proxy->setSortRole(itemmodels::sortRole);
    view->setModel(proxy);
    app::setUpTable(view, -1);
    letSort(*view); // the answer's own order: the best first
    view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view->setTextElideMode(Qt::ElideRight);
    view->setAccessibleName(name);
}

/// The menu of a row: what the buttons above the table do, and what leads elsewhere.
void DecideAnswer::setUpActions()
{
    auto &table = *m_ui->fleetsTable;
    table.setContextMenuPolicy(Qt::ActionsContextMenu);
    auto *others = table.actions().value(0); // columns
    const auto add = [this, &table, others](const QString &name, const QString &text, const QString &tip,
                         void (DecideAnswer::*signal)(std::size_t)) {
        auto *action = new QAction(text, this);
        action->setObjectName(name);
        action->setToolTip(tip);
        action->setStatusTip(tip);
        connect(action, &QAction::triggered, this, [this, signal] {
            if (const auto answer = chosen())
                emit(this->*signal)(*answer);
        });
        table.insertAction(others, action);
        m_rowActions << action;
    };
    add(u"planAction"_s, tr("&Make a plan"), m_ui->planButton->toolTip(), &DecideAnswer::planRequested);
    add(u"explainAction"_s, tr("Make a plan and &explain it\u2026"),
        tr("Each figure of the fleet with its formula, inputs and sources"), &DecideAnswer::explanationRequested);
    add(u"compareAction"_s, tr("Make a plan and com&pare\u2026"), tr("Beside the other plans, on the page Compare"),
        &DecideAnswer::comparisonRequested);
    add(u"recordAction"_s, tr("Recor&d"), m_ui->recordButton->toolTip(), &DecideAnswer::recordRequested);
    add(u"baseAction"_s, tr("&Base case"), m_ui->baseButton->toolTip(), &DecideAnswer::baseRequested);
    m_whatIf = new QAction(tr("&What if its price were\u2026"), this);
    m_whatIf->setObjectName(u"whatIfAction"_s);
    m_whatIf->setToolTip(tr("Who wins, and at what cost, with the price of this fleet lower or higher"));
    m_whatIf->setStatusTip(m_whatIf->toolTip());
    connect(m_whatIf, &QAction::triggered, this, &DecideAnswer::askAboutPrice);
    table.insertAction(others, m_whatIf);
    auto *separator = new QAction(this);
    separator->setSeparator(true);
    table.insertAction(others, separator);
}

void DecideAnswer::askAboutPrice()
{
    const auto answer = chosen();
    if (!answer || !m_answer.result)
        return;
    setCurrentWidget(m_ui->pricesTab);
    if (!m_ui->prices->ask(m_answer.result->answers.at(*answer).answer))
        emit statusMessage(m_answer.sure ? tr("No price lets this fleet in: it breaks a limit that is not of money.")
                                         : tr("The question is still being answered."));
}

void DecideAnswer::setUpCorner()
{
    auto *corner = new QWidget(this);
    auto *row = new QHBoxLayout(corner);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(gridUnit / 2);
    const auto button = [&](const QString &name, const QString &text, const QString &tip, auto slot) {
        auto *made = new QToolButton(corner);
        made->setObjectName(name);
        made->setText(text);
        made->setToolTip(tip);
        connect(made, &QToolButton::clicked, this, slot);
        row->addWidget(made);
        return made;
    };
    auto *copy = button(
        u"copyTableButton"_s, tr("Copy"), tr("Copy the table or the chart of this page"), &DecideAnswer::copyShown);
    auto *save = button(u"saveTableButton"_s, tr("CSV\u2026"),
        tr("Save the table of this page as CSV; of the front every fleet in it, of other charts what they draw"),
        &DecideAnswer::saveCsv);
    connect(this, &QTabWidget::currentChanged, corner, [this, copy, save] {
        for (auto *each : {copy, save})
            each->setEnabled(currentTable() || currentChart());
    });
    setCornerWidget(corner);
}

void DecideAnswer::showApprovedAlone(bool alone)
{
    const int approved = indexOf(m_ui->approvedTab);
    if (alone != isTabVisible(0))
        return;
    if (alone)
        setCurrentIndex(approved);
    for (int tab = 0; tab < count(); ++tab)
        setTabVisible(tab, !alone || tab == approved);
    if (!alone)
        setCurrentIndex(0);
}

void DecideAnswer::markApproved(const QString &unfit)
{
    const int tab = indexOf(m_ui->approvedTab);
    setTabIcon(tab, unfit.isEmpty() ? QIcon() : style()->standardIcon(QStyle::SP_MessageBoxWarning));
    setTabToolTip(tab, unfit);
}

bool DecideAnswer::showsApproved() const { return currentWidget() == m_ui->approvedTab; }

DecideApprovals &DecideAnswer::approvals() const { return *m_ui->approvals; }

void DecideAnswer::showAnswer(const jobs::SizeAnswer &answer, std::shared_ptr<const Catalog> catalog)
{
    const auto before = chosen();
    const bool another = !m_answer.result || m_answer.document.front != answer.document.front;
    m_answer = answer;
    m_catalog = std::move(catalog);
    if (another) {
        selectData(m_ui->xCombo, int(answer.document.front[0]));
        selectData(m_ui->yCombo, int(answer.document.front[1]));
    }
    m_ui->prices->showAnswer(answer);
    fillTables();
    if (before)
        choose(*before);
}

void DecideAnswer::clear()
{
    m_answer = {};
    m_fleets->setRows({});
    fillBinding();
    m_ui->sureFleetCombo->clear();
    m_ui->prices->clear();
    updateButtons();
    showCharts();
}

void DecideAnswer::showBestOfNodes() { m_ui->allBox->setChecked(false); }

void DecideAnswer::setReadOnly(bool readOnly)
{
    m_readOnly = readOnly;
    updateButtons();
}

void DecideAnswer::fillTables()
{
    if (!m_answer.result)
        return;
    const auto which = m_ui->allBox->isChecked() ? SizedRows::EveryKind : SizedRows::BestOfNodes;
    m_fleets->setResult(m_answer.document, *m_answer.result, which, m_answer.sure.get());
    fillBinding();
    fitColumns();
    auto &combo = *m_ui->sureFleetCombo;
    const auto shown = combo.currentText();
    combo.clear();
    if (m_answer.sure)
        for (const auto &fleet : m_answer.sure->risk.fleets)
            combo.addItem(localized(fleet.label));
    combo.setCurrentIndex(std::max(0, combo.findText(shown)));
    if (m_fleets->rowCount() > 0 && !m_ui->fleetsTable->currentIndex().isValid())
        chooseRow(*m_ui->fleetsTable, 0);
    updateButtons();
    showCharts();
}

std::optional<std::size_t> DecideAnswer::chosen() const
{
    const auto index = m_ui->fleetsTable->currentIndex();
    const auto id = index.isValid() ? index.data(itemmodels::idRole).toLongLong() : itemmodels::baseCaseId;
    return id != itemmodels::baseCaseId ? std::optional(std::size_t(id)) : std::nullopt; // the base case is none
}

/// What the table leaves out, because another of its node is better, is let in.
void DecideAnswer::pick(std::size_t answer)
{
    if (!m_answer.result || answer >= m_answer.result->answers.size())
        return;
    if (m_fleets->indexOf(qint64(answer)) < 0)
        m_ui->allBox->setChecked(true);
    choose(answer);
    emit statusMessage(
        tr("Chosen among the candidates: %1")
            .arg(localized(size::fleetInWords(*m_answer.result, m_answer.result->answers[answer].answer))));
}

void DecideAnswer::choose(std::size_t answer)
{
    const auto index = m_fleetsProxy->mapFromSource(m_fleets->index(m_fleets->indexOf(qint64(answer)), 0));
    if (index.isValid())
        m_ui->fleetsTable->setCurrentIndex(index);
}

void DecideAnswer::updateButtons()
{
    const bool usable = chosen().has_value() && !m_readOnly;
    for (auto *button : {m_ui->planButton, m_ui->recordButton, m_ui->baseButton})
        button->setEnabled(usable);
    for (auto *action : m_rowActions)
        action->setEnabled(usable);
    m_whatIf->setEnabled(chosen().has_value()); // it changes nothing
    m_ui->batchButton->setEnabled(!m_readOnly);
}

QTableView *DecideAnswer::currentTable() const
{
    return currentWidget() == m_ui->candidatesTab ? m_ui->fleetsTable
        : currentWidget() == m_ui->approvedTab    ? m_ui->approvals->shownTable()
        : currentWidget() != m_ui->bindsTab       ? nullptr
        : m_ui->stepsTable->hasFocus()            ? m_ui->stepsTable
                                                  : m_ui->bindingTable;
}

charts::ChartView *DecideAnswer::currentChart() const
{
    return currentWidget() == m_ui->frontTab ? m_ui->frontChart
        : currentWidget() == m_ui->moneyTab  ? m_ui->moneyChart
        : currentWidget() != m_ui->sureTab   ? nullptr
        : m_ui->tornadoChart->hasFocus()     ? m_ui->tornadoChart
                                             : m_ui->histogramChart;
}

void DecideAnswer::copyShown()
{
    if (const auto *table = currentTable()) {
        emit statusMessage(copyTable(*table, CopyAs::TabSeparated, CopyWhat::Table));
    } else if (auto *chart = currentChart()) {
        chart->copyImage();
    }
}

void DecideAnswer::saveCsv()
{
    if (!m_prompts)
        return;
    SizedModel inFront;
    itemmodels::SheetTableModel drawn;
    const QAbstractItemModel *rows = nullptr;
    if (const auto *table = currentTable()) {
        rows = table->model();
    } else if (currentWidget() == m_ui->frontTab && m_answer.result) {
        inFront.setResult(m_answer.document, *m_answer.result, SizedRows::EveryKind);
        rows = &inFront;
    } else if (const auto *chart = currentChart(); chart && chart != m_ui->frontChart) {
        drawn.setTable(sheetOf(chart->table()));
        rows = &drawn;
    }
    if (!rows || rows->rowCount() == 0) {
        emit statusMessage(tr("Nothing is there to be saved yet."));
        return;
    }
    const auto told = m_prompts->saveFile(this,
        {.title = tr("Save table"),
            .name = utf8(m_answer.document.name) + u".csv"_s,
            .filter = tr("Comma-separated values (*.csv)"),
            .failure = tr("The table was not saved")},
        [rows](const QString &) { return itemmodels::toCsv(*rows).toUtf8(); });
    if (!told.isEmpty())
        emit statusMessage(told);
}

/// Fabric and site stand where fleets differ in them. In a narrow window the table leaves out what other places say:
/// the layout (the tool tip), the cost of a year and carbon (the cards) and what would free a fleet (the table of what
/// binds); of the best of each node the site as well.
void DecideAnswer::fitColumns()
{
    constexpr int wide = 200 * gridUnit;
    constexpr std::array spare{SizedModel::Yearly, SizedModel::LateDays, SizedModel::Electricity, SizedModel::Carbon,
        SizedModel::Layout, SizedModel::Frees};
    const bool isWide = width() >= wide;
    auto &table = *m_ui->fleetsTable;
    for (const int column : spare)
        table.setColumnHidden(column, true);
    table.setColumnHidden(SizedModel::Fabric, !m_fleets->differIn(SizedModel::Fabric)); // on it their power rests
    table.setColumnHidden(
        SizedModel::Site, !m_fleets->differIn(SizedModel::Site) || !(isWide || m_ui->allBox->isChecked()));
    auto &columns = TableColumns::of(table);
    const int layoutWidth = 22 * gridUnit, freesWidth = 36 * gridUnit;
    columns.giveWidth(SizedModel::Layout, layoutWidth);
    columns.giveWidth(SizedModel::Frees, freesWidth);
    // More columns where there is room for them beside what binds, whole.
    int room = table.viewport()->width();
    if (!table.verticalScrollBar()->isVisible()) // it may come with the next rows
        room -= table.style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, &table);
    for (int column = 0; column < m_fleets->columnCount(); ++column)
        if (!table.isColumnHidden(column))
            room -= columns.neededFor(column);
    for (const int column : spare) {
        const int needed = column == SizedModel::Layout ? layoutWidth
            : column == SizedModel::Frees               ? freesWidth
                                                        : columns.neededFor(column);
        table.setColumnHidden(column, !isWide || needed > room);
        if (!table.isColumnHidden(column))
            room -= needed;
    }
}

void DecideAnswer::resizeEvent(QResizeEvent *event)
{
    QTabWidget::resizeEvent(event);
    fitColumns(); // in a higher window more rows are read, which may be longer
}

void DecideAnswer::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange && m_ui)
        showCharts();
    QTabWidget::changeEvent(event);
}

} // namespace fleetwright::app
