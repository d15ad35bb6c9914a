// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include <compare>
#include <ostream>
#include <string>
#include <string_view>
#include <unordered_set>

namespace fleetwright::validation {

/// A text that many values have alike, as the runs of a file have the name of their model: a constant std::string of
/// the size of a pointer. Copies hold the same characters, an empty one none. Copies may be used by several threads.
class SharedText {
public:
    SharedText() = default;
    SharedText(std::string text) : m_held(text.empty() ? nullptr : new Held(std::move(text))) { }
    SharedText(std::string_view text) : SharedText(std::string(text)) { }
    SharedText(const char *text) : SharedText(std::string(text)) { }

    [[nodiscard]] const std::string &string() const
    {
        static const std::string none;
        return m_held ? m_held->text : none;
    }
    operator const std::string &() const { return string(); }
    operator std::string_view() const { return string(); }

    [[nodiscard]] bool empty() const { return !m_held; }
    [[nodiscard]] std::size_t size() const { return string().size(); }
    [[nodiscard]] bool contains(std::string_view part) const { return string().contains(part); }
    [[nodiscard]] bool starts_with(std::string_view start) const { return string().starts_with(start); }
    [[nodiscard]] std::string substr(std::size_t from, std::size_t count = std::string::npos) const
    {
        return string().substr(from, count);
    }
    /// Whether the two not only read alike.
    [[nodiscard]] bool isSameAs(const SharedText &other) const { return m_held == other.m_held; }

    friend bool operator==(const SharedText &a, const SharedText &b)
    {
        return a.isSameAs(b) || a.string() == b.string();
    }
    friend bool operator==(const SharedText &a, const std::string &b) { return a.string() == b; }
    friend bool operator==(const SharedText &a, std::string_view b) { return a.string() == b; }
    friend bool operator==(const SharedText &a, const char *b) { return a.string() == b; }
    friend auto operator<=>(const SharedText &a, const SharedText &b) { return a.string() <=> b.string(); }
    friend auto operator<=>(const SharedText &a, const std::string &b) { return a.string() <=> b; }
    friend std::string operator+(const SharedText &a, std::string_view b) { return std::string(a.string()).append(b); }
    friend std::string operator+(std::string_view a, const SharedText &b) { return std::string(a).append(b.string()); }
    friend std::string operator+(std::string a, const SharedText &b) { return std::move(a.append(b.string())); }
    friend std::string operator+(const char *a, const SharedText &b) { return std::string(a).append(b.string()); }
    friend std::string operator+(const SharedText &a, const char *b) { return std::string(a.string()).append(b); }
    friend std::ostream &operator<<(std::ostream &stream, const SharedText &text) { return stream << text.string(); }

private:
    struct Held : boost::intrusive_ref_counter<Held, boost::thread_safe_counter> {
        explicit Held(std::string own) : text(std::move(own)) { }
        const std::string text;
    };
    boost::intrusive_ptr<const Held> m_held;
};

/// Finds the texts that a reader has met before, so that they are shared. Forgets them when they become many: notes
/// that are all different must not be kept twice.
class SharedTexts {
public:
    [[nodiscard]] SharedText shared(std::string_view text)
    {
        constexpr std::size_t most = 16384;
        if (text.empty())
            return {};
        if (const auto known = m_texts.find(text); known != m_texts.end())
            return *known;
        if (m_texts.size() == most)
            m_texts.clear();
        return *m_texts.emplace(text).first;
    }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    struct Alike {
        using is_transparent = void;
        bool operator()(std::string_view a, std::string_view b) const { return a == b; }
    };
    std::unordered_set<SharedText, Hash, Alike> m_texts;
};

} // namespace fleetwright::validation
