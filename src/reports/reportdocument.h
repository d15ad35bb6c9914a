// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"
#include "domain/approveddecision.h"
#include "domain/ledgerentry.h"
#include "domain/outputset.h"
#include "domain/plandocument.h"
#include "solver/answer/solve.h"
#include "solver/search/bestlayout.h"
#include "solver/size/decisionrisk.h"
#include "solver/sweep/sweep.h"
#include "solver/validation/breakdown.h"

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <memory>
#include <stop_token>
#include <variant>
#include <vector>

namespace fleetwright::validation {
class OwnSite;
}

namespace fleetwright::reports {

struct Heading {
    int level = 1;
    QString text;
};
struct Paragraph {
    QString text;
};
struct Note { ///< set apart: warnings, refusals
    QString text;
};
struct BulletList {
    QStringList items;
};
struct Table {
    QString caption;
    QStringList header; ///< with units
    std::vector<QStringList> rows;
    std::vector<bool> rightAligned; ///< per column
    /// Below the table in small type, in order; a cell that has one ends in its mark (noteMark()).
    QStringList notes{};
    std::vector<std::size_t> strongRows{}; ///< totals, the recommended option
    bool isToFillIn = false; ///< by hand: rows are high enough to write in
};
/// What stands behind a figure that has note `index` (from 0) of its table: "¹", "²", "¹⁰".
[[nodiscard]] QString noteMark(std::size_t index);
/// The text with the mark of this note, which is added where `notes` lack it; the text alone where there is no note.
[[nodiscard]] QString withNote(const QString &text, const QString &note, QStringList &notes);
struct StepChart {
    QString caption;
    std::vector<charts::LabelledBreakdown> plans;
};
struct MemoryChart {
    QString caption;
    std::vector<charts::LabelledMemory> plans;
};
/// A chart as it is on screen, as wide as the text.
struct ChartPicture {
    QString caption; ///< what is to be seen
    charts::ChartContent content;
    bool isSpare = false; ///< left out where the report would have more than ReportDocument::mostPages
};
/// The headings that follow, down to this level, with their pages.
struct Contents {
    int deepest = 2;
};
struct PageBreak { };
using Element = std::variant<Heading, Paragraph, Note, BulletList, Table, StepChart, MemoryChart, ChartPicture,
    Contents, PageBreak>;

/// A file inside the PDF: the documents from which the project can be made again.
struct Attachment {
    QString name; ///< "project.json"
    QByteArray mimeType; ///< "application/json"
    QString description;
    QByteArray bytes;
};

/// The attachment from which the project can be made again.
inline const QString projectAttachmentName = QStringLiteral("project.json");
/// With the text that storage::projectText() makes.
[[nodiscard]] inline Attachment projectAttachment(QByteArray projectText)
{
    return {projectAttachmentName, "application/json",
        QStringLiteral("The project behind this report: plans, fleets, offers, decisions and catalog values"),
        std::move(projectText)};
}

/// What a report says, without fonts or pages. Writers turn it into PDF or HTML.
struct ReportDocument {
    QString title;
    QString subtitle;
    QString subject; ///< document metadata, as are title, author and producer
    QString author;
    QString producer; ///< "Fleetwright 0.1.0"
    QString reproducibility; ///< program, cost model and schema versions and input hashes, one line
    QDateTime created;
    QString organisation; ///< on the first page; empty: none
    QByteArray logo; ///< PNG; empty: none
    QString language = QStringLiteral("en"); ///< BCP 47
    int mostPages = 0; ///< spare pictures are left out, the last one first, where there would be more; 0: any number
    std::vector<Element> elements;
    std::vector<Attachment> attachments;
};

inline constexpr int mostBoardPages = 4; ///< what a board reads

using fleetwright::Paper;
using fleetwright::PdfProfile;

/// One plan with its answer, or with the reason why there is none.
struct ReportPlan {
    PlanDocument document;
    std::optional<Plan> plan;
    Expected<Solution> solution;
    std::string inputHash;
    std::optional<layoutsearch::Recommendation> layout; ///< how it was found, where the document leaves it open
    /// With what was calibrated in the project, where the plan could be resolved.
    [[nodiscard]] const Assumptions &assumptions() const { return plan ? (*plan)->assumptions : document.assumptions; }
};

/// Resolves and solves a document; the same for the window and the command line. `site`: the own runs that narrow the
/// range of its step, or nullptr.
[[nodiscard]] ReportPlan solveOne(
    const PlanDocument &document, const Catalog &catalog, const validation::OwnSite *site = nullptr);
[[nodiscard]] std::vector<ReportPlan> solveAll(
    const std::vector<PlanDocument> &documents, const Catalog &catalog, const validation::OwnSite *site = nullptr);

/// A decision with its answer.
struct ReportDecision {
    DecisionDocument document; ///< offers stand in it
    std::shared_ptr<const size::Result> result;
    std::shared_ptr<const size::HowSure> sure; ///< null: not drawn
    std::string inputHash;
    std::vector<std::string> evidence{}; ///< for whom the winner's step time holds, and from which runs it is
    std::optional<ApprovedDecision> approved{}; ///< the last time that a decision of this name was
};

/// A sweep with its answer, or with the reason why there is none.
struct ReportSweep {
    SweepDocument document;
    Expected<SweepResult> result;
};
/// What a project keeps of a sweep's last run.
struct KeptSweep {
    SweepDocument document;
    std::string inputHash, resultText{}; ///< of exchange::sweepInputHash() and runToText(); empty: it was never run
};
/// More cells than this, or cells that search their layouts, are not computed for a report; they are in it where the
/// project keeps their answer.
inline constexpr std::size_t mostReportedSweepCells = 2000;
/// The answer that the project keeps, where it is that of the document as it stands; else computed, within
/// mostReportedSweepCells. Cancelled.
[[nodiscard]] ReportSweep answerSweep(const KeptSweep &sweep, const Catalog &catalog, std::stop_token stop = {});

/// What a report is made from.
struct ReportSubject {
    QString projectName;
    OutputSet set;
    std::optional<ReportDecision> decision;
    std::vector<ReportPlan> plans;
    std::vector<ReportSweep> sweeps{};
    bool goesByRuns = false; ///< plans and decisions of the project go by its measured runs, sweeps do not
    std::vector<LedgerEntry> ledger{};
    const validation::ScoredFile *scored = nullptr; ///< null: the validation is left out
    QDateTime created;
    std::vector<Attachment> attachments{};
};

/// Sizes a decision, whose offers stand in it, and draws its risk; the same for the window and the command line.
/// Refused as size::run() and howSure().
[[nodiscard]] Expected<ReportDecision> answerDecision(const DecisionDocument &document, const Catalog &catalog,
    const validation::OwnSite *site = nullptr, const size::Control &control = {});

/// The same, of an answer that was found before with this catalog and site.
[[nodiscard]] ReportDecision decisionOf(DecisionDocument document, std::shared_ptr<const size::Result> result,
    std::shared_ptr<const size::HowSure> sure, std::string inputHash, const Catalog &catalog,
    const validation::OwnSite *site = nullptr);

/// Builds the report: its first page is the answer, the sections of the set follow in their order, the reproducibility
/// line stands last.
[[nodiscard]] ReportDocument describe(const ReportSubject &subject, const Catalog &catalog);

/// Every cost model on the published runs that come with the program, or those that were asked until it was to stop.
/// Takes a good part of a second: the window does it in a job.
[[nodiscard]] Expected<validation::ScoredFile> publishedScores(const std::stop_token &stop = {});

/// A report on its way into a file. It is drawn in steps, so that a window can do other things between them.
class Rendering {
public:
    virtual ~Rendering() = default;
    /// At least 1. Where pages are laid out in steps, it is a guess until they are.
    [[nodiscard]] virtual int steps() const = 0;
    /// Draws the next of the steps. GUI thread only (charts are graphics items); needs a QApplication, which may be
    /// offscreen.
    virtual void step() = 0;
    /// The content of the file, after the last step; any thread. It depends on nothing but the document and the paper:
    /// not on the clock, the time zone, the display or the process.
    [[nodiscard]] virtual Expected<QByteArray> bytes() = 0;
};
/// When pages are laid out: on construction, so that their number is known, or in the first steps.
enum class Laying : std::uint8_t { AtOnce, InSteps };
/// PDF/A with outline and links; attachments are left out of PDF/A-1b.
[[nodiscard]] std::unique_ptr<Rendering> renderPdf(const ReportDocument &document, Paper paper,
    PdfProfile profile = PdfProfile::PdfA3b, Laying laying = Laying::AtOnce);
/// One self-contained file: style and charts (SVG) are inside.
[[nodiscard]] std::unique_ptr<Rendering> renderHtml(const ReportDocument &document);

/// When a report is made, UTC: at the start of the day that is stated, else what the environment states in
/// SOURCE_DATE_EPOCH (seconds; so that a build can repeat bytes), else now. OutOfRange ("date" or the variable's name)
/// for what is no time of the years 1970 to 9999.
[[nodiscard]] Expected<QDateTime> reportDate(std::optional<std::chrono::sys_days> stated = {});

/// Writes to a temporary file beside `path` and renames it, so a failure leaves no partial file. IoError names the
/// file. All steps of renderPdf() at once.
[[nodiscard]] Expected<void> writePdf(
    const ReportDocument &document, const QString &path, Paper paper, PdfProfile profile = PdfProfile::PdfA3b);
/// All steps of renderHtml() at once.
[[nodiscard]] QString toHtml(const ReportDocument &document);
/// toHtml() to a file, with the same guarantees as writePdf().
[[nodiscard]] Expected<void> writeHtml(const ReportDocument &document, const QString &path);

} // namespace fleetwright::reports
