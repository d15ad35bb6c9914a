// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/catalogedit.h"
#include "exchange/catalogfiles.h"
#include "fuzzsupport.h"

namespace fleetwright::fuzz {

namespace {

bool takeCatalogCsv(std::string_view text)
{
    bool any = false;
    for (const auto kind : {CatalogKind::Price, CatalogKind::Node}) {
        const auto file = exchange::catalogFileFromCsv(text, kind);
        if (!file || file->items.records.empty())
            continue;
        any = true;
        Catalog read;
        apply(read, {}, file->items);
        const auto again = exchange::catalogFileFromCsv(exchange::catalogFileToCsv(read, kind), kind);
        require(again && again->refused.empty(), "what a table is written as can be read");
        Catalog twice;
        apply(twice, {}, again->items);
        for (const auto &record : read.records(kind)) {
            const auto *same = twice.find(kind, record.id);
            require(same && same->values == record.values && same->name == record.name && same->notes == record.notes,
                "an item is read back as an equal one");
        }
    }
    return any;
}

std::vector<std::string> catalogcsvSeeds()
{
    return {exchange::catalogFileToCsv(catalog(), CatalogKind::Node),
        exchange::catalogFileToCsv(catalog(), CatalogKind::Price).substr(0, 6000),
        "id,name,notes\nmine,'=1+1,\"'@SUM(A1)\"\nown,''+a,'-b\n"};
}

} // namespace

FLEETWRIGHT_FUZZ_TARGET(catalogcsv, takeCatalogCsv, catalogcsvSeeds, Form::Text, 600)

} // namespace fleetwright::fuzz
