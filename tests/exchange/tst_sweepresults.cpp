// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/samples.h"
#include "exchange/sweepdocuments.h"
#include "exchange/sweepresults.h"
#include "testing/registry.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace fleetwright;
using namespace Qt::StringLiterals;

namespace {

SweepDocument document()
{
    SweepDocument made;
    made.name = "PP and microbatches";
    made.plan = samples::plan();
    made.axes = {axisOf("parallelism.pp", {1.0, 4.0, 1024.0}), axisOf("training.microbatch_count", {1.0, 16.0})};
    made.figure = "bubble_fraction";
    made.mark = 0.3;
    return made;
}

} // namespace

class TestSweepResults : public QObject {
    Q_OBJECT
private slots:
    void roundTrips();
    void keepsWhatIsOnlyLikely();
    void readsOlderKeys();
    void refusesOtherTexts_data();
    void refusesOtherTexts();
    void answersForPrograms();
};

void TestSweepResults::roundTrips()
{
    const auto result = runSweep(document(), samples::catalog());
    QVERIFY(result.has_value());
    const auto text = exchange::runToText(document(), *result);
    const auto run = exchange::runFromText(text);
    QVERIFY2(run.has_value(), run ? "" : run.error().message.c_str());
    QVERIFY(run->document == document());
    const auto *back = &run->result;
    QVERIFY(back->models == result->models);
    QCOMPARE(back->cells.size(), result->cells.size());
    for (std::size_t i = 0; i < result->cells.size(); ++i) {
        QVERIFY(back->cells[i].refused == result->cells[i].refused);
        QVERIFY(back->cells[i].problems == result->cells[i].problems);
        QVERIFY(back->cells[i].notices == result->cells[i].notices);
        for (const auto &figure : allFigures())
            QVERIFY2(back->figure(back->cells[i], figure.key) == result->figure(result->cells[i], figure.key),
                figure.key.data());
    }
    QCOMPARE(exchange::runToText(document(), *back), text);
}

/// Only where a cell is feasible; results of earlier versions do not say it.
void TestSweepResults::keepsWhatIsOnlyLikely()
{
    auto result = runSweep(document(), samples::catalog()).value();
    const auto feasible = std::ranges::find_if(
        result.cells, [](const SweepCell &cell) { return cell.feasibility() == true; });
    QVERIFY(feasible != result.cells.end());
    const auto at = std::size_t(feasible - result.cells.begin());
    const auto before = exchange::runToText(document(), result);
    QVERIFY(!before.contains("only_likely"));
    QVERIFY(!exchange::runFromText(before)->result.cells[at].onlyLikely);
    feasible->onlyLikely = true;
    const auto text = exchange::runToText(document(), result);
    const auto back = exchange::runFromText(text)->result;
    for (std::size_t i = 0; i < back.cells.size(); ++i)
        QCOMPARE(back.cells[i].onlyLikely, i == at);
    const auto json = exchange::sweepAnswerToJson(document(), result, samples::catalog());
    QVERIFY(json["cells"][at]["only_likely"] == true);
    auto broken = nlohmann::ordered_json::parse(text);
    broken["result"]["cells"][at]["feasible"] = false;
    QVERIFY(!exchange::runFromText(broken.dump())->result.cells[at].onlyLikely);
}

/// Results of version 0.1 name parts of the step otherwise and call the share that `detailed` gave a fraction.
void TestSweepResults::readsOlderKeys()
{
    auto asked = document();
    asked.costModels = {"detailed", "first-order"};
    asked.figure = "step_time_s";
    asked.mark.reset();
    const auto cell = [](int row, int column, int model) {
        return nlohmann::ordered_json{{"point", {row, column}}, {"cost_model", model}, {"ok", true}, {"feasible", true},
            {"values", {4.0, 0.5, 0.25}}, {"problems", nlohmann::ordered_json::array()},
            {"notices", nlohmann::ordered_json::array()}};
    };
    nlohmann::ordered_json json{
        {"cost_models", {{{"id", "detailed"}, {"version", "1"}}, {{"id", "first-order"}, {"version", "1"}}}},
        {"points", {3, 2}}, {"figures", {"step_time_s", "breakdown.tp_s", "bubble_fraction"}},
        {"cells", nlohmann::ordered_json::array()}};
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 2; ++column)
            for (int model = 0; model < 2; ++model)
                json["cells"].push_back(cell(row, column, model));
    const auto run = exchange::runFromText(
        nlohmann::ordered_json{{"sweep", exchange::sweepToJson(asked)}, {"result", json}}.dump());
    QVERIFY2(run.has_value(), run ? "" : run.error().message.c_str());
    const auto *read = &run->result;
    const auto &detailed = read->cells[0], &first = read->cells[1];
    QCOMPARE(read->figure(detailed, "exposed_tp_comm_time_s"), std::optional(0.5));
    QCOMPARE(read->figure(detailed, "bubble_share_of_step"), std::optional(0.25));
    QVERIFY(!read->figure(detailed, "bubble_fraction"));
    QCOMPARE(read->figure(first, "bubble_fraction"), std::optional(0.25));
    QVERIFY(!read->figure(first, "bubble_share_of_step"));
}

void TestSweepResults::refusesOtherTexts_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto good = nlohmann::ordered_json::parse(
        exchange::runToText(document(), *runSweep(document(), samples::catalog())));
    const auto row = [&](const char *title, auto change) {
        auto json = good;
        change(json["result"]);
        QTest::newRow(title) << QByteArray::fromStdString(json.dump());
    };
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("not JSON") << QByteArray("cells");
    QTest::newRow("another object") << QByteArray("{}");
    row("cell missing", [](auto &json) { json["cells"].erase(0); });
    row("other points", [](auto &json) { json["points"][0] = 2; });
    row("negative points", [](auto &json) { json["points"][0] = -3; });
    row("value too many", [](auto &json) { json["cells"][0]["values"].push_back(1); });
    row("value a text", [](auto &json) { json["cells"][0]["values"][0] = "fast"; });
    row("no models", [](auto &json) { json["cost_models"] = nlohmann::ordered_json::array(); });
    row("ok a text", [](auto &json) { json["cells"][0]["ok"] = "yes"; });
    row("figures a number", [](auto &json) { json["figures"] = 3; });
}

void TestSweepResults::refusesOtherTexts()
{
    QFETCH(QByteArray, text);
    const auto result = exchange::runFromText(text.toStdString());
    QVERIFY(!result);
    QVERIFY2(result.error().message.contains("run the sweep again"), result.error().message.c_str());
}

void TestSweepResults::answersForPrograms()
{
    const auto result = runSweep(document(), samples::catalog());
    const auto json = exchange::sweepAnswerToJson(document(), *result, samples::catalog());
    QCOMPARE(json["cells"].size(), 6UZ);
    QCOMPARE(json["cells"][1]["set"]["training.microbatch_count"].get<double>(), 16.0);
    QCOMPARE(
        json["cells"][1]["figures"]["step_time_s"].get<double>(), *result->figure(result->cells[1], "step_time_s"));
    QVERIFY(!json["cells"][1]["figures"].contains("cp_comm_time_s"));
    QVERIFY(!json["cells"][5]["ok"].get<bool>());
    QVERIFY(json["cells"][5]["error"]["message"].get<std::string>().size() > 20);
    QCOMPARE(json["crossings"].size(), 2UZ);
    QCOMPARE(json["input_hash"].get<std::string>().size(), 64UZ);
}

FLEETWRIGHT_TEST(TestSweepResults)
#include "tst_sweepresults.moc"
