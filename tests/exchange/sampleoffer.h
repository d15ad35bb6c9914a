// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Two offers for 104 nodes, and one to rent them.
namespace sampleoffer {

/// With everything but management nodes and licences; storage for half of what the fleet takes.
inline constexpr const char *bundle = R"(fleetwright: 1
offer: Bundle with support
vendor: Example Systems
valid_until: 2027-01-31
currency: EUR
fleet: {node: nvidia_dgx_b200, nodes: 104, fabric: ib_ndr}
lines:
  - {item: nvidia_dgx_b200, quantity: 104, unit_price: 400000, discount: 0.08}
  - {item: nvidia_dgx_b200, part: spare_nodes, quantity: 2, unit_price: 400000}
  - {item: ib_ndr, unit_price: 5.2e6}
  - {item: storage, quantity: 800, unit_price: 380}
  - {item: Night shifts, part: installation, unit_price: 450000}
  - {item: support, quantity: 3, unit_price: 1.1e6}
scope: [racks, freight]
warranty_years: 2
delivery_weeks: 26
payment_terms: 30 % with the order, the rest on delivery
colocation: {per_kw_month: 140, includes_energy: false}
)";

/// Nodes alone.
inline constexpr const char *nodesOnly = R"(fleetwright: 1
offer: Nodes alone
vendor: Other Vendor
valid_until: 2027-06-30
fleet: {node: nvidia_dgx_b200, nodes: 104, fabric: ib_ndr}
lines:
  - {item: nvidia_b200_sxm_180gb, quantity: 832, unit_price: 62000}
delivery_weeks: 18
)";

inline constexpr const char *rented = R"(fleetwright: 1
offer: Three years reserved
vendor: Example Cloud
fleet: {node: nvidia_dgx_b200, nodes: 104, fabric: ib_ndr}
rent: {per_accelerator_hour: 3.9, term: reserved-3y, extras_per_year: 250000}
)";

} // namespace sampleoffer
