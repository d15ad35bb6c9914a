// SPDX-License-Identifier: GPL-3.0-or-later
// The two cards: the best fleet, or what comes closest, beside the base case (part of DecidePage).
#include "app/pages/decide/decidepage.h"

#include "app/pages/decide/decideapprovals.h"
#include "app/wording.h"
#include "app/workspace/workspace.h"
#include "solver/size/leftoutwords.h"
#include "solver/size/pricesource.h"
#include "solver/size/sizewords.h"
#include "text/localized.h"
#include "ui_decidepage.h"

namespace fleetwright::app {

/// On the tab and on the card: what was approved is no longer what is asked, or no longer the answer.
void DecidePage::markApproval()
{
    auto &ui = *m_ui;
    const auto unfit = ui.answer->approvals().unfitOf(m_current);
    ui.answer->markApproved(unfit);
    if (m_answer.result && !m_answer.result->answers.empty())
        ui.winnerCard->setTitle(m_answer.result->best() ? tr("Best") : tr("Closest to all limits"),
            unfit.isEmpty() ? QString() : tr("\u26a0 not as approved"),
            unfit.isEmpty() ? QString() : tr("What was approved no longer fits: %1").arg(unfit));
}

void DecidePage::showCards()
{
    auto &ui = *m_ui;
    const auto *result = m_answer.result.get();
    const auto riskOf = [this](std::optional<std::size_t> place) {
        return m_answer.sure ? m_answer.sure->of(place) : nullptr;
    };
    if (!result || result->answers.empty())
        ui.winnerCard->showNone(tr("The best fleet stands here once the question is answered."));
    else {
        const bool any = result->best() != nullptr;
        markApproval();
        ui.winnerCard->showFleet(m_answer.document, *result, result->answers.front().answer, riskOf(0));
        ui.winnerCard->explainMoney(*result, result->answers.front().answer, m_answer.sure.get());
        if (const auto &sure = m_answer.sure) {
            QStringList paying;
            if (sure->buyOrRent)
                for (const auto &sentence : sure->buyOrRent->first)
                    paying << localized(sentence);
            const auto &first = result->answers.front().answer;
            const auto weak = size::weakPrice(*m_workspace.catalog(), *result, first);
            m_weakPrices.clear();
            if (weak)
                for (const auto &id : weak->ids)
                    m_weakPrices << utf8(id);
            QStringList warnings;
            for (const auto &warning : {any ? size::capitalInWords(m_answer.document, first) : std::string(),
                     sure->measured ? validation::warningInWords(*sure->measured) : std::string(),
                     sure->measured ? validation::timedOtherwiseInWords(*sure->measured) : std::string()})
                if (!warning.empty())
                    warnings << localized(warning);
            warnings << sentencesOf(size::notCountedInWords(*m_workspace.catalog(), *result, first));
            if (weak) // last: the link is to these prices
                warnings << localized(weak->sentence);
            ui.winnerCard->setNotes(warnings, paying, weak.has_value());
        }
        if (const auto chance = size::chanceToDemand(m_answer.document, *result, riskOf(0)))
            ui.winnerCard->setDemand(tr("demand %1").arg(percent(*chance)));
    }
    if (result && result->baseCase) {
        ui.baseCard->showFleet(m_answer.document, *result, *result->baseCase, riskOf(std::nullopt));
        ui.baseCard->explainMoney(*result, *result->baseCase, m_answer.sure.get());
    } else
        ui.baseCard->showNone(tr("Choose a fleet below and press Base case to compare with it."));
}

} // namespace fleetwright::app
