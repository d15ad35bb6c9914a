// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/learntsite.h"

#include "solver/models/detailed/constantrecords.h"
#include "solver/models/detailed/detailedmodel.h"
#include "solver/search/bestlayout.h"

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

std::vector<validation::PlanToNarrow> plansToNarrow(
    const std::vector<PlanDocument> &documents, const Catalog &catalog, const std::stop_token &stop)
{
    std::vector<validation::PlanToNarrow> plans;
    for (const auto &document : documents) {
        if (document.costModelId != detailed::costModel().id() || stop.stop_requested())
            continue;
        const auto decided = layoutsearch::resolveWithBestLayout(document, catalog, stop);
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
