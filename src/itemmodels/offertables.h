// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/sheettablemodel.h"
#include "solver/offers/offercomparison.h"

/// The tables of the Offers page, ready for a SheetTableModel.
namespace fleetwright::itemmodels {

enum OfferLineColumn {
    OfferLineItem,
    OfferLinePart,
    OfferLineQuantity,
    OfferLineUnitPrice,
    OfferLineDiscount,
    OfferLineAmount
};
/// The lines in the offer's currency; a row's key is its number from 0. The tool tip says what a line is, or what is
/// wrong with it.
[[nodiscard]] SheetTable offerLinesTable(const OfferDocument &offer, const Catalog &catalog);
/// What the offer adds up to: its lines as written, in its currency, and where it can be priced what is missing and the
/// whole, in USD; of a rent its first year and the present cost.
[[nodiscard]] SheetTable offerTotalsTable(const OfferDocument &offer, const std::optional<OfferTotals> &totals);

/// The line with what was typed into one of its cells: an id or a part, a number, "8 %". ParseError, and refused as
/// parseOfferPart().
[[nodiscard]] Expected<OfferLine> typedOfferLine(
    OfferLine line, int column, const QString &text, const Catalog &catalog);

/// Sections one below the other, each under its title, the offers across; what is added has its reason as tool tip.
[[nodiscard]] SheetTable offerComparisonTable(const OfferComparison &comparison);

} // namespace fleetwright::itemmodels
