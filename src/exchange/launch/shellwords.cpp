// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/shellwords.h"

#include "exchange/textreader.h"

#include <QUtf8StringView>

#include <algorithm>
#include <map>
#include <utility>

namespace fleetwright::exchange {

namespace {

constexpr std::size_t mostShellWords = 20'000;
constexpr std::size_t longestShellWord = 64UZ * 1024;
constexpr std::size_t mostShellBytes = 4 * longestDocument; ///< with what variables put in

bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isNamePart(char c) { return isNameStart(c) || (c >= '0' && c <= '9'); }
bool isShellBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// "NAME" or "NAME+" before the "=" of an assignment; empty where the word is none.
std::string_view assignedName(std::string_view word)
{
    std::size_t at = 0;
    if (word.empty() || !isNameStart(word.front()))
        return {};
    while (at < word.size() && isNamePart(word[at]))
        ++at;
    if (at < word.size() && word[at] == '+')
        ++at;
    return at < word.size() && word[at] == '=' ? word.substr(0, at) : std::string_view();
}

class ShellReader {
public:
    explicit ShellReader(std::string_view text) : m_text(text) { }

    Expected<std::vector<ShellCommand>> read()
    {
        while (m_at < m_text.size() && !m_error)
            readNext();
        endStatement();
        if (m_error)
            return std::unexpected(*m_error);
        if (m_commands.empty())
            takeLists();
        return std::move(m_commands);
    }

private:
    void fail(std::string sentence, std::size_t line)
    {
        if (!m_error)
            m_error = Error{ErrorCode::ParseError, "", sentence + " (line " + std::to_string(line) + ")"};
    }

    [[nodiscard]] bool startsWith(std::string_view what) const { return m_text.substr(m_at).starts_with(what); }
    void step()
    {
        if (m_text[m_at] == '\n')
            ++m_line;
        ++m_at;
    }
    void skip(std::size_t count)
    {
        for (; count > 0 && m_at < m_text.size(); --count)
            step();
    }

    /// A backslash before the end of a line.
    bool continuesLine()
    {
        const std::size_t length = startsWith("\\\n") ? 2 : startsWith("\\\r\n") ? 3 : 0;
        skip(length);
        return length > 0;
    }

    void skipComment()
    {
        while (m_at < m_text.size() && m_text[m_at] != '\n')
            ++m_at;
    }

    void readNext()
    {
        const char c = m_text[m_at];
        if (isShellBlank(c)) {
            ++m_at;
        } else if (continuesLine()) {
        } else if (c == '#') {
            skipComment();
        } else if (c == '<' || c == '>') {
            skipRedirection();
        } else if (c == '\n' || c == ';' || c == '|' || c == '&' || c == '(' || c == ')') {
            step();
            endStatement();
        } else {
            readWord();
        }
    }

    void skipRedirection()
    {
        auto &words = m_statement;
        if (m_at > 0 && !words.empty() && !isShellBlank(m_text[m_at - 1])
            && std::ranges::all_of(words.back().text, [](char c) { return c >= '0' && c <= '9'; }))
            words.pop_back(); // the 2 of 2>&1
        while (m_at < m_text.size() && (m_text[m_at] == '<' || m_text[m_at] == '>' || m_text[m_at] == '&'))
            ++m_at;
        while (m_at < m_text.size() && isShellBlank(m_text[m_at]))
            ++m_at;
        const auto before = m_statement.size();
        if (m_at < m_text.size() && m_text[m_at] != '\n')
            readWord();
        m_statement.resize(std::min(before, m_statement.size()));
    }

    /// What the word that is being read has so far. A list in it ("${NAME[@]}") makes several of one.
    struct Word {
        std::vector<ShellWord> parts;
        bool begun = false; ///< an empty pair of quotes is a word, too
    };
    static ShellWord &last(Word &word, std::size_t line)
    {
        if (word.parts.empty())
            word.parts.push_back({"", line});
        return word.parts.back();
    }
    void append(Word &word, std::string_view text)
    {
        auto &to = last(word, m_line);
        m_bytes += text.size();
        if (to.text.size() + text.size() > longestShellWord)
            fail("A word is longer than any argument.", m_line);
        else if (m_bytes > mostShellBytes)
            fail("The variables make the text longer than any launch.", m_line);
        else
            to.text += text;
        word.begun = true;
    }

    void readWord()
    {
        Word word;
        const auto line = m_line;
        while (m_at < m_text.size() && !m_error) {
            const char c = m_text[m_at];
            if (isShellBlank(c) || c == '\n' || c == ';' || c == '|' || c == '&' || c == '<' || c == '>' || c == ')')
                break;
            if (c == '(') {
                readList(word);
                break;
            }
            if (continuesLine())
                continue;
            if (c == '\'')
                readSingleQuotes(word);
            else if (c == '"')
                readDoubleQuotes(word);
            else if (c == '$' || c == '`')
                expand(word, false);
            else if (c == '\\' && m_at + 1 < m_text.size()) {
                append(word, m_text.substr(m_at + 1, 1));
                skip(2);
            } else {
                append(word, m_text.substr(m_at, 1));
                step();
            }
        }
        if (!word.begun && word.parts.empty())
            return;
        if (!word.parts.empty())
            word.parts.front().line = line;
        for (auto &part : word.parts)
            m_statement.push_back(std::move(part));
        countWords(word.parts.size());
    }

    void countWords(std::size_t count)
    {
        m_words += count;
        if (m_words > mostShellWords)
            fail("There are more than 20,000 words; this cannot be one launch.", m_line);
    }

    void readSingleQuotes(Word &word)
    {
        const auto line = m_line;
        const auto end = m_text.find('\'', m_at + 1);
        if (end == std::string_view::npos) {
            fail("A quote (') is not closed.", line);
            return;
        }
        append(word, m_text.substr(m_at + 1, end - m_at - 1));
        skip(end + 1 - m_at);
    }

    void readDoubleQuotes(Word &word)
    {
        const auto line = m_line;
        ++m_at;
        bool empty = true;
        while (m_at < m_text.size() && m_text[m_at] != '"' && !m_error) {
            const char c = m_text[m_at];
            if (continuesLine())
                continue;
            if (c == '$' || c == '`') {
                expand(word, true);
                empty = false;
                continue;
            }
            const bool escape = c == '\\' && m_at + 1 < m_text.size()
                && std::string_view("\"\\$`").contains(m_text[m_at + 1]);
            if (escape)
                ++m_at;
            append(word, m_text.substr(m_at, 1));
            step();
            empty = false;
        }
        if (m_at >= m_text.size()) {
            fail("A quote (\") is not closed.", line);
            return;
        }
        ++m_at;
        if (empty)
            append(word, "");
    }

    /// Behind the closing parenthesis of what opens at m_at + from.
    std::size_t endOfParentheses(std::size_t from, char open, char close)
    {
        std::size_t depth = 0;
        for (std::size_t at = m_at + from; at < m_text.size(); ++at) {
            if (m_text[at] == open)
                ++depth;
            else if (m_text[at] == close && --depth == 0)
                return at + 1;
        }
        return std::string_view::npos;
    }

    void markUnknown(Word &word, std::string what)
    {
        auto &to = last(word, m_line);
        word.begun = true;
        if (to.unknown.empty())
            to.unknown = std::move(what);
    }

    /// From a dollar sign or a backtick on.
    void expand(Word &word, bool quoted)
    {
        const auto skipTo = [this](std::size_t end, const char *what) {
            if (end == std::string_view::npos)
                fail(std::string("A ") + what + " is not closed.", m_line);
            else
                skip(end - m_at);
        };
        if (m_text[m_at] == '`') {
            const auto end = m_text.find('`', m_at + 1);
            markUnknown(word, "a command");
            skipTo(end == std::string_view::npos ? end : end + 1, "command in backticks");
        } else if (startsWith("$(")) {
            markUnknown(word, startsWith("$((") ? "$((...))" : "$(...)");
            skipTo(endOfParentheses(1, '(', ')'), "command $(...)");
        } else if (startsWith("${")) {
            const auto end = endOfParentheses(1, '{', '}');
            const auto inner = end == std::string_view::npos ? std::string_view()
                                                             : m_text.substr(m_at + 2, end - m_at - 3);
            skipTo(end, "variable ${...}");
            if (end != std::string_view::npos)
                expandVariable(word, inner, quoted);
        } else if (m_at + 1 < m_text.size()
            && (isNamePart(m_text[m_at + 1]) || std::string_view("@*#?$!").contains(m_text[m_at + 1]))) {
            auto end = m_at + 2;
            if (isNameStart(m_text[m_at + 1]))
                while (end < m_text.size() && isNamePart(m_text[end]))
                    ++end;
            const auto name = m_text.substr(m_at + 1, end - m_at - 1);
            m_at = end;
            expandVariable(word, name, quoted);
        } else {
            append(word, "$");
            ++m_at;
        }
    }

    /// NAME, NAME[@], NAME:-word and so on.
    void expandVariable(Word &word, std::string_view inner, bool quoted)
    {
        if (inner == "@" || inner == "*")
            return; // what is passed on is passed by whoever starts the script
        std::size_t end = 0;
        while (end < inner.size() && isNamePart(inner[end]))
            ++end;
        const auto name = inner.substr(0, end);
        auto rest = inner.substr(end);
        const bool list = rest == "[@]" || rest == "[*]";
        const auto found = m_variables.find(name);
        if (found != m_variables.end() && (rest.empty() || list)) {
            insert(word, found->second, quoted && !list);
            return;
        }
        if (rest.starts_with(":-") || rest.starts_with("-") || rest.starts_with(":=")) {
            if (found != m_variables.end())
                insert(word, found->second, quoted);
            else if (const auto fallback = rest.substr(rest.starts_with(":") ? 2 : 1); !fallback.contains('$'))
                append(word, fallback);
            else
                markUnknown(word, std::string(name));
            return;
        }
        if (found != m_variables.end() && rest.starts_with(":?")) {
            insert(word, found->second, quoted);
            return;
        }
        if (list)
            return; // a list that nothing fills is empty
        markUnknown(word, name.empty() ? "${...}" : std::string(name));
    }

    void insert(Word &word, const std::vector<ShellWord> &values, bool asOne)
    {
        bool first = true;
        for (const auto &value : values) {
            if (!first && asOne)
                append(word, " ");
            else if (!first)
                word.parts.push_back({"", m_line});
            if (asOne || !value.unknown.empty()) {
                append(word, value.text);
            } else {
                splitInto(word, value.text);
            }
            if (!value.unknown.empty())
                markUnknown(word, value.unknown);
            first = false;
            if (word.parts.size() > mostShellWords)
                fail("There are more than 20,000 words; this cannot be one launch.", m_line);
            if (m_error)
                return;
        }
    }

    /// Without quotes the shell makes words of a value at its blanks.
    void splitInto(Word &word, std::string_view text)
    {
        bool any = false;
        std::size_t at = 0;
        while (at < text.size()) {
            while (at < text.size() && (isShellBlank(text[at]) || text[at] == '\n'))
                ++at;
            auto end = at;
            while (end < text.size() && !isShellBlank(text[end]) && text[end] != '\n')
                ++end;
            if (end > at) {
                if (any)
                    word.parts.push_back({"", m_line});
                append(word, text.substr(at, end - at));
                any = true;
            }
            if (word.parts.size() > mostShellWords) {
                fail("There are more than 20,000 words; this cannot be one launch.", m_line);
                return;
            }
            at = end;
        }
    }

    /// NAME=( ... ), from the parenthesis on.
    void readList(Word &word)
    {
        const auto line = m_line;
        const auto name = word.parts.empty() ? std::string_view() : assignedName(word.parts.front().text);
        if (name.empty() || word.parts.size() != 1 || word.parts.front().text.size() != name.size() + 1) {
            step(); // a group of commands, or a function: its words stand on their own
            return;
        }
        if (std::exchange(m_inList, true)) {
            fail("A list stands within a list.", line);
            return;
        }
        const std::string to(name);
        word.parts.clear();
        word.begun = false;
        step();
        auto outer = std::exchange(m_statement, {});
        while (m_at < m_text.size() && m_text[m_at] != ')' && !m_error) {
            const char c = m_text[m_at];
            if (isShellBlank(c) || c == '\n' || c == ';' || c == '|' || c == '&' || c == '<' || c == '>' || c == '(')
                step();
            else if (c == '#')
                skipComment();
            else if (!continuesLine())
                readWord();
        }
        if (m_at >= m_text.size())
            fail("A list " + to + "=( is not closed.", line);
        else
            ++m_at;
        m_inList = false;
        assign(to, std::exchange(m_statement, std::move(outer)));
    }

    void assign(std::string_view name, std::vector<ShellWord> words)
    {
        const bool more = name.ends_with('+');
        const std::string key(more ? name.substr(0, name.size() - 1) : name);
        if (!m_variables.contains(key))
            m_order.push_back(key);
        auto &variable = m_variables[key];
        if (!more)
            variable.clear();
        for (auto &word : words)
            variable.push_back(std::move(word));
        if (variable.size() > mostShellWords)
            fail("There are more than 20,000 words; this cannot be one launch.", m_line);
    }

    void endStatement()
    {
        auto words = std::exchange(m_statement, {});
        std::size_t at = 0;
        for (; at < words.size(); ++at) {
            const auto &text = words[at].text;
            if (text == "export" || text == "local" || text == "readonly" || text == "declare" || text == "env")
                continue;
            const auto name = assignedName(text);
            if (name.empty())
                break;
            auto value = words[at];
            value.text.erase(0, name.size() + 1);
            assign(name, {std::move(value)});
        }
        words.erase(words.begin(), words.begin() + std::ptrdiff_t(at));
        if (words.empty() || words.front().text == "echo" || words.front().text == "printf")
            return;
        if (std::ranges::any_of(words, [](const ShellWord &word) { return word.text.starts_with("--"); }))
            m_commands.push_back({std::move(words)});
    }

    /// No command passes options: what lists and variables hold.
    void takeLists()
    {
        ShellCommand all;
        for (const auto &name : m_order) {
            Word word;
            insert(word, m_variables[name], false);
            if (std::ranges::any_of(word.parts, [](const ShellWord &part) { return part.text.starts_with("--"); }))
                std::ranges::move(word.parts, std::back_inserter(all.words));
        }
        if (!all.words.empty())
            m_commands.push_back(std::move(all));
    }

    std::string_view m_text;
    std::size_t m_at = 0, m_line = 1, m_words = 0, m_bytes = 0;
    bool m_inList = false;
    std::vector<ShellWord> m_statement;
    std::map<std::string, std::vector<ShellWord>, std::less<>> m_variables;
    std::vector<std::string> m_order;
    std::vector<ShellCommand> m_commands;
    std::optional<Error> m_error;
};

} // namespace

Expected<std::vector<ShellCommand>> shellCommands(std::string_view text)
{
    if (text.size() > longestDocument)
        return refuseTooLong(longestDocument);
    if (!QUtf8StringView(text.data(), qsizetype(text.size())).isValidUtf8() || text.contains('\0'))
        return refuse(ErrorCode::ParseError, "", "This is no text in UTF-8; save it with that encoding.");
    return ShellReader(text).read();
}

} // namespace fleetwright::exchange
