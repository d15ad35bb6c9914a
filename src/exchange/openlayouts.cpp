// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/openlayouts.h"

#include "exchange/layoutsearchdocuments.h"
#include "exchange/objectreader.h"

namespace fleetwright::exchange {

namespace {

constexpr std::string_view bestWord = "best";

} // namespace

Expected<LayoutSearchSpace> bestLayoutFromJson(const Json &json)
{
    if (json.is_string() && json.get_ref<const std::string &>() == bestWord)
        return LayoutSearchSpace{};
    if (!json.is_object())
        return refuse(ErrorCode::UnsupportedValue, "layout",
            "\u201clayout\u201d must be best, or {best: {...}} with the degrees that are fixed or limited, such as "
            "{best: {tp: [4, 8], recompute: none}}. A layout that is fixed as a whole stands under parallelism.");
    ObjectReader reader(json, "layout", "layout", {bestWord});
    const auto *space = reader.require(
        bestWord, "the degrees that are fixed as an object; for none write layout: best");
    return space ? spaceFromJson(*space, "layout.best") : std::unexpected(*reader.error());
}

Json bestLayoutToJson(const LayoutSearchSpace &space)
{
    if (space == LayoutSearchSpace{})
        return bestWord;
    return {{bestWord, spaceToJson(space)}};
}

void fixStated(ObjectReader &reader, const Json &training, const Training &stated, LayoutSearchSpace &space)
{
    const auto fix = [&](std::string_view key, LayoutSearchOption option, int value) {
        if (!training.contains(key))
            return;
        const auto field = "training." + std::string(key);
        if (!space[option].empty() && space[option] != std::vector{value})
            reader.refuse(Error{ErrorCode::UnsupportedValue, field,
                "\u201c" + field + "\u201d and \u201clayout.best." + std::string(toString(option))
                    + "\u201d say different things; state one of them."});
        space[option] = {value};
    };
    if (training.contains("microbatch_count"))
        reader.refuse(Error{ErrorCode::UnsupportedValue, "training.microbatch_count",
            "The layout is open, and its microbatch size decides the number of microbatches; leave "
            "training.microbatch_count out, or fix layout.best.microbatch_size."});
    fix("microbatch_size", LayoutSearchOption::MicrobatchSize, stated.microbatchSize.value_or(1));
    fix("recompute", LayoutSearchOption::Recompute, int(stated.recompute));
}

} // namespace fleetwright::exchange
