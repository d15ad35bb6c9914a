// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/plandocuments.h"
#include "solver/sweep/goalseek.h"

namespace fleetwright::exchange {

/// What a sweep found, as projects keep it:
///     {"cost_models": [{"id", "version"}], "points": [3, 2], "figures": ["step_time_s", ...],
///      "cells": [{"point": [0, 1], "cost_model": 0, "ok": true, "feasible": false, "values": [1.5, null, ...],
///      "problems": [...], "notices": [...], "only_likely": true where it is},
///                {"point": [1, 0], "cost_model": 0, "ok": false, "error": {"code", "field", "message"}}, ...]}
/// Cells stand in the order of SweepResult; values in base units in the order of figures, null where the model gives
/// none. Figures that no cell has are left out.
///
/// With the document that it answers, so that it can be shown rightly after the sweep was edited:
///     {"sweep": {...}, "result": {...}}
struct SweepRun {
    SweepDocument document;
    SweepResult result;
};
[[nodiscard]] std::string runToText(const SweepDocument &document, const SweepResult &result);
/// ParseError when the text is no such run, or the result not one of the document: another number of points, cells out
/// of order, wrong types.
[[nodiscard]] Expected<SweepRun> runFromText(std::string_view text);

/// A result for people and programs that have no document beside it: cells carry their settings and the names of their
/// figures.
[[nodiscard]] Json sweepAnswerToJson(const SweepDocument &document, const SweepResult &result, const Catalog &catalog);

/// {"key", "unit", "figure", "target", "from", "to", "outcome", "monotone", "target_reached", "gap" where values
/// between "found" and "neighbour" were not tried, "now", "found", "neighbour", "feasible", "tried": [...]}, each point
/// {"value", "figure", "ok", "feasible", "only_likely" where it is, "missed", "layout"} or {"value", "ok": false,
/// "error"}. Values of the key are in its unit, the figure in base units.
[[nodiscard]] Json seekAnswerToJson(const SeekAnswer &answer);

} // namespace fleetwright::exchange
