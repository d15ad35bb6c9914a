// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/assumptions.h"

#include <QAbstractTableModel>

#include <vector>

namespace fleetwright::itemmodels {

/// Every tunable constant of a cost model with its value, default, range and source; edited values are bold, values
/// calibrated in the project or set by its planning defaults are italic and say so. The value column is editable; what
/// cannot be used is refused with a sentence and changes nothing.
class AssumptionsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Group, Label, Value, Default, Range, Source, ColumnCount };
    static constexpr int choicesRole = Qt::UserRole + 2; ///< QStringList for switches and choices, nothing for numbers

    explicit AssumptionsModel(QObject *parent = nullptr);
    /// The descriptors belong to a registered cost model, `further` to whatever else prices the plan; both outlive this
    /// object. Rows are sorted by group, then in the given order.
    void setDescriptors(
        std::span<const AssumptionDescriptor> descriptors, std::span<const AssumptionDescriptor> further = {});
    void setAssumptions(const Assumptions &assumptions);
    [[nodiscard]] const Assumptions &assumptions() const { return m_assumptions; }
    void setEditable(bool editable);
    [[nodiscard]] bool isEdited(int row) const;
    void reset(int row);
    void resetAll();

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;

signals:
    /// A value was edited or reset by the user (not by setAssumptions).
    void edited(const QString &key);
    /// What was typed cannot be used, and why. Empty: the last attempt was accepted.
    void refused(const QString &sentence);

private:
    void store(int row, const AssumptionValue &value);
    void announce(int row);

    std::vector<const AssumptionDescriptor *> m_rows;
    Assumptions m_assumptions;
    bool m_editable = true;
};

} // namespace fleetwright::itemmodels
