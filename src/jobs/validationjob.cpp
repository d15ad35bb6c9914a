// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/validationjob.h"

namespace fleetwright::jobs {

namespace {

constexpr int validationInterval_ms = 50;

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
        auto site = validation && request.newSite ? request.newSite(*validation, made->file.runs, stop) : nullptr;
        made->scores.push_back({id, std::move(validation), std::move(site)});
    }
    return made;
}

} // namespace

ValidationJob::ValidationJob(QObject *parent) : ValidationJob(validateOne, parent) { }

ValidationJob::ValidationJob(Validator validator, QObject *parent) : QObject(parent), m_validator(std::move(validator))
{
    m_timer.setInterval(validationInterval_ms);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (const auto total = m_progress->total.load(); total > 0)
            emit progressed(int(std::min(m_progress->done.load(), total)), int(total));
    });
}

ValidationJob::~ValidationJob() = default;

void ValidationJob::start(ValidationRequest request)
{
    m_progress = std::make_shared<Progress>();
    m_timer.start();
    m_run.start(
        [validator = m_validator, request = std::move(request), progress = m_progress](const LatestRun::Run &run) {
            return answer(request, validator, run.stop(), progress->done, progress->total);
        },
        [](const std::string &what) {
            return refuse(ErrorCode::UnsupportedValue, {},
                "The validation could not be finished (" + what
                    + "); leave out the cost model that was added last and report it.");
        },
        [this](const ValidationOutcome &outcome) {
            m_timer.stop();
            emit finished(outcome);
        });
    emit started();
}

void ValidationJob::cancel()
{
    m_timer.stop();
    if (m_run.cancel())
        emit cancelled();
}

} // namespace fleetwright::jobs
