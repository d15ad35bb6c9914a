// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/comparison.h"
#include "solver/answer/scorecard.h"
#include "solver/formula.h"
#include "solver/sampleplan.h"
#include "testing/registry.h"
#include "text/utf8.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace fleetwright;

namespace {

AcceleratorFacts pricedAccelerator()
{
    auto facts = sampleplan::accelerator();
    facts.purchasePrice = 30000.0 * dollar;
    facts.embodiedCarbon = KilogramsCo2e::from_value(164);
    return facts;
}

/// Everything known: price, TDP, embodied carbon, site.
PlanFacts knownPlan()
{
    auto fleet = sampleplan::fleet(sampleplan::node(pricedAccelerator()));
    fleet.site.pue = 1.25;
    fleet.site.wue = WaterIntensity::from_value(0.5 / 3.6e6);
    fleet.site.carbonIntensity = CarbonIntensity::from_value(0.4 / 3.6e6);
    fleet.site.energyPrice = 0.08 * dollarPerKilowattHour;
    return sampleplan::plan(fleet);
}

Solution solved(const PlanFacts &facts)
{
    const auto solution = solve(Plan::create(facts).value());
    if (!solution)
        qFatal("%s", solution.error().message.c_str());
    return *solution;
}

std::string reason(const Solution &solution, const char *key) { return std::string(reasonForAbsence(solution, key)); }

} // namespace

class OperationsTest : public QObject {
    Q_OBJECT
private slots:
    void figuresByHand();
    void everyFigureIsThereOrSaysWhy_data();
    void everyFigureIsThereOrSaysWhy();
    void unknownSiteUsesAssumptions();
    void editedAssumptionsCount();
    void assumptionsAreChecked_data();
    void assumptionsAreChecked();
    void everyAssumptionDescribesItself();
    void explanationsFollowFromTheirInputs();
    void hopelessFleet();
    void scorecards_data();
    void scorecards();
    void levels();
};

void OperationsTest::figuresByHand()
{
    const auto solution = solved(knownPlan());
    const auto &figures = solution.operations;
    const double hours = double(*solution.run.duration / hour);
    const double years = hours / (365 * 24);
    const double it = 256 * 0.7 * (0.3 + 0.7 * *solution.estimate.hfu) * hours; // kWh
    const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); };
    QVERIFY(near(*figures.itEnergy / kilowattHour, it));
    QVERIFY(near(*figures.facilityEnergy / kilowattHour, it * 1.25));
    QVERIFY(near(figures.operationalCarbon->value(), it * 1.25 * 0.4));
    QVERIFY(near(figures.embodiedCarbon->value(), 256 * 164));
    QVERIFY(near(figures.water->value(), it * 0.5));
    QVERIFY(near(figures.capital->value(), 256 * 30000.0 / 3 * years));
    QVERIFY(near(figures.upkeep->value(), 256 * 30000.0 * 0.05 * years));
    QVERIFY(near(figures.energyCost->value(), it * 1.25 * 0.08));
    QVERIFY(near(figures.ownedCost->value(), (*figures.capital + *figures.upkeep + *figures.energyCost).value()));
    QVERIFY(near(figures.ownedPerMillionTokens->value(), figures.ownedCost->value() / 15e6));
    const double hour256 = 256 * *solution.costs->value("levelised_nominal_usd");
    QVERIFY(near(figures.perMillionTokens->value(), hour256 * solution.run.duration->value() / 3600 / 15e6));
    QVERIFY(near(*figures.nodeMtbf / hour, 1 / (8 / 50e3 + 8 / 150e3 + 2 / 100e3)));
    QVERIFY(near(figures.fleetMtbf->value(), figures.nodeMtbf->value() / 32));
    QVERIFY(near(figures.checkpointTime->value(), 70.6 * 14 / 32));
    QVERIFY(!figures.checkpointSlow);
    QVERIFY(near(figures.checkpointInterval->value(),
        std::sqrt(2 * figures.checkpointTime->value() * figures.fleetMtbf->value())));
    QVERIFY(near(*figures.expectedFailures, *solution.run.duration / *figures.fleetMtbf));
    QVERIFY(near(figures.durationWithFailures->value(), solution.run.duration->value() / *figures.goodput));
    QVERIFY(*figures.goodput > 0.95 && *figures.goodput < 1);
    QCOMPARE(*figures.computeOptimalTokens, 20 * 70.6e9);
    QVERIFY(figures.missing.empty());
}

void OperationsTest::everyFigureIsThereOrSaysWhy_data()
{
    QTest::addColumn<QString>("unknown");
    QTest::addColumn<QStringList>("absent");
    QTest::addColumn<QString>("says");
    QTest::newRow("nothing") << QString() << QStringList() << QString();
    QTest::newRow("token budget") << QStringLiteral("tokens")
                                  << QStringLiteral(
                                         "it_energy_j energy_j operational_carbon_kg water_l energy_cost_usd "
                                         "capital_usd upkeep_usd tco_usd "
                                         "tco_usd_per_million_tokens expected_failures duration_with_failures_s")
                                         .split(u' ')
                                  << QStringLiteral("token budget");
    QTest::newRow("tdp")
        << QStringLiteral("tdp")
        << QStringLiteral(
               "it_energy_j energy_j operational_carbon_kg water_l energy_cost_usd tco_usd tco_usd_per_million_tokens")
               .split(u' ')
        << QStringLiteral("TDP");
    QTest::newRow("price") << QStringLiteral("price")
                           << QStringLiteral("capital_usd upkeep_usd tco_usd tco_usd_per_million_tokens").split(u' ')
                           << QStringLiteral("purchase price");
    QTest::newRow("price of the node") << QStringLiteral("node")
                                       << QStringList{QStringLiteral("cost_usd_per_million_tokens")}
                                       << QStringLiteral("as it is paid for");
    QTest::newRow("embodied carbon") << QStringLiteral("embodied") << QStringList{QStringLiteral("embodied_carbon_kg")}
                                     << QStringLiteral("embodied carbon");
    QTest::newRow("grid") << QStringLiteral("grid") << QStringList{QStringLiteral("operational_carbon_kg")}
                          << QStringLiteral("choose a grid");
    QTest::newRow("experts") << QStringLiteral("experts") << QStringList{QStringLiteral("compute_optimal_tokens")}
                             << QStringLiteral("dense");
}

void OperationsTest::everyFigureIsThereOrSaysWhy()
{
    QFETCH(const QString, unknown);
    QFETCH(const QStringList, absent);
    QFETCH(const QString, says);
    auto accelerator = pricedAccelerator();
    if (unknown == QStringLiteral("tdp"))
        accelerator.tdp.reset();
    if (unknown == QStringLiteral("price"))
        accelerator.purchasePrice.reset();
    if (unknown == QStringLiteral("embodied"))
        accelerator.embodiedCarbon.reset();
    auto fleet = sampleplan::fleet(sampleplan::node(accelerator));
    if (unknown == QStringLiteral("node")) {
        fleet.costs.paying = Paying::Rent;
        std::erase_if(fleet.costs.figures, [](const CostFigure &f) { return f.entry == "rent_usd_per_hour"; });
    }
    fleet.site.carbonIntensity = CarbonIntensity::from_value(0.4 / 3.6e6);
    if (unknown == QStringLiteral("grid"))
        fleet.site.carbonIntensity.reset();
    auto workload = sampleplan::workload();
    if (unknown == QStringLiteral("tokens"))
        workload.trainingTokens.reset();
    if (unknown == QStringLiteral("experts")) {
        workload.family = WorkloadFamily::MixtureOfExperts;
        workload.experts = 8;
        workload.expertsPerToken = 2;
    }
    const auto solution = solved(sampleplan::plan(fleet, workload));
    for (const auto &figure : allFigures()) {
        if (!isOperation(figure))
            continue;
        const auto key = utf8(figure.key);
        const auto why = QString::fromStdString(reason(solution, key.toUtf8().constData()));
        QCOMPARE(figure.value(solution).has_value(), !absent.contains(key));
        QCOMPARE(why.isEmpty(), !absent.contains(key));
        if (absent.contains(key))
            QVERIFY2(why.contains(says), qPrintable(key + QStringLiteral(": ") + why));
    }
}

void OperationsTest::unknownSiteUsesAssumptions()
{
    const auto solution = solved(sampleplan::plan(sampleplan::fleet(sampleplan::node(pricedAccelerator()))));
    const auto &figures = solution.operations;
    QCOMPARE(double(*figures.facilityEnergy / *figures.itEnergy), 1.25); // the worksheet's: one PUE everywhere
    QCOMPARE(double(*figures.water / Litres::from_value(1)), double(*figures.itEnergy / kilowattHour) * 1.8);
    QCOMPARE(figures.energyCost->value(), double(*figures.facilityEnergy / kilowattHour) * 0.12);
}

void OperationsTest::editedAssumptionsCount()
{
    auto facts = knownPlan();
    const auto before = solved(facts);
    facts.assumptions.edited["operations.amortization_years"] = 6.0;
    facts.assumptions.edited["operations.accelerator_mttf"] = 25000.0;
    facts.assumptions.edited["operations.pue"] = 2.0; // the facility's own counts
    const auto after = solved(facts);
    QCOMPARE(after.operations.capital->value(), before.operations.capital->value() / 2);
    QVERIFY(*after.operations.fleetMtbf < *before.operations.fleetMtbf);
    QCOMPARE(after.operations.facilityEnergy->value(), before.operations.facilityEnergy->value());
    QCOMPARE(after.estimate.stepTime->value(), before.estimate.stepTime->value());
}

void OperationsTest::assumptionsAreChecked_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<double>("value");
    QTest::addColumn<int>("code");
    QTest::newRow("unknown key") << QStringLiteral("operations.nonsense") << 1.0 << int(ErrorCode::UnknownReference);
    QTest::newRow("unknown table") << QStringLiteral("logistics.pue") << 1.0 << int(ErrorCode::UnknownReference);
    QTest::newRow("pue below 1") << QStringLiteral("operations.pue") << 0.5 << int(ErrorCode::OutOfRange);
    QTest::newRow("no amortization") << QStringLiteral("operations.amortization_years") << 0.0
                                     << int(ErrorCode::OutOfRange);
    QTest::newRow("not a number") << QStringLiteral("operations.recovery") << std::nan("")
                                  << int(ErrorCode::OutOfRange);
}

void OperationsTest::assumptionsAreChecked()
{
    QFETCH(const QString, key);
    QFETCH(const double, value);
    QFETCH(const int, code);
    auto facts = knownPlan();
    facts.assumptions.edited[key.toStdString()] = value;
    const auto solution = solve(Plan::create(facts).value());
    QVERIFY(!solution);
    QCOMPARE(int(solution.error().code), code);
    QCOMPARE(solution.error().field, "assumptions." + key.toStdString());
}

void OperationsTest::everyAssumptionDescribesItself()
{
    QVERIFY(operationsAssumptions().size() > 10);
    for (const auto &descriptor : operationsAssumptions()) {
        QVERIFY(descriptor.key.starts_with("operations."));
        QVERIFY(!descriptor.label.empty() && !descriptor.description.empty() && !descriptor.source.empty()
            && !descriptor.group.empty());
        const double value = std::get<double>(descriptor.defaultValue);
        QVERIFY2(value >= descriptor.minimum && value <= descriptor.maximum, descriptor.key.c_str());
        Assumptions same;
        same.edited[descriptor.key] = descriptor.defaultValue;
        QVERIFY(check(same, operationsAssumptions()).has_value());
    }
    QCOMPARE(
        std::get<double>(findAssumption(operationsAssumptions(), "operations.electricity_price")->defaultValue), 0.12);
    QCOMPARE(std::get<double>(findAssumption(operationsAssumptions(), "operations.accelerator_mttf")->defaultValue),
        50000.0);
    QCOMPARE(std::get<double>(findAssumption(operationsAssumptions(), "operations.wue")->defaultValue), 1.8);
}

/// Every figure is explained with its own value, which follows by hand from the inputs that stand there.
void OperationsTest::explanationsFollowFromTheirInputs()
{
    for (const auto &facts :
        {knownPlan(), sampleplan::plan(sampleplan::fleet(sampleplan::node(pricedAccelerator())))}) {
        const auto plan = Plan::create(facts).value();
        const auto solution = solved(facts);
        const auto figures = explainRun(plan, solution);
        std::map<std::string, double, std::less<>> known{{"tokens_per_s", *solution.estimate.tokensPerSecond},
            {"hfu", *solution.estimate.hfu}, {"bubble_time_s", solution.estimate.bubbleTime->value()},
            {"step_time_s", solution.estimate.stepTime->value()},
            {"memory.total_bytes", solution.estimate.memory->total.value()}};
        for (const auto &figure : figures) {
            for (const auto &input : figure.inputs) {
                const auto found = known.find(input.origin);
                if (found != known.end())
                    QVERIFY2(found->second == input.value, (figure.key + ": " + input.symbol).c_str());
                else
                    QVERIFY2(input.origin.find('.') != std::string::npos || input.origin == "published constant",
                        (figure.key + ": " + input.origin).c_str());
            }
            testing::Formula formula(figure);
            const double again = formula.value();
            QVERIFY2(std::abs(again - figure.value) <= 1e-11 * std::abs(figure.value),
                (figure.key + ": " + figure.formula).c_str());
            QCOMPARE(formula.unused(), std::string());
            QVERIFY(!figure.source.empty());
            known.emplace(figure.key, figure.value);
        }
        for (const auto &figure : allFigures())
            if (const auto value = isOperation(figure) ? figure.value(solution) : std::nullopt)
                QVERIFY2(known.contains(figure.key) && known.find(figure.key)->second == *value,
                    std::string(figure.key).c_str());
    }
}

void OperationsTest::hopelessFleet()
{
    auto facts = knownPlan();
    facts.assumptions.edited["operations.accelerator_mttf"] = 1.0; // an hour, for each of 256
    const auto solution = solved(facts);
    QCOMPARE(*solution.operations.goodput, 0.0);
    QVERIFY(!solution.operations.durationWithFailures);
    QVERIFY(reason(solution, "duration_with_failures_s").find("never ends") != std::string::npos);
}

void OperationsTest::scorecards_data()
{
    QTest::addColumn<double>("maxStepTime");
    QTest::addColumn<double>("deadlineDays");
    QTest::addColumn<double>("minMfu");
    QTest::addColumn<bool>("tokensKnown");
    QTest::addColumn<QString>("expected"); // feasibility performance macro overall
    QTest::newRow("no limits") << 0.0 << 0.0 << 0.0 << true << QStringLiteral("pass no_limits no_limits pass");
    QTest::newRow("all kept") << 100.0 << 1e5 << 0.01 << true << QStringLiteral("pass pass pass pass");
    QTest::newRow("too slow") << 0.001 << 1e5 << 0.01 << true << QStringLiteral("pass fail pass fail");
    QTest::newRow("too late") << 100.0 << 1.0 << 0.0 << true << QStringLiteral("pass pass fail fail");
    QTest::newRow("deadline unknown") << 100.0 << 1.0 << 0.0 << false
                                      << QStringLiteral("pass pass undecided undecided");
    QTest::newRow("unknown and broken") << 0.001 << 1.0 << 0.0 << false << QStringLiteral("pass fail undecided fail");
    QTest::newRow("mfu missed") << 100.0 << 0.0 << 0.99 << true << QStringLiteral("pass fail no_limits fail");
}

void OperationsTest::scorecards()
{
    QFETCH(const double, maxStepTime);
    QFETCH(const double, deadlineDays);
    QFETCH(const double, minMfu);
    QFETCH(const bool, tokensKnown);
    QFETCH(const QString, expected);
    auto workload = sampleplan::workload();
    if (!tokensKnown)
        workload.trainingTokens.reset();
    auto facts = sampleplan::plan(sampleplan::fleet(), workload);
    if (maxStepTime > 0)
        facts.constraints.maxStepTime = maxStepTime * second;
    if (deadlineDays > 0)
        facts.constraints.deadline = deadlineDays * day;
    if (minMfu > 0)
        facts.constraints.minMfu = minMfu;
    const auto solution = solved(facts);
    const auto card = scorecard(solution);
    const std::string found = std::string(toString(card.feasibility)) + " " + std::string(toString(card.performance))
        + " " + std::string(toString(card.macro)) + " " + std::string(toString(card.overall));
    QCOMPARE(QString::fromStdString(found), expected);
    QCOMPARE(solution.feasible, card.overall != Verdict::Fail);
}

void OperationsTest::levels()
{
    for (const auto *constraint : {"memory_capacity", "max_memory_fraction"})
        QVERIFY(levelOf(constraint) == ScoreLevel::Feasibility);
    for (const auto *constraint : {"max_step_time_s", "min_mfu"})
        QVERIFY(levelOf(constraint) == ScoreLevel::Performance);
    for (const auto *constraint : {"deadline_days", "run_cost_usd", "max_facility_mw"})
        QVERIFY(levelOf(constraint) == ScoreLevel::Macro);
    Scorecard card{.feasibility = Verdict::Pass, .performance = Verdict::Fail, .macro = Verdict::Undecided};
    QVERIFY(card.of(ScoreLevel::Feasibility) == Verdict::Pass);
    QVERIFY(card.of(ScoreLevel::Performance) == Verdict::Fail);
    QVERIFY(card.of(ScoreLevel::Macro) == Verdict::Undecided);
}

FLEETWRIGHT_TEST(OperationsTest)
#include "tst_operations.moc"
