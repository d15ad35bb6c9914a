// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/columnchart.h"
#include "charts/newsitecharts.h"
#include "charttesting.h"
#include "solver/samplevalidation.h"
#include "testing/registry.h"

#include <QTest>

using namespace fleetwright;
using namespace fleetwright::charts;
using namespace fleetwright::validation;
using namespace Qt::StringLiterals;

namespace {

Coverage fourSources()
{
    std::vector<CoveredRun> runs;
    for (const auto &[source, inside] : {std::pair("a", 1), std::pair("b", 5), std::pair("c", 8), std::pair("d", 10)})
        for (int i = 0; i < 10; ++i)
            runs.push_back({source, i < inside, 0.2});
    return coverageOf(runs);
}

} // namespace

class NewSiteChartsTest : public QObject {
    Q_OBJECT

private slots:
    void coverageShowsTheWorstQuarterApart()
    {
        const auto content = coverageChartOf(fourSources());
        QVERIFY(content.description.contains(u"worst quarter of the 4 sources"_s));
        const auto legend = legendOf(content);
        QCOMPARE(legend.size(), 3);
        QVERIFY2(legend[0].contains(u"80"_s) && legend[1].contains(u"60.0"_s) && legend[2].contains(u"10.0"_s),
            qPrintable(legend.join(u'|')));
        for (const auto &theme : {Theme::light(), Theme::dark(), Theme::paper()}) {
            const auto image = painted(content, theme);
            const int worst = pixelsOf(image, theme.ink(seriesColour(1))),
                      others = pixelsOf(image, theme.ink(seriesColour(0)));
            QVERIFY2(worst > 100 && others > 8 * worst, qPrintable(u"%1 %2"_s.arg(worst).arg(others)));
        }
        QVERIFY(content.naturalHeight(Theme::light(), 500) > 100);
    }

    void theSelectedSourceIsOutlined()
    {
        const auto coverage = fourSources();
        QVERIFY(painted(coverageChartOf(coverage)) != painted(coverageChartOf(coverage, "c")));
        QCOMPARE(painted(coverageChartOf(coverage, "nobody")), painted(coverageChartOf(coverage)));
    }

    void nothingIsDrawnOfNothing()
    {
        painted(coverageChartOf({}));
        painted(fewShotChart({}));
        painted(levelsChart({}));
        QVERIFY(productionChart({}).description.contains(u"None of these runs"_s));
    }

    void levelsAreColumns()
    {
        const auto content = levelsChart({.family = 0.01, .group = 0.02, .source = 0.07, .run = 0.1, .runRms = 0.2});
        QVERIFY2(content.description.contains(u"Source 7.25"_s), qPrintable(content.description));
        QVERIFY(pixelsOf(painted(content), seriesColour(0)) > 500);
        QCOMPARE(content.description.count(u','), 3); // four levels; the scatter of runs in squares is none
    }

    void fewShotFiguresAreCurves()
    {
        const auto content = fewShotChart({{0, {.median = 0.12, .mean = 0.15, .halfWidth = 0.2, .sources = 4}},
            {5, {.median = 0.08, .mean = 0.1, .halfWidth = 0.15, .sources = 4}}, {99, {}}});
        QVERIFY2(content.description.contains(u"12.0\u00a0% after 0, 8.00\u00a0% after 5"_s)
                && !content.description.contains(u"99"_s),
            qPrintable(content.description));
        QCOMPARE(legendOf(content).size(), 3);
    }

    void claimsAreHatched()
    {
        auto file = samplescores::measuredRuns();
        const auto claimsAlone = legendOf(productionChart(samplescores::newSite(file).production));
        QVERIFY(claimsAlone.join(u'|').contains(u"claimed"_s));
        file.runs[0].accelerators = 10'000;
        const auto content = productionChart(samplescores::newSite(file).production);
        QVERIFY(content.description.contains(u"1 run on 8,000"_s) && content.description.contains(u"claim"_s));
        // The claims lose some of their colour to the hatching, and our own columns are not hatched.
        const int claimed = pixelsOf(painted(productionChart({})), seriesColour(0));
        const auto plain = columnChart({.series = {{.name = {}, .values = {{.value = 3.74}, {.value = 5.6}}}}});
        QVERIFY(claimed < pixelsOf(painted(plain), seriesColour(0)) && claimed > 100);
    }
};

FLEETWRIGHT_TEST(NewSiteChartsTest)
#include "tst_newsitecharts.moc"
