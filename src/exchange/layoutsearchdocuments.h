// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/layoutsearchdocument.h"
#include "exchange/plandocuments.h"

namespace fleetwright::exchange {

/// Reads a search document (YAML 1.2 or JSON) as strictly as plans are read: unknown and duplicate keys, wrong types
/// and values out of range are refused with the dotted path in Error::field and line and column in the sentence.
///
///     fleetwright: 1
///     plan: {...}                             # a plan document; its own `fleetwright` may be left out
///     space:                                  # optional, as each of its keys: every legal value
///       tp: [1, 2, 4, 8]                      # also cp, pp, ep, dp, virtual_stages, microbatch_size, zero_stage
///       pp: 1..64:x2                          # or as people type it
///       recompute: [none, full]
///       sequence_parallel: [true]
///       tp_across_domains: false
///       uneven_chunks: false
///     cases: {key: fleet.nodes, values: [64, 128]}   # optional; any axis of a sweep document
///     cost_model: detailed                    # optional: the plan's own
///     objective: step_time                    # optional
///     pareto: [step_time, memory]             # optional
///     rows: 1000                              # optional: best layouts to keep
[[nodiscard]] Expected<LayoutSearchDocument> layoutSearchFromText(std::string_view text);
/// The same rules on a parsed object, which cannot name lines.
[[nodiscard]] Expected<LayoutSearchDocument> layoutSearchFromJson(const Json &json);
/// layoutSearchFromJson reads it back as an equal document.
[[nodiscard]] Json layoutSearchToJson(const LayoutSearchDocument &document);

/// Whether a parsed text is a search document: its plan stands inside it, and it is no sweep.
[[nodiscard]] bool isSearch(const Json &json);

/// The object `space`; errors below `path`.
[[nodiscard]] Expected<LayoutSearchSpace> spaceFromJson(const Json &json, const std::string &path = "space");
/// Only what is restricted; empty for every legal layout.
[[nodiscard]] Json spaceToJson(const LayoutSearchSpace &space);

/// SHA-256 over everything that the answer depends on: plan, space, cases, cost model with its version, objective,
/// Pareto axes, rows, and the values of every catalog item that they name. The plan's name and labels do not change it.
/// Lower-case hexadecimal.
[[nodiscard]] std::string layoutSearchInputHash(const LayoutSearchDocument &document, const Catalog &catalog);

} // namespace fleetwright::exchange
