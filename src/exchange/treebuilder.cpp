// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/treebuilder.h"

namespace fleetwright::exchange {

using Json = nlohmann::ordered_json;

TreeBuilder::TreeBuilder(const TextLimits &limits, std::string_view wantedPath) : m_limits(limits), m_wanted(wantedPath)
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

bool TreeBuilder::key(std::string name, const TextPosition &at)
{
    constexpr std::size_t longest = 200;
    auto &level = m_open.back();
    m_path.resize(level.pathLength);
    if (name.size() > longest)
        return refuseAt(ErrorCode::ParseError, "A key is longer than 200 characters; shorten it.", at);
    if (level.container->size() >= m_limits.keys)
        return refuseAt(ErrorCode::OutOfRange,
            "One object holds more than " + std::to_string(m_limits.keys) + " keys; split the document.", at);
    m_path += (m_path.empty() ? "" : ".") + name;
    watch(at);
    if (!level.container->emplace(name, nullptr).second)
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
    return ++m_values <= m_limits.values
        || refuseAt(ErrorCode::OutOfRange,
            "The text holds more than " + std::to_string(m_limits.values) + " values; split the document.", at);
}

bool TreeBuilder::scalar(Json value, const TextPosition &at)
{
    if (!countValue(at))
        return false;
    place(std::move(value), at);
    return true;
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
    return true;
}

void TreeBuilder::end()
{
    m_path.resize(m_open.back().pathLength);
    m_open.pop_back();
}

} // namespace fleetwright::exchange
