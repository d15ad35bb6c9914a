// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/fleet/fleetprices.h"

#include "app/pages/fleet/fleetterms.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/tablecolumns.h"
#include "itemmodels/fleetsheettables.h"
#include "itemmodels/numbersfirst.h"
#include "solver/worksheet/typedentry.h"
#include "solver/worksheet/usedprices.h"
#include "text/catalogtexts.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_fleetprices.h"

#include <QHeaderView>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using namespace itemmodels;

namespace {

/// Entries whose label, key, source or unit has the words; optionally those that the fleet states.
class EntryFilter : public NumbersFirst {
public:
    using NumbersFirst::NumbersFirst;
    void setOnlyStated(bool only)
    {
        m_onlyStated = only;
        invalidateFilter();
    }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex &parent) const override
    {
        const auto *model = static_cast<const SheetTableModel *>(sourceModel());
        return (!m_onlyStated || model->table().rows[std::size_t(row)].isBold)
            && NumbersFirst::filterAcceptsRow(row, parent);
    }

private:
    bool m_onlyStated = false;
};

/// "Lambda, 2026-03: 2.99 USD/(accelerator h)".
QString priceText(const CatalogRecord &price, const CostFigure &figure, const std::string &unit)
{
    QStringList parts{nameInWords(price)};
    if (const auto vendor = price.text("vendor"); vendor && price.name.find(*vendor) == std::string::npos)
        parts << utf8(*vendor);
    if (!figure.date.empty())
        parts << utf8(figure.date);
    return parts.join(u", "_s) + u": "_s + localized(valueText(figure.likely, unit));
}

} // namespace

FleetPrices::FleetPrices(QWidget *parent)
    : QWidget(parent), m_ui(std::make_unique<Ui::FleetPrices>()), m_model(new SheetTableModel(this)),
      m_proxy(new EntryFilter(this))
{
    m_ui->setupUi(this);
    m_terms = new FleetTerms(m_ui->payingCombo, m_ui->termCombo, m_ui->vendorCombo, this);
    setUpTerms();
    setUpTable();
}

FleetPrices::~FleetPrices() = default;

void FleetPrices::setUpTerms()
{
    m_ui->vendorCombo->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(m_terms, &FleetTerms::edited, this, [this](const CostDocument &costs) {
        m_ui->entrySentence->setSentence({});
        emit costsEdited(costs);
    });
}

void FleetPrices::setUpTable()
{
    auto &ui = *m_ui;
    m_proxy->setSourceModel(m_model);
    m_proxy->setFilterKeyColumn(-1);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    ui.entriesTable->setModel(m_proxy);
    app::setUpTable(ui.entriesTable, -1);
    letSort(*ui.entriesTable);
    TableColumns::of(*ui.entriesTable).shareAmong({itemmodels::EntrySource, EntryLabel});
    TableColumns::of(*ui.entriesTable).wrapTexts();
    ui.entriesTable->setSelectionBehavior(QAbstractItemView::SelectItems);
    ui.entriesTable->setEditTriggers(
        QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
    ui.entriesTable->setAccessibleName(tr("Prices and terms"));
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        if (m_model->columnCount() <= EntryKey)
            return;
        m_ui->entriesTable->setColumnHidden(EntryKey, true); // it is in the tool tip, and in copies and files
    });
    connect(m_model, &SheetTableModel::typed, this, &FleetPrices::typed);
    connect(ui.entriesTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        m_ui->entrySentence->setSentence({});
        showEntry();
    });
    ui.findEdit->setPlaceholderText(tr("Find an entry"));
    ui.findEdit->setProperty("filters", u"prices"_s);
    ui.findEdit->setClearButtonEnabled(true);
    ui.findEdit->setMaxLength(100);
    ui.findEdit->setAccessibleName(tr("Find an entry"));
    connect(ui.findEdit, &QLineEdit::textChanged, m_proxy, &QSortFilterProxyModel::setFilterFixedString);
    connect(ui.ownCheck, &QCheckBox::toggled, this,
        [this](bool only) { static_cast<EntryFilter *>(m_proxy)->setOnlyStated(only); });
    ui.priceCombo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    ui.priceCombo->setAccessibleName(tr("Price from the catalog"));
    connect(ui.priceCombo, &QComboBox::activated, this, &FleetPrices::pick);
    connect(ui.resetButton, &QPushButton::clicked, this, &FleetPrices::reset);
    connect(ui.catalogButton, &QPushButton::clicked, this, [this] { emit pricesRequested(m_used); });
}

void FleetPrices::showFleet(
    const FleetDocument &document, const Fleet &fleet, const CostSheet &sheet, std::shared_ptr<const Catalog> catalog)
{
    const bool another = document.name != m_document.name;
    m_document = document;
    m_catalog = std::move(catalog);
    m_entries = entriesOf(document, fleet, sheet);
    m_model->setTable(entriesTable(m_entries));
    if (another)
        m_ui->entrySentence->setSentence({});
    if (!m_ui->entriesTable->currentIndex().isValid() && m_proxy->rowCount() > 0)
        m_ui->entriesTable->setCurrentIndex(m_proxy->index(0, EntryValue));
    m_terms->show(m_document, m_catalog.get());
    showEntry();
}

void FleetPrices::showNone(const FleetDocument &document, const Error &error)
{
    m_document = document;
    m_entries.clear();
    m_model->setTable({});
    m_terms->show(m_document, m_catalog.get());
    showEntry();
    showRefusal(error);
}

void FleetPrices::setReadOnly(bool readOnly, const QString &reason)
{
    m_isReadOnly = readOnly;
    m_model->setEditable(!readOnly);
    m_terms->setReadOnly(readOnly);
    m_ui->entriesTable->setToolTip(reason);
    showEntry();
}

void FleetPrices::showRefusal(const Error &error)
{
    constexpr std::string_view prefix = "fleet.costs.";
    m_ui->entrySentence->setSentence(localized(error.message));
    if (!error.field.starts_with(prefix))
        return;
    const auto index = m_proxy->mapFromSource(
        m_model->index(m_model->rowOf(utf8(error.field.substr(prefix.size()))), EntryValue));
    if (index.isValid() && index.row() != m_ui->entriesTable->currentIndex().row()) {
        m_ui->entriesTable->setCurrentIndex(index);
        m_ui->entrySentence->setSentence(localized(error.message));
    }
}

const FleetEntryLine *FleetPrices::current() const
{
    const auto key = m_ui->entriesTable->currentIndex().data(sheetKeyRole).toString().toStdString();
    const auto found = std::ranges::find(m_entries, key, &FleetEntryLine::key);
    return found == m_entries.end() ? nullptr : &*found;
}

void FleetPrices::showEntry()
{
    const auto *entry = current();
    m_ui->entryLabel->setText(entry
            ? localized(entry->label) + (entry->note.empty() ? QString() : u": "_s + localized(entry->note))
            : tr("Choose an entry."));
    m_ui->resetButton->setEnabled(!m_isReadOnly && entry && entry->origin == EntryOrigin::OfFleet);
    showPrices();
    showUsed();
}

/// Where the entry's figure stands in the catalog.
void FleetPrices::showUsed()
{
    const auto *entry = current();
    m_used.clear();
    if (entry && m_catalog) {
        UsedPrices used(*m_catalog);
        for (const auto &price : used.of(m_document))
            if (price.entry == entry->key)
                m_used << utf8(price.id);
    }
    m_ui->catalogButton->setEnabled(!m_used.empty());
    m_ui->catalogButton->setToolTip(m_used.empty() ? tr("This entry is made from no price of the catalog")
            : m_used.size() == 1
            ? tr("Show the price of the catalog that this entry is made from")
            : tr("Show the %1 prices of the catalog that this entry is made from").arg(m_used.size()));
}

void FleetPrices::showPrices()
{
    auto *combo = m_ui->priceCombo;
    const QSignalBlocker quiet(combo);
    combo->clear();
    const auto *entry = current();
    const auto *record = nodeOf(m_document, m_catalog.get());
    if (entry && record)
        for (const auto *price : pricesFor(entry->key, *record, m_document.costs, *m_catalog))
            if (const auto figure = figureOf(entry->key, *price, *m_catalog)) {
                combo->addItem(priceText(*price, *figure, entry->unit), utf8(price->id));
                combo->setItemData(combo->count() - 1, localized(figure->notice), Qt::ToolTipRole);
            }
    combo->setEnabled(!m_isReadOnly && combo->count() > 0);
    if (combo->count() == 0)
        combo->setPlaceholderText(tr("the catalog has no price for this entry"));
    else
        combo->setPlaceholderText(tr("choose one of %n prices of the catalog", nullptr, combo->count()));
    combo->setCurrentIndex(entry && !entry->priceId.empty() ? combo->findData(utf8(entry->priceId)) : -1);
}

void FleetPrices::typed(const QString &key, int column, const QString &text)
{
    const auto found = std::ranges::find(m_entries, key.toStdString(), &FleetEntryLine::key);
    if (found == m_entries.end())
        return;
    const auto part = column == EntryLow ? EntryPart::Low : column == EntryHigh ? EntryPart::High : EntryPart::Likely;
    const auto entry = typedEntry(*found, m_document.costs, part, typedNumber(text).toStdString());
    if (!entry) {
        m_ui->entrySentence->setSentence(localized(entry.error().message));
        return;
    }
    m_ui->entrySentence->setSentence({});
    auto costs = m_document.costs;
    costs.entries.insert_or_assign(found->key, *entry);
    emit costsEdited(costs);
}

void FleetPrices::pick(int index)
{
    const auto *entry = current();
    if (!entry)
        return;
    auto costs = m_document.costs;
    costs.entries.insert_or_assign(
        entry->key, CostEntry{.value = m_ui->priceCombo->itemData(index).toString().toStdString()});
    m_ui->entrySentence->setSentence({});
    if (costs != m_document.costs)
        emit costsEdited(costs);
}

void FleetPrices::reset()
{
    const auto *entry = current();
    if (!entry)
        return;
    auto costs = m_document.costs;
    m_ui->entrySentence->setSentence({});
    if (costs.entries.erase(entry->key) > 0)
        emit costsEdited(costs);
}

} // namespace fleetwright::app
