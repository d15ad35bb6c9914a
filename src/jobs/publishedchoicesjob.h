// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/latestrun.h"
#include "solver/validation/publishedchoices.h"

#include <QObject>

#include <functional>
#include <memory>

namespace fleetwright::jobs {

using PublishedChoicesOutcome = Expected<std::shared_ptr<const std::vector<validation::PublishedScore>>>;

/// Ranks the published layouts in their spaces on a worker thread; the newest request wins. `finished` is emitted on
/// the owner's thread exactly once for each request that was neither superseded nor cancelled. Destroying the job
/// cancels and waits.
class PublishedChoicesJob : public QObject {
    Q_OBJECT
public:
    using Reader = std::function<Expected<validation::RunFile>()>; ///< the shipped runs; called on the worker
    /// Runs on the worker. What it throws reaches `finished` as an Error.
    using Scorer = std::function<Expected<std::vector<validation::PublishedScore>>(
        std::span<const validation::MeasuredRun>, const validation::PublishedControl &)>;

    explicit PublishedChoicesJob(QObject *parent = nullptr);
    explicit PublishedChoicesJob(Scorer scorer, QObject *parent = nullptr);
    ~PublishedChoicesJob() override;

    void start(Reader shipped);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_run.isRunning(); }

signals:
    void started();
    void progressed(double share); ///< 0 to 1
    void finished(const fleetwright::jobs::PublishedChoicesOutcome &outcome);
    void cancelled();

private:
    Scorer m_scorer;
    LatestRun m_run;
};

} // namespace fleetwright::jobs
