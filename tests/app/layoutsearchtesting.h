// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/search/layoutsearchview.h"
#include "app/pages/search/searchpage.h"
#include "itemmodels/layoutsearchtablemodel.h"
#include "itemmodels/rowtable.h"
#include "pagetesting.h"

#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

namespace fleetwright::app {

/// The Search page over the sample project, with its view of layouts.
class LayoutSearchFixture {
protected:
    using LayoutSearchColumn = itemmodels::LayoutSearchColumn;

    void openSample()
    {
        m_prompts = ScriptedPrompts();
        m_workspace = std::make_unique<Workspace>();
        QVERIFY(m_workspace->createSample(m_folder.filePath(QStringLiteral("sample %1.fleetwright").arg(++m_files))));
        makePage();
    }
    void makePage()
    {
        m_page = std::make_unique<SearchPage>(*m_workspace, m_prompts,
            [this] { return m_workspace->plans().empty() ? 0 : m_workspace->plans().front().id; });
        m_page->resize(1090, 760);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
        m_view = part<LayoutSearchView>(*m_page, QStringLiteral("layoutView"));
    }
    QTableView *splits() const { return part<QTableView>(*m_view, QStringLiteral("splitTable")); }
    QTableView *layouts() const { return part<QTableView>(*m_view, QStringLiteral("layoutTable")); }
    QTableView *within() const { return part<QTableView>(*m_view, QStringLiteral("withinTable")); }
    QString label(const QString &name) const { return part<QLabel>(*m_view, name)->text(); }
    QPushButton *button(const QString &name) const { return part<QPushButton>(*m_view, name); }
    QLineEdit *space(const char *option) const
    {
        return part<QLineEdit>(*m_view, QStringLiteral("space/") + QLatin1StringView(option));
    }
    void click(const QString &name) const { QTest::mouseClick(button(name), Qt::LeftButton); }
    void search() const
    {
        click(QStringLiteral("searchButton"));
        QTRY_VERIFY(part<QLabel>(*m_view, QStringLiteral("answerLabel"))->isVisible());
    }
    void openSettings() const
    {
        if (auto *toggle = part<QToolButton>(*m_view, QStringLiteral("settingsButton")); !toggle->isChecked())
            QTest::mouseClick(toggle, Qt::LeftButton);
    }
    void searchFor(const char *option, const QString &values) const
    {
        openSettings();
        space(option)->setFocus();
        space(option)->selectAll();
        QTest::keyClicks(space(option), values);
    }
    double number(const QTableView *table, int row, LayoutSearchColumn column) const
    {
        return table->model()->index(row, static_cast<int>(column)).data(itemmodels::sortRole).toDouble();
    }
    QString text(const QTableView *table, int row, LayoutSearchColumn column) const
    {
        return table->model()->index(row, static_cast<int>(column)).data().toString();
    }
    QPoint middle(QTableView *table, int row) const
    {
        return table->visualRect(table->model()->index(row, static_cast<int>(LayoutSearchColumn::Tp))).center();
    }
    void clickRow(QTableView *table, int row, Qt::KeyboardModifiers modifiers = {}) const
    {
        QTest::mouseClick(table->viewport(), Qt::LeftButton, modifiers, middle(table, row));
    }
    void openTab(const QString &name) const
    {
        auto *tabs = part<QTabWidget>(*m_view, QStringLiteral("detailTabs"));
        tabs->setCurrentWidget(part<QWidget>(*m_view, name));
    }
    const PlanDocument &plan() const
    {
        return m_workspace->plan(part<QComboBox>(*m_view, QStringLiteral("planCombo"))->currentData().toLongLong())
            ->document;
    }

    QTemporaryDir m_folder;
    std::unique_ptr<Workspace> m_workspace;
    ScriptedPrompts m_prompts;
    std::unique_ptr<SearchPage> m_page;
    LayoutSearchView *m_view = nullptr;
    int m_files = 0;
};

} // namespace fleetwright::app
