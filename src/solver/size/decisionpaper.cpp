// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/decisionpaper.h"

#include "domain/calendarday.h"
#include "solver/size/bettersteps.h"
#include "solver/size/leftoutwords.h"
#include "solver/size/pricesource.h"
#include "solver/size/sizewords.h"
#include "solver/size/surewords.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace fleetwright::size {

namespace {

using uncertainty::RiskFigure;

std::string money(double usd) { return units::format(Dollars::from_value(usd)); }
std::string days(double number) { return valueInWords(SizeLimit::Deadline, number); }

/// "273 MUSD (230 to 278)": the likely value and eight draws in ten.
std::string rangedInWords(SizeLimit limit, double likely, const uncertainty::FleetRisk *risk, RiskFigure figure)
{
    const auto *spread = risk && risk->spread(figure) ? &*risk->spread(figure) : nullptr;
    return spread ? rangeInWords(limit, likely, spread->range().p10, spread->range().p90) : valueInWords(limit, likely);
}

/// What is owned already, with nothing new.
bool isKept(const Result &result, const Answer &answer)
{
    const auto &lot = result.lots[answer.lot];
    return lot.ownedNodes > 0 && answer.nodes <= lot.ownedNodes && !answer.second;
}

/// Likely values of the draws where there are any, and the chance of the deadline as asDrawn() has it.
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
    const double chance = option.answer ? option.figures.deadlineChance : unknownFigure;
    return std::isnan(chance) ? std::nullopt : std::optional(chance);
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
            std::erase(sentences, leadTimeInWords(m_result, *best)); // is among the first of the risks
            std::erase(sentences, measuredInWords(m_result));
            if (isDecisionSeen(*best))
                m_paper.decides = measuredInShort(m_result);
            m_paper.recommendation = headline(*best);
            m_paper.reasons.assign(sentences.begin() + 1, sentences.end()); // the headline says the first
            risks(*best);
            // What is said of risks takes the room on the page that what limits keep out would have.
            std::size_t keptOutSaid = leadTimeInWords(m_result, *best).empty() ? sizeLimitCount : 1;
            if (m_paper.risks.size() + 1 >= mostPaperRisks)
                keptOutSaid = 0;
            for (const auto &kept : keptOutInWords(m_document, m_result) | std::views::drop(keptOutSaid))
                std::erase(m_paper.reasons, kept);
            m_paper.alternative = otherBatchInShort(m_document, m_result);
            if (!m_paper.alternative.empty()) { // says it in a line
                m_paper.alternative += " The team that trains has to agree to it.";
                std::erase(m_paper.reasons, otherBatchInWords(m_document, m_result));
            }
            if (m_paper.risks.size() >= mostPaperRisks && !m_paper.alternative.empty())
                dropSaidRisks(*best);
            else if (m_paper.risks.size() >= mostPaperRisks
                && m_paper.reasons.size() > 1) // what speaks against it stays
                m_paper.reasons.erase(m_paper.reasons.begin(), m_paper.reasons.end() - 1);
            asked(*best);
        } else {
            m_paper.recommendation = sentences.front();
            m_paper.reasons.assign(sentences.begin() + 1, sentences.end());
            // Where no limit has to be moved for it, it is the first thing to know.
            if (const auto batch = otherBatchInWords(m_document, m_result); !batch.empty()) {
                m_paper.recommendation += " " + batch;
                std::erase(m_paper.reasons, batch);
            }
            m_paper.asked = movesInWords(m_document, m_result);
        }
        return std::move(m_paper);
    }

private:
    /// Of the reasons those that the risks say as well: what comes of the draws, and what a reservation costs.
    void dropSaidRisks(const Answer &best)
    {
        const auto withoutDraws = recommendation(m_document, m_result);
        const auto whole = reservationUsd(m_result, best);
        const auto *other = rivalOf(m_paper.options.front().risk);
        const auto namesOther = [&](const std::string &sentence) { return other && sentence.contains(other->label); };
        const bool isOtherSaid = std::ranges::any_of(m_paper.risks, namesOther);
        std::erase_if(m_paper.reasons, [&](const std::string &reason) {
            const bool isOfDraws = std::ranges::find(withoutDraws, reason) == withoutDraws.end();
            return isOfDraws ? isOtherSaid || !namesOther(reason) : whole && reason.contains(money(*whole));
        });
    }

    /// Which of the first two in the draws is not this one; nullptr where they have no order.
    [[nodiscard]] const uncertainty::FleetRisk *rivalOf(const uncertainty::FleetRisk *risk) const
    {
        return risk ? size::rivalOf(m_sure->risk, *risk) : nullptr;
    }

    [[nodiscard]] const uncertainty::FleetRisk *riskOf(const Answer &answer) const
    {
        return m_sure ? m_sure->of(m_result, answer) : nullptr;
    }

    [[nodiscard]] const uncertainty::FleetRisk *riskOfDays(const Answer &answer) const
    {
        return m_sure ? size::riskOfDays(*m_sure, m_result, answer) : nullptr;
    }

    /// Whether what runs decide is seen: figures of the draws stand here, and they may read as without the runs.
    [[nodiscard]] bool isDecisionSeen(const Answer &best) const
    {
        const auto &shown = m_paper.options.front().figures;
        const auto *formula = m_result.byFormula && m_result.byFormula->best ? &*m_result.byFormula->best : nullptr;
        const bool isOther = formula && (formula->lot != best.lot || formula->nodes != best.nodes);
        return isOther || !best.byFormula || days(shown.days) != days(best.byFormula->days)
            || money(shown.runCostUsd) != money(best.byFormula->runCostUsd);
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
        if ((lot.paying.paying == Paying::Own || reservationUsd(m_result, best)) && std::isfinite(figures.runCostUsd))
            text += ", for " + rangedInWords(SizeLimit::RunCost, figures.runCostUsd, risk, RiskFigure::RunCost);
        if (const auto &deadline = m_document.limits.plan.deadline)
            if (const auto chance = chanceOf(m_paper.options.front()))
                text += ", in time (" + statedInWords({SizeLimit::Deadline, deadline->value() / secondsInDay})
                    + ") with a chance of " + chanceInWords(*chance)
                    + (demanded() ? " (demanded: " + units::formatPercent(*demanded()) + ")" : "");
        return text + ", " + valueInWords(SizeLimit::Power, figures.facilityWatts) + ".";
    }

    [[nodiscard]] const std::optional<double> &demanded() const { return m_document.limits.deadlineChance; }

    /// With batches that the jobs do not state.
    [[nodiscard]] bool isOfOtherBatch(const Answer &answer) const
    {
        return m_result.otherBatch && m_result.otherBatch->best && &answer == &*m_result.otherBatch->best;
    }

    void add(PaperOption::Role role, const Answer &answer, const uncertainty::FleetRisk *risk)
    {
        const bool isThere = std::ranges::any_of(m_paper.options, [&](const PaperOption &option) {
            return option.answer && nameOf(*option.answer) == nameOf(answer) && !isOfOtherBatch(*option.answer);
        });
        if (isThere || m_paper.options.size() + 1 >= mostPaperOptions) // one is left for doing nothing
            return;
        const auto judged = asDrawn(m_document, answer, risk);
        PaperOption option{.role = role,
            .name = actionInWords(m_result, answer),
            .answer = &answer,
            .figures = likelyFigures(judged, risk),
            .risk = risk};
        for (auto &other : m_paper.options)
            if (other.name == option.name) // two that are told apart by what else they are
                for (auto *each : {&other, &option})
                    if (const auto distinction = distinctionInWords(m_result, *each->answer); !distinction.empty())
                        each->name += ", " + distinction;
        if (role == PaperOption::Role::Recommended)
            option.note = isKept(m_result, answer) ? "recommended: nothing is bought" : "recommended";
        else if (isOfOtherBatch(answer))
            option.note = "keeps all limits, with " + batchesInWords(m_document, m_result);
        else if (!judged.isFeasible())
            option.note = missesInWords(judged);
        else if (m_result.best())
            option.note = moreThan(m_paper.options.front().figures, option.figures);
        if (const auto whole = reservationUsd(m_result, answer))
            option.note += (option.note.empty() ? "binds " : "; binds ") + money(*whole);
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
        if (!any && !otherBatches(m_document, m_result).empty())
            add(PaperOption::Role::Alternative, *m_result.otherBatch->best, nullptr);
        if (any)
            add(PaperOption::Role::Recommended, rows.front()->answer, riskOf(rows.front()->answer));
        else if (!rows.empty())
            offer(rows.front()->answer);
        if (rows.size() > 1)
            offer(rows[1]->answer);
        if (const auto *other = m_result.paidOtherwise())
            offer(other->answer);
        if (const auto *hourly = m_result.cheapestUncommitted(); any && hourly)
            add(PaperOption::Role::Alternative, hourly->answer, riskOfDays(hourly->answer));
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
            const auto judged = asDrawn(m_document, answer, nothing.risk);
            nothing.figures = likelyFigures(judged, nothing.risk);
            nothing.name += ": keep " + units::format(double(answer.nodes), units::Dimension::Number) + " \u00d7 "
                + m_result.lots[answer.lot].node;
            nothing.note = judged.isFeasible() ? "nothing is bought" : missesInWords(judged);
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
        const auto push = [&](std::string sentence) {
            if (!sentence.empty() && m_paper.risks.size() < mostPaperRisks)
                m_paper.risks.push_back(std::move(sentence));
        };
        const auto *risk = m_paper.options.front().risk;
        const auto another = risk ? anotherInWords(*risk) : std::string();
        const auto *other = rivalOf(risk);
        const bool isOftener = other && other->best.share >= risk->best.share;
        if (isOftener)
            push(another);
        push(leadTimeInWords(m_result, best));
        if (risk && m_sure->measured)
            push(validation::warningInWords(*m_sure->measured));
        std::string notCounted;
        for (const auto &sentence : notCountedInWords(m_catalog, m_result, best))
            notCounted += (notCounted.empty() ? "" : " ") + sentence;
        if (m_sure && m_sure->spares && m_sure->spares->changes) {
            std::string sentence = m_sure->spares->sentence;
            const bool isSaid = notCounted.find(" spare ") != std::string::npos;
            if (isSaid && sentence.starts_with(withSparesForAll)) { // of which and of what the page has said enough
                sentence.replace(0, withSparesForAll.size(), "With spares for all, ");
                if (const auto at = sentence.find(", in place of "); at != std::string::npos)
                    sentence.erase(at, sentence.find(": ", at) - at);
            }
            notCounted += (notCounted.empty() ? "" : " ") + sentence;
        }
        push(std::move(notCounted));
        if (!risk)
            return;
        if (const auto &spread = risk->spread(RiskFigure::Days); spread && std::isfinite(spread->quantiles.p90)) {
            const bool isMissed = risk->deadline && risk->deadline->share < 1;
            constexpr double few = 0.01;
            const double missed = risk->deadline ? 1 - risk->deadline->share : 0;
            const auto share = missed < few ? "less than " + units::formatPercent(few) : units::formatPercent(missed);
            const auto slow = days(spread->quantiles.p90);
            const auto late = !isMissed ? "One run in ten takes more than " + slow
                : demanded()
                ? "The date is missed in " + share + " of the draws, where the demanded chance allows "
                    + units::formatPercent(1 - *demanded()) + ": one run in ten takes more than " + slow
                : "The date is missed in " + share + " of the draws: one run in ten takes more than " + slow;
            const auto why = swingInWords(*risk, RiskFigure::Days, SizeLimit::Deadline, "it",
                [](const uncertainty::RiskInput &) { return true; });
            push(late + "." + (why.empty() ? "" : " " + why));
        }
        if (const auto weak = weakPrice(m_catalog, m_result, best))
            push(weak->sentence);
        if (const auto whole = reservationUsd(m_result, best))
            push("The reservation costs " + money(*whole) + " whether the fleet works or not.");
        else
            push(idleInWords(best));
        if (!isOftener)
            push(another);
        push(swingInWords(*risk, RiskFigure::RunCost, SizeLimit::RunCost, "the run cost",
            [](const uncertainty::RiskInput &input) { return input.kind == uncertainty::RiskInput::Kind::Price; }));
        if (const double none = noneShare(); none > noise && another.empty())
            push("No fleet keeps the limits in " + units::formatPercent(none) + " of the draws.");
    }

    static constexpr double noise = 1e-9; // of shares that add up to 1
    [[nodiscard]] double noneShare() const { return m_sure->risk.none ? m_sure->risk.none->share : 0; }

    /// How often not this fleet is the best.
    [[nodiscard]] std::string anotherInWords(const uncertainty::FleetRisk &risk) const
    {
        return othersInWords(m_sure->risk, risk);
    }

    /// Whoever rents out has the power; a limit on it was asked of all fleets alike.
    [[nodiscard]] std::string providersPower() const
    {
        const auto &figures = m_paper.options.front().figures;
        auto text = "The provider\u2019s site supplies the " + valueInWords(SizeLimit::Power, figures.facilityWatts);
        if (const auto &most = m_document.limits.plan.facilityPower)
            text += "; the limit of " + valueInWords(SizeLimit::Power, most->value())
                + " was held against every fleet, bought or rented";
        return text + ".";
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
        text += lot.paying.paying == Paying::Own ? " and of " + power + "."
                                                 : "; no power of the own site. " + providersPower();
        const auto missed = m_sure && m_sure->money ? costs::moneyRangeInShort(*m_sure->money, lot.paying.paying)
                                                    : std::string();
        m_paper.asked.push_back(missed.empty() ? text : text + " " + missed);
        const bool isDated = std::isfinite(best.figures.readyDays) || m_document.limits.deliveryBy;
        if (const auto calendar = calendarInWords(m_document, best); isDated && !calendar.empty())
            m_paper.asked.push_back("The days count from the start of the run: " + calendar + ".");
        else if (m_document.order)
            m_paper.asked.push_back("Order on " + dateText(*m_document.order)
                + (lot.paying.paying == Paying::Own ? "; ask how long the delivery takes."
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
