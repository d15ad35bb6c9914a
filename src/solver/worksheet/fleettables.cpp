// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/fleettables.h"

#include "solver/blocks/reliability.h"
#include "solver/worksheet/formulawords.h"
#include "solver/worksheet/notcounted.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>

namespace fleetwright {

namespace {

/// What the figure behind a row was entered as: of a row that only passes another one on, that one's.
const SheetFigure *figureBehind(std::string_view key, const CostSheet &sheet)
{
    const auto &rows = sheet.sheet().sheet();
    for (auto row = rows.find(key); row;) {
        if (const auto &figure = sheet.sheet().entries().figure(*row))
            return &*figure;
        const auto &formula = rows.row(*row).formula;
        if (!formula || formula->operation != SheetOperation::Row)
            return nullptr;
        row = formula->row;
    }
    return nullptr;
}

const Worksheet::Row *rowOf(std::string_view key, const CostSheet &sheet)
{
    const auto index = sheet.sheet().sheet().find(key);
    return index ? &sheet.sheet().sheet().row(*index) : nullptr;
}

enum class BillItem : std::uint8_t { None, Node, Switch, ManagementSwitch, SwitchTransceiver, NodeTransceiver };

struct BillRule {
    std::string_view label, amount, count, price;
    BillItem item = BillItem::None;
    bool ofNetwork = false; ///< has an amount only where every part of the network has a price
};
constexpr auto billRules = std::to_array<BillRule>({
    {"Nodes", "used_nodes_usd", "nodes", "node_usd", BillItem::Node},
    {"Spare nodes", "spare_nodes_usd", "spare_nodes", "node_usd", BillItem::Node},
    {"Leaf switches", "leaf_switches_usd", "leaf_switches", "switch_usd", BillItem::Switch, true},
    {"Spine switches", "spine_switches_usd", "spine_switches", "switch_usd", BillItem::Switch, true},
    {"Core switches", "core_switches_usd", "core_switches", "switch_usd", BillItem::Switch, true},
    {"Spare switches", "spare_switches_usd", "spare_switches", "switch_usd", BillItem::Switch, true},
    {"Transceivers in switches", "switch_transceivers_usd", "transceivers", "transceiver_usd",
        BillItem::SwitchTransceiver, true},
    {"Transceivers in nodes", "node_transceivers_usd", "node_transceivers", "node_transceiver_usd",
        BillItem::NodeTransceiver, true},
    {"Spare transceivers for switches", "spare_transceivers_usd", "spare_transceivers", "transceiver_usd",
        BillItem::SwitchTransceiver, true},
    {"Spare transceivers for nodes", "spare_node_transceivers_usd", "spare_node_transceivers", "node_transceiver_usd",
        BillItem::NodeTransceiver, true},
    {"Cables", "cables_usd", "cables", "cable_usd", BillItem::None, true},
    {"Storage network: switches", "storage_switches_usd", "storage_switches", "service_switch_usd", BillItem::Switch,
        true},
    {"In-band network: switches", "in_band_switches_usd", "in_band_switches", "service_switch_usd", BillItem::Switch,
        true},
    {"Out-of-band network: switches", "out_of_band_switches_usd", "out_of_band_switches", "out_of_band_switch_usd",
        BillItem::ManagementSwitch, true},
    {"Service transceivers, switches", "service_transceivers_usd", "service_transceivers", "transceiver_usd",
        BillItem::SwitchTransceiver, true},
    {"Service transceivers, nodes", "service_node_transceivers_usd", "service_node_transceivers",
        "node_transceiver_usd", BillItem::NodeTransceiver, true},
    {"Service cables", "service_cables_usd", "service_cables", "cable_usd", BillItem::None, true},
    {"Network", "network_usd", "", ""},
    {"Storage", "storage_usd", "storage_tb", "storage_usd_per_tb"},
    {"Management nodes", "management_usd", "management_nodes", "management_node_usd"},
    {"Racks for the nodes", "", "racks", ""},
    {"Power and cooling of the racks", "racks_power_usd", "", ""},
    {"Installation", "installation_usd", "", ""},
    {"Licences paid once", "licences_once_usd", "", ""},
    {"Support paid with the order", "support_once_usd", "", ""},
    {"Freight and duty", "freight_usd", "", ""},
    {"Contingency", "contingency_usd", "", ""},
    {"Own building", "facility_usd", "", ""},
    {"Owned already, not bought", "owned_usd", "owned_nodes", ""},
    {"Capital", "capital_usd", "", ""},
});

constexpr std::string_view capitalRow = "capital_usd";

const NetworkPart *partOf(BillItem item, const NetworkParts &parts)
{
    const auto found = [](const std::optional<NetworkPart> &part) { return part ? &*part : nullptr; };
    switch (item) {
    case BillItem::None:
    case BillItem::Node: break;
    case BillItem::Switch: return found(parts.switchPart);
    case BillItem::ManagementSwitch: return found(parts.managementSwitch ? parts.managementSwitch : parts.switchPart);
    case BillItem::SwitchTransceiver: return found(parts.switchTransceiver);
    case BillItem::NodeTransceiver: return found(parts.nodeTransceiver);
    }
    return nullptr;
}

/// Whether the lines of the network add up to its price, or a share of the nodes or one entered figure stands for them.
bool networkIsBilled(const CostSheet &sheet)
{
    return sheet.sheet().flag("network_is_priced") && !sheet.sheet().isEntered("network_usd");
}

std::string unpriced(const std::string &entry)
{
    return "No price is known: counted as 0. Enter " + entry + " under the fleet\u2019s costs.";
}

class BillMaking {
public:
    BillMaking(const Fleet &fleet, const CostSheet &sheet)
        : m_fleet(fleet), m_sheet(sheet), m_billed(networkIsBilled(sheet))
    {
    }

    std::optional<FleetBillLine> line(const BillRule &rule) const
    {
        if (rule.amount == "network_usd" && m_billed)
            return std::nullopt;
        FleetBillLine line{.key = std::string(rule.amount.empty() ? rule.count : rule.amount),
            .part = std::string(rule.ofNetwork    ? "network_usd"
                    : rule.item == BillItem::Node ? "nodes_usd"
                                                  : rule.amount),
            .label = std::string(rule.amount == capitalRow ? capitalLabel(m_sheet.paying()) : rule.label),
            .isTotal = rule.amount == capitalRow};
        const auto *part = partOf(rule.item, m_fleet->costs.network);
        line.item = rule.item == BillItem::Node ? m_fleet->node->name : part ? part->name : std::string();
        if (!rule.count.empty())
            countOf(rule, line);
        const bool counted = line.count.value_or(0) > 0;
        if (rule.amount.empty()) {
            line.note =
                "The catalog has no price of a rack: some nodes come with theirs. Power and cooling are the next line.";
            return counted ? std::optional(std::move(line)) : std::nullopt;
        }
        if (rule.ofNetwork && !m_billed) {
            line.note = "Its price is part of the line \u201cNetwork\u201d.";
            return counted ? std::optional(std::move(line)) : std::nullopt;
        }
        line.amount = m_sheet.value(rule.amount);
        if (!line.amount) {
            line.note = m_sheet.reasonFor(rule.amount);
            return line;
        }
        if (*line.amount == 0 && !counted && !line.isTotal)
            return std::nullopt;
        if (!rule.price.empty())
            priceOf(rule, part, line);
        else if (const auto *row = rowOf(rule.amount, m_sheet); row && !m_sheet.sheet().isEntered(rule.amount))
            line.source = line.isTotal || !row->formula ? "" : formulaInWords(m_sheet.sheet().sheet(), *row->formula);
        if (*line.amount == 0 && counted && !m_fleet->costs.find(rule.price))
            line.note = unpriced(std::string(rule.price));
        if (rule.amount == "network_usd" && !m_sheet.sheet().isEntered("network_usd"))
            line.note = "Estimated as a share of the nodes: a part of the network has no price in the catalog.";
        return line;
    }

private:
    void countOf(const BillRule &rule, FleetBillLine &line) const
    {
        line.countKey = rule.count;
        line.count = m_sheet.value(rule.count);
        if (const auto *row = rowOf(rule.count, m_sheet)) {
            line.countUnit = row->unit;
            line.source = row->source;
        }
        if (const auto *figure = figureBehind(rule.count, m_sheet))
            line.source = figure->source;
    }

    void priceOf(const BillRule &rule, const NetworkPart *part, FleetBillLine &line) const
    {
        line.priceKey = rule.price;
        line.price = m_sheet.value(rule.price);
        if (const auto *row = rowOf(rule.price, m_sheet)) {
            line.priceUnit = row->unit;
            line.source = row->source;
        }
        if (const auto *figure = figureBehind(rule.price, m_sheet)) {
            line.source = figure->source;
            line.date = figure->date;
        }
        const auto *stated = m_fleet->costs.find(rule.price);
        line.isOld = stated ? stated->olderThanAYear : part && part->price && part->price->olderThanAYear;
        if (stated)
            line.note = stated->notice;
    }

    const Fleet &m_fleet;
    const CostSheet &m_sheet;
    bool m_billed;
};

struct FigureRule {
    std::string_view key;
    bool isPart = false; ///< of the section's total
    bool isTotal = false;
};

constexpr auto powerFigures = std::to_array<FigureRule>(
    {{"node_peak_w"}, {"nodes_w", true}, {"network_w", true}, {"other_it_w", true}, {"it_peak_w", false, true}, {"pue"},
        {"facility_peak_w", false, true}, {"facility_w_per_accelerator"}, {"it_train_w"}, {"facility_train_w"},
        {"it_idle_w"}, {"facility_idle_w"}, {"energy_kwh"}});
constexpr auto capitalFigures = std::to_array<FigureRule>(
    {{"nodes_usd", true}, {"network_usd", true}, {"storage_usd", true}, {"management_usd", true},
        {"racks_power_usd", true}, {"installation_usd", true}, {"licences_once_usd", true}, {"support_once_usd", true},
        {"freight_usd", true}, {"contingency_usd", true}, {"facility_usd", true}, {"owned_usd", true},
        {"capital_usd", false, true}, {"capital_usd_per_accelerator"}, {"residual_usd"}});
constexpr auto runningFigures = std::to_array<FigureRule>(
    {{"energy_by_year_usd", true}, {"colocation_by_year_usd", true}, {"support_by_year_usd", true},
        {"licence_by_year_usd", true}, {"staff_by_year_usd", true}, {"lease_by_year_usd", true},
        {"other_by_year_usd", true}, {"expenses_usd", false, true}});
constexpr auto levelisedFigures = std::to_array<FigureRule>({{"levelised_nominal_usd", false, true},
    {"levelised_real_usd"}, {"annual_usd"}, {"annuity_usd"}, {"present_cost_usd"}, {"accelerator_hours"},
    {"life_years"}, {"utilisation"}, {"availability"}, {"discount_rate"}});
constexpr auto rentFigures = std::to_array<FigureRule>(
    {{"levelised_nominal_usd"}, {"rent_usd_per_hour"}, {"annual_usd"}, {"rent_usd_per_year"}, {"present_cost_usd"},
        {"rent_present_usd"}, {"breakeven_utilisation"}, {"breakeven_rent_usd"}, {"crossing_month"}});
constexpr auto goodputFigures = std::to_array<FigureRule>(
    {{"rate_per_node_day"}, {"failures_per_day"}, {"mtbf_s"}, {"checkpoint_s"}, {"restart_s"},
        {"checkpoint_interval_s"}, {"productive_share", false, true}, {"lost_accelerators"}, {"nodes_in_repair"}});

constexpr auto calendarFigures = std::to_array<FigureRule>({{"node_delivery_weeks"}, {"network_delivery_weeks"},
    {"site_ready_weeks"}, {"delivery_weeks"}, {"burn_in_weeks"}, {"ready_weeks", false, true}});

struct SectionRule {
    FleetSection section;
    std::string_view key, title, total;
    std::span<const FigureRule> figures;
};
constexpr auto sectionRules = std::to_array<SectionRule>({
    {FleetSection::Power, "power", "Power", "it_peak_w", powerFigures},
    {FleetSection::Capital, "capital", "Capital", "capital_usd", capitalFigures},
    {FleetSection::Running, "running", "Running cost, year 1", "expenses_usd", runningFigures},
    {FleetSection::Levelised, "levelised", "Levelised cost", "", levelisedFigures},
    {FleetSection::Rent, "rent", "Buy or rent", "", rentFigures},
    {FleetSection::Goodput, "goodput", "Failures, goodput and spares", "", goodputFigures},
    {FleetSection::Calendar, "calendar", "From order to the first run", "", calendarFigures},
});

const SectionRule &ruleOf(FleetSection section)
{
    return *std::ranges::find(sectionRules, section, &SectionRule::section);
}

/// "never", or why there is no value and what to do.
std::string noneInWords(std::string_view key, const CostSheet &sheet)
{
    const auto *row = rowOf(key, sheet);
    const bool isNever = row->mayBeNone && row->none.empty() && !row->isEntry()
        && sheet.sheet().program()->isPresent(*sheet.sheet().sheet().find(key));
    return isNever ? "never" : sheet.reasonFor(key);
}

/// What owning a fleet would cost, where it is rented: stands beside what the rent does.
std::string_view ownedLabel(std::string_view key, std::string_view label)
{
    constexpr auto labels = std::to_array<std::pair<std::string_view, std::string_view>>(
        {{"levelised_nominal_usd", "Levelised cost, nominal, were it bought"},
            {"annual_usd", "Present cost as a yearly payment, were it bought"},
            {"present_cost_usd", "Present cost, were it bought"}});
    const auto found = std::ranges::find(labels, key, [](const auto &pair) { return pair.first; });
    return found == labels.end() ? label : found->second;
}

/// Rows without a unit are shares and rates, factors (a PUE), or counts.
bool isShare(const Worksheet::Row &row)
{
    constexpr double mostRate = 10, leastShare = 1e-6;
    const bool isEntered = row.entry.kind == SheetEntry::Kind::Value && row.entry.least <= leastShare
        && row.entry.most <= mostRate;
    return row.unit.empty() && (isEntered || row.key == "breakeven_utilisation");
}

FleetFigureLine figureLine(const FigureRule &rule, const CostSheet &sheet)
{
    const auto *row = rowOf(rule.key, sheet);
    FleetFigureLine line{.key = std::string(rule.key), .isTotal = rule.isTotal};
    if (!row)
        return line;
    line.label = rule.key == capitalRow  ? capitalLabel(sheet.paying())
        : sheet.paying() == Paying::Rent ? ownedLabel(rule.key, row->label)
                                         : std::string_view(row->label);
    line.unit = row->unit;
    line.isShare = isShare(*row);
    line.column = row->shape == SheetShape::Single ? 0 : 1;
    line.source = row->source;
    if (const auto *figure = figureBehind(rule.key, sheet))
        line.source = figure->source;
    line.value = sheet.drawnRange(rule.key, line.column);
    if (line.value && isAtLeast(sheet, rule.key)) {
        line.isAtLeast = line.value->high > 0;
        if (!line.isAtLeast)
            line.value.reset(); // nothing unknown is 0
        line.note = rule.key == "network_w" ? networkWithoutPower(sheet) : "at least: see the network power";
    } else if (!line.value)
        line.note = noneInWords(rule.key, sheet);
    else if (rule.key == "node_peak_w")
        line.note = sheet.sheet().isEntered(rule.key) ? "stated" : "estimated";
    else if (rule.key == "network_usd") {
        line.source.clear();
        line.note = networkIsBilled(sheet)           ? "by its bill of materials"
            : sheet.sheet().isEntered("network_usd") ? "entered"
                                                     : "estimated as a share of the nodes";
    }
    return line;
}

/// How many spare nodes keep the fleet whole 99 % of the time: no row, since no formula has a Poisson distribution.
FleetFigureLine sparesLine(const CostSheet &sheet)
{
    FleetFigureLine line{.key = "spares_needed",
        .label = "Spare nodes that suffice 99 % of the time",
        .unit = "node",
        .source = "Poisson: the smallest number that nodes in repair exceed at most 1 % of the time"};
    const auto answer = sparesNeeded(sheet);
    if (!answer) {
        line.note = answer.error().message;
        return line;
    }
    const double needed = double(*answer);
    line.value = SheetRange{needed, needed, needed};
    return line;
}

constexpr auto yearRows = std::to_array<FigureRule>(
    {{"energy_by_year_usd"}, {"colocation_by_year_usd"}, {"support_by_year_usd"}, {"licence_by_year_usd"},
        {"staff_by_year_usd"}, {"lease_by_year_usd"}, {"other_by_year_usd"}, {"expenses_usd", false, true},
        {"values_usd"}, {"depreciation_usd"}, {"interest_usd"}, {"principal_usd"}, {"debt_balance_usd"},
        {"tax_saving_usd"}, {"after_tax_cost_usd"}, {"cash_flow_usd", false, true}, {"present_sum_usd"}});

} // namespace

std::string_view capitalLabel(Paying paying) { return paying == Paying::Own ? "Capital" : "Capital, were it bought"; }

std::vector<FleetBillLine> billOfMaterials(const Fleet &fleet, const CostSheet &sheet)
{
    const BillMaking making(fleet, sheet);
    std::vector<FleetBillLine> lines;
    for (const auto &rule : billRules)
        if (auto line = making.line(rule))
            lines.push_back(std::move(*line));
    return lines;
}

std::string_view toString(FleetSection section) { return ruleOf(section).key; }

std::string_view titleOf(FleetSection section) { return ruleOf(section).title; }

std::vector<FleetFigureLine> figuresOf(FleetSection section, const CostSheet &sheet)
{
    const auto &rule = ruleOf(section);
    std::vector<FleetFigureLine> lines;
    for (const auto &figure : rule.figures) {
        auto line = figureLine(figure, sheet);
        const auto total = figure.isPart ? sheet.value(rule.total, line.column) : std::nullopt;
        if (total && *total > 0 && line.value)
            line.share = line.value->likely / *total;
        lines.push_back(std::move(line));
    }
    if (section == FleetSection::Goodput)
        lines.push_back(sparesLine(sheet));
    return lines;
}

std::vector<FleetYearsLine> cashFlowOf(const CostSheet &sheet)
{
    std::vector<FleetYearsLine> lines;
    for (const auto &rule : yearRows) {
        const auto *row = rowOf(rule.key, sheet);
        auto years = sheet.sheet().columns(rule.key);
        if (row && std::ranges::any_of(years, [](double value) { return value != 0; }))
            lines.push_back({row->key, row->label, row->unit, std::move(years), rule.isTotal});
    }
    return lines;
}

} // namespace fleetwright
