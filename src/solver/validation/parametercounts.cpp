// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/parametercounts.h"

namespace fleetwright::validation {

namespace {

double attention(const detailed::Architecture &model)
{
    const auto h = double(model.hidden), a = double(model.heads), k = double(model.kvHeads), d = double(model.headDim);
    constexpr double queryRank = 1536, valueRank = 512;
    const double products = model.latentAttention ? h * queryRank + queryRank * a * 192 + h * (valueRank + 64) + valueRank * a * 256 + a * 128 * h : h * (a + 2 * k) * d + a * d * h;
    return products + 2 * h;
}

double sum(const detailed::Architecture &model, double expertLayer, const ParameterCounts &counts)
{
    return double(model.layers - model.expertLayers) * counts.dense + double(model.expertLayers) * expertLayer + counts.embedding;
}

} // namespace

ParameterCounts::ParameterCounts(const detailed::Architecture &model)
{
    const double h = double(model.hidden), matrices = model.gated ? 3.0 : 2.0, each = attention(model);
    dense = each + matrices * h * double(model.ffn);
    const auto expertLayer = [&](std::int64_t routed) {
        return each + matrices * h * (double(model.sharedExperts) + double(routed)) * double(model.expertFfn) + h * double(model.experts);
    };
    expert = expertLayer(model.experts);
    activeExpert = expertLayer(model.expertsPerToken);
    embedding = double(model.vocabulary) * h * (model.tiedEmbeddings ? 1 : 2);
}

double ParameterCounts::total(const detailed::Architecture &model)
{
    const ParameterCounts counts(model);
    return sum(model, counts.expert, counts);
}

double ParameterCounts::active(const detailed::Architecture &model)
{
    const ParameterCounts counts(model);
    return sum(model, counts.activeExpert, counts);
}

} // namespace fleetwright::validation
