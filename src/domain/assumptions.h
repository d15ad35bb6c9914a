// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"
#include "units/unitsymbol.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace fleetwright {

/// A switch, a number in the descriptor's unit, or one of the descriptor's choices.
using AssumptionValue = std::variant<bool, double, std::string>;

/// One tunable constant of a cost model: what it is, its default, its range and where the default comes from.
struct AssumptionDescriptor {
    std::string key; ///< as in plan documents
    std::string label;
    std::string description;
    AssumptionValue defaultValue;
    units::Dimension dimension = units::Dimension::Number;
    std::string unit; ///< symbol in which the number is stored and shown; empty for plain numbers
    double minimum = 0;
    double maximum = 0;
    bool integer = false;
    std::vector<std::string> choices; ///< for text values
    std::string source; ///< of the default: paper, convention, measurement
    std::string group; ///< heading under which forms and reports list it
    std::string planningDefault{}; ///< id of the planning default whose value in the project is the default; or empty
    bool operator==(const AssumptionDescriptor &) const = default;
};

/// The values that differ from a cost model's defaults. What is not here has its default; nothing is substituted
/// silently, because the set of keys, defaults and ranges belongs to the model.
struct Assumptions {
    std::map<std::string, AssumptionValue, std::less<>> edited; ///< of the plan
    /// Constants that the user calibrated in the project, by the descriptor's key and in its unit: defaults for every
    /// plan. Filled by resolve(), never part of a document.
    std::map<std::string, double, std::less<>> calibrated{};
    /// Planning defaults of the project's catalog, by their id and in the unit of the descriptors that name them.
    /// Filled by resolve() likewise.
    std::map<std::string, double, std::less<>> planning{};
    bool operator==(const Assumptions &) const = default;
};

[[nodiscard]] const AssumptionDescriptor *findAssumption(
    std::span<const AssumptionDescriptor> descriptors, std::string_view key);

/// The edited value, else the calibrated one, else the planning default, else the descriptor's default. The key must be
/// one of the descriptors.
[[nodiscard]] AssumptionValue valueOf(const Assumptions &assumptions, const AssumptionDescriptor &descriptor);
/// The value that an edit replaces: calibrated in the project, else its planning default, else the default.
[[nodiscard]] AssumptionValue uneditedValueOf(const Assumptions &assumptions, const AssumptionDescriptor &descriptor);
[[nodiscard]] bool isEdited(const Assumptions &assumptions, const AssumptionDescriptor &descriptor);
/// The value is used as it was calibrated in the project.
[[nodiscard]] bool isCalibrated(const Assumptions &assumptions, const AssumptionDescriptor &descriptor);
/// The value is used as the project's catalog has it, and differs from the descriptor's default.
[[nodiscard]] bool isPlanned(const Assumptions &assumptions, const AssumptionDescriptor &descriptor);

/// A plan's edits may belong to several tables: the part of a key before a dot names the table ("operations.pue"), and
/// a cost model's own keys have no dot. Keys of other tables than this one are not judged here. Unknown keys
/// (UnknownReference), wrong types (UnsupportedValue), values out of range or not finite (OutOfRange). Fields are
/// "assumptions.<key>".
[[nodiscard]] Expected<void> check(const Assumptions &assumptions, std::span<const AssumptionDescriptor> descriptors);

/// "0.5", "85 %", "yes", "auto": for people.
[[nodiscard]] std::string display(const AssumptionDescriptor &descriptor, const AssumptionValue &value);

/// Reads what was typed into a form field. Same errors as check().
[[nodiscard]] Expected<AssumptionValue> parseAssumption(const AssumptionDescriptor &descriptor, std::string_view text);

} // namespace fleetwright
