// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/latestrun.h"
#include "solver/validation/breakdown.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>

namespace fleetwright::jobs {

struct ValidationRequest {
    std::function<Expected<validation::RunFile>()> read; ///< where the runs come from; called on the worker
    std::vector<std::string> modelIds;
    detailed::Constants constants; ///< of the cost model `detailed`
    validation::NewSiteFinder newSite{}; ///< called on the worker; empty: nothing is known
};

using ValidationOutcome = Expected<std::shared_ptr<const validation::ScoredFile>>;

/// Scores cost models on measured runs on a worker thread; the newest request wins. `finished` is emitted on the
/// owner's thread exactly once for each request that was neither superseded nor cancelled; its error is that of reading
/// the runs. Destroying the job cancels and waits.
class ValidationJob : public QObject {
    Q_OBJECT
public:
    /// Runs on the worker. What it throws reaches `finished` as an Error. The last parameter counts rows done.
    using Validator = std::function<Expected<validation::Validation>(std::span<const validation::MeasuredRun>,
        std::string_view, const detailed::Constants &, std::stop_token, std::atomic<std::size_t> *)>;

    explicit ValidationJob(QObject *parent = nullptr);
    explicit ValidationJob(Validator validator, QObject *parent = nullptr);
    ~ValidationJob() override;

    void start(ValidationRequest request);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_run.isRunning(); }

signals:
    void started();
    void progressed(int done, int total); ///< rows of all models; about every 50 ms once the runs are read
    void finished(const fleetwright::jobs::ValidationOutcome &outcome);
    void cancelled();

private:
    struct Progress {
        std::atomic<std::size_t> done = 0, total = 0;
    };

    Validator m_validator;
    std::shared_ptr<Progress> m_progress;
    QTimer m_timer;
    LatestRun m_run;
};

} // namespace fleetwright::jobs
