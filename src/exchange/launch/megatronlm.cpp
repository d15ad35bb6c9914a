// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/launchwriters.h"
#include "exchange/launch/megatronsettings.h"

#include <algorithm>

namespace fleetwright::exchange::launchwriters {

namespace {

/// Numbers and words stand as they are; a pattern of layers would be one of file names.
std::string shellWord(const std::string &value)
{
    const bool plain = std::ranges::all_of(value, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-'
            || c == '.';
    });
    return plain ? value : "'" + value + "'";
}

std::string shellList(std::string_view name, const std::vector<MegatronSetting> &settings, MegatronGroup group)
{
    std::string text = std::string(name) + "=(\n";
    for (const auto &setting : settings)
        if (setting.group == group && !setting.argument.empty())
            text += "    " + setting.argument + (setting.value.empty() ? "" : " " + shellWord(setting.value)) + "\n";
    return text + ")\n";
}

} // namespace

Expected<LaunchConfiguration> megatronLm(const Launch &launch)
{
    auto told = launch.withoutFlag;
    auto settings = megatronModel(launch, told);
    if (!settings)
        return std::unexpected(settings.error());
    std::ranges::move(megatronSettings(launch, told), std::back_inserter(*settings));
    if (launch.virtualStages > 1 && launch.pp == 2 && launch.software && !launch.software->ppOverlap.on)
        told.emplace_back("The plan is priced without overlap of pipeline transfers, which virtual stages on two "
                          "pipeline ranks need here.");
    std::string text = "#!/bin/bash\n" + commentedHead(launch, LaunchFramework::MegatronLm, told);
    // TP and CP want their kernels in the order in which they were launched, which FSDP and Blackwell do not.
    if ((launch.tp > 1 || launch.cp > 1) && launch.zeroStage < 2 && !launch.blackwellOrLater)
        text += "export CUDA_DEVICE_MAX_CONNECTIONS=1\n\n";
    text += shellList("MODEL", *settings, MegatronGroup::Model) + shellList("LAYOUT", *settings, MegatronGroup::Layout)
        + shellList("TRAINING", *settings, MegatronGroup::Training);
    text += "\nexec torchrun --nnodes " + std::to_string(launch.nodes) + " --nproc-per-node "
        + std::to_string(launch.acceleratorsPerNode)
        + " \\\n    --node-rank \"${NODE_RANK:?set it on every node, from 0}\" \\\n"
          "    --master-addr \"${MASTER_ADDR:?the first node}\" --master-port \"${MASTER_PORT:-29500}\" \\\n"
          "    pretrain_gpt.py \"${MODEL[@]}\" \"${LAYOUT[@]}\" \"${TRAINING[@]}\" \"$@\"\n";
    return LaunchConfiguration{std::move(text), std::move(told)};
}

} // namespace fleetwright::exchange::launchwriters
