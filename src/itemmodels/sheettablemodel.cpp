// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/sheettablemodel.h"

#include <QFont>

#include <algorithm>

namespace fleetwright::itemmodels {

SheetTableModel::SheetTableModel(QObject *parent) : QAbstractTableModel(parent) { }

void SheetTableModel::setTable(SheetTable table)
{
    Q_ASSERT_X(
        std::ranges::all_of(table.rows, [&](const auto &row) { return row.cells.size() == table.columns.size(); }),
        "SheetTableModel", "a row needs a cell for each column");
    const bool sameShape = table.columns == m_table.columns
        && std::ranges::equal(table.rows, m_table.rows, {}, &SheetTableRow::key, &SheetTableRow::key);
    if (!sameShape) {
        beginResetModel();
        m_table = std::move(table);
        endResetModel();
        return;
    }
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        if (m_table.rows[i] != table.rows[i]) {
            m_table.rows[i] = std::move(table.rows[i]);
            emit dataChanged(index(int(i), 0), index(int(i), columnCount() - 1));
        }
}

void SheetTableModel::setEditable(bool editable) { m_isEditable = editable; }

int SheetTableModel::rowOf(const QString &key) const
{
    const auto found = std::ranges::find(m_table.rows, key, &SheetTableRow::key);
    return found == m_table.rows.end() ? -1 : int(found - m_table.rows.begin());
}

int SheetTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_table.rows.size());
}

int SheetTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_table.columns.size());
}

QVariant SheetTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto &row = m_table.rows[std::size_t(index.row())];
    const auto &column = m_table.columns[std::size_t(index.column())];
    const auto &cell = row.cells[std::size_t(index.column())];
    switch (role) {
    case Qt::DisplayRole: return cell.text;
    case Qt::EditRole: return cell.edited;
    case Qt::ToolTipRole: return row.toolTip;
    case Qt::TextAlignmentRole:
        return QVariant(Qt::Alignment(column.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::FontRole: {
        if (!row.isBold && !row.isItalic && !cell.isBold)
            return {};
        QFont font;
        font.setBold(row.isBold || cell.isBold);
        font.setItalic(row.isItalic);
        return font;
    }
    case sortRole:
    case fileRole: return cell.value.isValid() ? cell.value : QVariant(cell.text);
    case sheetKeyRole: return row.key;
    case sheetColumnRole: return cell.column < 0 ? row.column : cell.column;
    default: return {};
    }
}

QVariant SheetTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const auto &column = m_table.columns[std::size_t(section)];
    switch (role) {
    case Qt::DisplayRole: return column.title;
    case fileRole: return column.fileTitle;
    case Qt::TextAlignmentRole: {
        const auto place = Qt::Alignment(column.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter;
        return column.isWrapped ? QVariant(int(place) | int(Qt::TextWordWrap)) : QVariant(place);
    }
    default: return {};
    }
}

Qt::ItemFlags SheetTableModel::flags(const QModelIndex &index) const
{
    auto flags = QAbstractTableModel::flags(index);
    if (index.isValid() && m_isEditable && m_table.rows[std::size_t(index.row())].isEditable
        && m_table.columns[std::size_t(index.column())].isEditable)
        flags |= Qt::ItemIsEditable;
    return flags;
}

bool SheetTableModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid)
        || !(flags(index) & Qt::ItemIsEditable))
        return false;
    const auto &row = m_table.rows[std::size_t(index.row())];
    const auto text = value.toString().trimmed();
    if (text == row.cells[std::size_t(index.column())].edited)
        return false;
    const QString key = row.key; // what is typed may change the table before the signal returns
    emit typed(key, index.column(), text);
    return true;
}

} // namespace fleetwright::itemmodels
