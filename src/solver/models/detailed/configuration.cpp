// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/configuration.h"

#include "domain/named.h"

#include <algorithm>

namespace fleetwright::detailed {

namespace {
constexpr std::array<std::string_view, softwareCount> softwareNames{
    "megatron_v2", "megatron_ds", "megatron_core", "fsdp", "fsdp_compile", "xla", "research"};
}

std::string_view toString(Software software) { return softwareNames[static_cast<std::size_t>(software)]; }

std::string_view inWords(Software software)
{
    static constexpr std::array<std::string_view, softwareCount> words{"Megatron-LM until 2022", "Megatron-DeepSpeed",
        "Megatron-Core", "PyTorch FSDP, eager", "PyTorch FSDP, compiled", "JAX and XLA",
        "research code, eager, nothing overlapped"};
    return words[static_cast<std::size_t>(software)];
}

Expected<Software> parseSoftware(std::string_view text, std::string_view field)
{
    const auto found = std::ranges::find(softwareNames, text);
    if (found != softwareNames.end())
        return static_cast<Software>(found - softwareNames.begin());
    return refuseName(text, field, "software stack", softwareNames);
}

Stack defaultsOf(Software software)
{
    switch (software) {
    case Software::MegatronV2:
    case Software::MegatronDeepSpeed:
        return {.software = software,
            .dpOverlap = false,
            .tpOverlap = false,
            .ppOverlap = false,
            .gradientBytes = 2,
            .dropout = true};
    case Software::MegatronCore: break;
    case Software::Fsdp:
    case Software::FsdpCompiled:
        return {.software = software,
            .dpOverlap = true,
            .tpOverlap = false,
            .ppOverlap = false,
            .gradientBytes = 4,
            .dropout = false,
            .compiledLoss = software == Software::FsdpCompiled};
    case Software::Xla: return {.software = software, .gradientBytes = 4};
    case Software::Research:
        return {.software = software, .dpOverlap = false, .tpOverlap = false, .ppOverlap = false, .gradientBytes = 4};
    }
    return {.software = software};
}

} // namespace fleetwright::detailed
