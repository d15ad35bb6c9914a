// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/figurejson.h"

#include "solver/answer/figures.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace fleetwright::exchange {

namespace {

bool isCount(std::string_view key, double value)
{
    constexpr double exact = 9007199254740992; // every whole number up to here
    const auto *figure = findFigure(key);
    return figure && figure->dimension == units::Dimension::Number && value == std::round(value)
        && std::abs(value) <= exact;
}

} // namespace

void putFigure(Json &json, std::string_view key, std::optional<double> value)
{
    if (!value || !std::isfinite(*value))
        return;
    auto *at = &json;
    auto rest = key;
    for (auto dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
        at = &(*at)[std::string(rest.substr(0, dot))];
        rest = rest.substr(dot + 1);
    }
    (*at)[std::string(rest)] = isCount(key, *value) ? Json(std::int64_t(*value)) : Json(*value);
}

const Json *findAt(const Json &json, std::string_view path)
{
    const auto *at = &json;
    for (;;) {
        const auto dot = path.find('.');
        const auto found = at->is_object() ? at->find(std::string(path.substr(0, dot))) : at->end();
        if (found == at->end())
            return nullptr;
        at = &*found;
        if (dot == std::string_view::npos)
            return at;
        path = path.substr(dot + 1);
    }
}

} // namespace fleetwright::exchange
