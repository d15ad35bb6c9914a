// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalogrecord.h"

#include <array>

namespace fleetwright {

/// A snapshot of all catalogs: what a job, a form or a document needs to turn names into values. Plain data, no
/// database behind it.
class Catalog {
public:
    /// Adds the record, or replaces the one with the same kind and id.
    void insert(CatalogRecord record);
    void remove(CatalogKind kind, std::string_view id);
    void insert(CatalogKind kind, Source source);
    void removeSource(CatalogKind kind, std::string_view id);

    [[nodiscard]] const CatalogRecord *find(CatalogKind kind, std::string_view id) const;
    [[nodiscard]] const Source *source(CatalogKind kind, std::string_view id) const;
    /// In insertion order.
    [[nodiscard]] std::span<const CatalogRecord> records(CatalogKind kind) const;
    [[nodiscard]] std::span<const Source> sources(CatalogKind kind) const;

    /// The item, or UnknownReference naming `field`, the id and the nearest existing ids.
    [[nodiscard]] Expected<const CatalogRecord *> require(
        CatalogKind kind, std::string_view id, std::string_view field) const;

    /// The record's own rules, that every item it refers to exists and, for calibration constants and planning
    /// defaults of the user, checkConstant() and checkPlanningDefault().
    [[nodiscard]] Expected<void> check(const CatalogRecord &record) const;
    /// Every record that breaks a rule, with its kind and id in Error::field ("nodes/my_node.accelerator_id").
    [[nodiscard]] std::vector<Error> checkAll() const;
    /// Ids of items whose references name this item; deleting it would orphan them.
    [[nodiscard]] std::vector<std::string> usersOf(CatalogKind kind, std::string_view id) const;

    /// "Vendor datasheet (NVIDIA, 2023), vendor spec, read 2026-11-20": where a field's value comes from, for tooltips
    /// and reports.
    [[nodiscard]] std::string provenanceText(const CatalogRecord &record, std::string_view field) const;

private:
    std::array<std::vector<CatalogRecord>, allCatalogKinds.size()> m_records;
    std::array<std::map<std::string, std::size_t, std::less<>>, allCatalogKinds.size()> m_index;
    std::array<std::vector<Source>, allCatalogKinds.size()> m_sources;
    std::array<std::map<std::string, std::size_t, std::less<>>, allCatalogKinds.size()> m_sourceIndex;
};

/// The items that the record names: those of its reference fields and the currency of a price. Nothing is looked up.
[[nodiscard]] std::vector<ItemId> referencesOf(const CatalogRecord &record);

} // namespace fleetwright
