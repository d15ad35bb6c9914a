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

std::vector<MeanPart> productMean(const Setting &setting, int bits)
{
    std::vector<MeanPart> parts;
    for (const bool measured : {true, false}) {
        for (const auto &share : setting.families.shares())
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

std::vector<MeanPart> attentionMean(const Setting &setting)
{
    std::vector<MeanPart> parts;
    for (const auto &share : setting.families.shares())
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

double productShare(const Setting &setting, int bits)
{
    if (setting.families.shares().size() > 1)
        return valueOf(productMean(setting, bits), setting.constants);
    const auto generation = generationConstant(setting);
    return setting.constants[productConstant(setting, bits)] * (generation ? setting.constants[*generation] : 1);
}

double attentionShare(const Setting &setting)
{
    if (setting.families.shares().size() > 1)
        return valueOf(attentionMean(setting), setting.constants);
    const auto attention = attentionConstant(setting);
    return attention ? setting.constants[*attention] : unknownAttentionShare;
}

} // namespace fleetwright::detailed
