// SPDX-License-Identifier: GPL-3.0-or-later
// A sentence of plain text is no tooltip across the whole screen.
#include "app/widgets/wrappedtooltips.h"
#include "testing/registry.h"

#include <QApplication>
#include <QHelpEvent>
#include <QLabel>
#include <QListWidget>
#include <QTest>
#include <QToolTip>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestWrappedToolTips : public QObject {
    Q_OBJECT
private slots:
    void longLinesAreWrapped()
    {
        const auto longText = u"A sentence that goes on and on < about everything. "_s.repeated(4);
        QCOMPARE(WrappedToolTips::wrapped(u"short\nlines"_s), u"short\nlines"_s);
        QCOMPARE(WrappedToolTips::wrapped(u"x"_s.repeated(200)), u"x"_s.repeated(200)); // one word
        const auto lines = WrappedToolTips::wrapped(longText).split(u'\n');
        QVERIFY(lines.size() > 2);
        for (const auto &line : lines)
            QVERIFY2(line.size() <= 80, qPrintable(line));
        QCOMPARE(lines.join(u' '), longText);
        WrappedToolTips filter;
        qApp->installEventFilter(&filter);
        QLabel label(u"text"_s);
        label.setToolTip(longText);
        QListWidget list;
        list.addItem(u"item"_s);
        list.item(0)->setToolTip(u"Second "_s + longText);
        for (QWidget *widget : {static_cast<QWidget *>(&label), static_cast<QWidget *>(&list)}) {
            widget->show();
            QVERIFY(QTest::qWaitForWindowExposed(widget));
            QToolTip::hideText();
            auto *asked = widget == &list ? list.viewport() : widget;
            const QPoint at = widget == &list ? list.visualItemRect(list.item(0)).center() : QPoint(2, 2);
            QHelpEvent help(QEvent::ToolTip, at, asked->mapToGlobal(at));
            QApplication::sendEvent(asked, &help);
            QVERIFY2(QToolTip::text().contains(u'\n'), qPrintable(QToolTip::text()));
            for (auto *shown : QApplication::topLevelWidgets())
                if (shown->inherits("QTipLabel") && shown->isVisible())
                    QVERIFY2(shown->width() < 700, qPrintable(QString::number(shown->width())));
        }
        QToolTip::hideText();
    }
};

FLEETWRIGHT_TEST(TestWrappedToolTips)
#include "tst_wrappedtooltips.moc"
