// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/largefilter.h"
#include "itemmodels/rowtable.h"
#include "solver/validation/breakdown.h"
#include "solver/validation/newsite.h"

#include <optional>
#include <vector>

/// Tables of the Validation page. Errors are percent of the measured value; under fileRole they are fractions in full
/// precision and the headers are the names that `fleetwright-cli validate` uses.
namespace fleetwright::itemmodels {

/// Errors of one group of runs.
struct ErrorGroupRow {
    qint64 id = 0;
    QString group; ///< its word in the breakdown: of a source the key
    int count = 0;
    double median = 0, mean = 0, p90 = 0, bias = 0;
    double low = 0, middle = 0, high = 0; ///< percentiles of the signed error
    std::optional<double> leftOut; ///< median, of predictions that had not seen the source of the run
    QString name; ///< of the group, for people
    QString toolTip;
    bool operator==(const ErrorGroupRow &) const = default;
};
[[nodiscard]] std::vector<ErrorGroupRow> errorGroupRows(
    const std::vector<validation::GroupErrors> &groups, validation::Grouping grouping, const validation::RunFile &file);

class ErrorGroupModel : public RowTable<ErrorGroupRow> {
public:
    enum Column { Group, Count, Median, Mean, P90, Bias, LeftOut };
    explicit ErrorGroupModel(QObject *parent = nullptr);
    /// Title of the first column.
    void setGrouping(validation::Grouping grouping);
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    validation::Grouping m_grouping = validation::Grouping::Source;
};

/// One scored run.
struct ScoredRunRow {
    qint64 id = 0; ///< index into Validation::runs
    QString run, source; ///< id and key
    QString name, sourceName; ///< of both, for people
    QString accelerator, model, layout;
    std::optional<qint64> accelerators;
    std::optional<double> predicted, measured, error; ///< seconds, fraction; absent where only memory was scored
    std::optional<double> leftOutError; ///< of constants that had not seen the source
    std::optional<double> low, high; ///< seconds, of the 80 % range
    std::optional<bool> inside; ///< whether the measured time lies in the range
    std::optional<double> distance; ///< of the measured time from the middle of the range, in half-widths
    std::optional<double> memoryError;
    QString verdict; ///< of the out-of-memory check; empty where there was none
    QString words; ///< what else a search finds: family, size, parallelism, precision, source title
    QString toolTip;
    bool operator==(const ScoredRunRow &) const = default;
};
/// `newSite`: of the validation; nullptr: there are no ranges.
[[nodiscard]] std::vector<ScoredRunRow> scoredRunRows(const validation::ScoredFile &file,
    const validation::Validation &validation, const validation::NewSite *newSite = nullptr);
/// "TP 8, PP 4, DP 16" as far as the run states it.
[[nodiscard]] QString layoutText(const validation::MeasuredRun &run);
/// "Llama 2 70B on 512 H100 (its id)".
[[nodiscard]] QString withId(const QString &name, const QString &id);
/// "+5.40 %", "-12.3 %".
[[nodiscard]] QString signedPercent(double share);

class ScoredRunModel : public RowTable<ScoredRunRow> {
public:
    enum Column {
        Run,
        Source,
        Accelerator,
        Accelerators,
        Workload,
        Layout,
        Predicted,
        Measured,
        Error,
        LeftOut,
        Low,
        High,
        Inside,
        Memory
    };
    explicit ScoredRunModel(QObject *parent = nullptr);
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

/// Runs with every word of the text in any column, in their id, in the key of their source or in ScoredRunRow::words.
/// Errors are sorted by their size, not by their sign.
class ScoredRunFilter : public LargeFilter {
    Q_OBJECT
public:
    using LargeFilter::LargeFilter;
    void setText(const QString &text);

protected:
    [[nodiscard]] bool acceptsAll() const override { return m_words.isEmpty(); }
    [[nodiscard]] bool accepts(int sourceRow) const override;

private:
    QStringList m_words;
};

/// Why runs were not scored.
struct SkippedRow {
    qint64 id = 0;
    QString reason;
    int count = 0;
    QString runs; ///< the first few ids
    QString names; ///< of the same runs
    QString toolTip;
    bool operator==(const SkippedRow &) const = default;
};
[[nodiscard]] std::vector<SkippedRow> skippedRows(
    const validation::ScoredFile &file, const validation::Validation &validation);

class SkippedModel : public RowTable<SkippedRow> {
public:
    enum Column { Reason, Count, Runs };
    explicit SkippedModel(QObject *parent = nullptr);
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
};

/// A group of runs that differ only in how the job was split.
struct RankGroupRow {
    qint64 id = 0; ///< index into Validation::groups
    QString group;
    bool singleNode = false;
    int count = 0;
    double tau = 0, regret = 0;
    QString toolTip;
    bool operator==(const RankGroupRow &) const = default;
};
[[nodiscard]] std::vector<RankGroupRow> rankGroupRows(const validation::Validation &validation);

class RankGroupModel : public RowTable<RankGroupRow> {
public:
    enum Column { Group, Nodes, Count, Tau, Regret };
    explicit RankGroupModel(QObject *parent = nullptr);
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
};

/// One run of a ranking group.
struct RankedRow {
    qint64 id = 0; ///< index into Validation::runs
    int measuredPlace = 0, predictedPlace = 0;
    QString layout;
    double measured = 0, predicted = 0; ///< seconds
    QString toolTip;
    bool operator==(const RankedRow &) const = default;
};
[[nodiscard]] std::vector<RankedRow> rankedRows(
    const validation::ScoredFile &file, const validation::Validation &validation, std::size_t group);

class RankedModel : public RowTable<RankedRow> {
public:
    enum Column { MeasuredPlace, PredictedPlace, Layout, Measured, Predicted };
    explicit RankedModel(QObject *parent = nullptr);
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
};

} // namespace fleetwright::itemmodels
