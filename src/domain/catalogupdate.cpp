// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/catalogupdate.h"

#include <algorithm>
#include <set>

namespace fleetwright {

namespace {

FieldValue textOrUnknown(const std::string &text) { return text.empty() ? FieldValue() : FieldValue(text); }

FieldValue listOrUnknown(const std::vector<std::string> &list)
{
    return list.empty() ? FieldValue() : FieldValue(list);
}

FieldValue valueOrUnknown(const CatalogRecord &record, std::string_view key)
{
    const auto *value = record.find(key);
    return value ? *value : FieldValue();
}

/// Where the values come from, with the text of each source, since that may be corrected too.
FieldValue sourcesOf(const CatalogRecord &record, const Catalog &catalog)
{
    std::vector<std::string> list;
    for (const auto &attribution : record.attributions) {
        std::string text = attribution.sourceId;
        if (const auto *source = catalog.source(record.kind, attribution.sourceId)) {
            text = source->title;
            for (const auto *part : {&source->publisher, &source->published, &source->url, &source->note})
                if (!part->empty())
                    text += ", " + *part;
            if (!source->accessed.empty())
                text += ", read " + source->accessed;
        }
        std::string known;
        for (const auto &name : attribution.fields) {
            const auto *field = findField(record.kind, name);
            known += (known.empty() ? "" : ", ")
                + (name == "*"  ? "all fields"
                        : field ? std::string(field->label)
                                : name);
        }
        list.push_back(text + " (" + known + "; " + std::string(inWords(attribution.confidence)) + ", "
            + std::string(inWords(attribution.verification)) + ")");
    }
    return listOrUnknown(list);
}

std::vector<FieldChange> differences(
    const CatalogRecord &before, const Catalog &project, const CatalogRecord &after, const Catalog &shipped)
{
    std::vector<FieldChange> all{{"name", "Name", textOrUnknown(before.name), textOrUnknown(after.name)}};
    for (const auto &field : fields(before.kind))
        all.push_back({field.key, field.label, valueOrUnknown(before, field.key), valueOrUnknown(after, field.key)});
    all.push_back({"known_confusions", "Known confusions", listOrUnknown(before.knownConfusions),
        listOrUnknown(after.knownConfusions)});
    all.push_back({"notes", "Notes", textOrUnknown(before.notes), textOrUnknown(after.notes)});
    all.push_back({"sources", "Sources", sourcesOf(before, project), sourcesOf(after, shipped)});
    std::erase_if(all, [](const FieldChange &change) { return change.before == change.after; });
    return all;
}

std::string inQuotes(const std::string &text) { return "\u201c" + text + "\u201d"; }

/// The ids that the program ships and the user has given to items of their own.
bool takenByOwn(const Catalog &project, const ItemId &item)
{
    const auto *own = project.find(item.kind, item.id);
    return own && !own->shipped;
}

/// A shipped item may refer to another whose id is taken, directly or through others that the project lacks: it would
/// mean the user's item. The id that is taken, or nothing.
std::optional<ItemId> obstacle(
    const Catalog &project, const Catalog &shipped, const CatalogRecord &record, std::set<ItemId> &asked)
{
    for (const auto &needed : referencesOf(record)) {
        const auto *target = shipped.find(needed.kind, needed.id);
        if (!target || !asked.insert(needed).second)
            continue;
        if (takenByOwn(project, needed))
            return needed;
        if (!project.find(needed.kind, needed.id))
            if (auto further = obstacle(project, shipped, *target, asked))
                return further;
    }
    return std::nullopt;
}

std::string reasonFor(const Catalog &project, const Catalog &shipped, const CatalogRecord &record)
{
    const auto remedy = [](const ItemId &taken) {
        return "to get the shipped one, duplicate yours under another id, let plans use that, and delete the one with "
               "this id ("
            + toString(taken) + ").";
    };
    const ItemId self{record.kind, record.id};
    if (takenByOwn(project, self))
        return "An item of your own has the id " + inQuotes(record.id) + " and stays as it is; " + remedy(self);
    std::set<ItemId> asked{self};
    if (const auto taken = obstacle(project, shipped, record, asked))
        return "It refers to the shipped " + std::string(itemName(taken->kind)) + " " + inQuotes(taken->id)
            + ", and an item of your own has this id; " + remedy(*taken);
    return {};
}

const ItemUpdate *findUpdate(const std::vector<ItemUpdate> &updates, const ItemId &item)
{
    const auto found = std::ranges::find(updates, item, &ItemUpdate::item);
    return found == updates.end() ? nullptr : &*found;
}

} // namespace

std::string_view toString(ItemChange change)
{
    switch (change) {
    case ItemChange::New: return "new";
    case ItemChange::Changed: return "changed";
    case ItemChange::Withdrawn: return "no longer shipped";
    case ItemChange::Blocked: return "blocked";
    }
    return {};
}

std::string valueText(CatalogKind kind, std::string_view key, const FieldValue &value)
{
    if (std::holds_alternative<std::monostate>(value))
        return "unknown";
    if (const auto *list = std::get_if<std::vector<std::string>>(&value); list && list->empty())
        return "none";
    const auto *field = findField(kind, key);
    const FieldDescriptor member{key, key, {}, FieldType::Text};
    return exactDisplay(field ? *field : member, value);
}

std::vector<ItemUpdate> compareWithShipped(const Catalog &project, const Catalog &shipped)
{
    std::vector<ItemUpdate> updates;
    for (const auto kind : allCatalogKinds) {
        if (!isShippedAsFile(kind))
            continue;
        for (const auto &before : project.records(kind)) {
            if (!before.shipped)
                continue;
            const auto *after = shipped.find(kind, before.id);
            if (!after) {
                updates.push_back({{kind, before.id}, before.name, ItemChange::Withdrawn});
                continue;
            }
            auto changed = differences(before, project, *after, shipped);
            if (changed.empty())
                continue;
            auto reason = reasonFor(project, shipped, *after);
            updates.push_back({{kind, before.id}, after->name,
                reason.empty() ? ItemChange::Changed : ItemChange::Blocked, std::move(changed), std::move(reason)});
        }
        for (const auto &after : shipped.records(kind)) {
            if (const auto *before = project.find(kind, after.id); before && before->shipped)
                continue;
            auto reason = reasonFor(project, shipped, after);
            updates.push_back({{kind, after.id}, after.name, reason.empty() ? ItemChange::New : ItemChange::Blocked, {},
                std::move(reason)});
        }
    }
    return updates;
}

Catalog afterUpdate(Catalog project, const Catalog &shipped, std::span<const ItemUpdate> updates)
{
    for (const auto &update : updates)
        if (update.isApplicable())
            project.insert(*shipped.find(update.item.kind, update.item.id));
    return project;
}

std::vector<ItemId> alsoNeeded(const Catalog &project, const Catalog &shipped, std::span<const ItemId> items)
{
    std::set<ItemId> known(items.begin(), items.end());
    std::vector<ItemId> open(items.begin(), items.end());
    std::vector<ItemId> further;
    while (!open.empty()) {
        const auto item = std::move(open.back());
        open.pop_back();
        const auto *record = shipped.find(item.kind, item.id);
        for (auto &needed : record ? referencesOf(*record) : std::vector<ItemId>())
            if (!project.find(needed.kind, needed.id) && shipped.find(needed.kind, needed.id)
                && known.insert(needed).second) {
                further.push_back(needed);
                open.push_back(std::move(needed));
            }
    }
    std::ranges::sort(further);
    return further;
}

Expected<CatalogEdit> updateTo(const Catalog &project, const Catalog &shipped, std::span<const ItemId> items)
{
    const auto updates = compareWithShipped(project, shipped);
    CatalogItems after;
    for (const auto &item : std::set<ItemId>(items.begin(), items.end())) {
        const auto field = toString(item);
        const auto *record = shipped.find(item.kind, item.id);
        if (!record && !project.find(item.kind, item.id))
            return refuse(
                ErrorCode::UnknownReference, field, shipped.require(item.kind, item.id, field).error().message);
        const auto *update = findUpdate(updates, item);
        if (!record)
            return refuse(ErrorCode::UnsupportedValue, field,
                inQuotes(item.id) + " is not shipped with this program; there is nothing to update it to.");
        if (!update)
            return refuse(ErrorCode::UnsupportedValue, field, inQuotes(item.id) + " is up to date already.");
        if (!update->isApplicable())
            return refuse(ErrorCode::ConstraintViolated, field, update->reason);
        after.records.push_back(*record);
    }
    const auto missing = alsoNeeded(project, shipped, items);
    for (const auto &record : missing.empty() ? std::vector<CatalogRecord>() : after.records)
        for (const auto &needed : referencesOf(record))
            if (std::ranges::find(missing, needed) != missing.end())
                return refuse(ErrorCode::ConstraintViolated, toString(ItemId{record.kind, record.id}),
                    inQuotes(record.name) + " refers to " + toString(needed)
                        + ", which this project does not have yet; update both together.");
    after.sources = newSources(after.records, shipped, project);
    return editTo(project, std::move(after));
}

} // namespace fleetwright
