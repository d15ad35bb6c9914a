// SPDX-License-Identifier: GPL-3.0-or-later
// From collectors to results, and results of several processes together.
#include "solver/search/collector.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace fleetwright::layoutsearch {

namespace {

bool same(double left, double right)
{
    return std::bit_cast<std::uint64_t>(left) == std::bit_cast<std::uint64_t>(right)
        || (std::isnan(left) && std::isnan(right));
}

bool same(const Row &left, const Row &right)
{
    return left.layout == right.layout && left.caseIndex == right.caseIndex && same(left.stepSeconds, right.stepSeconds)
        && same(left.memoryBytes, right.memoryBytes) && same(left.mfu, right.mfu);
}

bool same(const Group &left, const Group &right)
{
    return left.split == right.split && left.caseIndex == right.caseIndex
        && left.best.has_value() == right.best.has_value() && (!left.best || same(*left.best, *right.best))
        && left.feasible == right.feasible && left.infeasible == right.infeasible
        && same(left.leastMemoryBytes, right.leastMemoryBytes);
}

template <class T> bool same(const std::vector<T> &left, const std::vector<T> &right)
{
    return std::ranges::equal(left, right, [](const T &one, const T &other) { return same(one, other); });
}

} // namespace

bool sameAnswer(const Result &left, const Result &right)
{
    return left.costModelId == right.costModelId && left.costModelVersion == right.costModelVersion
        && left.objective == right.objective && left.pareto == right.pareto && left.cases == right.cases
        && same(left.rows, right.rows) && same(left.groups, right.groups) && same(left.front, right.front)
        && same(left.simplest, right.simplest) && left.counts == right.counts;
}

void assemble(Collector collector, const std::vector<GroupKey> &keys, bool groupsAsRows, Result &result)
{
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::sort(order, [&](std::size_t left, std::size_t right) {
        const auto &one = collector.groups[left], &other = collector.groups[right];
        if (one.found != other.found)
            return one.found;
        if (one.found && (one.best < other.best || other.best < one.best))
            return one.best < other.best;
        return keys[left] < keys[right];
    });
    for (const auto index : order) {
        const auto &gathered = collector.groups[index];
        Group group{.split = keys[index].split,
            .caseIndex = keys[index].caseIndex,
            .feasible = gathered.feasible,
            .infeasible = gathered.infeasible};
        group.leastMemoryBytes = std::isinf(gathered.leastMemoryBytes) ? std::numeric_limits<double>::quiet_NaN()
                                                                       : gathered.leastMemoryBytes;
        if (gathered.found) {
            group.best = gathered.best.row;
            if (groupsAsRows)
                result.rows.push_back(gathered.best.row);
        }
        result.groups.push_back(std::move(group));
    }
    if (!groupsAsRows)
        for (const auto &ranked : std::move(collector.best).sorted())
            result.rows.push_back(ranked.row);
    for (const auto &point : collector.front.points())
        result.front.push_back(point.row);
    for (const auto &ofCase : collector.simplest)
        for (const auto *ranked : ofCase.nearBest())
            result.simplest.push_back(ranked->row);
    result.counts = std::move(collector.counts);
}

Result merge(Result left, Result right, std::size_t rows)
{
    const auto rank = [&left](const Row &row) { return Ranked{scoreOf(left.objective, row, left.factsOf(row)), row}; };
    std::vector<GroupKey> keys;
    std::map<GroupKey, std::size_t> places;
    for (const auto &group : left.groups) {
        places.emplace(GroupKey{group.caseIndex, group.split}, keys.size());
        keys.push_back({group.caseIndex, group.split});
    }
    Collector both(rows, keys.size(), left.cases.size());
    for (const auto *half : {&left, &right}) {
        for (const auto &row : half->rows)
            both.best.add(rank(row));
        for (const auto &row : half->front)
            both.front.add({valueOf(left.pareto[0], row, left.factsOf(row)),
                valueOf(left.pareto[1], row, left.factsOf(row)), row});
        for (const auto &row : half->simplest)
            both.simplest[std::size_t(row.caseIndex)].add(
                rank(row), complexityOf(row.layout, left.factsOf(row).scaleUpDomain));
        for (std::size_t i = 0; i < left.cases.size(); ++i)
            both.counts[i] += half->counts[i];
        for (const auto &group : half->groups) {
            Gathered theirs{.feasible = group.feasible, .infeasible = group.infeasible};
            if (!std::isnan(group.leastMemoryBytes))
                theirs.leastMemoryBytes = group.leastMemoryBytes;
            if (group.best) {
                theirs.found = true;
                theirs.best = rank(*group.best);
            }
            both.groups[places.at({group.caseIndex, group.split})] += theirs;
        }
    }
    left.rows.clear();
    left.groups.clear();
    left.front.clear();
    left.simplest.clear();
    assemble(std::move(both), keys, false, left);
    return left;
}

} // namespace fleetwright::layoutsearch
