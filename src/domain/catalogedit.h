// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"

/// Edits that change many items of the catalogs at once, with the sources behind them, so that one undo takes all back.
namespace fleetwright {

/// Items of any catalogs and their sources as they stand, or as they shall stand: one side of an edit.
struct CatalogItems {
    struct KindSource {
        CatalogKind kind = CatalogKind::Accelerator;
        Source source;
        bool operator==(const KindSource &) const = default;
    };
    std::vector<CatalogRecord> records;
    std::vector<KindSource> sources;
    bool operator==(const CatalogItems &) const = default;
};

struct CatalogEdit {
    CatalogItems before, after;
};

/// What stands in the catalog of everything that `after` names, beside it: the edit to there and back.
[[nodiscard]] CatalogEdit editTo(const Catalog &catalog, CatalogItems after);

/// What `from` holds and `to` does not: it goes.
[[nodiscard]] CatalogItems leaving(const CatalogItems &from, const CatalogItems &to);

/// Brings the catalog from one side of an edit to the other.
void apply(Catalog &catalog, const CatalogItems &from, const CatalogItems &to);

/// The sources that the records cite and that `catalog` lacks or has with another text, from `known`.
[[nodiscard]] std::vector<CatalogItems::KindSource> newSources(
    std::span<const CatalogRecord> records, const Catalog &known, const Catalog &catalog);

} // namespace fleetwright
