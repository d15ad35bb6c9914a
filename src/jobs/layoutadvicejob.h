// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/latestrun.h"
#include "jobs/learntsite.h"
#include "solver/search/recommendation.h"

#include <QObject>

#include <functional>
#include <memory>

namespace fleetwright::jobs {

/// A plan that has been solved, and what to look for about its layout.
struct LayoutQuestion {
    Plan plan;
    /// How the layout was found, and in which space, where the plan leaves it open; nothing: it is fixed.
    std::optional<layoutsearch::Recommendation> found;
    LayoutSearchSpace space{};
    std::shared_ptr<const LearntSite> site{}; ///< whose runs choose, where they move its step time; or null
};

/// What an answer says about the layout beyond the layout itself.
struct LayoutAdvice {
    std::optional<layoutsearch::Recommendation> best; ///< of a plan whose layout is fixed
    layoutsearch::Remedies remedies; ///< of an open layout that misses limits
};
using LayoutAdviceOutcome = Expected<std::shared_ptr<const LayoutAdvice>>;

/// Searches for the best layout of a fixed plan, or for what would make an open one feasible, on a worker thread; the
/// newest request wins. `finished` is emitted on the owner's thread exactly once for each request that was not
/// superseded or cancelled. Destroying the job cancels and waits.
class LayoutAdviceJob : public QObject {
    Q_OBJECT
public:
    /// Runs on the worker. What it throws reaches `finished` as an Error.
    using Adviser = std::function<Expected<LayoutAdvice>(const LayoutQuestion &, const std::stop_token &)>;

    explicit LayoutAdviceJob(QObject *parent = nullptr);
    explicit LayoutAdviceJob(Adviser adviser, QObject *parent = nullptr);
    ~LayoutAdviceJob() override;

    void start(LayoutQuestion question);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_run.isRunning(); }

signals:
    void finished(const fleetwright::jobs::LayoutAdviceOutcome &outcome);

private:
    Adviser m_adviser;
    LatestRun m_run;
};

} // namespace fleetwright::jobs
