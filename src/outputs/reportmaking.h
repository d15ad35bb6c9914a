// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/offer.h"
#include "reports/reportdocument.h"

#include <functional>
#include <memory>
#include <stop_token>

/// From the documents of a project and an output set to a report and its files.
namespace fleetwright::outputs {

/// What a project has for its reports, copied so that a worker can read it.
struct Material {
    QString projectName;
    std::shared_ptr<const Catalog> catalog;
    std::shared_ptr<const validation::OwnSite> site; ///< whose runs narrow the ranges, or null
    std::vector<DecisionDocument> decisions;
    std::vector<OfferDocument> offers; ///< which decisions name
    std::vector<PlanDocument> plans;
    std::vector<LedgerEntry> ledger;
    std::vector<ApprovedDecision> approvals{}; ///< in the order of time
    std::vector<reports::KeptSweep> sweeps{};
    /// Makes what a PDF/A-3b has inside, storage::projectText(), on the thread of makeReport(); null: nothing.
    std::function<QByteArray()> projectText{};
};

/// What a project without sets hands over: one PDF, for the board where there is a decision, technical without.
[[nodiscard]] OutputSet usualSet(const Material &material);

/// What a set is about.
struct Chosen {
    std::optional<DecisionDocument> decision; ///< with the offers that it names
    std::vector<PlanDocument> plans; ///< in the order of the project
};
/// UnknownReference "decision" or "plans[1]" for a name that the project does not have; MissingField "plans" or
/// "decision" where neither a decision nor a plan is left. Refused as withOffers(), with "decision" in front.
[[nodiscard]] Expected<Chosen> chosenOf(const OutputSet &set, const Material &material);

/// A report with all that was computed for it.
struct MadeReport {
    reports::ReportSubject subject;
    reports::ReportDocument document;
    std::shared_ptr<const Catalog> catalog;
    std::shared_ptr<const validation::OwnSite> site;
    std::shared_ptr<const validation::ScoredFile> scored; ///< null where no section asks for it
};

/// How a report is made.
struct Making {
    using PlanSolver =
        std::function<reports::ReportPlan(const PlanDocument &, const Catalog &, const validation::OwnSite *)>;
    PlanSolver solve = reports::solveOne;
    std::function<void(int done, int total)> progress{}; ///< on the thread of makeReport() or a worker of its own
    std::stop_token stop{};
    int threads = 0; ///< of the sizing; 0: as many as the machine has
    /// What it answered for the same documents, catalog and site is taken from it; may be null.
    std::shared_ptr<const MadeReport> earlier{};
    /// What was answered elsewhere, for this catalog and site; may be null.
    std::shared_ptr<const reports::ReportDecision> answered{};
    std::shared_ptr<const validation::ScoredFile> scored{}; ///< null: scored where a section asks for it
    /// Leave validation out rather than score the cost models now.
    bool withoutScoring = false;
};

/// Answers the decision, solves the plans and describes both, as of reports::reportDate(). Takes seconds; any thread.
/// Refused as chosenOf(), reportDate() and, with "decision" in front of the field, as size::run(); Cancelled. A plan
/// that cannot be solved is in the report with the reason.
[[nodiscard]] Expected<std::shared_ptr<const MadeReport>> makeReport(
    const Material &material, const OutputSet &set, const Making &making = {});

} // namespace fleetwright::outputs
