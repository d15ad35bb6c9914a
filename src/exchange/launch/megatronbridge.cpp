// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/launchwriters.h"
#include "exchange/launch/megatronsettings.h"

namespace fleetwright::exchange::launchwriters {

LaunchConfiguration megatronBridge(const Launch &launch)
{
    auto told = launch.withoutFlag;
    told.push_back(
        "The model, its data and its optimizer are the recipe's: choose that of " + launch.workloadName + ".");
    const auto settings = megatronSettings(launch, told);
    const auto &software = launch.software;
    if (software)
        told.emplace_back("The recipe's comm_overlap would overwrite which communication overlaps, so it is null; what "
                          "else it sets is left to you (CUDA_DEVICE_MAX_CONNECTIONS: 1 with TP or CP before Blackwell, "
                          "but not with Megatron-FSDP).");
    if (software && software->gradientBytes == 2 && launch.precision != Precision::Fp32
        && launch.precision != Precision::Fp16)
        told.emplace_back("Gradients of 2 bytes have no override: mixed_precision sets their precision, and reduces "
                          "them in 4.");
    if (software && software->unfusedAttention)
        told.emplace_back("Where the word unfused is not taken for model.attention_backend, the environment decides: "
                          "NVTE_FLASH_ATTN=0, NVTE_FUSED_ATTN=0 and NVTE_UNFUSED_ATTN=1.");
    if (launch.precision == Precision::Fp32)
        told.emplace_back("Without mixed_precision the data type is that of the recipe's model; fp32 is set in its "
                          "code.");
    std::string text = commentedHead(launch, LaunchFramework::MegatronBridge, told);
    if (software)
        text += "comm_overlap=null\n";
    for (const auto &setting : settings)
        if (!setting.field.empty())
            text += setting.field + "=" + setting.fieldValue + "\n";
    return {std::move(text), std::move(told)};
}

} // namespace fleetwright::exchange::launchwriters
