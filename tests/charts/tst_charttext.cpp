// SPDX-License-Identifier: GPL-3.0-or-later
// Names from somebody else's project show as they were typed, and opening them opens no file.
#include "charts/chartdata.h"
#include "charts/chartdecoration.h"
#include "charts/charts.h"
#include "charts/groupedbars.h"
#include "charts/linechart.h"
#include "charts/plotitem.h"
#include "testing/registry.h"

#include <QChart>
#include <QFile>
#include <QGraphicsLayout>
#include <QGraphicsTextItem>
#include <QPainter>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::charts;

namespace {

/// Charts in which every text that a person can choose is `name`.
std::vector<std::pair<QString, ChartContent>> chartsOf(const QString &name)
{
    std::vector<std::pair<QString, ChartContent>> all;
    BarChartData bars;
    bars.axisTitle = name;
    bars.labels = {name, u"other"_s};
    bars.parts = {{Quantity::Other, {1, 2}}};
    bars.totals = {1, 2};
    bars.lines = {{name, {1.5, 1.5}}};
    bars.axisMaximum = 3;
    all.emplace_back(u"bars"_s, barChart(bars, name, name));
    bars.namesAbove = true;
    all.emplace_back(u"bars with names above"_s, barChart(bars, name, name));
    LineChartData lines;
    lines.name = name;
    lines.xTitle = name;
    lines.yTitle = name;
    lines.xCategories = {name, u"other"_s};
    lines.series.resize(1);
    lines.series[0].name = name;
    lines.series[0].points = {{0, 1}, {1, 2}};
    all.emplace_back(u"lines"_s, lineChart(lines));
    return all;
}

/// What Qt Charts draws as text items.
QStringList textsOf(const QChart &chart)
{
    QStringList texts;
    const auto visit = [&](const auto &self, const QGraphicsItem *item) -> void {
        if (const auto *text = qgraphicsitem_cast<const QGraphicsTextItem *>(item))
            texts << text->toPlainText();
        for (const auto *child : item->childItems())
            self(self, child);
    };
    visit(visit, &chart);
    return texts;
}

} // namespace

class TestChartText : public QObject {
    Q_OBJECT

private slots:
    /// A name that is wider than the legend goes on in lines below, and the legend is as high as they are.
    void longNamesGoOn()
    {
        const auto theme = Theme::paper();
        const QString name(u"buying one fleet of many nodes crosses renting another one of still more nodes"_s);
        const auto heightAt = [&](const QString &text, double width) {
            return legendHeight(
                {{.text = text, .colour = Qt::black}, {.text = u"short"_s, .colour = Qt::black}}, theme, width);
        };
        const double row = heightAt(u"name"_s, 400);
        QCOMPARE(heightAt(name, 2000), row);
        QVERIFY(heightAt(name, 250) > 2 * row); // of which one is the short one's
    }

    /// On paper a title that its axis has no room for is broken, or only its unit is left; none of it is cut.
    void titlesOnPaperAreWhole_data()
    {
        QTest::addColumn<QString>("title");
        QTest::addColumn<QString>("shown");
        QTest::newRow("short") << u"Cost [MUSD]"_s << u"Cost [MUSD]"_s;
        QTest::newRow("two lines") << u"Cost of the run, owned [MUSD]"_s << u"Cost of the run, owned [MUSD]"_s;
        QTest::newRow("too long")
            << u"Cost of a million tokens without failures, with all that is bought and rented for "
               "them [USD/(accelerator h)]"_s
            << u"[USD/(accelerator h)]"_s;
        QTest::newRow("one word") << u"Communicationefficiencyshareofthewholestep [%]"_s << u"[%]"_s;
    }
    void titlesOnPaperAreWhole()
    {
        QFETCH(const QString, title);
        QFETCH(const QString, shown);
        LineChartData data;
        data.xTitle = u"x"_s;
        data.yTitle = title;
        data.xCategories = {u"a"_s, u"b"_s};
        data.series.resize(1);
        data.series[0].points = {{0, 1}, {1, 2}};
        const auto chart = lineChart(data).draw(Theme::paper());
        QImage image(QSize(500, 250), QImage::Format_RGB32);
        QPainter painter(&image);
        paint(*chart, painter, QRectF(QPointF(), image.size()));
        const QGraphicsTextItem *drawn = nullptr;
        const auto visit = [&](const auto &self, const QGraphicsItem *item) -> void {
            if (const auto *text = qgraphicsitem_cast<const QGraphicsTextItem *>(item);
                text && text->toPlainText().simplified() == shown)
                drawn = text;
            for (const auto *child : item->childItems())
                self(self, child);
        };
        visit(visit, chart.get());
        QVERIFY2(drawn && drawn->isVisible(), qPrintable(textsOf(*chart).join(u" | "_s)));
        const auto area = drawn->sceneBoundingRect();
        const QRectF whole(chart->mapToScene(QPointF()), chart->size());
        QVERIFY2(whole.adjusted(-1, -1, 1, 1).contains(area),
            qPrintable(u"%1 to %2 of %3"_s.arg(area.top()).arg(area.bottom()).arg(whole.height())));
        QVERIFY2(area.height() <= chart->plotArea().height() + 2, qPrintable(QString::number(area.height())));
        QVERIFY(area.right() <= chart->mapToScene(chart->plotArea().topLeft()).x());
    }

    void showsWhatWasTyped_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto *name : {"<b>bold</b>", "<script>x</script>", "a < b & c", "&lt;", "<img src='/x'>", "R&D"})
            QTest::newRow(name) << QString::fromUtf8(name);
    }
    void showsWhatWasTyped()
    {
        QFETCH(QString, name);
        for (const auto &[kind, content] : chartsOf(name)) {
            const auto chart = content.draw(Theme::paper());
            QImage image(900, 600, QImage::Format_RGB32);
            QPainter painter(&image);
            paint(*chart, painter, image.rect());
            const auto texts = textsOf(*chart);
            QVERIFY2(texts.contains(name), qPrintable(kind + u": "_s + texts.join(u" | "_s)));
        }
    }

    void breaksLongNamesOnly()
    {
        QChart chart;
        addNames(&chart, {u"<b>one two three four</b>"_s, u"<b>a b</b>"_s}, u"<i>"_s, Qt::AlignBottom, Theme::paper());
        chart.resize(900, 600);
        chart.layout()->activate();
        const auto texts = textsOf(chart);
        QVERIFY2(texts.contains(u"<b>one two three\nfour</b>"_s) && texts.contains(u"<b>a b</b>"_s)
                && texts.contains(u"<i>"_s),
            qPrintable(texts.join(u" | "_s)));
    }

    /// A pipe that nobody writes to would stop whoever opens it for ever.
    void opensNoFile()
    {
        QTemporaryDir folder;
        const auto pipe = folder.filePath(u"pipe"_s);
        QCOMPARE(mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
        QProcess child;
        child.start(QCoreApplication::applicationFilePath(), {u"charttext"_s, u"--child"_s, pipe});
        const bool ended = child.waitForFinished(60000);
        if (!ended)
            child.kill();
        QVERIFY2(ended, "a chart opened the file that a name mentions");
        QCOMPARE(child.exitCode(), 0);
    }
};

int drawBeside(const QStringList &arguments)
{
    for (const auto &[kind, content] : chartsOf(u"<img src='%1'>"_s.arg(arguments.value(0))))
        if (picture(content, Theme::paper(), {900, 600}).isNull())
            return 1;
    return 0;
}

FLEETWRIGHT_TEST(TestChartText)
FLEETWRIGHT_TEST_CHILD(drawBeside)
#include "tst_charttext.moc"
