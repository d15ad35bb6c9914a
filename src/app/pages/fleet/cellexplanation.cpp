// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/fleet/cellexplanation.h"

#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/htmllabel.h"
#include "app/widgets/tablecolumns.h"
#include "app/wording.h"
#include "itemmodels/sheettablemodel.h"
#include "solver/worksheet/fleettables.h"
#include "solver/worksheet/formulawords.h"
#include "text/localizedparts.h"
#include "text/utf8.h"
#include "ui_cellexplanation.h"

#include <QDesktopServices>
#include <QHeaderView>
#include <QUrl>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using itemmodels::SheetTable;
using itemmodels::SheetTableModel;

namespace {

constexpr std::string_view previousColumn = "previous(";
constexpr std::size_t mostMovers = 8;

itemmodels::SheetTableCell cellOf(const std::string &text) { return {localized(text), {}, {}, -1}; }

itemmodels::SheetTableCell cellOf(std::optional<double> value, const std::string &unit)
{
    return value ? itemmodels::SheetTableCell{localized(valueText(*value, unit)), *value, {}, -1}
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
        table.rows.push_back({.key = localized(swing.entry),
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
    for (auto *label : {m_ui->valueLabel, m_ui->formulaLabel})
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_ui->sourceLabel->setTextInteractionFlags(
        Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(m_ui->sourceLabel, &QLabel::linkActivated, this, &CellExplanation::openLink);
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

void CellExplanation::setSheet(
    std::shared_ptr<const CostSheet> sheet, const FleetDocument &fleet, std::shared_ptr<const Catalog> catalog)
{
    m_sheet = std::move(sheet);
    m_catalog = std::move(catalog);
    m_prices = UsedPrices(*m_catalog).of(fleet);
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
    for (auto *label : {m_ui->sourceLabel, m_ui->inputsTitle, m_ui->swingsTitle})
        label->setVisible(cell.has_value());
    if (!cell) {
        m_ui->valueLabel->setText(localized(withLabels(m_sheet->reasonFor(key))));
        for (auto *part : std::initializer_list<QWidget *>{
                 m_ui->inputsTitle, m_ui->inputsTable, m_ui->swingsTitle, m_ui->swingsTable})
            part->hide();
        m_ui->emptySpacer->show();
        return;
    }
    const auto range = m_sheet->range(key, column);
    m_ui->valueLabel->setText(localized(cell->label) + columnText(*m_sheet, key, column)
        + (range ? u" = "_s + localized(rangeText(*range, cell->unit)) : tr(": never")));
    const auto worded = wordedFormula(m_sheet->sheet(), key, column);
    m_ui->formulaLabel->setText(
        u"= "_s + localized(worded.words) + (worded.values.empty() ? QString() : u"\n= "_s + localized(worded.values)));
    showSource(localized(key), column);
    m_inputs->setTable(inputsOf(*m_sheet, *cell, column));
    m_swings->setTable(swingsOf(*m_sheet, *cell, column));
    // An empty table says nothing.
    const bool follows = m_inputs->rowCount() > 0, moves = m_swings->rowCount() > 0;
    m_ui->inputsTable->setVisible(follows);
    m_ui->inputsTitle->setText(follows ? tr("It follows from")
            : m_sources.empty()        ? tr("It follows from nothing else: it is stated.")
                                       : tr("It follows from nothing else: it is what the catalog says."));
    m_ui->swingsTable->setVisible(moves);
    m_ui->swingsTitle->setText(
        moves ? tr("What moves it most, from its low to its high") : tr("Nothing with a range moves it."));
    m_ui->emptySpacer->setVisible(!follows && !moves);
}

/// Where it is from: of an entry the items of the catalog, with who published them.
void CellExplanation::showSource(const QString &key, std::size_t column)
{
    const auto row = key.toStdString();
    m_sources = m_catalog ? entrySourcesOf(*m_sheet, row, m_prices, *m_catalog) : std::vector<EntrySource>();
    QStringList lines{tr("Source: %1").arg(localizedHtmlEscaped(sourceInWords(m_sheet->sheet(), row)))};
    if (const auto end = endOfRangeInWords(*m_sheet, row, column); !end.empty())
        lines << localizedHtmlEscaped(end);
    if (!m_sources.empty()) {
        lines << sourceLinesHtml(m_sources);
        lines << u"<a href=\"catalog:\">%1</a>"_s.arg(
            m_sources.front().kind == CatalogKind::Price ? tr("Show in Prices") : tr("Show in Catalogs"));
    }
    showHtml(m_ui->sourceLabel, lines.join(u"<br>"_s));
}

void CellExplanation::openLink(const QString &link)
{
    if (isOfTheWeb(link)) {
        QDesktopServices::openUrl(QUrl(link));
        return;
    }
    if (m_sources.empty())
        return;
    const auto sources = m_sources; // closing may end this
    if (sources.front().kind == CatalogKind::Price) {
        QStringList ids;
        for (const auto &source : sources)
            ids << utf8(source.id);
        emit pricesRequested(ids);
    } else
        emit recordRequested(sources.front().kind, utf8(sources.front().id));
    close(); // it would hide them
}

bool isOfTheWeb(const QString &link) { return link.startsWith(u"https://"_s) || link.startsWith(u"http://"_s); }

QString sourceLinesHtml(const std::vector<EntrySource> &sources)
{
    constexpr std::size_t most = 5;
    QStringList lines;
    for (std::size_t i = 0; i < std::min(sources.size(), most); ++i) {
        const auto &source = sources[i];
        const auto said = [&](const std::string &words) {
            return (source.shipped ? localizedAsWhole(words) : utf8(words)).toHtmlEscaped();
        };
        auto text = u"\u2022 <b>%1</b>"_s.arg(said(source.name));
        if (!source.asOf.empty())
            text += u", "_s + htmlEscaped(source.asOf);
        QStringList published;
        if (const auto address = utf8(source.address); !source.title.empty())
            published << (isOfTheWeb(address)
                    ? u"<a href=\"%1\">%2</a>"_s.arg(address.toHtmlEscaped(), htmlEscaped(source.title))
                    : htmlEscaped(source.title));
        if (!source.publisher.empty())
            published << htmlEscaped(source.publisher);
        if (!source.published.empty())
            published << htmlEscaped(source.published);
        if (!published.isEmpty())
            text += u": "_s + published.join(u", "_s);
        text += u"; "_s + localizedHtmlEscaped(source.confidence);
        if (isOfTheWeb(utf8(source.address)))
            text += u"<br>&nbsp;&nbsp;&nbsp;"_s + htmlEscaped(source.address);
        if (!source.notes.empty())
            text += u"<br>&nbsp;&nbsp;&nbsp;"_s + said(source.notes);
        lines << text;
    }
    if (sources.size() > most)
        lines << tr("and %1 more").arg(sources.size() - most);
    return lines.join(u"<br>"_s);
}

} // namespace fleetwright::app
