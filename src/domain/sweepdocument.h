// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/layoutsearchspace.h"
#include "domain/plandocument.h"

namespace fleetwright {

/// A number in the key's unit, a switch, one of the key's choices, or the id of a catalog item.
using SettingValue = AssumptionValue;

/// One value of one key of a plan ("parallelism.tp" = 8).
struct SweepSetting {
    std::string key;
    SettingValue value = 0.0;
    bool operator==(const SweepSetting &) const = default;
};

/// One position on an axis: everything that is set there at once.
struct SweepPoint {
    std::string label; ///< empty: made from the settings (see describe)
    std::vector<SweepSetting> settings;
    bool operator==(const SweepPoint &) const = default;
};

struct SweepAxis {
    std::string label; ///< empty: made from the keys (see describe)
    std::vector<SweepPoint> points;
    bool operator==(const SweepAxis &) const = default;
};

enum class SweepView { Lines, Bars, HeatMap };
[[nodiscard]] std::string_view toString(SweepView view); ///< "lines", "bars", "heat_map"
[[nodiscard]] Expected<SweepView> parseSweepView(std::string_view text, std::string_view field = "view");

/// What is looked for in each cell of a sweep that searches.
struct CellSearch {
    LayoutSearchSpace space;
    LayoutSearchObjective objective = LayoutSearchObjective::StepTime;
    bool operator==(const CellSearch &) const = default;
};

/// A question asked of many plans at once: a base plan, held as values so that a saved sweep means the same months
/// later, and what changes from cell to cell.
struct SweepDocument {
    std::string name;
    std::string question; ///< what the sweep answers, for people
    PlanDocument plan;
    std::vector<SweepAxis> axes; ///< one or two
    std::vector<std::string> costModels; ///< ids; empty: the plan's own
    std::string figure =
        "step_time_s"; ///< key as in solutionToJson ("mfu", "memory.total_bytes", "details.replica_mfu")
    SweepView view = SweepView::Lines;
    std::optional<CellSearch> search; ///< each cell shows its best layout instead of the plan's own
    std::optional<double> mark; ///< a threshold of the figure, in its base unit, whose crossing is looked for
    bool operator==(const SweepDocument &) const = default;
};

/// Whether each cell looks for its layout: the sweep says so, or its plan leaves the layout open.
[[nodiscard]] inline bool searchesCells(const SweepDocument &document)
{
    return document.search || document.plan.bestLayout;
}

inline constexpr std::size_t maximumSweepCells = 10000; ///< points of the axes times cost models
inline constexpr std::size_t maximumSettingsPerPoint = 32;

enum class SweepValueType { Flag, Integer, Real, Choice, Reference };

/// Something that a sweep can change.
struct SweepKey {
    std::string key;
    std::string label;
    std::string description;
    SweepValueType type = SweepValueType::Real;
    units::Dimension dimension = units::Dimension::Number;
    std::string unit{}; ///< symbol in which numbers are written; empty for plain numbers
    std::optional<double> minimum{}; ///< in `unit`, inclusive
    std::optional<double> maximum{};
    std::vector<std::string> choices{};
    std::optional<CatalogKind> reference{}; ///< the value is the id of an item of this kind
};
[[nodiscard]] inline bool isNumber(const SweepKey &key)
{
    return key.type == SweepValueType::Integer || key.type == SweepValueType::Real;
}

/// Every key of a plan and every number of its catalog items that a plan's answer depends on; assumptions are not in
/// it, since they belong to the cost models. Catalog fields carry the catalog's names and units: "workload.layers",
/// "fleet.node.nic_rate_gbit_per_s", "fleet.node.accelerator.memory_capacity_bytes", "fleet.fabric.latency_us".
[[nodiscard]] std::span<const SweepKey> sweepKeys();
[[nodiscard]] const SweepKey *findSweepKey(std::string_view key);
/// A limit's key as older documents name it, in the unit that it had; nullptr for every other key.
[[nodiscard]] const SweepKey *findFormerSweepKey(std::string_view key);
/// A setting with such a key, with the key and in the unit of today; others as they are.
[[nodiscard]] SweepSetting current(SweepSetting setting);
/// "assumptions.<key>" with the descriptor's label, range and choices.
[[nodiscard]] SweepKey sweepKeyOf(const AssumptionDescriptor &assumption);
[[nodiscard]] bool isAssumptionKey(std::string_view key);

/// The key exists and the value has its type and lies in its range. UnsupportedValue or OutOfRange with `field`.
/// Assumptions may have any plain value here; the cost model that owns them checks them.
[[nodiscard]] Expected<void> check(const SweepSetting &setting, const std::string &field);

/// A name, one or two axes, each point with settings, no key set twice for one cell, no more than maximumSweepCells.
/// Fields are "name", "axes[1]", "axes[0].points[2].set.parallelism.tp"... The base plan itself is checked when it is
/// resolved.
[[nodiscard]] Expected<void> check(const SweepDocument &document);

/// Reads what people type for one key: a list ("1, 2, 4"), ranges that multiply ("1..1024:x2") or add ("1..64:+1",
/// "1..64"), both mixed; numbers with any unit of the key's dimension, yes and no, choices, ids or names of catalog
/// items.
[[nodiscard]] Expected<std::vector<SettingValue>> parseValues(
    const SweepKey &key, std::string_view text, const Catalog &catalog, const std::string &field);
/// One value of these, in which commas group digits ("32,000").
[[nodiscard]] Expected<SettingValue> parseValue(
    const SweepKey &key, std::string_view text, const Catalog &catalog, const std::string &field);
/// What parseValues reads back as the same values: "1, 2, 4", "1..64:x2", "ib_hdr, ib_ndr".
[[nodiscard]] std::string valuesToText(const SweepAxis &axis);
/// Points with several settings as lines for people to edit: "DP only: parallelism.tp = 1, parallelism.pp = 1".
[[nodiscard]] std::string pointsToText(const SweepAxis &axis);
/// The other way round. ParseError with `field` and the number of the line; values as parseValues reads them, one for
/// each key.
[[nodiscard]] Expected<std::vector<SweepPoint>> parsePoints(std::string_view text,
    std::span<const AssumptionDescriptor> assumptions, const Catalog &catalog, const std::string &field);
/// One point per value, of a former key as of today's.
[[nodiscard]] SweepAxis axisOf(std::string_view key, const std::vector<SettingValue> &values);

/// A value of a key with a LayoutSearchOption, as LayoutSearchSpace holds it.
[[nodiscard]] int layoutSearchValueOf(const SettingValue &value);

/// The plan document with the settings applied, references first. Where its layout is open, settings of the layout fix
/// that degree (training.microbatch_count cannot). A changed catalog item stands inline. Accelerators
/// cannot stand inline in a plan, so changed fields of the accelerator come back as a record of their own.
struct AppliedSettings {
    PlanDocument document;
    std::optional<CatalogRecord> accelerator;
};
/// Errors name the key. Setting training.microbatch_count clears microbatch_size and the other way round; setting a
/// fabric's port rate replaces its port bandwidth; setting the parameters of a dense workload sets its active
/// parameters, too.
[[nodiscard]] Expected<AppliedSettings> applySettings(
    std::span<const SweepSetting> settings, PlanDocument document, const Catalog &catalog);
/// applySettings and resolve, on a catalog that holds the plan's items only.
[[nodiscard]] Expected<Plan> apply(
    std::span<const SweepSetting> settings, const PlanDocument &document, const Catalog &catalog);

/// Texts for people: "8", "400 Gb/s", "InfiniBand NDR"; a point's own label or its values; an axis's own label or its
/// key's, with unit. `assumptions` are those of the cost model, for their labels.
[[nodiscard]] std::string describe(const SweepSetting &setting, const Catalog &catalog);
[[nodiscard]] std::string describe(
    const SweepPoint &point, const Catalog &catalog, std::span<const AssumptionDescriptor> assumptions = {});
[[nodiscard]] std::string describe(const SweepAxis &axis, std::span<const AssumptionDescriptor> assumptions = {});

/// The numbers along an axis whose points all set one and the same numeric key, in the key's unit; empty for other
/// axes.
[[nodiscard]] std::vector<double> numbersOf(const SweepAxis &axis);

} // namespace fleetwright
