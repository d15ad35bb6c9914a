// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/configuration.h"

#include <array>
#include <optional>
#include <string>

/// How people choose training software before they know versions and flags, and which stack of the engine each choice
/// is.
namespace fleetwright::detailed {

/// Who made the software run as fast as it does.
enum class SoftwareClass : std::uint8_t {
    Tuned, ///< the vendor's own and what is submitted to MLPerf
    Framework, ///< general frameworks as they come
    Research ///< written to be read and changed
};
inline constexpr std::array allSoftwareClasses{SoftwareClass::Tuned, SoftwareClass::Framework, SoftwareClass::Research};
/// Of a plan that states neither class nor stack. Where a plan names what it is launched with, that decides instead:
/// the place to ask is settingFrom() of plans.
inline constexpr auto defaultSoftwareClass = SoftwareClass::Framework;

/// Assumptions of the cost model that say so in a plan.
inline constexpr std::string_view softwareClassKey = "software_class", softwareStackKey = "software_stack";

[[nodiscard]] std::string_view toString(SoftwareClass softwareClass); ///< "tuned", "framework", "research"
[[nodiscard]] Expected<SoftwareClass> parseSoftwareClass(
    std::string_view text, std::string_view field = "software_class");
/// What belongs to it: "Megatron-Core, Megatron-Bridge, NeMo, MLPerf submissions".
[[nodiscard]] std::string membersOf(SoftwareClass softwareClass);

/// What the name of a framework alone says, from one list of known names; nothing for others.
[[nodiscard]] std::optional<SoftwareClass> classNamed(std::string_view frameworkInLowerCase);
[[nodiscard]] std::optional<Software> stackNamed(std::string_view frameworkInLowerCase);

/// The stack that a plan of the class runs. TPUs run XLA in every class: nothing else was measured on them.
[[nodiscard]] Software stackOf(SoftwareClass softwareClass, Family family);
/// The class of a plan that states only its stack.
[[nodiscard]] SoftwareClass classOf(Software software);

/// Generation of the fused attention kernel that comes with a stack which the class chose, as measured runs of that
/// stack are read (resources/handbook/models/detailed.md, section 16); 0 where attention is not fused.
[[nodiscard]] int attentionKernelOf(Software software, Family family);

} // namespace fleetwright::detailed
