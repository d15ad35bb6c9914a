// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/comparison.h"

#include <QAbstractTableModel>

#include <memory>

namespace fleetwright::itemmodels {

/// A comparison as a table: a row for each figure under the headings of their groups, the figure's name and unit in the
/// first column and in the vertical header, then a column for each plan and cost model. Tooltips say in short how a
/// value came about or why there is none.
class ComparisonModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        DifferenceRole = Qt::UserRole + 16, ///< "+12.3 %" to the reference column; empty in it and where there is none
        BestRole, ///< bool
        KeyRole, ///< key of the row's figure; empty for headings
        ReasonRole ///< why the cell holds no value
    };

    explicit ComparisonModel(QObject *parent = nullptr);

    /// The same figures and columns are announced as changed data, anything else as a new table.
    void setComparison(std::shared_ptr<const Comparison> comparison);
    [[nodiscard]] const Comparison *comparison() const { return m_comparison.get(); }
    /// Column of the comparison that differences refer to.
    void setReference(std::size_t column);
    [[nodiscard]] std::size_t reference() const { return m_reference; }

    /// The comparison's row and column behind an index; nothing for headings and for the first column.
    struct Cell {
        const ComparisonRow *row;
        std::size_t column;
    };
    [[nodiscard]] std::optional<Cell> cell(const QModelIndex &index) const;
    [[nodiscard]] QModelIndex indexOf(
        const QString &key, std::size_t column) const; ///< invalid when there is no such figure
    [[nodiscard]] bool isHeading(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    struct Line {
        std::string group; ///< of a heading
        std::size_t row = 0; ///< of the comparison, for figures
        bool heading = false;
        bool operator==(const Line &) const = default;
    };
    [[nodiscard]] const ComparisonRow &rowOf(const Line &line) const { return m_comparison->rows[line.row]; }
    [[nodiscard]] QVariant title(const Line &line, int role) const;
    [[nodiscard]] QString explained(const ComparisonRow &row, std::size_t column) const;
    [[nodiscard]] QString spoken(const ComparisonRow &row, std::size_t column) const;

    std::shared_ptr<const Comparison> m_comparison;
    std::vector<Line> m_lines;
    std::size_t m_reference = 0;
};

} // namespace fleetwright::itemmodels
