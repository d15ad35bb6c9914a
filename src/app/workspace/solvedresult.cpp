// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/solvedresult.h"

#include "exchange/plandocuments.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonObject>

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

std::optional<validation::PredictionRange> storedRange(const QJsonObject &estimate)
{
    const auto stored = estimate.value(QLatin1StringView("step_time_range")).toObject();
    const auto low = stored.value(QLatin1StringView("low_s")), high = stored.value(QLatin1StringView("high_s"));
    if (!low.isDouble() || !high.isDouble())
        return std::nullopt;
    validation::PredictionRange range{.low = low.toDouble() * second,
        .high = high.toDouble() * second,
        .typicalError = stored.value(QLatin1StringView("typical_error")).toDouble(),
        .runs = stored.value(QLatin1StringView("runs")).toInt(),
        .sources = stored.value(QLatin1StringView("sources")).toInt(),
        .comparable = stored.value(QLatin1StringView("comparable")).toString().toStdString(),
        .outside = {}};
    const auto sentences = stored.value(QLatin1StringView("outside")).toArray();
    for (const auto &sentence : sentences)
        range.outside.push_back(sentence.toString().toStdString());
    return range;
}

} // namespace fleetwright::app
