// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/sizewords.h"

#include "solver/validation/steprange.h"
#include "units/format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>

namespace fleetwright::size {

namespace {

using units::counted;
using units::Dimension;

constexpr double secondsInDay = 86400, joulesPerKilowattHour = 3.6e6;
constexpr double leastInUnit = 0.01; ///< a smaller difference has a unit of its own

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

constexpr int usualDigits = 3, mostDigits = 6;

/// Where a limit has to be, to so many digits: rounded to where it lets the fleet in.
double lettingIn(SizeLimit limit, double needed, int digits)
{
    constexpr double rounding = 1e-9; // of what is exact
    const double place = std::pow(10.0, std::floor(std::log10(needed)) + 1 - digits);
    const double times = needed / place;
    return place * (isLeast(limit) ? std::floor(times + rounding) : std::ceil(times - rounding));
}

/// By how much a figure misses its limit, with as many decimals as the figure shows in `text`; in digits of its own
/// where nothing would be left.
std::string differenceText(double figure, double difference, const std::string &text)
{
    const int decimals = int(decimalsIn(text));
    const double scale = std::pow(10.0, decimals);
    if (std::round(difference * scale) == 0) {
        const double place = std::pow(10.0, std::floor(std::log10(difference)) - 2);
        return difference > 0 ? units::asTyped(std::round(difference / place) * place) : "0";
    }
    if (constexpr double far = 100; difference > far * figure) // of a small figure: its decimals say nothing
        return units::threeDigits(difference);
    std::array<char, 64> digits{};
    const auto written = std::to_chars(
        digits.data(), digits.data() + digits.size(), difference, std::chars_format::fixed, decimals);
    return written.ec == std::errc() ? std::string(digits.data(), written.ptr) : units::threeDigits(difference);
}
std::string differenceText(double figure, double difference)
{
    return differenceText(figure, difference, units::threeDigits(figure));
}

/// What a share lacks of a least one, as both read: 83.15 beside 90 is 83.2, and 6.8 short.
std::string shortOf(double figure, double least)
{
    const auto text = units::threeDigits(figure);
    const double scale = std::pow(10.0, double(decimalsIn(text)));
    const double asRead = least - std::round(figure * scale) / scale;
    return differenceText(figure, std::round(asRead * scale) > 0 ? asRead : least - figure, text);
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

std::string daysInWords(SizeLimit limit, const std::string &days)
{
    const auto text = days + (days == "1" ? " day" : " days");
    return limit == SizeLimit::Delivery ? "first run after " + text : text;
}

std::string fleetWith(const Lot &lot, int nodes, std::initializer_list<std::string> parts)
{
    std::string text = lot.label.empty() ? std::string() : lot.label + ": ";
    text += units::format(double(nodes), Dimension::Number) + " \u00d7 " + lot.node;
    if (lot.ownedNodes > 0 && nodes > lot.ownedNodes)
        text += " (" + counted(nodes - lot.ownedNodes, "new one", "new ones") + ")";
    for (const auto &part : parts)
        if (!part.empty())
            text += ", " + part;
    return text;
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
    if (dimensionOf(limit) == Dimension::Fraction)
        return limit == SizeLimit::Chance ? chanceInWords(value) : units::formatPercent(value);
    if (!isInDays(limit))
        return units::format(value, dimensionOf(limit));
    return daysInWords(limit, units::threeDigits(value));
}

std::string daysBeside(double days, double allowed)
{
    if (!(days > allowed))
        return units::threeDigits(days);
    const int whole = int(std::floor(std::log10(days))) + 1;
    for (int digits = usualDigits; digits <= mostDigits; ++digits) {
        const double scale = std::pow(10.0, digits - whole), shown = std::round(days * scale) / scale;
        if (shown > allowed)
            return digits == usualDigits ? units::threeDigits(days) : units::asTyped(shown);
    }
    return units::threeDigits(days);
}

std::string rangeInWords(SizeLimit limit, double value, double low, double high)
{
    auto text = valueInWords(limit, value);
    if (!std::isfinite(value) || !std::isfinite(low) || !std::isfinite(high) || !(low < high))
        return text;
    const double factor = isInDays(limit) ? 1 : units::unitFor(value, dimensionOf(limit)).factor;
    return text + " (" + units::threeDigits(low / factor) + " to " + units::threeDigits(high / factor) + ")";
}

std::string objectiveInWords(DecisionObjective objective, double value)
{
    switch (objective) {
    case DecisionObjective::Days: return valueInWords(SizeLimit::Deadline, value);
    case DecisionObjective::Carbon: return valueInWords(SizeLimit::Carbon, value);
    case DecisionObjective::Energy: return units::format(value * joulesPerKilowattHour, Dimension::Energy);
    case DecisionObjective::RunCost:
    case DecisionObjective::Capital:
    case DecisionObjective::OwnershipCost: break;
    }
    return valueInWords(SizeLimit::RunCost, value);
}

std::string againstWinner(DecisionObjective objective, double winner, double other)
{
    if (std::isnan(other))
        return "its " + std::string(words(objective)) + " is not known";
    if (!std::isfinite(other))
        return valueInWords(SizeLimit::Deadline, other);
    auto text = objectiveInWords(objective, other);
    if (winner > 0 && other != winner)
        text += other > winner ? ", " + units::formatPercent(other / winner - 1) + " more"
                               : ", " + units::formatPercent(1 - other / winner) + " less";
    return text;
}

std::string limitInWords(SizeLimit limit, double value) { return ofWhat(limit, valueInWords(limit, value)); }

double neededToDigits(SizeLimit limit, double needed)
{
    if (!std::isfinite(needed) || needed <= 0)
        return needed;
    int digits = usualDigits;
    // The days of the fleet stand beside it, to the nearest: they are not to read as another figure, 26.55 beside 26.5
    // is more of the same.
    const auto ofFleet = units::threeDigits(needed);
    const auto readsAlike = [&](double value) {
        return units::threeDigits(value) == ofFleet || units::asTyped(value).starts_with(ofFleet);
    };
    while ((isInDays(limit) || limit == SizeLimit::Chance) && digits < mostDigits
        && !readsAlike(lettingIn(limit, needed, digits)))
        ++digits;
    return lettingIn(limit, needed, digits);
}

std::string neededValueInWords(SizeLimit limit, double needed)
{
    const double value = neededToDigits(limit, needed);
    const bool isUsual = !std::isfinite(value) || value <= 0 || value == lettingIn(limit, needed, usualDigits);
    if (isUsual)
        return valueInWords(limit, value);
    if (isInDays(limit))
        return daysInWords(limit, units::asTyped(value));
    const auto unit = units::unitFor(value, dimensionOf(limit));
    return units::asTyped(value / unit.factor, unit.symbol);
}

std::string neededInWords(SizeLimit limit, double needed) { return ofWhat(limit, neededValueInWords(limit, needed)); }

std::string fleetInWords(const Lot &lot, int nodes)
{
    return fleetWith(lot, nodes, {words(lot.paying), lot.fabric, lot.site});
}

namespace {

/// Both fleets of an answer, each worded by `words`.
template <class Words> std::string bothInWords(const Result &result, const Answer &answer, const Words &words)
{
    auto text = words(result.lots[answer.lot], answer.nodes);
    if (!answer.second)
        return text;
    text += "; beside it " + words(result.lots[answer.second->lot], answer.second->nodes) + " for job";
    text += answer.second->jobs.size() > 1 ? "s" : "";
    for (std::size_t i = 0; i < answer.second->jobs.size(); ++i)
        text += (i > 0 ? ", " : " ") + std::to_string(answer.second->jobs[i] + 1);
    return text;
}

} // namespace

std::string distinctionInWords(const Result &result, const Answer &answer)
{
    if (!result.baseCase || answer.second)
        return {};
    const auto readsAlike = [&](const Answer &other) {
        const auto &a = result.lots[answer.lot], &b = result.lots[other.lot];
        return &other != &answer && !other.second && a.label == b.label && other.nodes == answer.nodes
            && a.node == b.node && a.paying == b.paying
            && (a.fabric != b.fabric || a.site != b.site || a.fleet.costs != b.fleet.costs);
    };
    const bool isBase = &answer == &*result.baseCase;
    const Answer *other = readsAlike(*result.baseCase) ? &*result.baseCase : nullptr;
    if (isBase) {
        const auto found = std::ranges::find_if(
            result.answers, [&](const LotAnswer &lot) { return readsAlike(lot.answer); });
        other = found == result.answers.end() ? nullptr : &found->answer;
    }
    if (!other)
        return {};
    const auto &is = result.lots[answer.lot], &was = result.lots[other->lot];
    if (is.fabric != was.fabric)
        return is.fabric;
    if (is.site != was.site)
        return is.site.empty() ? "no site" : is.site;
    return isBase ? "costs of its own" : "usual costs";
}

std::string shortFleetInWords(const Result &result, const Answer &answer)
{
    auto text = bothInWords(result, answer,
        [](const Lot &lot, int nodes) { return fleetWith(lot, nodes, {fleetwright::words(lot.paying)}); });
    const auto distinction = distinctionInWords(result, answer);
    return distinction.empty() ? text : text + ", " + distinction;
}

std::string nodesInWords(const Result &result, const Answer &answer)
{
    auto text = bothInWords(result, answer, [](const Lot &lot, int nodes) { return fleetWith(lot, nodes, {}); });
    const auto distinction = distinctionInWords(result, answer);
    return distinction.empty() || distinction == result.lots[answer.lot].fabric ? text : text + ", " + distinction;
}

std::string hardwareInWords(const DecisionDocument &document, const Result &result, const Answer &answer)
{
    auto text = bothInWords(result, answer, [](const Lot &lot, int nodes) { return fleetWith(lot, nodes, {}); });
    for (const auto &job : document.jobs)
        if (!job.name.empty())
            text += ", " + job.name;
    return text;
}

std::string payingInWords(const Result &result, const Answer &answer)
{
    const auto shortWords = [&](std::size_t lot) {
        const auto &paying = result.lots[lot].paying;
        return paying.paying == Paying::Own ? fleetwright::words(paying)
                                            : std::string(fleetwright::words(paying.rentTerm));
    };
    auto text = shortWords(answer.lot);
    if (answer.second && shortWords(answer.second->lot) != text)
        text += " and " + shortWords(answer.second->lot);
    return text;
}

std::string fleetInWords(const Result &result, const Answer &answer)
{
    return bothInWords(result, answer, [](const Lot &lot, int nodes) { return fleetInWords(lot, nodes); });
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
    if (isInDays(miss.limit)) {
        const auto days = daysBeside(miss.needed, miss.allowed);
        return daysInWords(miss.limit, days) + ", " + differenceText(miss.needed, off, days)
            + (miss.limit == SizeLimit::Delivery ? " too late" : " over");
    }
    const auto unit = units::unitFor(miss.needed, dimensionOf(miss.limit));
    text += ", "
        + (isLeast(miss.limit) ? shortOf(miss.needed / unit.factor, miss.allowed / unit.factor)
                               : differenceText(miss.needed / unit.factor, off / unit.factor));
    return text + (isLeast(miss.limit) ? " points short" : " over");
}

std::string slackInWords(const Tightest &tightest)
{
    const auto limit = tightest.limit;
    if (!std::isfinite(tightest.value) || !std::isfinite(tightest.allowed))
        return valueInWords(limit, tightest.value);
    const double off = std::abs(tightest.allowed - tightest.value);
    if (isInDays(limit)) {
        constexpr double oneDecimal = 10; // also of fewer days: in a table they stand among those of other fleets
        const auto days = differenceText(off < 1 ? tightest.value : std::max(tightest.value, oneDecimal), off);
        return days + (days == "1" ? " day" : " days")
            + (tightest.holds                      ? " left"
                    : limit == SizeLimit::Delivery ? " too late"
                                                   : " over");
    }
    // Of memory a share is kept and bytes are missed.
    const bool isShare = dimensionOf(limit) == Dimension::Fraction || (limit == SizeLimit::Layout && tightest.holds);
    const auto unit = units::unitFor(tightest.value, isShare ? Dimension::Fraction : dimensionOf(limit));
    const auto amount = differenceText(tightest.value / unit.factor, off / unit.factor);
    const std::string_view end = tightest.holds ? " left" : isLeast(limit) ? " short" : " over";
    if (const bool readable = off == 0 || off / unit.factor >= leastInUnit; !isShare && !readable)
        return units::format(off, dimensionOf(limit)).append(end);
    return amount + (isShare ? std::string(" points") : " " + std::string(unit.symbol)).append(end);
}

std::string tightestInWords(const Tightest &tightest)
{
    return titleOf(tightest.limit, tightest.ownRuns) + ": " + slackInWords(tightest);
}

std::string titleOf(SizeLimit limit, int ownRuns)
{
    return std::string(titleOf(limit)) + validation::byYourRuns(ownRuns);
}

std::string nearestInWords(const Tightest &tightest)
{
    auto title = titleOf(tightest.limit, tightest.ownRuns);
    if (tightest.limit != SizeLimit::Mfu) // a name
        title.front() = char(std::tolower(static_cast<unsigned char>(title.front())));
    return title + ", " + slackInWords(tightest);
}

std::string missesInWords(const Answer &answer)
{
    std::string text;
    for (const auto &miss : answer.misses)
        text += (text.empty() ? "" : "; ") + missInWords(miss) + validation::byYourRuns(runsBehind(miss.limit, answer));
    return text;
}

std::string remedyInWords(const Remedy &remedy)
{
    const bool one = remedy.nodes == 1;
    const std::string_view verb = isLeast(remedy.limit) ? one ? " reaches " : " reach " : one ? " needs " : " need ";
    return counted(remedy.nodes, "node", "nodes").append(verb) + neededInWords(remedy.limit, remedy.needed)
        + (one ? " and keeps the rest" : " and keep the rest");
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
    const auto text = statedValueInWords(stated);
    return stated.limit == SizeLimit::Delivery ? "a first run after " + text : ofWhat(stated.limit, text);
}

std::string statedValueInWords(const StatedLimit &stated)
{
    if (isInDays(stated.limit)) {
        const auto days = units::asTyped(stated.value);
        return days + (days == "1" ? " day" : " days");
    }
    const auto unit = units::unitFor(stated.value, dimensionOf(stated.limit));
    return units::asTyped(stated.value / unit.factor, unit.symbol);
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

std::string fleetTitle(int nodes, std::string_view node, const CostDocument &costs)
{
    return std::to_string(nodes) + " \u00d7 " + std::string(node) + ", "
        + words(DecisionPaying{costs.paying, costs.paying == Paying::Rent ? costs.rentTerm : RentTerm::OnDemand});
}

} // namespace fleetwright::size
