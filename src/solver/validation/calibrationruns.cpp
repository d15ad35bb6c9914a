// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/calibrationruns.h"

#include "solver/validation/runconfiguration.h"

namespace fleetwright::validation {

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
        const auto legal = pricer ? pricer->check(configuration->layout) : Expected<void>(std::unexpected(pricer.error()));
        if (!legal) {
            skip(legal.error().message);
            continue;
        }
        answer.runs.push_back({run.id, run.source.key, configuration->setting, configuration->layout, *configuration->measuredStepTime});
    }
    return answer;
}

Expected<RunCalibration> calibrate(std::span<const MeasuredRun> runs, const detailed::Constants &start, const std::vector<detailed::Constant> &constants, std::stop_token stop,
    std::atomic<int> *iterations)
{
    auto input = calibrationRuns(runs);
    if (input.runs.empty() && !input.skipped.empty())
        return refuse(ErrorCode::MissingField, "runs",
            "None of the runs can be used; \u201c" + input.skipped.front().id + "\u201d, for one: " + input.skipped.front().reason + ".");
    auto calibration = detailed::calibrate(input.runs, start, {.constants = constants}, std::move(stop), iterations);
    if (!calibration)
        return std::unexpected(std::move(calibration.error()));
    return RunCalibration{std::move(*calibration), std::move(input.skipped)};
}

} // namespace fleetwright::validation
