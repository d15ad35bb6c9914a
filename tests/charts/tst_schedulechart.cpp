// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/schedulechart.h"
#include "charttesting.h"
#include "solver/models/detailed/tableparts.h"
#include "testing/registry.h"

#include <QTest>

using namespace fleetwright;
using namespace fleetwright::charts;

namespace {

detailed::Schedule sample(int stages, int chunks, int microbatches)
{
    const auto links = std::size_t(stages * chunks);
    return detailed::runSchedule(
        {.forward = std::vector<double>(links, 0.1), .backward = std::vector<double>(links, 0.2), .chunks = chunks},
        stages, microbatches, 0);
}

} // namespace

class ScheduleChartTest : public QObject {
    Q_OBJECT
private slots:
    void saysWhatItShows();
    void drawsEveryKindOfBox();
    void growsWithTheStages();
    void longSchedulesAreDrawn();
};

void ScheduleChartTest::saysWhatItShows()
{
    const auto content = scheduleChart(sample(4, 1, 8), 1);
    QVERIFY(!content.name.isEmpty());
    QVERIFY2(content.description.contains(QStringLiteral("27.3")), qPrintable(content.description)); // 3 of 11
    QVERIFY(scheduleChart(sample(4, 2, 8), 2).description.contains(QStringLiteral("interleaved")));
}

void ScheduleChartTest::drawsEveryKindOfBox()
{
    for (const auto &theme : {Theme::light(), Theme::dark(), Theme::paper()}) {
        const auto image = painted(scheduleChart(sample(4, 1, 8), 1), theme, {900, 320});
        const auto forward = theme.ink(colour(Quantity::Compute).lighter(125)),
                   backward = theme.ink(colour(Quantity::Compute).darker(135));
        const int plain = pixelsOf(image, forward), dark = pixelsOf(image, backward),
                  waiting = pixelsOf(image, colour(Quantity::Bubble));
        QVERIFY(plain > 5000);
        QVERIFY(dark > 5000);
        QVERIFY(waiting > 500);
        QVERIFY(dark > plain); // backward passes take twice as long, though their hatching takes some
    }
}

void ScheduleChartTest::growsWithTheStages()
{
    const auto few = scheduleChart(sample(2, 1, 4), 1), many = scheduleChart(sample(32, 1, 32), 1);
    QVERIFY(many.naturalHeight(Theme::light(), 800) > 3 * few.naturalHeight(Theme::light(), 800));
}

void ScheduleChartTest::longSchedulesAreDrawn()
{
    const auto image = painted(scheduleChart(sample(16, 4, 256), 4), Theme::light(), {1000, 500});
    QVERIFY(pixelsOf(image, Theme::light().background) < image.width() * image.height());
}

FLEETWRIGHT_TEST(ScheduleChartTest)
#include "tst_schedulechart.moc"
