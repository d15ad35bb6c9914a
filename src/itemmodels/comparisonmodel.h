// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/comparison.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <memory>

namespace fleetwright::itemmodels {

class PlanInputsModel;

/// Which plan by which cost model a column is of, wherever it stands: for columns that another comparison has
/// elsewhere.
[[nodiscard]] std::string columnKey(const Comparison &comparison, std::size_t column);
/// The first that is not set aside, where no column has the key or it is set aside.
[[nodiscard]] std::size_t columnOfKey(const Comparison &comparison, const std::string &key);

/// A comparison as a table: a row for each figure under the headings of their groups, what decides first, then the
/// inputs in which its plans differ, then the rest; the name and unit in the first column and in the vertical header,
/// then a column for each plan and cost model. Tooltips say in short how a value came about or why there is none.
class ComparisonModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        DifferenceRole = Qt::UserRole + 16, ///< "+12.3 %" to the reference column; empty in it and where there is none
        BestRole, ///< bool
        KeyRole, ///< key of the row's figure, of inputs with "input/" before it; empty for headings
        ReasonRole, ///< why the cell holds no value
        InputRole, ///< bool: an input of the plan, not a figure
        ShortTitleRole, ///< of a row: its title with the figure's short label; empty: it has none
        FoldedRole ///< bool: what the heading heads is folded away; nothing for other rows
    };

    explicit ComparisonModel(QObject *parent = nullptr);
    ~ComparisonModel() override;

    /// The same rows and columns are announced as changed data, anything else as a new table. Without a catalog, which
    /// says what the plans' inputs are, there are figures only.
    void setComparison(std::shared_ptr<const Comparison> comparison, std::shared_ptr<const Catalog> catalog = {});
    /// Leaves out the figures of which every column says the same.
    void setDifferencesOnly(bool only);
    [[nodiscard]] const Comparison *comparison() const { return m_comparison.get(); }
    /// Column of the comparison that differences refer to; it stays that of its plan and model in the next one.
    void setReference(std::size_t column);
    [[nodiscard]] std::size_t reference() const { return m_reference; }

    /// The comparison's row and column behind an index; nothing for headings, inputs and the first column.
    struct Cell {
        const ComparisonRow *row;
        std::size_t column;
    };
    [[nodiscard]] std::optional<Cell> cell(const QModelIndex &index) const;
    /// By KeyRole; invalid when there is no such row.
    [[nodiscard]] QModelIndex indexOf(const QString &key, std::size_t column) const;
    [[nodiscard]] bool isHeading(int row) const;
    /// Row of the heading above; the row's own where it is one; -1: none.
    [[nodiscard]] int headingOf(int row) const;
    /// Headings, by their words, below which a view shows nothing. The rows stay in the model: copies have them.
    void setFolded(const QStringList &headings);
    [[nodiscard]] QStringList folded() const { return m_folded; }
    [[nodiscard]] bool isFoldedAway(int row) const; ///< stands below a folded heading

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;

signals:
    void foldedChanged();

private:
    struct Line {
        std::string key; ///< of a heading its title, else as KeyRole
        std::size_t row = 0; ///< of the comparison, or of the inputs
        bool heading = false;
        bool input = false;
        bool operator==(const Line &) const = default;
    };
    [[nodiscard]] std::vector<Line> lines() const;
    [[nodiscard]] bool differs(const ComparisonRow &row) const;
    [[nodiscard]] QVariant inputData(const Line &line, std::size_t column, int role) const;
    [[nodiscard]] const ComparisonRow &rowOf(const Line &line) const { return m_comparison->rows[line.row]; }
    [[nodiscard]] QVariant title(const Line &line, int role) const;
    [[nodiscard]] QString titleOf(const ComparisonRow &row) const;
    [[nodiscard]] QString titleOf(const ComparisonRow &row, std::string_view label) const;
    [[nodiscard]] QString explained(const ComparisonRow &row, std::size_t column) const;
    [[nodiscard]] QString spoken(const ComparisonRow &row, std::size_t column) const;

    std::shared_ptr<const Comparison> m_comparison;
    std::unique_ptr<PlanInputsModel> m_inputs; ///< of the comparison's plans; empty without a catalog
    std::vector<Line> m_lines;
    bool m_differencesOnly = false;
    QStringList m_folded;
    std::size_t m_reference = 0; ///< column of the comparison
    std::string m_referenceKey; ///< its key; empty: nobody chose it
};

} // namespace fleetwright::itemmodels
