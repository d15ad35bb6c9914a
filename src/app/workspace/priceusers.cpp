// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/priceusers.h"

#include "app/workspace/workspace.h"
#include "exchange/sizeresults.h"
#include "solver/worksheet/usedprices.h"
#include "text/localized.h"
#include "text/utf8.h"

#include <QCoreApplication>

#include <algorithm>

namespace fleetwright::app {

namespace {

using itemmodels::PriceUser;

class Gathering {
    Q_DECLARE_TR_FUNCTIONS(PriceUsers)
public:
    explicit Gathering(const Catalog &catalog) : m_used(catalog) { }

    void add(PriceUser::Kind kind, qint64 id, const std::string &name, const FleetDocument &fleet)
    {
        for (const auto &price : m_used.of(fleet)) {
            const bool isRent = price.entry == rentEntry;
            const bool isPaid = isRent == (fleet.costs.paying == Paying::Rent);
            if (!isPaid && kind == PriceUser::Kind::Decision)
                continue; // what it chooses from has each way of paying as a fleet of its own
            auto entry = localized(entryInWords(price.entry));
            if (!isPaid)
                entry = tr("%1 (to compare with)").arg(entry);
            auto &users = m_users[price.id];
            auto same = std::ranges::find_if(
                users, [&](const PriceUser &user) { return user.kind == kind && user.id == id; });
            if (same == users.end())
                same = users.insert(users.end(), {.kind = kind, .id = id, .name = utf8(name), .entries = {}});
            if (!same->entries.contains(entry))
                same->entries << entry;
        }
    }

    itemmodels::PriceUsers take() { return std::move(m_users); }

private:
    UsedPrices m_used;
    itemmodels::PriceUsers m_users;
};

} // namespace

UsersOfPrices::UsersOfPrices(const Workspace &workspace) : UsersOfPrices(workspace, exchange::sizeResultFromStored) { }

UsersOfPrices::UsersOfPrices(const Workspace &workspace, AnswerReader reader)
    : m_workspace(workspace), m_reader(std::move(reader))
{
}

std::optional<FleetDocument> UsersOfPrices::bestOf(storage::RowId decision)
{
    const auto kept = m_workspace.decisionResult(decision);
    if (!kept) {
        m_best.erase(decision);
        return std::nullopt;
    }
    const auto [place, isNew] = m_best.try_emplace(decision);
    auto &known = place->second;
    if (isNew || known.solvedAt != kept->solvedAt || known.inputHash != kept->inputHash) {
        known = {.inputHash = kept->inputHash, .solvedAt = kept->solvedAt, .fleet = {}};
        const auto result = m_reader(kept->resultJson.toStdString());
        if (const auto *best = result ? result->best() : nullptr)
            known.fleet = size::fleetOf(*result, *best);
    }
    return known.fleet;
}

/// The fleets whose prices decide it.
std::vector<FleetDocument> UsersOfPrices::decidingFleets(const storage::SavedDecision &decision, const Catalog &catalog)
{
    std::vector<FleetDocument> fleets;
    const auto &candidates = decision.document.candidates;
    const auto paying = candidates.paying.empty() ? std::vector{DecisionPaying{}} : candidates.paying;
    for (const auto &id : candidates.nodes)
        if (const auto *node = catalog.find(CatalogKind::Node, id))
            for (const auto &way : paying) {
                FleetDocument fleet{.node = id, .fabric = node->text("scale_out_fabric_id").value_or("")};
                fleet.costs = {.paying = way.paying, .rentTerm = way.rentTerm, .entries = candidates.costs};
                fleets.push_back(std::move(fleet));
            }
    for (const auto *stated : {&candidates.fleets, &candidates.owned})
        for (const auto &fleet : *stated)
            fleets.push_back(fleet.fleet);
    if (decision.document.baseCase)
        fleets.push_back(*decision.document.baseCase);
    if (auto best = bestOf(decision.id))
        fleets.push_back(std::move(*best));
    return fleets;
}

itemmodels::PriceUsers UsersOfPrices::now()
{
    if (!m_workspace.isOpen())
        return {};
    const auto catalog = m_workspace.catalog();
    Gathering users(*catalog);
    for (const auto &plan : m_workspace.plans())
        users.add(PriceUser::Kind::Plan, plan.id, plan.document.name, plan.document.fleet);
    for (const auto &fleet : m_workspace.fleets())
        users.add(PriceUser::Kind::Fleet, fleet.id, fleet.document.name, fleet.document);
    for (const auto &decision : m_workspace.decisions())
        for (const auto &fleet : decidingFleets(decision, *catalog))
            users.add(PriceUser::Kind::Decision, decision.id, decision.document.name, fleet);
    return users.take();
}

} // namespace fleetwright::app
