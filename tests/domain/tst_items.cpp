// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/samples.h"
#include "testing/registry.h"

#include <QTest>

#include <array>
#include <cmath>
#include <limits>

using namespace fleetwright;

namespace {

constexpr double noNumber = std::numeric_limits<double>::quiet_NaN();

Expected<void> made(const CatalogRecord &record)
{
    const auto voided = [](const auto &item) -> Expected<void> {
        return item ? Expected<void>() : std::unexpected(item.error());
    };
    switch (record.kind) {
    case CatalogKind::Accelerator: return voided(acceleratorFrom(record));
    case CatalogKind::Node: return voided(nodeFrom(record, *acceleratorFrom(samples::accelerator())));
    case CatalogKind::Fabric: return voided(fabricFrom(record));
    default: return voided(workloadFrom(record));
    }
}

CatalogRecord sample(CatalogKind kind)
{
    switch (kind) {
    case CatalogKind::Accelerator: return samples::accelerator();
    case CatalogKind::Node: return samples::node();
    case CatalogKind::Fabric: return samples::fabric();
    default: return samples::workload();
    }
}

} // namespace

/// Accelerators, nodes, fabrics, workloads and fleets: what is refused, what is taken from where, what follows.
class TestItems : public QObject {
    Q_OBJECT
private slots:
    void countsThatNoIntHoldsAreRefused_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("field");
        const auto row = [](CatalogKind kind, std::initializer_list<const char *> fields) {
            for (const auto *field : fields)
                QTest::newRow(field) << int(kind) << QString::fromLatin1(field);
        };
        row(CatalogKind::Workload,
            {"layers", "hidden_size", "attention_heads", "kv_heads", "head_dim", "ffn_hidden_size", "vocab_size",
                "max_seq_len", "experts", "moe_ffn_hidden_size", "shared_experts", "first_dense_layers",
                "moe_layer_interval", "mla_q_lora_rank", "mla_kv_lora_rank", "mla_qk_rope_head_dim"});
        row(CatalogKind::Node,
            {"accelerators_per_node", "scale_up_domain_size", "nics_scale_out_count", "psu_count", "rack_units"});
        row(CatalogKind::Fabric, {"switch_ports"});
    }
    void countsThatNoIntHoldsAreRefused()
    {
        QFETCH(const int, kind);
        QFETCH(const QString, field);
        auto record = sample(CatalogKind(kind));
        QVERIFY(made(record));
        for (const double value : {3e9, 5e9, 1e300}) {
            record.values[field.toStdString()] = value;
            const auto item = made(record);
            QVERIFY2(!item, qPrintable(QString::number(value)));
            QCOMPARE(int(item.error().code), int(ErrorCode::OutOfRange));
        }
    }

    void negativePricesAreRefused_data()
    {
        QTest::addColumn<QString>("field");
        for (const auto *field : {"purchase_price_usd_typical", "cloud_usd_per_device_hour_low",
                 "cloud_usd_per_device_hour_high", "embodied_carbon_kg_co2e", "dispatch_overhead_ms"})
            QTest::newRow(field) << QString::fromLatin1(field);
    }
    void negativePricesAreRefused()
    {
        QFETCH(const QString, field);
        auto record = samples::accelerator();
        for (const auto &[value, good] : {std::pair(0.0, true), {1.0, true}, {-1e-9, false}, {noNumber, false}}) {
            record.values[field.toStdString()] = value;
            const auto item = acceleratorFrom(record);
            QCOMPARE(item.has_value(), good);
            if (!good)
                QCOMPARE(QString::fromStdString(item.error().field), field);
        }
    }

    /// What is zero for a reason other than being unknown cannot be divided by.
    void zerosAreRefusedWhereAModelDivides_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("field");
        const auto row = [](CatalogKind kind, std::initializer_list<const char *> fields) {
            for (const auto *field : fields)
                QTest::newRow(field) << int(kind) << QString::fromLatin1(field);
        };
        row(CatalogKind::Accelerator,
            {"memory_capacity_bytes", "memory_bandwidth_gb_per_s", "peak_dense_tflops.fp8",
                "scale_up_unidirectional_gb_per_s", "host_link_unidirectional_gb_per_s", "sram_capacity_bytes",
                "sram_bandwidth_gb_per_s", "tdp_w"});
        row(CatalogKind::Node,
            {"accelerators_per_node", "nics_scale_out_count", "nic_rate_gbit_per_s", "max_power_kw",
                "scale_up_unidirectional_gb_per_s_per_accelerator"});
        row(CatalogKind::Fabric, {"port_bandwidth_gb_per_s", "oversubscription_typical"});
        row(CatalogKind::Workload, {"params_total", "params_active"});
    }
    void zerosAreRefusedWhereAModelDivides()
    {
        QFETCH(const int, kind);
        QFETCH(const QString, field);
        auto record = sample(CatalogKind(kind));
        record.values[field.toStdString()] = 0.0;
        const auto item = made(record);
        QVERIFY(!item);
        QCOMPARE(int(item.error().code), int(ErrorCode::OutOfRange));
        QVERIFY2(item.error().message.contains(record.name), item.error().message.c_str());
    }

    void peaksComeFromTheirOwnFields()
    {
        auto record = samples::accelerator();
        record.values = {{"memory_capacity_bytes", 80e9}, {"memory_bandwidth_gb_per_s", 3000.0}};
        QCOMPARE(acceleratorFrom(record).error().field, std::string("peak_dense_tflops"));
        double value = 10;
        for (const auto *key : {"fp32_vector", "tf32", "bf16", "fp16", "fp8", "int8", "int4", "fp4"})
            record.values["peak_dense_tflops." + std::string(key)] = value++;
        const auto item = acceleratorFrom(record);
        QVERIFY(item);
        value = 10;
        for (const auto precision : allPrecisions)
            QCOMPARE((*item)->peak(precision)->value(), value++ * 1e12);
        record.values["peak_dense_tflops.fp32_matrix"] = 99.0; // matrix units are what training uses
        QCOMPARE((*acceleratorFrom(record))->peak(Precision::Fp32)->value(), 99e12);
    }

    void nodesInheritTheScaleUpLink()
    {
        auto record = samples::node();
        const auto accelerator = *acceleratorFrom(samples::accelerator());
        QCOMPARE((*nodeFrom(record, accelerator))->scaleUpBandwidth->value(), 450e9);
        record.values["scale_up_unidirectional_gb_per_s_per_accelerator"] = 300.0;
        QCOMPARE((*nodeFrom(record, accelerator))->scaleUpBandwidth->value(), 300e9);
        record.values.erase("scale_up_domain_size");
        QCOMPARE((*nodeFrom(record, accelerator))->scaleUpDomainSize, 8);
        record.values["scale_up_domain_size"] = 72.0; // a rack may be one domain
        QCOMPARE((*nodeFrom(record, accelerator))->scaleUpDomainSize, 72);
        record.values["scale_up_domain_size"] = 7.0;
        QCOMPARE(nodeFrom(record, accelerator).error().field, std::string("scale_up_domain_size"));
    }

    void fabricRates()
    {
        auto record = samples::fabric();
        record.values.erase("port_bandwidth_gb_per_s");
        const auto fromRate = fabricFrom(record);
        QVERIFY(fromRate);
        QCOMPARE((*fromRate)->portBandwidth.value(), 50e9); // 400 Gb/s
        record.values["port_bandwidth_gb_per_s"] = 48.0; // what is stated in bytes wins
        QCOMPARE((*fabricFrom(record))->portBandwidth.value(), 48e9);
        record.values.erase("port_bandwidth_gb_per_s");
        record.values.erase("port_rate_gbit_per_s");
        QCOMPARE(int(fabricFrom(record).error().code), int(ErrorCode::MissingField));
        record = samples::fabric();
        QCOMPARE((*fabricFrom(record))->oversubscription, 1.0);
        for (const auto &[value, good] :
            {std::pair(1.0, true), {1000.0, true}, {0.999, false}, {1000.1, false}, {noNumber, false}}) {
            record.values["oversubscription_typical"] = value;
            QCOMPARE(fabricFrom(record).has_value(), good);
        }
    }

    void topologiesReadBack()
    {
        for (const auto topology : {FabricTopology::FatTree, FabricTopology::RailOptimised, FabricTopology::Dragonfly,
                 FabricTopology::Torus3d, FabricTopology::Ring})
            QVERIFY(parseFabricTopology(toString(topology)) == topology);
        for (const auto *text : {"", "Fat_tree", "fat tree", "mesh"}) {
            const auto parsed = parseFabricTopology(text, "fleet.topology");
            QVERIFY2(!parsed, text);
            QCOMPARE(parsed.error().field, std::string("fleet.topology"));
            QVERIFY(parsed.error().message.contains("torus_3d"));
        }
    }

    /// More NICs, more bandwidth each; a node that states none has one port for each accelerator.
    void scaleOutFollowsTheNics()
    {
        auto catalog = samples::catalog();
        double before = 0;
        for (const double nics : {1.0, 2.0, 4.0, 8.0, 16.0}) {
            auto node = samples::node();
            node.values["nics_scale_out_count"] = nics;
            catalog.insert(node);
            const auto fleet = resolve(samples::plan().fleet, catalog);
            QVERIFY(fleet);
            QCOMPARE((*fleet)->scaleOutBandwidth().value(), 50e9 * nics / 8);
            QVERIFY((*fleet)->scaleOutBandwidth().value() > before);
            before = (*fleet)->scaleOutBandwidth().value();
            QCOMPARE(totals(*fleet).scaleOutPerNode.value(), 50e9 * nics);
        }
        auto node = samples::node();
        node.values.erase("nics_scale_out_count");
        catalog.insert(node);
        QCOMPARE((*resolve(samples::plan().fleet, catalog))->scaleOutBandwidth().value(), 50e9);
    }

    /// Sums grow with the nodes, in proportion; what one accelerator does not state has no sum.
    void totalsAreProportional()
    {
        auto catalog = samples::catalog();
        auto accelerator = samples::accelerator();
        accelerator.values["purchase_price_usd_typical"] = 30000.0;
        catalog.insert(accelerator);
        auto document = samples::plan().fleet;
        document.nodes = 1;
        const auto one = totals(*resolve(document, catalog));
        for (const int nodes : {2, 7, 1000, 1'000'000}) {
            document.nodes = nodes;
            const auto sum = totals(*resolve(document, catalog));
            QCOMPARE(sum.accelerators, nodes * one.accelerators);
            QCOMPARE(sum.memory.value(), nodes * one.memory.value());
            QCOMPARE(sum.memoryBandwidth.value(), nodes * one.memoryBandwidth.value());
            QCOMPARE(sum.densePeak->value(), nodes * one.densePeak->value());
            QCOMPARE(sum.acceleratorTdp->value(), nodes * one.acceleratorTdp->value());
            QCOMPARE(sum.acceleratorPurchase->value(), nodes * one.acceleratorPurchase->value());
            QCOMPARE(sum.maxItPower->value(), nodes * one.maxItPower->value());
            QVERIFY(!sum.facilityPower); // no facility, no PUE
            QCOMPARE(sum.scaleOutPerNode.value(), one.scaleOutPerNode.value());
        }
        accelerator.values.erase("purchase_price_usd_typical");
        accelerator.values.erase("tdp_w");
        accelerator.values.erase("peak_dense_tflops.bf16");
        catalog.insert(accelerator);
        const auto less = totals(*resolve(document, catalog));
        QVERIFY(!less.acceleratorPurchase && !less.acceleratorTdp);
        QVERIFY(less.densePeak); // fp16 stands in
    }

    void fleetBounds()
    {
        auto document = samples::plan().fleet;
        for (const auto &[nodes, good] :
            {std::pair(1, true), {1'000'000, true}, {0, false}, {-1, false}, {1'000'001, false}}) {
            document.nodes = nodes;
            const auto fleet = resolve(document, samples::catalog());
            QCOMPARE(fleet.has_value(), good);
            if (!good)
                QCOMPARE(fleet.error().field, std::string("fleet.nodes"));
        }
        auto catalog = samples::catalog();
        auto node = samples::node();
        node.values["accelerators_per_node"] = 10000.0;
        node.values["scale_up_domain_size"] = 10000.0;
        catalog.insert(node);
        document.nodes = 10'000;
        QCOMPARE((*resolve(document, catalog))->accelerators(), 100'000'000);
        document.nodes = 10'001;
        QVERIFY(resolve(document, catalog).error().message.contains("100 million"));
    }

    /// The facility's own figures win over the grid's defaults; each may be missing on its own.
    void siteOfFacilityAndGrid()
    {
        auto catalog = samples::catalog();
        catalog.insert(samples::record(CatalogKind::Grid, "grid",
            {{"carbon_g_co2e_per_kwh", 360.0}, {"electricity_industrial_usd_per_kwh", 0.1}, {"default_pue", 1.5},
                {"default_wue_l_per_kwh", 1.8}}));
        catalog.insert(samples::record(CatalogKind::Facility, "hall", {{"pue", 1.1}}));
        auto document = samples::plan().fleet;
        document.grid = "grid";
        auto fleet = resolve(document, catalog);
        QVERIFY(fleet);
        QCOMPARE((*fleet)->site.pue, std::optional(1.5));
        QCOMPARE((*fleet)->site.carbonIntensity->value(), 360e-3 / 3.6e6);
        QCOMPARE((*fleet)->site.energyPrice->value(), 0.1 / 3.6e6);
        document.facility = "hall";
        fleet = resolve(document, catalog);
        QCOMPARE((*fleet)->site.pue, std::optional(1.1));
        QCOMPARE((*fleet)->site.wue->value(), 1.8 / 3.6e6); // the hall states none
        QCOMPARE(totals(*fleet).facilityPower->value(), 1.1 * totals(*fleet).maxItPower->value());
        catalog.insert(samples::record(CatalogKind::Facility, "hall", {{"pue", 0.9}}));
        QCOMPARE(resolve(document, catalog).error().field, std::string("fleet.facility"));
    }

    void workloadFamilies()
    {
        auto record = samples::workload();
        const auto family = [&] { return (*workloadFrom(record))->family; };
        QVERIFY(family() == WorkloadFamily::Transformer);
        record.values["architecture"] = std::string("convolutional");
        QVERIFY(family() == WorkloadFamily::Other);
        record.values["experts"] = 64.0;
        record.values["experts_per_token"] = 8.0;
        QVERIFY(family() == WorkloadFamily::MixtureOfExperts);
        record.values["experts_per_token"] = 64.0; // all of them is possible
        QVERIFY(workloadFrom(record));
        record.values["experts_per_token"] = 65.0;
        QCOMPARE(workloadFrom(record).error().field, std::string("experts_per_token"));
        record = samples::workload();
        record.values["architecture"] = std::string("hybrid_mamba_transformer");
        QVERIFY((*workloadFrom(record))->hybrid);
    }

    /// Stated counts come first, those derived from the architecture stand in.
    void parameterCounts()
    {
        auto record = samples::workload();
        record.values["params_total_derived"] = 7.1e9;
        record.values["params_active_derived"] = 6.9e9;
        auto workload = workloadFrom(record);
        QCOMPARE((*workload)->parameters, 7e9);
        QCOMPARE((*workload)->derivedParameters, std::optional(7.1e9));
        record.values.erase("params_total");
        record.values.erase("params_active");
        workload = workloadFrom(record);
        QCOMPARE((*workload)->parameters, 7.1e9);
        QCOMPARE((*workload)->activeParameters, 6.9e9);
        record.values.erase("params_active_derived");
        QCOMPARE((*workloadFrom(record))->activeParameters, 7.1e9); // dense
        record.values.erase("params_total_derived");
        QCOMPARE(int(workloadFrom(record).error().code), int(ErrorCode::MissingField));
        // Zero of a count is unknown, except where none is a fact.
        record = samples::workload();
        for (const auto *key : {"vocab_size", "head_dim", "shared_experts", "first_dense_layers"})
            record.values[key] = 0.0;
        workload = workloadFrom(record);
        QVERIFY(!(*workload)->vocabSize && !(*workload)->headDim);
        QCOMPARE((*workload)->sharedExperts, std::optional(0));
        QCOMPARE((*workload)->firstDenseLayers, std::optional(0));
    }

    void kvHeadsDivideTheHeads()
    {
        auto record = samples::workload();
        for (int kv = 1; kv <= 33; ++kv) {
            record.values["kv_heads"] = double(kv);
            QCOMPARE(workloadFrom(record).has_value(), 32 % kv == 0);
        }
    }
};

FLEETWRIGHT_TEST(TestItems)
#include "tst_items.moc"
