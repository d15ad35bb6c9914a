// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/search/layoutsearch.h"
#include "solver/validation/steprange.h"

namespace fleetwright::layoutsearch {

/// One setting of a layout changed, everything else kept.
struct Change {
    LayoutSearchOption option = LayoutSearchOption::Tp;
    int value = 0; ///< as LayoutSearchSpace holds it
    Layout layout;
    std::optional<Row> row; ///< where it is feasible
    std::optional<Exclusion> excluded; ///< else why not
    double memoryBytes = 0; ///< NaN where unknown or illegal
    double stepSeconds = 0; ///< likewise; also of layouts that break a limit
};

/// What each single change of the layout's settings (virtual stages, microbatch size, ZeRO, recomputation, sequence
/// parallelism) does, in the order of the options and values; the layout itself is not in the list. Refuses as run().
[[nodiscard]] Expected<std::vector<Change>> sensitivity(const Request &request, const Layout &layout, int caseIndex);

/// The best with another split of its case than `taken`, which leaves the memory that a recommendation leaves free: as
/// recommend() has it of the plan. Nothing where none does.
[[nodiscard]] std::optional<Row> rivalOf(
    const Request &request, const Result &result, const Row &taken, const std::stop_token &stop = {});

/// What a layout is held against.
enum class Against : std::uint8_t { Best, Recommended, Another };

/// Why a layout is not `other`: illegal or infeasible with its rule and numbers, or what it loses where, in sentences,
/// which call the other one what `against` says. `chosen` is any layout of the case, also one that the space excludes;
/// its DP is derived anew. Refuses as run().
[[nodiscard]] Expected<std::vector<std::string>> whyNot(
    const Request &request, const Layout &chosen, int caseIndex, const Row &other, Against against = Against::Best);

/// The answer and its reasons with numbers: the best layout, what it gains over the next other split, what limits it,
/// how much room it leaves, what it costs to change a setting, what was excluded and why. The first sentence is the
/// recommendation: Result::recommended(), and then what the best would add. Where nothing is feasible: what binds, by
/// how much, and the nearest that would do; that takes searches of their own, which `stop` ends.
[[nodiscard]] std::vector<std::string> recommendation(
    const Request &request, const Result &result, const std::stop_token &stop = {});

/// Ends the second sentence of a recommendation with validation::formulaAlone where runs of the site move the step of
/// the layout that it names, the first where nothing is feasible and they move the closest, for which `stop` is:
/// searches go by any cost model, and so by the cost model alone. Of a search by step time what plans and decisions
/// take by the runs, which is then said, too; nothing: the same.
std::optional<Layout> sayFormulaAlone(const Request &request, const Result &result, const validation::RangeOf &rangeOf,
    std::vector<std::string> &recommendation, const std::stop_token &stop = {});

/// "96 816 layouts, 12 004 of them feasible. 40 112 infeasible (Needs more memory: ...), ..." without what is zero.
[[nodiscard]] std::string inWords(const Counts &counts);
/// The same without the reasons, in one line.
[[nodiscard]] std::string gistOf(const Counts &counts);

/// Why no layout of the split is feasible, in a few words: how much memory even its thriftiest layout lacks, else the
/// limits that layouts of its case break. Empty where one is.
[[nodiscard]] std::string whyNoneIsFeasible(const Result &result, const Group &group);
/// Why the best layout of the split is not recommended though it is better than what is, in a few words: "Memory: only
/// 3.00 % free". Empty where it is not better.
[[nodiscard]] std::string whyNotTaken(const Result &result, const Group &group);

} // namespace fleetwright::layoutsearch
