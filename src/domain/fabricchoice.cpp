// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/fabricchoice.h"

#include <algorithm>
#include <array>

namespace fleetwright {

namespace {

bool isOpenFamily(const std::optional<std::string> &family) { return family == "InfiniBand" || family == "Ethernet"; }

} // namespace

bool isRentedOnly(const CatalogRecord &node)
{
    constexpr std::array<std::string_view, 3> kinds{"cloud_instance", "tpu_host", "tpu_slice"};
    const auto kind = node.text("kind").value_or("");
    return std::ranges::find(kinds, kind) != kinds.end();
}

std::vector<std::string> fabricsOf(const CatalogRecord &node, const Catalog &catalog)
{
    std::vector<std::string> ids;
    const auto own = node.text("scale_out_fabric_id").value_or("");
    const auto *usual = own.empty() ? nullptr : catalog.find(CatalogKind::Fabric, own);
    if (usual)
        ids.push_back(usual->id);
    const auto rate = node.number("nic_rate_gbit_per_s");
    if (isRentedOnly(node) || !rate || (usual && !isOpenFamily(usual->text("family"))))
        return ids;
    for (const auto &fabric : catalog.records(CatalogKind::Fabric))
        if (fabric.id != own && fabric.text("scope") == "scale_out" && fabric.text("status") == "shipping"
            && isOpenFamily(fabric.text("family")) && fabric.text("switch_example")
            && fabric.number("port_rate_gbit_per_s") == rate)
            ids.push_back(fabric.id);
    return ids;
}

} // namespace fleetwright
