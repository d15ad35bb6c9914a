// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/workbookchecks.h"

#include <algorithm>

namespace fleetwright::reports {

namespace {

/// Two ways to the same sum, to the cent.
struct BalanceRule {
    std::string_view label, left, right;
};
constexpr auto balances = std::to_array<BalanceRule>({
    {"Capital is the sum of its lines", "capital_usd",
        "used_nodes_usd + spare_nodes_usd + network_usd + storage_usd + management_usd + racks_power_usd"
        " + installation_usd + licences_once_usd + support_once_usd + freight_usd + contingency_usd + facility_usd"
        " + owned_usd"},
    {"The network's lines are its counts times their prices", "network_bill_usd",
        "(switches + spare_switches) * switch_usd + (transceivers + spare_transceivers + service_transceivers)"
        " * transceiver_usd + (node_transceivers + spare_node_transceivers + service_node_transceivers)"
        " * node_transceiver_usd + (cables + service_cables) * cable_usd"
        " + (storage_switches + in_band_switches) * service_switch_usd"
        " + out_of_band_switches * out_of_band_switch_usd"},
    {"Equity and loan are the capital", "equity_usd + loan_usd", "capital_usd"},
    {"The loan is repaid", "sum(principal_usd)", "loan_usd"},
    {"No debt is left at the end", "last(debt_balance_usd)", "0"},
    {"Running cost is the sum of its lines", "sum(expenses_usd)",
        "sum(energy_by_year_usd) + sum(colocation_by_year_usd) + sum(support_by_year_usd) + sum(licence_by_year_usd)"
        " + sum(staff_by_year_usd) + sum(lease_by_year_usd) + sum(other_by_year_usd)"},
    {"The last present sum is the net present value", "last(present_sum_usd)", "npv_usd"},
    {"Levelised cost times hours is the present cost", "levelised_nominal_usd * sum(quantities * discount)",
        "present_cost_usd"},
});

struct SignRule {
    std::string_view label, condition;
};
constexpr auto signRules = std::to_array<SignRule>({
    {"Capital is not negative", "capital_usd >= 0"},
    {"The residual value is between nothing and the capital with what is owned",
        "residual_usd >= 0 and residual_usd <= capital_usd - owned_usd"},
    {"Running cost is not negative", "sum(expenses_usd) >= 0"},
    {"No more is depreciated than the basis", "sum(depreciation_usd) <= depreciation_basis_usd + 0.01[USD]"},
    {"Training draws no more than the peak", "it_train_w <= it_peak_w and it_peak_w <= facility_peak_w"},
    {"The energy of a year is within the peak's", "energy_kwh <= facility_peak_w * 8760[h] / 1000[W/kW]"},
    {"Leaf switches are not negative", "leaf_switches >= 0"},
    {"The productive share is between 0 and 1", "productive_share >= 0 and productive_share <= 1"},
});

bool hasRows(const SheetFormula &formula, const WorkbookLayout &layout)
{
    bool all = true;
    visitFormula(formula, [&](const SheetFormula &part) {
        if (part.operation != SheetOperation::Row)
            return;
        const auto row = layout.sheet().find(part.text);
        all = all && row && std::ranges::any_of(layout.fleets(), [&](const WorkbookSheet &fleet) {
            return fleet.sheet.value(part.text, layout.sheet().row(*row).shape == SheetShape::Single ? 0 : 1)
                .has_value();
        });
    });
    return all;
}

} // namespace

std::vector<WorkbookCheck> workbookChecks(WorkbookLayout &layout)
{
    std::vector<WorkbookCheck> checks;
    SheetFormula tolerance{
        .operation = SheetOperation::Number, .number = rangeTolerance, .text = std::string(rangeToleranceUnit)};
    layout.adopt(tolerance, layout.sheet().find("capital_usd").value_or(0));
    const auto add = [&](std::string_view label, const std::string &condition) {
        auto formula = parseSheetFormula(condition);
        if (!formula || !hasRows(*formula, layout))
            return;
        layout.adopt(*formula, 0);
        checks.push_back({std::string(label), std::move(*formula)});
    };
    for (const auto &rule : balances) {
        const std::string left(rule.left), right(rule.right);
        std::string condition = "max(" + left;
        condition.append(" - (").append(right).append("), ").append(right).append(" - (").append(left).append("))");
        add(rule.label, condition.append(" <= 0.01[USD]"));
    }
    for (const auto &rule : signRules)
        add(rule.label, std::string(rule.condition));
    for (const auto &rule : layout.sheet().rules()) {
        if (!hasRows(rule.condition, layout))
            continue;
        auto formula = rule.condition;
        layout.adopt(formula, 0);
        checks.push_back({"Not refused: " + rule.sentence, std::move(formula)});
    }
    return checks;
}

std::vector<std::size_t> solvedEntries(const WorkbookLayout &layout)
{
    std::vector<std::size_t> rows;
    for (const std::string_view key : {"nodes", "accelerators_per_node", "batch_sequences", "sequence_tokens"})
        if (const auto row = layout.sheet().find(key))
            rows.push_back(*row);
    return rows;
}

} // namespace fleetwright::reports
