// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/largefilter.h"

#include "itemmodels/rowtable.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fleetwright::itemmodels {

namespace {

/// A sort key, read once for each row.
struct SortKey {
    bool isKnown = false;
    double number = 0;
    QString text; ///< where it is none
};

SortKey sortKeyOf(const QVariant &value)
{
    if (!value.isValid())
        return {};
    bool isNumber = false;
    const double number = value.typeId() == QMetaType::QString ? 0 : value.toDouble(&isNumber);
    if (std::isnan(number))
        return {}; // it is neither before nor after any other
    return {true, number, isNumber ? QString() : value.toString()};
}

bool isBefore(const SortKey &left, const SortKey &right)
{
    if (!left.isKnown || !right.isKnown)
        return left.isKnown;
    return left.number != right.number ? left.number < right.number : left.text < right.text;
}

} // namespace

LargeFilter::LargeFilter(QObject *parent) : QAbstractProxyModel(parent)
{
    m_turns.setInterval(0);
    connect(&m_turns, &QTimer::timeout, this, &LargeFilter::look);
}

void LargeFilter::setSourceModel(QAbstractItemModel *source)
{
    beginResetModel();
    if (sourceModel())
        disconnect(sourceModel(), nullptr, this, nullptr);
    QAbstractProxyModel::setSourceModel(source);
    const auto anew = [this] {
        beginResetModel();
        takeSource();
        endResetModel();
        emit filtered();
    };
    if (source) {
        connect(source, &QAbstractItemModel::modelReset, this, anew);
        connect(source, &QAbstractItemModel::layoutChanged, this, anew);
        for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
            connect(source, signal, this, anew);
        connect(source, &QAbstractItemModel::dataChanged, this, &LargeFilter::sourceChanged);
        connect(source, &QAbstractItemModel::headerDataChanged, this, &QAbstractItemModel::headerDataChanged);
    }
    takeSource();
    endResetModel();
    emit filtered();
}

void LargeFilter::takeSource()
{
    m_turns.stop();
    m_seen.clear();
    const auto count = std::size_t(sourceModel() ? sourceModel()->rowCount() : 0);
    m_accepted.assign(count, 1);
    if (!acceptsAll())
        for (std::size_t row = 0; row < count; ++row)
            m_accepted[row] = accepts(int(row)) ? 1 : 0;
    orderSource();
    m_rows = shown();
    m_places.assign(count, -1);
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        m_places[std::size_t(m_rows[i])] = int(i);
}

void LargeFilter::orderSource()
{
    m_sorted.resize(m_accepted.size());
    std::iota(m_sorted.begin(), m_sorted.end(), 0);
    if (m_column < 0 || !sourceModel() || m_column >= sourceModel()->columnCount())
        return;
    std::vector<SortKey> keys;
    keys.reserve(m_sorted.size());
    for (const int row : m_sorted)
        keys.push_back(sortKeyOf(sourceModel()->index(row, m_column).data(sortRole)));
    const bool isDescending = m_order == Qt::DescendingOrder;
    std::ranges::stable_sort(m_sorted, [&](int left, int right) {
        const auto &first = keys[std::size_t(left)], &second = keys[std::size_t(right)];
        return isDescending && first.isKnown && second.isKnown ? isBefore(second, first) : isBefore(first, second);
    });
}

std::vector<int> LargeFilter::shown() const
{
    std::vector<int> rows;
    std::ranges::copy_if(m_sorted, std::back_inserter(rows), [this](int row) { return m_accepted[std::size_t(row)]; });
    return rows;
}

void LargeFilter::refilter()
{
    m_seen.clear();
    if (acceptsAll())
        m_seen.assign(m_accepted.size(), 1);
    look();
}

void LargeFilter::look()
{
    const auto end = std::min(m_accepted.size(), m_seen.size() + std::size_t(rowsOfATurn));
    for (auto row = m_seen.size(); row < end; ++row)
        m_seen.push_back(accepts(int(row)) ? 1 : 0);
    if (m_seen.size() < m_accepted.size()) {
        m_turns.start();
        return;
    }
    m_turns.stop();
    m_accepted = std::exchange(m_seen, {});
    rearrange(shown());
    emit filtered();
}

void LargeFilter::sort(int column, Qt::SortOrder order)
{
    m_column = column;
    m_order = order;
    orderSource();
    rearrange(shown());
}

/// Rows come and go at the end, where nobody sees it, before and after the rearrangement: so what is selected survives
/// it.
void LargeFilter::rearrange(std::vector<int> rows)
{
    const auto before = m_rows.size(), after = rows.size();
    if (before == 0 || after == 0) {
        beginResetModel();
        m_rows = std::move(rows);
        std::ranges::fill(m_places, -1);
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            m_places[std::size_t(m_rows[i])] = int(i);
        endResetModel();
        return;
    }
    if (after > before) {
        beginInsertRows({}, int(before), int(after) - 1);
        m_rows.resize(after, m_rows.front());
        endInsertRows();
    }
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const auto persistent = persistentIndexList();
    QModelIndexList sources;
    for (const auto &index : persistent)
        sources << mapToSource(index);
    m_rows = std::move(rows);
    std::ranges::fill(m_places, -1);
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        m_places[std::size_t(m_rows[i])] = int(i);
    if (after < before)
        m_rows.resize(before, m_rows.front());
    QModelIndexList moved;
    for (const auto &index : std::as_const(sources))
        moved << mapFromSource(index);
    changePersistentIndexList(persistent, moved);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
    if (after < before) {
        beginRemoveRows({}, int(after), int(before) - 1);
        m_rows.resize(after);
        endRemoveRows();
    }
}

void LargeFilter::sourceChanged(const QModelIndex &first, const QModelIndex &last, const QList<int> &roles)
{
    for (int row = first.row(); row <= last.row(); ++row)
        if (const int place = m_places[std::size_t(row)]; place >= 0)
            emit dataChanged(index(place, first.column()), index(place, last.column()), roles);
    auto &known = isFiltering() ? m_seen : m_accepted; // rows that were not looked at yet will be
    for (auto row = std::size_t(first.row()); row <= std::size_t(last.row()) && row < known.size(); ++row)
        known[row] = acceptsAll() || accepts(int(row)) ? 1 : 0;
    if (first.column() <= m_column && m_column <= last.column())
        orderSource();
    if (auto rows = shown(); rows != m_rows)
        rearrange(std::move(rows));
}

QModelIndex LargeFilter::mapToSource(const QModelIndex &proxy) const
{
    return proxy.isValid() && sourceModel() ? sourceModel()->index(m_rows[std::size_t(proxy.row())], proxy.column())
                                            : QModelIndex();
}

QModelIndex LargeFilter::mapFromSource(const QModelIndex &source) const
{
    if (!source.isValid() || std::size_t(source.row()) >= m_places.size())
        return {};
    const int place = m_places[std::size_t(source.row())];
    return place < 0 ? QModelIndex() : createIndex(place, source.column());
}

QModelIndex LargeFilter::index(int row, int column, const QModelIndex &parent) const
{
    return hasIndex(row, column, parent) ? createIndex(row, column) : QModelIndex();
}

int LargeFilter::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_rows.size()); }

int LargeFilter::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() || !sourceModel() ? 0 : sourceModel()->columnCount();
}

QVariant LargeFilter::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (!sourceModel())
        return {};
    const bool isRow = orientation == Qt::Vertical;
    if (isRow && (section < 0 || section >= rowCount()))
        return {};
    return sourceModel()->headerData(isRow ? m_rows[std::size_t(section)] : section, orientation, role);
}

} // namespace fleetwright::itemmodels
