// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/decisiondocuments.h"
#include "solver/offers/normaloffer.h"
#include "storage/digests.h"
#include "storage/documenttables.h"
#include "storage/projectcatalog.h"
#include "storage/projectprivate.h"

namespace fleetwright::storage {

Expected<std::vector<Error>> Project::check() const
{
    auto found = findDamage(*d->database, {}, PageCheck::WithIndexes);
    if (!found)
        return found;
    auto altered = findAltered(*d->database);
    if (!altered)
        return altered;
    std::ranges::move(*altered, std::back_inserter(*found));
    const auto catalog = currentCatalog(*d->database, *found);
    if (!catalog)
        return std::unexpected(catalog.error());
    for (auto &fault : catalog->checkAll())
        found->push_back(std::move(fault));
    const auto plans = readDocuments<PlanDocument>(*d->database, *found);
    if (!plans)
        return std::unexpected(plans.error());
    const auto unresolved = [&](const char *table, const std::string &name, const Error &error) {
        found->push_back({error.code, std::string(table) + "/" + name + "." + error.field, error.message});
    };
    for (const auto &plan : *plans)
        if (const auto resolved = resolve(plan.document, *catalog); !resolved)
            unresolved("plans", plan.document.name, resolved.error());
    const auto fleets = readDocuments<FleetDocument>(*d->database, *found);
    if (!fleets)
        return std::unexpected(fleets.error());
    for (const auto &fleet : *fleets)
        if (const auto resolved = resolve(fleet.document, *catalog); !resolved)
            unresolved("fleets", fleet.document.name, resolved.error());
    const auto offers = readDocuments<OfferDocument>(*d->database, *found);
    if (!offers)
        return std::unexpected(offers.error());
    for (const auto &offer : *offers)
        if (const auto normal = normalise(offer.document, *catalog); !normal)
            unresolved("offers", offer.document.name, normal.error());
    const auto sweeps = readDocuments<SweepDocument>(*d->database, *found);
    if (!sweeps)
        return std::unexpected(sweeps.error());
    for (const auto &sweep : *sweeps)
        if (const auto resolved = resolve(sweep.document.plan, *catalog); !resolved)
            unresolved("sweeps", sweep.document.name,
                {resolved.error().code, "plan." + resolved.error().field, resolved.error().message});
    if (const auto studies = readDocuments<StudyDocument>(*d->database, *found); !studies)
        return std::unexpected(studies.error());
    if (const auto ledger = readDocuments<LedgerEntry>(*d->database, *found); !ledger)
        return std::unexpected(ledger.error());
    if (const auto runs = readDocuments<validation::MeasuredRun>(*d->database, *found); !runs)
        return std::unexpected(runs.error());
    const auto decided = readDocuments<DecisionDocument>(*d->database, *found);
    if (!decided)
        return std::unexpected(decided.error());
    for (const auto &decision : *decided)
        if (const auto known = exchange::checkReferences(decision.document, *catalog); !known)
            unresolved("decisions", decision.document.name, known.error());
    if (const auto approved = readDocuments<ApprovedDecision>(*d->database, *found); !approved)
        return std::unexpected(approved.error());
    if (const auto sets = readDocuments<OutputSet>(*d->database, *found); !sets)
        return std::unexpected(sets.error());
    const auto begun = studiesWithProgress(*d->database);
    if (!begun)
        return std::unexpected(begun.error());
    for (const auto &study : *begun)
        if (const auto progress = readStudyProgress(*d->database, study.toStdString()); !progress)
            found->push_back(progress.error());
    return found;
}

} // namespace fleetwright::storage
