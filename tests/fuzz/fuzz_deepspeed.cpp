// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/importedplan.h"
#include "exchange/launch/launchconfiguration.h"
#include "exchange/plandocuments.h"
#include "fuzzsupport.h"

#include <nlohmann/json.hpp>

namespace fleetwright::fuzz {

namespace {

/// Accepted configurations are a plan that is written, read back and launched as the same plan.
bool takeDeepSpeed(std::string_view text)
{
    exchange::LaunchImport import{
        .node = "nvidia_dgx_h100", .fabric = "ib_ndr", .nodes = 8, .workload = "mixtral_8x7b", .sequenceLength = 4096};
    const auto read = exchange::planFromDeepSpeed(text, import, catalog());
    if (!read)
        return false;
    requireRoundTrip(read->plan, exchange::planFromText, exchange::planToYaml, exchange::planToJson);
    const auto plan = resolve(read->plan, catalog());
    require(plan.has_value(), "an imported plan resolves");
    const auto written = exchange::launchConfiguration(
        *plan, read->plan.workload, catalog(), exchange::LaunchFramework::DeepSpeed);
    require(written.has_value(), "an imported plan can be launched where it came from");
    import.name = read->plan.name;
    const auto again = exchange::planFromDeepSpeed(written->text, import, catalog());
    require(again && again->plan.parallelism == read->plan.parallelism && again->plan.training == read->plan.training,
        "what is written is read as the same layout");
    return true;
}

std::vector<std::string> deepSpeedSeeds()
{
    return {R"({"train_batch_size": 512, "train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 8,
"zero_optimization": {"stage": 3, "overlap_comm": true, "offload_param": {"device": "none"}},
"bf16": {"enabled": true}, "tensor_parallel": {"autotp_size": 2},
"expert_parallel": {"enabled": true, "autoep_size": 4}, "steps_per_print": 10})",
        R"({"train_micro_batch_size_per_gpu": 1, "fp16": {"enabled": true, "loss_scale": 0},
"zero_optimization": {"stage": 1}, "activation_checkpointing": {"cpu_checkpointing": false}})",
        R"({"train_batch_size": "auto", "zero_optimization": {"stage": 2, "cpu_offload": true}})"};
}

} // namespace

FLEETWRIGHT_FUZZ_TARGET(deepspeed, takeDeepSpeed, deepSpeedSeeds, Form::Text, 3000)

} // namespace fleetwright::fuzz
