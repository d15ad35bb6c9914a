// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/learntsite.h"

#include "exchange/validationdata.h"
#include "solver/models/detailed/constantrecords.h"
#include "solver/models/detailed/detailedmodel.h"
#include "solver/search/bestlayout.h"

#include <QScopeGuard>

#include <utility>

namespace fleetwright::jobs {

LearntSite::LearntSite(std::vector<validation::MeasuredRun> runs, std::shared_ptr<const Catalog> catalog)
    : m_runs(std::move(runs)), m_catalog(std::move(catalog))
{
}

std::shared_ptr<const validation::OwnSite> LearntSite::get(const std::stop_token &stop) const
{
    {
        std::unique_lock lock(m_mutex);
        m_ended.wait(lock, stop, [this] { return !m_isLearning; });
        if (m_isLearnt || stop.stop_requested())
            return m_site;
        m_isLearning = true;
    }
    const auto end = qScopeGuard([this] { // whatever becomes of it
        const std::scoped_lock lock(m_mutex);
        m_isLearning = false;
        m_ended.notify_all();
    });
    auto site = learn(stop);
    if (stop.stop_requested())
        return nullptr;
    m_runs = {};
    m_catalog.reset();
    const std::scoped_lock lock(m_mutex);
    m_isLearnt = true;
    m_site = std::move(site);
    return m_site;
}

std::shared_ptr<const validation::OwnSite> LearntSite::learn(const std::stop_token &stop) const
{
    if (m_runs.empty() || !m_catalog)
        return nullptr;
    const auto centre = detailed::uncalibratedConstantsOf(*m_catalog);
    auto site = centre ? validation::OwnSite::from(m_runs, *centre, stop) : std::nullopt;
    return site ? std::make_shared<const validation::OwnSite>(std::move(*site)) : nullptr;
}

std::shared_ptr<const validation::OwnSite> learnt(
    const std::shared_ptr<const LearntSite> &site, const std::stop_token &stop)
{
    return site ? site->get(stop) : nullptr;
}

std::vector<validation::PlanToNarrow> plansToNarrow(const std::vector<PlanDocument> &documents, const Catalog &catalog,
    const validation::OwnSite *site, const std::stop_token &stop)
{
    std::vector<validation::PlanToNarrow> plans;
    for (const auto &document : documents) {
        if (document.costModelId != detailed::costModel().id() || stop.stop_requested())
            continue;
        const auto decided = layoutsearch::resolveWithBestLayout(document, catalog, exchange::rangesOfSite(site), stop);
        const auto configuration = decided ? detailed::configurationFrom(decided->plan)
                                           : Expected<detailed::PlanConfiguration>(std::unexpected(decided.error()));
        const auto pricer = configuration ? detailed::Pricer::make(configuration->setting.setting)
                                          : Expected<detailed::Pricer>(std::unexpected(configuration.error()));
        if (pricer && pricer->price(configuration->layout).fits)
            plans.push_back({document.name, configuration->setting.setting, configuration->layout});
    }
    return plans;
}

} // namespace fleetwright::jobs
