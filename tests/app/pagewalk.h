// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/mainwindow.h"
#include "testing/waiting.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QMenu>
#include <QPointer>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <functional>
#include <vector>

/// Walks through everything that the window can show.
namespace fleetwright::app {

using Look = std::function<void(const QString &name, QWidget &shown)>;

inline void lookAtTabs(const QString &name, QWidget &part, QWidget &shown, const Look &look)
{
    for (auto *tabs : part.findChildren<QTabWidget *>())
        for (int i = 1; tabs->isVisible() && i < tabs->count(); ++i) {
            tabs->setCurrentIndex(i);
            look(QStringLiteral("%1-%2-%3").arg(name, tabs->objectName()).arg(i), shown);
        }
}

inline QWidget *shownPage(const MainWindow &window)
{
    return window.findChild<QStackedWidget *>(QStringLiteral("pages"))->currentWidget();
}

/// Every page that the View menu goes to, and every tab of it.
inline void walkPages(MainWindow &window, const Look &look)
{
    const auto actions = window.findChildren<QAction *>();
    for (auto *action : actions) {
        if (!action->objectName().startsWith(u"goTo/"))
            continue;
        action->trigger();
        const auto page = action->objectName().sliced(5);
        look(page, window);
        lookAtTabs(page, *shownPage(window), window, look);
        if (auto *change = shownPage(window)->findChild<QToolButton *>(QStringLiteral("changeButton"));
            change && change->isVisible()) { // the question of a decision
            change->click();
            look(page + QStringLiteral("-changeButton"), window);
            change->click();
        }
    }
    if (const auto &plans = window.workspace().plans(); !plans.empty()) {
        window.showPlan(plans.front().id);
        look(QStringLiteral("plan"), window);
    }
}

/// The dialog that came last, if one is open.
inline QDialog *openDialog(const QList<QPointer<QDialog>> &before = {})
{
    QDialog *last = nullptr;
    for (auto *widget : QApplication::topLevelWidgets())
        if (auto *dialog = qobject_cast<QDialog *>(widget); dialog && dialog->isVisible() && !before.contains(dialog))
            last = dialog;
    return last;
}

/// Every dialog of a project with plans, each opened as a user does and closed again.
inline void walkDialogs(MainWindow &window, const Look &look)
{
    const auto click = [](QWidget &place, const QString &name) {
        auto *button = place.findChild<QAbstractButton *>(name);
        QVERIFY2(button, qPrintable(name));
        QTRY_VERIFY2(button->isVisible() && button->isEnabled(), qPrintable(name));
        button->click();
    };
    const auto onPage = [&](const QString &page, const QString &button) {
        window.showPage(page);
        click(*shownPage(window), button);
    };
    const auto trigger = [&](const QString &name) { window.findChild<QAction *>(name)->trigger(); };
    const auto visit = [&](const QString &name, const std::function<void()> &open, const QString &further = {}) {
        QTimer modal; // of a dialog that is waited for
        const auto at = [&] {
            auto *dialog = openDialog();
            if (!dialog)
                return;
            modal.stop();
            look(name, *dialog);
            lookAtTabs(name, *dialog, *dialog, look);
            if (!further.isEmpty()) {
                const QList<QPointer<QDialog>> before{dialog};
                click(*dialog, further);
                QTRY_VERIFY(openDialog(before));
                auto *second = openDialog(before);
                look(QStringLiteral("%1-%2").arg(name, further), *second);
                second->close();
                QTRY_VERIFY(!openDialog(before));
            }
            dialog->close();
        };
        QObject::connect(&modal, &QTimer::timeout, &window, at);
        modal.start(20);
        open();
        QTRY_VERIFY2(!modal.isActive() && !openDialog(), qPrintable(name));
    };
    for (const auto *name :
        {"actionAbout", "actionShortcuts", "actionHistory", "actionMessages", "actionVersions", "actionSearch"})
        visit(QString::fromLatin1(name), [&] { trigger(QString::fromLatin1(name)); });
    visit(QStringLiteral("catalog update"), [&] { trigger(QStringLiteral("actionUpdateCatalogs")); });
    visit(
        QStringLiteral("calibration"), [&] { trigger(QStringLiteral("actionCalibrate")); },
        QStringLiteral("addButton"));
    const auto plan = [&](const char *button) {
        window.showPlan(window.workspace().plans().front().id);
        click(*shownPage(window), QString::fromLatin1(button));
    };
    for (const auto *button : {"explainButton", "servingButton", "assumptionsButton", "pricesButton", "recordButton"})
        visit(QStringLiteral("plan-%1").arg(QString::fromLatin1(button)), [&] { plan(button); });
    visit(QStringLiteral("plan-seek"), [&] {
        window.showPlan(window.workspace().plans().front().id);
        QTRY_VERIFY(window.findChild<QAction *>(QStringLiteral("actionSeekValue"))->isEnabled());
        trigger(QStringLiteral("actionSeekValue"));
    });
    visit(QStringLiteral("plan-launch"), [&] {
        window.showPlan(window.workspace().plans().front().id);
        QTRY_VERIFY(shownPage(window)->findChild<QToolButton *>(QStringLiteral("explainButton"))->isEnabled());
        trigger(QStringLiteral("actionExportLaunch"));
    });
    visit(QStringLiteral("plan-costs"), [&] {
        window.showPlan(window.workspace().plans().front().id);
        auto *button = shownPage(window)->findChild<QToolButton *>(QStringLiteral("explainButton"));
        QTRY_VERIFY(button->isVisible() && button->isEnabled());
        button->menu()->actions().back()->trigger();
    });
    visit(QStringLiteral("ledger"), [&] { onPage(QStringLiteral("ledger"), QStringLiteral("addButton")); });
    for (const auto kind : allCatalogKinds) {
        const auto page = QStringLiteral("catalog/%1").arg(QString::fromUtf8(toString(kind)));
        window.showPage(page);
        auto *add = shownPage(window)->findChild<QAbstractButton *>(QStringLiteral("addButton"));
        auto *edit = shownPage(window)->findChild<QAbstractButton *>(QStringLiteral("duplicateButton"));
        if (add && add->isVisible() && add->isEnabled())
            visit(page + QStringLiteral(" add"), [&] { add->click(); });
        if (edit && edit->isVisible() && edit->isEnabled())
            visit(page + QStringLiteral(" duplicate"), [&] { edit->click(); });
    }
    visit(QStringLiteral("layouts"), [&] {
        window.showPage(QStringLiteral("search"));
        auto *table = shownPage(window)->findChild<QTableView *>(QStringLiteral("layoutTable"));
        QVERIFY(table);
        QTRY_VERIFY(table->model()->rowCount() > 1);
        auto *button = shownPage(window)->findChild<QAbstractButton *>(QStringLiteral("compareButton"));
        auto *content = shownPage(window)->findChild<QComboBox *>(QStringLiteral("contentCombo"));
        content->setCurrentIndex(content->count() - 1);
        table->selectionModel()->clear();
        for (int row = 0; row < 2; ++row)
            table->selectionModel()->select(
                table->model()->index(row, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
        QTRY_VERIFY(button->isEnabled());
        button->click();
    });
}

} // namespace fleetwright::app
