// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/publishedchoices.h"

#include "solver/validation/runconfiguration.h"

#include <algorithm>
#include <array>

namespace fleetwright::validation {

namespace {

constexpr int none = 0, full = 2; // recomputation, as search spaces hold it

/// What makes a choice out of a run.
struct Described {
    MeasuredRun run;
    std::string published;
    std::string remarks{};
    Assumptions beyond{}; ///< on top of those of the run
    detailed::SoftwareClass softwareClass = detailed::SoftwareClass::Tuned;
    std::string softwareReason{};
    LayoutSearchSpace chosen{};
    LayoutSearchSpace software{};
    std::string limits{};
};

const MeasuredRun *find(std::span<const MeasuredRun> runs, std::string_view id)
{
    const auto found = std::ranges::find(runs, id, &MeasuredRun::id);
    return found == runs.end() ? nullptr : &*found;
}

// Megatron-LM at SC21. Narayanan 2021, arXiv 2104.04473, table 1: sizes, TP x PP, accelerators and batch; the
// microbatch and the layers of a virtual stage are in examples/sc21/run_table_1.sh of the repository.
struct SC21 {
    std::string_view size;
    double parameters;
    int layers, hidden, heads;
    int pp, accelerators, globalBatch, microbatch, virtualStages;
};
constexpr std::array<SC21, 7> sc21{{
    {"18.4B", 18.4e9, 40, 6144, 48, 1, 256, 1024, 8, 1},
    {"39.1B", 39.1e9, 48, 8192, 64, 2, 512, 1536, 4, 1},
    {"76.1B", 76.1e9, 60, 10240, 80, 4, 1024, 1792, 2, 3},
    {"145.6B", 145.6e9, 80, 12288, 96, 8, 1536, 2304, 2, 2},
    {"310.1B", 310.1e9, 96, 16384, 128, 16, 1920, 2160, 1, 2},
    {"529.6B", 529.6e9, 105, 20480, 128, 35, 2520, 2520, 1, 3},
    {"1008.0B", 1008.0e9, 128, 25600, 160, 64, 3072, 3072, 1, 1},
}};

MeasuredRun runOf(const SC21 &row)
{
    MeasuredRun run;
    run.id = "sc21-t1-" + std::string(row.size);
    run.source.key = "megatron-sc21-table1";
    run.kind = "benchmark";
    run.accelerator = "A100-SXM-80GB";
    run.accelerators = row.accelerators;
    run.acceleratorsPerNode = 8;
    run.scaleOutText = "8x200 Gb/s HDR InfiniBand per node";
    run.framework = "Megatron-LM";
    run.model.name = "GPT " + std::string(row.size);
    run.model.parameters = row.parameters;
    run.model.layers = row.layers;
    run.model.hidden = row.hidden;
    run.model.heads = row.heads;
    run.model.gated = false;
    run.model.vocabulary = 51200;
    run.sequenceLength = 2048;
    run.globalBatch = row.globalBatch;
    run.microbatch = row.microbatch;
    run.tp = 8;
    run.pp = row.pp;
    run.virtualStages = row.virtualStages;
    run.sequenceParallel = false;
    run.recompute = "full";
    run.precision = "fp16";
    run.flashAttention = false;
    return run;
}

std::vector<int> divisorsOf(int number)
{
    std::vector<int> divisors;
    for (int i = 1; i <= number; ++i)
        if (number % i == 0)
            divisors.push_back(i);
    return divisors;
}

Described describe(const SC21 &row, std::span<const MeasuredRun> shipped)
{
    const auto *known = find(shipped, runOf(row).id);
    Described made{.run = known ? *known : runOf(row),
        .published =
            "Narayanan et al. 2021, Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM "
            "(SC21), table 1; microbatch and virtual stages from its examples/sc21/run_table_1.sh"};
    made.softwareReason = "Megatron-LM, which the makers of the accelerator tuned on this very cluster";
    auto &chosen = made.chosen;
    chosen[LayoutSearchOption::Tp] = {8};
    chosen[LayoutSearchOption::Cp] = {1};
    chosen[LayoutSearchOption::Pp] = {row.pp};
    chosen[LayoutSearchOption::VirtualStages] = {row.virtualStages};
    chosen[LayoutSearchOption::MicrobatchSize] = {row.microbatch};
    chosen[LayoutSearchOption::ZeroStage] = {0};
    chosen[LayoutSearchOption::Recompute] = {full};
    chosen[LayoutSearchOption::SequenceParallel] = {0};
    auto &software = made.software;
    software[LayoutSearchOption::Cp] = {1};
    software[LayoutSearchOption::Pp] = divisorsOf(row.layers);
    software[LayoutSearchOption::ZeroStage] = {0};
    software[LayoutSearchOption::Recompute] = {none, full};
    software[LayoutSearchOption::SequenceParallel] = {0};
    made.limits = "Megatron-LM of 2021: no sequence or context parallelism, no distributed optimizer (ZeRO 0), "
                  "recomputation full or none, as many layers in every stage";
    return made;
}

/// Dubey et al. 2024, The Llama 3 Herd of Models, arXiv 2407.21783, section 3.3 and table 4: TP 8, CP 1, PP 16, DP the
/// rest, 16M tokens a batch.
Described llama405B(int accelerators)
{
    Described made{.published = "Dubey et al. 2024, The Llama 3 Herd of Models, table 4 and section 3.3.2",
        .remarks = "Microbatch, virtual stages and sequence parallelism are not published; the fastest by the model "
                   "stand in. ZeRO 2 is what its FSDP comes to, which keeps weights after the forward pass; no "
                   "recomputation and gradients in FP32 are as published."};
    made.softwareReason = "the authors' own code, written and tuned for these clusters, in four dimensions as "
                          "Megatron-Core is; its FSDP keeps gradients and optimizer sharded and weights whole";
    auto &run = made.run;
    run.id = "llama3-405b-n" + std::to_string(accelerators);
    run.source.key = "llama3-paper";
    run.framework = "Megatron-Core"; // the nearest generation: their own has no name that the rules know
    run.source.date = "2024-07";
    run.kind = "production";
    run.accelerator = "H100-SXM-80GB";
    run.accelerators = accelerators;
    run.acceleratorsPerNode = 8;
    run.scaleOutText = "8x 400 Gb/s RoCE per node";
    run.model.name = "Llama 3 405B";
    run.model.parameters = 405.9e9;
    run.model.layers = 126;
    run.model.hidden = 16384;
    run.model.heads = 128;
    run.model.kvHeads = 8;
    run.model.headDim = 128;
    run.model.ffn = 53248;
    run.model.gated = true;
    run.model.vocabulary = 128256;
    run.sequenceLength = 8192;
    run.globalBatch = 2048;
    run.microbatch = 1;
    run.tp = 8;
    run.cp = 1;
    run.pp = 16;
    run.zeroStage = 2;
    run.recompute = "none";
    run.precision = "bf16, fp32 gradients";
    auto &chosen = made.chosen;
    chosen[LayoutSearchOption::Tp] = {8};
    chosen[LayoutSearchOption::Cp] = {1};
    chosen[LayoutSearchOption::Pp] = {16};
    chosen[LayoutSearchOption::ZeroStage] = {2};
    chosen[LayoutSearchOption::Recompute] = {none};
    return made;
}

/// DeepSeek-AI 2024, DeepSeek-V3 Technical Report, arXiv 2412.19437, sections 3.2 and 4.2.
Described deepSeekV3()
{
    constexpr int accelerators = 2048;
    Described made{.published = "DeepSeek-AI 2024, DeepSeek-V3 Technical Report, sections 3.2 and 4.2",
        .remarks = "At the final batch of 15 360 sequences. The microbatch is not published. What is recomputed "
                   "(norms, MLA up-projections, SwiGLU) and kept in FP8 is finer than the model's choices, so that the "
                   "model needs full recomputation for this layout to fit. For DualPipe stand a zero-bubble schedule "
                   "with a third of the bubble and an overlapped expert exchange, for all layouts alike; routing is "
                   "taken as balanced."};
    made.softwareReason = "the authors' own framework, written for this model and this cluster";
    auto &run = made.run;
    run.id = "deepseek-v3-n" + std::to_string(accelerators);
    run.source.key = "deepseek-v3-report";
    run.source.date = "2024-12";
    run.kind = "production";
    run.accelerator = "H800-SXM-80GB";
    run.accelerators = accelerators;
    run.acceleratorsPerNode = 8;
    run.scaleOutText = "8x 400 Gb/s InfiniBand per node";
    run.model.name = "DeepSeek-V3 671B";
    run.model.parameters = 671e9;
    run.model.activeParameters = 37e9;
    run.model.layers = 61;
    run.model.hidden = 7168;
    run.model.heads = 128;
    run.model.kvHeads = 128;
    run.model.headDim = 128;
    run.model.ffn = 18432;
    run.model.gated = true;
    run.model.vocabulary = 129280;
    run.model.experts = 256;
    run.model.expertsPerToken = 8;
    run.model.expertFfn = 2048;
    run.model.sharedExperts = 1;
    run.model.denseLayers = 3;
    run.model.attention = "MLA";
    run.sequenceLength = 4096;
    run.globalBatch = 15360;
    run.microbatch = 1;
    run.framework = "Megatron-Core"; // the nearest generation of software: their own has no name that the rules know
    run.tp = 1;
    run.pp = 16;
    run.ep = 64;
    run.virtualStages = 1;
    run.zeroStage = 1;
    run.precision = "fp8";
    run.pipelineSchedule = "ZB-1p";
    made.beyond.edited["ep_overlap"] = std::string("on");
    auto &chosen = made.chosen;
    chosen[LayoutSearchOption::Tp] = {1};
    chosen[LayoutSearchOption::Cp] = {1};
    chosen[LayoutSearchOption::Pp] = {16};
    chosen[LayoutSearchOption::Ep] = {64};
    chosen[LayoutSearchOption::VirtualStages] = {1};
    chosen[LayoutSearchOption::ZeroStage] = {1};
    chosen[LayoutSearchOption::SequenceParallel] = {0};
    return made;
}

Expected<PublishedChoice> choiceFrom(Described described)
{
    auto run = described.run;
    // A layout without a measurement is a layout all the same; configurationFrom() reads runs to be scored.
    constexpr double unmeasured = 1;
    const bool timed = run.derivedStepTime || run.measured.stepTime || run.measured.flopsPerAccelerator;
    if (!timed)
        run.derivedStepTime = unmeasured * second;
    const auto configuration = configurationFrom(run);
    if (!configuration)
        return refuse(configuration.error().code, run.id,
            "The published run " + run.id + " cannot be priced: " + configuration.error().message);
    auto plan = planFrom(run, *configuration, "detailed");
    if (!plan)
        return std::unexpected(plan.error());
    PlanFacts facts = **plan;
    facts.assumptions = assumptionsFrom(*configuration);
    facts.assumptions.edited[std::string(detailed::softwareClassKey)] = std::string(toString(described.softwareClass));
    facts.assumptions.edited.insert(described.beyond.edited.begin(), described.beyond.edited.end());
    auto made = Plan::create(std::move(facts));
    if (!made)
        return std::unexpected(made.error());
    return PublishedChoice{.id = run.id,
        .title = run.model.name + " on " + std::to_string(*run.accelerators) + " " + run.accelerator,
        .published = std::move(described.published),
        .remarks = std::move(described.remarks),
        .softwareClass = described.softwareClass,
        .softwareReason = std::move(described.softwareReason),
        .plan = std::move(*made),
        .chosen = std::move(described.chosen),
        .software = std::move(described.software),
        .limits = std::move(described.limits),
        .measured = timed ? configuration->measuredStepTime : std::nullopt};
}

} // namespace

Expected<std::vector<PublishedChoice>> publishedChoices(std::span<const MeasuredRun> shipped)
{
    std::vector<Described> described;
    for (const auto &row : sc21)
        described.push_back(describe(row, shipped));
    for (const int accelerators : {8192, 16384})
        described.push_back(llama405B(accelerators));
    described.push_back(deepSeekV3());
    std::vector<PublishedChoice> choices;
    for (auto &each : described) {
        auto choice = choiceFrom(std::move(each));
        if (!choice)
            return std::unexpected(choice.error());
        choices.push_back(std::move(*choice));
    }
    return choices;
}

} // namespace fleetwright::validation
