// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"
#include "text/catalogchoices.h"

#include <QStringList>

#include <optional>

namespace fleetwright::itemmodels {

/// By which names are sorted as people expect: numbers by what they are ("100 GbE" before "400 GbE" before "1.6 TbE"),
/// and a count in front of a name behind it ("8x RTX 6000" beside other RTX).
[[nodiscard]] QString naturalKey(const QString &text);

/// What the field holds, for people: choices in words, powers of ten as such, no keys.
[[nodiscard]] QString helpInWords(const FieldDescriptor &field);
[[nodiscard]] QString helpInWords(QString description); ///< of a field or of an input that is one

/// The unit of an item that states its own, as people write it: "µs", "GB/s", "of the fleet" (of a percentage); itself
/// where it is written so already.
[[nodiscard]] QString statedUnitInWords(const QString &unit);

/// A value that stands for something else, as people say it: the names of the items that it refers to, a unit, a
/// choice, the term of a rent, whether it is so; of a share (whose unit another field states) the percentage. Nothing
/// for other numbers and free text.
[[nodiscard]] std::optional<QString> inWords(
    const FieldDescriptor &field, const FieldValue &value, const CatalogRecord &record, const Catalog &catalog);

/// In words the unit of a value that another field of the item states: "weeks", "USD per node"; empty for others.
[[nodiscard]] QString statedUnitOf(const FieldDescriptor &field, const CatalogRecord &record);

/// A text of many recorded values, "accelerator id: nvidia_h100_sxm5_80gb, latency us: 50", with names and units:
/// "accelerator: NVIDIA H100 SXM5 80GB, latency: 50 µs". Ids that the catalog lacks stay.
[[nodiscard]] QString recordedInWords(QString words, const Catalog &catalog);

/// The values that an earlier program held for the item, kept for comparison: nothing that a figure is made from.
[[nodiscard]] bool isUpstream(const FieldDescriptor &field);
/// A key that documents and programs call the item by, which its name says to people.
[[nodiscard]] bool isForDocuments(const FieldDescriptor &field);

} // namespace fleetwright::itemmodels
