// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/tableparts.h"
#include "solver/models/detailed/tables.h"
#include "testing/registry.h"

#include <QTest>

#include "solver/detailedsample.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

using namespace fleetwright;
using namespace fleetwright::detailed;
using fleetwright::testing::DetailedCase;
using fleetwright::testing::DetailedMaker;

namespace {

constexpr int wanted = 3000;

/// Every legal random case.
template <class Visit> void everyCase(unsigned seed, Visit visit)
{
    DetailedMaker maker(seed);
    for (int found = 0; found < wanted;) {
        const auto made = maker.next();
        if (!made)
            continue;
        ++found;
        const auto pricer = Pricer::make(made->setting);
        visit(*pricer, made->layout);
        if (QTest::currentTestFailed())
            return;
    }
}

bool near(double a, double b, double scale) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(scale), 1e-30); }

QByteArray words(const Layout &layout)
{
    return QByteArray("tp ") + QByteArray::number(qint64(layout.tp)) + " pp " + QByteArray::number(qint64(layout.pp))
        + " v " + QByteArray::number(qint64(layout.virtualStages)) + " cp " + QByteArray::number(qint64(layout.cp))
        + " dp " + QByteArray::number(qint64(layout.dp)) + " ep " + QByteArray::number(qint64(layout.ep)) + " zero "
        + QByteArray::number(layout.zeroStage) + " recompute " + QByteArray::number(int(layout.recompute));
}

/// A dense model without ends whose stages are all alike and whose hops take no time.
DetailedCase equalStages(std::int64_t stages, std::int64_t chunks, std::int64_t microbatches)
{
    DetailedCase made;
    made.setting.machine = {.family = Family::Hopper,
        .peak16 = FlopRate::from_value(1e15),
        .peak8 = FlopRate::from_value(2e15),
        .peak4 = FlopRate::from_value(2e15),
        .memoryBandwidth = Bandwidth::from_value(3e12),
        .capacity = Bytes::from_value(8e10),
        .scaleUp = Bandwidth::from_value(1e300),
        .domain = 1024,
        .scaleOut = Bandwidth::from_value(1e300)};
    made.setting.constants[Constant::ScaleUpLatency] = made.setting.constants[Constant::ScaleOutLatency] = 0;
    made.setting.architecture = {.layers = stages * chunks * 2,
        .hidden = 4096,
        .heads = 32,
        .kvHeads = 32,
        .headDim = 128,
        .ffn = 16384,
        .vocabulary = 1};
    made.setting.accelerators = stages;
    made.setting.sequenceLength = 2048;
    made.setting.globalBatch = microbatches;
    made.layout.pp = stages;
    made.layout.virtualStages = chunks;
    return made;
}

} // namespace

class DetailedTablesTest : public QObject {
    Q_OBJECT
private slots:
    void partsAddUpToTheStep();
    void collectivesAreThoseOfTheFigures();
    void memoryOfTheStagesIsThatOfTheFigures();
    void rowsAreComplete();
    void unequalStages();
    void bubbleIsTheClosedForm_data();
    void bubbleIsTheClosedForm();
    void schedulesKeepTheirOrder();
    void scheduleOfUnequalStages();
    void schedulesThatAreNotDrawn();
};

void DetailedTablesTest::partsAddUpToTheStep()
{
    everyCase(1, [](const Pricer &pricer, const Layout &layout) {
        const auto answer = tables(pricer, layout);
        const auto &figures = answer.figures;
        double operators = 0, exposed = 0, repeated = 0;
        for (const auto &row : answer.operators)
            operators += row.time.value() * row.perStep;
        for (const auto &row : answer.collectives) {
            exposed += row.exposed.value();
            repeated += row.countsAsComputing ? row.exposed.value() : 0;
        }
        const double inside = operators + exposed + answer.beyondMean.value() + figures.bubbleTime.value();
        const double step = pricer.setting().straggler * inside + figures.overheadTime.value();
        QVERIFY2(near(step, figures.stepTime.value(), figures.stepTime.value()),
            words(layout) + ": " + QByteArray::number(step) + " is not "
                + QByteArray::number(figures.stepTime.value()));
        QVERIFY(near(answer.operatorTime.value(), operators, operators));
        // What the figures call computing: the slowest stage less the mean communication.
        const double computing = operators - figures.optimizerTime.value() + repeated + answer.beyondMean.value();
        QVERIFY2(near(computing, figures.computeTime.value(), figures.stepTime.value()), words(layout));
    });
}

void DetailedTablesTest::collectivesAreThoseOfTheFigures()
{
    everyCase(2, [](const Pricer &pricer, const Layout &layout) {
        const auto answer = tables(pricer, layout);
        const auto sum = [&](std::initializer_list<const char *> groups, bool exposed) {
            double all = 0;
            for (const auto &row : answer.collectives) {
                const bool member = std::any_of(
                    groups.begin(), groups.end(), [&](const char *group) { return row.group == group; });
                // The figures' total of DP leaves out what sharded parameters gather once per step.
                if (member && !row.countsAsComputing && (exposed || row.where != "first layer and embeddings"))
                    all += (exposed ? row.exposed : row.total).value();
            }
            return all;
        };
        const double step = answer.figures.stepTime.value();
        const auto agrees = [&](std::initializer_list<const char *> groups, const CommunicationTime &time) {
            QVERIFY2(near(sum(groups, false), time.total.value(), step + time.total.value()),
                words(layout) + " total of " + *groups.begin());
            QVERIFY2(
                near(sum(groups, true), time.exposed.value(), step), words(layout) + " exposed of " + *groups.begin());
        };
        agrees({"TP"}, answer.figures.tp);
        agrees({"CP"}, answer.figures.cp);
        agrees({"EP"}, answer.figures.ep);
        agrees({"PP"}, answer.figures.pp);
        agrees({"DP", "expert DP", "embedding"}, answer.figures.dp);
        for (const auto &row : answer.collectives) {
            QVERIFY(row.ranks > 1 && row.domains >= 1 && row.domains <= row.ranks);
            QVERIFY(row.busBandwidth.value() > 0 && row.time.value() > 0 && row.perStep > 0);
            QVERIFY(near(row.total.value(), row.time.value() * row.perStep, row.total.value()));
        }
    });
}

void DetailedTablesTest::memoryOfTheStagesIsThatOfTheFigures()
{
    int whole = 0;
    everyCase(3, [&](const Pricer &pricer, const Layout &layout) {
        const auto answer = tables(pricer, layout);
        QCOMPARE(answer.stageMemory.size(), std::size_t(layout.pp));
        QCOMPARE(answer.stages.size(), std::size_t(layout.pp));
        const auto allocated = [&](std::size_t stage) { return answer.stageMemory.at(stage).memory.allocated.value(); };
        const auto last = std::size_t(layout.pp - 1);
        double fullest = std::max(allocated(0), allocated(last));
        if (layout.pp > 2)
            fullest = std::max(fullest, allocated(1));
        QVERIFY2(near(fullest, answer.figures.memory.allocated.value(), fullest), words(layout));
        double most = 0, layers = 0;
        for (std::size_t i = 0; i <= last; ++i) {
            const auto &row = answer.stageMemory[i];
            most = std::max(most, allocated(i));
            layers += row.layers;
            const auto &memory = row.memory;
            QVERIFY(
                near((memory.weights + memory.gradients + memory.optimizer + memory.activations + memory.other).value(),
                    memory.allocated.value(), memory.allocated.value()));
        }
        // Where rounding up to full stages takes more than both ends have, the stages between them count as full, as in
        // the model.
        const double model = double(pricer.setting().architecture.layers);
        if (answer.stageMemory.front().layers > 0 && answer.stageMemory.back().layers > 0)
            QCOMPARE(layers, model);
        else
            QVERIFY(layers >= model);
        if (pricer.setting().architecture.experts == 0) {
            QVERIFY2(near(most, fullest, most),
                words(layout)); // equal layers: no stage holds more than the three that count
            ++whole;
        } else {
            QVERIFY(most >= fullest * (1 - 1e-12));
        }
    });
    QVERIFY(whole > wanted / 4);
}

void DetailedTablesTest::rowsAreComplete()
{
    bool floor = false, repeatedExperts = false, optimizer = false, loraGradient = false;
    everyCase(4, [&](const Pricer &pricer, const Layout &layout) {
        const auto answer = tables(pricer, layout);
        for (const auto &row : answer.operators) {
            QVERIFY(!row.part.empty() && !row.name.empty() && !row.pass.empty());
            QVERIFY(std::isfinite(row.time.value()) && row.time.value() > 0 && row.perStep >= 0);
            if (row.bound != Bound::Host)
                QVERIFY2(near((row.computeTime + row.memoryTime).value(), row.time.value(), row.time.value()),
                    row.name.c_str());
            if (row.bound == Bound::Compute)
                QVERIFY(row.computeTime >= row.memoryTime);
            floor = floor || row.part == "host";
            optimizer = optimizer || row.part == "optimizer";
            loraGradient = loraGradient || (pricer.setting().lora && row.pass == "weight gradient");
        }
        for (const auto &row : answer.collectives)
            repeatedExperts = repeatedExperts || row.countsAsComputing;
    });
    QVERIFY(floor && repeatedExperts && optimizer);
    QVERIFY(!loraGradient);
}

void DetailedTablesTest::unequalStages()
{
    // 13 layers on 4 stages: full stages of 4, the shortfall of 3 from the last (2) and the first (1).
    auto made = equalStages(4, 1, 8);
    made.setting.architecture.layers = 13;
    made.setting.architecture.vocabulary = 50000;
    const auto pricer = Pricer::make(made.setting);
    const auto answer = tables(*pricer, made.layout);
    std::vector<double> layers;
    for (const auto &row : answer.stages)
        layers.push_back(row.layers);
    QCOMPARE(layers, (std::vector<double>{3, 4, 4, 2}));
    double slowest = 0;
    for (const auto &row : answer.stages)
        slowest = std::max(slowest, (row.forward + row.backward).value());
    const double expected = (answer.figures.computeTime.value()) / 8;
    QVERIFY(near(slowest, expected, expected));
    QVERIFY(answer.stageMemory[1].microbatchesInFlight == 3 && answer.stageMemory[2].microbatchesInFlight == 2
        && answer.stageMemory[3].microbatchesInFlight == 1);
}

void DetailedTablesTest::bubbleIsTheClosedForm_data()
{
    QTest::addColumn<int>("stages");
    QTest::addColumn<int>("chunks");
    QTest::addColumn<int>("microbatches");
    for (const int stages : {1, 2, 4, 7, 16})
        for (const int chunks : {1, 2, 3, 5})
            for (const int rounds : {1, 2, 3}) {
                if (stages > 1 || chunks == 1)
                    QTest::addRow("p %d, v %d, m %d", stages, chunks, rounds * stages)
                        << stages << chunks << rounds * stages;
                if (chunks == 1)
                    QTest::addRow("p %d, m %d", stages, rounds * 3 + 1) << stages << chunks << rounds * 3 + 1;
            }
}

void DetailedTablesTest::bubbleIsTheClosedForm()
{
    QFETCH(int, stages);
    QFETCH(int, chunks);
    QFETCH(int, microbatches);
    const auto made = equalStages(stages, chunks, microbatches);
    const auto pricer = Pricer::make(made.setting);
    QVERIFY(pricer->isLegal(made.layout));
    const auto drawn = schedule(*pricer, made.layout, 1000);
    QVERIFY(drawn.has_value());
    QCOMPARE(drawn->shownMicrobatches, microbatches);
    QCOMPARE(drawn->boxes.size(), std::size_t(2 * stages * chunks * microbatches));
    const auto exact = runSchedule({.forward = std::vector<double>(std::size_t(stages * chunks), 1),
                                       .backward = std::vector<double>(std::size_t(stages * chunks), 2),
                                       .chunks = chunks},
        stages, microbatches, 0);
    QVERIFY(std::abs(exact.bubbleFraction - double(stages - 1) / (chunks * microbatches + stages - 1)) < 1e-12);
    QCOMPARE(exact.length.value(), 3.0 * (chunks * microbatches + stages - 1));
    // Embedding and an output layer of one word are what is left of unequal ends.
    const double expected = double(stages - 1) / (chunks * microbatches + stages - 1);
    QVERIFY2(std::abs(drawn->bubbleFraction - expected) < 2e-3,
        qPrintable(QString::number(drawn->bubbleFraction) + QStringLiteral(" is not ") + QString::number(expected)));
    const auto figures = pricer->price(made.layout);
    const double pipeline =
        (figures.stepTime - figures.overheadTime - figures.optimizerTime - figures.dp.exposed).value();
    QVERIFY2(std::abs(drawn->length.value() - pipeline) < 2e-3 * pipeline,
        qPrintable(QString::number(drawn->length.value()) + QStringLiteral(" s is not ") + QString::number(pipeline)));
}

void DetailedTablesTest::schedulesKeepTheirOrder()
{
    int drawnOnes = 0;
    DetailedMaker maker(5);
    while (drawnOnes < 150) {
        const auto made = maker.next();
        if (!made)
            continue;
        const auto &layout = made->layout;
        const auto pricer = Pricer::make(made->setting);
        const auto drawn = schedule(*pricer, layout, 24);
        QVERIFY(drawn.has_value());
        ++drawnOnes;
        const int stages = drawn->stages, chunks = int(layout.virtualStages), m = drawn->shownMicrobatches;
        QCOMPARE(drawn->boxes.size(), std::size_t(2 * stages * chunks * m));
        QVERIFY(drawn->bubbleFraction > -1e-12 && drawn->bubbleFraction < 1);
        std::map<std::tuple<int, int, int, bool>, const ScheduleBox *> at;
        std::map<int, double> free;
        double start = 0;
        for (const auto &box : drawn->boxes) {
            QVERIFY(box.start.value() >= start);
            start = box.start.value();
            QVERIFY(box.end >= box.start && box.end <= drawn->length);
            QVERIFY(box.start.value() >= free[box.stage] - 1e-15); // one thing at a time
            free[box.stage] = box.end.value();
            at[{box.chunk * stages + box.stage, box.microbatch, 0, box.backward}] = &box;
        }
        QCOMPARE(at.size(), drawn->boxes.size());
        const int links = stages * chunks;
        for (int microbatch = 0; microbatch < m; ++microbatch)
            for (int link = 0; link < links; ++link) {
                const auto *forward = at[{link, microbatch, 0, false}], *backward = at[{link, microbatch, 0, true}];
                QVERIFY(backward->start >= forward->end);
                if (link > 0) {
                    QVERIFY(forward->start >= (at[{link - 1, microbatch, 0, false}])->end);
                    QVERIFY((at[{link - 1, microbatch, 0, true}])->start >= backward->end);
                }
            }
    }
}

void DetailedTablesTest::scheduleOfUnequalStages()
{
    auto made = equalStages(4, 1, 16);
    made.setting.architecture.layers = 13;
    const auto pricer = Pricer::make(made.setting);
    const auto drawn = schedule(*pricer, made.layout, 8);
    QVERIFY(drawn.has_value());
    QCOMPARE(drawn->microbatches, 16);
    QCOMPARE(drawn->shownMicrobatches, 8);
    QVERIFY(drawn->bubbleFraction > 3.0 / 11); // shorter stages wait, too
}

void DetailedTablesTest::schedulesThatAreNotDrawn()
{
    auto made = equalStages(128, 1, 128);
    const auto deep = schedule(*Pricer::make(made.setting), made.layout);
    QVERIFY(!deep);
    QCOMPARE(deep.error().field, std::string("parallelism.pp"));
    made = equalStages(4, 1, 8);
    made.setting.bubbleShare = 0;
    const auto zeroBubble = schedule(*Pricer::make(made.setting), made.layout);
    QVERIFY(!zeroBubble);
    QCOMPARE(zeroBubble.error().field, std::string("bubble_share"));
}

FLEETWRIGHT_TEST(DetailedTablesTest)
#include "tst_detailedtables.moc"
