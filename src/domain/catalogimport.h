// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalogedit.h"

/// Items of a file becoming items of the user's own in a project.
namespace fleetwright {

/// An item of a file that the project does not take, and why. The id is empty where the file states none.
struct RefusedItem {
    ItemId item;
    Error error; ///< `field` is that of the item, or the place in the file of an item that cannot be read
    bool operator==(const RefusedItem &) const = default;
};

/// What to do with an item of the user's own that the file has otherwise.
enum class ExistingItems { Refuse, Replace };

struct CatalogImport {
    CatalogEdit edit; ///< of the items that can be taken
    std::vector<ItemId> added, replaced;
    std::vector<ItemId> unchanged; ///< the project has them just so, shipped or own
    std::vector<RefusedItem> refused;
};

/// Judges the items together, so that they may refer to each other; what refers to a refused one is refused as well.
/// ReadOnly: the project's item of this id is a shipped one. ConstraintViolated: it is the user's own and differs, or
/// the file has the id twice. Otherwise as of Catalog::check. A source that the project knows under the same id with
/// another text comes in under an id of its own. `unread` stands before what is refused here.
[[nodiscard]] CatalogImport importInto(
    const Catalog &project, CatalogItems items, std::vector<RefusedItem> unread, ExistingItems existing);

} // namespace fleetwright
