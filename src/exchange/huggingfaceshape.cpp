// SPDX-License-Identifier: GPL-3.0-or-later
// The architecture that the keys of a config.json mean.
#include "exchange/huggingfaceparts.h"

#include "units/words.h"

#include <algorithm>

namespace fleetwright::exchange {

namespace {

class ShapeReader {
public:
    ShapeReader(HuggingFaceObjects &objects, const HuggingFaceFamily &family, std::vector<LeftOut> &assumed)
        : m_config(objects.text), m_outer(objects.outer), m_family(family), m_assumed(assumed)
    {
    }

    TransformerShape read()
    {
        readSizes();
        readHeads();
        readParts();
        readFeedForward();
        readExperts();
        readWindows();
        if (m_family.more)
            m_family.more(m_config, m_shape);
        refuseExperts();
        return std::move(m_shape);
    }

private:
    using Keys = HuggingFaceConfig::Keys;

    void readSizes();
    void readHeads();
    void readParts();
    void readFeedForward();
    void readExperts();
    void readExpertLayers();
    void readWindows();
    void readLayerTypes(const std::vector<std::string> &types);
    void setWindows(auto hasWindow);
    void refuseExperts();

    void assume(std::string_view field, std::string_view key, const std::string &what)
    {
        m_assumed.push_back({field, inQuotes(key) + " is not stated: " + what + "."});
    }
    [[nodiscard]] std::string asInFamily() const { return ", as in " + std::string(m_family.title); }
    int orLeftOut(Keys keys, std::string_view what, int leftOut, std::string_view meaning)
    {
        if (leftOut == 0)
            return m_config.required(keys, what, meaning);
        const auto stated = m_config.count(keys, what);
        if (!stated && !m_config.error())
            assume(what, *keys.begin(), inDigits(leftOut) + asInFamily());
        return stated.value_or(leftOut);
    }
    [[nodiscard]] int layers() const { return static_cast<int>(m_shape.layers.size()); }

    HuggingFaceConfig &m_config;
    std::optional<HuggingFaceConfig> &m_outer;
    const HuggingFaceFamily &m_family;
    std::vector<LeftOut> &m_assumed;
    TransformerShape m_shape;
};

void ShapeReader::readSizes()
{
    m_shape.layers.resize(std::size_t(
        m_config.required({"num_hidden_layers", "n_layer", "num_layers"}, "layers", "the number of layers")));
    m_shape.hidden = m_config.required(
        {"hidden_size", "n_embd", "n_embed", "d_model"}, "hidden_size", "the width of the model (hidden size)");
    m_shape.vocabulary = orLeftOut({"vocab_size"}, "vocab_size", m_family.leftOut.vocabulary, "the number of words");
    m_shape.furtherTokenLayers =
        m_config.count({"num_nextn_predict_layers", "mtp_num_hidden_layers"}, "layers", 0).value_or(0);
    for (const auto key : {"max_position_embeddings", "n_positions", "seq_length", "max_sequence_length"})
        if (!m_shape.context)
            m_shape.context = m_config.count({key}, "max_seq_len");
    if (!m_shape.context && m_family.leftOut.context > 0) {
        m_shape.context = m_family.leftOut.context;
        assume("max_seq_len", "max_position_embeddings", inDigits(m_family.leftOut.context) + asInFamily());
    }
}

void ShapeReader::readHeads()
{
    const auto &leftOut = m_family.leftOut;
    m_shape.heads = orLeftOut(
        {"num_attention_heads", "n_head"}, "attention_heads", leftOut.heads, "the number of attention heads");
    const auto keyValueHeads = m_config.count({"num_key_value_heads", "num_kv_heads", "n_head_kv"}, "kv_heads");
    m_shape.kvHeads = keyValueHeads.value_or(leftOut.kvHeads > 0 ? leftOut.kvHeads : m_shape.heads);
    if (!keyValueHeads && leftOut.kvHeads > 0)
        assume("kv_heads", "num_key_value_heads", inDigits(leftOut.kvHeads) + asInFamily());
    if (m_family.latent) {
        LatentAttention latent;
        latent.queryRank = m_config.count({"q_lora_rank"}, "mla_q_lora_rank");
        latent.keyValueRank = m_config.required(
            {"kv_lora_rank"}, "mla_kv_lora_rank", "the rank of the latent keys and values, which this family has");
        latent.keyDim = m_config.required(
            {"qk_nope_head_dim"}, "mla_qk_nope_head_dim", "the size of a head of queries without rotary positions");
        latent.rotaryDim = m_config.required(
            {"qk_rope_head_dim"}, "mla_qk_rope_head_dim", "the size of a head of queries with rotary positions");
        latent.valueDim = m_config.required({"v_head_dim"}, "mla_v_head_dim", "the size of a head of values");
        m_shape.latent = latent;
    }
    if (m_shape.heads % m_shape.kvHeads != 0) {
        m_config.refuse(ErrorCode::OutOfRange, "num_key_value_heads",
            "The " + inDigits(m_shape.heads) + " attention heads are no multiple of the " + inDigits(m_shape.kvHeads)
                + " kv heads (\u201cnum_key_value_heads\u201d), which they share evenly.");
    }
    const auto stated = m_config.count({"head_dim"}, "head_dim");
    const int divided = std::max(1, m_shape.hidden / m_shape.heads);
    m_shape.headDim = stated.value_or(leftOut.headDim > 0 ? leftOut.headDim : divided);
    if (!stated && leftOut.headDim > 0 && !m_config.error())
        assume("head_dim", "head_dim", inDigits(leftOut.headDim) + asInFamily());
    if (!stated && leftOut.headDim == 0 && !m_family.latent && m_shape.hidden % m_shape.heads != 0)
        m_config.refuse(ErrorCode::OutOfRange, "hidden_size",
            "The hidden size of " + inDigits(m_shape.hidden) + " does not divide by the " + inDigits(m_shape.heads)
                + " attention heads, and no \u201chead_dim\u201d says how large a head is.");
}

void ShapeReader::readParts()
{
    auto &shape = m_shape;
    shape.gated = m_family.gated;
    shape.norm = m_family.norm;
    shape.normsPerLayer = m_family.norms;
    shape.positions = m_family.positions;
    auto tied = m_config.flag("tie_word_embeddings");
    if (!tied && m_outer)
        tied = m_outer->flag("tie_word_embeddings");
    if (!tied)
        assume("tied_embeddings", "tie_word_embeddings",
            (m_family.tied ? "one matrix for embedding and output" : "two matrices for embedding and output")
                + asInFamily());
    shape.tied = tied.value_or(m_family.tied);
    const auto flagged = [&](std::string_view key, auto whenSet, auto whenNot, auto otherwise) {
        const auto set = key.empty() ? std::nullopt : m_config.flag(key);
        return !set ? otherwise : *set ? whenSet : whenNot;
    };
    shape.attentionBias = flagged(m_family.biasKey, m_family.biasWhenSet, AttentionBias::None, m_family.bias);
    shape.ffnBias = flagged(m_family.ffnBiasKey, true, false, m_family.ffnBias);
    shape.outputBias = m_family.outputBias;
    shape.queryKeyNorm = flagged(m_family.queryKeyNormKey, true, false, m_family.queryKeyNorm);
}

void ShapeReader::readFeedForward()
{
    const bool interleaved = m_family.experts == ExpertsBy::Interleaved;
    const auto width = m_config.count(
        {"intermediate_size", "ffn_hidden_size", "n_inner", "ffn_dim"}, "ffn_hidden_size");
    const auto dense = interleaved ? m_config.count({"intermediate_size_mlp"}, "ffn_hidden_size") : std::nullopt;
    if (!width && m_family.gated)
        m_config.refuse(ErrorCode::MissingField, "intermediate_size",
            "\u201cintermediate_size\u201d is missing: the width of the feed-forward part.");
    else if (!width && !m_config.error())
        assume("ffn_hidden_size", "intermediate_size",
            inDigits(4LL * m_shape.hidden) + ", four times the hidden size" + asInFamily());
    m_shape.ffn = dense ? *dense : width.value_or(4 * m_shape.hidden);
}

void ShapeReader::readExperts()
{
    if (m_family.experts == ExpertsBy::Nothing)
        return;
    const Keys keys{"num_local_experts", "n_routed_experts", "num_experts"};
    const bool mayBeDense = m_family.experts == ExpertsBy::FirstDense || m_family.experts == ExpertsBy::Step;
    const bool stated = std::ranges::any_of(keys, [&](auto key) { return m_config.object().contains(key); });
    const auto count = m_config.count(keys, "experts", mayBeDense ? 0 : 1);
    if (mayBeDense && stated && count.value_or(0) == 0)
        return; // such a family without experts
    if (!count) {
        m_config.refuse(ErrorCode::MissingField, "num_experts",
            "\u201cnum_experts\u201d (or \u201cnum_local_experts\u201d, \u201cn_routed_experts\u201d) is missing: the "
            "number of experts, which this family has.");
        return;
    }
    ExpertLayers experts;
    experts.experts = *count;
    experts.perToken = m_config.required({"num_experts_per_tok", "experts_per_token"}, "experts_per_token",
        "how many experts a token uses, which the " + inDigits(*count) + " experts need");
    if (experts.perToken > experts.experts)
        m_config.refuse(ErrorCode::OutOfRange, "num_experts_per_tok",
            "A token cannot use " + inDigits(experts.perToken) + " of " + inDigits(experts.experts) + " experts.");
    const auto width = m_config.count({"moe_intermediate_size"}, "moe_ffn_hidden_size");
    if (!width && mayBeDense)
        m_config.refuse(ErrorCode::MissingField, "moe_intermediate_size",
            "\u201cmoe_intermediate_size\u201d is missing: the width of an expert.");
    const auto ofAll = m_config.count({"intermediate_size"}, "ffn_hidden_size");
    experts.ffn = width.value_or(ofAll.value_or(m_shape.ffn));
    std::int64_t shared = 0;
    if (m_family.experts == ExpertsBy::FirstDense) {
        experts.shared = m_config.count({"n_shared_experts"}, "shared_experts", 0).value_or(0);
        shared = std::int64_t(experts.shared) * experts.ffn;
    } else if (m_family.experts == ExpertsBy::Step) {
        shared = m_config.count({"shared_expert_intermediate_size"}, "shared_expert_ffn_hidden_size", 0).value_or(0);
        experts.sharedGate = shared > 0;
        experts.shared = shared == 0 ? 0 : shared % experts.ffn == 0 ? static_cast<int>(shared / experts.ffn) : 1;
    } else if (m_family.experts == ExpertsBy::Interleaved) {
        experts.shared = 1;
        shared = experts.ffn;
    }
    if (const int most = largestOf("shared_expert_ffn_hidden_size"); shared > most)
        m_config.refuse(ErrorCode::OutOfRange, "n_shared_experts",
            "The shared experts are " + inDigits(shared) + " wide together; at most " + inDigits(most) + " is taken.");
    else
        experts.sharedFfn = static_cast<int>(shared);
    const auto method = m_config.text("topk_method");
    experts.selectionBias = method ? *method == "noaux_tc" : m_family.selectionBias;
    m_shape.experts = experts;
    readExpertLayers();
}

void ShapeReader::readExpertLayers()
{
    auto &all = m_shape.layers;
    const auto numbered = [&](const char *key, bool withExperts) {
        const auto list = m_config.counts(key);
        for (const int i : list.value_or(std::vector<int>())) {
            if (i >= layers())
                m_config.refuse(ErrorCode::OutOfRange, key,
                    inQuotes(key) + " names layer " + inDigits(i) + ", but the " + inDigits(layers())
                        + " layers are numbered from 0.");
            else
                all[std::size_t(i)].experts = withExperts;
        }
        return list && !list->empty();
    };
    const auto every = [&](int first, int step, int offset) {
        for (int i = first; i < layers(); ++i)
            all[std::size_t(i)].experts = (i + offset) % step == 0;
    };
    switch (m_family.experts) {
    case ExpertsBy::Nothing: break;
    case ExpertsBy::EveryLayer: every(0, 1, 0); break;
    case ExpertsBy::FirstDense:
        every(m_config.count({"first_k_dense_replace"}, "first_dense_layers", 0).value_or(0),
            m_config.count({"moe_layer_freq"}, "moe_layer_interval").value_or(1), 0);
        break;
    case ExpertsBy::Step:
        every(0, m_config.count({"decoder_sparse_step"}, "moe_layer_interval").value_or(1), 1);
        (void)numbered("mlp_only_layers", false);
        break;
    case ExpertsBy::Interleaved:
        if (const auto step = m_config.count({"interleave_moe_layer_step"}, "moe_layer_interval");
            !numbered("moe_layers", true))
            every(0, step.value_or(1), 1);
        if (m_shape.expertLayers() < layers() && !m_config.has("intermediate_size_mlp"))
            m_config.refuse(ErrorCode::MissingField, "intermediate_size_mlp",
                "\u201cintermediate_size_mlp\u201d is missing: the width of the layers without experts.");
        break;
    }
    if (m_shape.expertLayers() == 0)
        m_config.refuse(ErrorCode::OutOfRange,
            m_family.experts == ExpertsBy::FirstDense ? "first_k_dense_replace"
                : m_family.experts == ExpertsBy::Step ? "decoder_sparse_step"
                                                      : "interleave_moe_layer_step",
            "There are " + inDigits(m_shape.experts->experts) + " experts, but none of the " + inDigits(layers())
                + " layers has them.");
}

void ShapeReader::setWindows(auto hasWindow)
{
    for (int i = 0; i < layers(); ++i)
        m_shape.layers[std::size_t(i)].windowed = hasWindow(i);
}

void ShapeReader::readLayerTypes(const std::vector<std::string> &types)
{
    if (types.size() != m_shape.layers.size()) {
        m_config.refuse(ErrorCode::OutOfRange, "layer_types",
            "\u201clayer_types\u201d names " + inDigits(std::int64_t(types.size())) + " layers, but there are "
                + inDigits(layers()) + " (\u201cnum_hidden_layers\u201d).");
        return;
    }
    bool chunked = false;
    for (std::size_t i = 0; i < types.size(); ++i) {
        chunked = chunked || types[i] == "chunked_attention";
        m_shape.layers[i].windowed = types[i] == "sliding_attention" || types[i] == "chunked_attention";
        if (!m_shape.layers[i].windowed && types[i] != "full_attention")
            m_config.refuse(ErrorCode::UnsupportedValue, "layer_types",
                "\u201clayer_types\u201d has layers of " + inQuotes(types[i])
                    + "; full_attention, sliding_attention and chunked_attention are understood.");
    }
    const char *const key = chunked ? "attention_chunk_size" : "sliding_window";
    m_shape.window = m_config.count({key}, "sliding_window");
    if (m_shape.windowedLayers() == 0)
        m_shape.window.reset();
    else if (!m_shape.window && m_family.leftOut.window > 0)
        m_shape.window = m_family.leftOut.window;
    else if (!m_shape.window)
        m_config.refuse(ErrorCode::MissingField, key,
            inQuotes(key) + " is missing: how many tokens the layers see that \u201clayer_types\u201d gives a window.");
}

void ShapeReader::readWindows()
{
    const auto types = m_config.texts("layer_types");
    const auto enabled = m_config.flag("use_sliding_window");
    const auto upper = m_config.count({"max_window_layers"}, "layers", 0);
    const auto pattern = m_config.count({"sliding_window_pattern", "_sliding_window_pattern"}, "layers");
    if (types)
        return readLayerTypes(*types);
    if (m_family.window == WindowBy::Nothing)
        return;
    if (m_family.window == WindowBy::RotaryLayers) {
        m_shape.window = m_config.count({"attention_chunk_size"}, "sliding_window");
        const auto rotary = m_config.counts("no_rope_layers").value_or(std::vector<int>());
        const auto interval = m_config.count({"no_rope_layer_interval"}, "layers").value_or(4);
        if (!rotary.empty() && rotary.size() != m_shape.layers.size())
            m_config.refuse(ErrorCode::OutOfRange, "no_rope_layers",
                "\u201cno_rope_layers\u201d names " + inDigits(std::int64_t(rotary.size())) + " layers, but there are "
                    + inDigits(layers()) + " (\u201cnum_hidden_layers\u201d).");
        else if (m_shape.window)
            setWindows([&](int i) { return rotary.empty() ? (i + 1) % interval != 0 : rotary[std::size_t(i)] != 0; });
        return;
    }
    const bool stated = m_config.object().contains("sliding_window");
    m_shape.window = m_config.count({"sliding_window"}, "sliding_window");
    if (!stated && m_family.leftOut.window > 0) {
        m_shape.window = m_family.leftOut.window;
        assume("sliding_window", "sliding_window", inDigits(m_family.leftOut.window) + " tokens" + asInFamily());
    }
    if (m_family.window == WindowBy::UpperLayers && !enabled.value_or(false))
        m_shape.window.reset();
    if (!m_shape.window || !enabled.value_or(true))
        return m_shape.window.reset();
    switch (m_family.window) {
    case WindowBy::EveryLayer: setWindows([](int) { return true; }); break;
    case WindowBy::EverySecond: setWindows([](int i) { return i % 2 == 0; }); break;
    case WindowBy::Pattern: {
        constexpr int fiveOfSix = 6;
        const int every = pattern.value_or(fiveOfSix);
        if (!pattern)
            assume("sliding_window", "sliding_window_pattern", "every 6th layer sees all tokens" + asInFamily());
        setWindows([&](int i) { return (i + 1) % every != 0; });
        break;
    }
    case WindowBy::UpperLayers: {
        constexpr int usual = 28;
        const int first = upper.value_or(usual);
        if (!upper)
            assume("sliding_window", "max_window_layers", "windows from layer 28 on" + asInFamily());
        setWindows([&](int i) { return i >= first; });
        break;
    }
    case WindowBy::Nothing:
    case WindowBy::RotaryLayers: break;
    }
    if (m_shape.windowedLayers() == 0)
        m_shape.window.reset();
}

/// What would change the count and the family is not known to have must not be passed over.
void ShapeReader::refuseExperts()
{
    for (const auto *key : {"num_local_experts", "n_routed_experts", "num_experts", "kv_lora_rank"}) {
        const auto value = m_config.object().find(key);
        const bool belongs = std::string_view(key) == "kv_lora_rank" ? m_family.latent
                                                                     : m_family.experts != ExpertsBy::Nothing;
        if (value != m_config.object().end() && value->is_number() && value->get<double>() > 0 && !belongs)
            m_config.refuse(ErrorCode::UnsupportedValue, key,
                inQuotes(key) + " is not understood in a model of the type " + inQuotes(m_family.modelTypes.front())
                    + ", and its parameters would be counted wrongly without it.");
    }
}

} // namespace

Expected<TransformerShape> shapeFrom(
    HuggingFaceObjects &objects, const HuggingFaceFamily &family, std::vector<LeftOut> &assumed)
{
    auto shape = ShapeReader(objects, family, assumed).read();
    for (const auto *config : {&objects.text, objects.outer ? &*objects.outer : nullptr})
        if (config && config->error())
            return std::unexpected(*config->error());
    if (auto ok = check(shape); !ok)
        return std::unexpected(std::move(ok.error()));
    return shape;
}

} // namespace fleetwright::exchange
