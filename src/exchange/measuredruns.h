// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/measuredrun.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <stop_token>
#include <string_view>

/// Files of measured runs. Field names are those of resources/validation/measured_runs.json, which describes each;
/// resources/handbook/validation.md lists them.
namespace fleetwright::exchange {

/// How a long file is watched while it is read. Both are looked at a thousand times or so in the file.
struct RunReading {
    std::stop_token stop{}; ///< the reader then answers Cancelled
    std::function<void(std::size_t done, std::size_t total)> progress{}; ///< bytes, on the reading thread; may be empty
    bool stored = false; ///< a row of a project, whose texts are taken as they are: hidden characters, too
};

/// {"schema", "runs": [...]} or the bare list. Unknown keys are tolerated and dropped, null is as good as absent, and a
/// row's source takes what it lacks from "schema.sources". A row that is no run, or whose texts but for the notes hold
/// characters that nobody sees (units/visibletext.h), is listed in RunFile::unread, with
/// MissingField, UnsupportedValue (another type) or OutOfRange, "runs[3].model.layers" as field and the id of the row
/// in the sentence. Refused as a whole: broken JSON (ParseError), an object without "runs" (MissingField), "runs" that
/// is no list (UnsupportedValue).
[[nodiscard]] Expected<validation::RunFile> measuredRunsFromJson(std::string_view text, const RunReading &reading = {});

/// RFC 4180 with one line of column names: the field names with dots for nesting ("model.layers",
/// "measured.iteration_time_s"). The separator is whichever of comma, semicolon and tab the first line uses. Empty
/// cells are absent; columns that no field has are dropped, unless they look like a slip of the pen. A list (overlap,
/// inferred_config) is separated by blanks. Rows are listed as above, also those with another number of cells or an
/// open quote, and their sentences name the line. Refused as a whole: what is no text, and a first line that does not
/// name the columns. Takes time and memory in proportion to the text.
[[nodiscard]] Expected<validation::RunFile> measuredRunsFromCsv(std::string_view text, const RunReading &reading = {});

/// JSON where the text starts with a brace or bracket, else CSV.
[[nodiscard]] Expected<validation::RunFile> measuredRunsFromText(std::string_view text, const RunReading &reading = {});

/// A table of two runs with the fewest columns that a dense model needs, to be filled in.
[[nodiscard]] std::string_view exampleRunTable();

/// Whether the text is a table of runs by its first line: names between separators, and one of them is "id". So are
/// tables told from documents where no file name says it.
[[nodiscard]] bool looksLikeRunTable(std::string_view text);

/// What measuredRunsFromJson() reads back as an equal file, but for the rows that could not be read.
[[nodiscard]] nlohmann::ordered_json measuredRunsToJson(const validation::RunFile &file);

/// The published runs that come with the program. Read on the first call, then kept; any thread may call.
[[nodiscard]] const Expected<validation::RunFile> &shippedMeasuredRuns();

} // namespace fleetwright::exchange
