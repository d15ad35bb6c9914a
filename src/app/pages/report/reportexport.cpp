// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/report/reportexport.h"

namespace fleetwright::app {

ReportExport::ReportExport(ReportJob::Solver solver, QObject *parent) : QObject(parent), m_job(std::move(solver))
{
    m_steps.setInterval(0);
    connect(&m_steps, &QTimer::timeout, this, &ReportExport::drawStep);
    // Drawing is as much again, as far as is known before there is anything to draw.
    connect(&m_job, &ReportJob::progressed, this, [this](int done, int total) { emit progressed(done, 2 * total); });
    connect(&m_job, &ReportJob::finished, this, [this](const MadeReportOutcome &outcome) {
        if (!outcome) {
            emit finished(std::unexpected(outcome.error()));
            return;
        }
        if ((*outcome)->scored)
            emit scored((*outcome)->scored);
        m_rendering = m_draw((*outcome)->document);
        m_drawn = 0;
        m_steps.start();
    });
}

void ReportExport::start(ReportContents contents, Draw draw, Write write)
{
    cancel();
    if (isWriting())
        return;
    m_draw = std::move(draw);
    m_target = std::move(write);
    m_plans = int(contents.plans.size());
    m_job.start(std::move(contents));
    emit progressed(0, 2 * m_plans);
}

void ReportExport::cancel()
{
    m_job.cancel();
    m_steps.stop();
    m_rendering.reset();
}

bool ReportExport::isRunning() const { return m_job.isRunning() || m_rendering || m_write.isRunning(); }

void ReportExport::drawStep()
{
    m_rendering->step();
    const int all = m_rendering->steps();
    emit progressed(m_plans * all + ++m_drawn * m_plans, 2 * m_plans * all);
    if (m_rendering && m_drawn >= all)
        write();
}

void ReportExport::write()
{
    m_steps.stop();
    using Written = Expected<QByteArray>;
    m_write.start(
        [rendering = std::exchange(m_rendering, nullptr), write = m_target](const jobs::LatestRun::Run &) -> Written {
            auto bytes = rendering->bytes();
            if (bytes)
                if (auto done = write(*bytes); !done)
                    return std::unexpected(std::move(done.error()));
            return bytes;
        },
        [](const std::string &what) {
            return refuse(ErrorCode::IoError, {}, "The report could not be written (" + what + "); free memory.");
        },
        [this](const Written &outcome) { emit finished(outcome); });
    emit writing();
}

} // namespace fleetwright::app
