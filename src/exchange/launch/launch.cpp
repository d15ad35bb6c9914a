// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/launch.h"

#include "solver/models/detailed/detailedmodel.h"
#include "solver/models/detailed/detailedtext.h"
#include "units/format.h"
#include "units/words.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fleetwright::exchange {

namespace {

std::string launchCount(std::int64_t number) { return std::to_string(number); }

Expected<const CatalogRecord *> workloadRecordOf(const ItemReference &workload, const Catalog &catalog)
{
    if (const auto *record = std::get_if<CatalogRecord>(&workload))
        return record;
    return catalog.require(CatalogKind::Workload, std::get<std::string>(workload), "workload");
}

LaunchModel launchModelOf(const WorkloadFacts &facts, const CatalogRecord &record)
{
    const auto count = [&record](std::string_view key) {
        const auto value = record.number(key);
        return value && *value >= 1 && *value <= 1e9 ? std::optional(int(*value)) : std::nullopt;
    };
    return {.facts = facts,
        .architecture = record.text("architecture").value_or(""),
        .qkHeadDim = count("mla_qk_nope_head_dim"),
        .valueHeadDim = count("mla_v_head_dim"),
        .sharedExpertFfn = count("shared_expert_ffn_hidden_size"),
        .norm = record.text("norm_type").value_or(""),
        .position = record.text("position_embedding").value_or(""),
        .attentionBias = record.text("attention_bias").value_or(""),
        .ffnBias = record.boolean("ffn_bias")};
}

/// Assumptions that launch configurations have words for; the rest is the cost model's.
constexpr std::array<std::string_view, 11> launchAssumptions{"dp_overlap", "tp_overlap", "pp_overlap", "ep_overlap",
    "cuda_graphs", "dropout", "attention_kernel", "gradient_precision", "pipeline_schedule", "expert_tensor_parallel",
    "shard_group"};

LaunchSoftware launchSoftwareOf(const detailed::PlanSetting &setting, const Assumptions &assumptions)
{
    const auto &edited = assumptions.edited;
    const auto stated = [&edited](std::string_view key) -> std::string {
        const auto found = edited.find(key);
        const auto *text = found == edited.end() ? nullptr : std::get_if<std::string>(&found->second);
        return text && *text != "auto" ? *text : "";
    };
    const auto switchOf = [&](std::string_view key, bool on) { return LaunchSwitch{on, !stated(key).empty()}; };
    const auto &stack = setting.setting.stack;
    LaunchSoftware software{.dpOverlap = switchOf("dp_overlap", stack.dpOverlap),
        .tpOverlap = switchOf("tp_overlap", stack.tpOverlap),
        .ppOverlap = switchOf("pp_overlap", stack.ppOverlap),
        .epOverlap = switchOf("ep_overlap", stack.epOverlap),
        .dropout = switchOf("dropout", stack.dropout),
        .graphs = stack.graphs,
        .unfusedAttention = stated("attention_kernel") == "none",
        .gradientBytes = std::nullopt};
    if (!stated("gradient_precision").empty())
        software.gradientBytes = stack.gradientBytes;
    if (const auto schedule = stated("pipeline_schedule"); !schedule.empty())
        software.schedule = schedule;
    return software;
}

/// What no framework has a setting for.
void addWithoutFlag(const Plan &plan, Launch &launch)
{
    auto &told = launch.withoutFlag;
    const auto &facts = *plan;
    told.push_back("The machines have no flag: " + units::counted(launch.nodes, "node", "nodes") + " "
        + inQuotes(launch.nodeName) + " on " + inQuotes(launch.fabricName)
        + ", their site, their prices and where each rank is placed are the scheduler's.");
    told.push_back("The cost model " + facts.costModelId + " and its constants have no flag.");
    std::string keys;
    for (const auto &[key, value] : facts.assumptions.edited)
        if (!launch.software || std::ranges::find(launchAssumptions, key) == launchAssumptions.end())
            keys += (keys.empty() ? "" : ", ") + ("assumptions." + key);
    if (!keys.empty())
        told.push_back("What the plan assumes for its price has no flag: " + keys + ".");
    if (facts.constraints != Constraints{})
        told.emplace_back("The plan's limits (constraints) have no flag; a run does not know them.");
    if (launch.software && launch.software->dpOverlap.on)
        told.emplace_back("How much of the gradients overlaps follows the framework's bucket sizes; the plan's share "
                          "has no flag.");
    if (facts.training.microbatchCount)
        told.push_back("training.microbatch_count stands as its microbatch size, " + launchCount(launch.microbatchSize)
            + " (" + units::counted(double(launch.microbatches), "microbatch", "microbatches")
            + " of each replica and step).");
    else if (facts.training.accumulationSteps > 1)
        told.emplace_back("training.accumulation_steps has no flag beside a microbatch size, which decides.");
    if (!launch.steps) {
        told.emplace_back("The plan has no token budget, so the number of training steps is left to you.");
    } else {
        const double step = double(launch.globalBatch) * double(launch.sequenceLength);
        const double tokens = double(*launch.steps) * step;
        if (tokens != *facts.tokenBudget())
            told.push_back("The token budget of " + units::exact(*facts.tokenBudget()) + " is rounded up to "
                + launchCount(*launch.steps) + " whole steps (" + units::exact(tokens) + " tokens).");
    }
    if (launch.ep > 1 && !launch.software)
        told.push_back("DP is accelerators / (TP PP CP) = " + launchCount(launch.dp)
            + " in every framework; the plan's cost model may count EP apart.");
}

Expected<void> fillDegrees(const Plan &plan, Launch &launch)
{
    const auto &split = plan->parallelism;
    launch.tp = split.tp;
    launch.pp = split.pp;
    launch.cp = split.cp;
    launch.ep = split.ep;
    launch.virtualStages = split.virtualStages;
    launch.zeroStage = split.zeroStage;
    launch.sequenceParallel = split.sequenceParallel;
    const auto world = launch.world();
    const double model = double(launch.tp) * double(launch.pp) * double(launch.cp);
    if (model > double(world) || world % (launch.tp * launch.pp * launch.cp) != 0)
        return refuse(ErrorCode::InfeasibleParallelism, "parallelism",
            "TP " + launchCount(launch.tp) + " \u00d7 PP " + launchCount(launch.pp) + " \u00d7 CP "
                + launchCount(launch.cp) + " must divide the " + launchCount(world)
                + " accelerators, since the rest is DP; change one of them or the number of nodes.");
    launch.dp = world / (launch.tp * launch.pp * launch.cp);
    const auto &training = plan->training;
    launch.globalBatch = training.globalBatch;
    if (training.microbatchSize) {
        launch.microbatchSize = *training.microbatchSize;
        launch.microbatches = std::max<std::int64_t>(1, launch.globalBatch / (launch.dp * launch.microbatchSize));
        return {};
    }
    const double count = double(training.microbatchCount.value_or(1)) * training.accumulationSteps;
    if (count > double(launch.globalBatch) || launch.globalBatch % launch.dp != 0
        || launch.globalBatch / launch.dp % std::int64_t(count) != 0)
        return refuse(ErrorCode::InfeasibleParallelism, "training.microbatch_count",
            units::exact(count) + " microbatches \u00d7 DP " + launchCount(launch.dp)
                + " do not divide the global batch of " + launchCount(launch.globalBatch)
                + ", as every framework needs; state the microbatch size instead, or change the number.");
    launch.microbatches = std::int64_t(count);
    launch.microbatchSize = launch.globalBatch / launch.dp / launch.microbatches;
    return {};
}

} // namespace

std::int64_t stepsOf(double tokens, std::int64_t globalBatch, std::int64_t sequenceLength)
{
    return std::max<std::int64_t>(1, std::int64_t(std::ceil(tokens / (double(globalBatch) * double(sequenceLength)))));
}

std::optional<PipelineEnds> pipelineEnds(std::int64_t layers, std::int64_t chunks)
{
    for (const auto ends :
        {PipelineEnds{}, PipelineEnds{true, true}, PipelineEnds{true, false}, PipelineEnds{false, true}})
        if ((layers + ends.layers()) % chunks == 0)
            return ends;
    return std::nullopt;
}

Expected<Launch> launchOf(const Plan &plan, const ItemReference &workload, const Catalog &catalog)
{
    const auto record = workloadRecordOf(workload, catalog);
    if (!record)
        return std::unexpected(record.error());
    Launch launch;
    launch.planName = plan->name;
    launch.workloadName = plan->workload->name;
    launch.model = launchModelOf(*plan->workload, **record);
    const auto &fleet = *plan->fleet;
    launch.nodes = fleet.nodeCount;
    launch.acceleratorsPerNode = fleet.node->acceleratorsPerNode;
    launch.domain = std::min(fleet.node->scaleUpDomainSize, fleet.accelerators());
    launch.nodeName = fleet.node->name;
    launch.fabricName = fleet.fabric->name;
    launch.blackwellOrLater = fleet.node->accelerator->peak(Precision::Fp4).has_value();
    if (auto filled = fillDegrees(plan, launch); !filled)
        return std::unexpected(filled.error());
    const auto &training = plan->training;
    launch.sequenceLength = training.sequenceLength;
    launch.precision = training.precision;
    launch.recompute = training.recompute;
    launch.lora = training.lora;
    if (const auto tokens = plan->tokenBudget())
        launch.steps = stepsOf(*tokens, launch.globalBatch, launch.sequenceLength);
    launch.expertTp = detailed::expertTpOf(0, launch.tp, launch.ep);
    if (plan->costModelId == detailed::costModel().id()) {
        const auto setting = detailed::settingFrom(plan->workload, plan->fleet, training, plan->assumptions);
        if (!setting)
            return std::unexpected(setting.error());
        launch.software = launchSoftwareOf(*setting, plan->assumptions);
        launch.expertTp = detailed::expertTpOf(setting->expertTp, launch.tp, launch.ep);
        launch.shardGroup = setting->shardGroup;
    }
    addWithoutFlag(plan, launch);
    return launch;
}

} // namespace fleetwright::exchange
