// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/assumptionsmodel.h"
#include "itemmodels/calibrationmodels.h"
#include "solver/samplerun.h"
#include "testing/registry.h"

#include <QAbstractItemModelTester>
#include <QFont>
#include <QSignalSpy>
#include <QTest>

using namespace fleetwright;
using namespace fleetwright::itemmodels;

class TestCalibrationModels : public QObject {
    Q_OBJECT
private slots:
    void runsBeforeAndAfter()
    {
        MeasuredRunModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        auto broken = samplerun::run("broken", 9);
        broken.globalBatch = std::nullopt;
        model.setRows({measuredRunRow(1, samplerun::run("good", 9)), measuredRunRow(2, broken)});
        const auto cell = [&](int row, int column, int role = Qt::DisplayRole) {
            return model.index(row, column).data(role);
        };
        QCOMPARE(cell(0, MeasuredRunModel::Name).toString(), QStringLiteral("good"));
        QCOMPARE(cell(0, MeasuredRunModel::Layout).toString(), QStringLiteral("TP 8, PP 1, mb 1"));
        QCOMPARE(cell(0, MeasuredRunModel::Measured, sortRole).toDouble(), 9.0);
        QVERIFY(cell(0, MeasuredRunModel::Note).toString().isEmpty());
        QVERIFY(cell(0, MeasuredRunModel::Before).toString().isEmpty());
        QCOMPARE(cell(1, MeasuredRunModel::Note).toString(), QStringLiteral("no batch"));
        const detailed::CalibratedRun predicted{
            "good", Seconds::from_value(9), Seconds::from_value(9.9), Seconds::from_value(8.91)};
        model.change(0, withPrediction(model.row(0), predicted));
        QVERIFY(std::abs(cell(0, MeasuredRunModel::ErrorBefore, sortRole).toDouble() - 0.1) < 1e-12);
        QVERIFY(std::abs(cell(0, MeasuredRunModel::ErrorAfter, sortRole).toDouble() + 0.01) < 1e-12);
        QVERIFY(cell(0, MeasuredRunModel::ErrorBefore).toString().startsWith(QLatin1Char('+')));
        QVERIFY(Qt::Alignment(cell(0, MeasuredRunModel::After, Qt::TextAlignmentRole).toInt()) & Qt::AlignRight);
    }

    void constantsInTheirOwnUnit()
    {
        FittedConstantModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setRows({fittedConstantRow({.constant = detailed::Constant::HostV2,
            .before = 0.9e-3,
            .after = 1.2e-3,
            .low = 1.1e-3,
            .high = 1.3e-3,
            .identified = 0.75,
            .atBound = true})});
        const auto text = [&](int column) { return model.index(0, column).data().toString(); };
        QCOMPARE(text(FittedConstantModel::Before), QStringLiteral("0.900"));
        QCOMPARE(text(FittedConstantModel::After), QStringLiteral("1.20"));
        QCOMPARE(text(FittedConstantModel::Unit), QStringLiteral("ms"));
        QVERIFY(text(FittedConstantModel::Identified).startsWith(QStringLiteral("75")));
        QVERIFY(!text(FittedConstantModel::Note).isEmpty());
    }

    void assumptionsSayWhatIsCalibrated()
    {
        const std::vector<AssumptionDescriptor> descriptors{{.key = "dispatch",
            .label = "Dispatch",
            .defaultValue = 2.0,
            .minimum = 0,
            .maximum = 100,
            .source = "a paper"}};
        AssumptionsModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setDescriptors(descriptors);
        QSignalSpy changes(&model, &AssumptionsModel::dataChanged);
        model.setAssumptions({{}, {{"dispatch", 3.0}}});
        QCOMPARE(changes.size(), 1);
        const auto cell = [&](int column, int role = Qt::DisplayRole) { return model.index(0, column).data(role); };
        QCOMPARE(cell(AssumptionsModel::Value).toString(), QStringLiteral("3"));
        QCOMPARE(cell(AssumptionsModel::Default).toString(), QStringLiteral("2"));
        QCOMPARE(cell(AssumptionsModel::Source).toString(), QStringLiteral("Calibrated in this project"));
        QVERIFY(cell(AssumptionsModel::Value, Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("Calibrated in this project")));
        QVERIFY(!model.isEdited(0));
        QVERIFY(model.setData(model.index(0, AssumptionsModel::Value),
            QStringLiteral("2"))); // the shipped default, which here is an edit
        QVERIFY(model.isEdited(0));
        QCOMPARE(model.assumptions().edited.size(), 1UZ);
        QCOMPARE(cell(AssumptionsModel::Source).toString(), QStringLiteral("a paper"));
        model.reset(0);
        QVERIFY(model.assumptions().edited.empty());
        QCOMPARE(cell(AssumptionsModel::Value).toString(), QStringLiteral("3"));
    }
};

FLEETWRIGHT_TEST(TestCalibrationModels)
#include "tst_calibrationmodels.moc"
