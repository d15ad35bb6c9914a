// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/rowlists.h"
#include "solver/worksheet/sheetrows.h"

namespace fleetwright::rowlists {

namespace {

using namespace sheetrows;

// clang-format off
constexpr SheetRow capitalRows[] = {
    {.key = "spare_nodes", .label = "Spare nodes", .unit = "node", .formula = "0", .entry = counted(0, mostNodes)},
    {.key = "accelerator_usd", .label = "Price of an accelerator", .unit = "USD/accelerator",
        .entry = required(notNegative(), "node_usd")},
    {.key = "chassis_usd", .label = "Price of a node without accelerators", .unit = "USD/node", .formula = "0",
        .entry = notNegative()},
    {.key = "node_usd", .label = "Price of a node", .unit = "USD/node",
        .formula = "accelerators_per_node * accelerator_usd + chassis_usd", .entry = notNegative(),
        .source = "stated price, else its parts"},
    {.key = "nodes_usd", .label = "Nodes", .unit = "USD", .formula = "(nodes + spare_nodes) * node_usd"},
    {.key = "network_share", .label = "Network, share of the nodes", .unit = "", .formula = "0.12", .entry = share(),
        .source = "estimate, where a part of the network has no price"},
    {.key = "network_usd", .label = "Network", .unit = "USD", .formula = "network_share * nodes_usd",
        .entry = notNegative(), .source = "bill of materials, else a share of the nodes"},
    {.key = "storage_tb", .label = "Storage capacity", .unit = "TB",
        .formula = "2000[TB] * accelerators / 1024[accelerator]", .entry = notNegative(),
        .source = "assumption: 2 PB per 1,024 accelerators"},
    {.key = "storage_usd_per_tb", .label = "Price of storage", .unit = "USD/TB", .formula = "0",
        .entry = notNegative()},
    {.key = "storage_usd", .label = "Storage", .unit = "USD", .formula = "storage_tb * storage_usd_per_tb"},
    {.key = "management_nodes", .label = "Head, login and fabric-manager nodes", .unit = "node",
        .formula = "ceil(3[node] + nodes / 256)", .source = "assumption"},
    {.key = "management_node_usd", .label = "Price of a management node", .unit = "USD/node", .formula = "0",
        .entry = notNegative()},
    {.key = "management_usd", .label = "Management", .unit = "USD",
        .formula = "management_nodes * management_node_usd"},
    {.key = "racks_power_usd", .label = "Racks and power distribution", .unit = "USD", .formula = "0",
        .entry = notNegative()},
    {.key = "installation_share", .label = "Installation, share of nodes, network and storage", .unit = "",
        .formula = "0.03", .entry = share(), .source = "assumption"},
    {.key = "installation_usd", .label = "Installation", .unit = "USD",
        .formula = "installation_share * (nodes_usd + network_usd + storage_usd)"},
    {.key = "licences_once_usd", .label = "Licences paid once", .unit = "USD", .formula = "0", .entry = notNegative()},
    {.key = "freight_usd", .label = "Freight and duty", .unit = "USD", .formula = "0", .entry = notNegative()},
    {.key = "contingency_share", .label = "Contingency, share of the lines above", .unit = "", .formula = "0",
        .entry = share()},
    {.key = "contingency_usd", .label = "Contingency", .unit = "USD",
        .formula = "contingency_share * (nodes_usd + network_usd + storage_usd + management_usd + racks_power_usd"
                   " + installation_usd + licences_once_usd + freight_usd)"},
    {.key = "facility_usd_per_w", .label = "Own building, price of a watt of IT peak", .unit = "USD/W", .formula = "0",
        .entry = notNegative(), .source = "0 where the fleet is colocated"},
    {.key = "facility_usd", .label = "Own building", .unit = "USD", .formula = "it_peak_w * facility_usd_per_w"},
    {.key = "capital_usd", .label = "Capital", .unit = "USD",
        .formula = "nodes_usd + network_usd + storage_usd + management_usd + racks_power_usd + installation_usd"
                   " + licences_once_usd + freight_usd + contingency_usd + facility_usd"},
    {.key = "capital_usd_per_accelerator", .label = "Capital per accelerator", .unit = "USD/accelerator",
        .formula = "capital_usd / accelerators"},
    {.key = "facility_years", .label = "Life of the building", .unit = "year", .formula = "15[year]",
        .entry = positive(), .source = "assumption"},
    {.key = "residual_share", .label = "Residual value, share of the nodes", .unit = "", .formula = "0.1",
        .entry = share(), .source = "assumption"},
    {.key = "residual_usd", .label = "Residual value", .unit = "USD",
        .formula = "residual_share * nodes_usd + facility_usd * max(0, 1 - life_years / facility_years)"},
};
// clang-format on

} // namespace

std::span<const SheetRow> capital() { return capitalRows; }

} // namespace fleetwright::rowlists
