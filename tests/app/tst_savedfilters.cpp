// SPDX-License-Identifier: GPL-3.0-or-later
// A filter that is wanted again stands in the menu of its field, also when the program is started again.
#include "app/projectfiles.h"
#include "app/widgets/savedfilters.h"
#include "mainwindowtesting.h"
#include "testing/registry.h"

#include <QLineEdit>
#include <QMenu>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestSavedFilters : public QObject, protected MainWindowFixture {
    Q_OBJECT

    QLineEdit *field(const QString &page)
    {
        m_window->showPage(page);
        for (auto *edit : m_window->findChildren<QLineEdit *>(u"filterEdit"_s))
            if (edit->isVisible())
                return edit;
        return nullptr;
    }
    /// The menu that the Down key opens, as texts; `chosen` is taken.
    static QStringList menu(QLineEdit &edit, const QString &chosen = {})
    {
        edit.setFocus();
        QTest::keyClick(&edit, Qt::Key_Down);
        auto *menu = edit.findChild<QMenu *>(u"savedFiltersMenu"_s);
        if (!menu || !menu->isVisible())
            return {};
        QStringList texts;
        for (auto *action : menu->actions()) {
            if (!action->isSeparator())
                texts << action->text() + (action->isChecked() ? u" *"_s : QString());
            if (!chosen.isEmpty() && action->text().contains(chosen)) {
                menu->setActiveAction(action);
                QTest::keyClick(menu, Qt::Key_Return);
                return texts;
            }
        }
        menu->close();
        return texts;
    }

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init() { start(); }
    void cleanup() { m_window.reset(); }

    void aFilterIsSavedTakenAndForgotten()
    {
        createProject();
        auto *edit = field(u"catalog/nodes"_s);
        QVERIFY(edit);
        QCOMPARE(menu(*edit), (QStringList{u"No filter is saved yet"_s, u"&Save this filter"_s}));
        QTest::keyClicks(edit, u"dgx & h100"_s);
        menu(*edit, u"Save"_s);
        edit->clear();
        QCOMPARE(menu(*edit), (QStringList{u"dgx && h100"_s, u"&Save this filter"_s}));
        menu(*edit, u"dgx"_s);
        QCOMPARE(edit->text(), u"dgx & h100"_s);
        QCOMPARE(menu(*edit).value(0), u"dgx && h100 *"_s);

        // It is the field's own, and stays when the program is started again.
        QCOMPARE(menu(*field(u"catalog/fabrics"_s)).value(0), u"No filter is saved yet"_s);
        const auto project = m_prompts.fileName;
        m_window.reset();
        open();
        QVERIFY(m_window->files().openPath(project));
        edit = field(u"catalog/nodes"_s);
        menu(*edit, u"dgx"_s);
        QCOMPARE(edit->text(), u"dgx & h100"_s);
        menu(*edit, u"Forget"_s);
        QCOMPARE(menu(*edit).value(0), u"No filter is saved yet"_s);
    }

    void onlyTwentyStay()
    {
        for (int i = 0; i < 25; ++i)
            m_settings->addFilter(u"field"_s, QString::number(i));
        QCOMPARE(m_settings->filters(u"field"_s).size(), 20);
        QCOMPARE(m_settings->filters(u"field"_s).front(), u"5"_s);
        m_settings->addFilter(u"field"_s, u"7"_s); // again: the newest
        QCOMPARE(m_settings->filters(u"field"_s).back(), u"7"_s);
        QCOMPARE(m_settings->filters(u"field"_s).size(), 20);
    }
};

FLEETWRIGHT_TEST(TestSavedFilters)
#include "tst_savedfilters.moc"
