// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/layout.h"
#include "domain/sweepdocument.h"
#include "solver/answer/figures.h"

#include <array>
#include <functional>
#include <stop_token>

namespace fleetwright {

/// What tables of a sweep show beside its own figure: speed, memory, days, and money as the fleet is paid for.
inline constexpr std::array usualSweepFigures{"step_time_s", "mfu", "memory.total_bytes", "run_time_s", "run_cost_usd"};

/// The answer for one point of each axis and one cost model. Exactly one of refused and the rest is filled: a refused
/// cell has no figures; an infeasible one has figures and says in `problems` what is wrong with it.
struct SweepCell {
    std::size_t row = 0; ///< point of the first axis
    std::size_t column = 0; ///< point of the second axis; 0 where there is none
    std::size_t model = 0; ///< index in SweepResult::models
    std::optional<Error> refused;
    std::optional<Layout> layout; ///< that the cell's search found, where the sweep searches or leaves the layout open
    bool feasible = false; ///< nothing that could be decided is broken
    bool decided =
        true; ///< false where nothing is broken but the model knows no memory, so that nobody can say whether it fits
    bool onlyLikely = false; ///< of a feasible cell: isOnlyLikely(); `notices` then say why
    std::vector<std::optional<double>>
        figures; ///< in the order of SweepResult::figures, base units; nothing where the model gives none
    std::vector<std::string> problems; ///< sentences of the constraints that do not hold
    std::vector<std::string> missed; ///< the same in short: "Deadline: 33.6 days, 3.60 days over"
    std::vector<std::string> notices; ///< sentences
    /// Yes, no, or nothing where it is not known.
    [[nodiscard]] std::optional<bool> feasibility() const { return decided ? std::optional(feasible) : std::nullopt; }
    bool operator==(const SweepCell &) const = default;
};

struct SweepModel {
    std::string id;
    std::string version;
    bool operator==(const SweepModel &) const = default;
};

/// All cells, the first axis slowest, then the second, then the cost models.
struct SweepResult {
    std::vector<SweepModel> models;
    std::vector<std::string> figures; ///< keys of allFigures() and the sweep's own figure
    std::size_t rows = 0;
    std::size_t columns = 1;
    std::vector<SweepCell> cells;

    [[nodiscard]] const SweepCell &cell(std::size_t row, std::size_t column, std::size_t model) const
    {
        return cells[(row * columns + column) * models.size() + model];
    }
    /// Nothing when the cell was refused, the model gives none, or the result does not hold the figure.
    [[nodiscard]] std::optional<double> figure(const SweepCell &cell, std::string_view key) const;
    bool operator==(const SweepResult &) const = default;
};

struct SweepOptions {
    std::function<void(std::size_t done, std::size_t total)> progress{}; ///< from any worker; calls may overlap
    std::stop_token stop{};
    int threads = 0; ///< 0: all cores
    /// For several processes: this one fills every parts-th cell from `part` on, the others stay without an answer (no
    /// refusal, no figures).
    int part = 0, parts = 1;
    /// solve() when empty, which knows no range of step times: feasible is then what a page calls likely for them.
    std::function<Expected<Solution>(const Plan &)> solver{};
    /// Of the plans' site: where its runs move step times, they choose open layouts, and cells are answered by them.
    /// Empty: all is by the formula.
    validation::RangeOf rangeOf{};
};

/// Prices every cell with oneTBB; the result does not depend on the number of threads. Refuses what
/// check(SweepDocument) refuses, unknown figures and cost models, an axis over training.microbatch_count where cells
/// search (field "search"), and Cancelled after a stop request (within one cell's time). A cell that a model or the
/// domain refuses, or in which a library throws, is part of the result with its error. With another cost model than the
/// plan's own, edited assumptions that it does not know are left out, and the cell says so. Where the document
/// searches, each cell is the plan with its best layout; where its plan leaves the layout open, with the recommended
/// one. A cell without a feasible layout has the one that comes closest, and says what it misses.
[[nodiscard]] Expected<SweepResult> runSweep(
    const SweepDocument &document, const Catalog &catalog, const SweepOptions &options = {});

/// The settings of a cell: those of its point on each axis.
[[nodiscard]] std::vector<SweepSetting> settingsOf(const SweepDocument &document, std::size_t row, std::size_t column);

/// The best feasible cell of a cost model by the figure, the first of equals; nothing when the figure has no better or
/// worse, or no feasible cell has it. With `column` only the cells of that point of the second axis count.
[[nodiscard]] const SweepCell *bestCell(const SweepResult &result, const ChosenFigure &figure, std::size_t model,
    std::optional<std::size_t> column = std::nullopt);

/// "Best MFU: 41.2 % at TP 8, PP 4." or why there is none; with the cost model's id where there are several.
[[nodiscard]] std::string describeBest(const SweepDocument &document, const SweepResult &result,
    const ChosenFigure &figure, std::size_t model, const Catalog &catalog);
/// "Best TP x PP for each Fabric: 8 x 2 (66.1 %) with 100 GbE, 8 x 2 (69.4 %) with InfiniBand NDR; the best TP x PP is
/// the same for each." Empty without a second axis of at most six points.
[[nodiscard]] std::string describeBestOfEach(const SweepDocument &document, const SweepResult &result,
    const ChosenFigure &figure, std::size_t model, const Catalog &catalog);
/// "400 GbE (TCP) gives exactly the MFU of InfiniBand NDR: both have the same port rate, and ..." Empty where no two
/// fabrics of an axis agree in every digit at every point, or nothing known says why.
[[nodiscard]] std::string describeAlikeFabrics(const SweepDocument &document, const SweepResult &result,
    const ChosenFigure &figure, std::size_t model, const Catalog &catalog);
/// "12 of 24 cells are feasible, 2 of them at the likely values only, 3 were refused."
[[nodiscard]] std::string describeFeasibility(const SweepResult &result);
/// Where the project holds measured runs: that cells do not go by them; empty where no cost model of the sweep does.
[[nodiscard]] std::string describeFormulaAlone(const SweepResult &result);

/// Where a figure passes a mark along the first axis.
struct SweepCrossing {
    std::size_t from = 0; ///< last point before
    std::size_t to = 0; ///< first point strictly on the other side
    bool falls = false; ///< from above the mark to below it
    std::optional<double> position; ///< on the axis between the two, by linear interpolation, where the axis is numeric
};
/// Nothing when all known values lie on one side. Refused cells and cells without the figure are skipped.
[[nodiscard]] std::optional<SweepCrossing> findCrossing(const SweepDocument &document, const SweepResult &result,
    std::string_view figure, double mark, std::size_t column, std::size_t model);

/// "Bubble falls below 10 % at Microbatches 64 (linear interpolation puts the crossing at 63)." or that it stays on one
/// side.
[[nodiscard]] std::string describeCrossing(const SweepDocument &document, const SweepResult &result,
    const ChosenFigure &figure, double mark, std::size_t column, std::size_t model, const Catalog &catalog);

} // namespace fleetwright
