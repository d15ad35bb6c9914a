// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string_view>

namespace fleetwright::exchange {

/// Models and building blocks that `fleetwright-cli evaluate` prices on their own native inputs (SI units: bytes,
/// seconds, FLOP/s, W).
[[nodiscard]] std::span<const std::string_view> nativeModels();

/// Inputs and outputs have the field names of tests/data/*.json. Missing or mistyped inputs, NaN and infinities are
/// refused with the field's name; an unknown model is UnknownReference.
[[nodiscard]] Expected<nlohmann::ordered_json> evaluateNative(
    std::string_view model, const nlohmann::ordered_json &inputs);

} // namespace fleetwright::exchange
