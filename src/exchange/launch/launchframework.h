// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace fleetwright::exchange {

/// The frameworks that launch configurations are written for.
enum class LaunchFramework : std::uint8_t { MegatronLm, MegatronBridge, DeepSpeed, Torchtitan, MaxText };
inline constexpr std::array allLaunchFrameworks{LaunchFramework::MegatronLm, LaunchFramework::MegatronBridge,
    LaunchFramework::DeepSpeed, LaunchFramework::Torchtitan, LaunchFramework::MaxText};

/// "megatron-lm", "megatron-bridge", "deepspeed", "torchtitan", "maxtext".
[[nodiscard]] std::string_view toString(LaunchFramework framework);
[[nodiscard]] Expected<LaunchFramework> parseLaunchFramework(std::string_view text, std::string_view field = "--for");

/// What people call it, and the state of its sources that names and rules were taken from.
struct LaunchSnapshot {
    std::string_view title; ///< "Megatron-LM"
    std::string_view commit;
    std::string_view date;
    std::string_view suffix; ///< of a file for it: ".sh"
    std::string_view use; ///< what to do with the text, one sentence
};
[[nodiscard]] const LaunchSnapshot &snapshotOf(LaunchFramework framework);
/// "Megatron-LM@d98e8a64 of 2026-08-21".
[[nodiscard]] std::string inWords(const LaunchSnapshot &snapshot);

} // namespace fleetwright::exchange
