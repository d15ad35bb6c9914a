// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/rowtable.h"
#include "itemmodels/tabletext.h"

#include <QStringList>

namespace fleetwright::itemmodels {

/// Role of the row of the worksheet that a cell shows (QString), and of its column there (int): what explains it.
inline constexpr int sheetKeyRole = Qt::UserRole + 3;
inline constexpr int sheetColumnRole = Qt::UserRole + 4;

struct SheetTableColumn {
    QString title; ///< with its unit
    QString fileTitle; ///< "amount_usd"
    bool isNumber = false;
    bool isEditable = false; ///< in rows that are
    bool isWrapped = false; ///< its title takes as many lines as it needs
    bool operator==(const SheetTableColumn &) const = default;
};

struct SheetTableCell {
    QString text; ///< for people
    QVariant value; ///< for files and sorting; invalid: as the text
    QString edited; ///< where an edit begins
    int column = -1; ///< of the worksheet's row; -1: the line's
    bool isBold = false;
    bool operator==(const SheetTableCell &) const = default;
};

struct SheetTableRow {
    QString key; ///< row of the worksheet
    int column = 0;
    std::vector<SheetTableCell> cells;
    QString toolTip;
    bool isBold = false, isItalic = false, isEditable = false;
    bool operator==(const SheetTableRow &) const = default;
};

struct SheetTable {
    std::vector<SheetTableColumn> columns;
    std::vector<SheetTableRow> rows;
};

/// A table made of rows of a worksheet. A new table of the same shape changes cells in place, so that selection and
/// scroll position stay while prices are edited.
class SheetTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit SheetTableModel(QObject *parent = nullptr);

    void setTable(SheetTable table);
    void setEditable(bool editable);
    [[nodiscard]] const SheetTable &table() const { return m_table; }
    [[nodiscard]] int rowOf(const QString &key) const; ///< -1: none

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;
    /// Announces what was typed; the owner of the facts accepts it, with a new table, or not.
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;

signals:
    void typed(const QString &key, int column, const QString &text);

private:
    SheetTable m_table;
    bool m_isEditable = true;
};

} // namespace fleetwright::itemmodels
