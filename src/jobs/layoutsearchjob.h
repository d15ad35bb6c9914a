// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/layoutsearchdocument.h"
#include "jobs/latestrun.h"
#include "jobs/learntsite.h"
#include "solver/search/layoutsearch.h"

#include <QObject>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fleetwright::jobs {

/// What a search knows while it runs.
struct LayoutSearchProgress {
    layoutsearch::Snapshot snapshot;
    std::shared_ptr<const layoutsearch::Request> request;
    double seconds = 0; ///< since the worker began
};

/// What a search answered.
struct LayoutSearchAnswer {
    std::shared_ptr<const layoutsearch::Request> request;
    std::shared_ptr<const layoutsearch::Result> result;
    std::vector<std::string> recommendation; ///< sentences, the first one the recommendation itself
    std::optional<Layout> byRuns; ///< what plans and decisions take, where it is another layout
    double seconds = 0; ///< on the worker: resolving, searching and putting into words
    bool operator==(const LayoutSearchAnswer &) const = default;
};

using LayoutSearchOutcome = Expected<LayoutSearchAnswer>;

/// Searches every layout of a document's plan on a worker thread, which itself uses all cores; the newest request wins.
/// `finished` is emitted on the owner's thread exactly once for each request that was not superseded or cancelled,
/// `progressed` now and then before it: a snapshot that was not delivered yet gives way to the newer one, so a busy
/// owner is not flooded. Nothing is emitted after cancel(). Destroying the job cancels and waits.
class LayoutSearchJob : public QObject {
    Q_OBJECT
public:
    struct Found {
        layoutsearch::Result result;
        std::vector<std::string> recommendation;
    };
    /// Runs on the worker. What it throws reaches `finished` as an Error.
    using Searcher = std::function<Expected<Found>(const layoutsearch::Request &, const layoutsearch::Control &)>;

    explicit LayoutSearchJob(QObject *parent = nullptr);
    explicit LayoutSearchJob(Searcher searcher, QObject *parent = nullptr);
    ~LayoutSearchJob() override;

    /// The answer says where runs of the site, by which it does not go, would move it.
    void start(LayoutSearchDocument document, std::shared_ptr<const Catalog> catalog,
        std::shared_ptr<const LearntSite> site = nullptr);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_run.isRunning(); }

signals:
    void started();
    void progressed(const fleetwright::jobs::LayoutSearchProgress &progress);
    void finished(const fleetwright::jobs::LayoutSearchOutcome &outcome);

private:
    Searcher m_searcher;
    LatestRun m_run;
};

} // namespace fleetwright::jobs
