// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/studydocument.h"

#include <nlohmann/json_fwd.hpp>

namespace fleetwright::exchange {

using Json = nlohmann::ordered_json;

/// Reads a study (YAML 1.2 or JSON) as strictly as planFromText() reads plans: the first fault is refused with the path
/// of the key
/// ("steps[2].choices[0].reply"), a sentence, and line and column. What it reads has passed check().
///
/// Required: fleetwright (must be 1), id, title, summary, steps; of every step id, kind, title, and text where its kind
/// needs one. Defaults: context data-parallel; a choice's right false; a control that `start` leaves out stands where
/// the instrument's own default is. Keys by kind: predict has choices (id, text, reply, right); instrument has
/// instrument ("dp-wall" or "cube"), unlocked_by, start and movable; reveal has of; takeaways has points.
[[nodiscard]] Expected<StudyDocument> studyFromText(std::string_view text);
/// The same rules on a parsed object, which cannot name lines.
[[nodiscard]] Expected<StudyDocument> studyFromJson(const Json &json);
/// Writes every key; studyFromJson reads it back as an equal document.
[[nodiscard]] Json studyToJson(const StudyDocument &document);
[[nodiscard]] std::string studyToYaml(const StudyDocument &document);

/// Keys study, current_step, answers, reflections, settings (with `instrument` in each), finished, ledger_offered.
[[nodiscard]] Expected<StudyProgress> progressFromJson(const Json &json);
[[nodiscard]] Json progressToJson(const StudyProgress &progress);

} // namespace fleetwright::exchange
