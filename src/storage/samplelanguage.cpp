// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/samplelanguage.h"

#include "storage/documenttables.h"
#include "text/localized.h"

#include <QCoreApplication>

namespace fleetwright::storage {

namespace {

/// By the whole text, and with a comment (translations/plaintexts.py gives it): other people's documents that are
/// called the same keep their names where they are shown.
void translate(std::string &text)
{
    text = QCoreApplication::translate("Fleetwright", text.c_str(), "sample").toStdString();
}

void translate(PlanDocument &plan) { translate(plan.name); }

void translate(FleetDocument &fleet) { translate(fleet.name); }

void translate(SweepDocument &sweep)
{
    translate(sweep.name);
    translate(sweep.question);
    translate(sweep.plan);
    for (auto &axis : sweep.axes) {
        translate(axis.label);
        for (auto &point : axis.points)
            translate(point.label);
    }
}

void translate(DecisionDocument &decision)
{
    translate(decision.name);
    for (auto &job : decision.jobs)
        translate(job.name);
    for (auto *fleets : {&decision.candidates.fleets, &decision.candidates.owned})
        for (auto &fleet : *fleets)
            translate(fleet.label);
}

void translate(OutputSet &set)
{
    translate(set.name);
    translate(set.title);
    translate(set.decision);
    for (auto &plan : set.plans)
        translate(plan);
}

template <class Document> Expected<void> translateAll(Database &database)
{
    std::vector<Error> faults;
    auto all = readDocuments<Document>(database, faults);
    if (!all)
        return std::unexpected(std::move(all.error()));
    if (!faults.empty())
        return std::unexpected(std::move(faults.front()));
    for (auto &saved : *all) {
        translate(saved.document);
        if (auto row = writeDocument(database, saved); !row)
            return std::unexpected(std::move(row.error()));
    }
    return {};
}

} // namespace

Expected<void> putIntoLanguage(Database &sample)
{
    if (language() == Language::English)
        return {};
    for (auto *const translated : {&translateAll<PlanDocument>, &translateAll<FleetDocument>,
             &translateAll<SweepDocument>, &translateAll<DecisionDocument>, &translateAll<OutputSet>})
        if (auto done = translated(sample); !done)
            return done;
    return {};
}

} // namespace fleetwright::storage
