// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/launchframework.h"

#include "domain/named.h"

#include <string>

namespace fleetwright::exchange {

namespace {

constexpr std::array<std::string_view, allLaunchFrameworks.size()> frameworkIds{
    "megatron-lm", "megatron-bridge", "deepspeed", "torchtitan", "maxtext"};

constexpr std::array<LaunchSnapshot, allLaunchFrameworks.size()> snapshots{
    {{"Megatron-LM", "d98e8a64", "2026-08-21", ".sh",
         "Run it on every node from a checkout of Megatron-LM; what stands behind its name is passed on (data, "
         "tokenizer, learning rate, checkpoints)."},
        {"Megatron-Bridge", "067f987", "2026-08-21", ".txt",
            "Overrides of a recipe of the model, one a line, for the end of its command line."},
        {"DeepSpeed", "edaa7221", "2026-08-21", ".json", "The file of --deepspeed_config or deepspeed.initialize()."},
        {"torchtitan", "b5bcd76c", "2026-08-22", ".py",
            "Call it from a configuration of yours with the one of the model as base."},
        {"MaxText", "e591f30c", "2026-08-22", ".yml",
            "A configuration over base.yml; each line may stand on the command line as key=value, too."}}};

} // namespace

std::string_view toString(LaunchFramework framework) { return frameworkIds[static_cast<std::size_t>(framework)]; }

Expected<LaunchFramework> parseLaunchFramework(std::string_view text, std::string_view field)
{
    return parseNamed(text, field, "framework", allLaunchFrameworks);
}

const LaunchSnapshot &snapshotOf(LaunchFramework framework) { return snapshots[static_cast<std::size_t>(framework)]; }

std::string inWords(const LaunchSnapshot &snapshot)
{
    return std::string(snapshot.title) + "@" + std::string(snapshot.commit) + " of " + std::string(snapshot.date);
}

} // namespace fleetwright::exchange
