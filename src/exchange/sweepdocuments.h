// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sweepdocument.h"
#include "exchange/plandocuments.h"

namespace fleetwright::exchange {

/// Reads a sweep document (YAML 1.2 or JSON) as strictly as plans are read: unknown and duplicate keys, wrong types and
/// values out of range are refused with the dotted path in Error::field and line and column in the sentence.
///
///     fleetwright: 1
///     sweep: Bubble against microbatches      # the name
///     question: How many microbatches ...     # optional
///     plan: {...}                             # a plan document; its own `fleetwright` may be left out
///     axes:                                   # one or two
///       - {key: training.microbatch_count, values: [1, 2, 4]}
///       - {key: fleet.nodes, range: 1..1024:x2}      # or 1..64:+1
///       - label: Configuration
///         points:
///           - {label: DP only, set: {parallelism.tp: 1, parallelism.pp: 1}}
///     cost_models: [first-order]              # optional: the plan's own
///     figure: bubble_fraction                 # optional: step_time_s
///     view: lines                             # or bars, heat_map; optional: lines
///     mark: 0.1                               # optional: threshold of the figure in its base unit
///     search:                                 # optional: each cell is its best layout, {} for the best of all
///       space: {tp: [1, 2, 4, 8]}             # as in search documents
///       objective: step_time
///
/// The keys are those of sweepKeys() and "assumptions.<key>". An axis may have a label besides key and values.
[[nodiscard]] Expected<SweepDocument> sweepFromText(std::string_view text);
/// The same rules on a parsed object, which cannot name lines.
[[nodiscard]] Expected<SweepDocument> sweepFromJson(const Json &json);
/// sweepFromJson reads it back as an equal document. Ranges are written as their values.
[[nodiscard]] Json sweepToJson(const SweepDocument &document);
[[nodiscard]] std::string sweepToYaml(const SweepDocument &document);

/// SHA-256 over everything that the cells' answers depend on: base plan, axes, search, cost models with their versions,
/// and the values of every catalog item that they name. Name, question, figure, view, mark and labels do not change it.
/// Lower-case hexadecimal.
[[nodiscard]] std::string sweepInputHash(const SweepDocument &document, const Catalog &catalog);

} // namespace fleetwright::exchange
