// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/plandocuments.h"
#include "solver/search/layoutsearch.h"

#include <span>

namespace fleetwright::exchange {

/// A layout and its figures: {"case", "tp", "cp", "pp", "ep", "dp", "virtual_stages", "microbatch_size", "zero_stage",
/// "recompute", "sequence_parallel"} under the names of the search's space, and rowFigures() at the paths of their
/// keys. Figures that the cost model or the case does not know are absent.
[[nodiscard]] Json layoutSearchRowToJson(const layoutsearch::Row &row, const layoutsearch::CaseFacts &facts);
/// {"candidates", "feasible", "infeasible", "illegal", "excluded": {reason: number, ...}}, reasons as
/// toString(Exclusion), those of zero left out.
[[nodiscard]] Json layoutSearchCountsToJson(const layoutsearch::Counts &counts);

/// A whole answer as one JSON object, each row on a line of its own:
///     {"search": the search document, "input_hash", "cost_model": {"id", "version"}, "recommendation": [sentences],
///      "cases": [{"label", "set", "items": {"workload": {"id", "name", "sources": [{"title", "url", "confidence"}]},
///      ...}, "accelerators",
///                 "global_batch", "tokens_per_step", "memory": {"capacity_bytes", "limit_bytes"}, "cost_usd_per_s",
///                 "counts" or, where the cost model refuses the case, "error"}],
///      "counts", "best": row or null, "recommended": row or null (see solver/search/recommendation.h), "rows": [...],
///      "groups": [{"case", "tp", ..., "feasible", "infeasible", "least_memory_bytes", "best"}], "front": [...]}
/// `document` is the one that was searched; what it leaves open stands in it as it is. The members of `more` follow the
/// recommendation.
[[nodiscard]] std::string layoutSearchAnswerToJson(const LayoutSearchDocument &document,
    const layoutsearch::Result &result, const Catalog &catalog, std::span<const std::string> recommendation = {},
    const Json *more = nullptr);

/// The kept layouts, best first, one a line under the keys of layoutSearchRowToJson; `rank` counts from 1, the case
/// stands with its label. RFC 4180.
[[nodiscard]] std::string layoutSearchRowsToCsv(const layoutsearch::Result &result);
/// The same of other rows, such as the Pareto front's.
[[nodiscard]] std::string layoutSearchRowsToCsv(
    std::span<const layoutsearch::Row> rows, const layoutsearch::Result &result);
/// Every legal split with its numbers of layouts and, where one is feasible, its best.
[[nodiscard]] std::string layoutSearchGroupsToCsv(const layoutsearch::Result &result);

/// The published format of the searcher for one case: {"dp, tp, pp": "12.3456ms/iter", ...}, the shortest step of each
/// (dp, tp, pp), in their ascending order, on one line without an end of line. UnsupportedValue "objective" when the
/// groups are not ranked by time, "cost_model" when the model knows none.
[[nodiscard]] Expected<std::string> searchToSearcherFormat(const layoutsearch::Result &result, int caseIndex = 0);

} // namespace fleetwright::exchange
