// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/catalogedit.h"

#include <set>
#include <utility>

namespace fleetwright {

CatalogEdit editTo(const Catalog &catalog, CatalogItems after)
{
    CatalogEdit edit{{}, std::move(after)};
    for (const auto &record : edit.after.records)
        if (const auto *before = catalog.find(record.kind, record.id))
            edit.before.records.push_back(*before);
    for (const auto &[kind, source] : edit.after.sources)
        if (const auto *before = catalog.source(kind, source.id))
            edit.before.sources.push_back({kind, *before});
    return edit;
}

CatalogItems leaving(const CatalogItems &from, const CatalogItems &to)
{
    std::set<std::pair<CatalogKind, std::string_view>> records, sources;
    for (const auto &record : to.records)
        records.emplace(record.kind, record.id);
    for (const auto &[kind, source] : to.sources)
        sources.emplace(kind, source.id);
    CatalogItems gone;
    for (const auto &record : from.records)
        if (!records.contains({record.kind, record.id}))
            gone.records.push_back(record);
    for (const auto &[kind, source] : from.sources)
        if (!sources.contains({kind, source.id}))
            gone.sources.push_back({kind, source});
    return gone;
}

void apply(Catalog &catalog, const CatalogItems &from, const CatalogItems &to)
{
    const auto gone = leaving(from, to);
    for (const auto &record : gone.records)
        catalog.remove(record.kind, record.id);
    for (const auto &[kind, source] : gone.sources)
        catalog.removeSource(kind, source.id);
    for (const auto &[kind, source] : to.sources)
        catalog.insert(kind, source);
    for (const auto &record : to.records)
        catalog.insert(record);
}

std::vector<CatalogItems::KindSource> newSources(
    std::span<const CatalogRecord> records, const Catalog &known, const Catalog &catalog)
{
    std::vector<CatalogItems::KindSource> found;
    std::set<std::pair<CatalogKind, std::string_view>> seen;
    for (const auto &record : records)
        for (const auto &attribution : record.attributions) {
            const auto *source = known.source(record.kind, attribution.sourceId);
            const auto *present = catalog.source(record.kind, attribution.sourceId);
            if (source && (!present || *present != *source) && seen.emplace(record.kind, attribution.sourceId).second)
                found.push_back({record.kind, *source});
        }
    return found;
}

} // namespace fleetwright
