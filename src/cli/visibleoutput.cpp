// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/visibleoutput.h"

#include "cli/displaywidth.h"
#include "text/localized.h"
#include "units/visibletext.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <utility>
#if defined(__unix__) || defined(__APPLE__)
#include <sys/ioctl.h>
#include <unistd.h>
#endif

namespace fleetwright::cli {

namespace {

/// Where nobody can tell it may be one.
bool outputIsTerminal()
{
#if defined(__unix__) || defined(__APPLE__)
    return isatty(STDOUT_FILENO) == 1;
#else
    return true;
#endif
}

std::optional<std::size_t> columnsOfTerminal()
{
    if (const char *stated = std::getenv("COLUMNS")) {
        const std::string_view text = stated;
        std::size_t columns = 0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), columns);
        if (problem == std::errc() && end == text.data() + text.size() && columns > 0)
            return columns;
    }
#if defined(__unix__) || defined(__APPLE__)
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
#endif
    return std::nullopt;
}

bool isPlainText(std::string_view text)
{
    return std::ranges::all_of(text, [](char c) { return (c >= ' ' && c < 0x7F) || c == '\n' || c == '\t'; });
}

/// Where the last character of the text starts.
std::size_t lastCharacter(std::string_view text)
{
    constexpr std::size_t longest = 4;
    for (std::size_t length = 1; length <= std::min(longest, text.size()); ++length)
        if ((static_cast<unsigned char>(text[text.size() - length]) & 0xC0U) != 0x80U)
            return text.size() - length;
    return text.empty() ? 0 : text.size() - 1;
}

bool endsInJoiner(std::string_view text) { return text.ends_with("\u200C") || text.ends_with("\u200D"); }

/// Bytes at the end that cannot be judged yet: half a character, the first half of CR LF, or joiners with what they
/// join.
std::size_t openEnd(std::string_view text)
{
    if (text.empty())
        return 0;
    auto at = lastCharacter(text);
    const auto last = text.substr(at);
    if (firstCharacter(last) != 0 && last != "\r")
        at = text.size();
    if (endsInJoiner(text.substr(0, at))) {
        while (endsInJoiner(text.substr(0, at)))
            at = lastCharacter(text.substr(0, at));
        at = lastCharacter(text.substr(0, at));
    }
    return text.size() - at;
}

} // namespace

VisibleOutput::VisibleOutput(std::ostream &stream) : m_stream(stream), m_terminal(stream.rdbuf(this)) { }

VisibleOutput::~VisibleOutput()
{
    pass(true);
    m_stream.rdbuf(m_terminal);
}

void VisibleOutput::setData(bool data)
{
    auto *output = dynamic_cast<VisibleOutput *>(std::cout.rdbuf());
    if (!output)
        return;
    if (!output->pass(true))
        std::cout.setstate(std::ios::badbit);
    output->m_unchanged = data && !outputIsTerminal();
}

std::optional<std::size_t> VisibleOutput::columns()
{
    if (!dynamic_cast<VisibleOutput *>(std::cout.rdbuf()) || !outputIsTerminal())
        return std::nullopt;
    return columnsOfTerminal();
}

bool VisibleOutput::setWords(bool words)
{
    auto *output = dynamic_cast<VisibleOutput *>(std::cout.rdbuf());
    if (!output)
        return true;
    if (output->m_words != words && !output->pass(true))
        std::cout.setstate(std::ios::badbit);
    return std::exchange(output->m_words, words);
}

bool VisibleOutput::translates() const { return m_words && !m_unchanged && language() != Language::English; }

std::optional<std::size_t> VisibleOutput::room() const
{
    return m_words && !m_unchanged && &m_stream == &std::cout ? columns() : std::nullopt;
}

std::string linesInLanguage(std::string_view text)
{
    std::string lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        lines += localized(text.substr(0, end)).toStdString();
        if (end < text.size())
            lines += '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

namespace {

std::string wrappedLines(std::string_view text, std::size_t columns)
{
    std::string lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        std::string_view gap;
        for (const auto &line : wrappedSentence(std::string(text.substr(0, end)), columns)) {
            lines.append(gap).append(line);
            gap = "\n";
        }
        if (end < text.size())
            lines += '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

} // namespace

bool VisibleOutput::pass(bool all)
{
    auto open = all ? 0 : openEnd(m_waiting);
    if (takesLines() && !all) // sentences are known as a whole
        open = m_waiting.size() - (m_waiting.rfind('\n') + 1);
    const auto ready = std::string_view(m_waiting).substr(0, m_waiting.size() - open);
    auto shown = translates() ? visibleText(linesInLanguage(ready)) : visibleText(ready);
    if (const auto columns = room())
        shown = wrappedLines(shown, *columns);
    m_waiting.erase(0, m_waiting.size() - open);
    return put(shown);
}

bool VisibleOutput::put(std::string_view text)
{
    errno = 0;
    const bool taken = m_terminal->sputn(text.data(), std::streamsize(text.size())) == std::streamsize(text.size());
    if (!taken && m_failure == 0)
        m_failure = errno;
    return taken;
}

int VisibleOutput::failure()
{
    const auto *output = dynamic_cast<const VisibleOutput *>(std::cout.rdbuf());
    return output ? output->m_failure : 0;
}

std::streamsize VisibleOutput::xsputn(const char *text, std::streamsize size)
{
    const std::string_view whole(text, std::size_t(size));
    if (m_unchanged || (m_waiting.empty() && !takesLines() && isPlainText(whole)))
        return put(whole) ? size : 0;
    m_waiting += whole;
    return pass(false) ? size : 0;
}

VisibleOutput::int_type VisibleOutput::overflow(int_type character)
{
    if (traits_type::eq_int_type(character, traits_type::eof()))
        return traits_type::not_eof(character);
    const char one = traits_type::to_char_type(character);
    return xsputn(&one, 1) == 1 ? character : traits_type::eof();
}

int VisibleOutput::sync()
{
    errno = 0;
    const int failed = m_terminal->pubsync();
    if (failed != 0 && m_failure == 0)
        m_failure = errno;
    return failed;
}

} // namespace fleetwright::cli
