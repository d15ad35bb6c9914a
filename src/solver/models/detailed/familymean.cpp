// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/familymean.h"

namespace fleetwright::detailed {

namespace {

Setting ofFamily(const Setting &setting, Family family)
{
    Setting other = setting;
    other.machine.family = family;
    return other;
}

/// Whether the family's constant was measured at these bits and not at more.
bool wasMeasured(const Setting &setting, int bits)
{
    const int more = bits == 4 ? 8 : 16;
    return bits == 16 || productConstant(setting, bits) != productConstant(setting, more);
}

std::vector<MeanPart> withUnitSum(std::vector<MeanPart> parts)
{
    double sum = 0;
    for (const auto &part : parts)
        sum += part.weight;
    for (auto &part : parts)
        part.weight /= sum;
    return parts;
}

} // namespace

std::vector<MeanPart> productMean(const Setting &setting, std::span<const FamilyShare> shares, int bits)
{
    std::vector<MeanPart> parts;
    for (const bool measured : {true, false}) {
        for (const auto &share : shares)
            if (const auto other = ofFamily(setting, share.family); !measured || wasMeasured(other, bits))
                parts.push_back({.family = share.family,
                    .constant = productConstant(other, bits),
                    .factor = generationConstant(other),
                    .weight = share.weight});
        if (!parts.empty())
            break;
    }
    return withUnitSum(std::move(parts));
}

std::vector<MeanPart> attentionMean(const Setting &setting, std::span<const FamilyShare> shares)
{
    std::vector<MeanPart> parts;
    for (const auto &share : shares)
        parts.push_back({.family = share.family,
            .constant = attentionConstant(ofFamily(setting, share.family)),
            .weight = share.weight});
    return withUnitSum(std::move(parts));
}

double valueOf(std::span<const MeanPart> mean, const Constants &constants)
{
    double logarithm = 0;
    for (const auto &part : mean)
        logarithm += part.weight
            * std::log((part.constant ? constants[*part.constant] : unknownAttentionShare)
                * (part.factor ? constants[*part.factor] : 1));
    return std::exp(logarithm);
}

Constants withFamilyMeans(const Setting &setting, std::span<const FamilyShare> shares)
{
    auto constants = setting.constants;
    if (shares.size() < 2)
        return constants;
    for (const int bits : {16, setting.precisionBits})
        constants[productConstant(setting, bits)] = valueOf(productMean(setting, shares, bits), setting.constants);
    if (const auto attention = attentionConstant(setting))
        constants[*attention] = valueOf(attentionMean(setting, shares), setting.constants);
    return constants;
}

} // namespace fleetwright::detailed
