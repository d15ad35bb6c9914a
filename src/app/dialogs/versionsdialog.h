// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/versions.h"

#include <QDialog>

#include <memory>
#include <vector>

namespace Ui {
class VersionsDialog;
}

namespace fleetwright::app {

class Prompts;
class Workspace;

/// "Versions": the dated copies of the open project, the newest first. One is restored, after a question, or written to
/// a file of its own.
class VersionsDialog : public QDialog {
    Q_OBJECT
public:
    VersionsDialog(Workspace &workspace, Prompts &prompts, QWidget *parent = nullptr);
    ~VersionsDialog() override;

signals:
    void told(const QString &text); ///< for the status bar

private:
    void fill();
    void showChoice();
    void restore();
    void saveAsProject();
    [[nodiscard]] const storage::Version *chosen() const;

    std::unique_ptr<Ui::VersionsDialog> m_ui;
    Workspace &m_workspace;
    Prompts &m_prompts;
    std::vector<storage::Version> m_versions;
};

} // namespace fleetwright::app
