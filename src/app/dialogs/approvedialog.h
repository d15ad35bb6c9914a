// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspace/prompts.h"

#include <QDialog>

class QLineEdit;

namespace fleetwright::app {

/// Shows what is approved and the risks that are signed for, and asks who signs and why. Nobody signs without a
/// name.
class ApproveDialog : public QDialog {
    Q_OBJECT
public:
    explicit ApproveDialog(const ApprovalQuestion &question, QWidget *parent = nullptr);
    [[nodiscard]] Approver approver() const;

private:
    QLineEdit *m_name, *m_role, *m_reason;
};

} // namespace fleetwright::app
