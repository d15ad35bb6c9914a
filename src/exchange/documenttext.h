// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/textreader.h"

#include <nlohmann/json.hpp>

#include <concepts>
#include <utility>

namespace fleetwright::exchange {

/// Reads a document of YAML or JSON with its reader for trees, Expected<T>(const nlohmann::ordered_json &); what the
/// reader refuses is told with the line and column of the field, where the text has it.
template <std::invocable<const nlohmann::ordered_json &> Reader>
[[nodiscard]] auto fromText(std::string_view text, Reader &&reader, const TextLimits &limits = {})
    -> std::invoke_result_t<Reader, const nlohmann::ordered_json &>
{
    const auto json = readText(text, limits);
    if (!json)
        return std::unexpected(json.error());
    auto document = std::forward<Reader>(reader)(*json);
    if (document)
        return document;
    Error error = std::move(document.error());
    if (const auto position = positionOf(text, error.field))
        error.message += inWords(*position);
    return std::unexpected(std::move(error));
}

} // namespace fleetwright::exchange
