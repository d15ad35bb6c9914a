// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/solvedresult.h"

#include "exchange/storedestimate.h"

#include <QDateTime>

namespace fleetwright::app {

std::optional<storage::SavedResult> toSavedResult(const jobs::SolveOutcome &outcome)
{
    if (!outcome.plan || !outcome.solution)
        return std::nullopt;
    return storage::SavedResult{.costModelId = QString::fromStdString(outcome.solution->costModelId),
        .costModelVersion = QString::fromStdString(outcome.solution->costModelVersion),
        .inputHash = QString::fromStdString(outcome.inputHash),
        .solvedAt = QDateTime::currentDateTimeUtc().toString(Qt::ISODate),
        .estimateJson = QString::fromStdString(exchange::storedText(*outcome.solution, *outcome.plan))};
}

} // namespace fleetwright::app
