// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/search/exclusion.h"

namespace fleetwright::layoutsearch {

namespace {

struct Texts {
    Exclusion exclusion;
    std::string_view key;
    std::string_view title;
    std::string_view sentence;
};

constexpr std::array<Texts, exclusionCount> texts{{
    {Exclusion::Ranks, "ranks", "Ranks do not divide the fleet",
        "TP \u00d7 CP \u00d7 PP must divide the accelerators of the fleet."},
    {Exclusion::Placement, "placement", "TP straddles scale-up domains",
        "TP groups must lie inside a scale-up domain and fill it evenly; allow TP across domains to look at more."},
    {Exclusion::Heads, "heads", "TP does not divide the heads", "TP must divide the attention heads."},
    {Exclusion::KvHeads, "kv_heads", "TP and KV heads do not match",
        "TP must divide the KV heads, or be a multiple of them."},
    {Exclusion::FfnSize, "ffn_size", "TP does not divide the FFN size", "TP must divide the FFN size of dense layers."},
    {Exclusion::Layers, "layers", "More stages than layers",
        "A pipeline needs a layer for each stage, embedding and output counted as two."},
    {Exclusion::Sequence, "sequence", "CP does not divide the sequence",
        "Context parallelism cuts each sequence into 2 CP pieces, which must be of equal length."},
    {Exclusion::Experts, "experts", "EP does not divide the experts",
        "EP must divide the experts of a layer; dense workloads have EP 1."},
    {Exclusion::ExpertRanks, "expert_ranks", "EP does not fit the ranks",
        "The ranks that share the experts must divide those of the replicas."},
    {Exclusion::DataParallelism, "data_parallelism", "DP not asked for",
        "What TP, CP and PP leave over is not among the values of DP."},
    {Exclusion::Batch, "batch", "Batch not divisible", "Microbatch times DP must divide the global batch."},
    {Exclusion::Stages, "stages", "No room for virtual stages",
        "Virtual stages need a pipeline and at least one layer in each chunk."},
    {Exclusion::Chunks, "chunks", "Chunks of different length",
        "PP times virtual stages must divide the layers, with or without embedding and output; allow uneven chunks to "
        "look at more."},
    {Exclusion::Interleaving, "interleaving", "Microbatches not divisible by PP",
        "An interleaved pipeline needs a number of microbatches that PP divides."},
    {Exclusion::ModelRefuses, "model_refuses", "The cost model refuses",
        "The cost model has a rule of its own or its figures overflow; adopt such a layout to read why."},
    {Exclusion::NoEffect, "no_effect", "Repeats another layout",
        "Sequence parallelism at TP 1 and ZeRO on a single rank change nothing."},
    {Exclusion::Unranked, "unranked", "No value of the objective",
        "The cost model gives no value of the objective for this layout, so it cannot be compared with others."},
    {Exclusion::Memory, "memory", "Needs more memory",
        "The fullest accelerator would hold more than it has, or than the plan allows."},
    {Exclusion::StepTime, "max_step_time_s", "Step takes too long", "The step time exceeds the plan's limit."},
    {Exclusion::Mfu, "min_mfu", "MFU too low", "The MFU is below the plan's limit."},
    {Exclusion::Deadline, "deadline_days", "Misses the deadline",
        "The token budget takes longer than the plan's deadline."},
    {Exclusion::Budget, "run_cost_usd", "Run costs too much",
        "The token budget costs more than the plan allows, all in."},
    {Exclusion::Capital, "capital_usd", "Fleet takes too much capital",
        "The fleet costs more to buy than the plan allows, whatever the layout."},
    {Exclusion::YearlyCost, "yearly_cost_usd", "Fleet costs too much a year",
        "The fleet costs more a year than the plan allows, whatever the layout."},
    {Exclusion::Power, "max_facility_mw", "Draws too much power",
        "The fleet exceeds the plan's power limit, whatever the layout."},
}};
const Texts &textsOf(Exclusion exclusion) { return texts[static_cast<std::size_t>(exclusion)]; }

} // namespace

Exclusion exclusionOf(Limit limit)
{
    switch (limit) {
    case Limit::MemoryCapacity:
    case Limit::MaxMemoryFraction: return Exclusion::Memory;
    case Limit::DeadlineDays: return Exclusion::Deadline;
    case Limit::RunCostUsd: return Exclusion::Budget;
    case Limit::CapitalUsd: return Exclusion::Capital;
    case Limit::YearlyCostUsd: return Exclusion::YearlyCost;
    case Limit::MaxFacilityMw: return Exclusion::Power;
    case Limit::MinMfu: return Exclusion::Mfu;
    case Limit::MaxStepTimeS: return Exclusion::StepTime;
    }
    return Exclusion::Memory;
}

std::optional<Limit> limitOf(Exclusion exclusion)
{
    if (exclusion != Exclusion::Memory)
        for (std::size_t i = 0; i < limitCount; ++i)
            if (const auto limit = static_cast<Limit>(i); exclusionOf(limit) == exclusion)
                return limit;
    return std::nullopt;
}

std::string_view toString(Exclusion exclusion) { return textsOf(exclusion).key; }
std::string_view titleOf(Exclusion exclusion) { return textsOf(exclusion).title; }
std::string_view sentence(Exclusion exclusion) { return textsOf(exclusion).sentence; }

} // namespace fleetwright::layoutsearch
