// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/fleet.h"
#include "solver/worksheet/fleetcost.h"

#include <QByteArray>
#include <QDateTime>
#include <QString>
#include <QStringList>

#include <stop_token>
#include <string>
#include <vector>

namespace fleetwright::validation {
class OwnSite;
}

/// The worksheets of fleets and runs as files that others recalculate or read: a workbook with live formulas, CSV
/// tables and JSON.
namespace fleetwright::reports {

struct ReportDocument;

/// Something to know about a fleet or plan that is no row of its worksheet: its layout, its workload.
struct WorkbookFact {
    QString label, value;
    bool isSolvers = false; ///< chosen by the program: no formula follows it
};

/// A fleet, or a run on it, with its priced sheet.
struct WorkbookSheet {
    QString name; ///< as people call it; any text
    QString role; ///< "Recommended", "Runner-up", "Base case"; empty: none
    Fleet fleet;
    CostSheet sheet; ///< of fleetCost() or runCost()
    std::vector<WorkbookFact> facts{};
    std::string result{}; ///< JSON of a plan's solution, for the JSON of everything; empty: none
};

/// A fleet or plan that was asked for and has no sheet.
struct WorkbookOmission {
    QString name, role;
    QString reason; ///< a sentence
    std::string result{}; ///< as WorkbookSheet::result
};

/// "128 x DGX H100 (Runner-up): No layout of the jobs fits this fleet."
[[nodiscard]] QString leftOutText(const WorkbookOmission &omission);

struct WorkbookSubject {
    QString title, organisation, author;
    QDateTime date; ///< of the document, not of the clock
    QString versions; ///< of program, cost model and schema
    QStringList hashes; ///< of the inputs
    QStringList hashesOf; ///< what each of them is of: the decision, a plan
    QStringList answer; ///< the recommendation in sentences; may be empty
    std::string decision; ///< JSON of exchange::sizeResultToJson(), for the JSON of everything; empty: no decision
    std::vector<WorkbookSheet> sheets; ///< the recommended one first; as many as there are
    std::vector<WorkbookOmission> leftOut{}; ///< every file says so
};

struct ReportSubject;
/// Of a decision the runs on the winner, on the best fleet of another node and on the base case; then those of the
/// plans. `site`: the own runs that the subject was answered with, or nullptr.
[[nodiscard]] WorkbookSubject workbookSubjectOf(const ReportSubject &subject, const ReportDocument &report,
    const Catalog &catalog, const validation::OwnSite *site = nullptr);

/// Of one XLSX file.
inline constexpr std::size_t mostWorkbookSheets = 26;

/// An XLSX file: cover, inputs, constants, one sheet for each block of calculations with a column for each fleet, years
/// and months across, results, comparison, checks. Every row of the worksheets is a formula over cells, so that a
/// changed input moves all that follows; texts are never formulas. The sheets beyond mostWorkbookSheets are left out,
/// as its cover says. The same subject makes the same bytes. OutOfRange: no sheet; UnsupportedValue: sheets of
/// different worksheets; IoError as SpreadsheetWriter::finish(); Cancelled.
[[nodiscard]] Expected<QByteArray> workbookOf(const WorkbookSubject &subject, const std::stop_token &stop = {});

struct NamedFile {
    QString name; ///< "inputs.csv"
    QByteArray bytes;
};
/// One file for each table of the report, where there is one, for what is left out, and for each block of the
/// worksheets with all their sheets. RFC 4180, UTF-8; figures of the report's tables are plain numbers where nothing
/// else stands in the cell, and its notes are a column. A text that a spreadsheet would take for a formula begins with
/// an apostrophe. UnsupportedValue as workbookOf(); a subject without sheets has the report's tables.
[[nodiscard]] Expected<std::vector<NamedFile>> csvTablesOf(
    const WorkbookSubject &subject, const ReportDocument *report = nullptr);

/// Everything as exchange::resultToJson() writes it, with the parts of the report where it is given.
[[nodiscard]] QByteArray resultJsonOf(const WorkbookSubject &subject, const ReportDocument *report = nullptr);

} // namespace fleetwright::reports
