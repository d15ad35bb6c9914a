// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/approveddecision.h"
#include "solver/size/usedvalues.h"

#include <QWidget>

#include <memory>

namespace Ui {
class DecideApprovals;
}

namespace fleetwright::itemmodels {
class SheetTableModel;
}

namespace fleetwright::app {

class Workspace;

/// What has become of the inputs of an approved decision.
struct ApprovalNow {
    std::optional<size::Result> answer; ///< that was approved; nothing: it cannot be read
    std::vector<size::ValueChange> changes; ///< of prices and constants behind it
    qint64 decision = 0; ///< the project's of this name; 0: it has none any more
    bool isSameQuestion = false; ///< whether that asks what was approved
};
[[nodiscard]] ApprovalNow approvalNow(const ApprovedDecision &approved, const Workspace &workspace);

/// What was approved: the fleet, what was predicted, what has changed since in prices and constants, and what became of
/// it, which is entered here.
class DecideApprovals : public QWidget {
    Q_OBJECT
public:
    explicit DecideApprovals(QWidget *parent = nullptr);
    ~DecideApprovals() override;

    void setWorkspace(Workspace &workspace);
    [[nodiscard]] qint64 currentApproval() const { return m_current; } ///< 0: none
    void showApproval(qint64 id);
    /// The keyboard goes to the note: who approved it.
    void takeNote();

signals:
    void statusMessage(const QString &text);
    void removed(const QString &name);

private:
    void reload();
    void showCurrent();
    void change(const QString &field, const std::function<void(ApprovedDecision &)> &assign);
    void removeCurrent();

    std::unique_ptr<Ui::DecideApprovals> m_ui;
    Workspace *m_workspace = nullptr;
    itemmodels::SheetTableModel *m_changes;
    qint64 m_current = 0;
};

} // namespace fleetwright::app
