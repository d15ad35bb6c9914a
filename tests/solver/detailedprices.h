// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/detailedmaker.h"

#include <QtGlobal>

/// Prices of the detailed model for tests of its invariants.
namespace detailedmaker {

inline Pricer pricerOf(const Setting &setting)
{
    auto pricer = Pricer::make(setting);
    if (!pricer)
        qFatal("%s: %s", pricer.error().field.c_str(), pricer.error().message.c_str());
    return std::move(*pricer);
}

inline Figures priced(const Setting &setting, const Layout &layout) { return pricerOf(setting).price(layout); }
inline double step(const Setting &setting, const Layout &layout) { return priced(setting, layout).stepTime.value(); }

inline bool close(double a, double b, double relative)
{
    return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
}

/// Latencies that no bandwidth shortens.
inline void withoutLatency(Constants &constants)
{
    for (const auto constant : {Constant::ScaleUpLatency, Constant::ScaleOutLatency, Constant::TransferHost,
             Constant::TransferHostResearch, Constant::Broadcast, Constant::CollectiveLaunch})
        constants[constant] = 0;
}

inline std::string describe(const Layout &l)
{
    return "tp " + std::to_string(l.tp) + " pp " + std::to_string(l.pp) + " v " + std::to_string(l.virtualStages)
        + " cp " + std::to_string(l.cp) + " dp " + std::to_string(l.dp) + " ep " + std::to_string(l.ep) + " etp "
        + std::to_string(l.expertTp) + " mb " + std::to_string(l.microbatch) + " zero " + std::to_string(l.zeroStage);
}

/// Where kinds of layers differ between stages, the model looks at the slowest stage for the pipeline and at the
/// shortest for what hides the exchange of DP, and ZeRO 3 adds the wait of the mean layer to every layer: the
/// invariants then hold only nearly.
inline bool mixesStages(const Setting &setting, const Layout &layout)
{
    const auto &model = setting.architecture;
    return layout.pp > 1 && model.experts > 0 && model.expertLayers > 0 && model.expertLayers < model.layers;
}

} // namespace detailedmaker
