// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sweepdocument.h"

#include <QString>

/// Axes as their fields show them: with names where the document has ids and keys, both of which can be typed as well.
namespace fleetwright::app {

/// What a key varies, in words that no other key has: "Global batch", "Fabric › Latency".
[[nodiscard]] QString axisTitle(const SweepKey &key);
/// What it means, and the unit in which its values are typed.
[[nodiscard]] QString axisHelp(const SweepKey &key);
/// "InfiniBand HDR, InfiniBand NDR"; ids where a name would not be read back as its item.
[[nodiscard]] QString axisValues(const SweepAxis &axis, const SweepKey &key, const Catalog &catalog);
/// "DP only: TP = 1, PP = 1", of several settings a line each.
[[nodiscard]] QString axisPoints(
    const SweepAxis &axis, std::span<const AssumptionDescriptor> assumptions, const Catalog &catalog);
/// The same with the keys that parsePoints() reads; a key stays as it is.
[[nodiscard]] QString withKeys(const QString &points, std::span<const AssumptionDescriptor> assumptions);

/// The items of a catalog between which a sweep can choose, as numbers in names are counted: "200 GbE" before
/// "1.6 TbE", fabrics by their port rate.
[[nodiscard]] std::vector<const CatalogRecord *> offeredItems(const Catalog &catalog, CatalogKind kind);

} // namespace fleetwright::app
