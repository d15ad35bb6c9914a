// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/validation/evidencepanel.h"
#include "app/theme.h"
#include "app/widgets/checkmenu.h"
#include "app/widgets/countedit.h"
#include "app/widgets/tablecolumns.h"
#include "app/widgets/validationlabel.h"
#include "charts/chartview.h"
#include "charts/newsitecharts.h"
#include "testing/registry.h"
#include "widgetchecks.h"

#include <QChart>
#include <QLineEdit>
#include <QMenu>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QVBoxLayout>

using namespace fleetwright;
using namespace fleetwright::app;

/// What is on the screen while the theme is changed, and what runs from right to left.
class TestLiveTheme : public QObject {
    Q_OBJECT
private slots:
    void init() { applyTheme(ThemeChoice::Light); }
    void cleanup()
    {
        applyTheme(ThemeChoice::Light);
        QApplication::setLayoutDirection(Qt::LeftToRight);
    }
    void refusedFieldsFollow();
    void chartsOfPanelsFollow();
    void framesAreSeenInTheDark();
    void aRowIsChosenWhateverIsHidden();
    void linksKeepTheirOwnColour();
    void textsKeepTheirOrder();
    void checkMenusStayOpen();
};

void TestLiveTheme::refusedFieldsFollow()
{
    QWidget page;
    auto *column = new QVBoxLayout(&page);
    auto *edit = new CountEdit(&page);
    edit->setLabel(QStringLiteral("Nodes"));
    column->addWidget(edit);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    edit->setRefusal(QStringLiteral("No plan has so many."));
    auto *line = edit->lineEdit();
    auto *said = page.findChild<ValidationLabel *>();
    for (const auto choice : {ThemeChoice::Light, ThemeChoice::Dark, ThemeChoice::Light}) {
        applyTheme(choice);
        QCoreApplication::processEvents();
        const auto palette = QApplication::palette();
        const auto image = line->grab().toImage();
        QCOMPARE(image.pixelColor(image.width() - 8, 4), palette.color(QPalette::Base));
        QCOMPARE(image.pixelColor(image.width() / 2, 0), errorColour(palette));
        QVERIFY(contrast(said->palette().color(QPalette::WindowText), palette.color(QPalette::Window)) >= 4.5);
    }
    edit->setRefusal({});
    QVERIFY(line->grab().toImage().pixelColor(line->width() / 2, 0) != errorColour(QApplication::palette()));
}

void TestLiveTheme::chartsOfPanelsFollow()
{
    QWidget page;
    auto *column = new QVBoxLayout(&page);
    auto *panel = new EvidencePanel(QStringLiteral("levels"), QStringLiteral("Where?"), &page);
    column->addWidget(panel);
    panel->showAnswer(QStringLiteral("There."), charts::levelsChart({.family = 0.01, .run = 0.1}));
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    applyTheme(ThemeChoice::Dark);
    QCoreApplication::processEvents();
    QCOMPARE(panel->chart()->chart()->backgroundBrush().color(), QApplication::palette().color(QPalette::Window));
}

void TestLiveTheme::framesAreSeenInTheDark()
{
    applyTheme(ThemeChoice::Dark);
    QFrame card;
    card.setFrameShape(QFrame::StyledPanel);
    card.resize(80, 40);
    const auto image = card.grab().toImage();
    const auto window = QApplication::palette().color(QPalette::Window);
    QVERIFY(contrast(image.pixelColor(40, 0), window) >= 3);
    QCOMPARE(image.pixelColor(40, 20), window);
}

void TestLiveTheme::aRowIsChosenWhateverIsHidden()
{
    QStandardItemModel rows(3, 4);
    for (const auto direction : {Qt::LeftToRight, Qt::RightToLeft})
        for (const int hidden : {0, 3}) {
            QTableView table;
            table.setLayoutDirection(direction);
            table.setModel(&rows);
            table.setSelectionBehavior(QAbstractItemView::SelectRows);
            table.setColumnHidden(hidden, true);
            chooseRow(table, 1);
            QCOMPARE(table.currentIndex().row(), 1);
            QCOMPARE(table.selectionModel()->selectedRows().size(), 1);
            chooseRow(table, -1); // none
            QCOMPARE(table.currentIndex().row(), 1);
        }
}

/// A link that says something by its colour keeps it, another theme or the same one again.
void TestLiveTheme::linksKeepTheirOwnColour()
{
    QTextBrowser shown;
    applyTheme(ThemeChoice::Light);
    shown.setHtml(QStringLiteral("<a href='a'>any</a> <a href='b' style='color:#123456'>own</a>"));
    const auto colours = [&] {
        QList<QColor> all;
        for (auto at = shown.document()->begin().begin(); !at.atEnd(); ++at)
            if (at.fragment().charFormat().isAnchor())
                all << at.fragment().charFormat().foreground().color();
        return all;
    };
    for (const auto choice : {ThemeChoice::Light, ThemeChoice::Dark, ThemeChoice::System}) {
        applyTheme(choice);
        QCOMPARE(colours(), (QList{QApplication::palette().color(QPalette::Link), QColor(0x12, 0x34, 0x56)}));
    }
}

void TestLiveTheme::textsKeepTheirOrder()
{
    const auto text = QStringLiteral("1,595 candidates in 3 ms.");
    QCOMPARE(keptInOrder(text, Qt::LeftToRight), text);
    const auto kept = keptInOrder(text, Qt::RightToLeft);
    QVERIFY(kept.contains(text) && kept.front() == QChar(0x2066) && kept.back() == QChar(0x2069));
    // Words that are laid out as a document lie on the side of the labels.
    QApplication::setLayoutDirection(Qt::RightToLeft);
    QLabel label(text);
    label.setTextInteractionFlags(Qt::TextSelectableByMouse);
    label.resize(600, 24);
    label.ensurePolished();
    const auto image = label.grab().toImage();
    const auto window = QApplication::palette().color(QPalette::Window);
    const auto isEmpty = [&](int from, int to) {
        for (int x = from; x < to; ++x)
            for (int y = 0; y < image.height(); ++y)
                if (image.pixelColor(x, y) != window)
                    return false;
        return true;
    };
    QVERIFY(isEmpty(0, 200) && !isEmpty(400, 600));
}

void TestLiveTheme::checkMenusStayOpen()
{
    QMenu menu;
    auto *first = menu.addAction(QStringLiteral("First"));
    auto *second = menu.addAction(QStringLiteral("Second"));
    auto *plain = menu.addAction(QStringLiteral("Usual"));
    for (auto *action : {first, second})
        action->setCheckable(true);
    keepOpenWhileTicked(menu);
    menu.popup({});
    QVERIFY(QTest::qWaitForWindowExposed(&menu));
    // A menu as high as the screen comes to lie under the pointer: letting go of the click that opened it ticks
    // nothing.
    const auto place = menu.actionGeometry(first).center();
    QCursor::setPos(menu.mapToGlobal(place));
    menu.hide();
    menu.popup({});
    QVERIFY(QTest::qWaitForWindowExposed(&menu));
    QTest::mouseRelease(&menu, Qt::LeftButton, {}, place);
    QVERIFY(!first->isChecked() && menu.isVisible());
    menu.setActiveAction(first);
    QTest::keyClick(&menu, Qt::Key_Space);
    QVERIFY(first->isChecked() && menu.isVisible());
    QTest::mouseClick(&menu, Qt::LeftButton, {}, menu.actionGeometry(second).center());
    QVERIFY(second->isChecked() && menu.isVisible());
    QTest::mouseClick(&menu, Qt::LeftButton, {}, menu.actionGeometry(plain).center());
    QVERIFY(!menu.isVisible());
}

FLEETWRIGHT_TEST(TestLiveTheme)
#include "tst_livetheme.moc"
