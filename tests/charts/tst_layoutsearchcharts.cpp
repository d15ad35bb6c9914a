// SPDX-License-Identifier: GPL-3.0-or-later
#include "../solver/sampleplan.h"
#include "charts/countchart.h"
#include "charts/heatmap.h"
#include "charts/layoutsearchcharts.h"
#include "charts/layoutsearchtexts.h"
#include "charts/linechart.h"
#include "charts/xychart.h"
#include "charttesting.h"
#include "testing/registry.h"
#include "text/utf8.h"
#include "units/format.h"

#include <QCategoryAxis>
#include <QChart>
#include <QTest>
#include <QValueAxis>

#include <set>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::charts;

namespace {

layoutsearch::Case caseOf(const std::string &label, int nodes)
{
    auto facts = sampleplan::plan(sampleplan::fleet(sampleplan::node(), sampleplan::fabric(), nodes));
    return {label, Plan::create(facts).value()};
}

layoutsearch::Request request(std::vector<layoutsearch::Case> cases = {caseOf({}, 32)})
{
    layoutsearch::Request made;
    made.cases = std::move(cases);
    made.space[LayoutSearchOption::Cp] = {1};
    made.space[LayoutSearchOption::ZeroStage] = {0, 1}; // without sharded weights the smallest TP x PP do not fit
    made.costModelId = "first-order";
    made.rows = 100;
    return made;
}

const layoutsearch::Result &oneCase()
{
    static const auto result = layoutsearch::run(request()).value();
    return result;
}

const layoutsearch::Result &twoCases()
{
    static const auto result = [] {
        auto two = request({caseOf("16 nodes", 16), caseOf("32 nodes", 32)});
        two.pareto = {ParetoAxis::StepTime, ParetoAxis::Accelerators};
        return layoutsearch::run(two).value();
    }();
    return result;
}

QImage pictured(const ChartContent &content, const Theme &theme = Theme::light(), QSize size = {760, 460})
{
    const auto image = painted(content, theme, size);
    if (const auto folder = qEnvironmentVariable("FLEETWRIGHT_TEST_PICTURES"); !folder.isEmpty()) // to look at them
        image.save(folder + u'/' + QString(content.name).replace(u' ', u'_').remove(u',') + u'-'
            + theme.background.name().mid(1) + QString::number(theme.fontPixels) + u'-'
            + QString::number(qHash(content.description) % 1000) + u".png"_s);
    return image;
}

/// Shows the chart in a window and waits until clicks reach it.
void expose(ChartView &view, const ChartContent &content)
{
    view.resize(760, 460);
    view.show(content, Theme::light());
    static_cast<QWidget &>(view).show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
}

QString lower(std::string_view text) { return utf8(text).toLower(); }

} // namespace

class TestSearchCharts : public QObject {
    Q_OBJECT
private slots:
    void theHeatMapShowsTheBestOfEachCell();
    void theHeatMapTakesAnyObjective_data();
    void theHeatMapTakesAnyObjective();
    void aClickOnACellTellsItsLayout();
    void infeasibleCellsSayWhy();
    void theParetoFrontIsTheSearchsOwn();
    void otherAxesHaveTheFrontOfWhatIsShown();
    void swappedAxesKeepTheFront();
    void casesHaveTheirOwnLook();
    void manyCasesShareTheLastLook();
    void aClickOnAPointTellsItsLayout();
    void fewPointsAreTheBest();
    void exclusionsAddUp();
    void nothingFeasibleIsSaid();
    void everyThemeIsDrawn_data();
    void everyThemeIsDrawn();
    void axesSpanTheirPoints_data();
    void axesSpanTheirPoints();
    void aSingleCandidateHasABar();
};

void TestSearchCharts::theHeatMapShowsTheBestOfEachCell()
{
    const auto &result = oneCase();
    QVERIFY(result.best());
    std::vector<LayoutSearchCell> cells;
    const auto content = layoutSearchHeatMap(result, 0, LayoutSearchObjective::StepTime);
    QVERIFY(content.description.contains(QString::fromStdString(inWords(result.taken()->layout))));
    QVERIFY(content.description.contains(QString::fromStdString(units::format(result.taken()->stepSeconds * second))));
    QVERIFY(legendOf(content).contains(u"recommended"_s));
    QVERIFY(legendOf(content).contains(u"crossed: needs more memory"_s));
    const auto image = pictured(content);
    QVERIFY(pixelsOf(image, heatColour(0)) > 500);
    QVERIFY(pixelsOf(image, heatColour(1)) > 500);
    // Of no case of the search: a chart that says so.
    for (const int wrong : {-1, 1})
        QCOMPARE(layoutSearchHeatMap(result, wrong, LayoutSearchObjective::StepTime).description,
            u"Nothing was searched."_s);
}

void TestSearchCharts::theHeatMapTakesAnyObjective_data()
{
    QTest::addColumn<int>("objective");
    for (const auto objective : allLayoutSearchObjectives)
        QTest::newRow(std::string(toString(objective)).c_str()) << int(objective);
}

void TestSearchCharts::theHeatMapTakesAnyObjective()
{
    QFETCH(int, objective);
    const auto chosen = LayoutSearchObjective(objective);
    const auto &result = oneCase();
    const auto content = layoutSearchHeatMap(result, 0, chosen);
    double best = std::numeric_limits<double>::quiet_NaN();
    for (const auto &group : result.groups)
        if (group.best) {
            const double value = layoutsearch::valueOf(chosen, *group.best, result.cases[0]);
            if (std::isnan(best) || (layoutsearch::lessIsBetter(chosen) ? value < best : value > best))
                best = value;
        }
    // By the search's own objective what it recommends, which need not be the best.
    const bool isOwn = chosen == LayoutSearchObjective::StepTime;
    const auto outlined = isOwn ? u"The recommended one has "_s + searchValueText(chosen, result.taken()->stepSeconds)
                                : u"The best is "_s + searchValueText(chosen, best);
    QVERIFY2(content.description.contains(outlined), qPrintable(content.description));
    QCOMPARE(legendOf(content).contains(u"recommended"_s), isOwn);
    QCOMPARE(
        content.description.contains(u"best of their split by step time"_s), chosen != LayoutSearchObjective::StepTime);
    QVERIFY(content.description.startsWith(u"Best "_s + lower(titleOf(chosen))));
    QVERIFY(pixelsOf(pictured(content), heatColour(1)) > 300);
}

void TestSearchCharts::aClickOnACellTellsItsLayout()
{
    const auto &result = oneCase();
    std::set<int> tps, pps;
    for (const auto &group : result.groups) {
        tps.insert(group.split.tp);
        pps.insert(group.split.pp);
    }
    const auto &best = *result.best();
    const auto column = std::distance(tps.begin(), tps.find(best.layout.tp)),
               row = std::distance(pps.begin(), pps.find(best.layout.pp));
    std::vector<LayoutSearchCell> picked;
    ChartView view;
    expose(view, layoutSearchHeatMap(result, 0, LayoutSearchObjective::StepTime, [&](const LayoutSearchCell &cell) {
        picked.push_back(cell);
    }));
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, placeOf(view, double(column), double(row)) + QPoint(3, -3));
    QCOMPARE(picked.size(), 1UZ);
    QCOMPARE(picked[0].tp, best.layout.tp);
    QCOMPARE(picked[0].pp, best.layout.pp);
    QVERIFY(picked[0].best && picked[0].best->layout == best.layout);
    // Beside the plot nothing is picked.
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(3, 3));
    QCOMPARE(picked.size(), 1UZ);
    // A cell where nothing fits has no layout.
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, placeOf(view, 0, 0));
    QCOMPARE(picked.size(), 2UZ);
    QCOMPARE(picked[1].tp, 1);
    QCOMPARE(picked[1].pp, 1);
    QVERIFY(!picked[1].best);
}

void TestSearchCharts::infeasibleCellsSayWhy()
{
    auto result = oneCase();
    // Another limit than that of memory: the reason is not known from the split alone.
    for (auto &group : result.groups)
        if (!group.best)
            group.leastMemoryBytes = 1e9;
    QVERIFY(
        legendOf(layoutSearchHeatMap(result, 0, LayoutSearchObjective::StepTime)).contains(u"crossed: infeasible"_s));
    const auto before = pictured(layoutSearchHeatMap(result, 0, LayoutSearchObjective::StepTime));
    std::erase_if(
        result.groups, [](const layoutsearch::Group &group) { return group.split.tp == 1 && group.split.pp == 1; });
    const auto without = pictured(layoutSearchHeatMap(result, 0, LayoutSearchObjective::StepTime));
    QVERIFY2(before != without, "a cell without a legal layout is not crossed");
}

void TestSearchCharts::theParetoFrontIsTheSearchsOwn()
{
    const auto &result = oneCase();
    QVERIFY(result.front.size() > 1);
    const auto content = layoutSearchPareto(result, result.pareto);
    QVERIFY2(content.description.contains(u"The Pareto front of all layouts has %1 layouts"_s.arg(result.front.size())),
        qPrintable(content.description));
    QVERIFY(content.description.contains(QString::fromStdString(inWords(result.front.front().layout))));
    QVERIFY(content.description.contains(QString::fromStdString(inWords(result.front.back().layout))));
    QCOMPARE(legendOf(content), (QStringList{u"other layouts"_s, u"best of each split"_s, u"Pareto front"_s}));
    const auto chart = content.draw(Theme::light());
    QCOMPARE(chart->axes(Qt::Horizontal).constFirst()->titleText(), u"Step time [s]"_s);
    QCOMPARE(chart->axes(Qt::Vertical).constFirst()->titleText(), u"Memory [GB]"_s);
    const auto image = pictured(content);
    QVERIFY(pixelsOf(image, seriesColours()[0]) > 200);
}

void TestSearchCharts::otherAxesHaveTheFrontOfWhatIsShown()
{
    const auto &result = oneCase();
    const auto content = layoutSearchPareto(result, {ParetoAxis::CostPerToken, ParetoAxis::Memory});
    QVERIFY2(content.description.contains(
                 u"The Pareto front of the layouts shown, because the search kept that of step time and memory, has"_s),
        qPrintable(content.description));
    const auto chart = content.draw(Theme::light());
    QCOMPARE(
        chart->axes(Qt::Horizontal).constFirst()->titleText(), u"Cost of a million tokens without failures [USD]"_s);
    // Nothing differs in accelerators: one layout is the front.
    QVERIFY(layoutSearchPareto(result, {ParetoAxis::StepTime, ParetoAxis::Accelerators})
                .description.contains(u" is one layout, "_s));
}

void TestSearchCharts::swappedAxesKeepTheFront()
{
    const auto &result = oneCase();
    const auto content = layoutSearchPareto(result, {result.pareto[1], result.pareto[0]});
    QVERIFY(content.description.contains(u"The Pareto front of all layouts has %1 layouts"_s.arg(result.front.size())));
    const auto first = content.description.indexOf(QString::fromStdString(inWords(result.front.back().layout)));
    const auto last = content.description.indexOf(QString::fromStdString(inWords(result.front.front().layout)));
    QVERIFY2(first >= 0 && first < last, qPrintable(content.description));
}

void TestSearchCharts::casesHaveTheirOwnLook()
{
    const auto &result = twoCases();
    const auto content = layoutSearchPareto(result, result.pareto);
    QCOMPARE(legendOf(content), (QStringList{u"16 nodes"_s, u"32 nodes"_s, u"Pareto front"_s}));
    const auto image = pictured(content);
    QVERIFY(pixelsOf(image, seriesColours()[0]) > 100);
    QVERIFY(pixelsOf(image, seriesColours()[1]) > 100);
    QVERIFY(content.description.contains(u"has 2 layouts"_s));
    const auto second = layoutSearchHeatMap(result, 1, LayoutSearchObjective::StepTime);
    QVERIFY2(second.description.startsWith(u"Best step time for each TP and PP, 32 nodes: "_s),
        qPrintable(second.description));
}

void TestSearchCharts::manyCasesShareTheLastLook()
{
    layoutsearch::Result result = oneCase();
    const auto groups = result.groups;
    for (int i = 1; i < 10; ++i) {
        result.cases.push_back(result.cases[0]);
        for (auto group : groups) {
            group.caseIndex = i;
            if (group.best)
                group.best->caseIndex = i;
            result.groups.push_back(group);
        }
    }
    for (std::size_t i = 0; i < result.cases.size(); ++i)
        result.cases[i].label = "case " + std::to_string(i);
    const auto legend = legendOf(layoutSearchPareto(result, result.pareto));
    QCOMPARE(legend.size(), 8);
    QCOMPARE(legend[5], u"case 5"_s);
    QCOMPARE(legend[6], u"4 others"_s);
}

void TestSearchCharts::aClickOnAPointTellsItsLayout()
{
    const auto &result = oneCase();
    std::vector<layoutsearch::Row> picked;
    ChartView view;
    LayoutSearchParetoOptions options;
    options.picked = [&](const layoutsearch::Row &row) { picked.push_back(row); };
    const auto content = layoutSearchPareto(result, result.pareto, options);
    expose(view, content);
    const bool logarithmic = qobject_cast<QCategoryAxis *>(view.chart()->axes(Qt::Horizontal).constFirst()) != nullptr;
    const bool logarithmicY = qobject_cast<QCategoryAxis *>(view.chart()->axes(Qt::Vertical).constFirst()) != nullptr;
    const auto &best = result.front.front();
    const auto place = placeOf(view, coordinate({.title = {}, .logarithmic = logarithmic}, best.stepSeconds),
        coordinate({.title = {}, .logarithmic = logarithmicY}, best.memoryBytes / 1e9));
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, place);
    QCOMPARE(picked.size(), 1UZ);
    QVERIFY(picked[0].layout == best.layout);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(2, 2));
    QCOMPARE(picked.size(), 1UZ);

    options.selected = best;
    QVERIFY(legendOf(layoutSearchPareto(result, result.pareto, options)).contains(u"selected"_s));
    QVERIFY(pictured(layoutSearchPareto(result, result.pareto, options)) != pictured(content));
}

void TestSearchCharts::fewPointsAreTheBest()
{
    const auto &result = oneCase();
    const auto splits = std::ranges::count_if(
        result.groups, [](const layoutsearch::Group &group) { return group.best.has_value(); });
    QVERIFY(splits > 3);
    const auto few = layoutSearchPareto(result, result.pareto, {.mostPoints = 3, .selected = {}});
    QVERIFY2(few.description.contains(u"Only the best 3 of %1 splits are shown."_s.arg(splits)),
        qPrintable(few.description));
    QVERIFY(few.description.startsWith(u"3 layouts"_s));
    QVERIFY(!legendOf(few).contains(u"other layouts"_s));
}

void TestSearchCharts::exclusionsAddUp()
{
    const auto counts = oneCase().total();
    const auto content = layoutSearchExclusions(counts);
    QVERIFY(content.description.startsWith(
        u"Of %1 candidates %2 are feasible."_s.arg(wholeNumber(counts.candidates()), wholeNumber(counts.feasible))));
    for (std::size_t i = 0; i < layoutsearch::exclusionCount; ++i) {
        const auto reason = layoutsearch::Exclusion(i);
        const auto said = QString::fromUtf8(
                              layoutsearch::titleOf(reason).data(), qsizetype(layoutsearch::titleOf(reason).size()))
            + u": "_s + wholeNumber(counts[reason]);
        QCOMPARE(content.description.contains(said), counts[reason] > 0);
    }
    QCOMPARE(
        legendOf(content), (QStringList{u"feasible"_s, u"breaks a limit"_s, u"repeats another"_s, u"cannot run"_s}));
    const auto image = pictured(content);
    QVERIFY(pixelsOf(image, QColor(0x00, 0x9e, 0x73)) > 500);
    QVERIFY(pixelsOf(image, QColor(0xd5, 0x5e, 0x00)) > 500);
    QVERIFY(pixelsOf(image, QColor(0x88, 0x88, 0x88)) > 500);
    QCOMPARE(layoutSearchExclusions({}).description, u"Nothing was looked at yet."_s);
    QVERIFY(pictured(layoutSearchExclusions({})) != QImage());
}

void TestSearchCharts::nothingFeasibleIsSaid()
{
    auto none = request();
    none.space[LayoutSearchOption::Tp] = {1};
    none.space[LayoutSearchOption::Pp] = {1};
    none.space[LayoutSearchOption::ZeroStage] = {0};
    const auto result = layoutsearch::run(none).value();
    QVERIFY(!result.best());
    QCOMPARE(layoutSearchPareto(result, result.pareto).description, u"No layout is feasible."_s);
    QVERIFY(layoutSearchHeatMap(result, 0, LayoutSearchObjective::StepTime)
                .description.endsWith(u"No layout is feasible."_s));
    const auto with = pictured(layoutSearchPareto(result, result.pareto));
    QVERIFY(with != pictured(xyChart({.name = u"n"_s, .description = {}})));
    QVERIFY(legendOf(layoutSearchPareto(result, result.pareto)).isEmpty());
    (void)pictured(layoutSearchPareto(result, result.pareto), Theme::light(), {40, 30}); // no room
    (void)pictured(layoutSearchPareto(layoutsearch::Result(), result.pareto));
    // Figures that the model does not know.
    auto unknown = oneCase();
    unknown.cases[0].dollarsPerSecond.reset();
    const auto content = layoutSearchPareto(unknown, {ParetoAxis::StepTime, ParetoAxis::CostPerToken});
    QCOMPARE(content.description,
        u"The step time or the cost of a million tokens without failures of these layouts is not known."_s);
    const auto map = layoutSearchHeatMap(unknown, 0, LayoutSearchObjective::CostPerToken);
    QVERIFY2(map.description.endsWith(u"Its value is not known for any layout."_s), qPrintable(map.description));
}

void TestSearchCharts::everyThemeIsDrawn_data()
{
    QTest::addColumn<int>("chart");
    QTest::newRow("heat map") << 0;
    QTest::newRow("Pareto") << 1;
    QTest::newRow("exclusions") << 2;
}

void TestSearchCharts::everyThemeIsDrawn()
{
    QFETCH(int, chart);
    const auto content = chart == 0 ? layoutSearchHeatMap(oneCase(), 0, LayoutSearchObjective::StepTime)
        : chart == 1                ? layoutSearchPareto(twoCases(), {ParetoAxis::StepTime, ParetoAxis::Memory})
                                    : layoutSearchExclusions(oneCase().total());
    for (const auto &theme : {Theme::light(), Theme::dark(), Theme::paper()}) {
        const auto image = pictured(content, theme);
        QVERIFY(pixelsOf(image, theme.text) > 100);
        QVERIFY(content.naturalHeight(theme, 700) > 80);
        QVERIFY(content.naturalHeight(theme, 250) >= content.naturalHeight(theme, 900)); // the legend wraps
        if (chart == 0
            && !theme.printed) { // at 1280 by 800 without a scroll bar; the legend comes first where there is one
            QVERIFY2(content.naturalHeight(theme, 1010) <= 230,
                qPrintable(QString::number(content.naturalHeight(theme, 1010))));
            const auto drawn = content.draw(theme);
            drawn->resize(1010, 230);
            for (const auto *child : drawn->childItems())
                if (const auto *legend = dynamic_cast<const ChartLegend *>(child)) {
                    QVERIFY(legend->boundingRect().top() >= 0);
                    QVERIFY(legend->boundingRect().bottom() <= drawn->plotArea().top());
                }
        }
    }
    QVERIFY(!content.name.isEmpty());
}

void TestSearchCharts::axesSpanTheirPoints_data()
{
    QTest::addColumn<bool>("logarithmic");
    QTest::addColumn<bool>("whole");
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::newRow("linear") << false << false << 2.0 << 3.0;
    QTest::newRow("one value") << false << true << 512.0 << 512.0;
    QTest::newRow("zero alone") << false << false << 0.0 << 0.0;
    QTest::newRow("logarithmic") << true << false << 0.5 << 40.0;
    QTest::newRow("many decades") << true << false << 1e-3 << 1e6;
}

void TestSearchCharts::axesSpanTheirPoints()
{
    QFETCH(bool, logarithmic);
    QFETCH(bool, whole);
    QFETCH(double, low);
    QFETCH(double, high);
    const XyAxis axis{u"a"_s, logarithmic, whole};
    XyChartData data{.name = u"n"_s, .description = u"d"_s, .x = axis, .y = axis};
    data.series = {{u"s"_s, {{low, high, {}}, {high, low, {}}, {-1, -1, {}}}}};
    if (!logarithmic)
        data.series[0].points.pop_back();
    const auto chart = xyChart(data).draw(Theme::light());
    for (const auto side : {Qt::Horizontal, Qt::Vertical}) {
        const auto *drawn = qobject_cast<QValueAxis *>(chart->axes(side).constFirst());
        QVERIFY(drawn);
        QVERIFY(drawn->min() < coordinate(axis, low) && drawn->max() > coordinate(axis, high));
        QVERIFY(drawn->max() - drawn->min()
            < 1.3 * (coordinate(axis, high) - coordinate(axis, low)) + 0.1 * std::max(1.0, high));
        if (const auto *categories = qobject_cast<const QCategoryAxis *>(drawn))
            QVERIFY2(categories->count() >= 3 && categories->count() <= 12,
                qPrintable(QString::number(categories->count())));
        QCOMPARE(qobject_cast<const QCategoryAxis *>(drawn) != nullptr, logarithmic);
    }
    (void)pictured(xyChart(data));
}

void TestSearchCharts::aSingleCandidateHasABar()
{
    CountChartData data{.name = u"n"_s,
        .description = u"d"_s,
        .axisTitle = u"a"_s,
        .kinds = {{u"k"_s, QColor(1, 2, 3)}},
        .rows = {},
        .emptyText = {}};
    data.rows = {{u"one"_s, 1, u"1"_s, {}, 0}};
    const int one = pixelsOf(pictured(countChart(data)), QColor(1, 2, 3));
    QVERIFY(one > 300);
    data.rows[0].count = 100;
    QVERIFY(pixelsOf(pictured(countChart(data)), QColor(1, 2, 3)) > 2 * one);
    data.rows[0].count = 0;
    QVERIFY(pixelsOf(pictured(countChart(data)), QColor(1, 2, 3)) < 300); // the legend's swatch alone
}

FLEETWRIGHT_TEST(TestSearchCharts)
#include "tst_layoutsearchcharts.moc"
