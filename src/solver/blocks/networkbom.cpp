// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/blocks/networkbom.h"

#include "domain/rules.h"

#include <cmath>

namespace fleetwright {

namespace {

std::int64_t ceilDivide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Smallest divisor of `uplinks` that is at least `needed`; `needed` is at most `uplinks`.
std::int64_t evenSpines(std::int64_t uplinks, std::int64_t needed)
{
    while (uplinks % needed != 0)
        ++needed;
    return needed;
}

} // namespace

Expected<NetworkBill> networkBill(const NetworkBillInputs &inputs)
{
    if (inputs.topology != "fat-tree" && inputs.topology != "fat_tree")
        return refuse(ErrorCode::UnsupportedValue, "topology",
            "Switches and cables are counted for fat trees only, not for \u201c"
                + std::string(inputs.topology.substr(0, 40)) + "\u201d; use fat-tree.");
    const std::int64_t radix = inputs.switchRadix;
    rules::Checker rule("");
    rule.within("nodes", "The number of nodes", double(inputs.nodes), 1, 1e6);
    rule.within("ports_per_node", "The number of ports per node", double(inputs.portsPerNode), 1, 1e6);
    rule.within("switch_radix", "The number of ports of a switch", double(radix), 2, 4096);
    if (radix % 2 != 0)
        rule.fail(
            ErrorCode::OutOfRange, "switch_radix", "The number of ports of a switch must be even: half of them go up.");
    rule.within("oversubscription", "The oversubscription", inputs.oversubscription, 1, double(radix) - 1);
    if (!rule.result())
        return std::unexpected(rule.result().error());

    NetworkBill bill;
    bill.nodeLeafCables = inputs.nodes * inputs.portsPerNode;
    if (bill.nodeLeafCables <= radix) {
        bill.leafSwitches = 1;
        return bill;
    }
    const auto down = std::int64_t(
        std::floor(double(radix) * inputs.oversubscription / (1.0 + inputs.oversubscription)));
    const std::int64_t up = radix - down;
    bill.leafSwitches = ceilDivide(bill.nodeLeafCables, down);
    bill.leafSpineCables = bill.leafSwitches * up;
    if (bill.leafSwitches <= radix) {
        bill.spineSwitches = evenSpines(up, ceilDivide(bill.leafSpineCables, radix));
        return bill;
    }
    const std::int64_t groups = ceilDivide(bill.leafSwitches, radix / 2);
    if (groups > radix)
        return refuse(ErrorCode::OutOfRange, "nodes",
            "Three tiers of switches with " + std::to_string(radix) + " ports connect at most "
                + std::to_string(radix * (radix / 2) * down)
                + " node ports; use switches with more ports or fewer nodes.");
    const std::int64_t leavesPerGroup = ceilDivide(bill.leafSwitches, groups);
    bill.spineSwitches = groups * evenSpines(up, ceilDivide(leavesPerGroup * up, radix / 2));
    bill.spineCoreCables = bill.leafSpineCables;
    bill.coreSwitches = ceilDivide(bill.spineCoreCables, radix);
    return bill;
}

} // namespace fleetwright
