// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/blocks/topology.h"

#include "domain/rules.h"

#include <algorithm>

namespace fleetwright {

Expected<TopologyFigures> topologyFigures(
    std::string_view kind, std::int64_t nodes, Bandwidth bandwidth, double oversubscription)
{
    rules::Checker rule("");
    rule.positive("bandwidth", "The bandwidth", bandwidth);
    rule.atLeast("oversubscription", "The oversubscription", oversubscription, 1);
    rule.within("nodes", "The number of nodes", double(nodes), 1, 1e15);
    if (!rule.result())
        return std::unexpected(rule.result().error());
    const double n = double(nodes);
    TopologyFigures figures{.averageHops = 4.0};
    if (kind == "dragonfly") {
        figures.bisectionShare = 0.85;
        figures.averageHops = 3.0;
    } else if (kind == "torus_3d") {
        figures.bisectionShare = std::min(1.0, 2.0 / std::cbrt(n));
        figures.averageHops = 0.75 * std::cbrt(n);
    } else if (kind == "ring") {
        figures.bisectionShare = std::min(1.0, 2.0 / n);
        figures.averageHops = n / 4.0;
    }
    figures.effectiveBandwidth = figures.bisectionShare / oversubscription * bandwidth;
    figures.bisectionBandwidth = n / 2.0 * figures.effectiveBandwidth;
    return figures;
}

} // namespace fleetwright
