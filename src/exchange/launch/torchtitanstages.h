// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/launch/launch.h"

namespace fleetwright::exchange {

/// The most layers of a stage, by which torchtitan counts its stages. Nothing where no such number makes as many as the
/// plan has, or the layers are unknown.
[[nodiscard]] std::optional<std::int64_t> titanLayersPerStage(const Launch &launch);

} // namespace fleetwright::exchange
