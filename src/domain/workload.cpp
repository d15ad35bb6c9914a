// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/workload.h"

#include "domain/rules.h"

namespace fleetwright {

std::string_view toString(WorkloadFamily family)
{
    switch (family) {
    case WorkloadFamily::Transformer: return "transformer";
    case WorkloadFamily::MixtureOfExperts: return "moe";
    case WorkloadFamily::Other: return "other";
    }
    return {};
}

Expected<void> check(const WorkloadFacts &facts)
{
    rules::Checker rule("workload \u201c" + facts.name + "\u201d");
    rule.filled("id", facts.id).filled("name", facts.name);
    rule.within("params_total", "The parameter count", facts.parameters, 1, 1e16);
    rule.within("params_active", "The active parameter count (no more than the total)", facts.activeParameters, 1,
        facts.parameters);
    rule.positive("inference_flops", "The forward FLOP", facts.forwardFlops);
    const auto count = [&](std::string_view field, std::string_view label, const std::optional<int> &value,
                           double least = 1) {
        if (value)
            rule.within(field, label, *value, least, rules::mostOfAnything);
    };
    count("layers", "The number of layers", facts.layers);
    count("hidden_size", "The hidden size", facts.hiddenSize);
    count("attention_heads", "The number of attention heads", facts.attentionHeads);
    count("kv_heads", "The number of kv heads", facts.kvHeads);
    count("experts", "The number of experts", facts.experts);
    count("experts_per_token", "The number of experts per token", facts.expertsPerToken);
    count("head_dim", "The head size", facts.headDim);
    count("ffn_hidden_size", "The FFN size", facts.ffnHiddenSize);
    count("vocab_size", "The vocabulary", facts.vocabSize);
    count("max_seq_len", "The longest sequence", facts.maxSequenceLength);
    count("moe_ffn_hidden_size", "The FFN size of an expert", facts.expertFfnHiddenSize);
    count("shared_experts", "The number of shared experts", facts.sharedExperts, 0);
    count("first_dense_layers", "The number of dense layers", facts.firstDenseLayers, 0);
    count("moe_layer_interval", "The interval of expert layers", facts.expertLayerInterval);
    count("mla_q_lora_rank", "The query rank", facts.queryLoraRank);
    count("mla_kv_lora_rank", "The key and value rank", facts.kvLoraRank);
    count("mla_qk_rope_head_dim", "The rotary head size", facts.qkRopeHeadDim);
    if (facts.attentionHeads && facts.kvHeads && *facts.kvHeads > 0 && *facts.attentionHeads % *facts.kvHeads != 0)
        rule.fail(ErrorCode::OutOfRange, "kv_heads", "The attention heads must be a multiple of the kv heads.");
    if (facts.experts && facts.expertsPerToken && *facts.expertsPerToken > *facts.experts)
        rule.fail(ErrorCode::OutOfRange, "experts_per_token", "A token cannot use more experts than there are.");
    return rule.result();
}

bool countsTokens(const WorkloadFacts &workload)
{
    return workload.family != WorkloadFamily::Other || workload.hybrid || workload.forwardFlopsUnit == "flop_per_token";
}

Expected<Workload> workloadFrom(const CatalogRecord &record)
{
    WorkloadFacts facts;
    facts.id = record.id;
    facts.name = record.name;
    const auto count = [&](std::string_view key) {
        const auto value = record.number(key);
        return value && *value >= 1 ? std::optional(rules::countOf(*value)) : std::nullopt;
    };
    auto total = record.number("params_total");
    if (!total)
        total = record.number("params_total_derived");
    if (!total)
        return refuse(ErrorCode::MissingField, "params_total",
            "The parameter count of \u201c" + record.name
                + "\u201d is unknown; duplicate it in the workloads catalog and fill it in.");
    facts.parameters = *total;
    facts.derivedParameters = record.number("params_total_derived");
    facts.layers = count("layers");
    facts.hiddenSize = count("hidden_size");
    facts.attentionHeads = count("attention_heads");
    facts.kvHeads = count("kv_heads");
    facts.headDim = count("head_dim");
    facts.ffnHiddenSize = count("ffn_hidden_size");
    facts.vocabSize = count("vocab_size");
    facts.maxSequenceLength = count("max_seq_len");
    facts.experts = count("experts");
    facts.expertsPerToken = count("experts_per_token");
    const auto countOrNone = [&](std::string_view key) {
        const auto value = record.number(key);
        return value && *value >= 0 ? std::optional(rules::countOf(*value)) : std::nullopt;
    };
    facts.gatedFfn = record.boolean("gated_ffn");
    facts.tiedEmbeddings = record.boolean("tied_embeddings");
    facts.expertFfnHiddenSize = count("moe_ffn_hidden_size");
    facts.sharedExperts = countOrNone("shared_experts");
    facts.firstDenseLayers = countOrNone("first_dense_layers");
    facts.expertLayerInterval = count("moe_layer_interval");
    facts.attentionType = record.text("attention_type").value_or("");
    facts.queryLoraRank = count("mla_q_lora_rank");
    facts.kvLoraRank = count("mla_kv_lora_rank");
    facts.qkRopeHeadDim = count("mla_qk_rope_head_dim");
    facts.trainingTokens = record.number("training_tokens");
    facts.forwardFlops = record.quantity<Flops>("inference_flops");
    facts.forwardFlopsUnit = record.text("inference_flops_unit").value_or("");
    const auto architecture = record.text("architecture").value_or("");
    facts.hybrid = architecture.starts_with("hybrid") || facts.attentionType == "hybrid";
    const bool transformer = architecture.contains("transformer");
    facts.family = facts.experts ? WorkloadFamily::MixtureOfExperts
        : transformer            ? WorkloadFamily::Transformer
                                 : WorkloadFamily::Other;
    auto active = record.number("params_active");
    if (!active)
        active = record.number("params_active_derived");
    facts.activeParameters = active.value_or(facts.parameters);
    return Workload::create(std::move(facts));
}

} // namespace fleetwright
