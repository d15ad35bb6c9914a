// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/rowtable.h"
#include "solver/costs/costvalidation.h"

#include <optional>

/// Tables of the worksheet's figures beside published ones. Under fileRole numbers are in full precision and headers
/// are the names that `fleetwright-cli validate --costs` uses.
namespace fleetwright::itemmodels {

/// Role of the kind's word, by which tables of figures are filtered.
inline constexpr int costKindRole = Qt::UserRole + 20;

/// The figures of one kind together. Errors are fractions.
struct CostSummaryRow {
    qint64 id = 0;
    QString kind, word; ///< for people, for files
    int count = 0, within = 0;
    double median = 0, mean = 0;
    QString target;
    std::optional<bool> met;
    QString toolTip;
    bool operator==(const CostSummaryRow &) const = default;
};
[[nodiscard]] std::vector<CostSummaryRow> costSummaryRows(const costs::CostValidation &validation);

class CostSummaryModel : public RowTable<CostSummaryRow> {
public:
    enum Column { Kind, Count, Median, Mean, Within, Target, Met };
    explicit CostSummaryModel(QObject *parent = nullptr);
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

/// One published figure and the worksheet's. Values in base units, errors as fractions.
struct CostScoreRow {
    qint64 id = 0; ///< index into CostValidation::scores
    QString figure, kind, word, date;
    QString publishedText, computedText, tolerance, source, unit;
    double published = 0, computed = 0, error = 0;
    std::optional<double> discounted; ///< error with the discount of large buyers
    bool within = false, withinDiscounted = false;
    QString toolTip;
    bool operator==(const CostScoreRow &) const = default;
};
[[nodiscard]] std::vector<CostScoreRow> costScoreRows(const costs::CostValidation &validation);

class CostScoreModel : public RowTable<CostScoreRow> {
public:
    /// Unit is of the numbers in files.
    enum Column { Figure, Date, Published, Computed, Error, Discounted, Tolerance, Within, Source, Kind, Unit };
    explicit CostScoreModel(QObject *parent = nullptr);
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

/// A published figure that is not scored.
struct UnscoredCostRow {
    qint64 id = 0;
    QString figure, reason, source;
    QString toolTip;
    bool operator==(const UnscoredCostRow &) const = default;
};
[[nodiscard]] std::vector<UnscoredCostRow> unscoredCostRows(const costs::CostValidation &validation);

class UnscoredCostModel : public RowTable<UnscoredCostRow> {
public:
    enum Column { Figure, Reason, Source };
    explicit UnscoredCostModel(QObject *parent = nullptr);
};

} // namespace fleetwright::itemmodels
