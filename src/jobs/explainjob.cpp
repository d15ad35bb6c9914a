// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/explainjob.h"

namespace fleetwright::jobs {

ExplainJob::ExplainJob(QObject *parent) : ExplainJob([](const Plan &plan) { return detailed::explain(plan); }, parent)
{
}

ExplainJob::ExplainJob(Explainer explainer, QObject *parent) : QObject(parent), m_explainer(std::move(explainer)) { }

ExplainJob::~ExplainJob() = default;

void ExplainJob::start(Plan plan)
{
    m_run.start(
        [explainer = m_explainer, plan = std::move(plan)](const LatestRun::Run &) { return shared(explainer(plan)); },
        [](const std::string &what) {
            return refuse(ErrorCode::UnsupportedValue, {},
                "The plan could not be explained (" + what + "); change the entry that was edited last and report it.");
        },
        [this](const ExplainOutcome &outcome) { emit finished(outcome); });
    emit started();
}

void ExplainJob::cancel() { m_run.cancel(); }

} // namespace fleetwright::jobs
