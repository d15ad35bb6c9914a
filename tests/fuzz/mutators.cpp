// SPDX-License-Identifier: GPL-3.0-or-later
#include "mutators.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

namespace fleetwright::fuzz {

namespace {

using Range = std::pair<std::size_t, std::size_t>; // [first, second)

constexpr std::array<std::string_view, 44> extremes{"0", "-0", "1", "-1", "2", "3", "7", "64", "1e308", "-1e308",
    "1e-308", "4.9e-324", "1e400", "NaN", "-Infinity", ".inf", "2147483647", "2147483648", "-2147483649", "4294967296",
    "9007199254740993", "9223372036854775807", "-9223372036854775808", "18446744073709551616", "0.1", "1.5",
    "1000000000", "1e15", "1e21", "0x7fffffff", "true", "null", "~", "''", "\"\"", "[]", "{}", "[1, 2]", "auto", "best",
    "2026-02-30", "9999-12-31", "1..1000000", "1..1e9:x2"};
constexpr std::array<std::string_view, 22> oddities{"\x1b[31m", "\\e[31m", "\\u001b", "\xE2\x80\xAE", "\xE2\x80\x8B",
    "\xEF\xBB\xBF", "\xC2\x85", "\x7F", "\xFF", std::string_view("\0", 1), "=1+1", "'", "\"", "\\", "{", "]", ": ",
    "- ", "\t", "\r\n", "&a ", "*a"};

std::vector<Range> linesOf(const std::string &text)
{
    std::vector<Range> lines;
    for (std::size_t from = 0; from < text.size();) {
        const auto end = std::min(text.find('\n', from), text.size() - 1) + 1;
        lines.emplace_back(from, end);
        from = end;
    }
    return lines;
}

bool isWordLetter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-' || c == '+';
}

/// Words and numbers.
std::vector<Range> wordsIn(const std::string &text)
{
    std::vector<Range> words;
    for (std::size_t at = 0; at < text.size();) {
        const auto from = at;
        while (at < text.size() && isWordLetter(text[at]))
            ++at;
        if (at > from)
            words.emplace_back(from, at);
        else
            ++at;
    }
    return words;
}

std::string_view in(const std::string &text, const Range &range)
{
    return std::string_view(text).substr(range.first, range.second - range.first);
}

void replace(std::string &text, const Range &range, std::string_view by)
{
    text.replace(range.first, range.second - range.first, by);
}

/// The words of the inputs, each once: keys, names and values that their reader knows.
const std::vector<std::string> &dictionaryOf(const Target &target)
{
    static std::map<std::string, std::vector<std::string>, std::less<>> read;
    const auto [place, added] = read.try_emplace(target.name);
    if (added) {
        constexpr std::size_t most = 20'000;
        std::set<std::string> found;
        for (const auto &input : inputsOf(target))
            for (const auto &word : wordsIn(input))
                if (found.size() < most)
                    found.emplace(in(input, word));
        place->second.assign(found.begin(), found.end());
    }
    return place->second;
}

std::string wordOf(const Target &target, Random &random)
{
    const auto &words = dictionaryOf(target);
    return words.empty() ? std::string("a") : random.oneOf(words);
}

Range rangeIn(const std::string &text, std::size_t longest, Random &random)
{
    const auto from = random.below(text.size() + 1);
    return {from, from + random.below(std::min(longest, text.size() - from) + 1)};
}

void changeText(std::string &text, const Target &target, Random &random)
{
    constexpr std::size_t longText = 200'000; // so that inputs do not grow from one to the next
    const auto lines = linesOf(text);
    const auto words = wordsIn(text);
    const auto line = lines.empty() ? Range(0, 0) : random.oneOf(lines);
    const auto word = words.empty() ? Range(0, 0) : random.oneOf(words);
    enum Change {
        DropLine,
        DoubleLine,
        SwapLines,
        TakeLine,
        Extreme,
        Word,
        NewKey,
        Splice,
        Byte,
        Odd,
        Cut,
        Drop,
        Repeat,
        Nest,
        SwapWords,
        Changes
    };
    switch (random.below(Changes)) {
    case DropLine: replace(text, line, {}); break;
    case DoubleLine: text.insert(line.first, std::string(in(text, line))); break;
    case SwapLines:
        if (const auto other = lines.empty() ? line : random.oneOf(lines); other.first >= line.second) {
            const std::string first(in(text, line)), second(in(text, other));
            replace(text, other, first);
            replace(text, line, second);
        }
        break;
    case TakeLine: {
        const auto &other = random.oneOf(inputsOf(target));
        const auto theirs = linesOf(other);
        if (!theirs.empty() && text.size() < longText)
            text.insert(line.first, std::string(in(other, random.oneOf(theirs))));
        break;
    }
    case Extreme: replace(text, word, random.oneOf(extremes)); break;
    case Word: replace(text, word, wordOf(target, random)); break;
    case NewKey: {
        const auto shown = in(text, line);
        const auto indent = std::min(shown.find_first_not_of(" -"), shown.size());
        text.insert(line.first,
            std::string(indent, ' ') + wordOf(target, random) + ": " + std::string(random.oneOf(extremes)) + "\n");
        break;
    }
    case Splice: {
        const auto &other = random.oneOf(inputsOf(target));
        text = text.substr(0, random.below(text.size() + 1)) + other.substr(random.below(other.size() + 1));
        break;
    }
    case Byte:
        if (!text.empty())
            text[random.below(text.size())] = static_cast<char>(random.below(256));
        break;
    case Odd: text.insert(random.below(text.size() + 1), random.oneOf(oddities)); break;
    case Cut: text.resize(random.below(text.size() + 1)); break;
    case Drop: replace(text, rangeIn(text, 40, random), {}); break;
    case Repeat: {
        const std::string piece(in(text, rangeIn(text, 200, random)));
        for (auto times = random.below(50); times > 0 && text.size() < longText; --times)
            text.insert(random.below(text.size() + 1), piece);
        break;
    }
    case Nest: {
        const auto depth = 1 + random.below(100);
        const char *opened = random.below(2) == 0 ? "[" : "{a: ";
        std::string open, close;
        for (std::size_t i = 0; i < depth; ++i) {
            open += opened;
            close += *opened == '[' ? ']' : '}';
        }
        replace(text, word, open + "1" + close);
        break;
    }
    case SwapWords:
        if (const auto other = words.empty() ? word : random.oneOf(words); other.first >= word.second) {
            const std::string first(in(text, word)), second(in(text, other));
            replace(text, other, first);
            replace(text, word, second);
        }
        break;
    default: break;
    }
}

void changePages(std::string &file, Random &random)
{
    constexpr std::size_t page = 4096, header = 100;
    const auto pages = file.size() / page;
    if (pages == 0)
        return;
    const auto start = random.below(pages) * page;
    switch (random.below(8)) {
    case 0: file.replace(start, page, page, '\0'); break;
    case 1: file.replace(start, page, file.substr(random.below(pages) * page, page)); break;
    case 2: file.resize(random.below(file.size())); break;
    case 3: file[random.below(header)] = static_cast<char>(random.below(256)); break;
    case 4: file[start + random.below(12)] = static_cast<char>(random.below(256)); break; // of the page's own header
    default:
        for (auto times = 1 + random.below(8); times > 0; --times)
            file[start + random.below(page)] ^= static_cast<char>(1U << random.below(8));
    }
}

void changeBytes(std::string &bytes, Random &random)
{
    if (bytes.empty())
        return;
    switch (random.below(5)) {
    case 0: replace(bytes, rangeIn(bytes, 200, random), {}); break;
    case 1: bytes.insert(random.below(bytes.size()), std::string(in(bytes, rangeIn(bytes, 200, random)))); break;
    case 2: bytes.resize(random.below(bytes.size())); break;
    default:
        for (auto times = 1 + random.below(8); times > 0; --times)
            bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    }
}

} // namespace

std::string mutated(std::string input, const Target &target, Random &random)
{
    constexpr std::size_t mostChanges = 4;
    for (auto times = 1 + random.below(mostChanges); times > 0; --times)
        switch (target.form) {
        case Form::Text: changeText(input, target, random); break;
        case Form::Pages: changePages(input, random); break;
        case Form::Bytes: changeBytes(input, random); break;
        }
    return input;
}

} // namespace fleetwright::fuzz
