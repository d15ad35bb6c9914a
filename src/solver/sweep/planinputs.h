// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sweepdocument.h"
#include "solver/validation/steprange.h"
#include "solver/worksheet/fleettables.h"

#include <memory>
#include <stop_token>

/// Everything that can be set in plans, side by side: where do they differ?
namespace fleetwright {

/// The groups of a plan's form, in its order.
enum class PlanInputGroup : std::uint8_t { OfWorkload, OfFleet, OfLayout, OfTraining, OfLimits, OfCosts, OfModel };
[[nodiscard]] std::string_view toString(PlanInputGroup group); ///< "Workload", "Fleet"...

/// One thing that can be set in a plan. Keys are those of sweepKeys() and of assumptions, "layout" (best or fixed),
/// "cost_model", and "fleet.costs.paying", "fleet.costs.node_usd" and so on as documents of plans have them.
struct PlanInput {
    std::string key;
    PlanInputGroup group = PlanInputGroup::OfWorkload;
    std::string label;
    std::string help; ///< what it is, and in which unit a number without one is read
    bool operator==(const PlanInput &) const = default;
};

/// What one plan has there.
struct PlanInputCell {
    std::string text{}; ///< "400 Gb/s", "as published": for people
    std::string editText{}; ///< as PlanInputs::edited() reads it back; empty where nothing is stated
    std::string source{}; ///< of the value, where one is known
    bool isStated = true; ///< by the plan; else it follows from something else
    bool isNumber = false;
    bool isEditable = true; ///< false: the plan's cost model does not have it
    bool operator==(const PlanInputCell &) const = default;
};

struct InputChoice {
    std::string typed; ///< for PlanInputs::edited()
    std::string label;
    bool operator==(const InputChoice &) const = default;
};

/// One plan as its inputs are shown and edited.
class PlanInputs {
public:
    PlanInputs(PlanDocument document, std::shared_ptr<const Catalog> catalog);
    [[nodiscard]] const PlanDocument &document() const { return m_document; }
    [[nodiscard]] const std::shared_ptr<const Catalog> &catalog() const { return m_catalog; }

    [[nodiscard]] PlanInputCell cell(std::string_view key) const;
    /// Of the plan's cost model or of operations; nullptr where they have none of this key ("assumptions.efficiency").
    [[nodiscard]] const AssumptionDescriptor *assumption(std::string_view key) const;
    /// What can be chosen; empty where a number or text is typed.
    [[nodiscard]] std::vector<InputChoice> choices(std::string_view key) const;
    /// The plan after the text was typed there, which is read as the plan's form reads it; nothing typed leaves out
    /// what need not be stated. A fixed layout is the best one. Refused with the key where the text cannot be used, and
    /// where a plan that could be priced no longer could; whether an open layout has a feasible one is not asked.
    /// `rangeOf`: as layoutsearch::recommend().
    [[nodiscard]] Expected<PlanDocument> edited(std::string_view key, std::string_view typed,
        const validation::RangeOf &rangeOf = {}, const std::stop_token &stop = {}) const;
    /// Whether edited() looks for a layout then, which takes long: `stop` ends it with Cancelled.
    [[nodiscard]] bool searches(std::string_view key, std::string_view typed) const;

private:
    [[nodiscard]] std::optional<SweepKey> keyOf(std::string_view key) const;

    [[nodiscard]] const CatalogRecord *item(std::string_view key) const;
    [[nodiscard]] const FleetEntryLine *costLine(std::string_view key) const;
    [[nodiscard]] PlanInputCell degreeCell(LayoutSearchOption option) const;
    [[nodiscard]] PlanInputCell assumptionCell(std::string_view key) const;
    [[nodiscard]] PlanInputCell costCell(std::string_view key) const;
    [[nodiscard]] Expected<void> state(PlanDocument &plan, std::string_view key, std::string_view typed,
        const validation::RangeOf &rangeOf, const std::stop_token &stop) const;

    PlanDocument m_document;
    std::shared_ptr<const Catalog> m_catalog;
    mutable std::optional<std::vector<FleetEntryLine>> m_costLines; ///< once somebody asks
};

/// The rows that plans need, in the order of the form: every key of a plan, what any of them states about costs, every
/// assumption that any edits, and every number in which an item that stands inline differs from the catalog's.
[[nodiscard]] std::vector<PlanInput> inputsOf(std::span<const PlanInputs> plans);

} // namespace fleetwright
