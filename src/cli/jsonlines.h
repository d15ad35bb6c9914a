// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/input.h"
#include "cli/output.h"

#include <nlohmann/json.hpp>

namespace fleetwright::cli {

using Json = nlohmann::ordered_json;

inline constexpr const char *batchSentence =
    "A batch answers in JSON Lines; leave --format out and let the output end in .jsonl or .json.";

/// The document on standard output; what is not UTF-8 in it is replaced.
void printJson(const Json &json);

/// {"id", "ok": false, "error": {"code", "field", "message"}}
[[nodiscard]] Json refusal(const Json &id, const Error &error);

/// The `id` of a request: null when absent. Only texts and numbers are ids; others are UnsupportedValue.
[[nodiscard]] Expected<Json> idOf(const Json &request);

/// Reads one request per line and writes one answer per line in the same order. A line that cannot be read, or that
/// `answer` refuses, gets an answer that says so, and the batch goes on. InvalidInput only when there was not a single
/// line. `answer` gets the request and returns the members that follow "id" and "ok": true.
[[nodiscard]] ExitStatus answerLines(
    const std::string &path, const std::function<Expected<Json>(const Json &request)> &answer);

} // namespace fleetwright::cli
