// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/assumptions.h"

/// Assumptions as people read them: choices by what they are called ("Megatron-Core") instead of as documents have them
/// ("megatron_core"). What is typed may be either.
namespace fleetwright {

/// What people call a choice of the assumption with this key: "Megatron-Core", "zero-bubble, same memory", "fat tree".
[[nodiscard]] std::string choiceInWords(std::string_view key, const std::string &choice);

/// display() with the choice in words.
[[nodiscard]] std::string inWords(const AssumptionDescriptor &descriptor, const AssumptionValue &value);

/// parseAssumption() of what a form shows.
[[nodiscard]] Expected<AssumptionValue> parseInWords(const AssumptionDescriptor &descriptor, std::string_view text);

/// Where its default is from, by what the planning default is called instead of its id: "Planning default “PUE”".
[[nodiscard]] std::string sourceInWords(const AssumptionDescriptor &descriptor);

/// The name of a software stack: "Megatron-Core".
[[nodiscard]] std::string stackInWords(const std::string &stack);

} // namespace fleetwright
