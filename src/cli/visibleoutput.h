// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <ostream>
#include <streambuf>
#include <string>

namespace fleetwright::cli {

/// While it lives, what goes to the stream shows the characters that a terminal would obey or hide instead
/// (units/visibletext.h): names from older projects, file names, words of a refused file. In JSON the escapes mean the
/// same characters. Everything that a command prints passes here, whichever of them prints it; a table for another
/// program, which knows no such escapes, as it is unless it goes to a terminal.
class VisibleOutput : public std::streambuf {
public:
    explicit VisibleOutput(std::ostream &stream);
    ~VisibleOutput() override;
    VisibleOutput(const VisibleOutput &) = delete;
    VisibleOutput &operator=(const VisibleOutput &) = delete;

    /// What standard output takes from now on is data: unchanged, except on a terminal.
    static void setData(bool data);
    /// How wide the terminal is that standard output goes to; nothing for a file, a pipe and text that is collected.
    [[nodiscard]] static std::optional<std::size_t> columns();

private:
    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char *text, std::streamsize size) override;
    int sync() override;
    /// Passes on what is complete; all of it at the end.
    bool pass(bool all);

    std::ostream &m_stream;
    std::streambuf *m_terminal;
    bool m_unchanged = false;
    std::string m_waiting; ///< what cannot be judged before its successor is there
};

} // namespace fleetwright::cli
