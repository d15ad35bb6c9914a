// SPDX-License-Identifier: GPL-3.0-or-later
// Configurations of published models: architecture, parameters to the last one, the item, the plan that it solves.
#include "domain/workload.h"
#include "exchange/exchangetesting.h"
#include "exchange/huggingface.h"
#include "exchange/huggingfacesamples.h"
#include "solver/answer/solve.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>

using namespace fleetwright;
using namespace exchangetesting;
using namespace Qt::StringLiterals;

class TestHuggingFace : public QObject {
    Q_OBJECT

    static exchange::HuggingFaceModel modelOf(const std::string &text, const exchange::ItemNaming &naming = {})
    {
        auto model = exchange::modelFromHuggingFace(text, naming);
        if (!model)
            qFatal("%s", described(model.error()).constData());
        return std::move(*model);
    }
    static bool says(const std::vector<std::string> &sentences, std::string_view words)
    {
        return std::ranges::any_of(
            sentences, [&](const std::string &sentence) { return sentence.find(words) != std::string::npos; });
    }
    static QByteArray all(const std::vector<std::string> &sentences)
    {
        QByteArray text;
        for (const auto &sentence : sentences)
            text += sentence.c_str() + QByteArray("\n");
        return text;
    }

private slots:
    void publishedModels_data();
    void publishedModels();
    void furtherTotals_data();
    void furtherTotals();
    void nestedTextModels_data();
    void nestedTextModels();
    void whichLayersHaveWindows();
    void whichLayersHaveExperts();
    void whatIsLeftOutIsSaid();
    void whatIsNotMappedIsSaid();
    void namesAndIds_data();
    void namesAndIds();
    void theSameFileGivesTheSameItem();
    void theItemStandsLikeTheCatalogs_data();
    void theItemStandsLikeTheCatalogs();
    void isKnownByItsContent();
};

namespace {

const exchange::Json &caseFile()
{
    static const auto json = [] {
        QFile file(QStringLiteral(FLEETWRIGHT_TEST_DATA "/hf-configs.json"));
        return file.open(QIODevice::ReadOnly) ? exchange::Json::parse(file.readAll().toStdString()) : exchange::Json();
    }();
    return json;
}

} // namespace

void TestHuggingFace::publishedModels_data()
{
    QTest::addColumn<int>("index");
    QCOMPARE(caseFile()["cases"].size(), 23UZ);
    int index = 0;
    for (const auto &one : caseFile()["cases"])
        QTest::newRow(one["model"].get<std::string>().c_str()) << index++;
}

void TestHuggingFace::publishedModels()
{
    QFETCH(int, index);
    const auto &one = caseFile()["cases"][std::size_t(index)];
    const auto &expect = one["expect"];
    const auto model = modelOf(one["config"].dump());
    const auto &shape = model.shape;
    QCOMPARE(shape.layers.size(), expect["layers"].get<std::size_t>());
    const auto number = [&](const char *key) { return expect[key].get<int>(); };
    QCOMPARE(shape.hidden, number("hidden"));
    QCOMPARE(shape.heads, number("heads"));
    QCOMPARE(shape.kvHeads, number("kv_heads"));
    QCOMPARE(shape.headDim, number("head_dim"));
    QCOMPARE(shape.ffn, number("ffn"));
    QCOMPARE(shape.vocabulary, number("vocab"));
    QCOMPARE(shape.gated, expect["gated"].get<bool>());
    QCOMPARE(shape.tied, expect["tied"].get<bool>());
    QCOMPARE(shape.experts ? shape.experts->experts : 0, number("experts"));
    QCOMPARE(shape.experts ? shape.experts->perToken : 0, number("topk"));
    QCOMPARE(model.parameters.total(), expect["parameters"].get<std::int64_t>());
    QCOMPARE(model.parameters.active(), expect["active_parameters"].get<std::int64_t>());
    if (one["exact_match"].get<bool>())
        QCOMPARE(model.parameters.total(), one["published_parameters"].get<std::int64_t>());
    QCOMPARE(model.record().number("params_total"), std::optional(double(model.parameters.total())));
    QVERIFY(workloadFrom(model.record()).has_value());
    QVERIFY(!model.understood.empty());
}

void TestHuggingFace::furtherTotals_data()
{
    QTest::addColumn<QString>("config");
    QTest::addColumn<qint64>("parameters");
    // Each total is that of the checkpoint, and the sum of the layers by hand.
    QTest::newRow("Llama 3.1 70B") << QString::fromUtf8(huggingfacesamples::llama) << qint64(70'553'706'496);
    QTest::newRow("gpt-oss-20b") << QString::fromUtf8(huggingfacesamples::gptOss) << qint64(20'914'757'184);
    QTest::newRow("DeepSeek-V3 with all its keys")
        << QString::fromUtf8(huggingfacesamples::deepseek) << qint64(671'026'419'200);
    // Embeddings of half the width between two maps, norms behind each part and none at the end.
    QTest::newRow("OPT-350M")
        << uR"({"model_type": "opt", "hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "ffn_dim": 4096,
            "max_position_embeddings": 2048, "vocab_size": 50272, "word_embed_proj_dim": 512, "do_layer_norm_before": false})"_s
        << qint64(331'196'416);
    // A gate weighs the shared experts, which are as wide as four.
    QTest::newRow("Qwen1.5-MoE-A2.7B")
        << uR"({"model_type": "qwen2_moe", "hidden_size": 2048, "num_hidden_layers": 24, "num_attention_heads": 16,
            "num_key_value_heads": 16, "intermediate_size": 5632, "moe_intermediate_size": 1408, "num_experts": 60,
            "shared_expert_intermediate_size": 5632, "num_experts_per_tok": 4, "decoder_sparse_step": 1,
            "vocab_size": 151936, "tie_word_embeddings": false})"_s
        << qint64(14'315'784'192);
    // Queries at full rank.
    QTest::newRow("DeepSeek-V2-Lite")
        << uR"({"model_type": "deepseek_v2", "hidden_size": 2048, "num_hidden_layers": 27, "num_attention_heads": 16,
            "num_key_value_heads": 16, "intermediate_size": 10944, "moe_intermediate_size": 1408, "n_routed_experts": 64,
            "n_shared_experts": 2, "num_experts_per_tok": 6, "first_k_dense_replace": 1, "moe_layer_freq": 1,
            "q_lora_rank": null, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
            "topk_method": "greedy", "vocab_size": 102400, "tie_word_embeddings": false})"_s
        << qint64(15'706'484'224);
    // Attention and feed-forward after each other, with biases, linear positions and a head of keys for each of
    // queries.
    QTest::newRow("Falcon-RW-1B")
        << uR"({"model_type": "falcon", "hidden_size": 2048, "num_hidden_layers": 24, "num_attention_heads": 32,
            "multi_query": false, "parallel_attn": false, "alibi": true, "bias": true, "vocab_size": 50304})"_s
        << qint64(1'311'625'216);
    QTest::newRow("Phi-1.5")
        << uR"({"model_type": "phi", "hidden_size": 2048, "num_hidden_layers": 24, "num_attention_heads": 32,
            "num_key_value_heads": null, "intermediate_size": 8192, "vocab_size": 51200, "qk_layernorm": false,
            "tie_word_embeddings": false})"_s
        << qint64(1'418'270'720);
    QTest::newRow("Llama 3.2 1B")
        << uR"({"model_type": "llama", "hidden_size": 2048, "num_hidden_layers": 16, "num_attention_heads": 32, "head_dim": 64,
            "num_key_value_heads": 8, "intermediate_size": 8192, "vocab_size": 128256, "tie_word_embeddings": true})"_s
        << qint64(1'235'814'400);
    QTest::newRow("Qwen2.5-0.5B")
        << uR"({"model_type": "qwen2", "hidden_size": 896, "num_hidden_layers": 24, "num_attention_heads": 14,
            "num_key_value_heads": 2, "intermediate_size": 4864, "vocab_size": 151936, "tie_word_embeddings": true})"_s
        << qint64(494'032'768);
    QTest::newRow("Gemma 7B, heads of 256 left out")
        << uR"({"model_type": "gemma", "hidden_size": 3072, "num_hidden_layers": 28, "num_attention_heads": 16,
            "num_key_value_heads": 16, "intermediate_size": 24576, "vocab_size": 256000})"_s
        << qint64(8'537'680'896);
    QTest::newRow("BLOOM-560M")
        << uR"({"model_type": "bloom", "n_embed": 1024, "n_layer": 24, "num_attention_heads": 16, "vocab_size": 250880})"_s
        << qint64(559'214'592);
    QTest::newRow("Mixtral 8x7B")
        << uR"({"model_type": "mixtral", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
            "num_key_value_heads": 8, "intermediate_size": 14336, "num_local_experts": 8, "num_experts_per_tok": 2,
            "sliding_window": null, "vocab_size": 32000})"_s
        << qint64(46'702'792'704);
    QTest::newRow("Pythia 12B")
        << uR"({"model_type": "gpt_neox", "hidden_size": 5120, "num_hidden_layers": 36, "num_attention_heads": 40,
            "intermediate_size": 20480, "vocab_size": 50688, "rotary_pct": 0.25, "use_parallel_residual": true})"_s
        << qint64(11'846'072'320);
    // What num_kv_heads says does not count where one key and value is shared by all.
    QTest::newRow("Falcon-7B as published")
        << uR"({"model_type": "falcon", "hidden_size": 4544, "num_hidden_layers": 32, "num_attention_heads": 71,
            "num_kv_heads": 71, "multi_query": true, "new_decoder_architecture": false, "parallel_attn": true,
            "alibi": false, "bias": false, "vocab_size": 65024})"_s
        << qint64(6'921'720'704);
}

void TestHuggingFace::furtherTotals()
{
    QFETCH(QString, config);
    QFETCH(qint64, parameters);
    QCOMPARE(modelOf(config.toStdString()).parameters.total(), parameters);
}

void TestHuggingFace::nestedTextModels_data()
{
    QTest::addColumn<QString>("config");
    QTest::addColumn<qint64>("checkpoint");
    QTest::addColumn<qint64>("tower");
    QTest::addColumn<qint64>("active");
    const auto siglip = [] {
        const qint64 h = 1152, f = 4304, layers = 27, positions = 64 * 64, patch = 3 * 14 * 14;
        const auto layer = 4 * (h * h + h) + 2 * h * f + f + h + 4 * h;
        return layers * layer + patch * h + h + positions * h + 2 * h;
    }();
    QTest::newRow("Gemma 3 27B") << QString::fromUtf8(huggingfacesamples::gemma3) << qint64(27'432'406'640)
                                 << siglip + 1152 * 5376 + 1152 << qint64(27'009'346'304);
    QTest::newRow("Gemma 3 4B, sizes of the family left out")
        << QString::fromUtf8(huggingfacesamples::gemma3Small) << qint64(4'300'079'472) << siglip + 1152 * 2560 + 1152
        << qint64(3'880'263'168);
    const auto llama4Tower = [] {
        const qint64 h = 1408, f = 5632, layers = 34, positions = 24 * 24 + 1, patch = 3 * 14 * 14;
        const auto layer = 4 * (h * h + h) + 2 * h * f + f + h + 4 * h;
        const auto adapter = f * 4096 + 4096 * 4096, projector = qint64(4096) * 5120;
        return layers * layer + patch * h + h + positions * h + 4 * h + adapter + projector;
    }();
    const auto scout = QString::fromUtf8(huggingfacesamples::llama4);
    QTest::newRow("Llama 4 Scout") << scout << qint64(108'641'793'536) << llama4Tower << qint64(17'172'894'720);
    auto maverick = scout;
    maverick.replace(u"\"num_local_experts\": 16"_s, u"\"num_local_experts\": 128"_s);
    maverick.replace(u"\"interleave_moe_layer_step\": 1"_s, u"\"interleave_moe_layer_step\": 2"_s);
    QTest::newRow("Llama 4 Maverick") << maverick << qint64(401'583'781'376) << llama4Tower << qint64(17'184'691'200);
}

/// The text model is what the checkpoint holds beside the vision tower, whose parameters are counted here.
void TestHuggingFace::nestedTextModels()
{
    QFETCH(QString, config);
    QFETCH(qint64, checkpoint);
    QFETCH(qint64, tower);
    QFETCH(qint64, active);
    const auto model = modelOf(config.toStdString());
    QCOMPARE(model.parameters.total(), checkpoint - tower);
    QCOMPARE(model.parameters.active(), active);
    QVERIFY2(
        says(model.notMapped, "The vision tower is not mapped (") && says(model.notMapped, "vision_config): the item"),
        all(model.notMapped).constData());
    QVERIFY2(!says(model.notMapped, "Not understood"), all(model.notMapped).constData());
}

void TestHuggingFace::whichLayersHaveWindows()
{
    const auto windows = [](const std::string &text) {
        std::string marks;
        const auto model = modelOf(text);
        for (const auto &layer : model.shape.layers)
            marks += layer.windowed ? 'w' : '-';
        return QString::fromStdString(marks);
    };
    const auto gemma = windows(huggingfacesamples::gemma3);
    QCOMPARE(gemma.left(13), u"wwwww-wwwww-w"_s);
    QCOMPARE(gemma.count(u'w'), 52);
    QCOMPARE(windows(huggingfacesamples::gptOss).left(5), u"w-w-w"_s);
    QCOMPARE(windows(huggingfacesamples::llama4).left(9), u"www-www-w"_s);
    QCOMPARE(windows(huggingfacesamples::llama).count(u'w'), 0);
    constexpr auto small = R"({"model_type": "%1", "hidden_size": 256, "num_hidden_layers": 4, "num_attention_heads": 4,
        "intermediate_size": 512, "vocab_size": 1000%2})";
    const auto edited = [&](const char *type, const char *more) {
        return QString::fromUtf8(small).arg(QString::fromUtf8(type), QString::fromUtf8(more)).toStdString();
    };
    QCOMPARE(windows(edited("mistral", R"(, "sliding_window": 4096)")), u"wwww"_s);
    QCOMPARE(windows(edited("mistral", R"(, "sliding_window": null)")), u"----"_s);
    QCOMPARE(windows(edited("gemma2", "")), u"w-w-"_s);
    QCOMPARE(windows(edited("gemma2", R"(, "sliding_window": null)")), u"----"_s);
    QCOMPARE(windows(edited("qwen2", R"(, "sliding_window": 4096, "use_sliding_window": false)")), u"----"_s);
    QCOMPARE(windows(edited("qwen2", R"(, "sliding_window": 64, "use_sliding_window": true, "max_window_layers": 3)")),
        u"---w"_s);
    QCOMPARE(windows(edited("gemma3_text", R"(, "sliding_window": 64, "sliding_window_pattern": 2)")), u"w-w-"_s);
    QCOMPARE(windows(edited("qwen3",
                 R"(, "sliding_window": 64, "layer_types": ["full_attention", "sliding_attention", "full_attention",
                 "full_attention"])")),
        u"-w--"_s);
    QCOMPARE(modelOf(edited("mistral", R"(, "sliding_window": 4096)")).record().number("sliding_window"),
        std::optional(4096.0));
    QVERIFY(!modelOf(edited("mistral", "")).record().number("sliding_window"));
}

void TestHuggingFace::whichLayersHaveExperts()
{
    constexpr auto small = R"({"model_type": "%1", "hidden_size": 256, "num_hidden_layers": 6, "num_attention_heads": 4,
        "intermediate_size": 512, "intermediate_size_mlp": 1024, "moe_intermediate_size": 128, "vocab_size": 1000,
        "num_experts": 8, "num_experts_per_tok": 2%2})";
    const auto model = [&](const char *type, const char *more) {
        return modelOf(QString::fromUtf8(small).arg(QString::fromUtf8(type), QString::fromUtf8(more)).toStdString());
    };
    const auto marks = [](const exchange::HuggingFaceModel &one) {
        std::string text;
        for (const auto &layer : one.shape.layers)
            text += layer.experts ? 'e' : '-';
        return QString::fromStdString(text);
    };
    QCOMPARE(marks(model("qwen3_moe", R"(, "decoder_sparse_step": 2)")), u"-e-e-e"_s);
    const auto scattered = model("qwen3_moe", R"(, "mlp_only_layers": [1, 4])");
    QCOMPARE(marks(scattered), u"e-ee-e"_s);
    QVERIFY2(
        says(scattered.notMapped, "Which layers have experts is not mapped"), all(scattered.notMapped).constData());
    QCOMPARE(scattered.record().number("first_dense_layers"), std::optional(2.0)); // as many, and so as many parameters
    QCOMPARE(scattered.record().number("moe_layer_interval"), std::optional(1.0));
    QCOMPARE(marks(model("glm4_moe", R"(, "first_k_dense_replace": 2)")), u"--eeee"_s);
    QCOMPARE(marks(model("llama4_text", R"(, "interleave_moe_layer_step": 3)")), u"--e--e"_s);
    QVERIFY(!exchange::modelFromHuggingFace(edited(huggingfacesamples::llama4,
        u"\"interleave_moe_layer_step\": 1,\n    \"intermediate_size\": 8192,\n    "
        u"\"intermediate_size_mlp\": 16384"_s,
        u"\"interleave_moe_layer_step\": 2, \"intermediate_size\": 8192"_s)));
    const auto listed = model("llama4_text", R"(, "moe_layers": [0, 5])");
    QCOMPARE(marks(listed), u"e----e"_s);
    QCOMPARE(listed.shape.ffn, 1024);
    QCOMPARE(listed.shape.experts->ffn, 128);
}

void TestHuggingFace::whatIsLeftOutIsSaid()
{
    const auto model = modelOf(huggingfacesamples::gemma3Small);
    for (const auto *key : {"vocab_size", "num_attention_heads", "num_key_value_heads", "head_dim",
             "max_position_embeddings", "tie_word_embeddings", "sliding_window_pattern"})
        QVERIFY2(says(model.assumed, key), key);
    QCOMPARE(model.shape.heads, 8);
    QCOMPARE(model.shape.kvHeads, 4);
    // What was taken from the family is no reading of the file.
    for (const auto *field : {"vocab_size", "head_dim", "release_year"})
        QVERIFY(model.record().attribution(field)->confidence == Confidence::Estimate);
    QVERIFY(model.record().attribution("hidden_size")->verification == Verification::Read);
    QVERIFY(model.record().attribution("params_total")->verification == Verification::Derived);
    QVERIFY2(modelOf(huggingfacesamples::llama).assumed.empty(),
        all(modelOf(huggingfacesamples::llama).assumed).constData());
}

void TestHuggingFace::whatIsNotMappedIsSaid()
{
    const auto deepseek = modelOf(huggingfacesamples::deepseek);
    QVERIFY2(
        says(deepseek.notMapped, "1 layer that predicts a further token (num_nextn_predict_layers) is not counted"),
        all(deepseek.notMapped).constData());
    QVERIFY2(says(deepseek.notMapped, "larger by 11.5"), all(deepseek.notMapped).constData());
    QVERIFY2(says(deepseek.notMapped, "quantization_config (\u201cfp8\u201d) changes the bytes"),
        all(deepseek.notMapped).constData());
    QVERIFY(says(deepseek.notMapped, "rope_scaling"));
    QVERIFY(says(deepseek.notMapped, "routed_scaling_factor"));
    QVERIFY(!says(deepseek.notMapped, "torch_dtype"));
    QVERIFY(!says(deepseek.notMapped, "Not understood"));

    const auto strange = modelOf(edited(huggingfacesamples::llama, u"\"use_cache\": true"_s,
        u"\"use_cache\": true, \"moon_phase\": 3, \"rotors\": {\"n\": 2}, \"nothing\": null"_s));
    QVERIFY2(says(strange.notMapped, "Not understood, and not used: moon_phase, rotors."),
        all(strange.notMapped).constData());
    const auto hidden = modelOf(edited(huggingfacesamples::llama, u"\"use_cache\""_s, u"\"a\\u202eb\""_s));
    QVERIFY2(
        says(hidden.notMapped, "a\\u202eb") || says(hidden.notMapped, "a\\u202Eb"), all(hidden.notMapped).constData());
    // What was said stays with the item.
    for (const auto &sentence : deepseek.notMapped)
        QVERIFY(deepseek.record().notes.find(sentence) != std::string::npos);
}

void TestHuggingFace::namesAndIds_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("given");
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("itemId");
    QTest::addColumn<QString>("url");
    const auto row = [](const char *title, const char *path, const char *given, const char *id, const char *name,
                         const char *itemId, const char *url) {
        QTest::newRow(title) << QString::fromUtf8(path) << QString::fromUtf8(given) << QString::fromUtf8(id)
                             << QString::fromUtf8(name) << QString::fromUtf8(itemId) << QString::fromUtf8(url);
    };
    row("hub", "meta-llama/Llama-3.1-70B", "", "", "Llama-3.1-70B", "llama_3_1_70b_hf",
        "https://huggingface.co/meta-llama/Llama-3.1-70B");
    row("a path", "/data/models/our llama/", "", "", "our llama", "our_llama_hf", "");
    row("dots", "./", "", "", "Llama 70.6B", "llama_70_6b_hf", "");
    row("none", "", "", "", "Llama 70.6B", "llama_70_6b_hf", "");
    row("given", "meta-llama/Llama-3.1-70B", "Mine", "", "Mine", "mine_hf",
        "https://huggingface.co/meta-llama/Llama-3.1-70B");
    row("an id, too", "", "Mine", "my_model", "Mine", "my_model", "");
    row("no letters", "", "\u6a21\u578b", "", "\u6a21\u578b", "llama_70_6b_hf", "");
    row("a digit first", "", "70B of ours", "", "70B of ours", "model_70b_of_ours_hf", "");
}

void TestHuggingFace::namesAndIds()
{
    QFETCH(QString, path);
    QFETCH(QString, given);
    QFETCH(QString, id);
    const auto text = edited(huggingfacesamples::llama, u"meta-llama/Llama-3.1-70B"_s, path);
    const auto model = modelOf(text, {given.toStdString(), id.toStdString()});
    QTEST(QString::fromStdString(model.record().name), "name");
    QTEST(QString::fromStdString(model.record().id), "itemId");
    QTEST(QString::fromStdString(model.items.sources.front().source.url), "url");
    QCOMPARE(model.named, !given.isEmpty() || (!path.isEmpty() && path != u"./"_s));
    QVERIFY(!shipped().find(CatalogKind::Workload, model.record().id));
}

void TestHuggingFace::theSameFileGivesTheSameItem()
{
    const auto model = modelOf(huggingfacesamples::deepseek);
    auto catalog = shipped();
    const auto first = importInto(catalog, model.items, {}, ExistingItems::Refuse);
    QVERIFY(first.refused.empty());
    QCOMPARE(first.added.size(), 1UZ);
    apply(catalog, first.edit.before, first.edit.after);
    const auto again = importInto(catalog, modelOf(huggingfacesamples::deepseek).items, {}, ExistingItems::Refuse);
    QCOMPARE(again.unchanged.size(), 1UZ);
    QVERIFY(again.edit.before == again.edit.after);
    // Another file of that name is another item; it takes the place only where that is asked for.
    const auto other = modelOf(
        edited(huggingfacesamples::deepseek, u"\"n_group\": 8"_s, u"\"n_group\": 8, \"x\": 1"_s));
    QCOMPARE(importInto(catalog, other.items, {}, ExistingItems::Refuse).refused.size(), 1UZ);
    QCOMPARE(importInto(catalog, other.items, {}, ExistingItems::Replace).replaced.size(), 1UZ);
    apply(catalog, first.edit.after, first.edit.before);
    QVERIFY(!catalog.find(CatalogKind::Workload, model.record().id));
    QVERIFY(!catalog.source(CatalogKind::Workload, model.items.sources.front().source.id));
}

void TestHuggingFace::theItemStandsLikeTheCatalogs_data()
{
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("id");
    QTest::newRow("Llama 3.1 70B") << QString::fromUtf8(huggingfacesamples::llama) << u"llama3_1_70b"_s;
    QTest::newRow("DeepSeek-V3") << QString::fromUtf8(huggingfacesamples::deepseek) << u"deepseek_v3"_s;
    QTest::newRow("gpt-oss-20b") << QString::fromUtf8(huggingfacesamples::gptOss) << u"gpt_oss_20b"_s;
    QTest::newRow("Llama 4 Scout") << QString::fromUtf8(huggingfacesamples::llama4) << u"llama4_scout"_s;
}

/// The architecture is that of the shipped item of the same model, and so a plan takes the same time, but for what the
/// rounded parameters of cards are off.
void TestHuggingFace::theItemStandsLikeTheCatalogs()
{
    QFETCH(QString, config);
    QFETCH(QString, id);
    const auto model = modelOf(config.toStdString());
    const auto *known = shipped().find(CatalogKind::Workload, id.toStdString());
    QVERIFY(known);
    for (const auto *key : {"architecture", "layers", "hidden_size", "attention_heads", "kv_heads", "head_dim",
             "attention_type", "mla_q_lora_rank", "mla_kv_lora_rank", "mla_qk_nope_head_dim", "mla_qk_rope_head_dim",
             "mla_v_head_dim", "attention_bias", "sliding_window", "ffn_hidden_size", "gated_ffn", "ffn_bias",
             "norm_type", "vocab_size", "tied_embeddings", "max_seq_len", "position_embedding", "experts",
             "experts_per_token", "moe_ffn_hidden_size", "first_dense_layers", "moe_layer_interval", "shared_experts",
             "shared_expert_ffn_hidden_size"}) {
        const auto *mine = model.record().find(key), *theirs = known->find(key);
        QVERIFY2((mine && theirs && *mine == *theirs) || (!mine && !theirs), key);
    }
    const auto derived = known->number("params_total_derived").value();
    QVERIFY(std::abs(double(model.parameters.total()) / derived - 1) < 1e-6); // which leaves out small terms

    auto catalog = shipped();
    apply(catalog, {}, model.items);
    const auto stepTime = [&](const std::string &workload) {
        auto document = exchange::planFromText(
            QString::fromUtf8(R"(fleetwright: 1
workload: %1
fleet: {node: nvidia_dgx_h100, nodes: 128, fabric: ib_ndr}
parallelism: {tp: 8, pp: %2}
training: {global_batch: 1024, microbatch_size: 1, seq_len: 4096, precision: bf16}
cost_model: detailed
)")
                .arg(QString::fromStdString(workload), id == u"gpt_oss_20b" ? u"4"_s : u"8"_s)
                .toStdString());
        if (!document)
            qFatal("%s", described(document.error()).constData());
        const auto plan = resolve(*document, catalog);
        if (!plan)
            qFatal("%s", described(plan.error()).constData());
        const auto solution = solve(*plan);
        if (!solution)
            qFatal("%s", described(solution.error()).constData());
        return solution->estimate.stepTime->value();
    };
    const double theirs = stepTime(known->id), mine = stepTime(model.record().id);
    QVERIFY2(std::abs(mine / theirs - 1) < 1e-3,
        qPrintable(u"%1 s instead of %2 s"_s.arg(mine, 0, 'g', 10).arg(theirs, 0, 'g', 10)));
}

void TestHuggingFace::isKnownByItsContent()
{
    QVERIFY(exchange::huggingFaceIfOne(huggingfacesamples::llama).value().has_value());
    QVERIFY(!exchange::huggingFaceIfOne(R"({"model_type": "bert"})").value().has_value());
    QVERIFY(!exchange::huggingFaceIfOne(R"({"weight_map": {}})").value().has_value());
    for (const auto *text :
        {samplePlan, "[1, 2]", "", "{", R"({"items": []})", R"({"fleetwright": 1, "model_type": "x"})"})
        QVERIFY(!exchange::huggingFaceIfOne(text).has_value());
    for (const auto kind : {CatalogKind::Workload, CatalogKind::Node})
        QVERIFY(!exchange::huggingFaceIfOne(catalogText(kind)).has_value());
}

FLEETWRIGHT_TEST(TestHuggingFace)
#include "tst_huggingface.moc"
