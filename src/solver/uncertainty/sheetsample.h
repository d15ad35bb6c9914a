// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/uncertainty/sampling.h"
#include "solver/worksheet/evaluatedsheet.h"

#include <limits>

namespace fleetwright::uncertainty {

/// Between the tenth and the ninetieth of a hundred draws: the range that is shown beside a figure.
struct Tenths {
    double p10 = 0, p90 = 0;
};
/// As quantilesOf(), without sorting all of them.
[[nodiscard]] Tenths tenthsOf(std::vector<double> values);

/// The range that stands beside a likely value: the tenths, as far as the likely value where that lies beyond them, as
/// it does where a price is likely at an end of its range; eight draws in ten at least. `isMoved`: measured runs have
/// moved what is drawn away from the likely value, which then stays outside.
[[nodiscard]] Tenths shownRange(Tenths drawn, double likely, bool isMoved);

/// A cell of a sheet; of rows of one number the column is 0.
struct SheetCell {
    std::size_t row = 0, column = 0;
    auto operator<=>(const SheetCell &) const = default;
};

/// How a sheet is drawn where nothing else is asked for: plans and fleets are, and decisions unless they say otherwise,
/// so that a fleet has one range wherever it stands.
struct SheetSampling {
    std::size_t draws = 10'000;
    std::uint64_t seed = 1;
    double vendorCorrelation = 0.7; ///< rank correlation of the prices of one vendor
};

/// Draws of everything in the entries of one sheet that has a range. They rest on these entries alone, not on what else
/// a question is about: the same fleet has the same draws in a plan and in every decision. worth-it.md, section 10.
class SheetSample {
public:
    /// The error of the step time first, and in any case, then the entries in the order of their rows, and of each what
    /// it would be without those behind it: so sheets of a fleet and of a run on it agree, whose rows begin alike.
    /// Refused as uncertainty::draw().
    /// `last`: no entries behind this row are drawn, as far as figures rest on.
    [[nodiscard]] static Expected<SheetSample> draw(const SheetEntries &entries, const SheetSampling &how = {},
        const std::stop_token &stop = {}, std::size_t last = std::numeric_limits<std::size_t>::max());

    [[nodiscard]] std::size_t draws() const { return m_sample.draws(); }
    /// All draws of each cell, on all cores of the caller's arena; "never" is infinity. Only of rows that are present
    /// for a life of so many years. Cut short by a stop.
    [[nodiscard]] std::vector<std::vector<double>> of(
        std::span<const SheetCell> cells, int years, const std::stop_token &stop = {}) const;

private:
    explicit SheetSample(SheetEntries entries) : m_entries(std::move(entries)) { }

    SheetEntries m_entries;
    std::vector<std::size_t> m_rows; ///< of the inputs behind the first
    Sample m_sample;
};

} // namespace fleetwright::uncertainty
