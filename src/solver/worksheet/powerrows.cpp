// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/rowlists.h"
#include "solver/worksheet/sheetrows.h"

namespace fleetwright::rowlists {

namespace {

using namespace sheetrows;

constexpr std::array<std::string_view, 2> coolingWords{"air", "liquid"};
constexpr std::string_view meteredNodes = "metered nodes: median 0.69, 0.50 to 0.78 in 8 runs; Hennessy and Patterson "
                                          "0.80; Epoch AI 0.75";

// clang-format off
constexpr SheetRow powerRows[] = {
    {.key = "nodes", .label = "Nodes", .unit = "node", .entry = required(counted(1, mostNodes))},
    {.key = "accelerators_per_node", .label = "Accelerators per node", .unit = "accelerator/node",
        .entry = required(counted(1, mostPerNode))},
    {.key = "accelerators", .label = "Accelerators", .unit = "accelerator", .formula = "nodes * accelerators_per_node"},
    {.key = "tdp_w", .label = "TDP of an accelerator", .unit = "W/accelerator",
        .entry = required(positive(), "node_peak_w")},
    serverRatio,
    {.key = "node_peak_w", .label = "Peak power of a node", .unit = "W/node",
        .formula = "accelerators_per_node * tdp_w * server_ratio", .entry = positive(),
        .source = "stated maximum, else estimate"},
    {.key = "powered_spares", .label = "Spare nodes with power", .unit = "node", .formula = "0",
        .entry = counted(0, mostNodes)},
    {.key = "network_is_reachable", .label = "The network's topology connects so many nodes", .unit = "",
        .formula = "1", .entry = flag()},
    {.key = "switches", .label = "Switches", .unit = "switch", .formula = "if(network_is_reachable, 0, none)",
        .entry = counted(0, mostWhole)},
    {.key = "spine_switches", .label = "Spine switches, of the switches", .unit = "switch", .formula = "0",
        .entry = counted(0, mostWhole)},
    {.key = "core_switches", .label = "Core switches, of the switches", .unit = "switch", .formula = "0",
        .entry = counted(0, mostWhole)},
    {.key = "leaf_switches", .label = "Leaf switches", .unit = "switch",
        .formula = "switches - spine_switches - core_switches"},
    {.key = "switch_w", .label = "Maximum power of a switch", .unit = "W/switch", .formula = "0",
        .entry = notNegative()},
    {.key = "transceivers", .label = "Transceivers", .unit = "transceiver", .formula = "0",
        .entry = counted(0, mostWhole)},
    {.key = "transceiver_w", .label = "Power of a transceiver", .unit = "W/transceiver", .formula = "0",
        .entry = notNegative()},
    {.key = "node_transceivers", .label = "Transceivers in nodes", .unit = "transceiver", .formula = "0",
        .entry = counted(0, mostWhole)},
    {.key = "node_transceiver_w", .label = "Power of a transceiver in a node", .unit = "W/transceiver",
        .formula = "transceiver_w", .entry = notNegative()},
    {.key = "storage_switches", .label = "Switches of the storage network", .unit = "switch", .formula = "0",
        .entry = counted(0, mostWhole)},
    {.key = "in_band_switches", .label = "Switches of the in-band network", .unit = "switch", .formula = "0",
        .entry = counted(0, mostWhole)},
    {.key = "out_of_band_switches", .label = "Switches of the out-of-band network", .unit = "switch", .formula = "0",
        .entry = counted(0, mostWhole)},
    {.key = "service_switches", .label = "Switches for storage and management", .unit = "switch",
        .formula = "storage_switches + in_band_switches + out_of_band_switches"},
    {.key = "network_w", .label = "Network power", .unit = "W",
        .formula = "switches * switch_w + transceivers * transceiver_w + node_transceivers * node_transceiver_w",
        .source = "of the training network; those of storage and management draw their share of other_it_share"},
    {.key = "other_it_share", .label = "Storage and management, share of nodes and network", .unit = "",
        .formula = "0.05", .entry = share(), .source = "estimate"},
    {.key = "other_it_w", .label = "Storage and management power", .unit = "W",
        .formula = "(nodes * node_peak_w + network_w) * other_it_share"},
    {.key = "nodes_w", .label = "Peak power of the nodes", .unit = "W",
        .formula = "(nodes + powered_spares) * node_peak_w"},
    {.key = "it_peak_w", .label = "IT peak power", .unit = "W", .formula = "nodes_w + network_w + other_it_w"},
    {.key = "cooling", .label = "Cooling", .unit = "", .formula = "0", .entry = oneOf(coolingWords)},
    {.key = "pue", .label = "PUE", .unit = "", .formula = "if(cooling = \"liquid\", 1.12, 1.25)",
        .entry = within(1, 10), .source = "assumption where neither facility nor grid states one"},
    {.key = "facility_peak_w", .label = "Facility peak power", .unit = "W", .formula = "it_peak_w * pue"},
    {.key = "draw_share", .label = "Draw while training, share of the peak", .unit = "", .formula = "0.72",
        .entry = ranging(share(), 0.65, 0.8), .source = meteredNodes},
    {.key = "it_train_w", .label = "IT power while training", .unit = "W", .formula = "it_peak_w * draw_share"},
    {.key = "idle_share", .label = "Draw while idle, share of the peak", .unit = "", .formula = "0.3",
        .entry = share(), .source = "estimate"},
    {.key = "it_idle_w", .label = "IT power while idle", .unit = "W", .formula = "it_peak_w * idle_share"},
    {.key = "facility_train_w", .label = "Facility power while training", .unit = "W", .formula = "it_train_w * pue"},
    {.key = "facility_idle_w", .label = "Facility power while idle", .unit = "W", .formula = "it_idle_w * pue"},
    {.key = "facility_w_per_accelerator", .label = "Facility peak power per accelerator", .unit = "W/accelerator",
        .formula = "facility_peak_w / accelerators"},
};

constexpr SheetRow contractRows[] = {
    {.key = "contract_w", .label = "Contracted power", .unit = "W", .entry = positive()},
    {.key = "contract_margin_w", .label = "Contract less facility peak", .unit = "W",
        .formula = "contract_w - facility_peak_w"},
    {.key = "fits_contract", .label = "Within the contract", .unit = "", .formula = "facility_peak_w <= contract_w"},
};
// clang-format on

} // namespace

std::span<const SheetRow> power() { return powerRows; }
std::span<const SheetRow> powerContract() { return contractRows; }

} // namespace fleetwright::rowlists
