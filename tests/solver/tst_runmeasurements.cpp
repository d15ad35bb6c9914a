// SPDX-License-Identifier: GPL-3.0-or-later
// What a run measured (resources/handbook/models/detailed.md, section 16): its step time from whichever figure the row
// states, and which memory its meter read.
#include "solver/measuredrow.h"
#include "testing/registry.h"

class TestRunMeasurements : public QObject {
    Q_OBJECT

private slots:
    void stepTime_data();
    void stepTime();
    void memoryMeters();
};

void TestRunMeasurements::stepTime_data()
{
    QTest::addColumn<Edit>("edit");
    QTest::addColumn<double>("seconds");
    const auto row = [](const char *name, double seconds, const Edit &edit) { QTest::newRow(name) << edit << seconds; };
    const double tokens = 512.0 * 2048;
    row("measured comes first", 10, [](MeasuredRun &run) { run.measured.tokensPerSecond = 1; });
    const auto instead = [](const Edit &edit) {
        return [edit](MeasuredRun &run) {
            run.measured = {};
            edit(run);
        };
    };
    row("tokens of an accelerator", tokens / (1000.0 * 64), instead([](MeasuredRun &run) {
        run.measured.tokensPerSecondPerAccelerator = 1000;
        run.measured.tokensPerSecond = 1;
    }));
    row("tokens", tokens / 5e4, instead([](MeasuredRun &run) { run.measured.tokensPerSecond = 5e4; }));
    row("samples", 512 / 20.0, instead([](MeasuredRun &run) { run.measured.samplesPerSecond = 20; }));
    row("derived", 12.5, instead([](MeasuredRun &run) {
        run.derivedStepTime = 12.5 * second;
        run.measured.mfu = 0.4;
    }));
    const double L = 40, h = 6144, s = 2048, V = 51200;
    const double hardware = 96 * 512 * s * L * h * h * (1 + s / (6 * h) + V / (16 * L * h));
    row("hardware FLOP", hardware / (64 * 150e12), instead([](MeasuredRun &run) {
        run.measured.flopsPerAccelerator = 150.0 * teraflopPerSecond;
        run.measured.flopsConvention = "hardware";
    }));
    const double model = tokens * (6 * (L * (4 * h * h + 2 * h + 8 * h * h) + V * h) + 12 * L * h * s);
    row("model FLOP", model / (64 * 150e12),
        instead([](MeasuredRun &run) { run.measured.flopsPerAccelerator = 150.0 * teraflopPerSecond; }));
    row("MFU of the accelerator's peak", model / (64 * 0.4 * 312e12),
        instead([](MeasuredRun &run) { run.measured.mfu = 0.4; }));
    row("MFU of the row's peak", model / (64 * 0.4 * 300e12), instead([](MeasuredRun &run) {
        run.measured.mfu = 0.4;
        run.peak = 300.0 * teraflopPerSecond;
    }));
}

void TestRunMeasurements::stepTime()
{
    QFETCH(Edit, edit);
    QFETCH(double, seconds);
    const auto configuration = configurationOf(edit);
    QVERIFY(configuration.measuredStepTime);
    COMPARE_NUMBER(configuration.measuredStepTime->value(), seconds);
}

void TestRunMeasurements::memoryMeters()
{
    const auto memory = [](const char *note) {
        return configurationOf([note](MeasuredRun &run) {
            run.measured.peakMemory = 40;
            run.measured.peakMemoryNote = note;
        });
    };
    COMPARE_NUMBER(memory("GB as printed").measuredMemory->value(), 40e9);
    QVERIFY(memory("GB as printed").meter == MemoryMeter::Allocated);
    COMPARE_NUMBER(memory("GiB, torch.cuda.max_memory_allocated").measuredMemory->value(), 40 * 1073741824.0);
    QVERIFY(memory("nvidia-smi MiB / 1024").meter == MemoryMeter::Device);
    COMPARE_NUMBER(memory("nvidia-smi MiB / 1024").measuredMemory->value(), 40 * 1073741824.0);
    QVERIFY(memory("rounded up, per GPU").meter == MemoryMeter::Device);
    QVERIFY(memory("GiB, torch.cuda.max_memory_reserved").meter == MemoryMeter::Reserved);
    const auto named = [](const char *framework) {
        return configurationOf([framework](MeasuredRun &run) {
            run.framework = framework;
            run.measured.peakMemory = 40;
            run.measured.peakMemoryNote = "GiB, converted from the stored bytes";
        });
    };
    QVERIFY(named("torchtitan").meter == MemoryMeter::Reserved);
    QVERIFY(named("Sailor (Megatron-DeepSpeed)").meter == MemoryMeter::Device); // its engine asks nvidia-smi
    const auto failed = configurationOf([](MeasuredRun &run) {
        run.measured.peakMemory = 90;
        run.measured.outOfMemory = true;
    });
    QVERIFY(!failed.measuredMemory && !failed.measuredStepTime && failed.outOfMemory == true);
    const auto memoryOnly = configurationOf([](MeasuredRun &run) {
        run.measured = {};
        run.measured.peakMemory = 40;
    });
    QVERIFY(memoryOnly.measuredMemory && !memoryOnly.measuredStepTime);
}

FLEETWRIGHT_TEST(TestRunMeasurements)
#include "tst_runmeasurements.moc"
