// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"

#include <QDialog>

#include <functional>
#include <memory>

namespace Ui {
class CatalogUpdateDialog;
}

namespace fleetwright::itemmodels {
class CatalogUpdateModel;
}

namespace fleetwright::app {

class Prompts;
class Workspace;

/// "Update from shipped catalog": what this program's catalogs would change in the project, field by field, with the
/// plans and fleets behind which each item stands; what is ticked is applied in one undo step.
class CatalogUpdateDialog : public QDialog {
    Q_OBJECT
public:
    CatalogUpdateDialog(Workspace &workspace, Prompts &prompts, Catalog shipped, QWidget *parent = nullptr);
    ~CatalogUpdateDialog() override;

signals:
    void updated(const QString &text); ///< for the status bar

private:
    void compare();
    void showTicks();
    void showNotice();
    void apply();

    std::unique_ptr<Ui::CatalogUpdateDialog> m_ui;
    Workspace &m_workspace;
    Prompts &m_prompts;
    Catalog m_shipped;
    itemmodels::CatalogUpdateModel *m_model;
};

/// Opens the dialog over `window` where the project can be changed; `told` gets what the status bar shall say.
void openCatalogUpdate(
    Workspace &workspace, Prompts &prompts, QWidget *window, std::function<void(const QString &)> told);

} // namespace fleetwright::app
