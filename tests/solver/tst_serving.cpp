// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/blocks/serving.h"
#include "solver/sampleplan.h"
#include "testing/registry.h"

#include <QTest>

#include <cmath>

using namespace fleetwright;

namespace {

ServingInputs request()
{
    ServingInputs inputs;
    inputs.workload = sampleplan::workload();
    inputs.accelerator = sampleplan::accelerator();
    inputs.batch = 4;
    inputs.precision = Precision::Fp8;
    return inputs;
}

WorkloadFacts small()
{
    auto facts = sampleplan::workload();
    facts.parameters = facts.activeParameters = 8.03e9;
    facts.layers = 32;
    facts.hiddenSize = 4096;
    facts.attentionHeads = 32;
    return facts;
}

} // namespace

class ServingTest : public QObject {
    Q_OBJECT
private slots:
    void cacheByHand();
    void cacheRefuses();
    void firstTokenByHand();
    void decodeByHand();
    void speculation();
    void disaggregation();
    void chunks();
    void costOfTokens();
    void adviceSaysWhatToChange();
    void figuresAreDescribed();
    void refuses_data();
    void refuses();
};

void ServingTest::cacheByHand()
{
    auto workload = sampleplan::workload();
    QCOMPARE(kvCache(workload, 1000, 3, Precision::Fp16)->value(), 2.0 * 80 * 8 * 128 * 1000 * 3 * 2);
    workload.kvHeads.reset(); // every head has its own keys and values
    QCOMPARE(kvCache(workload, 1000, 3, Precision::Fp16)->value(), 2.0 * 80 * 8192 * 1000 * 3 * 2);
    workload.headDim = 64; // the stated head size counts before h/a
    QCOMPARE(kvCache(workload, 1000, 3, Precision::Fp16)->value(), 2.0 * 80 * 64 * 64 * 1000 * 3 * 2);
    workload.kvLoraRank = 512;
    workload.qkRopeHeadDim = 64;
    QCOMPARE(kvCache(workload, 1000, 3, Precision::Fp16)->value(), 80.0 * (512 + 64) * 1000 * 3 * 2);
    QCOMPARE(kvCache(workload, 1000, 1, Precision::Int4, 256)->value(), 80.0 * (512 + 64) * 1024 * 0.5);
    QCOMPARE(kvCache(workload, 1024, 1, Precision::Int4, 256)->value(), 80.0 * (512 + 64) * 1024 * 0.5);
}

void ServingTest::cacheRefuses()
{
    auto workload = sampleplan::workload();
    QCOMPARE(kvCache(workload, 0, 1, Precision::Fp16).error().field, std::string("seq_len"));
    QCOMPARE(kvCache(workload, 1, 0, Precision::Fp16).error().field, std::string("batch_size"));
    QCOMPARE(kvCache(workload, 1, 1, Precision::Fp16, 0).error().field, std::string("page_tokens"));
    workload.kvLoraRank = 512;
    QCOMPARE(kvCache(workload, 1, 1, Precision::Fp16).error().field, std::string("qk_rope_head_dim"));
    workload = sampleplan::workload();
    workload.attentionHeads.reset();
    const auto headless = kvCache(workload, 1, 1, Precision::Fp16);
    QCOMPARE(int(headless.error().code), int(ErrorCode::MissingField));
    QCOMPARE(headless.error().field, std::string("heads"));
    workload.family = WorkloadFamily::Other;
    QCOMPARE(int(kvCache(workload, 1, 1, Precision::Fp16).error().code), int(ErrorCode::UnsupportedValue));
}

void ServingTest::firstTokenByHand()
{
    auto inputs = request();
    const double rate = 1979e12 * 0.5;
    QCOMPARE(serving(inputs)->timeToFirstToken.value(),
        (2 * 70.6e9 * 2048 * 4 + 4.0 * 80 * 8192 * 2048 * 2048 * 4) / rate + 1e-5);
    inputs.cachedPrefix = 1024;
    const auto figures = serving(inputs).value();
    QCOMPARE(
        figures.timeToFirstToken.value(), (2 * 70.6e9 * 1024 * 4 + 4.0 * 80 * 8192 * 1024 * 2048 * 4) / rate + 1e-5);
    QCOMPARE(figures.cacheHit, 0.5);
    QVERIFY(!figures.precisionFallback);
    inputs.precision = Precision::Int4;
    QVERIFY(serving(inputs)->precisionFallback);
}

void ServingTest::decodeByHand()
{
    const auto figures = serving(request()).value();
    const double cache = 2.0 * 80 * 8 * 128 * 2048 * 4;
    const double latency = (70.6e9 + cache) / 3350e9 + 80e-5;
    QCOMPARE(figures.interTokenLatency.value(), latency);
    QCOMPARE(figures.tokensPerSecondPerUser, 1 / latency);
    QCOMPARE(figures.tokensPerSecond, 4 / latency);
    QCOMPARE(figures.required.value(), 70.6e9 + cache);
    QVERIFY(figures.fits);
    auto larger = request();
    larger.precision = Precision::Fp16;
    QVERIFY(!serving(larger)->fits);
    QVERIFY(serving(larger)->utilization() > 1);
}

void ServingTest::speculation()
{
    auto inputs = request();
    const double plain = serving(inputs)->interTokenLatency.value();
    inputs.draft = small();
    const double draft = (8.03e9 + 2.0 * 32 * 8 * 128 * 2048 * 4) / 3350e9;
    inputs.acceptance = 0;
    QCOMPARE(serving(inputs)->interTokenLatency.value(), plain + 4 * draft);
    inputs.acceptance = 1;
    QCOMPARE(serving(inputs)->interTokenLatency.value(), (plain + 4 * draft) / 5);
    inputs.acceptance = 0.7;
    QCOMPARE(serving(inputs)->interTokenLatency.value(), (plain + 4 * draft) / (1 + 0.7 + 0.49 + 0.343 + 0.2401));
    QCOMPARE(serving(inputs)->draftWeights.value(), 8.03e9);
    QCOMPARE(serving(inputs)->required.value(), 70.6e9 + 8.03e9 + serving(inputs)->kvCache.value());
    double last = INFINITY;
    for (double acceptance = 0; acceptance <= 1; acceptance += 0.125) {
        inputs.acceptance = acceptance;
        const double latency = serving(inputs)->interTokenLatency.value();
        QVERIFY(latency < last);
        last = latency;
    }
}

void ServingTest::disaggregation()
{
    auto inputs = request();
    const auto together = serving(inputs).value();
    auto other = sampleplan::accelerator();
    other.memoryBandwidth = 8000.0 * gigabytePerSecond;
    other.memoryCapacity = 192.0 * gigabyte;
    inputs.decodeAccelerator = other;
    const auto apart = serving(inputs).value();
    QCOMPARE((apart.timeToFirstToken - together.timeToFirstToken).value(), together.kvCache.value() / 100e9);
    QVERIFY(apart.interTokenLatency < together.interTokenLatency);
    QCOMPARE(apart.capacity.value(), 192e9);
}

void ServingTest::chunks()
{
    auto inputs = request();
    const auto whole = serving(inputs).value();
    QVERIFY(!whole.chunkTime);
    QCOMPARE(whole.chunks, std::int64_t{1});
    inputs.chunkTokens = 512;
    const auto pieces = serving(inputs).value();
    QCOMPARE(pieces.chunks, std::int64_t{4});
    QCOMPARE(pieces.timeToFirstToken.value(), whole.timeToFirstToken.value() + 3e-5);
    QCOMPARE(pieces.chunkTime->value(), pieces.timeToFirstToken.value() / 4);
    inputs.chunkTokens = 2000; // the second piece is short; the first one bounds the stall
    QCOMPARE(serving(inputs)->chunks, std::int64_t{2});
    QVERIFY(serving(inputs)->chunkTime->value() > 0.97 * whole.timeToFirstToken.value());
    inputs.chunkTokens = 1'000'000;
    QCOMPARE(serving(inputs)->chunks, std::int64_t{1});
    QCOMPARE(serving(inputs)->chunkTime->value(), whole.timeToFirstToken.value());
}

void ServingTest::costOfTokens()
{
    auto inputs = request();
    const auto figures = serving(inputs).value();
    QCOMPARE(figures.costPerMillionTokens->value(), 1e6 / figures.tokensPerSecond / 3600 * 2);
    inputs.accelerator.cloudPriceLow.reset();
    QVERIFY(!serving(inputs)->costPerMillionTokens);
}

void ServingTest::adviceSaysWhatToChange()
{
    auto inputs = request();
    const auto advice = [&inputs] { return servingAdvice(inputs, serving(inputs).value()); };
    QVERIFY(advice().starts_with("It fits"));
    inputs.batch = 100;
    const auto crowded = advice();
    QVERIFY(crowded.find("Lower the batch to ") != std::string::npos);
    inputs.batch = std::stoll(crowded.substr(crowded.find("batch to ") + 9));
    QVERIFY(serving(inputs)->fits);
    ++inputs.batch;
    QVERIFY(!serving(inputs)->fits);
    inputs.batch = 1;
    inputs.precision = Precision::Fp16;
    QVERIFY(advice().find("weights alone") != std::string::npos);
    inputs.precision = Precision::Fp8;
    inputs.draft = sampleplan::workload();
    QVERIFY(advice().find("smaller draft") != std::string::npos);
    inputs.draft.reset();
    inputs.promptTokens = 1'000'000;
    QVERIFY(advice().find("not even one") != std::string::npos);
}

void ServingTest::figuresAreDescribed()
{
    const auto inputs = servingInputs(Plan::create(sampleplan::plan()).value());
    QCOMPARE(inputs.promptTokens, std::int64_t{2048});
    QVERIFY(inputs.precision == Precision::Fp16);
    QCOMPARE(inputs.workload.name, std::string("Llama-3.1-70B"));
    const auto figures = serving(inputs).value();
    for (const auto &figure : servingFigures()) {
        QVERIFY(!figure.label.empty() && !figure.meaning.empty());
        QVERIFY(figure.value(figures).has_value() || !figure.absence.empty());
    }
    QVERIFY(servingLimitations().size() > 3);
}

void ServingTest::refuses_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<double>("value");
    const double nan = std::nan("");
    for (const auto &[field, value] :
        {std::pair{"seq_len", 0.0}, {"batch_size", 0.0}, {"efficiency", 0.0}, {"efficiency", 1.5}, {"efficiency", nan},
            {"cached_prefix", -1.0}, {"cached_prefix", 2049.0}, {"chunk_tokens", 0.0}, {"acceptance", -0.1},
            {"acceptance", 1.1}, {"acceptance", nan}, {"transfer_bw", 0.0}})
        QTest::addRow("%s %g", field, value) << QString::fromUtf8(field) << value;
}

void ServingTest::refuses()
{
    QFETCH(const QString, field);
    QFETCH(const double, value);
    auto inputs = request();
    const auto is = [&field](const char *name) { return field == QString::fromUtf8(name); };
    if (is("seq_len"))
        inputs.promptTokens = std::int64_t(value);
    else if (is("batch_size"))
        inputs.batch = std::int64_t(value);
    else if (is("efficiency"))
        inputs.efficiency = value;
    else if (is("cached_prefix"))
        inputs.cachedPrefix = std::int64_t(value);
    else if (is("chunk_tokens"))
        inputs.chunkTokens = std::int64_t(value);
    else if (is("acceptance"))
        inputs.acceptance = value;
    else
        inputs.constants.transfer = value * bytePerSecond;
    const auto figures = serving(inputs);
    QVERIFY(!figures);
    QCOMPARE(int(figures.error().code), int(ErrorCode::OutOfRange));
    QCOMPARE(figures.error().field, field.toStdString());
}

FLEETWRIGHT_TEST(ServingTest)
#include "tst_serving.moc"
