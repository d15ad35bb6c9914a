// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/fleet/cellexplanation.h"

#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/tablecolumns.h"
#include "itemmodels/sheettablemodel.h"
#include "solver/worksheet/fleettables.h"
#include "solver/worksheet/formulawords.h"
#include "text/utf8.h"
#include "ui_cellexplanation.h"

#include <QHeaderView>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using itemmodels::SheetTable;
using itemmodels::SheetTableModel;

namespace {

constexpr std::string_view previousColumn = "previous(";
constexpr std::size_t mostMovers = 8;

itemmodels::SheetTableCell cellOf(const std::string &text) { return {utf8(text), {}, {}, -1}; }

itemmodels::SheetTableCell cellOf(std::optional<double> value, const std::string &unit)
{
    return value ? itemmodels::SheetTableCell{utf8(valueText(*value, unit)), *value, {}, -1}
                 : itemmodels::SheetTableCell{u"\u2013"_s, {}, {}, -1};
}

/// "Year 2" and the like; empty for rows of one cell.
QString columnText(const CostSheet &sheet, const std::string &key, std::size_t column)
{
    const auto row = sheet.sheet().sheet().find(key);
    if (!row || sheet.sheet().sheet().row(*row).shape == SheetShape::Single)
        return {};
    if (column == 0)
        return CellExplanation::tr(", start");
    return sheet.sheet().sheet().row(*row).shape == SheetShape::Years ? CellExplanation::tr(", year %1").arg(column)
                                                                      : CellExplanation::tr(", month %1").arg(column);
}

SheetTable inputsOf(const CostSheet &sheet, const ExplainedCell &cell, std::size_t column)
{
    SheetTable table{{{CellExplanation::tr("Input"), u"input"_s}, {CellExplanation::tr("Value"), u"value"_s, true},
                         {CellExplanation::tr("Source"), u"source"_s}},
        {}};
    for (const auto &input : cell.inputs) {
        std::string key = input.key;
        auto at = column;
        if (key.starts_with(previousColumn)) {
            key = key.substr(previousColumn.size(), key.size() - previousColumn.size() - 1);
            at = column - 1;
        }
        const auto row = sheet.sheet().sheet().find(key);
        const bool single = !row || sheet.sheet().sheet().row(*row).shape == SheetShape::Single;
        table.rows.push_back({.key = utf8(key),
            .column = single ? 0 : int(at),
            .cells = {
                cellOf(input.label), cellOf(input.value, input.unit), cellOf(sourceInWords(sheet.sheet(), key))}});
    }
    return table;
}

SheetTable swingsOf(const CostSheet &sheet, const ExplainedCell &cell, std::size_t column)
{
    SheetTable table{
        {{CellExplanation::tr("Entry"), u"entry"_s}, {CellExplanation::tr("At its low"), u"at_low"_s, true},
            {CellExplanation::tr("At its high"), u"at_high"_s, true}, {CellExplanation::tr("Source"), u"source"_s}},
        {}};
    for (const auto &swing : sheet.swings(cell.key, column)) {
        if (table.rows.size() == mostMovers)
            break;
        const auto row = sheet.sheet().sheet().find(swing.entry);
        table.rows.push_back({.key = utf8(swing.entry),
            .cells = {cellOf(row ? sheet.sheet().sheet().row(*row).label : swing.entry), cellOf(swing.atLow, cell.unit),
                cellOf(swing.atHigh, cell.unit), cellOf(sourceInWords(sheet.sheet(), swing.entry))}});
    }
    return table;
}

} // namespace

CellExplanation::CellExplanation(QWidget *parent)
    : QDialog(parent), m_ui(std::make_unique<Ui::CellExplanation>()), m_inputs(new SheetTableModel(this)),
      m_swings(new SheetTableModel(this))
{
    m_ui->setupUi(this);
    for (auto *label : {m_ui->valueLabel, m_ui->inputsTitle, m_ui->swingsTitle})
        makeHeading(label);
    for (auto *label : {m_ui->valueLabel, m_ui->formulaLabel, m_ui->sourceLabel})
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    const auto setUp = [this](QTableView *view, SheetTableModel *model, std::vector<int> texts, const QString &name) {
        view->setModel(model);
        setUpTable(view, -1);
        TableColumns::of(*view).shareAmong(std::move(texts));
        view->setAccessibleName(name);
        connect(view, &QTableView::activated, this, &CellExplanation::follow);
    };
    setUp(m_ui->inputsTable, m_inputs, {0, 2}, tr("Inputs"));
    setUp(m_ui->swingsTable, m_swings, {0, 3}, tr("Entries that move it most"));
    for (auto *button : {m_ui->backButton, m_ui->closeButton})
        button->setAutoDefault(false); // Enter follows the chosen input
    connect(m_ui->backButton, &QPushButton::clicked, this, &CellExplanation::back);
    connect(m_ui->closeButton, &QPushButton::clicked, this, &QDialog::close);
}

CellExplanation::~CellExplanation() = default;

void CellExplanation::setSheet(std::shared_ptr<const CostSheet> sheet)
{
    m_sheet = std::move(sheet);
    showPlace();
}

void CellExplanation::explain(const QString &key, int column)
{
    m_path = {{key.toStdString(), std::size_t(std::max(0, column))}};
    showPlace();
}

void CellExplanation::follow(const QModelIndex &index)
{
    const Place next{index.data(itemmodels::sheetKeyRole).toString().toStdString(),
        std::size_t(index.data(itemmodels::sheetColumnRole).toInt())};
    if (next.key.empty() || (!m_path.empty() && m_path.back() == next))
        return;
    m_path.push_back(next);
    showPlace();
}

void CellExplanation::back()
{
    if (m_path.size() > 1)
        m_path.pop_back();
    showPlace();
}

void CellExplanation::showPlace()
{
    if (!m_sheet || m_path.empty())
        return;
    const auto &[key, column] = m_path.back();
    m_ui->backButton->setEnabled(m_path.size() > 1);
    const auto cell = m_sheet->sheet().explain(key, column);
    m_ui->formulaLabel->setVisible(cell && !cell->formula.empty());
    m_ui->sourceLabel->setVisible(cell.has_value());
    if (!cell) {
        m_ui->valueLabel->setText(utf8(withLabels(m_sheet->reasonFor(key))));
        m_inputs->setTable({});
        m_swings->setTable({});
        return;
    }
    const auto range = m_sheet->range(key, column);
    m_ui->valueLabel->setText(utf8(cell->label) + columnText(*m_sheet, key, column)
        + (range ? u" = "_s + utf8(rangeText(*range, cell->unit)) : tr(": never")));
    const auto worded = wordedFormula(m_sheet->sheet(), key, column);
    m_ui->formulaLabel->setText(
        u"= "_s + utf8(worded.words) + (worded.values.empty() ? QString() : u"\n= "_s + utf8(worded.values)));
    m_ui->sourceLabel->setText(tr("Source: %1").arg(utf8(sourceInWords(m_sheet->sheet(), key))));
    m_inputs->setTable(inputsOf(*m_sheet, *cell, column));
    m_swings->setTable(swingsOf(*m_sheet, *cell, column));
}

} // namespace fleetwright::app
