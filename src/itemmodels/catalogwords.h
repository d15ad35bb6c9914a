// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"

#include <QStringList>

#include <optional>

namespace fleetwright::itemmodels {

/// The values that a field of a catalog takes, where its description is a list of them ("a|b (meaning)|c").
[[nodiscard]] QStringList choicesOf(const FieldDescriptor &field);

/// A choice as it is said: "MoE decoder only transformer", "liquid".
[[nodiscard]] QString choiceInWords(QStringView choice);

/// What the field holds, for people: choices in words, powers of ten as such, no keys.
[[nodiscard]] QString helpInWords(const FieldDescriptor &field);

/// A value that stands for something else, as people say it: the name of the item that it refers to, the unit of a
/// price, a choice. Nothing for numbers and free text.
[[nodiscard]] std::optional<QString> inWords(
    const FieldDescriptor &field, const FieldValue &value, const CatalogRecord &record, const Catalog &catalog);

} // namespace fleetwright::itemmodels
