// SPDX-License-Identifier: GPL-3.0-or-later
// Decisions of a project, their answers, what was approved, and the output sets.
#include "storage/documenttables.h"
#include "storage/projectprivate.h"

namespace fleetwright::storage {

Expected<std::vector<SavedDecision>> Project::decisions() const
{
    std::vector<Error> faults;
    return whole(readDocuments<DecisionDocument>(*d->database, faults), faults);
}

Expected<RowId> Project::saveDecision(const SavedDecision &decision) { return d->save(decision); }

Expected<void> Project::removeDecision(RowId id)
{
    return d->change([&](Database &database) { return eraseDocument<DecisionDocument>(database, id); });
}

Expected<std::optional<SavedDecisionResult>> Project::decisionResult(RowId decision) const
{
    return readDecisionResult(*d->database, decision);
}

Expected<void> Project::saveDecisionResult(RowId decision, const SavedDecisionResult &result)
{
    return d->change([&](Database &database) { return writeDecisionResult(database, decision, result); });
}

Expected<std::vector<SavedApproval>> Project::approvals() const
{
    std::vector<Error> faults;
    return whole(readDocuments<ApprovedDecision>(*d->database, faults), faults);
}

Expected<RowId> Project::saveApproval(const SavedApproval &approval) { return d->save(approval); }

Expected<void> Project::removeApproval(RowId id)
{
    return d->change([&](Database &database) { return eraseDocument<ApprovedDecision>(database, id); });
}

Expected<std::vector<SavedOutputSet>> Project::outputSets() const
{
    std::vector<Error> faults;
    return whole(readDocuments<OutputSet>(*d->database, faults), faults);
}

Expected<RowId> Project::saveOutputSet(const SavedOutputSet &set) { return d->save(set); }

Expected<void> Project::removeOutputSet(RowId id)
{
    return d->change([&](Database &database) { return eraseDocument<OutputSet>(database, id); });
}

} // namespace fleetwright::storage
