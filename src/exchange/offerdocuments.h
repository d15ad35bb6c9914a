// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/offer.h"
#include "exchange/plandocuments.h"
#include "solver/offers/offercomparison.h"

namespace fleetwright::exchange {

/// Reads an offer (YAML 1.2 or JSON) as strictly as plans are read: unknown and duplicate keys, wrong types and values
/// out of range are refused with the dotted path in Error::field and line and column in the sentence.
///
///     fleetwright: 1
///     offer: 104 DGX B200 with support        # the name
///     vendor: Example Systems
///     valid_until: 2027-01-31                 # optional: the last day
///     currency: EUR                           # optional: USD
///     fleet: {node: nvidia_dgx_b200, nodes: 104, fabric: ib_xdr}   # as in plans; costs: the buyer's own figures
///     lines:
///       - {item: nvidia_dgx_b200, quantity: 104, unit_price: 390000, discount: 0.08}
///       - {item: network, unit_price: 5.2e6}  # quantity 1, discount 0
///       - {item: Cabling by night, part: installation, unit_price: 80000}
///       - {item: support, quantity: 3, unit_price: 1.1e6}          # years
///     scope: [installation]                   # optional: in these prices without a line of their own
///     support_years: 3                        # optional: of support that is in the scope
///     warranty_years: 3                       # optional, as what follows
///     delivery_weeks: 26
///     payment_terms: 30 % with the order, the rest on delivery
///     colocation: {per_kw_month: 140, includes_energy: false}
///     rent: {per_accelerator_hour: 2.1, term: reserved-3y, extras_per_year: 0}   # instead of lines
[[nodiscard]] Expected<OfferDocument> offerFromText(std::string_view text);
/// The same rules on a parsed object, which cannot name lines.
[[nodiscard]] Expected<OfferDocument> offerFromJson(const Json &json);
/// offerFromJson reads it back as an equal document.
[[nodiscard]] Json offerToJson(const OfferDocument &document);
[[nodiscard]] std::string offerToYaml(const OfferDocument &document);

/// {"offers": [{"offer", "vendor", "currency", "units_per_usd", "present_cost_usd", "fleet": the document of a plan's
/// fleet, "marks": [{"part", "kind", "usd", "sentence"}], "notices"}], "rows": [{"section", "key", "label", "unit",
/// "total", "cells": [{"value", "from", "note"} or {"text"}]}], "sentences", "notes"}. Values are in the unit beside
/// them.
[[nodiscard]] Json offerComparisonToJson(const OfferComparison &comparison);

} // namespace fleetwright::exchange
