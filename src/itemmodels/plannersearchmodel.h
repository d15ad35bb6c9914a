// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/planners/plannersearch.h"

#include <QAbstractTableModel>

#include <memory>

namespace fleetwright::itemmodels {

/// The splits that a planner searched, one row each, with the columns that this planner fills. Numbers sort as numbers;
/// files get them in base units (see fileRole in tabletext.h).
class PlannerSearchModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit PlannerSearchModel(QObject *parent = nullptr);

    void setSearch(std::shared_ptr<const PlannerSearch> search); ///< null: empty
    [[nodiscard]] const PlannerSearch *search() const { return m_search.get(); }
    [[nodiscard]] const PlannerSearchRow &row(int index) const { return m_search->rows.at(std::size_t(index)); }
    [[nodiscard]] int bestRow() const; ///< -1: none
    /// The column that shows how good a split is: step time or volume; 0 while empty.
    [[nodiscard]] int firstSortColumn() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Shown {
        int column; ///< of all possible ones
        QString title;
        units::UnitSymbol unit;
    };
    void chooseColumns();
    [[nodiscard]] Shown shown(int column) const;

    std::shared_ptr<const PlannerSearch> m_search;
    std::vector<Shown> m_columns; ///< those that every row has or some row fills
};

/// How a planner's inputs were derived from the plan: input, value, unit, derivation.
class NativeInputModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    void setInputs(std::vector<planners::NativeInput> inputs);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<planners::NativeInput> m_inputs;
};

/// "2 · P_a / L · B · s with P_a = 70.6 B (workload.params_active), ...": a formula and the values that entered it.
[[nodiscard]] QString derivationText(const ExplainedFigure &figure);

} // namespace fleetwright::itemmodels
