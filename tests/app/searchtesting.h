// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/search/searchpage.h"
#include "pagetesting.h"

#include <QPushButton>
#include <QTableView>

namespace fleetwright::app {

/// The Search page over the sample project, with one of its views.
template <class View> class SearchFixture {
protected:
    void openSample(const QString &view)
    {
        m_prompts = ScriptedPrompts();
        m_workspace = std::make_unique<Workspace>();
        QVERIFY(m_workspace->createSample(m_folder.filePath(QStringLiteral("sample %1.fleetwright").arg(++m_files)),
            storage::ShippedProject::Tutorial));
        makePage(view);
    }
    void makePage(const QString &view)
    {
        m_page = std::make_unique<SearchPage>(*m_workspace, m_prompts,
            [this] { return m_workspace->plans().empty() ? 0 : m_workspace->plans().front().id; });
        m_page->resize(1090, 760);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
        m_view = part<View>(*m_page, view);
    }
    QString label(const QString &name) const { return part<QLabel>(*m_view, name)->text(); }
    QPushButton *button(const QString &name) const { return part<QPushButton>(*m_view, name); }
    void click(const QString &name) const { QTest::mouseClick(button(name), Qt::LeftButton); }
    qint64 chosenPlan() const
    {
        return part<QComboBox>(*m_view, QStringLiteral("planCombo"))->currentData().toLongLong();
    }
    /// Starts and cancels a search, which leaves `table` empty and says so.
    void cancelSearch(const QTableView *table)
    {
        m_view->start();
        QVERIFY(!button(QStringLiteral("searchButton"))->isVisible());
        m_view->cancel(); // before its progress is worth a button
        QVERIFY(label(QStringLiteral("messageLabel")).contains(QStringLiteral("cancelled")));
        QCoreApplication::processEvents();
        QCOMPARE(table->model()->rowCount(), 0);
        QVERIFY(button(QStringLiteral("searchButton"))->isVisible());
        QVERIFY(button(QStringLiteral("searchButton"))->isEnabled());
    }

    QTemporaryDir m_folder;
    std::unique_ptr<Workspace> m_workspace;
    ScriptedPrompts m_prompts;
    std::unique_ptr<SearchPage> m_page;
    View *m_view = nullptr;
    int m_files = 0;
};

} // namespace fleetwright::app
