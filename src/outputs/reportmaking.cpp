// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/reportmaking.h"

#include "solver/size/questionname.h"
#include "text/utf8.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace fleetwright::outputs {

namespace {

constexpr int planPoints = 100, decisionPoints = 1000; // of progress: a decision takes as long as many plans

std::unexpected<Error> belowDecision(Error error)
{
    error.field = error.field.empty() ? "decision" : "decision." + error.field;
    return std::unexpected(std::move(error));
}

std::unexpected<Error> cancelledReport() { return refuse(ErrorCode::Cancelled, {}, "The report was cancelled."); }

bool isKnown(const Making &making, const Material &material)
{
    return making.earlier && making.earlier->catalog == material.catalog && making.earlier->site == material.site;
}

Expected<reports::ReportDecision> answered(
    const DecisionDocument &document, const Material &material, const Making &making, int total)
{
    if (isKnown(making, material) && making.earlier->subject.decision
        && making.earlier->subject.decision->document == document)
        return *making.earlier->subject.decision;
    if (const auto &known = making.answered; known && known->document == document)
        return reports::decisionOf(
            document, known->result, known->sure, known->inputHash, *material.catalog, material.site.get());
    const auto tell = [&](const size::Snapshot &snapshot) {
        if (making.progress)
            making.progress(int(snapshot.share * decisionPoints), total);
    };
    auto decision = reports::answerDecision(document, *material.catalog, material.site.get(),
        {.progress = tell, .stop = making.stop, .threads = making.threads});
    if (!decision)
        return decision.error().code == ErrorCode::Cancelled ? cancelledReport() : belowDecision(decision.error());
    return decision;
}

reports::ReportPlan solved(const PlanDocument &document, const Material &material, const Making &making)
{
    if (isKnown(making, material)) {
        const auto &known = making.earlier->subject.plans;
        const auto same = std::ranges::find(known, document, &reports::ReportPlan::document);
        if (same != known.end())
            return *same;
    }
    return making.solve(document, *material.catalog, material.site.get());
}

/// Neither a decision nor a plan to report on, and what to do about it.
std::unexpected<Error> nothingLeft(const OutputSet &set, const Material &material)
{
    if (set.withoutPlans && !material.plans.empty())
        return refuse(ErrorCode::MissingField, "decision",
            "The project has no decision and this output set leaves the plans out; add a decision or take plans in.");
    if (set.withoutDecision && !material.decisions.empty())
        return refuse(ErrorCode::MissingField, "plans",
            "The project has no plan and this output set leaves the decision out; add a plan or take the decision in.");
    return refuse(
        ErrorCode::MissingField, "plans", "The project has no decision and no plan to report on; add one first.");
}

} // namespace

OutputSet usualSet(const Material &material)
{
    OutputSet set;
    set.name = "Report";
    set.files = {(material.projectName.isEmpty() ? u"report"_s : material.projectName).toStdString() + ".pdf"};
    set.audience = material.decisions.empty() ? Audience::Technical : Audience::Board;
    return set;
}

Expected<Chosen> chosenOf(const OutputSet &set, const Material &material)
{
    Chosen chosen;
    const auto decision = set.withoutDecision ? material.decisions.end()
        : set.decision.empty()                ? material.decisions.begin()
                               : std::ranges::find(material.decisions, set.decision, &DecisionDocument::name);
    if (decision != material.decisions.end()) {
        auto whole = withOffers(*decision, material.offers);
        if (!whole)
            return belowDecision(std::move(whole.error()));
        chosen.decision = std::move(*whole);
    } else if (!set.decision.empty()) {
        return refuse(ErrorCode::UnknownReference, "decision",
            "The project has no decision \u201c" + set.decision + "\u201d; choose another for this output set.");
    }
    for (std::size_t i = 0; i < set.plans.size(); ++i)
        if (std::ranges::find(material.plans, set.plans[i], &PlanDocument::name) == material.plans.end())
            return refuse(ErrorCode::UnknownReference, "plans[" + std::to_string(i) + "]",
                "The project has no plan \u201c" + set.plans[i] + "\u201d; take it out of this output set.");
    std::ranges::copy_if(material.plans, std::back_inserter(chosen.plans), [&](const PlanDocument &plan) {
        return !set.withoutPlans && (set.plans.empty() || std::ranges::find(set.plans, plan.name) != set.plans.end());
    });
    if (!chosen.decision && chosen.plans.empty())
        return nothingLeft(set, material);
    return chosen;
}

namespace {

Expected<std::vector<reports::ReportSweep>> answeredSweeps(const Material &material, const Making &making)
{
    std::vector<reports::ReportSweep> answered;
    for (const auto &sweep : material.sweeps) {
        const auto same = [&](const reports::ReportSweep &of) { return of.document == sweep.document && of.result; };
        if (isKnown(making, material)) {
            const auto &known = making.earlier->subject.sweeps;
            if (const auto found = std::ranges::find_if(known, same); found != known.end()) {
                answered.push_back(*found);
                continue;
            }
        }
        answered.push_back(reports::answerSweep(sweep, *material.catalog, making.stop));
        if (making.stop.stop_requested())
            return cancelledReport();
    }
    return answered;
}

} // namespace

Expected<std::shared_ptr<const MadeReport>> makeReport(
    const Material &material, const OutputSet &set, const Making &making)
{
    auto chosen = chosenOf(set, material);
    if (!chosen)
        return std::unexpected(std::move(chosen.error()));
    const auto created = reports::reportDate(set.date);
    if (!created)
        return std::unexpected(created.error());
    const auto made = std::make_shared<MadeReport>();
    made->catalog = material.catalog;
    made->site = material.site;
    auto &subject = made->subject;
    subject.projectName = material.projectName;
    subject.set = set;
    subject.goesByRuns = material.site != nullptr;
    subject.ledger = material.ledger;
    subject.created = *created;
    if (material.projectText)
        subject.attachments.push_back(reports::projectAttachment(material.projectText()));
    const int total = (chosen->decision ? decisionPoints : 0) + planPoints * int(chosen->plans.size());
    int done = 0;
    const auto tell = [&] {
        if (making.progress)
            making.progress(done, total);
    };
    tell();
    if (chosen->decision) {
        auto decision = answered(*chosen->decision, material, making, total);
        if (!decision)
            return std::unexpected(std::move(decision.error()));
        subject.decision = std::move(*decision);
        subject.decision->approved.reset(); // an earlier report may have another
        std::vector<const DecisionDocument *> decisions;
        for (const auto &each : material.decisions)
            decisions.push_back(&each);
        for (const auto &approval : material.approvals) {
            const auto *today = size::decisionToday(approval.decision, decisions, *material.catalog);
            if (today && today->name == chosen->decision->name && !approval.withdrawn)
                subject.decision->approved = approval;
        }
        done += decisionPoints;
        tell();
    }
    for (const auto &plan : chosen->plans) {
        if (making.stop.stop_requested())
            return cancelledReport();
        subject.plans.push_back(solved(plan, material, making));
        done += planPoints;
        tell();
    }
    const auto sections = set.sectionsOrUsual();
    if (std::ranges::find(sections, ReportSection::Sweeps) != sections.end()) {
        auto sweeps = answeredSweeps(material, making);
        if (!sweeps)
            return std::unexpected(std::move(sweeps.error()));
        subject.sweeps = std::move(*sweeps);
    }
    if (std::ranges::find(sections, ReportSection::Validation) != sections.end()) {
        made->scored = making.scored ? making.scored : making.earlier ? making.earlier->scored : nullptr;
        if (!made->scored && !making.withoutScoring) {
            auto scores = reports::publishedScores(making.stop);
            if (!scores)
                return std::unexpected(std::move(scores.error()));
            if (making.stop.stop_requested())
                return cancelledReport(); // not all models were asked
            made->scored = std::make_shared<const validation::ScoredFile>(std::move(*scores));
        }
        subject.scored = made->scored.get();
    }
    if (making.stop.stop_requested())
        return cancelledReport();
    made->document = reports::describe(subject, *material.catalog);
    return made;
}

} // namespace fleetwright::outputs
