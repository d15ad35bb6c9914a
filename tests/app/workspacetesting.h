// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspace/workspace.h"

#include <QString>
#include <QTest>

namespace fleetwright::app {

inline QString message(const auto &expected)
{
    return expected ? QString() : QString::fromStdString(expected.error().message);
}

inline PlanDocument examplePlan()
{
    PlanDocument plan;
    plan.name = "70B on 32 nodes";
    plan.workload = std::string("llama3_1_70b");
    plan.fleet.node = std::string("nvidia_dgx_h100");
    plan.fleet.nodes = 32;
    plan.fleet.fabric = std::string("ib_ndr");
    plan.parallelism.tp = 8;
    plan.parallelism.pp = 4;
    plan.training.globalBatch = 256;
    plan.costModelId = "first-order";
    return plan;
}

inline CatalogRecord ownFabric()
{
    CatalogRecord record;
    record.kind = CatalogKind::Fabric;
    record.id = "my_fabric";
    record.name = "My fabric";
    record.values["scope"] = std::string("scale_out");
    record.values["family"] = std::string("InfiniBand");
    record.values["status"] = std::string("shipping");
    record.values["port_rate_gbit_per_s"] = 400.0;
    return record;
}

} // namespace fleetwright::app

#define VERIFY_OK(expression)                                                                                          \
    do {                                                                                                               \
        const auto outcome = (expression);                                                                             \
        QVERIFY2(outcome, qPrintable(fleetwright::app::message(outcome)));                                             \
    } while (false)
