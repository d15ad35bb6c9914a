// SPDX-License-Identifier: GPL-3.0-or-later
// What a sweep says of the fabrics on its axes: which cannot be told apart, and which decisions leave out.
#include "domain/fabric.h"
#include "domain/fabricchoice.h"
#include "solver/sweep/leftoutfabrics.h"
#include "solver/sweep/sweep.h"
#include "units/format.h"

#include <algorithm>

namespace fleetwright {

namespace {

/// A fabric of the axis and what it gives at each point of the other one.
struct SweptFabric {
    FabricFacts facts;
    std::vector<std::optional<double>> values;
    bool waits = false; ///< a step of it waits for communication, or nobody knows
};

std::vector<SweptFabric> sweptFabrics(const SweepDocument &document, const SweepResult &result,
    const ChosenFigure &figure, std::size_t model, const Catalog &catalog)
{
    for (std::size_t which = 0; which < document.axes.size(); ++which) {
        std::vector<SweptFabric> fabrics;
        for (std::size_t at = 0; at < document.axes[which].points.size(); ++at) {
            const auto &settings = document.axes[which].points[at].settings;
            const auto *id = settings.size() == 1 && settings.front().key == "fleet.fabric"
                ? std::get_if<std::string>(&settings.front().value)
                : nullptr;
            const auto *record = id ? catalog.find(CatalogKind::Fabric, *id) : nullptr;
            const auto fabric = record ? fabricFrom(*record) : Expected<Fabric>(std::unexpected(Error{}));
            if (!fabric)
                continue;
            SweptFabric swept{.facts = **fabric, .values = {}};
            for (std::size_t other = 0; other < (which ? result.rows : result.columns); ++other) {
                const auto &cell = which ? result.cell(other, at, model) : result.cell(at, other, model);
                swept.values.push_back(result.figure(cell, figure.key));
                swept.waits = swept.waits || result.figure(cell, "exposed_comm_time_s") != 0.0;
            }
            fabrics.push_back(std::move(swept));
        }
        if (fabrics.size() > 1)
            return fabrics;
    }
    return {};
}

/// Empty where what is known does not say why.
std::string whyAlike(const SweptFabric &a, const SweptFabric &b, const std::string &model)
{
    if (!a.waits && !b.waits)
        return "no step waits for communication";
    if (a.facts.portBandwidth != b.facts.portBandwidth || a.facts.oversubscription != b.facts.oversubscription)
        return {};
    std::string why = "both have the same port rate";
    if (a.facts.latency != b.facts.latency)
        why += ", and " + model + " counts neither the protocol nor the latency of a fabric ("
            + (b.facts.latency ? units::format(*b.facts.latency) : "not stated") + " against "
            + (a.facts.latency ? units::format(*a.facts.latency) : "not stated") + ")";
    return why;
}

/// The catalog's item that a cell takes: of the axis that varies it, else of the plan.
const CatalogRecord *itemOf(std::string_view key, CatalogKind kind, const ItemReference &ofPlan,
    const std::vector<SweepSetting> &settings, const Catalog &catalog)
{
    const auto set = std::ranges::find(settings, key, &SweepSetting::key);
    if (set != settings.end()) {
        const auto *id = std::get_if<std::string>(&set->value);
        return id ? catalog.find(kind, *id) : nullptr;
    }
    const auto *inlined = std::get_if<CatalogRecord>(&ofPlan);
    return inlined ? inlined : catalog.find(kind, std::get<std::string>(ofPlan));
}

constexpr std::string_view fabricKey = "fleet.fabric", nodeKey = "fleet.node";

} // namespace

std::string describeAlikeFabrics(const SweepDocument &document, const SweepResult &result, const ChosenFigure &figure,
    std::size_t model, const Catalog &catalog)
{
    const auto fabrics = sweptFabrics(document, result, figure, model, catalog);
    std::string text;
    for (auto at = fabrics.begin(); at != fabrics.end(); ++at)
        for (auto before = fabrics.begin(); before != at; ++before) {
            const bool hasValues = std::ranges::any_of(at->values, [](const auto &value) { return value.has_value(); });
            const auto why = hasValues && at->values == before->values ? whyAlike(*before, *at, result.models[model].id)
                                                                       : std::string();
            if (why.empty())
                continue;
            text += (text.empty() ? "" : " ") + at->facts.name + " gives exactly the " + figure.shortLabel + " of "
                + before->facts.name + ": " + why + ".";
            break; // said of the first like it
        }
    return text;
}

std::string describeLeftOutFabric(
    const SweepDocument &document, std::size_t row, std::size_t column, const Catalog &catalog)
{
    const auto settings = settingsOf(document, row, column);
    const auto &fleet = document.plan.fleet;
    const auto *node = itemOf(nodeKey, CatalogKind::Node, fleet.node, settings, catalog);
    const auto *fabric = itemOf(fabricKey, CatalogKind::Fabric, fleet.fabric, settings, catalog);
    const auto why = node && fabric ? whyNotLookedAt(*node, *fabric, catalog) : std::string();
    return why.empty() ? why : fabric->name + " is left out of decisions unless it is named: " + why + ".";
}

std::string describeLeftOutFabrics(const SweepDocument &document, const Catalog &catalog)
{
    const auto isOfHardware = [](const SweepAxis &axis) {
        return std::ranges::any_of(axis.points, [](const SweepPoint &point) {
            return std::ranges::any_of(point.settings,
                [](const SweepSetting &setting) { return setting.key == fabricKey || setting.key == nodeKey; });
        });
    };
    if (std::ranges::none_of(document.axes, isOfHardware))
        return {};
    std::vector<std::string> said;
    const auto columns = document.axes.size() > 1 ? document.axes[1].points.size() : 1;
    for (std::size_t row = 0; row < document.axes.front().points.size(); ++row)
        for (std::size_t column = 0; column < columns; ++column)
            if (auto why = describeLeftOutFabric(document, row, column, catalog);
                !why.empty() && std::ranges::find(said, why) == said.end())
                said.push_back(std::move(why));
    std::string text;
    for (const auto &sentence : said)
        text += (text.empty() ? "" : " ") + sentence;
    return text;
}

} // namespace fleetwright
