// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/search/layoutsearchview.h"
#include "itemmodels/layoutsearchtablemodel.h"
#include "itemmodels/rowtable.h"
#include "searchtesting.h"
#include "testing/waiting.h"

#include <QTabWidget>
#include <QToolButton>

namespace fleetwright::app {

/// The view of layouts.
class LayoutSearchFixture : protected SearchFixture<LayoutSearchView> {
protected:
    using LayoutSearchColumn = itemmodels::LayoutSearchColumn;

    void openSample() { SearchFixture::openSample(QStringLiteral("layoutView")); }
    void makePage() { SearchFixture::makePage(QStringLiteral("layoutView")); }
    QTableView *splits() const { return part<QTableView>(*m_view, QStringLiteral("splitTable")); }
    QTableView *layouts() const { return part<QTableView>(*m_view, QStringLiteral("layoutTable")); }
    QTableView *within() const { return part<QTableView>(*m_view, QStringLiteral("withinTable")); }
    QLineEdit *space(const char *option) const
    {
        return part<QLineEdit>(*m_view, QStringLiteral("space/") + QLatin1StringView(option));
    }
    /// The answer comes by itself.
    void search() const { QTRY_VERIFY(part<QAbstractButton>(*m_view, QStringLiteral("saveButton"))->isEnabled()); }
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
    const PlanDocument &plan() const { return m_workspace->plan(chosenPlan())->document; }
};

} // namespace fleetwright::app
