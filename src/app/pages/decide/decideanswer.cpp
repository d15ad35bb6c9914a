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
#include <QStyledItemDelegate>
#include <QToolButton>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using itemmodels::BindingModel;
using itemmodels::SizedModel;
using itemmodels::SizedRows;

namespace {

constexpr int leastChartHeight = 20 * gridUnit;

charts::Theme chartTheme(const QWidget &widget)
{
    return isDark(widget.palette()) ? charts::Theme::dark() : charts::Theme::light();
}

QStringList sentencesOf(const std::vector<std::string> &sentences)
{
    QStringList lines;
    for (const auto &sentence : sentences)
        lines << utf8(sentence);
    return lines;
}

constexpr qsizetype saidFirst = 3; // sentences above a chart

/// What matters stands above the chart; the rest, and nothing twice, below a line that folds.
void sayIn(QLabel &words, FoldHeader &fold, QLabel &details, const QStringList &said, QStringList more)
{
    words.setText(said.join(u' '));
    more.removeDuplicates();
    more.removeIf([&said](const QString &sentence) { return said.contains(sentence); });
    details.setText(more.isEmpty() ? QString() : u"\u2022 "_s + more.join(u"\n\u2022 "_s));
    fold.setSummary(utf8(units::counted(double(more.size()), "more sentence", "more sentences")));
    fold.setVisible(!more.isEmpty());
    details.setVisible(!more.isEmpty() && fold.isChecked());
}

/// Says of fleets that keep all limits what is next to them, in a colour that may be overlooked.
class QuietWhereKept : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.data(itemmodels::keepsRole).toBool())
            option->palette.setColor(QPalette::Text, quietColour(option->palette));
    }
};

/// The limit on a figure that is drawn.
std::optional<size::SizeLimit> limitOnDrawn(uncertainty::RiskFigure figure)
{
    switch (figure) {
    case uncertainty::RiskFigure::Days: return size::SizeLimit::Deadline;
    case uncertainty::RiskFigure::RunCost: return size::SizeLimit::RunCost;
    case uncertainty::RiskFigure::OwnershipCost: return size::SizeLimit::YearlyCost;
    case uncertainty::RiskFigure::Capital: return size::SizeLimit::Capital;
    case uncertainty::RiskFigure::Power: return size::SizeLimit::Power;
    case uncertainty::RiskFigure::Carbon: return size::SizeLimit::Carbon;
    }
    return std::nullopt;
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

static QString notAnswered()
{
    return DecideAnswer::tr("What binds each fleet stands here once the question is answered.");
}

DecideAnswer::DecideAnswer(QWidget *parent)
    : QTabWidget(parent), m_ui(std::make_unique<Ui::DecideAnswer>()), m_fleets(new SizedModel(this)),
      m_binding(new BindingModel(this)), m_fleetsProxy(new QSortFilterProxyModel(this)),
      m_bindingProxy(new QSortFilterProxyModel(this)), m_catalog(std::make_shared<const Catalog>())
{
    m_ui->setupUi(this);
    setCurrentIndex(0);
    auto &ui = *m_ui;
    m_fleetsProxy->setSourceModel(m_fleets);
    m_bindingProxy->setSourceModel(m_binding);
    setUpTable(ui.fleetsTable, m_fleetsProxy, tr("Candidates"));
    TableColumns::of(*ui.fleetsTable).shareAmong({SizedModel::Binds});
    ui.fleetsTable->setItemDelegateForColumn(SizedModel::Binds, new QuietWhereKept(this));
    fitColumns();
    setUpTable(ui.bindingTable, m_bindingProxy, tr("What binds"));
    TableColumns::of(*ui.bindingTable).shareAmong({BindingModel::Remedy});
    ui.bindingTable->setItemDelegate(new QuietWhereKept(this));
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
    for (const auto &[fold, details] :
        {std::pair(ui.moneyHeader, ui.moneyDetails), std::pair(ui.sureHeader, ui.sureDetails)}) {
        fold->setContent(details, tr("Details"));
        fold->setChecked(false);
    }
    for (auto *label : {ui.moneyWords, ui.moneyDetails, ui.sureWords, ui.sureDetails, ui.bindingWords}) {
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
    m_ui->bindingWords->setText(notAnswered());
}

DecideAnswer::~DecideAnswer() = default;

void DecideAnswer::setPrompts(Prompts &prompts) { m_prompts = &prompts; }

void DecideAnswer::setUpTable(QTableView *view, QSortFilterProxyModel *proxy, const QString &name)
{
    proxy->setSortRole(itemmodels::sortRole);
    view->setModel(proxy);
    app::setUpTable(view, -1);
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
        row->addWidget(made);
        return made;
    };
    auto *copy = button(
        u"copyTableButton"_s, tr("Copy"), tr("Copy the table or the chart of this page"), &DecideAnswer::copyShown);
    auto *save = button(u"saveTableButton"_s, tr("CSV\u2026"),
        tr("Save the table of this page as CSV; of the front every fleet in it"), &DecideAnswer::saveCsv);
    connect(this, &QTabWidget::currentChanged, corner, [this, copy, save] {
        copy->setEnabled(currentTable() || currentChart());
        save->setEnabled(currentTable() || currentWidget() == m_ui->frontTab);
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
    fillTables();
    if (before)
        choose(*before);
}

void DecideAnswer::clear()
{
    m_answer = {};
    m_fleets->setRows({});
    m_binding->setRows({});
    m_ui->bindingWords->setText(notAnswered());
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
    const auto which = m_ui->allBox->isChecked() ? SizedRows::EveryKind : SizedRows::BestOfNodes;
    m_fleets->setResult(m_answer.document, *m_answer.result, which, m_answer.sure.get());
    m_binding->setResult(m_answer.document, *m_answer.result, which);
    m_ui->bindingWords->setText(sentencesOf(size::bindingInWords(m_answer.document, *m_answer.result)).join(u'\n'));
    fitColumns();
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

charts::ChartView *DecideAnswer::currentChart() const
{
    return currentWidget() == m_ui->frontTab ? m_ui->frontChart
        : currentWidget() == m_ui->moneyTab  ? m_ui->moneyChart
        : currentWidget() == m_ui->sureTab   ? m_ui->histogramChart
                                             : nullptr;
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
    const bool isFront = currentWidget() == m_ui->frontTab;
    const auto *table = currentTable();
    if ((!table && !isFront) || !m_prompts || !m_answer.result)
        return;
    SizedModel inFront;
    if (isFront)
        inFront.setResult(m_answer.document, *m_answer.result, SizedRows::EveryKind);
    const auto &rows = isFront ? static_cast<const QAbstractItemModel &>(inFront) : *table->model();
    const auto told = m_prompts->saveFile(this,
        {.title = tr("Save table"),
            .name = utf8(m_answer.document.name) + u".csv"_s,
            .filter = tr("Comma-separated values (*.csv)"),
            .failure = tr("The table was not saved")},
        [&rows](const QString &) { return itemmodels::toCsv(rows).toUtf8(); });
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
                                   .limits = size::statedLimits(m_answer.document),
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
    QStringList said{tr("What is paid over time stands here once the question is answered.")};
    const auto *best = m_answer.result ? m_answer.result->best() : nullptr;
    if (m_answer.result && !best)
        said = QStringList(tr("No fleet keeps all limits, so there is nothing to pay for."))
            + sentencesOf(size::bindingInWords(m_answer.document, *m_answer.result));
    if (best) {
        const auto &result = *m_answer.result;
        said = {tr("What %1 costs over time cannot be computed with the prices of the catalog.")
                    .arg(nodesOf(result, *best))};
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
    m_ui->moneyChart->setVisible(!curves.empty()); // empty axes say nothing
    m_ui->moneyChart->show(charts::moneyChart(curves), chartTheme(*this));
    sayIn(*m_ui->moneyWords, *m_ui->moneyHeader, *m_ui->moneyDetails, said.mid(0, saidFirst), said.mid(saidFirst));
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
        const auto why = m_answer.sureRefused.empty()
            ? tr("Ranges of prices, step times and failures are drawn from once the answer is complete.")
            : utf8(m_answer.sureRefused);
        sayIn(*ui.sureWords, *ui.sureHeader, *ui.sureDetails, {why}, {});
        return;
    }
    const auto &risk = m_answer.sure->risk;
    const auto &fleet = risk.fleets[place];
    const auto figure = uncertainty::RiskFigure(ui.sureFigureCombo->currentData().toInt());
    const auto limit = limitOnDrawn(figure);
    const auto stated = size::statedLimits(m_answer.document);
    const auto bound = std::ranges::find_if(stated, [&](const auto &one) { return one.limit == limit; });
    ui.histogramChart->show(
        charts::riskHistogramChart(fleet, figure, bound == stated.end() ? std::nullopt : std::optional(bound->value)),
        chartTheme(*this));
    ui.tornadoChart->show(charts::tornadoChart(risk, fleet, figure), chartTheme(*this));
    QStringList said, more;
    if (const auto &spread = fleet.spread(figure); spread && limit) {
        const auto words = [&](double value) { return utf8(size::valueInWords(*limit, value)); };
        const auto &quantiles = spread->quantiles;
        said << (quantiles.p10 < quantiles.p90 ? tr("%1: most likely %2; eight times in ten it lies between %3 and %4.")
                                                     .arg(utf8(uncertainty::titleOf(figure)), words(spread->likely),
                                                         words(quantiles.p10), words(quantiles.p90))
                                               : tr("%1: %2; nothing with a range moves it.")
                                                     .arg(utf8(uncertainty::titleOf(figure)), words(spread->likely)));
    }
    QStringList chances;
    for (const auto &[chance, what] : {std::pair(fleet.deadline, tr("the deadline")),
             std::pair(fleet.budget, tr("the limit on the run cost")), std::pair(fleet.both, tr("both"))})
        if (chance) {
            chances << tr("%1 with a chance of %2").arg(what, percent(chance->share));
            more << tr("%1 is kept in %2 of the draws, give or take %3.")
                        .arg(what.at(0).toUpper() + what.mid(1), percent(chance->share), percent(chance->error));
        }
    if (!chances.isEmpty())
        said << tr("It keeps %1.").arg(chances.join(u", "_s));
    said << tr("With everything that is not certain, it stays the best fleet in %1 of the cases.")
                .arg(percent(fleet.best.share));
    more << tr("Best in %1 of the draws, give or take %2.").arg(percent(fleet.best.share), percent(fleet.best.error));
    more << sentencesOf(size::howSureInWords(*m_answer.sure));
    sayIn(*ui.sureWords, *ui.sureHeader, *ui.sureDetails, said, more);
}

/// Fabric and site stand where fleets differ in them. In a narrow window the table leaves out what other places say:
/// the layout (the tool tip), the cost of a year and carbon (the cards) and what would free a fleet (the table of what
/// binds); of the best of each node the fabric as well.
void DecideAnswer::fitColumns()
{
    constexpr int wide = 200 * gridUnit;
    const bool isWide = width() >= wide;
    auto &table = *m_ui->fleetsTable;
    for (const int column : {SizedModel::Layout, SizedModel::Yearly, SizedModel::Carbon, SizedModel::Frees})
        table.setColumnHidden(column, !isWide);
    for (const auto column : {SizedModel::Fabric, SizedModel::Site})
        table.setColumnHidden(column, !m_fleets->differIn(column) || !(isWide || m_ui->allBox->isChecked()));
    auto &columns = TableColumns::of(table);
    columns.giveWidth(SizedModel::Layout, 22 * gridUnit);
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
