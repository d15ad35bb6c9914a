// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/decisiondocument.h"

#include "domain/named.h"
#include "domain/rules.h"

#include <algorithm>
#include <cmath>

namespace fleetwright {

namespace {

constexpr std::array allDecisionPayings{DecisionPaying{}, DecisionPaying{Paying::Rent, RentTerm::OnDemand},
    DecisionPaying{Paying::Rent, RentTerm::Spot}, DecisionPaying{Paying::Rent, RentTerm::CapacityBlock},
    DecisionPaying{Paying::Rent, RentTerm::Reserved1y}, DecisionPaying{Paying::Rent, RentTerm::Reserved3y},
    DecisionPaying{Paying::Rent, RentTerm::Reserved5y}};

std::string jobField(std::size_t job, std::string_view key)
{
    return "jobs[" + std::to_string(job) + "]" + (key.empty() ? "" : "." + std::string(key));
}

bool isShare(double value) { return value > 0 && value <= 1; }

Expected<void> checkJobs(const DecisionDocument &document)
{
    const auto &jobs = document.jobs;
    if (jobs.empty() || jobs.size() > mostDecisionJobs)
        return refuse(jobs.empty() ? ErrorCode::MissingField : ErrorCode::OutOfRange, "jobs",
            "A decision has 1 to " + std::to_string(mostDecisionJobs) + " jobs that the fleet must train.");
    double shares = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const auto &job = jobs[i];
        if (auto ok = check(job.training); !ok)
            return refuse(ok.error().code, jobField(i, ok.error().field), ok.error().message);
        if (auto ok = check(job.space); !ok)
            return refuse(ok.error().code, jobField(i, ok.error().field), ok.error().message);
        if (job.tokens && !(std::isfinite(*job.tokens) && *job.tokens > 0))
            return refuse(ErrorCode::OutOfRange, jobField(i, "tokens"), "The tokens must be greater than zero.");
        if (job.leastBatch.has_value() != job.mostBatch.has_value()
            || (job.leastBatch
                && (*job.leastBatch < 1 || *job.leastBatch > job.training.globalBatch
                    || *job.mostBatch < job.training.globalBatch)))
            return refuse(ErrorCode::OutOfRange, jobField(i, "batches"),
                "The range of batches has two ends, and the job\u2019s own batch of "
                    + std::to_string(job.training.globalBatch) + " lies in it.");
        if (job.share.has_value() != jobs.front().share.has_value())
            return refuse(ErrorCode::MissingField, jobField(i, "share"),
                "Either every job states its share of a year, or none does.");
        if (!job.share)
            continue;
        if (!isShare(*job.share))
            return refuse(
                ErrorCode::OutOfRange, jobField(i, "share"), "A share of the year is greater than 0 and at most 1.");
        if (job.tokens)
            return refuse(ErrorCode::UnsupportedValue, jobField(i, "share"),
                "A job states its tokens or its share of a year, not both.");
        shares += *job.share;
    }
    constexpr double rounding = 1e-9;
    if (shares > 1 + rounding)
        return refuse(ErrorCode::OutOfRange, "jobs",
            "The shares of the year add up to " + std::to_string(std::lround(shares * 100))
                + " %: at most 100 % are there.");
    if (shares > 0 && !document.baseCase)
        return refuse(ErrorCode::MissingField, "base_case",
            "Shares are of a year of the base case: say which fleet that is, or state tokens instead.");
    return {};
}

Expected<void> checkCandidates(const DecisionCandidates &candidates)
{
    if (candidates.leastNodes < 1 || candidates.mostNodes > mostNodes || candidates.leastNodes > candidates.mostNodes)
        return refuse(ErrorCode::OutOfRange, "candidates.counts",
            "The numbers of nodes go from 1 to " + std::to_string(mostNodes) + ", the smaller one first.");
    for (const double ratio : candidates.oversubscriptions)
        if (!(ratio >= 1 && ratio <= mostOversubscription))
            return refuse(ErrorCode::OutOfRange, "candidates.oversubscriptions",
                "The oversubscription must be between 1 (non-blocking) and 1000.");
    return {};
}

Expected<void> checkLimits(const DecisionDocument &document)
{
    const auto &limits = document.limits;
    if (auto ok = check(limits.plan); !ok) {
        constexpr std::string_view from = "constraints";
        auto error = ok.error();
        if (error.field.starts_with(from))
            error.field = "limits" + error.field.substr(from.size());
        return std::unexpected(std::move(error));
    }
    if (limits.carbon && !(std::isfinite(limits.carbon->value()) && *limits.carbon > KilogramsCo2e()))
        return refuse(ErrorCode::OutOfRange, "limits.carbon_t", "The limit must be greater than zero.");
    if (limits.minGoodput && !isShare(*limits.minGoodput))
        return refuse(ErrorCode::OutOfRange, "limits.min_goodput", "The goodput is greater than 0 and at most 1.");
    if (limits.deadlineChance && !(*limits.deadlineChance > 0 && *limits.deadlineChance < 1))
        return refuse(
            ErrorCode::OutOfRange, "limits.deadline_chance", "The chance of the deadline lies between 0 and 1.");
    if (limits.deadlineChance && !limits.plan.deadline)
        return refuse(ErrorCode::MissingField, "limits.deadline_days",
            "A chance of the deadline is asked for: state the deadline, too.");
    if (limits.deliveryBy && !document.order)
        return refuse(
            ErrorCode::MissingField, "order", "A first run by a day is asked for: state the day of the order, too.");
    if (limits.deliveryBy && *limits.deliveryBy <= *document.order)
        return refuse(ErrorCode::OutOfRange, "limits.delivery_by", "The first run cannot be before the order.");
    return {};
}

} // namespace

std::string toString(const DecisionPaying &paying)
{
    if (paying.paying == Paying::Own)
        return std::string(toString(Paying::Own));
    std::string text(toString(paying.rentTerm));
    std::ranges::replace(text, '-', '_');
    return text;
}

Expected<DecisionPaying> parseDecisionPaying(std::string_view text, std::string_view field)
{
    std::array<std::string, allDecisionPayings.size()> texts;
    std::ranges::transform(
        allDecisionPayings, texts.begin(), [](const DecisionPaying &paying) { return toString(paying); });
    for (std::size_t i = 0; i < texts.size(); ++i)
        if (texts[i] == text)
            return allDecisionPayings[i];
    const std::vector<std::string_view> names(texts.begin(), texts.end());
    return refuseName(text, field, "way of paying", names);
}

std::string words(const DecisionPaying &paying)
{
    return paying.paying == Paying::Own ? "owned" : "rented, " + std::string(words(paying.rentTerm));
}

std::string_view toString(DecisionObjective objective)
{
    switch (objective) {
    case DecisionObjective::RunCost: return "run_cost";
    case DecisionObjective::Days: return "days";
    case DecisionObjective::Capital: return "capital";
    case DecisionObjective::OwnershipCost: return "ownership_cost";
    case DecisionObjective::Carbon: return "carbon";
    case DecisionObjective::Energy: return "energy";
    }
    return {};
}

Expected<DecisionObjective> parseDecisionObjective(std::string_view text, std::string_view field)
{
    return parseNamed(text, field, "objective", allDecisionObjectives);
}

std::string_view words(DecisionObjective objective)
{
    switch (objective) {
    case DecisionObjective::RunCost: return "cost of the run";
    case DecisionObjective::Days: return "days of the run";
    case DecisionObjective::Capital: return "capital";
    case DecisionObjective::OwnershipCost: return "cost of the fleet in a year";
    case DecisionObjective::Carbon: return "carbon of the run\u2019s energy";
    case DecisionObjective::Energy: return "energy of the run";
    }
    return {};
}

Expected<DecisionDocument> withOffers(DecisionDocument document, std::span<const OfferDocument> offers)
{
    auto &asked = document.candidates.offers;
    for (std::size_t i = 0; i < asked.size(); ++i)
        if (const auto *name = std::get_if<std::string>(&asked[i])) {
            const auto found = std::ranges::find(offers, *name, &OfferDocument::name);
            if (found == offers.end())
                return refuse(ErrorCode::UnknownReference, "candidates.offers[" + std::to_string(i) + "]",
                    "There is no offer \u201c" + *name
                        + "\u201d: add it to the project, or write it into the decision.");
            asked[i] = *found;
        }
    return document;
}

Expected<void> check(const DecisionDocument &document)
{
    if (document.name.empty())
        return refuse(ErrorCode::MissingField, "name", "The decision needs a name.");
    if (auto ok = checkJobs(document); !ok)
        return ok;
    if (auto ok = checkCandidates(document.candidates); !ok)
        return ok;
    if (document.front[0] == document.front[1])
        return refuse(ErrorCode::UnsupportedValue, "front", "A front trades two different figures.");
    return checkLimits(document);
}

bool ordersSpares(const DecisionCandidates &candidates)
{
    const auto found = candidates.costs.find(orderSparesEntry);
    const auto *ordered = found == candidates.costs.end() ? nullptr : std::get_if<bool>(&found->second.value);
    return ordered && *ordered;
}

void setOrdersSpares(DecisionCandidates &candidates, bool ordered)
{
    if (ordered)
        candidates.costs.insert_or_assign(std::string(orderSparesEntry), CostEntry{.value = true});
    else
        candidates.costs.erase(std::string(orderSparesEntry));
}

} // namespace fleetwright
