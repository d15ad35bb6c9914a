// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/solve.h"

#include <QAbstractTableModel>

namespace fleetwright::itemmodels {

/// The constraint trace of a solution: what was asked, what the plan needs, what is allowed and whether it holds.
/// Tooltips are the trace's sentences.
class TraceModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Constraint, Verdict, Needed, Allowed, Used, ColumnCount };

    explicit TraceModel(QObject *parent = nullptr);
    void setTrace(std::vector<TraceEntry> trace);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::vector<TraceEntry> m_trace;
};

/// "Memory capacity" for "memory_capacity"; the key itself when it is not known.
[[nodiscard]] QString constraintTitle(const std::string &key);

} // namespace fleetwright::itemmodels
