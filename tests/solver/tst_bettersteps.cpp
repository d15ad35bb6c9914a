// SPDX-License-Identifier: GPL-3.0-or-later
// What somebody could allow, in which order, and how the fleets that it lets in are called.
#include "solver/sizesample.h"
#include "testing/registry.h"

#include "solver/size/bettersteps.h"
#include "solver/size/sizewords.h"

#include <QTest>

using namespace fleetwright;
using namespace fleetwright::size;

class TestBetterSteps : public QObject {
    Q_OBJECT

private slots:
    void smallestChangeIsFirst();
    void fleetsThatReadAlikeAreToldApart();
};

/// 15 % more power before 21 % more days, whatever each saves; what keeps out nothing is last.
void TestBetterSteps::smallestChangeIsFirst()
{
    auto result = sizesample::feasible();
    result.keptOut = {{.limit = SizeLimit::Deadline,
                          .allowed = 30,
                          .nearest = LetIn{36.4, sizesample::answer(1, 512, 36.4, 5.1e6, 8.2e6)},
                          .best = LetIn{468, sizesample::answer(1, 64, 468, 2e6, 1e6)}},
        {.limit = SizeLimit::Carbon, .allowed = 1e6, .nearest = std::nullopt, .best = std::nullopt},
        {.limit = SizeLimit::Power,
            .allowed = 10e6,
            .nearest = LetIn{11.5e6, sizesample::answer(2, 704, 24.0, 7.92e6, 11.5e6)},
            .best = std::nullopt}};
    std::vector<std::string> takes;
    for (const auto &step : betterSteps(sizesample::question(), result))
        takes.push_back(step.takes.substr(0, step.takes.find(' ', 10)));
    QCOMPARE(takes, (std::vector<std::string>{"Facility power:", "Deadline: 36.4", "Deadline: 468", "Carbon of the"}));
}

void TestBetterSteps::fleetsThatReadAlikeAreToldApart()
{
    auto result = sizesample::feasible();
    result.baseCase.reset();
    auto other = result.lots[1];
    other.fabric = "400 GbE";
    result.lots.push_back(other);
    const auto first = sizesample::answer(1, 512, 20, 5e6, 5e6);
    auto fabric = first, layout = first;
    fabric.lot = result.lots.size() - 1;
    layout.jobs.front().layout.pp = 4;
    const auto names = [&](const std::vector<const Answer *> &answers) {
        return distinctFleetsInWords(sizesample::question(), result, answers);
    };
    const auto own = shortFleetInWords(result, first);
    QCOMPARE(names({&first, &first, nullptr}), (std::vector<std::string>{own, own, ""})); // the same fleet twice
    QCOMPARE(
        names({&first, &fabric}), (std::vector<std::string>{own + ", " + result.lots[1].fabric, own + ", 400 GbE"}));
    const auto byLayout = names({&first, &layout});
    QVERIFY2(byLayout[0].starts_with(own + ", TP 4, ") && byLayout[0] != byLayout[1], byLayout[0].c_str());
}

FLEETWRIGHT_TEST(TestBetterSteps)
#include "tst_bettersteps.moc"
