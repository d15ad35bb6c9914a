// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/search/searchwords.h"

#include <QAbstractTableModel>

namespace fleetwright::itemmodels {

/// What each single change of a layout's settings does: setting, from, to, step time, difference, memory, verdict.
class SearchChangeModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Setting, From, To, StepTime, Difference, Memory, Verdict, columnsShown };
    explicit SearchChangeModel(QObject *parent = nullptr);

    /// `from`: the layout that is changed; `seconds` its own step, nothing where it is unknown.
    void setChanges(std::vector<search::Change> changes, const Layout &from, std::optional<double> seconds);
    [[nodiscard]] const search::Change &change(int row) const { return m_changes.at(std::size_t(row)); }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] double number(const search::Change &change, int column) const;
    [[nodiscard]] QString text(const search::Change &change, int column) const;

    std::vector<search::Change> m_changes;
    Layout m_from;
    std::optional<double> m_seconds;
};

} // namespace fleetwright::itemmodels
