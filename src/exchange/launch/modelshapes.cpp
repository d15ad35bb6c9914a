// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/modelshapes.h"

#include "solver/models/detailed/prepared.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fleetwright::exchange {

namespace {

/// Frameworks pad the vocabulary, and catalogs state it padded or not.
bool sameVocabulary(double a, double b)
{
    constexpr double multiple = 128;
    return std::ceil(a / multiple) == std::ceil(b / multiple);
}

struct ComparedSize {
    std::string_view key, what;
    std::optional<double> stated; ///< nothing: not compared
    double otherwise = -1; ///< what an item means that leaves it open; negative: anything
};

double sharedWidth(const CatalogRecord &workload)
{
    const auto one = workload.number("shared_expert_ffn_hidden_size");
    return workload.number("shared_experts").value_or(0)
        * (one ? *one : workload.number("moe_ffn_hidden_size").value_or(0));
}

int expertLayersOf(const ModelShapes &shapes)
{
    return shapes.experts > 0 ? (shapes.layers - shapes.denseLayers) / shapes.expertInterval : 0;
}

} // namespace

std::optional<std::string> differenceFrom(const CatalogRecord &workload, const ModelShapes &shapes)
{
    const auto unlessLatent = [&shapes](double value) { return shapes.latent ? std::nullopt : std::optional(value); };
    const auto ifExperts = [&shapes](double value) { return shapes.experts > 0 ? std::optional(value) : std::nullopt; };
    const auto optional = [](const std::optional<int> &value) {
        return value ? std::optional<double>(*value) : std::nullopt;
    };
    const bool anyDense = shapes.experts == 0 || shapes.denseLayers > 0 || shapes.expertInterval > 1;
    const auto sizes = std::to_array<ComparedSize>({
        {"layers", "layers", shapes.layers, 0},
        {"hidden_size", "hidden size", shapes.hidden, 0},
        {"attention_heads", "attention heads", shapes.heads, 0},
        {"kv_heads", "KV heads", unlessLatent(shapes.kvHeads), double(shapes.heads)},
        {"head_dim", "size of a head", unlessLatent(shapes.headDim), double(std::max(1, shapes.hidden / shapes.heads))},
        {"ffn_hidden_size", "FFN size", anyDense ? std::optional<double>(shapes.ffn) : std::nullopt},
        {"experts", "experts", shapes.experts, 0},
        {"experts_per_token", "experts per token", ifExperts(shapes.expertsPerToken)},
        {"moe_ffn_hidden_size", "FFN size of an expert", ifExperts(shapes.expertFfn), double(shapes.ffn)},
        {"first_dense_layers", "dense layers before the experts", ifExperts(shapes.denseLayers), 0},
        {"moe_layer_interval", "layers to each one with experts", ifExperts(shapes.expertInterval), 1},
        {"mla_q_lora_rank", "query rank", shapes.latent ? optional(shapes.queryRank) : std::nullopt},
        {"mla_kv_lora_rank", "key and value rank", shapes.latent ? optional(shapes.kvRank) : std::nullopt},
    });
    const auto shown = [](double value) { return std::to_string(std::int64_t(value)); };
    for (const auto &size : sizes) {
        if (!size.stated)
            continue;
        const auto value = workload.number(size.key);
        if (!value && size.otherwise < 0)
            continue;
        if (const double has = value.value_or(size.otherwise); has != *size.stated)
            return std::string(size.what) + ": " + shown(has) + ", not " + shown(*size.stated);
    }
    if ((workload.text("attention_type").value_or("") == "mla") != shapes.latent)
        return shapes.latent ? "no latent attention" : "latent attention";
    if (const auto gated = workload.boolean("gated_ffn"); gated && *gated != shapes.gated)
        return *gated ? "a gated FFN" : "an FFN that is not gated";
    if (const auto tied = workload.boolean("tied_embeddings"); tied && *tied != shapes.tied)
        return *tied ? "tied embeddings" : "embeddings that are not tied";
    if (const auto rows = workload.number("vocab_size");
        rows && shapes.vocabulary && !sameVocabulary(*rows, *shapes.vocabulary))
        return "a vocabulary of " + shown(*rows) + ", not " + shown(*shapes.vocabulary);
    if (shapes.experts > 0 && sharedWidth(workload) != shapes.sharedFfn)
        return "a width of shared experts of " + shown(sharedWidth(workload)) + ", not " + shown(shapes.sharedFfn);
    return std::nullopt;
}

std::vector<const CatalogRecord *> workloadsWith(const ModelShapes &shapes, const Catalog &catalog)
{
    std::vector<const CatalogRecord *> found;
    for (const auto &record : catalog.records(CatalogKind::Workload)) {
        const auto architecture = record.text("architecture").value_or("");
        if ((architecture == "decoder_only_transformer" || architecture == "moe_decoder_only_transformer")
            && record.number("layers") && !differenceFrom(record, shapes))
            found.push_back(&record);
    }
    std::ranges::stable_partition(found, [&shapes](const CatalogRecord *record) {
        return shapes.maxPositions && record->number("max_seq_len") == double(*shapes.maxPositions);
    });
    return found;
}

Expected<CatalogRecord> workloadFrom(const ModelShapes &shapes)
{
    if (!shapes.vocabulary)
        return refuse(ErrorCode::MissingField, "--vocab-size",
            "No workload of the catalog has these sizes, and its vocabulary is not stated, so that its parameters "
            "cannot "
            "be counted; state --vocab-size, or name the workload.");
    detailed::Architecture model{.layers = shapes.layers,
        .hidden = shapes.hidden,
        .heads = shapes.heads,
        .kvHeads = shapes.kvHeads,
        .headDim = shapes.headDim,
        .ffn = shapes.ffn,
        .gated = shapes.gated,
        .vocabulary = *shapes.vocabulary,
        .latentAttention = shapes.latent,
        .tiedEmbeddings = shapes.tied};
    if (shapes.experts > 0) {
        model.experts = shapes.experts;
        model.expertsPerToken = shapes.expertsPerToken;
        model.expertFfn = shapes.expertFfn;
        // Shared experts are as wide together as so many of the routed ones.
        model.sharedExperts = (shapes.sharedFfn + shapes.expertFfn - 1) / shapes.expertFfn;
        model.expertLayers = expertLayersOf(shapes);
    }
    const double total = std::round(detailed::parametersOf(model));
    const double resting = double(expertLayersOf(shapes)) * double(shapes.experts - shapes.expertsPerToken)
        * double(shapes.gated ? 3 : 2) * double(shapes.hidden) * double(shapes.expertFfn);
    CatalogRecord record{.kind = CatalogKind::Workload, .id = "imported_model", .name = "Imported model"};
    auto &values = record.values;
    const auto count = [&values](const char *key, const std::optional<int> &value) {
        if (value)
            values[key] = double(*value);
    };
    const auto text = [&values](const char *key, const std::string &value) {
        if (!value.empty())
            values[key] = value;
    };
    text("family", "imported");
    text("kind", "language");
    // The catalog asks for one, and sizes do not tell it.
    values["release_year"] = 2026.0;
    record.notes = "Made from the sizes in a launch configuration, which states no year of release: that of the "
                   "framework's snapshot stands here. Parameters are counted from the sizes.";
    text("architecture", shapes.experts > 0 ? "moe_decoder_only_transformer" : "decoder_only_transformer");
    values["params_total"] = total;
    values["params_active"] = std::max(1.0, total - std::max(0.0, resting));
    count("layers", shapes.layers);
    count("hidden_size", shapes.hidden);
    count("attention_heads", shapes.heads);
    count("kv_heads", shapes.kvHeads);
    count("head_dim", shapes.headDim);
    text("attention_type",
        shapes.latent                        ? "mla"
            : shapes.kvHeads == shapes.heads ? "mha"
            : shapes.kvHeads == 1            ? "mqa"
                                             : "gqa");
    if (shapes.latent) {
        count("mla_q_lora_rank", shapes.queryRank);
        count("mla_kv_lora_rank", shapes.kvRank);
        count("mla_qk_nope_head_dim", shapes.qkHeadDim);
        count("mla_qk_rope_head_dim", shapes.ropeHeadDim);
        count("mla_v_head_dim", shapes.valueHeadDim);
    }
    text("attention_bias", shapes.attentionBias);
    count("ffn_hidden_size", shapes.ffn);
    values["gated_ffn"] = shapes.gated;
    values["ffn_bias"] = shapes.ffnBias;
    text("norm_type", shapes.norm);
    count("vocab_size", shapes.vocabulary);
    values["tied_embeddings"] = shapes.tied;
    count("max_seq_len", shapes.maxPositions);
    text("position_embedding", shapes.position);
    if (shapes.experts > 0) {
        count("experts", shapes.experts);
        count("experts_per_token", shapes.expertsPerToken);
        count("moe_ffn_hidden_size", shapes.expertFfn);
        const bool whole = shapes.sharedFfn % shapes.expertFfn == 0;
        values["shared_experts"] = whole ? double(shapes.sharedFfn / shapes.expertFfn) : 1.0;
        if (!whole)
            count("shared_expert_ffn_hidden_size", shapes.sharedFfn);
        values["first_dense_layers"] = double(shapes.denseLayers);
        count("moe_layer_interval", shapes.expertInterval);
    }
    return record;
}

} // namespace fleetwright::exchange
