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
    {.key = "spare_switches", .label = "Spare switches", .unit = "switch", .formula = "0",
        .entry = counted(0, mostWhole)},
    {.key = "switch_usd", .label = "Price of a switch", .unit = "USD/switch", .formula = "0", .entry = notNegative()},
    {.key = "switches_usd", .label = "Switches", .unit = "USD",
        .formula = "(switches + spare_switches) * switch_usd"},
    {.key = "spare_transceivers", .label = "Spare transceivers", .unit = "transceiver", .formula = "0",
        .entry = counted(0, mostWhole)},
    {.key = "transceiver_usd", .label = "Price of a transceiver in a switch", .unit = "USD/transceiver",
        .formula = "0", .entry = notNegative()},
    {.key = "node_transceiver_usd", .label = "Price of a transceiver in a node", .unit = "USD/transceiver",
        .formula = "0", .entry = notNegative()},
    {.key = "transceivers_usd", .label = "Transceivers", .unit = "USD",
        .formula = "(transceivers + spare_transceivers) * transceiver_usd + node_transceivers * node_transceiver_usd"},
    {.key = "cables", .label = "Cables", .unit = "", .formula = "0", .entry = counted(0, mostWhole)},
    {.key = "cable_metres", .label = "Length of a cable in metres, on average", .unit = "", .formula = "30",
        .entry = ranging(notNegative(), 5, 100), .source = "assumption: a row of racks"},
    {.key = "cable_usd_per_metre", .label = "Price of a metre of cable", .unit = "USD", .formula = "0",
        .entry = notNegative()},
    {.key = "cables_usd", .label = "Cables", .unit = "USD", .formula = "cables * cable_metres * cable_usd_per_metre"},
    {.key = "service_switch_usd", .label = "Price of a switch for storage and management", .unit = "USD/switch",
        .formula = "switch_usd", .entry = notNegative()},
    {.key = "service_network_usd", .label = "Networks for storage and management", .unit = "USD",
        .formula = "service_switches * service_switch_usd"},
    {.key = "network_is_priced", .label = "Every part of the network has a price", .unit = "", .formula = "0",
        .entry = flag()},
    {.key = "network_bill_usd", .label = "Network by its bill of materials", .unit = "USD",
        .formula = "switches_usd + transceivers_usd + cables_usd + service_network_usd"},
    {.key = "network_share", .label = "Network, share of the nodes", .unit = "", .formula = "0.12", .entry = share(),
        .source = "estimate, where a part of the network has no price"},
    {.key = "network_usd", .label = "Network", .unit = "USD", 
        .formula = "if(network_is_priced, network_bill_usd, network_share * nodes_usd)", .entry = notNegative(),
        .source = "bill of materials, else a share of the nodes"},
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
    {.key = "racks_usd_per_kw", .label = "Power distribution and cooling in the racks, price of a kW of IT peak",
        .unit = "USD/kW", .formula = "0", .entry = notNegative()},
    {.key = "racks_power_usd", .label = "Racks and power distribution", .unit = "USD",
        .formula = "it_peak_w / 1000[W/kW] * racks_usd_per_kw", .entry = notNegative()},
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
