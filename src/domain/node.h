// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/accelerator.h"

namespace fleetwright {

/// A server, cloud instance or rack-scale system with its accelerators.
struct NodeFacts {
    std::string id;
    std::string name;
    Accelerator accelerator;
    int acceleratorsPerNode = 0;
    int scaleUpDomainSize =
        0; ///< accelerators that reach each other over the scale-up fabric; may exceed the node (72 in an NVL72)
    std::optional<Bandwidth> scaleUpBandwidth; ///< per accelerator, one direction, as the accelerator's; unknown for
                                               ///< nodes without such a link
    std::optional<Seconds> scaleUpLatency;
    std::optional<int> nicCount; ///< ports on the training fabric
    std::optional<Bandwidth> nicRate; ///< one port, one direction
    std::optional<Bytes> hostMemory;
    std::optional<Watts> maxPower;
    std::optional<int> psuCount;
    std::optional<int> rackUnits;
    bool operator==(const NodeFacts &) const = default;
};
using Node = Valid<NodeFacts>;

/// At least one accelerator, a scale-up domain no smaller than the node, positive rates. Field names are those of the
/// catalog.
[[nodiscard]] Expected<void> check(const NodeFacts &facts);

/// From a catalog record and its accelerator.
[[nodiscard]] Expected<Node> nodeFrom(const CatalogRecord &record, Accelerator accelerator);

} // namespace fleetwright
