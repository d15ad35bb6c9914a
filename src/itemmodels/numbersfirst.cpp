// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/numbersfirst.h"

#include "itemmodels/rowtable.h"

namespace fleetwright::itemmodels {

namespace {

int rankOf(const QVariant &value)
{
    const bool isWord = value.userType() == QMetaType::QString;
    return !value.isValid() || (isWord && value.toString().isEmpty()) ? 2 : isWord ? 1 : 0;
}

} // namespace

NumbersFirst::NumbersFirst(QObject *parent) : QSortFilterProxyModel(parent) { setSortRole(itemmodels::sortRole); }

bool NumbersFirst::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    const int first = rankOf(left.data(sortRole())), second = rankOf(right.data(sortRole()));
    return first != second ? first < second : QSortFilterProxyModel::lessThan(left, right);
}

} // namespace fleetwright::itemmodels
