// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/blocks/networkbom.h"

#include "domain/rules.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fleetwright {

namespace {

std::int64_t ceilDivide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Rounded up, but not for what arithmetic adds to a whole number.
std::int64_t roundedUp(double count) { return static_cast<std::int64_t>(std::ceil(count - 1e-9)); }

/// Smallest divisor of `uplinks` that is at least `needed`; `needed` is at most `uplinks`.
std::int64_t evenSpines(std::int64_t uplinks, std::int64_t needed)
{
    while (uplinks % needed != 0)
        ++needed;
    return needed;
}

/// The switches and upper cables of one plane.
struct Tree {
    std::int64_t leaves = 1, spines = 0, cores = 0;
    std::int64_t leafSpineCables = 0, spineCoreCables = 0;
};

struct LeafPorts {
    std::int64_t down = 0, up = 0; ///< D and U
};

std::int64_t railsOf(const NetworkBillInputs &inputs) { return inputs.rails.value_or(1); }

LeafPorts leafPorts(const NetworkBillInputs &inputs)
{
    const double o = inputs.oversubscription;
    if (!inputs.leafGroupNodes && !inputs.rails) {
        const auto down = static_cast<std::int64_t>(std::floor(double(inputs.switchRadix) * o / (1.0 + o)));
        return {down, inputs.switchRadix - down};
    }
    const std::int64_t down = inputs.leafGroupNodes ? *inputs.leafGroupNodes * (inputs.portsPerNode / railsOf(inputs))
                                                    : inputs.switchRadix / 2;
    return {down, roundedUp(double(down) / o)};
}

/// Nodes with the one whose place the fabric manager takes.
std::int64_t nodePlaces(const NetworkBillInputs &inputs, std::int64_t nodes)
{
    return nodes + (inputs.ufmPorts > 0 ? 1 : 0);
}

/// More than one: the tree has cores that join the units.
std::int64_t unitCount(const NetworkBillInputs &inputs, std::int64_t nodes)
{
    if (!inputs.unitGroups)
        return 1;
    return ceilDivide(ceilDivide(nodePlaces(inputs, nodes), *inputs.leafGroupNodes), *inputs.unitGroups);
}

/// The leaves of `nodes` nodes; a rail, or without rails the fabric, fills one leaf after the other.
std::int64_t leafCount(const NetworkBillInputs &inputs, std::int64_t nodes)
{
    const std::int64_t places = nodePlaces(inputs, nodes);
    if (inputs.leafGroupNodes)
        return railsOf(inputs) * ceilDivide(places, *inputs.leafGroupNodes);
    if (places * inputs.portsPerNode <= inputs.switchRadix)
        return 1;
    const std::int64_t rails = railsOf(inputs);
    return rails * ceilDivide(places * (inputs.portsPerNode / rails), leafPorts(inputs).down);
}

/// Nothing where the tiers connect fewer nodes. Needs inputs that networkBill() has checked.
std::optional<Tree> treeFor(const NetworkBillInputs &inputs, std::int64_t nodes)
{
    const std::int64_t radix = inputs.switchRadix;
    const std::int64_t up = leafPorts(inputs).up;
    Tree tree{.leaves = leafCount(inputs, nodes)};
    if (tree.leaves == 1)
        return tree;
    tree.leafSpineCables = tree.leaves * up;
    const std::int64_t units = unitCount(inputs, nodes);
    if (units == 1 && tree.leaves <= radix) {
        tree.spines = evenSpines(up, ceilDivide(tree.leafSpineCables, radix));
        return tree;
    }
    if (units > 1) {
        const std::int64_t spineGroups = units * railsOf(inputs);
        if (spineGroups > radix)
            return std::nullopt;
        tree.spines = spineGroups * evenSpines(up, ceilDivide(*inputs.unitGroups * up, radix / 2));
    } else {
        const std::int64_t groups = ceilDivide(tree.leaves, radix / 2);
        if (groups > radix)
            return std::nullopt;
        tree.spines = groups * evenSpines(up, ceilDivide(ceilDivide(tree.leaves, groups) * up, radix / 2));
    }
    tree.spineCoreCables = tree.leafSpineCables;
    tree.cores = ceilDivide(tree.spineCoreCables, radix);
    return tree;
}

/// The largest fleet below `tooMany` nodes that the tiers connect; 0 where they connect none.
std::int64_t mostNodes(const NetworkBillInputs &inputs, std::int64_t tooMany)
{
    std::int64_t reached = 0;
    while (tooMany - reached > 1) {
        const std::int64_t middle = std::midpoint(reached, tooMany);
        (treeFor(inputs, middle) ? reached : tooMany) = middle;
    }
    return reached;
}

Expected<void> checkLeafGroups(const NetworkBillInputs &inputs)
{
    if (!inputs.leafGroupNodes && inputs.unitGroups)
        return refuse(ErrorCode::MissingField, "leaf_group_nodes",
            "Units are made of groups of nodes; say how many nodes share their leaf switches.");
    if (!inputs.leafGroupNodes)
        return {};
    const auto [down, up] = leafPorts(inputs);
    if (down + up > inputs.switchRadix)
        return refuse(ErrorCode::OutOfRange, "leaf_group_nodes",
            "A leaf would need " + std::to_string(down) + " ports to the nodes of its group and " + std::to_string(up)
                + " to spines, and a switch has " + std::to_string(inputs.switchRadix)
                + "; use smaller groups, more rails or more oversubscription.");
    if (unitCount(inputs, inputs.nodes) > 1 && *inputs.unitGroups > inputs.switchRadix / 2)
        return refuse(ErrorCode::OutOfRange, "unit_groups",
            "A spine gives half of its " + std::to_string(inputs.switchRadix)
                + " ports to its unit, so that a unit of several has at most " + std::to_string(inputs.switchRadix / 2)
                + " groups.");
    return {};
}

Expected<void> checkNetwork(const NetworkBillInputs &inputs)
{
    if (inputs.topology != "fat-tree" && inputs.topology != "fat_tree")
        return refuse(ErrorCode::UnsupportedValue, "topology",
            "Switches and cables are counted for fat trees only, not for \u201c"
                + std::string(inputs.topology.substr(0, 40)) + "\u201d; use fat-tree.");
    rules::Checker rule("");
    const auto count = [&rule](std::string_view field, std::string_view label, std::int64_t value, double least,
                           double most) { rule.within(field, label, double(value), least, most); };
    const auto ports = double(inputs.portsPerNode);
    count("nodes", "The number of nodes", inputs.nodes, 1, 1e6);
    count("ports_per_node", "The number of ports per node", inputs.portsPerNode, 1, 1e6);
    count("switch_radix", "The number of ports of a switch", inputs.switchRadix, 2, 4096);
    if (inputs.switchRadix % 2 != 0)
        rule.fail(
            ErrorCode::OutOfRange, "switch_radix", "The number of ports of a switch must be even: half of them go up.");
    rule.within("oversubscription", "The oversubscription", inputs.oversubscription, 1, double(inputs.switchRadix) - 1);
    count("planes", "The number of planes", inputs.planes, 1, 16);
    count("rails", "The number of rails", railsOf(inputs), 1, std::max(1.0, ports));
    if (rule.result() && inputs.portsPerNode % railsOf(inputs) != 0)
        rule.fail(ErrorCode::OutOfRange, "rails",
            "The " + std::to_string(inputs.portsPerNode) + " ports of a node cannot be spread evenly over "
                + std::to_string(railsOf(inputs)) + " rails; use a divisor.");
    count("leaf_group_nodes", "The number of nodes that share their leaf switches", inputs.leafGroupNodes.value_or(1),
        1, 1e6);
    count("unit_groups", "The number of node groups in a unit", inputs.unitGroups.value_or(1), 1, 1e6);
    count("ufm_ports", "The number of ports of the fabric manager", inputs.ufmPorts, 0, std::max(1.0, ports));
    count("switch_ports_per_cage", "The number of switch ports per transceiver", inputs.switchPortsPerCage, 1, 64);
    count("node_ports_per_cage", "The number of node ports per transceiver", inputs.nodePortsPerCage, 1, 64);
    rule.within("switch_spare_share", "The share of spare switches", inputs.switchSpareShare, 0, 1);
    rule.within("transceiver_spare_share", "The share of spare transceivers", inputs.transceiverSpareShare, 0, 1);
    return rule.result() ? checkLeafGroups(inputs) : rule.result();
}

} // namespace

Expected<NetworkBill> networkBill(const NetworkBillInputs &inputs)
{
    if (auto checked = checkNetwork(inputs); !checked)
        return std::unexpected(checked.error());
    const auto tree = treeFor(inputs, inputs.nodes);
    if (!tree) {
        const auto most = mostNodes(inputs, inputs.nodes);
        return refuse(ErrorCode::OutOfRange, "nodes",
            "Three tiers of switches with " + std::to_string(inputs.switchRadix) + " ports, wired like this, connect "
                + (most == 0 ? std::string("no") : "at most " + std::to_string(most)) + " nodes of "
                + std::to_string(inputs.portsPerNode) + " ports; use switches with more ports or fewer nodes.");
    }
    NetworkBill bill;
    bill.leafSwitches = inputs.planes * tree->leaves;
    bill.spineSwitches = inputs.planes * tree->spines;
    bill.coreSwitches = inputs.planes * tree->cores;
    bill.nodeLeafCables = inputs.nodes * inputs.portsPerNode;
    bill.leafSpineCables = tree->leafSpineCables;
    bill.spineCoreCables = tree->spineCoreCables;
    bill.ufmCables = inputs.ufmPorts;

    std::int64_t opticalPorts = 2 * bill.spineCoreCables;
    if (!inputs.nodeLeafCopper) {
        opticalPorts += nodePlaces(inputs, inputs.nodes) * inputs.portsPerNode;
        bill.nodeTransceivers = inputs.nodes * ceilDivide(inputs.portsPerNode, inputs.nodePortsPerCage);
    }
    if (!inputs.leafSpineCopper)
        opticalPorts += 2 * bill.leafSpineCables;
    bill.switchTransceivers = ceilDivide(inputs.planes * opticalPorts, inputs.switchPortsPerCage);
    bill.spareSwitches = roundedUp(inputs.switchSpareShare * double(bill.switches()));
    bill.spareTransceivers = roundedUp(
        inputs.transceiverSpareShare * double(bill.switchTransceivers + bill.nodeTransceivers));
    return bill;
}

} // namespace fleetwright
