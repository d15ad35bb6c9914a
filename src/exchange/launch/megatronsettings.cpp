// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/megatronsettings.h"

#include "exchange/launch/launchwriters.h"

namespace fleetwright::exchange {

namespace {

class MegatronSettings {
public:
    explicit MegatronSettings(std::vector<MegatronSetting> &to) : m_to(to) { }

    void startGroup(MegatronGroup group) { m_group = group; }
    /// The same value under both names.
    void set(std::string argument, const std::string &value, std::string field)
    {
        m_to.push_back({m_group, std::move(argument), value, std::move(field), value});
    }
    void set(std::string argument, std::int64_t value, std::string field)
    {
        set(std::move(argument), std::to_string(value), std::move(field));
    }
    /// An argument that is there or not, a field that is true or false.
    void flag(std::string argument, bool on, std::string field)
    {
        m_to.push_back(
            {m_group, on ? std::move(argument) : std::string(), "", std::move(field), launchwriters::flagText(on)});
    }
    void argument(std::string argument, std::string value = {})
    {
        m_to.push_back({m_group, std::move(argument), std::move(value), "", ""});
    }
    void argument(std::string name, std::int64_t value) { argument(std::move(name), std::to_string(value)); }
    void field(std::string field, std::string value)
    {
        m_to.push_back({m_group, "", "", std::move(field), std::move(value)});
    }

private:
    std::vector<MegatronSetting> &m_to;
    MegatronGroup m_group = MegatronGroup::Layout;
};

void addPipeline(const Launch &launch, MegatronSettings &settings)
{
    settings.set("--pipeline-model-parallel-size", launch.pp, "model.pipeline_model_parallel_size");
    if (launch.virtualStages > 1)
        settings.set("--num-virtual-stages-per-pipeline-rank", launch.virtualStages,
            "model.virtual_pipeline_model_parallel_size");
    else
        settings.field("model.virtual_pipeline_model_parallel_size", "null");
    const auto &layers = launch.model.facts.layers;
    const auto ends = layers ? pipelineEnds(*layers, launch.layersPerChunk()).value_or(PipelineEnds{}) : PipelineEnds{};
    settings.flag(
        "--account-for-embedding-in-pipeline-split", ends.embedding, "model.account_for_embedding_in_pipeline_split");
    settings.flag("--account-for-loss-in-pipeline-split", ends.loss, "model.account_for_loss_in_pipeline_split");
    if (launch.pp == 1 || !launch.software)
        return;
    const bool interleaved = launch.virtualStages > 1, overlap = interleaved && launch.software->ppOverlap.on;
    if (interleaved && !overlap && launch.pp > 2) // two ranks overlap always
        settings.argument("--no-overlap-p2p-communication");
    settings.field("model.overlap_p2p_comm", launchwriters::flagText(overlap));
    settings.field("model.batch_p2p_comm", launchwriters::flagText(!overlap));
}

void addExperts(const Launch &launch, MegatronSettings &settings)
{
    if (!launch.model.hasExperts())
        return;
    settings.set("--expert-model-parallel-size", launch.ep, "model.expert_model_parallel_size");
    settings.set("--expert-tensor-parallel-size", launch.expertTp, "model.expert_tensor_parallel_size");
    settings.set("--moe-token-dispatcher-type", "alltoall", "model.moe_token_dispatcher_type");
    settings.flag("--moe-grouped-gemm", true, "model.moe_grouped_gemm");
    settings.flag("--overlap-moe-expert-parallel-comm", launch.ep > 1 && launch.isOn(&LaunchSoftware::epOverlap),
        "model.overlap_moe_expert_parallel_comm");
}

/// ZeRO: the distributed optimizer (1), or Megatron-FSDP (2 and 3).
void addSharding(const Launch &launch, MegatronSettings &settings)
{
    const bool fsdp = launch.zeroStage >= 2;
    settings.flag("--use-distributed-optimizer", launch.zeroStage >= 1, "ddp.use_distributed_optimizer");
    settings.field("optimizer.use_distributed_optimizer", launchwriters::flagText(launch.zeroStage >= 1));
    settings.flag("--use-megatron-fsdp", fsdp, "ddp.use_megatron_fsdp");
    if (fsdp) {
        settings.set("--data-parallel-sharding-strategy", std::string(megatronSharding[std::size_t(launch.zeroStage)]),
            "ddp.data_parallel_sharding_strategy");
        settings.set("--ckpt-format", "fsdp_dtensor", "checkpoint.ckpt_format");
    }
    if (launch.zeroStage == 3 && launch.shardGroup > 0)
        settings.set("--num-distributed-optimizer-instances", launch.dp * launch.cp / launch.shardGroup,
            "ddp.num_distributed_optimizer_instances");
    if (launch.software) {
        const bool overlap = launch.software->dpOverlap.on && launch.dp * launch.cp > 1;
        settings.flag("--overlap-grad-reduce", overlap, "ddp.overlap_grad_reduce");
        settings.flag("--overlap-param-gather", overlap && launch.zeroStage >= 1, "ddp.overlap_param_gather");
    }
}

void addRecompute(const Launch &launch, MegatronSettings &settings)
{
    switch (launch.recompute) {
    case Recompute::None:
        settings.field("model.recompute_granularity", "null");
        settings.field("model.recompute_method", "null");
        settings.field("model.recompute_num_layers", "null");
        break;
    case Recompute::Selective:
        settings.set("--recompute-granularity", "selective", "model.recompute_granularity");
        settings.argument("--recompute-modules", "core_attn");
        settings.field("model.recompute_modules", "[core_attn]");
        settings.field("model.recompute_method", "null");
        settings.field("model.recompute_num_layers", "null");
        break;
    case Recompute::Full:
        settings.set("--recompute-granularity", "full", "model.recompute_granularity");
        settings.set("--recompute-method", "uniform", "model.recompute_method");
        settings.set("--recompute-num-layers", 1, "model.recompute_num_layers");
        break;
    }
}

void addPrecision(const Launch &launch, MegatronSettings &settings, std::vector<std::string> &told)
{
    switch (launch.precision) {
    case Precision::Fp16:
        settings.argument("--fp16");
        settings.field("mixed_precision", "fp16_mixed");
        break;
    case Precision::Bf16:
        settings.argument("--bf16");
        settings.field("mixed_precision", "bf16_mixed");
        break;
    case Precision::Fp8:
        settings.argument("--bf16");
        settings.argument("--fp8-format", std::string(megatronFp8Format));
        settings.argument("--fp8-recipe", "delayed");
        settings.field("mixed_precision", "bf16_with_fp8_delayed_scaling_mixed");
        told.emplace_back("The plan says fp8 and no scaling recipe: delayed scaling stands here; tensorwise, blockwise "
                          "and, on Blackwell, mxfp8 are others.");
        break;
    case Precision::Fp4:
        settings.argument("--bf16");
        settings.argument("--fp4-format", std::string(megatronFp4Format));
        settings.argument("--fp4-recipe", "nvfp4");
        settings.field("mixed_precision", "bf16_with_nvfp4_mixed");
        break;
    default: // fp32 is what stands without a flag; the rules let nothing else pass
        settings.field("mixed_precision", "null");
        break;
    }
    const auto gradients = launch.software ? launch.software->gradientBytes : std::nullopt;
    if (gradients && launch.precision != Precision::Fp32 && launch.precision != Precision::Fp16) {
        settings.argument(*gradients == 2 ? "--grad-reduce-in-bf16" : "--accumulate-allreduce-grads-in-fp32");
    } else if (gradients) {
        told.emplace_back("assumptions.gradient_precision has an argument beside bf16 only.");
    }
}

void addSoftware(const Launch &launch, MegatronSettings &settings, std::vector<std::string> &told)
{
    if (!launch.software) {
        told.emplace_back("The plan's cost model does not know which communication overlaps; the framework's defaults "
                          "stand.");
        return;
    }
    const auto &software = *launch.software;
    const bool overlap = launch.tp > 1 && launch.sequenceParallel && software.tpOverlap.on;
    settings.flag("--tp-comm-overlap", overlap, "model.tp_comm_overlap");
    if (launch.tp > 1 && software.tpOverlap.on && !overlap)
        told.emplace_back("The plan is priced with overlap of TP, which needs sequence parallelism here; it is left "
                          "out.");
    if (launch.tp > 1 && overlap)
        told.emplace_back("Overlap of TP needs Transformer Engine with user buffers.");
    const std::string dropout = software.dropout.on ? "0.1" : "0";
    settings.set("--attention-dropout", dropout, "model.attention_dropout");
    settings.set("--hidden-dropout", dropout, "model.hidden_dropout");
    if (software.graphs) {
        settings.argument("--cuda-graph-impl", "local");
        // Bridge refuses "local", and Transformer Engine's graphs need its random numbers.
        settings.field("model.cuda_graph_impl", "transformer_engine");
        settings.field("model.use_te_rng_tracker", "true");
        settings.field("rng.te_rng_tracker", "true");
    }
    if (software.unfusedAttention)
        settings.set("--attention-backend", "unfused", "model.attention_backend");
}

/// Which layers have experts, in the words of --moe-layer-freq; empty: all.
std::string expertLayers(const WorkloadFacts &facts)
{
    const int dense = facts.firstDenseLayers.value_or(0), interval = facts.expertLayerInterval.value_or(1);
    const int layers = facts.layers.value_or(0);
    if (dense == 0)
        return interval == 1 ? "" : std::to_string(interval);
    if (interval == 1)
        return "([0]*" + std::to_string(dense) + "+[1]*" + std::to_string(layers - dense) + ")";
    std::string list;
    for (int layer = 0; layer < layers; ++layer)
        list += std::string(layer == 0 ? "[" : ",") + (layer >= dense && (layer - dense) % interval == 0 ? "1" : "0");
    return list + "]";
}

void addExpertShapes(const LaunchModel &model, int ffn, MegatronSettings &settings)
{
    const auto &facts = model.facts;
    const int expertFfn = facts.expertFfnHiddenSize.value_or(ffn);
    settings.argument("--num-experts", *facts.experts);
    const int expertsPerToken = facts.expertsPerToken.value_or(1);
    settings.argument("--moe-router-topk", expertsPerToken);
    if (expertsPerToken == 1) // after the choice a softmax over one is always 1
        settings.argument("--moe-router-pre-softmax");
    settings.argument("--moe-ffn-hidden-size", expertFfn);
    if (const int shared = facts.sharedExperts.value_or(0); shared > 0)
        settings.argument(
            "--moe-shared-expert-intermediate-size", std::int64_t(shared) * model.sharedExpertFfn.value_or(expertFfn));
    if (const auto layers = expertLayers(facts); !layers.empty())
        settings.argument("--moe-layer-freq", layers);
}

void addAttentionShapes(const LaunchModel &model, MegatronSettings &settings)
{
    const auto &facts = model.facts;
    const int heads = *facts.attentionHeads;
    settings.argument("--num-attention-heads", heads);
    if (model.isLatent()) {
        settings.argument("--multi-latent-attention");
        if (facts.queryLoraRank)
            settings.argument("--q-lora-rank", *facts.queryLoraRank);
        settings.argument("--kv-lora-rank", facts.kvLoraRank.value_or(512));
        settings.argument("--qk-head-dim", model.qkHeadDim.value_or(facts.headDim.value_or(128)));
        settings.argument("--qk-pos-emb-head-dim", facts.qkRopeHeadDim.value_or(64));
        settings.argument("--v-head-dim", model.valueHeadDim.value_or(facts.headDim.value_or(128)));
        return;
    }
    if (const int groups = facts.kvHeads.value_or(heads); groups != heads) {
        settings.argument("--group-query-attention");
        settings.argument("--num-query-groups", groups);
    }
    settings.argument("--kv-channels", facts.headDim.value_or(*facts.hiddenSize / heads));
}

} // namespace

std::vector<MegatronSetting> megatronSettings(const Launch &launch, std::vector<std::string> &told)
{
    std::vector<MegatronSetting> list;
    MegatronSettings settings(list);
    settings.set("--tensor-model-parallel-size", launch.tp, "model.tensor_model_parallel_size");
    settings.flag("--sequence-parallel", launch.sequenceParallel, "model.sequence_parallel");
    addPipeline(launch, settings);
    settings.set("--context-parallel-size", launch.cp, "model.context_parallel_size");
    addExperts(launch, settings);
    addSharding(launch, settings);
    addRecompute(launch, settings);
    settings.startGroup(MegatronGroup::Training);
    settings.set("--seq-length", launch.sequenceLength, "model.seq_length");
    // Which of the two a recipe's dataset has depends on its kind and version; "++" adds what is not there.
    for (const char *field : {"++dataset.sequence_length", "++dataset.seq_length"})
        settings.field(field, std::to_string(launch.sequenceLength));
    settings.set("--micro-batch-size", launch.microbatchSize, "train.micro_batch_size");
    settings.set("--global-batch-size", launch.globalBatch, "train.global_batch_size");
    if (launch.steps)
        settings.set("--train-iters", *launch.steps, "train.train_iters");
    addPrecision(launch, settings, told);
    addSoftware(launch, settings, told);
    return list;
}

Expected<std::vector<MegatronSetting>> megatronModel(const Launch &launch, std::vector<std::string> &told)
{
    const auto &model = launch.model;
    const auto &facts = model.facts;
    const auto ffn = facts.ffnHiddenSize ? facts.ffnHiddenSize : facts.expertFfnHiddenSize;
    for (const auto &[count, what] : {std::pair(facts.layers, "layers"), {facts.hiddenSize, "hidden size"},
             {facts.attentionHeads, "attention heads"}, {ffn, "FFN size"}, {facts.vocabSize, "vocabulary"}})
        if (!count)
            return refuse(ErrorCode::MissingField, "workload",
                "Megatron-LM is told the model's shapes, and the " + std::string(what) + " of \u201c"
                    + launch.workloadName + "\u201d is unknown; duplicate it in the workloads catalog and fill it in.");
    std::vector<MegatronSetting> list;
    MegatronSettings settings(list);
    settings.startGroup(MegatronGroup::Model);
    settings.argument("--num-layers", *facts.layers);
    settings.argument("--hidden-size", *facts.hiddenSize);
    settings.argument("--ffn-hidden-size", *ffn);
    addAttentionShapes(model, settings);
    if (model.hasExperts())
        addExpertShapes(model, *ffn, settings);
    if (facts.gatedFfn.value_or(false))
        settings.argument("--swiglu");
    if (!facts.tiedEmbeddings.value_or(false))
        settings.argument("--untie-embeddings-and-output-weights");
    if (model.norm == "rmsnorm")
        settings.argument("--normalization", "RMSNorm");
    if (model.position == "rope" || model.position == "rope_partial")
        settings.argument("--position-embedding-type", "rope");
    else if (model.position == "learned")
        settings.argument("--position-embedding-type", "learned_absolute");
    else
        told.emplace_back("The position embedding of the workload is unknown or has no argument; "
                          "--position-embedding-type is left to you.");
    if (!model.ffnBias.value_or(false))
        settings.argument("--disable-bias-linear");
    if (model.attentionBias == "qkv")
        settings.argument("--add-qkv-bias");
    settings.argument("--vocab-size", *facts.vocabSize);
    settings.argument("--make-vocab-size-divisible-by", 128);
    settings.argument("--max-position-embeddings",
        std::max<std::int64_t>(launch.sequenceLength, facts.maxSequenceLength.value_or(1)));
    if (facts.gatedFfn.value_or(false))
        told.emplace_back("--swiglu stands for a gated FFN; the catalog does not say which activation it has.");
    if (model.hasExperts())
        told.emplace_back(
            "How the router scores and balances its experts is not in the catalog; Megatron-LM's defaults "
            "stand.");
    told.emplace_back("Rotary base and scaling, norm epsilon, initialisation and activation details of the model are "
                      "not in the catalog.");
    return list;
}

} // namespace fleetwright::exchange
