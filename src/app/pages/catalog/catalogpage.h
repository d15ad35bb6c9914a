// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/page.h"
#include "app/workspace/priceusers.h"
#include "domain/catalog.h"

#include <memory>
#include <optional>
#include <vector>

class QAction;
class QComboBox;
class QTimer;

namespace Ui {
class CatalogPage;
}

namespace fleetwright::itemmodels {
class CatalogFilterProxy;
class CatalogTableModel;
} // namespace fleetwright::itemmodels

namespace fleetwright::app {

class ColumnList;
class Prompts;
class Settings;
class Workspace;

/// One catalog: filterable table, details of the selected item, and the dialogs that change the user's own items. The
/// same class serves all kinds; what differs comes from the field descriptors.
class CatalogPage : public Page {
    Q_OBJECT
public:
    CatalogPage(
        CatalogKind kind, Workspace &workspace, Prompts &prompts, Settings &settings, QWidget *parent = nullptr);
    ~CatalogPage() override;

    /// Selects the item, clearing the filters when they hide it.
    void showRecord(const std::string &id);
    /// Likewise all of them that the catalog has, the first as the current one.
    void showRecords(const QStringList &ids);

public slots:
    /// The selected rows with their visible columns, as tab-separated text.
    void copy();

signals:
    void decisionRequested(qint64 id); ///< which uses a price

protected:
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void makeFilters();
    void makeTable();
    void makeMoreMenu();
    void updateFromShipped();
    void follow();
    void followUsers();
    void followCatalog();
    void reload();
    void showCatalog();
    void fillCategories();
    void updateCount();
    void updateSelection();
    void openLink(const QUrl &link);
    void updateIcons();
    void clearFilters();

    void fillColumnMenu();
    void chooseColumn(const QString &key, bool shown);
    void showColumns();

    void add();
    void duplicate();
    void sayWhoUses(const std::string &id); ///< of a price that was saved
    void edit();
    void remove();
    void openDialog(const CatalogRecord &initial, bool isNew);
    [[nodiscard]] const CatalogRecord *current() const;

    std::unique_ptr<Ui::CatalogPage> m_ui;
    CatalogKind m_kind;
    Workspace &m_workspace;
    Prompts &m_prompts;
    Settings &m_settings;
    bool m_isBehind = false; ///< the catalog changed while it was hidden
    itemmodels::CatalogTableModel *m_model;
    itemmodels::CatalogFilterProxy *m_proxy;
    UsersOfPrices m_usersOfPrices;
    QTimer *m_usersLater;
    bool m_areUsersOld = false; ///< when that timer ends they are gathered again
    QAction *m_import = nullptr;
    QAction *m_update = nullptr;
    ColumnList *m_columns = nullptr;
    std::vector<std::pair<int, QComboBox *>> m_categories; ///< column and its filter
};

} // namespace fleetwright::app
