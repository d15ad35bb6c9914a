// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/limits.h"
#include "solver/sampleplan.h"
#include "testing/registry.h"

#include <QtTest>

#include <cmath>

using namespace fleetwright;

namespace {

using SetLimit = void (*)(Constraints &, double);

struct LimitRow {
    const char *name;
    SetLimit set;
    double loose; ///< holds by far
    bool isLeast; ///< the figure may not be lower; else not higher
};

const LimitRow limitRows[]{
    {"max_memory_fraction", [](Constraints &limits, double value) { limits.maxMemoryShare = value; }, 1, false},
    {"deadline_days", [](Constraints &limits, double value) { limits.deadline = Seconds::from_value(value); }, 1e12,
        false},
    {"run_cost_usd", [](Constraints &limits, double value) { limits.runCost = Dollars::from_value(value); }, 1e15,
        false},
    {"capital_usd", [](Constraints &limits, double value) { limits.capital = Dollars::from_value(value); }, 1e15,
        false},
    {"yearly_cost_usd", [](Constraints &limits, double value) { limits.yearlyCost = Dollars::from_value(value); }, 1e15,
        false},
    {"max_facility_mw", [](Constraints &limits, double value) { limits.facilityPower = Watts::from_value(value); },
        1e15, false},
    {"min_mfu", [](Constraints &limits, double value) { limits.minMfu = value; }, 1e-6, true},
    {"max_step_time_s", [](Constraints &limits, double value) { limits.maxStepTime = Seconds::from_value(value); },
        1e12, false},
};

TraceEntry entryWith(const LimitRow &row, double value)
{
    auto facts = sampleplan::plan();
    row.set(facts.constraints, value);
    const auto solution = solve(Plan::create(facts).value()).value();
    for (const auto &entry : solution.trace)
        if (entry.constraint == row.name)
            return entry;
    qFatal("There is no line for %s", row.name);
}

} // namespace

/// A limit that is met exactly is met; the next number beyond it is not.
class LimitsMetTest : public QObject {
    Q_OBJECT
private slots:
    void metExactly_data()
    {
        QTest::addColumn<int>("index");
        for (int i = 0; i < int(std::size(limitRows)); ++i)
            QTest::newRow(limitRows[i].name) << i;
    }

    void metExactly()
    {
        QFETCH(int, index);
        const auto &row = limitRows[index];
        const auto loose = entryWith(row, row.loose);
        QVERIFY(loose.decided && loose.holds);
        const double needed = loose.needed;
        QVERIFY(needed > 0);
        const auto exact = entryWith(row, needed);
        QCOMPARE(exact.allowed, exact.needed);
        QVERIFY2(exact.holds, exact.sentence.c_str());
        const double beyond = std::nextafter(needed, row.isLeast ? 2 * needed : 0);
        QVERIFY(!entryWith(row, beyond).holds);
    }
};

FLEETWRIGHT_TEST(LimitsMetTest)
#include "tst_limitsmet.moc"
