// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/measuredrun.h"
#include "solver/validation/sourceeffect.h"
#include "solver/validation/steprange.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <ranges>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

/// What the user's own runs say about plans for the same site.
namespace fleetwright::validation {

/// Whether what this cost model says is moved by runs of a site at all.
[[nodiscard]] bool isMovedByRuns(std::string_view costModelId);

/// Whether a site can be learnt from the run.
[[nodiscard]] bool isUsable(const MeasuredRun &run);
/// Whether plans and decisions of a project with these runs go by them, where their cost model isMovedByRuns(): whether
/// OwnSite::from() makes a site. It learns nothing and ends at the first usable run, so that a window may ask.
template <std::ranges::input_range Runs, typename Projection = std::identity>
[[nodiscard]] bool anyUsable(const Runs &runs, Projection projection = {})
{
    return std::ranges::any_of(runs, isUsable, std::move(projection));
}

/// A run that would be worth measuring.
struct NextRun {
    std::size_t candidate = 0; ///< index into those asked about
    double before = 0, after = 0; ///< standard deviation of ln(measured / predicted) of the plan
};

/// Of a site whose runs are known. Immutable; any thread may ask.
class OwnSite {
public:
    /// Learns from the runs of the source that has the most of them (runs that name none are one source; of equals the
    /// first by name): a plan is made for one site. `centre`: the constants that the effect is counted from, those of
    /// the program or others that are no fit to these runs. Nothing where no run can be used, or when stopped.
    [[nodiscard]] static std::optional<OwnSite> from(
        std::span<const MeasuredRun> runs, const detailed::Constants &centre = {}, const std::stop_token &stop = {});

    struct Prediction {
        Seconds expected{}; ///< the median by the runs
        double remaining = 1; ///< share of a new site's uncertainty that is left
        double weight = 0; ///< SourceEffect::weight()
        double effect = 0; ///< ln(expected / predicted with the centre)
        double further = 1; ///< share of what is left that one more run of the same would leave
    };
    /// Nothing where it cannot be priced. The constants of the setting do not matter.
    [[nodiscard]] std::optional<Prediction> at(detailed::Setting setting, const detailed::Layout &layout) const;
    /// As at(), but a run that was learnt from (same configuration, same time) is predicted from the others.
    [[nodiscard]] std::optional<Prediction> without(
        detailed::Setting setting, const detailed::Layout &layout, Seconds measured) const;
    /// The range of a new site, moved to what the runs expect and narrowed as far as they know.
    [[nodiscard]] PredictionRange narrowed(
        PredictionRange range, const detailed::Setting &setting, const detailed::Layout &layout) const;

    /// The candidate after which the plan's range is narrowest; nothing without a candidate that helps by 1 % or more.
    [[nodiscard]] std::optional<NextRun> nextRun(const detailed::Setting &setting, const detailed::Layout &layout,
        std::span<const detailed::CalibrationRun> candidates) const;

    [[nodiscard]] const SourceEffect &effect() const { return m_effect; }
    [[nodiscard]] std::span<const detailed::CalibrationRun> runs() const { return m_runs; }

private:
    OwnSite(std::vector<detailed::CalibrationRun> runs, SourceEffect effect, const detailed::Constants &centre)
        : m_runs(std::move(runs)), m_effect(std::move(effect)), m_centre(centre)
    {
    }
    [[nodiscard]] std::optional<Prediction> from(
        const detailed::Setting &setting, const detailed::Layout &layout, std::optional<std::size_t> without) const;

    std::vector<detailed::CalibrationRun> m_runs;
    SourceEffect m_effect;
    detailed::Constants m_centre;
};

/// Smaller jobs of the same kind, worth measuring before the plan is built: its layout on fewer data-parallel replicas
/// with the batch cut alike, and with the microbatch halved and doubled, on at most so many accelerators. Every one is
/// legal. Its time is not set.
[[nodiscard]] std::vector<detailed::CalibrationRun> smallerRuns(
    const detailed::Setting &setting, const detailed::Layout &layout, std::int64_t mostAccelerators);

/// A plan that should be known better.
struct PlanToNarrow {
    std::string name;
    detailed::Setting setting;
    detailed::Layout layout;
};
/// The smaller run that would narrow the range of a plan most.
struct Suggestion {
    std::string plan;
    detailed::CalibrationRun run;
    double narrower = 0; ///< share of the plan's uncertainty that it removes
};
/// The best of all plans; nothing where no run on at most so many accelerators helps any of them.
[[nodiscard]] std::optional<Suggestion> suggestRun(
    const OwnSite &site, std::span<const PlanToNarrow> plans, std::int64_t mostAccelerators);
/// "A step of Seventy takes 2.51 s by the fitted constants, 2.42 s by those in use (+3.72 %)." One sentence for plans
/// that are alike, those first that a run was measured of, then those that move most; constants that a plan edits
/// itself stay as it has them.
[[nodiscard]] std::vector<std::string> shiftsInWords(std::span<const PlanToNarrow> plans,
    std::span<const detailed::FittedConstant> fitted, std::span<const detailed::CalibrationRun> measured = {});
/// "Measure next: 64 accelerators, microbatch 1, split as “Seventy” (TP 8, PP 4). Its range is then 12 % narrower."
[[nodiscard]] std::string inWords(const Suggestion &suggestion);

} // namespace fleetwright::validation
