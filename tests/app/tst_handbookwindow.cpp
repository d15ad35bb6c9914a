// SPDX-License-Identifier: GPL-3.0-or-later
// The handbook in its window: contents, search, links, history, find, zoom, both themes.
#include "app/handbook/handbookview.h"
#include "app/handbook/handbookwindow.h"
#include "app/settings.h"
#include "testing/registry.h"
#include "widgetchecks.h"

#include <QAction>
#include <QDesktopServices>
#include <QListWidget>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTextTable>
#include <QTreeWidget>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestHandbookWindow : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<HandbookWindow> m_window;
    int m_files = 0;
    QList<QUrl> m_opened;

    /// Two pages with everything that a page can have.
    static const Handbook &small()
    {
        static const Handbook handbook(
            {readHandbookPage(u"decisions"_s,
                 u"# First\n\nSee [the other](models/detailed.md#far-below), [itself](#here) "
                 "or [the web](https://example.org/page).\n\n## Here\n\n`code` and text\n"_s),
                readHandbookPage(u"models/detailed"_s,
                    u"# Second\n\nBack to [the first](../decisions.md).\n\n| a | b |\n|---|---|\n| 1 | 2 "
                    u"|\n\n```\nyaml: 1\n"
                    "```\n\n"_s
                        + u"A line.\n\n"_s.repeated(120) + u"## Far below\n\nThe needle.\n\n"_s
                        + u"A line.\n\n"_s.repeated(120))});
        return handbook;
    }

    template <class T> T *child(const char *name) const { return m_window->findChild<T *>(QString::fromLatin1(name)); }
    HandbookView *view() const { return child<HandbookView>("handbookView"); }
    QLineEdit *edit() const { return child<QLineEdit>("handbookSearchEdit"); }
    bool isEnabled(const char *name) const { return child<QAction>(name)->isEnabled(); }

    void openWindow(const Handbook &handbook, const HandbookPlace &place)
    {
        m_window = std::make_unique<HandbookWindow>(handbook, *m_settings);
        m_window->open(place);
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }

    /// Clicks where the words stand.
    void clickOn(const QString &words)
    {
        view()->moveCursor(QTextCursor::Start);
        QVERIFY(view()->find(words));
        auto cursor = view()->textCursor();
        cursor.setPosition(cursor.selectionStart() + 2);
        const auto at = view()->cursorRect(cursor).center();
        QTest::mouseClick(view()->viewport(), Qt::LeftButton, {}, at);
    }

    QString topLine() const { return view()->cursorForPosition({40, 24}).block().text(); }

public slots:
    void opened(const QUrl &url) { m_opened << url; }

private slots:
    void init()
    {
        applyTheme(ThemeChoice::Light);
        m_settings = std::make_unique<Settings>(m_folder.filePath(u"settings %1.ini"_s.arg(++m_files)));
    }
    void cleanup() { m_window.reset(); }

    void opensWithTheFocusInTheSearch()
    {
        openWindow(Handbook::shipped(), {u"search"_s, {}});
        QVERIFY(edit()->hasFocus());
        QVERIFY(m_window->isWindow() && !m_window->isModal());
        const auto *contents = child<QTreeWidget>("handbookContents");
        QCOMPARE(contents->topLevelItemCount(), int(Handbook::groups().size()));
        QCOMPARE(contents->currentItem()->text(0), Handbook::shipped().page(u"search"_s)->title);
        QVERIFY(m_window->windowTitle().startsWith(contents->currentItem()->text(0)));
    }

    /// Typed, chosen with the arrows, opened with Enter: the heading stands at the top.
    void searchesAsOneTypes()
    {
        openWindow(small(), {u"decisions"_s, {}});
        auto *hits = child<QListWidget>("handbookHits");
        QVERIFY(!hits->isVisible());
        QTest::keyClicks(edit(), u"need"_s);
        QVERIFY(hits->isVisible());
        QCOMPARE(hits->count(), 1);
        QCOMPARE(hits->item(0)->text(), u"Second \u203a Far below\nThe needle."_s);
        QTest::keyClick(edit(), Qt::Key_Return);
        QCOMPARE(m_window->current(), (HandbookPlace{u"models/detailed"_s, u"far-below"_s}));
        QCOMPARE(topLine(), u"Far below"_s);
        QVERIFY(view()->hasFocus());

        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        QVERIFY(edit()->hasFocus());
        QTest::keyClicks(edit(), u"xyzzy"_s); // in the place of what was selected
        QVERIFY(!hits->isVisible() && child<QLabel>("handbookNothing")->text().contains(u"xyzzy"_s));
        QTest::keyClick(edit(), Qt::Key_Escape);
        QVERIFY(edit()->text().isEmpty() && child<QTreeWidget>("handbookContents")->isVisible());
        QTest::keyClicks(edit(), u"to"_s);
        QVERIFY(hits->count() == 2 && hits->currentRow() == 0);
        QTest::keyClick(edit(), Qt::Key_Down);
        QCOMPARE(hits->currentRow(), 1);
        QTest::mouseClick(hits->viewport(), Qt::LeftButton, {}, hits->visualItemRect(hits->item(0)).center());
        QVERIFY(m_window->current().anchor.isEmpty());
        edit()->setFocus();
        QTest::keyClick(edit(), Qt::Key_Escape);
        QTest::keyClick(edit(), Qt::Key_Escape);
        QVERIFY(!m_window->isVisible());
    }

    void linksLeadToPagesHeadingsAndOut()
    {
        QDesktopServices::setUrlHandler(u"https"_s, this, "opened");
        openWindow(small(), {u"decisions"_s, {}});
        QVERIFY(!isEnabled("handbookBack") && !isEnabled("handbookForward"));
        clickOn(u"the web"_s);
        QCOMPARE(m_opened, QList{QUrl(u"https://example.org/page"_s)});
        QCOMPARE(m_window->current().page, u"decisions"_s);
        clickOn(u"itself"_s);
        QCOMPARE(m_window->current(), (HandbookPlace{u"decisions"_s, u"here"_s}));
        clickOn(u"the other"_s);
        QCOMPARE(m_window->current(), (HandbookPlace{u"models/detailed"_s, u"far-below"_s}));
        QCOMPARE(topLine(), u"Far below"_s);
        QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(m_window->current(), (HandbookPlace{u"decisions"_s, u"here"_s}));
        QTest::mouseClick(child<QToolButton>("handbookForwardButton"), Qt::LeftButton);
        QCOMPARE(topLine(), u"Far below"_s); // where it was left
        QVERIFY(!isEnabled("handbookForward"));
        clickOn(u"the first"_s);
        QCOMPARE(m_window->current(), (HandbookPlace{u"decisions"_s, {}}));
        QCOMPARE(m_opened.size(), 1);
        QDesktopServices::unsetUrlHandler(u"https"_s);
    }

    void findsOnThePage()
    {
        openWindow(small(), {u"models/detailed"_s, {}});
        QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
        auto *find = child<QLineEdit>("handbookFindEdit");
        QVERIFY(find->isVisible() && find->hasFocus());
        QTest::keyClicks(find, u"a line"_s);
        const int first = view()->textCursor().position();
        QCOMPARE(view()->textCursor().selectedText(), u"A line"_s);
        QTest::keyClick(find, Qt::Key_Return);
        QVERIFY(view()->textCursor().position() > first);
        QTest::keyClick(m_window.get(), Qt::Key_F3, Qt::ShiftModifier);
        QCOMPARE(view()->textCursor().position(), first);
        QTest::keyClick(m_window.get(), Qt::Key_F3, Qt::ShiftModifier);
        QVERIFY(view()->textCursor().position() > first && !child<QLabel>("handbookFound")->text().isEmpty());
        QTest::keyClicks(find, u" of another page"_s);
        QCOMPARE(child<QLabel>("handbookFound")->text(), u"not on this page"_s);
        QTest::keyClick(find, Qt::Key_Escape);
        QVERIFY(!find->isVisible() && m_window->isVisible());
    }

    void zoomsAndRemembers()
    {
        openWindow(small(), {u"decisions"_s, {}});
        const auto size = [&] { return view()->document()->defaultFont().pointSizeF(); };
        const double usual = size();
        QTest::keyClick(m_window.get(), Qt::Key_Plus, Qt::ControlModifier);
        QTest::keyClick(m_window.get(), Qt::Key_Plus, Qt::ControlModifier);
        QCOMPARE(size(), usual * 1.2);
        QCOMPARE(child<QToolButton>("handbookZoomUsualButton")->text(), u"120 %"_s);
        m_window->resize(901, 603);
        m_window->close();
        openWindow(small(), {u"decisions"_s, {}});
        QCOMPARE(m_window->size(), QSize(901, 603));
        QCOMPARE(size(), usual * 1.2);
        QTest::keyClick(m_window.get(), Qt::Key_Minus, Qt::ControlModifier);
        QCOMPARE(size(), usual * 1.1);
        QTest::keyClick(m_window.get(), Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(size(), usual);
        for (int i = 0; i < 40; ++i)
            QTest::keyClick(m_window.get(), Qt::Key_Plus, Qt::ControlModifier);
        QCOMPARE(view()->zoom(), HandbookView::mostZoom);
        QVERIFY(!isEnabled("handbookZoomIn"));
    }

    /// Tables are tables and code is code.
    void showsTablesAndCode()
    {
        openWindow(small(), {u"models/detailed"_s, {}});
        const auto frames = view()->document()->rootFrame()->childFrames();
        QCOMPARE(frames.size(), 1);
        const auto *table = qobject_cast<QTextTable *>(frames.front());
        QVERIFY(table && table->rows() == 2 && table->columns() == 2);
        const auto code = view()->document()->find(u"yaml"_s);
        QVERIFY(code.charFormat().fontFixedPitch());
        QCOMPARE(code.blockFormat().background().color(), m_window->palette().color(QPalette::AlternateBase));
    }

    void isReadableInBothThemes()
    {
        openWindow(Handbook::shipped(), {u"search"_s, {}});
        for (const auto theme : {ThemeChoice::Dark, ThemeChoice::Light}) { // changed while it is open
            applyTheme(theme);
            QTest::qWait(50);
            for (const auto &page : Handbook::shipped().pages()) {
                m_window->open({page.id, {}});
                QStringList faults;
                checkHtmlReadable(*view(), faults);
                const auto ground = m_window->palette().color(QPalette::Base);
                for (auto block = view()->document()->begin(); block.isValid(); block = block.next())
                    for (auto at = block.begin(); !at.atEnd(); ++at) {
                        const auto brush = at.fragment().charFormat().foreground();
                        const auto behind = block.blockFormat().background();
                        const auto text = brush.style() == Qt::NoBrush ? m_window->palette().color(QPalette::Text)
                                                                       : brush.color();
                        const double seen = contrast(text, behind.style() == Qt::NoBrush ? ground : behind.color());
                        QVERIFY2(seen >= 4.5, qPrintable(page.id + u": "_s + at.fragment().text()));
                    }
                QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
            }
            edit()->setText(u"memory"_s);
            const auto faults = faultsIn(*m_window);
            QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
            edit()->clear();
        }
    }
};

FLEETWRIGHT_TEST(TestHandbookWindow)
#include "tst_handbookwindow.moc"
