// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/missinganswers.h"

#include "app/workspace/solvedresult.h"
#include "app/workspace/workspace.h"
#include "text/localized.h"

#include <algorithm>

namespace fleetwright::app {

MissingAnswers::MissingAnswers(Workspace &workspace, QObject *parent)
    : MissingAnswers(workspace, jobs::SolveJob::usualSolver(), parent)
{
}

MissingAnswers::MissingAnswers(Workspace &workspace, jobs::SolveJob::Solver solver, QObject *parent)
    : QObject(parent), m_workspace(workspace), m_job(std::move(solver))
{
    connect(&m_workspace, &Workspace::projectChanged, this, &MissingAnswers::clear);
    connect(&m_job, &jobs::SolveJob::finished, this, &MissingAnswers::solved);
}

void MissingAnswers::add(storage::RowId plan)
{
    if (m_workspace.isReadOnly() || std::ranges::find(m_waiting, plan) != m_waiting.end())
        return;
    m_waiting.push_back(plan);
    if (m_waiting.size() == 1)
        next();
}

void MissingAnswers::clear()
{
    m_job.cancel();
    m_waiting.clear();
}

void MissingAnswers::next()
{
    while (!m_waiting.empty() && !m_workspace.plan(m_waiting.front()))
        m_waiting.pop_front();
    if (!m_waiting.empty())
        m_job.start(m_workspace.plan(m_waiting.front())->document, m_workspace.catalog(), m_workspace.ownSite());
}

void MissingAnswers::solved(const jobs::SolveOutcome &outcome)
{
    const auto id = m_waiting.front();
    const auto *plan = m_workspace.plan(id);
    if (plan && plan->document != outcome.document) { // edited since: asked again
        next();
        return;
    }
    m_waiting.pop_front();
    if (plan && !outcome.solution)
        emit refused(id, localized(outcome.solution.error().message));
    else if (const auto result = toSavedResult(outcome); plan && result)
        if (const auto kept = m_workspace.saveResult(id, *result); !kept)
            emit failed(kept.error());
    next();
}

} // namespace fleetwright::app
