// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/launch/launch.h"

#include <array>
#include <string>
#include <vector>

/// What Megatron-LM's arguments and Megatron-Bridge's fields are set to: the same settings under two names.
namespace fleetwright::exchange {

enum class MegatronGroup { Model, Layout, Training };

struct MegatronSetting {
    MegatronGroup group = MegatronGroup::Layout;
    std::string argument; ///< "--tensor-model-parallel-size"; empty: has none, or is not set
    std::string value; ///< of the argument; empty: a flag
    std::string field; ///< "model.tensor_model_parallel_size"; empty: has none
    std::string fieldValue;
};

/// Layout and training of a launch that keeps the rules; what is left out on the way is told.
[[nodiscard]] std::vector<MegatronSetting> megatronSettings(const Launch &launch, std::vector<std::string> &told);

/// The shapes of the model as arguments; fields have none, since a recipe brings its model. MissingField "workload".
[[nodiscard]] Expected<std::vector<MegatronSetting>> megatronModel(
    const Launch &launch, std::vector<std::string> &told);

/// Megatron's names for the precisions that it trains in besides its 16 bits.
inline constexpr std::string_view megatronFp8Format = "hybrid", megatronFp4Format = "e2m1";
/// ZeRO 0 to 3 in the words of --data-parallel-sharding-strategy.
inline constexpr std::array<std::string_view, 4> megatronSharding{
    "no_shard", "optim", "optim_grads", "optim_grads_params"};

} // namespace fleetwright::exchange
