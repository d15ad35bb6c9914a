// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "exchange/documents.h"
#include "exchange/textreader.h"
#include "solver/validation/measuredrun.h"

#include <iosfwd>
#include <memory>
#include <optional>

namespace fleetwright::cli {

constexpr std::size_t longestLine = 16UZ * 1024 * 1024;

/// The whole file, or standard input for "-". IoError when it cannot be read, ParseError when it is longer than
/// `limit`. Says on standard error which limits a document names by former keys.
[[nodiscard]] Expected<std::string> readAll(const std::string &path, std::size_t limit);

/// Why the text was refused; where it is no document but a Hugging Face model, that and what takes it instead.
[[nodiscard]] Error orModelInstead(Error refusal, std::string_view text);

/// The plan in a file or on standard input ("-"). Refusals of readAll() and exchange::planFromText().
[[nodiscard]] Expected<PlanDocument> readPlan(const std::string &path);
/// The measured runs in a file or on standard input ("-"); those that the program ships for an empty path. Refusals of
/// readAll() and exchange::measuredRunsFromText(); Cancelled after Ctrl+C.
[[nodiscard]] Expected<validation::RunFile> readMeasuredRuns(const std::string &path);
/// What a project takes from a file or standard input ("-"): measured runs where the name ends in .csv or the first
/// line names the columns of a table of runs, else what exchange::documentFromText() makes of it. Refusals of these.
[[nodiscard]] Expected<exchange::Document> readDocument(const std::string &path);

/// A file or standard input ("-"), line by line, in constant memory.
class LineReader {
public:
    /// IoError when there is no such file or it cannot be opened.
    [[nodiscard]] static Expected<LineReader> open(const std::string &path);
    LineReader(LineReader &&) noexcept;
    LineReader &operator=(LineReader &&) noexcept;
    ~LineReader();

    struct Line {
        std::string_view text; ///< without its end; valid until the next call
        bool tooLong = false; ///< the line is over longestLine and was skipped
        std::size_t number = 0; ///< from 1
    };
    /// The next line that is not blank; nothing at the end. Throws std::ios_base::failure when the disk fails.
    [[nodiscard]] std::optional<Line> next();

private:
    LineReader();
    std::unique_ptr<std::istream> m_file; ///< null for standard input
    std::istream *m_stream = nullptr;
    std::string m_line;
    std::size_t m_number = 0;
};

} // namespace fleetwright::cli
