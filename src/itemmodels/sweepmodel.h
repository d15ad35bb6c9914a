// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/rowtable.h"
#include "solver/sweep/sweep.h"

#include <memory>

namespace fleetwright::itemmodels {

/// A sweep in the list.
struct SweepRow {
    qint64 id = 0;
    QString name;
    QString state; ///< "12 cells", "not run yet", "stale"
    QString toolTip;
    bool operator==(const SweepRow &) const = default;
};

class SweepListModel : public RowTable<SweepRow> {
public:
    enum Column { Name, State };
    explicit SweepListModel(QObject *parent = nullptr);
};

/// The cells of one sweep: a column for each axis, for the cost model where there are several, for the sweep's own
/// figure, whether the cell is feasible, with the reason where it is not, and the usual figures. Refused cells have
/// dashes and their sentence.
class SweepCellModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit SweepCellModel(QObject *parent = nullptr);

    /// Both are kept; an empty result shows nothing.
    void setResult(SweepDocument document, SweepResult result, std::shared_ptr<const Catalog> catalog);
    void clear();
    [[nodiscard]] const SweepDocument &document() const { return m_document; }
    [[nodiscard]] const SweepResult &result() const { return m_result; }

    /// The columns after it repeat what the full answer of a cell says; they are there for the clipboard and files.
    [[nodiscard]] int verdictColumn() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    enum class Kind { FirstAxis, SecondAxis, CostModel, Figure, Verdict, Layout };
    struct Column {
        Kind kind;
        ChosenFigure figure{};
        QString title;
        units::UnitSymbol unit{{}, units::Dimension::Number, 1}; ///< of a figure
    };

    void makeColumns();
    [[nodiscard]] QString text(const Column &column, const SweepCell &cell) const;
    [[nodiscard]] QVariant sortKey(const Column &column, const SweepCell &cell) const;

    SweepDocument m_document;
    SweepResult m_result;
    std::shared_ptr<const Catalog> m_catalog;
    std::vector<Column> m_columns;
    std::vector<const SweepCell *> m_best; ///< for each cost model; may be null
};

/// The assumptions of the sweep's first cost model, for the labels of axes.
[[nodiscard]] std::span<const AssumptionDescriptor> assumptionsOf(const SweepDocument &document);
[[nodiscard]] QString axisText(const SweepAxis &axis, const SweepDocument &document);
[[nodiscard]] QString pointText(const SweepPoint &point, const SweepDocument &document, const Catalog &catalog);
} // namespace fleetwright::itemmodels
