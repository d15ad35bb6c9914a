// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QSortFilterProxyModel>
#include <QStringList>

#include <optional>

namespace fleetwright::itemmodels {

/// Filters and sorts a CatalogTableModel. Numbers sort as numbers; what is unknown comes last in either direction.
class CatalogFilterProxy : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit CatalogFilterProxy(QObject *parent = nullptr);

    /// Rows that contain every word, in any column; first those whose names do.
    void setText(const QString &text);
    /// Rows with exactly `value` as CatalogTableModel::CategoryRole of the column; empty: any.
    void setCategory(int column, const QString &value);
    /// Only shipped (true), only own (false), or both.
    void setShipped(std::optional<bool> shipped);

signals:
    void filtered(); ///< once for each of these, however many rows came or went

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex &parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;

private:
    [[nodiscard]] bool isNamed(const QModelIndex &index) const;

    QStringList m_words;
    QHash<int, QString> m_categories;
    std::optional<bool> m_shipped;
};

} // namespace fleetwright::itemmodels
