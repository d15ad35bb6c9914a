// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/fleetspace.h"

#include "domain/fabricchoice.h"
#include "solver/models/costmodel.h"
#include "solver/offers/normaloffer.h"
#include "solver/search/recommendation.h"
#include "solver/size/fleetresolver.h"
#include "solver/size/usablecounts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

namespace fleetwright::size {

namespace {

std::string jobField(std::size_t job, std::string_view key)
{
    return "jobs[" + std::to_string(job) + "]." + std::string(key);
}

bool isNothing(const ItemReference &reference) { return reference == ItemReference(); }

std::int64_t oddPart(std::int64_t number)
{
    while (number % 2 == 0)
        number /= 2;
    return number;
}

class Spaces {
public:
    Spaces(const DecisionDocument &document, const Catalog &catalog, const std::stop_token &stop)
        : m_document(document), m_catalog(catalog), m_stop(stop), m_resolver(catalog)
    {
    }

    Expected<Space> all()
    {
        m_licences = std::ranges::any_of(m_document.candidates.offers, [](const OfferReference &reference) {
            const auto *offer = std::get_if<OfferDocument>(&reference);
            return offer && hasLicences(*offer);
        });
        const auto model = findCostModel(m_document.costModelId);
        if (!model)
            return std::unexpected(model.error());
        m_model = *model;
        if (auto ok = readJobs(); !ok)
            return std::unexpected(ok.error());
        if (auto ok = readCatalog(); !ok)
            return std::unexpected(ok.error());
        for (std::size_t i = 0; i < m_document.candidates.fleets.size(); ++i)
            addFixed(m_document.candidates.fleets[i], "candidates.fleets[" + std::to_string(i) + "]", Standing::Stated);
        for (std::size_t i = 0; i < m_document.candidates.offers.size(); ++i)
            if (auto ok = addOffer(m_document.candidates.offers[i], "candidates.offers[" + std::to_string(i) + "]");
                !ok)
                return std::unexpected(ok.error());
        for (std::size_t i = 0; i < m_document.candidates.owned.size(); ++i)
            addFixed(m_document.candidates.owned[i], "candidates.owned[" + std::to_string(i) + "]", Standing::Owned);
        if (m_space.hardware.empty()) {
            if (m_space.refused.empty())
                return refuse(ErrorCode::MissingField, "candidates.nodes",
                    "No node of the catalog is left to choose from: name some, or widen the filters.");
            const auto &first = m_space.refused.front();
            return refuse(first.error.code, "candidates",
                "No candidate can be looked at. " + first.candidate + ": " + first.error.message);
        }
        if (m_document.baseCase)
            if (auto ok = addBase(); !ok)
                return std::unexpected(ok.error());
        return std::move(m_space);
    }

private:
    Expected<void> readJobs()
    {
        for (std::size_t i = 0; i < m_document.jobs.size(); ++i) {
            const auto &job = m_document.jobs[i];
            const CatalogRecord *record = std::get_if<CatalogRecord>(&job.workload);
            if (!record) {
                const auto found = m_catalog.require(
                    CatalogKind::Workload, std::get<std::string>(job.workload), jobField(i, "workload"));
                if (!found)
                    return std::unexpected(found.error());
                record = *found;
            }
            auto workload = workloadFrom(*record);
            if (!workload)
                return refuse(workload.error().code, jobField(i, "workload"), workload.error().message);
            auto assumptions = withProjectValues(job.assumptions, m_catalog);
            if (!assumptions)
                return std::unexpected(assumptions.error());
            const auto traits = m_model->layoutSearchTraitsFor(**workload, *assumptions);
            if (!countsTokens(**workload))
                return refuse(ErrorCode::UnsupportedValue, jobField(i, "workload"),
                    "The workload \u201c" + (*workload)->name
                        + "\u201d does not count tokens: how long it takes on a fleet is not known.");
            if (!traits.time || !traits.tokens)
                return refuse(ErrorCode::UnsupportedValue, "cost_model",
                    "The cost model " + m_document.costModelId
                        + " gives no time for tokens, so that no fleet can be sized by it; choose detailed.");
            auto operations = operationsSettings(*assumptions);
            if (!operations)
                return refuse(
                    operations.error().code, jobField(i, operations.error().field), operations.error().message);
            if (!m_space.jobs.empty()
                && (operations->pue != m_space.jobs.front().operations.pue
                    || operations->wue != m_space.jobs.front().operations.wue))
                return refuse(ErrorCode::UnsupportedValue, jobField(i, "assumptions"),
                    "All jobs run on one site: state one PUE and one WUE for all of them (operations.pue, "
                    "operations.wue), or choose a facility that does.");
            const auto tokens = job.tokens ? job.tokens : (*workload)->trainingTokens;
            if (!tokens && !job.share)
                return refuse(ErrorCode::MissingField, jobField(i, "tokens"),
                    "Neither the job nor its workload states how many tokens to train on; enter them.");
            Job read{.name = job.name.empty() ? (*workload)->name : job.name,
                .workload = std::move(*workload),
                .training = job.training,
                .assumptions = std::move(*assumptions),
                .operations = std::move(*operations),
                .constraints = {.maxMemoryShare = layoutsearch::memoryShareOf(m_document.limits.plan),
                    .minMfu = m_document.limits.plan.minMfu,
                    .maxStepTime = m_document.limits.plan.maxStepTime},
                .costModelId = m_document.costModelId,
                .space = job.space,
                .tokens = job.share ? 0 : *tokens,
                .share = job.share,
                .leastBatch = job.leastBatch,
                .mostBatch = job.mostBatch};
            read.training.microbatchCount = std::nullopt;
            read.training.microbatchSize = 1;
            read.training.recompute = Recompute::None;
            m_space.jobs.push_back(std::move(read));
        }
        return {};
    }

    /// Nodes that are asked for, each with the fabrics on which it is looked at.
    Expected<void> readCatalog()
    {
        const auto &asked = m_document.candidates;
        for (std::size_t i = 0; i < asked.fabrics.size(); ++i)
            if (auto found = m_catalog.require(
                    CatalogKind::Fabric, asked.fabrics[i], "candidates.fabrics[" + std::to_string(i) + "]");
                !found)
                return std::unexpected(found.error());
        std::vector<const CatalogRecord *> nodes;
        for (std::size_t i = 0; i < asked.nodes.size(); ++i) {
            const auto found = m_catalog.require(
                CatalogKind::Node, asked.nodes[i], "candidates.nodes[" + std::to_string(i) + "]");
            if (!found)
                return std::unexpected(found.error());
            nodes.push_back(*found);
        }
        if (asked.nodes.empty())
            for (const auto &node : m_catalog.records(CatalogKind::Node))
                if (const auto *accelerator = m_catalog.find(
                        CatalogKind::Accelerator, node.text("accelerator_id").value_or(""));
                    accelerator && accelerator->text("tier") == "cloud")
                    nodes.push_back(&node);
        for (std::size_t i = 0; i < asked.vendors.size(); ++i)
            if (std::ranges::none_of(m_catalog.records(CatalogKind::Accelerator),
                    [&](const CatalogRecord &accelerator) { return accelerator.text("vendor") == asked.vendors[i]; }))
                return refuse(ErrorCode::UnknownReference, "candidates.vendors[" + std::to_string(i) + "]",
                    "No accelerator of the catalog is of \u201c" + asked.vendors[i] + "\u201d.");
        std::set<std::string> seen;
        std::erase_if(
            nodes, [&](const CatalogRecord *node) { return !isOfVendor(*node) || !seen.insert(node->id).second; });
        resolveAhead(nodes);
        if (m_stop.stop_requested())
            return refuse(ErrorCode::Cancelled, {}, "The sizing was cancelled.");
        for (const auto *node : nodes)
            addNode(*node);
        return {};
    }

    /// Each node on its first fabric, on all threads. Looking for prices is most of what asking a decision takes.
    void resolveAhead(const std::vector<const CatalogRecord *> &nodes)
    {
        std::vector<FleetDocument> documents;
        for (const auto *node : nodes)
            if (const auto fabrics = fabricsFor(*node); !fabrics.empty())
                for (const auto &site : sitesAsked())
                    for (auto &fleet : fleetsOf(*node, fabrics.front(), oversubscriptionsAsked().front(), site))
                        documents.push_back(std::move(fleet));
        m_resolver.resolveAhead(documents, m_stop);
    }

    [[nodiscard]] bool isOfVendor(const CatalogRecord &node) const
    {
        const auto &vendors = m_document.candidates.vendors;
        const auto *accelerator = m_catalog.find(CatalogKind::Accelerator, node.text("accelerator_id").value_or(""));
        return vendors.empty()
            || (accelerator && std::ranges::find(vendors, accelerator->text("vendor").value_or("")) != vendors.end());
    }

    [[nodiscard]] std::vector<std::string> fabricsFor(const CatalogRecord &node) const
    {
        const auto &asked = m_document.candidates.fabrics;
        return asked.empty() ? fabricsOf(node, m_catalog) : asked;
    }

    [[nodiscard]] std::vector<std::optional<double>> oversubscriptionsAsked() const
    {
        const auto &asked = m_document.candidates.oversubscriptions;
        if (asked.empty())
            return {std::nullopt};
        return {asked.begin(), asked.end()};
    }

    [[nodiscard]] std::vector<DecisionSite> sitesAsked() const
    {
        const auto &asked = m_document.candidates.sites;
        return asked.empty() ? std::vector<DecisionSite>(1) : asked;
    }

    [[nodiscard]] std::vector<DecisionPaying> payingsAsked() const
    {
        const auto &asked = m_document.candidates.paying;
        return asked.empty() ? std::vector<DecisionPaying>(1) : asked;
    }

    /// One for each way of paying that the node is offered for.
    [[nodiscard]] std::vector<FleetDocument> fleetsOf(const CatalogRecord &node, const std::string &fabric,
        const std::optional<double> &oversubscription, const DecisionSite &where) const
    {
        std::vector<FleetDocument> fleets;
        for (const auto &paying : payingsAsked())
            if (paying.paying != Paying::Own || !isRentedOnly(node)) { // else nobody sells it
                fleets.push_back({.node = node.id,
                    .nodes = 1,
                    .fabric = fabric,
                    .oversubscription = oversubscription,
                    .facility = where.facility,
                    .grid = where.grid,
                    .costs = {
                        .paying = paying.paying, .rentTerm = paying.rentTerm, .entries = m_document.candidates.costs}});
                takeLicences(fleets.back());
            }
        return fleets;
    }

    /// Where one offer has licences, whatever is bought has them: like is compared with like.
    void takeLicences(FleetDocument &fleet) const
    {
        if (!m_licences || fleet.costs.paying != Paying::Own || fleet.costs.entries.contains(licenceEntry))
            return;
        if (const auto *price = licencePriceOf(fleet, m_catalog))
            fleet.costs.entries.insert_or_assign(std::string(licenceEntry), CostEntry{.value = price->id});
    }

    void addNode(const CatalogRecord &node)
    {
        const auto fabrics = fabricsFor(node);
        if (fabrics.empty()) {
            refuseCandidate(node.name, ErrorCode::MissingField, "candidates.fabrics",
                "The catalog names no fabric that it takes; name one.");
            return;
        }
        for (const auto &fabric : fabrics)
            for (const auto &oversubscription : oversubscriptionsAsked())
                addHardware(node, fabric, oversubscription);
    }

    void addHardware(
        const CatalogRecord &node, const std::string &fabric, const std::optional<double> &oversubscription)
    {
        Hardware hardware;
        for (const auto &where : sitesAsked()) {
            Site site;
            for (auto &fleet : fleetsOf(node, fabric, oversubscription, where)) {
                const DecisionPaying paying{fleet.costs.paying, fleet.costs.rentTerm};
                auto resolved = m_resolver.of(fleet);
                addLot(site, {.fleet = std::move(fleet), .paying = paying}, std::move(resolved), 0);
            }
            if (!site.lots.empty())
                hardware.sites.push_back(std::move(site));
        }
        if (hardware.sites.empty()) {
            if (isRentedOnly(node) && std::ranges::none_of(payingsAsked(), [](const DecisionPaying &paying) {
                    return paying.paying == Paying::Rent;
                }))
                refuseCandidate(node.name, ErrorCode::UnsupportedValue, "candidates.paying",
                    "It is rented, not sold; allow a way of renting to look at it.");
            return;
        }
        const auto &asked = m_document.candidates;
        hardware.counts = m_counts.of(*m_model, m_space.jobs, *hardware.sites.front().fleets.front(), asked.leastNodes,
            asked.mostNodes, hardware.useless);
        m_space.hardware.push_back(std::move(hardware));
    }

    /// False where it cannot be priced; why is remembered.
    bool addLot(Site &site, Lot lot, Expected<Fleet> fleet, int owned)
    {
        const auto name = lot.label.empty() ? fleetwright::nameOf(lot.fleet.node, CatalogKind::Node, m_catalog)
                                            : lot.label;
        if (!fleet) {
            refuseCandidate(name, fleet.error().code, fleet.error().field, fleet.error().message);
            return false;
        }
        const auto &facts = **fleet;
        if (lot.paying.paying == Paying::Rent && !facts.costs.find("rent_usd_per_hour")) {
            const auto *missing = facts.costs.findMissing("rent_usd_per_hour");
            refuseCandidate(name + ", " + words(lot.paying), ErrorCode::MissingField, "candidates.paying",
                missing ? missing->sentence : "The catalog has no such quote for it.");
            return false;
        }
        if (owned > 0) {
            if (!facts.costs.find("node_usd") && !facts.costs.find("accelerator_usd")) {
                refuseCandidate(name, ErrorCode::MissingField, "fleet.costs.node_usd",
                    "What a further node costs is not known: enter the price of a node under the fleet\u2019s costs.");
                return false;
            }
        }
        lot.node = facts.node->name;
        lot.nodeId = facts.node->id;
        lot.accelerator = facts.node->accelerator->name;
        lot.fabric = facts.fabric->name;
        lot.site = facts.site.facilityName.empty() ? facts.site.gridName : facts.site.facilityName;
        lot.acceleratorsPerNode = facts.node->acceleratorsPerNode;
        lot.ownedNodes = owned;
        site.lots.push_back(m_space.lots.size());
        site.fleets.push_back(std::move(*fleet));
        m_space.lots.push_back(std::move(lot));
        return true;
    }

    enum class Standing { Stated, Offered, Owned };

    void addFixed(const DecisionFleet &stated, const std::string &field, Standing standing)
    {
        const bool owned = standing == Standing::Owned;
        Lot lot{.label = stated.label,
            .fleet = stated.fleet,
            .paying = {stated.fleet.costs.paying, stated.fleet.costs.rentTerm},
            .fixedCount = !owned};
        for (const auto &[entry, value] : m_document.candidates.costs)
            lot.fleet.costs.entries.try_emplace(entry, value);
        if (owned) // the worksheet knows what is bought beside them
            lot.fleet.costs.entries.insert_or_assign("owned_nodes", CostEntry{.value = double(stated.fleet.nodes)});
        if (standing != Standing::Offered) // whose scope is whole
            takeLicences(lot.fleet);
        // Where it stands is the decision's to say where nobody else does.
        const bool standsSomewhere = !isNothing(lot.fleet.facility) || !isNothing(lot.fleet.grid);
        Hardware hardware;
        for (const auto &where : standsSomewhere ? std::vector<DecisionSite>(1) : sitesAsked()) {
            Site site;
            auto here = lot;
            if (!standsSomewhere) {
                here.fleet.facility = where.facility;
                here.fleet.grid = where.grid;
            }
            auto resolved = resolve(here.fleet, m_catalog);
            if (addLot(site, std::move(here), std::move(resolved), owned ? stated.fleet.nodes : 0))
                hardware.sites.push_back(std::move(site));
            else
                m_space.refused.back().error.field = field;
        }
        if (hardware.sites.empty())
            return;
        const auto &fleet = *hardware.sites.front().fleets.front();
        if (owned)
            hardware.counts = m_counts.of(*m_model, m_space.jobs, fleet, stated.fleet.nodes,
                std::max(stated.fleet.nodes, m_document.candidates.mostNodes), hardware.useless);
        else
            hardware.counts = {stated.fleet.nodes};
        m_space.hardware.push_back(std::move(hardware));
    }

    /// What it leaves out costs what the catalog says; one that does not stand is no candidate, and says why.
    Expected<void> addOffer(const OfferReference &reference, const std::string &field)
    {
        const auto *offer = std::get_if<OfferDocument>(&reference);
        if (!offer)
            return refuse(ErrorCode::UnknownReference, field,
                "The offer \u201c" + std::get<std::string>(reference)
                    + "\u201d is named and not here: it is read from the project that has it.");
        const auto label = labelOf(*offer);
        if (!isPriced(*offer)) {
            refuseCandidate(label, ErrorCode::MissingField, field, "It has no price yet.");
            return {};
        }
        const auto normal = normalise(*offer, m_catalog, {.asOf = m_document.order, .licences = m_licences});
        if (!normal) {
            refuseCandidate(label, normal.error().code, field + "." + normal.error().field, normal.error().message);
            return {};
        }
        addFixed({.label = label, .fleet = normal->fleet}, field, Standing::Offered);
        return {};
    }

    Expected<void> addBase()
    {
        Lot lot{.label = m_document.baseCase->name,
            .fleet = *m_document.baseCase,
            .paying = {m_document.baseCase->costs.paying, m_document.baseCase->costs.rentTerm},
            .fixedCount = true};
        for (const auto &[entry, value] : m_document.candidates.costs)
            lot.fleet.costs.entries.try_emplace(entry, value);
        const auto *id = std::get_if<std::string>(&lot.fleet.node);
        const auto *node = id ? m_catalog.find(CatalogKind::Node, *id) : std::get_if<CatalogRecord>(&lot.fleet.node);
        takeLicences(lot.fleet);
        if (isNothing(lot.fleet.fabric) && node) // the node's usual one
            if (const auto fabrics = fabricsOf(*node, m_catalog); !fabrics.empty())
                lot.fleet.fabric = fabrics.front();
        Hardware hardware;
        hardware.sites.emplace_back();
        auto resolved = resolve(lot.fleet, m_catalog);
        if (!addLot(hardware.sites.front(), std::move(lot), std::move(resolved), 0)) {
            auto error = m_space.refused.back().error;
            constexpr std::string_view from = "fleet.";
            if (error.field.starts_with(from))
                error.field = error.field.substr(from.size());
            error.field = "base_case." + error.field;
            return std::unexpected(std::move(error));
        }
        hardware.counts = {m_document.baseCase->nodes};
        m_space.baseHardware = m_space.hardware.size();
        m_space.hardware.push_back(std::move(hardware));
        return {};
    }

    void refuseCandidate(std::string candidate, ErrorCode code, std::string field, std::string message)
    {
        m_space.refused.push_back({std::move(candidate), Error{code, std::move(field), std::move(message)}});
    }

    const DecisionDocument &m_document;
    const Catalog &m_catalog;
    std::stop_token m_stop;
    FleetResolver m_resolver;
    const CostModel *m_model = nullptr;
    bool m_licences = false; ///< are part of an offer
    Space m_space;
    UsableCounts m_counts;
};

} // namespace

std::vector<int> Job::batchesFor(std::int64_t accelerators) const
{
    std::vector<int> batches{training.globalBatch};
    const auto odd = oddPart(accelerators);
    if (!leastBatch || training.globalBatch % odd == 0 || odd > *mostBatch)
        return batches;
    for (std::int64_t unit = std::bit_floor(std::uint64_t(*mostBatch / odd)) * odd; unit >= odd; unit /= 2) {
        const auto below = training.globalBatch / unit * unit, above = below + unit;
        const bool lower = below >= *leastBatch && below > 0, upper = above <= *mostBatch;
        if (!lower && !upper)
            continue;
        const bool takesLower = lower && (!upper || training.globalBatch - below <= above - training.globalBatch);
        batches.push_back(int(takesLower ? below : above));
        break;
    }
    for (const int end : {*leastBatch, *mostBatch})
        if (end % odd == 0 && std::ranges::find(batches, end) == batches.end())
            batches.push_back(end);
    return batches;
}

Expected<Plan> Job::on(const Fleet &fleet, int batch) const
{
    auto withBatch = training;
    withBatch.globalBatch = batch;
    return Plan::create({.name = name,
        .workload = workload,
        .fleet = fleet,
        .parallelism = {},
        .training = withBatch,
        .assumptions = assumptions,
        .constraints = constraints,
        .costModelId = costModelId});
}

Expected<Space> spaceOf(const DecisionDocument &document, const Catalog &catalog, const std::stop_token &stop)
{
    return Spaces(document, catalog, stop).all();
}

} // namespace fleetwright::size
