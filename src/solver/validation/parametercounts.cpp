// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/parametercounts.h"

#include "solver/models/detailed/prepared.h"

namespace fleetwright::validation {

ParameterCounts::ParameterCounts(const detailed::Architecture &model)
{
    const auto plain = detailed::layerKindOf(model, false), routed = detailed::layerKindOf(model, true);
    dense = plain.parameters;
    expert = routed.parameters + routed.expertParameters;
    activeExpert = routed.parameters
        + (model.experts > 0 ? routed.expertParameters * double(model.expertsPerToken) / double(model.experts) : 0);
    embedding = double(model.vocabulary) * double(model.hidden) * (model.tiedEmbeddings ? 1 : 2);
}

double ParameterCounts::total(const detailed::Architecture &model) { return detailed::parametersOf(model); }

double ParameterCounts::active(const detailed::Architecture &model)
{
    const ParameterCounts counts(model);
    return double(model.layers - model.expertLayers) * counts.dense + double(model.expertLayers) * counts.activeExpert
        + counts.embedding;
}

} // namespace fleetwright::validation
