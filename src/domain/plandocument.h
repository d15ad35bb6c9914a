// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"
#include "domain/layoutsearchspace.h"
#include "domain/plan.h"

#include <memory>

namespace fleetwright {

/// A catalog id, or an item that stands inline with the catalog's own field names.
using ItemReference = std::variant<std::string, CatalogRecord>;

/// A fleet as it is written down: names instead of values.
struct FleetDocument {
    std::string name; ///< of a saved fleet; empty inside a plan that was not made from one
    ItemReference node = std::string();
    int nodes = 1;
    ItemReference fabric = std::string();
    std::optional<double> oversubscription; ///< the fabric's own where absent
    std::optional<FabricTopology> topology; ///< the fabric's own where absent
    std::string facility; ///< facilities id; empty: none
    std::string grid; ///< grids id; empty: none
    CostDocument costs{}; ///< what it pays; the catalog decides what is not stated
    bool operator==(const FleetDocument &) const = default;
};

/// A plan as files, the project and the forms hold it. resolve() turns it into a Plan.
///
/// With `bestLayout` nobody has chosen a layout: the best of that space is looked for when the plan is solved
/// (solver/search/recommendation.h), what the space names stays fixed, and parallelism, microbatches and recomputation
/// are those of withBestLayout(), so that equal questions are equal documents.
struct PlanDocument {
    std::string name;
    ItemReference workload = std::string();
    FleetDocument fleet;
    Parallelism parallelism;
    std::optional<LayoutSearchSpace> bestLayout; ///< nothing: the degrees are fixed
    Training training;
    Assumptions assumptions;
    Constraints constraints;
    std::string costModelId;
    bool operator==(const PlanDocument &) const = default;
};

/// The plan with its layout left open, in the space.
[[nodiscard]] PlanDocument withBestLayout(PlanDocument document, LayoutSearchSpace space = {});

/// Looks the names up and checks every part. UnknownReference, MissingField or OutOfRange with a dotted path:
/// "fleet.node", "fleet.nodes", "fleet.fabric", "fleet.costs.node_usd", "workload", "parallelism.tp"... Catalog items
/// that exist but lack a value that a planner needs are refused with the path of the reference and the item's own
/// sentence. The plan's assumptions are those of withProjectValues(). Where the layout is open ("layout.best.tp" and so
/// on are checked) the plan has the document's degrees, which are only where a search begins.
[[nodiscard]] Expected<Fleet> resolve(const FleetDocument &document, const Catalog &catalog);
[[nodiscard]] Expected<Plan> resolve(const PlanDocument &document, const Catalog &catalog);

/// The edits with what the project sets for every plan: calibrated constants and planning defaults of the catalog.
/// Refused as calibratedConstants() and planningValues() do.
[[nodiscard]] Expected<Assumptions> withProjectValues(const Assumptions &edits, const Catalog &catalog);

/// Name to show for a reference: the item's name, or its id when the catalog lacks it.
[[nodiscard]] std::string nameOf(const ItemReference &reference, CatalogKind kind, const Catalog &catalog);

} // namespace fleetwright
