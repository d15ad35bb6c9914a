// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "solver/answer/solve.h"

#include <nlohmann/json_fwd.hpp>

namespace fleetwright::exchange {

using Json = nlohmann::ordered_json;

/// Reads a plan document (YAML 1.2 or JSON; JSON is a subset). Unknown and duplicate keys, wrong types and values out
/// of range are refused with the dotted path in Error::field, what was expected in the sentence, and line and column
/// where the text has them. Texts over 4 MiB, nesting over 64 levels, anchors, aliases, tags, several documents, tabs
/// as indentation and invalid UTF-8 are refused (ParseError).
///
/// Required: fleetwright (must be 1), workload, fleet (node, nodes, fabric), training (global_batch, seq_len,
/// precision). Defaults: name "Untitled plan"; cost_model detailed; parallelism tp, pp, cp, ep, virtual_stages 1,
/// zero_stage 0, sequence_parallel false; training microbatch_count 1 (or microbatch_size instead), recompute none,
/// lora false, accumulation_steps 1, token_budget as the workload publishes; fleet oversubscription and topology as the
/// fabric's, facility and grid none, name empty. Constraints that are absent do not limit; assumptions that are absent
/// have their cost model's default. Limits with former keys are read, see formerLimitKeys(). A null is not a default:
/// it is refused. workload, fleet.node and fleet.fabric are catalog ids or objects with the catalog's field names.
[[nodiscard]] Expected<PlanDocument> planFromText(std::string_view text);
/// The same rules on a parsed object, which cannot name lines.
[[nodiscard]] Expected<PlanDocument> planFromJson(const Json &json);
/// Writes every key that has a value, defaults included; planFromJson reads it back as an equal document.
[[nodiscard]] Json planToJson(const PlanDocument &document);
/// The constraints with the keys and units that the first documents gave them: what hashes of inputs hold, so that a
/// result stays fresh when a key is renamed.
[[nodiscard]] Json constraintsAsHashed(const Constraints &constraints);
/// A sentence for each limit that a text names by a former key, of constraints or of what a sweep varies. Nothing for a
/// text that cannot be read.
[[nodiscard]] std::vector<std::string> formerKeyNotices(std::string_view text);
[[nodiscard]] std::string planToYaml(const PlanDocument &document);

[[nodiscard]] Json fleetToJson(const FleetDocument &document);
[[nodiscard]] Expected<FleetDocument> fleetFromJson(const Json &json, const std::string &path = "fleet");

/// SHA-256 over the canonical JSON of everything that the answer depends on: the resolved plan, all assumptions with
/// their effective values, the cost model's id and version. Lower-case hexadecimal. The same inputs give the same hash
/// on every machine.
[[nodiscard]] std::string inputHash(const Plan &plan);
/// Likewise of a document and the plan that it resolves to. Where its layout is open, the question counts and not the
/// layout that was found: the space, and the limits as they are stated.
[[nodiscard]] std::string inputHash(const PlanDocument &document, const Plan &resolved);

/// The `estimate` object of the command line: times in seconds, memory in bytes, rates per second, shares of one.
/// Figures that the model does not produce are absent, never zero; so is `feasible` where nothing is broken but the
/// model knows no memory. A line of `trace` has a `code` only when the constraint is broken, and no `needed` when the
/// figure is unknown; `unit` is the base unit of both.
[[nodiscard]] Json solutionToJson(const Solution &solution, const Plan &plan);
[[nodiscard]] Json errorToJson(const Error &error);

} // namespace fleetwright::exchange
