// SPDX-License-Identifier: GPL-3.0-or-later
// The handbook as somebody uses it: F1 wherever one is, typing, clicking and keys in its window, both themes. With
// FLEETWRIGHT_SCREENSHOTS=FOLDER each page is kept there as a picture.
#include "app/handbook/handbookhelp.h"
#include "app/handbook/handbooktopics.h"
#include "app/handbook/handbookview.h"
#include "mainwindowtesting.h"
#include "pagewalk.h"
#include "storage/shippedprojects.h"
#include "testing/registry.h"
#include "widgetchecks.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTextBlock>
#include <QTextTable>
#include <QTreeWidget>
#include <QWindow>

#include <algorithm>
#include <set>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestHandbookWindow : public QObject, private MainWindowFixture {
    Q_OBJECT

    QList<QUrl> m_opened;

    HandbookHelp &help() const { return *m_window->findChild<HandbookHelp *>(); }
    HandbookWindow &handbook() const { return *help().window(); }
    template <class T> T *part(const QString &name) const { return handbook().findChild<T *>(name); }
    HandbookView &view() const { return *part<HandbookView>(u"handbookText"_s); }
    static QString targetOf(const HandbookPlace &place)
    {
        return place.anchor.isEmpty() ? place.page : place.page + u'#' + place.anchor;
    }
    QString here() const { return help().window() ? targetOf(handbook().place()) : QString(); }

    /// The heading of where it is stands in the text, and the text begins there.
    bool isHeadingShown() const
    {
        const auto place = handbook().place();
        const auto *page = findHandbookPage(place.page);
        return exists(place) && view().page() == page
            && view().textCursor().block().text().simplified() == page->sections[page->sectionAt(place.anchor)].heading;
    }
    /// What F1 shall open: of the tab in sight, else of the dialog. Dialogs of Qt's class go by the name of the object.
    static QString topicOfDialog(const QWidget &dialog)
    {
        const auto type = QString::fromLatin1(dialog.metaObject()->className()).section(u"::"_s, -1);
        const auto name = type == u"QDialog" ? dialog.objectName() : type;
        if (const auto *tabs = dialog.findChild<QTabWidget *>()) {
            const auto found = std::ranges::find(dialogTabTopics(), name, &TabTopics::page);
            return found == dialogTabTopics().end() || found->bar != tabs->objectName()
                    || found->targets.size() != tabs->count()
                ? u"targets for the tabs of "_s + name
                : found->targets.value(tabs->currentIndex());
        }
        const auto found = std::ranges::find(dialogTopics(), name, &PartTopic::name);
        return found == dialogTopics().end() ? u"a topic of "_s + name : found->target;
    }

    void openHandbook(const HandbookPlace &place = {u"introduction"_s, {}})
    {
        help().open(place);
        QVERIFY(QTest::qWaitForWindowExposed(&handbook()));
        handbook().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&handbook()));
    }
    void clickLink(const QString &words)
    {
        auto at = view().document()->find(words);
        while (!at.isNull() && !at.charFormat().isAnchor())
            at = view().document()->find(words, at);
        QVERIFY2(!at.isNull(), qPrintable(words));
        at.setPosition(at.selectionStart() + 1);
        view().setTextCursor(at);
        view().ensureCursorVisible();
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, view().cursorRect(at).center());
    }

private slots:
    void init() { start(); }
    void cleanup()
    {
        m_window.reset();
        applyTheme(ThemeChoice::Light);
    }

    void f1OpensThePageOfWhereOneIs()
    {
        QTest::keyClick(m_window.get(), Qt::Key_F1);
        QCOMPARE(here(), u"welcome"_s);
        QVERIFY(handbook().isVisible());
        QVERIFY(m_window->workspace().createSample(newFile(), storage::samples().front().project));
        int seen = 0;
        walkPages(*m_window, [&](const QString &name, QWidget &) {
            ++seen;
            help().open({u"glossary"_s, {}});
            m_window->activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
            QTest::keyClick(m_window.get(), Qt::Key_F1);
            QVERIFY2(here() != u"glossary", qPrintable(name));
            const auto page = m_window->currentPage();
            QStringList expected;
            for (const auto &topic : pageTopics())
                if (topic.page == page)
                    expected << topic.target;
            for (const auto &topics : tabTopics())
                if (topics.page == page)
                    expected << topics.targets;
            for (const auto &topic : partTopics())
                expected << topic.target;
            QVERIFY2(expected.contains(here()) && isHeadingShown(), qPrintable(name + u": "_s + here()));
        });
        QVERIFY(seen > 25);
    }

    void f1KnowsTheTabAndThePartWithTheFocus()
    {
        QVERIFY(m_window->workspace().createSample(newFile(), storage::samples().front().project));
        m_window->showPage(u"decide"_s);
        auto *answer = shownPage(*m_window)->findChild<QTabWidget *>(u"answer"_s);
        QTRY_VERIFY(answer && answer->isVisible());
        answer->setCurrentIndex(3);
        answer->tabBar()->setFocus();
        QTest::keyClick(answer->tabBar(), Qt::Key_F1);
        QCOMPARE(here(), u"decisions#how-sure"_s);
        m_window->showPage(u"validation"_s);
        auto *areas = shownPage(*m_window)->findChild<QTabBar *>(u"areaTabs"_s);
        QVERIFY(areas);
        areas->setCurrentIndex(1);
        m_window->activateWindow();
        QTRY_VERIFY(m_window->isActiveWindow());
        areas->setFocus();
        QTest::keyClick(areas, Qt::Key_F1);
        QCOMPARE(here(), u"validation-page#costs"_s);
        m_window->showPlan(m_window->workspace().plans().front().id);
        m_window->activateWindow();
        QTRY_VERIFY(m_window->isActiveWindow());
        auto *form = shownPage(*m_window)->findChild<QWidget *>(u"globalBatchEdit"_s);
        QVERIFY(form);
        form->setFocus();
        action(u"actionHere"_s)->trigger();
        QCOMPARE(here(), u"plans#the-form"_s);
    }

    /// The handbook can be used while the dialog waits.
    void f1InDialogs()
    {
        m_window.reset();
        m_settings->setFoldedPlanGroups({}); // what opens dialogs is in sight
        open();
        QVERIFY(m_window->workspace().createSample(newFile(), storage::samples().front().project));
        std::set<QString> targets;
        QStringList faults; // told at the end: a dialog that stays open is waited for
        walkDialogs(*m_window, [&](const QString &name, QWidget &dialog) {
            help().open({u"glossary"_s, {}});
            dialog.activateWindow();
            if (!QTest::qWaitForWindowActive(&dialog))
                faults << name + u" is not active"_s;
            QTest::keyClick(&dialog, Qt::Key_F1);
            const auto target = here(), expected = topicOfDialog(dialog);
            if (target != expected || !isHeadingShown())
                faults << u"%1: %2 instead of \u201c%3\u201d"_s.arg(name, target, expected);
            targets.insert(target);
            auto *search = part<QLineEdit>(u"handbookSearch"_s);
            search->clear();
            for (const char key : {'m', 'f', 'u'}) // as the window system hands keys on: blocked windows get none
                QTest::keyClick(handbook().windowHandle(), key);
            if (search->text() != u"mfu")
                faults << name + u" blocks the handbook"_s;
            search->clear();
        });
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
        QVERIFY(targets.size() >= 15);
    }

    void typingSearches()
    {
        openHandbook();
        auto *search = part<QLineEdit>(u"handbookSearch"_s);
        QCOMPARE(QApplication::focusWidget(), search);
        QTest::keyClicks(search, u"why is my mfu low"_s);
        auto *hits = part<QListWidget>(u"handbookHits"_s);
        QVERIFY(hits->isVisible() && hits->count() > 1);
        QVERIFY(hits->item(0)->text().contains(u'\n')); // the page with its heading, and a line of context
        const auto second = hits->item(1)->text().section(u'\n', 0, 0);
        QTest::keyClick(search, Qt::Key_Down);
        QTest::keyClick(search, Qt::Key_Return);
        const auto *page = findHandbookPage(handbook().place().page);
        QVERIFY(second.startsWith(page->title()));
        QVERIFY(!view().extraSelections().isEmpty());
        QTest::keyClick(search, Qt::Key_Escape);
        QVERIFY(search->text().isEmpty());
        QVERIFY(part<QTreeWidget>(u"handbookContents"_s)->isVisible());
        QVERIFY(view().extraSelections().isEmpty());
        QTest::keyClicks(search, u"xyzzy"_s);
        QVERIFY(part<QLabel>(u"handbookNothing"_s)->isVisible());
        QVERIFY(part<QLabel>(u"handbookNothing"_s)->text().contains(u"xyzzy"_s));
        search->clear();
        QTest::keyClick(search, Qt::Key_Escape);
        QVERIFY(!handbook().isVisible());
    }

    void clickingAResultOpensIt()
    {
        openHandbook();
        QTest::keyClicks(part<QLineEdit>(u"handbookSearch"_s), u"seek a value"_s);
        auto *hits = part<QListWidget>(u"handbookHits"_s);
        QTest::mouseClick(hits->viewport(), Qt::LeftButton, {}, hits->visualItemRect(hits->item(0)).center());
        QCOMPARE(here(), u"plan-inputs#seek-a-value"_s);
        QVERIFY(view().verticalScrollBar()->value() > 0);
    }

    void contentsAreGroupedAndOpenPages()
    {
        openHandbook();
        auto *contents = part<QTreeWidget>(u"handbookContents"_s);
        QCOMPARE(contents->topLevelItemCount(), 9);
        auto *group = contents->topLevelItem(7);
        QCOMPARE(group->text(0), u"Glossary"_s);
        auto *page = group->child(0);
        contents->scrollToItem(page);
        QTest::mouseClick(contents->viewport(), Qt::LeftButton, {}, contents->visualItemRect(page).center());
        QCOMPARE(here(), u"glossary"_s);
        page->setExpanded(true);
        contents->setCurrentItem(page->child(1));
        contents->setFocus();
        QTest::keyClick(contents, Qt::Key_Return);
        QCOMPARE(here(), u"glossary#batches"_s);
        help().open({u"costs"_s, u"limits"_s}); // the contents follow
        QCOMPARE(contents->currentItem()->text(0), u"Limits"_s);
    }

    void linksLeadOnAndBack()
    {
        openHandbook({u"layouts"_s, {}});
        clickLink(u"MFU"_s);
        QCOMPARE(here(), u"glossary#mfu"_s);
        QTest::keyClick(&view(), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(here(), u"layouts"_s);
        QVERIFY(!part<QToolButton>(u"handbookBack"_s)->isEnabled()
            || handbook().place() == (HandbookPlace{u"layouts"_s, {}}));
        QTest::keyClick(&view(), Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(here(), u"glossary#mfu"_s);
        QVERIFY(!part<QToolButton>(u"handbookForward"_s)->isEnabled());
        QTest::mouseClick(part<QToolButton>(u"handbookBack"_s), Qt::LeftButton);
        QCOMPARE(here(), u"layouts"_s);
    }

    void backReturnsToWhereTheReaderWas()
    {
        openHandbook({u"glossary"_s, {}});
        view().verticalScrollBar()->setValue(333);
        help().open({u"costs"_s, {}});
        QTest::keyClick(&view(), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(here(), u"glossary"_s);
        QCOMPARE(view().verticalScrollBar()->value(), 333);
    }

    Q_INVOKABLE void opened(const QUrl &url) { m_opened << url; }
    void theWebOpensOutsideAndOnlyWhenClicked()
    {
        QDesktopServices::setUrlHandler(u"https"_s, this, "opened");
        const auto unset = qScopeGuard([] { QDesktopServices::unsetUrlHandler(u"https"_s); });
        openHandbook();
        const auto before = here();
        QVERIFY(m_opened.isEmpty());
        emit view().linkFollowed(u"https://example.org/page.md"_s);
        QCOMPARE(m_opened, (QList{QUrl(u"https://example.org/page.md"_s)}));
        QCOMPARE(here(), before);
        m_opened.clear();
        for (const auto &link : {u"file:///etc/passwd"_s, u"javascript:alert(1)"_s, u"nowhere.md"_s, u"#nowhere"_s})
            emit view().linkFollowed(link);
        QVERIFY(m_opened.isEmpty());
        QCOMPARE(here(), before);
    }

    void findInPage()
    {
        openHandbook({u"glossary"_s, {}});
        QTest::keyClick(&handbook(), Qt::Key_F, Qt::ControlModifier);
        auto *find = part<QLineEdit>(u"handbookFind"_s);
        QVERIFY(find->isVisible() && find->hasFocus());
        QTest::keyClicks(find, u"accelerator"_s);
        const auto *found = part<QLabel>(u"handbookFound"_s);
        QVERIFY2(found->text().startsWith(u"1 of "_s), qPrintable(found->text()));
        const auto first = view().textCursor().selectionStart();
        QTest::keyClick(find, Qt::Key_Return);
        QVERIFY(found->text().startsWith(u"2 of "_s));
        QVERIFY(view().textCursor().selectionStart() > first);
        QTest::keyClick(&handbook(), Qt::Key_F3, Qt::ShiftModifier);
        QCOMPARE(view().textCursor().selectionStart(), first);
        QTest::keyClick(&handbook(), Qt::Key_F3, Qt::ShiftModifier); // around the beginning
        const auto of = found->text().split(u' ');
        QCOMPARE(of.value(0), of.value(2));
        find->setText(u"no such words"_s);
        QCOMPARE(found->text(), u"not on this page"_s);
        QTest::keyClick(find, Qt::Key_Escape);
        QVERIFY(!find->isVisible() && handbook().isVisible());
    }

    void lettersGrowAndAreRemembered()
    {
        openHandbook();
        const auto before = view().document()->defaultFont().pointSizeF();
        QTest::keyClick(&handbook(), Qt::Key_Plus, Qt::ControlModifier);
        QCOMPARE(view().zoom(), 110);
        QCOMPARE(view().document()->defaultFont().pointSizeF(), before * 1.1);
        QCOMPARE(part<QToolButton>(u"handbookZoom"_s)->text(), u"110 %"_s);
        QCOMPARE(m_settings->handbookZoom(), 110);
        QTest::keyClick(&handbook(), Qt::Key_Minus, Qt::ControlModifier);
        QTest::keyClick(&handbook(), Qt::Key_Minus, Qt::ControlModifier);
        QCOMPARE(view().zoom(), 90);
        QTest::keyClick(&handbook(), Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(view().zoom(), 100);
    }

    void sizeAndLettersAreRemembered()
    {
        openHandbook();
        const QSize left(753, 611); // within the screen
        handbook().resize(left);
        view().setZoom(130);
        handbook().close();
        m_window.reset();
        open();
        openHandbook();
        QCOMPARE(handbook().size(), left);
        QCOMPARE(view().zoom(), 130);
    }

    void textIsCopied()
    {
        openHandbook({u"ledger"_s, {}});
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(&view(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QGuiApplication::clipboard()->text().contains(u"What was decided, what it rested on"_s));
        QVERIFY(view().isReadOnly());
    }

    /// The anchors are ours: every heading is found where it stands.
    void everyHeadingIsScrolledTo()
    {
        openHandbook();
        for (const auto &page : handbookPages())
            for (const auto &section : page.sections) {
                view().showPage(page, section.anchor);
                const auto block = view().textCursor().block();
                QCOMPARE(block.text().simplified(), section.heading);
                QCOMPARE(block.blockFormat().headingLevel(), section.level);
                for (auto at = block.begin(); !at.atEnd(); ++at) { // code and what follows it, too
                    const auto letters = at.fragment().charFormat();
                    QVERIFY2(letters.fontWeight() == QFont::Bold
                            && letters.property(QTextFormat::FontSizeAdjustment).toInt() == 4 - section.level,
                        qPrintable(section.heading));
                }
            }
    }

    void pagesAreReadableInBothThemes_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void pagesAreReadableInBothThemes()
    {
        QFETCH(bool, dark);
        openHandbook(); // in the other theme, which it has to leave
        applyTheme(dark ? ThemeChoice::Light : ThemeChoice::Dark);
        QTest::qWait(20);
        applyTheme(dark ? ThemeChoice::Dark : ThemeChoice::Light);
        handbook().resize(1040, 720);
        QTest::qWait(20);
        const auto pictures = qEnvironmentVariable("FLEETWRIGHT_SCREENSHOTS");
        QStringList faults;
        for (const auto &page : handbookPages()) {
            help().open({page.id, {}});
            part<QLineEdit>(u"handbookSearch"_s)->setText(page.id == u"glossary" ? u"mfu"_s : QString());
            QTest::qWait(1);
            for (const auto &fault : faultsIn(handbook()))
                faults << page.id + u": "_s + fault;
            if (view().horizontalScrollBar()->maximum() > 0)
                if (view().horizontalScrollBar()->maximum() > 0)
                    faults << page.id + u" is too wide by %1"_s.arg(view().horizontalScrollBar()->maximum());
            if (!pictures.isEmpty())
                handbook().grab().save(QDir(pictures).filePath(
                    u"handbook %1, %2.png"_s.arg(QString(page.id).replace(u'/', u'-'), dark ? u"dark"_s : u"light"_s)));
        }
        view().showPage(*findHandbookPage(u"glossary"_s), {});
        view().markWords({u"power"_s});
        const auto marks = view().extraSelections();
        QVERIFY(!marks.isEmpty());
        for (const auto &mark : marks)
            QVERIFY(contrast(mark.format.foreground().color(), mark.format.background().color()) >= 4.5);
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
    }

    /// A figure stays below its heading where the cell before it is empty.
    void emptyCellsAreCells()
    {
        const auto markdown = u"# A\n\n| a | b | c | d |\n|---|---|---|---|\n| 1 |  |  | 4 |\n| 5 | 6 |  |  |\n"_s;
        const HandbookPage page{u"a"_s, HandbookGroup::Start, markdown, sectionsOf(markdown)};
        HandbookView shown;
        shown.showPage(page, {});
        for (const auto &[words, column] : {std::pair(u"1"_s, 0), std::pair(u"4"_s, 3), std::pair(u"6"_s, 1)}) {
            auto cursor = shown.document()->find(words);
            QVERIFY(cursor.currentTable());
            const auto cell = cursor.currentTable()->cellAt(cursor);
            QCOMPARE(cell.column(), column);
            QCOMPARE(cell.columnSpan(), 1);
        }
    }

    void ctrlKFindsHeadings()
    {
        action(u"actionSearch"_s)->trigger();
        auto *dialog = child<QDialog>(u"quickSearch"_s);
        QVERIFY(dialog);
        auto *edit = dialog->findChild<QLineEdit *>(u"quickSearchEdit"_s);
        QTest::keyClicks(edit, u"glossary goodput"_s);
        const auto *list = dialog->findChild<QListView *>(u"quickSearchList"_s);
        QCOMPARE(list->model()->rowCount(), 1);
        QVERIFY(list->model()->index(0, 0).data().toString().contains(u"handbook"_s));
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(here(), u"glossary#goodput"_s);
        QVERIFY(handbook().isVisible());
    }

    void theMenuOpensItAndListsKeysElsewhere()
    {
        action(u"actionHandbook"_s)->trigger();
        QCOMPARE(here(), u"introduction"_s);
        QCOMPARE(action(u"actionHere"_s)->shortcut(), QKeySequence(Qt::Key_F1));
        QCOMPARE(action(u"actionShortcuts"_s)->shortcut(), QKeySequence(u"Ctrl+/"_s));
    }
};

FLEETWRIGHT_TEST(TestHandbookWindow)
#include "tst_handbookwindow.moc"
