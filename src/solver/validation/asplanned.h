// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/configuration.h"
#include "solver/models/detailed/detailedtext.h"

#include <map>
#include <string>
#include <string_view>

/// What a run takes over from the plan that it is a run of, where a row of a file would be read by its words alone:
/// figures of the hardware and choices of the software. In files the text `as_planned`, "key=value; key=value":
/// resources/handbook/validation.md lists the keys.
namespace fleetwright::validation {

struct RunConfiguration;

class AsPlanned {
public:
    /// UnsupportedValue, UnknownReference or OutOfRange "as_planned". An empty text states nothing.
    [[nodiscard]] static Expected<AsPlanned> fromText(std::string_view text);
    /// All of it that a plan so configured states.
    [[nodiscard]] static std::string textOf(const RunConfiguration &plan);

    [[nodiscard]] const detailed::Choices &choices() const { return m_choices; }
    /// Every figure of the accelerator and its family, so that its name need not be a known one.
    [[nodiscard]] bool describesMachine() const;
    /// Puts the figures that are stated in place of others.
    void describe(detailed::Setting &setting) const;

private:
    std::map<std::string_view, double> m_figures; ///< by key, in SI units
    detailed::FamilyMatch m_families{};
    detailed::Choices m_choices;
};

/// What no longer holds of the text when somebody says something else of the run.
enum class PlannedPart { Hardware, Domain, Software, AttentionKernel, Recomputation };
[[nodiscard]] std::string without(std::string_view asPlanned, PlannedPart part);

} // namespace fleetwright::validation
