// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/rowtable.h"
#include "itemmodels/tabletext.h"
#include "solver/models/detailed/tablecolumns.h"
#include "text/localizedparts.h"
#include "text/utf8.h"

namespace fleetwright::itemmodels {

/// A table of an explained plan under its columns: text for people, plain numbers in base units for sorting and files.
/// Titles and help are translated in the context "Table".
template <class Row> class ExplainTable : public QAbstractTableModel {
public:
    ExplainTable(std::span<const detailed::TableColumn<Row>> columns, QObject *parent)
        : QAbstractTableModel(parent), m_columns(columns)
    {
    }

    void setRows(std::vector<Row> rows)
    {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
    }
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : int(m_rows.size());
    }
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : int(m_columns.size());
    }
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override
    {
        if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
            return {};
        const auto &row = m_rows[std::size_t(index.row())];
        const auto &column = m_columns[std::size_t(index.column())];
        switch (role) {
        case Qt::DisplayRole: return localizedWord(column.text(row));
        case Qt::ToolTipRole: return localizedWord(column.text(row)) + u'\n' + translated(column.help);
        case Qt::TextAlignmentRole: return alignment(column);
        case sortRole:
        case fileRole:
            return column.isNumber() ? QVariant(column.value(row)) : QVariant(localizedWord(column.text(row)));
        default: return {};
        }
    }
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override
    {
        if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
            return {};
        const auto &column = m_columns[std::size_t(section)];
        switch (role) {
        case Qt::DisplayRole:
            return localizedWord(column.title)
                .replace(QStringLiteral(" ("), QStringLiteral("\n(")); // units below, for narrow columns
        case Qt::ToolTipRole: return translated(column.help);
        case Qt::TextAlignmentRole: return alignment(column);
        case fileRole: return utf8(column.key);
        default: return {};
        }
    }
    /// The column with this key of files; -1 when there is none.
    [[nodiscard]] int columnOf(std::string_view key) const
    {
        for (std::size_t i = 0; i < m_columns.size(); ++i)
            if (m_columns[i].key == key)
                return int(i);
        return -1;
    }

private:
    static QString translated(std::string_view text) { return localized(text); }
    static QVariant alignment(const detailed::TableColumn<Row> &column)
    {
        return QVariant(Qt::Alignment(column.isNumber() ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }

    std::span<const detailed::TableColumn<Row>> m_columns;
    std::vector<Row> m_rows;
};

using OperatorModel = ExplainTable<detailed::OperatorRow>;
using CollectiveModel = ExplainTable<detailed::CollectiveRow>;
using StageModel = ExplainTable<detailed::StageRow>;
using ScheduleModel = ExplainTable<detailed::ScheduleBox>;

} // namespace fleetwright::itemmodels
