// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/storedtrace.h"

#include "exchange/plandocuments.h"
#include "exchange/textreader.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace fleetwright::exchange {

namespace {

std::string textAt(const Json &line, const char *key)
{
    const auto found = line.find(key);
    return found != line.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool flagAt(const Json &line, const char *key)
{
    const auto found = line.find(key);
    return found == line.end() || !found->is_boolean() || found->get<bool>();
}

/// What has no number in the text has no end.
double amountAt(const Json &line, const char *key)
{
    const auto found = line.find(key);
    return found != line.end() && found->is_number() ? found->get<double>() : std::numeric_limits<double>::infinity();
}

} // namespace

std::vector<TraceEntry> storedTraceFromText(std::string_view text)
{
    constexpr TextLimits limits{.bytes = 4UZ * 1024 * 1024};
    std::vector<TraceEntry> entries;
    const auto json = readJson(text, limits);
    if (!json || !json->is_object())
        return entries;
    const auto lines = json->find("trace");
    if (lines == json->end() || !lines->is_array())
        return entries;
    for (const auto &line : *lines) {
        if (!line.is_object())
            continue;
        TraceEntry entry;
        entry.constraint = textAt(line, "constraint");
        entry.holds = flagAt(line, "holds");
        entry.decided = flagAt(line, "decided");
        entry.onlyLikely = line.contains("only_likely") && flagAt(line, "only_likely");
        if (textAt(line, "code") == toString(ErrorCode::InfeasibleParallelism))
            entry.code = ErrorCode::InfeasibleParallelism;
        entry.needed = amountAt(line, "needed");
        entry.allowed = amountAt(line, "allowed");
        entry.sentence = textAt(line, "message");
        entries.push_back(std::move(entry));
    }
    return entries;
}

} // namespace fleetwright::exchange
