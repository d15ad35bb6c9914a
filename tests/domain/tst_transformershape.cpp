// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/transformershape.h"

#include "domain/workload.h"
#include "testing/registry.h"

#include <QTest>

using namespace fleetwright;

class TestTransformerShape : public QObject {
    Q_OBJECT

    /// Every size another prime, so that no two products are alike.
    static TransformerShape small()
    {
        TransformerShape shape;
        shape.layers.resize(5);
        shape.hidden = 97;
        shape.heads = 6;
        shape.kvHeads = 3;
        shape.headDim = 11;
        shape.ffn = 101;
        shape.vocabulary = 1009;
        shape.context = 4096;
        return shape;
    }
    static ParameterCounts countsOf(const TransformerShape &shape)
    {
        const auto counts = countParameters(shape);
        if (!counts)
            qFatal("%s", counts.error().message.c_str());
        return *counts;
    }

private slots:
    void aSumByHand()
    {
        const auto counts = countsOf(small());
        QCOMPARE(counts.embeddings, 2 * 1009 * 97);
        QCOMPARE(counts.attention, 5 * (97 * 66 + 2 * 97 * 33 + 66 * 97));
        QCOMPARE(counts.feedForward, 5 * 3 * 97 * 101);
        QCOMPARE(counts.norms, 5 * 2 * 97 + 97);
        QCOMPARE(counts.total(), counts.embeddings + counts.attention + counts.feedForward + counts.norms);
        QCOMPARE(counts.active(), counts.total());
    }

    /// What each thing that a family may have adds.
    void everyTermAddsItsOwn()
    {
        const auto plain = countsOf(small()).total();
        const auto more = [&](auto change) {
            auto shape = small();
            change(shape);
            return countsOf(shape).total() - plain;
        };
        QCOMPARE(more([](auto &s) { s.tied = true; }), -1009 * 97);
        QCOMPARE(more([](auto &s) { s.gated = false; }), -5 * 97 * 101);
        QCOMPARE(more([](auto &s) { s.attentionBias = AttentionBias::QueryKeyValue; }), 5 * (66 + 2 * 33));
        QCOMPARE(more([](auto &s) { s.attentionBias = AttentionBias::All; }), 5 * (66 + 2 * 33 + 97));
        QCOMPARE(more([](auto &s) { s.ffnBias = true; }), 5 * (2 * 101 + 97));
        QCOMPARE(more([](auto &s) { s.outputBias = true; }), 1009);
        QCOMPARE(more([](auto &s) { s.queryKeyNorm = true; }), 5 * 2 * 11);
        QCOMPARE(more([](auto &s) { s.sinks = true; }), 5 * 6);
        QCOMPARE(more([](auto &s) { s.norm = NormKind::Layer; }), 11 * 97);
        QCOMPARE(more([](auto &s) { s.normsPerLayer = 4; }), 5 * 2 * 97);
        QCOMPARE(more([](auto &s) { s.finalNorm = false; }), -97);
        QCOMPARE(more([](auto &s) { s.embeddingNorm = true; }), 97);
        QCOMPARE(more([](auto &s) { s.learnedPositions = 512; }), 512 * 97);
        QCOMPARE(more([](auto &s) { s.embedding = 31; }), 2 * 1009 * (31 - 97) + 2 * 31 * 97);
    }

    void expertsOfATokenAreActive()
    {
        auto shape = small();
        shape.experts = ExpertLayers{.experts = 7, .perToken = 2, .ffn = 13, .shared = 1, .sharedFfn = 17};
        for (const auto i : {1U, 3U})
            shape.layers[i].experts = true;
        auto counts = countsOf(shape);
        QCOMPARE(counts.feedForward, 3 * 3 * 97 * 101);
        QCOMPARE(counts.experts, 2 * 7 * 3 * 97 * 13);
        QCOMPARE(counts.activeExperts, 2 * 2 * 3 * 97 * 13);
        QCOMPARE(counts.shared, 2 * (97 * 7 + 3 * 97 * 17));
        QCOMPARE(counts.total() - counts.active(), 2 * 5 * 3 * 97 * 13);
        shape.experts->sharedGate = shape.experts->routerBias = shape.experts->selectionBias = true;
        QCOMPARE(countsOf(shape).total() - counts.total(), 2 * (97 + 7 + 7));
        counts = countsOf(shape);
        shape.experts->biases = true;
        QCOMPARE(countsOf(shape).total() - counts.total(), 2 * (7 * (2 * 13 + 97) + 2 * 17 + 97));
    }

    void latentAttentionIsCountedByItsRanks()
    {
        auto shape = small();
        shape.latent = LatentAttention{.queryRank = 23, .keyValueRank = 29, .keyDim = 7, .rotaryDim = 5, .valueDim = 3};
        const auto compressed = 97 * (29 + 5) + 29 + 29 * 6 * (7 + 3) + 6 * 3 * 97;
        QCOMPARE(countsOf(shape).attention, 5 * (97 * 23 + 23 + 23 * 6 * 12 + compressed));
        shape.latent->queryRank.reset();
        QCOMPARE(countsOf(shape).attention, 5 * (97 * 6 * 12 + compressed));
    }

    void patternsOfExpertLayers_data()
    {
        QTest::addColumn<QByteArray>("layers");
        QTest::addColumn<int>("dense");
        QTest::addColumn<int>("interval");
        QTest::addColumn<bool>("exact");
        QTest::newRow("all") << QByteArray("eeeeee") << 0 << 1 << true;
        QTest::newRow("every second") << QByteArray("-e-e-e") << 0 << 2 << true;
        QTest::newRow("one at the end") << QByteArray("-e-e-") << 0 << 2 << true;
        QTest::newRow("three dense ones first") << QByteArray("---eee") << 3 << 1 << true;
        QTest::newRow("dense ones, then every second") << QByteArray("--e-e-e") << 1 << 2 << true;
        QTest::newRow("scattered") << QByteArray("e-ee-e") << 2 << 1 << false;
    }
    /// And the catalog's form has as many layers with experts.
    void patternsOfExpertLayers()
    {
        QFETCH(QByteArray, layers);
        auto shape = small();
        shape.layers.clear();
        for (const char c : layers)
            shape.layers.push_back({.experts = c == 'e', .windowed = false});
        const auto pattern = expertPatternOf(shape);
        QTEST(pattern.firstDense, "dense");
        QTEST(pattern.interval, "interval");
        QTEST(pattern.exact, "exact");
        QCOMPARE((int(layers.size()) - pattern.firstDense) / pattern.interval, shape.expertLayers());
    }

    void whatCannotBeIsRefused()
    {
        const auto field = [](auto change) {
            auto shape = small();
            change(shape);
            const auto counts = countParameters(shape);
            return counts ? std::string("taken") : counts.error().field;
        };
        QCOMPARE(field([](auto &s) { s.layers.clear(); }), std::string("layers"));
        QCOMPARE(field([](auto &s) { s.layers.resize(301); }), std::string("layers"));
        QCOMPARE(field([](auto &s) { s.hidden = 0; }), std::string("hidden_size"));
        QCOMPARE(field([](auto &s) { s.heads = -6; }), std::string("attention_heads"));
        QCOMPARE(field([](auto &s) { s.kvHeads = 4; }), std::string("kv_heads"));
        QCOMPARE(field([](auto &s) { s.ffn = 2'000'000'000; }), std::string("ffn_hidden_size"));
        QCOMPARE(field([](auto &s) { s.layers[0].experts = true; }), std::string("experts"));
        QCOMPARE(field([](auto &s) { s.experts = ExpertLayers(); }), std::string("experts"));
        QCOMPARE(field([](auto &s) { s.layers[0].windowed = true; }), std::string("sliding_window"));
        QCOMPARE(field([](auto &s) {
            s.layers[0].experts = true;
            s.experts = ExpertLayers{.experts = 4, .perToken = 5};
        }),
            std::string("experts_per_token"));
    }

    /// The largest of everything that is taken does not overflow.
    void theLargestIsCounted()
    {
        auto shape = small();
        shape.layers.assign(300, {.experts = true, .windowed = false});
        shape.hidden = largestOf("hidden_size");
        shape.heads = shape.kvHeads = largestOf("attention_heads");
        shape.headDim = shape.ffn = largestOf("head_dim");
        shape.vocabulary = largestOf("vocab_size");
        shape.learnedPositions = largestOf("learned_position_count");
        const int most = largestOf("mla_kv_lora_rank");
        shape.latent = LatentAttention{
            .queryRank = most, .keyValueRank = most, .keyDim = most, .rotaryDim = most, .valueDim = most};
        shape.experts = ExpertLayers{.experts = largestOf("experts"),
            .perToken = 1,
            .ffn = most,
            .shared = 1,
            .sharedFfn = most,
            .biases = true};
        shape.attentionBias = AttentionBias::All;
        const auto counts = countsOf(shape);
        const double h = 30'000, a = 300, m = 1e6;
        const double attention = 300
            * (h * m + m + m * a * 2 * m + h * 2 * m + 2 * m + m + m * a * 2 * m + a * m * h + h + m);
        QVERIFY(std::abs(double(counts.attention) / attention - 1) < 1e-9);
        const double experts = 300 * 1024 * (3 * h * m + 2 * m + h);
        QVERIFY(std::abs(double(counts.experts) / experts - 1) < 1e-9);
        QVERIFY(counts.total() > counts.active() && counts.active() > 0);
    }

    void theRecordIsAWorkload()
    {
        auto shape = small();
        shape.experts = ExpertLayers{.experts = 8, .perToken = 2, .ffn = 13, .shared = 2, .sharedFfn = 26};
        for (const auto i : {1U, 3U})
            shape.layers[i].experts = true;
        CatalogRecord record{.kind = CatalogKind::Workload};
        record.id = "small";
        record.name = "Small";
        record.values = {{"family", std::string("Small")}, {"kind", std::string("language")}, {"release_year", 2026.0}};
        const auto counts = countsOf(shape);
        setShape(record, shape, counts);
        QVERIFY(check(record).has_value());
        const auto workload = workloadFrom(record);
        QVERIFY2(workload.has_value(), workload ? "" : workload.error().message.c_str());
        QCOMPARE((*workload)->parameters, double(counts.total()));
        QCOMPARE((*workload)->activeParameters, double(counts.active()));
        QCOMPARE((*workload)->kvHeads, std::optional(3));
        QCOMPARE((*workload)->sharedExperts, std::optional(2));
        QCOMPARE((*workload)->expertLayerInterval, std::optional(2));
        QVERIFY(!record.find("shared_expert_ffn_hidden_size"));
        setShape(record, small(), countsOf(small())); // nothing of the former stays
        QVERIFY(!record.find("experts") && !record.find("first_dense_layers"));
        QCOMPARE(record.text("architecture"), std::optional(std::string("decoder_only_transformer")));
    }
};

FLEETWRIGHT_TEST(TestTransformerShape)
#include "tst_transformershape.moc"
