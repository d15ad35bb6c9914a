// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/search/resultbytes.h"

#include <cstring>
#include <type_traits>

namespace fleetwright::layoutsearch {

namespace {

constexpr std::string_view magic = "fleetwright search result 2\n";

class Writer {
public:
    template <class T> void plain(const T &value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        m_bytes.append(reinterpret_cast<const char *>(&value), sizeof(T));
    }
    void text(const std::string &value)
    {
        plain(std::uint64_t(value.size()));
        m_bytes += value;
    }
    template <class T> void list(const std::vector<T> &values)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        plain(std::uint64_t(values.size()));
        m_bytes.append(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T));
    }
    void raw(std::string_view bytes) { m_bytes += bytes; }
    [[nodiscard]] std::string take() { return std::move(m_bytes); }

private:
    std::string m_bytes;
};

/// Reads zeros once the bytes are at an end; `ok` says whether that happened.
class Reader {
public:
    explicit Reader(std::string_view bytes) : m_left(bytes) { }
    template <class T> void plain(T &value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        if (const auto bytes = take(sizeof(T)); bytes.size() == sizeof(T))
            std::memcpy(&value, bytes.data(), sizeof(T));
    }
    void text(std::string &value) { value = take(count(1)); }
    template <class T> void list(std::vector<T> &values)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        const auto size = count(sizeof(T));
        const auto bytes = take(size * sizeof(T));
        values.resize(bytes.size() / sizeof(T));
        if (!bytes.empty())
            std::memcpy(values.data(), bytes.data(), bytes.size());
    }
    [[nodiscard]] bool skip(std::string_view expected) { return take(expected.size()) == expected; }
    /// Of items of at least `size` bytes; 0 when so many cannot follow.
    [[nodiscard]] std::size_t count(std::size_t size)
    {
        std::uint64_t number = 0;
        plain(number);
        if (number > m_left.size() / size) {
            m_ok = false;
            return 0;
        }
        return std::size_t(number);
    }
    [[nodiscard]] bool ok() const { return m_ok; }
    [[nodiscard]] bool atEnd() const { return m_left.empty(); }

private:
    std::string_view take(std::size_t size)
    {
        if (size > m_left.size()) {
            m_ok = false;
            return {};
        }
        const auto bytes = m_left.substr(0, size);
        m_left.remove_prefix(size);
        return bytes;
    }
    std::string_view m_left;
    bool m_ok = true;
};

void write(Writer &out, const CaseFacts &facts)
{
    out.text(facts.label);
    out.plain(facts.accelerators);
    out.plain(facts.globalBatch);
    out.plain(facts.tokensPerStep);
    out.plain(facts.capacityBytes);
    out.plain(facts.limitBytes);
    out.plain(facts.roomyBytes);
    out.plain(facts.scaleUpDomain);
    out.plain(facts.dollarsPerSecond.has_value());
    out.plain(facts.dollarsPerSecond.value_or(0));
    out.plain(facts.refused.has_value());
    if (facts.refused) {
        out.plain(facts.refused->code);
        out.text(facts.refused->field);
        out.text(facts.refused->message);
    }
}

void read(Reader &in, CaseFacts &facts)
{
    in.text(facts.label);
    in.plain(facts.accelerators);
    in.plain(facts.globalBatch);
    in.plain(facts.tokensPerStep);
    in.plain(facts.capacityBytes);
    in.plain(facts.limitBytes);
    in.plain(facts.roomyBytes);
    in.plain(facts.scaleUpDomain);
    bool known = false;
    double dollars = 0;
    in.plain(known);
    in.plain(dollars);
    if (known)
        facts.dollarsPerSecond = dollars;
    bool refused = false;
    in.plain(refused);
    if (refused) {
        Error error;
        in.plain(error.code);
        in.text(error.field);
        in.text(error.message);
        facts.refused = std::move(error);
    }
}

/// A Group without its optional.
struct FlatGroup {
    Split split;
    int caseIndex = 0;
    bool found = false;
    Row best;
    std::uint64_t feasible = 0, infeasible = 0;
    double leastMemoryBytes = 0;
};

} // namespace

std::string toBytes(const Result &result)
{
    Writer out;
    out.raw(magic);
    out.text(result.costModelId);
    out.text(result.costModelVersion);
    out.plain(result.traits);
    out.plain(result.objective);
    out.plain(result.pareto);
    out.plain(std::uint64_t(result.cases.size()));
    for (const auto &facts : result.cases)
        write(out, facts);
    out.list(result.rows);
    std::vector<FlatGroup> groups;
    for (const auto &group : result.groups)
        groups.push_back({.split = group.split,
            .caseIndex = group.caseIndex,
            .found = group.best.has_value(),
            .best = group.best.value_or(Row()),
            .feasible = group.feasible,
            .infeasible = group.infeasible,
            .leastMemoryBytes = group.leastMemoryBytes});
    out.list(groups);
    out.list(result.front);
    out.list(result.simplest);
    out.list(result.counts);
    return out.take();
}

Expected<Result> fromBytes(std::string_view bytes)
{
    Reader in(bytes);
    Result result;
    bool known = in.skip(magic);
    if (known) {
        in.text(result.costModelId);
        in.text(result.costModelVersion);
        in.plain(result.traits);
        in.plain(result.objective);
        in.plain(result.pareto);
        result.cases.resize(in.count(1));
        for (auto &facts : result.cases)
            read(in, facts);
        in.list(result.rows);
        std::vector<FlatGroup> groups;
        in.list(groups);
        for (const auto &group : groups)
            result.groups.push_back({.split = group.split,
                .caseIndex = group.caseIndex,
                .best = group.found ? std::optional(group.best) : std::nullopt,
                .feasible = group.feasible,
                .infeasible = group.infeasible,
                .leastMemoryBytes = group.leastMemoryBytes});
        in.list(result.front);
        in.list(result.simplest);
        in.list(result.counts);
        known = in.ok() && in.atEnd() && result.counts.size() == result.cases.size();
    }
    if (!known)
        return refuse(ErrorCode::ParseError, {},
            "The result of another process of the search cannot be read; run all processes from the same program.");
    return result;
}

} // namespace fleetwright::layoutsearch
