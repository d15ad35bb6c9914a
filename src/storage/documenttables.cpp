// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/documenttables.h"

#include "storage/exchange/plandocuments.h"

#include <nlohmann/json.hpp>

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

using exchange::Json;

constexpr std::size_t longestName = 300; ///< bytes, as for catalog items

/// How one kind of document is kept: the same statements serve plans and fleets.
template <class Document> struct Kept;
template <> struct Kept<PlanDocument> {
    static constexpr std::string_view table = "plan";
    static Expected<PlanDocument> read(const Json &json) { return exchange::planFromJson(json); }
    static Json write(const PlanDocument &document) { return exchange::planToJson(document); }
};
template <> struct Kept<FleetDocument> {
    static constexpr std::string_view table = "fleet";
    static Expected<FleetDocument> read(const Json &json) { return exchange::fleetFromJson(json); }
    static Json write(const FleetDocument &document) { return exchange::fleetToJson(document); }
};

template <class Document> QString sqlName() { return QString::fromLatin1(Kept<Document>::table.data(), qsizetype(Kept<Document>::table.size())); }

template <class Document> Expected<Document> documentFrom(const std::string &text)
{
    const auto json = Json::parse(text, nullptr, false);
    if (json.is_discarded())
        return refuse(ErrorCode::ParseError, "document", "The stored text is not JSON.");
    return Kept<Document>::read(json);
}

template <class Saved, class Document> Expected<std::vector<Saved>> readAll(const Database &database, std::vector<Error> &faults)
{
    auto query = Query::run(database, u"SELECT id, name, document FROM %1 ORDER BY position, id"_s.arg(sqlName<Document>()));
    if (!query)
        return std::unexpected(query.error());
    std::vector<Saved> rows;
    while (query->next()) {
        const auto id = query->integer(0);
        const auto name = query->text(1);
        auto document = documentFrom<Document>(query->text(2));
        if (document)
            rows.push_back({id, std::move(*document)});
        else
            faults.push_back({document.error().code, std::string(Kept<Document>::table) + "s/" + name + "." + document.error().field,
                "The saved " + std::string(Kept<Document>::table) + " \u201c" + name + "\u201d is damaged: " + document.error().message});
    }
    return query->finish(std::move(rows));
}

template <class Document> Expected<RowId> write(Database &database, RowId id, const Document &document)
{
    if (document.name.size() > longestName)
        return refuse(ErrorCode::OutOfRange, "name", "Give this " + std::string(Kept<Document>::table) + " a name of at most " + std::to_string(longestName) + " characters.");
    QString stored;
    try {
        stored = QString::fromStdString(Kept<Document>::write(document).dump());
    } catch (const nlohmann::json::exception &) {
        return refuse(ErrorCode::UnsupportedValue, "name", "A text of this " + std::string(Kept<Document>::table) + " is not valid UTF-8; type it again.");
    }
    // What is saved must open again: the reader's own rules decide before anything is written.
    const auto back = documentFrom<Document>(stored.toStdString());
    if (!back)
        return std::unexpected(back.error());
    if (!(*back == document))
        return refuse(ErrorCode::UnsupportedValue, "document", "This " + std::string(Kept<Document>::table) + " holds a value that a project cannot keep unchanged; check its numbers.");
    const QString name = QString::fromStdString(document.name);
    if (id == 0) {
        if (auto done = database.execute(u"INSERT INTO %1 (position, name, document) VALUES (0, ?, ?)"_s.arg(sqlName<Document>()), {name, stored}); !done)
            return std::unexpected(done.error());
        id = database.lastInsertedRow();
        if (auto done = database.execute(u"UPDATE %1 SET position = id WHERE id = ?"_s.arg(sqlName<Document>()), {id}); !done)
            return std::unexpected(done.error());
        return id;
    }
    // A removed row returns to its old place, because its position was its id.
    if (auto done = database.execute(u"INSERT INTO %1 (id, position, name, document) VALUES (?, ?, ?, ?) "
                                      "ON CONFLICT (id) DO UPDATE SET name = excluded.name, document = excluded.document"_s.arg(sqlName<Document>()),
            {id, id, name, stored});
        !done)
        return std::unexpected(done.error());
    return id;
}

template <class Document> Expected<void> erase(Database &database, RowId id)
{
    if (auto done = database.execute(u"DELETE FROM %1 WHERE id = ?"_s.arg(sqlName<Document>()), {id}); !done)
        return done;
    const std::string table(Kept<Document>::table);
    if (database.changedRows() == 0)
        return refuse(ErrorCode::UnknownReference, table, "This " + table + " is no longer in the project.");
    return {};
}

} // namespace

Expected<std::vector<SavedPlan>> readPlans(const Database &database, std::vector<Error> &faults) { return readAll<SavedPlan, PlanDocument>(database, faults); }

Expected<std::vector<SavedFleet>> readFleets(const Database &database, std::vector<Error> &faults) { return readAll<SavedFleet, FleetDocument>(database, faults); }

Expected<RowId> writePlan(Database &database, const SavedPlan &plan) { return write(database, plan.id, plan.document); }

Expected<RowId> writeFleet(Database &database, const SavedFleet &fleet) { return write(database, fleet.id, fleet.document); }

Expected<void> erasePlan(Database &database, RowId id) { return erase<PlanDocument>(database, id); }

Expected<void> eraseFleet(Database &database, RowId id) { return erase<FleetDocument>(database, id); }

Expected<std::optional<SavedResult>> readResult(const Database &database, RowId plan)
{
    auto query = Query::run(database, u"SELECT cost_model_id, cost_model_version, input_hash, solved_at, estimate FROM result WHERE plan_id = ?"_s, {plan});
    if (!query)
        return std::unexpected(query.error());
    std::optional<SavedResult> result;
    while (query->next())
        result = SavedResult{query->string(0), query->string(1), query->string(2), query->string(3), query->string(4)};
    return query->finish(std::move(result));
}

Expected<void> writeResult(Database &database, RowId plan, const SavedResult &result)
{
    if (!nlohmann::json::accept(result.estimateJson.toStdString()))
        return refuse(ErrorCode::UnsupportedValue, "estimate", "The result to be saved is not JSON.");
    const auto known = database.integer(u"SELECT count(*) FROM plan WHERE id = ?"_s, {plan});
    if (!known)
        return std::unexpected(known.error());
    if (*known == 0)
        return refuse(ErrorCode::UnknownReference, "plan", "The plan of this result is no longer in the project.");
    return database.execute(u"INSERT OR REPLACE INTO result (plan_id, cost_model_id, cost_model_version, input_hash, solved_at, estimate) VALUES (?, ?, ?, ?, ?, ?)"_s,
        {plan, result.costModelId, result.costModelVersion, result.inputHash, result.solvedAt, result.estimateJson});
}

} // namespace fleetwright::storage
