// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/commands.h"
#include "units/error.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace fleetwright::cli {

enum class Format { Table, Json, Csv };

/// `--format table|json|csv`; the default is what `format` holds.
void addFormatOption(CLI::App &app, Format &format);

struct Column {
    std::string title; ///< with its unit
    bool rightAligned = false;
};

struct Table {
    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows; ///< as wide as `columns`
};

/// Aligned columns under their titles.
void writeAligned(std::ostream &out, const Table &table);
/// RFC 4180: comma, quotes where needed, lines end with CR LF.
void writeCsv(std::ostream &out, const Table &table);

/// One sentence on standard error; `subject` (a file or a line) goes in front unless empty.
void complain(const std::string &subject, const std::string &sentence);
void complain(const std::string &subject, const Error &error);

/// FileError for files and databases, Cancelled, InvalidInput for everything else.
[[nodiscard]] ExitStatus statusOf(const Error &error);

/// Flushes standard output. A reader that closed the pipe has had enough, which is no error; a full disk is.
[[nodiscard]] ExitStatus finishOutput(ExitStatus status);
/// False once standard output takes no more text, so that long batches stop.
[[nodiscard]] bool outputOpen();

} // namespace fleetwright::cli
