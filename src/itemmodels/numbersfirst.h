// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

namespace fleetwright::itemmodels {

/// Sorts by sortRole a column in which figures and words stand under each other: figures first, words after them, what
/// is empty last.
class NumbersFirst : public QSortFilterProxyModel {
public:
    explicit NumbersFirst(QObject *parent = nullptr);

protected:
    [[nodiscard]] bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;
};

} // namespace fleetwright::itemmodels
