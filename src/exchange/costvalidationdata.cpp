// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/publishedcosts.h"

#include <nlohmann/json.hpp>

namespace fleetwright::exchange {

using namespace costs;

namespace {

using ScoreJson = nlohmann::ordered_json;

ScoreJson costToJson(const CostTolerance &tolerance)
{
    switch (tolerance.rule) {
    case CostTolerance::Rule::Share: return {{"share", tolerance.value}};
    case CostTolerance::Rule::Factor: return {{"factor", tolerance.value}};
    case CostTolerance::Rule::Bracket: return {{"bracket", true}};
    }
    return {};
}

ScoreJson costToJson(const CostSource &source)
{
    return {{"title", source.title}, {"url", source.url}, {"locator", source.locator}, {"date", source.date}};
}

ScoreJson costToJson(const BulkDiscount &discount)
{
    ScoreJson json{{"ratio", discount.ratio}, {"evidence", ScoreJson::array()}};
    for (const auto &order : discount.evidence)
        json["evidence"].push_back({{"id", order.id}, {"ratio", order.ratio}});
    return json;
}

ScoreJson costToJson(const CostSummary &summary)
{
    ScoreJson json{{"kind", toString(summary.kind)}, {"n", summary.count}, {"median_ape", summary.medianError},
        {"mape", summary.meanError}, {"within", summary.within}};
    if (summary.hasDiscount) {
        json["median_ape_discounted"] = summary.medianDiscounted;
        json["mape_discounted"] = summary.meanDiscounted;
        json["within_discounted"] = summary.withinDiscounted;
    }
    json["target"] = summary.target ? ScoreJson(summary.target->sentence) : ScoreJson(nullptr);
    json["target_met"] = summary.target ? ScoreJson(summary.target->met) : ScoreJson(nullptr);
    return json;
}

ScoreJson costToJson(const CostScore &score)
{
    const auto &row = score.row;
    ScoreJson json{{"id", row.id}, {"name", row.name}, {"kind", toString(row.kind)}, {"date", row.date},
        {"unit", baseUnit(row.kind)}, {"published", row.published}, {"computed", score.computed},
        {"error", score.error()}, {"tolerance", costToJson(row.tolerance)}, {"within", score.within}};
    if (score.low && score.high)
        json["range"] = {*score.low, *score.high};
    if (score.discount) {
        json["discount"] = costToJson(*score.discount);
        json["computed_discounted"] = score.discounted();
        json["error_discounted"] = score.discountedError();
        json["within_discounted"] = score.withinDiscounted();
    }
    json["lines"] = ScoreJson::array();
    for (const auto &line : score.lines)
        json["lines"].push_back({{"label", line.label}, {"value", line.value}});
    json["prices"] = ScoreJson::array();
    for (const auto &quote : score.quotes)
        json["prices"].push_back({{"entry", quote.entry}, {"value", quote.value}, {"unit", quote.unit},
            {"source", quote.source}, {"as_of", quote.date}});
    json["explanation"] = explainCost(score);
    json["source"] = costToJson(row.source);
    return json;
}

} // namespace

ScoreJson costValidationToJson(const CostValidation &validation)
{
    ScoreJson json{{"summary", ScoreJson::array()}, {"scores", ScoreJson::array()}, {"not_scored", ScoreJson::array()}};
    for (const auto &summary : validation.summaries)
        json["summary"].push_back(costToJson(summary));
    for (const auto &score : validation.scores)
        json["scores"].push_back(costToJson(score));
    for (const auto &row : validation.notScored)
        json["not_scored"].push_back({{"id", row.id}, {"name", row.name}, {"reason", row.reason}});
    return json;
}

} // namespace fleetwright::exchange
