// SPDX-License-Identifier: GPL-3.0-or-later
// What was understood of a config.json and what was not, in sentences.
#include "exchange/huggingfaceparts.h"

#include "units/format.h"
#include "units/visibletext.h"
#include "units/words.h"

#include <algorithm>

namespace fleetwright::exchange {

namespace {

/// What a key is about that the architecture does not need.
enum class About {
    Nothing, ///< running or training the model: no news for a plan
    Activation,
    Rotation,
    Routing,
    Scaling,
    Quantisation,
    Vision,
    Audio,
    Window
};

struct Meaning {
    std::string_view word;
    About about;
};

constexpr auto meaningsOfKeys = std::to_array<Meaning>({
    {"architectures", About::Nothing},
    {"model_type", About::Nothing},
    {"text_config", About::Nothing},
    {"transformers_version", About::Nothing},
    {"torch_dtype", About::Nothing},
    {"dtype", About::Nothing},
    {"torchscript", About::Nothing},
    {"auto_map", About::Nothing},
    {"use_cache", About::Nothing},
    {"pretraining_tp", About::Nothing},
    {"gradient_checkpointing", About::Nothing},
    {"task_specific_params", About::Nothing},
    {"tokenizer_class", About::Nothing},
    {"id2label", About::Nothing},
    {"label2id", About::Nothing},
    {"num_labels", About::Nothing},
    {"problem_type", About::Nothing},
    {"prefix", About::Nothing},
    {"return_dict", About::Nothing},
    {"is_decoder", About::Nothing},
    {"is_encoder_decoder", About::Nothing},
    {"attn_implementation", About::Nothing},
    {"initializer_range", About::Nothing},
    {"initializer_factor", About::Nothing},
    {"init_std", About::Nothing},
    {"rms_norm_eps", About::Nothing},
    {"layer_norm_eps", About::Nothing},
    {"layer_norm_epsilon", About::Nothing},
    {"norm_eps", About::Nothing},
    {"dropout", About::Nothing},
    {"hidden_dropout_prob", About::Nothing},
    {"layerdrop", About::Nothing},
    {"n_ctx", About::Nothing},
    {"seq_length", About::Nothing},
    {"n_positions", About::Nothing},
    {"reorder_and_upcast_attn", About::Nothing},
    {"scale_attn_weights", About::Nothing},
    {"scale_attn_by_inverse_layer_idx", About::Nothing},
    {"apply_residual_connection_post_layernorm", About::Nothing},
    {"attention_softmax_in_fp32", About::Nothing},
    {"masked_softmax_fusion", About::Nothing},
    {"bias_dropout_fusion", About::Nothing},
    {"skip_bias_add", About::Nothing},
    {"skip_bias_add_qkv", About::Nothing},
    {"slow_but_exact", About::Nothing},
    {"offset_alibi", About::Nothing},
    {"layer_norm_elementwise_affine", About::Nothing},
    {"use_parallel_residual", About::Nothing},
    {"add_cross_attention", About::Nothing},
    {"attention_probs_dropout_prob", About::Nothing},
    {"bad_words_ids", About::Nothing},
    {"begin_suppress_tokens", About::Nothing},
    {"chunk_size_feed_forward", About::Nothing},
    {"cross_attention_hidden_size", About::Nothing},
    {"diversity_penalty", About::Nothing},
    {"do_sample", About::Nothing},
    {"early_stopping", About::Nothing},
    {"encoder_no_repeat_ngram_size", About::Nothing},
    {"exponential_decay_length_penalty", About::Nothing},
    {"finetuning_task", About::Nothing},
    {"is_composition", About::Nothing},
    {"length_penalty", About::Nothing},
    {"max_length", About::Nothing},
    {"min_length", About::Nothing},
    {"no_repeat_ngram_size", About::Nothing},
    {"num_beam_groups", About::Nothing},
    {"num_beams", About::Nothing},
    {"num_logits_to_keep", About::Nothing},
    {"num_return_sequences", About::Nothing},
    {"pruned_heads", About::Nothing},
    {"remove_invalid_values", About::Nothing},
    {"repetition_penalty", About::Nothing},
    {"suppress_tokens", About::Nothing},
    {"temperature", About::Nothing},
    {"tf_legacy_loss", About::Nothing},
    {"tie_encoder_decoder", About::Nothing},
    {"top_k", About::Nothing},
    {"top_p", About::Nothing},
    {"typical_p", About::Nothing},
    {"use_bfloat16", About::Nothing},
    {"bos_token", About::Nothing},
    {"eos_token", About::Nothing},
    {"pad_token", About::Nothing},
    {"unk_token", About::Nothing},
    {"sep_token", About::Nothing},
    {"hidden_act", About::Activation},
    {"hidden_activation", About::Activation},
    {"activation_function", About::Activation},
    {"activation", About::Activation},
    {"swiglu_limit", About::Activation},
    {"partial_rotary_factor", About::Rotation},
    {"original_max_position_embeddings", About::Rotation},
    {"initial_context_length", About::Rotation},
    {"rotary", About::Rotation},
    {"routed_scaling_factor", About::Routing},
    {"n_group", About::Routing},
    {"topk_group", About::Routing},
    {"norm_topk_prob", About::Routing},
    {"scoring_func", About::Routing},
    {"seq_aux", About::Routing},
    {"aux_loss_alpha", About::Routing},
    {"ep_size", About::Routing},
    {"attn_logit_softcapping", About::Scaling},
    {"final_logit_softcapping", About::Scaling},
    {"query_pre_attn_scalar", About::Scaling},
    {"floor_scale", About::Scaling},
    {"attn_scale", About::Scaling},
    {"attn_temperature_tuning", About::Scaling},
    {"use_qk_norm", About::Scaling},
    {"quantization_config", About::Quantisation},
    {"compression_config", About::Quantisation},
    {"projector_hidden_act", About::Vision},
    {"visual", About::Vision},
    {"sliding_window", About::Window},
    {"use_sliding_window", About::Window},
    {"max_window_layers", About::Window},
    {"sliding_window_pattern", About::Window},
    {"_sliding_window_pattern", About::Window},
    {"cache_implementation", About::Nothing},
});

constexpr auto meaningsByStart = std::to_array<Meaning>({
    {"vision_", About::Vision},
    {"image_", About::Vision},
    {"video_", About::Vision},
    {"mm_", About::Vision},
    {"multimodal_", About::Vision},
    {"multi_modal_", About::Vision},
    {"audio_", About::Audio},
    {"rope_", About::Rotation},
    {"rotary_", About::Rotation},
    {"router_", About::Routing},
    {"output_", About::Nothing},
    {"summary_", About::Nothing},
    {"for_llm_", About::Nothing},
    {"_", About::Nothing},
});

constexpr auto meaningsByEnd = std::to_array<Meaning>({
    {"_token_id", About::Nothing},
    {"_token_index", About::Nothing},
    {"_token_ids", About::Nothing},
    {"_dropout", About::Nothing},
    {"_pdrop", About::Nothing},
});

std::optional<About> aboutOf(std::string_view key)
{
    if (const auto found = std::ranges::find(meaningsOfKeys, key, &Meaning::word); found != meaningsOfKeys.end())
        return found->about;
    for (const auto &[word, about] : meaningsByEnd)
        if (key.ends_with(word))
            return about;
    for (const auto &[word, about] : meaningsByStart)
        if (key.starts_with(word))
            return about;
    return std::nullopt;
}

std::string parametersInWords(std::int64_t count)
{
    return units::format(double(count), units::Dimension::Number) + " parameters";
}

/// "a, b, c and 4 more".
std::string listed(const std::vector<std::string> &words)
{
    constexpr std::size_t most = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, words.size()); ++i)
        text += (i == 0 ? "" : ", ") + words[i];
    return words.size() > most ? text + " and " + std::to_string(words.size() - most) + " more" : text;
}

/// Keys that nobody asked for, by what they are about; those without a meaning are apart.
struct LeftKeys {
    std::map<About, std::vector<std::string>> known;
    std::vector<std::string> unknown;

    void add(const HuggingFaceConfig &config)
    {
        for (const auto &[key, value] : config.object().items()) {
            if (value.is_null() || config.wasAsked(key))
                continue;
            const auto about = aboutOf(key);
            const auto shown = visibleText(config.path() + key, TextShape::OneLine);
            constexpr std::size_t longest = 80;
            (about ? known[*about] : unknown).push_back(shown.size() > longest ? inQuotes(shown, longest) : shown);
        }
    }
};

std::string quantisation(HuggingFaceObjects &objects)
{
    for (auto *config : {&objects.text, objects.outer ? &*objects.outer : nullptr})
        if (const auto *settings = config ? config->find("quantization_config") : nullptr;
            settings && settings->is_object())
            if (const auto method = settings->find("quant_method"); method != settings->end() && method->is_string())
                return " (" + visibleText(inQuotes(method->get<std::string>()), TextShape::OneLine) + ")";
    return {};
}

std::string attentionInWords(const TransformerShape &shape)
{
    const auto heads = inDigits(shape.heads) + (shape.heads == 1 ? " attention head" : " attention heads");
    if (const auto &latent = shape.latent)
        return heads + " of " + inDigits(latent->keyDim) + " + " + inDigits(latent->rotaryDim)
            + " rotary, latent attention of rank " + inDigits(latent->keyValueRank)
            + (latent->queryRank ? " (queries " + inDigits(*latent->queryRank) + ")" : " (queries at full rank)");
    return heads + " of " + inDigits(shape.headDim)
        + (shape.kvHeads == shape.heads ? ", each with its own keys and values"
                                        : " over " + units::counted(shape.kvHeads, "kv head", "kv heads"));
}

} // namespace

std::string sizeLabel(const ParameterCounts &parameters)
{
    const auto size = [](std::int64_t count) {
        auto text = units::format(double(count), units::Dimension::Number);
        std::erase_if(text, [](char c) { return c <= ' ' || c > '~'; });
        return text;
    };
    return size(parameters.total())
        + (parameters.active() == parameters.total() ? "" : "-A" + size(parameters.active()));
}

std::vector<std::string> shapeInWords(
    const TransformerShape &shape, const ParameterCounts &parameters, std::string_view family)
{
    std::vector<std::string> sentences;
    const auto layers = std::int64_t(shape.layers.size());
    sentences.push_back(std::string(family) + ": " + units::counted(double(layers), "layer", "layers")
        + ", hidden size " + inDigits(shape.hidden) + ", " + attentionInWords(shape) + "; "
        + (shape.gated ? "gated " : "") + "feed-forward part of " + inDigits(shape.ffn) + "; vocabulary of "
        + inDigits(shape.vocabulary)
        + (shape.tied ? ", embedding and output are one matrix" : ", embedding and output are two matrices")
        + (shape.context ? "; context " + inDigits(*shape.context) + " tokens." : "."));
    if (const auto &experts = shape.experts)
        sentences.push_back(units::counted(experts->experts, "expert", "experts") + " of " + inDigits(experts->ffn)
            + ", " + inDigits(experts->perToken) + " for a token"
            + (experts->shared > 0 ? ", and " + inDigits(experts->shared) + " shared" : "") + ", in "
            + inDigits(shape.expertLayers()) + " of " + units::counted(double(layers), "layer", "layers") + ".");
    if (shape.windowedLayers() > 0)
        sentences.push_back(inDigits(shape.windowedLayers()) + " of "
            + units::counted(double(layers), "layer", "layers") + " see the last " + inDigits(*shape.window)
            + " tokens only.");
    sentences.push_back(inDigits(parameters.total()) + " parameters"
        + (shape.experts ? ", of which a token uses " + inDigits(parameters.active()) : "") + ": "
        + inDigits(parameters.embeddings) + " in embeddings and output, " + inDigits(parameters.attention)
        + " in attention, " + inDigits(parameters.feedForward + parameters.experts + parameters.shared)
        + " in feed-forward parts, " + inDigits(parameters.norms) + " in norms.");
    return sentences;
}

std::vector<std::string> notMappedIn(HuggingFaceObjects &objects, const TransformerShape &shape)
{
    LeftKeys left;
    left.add(objects.text);
    if (objects.outer)
        left.add(*objects.outer);
    std::vector<std::string> sentences;
    const auto say = [&](About about, const std::string &before, const std::string &after) {
        if (const auto found = left.known.find(about); found != left.known.end())
            sentences.push_back(before + listed(found->second) + after);
    };
    say(About::Vision, "The vision tower is not mapped (", "): the item is the text model alone.");
    say(About::Audio, "What the model hears with is not mapped (", "): the item is the text model alone.");
    if (const int further = shape.furtherTokenLayers; further > 0) {
        const auto *const key = objects.text.has("num_nextn_predict_layers") ? "num_nextn_predict_layers"
                                                                             : "mtp_num_hidden_layers";
        const auto each = parametersOfLastLayer(shape);
        sentences.push_back(units::counted(further, "layer that predicts", "layers that predict") + " a further token ("
            + key + (further == 1 ? ") is" : ") are") + " not counted"
            + (each ? "; a checkpoint that holds such a layer is larger by " + parametersInWords(*each) + " or more."
                    : "."));
    }
    if (shape.windowedLayers() > 0)
        sentences.push_back("The window of " + inDigits(*shape.window) + " tokens, which "
            + inDigits(shape.windowedLayers()) + " of " + units::counted(double(shape.layers.size()), "layer", "layers")
            + " have, is kept with the item, but cost models price attention over all tokens.");
    if (shape.experts && !expertPatternOf(shape).exact)
        sentences.push_back("Which layers have experts is not mapped: the item has the same number of them, "
            + units::counted(double(shape.layers.size()) - shape.expertLayers(), "dense layer", "dense layers")
            + " first.");
    say(About::Quantisation, "",
        quantisation(objects)
            + " changes the bytes of a checkpoint, not the architecture: a plan states its precision.");
    say(About::Window, "Windows of attention are not read for this family: ", ".");
    say(About::Rotation, "Rotary positions have no size: ", " not used.");
    say(About::Routing, "How the router chooses has no size: ", " not used.");
    say(About::Scaling, "Scales and limits without parameters: ", " not used.");
    say(About::Activation, "No cost model tells activation functions apart: ", " not used.");
    if (!left.unknown.empty())
        sentences.push_back("Not understood, and not used: " + listed(left.unknown) + ".");
    return sentences;
}

} // namespace fleetwright::exchange
