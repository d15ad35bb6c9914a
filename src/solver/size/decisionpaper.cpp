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
            m_paper.recommendation = headline(*best);
            m_paper.reasons = std::move(sentences);
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
        const auto rows = m_result.byNode();
        for (std::size_t place = 0; m_sure && place < rows.size(); ++place)
            if (&rows[place]->answer == &answer)
                return m_sure->of(place);
        return nullptr;
    }

    [[nodiscard]] std::string headline(const Answer &best) const
    {
        const auto *risk = riskOf(best);
        const auto &figures = best.figures;
        const auto &lot = m_result.lots[best.lot];
        auto text = actionInWords(m_result, best) + ", " + lot.fabric + ", for ";
        if (lot.paying.paying == Paying::Own)
            text += rangedInWords(SizeLimit::Capital, figures.capitalUsd, risk, RiskFigure::Capital);
        else if (const auto whole = reservationUsd(m_result, best))
            text += money(*whole) + " until the reservation ends";
        else
            text += rangedInWords(SizeLimit::RunCost, figures.runCostUsd, risk, RiskFigure::RunCost);
        text += ": " + jobsInOneLine(m_document, m_catalog) + " in "
            + rangedInWords(SizeLimit::Deadline, figures.days, risk, RiskFigure::Days);
        if (const auto &deadline = m_document.limits.plan.deadline)
            if (const auto chance = chanceOf(m_paper.options.front()))
                text += ", " + units::formatPercent(*chance) + " by "
                    + statedInWords({SizeLimit::Deadline, deadline->value() / secondsInDay});
        return text + ", " + valueInWords(SizeLimit::Power, figures.facilityWatts) + ".";
    }

    void add(PaperOption::Role role, const Answer &answer, const uncertainty::FleetRisk *risk)
    {
        const bool isThere = std::ranges::any_of(m_paper.options,
            [&](const PaperOption &option) { return option.answer && shortOf(*option.answer) == shortOf(answer); });
        if (isThere || m_paper.options.size() + 1 >= mostPaperOptions) // one is left for doing nothing
            return;
        PaperOption option{.role = role, .name = actionInWords(m_result, answer), .answer = &answer, .risk = risk};
        if (role == PaperOption::Role::Recommended)
            option.note = "recommended";
        else if (!answer.isFeasible())
            option.note = missesInWords(answer);
        else if (const auto *best = m_result.best())
            option.note = moreThan(*best, answer);
        if (role == PaperOption::Role::BaseCase)
            option.note = "base case" + (option.note.empty() ? "" : ": " + option.note);
        m_paper.options.push_back(std::move(option));
    }
    [[nodiscard]] std::string shortOf(const Answer &answer) const { return fleetInWords(m_result, answer); }

    [[nodiscard]] std::string moreThan(const Answer &best, const Answer &answer) const
    {
        const double least = valueOf(m_document.objective, best.figures),
                     value = valueOf(m_document.objective, answer.figures);
        if (!(least > 0) || !std::isfinite(value))
            return {};
        return units::formatPercent(std::abs(value / least - 1)) + (value < least ? " less " : " more ")
            + std::string(words(m_document.objective));
    }

    void options()
    {
        const auto rows = m_result.byNode();
        if (!rows.empty())
            add(m_result.best() ? PaperOption::Role::Recommended : PaperOption::Role::Alternative, rows.front()->answer,
                riskOf(rows.front()->answer));
        constexpr std::size_t otherNodes = 1;
        for (std::size_t i = 1; i < rows.size() && i <= otherNodes; ++i)
            add(PaperOption::Role::Alternative, rows[i]->answer, riskOf(rows[i]->answer));
        if (!rows.empty()) { // the same question, paid for in the other way
            const auto paying = m_result.lots[rows.front()->answer.lot].paying.paying;
            const auto other = std::ranges::find_if(m_result.answers, [&](const LotAnswer &lot) {
                return m_result.lots[lot.answer.lot].paying.paying != paying && !lot.answer.jobs.empty();
            });
            if (other != m_result.answers.end())
                add(PaperOption::Role::Alternative, other->answer, riskOf(other->answer));
        }
        if (m_result.baseCase)
            add(PaperOption::Role::BaseCase, *m_result.baseCase, m_sure ? m_sure->of(std::nullopt) : nullptr);
        PaperOption nothing{.role = PaperOption::Role::DoNothing, .name = "Do nothing"};
        nothing.note = "no training, and no cost beyond what is owned";
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

    void risks(const Answer &best)
    {
        const auto *risk = riskOf(best);
        if (!risk)
            return;
        const auto push = [&](std::string sentence) {
            if (!sentence.empty() && m_paper.risks.size() < mostPaperRisks)
                m_paper.risks.push_back(std::move(sentence));
        };
        if (const auto &spread = risk->spread(RiskFigure::Days); spread && std::isfinite(spread->quantiles.p90)) {
            auto late = risk->deadline ? "The date is missed in " + units::formatPercent(1 - risk->deadline->share)
                    + " of the draws: one run in ten takes more than " + days(spread->quantiles.p90)
                                       : "One run in ten takes more than " + days(spread->quantiles.p90);
            const auto why = swingInWords(*risk, RiskFigure::Days, SizeLimit::Deadline, "it",
                [](const uncertainty::RiskInput &) { return true; });
            push(late + "." + (why.empty() ? "" : " " + why));
        }
        push(swingInWords(*risk, RiskFigure::RunCost, SizeLimit::RunCost, "the run cost",
            [](const uncertainty::RiskInput &input) { return input.kind == uncertainty::RiskInput::Kind::Price; }));
        if (const auto &rank = m_sure->risk.rank; rank && risk->best.share < 1) {
            const auto &other =
                m_sure->risk.fleets[&m_sure->risk.fleets[rank->winner] == risk ? rank->runnerUp : rank->winner];
            push("Another fleet is the better choice in " + units::formatPercent(1 - risk->best.share)
                + " of the draws, most often " + other.label + " (" + units::formatPercent(other.best.share) + ").");
        }
        if (const auto whole = reservationUsd(m_result, best))
            push("The reservation costs " + money(*whole) + " whether the fleet works or not.");
    }

    void asked(const Answer &best)
    {
        const auto &lot = m_result.lots[best.lot];
        const auto &figures = best.figures;
        const auto *risk = riskOf(best);
        std::string text = "Approval of ";
        if (lot.paying.paying == Paying::Own)
            text += rangedInWords(SizeLimit::Capital, figures.capitalUsd, risk, RiskFigure::Capital) + " of capital";
        else if (const auto whole = reservationUsd(m_result, best))
            text += money(*whole) + " of rent until the reservation ends";
        else
            text += money(figures.runCostUsd) + " of rent for these jobs";
        text += " and of " + valueInWords(SizeLimit::Power, figures.facilityWatts) + " of facility power";
        if (m_document.order && std::isfinite(figures.readyDays))
            text += " from "
                + dateText(*m_document.order + std::chrono::days(std::int64_t(std::ceil(figures.readyDays))));
        m_paper.asked.push_back(text + ".");
        if (m_document.order)
            m_paper.asked.push_back("Order by " + dateText(*m_document.order) + ".");
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
