// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/page.h"
#include "app/workspace/workspace.h"
#include "itemmodels/ledgermodel.h"

#include <memory>

namespace Ui {
class LedgerPage;
}

namespace fleetwright::app {

class Prompts;

/// The decisions of the project: filtered, sorted, added by hand, noted on, removed, copied and written to a file.
class LedgerPage : public Page {
    Q_OBJECT
public:
    LedgerPage(Workspace &workspace, Prompts &prompts, QWidget *parent = nullptr);
    ~LedgerPage() override;

public slots:
    void add();
    void editNote();
    void remove();
    void exportCsv();
    void copy(); ///< the selected rows, or all shown, tab-separated

private:
    void setUpTable();
    void reload();
    void updateState();
    [[nodiscard]] qint64 current() const; ///< 0: none

    std::unique_ptr<Ui::LedgerPage> m_ui;
    Workspace &m_workspace;
    Prompts &m_prompts;
    itemmodels::LedgerModel *m_model;
    itemmodels::LedgerFilterProxy *m_proxy;
};

} // namespace fleetwright::app
