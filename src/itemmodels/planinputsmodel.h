// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/sweep/planinputs.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace fleetwright::itemmodels {

/// A plan of the project as a column.
struct PlanInputsColumn {
    qint64 id = 0;
    QString name;
    PlanInputs inputs;
};

/// Everything that can be set, a row each, beside what every plan has there. The row headers and column 0 name the
/// input. What follows from something else is italic; inputs in which the shown plans differ are bold.
class PlanInputsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    static constexpr int firstPlan = 1; ///< column
    static constexpr int choicesRole = Qt::UserRole + 2; ///< QVariantList of {typed, label}; empty: text is typed
    static constexpr int statedRole = Qt::UserRole + 3; ///< whether the plan itself states the value

    explicit PlanInputsModel(QObject *parent = nullptr);

    /// Rows and columns that stay keep their places, so that selection and scrolling stay while values are edited.
    void setPlans(std::vector<PlanInputsColumn> plans);
    /// The plans that are compared; the others are columns that nobody sees.
    void setShown(std::vector<bool> shown);
    void setEditable(bool editable);

    [[nodiscard]] const PlanInput &input(int row) const { return m_rows.at(std::size_t(row)); }
    [[nodiscard]] const PlanInputsColumn &plan(int column) const { return m_plans.at(std::size_t(column - firstPlan)); }
    [[nodiscard]] bool isShown(int column) const { return m_shown.at(std::size_t(column - firstPlan)); }
    [[nodiscard]] bool isDifferent(int row) const { return m_different.at(std::size_t(row)); }
    [[nodiscard]] int rowOf(const std::string &key) const; ///< -1: none

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;
    /// Announces what was typed; the owner of the plans accepts it, with new plans, or not.
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;

signals:
    void typed(int row, int column, const QString &text);

private:
    [[nodiscard]] QString title(int row) const;
    void compare();

    std::vector<PlanInputsColumn> m_plans;
    std::vector<PlanInput> m_rows;
    std::vector<std::vector<PlanInputCell>> m_cells; ///< by row, then plan
    std::vector<bool> m_shown; ///< by plan
    std::vector<bool> m_different; ///< by row
    bool m_isEditable = true;
};

/// Rows in which the shown plans differ or agree, and whose name, key or values have the words.
class PlanInputsFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    enum class Rows { Different, Equal, All };
    explicit PlanInputsFilter(PlanInputsModel &model, QObject *parent = nullptr);
    void setRows(Rows rows);
    void setWords(const QString &words);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    PlanInputsModel &m_model;
    Rows m_rows = Rows::All;
    QString m_words;
};

} // namespace fleetwright::itemmodels
