// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/seekjob.h"

namespace fleetwright::jobs {

SeekJob::SeekJob(QObject *parent) : SeekJob([](const Plan &plan) { return solve(plan); }, parent) { }

SeekJob::SeekJob(Solver solver, QObject *parent) : QObject(parent), m_solver(std::move(solver)) { }

SeekJob::~SeekJob() = default;

void SeekJob::start(SeekQuestion question, std::shared_ptr<const Catalog> catalog)
{
    m_run.start(
        [this, solver = m_solver, question = std::move(question), catalog = std::move(catalog)](
            const LatestRun::Run &run) {
            SeekOptions options{.stop = run.stop(), .solver = solver};
            options.progress = [&](std::size_t tried) { run.report([this, tried] { emit progressed(int(tried)); }); };
            return shared(seek(question, *catalog, options));
        },
        [](const std::string &what) -> SeekResult {
            return refuse(ErrorCode::UnsupportedValue, {},
                "The value could not be looked for (" + what + "); choose another input and report it.");
        },
        [this](const SeekResult &result) { emit finished(result); });
}

void SeekJob::cancel() { m_run.cancel(); }

} // namespace fleetwright::jobs
