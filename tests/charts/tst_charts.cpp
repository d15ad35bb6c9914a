// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chartdecoration.h"
#include "charts/chartview.h"
#include "charts/linechart.h"
#include "testing/registry.h"
#include "text/figuretext.h"

#include <QAction>
#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QClipboard>
#include <QGuiApplication>
#include <QHorizontalStackedBarSeries>
#include <QLineSeries>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>
#include <QValueAxis>
#include <QXmlStreamReader>

#include <set>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::charts;

namespace {

LabelledBreakdown step(const QString &label, double compute, double tp, double dp, double bubble = 0)
{
    StepBreakdown parts;
    parts.compute = compute * second;
    parts.tp = tp * second;
    parts.dp = dp * second;
    parts.bubble = bubble * second;
    return {label, parts};
}

LabelledMemory memory(const QString &label, double weights, double gradients, double optimizer, double activations,
    double other, std::optional<double> share = 0.9)
{
    MemoryEstimate estimate;
    estimate.weights = weights * gigabyte;
    estimate.gradients = gradients * gigabyte;
    estimate.optimizer = optimizer * gigabyte;
    estimate.activations = activations * gigabyte;
    estimate.total = (weights + gradients + optimizer + activations + other) * gigabyte;
    estimate.capacity = 80.0 * gigabyte;
    return {label, estimate, share};
}

template <class Series> QList<Series *> seriesOf(const QChart &chart)
{
    QList<Series *> found;
    for (auto *series : chart.series())
        if (auto *cast = qobject_cast<Series *>(series))
            found << cast;
    return found;
}

QStringList legendOf(const QChart &chart)
{
    for (auto *child : chart.childItems())
        if (auto *legend = dynamic_cast<ChartLegend *>(child))
            return legend->entries();
    return {};
}

template <class Axis> Axis *axisOf(const QChart &chart)
{
    for (auto *axis : chart.axes())
        if (auto *cast = qobject_cast<Axis *>(axis))
            return cast;
    return nullptr;
}

QImage painted(QChart &chart, const Theme &theme, const QSize &size)
{
    QImage image(size, QImage::Format_RGB32);
    image.fill(theme.background);
    QPainter painter(&image);
    paint(chart, painter, QRectF(QPointF(), size));
    return image;
}

} // namespace

class TestCharts : public QObject {
    Q_OBJECT

private slots:
    void stepParts()
    {
        const auto data = stepBars({step(u"A"_s, 5, 2, 0.5), step(u"B"_s, 4, 0, 1)});
        QCOMPARE(data.labels, QStringList({u"A"_s, u"B"_s}));
        QCOMPARE(data.parts.size(), 3U); // no bubble, no EP...: zero everywhere
        QCOMPARE(data.parts[0].quantity, Quantity::Compute);
        QCOMPARE(data.parts[1].quantity, Quantity::TensorParallel);
        QCOMPARE(data.parts[1].values, (std::vector<double>{2, 0}));
        QCOMPARE(data.parts[2].quantity, Quantity::DataParallel);
        QCOMPARE(data.totals, (std::vector<double>{7.5, 5}));
        QCOMPARE(data.axisTitle, u"Step time [s]"_s);
        QVERIFY(data.axisMaximum > 7.5);
    }

    void axisUnit_data()
    {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("title");
        QTest::newRow("microseconds") << 250e-6 << u"Step time [\u00b5s]"_s;
        QTest::newRow("milliseconds") << 0.25 << u"Step time [ms]"_s;
        QTest::newRow("seconds") << 25.0 << u"Step time [s]"_s;
        QTest::newRow("many seconds") << 2500.0 << u"Step time [s]"_s;
        QTest::newRow("nothing") << 0.0 << u"Step time [s]"_s;
    }
    void axisUnit()
    {
        QFETCH(double, seconds);
        QFETCH(QString, title);
        const auto data = stepBars({step(u"A"_s, seconds, 0, 0)});
        QCOMPARE(data.axisTitle, title);
        QVERIFY(data.axisMaximum * data.unit.factor > seconds);
        QVERIFY(data.tickInterval > 0 && data.axisMaximum / data.tickInterval < 12);
    }

    void memoryParts()
    {
        const auto data = memoryBars({memory(u"A"_s, 20, 10, 0, 25, 1.5)});
        QCOMPARE(data.axisTitle, u"Memory [GB]"_s);
        QCOMPARE(data.parts.size(), 4U); // no optimizer state; the unexplained rest is Other
        QCOMPARE(data.parts.back().quantity, Quantity::Other);
        QVERIFY(std::abs(data.parts.back().values[0] - 1.5e9) < 1);
        QCOMPARE(data.lines.size(), 2U);
        QCOMPARE(data.lines[0].name, u"Capacity"_s);
        QCOMPARE(data.lines[0].values[0], std::optional(80e9));
        QCOMPARE(data.lines[1].name, u"Allowed (90.0\u00a0%)"_s);
        QCOMPARE(data.lines[1].values[0], std::optional(72e9));
        QVERIFY(data.lines[1].dashed);
        QVERIFY(data.axisMaximum > 80);
    }

    void roundingIsNotMemory()
    {
        const auto data = memoryBars({memory(u"A"_s, 0.1, 0.2, 0.3, 0.4, 0)});
        for (const auto &part : data.parts)
            QVERIFY(part.quantity != Quantity::Other);
    }

    void noLimitNoLine() { QCOMPARE(memoryBars({memory(u"A"_s, 1, 1, 1, 1, 0, std::nullopt)}).lines.size(), 1U); }

    void sliceKeepsTheAxis()
    {
        const auto whole = stepBars({step(u"A"_s, 5, 2, 0.5), step(u"B"_s, 4, 0, 1), step(u"C"_s, 1, 1, 1)});
        const auto part = slice(whole, 1, 5);
        QCOMPARE(part.labels, QStringList({u"B"_s, u"C"_s}));
        QCOMPARE(part.totals.size(), 2U);
        QCOMPARE(part.parts[0].values, (std::vector<double>{4, 1}));
        QCOMPARE(part.axisMaximum, whole.axisMaximum);
    }

    void chartSeries()
    {
        const auto chart = draw(stepBars({step(u"A"_s, 5, 2, 0.5), step(u"B"_s, 4, 0, 1)}), Theme::light());
        const auto bars = seriesOf<QHorizontalStackedBarSeries>(*chart);
        QCOMPARE(bars.size(), 1);
        QCOMPARE(bars[0]->barSets().size(), 3);
        auto *compute = bars[0]->barSets().first();
        QCOMPARE(compute->label(), label(Quantity::Compute));
        QCOMPARE(compute->color(), colour(Quantity::Compute));
        QCOMPARE(compute->at(1), 5.0); // the first plan is on top, so it comes last
        QCOMPARE(compute->at(0), 4.0);
        QCOMPARE(axisOf<QValueAxis>(*chart)->titleText(), u"Step time [s]"_s);
        QCOMPARE(axisOf<QBarCategoryAxis>(*chart)->categories(), QStringList({u"B"_s, u"A"_s}));
        QCOMPARE(legendOf(*chart), QStringList({u"Computation"_s, u"TP exposed"_s, u"DP exposed"_s}));
    }

    void memoryChartLines()
    {
        const auto chart = draw(
            memoryBars({memory(u"A"_s, 20, 10, 5, 25, 0), memory(u"B"_s, 20, 10, 5, 25, 0, std::nullopt)}),
            Theme::dark());
        const auto lines = seriesOf<QLineSeries>(*chart);
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[0]->points(), QList<QPointF>({{80, -0.5}, {80, 1.5}}));
        QCOMPARE(lines[1]->points(), QList<QPointF>({{72, 0.5}, {72, 1.5}})); // only plan A, on top
        QVERIFY(legendOf(*chart).contains(u"Capacity"_s));
        QVERIFY(legendOf(*chart).contains(u"Allowed (90.0\u00a0%)"_s));
    }

    void equalNamesStaySeparate()
    {
        const auto chart = draw(stepBars({step(u"Same"_s, 5, 2, 0.5), step(u"Same"_s, 4, 0, 1)}), Theme::light());
        QCOMPARE(axisOf<QBarCategoryAxis>(*chart)->count(), 2);
        const QString longName = QString(200, u'x');
        const auto second = draw(stepBars({step(longName, 5, 2, 0.5), step(longName, 4, 0, 1)}), Theme::light());
        QCOMPARE(axisOf<QBarCategoryAxis>(*second)->count(), 2);
        QVERIFY(axisOf<QBarCategoryAxis>(*second)->categories().first().size() < 60);
    }

    void tooltips()
    {
        QWidget window;
        window.show();
        const auto chart = draw(stepBars({step(u"A"_s, 5, 2, 0.5), step(u"B"_s, 4, 0, 1)}), Theme::light());
        auto *compute = seriesOf<QHorizontalStackedBarSeries>(*chart).first()->barSets().first();
        emit compute->hovered(true, 1);
        QCOMPARE(QToolTip::text(), u"A\nComputation: 5.00\u00a0s"_s);
        emit compute->hovered(false, 1);
    }

    void everyQuantityIsNamed()
    {
        for (int i = 0; i <= int(Quantity::Activations); ++i) {
            QCOMPARE(label(Quantity(i)), shortLabelOf(figureOf(Quantity(i))));
            QVERIFY(colour(Quantity(i)).isValid());
        }
        // What can stand in one chart together differs in colour.
        for (const auto &[from, to] :
            {std::pair(Quantity::Compute, Quantity::Other), std::pair(Quantity::Weights, Quantity::Activations)}) {
            std::set<QRgb> colours;
            for (int i = int(from); i <= int(to); ++i)
                QVERIFY(colours.insert(colour(Quantity(i)).rgb()).second);
        }
    }

    /// Graphics need 3 to 1 (WCAG 2): every colour in the dark, and of what may be overlooked what is still to be seen.
    void coloursAreSeenOnTheirGround()
    {
        const auto dark = Theme::dark(), light = Theme::light();
        auto colours = seriesColours();
        for (int i = 0; i <= int(Quantity::Activations); ++i)
            colours.push_back(colour(Quantity(i)));
        for (const auto &one : colours) {
            QVERIFY2(contrast(dark.ink(one), dark.background) >= 4.5, qPrintable(one.name()));
            QVERIFY2(contrast(dark.faint(one), dark.background) >= 3, qPrintable(one.name()));
            QCOMPARE(light.ink(one), one); // as published
        }
        constexpr std::array front{0, 1, 2, 6}; // the winner, the base case, what keeps the limits, what misses them
        for (const auto look : front) {
            QVERIFY(contrast(seriesColour(std::size_t(look)), light.background) >= 3);
            QVERIFY(contrast(light.faint(seriesColour(std::size_t(look))), light.background) >= 3);
        }
        QCOMPARE(Theme::paper().ink(seriesColour(0)), seriesColour(0));
    }

    void descriptions()
    {
        QCOMPARE(describeStepBreakdown({step(u"A"_s, 5, 2, 0)}),
            u"Step time by part. A: 7.00\u00a0s (Computation 5.00\u00a0s, TP exposed 2.00\u00a0s)."_s);
        QCOMPARE(describeStepBreakdown({}), u"Step time by part: there are no plans to show."_s);
        const QString text = describeMemory({memory(u"A"_s, 20, 10, 0, 25, 0)});
        QVERIFY2(text.contains(u"capacity 80.0\u00a0GB"_s) && text.contains(u"allowed (90.0\u00a0%) 72.0\u00a0GB"_s),
            qPrintable(text));
    }

    void themes_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void themes()
    {
        QFETCH(bool, dark);
        const Theme theme = dark ? Theme::dark() : Theme::light();
        const auto chart = draw(memoryBars({memory(u"A"_s, 20, 10, 5, 25, 0)}), theme);
        QCOMPARE(chart->backgroundBrush().color(), theme.background);
        QCOMPARE(axisOf<QValueAxis>(*chart)->labelsColor(), theme.text);
        const QImage image = painted(*chart, theme, {600, 180});
        QCOMPARE(image.pixelColor(2, 2), theme.background);
        int text = 0, weights = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                text += image.pixelColor(x, y) == theme.text;
                weights += image.pixelColor(x, y) == theme.ink(colour(Quantity::Weights));
            }
        QVERIFY(text > 50);
        QVERIFY2(weights > 500, qPrintable(QString::number(weights)));
    }

    void degenerate_data()
    {
        QTest::addColumn<int>("plans");
        for (const int plans : {0, 1, 40})
            QTest::addRow("%d plans", plans) << plans;
    }
    void degenerate()
    {
        QFETCH(int, plans);
        std::vector<LabelledBreakdown> steps;
        for (int i = 0; i < plans; ++i)
            steps.push_back(step(u"Plan %1"_s.arg(i), 1 + i, 0, 0));
        const auto chart = draw(stepBars(steps), Theme::paper());
        const QImage image = painted(
            *chart, Theme::paper(), {500, naturalHeight(stepBars(steps), Theme::paper(), 500)});
        QVERIFY(!image.isNull());
    }

    void notFiniteValuesDoNotHang()
    {
        const auto data = stepBars({step(u"A"_s, std::numeric_limits<double>::infinity(), 0, 0),
            step(u"B"_s, std::numeric_limits<double>::quiet_NaN(), 0, 0)});
        QVERIFY(std::isfinite(data.axisMaximum) && std::isfinite(data.tickInterval));
    }

    void svg()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"chart.svg"_s);
        const auto data = memoryBars({memory(u"Größe 70B"_s, 20, 10, 5, 25, 0)});
        QVERIFY(writeSvg(barChart(data, u"Memory"_s, {}), Theme::light(), {600, 200}, path));
        QSvgRenderer renderer(path);
        QVERIFY(renderer.isValid());
        QCOMPARE(renderer.viewBox(), QRect(0, 0, 600, 200));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QXmlStreamReader xml(&file);
        QStringList texts;
        while (!xml.atEnd())
            if (xml.readNext() == QXmlStreamReader::Characters && !xml.isWhitespace())
                texts << xml.text().toString().trimmed();
        QVERIFY(!xml.hasError());
        QVERIFY2(texts.contains(u"Größe 70B"_s), qPrintable(texts.join(u'|')));
        QVERIFY(texts.contains(u"Weights"_s));
        QVERIFY(texts.contains(data.axisTitle));
    }

    void picturesThatCannotBeWritten()
    {
        const auto data = stepBars({step(u"A"_s, 5, 2, 0.5)});
        for (const auto &written :
            {writeSvg(barChart(data, u"Steps"_s, {}), Theme::light(), {300, 100}, u"/no/such/folder/chart.svg"_s),
                writePng(barChart(data, u"Steps"_s, {}), Theme::light(), {300, 100}, u"/no/such/folder/chart.png"_s)}) {
            QVERIFY(!written);
            QVERIFY(written.error().code == ErrorCode::IoError);
            QVERIFY(written.error().message.find("/no/such/folder/chart") != std::string::npos);
        }
    }

    void view()
    {
        QTemporaryDir folder;
        ChartView view;
        view.resize(600, 240);
        const std::vector plans{step(u"A"_s, 5, 2, 0.5)};
        view.show(barChart(stepBars(plans), u"Step time chart"_s, describeStepBreakdown(plans)), Theme::light());
        QVERIFY(view.accessibleDescription().contains(u"Computation 5.00"_s));
        auto *saveSvg = view.findChild<QAction *>(u"saveChartSvgAction"_s);
        QVERIFY(!saveSvg->isVisible());
        const QString png = folder.filePath(u"chart.png"_s);
        QString suggested;
        view.setFileChooser([&](const QString &name, const QString &) {
            suggested = name;
            return png;
        });
        QVERIFY(saveSvg->isVisible());
        view.findChild<QAction *>(u"saveChartPngAction"_s)->trigger();
        QCOMPARE(suggested, u"Step time chart.png"_s);
        QCOMPARE(QImage(png).size(), QSize(1200, 480));
        view.findChild<QAction *>(u"copyChartAction"_s)->trigger();
        QCOMPARE(QGuiApplication::clipboard()->image().size(), QSize(1200, 480));
        view.findChild<QAction *>(u"copyChartSvgAction"_s)->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().contains(u"<title>Step time chart</title>"_s));
        view.setFileChooser([](const QString &, const QString &) { return u"/no/such/folder/x.svg"_s; });
        int failures = 0;
        connect(&view, &ChartView::saveFailed, this, [&] { ++failures; });
        saveSvg->trigger();
        QCOMPARE(failures, 1);
    }
};

FLEETWRIGHT_TEST(TestCharts)
#include "tst_charts.moc"
