// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/sweepdocument.h"

#include "domain/plankeys.h"
#include "units/format.h"

#include <algorithm>
#include <set>

namespace fleetwright {

std::string_view toString(SweepView view)
{
    switch (view) {
    case SweepView::Lines: return "lines";
    case SweepView::Bars: return "bars";
    case SweepView::HeatMap: return "heat_map";
    }
    return "lines";
}

Expected<SweepView> parseSweepView(std::string_view text, std::string_view field)
{
    for (const auto view : {SweepView::Lines, SweepView::Bars, SweepView::HeatMap})
        if (text == toString(view))
            return view;
    return refuse(ErrorCode::UnsupportedValue, std::string(field),
        "The view must be lines, bars or heat_map, not \u201c" + std::string(text.substr(0, 60)) + "\u201d.");
}

namespace {

std::string at(std::string_view list, std::size_t index)
{
    return std::string(list) + "[" + std::to_string(index) + "]";
}

/// microbatch_count and microbatch_size say the same thing in two ways, so they count as one.
std::string_view meaningOf(std::string_view key)
{
    return key == "training.microbatch_size" ? std::string_view("training.microbatch_count") : key;
}

Expected<void> checkAxis(const SweepAxis &axis, std::size_t number, std::set<std::string_view> &keys)
{
    const auto path = at("axes", number);
    if (axis.points.empty())
        return refuse(ErrorCode::MissingField, path,
            "Axis " + std::to_string(number + 1) + " has no points; give it at least one value.");
    for (std::size_t i = 0; i < axis.points.size(); ++i) {
        const auto &point = axis.points[i];
        const auto pointPath = path + "." + at("points", i);
        if (point.settings.empty())
            return refuse(ErrorCode::MissingField, pointPath,
                "Point " + std::to_string(i + 1) + " of axis " + std::to_string(number + 1)
                    + " sets nothing; set at least one key.");
        if (point.settings.size() > maximumSettingsPerPoint)
            return refuse(ErrorCode::OutOfRange, pointPath,
                "A point sets at most " + std::to_string(maximumSettingsPerPoint) + " keys.");
        std::set<std::string_view> own;
        for (const auto &setting : point.settings) {
            const auto field = pointPath + ".set." + setting.key.substr(0, 100);
            if (auto ok = check(setting, field); !ok)
                return ok;
            if (!own.insert(meaningOf(setting.key)).second)
                return refuse(ErrorCode::UnsupportedValue, field,
                    "Point " + std::to_string(i + 1) + " sets \u201c" + setting.key
                        + "\u201d twice; keep one of the two.");
        }
        keys.insert(own.begin(), own.end());
    }
    return {};
}

} // namespace

Expected<void> check(const SweepDocument &document)
{
    if (document.name.empty() || document.name.size() > 300)
        return refuse(ErrorCode::MissingField, "name", "Give the sweep a name of at most 300 characters.");
    if (document.axes.empty() || document.axes.size() > 2)
        return refuse(ErrorCode::OutOfRange, "axes",
            "A sweep has one or two axes, not " + std::to_string(document.axes.size()) + ".");
    std::vector<std::set<std::string_view>> keys(document.axes.size());
    std::size_t cells = std::max<std::size_t>(1, document.costModels.size());
    for (std::size_t i = 0; i < document.axes.size(); ++i) {
        if (auto ok = checkAxis(document.axes[i], i, keys[i]); !ok)
            return ok;
        cells *= document.axes[i].points.size();
    }
    if (keys.size() == 2)
        for (const auto key : keys[1])
            if (keys[0].contains(key))
                return refuse(ErrorCode::UnsupportedValue, "axes[1]",
                    "Both axes set \u201c" + std::string(key) + "\u201d; each key can vary along one axis only.");
    if (cells > maximumSweepCells)
        return refuse(ErrorCode::OutOfRange, "axes",
            "This sweep has " + std::to_string(cells)
                + " cells, more than the 10 000 that a sweep may have; take fewer values or larger steps.");
    if (std::set<std::string_view>(document.costModels.begin(), document.costModels.end()).size()
        != document.costModels.size())
        return refuse(
            ErrorCode::UnsupportedValue, "cost_models", "A cost model is listed twice; remove one of the two.");
    return {};
}

namespace {

/// The item behind the reference, copied into it so that it can be changed.
Expected<CatalogRecord *> inlined(ItemReference &item, CatalogKind kind, const Catalog &catalog, std::string_view field)
{
    if (const auto *id = std::get_if<std::string>(&item)) {
        const auto record = catalog.require(kind, *id, field);
        if (!record)
            return std::unexpected(record.error());
        CatalogRecord own = **record;
        own.shipped = false;
        own.attributions.clear();
        item = std::move(own);
    }
    return &std::get<CatalogRecord>(item);
}

void setNumber(CatalogRecord &record, std::string_view field, double value)
{
    const bool dense = record.kind == CatalogKind::Workload && field == "params_total"
        && record.number("params_active") == record.number("params_total");
    record.values[std::string(field)] = value;
    if (dense)
        record.values["params_active"] = value;
    if (record.kind == CatalogKind::Fabric && field == "port_rate_gbit_per_s")
        record.values.erase("port_bandwidth_gb_per_s"); // it would win over the rate
}

Expected<void> applyToItem(const SweepSetting &setting, AppliedSettings &applied, const Catalog &catalog)
{
    constexpr std::string_view workloadPath = "workload.", nodePath = "fleet.node.",
                               acceleratorPath = "fleet.node.accelerator.", fabricPath = "fleet.fabric.";
    const std::string_view key = setting.key;
    auto &plan = applied.document;
    const auto change = [&](ItemReference &item, CatalogKind kind, std::string_view path) -> Expected<void> {
        auto record = inlined(item, kind, catalog, path.substr(0, path.size() - 1));
        if (!record)
            return std::unexpected(record.error());
        if (const auto *text = std::get_if<std::string>(&setting.value))
            (*record)->values[std::string(key.substr(path.size()))] = *text;
        else
            setNumber(**record, key.substr(path.size()), std::get<double>(setting.value));
        return {};
    };
    if (key.starts_with(workloadPath))
        return change(plan.workload, CatalogKind::Workload, workloadPath);
    if (key.starts_with(fabricPath))
        return change(plan.fleet.fabric, CatalogKind::Fabric, fabricPath);
    if (!key.starts_with(acceleratorPath))
        return change(plan.fleet.node, CatalogKind::Node, nodePath);
    if (!applied.accelerator) {
        const auto *inlineNode = std::get_if<CatalogRecord>(&plan.fleet.node);
        const auto node = inlineNode
            ? Expected<const CatalogRecord *>(inlineNode)
            : catalog.require(CatalogKind::Node, std::get<std::string>(plan.fleet.node), "fleet.node");
        if (!node)
            return std::unexpected(node.error());
        const auto accelerator = catalog.require(
            CatalogKind::Accelerator, (*node)->text("accelerator_id").value_or(""), "fleet.node");
        if (!accelerator)
            return std::unexpected(accelerator.error());
        applied.accelerator = **accelerator;
    }
    setNumber(*applied.accelerator, key.substr(acceleratorPath.size()), std::get<double>(setting.value));
    return {};
}

/// The items that the plan names, so that one can be changed without copying everything else.
Catalog itemsOf(const PlanDocument &plan, const Catalog &catalog)
{
    Catalog items;
    const auto add = [&](CatalogKind kind, std::string_view id) {
        if (const auto *record = catalog.find(kind, id))
            items.insert(*record);
    };
    const auto *inlineNode = std::get_if<CatalogRecord>(&plan.fleet.node);
    if (!inlineNode)
        add(CatalogKind::Node, std::get<std::string>(plan.fleet.node));
    if (const auto *workload = std::get_if<std::string>(&plan.workload))
        add(CatalogKind::Workload, *workload);
    if (const auto *fabric = std::get_if<std::string>(&plan.fleet.fabric))
        add(CatalogKind::Fabric, *fabric);
    add(CatalogKind::Facility, plan.fleet.facility);
    add(CatalogKind::Grid, plan.fleet.grid);
    return items;
}

} // namespace

Expected<AppliedSettings> applySettings(
    std::span<const SweepSetting> settings, PlanDocument document, const Catalog &catalog)
{
    AppliedSettings applied{std::move(document), std::nullopt};
    std::vector<const SweepSetting *> onItems;
    const SweepSetting *acceleratorChoice = nullptr;
    for (const auto &setting : settings) {
        if (auto ok = check(setting, setting.key); !ok)
            return std::unexpected(ok.error());
        const auto done = stateValue(applied.document, setting);
        if (!done)
            return std::unexpected(done.error());
        if (*done)
            continue;
        if (setting.key == "fleet.node.accelerator_id")
            acceleratorChoice = &setting;
        else
            onItems.push_back(&setting);
    }
    if (acceleratorChoice)
        onItems.insert(onItems.begin(), acceleratorChoice);
    for (const auto *setting : onItems)
        if (auto ok = applyToItem(*setting, applied, catalog); !ok)
            return std::unexpected(ok.error());
    return applied;
}

Expected<Plan> apply(std::span<const SweepSetting> settings, const PlanDocument &document, const Catalog &catalog)
{
    auto applied = applySettings(settings, document, catalog);
    if (!applied)
        return std::unexpected(applied.error());
    if (!applied->accelerator)
        return resolve(applied->document, catalog);
    if (auto ok = check(*applied->accelerator); !ok)
        return refuse(ok.error().code, "fleet.node.accelerator." + ok.error().field, ok.error().message);
    auto items = itemsOf(applied->document, catalog);
    items.insert(std::move(*applied->accelerator));
    return resolve(applied->document, items);
}

std::string describe(const SweepSetting &setting, const Catalog &catalog)
{
    if (const auto *flag = std::get_if<bool>(&setting.value))
        return *flag ? "yes" : "no";
    const auto *key = findSweepKey(setting.key);
    if (const auto *text = std::get_if<std::string>(&setting.value)) {
        const auto *record = key && key->reference ? catalog.find(*key->reference, *text) : nullptr;
        return record ? record->name : *text;
    }
    const double value = std::get<double>(setting.value);
    if (key && key->dimension == units::Dimension::Fraction && key->unit.empty())
        return units::formatPercent(value);
    if (key && key->unit == units::baseSymbol(key->dimension) && key->dimension != units::Dimension::Number)
        return units::format(value, key->dimension);
    return units::asTyped(value, key ? key->unit : std::string_view());
}

namespace {

std::string labelOf(const std::string &key, std::span<const AssumptionDescriptor> assumptions)
{
    if (const auto *known = findSweepKey(key))
        return known->label;
    const auto *assumption = findAssumption(assumptions, std::string_view(key).substr(key.find('.') + 1));
    return assumption ? assumption->label : key;
}

} // namespace

std::string describe(const SweepPoint &point, const Catalog &catalog, std::span<const AssumptionDescriptor> assumptions)
{
    if (!point.label.empty())
        return point.label;
    if (point.settings.size() == 1)
        return describe(point.settings.front(), catalog);
    std::string text;
    for (const auto &setting : point.settings)
        text += (text.empty() ? "" : ", ") + labelOf(setting.key, assumptions) + " " + describe(setting, catalog);
    return text;
}

std::string describe(const SweepAxis &axis, std::span<const AssumptionDescriptor> assumptions)
{
    if (!axis.label.empty() || axis.points.empty())
        return axis.label;
    std::string text;
    for (const auto &setting : axis.points.front().settings)
        text += (text.empty() ? "" : ", ") + labelOf(setting.key, assumptions);
    return text;
}

std::vector<double> numbersOf(const SweepAxis &axis)
{
    std::vector<double> numbers;
    for (const auto &point : axis.points) {
        const auto *value = point.settings.size() == 1
                && point.settings.front().key == axis.points.front().settings.front().key
            ? std::get_if<double>(&point.settings.front().value)
            : nullptr;
        if (!value)
            return {};
        numbers.push_back(*value);
    }
    return numbers;
}

} // namespace fleetwright
