// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/search/searchwords.h"

#include <QObject>
#include <QThreadPool>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace fleetwright::jobs {

/// What is asked about one split of a finished search.
struct SearchDetailQuestion {
    std::shared_ptr<const search::Request> request;
    Split split;
    int caseIndex = 0;
    std::optional<Layout>
        layout; ///< whose settings are changed one by one; nothing: the settings of the split that save most memory
    std::optional<search::Row> reference; ///< what the layout is held against; nothing: it is not
    bool within = true; ///< every layout of the split is asked for
};

/// The answers; one that could not be given says why.
struct SearchDetails {
    SearchDetailQuestion question;
    Layout layout; ///< of the question, or the one that was taken instead
    std::shared_ptr<const search::Result> within; ///< null where it was not asked for; rows have case index 0
    std::vector<search::Change> changes;
    std::vector<std::string> whyNot;
    std::optional<Error> refused; ///< by the cost model or the search
};

/// Answers questions about a split on a worker thread; the newest question wins. `finished` is emitted on the owner's
/// thread exactly once for each question that was not superseded or cancelled. Destroying the job cancels and waits.
class SearchDetailJob : public QObject {
    Q_OBJECT
public:
    explicit SearchDetailJob(QObject *parent = nullptr);
    ~SearchDetailJob() override;

    void start(SearchDetailQuestion question);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_running; }

signals:
    void finished(const std::shared_ptr<const fleetwright::jobs::SearchDetails> &details);

private:
    QThreadPool m_pool;
    std::stop_source m_stop;
    quint64 m_run = 0;
    bool m_running = false;
};

/// The settings of a split that need the least memory among those that the space allows and the cost model prices: the
/// smallest microbatch, the most recomputation, the highest ZeRO stage, sequence parallelism. It need not be legal.
[[nodiscard]] Layout frugalLayout(const search::Request &request, const Split &split, int caseIndex);

} // namespace fleetwright::jobs
