// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/rowtable.h"
#include "itemmodels/tabletext.h"
#include "solver/size/decisionrisk.h"

namespace fleetwright::itemmodels {

/// The id of the base case's row, which is no place in size::Result::answers.
inline constexpr qint64 baseCaseId = -1;

/// A fleet of the answer to a decision; its id is its place in size::Result::answers, or baseCaseId.
struct SizedRow {
    qint64 id = 0;
    QString fleet, paying, fabric, site, layout;
    QString shortFabric; ///< without what is in brackets, where no other row has the same name then
    size::FleetFigures figures;
    double lateDays = size::unknownFigure; ///< of ten runs one takes longer
    QString binds; ///< the limits that it breaks; else that nothing does, and the nearest one with what is left
    QString frees; ///< empty: it keeps all limits, in its draws, too
    bool feasible = true;
    bool rented = false; ///< all of it: the electricity is in the rent
    bool chanceAlone = false; ///< it was not drawn: its chance is that of the range of the step time
    bool daysScaled = false; ///< its days are the draws of the same nodes on another fabric, times a factor
    QString toolTip;
    /// Unknown figures are equal to each other.
    bool operator==(const SizedRow &other) const;
};

/// Whether a fleet keeps all limits: what its row says about them may be overlooked then.
inline constexpr int keepsRole = Qt::UserRole + 3;

/// Which fleets of an answer a table has.
enum class SizedRows {
    BestOfNodes, ///< the best bought and the best rented of each node
    EveryKind
};

/// Columns: fleet, paying, fabric, site, layout, days, cost of the run, capital, cost of a year, power, carbon, chance
/// of the deadline, what binds, what would free it, the days that one run in ten takes longer than. Figures in the unit
/// of their title; those that are not known sort last.
class SizedModel : public RowTable<SizedRow> {
public:
    enum Column {
        Fleet,
        Paying,
        Fabric,
        Site,
        Layout,
        Days,
        RunCost,
        Electricity,
        Capital,
        Yearly,
        Power,
        Carbon,
        Chance,
        Binds,
        Frees,
        LateDays
    };
    explicit SizedModel(QObject *parent = nullptr);

    /// The base case is marked; it comes last where it is none of the other fleets. The chance of the deadline is that
    /// of the draws where `sure` has drawn a fleet, as everywhere else.
    void setResult(const DecisionDocument &document, const size::Result &result, SizedRows which,
        const size::HowSure *sure = nullptr);
    [[nodiscard]] bool differIn(Column column) const; ///< whether its texts are not all the same
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
};

/// A limit that a fleet breaks and what would free it, or the tightest one of a fleet that breaks none.
struct BindingRow {
    qint64 id = 0; ///< as SizedRow::id
    QString fleet, limit, needed, remedy;
    double by = 0; ///< share of the limit by which it is missed; negative: that is left
    bool kept = false;
    QString toolTip;
    bool operator==(const BindingRow &) const = default;
};

/// Columns: fleet, limit, what it needs, how far over as a share, what would free it; in the order of the answer.
class BindingModel : public RowTable<BindingRow> {
public:
    enum Column { Fleet, Limit, Needed, By, Remedy };
    explicit BindingModel(QObject *parent = nullptr);
    void setResult(const DecisionDocument &document, const size::Result &result, SizedRows which);
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
};

} // namespace fleetwright::itemmodels
