// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/sizewords.h"

#include "domain/calendarday.h"
#include "units/format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace fleetwright::size {

namespace {

using units::Dimension;

constexpr double secondsInDay = 86400;

std::string counted(double count, std::string_view one, std::string_view many)
{
    return units::format(count, Dimension::Number) + " " + std::string(count == 1 ? one : many);
}

Dimension dimensionOf(SizeLimit limit)
{
    switch (limit) {
    case SizeLimit::Layout: return Dimension::Information;
    case SizeLimit::RunCost:
    case SizeLimit::Capital:
    case SizeLimit::YearlyCost: return Dimension::Money;
    case SizeLimit::Power: return Dimension::Power;
    case SizeLimit::Carbon: return Dimension::Carbon;
    case SizeLimit::Goodput:
    case SizeLimit::Mfu:
    case SizeLimit::Chance: return Dimension::Fraction;
    case SizeLimit::Deadline:
    case SizeLimit::Delivery: break;
    }
    return Dimension::Number; // days, which format() would turn into hours or years
}

bool isInDays(SizeLimit limit) { return limit == SizeLimit::Deadline || limit == SizeLimit::Delivery; }

std::size_t decimalsIn(std::string_view number)
{
    const auto point = number.find('.');
    return point == std::string_view::npos ? 0 : number.size() - point - 1;
}

/// By how much a figure misses its limit, with as many decimals as the figure shows; more where nothing would be left.
std::string differenceText(double figure, double difference)
{
    const int decimals = int(decimalsIn(units::threeDigits(figure)));
    const double scale = std::pow(10.0, decimals);
    if (std::round(difference * scale) == 0)
        return units::asTyped(difference);
    std::array<char, 64> digits{};
    const auto written = std::to_chars(
        digits.data(), digits.data() + digits.size(), difference, std::chars_format::fixed, decimals);
    return written.ec == std::errc() ? std::string(digits.data(), written.ptr) : units::threeDigits(difference);
}

std::string sentenceCase(std::string text)
{
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = char(text.front() - 'a' + 'A');
    return text;
}

/// "a, b and c".
std::string listed(const std::vector<std::string> &parts)
{
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text;
}

/// With what the figure is of, where its unit does not say so.
std::string ofWhat(SizeLimit limit, const std::string &figure)
{
    switch (limit) {
    case SizeLimit::RunCost: return figure + " for the run";
    case SizeLimit::Capital: return figure + " of capital";
    case SizeLimit::YearlyCost: return figure + " a year";
    case SizeLimit::Goodput: return figure + " goodput";
    case SizeLimit::Mfu: return figure + " MFU";
    case SizeLimit::Chance: return "a chance of " + figure;
    case SizeLimit::Layout: return figure + " of an accelerator\u2019s memory";
    case SizeLimit::Deadline:
    case SizeLimit::Power:
    case SizeLimit::Carbon:
    case SizeLimit::Delivery: break;
    }
    return figure;
}

std::string limitInWords(SizeLimit limit, double value) { return ofWhat(limit, valueInWords(limit, value)); }

std::string objectiveText(DecisionObjective objective, double value)
{
    switch (objective) {
    case DecisionObjective::Days: return valueInWords(SizeLimit::Deadline, value);
    case DecisionObjective::Carbon: return valueInWords(SizeLimit::Carbon, value);
    case DecisionObjective::Energy: {
        constexpr double joulesPerKilowattHour = 3.6e6;
        return units::format(value * joulesPerKilowattHour, Dimension::Energy);
    }
    case DecisionObjective::RunCost:
    case DecisionObjective::Capital:
    case DecisionObjective::OwnershipCost: break;
    }
    return valueInWords(SizeLimit::RunCost, value);
}

/// The figures of a fleet that everybody asks for, without the objective's, which stands in front of them.
std::string figuresInWords(const FleetFigures &figures, DecisionObjective objective)
{
    std::vector<std::string> parts;
    const auto add = [&](DecisionObjective own, double value, const std::string &text) {
        if (own != objective && !std::isnan(value))
            parts.push_back(text);
    };
    add(DecisionObjective::Days, figures.days, valueInWords(SizeLimit::Deadline, figures.days));
    add(DecisionObjective::RunCost, figures.runCostUsd, limitInWords(SizeLimit::RunCost, figures.runCostUsd));
    if (figures.capitalUsd > 0)
        add(DecisionObjective::Capital, figures.capitalUsd, limitInWords(SizeLimit::Capital, figures.capitalUsd));
    if (!std::isnan(figures.facilityWatts))
        parts.push_back(valueInWords(SizeLimit::Power, figures.facilityWatts));
    return listed(parts);
}

/// How much more than the winner a fleet has of the objective.
std::string againstWinner(DecisionObjective objective, double winner, double other)
{
    if (std::isnan(other))
        return "its " + std::string(words(objective)) + " is not known";
    if (!std::isfinite(other))
        return valueInWords(SizeLimit::Deadline, other);
    auto text = objectiveText(objective, other);
    if (winner > 0 && other != winner)
        text += ", " + units::formatPercent(std::abs(other / winner - 1)) + (other > winner ? " more" : " less");
    return text;
}

template <class List, class Member> bool names(const List &list, SizeLimit limit, Member member)
{
    return std::ranges::find(list, limit, member) != list.end();
}

/// The limits that stand in each other's way: those that a remedy moves, and those that the closest fleet breaks.
std::vector<StatedLimit> conflictOf(const DecisionDocument &document, const Result &result)
{
    auto limits = statedLimits(document);
    const auto isPart = [&](const StatedLimit &stated) {
        return names(result.remedies, stated.limit, &Remedy::limit)
            || (!result.answers.empty() && names(result.answers.front().answer.misses, stated.limit, &Miss::limit));
    };
    if (std::ranges::any_of(limits, isPart))
        std::erase_if(limits, [&](const StatedLimit &stated) { return !isPart(stated); });
    return limits;
}

std::string conflictInWords(const std::vector<StatedLimit> &limits, const Remedy *moved = nullptr)
{
    std::vector<std::string> parts;
    for (const auto &stated : limits)
        parts.push_back(
            moved && moved->limit == stated.limit ? limitInWords(stated.limit, moved->needed) : statedInWords(stated));
    return listed(parts);
}

std::vector<std::string> nothingInWords(const DecisionDocument &document, const Result &result)
{
    if (result.answers.empty())
        return {result.refused.empty()
                ? std::string("There is no fleet to choose from: widen the nodes, their numbers or the vendors.")
                : "No fleet could be looked at; of " + result.refused.front().candidate + ": "
                    + result.refused.front().error.message};
    const auto conflict = conflictOf(document, result);
    std::string first = conflict.empty() ? "No fleet can hold the jobs" : "Nothing meets " + conflictInWords(conflict);
    std::vector<std::string> sentences;
    for (std::size_t i = 0; i < result.remedies.size(); ++i) {
        const auto &remedy = result.remedies[i];
        const bool isStated = names(conflict, remedy.limit, &StatedLimit::limit);
        first += i == 0 ? ": the nearest is " : ", or ";
        first += isStated ? conflictInWords(conflict, &remedy) : limitInWords(remedy.limit, remedy.needed);
        sentences.push_back("With " + limitInWords(remedy.limit, remedy.needed) + " it would be "
            + fleetInWords(result.lots[remedy.lot], remedy.nodes) + ".");
    }
    if (result.remedies.empty())
        first += ", and no limit moved alone lets a fleet in";
    const auto &closest = result.answers.front().answer;
    sentences.insert(sentences.begin(), first + ".");
    sentences.push_back(
        "Closest to all limits comes " + fleetInWords(result, closest) + ": " + missesInWords(closest) + ".");
    return sentences;
}

} // namespace

std::string_view titleOf(SizeLimit limit)
{
    switch (limit) {
    case SizeLimit::Layout: return "Memory";
    case SizeLimit::Deadline: return "Deadline";
    case SizeLimit::RunCost: return "Cost of the run";
    case SizeLimit::Capital: return "Capital";
    case SizeLimit::YearlyCost: return "Cost of a year";
    case SizeLimit::Power: return "Facility power";
    case SizeLimit::Carbon: return "Carbon of the run";
    case SizeLimit::Goodput: return "Goodput";
    case SizeLimit::Delivery: return "First run";
    case SizeLimit::Mfu: return "MFU";
    case SizeLimit::Chance: return "Chance of the deadline";
    }
    return {};
}

std::string valueInWords(SizeLimit limit, double value)
{
    if (std::isnan(value))
        return "not known";
    if (std::isinf(value))
        return limit == SizeLimit::Deadline ? "never ends" : "without end";
    if (!isInDays(limit))
        return units::format(value, dimensionOf(limit));
    const auto days = units::threeDigits(value);
    const auto text = days + (days == "1" ? " day" : " days");
    return limit == SizeLimit::Delivery ? "first run after " + text : text;
}

std::string fleetInWords(const Lot &lot, int nodes)
{
    std::string text = lot.label.empty() ? std::string() : lot.label + ": ";
    text += units::format(double(nodes), Dimension::Number) + " \u00d7 " + lot.node;
    if (lot.ownedNodes > 0 && nodes > lot.ownedNodes)
        text += " (" + counted(nodes - lot.ownedNodes, "new one", "new ones") + ")";
    for (const auto &part : {lot.fabric, words(lot.paying), lot.site})
        if (!part.empty())
            text += ", " + part;
    return text;
}

std::string fleetInWords(const Result &result, const Answer &answer)
{
    return fleetInWords(result.lots[answer.lot], answer.nodes);
}

namespace {

template <class Words>
std::string jobsInWords(const DecisionDocument &document, const Answer &answer, const Words &inWordsOf)
{
    std::string text;
    for (std::size_t i = 0; i < answer.jobs.size(); ++i) {
        if (i > 0)
            text += "; ";
        if (answer.jobs.size() > 1 && i < document.jobs.size() && !document.jobs[i].name.empty())
            text += document.jobs[i].name + ": ";
        text += inWordsOf(answer.jobs[i].layout);
    }
    return text;
}

} // namespace

std::string layoutsInWords(const DecisionDocument &document, const Answer &answer)
{
    return jobsInWords(document, answer, [](const Layout &layout) { return fleetwright::inWords(layout); });
}

std::string splitsInWords(const DecisionDocument &document, const Answer &answer)
{
    return jobsInWords(document, answer, [](const Layout &layout) { return fleetwright::inWords(splitOf(layout)); });
}

std::string missInWords(const Miss &miss)
{
    if (!std::isfinite(miss.needed))
        return std::string(titleOf(miss.limit)) + ": " + valueInWords(miss.limit, miss.needed);
    auto text = limitInWords(miss.limit, miss.needed);
    const double off = isLeast(miss.limit) ? miss.allowed - miss.needed : miss.needed - miss.allowed;
    if (isInDays(miss.limit))
        return text + ", " + differenceText(miss.needed, off)
            + (miss.limit == SizeLimit::Delivery ? " too late" : " over");
    const auto unit = units::unitFor(miss.needed, dimensionOf(miss.limit));
    text += ", " + differenceText(miss.needed / unit.factor, off / unit.factor);
    return text + (isLeast(miss.limit) ? " points short" : " over");
}

std::string missesInWords(const Answer &answer)
{
    std::string text;
    for (const auto &miss : answer.misses)
        text += (text.empty() ? "" : "; ") + missInWords(miss);
    return text;
}

std::string remedyInWords(const Remedy &remedy)
{
    return "with " + limitInWords(remedy.limit, remedy.needed) + ", " + counted(remedy.nodes, "node", "nodes")
        + " would do it";
}

std::string remediesInWords(const LotAnswer &lot)
{
    if (lot.answer.isFeasible())
        return {};
    std::string text;
    for (const auto &remedy : lot.remedies)
        text += (text.empty() ? "" : "; ") + remedyInWords(remedy);
    return text.empty() ? "no limit moved alone lets it in" : text;
}

std::string statedInWords(const StatedLimit &stated)
{
    if (isInDays(stated.limit)) {
        const auto days = units::asTyped(stated.value);
        const auto text = days + (days == "1" ? " day" : " days");
        return stated.limit == SizeLimit::Delivery ? "a first run after " + text : text;
    }
    const auto unit = units::unitFor(stated.value, dimensionOf(stated.limit));
    return ofWhat(stated.limit, units::asTyped(stated.value / unit.factor, unit.symbol));
}

std::vector<StatedLimit> statedLimits(const DecisionDocument &document)
{
    std::vector<StatedLimit> stated;
    const auto &limits = document.limits;
    const auto add = [&](SizeLimit limit, const auto &value, double perUnit = 1) {
        if (value)
            stated.push_back({limit, value->value() / perUnit});
    };
    const auto addShare = [&](SizeLimit limit, const std::optional<double> &share) {
        if (share)
            stated.push_back({limit, *share});
    };
    add(SizeLimit::Deadline, limits.plan.deadline, secondsInDay);
    add(SizeLimit::RunCost, limits.plan.runCost);
    add(SizeLimit::Capital, limits.plan.capital);
    add(SizeLimit::YearlyCost, limits.plan.yearlyCost);
    add(SizeLimit::Power, limits.plan.facilityPower);
    add(SizeLimit::Carbon, limits.carbon);
    addShare(SizeLimit::Goodput, limits.minGoodput);
    if (limits.deliveryBy && document.order)
        stated.push_back({SizeLimit::Delivery, double((*limits.deliveryBy - *document.order).count())});
    addShare(SizeLimit::Mfu, limits.plan.minMfu);
    addShare(SizeLimit::Chance, limits.deadlineChance);
    return stated;
}

std::vector<std::string> recommendation(const DecisionDocument &document, const Result &result)
{
    const auto *best = result.best();
    if (!best)
        return nothingInWords(document, result);
    const auto objective = document.objective;
    const double value = valueOf(objective, best->figures);
    std::vector<std::string> sentences{"The least " + std::string(words(objective)) + ", "
        + objectiveText(objective, value) + ", has " + fleetInWords(result, *best) + ": "
        + figuresInWords(best->figures, objective) + "."};
    const auto rows = result.byNode();
    if (const auto second = std::ranges::find_if(rows,
            [&](const LotAnswer *row) {
                return row->answer.isFeasible() && row->answer.lot != best->lot
                    && result.lots[row->answer.lot].node != result.lots[best->lot].node;
            });
        second != rows.end())
        sentences.push_back("Next among other nodes is " + fleetInWords(result, (*second)->answer) + ": "
            + againstWinner(objective, value, valueOf(objective, (*second)->answer.figures)) + ".");
    else if (rows.size() > 1)
        sentences.emplace_back("No other node keeps all limits.");
    if (const auto &base = result.baseCase) {
        auto text = "The base case, " + fleetInWords(result.lots[result.baseLot], base->nodes) + ": "
            + againstWinner(objective, value, valueOf(objective, base->figures));
        if (const auto misses = missesInWords(*base); !misses.empty())
            text += "; it misses " + std::string(base->misses.size() == 1 ? "a limit" : "limits") + ": " + misses;
        sentences.push_back(sentenceCase(std::move(text)) + ".");
    }
    return sentences;
}

std::string calendarInWords(const DecisionDocument &document, const Answer &answer)
{
    const double ready = answer.figures.readyDays, run = answer.figures.days;
    if (!std::isfinite(ready))
        return {};
    const auto after = [&](double days) {
        return " on " + dateText(*document.order + std::chrono::days(std::int64_t(std::ceil(days))));
    };
    auto text = document.order ? "ordered on " + dateText(*document.order) + ", " : std::string("from the order: ");
    text += valueInWords(SizeLimit::Delivery, ready) + (document.order ? after(ready) : "");
    if (std::isfinite(run))
        text += ", jobs done"
            + (document.order ? after(ready + run) : " after " + valueInWords(SizeLimit::Deadline, ready + run));
    return text;
}

std::vector<std::string> howSureInWords(const HowSure &sure)
{
    std::vector<std::string> sentences;
    const auto &risk = sure.risk;
    sentences.push_back("Half the draws lie below the first figure, one in ten below the range and one in ten above ("
        + std::to_string(risk.draws) + " draws, seed " + std::to_string(risk.seed) + ").");
    if (const auto *likely = sure.of(0); likely && risk.rank && &risk.fleets[risk.rank->winner] != likely)
        sentences.push_back("By likely values " + likely->label + " wins, but it is the best in "
            + units::formatPercent(likely->best.share) + " of the draws only.");
    if (risk.rank)
        sentences.insert(sentences.end(), risk.rank->sentences.begin(), risk.rank->sentences.end());
    bool changes = false;
    for (const auto &change : sure.priceChanges)
        if (change.changes) {
            changes = true;
            sentences.push_back(change.sentence);
        }
    if (!sure.priceChanges.empty() && !changes)
        sentences.push_back("Node prices, rents and tariffs " + units::formatPercent(sure.priceShare)
            + " higher or lower, for all or for one fleet alone: the winner stays.");
    if (sure.buyOrRent)
        sentences.insert(sentences.end(), sure.buyOrRent->sentences.begin(), sure.buyOrRent->sentences.end());
    for (const auto &points : sure.turningPoints)
        for (const auto &point : points)
            if (point.needed)
                sentences.push_back(point.sentence);
    return sentences;
}

std::string countsInWords(const Result &result)
{
    const auto &counts = result.counts;
    auto text = counted(double(counts.fleets), "fleet", "fleets") + " of "
        + counted(double(counts.lots), "kind", "kinds");
    if (counts.useless > 0)
        text += "; " + counted(double(counts.useless), "number of nodes", "numbers of nodes")
            + " left out that no layout of the jobs divides";
    return text;
}

} // namespace fleetwright::size
