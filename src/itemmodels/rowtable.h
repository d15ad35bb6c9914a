// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/figuretext.h"

#include <QAbstractTableModel>
#include <QCoreApplication>

#include <span>
#include <vector>

namespace fleetwright::itemmodels {

/// Role of the value by which a column is sorted: a number where the column shows a quantity.
inline constexpr int sortRole = Qt::UserRole;
/// Role of the row's database id.
inline constexpr int idRole = Qt::UserRole + 1;

/// One column of a table over values of type Row. Titles and help are translated in the context "Table".
template <class Row> struct RowColumn {
    const char *title; ///< nullptr: the short label of the figure
    const char *help; ///< what the column shows and in which unit; after the figure's own help where there is one
    bool number; ///< right-aligned
    QString (*text)(const Row &);
    QVariant (*sortKey)(const Row &);
    std::string_view figure{}; ///< key of the figure that the column shows
};

/// A flat model over values with exact signals for every insert, change and removal. Row has `qint64 id`, `QString
/// toolTip` and ==.
template <class Row> class RowTable : public QAbstractTableModel {
public:
    RowTable(std::span<const RowColumn<Row>> columns, QObject *parent) : QAbstractTableModel(parent), m_columns(columns)
    {
    }

    void setRows(std::vector<Row> rows)
    {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
    }
    void insert(int index, Row row)
    {
        beginInsertRows({}, index, index);
        m_rows.insert(m_rows.begin() + index, std::move(row));
        endInsertRows();
    }
    void change(int index, Row row)
    {
        auto &old = m_rows.at(std::size_t(index));
        if (old == row)
            return;
        old = std::move(row);
        emit dataChanged(this->index(index, 0), this->index(index, columnCount() - 1));
    }
    void remove(int index)
    {
        beginRemoveRows({}, index, index);
        m_rows.erase(m_rows.begin() + index);
        endRemoveRows();
    }
    [[nodiscard]] const Row &row(int index) const { return m_rows.at(std::size_t(index)); }
    [[nodiscard]] int indexOf(qint64 id) const
    {
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            if (m_rows[i].id == id)
                return int(i);
        return -1;
    }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : int(m_rows.size());
    }
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : int(m_columns.size());
    }
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override
    {
        if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
            return {};
        const auto &row = m_rows[std::size_t(index.row())];
        const auto &column = m_columns[std::size_t(index.column())];
        switch (role) {
        case Qt::DisplayRole: return column.text(row);
        case Qt::ToolTipRole: return row.toolTip;
        case Qt::TextAlignmentRole:
            return QVariant(Qt::Alignment(column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case sortRole: return column.sortKey(row);
        case idRole: return row.id;
        default: return {};
        }
    }
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
            return {};
        const auto &column = m_columns[std::size_t(section)];
        switch (role) {
        case Qt::DisplayRole:
            return column.title ? QCoreApplication::translate("Table", column.title)
                                : shortLabelOf(figureNamed(column.figure));
        case Qt::ToolTipRole: {
            QStringList lines;
            if (!column.figure.empty())
                lines << helpOf(figureNamed(column.figure));
            if (column.help)
                lines << QCoreApplication::translate("Table", column.help);
            return lines.join(u'\n');
        }
        case Qt::TextAlignmentRole:
            return QVariant(Qt::Alignment(column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        default: return {};
        }
    }

private:
    std::span<const RowColumn<Row>> m_columns;
    std::vector<Row> m_rows;
};

} // namespace fleetwright::itemmodels
