// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/catalogimport.h"
#include "exchange/catalogfiles.h"
#include "fuzzsupport.h"

#include <nlohmann/json.hpp>

namespace fleetwright::fuzz {

namespace {

/// Items that are taken are written and read back.
bool takeCatalogJson(std::string_view text)
{
    auto file = exchange::catalogFileFromJson(text, {});
    for (const auto kind : allCatalogKinds)
        if (!file || file->items.records.empty())
            file = exchange::catalogFileFromJson(text, kind);
    if (!file || file->items.records.empty())
        return false;
    for (const auto &record : file->items.records) {
        const auto again = exchange::recordFromJson(exchange::recordToJson(record), record.kind, "");
        require(again && again->values == record.values && again->name == record.name,
            "an item is read back as an equal one");
    }
    const auto import = importInto(catalog(), file->items, file->refused, ExistingItems::Refuse);
    require(import.added.size() + import.replaced.size() + import.unchanged.size() + import.refused.size()
            >= file->items.records.size(),
        "each item is taken, unchanged or refused");
    return true;
}

std::vector<std::string> catalogjsonSeeds()
{
    auto seeds = resources("catalog", "s.json");
    std::erase_if(seeds, [](const std::string &text) { return text.size() > 60'000; });
    return seeds;
}

} // namespace

FLEETWRIGHT_FUZZ_TARGET(catalogjson, takeCatalogJson, catalogjsonSeeds, Form::Text, 150)

} // namespace fleetwright::fuzz
