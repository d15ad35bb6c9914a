// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/turningpoints.h"

#include <string_view>

namespace fleetwright::size {

/// How the sentence of a what-if begins that is about all that is bought.
inline constexpr std::string_view withSparesForAll =
    "With the spare nodes that suffice 99 % of the time ordered for all that is bought, ";

/// The answer where the spare nodes that suffice 99 % of the time were ordered for all that is bought (order_spares of
/// the worksheet); fleets and layouts stay as they are, limits of money are judged again.
struct SparesWhatIf {
    double spareNodes = 0; ///< of what wins then, or of the present winner where nothing does
    std::optional<FleetOfAnswer> winner; ///< nothing: no fleet keeps the limits then
    bool changes = false; ///< whether that is another than now
    std::string sentence;
};
/// Nothing where nothing wins now, or where the winner would have no more than now and stays. Refused as
/// PricedAnswer::of().
[[nodiscard]] Expected<std::optional<SparesWhatIf>> withSpares(
    const DecisionDocument &document, const Catalog &catalog, const Result &result);

} // namespace fleetwright::size
