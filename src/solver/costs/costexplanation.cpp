// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/costs/costvalidation.h"

#include "domain/price.h"
#include "solver/worksheet/sheets.h"
#include "units/columns.h"
#include "units/format.h"

#include <cmath>

namespace fleetwright::costs {

namespace {

using units::threeDigits;

std::string lineInWords(const CostLine &line)
{
    return line.label + " "
        + (line.dimension == units::Dimension::Number ? threeDigits(line.value)
                                                      : units::format(line.value, line.dimension));
}

std::string partsOf(const CostScore &score)
{
    std::string text;
    for (const auto &line : score.lines)
        text += (text.empty() ? "" : "; ") + lineInWords(line);
    return text.empty() ? text : text + ".";
}

std::string quotesOf(const CostScore &score)
{
    std::string text;
    for (const auto &quote : score.quotes)
        text += (text.empty() ? "Prices: " : "; ") + quote.label + " " + threeDigits(quote.value)
            + (quote.unit.empty() ? "" : " " + quote.unit) + " (" + quote.source
            + (quote.isEstimate ? ", an estimate" : "") + ")";
    return text.empty() ? text : text + ".";
}

std::string verdictOf(const CostScore &score)
{
    const auto &row = score.row;
    std::string text = "The worksheet says " + costInWords(score.computed, row.kind);
    if (score.low && score.high)
        text += " (" + costInWords(*score.low, row.kind) + " to " + costInWords(*score.high, row.kind) + ")";
    text += ", " + errorInWords(score.error()) + ": ";
    if (row.tolerance.rule == CostTolerance::Rule::Bracket)
        return text + "the published figure lies " + (score.within ? "in" : "outside") + " this range.";
    return text + (score.within ? "within " : "beyond ") + inWords(row.tolerance) + ".";
}

std::string discountOf(const CostScore &score)
{
    if (!score.discount)
        return {};
    std::string evidence;
    for (const auto &order : score.discount->evidence)
        evidence += (evidence.empty() ? "" : "; ") + order.name + " " + threeDigits(order.ratio);
    const bool one = score.discount->evidence.size() == 1;
    return std::string(one ? "The other large order" : "Other large orders") + " of H200 and later paid "
        + threeDigits(score.discount->ratio) + " of what the worksheet says at the catalog's quotes (" + evidence
        + "). With this discount it says " + costInWords(score.discounted(), score.row.kind) + ", "
        + errorInWords(score.discountedError()) + ", " + (score.withinDiscounted() ? "within " : "beyond ")
        + inWords(score.row.tolerance) + ".";
}

std::optional<double> yearsBetween(std::string_view earlier, std::string_view later)
{
    const auto from = lastDayOf(earlier), to = lastDayOf(later);
    constexpr double year = 365.25;
    return from && to ? std::optional(double((*to - *from).count()) / year) : std::nullopt;
}

/// Why a price is far from the quotes, as far as its facts say.
std::vector<std::string> priceMiss(const CostScore &score)
{
    std::vector<std::string> reasons;
    const std::string paid = "It paid " + threeDigits(1 / score.ratio())
        + " of what the worksheet says at the catalog's prices";
    constexpr double longAgo = 1.5;
    const auto gap = score.quotes.empty() ? std::nullopt : yearsBetween(score.row.date, score.quotes.front().date);
    reasons.push_back(gap && *gap >= longAgo
            ? paid + "; the order is " + threeDigits(*gap) + " years older than the price of the nodes."
            : paid + ".");
    for (const auto &quote : score.quotes)
        if (quote.isEstimate && quote.entry.starts_with("node"))
            reasons.push_back("That price is an estimate and no order"
                + (quote.remark.empty() ? std::string(".") : ": " + quote.remark));
        else if (!quote.remark.empty() && (quote.entry.starts_with("acc") || quote.entry.starts_with("chassis")))
            reasons.push_back(quote.remark);
    if (score.discount && score.withinDiscounted())
        reasons.emplace_back("The miss is the discount of large buyers, which list and street prices do not show.");
    return reasons;
}

std::vector<std::string> rentalMiss(const CostScore &score)
{
    if (!score.low || !score.high)
        return {};
    const double published = score.row.published;
    const bool between = *score.low <= published && published <= *score.high;
    std::string text = "The quotes for this term differ by a factor of " + threeDigits(*score.high / *score.low)
        + "; what was paid lies " + (between ? "among them" : "outside them");
    if (const auto gap = score.quotes.empty() ? std::nullopt : yearsBetween(score.row.date, score.quotes.front().date);
        gap && *gap > 1)
        text += ", and the contract is " + threeDigits(*gap) + " years older";
    return {text + "."};
}

std::vector<std::string> drawMiss(const CostScore &score)
{
    const auto &sheet = sheets::power();
    const auto &share = sheet.row(*sheet.find("draw_share")).entry;
    if (!score.row.shareOfMaximum)
        return {};
    const double drawn = *score.row.shareOfMaximum;
    const bool inside = share.low <= drawn && drawn <= share.high;
    std::string text = "It drew " + threeDigits(drawn) + " of its maximum, " + (inside ? "within" : "outside")
        + " the published range of the share, " + threeDigits(share.low) + " to " + threeDigits(share.high) + ".";
    if (score.row.minutes)
        text += " The run lasted " + threeDigits(*score.row.minutes) + " minutes.";
    return {text};
}

std::vector<std::string> interruptionsMiss(const CostScore &score)
{
    if (!score.low || !score.high)
        return {};
    const auto &end = score.row.published > *score.high ? *score.high : *score.low;
    const bool more = score.row.published > *score.high;
    return {"It was interrupted " + threeDigits(score.row.published / end) + " times as often as the "
        + (more ? "higher" : "lower")
        + " published fleet rate gives: " + (score.row.scope.empty() ? score.row.name : score.row.scope) + "."};
}

std::vector<std::string> missOf(const CostScore &score)
{
    switch (score.row.kind) {
    case CostKind::AllInCapital:
    case CostKind::Purchase:
    case CostKind::Programme: return priceMiss(score);
    case CostKind::Rental: return rentalMiss(score);
    case CostKind::MeteredNode: return drawMiss(score);
    case CostKind::Interruptions: return interruptionsMiss(score);
    case CostKind::AllInPower:
    case CostKind::MeteredEnergy:
    case CostKind::RunCost:
    case CostKind::CircularEnergy: break;
    }
    return {"The source covers: " + score.row.scope + "."};
}

} // namespace

std::string costInWords(double value, CostKind kind)
{
    const auto dimension = dimensionOf(kind);
    return dimension == units::Dimension::Number ? threeDigits(value) : units::format(value, dimension);
}

std::string errorInWords(double error) { return units::signedPercentCell(error) + " %"; }

std::vector<std::string> explainCost(const CostScore &score)
{
    const auto &row = score.row;
    std::vector<std::string> sentences{"Published: " + costInWords(row.published, row.kind)
            + (row.date.empty() ? std::string() : " (" + row.date + ")") + (row.scope.empty() ? "" : ": " + row.scope)
            + ".",
        verdictOf(score)};
    const auto say = [&](std::string sentence) {
        if (!sentence.empty())
            sentences.push_back(std::move(sentence));
    };
    say(partsOf(score));
    say(quotesOf(score));
    say(row.note);
    if (!score.within)
        for (auto &reason : missOf(score))
            say(std::move(reason));
    say(discountOf(score));
    return sentences;
}

} // namespace fleetwright::costs
