// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/calibrationjob.h"

#include <exception>

namespace fleetwright::jobs {

namespace {

constexpr auto pollInterval = std::chrono::milliseconds(50);

/// No exception leaves: whatever a library throws becomes the outcome's error.
CalibrationOutcome answerGuarded(const CalibrationRequest &request, const CalibrationJob::Fitter &fitter,
    const std::stop_token &stop, std::atomic<int> *iterations)
{
    const auto broken = [](const std::string &what) {
        return refuse(ErrorCode::UnsupportedValue, {},
            "The calibration could not be finished (" + what
                + "); leave out the run that was added last and report it.");
    };
    try {
        auto fitted = fitter(request, stop, iterations);
        if (!fitted)
            return std::unexpected(std::move(fitted.error()));
        return std::make_shared<const validation::RunCalibration>(std::move(*fitted));
    } catch (const std::exception &exception) {
        return broken(exception.what());
    } catch (...) {
        return broken("an unknown fault");
    }
}

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
    m_pool.setMaxThreadCount(1); // runs queue, so a superseded run never answers after the one that replaced it
    m_poll.setInterval(pollInterval);
    connect(
        &m_poll, &QTimer::timeout, this, [this] { emit progressed(m_iterations->load(std::memory_order_relaxed)); });
}

CalibrationJob::~CalibrationJob()
{
    cancel();
    m_pool.waitForDone();
}

void CalibrationJob::start(CalibrationRequest request)
{
    cancel();
    m_stop = std::stop_source();
    m_iterations = std::make_shared<std::atomic<int>>(0);
    m_running = true;
    m_poll.start();
    m_pool.start(
        [this, run = m_run, request = std::move(request), iterations = m_iterations, stop = m_stop.get_token()] {
            if (stop.stop_requested())
                return;
            auto outcome = answerGuarded(request, m_fitter, stop, iterations.get());
            if (!stop.stop_requested())
                deliver(run, std::move(outcome));
        });
    emit started();
}

void CalibrationJob::cancel()
{
    ++m_run;
    m_running = false;
    m_poll.stop();
    m_stop.request_stop();
    m_pool.clear();
}

void CalibrationJob::deliver(quint64 run, CalibrationOutcome outcome)
{
    QMetaObject::invokeMethod(
        this,
        [this, run, outcome = std::move(outcome)] {
            if (run != m_run)
                return;
            m_running = false;
            m_poll.stop();
            emit finished(outcome);
        },
        Qt::QueuedConnection);
}

} // namespace fleetwright::jobs
