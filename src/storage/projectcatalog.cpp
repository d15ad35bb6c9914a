// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/projectcatalog.h"

#include "domain/catalogusage.h"
#include "storage/catalogtables.h"
#include "storage/documenttables.h"
#include "storage/shippedprojects.h"

#include <type_traits>

namespace fleetwright::storage {

namespace {

/// The documents that name the item, in words.
std::vector<std::string> documentsUsing(const Database &database, CatalogKind kind, const std::string &id)
{
    std::vector<std::string> users;
    const auto collect = [&]<class Document>(std::string_view word, std::type_identity<Document>) {
        std::vector<Error> ignored; // damaged documents cannot be asked; check() reports them
        if (const auto rows = readDocuments<Document>(database, ignored))
            for (const auto &row : *rows)
                if (uses(row.document, kind, id))
                    users.push_back(std::string(word) + " \u201c" + row.document.name + "\u201d");
    };
    collect("plan", std::type_identity<PlanDocument>());
    collect("fleet", std::type_identity<FleetDocument>());
    collect("sweep", std::type_identity<SweepDocument>());
    return users;
}

} // namespace

Expected<Catalog> currentCatalog(const Database &database, std::vector<Error> &faults)
{
    auto catalog = readCatalog(database, faults);
    if (catalog)
        if (auto renewed = renewConstants(*catalog); !renewed)
            return std::unexpected(std::move(renewed.error()));
    return catalog;
}

Expected<void> storeRecord(Database &database, const CatalogRecord &record, RecordRules rules)
{
    std::vector<Error> others; // a damaged item elsewhere must not keep the user from repairing this one
    const auto catalog = currentCatalog(database, others);
    if (!catalog)
        return std::unexpected(catalog.error());
    const auto *existing = catalog->find(record.kind, record.id);
    if (record.shipped || (existing && existing->shipped))
        return refuse(ErrorCode::ReadOnly, "id",
            "\u201c" + record.name
                + "\u201d came with the program and stays as it is; duplicate it and edit the copy.");
    if (auto ok = rules == RecordRules::Checked ? catalog->check(record) : Expected<void>(); !ok)
        return ok;
    for (const auto &attribution :
        record.attributions) // a project that is older than a source of the program does not hold it
        if (const auto *source = catalog->source(record.kind, attribution.sourceId))
            if (auto there = ensureSource(database, record.kind, *source); !there)
                return there;
    return writeRecord(database, record);
}

Expected<void> replaceItems(Database &database, const CatalogItems &from, const CatalogItems &to, RecordRules rules)
{
    std::vector<Error> others;
    auto catalog = currentCatalog(database, others);
    if (!catalog)
        return std::unexpected(catalog.error());
    const auto in = [](const CatalogRecord &record, Error error) {
        error.field = toString(ItemId{record.kind, record.id}) + "." + error.field;
        return std::unexpected(std::move(error));
    };
    for (const auto &record : to.records)
        if (const auto *existing = catalog->find(record.kind, record.id);
            existing && existing->shipped != record.shipped)
            return in(record,
                {ErrorCode::ConstraintViolated, "id",
                    "There is " + std::string(existing->shipped ? "a shipped item" : "an item of your own")
                        + " with the id \u201c" + record.id + "\u201d already; choose another one."});
    apply(*catalog, from, to);
    if (rules == RecordRules::Checked)
        for (const auto &record : to.records)
            if (auto ok = catalog->check(record); !ok)
                return in(record, std::move(ok.error()));
    for (const auto &[kind, source] : to.sources)
        if (auto done = writeSource(database, kind, source); !done)
            return done;
    const auto gone = leaving(from, to);
    for (const auto &record : gone.records)
        if (auto done = eraseRecord(database, record.kind, record.id); !done)
            return done;
    for (const auto &record : to.records)
        if (auto done = writeRecord(database, record); !done)
            return in(record, std::move(done.error()));
    for (const auto &[kind, source] : gone.sources)
        if (auto done = eraseSource(database, kind, source.id); !done)
            return done;
    return {};
}

Expected<void> dropRecord(Database &database, CatalogKind kind, const std::string &id)
{
    std::vector<Error> others;
    const auto catalog = currentCatalog(database, others);
    if (!catalog)
        return std::unexpected(catalog.error());
    const auto found = catalog->require(kind, id, "id");
    if (!found)
        return std::unexpected(found.error());
    const std::string name = "\u201c" + (*found)->name + "\u201d";
    if ((*found)->shipped)
        return refuse(ErrorCode::ReadOnly, "id", name + " came with the program and cannot be deleted.");
    auto users = catalog->usersOf(kind, id);
    std::erase(users, id);
    for (auto &user : documentsUsing(database, kind, id))
        users.push_back(std::move(user));
    if (!users.empty())
        return refuse(ErrorCode::ConstraintViolated, "id",
            name + " is used by " + users.front()
                + (users.size() > 1 ? " and " + std::to_string(users.size() - 1) + " more" : "")
                + "; choose something else there first.");
    return eraseRecord(database, kind, id);
}

} // namespace fleetwright::storage
