// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/sizetables.h"

#include "solver/size/sizewords.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::cli {

namespace {

using units::Dimension;

std::vector<const size::LotAnswer *> sizedAnswers(const size::Result &result, bool all)
{
    if (!all)
        return result.byNode();
    std::vector<const size::LotAnswer *> rows;
    std::ranges::transform(result.answers, std::back_inserter(rows), [](const auto &lot) { return &lot; });
    return rows;
}

struct SizedColumn {
    std::string_view title;
    double size::FleetFigures::*member;
    Dimension dimension;
};
constexpr std::array<SizedColumn, 7> sizedColumns{
    {{"Days", &size::FleetFigures::days, Dimension::Number}, {"Run", &size::FleetFigures::runCostUsd, Dimension::Money},
        {"Electricity", &size::FleetFigures::electricityUsd, Dimension::Money},
        {"Capital", &size::FleetFigures::capitalUsd, Dimension::Money},
        {"Power", &size::FleetFigures::facilityWatts, Dimension::Power},
        {"Carbon", &size::FleetFigures::carbonKg, Dimension::Carbon},
        {"By the date", &size::FleetFigures::deadlineChance, Dimension::Fraction}}};

std::string sizedCell(double value, const units::UnitSymbol &unit)
{
    if (std::isnan(value))
        return "-";
    if (std::isinf(value))
        return "never";
    constexpr double tooSmallToSay = 0.001;
    if (unit.dimension == Dimension::Fraction && value > 0 && value < tooSmallToSay)
        return "< 0.1";
    return unit.symbol.empty() ? units::threeDigits(value) : units::formatInColumn(value, unit);
}

/// The figures of fleets in columns of one unit each; a figure that none has is left out.
void appendFigures(Table &table, const std::vector<size::FleetFigures> &figures)
{
    for (const auto &column : sizedColumns) {
        double largest = 0;
        bool known = false;
        for (const auto &of : figures) {
            const double value = of.*column.member;
            known = known || !std::isnan(value);
            if (std::isfinite(value))
                largest = std::max(largest, std::abs(value));
        }
        if (!known)
            continue;
        const bool plain = column.dimension == Dimension::Number;
        const auto unit = column.dimension == Dimension::Fraction ? *units::findUnit("%", Dimension::Fraction)
            : plain                                               ? units::UnitSymbol{{}, Dimension::Number, 1}
                                                                  : units::unitFor(largest, column.dimension);
        table.columns.push_back(
            {std::string(column.title) + (plain ? "" : " [" + std::string(unit.symbol) + "]"), true});
        for (std::size_t i = 0; i < figures.size(); ++i)
            table.rows[i].push_back(sizedCell(figures[i].*column.member, unit));
    }
}

/// `figures`: those of the answers, in their order.
Table fleetsTable(const DecisionDocument &document, const size::Result &result,
    const std::vector<const size::Answer *> &answers, const std::vector<size::FleetFigures> &figures)
{
    Table table{{{"#", true}, {"Fleet"}, {"Layout"}}, {}};
    for (const auto *answer : answers)
        table.rows.push_back({std::to_string(table.rows.size() + 1), size::fleetInWords(result, *answer),
            answer->jobs.empty() ? "-" : size::splitsInWords(document, *answer)});
    appendFigures(table, figures);
    return table;
}

} // namespace

Table sizedTable(const DecisionDocument &document, const size::Result &result, bool all, const size::HowSure *sure)
{
    std::vector<const size::Answer *> answers;
    std::vector<size::Answer> drawn;
    std::vector<size::FleetFigures> figures;
    for (const auto *row : sizedAnswers(result, all)) {
        answers.push_back(&row->answer);
        drawn.push_back(
            size::asDrawn(document, row->answer, sure ? size::riskOfDays(*sure, result, row->answer) : nullptr));
        figures.push_back(drawn.back().figures);
    }
    auto table = fleetsTable(document, result, answers, figures);
    table.columns.push_back({"Limits"});
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        std::string broken;
        for (const auto &miss : drawn[i].misses)
            broken += (broken.empty() ? "" : ", ") + size::titleOf(miss.limit, size::runsBehind(miss.limit, drawn[i]));
        table.rows[i].push_back(broken.empty() ? "kept" : broken);
    }
    return table;
}

Table bindingTable(const size::Result &result, bool all)
{
    Table table{{{"Fleet"}, {"What binds"}, {"What would free it"}}, {}};
    for (const auto *row : sizedAnswers(result, all))
        if (!row->answer.isFeasible())
            table.rows.push_back({size::fleetInWords(result, row->answer), size::missesInWords(row->answer),
                size::remediesInWords(*row)});
    return table;
}

Table frontTable(const DecisionDocument &document, const size::Result &result)
{
    std::vector<const size::Answer *> answers;
    std::vector<size::FleetFigures> figures;
    for (const auto &answer : result.front) {
        answers.push_back(&answer);
        figures.push_back(answer.figures);
    }
    return fleetsTable(document, result, answers, figures);
}

Table howSureTable(const size::HowSure &sure)
{
    using uncertainty::RiskFigure;
    const auto &risk = sure.risk;
    Table table{{{"Fleet"}}, {}};
    for (const auto &fleet : risk.fleets)
        table.rows.push_back({fleet.label});
    const auto spreadOf = [](const uncertainty::RiskSpread &spread, const units::UnitSymbol &unit) {
        const auto range = spread.range();
        if (!(range.p10 < range.p90))
            return sizedCell(spread.likely, unit);
        return sizedCell(spread.likely, unit) + " (" + sizedCell(range.p10, unit) + " to " + sizedCell(range.p90, unit)
            + ")";
    };
    for (const auto figure : {RiskFigure::Days, RiskFigure::RunCost, RiskFigure::Capital}) {
        double largest = 0;
        for (const auto &fleet : risk.fleets)
            if (const auto &spread = fleet.spread(figure); spread && std::isfinite(spread->likely))
                largest = std::max(largest, spread->likely);
        const bool ofMoney = figure != RiskFigure::Days;
        const auto unit = ofMoney ? units::unitFor(largest, Dimension::Money)
                                  : units::UnitSymbol{{}, Dimension::Number, 1};
        table.columns.push_back(
            {std::string(titleOf(figure)) + (ofMoney ? " [" + std::string(unit.symbol) + "]" : ""), true});
        for (std::size_t i = 0; i < risk.fleets.size(); ++i) {
            const auto &spread = risk.fleets[i].spread(figure);
            table.rows[i].push_back(spread ? spreadOf(*spread, unit) : "-");
        }
    }
    const auto chances = [&](std::string_view title, auto chanceOf) {
        bool any = false;
        for (const auto &fleet : risk.fleets)
            any = any || chanceOf(fleet);
        if (!any)
            return;
        table.columns.push_back({std::string(title), true});
        for (std::size_t i = 0; i < risk.fleets.size(); ++i) {
            const std::optional<uncertainty::Chance> chance = chanceOf(risk.fleets[i]);
            table.rows[i].push_back(chance ? units::formatPercent(chance->share) : "-");
        }
    };
    chances("By the date", [](const uncertainty::FleetRisk &fleet) { return fleet.deadline; });
    chances("In budget", [](const uncertainty::FleetRisk &fleet) { return fleet.budget; });
    chances("Both", [](const uncertainty::FleetRisk &fleet) { return fleet.budget ? fleet.both : std::nullopt; });
    chances("Best in", [](const uncertainty::FleetRisk &fleet) { return std::optional(fleet.best); });
    return table;
}

} // namespace fleetwright::cli
