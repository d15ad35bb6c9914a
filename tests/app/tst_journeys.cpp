// SPDX-License-Identifier: GPL-3.0-or-later
// From an empty start to a decided fleet and a board report: with the mouse alone, and with the keyboard alone.
// packaging/journey.sh does the same in the program itself, under a window manager.
#include "app/mainwindow.h"
#include "app/theme.h"
#include "app/workspace/workspace.h"
#include "itemmodels/rowtable.h"
#include "pagetesting.h"
#include "storage/shippedprojects.h"
#include "testing/registry.h"

#include <QAbstractItemView>
#include <QFile>
#include <QGroupBox>
#include <QListWidget>
#include <QMenuBar>
#include <QProcess>
#include <QPushButton>
#include <QStackedWidget>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QStyleOptionViewItem>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTreeWidget>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

/// No action, slot or setter of the window is called here: what a hand cannot reach, these journeys do not reach.
class TestJourneys : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    ScriptedPrompts m_prompts;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<MainWindow> m_window;

    template <class T> T *the(const QString &name) const { return part<T>(*m_window, name); }

    static void clickAt(QWidget *widget, const QPoint &at)
    {
        QVERIFY2(widget->isVisible(), qPrintable(widget->objectName()));
        QVERIFY2(widget->rect().contains(at), qPrintable(widget->objectName()));
        // What lies under the pointer takes the click, not what is meant.
        auto *window = widget->window();
        auto *hit = window->childAt(widget->mapTo(window, at));
        hit = hit ? hit : window;
        QVERIFY2(hit == widget || widget->isAncestorOf(hit), qPrintable(widget->objectName() + u" is covered"_s));
        QTest::mouseClick(hit, Qt::LeftButton, {}, hit->mapFrom(window, widget->mapTo(window, at)));
    }
    void click(const QString &name) const { clickAt(the<QWidget>(name), the<QWidget>(name)->rect().center()); }
    static void clickItem(QAbstractItemView *view, const QModelIndex &index)
    {
        QVERIFY(index.isValid());
        clickAt(view->viewport(), view->visualRect(index).center());
    }
    /// By its title in the navigation.
    void clickPage(const QString &title) const
    {
        auto *tree = the<QTreeWidget>(u"navigation"_s);
        const auto found = tree->findItems(title, Qt::MatchExactly | Qt::MatchRecursive);
        QCOMPARE(found.size(), 1);
        clickAt(tree->viewport(), tree->visualItemRect(found.front()).center());
    }
    void clickTab(const QString &name, const QString &title) const
    {
        auto *bar = the<QTabWidget>(name)->tabBar();
        for (int i = 0; i < bar->count(); ++i)
            if (bar->tabText(i) == title) {
                clickAt(bar, bar->tabRect(i).center());
                QCOMPARE(bar->currentIndex(), i);
                return;
            }
        QFAIL(qPrintable(title));
    }
    /// Opens the list by its arrow, scrolls by the wheel until the entry is in sight, and clicks it.
    static void chooseByMouse(QComboBox *combo, const QString &text)
    {
        QStyleOptionComboBox option;
        option.initFrom(combo);
        option.editable = combo->isEditable();
        option.subControls = QStyle::SC_All;
        clickAt(combo,
            combo->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxArrow, combo).center());
        QTRY_VERIFY(combo->view()->isVisible());
        auto *view = combo->view();
        const auto index = view->model()->index(combo->findText(text), 0);
        QVERIFY2(index.isValid(), qPrintable(text));
        turnTo(view, index);
        QTest::qWait(
            2 * QApplication::doubleClickInterval()); // the list ignores the release of the click that opened it
        clickItem(view, index);
        QTRY_VERIFY(!view->isVisible());
        QCOMPARE(combo->currentText(), text);
    }
    static void turnTo(QAbstractItemView *view, const QModelIndex &index)
    {
        for (int turns = 0; turns < 200; ++turns) {
            const auto place = view->visualRect(index);
            if (view->viewport()->rect().contains(place.center()))
                return;
            const QPointF at = view->viewport()->rect().center();
            QWheelEvent wheel(at, view->viewport()->mapToGlobal(at), {}, {0, place.top() < 0 ? 120 : -120},
                Qt::NoButton, {}, Qt::NoScrollPhase, false);
            QApplication::sendEvent(view->viewport(), &wheel);
        }
        QFAIL("The wheel does not bring it into sight");
    }
    /// Clicks the box of an entry.
    void tick(const QString &picker, const QString &text) const
    {
        auto *list = the<QWidget>(picker)->findChild<QListWidget *>();
        const auto items = list->findItems(text, Qt::MatchExactly);
        QCOMPARE(items.size(), 1);
        turnTo(list, list->indexFromItem(items.front()));
        QStyleOptionViewItem option;
        option.initFrom(list);
        option.rect = list->visualItemRect(items.front());
        option.features = QStyleOptionViewItem::HasCheckIndicator | QStyleOptionViewItem::HasDisplay;
        option.text = text;
        const auto before = items.front()->checkState();
        clickAt(list->viewport(),
            list->style()->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &option, list).center());
        QVERIFY(items.front()->checkState() != before);
    }

    /// To whatever has the focus, as a keyboard does.
    static QWidget *focused()
    {
        auto *popup = QApplication::activePopupWidget();
        return popup ? popup : QApplication::focusWidget();
    }
    void press(int key, Qt::KeyboardModifiers modifiers = {}) const
    {
        QVERIFY2(focused(), "Nothing has the focus");
        QTest::keyClick(focused(), Qt::Key(key), modifiers);
    }
    void write(const QString &text) const
    {
        for (const auto letter : text) {
            QVERIFY2(focused(), "Nothing has the focus");
            QTest::keyClick(focused(), letter.toLatin1());
        }
    }
    /// The widget with this name, or a part of it, has the focus.
    bool isIn(const QString &name) const
    {
        const auto *widget = QApplication::focusWidget();
        for (; widget; widget = widget->parentWidget())
            if (widget->objectName() == name)
                return true;
        return false;
    }
    static QByteArray whereFocusIs()
    {
        QByteArrayList path;
        for (const auto *widget = QApplication::focusWidget(); widget; widget = widget->parentWidget())
            path.prepend(widget->objectName().toUtf8() + (widget->isVisible() ? "" : " (hidden)"));
        return path.isEmpty() ? QByteArray("Nothing has the focus") : "The focus is in " + path.join(" > ");
    }

    /// The offscreen platform leaves a list that has closed the active window; a window manager does not.
    void windowIsActive() const
    {
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }

    QString newFile(const QString &name) { return m_prompts.fileName = m_folder->filePath(name); }
    static QString textOf(const QString &pdf)
    {
        QProcess reader;
        reader.start(u"pdftotext"_s, {u"-layout"_s, pdf, u"-"_s});
        return reader.waitForFinished() && reader.exitCode() == 0 ? QString::fromUtf8(reader.readAllStandardOutput())
                                                                  : QString();
    }
    void checkDecided() const
    {
        QCOMPARE(m_window->workspace().decisions().size(), 1UZ);
        QCOMPARE(m_window->workspace().approvals().size(), 1UZ);
        QVERIFY2(m_prompts.errors.empty(), m_prompts.errors.empty() ? "" : m_prompts.errors.front().message.c_str());
    }
    /// The first page answers, and says how many accelerators of what.
    void checkPaper(const QString &pdf, const QString &workload) const
    {
        QTRY_VERIFY(QFile::exists(pdf));
        QTRY_VERIFY(!textOf(pdf).isEmpty());
        const auto page = textOf(pdf).section(QChar::FormFeed, 0, 0);
        for (const auto &words : {workload, u"Recommendation"_s, u"days"_s, u"MUSD"_s, u"Approval of"_s})
            QVERIFY2(page.contains(words), qPrintable(words + u" is not in:\n"_s + page));
        QVERIFY(m_prompts.errors.empty());
    }

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_prompts = {};
        m_settings = std::make_unique<Settings>(m_folder->filePath(u"settings.ini"_s));
        m_window = std::make_unique<MainWindow>(*m_settings, m_prompts);
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup()
    {
        m_window.reset();
        m_settings.reset();
        m_folder.reset();
    }

    void theKeyOfALabelLeadsToItsField()
    {
        QTRY_VERIFY2(isIn(u"workloadPicker"_s), whereFocusIs());
        for (const auto &[key, field] : {std::pair(Qt::Key_T, u"tokensEdit"_s), std::pair(Qt::Key_I, u"deadlineEdit"_s),
                 std::pair(Qt::Key_M, u"capitalEdit"_s), std::pair(Qt::Key_B, u"budgetEdit"_s),
                 std::pair(Qt::Key_Y, u"powerEdit"_s), std::pair(Qt::Key_A, u"nodesPicker"_s),
                 std::pair(Qt::Key_W, u"workloadPicker"_s)}) {
            press(key, Qt::AltModifier);
            QVERIFY2(isIn(field), whereFocusIs());
        }
    }

    /// A workload that there is not is not answered with another one, and what refuses it moves no field.
    void whatIsRefusedIsNotAskedAbout()
    {
        QTRY_VERIFY2(isIn(u"workloadPicker"_s), whereFocusIs());
        const auto *tokens = the<QWidget>(u"tokensEdit"_s);
        const auto before = tokens->mapTo(m_window.get(), QPoint());
        write(u"Llama 17"_s);
        press(Qt::Key_Tab);
        QVERIFY(the<QLabel>(u"sentence"_s)->text().contains(u"Llama 17"_s));
        const auto *sentence = the<QLabel>(u"sentence"_s);
        QTRY_VERIFY(sentence->height() >= sentence->heightForWidth(sentence->width())); // it is laid out
        QCOMPARE(tokens->mapTo(m_window.get(), QPoint()), before);
        newFile(u"refused.fleetwright"_s);
        click(u"answerButton"_s);
        QVERIFY(m_prompts.questions.isEmpty());
        QVERIFY(!m_window->workspace().isOpen());
        windowIsActive();
        QVERIFY2(isIn(u"workloadPicker"_s), whereFocusIs());
    }

    /// Alt and a letter means one thing on every page: the menus have theirs everywhere, and no two things that are
    /// seen together share one.
    void noTwoThingsHaveOneKey()
    {
        QVERIFY(m_window->workspace().createSample(
            m_folder->filePath(u"keys.fleetwright"_s), storage::ShippedProject::Decision));
        QStringList menus, faults;
        for (const auto *menu : the<QMenuBar>(u"menuBar"_s)->actions())
            menus << QKeySequence::mnemonic(menu->text()).toString();
        const auto actions = m_window->findChildren<QAction *>();
        for (auto *action : actions) {
            if (!action->objectName().startsWith(u"goTo/"_s))
                continue;
            action->trigger();
            QTest::qWait(50);
            std::map<QString, QString> taken;
            for (const auto &menu : menus)
                taken[menu] = u"a menu"_s;
            const auto take = [&](const QString &text, const QWidget *widget) {
                const auto key = QKeySequence::mnemonic(text).toString();
                if (key.isEmpty() || !widget->isVisible())
                    return;
                if (const auto [other, fresh] = taken.try_emplace(key, widget->objectName()); !fresh)
                    faults << u"%1: %2 of %3 (%4) is that of %5"_s.arg(
                        action->objectName(), key, widget->objectName(), text, other->second);
            };
            const auto *page = the<QStackedWidget>(u"pages"_s)->currentWidget();
            for (const auto *label : page->findChildren<QLabel *>())
                if (label->buddy())
                    take(label->text(), label);
            for (const auto *button : page->findChildren<QAbstractButton *>())
                take(button->text(), button);
            for (const auto *group : page->findChildren<QGroupBox *>())
                take(group->title(), group);
            for (const auto *tabs : page->findChildren<QTabBar *>())
                for (int i = 0; i < tabs->count(); ++i)
                    take(tabs->tabText(i), tabs);
        }
        for (const auto &fault : faults)
            qWarning().noquote() << fault;
        QCOMPARE(faults.size(), 0);
    }

    void withTheMouseAlone()
    {
        chooseByMouse(the<QComboBox>(u"workloadPickerCombo"_s), u"Llama 3.1 8B"_s);
        tick(u"nodesPicker"_s, u"8x AMD Instinct MI300X platform"_s);
        newFile(u"mouse.fleetwright"_s);
        click(u"answerButton"_s);
        QVERIFY(m_window->workspace().isOpen());
        QCOMPARE(m_window->currentPage(), u"decide"_s);
        QTRY_VERIFY(the<QPushButton>(u"approveButton"_s)->isEnabled());

        // What speaks for it and against it is looked at; another fleet becomes the base case.
        for (const auto *title : {"Front", "Money over time", "How sure", "What binds", "Candidates"})
            clickTab(u"answer"_s, QString::fromUtf8(title));
        auto *table = the<QTableView>(u"fleetsTable"_s);
        clickItem(table, table->model()->index(1, 0));
        click(u"baseButton"_s);
        QTRY_VERIFY(!the<QPushButton>(u"approveButton"_s)->isEnabled());
        QTRY_VERIFY(the<QPushButton>(u"approveButton"_s)->isEnabled());
        click(u"approveButton"_s);
        checkDecided();
        QVERIFY(the<QWidget>(u"actualsGroup"_s)->isVisible());

        clickPage(u"Report"_s);
        QTRY_VERIFY(the<QLabel>(u"contentsLabel"_s)->text().startsWith(u"Pages:"_s));
        const auto pdf = newFile(u"mouse.pdf"_s);
        click(u"exportPdfButton"_s);
        checkPaper(pdf, u"Llama 3.1 8B"_s);
    }

    void withTheKeyboardAlone()
    {
        QTRY_VERIFY2(isIn(u"workloadPicker"_s), whereFocusIs());
        write(u"llama 3.1 8b"_s);
        press(Qt::Key_Return);
        press(Qt::Key_Tab);
        QVERIFY2(isIn(u"tokensEdit"_s), whereFocusIs());
        write(u"12 T"_s);
        press(Qt::Key_Tab);
        QVERIFY2(isIn(u"deadlineEdit"_s), whereFocusIs());
        write(u"20 days"_s);
        press(Qt::Key_Tab);
        for (const auto &field : {u"capitalEdit"_s, u"budgetEdit"_s, u"powerEdit"_s}) { // each may stay empty
            QVERIFY2(isIn(field), whereFocusIs());
            press(Qt::Key_Tab);
        }
        QVERIFY2(isIn(u"nodesPicker"_s), whereFocusIs());
        write(u"mi300x"_s); // narrows the list
        press(Qt::Key_Down); // into it
        press(Qt::Key_Space);
        newFile(u"keyboard.fleetwright"_s);
        press(Qt::Key_S, Qt::AltModifier);
        QTRY_VERIFY(m_window->workspace().isOpen()); // a button that is pressed by its key goes down and up
        QTRY_COMPARE(m_window->workspace().decisions().size(), 1UZ);
        QCOMPARE(m_window->currentPage(), u"decide"_s);
        const auto &asked = m_window->workspace().decisions().front().document;
        QCOMPARE(asked.jobs.front().tokens.value_or(0), 12e12);
        QCOMPARE(asked.limits.plan.deadline->value(), 20 * 86400.0);
        QCOMPARE(asked.candidates.nodes.size(), 4UZ);
        windowIsActive();
        QVERIFY2(QApplication::focusWidget() && QApplication::focusWidget()->isVisible(), whereFocusIs());
        QTRY_VERIFY(the<QPushButton>(u"approveButton"_s)->isEnabled());

        press(Qt::Key_O, Qt::AltModifier);
        QTRY_COMPARE(m_window->workspace().approvals().size(), 1UZ);
        checkDecided();
        QVERIFY2(isIn(u"approvalCombo"_s), whereFocusIs()); // where no key changes what was signed

        press(Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(m_window->currentPage(), u"report"_s);
        QTRY_VERIFY(the<QLabel>(u"contentsLabel"_s)->text().startsWith(u"Pages:"_s));
        const auto pdf = newFile(u"keyboard.pdf"_s);
        press(Qt::Key_P, Qt::ControlModifier);
        checkPaper(pdf, u"Llama 3.1 8B"_s);
    }
};

FLEETWRIGHT_TEST(TestJourneys)
#include "tst_journeys.moc"
