// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/tablecolumns.h"

#include "app/widgets/tableroom.h"

#include <QAction>
#include <QApplication>
#include <QCalendarWidget>
#include <QEvent>
#include <QHeaderView>
#include <QMenu>
#include <QMouseEvent>
#include <QScopedValueRollback>
#include <QStyle>
#include <QTableView>
#include <QTreeView>

#include <algorithm>
#include <numeric>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

/// Whether it has so few rows that each can be measured whenever one changes.
bool isMeasured(const QAbstractItemModel &model)
{
    constexpr int mostRows = 300;
    return model.rowCount() <= mostRows;
}

constexpr int leastTextLetters = 12;

QHeaderView *headerOf(QAbstractItemView &view)
{
    if (auto *table = qobject_cast<QTableView *>(&view))
        return table->horizontalHeader();
    auto *tree = qobject_cast<QTreeView *>(&view);
    return tree ? tree->header() : nullptr;
}

bool isSortable(const QAbstractItemView &view)
{
    const auto *table = qobject_cast<const QTableView *>(&view);
    const auto *tree = qobject_cast<const QTreeView *>(&view);
    return table ? table->isSortingEnabled() : tree && tree->isSortingEnabled();
}

/// Where the table stands: the names of the widgets above it.
QString placeOf(const QWidget &widget)
{
    QStringList path;
    for (const auto *at = &widget; at && !(at->isWindow() && at != &widget && !at->inherits("QDialog"));
         at = at->parentWidget())
        if (!at->objectName().isEmpty() && !at->objectName().startsWith(u"qt_"))
            path.prepend(at->objectName());
    return path.join(u'.');
}

} // namespace

TableColumns &TableColumns::of(QAbstractItemView &view)
{
    auto *columns = view.findChild<TableColumns *>(QString(), Qt::FindDirectChildrenOnly);
    return columns ? *columns : *new TableColumns(view);
}

TableColumns::TableColumns(QAbstractItemView &view) : QObject(&view), m_view(view)
{
    new RoomFollower(view, [this] {
        if (m_isShared)
            fit();
    });
    adoptHeader();
}

void TableColumns::adoptHeader()
{
    if (m_header == headerOf(m_view))
        return;
    m_header = headerOf(m_view);
    if (m_isShared)
        m_header->setSectionResizeMode(QHeaderView::Interactive);
    m_header->viewport()->installEventFilter(this);
    connect(
        m_header, &QHeaderView::sectionResized, this, [this](int column, int, int width) { resized(column, width); });
    connect(m_header, &QHeaderView::sectionCountChanged, this, &TableColumns::follow);
}

QAbstractItemModel *TableColumns::model() const { return m_view.model(); }

QString TableColumns::titleOf(int column) const
{
    return model() ? model()->headerData(column, Qt::Horizontal).toString().replace(u'\n', u' ') : QString();
}

int TableColumns::columnOf(const QString &title) const
{
    for (int column = 0; column < m_header->count(); ++column)
        if (titleOf(column) == title)
            return column;
    return -1;
}

void TableColumns::shareAmong(std::vector<int> texts)
{
    adoptHeader();
    m_texts = std::move(texts);
    m_isShared = true;
    m_header->setSectionResizeMode(QHeaderView::Interactive);
    m_header->setStretchLastSection(false);
    follow();
}

void TableColumns::wrapTexts()
{
    m_isWrapped = true;
    if (auto *table = qobject_cast<QTableView *>(&m_view)) {
        table->setWordWrap(true);
        table->verticalHeader()->setMinimumSectionSize(table->verticalHeader()->defaultSectionSize());
    }
    fitSoon();
}

void TableColumns::giveWidth(int column, int width)
{
    m_given[column] = width;
    fitSoon();
}

void TableColumns::sortAtFirst(int column, Qt::SortOrder order)
{
    m_firstSorted = column;
    m_firstOrder = order;
    adoptHeader();
    if (!restoreSorting())
        m_header->setSortIndicator(column, order);
}

void TableColumns::chosenBy(QMenu *menu)
{
    m_isElsewhere = true;
    m_menu = menu;
}

void TableColumns::follow()
{
    if (m_followed != model()) {
        if (m_followed)
            disconnect(m_followed, nullptr, this, nullptr);
        m_followed = model();
        if (m_followed) {
            for (auto signal : {&QAbstractItemModel::modelReset})
                connect(m_followed, signal, this, &TableColumns::fitSoon);
            for (auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved,
                     &QAbstractItemModel::columnsInserted, &QAbstractItemModel::columnsRemoved})
                connect(m_followed, signal, this, &TableColumns::fitSoon);
            connect(m_followed, &QAbstractItemModel::dataChanged, this, &TableColumns::fitSoon);
            connect(m_followed, &QAbstractItemModel::headerDataChanged, this, &TableColumns::fitSoon);
        }
    }
    fitSoon();
}

void TableColumns::fitSoon()
{
    if (std::exchange(m_fitsSoon, true))
        return;
    // Before the next frame, after all that changes now.
    QMetaObject::invokeMethod(this, &TableColumns::fit, Qt::QueuedConnection);
}

void chooseRow(QTableView &table, int row)
{
    if (row < 0)
        return;
    int column = 0;
    while (column + 1 < table.model()->columnCount() && table.isColumnHidden(column))
        ++column;
    // Not by QTableView::setCurrentIndex(), which unselects the row while the Ctrl of a shortcut is held.
    table.selectionModel()->setCurrentIndex(
        table.model()->index(row, column), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

int TableColumns::headingFor(int column) const
{
    const auto *style = m_header->style();
    const int margins = 2 * style->pixelMetric(QStyle::PM_HeaderMargin, nullptr, m_header);
    // The header's own hint takes two lines for one and the arrow for always there.
    const int arrow = m_header->isSortIndicatorShown() && m_header->sortIndicatorSection() == column
        ? style->pixelMetric(QStyle::PM_HeaderMarkSize, nullptr, m_header) + margins / 2
        : 0;
    const auto title = model()->headerData(column, Qt::Horizontal).toString();
    auto font = m_header->font();
    font.setBold(m_header->highlightSections());
    return m_header->isHidden() ? 0 : QFontMetrics(font).size(0, title).width() + 2 * margins + arrow;
}

int TableColumns::neededFor(int column) const { return std::max(headingFor(column), widthOfCells(m_view, column)); }

int TableColumns::leastFor(int column, int needed) const
{
    const int letters = leastTextLetters * m_view.fontMetrics().averageCharWidth();
    if (!m_isWrapped || !isMeasured(*model()))
        return std::min(letters, needed);
    auto font = m_view.font();
    font.setBold(true);
    const QFontMetrics metrics(font);
    int word = 0;
    for (int row = 0; row < model()->rowCount(); ++row)
        for (const auto &part : model()->index(row, column).data().toString().split(u' '))
            word = std::max(word, metrics.horizontalAdvance(part));
    const int margins = 2 * (m_view.style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, &m_view) + 1);
    return std::min(needed, std::max(headingFor(column), word + margins + 1));
}

void TableColumns::fit()
{
    m_fitsSoon = false;
    adoptHeader(); // pages give some tables a header of their own
    if (!model() || m_header->count() == 0)
        return;
    const QScopedValueRollback fitting(m_isFitting, true);
    for (const auto &[title, shown] : m_arrangement.shown.asKeyValueRange())
        if (const int column = columnOf(title); column >= 0)
            m_header->setSectionHidden(column, !shown.toBool());
    if (!m_isShared)
        return;
    int room = roomForColumns(m_view);
    std::vector<std::pair<int, int>> texts; // what it needs, the column
    for (int column = 0; column < m_header->count(); ++column) {
        if (m_header->isSectionHidden(column))
            continue;
        const auto chosen = m_arrangement.widths.value(titleOf(column));
        const bool isText = std::ranges::find(m_texts, column) != m_texts.end();
        if (m_header->sectionResizeMode(column) == QHeaderView::Interactive) {
            if (chosen.isValid()) {
                m_header->resizeSection(column, chosen.toInt());
            } else {
                const auto given = m_given.find(column);
                const int needed = given != m_given.end() ? given->second : neededFor(column);
                if (isText) {
                    texts.emplace_back(needed, column);
                    continue;
                }
                m_header->resizeSection(column, needed);
            }
        }
        room -= m_header->sectionSize(column);
    }
    std::ranges::sort(texts);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const auto [needed, column] = texts[i];
        const int width = std::clamp(room / int(texts.size() - i), leastFor(column, needed), needed);
        m_header->resizeSection(column, width);
        room -= m_header->sectionSize(column); // the header may have a least width
    }
    const auto takesRest = std::ranges::find_if(m_texts,
        [&](int column) { return std::ranges::find(texts, column, &std::pair<int, int>::second) != texts.end(); });
    if (room > 0 && takesRest != m_texts.end())
        m_header->resizeSection(*takesRest, m_header->sectionSize(*takesRest) + room);
    if (auto *table = qobject_cast<QTableView *>(&m_view); table && m_isWrapped && isMeasured(*model())) {
        table->resizeRowsToContents();
        emit rowsFitted();
    }
}

bool TableColumns::isTakenAway(int column) const
{
    if (!m_isElsewhere)
        return !m_arrangement.shown.value(titleOf(column), true).toBool();
    const auto *table = qobject_cast<const QTableView *>(&m_view);
    const bool isInRowHeaders = column == 0 && table && !table->verticalHeader()->isHidden();
    return m_header->isSectionHidden(column) && !isInRowHeaders;
}

void TableColumns::remember(Settings &settings, const QString &name)
{
    if (m_settings || m_isOfProject)
        return;
    m_settings = &settings;
    m_name = name;
    adoptHeader();
    m_firstSorted = m_header->isSortIndicatorShown() ? m_header->sortIndicatorSection() : -1;
    m_firstOrder = m_header->sortIndicatorOrder();
    connect(m_header, &QHeaderView::sectionClicked, this, [this] {
        if (isSortable(m_view))
            sort(m_header->sortIndicatorSection(), m_header->sortIndicatorOrder());
    });
    if (!m_isElsewhere) {
        m_header->setSectionsMovable(true);
        connect(m_header, &QHeaderView::sectionMoved, this, [this] {
            if (!m_isDragged)
                return;
            m_arrangement.titles.clear();
            for (int visual = 0; visual < m_header->count(); ++visual)
                m_arrangement.titles << titleOf(m_header->logicalIndex(visual));
            keep();
        });
    }
    makeMenu();
    restore();
    follow();
}

bool TableColumns::restoreSorting()
{
    if (!m_arrangement.sortedBy || !isSortable(m_view))
        return false;
    const int column = columnOf(*m_arrangement.sortedBy);
    if (column < 0 && !m_arrangement.sortedBy->isEmpty())
        return false; // a column of another project or answer
    m_header->setSortIndicator(column, m_arrangement.order);
    return true;
}

void TableColumns::restore()
{
    m_arrangement = m_settings->tableArrangement(m_name);
    restoreSorting();
    if (m_isElsewhere)
        return;
    int visual = 0;
    for (const auto &title : std::as_const(m_arrangement.titles))
        if (const int column = columnOf(title); column >= 0)
            m_header->moveSection(m_header->visualIndex(column), visual++);
    if (!m_isShared)
        for (const auto &[title, width] : m_arrangement.widths.asKeyValueRange())
            if (const int column = columnOf(title); column >= 0)
                m_header->resizeSection(column, width.toInt());
}

void TableColumns::keep()
{
    if (m_settings)
        m_settings->setTableArrangement(m_name, m_arrangement);
}

void TableColumns::resized(int column, int width)
{
    const auto title = titleOf(column);
    if (m_isFitting || m_isElsewhere || title.isEmpty())
        return;
    if (m_isDragged && width > 0 && m_header->sectionResizeMode(column) == QHeaderView::Interactive) {
        m_arrangement.widths.insert(title, width);
        return; // kept when the button is let go
    }
    // The page shows or sizes its columns anew: what the user chose stands.
    if (const auto shown = m_arrangement.shown.constFind(title);
        shown != m_arrangement.shown.cend() && shown->toBool() == m_header->isSectionHidden(column))
        fitSoon();
    else if (const auto chosen = m_arrangement.widths.constFind(title);
             !m_isShared && chosen != m_arrangement.widths.cend() && width > 0 && chosen->toInt() != width)
        m_header->resizeSection(column, chosen->toInt());
}

bool TableColumns::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick: // makes a column as wide as what stands in it
        m_isDragged = static_cast<const QMouseEvent *>(event)->button() == Qt::LeftButton;
        break;
    case QEvent::MouseButtonRelease:
        if (std::exchange(m_isDragged, false))
            QMetaObject::invokeMethod(this, &TableColumns::keep, Qt::QueuedConnection); // after the header's own turn
        break;
    case QEvent::ContextMenu:
        if (m_menu) {
            m_menu->popup(static_cast<const QContextMenuEvent *>(event)->globalPos());
            return true;
        }
        break;
    default: break;
    }
    return QObject::eventFilter(watched, event);
}

void TableColumns::makeMenu()
{
    if (!m_menu) {
        m_menu = new QMenu(tr("Co&lumns"), &m_view);
        m_menu->setObjectName(u"columnsMenu"_s);
        connect(m_menu, &QMenu::aboutToShow, this, &TableColumns::fillMenu);
        m_menu->menuAction()->setObjectName(u"columnsAction"_s);
        m_view.addAction(m_menu->menuAction()); // headers cannot be reached by keys
    }
    if (isSortable(m_view)) {
        auto *menu = new QMenu(tr("&Sort by"), &m_view);
        menu->setObjectName(u"sortMenu"_s);
        connect(menu, &QMenu::aboutToShow, this, [this, menu] {
            menu->clear();
            for (int visual = 0; visual < m_header->count(); ++visual) {
                const int column = m_header->logicalIndex(visual);
                if (m_header->isSectionHidden(column))
                    continue;
                const bool isSorted = m_header->sortIndicatorSection() == column;
                auto *action = menu->addAction(titleOf(column));
                action->setCheckable(true);
                action->setChecked(isSorted);
                const auto order = isSorted && m_header->sortIndicatorOrder() == Qt::AscendingOrder
                    ? Qt::DescendingOrder
                    : Qt::AscendingOrder;
                connect(action, &QAction::triggered, this, [this, column, order] {
                    m_header->setSortIndicator(column, order);
                    sort(column, order);
                });
            }
        });
        menu->menuAction()->setObjectName(u"sortAction"_s);
        m_view.addAction(menu->menuAction());
    }
}

void TableColumns::fillMenu()
{
    m_menu->clear();
    const int shown = m_header->count() - m_header->hiddenSectionCount();
    for (int visual = 0; visual < m_header->count(); ++visual) {
        const int column = m_header->logicalIndex(visual);
        const auto title = titleOf(column);
        if (title.isEmpty())
            continue;
        auto *action = m_menu->addAction(title);
        action->setCheckable(true);
        action->setChecked(!m_header->isSectionHidden(column));
        action->setEnabled(shown > 1 || m_header->isSectionHidden(column));
        connect(action, &QAction::toggled, this, [this, column](bool on) { show(column, on); });
    }
    m_menu->addSeparator();
    auto *usual = m_menu->addAction(tr("&Usual columns, widths and order"));
    usual->setObjectName(u"usualColumnsAction"_s);
    connect(usual, &QAction::triggered, this, &TableColumns::reset);
}

void TableColumns::show(int column, bool shown)
{
    m_arrangement.shown.insert(titleOf(column), shown);
    keep();
    fit();
}

void TableColumns::sort(int column, Qt::SortOrder order)
{
    m_arrangement.sortedBy = column < 0 ? u""_s : titleOf(column);
    m_arrangement.order = order;
    keep();
    fitSoon(); // the arrow stands elsewhere
}

void TableColumns::reset()
{
    const auto chosen = std::exchange(m_arrangement, {});
    keep();
    for (const auto &[title, shown] : chosen.shown.asKeyValueRange())
        if (const int column = columnOf(title); column >= 0)
            m_header->setSectionHidden(column, shown.toBool());
    for (int column = 0; column < m_header->count(); ++column)
        m_header->moveSection(m_header->visualIndex(column), column);
    if (isSortable(m_view))
        m_header->setSortIndicator(m_firstSorted, m_firstOrder);
    if (!m_isShared)
        for (const auto &[title, width] : chosen.widths.asKeyValueRange())
            if (const int column = columnOf(title); column >= 0)
                m_header->resizeSection(column, neededFor(column));
    fit();
}

TableMemory::TableMemory(Settings &settings, QObject *parent) : QObject(parent), m_settings(settings)
{
    qApp->installEventFilter(this);
}

bool TableMemory::eventFilter(QObject *watched, QEvent *event)
{
    // Not when it is polished, which happens while its page is still being made: what the page sorts by comes later.
    if (event->type() != QEvent::Show)
        return false;
    auto *view = qobject_cast<QAbstractItemView *>(watched);
    const auto *header = view ? headerOf(*view) : nullptr;
    if (!header || header->isHidden() || qobject_cast<QCalendarWidget *>(view->parentWidget()))
        return false;
    TableColumns::of(*view).remember(m_settings, placeOf(*view));
    return false;
}

} // namespace fleetwright::app
