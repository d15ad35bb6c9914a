// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provenance.h"
#include "units/unitsymbol.h"

#include <array>
#include <map>
#include <optional>
#include <span>
#include <variant>

namespace fleetwright {

/// The twelve catalogs. The names of toString() are the file names of the shipped data and the words of the command
/// line.
enum class CatalogKind {
    Accelerator,
    Node,
    Fabric,
    Cluster,
    Workload,
    Grid,
    Facility,
    Price,
    NetworkGear,
    Currency,
    PlanningDefault,
    CalibrationConstant
};

inline constexpr std::array allCatalogKinds{CatalogKind::Accelerator, CatalogKind::Node, CatalogKind::Fabric,
    CatalogKind::Cluster, CatalogKind::Workload, CatalogKind::Grid, CatalogKind::Facility, CatalogKind::Price,
    CatalogKind::NetworkGear, CatalogKind::Currency, CatalogKind::PlanningDefault, CatalogKind::CalibrationConstant};

/// Whether the shipped items come from a file in resources/catalog; calibration constants come from the cost model
/// itself.
[[nodiscard]] constexpr bool isShippedAsFile(CatalogKind kind) { return kind != CatalogKind::CalibrationConstant; }

/// "accelerators", "nodes", "fabrics", "clusters", "workloads", "grids", "facilities", "prices",
/// "network_gear", "currencies", "economics_reliability_defaults", "calibration_constants".
[[nodiscard]] std::string_view toString(CatalogKind kind);
[[nodiscard]] Expected<CatalogKind> parseCatalogKind(std::string_view text, std::string_view field = "kind");
/// "accelerator", "planning default"...: one item of the kind, for sentences.
[[nodiscard]] std::string_view itemName(CatalogKind kind);

/// One item among all catalogs.
struct ItemId {
    CatalogKind kind = CatalogKind::Accelerator;
    std::string id;
    auto operator<=>(const ItemId &) const = default;
};

/// "prices/price_dgx_h100_2026", as people type it.
[[nodiscard]] std::string toString(const ItemId &item);

enum class FieldType { Boolean, Integer, Real, Text, TextList, Json };

/// One field of a catalog kind. `key` is the name in files and the SQL column; a dot in it (`peak_dense_tflops.fp16`)
/// stands for a nested object in files. Numbers are stored in `unit` (a symbol of units::unitSymbols(), or empty).
struct FieldDescriptor {
    std::string_view key;
    std::string_view label;
    std::string_view description;
    FieldType type;
    units::Dimension dimension = units::Dimension::Number;
    std::string_view unit{};
    std::optional<double> minimum{}; ///< in `unit`, inclusive
    std::optional<double> maximum{};
    bool required = false;
    bool column = false; ///< shown in the catalog page's table by default
    std::optional<CatalogKind> reference{}; ///< the text is the id of an item of this kind
    std::string_view referenceKindField{}; ///< or of the catalog that this field of the same record names
};

/// The fields of a kind in display order; `id`, `name`, `known_confusions`, `notes` and `sources` are members of
/// CatalogRecord instead.
[[nodiscard]] std::span<const FieldDescriptor> fields(CatalogKind kind);
[[nodiscard]] const FieldDescriptor *findField(CatalogKind kind, std::string_view key);

/// monostate: unknown, unsupported or unpublished (never zero). double holds integers too.
using FieldValue = std::variant<std::monostate, bool, double, std::string, std::vector<std::string>>;

/// One catalog item as files and tables hold it. Typed values for solving are made from it (acceleratorFrom,
/// nodeFrom...).
struct CatalogRecord {
    CatalogKind kind = CatalogKind::Accelerator;
    std::string id;
    std::string name;
    bool shipped = false; ///< came with the program: read-only, may be duplicated
    std::map<std::string, FieldValue, std::less<>> values; ///< unknown values may be absent or monostate
    std::vector<std::string> knownConfusions; ///< sparse/dense, bit/byte... traps as the data marks them
    std::string notes;
    std::vector<Attribution> attributions;

    [[nodiscard]] const FieldValue *find(std::string_view key) const; ///< nullptr when absent or unknown
    [[nodiscard]] std::optional<double> number(std::string_view key) const; ///< in the descriptor's unit
    [[nodiscard]] std::optional<std::string> text(std::string_view key) const;
    [[nodiscard]] std::optional<bool> boolean(std::string_view key) const;
    /// The number converted to base units as a quantity; nothing when unknown.
    template <class Q> [[nodiscard]] std::optional<Q> quantity(std::string_view key) const
    {
        const auto *descriptor = findField(kind, key);
        const auto value = number(key);
        const auto unit = descriptor ? units::findUnit(descriptor->unit, units::DimensionOf<Q>::value) : std::nullopt;
        if (!value || !unit)
            return std::nullopt;
        return Q::from_value(*value * unit->factor);
    }
    /// The attribution that vouches for the field, the most specific first; nullptr when there is none.
    [[nodiscard]] const Attribution *attribution(std::string_view key) const;
    bool operator==(const CatalogRecord &) const = default;
};

/// The kind of the item whose id the field holds: the field's own, or the one that another field of the record names.
/// Nothing for other fields, and where that field is empty or names no catalog.
[[nodiscard]] std::optional<CatalogKind> referenceOf(const FieldDescriptor &field, const CatalogRecord &record);

/// Checks id, name, types, ranges and required fields. OutOfRange, MissingField or UnsupportedValue with the field's
/// key. References to other items are checked by Catalog::check, which knows them.
[[nodiscard]] Expected<void> check(const CatalogRecord &record);

/// The sources of `original` without those for fields that `edited` has changed.
[[nodiscard]] std::vector<Attribution> remainingAttributions(
    const CatalogRecord &original, const CatalogRecord &edited);

/// Stored in plain bytes or FLOP, so shown with the prefix that fits: the unit stands with the value, not in a column's
/// header.
[[nodiscard]] bool showsPrefix(const FieldDescriptor &field);

/// "2 039 GB/s", "true", "a, b": the value for people, with the unit unless `withUnit` is false. Empty when unknown.
[[nodiscard]] std::string display(const FieldDescriptor &field, const FieldValue &value, bool withUnit = true);

/// "989.4 TFLOP/s": with every digit that is stored; empty when unknown.
[[nodiscard]] std::string exactDisplay(const FieldDescriptor &field, const FieldValue &value);

/// Reads what was typed into a form field (with any unit of the dimension) into the stored value. Empty text is
/// unknown.
[[nodiscard]] Expected<FieldValue> parseField(const FieldDescriptor &field, std::string_view text);

} // namespace fleetwright
