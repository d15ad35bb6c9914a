// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/projecttext.h"

#include "domain/outputpaths.h"
#include "exchange/approveddocuments.h"
#include "exchange/catalogfiles.h"
#include "exchange/ledgerdocuments.h"
#include "exchange/objectreader.h"
#include "exchange/plandocuments.h"
#include "exchange/savefile.h"
#include "exchange/studydocuments.h"
#include "exchange/textreader.h"
#include "storage/files.h"
#include "storage/shippedstudies.h"

#include <set>

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

using exchange::Json;

/// As long as a catalog file or a file of measured runs may be; items of one catalog are a list, not keys.
constexpr exchange::TextLimits projectLimits{
    .bytes = 64UZ * 1024 * 1024, .depth = 80, .keys = 5000, .values = 5'000'000};

/// Constants of the cost models are those of whichever version has the project open.
bool isOfTheProgram(const CatalogRecord &record)
{
    return record.shipped && record.kind == CatalogKind::CalibrationConstant;
}

Json ownItems(const Catalog &catalog)
{
    Json ids = Json::object();
    for (const auto kind : allCatalogKinds)
        for (const auto &record : catalog.records(kind))
            if (!record.shipped)
                ids[std::string(toString(kind))].push_back(record.id);
    return ids;
}

/// The items and sources as catalog files; the description of fields is the program's and goes.
Json catalogsOf(Catalog catalog)
{
    std::vector<std::string> constants;
    for (const auto &record : catalog.records(CatalogKind::CalibrationConstant))
        if (isOfTheProgram(record))
            constants.push_back(record.id);
    for (const auto &id : constants)
        catalog.remove(CatalogKind::CalibrationConstant, id);
    auto catalogs = Json::parse(exchange::catalogFileToJson(catalog, allCatalogKinds)).at("catalogs");
    for (auto &one : catalogs)
        one.erase("schema");
    return catalogs;
}

template <class Values, class Write> Json listOf(const Values &values, Write write)
{
    Json list = Json::array();
    for (const auto &value : values)
        list.push_back(write(value));
    return list;
}

/// The documents of rows; `fault` keeps the first that cannot be read.
template <class Rows, class Document> void take(Rows rows, std::vector<Document> &into, std::optional<Error> &fault)
{
    if (!rows && !fault)
        fault = rows.error();
    if (rows)
        for (auto &row : *rows)
            into.push_back(std::move(row.document));
}

Expected<std::vector<StudyProgress>> progressOf(const Project &project)
{
    std::vector<StudyProgress> list;
    auto all = shippedStudies();
    const auto own = project.studies();
    if (!all || !own)
        return std::unexpected(all ? own.error() : all.error());
    for (const auto &study : *own)
        all->push_back(study.document);
    std::set<std::string> asked;
    for (const auto &study : *all) {
        if (!asked.insert(study.id).second)
            continue;
        auto progress = project.studyProgress(study.id);
        if (!progress)
            return std::unexpected(progress.error());
        if (*progress)
            list.push_back(std::move(**progress));
    }
    return list;
}

/// What the text holds, read and checked before a file is made.
struct ProjectParts {
    std::vector<exchange::Document> documents;
    std::vector<FleetDocument> fleets;
    std::vector<LedgerEntry> ledger;
    std::vector<ApprovedDecision> approvals;
    std::vector<StudyProgress> progress;
    CatalogItems items;
};

template <class Read, class Value>
void readList(exchange::ObjectReader &reader, std::string_view key, Read read, std::vector<Value> &into)
{
    const auto *list = reader.require(key, "a list");
    if (!list || reader.error())
        return;
    if (!list->is_array())
        return reader.refuse(ErrorCode::UnsupportedValue, key, "\u201c" + std::string(key) + "\u201d must be a list.");
    for (std::size_t i = 0; i < list->size(); ++i) {
        Expected<Value> value = read((*list)[i]);
        if (!value) {
            const auto at = std::string(key) + "[" + std::to_string(i) + "]";
            return reader.refuse(
                {value.error().code, exchange::joined(at, value.error().field), value.error().message});
        }
        into.push_back(std::move(*value));
    }
}

/// The items, each shipped or own as "own_items" says.
Expected<CatalogItems> itemsIn(const Json &catalogs, const Json &own)
{
    auto file = exchange::catalogFileFromJson(Json{{"catalogs", catalogs}}.dump(), {});
    if (!file)
        return std::unexpected(std::move(file.error()));
    if (!file->refused.empty())
        return std::unexpected(std::move(file->refused.front().error));
    std::set<ItemId> owned, seen;
    if (!own.is_object())
        return refuse(ErrorCode::UnsupportedValue, "own_items", "\u201cown_items\u201d must be an object of lists.");
    for (const auto &[name, ids] : own.items()) {
        const auto kind = parseCatalogKind(name, "own_items");
        if (!kind)
            return std::unexpected(kind.error());
        if (!ids.is_array())
            return refuse(ErrorCode::UnsupportedValue, "own_items." + name, "It must be a list of ids.");
        for (const auto &id : ids)
            if (id.is_string())
                owned.insert({*kind, id.get<std::string>()});
    }
    for (auto &record : file->items.records) {
        if (!seen.insert({record.kind, record.id}).second)
            return refuse(ErrorCode::OutOfRange, "catalogs." + std::string(toString(record.kind)),
                "The id \u201c" + record.id + "\u201d stands twice; ids are unique in a catalog.");
        record.shipped = !owned.contains({record.kind, record.id});
    }
    std::erase_if(file->items.records, isOfTheProgram);
    return std::move(file->items);
}

Expected<ProjectParts> partsOf(const QByteArray &text)
{
    const auto json = exchange::readJson(std::string_view(text.constData(), std::size_t(text.size())), projectLimits);
    if (!json)
        return std::unexpected(json.error());
    // The version first: a later one may have anything else.
    const auto *stated = json->is_object() && json->contains("fleetwright_project") ? &(*json)["fleetwright_project"]
                                                                                    : nullptr;
    if (!stated || !stated->is_number_integer())
        return refuse(ErrorCode::MissingField, "fleetwright_project", "The text is not a project of Fleetwright.");
    if (*stated != projectTextVersion)
        return refuse(ErrorCode::NewerFile, "fleetwright_project",
            "The project was written by a later version of Fleetwright; open it with that one.");
    exchange::ObjectReader reader(*json, "", "project",
        {"fleetwright_project", "documents", "fleets", "ledger", "approvals", "study_progress", "catalogs",
            "own_items"});
    ProjectParts parts;
    readList(
        reader, "documents", [](const Json &one) { return exchange::documentFromText(one.dump()); }, parts.documents);
    readList(
        reader, "fleets", [](const Json &one) { return exchange::fleetFromJson(one, ""); }, parts.fleets);
    readList(reader, "ledger", exchange::ledgerEntryFromJson, parts.ledger);
    readList(reader, "approvals", exchange::approvedFromJson, parts.approvals);
    readList(reader, "study_progress", exchange::progressFromJson, parts.progress);
    const auto *catalogs = reader.require("catalogs", "the catalogs");
    const auto *own = reader.require("own_items", "the ids of the user's items");
    if (catalogs && own && !reader.error())
        parts.items = reader.take(itemsIn(*catalogs, *own));
    if (reader.error())
        return std::unexpected(*reader.error());
    return parts;
}

/// What the text calls shipped and this version does not ship so.
Expected<std::vector<ItemUpdate>> notAsShipped(const Project &project, const Catalog &shipped)
{
    const auto catalog = project.catalog();
    if (!catalog)
        return std::unexpected(catalog.error());
    auto all = compareWithShipped(*catalog, shipped);
    std::erase_if(all,
        [](const ItemUpdate &one) { return one.change != ItemChange::Changed && one.change != ItemChange::Withdrawn; });
    return all;
}

/// Nobody who opens a report has asked for files elsewhere. Returns the names that were changed.
std::vector<std::string> keepInFolder(std::vector<exchange::Document> &documents)
{
    std::vector<std::string> moved;
    for (auto &document : documents)
        if (auto *set = std::get_if<OutputSet>(&document))
            for (auto &file : set->files) {
                if (!leavesFolder(file))
                    continue;
                moved.push_back(file);
                const auto name = nameInFolder(file);
                auto kept = name.empty() ? std::string("tables/") : name;
                for (int number = 2; std::ranges::find(set->files, kept) != set->files.end(); ++number)
                    kept = std::to_string(number).append("-").append(name.empty() ? "tables/" : name);
                file = kept;
            }
    return moved;
}

Expected<void> fill(Project &project, const ProjectParts &parts, RestoredProject &restored)
{
    const auto catalog = project.catalog();
    if (!catalog)
        return std::unexpected(catalog.error());
    CatalogItems shipped;
    for (const auto kind : allCatalogKinds) {
        for (const auto &record : catalog->records(kind))
            if (!isOfTheProgram(record))
                shipped.records.push_back(record);
    }
    // The values are those that the report was made with, whatever rules have come since.
    if (auto done = project.replaceItems(shipped, parts.items, RecordRules::AsItStood); !done)
        return done;
    if (auto done = project.addDocuments(parts.documents); !done)
        return done;
    const auto save = [](const auto &documents, auto store) -> Expected<void> {
        for (const auto &document : documents)
            if (auto saved = store(document); !saved)
                return std::unexpected(std::move(saved.error()));
        return {};
    };
    if (auto done = save(parts.fleets, [&](const auto &fleet) { return project.saveFleet({0, fleet}); }); !done)
        return done;
    if (auto done = save(parts.ledger, [&](const auto &entry) { return project.saveLedgerEntry({0, entry}); }); !done)
        return done;
    if (auto done = save(parts.approvals, [&](const auto &one) { return project.saveApproval({0, one}); }); !done)
        return done;
    if (auto done = save(parts.progress, [&](const auto &progress) { return project.saveStudyProgress(progress); });
        !done)
        return done;
    auto others = notAsShipped(project, *catalog);
    if (!others)
        return std::unexpected(std::move(others.error()));
    restored.notAsShipped = std::move(*others);
    return {};
}

} // namespace

Expected<ProjectCopy> copyOf(const Project &project, std::shared_ptr<const Catalog> catalog)
{
    ProjectCopy copy{.catalog = std::move(catalog)};
    if (!copy.catalog) {
        auto read = project.catalog();
        if (!read)
            return std::unexpected(std::move(read.error()));
        copy.catalog = std::make_shared<const Catalog>(std::move(*read));
    }
    auto documents = project.documents();
    auto progress = progressOf(project);
    if (!documents || !progress)
        return std::unexpected(!documents ? documents.error() : progress.error());
    copy.documents = std::move(*documents);
    copy.progress = std::move(*progress);
    std::optional<Error> fault;
    take(project.fleets(), copy.fleets, fault);
    take(project.ledger(), copy.ledger, fault);
    take(project.approvals(), copy.approvals, fault);
    if (fault)
        return std::unexpected(std::move(*fault));
    return copy;
}

QByteArray projectText(const ProjectCopy &project)
{
    Json json{{"fleetwright_project", projectTextVersion}};
    json["documents"] = listOf(project.documents, [](const exchange::Document &document) {
        return Json::parse(exchange::toText(document, exchange::TextFormat::JsonText));
    });
    json["fleets"] = listOf(project.fleets, exchange::fleetToJson);
    json["ledger"] = listOf(project.ledger, exchange::ledgerEntryToJson);
    json["approvals"] = listOf(project.approvals, exchange::approvedToJson);
    json["study_progress"] = listOf(project.progress, exchange::progressToJson);
    json["catalogs"] = catalogsOf(*project.catalog);
    json["own_items"] = ownItems(*project.catalog);
    return QByteArray::fromStdString(json.dump());
}

Expected<QByteArray> projectText(const Project &project)
{
    const auto copy = copyOf(project);
    return copy ? Expected<QByteArray>(projectText(*copy)) : std::unexpected(copy.error());
}

Expected<RestoredProject> restoreProject(const QByteArray &text, const QString &path)
{
    if (auto vacant = checkVacant(path); !vacant)
        return std::unexpected(std::move(vacant.error()));
    auto parts = partsOf(text);
    if (!parts)
        return std::unexpected(parts.error());
    RestoredProject restored;
    restored.movedFiles = keepInFolder(parts->documents);
    auto saved = exchange::saveMade(path, exchange::Placing::New, [&](const QString &unfinished) -> Expected<void> {
        const auto project = Project::create(unfinished);
        if (project)
            (*project)->setKeepsVersions(false);
        return project ? fill(**project, *parts, restored) : std::unexpected(project.error());
    });
    if (!saved)
        return std::unexpected(std::move(saved.error()));
    return restored;
}

} // namespace fleetwright::storage
