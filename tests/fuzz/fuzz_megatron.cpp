// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/importedplan.h"
#include "exchange/launch/launchconfiguration.h"
#include "exchange/plandocuments.h"
#include "fuzzsupport.h"

#include <nlohmann/json.hpp>

namespace fleetwright::fuzz {

namespace {

const exchange::LaunchImport &megatronMachines()
{
    static const exchange::LaunchImport import{.node = "nvidia_dgx_h100", .fabric = "ib_ndr"};
    return import;
}

/// Accepted arguments are a plan that is written, read back and launched.
bool takeMegatron(std::string_view text)
{
    auto import = megatronMachines();
    if (!text.contains("nnodes"))
        import.nodes = 16;
    const auto read = exchange::planFromMegatron(text, import, catalog());
    if (!read)
        return false;
    requireRoundTrip(read->plan, exchange::planFromText, exchange::planToYaml, exchange::planToJson);
    const auto plan = resolve(read->plan, catalog());
    require(plan.has_value(), "an imported plan resolves");
    const auto written = exchange::launchConfiguration(
        *plan, read->plan.workload, catalog(), exchange::LaunchFramework::MegatronLm);
    if (!written)
        return true; // a workload that the user named may have no arguments
    import.name = read->plan.name;
    import.nodes.reset();
    require(exchange::planFromMegatron(written->text, import, catalog()).has_value(), "what is written is read");
    return true;
}

std::vector<std::string> megatronSeeds()
{
    const std::string arguments = "--num-layers 80 --hidden-size 8192 --ffn-hidden-size 28672 --num-attention-heads 64 "
                                  "--group-query-attention --num-query-groups 8 --swiglu --seq-length 4096 "
                                  "--max-position-embeddings 131072 --vocab-size 128256 --micro-batch-size 1 --bf16 "
                                  "--tensor-model-parallel-size 8 --untie-embeddings-and-output-weights ";
    return {arguments,
        "#!/bin/bash\nTP=8\nARGS=(\n  " + arguments
            + "# more\n)\ntorchrun --nnodes ${N:-4} --nproc_per_node=8 pretrain_gpt.py \"${ARGS[@]}\" \\\n"
              "  --sequence-parallel --use-distributed-optimizer --train-iters 100 \"$@\" 2>&1 | tee log\n",
        arguments
            + "--num-experts 8 --moe-router-topk 2 --expert-model-parallel-size 2 --sequence-parallel "
              "--moe-layer-freq '([0]*2+[1]*78)' --recompute-granularity full --recompute-method uniform "
              "--recompute-num-layers 1 --fp8-format hybrid --use-megatron-fsdp "
              "--data-parallel-sharding-strategy optim_grads_params",
        "A='x y'\n" + arguments + "$A `b` $((1+2)) ${C:-d} \"e\\\"f\" 'g'--overlap-grad-reduce\n"};
}

} // namespace

FLEETWRIGHT_FUZZ_TARGET(megatron, takeMegatron, megatronSeeds, Form::Text, 3000)

} // namespace fleetwright::fuzz
