// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of a guided study: order, locks, verdict and the decision it records.
#include "solver/answer/decision.h"
#include "solver/study/instruments.h"
#include "solver/study/study.h"
#include "testing/registry.h"

#include "sampleplan.h"

#include <QTest>

using namespace fleetwright;

namespace {

/// Two questions around one cube.
StudyDocument twoQuestions()
{
    const std::vector<Choice> choices{{"yes", "Yes", "Right.", true}, {"no", "No", "Wrong.", false}};
    const CubeSettings start{1, 1, 16, InstrumentVariant::Published};
    return {"two", "Two questions", "Short.", StudyContext::ThreeDimensional,
        {{"intro", "Intro", "Read.", BriefStep{}}, {"q1", "First question", "?", PredictStep{choices}},
            {"cube", "Cube", "Move.",
                InstrumentStep{start, {InstrumentControl::TensorParallel, InstrumentControl::PipelineParallel}, "q1"}},
            {"r1", "Answer", "", RevealStep{"q1"}}, {"q2", "Second question", "?", PredictStep{choices}},
            {"think", "Think", "Why?", ReflectStep{}}, {"end", "End", "", TakeawaysStep{{"Done."}}}}};
}

StudyProgress answeredBoth(const char *first, const char *second)
{
    const auto study = twoQuestions();
    auto progress = study::answered(study, study::started(study), "q1", first).value();
    return study::answered(study, progress, "q2", second).value();
}

} // namespace

class TestStudy : public QObject {
    Q_OBJECT

private slots:
    void sampleIsValid();
    void stepsOpenInOrder();
    void answersStay();
    void instrumentsWaitForTheirPrediction();
    void fixedControlsStay();
    void reflections();
    void tiers_data();
    void tiers();
    void finishing();
    void fitsAChangedDocument();
    void recordsTheDecision();
    void recordsAPlan();
    void readsInstruments();
    void machineOfAPlan();
};

void TestStudy::sampleIsValid()
{
    const auto ok = check(twoQuestions());
    QVERIFY2(ok, ok ? "" : ok.error().message.c_str());
}

void TestStudy::stepsOpenInOrder()
{
    const auto study = twoQuestions();
    auto progress = study::started(study);
    QCOMPARE(study::currentIndex(study, progress), 0UZ);
    for (std::size_t i = 0; i < 3; ++i)
        QVERIFY(study::blockedBy(study, progress, i).empty()); // the instrument may be looked at, locked
    for (std::size_t i = 3; i < 7; ++i)
        QCOMPARE(study::blockedBy(study, progress, i), std::string("q1"));
    const auto refused = study::wentTo(study, progress, 3);
    QVERIFY(!refused);
    QCOMPARE(int(refused.error().code), int(ErrorCode::ConstraintViolated));
    QCOMPARE(refused.error().message, std::string("Make your prediction “First question” first."));
    QVERIFY(!study::wentTo(study, progress, 7));
    progress = study::answered(study, progress, "q1", "no").value();
    QVERIFY(study::blockedBy(study, progress, 4).empty());
    QCOMPARE(study::blockedBy(study, progress, 5), std::string("q2"));
    QCOMPARE(study::wentTo(study, progress, 4)->currentStep, std::string("q2"));
    progress = study::answered(study, progress, "q2", "no").value();
    QVERIFY(study::blockedBy(study, progress, 6).empty());
}

void TestStudy::answersStay()
{
    const auto study = twoQuestions();
    const auto progress = study::answered(study, study::started(study), "q1", "no").value();
    QCOMPARE(study::answer(study, progress, "q1")->reply, std::string("Wrong."));
    const auto again = study::answered(study, progress, "q1", "yes");
    QVERIFY(!again);
    QCOMPARE(again.error().message,
        std::string("This prediction is made and stays; start the study again to predict anew."));
    QCOMPARE(int(study::answered(study, progress, "q2", "maybe").error().code), int(ErrorCode::UnknownReference));
    QCOMPARE(int(study::answered(study, progress, "cube", "yes").error().code), int(ErrorCode::UnknownReference));
}

void TestStudy::instrumentsWaitForTheirPrediction()
{
    const auto study = twoQuestions();
    auto progress = study::started(study);
    const CubeSettings wanted{4, 8, 16, InstrumentVariant::Published};
    QCOMPARE(study::lockedBy(study, progress, "cube"), std::string("q1"));
    const auto locked = study::moved(study, progress, "cube", wanted);
    QVERIFY(!locked);
    QCOMPARE(
        locked.error().message, std::string("Make your prediction “First question” first; then the instrument opens."));
    progress = study::answered(study, progress, "q1", "yes").value();
    QVERIFY(study::lockedBy(study, progress, "cube").empty());
    progress = study::moved(study, progress, "cube", wanted).value();
    QVERIFY(study::settingsOf(study, progress, "cube") == InstrumentSettings(wanted));
}

void TestStudy::fixedControlsStay()
{
    const auto study = twoQuestions();
    const auto progress = study::answered(study, study::started(study), "q1", "yes").value();
    const auto refused = study::moved(study, progress, "cube", CubeSettings{1, 1, 32, InstrumentVariant::Published});
    QVERIFY(!refused);
    QCOMPARE(refused.error().field, std::string("settings.cube.microbatches"));
    QCOMPARE(
        int(study::moved(study, progress, "cube", CubeSettings{65, 1, 16, InstrumentVariant::Published}).error().code),
        int(ErrorCode::OutOfRange));
    QVERIFY(!study::moved(study, progress, "cube", DpWallSettings{}));
}

void TestStudy::reflections()
{
    const auto study = twoQuestions();
    auto progress = study::reflected(study, study::started(study), "think", "Because.").value();
    QCOMPARE(progress.reflections.at("think"), std::string("Because."));
    progress = study::reflected(study, progress, "think", "").value();
    QVERIFY(progress.reflections.empty());
    QVERIFY(!study::reflected(study, progress, "q1", "x"));
    QVERIFY(!study::reflected(study, progress, "think", std::string(2001, 'x')));
}

void TestStudy::tiers_data()
{
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("second");
    QTest::addColumn<double>("mfu");
    QTest::addColumn<bool>("valid");
    QTest::addColumn<bool>("fits");
    QTest::addColumn<double>("bubble");
    QTest::addColumn<QString>("tier");
    const auto row = [](const char *title, const char *first, const char *second, double mfu, bool valid, bool fits,
                         double bubble, const char *tier) {
        QTest::newRow(title) << QString::fromLatin1(first) << QString::fromLatin1(second) << mfu << valid << fits
                             << bubble << QString::fromLatin1(tier);
    };
    row("all at their limits", "yes", "yes", 0.40, true, true, 0.10, "optimal");
    row("MFU just below", "yes", "yes", 0.3999, true, true, 0.10, "partial");
    row("out of memory", "yes", "yes", 0.5, true, false, 0.0, "partial");
    row("bubble just above", "yes", "yes", 0.5, true, true, 0.1001, "partial");
    row("does not divide", "yes", "yes", 0.5, false, true, 0.0, "partial");
    row("one wrong", "yes", "no", 0.5, true, true, 0.0, "partial");
    row("other wrong", "no", "yes", 0.5, true, true, 0.0, "partial");
    row("both wrong", "no", "no", 0.5, true, true, 0.0, "developing");
}

void TestStudy::tiers()
{
    QFETCH(QString, first);
    QFETCH(QString, second);
    QFETCH(double, mfu);
    QFETCH(bool, valid);
    QFETCH(bool, fits);
    QFETCH(double, bubble);
    QFETCH(QString, tier);
    const auto study = twoQuestions();
    const auto progress = answeredBoth(first.toLatin1().constData(), second.toLatin1().constData());
    const auto verdict = study::verdict(study, progress, {valid, mfu, fits, bubble});
    QCOMPARE(QString::fromUtf8(study::toString(verdict.tier).data()), tier);
    QCOMPARE(verdict.predictions.size(), 2UZ);
    QCOMPARE(verdict.predictions[0].held, first == QLatin1String("yes"));
    // What an instrument does not know does not stand in the way; an MFU must be known.
    const auto bare = study::verdict(study, progress, {valid, mfu, std::nullopt, std::nullopt});
    if (valid && mfu >= 0.4 && first == second && first == QLatin1String("yes"))
        QCOMPARE(int(bare.tier), int(study::Tier::Optimal));
    QVERIFY(study::verdict(study, progress, {}).tier != study::Tier::Optimal);
}

void TestStudy::finishing()
{
    const auto study = twoQuestions();
    QVERIFY(!study::finished(study, study::started(study)));
    const auto progress = study::finished(study, answeredBoth("no", "no"));
    QVERIFY(progress && progress->finished);
}

void TestStudy::fitsAChangedDocument()
{
    auto study = twoQuestions();
    auto progress = study::finished(study, answeredBoth("yes", "no")).value();
    progress.reflections["think"] = "x";
    progress.currentStep = "end";
    progress = study::moved(study, progress, "cube", CubeSettings{2, 1, 16, InstrumentVariant::Published}).value();
    QVERIFY(study::fitted(study, progress) == progress);
    std::get<PredictStep>(study.steps[4].content).choices[1].id = "never";
    study.steps[2].id = "cube-2";
    const auto fitted = study::fitted(study, progress);
    QCOMPARE(fitted.answers.size(), 1UZ);
    QVERIFY(fitted.settings.empty());
    QVERIFY(!fitted.finished);
    QCOMPARE(fitted.currentStep, std::string("q2")); // the last step that can still be reached
    study.id = "other";
    QVERIFY(study::fitted(study, progress) == study::started(study));
}

void TestStudy::recordsTheDecision()
{
    const auto study = twoQuestions();
    auto progress = study::moved(
        study, answeredBoth("yes", "no"), "cube", CubeSettings{2, 16, 16, InstrumentVariant::Published})
                        .value();
    const auto verdict = study::verdict(study, progress, {true, 0.43, true, 0.12});
    const auto entry = study::ledgerEntry(study, verdict, "2025-03-01T09:30:00Z", 1024, 32);
    QVERIFY(check(entry));
    QCOMPARE(int(entry.context), int(LedgerContext::ThreeDimensional));
    QCOMPARE(*entry.tp, 2);
    QCOMPARE(*entry.pp, 16);
    QCOMPARE(*entry.dp, 32);
    QCOMPARE(entry.prediction, std::string("Yes (held); No (did not hold)"));
    QCOMPARE(*entry.predictionHeld, false);
    QVERIFY(entry.constraintHit.starts_with("bubble 12"));
    QCOMPARE(entry.note, std::string("Tier: partial."));
    QCOMPARE(study::ledgerEntry(study, study::verdict(study, progress, {true, 0.43, false, 0.12}), entry.when, 1024, 32)
                 .constraintHit,
        std::string("out of memory"));
    QVERIFY(
        !study::ledgerEntry(study, study::verdict(study, progress, {false, 0.43, false, 0.12}), entry.when, 1024, 32)
             .dp);
}

void TestStudy::recordsAPlan()
{
    auto facts = sampleplan::plan();
    const auto plan = Plan::create(facts).value();
    auto solution = solve(plan).value();
    auto entry = decisionOn(plan, solution, "2025-03-01T09:30:00Z");
    QVERIFY(check(entry));
    QCOMPARE(*entry.tp, facts.parallelism.tp);
    QCOMPARE(*entry.dp, solution.estimate.dp);
    QCOMPARE(*entry.accelerators, plan->fleet->accelerators());
    QCOMPARE(*entry.mfu, *solution.estimate.mfu);
    QVERIFY(*entry.memoryFeasible);
    QCOMPARE(entry.constraintHit, std::string());
    facts.constraints.minMfu = 0.99;
    const auto strict = Plan::create(facts).value();
    solution = solve(strict).value();
    entry = decisionOn(strict, solution, "2025-03-01T09:30:00Z");
    QVERIFY(!solution.feasible);
    QVERIFY2(entry.constraintHit.contains("MFU"), entry.constraintHit.c_str());
}

void TestStudy::readsInstruments()
{
    const auto machine = instruments::standardMachine();
    const auto cube =
        instruments::read(CubeSettings{8, 4, 8, InstrumentVariant::Published}, machine).value(); // the lab's own answer
    QCOMPARE(*cube.outcome.mfu, 0.36050625);
    QCOMPARE(*cube.outcome.memoryFits, false);
    QCOMPARE(*cube.outcome.bubble, 0.09375);
    QCOMPARE(*cube.dp, 32);
    QCOMPARE(cube.accelerators, 1024);
    QVERIFY(*instruments::read(CubeSettings{8, 4, 8, InstrumentVariant::Corrected}, machine)->outcome.memoryFits);
    const auto invalid = instruments::read(CubeSettings{3, 2, 8, InstrumentVariant::Published}, machine).value();
    QVERIFY(!invalid.outcome.valid && !invalid.dp);
    const auto wall = instruments::read(
        DpWallSettings{1, 1024, 128, WallFabric::ScaleUp, InstrumentVariant::Published}, machine)
                          .value();
    QCOMPARE(*wall.outcome.mfu, 0.036145264023600514);
    QVERIFY(!wall.outcome.memoryFits && !wall.outcome.bubble);
}

void TestStudy::machineOfAPlan()
{
    const auto plan = Plan::create(sampleplan::plan()).value();
    const auto machine = instruments::machineOf(plan).value();
    QCOMPARE(machine.name, plan->name);
    QCOMPARE(machine.wall.peak.value(), plan->fleet->node->accelerator->peak(plan->training.precision)->value());
    QCOMPARE(machine.wall.tokensPerSample, double(plan->training.sequenceLength));
    QCOMPARE(machine.cube.capacity.value(), plan->fleet->node->accelerator->memoryCapacity.value());
    QCOMPARE(machine.cube.parameters, 175e9);
    QCOMPARE(int(machine.cube.variant), int(cube::Variant::Corrected));
    QCOMPARE(machine.wall.scaleOut.value(),
        (plan->fleet->scaleOutBandwidth() / plan->fleet->fabric->oversubscription).value());
}

FLEETWRIGHT_TEST(TestStudy)
#include "tst_study.moc"
