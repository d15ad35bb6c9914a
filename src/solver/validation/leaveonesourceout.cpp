// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/leaveonesourceout.h"

#include "solver/validation/runprice.h"
#include "units/words.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace fleetwright::validation {

namespace {

/// A fit without one source begins where the fit of all ended: it is the same optimum, found in fewer passes.
constexpr int passesWithout = 4;

} // namespace

Expected<LeaveOneSourceOut> leaveOneSourceOut(std::span<const detailed::CalibrationRun> runs,
    const detailed::Constants &start, std::stop_token stop, std::atomic<int> *done)
{
    auto all = detailed::estimate(runs, start, {}, {}, stop);
    if (!all)
        return std::unexpected(std::move(all.error()));
    if (all->sources.size() < 2)
        return refuse(ErrorCode::MissingField, "runs",
            "All runs are of one source; what a prediction is worth elsewhere needs runs of at least two.");
    LeaveOneSourceOut answer{.all = std::move(*all), .logErrors = std::vector<double>(runs.size())};
    const auto &sources = answer.all.sources;
    std::vector<std::optional<Error>> failed(sources.size());
    std::vector<detailed::Constants> constants(sources.size());
    tbb::parallel_for(std::size_t(0), sources.size(), [&](std::size_t s) {
        const auto &source = sources[s].source;
        const auto without = detailed::estimate(
            runs, start, source, {.mostPasses = passesWithout, .from = answer.all.constants}, stop);
        if (!without) {
            failed[s] = without.error();
            return;
        }
        constants[s] = without->constants;
        for (std::size_t r = 0; r < runs.size(); ++r)
            if (runs[r].source == source)
                answer.logErrors[r] = without->logErrors[r];
        if (done)
            done->fetch_add(1, std::memory_order_relaxed);
    });
    for (auto &error : failed)
        if (error)
            return std::unexpected(std::move(*error));
    for (std::size_t s = 0; s < sources.size(); ++s)
        answer.without.emplace(sources[s].source, constants[s]);
    return answer;
}

std::vector<detailed::CalibrationRun> teachingRuns(std::span<const MeasuredRun> runs)
{
    std::vector<detailed::CalibrationRun> teaching;
    for (const auto &run : runs)
        if (const auto read = configurationFrom(run);
            read && read->measuredStepTime && read->teaches() && detailed::Pricer::make(read->setting))
            teaching.push_back({run.id, run.source.key, read->setting, read->layout, *read->measuredStepTime});
    return teaching;
}

Expected<LeftOut> leftOutErrors(std::span<const MeasuredRun> runs, const LeaveOneSourceOut &estimates)
{
    LeftOut leftOut{.modelVersion = std::string(detailed::modelVersion), .runs = {}};
    for (const auto &run : runs) {
        const auto read = configurationFrom(run);
        if (!read || !read->measuredStepTime)
            continue;
        const auto without = estimates.without.find(run.source.key);
        const auto step = likelyStep(
            *read, without == estimates.without.end() ? estimates.all.constants : without->second);
        if (!step)
            continue;
        const double logError = std::log(*read->measuredStepTime / step->mean);
        if (!std::isfinite(logError))
            return refuse(ErrorCode::OutOfRange, "runs",
                "The run " + inQuotes(run.id) + " has no predicted step time; leave it out.");
        leftOut.runs.push_back({run.id, run.source.key, logError});
    }
    return leftOut;
}

MacroErrors macroErrors(std::span<const detailed::CalibrationRun> runs, std::span<const double> logErrors)
{
    std::map<std::string_view, std::vector<double>> bySource;
    for (std::size_t r = 0; r < runs.size(); ++r)
        bySource[runs[r].source].push_back(std::abs(std::expm1(-logErrors[r])));
    MacroErrors errors{.sources = int(bySource.size())};
    for (auto &[source, sizes] : bySource) {
        std::ranges::sort(sizes);
        const auto half = sizes.size() / 2;
        errors.median += (sizes.size() % 2 == 1 ? sizes[half] : (sizes[half - 1] + sizes[half]) / 2) / errors.sources;
        errors.mean += std::accumulate(sizes.begin(), sizes.end(), 0.0) / double(sizes.size()) / errors.sources;
    }
    return errors;
}

} // namespace fleetwright::validation
