// SPDX-License-Identifier: GPL-3.0-or-later
// What is no config.json, or contradicts itself: a sentence that names the key.
#include "exchange/exchangetesting.h"
#include "exchange/huggingface.h"
#include "exchange/huggingfacesamples.h"
#include "testing/registry.h"

#include <QTest>

using namespace fleetwright;
using namespace exchangetesting;
using namespace Qt::StringLiterals;

class TestHuggingFaceRefusals : public QObject {
    Q_OBJECT

    static Expected<exchange::HuggingFaceModel> read(const std::string &text)
    {
        return exchange::modelFromHuggingFace(text);
    }

private slots:
    void badLlama_data();
    void badLlama() { checkBad(huggingfacesamples::llama); }
    void badDeepSeek_data();
    void badDeepSeek() { checkBad(huggingfacesamples::deepseek); }
    void badNested_data();
    void badNested() { checkBad(huggingfacesamples::llama4); }
    void badLayerTypes_data();
    void badLayerTypes() { checkBad(huggingfacesamples::gptOss); }
    void otherFiles_data();
    void otherFiles();
    void anyNumberIsReadOrRefused();
    void damagedTexts();

private:
    void checkBad(const char *sample)
    {
        Error error;
        checkToldRefusal(sample, read, error);
    }
};

void TestHuggingFaceRefusals::badLlama_data()
{
    addRefusalColumns();
    const auto row = toldRefusalRow;
    row("unknown type", "\"llama\"", "\"lama\"", "unsupported_value", "model_type",
        "did you mean \u201cllama\u201d? Understood are llama,");
    row("the known ones", "\"llama\"", "\"bert\"", "unsupported_value", "model_type",
        "understood are llama, llama4_text");
    row("no type", "\"model_type\"", "\"model_kind\"", "missing_field", "model_type", "understood are llama");
    row("type is a number", "\"llama\"", "3", "unsupported_value", "model_type", "must be a text");
    row("no layers", "\"num_hidden_layers\"", "\"layers\"", "missing_field", "num_hidden_layers", "number of layers");
    row("no width", "\"hidden_size\"", "\"width\"", "missing_field", "hidden_size", "is missing");
    row("no heads", "\"num_attention_heads\"", "\"heads\"", "missing_field", "num_attention_heads", "attention heads");
    row("no words", "\"vocab_size\"", "\"words\"", "missing_field", "vocab_size", "number of words");
    row("no FFN", "\"intermediate_size\"", "\"ffn\"", "missing_field", "intermediate_size", "feed-forward");
    row("null", "\"num_hidden_layers\": 80", "\"num_hidden_layers\": null", "missing_field", "num_hidden_layers",
        "missing");
    row("heads and kv heads", "\"num_key_value_heads\": 8", "\"num_key_value_heads\": 7", "out_of_range",
        "num_key_value_heads", "no multiple of the 7 kv heads");
    row("heads do not divide", "\"hidden_size\": 8192", "\"hidden_size\": 8200", "out_of_range", "hidden_size",
        "does not divide by the 64");
    row("two names, two widths", "\"hidden_size\": 8192", "\"hidden_size\": 8192, \"n_embd\": 4096", "out_of_range",
        "n_embd", "names of the same thing");
    row("negative", "\"num_hidden_layers\": 80", "\"num_hidden_layers\": -80", "out_of_range", "num_hidden_layers",
        "from 1 to 300");
    row("zero", "\"num_attention_heads\": 64", "\"num_attention_heads\": 0", "out_of_range", "num_attention_heads",
        "from 1 to 300");
    row("half", "\"vocab_size\": 128256", "\"vocab_size\": 128256.5", "out_of_range", "vocab_size", "whole number");
    row("text", "\"vocab_size\": 128256", "\"vocab_size\": \"128256\"", "out_of_range", "vocab_size", "whole number");
    row("NaN", "\"vocab_size\": 128256", "\"vocab_size\": NaN", "out_of_range", "vocab_size", "whole number");
    row("infinite", "\"hidden_size\": 8192", "\"hidden_size\": Infinity", "out_of_range", "hidden_size",
        "whole number");
    row("beyond a double", "\"hidden_size\": 8192", "\"hidden_size\": 1e999", "out_of_range", "hidden_size", "");
    row("huge", "\"num_hidden_layers\": 80", "\"num_hidden_layers\": 2000000000", "out_of_range", "num_hidden_layers",
        "300");
    row("huge in 64 bits", "\"intermediate_size\": 28672", "\"intermediate_size\": 18446744073709551615",
        "out_of_range", "intermediate_size", "whole number");
    row("flag", "\"tie_word_embeddings\": false", "\"tie_word_embeddings\": 0", "unsupported_value",
        "tie_word_embeddings", "true or false");
    row("experts in a dense family", "\"mlp_bias\": false", "\"num_local_experts\": 8", "unsupported_value",
        "num_local_experts", "not understood in a model of the type \u201cllama\u201d");
    row("latent attention, too", "\"mlp_bias\": false", "\"kv_lora_rank\": 512", "unsupported_value", "kv_lora_rank",
        "counted wrongly");
    row("layers of another kind", "\"mlp_bias\": false", "\"layer_types\": [\"full_attention\"]", "out_of_range",
        "layer_types", "names 1 layers, but there are 80");
    row("twice", "\"mlp_bias\": false", "\"vocab_size\": 7", "parse_error", "vocab_size", "stands twice");
    row("hidden in the name", "meta-llama/", "meta\\u202e", "unsupported_value", "_name_or_path", "nobody sees");
    row("too narrow for the catalog", "\"hidden_size\": 8192", "\"hidden_size\": 32, \"head_dim\": 8", "out_of_range",
        "hidden_size", "at least 64");
}

void TestHuggingFaceRefusals::badDeepSeek_data()
{
    addRefusalColumns();
    const auto row = toldRefusalRow;
    row("no experts", "\"n_routed_experts\"", "\"experts\"", "missing_field", "num_experts", "n_routed_experts");
    row("no top-k", "\"num_experts_per_tok\"", "\"top_k\"", "missing_field", "num_experts_per_tok",
        "which the 256 experts need");
    row("top-k too large", "\"num_experts_per_tok\": 8", "\"num_experts_per_tok\": 257", "out_of_range",
        "num_experts_per_tok", "cannot use 257 of 256");
    row("no width of experts", "\"moe_intermediate_size\"", "\"moe_width\"", "missing_field", "moe_intermediate_size",
        "width of an expert");
    row("all layers dense", "\"first_k_dense_replace\": 3", "\"first_k_dense_replace\": 61", "out_of_range",
        "first_k_dense_replace", "none of the 61 layers");
    row("no rank", "\"kv_lora_rank\"", "\"rank\"", "missing_field", "kv_lora_rank", "latent");
    row("no rotary size", "\"qk_rope_head_dim\"", "\"rope_dim\"", "missing_field", "qk_rope_head_dim", "rotary");
    row("no value size", "\"v_head_dim\"", "\"v_dim\"", "missing_field", "v_head_dim", "values");
    row("too many experts", "\"n_routed_experts\": 256", "\"n_routed_experts\": 4096", "out_of_range",
        "n_routed_experts", "from 0 to 1024");
    row("shared experts without end", "\"n_shared_experts\": 1", "\"n_shared_experts\": 1000000", "out_of_range",
        "n_shared_experts", "wide together");
    row("more parameters than any", "\"moe_intermediate_size\": 2048", "\"moe_intermediate_size\": 1000000",
        "out_of_range", "params_total", "at most");
    row("which experts are chosen", "\"topk_method\": \"noaux_tc\"", "\"topk_method\": 1", "unsupported_value",
        "topk_method", "must be a text");
}

void TestHuggingFaceRefusals::badNested_data()
{
    addRefusalColumns();
    const auto row = toldRefusalRow;
    row("unknown inside", "\"llama4_text\"", "\"clip_text_model\"", "unsupported_value", "text_config.model_type",
        "\u201cclip_text_model\u201d is not understood");
    row("inside is no object", "\"text_config\": {", "\"text_config\": 1, \"other\": {", "unsupported_value",
        "text_config", "must be an object");
    row("missing inside", "\"num_attention_heads\"", "\"heads\"", "missing_field", "text_config.num_attention_heads",
        "is missing");
    row("layers without positions", "\"no_rope_layers\": []", "\"no_rope_layers\": [1, 1, 0]", "out_of_range",
        "text_config.no_rope_layers", "names 3 layers, but there are 48");
    row("a layer too many", "\"moe_layers\": []", "\"moe_layers\": [3, 48]", "out_of_range", "text_config.moe_layers",
        "names layer 48");
    row("no list", "\"moe_layers\": []", "\"moe_layers\": 3", "unsupported_value", "text_config.moe_layers",
        "must be a list");
}

void TestHuggingFaceRefusals::badLayerTypes_data()
{
    addRefusalColumns();
    const auto row = toldRefusalRow;
    row("one less", "[\"sliding_attention\", ", "[", "out_of_range", "layer_types",
        "names 23 layers, but there are 24");
    row("state space", "[\"sliding_attention\", ", "[\"mamba\", ", "unsupported_value", "layer_types",
        "layers of \u201cmamba\u201d");
    row("not texts", "[\"sliding_attention\", ", "[3, ", "unsupported_value", "layer_types", "list of texts");
    row("another top-k", "\"experts_per_token\": 4", "\"experts_per_token\": 2", "out_of_range", "experts_per_token",
        "names of the same thing");
    row("window too long", "\"sliding_window\": 128", "\"sliding_window\": 1e12", "out_of_range", "sliding_window",
        "whole number");
}

void TestHuggingFaceRefusals::otherFiles_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("tokenizer") << QByteArray(
        R"({"version": "1.0", "added_tokens": [{"id": 0}], "model": {"type": "BPE", "vocab": {"a": 0}}})")
                               << u"tokenizer.json"_s;
    QByteArray words = R"({"version": "1.0", "model": {"type": "BPE", "vocab": {"!": 0)";
    for (int i = 1; i < 200'000; ++i)
        words += ", \"w" + QByteArray::number(i) + "\": " + QByteArray::number(i);
    QTest::newRow("a large tokenizer") << words + "}}}" << u"tokenizer.json"_s;
    QByteArray weights = R"({"metadata": {"total_size": 1}, "weight_map": {"a": "b")";
    for (int i = 0; i < 5000; ++i)
        weights += ", \"model.layers." + QByteArray::number(i) + ".weight\": \"model-00001.safetensors\"";
    QTest::newRow("index") << weights + "}}" << u"model.safetensors.index.json"_s;
    QTest::newRow("tokenizer settings") << QByteArray(
        R"({"add_bos_token": true, "model_max_length": 131072, "tokenizer_class": "LlamaTokenizer"})")
                                        << u"tokenizer_config.json"_s;
    QTest::newRow("generation") << QByteArray(
        R"({"_from_model_config": true, "bos_token_id": 1, "transformers_version": "4.43.0"})")
                                << u"generation_config.json"_s;
    QTest::newRow("sampling") << QByteArray(R"({"do_sample": true, "temperature": 0.6, "top_p": 0.9})")
                              << u"generation_config.json"_s;
    QTest::newRow("adapter") << QByteArray(R"({"peft_type": "LORA", "r": 16})") << u"adapter_config.json"_s;
    QTest::newRow("images") << QByteArray(R"({"image_processor_type": "CLIPImageProcessor"})")
                            << u"preprocessor_config.json"_s;
    QTest::newRow("publisher's own") << QByteArray(R"({"dim": 8192, "n_layers": 80, "n_heads": 64})")
                                     << u"params.json"_s;
}

void TestHuggingFaceRefusals::otherFiles()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, says);
    for (const auto &model : {read(text.toStdString()), exchange::huggingFaceIfOne(text.toStdString()).value()}) {
        QVERIFY(!model.has_value());
        QVERIFY2(utf8(model.error().message).contains(says)
                && utf8(model.error().message).contains(u"the config.json of the same folder"_s),
            described(model.error()).constData());
    }
}

/// Whatever number stands at a key: read as it is, or refused with the key; never another one, never an overflow.
void TestHuggingFaceRefusals::anyNumberIsReadOrRefused()
{
    for (const auto *sample : {huggingfacesamples::llama, huggingfacesamples::deepseek, huggingfacesamples::gptOss,
             huggingfacesamples::llama4}) {
        const auto config = exchange::Json::parse(sample);
        const bool nested = config.contains("text_config");
        const auto &inner = nested ? config["text_config"] : config;
        for (const auto &[key, value] : inner.items())
            if (value.is_number())
                for (const double number :
                    {-1.0, 0.0, 0.5, 1.0, 299.0, 1024.0, 3e5, 1e6, 1e9, 2147483648.0, 1e18, 1e300}) {
                    auto changed = config;
                    (nested ? changed["text_config"] : changed)[key] = number;
                    const auto model = read(changed.dump());
                    if (!model) {
                        QVERIFY(!model.error().message.empty() && !model.error().field.empty());
                        continue;
                    }
                    QVERIFY(model->parameters.total() > 0 && model->parameters.active() > 0);
                    QVERIFY(model->parameters.active() <= model->parameters.total());
                    QVERIFY(check(model->record()).has_value());
                }
    }
}

void TestHuggingFaceRefusals::damagedTexts()
{
    checkDamaged(huggingfacesamples::gemma3, read);
    checkDamaged(huggingfacesamples::deepseek, read, 11);
}

FLEETWRIGHT_TEST(TestHuggingFaceRefusals)
#include "tst_huggingfacerefusals.moc"
