// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/fleetnetwork.h"

#include <algorithm>
#include <cmath>

namespace fleetwright {

namespace {

constexpr std::int64_t servicePorts = 2; // of a host on each service network
constexpr double inBandOversubscription = 2;

/// The in-band network of the fewest switches: leaves may give fewer ports to nodes than 2:1 admits, where the uplinks
/// then divide better among the spines. None: too many hosts.
NetworkBill inBandOf(std::int64_t hosts, std::int64_t radix, std::int64_t portsPerCage)
{
    NetworkBill best;
    const auto most = std::int64_t(double(radix) * inBandOversubscription / (1 + inBandOversubscription));
    for (auto down = radix / 2; down <= most; ++down)
        if (const auto bill = networkBill({.nodes = hosts,
                .portsPerNode = servicePorts,
                .switchRadix = radix,
                .oversubscription = double(down) / double(radix - down),
                .switchPortsPerCage = portsPerCage});
            bill && (best.switches() == 0 || bill->switches() < best.switches()))
            best = *bill;
    return best;
}

} // namespace

Expected<FleetNetwork> fleetNetwork(const Fleet &fleet)
{
    const auto &parts = fleet->costs.network;
    if (!parts.switchPart || parts.switchPorts < 2)
        return refuse(ErrorCode::MissingField, "fabric",
            "The network-gear catalog has no switch for \u201c" + fleet->fabric->name
                + "\u201d: add one that names this fabric.");
    const auto topology = fleet->fabric->topology;
    if (topology != FabricTopology::FatTree && topology != FabricTopology::RailOptimised)
        return refuse(ErrorCode::UnsupportedValue, "topology",
            "A bill of materials is known for fat trees and rail-optimised fabrics only.");
    constexpr std::int64_t managementRadix = 48;
    const auto &node = *fleet->node;
    const std::int64_t ports = node.nicCount.value_or(node.acceleratorsPerNode);
    FleetNetwork network;
    Error refused;
    bool isRefused = false;
    const auto bill = [&](const NetworkBillInputs &inputs) {
        auto result = networkBill(inputs);
        if (result)
            return *result;
        if (!isRefused)
            refused = result.error();
        isRefused = true;
        return NetworkBill{};
    };
    NetworkBillInputs training{.nodes = fleet->nodeCount,
        .portsPerNode = ports,
        .switchRadix = parts.switchPorts,
        .oversubscription = fleet->fabric->oversubscription,
        .switchPortsPerCage = parts.portsPerCage};
    if (topology == FabricTopology::RailOptimised && parts.trays > 1 && ports % parts.trays == 0) {
        constexpr std::int64_t racksOfUnit = 8;
        training.nodes = fleet->nodeCount * parts.trays;
        training.portsPerNode = ports / parts.trays;
        training.leafGroupNodes = parts.trays;
        if (fleet->nodeCount > racksOfUnit)
            training.unitGroups = racksOfUnit;
    }
    if (topology == FabricTopology::RailOptimised)
        training.rails = training.portsPerNode;
    network.training = bill(training);
    const auto hosts = fleet->nodeCount * parts.trays;
    network.storage = bill({.nodes = hosts,
        .portsPerNode = servicePorts,
        .switchRadix = parts.switchPorts,
        .switchPortsPerCage = parts.portsPerCage});
    network.inBand = inBandOf(hosts, parts.switchPorts, parts.portsPerCage);
    if (network.inBand.switches() == 0)
        network.inBand = bill({.nodes = hosts,
            .portsPerNode = servicePorts,
            .switchRadix = parts.switchPorts,
            .oversubscription = inBandOversubscription,
            .switchPortsPerCage = parts.portsPerCage});
    network.outOfBand = bill(
        {.nodes = hosts + network.training.switches() + network.storage.switches() + network.inBand.switches(),
            .portsPerNode = 1,
            .switchRadix = managementRadix,
            .oversubscription = managementRadix - 1.0});
    if (isRefused)
        return std::unexpected(refused);
    return network;
}

std::int64_t sparesInSwitches(const NetworkBill &bill)
{
    return std::int64_t(std::ceil(double(bill.spareTransceivers) * double(bill.switchTransceivers)
        / double(std::max<std::int64_t>(1, bill.switchTransceivers + bill.nodeTransceivers))));
}

std::vector<std::pair<std::string_view, std::int64_t>> ownedNetwork(const Fleet &fleet)
{
    const auto *owned = fleet->costs.find("owned_nodes");
    if (!owned || !(owned->likely >= 1) || owned->likely >= fleet->nodeCount)
        return {};
    FleetFacts facts = *fleet;
    facts.nodeCount = int(owned->likely);
    const auto there = Fleet::create(std::move(facts));
    const auto network = there ? fleetNetwork(*there) : std::unexpected(there.error());
    if (!network)
        return {};
    const auto &training = network->training, &storage = network->storage, &inBand = network->inBand;
    const auto spareInSwitches = sparesInSwitches(training);
    return {{"owned_switches", training.switches() + training.spareSwitches},
        {"owned_service_switches", storage.switches() + inBand.switches()},
        {"owned_out_of_band_switches", network->outOfBand.switches()},
        {"owned_transceivers",
            training.switchTransceivers + spareInSwitches + storage.switchTransceivers + inBand.switchTransceivers},
        {"owned_node_transceivers",
            training.nodeTransceivers + training.spareTransceivers - spareInSwitches + storage.nodeTransceivers
                + inBand.nodeTransceivers},
        {"owned_cables", training.cables() + storage.cables() + inBand.cables()}};
}

} // namespace fleetwright
