// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/validationjob.h"

#include <exception>

namespace fleetwright::jobs {

namespace {

constexpr int progressInterval_ms = 50;

Expected<validation::Validation> validateOne(std::span<const validation::MeasuredRun> runs, std::string_view modelId,
    const detailed::Constants &constants, std::stop_token stop, std::atomic<std::size_t> *progress)
{
    return validation::validate(runs, modelId, constants, std::move(stop), progress);
}

ValidationOutcome answer(const ValidationRequest &request, const ValidationJob::Validator &validator,
    const std::stop_token &stop, std::atomic<std::size_t> &done, std::atomic<std::size_t> &total)
{
    auto file = request.read();
    if (!file)
        return std::unexpected(file.error());
    auto made = std::make_shared<validation::ScoredFile>();
    made->file = std::move(*file);
    made->places = validation::placesOf(made->file.runs);
    total = made->file.runs.size() * request.modelIds.size();
    for (const auto &id : request.modelIds) {
        if (stop.stop_requested())
            return refuse(ErrorCode::Cancelled, {}, "The validation was cancelled.");
        auto validation = validator(made->file.runs, id, request.constants, stop, &done);
        if (validation)
            validation::countUnread(made->file, *validation);
        made->scores.push_back({id, std::move(validation)});
    }
    return made;
}

/// No exception leaves: whatever a library throws becomes the outcome's error.
ValidationOutcome guarded(const ValidationRequest &request, const ValidationJob::Validator &validator,
    const std::stop_token &stop, std::atomic<std::size_t> &done, std::atomic<std::size_t> &total)
{
    const auto broken = [](const std::string &what) {
        return refuse(ErrorCode::UnsupportedValue, {},
            "The validation could not be finished (" + what
                + "); leave out the cost model that was added last and report it.");
    };
    try {
        return answer(request, validator, stop, done, total);
    } catch (const std::exception &exception) {
        return broken(exception.what());
    } catch (...) {
        return broken("an unknown fault");
    }
}

} // namespace

ValidationJob::ValidationJob(QObject *parent) : ValidationJob(validateOne, parent) { }

ValidationJob::ValidationJob(Validator validator, QObject *parent) : QObject(parent), m_validator(std::move(validator))
{
    m_pool.setMaxThreadCount(1); // runs queue, so a superseded run never answers after the one that replaced it
    m_timer.setInterval(progressInterval_ms);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (const auto total = m_progress->total.load(); total > 0)
            emit progressed(int(std::min(m_progress->done.load(), total)), int(total));
    });
}

ValidationJob::~ValidationJob()
{
    m_stop.request_stop();
    ++m_run;
    m_pool.clear();
    m_pool.waitForDone();
}

void ValidationJob::start(ValidationRequest request)
{
    m_stop.request_stop();
    m_pool.clear();
    m_stop = std::stop_source();
    m_progress = std::make_shared<Progress>();
    m_running = true;
    m_timer.start();
    m_pool.start([this, run = ++m_run, request = std::move(request), stop = m_stop.get_token(), progress = m_progress] {
        if (stop.stop_requested())
            return;
        auto outcome = guarded(request, m_validator, stop, progress->done, progress->total);
        if (stop.stop_requested())
            return;
        QMetaObject::invokeMethod(
            this,
            [this, run, outcome = std::move(outcome)] {
                if (run != m_run || !m_running)
                    return;
                m_running = false;
                m_timer.stop();
                emit finished(outcome);
            },
            Qt::QueuedConnection);
    });
    emit started();
}

void ValidationJob::cancel()
{
    if (!m_running)
        return;
    ++m_run;
    m_running = false;
    m_timer.stop();
    m_stop.request_stop();
    m_pool.clear();
    emit cancelled();
}

} // namespace fleetwright::jobs
