// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/nativemodels.h"
#include "testing/registry.h"
#include "text/utf8.h"

#include <QFile>
#include <QTest>

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <map>

using namespace fleetwright;
using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

namespace {

/// The published cases of one model: inputs with the expected outputs or the expected refusal, and the tolerance they
/// agree to.
const Json &readCases(const QString &model)
{
    static std::map<QString, Json> cases;
    if (const auto found = cases.find(model); found != cases.end())
        return found->second;
    QFile file(QStringLiteral(FLEETWRIGHT_TEST_DATA "/%1.json").arg(model));
    const bool open = file.open(QIODevice::ReadOnly);
    return cases[model] = open ? Json::parse(file.readAll().toStdString(), nullptr, false)
                               : Json::object({{"cases", Json::array()}});
}

/// Every difference between expected and computed values, with its path; keys that the program adds are ignored.
QStringList differences(
    const Json &expected, const Json &computed, double relative, double absolute, const QString &path = {})
{
    const auto mismatch = [&] {
        return QStringList{u"%1: expected %2, computed %3"_s.arg(
            path, QString::fromStdString(expected.dump()), QString::fromStdString(computed.dump()))};
    };
    QStringList found;
    if (expected.is_object()) {
        if (!computed.is_object())
            return mismatch();
        for (const auto &[key, value] : expected.items()) {
            const auto below = path + u'.' + QString::fromStdString(key);
            if (computed.contains(key))
                found += differences(value, computed[key], relative, absolute, below);
            else if (!value.is_null())
                found += below + u": missing"_s;
        }
        return found;
    }
    if (expected.is_array()) {
        if (!computed.is_array() || computed.size() != expected.size())
            return mismatch();
        for (std::size_t i = 0; i < expected.size(); ++i)
            found += differences(expected[i], computed[i], relative, absolute, u"%1[%2]"_s.arg(path).arg(i));
        return found;
    }
    if (!expected.is_number())
        return expected == computed ? QStringList{} : mismatch();
    if (!computed.is_number())
        return mismatch();
    const double e = expected.get<double>();
    const double c = computed.get<double>();
    return std::abs(e - c) <= std::max(relative * std::max(std::abs(e), std::abs(c)), absolute) ? QStringList{}
                                                                                                : mismatch();
}

Json firstCase(const QString &model)
{
    const auto &file = readCases(model);
    for (const auto &one : file.at("cases"))
        if (one.contains("expect"))
            return one["inputs"];
    return {};
}

} // namespace

class NativeModelsTest : public QObject {
    Q_OBJECT
private slots:
    void splitSearchTakesLengthAndRecomputation();
    void everyModelHasCases();
    void agreesWithCases_data();
    void agreesWithCases();
    void refusesMissingFields_data();
    void refusesMissingFields();
    void refusesBadValues_data();
    void refusesBadValues();
    void refusesUnknownModel();
    void chosenTopologyTakesEffect();
    void ignoresPublishedTopologyOverride();
    void namesAssumedValues();
};

void NativeModelsTest::everyModelHasCases()
{
    for (const auto name : exchange::nativeModels())
        QVERIFY2(readCases(utf8(name)).at("cases").size() > 1, std::string(name).c_str());
}

void NativeModelsTest::agreesWithCases_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("cases");
    for (const auto name : exchange::nativeModels())
        QTest::newRow(std::string(name).c_str()) << utf8(name) << utf8(name);
    for (const auto *version : {"2.0", "3.0"})
        QTest::addRow("detailed %s", version) << u"detailed"_s << u"detailed-%1"_s.arg(QString::fromUtf8(version));
}

void NativeModelsTest::agreesWithCases()
{
    QFETCH(const QString, model);
    QFETCH(const QString, cases);
    const auto &file = readCases(cases);
    const double relative = file.at("tolerance").at("relative").get<double>();
    const double absolute = file.at("tolerance").at("absolute").get<double>();
    QStringList wrong;
    for (const auto &one : file.at("cases")) {
        const auto id = QString::fromStdString(one["id"].get<std::string>());
        const auto answer = exchange::evaluateNative(model.toStdString(), one["inputs"]);
        if (one.contains("expect")) {
            if (!answer)
                wrong += id + u": refused "_s
                    + QString::fromStdString(answer.error().field + ": " + answer.error().message);
            else if (const auto found = differences(one["expect"], *answer, relative, absolute); !found.empty())
                wrong += id + found.join(u"; "_s);
            continue;
        }
        const auto &error = one["error"];
        if (answer)
            wrong += id + u": accepted"_s;
        else if (toString(answer.error().code) != error["code"].get<std::string>()
            || answer.error().field != error.value("field", answer.error().field))
            wrong += id
                + u": other refusal, %1 %2"_s.arg(QString::fromStdString(std::string(toString(answer.error().code))),
                    QString::fromStdString(answer.error().field));
        else if (answer.error().message.empty())
            wrong += id + u": refusal without a sentence"_s;
    }
    QVERIFY2(wrong.empty(), qPrintable(wrong.join(u'\n')));
}

void NativeModelsTest::refusesMissingFields_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("pointer");
    const auto row = [](const char *model, const char *pointer) {
        QTest::addRow("%s %s", model, pointer) << QString::fromUtf8(model) << QString::fromUtf8(pointer);
    };
    for (const auto *pointer : {"/model", "/model/family", "/model/parameters", "/fleet", "/fleet/nodes",
             "/fleet/accelerators_per_node", "/fleet/intra_node_bw", "/fleet/accelerator",
             "/fleet/accelerator/peak_flops", "/fleet/accelerator/memory_bytes", "/fleet/accelerator/memory_bw",
             "/fleet/fabric", "/fleet/fabric/bandwidth", "/fleet/fabric/oversubscription", "/params",
             "/params/batch_size", "/params/precision", "/params/efficiency", "/params/tp_size", "/params/pp_size",
             "/params/ep_size", "/params/v_stages", "/params/microbatch_count", "/params/zero_stage", "/params/is_lora",
             "/params/activation_recomputation", "/params/overlap_comm", "/params/congestion_factor",
             "/params/straggler_factor", "/params/moe_routing_imbalance_factor", "/params/gradient_accumulation_steps",
             "/params/seq_len"})
        row("first-order", pointer);
    for (const auto *pointer : {"/op", "/message", "/ranks", "/bandwidth", "/latency"})
        row("collectives", pointer);
    for (const auto *pointer : {"/stages", "/microbatches", "/virtual_stages"})
        row("pipeline-bubble", pointer);
    for (const auto *pointer :
        {"/model", "/batch", "/seq_len", "/precision", "/strategy", "/zero_stage", "/dp_size", "/is_lora"})
        row("training-memory", pointer);
    for (const auto *pointer : {"/capacity", "/optimizer", "/trainable_share", "/tp_size", "/pp_size", "/ep_size",
             "/dp_size", "/gradient_accumulation_steps"})
        row("training-memory-sharded", pointer);
    for (const auto *pointer : {"/accelerator", "/batch_size", "/efficiency", "/is_training", "/seq_len"})
        row("single-accelerator", pointer);
    for (const auto *pointer : {"/fleet/fabric/bandwidth", "/ep_size", "/imbalance"})
        row("moe-routing", pointer);
    for (const auto *pointer : {"/kind", "/nodes", "/bandwidth", "/oversubscription"})
        row("topology", pointer);
    for (const auto *pointer : {"/model", "/fleet", "/batch_size", "/fleet/fabric"})
        row("split-search", pointer);
    for (const auto *pointer : {"/fleet", "/grid", "/days", "/fleet/accelerator/memory_bytes"}) {
        row("economics", pointer);
        row("sustainability", pointer);
    }
    for (const auto *pointer : {"/fleet", "/job_hours", "/fleet/nodes"})
        row("reliability", pointer);
    for (const auto *pointer : {"/model", "/accelerator", "/seq_len", "/batch_size", "/precision"})
        row("serving", pointer);
    for (const auto *pointer : {"/nodes", "/ports_per_node", "/switch_radix"})
        row("network-bom", pointer);
    for (const auto *pointer : {"/nodes", "/rate_per_node_day", "/checkpoint_s", "/restart_s"})
        row("goodput", pointer);
    for (const auto *pointer : {"/nodes", "/rate_per_node_day", "/repair_days"})
        row("spares", pointer);
    for (const auto *pointer : {"/capital_usd", "/life_years"})
        row("cash-flow", pointer);
    row("levelised-cost", "/capital_usd");
    for (const auto *pointer : {"/price_usd", "/chip_hours", "/tdp_w", "/usd_per_kwh"})
        row("training-cost", pointer);
    for (const auto *pointer : {"/nodes", "/accelerators_per_node"})
        row("fleet-power", pointer);
    for (const auto *pointer : {"/nodes", "/accelerators_per_node", "/tdp_w", "/accelerator_usd", "/usd_per_kwh"})
        row("ownership", pointer);
}

void NativeModelsTest::refusesMissingFields()
{
    QFETCH(const QString, model);
    QFETCH(const QString, pointer);
    const auto field = pointer.section(u'/', -1).toStdString();
    const Json::json_pointer place(pointer.toStdString());
    auto inputs = firstCase(model);
    QVERIFY(exchange::evaluateNative(model.toStdString(), inputs).has_value());

    inputs[place] = nullptr;
    auto answer = exchange::evaluateNative(model.toStdString(), inputs);
    QVERIFY(!answer);
    QVERIFY(answer.error().code == ErrorCode::MissingField);
    QCOMPARE(answer.error().field, field);

    inputs[place.parent_pointer()].erase(place.back());
    answer = exchange::evaluateNative(model.toStdString(), inputs);
    QVERIFY(!answer);
    QVERIFY(answer.error().code == ErrorCode::MissingField);
    QCOMPARE(answer.error().field, field);

    inputs[place] = Json::array({1});
    answer = exchange::evaluateNative(model.toStdString(), inputs);
    QVERIFY(!answer);
    QVERIFY(answer.error().code == ErrorCode::UnsupportedValue);
    QCOMPARE(answer.error().field, field);
}

void NativeModelsTest::refusesBadValues_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<double>("value");
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto row = [](const char *model, const char *pointer, double value) {
        QTest::addRow("%s %s %g", model, pointer, value)
            << QString::fromUtf8(model) << QString::fromUtf8(pointer) << value;
    };
    for (const auto *pointer :
        {"/model/parameters", "/model/inference_flops", "/model/layers", "/model/hidden_dim", "/model/heads",
            "/model/active_parameters", "/fleet/nodes", "/fleet/accelerators_per_node", "/fleet/intra_node_bw",
            "/fleet/accelerator/peak_flops", "/fleet/accelerator/memory_bytes", "/fleet/accelerator/memory_bw",
            "/fleet/accelerator/host_link_bw", "/fleet/accelerator/dispatch_s", "/fleet/accelerator/tdp_w",
            "/fleet/accelerator/scale_up_latency", "/fleet/fabric/bandwidth", "/fleet/fabric/latency",
            "/fleet/fabric/oversubscription", "/params/batch_size", "/params/efficiency", "/params/tp_size",
            "/params/pp_size", "/params/ep_size", "/params/v_stages", "/params/microbatch_count", "/params/zero_stage",
            "/params/overlap_efficiency", "/params/congestion_factor", "/params/straggler_factor",
            "/params/moe_routing_imbalance_factor", "/params/gradient_accumulation_steps", "/params/seq_len"})
        for (const double value : {nan, infinity, -infinity, -1.0})
            row("first-order", pointer, value);
    for (const auto *pointer : {"/params/tp_size", "/params/seq_len", "/params/batch_size", "/model/parameters",
             "/fleet/nodes", "/fleet/accelerator/memory_bytes"})
        row("first-order", pointer, 0);
    row("first-order", "/params/tp_size", 2.5);
    row("first-order", "/params/tp_size", 1e300);
    row("first-order", "/params/zero_stage", 4);
    row("first-order", "/params/congestion_factor", 0);
    row("first-order", "/params/straggler_factor", 0);
    row("collectives", "/message", nan);
    row("pipeline-bubble", "/virtual_stages", 0);
    row("training-memory", "/batch", 0);
    row("training-memory", "/zero_stage", 4);
    row("training-memory-sharded", "/trainable_share", 1.1);
    row("training-memory-sharded", "/capacity", 0);
    row("single-accelerator", "/efficiency", 1.1);
    row("single-accelerator", "/batch_size", 0);
    row("topology", "/nodes", 0);
    row("topology", "/oversubscription", 0.5);
    for (const double value : {nan, infinity, -1.0}) {
        for (const auto *pointer :
            {"/days", "/mfu", "/usd_per_kwh", "/amortization_years", "/infrastructure_multiplier", "/grid/0", "/grid/1",
                "/grid/2", "/fleet/pue", "/fleet/accelerator/tdp_w", "/fleet/accelerator/unit_cost_usd"})
            row("economics", pointer, value);
        for (const auto *pointer :
            {"/job_hours", "/checkpoint_s", "/recovery_s", "/fleet/nics_per_node", "/fleet/psus_per_node"})
            row("reliability", pointer, value);
        for (const auto *pointer :
            {"/seq_len", "/batch_size", "/cached_prefix", "/chunk_tokens", "/efficiency", "/acceptance", "/transfer_bw",
                "/model/kv_heads", "/accelerator/memory_bw", "/decode_accelerator/memory_bytes"})
            row("serving", pointer, value);
        for (const auto *pointer : {"/nodes", "/ports_per_node", "/switch_radix", "/oversubscription", "/planes",
                 "/rails", "/leaf_group_nodes", "/unit_groups", "/ufm_ports", "/switch_ports_per_cage",
                 "/node_ports_per_cage", "/switch_spare_share", "/transceiver_spare_share"})
            row("network-bom", pointer, value);
        for (const auto *pointer : {"/nodes", "/rate_per_node_day", "/checkpoint_s", "/restart_s", "/interval_s",
                 "/replicas", "/accelerators_per_node", "/usd_per_accelerator_hour"})
            row("goodput", pointer, value);
        for (const auto *pointer : {"/nodes", "/rate_per_node_day", "/repair_days", "/shortage", "/nodes_per_failure"})
            row("spares", pointer, value);
        for (const auto *pointer : {"/batch_size", "/efficiency", "/fleet/fabric/bandwidth"})
            row("split-search", pointer, value);
        for (const auto *pointer : {"/capital_usd", "/residual_usd", "/debt_fraction", "/federal_tax", "/inflation"})
            row("cash-flow", pointer, value);
        for (const auto *pointer : {"/pue", "/draw_share", "/server_ratio", "/contract_w", "/powered_spares"})
            row("fleet-power", pointer, value);
        for (const auto *pointer : {"/accelerator_usd", "/network_share", "/utilisation", "/rate_per_node_day",
                 "/life_years", "/escalation", "/rent_usd_per_hour", "/residual_share"})
            row("ownership", pointer, value);
    }
}

void NativeModelsTest::refusesBadValues()
{
    QFETCH(const QString, model);
    QFETCH(const QString, pointer);
    QFETCH(const double, value);
    auto inputs = firstCase(model);
    inputs[Json::json_pointer(pointer.toStdString())] = value;
    const auto answer = exchange::evaluateNative(model.toStdString(), inputs);
    QVERIFY(!answer);
    QVERIFY(answer.error().code == ErrorCode::OutOfRange);
    if (model == u"first-order"_s)
        QCOMPARE(answer.error().field, pointer.section(u'/', -1).toStdString());
}

void NativeModelsTest::refusesUnknownModel()
{
    const auto answer = exchange::evaluateNative("second-order", Json::object());
    QVERIFY(!answer);
    QVERIFY(answer.error().code == ErrorCode::UnknownReference);
    const auto text = exchange::evaluateNative("first-order", Json("text"));
    QVERIFY(!text);
    QVERIFY(text.error().code == ErrorCode::UnsupportedValue);
}

void NativeModelsTest::chosenTopologyTakesEffect()
{
    auto inputs = firstCase(u"first-order"_s);
    const auto time = [&](const char *topology) {
        inputs["params"]["topology"] = topology;
        const auto answer = exchange::evaluateNative("first-order", inputs);
        return answer ? (*answer)["dp_communication_latency"].get<double>() : 0.0;
    };
    QVERIFY(time("ring") > 0);
    QVERIFY(time("tree") > time("ring"));
    inputs["params"]["topology"] = "star";
    const auto answer = exchange::evaluateNative("first-order", inputs);
    QVERIFY(!answer);
    QVERIFY(answer.error().code == ErrorCode::UnsupportedValue);
    QCOMPARE(answer.error().field, std::string("topology"));
}

void NativeModelsTest::ignoresPublishedTopologyOverride()
{
    auto inputs = firstCase(u"first-order"_s);
    const auto reference = exchange::evaluateNative("first-order", inputs);
    QVERIFY(reference);
    for (const auto *text : {"auto", "ring", "tree", "anything"}) {
        inputs["params"]["topology_override"] = text;
        const auto answer = exchange::evaluateNative("first-order", inputs);
        QVERIFY(answer && *answer == *reference);
    }
}

void NativeModelsTest::namesAssumedValues()
{
    auto inputs = firstCase(u"first-order"_s);
    inputs["fleet"]["fabric"]["latency"] = nullptr;
    inputs["fleet"]["accelerator"]["host_link_bw"] = nullptr;
    inputs["params"]["straggler_factor"] = 0.9;
    inputs["params"]["precision"] = "fp32";
    const auto answer = exchange::evaluateNative("first-order", inputs);
    QVERIFY(answer);
    const auto notices = (*answer)["notices"].dump();
    for (const auto *expected :
        {"fabric_latency_assumed", "host_link_assumed", "straggler_below_one", "precision_fallback"})
        QVERIFY2(notices.contains(expected), notices.c_str());
    QCOMPARE((*answer)["warnings"].size(), std::size_t{0});
}

/// Llama 3.1 405B on 16,384 H100, held to the footprint of the published system.
void NativeModelsTest::splitSearchTakesLengthAndRecomputation()
{
    auto request = Json::parse(R"({"model": {"name": "Llama-3.1-405B", "family": "transformer", "parameters": 405e9,
        "inference_flops": 810e9, "layers": 126, "hidden_dim": 16384, "heads": 128, "kv_heads": 8,
        "active_experts_per_token": 1},
        "fleet": {"name": "H100 16384", "nodes": 2048, "accelerators_per_node": 8, "intra_node_bw": 450e9,
        "accelerator": {"name": "NVIDIA H100", "peak_flops": 989e12, "memory_bytes": 85899345920, "memory_bw": 3.35e12,
        "precision_flops": {"tf32": 494e12, "fp8": 1979e12, "int8": 1979e12}, "host_link_bw": 64e9,
        "scale_up_latency": 5e-07, "dispatch_s": 1e-05, "tdp_w": 700, "unit_cost_usd": 25000, "storage_bw": 7e9},
        "fabric": {"bandwidth": 50e9, "latency": 5e-06, "oversubscription": 1.0}, "nics_per_node": 8,
        "psus_per_node": 2},
        "batch_size": 2048, "efficiency": 0.42, "overlap_comm": true, "variant": "replica",
        "seq_len": 8192, "activation_recomputation": true})");
    const auto answer = exchange::evaluateNative("split-search", request);
    QVERIFY2(answer.has_value(), answer ? "" : answer.error().message.c_str());
    QCOMPARE((*answer)["count"].get<int>(), 14);
    QCOMPARE((*answer)["best"]["tp"].get<int>(), 8);
    QCOMPARE((*answer)["best"]["pp"].get<int>(), 16);
    QCOMPARE((*answer)["best"]["step"].get<double>(), 16.055286511775613);
    request["activation_recomputation"] = false; // nothing fits without it at that length
    QCOMPARE((*exchange::evaluateNative("split-search", request))["count"].get<int>(), 0);
}

FLEETWRIGHT_TEST(NativeModelsTest)
#include "tst_nativemodels.moc"
