// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/fleetresolver.h"

#include <tbb/parallel_for.h>

namespace fleetwright::size {

FleetResolver::NodeKey FleetResolver::nodeOf(const FleetDocument &document)
{
    return {std::get<std::string>(document.node), document.facility, document.grid, document.costs.paying,
        document.costs.rentTerm};
}

FleetResolver::FabricKey FleetResolver::fabricOf(const FleetDocument &document)
{
    return {std::get<std::string>(document.fabric), document.oversubscription};
}

void FleetResolver::remember(const FleetDocument &document, const Fleet &fleet)
{
    m_ofNode.try_emplace(nodeOf(document), fleet);
    m_ofFabric.try_emplace(fabricOf(document), fleet);
}

void FleetResolver::resolveAhead(const std::vector<FleetDocument> &documents, const std::stop_token &stop)
{
    std::vector<std::optional<Fleet>> fleets(documents.size());
    tbb::parallel_for(std::size_t(0), documents.size(), [&](std::size_t i) {
        if (stop.stop_requested())
            return;
        if (auto fleet = resolve(documents[i], m_catalog))
            fleets[i] = std::move(*fleet);
    });
    for (std::size_t i = 0; i < fleets.size(); ++i)
        if (fleets[i])
            remember(documents[i], *fleets[i]);
}

Expected<Fleet> FleetResolver::of(const FleetDocument &document)
{
    const auto node = m_ofNode.find(nodeOf(document));
    const auto fabric = m_ofFabric.find(fabricOf(document));
    if (node == m_ofNode.end() || fabric == m_ofFabric.end()) {
        auto fleet = resolve(document, m_catalog);
        if (fleet)
            remember(document, *fleet);
        return fleet;
    }
    FleetFacts facts = *node->second;
    facts.fabric = fabric->second->fabric;
    const auto trays = facts.costs.network.trays; // of the node
    facts.costs.network = fabric->second->costs.network;
    facts.costs.network.trays = trays;
    return Fleet::create(std::move(facts));
}

} // namespace fleetwright::size
