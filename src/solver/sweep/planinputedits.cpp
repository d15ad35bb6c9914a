// SPDX-License-Identifier: GPL-3.0-or-later
// What can be chosen or typed for an input of a plan, and what the plan is then.
#include "domain/layout.h"
#include "domain/plankeys.h"
#include "solver/answer/solve.h"
#include "solver/models/assumptionwords.h"
#include "solver/search/bestlayout.h"
#include "solver/sweep/planinputkeys.h"
#include "solver/sweep/planinputs.h"
#include "solver/worksheet/typedentry.h"
#include "units/words.h"

#include <algorithm>
#include <set>

namespace fleetwright {

using namespace planinputkeys;

namespace {

/// As the form offers them: fabrics between nodes, nodes with accelerators, models with parameters.
bool isOffered(const CatalogRecord &record)
{
    switch (record.kind) {
    case CatalogKind::Fabric: return record.text("scope").value_or("") == "scale_out";
    case CatalogKind::Node: return record.text("accelerator_id").has_value();
    case CatalogKind::Workload: return record.number("params_total").has_value();
    default: return true;
    }
}

std::vector<InputChoice> itemsOf(CatalogKind kind, const Catalog &catalog)
{
    std::vector<InputChoice> items;
    for (const auto &record : catalog.records(kind))
        if (isOffered(record))
            items.push_back({record.id, record.name});
    std::ranges::sort(items, {}, &InputChoice::label);
    return items;
}

std::vector<InputChoice> vendorsOf(const PlanDocument &plan, const CatalogRecord *node, const Catalog &catalog)
{
    std::set<std::string> vendors;
    auto ofAny = plan.fleet.costs;
    ofAny.rentVendor.clear();
    if (node)
        for (const auto *price : pricesFor("rent_usd_per_hour", *node, ofAny, catalog))
            if (const auto vendor = price->text("vendor"))
                vendors.insert(*vendor);
    if (!plan.fleet.costs.rentVendor.empty())
        vendors.insert(plan.fleet.costs.rentVendor);
    std::vector<InputChoice> choices{{"any", "any vendor"}};
    for (const auto &vendor : vendors)
        choices.push_back({vendor, vendor});
    return choices;
}

/// Whether the plan could be asked for an answer; with an open layout, up to the search.
Expected<void> checkPriced(const PlanDocument &document, const Catalog &catalog)
{
    const auto plan = resolve(document, catalog);
    if (!plan)
        return std::unexpected(plan.error());
    if (!document.bestLayout) {
        if (const auto solution = solve(*plan); !solution)
            return std::unexpected(solution.error());
        return {};
    }
    const auto model = findCostModel((*plan)->costModelId);
    if (!model)
        return std::unexpected(model.error());
    const auto pricing = (*model)->prepareLayouts(
        (*plan)->workload, (*plan)->fleet, (*plan)->training, (*plan)->assumptions);
    if (!pricing)
        return std::unexpected(pricing.error());
    if (const auto sheet = fleetCost((*plan)->fleet); !sheet)
        return std::unexpected(sheet.error());
    return {};
}

Expected<void> setLayout(PlanDocument &plan, bool best, const Catalog &catalog, const validation::RangeOf &rangeOf,
    const std::stop_token &stop)
{
    if (best == plan.bestLayout.has_value())
        return {};
    if (best) {
        plan = withBestLayout(std::move(plan));
        return {};
    }
    const auto decided = layoutsearch::resolveWithBestLayout(plan, catalog, rangeOf, stop);
    if (!decided)
        return std::unexpected(decided.error());
    adopt(decided->layout->row.layout, plan);
    return {};
}

} // namespace

std::vector<InputChoice> PlanInputs::choices(std::string_view key) const
{
    const auto plain = [](std::initializer_list<const char *> words) {
        std::vector<InputChoice> choices;
        for (const auto *word : words)
            choices.push_back({word, word});
        return choices;
    };
    std::vector<InputChoice> choices;
    if (key == layoutKey)
        return plain({"best", "fixed"});
    if (key == payingKey)
        return {{"own", "owned"}, {"rent", "rented"}};
    if (key == rentVendorKey)
        return vendorsOf(m_document, item("fleet.node"), *m_catalog);
    if (key == rentTermKey) {
        for (const auto term : allRentTerms)
            choices.push_back({std::string(toString(term)), std::string(words(term))});
        return choices;
    }
    if (key == costModelKey) {
        for (const auto *model : costModels())
            choices.push_back({std::string(model->id()), std::string(model->title())});
        return choices;
    }
    if (key.starts_with(costsPath)) {
        const auto *line = costLine(key);
        if (line && line->kind == SheetEntry::Kind::Flag)
            return plain({"yes", "no"});
        if (line && line->kind == SheetEntry::Kind::Word)
            for (const auto &word : line->words)
                choices.push_back({word, word});
        return choices;
    }
    const auto known = keyOf(key);
    if (!known)
        return {};
    const bool mayBeOpen = m_document.bestLayout && layoutSearchOptionOf(key);
    if (known->reference)
        choices = itemsOf(*known->reference, *m_catalog);
    else if (known->type == SweepValueType::Flag)
        choices = plain({"yes", "no"});
    for (const auto &choice : known->choices)
        choices.push_back({choice, choiceInWords(key, choice)});
    auto without = m_document;
    if (!choices.empty() && !isAssumptionKey(key) && clearValue(without, key))
        choices.insert(choices.begin(), {"", mayBeOpen ? "best" : absentText(key)});
    return choices;
}

bool PlanInputs::searches(std::string_view key, std::string_view typed) const
{
    return key == layoutKey && trimmed(typed) == "fixed" && m_document.bestLayout;
}

Expected<void> PlanInputs::state(PlanDocument &plan, std::string_view key, std::string_view typed,
    const validation::RangeOf &rangeOf, const std::stop_token &stop) const
{
    const auto text = trimmed(typed);
    const std::string field(key);
    if (key == layoutKey) {
        if (text != "best" && text != "fixed")
            return refuse(ErrorCode::UnsupportedValue, field, "The layout is best or fixed.");
        return setLayout(plan, text == "best", *m_catalog, rangeOf, stop);
    }
    if (key == costModelKey) {
        const auto model = findCostModel(text);
        if (!model)
            return std::unexpected(model.error());
        plan.costModelId = text;
        std::vector<std::string> dropped;
        plan.assumptions = understoodBy(**model, plan.assumptions, dropped);
        return {};
    }
    auto &costs = plan.fleet.costs;
    if (key == payingKey) {
        const auto paying = parsePaying(text, key);
        if (!paying)
            return std::unexpected(paying.error());
        costs.paying = *paying;
        return {};
    }
    if (key == rentTermKey) {
        const auto term = parseRentTerm(text, key);
        if (!term)
            return std::unexpected(term.error());
        costs.rentTerm = *term;
        return {};
    }
    if (key == rentVendorKey) {
        costs.rentVendor = text == "any" ? std::string_view() : text;
        return {};
    }
    if (key.starts_with(costsPath)) {
        const std::string entry(key.substr(costsPath.size()));
        const auto *line = costLine(key);
        if (text.empty()) {
            costs.entries.erase(entry);
            return {};
        }
        if (!line)
            return refuse(ErrorCode::UnsupportedValue, field, "The costs of this plan do not have this entry.");
        if (takesAPrice(entry) && m_catalog->find(CatalogKind::Price, text)) {
            costs.entries.insert_or_assign(entry, CostEntry{.value = std::string(text)});
            return {};
        }
        auto stated = typedEntry(*line, costs, EntryPart::Likely, text);
        if (!stated)
            return std::unexpected(std::move(stated.error()));
        costs.entries.insert_or_assign(entry, std::move(*stated));
        return {};
    }
    if (const auto option = plan.bestLayout ? layoutSearchOptionOf(key) : std::nullopt) {
        auto values = parseLayoutSearchValues(*option, text == "best" ? std::string_view() : text);
        if (!values)
            return refuse(values.error().code, field, values.error().message);
        (*plan.bestLayout)[*option] = std::move(*values);
        return {};
    }
    const auto known = keyOf(key);
    if (!known)
        return refuse(ErrorCode::UnsupportedValue, field, "The plan\u2019s cost model does not have this.");
    if (isAssumptionKey(key)) {
        const auto *descriptor = assumption(key);
        if (text.empty()) {
            plan.assumptions.edited.erase(descriptor->key);
            return {};
        }
        auto value = parseAssumption(*descriptor, text);
        if (!value)
            return std::unexpected(std::move(value.error()));
        const Assumptions own{.edited = plan.assumptions.edited};
        if (*value == uneditedValueOf(withProjectValues(own, *m_catalog).value_or(own), *descriptor))
            plan.assumptions.edited.erase(descriptor->key);
        else
            plan.assumptions.edited.insert_or_assign(descriptor->key, std::move(*value));
        return {};
    }
    if (text.empty() || (text == absentText(key) && !known->reference))
        return clearValue(plan, key);
    const auto value = parseValue(*known, text, *m_catalog, field);
    if (!value)
        return std::unexpected(value.error());
    const SweepSetting setting{field, *value};
    auto applied = applySettings({&setting, 1}, std::move(plan), *m_catalog);
    if (!applied)
        return std::unexpected(std::move(applied.error()));
    plan = std::move(applied->document);
    return {};
}

Expected<PlanDocument> PlanInputs::edited(
    std::string_view key, std::string_view typed, const validation::RangeOf &rangeOf, const std::stop_token &stop) const
{
    auto next = m_document;
    if (auto stated = state(next, key, typed, rangeOf, stop); !stated)
        return std::unexpected(std::move(stated.error()));
    if (next == m_document)
        return next;
    if (auto priced = checkPriced(next, *m_catalog); !priced && checkPriced(m_document, *m_catalog))
        return std::unexpected(std::move(priced.error()));
    return next;
}

} // namespace fleetwright
