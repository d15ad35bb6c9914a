// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"

#include <map>
#include <stop_token>
#include <tuple>

namespace fleetwright::size {

/// resolve() for many fleets of the catalog, which differ in node, fabric, oversubscription, site and way of paying
/// alone. What a fleet costs does not depend on its fabric but for the parts of the network, and looking for prices is
/// most of the work: a fleet whose node and whose fabric are known is put together of both.
class FleetResolver {
public:
    /// `catalog` must outlive it.
    explicit FleetResolver(const Catalog &catalog) : m_catalog(catalog) { }

    /// On all threads of the caller's arena; those that cannot be resolved say why in of(). Returns early on a stop.
    void resolveAhead(const std::vector<FleetDocument> &documents, const std::stop_token &stop);
    /// Equal to resolve().
    [[nodiscard]] Expected<Fleet> of(const FleetDocument &document);

private:
    using NodeKey = std::tuple<std::string, std::string, std::string, Paying, RentTerm>; ///< with the site
    using FabricKey = std::pair<std::string, std::optional<double>>;
    [[nodiscard]] static NodeKey nodeOf(const FleetDocument &document);
    [[nodiscard]] static FabricKey fabricOf(const FleetDocument &document);
    void remember(const FleetDocument &document, const Fleet &fleet);

    const Catalog &m_catalog;
    std::map<NodeKey, Fleet> m_ofNode; ///< on some fabric
    std::map<FabricKey, Fleet> m_ofFabric; ///< with some node
};

} // namespace fleetwright::size
