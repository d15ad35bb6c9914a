// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/blocks/collectives.h"

#include "domain/rules.h"

namespace fleetwright {

namespace {

constexpr double mostCollectiveRanks = 1e15;

rules::Checker checkLink(const Link &link, std::string_view bandwidthField = "bandwidth",
    std::string_view latencyField = "latency", rules::Checker rule = rules::Checker(""))
{
    rule.positive(bandwidthField, "The bandwidth", link.bandwidth);
    rule.notNegative(latencyField, "The latency", link.latency);
    return rule;
}

rules::Checker checkCollective(Bytes message, std::int64_t ranks, const Link &link)
{
    rules::Checker rule("");
    rule.within("n_ranks", "The number of ranks", double(ranks), 1, mostCollectiveRanks);
    rule.notNegative("message_bytes", "The message", message);
    return checkLink(link, "bandwidth", "latency", rule);
}

template <class Formula> Expected<Seconds> priced(const rules::Checker &rule, std::int64_t ranks, Formula formula)
{
    if (!rule.result())
        return std::unexpected(rule.result().error());
    return ranks == 1 ? Seconds{} : formula();
}

} // namespace

Expected<Seconds> ringAllReduce(Bytes message, std::int64_t ranks, const Link &link)
{
    return priced(checkCollective(message, ranks, link), ranks,
        [&] { return formulas::ringAllReduce(message, double(ranks), link); });
}

Expected<Seconds> treeAllReduce(Bytes message, std::int64_t ranks, const Link &link)
{
    return priced(
        checkCollective(message, ranks, link), ranks, [&] { return formulas::treeAllReduce(message, ranks, link); });
}

Expected<Seconds> allToAll(Bytes message, std::int64_t ranks, const Link &link)
{
    return priced(
        checkCollective(message, ranks, link), ranks, [&] { return formulas::allToAll(message, double(ranks), link); });
}

Expected<Seconds> doubleBinaryTreeAllReduce(Bytes message, std::int64_t ranks, const Link &link)
{
    const double n = double(ranks);
    return priced(checkCollective(message, ranks, link), ranks, [&] {
        return 1.2 * 2.0 * std::log2(n) * link.latency + 1.05 * 2.0 * (n - 1.0) / n * (message / link.bandwidth);
    });
}

Expected<Seconds> hierarchicalAllReduce(
    Bytes message, std::int64_t nodes, std::int64_t ranksPerNode, const Link &inner, const Link &outer)
{
    rules::Checker rule("");
    rule.within("nodes", "The number of nodes", double(nodes), 1, mostCollectiveRanks);
    rule.within("ranks_per_node", "The number of ranks per node", double(ranksPerNode), 1, mostCollectiveRanks);
    rule.notNegative("message_bytes", "The message", message);
    rule = checkLink(inner, "intra_bandwidth", "intra_latency", rule);
    rule = checkLink(outer, "inter_bandwidth", "inter_latency", rule);
    if (!rule.result())
        return std::unexpected(rule.result().error());
    return formulas::hierarchicalAllReduce(message, double(nodes), double(ranksPerNode), inner, outer);
}

Expected<Seconds> pointToPoint(Bytes message, const Link &link)
{
    rules::Checker rule("");
    rule.notNegative("message_bytes", "The message", message);
    rule = checkLink(link, "bandwidth", "latency", rule);
    if (!rule.result())
        return std::unexpected(rule.result().error());
    return link.latency + message / link.bandwidth;
}

Expected<Bytes> ringTreeCrossover(std::int64_t ranks, const Link &link)
{
    rules::Checker rule("");
    rule.within("n_ranks", "The number of ranks", double(ranks), 2, mostCollectiveRanks);
    rule = checkLink(link, "bandwidth", "latency", rule);
    if (!rule.result())
        return std::unexpected(rule.result().error());
    return double(ranks) / std::log2(double(ranks)) * (link.latency * link.bandwidth);
}

Expected<Bytes> alphaBetaCrossover(const Link &link)
{
    const auto rule = checkLink(link);
    if (!rule.result())
        return std::unexpected(rule.result().error());
    return link.latency * link.bandwidth;
}

Expected<double> oversubscriptionSpeed(double crossingShare, double oversubscription)
{
    rules::Checker rule("");
    rule.within("crossing_share", "The share of the traffic that crosses the tier", crossingShare, 0, 1);
    rule.atLeast("oversubscription", "The oversubscription", oversubscription, 1);
    if (!rule.result())
        return std::unexpected(rule.result().error());
    return 1.0 / ((1.0 - crossingShare) + crossingShare * oversubscription);
}

Expected<Bandwidth> bisectionBandwidth(double linksCut, Bandwidth bandwidth, double oversubscription)
{
    rules::Checker rule("");
    rule.atLeast("links", "The number of links cut", linksCut, 0);
    rule.positive("bandwidth", "The bandwidth", bandwidth);
    rule.atLeast("oversubscription", "The oversubscription", oversubscription, 1);
    if (!rule.result())
        return std::unexpected(rule.result().error());
    return linksCut / oversubscription * bandwidth;
}

} // namespace fleetwright
