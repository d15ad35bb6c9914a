// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/textreader.h"
#include "solver/validation/measuredrun.h"

#include <algorithm>
#include <type_traits>

namespace fleetwright::exchange {

inline constexpr double largestCount = 1e15; ///< of a whole number of a measured run

/// The one table of what a measured run holds: calls visit(key, member, scale) for every field, keys dotted as in
/// files. `scale` is base units per stored unit. Lists and flags (overlap, inferred_config) are not in it.
template <class Run, class Visitor>
requires std::is_same_v<std::remove_const_t<Run>, validation::MeasuredRun>
void visitRunFields(Run &run, Visitor &&visit)
{
    constexpr double tera = 1e12;
    visit("id", run.id, 1.0);
    visit("source.key", run.source.key, 1.0);
    visit("source.title", run.source.title, 1.0);
    visit("source.where", run.source.where, 1.0);
    visit("source.url", run.source.url, 1.0);
    visit("source.date", run.source.date, 1.0);
    visit("kind", run.kind, 1.0);
    visit("provenance", run.provenance, 1.0);
    visit("accelerator", run.accelerator, 1.0);
    visit("accelerator_note", run.acceleratorNote, 1.0);
    visit("peak_tflops", run.peak, tera);
    visit("n_gpus", run.accelerators, 1.0);
    visit("gpus_per_node", run.acceleratorsPerNode, 1.0);
    visit("network.scale_up", run.scaleUpText, 1.0);
    visit("network.scale_out", run.scaleOutText, 1.0);
    visit("network.topology", run.topologyText, 1.0);
    visit("framework", run.framework, 1.0);
    visit("model.name", run.model.name, 1.0);
    visit("model.params", run.model.parameters, 1.0);
    visit("model.active_params", run.model.activeParameters, 1.0);
    visit("model.layers", run.model.layers, 1.0);
    visit("model.hidden", run.model.hidden, 1.0);
    visit("model.heads", run.model.heads, 1.0);
    visit("model.kv_heads", run.model.kvHeads, 1.0);
    visit("model.head_dim", run.model.headDim, 1.0);
    visit("model.ffn_hidden", run.model.ffn, 1.0);
    visit("model.gated", run.model.gated, 1.0);
    visit("model.tied_embeddings", run.model.tiedEmbeddings, 1.0);
    visit("model.vocab", run.model.vocabulary, 1.0);
    visit("model.experts", run.model.experts, 1.0);
    visit("model.top_k", run.model.expertsPerToken, 1.0);
    visit("model.moe_ffn_hidden", run.model.expertFfn, 1.0);
    visit("model.shared_experts", run.model.sharedExperts, 1.0);
    visit("model.dense_layers", run.model.denseLayers, 1.0);
    visit("model.moe_layers", run.model.expertLayers, 1.0);
    visit("model.attention", run.model.attention, 1.0);
    visit("model.hybrid", run.model.hybrid, 1.0);
    visit("model.source", run.model.source, 1.0);
    visit("seq_len", run.sequenceLength, 1.0);
    visit("global_batch", run.globalBatch, 1.0);
    visit("micro_batch", run.microbatch, 1.0);
    visit("tp", run.tp, 1.0);
    visit("pp", run.pp, 1.0);
    visit("virtual_stages", run.virtualStages, 1.0);
    visit("cp", run.cp, 1.0);
    visit("dp", run.dp, 1.0);
    visit("ep", run.ep, 1.0);
    visit("etp", run.expertTp, 1.0);
    visit("zero_stage", run.zeroStage, 1.0);
    visit("distributed_optimizer", run.distributedOptimizer, 1.0);
    visit("fsdp", run.fsdp, 1.0);
    visit("sequence_parallel", run.sequenceParallel, 1.0);
    visit("recompute", run.recompute, 1.0);
    visit("precision", run.precision, 1.0);
    visit("flash_attention", run.flashAttention, 1.0);
    visit("pipeline_schedule", run.pipelineSchedule, 1.0);
    visit("zero_group", run.zeroGroup, 1.0);
    visit("lora_rank", run.loraRank, 1.0);
    visit("per_device_batch", run.perDeviceBatch, 1.0);
    visit("as_planned", run.asPlanned, 1.0);
    visit("measured.iteration_time_s", run.measured.stepTime, 1.0);
    visit("measured.tokens_per_s", run.measured.tokensPerSecond, 1.0);
    visit("measured.tokens_per_s_per_gpu", run.measured.tokensPerSecondPerAccelerator, 1.0);
    visit("measured.samples_per_s", run.measured.samplesPerSecond, 1.0);
    visit("measured.samples_per_s_per_gpu", run.measured.samplesPerSecondPerAccelerator, 1.0);
    visit("measured.tflops_per_gpu", run.measured.flopsPerAccelerator, tera);
    visit("measured.tflops_convention", run.measured.flopsConvention, 1.0);
    visit("measured.mfu", run.measured.mfu, 1.0);
    visit("measured.hfu", run.measured.hfu, 1.0);
    visit("measured.peak_memory_gb", run.measured.peakMemory, 1.0);
    visit("measured.peak_memory_note", run.measured.peakMemoryNote, 1.0);
    visit("measured.oom", run.measured.outOfMemory, 1.0);
    visit("measured.slices", run.measured.slices, 1.0);
    visit("derived.iteration_time_s.value", run.derivedStepTime, 1.0);
    visit("derived.iteration_time_s.formula", run.derivedFormula, 1.0);
    visit("notes", run.notes, 1.0);
    visit("submitter", run.submitter, 1.0);
    visit("inconsistent", run.inconsistent, 1.0);
}

/// Of a file of which so many rows end at `position`, and a little more: a vector that grows by doubling would need
/// twice the memory for a while.
[[nodiscard]] inline std::size_t expectedRuns(std::size_t rows, std::size_t position, std::size_t size)
{
    constexpr double margin = 1.05;
    return std::min(mostRuns, std::size_t(margin * double(rows) * double(size) / double(position)));
}

} // namespace fleetwright::exchange
