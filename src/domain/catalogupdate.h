// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalogedit.h"

/// "Update from shipped catalog": a project holds the catalogs that the program shipped when it was made; this is what
/// the catalogs that the program ships today would change in it. Items of the user stay as they are whatever happens.
/// Calibration constants are left out: they always are those of the program that has the project open.
namespace fleetwright {

enum class ItemChange {
    New, ///< the project lacks the item
    Changed,
    Withdrawn, ///< no longer shipped; the project keeps it
    Blocked ///< an item of the user stands in the way
};

/// "new", "changed", "no longer shipped", "blocked".
[[nodiscard]] std::string_view toString(ItemChange change);

/// One difference between two versions of an item. `key` is that of a field or "name", "known_confusions", "notes",
/// "sources" (as texts: title, publisher, fields and confidence).
struct FieldChange {
    std::string_view key;
    std::string_view label;
    FieldValue before, after; ///< monostate: unknown, empty
    bool operator==(const FieldChange &) const = default;
};

/// The value with unit and all digits; "unknown" where there is none, "none" for an empty list.
[[nodiscard]] std::string valueText(CatalogKind kind, std::string_view key, const FieldValue &value);

struct ItemUpdate {
    ItemId item;
    std::string name;
    ItemChange change = ItemChange::Changed;
    std::vector<FieldChange> fields{}; ///< of changed items, in the order of forms
    std::string reason{}; ///< of blocked items: what stands in the way and what to do

    [[nodiscard]] bool isApplicable() const { return change == ItemChange::New || change == ItemChange::Changed; }
    bool operator==(const ItemUpdate &) const = default;
};

/// Every difference, catalog by catalog; within one, changed and withdrawn items in the project's order, then new ones
/// in that of the program.
[[nodiscard]] std::vector<ItemUpdate> compareWithShipped(const Catalog &project, const Catalog &shipped);

/// The project's catalog with everything applied that can be: as it may be afterwards, for asking what uses an item.
[[nodiscard]] Catalog afterUpdate(Catalog project, const Catalog &shipped, std::span<const ItemUpdate> updates);

/// New items that these need and that are not among them, and what those need in turn: the currency of a price, the
/// accelerator of a node.
[[nodiscard]] std::vector<ItemId> alsoNeeded(
    const Catalog &project, const Catalog &shipped, std::span<const ItemId> items);

/// The edit that gives the project these items as they are shipped, and the sources that they cite. UnknownReference
/// (not shipped, not in the project), UnsupportedValue (nothing to update) or ConstraintViolated (blocked; an item that
/// is needed is not among them), each with "prices/id" as field.
[[nodiscard]] Expected<CatalogEdit> updateTo(
    const Catalog &project, const Catalog &shipped, std::span<const ItemId> items);

} // namespace fleetwright
