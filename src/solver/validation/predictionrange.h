// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/leftout.h"
#include "solver/validation/steprange.h"
#include "solver/validation/validation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// How far to trust one prediction on a site that nobody has measured: from the errors of comparable runs, each of them
/// predicted without its source, and what about the plan was never validated.
namespace fleetwright::validation {

/// Share of measured step times that a range promises to hold.
inline constexpr double rangeCoverage = 0.8;
/// Of the normal distribution: that share lies within so many standard deviations.
inline constexpr double normalQuantile = 1.2816;

/// Runs whose errors are alike. Families, classes and sizes beyond these explained nothing of what is left
/// (resources/handbook/validation.md).
enum class RangeGroup : std::uint8_t {
    Tuned,
    TunedBlackwell,
    Framework,
    FrameworkEightBit, ///< or 4 bits: the first releases of it differ most
    Adapters,
    Experts,
    Research
};
inline constexpr std::array allRangeGroups{RangeGroup::Tuned, RangeGroup::TunedBlackwell, RangeGroup::Framework,
    RangeGroup::FrameworkEightBit, RangeGroup::Adapters, RangeGroup::Experts, RangeGroup::Research};
[[nodiscard]] std::string_view inWords(RangeGroup group); ///< "tuned software and dense models"
[[nodiscard]] RangeGroup rangeGroupOf(const detailed::Setting &setting);

/// One scored run as ranges need it.
struct ReferenceRun {
    std::string id, source;
    RangeGroup group = RangeGroup::Tuned;
    detailed::Family family = detailed::Family::A100;
    std::string accelerator;
    int precisionBits = 16;
    bool experts = false, lora = false, contextParallel = false, tensorParallel = false, pipelineParallel = false,
         shardedParameters = false;
    std::int64_t accelerators = 1, sequenceLength = 1, stages = 1;
    double parameters = 0;
    Seconds measured{};
    double logError = 0; ///< ln(measured / predicted), predicted without the source
    double openDeviation = 0; ///< as RangeQuestion
    bool nearestFamilies = false; ///< measured on an accelerator that no constant was learnt from
    bool teaches = true; ///< RunConfiguration::teaches(): the others show in the coverage and decide about no width
    /// What the constants that had not seen the source predict.
    [[nodiscard]] Seconds leftOutPrediction() const { return measured * std::exp(-logError); }
};

/// A run and whether its measured time lay in its range.
struct CoveredRun {
    std::string_view source;
    bool inside = false;
    double halfWidth = 0; ///< of the range, as a logarithm
};
struct SourceCoverage {
    std::string source;
    int runs = 0;
    double covered = 0; ///< share of the runs
    double halfWidth = 0; ///< median over the runs
    bool operator==(const SourceCoverage &) const = default;
};
/// Shares of runs that lie in their ranges; every source counts alike.
struct Coverage {
    double mean = 0;
    double quartile = 0; ///< a quarter of the sources is covered less
    double worstQuarter = 0; ///< mean over that quarter
    [[nodiscard]] std::size_t worstSources() const { return std::max<std::size_t>(1, sources.size() / 4); } ///< in it
    std::vector<SourceCoverage> sources; ///< by name
};
[[nodiscard]] Coverage coverageOf(std::span<const CoveredRun> runs);

/// In PredictionRange::outside.
inline constexpr std::string_view editedConstantsSentence =
    "The runs were validated with the published constants; the plan has edited ones.";

/// What else decides about a range.
struct RangeQuestion {
    double openDeviation = 0; ///< standard deviation of ln(step time) over what the facts leave open
    std::string_view withoutSource{}; ///< as if the runs of this source were not known
};

/// The runs behind the ranges, with their left-out errors. Immutable once made; not to be copied, it refers to itself.
class RangeTable {
public:
    explicit RangeTable(std::vector<ReferenceRun> runs);
    RangeTable(const RangeTable &) = delete;
    RangeTable &operator=(const RangeTable &) = delete;

    /// The 80 % range around `stepTime` for a new site, symmetric as a logarithm. Its half-width is the 80 % quantile
    /// of the sizes of ln(measured / predicted) over the group, every source with equal weight, drawn towards that of
    /// all runs by as much as two sources weigh; times scale(). In quadrature come what the facts leave open and
    /// detailed::nearestFamilyHalfWidth for accelerators without any run, and for products in so many bits as no run of
    /// the family has: their rate rests on no measurement either. The typical error is the median left-out error of the
    /// group.
    [[nodiscard]] PredictionRange rangeOf(const detailed::Setting &setting, const detailed::Layout &layout,
        Seconds stepTime, const RangeQuestion &question = {}) const;
    /// Of that range, as a logarithm, without what rangeOf() says about it: for many runs.
    [[nodiscard]] double halfWidthOf(const detailed::Setting &setting, const RangeQuestion &question = {}) const;
    /// Of the range of a group, as a logarithm, without what is open.
    [[nodiscard]] double halfWidth(RangeGroup group, std::string_view withoutSource = {}) const;
    /// The factor on the quantiles with which the ranges of the sources, each made from the other sources, hold 84 % of
    /// the runs on average over the sources; 1 for fewer than five sources.
    [[nodiscard]] double scale() const { return m_scale; }
    /// Of the runs, each in the range that the other sources give it.
    [[nodiscard]] Coverage coverage() const;
    [[nodiscard]] std::span<const ReferenceRun> runs() const { return m_runs; }
    /// nullptr where the table does not hold it.
    [[nodiscard]] const ReferenceRun *find(std::string_view source, std::string_view id) const;

private:
    [[nodiscard]] double quantileOf(RangeGroup group, std::string_view withoutSource) const;
    void fitScale();

    std::vector<ReferenceRun> m_runs;
    std::map<std::pair<std::string_view, std::string_view>, std::size_t> m_places; ///< by source and id
    std::map<std::pair<std::string, RangeGroup>, double> m_quantiles; ///< by the source that is left out, or none
    /// Families that ran and the bits of their products, with the sources.
    std::map<std::pair<detailed::Family, int>, std::vector<std::string_view>> m_products;
    double m_scale = 1;
};

/// The runs whose left-out error is known; the others are not in the answer.
[[nodiscard]] std::vector<ReferenceRun> referenceRuns(std::span<const MeasuredRun> runs, const LeftOut &leftOut);

} // namespace fleetwright::validation
