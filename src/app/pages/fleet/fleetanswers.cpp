// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/fleet/fleetanswers.h"

#include "app/pages/fleet/cellexplanation.h"
#include "app/pages/fleet/fleettotals.h"
#include "app/theme.h"
#include "app/widgets/copying.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/tablecolumns.h"
#include "app/workspace/prompts.h"
#include "charts/fleetcharts.h"
#include "itemmodels/fleetsheettables.h"
#include "solver/worksheet/formulawords.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_fleetanswers.h"
#include "units/format.h"

#include <QEvent>
#include <QHeaderView>
#include <QToolButton>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using itemmodels::SheetTableModel;

namespace {

QString listed(const std::vector<std::string> &sentences)
{
    QStringList lines;
    for (const auto &sentence : sentences)
        lines << QStringLiteral("\u2022 ") + localized(sentence);
    return lines.join(u'\n');
}

} // namespace

FleetAnswers::FleetAnswers(QWidget *parent)
    : QTabWidget(parent), m_ui(std::make_unique<Ui::FleetAnswers>()), m_bill(new SheetTableModel(this)),
      m_power(new SheetTableModel(this)), m_costs(new SheetTableModel(this)), m_years(new SheetTableModel(this)),
      m_rent(new SheetTableModel(this)), m_goodput(new SheetTableModel(this)), m_calendar(new SheetTableModel(this))
{
    m_ui->setupUi(this);
    setCurrentIndex(0);
    makeHeading(m_ui->noticesTitle);
    m_ui->notices->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_ui->rentWords->setTextInteractionFlags(Qt::TextSelectableByMouse);
    for (const auto &total : fleetTotals()) {
        const int row = int(m_totals.size());
        auto *value = new QLabel(m_ui->totalsContent);
        value->setObjectName(u"total_"_s + total.key);
        value->setAccessibleName(total.label);
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        useTabularFigures(value);
        auto *name = new QLabel(total.label, m_ui->totalsContent);
        m_ui->totalsGrid->addWidget(name, row, 0);
        m_totalNames.push_back(name);
        m_ui->totalsGrid->addWidget(value, row, 1);
        m_totals.push_back(value);
    }
    m_ui->totalsGrid->setColumnStretch(2, 1);
    m_ui->contractEdit->setLabel(tr("Power contract"));
    m_ui->contractEdit->setExplanation(
        tr("Facility power that a contract admits: how many of these nodes are within it."));
    m_ui->contractEdit->setQuantity(units::Dimension::Power, u"MW"_s);
    m_ui->contractEdit->setRange(1, 1e12);
    m_ui->contractEdit->setOptional(tr("any"));
    m_ui->contractEdit->setFixedWidth(15 * gridUnit);
    connect(m_ui->contractEdit, &QuantityEdit::valueEdited, this, &FleetAnswers::showContract);
    connect(m_ui->prices, &FleetPrices::costsEdited, this, &FleetAnswers::costsEdited);
    connect(m_ui->prices, &FleetPrices::pricesRequested, this, &FleetAnswers::pricesRequested);
    setUpTables();
}

FleetAnswers::~FleetAnswers() = default;

void FleetAnswers::setPrompts(Prompts &prompts) { m_prompts = &prompts; }

void FleetAnswers::setUpTables()
{
    constexpr int billItem = 1, source = 6, figure = 0;
    const std::vector figureTexts{source, figure}; // the first takes what is left
    addTable(m_ui->billTable, m_bill, tr("Bill of materials"), {source, billItem, figure});
    addTable(m_ui->powerTable, m_power, tr("Power"), figureTexts);
    addTable(m_ui->costTable, m_costs, tr("Costs"), figureTexts);
    addTable(m_ui->yearsTable, m_years, tr("Cash flow by year"), {figure});
    addTable(m_ui->rentTable, m_rent, tr("Buy or rent"), figureTexts);
    addTable(m_ui->goodputTable, m_goodput, tr("Failures and goodput"), figureTexts);
    addTable(m_ui->calendarTable, m_calendar, tr("Delivery"), figureTexts);
    auto *corner = new QWidget(this);
    auto *row = new QHBoxLayout(corner);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    const auto button = [&](const QString &name, const QString &text, const QString &tip, auto slot) {
        auto *made = new QToolButton(corner);
        made->setObjectName(name);
        made->setText(text);
        made->setToolTip(tip);
        connect(made, &QToolButton::clicked, this, slot);
        connect(this, &FleetAnswers::currentChanged, made, [this, made] { made->setEnabled(currentTable()); });
        made->setEnabled(false); // the first page has no table
        row->addWidget(made);
    };
    button(u"copyTableButton"_s, tr("Copy"), tr("Copy the table of this page"), &FleetAnswers::copyTable);
    button(u"saveTableButton"_s, tr("CSV\u2026"), tr("Save the table of this page as CSV"), &FleetAnswers::saveCsv);
    setCornerWidget(corner);
}

void FleetAnswers::addTable(
    QTableView *view, SheetTableModel *model, const QString &name, const std::vector<int> &texts)
{
    view->setModel(model);
    setUpTable(view, -1);
    TableColumns::of(*view).shareAmong(texts);
    TableColumns::of(*view).wrapTexts();
    view->setSortingEnabled(false);
    view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view->setAccessibleName(name);
    view->setToolTip(tr("Double-click a line to see how it came about"));
    connect(view, &QTableView::activated, this, &FleetAnswers::explain);
}

void FleetAnswers::showFleet(const FleetDocument &document, const std::shared_ptr<const Catalog> &catalog)
{
    const auto fleet = resolve(document, *catalog);
    m_fleet = fleet ? std::optional(*fleet) : std::nullopt;
    auto sheet = fleet ? fleetCost(*fleet) : Expected<CostSheet>(std::unexpected(fleet.error()));
    showTotals(document, fleet, *catalog, sheet ? &*sheet : nullptr);
    if (!sheet) {
        if (fleet)
            m_ui->notices->setText(localized(sheet.error().message));
        showNone();
        m_ui->prices->showNone(document, sheet.error());
        return;
    }
    m_sheet = std::make_shared<const CostSheet>(std::move(*sheet));
    m_document = document;
    m_catalog = catalog;
    showSheet(*fleet);
    m_ui->prices->showFleet(document, *fleet, *m_sheet, catalog);
}

void FleetAnswers::showTotals(
    const FleetDocument &document, const Expected<Fleet> &fleet, const Catalog &catalog, const CostSheet *sheet)
{
    m_ui->notices->clear();
    m_ui->totalsNote->setText(fleet
            ? tr("%1 in each node. Before any workload runs.").arg(utf8((*fleet)->node->accelerator->name))
            : localized(fleet.error().message));
    const auto lines = fleet ? fleetTotals(document, *fleet, catalog, sheet) : fleetTotals();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        m_totalNames[i]->setText(lines[i].label);
        m_totals[i]->setAccessibleName(lines[i].label);
        m_totals[i]->setText(lines[i].value.isEmpty() ? u"\u2013"_s : lines[i].value);
        m_totals[i]->setToolTip(lines[i].toolTip);
        m_totals[i]->setAccessibleDescription(lines[i].toolTip);
    }
}

void FleetAnswers::showSheet(const Fleet &fleet)
{
    const auto &sheet = *m_sheet;
    m_bill->setTable(itemmodels::billTable(fleet, sheet));
    m_power->setTable(itemmodels::figuresTable({FleetSection::Power}, sheet));
    m_costs->setTable(
        itemmodels::figuresTable({FleetSection::Capital, FleetSection::Running, FleetSection::Levelised}, sheet));
    m_years->setTable(itemmodels::yearsTable(sheet));
    m_rent->setTable(itemmodels::figuresTable({FleetSection::Rent}, sheet));
    m_goodput->setTable(itemmodels::figuresTable({FleetSection::Goodput}, sheet));
    m_calendar->setTable(itemmodels::figuresTable({FleetSection::Calendar}, sheet));
    m_ui->rentWords->setText(listed(buyOrRentInWords(fleet, sheet)));
    std::vector<std::string> notices;
    for (const auto &notice : sheet.notices())
        notices.push_back(withLabels(notice));
    m_ui->notices->setText(listed(notices));
    m_ui->noticesTitle->setVisible(!sheet.notices().empty());
    showContract();
    showCharts();
    if (m_explanation)
        m_explanation->setSheet(m_sheet, m_document, m_catalog);
}

void FleetAnswers::showNone()
{
    m_sheet.reset();
    for (auto *model : {m_bill, m_power, m_costs, m_years, m_rent, m_goodput, m_calendar})
        model->setTable({});
    m_ui->rentWords->clear();
    m_ui->contractAnswer->clear();
    m_ui->noticesTitle->setVisible(!m_ui->notices->text().isEmpty());
    for (auto *chart : {m_ui->yearsChart, m_ui->rentChart})
        chart->setVisible(false);
    if (m_explanation)
        m_explanation->close();
}

void FleetAnswers::showCharts()
{
    if (!m_sheet)
        return;
    const auto theme = isDark(palette()) ? charts::Theme::dark() : charts::Theme::light();
    m_ui->yearsChart->setVisible(m_sheet->value("cash_flow_usd").has_value() && m_sheet->value("npv_usd"));
    m_ui->rentChart->setVisible(m_sheet->value("present_cost_usd") || m_sheet->value("rent_present_usd"));
    m_ui->yearsChart->show(charts::cashFlowChart(*m_sheet), theme);
    m_ui->rentChart->show(
        charts::buyOrRentChart(*m_sheet, m_fleet ? localized(rentInWords(*m_fleet)) : QString()), theme);
}

void FleetAnswers::showContract()
{
    const auto contract = m_ui->contractEdit->value();
    m_ui->contractAnswer->clear();
    if (!m_fleet || !contract)
        return;
    const auto most = mostNodesWithin(*m_fleet, Watts::from_value(*contract));
    m_ui->contractAnswer->setText(most
            ? tr("admits %1 nodes, %2 accelerators, of this kind")
                  .arg(localized(units::asTyped(*most)),
                      localized(units::asTyped(double(*most) * (*m_fleet)->node->acceleratorsPerNode)))
            : localized(most.error().message));
}

void FleetAnswers::explain(const QModelIndex &index)
{
    const auto key = index.data(itemmodels::sheetKeyRole).toString();
    if (!m_sheet || !m_sheet->sheet().sheet().find(key.toStdString()))
        return;
    if (!m_explanation) {
        m_explanation = new CellExplanation(this);
        connect(m_explanation, &CellExplanation::pricesRequested, this, &FleetAnswers::pricesRequested);
        connect(m_explanation, &CellExplanation::recordRequested, this, &FleetAnswers::recordRequested);
    }
    m_explanation->setSheet(m_sheet, m_document, m_catalog);
    m_explanation->explain(key, index.data(itemmodels::sheetColumnRole).toInt());
    m_explanation->show();
    m_explanation->raise();
}

void FleetAnswers::setReadOnly(bool readOnly, const QString &reason) { m_ui->prices->setReadOnly(readOnly, reason); }

void FleetAnswers::showRefusal(const Error &error) { m_ui->prices->showRefusal(error); }

QTableView *FleetAnswers::currentTable() const
{
    const auto *tab = currentWidget();
    return tab ? tab->findChild<QTableView *>() : nullptr;
}

void FleetAnswers::copyTable()
{
    if (const auto *view = currentTable())
        emit statusMessage(app::copyTable(*view, CopyAs::TabSeparated, CopyWhat::Table));
}

void FleetAnswers::saveCsv()
{
    const auto *view = currentTable();
    if (!view || !m_prompts)
        return;
    const auto name = (m_fleet && !(*m_fleet)->name.empty() ? utf8((*m_fleet)->name) + u", "_s : QString())
        + withinSentence(tabText(currentIndex()).remove(u'&'));
    const auto told = m_prompts->saveFile(this,
        {.title = tr("Save table"),
            .name = name + u".csv"_s,
            .filter = tr("Comma-separated values (*.csv)"),
            .failure = tr("The table was not saved")},
        [view](const QString &) { return itemmodels::toCsv(*view->model()).toUtf8(); });
    if (!told.isEmpty())
        emit statusMessage(told);
}

void FleetAnswers::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        showCharts(); // light and dark pictures differ
    QTabWidget::changeEvent(event);
}

} // namespace fleetwright::app
