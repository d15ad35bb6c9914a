// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "itemmodels/priceuser.h"
#include "solver/size/size.h"
#include "storage/project.h"

#include <functional>
#include <map>
#include <optional>

namespace fleetwright::app {

class Workspace;

/// What in the project uses each price of its catalog: plans and fleets with the prices of UsedPrices, those that only
/// stand for comparison (rent of what is bought) said to be so; a decision with those of its candidates that it names,
/// of its base case, and of the fleet that its last answer rests on.
class UsersOfPrices {
public:
    using AnswerReader = std::function<Expected<size::Result>(std::string_view)>; ///< of what the project keeps
    explicit UsersOfPrices(const Workspace &workspace);
    /// For tests: `reader` reads answers.
    UsersOfPrices(const Workspace &workspace, AnswerReader reader);

    /// Each kept answer is read once, however often this is asked.
    [[nodiscard]] itemmodels::PriceUsers now();

private:
    /// The best fleet of an answer, and which answer that is.
    struct Best {
        QString inputHash, solvedAt;
        std::optional<FleetDocument> fleet; ///< nothing: it has none, or cannot be read
    };

    [[nodiscard]] std::vector<FleetDocument> decidingFleets(
        const storage::SavedDecision &decision, const Catalog &catalog);
    [[nodiscard]] std::optional<FleetDocument> bestOf(storage::RowId decision);

    const Workspace &m_workspace;
    AnswerReader m_reader;
    std::map<storage::RowId, Best> m_best; ///< by decision
};

} // namespace fleetwright::app
