// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/launch/megatronarguments.h"
#include "exchange/launch/modelshapes.h"

namespace fleetwright::exchange {

/// Whether the arguments state a model at all.
[[nodiscard]] bool statesShapes(const MegatronArguments &arguments);
/// The model that they state, Megatron-LM's own defaults filled in. What is wrong is in arguments.error().
[[nodiscard]] ModelShapes shapesFrom(MegatronArguments &arguments);

} // namespace fleetwright::exchange
