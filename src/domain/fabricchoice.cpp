// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/fabricchoice.h"

#include "domain/networkparts.h"

#include <algorithm>
#include <array>

namespace fleetwright {

namespace {

bool isOpenFamily(const std::optional<std::string> &family) { return family == "InfiniBand" || family == "Ethernet"; }

/// The fabric that the node states; nullptr: none.
const CatalogRecord *usualOf(const CatalogRecord &node, const Catalog &catalog)
{
    const auto own = node.text("scale_out_fabric_id").value_or("");
    return own.empty() ? nullptr : catalog.find(CatalogKind::Fabric, own);
}

std::string rateInWords(const CatalogRecord &record, std::string_view key)
{
    const auto *field = findField(record.kind, key);
    const auto *value = record.find(key);
    return field && value ? display(*field, *value) : std::string("an unknown speed");
}

} // namespace

bool isRentedOnly(const CatalogRecord &node)
{
    constexpr std::array<std::string_view, 3> kinds{"cloud_instance", "tpu_host", "tpu_slice"};
    const auto kind = node.text("kind").value_or("");
    return std::ranges::find(kinds, kind) != kinds.end();
}

FabricMisfit fabricMisfit(const CatalogRecord &node, const CatalogRecord &fabric, const Catalog &catalog)
{
    const auto *usual = usualOf(node, catalog);
    if (usual && usual->id == fabric.id)
        return FabricMisfit::None;
    if (isRentedOnly(node))
        return FabricMisfit::OfProvider;
    const auto rate = node.number("nic_rate_gbit_per_s");
    if (!rate)
        return FabricMisfit::Unstated;
    if (usual && !isOpenFamily(usual->text("family")))
        return FabricMisfit::OwnNetwork;
    if (fabric.text("scope") != "scale_out" || !isOpenFamily(fabric.text("family")))
        return FabricMisfit::Kind;
    if (fabric.text("status") != "shipping")
        return FabricMisfit::Status;
    if (!fabric.text("switch_example"))
        return FabricMisfit::NoSwitch;
    return fabric.number("port_rate_gbit_per_s") == rate ? FabricMisfit::None : FabricMisfit::Ports;
}

std::vector<std::string> fabricsOf(const CatalogRecord &node, const Catalog &catalog)
{
    std::vector<std::string> ids;
    const auto *usual = usualOf(node, catalog);
    if (usual)
        ids.push_back(usual->id);
    for (const auto &fabric : catalog.records(CatalogKind::Fabric))
        if (&fabric != usual && fabricMisfit(node, fabric, catalog) == FabricMisfit::None)
            ids.push_back(fabric.id);
    return ids;
}

std::string whyNotLookedAt(const CatalogRecord &node, const CatalogRecord &fabric, const Catalog &catalog)
{
    std::string why;
    switch (fabricMisfit(node, fabric, catalog)) {
    case FabricMisfit::None: return {};
    case FabricMisfit::OfProvider: return node.name + " is rented with the network of its provider";
    case FabricMisfit::OwnNetwork:
        return node.name + " is built for " + usualOf(node, catalog)->name + ", a network of another kind";
    case FabricMisfit::Unstated: return "the catalog states no NIC of " + node.name;
    case FabricMisfit::Kind: return "it is neither InfiniBand nor Ethernet between nodes";
    case FabricMisfit::Status: why = "it is " + fabric.text("status").value_or("of no stated status"); break;
    case FabricMisfit::NoSwitch: why = "the catalog names no switch as an example of it"; break;
    case FabricMisfit::Ports:
        why = "its ports run at " + rateInWords(fabric, "port_rate_gbit_per_s") + ", those of the NICs of " + node.name
            + " at " + rateInWords(node, "nic_rate_gbit_per_s");
        break;
    }
    if (!isPriced(networkPartsOf(fabric, catalog, dayOfPrices(catalog))))
        why += "; the catalog has no price of its network, which counts as a share of the nodes and does not compare "
               "with one by its bill of materials";
    return why;
}

} // namespace fleetwright
