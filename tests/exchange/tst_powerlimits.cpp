// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/plandocuments.h"
#include "testing/registry.h"

#include <QTest>

#include <nlohmann/json.hpp>

using namespace fleetwright;

/// A limit in watts survives documents that hold megawatts, and those that held kilowatts.
class TestPowerLimits : public QObject {
    Q_OBJECT
private slots:
    void everyWholeKilowatt()
    {
        PlanDocument document;
        document.name = "plan";
        document.workload = std::string("llama3_1_70b");
        document.fleet.node = std::string("nvidia_dgx_h100");
        document.fleet.fabric = std::string("ib_ndr");
        document.costModelId = "first-order";
        for (int tenths = 1; tenths < 60000; tenths += tenths < 2000 ? 1 : 7) {
            const double watts = tenths * 100.0;
            document.constraints.facilityPower = watts * watt;
            const auto json = exchange::planToJson(document);
            const auto again = exchange::planFromJson(json);
            QVERIFY2(again, again ? "" : again.error().message.c_str());
            QCOMPARE(again->constraints.facilityPower->value(), watts);
            auto former = json;
            former["constraints"].erase("max_facility_mw");
            former["constraints"]["max_power_kw"] = tenths / 10.0;
            const auto read = exchange::planFromJson(former);
            QVERIFY2(read, read ? "" : read.error().message.c_str());
            QCOMPARE(read->constraints.facilityPower->value(), watts);
        }
    }
};

FLEETWRIGHT_TEST(TestPowerLimits)
#include "tst_powerlimits.moc"
