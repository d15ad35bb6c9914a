// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/constants.h"

namespace fleetwright::detailed {

namespace {

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Architectures as the catalog writes them. What the runs did not measure is `nearest`.
struct KnownArchitecture {
    std::string_view start;
    std::string_view nameHolds; ///< only accelerators whose name has this; empty: all
    FamilyMatch match;
};

constexpr auto known = std::to_array<KnownArchitecture>({
    {"Volta", "", {Family::V100, false}},
    {"Turing", "", {Family::V100, true}},
    {"Ampere", "A100", {Family::A100, false}},
    {"Ampere", "A800", {Family::A100, false}},
    {"Ampere", "", {Family::A100, true}},
    {"Ada Lovelace", "", {Family::A100, true}},
    {"Hopper", "", {Family::Hopper, false}},
    {"Blackwell Ultra", "", {Family::BlackwellUltra, false}},
    {"Blackwell (", "", {Family::Blackwell, true}},
    {"Blackwell", "", {Family::Blackwell, false}},
    {"Rubin", "", {Family::BlackwellUltra, true}},
    {"TPU v3", "", {Family::Tpu, true}},
    {"TPU v4", "", {Family::Tpu, false}},
    {"TPU v5", "", {Family::Tpu, false}},
    {"TPU v6", "", {Family::TpuV6e, false}},
    {"TPU", "", {Family::Tpu, true}},
    {"CDNA 3", "", {Family::Cdna, false}},
    {"CDNA 4", "", {Family::Cdna, false}},
    {"CDNA", "", {Family::Cdna, true}},
});

} // namespace

FamilyMatch familyOf(const AcceleratorFacts &accelerator)
{
    for (const auto &entry : known)
        if (accelerator.architecture.starts_with(entry.start)
            && (entry.nameHolds.empty() || holds(accelerator.name, entry.nameHolds)))
            return entry.match;
    if (accelerator.vendor == "Google")
        return {Family::Tpu, true};
    if (accelerator.vendor == "AMD")
        return {Family::Cdna, true};
    // Nothing is known but the generation it competes with.
    if (accelerator.launchYear == 0 || (accelerator.launchYear >= 2020 && accelerator.launchYear < 2022))
        return {Family::A100, true};
    if (accelerator.launchYear < 2020)
        return {Family::V100, true};
    return {accelerator.launchYear < 2024 ? Family::Hopper : Family::Blackwell, true};
}

} // namespace fleetwright::detailed
