// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/accelerator.h"
#include "domain/fabric.h"
#include "domain/node.h"
#include "domain/planningdefaults.h"
#include "domain/price.h"
#include "domain/workload.h"
#include "exchange/catalogfiles.h"
#include "solver/answer/solve.h"
#include "solver/models/costmodel.h"
#include "solver/models/detailed/constantrecords.h"
#include "storage/support.h"
#include "testing/registry.h"
#include "text/utf8.h"

#include <QtTest>

#include <QTemporaryDir>

#include <cmath>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

namespace {

bool close(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance * std::abs(b); }

/// True when one of the two is unknown.
bool agree(std::optional<double> a, std::optional<double> b, double tolerance)
{
    return !a || !b || close(*a, *b, tolerance);
}

} // namespace

/// The facts that the program ships: complete, in the right unit, free of the confusions that the literature is full
/// of.
class ShippedCatalogTest : public QObject {
    Q_OBJECT

    Catalog m_catalog;

    std::span<const CatalogRecord> records(CatalogKind kind) const { return m_catalog.records(kind); }

private slots:
    void initTestCase() { m_catalog = must(shippedCatalog()); }

    void counts_data()
    {
        QTest::addColumn<CatalogKind>("kind");
        QTest::addColumn<int>("count");
        QTest::newRow("accelerators") << CatalogKind::Accelerator << 84;
        QTest::newRow("nodes") << CatalogKind::Node << 89;
        QTest::newRow("fabrics") << CatalogKind::Fabric << 59;
        QTest::newRow("clusters") << CatalogKind::Cluster << 40;
        QTest::newRow("workloads") << CatalogKind::Workload << 170;
        QTest::newRow("grids") << CatalogKind::Grid << 222;
        QTest::newRow("facilities") << CatalogKind::Facility << 48;
        QTest::newRow("prices") << CatalogKind::Price << 384;
        QTest::newRow("network gear") << CatalogKind::NetworkGear << 39;
        QTest::newRow("currencies") << CatalogKind::Currency << 22;
        QTest::newRow("planning defaults") << CatalogKind::PlanningDefault << 246;
        QTest::newRow("calibration constants") << CatalogKind::CalibrationConstant << int(detailed::constantCount);
    }

    void counts()
    {
        QFETCH(CatalogKind, kind);
        QFETCH(int, count);
        QCOMPARE(int(records(kind).size()), count);
        QVERIFY(std::ranges::all_of(records(kind), &CatalogRecord::shipped));
        QVERIFY(!m_catalog.sources(kind).empty());
    }

    void everyRuleHolds()
    {
        QStringList faults;
        for (const auto &fault : m_catalog.checkAll())
            faults.append(utf8(fault.field + ": " + fault.message));
        QCOMPARE(faults, QStringList());
    }

    void filesAndTablesHoldTheSame()
    {
        Catalog fromFiles;
        for (const auto kind : allCatalogKinds) {
            if (!isShippedAsFile(kind))
                continue;
            const auto content = contentOf(
                QStringLiteral(FLEETWRIGHT_RESOURCES "/catalog/%1.json").arg(utf8(toString(kind))));
            must(exchange::readCatalogFile(content.toStdString(), kind, true, fromFiles));
            QCOMPARE(records(kind).size(), fromFiles.records(kind).size());
            for (std::size_t i = 0; i < records(kind).size(); ++i)
                QVERIFY2(records(kind)[i] == fromFiles.records(kind)[i], records(kind)[i].id.c_str());
            QVERIFY(std::ranges::equal(m_catalog.sources(kind), fromFiles.sources(kind)));
        }
    }

    void constantsAreThoseOfTheCostModel()
    {
        const auto kind = CatalogKind::CalibrationConstant;
        QCOMPARE(records(kind).size(), detailed::constantTable().size());
        for (const auto &descriptor : detailed::constantTable()) {
            const auto *record = m_catalog.find(kind, detailed::recordId(descriptor));
            QVERIFY2(record, descriptor.key.data());
            QCOMPARE(record->number("value"), std::optional(descriptor.value));
            QCOMPARE(record->number("range_low"), descriptor.low);
            QCOMPARE(record->number("range_high"), descriptor.high);
            QCOMPARE(record->text("unit").value_or(""), std::string(descriptor.unit));
            QCOMPARE(record->boolean("fitted"), std::optional(descriptor.fitted()));
        }
        QVERIFY(must(detailed::constantsOf(m_catalog)) == detailed::Constants());
    }

    void calibratedConstantsReachTheCostModel()
    {
        const auto &descriptor = *detailed::findConstant("cpu_v2");
        const detailed::FittedConstant fitted{
            .constant = descriptor.constant, .before = 0.9e-3, .after = 1.2e-3, .low = 1.1e-3, .high = 1.3e-3};
        const auto record = detailed::calibratedRecord(fitted, 7, "2026-11-22");
        auto catalog = m_catalog;
        must(catalog.check(record));
        QCOMPARE(record.number("value"), std::optional(1.2));
        QCOMPARE(record.number("runs"), std::optional(7.0));
        QVERIFY(catalog.provenanceText(record, "value").contains("Calibrated to my runs"));
        catalog.insert(record);
        QCOMPARE(must(detailed::constantsOf(catalog))[descriptor.constant], 1.2e-3);
    }

    /// From the catalog to the answer: the user's constant changes what `detailed` says, and nothing of another model.
    void calibratedConstantsChangeTheAnswer()
    {
        QTemporaryDir folder;
        const auto project = must(
            Project::createSample(folder.filePath(u"sample.fleetwright"_s), storage::ShippedProject::Tutorial));
        auto document = must(project->plans()).front().document;
        document.assumptions.edited.clear();
        const auto &descriptor = *detailed::findConstant("gemm_Hopper");
        auto catalog = m_catalog;
        catalog.insert(detailed::calibratedRecord({.constant = descriptor.constant,
                                                      .before = descriptor.value,
                                                      .after = descriptor.value / 2,
                                                      .low = 0.3,
                                                      .high = 0.4},
            5, "2026-11-22"));
        const auto answer = [&](const char *model, const Catalog &from) {
            document.costModelId = model;
            const auto plan = must(resolve(document, from));
            return must(solve(plan)).estimate.stepTime->value();
        };
        const auto shipped = answer("detailed", m_catalog), calibrated = answer("detailed", catalog);
        QVERIFY2(calibrated > 1.3 * shipped, qPrintable(QString::number(calibrated / shipped)));
        QVERIFY(answer("first-order", catalog) == answer("first-order", m_catalog));
        document.assumptions.edited["gemm_Hopper"] = descriptor.value; // the plan's own word is the last
        QCOMPARE(answer("detailed", catalog), shipped);
    }

    /// Calibrated values are found by key, so no other cost model may call something of its own like a constant.
    void keysOfConstantsBelongToOneModel()
    {
        for (const auto *model : costModels())
            if (model->id() != "detailed")
                for (const auto &descriptor : detailed::constantTable())
                    QVERIFY2(!findAssumption(model->assumptions(), descriptor.key), descriptor.key.data());
    }

    void everyRecordReturnsUnchanged()
    {
        QTemporaryDir folder;
        auto project = must(Project::create(folder.filePath(u"all.fleetwright"_s)));
        std::vector<CatalogRecord> copies;
        for (const auto &planning : planningDefaults()) { // the others of their kind cannot be copied
            const std::string id(planning.id);
            copies.push_back(userCopy(m_catalog, CatalogKind::PlanningDefault, id, id + "_copy"));
            copies.back().values["replaces"] = id;
            must(project->saveRecord(copies.back()));
        }
        for (const auto kind : allCatalogKinds) {
            if (kind == CatalogKind::PlanningDefault)
                continue;
            const auto all = records(kind);
            for (std::size_t i = 0; i < all.size();
                 i += 40) { // saving checks the whole catalog, so a sample of each kind does
                copies.push_back(userCopy(m_catalog, kind, all[i].id, all[i].id + "_copy"));
                must(project->saveRecord(copies.back()));
            }
        }
        const auto stored = must(project->catalog());
        for (const auto &copy : copies) {
            const auto *found = stored.find(copy.kind, copy.id);
            QVERIFY2(found && *found == copy, copy.id.c_str());
        }
    }

    void everyFilledFieldHasASource()
    {
        for (const auto kind : allCatalogKinds)
            for (const auto &record : records(kind)) {
                QVERIFY2(!record.attributions.empty(), record.id.c_str());
                for (const auto &attribution : record.attributions) {
                    QVERIFY2(m_catalog.source(kind, attribution.sourceId), record.id.c_str());
                    for (const auto &key : attribution.fields)
                        QVERIFY2(key == "*" || key == "name" || key == "notes" || findField(kind, key)
                                || std::ranges::any_of(fields(kind),
                                    [&](const FieldDescriptor &f) {
                                        return f.key.starts_with(key + ".") || f.key.ends_with("." + key);
                                    }),
                            (record.id + " " + key).c_str());
                }
            }
    }

    void anchors_data()
    {
        QTest::addColumn<CatalogKind>("kind");
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("key");
        QTest::addColumn<double>("value");
        const auto row = [](CatalogKind kind, const QString &id, const QString &key, double value) {
            QTest::newRow(qPrintable(id + u' ' + key)) << kind << id << key << value;
        };
        // Bits or bytes: HDR is 200 Gb/s, which is 25 GB/s.
        row(CatalogKind::Fabric, u"ib_hdr"_s, u"port_bandwidth_gb_per_s"_s, 25);
        row(CatalogKind::Fabric, u"ib_ndr"_s, u"port_bandwidth_gb_per_s"_s, 50);
        row(CatalogKind::Fabric, u"ib_xdr"_s, u"port_bandwidth_gb_per_s"_s, 100);
        row(CatalogKind::Fabric, u"eth_100g_roce"_s, u"port_bandwidth_gb_per_s"_s, 12.5);
        row(CatalogKind::Fabric, u"eth_100g_tcp"_s, u"port_bandwidth_gb_per_s"_s, 12.5);
        // One direction or both: NVLink headlines add them up.
        row(CatalogKind::Fabric, u"nvlink4_nvswitch"_s, u"per_device_unidirectional_gb_per_s"_s, 450);
        row(CatalogKind::Fabric, u"nvlink3_nvswitch"_s, u"per_device_unidirectional_gb_per_s"_s, 300);
        row(CatalogKind::Fabric, u"nvlink5_nvl72"_s, u"per_device_unidirectional_gb_per_s"_s, 900);
        // Dense or with 2:4 sparsity.
        row(CatalogKind::Accelerator, u"nvidia_h100_sxm5_80gb"_s, u"peak_dense_tflops.bf16"_s, 989.4);
        row(CatalogKind::Accelerator, u"nvidia_h100_sxm5_80gb"_s, u"peak_dense_tflops.fp8"_s, 1978.9);
        row(CatalogKind::Accelerator, u"nvidia_a100_sxm4_80gb"_s, u"peak_dense_tflops.bf16"_s, 312);
        row(CatalogKind::Accelerator, u"nvidia_b200_sxm_180gb"_s, u"peak_dense_tflops.bf16"_s, 2250);
        row(CatalogKind::Accelerator, u"amd_mi300x_192gb"_s, u"peak_dense_tflops.bf16"_s, 1307.4);
        row(CatalogKind::Node, u"nvidia_dgx_h100"_s, u"accelerators_per_node"_s, 8);
        row(CatalogKind::Workload, u"llama3_1_70b"_s, u"layers"_s, 80);
    }

    void anchors()
    {
        QFETCH(CatalogKind, kind);
        QFETCH(QString, id);
        QFETCH(QString, key);
        QFETCH(double, value);
        const auto *record = m_catalog.find(kind, id.toStdString());
        QVERIFY(record);
        const auto stored = record->number(key.toStdString());
        QVERIFY(stored.has_value());
        QVERIFY2(close(*stored, value, 0.002), qPrintable(u"%1 instead of %2"_s.arg(*stored).arg(value)));
    }

    /// Facts about cost that others compute with: each in its place, unit and scope.
    void costFacts()
    {
        const auto number = [&](CatalogKind kind, const char *id, const char *key) {
            const auto *record = m_catalog.find(kind, id);
            return record ? record->number(key).value_or(-1) : -2;
        };
        QCOMPARE(number(CatalogKind::NetworkGear, "sw_nvidia_qm9700", "ports_by_rate_gbit.400"), 64.0);
        QCOMPARE(number(CatalogKind::NetworkGear, "sw_nvidia_q3400", "ports_by_rate_gbit.800"), 144.0);
        QCOMPARE(number(CatalogKind::Price, "price_sw_nvidia_qm9700", "typical"), 38000.0);
        QCOMPARE(number(CatalogKind::Currency, "eur", "units_per_usd"), 0.8684);
        QCOMPARE(number(CatalogKind::Node, "nvidia_gb200_nvl72", "max_power_kw"), 132.0);
        QCOMPARE(number(CatalogKind::Node, "azure_nd_gb200_v6", "max_power_high_kw"), 7.333);
        QCOMPARE(number(CatalogKind::Grid, "country_se", "electricity_industrial_usd_per_kwh"), 0.0722);
        QCOMPARE(number(CatalogKind::Grid, "us_state_ia", "electricity_industrial_usd_per_kwh"), 0.0604); // the newer
        QCOMPARE(number(CatalogKind::Accelerator, "google_tpu_v5p", "embodied_carbon_kg_co2e"), 1101.0);
        QCOMPARE(number(CatalogKind::PlanningDefault, "lead_h100_2026", "value"), 44.0);
        int powered = 0;
        for (const auto &record : records(CatalogKind::Node)) {
            const auto power = record.number("max_power_kw");
            powered += power ? 1 : 0;
            const auto low = record.number("max_power_low_kw"), high = record.number("max_power_high_kw");
            QVERIFY2((!low || (power && *low <= *power)) && (!high || (power && *high >= *power)), record.id.c_str());
        }
        QCOMPARE(powered, 81);
        // Carbon of different scopes is not comparable, so none goes without its scope.
        for (const auto kind : {CatalogKind::Accelerator, CatalogKind::Node})
            for (const auto &record : records(kind))
                if (const auto *from = record.attribution("embodied_carbon_kg_co2e"); record.shipped && from)
                    QVERIFY2(!record.number("embodied_carbon_low_kg_co2e") || record.text("embodied_carbon_scope"),
                        record.id.c_str());
        // A tariff in a currency of its own is the one in USD by its own rate.
        for (const auto &record : records(CatalogKind::Grid))
            if (const auto local = record.number("electricity_industrial_per_kwh"))
                QVERIFY2(agree(*local / record.number("electricity_units_per_usd").value_or(0),
                             record.number("electricity_industrial_usd_per_kwh"), 1e-3),
                    record.id.c_str());
        // Every price says in words what it is for, and each but teaching values is dated.
        for (const auto &record : records(CatalogKind::Price)) {
            const auto words = unitInWords(*record.text("unit"), *record.text("currency"));
            QVERIFY2(!words.contains('_'), words.c_str());
            const auto period = record.text("as_of");
            QVERIFY2(!period || lastDayOf(*period), record.id.c_str());
        }
    }

    void quantitiesAreConverted()
    {
        const auto ndr = must(fabricFrom(*m_catalog.find(CatalogKind::Fabric, "ib_ndr")));
        QCOMPARE(ndr->portBandwidth.value(), 50e9);
        const auto h100 = must(acceleratorFrom(*m_catalog.find(CatalogKind::Accelerator, "nvidia_h100_sxm5_80gb")));
        QVERIFY(close(h100->peak(Precision::Fp16)->value(), 989.4e12, 0.002));
        QCOMPARE(h100->memoryBandwidth.value(), 3.35e12);
        QCOMPARE(h100->scaleUpBandwidth->value(), 450e9);
        const auto node = must(nodeFrom(*m_catalog.find(CatalogKind::Node, "nvidia_dgx_h100"), h100));
        QCOMPARE(node->nicRate->value(), 50e9);
    }

    void acceleratorsAreConsistent()
    {
        for (const auto &record : records(CatalogKind::Accelerator)) {
            const auto number = [&](std::string_view key) { return record.number(key); };
            const auto uni = number("scale_up_unidirectional_gb_per_s");
            QVERIFY2(agree(uni ? std::optional(2 * *uni) : uni, number("scale_up_bidirectional_gb_per_s"), 1e-6),
                record.id.c_str());
            const auto bf16 = number("peak_dense_tflops.bf16");
            const auto fp8 = number("peak_dense_tflops.fp8");
            QVERIFY2(!bf16 || !fp8 || *fp8 >= *bf16, record.id.c_str());
            const auto measured = number("achievable_matmul_bf16_tflops");
            QVERIFY2(!measured || !bf16 || *measured <= *bf16, record.id.c_str());
            const auto nominal = number("memory_capacity_nominal_gb");
            QVERIFY2(agree(nominal ? std::optional(*nominal * 1e9) : nominal, number("memory_capacity_bytes"), 0.10),
                record.id.c_str());
        }
    }

    void nodesAreConsistent()
    {
        for (const auto &record : records(CatalogKind::Node)) {
            const auto perNode = record.number("accelerators_per_node").value_or(0);
            QVERIFY2(record.number("scale_up_domain_size").value_or(0) >= perNode, record.id.c_str());
            const auto nics = record.number("nics_scale_out_count");
            const auto rate = record.number("nic_rate_gbit_per_s");
            const auto total = nics && rate && *nics > 0 ? std::optional(*nics * *rate / 8) : std::nullopt;
            QVERIFY2(
                agree(total, record.number("scale_out_unidirectional_gb_per_s_per_node"), 1e-4), record.id.c_str());
            const auto *accelerator = m_catalog.find(
                CatalogKind::Accelerator, record.text("accelerator_id").value_or(""));
            const auto scaleUp = record.number("scale_up_unidirectional_gb_per_s_per_accelerator");
            if (accelerator)
                QVERIFY2(
                    agree(scaleUp, accelerator->number("scale_up_unidirectional_gb_per_s"), 1e-6), record.id.c_str());
        }
    }

    void fabricsAreConsistent()
    {
        for (const auto &record : records(CatalogKind::Fabric)) {
            const auto bits = record.number("port_rate_gbit_per_s");
            if (bits && record.text("scope") == "scale_out")
                QVERIFY2(agree(*bits / 8, record.number("port_bandwidth_gb_per_s"), 1e-6), record.id.c_str());
            const auto uni = record.number("per_device_unidirectional_gb_per_s");
            QVERIFY2(
                agree(uni ? std::optional(2 * *uni) : uni, record.number("per_device_bidirectional_gb_per_s"), 1e-6),
                record.id.c_str());
        }
    }

    void rangesAreOrdered()
    {
        for (const auto kind : {CatalogKind::Price, CatalogKind::PlanningDefault})
            for (const auto &record : records(kind)) {
                const auto low = record.number("low");
                const auto middle = record.number(kind == CatalogKind::Price ? "typical" : "value");
                const auto high = record.number("high");
                QVERIFY2(!low || !middle || *low <= *middle, record.id.c_str());
                QVERIFY2(!high || !middle || *high >= *middle, record.id.c_str());
            }
    }

    void everyItemBecomesAValueOrSaysWhyNot()
    {
        int nodes = 0;
        int fabrics = 0;
        int workloads = 0;
        const auto explained = [](const auto &result) {
            return result || (result.error().code == ErrorCode::MissingField && result.error().message.size() > 20);
        };
        for (const auto &record : records(CatalogKind::Accelerator))
            QVERIFY2(explained(acceleratorFrom(record)), record.id.c_str());
        for (const auto &record : records(CatalogKind::Node)) {
            const auto *accelerator = m_catalog.find(
                CatalogKind::Accelerator, record.text("accelerator_id").value_or(""));
            if (!accelerator)
                continue;
            const auto device = acceleratorFrom(*accelerator);
            const auto node = device ? nodeFrom(record, *device) : std::unexpected(device.error());
            QVERIFY2(explained(node), node ? "" : (record.id + ": " + node.error().message).c_str());
            nodes += node ? 1 : 0;
        }
        for (const auto &record : records(CatalogKind::Fabric)) {
            if (record.text("scope") != "scale_out")
                continue;
            const auto fabric = fabricFrom(record);
            QVERIFY2(explained(fabric), fabric ? "" : (record.id + ": " + fabric.error().message).c_str());
            fabrics += fabric ? 1 : 0;
        }
        for (const auto &record : records(CatalogKind::Workload)) {
            const auto workload = workloadFrom(record);
            QVERIFY2(explained(workload), workload ? "" : (record.id + ": " + workload.error().message).c_str());
            workloads += workload ? 1 : 0;
        }
        QVERIFY2(nodes > 70, qPrintable(QString::number(nodes)));
        QVERIFY2(fabrics > 20, qPrintable(QString::number(fabrics)));
        QVERIFY2(workloads > 150, qPrintable(QString::number(workloads)));
    }

    void samplePlansAreAnswered()
    {
        QTemporaryDir folder;
        const auto project = must(
            Project::createSample(folder.filePath(u"sample.fleetwright"_s), storage::ShippedProject::Tutorial));
        const auto catalog = must(project->catalog());
        const auto plans = must(project->plans());
        const auto fleets = must(project->fleets());
        QCOMPARE(fleets.size(), 3);
        for (const auto &fleet : fleets)
            QCOMPARE(must(resolve(fleet.document, catalog))->accelerators(), 256);
        QSet<QString> names;
        for (const auto &saved : plans) {
            names.insert(utf8(saved.document.name));
            const auto plan = must(resolve(saved.document, catalog));
            const auto solution = solve(plan);
            QVERIFY2(
                solution.has_value(), solution ? "" : (saved.document.name + ": " + solution.error().message).c_str());
            QVERIFY(solution->estimate.stepTime->value() > 0);
        }
        QCOMPARE(names.size(), qsizetype(plans.size()));
        QVERIFY2(must(solve(must(resolve(plans.front().document, catalog)))).feasible,
            "the first plan must show a feasible result");
    }
};

FLEETWRIGHT_TEST(ShippedCatalogTest)
#include "tst_shippedcatalog.moc"
