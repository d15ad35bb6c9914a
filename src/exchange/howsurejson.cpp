// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/howsurejson.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace fleetwright::exchange {

namespace {

Json orNever(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json chanceToJson(const uncertainty::Chance &chance)
{
    return {{"share", chance.share}, {"standard_error", chance.error}};
}

Json swingToJson(const uncertainty::RiskSwing &swing, const uncertainty::RiskAnswer &risk)
{
    const auto &input = risk.inputs[swing.input];
    return {{"input", input.label}, {"entry", input.entry}, {"unit", input.unit}, {"low", input.low},
        {"likely", input.likely}, {"high", input.high}, {"at_low", orNever(swing.atLow)},
        {"at_high", orNever(swing.atHigh)}, {"rank_correlation", swing.rankCorrelation}};
}

Json fleetRiskToJson(const uncertainty::FleetRisk &fleet, const uncertainty::RiskAnswer &risk)
{
    Json json{{"fleet", fleet.label}};
    for (const auto figure : uncertainty::allRiskFigures)
        if (const auto &spread = fleet.spread(figure))
            json[std::string(toString(figure))] = spreadToJson(*spread);
    if (fleet.deadline)
        json["deadline_chance"] = chanceToJson(*fleet.deadline);
    if (fleet.budget)
        json["budget_chance"] = chanceToJson(*fleet.budget);
    if (fleet.both)
        json["both_chance"] = chanceToJson(*fleet.both);
    if (fleet.all)
        json["all_limits_chance"] = chanceToJson(*fleet.all);
    json["best"] = chanceToJson(fleet.best);
    json["tornado"] = Json::object();
    for (const auto figure : uncertainty::allRiskFigures)
        if (fleet.spread(figure)) {
            auto &swings = json["tornado"][std::string(toString(figure))] = Json::array();
            for (const auto &swing : fleet.tornado(figure))
                swings.push_back(swingToJson(swing, risk));
        }
    return json;
}

Json turningPointToJson(const size::TurningPoint &point)
{
    Json json{{"entry", point.entry}, {"unit", point.unit}, {"now", point.now}};
    if (point.needed)
        json["needed"] = *point.needed;
    json["sentence"] = point.sentence;
    return json;
}

} // namespace

Json spreadToJson(const uncertainty::RiskSpread &spread)
{
    const auto &quantiles = spread.quantiles;
    return {{"p10", orNever(quantiles.p10)}, {"p50", orNever(quantiles.p50)}, {"p90", orNever(quantiles.p90)},
        {"mean", orNever(quantiles.mean)}, {"p50_error", orNever(quantiles.p50Error)},
        {"mean_error", orNever(quantiles.meanError)}, {"likely", orNever(spread.likely)},
        {"by_formula", orNever(spread.byFormula)}};
}

Json howSureToJson(const size::HowSure &sure)
{
    const auto &risk = sure.risk;
    Json json{
        {"draws", risk.draws}, {"seed", risk.seed}, {"objective", toString(risk.objective)}, {"fleets", Json::array()}};
    const auto keys = [](const std::vector<size::SizeLimit> &limits) {
        Json list = Json::array();
        for (const auto limit : limits)
            list.push_back(keyOf(limit));
        return list;
    };
    json["limits_judged_in_draws"] = keys(sure.judgedInDraws);
    json["limits_judged_at_likely_values"] = keys(sure.judgedAtLikely);
    for (const auto &fleet : risk.fleets)
        json["fleets"].push_back(fleetRiskToJson(fleet, risk));
    if (risk.none)
        json["none_meets_the_limits"] = chanceToJson(*risk.none);
    if (risk.rank) {
        json["rank"] = risk.rank->sentences;
        json["settling"] = Json::array();
        for (const auto &settling : risk.rank->settling)
            json["settling"].push_back({{"input", risk.inputs[settling.input].label},
                {"right", chanceToJson(settling.right)}, {"sentence", settling.sentence}});
    }
    if (sure.measured)
        json["outside_what_was_measured"] = sure.measured->outside;
    if (sure.money)
        json["ranges_of_money"] = costs::moneyRangeInWords(*sure.money, sure.winnerPays);
    json["price_changes"] = Json::array();
    for (const auto &change : sure.priceChanges)
        json["price_changes"].push_back({{"entry", change.entry}, {"factor", change.factor},
            {"of", change.of.value_or("all")}, {"winner", change.winner ? Json(change.winnerInWords) : Json()},
            {"changes", change.changes}, {"sentence", change.sentence}});
    if (sure.spares)
        json["spares_ordered"] = {{"spare_nodes", sure.spares->spareNodes}, {"changes", sure.spares->changes},
            {"sentence", sure.spares->sentence}};
    json["buy_or_rent"] = sure.buyOrRent ? Json(sure.buyOrRent->sentences) : Json::array();
    json["turning_points"] = Json::array();
    for (const auto &points : sure.turningPoints) {
        Json list = Json::array();
        for (const auto &point : points)
            list.push_back(turningPointToJson(point));
        json["turning_points"].push_back(std::move(list));
    }
    return json;
}

} // namespace fleetwright::exchange
