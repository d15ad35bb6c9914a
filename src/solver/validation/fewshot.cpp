// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/fewshot.h"

#include "solver/validation/validation.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace fleetwright::validation {

namespace {

using Members = std::vector<const FewShotRun *>;

/// An order of so many things, the same on every machine (std::shuffle leaves its draws to the library).
std::vector<std::size_t> drawnOrder(std::size_t count, int draw)
{
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0UZ);
    constexpr std::uint64_t seed = 20'261'122;
    std::mt19937_64 random(seed + std::uint64_t(draw));
    for (std::size_t i = count; i > 1; --i)
        std::swap(order[i - 1], order[random() % i]);
    return order;
}

double middleOf(std::vector<double> values)
{
    std::ranges::sort(values);
    const auto half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

struct SourceFigures {
    ErrorFigures errors;
    double covered = 0, halfWidth = 0;
};

SourceFigures figuresAfter(
    const Members &members, std::size_t known, const EffectScales &scales, const std::stop_token &stop)
{
    std::vector<double> errors, widths;
    double inside = 0;
    for (int draw = 0; draw < (known == 0 ? 1 : fewShotDraws) && !stop.stop_requested(); ++draw) {
        const auto order = drawnOrder(members.size(), draw);
        std::vector<EffectRun> learnt;
        for (std::size_t i = 0; i < known; ++i)
            learnt.push_back(members[order[i]]->run);
        const SourceEffect effect(std::move(learnt), scales);
        for (std::size_t i = known; i < members.size(); ++i) {
            const auto &run = *members[order[i]];
            const double left = run.run.logError - effect.at(run.run.place).mean;
            errors.push_back(std::exp(-left) - 1);
            widths.push_back(run.halfWidth * effect.remaining(run.run.place));
            inside += std::abs(left) <= widths.back();
        }
    }
    if (errors.empty())
        return {};
    return {errorFigures(errors), inside / double(errors.size()), middleOf(widths)};
}

} // namespace

std::vector<FewShotRun> ofLargeSources(std::vector<FewShotRun> runs, int known)
{
    std::map<std::string, std::size_t> counts;
    for (const auto &run : runs)
        ++counts[run.source];
    std::erase_if(runs, [&](const FewShotRun &run) { return counts[run.source] < fewestFor(known); });
    return runs;
}

Expected<std::map<int, FewShotFigures>> fewShot(
    std::span<const FewShotRun> runs, std::span<const int> known, const EffectScales &scales, std::stop_token stop)
{
    std::map<std::string_view, Members> bySource;
    for (const auto &run : runs)
        bySource[run.source].push_back(&run);
    std::map<int, FewShotFigures> answer;
    for (const int count : known) {
        std::vector<const Members *> sources;
        for (const auto &[source, members] : bySource)
            if (members.size() >= fewestFor(count))
                sources.push_back(&members);
        std::vector<SourceFigures> figures(sources.size());
        tbb::parallel_for(0UZ, sources.size(),
            [&](std::size_t i) { figures[i] = figuresAfter(*sources[i], std::size_t(count), scales, stop); });
        if (stop.stop_requested())
            return refuse(ErrorCode::Cancelled, {}, "The figures for a few known runs were cancelled.");
        FewShotFigures sum{.sources = static_cast<int>(sources.size())};
        for (const auto &of : figures) {
            sum.median += of.errors.medianError / double(sources.size());
            sum.mean += of.errors.meanError / double(sources.size());
            sum.covered += of.covered / double(sources.size());
            sum.halfWidth += of.halfWidth / double(sources.size());
        }
        answer.emplace(count, sum);
    }
    return answer;
}

} // namespace fleetwright::validation
