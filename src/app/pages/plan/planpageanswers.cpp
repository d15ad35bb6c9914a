// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/planpage.h"

#include "app/dialogs/ledgerentrydialog.h"
#include "app/pages/plan/explaindialog.h"
#include "app/pages/plan/launchdialog.h"
#include "app/pages/plan/planrows.h"
#include "app/pages/plan/servingdialog.h"
#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/workspace/exportdocument.h"
#include "app/workspace/prompts.h"
#include "app/workspace/solvedresult.h"
#include "app/workspace/workspace.h"
#include "exchange/plandocuments.h"
#include "solver/answer/decision.h"
#include "text/localized.h"
#include "ui_planpage.h"
#include "units/format.h"

#include <utility>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

void PlanPage::solved(const jobs::SolveOutcome &outcome)
{
    const auto *plan = m_workspace.plan(m_current);
    if (!plan || outcome.document != m_ui->form->document())
        return;
    if (outcome.solution) {
        accept(outcome);
        return;
    }
    m_explainKey.clear();
    m_explainsNext = false;
    Error error = outcome.solution.error();
    if (m_lastField.startsWith(QString::fromStdString(error.field) + u'.'))
        error.field = m_lastField.toStdString(); // a refusal of the group belongs to the entry that caused it
    const bool draftDiffers = plan->document != outcome.document;
    m_ui->form->setRefusal(error);
    m_ui->form->setReplicas({});
    m_ui->form->setLayoutAdvice({}, {});
    m_ui->results->showRefusal(localized(error.message));
    if (m_explain)
        m_explain->showRefusal(localized(error.message));
    emit statusMessage(draftDiffers && !m_savedIsRefused ? tr("Not saved: the plan cannot be solved with these entries")
                                                         : tr("The plan cannot be solved with these entries"));
    if (!draftDiffers) {
        m_savedIsRefused = true;
    } else if (m_savedIsRefused && !m_workspace.isReadOnly()) {
        commit(outcome.document, {});
    }
}

void PlanPage::accept(const jobs::SolveOutcome &outcome)
{
    m_decision = decisionOn(*outcome.plan, *outcome.solution, ledgerTime());
    updateState();
    m_savedIsRefused = false;
    m_ui->form->clearRefusals();
    m_ui->form->setReplicas(outcome.solution->estimate.dp);
    askAboutLayout(outcome);
    m_solvedPlan = outcome.plan;
    if (m_serving)
        m_serving->setPlan(*m_solvedPlan, m_workspace.catalog());
    if (m_launch)
        m_launch->setPlan(*m_solvedPlan, *outcome.solution, outcome.document.workload, m_workspace.catalog());
    m_ui->results->showSolution(*outcome.plan, *outcome.solution, QString::fromStdString(outcome.inputHash),
        outcome.document.fleet, m_workspace.catalog());
    if (m_explain)
        explain(outcome.document);
    if (const auto key = std::exchange(m_explainKey, {}); std::exchange(m_explainsNext, false)) {
        openExplain();
        if (!key.isEmpty())
            m_explain->showFigure(key);
    }
    emit statusMessage(tr("solved in %1").arg(localized(units::format(outcome.elapsed))));
    if (m_workspace.isReadOnly())
        return;
    const auto result = toSavedResult(outcome);
    if (m_workspace.plan(m_current)->document != outcome.document) {
        if (!commit(outcome.document, result))
            revert();
    } else if (const auto kept = m_workspace.saveResult(m_current, *result); !kept) {
        emit statusMessage(localized(kept.error().message));
    }
}

void PlanPage::askAboutLayout(const jobs::SolveOutcome &outcome)
{
    QStringList sentences;
    if (outcome.layout) {
        sentences << localized(gistOf(*outcome.layout));
        for (const auto &sentence : inWords(*outcome.layout))
            sentences << localized(sentence);
    }
    m_ui->form->setFoundLayout(outcome.layout ? std::optional(outcome.layout->row.layout) : std::nullopt);
    m_ui->form->setLayoutAdvice(sentences, {});
    m_asked = outcome;
    const auto site = outcome.solution->range ? m_workspace.ownSite() : nullptr;
    if (!outcome.layout)
        m_layoutJob.start({.plan = *outcome.plan, .found = {}, .site = site});
    else if (!outcome.layout->isFeasible())
        m_layoutJob.start({*outcome.plan, outcome.layout, *outcome.document.bestLayout, site});
}

void PlanPage::advised(const jobs::LayoutAdviceOutcome &outcome)
{
    if (!m_asked || m_asked->document != m_ui->form->document())
        return;
    if (!outcome) { // the plan itself has its answer; only the advice is missing
        m_ui->form->setLayoutAdvice({localized(outcome.error().message)}, {});
        return;
    }
    const auto &advice = **outcome;
    QStringList sentences;
    std::optional<Layout> offered;
    if (advice.best) {
        const auto offer = offerOver(*m_asked->solution, *advice.best);
        offered = offer.layout;
        sentences << localized(offer.sentence);
        for (const auto &sentence : inWords(*advice.best))
            sentences << localized(sentence);
    } else {
        sentences << localized(inWords(advice.remedies));
        for (const auto &sentence : inWords(*m_asked->layout, &advice.remedies))
            sentences << localized(sentence);
    }
    m_ui->form->setLayoutAdvice(sentences, offered);
}

} // namespace fleetwright::app
