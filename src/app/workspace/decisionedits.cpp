// SPDX-License-Identifier: GPL-3.0-or-later
// What the workspace does with decisions, with what was approved of them, and with output sets.
#include "app/workspace/answereddecision.h"
#include "app/workspace/workspaceprivate.h"

namespace fleetwright::app {

using storage::RowId;
using storage::SavedApproval;
using storage::SavedDecision;
using storage::SavedDecisionResult;
using storage::SavedOutputSet;

const std::vector<SavedDecision> &Workspace::decisions() const { return d->kept<DecisionDocument>().rows; }

const std::vector<SavedApproval> &Workspace::approvals() const { return d->kept<ApprovedDecision>().rows; }

const SavedDecision *Workspace::decision(RowId id) const { return d->find<DecisionDocument>(id); }

const SavedApproval *Workspace::approval(RowId id) const { return d->find<ApprovedDecision>(id); }

Expected<RowId> Workspace::addDecision(const DecisionDocument &document) { return d->add(document); }

Expected<void> Workspace::editDecision(RowId id, const DecisionDocument &document, const QString &mergeKey)
{
    return d->change(id, document, mergeKey, tr("This decision is no longer in the project."));
}

Expected<void> Workspace::removeDecision(RowId id) { return d->remove<DecisionDocument>(id); }

Expected<RowId> Workspace::addApproval(const ApprovedDecision &approval) { return d->add(approval); }

Expected<void> Workspace::editApproval(RowId id, const ApprovedDecision &approval, const QString &mergeKey)
{
    if (const auto *saved = this->approval(id); saved && !isSameApproval(saved->document, approval))
        return refuse(ErrorCode::UnsupportedValue, {},
            tr("What was approved is frozen, with who signed it: only what became of it can be added.").toStdString());
    return d->change(id, approval, mergeKey, tr("This approved decision is no longer in the project."));
}

Expected<void> Workspace::removeApproval(RowId id) { return d->remove<ApprovedDecision>(id); }

Expected<void> Workspace::saveDecisionResult(RowId decision, const SavedDecisionResult &result)
{
    if (auto ok = d->writable(); !ok)
        return ok;
    if (auto ok = d->project->call(&storage::Project::saveDecisionResult, decision, result); !ok)
        return ok;
    emit decisionResultSaved(decision);
    emit saved();
    return {};
}

std::optional<SavedDecisionResult> Workspace::decisionResult(RowId decision) const
{
    if (!d->project)
        return std::nullopt;
    auto stored = d->project->call(&storage::Project::decisionResult, decision);
    return stored ? std::move(*stored) : std::nullopt;
}

const std::vector<SavedOutputSet> &Workspace::outputSets() const { return d->kept<OutputSet>().rows; }

const SavedOutputSet *Workspace::outputSet(RowId id) const { return d->find<OutputSet>(id); }

OutputSet followed(OutputSet set, const PlanDocument &before, const PlanDocument *after, std::ptrdiff_t namesakes)
{
    const auto named = std::ranges::find(set.plans, before.name);
    if (named == set.plans.end())
        return set;
    const bool othersStay = namesakes > std::ranges::count(set.plans, before.name);
    if (after && othersStay)
        set.plans.insert(named, after->name);
    else if (after)
        *named = after->name;
    else if (!othersStay && set.plans.size() > 1) // without any the set would mean all plans
        set.plans.erase(named);
    return set;
}

OutputSet followed(
    OutputSet set, const DecisionDocument &before, const DecisionDocument *after, std::ptrdiff_t namesakes)
{
    if (after && set.decision == before.name && namesakes == 1)
        set.decision = after->name;
    return set; // one that goes stays named: a report on another decision is another report
}

Expected<void> Workspace::Private::checkSetName(const std::string &name, RowId id)
{
    const auto &sets = kept<OutputSet>().rows;
    if (std::ranges::any_of(
            sets, [&](const SavedOutputSet &other) { return other.id != id && other.document.name == name; }))
        return refuse(ErrorCode::UnsupportedValue, "name",
            tr("There is an output set \u201c%1\u201d already; choose another name.")
                .arg(QString::fromStdString(name))
                .toStdString());
    return {};
}

std::shared_ptr<const AnsweredDecision> Workspace::answered() const
{
    const auto &last = d->answered;
    return last && last->catalog == catalog() && last->site == ownSite() ? last : nullptr;
}

void Workspace::noteAnswered(std::shared_ptr<const AnsweredDecision> answered) { d->answered = std::move(answered); }

Expected<RowId> Workspace::addOutputSet(const OutputSet &set)
{
    if (auto ok = d->checkSetName(set.name, 0); !ok)
        return std::unexpected(ok.error());
    return d->add(set);
}

Expected<void> Workspace::editOutputSet(RowId id, const OutputSet &set, const QString &mergeKey)
{
    if (auto ok = d->checkSetName(set.name, id); !ok)
        return ok;
    return d->change(id, set, mergeKey, tr("This output set is no longer in the project."));
}

Expected<void> Workspace::removeOutputSet(RowId id) { return d->remove<OutputSet>(id); }

} // namespace fleetwright::app
