// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/validation.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

/// A validation looked at from one side: errors by source, family, size..., their spread, and the order within ranking
/// groups.
namespace fleetwright::validation {

struct NewSite;

enum class Grouping : std::uint8_t { Source, Kind, Family, Accelerator, Size, Parallelism, Precision };
inline constexpr std::array allGroupings{Grouping::Source, Grouping::Kind, Grouping::Family, Grouping::Accelerator,
    Grouping::Size, Grouping::Parallelism, Grouping::Precision};
[[nodiscard]] std::string_view title(Grouping grouping); ///< "Source", "Accelerator family"...
/// The figures of a validation by the words of one grouping.
[[nodiscard]] const std::map<std::string, ErrorFigures> &figuresBy(const Validation &validation, Grouping grouping);

/// Words under which the breakdowns list a run, by Grouping.
using RunWords = std::array<std::string, allGroupings.size()>;
[[nodiscard]] RunWords wordsOf(const MeasuredRun &run, const RunConfiguration &configuration);

/// Where one run of a file belongs, or why it belongs nowhere.
struct RunPlace {
    RunWords words; ///< empty where the run cannot be read
    std::string skipped{}; ///< reason, as Validation::skipped counts it; empty: it can be read
    SharedText nameDetail{}; ///< nameDetails() of the file's runs
    [[nodiscard]] const std::string &operator[](Grouping grouping) const
    {
        return words[static_cast<std::size_t>(grouping)];
    }
};
/// One place for each run, in the order of the file.
[[nodiscard]] std::vector<RunPlace> placesOf(std::span<const MeasuredRun> runs);

/// How far one cost model has been, or why it could not be asked.
struct ModelScore {
    std::string modelId;
    Expected<Validation> validation;
    std::shared_ptr<const NewSite> newSite{}; ///< nullptr: nothing is known of its errors on sources left out
};

/// Everything that a page or report says about one file of runs.
struct ScoredFile {
    RunFile file;
    std::vector<RunPlace> places; ///< one for each run of the file
    std::vector<ModelScore> scores; ///< in the order asked
    [[nodiscard]] std::string nameOf(std::size_t run) const; ///< runName() with what tells it from others of the file
    [[nodiscard]] const Validation *scoreOf(
        std::string_view modelId) const; ///< nullptr when it was not asked or refused
    [[nodiscard]] const NewSite *newSiteOf(std::string_view modelId) const; ///< nullptr when nothing is known
};

/// What is known of the errors of a validation on sources left out; nullptr: nothing, or it was stopped.
using NewSiteFinder = std::function<std::shared_ptr<const NewSite>(
    const Validation &, std::span<const MeasuredRun>, const std::stop_token &stop)>;

/// Reads what can be read of the runs and asks every model, on the calling thread. A model that refuses is part of the
/// answer. Once it is to stop, the models that follow are left out.
[[nodiscard]] ScoredFile scoreAll(RunFile file, std::span<const std::string> modelIds,
    const detailed::Constants &constants = {}, const NewSiteFinder &newSite = {}, const std::stop_token &stop = {});

/// Errors of one group; `low` to `high` are the 10th and 90th percentile of the signed errors, linearly between the two
/// nearest runs.
struct GroupErrors {
    std::string group;
    ErrorFigures figures;
    double low = 0, middle = 0, high = 0;
    /// Median absolute error of the predictions that had not seen the source of the run; nothing where none is known.
    std::optional<double> leftOutMedian{};
};
/// In the order of falling median error. `newSite`: of the validation; nullptr: no left-out error is known.
[[nodiscard]] std::vector<GroupErrors> breakdown(const Validation &validation, std::span<const RunPlace> places,
    Grouping grouping, const NewSite *newSite = nullptr);

/// Timed runs, indices into Validation::runs, the largest absolute error first.
[[nodiscard]] std::vector<std::size_t> byError(const Validation &validation);

/// One row of a ranking group, with its place from 1 by both times; equal times share the place.
struct RankedRun {
    std::size_t row = 0; ///< index into Validation::runs
    int measuredPlace = 0, predictedPlace = 0;
};
/// The fastest measured first.
[[nodiscard]] std::vector<RankedRun> ranked(const Validation &validation, const RankGroup &group);

} // namespace fleetwright::validation
