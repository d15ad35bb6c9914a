// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspace/prompts.h"

namespace fleetwright::app {

/// Asks with dialogs. Tells in the window's notices, and where there are none, in a box.
class WindowPrompts final : public Prompts {
public:
    [[nodiscard]] bool confirm(QWidget *parent, const QString &title, const QString &question, const QString &action,
        Default byReturn) override;
    [[nodiscard]] std::optional<Approver> approver(QWidget *parent, const ApprovalQuestion &question) override;
    void showError(QWidget *parent, const QString &title, const Error &error) override;
    [[nodiscard]] QString text(
        QWidget *parent, const QString &title, const QString &label, const QString &initial) override;

protected:
    [[nodiscard]] QString openFileName(
        QWidget *parent, const QString &title, const QString &suggestion, const QString &filter) override;
    [[nodiscard]] QString saveFileName(
        QWidget *parent, const QString &title, const QString &suggestion, const QString &filter) override;
};

} // namespace fleetwright::app
