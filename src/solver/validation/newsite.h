// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/errorlevels.h"
#include "solver/validation/leftoutscore.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What a prediction is worth at a site that nobody has measured: the figures that are quoted first, and their words.
namespace fleetwright::validation {

/// Jobs on at least so many accelerators are production.
inline constexpr std::int64_t productionAccelerators = 8000;

/// The largest jobs of a file.
struct ProductionSlice {
    int inFile = 0; ///< scored or not
    std::vector<std::size_t> runs; ///< indices into LeftOutScore::runs, the largest job first
    int sources = 0; ///< of the scored ones
    int inside = 0; ///< scored ones whose measured time lies in its range
    ErrorFigures predicted; ///< of the middles of their ranges: with their source left out, where that is known
    ErrorFigures fitted; ///< as the constants predict that were validated
};
[[nodiscard]] ProductionSlice productionSlice(
    const Validation &validation, std::span<const MeasuredRun> runs, const LeftOutScore &score);

/// An error that the authors of another planner state for it. It is theirs, on runs of their own choice: nobody left
/// sources out.
struct PublishedClaim {
    std::string_view planner; ///< "Charon (MLSys 2026)"
    double error = 0; ///< fraction
    bool below = false; ///< the error is said to be less than this
    std::string_view about; ///< which runs, and what the planner needs for them
};
[[nodiscard]] std::span<const PublishedClaim> publishedClaims();
/// "< 3.74 %"
[[nodiscard]] std::string errorInWords(const PublishedClaim &claim);

/// Where the predictions of a LeftOutScore come from.
enum class Evidence : std::uint8_t {
    LeftOut, ///< every run was predicted by constants that had not seen its source
    Partly, ///< some were
    AsPredicted, ///< no left-out error of these runs is known
    OwnRuns, ///< own runs of a site taught its effect
};

/// "left out", "partly left out", "as predicted", "own runs"
[[nodiscard]] std::string_view inWords(Evidence evidence);

struct NewSite {
    LeftOutScore score;
    std::optional<ErrorLevels>
        levels; ///< of all left-out errors of the program, where some of these runs are among them
    ProductionSlice production;
    [[nodiscard]] Evidence evidence() const;
};
/// `score` is one of `validation`, which is one of `runs`.
[[nodiscard]] NewSite newSite(
    const Validation &validation, std::span<const MeasuredRun> runs, const RangeTable &table, LeftOutScore score);

/// Each a sentence or two, none where there is nothing to say. The error that counts:
[[nodiscard]] std::string errorInWords(const NewSite &site);
/// The error of the constants as they are, and what it does not say.
[[nodiscard]] std::string fittedInWords(const NewSite &site, const Validation &validation);
[[nodiscard]] std::string promiseInWords(); ///< "80 %", of the ranges
[[nodiscard]] std::string coverageInWords(const Coverage &coverage);
[[nodiscard]] std::string productionInWords(const ProductionSlice &production);
/// Who states the claims, and how far they compare.
[[nodiscard]] std::string claimsInWords();

/// One level of errors. The deviation is that of ln(measured / predicted).
struct LevelInWords {
    std::string_view name; ///< "Source"
    std::string_view meaning;
    double deviation = 0;
};
/// From the widest to the narrowest.
[[nodiscard]] std::array<LevelInWords, 5> levelsInWords(const ErrorLevels &levels);

} // namespace fleetwright::validation
