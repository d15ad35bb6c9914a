// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/commands.h"
#include "units/error.h"

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace CLI {
class Option;
}

namespace fleetwright::cli {

enum class Format { Table, Json, Csv };

/// Where and how a command prints.
struct Output {
    Format format = Format::Table;
    std::string file; ///< empty: standard output
    bool spreadsheets = false; ///< the command writes .xlsx itself
    const CLI::Option *formatOption = nullptr;

    [[nodiscard]] bool isSpreadsheet() const { return file.ends_with(".xlsx"); }
    /// Nobody asked for anything but JSON, which is all that a batch writes.
    [[nodiscard]] bool isJsonOnly() const;
};

/// `--format table|json|csv` and `-o,--output FILE`, as every command that prints has them. The default of the first is
/// what `output` holds; without it, the ending of the file says the format: .txt, .json or .csv.
void addOutputOptions(CLI::App &app, Output &output);

/// Chooses the format that the file's name asks for. UnsupportedValue with the field "--output" when it has none of the
/// known endings or --format says otherwise.
[[nodiscard]] Expected<void> settle(Output &output);

/// Everything that `action` prints. Standard output is itself again afterwards, also when an exception passes.
[[nodiscard]] std::string collected(const std::function<void()> &action);

/// `action`, whose prints go to standard output or, once it is done, as a whole into the file of `output`. A cancelled
/// action and one that printed nothing leave the file as it was. What the file will be refused for is refused first.
[[nodiscard]] Action printing(Output &output, Action action);

/// The parts of printing(), for commands of several processes: the one that writes asks whether it may, since the
/// others may run where its folder is not, and writes.
[[nodiscard]] Expected<void> checkSavable(const Output &output);
[[nodiscard]] ExitStatus printed(const Output &output, const Action &action);

struct Column {
    std::string title; ///< with its unit
    bool rightAligned = false;
    bool isOfNames = false; ///< that people gave, that are sold or typed: the same in every language
};

struct Table {
    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows; ///< as wide as `columns`
};

/// A share under a title that says per cent; the other with its sign.
[[nodiscard]] std::string percent(double share);
[[nodiscard]] std::string signedPercent(double share);

/// Aligned columns under their titles. On a terminal that is narrower, names and sentences wrap; figures never do,
/// and columns that find no room beside each other follow in blocks, each with the first column.
void writeAligned(std::ostream &out, const Table &table);
/// RFC 4180: comma, quotes where needed, lines end with CR LF; what a spreadsheet would run stands behind an
/// apostrophe.
void writeCsv(std::ostream &out, const Table &table);

/// One sentence on standard error; `subject` (a file or a line) goes in front unless empty.
void complain(const std::string &subject, const std::string &sentence);
void complain(const std::string &subject, const Error &error);

/// FileError for files and databases, Cancelled, InvalidInput for everything else.
[[nodiscard]] ExitStatus statusOf(const Error &error);

/// Flushes standard output. What could not be written, as to a full disk, is an error; a reader that closes the pipe
/// has what it wanted.
[[nodiscard]] ExitStatus finishOutput(ExitStatus status);
/// False once standard output takes no more text, so that long batches stop.
[[nodiscard]] bool outputOpen();

} // namespace fleetwright::cli
