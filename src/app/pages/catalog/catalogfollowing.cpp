// SPDX-License-Identifier: GPL-3.0-or-later
// How a page of the catalogs follows the project: at once while it is looked at, else when it is.
#include "app/pages/catalog/catalogpage.h"
#include "app/workspace/workspace.h"
#include "itemmodels/catalogtablemodel.h"
#include "ui_catalogpage.h"

#include <QTimer>

#include <utility>

namespace fleetwright::app {

/// Pages that are not looked at follow when they are: there are twelve of them.
void CatalogPage::follow()
{
    m_isBehind = !isVisible();
    if (!m_isBehind)
        reload();
}

/// An undo of many edits brings as many catalogs: who uses the prices is looked through with the first and once after
/// them.
void CatalogPage::followCatalog()
{
    m_isBehind = !isVisible();
    if (m_isBehind)
        return;
    if (m_kind != CatalogKind::Price)
        return showCatalog();
    if (m_usersLater->isActive()) {
        m_areUsersOld = true;
        return showCatalog();
    }
    reload();
    m_usersLater->start();
}

/// Many edits that follow each other at once, such as an undo of many plans, are looked through once.
void CatalogPage::followUsers()
{
    m_isBehind = !isVisible();
    if (m_isBehind)
        return;
    m_areUsersOld = true;
    m_usersLater->start();
}

void CatalogPage::showEvent(QShowEvent *event)
{
    if (std::exchange(m_isBehind, false))
        reload();
    Page::showEvent(event);
}

void CatalogPage::reload()
{
    if (m_kind == CatalogKind::Price) {
        m_usersLater->stop();
        m_areUsersOld = false;
        m_model->setUsers(m_usersOfPrices.now());
    }
    showCatalog();
}

void CatalogPage::showCatalog()
{
    m_model->setCatalog(m_workspace.catalog());
    const bool writable = m_workspace.isOpen() && !m_workspace.isReadOnly();
    m_ui->addButton->setEnabled(writable);
    m_import->setEnabled(writable);
    m_update->setEnabled(writable);
    fillCategories();
    updateCount();
    updateSelection();
}

} // namespace fleetwright::app
