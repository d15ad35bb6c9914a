// SPDX-License-Identifier: GPL-3.0-or-later
// The first two pages of a report: what to do, with its numbers, and why.
#include "charts/decisioncharts.h"
#include "reports/sections.h"
#include "reports/wording.h"
#include "solver/answer/comparison.h"
#include "solver/answer/constrainttitle.h"
#include "solver/size/decisionpaper.h"
#include "solver/size/sizewords.h"
#include "text/localized.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

using uncertainty::RiskFigure;
using units::Dimension;

namespace {

/// "25.9 (21.5 to 31.5)": likely, and eight draws in ten, in the column's unit; what is more than allowed is not to
/// read as if it were not.
QString rangedCell(double likely, const uncertainty::FleetRisk *risk, RiskFigure figure, double perUnit,
    double allowed = std::numeric_limits<double>::infinity())
{
    if (!std::isfinite(likely))
        return std::isnan(likely) ? absent() : tr("never");
    auto text = localized(size::daysBeside(likely / perUnit, allowed));
    const auto *spread = risk && risk->spread(figure) ? &*risk->spread(figure) : nullptr;
    if (spread && std::isfinite(spread->range().p90) && spread->range().p10 < spread->range().p90)
        text += tr(" (%1 to %2)")
                    .arg(localized(units::threeDigits(spread->range().p10 / perUnit)),
                        localized(units::threeDigits(spread->range().p90 / perUnit)));
    return text;
}

QString chanceCell(const DecisionDocument &document, const size::PaperOption &option, NotedCells &cells)
{
    if (!option.answer)
        return std::isinf(option.figures.days) ? u"0 %"_s : absent();
    const double chance = option.figures.deadlineChance;
    if (std::isnan(chance))
        return absent();
    const auto text = localized(size::chanceInWords(chance));
    return document.limits.deadlineChance || (option.risk && option.risk->deadline) // chosen by draws, or drawn
        ? text
        : cells.with(text, {"not drawn: from the range of the step time alone"});
}

Table optionsTable(const DecisionDocument &document, const size::DecisionPaper &paper)
{
    constexpr double million = 1e6;
    Table table{tr("Options. Money in millions of US dollars; ranges hold eight draws in ten."),
        {tr("Option"), tr("Capital"), tr("Cost of the jobs"), tr("Cost of a year"), tr("Days")}, {},
        {false, true, true, true, true}};
    NotedCells cells(table);
    const bool hasDate = document.limits.plan.deadline.has_value();
    const double allowedDays = hasDate ? document.limits.plan.deadline->value() / (1.0 * day).value()
                                       : std::numeric_limits<double>::infinity();
    if (hasDate) {
        table.header << tr("In %1").arg(localized(size::statedInWords({size::SizeLimit::Deadline, allowedDays})));
        table.rightAligned.push_back(true);
    }
    table.header << tr("Power [MW]") << tr("Note");
    table.rightAligned.insert(table.rightAligned.end(), {true, false});
    for (std::size_t i = 0; i < paper.options.size(); ++i) {
        const auto &option = paper.options[i];
        const auto &figures = option.figures;
        QStringList row{localized(option.name)};
        row << rangedCell(figures.capitalUsd, option.risk, RiskFigure::Capital, million)
            << rangedCell(figures.runCostUsd, option.risk, RiskFigure::RunCost, million)
            << rangedCell(figures.yearlyUsd, option.risk, RiskFigure::OwnershipCost, million)
            << rangedCell(figures.days, option.risk, RiskFigure::Days, 1, allowedDays);
        if (hasDate)
            row << chanceCell(document, option, cells);
        row << rangedCell(figures.facilityWatts, nullptr, RiskFigure::Days, million) << localized(option.note);
        table.rows.push_back(std::move(row));
        if (option.role == size::PaperOption::Role::Recommended)
            table.strongRows.push_back(i);
    }
    return table;
}

/// The source and date of each price that the bill has in a line of the capital.
std::vector<std::string> pricesBehind(std::string_view line, const std::vector<FleetBillLine> &bill)
{
    std::vector<std::string> said;
    for (const auto &of : bill) {
        if (of.part != line || of.priceKey.empty() || datedSource(of).empty() || of.amount.value_or(0) == 0)
            continue;
        const bool isNamed = of.item.empty() || of.source.starts_with(of.item);
        auto text = (isNamed ? "" : of.item + ": ") + datedSource(of);
        if (std::ranges::find(said, text) == said.end())
            said.push_back(std::move(text));
    }
    return said;
}

/// Capital by line with where its prices are from. `drawn`: of the fleet's capital, where that is all of the answer's.
Table capitalTable(const PricedFleet &priced, const uncertainty::RiskSpread *drawn)
{
    Table table{tr("Where the capital goes: %1").arg(priced.name), {tr("Line"), tr("Amount"), tr("Share")}, {},
        {false, true, true}};
    NotedCells cells(table);
    const auto bill = billOfMaterials(priced.fleet, priced.sheet);
    for (const auto &line : figuresOf(FleetSection::Capital, priced.sheet)) {
        if (!line.value || line.unit != "USD" || (line.value->likely == 0 && !line.isTotal))
            continue;
        auto value = localized(rangeText(line));
        std::string source;
        for (const auto &price : pricesBehind(line.key, bill))
            source += (source.empty() ? "" : "; ") + price;
        if (line.isTotal) {
            table.strongRows.push_back(table.rows.size());
            if (drawn) {
                const auto range = drawn->range();
                value = localized(size::rangeInWords(size::SizeLimit::Capital, drawn->likely, range.p10, range.p90));
                source =
                    "lines and total: at least eight draws in ten, and the likely value; each is drawn as a whole, so "
                    "the ends of the lines do not add up to those of the total";
            }
        }
        table.rows.push_back({localized(line.label), cells.with(value, {source, line.note}),
            line.share ? localized(units::formatPercent(*line.share)) : QString()});
    }
    return table;
}

/// What a rented fleet costs, and from which use or price on buying would be cheaper.
Table rentTable(const PricedFleet &priced)
{
    Table table{tr("What the rent costs: %1").arg(priced.name), {tr("Figure"), tr("Value")}, {}, {false, true}};
    NotedCells cells(table);
    for (const auto &line : figuresOf(FleetSection::Rent, priced.sheet)) {
        const bool isOfRent = line.key.starts_with("rent_") || line.key.starts_with("breakeven_");
        if (line.value && isOfRent)
            table.rows.push_back(
                {localized(line.label), cells.with(localized(rangeText(line)), {line.source, line.note})});
    }
    return table;
}

QString frontCaption(const DecisionDocument &document)
{
    return tr("Every fleet by %1 and %2: less is better in both. The line joins those that none beats in both.")
        .arg(localized(words(document.front[0])), localized(words(document.front[1])));
}

/// What is drawn, and in a sentence what it says.
ChartPicture saidPicture(const QString &what, charts::ChartContent content, bool isSpare = false)
{
    auto said = content.description;
    if (!said.isEmpty())
        said[0] = said[0].toUpper();
    return {said.isEmpty() ? what : what + u". "_s + said, std::move(content), isSpare};
}

void appendRiskCharts(Elements &elements, const ReportDecision &decision, const uncertainty::FleetRisk &fleet)
{
    constexpr std::size_t mostInputs = 5; // with their whole names
    const auto &risk = decision.sure->risk;
    const bool isBest = decision.result->best() != nullptr;
    if (const auto inputs = std::min(mostInputs, fleet.tornado(risk.objective).size()); inputs > 0)
        elements.push_back(
            saidPicture((isBest ? tr("What each of %1 inputs, from its lowest to its highest, does to the recommended "
                                     "fleet")
                                : tr("What each of %1 inputs, from its lowest to its highest, does to the fleet that "
                                     "comes closest"))
                            .arg(inputs),
                charts::tornadoChart(risk, fleet, risk.objective, mostInputs), true)); // words and ranges say it, too
    const auto stated = size::statedLimits(decision.document);
    const auto deadline = std::ranges::find(stated, size::SizeLimit::Deadline, &size::StatedLimit::limit);
    elements.push_back(saidPicture((isBest ? tr("Days of the recommended fleet in %1 draws")
                                           : tr("Days of the fleet that comes closest in %1 draws"))
                                       .arg(localized(units::format(double(risk.draws), Dimension::Number))),
        charts::riskHistogramChart(
            fleet, RiskFigure::Days, deadline == stated.end() ? std::nullopt : std::optional(deadline->value)),
        true));
}

void appendDecisionCharts(
    Elements &elements, const ReportDecision &decision, const std::vector<PricedFleet> &fleets, const Catalog &catalog)
{
    const auto &result = *decision.result;
    const auto *answer = result.answers.empty() ? nullptr : &result.answers.front().answer;
    const auto *winner = decision.sure ? decision.sure->of(0) : nullptr;
    elements.push_back(PageBreak{});
    elements.push_back(Heading{2, tr("Why")});
    const auto *drawn = winner && answer && !answer->second && winner->spread(RiskFigure::Capital)
        ? &*winner->spread(RiskFigure::Capital)
        : nullptr;
    for (const auto &fleet : fleets)
        if (fleet.isWinner)
            elements.push_back(fleet.isRented() ? rentTable(fleet) : capitalTable(fleet, drawn));
    elements.push_back(ChartPicture{frontCaption(decision.document),
        charts::decisionFrontChart(result,
            {.axes = decision.document.front,
                .limits = size::statedLimits(decision.document),
                .selected = {},
                .picked = {}})});
    if (std::ranges::any_of(fleets, &PricedFleet::isWinner)) {
        const auto *compared = decision.sure && decision.sure->buyOrRent ? &*decision.sure->buyOrRent : nullptr;
        elements.push_back(
            ChartPicture{tr("What each way has cost by each month, in present value of what is paid by the month. The "
                            "legend says from which month on one has cost less than another."),
                charts::moneyChart(charts::decisionCurves(result, compared, catalog))});
        if (compared && !compared->first.empty())
            elements.push_back(Paragraph{localized(compared->first.back())});
    }
    if (winner)
        appendRiskCharts(elements, decision, *winner);
}

/// What is signed for beyond the capital; of a rent the first page says it already.
QString commitmentInWords(const std::vector<PricedFleet> &fleets)
{
    const auto winner = std::ranges::find_if(fleets, &PricedFleet::isWinner);
    if (winner == fleets.end() || winner->isRented() || std::ranges::count_if(fleets, &PricedFleet::isWinner) != 1)
        return {};
    const auto present = winner->sheet.range("present_cost_usd");
    const auto life = winner->sheet.value("life_years");
    if (!present || !life)
        return {};
    return tr("With that goes the running cost: over a life of %1 buying and running it costs %2 in present value "
              "of what is paid at the end of each year, what it is sold for in the end taken off.")
        .arg(localized(valueText(*life, *life == 1 ? "year" : "years")), localized(rangeText(*present, "USD")));
}

/// With the assumption that carries the cost of the jobs.
QString whatCostsCount(const std::vector<PricedFleet> &fleets)
{
    const auto text = tr("Cost of a year: capital spread over the life, and running cost, or the rent. Cost of "
                         "the jobs: their share of it while they run; idle time makes each dearer.");
    const auto winner = std::ranges::find_if(fleets, &PricedFleet::isWinner);
    const auto used = winner == fleets.end() ? std::nullopt : winner->sheet.value("utilisation");
    return used ? tr("%1 Utilisation: %2.").arg(text, localized(units::formatPercent(*used))) : text;
}

/// Whether somebody has offered what is to be bought, or where its price is from.
QString priceInWords(const ReportDecision &decision, const std::vector<PricedFleet> &fleets)
{
    const auto winner = std::ranges::find_if(fleets, &PricedFleet::isWinner);
    const auto *best = decision.result->best();
    if (!best || winner == fleets.end() || winner->isRented() || !decision.result->lots[best->lot].label.empty())
        return {};
    const auto entries = entriesOf(winner->document, winner->fleet, winner->sheet);
    const auto price = std::ranges::find(entries, "node_usd", &FleetEntryLine::key);
    if (price == entries.end() || !price->value || price->origin != EntryOrigin::OfCatalog)
        return {};
    const SheetRange range{price->low.value_or(*price->value), *price->value, price->high.value_or(*price->value)};
    return tr("A binding offer for the nodes, priced at %1: nobody has made one.")
        .arg(localized(rangeText(range, price->unit)));
}

void appendDecisionAnswer(
    Elements &elements, const ReportDecision &decision, const ReportSubject &subject, const Catalog &catalog)
{
    const auto paper = size::paperOf(decision.document, catalog, *decision.result, decision.sure.get());
    elements.push_back(Heading{1, tr("Recommendation")});
    elements.push_back(Note{localized(paper.recommendation)});
    if (!paper.decides.empty())
        elements.push_back(Paragraph{localized(paper.decides)});
    if (!paper.alternative.empty())
        elements.push_back(Paragraph{localized(paper.alternative)});
    if (!paper.risks.empty()) { // beside what is recommended: whoever reads no further has read them
        elements.push_back(Heading{2, tr("What may go wrong")});
        elements.push_back(bulletsOf(paper.risks));
    }
    elements.push_back(Heading{2, tr("What else there is")});
    elements.push_back(optionsTable(decision.document, paper));
    const auto fleets = pricedFleets(subject, catalog);
    elements.push_back(Paragraph{whatCostsCount(fleets)});
    if (!paper.asked.empty()) {
        auto asked = bulletsOf(paper.asked);
        const auto since = sinceApproval(decision);
        const bool isApproved = decision.result->best() != nullptr; // else what has to change first
        if (const auto committed = commitmentInWords(fleets); isApproved && !committed.isEmpty())
            asked.items.insert(1, committed);
        if (const auto price = priceInWords(decision, fleets); !price.isEmpty())
            asked.items << price;
        if (isApproved && decision.sure && decision.sure->measured && !decision.sure->measured->isValidated()
            && decision.sure->measured->ownRunsSame == 0)
            asked.items << (paper.decides.empty()
                    ? tr("Before the order: a measured run of these jobs on a few of these nodes. Runs of the own "
                         "site take the place of what nobody has measured.")
                    : tr("Before the order: a measured run of these jobs on a few of these nodes."));
        if (isApproved && !since.isEmpty())
            asked.items.prepend(
                tr("A new approval: one was given on %1. %2")
                    .arg(writtenDay(QDateTime::fromString(utf8(decision.approved->when), Qt::ISODate).toUTC(), false),
                        since));
        elements.push_back(Heading{2, tr("What is asked")});
        elements.push_back(std::move(asked));
    }
    if (!paper.reasons.empty()) {
        elements.push_back(Heading{2, tr("In words")});
        elements.push_back(bulletsOf(paper.reasons));
    }
    appendDecisionCharts(elements, decision, fleets, catalog);
}

struct RankedPlan {
    const ReportPlan *plan = nullptr;
    std::size_t number = 0; ///< from 1, as in the tables
    double cost = 0, days = 0; ///< infinity: not known
};

double knownOr(const std::optional<double> &value, double otherwise) { return value.value_or(otherwise); }

/// Plans that keep their limits, the cheapest run first, where no cost is known the shortest.
std::vector<RankedPlan> ranked(const std::vector<ReportPlan> &plans)
{
    constexpr double unknown = std::numeric_limits<double>::infinity();
    std::vector<RankedPlan> found;
    for (std::size_t i = 0; i < plans.size(); ++i)
        if (const auto &solution = plans[i].solution; standingOf(solution) == Standing::Keeps)
            found.push_back({&plans[i], i + 1, knownOr(figureOf(*solution, "run_cost_usd"), unknown),
                knownOr(figureOf(*solution, "run_time_s"), unknown)});
    std::ranges::stable_sort(found, {}, [](const RankedPlan &plan) { return std::pair(plan.cost, plan.days); });
    return found;
}

QString figureCell(const Solution &solution, std::string_view key)
{
    const auto value = figureOf(solution, key), likely = likelyFigureOf(solution, key);
    const auto &figure = figureNamed(key);
    if (likely != value)
        return localized(figureText(likely, figure.dimension));
    return value ? localized(valueInWords(figure, solution)) : absent();
}

/// Plans of which nobody knows whether they keep their limits, with the limit.
BulletList undecided(const std::vector<ReportPlan> &plans)
{
    BulletList list;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (standingOf(plans[i].solution) != Standing::Undecided)
            continue;
        const auto &trace = plans[i].solution->trace;
        const auto open = std::ranges::find(trace, false, &TraceEntry::decided);
        list.items << u"%1  %2: %3"_s.arg(i + 1).arg(utf8(plans[i].document.name),
            open == trace.end() ? tr("its cost model knows no memory") : localized(open->sentence));
    }
    return list;
}

void appendPlansAnswer(Elements &elements, const std::vector<ReportPlan> &plans)
{
    constexpr std::size_t mostOptions = 4; // one row is left for doing nothing
    const auto best = ranked(plans);
    auto notDecided = undecided(plans);
    const bool allAreJudged = notDecided.items.isEmpty();
    elements.push_back(Heading{1, tr("Recommendation")});
    if (best.empty() && !allAreJudged) {
        elements.push_back(Note{plans.size() == 1
                ? tr("Whether the plan keeps its limits is not decided, so it is not recommended: see below.")
                : tr("No plan is known to keep its limits, so none is recommended: see below what is not decided.")});
    } else if (best.empty()) {
        elements.push_back(Note{plans.size() == 1 ? tr("The plan cannot be recommended: see below what binds it.")
                                                  : tr("None of the plans can be recommended: see below what binds.")});
    } else {
        const auto &first = best.front();
        const auto &solution = *first.plan->solution;
        QStringList parts;
        for (const auto key : {"run_time_s", "run_cost_usd", "fleet_capital_usd", "facility_power_w"})
            if (figureOf(solution, key))
                parts << labelOf(figureNamed(key)) + u' ' + figureCell(solution, key);
        const bool byCost = std::isfinite(first.cost), byDays = std::isfinite(first.days);
        const auto name = utf8(first.plan->document.name);
        const auto figures = parts.isEmpty() ? QString() : u": "_s + parts.join(u", "_s);
        if (!allAreJudged)
            elements.push_back(Note{tr("Of %1 plans %2 are known to keep their limits. Of others this is not decided, "
                                       "so none is recommended over them.")
                                        .arg(plans.size())
                                        .arg(best.size())});
        else if (best.size() == 1)
            elements.push_back(Note{tr("%1%2.").arg(name, figures)});
        else if (!runsCompare(plans))
            elements.push_back(
                Note{tr("%1 of %2 plans break no limit. They do not all train the same by one cost model, so "
                        "none is recommended over the others.")
                         .arg(best.size())
                         .arg(plans.size())});
        else if (byCost || byDays)
            elements.push_back(Note{(byCost ? tr("Of %1 plans that break no limit %2 costs least%3.")
                                            : tr("Of %1 plans that break no limit %2 is done first%3."))
                                        .arg(best.size())
                                        .arg(name, figures)});
        else
            elements.push_back(
                Note{tr("%1 plans break no limit; neither cost nor days of a run are known of any: state the "
                        "tokens to train on.")
                         .arg(best.size())});
        Table table{byCost ? tr("Plans that break no limit, the cheapest run first")
                           : tr("Plans that break no limit, the shortest run first"),
            {tr("#"), tr("Plan"), tr("Run"), tr("Cost of the run"), tr("Power"), tr("MFU")}, {},
            {true, false, true, true, true, true}};
        for (std::size_t i = 0; i < best.size() && i < mostOptions; ++i) {
            const auto &of = *best[i].plan->solution;
            table.rows.push_back(
                {QString::number(best[i].number), utf8(best[i].plan->document.name), figureCell(of, "run_time_s"),
                    figureCell(of, "run_cost_usd"), figureCell(of, "facility_power_w"), figureCell(of, "mfu")});
        }
        table.rows.push_back({QString(), tr("Do nothing"), tr("never"), u"0"_s, u"0"_s, absent()});
        if (allAreJudged && runsCompare(plans))
            table.strongRows = {0};
        elements.push_back(std::move(table));
        if (best.size() > mostOptions)
            elements.push_back(
                Paragraph{tr("%1 more feasible plans stand in the comparison.").arg(best.size() - mostOptions)});
    }
    BulletList others;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const auto name = u"%1  %2"_s.arg(i + 1).arg(utf8(plans[i].document.name));
        if (!plans[i].solution) {
            others.items << tr("%1: refused. %2").arg(name, plainWords(plans[i].solution.error().message));
            continue;
        }
        if (standingOf(plans[i].solution) != Standing::Breaks)
            continue;
        QStringList misses;
        for (const auto &entry : plans[i].solution->trace)
            if (entry.decided && !entry.holds)
                misses << localized(missInWords(entry));
        others.items << tr("%1: %2").arg(name, misses.join(u"; "_s));
    }
    constexpr qsizetype mostOthers = 8;
    if (const auto left = others.items.size() - mostOthers; left > 0) {
        others.items.resize(mostOthers);
        others.items << tr("%1 more, as the comparison says").arg(left);
    }
    if (!allAreJudged) {
        elements.push_back(Heading{2, tr("Not decided")});
        elements.push_back(std::move(notDecided));
    }
    if (!others.items.isEmpty()) {
        elements.push_back(Heading{2, tr("Not feasible")});
        elements.push_back(std::move(others));
    }
    appendCharts(elements, plans);
}

} // namespace

std::vector<PricedFleet> pricedFleets(const ReportSubject &subject, const Catalog &catalog)
{
    std::vector<PricedFleet> fleets;
    const auto add = [&](const QString &name, const FleetDocument &document, bool isWinner) {
        const auto fleet = resolve(document, catalog);
        const bool isThere = !fleet
            || std::ranges::any_of(fleets, [&](const PricedFleet &of) { return of.fleet == *fleet; });
        if (isThere)
            return;
        if (auto sheet = fleetCost(*fleet))
            fleets.push_back({name, document, *fleet, std::move(*sheet), isWinner});
    };
    if (subject.decision) {
        const auto &result = *subject.decision->result;
        const auto addAnswer = [&](const size::Answer &answer, bool isWinner) {
            const auto &lot = result.lots[answer.lot];
            const auto second = size::secondFleetOf(result, answer);
            add(localized(second ? size::fleetInWords(lot, answer.nodes) : size::shortFleetInWords(result, answer)),
                size::fleetOf(result, answer), isWinner);
            if (second)
                add(localized(size::fleetInWords(result.lots[answer.second->lot], answer.second->nodes)), *second,
                    isWinner);
        };
        if (!result.answers.empty())
            addAnswer(result.answers.front().answer, true);
        if (subject.set.audience == Audience::Finance) // who asks what the first page offers instead
            for (const auto compared = result.compared(); const auto *row : compared)
                if (row->answer.isFeasible()
                    && (row == compared[std::min<std::size_t>(1, compared.size() - 1)]
                        || row == result.paidOtherwise()))
                    addAnswer(row->answer, false);
        if (result.baseCase)
            addAnswer(*result.baseCase, false);
        return fleets;
    }
    for (const auto &plan : subject.plans)
        if (plan.plan)
            add(utf8(plan.document.name), plan.document.fleet, false);
    return fleets;
}

void appendAnswer(Elements &elements, const ReportSubject &subject, const Catalog &catalog)
{
    if (subject.decision)
        appendDecisionAnswer(elements, *subject.decision, subject, catalog);
    else
        appendPlansAnswer(elements, subject.plans);
}

} // namespace fleetwright::reports
