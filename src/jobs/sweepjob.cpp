// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/sweepjob.h"

#include "exchange/rangedsolution.h"
#include "exchange/sweepdocuments.h"

#include <atomic>
#include <cstdint>

namespace fleetwright::jobs {

namespace {

constexpr std::int64_t progressInterval_ms = 50;

} // namespace

SweepJob::SweepJob(QObject *parent) : SweepJob(exchange::solveForVerdict, parent) { }

SweepJob::SweepJob(Solver solver, QObject *parent) : QObject(parent), m_solver(std::move(solver)) { }

SweepJob::~SweepJob() = default;

void SweepJob::start(SweepDocument document, std::shared_ptr<const Catalog> catalog)
{
    const auto outcome = std::make_shared<SweepOutcome>();
    outcome->document = std::move(document);
    m_run.start(
        [this, outcome, solver = m_solver, catalog = std::move(catalog)](const LatestRun::Run &run) {
            std::atomic<std::int64_t> due = progressInterval_ms;
            SweepOptions options{.stop = run.stop(), .solver = solver};
            options.progress = [&](std::size_t done, std::size_t total) {
                auto next = due.load();
                const auto now = std::int64_t(run.elapsed() / millisecond);
                if (now >= next && due.compare_exchange_strong(next, now + progressInterval_ms))
                    run.report([this, done, total] { emit progressed(int(done), int(total)); });
            };
            outcome->result = runSweep(outcome->document, *catalog, options);
            outcome->elapsed = run.elapsed();
            outcome->inputHash = exchange::sweepInputHash(outcome->document, *catalog);
            return outcome;
        },
        [outcome](const std::string &what) {
            outcome->result = refuse(ErrorCode::UnsupportedValue, {},
                "The sweep could not finish (" + what + "); make it smaller and report it.");
            return outcome;
        },
        [this](const std::shared_ptr<SweepOutcome> &answered) { emit finished(*answered); });
    emit started();
}

void SweepJob::cancel()
{
    if (m_run.cancel())
        emit cancelled();
}

} // namespace fleetwright::jobs
