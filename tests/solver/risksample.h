// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fleetentries.h"
#include "solver/uncertainty/risk.h"

#include <cmath>

/// Fleets for drawing: 70 B parameters on 15 T tokens, prices and step times in ranges.
namespace fleetwright::testing {

struct EntryRange {
    const char *entry;
    double low, likely, high;
    const char *source = "", *vendor = "";
};

inline void enterRange(SheetEntries &entries, const EntryRange &range)
{
    SheetFigure figure(range.likely);
    figure.low = range.low;
    figure.high = range.high;
    figure.source = range.source;
    figure.vendor = range.vendor;
    if (const auto entered = entries.enter(range.entry, std::move(figure)); !entered)
        throw std::runtime_error(entered.error().message);
}

/// 128 nodes of 8 accelerators that are owned; the step time is certain.
inline SheetEntries runEntries(std::initializer_list<EntryRange> ranges = {}, EntryValues changes = {})
{
    auto entries = entriesOf(sheets::run(),
        {{"nodes", 128}, {"accelerators_per_node", 8}, {"node_peak_w", 10200}, {"switches", 48}, {"switch_w", 1720},
            {"node_usd", 300000}, {"storage_usd_per_tb", 300}, {"management_node_usd", 20000}, {"usd_per_kwh", 0.08},
            {"colocation_usd_per_kw_month", 130}, {"support_share", 0.08}, {"staff_usd", 180000},
            {"rate_per_node_day", 0.004}, {"checkpoint_s", 30}, {"restart_s", 600}, {"rent_usd_per_hour", 2.4},
            {"node_delivery_weeks", 20}, {"tokens", 15e12}, {"batch_sequences", 2048}, {"sequence_tokens", 8192},
            {"step_time_s", 14}});
    for (const auto &[key, value] : changes)
        if (const auto entered = entries.enter(key, value); !entered)
            throw std::runtime_error(entered.error().message);
    for (const auto &range : ranges)
        enterRange(entries, range);
    return entries;
}

inline uncertainty::RiskFleet riskFleetOf(std::string label, SheetEntries run, std::string family = {})
{
    return {.label = std::move(label),
        .runs = {std::move(run)},
        .paying = Paying::Own,
        .family = std::move(family),
        .reasons = {}};
}

/// As many fleets as asked, of three families and two vendors, on one site, with the ranges that a decision has.
inline std::vector<uncertainty::RiskFleet> riskFleets(std::size_t count)
{
    std::vector<uncertainty::RiskFleet> fleets;
    for (std::size_t i = 0; i < count; ++i) {
        const auto number = std::to_string(i);
        const double step = 12 + 0.3 * double(i), price = 260e3 + 9e3 * double(i % 7);
        const auto source = "Quotation " + number;
        auto entries = runEntries(
            {{"node_usd", 0.9 * price, price, 1.1 * price, source.c_str(), i % 2 ? "A" : "B"},
                {"step_time_s", 0.87 * step, step, 1.18 * step}, {"rate_per_node_day", 0.002, 0.004, 0.0065, "Llama 3"},
                {"usd_per_kwh", 0.06, 0.08, 0.12, "Texas"}, {"storage_usd_per_tb", 200, 300, 450, "Storage"},
                {"support_share", 0.08, 0.1, 0.12, "Support"}, {"staff_usd", 150e3, 180e3, 240e3, "Staff"},
                {"colocation_usd_per_kw_month", 110, 130, 180, "Colocation"},
                {"node_delivery_weeks", 12, 20, 40, "Lead time"}, {"draw_share", 0.65, 0.72, 0.8, "metered nodes"},
                {"switch_usd", 34e3, 38e3, 42e3, "Switch", i % 2 ? "A" : "B"},
                {"residual_share", 0.05, 0.1, 0.2, "assumption"}},
            {{"nodes", 96.0 + double(i)}});
        fleets.push_back(riskFleetOf("Fleet " + number, std::move(entries), "Family " + std::to_string(i % 3)));
    }
    return fleets;
}

inline uncertainty::RiskAnswer answerOf(const uncertainty::RiskQuestion &question)
{
    auto answer = uncertainty::assessRisk(question);
    if (!answer)
        throw std::runtime_error(answer.error().field + ": " + answer.error().message);
    return std::move(*answer);
}

/// One price of a fleet's nodes.
inline EntryRange nodePrice(const char *source, const char *vendor = "", double likely = 300e3)
{
    return {"node_usd", 0.7 * likely, likely, 1.6 * likely, source, vendor};
}

inline EntryRange stepTime(double likely, double halfWidth)
{
    return {"step_time_s", likely * std::exp(-halfWidth), likely, likely * std::exp(halfWidth)};
}

} // namespace fleetwright::testing
