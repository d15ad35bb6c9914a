// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/page.h"
#include "app/workspace/workspace.h"
#include "itemmodels/ledgermodel.h"

#include <memory>

namespace Ui {
class LedgerPage;
}
class QTableView;

namespace fleetwright::app {

class Prompts;

/// The decisions of the project, in two parts: those that were approved on the Decide page, with what has become of
/// their inputs, and the recorded entries, filtered, sorted, added by hand, noted on, removed, copied and written to a
/// file. One row of either is chosen; it leads to its decision or plan.
class LedgerPage : public Page {
    Q_OBJECT
public:
    LedgerPage(Workspace &workspace, Prompts &prompts, QWidget *parent = nullptr);
    ~LedgerPage() override;

    void chooseApproval(qint64 id); ///< and shows its row, whatever was filtered

public slots:
    void add();
    /// The decision of an approval; of an entry the plan or the decision that it was made on.
    void showOrigin();
    void editNote(); ///< that of an approval stands on the Decide page
    void remove();
    void exportCsv();
    [[nodiscard]] bool exportsApprovals() const; ///< or copies them, instead of what was recorded
    void copy(); ///< the selected rows, or all shown, tab-separated

signals:
    /// Asks for the Decide page with this decision (0: whichever) and this approval (0: none).
    void decisionRequested(qint64 decision, qint64 approval);

protected:
    void showEvent(QShowEvent *event) override;

private:
    /// Where a row leads, or why it leads nowhere.
    struct Origin {
        qint64 plan = 0, decision = 0;
        QString told;
    };

    void setUpTable();
    void setUpApprovals();
    void connectWorkspace();
    void reload();
    void reloadApprovals();
    void setFilter(const QString &text);
    void setContext(int index);
    void choose(QTableView *table, const QModelIndex &index);
    [[nodiscard]] bool showsApprovals() const;
    [[nodiscard]] bool showsEntries() const;
    [[nodiscard]] qint64 currentApproval() const; ///< 0: none, or its part is not shown
    [[nodiscard]] Origin originOfEntry(const LedgerEntry &entry) const;
    void showParts();
    void updateState();
    [[nodiscard]] qint64 current() const; ///< of an entry, likewise

    std::unique_ptr<Ui::LedgerPage> m_ui;
    Workspace &m_workspace;
    Prompts &m_prompts;
    itemmodels::LedgerModel *m_model;
    itemmodels::LedgerFilterProxy *m_proxy;
    itemmodels::ApprovalModel *m_approvals;
    QSortFilterProxyModel *m_approvalsProxy;
    bool m_isBehind = false; ///< something that approvals are held against changed while the page was hidden
    bool m_isAllBehind = false; ///< another project was opened meanwhile
};

} // namespace fleetwright::app
