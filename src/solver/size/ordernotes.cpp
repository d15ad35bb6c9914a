// SPDX-License-Identifier: GPL-3.0-or-later
// What an order takes beside the figures of a fleet: the capital, the reservation, the time until it is there.
#include "domain/calendarday.h"
#include "solver/size/sizewords.h"
#include "units/format.h"

#include <cmath>

namespace fleetwright::size {

std::optional<double> reservationUsd(const Result &result, const Answer &answer)
{
    const auto &paying = result.lots[answer.lot].paying;
    const int years = paying.paying == Paying::Rent ? yearsOf(paying.rentTerm) : 0;
    return years > 0 && std::isfinite(answer.figures.yearlyUsd) ? std::optional(years * answer.figures.yearlyUsd)
                                                                : std::nullopt;
}

std::string calendarInWords(const DecisionDocument &document, const Answer &answer)
{
    const double ready = answer.figures.readyDays, run = answer.figures.days;
    if (!std::isfinite(ready)) {
        const auto ordered = document.order ? "ordered on " + dateText(*document.order) + ", " : std::string();
        if (document.limits.deliveryBy && answer.isFeasible())
            return ordered + "no lead time is stated: taken as there on that day";
        return ordered.empty() ? ordered : ordered + "first run not known: no lead time is stated";
    }
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

std::string capitalInWords(const DecisionDocument &document, const Answer &answer)
{
    constexpr double far = 2; // times the budget
    const auto &limits = document.limits.plan;
    if (!limits.runCost || limits.capital || !(answer.figures.capitalUsd > far * limits.runCost->value()))
        return {};
    return "Buying it takes " + limitInWords(SizeLimit::Capital, answer.figures.capitalUsd) + ", "
        + units::threeDigits(answer.figures.capitalUsd / limits.runCost->value()) + " times the "
        + statedInWords({SizeLimit::RunCost, limits.runCost->value()})
        + ", which pays for its days alone: state the capital that there is.";
}

std::string leadTimeInWords(const Result &result, const Answer &answer)
{
    const auto &lot = result.lots[answer.lot];
    const bool isThere = lot.ownedNodes > 0 && answer.nodes <= lot.ownedNodes && !answer.second;
    if (std::isfinite(answer.figures.readyDays) || lot.paying.paying == Paying::Rent || isThere)
        return {};
    return "No lead time is known: how long it takes until the first run is not among the days.";
}

} // namespace fleetwright::size
