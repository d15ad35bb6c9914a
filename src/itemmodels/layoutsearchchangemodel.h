// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/search/layoutsearchwords.h"

#include <QAbstractTableModel>

namespace fleetwright::itemmodels {

/// What each single change of a layout's settings does: setting, from, to, step time, difference, memory, verdict.
class LayoutSearchChangeModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Setting, From, To, StepTime, Difference, Memory, Verdict, columnsShown };
    explicit LayoutSearchChangeModel(QObject *parent = nullptr);

    /// `from`: the layout that is changed; `seconds` its own step, nothing where it is unknown.
    void setChanges(std::vector<layoutsearch::Change> changes, const Layout &from, std::optional<double> seconds);
    [[nodiscard]] const layoutsearch::Change &change(int row) const { return m_changes.at(std::size_t(row)); }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] double number(const layoutsearch::Change &change, int column) const;
    [[nodiscard]] QString text(const layoutsearch::Change &change, int column) const;
    [[nodiscard]] units::UnitSymbol unitFor(int column) const; ///< for the largest number in it

    std::vector<layoutsearch::Change> m_changes;
    Layout m_from;
    std::optional<double> m_seconds;
    std::array<units::UnitSymbol, columnsShown> m_units; ///< of the columns with numbers
};

} // namespace fleetwright::itemmodels
