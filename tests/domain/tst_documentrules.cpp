// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/ledgerentry.h"
#include "domain/samples.h"
#include "domain/studydocument.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>

using namespace fleetwright;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

StudyDocument study()
{
    StudyDocument made{.id = "my-study", .title = "Mine", .summary = "What it is about.", .steps = {}};
    made.steps.push_back({"brief", "Brief", "Read this.", BriefStep{}});
    made.steps.push_back({"guess", "Guess", "What happens?",
        PredictStep{{{"a", "It grows", "It does.", true}, {"b", "It falls", "It does not.", false}}}});
    made.steps.push_back(
        {"try", "Try", "Move it.", InstrumentStep{DpWallSettings{}, {InstrumentControl::Accelerators}, "guess"}});
    made.steps.push_back({"answer", "Answer", "", RevealStep{"guess"}});
    made.steps.push_back({"think", "Think", "Why?", ReflectStep{}});
    made.steps.push_back({"end", "End", "", TakeawaysStep{{"Remember."}}});
    return made;
}

template <class Step> Step &stepOf(StudyDocument &document, std::size_t index)
{
    return std::get<Step>(document.steps[index].content);
}

LedgerEntry entry() { return {.when = "2025-03-01T09:30:00Z", .title = "Which fleet"}; }

} // namespace

/// Rules of studies, their instruments, ledger entries, layouts' precision and training: each broken alone.
class TestDocumentRules : public QObject {
    Q_OBJECT
private slots:
    void studies()
    {
        struct Case {
            const char *field;
            ErrorCode code;
            std::function<void(StudyDocument &)> spoil;
        };
        QVERIFY(check(study()));
        const std::string longText(2001, 'x');
        const std::vector<Case> cases{
            {"id", ErrorCode::MissingField, [](auto &s) { s.id.clear(); }},
            {"id", ErrorCode::OutOfRange, [](auto &s) { s.id = "My study"; }},
            {"id", ErrorCode::OutOfRange, [](auto &s) { s.id = std::string(101, 'a'); }},
            {"title", ErrorCode::MissingField, [](auto &s) { s.title = " \n"; }},
            {"title", ErrorCode::OutOfRange, [](auto &s) { s.title = std::string(301, 't'); }},
            {"summary", ErrorCode::MissingField, [](auto &s) { s.summary.clear(); }},
            {"steps", ErrorCode::MissingField, [](auto &s) { s.steps.clear(); }},
            {"steps", ErrorCode::MissingField, [](auto &s) { s.steps.pop_back(); }}, // ends without takeaways
            {"steps", ErrorCode::OutOfRange, [](auto &s) { s.steps.resize(101, s.steps[0]); }},
            {"steps[3].id", ErrorCode::UnsupportedValue, [](auto &s) { s.steps[3].id = "brief"; }},
            {"steps[0].text", ErrorCode::MissingField, [](auto &s) { s.steps[0].text.clear(); }},
            {"steps[4].text", ErrorCode::OutOfRange, [&](auto &s) { s.steps[4].text = longText; }},
            {"steps[1].choices", ErrorCode::OutOfRange, [](auto &s) { stepOf<PredictStep>(s, 1).choices.resize(1); }},
            {"steps[1].choices", ErrorCode::UnsupportedValue,
                [](auto &s) { stepOf<PredictStep>(s, 1).choices[1].right = true; }},
            {"steps[1].choices", ErrorCode::UnsupportedValue,
                [](auto &s) { stepOf<PredictStep>(s, 1).choices[0].right = false; }},
            {"steps[1].choices[1].id", ErrorCode::UnsupportedValue,
                [](auto &s) { stepOf<PredictStep>(s, 1).choices[1].id = "a"; }},
            {"steps[1].choices[0].reply", ErrorCode::MissingField,
                [](auto &s) { stepOf<PredictStep>(s, 1).choices[0].reply.clear(); }},
            {"steps[2].movable", ErrorCode::MissingField,
                [](auto &s) { stepOf<InstrumentStep>(s, 2).movable.clear(); }},
            {"steps[2].movable[0]", ErrorCode::UnsupportedValue,
                [](auto &s) { stepOf<InstrumentStep>(s, 2).movable = {InstrumentControl::TensorParallel}; }},
            {"steps[2].movable[1]", ErrorCode::UnsupportedValue,
                [](auto &s) {
                    stepOf<InstrumentStep>(s, 2).movable = {InstrumentControl::Links, InstrumentControl::Links};
                }},
            {"steps[2].start.accelerators", ErrorCode::OutOfRange,
                [](auto &s) { stepOf<InstrumentStep>(s, 2).start = DpWallSettings{.accelerators = 0}; }},
            {"steps[2].unlocked_by", ErrorCode::MissingField,
                [](auto &s) { stepOf<InstrumentStep>(s, 2).unlockedBy.clear(); }},
            {"steps[3].of", ErrorCode::UnknownReference, [](auto &s) { stepOf<RevealStep>(s, 3).of = "brief"; }},
            {"steps[0].of", ErrorCode::UnknownReference, // the prediction comes later
                [](auto &s) { std::rotate(s.steps.begin(), s.steps.begin() + 3, s.steps.begin() + 4); }},
            {"steps[5].points", ErrorCode::OutOfRange, [](auto &s) { stepOf<TakeawaysStep>(s, 5).points.clear(); }},
            {"steps[5].points[0]", ErrorCode::MissingField,
                [](auto &s) { stepOf<TakeawaysStep>(s, 5).points[0] = " "; }},
        };
        for (std::size_t i = 0; i < cases.size(); ++i) {
            auto document = study();
            cases[i].spoil(document);
            const auto checked = check(document);
            const auto place = "case " + std::to_string(i) + ", " + cases[i].field;
            QVERIFY2(!checked, place.c_str());
            QVERIFY2(checked.error().field == cases[i].field, (place + " and not " + checked.error().field).c_str());
            QVERIFY2(checked.error().code == cases[i].code, place.c_str());
        }
    }

    void stepsOfAStudy()
    {
        const auto document = study();
        QCOMPARE(document.step("try"), &document.steps[2]);
        QVERIFY(!document.step("nowhere"));
        std::set<std::string_view> kinds;
        for (const auto &step : document.steps)
            kinds.insert(kindOf(step));
        QCOMPARE(kinds.size(), document.steps.size());
        auto progress = StudyProgress{.studyId = "my-study", .settings = {{"try", DpWallSettings{}}}};
        QVERIFY(check(progress));
        progress.settings["try"] = CubeSettings{.tp = 65};
        QCOMPARE(check(progress).error().field, std::string("settings.try.tp"));
        progress.settings.clear();
        progress.reflections["think"] = std::string(2001, 'x');
        QCOMPARE(check(progress).error().field, std::string("reflections.think"));
        progress.reflections["think"].clear(); // not answered yet
        QVERIFY(check(progress));
        progress.studyId = "Not an id";
        QCOMPARE(check(progress).error().field, std::string("study"));
    }

    /// Each control has its own bounds, and two settings agree on it until it alone is moved.
    void instruments()
    {
        struct Control {
            InstrumentControl control;
            double least, most;
            std::function<InstrumentSettings(double)> with;
        };
        const std::vector<Control> controls{
            {InstrumentControl::Parameters, fewestWallBillions, mostWallBillions,
                [](double v) { return DpWallSettings{.parameterBillions = v}; }},
            {InstrumentControl::Accelerators, 1, mostWallAccelerators,
                [](double v) { return DpWallSettings{.accelerators = int(v)}; }},
            {InstrumentControl::Microbatch, 1, mostWallMicrobatch,
                [](double v) { return DpWallSettings{.microbatch = int(v)}; }},
            {InstrumentControl::TensorParallel, 1, mostCubeRanks, [](double v) { return CubeSettings{.tp = int(v)}; }},
            {InstrumentControl::PipelineParallel, 1, mostCubeRanks,
                [](double v) { return CubeSettings{.pp = int(v)}; }},
            {InstrumentControl::Microbatches, 1, mostCubeMicrobatches,
                [](double v) { return CubeSettings{.microbatches = int(v)}; }},
        };
        for (const auto &[control, least, most, with] : controls) {
            const std::string key(toString(control));
            QVERIFY2(check(with(least), "at") && check(with(most), "at"), key.c_str());
            for (const double value : {least - 1, most + 1}) {
                const auto checked = check(with(value), "at");
                QVERIFY2(!checked, key.c_str());
                QCOMPARE(checked.error().field, "at." + key);
            }
            const auto one = with(least), two = with(most);
            for (const auto other : controlsOf(one))
                QCOMPARE(agree(one, two, other), other != control);
            QVERIFY(std::ranges::find(controlsOf(one), control) != controlsOf(one).end());
        }
        QVERIFY(!check(DpWallSettings{.parameterBillions = notANumber}, "at"));
        QVERIFY(!agree(DpWallSettings{}, CubeSettings{}, InstrumentControl::Variant)); // two instruments
        QVERIFY(!agree(DpWallSettings{}, DpWallSettings{.fabric = WallFabric::ScaleUp}, InstrumentControl::Links));
        QVERIFY(
            !agree(CubeSettings{}, CubeSettings{.variant = InstrumentVariant::Corrected}, InstrumentControl::Variant));
        QVERIFY(instrumentId(DpWallSettings{}) != instrumentId(CubeSettings{}));
    }

    void ledgerTimes()
    {
        for (const auto &[when, good] : {std::pair("2025-03-01T09:30:00Z", true), {"2024-02-29T00:00:00Z", true},
                 {"2000-02-29T23:59:59Z", true}, {"2025-02-29T00:00:00Z", false}, {"1900-02-29T00:00:00Z", false},
                 {"2025-13-01T00:00:00Z", false}, {"2025-00-10T00:00:00Z", false}, {"2025-04-31T00:00:00Z", false},
                 {"2025-03-01T24:00:00Z", false}, {"2025-03-01T09:60:00Z", false}, {"2025-03-01T09:30:60Z", false},
                 {"2025-03-01 09:30:00Z", false}, {"2025-03-01T09:30:00", false}, {"2025-3-1T09:30:00Z", false},
                 {"2025-03-01T09:30:00+00:00", false}, {"", false}, {"20x5-03-01T09:30:00Z", false}}) {
            auto made = entry();
            made.when = when;
            const auto checked = check(made);
            QVERIFY2(checked.has_value() == good, when);
            if (!good)
                QCOMPARE(checked.error().field, std::string("when"));
        }
    }

    void ledgerEntries()
    {
        QVERIFY(check(entry()));
        auto made = entry();
        made.tp = 8, made.pp = 4, made.dp = 32, made.accelerators = 1024;
        QVERIFY(check(made)); // exactly all of them
        made.accelerators = 1023;
        QCOMPARE(check(made).error().field, std::string("accelerators"));
        made.accelerators.reset();
        QVERIFY(check(made));
        made.tp = 0;
        QCOMPARE(check(made).error().field, std::string("tp"));
        for (const auto &[mfu, good] :
            {std::pair(0.0, true), {1.0, true}, {-0.01, false}, {1.01, false}, {notANumber, false}}) {
            made = entry();
            made.mfu = mfu;
            QCOMPARE(check(made).has_value(), good);
        }
        made = entry();
        made.predictionHeld = true;
        QCOMPARE(check(made).error().field, std::string("prediction"));
        made.prediction = "It fits.";
        QVERIFY(check(made));
        made.title = " ";
        QCOMPARE(check(made).error().field, std::string("title"));
        std::set<std::string_view> words, titles;
        for (const auto context : allLedgerContexts) {
            words.insert(toString(context));
            titles.insert(title(context));
        }
        QVERIFY(words.size() == allLedgerContexts.size() && titles.size() == allLedgerContexts.size());
    }

    void precisionsAsTyped()
    {
        for (const auto precision : allPrecisions) {
            std::string upper(toString(precision));
            std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return char(std::toupper(c)); });
            QVERIFY(parsePrecision(upper) == precision);
            QVERIFY(!parsePrecision(upper + " ") && !parsePrecision(upper.substr(1)));
            const double bytes = bytesPerElement(precision).value();
            QVERIFY(bytes == 4 || bytes == 2 || bytes == 1 || bytes == 0.5);
        }
        const auto refused = parsePrecision(std::string(5000, 'f'));
        QVERIFY(!refused && refused.error().message.size() < 300 && refused.error().message.contains("bf16"));
        // The width is that of the name, tf32 aside, which is stored as fp32.
        QCOMPARE(bytesPerElement(Precision::Tf32).value(), bytesPerElement(Precision::Fp32).value());
        QCOMPARE(bytesPerElement(Precision::Fp8).value(), 2 * bytesPerElement(Precision::Fp4).value());
        for (const auto recompute : {Recompute::None, Recompute::Selective, Recompute::Full})
            QVERIFY(parseRecompute(toString(recompute)) == recompute);
        QCOMPARE(parseRecompute("Full").error().field, std::string("training.recompute"));
    }

    void trainingBounds()
    {
        struct Field {
            const char *name;
            double least, most;
            std::function<void(Training &, double)> set;
        };
        const std::vector<Field> all{
            {"training.global_batch", 1, 1e9, [](auto &t, double v) { t.globalBatch = int(v); }},
            {"training.microbatch_count", 1, 1e9, [](auto &t, double v) { t.microbatchCount = int(v); }},
            {"training.seq_len", 1, 1e9, [](auto &t, double v) { t.sequenceLength = int(v); }},
            {"training.accumulation_steps", 1, 1e9, [](auto &t, double v) { t.accumulationSteps = int(v); }},
            {"training.token_budget", 1, 1e18, [](auto &t, double v) { t.tokenBudget = v; }},
        };
        for (const auto &[name, least, most, set] : all)
            for (const auto &[value, good] : {std::pair(least, true), {most, true}, {least - 1, false}, {-5.0, false},
                     {std::min(most * 1.5, 2e18), false}}) {
                Training training;
                set(training, value);
                const auto checked = check(training);
                QVERIFY2(checked.has_value() == good, name);
                if (!good)
                    QCOMPARE(checked.error().field, std::string(name));
            }
        Training training;
        training.tokenBudget = notANumber;
        QVERIFY(!check(training));
    }

    /// The plan's budget comes first, the workload's published tokens stand in.
    void tokenBudgetOfAPlan()
    {
        auto document = samples::plan();
        auto catalog = samples::catalog();
        QCOMPARE((*resolve(document, catalog))->tokenBudget(), std::optional(1e12));
        document.training.tokenBudget = 5e9;
        QCOMPARE((*resolve(document, catalog))->tokenBudget(), std::optional(5e9));
        document.training.tokenBudget.reset();
        auto workload = samples::workload();
        workload.values.erase("training_tokens");
        catalog.insert(workload);
        QVERIFY(!(*resolve(document, catalog))->tokenBudget());
        document.name = std::string(300, 'n');
        QVERIFY(resolve(document, catalog));
        document.name += 'n';
        QCOMPARE(resolve(document, catalog).error().field, std::string("name"));
    }

    void namesOfReferences()
    {
        const auto catalog = samples::catalog();
        QCOMPARE(nameOf(std::string("test_node"), CatalogKind::Node, catalog), std::string("test_node"));
        QCOMPARE(nameOf(std::string("gone"), CatalogKind::Node, catalog), std::string("gone"));
        auto own = samples::node();
        own.name = "My node";
        QCOMPARE(nameOf(own, CatalogKind::Node, catalog), std::string("My node"));
        // What stands inline is checked as an item of the catalog is, with the path of its field.
        auto document = samples::plan();
        own.values["accelerators_per_node"] = 0.5;
        document.fleet.node = own;
        QCOMPARE(resolve(document, catalog).error().field, std::string("fleet.node.accelerators_per_node"));
    }
};

FLEETWRIGHT_TEST(TestDocumentRules)
#include "tst_documentrules.moc"
