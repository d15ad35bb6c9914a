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
    std::string text = commentedHead(launch, LaunchFramework::MegatronBridge, told);
    for (const auto &setting : settings)
        if (!setting.field.empty())
            text += setting.field + "=" + setting.fieldValue + "\n";
    return {std::move(text), std::move(told)};
}

} // namespace fleetwright::exchange::launchwriters
