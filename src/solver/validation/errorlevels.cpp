// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/errorlevels.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <algorithm>
#include <map>

namespace fleetwright::validation {

namespace {

struct LevelSource {
    std::vector<double> errors;
    double deviation = 0; ///< around their mean
};

/// Which effects a run has: one column for each family, group and source that occurs.
struct LevelColumns {
    std::map<detailed::Family, Eigen::Index> families;
    std::map<RangeGroup, Eigen::Index> groups;
    std::map<std::string_view, Eigen::Index> sources;
    Eigen::Index count = 0;

    explicit LevelColumns(std::span<const ReferenceRun> runs)
    {
        for (const auto &run : runs)
            families.emplace(run.family, 0);
        for (const auto &run : runs)
            groups.emplace(run.group, 0);
        for (const auto &run : runs)
            sources.emplace(run.source, 0);
        const auto number = [this](auto &columns) {
            for (auto &[key, column] : columns)
                column = count++;
        };
        number(families);
        number(groups);
        number(sources);
    }
};

} // namespace

ErrorLevels errorLevels(std::span<const ReferenceRun> runs)
{
    ErrorLevels levels;
    const LevelColumns columns(runs);
    if (columns.sources.size() < 2)
        return levels;
    constexpr double leastScatter = 0.06, mostRuns = 40;
    std::map<std::string_view, LevelSource> sources;
    for (const auto &run : runs)
        sources[run.source].errors.push_back(run.logError);
    std::vector<double> scatters;
    for (auto &[key, source] : sources) {
        const auto count = double(source.errors.size());
        double mean = 0, squares = 0;
        for (const double error : source.errors)
            mean += error / count;
        for (const double error : source.errors)
            squares += (error - mean) * (error - mean);
        if (source.errors.size() < 2)
            continue;
        source.deviation = std::sqrt(squares / (count - 1));
        scatters.push_back(source.deviation);
        levels.runRms += squares / (count - 1);
    }
    if (!scatters.empty()) {
        std::ranges::sort(scatters);
        const auto half = scatters.size() / 2;
        levels.run = scatters.size() % 2 == 1 ? scatters[half] : (scatters[half - 1] + scatters[half]) / 2;
        levels.runRms = std::sqrt(levels.runRms / double(scatters.size()));
    }

    // The equations of the mixed model, which do not change but for the variances on their diagonal.
    Eigen::MatrixXd information = Eigen::MatrixXd::Zero(columns.count, columns.count);
    Eigen::VectorXd seen = Eigen::VectorXd::Zero(columns.count);
    for (const auto &run : runs) {
        const auto &source = sources[run.source];
        const double scatter = std::max(leastScatter, source.deviation);
        const double weight = std::min(1.0, mostRuns / double(source.errors.size())) / (scatter * scatter);
        const std::array<Eigen::Index, 3> own{
            columns.families.at(run.family), columns.groups.at(run.group), columns.sources.at(run.source)};
        for (const auto a : own) {
            seen[a] += weight * run.logError;
            for (const auto b : own)
                information(a, b) += weight;
        }
    }
    constexpr double begin = 0.05, least = 1e-5;
    constexpr int rounds = 300;
    std::array<double, 3> variances{begin * begin, begin * begin, begin * begin};
    const std::array<Eigen::Index, 4> limits{0, Eigen::Index(columns.families.size()),
        Eigen::Index(columns.families.size() + columns.groups.size()), columns.count};
    for (int round = 0; round < rounds; ++round) {
        Eigen::MatrixXd equations = information;
        for (std::size_t level = 0; level < variances.size(); ++level)
            for (auto column = limits[level]; column < limits[level + 1]; ++column)
                equations(column, column) += 1 / variances[level];
        const Eigen::MatrixXd covariance = equations.llt().solve(
            Eigen::MatrixXd::Identity(columns.count, columns.count));
        const Eigen::VectorXd effects = covariance * seen;
        for (std::size_t level = 0; level < variances.size(); ++level) {
            double squares = 0;
            for (auto column = limits[level]; column < limits[level + 1]; ++column)
                squares += effects[column] * effects[column] + covariance(column, column);
            variances[level] = std::max(least * least, squares / double(limits[level + 1] - limits[level]));
        }
    }
    levels.family = std::sqrt(variances[0]);
    levels.group = std::sqrt(variances[1]);
    levels.source = std::sqrt(variances[2]);
    return levels;
}

} // namespace fleetwright::validation
