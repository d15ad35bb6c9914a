// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/decisionpaper.h"

#include "domain/calendarday.h"
#include "solver/size/sizewords.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::size {

namespace {

using uncertainty::RiskFigure;

std::string money(double usd) { return units::format(Dollars::from_value(usd)); }
std::string days(double number) { return valueInWords(SizeLimit::Deadline, number); }

/// "273 MUSD (230 to 278)": the likely value and eight draws in ten.
std::string rangedInWords(SizeLimit limit, double likely, const uncertainty::FleetRisk *risk, RiskFigure figure)
{
    const auto *spread = risk && risk->spread(figure) ? &*risk->spread(figure) : nullptr;
    return spread ? rangeInWords(limit, likely, spread->quantiles.p10, spread->quantiles.p90)
                  : valueInWords(limit, likely);
}

/// What is owned already, with nothing new.
bool isKept(const Result &result, const Answer &answer)
{
    const auto &lot = result.lots[answer.lot];
    return lot.ownedNodes > 0 && answer.nodes <= lot.ownedNodes && !answer.second;
}

/// Likely values of the draws where there are any.
FleetFigures likelyFigures(const Answer &answer, const uncertainty::FleetRisk *risk)
{
    auto figures = answer.figures;
    const auto take = [&](double FleetFigures::*figure, RiskFigure drawn) {
        if (risk && risk->spread(drawn))
            figures.*figure = risk->spread(drawn)->likely;
    };
    take(&FleetFigures::days, RiskFigure::Days);
    take(&FleetFigures::runCostUsd, RiskFigure::RunCost);
    take(&FleetFigures::capitalUsd, RiskFigure::Capital);
    take(&FleetFigures::yearlyUsd, RiskFigure::OwnershipCost);
    return figures;
}

/// "Buy 64 × NVIDIA GB200 NVL72"; of what is owned already "Keep" or "Extend".
std::string actionInWords(const Result &result, const Answer &answer)
{
    const auto &lot = result.lots[answer.lot];
    const bool rents = lot.paying.paying == Paying::Rent;
    const std::string_view verb = rents ? "Rent "
        : lot.ownedNodes == 0           ? "Buy "
        : answer.nodes > lot.ownedNodes ? "Extend to "
                                        : "Keep ";
    auto text = std::string(verb) + (lot.label.empty() ? "" : lot.label + ": ")
        + units::format(double(answer.nodes), units::Dimension::Number) + " \u00d7 " + lot.node;
    if (rents)
        text.append(" ").append(words(lot.paying.rentTerm));
    if (answer.second)
        text += " and buy " + units::format(double(answer.second->nodes), units::Dimension::Number) + " \u00d7 "
            + result.lots[answer.second->lot].node;
    return text;
}

std::string jobsInOneLine(const DecisionDocument &document, const Catalog &catalog)
{
    std::string text;
    for (const auto &job : document.jobs) {
        text += text.empty() ? "" : ", ";
        text += job.name.empty() ? nameOf(job.workload, CatalogKind::Workload, catalog) : job.name;
        if (job.tokens)
            text += " on " + units::format(*job.tokens, units::Dimension::Number) + " tokens";
    }
    return text;
}

std::optional<double> chanceOf(const PaperOption &option)
{
    if (option.risk && option.risk->deadline)
        return option.risk->deadline->share;
    const double closed = option.answer ? option.answer->figures.deadlineChance : unknownFigure;
    return std::isnan(closed) ? std::nullopt : std::optional(closed);
}

class Paper {
public:
    Paper(const DecisionDocument &document, const Catalog &catalog, const Result &result, const HowSure *sure)
        : m_document(document), m_catalog(catalog), m_result(result), m_sure(sure)
    {
    }

    DecisionPaper all()
    {
        auto sentences = recommendation(m_document, m_result, m_sure);
        options();
        if (const auto *best = m_result.best()) {
            sentences.resize(sentences.size() - rivalsInWords(m_document, m_result).size()); // the options have them
            m_paper.recommendation = headline(*best);
            m_paper.reasons = std::move(sentences);
            if (auto corrected = correctedInWords(*best); !corrected.empty())
                m_paper.reasons.insert(m_paper.reasons.begin(), std::move(corrected));
            risks(*best);
            asked(*best);
        } else {
            m_paper.recommendation = sentences.front();
            m_paper.reasons.assign(sentences.begin() + 1, sentences.end());
        }
        return std::move(m_paper);
    }

private:
    [[nodiscard]] const uncertainty::FleetRisk *riskOf(const Answer &answer) const
    {
        return m_sure ? m_sure->of(m_result, answer) : nullptr;
    }

    [[nodiscard]] std::string headline(const Answer &best) const
    {
        const auto &[role, name, answer, figures, risk, note] = m_paper.options.front();
        const auto &lot = m_result.lots[best.lot];
        auto text = name + ", " + lot.fabric;
        if (lot.paying.paying == Paying::Own) {
            if (!isKept(m_result, best))
                text += ", for " + rangedInWords(SizeLimit::Capital, figures.capitalUsd, risk, RiskFigure::Capital);
        } else if (const auto whole = reservationUsd(m_result, best))
            text += ", for " + money(*whole) + " until the reservation ends";
        else
            text += ", for " + rangedInWords(SizeLimit::RunCost, figures.runCostUsd, risk, RiskFigure::RunCost);
        text += ": " + jobsInOneLine(m_document, m_catalog) + " in "
            + rangedInWords(SizeLimit::Deadline, figures.days, risk, RiskFigure::Days);
        if (const auto &deadline = m_document.limits.plan.deadline)
            if (const auto chance = chanceOf(m_paper.options.front()))
                text += ", " + units::formatPercent(*chance) + " by "
                    + statedInWords({SizeLimit::Deadline, deadline->value() / secondsInDay});
        return text + ", " + valueInWords(SizeLimit::Power, figures.facilityWatts) + ".";
    }

    /// That measured runs of the site make other days likely than those by which the fleets were chosen.
    [[nodiscard]] std::string correctedInWords(const Answer &best) const
    {
        const double likely = m_paper.options.front().figures.days, priced = best.figures.days;
        constexpr double alike = 1e-3;
        if (!std::isfinite(likely) || !std::isfinite(priced) || std::abs(likely / priced - 1) < alike)
            return {};
        auto text = "The fleets were chosen by the cost model alone, which gives " + days(priced)
            + "; with the project\u2019s own measured runs " + days(likely) + " are likely";
        if (const auto &deadline = m_document.limits.plan.deadline;
            deadline && likely * secondsInDay > deadline->value())
            text += ", later than the deadline";
        return text + ".";
    }

    void add(PaperOption::Role role, const Answer &answer, const uncertainty::FleetRisk *risk)
    {
        const bool isThere = std::ranges::any_of(m_paper.options,
            [&](const PaperOption &option) { return option.answer && nameOf(*option.answer) == nameOf(answer); });
        if (isThere || m_paper.options.size() + 1 >= mostPaperOptions) // one is left for doing nothing
            return;
        PaperOption option{.role = role,
            .name = actionInWords(m_result, answer),
            .answer = &answer,
            .figures = likelyFigures(answer, risk),
            .risk = risk};
        if (role == PaperOption::Role::Recommended)
            option.note = isKept(m_result, answer) ? "recommended: nothing is bought" : "recommended";
        else if (!answer.isFeasible())
            option.note = missesInWords(answer);
        else if (m_result.best())
            option.note = moreThan(m_paper.options.front().figures, option.figures);
        if (const auto whole = reservationUsd(m_result, answer))
            option.note += (option.note.empty() ? "" : "; ") + money(*whole) + " until the reservation ends";
        if (role == PaperOption::Role::BaseCase)
            option.note = "base case" + (option.note.empty() ? "" : ": " + option.note);
        m_paper.options.push_back(std::move(option));
    }
    [[nodiscard]] std::string nameOf(const Answer &answer) const { return fleetInWords(m_result, answer); }

    [[nodiscard]] std::string moreThan(const FleetFigures &best, const FleetFigures &figures) const
    {
        const double least = valueOf(m_document.objective, best), value = valueOf(m_document.objective, figures);
        if (!(least > 0) || !std::isfinite(value))
            return {};
        return units::formatPercent(std::abs(value / least - 1)) + (value < least ? " less " : " more ")
            + std::string(words(m_document.objective));
    }

    void options()
    {
        const auto rows = m_result.byNode();
        const bool any = m_result.best() != nullptr;
        // Where something keeps the limits, what does not stands elsewhere, with the limit that binds.
        const auto offer = [&](const Answer &answer) {
            if (!any || answer.isFeasible())
                add(PaperOption::Role::Alternative, answer, riskOf(answer));
        };
        if (any)
            add(PaperOption::Role::Recommended, rows.front()->answer, riskOf(rows.front()->answer));
        else if (!rows.empty())
            offer(rows.front()->answer);
        if (rows.size() > 1)
            offer(rows[1]->answer);
        if (const auto *other = m_result.paidOtherwise())
            offer(other->answer);
        if (m_result.baseCase)
            add(PaperOption::Role::BaseCase, *m_result.baseCase, m_sure ? m_sure->of(std::nullopt) : nullptr);
        doNothing();
    }

    /// worth-it.md, section 4: what is owned, with no new capital; without any, no training and no cost.
    void doNothing()
    {
        if (m_result.best() && isKept(m_result, *m_result.best()))
            return; // is what is recommended
        PaperOption nothing{.role = PaperOption::Role::DoNothing, .name = "Do nothing"};
        const auto kept = std::ranges::find_if(
            m_result.answers, [&](const LotAnswer &lot) { return isKept(m_result, lot.answer); });
        if (kept != m_result.answers.end()) {
            const auto &answer = kept->answer;
            std::erase_if(m_paper.options, [&](const PaperOption &option) { return option.answer == &answer; });
            nothing.answer = &answer;
            nothing.risk = riskOf(answer);
            nothing.figures = likelyFigures(answer, nothing.risk);
            nothing.name += ": keep " + units::format(double(answer.nodes), units::Dimension::Number) + " \u00d7 "
                + m_result.lots[answer.lot].node;
            nothing.note = answer.isFeasible() ? "nothing is bought" : missesInWords(answer);
        } else if (!m_document.candidates.owned.empty()) {
            nothing.note = "nothing new is bought; the owned fleets alone are not among the answers";
        } else {
            auto &figures = nothing.figures;
            figures.capitalUsd = figures.runCostUsd = figures.yearlyUsd = figures.facilityWatts = 0;
            figures.days = std::numeric_limits<double>::infinity();
            nothing.note = "no training, and no cost";
        }
        m_paper.options.push_back(std::move(nothing));
    }

    /// What the input that makes a figure worst does to it.
    [[nodiscard]] std::string swingInWords(const uncertainty::FleetRisk &risk, RiskFigure figure, SizeLimit limit,
        std::string_view what, bool (*counts)(const uncertainty::RiskInput &)) const
    {
        const auto &spread = risk.spread(figure);
        const auto &tornado = risk.tornado(figure);
        const auto worstOf = [](const uncertainty::RiskSwing &swing) { return std::max(swing.atLow, swing.atHigh); };
        const uncertainty::RiskSwing *worst = nullptr;
        for (const auto &swing : tornado)
            if (counts(m_sure->risk.inputs[swing.input]) && std::isfinite(worstOf(swing))
                && (!worst || worstOf(swing) > worstOf(*worst)))
                worst = &swing;
        if (!spread || !worst || worstOf(*worst) <= spread->likely)
            return {};
        return m_sure->risk.inputs[worst->input].label + " alone may make " + std::string(what) + " "
            + valueInWords(limit, worstOf(*worst)) + " instead of " + valueInWords(limit, spread->likely) + ".";
    }

    /// What is bought costs as much where these jobs alone use it.
    [[nodiscard]] std::string idleInWords(const Answer &best) const
    {
        const auto &figures = m_paper.options.front().figures;
        constexpr double most = 0.5; // of a year: with more the jobs are what the fleet is for
        const double share = figures.runCostUsd / figures.yearlyUsd;
        if (m_result.lots[best.lot].paying.paying != Paying::Own || isKept(m_result, best) || !(share < most))
            return {};
        return "The jobs are " + days(figures.days) + " of work for a fleet that costs " + money(figures.yearlyUsd)
            + " a year: " + money(figures.runCostUsd)
            + " is their share, and the rest is paid whether other work is found or not.";
    }

    void risks(const Answer &best)
    {
        const auto *risk = m_paper.options.front().risk;
        if (!risk)
            return;
        const auto push = [&](std::string sentence) {
            if (!sentence.empty() && m_paper.risks.size() < mostPaperRisks)
                m_paper.risks.push_back(std::move(sentence));
        };
        if (m_sure->measured)
            push(validation::warningInWords(*m_sure->measured));
        if (const auto &spread = risk->spread(RiskFigure::Days); spread && std::isfinite(spread->quantiles.p90)) {
            const bool isMissed = risk->deadline && risk->deadline->share < 1;
            auto late = isMissed ? "The date is missed in " + units::formatPercent(1 - risk->deadline->share)
                    + " of the draws: one run in ten takes more than " + days(spread->quantiles.p90)
                                 : "One run in ten takes more than " + days(spread->quantiles.p90);
            const auto why = swingInWords(*risk, RiskFigure::Days, SizeLimit::Deadline, "it",
                [](const uncertainty::RiskInput &) { return true; });
            push(late + "." + (why.empty() ? "" : " " + why));
        }
        if (const auto whole = reservationUsd(m_result, best))
            push("The reservation costs " + money(*whole) + " whether the fleet works or not.");
        else
            push(idleInWords(best));
        const double none = m_sure->risk.none ? m_sure->risk.none->share : 0;
        const double others = 1 - risk->best.share - none;
        constexpr double noise = 1e-9; // of shares that add up to 1
        if (const auto &rank = m_sure->risk.rank; rank && others > noise) {
            const auto &other =
                m_sure->risk.fleets[&m_sure->risk.fleets[rank->winner] == risk ? rank->runnerUp : rank->winner];
            push("Another fleet is the better choice in " + units::formatPercent(others) + " of the draws, most often "
                + other.label + " (" + units::formatPercent(other.best.share) + ").");
        }
        push(swingInWords(*risk, RiskFigure::RunCost, SizeLimit::RunCost, "the run cost",
            [](const uncertainty::RiskInput &input) { return input.kind == uncertainty::RiskInput::Kind::Price; }));
        if (none > noise)
            push("No fleet keeps the limits in " + units::formatPercent(none) + " of the draws.");
    }

    void asked(const Answer &best)
    {
        const auto &lot = m_result.lots[best.lot];
        const auto &[role, name, answer, figures, risk, note] = m_paper.options.front();
        const auto power = valueInWords(SizeLimit::Power, figures.facilityWatts) + " of facility power";
        if (isKept(m_result, best)) {
            m_paper.asked.push_back("No capital: the fleet is there. It needs " + power + " while it works.");
            return;
        }
        std::string text = "Approval of ";
        if (lot.paying.paying == Paying::Own)
            text += rangedInWords(SizeLimit::Capital, figures.capitalUsd, risk, RiskFigure::Capital) + " of capital";
        else if (const auto whole = reservationUsd(m_result, best))
            text += money(*whole) + " of rent until the reservation ends";
        else
            text += money(figures.runCostUsd) + " of rent for these jobs";
        m_paper.asked.push_back(text + " and of " + power + ".");
        const bool isDated = std::isfinite(best.figures.readyDays) || m_document.limits.deliveryBy;
        if (const auto calendar = calendarInWords(m_document, best); isDated && !calendar.empty())
            m_paper.asked.push_back("The days count from the start of the run: " + calendar + ".");
        else if (m_document.order)
            m_paper.asked.push_back("Order on " + dateText(*m_document.order)
                + (lot.paying.paying == Paying::Own ? "; how long the delivery takes is not known: ask for it, the "
                                                      "days count from the start of the run."
                                                    : "; the days count from the start of the run."));
        for (const auto &reference : m_document.candidates.offers)
            if (const auto *offer = std::get_if<OfferDocument>(&reference);
                offer && offer->validUntil && labelOf(*offer) == lot.label)
                m_paper.asked.push_back("The offer stands until " + dateText(*offer->validUntil) + ".");
    }

    static constexpr double secondsInDay = 86400;
    const DecisionDocument &m_document;
    const Catalog &m_catalog;
    const Result &m_result;
    const HowSure *m_sure;
    DecisionPaper m_paper;
};

} // namespace

DecisionPaper paperOf(
    const DecisionDocument &document, const Catalog &catalog, const Result &result, const HowSure *sure)
{
    return Paper(document, catalog, result, sure).all();
}

} // namespace fleetwright::size
