// SPDX-License-Identifier: GPL-3.0-or-later
// Native requests of every cost model and building block.
#include "exchange/nativemodels.h"
#include "exchange/textreader.h"
#include "fuzzsupport.h"

#include <nlohmann/json.hpp>

#include <array>

namespace fleetwright::fuzz {

namespace {

using Json = nlohmann::ordered_json;

/// What is answered holds finite numbers only.
bool takeRequest(std::string_view text)
{
    const auto request = exchange::readJson(text, {.values = 100'000, .nonFinite = true});
    if (!request || !request->is_object() || !request->contains("inputs") || !request->contains("model")
        || !request->at("model").is_string())
        return false;
    const auto outputs = exchange::evaluateNative(request->at("model").get<std::string>(), request->at("inputs"));
    if (!outputs)
        return false;
    require(isFinite(*outputs), "outputs are finite");
    return true;
}

/// Puts a value where a refusal says that one is missing: "a.b[0].c".
void put(Json &inputs, const std::string &path, const Json &value)
{
    try {
        std::string pointer = "/";
        for (const char c : path)
            if (c == '.' || c == '[')
                pointer += '/';
            else if (c != ']')
                pointer += c;
        inputs[Json::json_pointer(pointer)] = value;
    } catch (const nlohmann::json::exception &) { // a path through something that is no object
    }
}

/// A request that the model accepts, or one as far as refusals lead to it.
Json requestOf(std::string_view model)
{
    const std::array<Json, 9> tries{1, 8, 0.5, 1e9, "auto", true, Json::object(), Json::array({1}), "ring"};
    Json inputs = Json::object();
    std::string field;
    std::size_t next = 0;
    constexpr int most = 400;
    for (int i = 0; i < most; ++i) {
        const auto outputs = exchange::evaluateNative(model, inputs);
        if (outputs)
            break;
        const auto &error = outputs.error();
        next = error.field == field ? next + 1 : 0;
        field = error.field;
        if (next >= tries.size())
            break;
        put(inputs, field, tries[next]);
    }
    return Json{{"model", model}, {"inputs", inputs}};
}

std::vector<std::string> evaluateSeeds()
{
    std::vector<std::string> seeds;
    for (const auto model : exchange::nativeModels())
        seeds.push_back(requestOf(model).dump(1));
    return seeds;
}

} // namespace

FLEETWRIGHT_FUZZ_TARGET(evaluate, takeRequest, evaluateSeeds, Form::Text, 8000)

} // namespace fleetwright::fuzz
