// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/catalogfilterproxy.h"

#include "itemmodels/catalogtablemodel.h"

#include <algorithm>

namespace fleetwright::itemmodels {

CatalogFilterProxy::CatalogFilterProxy(QObject *parent) : QSortFilterProxyModel(parent)
{
    setSortRole(CatalogTableModel::SortRole);
    setSortLocaleAware(true);
}

void CatalogFilterProxy::setText(const QString &text)
{
    m_words = text.toLower().split(u' ', Qt::SkipEmptyParts);
    invalidateRowsFilter();
    invalidate(); // names with the words come before what only mentions them
    emit filtered();
}

void CatalogFilterProxy::setCategory(int column, const QString &value)
{
    if (value.isEmpty())
        m_categories.remove(column);
    else
        m_categories.insert(column, value);
    invalidateRowsFilter();
    emit filtered();
}

void CatalogFilterProxy::setShipped(std::optional<bool> shipped)
{
    m_shipped = shipped;
    invalidateRowsFilter();
    emit filtered();
}

bool CatalogFilterProxy::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    const auto first = sourceModel()->index(row, 0, parent);
    if (m_shipped && first.data(CatalogTableModel::ShippedRole).toBool() != *m_shipped)
        return false;
    for (auto category = m_categories.cbegin(); category != m_categories.cend(); ++category)
        if (first.siblingAtColumn(category.key()).data(CatalogTableModel::CategoryRole).toString() != category.value())
            return false;
    if (m_words.isEmpty())
        return true;
    const auto text = first.data(CatalogTableModel::SearchTextRole).toString();
    return std::ranges::all_of(m_words, [&](const QString &word) { return text.contains(word); });
}

bool CatalogFilterProxy::isNamed(const QModelIndex &index) const
{
    const auto name = index.siblingAtColumn(CatalogTableModel::nameColumn).data().toString().toLower();
    return std::ranges::all_of(m_words, [&](const QString &word) { return name.contains(word); });
}

bool CatalogFilterProxy::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    if (!m_words.isEmpty())
        if (const bool named = isNamed(left); named != isNamed(right))
            return named == (sortOrder() == Qt::AscendingOrder);
    const bool leftKnown = left.data(sortRole()).isValid();
    const bool rightKnown = right.data(sortRole()).isValid();
    if (leftKnown != rightKnown)
        return leftKnown == (sortOrder() == Qt::AscendingOrder);
    return leftKnown && QSortFilterProxyModel::lessThan(left, right);
}

} // namespace fleetwright::itemmodels
