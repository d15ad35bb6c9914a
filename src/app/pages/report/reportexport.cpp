// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/report/reportexport.h"

namespace fleetwright::app {

namespace {

constexpr int exportPoints = 1000; // of progress: half for the answers, half for the files

} // namespace

ReportExport::ReportExport(ReportJob::Solver solver, QObject *parent) : QObject(parent), m_job(std::move(solver))
{
    m_steps.setInterval(0);
    connect(&m_steps, &QTimer::timeout, this, &ReportExport::drawStep);
    connect(&m_job, &ReportJob::progressed, this, [this](int done, int total) {
        emit progressed(total > 0 ? exportPoints / 2 * done / total : 0, exportPoints);
    });
    connect(&m_job, &ReportJob::finished, this, [this](const MadeReportOutcome &outcome) {
        if (!outcome) {
            end(outcome.error());
            return;
        }
        m_made = *outcome;
        emit made(m_made);
        begin();
    });
}

void ReportExport::start(ReportContents contents, std::vector<ReportTask> tasks)
{
    if (m_write.isRunning())
        return;
    cancel();
    m_tasks = std::move(tasks);
    m_isShort = false;
    m_next = 0;
    m_written.clear();
    m_stop = std::stop_source();
    m_job.start(std::move(contents));
    emit progressed(0, exportPoints);
}

void ReportExport::cancel()
{
    m_job.cancel();
    m_stop.request_stop();
    m_steps.stop();
    m_file.reset();
    m_isShort = m_next < m_tasks.size();
    m_tasks.resize(std::min(m_tasks.size(), m_next));
    if (!m_write.isRunning())
        m_made.reset();
}

bool ReportExport::isRunning() const { return m_job.isRunning() || m_file || m_write.isRunning(); }

void ReportExport::begin()
{
    if (m_next >= m_tasks.size()) {
        end(m_isShort ? std::optional(Error{ErrorCode::Cancelled, {}, tr("Cancelled.").toStdString()}) : std::nullopt);
        return;
    }
    auto file = m_tasks[m_next].begin(m_made);
    if (!file) {
        end(std::move(file.error()));
        return;
    }
    m_file = std::move(*file);
    m_drawn = 0;
    m_steps.start();
}

void ReportExport::drawStep()
{
    m_file->step();
    const int all = m_file->steps();
    const int before = exportPoints / 2 + exportPoints / 2 * int(m_next) / int(m_tasks.size());
    emit progressed(before + exportPoints / 2 * ++m_drawn / all / int(m_tasks.size()), exportPoints);
    if (m_file && m_drawn >= all) // nobody cancelled
        write();
}

void ReportExport::write()
{
    m_steps.stop();
    const auto path = m_tasks[m_next++].path;
    m_write.start([file = std::exchange(m_file, nullptr), path, stop = m_stop.get_token()](
                      const jobs::LatestRun::Run &) -> Expected<void> { return file->write(path, stop); },
        [](const std::string &what) {
            return refuse(ErrorCode::IoError, {}, "The report could not be written (" + what + "); free memory.");
        },
        [this, path](const Expected<void> &outcome) {
            if (!outcome) {
                end(outcome.error());
                return;
            }
            m_written << path;
            begin();
        });
    emit writing();
}

void ReportExport::end(std::optional<Error> error)
{
    m_made.reset();
    m_tasks.clear();
    emit finished({m_written, std::move(error)});
}

} // namespace fleetwright::app
