// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <tuple>

namespace fleetwright {

struct TraceEntry;

/// The limit that a plan feels first.
struct Binding {
    bool holds = true;
    std::string words; ///< "Deadline, 12 % over", "Memory capacity, 79 % of the limit used"
    std::string sentence; ///< of the line of the trace
    bool operator==(const Binding &) const = default;
};

/// How near a limit that is kept is to its end, of plans and of fleets alike, greater being nearer. Memory comes last:
/// a good layout always uses most of it. Then what only the likely value keeps, of those whose range is known; then
/// what uses more of its limit.
struct LimitUse {
    bool isBesideMemory = true;
    bool onlyLikely = false;
    double used = 0; ///< 1 being all of it
    [[nodiscard]] bool operator>(const LimitUse &other) const
    {
        return std::tie(isBesideMemory, onlyLikely, used)
            > std::tie(other.isBesideMemory, other.onlyLikely, other.used);
    }
};

/// How much of its limit a line uses, 1 being all of it; nothing where it is not decided or has no amount.
[[nodiscard]] std::optional<double> usedOf(const TraceEntry &entry);

/// The first line that does not hold, else the one that is nearest to its end; nothing where none is decided.
[[nodiscard]] std::optional<Binding> bindingOf(std::span<const TraceEntry> trace);

} // namespace fleetwright
