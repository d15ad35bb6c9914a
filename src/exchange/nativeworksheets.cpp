// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/nativeworksheets.h"

#include "domain/pricechoice.h"
#include "exchange/nativefacts.h"
#include "solver/worksheet/evaluatedsheet.h"
#include "solver/worksheet/sheets.h"

namespace fleetwright::exchange {

namespace {

constexpr std::string_view depreciationByYear = "depreciation_share"; ///< entered by depreciation_shares

void enterField(NativeReader &in, SheetEntries &entries, const Worksheet::Row &row)
{
    const std::string_view field = row.key;
    if (!in.has(field))
        return;
    const auto enter = [&](SheetFigure figure) {
        if (in.error())
            return;
        if (auto entered = entries.enter(field, std::move(figure)); !entered)
            in.fail(entered.error().code, field, std::move(entered.error().message));
    };
    switch (row.entry.kind) {
    case SheetEntry::Kind::Closed: return;
    case SheetEntry::Kind::Whole: return enter(double(in.optionalCount(field).value_or(0)));
    case SheetEntry::Kind::Flag: return enter(in.optionalFlag(field).value_or(false) ? 1.0 : 0.0);
    case SheetEntry::Kind::Word: {
        const auto word = in.text(field);
        if (auto entered = entries.enterWord(field, word); !entered)
            in.fail(entered.error().code, field, std::move(entered.error().message));
        return;
    }
    case SheetEntry::Kind::Value:
        if (row.shape == SheetShape::Single)
            return enter(in.number(field));
        return enter(SheetFigure(in.numbers(field)));
    }
}

SheetEntries readSheet(NativeReader &in, const Worksheet &sheet)
{
    SheetEntries entries(sheet);
    for (const auto &row : sheet.rows())
        if (row.isEntry() && row.key != depreciationByYear && row.key != orderSparesEntry) // of fleets that are known
            enterField(in, entries, row);
    return entries;
}

/// The list that depreciation "shares" wants.
void readDepreciation(NativeReader &in, SheetEntries &entries)
{
    constexpr std::string_view ownShares = "shares";
    const auto row = entries.sheet().find("depreciation");
    const auto own = row ? wordOf(entries.sheet().row(*row).entry, ownShares) : std::nullopt;
    if (in.error() || !own || entries.single("depreciation") != double(*own))
        return;
    const auto list = in.numbers("depreciation_shares");
    if (in.error())
        return;
    auto shares = take(in, sheets::depreciationShares(list, int(entries.single("life_years"))));
    if (in.error())
        return;
    if (auto entered = entries.enter(depreciationByYear, std::move(shares)); !entered)
        in.fail(entered.error().code, "depreciation_shares", std::move(entered.error().message));
}

/// The values of a sheet as fields of one object.
class SheetWriter {
public:
    explicit SheetWriter(const EvaluatedSheet &sheet) : m_sheet(sheet) { }

    void number(std::string_view field, std::string_view key)
    {
        const auto value = m_sheet.value(key);
        m_json[std::string(field)] = value ? Json(*value) : Json();
    }
    void numbers(std::initializer_list<std::string_view> keys)
    {
        for (const auto key : keys)
            number(key, key);
    }
    void none(std::initializer_list<std::string_view> keys)
    {
        for (const auto key : keys)
            m_json[std::string(key)] = nullptr;
    }
    void flag(std::string_view key)
    {
        m_json[std::string(key)] = m_sheet.value(key) ? Json(m_sheet.flag(key)) : Json();
    }
    /// Whether a value that can be entered was computed.
    void estimated(std::string_view field, std::string_view key)
    {
        m_json[std::string(field)] = !m_sheet.isEntered(key);
    }
    void word(std::string_view key)
    {
        const auto row = m_sheet.sheet().find(key);
        const auto &words = m_sheet.sheet().row(*row).entry.words;
        m_json[std::string(key)] = words[std::size_t(m_sheet.value(key).value_or(0))];
    }
    void columns(std::string_view field, std::string_view key, std::size_t first)
    {
        const auto values = m_sheet.columns(key);
        auto list = Json::array();
        for (auto i = first; i < values.size(); ++i)
            list.push_back(values[i]);
        m_json[std::string(field)] = std::move(list);
    }
    [[nodiscard]] Json take() { return std::move(m_json); }

private:
    const EvaluatedSheet &m_sheet;
    Json m_json = Json::object();
};

/// Reads, evaluates and lets `write` say what is answered.
template <class Write> Expected<Json> answer(NativeReader &in, const Worksheet &sheet, const Write &write)
{
    auto entries = readSheet(in, sheet);
    readDepreciation(in, entries);
    if (in.error())
        return std::unexpected(*in.error());
    const auto evaluated = evaluateSheet(std::move(entries));
    if (!evaluated)
        return std::unexpected(evaluated.error());
    SheetWriter out(*evaluated);
    write(out, *evaluated);
    return out.take();
}

void writeReturns(SheetWriter &out)
{
    out.number("levelised_nominal_usd", "after_tax_levelised_nominal_usd");
    out.number("levelised_real_usd", "after_tax_levelised_real_usd");
    out.numbers({"npv_usd", "irr"});
    out.word("irr_status");
    out.number("payback_years", "payback_years");
    out.columns("cash_flow_usd", "cash_flow_usd", 0);
}

} // namespace

Expected<Json> evaluateCashFlow(NativeReader &in)
{
    return answer(in, sheets::cashFlow(), [](SheetWriter &out, const EvaluatedSheet &) {
        writeReturns(out);
        out.numbers({"wacc", "combined_tax", "discounted_payback_years", "equity_usd", "loan_usd"});
        for (const auto *key : {"after_tax_cost_usd", "tax_saving_usd", "depreciation_usd", "interest_usd",
                 "principal_usd", "debt_balance_usd"})
            out.columns(key, key, 0);
    });
}

Expected<Json> evaluateLevelisedCost(NativeReader &in)
{
    const auto &sheet = in.has("fixed_charge_rate") ? sheets::fixedCharge() : sheets::levelisedCost();
    return answer(in, sheet, [](SheetWriter &out, const EvaluatedSheet &) {
        out.numbers({"levelised_nominal_usd", "levelised_real_usd", "annuity_usd", "annual_usd", "present_cost_usd"});
    });
}

Expected<Json> evaluateTrainingCost(NativeReader &in)
{
    return answer(in, sheets::trainingCost(), [](SheetWriter &out, const EvaluatedSheet &) {
        out.numbers({"value_usd", "hardware_usd", "interconnect_usd", "energy_kwh", "energy_usd", "price_index_ratio",
            "total_usd", "usd_per_chip_hour"});
    });
}

Expected<Json> evaluateFleetPower(NativeReader &in)
{
    return answer(in, sheets::power(), [](SheetWriter &out, const EvaluatedSheet &) {
        out.number("node_peak_w", "node_peak_w");
        out.estimated("node_peak_estimated", "node_peak_w");
        out.numbers({"network_w", "other_it_w", "it_peak_w", "it_train_w", "it_idle_w", "pue", "facility_peak_w",
            "facility_w_per_accelerator", "contract_margin_w"});
        out.flag("fits_contract");
    });
}

Expected<Json> evaluateOwnership(NativeReader &in)
{
    return answer(in, sheets::fleet(), [](SheetWriter &out, const EvaluatedSheet &sheet) {
        out.numbers({"it_peak_w", "facility_peak_w", "energy_kwh", "nodes_usd", "network_usd"});
        out.estimated("network_estimated", "network_usd");
        out.numbers({"storage_usd", "management_usd", "racks_power_usd", "installation_usd", "licences_once_usd",
            "freight_usd", "contingency_usd", "facility_usd", "capital_usd", "capital_usd_per_accelerator",
            "energy_usd", "colocation_usd", "support_usd", "licences_usd"});
        out.number("staff_usd", "staff_line_usd");
        out.number("other_usd", "other_usd");
        out.columns("running_usd", "expenses_usd", 1);
        out.numbers({"residual_usd", "accelerator_hours", "present_cost_usd", "annual_usd"});
        writeReturns(out);
        out.numbers({"rent_usd_per_year", "rent_present_usd", "breakeven_utilisation"});
        if (sheet.isEntered("rent_usd_per_hour"))
            out.number("breakeven_rent_usd", "breakeven_rent_usd");
        else
            out.none({"breakeven_rent_usd"});
        out.number("crossing_month", "crossing_month");
    });
}

} // namespace fleetwright::exchange
