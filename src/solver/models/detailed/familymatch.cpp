// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/constants.h"

namespace fleetwright::detailed {

namespace {

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Architectures as the catalog writes them. A list is of what the runs did not measure.
struct KnownArchitecture {
    std::string_view start;
    std::string_view nameHolds; ///< only accelerators whose name has this; empty: all
    FamilyMatch match;
};

/// Of what shares neither vendor nor architecture with a measured family. Published rows on Ascend 910B and Trainium1
/// come out within 10 % in the median by the mean of these three, by any one of them up to 20 % off.
constexpr auto strangers = FamilyMatch::nearestOf({Family::Hopper, Family::A100, Family::Cdna});

constexpr auto known = std::to_array<KnownArchitecture>({
    {"Volta", "", FamilyMatch::measured(Family::V100)},
    {"Turing", "", FamilyMatch::nearestOf({Family::A100, Family::V100})},
    {"Ampere", "A100", FamilyMatch::measured(Family::A100)},
    {"Ampere", "A800", FamilyMatch::measured(Family::A100)},
    {"Ampere", "", FamilyMatch::nearestOf({Family::A100})},
    {"Ada Lovelace", "", FamilyMatch::nearestOf({Family::Hopper, Family::A100})},
    {"Hopper", "", FamilyMatch::measured(Family::Hopper)},
    {"Blackwell Ultra", "", FamilyMatch::measured(Family::BlackwellUltra)},
    {"Blackwell (", "", FamilyMatch::nearestOf({Family::Blackwell})},
    {"Blackwell", "", FamilyMatch::measured(Family::Blackwell)},
    {"Rubin", "", FamilyMatch::nearestOf({Family::BlackwellUltra, Family::Blackwell})},
    {"TPU v4", "", FamilyMatch::measured(Family::Tpu)},
    {"TPU v5", "", FamilyMatch::measured(Family::Tpu)},
    {"TPU v6", "", FamilyMatch::measured(Family::TpuV6e)},
    {"TPU v7", "", FamilyMatch::nearestOf({Family::Tpu, Family::TpuV6e})},
    {"TPU", "", FamilyMatch::nearestOf({Family::Tpu})},
    {"CDNA 3", "", FamilyMatch::measured(Family::Cdna)},
    {"CDNA 4", "", FamilyMatch::measured(Family::Cdna)},
    // CDNA 5 (MI400): its vendor's software, and the ratio of peak to bandwidth of its generation.
    {"CDNA 5", "", FamilyMatch::nearestOf({Family::Cdna, Family::BlackwellUltra})},
    {"CDNA", "", FamilyMatch::nearestOf({Family::Cdna})},
});

} // namespace

FamilyMatch familyOf(const AcceleratorFacts &accelerator)
{
    for (const auto &entry : known)
        if (accelerator.architecture.starts_with(entry.start)
            && (entry.nameHolds.empty() || holds(accelerator.name, entry.nameHolds)))
            return entry.match;
    if (accelerator.vendor == "Google")
        return FamilyMatch::nearestOf({Family::Tpu});
    if (accelerator.vendor == "AMD")
        return FamilyMatch::nearestOf({Family::Cdna});
    constexpr int firstOfAmpere = 2020;
    if (accelerator.launchYear > 0 && accelerator.launchYear < firstOfAmpere)
        return FamilyMatch::nearestOf({Family::A100, Family::V100});
    return strangers;
}

std::string familiesInWords(std::span<const FamilyShare> shares)
{
    std::string text;
    for (std::size_t i = 0; i < shares.size(); ++i)
        text += std::string(i == 0               ? ""
                        : i + 1 == shares.size() ? " and "
                                                 : ", ")
            + std::string(toString(shares[i].family));
    return text;
}

} // namespace fleetwright::detailed
