// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/catalog/catalogpage.h"

#include "app/dialogs/catalogitemdialog.h"
#include "app/pages/catalog/catalogdetails.h"
#include "app/settings.h"
#include "app/theme.h"
#include "app/widgets/columnlist.h"
#include "app/widgets/copying.h"
#include "app/widgets/tablecolumns.h"
#include "app/widgets/tableroom.h"
#include "app/workspace/prompts.h"
#include "app/workspace/rowdocuments.h"
#include "app/workspace/workspace.h"
#include "domain/planningdefaults.h"
#include "domain/price.h"
#include "itemmodels/catalogfilterproxy.h"
#include "itemmodels/catalogtablemodel.h"
#include "solver/explain/planninguse.h"
#include "text/catalogtexts.h"
#include "text/localized.h"
#include "ui_catalogpage.h"

#include <QDate>
#include <QEvent>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QShortcut>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using itemmodels::CatalogFilterProxy;
using itemmodels::CatalogTableModel;

namespace {

constexpr int widestItemColumn = 200, narrowestItemName = 208, narrowestPriceName = 188;

/// Prices have ten facts to compare side by side; their words give way, the unit and the standing last.
int widestColumnOf(CatalogKind kind, const QString &key)
{
    if (kind != CatalogKind::Price)
        return widestItemColumn;
    return key == u"unit" ? 128 : key == u"used_by" || key == u"age" ? 108 : key == u"vendor" ? 96 : 84;
}

/// The column by which a catalog is sorted until somebody chooses, so that what plans are made of stands first; empty:
/// the name.
std::pair<QString, Qt::SortOrder> firstSort(CatalogKind kind)
{
    switch (kind) {
    case CatalogKind::Price: return {u"used_by"_s, Qt::AscendingOrder};
    case CatalogKind::Cluster: return {u"node_count"_s, Qt::DescendingOrder}; // tiers of deployment have none
    case CatalogKind::Facility: return {u"pue"_s, Qt::AscendingOrder}; // lead times and prices of buildings have none
    default: return {{}, Qt::AscendingOrder};
    }
}

/// Marks the names of items with known confusions.
class NameDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (!index.data(CatalogTableModel::ConfusionsRole).toBool())
            return;
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->decorationPosition = QStyleOptionViewItem::Right;
        option->decorationSize = QSize(14, 14);
        option->icon = icon(u"warning"_s, option->palette);
    }
};

/// Prices that do not stand as they are: old and textbook ones in the colour of warnings, expired ones in that of
/// errors; what nobody stated and worksheets assume is quiet.
class StandingDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.data(CatalogTableModel::AssumedRole).toBool())
            return option->palette.setColor(QPalette::Text, quietColour(option->palette));
        const auto standing = index.data(CatalogTableModel::StandingRole);
        if (!standing.isValid() || standing.toInt() == int(PriceStanding::Current))
            return;
        option->palette.setColor(QPalette::Text,
            standing.toInt() == int(PriceStanding::Expired) ? errorColour(option->palette)
                                                            : warningColour(option->palette));
    }
};

/// Whether a copy of the item would do something: one more planning default takes the place of one that is read, and of
/// none that has a stand-in.
bool canDuplicate(const CatalogRecord &record, const Catalog &catalog)
{
    return record.kind != CatalogKind::PlanningDefault
        || (record.shipped && planningDefaultOf(record) && !standInFor(catalog, record.id));
}

bool canEdit(const CatalogRecord &record)
{
    return !record.shipped && (record.kind != CatalogKind::PlanningDefault || planningDefaultOf(record));
}

} // namespace

CatalogPage::CatalogPage(CatalogKind kind, Workspace &workspace, Prompts &prompts, Settings &settings, QWidget *parent)
    : Page(parent), m_ui(std::make_unique<Ui::CatalogPage>()), m_kind(kind), m_workspace(workspace), m_prompts(prompts),
      m_settings(settings), m_model(new CatalogTableModel(kind, this)), m_proxy(new CatalogFilterProxy(this)),
      m_usersOfPrices(workspace), m_usersLater(new QTimer(this))
{
    m_ui->setupUi(this);
    setAccessibleName(itemmodels::catalogTitle(kind));
    m_ui->titleLabel->setText(itemmodels::catalogTitle(kind));
    makeTitle(m_ui->titleLabel);
    makeTable();
    makeFilters();
    updateIcons();

    connect(m_ui->addButton, &QPushButton::clicked, this, &CatalogPage::add);
    connect(m_ui->duplicateButton, &QPushButton::clicked, this, &CatalogPage::duplicate);
    connect(m_ui->editButton, &QPushButton::clicked, this, &CatalogPage::edit);
    connect(m_ui->deleteButton, &QPushButton::clicked, this, &CatalogPage::remove);
    m_ui->addButton->setVisible(kind != CatalogKind::PlanningDefault); // one that replaces nothing would do nothing
    m_ui->calibrateButton->setVisible(kind == CatalogKind::CalibrationConstant);
    connect(m_ui->calibrateButton, &QPushButton::clicked, this, &CatalogPage::calibrationRequested);
    connect(m_ui->updateButton, &QPushButton::clicked, this, &CatalogPage::updateFromShipped);
    makeMoreMenu();
    connect(&m_workspace, &Workspace::projectChanged, this, &CatalogPage::follow);
    // Names of other kinds appear here as references.
    connect(&m_workspace, &Workspace::catalogChanged, this, &CatalogPage::followCatalog);
    if (kind == CatalogKind::Price) { // what uses them
        for (const auto signal : {&Workspace::planInserted, &Workspace::planChanged, &Workspace::planRemoved,
                 &Workspace::fleetInserted, &Workspace::fleetChanged, &Workspace::fleetRemoved,
                 &Workspace::decisionInserted, &Workspace::decisionChanged, &Workspace::decisionRemoved})
            connect(&m_workspace, signal, this, &CatalogPage::followUsers);
        connect(&m_workspace, &Workspace::decisionResultSaved, this, &CatalogPage::followUsers);
        m_usersLater->setSingleShot(true);
        connect(m_usersLater, &QTimer::timeout, this, [this] {
            if (!std::exchange(m_areUsersOld, false))
                return;
            m_model->setUsers(m_usersOfPrices.now());
            updateSelection();
        });
    }
    reload();
    const auto [column, order] = firstSort(kind);
    TableColumns::of(*m_ui->table)
        .sortAtFirst(column.isEmpty() ? CatalogTableModel::nameColumn : m_model->columnOf(column), order);
    chooseRow(*m_ui->table, 0);
}

CatalogPage::~CatalogPage() = default;

void CatalogPage::makeTable()
{
    m_proxy->setSourceModel(m_model);
    auto *table = m_ui->table;
    table->setModel(m_proxy);
    copyCatalogItems(table, m_workspace, m_kind);
    table->setItemDelegate(new StandingDelegate(this));
    table->setItemDelegateForColumn(CatalogTableModel::nameColumn, new NameDelegate(this));
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + gridUnit);
    table->horizontalHeader()->setSectionsMovable(true);
    table->horizontalHeader()->setMinimumSectionSize(40);
    new RoomFollower(*table, [this] { showColumns(); });
    m_ui->splitter->setStretchFactor(0, 1);
    m_ui->splitter->setStretchFactor(1, 0);
    if (m_kind == CatalogKind::Price) { // whose facts need the width of the page
        m_ui->splitter->setOrientation(Qt::Vertical);
        m_ui->splitter->setSizes({440, 200});
    } else {
        m_ui->splitter->setSizes({900, 320});
    }
    connect(m_ui->details, &QTextBrowser::anchorClicked, this, &CatalogPage::openLink);
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &CatalogPage::updateSelection);
    connect(
        table, &QTableView::doubleClicked, this, [this] { current() && canEdit(*current()) ? edit() : duplicate(); });
    connect(m_proxy, &CatalogFilterProxy::filtered, this, &CatalogPage::updateCount);
    auto *deleteShortcut = new QShortcut(QKeySequence::Delete, table, nullptr, nullptr, Qt::WidgetShortcut);
    connect(deleteShortcut, &QShortcut::activated, this, &CatalogPage::remove);
    auto *editShortcut = new QShortcut(QKeySequence(Qt::Key_F2), table, nullptr, nullptr, Qt::WidgetShortcut);
    connect(editShortcut, &QShortcut::activated, this, &CatalogPage::edit);
}

void CatalogPage::makeFilters()
{
    m_ui->filterEdit->setProperty("filters", u"catalog/%1"_s.arg(QString::fromUtf8(toString(m_kind))));
    connect(m_ui->filterEdit, &QLineEdit::textChanged, m_proxy, &CatalogFilterProxy::setText);
    connect(m_ui->filterEdit, &QLineEdit::returnPressed, m_ui->table, qOverload<>(&QWidget::setFocus));
    connect(m_ui->originCombo, &QComboBox::currentIndexChanged, this,
        [this](int index) { m_proxy->setShipped(index == 0 ? std::nullopt : std::optional(index == 1)); });
    connect(m_ui->clearFiltersButton, &QPushButton::clicked, this, &CatalogPage::clearFilters);
    for (const int column : m_model->categoryColumns()) {
        auto *combo = new QComboBox(this);
        combo->setObjectName(u"category/"_s + m_model->columnKey(column));
        combo->setAccessibleName(m_model->categoryTitle(column));
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo->setMinimumContentsLength(10);
        constexpr int arrow = 36; // and frame
        combo->setMinimumWidth(
            combo->fontMetrics().horizontalAdvance(tr("%1: any").arg(combo->accessibleName())) + arrow);
        m_ui->categoryLayout->addWidget(combo);
        m_categories.emplace_back(column, combo);
        connect(combo, &QComboBox::currentIndexChanged, this, [this, column, combo](int index) {
            m_proxy->setCategory(column, index > 0 ? combo->currentText() : QString());
        });
    }
    auto *menu = new QMenu(this);
    m_ui->columnsButton->setMenu(menu);
    connect(menu->addAction(tr("Usual columns, as many as fit")), &QAction::triggered, this, [this] {
        m_settings.setCatalogColumns(QString::fromUtf8(toString(m_kind)), std::nullopt);
        showColumns();
    });
    menu->addSeparator();
    m_columns = new ColumnList(*menu);
    connect(m_columns, &ColumnList::ticked, this, &CatalogPage::chooseColumn);
    connect(menu, &QMenu::aboutToShow, this, &CatalogPage::fillColumnMenu);
    TableColumns::of(*m_ui->table).chosenBy(menu);
}

void CatalogPage::fillCategories()
{
    for (const auto &[column, combo] : m_categories) {
        const auto chosen = combo->currentIndex() > 0 ? combo->currentText() : QString();
        const QSignalBlocker blocker(combo);
        combo->clear();
        combo->addItem(tr("%1: any").arg(combo->accessibleName()));
        combo->addItems(m_model->categories(column));
        const int index = chosen.isEmpty() ? 0 : combo->findText(chosen);
        combo->setCurrentIndex(std::max(index, 0));
        m_proxy->setCategory(column, index > 0 ? chosen : QString());
    }
}

void CatalogPage::updateCount()
{
    const int shown = m_proxy->rowCount();
    const int all = m_model->rowCount();
    m_ui->countLabel->setText(shown < all ? tr("%1 of %2").arg(shown).arg(all)
            : all == 1                    ? tr("1 item")
                                          : tr("%1 items").arg(all));
    m_ui->tableStack->setCurrentIndex(shown > 0 ? 0 : 1);
    // Projects of an earlier version lack what has been shipped since.
    const bool older = all == 0 && isShippedAsFile(m_kind) && m_workspace.isOpen() && !m_workspace.isReadOnly();
    static const QRegularExpression condition(u"[<>=]"_s);
    m_ui->emptyLabel->setText(all > 0 && m_ui->filterEdit->text().contains(condition)
            ? tr("Nothing matches: the filter takes words of an item, such as H100 or HBM3e, and no conditions.")
            : all > 0 ? tr("Nothing matches the filters.")
            : older   ? tr("This project has no items of this catalog; the program ships some.")
                      : tr("This catalog is empty."));
    m_ui->updateButton->setVisible(older);
    m_ui->clearFiltersButton->setVisible(all > 0);
}

const CatalogRecord *CatalogPage::current() const
{
    const auto index = m_ui->table->currentIndex();
    return index.isValid() ? m_model->record(m_proxy->mapToSource(index)) : nullptr;
}

void CatalogPage::updateSelection()
{
    const auto *record = current();
    const bool writable = m_workspace.isOpen() && !m_workspace.isReadOnly();
    const bool copyable = record && canDuplicate(*record, *m_workspace.catalog());
    m_ui->duplicateButton->setEnabled(copyable && writable);
    m_ui->editButton->setEnabled(record && writable && canEdit(*record));
    m_ui->deleteButton->setEnabled(record && writable && !record->shipped);
    const auto why = [&](const QString &shipped, const QString &otherwise) {
        const auto own = record && record->shipped ? shipped : record ? otherwise : tr("Select an item first");
        return m_workspace.isReadOnly() ? m_workspace.readOnlyReason() : own;
    };
    m_ui->editButton->setToolTip(
        why(tr("This item came with the program; duplicate it to change the copy"), tr("Change the selected item")));
    m_ui->deleteButton->setToolTip(why(tr("This item came with the program and stays; only your own can be deleted"),
        tr("Delete the selected item; Undo brings it back")));
    if (record && m_kind == CatalogKind::PlanningDefault) {
        const auto use = localized(planningUse(*record, *m_workspace.catalog()));
        for (auto *button : {m_ui->duplicateButton, m_ui->editButton})
            button->setToolTip(use);
    }
    m_ui->details->setHtml(record
            ? describeRecord(*record, *m_workspace.catalog(), m_model->usersOf(record->id), palette())
            : tr("Select an item to see its values and their sources."));
}

void CatalogPage::updateIcons()
{
    m_ui->addButton->setIcon(icon(u"add"_s, palette()));
    m_ui->duplicateButton->setIcon(icon(u"duplicate"_s, palette()));
    m_ui->editButton->setIcon(icon(u"edit"_s, palette()));
    m_ui->deleteButton->setIcon(icon(u"delete"_s, palette()));
    m_ui->columnsButton->setIcon(icon(u"columns"_s, palette()));
}

void CatalogPage::clearFilters()
{
    m_ui->filterEdit->clear();
    m_ui->originCombo->setCurrentIndex(0);
    for (const auto &[column, combo] : m_categories)
        combo->setCurrentIndex(0);
}

void CatalogPage::copy()
{
    if (m_ui->details->hasFocus() || !m_ui->table->selectionModel()->hasSelection()) {
        m_ui->details->copy();
        return;
    }
    emit statusMessage(copyTable(*m_ui->table, CopyAs::TabSeparated, CopyWhat::Selection));
}

void CatalogPage::fillColumnMenu()
{
    std::vector<ColumnList::Entry> columns;
    for (int column = 1; column < m_model->columnCount(); ++column)
        columns.push_back(
            {m_model->columnKey(column), m_model->headerData(column, Qt::Horizontal).toString().replace(u'\n', u' '),
                !m_ui->table->isColumnHidden(column)});
    m_columns->setColumns(columns);
}

void CatalogPage::chooseColumn(const QString &key, bool shown)
{
    QStringList keys;
    for (int column = 0; column < m_model->columnCount(); ++column)
        if (m_model->columnKey(column) == key ? shown : !m_ui->table->isColumnHidden(column))
            keys << m_model->columnKey(column);
    m_settings.setCatalogColumns(QString::fromUtf8(toString(m_kind)), keys);
    showColumns();
    if (shown) // else it may come where the table has to be scrolled for it
        m_ui->table->scrollTo(m_proxy->index(std::max(0, m_ui->table->rowAt(0)), m_model->columnOf(key)));
}

void CatalogPage::showColumns()
{
    auto *table = m_ui->table;
    const auto chosen = m_settings.catalogColumns(QString::fromUtf8(toString(m_kind)));
    const auto wanted = chosen.value_or(m_model->usualColumns());
    for (int column = 1; column < m_model->columnCount(); ++column)
        table->setColumnHidden(column, true);
    std::vector<int> candidates;
    for (const auto &key : wanted)
        if (const int column = m_model->columnOf(key); column > 0)
            candidates.push_back(column);
    // Where space is short, what has a filter of its own can best be spared; prices are compared by just that, and of
    // clusters and facilities the kind says what the item is: a lead time is one.
    const int kind = m_kind == CatalogKind::Cluster || m_kind == CatalogKind::Facility ? m_model->columnOf(u"kind"_s)
                                                                                       : -1;
    if (m_kind != CatalogKind::Price)
        std::ranges::stable_partition(candidates, [this, kind](int column) {
            return column == kind
                || std::ranges::find(m_categories, column, &std::pair<int, QComboBox *>::first) == m_categories.end();
        });

    const int available = roomForColumns(*table);
    const int narrowestName = m_kind == CatalogKind::Price ? narrowestPriceName : narrowestItemName;
    const auto widthOf = [&](int column) { return widthOfCells(*table, column) + gridUnit; };
    // Names come before further columns, as far as two fifths of the table go; prices are compared by their columns.
    const int fullName = m_kind == CatalogKind::Price ? 0 : widthOf(CatalogTableModel::nameColumn);
    const int leastName = std::max(narrowestName, std::min(fullName, 2 * available / 5));
    int used = leastName;
    std::vector<std::pair<int, int>> shortOf; // columns and what they lack
    int shown = 1;
    for (const int column : candidates) {
        table->setColumnHidden(column, false);
        // The header's own hint reserves an arrow as tall as three lines of text.
        const int title = table->fontMetrics().size(0, m_proxy->headerData(column, Qt::Horizontal).toString()).width()
            + 3 * gridUnit;
        const int needed = std::max(widthOf(column), title);
        const int width = std::min(needed, widestColumnOf(m_kind, m_model->columnKey(column)));
        // Only what the user asked for may make the table scroll sideways.
        if (!chosen && used + width > available) {
            table->setColumnHidden(column, true);
            continue;
        }
        table->setColumnWidth(column, width);
        if (needed > width)
            shortOf.emplace_back(column, needed - width);
        used += width;
        ++shown;
    }
    // What is left goes to the names (those of prices are short), to the columns that lack some, and to names again.
    int spare = std::max(0, available - used);
    const int named = m_kind == CatalogKind::Price
        ? 0
        : std::clamp(widthOf(CatalogTableModel::nameColumn) - leastName, 0, spare);
    spare -= named;
    for (const auto &[column, lacking] : shortOf) {
        const int more = std::min(lacking, spare);
        table->setColumnWidth(column, table->columnWidth(column) + more);
        spare -= more;
    }
    table->setColumnWidth(CatalogTableModel::nameColumn, leastName + named + spare);
    m_ui->columnsButton->setText(tr("Columns %1 of %2").arg(shown).arg(m_model->columnCount()));
}

void CatalogPage::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange) {
        updateIcons();
        updateSelection();
    }
    Page::changeEvent(event);
}

void CatalogPage::add()
{
    CatalogRecord record;
    record.kind = m_kind;
    openDialog(record, true);
}

void CatalogPage::duplicate()
{
    const auto *record = current();
    if (!record || !canDuplicate(*record, *m_workspace.catalog()))
        return;
    CatalogRecord copy = *record;
    copy.shipped = false;
    copy.id.clear();
    if (m_kind == CatalogKind::PlanningDefault)
        copy.values.insert_or_assign("replaces", record->id);
    if (m_kind == CatalogKind::Price) { // what was said of the other figure does not hold for a new one
        for (const auto *key : {"listed_unit_total", "devices_in_listed_unit", "valid_until", "mlsysim"})
            copy.values.erase(key);
        copy.values.insert_or_assign("as_of", QDate::currentDate().toString(Qt::ISODate).toStdString());
        copy.values.insert_or_assign("confidence", std::string("estimate"));
        copy.notes.clear();
    }
    copy.name = tr("%1 (copy)").arg(nameInWords(*record)).toStdString();
    openDialog(copy, true);
}

void CatalogPage::edit()
{
    if (const auto *record = current(); record && canEdit(*record))
        openDialog(*record, false);
}

void CatalogPage::openDialog(const CatalogRecord &initial, bool isNew)
{
    if (m_workspace.isReadOnly())
        return;
    auto *dialog = new CatalogItemDialog(
        initial, isNew, m_workspace.catalog(),
        [this](const CatalogRecord &record) { return m_workspace.saveRecord(record); }, this);
    connect(dialog, &CatalogItemDialog::saved, this, [this](const QString &id) {
        showRecord(id.toStdString());
        sayWhoUses(id.toStdString());
    });
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void CatalogPage::sayWhoUses(const std::string &id)
{
    if (m_kind != CatalogKind::Price)
        return;
    const auto all = m_usersOfPrices.now();
    const auto found = all.find(id);
    emit statusMessage(found == all.end()
            ? tr("Saved. No plan, fleet or decision of the project uses this price; no figure changes.")
            : tr("Saved. It is used by %1; their figures follow.").arg(itemmodels::usersInWords(found->second)));
}

void CatalogPage::remove()
{
    const auto *record = current();
    if (!record || record->shipped || m_workspace.isReadOnly())
        return;
    const auto id = record->id;
    const auto name = QString::fromStdString(record->name);
    if (const auto done = m_workspace.removeRecord(m_kind, id); !done)
        m_prompts.showError(this, tr("The %1 was not deleted").arg(QString::fromUtf8(itemName(m_kind))), done.error());
    else
        emit removed(name);
}

} // namespace fleetwright::app
