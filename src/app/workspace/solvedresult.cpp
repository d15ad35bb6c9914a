// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/solvedresult.h"

#include "storage/exchange/plandocuments.h"

#include <QDateTime>

#include <nlohmann/json.hpp>

namespace fleetwright::app {

std::optional<storage::SavedResult> toSavedResult(const jobs::SolveOutcome &outcome)
{
    if (!outcome.plan || !outcome.solution)
        return std::nullopt;
    return storage::SavedResult{.costModelId = QString::fromStdString(outcome.solution->costModelId),
        .costModelVersion = QString::fromStdString(outcome.solution->costModelVersion),
        .inputHash = QString::fromStdString(outcome.inputHash),
        .solvedAt = QDateTime::currentDateTimeUtc().toString(Qt::ISODate),
        .estimateJson = QString::fromStdString(exchange::solutionToJson(*outcome.solution, *outcome.plan).dump())};
}

} // namespace fleetwright::app
