// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/sweep/planinputs.h"

#include "domain/plankeys.h"
#include "solver/models/assumptionwords.h"
#include "solver/models/costmodel.h"
#include "solver/operations/operations.h"
#include "solver/sweep/planinputkeys.h"
#include "solver/worksheet/sheets.h"
#include "solver/worksheet/typedentry.h"
#include "units/decimals.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace fleetwright {

namespace {

using namespace planinputkeys;

constexpr std::string_view acceleratorPath = "fleet.node.accelerator.";
const std::string nothing = "\u2013";

/// Keys that are none of sweepKeys(): what a sweep does not vary.
std::optional<SweepKey> furtherKey(std::string_view key)
{
    const auto choice = [&](std::string label, std::string description) {
        return SweepKey{.key = std::string(key),
            .label = std::move(label),
            .description = std::move(description),
            .type = SweepValueType::Choice};
    };
    if (key == layoutKey)
        return choice("Layout", "best: the degrees that are left open are looked for; fixed: every degree is stated");
    if (key == costModelKey)
        return choice("Cost model", "what prices the plan");
    if (key == payingKey)
        return choice("Paying", "which cost the plan is judged by");
    if (key == rentTermKey)
        return choice("Rent term", "which quotes of the catalog the rent is taken from");
    if (key == rentVendorKey)
        return choice("Vendor of the rent", "whose quotes of the catalog the rent is taken from");
    return std::nullopt;
}

/// Every digit, as people type it.
std::string editTextOf(const SweepKey &key, const SettingValue &value)
{
    if (const auto *flag = std::get_if<bool>(&value))
        return *flag ? "yes" : "no";
    if (const auto *text = std::get_if<std::string>(&value))
        return *text;
    const bool isShare = key.dimension == units::Dimension::Fraction && key.unit.empty();
    const double number = isShare ? units::withoutRest(std::get<double>(value) * 100) : std::get<double>(value);
    constexpr double mostDigits = 1e15;
    const bool isWhole = number == std::trunc(number) && std::abs(number) < mostDigits;
    const std::string unit = isShare ? "%" : std::string(units::shownSymbol(key.unit));
    return (isWhole ? std::to_string(std::int64_t(number)) : units::exact(number)) + (unit.empty() ? "" : " " + unit);
}

std::string textOf(const SweepKey &key, const SettingValue &value, const Catalog &catalog)
{
    if (const auto *number = std::get_if<double>(&value); number && key.unit.empty() && isNumber(key))
        return key.dimension == units::Dimension::Fraction ? units::formatPercent(*number)
                                                           : units::format(*number, units::Dimension::Number);
    return describe({key.key, value}, catalog);
}

/// Of the first of the figures by which the item is known.
std::string sourceOf(const CatalogRecord &record, const Catalog &catalog)
{
    for (const auto &field : fields(record.kind))
        if (field.column && !field.unit.empty() && record.number(field.key))
            return catalog.provenanceText(record, field.key);
    return {};
}

/// The reference of the plan that a key is or leads into; nullptr for others.
const ItemReference *referenceIn(const PlanDocument &plan, std::string_view key)
{
    if (key.starts_with("workload"))
        return &plan.workload;
    if (key.starts_with("fleet.fabric"))
        return &plan.fleet.fabric;
    return key == "fleet.node" || key.starts_with("fleet.node.") ? &plan.fleet.node : nullptr;
}

std::optional<CatalogKind> kindOfReference(std::string_view key)
{
    return key.starts_with("workload")    ? std::optional(CatalogKind::Workload)
        : key.starts_with("fleet.fabric") ? std::optional(CatalogKind::Fabric)
        : key.starts_with("fleet.node")   ? std::optional(CatalogKind::Node)
                                          : std::nullopt;
}

} // namespace

std::string_view toString(PlanInputGroup group)
{
    switch (group) {
    case PlanInputGroup::OfWorkload: return "Workload";
    case PlanInputGroup::OfFleet: return "Fleet";
    case PlanInputGroup::OfLayout: return "Layout";
    case PlanInputGroup::OfTraining: return "Training";
    case PlanInputGroup::OfLimits: return "Limits";
    case PlanInputGroup::OfCosts: return "Costs";
    case PlanInputGroup::OfModel: return "Model";
    }
    return {};
}

std::string planinputkeys::absentText(std::string_view key)
{
    if (key == "training.token_budget")
        return "as published";
    if (key == "fleet.oversubscription" || key == "fleet.topology")
        return "the fabric\u2019s";
    if (key == "fleet.facility" || key == "fleet.grid")
        return "none";
    return key.starts_with("constraints.") ? "no limit" : nothing;
}

PlanInputs::PlanInputs(PlanDocument document, std::shared_ptr<const Catalog> catalog)
    : m_document(std::move(document)), m_catalog(std::move(catalog))
{
}

const AssumptionDescriptor *PlanInputs::assumption(std::string_view key) const
{
    const auto name = key.substr(key.find('.') + 1);
    if (const auto model = findCostModel(m_document.costModelId))
        if (const auto *found = findAssumption((*model)->assumptions(), name))
            return found;
    return findAssumption(operationsAssumptions(), name);
}

std::optional<SweepKey> PlanInputs::keyOf(std::string_view key) const
{
    if (const auto *known = findSweepKey(key))
        return *known;
    if (isAssumptionKey(key)) {
        const auto *descriptor = assumption(key);
        return descriptor ? std::optional(sweepKeyOf(*descriptor)) : std::nullopt;
    }
    return furtherKey(key);
}

const CatalogRecord *PlanInputs::item(std::string_view key) const
{
    const auto *reference = referenceIn(m_document, key);
    if (!reference)
        return nullptr;
    const auto *inlined = std::get_if<CatalogRecord>(reference);
    return inlined ? inlined : m_catalog->find(*kindOfReference(key), std::get<std::string>(*reference));
}

const FleetEntryLine *PlanInputs::costLine(std::string_view key) const
{
    if (!m_costLines) {
        m_costLines.emplace();
        if (const auto fleet = resolve(m_document.fleet, *m_catalog))
            if (const auto sheet = fleetCost(*fleet))
                m_costLines = entriesOf(m_document.fleet, *fleet, *sheet);
    }
    const auto found = std::ranges::find(*m_costLines, key.substr(costsPath.size()), &FleetEntryLine::key);
    return found == m_costLines->end() ? nullptr : &*found;
}

PlanInputCell PlanInputs::degreeCell(LayoutSearchOption option) const
{
    const auto &values = (*m_document.bestLayout)[option];
    if (values.empty())
        return {.text = "best", .isStated = false};
    const auto text = searchValuesToText(option, values);
    return {.text = text, .editText = text, .isNumber = values.size() == 1};
}

PlanInputCell PlanInputs::assumptionCell(std::string_view key) const
{
    const auto *descriptor = assumption(key);
    if (!descriptor)
        return {.text = nothing, .isStated = false, .isEditable = false};
    const Assumptions own{.edited = m_document.assumptions.edited};
    const auto used = withProjectValues(own, *m_catalog).value_or(own);
    const auto value = valueOf(used, *descriptor);
    const bool isStated = m_document.assumptions.edited.contains(descriptor->key);
    return {.text = inWords(*descriptor, value),
        .editText = editTextOf(sweepKeyOf(*descriptor), value),
        .source = isStated ? std::string() : descriptor->source,
        .isStated = isStated,
        .isNumber = std::holds_alternative<double>(value)};
}

PlanInputCell PlanInputs::costCell(std::string_view key) const
{
    const auto &costs = m_document.fleet.costs;
    if (key == payingKey)
        return {
            .text = costs.paying == Paying::Own ? "owned" : "rented", .editText = std::string(toString(costs.paying))};
    if (key == rentTermKey)
        return {.text = std::string(words(costs.rentTerm)), .editText = std::string(toString(costs.rentTerm))};
    if (key == rentVendorKey)
        return {.text = costs.rentVendor.empty() ? "any vendor" : costs.rentVendor,
            .editText = costs.rentVendor,
            .isStated = !costs.rentVendor.empty()};
    const auto *line = costLine(key);
    if (!line)
        return {.text = nothing, .isStated = false, .isEditable = false};
    const auto stated = costs.entries.find(line->key);
    PlanInputCell cell{.text = editText(*line, EntryPart::Likely),
        .editText = {},
        .source = line->source + (line->date.empty() ? "" : ", " + line->date),
        .isStated = stated != costs.entries.end()};
    cell.editText = line->priceId.empty() ? cell.text : line->priceId;
    const bool isWord = line->kind == SheetEntry::Kind::Flag || line->kind == SheetEntry::Kind::Word;
    if (!line->value) {
        cell.text = nothing;
    } else if (!isWord) {
        cell.isNumber = true;
        cell.text = line->low && line->high ? rangeText({*line->low, *line->value, *line->high}, line->unit)
                                            : valueText(*line->value, line->unit);
    }
    return cell;
}

PlanInputCell PlanInputs::cell(std::string_view key) const
{
    if (key == layoutKey) {
        const std::string text = m_document.bestLayout ? "best" : "fixed";
        return {.text = text, .editText = text};
    }
    if (key == costModelKey) {
        const auto model = findCostModel(m_document.costModelId);
        return {.text = model ? std::string((*model)->title()) : m_document.costModelId,
            .editText = m_document.costModelId,
            .source = model ? std::string((*model)->literature()) : std::string()};
    }
    if (key.starts_with(costsPath))
        return costCell(key);
    if (isAssumptionKey(key))
        return assumptionCell(key);
    if (const auto option = m_document.bestLayout ? layoutSearchOptionOf(key) : std::nullopt)
        return degreeCell(*option);
    const auto known = keyOf(key);
    if (!known)
        return {.text = nothing, .isStated = false, .isEditable = false};
    if (!isPlanKey(key)) { // a number of an item
        const auto *record = item(key);
        const auto field = key.substr(key.rfind('.') + 1);
        const auto value = record ? record->number(field) : std::nullopt;
        return {.text = value ? textOf(*known, *value, *m_catalog) : nothing,
            .editText = value ? editTextOf(*known, *value) : std::string(),
            .source = record ? m_catalog->provenanceText(*record, field) : std::string(),
            .isStated = value && std::holds_alternative<CatalogRecord>(*referenceIn(m_document, key)),
            .isNumber = true};
    }
    const auto value = statedValue(m_document, key);
    PlanInputCell cell{.text = value ? textOf(*known, *value, *m_catalog) : absentText(key),
        .editText = value ? editTextOf(*known, *value) : std::string(),
        .source = {},
        .isStated = value.has_value(),
        .isNumber = isNumber(*known)};
    if (const auto *reference = referenceIn(m_document, key)) {
        const auto *inlined = std::get_if<CatalogRecord>(reference);
        cell.text = nameOf(*reference, *known->reference, *m_catalog);
        if (inlined) { // no catalog item stands for it
            cell.text += " (changed)";
            cell.editText.clear();
        } else if (const auto *record = item(key)) {
            cell.source = sourceOf(*record, *m_catalog);
        }
    }
    return cell;
}

namespace {

PlanInputGroup groupOf(std::string_view key)
{
    if (key.starts_with("workload"))
        return PlanInputGroup::OfWorkload;
    if (key.starts_with(costsPath))
        return PlanInputGroup::OfCosts;
    if (key.starts_with("fleet."))
        return PlanInputGroup::OfFleet;
    if (key.starts_with("training."))
        return PlanInputGroup::OfTraining;
    if (key.starts_with("constraints."))
        return PlanInputGroup::OfLimits;
    return key == layoutKey || key.starts_with("parallelism.") ? PlanInputGroup::OfLayout : PlanInputGroup::OfModel;
}

PlanInput inputFrom(const SweepKey &key)
{
    std::string help = key.description;
    if (!key.unit.empty())
        help += "; in " + std::string(units::shownSymbol(key.unit));
    return {.key = key.key, .group = groupOf(key.key), .label = key.label, .help = std::move(help)};
}

/// Whether an item that stands inline has another number there than the catalog's of its name.
bool isChangedInline(const PlanInputs &plan, std::string_view key)
{
    const auto *reference = referenceIn(plan.document(), key);
    const auto *inlined = reference ? std::get_if<CatalogRecord>(reference) : nullptr;
    if (!inlined || key.starts_with(acceleratorPath))
        return false;
    const auto field = key.substr(key.rfind('.') + 1);
    const auto *shipped = plan.catalog()->find(inlined->kind, inlined->id);
    return inlined->number(field) != (shipped ? shipped->number(field) : std::nullopt);
}

} // namespace

std::vector<PlanInput> inputsOf(std::span<const PlanInputs> plans)
{
    std::vector<PlanInput> inputs;
    for (const auto &key : sweepKeys()) {
        if (key.key == "parallelism.tp")
            inputs.push_back(inputFrom(*furtherKey(layoutKey)));
        if (isPlanKey(key.key)
            || std::ranges::any_of(plans, [&](const PlanInputs &plan) { return isChangedInline(plan, key.key); }))
            inputs.push_back(inputFrom(key));
    }
    for (const auto key : {payingKey, rentTermKey, rentVendorKey})
        inputs.push_back(inputFrom(*furtherKey(key)));
    std::set<std::string> entries, assumptions;
    for (const auto &plan : plans) {
        for (const auto &[entry, stated] : plan.document().fleet.costs.entries)
            entries.insert(entry);
        for (const auto &[key, value] : plan.document().assumptions.edited)
            assumptions.insert(key);
    }
    for (const auto &entry : entries) {
        PlanInput input{std::string(costsPath) + entry, PlanInputGroup::OfCosts, entry, {}};
        if (const auto at = sheets::run().find(entry)) {
            const auto &row = sheets::run().rows()[*at];
            input.label = row.label;
            input.help = row.unit.empty() ? std::string() : "in " + std::string(row.unit);
        }
        inputs.push_back(std::move(input));
    }
    inputs.push_back(inputFrom(*furtherKey(costModelKey)));
    for (const auto &name : assumptions) {
        PlanInput input{"assumptions." + name, PlanInputGroup::OfModel, name, {}};
        for (const auto &plan : plans)
            if (const auto *descriptor = plan.assumption(input.key)) {
                input = inputFrom(sweepKeyOf(*descriptor));
                break;
            }
        inputs.push_back(std::move(input));
    }
    std::ranges::stable_sort(inputs, {}, &PlanInput::group);
    return inputs;
}

} // namespace fleetwright
