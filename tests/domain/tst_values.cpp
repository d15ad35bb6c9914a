// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/samples.h"
#include "testing/registry.h"

#include <QTest>

#include <limits>

using namespace fleetwright;

class TestValues : public QObject {
    Q_OBJECT
private slots:
    void precisions()
    {
        for (const auto precision : allPrecisions)
            QCOMPARE(int(*parsePrecision(toString(precision))), int(precision));
        QCOMPARE(int(*parsePrecision("BF16")), int(Precision::Bf16));
        const auto unknown = parsePrecision("fp6", "training.precision");
        QVERIFY(!unknown);
        QCOMPARE(int(unknown.error().code), int(ErrorCode::UnsupportedValue));
        QCOMPARE(unknown.error().field, std::string("training.precision"));
        QCOMPARE(bytesPerElement(Precision::Int4).value(), 0.5);
    }

    void acceleratorFromRecord()
    {
        const auto made = acceleratorFrom(samples::accelerator());
        QVERIFY2(made.has_value(), made ? "" : made.error().message.c_str());
        QVERIFY((*made)->memoryBandwidth == 3000.0 * gigabytePerSecond);
        QVERIFY((*made)->peak(Precision::Bf16) == 1000.0 * teraflopPerSecond);
        QVERIFY(!(*made)->peak(Precision::Fp8)); // unknown is not zero
    }

    void acceleratorRefusals_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<double>("value");
        QTest::addColumn<int>("code");
        QTest::newRow("no capacity") << QStringLiteral("memory_capacity_bytes")
                                     << std::numeric_limits<double>::quiet_NaN() << int(ErrorCode::MissingField);
        QTest::newRow("no bandwidth") << QStringLiteral("memory_bandwidth_gb_per_s")
                                      << std::numeric_limits<double>::quiet_NaN() << int(ErrorCode::MissingField);
        QTest::newRow("zero bandwidth") << QStringLiteral("memory_bandwidth_gb_per_s") << 0.0
                                        << int(ErrorCode::OutOfRange);
        QTest::newRow("negative capacity")
            << QStringLiteral("memory_capacity_bytes") << -1.0 << int(ErrorCode::OutOfRange);
        QTest::newRow("negative peak") << QStringLiteral("peak_dense_tflops.bf16") << -5.0
                                       << int(ErrorCode::OutOfRange);
    }
    void acceleratorRefusals()
    {
        QFETCH(QString, key);
        QFETCH(double, value);
        QFETCH(int, code);
        auto record = samples::accelerator();
        if (std::isnan(value))
            record.values.erase(key.toStdString());
        else
            record.values[key.toStdString()] = value;
        const auto made = acceleratorFrom(record);
        QVERIFY(!made);
        QCOMPARE(int(made.error().code), code);
        QVERIFY(made.error().message.contains("test_gpu"));
    }

    void scaleOutBandwidthCountsNics()
    {
        const auto fleet = resolve(samples::plan().fleet, samples::catalog());
        QVERIFY(fleet.has_value());
        QVERIFY((*fleet)->scaleOutBandwidth() == 25.0 * gigabytePerSecond); // four 50 GB/s ports for eight accelerators
        const auto sum = totals(*fleet);
        QCOMPARE(sum.accelerators, 32);
        QVERIFY(sum.densePeak && *sum.densePeak == 32000.0 * teraflopPerSecond);
        QVERIFY(sum.maxItPower && *sum.maxItPower == 40.0 * kilowatt);
    }

    void parallelismBounds_data()
    {
        QTest::addColumn<QString>("field");
        QTest::newRow("tp") << QStringLiteral("parallelism.tp");
        QTest::newRow("pp") << QStringLiteral("parallelism.pp");
        QTest::newRow("cp") << QStringLiteral("parallelism.cp");
        QTest::newRow("ep") << QStringLiteral("parallelism.ep");
        QTest::newRow("virtual stages") << QStringLiteral("parallelism.virtual_stages");
        QTest::newRow("zero") << QStringLiteral("parallelism.zero_stage");
    }
    void parallelismBounds()
    {
        QFETCH(QString, field);
        Parallelism parallelism;
        QVERIFY(check(parallelism).has_value());
        int &value = field.endsWith(QLatin1String("tp")) ? parallelism.tp
            : field.endsWith(QLatin1String("pp"))        ? parallelism.pp
            : field.endsWith(QLatin1String("cp"))        ? parallelism.cp
            : field.endsWith(QLatin1String("ep"))        ? parallelism.ep
            : field.endsWith(QLatin1String("stages"))    ? parallelism.virtualStages
                                                         : parallelism.zeroStage;
        value = -1;
        auto ok = check(parallelism);
        QVERIFY(!ok);
        QCOMPARE(QString::fromStdString(ok.error().field), field);
        QCOMPARE(int(ok.error().code), int(ErrorCode::OutOfRange));
        value = std::numeric_limits<int>::max();
        QVERIFY(!check(parallelism));
    }

    void microbatchesAreEitherCountOrSize()
    {
        Training training;
        QVERIFY(check(training).has_value());
        training.microbatchSize = 1;
        QVERIFY(!check(training));
        training.microbatchCount.reset();
        QVERIFY(check(training).has_value());
        training.microbatchSize.reset();
        QVERIFY(!check(training));
    }

    void constraintsRefuseNonsense()
    {
        Constraints constraints;
        QVERIFY(check(constraints).has_value());
        constraints.maxMemoryShare = 1.01;
        QCOMPARE(check(constraints).error().field, std::string("constraints.max_memory_fraction"));
        constraints.maxMemoryShare = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(!check(constraints));
        constraints.maxMemoryShare.reset();
        constraints.deadline = -1.0 * day;
        QCOMPARE(check(constraints).error().field, std::string("constraints.deadline_days"));
    }

    void workloadCrossChecks()
    {
        auto record = samples::workload();
        record.values["kv_heads"] = 7.0;
        QCOMPARE(workloadFrom(record).error().field, std::string("kv_heads"));
        record = samples::workload();
        record.values["params_active"] = 8e9;
        QCOMPARE(workloadFrom(record).error().field, std::string("params_active"));
        record = samples::workload();
        record.values["experts"] = 8.0;
        QCOMPARE(int((*workloadFrom(record))->family), int(WorkloadFamily::MixtureOfExperts));
    }

    void fabricOfAnotherScopeIsRefused()
    {
        auto record = samples::fabric();
        record.values["scope"] = "scale_up";
        const auto made = fabricFrom(record);
        QVERIFY(!made);
        QCOMPARE(int(made.error().code), int(ErrorCode::UnsupportedValue));
    }

    void fieldParsing()
    {
        const auto *bandwidth = findField(CatalogKind::Accelerator, "memory_bandwidth_gb_per_s");
        QVERIFY(bandwidth);
        QCOMPARE(std::get<double>(*parseField(*bandwidth, "3.35 TB/s")), 3350.0);
        QCOMPARE(std::get<double>(*parseField(*bandwidth, "3350")), 3350.0);
        QVERIFY(std::holds_alternative<std::monostate>(*parseField(*bandwidth, "  ")));
        QCOMPARE(int(parseField(*bandwidth, "-1").error().code), int(ErrorCode::OutOfRange));
        QCOMPARE(parseField(*bandwidth, "fast").error().field, std::string("memory_bandwidth_gb_per_s"));
        const auto *layers = findField(CatalogKind::Workload, "layers");
        QCOMPARE(int(parseField(*layers, "1.5").error().code), int(ErrorCode::OutOfRange));
    }
};

FLEETWRIGHT_TEST(TestValues)
#include "tst_values.moc"
