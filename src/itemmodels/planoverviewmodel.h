// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/steprange.h"
#include "units/quantity.h"
#include "units/unitsymbol.h"

#include <QAbstractTableModel>

#include <map>
#include <optional>
#include <vector>

namespace fleetwright::itemmodels {

/// A plan with its last stored answer. Figures that were never computed are absent.
struct PlanOverviewRow {
    qint64 id = 0;
    QString name;
    QString workload;
    QString fleet;
    QString layout, layoutSentence{}; ///< what is said about where the layout is from
    QString costModel{};
    std::optional<double> globalBatch{};
    std::optional<Seconds> stepTime;
    std::optional<validation::PredictionRange> range; ///< of the step time
    std::optional<double> mfu;
    std::optional<Seconds> runTime{}; ///< with failures
    std::optional<double> runCostUsd{};
    std::optional<double> capitalUsd{}; ///< of a fleet that is bought
    std::optional<double> facilityWatts{};
    QString binds{}, bindsSentence{}; ///< the limit that it feels first
    std::optional<bool> feasible;
    bool onlyLikely = false; ///< feasible at the likely values, not at the high end of a range
    QString verdictReason{}; ///< why it is not feasible, or only likely so
    bool stale = false; ///< the plan or a catalog item changed since
    QString solvedAt;
    QString refusal; ///< why the plan could not be solved
    bool operator==(const PlanOverviewRow &) const = default;
};

/// The plans of a project at a glance, in the project's order; sortRole (rowtable.h) gives quantities as numbers.
class PlanOverviewModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Name,
        Workload,
        Fleet,
        Layout,
        CostModel,
        Batch,
        StepTime,
        Mfu,
        Days,
        Cost,
        Capital,
        Power,
        Feasible,
        Binds,
        columns
    };
    enum Role { IdRole = Qt::UserRole + 1, StaleRole };
    using QAbstractTableModel::QAbstractTableModel;

    void reset(std::vector<PlanOverviewRow> rows);
    void insert(int row, PlanOverviewRow plan);
    /// Announces nothing when the row is already so.
    void change(int row, PlanOverviewRow plan);
    void remove(int row);

    [[nodiscard]] const std::vector<PlanOverviewRow> &rows() const { return m_rows; }
    /// What the column says where several plans say the same, so that it needs no column; else nothing.
    [[nodiscard]] std::optional<QString> sharedText(int column) const;
    /// How many plans keep their limits, which do not, what is stale.
    [[nodiscard]] QString summary() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString quantity(int row, int column) const;
    /// One unit for a column, so that its numbers are compared at a glance.
    void fitUnits(bool announced = true);

    std::vector<PlanOverviewRow> m_rows;
    std::map<int, units::UnitSymbol> m_units; ///< by column
};

} // namespace fleetwright::itemmodels
