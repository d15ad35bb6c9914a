// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/project.h"

#include <optional>

namespace fleetwright::app {

/// What a plan is and what its kept answer says.
struct PlanLine {
    QString toolTip;
    bool stale = false; ///< the kept answer's input hash is not that of the plan as it is now
};
[[nodiscard]] PlanLine planLine(
    const storage::SavedPlan &plan, const std::optional<storage::SavedResult> &result, const Catalog &catalog);

/// "512 × DGX B200, XDR".
[[nodiscard]] QString fleetText(const FleetDocument &fleet, const Catalog &catalog);
/// The degrees of a plan; "best: TP 4, PP 2" with those of the kept answer where the plan leaves them open.
[[nodiscard]] QString layoutText(const PlanDocument &document, const std::optional<storage::SavedResult> &result);
/// "TP 8, PP 4"; "DP only" when nothing is split.
[[nodiscard]] QString layoutText(const Parallelism &parallelism);

/// A plan to start from: Llama 3.1 70B on 32 DGX H100 nodes with InfiniBand NDR where the catalog has them, else the
/// first items that make a complete plan. Everything is visible in the form and can be changed there.
[[nodiscard]] PlanDocument startingPlan(const Catalog &catalog);
[[nodiscard]] FleetDocument startingFleet(const Catalog &catalog);

/// "Name", "Name 2", "Name 3"...: the first that no document of `kept` has.
template <class Saved> [[nodiscard]] std::string freeName(const std::string &wanted, const std::vector<Saved> &kept)
{
    std::string name = wanted;
    const auto has = [&name](const Saved &saved) { return saved.document.name == name; };
    for (int i = 2; std::ranges::any_of(kept, has); ++i)
        name = wanted + " " + std::to_string(i);
    return name;
}

} // namespace fleetwright::app
