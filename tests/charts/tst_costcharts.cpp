// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/costcharts.h"
#include "charttesting.h"
#include "solver/samplecosts.h"
#include "testing/registry.h"

#include <QTest>

using namespace fleetwright;
using namespace fleetwright::charts;
using namespace Qt::StringLiterals;
using costs::CostKind;

class CostChartsTest : public QObject {
    Q_OBJECT

private slots:
    void onlyWhatMeasuresTheSameStandsTogether()
    {
        const auto validation = samplescores::costValidation();
        const auto power = costScatter(validation, CostKind::AllInPower);
        QCOMPARE(power.data.series.size(), 1UZ);
        QCOMPARE(power.rows, (std::vector<std::vector<std::size_t>>{{0, 1}}));
        QCOMPARE(power.data.measuredTitle, u"Published [kW]"_s);
        QCOMPARE(power.data.series[0].points[0].measured, 1.0);
        QCOMPARE(power.data.series[0].points[1].predicted, 1.9);
        const auto money = costScatter(validation, CostKind::AllInCapital); // none is scored, purchases are money too
        QCOMPARE(money.rows, (std::vector<std::vector<std::size_t>>{{2, 3, 4}}));
        QCOMPARE(money.data.predictedTitle, u"Worksheet [MUSD]"_s);
        QVERIFY(money.data.series[0].points[0].toolTip.contains(u"+150 %"_s));
    }

    void theFocusAndTheSelectionAreMarked()
    {
        const auto validation = samplescores::costValidation();
        const auto scatter = costScatter(validation, CostKind::Purchase, CostKind::Rental, 3);
        QVERIFY(scatter.data.series[0].faint);
        QVERIFY(scatter.data.selected == (ScatterIndex{0, 1}));
        QVERIFY(!costScatter(validation, CostKind::Purchase, CostKind::Purchase).data.series[0].faint);
        QVERIFY(!costScatter(validation, CostKind::AllInPower, {}, 3).data.selected);
    }

    void theLegendSaysAsPublished()
    {
        const auto legend = legendOf(
            scatterChart(costScatter(samplescores::costValidation(), CostKind::Purchase).data));
        QVERIFY2(
            legend.contains(u"as published"_s) && !legend.contains(u"as measured"_s), qPrintable(legend.join(u'|')));
        painted(scatterChart(costScatter({}, CostKind::Purchase).data)); // nothing of nothing
    }
};

FLEETWRIGHT_TEST(CostChartsTest)
#include "tst_costcharts.moc"
