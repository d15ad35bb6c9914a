// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/latestrun.h"
#include "solver/validation/breakdown.h"
#include "solver/validation/fewshot.h"

#include <QObject>

#include <functional>
#include <map>
#include <memory>

namespace fleetwright::jobs {

using FewShotAnswer = std::map<int, validation::FewShotFigures>; ///< by number of known runs
using FewShotOutcome = Expected<std::shared_ptr<const FewShotAnswer>>;

/// Computes what a few known runs of a source do for its others, on a worker thread; the newest request wins.
/// `finished` is emitted on the owner's thread exactly once for each request that was neither superseded nor cancelled.
/// Destroying the job cancels and waits.
class FewShotJob : public QObject {
    Q_OBJECT
public:
    /// Runs on the worker. What it throws reaches `finished` as an Error.
    using Scorer = std::function<Expected<FewShotAnswer>(
        const validation::Validation &, std::span<const validation::MeasuredRun>, std::stop_token)>;

    explicit FewShotJob(Scorer scorer, QObject *parent = nullptr);
    ~FewShotJob() override;

    /// `modelId` is one that the file has a validation of; else UnknownReference "cost_model".
    void start(std::shared_ptr<const validation::ScoredFile> file, std::string modelId);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_run.isRunning(); }

signals:
    void finished(const fleetwright::jobs::FewShotOutcome &outcome);
    void cancelled();

private:
    Scorer m_scorer;
    LatestRun m_run;
};

} // namespace fleetwright::jobs
