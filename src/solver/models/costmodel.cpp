// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/costmodel.h"

#include "solver/models/cube/cubemodel.h"
#include "solver/models/detailed/detailedmodel.h"
#include "solver/models/dpwall/dpwallmodel.h"
#include "solver/models/firstorder/firstordermodel.h"
#include "solver/models/searcher/searchermodel.h"
#include "solver/models/strategycalculator/strategycalculatormodel.h"
#include "units/editdistance.h"
#include "units/words.h"

#include <array>

namespace fleetwright {

std::span<const CostModel *const> costModels()
{
    static const std::array models{&detailed::costModel(), &firstorder::costModel(), &searcher::costModel(),
        &strategycalculator::costModel(), &dpwall::costModel(), &cube::costModel()};
    return models;
}

Expected<const CostModel *> findCostModel(std::string_view id)
{
    std::string known;
    std::vector<std::string_view> ids;
    for (const auto *model : costModels()) {
        if (model->id() == id)
            return model;
        ids.push_back(model->id());
        known += (known.empty() ? "" : ", ") + std::string(model->id());
    }
    return refuse(ErrorCode::UnknownReference, "cost_model",
        "There is no cost model " + inQuotes(id) + didYouMean(id, ids, "; use one of " + known + "."));
}

LayoutSearchTraits CostModel::layoutSearchTraitsFor(const WorkloadFacts &workload, const Assumptions &) const
{
    auto traits = layoutSearchTraits();
    traits.tokens = traits.tokens && countsTokens(workload);
    return traits;
}

Assumptions understoodBy(const CostModel &model, const Assumptions &assumptions, std::vector<std::string> &ignored)
{
    Assumptions kept{{}, assumptions.calibrated, assumptions.planning};
    for (const auto &[key, value] : assumptions.edited) {
        Assumptions one;
        one.edited.emplace(key, value);
        if (check(one, model.assumptions()))
            kept.edited.emplace(key, value);
        else
            ignored.push_back(key);
    }
    return kept;
}

} // namespace fleetwright
