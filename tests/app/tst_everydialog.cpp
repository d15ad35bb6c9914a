// SPDX-License-Identifier: GPL-3.0-or-later
// Every dialog as somebody sees it, in both themes; and every page and dialog after the theme was changed while it was
// open. With FLEETWRIGHT_SCREENSHOTS=FOLDER each dialog is kept there as a picture.
#include "app/widgets/htmllabel.h"
#include "pagewalk.h"
#include "scriptedprompts.h"
#include "storage/shippedprojects.h"
#include "testing/registry.h"
#include "widgetchecks.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QTemporaryDir>

#include <set>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestEveryDialog : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    ScriptedPrompts m_prompts;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<MainWindow> m_window;
    QStringList m_faults;
    std::set<QString> m_seen;

    void openWindow(ThemeChoice theme)
    {
        m_prompts = {};
        m_faults.clear();
        m_seen.clear();
        m_settings = std::make_unique<Settings>(m_folder.filePath(u"settings.ini"_s));
        m_settings->setTheme(theme);
        m_settings->setFoldedPlanGroups({});
        applyTheme(theme);
        m_window = std::make_unique<MainWindow>(*m_settings, m_prompts);
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QVERIFY(m_window->workspace().createSample(
            m_folder.filePath(u"sample %1.fleetwright"_s.arg(qulonglong(theme))), storage::samples().front().project));
    }

    void note(const QString &name, const std::function<QStringList()> &find)
    {
        auto found = find();
        const QDeadlineTimer deadline(8000); // what has just been shown is still being laid out
        while (!found.empty() && !deadline.hasExpired()) {
            QTest::qWait(20);
            found = find();
        }
        for (const auto &fault : found)
            if (m_seen.insert(fault).second)
                m_faults << name + u": "_s + fault;
    }

    void judge() const
    {
        for (const auto &fault : m_faults) // a failure's own text is cut off
            qWarning().noquote() << fault;
        QVERIFY2(m_faults.isEmpty(), qPrintable(QString::number(m_faults.size())));
    }

private slots:
    void cleanup()
    {
        m_window.reset();
        for (const auto &file : QDir(m_folder.path()).entryList({u"*.fleetwright"_s}))
            QFile::remove(m_folder.filePath(file));
    }

    void dialogs_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void dialogs()
    {
        QFETCH(bool, dark);
        openWindow(dark ? ThemeChoice::Dark : ThemeChoice::Light);
        const auto pictures = qEnvironmentVariable("FLEETWRIGHT_SCREENSHOTS");
        walkDialogs(*m_window, [&](const QString &name, QWidget &dialog) {
            QTest::qWait(100);
            note(name, [&] { return faultsIn(dialog); });
            if (!pictures.isEmpty())
                dialog.grab().save(
                    QDir(pictures).filePath(u"dialog %1 at %2 %, %3.png"_s.arg(QString(name).replace(u'/', u'-'))
                                                .arg(qRound(100 * dialog.devicePixelRatio()))
                                                .arg(dark ? u"dark"_s : u"light"_s)));
        });
        judge();
    }

    /// Also where no page writes the text anew.
    void linksFollowTheTheme()
    {
        applyTheme(ThemeChoice::Light);
        QWidget window;
        auto *label = new QLabel(&window);
        showHtml(label, u"<a href=\"x\">a link</a>"_s);
        auto *text = new QTextEdit(&window);
        text->setHtml(u"<a href=\"x\">another</a>"_s);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        for (const auto theme : {ThemeChoice::Dark, ThemeChoice::Light}) {
            applyTheme(theme);
            QTest::qWait(50); // until every widget has its palette
            QStringList faults;
            checkHtmlReadable(*label, faults);
            checkHtmlReadable(*text, faults);
            QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
        }
    }

    /// Nothing keeps a colour of the other theme.
    void themesSwitchLive()
    {
        openWindow(ThemeChoice::Light);
        const auto onlyReadable = [](QWidget &shown) {
            QStringList faults;
            for (auto *widget : shown.findChildren<QWidget *>()) {
                if (!widget->isVisible() || widget->window() != &shown)
                    continue;
                if (const auto *view = qobject_cast<const QAbstractItemView *>(widget))
                    checkCellsReadable(*view, faults);
                checkReadable(*widget, faults);
                checkHtmlReadable(*widget, faults);
            }
            return faults;
        };
        const auto look = [&](const QString &name, QWidget &shown) {
            QTest::qWait(20);
            for (const auto *theme : {"actionThemeDark", "actionThemeLight"}) {
                m_window->findChild<QAction *>(QString::fromLatin1(theme))->trigger();
                QTest::qWait(50); // until every widget has its palette
                note(name + u", "_s + QString::fromLatin1(theme), [&] { return onlyReadable(shown); });
            }
        };
        walkPages(*m_window, look);
        walkDialogs(*m_window, look);
        judge();
    }

    /// Keys, JSON and endless digits are for files. What stands in catalogs was written by others.
    void wordsAreForPeople()
    {
        openWindow(ThemeChoice::Light);
        const auto look = [&](const QString &name, QWidget &shown) {
            QTest::qWait(100);
            // Catalogs and runs have names of others; entries of prices and assumptions the words that documents take.
            const bool isData = name.startsWith(u"catalog"_s) || name == u"validation" || name == u"plan-pricesButton"
                || name == u"plan-assumptionsButton";
            note(name, [&] {
                QStringList faults;
                for (auto *widget : shown.findChildren<QWidget *>())
                    if (widget->isVisible() && widget->window() == &shown)
                        checkWords(*widget, isData, faults);
                return faults;
            });
        };
        walkPages(*m_window, look);
        walkDialogs(*m_window, look);
        judge();
    }

    void menusAreToldApart()
    {
        openWindow(ThemeChoice::Light);
        for (const auto *menu : m_window->findChildren<QMenu *>())
            checkMnemonics(*menu, m_faults);
        m_window->showPlan(m_window->workspace().plans().front().id); // with every group unfolded
        checkMnemonics(*m_window, m_faults);
        judge();
    }
};

FLEETWRIGHT_TEST(TestEveryDialog)
#include "tst_everydialog.moc"
