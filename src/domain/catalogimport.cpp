// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/catalogimport.h"

#include <algorithm>
#include <map>
#include <set>

namespace fleetwright {

namespace {

/// Gives sources that would take the place of others new ids, in the items that cite them too. All at once, and none
/// that another source of the file has: an item must not end with a source that it never cited.
void renameTakenSources(const Catalog &project, CatalogItems &items)
{
    using Key = std::pair<CatalogKind, std::string>;
    std::set<Key> ofFile;
    for (const auto &[kind, source] : items.sources)
        ofFile.emplace(kind, source.id);
    std::map<Key, std::string> renamed;
    for (auto &[kind, source] : items.sources) {
        const auto isTaken = [&] {
            const auto *present = project.source(kind, source.id);
            return present && *present != source;
        };
        const auto former = source.id;
        for (int number = 2; isTaken() || (source.id != former && ofFile.contains({kind, source.id})); ++number)
            source.id = former + "_" + std::to_string(number);
        if (source.id != former) {
            ofFile.emplace(kind, source.id);
            renamed.emplace(Key(kind, former), source.id);
        }
    }
    for (auto &record : items.records)
        for (auto &attribution : record.attributions)
            if (const auto found = renamed.find({record.kind, attribution.sourceId}); found != renamed.end())
                attribution.sourceId = found->second;
}

/// Why the project's own item of this id keeps the new one out; nothing where it does not.
std::optional<Error> refusalBeside(const CatalogRecord &present, ExistingItems existing)
{
    const std::string item = "\u201c" + present.id + "\u201d";
    if (present.shipped)
        return Error{ErrorCode::ReadOnly, "id",
            item + " is the id of an item that came with the program; give yours another one."};
    if (existing == ExistingItems::Refuse)
        return Error{ErrorCode::ConstraintViolated, "id",
            "There is an item of your own with the id " + item
                + " and other values; replace it, or choose another id."};
    return std::nullopt;
}

} // namespace

CatalogImport importInto(
    const Catalog &project, CatalogItems items, std::vector<RefusedItem> unread, ExistingItems existing)
{
    CatalogImport result;
    result.refused = std::move(unread);
    std::set<ItemId> seen;
    CatalogItems taken;
    for (auto &record : items.records) {
        const ItemId item{record.kind, record.id};
        if (!seen.insert(item).second) {
            result.refused.push_back({item,
                {ErrorCode::ConstraintViolated, "id",
                    "The id \u201c" + record.id + "\u201d stands twice in the file; ids are unique in a catalog."}});
            continue;
        }
        const auto *present = project.find(item.kind, item.id);
        record.shipped = present && present->shipped;
        if (present && record.attributions.empty()) // a file of values alone, such as CSV
            record.attributions = remainingAttributions(*present, record);
        if (present && *present == record)
            result.unchanged.push_back(item);
        else if (auto refusal = present ? refusalBeside(*present, existing) : std::nullopt)
            result.refused.push_back({item, std::move(*refusal)});
        else
            taken.records.push_back(std::move(record));
    }
    Catalog known;
    taken.sources = std::move(items.sources);
    renameTakenSources(project, taken);
    for (const auto &[kind, source] : taken.sources)
        known.insert(kind, source);
    // Each round may take away what another item refers to.
    for (bool settled = false; !settled;) {
        settled = true;
        auto later = project;
        apply(later, {}, taken);
        std::erase_if(taken.records, [&](const CatalogRecord &record) {
            auto ok = later.check(record);
            if (ok)
                return false;
            result.refused.push_back({{record.kind, record.id}, std::move(ok.error())});
            settled = false;
            return true;
        });
    }
    taken.sources = newSources(taken.records, known, project);
    for (const auto &record : taken.records)
        (project.find(record.kind, record.id) ? result.replaced : result.added).push_back({record.kind, record.id});
    result.edit = editTo(project, std::move(taken));
    return result;
}

} // namespace fleetwright
