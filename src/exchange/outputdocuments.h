// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/outputset.h"
#include "exchange/plandocuments.h"

namespace fleetwright::exchange {

/// Reads an output set (YAML 1.2 or JSON) as strictly as plans are read: unknown and duplicate keys, wrong types and
/// values out of range are refused with the dotted path in Error::field and line and column in the sentence.
///
///     fleetwright: 1
///     outputs: Board paper
///     files: [board.pdf, workbook.xlsx, tables/]  # relative to the project's folder; a folder of CSV ends in "/"
///     audience: board                             # finance, technical
///     sections: [answer, comparison]              # optional, as all that follows: those of the audience
///     decision: 70B in 30 days                    # by name; the first of the project
///     plans: [70B on B200]                        # by name; all
///     title: ...
///     author: ...
///     organisation: ...
///     logo: iVBORw0KGgo...                        # PNG, base64
///     paper: a4                                   # letter
///     profile: pdf/a-3b                           # pdf/a-1b
///     language: en
///     date: 2026-12-01                            # the day on which it is written
[[nodiscard]] Expected<OutputSet> outputSetFromText(std::string_view text);
/// The same rules on a parsed object, which cannot name lines.
[[nodiscard]] Expected<OutputSet> outputSetFromJson(const Json &json);
/// outputSetFromJson reads it back as an equal set.
[[nodiscard]] Json outputSetToJson(const OutputSet &set);
[[nodiscard]] std::string outputSetToYaml(const OutputSet &set);

/// Whether a parsed text is an output set.
[[nodiscard]] bool isOutputSet(const Json &json);

} // namespace fleetwright::exchange
