// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/blocks/reliability.h"
#include "testing/registry.h"

#include <QTest>

#include <cmath>

using namespace fleetwright;

namespace {

/// The fleet of Llama 3 at its printed rate (arXiv 2407.21783, table 5).
GoodputInputs goodputSample()
{
    return {.nodes = 2048,
        .failuresPerNode = 419.0 / 54.0 / 2048.0 * perDay,
        .checkpointWrite = 60.0 * second,
        .restart = 300.0 * second,
        .acceleratorPrice = 2.0 * dollarPerHour};
}

double sumOfShares(const Goodput &figures)
{
    return figures.goodput + figures.checkpointShare + figures.redoneShare + figures.restartShare;
}

/// P(X > units) term by term.
double plainShortage(double mean, std::int64_t units)
{
    double term = std::exp(-mean);
    double covered = term;
    for (std::int64_t k = 1; k <= units; ++k) {
        term *= mean / double(k);
        covered += term;
    }
    return 1 - covered;
}

} // namespace

class GoodputTest : public QObject {
    Q_OBJECT
private slots:
    void goodputByHand();
    void sharesAddUp();
    void lessGoodputWithEachLoss();
    void intervalsAreOptimal();
    void replicasRedoNothing();
    void lostTimeHasAPrice();
    void refusesIntervals();
    void sparesAgainstTheSum();
    void sparesNeverRaiseTheShortage();
    void sparesOfHugeFleets();
};

void GoodputTest::goodputByHand()
{
    auto inputs = goodputSample();
    inputs.interval = 1800.0 * second;
    const auto figures = goodput(inputs).value();
    const double mtbf = 54.0 * 86400 / 419;
    const double share = (1 - (300 + 900) / mtbf) / (1 + 60.0 / 1800);
    QCOMPARE(figures.mtbf->value(), mtbf);
    QCOMPARE(figures.goodput, share);
    QCOMPARE(figures.checkpointShare, share * 60 / 1800);
    QCOMPARE(figures.redoneShare, 900 / mtbf);
    QCOMPARE(figures.restartShare, 300 / mtbf);
}

void GoodputTest::sharesAddUp()
{
    for (const double rate : {0.0, 1e-4, 0.00379, 0.02, 5.0, 1000.0}) {
        for (const double write : {0.0, 1e-3, 20.0, 300.0, 7200.0}) {
            for (const double interval : {1.0, 600.0, 86400.0}) {
                for (const std::int64_t replicas : {1, 16}) {
                    auto inputs = goodputSample();
                    inputs.failuresPerNode = rate * perDay;
                    inputs.checkpointWrite = write * second;
                    inputs.interval = interval * second;
                    inputs.replicas = replicas;
                    const auto figures = goodput(inputs).value();
                    QVERIFY2(
                        std::abs(sumOfShares(figures) - 1) < 1e-12, QByteArray::number(sumOfShares(figures), 'g', 17));
                    QVERIFY(figures.goodput >= 0 && figures.goodput <= 1);
                    QVERIFY(figures.lostAccelerators >= 0 && figures.lostAccelerators <= 2048 * 8);
                }
            }
        }
    }
}

/// What loses more time never leaves more of it, so that more goodput never costs days: days are work / E.
void GoodputTest::lessGoodputWithEachLoss()
{
    const auto falls = [](auto set) {
        double last = 2;
        for (double factor = 0.25; factor < 300; factor *= 2) {
            auto inputs = goodputSample();
            set(inputs, factor);
            const double share = goodput(inputs)->goodput;
            if (share > last)
                return false;
            last = share;
        }
        return last < 0.9;
    };
    QVERIFY(falls([](GoodputInputs &inputs, double factor) { inputs.failuresPerNode *= factor; }));
    QVERIFY(falls([](GoodputInputs &inputs, double factor) { inputs.checkpointWrite *= factor; }));
    QVERIFY(falls([](GoodputInputs &inputs, double factor) { inputs.restart *= factor; }));
    QVERIFY(falls([](GoodputInputs &inputs, double factor) { inputs.nodes = std::int64_t(2048 * factor); }));
}

/// Young's interval is best to first order; the exact optimum of E is close to Daly's where a write is long.
void GoodputTest::intervalsAreOptimal()
{
    auto inputs = goodputSample();
    const auto at = [&inputs](Seconds interval) {
        auto stated = inputs;
        stated.interval = interval;
        return goodput(stated)->goodput;
    };
    const auto figures = goodput(inputs).value();
    QCOMPARE(figures.interval->value(), figures.youngInterval->value());
    QVERIFY(at(*figures.interval) > at(0.8 * *figures.interval));
    QVERIFY(at(*figures.interval) > at(1.25 * *figures.interval));
    QCOMPARE(figures.youngInterval->value(), std::sqrt(2 * 60 * figures.mtbf->value()));
    inputs.rule = IntervalRule::Daly;
    QCOMPARE(goodput(inputs)->interval->value(), figures.dalyInterval->value());
    QCOMPARE(dalyInterval(2.0 * hour, 1.0 * hour).value(), 3600.0); // w = 2M: both branches meet here
    QVERIFY(std::abs(dalyInterval(1.9999999 * hour, 1.0 * hour).value() - 3200) < 1e-3); // 2M(1 + 1/3 + 1/9) - 2M
}

void GoodputTest::replicasRedoNothing()
{
    auto inputs = goodputSample();
    inputs.interval = 1800.0 * second;
    const auto alone = goodput(inputs).value();
    inputs.replicas = 4;
    const auto replicated = goodput(inputs).value();
    QCOMPARE(replicated.redoneShare, 0.0);
    QCOMPARE(replicated.restartShare, alone.restartShare / 4);
    QVERIFY(replicated.goodput > alone.goodput);
}

void GoodputTest::lostTimeHasAPrice()
{
    const auto figures = goodput(goodputSample()).value();
    QCOMPARE(figures.lostAccelerators, (1 - figures.goodput) * 2048 * 8);
    QCOMPARE((figures.lostMoney * day).value(), figures.lostAccelerators * 48);
    QCOMPARE(double(figures.failures / perDay), 419.0 / 54.0);
}

void GoodputTest::refusesIntervals()
{
    auto inputs = goodputSample();
    inputs.checkpointWrite = Seconds{};
    QCOMPARE(goodput(inputs).error().field, std::string("interval_s"));
    QVERIFY(goodput(inputs).error().code == ErrorCode::MissingField);
    inputs.replicas = 8; // nothing to redo, nothing to write
    QVERIFY(goodput(inputs).has_value());
    inputs.checkpointWrite = 5.0 * second;
    QVERIFY(goodput(inputs).error().code == ErrorCode::MissingField);
    inputs.failuresPerNode = Frequency{};
    QCOMPARE(goodput(inputs)->goodput, 1.0);
    QVERIFY(!goodput(inputs)->mtbf && !goodput(inputs)->interval);
    inputs.interval = Seconds{};
    QVERIFY(goodput(inputs).error().code == ErrorCode::OutOfRange);
    QVERIFY(parseIntervalRule("often").error().code == ErrorCode::UnsupportedValue);
}

void GoodputTest::sparesAgainstTheSum()
{
    for (const double mean : {0.01, 0.5, 1.0, 3.0, 9.984, 25.0}) {
        for (const double accepted : {0.5, 0.1, 0.01, 1e-4}) {
            const auto found = spares(
                {.nodes = 100, .failuresPerNode = mean / 100 * perDay, .repair = 1.0 * day, .shortage = accepted})
                                   .value();
            QVERIFY(std::abs(found.shortage - plainShortage(mean, found.units)) < 1e-12);
            QVERIFY(found.shortage <= accepted);
            QVERIFY(found.units == 0 || plainShortage(mean, found.units - 1) > accepted);
        }
    }
}

void GoodputTest::sparesNeverRaiseTheShortage()
{
    SparesInputs inputs{.nodes = 2000, .failuresPerNode = 0.004 * perDay, .repair = 3.0 * day};
    Spares last{.shortage = 1};
    for (double accepted = 0.5; accepted > 1e-9; accepted *= 0.7) {
        inputs.shortage = accepted;
        const auto found = spares(inputs).value();
        QVERIFY(found.units >= last.units && found.shortage <= last.shortage);
        last = found;
    }
    inputs.nodesPerFailure = 18;
    QCOMPARE(spares(inputs)->nodes, last.units * 18);
    inputs.nodesPerFailure = 2001;
    QCOMPARE(spares(inputs).error().field, std::string("nodes_per_failure"));
}

void GoodputTest::sparesOfHugeFleets()
{
    const auto found = spares({.nodes = 1'000'000, .failuresPerNode = 1000.0 * perDay, .repair = 3650.0 * day}).value();
    const double deviations = (double(found.units) - 3.65e12) / std::sqrt(3.65e12);
    QVERIFY2(std::abs(deviations - 2.3263) < 1e-3, QByteArray::number(deviations)); // normal at 1 %
    QCOMPARE(spares({.nodes = 10, .repair = 1.0 * day})->units, std::int64_t{0});
}

FLEETWRIGHT_TEST(GoodputTest)
#include "tst_goodput.moc"
