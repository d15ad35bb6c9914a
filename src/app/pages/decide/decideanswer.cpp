// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/decide/decideanswer.h"

#include "app/pages/decide/decideapprovals.h"
#include "app/theme.h"
#include "app/widgets/copying.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/tablecolumns.h"
#include "app/wording.h"
#include "app/workspace/prompts.h"
#include "charts/decisioncharts.h"
#include "itemmodels/sizemodel.h"
#include "solver/size/sizewords.h"
#include "solver/worksheet/fleettables.h"
#include "ui_decideanswer.h"

#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QResizeEvent>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QToolButton>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using itemmodels::BindingModel;
using itemmodels::SizedModel;

namespace {

constexpr int leastChartHeight = 20 * gridUnit;

charts::Theme chartTheme(const QWidget &widget)
{
    return isDark(widget.palette()) ? charts::Theme::dark() : charts::Theme::light();
}

/// One line a sentence.
QString sentencesOf(const std::vector<std::string> &sentences)
{
    QStringList lines;
    for (const auto &sentence : sentences)
        lines << u"\u2022 "_s + utf8(sentence);
    return lines.join(u'\n');
}

/// However it is paid for.
QString nodesOf(const size::Result &result, const size::Answer &answer)
{
    return DecideAnswer::tr("%1 \u00d7 %2").arg(app::count(answer.nodes), utf8(result.lots[answer.lot].node));
}

/// The sheet of a fleet of the answer; nothing where it cannot be priced.
std::optional<CostSheet> sheetOf(const size::Result &result, const size::Answer &answer, const Catalog &catalog)
{
    const auto fleet = resolve(size::fleetOf(result, answer), catalog);
    auto sheet = fleet ? fleetCost(*fleet) : Expected<CostSheet>(std::unexpected(fleet.error()));
    return sheet ? std::optional(std::move(*sheet)) : std::nullopt;
}

} // namespace

DecideAnswer::DecideAnswer(QWidget *parent)
    : QTabWidget(parent), m_ui(std::make_unique<Ui::DecideAnswer>()), m_fleets(new SizedModel(this)),
      m_binding(new BindingModel(this)), m_fleetsProxy(new QSortFilterProxyModel(this)),
      m_bindingProxy(new QSortFilterProxyModel(this)), m_noneBinds(new QLabel(this)),
      m_catalog(std::make_shared<const Catalog>())
{
    m_ui->setupUi(this);
    setCurrentIndex(0);
    auto &ui = *m_ui;
    m_fleetsProxy->setSourceModel(m_fleets);
    m_bindingProxy->setSourceModel(m_binding);
    setUpTable(ui.fleetsTable, m_fleetsProxy, tr("Candidates"));
    TableColumns::of(*ui.fleetsTable).shareAmong({SizedModel::Fleet});
    fitColumns();
    setUpTable(ui.bindingTable, m_bindingProxy, tr("What binds"));
    m_noneBinds->setObjectName(u"noneBindsLabel"_s);
    m_noneBinds->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_noneBinds->setWordWrap(true);
    ui.bindsTabLayout->addWidget(m_noneBinds);
    setUpCorner();
    const auto request = [this](void (DecideAnswer::*signal)(std::size_t)) {
        if (const auto answer = chosen())
            emit(this->*signal)(*answer);
    };
    connect(ui.planButton, &QPushButton::clicked, this, [request] { request(&DecideAnswer::planRequested); });
    connect(ui.recordButton, &QPushButton::clicked, this, [request] { request(&DecideAnswer::recordRequested); });
    connect(ui.baseButton, &QPushButton::clicked, this, [request] { request(&DecideAnswer::baseRequested); });
    connect(ui.fleetsTable, &QTableView::doubleClicked, this, [request] { request(&DecideAnswer::planRequested); });
    connect(ui.allBox, &QCheckBox::toggled, this, &DecideAnswer::fillTables);
    connect(ui.fleetsTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        updateButtons();
        showCharts();
    });
    for (auto *combo : {ui.xCombo, ui.yCombo}) {
        for (const auto objective : allDecisionObjectives)
            combo->addItem(utf8(words(objective)), int(objective));
        combo->setAccessibleName(tr("Figure of the front"));
        connect(combo, &QComboBox::activated, this, &DecideAnswer::showFront);
    }
    for (const auto figure : uncertainty::allRiskFigures)
        ui.sureFigureCombo->addItem(utf8(uncertainty::titleOf(figure)), int(figure));
    ui.sureFleetCombo->setAccessibleName(tr("Fleet that was drawn"));
    ui.sureFigureCombo->setAccessibleName(tr("Figure that was drawn"));
    for (auto *combo : {ui.sureFleetCombo, ui.sureFigureCombo})
        connect(combo, &QComboBox::activated, this, &DecideAnswer::showSure);
    for (auto *label : {ui.moneyWords, ui.sureWords}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    for (auto *chart : {ui.frontChart, ui.moneyChart, ui.histogramChart, ui.tornadoChart}) {
        chart->setMinimumHeight(leastChartHeight);
        // It takes what the words below it leave, so that in a small window they are seen, too.
        chart->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    }
    connect(this, &QTabWidget::currentChanged, this, &DecideAnswer::showCharts);
    updateButtons();
    showBinding();
}

DecideAnswer::~DecideAnswer() = default;

void DecideAnswer::setPrompts(Prompts &prompts) { m_prompts = &prompts; }

void DecideAnswer::setUpTable(QTableView *view, QSortFilterProxyModel *proxy, const QString &name)
{
    proxy->setSortRole(itemmodels::sortRole);
    view->setModel(proxy);
    app::setUpTable(view, -1);
    constexpr int widthOfAFleet = 48; // letters; the others take what they need
    TableColumns::of(*view).giveWidth(0, view->fontMetrics().averageCharWidth() * widthOfAFleet);
    view->horizontalHeader()->setSortIndicatorClearable(true);
    view->setSortingEnabled(true);
    view->sortByColumn(-1, Qt::AscendingOrder); // the answer's own order: the best first
    view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view->setTextElideMode(Qt::ElideRight);
    view->setAccessibleName(name);
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
        connect(this, &QTabWidget::currentChanged, made, [this, made] { made->setEnabled(currentTable()); });
        row->addWidget(made);
    };
    button(u"copyTableButton"_s, tr("Copy"), tr("Copy the table of this page"), &DecideAnswer::copyTable);
    button(u"saveTableButton"_s, tr("CSV\u2026"), tr("Save the table of this page as CSV"), &DecideAnswer::saveCsv);
    setCornerWidget(corner);
}

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
    fillTables();
    if (before)
        choose(*before);
}

void DecideAnswer::clear()
{
    m_answer = {};
    m_fleets->setRows({});
    m_binding->setRows({});
    showBinding();
    m_ui->sureFleetCombo->clear();
    updateButtons();
    showCharts();
}

void DecideAnswer::setReadOnly(bool readOnly)
{
    m_readOnly = readOnly;
    updateButtons();
}

void DecideAnswer::fillTables()
{
    if (!m_answer.result)
        return;
    const bool all = m_ui->allBox->isChecked();
    m_fleets->setResult(m_answer.document, *m_answer.result, all);
    m_binding->setResult(*m_answer.result, all);
    showBinding();
    auto &combo = *m_ui->sureFleetCombo;
    const auto shown = combo.currentText();
    combo.clear();
    if (m_answer.sure)
        for (const auto &fleet : m_answer.sure->risk.fleets)
            combo.addItem(utf8(fleet.label));
    combo.setCurrentIndex(std::max(0, combo.findText(shown)));
    if (m_fleets->rowCount() > 0 && !m_ui->fleetsTable->currentIndex().isValid())
        m_ui->fleetsTable->selectRow(0);
    updateButtons();
    showCharts();
}

/// A table without a row says why it has none.
void DecideAnswer::showBinding()
{
    const bool any = m_binding->rowCount() > 0;
    m_ui->bindingTable->setVisible(any);
    m_noneBinds->setVisible(!any);
    m_noneBinds->setText(m_answer.result ? tr("Every fleet of the table of candidates keeps all limits.")
                                         : tr("What binds each fleet stands here once the question is answered."));
}

std::optional<std::size_t> DecideAnswer::chosen() const
{
    const auto index = m_ui->fleetsTable->currentIndex();
    return index.isValid() ? std::optional(std::size_t(index.data(itemmodels::idRole).toULongLong())) : std::nullopt;
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
}

QTableView *DecideAnswer::currentTable() const
{
    return currentWidget() == m_ui->candidatesTab ? m_ui->fleetsTable
        : currentWidget() == m_ui->bindsTab       ? m_ui->bindingTable
                                                  : nullptr;
}

void DecideAnswer::copyTable()
{
    if (const auto *table = currentTable())
        emit statusMessage(app::copyTable(*table, CopyAs::TabSeparated, CopyWhat::Table));
}

void DecideAnswer::saveCsv()
{
    const auto *table = currentTable();
    if (!table || !m_prompts)
        return;
    const auto told = m_prompts->saveFile(this,
        {.title = tr("Save table"),
            .name = utf8(m_answer.document.name) + u".csv"_s,
            .filter = tr("Comma-separated values (*.csv)"),
            .failure = tr("The table was not saved")},
        [table](const QString &) { return itemmodels::toCsv(*table->model()).toUtf8(); });
    if (!told.isEmpty())
        emit statusMessage(told);
}

void DecideAnswer::showCharts()
{
    if (currentWidget() == m_ui->frontTab)
        showFront();
    else if (currentWidget() == m_ui->moneyTab)
        showMoney();
    else if (currentWidget() == m_ui->sureTab)
        showSure();
}

void DecideAnswer::showFront()
{
    static const size::Result none;
    const auto axis = [](const QComboBox *combo) { return DecisionObjective(combo->currentData().toInt()); };
    m_ui->frontChart->show(charts::decisionFrontChart(m_answer.result ? *m_answer.result : none,
                               {.axes = {axis(m_ui->xCombo), axis(m_ui->yCombo)},
                                   .selected = chosen(),
                                   .picked =
                                       [this](std::size_t answer) {
                                           QMetaObject::invokeMethod(
                                               this, [this, answer] { choose(answer); }, Qt::QueuedConnection);
                                       }}),
        chartTheme(*this));
}

void DecideAnswer::showMoney()
{
    std::vector<charts::MoneyCurve> curves;
    QString said = tr("No fleet keeps all limits, so there is nothing to pay for.");
    if (const auto *best = m_answer.result ? m_answer.result->best() : nullptr) {
        const auto &result = *m_answer.result;
        if (const auto sheet = sheetOf(result, *best, *m_catalog)) {
            curves = charts::buyAndRentCurves(nodesOf(result, *best), *sheet);
            if (const auto fleet = resolve(size::fleetOf(result, *best), *m_catalog))
                said = sentencesOf(buyOrRentInWords(*fleet, *sheet));
        }
        const auto rows = result.byNode();
        const auto second = std::ranges::find_if(rows, [&](const size::LotAnswer *row) {
            return row->answer.isFeasible() && result.lots[row->answer.lot].nodeId != result.lots[best->lot].nodeId;
        });
        if (second != rows.end())
            if (const auto sheet = sheetOf(result, (*second)->answer, *m_catalog)) {
                auto others = charts::buyAndRentCurves(nodesOf(result, (*second)->answer), *sheet);
                curves.insert(curves.end(), std::make_move_iterator(others.begin()),
                    std::make_move_iterator(others.begin() + std::min<std::ptrdiff_t>(1, std::ssize(others))));
            }
    }
    m_ui->moneyChart->show(charts::moneyChart(curves), chartTheme(*this));
    m_ui->moneyWords->setText(said);
}

void DecideAnswer::showSure()
{
    auto &ui = *m_ui;
    const auto place = std::size_t(std::max(0, ui.sureFleetCombo->currentIndex()));
    const bool drawn = m_answer.sure && place < m_answer.sure->risk.fleets.size();
    for (auto *widget :
        std::initializer_list<QWidget *>{ui.sureFleetCombo, ui.sureFigureCombo, ui.histogramChart, ui.tornadoChart})
        widget->setVisible(drawn);
    if (!drawn) {
        ui.sureWords->setText(m_answer.sureRefused.empty()
                ? tr("Ranges of prices, step times and failures are drawn from once the answer is complete.")
                : utf8(m_answer.sureRefused));
        return;
    }
    const auto &risk = m_answer.sure->risk;
    const auto &fleet = risk.fleets[place];
    const auto figure = uncertainty::RiskFigure(ui.sureFigureCombo->currentData().toInt());
    ui.histogramChart->show(charts::riskHistogramChart(fleet, figure), chartTheme(*this));
    ui.tornadoChart->show(charts::tornadoChart(risk, fleet, figure), chartTheme(*this));
    QStringList said;
    said << u"\u2022 "_s
            + tr("Best in %1 of the draws, give or take %2.").arg(percent(fleet.best.share), percent(fleet.best.error));
    for (const auto &[chance, what] : {std::pair(fleet.deadline, tr("the deadline")),
             std::pair(fleet.budget, tr("the run cost")), std::pair(fleet.both, tr("both"))})
        if (chance)
            said << u"\u2022 "_s
                    + tr("It keeps %1 in %2, give or take %3.")
                          .arg(what, percent(chance->share), percent(chance->error));
    said << sentencesOf(size::howSureInWords(*m_answer.sure));
    ui.sureWords->setText(said.join(u'\n'));
}

/// In a narrow window the table leaves out what other places say: the cost of a year and carbon (the cards) and what
/// would free a fleet (the table of what binds).
void DecideAnswer::fitColumns()
{
    constexpr int wide = 200 * gridUnit;
    const bool isWide = width() >= wide;
    auto &table = *m_ui->fleetsTable;
    for (const int column : {SizedModel::Yearly, SizedModel::Carbon, SizedModel::Frees})
        table.setColumnHidden(column, !isWide);
    auto &columns = TableColumns::of(table);
    columns.giveWidth(SizedModel::Layout, (isWide ? 22 : 18) * gridUnit);
    columns.giveWidth(SizedModel::Frees, 36 * gridUnit);
}

void DecideAnswer::resizeEvent(QResizeEvent *event)
{
    QTabWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        fitColumns();
}

void DecideAnswer::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange && m_ui)
        showCharts();
    QTabWidget::changeEvent(event);
}

} // namespace fleetwright::app
