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
        addNames(&chart, {u"<b>one two</b>"_s, u"b"_s}, u"<i>"_s, Qt::AlignBottom, Theme::paper());
        chart.resize(900, 600);
        chart.layout()->activate();
        const auto texts = textsOf(chart);
        QVERIFY2(texts.contains(u"<b>one\ntwo</b>"_s) && texts.contains(u"<i>"_s), qPrintable(texts.join(u" | "_s)));
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
