// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/latestrun.h"
#include "solver/search/layoutsearchwords.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fleetwright::jobs {

/// What is asked about one split of a finished search.
struct LayoutSearchQuestion {
    std::shared_ptr<const layoutsearch::Request> request;
    Split split;
    int caseIndex = 0;
    std::optional<Layout>
        layout; ///< whose settings are changed one by one; nothing: the settings of the split that save most memory
    std::optional<layoutsearch::Row> reference; ///< what the layout is held against; nothing: it is not
    layoutsearch::Against against = layoutsearch::Against::Recommended; ///< what that is
    bool within = true; ///< every layout of the split is asked for
};

/// The answers; one that could not be given says why.
struct LayoutSearchDetails {
    LayoutSearchQuestion question;
    Layout layout; ///< of the question, or the one that was taken instead
    std::shared_ptr<const layoutsearch::Result> within; ///< null where it was not asked for; rows have case index 0
    std::vector<layoutsearch::Change> changes;
    std::vector<std::string> whyNot;
    std::optional<Error> refused; ///< by the cost model or the search
};

/// Answers questions about a split on a worker thread; the newest question wins. `finished` is emitted on the owner's
/// thread exactly once for each question that was not superseded or cancelled. Destroying the job cancels and waits.
class LayoutSearchDetailJob : public QObject {
    Q_OBJECT
public:
    explicit LayoutSearchDetailJob(QObject *parent = nullptr);
    ~LayoutSearchDetailJob() override;

    void start(LayoutSearchQuestion question);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_run.isRunning(); }

signals:
    void finished(const std::shared_ptr<const fleetwright::jobs::LayoutSearchDetails> &details);

private:
    LatestRun m_run;
};

/// The settings of a split that need the least memory among those that the space allows and the cost model prices: the
/// smallest microbatch, the most recomputation, the highest ZeRO stage, sequence parallelism. It need not be legal.
[[nodiscard]] Layout frugalLayout(const layoutsearch::Request &request, const Split &split, int caseIndex);

} // namespace fleetwright::jobs
