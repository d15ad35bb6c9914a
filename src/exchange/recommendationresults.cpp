// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/recommendationresults.h"

#include "exchange/figurejson.h"
#include "exchange/layoutsearchresults.h"
#include "units/unitsymbol.h"

#include <nlohmann/json.hpp>

namespace fleetwright::exchange {

namespace {

Json rowOf(const layoutsearch::Row &row, const layoutsearch::CaseFacts &facts)
{
    auto json = layoutSearchRowToJson(row, facts);
    json.erase("case"); // there is one only
    return json;
}

Json missedToJson(const TraceEntry &entry)
{
    Json json{{"constraint", entry.constraint}};
    putFigure(json, "needed", entry.needed);
    putFigure(json, "allowed", entry.allowed);
    json["unit"] = units::baseSymbol(entry.dimension);
    json["message"] = entry.sentence;
    return json;
}

} // namespace

Json recommendationToJson(const layoutsearch::Recommendation &recommended, const layoutsearch::Remedies &remedies)
{
    auto json = rowOf(recommended.row, recommended.facts);
    if (recommended.isFeasible()) {
        json["best"] = rowOf(recommended.best, recommended.facts);
        json["best"]["gain"] = recommended.gain;
    }
    if (recommended.rival) {
        json["rival"] = rowOf(*recommended.rival, recommended.facts);
        json["rival"]["loss"] = recommended.rivalLoss;
    }
    if (const auto &byRuns = recommended.byRuns) {
        putFigure(json["by_runs"], "step_time_s", byRuns->seconds);
        if (byRuns->byFormula) {
            json["by_runs"]["formula"] = rowOf(*byRuns->byFormula, recommended.facts);
            json["by_runs"]["formula"]["loss"] = byRuns->formulaLoss;
        }
    }
    json["counts"] = layoutSearchCountsToJson(recommended.counts);
    json["memory_fraction"] = recommended.memoryShare;
    for (const auto &entry : recommended.missed)
        json["missed"].push_back(missedToJson(entry));
    if (remedies.nodes)
        json["nearest"]["nodes"] = *remedies.nodes;
    if (remedies.deadline)
        json["nearest"]["deadline_days"] = double(*remedies.deadline / day);
    if (remedies.memoryShare)
        json["nearest"]["max_memory_fraction"] = *remedies.memoryShare;
    json["sentences"] = inWords(recommended, &remedies);
    return json;
}

} // namespace fleetwright::exchange
