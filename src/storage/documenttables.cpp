// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/documenttables.h"

#include "exchange/approveddocuments.h"
#include "exchange/decisiondocuments.h"
#include "exchange/ledgerdocuments.h"
#include "exchange/measuredrundocuments.h"
#include "exchange/offerdocuments.h"
#include "exchange/outputdocuments.h"
#include "exchange/plandocuments.h"
#include "exchange/storedruns.h"
#include "exchange/studydocuments.h"
#include "exchange/sweepdocuments.h"
#include "exchange/textreader.h"
#include "text/utf8.h"

#include <nlohmann/json.hpp>

#include <type_traits>

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

using exchange::Json;

constexpr std::size_t longestName = 300; ///< bytes, as for catalog items
/// More than any document or answer that the program writes; far less than what makes a hostile file slow.
constexpr exchange::TextLimits storedLimits{
    .bytes = 64UZ * 1024 * 1024, .depth = 80, .keys = 2000, .values = 5'000'000};

/// How one kind of document is kept: the same statements serve all kinds.
template <class Document> struct Kept;
template <> struct Kept<PlanDocument> {
    static constexpr std::string_view table = "plan", plural = "plans", word = "plan";
    static constexpr auto name = &PlanDocument::name;
    static Expected<PlanDocument> read(const Json &json) { return exchange::planFromJson(json); }
    static Json write(const PlanDocument &document) { return exchange::planToJson(document); }
};
template <> struct Kept<FleetDocument> {
    static constexpr std::string_view table = "fleet", plural = "fleets", word = "fleet";
    static constexpr auto name = &FleetDocument::name;
    static Expected<FleetDocument> read(const Json &json) { return exchange::fleetFromJson(json); }
    static Json write(const FleetDocument &document) { return exchange::fleetToJson(document); }
};
template <> struct Kept<SweepDocument> {
    static constexpr std::string_view table = "sweep", plural = "sweeps", word = "sweep";
    static constexpr auto name = &SweepDocument::name;
    static Expected<SweepDocument> read(const Json &json) { return exchange::sweepFromJson(json); }
    static Json write(const SweepDocument &document) { return exchange::sweepToJson(document); }
};
template <> struct Kept<StudyDocument> {
    static constexpr std::string_view table = "study", plural = "studies", word = "study";
    static constexpr auto name = &StudyDocument::title;
    static Expected<StudyDocument> read(const Json &json) { return exchange::studyFromJson(json); }
    static Json write(const StudyDocument &document) { return exchange::studyToJson(document); }
};
template <> struct Kept<LedgerEntry> {
    static constexpr std::string_view table = "ledger_entry", plural = "ledger", word = "ledger entry";
    static constexpr auto name = &LedgerEntry::title;
    static Expected<LedgerEntry> read(const Json &json) { return exchange::ledgerEntryFromJson(json); }
    static Json write(const LedgerEntry &document) { return exchange::ledgerEntryToJson(document); }
};

template <> struct Kept<OfferDocument> {
    static constexpr std::string_view table = "offer", plural = "offers", word = "offer";
    static constexpr auto name = &OfferDocument::name;
    static Expected<OfferDocument> read(const Json &json) { return exchange::offerFromJson(json); }
    static Json write(const OfferDocument &document) { return exchange::offerToJson(document); }
};

template <> struct Kept<validation::MeasuredRun> {
    static constexpr std::string_view table = "measured_run", plural = "measured_runs", word = "measured run";
    static constexpr auto name = &validation::MeasuredRun::id;
    static Expected<validation::MeasuredRun> read(const Json &json) { return exchange::measuredRunFromJson(json); }
    static std::optional<validation::MeasuredRun> readText(const std::string &text, validation::SharedTexts &texts)
    {
        return exchange::runFromStoredText(text, texts);
    }
    static std::string writeText(const validation::MeasuredRun &document) { return exchange::storedRunText(document); }
    static Json write(const validation::MeasuredRun &document) { return exchange::measuredRunToJson(document); }
};

template <> struct Kept<DecisionDocument> {
    static constexpr std::string_view table = "decision", plural = "decisions", word = "decision";
    static constexpr auto name = &DecisionDocument::name;
    static Expected<DecisionDocument> read(const Json &json) { return exchange::decisionFromJson(json); }
    static Json write(const DecisionDocument &document) { return exchange::decisionToJson(document); }
};

template <> struct Kept<ApprovedDecision> {
    static constexpr std::string_view table = "approved_decision", plural = "approved_decisions",
                                      word = "approved decision";
    static constexpr auto name = &ApprovedDecision::name;
    static Expected<ApprovedDecision> read(const Json &json) { return exchange::approvedFromJson(json); }
    static Json write(const ApprovedDecision &document) { return exchange::approvedToJson(document); }
};

template <> struct Kept<OutputSet> {
    static constexpr std::string_view table = "output_set", plural = "output_sets", word = "output set";
    static constexpr auto name = &OutputSet::name;
    static Expected<OutputSet> read(const Json &json) { return exchange::outputSetFromJson(json); }
    static Json write(const OutputSet &set) { return exchange::outputSetToJson(set); }
};

template <class Document> QString sqlName()
{
    return QString::fromLatin1(Kept<Document>::table.data(), qsizetype(Kept<Document>::table.size()));
}

/// What the reader says of a text that the program keeps, whose places nobody can look up.
Error inStored(const std::string &part, Error error)
{
    error.field = error.field.empty() ? part : part + "." + error.field;
    error.message = "The stored text is not what Fleetwright writes. " + error.message;
    return error;
}

/// `texts`: those of the documents read before, where many have the same ones.
template <class Document> Expected<Document> documentFrom(const std::string &text, validation::SharedTexts &texts)
{
    if constexpr (requires { Kept<Document>::readText(text, texts); })
        if (auto document = Kept<Document>::readText(text, texts))
            return std::move(*document);
    const auto json = exchange::readJson(text, storedLimits);
    return json ? Kept<Document>::read(*json) : std::unexpected(inStored("document", json.error()));
}

/// The last run of a sweep or a decision, in the table that is named after it.
template <class Document> Expected<std::optional<SavedRun>> readRun(const Database &database, RowId owner)
{
    auto query = Query::run(database,
        u"SELECT input_hash, solved_at, result FROM %1_result WHERE %1_id = ?"_s.arg(sqlName<Document>()), {owner});
    if (!query)
        return std::unexpected(query.error());
    std::optional<SavedRun> result;
    while (query->next())
        result = SavedRun{query->string(0), query->string(1), query->string(2)};
    return query->finish(std::move(result));
}

template <class Document> Expected<void> writeRun(Database &database, RowId owner, const SavedRun &result)
{
    if (!nlohmann::json::accept(result.resultJson.toStdString()))
        return refuse(ErrorCode::UnsupportedValue, "result", "The result to be saved is not JSON.");
    const auto table = sqlName<Document>();
    const auto known = database.integer(u"SELECT count(*) FROM %1 WHERE id = ?"_s.arg(table), {owner});
    if (!known)
        return std::unexpected(known.error());
    if (*known == 0)
        return refuse(ErrorCode::UnknownReference, std::string(Kept<Document>::table),
            "The " + std::string(Kept<Document>::word) + " of this result is no longer in the project.");
    return database.execute(
        u"INSERT OR REPLACE INTO %1_result (%1_id, input_hash, solved_at, result) VALUES (?, ?, ?, ?)"_s.arg(table),
        {owner, result.inputHash, result.solvedAt, result.resultJson});
}

} // namespace

template <class Document>
Expected<std::vector<SavedDocument<Document>>> readDocuments(const Database &database, std::vector<Error> &faults)
{
    auto query = Query::run(
        database, u"SELECT id, name, document FROM %1 ORDER BY position, id"_s.arg(sqlName<Document>()));
    if (!query)
        return std::unexpected(query.error());
    const auto count = database.integer(u"SELECT count(*) FROM %1"_s.arg(sqlName<Document>()));
    if (!count)
        return std::unexpected(count.error());
    std::vector<SavedDocument<Document>> rows;
    rows.reserve(std::size_t(*count)); // where there are many, growing by doubling would need twice the memory
    validation::SharedTexts texts;
    while (query->next()) {
        const auto id = query->integer(0);
        const auto name = query->text(1);
        auto document = documentFrom<Document>(query->text(2), texts);
        if (document)
            rows.push_back({id, std::move(*document)});
        else
            faults.push_back(
                {document.error().code, std::string(Kept<Document>::plural) + "/" + name + "." + document.error().field,
                    "The saved " + std::string(Kept<Document>::word) + " \u201c" + name
                        + "\u201d is damaged: " + document.error().message});
    }
    return query->finish(std::move(rows));
}

template <class Document> Expected<std::string> storedText(const Document &document, validation::SharedTexts &texts)
{
    if ((document.*Kept<Document>::name).size() > longestName)
        return refuse(ErrorCode::OutOfRange, "name",
            "Give this " + std::string(Kept<Document>::word) + " a name of at most " + std::to_string(longestName)
                + " characters.");
    std::string stored;
    try {
        if constexpr (requires { Kept<Document>::writeText(document); })
            stored = Kept<Document>::writeText(document);
        else
            stored = Kept<Document>::write(document).dump();
    } catch (const nlohmann::json::exception &) {
        return refuse(ErrorCode::UnsupportedValue, "name",
            "A text of this " + std::string(Kept<Document>::word) + " is not valid UTF-8; type it again.");
    }
    // What is saved must open again: the reader's own rules decide before anything is written.
    const auto back = documentFrom<Document>(stored, texts);
    if (!back)
        return std::unexpected(back.error());
    if (!(*back == document))
        return refuse(ErrorCode::UnsupportedValue, "document",
            "This " + std::string(Kept<Document>::word)
                + " holds a value that a project cannot keep unchanged; check its numbers.");
    return stored;
}

template <class Document>
Expected<RowId> DocumentWriter<Document>::write(RowId id, const Document &document, std::string_view stored)
{
    const auto &name = document.*Kept<Document>::name;
    if (id == 0)
        return insert(name, stored);
    m_newest = 0;
    if (auto done = place(id, name, stored); !done)
        return std::unexpected(std::move(done.error()));
    return id;
}

/// SQLite chooses the first id, which the position takes on; after it they are counted.
template <class Document>
Expected<RowId> DocumentWriter<Document>::insert(std::string_view name, std::string_view stored)
{
    if (m_newest > 0) {
        if (auto done = place(m_newest + 1, name, stored); !done)
            return std::unexpected(std::move(done.error()));
        return ++m_newest;
    }
    if (auto done = m_database.execute(
            u"INSERT INTO %1 (position, name, document) VALUES (0, ?, ?)"_s.arg(sqlName<Document>()),
            {utf8(name), utf8(stored)});
        !done)
        return std::unexpected(std::move(done.error()));
    const auto id = m_database.lastInsertedRow();
    if (auto done = m_database.execute(u"UPDATE %1 SET position = id WHERE id = ?"_s.arg(sqlName<Document>()), {id});
        !done)
        return std::unexpected(std::move(done.error()));
    m_newest = id;
    return id;
}

/// A removed row returns to its old place, because its position was its id.
template <class Document>
Expected<void> DocumentWriter<Document>::place(RowId id, std::string_view name, std::string_view stored)
{
    if (!m_place) {
        auto prepared = Statement::prepare(m_database,
            u"INSERT INTO %1 (id, position, name, document) VALUES (?1, ?1, ?2, ?3) "
            "ON CONFLICT (id) DO UPDATE SET name = excluded.name, document = excluded.document"_s.arg(
                sqlName<Document>()));
        if (!prepared)
            return std::unexpected(std::move(prepared.error()));
        m_place = std::move(*prepared);
    }
    return m_place->run({id, name, stored});
}

template <class Document> Expected<RowId> writeDocument(Database &database, const SavedDocument<Document> &saved)
{
    validation::SharedTexts texts;
    const auto stored = storedText(saved.document, texts);
    if (!stored)
        return std::unexpected(stored.error());
    return DocumentWriter<Document>(database).write(saved.id, saved.document, *stored);
}

template <class Document> Expected<bool> isKept(const Database &database, RowId id)
{
    const auto count = database.integer(u"SELECT count(*) FROM %1 WHERE id = ?"_s.arg(sqlName<Document>()), {id});
    return count ? Expected<bool>(*count > 0) : std::unexpected(count.error());
}

template <class Document> Expected<void> eraseDocument(Database &database, RowId id)
{
    if (auto done = database.execute(u"DELETE FROM %1 WHERE id = ?"_s.arg(sqlName<Document>()), {id}); !done)
        return done;
    if (database.changedRows() == 0)
        return refuse(ErrorCode::UnknownReference, std::string(Kept<Document>::table),
            "This " + std::string(Kept<Document>::word) + " is no longer in the project.");
    return {};
}

#define FLEETWRIGHT_KEEPS(Document)                                                                                    \
    template Expected<std::vector<SavedDocument<Document>>> readDocuments<Document>(                                   \
        const Database &, std::vector<Error> &);                                                                       \
    template Expected<std::string> storedText<Document>(const Document &, validation::SharedTexts &);                  \
    template class DocumentWriter<Document>;                                                                           \
    template Expected<RowId> writeDocument<Document>(Database &, const SavedDocument<Document> &);                     \
    template Expected<bool> isKept<Document>(const Database &, RowId);                                                 \
    template Expected<void> eraseDocument<Document>(Database &, RowId);
FLEETWRIGHT_KEEPS(PlanDocument)
FLEETWRIGHT_KEEPS(FleetDocument)
FLEETWRIGHT_KEEPS(SweepDocument)
FLEETWRIGHT_KEEPS(StudyDocument)
FLEETWRIGHT_KEEPS(LedgerEntry)
FLEETWRIGHT_KEEPS(OfferDocument)
FLEETWRIGHT_KEEPS(validation::MeasuredRun)
FLEETWRIGHT_KEEPS(DecisionDocument)
FLEETWRIGHT_KEEPS(ApprovedDecision)
FLEETWRIGHT_KEEPS(OutputSet)
#undef FLEETWRIGHT_KEEPS

QString tableReading(const std::string &text)
{
    const auto json = exchange::readJson(text, storedLimits);
    if (!json)
        return {};
    QString table;
    const auto consider = [&]<class Document>(std::type_identity<Document>) {
        if (table.isEmpty() && Kept<Document>::read(*json))
            table = sqlName<Document>();
    };
    consider(std::type_identity<PlanDocument>());
    consider(std::type_identity<SweepDocument>());
    consider(std::type_identity<StudyDocument>());
    consider(std::type_identity<OfferDocument>());
    consider(std::type_identity<OutputSet>());
    consider(std::type_identity<ApprovedDecision>());
    consider(std::type_identity<DecisionDocument>());
    consider(std::type_identity<LedgerEntry>());
    consider(std::type_identity<validation::MeasuredRun>());
    consider(std::type_identity<FleetDocument>());
    return table;
}

Expected<std::optional<SavedResult>> readResult(const Database &database, RowId plan)
{
    auto query = Query::run(database,
        u"SELECT cost_model_id, cost_model_version, input_hash, solved_at, estimate FROM result WHERE plan_id = ?"_s,
        {plan});
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
    return database.execute(
        u"INSERT OR REPLACE INTO result (plan_id, cost_model_id, cost_model_version, input_hash, solved_at, "
        u"estimate) VALUES (?, ?, ?, ?, ?, ?)"_s,
        {plan, result.costModelId, result.costModelVersion, result.inputHash, result.solvedAt, result.estimateJson});
}

Expected<std::optional<SavedSweepResult>> readSweepResult(const Database &database, RowId sweep)
{
    return readRun<SweepDocument>(database, sweep);
}

Expected<void> writeSweepResult(Database &database, RowId sweep, const SavedSweepResult &result)
{
    return writeRun<SweepDocument>(database, sweep, result);
}

Expected<std::optional<SavedDecisionResult>> readDecisionResult(const Database &database, RowId decision)
{
    auto run = readRun<DecisionDocument>(database, decision);
    // Its reader takes any number of keys; those of sweeps and plans have limits of their own.
    if (run && *run)
        if (const auto json = exchange::readJson((*run)->resultJson.toStdString(), storedLimits); !json)
            return std::unexpected(inStored("result", json.error()));
    return run;
}

Expected<void> writeDecisionResult(Database &database, RowId decision, const SavedDecisionResult &result)
{
    return writeRun<DecisionDocument>(database, decision, result);
}

Expected<std::optional<StudyProgress>> readStudyProgress(const Database &database, const std::string &study)
{
    auto query = Query::run(
        database, u"SELECT progress FROM study_progress WHERE study = ?"_s, {QString::fromStdString(study)});
    if (!query)
        return std::unexpected(query.error());
    std::optional<std::string> text;
    while (query->next())
        text = query->text(0);
    auto read = query->finish(std::move(text));
    if (!read)
        return std::unexpected(read.error());
    if (!*read)
        return std::nullopt;
    const auto json = exchange::readJson(**read, storedLimits);
    auto progress = json ? exchange::progressFromJson(*json) : std::unexpected(inStored("progress", json.error()));
    if (!progress)
        return refuse(progress.error().code, "study_progress/" + study,
            "The saved progress in the study \u201c" + study + "\u201d is damaged: " + progress.error().message);
    return std::optional(std::move(*progress));
}

Expected<void> writeStudyProgress(Database &database, const StudyProgress &progress)
{
    if (auto ok = check(progress); !ok)
        return ok;
    QString stored;
    try {
        stored = QString::fromStdString(exchange::progressToJson(progress).dump());
    } catch (const nlohmann::json::exception &) {
        return refuse(
            ErrorCode::UnsupportedValue, "reflections", "A text of this study is not valid UTF-8; type it again.");
    }
    return database.execute(u"INSERT OR REPLACE INTO study_progress (study, progress) VALUES (?, ?)"_s,
        {QString::fromStdString(progress.studyId), stored});
}

Expected<void> eraseStudyProgress(Database &database, const std::string &study)
{
    return database.execute(u"DELETE FROM study_progress WHERE study = ?"_s, {QString::fromStdString(study)});
}

Expected<QStringList> studiesWithProgress(const Database &database)
{
    return database.texts(u"SELECT study FROM study_progress ORDER BY study"_s);
}

} // namespace fleetwright::storage
