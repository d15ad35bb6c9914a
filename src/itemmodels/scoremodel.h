// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/rowtable.h"
#include "solver/validation/breakdown.h"

#include <optional>
#include <vector>

/// The first table of the Validation page; as validationmodel.h.
namespace fleetwright::itemmodels {

/// One cost model on all runs. What it could not score is absent.
struct ScoreRow {
    qint64 id = 0; ///< index into ScoredFile::scores
    QString model, modelId;
    std::optional<double> leftOutMedian, leftOutMean; ///< with each source left out, where that is known
    std::optional<double> macroMedian, macroMean, median, mean, p90, bias;
    std::optional<double> tauSeveral, tauOne, regretSeveral, regretOne; ///< nodes
    std::optional<double> memory;
    int verdictsRight = 0, verdicts = 0;
    int priced = 0, skipped = 0;
    QString toolTip;
    bool operator==(const ScoreRow &) const = default;
};
[[nodiscard]] std::vector<ScoreRow> scoreRows(const validation::ScoredFile &file);

class ScoreModel : public RowTable<ScoreRow> {
public:
    enum Column {
        Model,
        LeftOutMedian,
        LeftOutMean,
        MacroMedian,
        MacroMean,
        Median,
        Mean,
        P90,
        Bias,
        TauSeveral,
        TauOne,
        RegretSeveral,
        RegretOne,
        Memory,
        Verdicts,
        Priced,
        Skipped
    };
    explicit ScoreModel(QObject *parent = nullptr);
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

} // namespace fleetwright::itemmodels
