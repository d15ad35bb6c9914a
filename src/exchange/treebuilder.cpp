// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/treebuilder.h"

#include "units/visibletext.h"

namespace fleetwright::exchange {

using Json = nlohmann::ordered_json;

namespace {

/// Notes are pasted from anywhere and are kept as they came; whoever shows them makes such characters visible.
bool isNote(std::string_view path)
{
    const auto dot = path.rfind('.');
    auto key = path.substr(dot == std::string_view::npos ? 0 : dot + 1);
    key = key.substr(0, key.find('['));
    return key == "notes" || key == "note";
}

std::optional<Error> hiddenIn(const Json &value, const std::string &path)
{
    if (value.is_string() && !isNote(path)) {
        const auto &text = value.get_ref<const std::string &>();
        if (auto visible = checkVisible(text, path, TextShape::Lines); !visible)
            return std::move(visible.error());
    }
    if (value.is_array())
        for (std::size_t i = 0; i < value.size(); ++i)
            if (auto hidden = hiddenIn(value[i], path + "[" + std::to_string(i) + "]"))
                return hidden;
    if (value.is_object())
        for (const auto &[key, member] : value.items()) {
            if (const auto hidden = findHidden(key, TextShape::OneLine); hidden != std::string::npos)
                return Error{ErrorCode::UnsupportedValue, path, "A key " + hiddenInWords(key, hidden) + "; remove it."};
            if (auto hidden = hiddenIn(member, path.empty() ? key : path + "." + key))
                return hidden;
        }
    return {};
}

} // namespace

Expected<void> checkVisibleTexts(const Json &document)
{
    auto hidden = hiddenIn(document, {});
    return hidden ? std::unexpected(std::move(*hidden)) : Expected<void>();
}

TreeBuilder::TreeBuilder(const TextLimits &limits, std::string_view wantedPath, std::stop_token stop)
    : m_limits(limits), m_stop(std::move(stop)), m_wanted(wantedPath)
{
}

bool TreeBuilder::refuseAt(ErrorCode code, std::string sentence, const TextPosition &at)
{
    if (!m_error)
        m_error = Error{code, m_path, std::move(sentence) + inWords(at)};
    return false;
}

void TreeBuilder::watch(const TextPosition &at)
{
    if (!m_found && !m_wanted.empty() && m_path == m_wanted)
        m_found = at;
}

/// False where the object has the key. The members of ordered_json are a list, so that the keys of a large object are
/// kept beside it: reading takes time in proportion to the text.
bool TreeBuilder::addKey(Level &level, const std::string &name)
{
    constexpr std::size_t few = 32;
    auto &members = level.container->get_ref<Json::object_t &>();
    if (members.size() < few)
        return members.emplace(name, nullptr).second;
    if (level.keys.empty())
        for (const auto &member : members)
            level.keys.insert(member.first);
    if (!level.keys.insert(name).second)
        return false;
    using Members = Json::object_t::Container;
    static_cast<Members &>(members).emplace_back(name, nullptr);
    return true;
}

bool TreeBuilder::key(std::string name, const TextPosition &at)
{
    auto &level = m_open.back();
    m_path.resize(level.pathLength);
    if (name.size() > longestKey)
        return refuseAt(ErrorCode::ParseError,
            "A key is longer than " + std::to_string(longestKey) + " characters; shorten it.", at);
    if (const auto hidden = m_limits.visible ? findHidden(name, TextShape::OneLine) : std::string::npos;
        hidden != std::string::npos)
        return refuseAt(ErrorCode::ParseError, "A key " + hiddenInWords(name, hidden) + "; remove it.", at);
    if (level.container->size() >= m_limits.keys)
        return refuseAt(ErrorCode::OutOfRange,
            "One object holds more than " + std::to_string(m_limits.keys) + " keys; split the document.", at);
    m_path += (m_path.empty() ? "" : ".") + name;
    watch(at);
    if (!addKey(level, name))
        return refuseAt(ErrorCode::ParseError, "The key \u201c" + name + "\u201d stands twice; keep one of them.", at);
    level.keyed = true;
    return true;
}

/// Puts the value where the parser is: the root, the last key of an object, the end of a list.
Json *TreeBuilder::place(Json value, const TextPosition &at)
{
    if (m_open.empty()) {
        m_root = std::move(value);
        return &m_root;
    }
    auto &level = m_open.back();
    if (level.container->is_object()) {
        level.keyed = false;
        auto &slot = std::prev(level.container->end()).value();
        slot = std::move(value);
        return &slot;
    }
    m_path.resize(level.pathLength);
    m_path += "[" + std::to_string(level.container->size()) + "]";
    watch(at);
    level.container->push_back(std::move(value));
    return &level.container->back();
}

bool TreeBuilder::countValue(const TextPosition &at)
{
    constexpr std::size_t valuesBetween = 4096;
    if (m_values % valuesBetween == 0 && m_stop.stop_requested()) {
        m_error = Error{ErrorCode::Cancelled, {}, "Reading was cancelled."};
        return false;
    }
    return ++m_values <= m_limits.values
        || refuseAt(ErrorCode::OutOfRange,
            "The text holds more than " + std::to_string(m_limits.values) + " values; split the document.", at);
}

bool TreeBuilder::isVisible(const Json &value, const TextPosition &at)
{
    if (!value.is_string())
        return true;
    if (isNote(m_path))
        return true;
    const auto &text = value.get_ref<const std::string &>();
    const auto hidden = findHidden(text);
    return hidden == std::string::npos
        || refuseAt(ErrorCode::UnsupportedValue,
            "\u201c" + m_path + "\u201d " + hiddenInWords(text, hidden) + "; remove it.", at);
}

bool TreeBuilder::scalar(Json value, const TextPosition &at)
{
    if (!countValue(at))
        return false;
    const auto *placed = place(std::move(value), at);
    return !m_limits.visible || isVisible(*placed, at);
}

bool TreeBuilder::start(bool object, const TextPosition &at)
{
    if (!countValue(at))
        return false;
    if (m_open.size() >= m_limits.depth)
        return refuseAt(ErrorCode::ParseError,
            "The document is nested more than " + std::to_string(m_limits.depth) + " levels deep; flatten it.", at);
    auto *container = place(object ? Json::object() : Json::array(), at);
    m_open.push_back({container, m_path.size()});
    const bool atTop = m_open.size() == 1, inTop = m_open.size() == 2 && m_open.front().container->is_object();
    if (m_rowsOf && !object && (atTop || (inTop && m_path == *m_rowsOf)))
        m_rowDepth = m_open.size();
    return true;
}

void TreeBuilder::end()
{
    m_path.resize(m_open.back().pathLength);
    m_open.pop_back();
    if (m_open.size() < m_rowDepth)
        m_rowDepth = 0;
}

} // namespace fleetwright::exchange
