// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/prepared.h"

#include <span>
#include <vector>

/// Pricing an accelerator without measured runs: what differs between families enters as the weighted geometric mean
/// over those nearest to it.
namespace fleetwright::detailed {

/// One family's part in a mean.
struct MeanPart {
    Family family = Family::A100;
    std::optional<Constant> constant; ///< nothing: unknownAttentionShare
    std::optional<Constant> factor{}; ///< on it, of a generation within a family: TpuV6eShare
    double weight = 1; ///< of all parts together 1
    bool operator==(const MeanPart &) const = default;
};

/// Over Setting::families, which are two or more: of the share of the peak in weight products of so many bits. Families
/// that have no constant for them take no part, unless none has: what a 16-bit kernel reaches says nothing about
/// hardware that the family lacks.
[[nodiscard]] std::vector<MeanPart> productMean(const Setting &setting, int bits);
/// Of the fused attention kernel that the setting asks for.
[[nodiscard]] std::vector<MeanPart> attentionMean(const Setting &setting);
/// In the unit of Constants; 1 without parts.
[[nodiscard]] double valueOf(std::span<const MeanPart> mean, const Constants &constants);

/// Share of the peak in weight products of so many bits: the constant of the family, or the mean over several.
[[nodiscard]] double productShare(const Setting &setting, int bits);
/// Share of the 16-bit peak in attention scores likewise.
[[nodiscard]] double attentionShare(const Setting &setting);

} // namespace fleetwright::detailed
