// SPDX-License-Identifier: GPL-3.0-or-later
// What an approval was answered with, and what has changed since.
#include "testing/registry.h"

#include "solver/size/usedvalues.h"

#include <QTest>

using namespace fleetwright;
using namespace fleetwright::size;

class TestUsedValues : public QObject {
    Q_OBJECT

private slots:
    /// More runs have another mean: one input that changed. As many of another mean are a change, too.
    void moreRunsAreOneChange()
    {
        const auto keys = [](const std::vector<std::optional<Seconds>> &then,
                              const std::vector<std::optional<Seconds>> &now) {
            std::vector<std::string> changed;
            for (const auto &change : changesBetween(usedRuns(then), usedRuns(now)))
                changed.push_back(change.key);
            return changed;
        };
        using Keys = std::vector<std::string>;
        const auto two = 2.0 * second, three = 3.0 * second;
        QCOMPARE(keys({}, {two}), Keys{"Measured runs"});
        QCOMPARE(keys({two}, {two, three}), Keys{"Measured runs"});
        QCOMPARE(keys({two}, {}), Keys{"Measured runs"});
        QCOMPARE(keys({two}, {three}), Keys{"Mean measured step time [s]"});
        QVERIFY(keys({two}, {two}).empty());
    }

    void constantsHaveTheirDefault() // before somebody calibrates them
    {
        const auto made = changesBetween({}, {{.subject = "first-order", .key = "efficiency", .value = 0.123}});
        QVERIFY(made.size() == 1 && made.front().then == 0.5 && made.front().now == 0.123);
    }
};

FLEETWRIGHT_TEST(TestUsedValues)
#include "tst_usedvalues.moc"
