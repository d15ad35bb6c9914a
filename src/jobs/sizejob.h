// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/latestrun.h"
#include "jobs/learntsite.h"
#include "solver/size/decisionrisk.h"

#include <QObject>

#include <functional>
#include <memory>
#include <string>

namespace fleetwright::validation {
class OwnSite;
}

namespace fleetwright::jobs {

/// What a sizing knows while it runs.
struct SizeProgress {
    size::Snapshot snapshot;
    double seconds = 0; ///< since the worker began
};

/// What a decision was answered.
struct SizeAnswer {
    DecisionDocument document; ///< what was asked
    std::shared_ptr<const size::Result> result;
    std::shared_ptr<const size::HowSure> sure; ///< null: see `sureRefused`
    std::string sureRefused; ///< why nothing could be drawn; empty where it was, or where no fleet runs
    std::string inputHash; ///< exchange::decisionInputHash
    double seconds = 0; ///< on the worker
    bool operator==(const SizeAnswer &) const = default;
};

using SizeOutcome = Expected<SizeAnswer>;

/// Answers a decision on a worker thread, which itself uses all cores; the newest request wins. `finished` is emitted
/// on the owner's thread exactly once for each request that was not superseded or cancelled, `progressed` now and then
/// before it: a snapshot that was not delivered yet gives way to the newer one. The last one holds the whole result,
/// while how sure it is is drawn. Nothing is emitted after cancel(). Destroying the job cancels and waits.
class SizeJob : public QObject {
    Q_OBJECT
public:
    /// Runs on the worker. What it throws reaches `finished` as an Error.
    using Sizer = std::function<Expected<size::Result>(
        const DecisionDocument &, const Catalog &, const size::RangeOf &, const size::Control &)>;

    explicit SizeJob(QObject *parent = nullptr);
    explicit SizeJob(Sizer sizer, QObject *parent = nullptr);
    ~SizeJob() override;

    /// `site`: the own runs that narrow ranges, learnt on the worker; may be null.
    void start(DecisionDocument document, std::shared_ptr<const Catalog> catalog,
        std::shared_ptr<const LearntSite> site = nullptr);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_run.isRunning(); }

signals:
    void started();
    void progressed(const fleetwright::jobs::SizeProgress &progress);
    void finished(const fleetwright::jobs::SizeOutcome &outcome);

private:
    [[nodiscard]] static SizeAnswer withSureness(
        SizeAnswer answer, const Catalog &catalog, const size::RangeOf &rangeOf, const std::stop_token &stop);

    Sizer m_sizer;
    LatestRun m_run;
};

} // namespace fleetwright::jobs
