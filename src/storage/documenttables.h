// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/database.h"
#include "storage/project.h"

#include <string_view>

/// The user's documents and the results that belong to them, in their tables.
namespace fleetwright::storage {

/// In the user's order. A document that cannot be read back becomes an entry of `faults` ("plans/Name.parallelism.tp")
/// and is left out. For PlanDocument, FleetDocument, SweepDocument, StudyDocument, LedgerEntry,
/// OfferDocument, validation::MeasuredRun, DecisionDocument, ApprovedDecision and OutputSet.
template <class Document>
[[nodiscard]] Expected<std::vector<SavedDocument<Document>>> readDocuments(
    const Database &database, std::vector<Error> &faults);

/// A document as it is kept. Refuses what could not be read back, with the field of the document. Any thread; `texts`
/// are those of the documents before, where many have the same ones.
template <class Document>
[[nodiscard]] Expected<std::string> storedText(const Document &document, validation::SharedTexts &texts);

/// Writes many documents of a kind with statements that are prepared once.
template <class Document> class DocumentWriter {
public:
    explicit DocumentWriter(Database &database) : m_database(database) { }
    /// Inserts, updates or restores the row of the document whose storedText() this is; returns its id.
    [[nodiscard]] Expected<RowId> write(RowId id, const Document &document, std::string_view stored);

private:
    [[nodiscard]] Expected<RowId> insert(std::string_view name, std::string_view stored);
    [[nodiscard]] Expected<void> place(RowId id, std::string_view name, std::string_view stored);

    Database &m_database;
    std::optional<Statement> m_place;
    RowId m_newest = 0; ///< the last row that was added, where nothing was placed since
};

/// One document, as storedText() and DocumentWriter do.
template <class Document>
[[nodiscard]] Expected<RowId> writeDocument(Database &database, const SavedDocument<Document> &saved);

/// Whether the project holds a row of this id.
template <class Document> [[nodiscard]] Expected<bool> isKept(const Database &database, RowId id);

/// The table whose reader takes the text, for a document that was found without its table; empty where none does.
[[nodiscard]] QString tableReading(const std::string &text);

/// UnknownReference when there is no such row.
template <class Document> [[nodiscard]] Expected<void> eraseDocument(Database &database, RowId id);

[[nodiscard]] Expected<std::optional<SavedResult>> readResult(const Database &database, RowId plan);
[[nodiscard]] Expected<void> writeResult(Database &database, RowId plan, const SavedResult &result);

[[nodiscard]] Expected<std::optional<SavedSweepResult>> readSweepResult(const Database &database, RowId sweep);
[[nodiscard]] Expected<void> writeSweepResult(Database &database, RowId sweep, const SavedSweepResult &result);

[[nodiscard]] Expected<std::optional<SavedDecisionResult>> readDecisionResult(const Database &database, RowId decision);
[[nodiscard]] Expected<void> writeDecisionResult(Database &database, RowId decision, const SavedDecisionResult &result);

/// Progress that cannot be read back is an error: UnsupportedValue with "study_progress/<study>".
[[nodiscard]] Expected<std::optional<StudyProgress>> readStudyProgress(
    const Database &database, const std::string &study);
[[nodiscard]] Expected<void> writeStudyProgress(Database &database, const StudyProgress &progress);
/// Nothing to forget is no error.
[[nodiscard]] Expected<void> eraseStudyProgress(Database &database, const std::string &study);
/// Studies with progress, for checks.
[[nodiscard]] Expected<QStringList> studiesWithProgress(const Database &database);

} // namespace fleetwright::storage
