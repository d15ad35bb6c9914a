// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chartdecoration.h"
#include "charts/chartinteraction.h"
#include "charts/groupedbars.h"
#include "charts/linechart.h"
#include "charts/rangechart.h"
#include "charttesting.h"
#include "testing/registry.h"

#include <QAction>
#include <QApplication>
#include <QHelpEvent>
#include <QLogValueAxis>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QToolTip>
#include <QValueAxis>
#include <QWheelEvent>

using namespace Qt::StringLiterals;
using namespace fleetwright::charts;

class ChartInteractionTest : public QObject {
    Q_OBJECT

    std::unique_ptr<ChartView> m_view;

    static ChartContent lines()
    {
        return lineChart({.name = u"Two"_s,
            .description = u"Two curves."_s,
            .xTitle = u"x"_s,
            .yTitle = u"y"_s,
            .series = {{.name = u"First"_s, .points = {{0, 1}, {10, 5}}},
                {.name = u"Second"_s, .points = {{0, 2}, {10, 9}}}}});
    }
    static ChartContent bars(double other)
    {
        return groupedBars({.name = u"Bars"_s,
            .description = u"Bars."_s,
            .axisTitle = u"Time (s)"_s,
            .groups = {u"a"_s, u"b"_s},
            .bars = {{u"Compute"_s, Qt::blue, {1.0, other}}, {u"Wait"_s, Qt::red, {0.001, 0.0}}}});
    }
    ChartLegend *legend() const
    {
        for (auto *child : m_view->chart()->childItems())
            if (auto *found = dynamic_cast<ChartLegend *>(child))
                return found;
        return nullptr;
    }
    QPoint inLegend(double x) const
    {
        const auto area = legend()->boundingRect();
        return m_view->mapFromScene(m_view->chart()->mapToScene(area.topLeft() + QPointF(x, 8)));
    }
    void click(QPoint at) { QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, at); }
    bool isZoomed() const { return m_view->chart()->isZoomed(); }
    void drag()
    {
        const auto plot = m_view->chart()->plotArea();
        const QPoint from = (plot.topLeft() + QPointF(plot.width() * 0.2, plot.height() * 0.2)).toPoint();
        const QPoint to = (plot.topLeft() + QPointF(plot.width() * 0.6, plot.height() * 0.6)).toPoint();
        QTest::mousePress(m_view->viewport(), Qt::LeftButton, {}, from);
        QTest::mouseMove(m_view->viewport(), (from + to) / 2);
        QTest::mouseMove(m_view->viewport(), to);
        QTest::mouseRelease(m_view->viewport(), Qt::LeftButton, {}, to);
    }
    void wheel(Qt::KeyboardModifiers modifiers)
    {
        const QPointF at = m_view->chart()->plotArea().center();
        QWheelEvent event(
            at, m_view->viewport()->mapToGlobal(at.toPoint()), {}, {0, 120}, {}, modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(m_view->viewport(), &event);
    }

private slots:
    void init()
    {
        m_view = std::make_unique<ChartView>();
        m_view->resize(600, 400);
        m_view->show(lines(), Theme::light());
        m_view->QWidget::show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    }

    void cleanup() { m_view.reset(); }

    void legendHidesAndShowsASeries()
    {
        auto *first = m_view->chart()->series().constFirst();
        QVERIFY(first->isVisible());
        click(inLegend(14));
        QVERIFY(!first->isVisible());
        click(inLegend(14));
        QVERIFY(first->isVisible());
        QTest::keyClick(m_view.get(), Qt::Key_2);
        QVERIFY(!m_view->chart()->series().at(1)->isVisible());
        QTest::keyClick(m_view.get(), Qt::Key_1);
        QVERIFY(first->isVisible()); // the last one stays
        m_view->show(lines(), Theme::dark());
        QVERIFY(!m_view->chart()->series().at(1)->isVisible()); // stays hidden in the next chart
    }

    void draggingZoomsAndEscShowsTheWhole()
    {
        auto *axis = qobject_cast<QValueAxis *>(m_view->chart()->axes(Qt::Horizontal).constFirst());
        const double whole = axis->max() - axis->min();
        auto *button = m_view->findChild<QToolButton *>(u"wholeChartButton"_s);
        QVERIFY(!button->isVisible());
        drag();
        QVERIFY(isZoomed());
        QVERIFY(axis->max() - axis->min() < 0.5 * whole);
        QVERIFY(axis->tickInterval() < 0.5 * (axis->max() - axis->min())); // there are marks
        QVERIFY(button->isVisible());
        QTest::keyClick(m_view.get(), Qt::Key_Escape);
        QVERIFY(!isZoomed());
        QCOMPARE(axis->max() - axis->min(), whole);
        QVERIFY(!button->isVisible());
        drag();
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(!isZoomed());
    }

    void wheelZoomsWithCtrlOnly()
    {
        wheel(Qt::NoModifier);
        QVERIFY(!isZoomed()); // the page scrolls
        wheel(Qt::ControlModifier);
        QVERIFY(isZoomed());
        QTest::mouseDClick(m_view->viewport(), Qt::LeftButton, {}, m_view->viewport()->rect().center());
        QVERIFY(!isZoomed());
        QTest::keyClick(m_view.get(), Qt::Key_Plus);
        QVERIFY(isZoomed());
    }

    void tipsStayWhileThePointerRests()
    {
        showHovered(u"First\nx: 10"_s, true);
        QVERIFY(QToolTip::isVisible());
        QHelpEvent rest(QEvent::ToolTip, QPoint(300, 200), m_view->viewport()->mapToGlobal(QPoint(300, 200)));
        QApplication::sendEvent(m_view->viewport(), &rest); // as Qt does when the pointer rests
        constexpr int slowestHiding = 500;
        QTest::qWait(slowestHiding);
        QVERIFY(QToolTip::isVisible());
        QCOMPARE(QToolTip::text(), u"First\nx: 10"_s);
        showHovered({}, false);
        QTRY_VERIFY(!QToolTip::isVisible());
    }

    void barsHideTooAndTheirSlotStays()
    {
        m_view->show(bars(2), Theme::light());
        QVERIFY(pixelsOf(m_view->grab().toImage(), Qt::blue) > 2000);
        click(inLegend(14));
        QVERIFY(pixelsOf(m_view->grab().toImage(), Qt::blue) < 1000); // its swatch is left
    }

    void figuresDecadesApartGetALogarithmicAxis()
    {
        const auto axis = [](const ChartContent &content) {
            const auto chart = content.draw(Theme::light());
            const auto *found = chart->axes(Qt::Horizontal).constFirst();
            return std::pair(qobject_cast<const QLogValueAxis *>(found) != nullptr, found->titleText());
        };
        QVERIFY(!axis(bars(5)).first); // a short part beside a long one is no reason
        QVERIFY(axis(bars(500)).first);
        QVERIFY(axis(bars(500)).second.contains(u"logarithmic"_s));
        const auto range = [](double high) {
            return rangeChart({.name = u"r"_s,
                .description = u"r"_s,
                .axisTitle = u"s"_s,
                .sources = {u"a"_s, u"b"_s},
                .rows = {{u"row"_s, {{0, 1, u"1"_s}, {1, high, u"h"_s}}}}});
        };
        QVERIFY(!axis(range(50)).first);
        QVERIFY(axis(range(500)).first);
    }
};

FLEETWRIGHT_TEST(ChartInteractionTest)
#include "tst_chartinteraction.moc"
