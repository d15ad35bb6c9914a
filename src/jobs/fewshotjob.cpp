// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/fewshotjob.h"

namespace fleetwright::jobs {

FewShotJob::FewShotJob(Scorer scorer, QObject *parent) : QObject(parent), m_scorer(std::move(scorer)) { }

FewShotJob::~FewShotJob() = default;

void FewShotJob::start(std::shared_ptr<const validation::ScoredFile> file, std::string modelId)
{
    m_run.start(
        [scorer = m_scorer, file = std::move(file), modelId = std::move(modelId)](
            const LatestRun::Run &run) -> FewShotOutcome {
            const auto *of = file ? file->scoreOf(modelId) : nullptr;
            if (!of)
                return refuse(ErrorCode::UnknownReference, "cost_model",
                    "The cost model \u201c" + modelId + "\u201d has no scores, so there is nothing to learn from.");
            return shared(scorer(*of, file->file.runs, run.stop()));
        },
        [](const std::string &what) {
            return refuse(ErrorCode::UnsupportedValue, {},
                "What own runs do could not be computed (" + what + "); please report it.");
        },
        [this](const FewShotOutcome &outcome) { emit finished(outcome); });
}

void FewShotJob::cancel()
{
    if (m_run.cancel())
        emit cancelled();
}

} // namespace fleetwright::jobs
