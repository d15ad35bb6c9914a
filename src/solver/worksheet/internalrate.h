// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace fleetwright {

/// Whether cash flows have one internal rate of return. The number of each is what irrstatus() of a worksheet gives.
enum class IrrOutcome {
    Unique,
    None, ///< they never change sign
    Several, ///< more than one change of sign: several roots are possible
    Outside ///< the one root is below -0.99 or above 10
};
inline constexpr std::array<std::string_view, 4> irrOutcomes{"unique", "none", "several", "outside"};

struct InternalRate {
    IrrOutcome outcome = IrrOutcome::None;
    std::optional<double> rate; ///< a period; of Unique
};

/// The rate at which the flows, one a period, the first now, are worth nothing today. Flows of zero are skipped when
/// changes of sign are counted. By Descartes' rule one change means exactly one root.
[[nodiscard]] InternalRate internalRateOfReturn(std::span<const double> flows);

} // namespace fleetwright
