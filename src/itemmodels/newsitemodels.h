// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/rowtable.h"
#include "solver/validation/breakdown.h"
#include "solver/validation/newsite.h"

#include <map>
#include <optional>
#include <vector>

/// Tables about what a prediction is worth at a site that nobody has measured; as validationmodel.h.
namespace fleetwright::itemmodels {

/// How many runs of one source lie in their ranges.
struct CoverageRow {
    qint64 id = 0; ///< index into Coverage::sources
    QString source; ///< its key
    QString name; ///< for people
    int runs = 0;
    double covered = 0, halfWidth = 0; ///< fractions; the second of the step time
    QString toolTip;
    bool operator==(const CoverageRow &) const = default;
};
/// The least covered first.
[[nodiscard]] std::vector<CoverageRow> coverageRows(
    const validation::Coverage &coverage, const validation::RunFile &file);

class CoverageModel : public RowTable<CoverageRow> {
public:
    enum Column { Source, Runs, Covered, HalfWidth };
    explicit CoverageModel(QObject *parent = nullptr);
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

/// One level at which errors arise.
struct LevelRow {
    qint64 id = 0;
    QString level, meaning;
    double deviation = 0; ///< fraction of the step time
    QString toolTip;
    bool operator==(const LevelRow &) const = default;
};
[[nodiscard]] std::vector<LevelRow> levelRows(const validation::ErrorLevels &levels);

class LevelModel : public RowTable<LevelRow> {
public:
    enum Column { Level, Deviation, Meaning };
    explicit LevelModel(QObject *parent = nullptr);
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
};

/// What so many own runs of a source do for its others.
struct FewShotRow {
    qint64 id = 0; ///< number of known runs
    int sources = 0;
    std::optional<double> median, mean, covered, halfWidth; ///< fractions; absent where no source has enough runs
    QString toolTip;
    bool operator==(const FewShotRow &) const = default;
};
[[nodiscard]] std::vector<FewShotRow> fewShotRows(const std::map<int, validation::FewShotFigures> &figures);

class FewShotModel : public RowTable<FewShotRow> {
public:
    enum Column { Known, Median, Mean, Covered, HalfWidth, Sources };
    explicit FewShotModel(QObject *parent = nullptr);
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

/// One of the largest jobs.
struct ProductionRow {
    qint64 id = 0; ///< index into Validation::runs
    QString run; ///< its id
    QString name; ///< for people
    QString source;
    qint64 accelerators = 0;
    double measured = 0, predicted = 0, error = 0; ///< seconds, seconds, fraction; with its source left out if known
    bool inside = false;
    QString toolTip;
    bool operator==(const ProductionRow &) const = default;
};
[[nodiscard]] std::vector<ProductionRow> productionRows(
    const validation::ScoredFile &file, const validation::Validation &validation, const validation::NewSite &site);

class ProductionModel : public RowTable<ProductionRow> {
public:
    enum Column { Run, Accelerators, Measured, Predicted, Error, Inside };
    explicit ProductionModel(QObject *parent = nullptr);
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

} // namespace fleetwright::itemmodels
