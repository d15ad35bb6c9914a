// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/resultdocuments.h"

#include "exchange/fleetdocuments.h"

#include "exchange/plandocuments.h"
#include "exchange/sizeresults.h"
#include <nlohmann/json.hpp>

namespace fleetwright::exchange {

namespace {

nlohmann::ordered_json jsonOrNull(const std::string &text)
{
    auto json = nlohmann::ordered_json::parse(text, nullptr, false);
    return json.is_discarded() ? nlohmann::ordered_json() : json;
}

} // namespace

std::string resultToJson(const ResultDocument &document)
{
    nlohmann::ordered_json json{{"title", document.title}, {"organisation", document.organisation},
        {"author", document.author}, {"date", document.date}, {"versions", document.versions},
        {"hashes", document.hashes}, {"answer", document.answer}, {"decision", jsonOrNull(document.decision)},
        {"sheets", nlohmann::ordered_json::array()}};
    for (const auto &sheet : document.sheets) {
        auto facts = nlohmann::ordered_json::array();
        for (const auto &fact : sheet.facts)
            facts.push_back({{"label", fact.label}, {"value", fact.value}, {"is_solvers", fact.isSolvers}});
        json["sheets"].push_back({{"name", sheet.name}, {"role", sheet.role}, {"facts", std::move(facts)},
            {"result", jsonOrNull(sheet.result)}, {"costs", fleetCostToJson(sheet.fleet, sheet.sheet)},
            {"rows", sheetRowsToJson(sheet.sheet)}});
    }
    auto &parts = json["report"] = nlohmann::ordered_json::array();
    for (const auto &part : document.report) {
        nlohmann::ordered_json one{{"kind", part.kind}};
        const auto add = [&one](const char *key, const auto &value, bool isThere) {
            if (isThere)
                one[key] = value;
        };
        add("text", part.text, !part.text.empty());
        add("level", part.level, part.level > 0);
        add("items", part.items, !part.items.empty());
        add("header", part.header, !part.header.empty());
        add("rows", part.rows, !part.rows.empty());
        parts.push_back(std::move(one));
    }
    json["left_out"] = nlohmann::ordered_json::array();
    for (const auto &omission : document.leftOut)
        json["left_out"].push_back({{"name", omission.name}, {"role", omission.role}, {"reason", omission.reason},
            {"result", jsonOrNull(omission.result)}});
    constexpr int indent = 2;
    return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

std::string decisionText(
    const DecisionDocument &document, const size::Result &result, const Catalog &catalog, const size::HowSure *sure)
{
    return sizeResultToJson(document, result, catalog, true, sure).dump();
}

std::string solutionText(const Solution &solution, const Plan &plan) { return solutionToJson(solution, plan).dump(); }

} // namespace fleetwright::exchange
