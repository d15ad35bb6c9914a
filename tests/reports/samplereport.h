// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/reportdocument.h"
#include "storage/project.h"

#include <QTimeZone>

/// Plans over the shipped catalog, as reports get them.
namespace fleetwright::test {

inline const Catalog &catalog()
{
    static const Catalog shipped = storage::shippedCatalog().value();
    return shipped;
}

inline PlanDocument samplePlan(const std::string &name = "Llama on H100")
{
    PlanDocument plan;
    plan.name = name;
    plan.workload = "llama3_1_70b";
    plan.fleet.node = "nvidia_dgx_h100";
    plan.fleet.nodes = 32;
    plan.fleet.fabric = "ib_ndr";
    plan.parallelism.tp = 8;
    plan.parallelism.pp = 4;
    plan.training.globalBatch = 256;
    plan.training.microbatchCount = 16;
    plan.training.sequenceLength = 2048;
    plan.training.precision = Precision::Fp16;
    plan.constraints.maxMemoryShare = 0.9;
    plan.constraints.deadline = 30.0 * day;
    plan.costModelId = "first-order";
    return plan;
}

inline PlanDocument refusedPlan()
{
    auto plan = samplePlan("Seven-way tensor parallel");
    plan.parallelism.tp = 7;
    return plan;
}

inline QDateTime someDate() { return QDateTime(QDate(2026, 11, 21), QTime(20, 0), Qt::UTC); }

inline reports::ReportDocument report(const std::vector<PlanDocument> &plans, const QDateTime &created = someDate())
{
    return reports::describe({.projectName = QStringLiteral("Größe & Co"),
                                 .set = {.audience = Audience::Technical},
                                 .decision = {},
                                 .plans = reports::solveAll(plans, catalog()),
                                 .created = created},
        catalog());
}

} // namespace fleetwright::test
