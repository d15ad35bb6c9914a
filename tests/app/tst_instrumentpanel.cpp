// SPDX-License-Identifier: GPL-3.0-or-later
// The instruments in the window: figures of the published cases, every tick of a slider, locks, machines.
#include "app/instruments/instrumentpanel.h"
#include "testing/registry.h"

#include "app/theme.h"
#include "charts/chartview.h"
#include "pagetesting.h"
#include "units/format.h"

#include <nlohmann/json.hpp>

#include <QDoubleSpinBox>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestInstrumentPanel : public QObject {
    Q_OBJECT
private slots:
    void wallCases();
    void cubeCases();
    void everyTickCounts();
    void spinBoxTakesWhatSlidersSkip();
    void warningsSayWhatToDo();
    void bandsAreWorded();
    void chartShowsBothVariants();
    void studyHoldsControlsFixed();
    void lockedShowsOnlyTheSentence();
    void machineOfAPlan();

private:
    static QString figure(QWidget &panel, const QString &key) { return part<QLabel>(panel, key + u"Value"_s)->text(); }
    static nlohmann::json cases(const QString &name)
    {
        QFile file(QStringLiteral(FLEETWRIGHT_TEST_DATA "/%1.json").arg(name));
        return file.open(QIODevice::ReadOnly) ? nlohmann::json::parse(file.readAll().toStdString()).at("cases")
                                              : nlohmann::json();
    }
};

void TestInstrumentPanel::wallCases()
{
    InstrumentPanel panel{DpWallSettings()};
    int shown = 0;
    for (const auto &one : cases(u"dp-wall"_s)) {
        const auto &in = one.at("inputs");
        const auto &expect = one.at("expect");
        DpWallSettings settings{in.at("params_b"), in.at("gpus"), in.at("batch_per_gpu"),
            in.at("fabric") == "nvlink" ? WallFabric::ScaleUp : WallFabric::ScaleOut};
        if (!check(InstrumentSettings(settings), "settings"))
            continue;
        panel.setSettings(settings);
        QCOMPARE(figure(panel, u"mfu"_s), QString::fromStdString(units::formatPercent(expect.at("mfu"))));
        QCOMPARE(figure(panel, u"ratio"_s), QString::fromStdString(units::threeDigits(expect.at("ratio"))));
        QCOMPARE(figure(panel, u"allReduce"_s),
            QString::fromStdString(units::format(expect.at("allreduce_s"), units::Dimension::Time)));
        QCOMPARE(figure(panel, u"compute"_s),
            QString::fromStdString(units::format(expect.at("compute_s"), units::Dimension::Time)));
        QCOMPARE(part<QLabel>(panel, u"warningsLabel"_s)->text().contains(u"does not"_s)
                || part<QLabel>(panel, u"warningsLabel"_s)->text().contains(u"do not fit"_s),
            expect.at("forced_scale_out").get<bool>());
        ++shown;
    }
    QVERIFY(shown > 5);
}

void TestInstrumentPanel::cubeCases()
{
    InstrumentPanel panel{CubeSettings()};
    int shown = 0;
    for (const auto &one : cases(u"cube"_s)) {
        const auto &in = one.at("inputs");
        const auto &expect = one.at("expect");
        CubeSettings settings{in.at("tp"), in.at("pp"), in.at("m")};
        if (!check(InstrumentSettings(settings), "settings") || in.size() != 3)
            continue;
        panel.setSettings(settings);
        const auto warnings = part<QLabel>(panel, u"warningsLabel"_s)->text();
        QCOMPARE(figure(panel, u"mfu"_s), QString::fromStdString(units::formatPercent(expect.at("mfu"))));
        QCOMPARE(figure(panel, u"bubble"_s), QString::fromStdString(units::formatPercent(expect.at("bubble"))));
        QVERIFY(figure(panel, u"memory"_s)
                    .startsWith(QString::fromStdString(
                        units::format(expect.at("total_gb").get<double>() * 1e9, units::Dimension::Information))));
        QCOMPARE(warnings.contains(u"Out of memory"_s), expect.at("oom").get<bool>());
        QCOMPARE(warnings.contains(u"does not divide"_s), !expect.at("valid").get<bool>());
        QCOMPARE(warnings.contains(u"above the ceiling"_s), expect.at("bubble_over_ceiling").get<bool>());
        QCOMPARE(warnings.contains(u"crosses the node"_s), expect.at("tp_crosses_node").get<bool>());
        ++shown;
    }
    QVERIFY(shown > 5);
}

void TestInstrumentPanel::everyTickCounts()
{
    InstrumentPanel panel{CubeSettings{1, 1, 8}};
    panel.show();
    QSignalSpy moved(&panel, &InstrumentPanel::moved);
    auto *slider = part<QSlider>(panel, u"ppSlider"_s);
    slider->setFocus();
    for (int tick = 2; tick <= 9; ++tick) {
        QTest::keyClick(slider, Qt::Key_Right);
        QCOMPARE(moved.size(), tick - 1);
        QCOMPARE(std::get<CubeSettings>(panel.settings()).pp, tick);
        QCOMPARE(figure(panel, u"bubble"_s), QString::fromStdString(units::formatPercent(cube::bubble(tick, 8))));
    }
    QCOMPARE(part<QDoubleSpinBox>(panel, u"ppSpin"_s)->value(), 9.0);
    // A drag on the groove is ticks, too.
    QTest::mouseClick(slider, Qt::LeftButton, {}, QPoint(slider->width() - 2, slider->height() / 2));
    QVERIFY(moved.size() > 8);
}

void TestInstrumentPanel::spinBoxTakesWhatSlidersSkip()
{
    InstrumentPanel panel{DpWallSettings()};
    panel.show();
    auto *spin = part<QDoubleSpinBox>(panel, u"acceleratorsSpin"_s);
    spin->setFocus();
    spin->selectAll();
    QTest::keyClicks(spin, u"100"_s);
    QCOMPARE(std::get<DpWallSettings>(panel.settings()).accelerators, 100);
    QCOMPARE(part<QSlider>(panel, u"acceleratorsSlider"_s)->value(), 7); // 128 is the nearest stop
    QTest::keyClick(spin, Qt::Key_Up);
    QCOMPARE(std::get<DpWallSettings>(panel.settings()).accelerators, 101);
    auto *parameters = part<QDoubleSpinBox>(panel, u"parameters_bSpin"_s);
    parameters->setFocus();
    parameters->selectAll();
    QTest::keyClicks(parameters, u"6.7"_s);
    QCOMPARE(std::get<DpWallSettings>(panel.settings()).parameterBillions, 6.7);
}

void TestInstrumentPanel::warningsSayWhatToDo()
{
    InstrumentPanel panel{CubeSettings{8, 4, 16}};
    auto *warnings = part<QLabel>(panel, u"warningsLabel"_s);
    QVERIFY2(warnings->text().contains(
                 u"weights 10.9\u00a0GB + optimizer 43.8\u00a0GB + activations 64.0\u00a0GB = 119\u00a0GB of "
                 u"80.0\u00a0GB. Lower TP"_s),
        qPrintable(warnings->text()));
    panel.setSettings(CubeSettings{1, 4, 16});
    QVERIFY2(warnings->text().contains(u"Raise PP"_s), qPrintable(warnings->text()));
    panel.setSettings(CubeSettings{16, 4, 16, InstrumentVariant::Corrected});
    QVERIFY2(
        warnings->text().contains(u"TP 16 crosses the node of 8 accelerators: its loss grows by the factor 2.25"_s),
        qPrintable(warnings->text()));
    panel.setSettings(CubeSettings{3, 2, 16});
    QVERIFY2(warnings->text().contains(u"TP x PP = 6 does not divide the 1024 accelerators"_s),
        qPrintable(warnings->text()));
    panel.setSettings(CubeSettings{2, 16, 16});
    QVERIFY(warnings->text().isEmpty());
    InstrumentPanel wall{DpWallSettings{70, 64, 8, WallFabric::ScaleUp, InstrumentVariant::Published}};
    QVERIFY(part<QLabel>(wall, u"warningsLabel"_s)->text().contains(u"64 accelerators do not fit its domain of 8"_s));
    const auto notes = part<QLabel>(wall, u"notesLabel"_s)->text();
    QVERIFY(notes.contains(u"sparsity"_s) && notes.contains(u"25 GB/s per port"_s)
        && notes.contains(u"25.0\u00a0MB at a time"_s));
}

void TestInstrumentPanel::bandsAreWorded()
{
    InstrumentPanel panel{CubeSettings{1, 32, 16}};
    QCOMPARE(part<QLabel>(panel, u"mfuBand"_s)->text(), u"\u25cf good"_s);
    QCOMPARE(part<QLabel>(panel, u"memoryBand"_s)->text(), u"\u25cf watch"_s); // 62.7 of 80 GB
    QCOMPARE(part<QLabel>(panel, u"bubbleBand"_s)->text(), u"\u25cf watch"_s); // 6.1 %
    panel.setSettings(CubeSettings{1, 1, 16});
    QCOMPARE(part<QLabel>(panel, u"memoryBand"_s)->text(), u"\u25cf poor"_s);
    QCOMPARE(part<QLabel>(panel, u"bubbleBand"_s)->text(), u"\u25cf good"_s);
}

void TestInstrumentPanel::chartShowsBothVariants()
{
    const auto wall = viewOf(
        DpWallSettings{7, 512, 1, WallFabric::ScaleOut, InstrumentVariant::Corrected}, instruments::standardMachine());
    QVERIFY(wall.has_value());
    QCOMPARE(wall->chart.series.size(), 3UZ);
    QCOMPARE(wall->chart.series[0].points.size(), 8UZ); // 8 to 1024
    const auto &observed = wall->chart.series[2].points;
    QCOMPARE(observed.size(), 3UZ);
    QCOMPARE(observed[1], QPointF(64, 38));
    QCOMPARE(wall->chart.marks.front().value, 40.0);
    QCOMPARE(wall->chart.current->x(), 512.0);
    QVERIFY(std::abs(wall->chart.current->y() - wall->chart.series[1].points[6].y()) < 1e-9);
    QCOMPARE(int(wall->chart.xScale), int(charts::AxisScale::PowersOfTwo));
    const auto cubed = viewOf(CubeSettings{2, 16, 16}, instruments::standardMachine());
    QCOMPARE(cubed->chart.series.size(), 4UZ);
    QCOMPARE(cubed->chart.series[3].points.size(), 32UZ);
    QCOMPARE(cubed->chart.series[3].points[15].y(), 100.0 * 15 / 256);
    QCOMPARE(cubed->chart.marks.front().value, 10.0);
    QVERIFY(cubed->chart.yTitle.contains(u"(PP - 1)/(PP m)"_s));
    InstrumentPanel panel{CubeSettings()};
    QVERIFY(part<charts::ChartView>(panel, u"chart"_s)->accessibleDescription().contains(u"(PP - 1)/(PP m)"_s));
}

void TestInstrumentPanel::studyHoldsControlsFixed()
{
    InstrumentPanel panel{CubeSettings()};
    panel.setMovable({InstrumentControl::TensorParallel});
    QVERIFY(part<QSlider>(panel, u"tpSlider"_s)->isEnabled());
    QVERIFY(!part<QSlider>(panel, u"ppSlider"_s)->isEnabled());
    QVERIFY(!part<QComboBox>(panel, u"variantCombo"_s)->isEnabled());
    QCOMPARE(part<QSlider>(panel, u"ppSlider"_s)->toolTip(), u"This study holds it fixed."_s);
}

void TestInstrumentPanel::lockedShowsOnlyTheSentence()
{
    InstrumentPanel panel{CubeSettings()};
    panel.show();
    panel.setLocked(u"Predict first."_s);
    QVERIFY(!part<QSlider>(panel, u"tpSlider"_s)->isVisible());
    QVERIFY(part<QLabel>(panel, u"lockedLabel"_s)->isVisible());
    QSignalSpy wanted(&panel, &InstrumentPanel::unlockRequested);
    QTest::mouseClick(part<QPushButton>(panel, u"unlockButton"_s), Qt::LeftButton);
    QCOMPARE(wanted.size(), 1);
    panel.setLocked({});
    QVERIFY(part<QSlider>(panel, u"tpSlider"_s)->isVisible());
}

void TestInstrumentPanel::machineOfAPlan()
{
    QTemporaryDir folder;
    Workspace workspace;
    QVERIFY(workspace.createSample(folder.filePath(u"s.fleetwright"_s), storage::ShippedProject::Tutorial).has_value());
    const auto &ethernet = *std::ranges::find_if(workspace.plans(),
        [](const auto &plan) { return std::get<std::string>(plan.document.fleet.fabric) != "ib_ndr"; });
    const auto plan = resolve(ethernet.document, *workspace.catalog());
    QVERIFY(plan.has_value());
    const auto machine = instruments::machineOf(*plan);
    QVERIFY(machine.has_value());
    QCOMPARE(machine->wall.domainSize, 8);
    QCOMPARE(machine->wall.tokensPerSample, double(ethernet.document.training.sequenceLength));
    QVERIFY(machine->wall.scaleOut < instruments::standardMachine().wall.scaleOut);
    InstrumentPanel panel{DpWallSettings{7, 512, 4, WallFabric::ScaleOut, InstrumentVariant::Corrected}};
    panel.show();
    QVERIFY(!part<QComboBox>(panel, u"machineCombo"_s)->isVisible());
    panel.setMachines({instruments::standardMachine(), *machine});
    const auto before = figure(panel, u"mfu"_s);
    auto *combo = part<QComboBox>(panel, u"machineCombo"_s);
    QVERIFY(combo->isVisible());
    combo->setFocus();
    QTest::keyClick(combo, Qt::Key_Down);
    QCOMPARE(combo->currentText(), QString::fromStdString(ethernet.document.name));
    QVERIFY(figure(panel, u"mfu"_s) != before);
    QCOMPARE(figure(panel, u"bandwidth"_s), QString::fromStdString(units::format(machine->wall.scaleOut)));
}

FLEETWRIGHT_TEST(TestInstrumentPanel)
#include "tst_instrumentpanel.moc"
