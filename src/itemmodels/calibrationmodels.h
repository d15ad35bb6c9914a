// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/rowtable.h"
#include "solver/validation/calibrationruns.h"

#include <optional>

namespace fleetwright::itemmodels {

/// One measured run of the user and, once a fit was made, how well it was predicted before and after.
struct MeasuredRunRow {
    qint64 id = 0;
    QString name, accelerator, model, layout, precision;
    std::optional<std::int64_t> accelerators, globalBatch;
    std::optional<Seconds> measured, before, after;
    std::optional<double> errorBefore, errorAfter; ///< signed
    QString note; ///< why it is left out of a fit; empty: it takes part
    QString toolTip;
    bool operator==(const MeasuredRunRow &) const = default;
};

[[nodiscard]] MeasuredRunRow measuredRunRow(qint64 id, const validation::MeasuredRun &run);
/// The row with the predictions of the fit.
[[nodiscard]] MeasuredRunRow withPrediction(MeasuredRunRow row, const detailed::CalibratedRun &run);

/// The user's measured runs.
class MeasuredRunModel : public RowTable<MeasuredRunRow> {
public:
    enum Column {
        Name,
        Accelerator,
        Accelerators,
        Model,
        Layout,
        Batch,
        Precision,
        Measured,
        Before,
        ErrorBefore,
        After,
        ErrorAfter,
        Note
    };
    explicit MeasuredRunModel(QObject *parent = nullptr);
};

/// One constant that was fitted.
struct FittedConstantRow {
    qint64 id = 0;
    detailed::FittedConstant fitted;
    QString toolTip;
    bool operator==(const FittedConstantRow &other) const
    {
        return id == other.id && fitted.after == other.fitted.after && fitted.before == other.fitted.before;
    }
};
[[nodiscard]] FittedConstantRow fittedConstantRow(const detailed::FittedConstant &fitted);

/// Constants before and after a fit.
class FittedConstantModel : public RowTable<FittedConstantRow> {
public:
    enum Column { Name, Symbol, Family, Before, After, Low, High, Unit, Identified, Note };
    explicit FittedConstantModel(QObject *parent = nullptr);
};

} // namespace fleetwright::itemmodels
