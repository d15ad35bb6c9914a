// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/readrunsjob.h"

#include "exchange/measuredruns.h"
#include "exchange/readfile.h"
#include "exchange/textreader.h"

namespace fleetwright::jobs {

void ReadRunsJob::start(const QString &path)
{
    m_run.start(
        [this, path](const LatestRun::Run &run) {
            const exchange::RunReading reading{
                .stop = run.stop(), .progress = [this, &run](std::size_t done, std::size_t total) {
                    const int percent = total > 0 ? int(done * 100 / total) : 0;
                    run.report([this, percent] { emit progressed(percent); });
                }};
            return shared(exchange::readFile(path, exchange::longestRunFile,
                [&](const std::string &text) { return exchange::measuredRunsFromText(text, reading); }));
        },
        [path](const std::string &what) -> ReadRunsOutcome {
            return refuse(ErrorCode::IoError, path.toStdString(),
                "The measured runs could not be read (" + what + "); split the file or free memory.");
        },
        [this](const ReadRunsOutcome &outcome) { emit finished(outcome); });
}

void ReadRunsJob::cancel() { m_run.cancel(); }

} // namespace fleetwright::jobs
