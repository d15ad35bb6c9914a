// SPDX-License-Identifier: GPL-3.0-or-later
// What is done with a fleet of the answer: a plan, a ledger entry, the base case, an approval.
#include "app/pages/decide/decidepage.h"
#include "app/pages/decide/startingdecision.h"
#include "app/pages/plan/planrows.h"
#include "app/wording.h"
#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"
#include "exchange/sizeresults.h"
#include "solver/size/sizewords.h"
#include "solver/size/usedvalues.h"
#include "ui_decidepage.h"

#include <QDateTime>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

void DecidePage::makePlans(std::size_t answer)
{
    if (!m_answer.result || answer >= m_answer.result->answers.size() || m_workspace.isReadOnly())
        return;
    const auto &chosen = m_answer.result->answers[answer].answer;
    std::optional<storage::RowId> first;
    for (std::size_t job = 0; job < chosen.jobs.size(); ++job) {
        auto plan = size::planOf(m_answer.document, *m_answer.result, chosen, job);
        plan.name = freeName(plan.name, m_workspace.plans());
        const auto id = m_workspace.addPlan(plan);
        if (!id) {
            m_prompts.showError(this, tr("The plan was not added"), id.error());
            return;
        }
        first = first.value_or(*id);
    }
    if (first)
        emit planRequested(*first);
    else
        emit statusMessage(tr("No layout of the jobs fits this fleet, so there is no plan to make."));
}

void DecidePage::record(std::size_t answer)
{
    if (!m_answer.result || answer >= m_answer.result->answers.size() || m_workspace.isReadOnly())
        return;
    const auto entry = ledgerEntryOn(m_answer.document, *m_answer.result, m_answer.result->answers[answer],
        QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString());
    if (const auto id = m_workspace.addLedgerEntry(entry); !id)
        m_prompts.showError(this, tr("The ledger entry was not added"), id.error());
    else
        emit statusMessage(tr("Recorded in the ledger"));
}

void DecidePage::takeAsBase(std::size_t answer)
{
    if (!m_answer.result || answer >= m_answer.result->answers.size())
        return;
    const auto &result = *m_answer.result;
    change({}, [&](DecisionDocument &d) { d.baseCase = size::fleetOf(result, result.answers[answer].answer); });
}

void DecidePage::approve()
{
    m_workspace.settle();
    const auto *saved = m_workspace.decision(m_current);
    if (!saved || m_stale || !m_answer.result || !m_answer.result->best() || m_workspace.isReadOnly())
        return;
    const auto fleet = utf8(size::fleetInWords(*m_answer.result, *m_answer.result->best()));
    if (!m_prompts.confirm(this, tr("Approve"),
            tr("Approve %1? Question, answer and the prices behind it are frozen as they are now.").arg(fleet),
            tr("Approve")))
        return;
    const ApprovedDecision approved{.name = saved->document.name,
        .when = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString(),
        .decision = saved->document,
        .answer = exchange::storedSizeResult(*m_answer.result),
        .inputHash = m_answer.inputHash,
        .values = size::usedValues(saved->document, *m_answer.result, *m_workspace.catalog())};
    if (const auto id = m_workspace.addApproval(approved); !id) {
        m_prompts.showError(this, tr("The decision was not approved"), id.error());
        return;
    }
    m_ui->answer->setCurrentIndex(m_ui->answer->count() - 1);
    emit statusMessage(tr("Approved %1").arg(fleet));
}

} // namespace fleetwright::app
