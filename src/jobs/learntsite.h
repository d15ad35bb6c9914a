// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"
#include "domain/plandocument.h"
#include "solver/validation/ownsite.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

namespace fleetwright::jobs {

/// What the measured runs of a project say about its site. It is learnt by the first who asks, and once: many runs take
/// seconds, so a worker should. May be asked on any thread.
class LearntSite {
public:
    LearntSite(std::vector<validation::MeasuredRun> runs, std::shared_ptr<const Catalog> catalog);

    /// From the constants of the catalog that no calibration made; nullptr without a run that can be used. Who asks
    /// while another learns waits for it. Who is stopped gets nullptr, and the next one learns.
    [[nodiscard]] std::shared_ptr<const validation::OwnSite> get(const std::stop_token &stop = {}) const;

private:
    [[nodiscard]] std::shared_ptr<const validation::OwnSite> learn(const std::stop_token &stop) const;

    mutable std::mutex m_mutex; ///< guards the flags and m_site; the rest is the learner's
    mutable std::condition_variable_any m_ended; ///< m_isLearning does
    mutable bool m_isLearning = false;
    mutable bool m_isLearnt = false;
    mutable std::vector<validation::MeasuredRun> m_runs; ///< until it is learnt
    mutable std::shared_ptr<const Catalog> m_catalog; ///< likewise
    mutable std::shared_ptr<const validation::OwnSite> m_site;
};

/// What a job asks on its worker; nullptr where there is none, or when stopped.
[[nodiscard]] std::shared_ptr<const validation::OwnSite> learnt(
    const std::shared_ptr<const LearntSite> &site, const std::stop_token &stop);

/// Those that `detailed` prices and that fit the memory, for suggestRun() and shiftsInWords(). Searches where a plan
/// asks for the best layout, which the runs of the site choose.
[[nodiscard]] std::vector<validation::PlanToNarrow> plansToNarrow(const std::vector<PlanDocument> &documents,
    const Catalog &catalog, const validation::OwnSite *site, const std::stop_token &stop);

} // namespace fleetwright::jobs
