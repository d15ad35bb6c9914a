// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/yamlreader.h"

#include "exchange/yamlwords.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <spanstream>

namespace fleetwright::exchange {

using Json = nlohmann::ordered_json;

namespace {

/// Ends the parser's run; the builder holds the reason.
struct Stopped { };

TextPosition at(const YAML::Mark &mark)
{
    return {std::size_t(std::max(0, mark.line)) + 1, std::size_t(std::max(0, mark.column)) + 1};
}

class YamlEvents : public YAML::EventHandler {
public:
    explicit YamlEvents(TreeBuilder &tree) : m_tree(tree) { }
    [[nodiscard]] bool sawValue() const { return m_sawValue; }

    void OnDocumentStart(const YAML::Mark &) override { }
    void OnDocumentEnd() override { }
    void OnAnchor(const YAML::Mark &mark, const std::string &) override { refuseAnchor(mark); }
    void OnAlias(const YAML::Mark &mark, YAML::anchor_t) override { refuseAnchor(mark); }
    void OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) override { value(nullptr, mark, anchor); }
    void OnScalar(
        const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor, const std::string &text) override
    {
        checkTag(tag, mark);
        if (m_tree.expectsKey()) {
            checkAnchor(anchor, mark);
            must(m_tree.key(text, at(mark)));
            return;
        }
        value(tag == "?" || tag.empty() ? plainScalar(text) : Json(text), mark, anchor);
    }
    void OnSequenceStart(
        const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override
    {
        start(false, tag, mark, anchor);
    }
    void OnSequenceEnd() override { m_tree.end(); }
    void OnMapStart(
        const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override
    {
        start(true, tag, mark, anchor);
    }
    void OnMapEnd() override { m_tree.end(); }

private:
    static void must(bool accepted)
    {
        if (!accepted)
            throw Stopped();
    }
    void value(Json content, const YAML::Mark &mark, YAML::anchor_t anchor)
    {
        checkAnchor(anchor, mark);
        if (m_tree.expectsKey())
            must(m_tree.refuseAt(ErrorCode::ParseError, "A key is empty; every key is a word.", at(mark)));
        m_sawValue = m_sawValue || !content.is_null();
        must(m_tree.scalar(std::move(content), at(mark)));
    }
    void start(bool object, const std::string &tag, const YAML::Mark &mark, YAML::anchor_t anchor)
    {
        checkTag(tag, mark);
        checkAnchor(anchor, mark);
        if (m_tree.expectsKey())
            must(
                m_tree.refuseAt(ErrorCode::ParseError, "A key is a list or an object; every key is a word.", at(mark)));
        m_sawValue = true;
        must(m_tree.start(object, at(mark)));
    }
    void refuseAnchor(const YAML::Mark &mark) { must(m_tree.refuseAt(ErrorCode::ParseError, noAnchors, at(mark))); }
    void checkAnchor(YAML::anchor_t anchor, const YAML::Mark &mark)
    {
        if (anchor != 0)
            refuseAnchor(mark);
    }
    void checkTag(const std::string &tag, const YAML::Mark &mark)
    {
        if (!tag.empty() && tag != "?" && tag != "!")
            must(m_tree.refuseAt(ErrorCode::ParseError, noTags, at(mark)));
    }

    TreeBuilder &m_tree;
    bool m_sawValue = false;
};

/// The library takes a tab for indentation in some places and not in others; we take it nowhere.
bool checkTabs(std::string_view text, TreeBuilder &tree)
{
    std::size_t line = 1;
    for (std::size_t start = 0; start < text.size(); ++line) {
        const auto first = text.find_first_not_of(' ', start);
        if (first != std::string_view::npos && text[first] == '\t')
            return tree.refuseAt(
                ErrorCode::ParseError, "The line is indented with a tab; use spaces.", {line, first - start + 1});
        const auto end = text.find('\n', start);
        if (end == std::string_view::npos)
            break;
        start = end + 1;
    }
    return true;
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
bool isDecimal(std::string_view text)
{
    std::size_t i = 0;
    const auto digits = [&] {
        const auto from = i;
        while (i < text.size() && isDigit(text[i]))
            ++i;
        return i - from;
    };
    if (i < text.size() && (text[i] == '-' || text[i] == '+'))
        ++i;
    const auto whole = digits();
    std::size_t fraction = 0;
    if (i < text.size() && text[i] == '.') {
        ++i;
        fraction = digits();
    }
    if (whole + fraction == 0)
        return false;
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        ++i;
        if (i < text.size() && (text[i] == '-' || text[i] == '+'))
            ++i;
        if (digits() == 0)
            return false;
    }
    return i == text.size();
}

Json decimal(std::string_view text)
{
    const bool negative = text.starts_with('-');
    if (text.starts_with('+'))
        text.remove_prefix(1);
    if (text.find_first_of(".eE") == std::string_view::npos) {
        std::int64_t whole = 0;
        if (const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), whole);
            problem == std::errc() && end == text.data() + text.size())
            return whole;
    }
    double number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem == std::errc::result_out_of_range) {
        const auto exponent = text.find_first_of("eE");
        const bool tiny = exponent != std::string_view::npos && text.substr(exponent + 1).starts_with('-');
        return tiny ? 0.0 : (negative ? -1 : 1) * std::numeric_limits<double>::infinity();
    }
    return number;
}

} // namespace

Json plainScalar(const std::string &text)
{
    for (const auto *word : {"", "~", "null", "Null", "NULL"})
        if (text == word)
            return nullptr;
    for (const auto *word : {"true", "True", "TRUE"})
        if (text == word)
            return true;
    for (const auto *word : {"false", "False", "FALSE"})
        if (text == word)
            return false;
    for (const auto *word : {".nan", ".NaN", ".NAN"})
        if (text == word)
            return std::numeric_limits<double>::quiet_NaN();
    std::string_view unsigned_ = text;
    if (unsigned_.starts_with('-') || unsigned_.starts_with('+'))
        unsigned_.remove_prefix(1);
    for (const auto *word : {".inf", ".Inf", ".INF"})
        if (unsigned_ == word)
            return (text.starts_with('-') ? -1 : 1) * std::numeric_limits<double>::infinity();
    for (const auto &[prefix, base] : {std::pair{"0x", 16}, std::pair{"0o", 8}})
        if (text.starts_with(prefix)) {
            std::uint64_t number = 0;
            const auto [end, problem] = std::from_chars(text.data() + 2, text.data() + text.size(), number, base);
            return problem == std::errc() && end == text.data() + text.size() ? Json(number) : Json(text);
        }
    return isDecimal(text) ? decimal(text) : Json(text);
}

bool buildFromYaml(std::string_view text, TreeBuilder &tree)
{
    if (!checkTabs(text, tree))
        return false;
    try {
        std::ispanstream stream(std::span<const char>(text.data(), text.size()));
        YAML::Parser parser(stream);
        YamlEvents events(tree);
        if (!parser.HandleNextDocument(events) || !events.sawValue())
            return tree.refuseAt(ErrorCode::ParseError, "The document is empty; it needs at least one key.", {});
        TreeBuilder ignored({});
        YamlEvents second(ignored);
        if (parser.HandleNextDocument(second))
            return tree.refuseAt(
                ErrorCode::ParseError, "The text holds several documents; keep one of them in each file.", {});
        return true;
    } catch (const Stopped &) {
        return tree.error() ? false
                            : tree.refuseAt(ErrorCode::ParseError,
                                "The text holds several documents; keep one of them in each file.", {});
    } catch (const YAML::Exception &problem) {
        return tree.refuseAt(ErrorCode::ParseError, yamlFaultInWords(problem.msg), at(problem.mark));
    } catch (const std::exception &) {
        return tree.refuseAt(ErrorCode::ParseError, yamlFaultInWords({}), {});
    }
}

} // namespace fleetwright::exchange
