// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "text/localizedparts.h"
#include "text/utf8.h"

/// What the catalogs that come with the program say, in the language of who reads it.
namespace fleetwright {

/// A note of the item, or what it warns of; what people wrote stays as they wrote it.
[[nodiscard]] inline QString saidBy(const CatalogRecord &record, std::string_view text)
{
    return record.shipped ? localizedAsWhole(text) : utf8(text);
}

/// What the item is called; a name that somebody gave stays.
[[nodiscard]] inline QString nameInWords(const CatalogRecord &record) { return saidBy(record, record.name); }

/// The same of an item that a document refers to, or states itself.
[[nodiscard]] inline QString nameInWords(const ItemReference &reference, CatalogKind kind, const Catalog &catalog)
{
    const auto *id = std::get_if<std::string>(&reference);
    const auto *record = id ? catalog.find(kind, *id) : nullptr;
    return record ? nameInWords(*record) : utf8(nameOf(reference, kind, catalog));
}

} // namespace fleetwright
