// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/rowlists.h"
#include "solver/worksheet/sheetrows.h"
#include "solver/worksheet/sheets.h"

#include "solver/worksheet/internalrate.h"

#include <cmath>
#include <numeric>

namespace fleetwright::rowlists {

namespace {

using namespace sheetrows;

constexpr auto byYear = SheetShape::Years;
constexpr std::array<std::string_view, 3> depreciationWords{"straight-line", "macrs-5", "shares"};
constexpr std::string_view manual = "Short, Packey and Holt 1995, NREL/TP-462-5173";
constexpr std::string_view cashLoan = "NREL SSC, cash loan";

// clang-format off
constexpr SheetRow discountingRows[] = {
    {.key = "discount_rate", .label = "Discount rate, nominal", .unit = "", .formula = "0.08", .entry = rate(),
        .source = "assumption"},
    {.key = "inflation", .label = "Inflation", .unit = "", .formula = "0.025", .entry = rate(),
        .source = "assumption"},
    {.key = "real_rate", .label = "Discount rate, real", .unit = "",
        .formula = "(1 + discount_rate) / (1 + inflation) - 1", .source = manual},
    {.key = "discount", .label = "Present value of a dollar at the end of the year", .unit = "", .shape = byYear,
        .formula = "previous(discount) / (1 + discount_rate)", .atStart = "1", .source = manual},
    {.key = "life_discount", .label = "The same without that of the start", .unit = "", .shape = byYear,
        .formula = "discount", .source = manual},
    {.key = "real_discount", .label = "Present value at the real rate", .unit = "", .shape = byYear,
        .formula = "previous(real_discount) / (1 + real_rate)", .atStart = "1", .source = manual},
};

constexpr SheetRow levelisedRows[] = {
    {.key = "annuity_usd", .label = "Capital as a yearly payment", .unit = "USD",
        .formula = "capital_usd / sum(life_discount)", .source = manual},
    {.key = "present_cost_usd", .label = "Present cost", .unit = "USD",
        .formula = "capital_usd + sum(expenses_usd * discount) - residual_usd * last(discount)", .source = manual},
    {.key = "annual_usd", .label = "Present cost as a yearly payment", .unit = "USD",
        .formula = "present_cost_usd / sum(life_discount)", .source = manual},
    {.key = "levelised_nominal_usd", .label = "Levelised cost, nominal", .unit = "USD/{quantities}",
        .formula = "present_cost_usd / sum(quantities * discount)", .source = manual},
    {.key = "levelised_real_usd", .label = "Levelised cost, real", .unit = "USD/{quantities}",
        .formula = "present_cost_usd / sum(quantities * real_discount)", .source = manual},
};

constexpr SheetRow financeRows[] = {
    {.key = "debt_fraction", .label = "Share of the capital that is borrowed", .unit = "", .formula = "0",
        .entry = share()},
    {.key = "debt_rate", .label = "Interest of the loan", .unit = "", .formula = "0", .entry = within(0, 10)},
    {.key = "debt_years", .label = "Term of the loan", .unit = "year", .formula = "life_years",
        .entry = counted(0, mostLife)},
    {.key = "federal_tax", .label = "Federal tax", .unit = "", .formula = "0", .entry = share()},
    {.key = "state_tax", .label = "State tax", .unit = "", .formula = "0", .entry = share()},
    {.key = "combined_tax", .label = "Taxes together", .unit = "",
        .formula = "state_tax + federal_tax * (1 - state_tax)", .source = cashLoan},
    {.key = "depreciation", .label = "Depreciation", .unit = "", .formula = "0", .entry = oneOf(depreciationWords)},
    {.key = "depreciation_years", .label = "Years of straight-line depreciation", .unit = "year",
        .formula = "life_years", .entry = counted(1, mostLife)},
    {.key = "depreciation_share", .label = "Share of the basis depreciated in the year", .unit = "", .shape = byYear,
        .formula = "if(depreciation = \"macrs-5\","
                   " choose(year / 1[year], 0.2, 0.32, 0.192, 0.1152, 0.1152, 0.0576),"
                   " if(depreciation = \"shares\", none,"
                   " if(year <= depreciation_years, 1[year] / depreciation_years, 0)))",
        .entry = share(), .source = "IRS Publication 946, table A-1", .mayBeNone = true,
        .none = "Own shares of depreciation are chosen and none is entered (depreciation_share)."},
    {.key = "depreciation_basis_usd", .label = "Depreciation basis", .unit = "USD", .formula = "capital_usd",
        .entry = notNegative()},
    {.key = "tax_credit_usd", .label = "Tax credit in year 1", .unit = "USD", .formula = "0", .entry = notNegative()},
    {.key = "loan_usd", .label = "Loan", .unit = "USD", .formula = "debt_fraction * capital_usd"},
    {.key = "equity_usd", .label = "Equity", .unit = "USD", .formula = "(1 - debt_fraction) * capital_usd"},
    {.key = "loan_discount", .label = "Present value of a dollar at the interest of the loan", .unit = "",
        .shape = byYear, .formula = "previous(loan_discount) / (1 + debt_rate)", .atStart = "1"},
    {.key = "loan_payment_usd", .label = "Loan payment of a year", .unit = "USD",
        .formula = "if(loan_usd > 0, loan_usd / sum(if(year >= 1[year] and year <= debt_years, loan_discount, 0)), 0)",
        .source = cashLoan},
    {.key = "interest_usd", .label = "Interest", .unit = "USD", .shape = byYear,
        .formula = "previous(debt_balance_usd) * debt_rate", .source = cashLoan},
    {.key = "principal_usd", .label = "Repayment; the last one is what is left", .unit = "USD", .shape = byYear,
        .formula = "if(year < debt_years, loan_payment_usd - interest_usd, previous(debt_balance_usd))",
        .source = cashLoan},
    {.key = "debt_balance_usd", .label = "Debt at the end of the year", .unit = "USD", .shape = byYear,
        .formula = "previous(debt_balance_usd) - principal_usd", .atStart = "loan_usd", .source = cashLoan},
    {.key = "depreciation_usd", .label = "Depreciation", .unit = "USD", .shape = byYear,
        .formula = "depreciation_share * depreciation_basis_usd"},
    {.key = "deductible_usd", .label = "Deductible from taxes", .unit = "USD", .shape = byYear,
        .formula = "expenses_usd + depreciation_usd + interest_usd", .source = cashLoan},
    {.key = "tax_saving_usd", .label = "Tax saving, with the credit", .unit = "USD", .shape = byYear,
        .formula = "state_tax * deductible_usd + federal_tax * (deductible_usd - state_tax * deductible_usd)"
                   " + if(year = 1[year], tax_credit_usd, 0)", .source = cashLoan},
    {.key = "book_value_usd", .label = "Basis that is not depreciated at the end", .unit = "USD",
        .formula = "depreciation_basis_usd - sum(depreciation_usd)"},
    {.key = "residual_after_tax_usd", .label = "Residual value after tax", .unit = "USD",
        .formula = "residual_usd - combined_tax * (residual_usd - book_value_usd)", .source = cashLoan},
    {.key = "after_tax_cost_usd", .label = "After-tax cost (paid: negative)", .unit = "USD", .shape = byYear,
        .formula = "tax_saving_usd - expenses_usd - interest_usd - principal_usd"
                   " + if(year = life_years, residual_after_tax_usd, 0)",
        .atStart = "-equity_usd", .source = cashLoan},
    {.key = "cash_flow_usd", .label = "Cash flow after tax", .unit = "USD", .shape = byYear,
        .formula = "after_tax_cost_usd + (1 - combined_tax) * values_usd", .atStart = "after_tax_cost_usd",
        .source = cashLoan},
    {.key = "npv_usd", .label = "Net present value", .unit = "USD", .formula = "sum(cash_flow_usd * discount)",
        .source = cashLoan},
    {.key = "after_tax_levelised_nominal_usd", .label = "Levelised cost after tax, nominal",
        .unit = "USD/{quantities}",
        .formula = "if(sum(quantities * discount) > 0, -sum(after_tax_cost_usd * discount)"
                   " / sum(quantities * discount), none)", .source = cashLoan, .mayBeNone = true},
    {.key = "after_tax_levelised_real_usd", .label = "Levelised cost after tax, real", .unit = "USD/{quantities}",
        .formula = "if(sum(quantities * real_discount) > 0, -sum(after_tax_cost_usd * discount)"
                   " / sum(quantities * real_discount), none)", .source = cashLoan, .mayBeNone = true},
    {.key = "wacc", .label = "Weighted cost of capital", .unit = "",
        .formula = "(1 - debt_fraction) * discount_rate + debt_fraction * debt_rate * (1 - combined_tax)",
        .source = cashLoan},
    {.key = "irr", .label = "Internal rate of return", .unit = "", .formula = "irr(cash_flow_usd)",
        .mayBeNone = true},
    {.key = "irr_status", .label = "Internal rates of return", .unit = "", .formula = "irrstatus(cash_flow_usd)",
        .entry = {.words = irrOutcomes}},
    {.key = "project_flow_usd", .label = "Cash flow of the project, whoever pays for it", .unit = "USD",
        .shape = byYear, .formula = "cash_flow_usd + interest_usd + principal_usd - combined_tax * interest_usd",
        .atStart = "-capital_usd", .source = cashLoan},
    {.key = "project_sum_usd", .label = "Cash flow of the project so far", .unit = "USD", .shape = byYear,
        .formula = "previous(project_sum_usd) + project_flow_usd", .atStart = "project_flow_usd"},
    {.key = "payback_years", .label = "Payback", .unit = "year",
        .formula = "first(project_sum_usd > 0, year - project_sum_usd / project_flow_usd * 1[year])",
        .source = cashLoan, .mayBeNone = true},
    {.key = "present_sum_usd", .label = "Cash flow so far, in present value", .unit = "USD", .shape = byYear,
        .formula = "previous(present_sum_usd) + cash_flow_usd * discount", .atStart = "cash_flow_usd"},
    {.key = "discounted_flow_usd", .label = "Cash flow of the project, discounted", .unit = "USD", .shape = byYear,
        .formula = "project_flow_usd * discount", .atStart = "project_flow_usd"},
    {.key = "discounted_sum_usd", .label = "Cash flow of the project so far, discounted", .unit = "USD",
        .shape = byYear,
        .formula = "previous(discounted_sum_usd) + discounted_flow_usd", .atStart = "discounted_flow_usd"},
    {.key = "discounted_payback_years", .label = "Discounted payback", .unit = "year",
        .formula = "first(discounted_sum_usd > 0, year - discounted_sum_usd / discounted_flow_usd * 1[year])",
        .source = cashLoan, .mayBeNone = true},
};
// clang-format on

constexpr SheetRule loanRules[] = {
    {"debt_years <= life_years", "debt_years", "The loan must end within the life."},
    {"sum(depreciation_share) <= 1.000000001 or depreciation = \"macrs-5\"", "depreciation_share",
        "The shares of the depreciation must not add up to more than 1: enter one for each year."},
    {"debt_fraction = 0 or debt_years >= 1[year]", "debt_years", "A loan needs a term of at least a year."},
};

} // namespace

std::span<const SheetRow> discounting() { return discountingRows; }
std::span<const SheetRow> levelised() { return levelisedRows; }
std::span<const SheetRow> finance() { return financeRows; }
std::span<const SheetRule> financeRules() { return loanRules; }

} // namespace fleetwright::rowlists

namespace fleetwright::sheets {

Expected<SheetFigure> depreciationShares(std::span<const double> shares, int years)
{
    constexpr double tolerance = 1e-9;
    const std::string field = "depreciation_shares";
    for (const double share : shares)
        if (!(share >= 0))
            return refuse(ErrorCode::OutOfRange, field, "The shares of the depreciation must be zero or more.");
    if (!(std::abs(std::accumulate(shares.begin(), shares.end(), 0.0) - 1) <= tolerance))
        return refuse(ErrorCode::OutOfRange, field, "The shares of the depreciation must add up to 1.");
    std::vector<double> byYear(shares.begin(), shares.end());
    byYear.resize(std::size_t(years), 0.0);
    return SheetFigure(std::move(byYear));
}

} // namespace fleetwright::sheets
