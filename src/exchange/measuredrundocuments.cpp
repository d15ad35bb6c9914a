// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/measuredrundocuments.h"

#include "exchange/measuredruns.h"

#include <nlohmann/json.hpp>

namespace fleetwright::exchange {

using Json = nlohmann::ordered_json;

Json measuredRunToJson(const validation::MeasuredRun &run)
{
    return measuredRunsToJson({.version = {}, .runs = {run}}).at("runs").at(0);
}

Expected<validation::MeasuredRun> measuredRunFromJson(const Json &json)
{
    auto file = measuredRunsFromJson(
        Json{{"runs", Json::array({json})}}.dump(-1, ' ', false, Json::error_handler_t::replace), {.stored = true});
    if (!file)
        return std::unexpected(std::move(file.error()));
    if (file->runs.empty()) {
        constexpr std::string_view place = "runs[0].";
        auto error = std::move(file->unread.front().error);
        if (error.field.starts_with(place))
            error.field.erase(0, place.size());
        return std::unexpected(std::move(error));
    }
    return std::move(file->runs.front());
}

} // namespace fleetwright::exchange
