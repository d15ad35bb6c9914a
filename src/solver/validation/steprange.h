// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plan.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fleetwright::validation {

/// How far a predicted step time can be trusted: between which times measured steps lie, four times in five.
struct PredictionRange {
    Seconds low{}, high{}; ///< of the step time
    double typicalError = 0; ///< median absolute error of the comparable runs, each predicted without its source
    int runs = 0, sources = 0; ///< behind it
    std::string comparable; ///< which runs: "412 runs with tuned software and dense models, of 17 sources"
    std::vector<std::string> outside; ///< each a sentence: what lies outside what was validated; empty: validated
    int ownRuns = 0; ///< of the plan's own site that narrowed it; 0: it holds for a site that nobody has measured
    int ownRunsAlike = 0; ///< of these, on accelerators of the plan's family
    int ownRunsSame = 0; ///< of these, of the very step that is predicted
    double ownWeight = 0; ///< share of what the own runs say that the middle takes over; the rest is the formula's
    double ownEffect = 0; ///< ln(middle / byFormula())
    double furtherRun = 1; ///< share of the range's width that one more run of the very step leaves
    /// Of a run of the same fleet, job and software with another layout, where none is of the very step: what either
    /// layout has and the other has not, "ZeRO 1" and "ZeRO 3".
    struct OtherLayout {
        std::string timed, asked;
        bool operator==(const OtherLayout &) const = default;
    };
    std::optional<OtherLayout> timedOtherwise{};
    Seconds predicted{}; ///< the plan's own step time, where own runs moved the range; 0: not known
    [[nodiscard]] bool isValidated() const { return outside.empty() && runs > 0; }
    /// The middle on the logarithmic scale on which ranges are symmetric. Without own runs it is the predicted time,
    /// with them what they make likely.
    [[nodiscard]] Seconds middle() const;
    /// The predicted time that the own runs moved: by the constants that they are compared with, which no calibration
    /// to them made. The plan's own step time goes by those of its project.
    [[nodiscard]] Seconds byFormula() const;
    /// Whether that is not the plan's own step time: its project is calibrated.
    [[nodiscard]] bool isCalibrated() const;
    bool operator==(const PredictionRange &) const = default;
};

/// The range of a plan's step time by its cost model; nothing where the cost model was not compared with measured runs.
/// Where runs of the own site moved it (PredictionRange::ownRuns), its middle is what is likely: layouts and fleets are
/// chosen by that.
using RangeOf = std::function<std::optional<PredictionRange>(const Plan &plan, Seconds stepTime)>;

/// Where runs of the project move what plans and decisions go by, of an answer that they do not move.
inline constexpr std::string_view formulaAlone =
    "This is by the formula alone; plans and decisions go by the project\u2019s measured runs.";

/// What measured runs of the own site move, at the end of what is said of it: " by your run", " by your runs"; "" where
/// none does.
[[nodiscard]] std::string byYourRuns(int runs);
/// "2.51 to 2.94 s"; the range must have runs behind it.
[[nodiscard]] std::string inWords(const PredictionRange &range);
/// "2.31 s, 2.1 to 2.6 s".
[[nodiscard]] std::string withRange(Seconds stepTime, const PredictionRange &range);
/// For whom the range holds: "a site we have not measured: −22 % to +31 %"; "after 5 runs of yours: −8 % to +9 %".
[[nodiscard]] std::string forWhom(const PredictionRange &range);
/// "new site −22 % to +31 %", "your site (5 runs) −8 % to +9 %"; "outside what was validated"; "no comparable runs".
[[nodiscard]] std::string badgeOf(const PredictionRange &range);
/// What people must know before they rely on it: "No measured run is like it: ..." with the first `most` of what lies
/// outside, or with all where one alone would be left unsaid; empty: validated.
[[nodiscard]] std::string warningInWords(const PredictionRange &range, std::size_t most = 2);
/// "Your run was of the same fleet with ZeRO 1; the layout chosen now, ZeRO 3, was not timed."; empty without
/// PredictionRange::timedOtherwise.
[[nodiscard]] std::string timedOtherwiseInWords(const PredictionRange &range);
/// Why the middle is not what the own runs took: "The likely step is 2.69 s: your run, which took 19 % more than the
/// formula says of it, counts for 81 % and the formula's 2.34 s for the other 19 %, ..."; empty without own runs, or
/// where they say next to nothing of the plan.
[[nodiscard]] std::string shrinkageInWords(const PredictionRange &range);
/// For whom the range holds and from which runs it is, then one sentence for everything that lies outside them.
[[nodiscard]] std::vector<std::string> trustInWords(const PredictionRange &range);

} // namespace fleetwright::validation
