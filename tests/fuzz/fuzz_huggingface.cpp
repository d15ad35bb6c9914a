// SPDX-License-Identifier: GPL-3.0-or-later
#include "../exchange/huggingfacesamples.h"
#include "domain/catalogimport.h"
#include "domain/workload.h"
#include "exchange/catalogfiles.h"
#include "exchange/huggingface.h"
#include "fuzzsupport.h"

#include <nlohmann/json.hpp>

namespace fleetwright::fuzz {

namespace {

/// What is taken is an item that a catalog takes, with counts that add up.
bool takeHuggingFace(std::string_view text)
{
    const auto model = exchange::modelFromHuggingFace(text);
    const auto known = exchange::huggingFaceIfOne(text);
    require(!model || !known || (known->has_value() && (*known)->items == model->items),
        "a file that is known by its content is read as the same item");
    if (!model)
        return false;
    const auto &counts = model->parameters;
    require(counts.active() > 0 && counts.active() <= counts.total() && counts.total() <= 20'000'000'000'000,
        "a token uses some of the parameters");
    for (const auto part : {counts.embeddings, counts.attention, counts.feedForward, counts.experts, counts.shared})
        require(part >= 0, "no part has less than no parameters");
    const auto &record = model->record();
    require(workloadFrom(record).has_value(), "the item is a workload");
    const auto again = exchange::recordFromJson(exchange::recordToJson(record), record.kind, "");
    require(again && *again == record, "the item is read back as an equal one");
    const auto import = importInto(catalog(), model->items, {}, ExistingItems::Refuse);
    require(import.added.size() == 1 && import.refused.empty(), "a catalog takes the item");
    return true;
}

std::vector<std::string> huggingfaceSeeds()
{
    using namespace huggingfacesamples;
    return {llama, gemma3, gemma3Small, llama4, deepseek, gptOss};
}

} // namespace

FLEETWRIGHT_FUZZ_TARGET(huggingface, takeHuggingFace, huggingfaceSeeds, Form::Text, 3000)

} // namespace fleetwright::fuzz
