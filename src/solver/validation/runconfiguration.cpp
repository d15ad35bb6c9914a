// SPDX-License-Identifier: GPL-3.0-or-later
// Section numbers are those of resources/handbook/models/detailed.md; section 16 is what this file does.
#include "solver/validation/runconfiguration.h"

#include "solver/models/detailed/prepared.h"
#include "solver/models/detailed/pricer.h"
#include "solver/validation/asplanned.h"
#include "solver/validation/openlayouts.h"
#include "solver/validation/parametercounts.h"
#include "solver/validation/runsoftware.h"
#include "units/format.h"
#include "units/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <regex>

namespace fleetwright::validation {

namespace {

using detailed::Architecture;
using detailed::Family;
using detailed::Machine;
using detailed::Setting;
using detailed::Software;

std::unexpected<Error> notScored(std::string_view field, std::string_view reason)
{
    return refuse(ErrorCode::UnsupportedValue, std::string(field), std::string(reason));
}

/// Rate of the scale-out network per accelerator from what a source says about its nodes: "8x 400 Gb/s", "4x 100 Gb/s
/// Omni-Path per node", "8x ConnectX-7 IB NDR 400Gb/s" (of several such parts the largest: the others serve storage and
/// management), "1600 Gb/s per node", or one port per node. Nothing where no rate of a node is stated.
std::optional<Bandwidth> scaleOutRate(const std::string &text, double acceleratorsPerNode)
{
    static const std::regex several(R"((\d{1,6})x\s*(?:[A-Za-z][^,;:]*?\s)?(\d{1,6})\s*Gb)");
    static const std::regex perNode(R"((\d{1,6})\s*Gb/s per node)");
    static const std::regex onePort(R"((\d{1,6}) Gb/s [A-Za-z]+ InfiniBand, one port per node)");
    double gigabits = 0;
    for (auto match = std::sregex_iterator(text.begin(), text.end(), several); match != std::sregex_iterator(); ++match)
        gigabits = std::max(gigabits, std::stod((*match)[1]) * std::stod((*match)[2]));
    if (std::smatch match;
        gigabits == 0 && (std::regex_search(text, match, perNode) || std::regex_search(text, match, onePort)))
        gigabits = std::stod(match[1]);
    return gigabits > 0 ? std::optional(gigabits / acceleratorsPerNode * gigabitPerSecond) : std::nullopt;
}

/// "FSDP over 64 chips in a slice", "FSDP group 8", "FSDP=128, DP=8", "FSDP 48 x data parallel 16": ranks over which
/// parameters are sharded.
std::int64_t shardGroupOf(const std::string &fsdp)
{
    static const std::regex group(R"(FSDP(?: (?:over |group )?|=)(\d{1,9}))");
    std::smatch match;
    return std::regex_search(fsdp, match, group) ? std::stoll(match[1]) : 0;
}

Machine machineOf(const MeasuredRun &run, const KnownMachine &known)
{
    Machine machine = known.machine;
    constexpr std::int64_t rackScale = 64; // from here on a domain is no node
    if (machine.domain < rackScale) {
        const auto perNode = stated(run.acceleratorsPerNode, machine.domain);
        if (const auto rate = scaleOutRate(run.scaleOutText.substr(0, 2000), double(perNode)); rate && !known.ownPorts)
            machine.scaleOut = *rate;
        machine.domain = std::min(machine.domain, perNode);
    } else if (isTpu(machine.family)) {
        if (const auto slices = stated(run.measured.slices))
            machine.domain = std::max<std::int64_t>(1, *run.accelerators / slices);
    }
    return machine;
}

/// 16 where nothing is stated on hardware or under software that knows no 8 bits. What bitsandbytes stores in 4 bits
/// computes in 16.
std::optional<int> precisionOf(const std::string &text, const Machine &machine, Software software, Rules rules)
{
    const bool current = since(rules, Rules::Current);
    const bool noEightBits = software == Software::Research || software == Software::MegatronDeepSpeed;
    if (text.empty())
        return machine.peak8 > machine.peak16 && !(current && noEightBits) ? std::nullopt : std::optional(16);
    if (since(rules, Rules::Version2) && text.contains("bnb"))
        return 16;
    if (text.contains("fp4") || text.contains("nf4") || (current && text.starts_with("int4")))
        return 4;
    const bool eight = text.contains("fp8") || text.starts_with("int8") || (current && text.contains("float8"));
    return eight ? 8 : 16;
}

Architecture architectureOf(const MeasuredModel &run)
{
    Architecture model;
    model.layers = *run.layers;
    model.hidden = *run.hidden;
    model.heads = *run.heads;
    model.kvHeads = stated(run.kvHeads, model.heads);
    model.headDim = stated(run.headDim, std::max<std::int64_t>(1, model.hidden / model.heads));
    model.gated = run.gated.value_or(false);
    constexpr std::int64_t multiple = 256;
    const auto gatedWidth = (8 * model.hidden + 3 * multiple - 1) / (3 * multiple) * multiple; // 8h/3 rounded up
    model.ffn = stated(run.ffn, model.gated ? gatedWidth : 4 * model.hidden);
    constexpr std::int64_t usualVocabulary = 51200;
    model.vocabulary = stated(run.vocabulary, usualVocabulary);
    const auto name = lowerCase(run.name);
    model.tiedEmbeddings = run.tiedEmbeddings.value_or(!model.gated && !name.contains("nemotron"));
    model.latentAttention = run.attention == "MLA";
    if (const auto experts = stated(run.experts)) {
        model.experts = experts;
        model.expertsPerToken = stated(run.expertsPerToken, 1);
        model.expertFfn = stated(run.expertFfn, model.ffn);
        model.sharedExperts = stated(run.sharedExperts);
    }
    const ParameterCounts counts(model);
    const double published = run.parameters.value_or(0);
    if (model.experts > 0) {
        if (run.expertLayers)
            model.expertLayers = *run.expertLayers;
        else if (run.denseLayers)
            model.expertLayers = model.layers - *run.denseLayers;
        else if (published > 0 && counts.expert > counts.dense)
            model.expertLayers = std::int64_t(std::nearbyint(std::clamp(
                (published - counts.embedding - double(model.layers) * counts.dense) / (counts.expert - counts.dense),
                1.0, double(model.layers))));
        else
            model.expertLayers = model.layers;
        model.expertLayers = std::clamp<std::int64_t>(model.expertLayers, 0, model.layers);
    }
    if ((run.hybrid.value_or(false) || name.contains("hybrid")) && published > 0)
        model.workScale = published / ParameterCounts::total(model);
    return model;
}

int zeroStageOf(const MeasuredRun &run, Software software)
{
    if (run.zeroStage)
        return *run.zeroStage;
    if (software == Software::MegatronCore)
        return 1;
    const bool fsdpStack = software == Software::Fsdp || software == Software::FsdpCompiled
        || software == Software::Xla;
    return fsdpStack && namesSharding(run.fsdp) ? 3 : 0;
}

/// Measured directly, from a throughput, as derived by whoever wrote the row, or from FLOP/s and MFU.
std::optional<Seconds> stepTimeOf(const MeasuredRun &run, const Setting &setting)
{
    const auto &measured = run.measured;
    const auto n = double(setting.accelerators), batch = double(setting.globalBatch),
               s = double(setting.sequenceLength);
    const auto known = [](const std::optional<double> &value) { return value && *value > 0; };
    if (measured.stepTime && measured.stepTime->value() > 0)
        return measured.stepTime;
    if (known(measured.tokensPerSecondPerAccelerator))
        return batch * s / (*measured.tokensPerSecondPerAccelerator * n) * second;
    if (known(measured.tokensPerSecond))
        return batch * s / *measured.tokensPerSecond * second;
    if (known(measured.samplesPerSecond))
        return batch / *measured.samplesPerSecond * second;
    if (run.derivedStepTime && run.derivedStepTime->value() > 0)
        return run.derivedStepTime;
    const auto &model = setting.architecture;
    const ParameterCounts counts(model);
    const auto layers = double(model.layers), h = double(model.hidden), vocabulary = double(model.vocabulary);
    const double active = double(model.layers - model.expertLayers) * counts.dense + vocabulary * h
        + double(model.expertLayers) * counts.activeExpert;
    const double modelFlops = batch * s * (6 * active + 12 * layers * double(model.heads) * double(model.headDim) * s);
    if (measured.flopsPerAccelerator && measured.flopsPerAccelerator->value() > 0) {
        const bool hardware = measured.flopsConvention == "hardware";
        const double hardwareFlops = 96 * batch * s * layers * h * h
            * (1 + s / (6 * h) + vocabulary / (16 * layers * h)); // Narayanan 2021, equation 3
        return (hardware ? hardwareFlops : modelFlops) / (n * measured.flopsPerAccelerator->value()) * second;
    }
    if (known(measured.mfu))
        return modelFlops
            / (n * *measured.mfu * (run.peak && run.peak->value() > 0 ? *run.peak : setting.machine.peak16).value())
            * second;
    return std::nullopt;
}

/// LitGPT builds the model on every rank, whole and in 16 bits, before FSDP shards it unit by unit. The unit that is
/// cut up is there twice; that of both embeddings is the largest.
Bytes heldWhileSharding(const Setting &setting, const detailed::Layout &layout)
{
    constexpr double each = 2;
    const auto &model = setting.architecture;
    const double all = detailed::parametersOf(model), shards = double(layout.dp) * double(layout.cp);
    const double embeddings = double(model.vocabulary) * double(model.hidden) * (model.tiedEmbeddings ? 1 : 2);
    return detailed::bytes(each * (all + all / shards + embeddings));
}

/// A rate that is nearly nothing makes no time.
std::optional<Seconds> finite(std::optional<Seconds> time)
{
    return time && std::isfinite(time->value()) && time->value() > 0 ? time : std::nullopt;
}

void readMemory(const MeasuredRun &run, const FrameworkWords &words, Rules rules, RunConfiguration &result)
{
    const auto &measured = run.measured;
    if (since(rules, Rules::Current) && words.has("litgpt") && result.layout.zeroStage == 3)
        result.heldAtStart = heldWhileSharding(result.setting, result.layout);
    if (result.outOfMemory == true || !measured.peakMemory || *measured.peakMemory <= 0)
        return;
    const auto note = lowerCase(measured.peakMemoryNote);
    result.measuredMemory = *measured.peakMemory * (note.contains("gib") || note.contains("mib") ? gibibyte : gigabyte);
    // torchtitan prints the most that PyTorch has reserved; that nanotron does is inferred from how its readings lie.
    // Sailor's engine asks nvidia-smi.
    const bool current = since(rules, Rules::Current);
    const bool reserved = words.has("torchtitan") || words.has("nanotron") || note.contains("reserved");
    const bool device = note.contains("nvidia-smi") || note.contains("rounded") || (current && words.has("sailor"));
    result.meter = device ? MemoryMeter::Device : current && reserved ? MemoryMeter::Reserved : MemoryMeter::Allocated;
}

/// Programs of XLA and FSDP that hold far more than the device without recomputation have recomputed, whether they say
/// so or not.
bool needsRecomputation(const Setting &setting, const detailed::Layout &layout)
{
    constexpr double certain = 1.3; // of the capacity; the memory of other runs is predicted to a tenth or two
    const auto pricer = detailed::Pricer::make(setting);
    return pricer && pricer->price(layout).memory.device / setting.machine.capacity > certain;
}

/// With the smallest microbatch where the row states none.
detailed::Layout leastHeld(const MeasuredRun &run, detailed::Layout layout)
{
    if (stated(run.microbatch) == 0)
        layout.microbatch = 1;
    return layout;
}

void readRecomputation(const MeasuredRun &run, const FrameworkWords &words, Rules rules, RunConfiguration &result)
{
    auto &layout = result.layout;
    const auto text = lowerCase(run.recompute);
    const auto reading = recomputeOf(text, rules);
    layout.recompute = reading.recompute;
    layout.recomputeShare = reading.share;
    if (reading.share)
        result.readings.push_back({"recompute",
            units::formatPercent(*reading.share) + " of the forward work is computed again (" + inQuotes(text) + ")",
            "an estimate from the shapes of a layer"});
    if (!since(rules, Rules::Current) || !text.empty())
        return;
    const auto software = result.setting.stack.software;
    const bool recomputesToFit = software == Software::Xla || software == Software::Fsdp
        || software == Software::FsdpCompiled;
    const auto take = [&](Recompute recompute, const char *means, const char *why) {
        layout.recompute = recompute;
        result.readings.push_back({"recompute", means, why});
    };
    if (words.has("torchtitan"))
        layout.recompute = Recompute::Selective;
    if (words.has("litgpt") && layout.zeroStage == 3)
        take(Recompute::Full, "the forward work is computed again", "LitGPT's FSDP strategy recomputes every block");
    else if (recomputesToFit && run.measured.outOfMemory != true
        && needsRecomputation(result.setting, leastHeld(run, layout)))
        take(Recompute::Full, "the forward work is computed again",
            "without it the run would need more than 1.3 times the memory of its accelerators");
    else if (words.has("torchtitan"))
        take(Recompute::Selective, "selective, by operators", "the default of torchtitan");
}

/// Offloading as a way to fit, not as a part of a recomputation policy whose cost is known.
void readOffload(const MeasuredRun &run, RunConfiguration &result)
{
    if (result.layout.recomputeShare)
        return;
    const auto says = [](const std::string &stated) {
        static const std::regex denied(R"((no|not|without)( cpu| host)? offload)");
        const auto text = lowerCase(stated);
        return text.contains("offload") && !std::regex_search(text, denied);
    };
    result.hostOffload = says(run.notes) || says(run.source.where) || says(run.fsdp) || says(run.recompute);
    if (result.hostOffload)
        result.readings.push_back({"notes", "kept on the host as if it were on the accelerator",
            "the cost model has no term for offloading; the range is wider for it"});
}

/// What the rules of version 3 read out of words, for people.
void noteReadings(const MeasuredRun &run, const FrameworkWords &words, Rules rules, RunConfiguration &result)
{
    if (!since(rules, Rules::Current))
        return;
    const auto note = [&result](bool applies, const char *field, const char *text, const char *source) {
        if (applies)
            result.readings.push_back({field, text, source});
    };
    const auto &setting = result.setting;
    note(setting.stack.software == Software::Research && !words.research() && run.asPlanned.empty(), "framework",
        "research code: eager, nothing overlapped", "a name that no rule knows");
    note(result.precisionSurmised, "precision", "16 bits", "software that trains in 16 bits only");
    note(words.has("pax") && setting.attentionKernel == 0 && !run.flashAttention, "flash_attention", "not fused",
        "Pax on GPU fuses attention through Transformer Engine only; stated for one model of the source");
    note(result.heldAtStart > Bytes(), "peak_memory", "the most since the program began, when the model was whole",
        "a guess from how the readings lie: they hardly depend on the microbatch");
    note(result.meter == MemoryMeter::Reserved && words.has("nanotron"), "peak_memory", "memory that PyTorch reserved",
        "a guess from how the readings lie; the source names no meter");
}

/// What keeps a run from having a configuration at all.
std::optional<Error> missing(const MeasuredRun &run, const AsPlanned &planned, Rules rules)
{
    const auto reason = [](std::string_view field, std::string_view text) {
        return std::optional(notScored(field, text).error());
    };
    if (!run.inconsistent.empty())
        return reason("inconsistent", "inconsistent");
    if (run.kind == "full_run")
        return reason("kind", "whole-run average");
    const auto *machine = findMachine(run.accelerator);
    if (!planned.describesMachine() && (!machine || !since(rules, machine->since)))
        return reason("accelerator", "unknown accelerator");
    if (stated(run.globalBatch) == 0)
        return reason("global_batch", "no batch");
    if (stated(run.sequenceLength) == 0)
        return reason("seq_len", "no sequence length");
    if (stated(run.model.layers) == 0 || stated(run.model.hidden) == 0 || stated(run.model.heads) == 0)
        return reason("model", "model dimensions");
    if (stated(run.tp) == 0 || stated(run.pp) == 0)
        return reason("tp", "TP or PP not stated");
    if (stated(run.accelerators) == 0)
        return reason("n_gpus", "no accelerator count");
    return std::nullopt;
}

} // namespace

Expected<RunConfiguration> configurationFrom(const MeasuredRun &run, Rules rules)
{
    const auto planned = AsPlanned::fromText(run.asPlanned);
    if (!planned)
        return notScored("as_planned", "what it has of a plan is not understood");
    if (auto reason = missing(run, *planned, rules))
        return std::unexpected(std::move(*reason));
    RunConfiguration result;
    auto &setting = result.setting;
    auto &layout = result.layout;
    setting.accelerators = *run.accelerators;
    if (const auto *known = findMachine(run.accelerator)) {
        setting.machine = machineOf(run, *known);
        setting.families = known->families;
    }
    planned->describe(setting);
    const FrameworkWords words(run);
    const auto &choices = planned->choices();
    const auto guess = choices.software ? SoftwareGuess{*choices.software}
                                        : softwareOf(run, words, setting.machine.family, rules);
    const auto software = guess.software;
    const auto precision = lowerCase(run.precision);
    const auto bits = precisionOf(precision, setting.machine, software, rules);
    if (!bits)
        return notScored("precision", "precision not stated");
    setting.precisionBits = *bits;
    result.precisionSurmised = since(rules, Rules::Current) && precision.empty()
        && setting.machine.peak8 > setting.machine.peak16;
    setting.sequenceLength = *run.sequenceLength;
    setting.globalBatch = *run.globalBatch;
    setting.architecture = architectureOf(run.model);
    setting.stack = choices.software ? detailed::defaultsOf(software) : stackOf(run, words, guess, precision, rules);
    setting.attentionKernel = attentionKernelOf(run, words, software, rules);
    setting.lora = run.kind.contains("lora") || run.kind.contains("adapter");
    if (constexpr double fourBitBlocks = 0.6;
        since(rules, Rules::Version2) && precision.contains("bnb") && precision.contains("nf4"))
        setting.loraBaseBytes = fourBitBlocks;
    setting.bubbleShare = run.pipelineSchedule == "ZB-1p" ? 1.0 / 3.0 : run.pipelineSchedule == "ZB-2p" ? 0.0 : 1.0;
    if (!run.asPlanned.empty())
        detailed::takeChoices(choices, setting);

    layout.tp = *run.tp;
    layout.pp = *run.pp;
    layout.virtualStages = stated(run.virtualStages, 1);
    if (!since(rules, Rules::Current) && layout.pp > 1 && stated(run.virtualStages) == 0
        && (words.mlperf || run.source.key.starts_with("nemo")))
        return notScored("virtual_stages", "virtual stages not stated");
    layout.cp = stated(run.cp, 1);
    const double n = double(setting.accelerators), others = double(layout.tp) * double(layout.pp) * double(layout.cp);
    layout.dp = stated(run.dp, std::max<std::int64_t>(1, std::int64_t(std::nearbyint(n / others))));
    if (constexpr double tolerance = 0.01; std::abs(others * double(layout.dp) / n - 1) > tolerance)
        return notScored("dp", "t*p*c*r differs from n");
    layout.microbatch = stated(
        run.microbatch, layout.pp > 1 ? 1 : std::max<std::int64_t>(1, setting.globalBatch / layout.dp));
    if (double(layout.microbatch) * double(layout.dp) > double(setting.globalBatch))
        return notScored("micro_batch", "b*r > G");
    layout.ep = stated(run.ep, 1);
    layout.expertTp = detailed::expertTpOf(
        choices.expertTp > 0 ? choices.expertTp : stated(run.expertTp), layout.tp, layout.ep);
    layout.zeroStage = zeroStageOf(run, software);
    if (constexpr int mostSharded = 3; layout.zeroStage < 0 || layout.zeroStage > mostSharded)
        return notScored("zero_stage", "unknown ZeRO stage");
    if (layout.zeroStage == 3)
        if (const auto group = shardGroupOf(run.fsdp); group > 0 && group <= layout.dp * layout.cp)
            layout.shardGroup = group;
    // Ranks that share the optimizer state of ZeRO 1.
    if (const auto group = stated(run.zeroGroup);
        since(rules, Rules::Version2) && layout.zeroStage == 1 && software == Software::Fsdp && group > 0)
        layout.shardGroup = std::min(group, layout.dp * layout.cp);
    if (choices.shardGroup > 0)
        layout.shardGroup = choices.shardGroup;
    layout.sequenceParallel = run.sequenceParallel.value_or(
        (software == Software::MegatronCore || software == Software::Xla) && layout.tp > 1);
    readRecomputation(run, words, rules, result);
    if (choices.recomputeShare)
        layout.recomputeShare = choices.recomputeShare;
    if (since(rules, Rules::Current)) {
        if (run.measured.outOfMemory != true)
            readOpenLayout(run, result);
        readOffload(run, result);
    }

    constexpr std::int64_t usualNode = 8;
    result.singleNode = setting.accelerators <= stated(run.acceleratorsPerNode, usualNode);
    result.seenAs = inWords(setting.stack, setting.attentionKernel);
    result.outOfMemory = run.measured.outOfMemory;
    readMemory(run, words, rules, result);
    noteReadings(run, words, rules, result);
    if (result.outOfMemory == true)
        return result;
    result.measuredStepTime = finite(stepTimeOf(run, setting));
    if (!result.measuredStepTime && !result.measuredMemory)
        return notScored("measured", "no step time");
    return result;
}

} // namespace fleetwright::validation
