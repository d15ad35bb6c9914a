// SPDX-License-Identifier: GPL-3.0-or-later
// One figure of one fleet reads the same wherever it stands: in a decision, in the plan that is made of its answer, and
// in a comparison.
#include "exchange/exchangetesting.h"
#include "testing/registry.h"

#include "exchange/decisiondocuments.h"
#include "exchange/publishedcosts.h"
#include "exchange/rangedsolution.h"
#include "exchange/validationdata.h"
#include "solver/answer/comparisontext.h"
#include "solver/explain/planworking.h"
#include "solver/size/decisionpaper.h"
#include "solver/size/sizewords.h"
#include "solver/worksheet/fleettables.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace fleetwright;
using namespace exchangetesting;
using uncertainty::RiskFigure;

namespace {

/// Two nodes, bought and rented, and a base case that differs from an answer by its fabric.
constexpr const char *question = R"(fleetwright: 1
decision: "70B: buy or rent?"
jobs:
  - {name: Llama 3.1 70B, workload: llama3_1_70b, tokens: 15000000000000, training: {global_batch: 2048, seq_len: 8192, precision: bf16}}
candidates:
  nodes: [nvidia_dgx_h100, amd_mi300x_8gpu]
  sites: [{grid: country_us}]
  paying: [own, on_demand]
limits: {deadline_days: 30, max_facility_mw: 12}
objective: run_cost
base_case: {node: nvidia_dgx_h100, nodes: 1024, fabric: ib_ndr, grid: country_us}
cost_model: detailed
)";

struct Answered {
    DecisionDocument document;
    size::Result result;
    size::HowSure sure;
};

const Answered &answered()
{
    static const Answered known = [] {
        const auto rangeOf = [](const Plan &plan, Seconds stepTime) {
            return exchange::shippedRangeOf(plan, stepTime);
        };
        auto document = exchange::decisionFromText(question);
        if (!document)
            qFatal("%s", described(document.error()).constData());
        auto result = size::run(*document, shipped(), rangeOf);
        if (!result)
            qFatal("%s", described(result.error()).constData());
        auto sure = size::howSure(*document, shipped(), *result, rangeOf);
        if (!sure)
            qFatal("%s", described(sure.error()).constData());
        sure->money = exchange::shippedMoneyEvidence(shipped());
        return Answered{std::move(*document), std::move(*result), std::move(*sure)};
    }();
    return known;
}

Solution solved(const size::Answer &answer)
{
    const auto &[document, result, sure] = answered();
    const auto plan = resolve(size::planOf(document, result, answer, 0), shipped());
    return exchange::solveWithRange(*plan).value();
}

/// Numbers alone: what is said around them differs.
std::string digits(const std::string &text)
{
    std::string kept;
    for (const char c : text)
        kept += (c >= '0' && c <= '9') || c == '.' ? c : ' ';
    return QString::fromStdString(kept).simplified().toStdString();
}

const Figure &figure(const char *key) { return *findFigure(key); }

} // namespace

class TestOneMeaning : public QObject {
    Q_OBJECT

private slots:
    /// "Make a plan" shows the same likely value and the same range, to the last digit.
    void aPlanHasTheRangesOfItsDecision()
    {
        const auto &[document, result, sure] = answered();
        const auto fleets = result.compared();
        QVERIFY(fleets.size() > 2); // both nodes, and one paid for in the other way
        for (const auto *row : fleets) {
            const auto *risk = sure.of(result, row->answer);
            QVERIFY(risk);
            const auto solution = solved(row->answer);
            const auto same = [&](RiskFigure drawn, size::SizeLimit limit, const char *key) {
                const auto &spread = *risk->spread(drawn);
                const auto decided = digits(
                    size::rangeInWords(limit, spread.likely, spread.quantiles.p10, spread.quantiles.p90));
                const auto planned = digits(valueInWords(figure(key), solution));
                if (decided != planned)
                    qWarning("%s of %s: %s in the decision, %s in the plan", key, risk->label.c_str(), decided.c_str(),
                        planned.c_str());
                return decided == planned;
            };
            QVERIFY(same(RiskFigure::RunCost, size::SizeLimit::RunCost, "run_cost_usd"));
            QVERIFY(same(RiskFigure::Days, size::SizeLimit::Deadline, "run_time_s"));
            QVERIFY(same(RiskFigure::Capital, size::SizeLimit::Capital, "fleet_capital_usd"));
            QVERIFY(same(RiskFigure::OwnershipCost, size::SizeLimit::YearlyCost, "fleet_yearly_usd"));
            const auto &days = risk->spread(RiskFigure::Days)->quantiles;
            QVERIFY(days.p10 < days.p50 && days.p50 < days.p90);
        }
    }

    /// Eight draws in ten, as is said; the fleet's own page has the capital of a plan on it.
    void aRangeIsOfItsOwnDraws()
    {
        const auto &[document, result, sure] = answered();
        const auto plan = resolve(size::planOf(document, result, *result.best(), 0), shipped());
        const auto solution = solved(*result.best());
        const auto fleet = fleetCost((*plan)->fleet);
        QVERIFY(fleet);
        const auto ofFleet = fleet->range("capital_usd"), ofPlan = solution.costs->range("capital_usd");
        QVERIFY(ofFleet && ofPlan && ofFleet->low == ofPlan->low && ofFleet->high == ofPlan->high);
        QVERIFY(ofPlan->low < ofPlan->high);
        const auto entered = solution.costs->range("node_usd"); // of an entry what is entered
        const auto &figure = solution.costs->sheet().entries().figure(
            *solution.costs->sheet().sheet().find("node_usd"));
        QVERIFY(entered && figure && entered->low == *figure->low && entered->high == *figure->high);
        const auto years = solution.costs->range("expenses_usd", 2); // of a year, too
        QVERIFY(years && years->low < years->likely && years->likely < years->high);
    }

    /// What is rented takes no capital, in a plan and in a comparison as in the decision; its price says what it is.
    void whatIsRentedTakesNoCapital()
    {
        const auto &[document, result, sure] = answered();
        const auto rented = std::ranges::find_if(
            result.answers, [&](const auto &lot) { return result.lots[lot.answer.lot].paying.paying == Paying::Rent; });
        const auto &owned = *std::ranges::find_if(
            result.answers, [&](const auto &lot) { return result.lots[lot.answer.lot].paying.paying == Paying::Own; });
        QVERIFY(rented != result.answers.end());
        QCOMPARE(rented->answer.figures.capitalUsd, 0.0);
        const auto solution = solved(rented->answer);
        QCOMPARE(*figureOf(solution, "fleet_capital_usd"), 0.0);
        QVERIFY(!rangeOf(figure("fleet_capital_usd"), solution));
        QVERIFY(*figureOf(solution, "fleet_price_usd") > 1e8);
        QVERIFY(figure("fleet_price_usd").label.contains("were it bought"));
        QVERIFY(!figureOf(solved(owned.answer), "fleet_price_usd"));
        for (const auto *answer : {&rented->answer, &owned.answer}) { // tables of the fleet alone say which it is
            const auto fleet = resolve(size::fleetOf(result, *answer), shipped()).value();
            const auto label = std::string(answer == &owned.answer ? "Capital" : "Capital, were it bought");
            const auto sheet = fleetCost(fleet).value();
            QCOMPARE(billOfMaterials(fleet, sheet).back().label, label);
            QVERIFY(std::ranges::any_of(figuresOf(FleetSection::Capital, sheet),
                [&](const auto &line) { return line.key == "capital_usd" && line.label == label; }));
        }
        const auto comparison = compare({.plans = {size::planOf(document, result, rented->answer, 0),
                                             size::planOf(document, result, owned.answer, 0)},
                                            .modelIds = {"detailed"}},
            shipped());
        QVERIFY(comparison);
        const auto *capital = comparison->row("fleet_capital_usd");
        QCOMPARE(*capital->cells[0].value, 0.0);
        QVERIFY(*capital->cells[1].value > 1e8);
        const auto *explained = comparison->columns[0].explained("fleet_capital_usd");
        QVERIFY(explained && explained->source == "The fleet is rented and takes no capital.");
    }

    /// Electricity, purchase and the rest add up to the cost of the run; of what is rented it is in the rent.
    void electricityIsAPartOfTheRun()
    {
        const auto &[document, result, sure] = answered();
        for (const auto &lot : result.answers) {
            const auto solution = solved(lot.answer);
            const auto part = [&](const char *key) { return figureOf(solution, key).value_or(0); };
            const auto workings = PlanWorking(*resolve(size::planOf(document, result, lot.answer, 0), shipped()),
                size::planOf(document, result, lot.answer, 0), solution, std::make_shared<const Catalog>(shipped()));
            for (const auto *words : {"electric", "Electricity", "energy cost", "power cost"}) {
                const auto found = workings.matching(words);
                QVERIFY2(!found.empty() && workings.line(found.front()).label == "Electricity of the run", words);
                QCOMPARE(std::ranges::count_if(found,
                             [&](const auto &key) {
                                 return workings.line(key).value == workings.line(found.front()).value;
                             }),
                    1); // once
            }
            if (result.lots[lot.answer.lot].paying.paying == Paying::Rent) {
                QVERIFY(std::isnan(lot.answer.figures.electricityUsd));
                QCOMPARE(valueInWords(figure("run_electricity_usd"), solution), std::string("in the rent"));
                QVERIFY(reasonFor(figure("run_electricity_usd"), solution).contains("in the price of the rent"));
                continue;
            }
            const double run = part("run_cost_usd"), electricity = part("run_electricity_usd");
            QVERIFY(electricity > 0
                && std::abs(electricity + part("run_capital_usd") + part("run_upkeep_usd") - run) < 1e-9 * run);
            QVERIFY(std::abs(lot.answer.figures.electricityUsd - electricity) < 1e-6 * electricity);
            // No less than the run's energy at the tariff, and idle hours are not as much again.
            const double atTariff = *solution.costs->value("run_kwh") * *solution.costs->value("usd_per_kwh");
            QVERIFY(electricity > atTariff * (1 - 1e-9) && electricity < 2 * atTariff);
            QCOMPARE(explainRow(figure("run_electricity_usd"), solution)->key, std::string("run_electricity_usd"));
        }
    }

    /// Two fleets of one short name are told apart by what differs, and by nothing else.
    void oneNameIsOneFleet()
    {
        const auto &[document, result, sure] = answered();
        const auto same = std::ranges::find_if(result.answers, [&](const auto &lot) {
            return result.lots[lot.answer.lot].nodeId == "nvidia_dgx_h100"
                && result.lots[lot.answer.lot].paying.paying == Paying::Own;
        });
        QVERIFY(same != result.answers.end() && result.baseCase);
        const auto &fabric = result.lots[same->answer.lot].fabric;
        QVERIFY(fabric != "InfiniBand NDR"); // else the test is about nothing
        const auto row = size::shortFleetInWords(result, same->answer),
                   base = size::shortFleetInWords(result, *result.baseCase);
        QVERIFY2(row.ends_with(", owned, " + fabric), row.c_str());
        QVERIFY2(base.ends_with(", owned, InfiniBand NDR"), base.c_str());
        QVERIFY(!size::nodesInWords(result, same->answer).contains(fabric)); // a column of its own says it
        QVERIFY(std::ranges::any_of(sure.risk.fleets, [&](const auto &fleet) { return fleet.label == row; }));
        QVERIFY(std::ranges::any_of(
            sure.risk.fleets, [&](const auto &fleet) { return fleet.label == "base case: " + base; }));
        for (const auto &lot : result.answers) // nobody else reads like the base case
            if (&lot != &*same && result.lots[lot.answer.lot].nodeId != "nvidia_dgx_h100")
                QVERIFY(size::distinctionInWords(result, lot.answer).empty());
    }

    /// What ranges of money do not hold is said, with the error that was measured on published purchases and rents.
    void rangesOfMoneySayWhatTheyHold()
    {
        const auto &[document, result, sure] = answered();
        const auto validation = costs::validateCosts(*exchange::shippedPublishedCosts(), shipped());
        const auto summary = *std::ranges::find(
            validation.summaries, costs::CostKind::Purchase, &costs::CostSummary::kind);
        QCOMPARE(sure.money->purchases->count, summary.count);
        QCOMPARE(*sure.money->purchases->discounted, summary.medianDiscounted);
        const auto bought = costs::moneyRangeInWords(*sure.money, Paying::Own),
                   rented = costs::moneyRangeInWords(*sure.money, Paying::Rent);
        QVERIFY2(bought.contains("9 published purchases") && bought.contains("17.8\u00a0%")
                && bought.contains("37.7\u00a0%"),
            bought.c_str());
        QVERIFY2(rented.contains("1 published rental contract") && rented.contains("89.5\u00a0%"), rented.c_str());
        QCOMPARE(costs::moneyRangeInWords({}, Paying::Own).contains("published"), false);
        const auto own = result.lots[result.best()->lot].paying.paying == Paying::Own ? bought : rented;
        const auto words = size::howSureInWords(sure);
        QVERIFY(std::ranges::find(words, own) != words.end());
        const auto paper = size::paperOf(document, shipped(), result, &sure);
        QVERIFY2(
            paper.asked.front().ends_with("The range is that of prices: published purchases were missed by a median "
                                          "of 37.7\u00a0%, by 17.8\u00a0% with the discount of large buyers."),
            paper.asked.front().c_str());
        QVERIFY(costs::moneyRangeInShort(*sure.money, Paying::Rent).starts_with("Published rents were missed by 89.5"));
        QCOMPARE(costs::moneyRangeInShort({}, Paying::Own), std::string());
    }
};

FLEETWRIGHT_TEST(TestOneMeaning)
#include "tst_onemeaning.moc"
