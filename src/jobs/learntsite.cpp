// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/learntsite.h"

#include "solver/models/detailed/constantrecords.h"

#include <utility>

namespace fleetwright::jobs {

LearntSite::LearntSite(std::vector<validation::MeasuredRun> runs, std::shared_ptr<const Catalog> catalog)
    : m_runs(std::move(runs)), m_catalog(std::move(catalog))
{
}

std::shared_ptr<const validation::OwnSite> LearntSite::get() const
{
    std::call_once(m_asked, [this] {
        const auto runs = std::exchange(m_runs, {});
        const auto catalog = std::exchange(m_catalog, nullptr);
        if (runs.empty() || !catalog)
            return;
        const auto centre = detailed::uncalibratedConstantsOf(*catalog);
        if (auto site = centre ? validation::OwnSite::from(runs, *centre) : std::nullopt)
            m_site = std::make_shared<const validation::OwnSite>(std::move(*site));
    });
    return m_site;
}

std::shared_ptr<const validation::OwnSite> learnt(const std::shared_ptr<const LearntSite> &site)
{
    return site ? site->get() : nullptr;
}

} // namespace fleetwright::jobs
