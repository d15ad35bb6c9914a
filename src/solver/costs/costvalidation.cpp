// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/costs/costvalidation.h"

#include "solver/costs/costcomparison.h"

#include "units/format.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace fleetwright::costs {

namespace {

/// From which on large buyers paid less than the catalog's quotes.
constexpr std::string_view firstDiscounted = "nvidia_h200_sxm5_141gb";
constexpr double allInPowerBound = 0.15, meteredNodeBound = 0.10, purchasesShare = 0.75;

double middleOf(std::vector<double> values)
{
    std::ranges::sort(values);
    const auto middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::optional<double> launchYear(const Catalog &catalog, std::string_view accelerator)
{
    const auto *record = catalog.find(CatalogKind::Accelerator, accelerator);
    return record ? record->number("launch_year") : std::nullopt;
}

bool isDiscounted(const CostScore &score, const Catalog &catalog)
{
    const auto first = launchYear(catalog, firstDiscounted);
    return first && score.row.kind == CostKind::Purchase && std::ranges::all_of(score.row.parts, [&](const auto &part) {
        return launchYear(catalog, part.accelerator).value_or(0) >= *first;
    });
}

/// Each of these orders is shown the discount of the others, so that none vouches for itself.
void showDiscounts(std::vector<CostScore> &scores, const Catalog &catalog)
{
    std::vector<CostScore *> orders;
    for (auto &score : scores)
        if (isDiscounted(score, catalog))
            orders.push_back(&score);
    for (auto *order : orders) {
        BulkDiscount discount;
        std::vector<double> ratios;
        for (const auto *other : orders)
            if (other != order) {
                ratios.push_back(1 / other->ratio());
                discount.evidence.push_back({other->row.id, other->row.name, ratios.back()});
            }
        if (ratios.empty())
            continue;
        discount.ratio = middleOf(ratios);
        order->discount = std::move(discount);
    }
}

std::optional<CostTarget> targetOf(const CostSummary &summary, std::span<const CostScore *const> scores)
{
    const auto each = [&](double bound) {
        return std::ranges::all_of(scores, [&](const CostScore *score) { return std::abs(score->error()) <= bound; });
    };
    switch (summary.kind) {
    case CostKind::AllInPower: return CostTarget{"each at most 15 % off", each(allInPowerBound)};
    case CostKind::MeteredNode: return CostTarget{"each at most 10 % off", each(meteredNodeBound)};
    case CostKind::MeteredEnergy: return CostTarget{"each within its tolerance", summary.within == summary.count};
    case CostKind::Purchase:
        return CostTarget{"three of four within their tolerance, the discount of large buyers shown",
            double(summary.withinDiscounted) >= purchasesShare * double(summary.count)};
    case CostKind::Interruptions:
        return CostTarget{
            "Llama 3 between the published fleet rates", std::ranges::any_of(scores, [](const CostScore *score) {
                return score->row.tolerance.rule == CostTolerance::Rule::Bracket && score->within;
            })};
    case CostKind::AllInCapital:
    case CostKind::Programme:
    case CostKind::Rental:
    case CostKind::RunCost:
    case CostKind::CircularEnergy: return std::nullopt;
    }
    return std::nullopt;
}

CostSummary summaryOf(CostKind kind, std::span<const CostScore *const> scores)
{
    CostSummary summary{.kind = kind, .count = scores.size()};
    std::vector<double> errors, discounted;
    for (const auto *score : scores) {
        summary.within += score->within ? 1 : 0;
        summary.withinDiscounted += score->withinDiscounted() ? 1 : 0;
        summary.hasDiscount = summary.hasDiscount || score->discount;
        errors.push_back(std::abs(score->error()));
        discounted.push_back(std::abs(score->discountedError()));
        summary.meanError += errors.back() / double(scores.size());
        summary.meanDiscounted += discounted.back() / double(scores.size());
    }
    summary.medianError = middleOf(std::move(errors));
    summary.medianDiscounted = middleOf(std::move(discounted));
    summary.target = targetOf(summary, scores);
    return summary;
}

/// Without what rounding leaves of equal numbers.
double relative(double ratio)
{
    constexpr double rounding = 1e-12;
    return std::abs(ratio - 1) < rounding ? 0 : ratio - 1;
}

} // namespace

double CostScore::error() const { return relative(ratio()); }
double CostScore::discountedError() const { return relative(discounted() / row.published); }
bool CostScore::withinDiscounted() const
{
    return discount ? row.tolerance.holds(discounted() / row.published) : within;
}

std::vector<CostSummaryLine> linesOf(const CostSummary &of)
{
    CostSummaryLine line{std::string(title(of.kind)), of.count, of.within, of.medianError, of.meanError};
    if (!of.hasDiscount) {
        line.target = of.target;
        return {std::move(line)};
    }
    CostSummaryLine discounted{line.title + ", with the discount of large buyers", of.count, of.withinDiscounted,
        of.medianDiscounted, of.meanDiscounted, of.target};
    return {std::move(line), std::move(discounted)};
}

CostValidation validateCosts(const PublishedCosts &published, const Catalog &catalog)
{
    const CostFacts facts{published, catalog};
    CostValidation validation;
    for (const auto kind : allCostKinds)
        for (const auto &row : published.figures) {
            if (row.kind != kind)
                continue;
            if (auto score = compareCost(row, facts))
                validation.scores.push_back(std::move(*score));
            else
                validation.notScored.push_back({row.id, row.name, score.error().message, row.goodEnough, row.source});
        }
    validation.notScored.insert(validation.notScored.end(), published.notScored.begin(), published.notScored.end());
    showDiscounts(validation.scores, catalog);
    for (const auto kind : allCostKinds) {
        std::vector<const CostScore *> ofKind;
        for (const auto &score : validation.scores)
            if (score.row.kind == kind)
                ofKind.push_back(&score);
        if (!ofKind.empty())
            validation.summaries.push_back(summaryOf(kind, ofKind));
    }
    return validation;
}

std::string typicalErrorsInWords(const CostValidation &validation)
{
    std::string text;
    for (const auto &[kind, what] : {std::pair(CostKind::Purchase, "Purchases"), {CostKind::Rental, "rentals"}}) {
        const auto summary = std::ranges::find(validation.summaries, kind, &CostSummary::kind);
        if (summary == validation.summaries.end() || summary->count == 0)
            continue;
        const auto above = std::ranges::count_if(
            validation.scores, [&](const CostScore &score) { return score.row.kind == kind && score.error() > 0; });
        text += (text.empty() ? "" : "; ") + std::string(what) + " are typically "
            + units::formatPercent(summary->medianError) + " off";
        if (summary->hasDiscount)
            text += " (" + units::formatPercent(summary->medianDiscounted) + " with the discount of large buyers)";
        text += ", " + std::to_string(above) + " of " + std::to_string(summary->count) + " computed too high";
    }
    if (text.empty())
        return {};
    text.front() = char(std::toupper(static_cast<unsigned char>(text.front())));
    return text + ".";
}

} // namespace fleetwright::costs
