// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/visibledocuments.h"

#include "exchange/approveddocuments.h"
#include "exchange/decisiondocuments.h"
#include "exchange/ledgerdocuments.h"
#include "exchange/measuredrundocuments.h"
#include "exchange/offerdocuments.h"
#include "exchange/outputdocuments.h"
#include "exchange/plandocuments.h"
#include "exchange/studydocuments.h"
#include "exchange/sweepdocuments.h"
#include "exchange/textreader.h"

#include <nlohmann/json.hpp>

namespace fleetwright::storage {

using exchange::checkVisibleTexts;

Expected<void> checkTyped(const PlanDocument &document) { return checkVisibleTexts(exchange::planToJson(document)); }
Expected<void> checkTyped(const FleetDocument &document) { return checkVisibleTexts(exchange::fleetToJson(document)); }
Expected<void> checkTyped(const SweepDocument &document) { return checkVisibleTexts(exchange::sweepToJson(document)); }
Expected<void> checkTyped(const StudyDocument &document) { return checkVisibleTexts(exchange::studyToJson(document)); }
Expected<void> checkTyped(const StudyProgress &progress)
{
    return checkVisibleTexts(exchange::progressToJson(progress));
}
Expected<void> checkTyped(const LedgerEntry &entry) { return checkVisibleTexts(exchange::ledgerEntryToJson(entry)); }
Expected<void> checkTyped(const OfferDocument &document) { return checkVisibleTexts(exchange::offerToJson(document)); }
Expected<void> checkTyped(const validation::MeasuredRun &run)
{
    return checkVisibleTexts(exchange::measuredRunToJson(run));
}
Expected<void> checkTyped(const DecisionDocument &document)
{
    return checkVisibleTexts(exchange::decisionToJson(document));
}
Expected<void> checkTyped(const ApprovedDecision &approved)
{
    return checkVisibleTexts(exchange::approvedToJson(approved));
}
Expected<void> checkTyped(const OutputSet &set) { return checkVisibleTexts(exchange::outputSetToJson(set)); }

} // namespace fleetwright::storage
