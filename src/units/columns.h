// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/format.h"

/// Cells of columns whose titles name one unit whatever their values are; unreadable numbers bring their own, as
/// formatInColumn() has it.
namespace fleetwright::units {

/// 0.412 is "41.2"; the title says [%].
[[nodiscard]] inline std::string percentCell(double share)
{
    return formatInColumn(share, *findUnit("%", Dimension::Fraction));
}
/// 0.412 is "+41.2".
[[nodiscard]] inline std::string signedPercentCell(double share) { return (share > 0 ? "+" : "") + percentCell(share); }
/// The title says [s].
[[nodiscard]] inline std::string secondsCell(Seconds time)
{
    return formatInColumn(time.value(), *findUnit("s", Dimension::Time));
}

} // namespace fleetwright::units
