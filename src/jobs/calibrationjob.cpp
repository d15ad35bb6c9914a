// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/calibrationjob.h"

namespace fleetwright::jobs {

namespace {

constexpr auto pollInterval = std::chrono::milliseconds(50);

} // namespace

CalibrationJob::CalibrationJob(QObject *parent)
    : CalibrationJob(
        [](const CalibrationRequest &request, std::stop_token stop, std::atomic<int> *iterations) {
            return validation::calibrate(request.runs, request.start, request.constants, std::move(stop), iterations);
        },
        parent)
{
}

CalibrationJob::CalibrationJob(Fitter fitter, QObject *parent)
    : QObject(parent), m_fitter(std::move(fitter)), m_iterations(std::make_shared<std::atomic<int>>(0))
{
    m_poll.setInterval(pollInterval);
    connect(
        &m_poll, &QTimer::timeout, this, [this] { emit progressed(m_iterations->load(std::memory_order_relaxed)); });
}

CalibrationJob::~CalibrationJob() = default;

void CalibrationJob::start(CalibrationRequest request)
{
    m_iterations = std::make_shared<std::atomic<int>>(0);
    m_poll.start();
    m_run.start([fitter = m_fitter, request = std::move(request), iterations = m_iterations](
                    const LatestRun::Run &run) { return shared(fitter(request, run.stop(), iterations.get())); },
        [](const std::string &what) {
            return refuse(ErrorCode::UnsupportedValue, {},
                "The calibration could not be finished (" + what
                    + "); leave out the run that was added last and report it.");
        },
        [this](const CalibrationOutcome &outcome) {
            m_poll.stop();
            emit finished(outcome);
        });
    emit started();
}

void CalibrationJob::cancel()
{
    m_poll.stop();
    m_run.cancel();
}

} // namespace fleetwright::jobs
