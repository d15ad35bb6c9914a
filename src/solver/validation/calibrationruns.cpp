// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/calibrationruns.h"

#include "solver/models/detailed/detailedmodel.h"
#include "solver/search/bestlayout.h"
#include "solver/validation/asplanned.h"
#include "solver/validation/runconfiguration.h"
#include "solver/validation/sourceeffect.h"
#include "solver/validation/validation.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace fleetwright::validation {

MeasuredModel modelOf(const CatalogRecord &workload)
{
    const auto count = [&](std::string_view key) {
        const auto value = workload.number(key);
        return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
    };
    MeasuredModel model;
    model.name = workload.name;
    model.parameters = workload.number("params_total");
    model.activeParameters = workload.number("params_active");
    model.layers = count("layers");
    model.hidden = count("hidden_size");
    model.heads = count("attention_heads");
    model.kvHeads = count("kv_heads");
    model.headDim = count("head_dim");
    model.ffn = count("ffn_hidden_size");
    model.vocabulary = count("vocab_size");
    model.gated = workload.boolean("gated_ffn");
    model.experts = count("experts");
    model.expertsPerToken = count("experts_per_token");
    model.expertFfn = count("moe_ffn_hidden_size");
    model.sharedExperts = count("shared_experts");
    model.denseLayers = count("first_dense_layers");
    if (workload.text("attention_type") == "mla")
        model.attention = "MLA";
    return model;
}

namespace {

/// The sizes as the cost model reads them, which the catalog may leave open.
void state(const detailed::Architecture &architecture, MeasuredModel &model)
{
    model.layers = architecture.layers;
    model.hidden = architecture.hidden;
    model.heads = architecture.heads;
    model.kvHeads = architecture.kvHeads;
    model.headDim = architecture.headDim;
    model.ffn = architecture.ffn;
    model.gated = architecture.gated;
    model.tiedEmbeddings = architecture.tiedEmbeddings;
    model.vocabulary = architecture.vocabulary;
    model.attention = architecture.latentAttention ? "MLA" : "";
    const auto some = [&](std::int64_t count) {
        return architecture.experts > 0 ? Stated<std::int64_t>(count) : Stated<std::int64_t>();
    };
    model.experts = some(architecture.experts);
    model.expertsPerToken = some(architecture.expertsPerToken);
    model.expertFfn = some(architecture.expertFfn);
    model.sharedExperts = some(architecture.sharedExperts);
    model.expertLayers = some(architecture.expertLayers);
    if (architecture.workScale != 1)
        model.hybrid = true;
}

} // namespace

Expected<MeasuredRun> runLike(
    const PlanDocument &document, const Catalog &catalog, const RangeOf &rangeOf, const std::stop_token &stop)
{
    const auto decided = layoutsearch::resolveWithBestLayout(document, catalog, rangeOf, stop);
    if (!decided)
        return std::unexpected(decided.error());
    const auto &plan = decided->plan;
    const auto configuration = detailed::configurationFrom(plan);
    if (!configuration)
        return std::unexpected(configuration.error());
    MeasuredRun run;
    const auto &node = *plan->fleet->node;
    const auto machines = knownMachines();
    if (const auto known = std::ranges::find(machines, node.accelerator->id, &KnownMachine::catalogId);
        known != machines.end() && !known->catalogId.empty())
        run.accelerator = known->name;
    else
        run.accelerator = node.accelerator->name; // its figures are those of the plan
    run.acceleratorsPerNode = node.acceleratorsPerNode;
    const auto &setting = configuration->setting.setting;
    run.accelerators = setting.accelerators;
    run.framework = std::string(detailed::inWords(setting.stack.software));
    if (const auto *inlined = std::get_if<CatalogRecord>(&document.workload))
        run.model = modelOf(*inlined);
    else if (const auto *workload = catalog.find(CatalogKind::Workload, std::get<std::string>(document.workload)))
        run.model = modelOf(*workload);
    state(setting.architecture, run.model);
    run.model.parameters = plan->workload->parameters;
    const auto &training = plan->training;
    run.sequenceLength = training.sequenceLength;
    run.globalBatch = training.globalBatch;
    run.precision = std::string(toString(training.precision));
    run.recompute = std::string(toString(training.recompute));
    if (training.lora)
        run.kind = "finetune-lora";
    const auto &layout = configuration->layout;
    run.microbatch = layout.microbatch;
    run.tp = layout.tp;
    run.pp = layout.pp;
    run.virtualStages = layout.virtualStages;
    run.cp = layout.cp;
    run.ep = layout.ep;
    run.zeroStage = layout.zeroStage;
    run.sequenceParallel = layout.sequenceParallel;
    RunConfiguration planned;
    planned.setting = setting;
    planned.layout = layout;
    run.asPlanned = AsPlanned::textOf(planned);
    return run;
}

std::vector<std::string> notInRunLike(const PlanDocument &document)
{
    std::vector<std::string> sentences;
    if (const auto model = findCostModel(document.costModelId); model && *model != &detailed::costModel())
        sentences.push_back("The plan is priced by \u201c" + std::string((*model)->title())
            + "\u201d; runs are predicted by \u201c" + std::string(detailed::costModel().title()) + "\u201d.");
    std::string edited;
    for (const auto &[key, value] : document.assumptions.edited)
        if (const auto *constant = detailed::findConstant(key))
            edited.append(edited.empty() ? "" : ", ").append(constant->label);
    if (!edited.empty())
        sentences.push_back(
            "Constants that the plan has of its own are not taken over, since runs are there to learn them: " + edited
            + ".");
    return sentences;
}

namespace {

/// The run among those that are fitted or those that are not; whether it is among the former.
bool sortIn(const MeasuredRun &run, CalibrationRuns &answer)
{
    const auto skip = [&](std::string reason) {
        answer.skipped.push_back({run.id, std::move(reason)});
        return false;
    };
    const auto configuration = configurationFrom(run);
    if (!configuration)
        return skip(configuration.error().message);
    if (!configuration->measuredStepTime)
        return skip("no measured step time");
    const auto pricer = detailed::Pricer::make(configuration->setting);
    const auto legal = pricer ? pricer->check(configuration->layout) : Expected<void>(std::unexpected(pricer.error()));
    if (!legal)
        return skip(legal.error().message);
    answer.runs.push_back(
        {run.id, run.source.key, configuration->setting, configuration->layout, *configuration->measuredStepTime});
    return true;
}

/// The same as calibrationRuns(), but ends at the first source of too many: of a million runs every one would cost time
/// and memory before that is said.
Expected<CalibrationRuns> runsOfSources(std::span<const MeasuredRun> runs, const std::stop_token &stop)
{
    CalibrationRuns answer;
    std::map<std::string_view, std::size_t> counts;
    for (const auto &run : runs) {
        if (stop.stop_requested())
            return detailed::cancelledCalibration();
        if (!sortIn(run, answer) || ++counts[run.source.key] <= mostRunsOfASource)
            continue;
        const auto all = std::ranges::count(runs, run.source.key, [](const auto &other) { return other.source.key; });
        return refuse(ErrorCode::OutOfRange, "runs",
            "A source has " + std::to_string(all) + " runs, more than " + std::to_string(mostRunsOfASource)
                + "; keep those that are most like your plans.");
    }
    return answer;
}

} // namespace

CalibrationRuns calibrationRuns(std::span<const MeasuredRun> runs)
{
    CalibrationRuns answer;
    for (const auto &run : runs)
        sortIn(run, answer);
    return answer;
}

std::vector<SkippedRun> leftOut(const RunFile &file)
{
    std::vector<SkippedRun> skipped;
    for (const auto &row : file.unread)
        skipped.push_back(row.id.empty() ? SkippedRun{row.place, row.error.message} : SkippedRun{row.id, inWords(row)});
    return skipped;
}

namespace {

/// The effect of one source, learnt around the centre, as it enters the answer and the fit of the constants.
Expected<detailed::CorrelatedRuns> learnEffect(const std::vector<std::size_t> &members,
    std::span<const detailed::CalibrationRun> runs, const detailed::Constants &centre, const std::stop_token &stop,
    RunCalibration &answer)
{
    std::vector<EffectRun> learnt;
    std::vector<double> predicted;
    for (const auto index : members) {
        if (stop.stop_requested())
            return detailed::cancelledCalibration();
        const auto &run = runs[index];
        auto setting = run.setting;
        setting.constants = centre;
        const auto pricer = detailed::Pricer::make(setting);
        auto place = pricer ? effectPlace(setting, run.layout) : std::nullopt;
        if (!place || !(run.measured.value() > 0))
            return refuse(ErrorCode::OutOfRange, "runs",
                "The run \u201c" + run.id + "\u201d has no measured or no predicted step time; leave it out.");
        predicted.push_back(pricer->price(run.layout).stepTime.value());
        learnt.push_back({std::move(*place), std::log(run.measured.value() / predicted.back())});
    }
    const SourceEffect effect(learnt);
    for (std::size_t i = 0; i < members.size(); ++i) {
        const auto &run = runs[members[i]];
        const Seconds expected = predicted[i] * std::exp(effect.leaveOneOut(i).mean) * second;
        answer.leftOut[members[i]] = {expected, expected / run.measured - 1.0};
        answer.siteEffect += effect.at(learnt[i].place).mean / double(runs.size());
    }
    return detailed::CorrelatedRuns{members, effect.covarianceBesideConstants()};
}

} // namespace

Expected<RunCalibration> calibrate(std::span<const MeasuredRun> runs, const CalibrationStart &start,
    const std::vector<detailed::Constant> &constants, std::stop_token stop, std::atomic<int> *iterations)
{
    auto sorted = runsOfSources(runs, stop);
    if (!sorted)
        return std::unexpected(std::move(sorted.error()));
    auto &input = *sorted;
    if (input.runs.empty() && !input.skipped.empty())
        return refuse(ErrorCode::MissingField, "runs",
            "None of the runs can be used; \u201c" + input.skipped.front().id
                + "\u201d, for one: " + input.skipped.front().reason + ".");
    std::map<std::string_view, std::vector<std::size_t>> bySource;
    for (std::size_t i = 0; i < input.runs.size(); ++i)
        bySource[input.runs[i].source].push_back(i);
    RunCalibration answer;
    answer.leftOut.resize(input.runs.size());
    std::vector<detailed::CorrelatedRuns> sources;
    for (const auto &[source, members] : bySource) {
        auto correlated = learnEffect(members, input.runs, start.centre, stop, answer);
        if (!correlated)
            return std::unexpected(std::move(correlated.error()));
        sources.push_back(std::move(*correlated));
    }
    auto calibration = detailed::calibrateBeside(input.runs, sources, start.centre, start.present,
        {.constants = constants, .priorWidth = EffectScales().constants}, std::move(stop), iterations);
    if (!calibration)
        return std::unexpected(std::move(calibration.error()));
    answer.calibration = std::move(*calibration);
    answer.skipped = std::move(input.skipped);
    std::vector<double> errors;
    for (const auto &prediction : answer.leftOut)
        errors.push_back(prediction.error);
    const auto figures = errorFigures(errors);
    answer.medianErrorLeftOut = figures.medianError;
    answer.meanErrorLeftOut = figures.meanError;
    return answer;
}

std::vector<std::string> inWords(const RunCalibration &calibration)
{
    constexpr double noticeable = 0.9; // of the error before
    constexpr std::size_t tellingRuns = 5;
    const auto &fitted = calibration.calibration.fitted;
    const double before = calibration.calibration.medianErrorBefore, after = calibration.medianErrorLeftOut;
    const auto runs = calibration.calibration.runs.size();
    const bool isBetter = after < noticeable * before;
    std::vector<std::string> sentences;
    if (runs == 1) {
        sentences.push_back("One run cannot show whether a fit helps the next one.");
        const double moved = std::exp(calibration.siteEffect) - 1;
        sentences.push_back("It may be chance: a single run scatters by " + units::formatPercent(EffectScales().run)
            + " beside what its site does, so that of its error of " + units::formatPercent(before)
            + " a part alone is taken "
              "for the site's (a step just like this run's is then likely to take "
            + units::formatPercent(std::abs(moved)) + (moved < 0 ? " less" : " more")
            + " than by the formula, one of another layout or batch is moved by less), and constants move only as far "
              "as one run can tell them apart. More runs that agree move them "
              "further.");
    } else {
        sentences.push_back(std::string(isBetter ? "Worth applying" : "Little is gained")
            + ": expect a new run of yours to be " + units::formatPercent(after) + " off; so far these were "
            + units::formatPercent(before) + " off.");
        if (isBetter && !fitted.empty())
            sentences.push_back("The constants alone leave "
                + units::formatPercent(calibration.calibration.medianErrorAfter)
                + ", as the table says; the rest is what your site does differently, which moves the range beside each "
                  "plan.");
    }
    if (fitted.empty())
        sentences.emplace_back(
            "The runs tell no constant apart from what your site does differently, so none changes.");
    if (runs > 1 && runs < tellingRuns)
        sentences.push_back(
            "It rests on " + std::to_string(runs) + " runs; five or more that differ in size and layout tell more.");
    const auto atBound = std::ranges::count_if(fitted, &detailed::FittedConstant::atBound);
    if (atBound > 0)
        sentences.push_back(std::to_string(atBound) + (atBound == 1 ? " constant stands" : " constants stand")
            + " at the physical bound: look for a wrong entry in the runs first.");
    return sentences;
}

} // namespace fleetwright::validation
