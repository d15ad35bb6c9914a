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
/// program, which knows no such escapes, as it is unless it goes to a terminal. Lines for people come in their language
/// (text/localized.h), and wrapped where standard output is a terminal.
class VisibleOutput : public std::streambuf {
public:
    explicit VisibleOutput(std::ostream &stream);
    ~VisibleOutput() override;
    VisibleOutput(const VisibleOutput &) = delete;
    VisibleOutput &operator=(const VisibleOutput &) = delete;

    /// What standard output takes from now on is data: unchanged, except on a terminal.
    static void setData(bool data);
    /// Whether standard output takes words for people, which it does unless somebody says otherwise, or text that is
    /// the same in every language: JSON, scripts, what is in its language already. Says what was before.
    static bool setWords(bool words);
    /// Why standard output did not take what it was given, as errno: of the first write that failed, and 0 where none
    /// did or nobody knows.
    [[nodiscard]] static int failure();
    /// How wide the terminal is that standard output goes to: as COLUMNS says, else as it says itself. Nothing for a
    /// file, a pipe and text that is collected.
    [[nodiscard]] static std::optional<std::size_t> columns();

private:
    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char *text, std::streamsize size) override;
    int sync() override;
    /// Passes on what is complete; all of it at the end.
    bool pass(bool all);
    [[nodiscard]] bool translates() const;
    /// How wide lines for people may be; nothing where they stay as long as they are.
    [[nodiscard]] std::optional<std::size_t> room() const;
    [[nodiscard]] bool takesLines() const { return translates() || room(); }

    std::ostream &m_stream;
    std::streambuf *m_terminal;
    /// Remembers why the terminal refused.
    bool put(std::string_view text);

    bool m_unchanged = false, m_words = true;
    int m_failure = 0;
    std::string m_waiting; ///< what cannot be judged before its successor is there
};

/// While it lives, standard output passes words as they are.
class WordsAsTheyAre {
public:
    WordsAsTheyAre() : m_before(VisibleOutput::setWords(false)) { }
    ~WordsAsTheyAre() { VisibleOutput::setWords(m_before); }
    WordsAsTheyAre(const WordsAsTheyAre &) = delete;
    WordsAsTheyAre &operator=(const WordsAsTheyAre &) = delete;

private:
    bool m_before;
};

/// Each line of a text for people in their language.
[[nodiscard]] std::string linesInLanguage(std::string_view text);

} // namespace fleetwright::cli
