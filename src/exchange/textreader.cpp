// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/textreader.h"

#include "exchange/treebuilder.h"
#include "exchange/yamlreader.h"

#include "units/visibletext.h"

#include <QUtf8StringView>

#include <array>
#include <limits>

namespace fleetwright::exchange {

using Json = nlohmann::ordered_json;

namespace {

/// Stands for a word that JSON does not know; a private-use character that no document has a reason to hold.
constexpr std::string_view nonFiniteMark = "\uE000";
constexpr std::array nonFiniteWords{
    std::pair{std::string_view("NaN"), std::numeric_limits<double>::quiet_NaN()},
    std::pair{std::string_view("-Infinity"), -std::numeric_limits<double>::infinity()},
    std::pair{std::string_view("Infinity"), std::numeric_limits<double>::infinity()},
};

/// The text with every bare NaN, Infinity and -Infinity as a marked string, which JsonEvents turns into the number.
std::string withMarkedWords(std::string_view text)
{
    std::string marked;
    bool quoted = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto word = quoted ? nonFiniteWords.end() : std::ranges::find_if(nonFiniteWords, [&](const auto &known) {
            return text.substr(at).starts_with(known.first);
        });
        if (word != nonFiniteWords.end()) {
            marked.append("\"").append(nonFiniteMark).append(word->first).append("\"");
            at += word->first.size() - 1;
            continue;
        }
        marked += text[at];
        if (text[at] == '"')
            quoted = !quoted;
        else if (quoted && text[at] == '\\' && at + 1 < text.size())
            marked += text[++at];
    }
    return marked;
}

Json stringOrNonFinite(std::string value)
{
    if (value.starts_with(nonFiniteMark))
        for (const auto &[word, number] : nonFiniteWords)
            if (std::string_view(value).substr(nonFiniteMark.size()) == word)
                return number;
    return value;
}

/// Tells how far the parser has read, which the library itself does not.
class TrackedIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char *;
    using reference = const char &;

    TrackedIterator(const char *at, const char **reached) : m_at(at), m_reached(reached) { }
    reference operator*() const { return *m_at; }
    TrackedIterator &operator++()
    {
        *m_reached = ++m_at;
        return *this;
    }
    bool operator==(const TrackedIterator &other) const { return m_at == other.m_at; }

private:
    const char *m_at;
    const char **m_reached;
};

class JsonEvents : public nlohmann::json_sax<Json> {
public:
    JsonEvents(TreeBuilder &tree, std::string_view text, bool nonFinite, const RowTaking *rows)
        : m_tree(tree), m_begin(text.data()), m_reached(text.data()), m_counted(text.data()), m_lineStart(text.data()),
          m_nonFinite(nonFinite), m_rows(rows)
    {
    }
    const char **reached() { return &m_reached; }

    bool null() override { return scalar(nullptr); }
    bool boolean(bool value) override { return scalar(value); }
    bool number_integer(number_integer_t value) override { return scalar(value); }
    bool number_unsigned(number_unsigned_t value) override { return scalar(value); }
    bool number_float(number_float_t value, const string_t &) override { return scalar(value); }
    bool string(string_t &value) override
    {
        return scalar(m_nonFinite ? stringOrNonFinite(std::move(value)) : Json(std::move(value)));
    }
    bool binary(binary_t &) override
    {
        return m_tree.refuseAt(ErrorCode::ParseError, "Binary data has no place here.", here());
    }
    bool start_object(std::size_t) override { return m_tree.start(true, here()); }
    bool key(string_t &name) override
    {
        auto at = here();
        at.column -= std::min(at.column - 1, name.size() + 2); // the parser stands behind the closing quote
        return m_tree.key(std::move(name), at);
    }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return m_tree.start(false, here()); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t, const std::string &token, const nlohmann::detail::exception &problem) override
    {
        constexpr int numberOverflow = 406;
        if (problem.id == numberOverflow)
            return m_tree.refuseAt(ErrorCode::OutOfRange, "A number is too large.", here());
        if (std::string_view(problem.what()).contains("unexpected end of input"))
            return m_tree.refuseAt(ErrorCode::ParseError,
                "The JSON text ends too early; a bracket, brace or quote is not closed.", here());
        return m_tree.refuseAt(ErrorCode::ParseError,
            "This is not valid JSON near \u201c" + shown(token) + "\u201d; check quotes, commas and brackets.", here());
    }

private:
    bool scalar(Json value)
    {
        const bool taken = m_tree.scalar(std::move(value), here());
        if (taken)
            handOver();
        return taken;
    }
    bool close()
    {
        m_tree.end();
        handOver();
        return true;
    }
    void handOver()
    {
        if (auto *row = m_rows ? m_tree.completeRow() : nullptr) {
            m_rows->take(*row, std::size_t(m_reached - m_begin));
            *row = nullptr;
        }
    }
    TextPosition here()
    {
        for (; m_counted < m_reached; ++m_counted)
            if (*m_counted == '\n') {
                ++m_line;
                m_lineStart = m_counted + 1;
            }
        return {m_line, std::size_t(std::max<std::ptrdiff_t>(0, m_reached - m_lineStart)) + 1};
    }
    static std::string shown(const std::string &token)
    {
        std::string tail = token.size() > 30 ? token.substr(token.size() - 30) : token;
        while (!tail.empty() && (static_cast<unsigned char>(tail.front()) & 0xC0U) == 0x80U)
            tail.erase(0, 1); // do not start inside a character
        return visibleText(tail, TextShape::OneLine);
    }

    TreeBuilder &m_tree;
    const char *m_begin;
    const char *m_reached;
    const char *m_counted;
    const char *m_lineStart;
    std::size_t m_line = 1;
    bool m_nonFinite;
    const RowTaking *m_rows;
};

bool buildFromJson(std::string_view text, TreeBuilder &tree, bool nonFinite = false, const RowTaking *rows = nullptr)
{
    JsonEvents events(tree, text, nonFinite, rows);
    return Json::sax_parse(TrackedIterator(text.data(), events.reached()),
        TrackedIterator(text.data() + text.size(), events.reached()), &events);
}

std::string_view withoutMark(std::string_view text)
{
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    return text;
}

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// A brace followed by a quote or its closing brace. YAML's own flow style seldom looks so, and where it does it reads
/// the same.
bool looksLikeJson(std::string_view text)
{
    std::size_t at = 0;
    while (at < text.size() && isBlank(text[at]))
        ++at;
    if (at == text.size() || text[at] != '{')
        return false;
    for (++at; at < text.size() && isBlank(text[at]);)
        ++at;
    return at < text.size() && (text[at] == '"' || text[at] == '}');
}

TextPosition positionAt(std::string_view text, std::size_t offset)
{
    TextPosition position;
    for (std::size_t i = 0; i < offset; ++i)
        position = text[i] == '\n' ? TextPosition{position.line + 1, 1}
                                   : TextPosition{position.line, position.column + 1};
    return position;
}

/// What neither parser should ever see.
Expected<void> checkText(std::string_view text, const TextLimits &limits)
{
    if (text.size() > limits.bytes)
        return refuseTooLong(limits.bytes);
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return refuse(ErrorCode::ParseError, "", "The text is empty; a document needs at least one key.");
    for (std::size_t i = 0; i < text.size(); ++i)
        if (static_cast<unsigned char>(text[i]) < 0x20 && !isBlank(text[i]))
            return refuse(ErrorCode::ParseError, "",
                "The text holds a control character, so this is not a text document." + inWords(positionAt(text, i)));
    if (!QUtf8StringView(text.data(), qsizetype(text.size())).isValidUtf8())
        return refuse(ErrorCode::ParseError, "", "The text is not valid UTF-8; save it with that encoding.");
    return {};
}

Expected<Json> finish(bool complete, TreeBuilder &tree)
{
    if (tree.error())
        return std::unexpected(*tree.error());
    if (!complete)
        return refuse(ErrorCode::ParseError, "", "The text could not be read.");
    return tree.take();
}

Expected<Json> readTree(std::string_view text, const TextLimits &limits, TreeBuilder &tree, const RowTaking *rows)
{
    text = withoutMark(text);
    if (auto ok = checkText(text, limits); !ok)
        return std::unexpected(ok.error());
    if (!limits.nonFinite || (!text.contains("NaN") && !text.contains("Infinity")))
        return finish(buildFromJson(text, tree, false, rows), tree);
    const std::string marked = withMarkedWords(text);
    return finish(buildFromJson(marked, tree, true, rows), tree);
}

} // namespace

std::unexpected<Error> refuseTooLong(std::size_t longest, std::string field)
{
    return refuse(ErrorCode::ParseError, std::move(field),
        "The text is longer than " + std::to_string(longest / (1024 * 1024))
            + " MiB; this cannot be a document of this kind.");
}

std::string inWords(const TextPosition &position)
{
    return " (line " + std::to_string(position.line) + ", column " + std::to_string(position.column) + ")";
}

Expected<Json> readJson(std::string_view text, const TextLimits &limits, const std::stop_token &stop)
{
    TreeBuilder tree(limits, {}, stop);
    return readTree(text, limits, tree, nullptr);
}

Expected<Json> readJsonRows(
    std::string_view text, const RowTaking &rows, const TextLimits &limits, const std::stop_token &stop)
{
    TreeBuilder tree(limits, {}, stop);
    tree.watchRowsOf(rows.member);
    return readTree(text, limits, tree, &rows);
}

Expected<Json> readText(std::string_view text, const TextLimits &given)
{
    auto limits = given;
    limits.visible = true;
    text = withoutMark(text);
    if (looksLikeJson(text))
        return readJson(text, limits);
    if (auto ok = checkText(text, limits); !ok)
        return std::unexpected(ok.error());
    TreeBuilder tree(limits);
    return finish(buildFromYaml(text, tree), tree);
}

std::optional<TextPosition> positionOf(std::string_view text, std::string_view path)
{
    text = withoutMark(text);
    while (!path.empty()) {
        TreeBuilder tree({}, path);
        const bool complete = looksLikeJson(text) ? buildFromJson(text, tree) : buildFromYaml(text, tree);
        if (tree.found() || !complete)
            return tree.found();
        const auto cut = path.find_last_of(".[");
        path = cut == std::string_view::npos ? std::string_view() : path.substr(0, cut);
    }
    return std::nullopt;
}

} // namespace fleetwright::exchange
