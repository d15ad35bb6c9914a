// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/validation.h"

#include "solver/validation/runname.h"
#include "units/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fleetwright::validation {

namespace {

std::string percent(double share) { return units::formatPercent(share); }
std::string signedPercent(double share) { return std::string(share > 0 ? "+" : "").append(percent(share)); }

std::string listed(const std::vector<std::string> &items)
{
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i)
        text += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
    return text;
}

std::string headline(const MeasuredRun &run, const ScoredRun &scored)
{
    const auto predicted = units::format(scored.predicted), measured = units::format(scored.measured),
               off = percent(std::abs(scored.error));
    std::string text = scored.error > 0
        ? "Predicted " + predicted + ", measured " + measured + ": " + off + " too slow"
        : "Predicted " + predicted + ", measured " + measured + ": " + off + " too fast";
    if (scored.mfu > 0)
        text += "; MFU " + percent(scored.mfu) + " predicted, "
            + percent(scored.mfu * scored.predicted / scored.measured) + " by the measured time";
    return text + ". "
        + (run.provenance == "read" || run.provenance.empty()
                ? ""
                : "The row is not read from its source (" + run.provenance + ").");
}

/// Parts of the predicted step from the largest down to one per cent.
std::string partsOf(const ScoredRun &scored)
{
    const auto &parts = scored.breakdown;
    struct Part {
        std::string_view name;
        double share;
    };
    std::array all{Part{"compute", parts.compute / scored.predicted},
        Part{"exposed TP communication", parts.tp / scored.predicted},
        Part{"exposed CP communication", parts.cp / scored.predicted},
        Part{"exposed EP communication", parts.ep / scored.predicted},
        Part{"exposed DP communication", parts.dp / scored.predicted},
        Part{"exposed PP communication", parts.pp / scored.predicted},
        Part{"pipeline bubble", parts.bubble / scored.predicted}, Part{"optimizer", parts.optimizer / scored.predicted},
        Part{"fixed overhead", parts.overhead / scored.predicted}, Part{"other", parts.other / scored.predicted}};
    std::ranges::stable_sort(all, std::ranges::greater(), &Part::share);
    constexpr double visible = 0.01;
    std::vector<std::string> words;
    for (const auto &part : all)
        if (part.share >= visible)
            words.push_back(std::string(part.name) + " " + percent(part.share));
    if (words.empty())
        return {};
    return "The prediction is made of " + listed(words) + "."
        + (scored.hostBound ? " A layer is so short that the host's launching decides its time." : "");
}

/// What the mapping had to fill in, and with what.
std::string unsaidBy(const MeasuredRun &run, const RunConfiguration &configuration)
{
    const auto &layout = configuration.layout;
    std::vector<std::string> words;
    const auto assume = [&words](bool unsaid, const std::string &what) {
        if (unsaid)
            words.push_back(what);
    };
    assume(!run.microbatch, "the microbatch (" + std::to_string(layout.microbatch) + ")");
    assume(layout.pp > 1 && !run.virtualStages, "virtual stages (" + std::to_string(layout.virtualStages) + ")");
    assume(run.recompute.empty(), "recomputation (" + std::string(toString(layout.recompute)) + ")");
    assume(!run.flashAttention,
        "the attention kernel ("
            + (configuration.setting.attentionKernel == 0
                    ? std::string("not fused")
                    : "generation " + std::to_string(configuration.setting.attentionKernel))
            + ")");
    assume(run.precision.empty(), "the precision (" + std::to_string(configuration.setting.precisionBits) + " bits)");
    assume(!run.zeroStage, "the ZeRO stage (" + std::to_string(layout.zeroStage) + ")");
    assume(layout.tp > 1 && !run.sequenceParallel,
        std::string("sequence parallelism (") + (layout.sequenceParallel ? "on" : "off") + ")");
    assume(configuration.setting.accelerators > configuration.setting.machine.domain && run.scaleOutText.empty(),
        "the network between nodes (" + units::formatBits(configuration.setting.machine.scaleOut)
            + " per accelerator)");
    assume(!run.model.vocabulary,
        "the vocabulary (" + std::to_string(configuration.setting.architecture.vocabulary) + ")");
    assume(run.framework.empty(), "the framework (" + configuration.seenAs + ")");
    return words.empty() ? std::string() : "The run does not say, and the prediction assumes: " + listed(words) + ".";
}

std::string inferredBy(const MeasuredRun &run)
{
    std::vector<std::string> words;
    std::ranges::transform(run.inferred, std::back_inserter(words), fieldInWords);
    return words.empty() ? std::string() : "Whoever wrote the row filled in " + listed(words) + ".";
}

std::string neighboursOf(const MeasuredRun &run, const Validation &validation)
{
    const auto source = validation.sources.find(run.source.key.empty() ? "own runs" : run.source.key);
    if (source == validation.sources.end() || source->second.count < 2)
        return {};
    const auto &figures = source->second;
    return "The " + std::to_string(figures.count) + " runs of this source are off by " + percent(figures.medianError)
        + " in the median, with a bias of " + signedPercent(figures.bias) + ".";
}

/// Tokens of a microbatch on a rank.
double layoutTokens(const RunConfiguration &configuration)
{
    return double(configuration.layout.microbatch) * double(configuration.setting.sequenceLength)
        / double(configuration.layout.cp);
}

/// Features that the closed forms leave out or know only roughly (resources/handbook/models/detailed.md, sections 13
/// and 14).
std::string unknownToModel(const MeasuredRun &run, const RunConfiguration &configuration)
{
    const auto &setting = configuration.setting;
    std::vector<std::string> words;
    const auto add = [&words](bool applies, std::string_view what) {
        if (applies)
            words.emplace_back(what);
    };
    const auto noted = [&run](std::string_view word) {
        return run.notes.contains(word) || run.recompute.contains(word) || run.framework.contains(word);
    };
    constexpr std::int64_t fewTokens = 512, longPipeline = 64, manyAccelerators = 10000;
    add(noted("offload"), "offloading to the host");
    add(setting.architecture.experts > 0,
        "unbalanced routing, and expert exchange that some recipes overlap (20 % between software releases of one "
        "year)");
    add(setting.precisionBits == 4, "4-bit recipes differ by a factor of 1.5 between the published stacks");
    add(setting.architecture.workScale != 1, "state-space layers are only scaled by their parameters (30 %)");
    add(setting.lora, "adapters elsewhere than on attention");
    add(setting.machine.family == detailed::Family::Cdna, "few runs of this family and one vendor's software");
    add(layoutTokens(configuration) < double(fewTokens), "so few tokens in a microbatch that the host decides");
    add(configuration.layout.pp > longPipeline, "the framework's own split of layers over so many stages");
    add(setting.accelerators > manyAccelerators, "congestion among so many accelerators");
    add(run.kind == "production", "failures, checkpoints and stalls of a production run (10 to 30 %)");
    add(run.recompute.contains("of ") || noted("block granularity"), "recomputation of some layers only");
    return words.empty() ? std::string() : "Not described by the model, or only roughly: " + listed(words) + ".";
}

} // namespace

std::vector<std::string> explainMiss(const MeasuredRun &run, const ScoredRun &scored, const Validation &validation)
{
    std::vector<std::string> sentences;
    const auto add = [&sentences](std::string sentence) {
        while (sentence.ends_with(' '))
            sentence.pop_back();
        if (!sentence.empty())
            sentences.push_back(std::move(sentence));
    };
    if (scored.timed) {
        add(headline(run, scored));
        add(partsOf(scored));
    }
    if (const auto configuration = configurationFrom(run)) {
        add("Read as " + configuration->seenAs + ", " + parallelismKind(configuration->layout) + ".");
        add(unsaidBy(run, *configuration));
        for (const auto &reading : configuration->readings)
            add("Taken for " + fieldInWords(reading.field) + ": " + reading.text + "; " + reading.source + ".");
        add(inferredBy(run));
        if (validation.costModelId == "detailed")
            add(unknownToModel(run, *configuration));
    }
    add(neighboursOf(run, validation));
    if (!run.notes.empty())
        add("The row says: " + run.notes);
    return sentences;
}

} // namespace fleetwright::validation
