// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/textreader.h"

#include <nlohmann/json.hpp>

#include <stop_token>
#include <unordered_set>
#include <vector>

namespace fleetwright::exchange {

/// Assembles a document from the events of a parser, whichever it is, and keeps the limits. After a call has returned
/// false the parser must stop; error() then says why. Also finds where one path stands, by watching it go by.
class TreeBuilder {
public:
    explicit TreeBuilder(const TextLimits &limits, std::string_view wantedPath = {}, std::stop_token stop = {});

    /// From now on completeRow() tells of the list that is this member of the object at the top, or stands there
    /// itself.
    void watchRowsOf(std::string_view member) { m_rowsOf = member; }
    /// The element of that list that the last event completed, else nullptr. What takes it may leave something else.
    [[nodiscard]] nlohmann::ordered_json *completeRow() const
    {
        return m_rowDepth > 0 && m_open.size() == m_rowDepth ? &m_open.back().container->back() : nullptr;
    }

    [[nodiscard]] bool key(std::string name, const TextPosition &at);
    [[nodiscard]] bool scalar(nlohmann::ordered_json value, const TextPosition &at);
    [[nodiscard]] bool start(bool object, const TextPosition &at);
    void end();
    [[nodiscard]] bool refuseAt(ErrorCode code, std::string sentence, const TextPosition &at);

    /// Whether the next scalar of the innermost object is a key.
    [[nodiscard]] bool expectsKey() const
    {
        return !m_open.empty() && m_open.back().container->is_object() && !m_open.back().keyed;
    }
    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }
    [[nodiscard]] const std::optional<TextPosition> &found() const { return m_found; }
    [[nodiscard]] nlohmann::ordered_json take() { return std::move(m_root); }

private:
    struct Level {
        nlohmann::ordered_json *container;
        std::size_t pathLength; ///< of the container's own path
        bool keyed = false; ///< an object whose next value has its key already
        std::unordered_set<std::string> keys{}; ///< of a large object, whose own look-up goes through all of them
    };

    [[nodiscard]] static bool addKey(Level &level, const std::string &name);

    [[nodiscard]] bool countValue(const TextPosition &at);
    [[nodiscard]] bool isVisible(const nlohmann::ordered_json &value, const TextPosition &at);
    nlohmann::ordered_json *place(nlohmann::ordered_json value, const TextPosition &at);
    void watch(const TextPosition &at);

    TextLimits m_limits;
    std::stop_token m_stop;
    std::string m_wanted;
    std::string m_path;
    std::optional<std::string> m_rowsOf;
    std::size_t m_rowDepth = 0; ///< containers that are open where an element of the list ends; 0: it is not open
    nlohmann::ordered_json m_root;
    std::vector<Level> m_open;
    std::size_t m_values = 0;
    std::optional<Error> m_error;
    std::optional<TextPosition> m_found;
};

} // namespace fleetwright::exchange
