// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/approveddecision.h"
#include "solver/size/usedvalues.h"

#include <QWidget>

#include <memory>

namespace Ui {
class DecideApprovals;
}

class QTableView;

namespace fleetwright::itemmodels {
class SheetTableModel;
}

namespace fleetwright::app {

class Prompts;
class Workspace;

/// What has become of the inputs of an approved decision.
struct ApprovalNow {
    std::optional<size::Result> answer; ///< that was approved; nothing: it cannot be read
    std::optional<size::Result> today; ///< the last one of the decision that is kept; nothing: none, or no decision
    std::vector<size::ValueChange> changes; ///< of prices, constants and measured runs behind it
    qint64 decision = 0; ///< the project's of this name; 0: it has none any more
    bool isSameQuestion = false; ///< whether that asks what was approved
    QString otherBest; ///< the best fleet of its kept answer, where that is not the approved one; else empty
    QString best; ///< the one that was approved
    QString moved; ///< that the same fleet takes other days or money now; else empty
    bool isOpen = false; ///< what it asks now has no answer yet, so that none is held against the approved one
    /// Whether what was approved is still what the decision asks and answers.
    [[nodiscard]] bool fits() const
    {
        return decision != 0 && isSameQuestion && otherBest.isEmpty() && moved.isEmpty();
    }
};
/// What an approval of the answer freezes: prices, constants, and the measured runs that move its ranges.
[[nodiscard]] std::vector<UsedValue> usedBy(
    const DecisionDocument &decision, const size::Result &result, const Workspace &workspace);
/// `reasked`: a decision whose kept answer is being replaced, for what its question does not say (measured runs).
[[nodiscard]] ApprovalNow approvalNow(const ApprovedDecision &approved, const Workspace &workspace, qint64 reasked = 0);
/// exchange::decisionInputHash of the decision with the project's offers that it names.
[[nodiscard]] std::string questionHash(const DecisionDocument &decision, const Workspace &workspace);
/// What is no longer as it was approved: the decision, its question, its best fleet; a sentence each, with both values.
[[nodiscard]] QStringList differencesInWords(
    const ApprovedDecision &approved, const ApprovalNow &now, const Workspace &workspace);
/// Asks why, and marks the approval as withdrawn; it stays. What to tell; empty where it was left as it is.
[[nodiscard]] QString withdrawApproval(Workspace &workspace, Prompts &prompts, QWidget *parent, qint64 id);
/// "Approved 2026-11-26 10:30 by Ann Roe, CFO." and "Why, on what condition: ..."; one that nobody signed says so.
[[nodiscard]] QStringList signedInWords(const ApprovedDecision &approved);
[[nodiscard]] QString withdrawnInWords(const Withdrawal &withdrawn); ///< "withdrawn 2026-11-26 10:30: reason"

/// What was approved: the fleet, what was predicted, what has changed since in prices and constants, and what became of
/// it, which is entered here.
class DecideApprovals : public QWidget {
    Q_OBJECT
public:
    explicit DecideApprovals(QWidget *parent = nullptr);
    ~DecideApprovals() override;

    void setWorkspace(Workspace &workspace);
    void setPrompts(Prompts &prompts) { m_prompts = &prompts; }
    [[nodiscard]] qint64 currentApproval() const { return m_current; } ///< 0: none
    void showApproval(qint64 id);
    /// The kept answer of this decision belongs to other inputs; 0: of none.
    void setReasked(qint64 decision);
    /// The keyboard goes to the choice of approvals, where no key changes what was approved.
    void takeKeyboard();
    /// What no longer fits the last approval of a decision that is not withdrawn, in words; empty: it fits, or there is
    /// none.
    [[nodiscard]] QString unfitOf(qint64 decision) const;
    /// The one with the keyboard, else what was approved beside what is so today; nullptr: there is none.
    [[nodiscard]] QTableView *shownTable() const;

signals:
    void statusMessage(const QString &text);
    void shown(); ///< anew: an approval, or what it is held against, may have changed

protected:
    void changeEvent(QEvent *event) override;

private:
    void reload();
    void showCurrent();
    void change(const QString &field, const std::function<void(ApprovedDecision &)> &assign);
    void withdrawCurrent();

    std::unique_ptr<Ui::DecideApprovals> m_ui;
    Workspace *m_workspace = nullptr;
    Prompts *m_prompts = nullptr;
    itemmodels::SheetTableModel *m_answers, *m_changes;
    qint64 m_current = 0, m_reasked = 0;
};

} // namespace fleetwright::app
