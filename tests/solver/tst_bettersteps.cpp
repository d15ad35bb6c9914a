// SPDX-License-Identifier: GPL-3.0-or-later
// What somebody could allow, in which order, what it would bring, and how the fleets that it lets in are called.
#include "solver/sizesample.h"
#include "testing/registry.h"

#include "solver/answer/binding.h"
#include "solver/answer/limits.h"
#include "solver/size/bettersteps.h"
#include "solver/size/sizewords.h"
#include "text/utf8.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <span>

using namespace fleetwright;
using namespace fleetwright::size;
using namespace Qt::StringLiterals;

class TestBetterSteps : public QObject {
    Q_OBJECT

private slots:
    void theLeastMovedStandsFirst();
    void whatIsNoiseIsNoStep();
    void whereNothingKeepsTheLimits();
    void brieflyWithRuns();
    void memoryIsNearestLast();
    void withoutCapital();
    void theBatchKeepsOut();
    void smallestChangeIsFirst();
    void fleetsThatReadAlikeAreToldApart();

private:
    static Result withSteps()
    {
        auto result = sizesample::feasible(); // 9.90 MUSD
        result.keptOut = {{.limit = SizeLimit::Deadline, .allowed = 30},
            {.limit = SizeLimit::Power,
                .allowed = 10e6,
                .nearest = LetIn{11.23e6, sizesample::answer(2, 704, 24.0, 7.92e6, 11.23e6)},
                .best = LetIn{14e6, sizesample::answer(2, 832, 20.0, 6e6, 14e6)}}};
        result.otherBatch = OtherBatch{sizesample::answer(1, 320, 26.0, 5.74e6, 8e6)};
        result.otherBatch->best->jobs.front().globalBatch = 2560;
        return result;
    }
};

/// 12 % more power, a batch that is 25 % larger, 40 % more power.
void TestBetterSteps::theLeastMovedStandsFirst()
{
    const auto steps = betterSteps(sizesample::question(), withSteps());
    QCOMPARE(steps.size(), std::size_t(4));
    QCOMPARE(utf8(steps[0].takes).replace(u'\u00a0', u' '), u"Facility power: 11.3 MW instead of 10 MW"_s);
    QCOMPARE(steps[0].figures.days, 24.0);
    QCOMPARE(utf8(steps[1].takes), u"Batch: 2560 instead of 2048"_s);
    QCOMPARE(utf8(steps[1].fleet), u"320 × DGX H200, owned"_s);
    QVERIFY(std::abs(steps[1].saved - (1 - 5.74 / 9.9)) < 1e-9);
    QCOMPARE(utf8(steps[2].takes).replace(u'\u00a0', u' '), u"Facility power: 14.0 MW instead of 10 MW"_s);
    QVERIFY(steps[0].saved < steps[2].saved); // the nearer one all the same
    QCOMPARE(utf8(steps[3].takes), u"Deadline: 30 days"_s); // keeps out nothing better
    QVERIFY(steps[3].fleet.empty() && std::isnan(steps[3].saved));
}

void TestBetterSteps::whatIsNoiseIsNoStep()
{
    auto result = withSteps();
    result.keptOut[1].nearest->answer.figures.runCostUsd = 0.9995 * result.best()->figures.runCostUsd;
    result.keptOut[1].best = result.keptOut[1].nearest;
    result.otherBatch->best = std::nullopt;
    const auto steps = betterSteps(sizesample::question(), result);
    QCOMPARE(steps.size(), std::size_t(1)); // the deadline
    QVERIFY(steps[0].fleet.empty());
}

void TestBetterSteps::whereNothingKeepsTheLimits()
{
    auto result = sizesample::infeasible();
    QVERIFY(!result.remedies.empty());
    result.remedies[0].figures = {.days = 33.6, .capitalUsd = 0};
    const auto steps = betterSteps(sizesample::question(), result);
    QCOMPARE(steps.size(), result.remedies.size());
    QVERIFY2(steps[0].takes.find(" instead of ") != std::string::npos, steps[0].takes.c_str());
    QVERIFY(!steps[0].fleet.empty() && std::isnan(steps[0].saved));
    QVERIFY(steps[0].figures.days == 33.6 && steps[0].figures.capitalUsd == 0);
    QVERIFY(std::isnan(steps[1].figures.days)); // kept by an earlier version
    result.otherBatch = withSteps().otherBatch; // which keeps all of them
    const auto more = betterSteps(sizesample::question(), result);
    QCOMPARE(more.size(), steps.size() + 1);
    QVERIFY2(more.back().takes.starts_with("Batch"), more.back().takes.c_str());
    QVERIFY(!more.back().fleet.empty() && std::isnan(more.back().saved));
}

/// What runs make of the winner stands right behind it, before the next fleet; in a line for a board.
void TestBetterSteps::brieflyWithRuns()
{
    auto result = withSteps();
    const auto document = sizesample::question();
    QVERIFY(measuredInShort(result).empty());
    QVERIFY(inOrderOfWeight(document, result)[1].starts_with("Next among other nodes"));
    auto formula = sizesample::answer(1, 448, 27.1, 8.9e6, 9e6);
    formula.byFormula = formula.figures;
    formula.figures.days = 36.2;
    result.byFormula = FormulaChoice{.best = formula, .runs = 1};
    QCOMPARE(inOrderOfWeight(document, result)[1], measuredInWords(result));
    // What has no room is counted as standing in the lines beside the cards.
    for (const auto &said : {result, sizesample::infeasible()}) {
        const auto lines = briefly(document, said);
        std::size_t letters = 0, blanks = 0;
        for (const auto &sentence : inOrderOfWeight(document, said)) {
            QVERIFY2(std::ranges::any_of(lines, [&](const auto &line) { return line.contains(sentence); }),
                sentence.c_str());
            letters += sentence.size();
            ++blanks;
        }
        for (const auto &line : lines)
            letters -= line.size();
        QCOMPARE(letters + blanks, lines.size()); // and nothing else
    }
    QCOMPARE(utf8(measuredInShort(result)).replace(u'\u00a0', u' '),
        u"A run that the project measured decides: without it 448 × DGX H200, owned would be the best, with 27.1 days "
        u"and "
        "8.90 MUSD; by the run it takes 36.2 days and 8.90 MUSD."_s);
    // By the runs the answer takes another layout of that fleet: one fleet has one figure.
    auto taken = result;
    taken.answers[1] = {sizesample::answer(1, 448, 33.3, 8.7e6, 9e6), {}};
    taken.answers[1].answer.misses = {{SizeLimit::Deadline, 33.3, 30}};
    for (const auto &said : {measuredInShort(taken), measuredInWords(taken)}) {
        const auto text = utf8(said).replace(u'\u00a0', u' ');
        QVERIFY2(text.contains(u"33.3 days and 8.70 MUSD"_s) && !text.contains(u"36.2"_s), said.c_str());
    }
    QVERIFY(measuredInWords(taken).ends_with("It misses: Deadline."));
    result.byFormula->best = *result.best();
    // What the runs change is not seen in three digits.
    result.answers.front().answer.byFormula = result.best()->figures;
    result.answers.front().answer.byFormula->days = 26.14;
    QVERIFY(measuredInShort(result).empty() && measuredInWords(result).empty());
    result.answers.front().answer.byFormula = result.best()->figures;
    result.answers.front().answer.byFormula->days = 26.0; // seen, and nothing that anybody decides by
    QVERIFY(measuredInShort(result).empty() && !measuredInWords(result).empty());
    result.answers.front().answer.byFormula->days = 20.0;
    QCOMPARE(utf8(otherBatchInShort(document, result)).replace(u'\u00a0', u' '),
        u"With a batch of 2560 instead of 2048: 320 × DGX H200, owned, 42.0 % less cost of the run, with 26.0 days, "
        u"262 "
        "MUSD of capital and 8.00 MW."_s);
    QVERIFY(otherBatchInShort(document, sizesample::infeasible()).empty());
    QVERIFY2(measuredInShort(result).contains("this fleet would take 20.0"), measuredInShort(result).c_str());
}

/// A good layout always uses most of it: memory is the nearest limit where nothing else is limited.
void TestBetterSteps::memoryIsNearestLast()
{
    auto document = sizesample::question();
    document.limits.plan.maxMemoryShare = 0.8;
    const auto answer = sizesample::answer(0, 512, 12.0, 9.9e6, 2e6);
    QVERIFY(tightestLimit(document, answer)->limit != SizeLimit::Layout);
    std::vector<TraceEntry> trace(2);
    trace[1] = {.constraint = std::string(keyOf(SizeLimit::Deadline)), .needed = 12, .allowed = 30};
    for (const auto *memory : {"memory_capacity", "max_memory_fraction"}) {
        trace[0] = {.constraint = memory, .needed = 0.79, .allowed = 1};
        QVERIFY2(bindingOf(trace)->words.starts_with("Deadline, "), bindingOf(trace)->words.c_str());
        QVERIFY(bindingOf(std::span(trace).first(1))->words.starts_with("Memory "));
    }
}

void TestBetterSteps::withoutCapital()
{
    auto document = sizesample::question();
    auto result = sizesample::feasible();
    QVERIFY(withoutCapitalInWords(document, result).empty()); // all is bought
    result.answers[1].answer.figures.capitalUsd = 0;
    QVERIFY(!withoutCapitalInWords(document, result).empty()); // had already
    result.lots[1].paying = {Paying::Rent, RentTerm::Reserved3y};
    QVERIFY(withoutCapitalInWords(document, result).empty());
    result.lots[1].paying = {Paying::Rent, RentTerm::CapacityBlock};
    QVERIFY(withoutCapitalInWords(document, result).empty());
    result.lots[1].paying = {Paying::Rent, RentTerm::Spot};
    QVERIFY(!withoutCapitalInWords(document, result).empty());
    result.lots[1].paying = {Paying::Rent, RentTerm::OnDemand};
    QCOMPARE(utf8(withoutCapitalInWords(document, result)).replace(u'\u00a0', u' '),
        u"Without capital or a reservation the least cost of the run, 10.6 MUSD, has 768 × DGX H200, rented, on "
        u"demand: 29.0 days."_s);
    QCOMPARE(inOrderOfWeight(document, result)[1], withoutCapitalInWords(document, result));
    document.objective = DecisionObjective::Days; // then fewer nodes of it may cost less
    QVERIFY(withoutCapitalInWords(document, result).empty());
    document.objective = DecisionObjective::RunCost;
    result.answers[1].answer.misses = {{SizeLimit::Deadline, 31, 30}};
    QVERIFY(withoutCapitalInWords(document, result).empty());
    std::swap(result.answers[0], result.answers[1]);
    result.answers[0].answer.misses.clear();
    QVERIFY(withoutCapitalInWords(document, result).empty()); // is the best itself
}

void TestBetterSteps::theBatchKeepsOut()
{
    const auto document = sizesample::question();
    auto result = sizesample::feasible();
    result.otherBatch = OtherBatch{};
    QVERIFY(otherBatchInWords(document, result).empty() && otherBatches(document, result).empty());
    QVERIFY(leftOutInWords(document, result).ends_with("No batch within 25.0\u00a0% of it would let in a better fleet.")
        || leftOutInWords(document, result).ends_with("No batch within 25.0 % of it would let in a better fleet."));
    result.otherBatch->best = sizesample::answer(1, 320, 26.0, 5.74e6, 8e6);
    QVERIFY(otherBatchInWords(document, result).empty()); // of the stated batch
    result.otherBatch->best->jobs.front().globalBatch = 2560;
    const auto said = otherBatchInWords(document, result);
    QCOMPARE(utf8(said).replace(u'\u00a0', u' '),
        u"With a batch of 2560 instead of 2048 it would be 320 × DGX H200, owned: 5.74 MUSD, 4.16 MUSD or 42.0 % less, "
        "with 26.0 days, 262 MUSD of capital and 8.00 MW."_s);
    const auto ranges = otherBatches(document, result);
    QCOMPARE(ranges.size(), std::size_t(1));
    QVERIFY(ranges[0].job == 0 && ranges[0].least == 2048 && ranges[0].most == 2560);
    for (const auto &sentences : {recommendation(document, result), bindingInWords(document, result)})
        QVERIFY(std::ranges::find(sentences, said) != sentences.end());
    QVERIFY(!leftOutInWords(document, result).contains("No batch"));
    auto nothing = sizesample::infeasible();
    nothing.otherBatch = result.otherBatch;
    QVERIFY(utf8(recommendation(document, nothing).at(1))
                .startsWith(u"With a batch of 2560 instead of 2048 all limits are kept by 320 × DGX H200, owned"_s));
    // Which limit has to give, and who has to agree.
    auto moves = movesInWords(document, nothing);
    QCOMPARE(moves.size(), 2UZ);
    QVERIFY2(moves.front().starts_with("Nothing is to be approved yet. A limit has to be moved: ")
            && moves.front().contains(" instead of 30 days"),
        moves.front().c_str());
    QVERIFY2(
        utf8(moves.back())
            .startsWith(
                u"Or the team that trains agrees to a batch of 2560 instead of 2048: then it is 320 × DGX H200, owned"_s),
        moves.back().c_str());
    nothing.remedies.clear();
    moves = movesInWords(document, nothing);
    QVERIFY(
        moves.front() == "Nothing is to be approved yet." && moves.back().starts_with("The team that trains has to"));
    nothing.otherBatch.reset();
    QVERIFY(movesInWords(document, nothing).empty());
    // What saves little is said where limits are, not among the first things.
    auto little = result;
    little.otherBatch->best->figures.runCostUsd = 0.96 * little.best()->figures.runCostUsd;
    const auto ofLittle = otherBatchInWords(document, little);
    QVERIFY(!ofLittle.empty() && otherBatchInShort(document, little).empty());
    const auto binding = bindingInWords(document, little), order = inOrderOfWeight(document, little);
    QVERIFY(std::ranges::find(binding, ofLittle) != binding.end());
    QVERIFY(std::ranges::find(order, ofLittle) == order.end());
    little.otherBatch->best->figures.runCostUsd = 0.94 * little.best()->figures.runCostUsd;
    QVERIFY(!otherBatchInShort(document, little).empty());
    const auto more = inOrderOfWeight(document, little);
    QVERIFY(std::ranges::find(more, otherBatchInWords(document, little)) != more.end());
    auto ranged = document; // who states the batches has them respected
    ranged.jobs.front().leastBatch = ranged.jobs.front().mostBatch = 2048;
    QVERIFY(otherBatchInWords(ranged, result).empty());
}

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
