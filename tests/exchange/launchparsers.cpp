// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launchparsers.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

namespace exchangetesting {

namespace {

using Settings = std::map<std::string, std::string>;

std::vector<std::string> linesOf(const std::string &text)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

long numberIn(const Settings &settings, const std::string &name, long otherwise)
{
    const auto found = settings.find(name);
    return found == settings.end() ? otherwise : std::stol(found->second);
}
bool isWhole(const std::string &text) { return std::regex_match(text, std::regex("[0-9]{1,15}")); }

/// What the two Megatrons check alike, in the words of the first.
std::string faultOfMegatronRules(
    const Settings &of, const LaunchedOn &machines, const LaunchedModel &model, long ranksToInterleave)
{
    const auto number = [&of](const std::string &name, long otherwise) { return numberIn(of, name, otherwise); };
    const long tp = number("tensor_model_parallel_size", 1), pp = number("pipeline_model_parallel_size", 1),
               cp = number("context_parallel_size", 1), ep = number("expert_model_parallel_size", 1),
               v = number("virtual_stages", 1), seq = number("seq_length", 0), micro = number("micro_batch_size", 0),
               batch = number("global_batch_size", 0);
    if (machines.world % (tp * pp * cp) != 0)
        return "world size is not divisible by total_model_size";
    const long dp = machines.world / (tp * pp * cp);
    if (micro < 1 || batch < 1 || batch % (micro * dp) != 0)
        return "global batch is not divisible by micro batch times data parallel size";
    if (model.heads % tp != 0)
        return "num_attention_heads must be a multiple of tensor_model_parallel_size";
    if (!model.latent && model.kvHeads % tp != 0 && tp % model.kvHeads != 0)
        return "num_query_groups must be a multiple or divisor of tensor_model_parallel_size";
    const long layers = model.layers + long(of.contains("account_for_embedding"))
        + long(of.contains("account_for_loss"));
    if (layers % pp != 0 || layers / pp % v != 0)
        return "number of layers should be divisible by the pipeline-model-parallel size";
    if (v > 1) {
        if (pp < ranksToInterleave)
            return "interleaved schedule needs more pipeline ranks";
        const long microbatches = batch / (micro * dp), group = pp;
        if (microbatches < group || (microbatches % group != 0 && microbatches % group < pp))
            return "microbatches must fill the groups of the interleaved schedule";
    }
    if (cp > 1 && seq % (2 * cp) != 0)
        return "seq-length should be a multiple of 2 * context-parallel-size";
    const bool parallel = of.contains("sequence_parallel");
    if (parallel && tp == 1)
        return "sequence parallelism is disabled without tensor parallelism";
    if (parallel && seq % (tp * cp) != 0)
        return "the sequence cannot be split among the ranks of tensor and context parallelism";
    if (of.contains("tp_comm_overlap") && !parallel)
        return "tp-comm-overlap needs sequence parallelism";
    if (ep > 1 && model.experts == 0)
        return "num_experts must be non None to use expert model parallelism";
    if (model.experts > 0) {
        if (model.experts % ep != 0)
            return "number of experts should be a multiple of expert model parallel size";
        if (tp * cp * dp % (ep * number("expert_tensor_parallel_size", tp)) != 0)
            return "expert groups do not divide the ranks of a stage";
        if (tp > 1 && !parallel)
            return "experts with tensor parallelism need sequence parallelism";
        if (of.contains("num_instances")
            && tp * cp * dp / (ep * number("expert_tensor_parallel_size", tp)) % number("num_instances", 1) != 0)
            return "optimizer instances do not divide the data-parallel ranks of experts";
    }
    const auto granularity = of.contains("recompute_granularity") ? of.at("recompute_granularity") : "";
    if (granularity == "full" && (!of.contains("recompute_method") || !of.contains("recompute_num_layers")))
        return "full recompute needs method and number of layers";
    if (granularity == "selective" && (of.contains("recompute_method") || of.contains("recompute_num_layers")))
        return "selective recompute takes neither method nor number of layers";
    if (of.contains("cuda_graph_impl") && granularity == "full")
        return "recompute_granularity must not be full when CUDA graphs are enabled";
    if (of.contains("cuda_graph_impl") && granularity == "selective" && of.at("attention_dropout") != "0")
        return "CUDA graphs do not go with recomputed attention that has dropout";
    if (of.contains("overlap_moe") && (ep == 1 || granularity == "full" || (pp > 1 && v == 1)))
        return "overlap of the expert exchange is not possible here";
    const bool sharded = of.contains("use_distributed_optimizer") || of.contains("use_megatron_fsdp");
    if (of.contains("overlap_param_gather") && (!sharded || !of.contains("overlap_grad_reduce")))
        return "overlap-param-gather needs the distributed optimizer and overlap-grad-reduce";
    if (of.contains("num_instances") && dp * cp % number("num_instances", 1) != 0)
        return "optimizer instances do not divide the data-parallel ranks";
    return {};
}

} // namespace

std::string faultOfMegatronLm(const std::string &script, const LaunchedOn &machines)
{
    // argparse: "i" whole number, "f" number, "" a flag, else the choices.
    static const std::map<std::string, std::string> parser{{"--num-layers", "i"}, {"--hidden-size", "i"},
        {"--ffn-hidden-size", "i"}, {"--num-attention-heads", "i"}, {"--group-query-attention", ""},
        {"--num-query-groups", "i"}, {"--kv-channels", "i"}, {"--multi-latent-attention", ""}, {"--q-lora-rank", "i"},
        {"--kv-lora-rank", "i"}, {"--qk-head-dim", "i"}, {"--qk-pos-emb-head-dim", "i"}, {"--v-head-dim", "i"},
        {"--num-experts", "i"}, {"--moe-router-topk", "i"}, {"--moe-router-pre-softmax", ""},
        {"--moe-ffn-hidden-size", "i"}, {"--moe-shared-expert-intermediate-size", "i"},
        {"--moe-layer-freq", "[\\[\\],()+*0-9]+"}, {"--swiglu", ""}, {"--untie-embeddings-and-output-weights", ""},
        {"--normalization", "LayerNorm|RMSNorm"},
        {"--position-embedding-type", "learned_absolute|rope|mrope|relative|none"}, {"--disable-bias-linear", ""},
        {"--add-qkv-bias", ""}, {"--vocab-size", "i"}, {"--make-vocab-size-divisible-by", "i"},
        {"--max-position-embeddings", "i"}, {"--tensor-model-parallel-size", "i"}, {"--sequence-parallel", ""},
        {"--pipeline-model-parallel-size", "i"}, {"--num-virtual-stages-per-pipeline-rank", "i"},
        {"--account-for-embedding-in-pipeline-split", ""}, {"--account-for-loss-in-pipeline-split", ""},
        {"--no-overlap-p2p-communication", ""}, {"--context-parallel-size", "i"}, {"--expert-model-parallel-size", "i"},
        {"--expert-tensor-parallel-size", "i"}, {"--moe-token-dispatcher-type", "allgather|alltoall|flex"},
        {"--moe-grouped-gemm", ""}, {"--overlap-moe-expert-parallel-comm", ""}, {"--use-distributed-optimizer", ""},
        {"--use-megatron-fsdp", ""},
        {"--data-parallel-sharding-strategy", "no_shard|optim|optim_grads|optim_grads_params"},
        {"--ckpt-format", "torch|torch_dist|torch_dcp|fsdp_dtensor"}, {"--num-distributed-optimizer-instances", "i"},
        {"--overlap-grad-reduce", ""}, {"--overlap-param-gather", ""}, {"--recompute-granularity", "full|selective"},
        {"--recompute-method", "uniform|block"}, {"--recompute-num-layers", "i"},
        {"--recompute-modules", "core_attn|moe_act|layernorm|mla_up_proj|mlp|moe|shared_experts"},
        {"--seq-length", "i"}, {"--micro-batch-size", "i"}, {"--global-batch-size", "i"}, {"--train-iters", "i"},
        {"--bf16", ""}, {"--fp16", ""}, {"--fp8-format", "e4m3|hybrid"},
        {"--fp8-recipe", "tensorwise|delayed|mxfp8|blockwise|custom"}, {"--fp4-format", "e2m1"},
        {"--fp4-recipe", "nvfp4|custom"}, {"--grad-reduce-in-bf16", ""}, {"--accumulate-allreduce-grads-in-fp32", ""},
        {"--tp-comm-overlap", ""}, {"--attention-dropout", "f"}, {"--hidden-dropout", "f"},
        {"--cuda-graph-impl", "none|local|transformer_engine"},
        {"--attention-backend", "flash|fused|unfused|local|auto"}};
    Settings given;
    bool runs = false;
    for (const auto &line : linesOf(script)) {
        if (line.starts_with("exec torchrun --nnodes ")) {
            std::smatch found;
            if (!std::regex_search(line, found, std::regex("--nnodes ([0-9]+) --nproc-per-node ([0-9]+) ")))
                return "torchrun is not told the nodes: " + line;
            if (std::stol(found[1]) * std::stol(found[2]) != machines.world)
                return "torchrun starts another number of processes: " + line;
            runs = true;
        }
        if (runs || line.empty() || line.starts_with("#"))
            continue;
        static const std::regex others("export CUDA_DEVICE_MAX_CONNECTIONS=1|(MODEL|LAYOUT|TRAINING)=\\(|\\)");
        if (std::regex_match(line, others))
            continue;
        std::smatch parts;
        static const std::regex argument("    (--[a-z0-9-]+)(?: ([A-Za-z0-9_.-]+|'[\\[\\],()+*0-9]+'))?");
        if (!std::regex_match(line, parts, argument))
            return "no argument: " + line;
        const std::string name = parts[1];
        std::string value = parts[2];
        if (value.starts_with('\''))
            value = value.substr(1, value.size() - 2);
        const auto known = parser.find(name);
        if (known == parser.end())
            return "unrecognized arguments: " + name;
        if (known->second.empty() != value.empty())
            return "expected other values: " + line;
        const auto &type = known->second;
        if (type == "i"       ? !isWhole(value)
                : type == "f" ? !std::regex_match(value, std::regex("[0-9.]+"))
                              : !type.empty() && !std::regex_match(value, std::regex(type)))
            return "invalid value: " + line;
        if (!given.emplace(name, value).second)
            return "given twice: " + line;
    }
    if (!runs)
        return "nothing is started";
    for (const char *required : {"--num-layers", "--hidden-size", "--num-attention-heads", "--max-position-embeddings",
             "--seq-length", "--micro-batch-size"})
        if (!given.contains(required))
            return std::string("required: ") + required;
    const auto number = [&given](const char *name, long otherwise) { return numberIn(given, name, otherwise); };
    if (number("--max-position-embeddings", 0) < number("--seq-length", 0))
        return "max_position_embeddings must be at least seq_length";
    if (!given.contains("--kv-channels") && number("--hidden-size", 1) % number("--num-attention-heads", 1) != 0)
        return "hidden_size must be divisible by num_attention_heads";
    if (given.contains("--bf16") && given.contains("--fp16"))
        return "bf16 and fp16";
    if (given.contains("--num-experts")
        && (given["--moe-router-topk"] == "1") != given.contains("--moe-router-pre-softmax"))
        return "top-1 routing with softmax needs the softmax before the choice, and no other is written with it";
    if (given.contains("--fp8-format") && given.contains("--fp4-format"))
        return "fp8 and fp4";
    if (given.contains("--use-megatron-fsdp")) {
        if (given["--ckpt-format"] != "fsdp_dtensor")
            return "Megatron FSDP only supports the fsdp_dtensor checkpoint format";
        if (script.contains("CUDA_DEVICE_MAX_CONNECTIONS=1"))
            return "FSDP needs CUDA_DEVICE_MAX_CONNECTIONS above 1";
    } else if (given.contains("--ckpt-format")) {
        return "fsdp_dtensor is only tested with Megatron FSDP";
    }
    const long experts = number("--num-experts", 0);
    if (experts == 0)
        for (const char *name : {"--expert-model-parallel-size", "--expert-tensor-parallel-size", "--moe-layer-freq"})
            if (given.contains(name))
                return std::string("experts of a dense model: ") + name;
    Settings shared;
    const std::map<std::string, std::string> names{{"--tensor-model-parallel-size", "tensor_model_parallel_size"},
        {"--pipeline-model-parallel-size", "pipeline_model_parallel_size"},
        {"--context-parallel-size", "context_parallel_size"},
        {"--expert-model-parallel-size", "expert_model_parallel_size"},
        {"--expert-tensor-parallel-size", "expert_tensor_parallel_size"},
        {"--num-virtual-stages-per-pipeline-rank", "virtual_stages"}, {"--seq-length", "seq_length"},
        {"--micro-batch-size", "micro_batch_size"}, {"--global-batch-size", "global_batch_size"},
        {"--account-for-embedding-in-pipeline-split", "account_for_embedding"},
        {"--account-for-loss-in-pipeline-split", "account_for_loss"}, {"--sequence-parallel", "sequence_parallel"},
        {"--tp-comm-overlap", "tp_comm_overlap"}, {"--attention-dropout", "attention_dropout"},
        {"--recompute-granularity", "recompute_granularity"}, {"--recompute-method", "recompute_method"},
        {"--recompute-num-layers", "recompute_num_layers"}, {"--cuda-graph-impl", "cuda_graph_impl"},
        {"--overlap-moe-expert-parallel-comm", "overlap_moe"},
        {"--use-distributed-optimizer", "use_distributed_optimizer"}, {"--use-megatron-fsdp", "use_megatron_fsdp"},
        {"--overlap-param-gather", "overlap_param_gather"}, {"--overlap-grad-reduce", "overlap_grad_reduce"},
        {"--num-distributed-optimizer-instances", "num_instances"}};
    for (const auto &[argument, name] : names)
        if (const auto found = given.find(argument); found != given.end())
            shared[name] = found->second;
    const long heads = number("--num-attention-heads", 0);
    const LaunchedModel model{number("--num-layers", 0), heads,
        given.contains("--group-query-attention") ? number("--num-query-groups", 1) : heads, experts,
        given.contains("--multi-latent-attention")};
    return faultOfMegatronRules(shared, machines, model, given.contains("--no-overlap-p2p-communication") ? 3 : 2);
}

std::string faultOfMegatronBridge(const std::string &overrides, const LaunchedOn &machines, const LaunchedModel &model)
{
    // Fields of the dataclasses: whole numbers, true|false, null beside them, or the choices.
    static const std::string flag = "true|false", whole = "[0-9]+";
    static const std::map<std::string, std::string> fields{{"model.tensor_model_parallel_size", whole},
        {"model.sequence_parallel", flag}, {"model.pipeline_model_parallel_size", whole},
        {"model.virtual_pipeline_model_parallel_size", whole + "|null"},
        {"model.account_for_embedding_in_pipeline_split", flag}, {"model.account_for_loss_in_pipeline_split", flag},
        {"model.overlap_p2p_comm", flag}, {"model.batch_p2p_comm", flag}, {"model.context_parallel_size", whole},
        {"model.expert_model_parallel_size", whole}, {"model.expert_tensor_parallel_size", whole},
        {"model.moe_token_dispatcher_type", "alltoall"}, {"model.moe_grouped_gemm", flag},
        {"model.overlap_moe_expert_parallel_comm", flag}, {"ddp.use_distributed_optimizer", flag},
        {"optimizer.use_distributed_optimizer", flag}, {"ddp.use_megatron_fsdp", flag},
        {"ddp.data_parallel_sharding_strategy", "no_shard|optim|optim_grads|optim_grads_params"},
        {"checkpoint.ckpt_format", "fsdp_dtensor"}, {"ddp.num_distributed_optimizer_instances", whole},
        {"ddp.overlap_grad_reduce", flag}, {"ddp.overlap_param_gather", flag},
        {"model.recompute_granularity", "full|selective|null"}, {"model.recompute_method", "uniform|block|null"},
        {"model.recompute_num_layers", whole + "|null"}, {"model.recompute_modules", "\\[core_attn\\]"},
        {"model.seq_length", whole}, {"++dataset.seq_length", whole}, {"++dataset.sequence_length", whole},
        {"train.micro_batch_size", whole}, {"train.global_batch_size", whole}, {"train.train_iters", whole},
        {"mixed_precision", "null|fp16_mixed|bf16_mixed|bf16_with_fp8_delayed_scaling_mixed|bf16_with_nvfp4_mixed"},
        {"comm_overlap", "null"}, {"model.tp_comm_overlap", flag}, {"model.attention_dropout", "0|0\\.1"},
        {"model.hidden_dropout", "0|0\\.1"}, {"model.cuda_graph_impl", "transformer_engine"},
        {"model.use_te_rng_tracker", "true"}, {"rng.te_rng_tracker", "true"}, {"model.attention_backend", "unfused"}};
    Settings shared;
    std::set<std::string> seen;
    for (const auto &line : linesOf(overrides)) {
        if (line.empty() || line.starts_with("#"))
            continue;
        const auto at = line.find('=');
        const auto name = line.substr(0, at);
        const auto known = fields.find(name);
        if (at == std::string::npos || known == fields.end())
            return "no field: " + line;
        const auto value = line.substr(at + 1);
        if (!std::regex_match(value, std::regex(known->second)))
            return "invalid value: " + line;
        if (!seen.insert(name).second)
            return "given twice: " + line;
        static const std::map<std::string, std::string> renamed{
            {"virtual_pipeline_model_parallel_size", "virtual_stages"},
            {"account_for_embedding_in_pipeline_split", "account_for_embedding"},
            {"account_for_loss_in_pipeline_split", "account_for_loss"},
            {"overlap_moe_expert_parallel_comm", "overlap_moe"},
            {"num_distributed_optimizer_instances", "num_instances"}};
        auto leaf = name.substr(name.find('.') + 1);
        if (const auto other = renamed.find(leaf); other != renamed.end())
            leaf = other->second;
        if (value != "false" && value != "null")
            shared[leaf] = value;
    }
    if (shared.contains("overlap_p2p_comm") && shared.contains("batch_p2p_comm"))
        return "transfers that overlap are not batched";
    if (shared.contains("cuda_graph_impl") && !seen.contains("rng.te_rng_tracker"))
        return "CUDA graphs need the random numbers of Transformer Engine";
    if (!seen.contains("comm_overlap")
        && (shared.contains("tp_comm_overlap") || shared.contains("overlap_grad_reduce")))
        return "comm_overlap overwrites what overlaps";
    return faultOfMegatronRules(shared, machines, model, 2);
}

std::string faultOfDeepSpeed(const std::string &text, const LaunchedOn &machines, const LaunchedModel &model)
{
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object())
        return "no JSON object";
    static const std::set<std::string> known{"train_batch_size", "train_micro_batch_size_per_gpu",
        "gradient_accumulation_steps", "zero_optimization", "bf16", "fp16", "tensor_parallel", "expert_parallel",
        "activation_checkpointing", "fleetwright_launch"};
    for (const auto &[key, value] : json.items())
        if (!known.contains(key))
            return "unknown member " + key;
    const long tp = json.contains("tensor_parallel") ? json["tensor_parallel"].value("autotp_size", 1L) : 1;
    if (machines.world % tp != 0 || model.heads % tp != 0)
        return "autotp_size does not divide";
    const long dp = machines.world / tp, micro = json.value("train_micro_batch_size_per_gpu", 0L),
               steps = json.value("gradient_accumulation_steps", 0L);
    if (micro < 1 || steps < 1 || json.value("train_batch_size", 0L) != micro * steps * dp)
        return "train_batch_size is not micro batch times accumulation times data-parallel ranks";
    const auto &zero = json["zero_optimization"];
    if (!zero["stage"].is_number_integer() || zero["stage"] < 0 || zero["stage"] > 3)
        return "zero stage";
    if (zero.contains("overlap_comm") && !zero["overlap_comm"].is_boolean())
        return "overlap_comm";
    if (json["bf16"]["enabled"] == true && json["fp16"]["enabled"] == true)
        return "bf16 and fp16";
    if (json.contains("expert_parallel")) {
        const long ep = json["expert_parallel"].value("autoep_size", 1L);
        if (json["expert_parallel"]["enabled"] != true || machines.world % ep != 0 || model.experts % ep != 0)
            return "autoep_size must divide the accelerators and the experts";
        if (tp > 1 && zero["stage"] == 3)
            return "AutoEP beside AutoTP does not go with ZeRO 3";
    }
    return {};
}

std::string faultOfTorchtitan(const std::string &python, const LaunchedOn &machines, const LaunchedModel &model)
{
    static const std::string number = "[0-9]+", flag = "True|False";
    static const std::map<std::string, std::string> parallelism{{"data_parallel_replicate_degree", number},
        {"data_parallel_shard_degree", number}, {"fsdp_reshard_after_forward", "\"(default|always|never)\""},
        {"tensor_parallel_degree", number}, {"enable_sequence_parallel", flag}, {"pipeline_parallel_degree", number},
        {"pipeline_parallel_schedule", "\"(1F1B|Interleaved1F1B|InterleavedZeroBubble|ZBVZeroBubble)\""},
        {"pipeline_parallel_layers_per_stage", number}, {"pipeline_parallel_first_stage_less_layers", number},
        {"pipeline_parallel_last_stage_less_layers", number}, {"num_pp_microbatches", number},
        {"context_parallel_degree", number}, {"expert_parallel_degree", number}};
    static const std::map<std::string, std::string> others{{"training.num_tokens_per_microbatch_per_dp_rank", number},
        {"training.num_tokens_per_train_step", number}, {"training.max_context_length", number},
        {"training.steps", number}, {"training.mixed_precision_param", "\"(bfloat16|float32)\""},
        {"activation_checkpoint", "None|SelectiveAC\\.Config\\(\\)|FullAC\\.Config\\(\\)"}};
    static const std::set<std::string> frame{"from collections.abc import Callable",
        "from torchtitan.config import ParallelismConfig", "from torchtitan.trainer import Trainer",
        "from torchtitan.distributed.activation_checkpoint import FullAC",
        "from torchtitan.distributed.activation_checkpoint import SelectiveAC",
        "def with_plan(base: Callable[[], Trainer.Config]) -> Trainer.Config:", "    config = base()",
        "    config.parallelism = ParallelismConfig(", "    )", "    return config"};
    Settings of;
    for (const auto &line : linesOf(python)) {
        if (line.empty() || line.starts_with("#") || frame.contains(line))
            continue;
        std::smatch parts;
        static const std::regex degree("        ([a-z0-9_]+)=(.+),"), setting("    config\\.([a-z0-9_.]+) = (.+)");
        const bool isDegree = std::regex_match(line, parts, degree);
        if (!isDegree && !std::regex_match(line, parts, setting))
            return "no setting: " + line;
        const auto &known = isDegree ? parallelism : others;
        const auto found = known.find(parts[1]);
        if (found == known.end() || !std::regex_match(parts[2].str(), std::regex(found->second)))
            return "invalid: " + line;
        if (!of.emplace(parts[1], parts[2]).second)
            return "given twice: " + line;
    }
    const auto value = [&of](const char *name, long otherwise) { return numberIn(of, name, otherwise); };
    const long replicate = value("data_parallel_replicate_degree", 1), shard = value("data_parallel_shard_degree", 1),
               tp = value("tensor_parallel_degree", 1), pp = value("pipeline_parallel_degree", 1),
               cp = value("context_parallel_degree", 1), ep = value("expert_parallel_degree", 1);
    if (replicate * shard * cp * tp * pp != machines.world)
        return "the degrees do not make up the world size";
    if (shard * cp * tp % ep != 0)
        return "dp_shard * cp * tp must equal efsdp * ep";
    if (ep > 1 && (model.experts == 0 || model.experts % ep != 0))
        return "experts are not divided by the expert parallel degree";
    if (model.heads % tp != 0)
        return "heads are not divided by the tensor parallel degree";
    if (!model.latent && model.kvHeads % tp != 0)
        return "KV heads are not divided by the tensor parallel degree";
    if (model.tied && pp > 1)
        return "tied weights do not go with a pipeline";
    const long divisor = (of["enable_sequence_parallel"] == "True" ? tp : 1) * (cp > 1 ? 2 * cp : 1);
    if (value("training.num_tokens_per_microbatch_per_dp_rank", 0) % divisor != 0)
        return "a microbatch is not divided by seq_len_divisor";
    const long perRank = value("training.num_tokens_per_microbatch_per_dp_rank", 0)
        * (pp > 1 ? value("num_pp_microbatches", 1) : 1);
    if (perRank < 1 || value("training.num_tokens_per_train_step", 0) % (perRank * replicate * shard) != 0)
        return "num_tokens_per_train_step is not divisible by what one iteration processes";
    if (value("training.num_tokens_per_microbatch_per_dp_rank", 0) % value("training.max_context_length", 1) != 0)
        return "a microbatch is no whole number of sequences";
    if (pp > 1) {
        const auto schedule = of["pipeline_parallel_schedule"];
        const bool single = schedule == "\"1F1B\"";
        const long perStage = value("pipeline_parallel_layers_per_stage", 0);
        const long stages = perStage > 0 ? (model.layers + perStage - 1) / perStage : pp * (single ? 1 : 2);
        const long microbatches = value("num_pp_microbatches", 1);
        if (stages % pp != 0 || stages > model.layers)
            return "the stages are no multiple of the pipeline ranks, or more than the layers";
        if (single && (stages != pp || microbatches < stages))
            return "1F1B has one stage on each rank, and no fewer microbatches";
        if (schedule == "\"ZBVZeroBubble\"" && stages != 2 * pp)
            return "ZBV has two stages on each rank";
        if (schedule.starts_with("\"Interleaved")
            && (stages == pp || microbatches % std::max(1L, microbatches / pp) != 0))
            return "an interleaved schedule needs several stages, and rounds of microbatches";
    }
    return {};
}

std::string faultOfMaxText(const std::string &yaml, const LaunchedOn &machines, const LaunchedModel &model)
{
    static const std::string number = "[0-9]+";
    std::map<std::string, std::string> known{{"base_config", "\"base\\.yml\""},
        {"per_device_batch_size", "[0-9]+(\\.[0-9]+)?(e-[0-9]+)?"}, {"gradient_accumulation_steps", number},
        {"num_layers_per_pipeline_stage", number}, {"num_pipeline_repeats", number},
        {"num_pipeline_microbatches", number}, {"max_target_length", number}, {"steps", number},
        {"shard_optimizer_over_data", "true|false"}, {"dtype", "\"(bfloat16|float32|float16)\""},
        {"quantization", "\"(int8|fp8|te_nvfp4)?\""},
        {"remat_policy", "\"(minimal_with_context|minimal|full|custom|save_out_proj)\""}};
    std::vector<std::string> axes{"tensor", "expert", "context", "fsdp", "data", "pipeline"};
    for (const auto &axis : axes)
        for (const char *where : {"ici_", "dcn_"})
            known[where + axis + "_parallelism"] = number;
    Settings of;
    for (const auto &line : linesOf(yaml)) {
        if (line.empty() || line.starts_with("#"))
            continue;
        const auto at = line.find(": ");
        const auto found = known.find(line.substr(0, at));
        if (at == std::string::npos || found == known.end()
            || !std::regex_match(line.substr(at + 2), std::regex(found->second)))
            return "invalid: " + line;
        if (!of.emplace(found->first, line.substr(at + 2)).second)
            return "given twice: " + line;
    }
    long ici = 1, dcn = 1;
    for (const auto &axis : axes) {
        ici *= numberIn(of, "ici_" + axis + "_parallelism", 1);
        dcn *= numberIn(of, "dcn_" + axis + "_parallelism", 1);
    }
    if (ici != machines.domain || ici * dcn != machines.world)
        return "the mesh does not make up the accelerators";
    const auto degree = [&of](const std::string &axis) {
        return numberIn(of, "ici_" + axis + "_parallelism", 1) * numberIn(of, "dcn_" + axis + "_parallelism", 1);
    };
    // What stands behind the point is dropped.
    const long whole = long(std::stod(of["per_device_batch_size"]) * double(machines.world));
    const long samples = degree("data") * degree("fsdp") * degree("expert");
    if (whole < 1)
        return "the batch holds no sequence";
    if (of["quantization"] == "\"fp8\"" && numberIn(of, "gradient_accumulation_steps", 1) > 1)
        return "fp8 does not go with gradient accumulation";
    const long context = degree("context");
    if (context > 1 && (context % 2 != 0 || numberIn(of, "max_target_length", 0) % (2 * context) != 0))
        return "the sequence cannot be reordered for context parallelism";
    const long stages = degree("pipeline"), microbatches = numberIn(of, "num_pipeline_microbatches", 1);
    if (whole % (samples * microbatches) != 0)
        return "the batch does not divide among its ranks and microbatches";
    if (stages > 1) {
        if (microbatches % stages != 0)
            return "num_pipeline_microbatches must be a multiple of the number of stages";
        if (stages * numberIn(of, "num_layers_per_pipeline_stage", 1) * numberIn(of, "num_pipeline_repeats", 1)
            != model.layers - model.dense)
            return "decoder layers are not stages times layers times repeats";
    }
    if (model.heads % degree("tensor") != 0 || (degree("expert") > 1 && model.experts % degree("expert") != 0))
        return "heads or experts do not divide";
    return {};
}

} // namespace exchangetesting
