// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/calibrationruns.h"

#include "solver/validation/runconfiguration.h"

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

CalibrationRuns calibrationRuns(std::span<const MeasuredRun> runs)
{
    CalibrationRuns answer;
    for (const auto &run : runs) {
        const auto skip = [&](std::string reason) { answer.skipped.push_back({run.id, std::move(reason)}); };
        const auto configuration = configurationFrom(run);
        if (!configuration) {
            skip(configuration.error().message);
            continue;
        }
        if (!configuration->measuredStepTime) {
            skip("no measured step time");
            continue;
        }
        const auto pricer = detailed::Pricer::make(configuration->setting);
        const auto legal = pricer ? pricer->check(configuration->layout)
                                  : Expected<void>(std::unexpected(pricer.error()));
        if (!legal) {
            skip(legal.error().message);
            continue;
        }
        answer.runs.push_back(
            {run.id, run.source.key, configuration->setting, configuration->layout, *configuration->measuredStepTime});
    }
    return answer;
}

std::vector<SkippedRun> leftOut(const RunFile &file)
{
    std::vector<SkippedRun> skipped;
    for (const auto &row : file.unread)
        skipped.push_back(row.id.empty() ? SkippedRun{row.place, row.error.message} : SkippedRun{row.id, inWords(row)});
    return skipped;
}

Expected<RunCalibration> calibrate(std::span<const MeasuredRun> runs, const detailed::Constants &start,
    const std::vector<detailed::Constant> &constants, std::stop_token stop, std::atomic<int> *iterations)
{
    auto input = calibrationRuns(runs);
    if (input.runs.empty() && !input.skipped.empty())
        return refuse(ErrorCode::MissingField, "runs",
            "None of the runs can be used; \u201c" + input.skipped.front().id
                + "\u201d, for one: " + input.skipped.front().reason + ".");
    auto calibration = detailed::calibrate(input.runs, start, {.constants = constants}, std::move(stop), iterations);
    if (!calibration)
        return std::unexpected(std::move(calibration.error()));
    return RunCalibration{std::move(*calibration), std::move(input.skipped)};
}

} // namespace fleetwright::validation
