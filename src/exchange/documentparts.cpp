// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/documentparts.h"

#include "exchange/catalogfiles.h"
#include "exchange/objectreader.h"
#include "solver/models/costmodel.h"
#include "units/decimals.h"

#include <QCryptographicHash>
#include <set>

#include <algorithm>

namespace fleetwright::exchange {

std::string at(std::string_view list, std::size_t index)
{
    return std::string(list) + "[" + std::to_string(index) + "]";
}

Json valueToJson(const SettingValue &value)
{
    if (const auto *number = std::get_if<double>(&value))
        return plainNumber(*number);
    if (const auto *flag = std::get_if<bool>(&value))
        return *flag;
    return std::get<std::string>(value);
}

namespace {

Expected<SettingValue> valueFromJson(const Json &json, const std::string &field)
{
    if (json.is_boolean())
        return SettingValue(json.get<bool>());
    if (json.is_number())
        return SettingValue(json.get<double>());
    if (json.is_string())
        return SettingValue(json.get<std::string>());
    return refuse(
        ErrorCode::UnsupportedValue, field, "\u201c" + field + "\u201d must be a number, true, false or a text.");
}

Expected<SweepSetting> settingFromJson(std::string_view key, const Json &json, const std::string &field)
{
    auto value = valueFromJson(json, field);
    if (!value)
        return std::unexpected(value.error());
    auto setting = current({std::string(key), std::move(*value)});
    if (auto ok = check(setting, field); !ok)
        return std::unexpected(ok.error());
    return setting;
}

/// {label, set: {key: value, ...}}
Expected<SweepPoint> pointFromJson(const Json &json, const std::string &path)
{
    ObjectReader reader(json, path, "point", {"label", "set"});
    SweepPoint point;
    point.label = reader.text("label").value_or("");
    const auto *settings = reader.require("set", "it as an object with the keys that the point sets");
    if (settings && !settings->is_object())
        reader.refuse(ErrorCode::UnsupportedValue, "set",
            "\u201c" + path + ".set\u201d must be an object with keys and values, such as {parallelism.tp: 8}.");
    if (reader.error())
        return std::unexpected(*reader.error());
    for (const auto &[key, value] : settings->items()) {
        auto setting = settingFromJson(key, value, path + ".set." + key.substr(0, 100));
        if (!setting)
            return std::unexpected(setting.error());
        point.settings.push_back(std::move(*setting));
    }
    return point;
}

Expected<std::vector<SweepPoint>> valuesFromJson(std::string_view key, const Json &json, const std::string &path)
{
    if (!json.is_array())
        return refuse(
            ErrorCode::UnsupportedValue, path, "\u201c" + path + "\u201d must be a list of values, such as [1, 2, 4].");
    if (json.empty())
        return refuse(ErrorCode::MissingField, path, "\u201c" + path + "\u201d is empty; list at least one value.");
    std::vector<SweepPoint> points;
    for (std::size_t i = 0; i < json.size(); ++i) {
        auto setting = settingFromJson(key, json[i], at(path, i));
        if (!setting)
            return std::unexpected(setting.error());
        points.push_back({{}, {std::move(*setting)}});
    }
    return points;
}

/// An axis of plain values of one key is written as such.
bool isPlain(const SweepAxis &axis)
{
    return std::ranges::all_of(axis.points, [&](const SweepPoint &point) {
        return point.label.empty() && point.settings.size() == 1
            && point.settings.front().key == axis.points.front().settings.front().key;
    });
}

} // namespace

Expected<SweepAxis> axisFromJson(const Json &json, const std::string &path)
{
    ObjectReader reader(json, path, "axis", {"label", "key", "values", "range", "points"});
    SweepAxis axis;
    axis.label = reader.text("label").value_or("");
    const auto key = reader.text("key");
    const int forms = int(reader.has("values")) + int(reader.has("range")) + int(reader.has("points"));
    if (!reader.error() && forms != 1)
        reader.refuse(forms ? ErrorCode::UnsupportedValue : ErrorCode::MissingField, "",
            "The axis needs exactly one of values, range and points.");
    if (!reader.error() && bool(key) == reader.has("points"))
        reader.refuse(key ? ErrorCode::UnsupportedValue : ErrorCode::MissingField, "key",
            key ? "An axis with points names its keys inside them; remove \u201ckey\u201d."
                : "\u201c" + path + ".key\u201d is missing; name what the axis varies, such as fleet.nodes.");
    if (reader.error()) {
        Error error = *reader.error();
        if (error.field.ends_with('.'))
            error.field.pop_back();
        return std::unexpected(std::move(error));
    }
    if (key) {
        const auto *known = findSweepKey(*key) ? findSweepKey(*key) : findFormerSweepKey(*key);
        if (!known && !isAssumptionKey(*key)) {
            const auto refused = check(SweepSetting{*key, 0.0}, path + ".key");
            return std::unexpected(refused.error());
        }
        if (const auto *values = reader.find("values")) {
            auto points = valuesFromJson(*key, *values, path + ".values");
            if (!points)
                return std::unexpected(points.error());
            axis.points = std::move(*points);
            return axis;
        }
        const auto range = reader.text("range");
        if (reader.error())
            return std::unexpected(*reader.error());
        const SweepKey assumption{.key = *key, .label = *key, .description = {}};
        const auto &numeric = known ? *known : assumption;
        if (numeric.type != SweepValueType::Integer && numeric.type != SweepValueType::Real)
            return refuse(ErrorCode::UnsupportedValue, path + ".range",
                numeric.label + " is not a number, so it has no range; list its values.");
        auto values = parseValues(numeric, *range, Catalog(), path + ".range");
        if (!values)
            return std::unexpected(values.error());
        axis.points = axisOf(*key, *values).points;
        return axis;
    }
    const auto &points = *reader.find("points");
    if (!points.is_array() || points.empty())
        return refuse(ErrorCode::UnsupportedValue, path + ".points",
            "\u201c" + path + ".points\u201d must be a list of points, each with a label and what it sets.");
    for (std::size_t i = 0; i < points.size(); ++i) {
        auto point = pointFromJson(points[i], path + "." + at("points", i));
        if (!point)
            return std::unexpected(point.error());
        axis.points.push_back(std::move(*point));
    }
    return axis;
}

Json axisToJson(const SweepAxis &axis)
{
    Json json = Json::object();
    if (!axis.label.empty())
        json["label"] = axis.label;
    if (isPlain(axis) && !axis.points.empty()) {
        json["key"] = axis.points.front().settings.front().key;
        json["values"] = Json::array();
        for (const auto &point : axis.points)
            json["values"].push_back(valueToJson(point.settings.front().value));
        return json;
    }
    json["points"] = Json::array();
    for (const auto &point : axis.points) {
        Json entry = Json::object();
        if (!point.label.empty())
            entry["label"] = point.label;
        entry["set"] = Json::object();
        for (const auto &setting : point.settings)
            entry["set"][setting.key] = valueToJson(setting.value);
        json["points"].push_back(std::move(entry));
    }
    return json;
}

Expected<PlanDocument> inlinePlan(const Json &json)
{
    Json plan = json;
    if (plan.is_object() && !plan.contains("fleetwright"))
        plan["fleetwright"] = 1;
    auto document = planFromJson(plan);
    if (document)
        return document;
    Error error = document.error();
    error.field = joined("plan", error.field);
    return std::unexpected(std::move(error));
}

Json inlinePlanToJson(const PlanDocument &document)
{
    auto plan = planToJson(document);
    plan.erase("fleetwright");
    return plan;
}

namespace {

Canonical itemValues(const CatalogRecord &record)
{
    Canonical values = Canonical::object();
    for (const auto &[key, value] : record.values) {
        if (const auto *number = std::get_if<double>(&value))
            values[key] = *number;
        else if (const auto *flag = std::get_if<bool>(&value))
            values[key] = *flag;
        else if (const auto *text = std::get_if<std::string>(&value))
            values[key] = *text;
    }
    return values;
}

class ItemCollector {
public:
    explicit ItemCollector(const Catalog &catalog) : m_catalog(catalog) { }
    void add(CatalogKind kind, const std::string &id) { addItem(m_items, kind, id, m_catalog); }
    void add(CatalogKind kind, const ItemReference &item)
    {
        if (const auto *id = std::get_if<std::string>(&item))
            add(kind, *id);
        else if (kind == CatalogKind::Node)
            add(CatalogKind::Accelerator, std::get<CatalogRecord>(item).text("accelerator_id").value_or(""));
    }
    [[nodiscard]] const Canonical &items() const { return m_items; }

private:
    const Catalog &m_catalog;
    Canonical m_items = Canonical::object();
};

/// Hashes name limits as they were named first: a renamed key makes no stored result stale.
SweepSetting asHashed(SweepSetting setting)
{
    for (const auto &former : formerLimitKeys())
        if (auto *value = std::get_if<double>(&setting.value); value && setting.key == fieldOf(former.limit)) {
            setting.key = "constraints." + std::string(former.key);
            *value = units::withoutRest(*value * former.divisor);
        }
    return setting;
}

Canonical hashedNumber(const std::optional<double> &number) { return number ? Canonical(*number) : Canonical(); }

Canonical hashedFigure(const CostFigure &figure)
{
    return {{"entry", figure.entry}, {"likely", figure.likely}, {"low", hashedNumber(figure.low)},
        {"high", hashedNumber(figure.high)}, {"word", figure.word}, {"price", figure.isPrice},
        {"old", figure.olderThanAYear}, {"source", figure.source}, {"date", figure.date},
        {"confidence", toString(figure.confidence)}, {"notice", figure.notice}, {"assumed", figure.assumed}};
}

Canonical hashedPart(const std::optional<NetworkPart> &part)
{
    if (!part)
        return nullptr;
    return {{"id", part->id}, {"name", part->name}, {"power", part->power}, {"power_known", part->powerKnown},
        {"power_source", part->powerSource}, {"price", part->price ? hashedFigure(*part->price) : Canonical()},
        {"lead_time", hashedNumber(part->leadTimeWeeks)}, {"metre", hashedNumber(part->cablePricePerMetre)}};
}

/// The items of these ids that the catalog has, and the one that stands in the document itself.
std::vector<const CatalogRecord *> pricedItems(
    CatalogKind kind, const std::set<std::string> &ids, const ItemReference &stated, const Catalog &catalog)
{
    std::vector<const CatalogRecord *> items;
    if (const auto *inlined = std::get_if<CatalogRecord>(&stated))
        items.push_back(inlined);
    for (const auto &id : ids)
        if (const auto *item = catalog.find(kind, id))
            items.push_back(item);
    return items;
}

} // namespace

void addItem(Canonical &items, CatalogKind kind, const std::string &id, const Catalog &catalog)
{
    const auto *record = catalog.find(kind, id);
    const auto name = std::string(toString(kind)) + "/" + id;
    if (id.empty() || items.contains(name))
        return;
    items[name] = record ? itemValues(*record) : Canonical(nullptr);
    if (record && kind == CatalogKind::Node)
        addItem(items, CatalogKind::Accelerator, record->text("accelerator_id").value_or(""), catalog);
}

void addModels(Canonical &inputs, std::span<const std::string> costModels, const Catalog &catalog)
{
    Canonical models = Canonical::array();
    Canonical calibrated = Canonical::object();
    Canonical planning = Canonical::object();
    const auto project =
        withProjectValues({}, catalog).value_or(Assumptions()); // a catalog that is refused answers nothing
    const auto addPlanning = [&](const AssumptionDescriptor &descriptor) {
        if (isPlanned(project, descriptor))
            planning[descriptor.key] = std::get<double>(uneditedValueOf(project, descriptor));
    };
    std::ranges::for_each(operationsAssumptions(), addPlanning);
    for (const auto &id : costModels) {
        const auto model = findCostModel(id);
        if (model)
            for (const auto &descriptor : (*model)->assumptions()) {
                addPlanning(descriptor);
                if (const auto value = project.calibrated.find(descriptor.key); value != project.calibrated.end())
                    calibrated[value->first] = value->second;
            }
        models.push_back({id, model ? std::string((*model)->version()) : std::string()});
    }
    inputs["cost_models"] = models;
    if (!calibrated.empty())
        inputs["calibrated"] = calibrated;
    if (!planning.empty())
        inputs["planning"] = planning;
}

Canonical canonical(const Json &json)
{
    return Canonical::parse(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Canonical canonical(const FleetCosts &costs)
{
    Canonical figures = Canonical::array(), missing = Canonical::array();
    for (const auto &figure : costs.figures)
        figures.push_back(hashedFigure(figure));
    for (const auto &entry : costs.missing)
        missing.push_back({{"entry", entry.entry}, {"sentence", entry.sentence}});
    const auto &network = costs.network;
    return {{"paying", toString(costs.paying)}, {"rent_term", toString(costs.rentTerm)},
        {"rent_vendor", costs.rentVendor}, {"figures", figures}, {"missing", missing}, {"cooling", costs.cooling},
        {"switch", hashedPart(network.switchPart)}, {"switch_ports", network.switchPorts},
        {"ports_per_cage", network.portsPerCage}, {"trays", network.trays},
        {"management_switch", hashedPart(network.managementSwitch)},
        {"switch_transceiver", hashedPart(network.switchTransceiver)},
        {"node_transceiver", hashedPart(network.nodeTransceiver)}};
}

Canonical hashInputs(const PlanDocument &document, std::span<const SweepAxis> axes,
    std::span<const std::string> costModels, const Catalog &catalog)
{
    ItemCollector collector(catalog);
    const auto &fleet = document.fleet;
    collector.add(CatalogKind::Workload, document.workload);
    collector.add(CatalogKind::Node, fleet.node);
    collector.add(CatalogKind::Fabric, fleet.fabric);
    collector.add(CatalogKind::Facility, fleet.facility);
    collector.add(CatalogKind::Grid, fleet.grid);
    std::set<std::string> nodes, fabrics;
    const auto remember = [](std::set<std::string> &ids, const ItemReference &item) {
        if (const auto *id = std::get_if<std::string>(&item))
            ids.insert(*id);
    };
    remember(nodes, fleet.node);
    remember(fabrics, fleet.fabric);
    Canonical allPoints = Canonical::array();
    for (const auto &axis : axes) {
        Canonical points = Canonical::array();
        for (const auto &point : axis.points) {
            Canonical settings = Canonical::object();
            for (const auto &setting : point.settings) {
                const auto hashed = asHashed(setting);
                settings[hashed.key] = canonical(valueToJson(hashed.value));
                const auto *key = findSweepKey(setting.key);
                if (key && key->reference)
                    if (const auto *id = std::get_if<std::string>(&setting.value)) {
                        collector.add(*key->reference, *id);
                        if (*key->reference == CatalogKind::Node)
                            nodes.insert(*id);
                        if (*key->reference == CatalogKind::Fabric)
                            fabrics.insert(*id);
                    }
            }
            points.push_back(std::move(settings));
        }
        allPoints.push_back(std::move(points));
    }
    auto plan = planToJson(document);
    plan.erase("name");
    if (plan.contains("constraints"))
        plan["constraints"] = constraintsAsHashed(document.constraints);
    Canonical prices = Canonical::array();
    constexpr bool siteHasTariff = false; // with the tariff that stands in for one, as a sweep may leave the site open
    for (const auto *node : pricedItems(CatalogKind::Node, nodes, fleet.node, catalog))
        for (const auto *fabric : pricedItems(CatalogKind::Fabric, fabrics, fleet.fabric, catalog))
            if (const auto costs = resolveCosts(fleet.costs, *node, *fabric, siteHasTariff, catalog))
                prices.push_back(canonical(*costs));
    Canonical everything{
        {"plan", canonical(plan)}, {"axes", allPoints}, {"items", collector.items()}, {"prices", prices}};
    addModels(everything, costModels, catalog);
    return everything;
}

std::string hashOf(const Canonical &inputs)
{
    const auto text = inputs.dump(-1, ' ', false, Canonical::error_handler_t::replace);
    return QCryptographicHash::hash(QByteArrayView(text.data(), qsizetype(text.size())), QCryptographicHash::Sha256)
        .toHex()
        .toStdString();
}

} // namespace fleetwright::exchange
