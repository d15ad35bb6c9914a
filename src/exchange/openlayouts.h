// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/layoutsearchspace.h"
#include "domain/training.h"

#include <nlohmann/json_fwd.hpp>

/// The key `layout` of plan documents, for plans whose layout is open.
namespace fleetwright::exchange {

using Json = nlohmann::ordered_json;
class ObjectReader;

/// "best", or {best: {...}} with the degrees that are fixed or limited. Refuses with "layout" and "layout.best.tp"...
[[nodiscard]] Expected<LayoutSearchSpace> bestLayoutFromJson(const Json &json);
[[nodiscard]] Json bestLayoutToJson(const LayoutSearchSpace &space);

/// What `training` states of the layout is fixed in the space, too. Refused where both say different things, and for a
/// number of microbatches, which follows from the layout.
void fixStated(ObjectReader &reader, const Json &training, const Training &stated, LayoutSearchSpace &space);

} // namespace fleetwright::exchange
