// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/catalog.h"

#include "domain/calibration.h"
#include "domain/planningdefaults.h"
#include "domain/price.h"
#include "units/editdistance.h"

#include <algorithm>

namespace fleetwright {

namespace {

std::size_t at(CatalogKind kind) { return static_cast<std::size_t>(kind); }

void insertOrReplace(auto &items, auto &index, auto item)
{
    const auto [position, isNew] = index.try_emplace(item.id, items.size());
    if (isNew)
        items.push_back(std::move(item));
    else
        items[position->second] = std::move(item);
}

void takeOut(auto &items, auto &index, std::string_view id)
{
    const auto found = index.find(id);
    if (found == index.end())
        return;
    items.erase(items.begin() + std::ptrdiff_t(found->second));
    index.clear();
    for (std::size_t i = 0; i < items.size(); ++i)
        index.emplace(items[i].id, i);
}

} // namespace

void Catalog::insert(CatalogRecord record)
{
    insertOrReplace(m_records[at(record.kind)], m_index[at(record.kind)], std::move(record));
}

void Catalog::insert(CatalogKind kind, Source source)
{
    insertOrReplace(m_sources[at(kind)], m_sourceIndex[at(kind)], std::move(source));
}

void Catalog::remove(CatalogKind kind, std::string_view id) { takeOut(m_records[at(kind)], m_index[at(kind)], id); }

void Catalog::removeSource(CatalogKind kind, std::string_view id)
{
    takeOut(m_sources[at(kind)], m_sourceIndex[at(kind)], id);
}

const CatalogRecord *Catalog::find(CatalogKind kind, std::string_view id) const
{
    const auto &index = m_index[at(kind)];
    const auto found = index.find(id);
    return found == index.end() ? nullptr : &m_records[at(kind)][found->second];
}

const Source *Catalog::source(CatalogKind kind, std::string_view id) const
{
    const auto &index = m_sourceIndex[at(kind)];
    const auto found = index.find(id);
    return found == index.end() ? nullptr : &m_sources[at(kind)][found->second];
}

std::span<const CatalogRecord> Catalog::records(CatalogKind kind) const { return m_records[at(kind)]; }

std::span<const Source> Catalog::sources(CatalogKind kind) const { return m_sources[at(kind)]; }

Expected<const CatalogRecord *> Catalog::require(CatalogKind kind, std::string_view id, std::string_view field) const
{
    if (const auto *found = find(kind, id))
        return found;
    const std::string shown(id.substr(0, 60));
    std::string message = "There is no " + std::string(itemName(kind)) + " \u201c" + shown + "\u201d in the catalog";
    const auto items = records(kind);
    const auto nearest = std::ranges::min_element(
        items, {}, [&](const CatalogRecord &r) { return editDistance(r.id, shown); });
    if (nearest != items.end() && editDistance(nearest->id, shown) <= std::max<std::size_t>(3, shown.size() / 3))
        message += "; did you mean \u201c" + nearest->id + "\u201d?";
    else
        message += "; choose one of the " + std::string(toString(kind)) + " catalog or add it there.";
    return refuse(ErrorCode::UnknownReference, std::string(field), message);
}

namespace {

/// The ids in a field that names items; a field that names none is not asked for its text.
std::vector<std::string> namedBy(const CatalogRecord &record, const FieldDescriptor &field)
{
    const auto *value = field.reference || !field.referenceKindField.empty() ? record.find(field.key) : nullptr;
    if (!value)
        return {};
    if (const auto *many = std::get_if<std::vector<std::string>>(value))
        return *many;
    const auto *one = std::get_if<std::string>(value);
    return one ? std::vector{*one} : std::vector<std::string>();
}

/// An item is named, and the catalog that it is in is not, or wrongly.
Expected<void> unknownKind(const CatalogRecord &record, const FieldDescriptor &field)
{
    const auto *kindField = findField(record.kind, field.referenceKindField);
    const auto text = record.text(field.referenceKindField);
    if (!text)
        return refuse(ErrorCode::MissingField, std::string(field.referenceKindField),
            std::string(kindField->label) + " says where \u201c" + namedBy(record, field).front()
                + "\u201d is to be found; state it, or leave " + std::string(field.label) + " empty.");
    return std::unexpected(parseCatalogKind(*text, field.referenceKindField).error());
}

} // namespace

Expected<void> Catalog::check(const CatalogRecord &record) const
{
    if (auto ok = fleetwright::check(record); !ok)
        return ok;
    for (const auto &field : fields(record.kind)) {
        const auto targets = namedBy(record, field);
        if (targets.empty())
            continue;
        const auto kind = referenceOf(field, record);
        if (!kind && !field.referenceKindField.empty())
            return unknownKind(record, field);
        for (const auto &target : targets) {
            if (!kind || (target == record.id && *kind == record.kind))
                continue;
            if (const auto found = require(*kind, target, field.key); !found)
                return std::unexpected(found.error());
        }
    }
    if (record.kind == CatalogKind::Price)
        if (auto ok = checkPrice(record, *this); !ok)
            return ok;
    if (record.kind == CatalogKind::CalibrationConstant && !record.shipped)
        if (auto ok = checkConstant(record, *this); !ok)
            return ok;
    if (record.kind == CatalogKind::PlanningDefault && !record.shipped)
        if (auto ok = checkPlanningDefault(record, *this); !ok)
            return ok;
    for (const auto &attribution : record.attributions)
        if (!source(record.kind, attribution.sourceId))
            return refuse(ErrorCode::UnknownReference, "sources",
                "The source \u201c" + attribution.sourceId + "\u201d of \u201c" + record.name
                    + "\u201d is not listed among the sources.");
    return {};
}

std::vector<Error> Catalog::checkAll() const
{
    std::vector<Error> found;
    for (const auto kind : allCatalogKinds)
        for (const auto &record : records(kind))
            if (auto ok = check(record); !ok) {
                Error error = std::move(ok.error());
                error.field = std::string(toString(kind)) + "/" + record.id + "." + error.field;
                found.push_back(std::move(error));
            }
    return found;
}

std::vector<std::string> Catalog::usersOf(CatalogKind kind, std::string_view id) const
{
    std::vector<std::string> users;
    for (const auto other : allCatalogKinds)
        for (const auto &record : records(other))
            for (const auto &named : referencesOf(record))
                if (named.kind == kind && named.id == id)
                    users.push_back(record.id);
    return users;
}

std::vector<ItemId> referencesOf(const CatalogRecord &record)
{
    std::vector<ItemId> named;
    for (const auto &field : fields(record.kind))
        if (const auto kind = referenceOf(field, record))
            for (auto &id : namedBy(record, field))
                named.push_back({*kind, std::move(id)});
    if (record.kind == CatalogKind::Price)
        if (auto currency = currencyItemOf(record))
            named.push_back({CatalogKind::Currency, std::move(*currency)});
    return named;
}

std::string Catalog::provenanceText(const CatalogRecord &record, std::string_view field) const
{
    const auto *attribution = record.attribution(field);
    if (!attribution)
        return record.shipped ? "no source stated" : "entered by you";
    std::string text;
    if (const auto *from = source(record.kind, attribution->sourceId)) {
        text = from->title;
        if (!from->publisher.empty())
            text += " (" + from->publisher + (from->published.empty() ? "" : ", " + from->published) + ")";
        text += ", ";
    }
    text += "confidence: " + std::string(inWords(attribution->confidence));
    switch (attribution->verification) {
    case Verification::Read: text += ", source read"; break;
    case Verification::NotReread: text += ", source not re-read"; break;
    case Verification::Derived: text += ", derived from other fields"; break;
    }
    return text;
}

} // namespace fleetwright
