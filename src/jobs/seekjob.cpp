// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/seekjob.h"

#include "exchange/rangedsolution.h"
#include "exchange/validationdata.h"

namespace fleetwright::jobs {

SeekJob::SeekJob(QObject *parent) : SeekJob(exchange::solveForVerdict, parent) { }

SeekJob::SeekJob(Solver solver, QObject *parent) : QObject(parent), m_solver(std::move(solver)) { }

SeekJob::~SeekJob() = default;

void SeekJob::start(
    SeekQuestion question, std::shared_ptr<const Catalog> catalog, std::shared_ptr<const LearntSite> site)
{
    m_run.start(
        [this, solver = m_solver, question = std::move(question), catalog = std::move(catalog), site = std::move(site)](
            const LatestRun::Run &run) {
            const auto own = learnt(site, run.stop());
            SeekOptions options{.stop = run.stop(), .solver = solver, .rangeOf = exchange::rangesOfSite(own.get())};
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
